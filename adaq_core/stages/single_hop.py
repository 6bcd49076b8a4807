"""One hop of fixed queries: what the methods without a loop have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Decided, Event, HopStarted, Noticed, PassagesRetrieved
from adaq_core.model import Decision, QueryAspect, RankedPassage, ScoredPassage, Subquery
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, State, begin, plan_aspects
from adaq_core.stages.stop_policy import concluded, limit_reached, stop


def single_shot(
    question: str, services: Services, retriever: DocumentRetriever, *, aspects: Sequence[QueryAspect] | None = None
) -> Iterator[Event]:
    """Plan (only to be able to judge), search once with the question, read the first k, write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    if retriever.degraded:
        yield Noticed("retrieve", retriever.degraded)
    state = begin(question, services, planned)
    query = Subquery(question, "", "the question itself")
    yield HopStarted(1, (query,), "One search with the question", state.open_aspects())
    hits = retriever.retrieve(question, top_k=max(services.settings.k, DEPTH))
    yield PassagesRetrieved(1, query, retriever.name, tuple(hits), read=min(services.settings.k, len(hits)))
    yield from conclude(state, top_ranked(hits, hop=1, query=question), hits)


def conclude(state: State, ranked: Sequence[RankedPassage], hits: Sequence[ScoredPassage]) -> Iterator[Event]:
    """Read the first k of `ranked` and write: the only hop of a method that does not adapt."""
    state.asked = state.asked or [Subquery(state.question, "", "")]
    best = hits[0].score if hits and hits[0].score > 0 else 1.0
    relevance = {hit.passage.passage_id: hit.score / best for hit in hits}
    kept = list(ranked[: state.services.settings.k])
    found = state.read_passages([(r.passage, relevance.get(r.passage.passage_id, 1.0)) for r in kept], hop=1)
    yield found
    yield from state.judge(found.findings, ranked, hop=1)
    yield Decided(1, _decision(state, anything=bool(found.findings)))
    yield state.write()


def _decision(state: State, *, anything: bool) -> Decision:
    limit = limit_reached(state.services.meter)
    if limit is not None:
        return limit
    if not anything:
        return stop("no_evidence", "No passage speaks to any aspect")
    otherwise = stop("max_hops", "One search is all this method makes")
    return concluded(state, covered="One search; every aspect is covered", otherwise=otherwise)
