"""The words of the Evaluation page, and the numbers of its boards as plain values."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from adaq_core.evaluation import Progress, duration
from adaq_core.evaluation.results import BY_NAME, Group, shown
from adaq_core.evaluation.views import MARKS, LeaderboardCell, LeaderboardRow
from pages._shared.common.words import count, listed, measure_label, method_label, signed

if TYPE_CHECKING:
    from adaq_core.evaluation.request import CostEstimate, State, Summary
    from adaq_core.measures.calibration import Interval

STATES: dict[State, tuple[str, Literal["blue", "gray", "orange", "red"]]] = {
    "running": ("running", "blue"),
    "elsewhere": ("running in another window or terminal", "blue"),
    "finished": ("finished", "gray"),
    "cancelled": ("stopped", "orange"),
    "failed": ("failed", "red"),
    "interrupted": ("interrupted", "orange"),
}
PHASES = {
    "indexing": "Indexing the documents and starting the workers",
    "embedding": "Preparing search by meaning, which happens once",
    "running": "Running",
    "writing": "Writing the results",
    "finished": "Finished",
    "cancelled": "Stopped",
    "failed": "Failed",
}
NOT_SIGNIFICANT = "n.s."


def headline_measure(known: Container[str]) -> str | None:
    """Return the measure that says most about what a reader gets, the answer's where there is one; None for none."""
    return next((name for name in FIRST_MEASURES if name in known), None)


def variant_label(label: str) -> str:
    """Return the display name of a method or of an ablation of it."""
    method, _, change = label.partition("--")
    words = change.replace("_", " ")
    if words.startswith("no-"):
        words = f"without {words.removeprefix('no-')}"
    return f"{method_label(method)}{', ' if words else ''}{words}"


def ranged(measure: str, interval: Interval) -> str:
    """Return the 95 % interval as text; "" for one question, or if all questions have the same value."""
    if interval.ci_low is None or interval.ci_high is None or interval.n < 2:
        return ""
    low, high = shown(measure, interval.ci_low), shown(measure, interval.ci_high)
    return "" if low == high else f"{low}–{high}"


def against(measure: str, difference: float | None, verdict: str) -> str:
    """Return the signed difference to the reference and whether it is significant, in words and not only in colour."""
    if difference is None:
        return ""
    digits = BY_NAME[measure].digits if measure in BY_NAME else 3
    return f"{signed(difference, digits=digits)} {MARKS.get(verdict, NOT_SIGNIFICANT)}"


def title_of(summary: Summary) -> str:
    """Return the name of the experiment."""
    split = summary.request.split
    return Path(summary.request.dataset).name + ("" if split == "dev" else f" ({split})")


def terms(summary: Summary, labels: Sequence[str]) -> str:
    """Return the experiment's conditions: questions, k, methods, model."""
    request = summary.request
    names = ", ".join(variant_label(label) for label in labels) or "all methods"
    return f"{_asked(summary)} · k = {request.k} · {names} · {request.model or 'no model'}"


def _asked(summary: Summary) -> str:
    """Return how many questions are asked, and whether they are a sample; a set below the limit is asked whole."""
    limit, done = summary.request.limit, _questions(summary)
    if limit is None or (done is not None and done < limit):
        return f"all {count(done, 'question')}" if done else "all questions"
    many = count(done, "question") if done else f"at most {count(limit, 'question')}"
    return f"{many}, drawn with seed {summary.request.seed}"


def _questions(summary: Summary) -> int | None:
    """Return how many questions there are: as the results say, before there are any by the runs to be made."""
    if summary.results:
        return int(summary.results["n_questions"])
    questions, odd = divmod(summary.progress.total if summary.progress else 0, summary.request.runs_a_question)
    return questions if questions and not odd else None


def progress_line(progress: Progress) -> str:
    """Return the progress of an experiment as one line."""
    if progress.phase != "running":
        message = progress.message.removesuffix(" have their vectors")
        return PHASES[progress.phase] + (f": {message}" if message else "")
    share = progress.done / progress.total if progress.total else 1.0
    parts = [
        f"{progress.done:,} of {count(progress.total, 'run')}",
        f"{share:.0%}",
        f"{duration(progress.seconds)} so far",
    ]
    if progress.eta is not None:
        parts.append(f"about {duration(progress.eta)} left")
    if progress.reused:
        parts.append(f"{progress.reused:,} done earlier")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    return " · ".join(parts)


def working_line(progress: Progress | None) -> str:
    """Return the progress of a running experiment; one just resumed still has its old, final progress."""
    if progress is None:
        return "Reading the questions"
    if progress.phase not in ("finished", "cancelled", "failed"):
        return progress_line(progress)
    return f"Resuming from {progress.done:,} of {count(progress.total, 'run')}" if progress.done else "Starting"


def stopping_line(progress: Progress | None) -> str:
    """Return what happens after Stop was pressed."""
    if progress is None or progress.phase != "running":
        return "Stopping after the current step"
    return "Stopping after the current runs; they are kept"


def runs_done(progress: Progress) -> str:
    """Return how far an experiment came that is over."""
    return f"{progress.done:,} of {count(progress.total, 'run')} are done" if progress.total else "Nothing is done yet"


def estimate_line(estimate: CostEstimate, *, questions: int, model: str = "") -> str:
    """Return how many runs there are to make and how long they take, or why that is not known."""
    runs = f"{count(questions, 'question')} make {count(estimate.runs, 'run')}"
    if estimate.seconds is None:
        names = listed([variant_label(name) for name in estimate.unknown])
        with_model = f" with {model}" if model else ""
        return f"{runs}. How long that takes is not known yet: no experiment here has run {names}{with_model}."
    basis = "" if estimate.same_set else ", going by runs on other question sets"
    return f"{runs}, about {duration(max(1.0, estimate.seconds))}{basis}; indexing is extra, once."


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
# Beside the estimate and the cost a window of 1280 pixels has room for six.
_MOST_JUDGED = 6
# How a part of a measure's name is written in the field; a name with an @ is written as `ir_measures` spells it.
# Judged quality, the trust in the system's own estimate, and cost are three things: a band says which is which.
BANDS: dict[Group, tuple[str, str]] = {
    "evidence": ("judged", "Judged against the question set"),
    "set": ("judged", "Judged against the question set"),
    "subtopics": ("judged", "Judged against the question set"),
    "answer": ("judged", "Judged against the question set"),
    "exam": ("judged", "Judged against the question set"),
    "judges": ("judged", "Agreement of the judges"),
    "own estimate": ("own", "Own estimate, checked"),
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


def overview(shown: Sequence[str]) -> tuple[str, ...]:
    """Return the measures of the first view: six that are judged at most; the other views have the rest."""
    judged = [name for name in shown if BANDS[BY_NAME[name].group][0] == "judged"]
    left_out = set(judged[_MOST_JUDGED:])
    return tuple(name for name in shown if name not in left_out)


def measures_shown(rows: Sequence[LeaderboardRow], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return those of `wanted` that some method has; the costs of a model only if one was asked."""
    cells = [cell for row in rows for cell in row.cells if cell.interval.n]
    asked = any(cell.measure == "model_calls" and cell.interval.mean for cell in cells)
    known = {cell.measure for cell in cells} - (set() if asked else _OF_A_MODEL)
    return tuple(name for name in wanted if name in known)


_OF_A_MODEL = {"model_calls", "tokens", "usd"}


def leaderboard_board(
    rows: Sequence[LeaderboardRow], measures: Sequence[str], *, reference: str, places: Mapping[str, int]
) -> Board:
    """Build the board with methods as rows and measures as columns."""
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
    return ColumnValue(
        name=measure_label(name), meaning=f"{name}: {info.meaning}; {better}", kind=kind, band=band, place=None
    )


def cell_value(method: str, cell: LeaderboardCell, *, best: bool) -> CellValue | None:
    """Return the cell with its number, interval and difference; None if it could not be computed."""
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
        say=_aloud(method, cell, span=span, delta=delta),
    )


def _aloud(method: str, cell: LeaderboardCell, *, span: str, delta: str) -> str:
    """Return the cell as a screen reader says it."""
    verdict = {"better": "significantly better", "worse": "significantly worse"}.get(cell.verdict, "not significant")
    compared = f", {delta.split(' ')[0]} against the reference, {verdict}" if delta else ""
    interval = f", 95 % interval {span}" if span else ""
    interval += f", {count(cell.interval.n, 'question')}"
    value = f"{measure_label(cell.measure)} {shown(cell.measure, cell.interval.mean)}"
    return f"{variant_label(method)}, {value}{interval}{compared}"


def _note(row: LeaderboardRow, *, reference: str) -> str:
    parts = ["reference"] if row.method == reference else []
    parts.append(count(row.n - row.failed, "run"))
    if row.failed:
        parts.append(f"{row.failed:,} failed")
    return " · ".join(parts)


def _best(rows: Sequence[LeaderboardRow], name: str) -> set[str]:
    """Return the methods with the best value; none if all are equal, or the measure has no better side."""
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
