"""ADAQ: hops, each aimed at the most important aspect that is not covered yet, until the core is covered.

The project's own method (source documents in the README). Each hop sends one query for the most important open aspect,
reads what it brings and the best passage that the set before held unread, follows the names in it where a fact is
looked up in a corpus linked by names, and chooses the evidence anew: replace, do not expand (Lahmy and Yozevitch,
SEAL-RAG, 2025). It stops when every aspect is covered, when the core is covered and more would not help, or when the
budget is used up; before it stops, the whole set is read.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from adaq_core.events import Decided, Event, HopStarted, LinksFollowed, Noticed, PassagesRetrieved
from adaq_core.loop.candidates import Pool, entities_of, ordered, pool_for
from adaq_core.loop.enough import admitted, estimated, lacking, signs_for
from adaq_core.loop.refine import normal, refine
from adaq_core.loop.state import DEPTH, State, begin, plan_aspects
from adaq_core.loop.tools import Tools
from adaq_core.loop.worth import Worth
from adaq_core.model import Decision, Passage, QueryAspect, ScoredPassage, Subquery, as_tuple
from adaq_core.planner import QueryPlanner
from adaq_core.ranking.pool import EvidencePool
from adaq_core.ranking.set_signs import SetSigns

USES_VECTORS = True

_READ_LINKS = 3
_READ_KEPT = 1
_LINK_HOPS = 3
_SURE = 0.6

ToRead = list[tuple[Passage, float]]


def run(
    question: str, tools: Tools, *, aspects: Sequence[QueryAspect] | None = None, extra: Sequence[str] = ()
) -> Iterator[Event]:
    """Plan, then hop: refine, retrieve, read, critique, assemble, decide; then write.

    `extra` names aspects to search once more, one hop each, after the run would have stopped.
    """
    planned = plan_aspects(question, tools, aspects)
    yield planned
    if tools.learned is not None:
        yield tools.learned
    state, planner = begin(question, tools, planned), _planner(tools)
    pool = pool_for(state)
    signs = signs_for(state, pool)
    yield Noticed("rank", pool.name)
    again, forced, hop, stop = list(extra), "", 0, False
    while not stop:
        hop += 1
        started = _start(state, planner, hop, only=forced)
        yield started
        to_read = yield from _retrieve(state, pool, started)
        sufficiency = yield from _judge(state, pool, signs, to_read, hop)
        new = len(to_read) if isinstance(pool, EvidencePool) else pool.led_to
        decision = _decide(state, planner, hop, unread=new, sufficiency=sufficiency)
        if decision.stop and (rest := state.unread_evidence()):
            sufficiency = yield from _judge(state, pool, signs, rest, hop)
            decision = _decide(state, planner, hop, unread=0, sufficiency=sufficiency)
        forced = again.pop(0) if again and decision.stop and not tools.meter.limit() else ""
        if forced:
            decision = Decision(stop=False, reason=f"Asked to search “{forced}” once more", next_aspect=forced)
        decision = admitted(state, decision)
        yield Decided(hop, decision)
        stop = decision.stop
    yield state.write(lacking=lacking(state, decision))


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
        worth=Worth(tools.learned.gains) if tools.learned else None,
    )


def _start(state: State, planner: QueryPlanner, hop: int, *, only: str) -> HopStarted:
    if only or state.upcoming is None:
        queries, passed = _next(state, planner, hop, only=only)
        queries = queries if only else _worded(state, queries)
    else:
        queries, passed = state.upcoming
    for query in queries:
        state.ask(query)
    why = _why(state, queries)
    return HopStarted(hop, tuple(queries), why, state.open_aspects(), tuple(passed))


def _next(state: State, planner: QueryPlanner, hop: int, *, only: str = "") -> tuple[list[Subquery], list[str]]:
    if only:
        aspects = [aspect for aspect in state.coverage.aspects if aspect.aspect == only]
        asked = [query.text for query in state.asked]
        return refine(state.question, aspects, asked=asked, findings=state.best, limit=1, insist=True)
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


def _worded(state: State, queries: list[Subquery]) -> list[Subquery]:
    """The queries as a model words them, for the same aspects first; where the templates are used up one of its own."""
    still = {aspect.aspect: aspect for aspect in state.coverage.get_uncovered_aspects(state.threshold)}
    order = as_tuple([query.aspect for query in queries if query.aspect in still] + list(state.open_aspects()))
    return state.worded([still[name] for name in order], limit=max(1, len(queries))) or queries


def _why(state: State, queries: Sequence[Subquery]) -> str:
    if not queries:
        return "Every aspect has a passage; following the names in what was found"
    aspect = next(a for a in state.coverage.aspects if a.aspect == queries[0].aspect)
    tries = state.tried[aspect.aspect]
    rank = "core" if aspect.is_core else "optional"
    again = f", try {tries}, another angle: {queries[0].why}" if tries > 1 else ""
    return f"“{aspect.aspect}” is the most important open aspect ({rank}, importance {aspect.importance:.1f}{again})"


def _retrieve(state: State, pool: Pool, started: HopStarted) -> Generator[Event, None, ToRead]:
    """Send the queries, follow the links; what is to be read comes back, that of the set before included."""
    retriever, settings, hop = state.tools.retriever, state.tools.settings, started.hop
    to_read = state.unread_evidence()[:_READ_KEPT]
    if hop == 1:
        probe = Subquery(state.question, "", "the question itself, for candidates")
        yield PassagesRetrieved(hop, probe, retriever.name, tuple(pool.ground()[:DEPTH]), read=0)
    for query in started.queries:
        found = retriever.retrieve(query.text, top_k=settings.pool)
        state.rankings.append(found)
        pool.add(found, hop=hop, query=query)
        shown = tuple(found[: max(DEPTH, settings.top_k)])
        yield PassagesRetrieved(hop, query, retriever.name, shown, read=min(settings.top_k, len(shown)))
        to_read += _relevant(shown[: settings.top_k])
    links = pool.follow_links(hop=hop, read=state.read)
    linked = tuple(retriever.index.passage(link.target_id) for link in links)
    if links:
        yield LinksFollowed(hop, links, linked)
    if state.looks_up:
        to_read += [(passage, 1.0) for passage in linked[:_READ_LINKS]]
    if isinstance(pool, EvidencePool):
        to_read += [(ranked.passage, 1.0) for ranked in pool.select(settings.k)[: settings.k]]
    return [(passage, relevance) for passage, relevance in to_read if passage.passage_id not in state.read]


def _judge(
    state: State, pool: Pool, signs: SetSigns | None, to_read: ToRead, hop: int
) -> Generator[Event, None, float | None]:
    """Read, critique, assemble; what comes back is how sure a look-up may be of its evidence.

    That is the learned ranker's sufficiency, None when it has none; 1 where nothing is looked up.
    """
    k = state.tools.settings.k
    found = state.read_passages(to_read, hop=hop)
    yield found
    entities = entities_of(state) if isinstance(pool, EvidencePool) else ()
    ranked = ordered(state, pool, deep=bool(entities))
    assessed = state.assess(found.findings, hop=hop)
    size = pool.set_size(k) if isinstance(pool, EvidencePool) else None
    kept = state.keep(
        ranked, hop=hop, hold_aspects=not state.tools.without("coverage_map"), size=size, entities=entities
    )
    by_id = {each.passage.passage_id: each for each in ranked}
    held = [by_id[passage_id] for passage_id in kept.ranking]
    sufficiency = pool.sufficiency(held[:k]) if isinstance(pool, EvidencePool) else None
    if signs is not None:
        state.estimate = made = estimated(state, signs, held)
        own = made.sufficiency if sufficiency is None else made.capped(sufficiency)
        assessed = replace(assessed, sufficiency=own, answerable=made.answerable)
    yield assessed
    yield kept
    return sufficiency if state.looks_up else 1.0


def _relevant(hits: Sequence[ScoredPassage]) -> ToRead:
    best = hits[0].score if hits else 1.0
    return [(hit.passage, hit.score / best if best > 0 else 1.0) for hit in hits]


def _doubt(hop: int, unread: int, sufficiency: float | None) -> str:
    """Why to go on although every aspect has a passage: the evidence may not be enough, and more turns up."""
    if not unread or hop >= _LINK_HOPS or (sufficiency is not None and sufficiency >= _SURE):
        return ""
    sure = "" if sufficiency is None else f" and sufficiency is only {sufficiency:.2f}"
    return f"Every aspect has a passage, but names in them led to new ones{sure}"


def _decide(state: State, planner: QueryPlanner, hop: int, *, unread: int, sufficiency: float | None) -> Decision:
    still = state.coverage.get_uncovered_aspects(state.threshold)
    upcoming, passed = _next(state, planner, hop + 1)
    templates = bool(upcoming)
    if still and not templates:
        upcoming = _worded(state, [])
    decision = planner.decide(
        state.coverage,
        hop,
        threshold=state.threshold,
        gains=list(state.gains.values()),
        untried=[a.aspect for a in still if a.is_core and not state.tried[a.aspect]],
        exhausted=bool(still) and not upcoming,
        spared=not {normal(text) for text in passed} <= {normal(query.text) for query in state.asked},
        limit=state.tools.meter.limit(),
        doubt=_doubt(hop, unread, sufficiency),
    )
    if templates and not decision.stop:
        upcoming = _worded(state, upcoming)
    state.upcoming = (upcoming, passed)
    following = upcoming[0] if upcoming else None
    return replace(
        decision,
        next_aspect=following.aspect if following else None,
        next_query=following.text if following else None,
    )
