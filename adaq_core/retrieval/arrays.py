"""The corpus port over arrays in memory: one number for every passage is made here and goes no further."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.retrieval import (
    DAY,
    MOST_HOLDERS,
    Blend,
    Filed,
    Floats,
    Links,
    Mentions,
    Name,
    NamedSpan,
    Places,
)
from adaq_core.retrieval.facets import Facets, ForwardIndex, Matches, SentenceTerms
from adaq_core.retrieval.lexical import Correction, LexicalIndex, best, corrections, is_odd
from adaq_core.retrieval.mention_graph import MentionGraph, named_spans

_NUMBERS_KEPT = 1 << 21  # scores of passages: of 5,000 passages for 400 lists of terms, of a million for two


class ArrayScores:
    """Scores of all passages."""

    def __init__(self, values: Floats) -> None:
        values.setflags(write=False)  # they are kept for who asks the same
        self.values = values
        self.top = float(values.max(initial=0.0))

    def of(self, places: Places) -> Floats:
        """The score of each place."""
        return self.values[np.asarray(places, dtype=np.int64)]

    def best(self, count: int) -> NDArray[np.int64]:
        """At most `count` places with a positive score, best first, ties by place."""
        return best(self.values, count)


class ArrayCorpus(ABC):
    """What the port asks, answered from the lexical and the forward index, the mention graph and the facets."""

    passages: Sequence[Passage]
    lexical: LexicalIndex
    forward: ForwardIndex

    @property
    @abstractmethod
    def graph(self) -> MentionGraph:
        """Which passage names which document."""

    @property
    @abstractmethod
    def facets(self) -> Facets:
        """What the documents' metadata say."""

    @property
    @abstractmethod
    def stored(self) -> ArrayCorpus:
        """The corpus alone, without what else its search asks."""

    @property
    def mean_length(self) -> float:
        """Index terms of a passage, on average; 100 where there is none."""
        lengths = self.forward.lengths
        if len(lengths):
            return max(float(np.mean(lengths)), 1.0)
        return 100.0

    @property
    def size(self) -> int:
        """How many passages there are."""
        return self.lexical.size

    @property
    def documents(self) -> int:
        """How many documents have passages."""
        return len(self.graph.first_of)

    def fetch(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        return [self.passages[int(place)] for place in places]

    def note(self, text: str) -> None:
        """Prepare nothing: what is known of words is here."""
        return

    def note_terms(self, terms: Iterable[str]) -> None:
        """Prepare nothing: what is known of terms is here."""
        return

    def expect(self, queries: Iterable[str]) -> None:
        """Prepare nothing: a search takes no time on the way."""
        return

    def weigh(self, terms: Mapping[str, float]) -> ArrayScores:
        """BM25 for index terms with weights (their counts, or any other numbers)."""
        return self._weighed(tuple(sorted(terms.items())))

    @cached_property
    def _weighed(self) -> Callable[[tuple[tuple[str, float], ...]], ArrayScores]:
        """The same by terms in order; those of a clause are asked for alone, in blends and as a sentence."""
        lexical, most = self.lexical, _NUMBERS_KEPT // max(self.size, 1)
        return lru_cache(maxsize=most)(lambda terms: ArrayScores(lexical.term_scores(dict(terms))))

    def blend(self, blends: Sequence[Blend]) -> Sequence[ArrayScores]:
        """For each of some blends BM25 of its lists of terms with its preferences and demands."""
        share = lru_cache(maxsize=2)(self._share)  # the terms of the whole question are in all of them
        return [self._blended(blend, [share(*part) for part in blend.parts]) for blend in blends]

    def _share(self, terms: tuple[str, ...], weight: float) -> Floats:
        """BM25 of the terms as a share of the best passage's, times a weight."""
        own = self.weigh(Counter(terms))
        share: Floats = weight * own.values / max(own.top, 1e-9)
        return share

    def _blended(self, blend: Blend, parts: Iterable[Floats]) -> ArrayScores:
        score = np.zeros(self.size, dtype=np.float32)
        for part in parts:
            score += part
        total = score.astype(np.float64)
        for preference in blend.preferences:
            total += preference.gain(self._codes(preference.facet))[self.graph.document_of]
        factor = np.ones(self.size, dtype=np.float32)
        for demand in blend.demands:
            factor *= demand.share(self._codes(demand.facet))[self.graph.document_of]
        total = np.where(score > 0, total, 0.0) * factor
        return ArrayScores((total / max(float(total.max(initial=0.0)), 1e-9)).astype(np.float32))

    def term_idf(self, term: str) -> float:
        """How rare a term is; 0.0 when no passage holds it."""
        return self.lexical.term_idf(term)

    def term_count(self, term: str) -> int:
        """How many passages hold a term."""
        return len(self.lexical.rows_of(term))

    def known(self, terms: Iterable[str]) -> set[str]:
        """Those of some terms that passages hold."""
        return {term for term in terms if term in self.lexical.vocabulary}

    def holding(self, term: str, most: int) -> list[Passage]:
        """The first passages that hold a term."""
        return self.fetch(self.lexical.rows_of(term)[:most])

    def is_odd(self, term: str) -> bool:
        """Whether the term holds four letters in a row that at most one term of the corpus has."""
        return is_odd(self.lexical.shared_grams, term)

    def sample(self) -> Sequence[Passage]:
        """All passages, in order."""
        return self.passages

    def kin(self, term: str) -> list[str]:
        """The terms of the corpus with the same beginning and nearly the length; itself first, known or not."""
        return self.lexical.kin(term)

    def any_holds(self, terms: Sequence[str]) -> bool:
        """Whether one passage holds all of the terms; False for none."""
        rows: NDArray[np.int32] | None = None
        for term in terms:
            holders = self.lexical.rows_of(term)
            if rows is None:
                rows = holders
            else:
                rows = np.intersect1d(rows, holders, assume_unique=True)
        return rows is not None and len(rows) > 0

    def expect_together(self, groups: Iterable[Sequence[str]]) -> None:
        """Prepare nothing: a look into the lists of words takes no time on the way."""
        return

    def matches(self, places: Places, wanted: Sequence[Sequence[str]]) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms, each with its kin; besides, kin counted too."""
        known = self.lexical.vocabulary
        at = np.asarray(places, dtype=np.int64)
        return self.forward.matches(at, [[known.get(term, -1) for term in group] for group in wanted])

    def corrections(self, question: str) -> tuple[Correction, ...]:
        """The words of a question that no passage says, with the words that they are likely to mean."""
        return corrections(self, question)

    def documents_of(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        return self.graph.document_of[np.asarray(places, dtype=np.int64)]

    def firsts_of(self, documents: Places) -> NDArray[np.int64]:
        """The place of the first passage of each document."""
        return self.graph.first_of[np.asarray(documents, dtype=np.int64)].astype(np.int64)

    def sizes_of(self, documents: Places) -> NDArray[np.int64]:
        """How many passages each document has."""
        return self._parts[np.asarray(documents, dtype=np.int64)]

    @cached_property
    def _parts(self) -> NDArray[np.int64]:
        return np.bincount(self.graph.document_of, minlength=len(self.graph.first_of))

    def codes_of(self, facet: str, documents: Places) -> NDArray[np.int32]:
        """The code of each document's value of a facet (its day as yyyymmdd for DAY); -1 without one."""
        return self._codes(facet)[np.asarray(documents, dtype=np.int64)]

    def _codes(self, facet: str) -> NDArray[np.int32]:
        if facet == DAY:
            return self.facets.day
        none = np.full(self.documents, -1, dtype=np.int32)
        return self.facets.codes.get(facet, none)

    def works_of(self, documents: Places) -> NDArray[np.int32]:
        """The work (report, transcript, article) that each document is a part of."""
        return self.facets.work[np.asarray(documents, dtype=np.int64)]

    def work_size(self, work: int) -> int:
        """How many passages a work has."""
        return int(self._work_sizes[work])

    @cached_property
    def _work_sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.facets.work[self.graph.document_of])

    def value_counts(self, facet: str, term: str | None = None) -> NDArray[np.int64]:
        """By code of a facet's values, how many passages have the value; of those that hold `term`, if given."""
        if term is not None:
            return self._count(facet, self.graph.document_of[self.lexical.rows_of(term)])
        if facet not in self._value_counts:
            self._value_counts[facet] = self._count(facet, self.graph.document_of)
        return self._value_counts[facet]

    def _count(self, facet: str, documents: NDArray[np.int32]) -> NDArray[np.int64]:
        codes = self._codes(facet)[documents]
        return np.bincount(codes[codes >= 0], minlength=len(self.facets.values[facet]))

    @cached_property
    def _value_counts(self) -> dict[str, NDArray[np.int64]]:
        return {}

    def held_in(self, terms: Sequence[str], documents: Places) -> Floats:
        """[terms x documents]: how many passages of each document hold each term."""
        every = np.asarray(documents, dtype=np.int64)
        asked, which = np.unique(every, return_inverse=True)
        number = np.full(self.documents, len(asked))  # those that are not asked about are counted behind the others
        number[asked] = np.arange(len(asked))
        results = np.zeros((len(terms), len(asked)), dtype=np.float32)
        for row, term in zip(results, terms, strict=True):
            holders = number[self.graph.document_of[self.lexical.rows_of(term)]]
            held = np.bincount(holders, minlength=len(asked) + 1)
            row[:] = held[: len(asked)]
        return np.take(results, which, axis=1)

    @property
    def link_density(self) -> float:
        """Distinct documents that a passage names, on average: whether titles are names at all."""
        return self.graph.density

    @property
    def is_linked(self) -> bool:
        """Whether steps along names are worth taking (a density of at least 0.2)."""
        return self.graph.is_dense

    def named(self, text: str) -> list[NamedSpan]:
        """The names of documents in a text, in order; the longest at each place."""
        return named_spans(text, lambda word: self.graph.name_lengths.get(word, ()), self._documents_named)

    def _documents_named(self, key: str) -> Sequence[tuple[int, float]]:
        number = self.graph.entities.get(key)
        return () if number is None else self.graph.documents_named(number)

    def name(self, number: int) -> Name:
        """What is known of a name."""
        holders = self.graph.holders_of(number)
        few = holders if len(holders) <= MOST_HOLDERS else holders[:0]
        return Name(self.graph.keys[number], tuple(self.graph.documents_named(number)), len(holders), few)

    def mentions(self, places: Places) -> Mentions:
        """The names that passages mention."""
        return self.graph.mentions_of(np.asarray(places, dtype=np.int64))

    def links(self, places: Places) -> Links:
        """The passages that each passage names: the first ones of the documents whose names it mentions."""
        return self.graph.links_of(np.asarray(places, dtype=np.int64))

    def linked_from(self, places: Places) -> Links:
        """The passages that name each passage; none for one that does not begin a document."""
        return self.graph.linked_from(np.asarray(places, dtype=np.int64))

    def naming(self, places: Places) -> Floats:
        """How many passages name the document of each place."""
        return self.graph.in_degree[np.asarray(places, dtype=np.int64)]

    @property
    def shared(self) -> ArrayCorpus:
        """Itself."""
        return self

    @cached_property
    def filed(self) -> Sequence[Filed]:
        """The documents that are filings or reports, ascending."""
        cards = self.facets.cards
        documents = sorted(cards)
        firsts = self.firsts_of(documents).tolist()
        sizes = self.sizes_of(documents).tolist()
        works = self.works_of(documents).tolist()
        rows = zip(documents, works, firsts, sizes, strict=True)
        return [Filed(*row, cards[row[0]]) for row in rows]

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The numbers of terms."""
        return self.lexical.vocabulary

    def will_read(self, places: Places) -> None:
        """Prepare nothing: the passages are here."""
        return

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        return self.fetch(places)

    def sentences_of(self, places: Places) -> SentenceTerms:
        """The terms of each sentence of some passages."""
        return self.forward.sentences_of(places)

    def score_terms(self, terms: Mapping[str, float], places: Places) -> Floats:
        """BM25 of some passages for index terms with weights."""
        return self.weigh(terms).of(places)

    def all_holding(self, groups: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        """For each group of terms the places that hold all of them, ascending."""
        return [self._all_holding(group) for group in groups]

    def _all_holding(self, terms: Sequence[str]) -> NDArray[np.int64]:
        holders = [set(self.lexical.rows_of(term).tolist()) for term in terms]
        places = set.intersection(*holders) if holders else set[int]()
        return np.array(sorted(places), dtype=np.int64)
