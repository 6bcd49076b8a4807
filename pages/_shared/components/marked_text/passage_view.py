"""The passage reader, a drawer with quoted spans marked; and what a person notes of a part of a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from adaq_core.model import Passage
from adaq_core.store.history import Remark, Remarks, RunPart
from pages._shared.common import backend
from pages._shared.common.text import Part, Span, host, literal, marked_parts, short, visible, web_link
from pages._shared.components.component_files import component

_MARKED_TEXT = component("marked_text")


def show_passage(
    passage: Passage,
    *,
    spans: Iterable[Span] = (),
    faint: Iterable[Span] = (),
    words: Iterable[str] = (),
    about: Sequence[str] = (),
    trace: Mapping[str, str] | None = None,
    noted: tuple[str, Sequence[tuple[RunPart, str]]] | None = None,
    on_close: Callable[[], None] | None = None,
) -> None:
    """Open the drawer with `passage`; `spans` (character ranges of its text) are highlighted, `words` underlined.

    `faint` are spans that were quoted for something else. `about` are lines of Markdown on the passage's place in the
    run, `trace` the address of the run that shows it, `noted` a run with those of its parts that can be noted on here.
    At most one dialog can be open in a script run. `on_close` is called when the reader closes it.
    """
    title = literal(short(passage.title, 90)) or "Passage"

    @st.dialog(title, width="medium", position="right", icon=":material/article:", on_dismiss=on_close or "ignore")
    def drawer() -> None:
        if about:
            _place_in_the_run(about, trace)
        passage_body(passage, spans=spans, faint=faint, words=words)
        for part, target in noted[1] if noted else ():
            st.markdown(f"**Your note on this {part}**")
            remark_fields(noted[0] if noted else "", part, target)

    drawer()


_THUMBS = {1: 1, -1: 0}


def remark_popover(run_id: str, part: RunPart, target: str, *, label: str) -> None:
    """Draw a button that opens the rating and note of a part of a run, and shows them."""
    remark = _remark(run_id, part, target)
    marked = {1: " :material/thumb_up:", -1: " :material/thumb_down:"}.get(remark.rating or 0, "")
    text = literal(short(remark.note, 60)) or label
    icon = ":material/sticky_note_2:" if remark.note else ":material/edit_note:"
    with st.popover(f"{text}{marked}", icon=icon, type="tertiary"):
        remark_fields(run_id, part, target)


def remark_fields(run_id: str, part: RunPart, target: str) -> None:
    """Draw thumbs and a note for a part of a run, stored as soon as they change."""
    remark = _remark(run_id, part, target)
    key = f"remark_{run_id}_{part}_{target}"
    keep = (run_id, part, target)
    st.feedback("thumbs", key=f"{key}_rating", default=_THUMBS.get(remark.rating or 0), on_change=_keep, args=keep)
    st.text_area("Note", value=remark.note, key=f"{key}_note", on_change=_keep, args=keep, height=80, max_chars=5_000)


def _remark(run_id: str, part: RunPart, target: str) -> Remark:
    remarks = Remarks(backend.store()).of(run_id)
    return next((r for r in remarks if (r.part, r.target) == (part, target)), Remark(part, target))


def _keep(run_id: str, part: RunPart, target: str) -> None:
    key = f"remark_{run_id}_{part}_{target}"
    note = str(st.session_state.get(f"{key}_note") or "")
    chosen = st.session_state.get(f"{key}_rating")
    rating = None if chosen is None else {1: 1, 0: -1}.get(chosen)
    Remarks(backend.store()).keep(run_id, Remark(part, target, note, rating))


def _place_in_the_run(about: Sequence[str], trace: Mapping[str, str] | None) -> None:
    with st.container(border=True, gap="xxsmall", key="passage_about"):
        for line in about:
            st.markdown(f":small[{line}]")
        if trace:
            label, icon = "Show it in the trace", ":material/timeline:"
            st.page_link("trace_explorer.py", label=label, icon=icon, query_params=dict(trace))


def passage_body(
    passage: Passage, *, spans: Iterable[Span] = (), faint: Iterable[Span] = (), words: Iterable[str] = ()
) -> None:
    """Draw the inside of the drawer: where the passage is from, its text with the marks, its address."""
    st.caption(" · ".join(literal(part) for part in _origin(passage)))
    quotes, others = _sound(spans), _sound(faint)
    key = f"passage_text_{passage.passage_id}"
    marked_text(in_rows(passage.text), quotes=quotes, faint=others, words=words, key=key, into_view=True)
    if quotes:
        also = "; underlined: other words quoted from this passage" if others else ""
        st.caption(f"Highlighted: the words quoted{' here' if others else ''}{also}.")
    if passage.url:
        st.caption("Address given by the document")
        st.code(passage.url, language=None, wrap_lines=True)
    if link := web_link(passage.url):
        st.link_button(f"Open the page at {literal(host(link))}", link, icon=":material/open_in_new:")


# The end of a line before one of figures alone: in the text of a report each cell of a table is a line.
_CELL = re.compile(r"(?<!\n)\n(?=[\d$€£¥%(),.\N{EN DASH}\N{EM DASH} -]{1,24}(?:\n|\Z))")


def in_rows(text: str) -> str:
    """Put the figures of a table row behind its label; no character changes its position."""
    return _CELL.sub(" ", text)


def _sound(spans: Iterable[Span]) -> list[Span]:
    return [(start, end) for start, end in spans if 0 <= start < end]


def marked_text(
    text: str,
    *,
    key: str,
    quotes: Iterable[Span] = (),
    faint: Iterable[Span] = (),
    words: Iterable[str] = (),
    into_view: bool = False,
) -> None:
    """`text` as it is, line breaks kept, with quotes highlighted, other quotes and words underlined.

    With `into_view` its first quote is scrolled to, once: for a text in a drawer. On a page, that would be led away.
    """
    parts = marked_parts(text, quotes=quotes, faint=faint, words=words)
    _MARKED_TEXT(key=key, data={"id": key, "parts": parts, "into_view": into_view})


def marked_heading(parts: Sequence[Part], *, legend: Sequence[Part], key: str) -> None:
    """Draw a heading of (text, marks) pairs, and below it a legend of (mark, words) pairs."""
    _MARKED_TEXT(key=key, data={"id": key, "parts": list(parts), "heading": True, "legend": list(legend)})


# Letters from which on a heading scrolls in a box of its own, as in the script.
_LONG = 600


def question_heading(question: str, *, level: int, key: str) -> None:
    """Draw a question as a heading; a very long one scrolls, so that what is below stays in sight."""
    if len(question) > _LONG:
        marked_heading([(visible(question), "")], legend=(), key=key)
    else:
        st.markdown(f"{'#' * level} {literal(question)}", anchors=False)


def _origin(passage: Passage) -> list[str]:
    known = [passage.source, passage.date, passage.place, f"passage {passage.position + 1} of {passage.document_id}"]
    return [part for part in known if part]
