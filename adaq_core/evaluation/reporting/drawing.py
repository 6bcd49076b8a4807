"""Charts as PNG (matplotlib) and as one HTML page (plotly, its script inside: nothing is fetched when it opens)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from adaq_core.evaluation.reporting.charts import COLOURS, Chart, Series

PAGE = "plots.html"
WIDTH, HEIGHT, DPI = 9.0, 5.0, 130


def draw(charts: Sequence[Chart], folder: Path, *, title: str) -> tuple[Path, ...]:
    """Write one PNG per chart and one page with all of them; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = tuple(draw_png(chart, folder / f"{chart.name}.png") for chart in charts)
    page = folder / PAGE
    page.write_text(as_page(charts, title=title), encoding="utf-8")
    return (*pictures, page)


def draw_png(chart: Chart, path: Path) -> Path:
    """One picture, drawn without a display."""
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
    """One HTML page; it asks no other host for anything."""
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
    """The chart as a plotly figure, for a page as well."""
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
        figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", name="as stated", line={"color": "#94A3B8", "dash": "dot"})
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
    up = [0 if high is None else high - y for y, high in zip(series.y, series.high, strict=True)]
    down = [0 if low is None else y - low for y, low in zip(series.y, series.low, strict=True)]
    return {"type": "data", "symmetric": False, "array": up, "arrayminus": down, "thickness": 1}


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
