"""Settings: a drawer that every page can open, with the model, the live sources and the limits of the runs to come."""

from __future__ import annotations

import streamlit as st

from pages._shared.common.dialogs import show_dialog
from pages._shared.common.text import literal
from pages._shared.settings import pull as model_pull
from pages._shared.settings.choice import chosen
from pages._shared.settings.limits import show_limits_part
from pages._shared.settings.model import show_model_part
from pages._shared.settings.sources import show_sources_part

PARTS = {"Model": show_model_part, "Sources": show_sources_part, "Limits": show_limits_part}
_OPEN, _HERE = "settings_open", "settings_page"
# In the bar at the top, where people look for settings; between it and the menu Streamlit says that a page is working.
_PLACE = """<style>
:has(> .st-key-settings_entry) { position: absolute; }
.st-key-settings_entry { position: fixed; top: 0.55rem; right: 8.2rem; z-index: 999991; width: auto; }
@media print { .st-key-settings_entry { display: none; } }
@media (max-width: 700px) {
  .st-key-settings_entry p { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
}
</style>"""


def entry(page: str) -> None:
    """The button that opens the settings; `page` is the one that is shown."""
    if st.session_state.get(_HERE) != page:
        close()
    st.session_state[_HERE] = page
    st.html(_PLACE)  # before the button, which would stand elsewhere for a moment
    with st.container(key="settings_entry"):
        st.button(
            "Settings", icon=":material/settings:", type="tertiary", key="settings_button", on_click=open_settings
        )


def open_settings(part: str = "Model") -> None:
    """Show the settings from now on, at one of their parts."""
    model_pull.dismiss()
    st.session_state[_OPEN] = True
    st.session_state["settings_part"] = part


def close() -> None:
    """They were closed."""
    st.session_state.pop(_OPEN, None)


def summary_button(key: str) -> None:
    """What holds for the next run, in a few words; opens the settings."""
    st.button(
        literal(chosen().summary()),
        icon=":material/tune:",
        key=key,
        on_click=open_settings,
        help="Model, live sources and limits of the next run. Change them in the settings.",
    )


def show_if_open() -> None:
    """The drawer, when it was opened. At most one can be open: a page's own goes first."""
    if st.session_state.get(_OPEN):
        show_dialog(_drawer, close=close)


@st.dialog("Settings", width="medium", position="right", icon=":material/settings:", on_dismiss=close)
def _drawer() -> None:
    tabs = st.tabs(list(PARTS), key="settings_part", on_change="rerun")
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                show()
    st.caption("Changes hold from the next run on and are kept on this computer. A run that goes on is not changed.")
    if st.button("Done", key="settings_done"):
        close()
        st.rerun()
