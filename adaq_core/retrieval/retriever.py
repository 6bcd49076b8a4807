"""The public retriever: one index, three ways to search it."""

from __future__ import annotations

from typing import Literal, Protocol

from adaq_core.errors import InputError
from adaq_core.model import ScoredPassage
from adaq_core.retrieval.fusion import fuse
from adaq_core.retrieval.index import PassageIndex

Mode = Literal["lexical", "dense", "hybrid"]


class Vectors(Protocol):
    """What dense search needs: passage vectors of the same corpus."""

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` nearest passages, best first."""
        ...


class DocumentRetriever:
    """Search a passage index by words, by meaning, or by both.

    Without `vectors`, "dense" and "hybrid" search by words and say so in `name` and `degraded`.
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
        return ""

    @property
    def name(self) -> str:
        """The search that really happens: "bm25", "dense", "hybrid", or "bm25 (… not ready)"."""
        if self.degraded:
            return f"bm25 ({self.mode} vectors not ready)"
        return "bm25" if self.mode == "lexical" else self.mode

    def retrieve(self, query: str, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages for `query`, best first."""
        if self.vectors is None or self.mode == "lexical":
            return self.index.search(query, top_k=top_k)
        near = self.vectors.search(query, top_k if self.mode == "dense" else max(top_k, 30))
        if self.mode == "dense":
            return near[:top_k]
        return fuse((self.index.search(query, top_k=max(top_k, 30)), near), top_k=top_k)
