"""Dense only: one search by meaning with the question, its first k passages are the evidence.

Karpukhin and others, Dense Passage Retrieval for Open-Domain Question Answering, 2020. Changed: the encoder is a
general sentence encoder (MiniLM by default), not one trained for passages. While the corpus has no vectors yet the
search is by words, and the run says so.
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
    """Search once by meaning, read, write."""
    retriever = DocumentRetriever(services.retriever.index, "dense", vectors=services.vectors)
    return single_shot(question, services, retriever, aspects=aspects)
