"""A corpus ready to be searched: by words always, by meaning where every passage has its vector."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever

if TYPE_CHECKING:
    from adaq_core.retrieval.dense import PassageVectors
    from adaq_core.retrieval.embedders import MiniLM


@dataclass(frozen=True, slots=True)
class _Held:
    index: PassageIndex
    rows: int
    vectors: PassageVectors


_lock = threading.Lock()
_encoder: list[MiniLM] = []
_held: dict[str, _Held] = {}


def retriever_for(index: PassageIndex, *, use_dense: bool) -> DocumentRetriever:
    """What methods search with; it has the vectors of the corpus when they are wanted and all there."""
    return DocumentRetriever(index, vectors=vectors_of(index) if use_dense else None)


def vectors_of(index: PassageIndex) -> PassageVectors | None:
    """The vectors of a corpus, shared by all runs of this process; None while any passage lacks one.

    None is made here, and the model is loaded by the first search. A corpus is looked up again when vectors were added.
    """
    from adaq_core.retrieval.dense import MiniLM, PassageVectors, VectorCache

    with _lock:
        encoder = _encoder[0] if _encoder else MiniLM()
        _encoder[:] = [encoder]
        cache = VectorCache(encoder.key, encoder.dimension)
        rows = len(cache)
        if rows == 0:
            return None
        held = _held.get(index.card.name)
        if held is None or held.index is not index or (held.rows != rows and held.vectors.ready < 1.0):
            held = _held[index.card.name] = _Held(index, rows, PassageVectors(index, encoder, cache))
    return held.vectors if held.vectors.ready >= 1.0 else None
