"""ResearchAgent: question in, ResearchResult out, over the same run that the app makes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from adaq_core import trace
from adaq_core.errors import AdaqError
from adaq_core.events import Event, Record
from adaq_core.model import COVERAGE_THRESHOLD, Budget, Settings
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec, execute

ADAPTIVE_MODE = "iterative_aspect_guided"
BATCH_MODE = "batch"


@dataclass(frozen=True, slots=True)
class ResearchResult:
    """The answer as Markdown, what is known about how it came about, and the events themselves."""

    answer: str
    metadata: dict[str, Any] = field(default_factory=dict)
    events: tuple[Event, ...] = ()


class ResearchAgent:
    """Asks one retriever, in adaptive mode aspect by aspect, else with a batch of queries planned upfront.

    `llm_client` is a language model (`OllamaClient()`, or whatever has `generate_text(prompt, system_prompt)`); without
    one, or with `use_llm=False`, every stage goes by its rules.
    """

    def __init__(
        self,
        retriever: DocumentRetriever,
        llm_client: Any = None,
        use_llm: bool = True,
        adaptive_mode: bool = True,
        min_hops: int = 3,
        max_hops: int = 10,
        *,
        settings: Settings | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.retriever = retriever
        self.llm_client = llm_client if use_llm else None
        self.adaptive_mode = adaptive_mode
        base = settings or Settings()
        self.settings = replace(base, min_hops=min_hops, max_hops=max_hops)
        self.budget = budget or Budget()

    def process(self, question: str) -> ResearchResult:
        """Answer `question`; AdaqError if it cannot be asked or the run failed."""
        began = time.monotonic()
        method = "adaptive" if self.adaptive_mode else "iterative"
        spec = RunSpec(method, question, self.settings, self.budget)
        stream = execute(spec, retriever=self.retriever, chat=self.llm_client)
        numbered = enumerate(stream, start=1)
        records = [Record(seq, "", time.monotonic() - began, event) for seq, event in numbered]
        run = trace.view(records)
        if run.status == "failed":
            raise AdaqError(run.reason)
        text = run.answer.text if run.answer else ""
        return ResearchResult(text, self._metadata(run), tuple(record.event for record in records))

    def _metadata(self, run: trace.RunView) -> dict[str, Any]:
        return {
            "mode": ADAPTIVE_MODE if self.adaptive_mode else BATCH_MODE,
            "actual_hops": len(run.hops),
            "short_answer": run.answer.short.text if run.answer and run.answer.short else None,
            "answer_status": run.answer.status if run.answer else None,
            "stop_reason": run.stop_reason,
            "reason": run.reason,
            "model": {
                "name": run.started.model if run.started else None,
                "calls": run.cost.model_calls,
                "fell_back": run.cost.fell_back,
            },
            "aspect_coverage": coverage_metadata(run) if self.adaptive_mode else {"enabled": False},
        }


def coverage_metadata(run: trace.RunView) -> dict[str, Any]:
    """Return the coverage of a run in the documented form; scores are 0.0 for aspects that nothing matched."""
    last, covered_at = run.last_assessed, run.covered_at
    threshold = run.started.settings.coverage_threshold if run.started else COVERAGE_THRESHOLD
    aspects = [
        {
            "aspect": aspect.aspect,
            "type": aspect.aspect_type,
            "importance": aspect.importance,
            "coverage_score": run.coverage_score(aspect.aspect) or 0.0,
            "covered_at_hop": covered_at.get(aspect.aspect),
        }
        for aspect in run.aspects
    ]
    return {
        "enabled": True,
        "total_aspects": len(aspects),
        "coverage_percentage": last.percentage if last and last.percentage is not None else 0.0,
        "weighted_coverage": last.weighted if last and last.weighted is not None else 0.0,
        "uncovered_count": sum((run.coverage_score(a.aspect) or 0.0) < threshold for a in run.aspects),
        "aspects": aspects,
    }
