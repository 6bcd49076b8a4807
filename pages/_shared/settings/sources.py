"""The live-sources part of the settings: each on or off, what is found there, whether its key is set; never the key."""

from __future__ import annotations

import streamlit as st

from adaq_core.sources import describe, missing, names
from adaq_core.sources.settings import SourceSettings, SourceState, read_settings, states
from pages._shared.common.text import literal, visible
from pages._shared.settings.choice import chosen, keep

# Where the first words of what a source says of itself are too many for a name.
_TITLES = {"feeds": "RSS and Atom feeds", "web_search": "Web search"}


def show_sources_part() -> None:
    """A switch for each source."""
    st.caption("Asked besides the corpus, over the network. All are off until you turn them on.")
    with st.container(gap="small"):
        for source in states(read_settings()):
            _source(source)


def title(name: str) -> str:
    """What people call the source."""
    return _TITLES.get(name) or describe(name).partition(":")[0]


def source_name(name: str) -> str:
    """What people call a source of a stored run; its id when this version does not know it."""
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
    """What is found there; that a key is needed is said beside it."""
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
