"""The baselines that search once with the question; its first k passages are the evidence.

One controller under three names: they differ in what the search goes by. The reader and the writer are the shared ones,
and nothing is ranked after the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Event, HopStarted, Noticed, PassagesRetrieved
from adaq_core.model import QueryAspect, Subquery
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, begin, plan_aspects
from adaq_core.stages.stop_policy import conclude

METHODS = ("bm25", "dense", "static")
NEED_VECTORS = ("dense", "static")


def bm25(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """BM25 only: one lexical search with the question, its first k passages are the evidence.

    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009. Nothing was changed.
    """
    return _searched_once(question, services, DocumentRetriever(services.retriever.index), aspects)


def dense(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Dense only: one search by meaning with the question, its first k passages are the evidence.

    Karpukhin and others, Dense Passage Retrieval for Open-Domain Question Answering, 2020. Changed: the encoder is a
    general sentence encoder (MiniLM by default), not one trained for passages. While the corpus has no vectors yet the
    search is by words, and the run says so.
    """
    retriever = DocumentRetriever(services.retriever.index, "dense", vectors=services.vectors)
    return _searched_once(question, services, retriever, aspects)


def static(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Static RAG: one search with the question (words and meaning fused), then the answer.

    The "Basic RAG" of Lewis and others, Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks, 2020:
    retrieve once, then answer. Changed: the answer is written by the shared extractive writer, and without vectors the
    search is by words only, which the run says.
    """
    retriever = DocumentRetriever(services.retriever.index, "hybrid", vectors=services.vectors)
    return _searched_once(question, services, retriever, aspects)


def _searched_once(
    question: str, services: Services, retriever: DocumentRetriever, aspects: Sequence[QueryAspect] | None
) -> Iterator[Event]:
    """Plan (only to be able to judge), search once with the question, read the first k, write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    if retriever.degraded:
        yield Noticed("retrieve", retriever.degraded)
    state = begin(question, services, planned)
    query = Subquery(question, "", "the question itself")
    yield HopStarted(1, (query,), "One search with the question", state.open_aspects())
    hits = retriever.retrieve(question, top_k=max(services.settings.k, DEPTH))
    yield PassagesRetrieved(1, query, retriever.name, tuple(hits), read=min(services.settings.k, len(hits)))
    yield from conclude(state, top_ranked(hits, hop=1, query=question), hits)
