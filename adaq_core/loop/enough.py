"""Whether what a run found is enough: the signs of its evidence, what they tell, and when an answer is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adaq_core.loop.candidates import Pool
from adaq_core.loop.state import State
from adaq_core.loop.withhold import why_withheld
from adaq_core.model import Decision, RankedPassage
from adaq_core.ranking.estimates import Estimate, shipped
from adaq_core.ranking.pool import EvidencePool
from adaq_core.ranking.question import read_question
from adaq_core.ranking.set_signs import SetSigns
from adaq_core.ranking.signals import Signals
from adaq_core.sources.joined import JoinedIndex

_OWN_STOPS = ("all_covered", "core_covered", "no_gain", "no_evidence", "max_hops")
_UNSURE = "No aspect is covered for certain, and more hops would not help; the nearest passages are quoted"


def signs_for(state: State, pool: Pool) -> SetSigns | None:
    """What tells whether a set of evidence is enough, for every ranker; None where live sources add to the corpus."""
    index = state.tools.retriever.index
    if isinstance(pool, EvidencePool):
        return SetSigns(pool.signals, facts=True)
    if isinstance(index, JoinedIndex):
        return None
    return SetSigns(Signals(index, read_question(index, state.question)), facts=False)


def estimated(state: State, signs: SetSigns, held: Sequence[RankedPassage]) -> Estimate:
    """Whether the first k of `held` are enough, and whether anything could be; taken as given while it is learned."""
    k = state.tools.settings.k
    row = signs.row(held, state.coverage, k=k)
    if state.tools.watch is not None:
        state.tools.watch(row)
        return Estimate(1.0, 1.0, limit=0.0)
    return shipped().of(row, lacking=signs.lacking(held, k=k))


def admitted(state: State, decision: Decision) -> Decision:
    """A decision to stop says so when what was found is not enough for an answer; a bound of the budget stays one.

    Where an answer more likely than not lies in the evidence, aspects that no passage covers do not mean that there is
    none.
    """
    estimate = state.estimate
    if decision.stop_reason not in _OWN_STOPS or estimate is None:
        return decision
    if decision.stop_reason != "no_evidence" and not estimate.is_answerable:
        return replace(decision, reason=why_withheld(estimate.lacking), stop_reason="no_evidence")
    if decision.stop_reason == "no_evidence" and estimate.is_likely:
        return replace(decision, reason=_UNSURE, stop_reason="no_gain")
    return decision


def lacking(state: State, decision: Decision) -> tuple[str, ...] | None:
    """What the evidence lacks where the run says that there is no answer; None where it gives one."""
    if decision.stop_reason != "no_evidence" or state.estimate is None:
        return None
    return state.estimate.lacking
