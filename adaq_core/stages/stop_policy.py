"""When a run stops, and why, in words: one policy for all methods; and the turn of those that search once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adaq_core.answerability import Estimate, shipped, why_abstained
from adaq_core.answerability.features import EvidenceFeatures
from adaq_core.events import Decided, Event, HopStarted, Noticed, PassagesRetrieved
from adaq_core.matching.statements import says_whether
from adaq_core.model import (
    COVERAGE_THRESHOLD,
    AspectCoverage,
    Decision,
    QueryAspect,
    RankedPassage,
    ScoredPassage,
    StopReason,
    Subquery,
    as_tuple,
)
from adaq_core.ranking import CandidatePool, FilingPool
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.services import BudgetMeter, Services
from adaq_core.stages.state import DEPTH, State, begin

_LIMITS: dict[StopReason, str] = {
    "user_stop": "Stopped by the user",
    "budget_time": "The time budget is used up",
    "budget_tokens": "The token budget is used up",
    "budget_cost": "The cost budget is used up",
}
_ALL_TRIED = "no further query finds anything new"
_NAMED = 3  # names and reasons in one sentence
_SPARED = "other wordings gained next to nothing in earlier runs"


def stop(reason: StopReason, sentence: str) -> Decision:
    """Return a decision to stop."""
    return Decision(stop=True, reason=sentence, stop_reason=reason)


def limit_reached(meter: BudgetMeter) -> Decision | None:
    """Return the stop that a bound of the budget or the user demands; None while there is room."""
    limit = meter.limit()
    return None if limit is None else stop(limit, _LIMITS[limit])


def concluded(state: State, *, covered: str, otherwise: Decision) -> Decision:
    """Return how a method that has done all it does ends: nothing found, all covered, or `otherwise`."""
    if not any(state.coverage.coverage_scores.values()):
        return stop("no_evidence", "No passage speaks to any aspect")
    if state.coverage.get_uncovered_aspects(state.threshold):
        return otherwise
    if state.unchecked:
        return stop("core_covered", f"{covered}; {_unchecked(state.unchecked)}")
    return stop("all_covered", covered)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a decision rests on beside coverage.

    `gains` are the rises of weighted coverage per hop so far; `untried` the open aspects without a query so far;
    `exhausted` means that no query is left that brings anything, or by what earlier runs gained is worth a hop
    (`spared`); `limit` is a bound of the budget; `doubt` a reason to go on whatever is covered: where a name leads.
    `unchecked` are, per covered aspect, conditions that nobody could check on what covers it: with one, not all is
    covered.
    """

    threshold: float = COVERAGE_THRESHOLD
    gains: Sequence[float] = ()
    untried: Collection[str] = ()
    exhausted: bool = False
    spared: bool = False
    limit: StopReason | None = None
    doubt: str = ""
    unchecked: Mapping[str, Sequence[str]] = field(default_factory=dict)


NOTHING_SPECIAL = Standing()


@dataclass(frozen=True, slots=True)
class StopPolicy:
    """Limits and thresholds; the defaults are those of the source documents.

    Below `min_hops` only full coverage, or having nothing left to try, stops a run; at `max_hops` it always stops. A
    covered core stops it from a weighted coverage of `weighted_threshold` on, and `patience` hops in a row that raise
    that by less than `min_gain` stop it when every open core aspect was tried.
    """

    min_hops: int = 3
    max_hops: int = 10
    weighted_threshold: float = 0.7
    min_gain: float = 0.02
    patience: int = 2

    def decide(self, coverage: AspectCoverage, hop: int, now: Standing = NOTHING_SPECIAL) -> Decision:
        """Go on or stop, by the rules in their order."""
        still = coverage.get_uncovered_aspects(now.threshold)
        if now.limit is not None:
            return stop(now.limit, _LIMITS[now.limit])
        if not still and not now.doubt:
            return _whole(coverage, hop, now.unchecked)
        if hop >= self.max_hops:
            return stop("max_hops", f"Reached the maximum of {self.max_hops} hops; {_open(still)}")
        if now.doubt:
            return Decision(stop=False, reason=now.doubt)
        return self._with_open(coverage, hop, still, now)

    def _with_open(self, coverage: AspectCoverage, hop: int, still: Sequence[QueryAspect], now: Standing) -> Decision:
        core = [aspect for aspect in still if aspect.is_core]
        weighted = coverage.get_weighted_coverage()
        enough = not core and weighted >= self.weighted_threshold
        if enough and (now.exhausted or hop >= self.min_hops):
            return stop("core_covered", f"All core aspects covered (weighted coverage: {weighted:.1%})")
        if now.exhausted:
            return _give_up(coverage, _SPARED if now.spared else _ALL_TRIED, still)
        if hop < self.min_hops:
            return Decision(stop=False, reason=f"{_continue(core, still)}; {self.min_hops} hops at least")
        recent = now.gains[-self.patience :]
        if len(recent) == self.patience and max(recent) < self.min_gain and not now.untried:
            return _give_up(coverage, f"the last {self.patience} hops added nothing", still)
        return Decision(stop=False, reason=_continue(core, still))


def _whole(coverage: AspectCoverage, hop: int, unchecked: Mapping[str, Sequence[str]]) -> Decision:
    """Every aspect is covered; with a condition that nobody could check the run does not call itself complete."""
    if unchecked:
        return stop("core_covered", f"{_all_covered(coverage, hop)}, but {_unchecked(unchecked)}")
    return stop("all_covered", _all_covered(coverage, hop))


def _unchecked(left: Mapping[str, Sequence[str]]) -> str:
    """Which conditions could not be checked, each with the aspects of which that is so."""
    texts = as_tuple(text for each in left.values() for text in each)
    reasons = [f"“{text}” could not be checked for {_listed([n for n in left if text in left[n]])}" for text in texts]
    return " and ".join(reasons[:_NAMED])


def _listed(names: Sequence[str]) -> str:
    listed = [f"“{name}”" for name in names[:_NAMED]]
    if len(names) > _NAMED:
        listed.append(f"{len(names) - _NAMED} more")
    return ", ".join(listed)


def _all_covered(coverage: AspectCoverage, hop: int) -> str:
    number = len(coverage.aspects)
    every = {1: "The one aspect is", 2: "Both aspects"}.get(number, f"All {number} aspects")
    how = " by the first search, and no name in its passages leads to more" if hop == 1 else ""
    return f"{every} covered{how} (weighted coverage: {coverage.get_weighted_coverage():.1%})"


def _give_up(coverage: AspectCoverage, why: str, still: Sequence[QueryAspect]) -> Decision:
    if not any(coverage.coverage_scores.values()):
        return stop("no_evidence", f"No passage speaks to any aspect: {why}")
    return stop("no_gain", f"More hops would not help: {why}; {_open(still)}")


def _open(still: Sequence[QueryAspect]) -> str:
    if not still:
        return "every aspect is covered"
    return f"{len(still)} {'aspect is' if len(still) == 1 else 'aspects are'} still open"


def _continue(core: Sequence[QueryAspect], still: Sequence[QueryAspect]) -> str:
    return "Core aspects still uncovered" if core else f"The core is covered, but {_open(still)}"


_OWN_STOPS = ("all_covered", "core_covered", "no_gain", "no_evidence", "max_hops")
_UNSURE = "No aspect is covered for certain, and more hops would not help"


def features_for(state: State, pool: CandidatePool) -> EvidenceFeatures | None:
    """What tells whether a set of evidence is enough, for every ranker; None where live sources add to the corpus."""
    if not state.services.retriever.index.is_stored:
        return None
    return EvidenceFeatures(pool.signals, facts=pool.weighs_facts, filing=isinstance(pool, FilingPool))


def estimated(state: State, signs: EvidenceFeatures, evidence: Sequence[RankedPassage]) -> Estimate:
    """Whether the first k of `evidence` are enough, and whether any could be; taken as given while it is learned."""
    k = state.services.settings.k
    evidence = _different(evidence)
    features = signs.of_set(evidence, state.coverage, k=k)
    if state.services.watch is not None:
        state.services.watch(features)
        return Estimate(1.0, 1.0, limit=0.0)
    lacking = signs.missing(evidence, k=k)
    return shipped().of(features, missing=lacking, unsaid=() if lacking else signs.unsaid())


def _different(evidence: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The passages without copies of earlier ones, which add nothing."""
    return list({each.passage.text: each for each in reversed(evidence)}.values())[::-1]


def abstaining(state: State, decision: Decision) -> Decision:
    """A decision to stop says so when what was found is not enough for an answer; a bound of the budget stays one.

    Nothing is refused that a passage answers in part, unless it asks for a publication that the corpus does not have.
    Where an answer more likely than not lies in the evidence, aspects that no passage covers do not mean that there is
    none.
    """
    estimate = state.estimate
    if decision.stop_reason not in _OWN_STOPS:
        return decision
    if state.unclear:
        return replace(decision, reason=f"{state.unclear} The nearest passages are quoted", stop_reason="no_gain")
    if estimate is None:
        return decision
    covered = len(state.coverage.get_uncovered_aspects(state.threshold)) < len(state.coverage.aspects)
    is_of_it = not estimate.is_of_another or any(says_whether(state.question, each.quote) for each in state.findings)
    answers = estimate.is_answerable or (covered and not estimate.lacks_a_source and is_of_it)
    if not answers:
        return replace(decision, reason=why_abstained(estimate.missing), stop_reason="no_evidence")
    if decision.stop_reason == "no_evidence" and estimate.is_likely:
        return replace(decision, reason=_UNSURE, stop_reason="no_gain")
    return decision


def missing(state: State, decision: Decision) -> tuple[str, ...] | None:
    """What the evidence lacks where the run says that there is no answer; None where it gives one."""
    if decision.stop_reason != "no_evidence" or state.estimate is None:
        return None
    return state.estimate.missing


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
    if hits and hits[0].score > 0:
        best = hits[0].score
    else:
        best = 1.0
    relevance = {hit.passage.passage_id: hit.score / best for hit in hits}
    kept = list(ranked[: state.services.settings.k])
    results = state.read_passages([(r.passage, relevance.get(r.passage.passage_id, 1.0)) for r in kept], hop=1)
    yield results
    yield from state.judge(results.findings, ranked, hop=1)
    yield Decided(1, _decision(state, anything=bool(results.findings)))
    yield state.write()


def _decision(state: State, *, anything: bool) -> Decision:
    limit = limit_reached(state.services.meter)
    if limit is not None:
        return limit
    if not anything:
        return stop("no_evidence", "No passage speaks to any aspect")
    otherwise = stop("max_hops", "One search is all this method makes")
    return concluded(state, covered="One search; every aspect is covered", otherwise=otherwise)
