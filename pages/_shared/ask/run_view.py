"""The Ask page with a run: its lanes filling hop by hop while it goes on, then its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import Record
from adaq_core.model import QueryAspect
from adaq_core.trace import RunView
from pages._shared.ask.compose import show_question
from pages._shared.ask.done import show_done
from pages._shared.ask.live_view import show_hop_under_way, show_live_use
from pages._shared.ask.start import end_reveal, hand_over, leave_run, planned, reveal_of
from pages._shared.common import backend
from pages._shared.common.backend import stored_run
from pages._shared.common.chrome import in_demo, objecting, show_objection
from pages._shared.common.text import literal
from pages._shared.common.words import count, not_here, seconds
from pages._shared.components.coverage_lanes.lanes import Lanes, lanes_data, live_lanes
from pages._shared.run.data import taken
from pages._shared.run.verdict import before_first_hop

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

TICK_SECONDS = 0.4
_DEMO_PACE = 2.5
# The answer is drawn while the lanes are still shown, so that nothing is empty where one gives way to the other.
_LIVE, _DONE = "ask_live", "ask_done"
_HIDDEN_LIVE = f".st-key-{_LIVE} {{display: none}}"
# It is there, without height: what is not displayed would be faded in when it is, which takes a moment.
_HIDDEN_DONE = (
    f".st-key-{_DONE} {{position: absolute; height: 0; overflow: hidden}}"
    f".st-key-{_DONE} * {{visibility: hidden !important}}"
)


def show(run_id: str) -> bool:
    """Draw the run with this id, or say that there is none; return whether it is over and its answer is shown."""
    row = backend.row(run_id)
    if row is None:
        _unknown(run_id)
        return False
    live = not row.over or reveal_of(row) is not None
    stored = stored_run(run_id)
    aspects, lost = _as_read(row, stored.run if stored else RunView())
    # The heading of the draft stays where it is: another one would leave its place empty for a moment.
    show_question(row.question, aspects, lost)
    st.empty()  # in the place of the draft: what is left of it would wander over the page until the run is drawn
    show_objection()
    st.html(f"<style>{_HIDDEN_DONE if live else _HIDDEN_LIVE}</style>")
    with st.container(key=_LIVE):
        if live:
            _live(run_id, drawn=row.over)
    with st.container(key=_DONE):
        if stored and row.over:
            show_done(stored.row, stored.run, stored.records)
    return not live


def _as_read(row: RunRow, run: RunView) -> tuple[tuple[QueryAspect, ...], tuple[str, ...]]:
    """Return the run's aspects (before planning, the expected ones) and the question's words that none carries."""
    if run.planned:
        return run.aspects, run.planned.lost if row.over else ()
    return _to_come(row), ()


def _to_come(row: RunRow) -> tuple[QueryAspect, ...]:
    """Return the aspects that a run is about to plan: given ones, its parent's, or those planned from its question."""
    if row.given_aspects is not None:
        return row.given_aspects
    parent = stored_run(row.parent_id) if row.parent_id else None
    if parent and parent.run.planned:
        return parent.run.aspects
    if row.over:
        return ()
    profile = row.settings.facet_profile
    return planned(row.question, profiles=backend.facet_profiles(), profile=profile, corpus=row.corpus).aspects


def _unknown(run_id: str) -> None:
    st.info(
        not_here(f"run “{literal(run_id[:40])}”"),
        title="Run not found",
        icon=":material/search_off:",
    )
    st.button("Ask a question", icon=":material/forum:", on_click=leave_run)


@st.fragment(run_every=TICK_SECONDS)
def _live(run_id: str, *, drawn: bool) -> None:
    """Draw the running run, again and again; `drawn` says that its answer already stands hidden below."""
    row = backend.row(run_id)
    if row is None:
        st.rerun()
    reveal = reveal_of(row)
    if row.over and not drawn:
        hand_over(row)
        st.rerun()
    if row.over and reveal is None:
        st.rerun()
    stored = stored_run(run_id)
    run = stored.run if stored else RunView()
    _progress(row, run, stored.records if stored else (), is_short=reveal is not None and reveal.is_short)
    show_live_use(row, stored.records if stored else ())
    _lanes(row, run)
    if not row.over:
        show_hop_under_way(run)


def _lanes(row: RunRow, run: RunView) -> None:
    lanes = lanes_to_come(row, run)
    pace = _DEMO_PACE if in_demo() else 1.0
    live_lanes(lanes, key=f"live_{row.run_id}", waiting=before_first_hop(row, run), on_shown=end_reveal, pace=pace)


def lanes_to_come(row: RunRow, run: RunView) -> Lanes:
    """Return the lanes of a run as it stands; before it has planned, those of the aspects that are expected."""
    return lanes_data(run, interrupted=row.over, planned=() if run.planned else _to_come(row))


def _progress(row: RunRow, run: RunView, records: Sequence[Record], *, is_short: bool) -> None:
    """Draw the elapsed time and the Cancel button; it never tells more than the lanes have shown so far.

    Where only the drawing of the answer is waited for (`is_short`) there is nothing to skip.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="ask_live_bar"):
        if row.over:
            took = f"The search took {seconds(row.elapsed)}."
            one_by_one = "" if is_short else " Its hops are shown one by one, so that you can follow them."
            st.caption(took + one_by_one, width="stretch")
            if not is_short:
                st.button("Show the answer", icon=":material/skip_next:", key="ask_skip", on_click=end_reveal)
            return
        is_ending = ends(row.run_id)
        st.caption(live_words(taken(records), run.cost.passages_read, is_ending=is_ending), width="stretch")
        show_cancel(row, is_ending=is_ending, key="ask_cancel_run")


def ends(run_id: str) -> bool:
    """Whether somebody has cancelled the run, which still goes on."""
    state = backend.runner().state(run_id)
    return state is not None and state.cancelling


def show_cancel(row: RunRow, *, is_ending: bool, key: str) -> None:
    """Draw the button that cancels a run which goes on, or what it does once it was pressed."""
    if is_ending:
        st.caption(":shimmer[Stopping; the answer is written from what was found]", width="content")
    else:
        st.button("Cancel", icon=":material/stop_circle:", key=key, on_click=_cancel, args=(row.run_id,))


def live_words(since: float | None, read: int, *, is_ending: bool) -> str:
    """Return a line with the run's seconds and passages read, saying that it goes on without this page."""
    goes_on = "the run ends by itself" if is_ending else "the run continues"
    so_far = "Getting ready" if since is None else f"{since:.0f} s · {count(read, 'passage')} read"
    return f"{so_far} · You can leave this page; {goes_on}"


def _cancel(run_id: str) -> None:
    """Cancel the run and stop showing its hops one by one: who cancels wants the answer now."""
    with objecting():
        backend.runner().cancel(run_id)
        end_reveal()
