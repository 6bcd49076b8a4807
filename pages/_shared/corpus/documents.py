"""The documents of a corpus: a table to search, and the passages of the one that is chosen."""

from __future__ import annotations

import streamlit as st

from adaq_core.corpus.holdings import DocumentRow
from adaq_core.model import CorpusCard, Passage
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.components.marked_text.passage_view import marked_text
from pages._shared.corpus.card import show_card
from pages._shared.corpus.data import document_values, matching, overlaps
from pages._shared.corpus.delete import ask_remove_document

_MOST_PASSAGES = 40


def show(card: CorpusCard) -> None:
    """The table, and beside it the document that is chosen."""
    rows = backend.library().documents(card.name)
    text = st.text_input(
        "Find documents",
        key="corpus_find",
        placeholder="Find documents by title, source, file or date",
        label_visibility="collapsed",
        icon=":material/search:",
        live="300ms",
    )
    found = matching(rows, text or "")
    if not found:
        st.info(
            "No document matches. Use fewer words." if rows else "This corpus has no documents yet. Add some.",
            icon=":material/search_off:",
        )
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        chosen = _table(card, found, of=len(rows))
    with right:
        _document(card, chosen)


def _table(card: CorpusCard, found: list[DocumentRow], *, of: int) -> DocumentRow | None:
    picked = st.dataframe(
        document_values(found),
        hide_index=True,
        key=f"corpus_table_{card.name}",
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": [0]}},
        height=440,
        column_config={
            "Title": st.column_config.TextColumn(width=330),
            "Source": st.column_config.TextColumn(width=110) if len({row.source for row in found}) > 1 else None,
            "Passages": st.column_config.NumberColumn(width=70),
            "Words": st.column_config.NumberColumn(width=70, format="localized"),
            "Note": st.column_config.TextColumn(width=120) if any(row.duplicate_of for row in found) else None,
        },
        alt="Documents of the corpus",
    )
    st.caption(f"{len(found):,} of {count(of, 'document')}")
    rows = picked.selection.rows
    return found[rows[0]] if rows and rows[0] < len(found) else None


def _document(card: CorpusCard, row: DocumentRow | None) -> None:
    if row is None:
        st.caption(":material/arrow_back: Choose a document to see its passages.")
        return
    st.markdown(f"**{literal(row.title or row.document_id)}**")
    st.caption(" · ".join(literal(part) for part in (row.source, row.date, row.file) if part))
    if row.duplicate_of:
        st.caption(f"The same text as {literal(row.duplicate_of)}, which is searched in its place.")
    show_card(card, row)
    if card.name != backend.SAMPLE_CORPUS:
        ask_remove_document(card, row)
    with st.container(border=True):
        _passages(_passages_of(card, row))


def _passages_of(card: CorpusCard, row: DocumentRow) -> list[Passage]:
    index = backend.library().open(card.name)
    return [index.passage(f"{row.document_id}#{number}") for number in range(min(row.passages, _MOST_PASSAGES))]


def _passages(passages: list[Passage]) -> None:
    if any(overlaps(passages)):
        st.caption("Highlighted: words that the passage before holds too.")
    for passage, shared in zip(passages, overlaps(passages), strict=True):
        place = f" · {literal(passage.place)}" if passage.place else ""
        st.caption(f"Passage {passage.position + 1}{place} · characters {passage.start:,} to {passage.end:,}")
        marked_text(passage.text, quotes=[(0, shared)] if shared else [], key=f"corpus_passage_{passage.passage_id}")
