"""The passage reader: one passage in a drawer at the right, with quoted spans marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from adaq_core.model import Passage
from pages._shared.common.text import Part, Span, host, literal, marked_parts, short, web_link
from pages._shared.components.component_files import component

_MARKED_TEXT = component("marked_text")


def show_passage(
    passage: Passage,
    *,
    spans: Iterable[Span] = (),
    words: Iterable[str] = (),
    on_close: Callable[[], None] | None = None,
) -> None:
    """Open the drawer with `passage`; `spans` (character ranges of its text) are highlighted, `words` underlined.

    At most one dialog can be open in a script run. `on_close` is called when the reader closes it.
    """
    title = literal(short(passage.title, 90)) or "Passage"

    @st.dialog(title, width="medium", position="right", icon=":material/article:", on_dismiss=on_close or "ignore")
    def drawer() -> None:
        passage_body(passage, spans=spans, words=words)

    drawer()


def passage_body(passage: Passage, *, spans: Iterable[Span] = (), words: Iterable[str] = ()) -> None:
    """The inside of the drawer: where the passage is from, its text with the marks, its id."""
    st.caption(" · ".join(literal(part) for part in _origin(passage)))
    quotes = [(start, end) for start, end in spans if 0 <= start < end]
    marked_text(passage.text, quotes=quotes, words=words, key=f"passage_text_{passage.passage_id}")
    if quotes:
        st.caption("Highlighted: the words of this passage that the run quoted.")
    if passage.url:
        st.caption("Address given by the document")
        st.code(passage.url, language=None, wrap_lines=True)
    if link := web_link(passage.url):
        st.link_button(f"Open the page at {literal(host(link))}", link, icon=":material/open_in_new:")


def marked_text(text: str, *, key: str, quotes: Iterable[Span] = (), words: Iterable[str] = ()) -> None:
    """`text` as it is, line breaks kept, with quotes highlighted and words underlined."""
    _MARKED_TEXT(key=key, data={"id": key, "parts": marked_parts(text, quotes=quotes, words=words)})


def marked_heading(parts: Sequence[Part], *, legend: Sequence[Part], key: str) -> None:
    """A heading of (text, marks) pairs, and below it a legend of (mark, words) pairs."""
    _MARKED_TEXT(key=key, data={"id": key, "parts": list(parts), "heading": True, "legend": list(legend)})


def _origin(passage: Passage) -> list[str]:
    known = [passage.source, passage.date, passage.place, f"passage {passage.position + 1} of {passage.document_id}"]
    return [part for part in known if part]
