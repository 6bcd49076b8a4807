"""Which runs a number on the Evaluation page is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.reporting.measures_table import BY_NAME
from adaq_core.evaluation.reporting.views import Pair, SliceBy, pairs, reliability, slice_of
from adaq_core.measures.calibration import Bin
from pages._shared.evaluation.boards import STOPS, stop_of
from pages._shared.evaluation.words import variant_label

Side = Literal["better", "same", "worse"]
SIDES: tuple[Side, ...] = ("better", "same", "worse")
SIDE_WORDS = {"better": "better than", "same": "as with", "worse": "worse than"}


@dataclass(frozen=True, slots=True)
class Behind:
    """What a number is made of: its title, the runs, and the measure that they are ordered by."""

    title: str
    outcomes: tuple[Outcome, ...]
    measure: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen on the page, as far as it decides which runs a number has."""

    measure: str
    by: SliceBy = "kind"
    reference: str = ""


def behind(name: str, outcomes: Sequence[Outcome], choice: Choice) -> Behind | None:
    """The runs that the id speaks of; None when it speaks of nothing that is here."""
    kind, _, rest = name.partition("|")
    label, _, detail = rest.partition("|")
    rows = tuple(outcome for outcome in outcomes if outcome.method == label)
    find = _KINDS.get(kind)
    found = find(rows, detail, choice, outcomes) if find and rows else None
    if found is None or not found[1]:
        return None
    title, chosen, measure = found
    return Behind(f"{variant_label(label)}: {title}", tuple(chosen), measure)


def in_order(found: Behind) -> list[Outcome]:
    """The worst first, those that failed or have no value last; ties by question id."""
    sign = -1 if found.measure and BY_NAME[found.measure].better == "lower" else 1

    def place(outcome: Outcome) -> tuple[bool, float, str]:
        value = outcome.measures.get(found.measure) if found.measure else None
        return value is None, sign * (value or 0.0), outcome.question_id

    return sorted(found.outcomes, key=place)


def side_of(pair: Pair, measure: str) -> Side:
    """Whether the method did better, as well or worse than the one it is compared to."""
    if pair.outcome == "tie":
        return "same"
    return "better" if (pair.outcome == "win") == (BY_NAME[measure].better != "lower") else "worse"


Found = tuple[str, Sequence[Outcome], str | None] | None
Rows = Sequence[Outcome]


def _of_measure(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    return (detail, rows, detail) if detail in BY_NAME else None


def _of_slice(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    inside = [row for row in rows if slice_of(row, choice.by) == detail]
    return f"{choice.measure}, {detail}", inside, choice.measure


def _of_side(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    """Wins, ties or losses within a group of questions, grouped as the reference's runs are."""
    side, _, value = detail.partition("~")
    groups = {o.question_id: slice_of(o, choice.by) for o in outcomes if o.method == choice.reference}
    given = pairs(outcomes, x=choice.reference, y=rows[0].method, measure=choice.measure)
    wanted = {p.question_id for p in given if side_of(p, choice.measure) == side and groups[p.question_id] == value}
    inside = [row for row in rows if row.question_id in wanted]
    return (
        f"{choice.measure} {SIDE_WORDS.get(side, side)} {variant_label(choice.reference)}, {value}",
        inside,
        choice.measure,
    )


def _of_hop(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    if not detail.isdigit():
        return None
    return f"runs that made hop {detail}", [row for row in rows if len(row.hops) >= int(detail)], None


def _of_stop(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    words: dict[str, str] = {end: title for end, (title, _) in STOPS.items()}
    return words.get(detail, "").lower(), [row for row in rows if stop_of(row) == detail], None


def _of_bin(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Found:
    found = reliability(rows, method=rows[0].method)
    if found is None or not detail.isdigit() or int(detail) >= len(found.rows):
        return None
    bounds = found.rows[int(detail)].bin
    inside = [row for row in rows if row.complete is not None and _within(row.sufficiency, bounds)]
    return f"sufficiency of {bounds.low:.0%} to {bounds.high:.0%} stated", inside, None


def _within(value: float | None, bounds: Bin) -> bool:
    return value is not None and (bounds.low <= value < bounds.high or value == bounds.high == 1.0)


_KINDS = {"m": _of_measure, "s": _of_slice, "w": _of_side, "h": _of_hop, "q": _of_stop, "b": _of_bin}
