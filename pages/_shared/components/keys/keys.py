"""Keys of the whole page, and the list of all keys behind `?`."""

from __future__ import annotations

import streamlit as st

from pages._shared.components.component_files import component

_KEYS = component("keys")
LIST = {
    "Everywhere": {"/": "jump to the search or the question box", "?": "this list"},
    "Ask": {"Ctrl + Enter": "start with the aspects as they are"},
    "Tables of buttons in Compare and Evaluation": {"← → ↑ ↓": "from cell to cell; Home and End: ends of the row"},
    "Table of runs, documents or passages": {
        "Enter": "on “Open” or “Read”: what the row is of",
        "Shift + Space": "choose the row; what is above opens or compares runs",
    },
    "A run in the Trace explorer": {
        "← →": "previous or next hop; Home and End: first and last",
        "↑ ↓": "from aspect to aspect",
        "Space": "replay, pause; Escape ends it",
        "j k": "next or previous run",
        "c": "compare this run with other methods",
    },
}
_PLACES = [
    [place, [[[key for key in keys.split() if key != "+"], meaning] for keys, meaning in rows.items()]]
    for place, rows in LIST.items()
]


def listen() -> None:
    """Listen to the page's keys; the list of keys is shown by the browser alone.

    Another theme is heard of: hearing of it draws the page anew, in its colours.
    """
    _KEYS(key="page_keys", data={"theme": st.context.theme.type, "places": _PLACES}, on_theme_change=lambda: None)
