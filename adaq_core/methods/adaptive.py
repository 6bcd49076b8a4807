"""ADAQ: hops, each aimed at the most important aspect that is not covered yet, until the core is covered.

The project's own method (source documents in the README). Each hop sends one query for the most important open aspect,
reads what it brings, follows the names in it where the corpus is linked by names, and chooses the evidence anew:
replace, do not expand (Lahmy and Yozevitch, SEAL-RAG, 2025). It stops when every aspect is covered, when the core is
covered and more would not help, or when the budget is used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Decided, Event, HopStarted, LinksFollowed, Noticed, PassagesRetrieved
from adaq_core.loop.assemble import by_findings
from adaq_core.loop.refine import refine
from adaq_core.loop.state import DEPTH, State, begin, plan_aspects
from adaq_core.loop.tools import Tools
from adaq_core.model import Decision, Passage, QueryAspect, ScoredPassage, Subquery
from adaq_core.planner import QueryPlanner
from adaq_core.ranking.pool import EvidencePool

_LOOKUPS = frozenset(("entity", "relation"))
_READ_LINKS = 3
_LINK_HOPS = 3
_SURE = 0.6


def run(
    question: str, tools: Tools, *, aspects: Sequence[QueryAspect] | None = None, extra: Sequence[str] = ()
) -> Iterator[Event]:
    """Plan, then hop: refine, retrieve, read, critique, assemble, decide; then write.

    `extra` names aspects to search once more, one hop each, after the run would have stopped.
    """
    planned = plan_aspects(question, tools, aspects)
    yield planned
    state = begin(question, tools, planned)
    planner = _planner(tools)
    pool = EvidencePool(tools.retriever.index, question, planned.aspects, tools.settings, vectors=tools.vectors)
    yield Noticed("rank", pool.name)
    again = list(extra)
    lookup = any(aspect.aspect_type in _LOOKUPS for aspect in planned.aspects)
    hop, stop, forced = 0, False, ""
    while not stop:
        hop += 1
        started = _start(state, planner, hop, only=forced)
        yield started
        read: list[tuple[Passage, float]] = []
        for event in _retrieve(state, pool, started, lookup=lookup):
            yield event
            read += _relevant(event.passages[: event.read])
        links = pool.follow_links(hop=hop, read=state.read) if lookup else ()
        unread = sum(link.target_id not in state.read for link in links)
        if links:
            linked = [tools.retriever.index.passage(link.target_id) for link in links]
            yield LinksFollowed(hop, links, tuple(linked))
            read += [(passage, 1.0) for passage in linked[:_READ_LINKS]]
        ranked = pool.select(max(tools.settings.k, DEPTH))
        if lookup:
            read += [(r.passage, 1.0) for r in ranked[: tools.settings.k]]
        found = state.read_passages(read, hop=hop)
        yield found
        sufficiency = pool.sufficiency(ranked[: tools.settings.k])
        yield state.assess(found.findings, hop=hop, sufficiency=sufficiency)
        if not lookup:
            ranked = by_findings(ranked, state.findings)
        size = pool.set_size(tools.settings.k)
        yield state.keep(ranked, hop=hop, hold_aspects=not tools.without("coverage_map"), size=size)
        doubt = _doubt(hop, unread, sufficiency) if lookup else ""
        decision = _decide(state, planner, hop, doubt=doubt)
        forced = again.pop(0) if again and decision.stop and not tools.meter.limit() else ""
        if forced:
            decision = Decision(stop=False, reason=f"Asked to search “{forced}” once more", next_aspect=forced)
        yield Decided(hop, decision)
        stop = decision.stop
    yield state.write()


def _planner(tools: Tools) -> QueryPlanner:
    s = tools.settings
    return QueryPlanner(
        s.min_hops,
        s.max_hops,
        weighted_threshold=s.weighted_threshold,
        min_gain=s.min_gain,
        patience=s.patience,
        facet_profiles=tools.profiles,
        weigh=tools.weigh,
        similar=tools.similar,
    )


def _start(state: State, planner: QueryPlanner, hop: int, *, only: str) -> HopStarted:
    queries, passed = _next(state, planner, hop, only=only)
    for query in queries:
        state.ask(query)
    why = _why(state, queries)
    return HopStarted(hop, tuple(queries), why, state.open_aspects(), tuple(passed))


def _next(state: State, planner: QueryPlanner, hop: int, *, only: str = "") -> tuple[list[Subquery], list[str]]:
    if only:
        aspects = [aspect for aspect in state.coverage.aspects if aspect.aspect == only]
        asked = [query.text for query in state.asked]
        return refine(state.question, aspects, asked=asked, findings=state.best, limit=1)
    return planner.next_subqueries(
        state.question,
        state.coverage,
        hop=hop,
        asked=[query.text for query in state.asked],
        tried=state.tried,
        findings=state.best,
        threshold=state.threshold,
        limit=state.tools.settings.max_subqueries,
    )


def _why(state: State, queries: Sequence[Subquery]) -> str:
    if not queries:
        return "Every aspect has a passage; following the names in what was found"
    aspect = next(a for a in state.coverage.aspects if a.aspect == queries[0].aspect)
    tries = state.tried[aspect.aspect]
    rank = "core" if aspect.is_core else "optional"
    again = f", try {tries}, another angle: {queries[0].why}" if tries > 1 else ""
    return f"“{aspect.aspect}” is the most important open aspect ({rank}, importance {aspect.importance:.1f}{again})"


def _retrieve(state: State, pool: EvidencePool, started: HopStarted, *, lookup: bool) -> Iterator[PassagesRetrieved]:
    """One event per query. A lookup also weighs the question's own words (hop 1) and deeper candidates."""
    retriever, settings = state.tools.retriever, state.tools.settings
    if lookup and started.hop == 1:
        probe = Subquery(state.question, "", "the question itself, for candidates")
        hits = pool.ground()
        yield PassagesRetrieved(started.hop, probe, retriever.name, tuple(hits[:DEPTH]), read=0)
    for query in started.queries:
        found = retriever.retrieve(query.text, top_k=settings.pool if lookup else settings.top_k)
        pool.add(found, hop=started.hop, query=query)
        shown = tuple(found[: max(DEPTH, settings.top_k)])
        yield PassagesRetrieved(started.hop, query, retriever.name, shown, read=min(settings.top_k, len(shown)))


def _relevant(hits: Sequence[ScoredPassage]) -> list[tuple[Passage, float]]:
    best = hits[0].score if hits else 1.0
    return [(hit.passage, hit.score / best if best > 0 else 1.0) for hit in hits]


def _doubt(hop: int, unread: int, sufficiency: float | None) -> str:
    """Why to go on although every aspect has a passage: names lead on, and the evidence is not known to be enough."""
    if not unread or hop >= _LINK_HOPS or (sufficiency is not None and sufficiency >= _SURE):
        return ""
    sure = "" if sufficiency is None else f" and sufficiency is only {sufficiency:.2f}"
    lead = "a name in them leads" if unread == 1 else f"{unread} names in them lead"
    return f"Every aspect has a passage, but {lead} to passages not read before{sure}"


def _decide(state: State, planner: QueryPlanner, hop: int, *, doubt: str) -> Decision:
    still = state.coverage.get_uncovered_aspects(state.threshold)
    upcoming, _ = _next(state, planner, hop + 1)
    decision = planner.decide(
        state.coverage,
        hop,
        threshold=state.threshold,
        gains=state.gains,
        untried=[a.aspect for a in still if a.is_core and not state.tried[a.aspect]],
        exhausted=bool(still) and not upcoming,
        limit=state.tools.meter.limit(),
        doubt=doubt,
    )
    following = upcoming[0] if upcoming else None
    return Decision(
        stop=decision.stop,
        reason=decision.reason,
        stop_reason=decision.stop_reason,
        next_aspect=following.aspect if following else None,
        next_query=following.text if following else None,
    )
