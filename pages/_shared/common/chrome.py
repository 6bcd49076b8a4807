"""What stands around every page: header chip, footer, dialogs, and the words when something does not work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.errors import StreamlitAPIException

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
from pages._shared.common import backend
from pages._shared.common.served_safely import begins_with_style, style_sheet
from pages._shared.common.text import literal, sentence, short
from pages._shared.common.words import count, size

if TYPE_CHECKING:
    from plotly.graph_objects import Figure
    from streamlit.delta_generator import DeltaGenerator

    from adaq_core.store.rows import RunRow

_TITLES: tuple[tuple[type[AdaqError], str], ...] = (
    (StoreLocked, "Another process is using the run store"),
    (StoreTooNew, "The run store was written by a later version of ADAQ"),
    (StoreError, "The run store cannot be used"),
    (CorpusError, "The corpus cannot be used"),
    (EmbeddingError, "The embedding model cannot be used"),
    (ModelError, "The language model cannot be used"),
    (InputError, "This input cannot be used"),
)


def trouble_title(error: AdaqError) -> str:
    """Return the headline for an error that ADAQ raised on purpose."""
    return next((title for kind, title in _TITLES if isinstance(error, kind)), "This did not work")


def show_trouble(error: AdaqError, *, retry: bool = True) -> None:
    """Show an error that ADAQ raised on purpose, in its own words, with a button to try again."""
    st.error(sentence(error), title=trouble_title(error), icon=":material/error:")
    if retry and st.button("Try again", icon=":material/refresh:", key=f"retry_{type(error).__name__}"):
        st.rerun()


def show_unexpected() -> None:
    """Say that something unforeseen went wrong."""
    st.error(
        "The page could not be shown. Your stored runs and corpora are not affected. Reload the page; if it happens "
        "again, the terminal in which ADAQ was started has the details.",
        title="Something went wrong on this page",
        icon=":material/error:",
    )


_OBJECTION, _PAGE = "objection", "objection_page"


def object_to(words: str | None, *, at: str = "") -> None:
    """Store an objection to what was asked for, shown until the next request or until it is closed."""
    st.session_state[_OBJECTION] = (words, at)


@contextmanager
def objecting() -> Iterator[None]:
    """Run the body of the `with`; an ADAQ error in it becomes an objection on the page."""
    object_to(None)
    try:
        yield
    except AdaqError as error:
        object_to(str(error))


def show_objection(*, at: str = "") -> None:
    """Show the stored objection if it belongs to the input `at`."""
    words, asked_at = st.session_state.get(_OBJECTION, (None, ""))
    if not words or asked_at != at:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(sentence(words), icon=":material/edit_note:")
        st.button(
            "Close", icon=":material/close:", type="tertiary", key="objection_close", on_click=object_to, args=(None,)
        )


def forget_objection_of_other_page(page: str) -> None:
    """Drop an objection that was raised on another page."""
    if st.session_state.get(_PAGE) != page:
        object_to(None)
    st.session_state[_PAGE] = page


def show_dialog(show: Callable[[], None], *, close: Callable[[], None]) -> None:
    """Open a dialog, or close it if another one is open already."""
    try:
        show()
    except StreamlitAPIException as error:
        if "dialog" not in str(error):
            raise
        close()


def level_row(key: str) -> DeltaGenerator:
    """Return a row for fields and choices, whose names above them are level."""
    return st.container(horizontal=True, vertical_alignment="bottom", key=f"level_{key}")


# Streamlit breaks the text of a cell into lines only where rows are higher than 4 rem.
_BROKEN_INTO_LINES, _LINE, _AROUND = 64, 20, 8


def show_downloads(files: Iterable[tuple[str, bytes, str, str]]) -> None:
    """Draw a button with the size for each file: label, content, name and media type."""
    for label, data, name, mime in files:
        st.download_button(
            f"{label} :gray[{size(len(data))}]",
            data=data,
            file_name=name,
            mime=mime,
            on_click="ignore",
            width="stretch",
        )


def row_height(lines: int) -> int | None:
    """Return a table's row height in pixels for `lines` lines in its tallest cell; None for the usual height."""
    return max(_BROKEN_INTO_LINES, _AROUND + _LINE * lines) if lines > 1 else None


def logo() -> str:
    """Return the logo's file for the current theme."""
    return "logo_dark.svg" if st.context.theme.type == "dark" else "logo_light.svg"


def in_theme(key: str) -> str:
    """Return a chart's key for the current theme, so that it is drawn anew when the theme changes.

    The browser puts the theme's colours into a chart once, when it is new: in another theme it is another chart.
    """
    return f"{key}_{st.context.theme.type}"


def with_readable_axes(figure: Figure) -> Figure:
    """Return the chart with its axes in the grey of the page's notes; Streamlit's is too faint on white."""
    ink = {"color": "#CBD5E1" if st.context.theme.type == "dark" else "#475569"}
    figure.update_xaxes(tickfont=ink, title_font=ink)
    return figure.update_yaxes(tickfont=ink, title_font=ink)


def in_demo() -> bool:
    """Whether the session is a demonstration: `?demo=1` stood in its address.

    Then a question starts by itself, hops are shown at the pace of a talk, and Streamlit's own menu is hidden.
    """
    if st.query_params.get("demo") == "1":
        st.session_state.demo = True
    return bool(st.session_state.get("demo"))


_NO_MENU = "[data-testid='stMainMenu'], [data-testid='stStatusWidget'] {visibility: hidden}"


# By theme: text on a primary button, rings and pressed buttons, a primary button under the pointer, the drawer of a hop
# with its line, and the fifth and sixth colour of what a question asks for. In the dark theme dark text is on light
# blue, and the button grows lighter, because what Streamlit darkens cannot be read there.
_COLOURS = {
    "light": "--on-primary: #FFFFFF; --accent: #1D4ED8; --primary-lit: #1E40AF; --ground: #FFFFFF; --line: #CBD5E1;"
    "--mark-5: #BE185D; --mark-6: #0E7490",
    "dark": "--on-primary: #0F172A; --accent: #60A5FA; --primary-lit: #93C5FD; --ground: #0F172A; --line: #334155;"
    "--mark-5: #F472B6; --mark-6: #22D3EE",
}


def style() -> None:
    """Put the theme's colours on the page, for what its own style sheet draws with them.

    The page says itself which theme it is in: while a dialog is open the page is not drawn anew, so the server does not
    know.
    """
    drawn = _COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    themes = (f":root[data-theme={name}] {{{colours}}}" for name, colours in _COLOURS.items())
    rules = "" if begins_with_style() else style_sheet()
    st.html(f"<style>:root {{{drawn}}} {' '.join(themes)} {rules} {_NO_MENU if in_demo() else ''}</style>")


def running_chip(rows: Sequence[RunRow], *, shown: str | None) -> None:
    """Draw a line for each run that goes on elsewhere, with a link to it."""
    for row in [row for row in rows if row.run_id != shown and row.group_id is None][:2]:
        st.page_link(
            "ask.py",
            label=f":blue-badge[:shimmer[running]] {literal(short(row.question, 90))}",
            query_params={"run": row.run_id},
            help="This run continues in the background. Open it.",
        )


def footer() -> None:
    """Say where the runs are stored and how many there are."""
    st.space("small")
    stored = backend.store().count()
    st.caption(f"On this computer · {count(stored, 'run')} stored")
