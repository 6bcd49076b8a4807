"""What surrounds every page: the logo, the chip that leads back to running runs, the footer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages._shared.common import backend
from pages._shared.common.text import literal, short
from pages._shared.common.words import count

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow


def logo() -> str:
    """The file of the logo for the theme in use."""
    return "logo_dark.svg" if st.context.theme.type == "dark" else "logo_light.svg"


def style() -> None:
    """Dark text on the light blue of primary buttons in the dark theme: white on it has a contrast of 2.5 : 1."""
    if st.context.theme.type == "dark":
        st.html(
            "<style>[data-testid='stBaseButton-primary'], [data-testid='stBaseButton-primary'] * "
            "{color: #0F172A !important}</style>"
        )


def running_chip(rows: Sequence[RunRow], *, shown: str | None) -> None:
    """A line for each run that goes on elsewhere; it leads back to it."""
    for row in [row for row in rows if row.run_id != shown and row.group_id is None][:2]:
        st.page_link(
            "ask.py",
            label=f":blue-badge[:shimmer[running]] {literal(short(row.question, 90))}",
            query_params={"run": row.run_id},
            help="This run goes on in the background. Open it.",
        )


def footer() -> None:
    """Where the runs are, and how many."""
    st.space("small")
    stored = backend.store().count()
    st.caption(f"On this computer · {count(stored, 'run')} stored")
