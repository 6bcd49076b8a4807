"""BM25 over an inverted matrix in numpy: exact, persisted, memory-mapped.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf that Lucene uses,
log(1 + (N - df + .5) / (df + .5)), which is never negative. Weights are computed once, when the index is built.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.text.tokens import tokens

Idf = Literal["lucene", "okapi"]
K1 = 1.2
B = 0.75
KIN_LETTERS, KIN_SPREAD = 5, 3
_ARRAYS = ("starts", "rows", "weights", "idf")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class LexicalIndex:
    """Terms → passages: term `t` has the postings `rows[starts[t]:starts[t + 1]]` (ascending) and their weights."""

    size: int
    vocabulary: dict[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    idf: NDArray[np.float32]

    @classmethod
    def build(
        cls, texts: Iterable[Sequence[str]], *, k1: float = K1, b: float = B, idf: Idf = "lucene"
    ) -> LexicalIndex:
        """Index the token lists of `texts`, in order; an empty collection is an index that finds nothing."""
        vocabulary: dict[str, int] = {}
        ids: list[int] = []
        lengths: list[int] = []
        for text in texts:
            ids.extend([vocabulary.setdefault(token, len(vocabulary)) for token in text])
            lengths.append(len(text))
        flat = np.array(ids, dtype=np.int64)
        return cls.from_ids(flat, np.array(lengths, dtype=np.int64), vocabulary, k1=k1, b=b, idf=idf)

    @classmethod
    def from_ids(
        cls,
        flat: NDArray[np.int64],
        lengths: NDArray[np.int64],
        vocabulary: dict[str, int],
        *,
        k1: float = K1,
        b: float = B,
        idf: Idf = "lucene",
    ) -> LexicalIndex:
        """The same from term ids that lie one after another, `lengths[i]` of them for text i."""
        size, terms = len(lengths), len(vocabulary)
        owner = np.repeat(np.arange(size, dtype=np.int64), lengths)
        pairs, counts = np.unique(flat.astype(np.int64) * max(size, 1) + owner, return_counts=True)
        term, row = pairs // max(size, 1), pairs % max(size, 1)
        df = np.bincount(term, minlength=terms).astype(np.float64)
        worth = _idf(df, size, idf)
        mean = max(float(lengths.mean()), 1e-9) if size else 1.0
        norm = k1 * (1 - b + b * lengths / mean)
        weights = worth[term] * counts * (k1 + 1) / (counts + norm[row]) if len(row) else np.zeros(0)
        starts = np.concatenate([[0], np.cumsum(df.astype(np.int64))]).astype(np.int64)
        return cls(size, vocabulary, starts, row.astype(np.int32), weights.astype(np.float32), worth.astype(np.float32))

    def scores(self, query: str) -> NDArray[np.float32]:
        """The BM25 score of every passage, in corpus order; zeros when no term of `query` is known."""
        return self.term_scores(Counter(tokens(query)))

    def term_scores(self, terms: Counter[str]) -> NDArray[np.float32]:
        """The same for index terms with weights (their counts, or any other numbers)."""
        scores = np.zeros(self.size, dtype=np.float32)
        for term in sorted(terms):
            number = self.vocabulary.get(term)
            if number is not None:
                begin, end = self.starts[number], self.starts[number + 1]
                scores[self.rows[begin:end]] += self.weights[begin:end] * np.float32(terms[term])
        return scores

    def term_idf(self, term: str) -> float:
        """How rare `term` is; 0.0 when the corpus does not hold it."""
        number = self.vocabulary.get(term)
        return 0.0 if number is None else float(self.idf[number])

    def kin(self, term: str) -> list[int]:
        """The terms (numbers) with the first five letters of `term` and nearly its length; itself first."""
        own = [number] if (number := self.vocabulary.get(term)) is not None else []
        if len(term) < KIN_LETTERS or not term.isalpha():
            return own
        terms, stem = _sorted_terms(self), term[:KIN_LETTERS]
        begin = bisect_left(terms, stem)
        near = []
        while begin < len(terms) and terms[begin].startswith(stem):
            if abs(len(terms[begin]) - len(term)) <= KIN_SPREAD and terms[begin] != term:
                near.append(self.vocabulary[terms[begin]])
            begin += 1
        return own + near

    def rows_of(self, term: str) -> NDArray[np.int32]:
        """The passages that hold `term`, ascending."""
        number = self.vocabulary.get(term)
        if number is None:
            return np.zeros(0, dtype=np.int32)
        return self.rows[self.starts[number] : self.starts[number + 1]]

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, one array per file."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        (folder / "terms.json").write_text(json.dumps([self.size, list(self.vocabulary)]), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """The index that `save` wrote, its arrays memory-mapped."""
        try:
            size, terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
            arrays = {
                name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)) for name in _ARRAYS
            }
        except (OSError, ValueError) as error:
            raise CorpusError(f"expected a lexical index in {folder}, got {error}; build the index again") from error
        return cls(size, {term: number for number, term in enumerate(terms)}, **arrays)


def _idf(df: NDArray[np.float64], size: int, kind: Idf) -> NDArray[np.float64]:
    if kind == "lucene":
        return np.log1p((size - df + 0.5) / (df + 0.5))
    worth = np.log(size - df + 0.5) - np.log(df + 0.5)
    floor = 0.25 * (worth.mean() if len(worth) else 0.0)
    return np.where(worth < 0, floor, worth)


_SORTED: WeakKeyDictionary[LexicalIndex, list[str]] = WeakKeyDictionary()


def _sorted_terms(index: LexicalIndex) -> list[str]:
    found = _SORTED.get(index)
    if found is None:
        found = _SORTED[index] = sorted(index.vocabulary)
    return found


def best(scores: NDArray[np.float32], top_k: int) -> NDArray[np.int64]:
    """Positions of the `top_k` highest positive scores, best first, ties by position."""
    hits = np.flatnonzero(scores > 0)
    if len(hits) > 4 * top_k > 0:
        edge = np.partition(scores[hits], len(hits) - top_k)[len(hits) - top_k]
        hits = hits[scores[hits] >= edge]
    return hits[np.lexsort((hits, -scores[hits]))][: max(top_k, 0)]
