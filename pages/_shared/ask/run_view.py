"""The Ask page with a run: live while it goes on, then its answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.trace import RunView
from pages._shared.ask.compose import show_question
from pages._shared.ask.done import show_done
from pages._shared.ask.empty import show_objection
from pages._shared.ask.live_view import show_coverage, show_live_use, show_steps
from pages._shared.ask.start import leave_run
from pages._shared.common import backend
from pages._shared.common.backend import stored_run
from pages._shared.common.chrome import show_trouble
from pages._shared.common.meaning import making
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.run.data import covered_phrase

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

TICK_SECONDS = 0.4


def show(run_id: str) -> bool:
    """The run with this id, or where to look for it; whether it is over."""
    row = backend.row(run_id)
    if row is None:
        _unknown(run_id)
        return True
    stored = stored_run(run_id) if row.over else None
    run = stored.run if stored else RunView()
    show_question(row.question, run.aspects, run.planned.lost if run.planned else (), key=f"question_{run_id}")
    show_objection()
    if stored:
        show_done(row, run, stored.records)
    else:
        _live(run_id)
    return row.over


def _unknown(run_id: str) -> None:
    st.info(
        f"There is no run “{literal(run_id[:40])}” in this store. It may have been deleted, or the link is from "
        "another computer.",
        title="Run not found",
        icon=":material/search_off:",
    )
    st.button("Ask a question", icon=":material/forum:", on_click=leave_run)


@st.fragment(run_every=TICK_SECONDS)
def _live(run_id: str) -> None:
    row = backend.row(run_id)
    if row is None or row.over:
        st.rerun()
    stored = stored_run(run_id)
    run = stored.run if stored else RunView()
    _progress(row, run)
    show_live_use(row, stored.records if stored else ())
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_steps(run, open_last=True)
        if not run.hops:
            st.status(_waiting(row, run), state="running", type="step")
    with right:
        st.markdown("**Coverage**")
        show_coverage(run, live=True)


def _progress(row: RunRow, run: RunView) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        since = max(0.0, (datetime.now(UTC) - row.created_at).total_seconds())
        parts = [f"{since:.0f} s", "You can leave this page; the run goes on"]
        if run.aspects:
            parts = [covered_phrase(run), f"{count(run.cost.passages_read, 'passage')} read", *parts]
        st.caption(" · ".join(parts), width="stretch")
        state = backend.runner().state(row.run_id)
        if state is not None and state.cancelling:
            st.caption(":shimmer[Stopping; the answer is written from what was found]", width="content")
        elif st.button("Cancel", icon=":material/stop_circle:", key="ask_cancel_run"):
            _cancel(row.run_id)


def _cancel(run_id: str) -> None:
    try:
        backend.runner().cancel(run_id)
    except AdaqError as error:
        show_trouble(error, retry=False)


def _waiting(row: RunRow, run: RunView) -> str:
    if run.started is None:
        vectors = making(backend.library(), row.corpus)
        return f":shimmer[{vectors or 'Opening the corpus; other runs may go first'}]"
    return ":shimmer[Planning the first hop]" if run.planned else ":shimmer[Finding the aspects of the question]"
