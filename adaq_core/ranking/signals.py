"""What the question alone tells of passages: words, clauses, constraints, PageRank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.question.reading import Clause, Reading
from adaq_core.retrieval import DAY, Blend, Corpus, Demand, Floats, Highest, Name, Places, Preference, Scores, Steps
from adaq_core.retrieval.facets import ranges
from adaq_core.retrieval.index import Vectors as Searched
from adaq_core.retrieval.index import score_of
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import tokens, words

Similarities = NDArray[np.float64]
Flags = NDArray[np.bool_]
Longs = NDArray[np.int64]

OWN_SOURCE, NAMED_SOURCE = 0.35, 0.25
OWN_DAY, NAMED_DAY = 0.30, 0.15
OFF_VALUE = 0.2  # factor on a passage without the value asked for
SEEDS, TITLE_SEED = 20, 4.0
_SOURCE = "source"


class Signals:
    """Scores of passages for one question, asked of the corpus when first needed; passages go by place."""

    def __init__(self, index: Corpus, reading: Reading) -> None:
        self.index = index
        self.reading = reading
        self._terms = tuple(tokens(reading.text))
        self.bm25: Scores = index.weigh(Counter(self._terms))
        self._residuals: dict[tuple[int, ...], Scores] = {}
        self._own_names: dict[int, frozenset[int]] = {}
        self._names: dict[int, Name] = {}

    @cached_property
    def top(self) -> float:
        """The highest BM25, to divide by."""
        return max(self.bm25.top, 1e-9)

    def documents(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        return self.index.documents_of(places)

    def places_of(self, document: int) -> range:
        """The places of a document's passages."""
        first = int(self.index.firsts_of([document])[0])
        size = int(self.index.sizes_of([document])[0])
        return range(first, first + size)

    def name(self, number: int) -> Name:
        """What is known of a name that passages mention."""
        if number not in self._names:
            self._names[number] = self.index.name(number)
        return self._names[number]

    @cached_property
    def titles(self) -> dict[int, float]:
        """Document → how strongly the question names it: share of the question times sureness."""
        results: dict[int, float] = {}
        for link in self.reading.links:
            results[link.document] = max(results.get(link.document, 0.0), link.weight * link.sureness)
        return results

    @cached_property
    def best_units(self) -> dict[int, int]:
        """The passage of each named document that matches the question best; the first on a tie."""
        named = list(self.titles)
        return dict(zip(named, self.best_of(named, self.bm25.of).tolist(), strict=True))

    def best_of(self, documents: Places, score: Callable[[Places], Floats]) -> Longs:
        """The passage of each document with the highest score; the first on a tie."""
        places, begins = self.within(documents)
        if not len(begins):
            return begins
        values = score(places)
        groups = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(places))))
        order = np.lexsort((places, -values, groups))
        chosen: Longs = places[order][begins]
        return chosen

    def document_best(self, positions: Longs, *, scores: Scores | None = None) -> Floats:
        """The highest score (BM25 by default) that any passage of the document of each position has."""
        places, begins = self.beside(positions)
        return np.maximum.reduceat((self.bm25 if scores is None else scores).of(places), begins)

    def beside(self, positions: Longs) -> tuple[Longs, Longs]:
        """All passages of the document of each position, one range after another, and where each range begins."""
        return self.within(self.documents(positions))

    def within(self, documents: Places) -> tuple[Longs, Longs]:
        """All passages of each document, one range after another, and where each range begins."""
        counts = self.index.sizes_of(documents)
        return ranges(self.index.firsts_of(documents), counts), np.cumsum(counts) - counts

    @cached_property
    def clause_bm25(self) -> tuple[Scores, ...]:
        """BM25 of each clause; the question's own where there is one clause only."""
        clauses = self.reading.clauses
        if len(clauses) <= 1:
            return (self.bm25,) * len(clauses)
        return tuple(self.index.weigh(Counter(clause.terms)) for clause in clauses)

    @cached_property
    def _demands(self) -> tuple[Demand, ...]:
        """The metadata values that are asked for; a source is a preference."""
        wanted: dict[str, list[int]] = {}
        for facet, code in self.reading.demands:
            if facet != _SOURCE:
                wanted.setdefault(facet, []).append(code)
        return tuple(Demand(facet, tuple(codes), OFF_VALUE) for facet, codes in wanted.items())

    def allowed(self, places: Places) -> Floats:
        """1 where a passage has the metadata values that are asked for, times 0.2 for each that it has not."""
        factor = np.ones(len(places), dtype=np.float32)
        documents = self.documents(places)
        for demand in self._demands:
            factor *= demand.share(self.index.codes_of(demand.facet, documents))
        return factor

    def any_source(self, places: Places) -> Flags:
        """Which passages come from a source that the question names."""
        return self._has(_SOURCE, _sources(self.reading.demands), places)

    def any_day(self, places: Places) -> Flags:
        """Which passages are of a day that the question names."""
        return self._has(DAY, self.reading.days, places)

    def _has(self, facet: str, codes: tuple[int, ...], places: Places) -> Flags:
        return np.isin(self.index.codes_of(facet, self.documents(places)), codes)

    def pair_match(self, places: Places) -> Flags:
        """Which passages come from a source on the very day that the question names with it."""
        results = np.zeros(len(places), dtype=np.bool_)
        for source, day in {pair for clause in self.reading.clauses for pair in clause.pairs}:
            if source >= 0 and day >= 0:
                results |= self._has(_SOURCE, (source,), places) & self._has(DAY, (day,), places)
        return results

    @cached_property
    def clause_scores(self) -> tuple[Scores, ...]:
        """How well passages answer each clause: words, its source and its day; each clause's best has 1."""
        several = len(self.reading.clauses) > 1
        blends = [
            Blend(
                ((clause.terms if several else self._terms, 0.5), (self._terms, 0.5)),
                self.preferences(clause),
                self._demands,
            )
            for clause in self.reading.clauses
        ]
        return tuple(self.index.blend(blends))

    def preferences(self, clause: Clause) -> tuple[Preference, Preference]:
        """What source and day are worth for a clause: most where the clause itself names them."""
        own = _sources(clause.demands)
        named = _sources(self.reading.demands)
        return (
            Preference(_SOURCE, ((own, OWN_SOURCE), (named, NAMED_SOURCE))),
            Preference(DAY, ((clause.days, OWN_DAY), (self.reading.days, NAMED_DAY))),
        )

    @cached_property
    def sentence_scores(self) -> tuple[Scores, ...]:
        """BM25 of each sentence of the question."""
        text = self.reading.text
        read = (tokens(text[start:end]) for start, end in sentences(text))
        return tuple(self.index.weigh(Counter(terms)) for terms in read if terms)

    @cached_property
    def facet_score(self) -> Scores:
        """The best clause score of each passage."""
        return Highest(self.clause_scores)

    @cached_property
    def page_rank(self) -> Scores:
        """Personalised PageRank from squared BM25 of the best 20 passages, and from the documents named."""
        first = self.bm25.best(SEEDS)
        weights = ((self.bm25.of(first) / self.top) ** 2).tolist()
        seeds: dict[int, float] = dict(zip(first.tolist(), weights, strict=True))
        for document, weight in self.titles.items():
            unit = self.best_units[document]
            seeds[unit] = seeds.get(unit, 0.0) + TITLE_SEED * weight
        allowed = self.allowed(list(seeds)).tolist()
        return Walk(self.index, {place: w * share for (place, w), share in zip(seeds.items(), allowed, strict=True)})

    @cached_property
    def page_rank_top(self) -> float:
        """The highest PageRank, to divide by."""
        return max(self.page_rank.top, 1e-9)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the question."""
        return frozenset(words(self.reading.text))

    @cached_property
    def rarest(self) -> list[int]:
        """The question's terms (their numbers), rarest first."""
        order: list[int] = np.argsort(-self.reading.idf, kind="stable").tolist()
        return order

    @cached_property
    def kin(self) -> list[list[str]]:
        """Per term of the question itself and its kin (director, directed)."""
        return [self.index.kin(term) for term in self.reading.terms]

    def residual_bm25(self, numbers: tuple[int, ...], places: Places) -> Floats:
        """BM25 of some of the question's terms (by their number), as a share of the best passage's."""
        scores = self.residual(numbers)
        return scores.of(places) / max(scores.top, 1e-9)

    @cached_property
    def of_relatives(self) -> tuple[Scores, ...]:
        """BM25 of the terms of each relative clause."""
        number_of = {term: number for number, term in enumerate(self.reading.terms)}
        clauses = (tuple(number_of[term] for term in clause) for clause in self.reading.relatives)
        return tuple(map(self.residual, clauses))

    def ask_at_once(self) -> None:
        """Have all that the question itself brings searched for together."""
        _ = self.clause_scores, self.clause_bm25, self.of_relatives, self.top

    def residual(self, numbers: tuple[int, ...]) -> Scores:
        """BM25 of some of the question's terms (by their number)."""
        if numbers not in self._residuals:
            self._residuals[numbers] = self.index.weigh(Counter([self.reading.terms[number] for number in numbers]))
        return self._residuals[numbers]

    def own_names(self, position: int) -> frozenset[int]:
        """The names of the document of a passage that occur in it."""
        if position not in self._own_names:
            own = int(self.documents([position])[0])
            mentioned = set(self.index.mentions([position]).names.tolist())
            own_names = (name for name in mentioned if own in dict(self.name(name).documents))
            self._own_names[position] = frozenset(own_names)
        return self._own_names[position]

    def near_named(self, places: Places) -> Floats:
        """The strongest title link of a document that names each passage, or that the passage names."""
        return np.array([self._near.get(int(place), 0.0) for place in places], dtype=np.float32)

    @cached_property
    def _near(self) -> dict[int, float]:
        results: dict[int, float] = {}
        for document, weight in self.titles.items():
            first = self.index.firsts_of([document])
            for links in (self.index.links(first), self.index.linked_from(first)):
                for place, share in zip(links.places.tolist(), links.weights.tolist(), strict=True):
                    results[place] = max(results.get(place, 0.0), weight * share)
        return results


@dataclass(frozen=True, slots=True)
class Push:
    """How far a walk goes; what each value was chosen by: docs/experiments.md, “A walk by local push”."""

    damping: float = 0.5  # share that goes on along links, in [0, 1)
    least: float = 1e-5  # share of all that a passage must hold for each of its links to pass it on
    rounds: int = 12  # after which what goes on is below 1 / 4096


PUSH = Push()


class Walk:
    """Personalised PageRank along links, both ways, from places with weights: local push over the passages reached.

    Andersen, Chung and Lang, “Local Graph Partitioning using PageRank Vectors” (FOCS 2006), with all passages of a
    round pushed at once. The corpus is asked for the links of a passage once, when it first holds enough to push; what
    is left to push at the end counts where it lies.
    """

    def __init__(self, index: Steps, seeds: Mapping[int, float], push: Push = PUSH) -> None:
        self._index, self._push = index, push
        total = max(sum(seeds.values()), 1e-9)
        some = {place: weight / total for place, weight in sorted(seeds.items()) if weight > 0}
        self._number = {place: number for number, place in enumerate(some)}
        self._left = np.array(list(some.values()), dtype=np.float64)
        self._ranks = np.zeros(len(some))
        self._degree = np.ones(len(some), dtype=np.int64)  # 1 until its links were asked for
        self._known = np.zeros(len(some), dtype=np.bool_)  # whether its links are among these:
        self._owner = self._target = np.zeros(0, dtype=np.int64)
        self._share = np.zeros(0)
        for _ in range(push.rounds):
            if not self._round():
                break
        self._ranks += (1 - push.damping) * self._left
        self.top = float(self._ranks.max(initial=0.0))

    def _round(self) -> bool:
        """Push from all passages that hold enough; whether there were any."""
        self._ask(np.flatnonzero(self._holds_enough() & ~self._known))
        passed = np.where(self._holds_enough() & self._known, self._left, 0.0)
        self._ranks += (1 - self._push.damping) * passed
        self._left -= passed
        np.add.at(self._left, self._target, self._push.damping * passed[self._owner] * self._share)
        return bool(passed.any())

    def _holds_enough(self) -> Flags:
        return self._left > self._push.least * self._degree

    def _ask(self, new: Longs) -> None:
        """Ask for the links of some passages; keep those of passages that hold enough for as many as they have."""
        places = np.array(list(self._number), dtype=np.int64)[new]
        owner, targets, weights = _both_ways(self._index, places)
        self._degree[new] = np.maximum(np.bincount(owner, minlength=len(new)), 1)
        self._known[new] = self._holds_enough()[new]
        total = np.bincount(owner, weights, minlength=len(new))
        kept = self._known[new[owner]]
        self._owner = np.concatenate([self._owner, new[owner[kept]]])
        self._share = np.concatenate([self._share, (weights / total[owner])[kept]])
        self._target = np.concatenate([self._target, self._numbers(targets[kept])])

    def _numbers(self, places: Longs) -> Longs:
        """The numbers of some passages, which may be new here."""
        numbers = [self._number.setdefault(place, len(self._number)) for place in places.tolist()]
        new = len(self._number) - len(self._left)
        self._left = np.append(self._left, np.zeros(new))
        self._ranks = np.append(self._ranks, np.zeros(new))
        self._degree = np.append(self._degree, np.ones(new, dtype=np.int64))
        self._known = np.append(self._known, np.zeros(new, dtype=np.bool_))
        return np.array(numbers, dtype=np.int64)

    def of(self, places: Places) -> Floats:
        """The rank of each place; 0 where the walk did not come."""
        ranks = np.zeros(len(places), dtype=np.float32)
        for slot, place in enumerate(places):
            number = self._number.get(int(place))
            if number is not None:
                ranks[slot] = self._ranks[number]
        return ranks

    def best(self, count: int) -> Longs:
        """At most `count` places that were reached, best first, ties by place."""
        places = np.array(list(self._number), dtype=np.int64)
        ordered: Longs = places[np.lexsort((places, -self._ranks))][:count]
        return ordered


def _both_ways(index: Steps, places: Longs) -> tuple[Longs, Longs, Floats]:
    """The links of some passages in both directions: whose (its number among them), where to, and by what weight."""
    numbers = np.arange(len(places))
    parts = index.links(places), index.linked_from(places)
    owners = np.concatenate([np.repeat(numbers, np.diff(part.starts)) for part in parts])
    targets = np.concatenate([part.places for part in parts])
    weights = np.concatenate([part.weights for part in parts])
    return owners, targets, weights


def _sources(demands: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    return tuple(code for facet, code in demands if facet == _SOURCE)


class Vectors(Searched, Protocol):
    """What weighing by meaning needs besides the search."""

    def similarity(self, query: str, passage_ids: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of `query` and each passage."""
        ...

    def encode_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """One row per query; many at once are faster than one by one, and are remembered."""
        ...


class QuerySimilarity:
    """Shares of the best BM25 score among passages, in [0, 1]; with vectors the mean of these and of cosine shares.

    No search is made: candidates come from elsewhere, and live sources are asked there.
    """

    def __init__(self, index: Corpus, text: str, vectors: Vectors | None) -> None:
        self.text = text
        self._index = index
        self._vectors = vectors
        self._words: Scores = index.weigh(Counter(tokens(text)))
        self._other: dict[str, float] = {}
        self._cosines: dict[str, float] = {}

    def of(self, passage_ids: Sequence[str]) -> Similarities:
        """The similarity of each passage."""
        words = _share(np.array(self._scores(passage_ids), dtype=np.float64))
        if self._vectors is None:
            return words
        fresh = [key for key in passage_ids if key not in self._cosines]
        if fresh:
            self._cosines.update(zip(fresh, map(float, self._vectors.similarity(self.text, fresh)), strict=True))
        return (words + _share(np.array([self._cosines[key] for key in passage_ids]))) / 2

    def _scores(self, passage_ids: Sequence[str]) -> list[float]:
        places = {}
        for key in passage_ids:
            place = self._index.place_of(key)
            if place is not None:
                places[key] = place
        scores = self._words.of(list(places.values()))
        known = dict(zip(places, scores.tolist(), strict=True))
        return [known[key] if key in known else self._score(key) for key in passage_ids]

    def _score(self, passage_id: str) -> float:
        """The score of a passage that was fetched from elsewhere."""
        if passage_id not in self._other:
            self._other[passage_id] = score_of(self.text, self._index.passage(passage_id), self._index)
        return self._other[passage_id]


def _share(values: Similarities) -> Similarities:
    top = float(values.max(initial=0.0))
    if top > 0:
        return np.clip(values, 0.0, None) / top
    return np.zeros(len(values))
