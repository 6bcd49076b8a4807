"""The numbers of the boards as plain values: text, interval, difference and what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from adaq_core.evaluation.measures_table import BY_NAME, Group, shown
from adaq_core.evaluation.views import Cell, LeaderboardRow, Reliability, Slice
from adaq_core.measures.calibration import Bin
from pages._shared.evaluation_words import NOT_SIGNIFICANT, against, ranged, variant_label
from pages._shared.plain import visible

FIRST_MEASURES = (
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
    """One line; `place` picks the method's colour."""

    name: str
    note: str
    place: int
    cells: list[CellValue | None]


class ColumnValue(TypedDict):
    """A column's name and what it means; `kind` and `band` say whose opinion its numbers are."""

    name: str
    meaning: str
    kind: str
    band: str


@dataclass(frozen=True, slots=True)
class Board:
    """All that the component draws."""

    columns: tuple[ColumnValue, ...]
    rows: tuple[RowValue, ...]
    caption: str


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
        drawn = [_cell(row.method, cells[name], best=row.method in best[name]) for name in measures]
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
    return ColumnValue(name=name, meaning=f"{info.meaning}; {better}", kind=kind, band=band)


def _cell(method: str, cell: Cell, *, best: bool) -> CellValue | None:
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
        range=span,
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
    return f"{variant_label(method)}, {cell.measure} {shown(cell.measure, cell.interval.mean)}{interval}{compared}"


def _note(row: LeaderboardRow, *, reference: str) -> str:
    parts = ["reference"] if row.method == reference else []
    parts.append(f"n {row.n - row.failed:,}")
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


def slices_board(found: Sequence[Slice], measure: str, *, places: Mapping[str, int]) -> Board:
    """Methods down, groups of questions across."""
    values = tuple(dict.fromkeys(each.value for each in found))
    known = {(each.method, each.value): each for each in found}
    rows = [
        RowValue(
            name=variant_label(method),
            note="",
            place=places.get(method, 0),
            cells=[_slice_cell(known.get((method, value)), measure) for value in values],
        )
        for method in dict.fromkeys(each.method for each in found)
    ]
    kind = BANDS[BY_NAME[measure].group][0]
    columns = (ColumnValue(name=visible(value), meaning="", kind=kind, band="") for value in values)
    return Board(tuple(columns), tuple(rows), f"{measure} by group of questions, with 95 % intervals and n")


def bins_board(found: Sequence[Reliability], *, places: Mapping[str, int]) -> Board:
    """Methods down, bins of stated sufficiency across: the share that had all the evidence, and how many."""
    bins = found[0].rows
    columns = (
        ColumnValue(name=f"{row.bin.low:.0%}–{row.bin.high:.0%}", meaning="", kind="own", band="Stated sufficiency")
        for row in bins
    )
    rows = [
        RowValue(
            name=variant_label(each.method),
            note=f"ECE {shown('coverage_ece', each.ece)} · AUROC {shown('coverage_auroc', each.auroc)} · n {each.n:,}",
            place=places.get(each.method, 0),
            cells=[_bin_cell(each.method, number, row.bin) for number, row in enumerate(each.rows)],
        )
        for each in found
    ]
    return Board(tuple(columns), tuple(rows), "Share of runs with all the evidence, by stated sufficiency")


def _slice_cell(found: Slice | None, measure: str) -> CellValue | None:
    if found is None or found.interval.mean is None:
        return None
    span = ranged(measure, found.interval)
    cell = _cell(found.method, Cell(measure, found.interval), best=False)
    if cell is None:
        return None
    said = f"{variant_label(found.method)}, {visible(found.value)}: {cell['text']} over {found.interval.n} questions"
    note = f"n {found.interval.n}" + (f" · {span}" if span else "")
    return {**cell, "id": f"s|{found.method}|{found.value}", "range": note, "say": said}


def _bin_cell(method: str, number: int, found: Bin) -> CellValue | None:
    if not found.n or found.share_true is None:
        return None
    said = f"{variant_label(method)}: {found.share_true:.0%} of {found.n} runs had all the evidence"
    return CellValue(
        id=f"b|{method}|{number}",
        text=f"{found.share_true:.0%}",
        at=None,
        low=None,
        high=None,
        range=f"n {found.n}",
        delta="",
        weak=False,
        best=False,
        say=said,
    )
