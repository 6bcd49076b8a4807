"""Static RAG: one search with the question (words and meaning fused), then the answer.

The "Basic RAG" of Lewis and others, Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks, 2020: retrieve
once, then answer. Changed: the answer is written by the shared extractive writer, and without vectors the search is by
words only, which the run says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Event
from adaq_core.model import QueryAspect
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.services import Services
from adaq_core.stages.stop_policy import single_shot

NEEDS_VECTORS = True


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Search once, read, write."""
    retriever = DocumentRetriever(services.retriever.index, "hybrid", vectors=services.vectors)
    return single_shot(question, services, retriever, aspects=aspects)
