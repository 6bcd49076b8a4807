"""Choosing k passages that together cover the question, with less of what is there already.

The novelty term follows xQuAD (Santos, Macdonald and Ounis, WWW 2010) with the question's clauses as sub-topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.scoring import Scoring, in_company
from adaq_core.retrieval import Floats

CLAUSE_POWER = 6  # sharpens scores where no links do


@dataclass(frozen=True, slots=True)
class Spread:
    """How selection spreads.

    `passage` is how much a passage counts for itself; the rest counts for its work, once. `again` is the factor for
    each passage of a work after its second. Both have values for the order past k. The others are for the clauses.
    """

    passage: float = 0.3
    passage_later: float = 0.7
    again: float = 1.0
    again_later: float = 1.0
    novelty: float = 0.8
    fade: float = 0.7
    new_source: float = 1.0


UNTRAINED_SPREAD = Spread(again=0.3, again_later=0.7, novelty=0.5)


def choose(
    utility: Floats,
    *,
    alone: Floats | None = None,
    works: NDArray[np.int32],
    clauses: Floats,
    sources: NDArray[np.int32],
    named: frozenset[int],
    k: int,
    count: int,
    spread: Spread,
) -> list[int]:
    """Numbers of the `count` candidates to take, in the order of taking; ties by number.

    A candidate brings its own worth (`alone`, `worth` when not given) and, once, that of its work (`worth`). `clauses`
    is [clauses x candidates] with values in [0, 1]; `sources` are source codes, `named` those the question names: a
    passage of a named source that is not in the set yet counts double. From `k` on, where the set is full and the order
    only goes on, more passages of the same work are held back less.
    """
    match = np.clip((clauses - 0.4) / 0.6, 0.0, 1.0) ** 3
    left = np.ones(len(match), dtype=np.float32)
    taken: list[int] = []
    unseen = np.isin(sources, sorted(named)).astype(np.float32) * spread.new_source
    top = max(float(utility.max(initial=0.0)), 1e-9)
    chosen_of = np.zeros(len(utility), dtype=np.int64)
    alone = utility if alone is None else alone
    while len(taken) < min(count, len(utility)):
        late = len(taken) >= k
        share, again = (spread.passage_later, spread.again_later) if late else (spread.passage, spread.again)
        of_a_new_work = (1 - share) * utility * (chosen_of == 0)
        of_its_own = share * alone * again ** np.maximum(chosen_of - 1, 0)
        brought = of_a_new_work + of_its_own
        value = brought * (_novelty(match, left, spread.novelty) + unseen)
        value[taken] = -1.0
        pick = int(value.argmax())
        taken.append(pick)
        chosen_of[works == works[pick]] += 1
        unseen[sources == sources[pick]] = 0.0
        left *= 1.0 - spread.fade * match[:, pick] * float(utility[pick]) / top
    return taken


def _novelty(match: Floats, left: Floats, weight: float) -> Floats:
    if len(match) <= 1:
        return np.ones(match.shape[1], dtype=np.float32)
    total = match.sum(axis=0)
    share = (left[:, None] * match).sum(axis=0) / np.maximum(total, 1e-9)
    share = np.where(total > 0, share, left.mean())
    novelty: Floats = ((1 - weight) + weight * share).astype(np.float32)
    return novelty


@dataclass(frozen=True, slots=True)
class Dealing:
    """How passages are dealt out over the sentences of a long text: docs/experiments.md, “Texts of many aspects”."""

    power: float = 0.25  # of the score: one far above the rest must not outweigh a sentence without a passage
    novelty: float = 0.75  # share of the worth that hangs on a sentence that is still open
    least: float = 0.4  # of the sentence's best, from which on a passage answers it; then steeply
    fade: float = 0.7  # what a sentence loses by a passage that is the best for it


DEALING = Dealing()


def dealt_out(utility: Floats, *, near: Floats, works: NDArray[np.int32], count: int) -> list[int]:
    """Numbers of the `count` candidates to take where each sentence speaks of something else; ties by number.

    `near` is [sentences x candidates], shares of each sentence's best passage. A work is taken from once, until all
    have been.
    """
    match = np.clip((near - DEALING.least) / (1 - DEALING.least), 0.0, 1.0) ** 3
    open_ = np.ones(len(match), dtype=np.float32)
    used = np.zeros(len(utility), dtype=np.bool_)
    base = utility**DEALING.power
    taken: list[int] = []
    while len(taken) < min(count, len(utility)):
        left = (open_[:, None] * match).max(axis=0, initial=0.0)
        value = base * (1 - DEALING.novelty + DEALING.novelty * left) - used
        value[taken] = -2.0
        pick = int(value.argmax())
        taken.append(pick)
        used |= works == works[pick]
        open_ *= 1.0 - DEALING.fade * match[:, pick]
    return taken


def _dealt(scoring: Scoring, at: NDArray[np.int64], *, count: int) -> list[int]:
    """The candidates for a long text: one for each of its sentences, the surest first."""
    signals = scoring.signals
    near = [score.of(at) / max(score.top, 1e-9) for score in signals.sentence_scores]
    works = signals.index.works_of(signals.documents(at))
    shares = np.array(near, dtype=np.float32).reshape(len(near), len(at))
    return dealt_out(scoring.scores, near=shares, works=works, count=count)


def choice_of(scoring: Scoring, *, k: int, count: int, learned: bool = True) -> list[int]:
    """Numbers of the candidates to take as evidence of size `k`, and the order that goes on to `count`.

    With learned probabilities, a document is worth the chance that any of its passages is evidence.
    """
    signals = scoring.signals
    at = np.array(scoring.positions, dtype=np.int64)
    if not len(at):
        return []
    if signals.reading.is_beyond and signals.index.is_linked:
        return _dealt(scoring, at, count=count)
    index, documents = signals.index, signals.documents(at)
    clauses = [score.of(at) for score in signals.clause_scores] or [np.ones(len(at), dtype=np.float32)]
    utility = _utility(scoring, documents, learned=learned)
    return choose(
        utility,
        alone=scoring.scores if learned else utility,
        works=index.works_of(documents),
        clauses=np.stack(clauses),
        sources=index.codes_of("source", documents),
        named=frozenset(code for facet, code in signals.reading.demands if facet == "source"),
        k=k,
        count=count,
        spread=Spread() if learned else UNTRAINED_SPREAD,
    )


def _utility(scoring: Scoring, documents: NDArray[np.int32], *, learned: bool) -> Floats:
    """What selection weighs: untrained clause scores lie close together and are spread out first."""
    if not learned:
        return scoring.scores if scoring.signals.index.is_linked else scoring.scores**CLAUSE_POWER
    chance, share = in_company(scoring.scores, documents)
    return chance * share


def size_of(scoring: Scoring, chosen: Sequence[int], *, k: int) -> int:
    """How many of the first `k` that were chosen (by `choice_of`) to return, by learned probabilities: expected F1."""
    documents = scoring.signals.documents(scoring.positions)
    chance, _ = in_company(scoring.scores, documents)
    first = np.unique(documents, return_index=True)[1]
    numbers = list(chosen[:k])
    seen = np.unique(documents[numbers], return_index=True)[1]
    new = np.zeros(len(numbers), dtype=np.float32)
    new[seen] = chance[numbers][seen]
    return expected_f1_size(new, most=k, tail=chance[first])


def expected_f1_size(chances: Floats, *, most: int, tail: Floats) -> int:
    """The n <= `most` with the best expected F1 of the first n, given their chances and those of all candidates."""
    if not len(chances) or most < 1:
        return 0
    total = float(np.clip(np.sort(tail)[::-1][:30].sum(), 1.0, 6.0))
    taken = np.cumsum(chances[:most])
    return int(np.argmax(2 * taken / (np.arange(1, len(taken) + 1) + total))) + 1
