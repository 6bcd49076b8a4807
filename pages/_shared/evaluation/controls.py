"""What the views of an experiment share: methods and measure, a chart that answers clicks, the runs behind a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from adaq_core.evaluation import Outcome
from adaq_core.evaluation.request import Summary, default_reference
from adaq_core.evaluation.results import shown
from adaq_core.evaluation.variants import SUBJECT
from pages._shared.common import backend
from pages._shared.common.chrome import in_theme, with_readable_axes
from pages._shared.common.text import literal, short
from pages._shared.common.words import count, measure_label, percent
from pages._shared.evaluation.behind import RunsBehind, in_order
from pages._shared.evaluation.cells import headline_measure, variant_label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def places(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of each method's colour, the same on every page; ablations come after the methods."""
    names = list(backend.method_names())
    return {label: place for place, label in enumerate([*names, *(x for x in labels if x not in names)])}


def choose_reference(labels: Sequence[str]) -> str:
    """Let the user choose the method that the others are compared to."""
    return _method("Reference", labels, default_reference(labels), key="e_ref")


def choose_pair(labels: Sequence[str]) -> tuple[str, str]:
    """Let the user choose a method and the one it is compared to."""
    first = SUBJECT if SUBJECT in labels else labels[0]
    method = _method("Method", labels, first, key="e_y")
    return method, _method("Compared to", labels, default_reference(labels), key="e_ref")


def choose_measure(outcomes: Iterable[Outcome], names: Sequence[str]) -> str:
    """Let the user choose one of the measures that have values."""
    known = {name for outcome in outcomes for name, value in outcome.measures.items() if value is not None}
    options = [name for name in names if name in known] or list(names[:1])
    first = headline_measure(options) or options[0]
    chosen = st.selectbox(
        "Measure",
        options,
        index=options.index(first),
        format_func=measure_label,
        key="e_measure",
        bind="query-params",
        width=190,
    )
    return chosen or first


def copying(summary: Summary, markdown: str, *, key: str) -> None:
    """Offer the table as Markdown, with the command that reproduces its numbers."""
    with st.popover("Copy as Markdown", icon=":material/content_copy:", key=f"e_copy_{key}"):
        st.code(markdown, language="markdown")
        st.caption("Command that reproduces it")
        st.code(summary.request.as_command(), language="bash", wrap_lines=True)


def chart(figure: Figure, *, key: str, alt: str, on_point: Callable[[Sequence[Any]], None] | None = None) -> None:
    """Draw a figure; `on_point` gets the data of a clicked mark."""
    key, figure = in_theme(key), with_readable_axes(figure)

    def clicked() -> None:
        points = st.session_state[key].selection.points
        if points and points[0].get("customdata") and on_point:
            on_point(points[0]["customdata"])

    if on_point is None:
        st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)
    else:
        st.plotly_chart(
            figure,
            key=key,
            config={"displayModeBar": False},
            alt=alt,
            on_select=clicked,
            selection_mode="points",
        )


def _method(label: str, labels: Sequence[str], first: str, *, key: str) -> str:
    return (
        st.selectbox(
            label,
            labels,
            index=list(labels).index(first),
            format_func=variant_label,
            key=key,
            bind="query-params",
            width=170,
        )
        or first
    )


PER_PAGE = 12
PARAMETER = "e_of"


def choose(name: str) -> None:
    """Put the id of a number into the address, so that the runs behind it are shown."""
    st.query_params[PARAMETER] = name


def show_behind(behind: RunsBehind) -> None:
    """Open the drawer with the runs behind a number."""
    st.dialog(literal(behind.title), position="right", width="medium", on_dismiss=_close)(_drawer)(behind)


def run_link(outcome: Outcome, label: str) -> None:
    """Return a link to the run's trace; plain words if the run is not in this store."""
    if outcome.run_id and backend.row(outcome.run_id):
        st.page_link("trace_explorer.py", label=literal(label), query_params={"run": outcome.run_id})
    else:
        st.markdown(literal(label))


def value_text(outcome: Outcome, measure: str | None) -> str:
    """Return the run's value of the measure; without one, whether its evidence was complete."""
    if outcome.error:
        return "failed"
    if measure and measure in outcome.measures:
        return shown(measure, outcome.measures[measure])
    return {True: "complete", False: "incomplete", None: "–"}[outcome.complete]


def _drawer(behind: RunsBehind) -> None:
    rows = in_order(behind)
    pages = -(-len(rows) // PER_PAGE)
    st.caption(f"{count(len(rows), 'run')}, the worst first. Each opens in the Trace explorer.")
    page = st.pagination(pages, key="e_runs_page") if pages > 1 else 1
    for outcome in rows[(page - 1) * PER_PAGE : page * PER_PAGE]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{value_text(outcome, behind.measure)}**", width=80)
            with st.container(gap=None):
                run_link(outcome, short(outcome.question, 90))
                st.caption(literal(outcome.error.splitlines()[0]) if outcome.error else _caption(outcome))


def _caption(outcome: Outcome) -> str:
    parts = [count(len(outcome.hops), "hop"), f"all gold: {_yes(outcome.complete)}"]
    if outcome.sufficiency is not None:
        parts.append(f"own estimate: sufficient {percent(outcome.sufficiency)}")
    elif outcome.coverage is not None:
        parts.append(f"own estimate: covered {percent(outcome.coverage)}")
    return " · ".join(parts)


def _yes(value: bool | None) -> str:
    return "not judged" if value is None else "yes" if value else "no"


def _close() -> None:
    st.query_params.pop(PARAMETER, None)
