"""Taking documents out and deleting corpora, each after a question."""

from __future__ import annotations

import streamlit as st

from adaq_core.corpus.holdings import DocumentRow
from adaq_core.errors import AdaqError
from adaq_core.model import CorpusCard
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.corpus.job import start_job


def show(card: CorpusCard) -> None:
    """Deleting the whole corpus."""
    if card.name == backend.SAMPLE_CORPUS:
        st.info("The bundled sample cannot be deleted. Choose one of your own corpora.", icon=":material/lock:")
        return
    st.markdown(
        f"Delete **{literal(card.name)}** with {count(card.documents, 'document')}. The files on your disk stay, and "
        "so do the stored runs; a run keeps the passages that it found."
    )
    if st.button("Delete this corpus", icon=":material/delete:", key="delete_corpus"):
        _confirm_corpus(card)


@st.dialog("Delete the corpus?")
def _confirm_corpus(card: CorpusCard) -> None:
    st.markdown(f"**{literal(card.name)}**, {count(card.documents, 'document')}. This cannot be undone.")
    with st.container(horizontal=True):
        st.button("Delete", icon=":material/delete:", key="delete_corpus_yes", on_click=_delete, args=(card.name,))
        if st.button("Keep it", key="delete_corpus_no"):
            st.rerun()
    if wrong := st.session_state.pop("delete_problem", None):
        st.error(literal(wrong), icon=":material/error:")


def _delete(name: str) -> None:
    """In a callback, because only there may the choices of the page that stand in the address be changed."""
    try:
        backend.library().delete(name)
    except AdaqError as error:
        st.session_state.delete_problem = str(error)
        return
    st.session_state.update(corpus=backend.SAMPLE_CORPUS, view="Documents")
    st.rerun()


def ask_remove_document(card: CorpusCard, row: DocumentRow) -> None:
    """A button that takes one document out, after a question."""
    if st.button("Take out of the corpus", icon=":material/delete:", key="remove_document", type="tertiary"):
        _confirm_document(card, row)


@st.dialog("Take this document out?")
def _confirm_document(card: CorpusCard, row: DocumentRow) -> None:
    st.markdown(f"**{literal(row.title or row.document_id)}** will not be searched any more. Its file is not touched.")
    with st.container(horizontal=True):
        if st.button("Take out", icon=":material/delete:", key="remove_document_yes"):
            library = backend.library()
            start_job(
                card.name,
                f"Taking out {row.title or row.document_id}",
                lambda _progress, _cancelled: library.remove_document(card.name, row.document_id),
            )
            st.rerun()
        if st.button("Keep it", key="remove_document_no"):
            st.rerun()
