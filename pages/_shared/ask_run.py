"""The Ask page with a run: live while it goes on, then its answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.trace import RunView
from pages._shared import backend
from pages._shared.ask_done import show_done
from pages._shared.ask_empty import show_objection
from pages._shared.ask_start import leave_run
from pages._shared.live_view import show_coverage, show_steps
from pages._shared.meaning import making
from pages._shared.model_notes import show_live_use
from pages._shared.plain import plain
from pages._shared.run_data import covered_phrase
from pages._shared.stored_run import stored_run
from pages._shared.trouble import show_trouble
from pages._shared.words import count

if TYPE_CHECKING:
    from adaq_core.store_rows import RunRow

TICK_SECONDS = 0.4


def show(run_id: str) -> bool:
    """The run with this id, or where to look for it; whether it is over."""
    row = backend.row(run_id)
    if row is None:
        _unknown(run_id)
        return True
    st.subheader(plain(row.question), anchor=False)
    show_objection()
    if row.over:
        stored = stored_run(run_id)
        show_done(row, backend.run_view(row), stored.records if stored else ())
    else:
        _live(run_id)
    return row.over


def _unknown(run_id: str) -> None:
    st.info(
        f"There is no run “{plain(run_id[:40])}” in this store. It may have been deleted, or the link is from another "
        "computer.",
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
