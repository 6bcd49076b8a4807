"""What the Evaluation page and the card show of outcomes: plain rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from adaq_core.evaluation import Outcome
from adaq_core.evaluation.results import BY_NAME, by_label, column, estimates, summarise
from adaq_core.measures.calibration import Bin, Interval, auroc, ece, mean_interval, reliability_bins

SliceBy = Literal["kind", "aspects", "gold", "words"]
NO_KIND = "(no type)"
EQUAL_WITHIN = 1e-9
MARKS = {"better": "▲", "worse": "▼"}  # of a difference that is significant
_MOST_PARTS = 6  # of a question, that are told apart in groups


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    """One number of the leaderboard. `verdict` is against the reference: better, worse, not significant, or empty."""

    measure: str
    interval: Interval
    difference: float | None = None
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A method with its cells in the order of the measures asked for; `failed` runs are in no mean."""

    method: str
    cells: tuple[LeaderboardCell, ...]
    n: int
    failed: int


@dataclass(frozen=True, slots=True)
class Pair:
    """One question under two methods."""

    question_id: str
    question: str
    kind: str
    x: float
    y: float
    run_x: str | None
    run_y: str | None

    @property
    def outcome(self) -> Literal["win", "tie", "loss"]:
        """How y stands to x; for measures where more is better."""
        if abs(self.y - self.x) <= EQUAL_WITHIN:
            return "tie"
        return "win" if self.y > self.x else "loss"


@dataclass(frozen=True, slots=True)
class Slice:
    """A method on the questions that have something in common."""

    value: str
    method: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class WinsAndLosses:
    """Wins, ties and losses of a method against the reference within a slice."""

    value: str
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a method's sufficiency can be trusted; `ece` and `auroc` None when they cannot be computed."""

    method: str
    bins: tuple[Bin, ...]
    ece: float | None
    auroc: float | None
    n: int


def methods_of(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """The methods in the order they come."""
    return tuple(dict.fromkeys(outcome.method for outcome in outcomes))


def questions_of(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """The question ids in the order they come."""
    return tuple(dict.fromkeys(outcome.question_id for outcome in outcomes))


def leaderboard(
    outcomes: Sequence[Outcome], measures: Sequence[str], *, reference: str, seed: int = 0
) -> tuple[LeaderboardRow, ...]:
    """One row per method; works on an unfinished experiment too: the intervals then rest on what is done."""
    labels, questions = methods_of(outcomes), questions_of(outcomes)
    if not outcomes:
        return ()
    summary = summarise(
        outcomes,
        questions=questions,
        labels=labels,
        reference=reference if reference in labels else labels[0],
        seed=seed,
    )
    against = {(row["method"], row["measure"]): row for row in summary["comparisons"]}
    return tuple(
        LeaderboardRow(
            label,
            tuple(
                _cell(name, summary["methods"][label]["measures"][name], against.get((label, name)))
                for name in measures
            ),
            n=sum(outcome.method == label for outcome in outcomes),
            failed=sum(outcome.method == label and bool(outcome.error) for outcome in outcomes),
        )
        for label in labels
    )


def pairs(outcomes: Iterable[Outcome], *, x: str, y: str, measure: str) -> tuple[Pair, ...]:
    """The questions on which both methods have the measure, for a scatter plot and for win, tie and loss."""
    rows = list(outcomes)
    table = by_label(rows, questions=questions_of(rows), labels=(x, y))
    return tuple(
        Pair(a.question_id, a.question, a.kind, before, after, a.run_id, b.run_id)
        for a, b in zip(table[x], table[y], strict=True)
        if a
        and b
        and (before := a.measures.get(measure)) is not None
        and (after := b.measures.get(measure)) is not None
    )


def slices(outcomes: Sequence[Outcome], *, measure: str, by: SliceBy) -> tuple[Slice, ...]:
    """The measure of every method on each group of questions, groups in order; one without a value is left out."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.measures.get(measure) is not None:
            groups.setdefault((slice_of(outcome, by), outcome.method), []).append(outcome)
    return tuple(
        Slice(value, method, mean_interval([row.measures[measure] for row in rows]))
        for (value, method), rows in sorted(groups.items())
    )


def slice_of(outcome: Outcome, by: SliceBy) -> str:
    """The group that a question belongs to. `aspects` counts those that the method itself planned."""
    words = len(outcome.question.split())
    named: dict[SliceBy, Callable[[], str]] = {
        "kind": lambda: outcome.kind or NO_KIND,
        "aspects": lambda: _capped(outcome.aspects),
        "gold": lambda: _capped(outcome.gold or outcome.subtopics),
        "words": lambda: "01–10" if words <= 10 else "11–20" if words <= 20 else "21–40" if words <= 40 else "41+",
    }
    return named[by]()


def win_tie_loss(
    outcomes: Sequence[Outcome], *, method: str, reference: str, measure: str, by: SliceBy = "kind"
) -> tuple[WinsAndLosses, ...]:
    """Count by group of questions how often `method` does better, as well and worse than `reference`."""
    groups = {outcome.question_id: slice_of(outcome, by) for outcome in outcomes if outcome.method == reference}
    counts: dict[str, Counter[str]] = {}
    lower_is_better = measure in BY_NAME and BY_NAME[measure].better == "lower"
    x, y = (method, reference) if lower_is_better else (reference, method)
    for pair in pairs(outcomes, x=x, y=y, measure=measure):
        counts.setdefault(groups[pair.question_id], Counter())[pair.outcome] += 1
    ordered = sorted(counts.items())
    return tuple(WinsAndLosses(value, each["win"], each["tie"], each["loss"]) for value, each in ordered)


def reliability(outcomes: Iterable[Outcome], *, method: str) -> Reliability | None:
    """The reliability diagram of a method's sufficiency; None when it states none."""
    rows = [outcome for outcome in outcomes if outcome.method == method]
    estimated, complete, _ = estimates(rows)
    if not len(estimated):
        return None
    stated, came = estimated.tolist(), complete.tolist()
    return Reliability(method, reliability_bins(stated, came), ece(stated, came), auroc(stated, came), len(stated))


def values(outcomes: Sequence[Outcome], *, method: str, measure: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The values of one method that could be computed."""
    rows = [outcome for outcome in outcomes if outcome.method == method]
    return np.array([value for value in column(rows, measure) if value is not None], dtype=float)


def _cell(name: str, known: dict[str, Any], against: dict[str, Any] | None) -> LeaderboardCell:
    interval = Interval(*(known[each] for each in ("mean", "ci_low", "ci_high", "n")))  # some measures hold more
    if against is None:
        return LeaderboardCell(name, interval)
    return LeaderboardCell(name, interval, against["difference"], against["verdict"])


def _capped(count: int) -> str:
    return f"{_MOST_PARTS}+" if count >= _MOST_PARTS else str(count)
