"""The runs behind a number, in a drawer: each leads to its trace."""

from __future__ import annotations

import streamlit as st

from adaq_core.evaluation.plan import Outcome
from adaq_core.evaluation.results import shown
from pages._shared.common import backend
from pages._shared.common.text import literal, short
from pages._shared.common.words import count, percent
from pages._shared.evaluation.behind import Behind, in_order

PER_PAGE = 12
PARAMETER = "e_of"


def choose(name: str) -> None:
    """Ask for the runs behind the number with this id; it goes into the address."""
    st.query_params[PARAMETER] = name


def show_behind(found: Behind) -> None:
    """Open the drawer."""
    st.dialog(literal(found.title), position="right", width="medium", on_dismiss=_close)(_drawer)(found)


def run_link(outcome: Outcome, label: str) -> None:
    """A link to the trace; plain words when the run is not in this store."""
    if outcome.run_id and backend.row(outcome.run_id):
        st.page_link("trace_explorer.py", label=literal(label), query_params={"run": outcome.run_id})
    else:
        st.markdown(literal(label))


def value_text(outcome: Outcome, measure: str | None) -> str:
    """The run's value: of the measure, else whether its evidence was complete."""
    if outcome.error:
        return "failed"
    if measure and measure in outcome.measures:
        return shown(measure, outcome.measures[measure])
    return {True: "complete", False: "incomplete", None: "–"}[outcome.complete]


def _drawer(found: Behind) -> None:
    rows = in_order(found)
    pages = -(-len(rows) // PER_PAGE)
    st.caption(f"{count(len(rows), 'run')}, the worst first. Each opens in the Trace explorer.")
    page = st.pagination(pages, key="e_runs_page") if pages > 1 else 1
    for outcome in rows[(page - 1) * PER_PAGE : page * PER_PAGE]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{value_text(outcome, found.measure)}**", width=80)
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
