"""The Plotly figures of the Evaluation page, and each of them in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from adaq_core.evaluation.views import HopPoint, Pair, Reliability, WinsAndLosses
from pages._shared.common.text import visible
from pages._shared.common.words import count, measure_label, percent
from pages._shared.evaluation.cells import variant_label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = (
    *("circle", "square", "diamond", "triangle-up", "cross", "star"),
    *("triangle-down", "pentagon", "hourglass"),
)
# Streamlit puts the theme's chart colours in the place of these, in light and dark: one for each method.
THEME_COLOURS = tuple(f"#00000{n}" for n in range(1, 10))
GROUND = "#000038"  # that of the page: on the chart colours of either theme it can be read
GREY = "#8A94A6"
SLATE = "#64748B"  # white on it can be read in either theme
# The last of several marks at one place lies on top: it is the smallest, so that all are seen.
_MARK = 8
Quantity = Literal["recall", "complete", "coverage", "sufficiency"]
CostAxis = Literal["hop", "passages_read", "queries", "ms"]
QUANTITIES: dict[Quantity, tuple[str, str]] = {
    "complete": ("Judged: all gold found", "Share of questions with all the gold evidence"),
    "recall": ("Judged: gold found", "Share of the gold evidence found"),
    "coverage": ("Own estimate: coverage", "Coverage as the method itself estimates it"),
    "sufficiency": ("Own estimate: sufficiency", "Sufficiency as the method itself estimates it"),
}
OWN: tuple[Quantity, ...] = ("coverage", "sufficiency")
COSTS: dict[CostAxis, str] = {
    "hop": "Hop",
    "passages_read": "Passages read per question",
    "queries": "Queries per question",
    "ms": "Milliseconds per question",
}


@dataclass(frozen=True, slots=True)
class Bubble:
    """The questions at one place of the scatter plot."""

    x: float
    y: float
    pairs: tuple[Pair, ...]


def bubbles(pairs: Sequence[Pair]) -> tuple[Bubble, ...]:
    """Merge questions at the same point of the scatter plot into one bubble, in order of place."""
    at: dict[tuple[float, float], list[Pair]] = {}
    for pair in pairs:
        place = round(pair.x, 2), round(pair.y, 2)
        at.setdefault(place, []).append(pair)
    return tuple(Bubble(x, y, tuple(each)) for (x, y), each in sorted(at.items()))


def colour(label: str, places: Mapping[str, int]) -> str:
    """Return the method's colour, which is the same all over the page."""
    return THEME_COLOURS[places.get(label, 0) % len(THEME_COLOURS)]


def scatter_figure(bubbles: Sequence[Bubble], *, x: str, y: str, measure: str, places: Mapping[str, int]) -> Figure:
    """Draw the scatter plot: above the diagonal `y` is better; a bubble's area is its number of questions."""
    from plotly.graph_objects import Figure, Scatter

    most = max((max(each.x, each.y) for each in bubbles), default=1.0) or 1.0
    largest = max((len(each.pairs) for each in bubbles), default=1)
    figure = Figure()
    figure.add_trace(_diagonal(most))
    sides = [(y, [b for b in bubbles if b.y > b.x], "better"), ("", [b for b in bubbles if b.y == b.x], "same")]
    for label, side, word in (*sides, (x, [b for b in bubbles if b.y < b.x], "worse")):
        figure.add_trace(
            Scatter(
                x=[each.x for each in side],
                y=[each.y for each in side],
                text=[str(len(each.pairs)) if len(each.pairs) > 1 else "" for each in side],
                customdata=[[each.x, each.y] for each in side],
                mode="markers+text",
                name=f"{variant_label(label)} better" if label else "same",
                textposition="middle right",
                hovertemplate="%{y} and %{x}<br>click for the questions<extra></extra>",
                marker={
                    "size": [10 + 24 * (len(each.pairs) / largest) ** 0.5 for each in side],
                    "color": colour(label, places) if label else GREY,
                    "symbol": {"better": "circle", "same": "circle-open", "worse": "square"}[word],
                    "opacity": 0.75,
                },
            )
        )
    _dress(
        figure,
        x=f"{measure_label(measure)}, {variant_label(x)}",
        y=f"{measure_label(measure)}, {variant_label(y)}",
        height=380,
    )
    around = [-0.1 * most, 1.14 * most]
    figure.update_layout(xaxis={"range": around}, yaxis={"range": around})
    return figure


def tally_figure(tallies: Sequence[WinsAndLosses], *, method: str, reference: str, places: Mapping[str, int]) -> Figure:
    """Draw a bar for each group of questions, with better, same and worse from the left."""
    from plotly.graph_objects import Bar, Figure

    figure = Figure()
    parts: list[tuple[str, str, str, list[int]]] = [
        ("better", f"{variant_label(method)} better", colour(method, places), [each.wins for each in tallies]),
        ("same", "same", SLATE, [each.ties for each in tallies]),
        ("worse", f"{variant_label(reference)} better", colour(reference, places), [each.losses for each in tallies]),
    ]
    names = [visible(each.value) for each in tallies]
    for side, name, shade, counts in parts:
        figure.add_trace(
            Bar(
                x=counts,
                y=names,
                name=name,
                orientation="h",
                marker={"color": shade},
                customdata=[[method, f"{side}~{each.value}"] for each in tallies],
                text=[str(n) if n else "" for n in counts],
                textposition="inside",
                insidetextanchor="middle",
                insidetextfont={"color": "#FFFFFF" if side == "same" else GROUND},
                hovertemplate=f"%{{y}}: {name} on %{{x}}<extra></extra>",
            )
        )
    _dress(figure, x="questions", y="", height=90 + 34 * len(tallies))
    longest = max((each.wins + each.ties + each.losses for each in tallies), default=1)
    figure.update_xaxes(tickformat="d", dtick=max(1, round(longest / 10)))  # questions are whole
    figure.update_layout(
        barmode="stack", legend={"traceorder": "normal"}, yaxis={"autorange": "reversed", "type": "category"}
    )
    return figure


def curve_figure(
    curves: Mapping[str, Sequence[HopPoint]], *, quantity: Quantity, axis: CostAxis, places: Mapping[str, int]
) -> Figure:
    """Draw a line per method: full where it is judged, dotted with open marks where it is the method's estimate."""
    from plotly.graph_objects import Figure, Scatter

    own = quantity in OWN
    figure = Figure()
    for number, (label, points) in enumerate(curves.items(), 1):
        known = [point for point in points if getattr(point, quantity) is not None]
        place = places.get(label, 0)
        symbol = SYMBOLS[place % len(SYMBOLS)] + ("-open" if own else "")
        dash = "dot" if own else DASHES[place // len(THEME_COLOURS) % len(DASHES)]
        figure.add_trace(
            Scatter(
                x=[getattr(point, axis) for point in known],
                y=[getattr(point, quantity) for point in known],
                customdata=[[label, point.hop, point.running, point.n] for point in known],
                name=variant_label(label),
                mode="lines+markers",
                line={"dash": dash, "color": colour(label, places), "width": 2},
                marker={"symbol": symbol, "size": _MARK + 3 * (len(curves) - number)},
                hovertemplate=f"{variant_label(label)}, hop %{{customdata[1]}}: %{{y:.3f}} "
                "(%{customdata[2]} of %{customdata[3]} runs made this hop)<extra></extra>",
            )
        )
    _dress(figure, x=COSTS[axis], y=QUANTITIES[quantity][1], height=340)
    figure.update_layout(xaxis={"dtick": 1 if axis == "hop" else None}, yaxis={"range": [0, 1.04]})
    return figure


def reliability_figure(diagrams: Sequence[Reliability], *, places: Mapping[str, int]) -> Figure:
    """Draw stated against true shares: on the diagonal the estimate is right; a mark's area is its runs."""
    from plotly.graph_objects import Figure, Scatter

    figure = Figure()
    figure.add_trace(_diagonal(1.0))
    for each in diagrams:
        rows = [(number, of_bin) for number, of_bin in enumerate(each.bins) if of_bin.n]
        largest = max((bin.n for _, bin in rows), default=1)
        place = places.get(each.method, 0)
        areas = [8 + 16 * (bin.n / largest) ** 0.5 for _, bin in rows]
        figure.add_trace(
            Scatter(
                x=[bin.mean_estimate for _, bin in rows],
                y=[bin.share_true for _, bin in rows],
                customdata=[[each.method, number, bin.n] for number, bin in rows],
                name=variant_label(each.method),
                mode="lines+markers",
                line={"color": colour(each.method, places), "dash": DASHES[place % len(DASHES)], "width": 1.5},
                marker={"symbol": SYMBOLS[place % len(SYMBOLS)], "size": areas},
                hovertemplate="stated %{x:.0%}, had all the evidence %{y:.0%} (%{customdata[2]} runs)<extra></extra>",
            )
        )
    _dress(figure, x="Sufficiency stated", y="Runs that had all the evidence", height=360)
    figure.update_layout(
        xaxis={"range": [-0.03, 1.05], "tickformat": ".0%"}, yaxis={"range": [-0.07, 1.07], "tickformat": ".0%"}
    )
    return figure


def scatter_words(pairs: Sequence[Pair], *, x: str, y: str, measure: str) -> str:
    """Return the scatter plot in words, for those who cannot see it."""
    tally = {name: sum(pair.outcome == name for pair in pairs) for name in ("win", "tie", "loss")}
    return (
        f"{measure_label(measure)} of {count(len(pairs), 'question')}: {variant_label(y)} higher than "
        f"{variant_label(x)} on {tally['win']}, equal on {tally['tie']}, lower on {tally['loss']}."
    )


def tally_words(tallies: Sequence[WinsAndLosses], *, method: str, reference: str) -> str:
    """Return the bars in words."""
    parts = (f"{visible(each.value)} {each.wins}, {each.ties}, {each.losses}" for each in tallies)
    return f"{variant_label(method)} better, same, worse than {variant_label(reference)}: {'; '.join(parts)}."


def curve_words(curves: Mapping[str, Sequence[HopPoint]], *, quantity: Quantity) -> str:
    """Return, in words, where each line begins and ends."""
    parts = []
    for label, points in curves.items():
        known = [value for point in points if (value := getattr(point, quantity)) is not None]
        if known:
            last = f"{percent(known[0])} after hop 1, {percent(known[-1])} after hop {len(known)}"
            parts.append(f"{variant_label(label)} {last}")
    return f"{QUANTITIES[quantity][1].capitalize()}: {'; '.join(parts)}."


def reliability_words(diagrams: Sequence[Reliability]) -> str:
    """Return the reliability diagram in words."""
    parts = (
        f"{variant_label(each.method)} is off by {percent(each.ece)} on average over {count(each.n, 'run')}"
        for each in diagrams
    )
    return f"Stated sufficiency against the share with all the evidence: {'; '.join(parts)}."


def _diagonal(most: float) -> Any:
    from plotly.graph_objects import Scatter

    line = {"color": GREY, "width": 1, "dash": "dot"}
    return Scatter(x=[0, most], y=[0, most], mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _dress(figure: Figure, *, x: str, y: str, height: int) -> None:
    figure.update_layout(
        height=height,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": x},
        yaxis={"title": y},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        showlegend=True,
        hovermode="closest",
        clickmode="event+select",
    )
