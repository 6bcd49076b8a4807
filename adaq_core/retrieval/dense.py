"""Search by meaning: vectors of the passages of a corpus, made in the background and kept by content."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage, ScoredPassage
from adaq_core.retrieval import Places
from adaq_core.retrieval.embedders import Embedder, Keys, VectorCache, Vectors, content_keys
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import ranked

if TYPE_CHECKING:
    from adaq_core.retrieval.fetched import FetchedCorpus

Progress = Callable[[int, int, str], None]

_STORED_AT_ONCE = 32  # texts whose vectors are stored together
_ENCODED_AT_ONCE = 4  # texts
_QUERIES_KEPT = 4096  # vectors of queries in memory


def embedded_text(passage: Passage) -> str:
    """What is encoded of a passage: its title and its text."""
    return f"{passage.title}. {passage.text}" if passage.title else passage.text


def passage_keys(passages: Iterable[Passage]) -> Keys:
    """The keys that the vectors of passages are stored under."""
    return content_keys([embedded_text(passage) for passage in passages])


class EncodedQueries:
    """Unit vectors of queries, the latest 4,096 kept. Several threads may ask."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Vectors] = OrderedDict()

    def encode(self, queries: Sequence[str]) -> Vectors:
        """One row per query, those not seen lately encoded in one call."""
        with self._lock:
            known = {query: self._known[query] for query in queries if query in self._known}
        fresh = [query for query in dict.fromkeys(queries) if query not in known]
        if fresh:
            known.update(zip(fresh, self.embedder.encode(fresh), strict=True))
        self._keep(known)
        if not known:
            return np.zeros((0, self.embedder.dimension), np.float32)
        return np.stack([known[query] for query in queries])

    def _keep(self, known: Mapping[str, Vectors]) -> None:
        with self._lock:
            for query, vector in known.items():
                self._known[query] = vector
                self._known.move_to_end(query)
            while len(self._known) > _QUERIES_KEPT:
                self._known.popitem(last=False)


class FetchedVectors:
    """The vectors of a corpus that an engine holds, as one run sees them; the same face as `PassageVectors`."""

    ready = 1.0

    def __init__(self, corpus: FetchedCorpus, queries: EncodedQueries) -> None:
        self.index = corpus
        self.embedder = queries.embedder
        self._queries = queries
        corpus.attach(self)

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query` by cosine, best first, ties by id."""
        if top_k < 1:
            return []
        places = np.array(self.index.near(self._vector(query), top_k), dtype=np.int64)
        scores = self._cosines(query, places)
        order = np.lexsort((places, -scores))[:top_k]
        passages = self.index.fetch(places[order])
        values = scores[order].tolist()
        return [ScoredPassage(*hit, rank) for rank, hit in enumerate(zip(passages, values, strict=True), start=1)]

    def expect(self, query: str) -> None:
        """Look for the passages near to `query` with the next round trip."""
        self.index.expect_near(self._vector(query))

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage."""
        return self._cosines(query, [self.index.position(passage_id) for passage_id in passage_ids])

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, those not seen lately encoded in one call."""
        return self._queries.encode(queries)

    def _vector(self, query: str) -> tuple[float, ...]:
        return tuple(self.encode_queries([query])[0].tolist())

    def _cosines(self, query: str, places: Places) -> Vectors:
        rows = self.index.vectors_of(places)
        results: Vectors = rows @ self.encode_queries([query])[0]
        return results


class PassageVectors:
    """The vectors of the passages of an index. Several threads may search while one computes."""

    def __init__(self, index: PassageIndex, embedder: Embedder, cache: VectorCache | None = None) -> None:
        self.index = index
        self.embedder = embedder
        self.cache = VectorCache(embedder.key, embedder.dimension) if cache is None else cache
        self._lock = threading.RLock()
        self.queries = EncodedQueries(embedder)
        self._keys: Keys | None = None
        self._matrix: Vectors = np.zeros((0, 0), np.float32)
        self._have: NDArray[np.bool_] = np.zeros(0, np.bool_)

    @property
    def ready(self) -> float:
        """The share of passages that have a vector, in [0, 1]; 1.0 for an empty corpus."""
        self._prepare()
        return float(self._have.mean()) if len(self._have) else 1.0

    def compute(self, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> int:
        """Make the missing vectors and keep them; how many were made. Whatever stops it, what was made stays."""
        self._prepare(again=True)
        made = 0
        for places in self._batches():
            if (cancelled is not None and cancelled()) or self.index.is_gone():
                break
            self._make(places)
            made += len(places)
            if progress is not None:
                progress(int(self._have.sum()), len(self._have), "passages have their vectors")
        self._prepare(again=True)
        return made

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query` by cosine, best first, ties by id; among those that have a vector."""
        self._prepare()
        have = np.flatnonzero(self._have)
        if not len(have) or top_k < 1:
            return []
        whole = len(have) == len(self._have)
        scores = (self._matrix if whole else self._matrix[have]) @ self.encode_queries([query])[0]
        order = ranked(np.arange(len(scores)), scores, top_k)
        return [
            ScoredPassage(self.index.passages[int(have[place])], float(scores[place]), rank)
            for rank, place in enumerate(order, start=1)
        ]

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage; vectors that are missing are made and kept."""
        self._prepare()
        places = np.array([self.index.position(passage_id) for passage_id in passage_ids], dtype=np.int64)
        missing = np.unique(places[~self._have[places]])
        if len(missing):
            self._make(missing)
        results: Vectors = self._matrix[places] @ self.encode_queries([query])[0]
        return results

    def of(self, places: NDArray[np.integer]) -> Vectors:
        """The vectors of some passages, one row each; zeros for one that has none."""
        self._prepare()
        results: Vectors = self._matrix[places]
        return results

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, those not seen lately encoded in one call."""
        return self.queries.encode(queries)

    def _prepare(self, *, again: bool = False) -> None:
        """Look up what is stored: once, and `again` when others may have added to it."""
        with self._lock:
            if self._keys is None:
                keys = passage_keys(self.index.passages)
                self._matrix = np.zeros((len(keys), self.embedder.dimension), np.float32)
                self._have = np.zeros(len(keys), np.bool_)
                self._keys = keys
            elif not again:
                return
            missing = np.flatnonzero(~self._have)
            result, rows = self.cache.find(self._keys[missing])
            self._matrix[missing[result]] = rows
            self._have[missing[result]] = True

    def _batches(self) -> list[NDArray[np.int64]]:
        """The places without a vector, some at a time, equal texts once."""
        assert self._keys is not None
        missing = np.flatnonzero(~self._have)
        first = np.unique(self._keys[missing], axis=0, return_index=True)[1]
        places = missing[np.sort(first)]
        return [places[start : start + _STORED_AT_ONCE] for start in range(0, len(places), _STORED_AT_ONCE)]

    def _make(self, places: NDArray[np.int64]) -> None:
        """Encode and store the vectors of some passages; the pauses let a waiting query in."""
        assert self._keys is not None
        texts = [embedded_text(self.index.passages[int(place)]) for place in places]
        parts = []
        for start in range(0, len(texts), _ENCODED_AT_ONCE):
            parts.append(self.embedder.encode(texts[start : start + _ENCODED_AT_ONCE]))
            time.sleep(0.0005)
        vectors = np.concatenate(parts)
        self.cache.add(self._keys[places], vectors, unless=self.index.is_gone)
        with self._lock:
            self._matrix[places] = vectors
            self._have[places] = True
