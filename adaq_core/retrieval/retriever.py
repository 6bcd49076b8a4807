"""The public retriever: one index, three ways to search it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from adaq_core.errors import InputError
from adaq_core.model import ScoredPassage
from adaq_core.retrieval.index import PassageIndex

RRF_K = 60


def fuse(
    rankings: Sequence[Sequence[ScoredPassage]], *, top_k: int, weights: Sequence[float] | None = None
) -> list[ScoredPassage]:
    """The `top_k` passages by the weighted sum of 1 / (60 + rank); ties by passage id."""
    totals: dict[str, float] = {}
    passages = {}
    for weight, ranking in zip(weights or [1.0] * len(rankings), rankings, strict=True):
        for hit in ranking:
            key = hit.passage.passage_id
            passages[key] = hit.passage
            totals[key] = totals.get(key, 0.0) + weight / (RRF_K + hit.rank)
    order = sorted(totals, key=lambda key: (-totals[key], key))[: max(top_k, 0)]
    return [ScoredPassage(passages[key], totals[key], rank) for rank, key in enumerate(order, start=1)]


Mode = Literal["lexical", "dense", "hybrid"]
_DEEP = 30


class Vectors(Protocol):
    """What dense search needs: passage vectors of the same corpus."""

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` nearest passages, best first."""
        ...


class DocumentRetriever:
    """Search a passage index by words, by meaning, or by both.

    Without `vectors`, "dense" and "hybrid" search by words. So does "hybrid" on passages of dated sources, where the
    fusion was measured to be worse than words alone (docs/decisions/hybrid.md). `name` and `degraded` say so.
    """

    def __init__(self, index: PassageIndex, mode: Mode = "lexical", *, vectors: Vectors | None = None) -> None:
        if mode not in ("lexical", "dense", "hybrid"):
            raise InputError(f"mode must be lexical, dense or hybrid, not {mode!r}")
        self.index = index
        self.mode = mode
        self.vectors = vectors

    @property
    def degraded(self) -> str:
        """Why the retriever is not what was asked for; empty when it is."""
        if self.mode != "lexical" and self.vectors is None:
            return f"{self.mode} search needs passage vectors, which are not ready: searching by words"
        if self.mode == "hybrid" and self.index.of_dated_sources:
            return "on passages of dated sources words alone find more than words and meaning: searching by words"
        return ""

    @property
    def name(self) -> str:
        """The search that really happens: "bm25", "dense", "hybrid", or "bm25" with what was asked for."""
        if self.degraded:
            return f"bm25 (for {self.mode}){self.index.also}"
        return f"{'bm25' if self.mode == 'lexical' else self.mode}{self.index.also}"

    def retrieve(self, query: str, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages for `query`, best first."""
        if self.vectors is None or self.mode == "lexical" or self.degraded:
            return self.index.search(query, top_k=top_k)
        near = self.vectors.search(query, top_k if self.mode == "dense" else max(top_k, _DEEP))
        if self.mode == "dense":
            return near[:top_k]
        return fuse((self.index.search(query, top_k=max(top_k, _DEEP)), near), top_k=top_k)
