"""The coverage lanes: a run as columns of hops and rows of aspects, prepared as plain values and drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypedDict, cast

import streamlit as st

from adaq_core.export.page import MANY_ASPECTS, MANY_HOPS, lanes_script, lanes_style
from adaq_core.export.page import Lanes as Lanes
from adaq_core.export.page import lanes_data as lanes_data
from adaq_core.export.page import stage_seconds as stage_seconds
from adaq_core.trace import RunView
from pages._shared.components.component_files import mounted


def lanes_width(hops: int) -> int:
    """Return the width in pixels at which nothing in the lanes of so many hops is cut."""
    column = 60 if hops > MANY_HOPS else 128
    return 300 + max(1, hops) * column


def lanes_height(aspects: int) -> str:
    """Return the least height of the lanes of so many aspects, as a CSS value; it follows the rows in their style."""
    whole = f"{150 + 27 * aspects if aspects > MANY_ASPECTS else 180 + 36 * aspects}px"
    return f"min({whole}, max(240px, 100vh - 400px) + 60px)" if aspects > _SCROLLED else whole


def thumbnail_height(aspects: int) -> int:
    """Return the height in pixels of small lanes of so many aspects; it follows the rows in their style."""
    return 17 + 15 * aspects


# So many aspects scroll under the cards of the hops.
_SCROLLED = 12


def aspect_number(run: RunView, name_or_number: str | None) -> int | None:
    """Return the number of the aspect that a link names, by number from 1 or by exact name; None if it names none."""
    if not name_or_number:
        return None
    names = [aspect.aspect for aspect in run.aspects]
    if name_or_number.isdecimal() and 1 <= int(name_or_number) <= len(names):
        return int(name_or_number)
    return names.index(name_or_number) + 1 if name_or_number in names else None


def hop_number(run: RunView, number: str | None) -> int | None:
    """Return the hop that a link names; None if the run has no such hop."""
    wanted = int(number) if number and number.isdecimal() else None
    if any(hop.hop == wanted for hop in run.hops):
        return wanted
    return None


_LANES = mounted("coverage_lanes", style=lanes_style(), script=lanes_script())
_CHOICE = mounted(
    "lanes_choice", style="", script=(Path(__file__).parent / "lanes_choice.js").read_text(encoding="utf-8")
)


class Pick(TypedDict):
    """What was chosen in the lanes; `replay` says that the playhead passed by; `n` counts."""

    hop: int | None
    aspect: int | None
    replay: bool
    n: int


def coverage_lanes(lanes: Lanes, *, key: str, on_pick: Callable[[Pick], None]) -> None:
    """Draw the lanes; `on_pick` is called before the next script run with each choice of a hop or an aspect.

    What is chosen is sent beside them, so that a click in a run of 50 hops by 30 aspects does not send 120 kB again.
    """
    key_of_last = f"{key}_heard"

    def picked() -> None:
        pick = cast("Pick | None", st.session_state[key].get("pick"))
        if pick:
            st.session_state[key_of_last] = pick["n"]
            on_pick(pick)

    chosen = {"hop": lanes["hop"], "aspect": lanes["aspect"], "heard": st.session_state.get(key_of_last, 0)}
    _CHOICE(key="lanes_choice", data={**chosen, "choice": key})
    _LANES(key=key, data={**lanes, "hop": None, "aspect": None, "choice": key}, on_pick_change=picked)


def live_lanes(lanes: Lanes, *, key: str, waiting: str, on_shown: Callable[[], None], pace: float = 1.0) -> None:
    """Draw a run as it goes on, its hops one by one at a readable pace; `on_shown` is called when all were shown.

    `waiting` says what goes on before the first hop; with a `pace` of 2 every hop takes twice as long.
    A user who wants no motion sees each hop as soon as it is there.
    """
    data = {**lanes, "heard": 0, "live": True, "waiting": waiting, "pace": pace}
    _LANES(key=key, data=data, on_pick_change=lambda: None, on_shown_change=on_shown)


def lanes_thumbnail(lanes: Lanes, *, key: str) -> None:
    """Draw the lanes small and for looking only: take `lanes_data(run, thumbnail=True)`."""
    _LANES(key=key, data={**lanes, "heard": 0}, on_pick_change=lambda: None)
