"""Corpus: what can be searched; look into it, try a search, add documents, delete."""

import streamlit as st

from pages._shared.common import backend
from pages._shared.common.chrome import show_objection
from pages._shared.corpus import add as corpus_add
from pages._shared.corpus import documents as corpus_documents
from pages._shared.corpus import head as corpus_head
from pages._shared.corpus.head import choose_corpus, figures, show_jobs, show_missing, show_problems

VIEWS = {
    "Documents": corpus_documents.show,
    "Try a search": corpus_documents.show_search,
    "Add documents": corpus_add.show,
    "Delete": corpus_head.show,
}

with st.container(horizontal=True, vertical_alignment="center"):
    st.title("Corpus", anchor=False, width="content")
    cards = backend.corpora()
    card = choose_corpus(cards) if cards else None
    if card:
        figures(card)
show_missing()
show_problems(backend.corpus_problems())
looked_at = st.session_state.get("view", st.query_params.get("view"))
show_jobs(card.name if card else "", folded=looked_at != "Add documents")
show_objection()
if card:
    view = st.segmented_control(
        "View",
        [name for name in VIEWS if name != "Delete" or card.name != backend.SAMPLE_CORPUS],
        default="Documents",
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    VIEWS[view](card)
else:
    corpus_add.show(None)
