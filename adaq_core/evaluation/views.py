"""What is shown of the outcomes of an experiment: plain rows; charts, said once as data, drawn for PNG and HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from adaq_core.evaluation import HopOutcome, Outcome
from adaq_core.evaluation.results import BY_NAME, HEADLINE, by_label, estimates, summarise
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
        """Return whether y is above, equal to or below x; for measures where more is better."""
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
    """Return the methods in the order they first appear."""
    return tuple(dict.fromkeys(outcome.method for outcome in outcomes))


def questions_of(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Return the question ids in the order they first appear."""
    return tuple(dict.fromkeys(outcome.question_id for outcome in outcomes))


def leaderboard(
    outcomes: Sequence[Outcome], measures: Sequence[str], *, reference: str, seed: int = 0
) -> tuple[LeaderboardRow, ...]:
    """Return one row per method; of an unfinished experiment the intervals rest on what is done."""
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
    """Return the questions on which both methods have the measure, for a scatter plot and win/tie/loss."""
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
    """Return each method's measure on each group of questions, in order; groups without a value are left out."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.measures.get(measure) is not None:
            groups.setdefault((slice_of(outcome, by), outcome.method), []).append(outcome)
    return tuple(
        Slice(value, method, mean_interval([row.measures[measure] for row in rows]))
        for (value, method), rows in sorted(groups.items())
    )


def slice_of(outcome: Outcome, by: SliceBy) -> str:
    """Return the group of a question; `aspects` counts those that the method itself planned."""
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
    """Count, by group of questions, how often `method` does better, as well and worse than `reference`."""
    groups = {outcome.question_id: slice_of(outcome, by) for outcome in outcomes if outcome.method == reference}
    counts: dict[str, Counter[str]] = {}
    lower_is_better = measure in BY_NAME and BY_NAME[measure].better == "lower"
    x, y = (method, reference) if lower_is_better else (reference, method)
    for pair in pairs(outcomes, x=x, y=y, measure=measure):
        counts.setdefault(groups[pair.question_id], Counter())[pair.outcome] += 1
    ordered = sorted(counts.items())
    return tuple(WinsAndLosses(value, each["win"], each["tie"], each["loss"]) for value, each in ordered)


def reliability(outcomes: Iterable[Outcome], *, method: str) -> Reliability | None:
    """Return the reliability diagram of a method's sufficiency; None if it states none."""
    rows = [outcome for outcome in outcomes if outcome.method == method]
    estimated, complete, _ = estimates(rows)
    if not len(estimated):
        return None
    stated, came = estimated.tolist(), complete.tolist()
    return Reliability(method, reliability_bins(stated, came), ece(stated, came), auroc(stated, came), len(stated))


def _cell(name: str, known: dict[str, Any], against: dict[str, Any] | None) -> LeaderboardCell:
    interval = Interval(*(known[each] for each in ("mean", "ci_low", "ci_high", "n")))  # some measures hold more
    if against is None:
        return LeaderboardCell(name, interval)
    return LeaderboardCell(name, interval, against["difference"], against["verdict"])


def _capped(count: int) -> str:
    return f"{_MOST_PARTS}+" if count >= _MOST_PARTS else str(count)


@dataclass(frozen=True, slots=True)
class HopPoint:
    """The mean over all questions after this hop; a run that had stopped before keeps its last state.

    `coverage` and `sufficiency` are the method's own estimate; `recall` and `complete` are judged. `running` counts the
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
    """The hop at which a method stopped, beside the first one after which its evidence stayed complete.

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


LIMITS = frozenset({"max_hops", "budget_tokens", "budget_time", "budget_cost", "user_stop"})


def coverage_at_hop(outcomes: Iterable[Outcome], *, method: str) -> tuple[HopPoint, ...]:
    """Return one point per hop, up to the longest run."""
    runs = [outcome.hops for outcome in outcomes if outcome.method == method and outcome.hops]
    longest = max((len(hops) for hops in runs), default=0)
    return tuple(_point(method, number, runs) for number in range(1, longest + 1))


def stop_quality(outcomes: Iterable[Outcome], *, method: str) -> StopQuality:
    """Return whether the method stopped too late or too early, judged by its own evidence hop by hop."""
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
    """Return the charts that have something to draw; `methods` is that part of results.json."""
    drawn = (quality(methods), by_cost(outcomes), by_hop(outcomes), own_coverage(outcomes), trust(outcomes))
    return tuple(chart for chart in drawn if any(series.y for series in chart.series))


def quality(methods: Mapping[str, Any]) -> Chart:
    """Return the chart of every method's headline measures with intervals."""
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
    """Return the chart of judged completeness against passages read, hop by hop."""
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
    """Return the chart of judged recall over hops."""
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
    """Return the chart of the methods' own estimates over hops, kept apart from what is judged."""
    return Chart(
        "coverage_at_hop",
        "Coverage by hop, as the methods estimate it",
        "lines",
        "hop",
        "share of the planned aspects covered",
        _curves(outcomes, x="hop", y="coverage"),
        "The system's own estimate, not a judgment. A run that stopped earlier keeps its last state.",
    )


def trust(outcomes: Sequence[Outcome]) -> Chart:
    """Return the reliability diagram of sufficiency."""
    known = [each for label in methods_of(outcomes) if (each := reliability(outcomes, method=label))]
    series = (
        Series(
            f"{each.method} (ECE {each.ece:.3f})",
            tuple(of_bin.mean_estimate for of_bin in each.bins if of_bin.mean_estimate is not None),
            tuple(of_bin.share_true for of_bin in each.bins if of_bin.share_true is not None),
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
    collected = []
    for label in methods_of(outcomes):
        points: list[HopPoint] = [p for p in coverage_at_hop(outcomes, method=label) if getattr(p, y) is not None]
        across = tuple(getattr(point, x) for point in points)
        up = tuple(getattr(point, y) for point in points)
        collected.append(Series(label, across, up))
    return tuple(collected)


PAGE = "plots.html"
WIDTH, HEIGHT, DPI = 9.0, 5.0, 130


def draw(charts: Sequence[Chart], folder: Path, *, title: str) -> tuple[Path, ...]:
    """Write one PNG per chart and one page with all of them; return the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = tuple(draw_png(chart, folder / f"{chart.name}.png") for chart in charts)
    page = folder / PAGE
    page.write_text(as_page(charts, title=title), encoding="utf-8")
    return (*pictures, page)


def draw_png(chart: Chart, path: Path) -> Path:
    """Draw one chart as PNG, without a display."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, layout="constrained")
    axes = figure.subplots()
    axes.set_title(chart.title, loc="left", fontweight="bold")
    axes.set_xlabel("\n".join(filter(None, (chart.x_label, chart.note))), fontsize=9)
    axes.set_ylabel(chart.y_label)
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", color="#E2E8F0")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _png_bars(axes, chart) if chart.kind == "bars" else _png_lines(axes, chart)
    figure.legend(loc="outside lower center", frameon=False, fontsize=8, ncols=6)
    figure.savefig(path, format="png")
    return path


def as_page(charts: Sequence[Chart], *, title: str) -> str:
    """Return one HTML page, which loads nothing from elsewhere."""
    from plotly.offline import get_plotlyjs

    parts = "\n".join(
        f"<section><h2>{escape(chart.title)}</h2><p>{escape(chart.note)}</p>{_plotly(chart)}</section>"
        for chart in charts
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        "<style>body{font:15px system-ui,sans-serif;max-width:1000px;margin:2rem auto;padding:0 1rem;color:#0F172A}"
        f"p{{color:#475569}}</style><script>{get_plotlyjs()}</script></head>"
        f"<body><h1>{escape(title)}</h1>{parts}</body></html>\n"
    )


def figure_of(chart: Chart) -> Any:
    """Return the chart as a plotly figure."""
    import plotly.graph_objects as go

    figure = go.Figure()
    for number, series in enumerate(chart.series):
        colour = COLOURS[number % len(COLOURS)]
        common: dict[str, Any] = {"name": series.name, "x": series.x, "y": series.y}
        if chart.kind == "bars":
            figure.add_bar(**common, marker_color=colour, error_y=_whiskers(series))
        else:
            figure.add_scatter(**common, mode="lines+markers", line={"color": colour})
    if chart.diagonal:
        dotted = {"color": "#94A3B8", "dash": "dot"}
        figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", name="as stated", line=dotted)
    figure.update_layout(
        template="plotly_white",
        barmode="group",
        height=460,
        margin={"t": 20, "r": 20},
        legend={"orientation": "h", "y": -0.2},
    )
    figure.update_xaxes(title=chart.x_label)
    figure.update_yaxes(title=chart.y_label, range=[0, 1.02])
    return figure


def _plotly(chart: Chart) -> str:
    return str(figure_of(chart).to_html(full_html=False, include_plotlyjs=False, div_id=f"chart-{chart.name}"))


def _whiskers(series: Series) -> dict[str, Any]:
    up = _lengths(series.y, series.high)
    down = _lengths(series.y, series.low)
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1}


def _lengths(values: Sequence[float], ends: Sequence[float | None]) -> list[float]:
    """Return how far each value is from its end of the interval; 0 where it has none."""
    return [0 if end is None else abs(end - value) for value, end in zip(values, ends, strict=True)]


def _png_bars(axes: Any, chart: Chart) -> None:
    names = list(dict.fromkeys(name for series in chart.series for name in series.x))
    width = 0.84 / max(1, len(chart.series))
    for number, series in enumerate(chart.series):
        offset = (number - (len(chart.series) - 1) / 2) * width
        whiskers = _whiskers(series)
        axes.bar(
            [names.index(name) + offset for name in series.x],
            series.y,
            width,
            label=series.name,
            color=COLOURS[number % len(COLOURS)],
            yerr=[whiskers["arrayminus"], whiskers["array"]],
            error_kw={"elinewidth": 0.8, "ecolor": "#0F172A"},
        )
    axes.set_xticks(range(len(names)), names, fontsize=8)


def _png_lines(axes: Any, chart: Chart) -> None:
    if chart.diagonal:
        axes.plot([0, 1], [0, 1], linestyle=":", color="#94A3B8", label="as stated")
    for number, series in enumerate(chart.series):
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(series.x, series.y, marker="o", markersize=4, color=colour, label=series.name)
