"""The Ask page before a question: what it does, an input, what will be searched, questions to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.model import CorpusCard
from pages._shared.ask.next_run import search_popover
from pages._shared.ask.start import begin, leave_run, take_up
from pages._shared.common import backend
from pages._shared.common.chrome import show_objection
from pages._shared.common.meaning import making
from pages._shared.common.text import literal, short
from pages._shared.common.words import ago, count
from pages._shared.run.verdict import ICONS, outcome_words
from pages._shared.settings.dialog import summary_button

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_SHOWN = 12
# The buttons of a row are as tall as the tallest.
_AS_TALL = """<style>
[class*='st-key-ask_sample_'] {align-self: stretch; flex: 1 1 auto}
[class*='st-key-ask_sample_'] :is(.stButton, .stButton > div, [class*='stTooltip'], button) {height: 100%}
</style>"""
_RECENT, _LOOKED_AT = 6, 60
_FITS = 58  # characters of a recent question, beside the longest that is said of it


def show() -> None:
    """Title, input, controls and sample questions."""
    st.title("What do you want to find out?", anchor=False)
    st.caption("ADAQ splits a question into aspects and searches in hops; each hop goes after what is still uncovered.")
    with st.container():  # inside a container the input stands here instead of at the bottom of the window
        st.chat_input("Ask a question with several parts", key="ask_question", on_submit=begin, args=("ask_question",))
    show_objection(at="ask_question")
    cards = backend.corpora()
    if not cards:
        no_corpus()
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        card = corpus_picker(cards)
        st.caption(f"{count(card.documents, 'document')}, {count(card.passages, 'passage')}", width="content")
        search_popover(backend.method_names())
        summary_button("ask_settings")
        st.toggle(
            "Start at once",
            key="ask_at_once",
            persist_state="session",
            help="Start searching as soon as you ask, without showing the aspects for editing first.",
        )
    show_empty(card)
    if line := making(backend.library(), card.name):
        st.caption(f":material/hourglass: {line}")
    _samples(card)
    _recent()


def corpus_picker(cards: list[CorpusCard]) -> CorpusCard:
    """Draw the choice of a corpus and return the card of the chosen one."""
    names = [card.name for card in cards]
    st.session_state.setdefault("ask_corpus", names[0])
    if (wanted := st.session_state.ask_corpus) not in names:
        st.session_state.update(ask_corpus=names[0], ask_corpus_gone=wanted)
    chosen = st.selectbox(
        "Corpus",
        names,
        key="ask_corpus",
        persist_state="session",
        label_visibility="collapsed",
        width=240,
        icon=":material/library_books:",
        on_change=_choose_again,
    )
    return next(card for card in cards if card.name == chosen)


def _choose_again() -> None:
    st.session_state.pop("ask_corpus_gone", None)


def show_empty(card: CorpusCard) -> None:
    """That the corpus which was chosen is gone, or that this one holds nothing to be searched, before a question."""
    if gone := st.session_state.get("ask_corpus_gone"):
        words = f"“{literal(gone)}” was deleted. “{literal(card.name)}” is searched in its place."
        st.warning(words, icon=":material/library_books:")
    if card.passages:
        return
    st.info(f"“{literal(card.name)}” has no documents yet. Add some, or choose another corpus.", icon=":material/info:")
    params = {"corpus": card.name, "view": "Add documents"}
    st.page_link("corpus.py", label="Add documents", icon=":material/arrow_forward:", query_params=params)


def _samples(card: CorpusCard) -> None:
    questions = backend.sample_questions()
    if card.name != backend.SAMPLE_CORPUS or not questions:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Questions to try**", width="stretch")
        params = {"view": "Add documents"}
        st.page_link("corpus.py", label="Add your own documents", icon=":material/upload_file:", query_params=params)
    st.html(_AS_TALL)
    with st.grid(3, min_column_width=300, gap="xsmall"):
        for number, sample in enumerate(questions[:_SHOWN]):
            st.button(
                literal(short(sample.question, 110)),
                key=f"ask_sample_{number}",
                help=literal(sample.note) or None,
                on_click=take_up,
                args=(sample.question,),
                width="stretch",
                wrap=True,
            )


def _recent() -> None:
    """The last questions, each with what its newest run came to; a click opens that run."""
    newest: dict[str, RunRow] = {}
    for row in backend.store().runs(limit=_LOOKED_AT, in_experiment=False):
        if row.group_id is None:  # a run of a comparison was not asked here
            newest.setdefault(row.question, row)
    if not newest:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Recent questions**", width="stretch")
        st.page_link("trace_explorer.py", label="Find an earlier run", icon=":material/search:")
    with st.grid(2, min_column_width=420, gap="xxsmall"):
        for row in list(newest.values())[:_RECENT]:
            outcome = row.outcome
            about = f":gray[:small[{outcome_words(row)} · {ago(row.created_at)}]]"
            st.button(
                f"{ICONS[outcome]} {literal(short(row.question, _FITS))} {about}",
                key=f"ask_recent_{row.run_id}",
                type="tertiary",
                on_click=leave_run,
                kwargs={"run": row.run_id},
            )


def no_corpus() -> None:
    """That there is nothing to be searched, and the way to add something."""
    st.info(
        "There is nothing to search yet. Add files or a folder on the Corpus page.",
        title="No corpus",
        icon=":material/library_books:",
    )
    params = {"view": "Add documents"}
    st.page_link("corpus.py", label="Add documents", icon=":material/arrow_forward:", query_params=params)
