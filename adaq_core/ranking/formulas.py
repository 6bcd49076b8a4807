"""How good a passage is without anything learned: the walk over names, or clauses with their sources and days."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.links import Step
from adaq_core.ranking.scoring import Scoring

Floats = NDArray[np.float32]

_LEADING = 2
_LED = 0.4


def untrained_scores(scoring: Scoring) -> Floats:
    """Shares of the best: the best clause score or, where titles are names, PageRank over the mention graph.

    There, what speaks to words that the first passage leaves open counts more: up to double.
    """
    signals = scoring.signals
    if not scoring.positions:
        return np.zeros(0, dtype=np.float32)
    if not signals.index.graph.is_dense:
        return _share_of_best(signals.facet_score[scoring.positions])
    walk = _share_of_best(signals.page_rank[scoring.positions])
    left = scoring.pool.unit & ~scoring.pool.unit[int(walk.argmax())]
    return _share_of_best(walk * (1 + scoring.pool.coverage(left)))


def _share_of_best(values: Floats) -> Floats:
    return (values / max(float(values.max(initial=0.0)), 1e-9)).astype(np.float32)


def scores_after(scoring: Scoring, steps: Sequence[Step]) -> Floats:
    """The scores after a round of steps: what the best two passages lead to counts for the words that they leave open.

    The walk knows the links between titles only; a step also leads to passages that mention the same name.
    """
    place = {position: number for number, position in enumerate(scoring.positions)}
    top = max(float(scoring.scores.max(initial=0.0)), 1e-9)
    led = np.zeros_like(scoring.scores)
    for parent in scoring.parents[:_LEADING]:
        number = place[parent]
        open_words = tuple(np.flatnonzero(~scoring.pool.unit[number]).tolist())
        found = scoring.signals.residual_bm25(open_words) * float(scoring.scores[number]) / top
        targets = {step.target for step in steps if step.parent == parent}
        for target in targets:
            led[place[target]] = max(led[place[target]], float(found[target]))
    return _share_of_best(np.maximum(scoring.scores, scoring.first + _LED * led))


def link_scores(scoring: Scoring, steps: Sequence[Step]) -> Floats:
    """A step is as good as its two ends."""
    place = {position: number for number, position in enumerate(scoring.positions)}
    return np.array(
        [float(np.sqrt(scoring.scores[place[s.parent]] * scoring.scores[place[s.target]])) for s in steps],
        dtype=np.float32,
    )
