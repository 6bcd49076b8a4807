"""The numbers of the boards as plain values: text, interval, difference and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from adaq_core.evaluation.reporting.measures_table import BY_NAME, Group, shown
from adaq_core.evaluation.reporting.views import Cell, LeaderboardRow
from pages._shared.common.words import count
from pages._shared.evaluation.words import NOT_SIGNIFICANT, against, ranged, variant_label

FIRST_MEASURES = (
    "facts_all_right",
    "answer_contains",
    "short_answer_EM",
    "nugget_recall",
    "citation_recall",
    "null_recognised",
    "AllGold@5",
    "Recall@5",
    "nDCG@5",
    "StRecall@5",
    "set_F1",
    "coverage_auroc",
    "passages_read",
    "ms",
)
# Judged quality, the trust in the system's own estimate, and cost are three things: a band says which is which.
BANDS: dict[Group, tuple[str, str]] = {
    "evidence": ("judged", "Judged against the question set"),
    "set": ("judged", "Judged against the question set"),
    "subtopics": ("judged", "Judged against the question set"),
    "answer": ("judged", "Judged against the question set"),
    "exam": ("judged", "Judged against the question set"),
    "judges": ("judged", "Agreement of the judges"),
    "own estimate": ("own", "Can its own estimate be trusted?"),
    "cost": ("cost", "Cost"),
}


class CellValue(TypedDict):
    """One number as the component draws it; `at`, `low` and `high` in [0, 1] or None."""

    id: str
    text: str
    at: float | None
    low: float | None
    high: float | None
    range: str
    delta: str
    weak: bool
    best: bool
    say: str


class RowValue(TypedDict):
    """One line; `place` picks its method's colour, None when the columns are the methods."""

    name: str
    note: str
    place: int | None
    cells: list[CellValue | None]


class ColumnValue(TypedDict):
    """A column's name and what it means; `kind` and `band` say whose opinion its numbers are.

    `place` picks the colour of a column that is a method.
    """

    name: str
    meaning: str
    kind: str
    band: str
    place: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """All that the component draws."""

    columns: tuple[ColumnValue, ...]
    rows: tuple[RowValue, ...]
    caption: str
    first: str = "Method"


def measures_shown(rows: Sequence[LeaderboardRow], wanted: Sequence[str]) -> tuple[str, ...]:
    """Those of `wanted` that could be computed for any method."""
    known = {cell.measure for row in rows for cell in row.cells if cell.interval.n}
    return tuple(name for name in wanted if name in known)


def leaderboard_board(
    rows: Sequence[LeaderboardRow], measures: Sequence[str], *, reference: str, places: Mapping[str, int]
) -> Board:
    """Methods down, measures across."""
    best = {name: _best(rows, name) for name in measures}
    values = []
    for row in rows:
        cells = {cell.measure: cell for cell in row.cells}
        drawn = [cell_value(row.method, cells[name], best=row.method in best[name]) for name in measures]
        values.append(
            RowValue(
                name=variant_label(row.method),
                note=_note(row, reference=reference),
                place=places.get(row.method, 0),
                cells=list(drawn),
            )
        )
    return Board(tuple(_column(name) for name in measures), tuple(values), "Methods by measures, with 95 % intervals")


def _column(name: str) -> ColumnValue:
    info = BY_NAME[name]
    kind, band = BANDS[info.group]
    better = {"higher": "higher is better", "lower": "lower is better", "neither": "neither is better"}[info.better]
    return ColumnValue(name=name, meaning=f"{info.meaning}; {better}", kind=kind, band=band, place=None)


def cell_value(method: str, cell: Cell, *, best: bool) -> CellValue | None:
    """The number with its interval and difference; None when it could not be computed."""
    mean = cell.interval.mean
    if mean is None:
        return None
    unit = BY_NAME[cell.measure].group != "cost" and 0 <= mean <= 1
    delta = against(cell.measure, cell.difference, cell.verdict)
    span = ranged(cell.measure, cell.interval)
    return CellValue(
        id=f"m|{method}|{cell.measure}",
        text=shown(cell.measure, mean),
        at=mean if unit else None,
        low=cell.interval.ci_low if unit else None,
        high=cell.interval.ci_high if unit else None,
        range=f"{span} · n {cell.interval.n:,}" if span else f"n {cell.interval.n:,}",
        delta=delta,
        weak=delta.endswith(NOT_SIGNIFICANT),
        best=best,
        say=_said(method, cell, span=span, delta=delta),
    )


def _said(method: str, cell: Cell, *, span: str, delta: str) -> str:
    """The number for those who hear it."""
    said = {"better": "significantly better", "worse": "significantly worse"}.get(cell.verdict, "not significant")
    compared = f", {delta.split(' ')[0]} to the reference, {said}" if delta else ""
    interval = f", 95 % interval {span}" if span else ""
    interval += f", {count(cell.interval.n, 'question')}"
    return f"{variant_label(method)}, {cell.measure} {shown(cell.measure, cell.interval.mean)}{interval}{compared}"


def _note(row: LeaderboardRow, *, reference: str) -> str:
    parts = ["reference"] if row.method == reference else []
    parts.append(count(row.n - row.failed, "run"))
    if row.failed:
        parts.append(f"{row.failed:,} failed")
    return " · ".join(parts)


def _best(rows: Sequence[LeaderboardRow], name: str) -> set[str]:
    """The methods that nobody beats in this measure; none when all are equal or more is not better."""
    sign = {"higher": 1, "lower": -1, "neither": 0}[BY_NAME[name].better]
    known = {
        row.method: round(sign * cell.interval.mean, 6)
        for row in rows
        for cell in row.cells
        if cell.measure == name and cell.interval.mean is not None
    }
    if not sign or len(set(known.values())) < 2:
        return set()
    return {method for method, value in known.items() if value == max(known.values())}
