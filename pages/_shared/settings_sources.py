"""The live-sources part of the settings: each on or off, what is found there, whether its key is set; never the key."""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.sources import describe, missing, names
from adaq_core.sources.settings import SourceSettings, read_settings
from pages._shared.plain import plain
from pages._shared.settings_choice import chosen, keep


def show_sources_part() -> None:
    """A switch for each source."""
    settings = read_settings()
    st.caption("Asked besides the corpus, over the network. All are off until you turn them on.")
    with st.container(gap="small"):
        for name in names():
            _source(name, settings)


def title(name: str) -> str:
    """What people call the source."""
    return describe(name).partition(":")[0]


def _source(name: str, settings: SourceSettings) -> None:
    lacks = missing(name, settings)
    on = name in chosen().sources
    with st.container(horizontal=True, vertical_alignment="center"):
        st.session_state[f"source_{name}"] = on
        st.toggle(
            title(name),
            key=f"source_{name}",
            on_change=_switch,
            args=(name,),
            disabled=bool(lacks) and not on,
            width=210,
        )
        st.markdown(f":small[:gray[{plain(_about(name))}]]  {_key_state(name, lacks)}", width="stretch")


def _about(name: str) -> str:
    text = describe(name).partition(":")[2].strip()
    return text[:1].upper() + text[1:].partition(", needs ")[0].partition(", wants ")[0].partition(", no key")[0]


def _key_state(name: str, lacks: str) -> str:
    if lacks:
        return f":orange-badge[set {plain(lacks)} in .env]"
    needed = _needed(name)
    return f":gray-badge[{plain(needed)} is set]" if needed else ":gray-badge[no key needed]"


def _needed(name: str) -> str:
    """The setting that a source needs, whether or not it is set."""
    try:
        return missing(name, SourceSettings())
    except InputError:
        return ""


def _switch(name: str) -> None:
    others = [source for source in chosen().sources if source != name]
    keep(sources=tuple(sorted([*others, name] if st.session_state[f"source_{name}"] else others)))
