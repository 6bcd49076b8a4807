"""Is all the evidence in the set? A logistic model on the probabilities of the passages in and outside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.scoring import Scoring
from adaq_core.ranking.trees import chance

Floats = NDArray[np.float32]

SET_FEATURES = (
    "p1", "p2", "p3", "p4", "p5", "sum", "outside", "next", "share", "entropy", "uncovered", "density", "links",
    "clauses", "best_link_out", "top_words", "named_sources_met", "weakest_clause", "terms", "rounds",
)  # fmt: skip

# Where passages are linked by names these few carry over to a set that was not trained on; all of them do not.
FEW_FEATURES = ("p2", "p3", "share", "next", "entropy", "best_link_out", "uncovered", "density")


def set_features(scoring: Scoring, chosen: Sequence[int]) -> Floats:
    """What the chosen candidates (numbers, in order) look like as a set."""
    signals, reading = scoring.signals, scoring.reading
    inside = scoring.scores[list(chosen)]
    tops = np.zeros(5, dtype=np.float32)
    ordered = np.sort(inside)[::-1][:5]
    tops[: len(ordered)] = ordered
    rest = np.delete(scoring.scores, list(chosen))
    outside = np.sort(rest)[::-1][:30]
    held = np.array(scoring.pool.unit[list(chosen)].any(axis=0, keepdims=True), dtype=np.bool_)
    positions = [scoring.positions[number] for number in chosen]
    weakest = min((float(score[positions].max(initial=0.0)) for score in signals.clause_scores), default=0.0)
    named = {code for facet, code in reading.demands if facet == "source"}
    total = float(inside.sum() + outside.sum())
    values = (
        *tops, inside.sum(), outside.sum(), outside[0] if len(outside) else 0.0, inside.sum() / max(total, 1e-9),
        float(-(inside * np.log(np.clip(inside, 1e-6, 1))).sum()), 1 - float(scoring.pool.coverage(held)[0]),
        min(signals.index.graph.density, 3.0), len({link.key for link in reading.links}), len(reading.clauses),
        _open_link(scoring, chosen), signals.top / scoring.pool.total, _met(scoring, positions, named), weakest,
        len(reading.terms) / 10, scoring.rounds,
    )  # fmt: skip
    return np.array(values, dtype=np.float32)


def _open_link(scoring: Scoring, chosen: Sequence[int]) -> float:
    """The best chance of a step's target that is not in the set."""
    inside = {scoring.positions[number] for number in chosen}
    place = {position: number for number, position in enumerate(scoring.positions)}
    return max((float(scoring.scores[place[s.target]]) for s in scoring.steps if s.target not in inside), default=0.0)


def _met(scoring: Scoring, positions: Sequence[int], named: set[int]) -> float:
    """The share of the named sources that the set has; 1 when none is named."""
    if not named:
        return 1.0
    codes = scoring.signals.index.facets.codes["source"][scoring.signals.document_of[list(positions)]]
    return len(named & set(codes.tolist())) / len(named)


def columns(names: Sequence[str]) -> list[int]:
    """Where the features of those names stand in a row of `set_features`."""
    return [SET_FEATURES.index(name) for name in names]


def estimate(numbers: dict[str, Any], scoring: Scoring, chosen: Sequence[int]) -> float:
    """The probability that the chosen candidates hold all the evidence."""
    return chance(numbers, set_features(scoring, chosen)[columns(numbers.get("features", SET_FEATURES))])
