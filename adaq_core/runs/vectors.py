"""The vectors of the corpora of this process: one set for each, made in the background, shared by all runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import cache

from adaq_core.retrieval.dense import PassageVectors
from adaq_core.retrieval.embedders import Embedder, MiniLM, SentenceEncoder
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.jobs import Cancelled, Job, Progress

SMALL = 2_000
WARM_UP = "warm up"
_LOOK_AGAIN = 0.2
_EXIT_SECONDS = 10.0


class VectorShelf:
    """The vectors of the corpora of this process, one set for each version of a corpus, made in the background."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or chosen_embedder()
        self._vectors: dict[str, PassageVectors] = {}
        self._jobs: dict[str, Job[None]] = {}
        self._lock = threading.Lock()

    def vectors(self, index: PassageIndex) -> PassageVectors:
        """The vectors of `index`, as many as there are."""
        with self._lock:
            key = _key(index)
            if key not in self._vectors:
                self._vectors[key] = PassageVectors(index, self._embedder)
            return self._vectors[key]

    def whole(self, index: PassageIndex) -> PassageVectors | None:
        """The vectors of `index` when every passage has one; None while some are missing."""
        vectors = self.vectors(index)
        return vectors if len(index.passages) and vectors.ready >= 1.0 else None

    def job(self, index: PassageIndex) -> Job[None] | None:
        """The work on the vectors of `index`, running or over; None when none was started."""
        return self._jobs.get(_key(index))

    def start(self, index: PassageIndex) -> Job[None]:
        """Make the missing vectors in the background; the job that runs already, when one does."""
        vectors = self.vectors(index)
        with self._lock:
            job = self._jobs.get(_key(index))
            if job is None or job.over:
                job = self._jobs[_key(index)] = embedding_job(vectors).start()
            return job

    def retriever(
        self,
        index: PassageIndex,
        *,
        needs_vectors: bool,
        uses_vectors: bool = False,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> DocumentRetriever:
        """A retriever with the vectors of `index` when all of them are there.

        For a method that needs them the vectors of a small corpus (up to 2,000 passages) are made first. For one that
        uses them the model is loaded now: the time of a run, and its budget, are the method's own.
        """
        whole = self.whole(index)
        if whole is None and needs_vectors and 0 < len(index.passages) <= SMALL:
            job = self.start(index)
            while not job.wait(_LOOK_AGAIN) and not cancelled():
                pass
            whole = self.whole(index)
        if whole is not None and (needs_vectors or uses_vectors):
            whole.search(WARM_UP, 1)
        return DocumentRetriever(index, vectors=whole)


def embedding_job(vectors: PassageVectors) -> Job[None]:
    """The work of making the missing vectors; searching goes on meanwhile, with those that are there."""

    def make(progress: Progress, cancelled: Cancelled) -> None:
        vectors.compute(progress=progress, cancelled=cancelled)
        total = len(vectors.index.passages)
        progress(round(vectors.ready * total), total, "passages have their vectors")

    return Job("embedding", make, total=len(vectors.index.passages), exit_seconds=_EXIT_SECONDS)


def chosen_embedder() -> Embedder:
    """The model that `ADAQ_EMBEDDING_MODEL` names (a sentence-transformers name or folder); MiniLM by default."""
    name = os.environ.get("ADAQ_EMBEDDING_MODEL", "").strip()
    return SentenceEncoder(name) if name else MiniLM()


def _key(index: PassageIndex) -> str:
    return f"{index.card.name}/{index.card.version}"


@cache
def shelf() -> VectorShelf:
    """The shelf of this process."""
    return VectorShelf()
