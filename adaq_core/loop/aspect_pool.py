"""The candidates of a question whose aspects have words of their own, ranked by question, aspect queries and findings.

A passage is worth `q + 0.3 · finding + 0.2 · query`, scaled to [0, 1]: q is how near it is to the whole question (by
words, and by meaning when the corpus has vectors), finding how well it speaks to the aspect it speaks to best, query
how high an aspect's own query ranked it. Weights: docs/experiments.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adaq_core.model import Finding, Passage, Provenance, RankedPassage, ScoredPassage, Subquery
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import Vectors

_FINDING, _QUERY = 0.3, 0.2
_DEEP = 30


class AspectPool:
    """What a run has found so far, and how good each passage is as evidence; deterministic.

    `findings_of` reads a passage for all aspects.
    """

    name = "by the question, the aspects' own queries and what the passages say"

    def __init__(
        self,
        index: PassageIndex,
        question: str,
        findings_of: Callable[[Passage], Sequence[Finding]],
        *,
        vectors: Vectors | None = None,
    ) -> None:
        self._index = index
        self._question = question
        self._findings_of = findings_of
        self._vectors = vectors
        self._near: dict[str, list[float]] = {}
        self._by_query: dict[str, float] = {}
        self._found: dict[str, float] = {}
        self._came: dict[str, tuple[Passage, Provenance]] = {}

    def ground(self) -> list[ScoredPassage]:
        """The candidates that the question itself brings, by words and by meaning; best first."""
        rankings = [self._index.search(self._question, top_k=_DEEP)]
        if self._vectors is not None:
            rankings.append(self._vectors.search(self._question, _DEEP))
        for place, hits in enumerate(rankings):
            for hit, share in _shares(hits):
                near = self._near.setdefault(hit.passage.passage_id, [0.0] * len(rankings))
                near[place] = share
                self._take(hit.passage, Provenance(1, self._question))
        ordered = sorted(self._near, key=lambda key: (-self._nearness(key), key))
        return [
            ScoredPassage(self._came[key][0], self._nearness(key), rank) for rank, key in enumerate(ordered, start=1)
        ]

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what an aspect's query brought."""
        for hit, share in _shares(hits):
            key = hit.passage.passage_id
            self._by_query[key] = max(share, self._by_query.get(key, 0.0))
            self._take(hit.passage, Provenance(hop, query.text, query.aspect))

    def select(self, k: int) -> list[RankedPassage]:
        """The best `k` candidates that are worth anything, ties by id."""
        scores = {key: self._score(key) for key in self._came}
        order = sorted(scores, key=lambda key: (-scores[key], key))[:k]
        return [self._ranked(key, rank, scores[key]) for rank, key in enumerate(order, start=1)]

    def _take(self, passage: Passage, came: Provenance) -> None:
        key = passage.passage_id
        self._came.setdefault(key, (passage, came))
        if key not in self._found:
            self._found[key] = max((finding.score for finding in self._findings_of(passage)), default=0.0)

    def _nearness(self, key: str) -> float:
        near = self._near.get(key, [])
        return sum(near) / len(near) if near else 0.0

    def _score(self, key: str) -> float:
        raw = self._nearness(key) + _FINDING * self._found[key] + _QUERY * self._by_query.get(key, 0.0)
        return raw / (1 + _FINDING + _QUERY)

    def _ranked(self, key: str, rank: int, score: float) -> RankedPassage:
        passage, came = self._came[key]
        parts = (
            ("question", self._nearness(key)),
            ("finding", self._found[key]),
            ("query", self._by_query.get(key, 0.0)),
        )
        by = f"“{came.query}”" if came.aspect else "the question itself"
        reason = f"found by {by}; near the question {parts[0][1]:.2f}, best finding {parts[1][1]:.2f}"
        return RankedPassage(passage, rank, score, came, parts=parts, reason=reason)


def _shares(hits: Sequence[ScoredPassage]) -> list[tuple[ScoredPassage, float]]:
    """Each hit with its score against the best one, in [0, 1]."""
    best = max((hit.score for hit in hits), default=0.0)
    return [(hit, max(0.0, hit.score / best)) for hit in hits] if best > 0 else []
