"""Trying a search: what a query brings, without a run."""

from __future__ import annotations

import time
from typing import Literal

import streamlit as st

from adaq_core.model import CorpusCard, ScoredPassage
from adaq_core.retrieval.retriever import DocumentRetriever
from pages._shared import backend
from pages._shared.literal_text import seconds
from pages._shared.passage_view import show_passage
from pages._shared.plain import plain, short, visible
from pages._shared.words import count

Mode = Literal["lexical", "dense", "hybrid"]
MODES: dict[Mode, str] = {"lexical": "By words", "dense": "By meaning", "hybrid": "Both"}
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
    if not query or not query.strip():
        st.caption("Type a query to see which passages it brings. No run is made.")
        return
    retriever = DocumentRetriever(
        backend.library().open(card.name), mode or "lexical", vectors=backend.vectors(card.name)
    )
    if retriever.degraded:
        st.warning(plain(retriever.degraded), icon=":material/info:")
    begun = time.perf_counter()
    found = retriever.retrieve(visible(query), top_k=_SHOWN)
    took = time.perf_counter() - begun
    st.caption(f"{count(len(found), 'passage')} by {plain(retriever.name)} in {seconds(took)}")
    if not found:
        st.info("No passage matches. Try other words.", icon=":material/search_off:")
    for scored in found:
        _result(scored, best=found[0].score)


def _result(scored: ScoredPassage, *, best: float) -> None:
    passage = scored.passage
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{scored.rank}. {plain(short(passage.title or passage.document_id, 90))}**", width="stretch")
            st.caption(f"score {scored.score:.3g}", width="content")
            opened = st.button("Read", icon=":material/article:", type="tertiary", key=f"try_{passage.passage_id}")
        if best > 0:
            st.progress(max(0.0, min(1.0, scored.score / best)))
        st.caption(plain(short(passage.text, 260)))
    if opened:
        show_passage(passage)
