"""Coverage against budget as a step line for each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pages._shared.run.comparison import AXES, Axis, Column, curve

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
# Streamlit puts the theme's chart colours in the place of these, in light and dark.
_THEME_COLOURS = tuple(f"#00000{n}" for n in range(1, 7))


def curve_figure(columns: Sequence[Column], axis: Axis, *, methods: Sequence[str]) -> Figure:
    """One step line per column; a method keeps its colour and dash whichever others are shown."""
    from plotly.graph_objects import Figure, Scatter

    most = max((len(column.view.aspects) for column in columns), default=1)
    figure = Figure()
    for number, column in enumerate(columns):
        xs, ys = curve(column, axis)
        place = methods.index(column.method) if column.method in methods else len(methods)
        width = 2.5 + 1.5 * (len(columns) - 1 - number)  # lines that lie on each other can all be seen
        line = {"shape": "hv", "width": width, "dash": _DASHES[place % 6], "color": _THEME_COLOURS[place % 6]}
        hover = f"{column.label}: %{{y}} of {most} aspects at %{{x}} {AXES[axis].lower()}<extra></extra>"
        figure.add_trace(Scatter(x=xs, y=ys, name=column.label, mode="lines+markers", line=line, hovertemplate=hover))
    figure.update_layout(
        height=300,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": AXES[axis], "rangemode": "tozero", "dtick": 1 if axis == "hops" else None},
        yaxis={"title": "Aspects covered", "range": [0, most + 0.3], "dtick": 1 if most <= 10 else None},
        legend={"orientation": "h", "y": 1.12},
        hovermode="closest",
    )
    return figure


def curve_words(columns: Sequence[Column], axis: Axis) -> str:
    """The chart in words, for those who cannot see it."""
    parts = []
    for column in columns:
        xs, ys = curve(column, axis)
        parts.append(f"{column.label} reaches {ys[-1]} at {xs[-1]:g}")
    return f"Aspects covered against {AXES[axis].lower()}: {'; '.join(parts)}."
