"""Works: the reports, transcripts and articles that passages are parts of, and what that says about a passage.

Evidence that lies in one long document is neither spread nor alone: the passages before and after a good one are often
evidence too, and a discount for the second passage of the work would trade it for passages from anywhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.index import Vectors as Searched
from adaq_core.text.tokens import tokens

_SHARED = 3
_OTHER = 0.5


def subject_of(passage: Passage) -> str:
    """What stands before a colon in the title; empty without one."""
    head, colon, _ = passage.title.partition(": ")
    return head if colon else ""


def held_subjects(passages: Sequence[Passage], question: str) -> NDArray[np.float64]:
    """1.0 for a passage, 0.5 where its title opens with a subject that the question does not name.

    A subject is what stands before a colon in the titles of three documents among `passages`; as long as the question
    names none of them, nothing is held against any.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    heads = [subject_of(passage) for passage in passages]
    for head, passage in zip(heads, passages, strict=True):
        documents[head].add(passage.document_id)
    asked = set(tokens(question))
    subjects = {head for head, held in documents.items() if head and len(held) >= _SHARED}
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

    def __init__(self, index: PassageIndex) -> None:
        self._index = index

    def of(self, passage_id: str) -> str:
        """The name of the work that a passage is a part of."""
        place = self._index.place_of(passage_id)
        return self._index.passage(passage_id).document_id if place is None else f"work {self._index.work_at(place)}"

    def neighbours(self, passage_id: str) -> list[str]:
        """The passages before and after this one in a long work; none in a short one."""
        place = self._index.place_of(passage_id)
        if place is None or self._index.work_size(work := self._index.work_at(place)) < GATHERING.long:
            return []
        around = [near for near in (place - 1, place + 1) if 0 <= near < len(self._index.passages)]
        return [self._index.passages[near].passage_id for near in around if self._index.work_at(near) == work]


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

    def __init__(self, index: PassageIndex, text: str, vectors: Vectors | None) -> None:
        self.text = text
        self._index = index
        self._vectors = vectors
        self._words = index.scores(text)
        self._other: dict[str, float] = {}
        self._cosines: dict[str, float] = {}

    def of(self, passage_ids: Sequence[str]) -> Floats:
        """The nearness of each passage."""
        words = _share(np.array([self._score(key) for key in passage_ids], dtype=np.float64))
        if self._vectors is None:
            return words
        fresh = [key for key in passage_ids if key not in self._cosines]
        if fresh:
            self._cosines.update(zip(fresh, map(float, self._vectors.similarity(self.text, fresh)), strict=True))
        return (words + _share(np.array([self._cosines[key] for key in passage_ids]))) / 2

    def _score(self, passage_id: str) -> float:
        place = self._index.place_of(passage_id)
        if place is not None:
            return float(self._words[place])
        if passage_id not in self._other:
            self._other[passage_id] = self._index.score_of(self.text, self._index.passage(passage_id))
        return self._other[passage_id]


def _share(values: Floats) -> Floats:
    top = float(values.max(initial=0.0))
    return np.clip(values, 0.0, None) / top if top > 0 else np.zeros(len(values))
