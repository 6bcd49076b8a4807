"""What is known of one candidate: the numbers that the learned ranker reads, named."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import Floats
from adaq_core.retrieval.facets import Matches
from adaq_core.retrieval.lexical import length_norm, weight
from adaq_core.text.tokens import tokens

ARTICLE_FEATURES = (
    "document_clause", "document_clause_rank", "document_words", "own_clause", "own_words", "own_sentence",
    "own_local", "own_local_sentence", "own_rank", "local", "local_sentence", "place_in_document", "parts",
)  # fmt: skip
PASSAGE_FEATURES = (
    "bm25", "bm25_rank", "bm25_of_best", "title_link", "title_weight", "title_sureness", "coverage", "best_sentence",
    "second_sentence", "sentence_bm25", "two_sentences", "header", "title_in_question", "source", "day", "constraint",
    "clause", "clause_mean", "clause_rank", "clause_sentence", "relative", "relative_sentence", "phrases", "bigrams",
    "best_in_document", "share_of_document_best", "first", "position", "length", "page_rank", "page_rank_rank",
    "named_by", "linked_to_named", "document_share", "report",
    "share_of_document_clause", "kin_coverage", "kin_sentence", "kin_relative", *ARTICLE_FEATURES,
)  # fmt: skip
QUESTION_FEATURES = (
    "q_density",
    "q_terms",
    "q_clauses",
    "q_links",
    "q_linked_share",
    "q_demands",
    "q_top",
    "q_relatives",
)
FIRST_FEATURES = PASSAGE_FEATURES + QUESTION_FEATURES


_AT_ONCE = 9_000  # numbers; from 9,216 on OpenBLAS has its threads wait for each other, which takes longer
_MULTIPLIED_AT_ONCE = 250_000  # numbers by numbers, the same of two matrices: from 262,144 on


def product(rows: NDArray[np.bool_], weights: Floats) -> Floats:
    """Return `rows @ weights`, by one thread: the last bit of a sum does not hang on how many a machine has."""
    step = max(_AT_ONCE // max(len(weights), 1) // 4 * 4, 4)
    with np.errstate(invalid="ignore"):  # a kernel may read past its rows; all that it is given is finite
        parts = [rows[start : start + step] @ weights for start in range(0, len(rows), step)]
        product: Floats = np.concatenate(parts) if parts else rows @ weights
    return product


def products(rows: Floats, columns: Floats) -> Floats:
    """Return `rows @ columns`, by one thread, as above: 14 ms of two processors where parts take half of one."""
    most = _MULTIPLIED_AT_ONCE // max(rows.size, 1)
    step = max(most // 4 * 4, 4)
    starts = range(0, columns.shape[1], step)
    parts = [rows @ columns[:, start : start + step] for start in starts]
    products: Floats = np.concatenate(parts, axis=1) if parts else rows @ columns
    return products


class Candidates:
    """The question's terms in each candidate, sentence by sentence."""

    def __init__(self, signals: Signals, positions: Sequence[int]) -> None:
        self.signals = signals
        self.positions = np.array(positions, dtype=np.int64)
        reading = signals.reading
        self.idf = reading.idf
        self.total = max(float(self.idf.sum()), 1e-9)
        self.matches: Matches
        self.matches, self.kin = signals.index.matches(self.positions, signals.kin)
        self.unit = self._any(self.matches.contained)
        self.kin_unit = self._any(self.kin)
        self.header = self.matches.contained[self.matches.starts[:-1]]
        self.relative_masks = [_mask(reading.terms, group) for group in reading.relatives]

    def _any(self, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Per candidate whether any of its pieces holds each term."""
        if len(self.positions) == 0:
            return np.zeros((0, rows.shape[1]), dtype=np.bool_)
        return np.logical_or.reduceat(rows, self.matches.starts[:-1], axis=0)

    @cached_property
    def pieces(self) -> Floats:
        """[pieces x terms] 1 where a piece holds a term, to be weighed."""
        return self.matches.contained.astype(np.float32)

    @cached_property
    def wholes(self) -> Floats:
        """[candidates x terms] the same of each candidate."""
        return self.unit.astype(np.float32)

    def best_piece(self, values: Floats) -> Floats:
        """Per candidate the highest value of its sentences, 0 when it has none; in each column of a matrix."""
        own = values.copy()
        own[self.matches.starts[:-1]] = 0.0
        if len(self.positions):
            return np.maximum.reduceat(own, self.matches.starts[:-1], axis=0)
        return own

    def coverage(self, rows: NDArray[np.bool_], mask: Floats | None = None) -> Floats:
        """The idf share of the question's terms (weighted by `mask`) that each row holds."""
        weights = self.idf if mask is None else self.idf * mask
        total = max(float(weights.sum()), 1e-9)
        if mask is not None:  # of a long question's terms a clause has a few: the other columns are not read
            columns = np.flatnonzero(mask)
            rows, weights = rows[:, columns], weights[columns]
        return (product(rows, weights) / total).astype(np.float32)


def passage_features(pool: Candidates) -> Floats:
    """The matrix [candidates x FIRST_FEATURES]."""
    if len(pool.positions) == 0:
        return np.zeros((0, len(FIRST_FEATURES)), dtype=np.float32)
    columns = {**_lexical(pool), **_titles(pool), **_constraints(pool), **_place(pool), **_links(pool)}
    columns |= article_columns(pool)
    rows = np.stack([columns[name] for name in PASSAGE_FEATURES], axis=1)
    shared = np.broadcast_to(_question(pool), (len(rows), len(QUESTION_FEATURES)))
    return np.concatenate([rows, shared], axis=1).astype(np.float32)


def ranks(values: Floats) -> Floats:
    """1 / (1 + how many are higher): 1 for the best."""
    order = np.sort(values)
    higher = len(values) - np.searchsorted(order, values, side="right")
    return (1.0 / (1.0 + higher)).astype(np.float32)


def _lexical(pool: Candidates) -> dict[str, Floats]:
    bm25 = pool.signals.bm25.of(pool.positions)
    sentences = pool.coverage(pool.matches.contained)
    best = pool.best_piece(sentences)
    return {
        "bm25": bm25 / pool.total,
        "bm25_rank": ranks(bm25),
        "bm25_of_best": bm25 / pool.signals.top,
        "coverage": pool.coverage(pool.unit),
        "best_sentence": best,
        "second_sentence": _second(pool, sentences),
        "sentence_bm25": pool.best_piece(_sentence_bm25(pool)),
        "two_sentences": _neighbours(pool),
        "header": pool.coverage(pool.header),
        "kin_coverage": pool.coverage(pool.kin_unit),
        "kin_sentence": pool.best_piece(pool.coverage(pool.kin)),
        "kin_relative": pool.best_piece(_best_relative(pool, pool.kin)),
        "bigrams": _bigrams(pool),
        "phrases": _phrases(pool),
        "relative": _best_relative(pool, pool.unit),
        "relative_sentence": pool.best_piece(_best_relative(pool, pool.matches.contained)),
        "length": np.log1p(np.add.reduceat(pool.matches.sizes, pool.matches.starts[:-1])).astype(np.float32),
    }


def _second(pool: Candidates, values: Floats) -> Floats:
    """The second-best sentence of each candidate."""
    own = values.copy()
    starts = pool.matches.starts
    own[starts[:-1]] = 0.0
    owner = np.repeat(np.arange(len(pool.positions)), np.diff(starts))
    order = np.lexsort((-own, owner))
    second = np.minimum(starts[:-1] + 1, starts[1:] - 1)
    return np.where(np.diff(starts) > 2, own[order][second], 0.0).astype(np.float32)


def _sentence_bm25(pool: Candidates) -> Floats:
    """BM25 of each sentence (b = 0.3, against eighteen terms), as a share of the question's idf.

    A sentence holds a term or does not: its frequency is 1.
    """
    rarity = product(pool.matches.contained, pool.idf)
    norm = length_norm(pool.matches.sizes, 18.0, b=0.3)
    score: Floats = weight(rarity, 1.0, norm) / pool.total
    return score.astype(np.float32)


def _neighbours(pool: Candidates) -> Floats:
    """The best coverage by two sentences that follow each other."""
    contained = pool.matches.contained
    both = contained.copy()
    both[:-1] |= contained[1:]
    last = pool.matches.starts[1:] - 1
    both[last] = contained[last]
    return pool.best_piece(pool.coverage(both))


def _bigrams(pool: Candidates) -> Floats:
    """The share of the question's neighbouring term pairs that the passage has side by side, by idf."""
    number = {term: i for i, term in enumerate(pool.signals.reading.terms)}
    numbers = [number[term] for term in tokens(pool.signals.reading.text)]
    pairs = {(a, b) for a, b in pairwise(numbers) if a != b}
    if not pairs:
        return np.zeros(len(pool.positions), dtype=np.float32)
    size = len(number)
    hits = pool.matches.hits
    left = hits[:-1]
    right = hits[1:]
    both = (left >= 0) & (right >= 0)
    code = np.where(both, left * size + right, -1)
    wanted = np.array(sorted(a * size + b for a, b in pairs), dtype=np.int64)
    weight = np.array([pool.idf[c // size] + pool.idf[c % size] for c in wanted], dtype=np.float32)
    place = np.minimum(np.searchsorted(wanted, code), len(wanted) - 1)
    results = np.flatnonzero(wanted[place] == code)
    passage = np.searchsorted(pool.matches.starts, pool.matches.owner[results], side="right") - 1
    contained = np.zeros((len(pool.positions), len(wanted)), dtype=np.bool_)
    contained[passage, place[results]] = True
    return (product(contained, weight) / max(float(weight.sum()), 1e-9)).astype(np.float32)


def _phrases(pool: Candidates) -> Floats:
    """The best share of a quoted phrase that one sentence holds."""
    return pool.best_piece(_share_of(pool, pool.signals.reading.phrases, pool.matches.contained))


def _best_relative(pool: Candidates, rows: NDArray[np.bool_]) -> Floats:
    return _share_of(pool, pool.signals.reading.relatives, rows)


def _share_of(pool: Candidates, groups: Sequence[Sequence[str]], rows: NDArray[np.bool_]) -> Floats:
    best = np.zeros(len(rows), dtype=np.float32)
    for group in groups:
        best = np.maximum(best, pool.coverage(rows, _mask(pool.signals.reading.terms, group)))
    return best


def _mask(terms: Sequence[str], group: Sequence[str]) -> Floats:
    members = set(group)
    return np.array([term in members for term in terms], dtype=np.float32)


def _titles(pool: Candidates) -> dict[str, Floats]:
    signals = pool.signals
    documents = signals.documents(pool.positions).tolist()
    links: dict[int, tuple[float, float]] = {}
    for link in signals.reading.links:
        known = links.get(link.document, (0.0, 0.0))
        links[link.document] = max(known, (link.weight, link.sureness))
    pairs = np.array([links.get(document, (0.0, 0.0)) for document in documents], dtype=np.float32)
    sizes = pool.matches.sizes[pool.matches.starts[:-1]]
    return {
        "title_link": pairs[:, 0] * pairs[:, 1],
        "title_weight": pairs[:, 0],
        "title_sureness": pairs[:, 1],
        "title_in_question": (pool.header.sum(axis=1) / np.maximum(sizes, 1)).astype(np.float32),
    }


def _constraints(pool: Candidates) -> dict[str, Floats]:
    signals, at = pool.signals, pool.positions
    none = np.zeros(len(at), dtype=np.float32)
    scores: Floats = np.stack([score.of(at) for score in signals.clause_scores] or [none])
    own = np.stack([ranks(row) for row in scores])
    terms = [clause.terms for clause in signals.reading.clauses]
    return {
        "source": signals.any_source(at).astype(np.float32),
        "day": signals.any_day(at).astype(np.float32),
        "constraint": signals.allowed(at),
        "report": signals.pair_match(at).astype(np.float32),
        "share_of_document_clause": _share_of_document(signals, at, scores),
        "clause": scores.max(axis=0).astype(np.float32),
        "clause_mean": scores.mean(axis=0).astype(np.float32),
        "clause_rank": own.max(axis=0),
        "clause_sentence": pool.best_piece(_share_of(pool, terms, pool.matches.contained)),
    }


def _share_of_document(signals: Signals, at: NDArray[np.int64], scores: Floats) -> Floats:
    """The best clause score as a share of the best that a passage of the same document has."""
    top = signals.document_best(at, scores=signals.facet_score)
    share: Floats = (scores.max(axis=0) / np.maximum(top, 1e-9)).astype(np.float32)
    return share


def _place(pool: Candidates) -> dict[str, Floats]:
    signals, at = pool.signals, pool.positions
    first = signals.index.firsts_of(signals.documents(at))
    position = (at - first).astype(np.float32)
    own = signals.bm25.of(at)
    tops = signals.document_best(at)
    return {
        "best_in_document": (own >= tops).astype(np.float32),
        "share_of_document_best": own / np.maximum(tops, 1e-9),
        "first": (position == 0).astype(np.float32),
        "position": np.log1p(position),
        "document_share": tops / signals.top,
    }


def _links(pool: Candidates) -> dict[str, Floats]:
    signals, at = pool.signals, pool.positions
    rank = signals.page_rank.of(at)
    return {
        "page_rank": rank / max(float(rank.max(initial=0.0)), 1e-9),
        "page_rank_rank": ranks(rank),
        "named_by": np.log1p(signals.index.naming(at)),
        "linked_to_named": signals.near_named(at),
    }


def _question(pool: Candidates) -> Floats:
    reading = pool.signals.reading
    linked = sum({link.key: link.weight for link in reading.links}.values())
    values = (
        min(pool.signals.index.link_density, 3.0), len(reading.terms), len(reading.clauses),
        len({link.key for link in reading.links}), linked, len(reading.demands), pool.signals.top / pool.total,
        len(reading.relatives),
    )  # fmt: skip
    return np.array(values, dtype=np.float32)


def article_columns(pool: Candidates) -> dict[str, Floats]:
    """The columns of ARTICLE_FEATURES for the candidates."""
    signals = pool.signals
    documents, group = np.unique(signals.documents(pool.positions), return_inverse=True)
    firsts = signals.index.firsts_of(documents)
    parts = signals.index.sizes_of(documents).astype(np.float32)
    counts = signals.index.held_in(signals.reading.terms, documents)
    masks = _masks(pool)
    share = counts / (counts + 1.0) * 2.0
    often = share.astype(np.float32, copy=False)
    words = products(masks, often).astype(np.float32)
    clause = _with_metadata(signals, words, documents)
    own = clause.argmax(axis=0)
    rarities = np.log1p(parts / np.maximum(counts, 1.0)) / np.log1p(parts)
    rarity = rarities.T[group].astype(np.float32)
    mine = masks[own][group]
    return {
        "document_clause": clause.max(axis=0)[group],
        "document_clause_rank": np.stack([_ranks(row) for row in clause]).max(axis=0)[group],
        "document_words": words.max(axis=0)[group],
        "own_clause": _own_clause(pool, own[group]),
        "own_words": _weigh(pool.wholes, mine),
        "own_sentence": _best_piece(pool, mine),
        "own_local": _weigh(pool.wholes, mine * rarity),
        "own_local_sentence": _best_piece(pool, mine * rarity),
        "own_rank": _rank_within(signals, pool.positions, own[group]),
        "local": _weigh(pool.wholes, rarity * pool.idf / pool.total),
        "local_sentence": _best_piece(pool, rarity * pool.idf / pool.total),
        "place_in_document": ((pool.positions - firsts[group]) / parts[group]).astype(np.float32),
        "parts": np.log(parts)[group],
    }


def _masks(pool: Candidates) -> Floats:
    """[clauses x terms]: the share of each term in its clause, by idf; one row for the question without clauses."""
    terms = pool.signals.reading.terms
    groups = [set(clause.terms) for clause in pool.signals.reading.clauses] or [set(terms)]
    rows = np.array([[float(term in members) for term in terms] for members in groups], dtype=np.float32)
    weights = rows.reshape(len(groups), len(terms)) * pool.idf
    shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
    return shares


def _with_metadata(signals: Signals, words: Floats, documents: NDArray[np.int32]) -> Floats:
    """[clauses x documents]: words, source and day together; each clause's best has 1."""
    scores = words.copy()
    for row, clause in enumerate(signals.reading.clauses):
        for preference in signals.preferences(clause):
            scores[row] += preference.gain(signals.index.codes_of(preference.facet, documents))
    shares: Floats = scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    return shares


def _own_clause(pool: Candidates, own: NDArray[np.int64]) -> Floats:
    """The score of each candidate for the clause that its document answers best."""
    scores = pool.signals.clause_scores
    if not scores:
        return pool.signals.bm25.of(pool.positions) / pool.signals.top
    every = np.stack([score.of(pool.positions) for score in scores])
    return every[own, np.arange(len(own))]


def _rank_within(signals: Signals, positions: NDArray[np.int64], own: NDArray[np.int64]) -> Floats:
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


def _weigh(contained: Floats, weights: Floats) -> Floats:
    weight: Floats = np.einsum("ct,ct->c", contained, weights).astype(np.float32)
    return weight


def _best_piece(pool: Candidates, weights: Floats) -> Floats:
    """The most weight that one sentence of each candidate holds."""
    pieces = np.repeat(np.arange(len(pool.positions)), np.diff(pool.matches.starts))
    return pool.best_piece(_weigh(pool.pieces, weights[pieces]))


def _ranks(values: Floats) -> Floats:
    order = np.sort(values)
    return (1.0 / (1.0 + len(values) - np.searchsorted(order, values, side="right"))).astype(np.float32)
