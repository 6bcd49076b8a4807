"""Quality over hops and against cost, and whether a method stopped at the right hop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from adaq_core.evaluation.outcome import HopOutcome, Outcome


@dataclass(frozen=True, slots=True)
class HopPoint:
    """The mean over all questions after this hop; a run that had stopped before keeps its last state.

    `coverage` and `sufficiency` are the method's own opinion; `recall` and `complete` are judged. `running` counts the
    runs that really made this hop.
    """

    method: str
    hop: int
    running: int
    n: int
    passages_read: float
    queries: float
    ms: float
    coverage: float | None
    sufficiency: float | None
    recall: float | None
    complete: float | None


@dataclass(frozen=True, slots=True)
class StopQuality:
    """How the hop at which a method stopped stands to the first hop after which its evidence stayed complete.

    Of the `complete` runs, `on_time` stopped there, the others later, `wasted_hops` in the mean over the complete runs.
    Of the `incomplete` runs, `given_up` stopped by themselves and not because hops or budget ran out.
    """

    method: str
    n: int
    complete: int
    on_time: int
    wasted_hops: float | None
    incomplete: int
    given_up: int
    mean_hops: float | None
    oracle_hops: float | None


LIMITS = frozenset({"max_hops", "budget_tokens", "budget_time", "budget_cost", "user_stop"})


def coverage_at_hop(outcomes: Iterable[Outcome], *, method: str) -> tuple[HopPoint, ...]:
    """One point per hop, up to the longest run."""
    runs = [outcome.hops for outcome in outcomes if outcome.method == method and outcome.hops]
    longest = max((len(hops) for hops in runs), default=0)
    return tuple(_point(method, number, runs) for number in range(1, longest + 1))


def stop_quality(outcomes: Iterable[Outcome], *, method: str) -> StopQuality:
    """Whether it stopped too late or too early, judged by its own evidence hop by hop."""
    runs = [each for each in outcomes if each.method == method and each.hops and each.complete is not None]
    good = [(each, first) for each in runs if (first := each.first_complete_hop) is not None]
    waste = [len(each.hops) - first for each, first in good]
    rest = [each for each in runs if each.first_complete_hop is None]
    return StopQuality(
        method,
        n=len(runs),
        complete=len(good),
        on_time=sum(not late for late in waste),
        wasted_hops=fmean(waste) if waste else None,
        incomplete=len(rest),
        given_up=sum(each.stop_reason not in LIMITS for each in rest),
        mean_hops=fmean(len(each.hops) for each in runs) if runs else None,
        oracle_hops=fmean(first for _, first in good) if good else None,
    )


def _point(method: str, number: int, runs: Sequence[Sequence[HopOutcome]]) -> HopPoint:
    states = [hops[min(number, len(hops)) - 1] for hops in runs]
    return HopPoint(
        method,
        number,
        running=sum(len(hops) >= number for hops in runs),
        n=len(runs),
        passages_read=fmean(state.passages_read for state in states),
        queries=fmean(state.queries for state in states),
        ms=fmean(state.seconds for state in states) * 1000,
        coverage=_mean(states, lambda state: state.coverage),
        sufficiency=_mean(states, lambda state: state.sufficiency),
        recall=_mean(states, lambda state: state.recall),
        complete=_mean(states, lambda state: state.complete),
    )


def _mean(states: Iterable[HopOutcome], value: Callable[[HopOutcome], float | None]) -> float | None:
    known = [each for state in states if (each := value(state)) is not None]
    return fmean(known) if known else None
