"""Iterative RAG: a fixed batch of queries planned upfront, one a hop, until enough passages look good.

The entity document's "v2" (iterative with confidence) and the source documents' batch mode: all subqueries are worded
before the first search, every hop sends the next one, and the quality of the passages decides when to stop, not the
coverage of aspects. Evidence is the best k passages by their best rank. No paper; the project's own former method.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Decided, Event, HopStarted, PassagesRetrieved
from adaq_core.model import Decision, QueryAspect, ScoredPassage, Subquery
from adaq_core.planner import QueryPlanner
from adaq_core.question.query_templates import wordings
from adaq_core.retrieval.index import fuse
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.refine import normal
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, State, begin
from adaq_core.stages.stop_policy import limit_reached

_GOOD = 0.5  # normalised score of a good document


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Send the batch one query a hop; stop by document quality; write."""
    settings = services.settings
    planned = plan_aspects(question, services, aspects)
    yield planned
    state = begin(question, services, planned)
    planner = QueryPlanner(settings.min_hops, settings.max_hops, enable_aspect_coverage=False)
    rankings: list[list[ScoredPassage]] = []
    worded = state.worded(planned.aspects, limit=len(planned.aspects))
    batch = upfront(question, planned.aspects, worded=worded)
    for hop, query in enumerate(batch, start=1):
        state.ask(query)
        yield HopStarted(hop, (query,), f"Query {hop} of the {len(batch)} planned upfront", state.open_aspects())
        hits = services.retriever.retrieve(query.text, top_k=settings.pool)
        rankings.append(hits)
        shown = tuple(hits[: max(DEPTH, settings.top_k)])
        yield PassagesRetrieved(hop, query, services.retriever.name, shown, read=min(settings.top_k, len(shown)))
        fused = fuse(rankings, top_k=max(settings.k, DEPTH))
        best = hits[0].score if hits else 1.0
        new = [(hit.passage, hit.score / best if best > 0 else 1.0) for hit in shown[: settings.top_k]]
        results = state.read_passages(new + [(hit.passage, 1.0) for hit in fused[: settings.k]], hop=hop)
        yield results
        yield from state.judge(results.findings, top_ranked(fused, hop=hop, query=query.text), hop=hop)
        decision = _decide(planner, _confident(state, fused[: settings.k]), hop, last=hop == len(batch))
        decision = limit_reached(services.meter) or decision
        yield Decided(hop, decision)
        if decision.stop:
            break
    yield state.write()


def upfront(question: str, aspects: Sequence[QueryAspect], *, worded: Sequence[Subquery] = ()) -> list[Subquery]:
    """The question, the model's queries if any, and two wordings of every aspect, before anything is known."""
    made = [Subquery(question, "", "the question itself"), *worded]
    for angle in (0, 1):
        for aspect in aspects:
            templates = wordings(aspect, question)
            if angle < len(templates):
                made.append(Subquery(templates[angle].text, aspect.aspect, templates[angle].angle))
    kept: dict[str, Subquery] = {}
    for query in made:
        kept.setdefault(normal(query.text), query)
    return list(kept.values())


def _confident(state: State, hits: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The passages scored by their best finding, in [0, 1]: how sure the reader is that each says something."""
    best: dict[str, float] = {}
    for finding in state.findings:
        best[finding.passage_id] = max(best.get(finding.passage_id, 0.0), finding.score)
    return [ScoredPassage(hit.passage, best.get(hit.passage.passage_id, 0.0), hit.rank) for hit in hits]


def _decide(planner: QueryPlanner, hits: Sequence[ScoredPassage], hop: int, *, last: bool) -> Decision:
    decision = planner.decide_by_quality(hits, hop, min_confidence=_GOOD)
    if not decision.stop and last:
        return Decision(stop=True, reason="The planned queries are used up", stop_reason="max_hops")
    return decision
