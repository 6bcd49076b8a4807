"""Evaluation in words: labels of variants, numbers with their intervals, what a state means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from adaq_core.evaluation.plan import Progress, duration
from adaq_core.evaluation.results import BY_NAME, shown
from pages._shared.common.words import count, method_label, signed

if TYPE_CHECKING:
    from adaq_core.evaluation.page_data import Estimate, State, Summary
    from adaq_core.measures.calibration import Interval

STATES: dict[State, tuple[str, Literal["blue", "gray", "orange", "red"]]] = {
    "running": ("running", "blue"),
    "elsewhere": ("running in another window or terminal", "blue"),
    "finished": ("finished", "gray"),
    "cancelled": ("stopped", "orange"),
    "failed": ("failed", "red"),
    "interrupted": ("broken off", "orange"),
}
PHASES = {
    "indexing": "Getting ready: the index of the corpus and the workers",
    "embedding": "Making the vectors of the passages; these are kept",
    "running": "Running",
    "writing": "Writing the results",
    "finished": "Finished",
    "cancelled": "Stopped",
    "failed": "Failed",
}
MARKS = {"better": "▲", "worse": "▼"}
NOT_SIGNIFICANT = "n.s."


def variant_label(label: str) -> str:
    """What people call a method or an ablation of it."""
    method, _, change = label.partition("--")
    words = change.replace("_", " ")
    if words.startswith("no-"):
        words = f"without {words.removeprefix('no-')}"
    return f"{method_label(method)}{', ' if words else ''}{words}"


def ranged(measure: str, interval: Interval) -> str:
    """The 95 % interval; empty where there is none."""
    if interval.ci_low is None or interval.ci_high is None:
        return ""
    return f"{shown(measure, interval.ci_low)}–{shown(measure, interval.ci_high)}"


def against(measure: str, difference: float | None, verdict: str) -> str:
    """The signed difference to the reference and whether it counts: by words, never by colour alone."""
    if difference is None:
        return ""
    digits = BY_NAME[measure].digits if measure in BY_NAME else 3
    return f"{signed(difference, digits=digits)} {MARKS.get(verdict, NOT_SIGNIFICANT)}"


def title_of(summary: Summary) -> str:
    """What the experiment is called."""
    split = summary.request.split
    return Path(summary.request.dataset).name + ("" if split == "dev" else f" ({split})")


def terms(summary: Summary, labels: Sequence[str]) -> str:
    """Under which conditions: questions, k, methods, model."""
    request = summary.request
    of = summary.results["n_questions"] if summary.results else request.limit
    asked = f"{count(of, 'question')}" if of else "all questions"
    if request.limit:
        asked += f", drawn with seed {request.seed}"
    names = ", ".join(variant_label(label) for label in labels) or "all methods"
    return f"{asked} · k = {request.k} · {names} · {request.model or 'no model'}"


def progress_line(progress: Progress) -> str:
    """Numbers for the one who waits."""
    if progress.phase != "running":
        return PHASES[progress.phase] + (f": {progress.message}" if progress.message else "")
    share = progress.done / progress.total if progress.total else 1.0
    parts = [
        f"{progress.done:,} of {count(progress.total, 'run')}",
        f"{share:.0%}",
        f"{duration(progress.seconds)} so far",
    ]
    if progress.eta is not None:
        parts.append(f"about {duration(progress.eta)} left")
    if progress.reused:
        parts.append(f"{progress.reused:,} were there before")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    return " · ".join(parts)


def estimate_line(estimate: Estimate, *, questions: int) -> str:
    """How much there is to do and how long it will take, or why nobody can say."""
    runs = f"{count(questions, 'question')} make {count(estimate.runs, 'run')}"
    if estimate.seconds is None:
        names = ", ".join(variant_label(name) for name in estimate.unknown)
        return f"{runs}. How long that takes is not known yet: {names} never ran in an experiment here."
    basis = "" if estimate.same_set else ", going by runs on other question sets"
    return f"{runs}, about {duration(max(1.0, estimate.seconds))}{basis}; indexing comes once on top."
