"""Going on with a run that is over: what holds of it, and what is granted or asked beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adaq_core.errors import InputError
from adaq_core.events import AspectsPlanned, Decided, Event, Record, WordingsLearned, of_kind
from adaq_core.model import Budget, Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.store.rows import RunRow

_LIMITS = ("max_hops", "budget_tokens", "budget_time", "budget_cost")
_NOT_A_VERDICT = ("user_stop", *_LIMITS)


def same_again(row: RunRow, records: Sequence[Record]) -> RunSpec:
    """Go on as before; the limit that ended the run, if one did, is granted once more.

    Raises:
        InputError: the run ended because nothing was left to do.
    """
    if row.status == "finished" and row.stop_reason not in _LIMITS:
        raise InputError(
            f"Run {row.run_id} is finished ({row.reason}); there is nothing to resume. Search one of its aspects, or "
            "ask again."
        )
    events = [record.event for record in records]
    settings = _longer(row.settings) if row.stop_reason == "max_hops" else row.settings
    return replace(_spec_of(row, events), settings=settings, past=complete_hops(events, keep_verdict=True))


def one_more_hop(row: RunRow, records: Sequence[Record], aspect: str) -> RunSpec:
    """Go on with one hop more than there were, aimed at `aspect`; a run makes that after it would have stopped.

    Raises:
        InputError: the run has no such aspect.
    """
    events = [record.event for record in records]
    planned = [one.aspect for event in of_kind(events, AspectsPlanned) for one in event.aspects]
    if aspect not in planned:
        raise InputError(
            f"Run {row.run_id} has no aspect {aspect!r}; it has {', '.join(map(repr, planned)) or 'none'}."
        )
    return replace(_spec_of(row, events), extra=(aspect,), past=complete_hops(events, keep_verdict=False))


def _spec_of(row: RunRow, events: Sequence[Event]) -> RunSpec:
    """What the run was asked, with a larger budget where that ended it."""
    return RunSpec(
        row.method,
        row.question,
        settings=row.settings,
        budget=_larger(row.budget) if row.stop_reason in _LIMITS else row.budget,
        aspects=row.given_aspects,
        learned=next(of_kind(events, WordingsLearned), None),
    )


def complete_hops(events: Sequence[Event], *, keep_verdict: bool) -> tuple[Event, ...]:
    """The events up to the last decision; without that decision where it would be another one now.

    It would be when the user or a limit stopped the run, and with `keep_verdict=False` whenever it was to stop.
    """
    last = max((i for i, event in enumerate(events) if isinstance(event, Decided)), default=-1)
    if last < 0:
        return ()
    decided = events[last]
    assert isinstance(decided, Decided)
    verdict = decided.decision
    holds = not verdict.stop or (keep_verdict and verdict.stop_reason not in _NOT_A_VERDICT)
    return tuple(events[: last + holds])


def _longer(settings: Settings) -> Settings:
    return replace(settings, max_hops=2 * settings.max_hops)


def _larger(budget: Budget) -> Budget:
    return Budget(
        max_tokens=budget.max_tokens and 2 * budget.max_tokens,
        max_seconds=budget.max_seconds and 2 * budget.max_seconds,
        max_usd=budget.max_usd and 2 * budget.max_usd,
        max_calls=budget.max_calls and 2 * budget.max_calls,
    )
