"""Choosing k passages that together cover the question: each worth less when its document, or its part, is already there.

The novelty term follows xQuAD (Santos, Macdonald and Ounis, WWW 2010) with the question's clauses as sub-topics.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Spread:
    """How selection spreads: the factor for each passage of a work already taken, and how much the clauses weigh."""

    again: float = 0.3
    novelty: float = 0.5
    fade: float = 0.7
    new_source: float = 1.0


def choose(
    worth: Floats,
    *,
    works: NDArray[np.int32],
    clauses: Floats,
    sources: NDArray[np.int32],
    named: frozenset[int],
    count: int,
    spread: Spread,
) -> list[int]:
    """Numbers of the `count` candidates to take, in the order of taking; ties by number.

    `clauses` is [clauses x candidates] with values in [0, 1]; `sources` are source codes, `named` those that the question
    names: a passage of a named source that is not in the set yet counts double.
    """
    match = np.clip((clauses - 0.4) / 0.6, 0.0, 1.0) ** 3
    left = np.ones(len(match), dtype=np.float32)
    taken: list[int] = []
    factor = np.ones(len(worth), dtype=np.float32)
    unseen = np.isin(sources, sorted(named)).astype(np.float32) * spread.new_source
    top = max(float(worth.max(initial=0.0)), 1e-9)
    while len(taken) < min(count, len(worth)):
        value = worth * factor * _novelty(match, left, spread.novelty) + worth * factor * unseen
        value[taken] = -1.0
        pick = int(value.argmax())
        taken.append(pick)
        factor[works == works[pick]] *= spread.again
        unseen[sources == sources[pick]] = 0.0
        left *= 1.0 - spread.fade * match[:, pick] * float(worth[pick]) / top
    return taken


def _novelty(match: Floats, left: Floats, weight: float) -> Floats:
    if len(match) <= 1:
        return np.ones(match.shape[1], dtype=np.float32)
    share = (left[:, None] * match).sum(axis=0) / np.maximum(match.sum(axis=0), 1e-9)
    share = np.where(match.sum(axis=0) > 0, share, left.mean())
    return ((1 - weight) + weight * share).astype(np.float32)


def expected_f1_size(chances: Floats, *, most: int, tail: Floats) -> int:
    """The n <= `most` that maximises the expected F1 of the first n, given their chances and those of all candidates."""
    if not len(chances) or most < 1:
        return 0
    total = float(np.clip(np.sort(tail)[::-1][:30].sum(), 1.0, 6.0))
    taken = np.cumsum(chances[:most])
    return int(np.argmax(2 * taken / (np.arange(1, len(taken) + 1) + total))) + 1
