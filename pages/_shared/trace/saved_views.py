"""Saved views of the run list: a name for what the filters say."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import streamlit as st

from pages._shared.common import backend
from pages._shared.common.text import literal

_KEYS = ("t_q", "t_sort", "t_method", "t_status", "t_open")


def popover() -> None:
    """Choose a saved view, save the present one, or delete one."""
    views = backend.store().views()
    with st.popover("Views", icon=":material/bookmark:"):
        for name in views:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(literal(name), key=f"view_{name}", type="tertiary", on_click=_choose, args=(views[name],))
                st.space("stretch")
                st.button("Delete", key=f"view_delete_{name}", on_click=backend.store().delete_view, args=(name,))
        if not views:
            st.caption("A saved view keeps search, filters and order under a name.")
        name = st.text_input("Name of this view", key="trace_view_name", placeholder="e.g. failed this week")
        st.button("Save this view", disabled=not name, on_click=_save, args=(name or "",))


def take_chosen() -> None:
    """Put a chosen view into the filters; before they are drawn."""
    chosen = st.session_state.pop("trace_view_chosen", None)
    if chosen is None:
        return
    values = parse_qs(chosen)
    st.session_state["t_q"] = "".join(values.get("t_q", [""]))
    st.session_state["t_sort"] = "".join(values.get("t_sort", ["Newest"]))
    st.session_state["t_method"] = values.get("t_method", [])
    st.session_state["t_status"] = values.get("t_status", [])
    st.session_state["t_open"] = values.get("t_open") == ["True"]


def _choose(query: str) -> None:
    st.session_state["trace_view_chosen"] = query


def _save(name: str) -> None:
    values = {key: st.session_state.get(key) for key in _KEYS}
    backend.store().save_view(name, urlencode({k: v for k, v in values.items() if v}, doseq=True))
    st.session_state["trace_view_name"] = ""
