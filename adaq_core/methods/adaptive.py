"""ADAQ: hops, each aimed at what the evidence does not hold yet, until the core is covered.

The project's own method (source documents in the README). The first hop searches the question itself. Each further one
follows the names in the set to passages that the question does not name, or sends a query for the most important open
aspect; what it brings is read, judged and offered to the set in that hop: replace, do not expand (Lahmy and Yozevitch,
SEAL-RAG, 2025). It stops when every aspect is covered, when the core is covered and more would not help, when nothing
brings anything new, or when the budget is used up.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from itertools import count

from adaq_core.answerability import Estimate
from adaq_core.answerability.features import EvidenceFeatures
from adaq_core.events import CoverageAssessed, Decided, Event, HopStarted, LinksFollowed, Noticed, PassagesRetrieved
from adaq_core.model import Decision, Passage, QueryAspect, ScoredPassage
from adaq_core.planner import QueryPlanner
from adaq_core.question.query_templates import TemplateGains
from adaq_core.ranking import CandidatePool
from adaq_core.stages.next_hop import NextHop, by_hand, entities_of, first_hop, next_hop, ordered, pool_for, worded
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.refine import normal
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, State, begin
from adaq_core.stages.stop_policy import Standing, abstaining, estimated, features_for, missing

USES_VECTORS = True

_READ_LINKS = 3  # passages that links lead to, read unasked; the others when the set takes them

ToRead = list[tuple[Passage, float]]


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Plan, then hop: search, read, critique, assemble, decide; then write. A person may change it on the way."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    if services.learned is not None:
        yield services.learned
    state, planner = begin(question, services, planned), _planner(services)
    pool = pool_for(state)
    features = features_for(state, pool)
    yield Noticed("rank", pool.name)
    yield from (Noticed("conditions", notice) for notice in pool.notices)
    coming = first_hop(state)
    for hop in count(1):
        yield HopStarted(hop, coming.queries, coming.why, state.open_aspects(), coming.passed)
        to_read = yield from _search(state, pool, coming, hop)
        yield from _judge(state, pool, features, to_read, hop)
        branches = [branch for branch in services.branches if branch.hop == hop]
        for branch in branches:
            yield from state.turn(branch)
            yield from _judge(state, pool, features, [], hop)
            planner = _planner(state.services)
        wanted = by_hand(state, branches)
        coming = wanted or next_hop(state, pool, planner.next_subqueries, hop=hop + 1)
        decision = _decide(state, planner, coming, hop)
        if wanted and not services.meter.limit():
            decision = Decision(stop=False, reason=wanted.why)
        decision = abstaining(state, decision)
        if not decision.stop and not wanted:
            coming = worded(state, coming)
        yield Decided(hop, _with_next(decision, coming))
        if decision.stop:
            break
    yield state.write(missing=missing(state, decision))


def _planner(services: Services) -> QueryPlanner:
    s = services.settings
    return QueryPlanner(
        s.min_hops,
        s.max_hops,
        weighted_threshold=s.weighted_threshold,
        min_gain=s.min_gain,
        patience=s.patience,
        facet_profiles=services.profiles,
        weigh=services.weigh,
        similar=services.similar,
        gains=TemplateGains(services.learned.gains) if services.learned else None,
    )


def _search(state: State, pool: CandidatePool, coming: NextHop, hop: int) -> Generator[Event, None, ToRead]:
    """Search the question, or send the queries, or follow the names; what is to be read comes back."""
    settings, retriever = state.services.settings, state.services.retriever
    to_read: ToRead = []
    for query in coming.queries:
        state.ask(query)
        if hop == 1:
            hits = list(pool.seed())
        else:
            hits = retriever.retrieve(query.text, top_k=settings.pool)
            pool.add(hits, hop=hop, query=query)
        state.rankings.append(hits)
        shown = tuple(hits[: max(DEPTH, settings.top_k)])
        yield PassagesRetrieved(hop, query, retriever.name, shown, read=min(settings.top_k, len(shown)))
        to_read += _relevant(shown[: settings.top_k])
    if coming.links:
        linked = tuple(retriever.index.passage(link.target_id) for link in coming.links)
        yield LinksFollowed(hop, coming.links, linked)
        to_read += [(passage, 1.0) for passage in linked[:_READ_LINKS]]
    return to_read


def _judge(
    state: State, pool: CandidatePool, features: EvidenceFeatures | None, to_read: ToRead, hop: int
) -> Iterator[Event]:
    """Read what came and what the set now holds, critique, assemble; once more for what came in unread."""
    k = state.services.settings.k
    selection = pool.select(k)
    chosen = selection.ranked[:k]
    to_read = [*to_read, *((ranked.passage, 1.0) for ranked in chosen)]
    while to_read:
        read = state.read_passages(to_read, hop=hop)
        yield read
        before = {each.passage.passage_id for each in state.evidence}
        entities = entities_of(state) if pool.weighs_facts else ()
        ranked = ordered(state, pool, deep=bool(entities))
        made = state.judge(
            read.findings,
            ranked,
            hop=hop,
            hold_aspects=not state.services.ablated("coverage_map"),
            size=selection.size,
            entities=entities,
        )
        yield from made.before
        assessed, kept = made.assessed, made.kept
        state.offered = {*kept.ranking[:k], *(each.passage.passage_id for each in chosen)}
        by_id = {each.passage.passage_id: each for each in ranked}
        evidence = [by_id[passage_id] for passage_id in kept.ranking]
        if features is not None:
            state.estimate = estimate = estimated(state, features, evidence)
            own = pool.sufficiency(evidence[:k])
            sufficiency = estimate.sufficiency if own is None else estimate.capped(own)
            # A set that only grew is no less sufficient than it was.
            if before and before <= {each.passage.passage_id for each in kept.evidence}:
                sufficiency = max(sufficiency, state.sufficiency)
            state.sufficiency = sufficiency
            assessed = _with_chances(assessed, estimate, sufficiency)
        yield assessed
        yield kept
        to_read = state.unread_evidence()


def _with_chances(assessed: CoverageAssessed, estimate: Estimate, sufficiency: float) -> CoverageAssessed:
    """The assessment with how likely the set is whole, and how likely the corpus answers where that can be said."""
    if estimate.is_beyond:
        return replace(assessed, sufficiency=sufficiency)
    return replace(assessed, sufficiency=sufficiency, answerable=estimate.answerable, some=estimate.some)


def _relevant(hits: Sequence[ScoredPassage]) -> ToRead:
    """The passages with their relevance: their score as a share of the best one."""
    best = hits[0].score if hits else 0.0
    if best <= 0:
        return [(hit.passage, 1.0) for hit in hits]
    return [(hit.passage, hit.score / best) for hit in hits]


def _decide(state: State, planner: QueryPlanner, coming: NextHop, hop: int) -> Decision:
    still = state.coverage.get_uncovered_aspects(state.threshold)
    now = Standing(
        threshold=state.threshold,
        gains=list(state.gains.values()),
        untried=[a.aspect for a in still if a.is_core and not state.tried[a.aspect]],
        exhausted=not coming,
        spared=not {normal(text) for text in coming.passed} <= {normal(query.text) for query in state.asked},
        limit=state.services.meter.limit(),
        doubt=coming.why if coming.links else "",
        unchecked=state.unchecked,
    )
    return planner.policy.decide(state.coverage, hop, now)


def _with_next(decision: Decision, coming: NextHop) -> Decision:
    if coming.queries and not decision.stop:
        following = coming.queries[0]
    else:
        following = None
    if following is None:
        return decision
    return replace(decision, next_aspect=following.aspect, next_query=following.text)
