"""Works: the reports, transcripts and articles that passages are parts of, and what that says about a passage.

Evidence that lies in one long document is neither spread nor alone: the passages before and after a good one are often
evidence too, and a discount for the second passage of the work would trade it for passages from anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval.index import Vectors as Searched
from adaq_core.retrieval.port import Corpus, Scores
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import tokens

if TYPE_CHECKING:
    from adaq_core.ranking.features import Candidates


_SHARED = 3  # documents with one head: then it is a subject
_OTHER = 0.5  # factor on what is about another subject


def subject_weights(passages: Sequence[Passage], question: str) -> NDArray[np.float64]:
    """1.0 for a passage, 0.5 where its title opens with a subject that the question does not name.

    A subject is what stands before a colon in the titles of three documents among `passages`; as long as the question
    names none of them, nothing is held against any.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    heads = [subject_of(passage) for passage in passages]
    for head, passage in zip(heads, passages, strict=True):
        documents[head].add(passage.document_id)
    asked = set(tokens(question))
    subjects = {head for head, holders in documents.items() if head and len(holders) >= _SHARED}
    named = {head for head in subjects if asked & set(tokens(head))}
    others = subjects - named if named else set[str]()
    return np.array([_OTHER if head in others else 1.0 for head in heads])


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gathering:
    """Numbers measured on qmsum, qmsum-meetings, mtrag, chunkeval and sec10q (docs/experiments.md, “One document”)."""

    best: int = 10  # candidates that are looked at
    share: int = 3  # how many of these make a work one that the evidence is gathered in
    discount: float = 0.7  # for each further passage of any other work; in [0, 1]
    long: int = 10  # passages of a work that has neighbours worth looking at
    neighbour: float = 0.8  # what the better neighbour lends a passage, times the work's share of the best


GATHERING = Gathering()


class Works:
    """The works of some candidates, by passage id; a passage from elsewhere is of its document."""

    def __init__(self, index: Corpus) -> None:
        self._index = index

    def of(self, passage_id: str) -> str:
        """The name of the work that a passage is a part of."""
        place = self._index.place_of(passage_id)
        if place is None:
            return self._index.passage(passage_id).document_id
        return f"work {self._works([place])[0]}"

    def neighbours(self, passage_id: str) -> list[str]:
        """The passages before and after this one in a long work; none in a short one."""
        place = self._index.place_of(passage_id)
        if place is None or self._index.work_size(work := self._works([place])[0]) < GATHERING.long:
            return []
        around = [near for near in (place - 1, place + 1) if 0 <= near < self._index.size]
        same = [near for near, other in zip(around, self._works(around), strict=True) if other == work]
        return [passage.passage_id for passage in self._index.fetch(same)]

    def _works(self, places: Sequence[int]) -> list[int]:
        return [int(work) for work in self._index.works_of(self._index.documents_of(places))]


def gathered(worth: Floats, works: Sequence[str]) -> dict[str, float]:
    """The works that hold at least three of the ten best candidates, and which share of these they hold."""
    first = np.argsort(-worth, kind="stable")[: GATHERING.best]
    counts = Counter(works[place] for place in first)
    return {work: count / GATHERING.best for work, count in counts.items() if count >= GATHERING.share}


def same_work_factors(worth: Floats, works: Sequence[str]) -> Floats:
    """What each candidate's worth is multiplied by for every passage of its work in the set."""
    free = gathered(worth, works)
    return np.array([1.0 if work in free else GATHERING.discount for work in works])


def lent_by_neighbours(near: Floats, keys: Sequence[str], works: Works) -> Floats:
    """What each candidate gains from the better of its neighbours, where the evidence is gathered in its work."""
    names = [works.of(key) for key in keys]
    shares = gathered(near, names)
    known = dict(zip(keys, near.tolist(), strict=True))
    lent = np.zeros(len(keys))
    for place, key in enumerate(keys):
        if share := shares.get(names[place]):
            better = max((known.get(other, 0.0) for other in works.neighbours(key)), default=0.0)
            lent[place] = GATHERING.neighbour * share * better
    return lent


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

    def of(self, passage_ids: Sequence[str]) -> Floats:
        """The nearness of each passage."""
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
            self._other[passage_id] = self._index.score_of(self.text, self._index.passage(passage_id))
        return self._other[passage_id]


def _share(values: Floats) -> Floats:
    top = float(values.max(initial=0.0))
    if top > 0:
        return np.clip(values, 0.0, None) / top
    return np.zeros(len(values))


Ranks = NDArray[np.float32]

ARTICLE_FEATURES = (
    "document_clause", "document_clause_rank", "document_words", "own_clause", "own_words", "own_sentence",
    "own_local", "own_local_sentence", "own_rank", "local", "local_sentence", "place_in_document", "parts",
)  # fmt: skip


def article_columns(pool: Candidates) -> dict[str, Ranks]:
    """The columns of ARTICLE_FEATURES for the candidates."""
    signals = pool.signals
    documents, group = np.unique(signals.documents(pool.positions), return_inverse=True)
    firsts = signals.index.firsts_of(documents)
    parts = signals.index.sizes_of(documents).astype(np.float32)
    counts = signals.index.held_in(signals.reading.terms, documents)
    masks = _masks(pool)
    words = (masks @ (counts / (counts + 1.0) * 2.0)).astype(np.float32)
    clause = _with_metadata(signals, words, documents)
    own = clause.argmax(axis=0)
    rarity = (np.log1p(parts / np.maximum(counts, 1.0)) / np.log1p(parts)).T[group].astype(np.float32)
    mine = masks[own][group]
    return {
        "document_clause": clause.max(axis=0)[group],
        "document_clause_rank": np.stack([_ranks(row) for row in clause]).max(axis=0)[group],
        "document_words": words.max(axis=0)[group],
        "own_clause": _own_clause(pool, own[group]),
        "own_words": _weigh(pool.unit, mine),
        "own_sentence": _best_piece(pool, mine),
        "own_local": _weigh(pool.unit, mine * rarity),
        "own_local_sentence": _best_piece(pool, mine * rarity),
        "own_rank": _rank_within(signals, pool.positions, own[group]),
        "local": _weigh(pool.unit, rarity * pool.idf / pool.total),
        "local_sentence": _best_piece(pool, rarity * pool.idf / pool.total),
        "place_in_document": ((pool.positions - firsts[group]) / parts[group]).astype(np.float32),
        "parts": np.log(parts)[group],
    }


def _masks(pool: Candidates) -> Ranks:
    """[clauses x terms]: the share of each term in its clause, by idf; one row for the question without clauses."""
    terms = pool.signals.reading.terms
    groups = [set(clause.terms) for clause in pool.signals.reading.clauses] or [set(terms)]
    rows = np.array([[float(term in members) for term in terms] for members in groups], dtype=np.float32)
    weights = rows.reshape(len(groups), len(terms)) * pool.idf
    shares: Ranks = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares


def _with_metadata(signals: Signals, words: Ranks, documents: NDArray[np.int32]) -> Ranks:
    """[clauses x documents]: words, source and day together; each clause's best has 1."""
    scores = words.copy()
    for row, clause in enumerate(signals.reading.clauses):
        for preference in signals.preferences(clause):
            scores[row] += preference.gain(signals.index.codes_of(preference.facet, documents))
    shares: Ranks = scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    return shares


def _own_clause(pool: Candidates, own: NDArray[np.int64]) -> Ranks:
    """The score of each candidate for the clause that its document answers best."""
    scores = pool.signals.clause_scores
    if not scores:
        return pool.signals.bm25.of(pool.positions) / pool.signals.top
    every = np.stack([score.of(pool.positions) for score in scores])
    return every[own, np.arange(len(own))]


def _rank_within(signals: Signals, positions: NDArray[np.int64], own: NDArray[np.int64]) -> Ranks:
    """1 / rank of each candidate among the passages of its document, for the document's own clause."""
    scores = signals.clause_scores or (signals.bm25,)
    places, begins = signals.beside(positions)
    counts = np.diff(np.append(begins, len(places)))
    all_own = np.stack([score.of(positions) for score in scores])
    mine = all_own[own, np.arange(len(own))]
    all_beside = np.stack([score.of(places) for score in scores])
    beside = all_beside[np.repeat(own, counts), np.arange(len(places))]
    higher = beside > np.repeat(mine, counts)
    return (1.0 / (1 + np.add.reduceat(higher.astype(np.int64), begins))).astype(np.float32)


def _weigh(contained: NDArray[np.bool_], weights: Ranks) -> Ranks:
    weight: Ranks = np.einsum("ct,ct->c", contained.astype(np.float32), weights).astype(np.float32)
    return weight


def _best_piece(pool: Candidates, weights: Ranks) -> Ranks:
    """The most weight that one sentence of each candidate holds."""
    pieces = np.repeat(np.arange(len(pool.positions)), np.diff(pool.matches.starts))
    return pool.best_piece(_weigh(pool.matches.contained, weights[pieces]))


def _ranks(values: Ranks) -> Ranks:
    order = np.sort(values)
    return (1.0 / (1.0 + len(values) - np.searchsorted(order, values, side="right"))).astype(np.float32)
