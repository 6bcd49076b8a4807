"""The candidates of one question: their scores, advanced step by step, and the k that together cover the question.

The same steps serve runs and training. The novelty term of the choice follows xQuAD (Santos, Macdonald and Ounis,
WWW 2010) with the question's clauses as sub-topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
        result += [places.start, *(places.start + int(number) for number in order)]  # what it is stands at its head
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
    all_alike = np.ones(len(at), dtype=np.float32)
    clauses = [score.of(at) for score in signals.clause_scores] or [all_alike]
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
    likeliest = np.sort(tail)[::-1][:30]
    total = float(np.clip(likeliest.sum(), 1.0, 6.0))
    taken = np.cumsum(chances[:most])
    sizes = np.arange(1, len(taken) + 1)
    return int(np.argmax(2 * taken / (sizes + total))) + 1
