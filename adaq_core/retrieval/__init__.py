"""Retrieval: queries to passages. Lexical, dense, fused, and the graph of who names whom."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from adaq_core.model import ScoredPassage


@runtime_checkable
class Retriever(Protocol):
    """Whatever turns a query into scored passages, best first."""

    @property
    def name(self) -> str:
        """What it is called on a run."""
        ...

    def retrieve(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages for `query`, ranks from 1; none when nothing matches."""
        ...
