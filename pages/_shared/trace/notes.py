"""What a person thinks of a run: thumbs, note, tags; and deleting it."""

from __future__ import annotations

import streamlit as st

from adaq_core.store.store import RunRow
from pages._shared.common import backend
from pages._shared.trace.selection import leave_run

THUMBS = {1: 1, -1: 0}
_RATINGS = {1: 1, 0: -1}


def notes_popover(row: RunRow) -> None:
    """Thumbs, note and tags of a run, kept as soon as they change."""
    marked = bool(row.note or row.tags or row.rating)
    with st.popover(
        "Notes", icon=":material/edit_note:" if not marked else ":material/sticky_note_2:", type="tertiary"
    ):
        key = f"trace_rating_{row.run_id}"
        st.caption("Was this run useful?")
        st.feedback("thumbs", key=key, default=THUMBS.get(row.rating or 0), on_change=_rate, args=(row.run_id,))
        key = f"trace_tags_{row.run_id}"
        st.multiselect(
            "Tags",
            sorted({*backend.store().choices("tag"), *row.tags}),
            default=list(row.tags),
            key=key,
            accept_new_options=True,
            placeholder="Choose or type a tag",
            on_change=_tag,
            args=(row.run_id,),
        )
        key = f"trace_note_{row.run_id}"
        st.text_area("Note", value=row.note, key=key, on_change=_note, args=(row.run_id,), height=120)
        st.caption("Kept with the run as soon as you leave a field.")


def delete_popover(row: RunRow) -> None:
    """Delete a run, after asking."""
    with st.popover("Delete", icon=":material/delete:", type="tertiary", disabled=not row.over):
        st.markdown("Delete this run, its events and its notes? This cannot be undone.")
        st.button(
            "Delete the run", type="primary", icon=":material/delete_forever:", on_click=_delete, args=(row.run_id,)
        )


def _rate(run_id: str) -> None:
    backend.store().annotate(run_id, rating=_RATINGS.get(st.session_state[f"trace_rating_{run_id}"], 0))


def _tag(run_id: str) -> None:
    backend.store().annotate(run_id, tags=st.session_state[f"trace_tags_{run_id}"])


def _note(run_id: str) -> None:
    backend.store().annotate(run_id, note=str(st.session_state[f"trace_note_{run_id}"] or ""))


def _delete(run_id: str) -> None:
    backend.store().delete_run(run_id)
    leave_run()
    st.toast("The run was deleted.", icon=":material/delete:")
