"""The files of a finished experiment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.plan import Plan
from adaq_core.evaluation.reporting.card import card, write_card
from adaq_core.evaluation.reporting.charts import charts
from adaq_core.evaluation.reporting.drawing import draw
from adaq_core.evaluation.reporting.results import failures, summarise
from adaq_core.measures.ranking import documents_within

RESULTS = "results.json"
RUNS = "runs"
PLOTS = "plots"


def results_of(plan: Plan, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """results.json: dataset, split, k, n_questions, config, methods, comparisons."""
    questions = [question.question_id for question in plan.chosen]
    summary = summarise(outcomes, questions=questions, labels=plan.labels, reference=plan.compared_to, seed=plan.seed)
    return {
        "dataset": plan.questions.name,
        "split": plan.questions.split,
        "k": plan.k,
        "n_questions": len(questions),
        "config": {**plan.as_config(), "failed": failures(outcomes)},
        **summary,
    }


def write_results(
    plan: Plan, outcomes: Sequence[Outcome], out: Path, *, seconds: float, command: str = ""
) -> dict[str, Any]:
    """Write results.json, the TREC run files, the plots and the card; what results.json holds."""
    results = results_of(plan, outcomes)
    (out / RESULTS).write_text(json.dumps(results, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")
    (out / RUNS).mkdir(exist_ok=True)
    for label in plan.labels:
        rows = [outcome for outcome in outcomes if outcome.method == label]
        write_run(out / RUNS / f"{label}.trec", rows, k=plan.k)
    title = f"{plan.questions.name} ({plan.questions.split}), k = {plan.k}"
    drawn = draw(charts(outcomes, results["methods"]), out / PLOTS, title=title)
    names = [path.relative_to(out).as_posix() for path in drawn]
    write_card(out, card(plan, results, outcomes, seconds=seconds, command=command, plots=names))
    return results


def write_run(path: Path, outcomes: Iterable[Outcome], *, k: int) -> None:
    """Write a TREC run file: one line per document of the first `k` passages, repeats dropped.

    Measures at k come out of it as they are here. `question Q0 document rank score tag`; the score falls with the rank,
    because tools order by score.
    """
    lines = (line for outcome in outcomes for line in _lines(outcome, k=k))
    path.write_text("".join(lines), encoding="utf-8")


def _lines(outcome: Outcome, *, k: int) -> Iterable[str]:
    documents = documents_within([document for _, document in outcome.ranking], k=k)
    tag = _word(outcome.method)
    for rank, document in enumerate(documents, start=1):
        yield f"{_word(outcome.question_id)} Q0 {_word(document)} {rank} {k - rank + 1} {tag}\n"


def _word(text: str) -> str:
    """The text without white space, which parts the fields of the format."""
    return "_".join(text.split()) or "_"
