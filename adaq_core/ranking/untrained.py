"""How good a passage is without anything learned: the walk over names, or clauses with their sources and days."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.links import Step
from adaq_core.ranking.scoring import Scoring

Floats = NDArray[np.float32]


def untrained_scores(scoring: Scoring) -> Floats:
    """Shares of the best: PageRank over the mention graph where titles are names, else the best clause score."""
    signals = scoring.signals
    values = signals.page_rank if signals.index.graph.is_dense else signals.facet_score
    own = values[scoring.positions]
    return (own / max(float(own.max(initial=0.0)), 1e-9)).astype(np.float32)


def link_scores(scoring: Scoring, steps: Sequence[Step]) -> Floats:
    """A step is as good as its two ends."""
    place = {position: number for number, position in enumerate(scoring.positions)}
    return np.array(
        [float(np.sqrt(scoring.scores[place[s.parent]] * scoring.scores[place[s.target]])) for s in steps],
        dtype=np.float32,
    )
