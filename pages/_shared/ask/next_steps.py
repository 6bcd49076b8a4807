"""What a user can do with a run that is over: look into it, compare, go on, ask again, say what they think."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.errors import AdaqError
from pages._shared.ask.start import again, leave_run
from pages._shared.common import backend

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_PAGES = Path(__file__).parents[2]


def actions(row: RunRow) -> None:
    """The ways on from this run, in one row."""
    with st.container(horizontal=True, vertical_alignment="center"):
        _link("trace_explorer.py", "Open trace", ":material/timeline:", {"run": row.run_id})
        _link("compare_baselines.py", "Compare with baselines", ":material/compare:", {"group": row.run_id})
        st.button("Edit aspects and ask again", icon=":material/edit:", on_click=again, args=(row.question,))
        st.button("New question", icon=":material/add:", on_click=leave_run, key="ask_new")
        with st.popover("Link", icon=":material/link:"):
            st.caption("This address opens the run again, on this computer:")
            st.code(f"{(st.context.url or '').split('?')[0]}?run={row.run_id}", language=None, wrap_lines=True)


def _link(page: str, label: str, icon: str, params: dict[str, str]) -> None:
    if (_PAGES / page).exists():
        # In a callback, so that the page is not drawn once more before it is left.
        st.button(label, icon=icon, key=f"ask_to_{page}", on_click=lambda: st.switch_page(page, query_params=params))


def search_aspect(row: RunRow, aspect: str, number: int) -> None:
    """A button that goes on from this run with one more hop for `aspect`."""
    st.button(
        "Search this aspect",
        wrap=True,
        width="stretch",
        key=f"ask_more_{number}",
        icon=":material/travel_explore:",
        on_click=_follow,
        args=(lambda: backend.runner().continue_with(row.run_id, aspect),),
    )


def resume_button(row: RunRow, label: str) -> None:
    """A button that goes on from the last complete hop."""
    st.button(
        label,
        key="ask_resume",
        icon=":material/restart_alt:",
        on_click=_follow,
        args=(lambda: backend.runner().resume(row.run_id),),
    )


def _follow(submit: Callable[[], str]) -> None:
    try:
        run_id = submit()
    except AdaqError as error:
        st.session_state.ask_objection = str(error)
        return
    st.query_params["run"] = run_id


def opinion(row: RunRow) -> None:
    """Thumbs and a note, kept with the run."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Was this answer useful?", width="content")
        rated = {1: 1, -1: 0}.get(row.rating or 0)
        st.feedback("thumbs", key=f"ask_rating_{row.run_id}", default=rated, on_change=_rate, args=(row.run_id,))
        with st.popover("Note", icon=":material/edit_note:"):
            key = f"ask_note_{row.run_id}"
            st.text_area("Your note on this run", value=row.note, key=key, on_change=_note, args=(row.run_id,))
            st.caption("Kept with the run when you click outside the field.")


def _rate(run_id: str) -> None:
    thumb = st.session_state[f"ask_rating_{run_id}"]
    backend.store().annotate(run_id, rating={1: 1, 0: -1}.get(thumb, 0))


def _note(run_id: str) -> None:
    backend.store().annotate(run_id, note=str(st.session_state[f"ask_note_{run_id}"] or ""))
