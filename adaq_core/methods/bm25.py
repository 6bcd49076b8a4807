"""BM25 only: one lexical search with the question, its first k passages are the evidence.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009. The reader and the writer are the
shared ones; no ranking after the search. Nothing was changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Event
from adaq_core.model import QueryAspect
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.services import Services
from adaq_core.stages.stop_policy import single_shot


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Search once by words, read, write."""
    return single_shot(question, services, DocumentRetriever(services.retriever.index), aspects=aspects)
