"""The candidates of one question and their scores, advanced step by step; the same steps serve runs and training."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from adaq_core.question.reading import Reading
from adaq_core.ranking.features import FIRST_FEATURES, Candidates, passage_features, ranks
from adaq_core.ranking.links import MAX_STEPS, PARENTS, Step, ends_of, link_features, steps_from
from adaq_core.ranking.signals import Signals, Walk
from adaq_core.retrieval import Floats

FROM_WORDS, FROM_WALK, FROM_CLAUSE, FROM_RELATIVE = 30, 15, 25, 4
UNITS_PER_TITLE = 2  # passages of a document that the question names
FROM_DOCUMENTS, UNITS_PER_DOCUMENT = 10, 4
LATER_FEATURES = (
    *FIRST_FEATURES, "before", "before_of_best", "before_rank", "link", "second_link", "link_of_best",
    "parent_and_link", "link_out", "walk", "walk_rank", "chain_coverage", "chain_gain", "new_for_top", "first_score",
    "document_chance", "share_in_document", "document_rank", "rank_in_source", "taken_by_others",
)  # fmt: skip


class Scoring:
    """What is known of the candidates so far; scores come from outside, so that any model can give them."""

    def __init__(self, signals: Signals) -> None:
        self.signals = signals
        self.positions: list[int] = []
        self.number_of: dict[int, int] = {}  # of each position among them
        self.pool = Candidates(signals, [])
        self._rows = passage_features(self.pool)
        self.first: Floats = np.zeros(0, dtype=np.float32)
        self.scores: Floats = np.zeros(0, dtype=np.float32)
        self.chain: NDArray[np.bool_] = self.pool.unit
        self.steps: list[Step] = []
        self._steps_of: dict[int, list[Step]] = {}
        self.parents: list[int] = []
        self.rounds = 0

    @property
    def reading(self) -> Reading:
        """The question."""
        return self.signals.reading

    def add(self, positions: Iterable[int]) -> list[int]:
        """Take in candidates; those that are new."""
        new = [p for p in dict.fromkeys(int(position) for position in positions) if p not in self.number_of]
        self.number_of |= {position: number for number, position in enumerate(new, start=len(self.positions))}
        self.positions += new
        return new

    def refresh(self) -> Floats:
        """The first features of all candidates, after candidates were added."""
        self.pool = Candidates(self.signals, self.positions)
        self._rows = passage_features(self.pool)
        return self._rows

    def start(self, first: Floats) -> None:
        """Set the scores that the question alone gives; candidates that have scores of earlier rounds keep them."""
        known = self.scores if self.rounds else first[:0]
        self.first = first
        self.scores = np.concatenate([known, first[len(known) :]]).astype(np.float32)
        chain = self.pool.unit.copy()
        if self.rounds:
            chain[: len(self.chain)] |= self.chain
        self.chain = chain

    def revise(self, scores: Floats) -> None:
        """Set scores that follow from the first ones without a round of steps."""
        self.scores = scores.astype(np.float32)

    def order(self) -> NDArray[np.int64]:
        """Candidate numbers by score, best first, ties by corpus order."""
        return np.lexsort((np.array(self.positions, dtype=np.int64), -self.scores))

    def find_steps(self) -> list[Step]:
        """The steps from the best candidates; their targets become candidates (call `refresh` and `start` then)."""
        best_first = self.order()[:PARENTS]
        self.parents = [self.positions[int(number)] for number in best_first]
        self.ask_ahead()
        for parent, contained in zip(self.parents, self.pool.unit[best_first], strict=True):
            if parent not in self._steps_of:  # the best ones of a round are mostly those of the round before
                self._steps_of[parent] = steps_from(self.signals, parent, contained)
        self.steps = [step for parent in self.parents for step in self._steps_of[parent]][:MAX_STEPS]
        self.add(dict.fromkeys(step.target for step in self.steps))
        return self.steps

    def ask_ahead(self) -> None:
        """Have the names in the best candidates, and what each leaves open, asked for together."""
        best = self.order()[:PARENTS].tolist()
        new = [number for number in best if self.positions[number] not in self._steps_of]
        self.signals.index.mentions([self.positions[number] for number in new])
        for number in new:
            self.signals.residual(tuple(np.flatnonzero(~self.pool.unit[number]).tolist()))

    def step_features(self) -> Floats:
        """The features of the steps found last."""
        return link_features(self.pool, self.steps, self.scores, self.chain, self.parents)

    def later_features(self, links: Floats) -> Floats:
        """The features of all candidates after a round whose steps have the probabilities `links`."""
        columns = self._after(links)
        own = np.stack([columns[name] for name in LATER_FEATURES[len(FIRST_FEATURES) :]], axis=1)
        return np.concatenate([self._rows, own], axis=1).astype(np.float32)

    def _after(self, links: Floats) -> dict[str, Floats]:
        link, second, joint, out = (np.zeros(len(self.positions), dtype=np.float32) for _ in range(4))
        chain = self.chain.copy()
        parent, target = ends_of(self.steps, self.positions)
        order = np.argsort(-links, kind="stable")
        led, first = np.unique(target[order], return_index=True)
        link[led] = links[order[first]]
        chain[led] |= self.chain[parent[order[first]]]
        others = np.delete(order, first)
        np.maximum.at(second, target[others], links[others])
        np.maximum.at(joint, target, links * self.scores[parent])
        np.maximum.at(out, parent, links)
        walk = self._walk()
        return {
            "before": self.scores,
            "before_of_best": self.scores / max(float(self.scores.max(initial=0.0)), 1e-9),
            "before_rank": ranks(self.scores),
            "link": link,
            "second_link": second,
            "link_of_best": link / max(float(link.max(initial=0.0)), 1e-9),
            "parent_and_link": joint,
            "link_out": out,
            "walk": walk / max(float(walk.max(initial=0.0)), 1e-9),
            "walk_rank": ranks(walk),
            "chain_coverage": self.pool.coverage(chain),
            "chain_gain": self.pool.coverage(chain) - self.pool.coverage(self.pool.unit),
            "new_for_top": self._new_for_top(),
            "first_score": self.first,
            **self._company(),
        }

    def _company(self) -> dict[str, Floats]:
        """How a candidate stands among those of its document and of its source."""
        documents = self.signals.documents(self.positions)
        chance, share = in_company(self.scores, documents)
        source = self.signals.index.codes_of("source", documents)
        return {
            "document_chance": chance,
            "share_in_document": share,
            "document_rank": _rank_of_groups(chance, documents),
            "rank_in_source": _rank_within(chance, documents, source),
            "taken_by_others": np.float32(chance[np.unique(documents, return_index=True)[1]].sum()) - chance,
        }

    def _walk(self) -> Floats:
        """PageRank from the present scores, for the candidates."""
        seeds = dict(zip(self.positions, self.scores.tolist(), strict=True))
        return Walk(self.signals.index, seeds).of(self.positions)

    def _new_for_top(self) -> Floats:
        """The idf share of terms that a candidate holds and the best other candidates do not."""
        top = self.order()[:3]
        contained = self.pool.unit
        new = contained & ~contained[top[:2]].any(axis=0)
        for number in top[:2].tolist():
            new[number] = contained[number] & ~contained[top[top != number]].any(axis=0)
        return self.pool.coverage(new)

    def finish_round(self, scores: Floats, links: Floats) -> None:
        """Set the scores after a round; a candidate inherits the terms of the passage that led to it."""
        place = self.number_of
        chain = self.chain.copy()
        reach: dict[int, float] = {}
        for step, value in zip(self.steps, links.tolist(), strict=True):
            target = place[step.target]
            if value > reach.get(target, 0.0):
                reach[target] = value
                chain[target] = self.pool.unit[target] | self.chain[place[step.parent]]
        self.chain = chain
        self.scores = scores.astype(np.float32)
        self.rounds += 1


def in_company(scores: Floats, documents: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """Per candidate the chance that any passage of its document is evidence, and its share of the document's best."""
    _, group = np.unique(documents, return_inverse=True)
    missed = np.bincount(group, weights=np.log1p(-np.clip(scores, 0, 0.999)))
    best_of = np.zeros(len(missed))
    np.maximum.at(best_of, group, scores)
    chance = (1 - np.exp(missed))[group]
    return chance.astype(np.float32), (scores / np.maximum(best_of[group], 1e-9)).astype(np.float32)


def _rank_of_groups(values: Floats, groups: NDArray[np.int32]) -> Floats:
    """1 / rank of each candidate's group by the group's value."""
    first = np.unique(groups, return_index=True)[1]
    order = np.sort(values[first])
    return (1.0 / (1.0 + len(order) - np.searchsorted(order, values, side="right"))).astype(np.float32)


def _rank_within(values: Floats, groups: NDArray[np.int32], kinds: NDArray[np.int32]) -> Floats:
    """The same among the groups of one kind."""
    results = np.zeros(len(values), dtype=np.float32)
    for kind in np.unique(kinds):
        members = kinds == kind
        results[members] = _rank_of_groups(values[members], groups[members])
    return results


def question_candidates(signals: Signals) -> list[int]:
    """The passages that the question itself brings: by words, by name and by clause."""
    result = signals.bm25.best(FROM_WORDS).tolist()
    for document in signals.titles:
        places = signals.places_of(document)
        order = np.argsort(-signals.bm25.of(places), kind="stable")[:UNITS_PER_TITLE]
        result += [places.start + int(number) for number in order]
    if len(signals.reading.clauses) > 1 or signals.reading.demands:
        for clause in signals.clause_scores:
            result += clause.best(FROM_CLAUSE).tolist()
    result += _siblings(signals)
    for relative in signals.of_relatives:
        result += relative.best(FROM_RELATIVE).tolist()
    return list(dict.fromkeys(result))


def walk_candidates(signals: Signals) -> list[int]:
    """The passages that a walk along the names in passages leads to from what the question brings."""
    return signals.page_rank.best(FROM_WALK).tolist() if signals.index.is_linked else []


def _siblings(signals: Signals) -> list[int]:
    """More passages of the long documents that match best: the best match is not always the right passage."""
    results: list[int] = []
    for document in dict.fromkeys(signals.documents(signals.facet_score.best(FROM_DOCUMENTS * 4)).tolist()):
        places = signals.places_of(document)
        if len(places) > UNITS_PER_DOCUMENT and len(results) < FROM_DOCUMENTS * UNITS_PER_DOCUMENT:
            order = np.argsort(-signals.facet_score.of(places), kind="stable")[:UNITS_PER_DOCUMENT]
            results += [places.start + int(number) for number in order]
    return results


_LEADING = 2  # parents whose steps count
_LED = 0.4  # weight of what is led to, beside the first scores


def untrained_scores(scoring: Scoring) -> Floats:
    """Shares of the best: the best clause score or, where titles are names, PageRank along names.

    There, what speaks to words that the first passage leaves open counts more: up to double.
    """
    signals = scoring.signals
    if not scoring.positions:
        return np.zeros(0, dtype=np.float32)
    if not signals.index.is_linked:
        return _share_of_best(signals.facet_score.of(scoring.positions))
    walk = _share_of_best(signals.page_rank.of(scoring.positions))
    left = scoring.pool.unit & ~scoring.pool.unit[int(walk.argmax())]
    return _share_of_best(walk * (1 + scoring.pool.coverage(left)))


def _share_of_best(values: Floats) -> Floats:
    return (values / max(float(values.max(initial=0.0)), 1e-9)).astype(np.float32)


def scores_after(scoring: Scoring, steps: Sequence[Step]) -> Floats:
    """The scores after a round of steps: what the best two passages lead to counts for the words that they leave open.

    The walk knows the links between titles only; a step also leads to passages that mention the same name.
    """
    place = scoring.number_of
    top = max(float(scoring.scores.max(initial=0.0)), 1e-9)
    led = np.zeros_like(scoring.scores)
    for parent in scoring.parents[:_LEADING]:
        number = place[parent]
        open_words = tuple(np.flatnonzero(~scoring.pool.unit[number]).tolist())
        targets = sorted({step.target for step in steps if step.parent == parent})
        result = scoring.signals.residual_bm25(open_words, targets) * float(scoring.scores[number]) / top
        for target, value in zip(targets, result.tolist(), strict=True):
            led[place[target]] = max(led[place[target]], value)
    return _share_of_best(np.maximum(scoring.scores, scoring.first + _LED * led))


def link_scores(scoring: Scoring, steps: Sequence[Step]) -> Floats:
    """A step is as good as its two ends."""
    place = scoring.number_of
    return np.array(
        [float(np.sqrt(scoring.scores[place[s.parent]] * scoring.scores[place[s.target]])) for s in steps],
        dtype=np.float32,
    )
