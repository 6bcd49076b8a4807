"""Keys of the whole page, and the list of all keys behind `?`."""

from __future__ import annotations

import streamlit as st

from pages._shared.common.chrome import show_dialog
from pages._shared.components.component_files import component

_KEYS = component("keys")
_ASKED = "keys_asked"
LIST = {
    "Everywhere": {"/": "jump to the search or the question box", "?": "this list"},
    "Ask": {"Ctrl + Enter": "start with the aspects as they are"},
    "A run in the Trace explorer": {
        "← →": "previous or next hop; Home and End: first and last",
        "↑ ↓": "from aspect to aspect",
        "Space": "replay, pause; Escape ends it",
        "j k": "next or previous run",
        "c": "compare this run with other methods",
    },
}


def listen() -> None:
    """Listen to the keys of the page; the list of keys stays open from when it was asked for until it is closed.

    Another theme is heard of too: hearing of it draws the page anew, in its colours.
    """
    _KEYS(key="page_keys", data={"theme": st.context.theme.type}, on_help_change=_ask, on_theme_change=lambda: None)
    if st.session_state.get(_ASKED):
        show_dialog(_help, close=_close)


def _ask() -> None:
    st.session_state[_ASKED] = True


def _close() -> None:
    st.session_state.pop(_ASKED, None)


@st.dialog("Keys", icon=":material/keyboard:", on_dismiss=_close)
def _help() -> None:
    for place, keys in LIST.items():
        st.markdown(f"**{place}**")
        for key, meaning in keys.items():
            pressed = " ".join(f":gray-badge[{each}]" for each in key.split(" ") if each != "+")
            st.markdown(f"{pressed} {meaning}")
