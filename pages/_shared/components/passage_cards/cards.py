"""A list of passages as cards: rank, score bar, what each covers, how it came, a snippet with the quotes marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages._shared.components.component_files import component
from pages._shared.run.evidence import CardValue

_CARDS = component("passage_cards")


def passage_cards(cards: Sequence[CardValue], *, key: str, on_read: Callable[[str], None]) -> None:
    """Draw the cards; `on_read` gets the passage id when a reader asks for the whole passage."""

    def asked() -> None:
        passage_id = st.session_state[key].get("read")
        if passage_id:
            on_read(str(passage_id))

    _CARDS(key=key, data={"cards": list(cards)}, on_read_change=asked)
