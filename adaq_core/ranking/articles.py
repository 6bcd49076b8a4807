"""The document that a candidate is part of: how well it answers as a whole, which clause, and where in it.

In an article about one affair its names are in every passage and tell nothing; a word that few of its passages hold
tells which of them to take. So a term weighs less here the more passages of the document hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.signals import Signals

if TYPE_CHECKING:
    from adaq_core.ranking.features import Candidates

Floats = NDArray[np.float32]

ARTICLE_FEATURES = (
    "document_clause", "document_clause_rank", "document_words", "own_clause", "own_words", "own_sentence",
    "own_local", "own_local_sentence", "own_rank", "local", "local_sentence", "place_in_document", "parts",
)  # fmt: skip


def article_columns(pool: Candidates) -> dict[str, Floats]:
    """The columns of ARTICLE_FEATURES for the candidates."""
    signals = pool.signals
    documents, group = np.unique(signals.document_of[pool.positions], return_inverse=True)
    firsts = signals.index.graph.first_of[documents].astype(np.int64)
    parts = signals.parts[documents].astype(np.float32)
    held = signals.held_in[:, documents]
    masks = _masks(pool)
    words = (masks @ (held / (held + 1.0) * 2.0)).astype(np.float32)
    clause = _with_metadata(signals, words, firsts)
    own = clause.argmax(axis=0)
    rarity = (np.log1p(parts / np.maximum(held, 1.0)) / np.log1p(parts)).T[group].astype(np.float32)
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


def _masks(pool: Candidates) -> Floats:
    """[clauses x terms]: the share of each term in its clause, by idf; one row for the question without clauses."""
    terms = pool.signals.reading.terms
    groups = [set(clause.terms) for clause in pool.signals.reading.clauses] or [set(terms)]
    rows = np.array([[float(term in held) for term in terms] for held in groups], dtype=np.float32)
    weights = rows.reshape(len(groups), len(terms)) * pool.idf
    shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares


def _with_metadata(signals: Signals, words: Floats, firsts: NDArray[np.int64]) -> Floats:
    """[clauses x documents]: words, source and day together; each clause's best has 1."""
    scores = words.copy()
    for row, (source, day) in enumerate(signals.clause_metadata):
        scores[row] += source[firsts]
        scores[row] += day[firsts]
    shares: Floats = scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    return shares


def _own_clause(pool: Candidates, own: NDArray[np.int64]) -> Floats:
    """The score of each candidate for the clause that its document answers best."""
    scores = pool.signals.clause_scores
    if not scores:
        return pool.signals.bm25[pool.positions] / pool.signals.top
    return np.stack([score[pool.positions] for score in scores])[own, np.arange(len(own))]


def _rank_within(signals: Signals, positions: NDArray[np.int64], own: NDArray[np.int64]) -> Floats:
    """1 / rank of each candidate among the passages of its document, for the document's own clause."""
    scores = np.stack(signals.clause_scores or (signals.bm25,))
    places, begins = signals.beside(positions)
    counts = signals.parts[signals.document_of[positions]]
    higher = scores[np.repeat(own, counts), places] > np.repeat(scores[own, positions], counts)
    return (1.0 / (1 + np.add.reduceat(higher.astype(np.int64), begins))).astype(np.float32)


def _weigh(held: NDArray[np.bool_], weights: Floats) -> Floats:
    weight: Floats = np.einsum("ct,ct->c", held.astype(np.float32), weights).astype(np.float32)
    return weight


def _best_piece(pool: Candidates, weights: Floats) -> Floats:
    """The most weight that one sentence of each candidate holds."""
    pieces = np.repeat(np.arange(len(pool.positions)), np.diff(pool.matches.starts))
    return pool.best_piece(_weigh(pool.matches.held, weights[pieces]))


def _ranks(values: Floats) -> Floats:
    order = np.sort(values)
    return (1.0 / (1.0 + len(values) - np.searchsorted(order, values, side="right"))).astype(np.float32)
