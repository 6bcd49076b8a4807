"""What the question alone tells of every passage: words, clauses, constraints, PageRank."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adaq_core.question.reading import Reading, counted
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import best
from adaq_core.text.tokens import tokens, words

Floats = NDArray[np.float32]

OWN_SOURCE, NAMED_SOURCE = 0.35, 0.25
OWN_DAY, NAMED_DAY = 0.30, 0.15
OFF_VALUE = 0.2
SEEDS, TITLE_SEED = 20, 4.0


class Signals:
    """Scores of all passages for one question, computed when first needed."""

    def __init__(self, index: PassageIndex, reading: Reading) -> None:
        self.index = index
        self.reading = reading
        self.document_of = index.graph.document_of
        self.bm25: Floats = index.lexical.term_scores(counted(_all_terms(reading)))
        self._residuals: dict[tuple[int, ...], Floats] = {}
        self._own_entities: dict[int, frozenset[int]] = {}
        self.top = max(float(self.bm25.max(initial=0.0)), 1e-9)

    @cached_property
    def titles(self) -> dict[int, float]:
        """Document → how strongly the question names it: share of the question times sureness."""
        results: dict[int, float] = {}
        for link in self.reading.links:
            results[link.document] = max(results.get(link.document, 0.0), link.weight * link.sureness)
        return results

    @cached_property
    def best_units(self) -> dict[int, int]:
        """The passage of each named document that matches the question best."""
        return {document: self.best_unit(document) for document in self.titles}

    def best_unit(self, document: int) -> int:
        """The passage of a document that matches the question best; the first on a tie."""
        places = self.index.graph.passages_of(document)
        return places.start + int(self.bm25[places.start : places.stop].argmax())

    def document_best(self, positions: NDArray[np.int64], *, scores: Floats | None = None) -> Floats:
        """The highest score (BM25 by default) that any passage of the document of each position has."""
        places, begins = self.beside(positions)
        return np.maximum.reduceat((self.bm25 if scores is None else scores)[places], begins)

    def beside(self, positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All passages of the document of each position, one range after another, and where each range begins."""
        documents = self.document_of[positions]
        counts = self.parts[documents]
        begins = np.cumsum(counts) - counts
        return np.arange(int(counts.sum())) + np.repeat(self.index.graph.first_of[documents] - begins, counts), begins

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """How many passages each document has."""
        return np.bincount(self.document_of, minlength=len(self.index.graph.first_of))

    @cached_property
    def held_in(self) -> Floats:
        """[terms x documents]: how many passages of each document hold each term of the question."""
        results = np.zeros((len(self.reading.terms), len(self.parts)), dtype=np.float32)
        for row, term in zip(results, self.reading.terms, strict=True):
            row[:] = np.bincount(self.document_of[self.index.lexical.rows_of(term)], minlength=len(row))
        return results

    @cached_property
    def clause_bm25(self) -> tuple[Floats, ...]:
        """BM25 of each clause; the question's own where there is one clause only."""
        clauses = self.reading.clauses
        if len(clauses) <= 1:
            return (self.bm25,) * len(clauses)
        return tuple(self.index.lexical.term_scores(counted(clause.terms)) for clause in clauses)

    @cached_property
    def allowed(self) -> Floats:
        """1 where a passage has the metadata values that are asked for, times 0.2 for each that it has not."""
        factor = np.ones(len(self.bm25), dtype=np.float32)
        wanted: dict[str, list[int]] = {}
        for facet, code in self.reading.demands:
            if facet != "source":
                wanted.setdefault(facet, []).append(code)
        for facet, codes in wanted.items():
            held = self.index.facets.codes[facet][self.document_of]
            factor[~np.isin(held, codes)] *= OFF_VALUE
        return factor

    def source_match(self, demands: tuple[tuple[str, int], ...]) -> NDArray[np.bool_]:
        """Which passages come from one of the demanded sources."""
        codes = [code for facet, code in demands if facet == "source"]
        if not codes:
            return np.zeros(len(self.bm25), dtype=np.bool_)
        return np.isin(self.index.facets.codes["source"], codes)[self.document_of]

    def day_match(self, days: tuple[int, ...]) -> NDArray[np.bool_]:
        """Which passages are of one of the days."""
        if not days:
            return np.zeros(len(self.bm25), dtype=np.bool_)
        return np.isin(self.index.facets.day, days)[self.document_of]

    @cached_property
    def any_source(self) -> NDArray[np.bool_]:
        """Which passages come from a source that the question names."""
        return self.source_match(self.reading.demands)

    @cached_property
    def any_day(self) -> NDArray[np.bool_]:
        """Which passages are of a day that the question names."""
        return self.day_match(self.reading.days)

    @cached_property
    def pair_match(self) -> NDArray[np.bool_]:
        """Which passages come from a source on the very day that the question names with it."""
        results = np.zeros(len(self.bm25), dtype=np.bool_)
        for source, day in {pair for clause in self.reading.clauses for pair in clause.pairs}:
            if source >= 0 and day >= 0:
                results |= self.source_match((("source", source),)) & self.day_match((day,))
        return results

    @cached_property
    def clause_scores(self) -> tuple[Floats, ...]:
        """How well each passage answers each clause: words, its source and its day; each clause's best has 1."""
        parts = zip(self.clause_bm25, self.clause_metadata, strict=True)
        return tuple(self._clause(own, source, day) for own, (source, day) in parts)

    @cached_property
    def clause_metadata(self) -> tuple[tuple[Floats, Floats], ...]:
        """What source and day of each passage are worth for each clause: most where the clause itself names them."""
        return tuple(
            (
                np.where(self.source_match(clause.demands), OWN_SOURCE, NAMED_SOURCE * self.any_source),
                np.where(self.day_match(clause.days), OWN_DAY, NAMED_DAY * self.any_day),
            )
            for clause in self.reading.clauses
        )

    def _clause(self, own: Floats, source: Floats, day: Floats) -> Floats:
        score = 0.5 * own / max(float(own.max(initial=0.0)), 1e-9) + 0.5 * self.bm25 / self.top
        matched = score > 0
        total = np.where(matched, score + source + day, 0.0) * self.allowed
        return (total / max(float(total.max(initial=0.0)), 1e-9)).astype(np.float32)

    @cached_property
    def facet_score(self) -> Floats:
        """The best clause score of each passage."""
        if not self.clause_scores:
            return np.zeros_like(self.bm25)
        highest: Floats = np.max(np.stack(self.clause_scores), axis=0)
        return highest

    @cached_property
    def seeds(self) -> Floats:
        """Where the walk over the mention graph begins: squared BM25 of the best 20, and the documents named."""
        results = np.zeros_like(self.bm25)
        first = best(self.bm25, SEEDS)
        results[first] = (self.bm25[first] / self.top) ** 2
        for document, weight in self.titles.items():
            results[self.best_units[document]] += TITLE_SEED * weight
        return results * self.allowed

    @cached_property
    def page_rank(self) -> Floats:
        """Personalised PageRank from the seeds."""
        return self.index.graph.page_rank(self.seeds)

    @cached_property
    def page_rank_top(self) -> float:
        """The highest PageRank, to divide by."""
        return max(float(self.page_rank.max(initial=0.0)), 1e-9)

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
    def kin(self) -> list[list[int]]:
        """Per term of the question its number and those of its kin (director, directed); -1 for an unknown term."""
        lexical = self.index.lexical
        return [lexical.kin(t) if t in lexical.vocabulary else [-1, *lexical.kin(t)] for t in self.reading.terms]

    def residual_bm25(self, numbers: tuple[int, ...]) -> Floats:
        """BM25 of some of the question's terms (by their number), as a share of the best passage's."""
        if numbers not in self._residuals:
            scores = self.index.lexical.term_scores(counted([self.reading.terms[number] for number in numbers]))
            self._residuals[numbers] = scores / max(float(scores.max(initial=0.0)), 1e-9)
        return self._residuals[numbers]

    def own_entities(self, position: int) -> frozenset[int]:
        """The entities that name the document of a passage and occur in it."""
        if position not in self._own_entities:
            self._own_entities[position] = self._find_own_entities(position)
        return self._own_entities[position]

    def _find_own_entities(self, position: int) -> frozenset[int]:
        graph = self.index.graph
        own = int(self.document_of[position])
        return frozenset(e for _, e in graph.mentions(position) if any(d == own for d, _ in graph.documents_named(e)))

    @cached_property
    def near_named(self) -> Floats:
        """The strongest title link of a document that names the passage, or that the passage names."""
        results = np.zeros_like(self.bm25)
        for document, weight in self.titles.items():
            others, weights = self.index.graph.neighbours(int(self.index.graph.first_of[document]))
            np.maximum.at(results, others, (weight * weights).astype(np.float32))
        return results


def _all_terms(reading: Reading) -> tuple[str, ...]:
    return tuple(tokens(reading.text))
