"""Several rankings into one: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""

from __future__ import annotations

from collections.abc import Sequence

from adaq_core.model import ScoredPassage

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
