"""The candidates of one run and their worth as evidence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from adaq_core.model import Link, Provenance, QueryAspect, RankedPassage, ScoredPassage, Settings, Subquery
from adaq_core.retrieval.index import PassageIndex


class Vectors(Protocol):
    """Passage vectors of the same corpus, for the dense features."""

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` nearest passages, best first."""
        ...


class EvidencePool:
    """What a run has found so far, and how good each passage is as evidence for the question; deterministic."""

    def __init__(
        self,
        index: PassageIndex,
        question: str,
        aspects: Sequence[QueryAspect],
        settings: Settings,
        *,
        vectors: Vectors | None = None,
    ) -> None:
        self.index = index
        self.question = question
        self.aspects = tuple(aspects)
        self.settings = settings
        self.vectors = vectors
        self._found: dict[str, tuple[Provenance, float]] = {}

    @property
    def name(self) -> str:
        """The ranker that is at work, and why."""
        return "untrained: BM25"

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what a query brought; the first provenance of a passage stays."""
        for hit in hits:
            known = self._found.get(hit.passage.passage_id)
            provenance = known[0] if known else Provenance(hop=hop, query=query.text, aspect=query.aspect)
            self._found[hit.passage.passage_id] = (provenance, max(hit.score, known[1] if known else 0.0))

    def ground(self) -> tuple[ScoredPassage, ...]:
        """The candidates that the question itself brings: the first hop's probe."""
        hits = tuple(self.index.search(self.question, top_k=self.settings.pool))
        self.add(hits, hop=1, query=Subquery(self.question, ""))
        return hits

    def follow_links(
        self, *, hop: int, aspect: QueryAspect | None = None, read: Collection[str] = ()
    ) -> tuple[Link, ...]:
        """One round of links from the best passages; their targets become candidates."""
        return ()

    def ranked(self) -> list[RankedPassage]:
        """All candidates, best first, with their worth in [0, 1]."""
        own = self.index.scores(self.question)
        rows = {key: float(own[self.index.position(key)]) for key in self._found}
        top = max([*rows.values(), 1e-9])
        order = sorted(rows, key=lambda key: (-rows[key], key))
        return [
            RankedPassage(
                passage=self.index.passage(key),
                rank=rank,
                score=rows[key] / top,
                provenance=self._found[key][0],
                parts=(("bm25", rows[key]),),
                reason=f"shares words with the question (BM25 {rows[key]:.1f})",
            )
            for rank, key in enumerate(order, start=1)
        ]

    def select(self, k: int) -> list[RankedPassage]:
        """The evidence of size `k`, then the order goes on."""
        return self.ranked()[: max(k, 10)]

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """The calibrated probability that all the evidence needed is in `evidence`; None when unknown."""
        return None

    def set_size(self, k: int) -> int:
        """How many of the `k` to return as evidence."""
        return k
