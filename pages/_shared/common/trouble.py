"""What a page says when something does not work: words and a way on, never a traceback."""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import (
    AdaqError,
    CorpusError,
    EmbeddingError,
    InputError,
    ModelError,
    StoreError,
    StoreLocked,
    StoreTooNew,
)
from pages._shared.common.text import literal

_TITLES: tuple[tuple[type[AdaqError], str], ...] = (
    (StoreLocked, "Another process is using the run store"),
    (StoreTooNew, "The run store was written by a later version of ADAQ"),
    (StoreError, "The run store cannot be used"),
    (CorpusError, "The corpus cannot be used"),
    (EmbeddingError, "The embedding model cannot be used"),
    (ModelError, "The language model cannot be used"),
    (InputError, "This cannot be used as it is"),
)


def trouble_title(error: AdaqError) -> str:
    """The headline for an error that ADAQ raised on purpose."""
    return next((title for kind, title in _TITLES if isinstance(error, kind)), "This did not work")


def show_trouble(error: AdaqError, *, retry: bool = True) -> None:
    """An error raised on purpose, in its own words; with a button to try again."""
    st.error(literal(str(error)), title=trouble_title(error), icon=":material/error:")
    if retry and st.button("Try again", icon=":material/refresh:", key=f"retry_{type(error).__name__}"):
        st.rerun()


def show_unexpected() -> None:
    """Something went wrong that nobody foresaw."""
    st.error(
        "The page could not be shown. Your stored runs and corpora are not affected. Reload the page; if it happens "
        "again, the details are in the window in which ADAQ was started.",
        title="Something went wrong on this page",
        icon=":material/error:",
    )
