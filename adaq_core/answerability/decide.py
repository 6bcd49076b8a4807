"""Whether what a run found is enough: the signs of its evidence, what they tell, and when an answer is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adaq_core.answerability.abstention import why_withheld
from adaq_core.answerability.features import EvidenceFeatures
from adaq_core.answerability.model import Estimate, shipped
from adaq_core.model import Decision, RankedPassage
from adaq_core.ranking.pools import CandidatePool
from adaq_core.stages.state import State

_OWN_STOPS = ("all_covered", "core_covered", "no_gain", "no_evidence", "max_hops")
_UNSURE = "No aspect is covered for certain, and more hops would not help; the nearest passages are quoted"


def signs_for(state: State, pool: CandidatePool) -> EvidenceFeatures | None:
    """What tells whether a set of evidence is enough, for every ranker; None where live sources add to the corpus."""
    if not state.services.retriever.index.is_stored:
        return None
    return EvidenceFeatures(pool.signals, facts=pool.weighs_facts)


def estimated(state: State, signs: EvidenceFeatures, held: Sequence[RankedPassage]) -> Estimate:
    """Whether the first k of `held` are enough, and whether anything could be; taken as given while it is learned."""
    k = state.services.settings.k
    features = signs.of_set(held, state.coverage, k=k)
    if state.services.watch is not None:
        state.services.watch(features)
        return Estimate(1.0, 1.0, limit=0.0)
    return shipped().of(features, missing=signs.missing(held, k=k))


def admitted(state: State, decision: Decision) -> Decision:
    """A decision to stop says so when what was found is not enough for an answer; a bound of the budget stays one.

    Nothing is refused that a passage answers in part, unless it asks for a publication that the corpus does not have.
    Where an answer more likely than not lies in the evidence, aspects that no passage covers do not mean that there is
    none.
    """
    estimate = state.estimate
    if decision.stop_reason not in _OWN_STOPS or estimate is None:
        return decision
    covered = len(state.coverage.get_uncovered_aspects(state.threshold)) < len(state.coverage.aspects)
    answers = estimate.is_answerable or (covered and not estimate.lacks_a_source)
    if not answers:
        return replace(decision, reason=why_withheld(estimate.missing), stop_reason="no_evidence")
    if decision.stop_reason == "no_evidence" and estimate.is_likely:
        return replace(decision, reason=_UNSURE, stop_reason="no_gain")
    return decision


def lacking(state: State, decision: Decision) -> tuple[str, ...] | None:
    """What the evidence lacks where the run says that there is no answer; None where it gives one."""
    if decision.stop_reason != "no_evidence" or state.estimate is None:
        return None
    return state.estimate.missing
