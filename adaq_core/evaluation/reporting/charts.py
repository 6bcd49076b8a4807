"""The figures of an experiment as data: what is drawn, said once, for PNG and HTML alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.reporting.curves import HopPoint, coverage_at_hop
from adaq_core.evaluation.reporting.measures_table import HEADLINE
from adaq_core.evaluation.reporting.views import methods_of, reliability

COLOURS = ("#1D4ED8", "#A16207", "#7C3AED", "#0E7490", "#BE185D", "#475569", "#4D7C0F", "#9A3412", "#0369A1", "#6D28D9")


@dataclass(frozen=True, slots=True)
class Series:
    """A method's marks: `low` and `high` are the ends of the intervals, None where there is none."""

    name: str
    x: tuple[str | float, ...]
    y: tuple[float, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure. `bars` have names on the x axis, `lines` numbers; `diagonal` draws y = x; `note` helps to read it."""

    name: str
    title: str
    kind: Literal["bars", "lines"]
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    note: str = ""
    diagonal: bool = False


def charts(outcomes: Sequence[Outcome], methods: Mapping[str, Any]) -> tuple[Chart, ...]:
    """The figures for which there is something to draw; `methods` is that part of results.json."""
    drawn = (quality(methods), by_cost(outcomes), by_hop(outcomes), own_coverage(outcomes), trust(outcomes))
    return tuple(chart for chart in drawn if any(series.y for series in chart.series))


def quality(methods: Mapping[str, Any]) -> Chart:
    """The headline measures of every method with their intervals."""
    return Chart(
        "quality",
        "Evidence quality by method",
        "bars",
        "",
        "mean over questions",
        tuple(_bars(label, each["measures"]) for label, each in methods.items()),
        "Bars are means over questions, whiskers 95 % bootstrap intervals.",
    )


def by_cost(outcomes: Sequence[Outcome]) -> Chart:
    """Judged completeness against passages read, hop by hop."""
    return Chart(
        "quality_against_cost",
        "Quality against cost",
        "lines",
        "passages read per question (mean)",
        "share of questions with all the evidence",
        _curves(outcomes, x="passages_read", y="complete"),
        "One mark per hop: how much of the questions is complete after it, and what it cost.",
    )


def by_hop(outcomes: Sequence[Outcome]) -> Chart:
    """Judged recall over hops."""
    return Chart(
        "recall_at_hop",
        "Gold evidence found by hop",
        "lines",
        "hop",
        "share of the gold evidence among the first k passages",
        _curves(outcomes, x="hop", y="recall"),
        "Judged. A run that stopped earlier keeps its last state.",
    )


def own_coverage(outcomes: Sequence[Outcome]) -> Chart:
    """The methods' own opinion over hops: kept apart from what is judged."""
    return Chart(
        "coverage_at_hop",
        "Coverage by hop, in the methods' own opinion",
        "lines",
        "hop",
        "share of the planned aspects covered",
        _curves(outcomes, x="hop", y="coverage"),
        "The system's own estimate, not a judgment. A run that stopped earlier keeps its last state.",
    )


def trust(outcomes: Sequence[Outcome]) -> Chart:
    """The reliability diagram of sufficiency."""
    known = [each for label in methods_of(outcomes) if (each := reliability(outcomes, method=label))]
    series = (
        Series(
            f"{each.method} (ECE {each.ece:.3f})",
            tuple(row.bin.mean_estimate for row in each.rows if row.bin.mean_estimate is not None),
            tuple(row.bin.share_true for row in each.rows if row.bin.share_true is not None),
        )
        for each in known
    )
    return Chart(
        "reliability",
        "Can sufficiency be trusted?",
        "lines",
        "sufficiency that the method stated",
        "share of questions that had all the evidence",
        tuple(series),
        "On the diagonal the estimate is right; below it the method is too sure of itself.",
        diagonal=True,
    )


def _bars(label: str, measures: Mapping[str, Any]) -> Series:
    known = [name for name in HEADLINE if measures.get(name, {}).get("mean") is not None]
    return Series(
        label,
        tuple(known),
        tuple(measures[name]["mean"] for name in known),
        tuple(measures[name]["ci_low"] for name in known),
        tuple(measures[name]["ci_high"] for name in known),
    )


def _curves(outcomes: Sequence[Outcome], *, x: str, y: str) -> tuple[Series, ...]:
    found = []
    for label in methods_of(outcomes):
        points: list[HopPoint] = [p for p in coverage_at_hop(outcomes, method=label) if getattr(p, y) is not None]
        found.append(Series(label, tuple(getattr(p, x) for p in points), tuple(getattr(p, y) for p in points)))
    return tuple(found)
