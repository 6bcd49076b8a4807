"""SEAL-RAG: search, extract, assess, loop: micro-queries for missing entities, passages replaced at a fixed k.

Lahmy and Yozevitch, Replace, Don't Expand: SEAL-RAG, 2025. Kept: the entity ledger, the gap specification,
micro-queries, fixed-k replacement and the blocklist of queries. Changed: the controller is no language model; entities
are the names in the question and those that its supporting sentences bring in, a gap is an entity of the ledger that no
passage of the set is about, and the loop ends after three repairs (the paper's L).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from adaq_core.events import Decided, Event
from adaq_core.methods import searched_and_read
from adaq_core.model import Decision, QueryAspect, RankedPassage, Subquery, as_tuple
from adaq_core.question.aspect_patterns import content
from adaq_core.question.conditions import named_things
from adaq_core.ranking.rerankers import EntityFirstRanker
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.refine import normal
from adaq_core.stages.services import Services
from adaq_core.stages.state import State, begin
from adaq_core.stages.stop_policy import concluded, limit_reached, stop
from adaq_core.text.entities import names
from adaq_core.text.tokens import fold

_REPAIRS = 3


@dataclass(slots=True)
class _Ledger:
    """The entities known so far and the micro-queries already sent."""

    entities: list[str]
    blocked: set[str] = field(default_factory=set)


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Search once, then repair the set entity by entity; write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    state = begin(question, services, planned)
    ledger = _Ledger([name.text for name in named_things(question)])
    query = Subquery(question, "", "the question itself")
    chosen: list[RankedPassage] = []
    for hop in range(1, min(_REPAIRS + 1, services.settings.max_hops) + 1):
        ledger.blocked.add(normal(query.text))
        hits, results = yield from searched_and_read(state, query, _why(query, hop), hop=hop)
        new = top_ranked(hits, hop=hop, query=query.text)
        if hop == 1:
            chosen = new[: services.settings.k]
        else:
            chosen = _replaced(chosen, new, ledger, services.settings.k)
        rest = [r for r in new if r.passage.passage_id not in {c.passage.passage_id for c in chosen}]
        yield from state.judge(results.findings, [*chosen, *rest], hop=hop)
        _extract(state, ledger, chosen)
        following = _micro_query(state, ledger, chosen)
        decision = _decide(state, following, hop)
        yield Decided(hop, decision)
        if decision.stop or following is None:
            break
        query = following
    yield state.write()


def _why(query: Subquery, hop: int) -> str:
    return "The question is searched" if hop == 1 else f"A micro-query for a missing entity: {query.why}"


def _extract(state: State, ledger: _Ledger, chosen: Sequence[RankedPassage]) -> None:
    """Names in the sentences that support the question join the ledger."""
    kept = {r.passage.passage_id for r in chosen}
    best = sorted(state.findings, key=lambda finding: -finding.score)[:3]
    quoted = (names(finding.quote) for finding in best if finding.passage_id in kept)
    entities = [name.text for each in quoted for name in each if name.kind in ("name", "acronym")]
    ledger.entities = list(as_tuple([*ledger.entities, *entities]))


def _gaps(ledger: _Ledger, chosen: Sequence[RankedPassage]) -> list[str]:
    """Entities that no passage of the set is about: none has them in its title."""
    titles = [{"content": r.passage.title} for r in chosen]
    ranker = EntityFirstRanker()
    return [e for e in ledger.entities if not any(ranker.compute_entity_coverage(t, [e])[0] for t in titles)]


def _micro_query(state: State, ledger: _Ledger, chosen: Sequence[RankedPassage]) -> Subquery | None:
    """The first gap with the words of the question that the evidence does not hold; None when all were tried."""
    evidence = fold(" ".join(r.passage.text for r in chosen))
    residual = " ".join(word for word in content(state.question) if word not in evidence)
    for entity in _gaps(ledger, chosen):
        text = f"{entity} {residual}".strip()
        if normal(text) not in ledger.blocked:
            return Subquery(text, "", entity)
    return None


def _replaced(
    chosen: Sequence[RankedPassage], new: Sequence[RankedPassage], ledger: _Ledger, k: int
) -> list[RankedPassage]:
    """Entity-first replacement over the ledger, at fixed k."""
    known = {r.passage.passage_id for r in chosen}
    fresh = [r for r in new if r.passage.passage_id not in known][:k]
    kept, _ = EntityFirstRanker().replace_chunks(_chunks(chosen), _chunks(fresh), ledger.entities, budget=k)
    taken = {r.passage.passage_id for r in fresh}
    result = [chunk["ranked"] for chunk in kept]
    return [
        replace(r, reason=f"names entities that were missing: {r.reason}") if r.passage.passage_id in taken else r
        for r in result
    ]


def _chunks(ranked: Sequence[RankedPassage]) -> list[dict[str, object]]:
    return [{"title": r.passage.title, "content": r.passage.text, "ranked": r} for r in ranked]


def _decide(state: State, following: Subquery | None, hop: int) -> Decision:
    limit = limit_reached(state.services.meter)
    if limit is not None:
        return limit
    last = hop > _REPAIRS or hop >= state.services.settings.max_hops
    if following is not None and not last:
        return Decision(stop=False, reason=f"No passage is about {following.why}", next_query=following.text)
    otherwise = stop("max_hops" if last else "no_gain", "Every gap was searched for")
    return concluded(state, covered="No entity is missing", otherwise=otherwise)
