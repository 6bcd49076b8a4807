"""How near passages are to a text: by words, and by meaning when the corpus has vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import Vectors as Searched

Floats = NDArray[np.float64]


class Vectors(Searched, Protocol):
    """What weighing by meaning needs besides the search."""

    def similarity(self, query: str, passage_ids: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of `query` and each passage."""
        ...

    def encode_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """One row per query; many at once are faster than one by one, and are remembered."""
        ...


class QuerySimilarity:
    """Shares of the best BM25 score among passages, in [0, 1]; with vectors the mean of these and of cosine shares.

    No search is made: candidates come from elsewhere, and live sources are asked there.
    """

    def __init__(self, index: PassageIndex, text: str, vectors: Vectors | None) -> None:
        self.text = text
        self._index = index
        self._vectors = vectors
        self._words = index.scores(text)
        self._other: dict[str, float] = {}
        self._cosines: dict[str, float] = {}

    def of(self, passage_ids: Sequence[str]) -> Floats:
        """The nearness of each passage."""
        words = _share(np.array([self._score(key) for key in passage_ids], dtype=np.float64))
        if self._vectors is None:
            return words
        fresh = [key for key in passage_ids if key not in self._cosines]
        if fresh:
            self._cosines.update(zip(fresh, map(float, self._vectors.similarity(self.text, fresh)), strict=True))
        return (words + _share(np.array([self._cosines[key] for key in passage_ids]))) / 2

    def _score(self, passage_id: str) -> float:
        place = self._index.place_of(passage_id)
        if place is not None:
            return float(self._words[place])
        if passage_id not in self._other:
            self._other[passage_id] = self._index.score_of(self.text, self._index.passage(passage_id))
        return self._other[passage_id]


def _share(values: Floats) -> Floats:
    top = float(values.max(initial=0.0))
    return np.clip(values, 0.0, None) / top if top > 0 else np.zeros(len(values))
