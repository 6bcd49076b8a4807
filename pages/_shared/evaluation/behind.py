"""Boards beside the leaderboard, and which runs a number on the Evaluation page is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from adaq_core.evaluation import Outcome
from adaq_core.evaluation.results import BY_NAME, shown
from adaq_core.evaluation.views import (
    LIMITS,
    LeaderboardCell,
    Pair,
    Reliability,
    Slice,
    SliceBy,
    pairs,
    reliability,
    slice_of,
    stop_quality,
)
from adaq_core.measures.calibration import Bin
from pages._shared.common.text import visible
from pages._shared.common.words import measure_label
from pages._shared.evaluation.cells import (
    BANDS,
    Board,
    CellValue,
    ColumnValue,
    RowValue,
    cell_value,
    ranged,
    variant_label,
)

Stop = Literal["on_time", "late", "gave_up", "ran_out"]


def slices_board(slices: Sequence[Slice], measure: str, *, places: Mapping[str, int]) -> Board:
    """Build the board with groups of questions as rows and methods as columns."""
    methods = sorted(dict.fromkeys(each.method for each in slices), key=lambda method: places.get(method, 0))
    known = {(each.method, each.value): each for each in slices}
    rows = []
    for value in dict.fromkeys(each.value for each in slices):
        here = [known.get((method, value)) for method in methods]
        counts = sorted({each.interval.n for each in here if each})
        note = f"n {counts[0]}" if len(counts) == 1 else f"n {counts[0]}–{counts[-1]}"
        cells = [_slice_cell(each, measure) for each in here]
        rows.append(RowValue(name=visible(value), note=note, place=None, cells=cells))
    kind = BANDS[BY_NAME[measure].group][0]
    columns = (
        ColumnValue(name=variant_label(method), meaning="", kind=kind, band="", place=places.get(method, 0))
        for method in methods
    )
    what = f"{measure_label(measure)} by group of questions, with 95 % intervals"
    return Board(tuple(columns), tuple(rows), what, "Questions")


def bins_board(diagrams: Sequence[Reliability], *, places: Mapping[str, int]) -> Board:
    """Build the board with methods as rows and bins of stated sufficiency as columns: the share that was complete."""
    columns = (
        ColumnValue(name=span_of(each), meaning="", kind="own", band="Stated sufficiency", place=None)
        for each in diagrams[0].bins
    )
    rows = [
        RowValue(
            name=variant_label(each.method),
            note=f"ECE {shown('coverage_ece', each.ece)} · AUROC {shown('coverage_auroc', each.auroc)} · n {each.n:,}",
            place=places.get(each.method, 0),
            cells=[_bin_cell(each.method, number, of_bin) for number, of_bin in enumerate(each.bins)],
        )
        for each in diagrams
    ]
    return Board(tuple(columns), tuple(rows), "Share of runs with all the evidence, by stated sufficiency")


STOPS: dict[Stop, tuple[str, str]] = {
    "on_time": ("All found, stopped right then", "the evidence was complete, and the run ended with that hop"),
    "late": ("All found, went on", "the evidence was complete before the last hop"),
    "gave_up": ("Not all found, stopped by itself", "the method thought it was done"),
    "ran_out": ("Not all found, out of hops or budget", "it would have gone on"),
}


def stops_board(outcomes: Sequence[Outcome], labels: Sequence[str], *, places: Mapping[str, int]) -> Board:
    """Build the board of how many runs of each method stopped on time, late, too early or at a limit."""
    rows = []
    for label in labels:
        ends = Counter(end for outcome in outcomes if outcome.method == label and (end := stop_of(outcome)))
        quality = stop_quality(outcomes, method=label)
        note = "" if quality.mean_hops is None else f"{quality.mean_hops:.2f} hops"
        note += "" if quality.wasted_hops is None else f", {quality.wasted_hops:.2f} wasted"
        cells: list[CellValue | None] = [
            _count_cell(f"q|{label}|{end}", ends[end], ends.total(), words[0]) for end, words in STOPS.items()
        ]
        if ends:
            rows.append(RowValue(name=variant_label(label), note=note, place=places.get(label, 0), cells=cells))
    columns = (
        ColumnValue(name=name, meaning=meaning, kind="judged", band="Judged against the question set", place=None)
        for name, meaning in STOPS.values()
    )
    return Board(tuple(columns), tuple(rows), "How many runs stopped at the right hop")


def stop_of(outcome: Outcome) -> Stop | None:
    """Return how well the run's stop was timed by its judgments; None if they do not tell."""
    if not outcome.hops or outcome.complete is None:
        return None
    first = outcome.first_complete_hop
    if first is not None:
        return "on_time" if first == len(outcome.hops) else "late"
    return "ran_out" if outcome.stop_reason in LIMITS else "gave_up"


def _slice_cell(piece: Slice | None, measure: str) -> CellValue | None:
    cell = cell_value(piece.method, LeaderboardCell(measure, piece.interval), best=False) if piece else None
    if piece is None or cell is None:
        return None
    aloud = f"{variant_label(piece.method)}, {visible(piece.value)}: {cell['text']} over {piece.interval.n} questions"
    span = ranged(measure, piece.interval)
    return {**cell, "id": f"s|{piece.method}|{piece.value}", "range": span, "say": aloud}


def _bin_cell(method: str, number: int, bounds: Bin) -> CellValue | None:
    if not bounds.n or bounds.share_true is None:
        return None
    aloud = f"{variant_label(method)}: {bounds.share_true:.0%} of {bounds.n} runs had all the evidence"
    return _plain_cell(f"b|{method}|{number}", f"{bounds.share_true:.0%}", f"n {bounds.n}", aloud)


def span_of(bounds: Bin) -> str:
    """Return the range of estimates in a bin: 30–40%."""
    return f"{100 * bounds.low:.0f}–{bounds.high:.0%}"


def _count_cell(name: str, number: int, of: int, words: str) -> CellValue:
    """Return the cell for a number of runs, which leads to them unless it is 0."""
    return _plain_cell(
        name if number else "", f"{number:,}", f"{number / max(of, 1):.0%}", f"{words}: {number} of {of} runs"
    )


def _plain_cell(name: str, text: str, below: str, aloud: str) -> CellValue:
    """Return a cell for a number without an interval."""
    return CellValue(
        id=name, text=text, at=None, low=None, high=None, range=below, delta="", weak=False, best=False, say=aloud
    )


Side = Literal["better", "same", "worse"]
SIDES: tuple[Side, ...] = ("better", "same", "worse")
SIDE_WORDS = {"better": "better than", "same": "as with", "worse": "worse than"}


@dataclass(frozen=True, slots=True)
class RunsBehind:
    """The runs that a number on the page was computed from, with a title and the measure to sort them by."""

    title: str
    outcomes: tuple[Outcome, ...]
    measure: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen on the page, as far as it decides which runs a number has."""

    measure: str
    by: SliceBy = "kind"
    reference: str = ""


def behind(name: str, outcomes: Sequence[Outcome], choice: Choice) -> RunsBehind | None:
    """Return the runs behind the number with this id; None if the id matches nothing here."""
    kind, _, rest = name.partition("|")
    label, _, detail = rest.partition("|")
    rows = tuple(outcome for outcome in outcomes if outcome.method == label)
    find = _KINDS.get(kind)
    result = find(rows, detail, choice, outcomes) if find and rows else None
    if result is None or not result[1]:
        return None
    title, chosen, measure = result
    return RunsBehind(f"{variant_label(label)}: {title}", tuple(chosen), measure)


def in_order(behind: RunsBehind) -> list[Outcome]:
    """Return the runs, worst first, those without a value last; ties by question id."""
    sign = -1 if behind.measure and BY_NAME[behind.measure].better == "lower" else 1

    def place(outcome: Outcome) -> tuple[bool, float, str]:
        value = outcome.measures.get(behind.measure) if behind.measure else None
        return value is None, sign * (value or 0.0), outcome.question_id

    return sorted(behind.outcomes, key=place)


def side_of(pair: Pair, measure: str) -> Side:
    """Return whether the method did better, the same or worse than the reference."""
    if pair.outcome == "tie":
        return "same"
    if (pair.outcome == "win") == (BY_NAME[measure].better != "lower"):
        return "better"
    return "worse"


Detail = tuple[str, Sequence[Outcome], str | None] | None
Rows = Sequence[Outcome]


def _of_measure(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    return (measure_label(detail), rows, detail) if detail in BY_NAME else None


def _of_slice(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    inside = [row for row in rows if slice_of(row, choice.by) == detail]
    return f"{measure_label(choice.measure)}, {detail}", inside, choice.measure


def _of_side(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    """Find the wins, ties or losses within a group of questions, grouped as the reference's runs are."""
    side, _, value = detail.partition("~")
    groups = {o.question_id: slice_of(o, choice.by) for o in outcomes if o.method == choice.reference}
    given = pairs(outcomes, x=choice.reference, y=rows[0].method, measure=choice.measure)
    wanted = {p.question_id for p in given if side_of(p, choice.measure) == side and groups[p.question_id] == value}
    inside = [row for row in rows if row.question_id in wanted]
    return (
        f"{measure_label(choice.measure)} {SIDE_WORDS.get(side, side)} {variant_label(choice.reference)}, {value}",
        inside,
        choice.measure,
    )


def _of_hop(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    if not detail.isdigit():
        return None
    return f"runs that made hop {detail}", [row for row in rows if len(row.hops) >= int(detail)], None


def _of_stop(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    titles: dict[str, str] = {end: title for end, (title, _) in STOPS.items()}
    title = titles.get(detail, "")
    stopped = [row for row in rows if stop_of(row) == detail]
    return title.lower(), stopped, None


def _of_bin(rows: Rows, detail: str, choice: Choice, outcomes: Rows) -> Detail:
    result = reliability(rows, method=rows[0].method)
    if result is None or not detail.isdigit() or int(detail) >= len(result.bins):
        return None
    bounds = result.bins[int(detail)]
    inside = [row for row in rows if row.has_all is not None and _within(row.sufficiency, bounds)]
    return f"sufficiency of {bounds.low:.0%} to {bounds.high:.0%} stated", inside, None


def _within(value: float | None, bounds: Bin) -> bool:
    return value is not None and (bounds.low <= value < bounds.high or value == bounds.high == 1.0)


_KINDS = {"m": _of_measure, "s": _of_slice, "w": _of_side, "h": _of_hop, "q": _of_stop, "b": _of_bin}
