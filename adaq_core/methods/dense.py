"""Dense only: one search by meaning with the question, its first k passages are the evidence.

Karpukhin and others, Dense Passage Retrieval for Open-Domain Question Answering, 2020. Changed: the encoder is a
general sentence encoder (MiniLM by default), not one trained for passages. While the corpus has no vectors yet the
search is by words, and the run says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Event
from adaq_core.loop.single import single_shot
from adaq_core.loop.tools import Tools
from adaq_core.model import QueryAspect
from adaq_core.retrieval.retriever import DocumentRetriever

NEEDS_VECTORS = True


def run(
    question: str, tools: Tools, *, aspects: Sequence[QueryAspect] | None = None, extra: Sequence[str] = ()
) -> Iterator[Event]:
    """Search once by meaning, read, write."""
    retriever = DocumentRetriever(tools.retriever.index, "dense", vectors=tools.vectors)
    return single_shot(question, tools, retriever, aspects=aspects)
