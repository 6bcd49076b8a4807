"""The coverage lanes: a run as columns of hops and rows of aspects, with replay, keyboard and both themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, cast

import streamlit as st

from pages._shared.components.component_files import component
from pages._shared.run.lanes_data import Lanes

_LANES = component("coverage_lanes")


class Pick(TypedDict):
    """What was chosen in the lanes; `replay` says that the playhead passed by; `n` counts."""

    hop: int | None
    aspect: int | None
    replay: bool
    n: int


def coverage_lanes(lanes: Lanes, *, key: str, on_pick: Callable[[Pick], None]) -> None:
    """Draw the lanes; `on_pick` is called before the next script run with each choice of a hop or an aspect."""
    heard = f"{key}_heard"

    def picked() -> None:
        pick = cast(Pick | None, st.session_state[key].get("pick"))
        if pick:
            st.session_state[heard] = pick["n"]
            on_pick(pick)

    _LANES(key=key, data={**lanes, "heard": st.session_state.get(heard, 0)}, on_pick_change=picked)


def lanes_thumbnail(lanes: Lanes, *, key: str) -> None:
    """Draw the lanes small and for looking only: take `lanes_data(run, thumbnail=True)`."""
    _LANES(key=key, data={**lanes, "heard": 0}, on_pick_change=lambda: None)
