"""Settings: a drawer that every page can open, with the model, the live sources and the limits of the runs to come."""

from __future__ import annotations

import streamlit as st

from adaq_core.sources import SourceSettings, SourceState, describe, missing, names, read_settings, states
from pages._shared.common.chrome import show_dialog
from pages._shared.common.text import literal, visible
from pages._shared.settings import pull as model_pull
from pages._shared.settings.choice import MOST_CALLS, MOST_HOPS, MOST_SECONDS, MOST_TOKENS, MOST_USD, chosen, keep
from pages._shared.settings.model import show_model_part


def show_limits_part() -> None:
    """Draw the limits: hops and time for every run; tokens, calls and dollars for a model."""
    st.caption("A run stops at the first limit it meets and still writes its answer. 0 means no limit.")
    with st.container(horizontal=True):
        _number("Hop limit", "hops", 1, MOST_HOPS, 1, "A hop is one search for what is still uncovered.")
        _number("Seconds", "seconds", 0, MOST_SECONDS, 10, "The whole run, the answer included.")
    with st.container(horizontal=True):
        _number("Tokens", "tokens", 0, MOST_TOKENS, 1_000, "What the model reads and writes, all calls together.")
        _number("Model calls", "calls", 0, MOST_CALLS, 1, "How many calls a run may make to the model.")
        st.session_state["limit_usd"] = chosen().usd
        st.number_input(
            "US dollars",
            0.0,
            MOST_USD,
            step=0.01,
            format="%.2f",
            key="limit_usd",
            on_change=_take,
            args=("usd",),
            help="Needs prices in ADAQ_PRICES; Ollama models cost nothing.",
        )
    if not chosen().model:
        st.caption("Limits on tokens, calls and dollars apply only when a model is chosen.")


def _number(label: str, name: str, low: int, high: int, step: int, about: str) -> None:
    key = _key(name)
    st.session_state[key] = getattr(chosen(), name)
    st.number_input(label, low, high, step=step, key=key, on_change=_take, args=(name,), help=about)


def _key(name: str) -> str:
    return f"limit_{name}"


def _take(name: str) -> None:
    value = st.session_state[_key(name)]
    if value is not None:
        keep(**{name: value})


# Where the first words of what a source says of itself are too many for a name.
_TITLES = {"feeds": "RSS and Atom feeds", "web_search": "Web search"}


def show_sources_part() -> None:
    """Draw a switch for each source."""
    st.caption("Searched over the network, in addition to the corpus. All are off until you turn them on.")
    with st.container(gap="small"):
        for source in states(read_settings()):
            _source(source)


def title(name: str) -> str:
    """Return the display name of the source."""
    return _TITLES.get(name) or describe(name).partition(":")[0]


def source_name(name: str) -> str:
    """Return the display name of a stored run's source; its id if this version does not know it."""
    return title(name) if name in names() else visible(name)


def _source(source: SourceState) -> None:
    name, on = source.name, source.name in chosen().sources
    with st.container(horizontal=True, vertical_alignment="center"):
        st.session_state[f"source_{name}"] = on
        st.toggle(
            title(name),
            key=f"source_{name}",
            on_change=_switch,
            args=(name,),
            disabled=not source.ready and not on,
            width=180,
        )
        st.markdown(f":small[:gray[{literal(_about(source))}]]  {_key_state(source)}", width="stretch")


def _about(source: SourceState) -> str:
    """Return what is found at the source; that it needs a key is said beside it."""
    text = source.about.removeprefix(title(source.name)).lstrip(": ")
    for tail in (", needs ", ", wants ", ", no key"):
        text = text.partition(tail)[0]
    return text[:1].upper() + text[1:]


def _key_state(source: SourceState) -> str:
    if not source.ready:
        return f":orange-badge[set {literal(source.needs)} in .env]"
    needed = missing(source.name, SourceSettings())
    return f":gray-badge[{literal(needed)} is set]" if needed else ":gray-badge[no key needed]"


def _switch(name: str) -> None:
    others = [source for source in chosen().sources if source != name]
    keep(sources=tuple(sorted([*others, name] if st.session_state[f"source_{name}"] else others)))


PARTS = {"Model": show_model_part, "Sources": show_sources_part, "Limits": show_limits_part}
_OPEN, _HERE = "settings_open", "settings_page"


def entry(page: str) -> None:
    """Draw the button that opens the settings; `page` is the one that is shown."""
    if st.session_state.get(_HERE) != page:
        close()
    st.session_state[_HERE] = page
    with st.container(key="settings_entry"):
        st.button(
            "Settings", icon=":material/settings:", type="tertiary", key="settings_button", on_click=open_settings
        )


def open_settings(part: str = "Model") -> None:
    """Open the settings, at one of their parts."""
    model_pull.dismiss()
    st.session_state[_OPEN] = True
    st.session_state["settings_part"] = part


def close() -> None:
    """Record that the settings were closed."""
    st.session_state.pop(_OPEN, None)


def summary_button(key: str) -> None:
    """Draw a button with the settings of the next run, which opens them."""
    st.button(
        literal(chosen().summary()),
        icon=":material/tune:",
        key=key,
        on_click=open_settings,
        help="Model, live sources and limits of the next run. Change them in the settings.",
    )


def show_if_open() -> None:
    """Draw the drawer if it was opened; only one can be open, and a page's own goes first."""
    if st.session_state.get(_OPEN):
        show_dialog(_drawer, close=close)


@st.dialog("Settings", width="medium", position="right", icon=":material/settings:", on_dismiss=close)
def _drawer() -> None:
    tabs = st.tabs(list(PARTS), key="settings_part", on_change="rerun")
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                show()
    st.caption("Changes apply from the next run on and are kept on this computer. A run in progress is not affected.")
    if st.button("Done", key="settings_done"):
        close()
        st.rerun()
