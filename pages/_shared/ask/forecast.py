"""Before a run: what it will take, from runs like it; and a word when its model cannot be asked right now."""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.llm.settings import read_settings
from adaq_core.runs.forecast import forecast
from pages._shared.ask.next_run import NextRun
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.settings.choice import short_name
from pages._shared.settings.server import watch

_SERVER_TROUBLE = {"down": "The model server does not answer", "refused": "The model server refuses the key"}


def show_forecast(wanted: NextRun, *, corpus: str, facet_profile: str | None) -> None:
    """One line on what the run is likely to take; nothing while no runs like it are stored."""
    found = forecast(
        backend.store(),
        corpus=corpus,
        method=wanted.method,
        model=wanted.model,
        settings=wanted.settings(facet_profile=facet_profile),
    )
    if found is not None:
        st.caption(f":material/timer: Likely {literal(found.words)}")


def show_server_state(wanted: NextRun) -> None:
    """That the model chosen cannot be used now, as far as that is known; nobody is waited for."""
    if wanted.model is None:
        return
    try:
        settings = read_settings()
    except InputError as error:
        st.caption(f":orange[:material/warning:] {literal(str(error))} The run would go by rules.")
        return
    seen = watch.seen(settings)
    if seen is None:
        return
    lacks = [name for name in (wanted.choice.model, wanted.choice.writer) if name and seen.model(name) is None]
    if seen.problem in ("down", "refused", "other"):
        words = _SERVER_TROUBLE.get(seen.problem, "The model server cannot be used")
        st.caption(f":orange[:material/warning:] {words}: the run would go by rules. The settings say what to do.")
    elif lacks and seen.problem != "unlisted":
        what = "the settings can get it" if seen.provider == "ollama" else "choose another in the settings"
        st.caption(f":orange[:material/warning:] {literal(short_name(lacks[0]))} is not on the model server; {what}.")
