"""Trying a search: what a query brings, without a run."""

from __future__ import annotations

import time
from typing import Literal

import streamlit as st

from adaq_core.model import CorpusCard, ScoredPassage
from adaq_core.retrieval.index import DocumentRetriever
from pages._shared.common import backend
from pages._shared.common.meaning import show_meaning, whole_vectors
from pages._shared.common.text import literal, short, visible
from pages._shared.common.words import count, seconds
from pages._shared.components.marked_text.passage_view import show_passage

Mode = Literal["lexical", "dense", "hybrid"]
MODES: dict[Mode, str] = {"lexical": "By words", "dense": "By meaning", "hybrid": "Both"}
_HOW: dict[Mode, str] = {"lexical": "by words", "dense": "by meaning", "hybrid": "by words and by meaning"}
_SHOWN = 10


def show(card: CorpusCard) -> None:
    """A query, how to search, and what comes back."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        query = st.text_input(
            "Query", key="try_query", bind="query-params", placeholder="Words to search for", max_chars=400
        )
        mode = st.segmented_control(
            "Search",
            list(MODES),
            default="lexical",
            required=True,
            format_func=lambda name: MODES[name],
            key="try_mode",
        )
    show_meaning(backend.library(), card)
    if not query or not query.strip():
        st.caption("Type a query to see which passages it brings. No run is made.")
        return
    retriever = _retriever(card, mode or "lexical")
    if retriever.degraded:
        st.warning("Not all passages have vectors yet, so this searched by words.", icon=":material/info:")
    begun = time.perf_counter()
    found = retriever.retrieve(visible(query), top_k=_SHOWN)
    took = time.perf_counter() - begun
    how = "by words" if retriever.degraded else _HOW[mode or "lexical"]
    st.caption(f"{count(len(found), 'passage')} {how}, in {seconds(took)}")
    if not found:
        st.info("No passage matches. Try other words.", icon=":material/search_off:")
    for scored in found:
        _result(scored)


def _retriever(card: CorpusCard, mode: Mode) -> DocumentRetriever:
    library = backend.library()
    vectors = whole_vectors(library, card.name) if mode != "lexical" else None
    return DocumentRetriever(library.open(card.name), mode, vectors=vectors)


def _result(scored: ScoredPassage) -> None:
    passage = scored.passage
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{scored.rank}. {literal(short(passage.title or passage.document_id, 90))}**", width="stretch"
            )
            st.caption(f"score {scored.score:.3g}", width="content")
            opened = st.button("Read", icon=":material/article:", type="tertiary", key=f"try_{passage.passage_id}")
        st.caption(literal(short(passage.text, 260)))
    if opened:
        show_passage(passage)
