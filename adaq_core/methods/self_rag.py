"""Self-RAG: retrieval on demand, each segment critiqued for relevance, support and usefulness, the best passages kept.

Asai and others, Self-RAG: Learning to Retrieve, Generate, and Critique through Self-Reflection, 2023. Changed: the
reflection tokens of the trained generator are proxies: retrieve when the segment is not supported yet, ISREL is the
retriever's score against its best hit, ISSUP the reader's finding for the segment, ISUSE how much that finding adds to
what is known; a segment is an aspect of the question. The weights are the paper's (relevance 1, support 1, use 0.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adaq_core.events import Decided, Event
from adaq_core.methods import searched_and_read
from adaq_core.model import Decision, Provenance, QueryAspect, RankedPassage, ScoredPassage, Subquery
from adaq_core.question.query_templates import template
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.services import Services
from adaq_core.stages.state import State, begin
from adaq_core.stages.stop_policy import concluded, limit_reached, stop

_RELEVANCE, _SUPPORT, _USE = 1.0, 1.0, 0.5


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Segment by segment: retrieve if it is not supported yet, critique, keep the best; write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    state = begin(question, services, planned)
    pool: dict[str, RankedPassage] = {}
    segments = list(planned.aspects)[: services.settings.max_hops]
    for hop, segment in enumerate(segments, start=1):
        query = Subquery(question if len(segments) == 1 else template(segment, question), segment.aspect, "segment")
        known = state.coverage.score(segment)
        why = f"Part {hop} of {len(segments)} of the question: {segment.aspect}"
        hits, results = yield from searched_and_read(state, query, why, hop=hop)
        for ranked in _critiqued(state, segment, hits, known=known, hop=hop, query=query):
            _keep_better(pool, ranked)
        order = sorted(pool.values(), key=lambda r: (-r.score, r.passage.passage_id))
        yield from state.judge(results.findings, order, hop=hop)
        decision = _decide(state, segments, hop)
        yield Decided(hop, decision)
        if decision.stop:
            break
    yield state.write()


def _critiqued(
    state: State, segment: QueryAspect, hits: Sequence[ScoredPassage], *, known: float, hop: int, query: Subquery
) -> Iterator[RankedPassage]:
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    for hit in hits:
        own = [f.score for f in state.findings if f.passage_id == hit.passage.passage_id and f.aspect == segment.aspect]
        relevance = max(0.0, hit.score / best)
        support = max(own, default=0.0)
        use = max(0.0, support - known)
        score = (_RELEVANCE * relevance + _SUPPORT * support + _USE * use) / (_RELEVANCE + _SUPPORT + _USE)
        yield RankedPassage(
            passage=hit.passage,
            rank=hit.rank,
            score=min(1.0, score),
            provenance=Provenance(hop, query.text, segment.aspect),
            parts=(("ISREL", relevance), ("ISSUP", support), ("ISUSE", use)),
            reason=f"relevance {relevance:.2f}, support {support:.2f}, use {use:.2f} for “{segment.aspect}”",
        )


def _keep_better(pool: dict[str, RankedPassage], ranked: RankedPassage) -> None:
    known = pool.get(ranked.passage.passage_id)
    if known is None:
        pool[ranked.passage.passage_id] = ranked
    elif ranked.score > known.score:
        pool[ranked.passage.passage_id] = replace(ranked, provenance=known.provenance)


def _decide(state: State, segments: Sequence[QueryAspect], hop: int) -> Decision:
    """Retrieval on demand: go on while a later segment is not supported yet."""
    limit = limit_reached(state.services.meter)
    if limit is not None:
        return limit
    if state.coverage.get_uncovered_aspects(state.threshold) and hop < len(segments):
        return Decision(
            stop=False, reason="A part of the question has no passage behind it yet", next_aspect=segments[hop].aspect
        )
    otherwise = stop("no_gain", "Every part was searched for")
    return concluded(state, covered="Every part of the question has a passage behind it", otherwise=otherwise)
