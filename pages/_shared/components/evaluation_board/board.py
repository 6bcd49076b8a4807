"""A table of numbers with their intervals, each a button that leads to the runs behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from pages._shared.components.component_files import component

if TYPE_CHECKING:
    from pages._shared.evaluation.cells import Board

_BOARD = component("evaluation_board")


def show_board(board: Board, *, key: str, on_pick: Callable[[str], None], selected: str | None = None) -> None:
    """Draw the board; `on_pick` is called before the next script run with the id of the number that was chosen."""

    def picked() -> None:
        chosen = st.session_state[key].get("pick")
        if chosen:
            on_pick(str(chosen))

    data = {
        "columns": list(board.columns),
        "rows": list(board.rows),
        "selected": selected,
        "words": {"first": board.first, "caption": board.caption, "runs": "Show the runs."},
    }
    _BOARD(key=key, data=data, on_pick_change=picked)
