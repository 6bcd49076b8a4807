"""What the views of an experiment share: which methods and measure, a chart that answers clicks, copying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.page_data import Summary, default_reference
from adaq_core.evaluation.variants import SUBJECT
from pages._shared.common import backend
from pages._shared.evaluation.words import variant_label

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def places(labels: Sequence[str]) -> dict[str, int]:
    """A colour for each method, the same wherever it is shown; ablations come after the methods."""
    names = list(backend.method_names())
    return {label: place for place, label in enumerate([*names, *(x for x in labels if x not in names)])}


def choose_reference(labels: Sequence[str]) -> str:
    """The method that the others are compared to."""
    return _method("Reference", labels, default_reference(labels), key="e_ref")


def choose_pair(labels: Sequence[str]) -> tuple[str, str]:
    """A method and the one it is compared to."""
    first = SUBJECT if SUBJECT in labels else labels[0]
    method = _method("Method", labels, first, key="e_y")
    return method, _method("Compared to", labels, default_reference(labels), key="e_ref")


def choose_measure(outcomes: Iterable[Outcome], names: Sequence[str]) -> str:
    """One measure out of those that have values."""
    known = {name for outcome in outcomes for name, value in outcome.measures.items() if value is not None}
    options = [name for name in names if name in known] or list(names[:1])
    first = "AllGold@5" if "AllGold@5" in options else options[0]
    chosen = st.selectbox(
        "Measure", options, index=options.index(first), key="e_measure", bind="query-params", width=170
    )
    return chosen or first


def copying(summary: Summary, markdown: str, *, key: str) -> None:
    """The table as Markdown, with the command that makes the numbers again."""
    with st.popover("Copy as Markdown", icon=":material/content_copy:", key=f"e_copy_{key}"):
        st.code(markdown, language="markdown")
        st.caption("Made by")
        st.code(summary.request.as_command(), language="bash", wrap_lines=True)


def chart(figure: Figure, *, key: str, alt: str, on_point: Callable[[Sequence[Any]], None] | None = None) -> None:
    """A figure; `on_point` gets what a clicked mark bears."""

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
