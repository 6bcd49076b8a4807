"""The corpus port: all that ranking and the loop may ask of a corpus, whatever engine holds it.

Passages and documents go by number. A passage's place is its number in the order of ids; the passages of a document
have places one after another. Every answer is small: it is about the places, documents, terms or names that are asked
for, or about the best few. No answer has a number for every passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import CorpusCard, Passage, ScoredPassage
from adaq_core.retrieval.facets import Matches, SentenceTerms
from adaq_core.retrieval.lexical import Correction, ranked

Floats = NDArray[np.float32]
Places = Sequence[int] | NDArray[np.integer]

DAY: Final = ""  # the day of a document, as if it were a facet: no metadata key is empty
MOST_HOLDERS: Final = 40  # a name that more passages mention ties none of them together


class Scores(Protocol):
    """The scores of one query. The corpus has them; who asks sees those of some places, and the best."""

    @property
    def top(self) -> float:
        """The highest score; 0 where nothing scores."""
        ...

    def of(self, places: Places) -> Floats:
        """The score of each place."""
        ...

    def best(self, count: int) -> NDArray[np.int64]:
        """At most `count` places with a positive score, best first, ties by place."""
        ...


class Highest:
    """The highest of several scores of each passage."""

    def __init__(self, parts: Sequence[Scores]) -> None:
        self._parts = tuple(parts)
        self.top = max((part.top for part in self._parts), default=0.0)

    def of(self, places: Places) -> Floats:
        """The highest score of each place; 0 where there are none."""
        highest: Floats = np.zeros(len(places), dtype=np.float32)
        for part in self._parts:
            highest = np.maximum(highest, part.of(places))
        return highest

    def best(self, count: int) -> NDArray[np.int64]:
        """The best places: each is among the best of the scores that it has its highest from."""
        near = [part.best(count) for part in self._parts]
        if near:
            places = np.unique(np.concatenate(near))
        else:
            places = np.zeros(0, dtype=np.int64)
        return ranked(places, self.of(places), count)


@dataclass(frozen=True, slots=True)
class Preference:
    """What a passage gains where its document has one of some values of a facet; the first level that fits counts."""

    facet: str
    levels: tuple[tuple[tuple[int, ...], float], ...]

    def gain(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """The gain of documents with these codes."""
        gain = np.zeros(len(codes))
        for values, amount in reversed(self.levels):
            if values:
                gain[np.isin(codes, values)] = amount
        return gain


@dataclass(frozen=True, slots=True)
class Demand:
    """What a passage's score is multiplied by where its document has none of some values of a facet."""

    facet: str
    values: tuple[int, ...]
    factor: float

    def share(self, codes: NDArray[np.int32]) -> Floats:
        """1 for documents with one of the values, the factor for others."""
        return np.where(np.isin(codes, self.values), 1.0, self.factor).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Blend:
    """BM25 of several lists of terms, each as a weighted share of its best; then preferences and demands.

    What none of the terms brings has no score. The best passage has 1.
    """

    parts: tuple[tuple[tuple[str, ...], float], ...]
    preferences: tuple[Preference, ...] = ()
    demands: tuple[Demand, ...] = ()


@dataclass(frozen=True, slots=True)
class Name:
    """A name that passages mention: the documents that it names with how sure that is, and who mentions it.

    `holders` are the places of the passages that mention it, ascending; none where more than 40 do.
    """

    key: str
    documents: tuple[tuple[int, float], ...]
    held_by: int
    holders: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A part of a text that is the name of documents, with how sure it is that each is meant."""

    key: str
    span: tuple[int, int]
    documents: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names that some passages mention, in reading order: passage i has `names[starts[i]:starts[i + 1]]`."""

    starts: NDArray[np.int64]
    sentences: NDArray[np.int64]
    names: NDArray[np.int64]

    def pairs(self, number: int) -> list[tuple[int, int]]:
        """(sentence, name) pairs of one of the passages."""
        start, end = self.starts[number : number + 2].tolist()
        sentences, names = self.sentences[start:end], self.names[start:end]
        return list(zip(sentences.tolist(), names.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Links:
    """Passages that some passages lead to: passage i to `places[starts[i]:starts[i + 1]]`, by weights above 0."""

    starts: NDArray[np.int64]
    places: NDArray[np.int64]
    weights: Floats


class FacetNames(Protocol):
    """The values that the documents' metadata have."""

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]:
        """Facet → its values; a value's place is its code."""
        ...

    @property
    def named(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Value in key form → the facets and codes that it stands for."""
        ...

    @property
    def periods(self) -> Mapping[str, Mapping[str, int]]:
        """Facets whose values are periods: facet → period key → code."""
        ...


class Searched(Protocol):
    """Passages by words and by number, and what is known of terms."""

    @property
    def card(self) -> CorpusCard:
        """What the corpus is called, and its version."""
        ...

    @property
    def also(self) -> str:
        """What else a search asks, for those who tell of a search; empty when nothing."""
        ...

    @property
    def is_stored(self) -> bool:
        """Whether nothing but the corpus is asked."""
        ...

    @property
    def stored(self) -> Corpus:
        """The corpus alone, without what else its search asks."""
        ...

    @property
    def size(self) -> int:
        """How many passages there are."""
        ...

    @property
    def mean_length(self) -> float:
        """Index terms of a passage, on average."""
        ...

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages with a positive score, best first, ties by id."""
        ...

    def note(self, text: str) -> None:
        """Hear that the words of a text will be asked about: an engine elsewhere looks them up with what is next."""
        ...

    def note_terms(self, terms: Iterable[str]) -> None:
        """Hear that index terms will be asked about, which no text of the question holds."""
        ...

    def expect(self, queries: Iterable[str]) -> None:
        """Hear which queries may be searched soon: an engine elsewhere searches for all at once, others draw none."""
        ...

    def weigh(self, terms: Mapping[str, float]) -> Scores:
        """BM25 for index terms with weights (their counts, or any other numbers)."""
        ...

    def blend(self, blends: Sequence[Blend]) -> Sequence[Scores]:
        """For each of some blends BM25 of its lists of terms with its preferences and demands."""
        ...

    def fetch(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError for an unknown one."""
        ...

    def position(self, passage_id: str) -> int:
        """The place of a passage; CorpusError when it is not of the corpus."""
        ...

    def place_of(self, passage_id: str) -> int | None:
        """The place of a passage; None for one that is not of the corpus."""
        ...

    @property
    def ids(self) -> Sequence[str]:
        """The ids of its passages by their places; none of a corpus that an engine elsewhere keeps."""
        ...

    def term_idf(self, term: str) -> float:
        """How rare a term is; 0.0 when no passage holds it."""
        ...

    def term_count(self, term: str) -> int:
        """How many passages hold a term."""
        ...

    def kin(self, term: str) -> list[str]:
        """The terms of the corpus with the same beginning and nearly the length; itself first, known or not."""
        ...

    def any_holds(self, terms: Sequence[str]) -> bool:
        """Whether one passage holds all of the terms; False for none."""
        ...

    def expect_together(self, groups: Iterable[Sequence[str]]) -> None:
        """Hear which terms `any_holds` may be asked for: an engine elsewhere looks for all groups at once."""
        ...

    def matches(self, places: Places, wanted: Sequence[Sequence[str]]) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms, each with its kin; besides, kin counted too."""
        ...

    def corrections(self, question: str) -> Sequence[Correction]:
        """The words of a question that no passage says, with the words that they are likely to mean."""
        ...

    def long_form(self, name: str) -> str | None:
        """What an acronym stands for in this corpus; None for other names."""
        ...


class Documented(Protocol):
    """The documents that passages are of, and their metadata."""

    @property
    def documents(self) -> int:
        """How many documents have passages."""
        ...

    @property
    def facets(self) -> FacetNames:
        """The values of the documents' metadata."""
        ...

    @property
    def of_dated_sources(self) -> bool:
        """Whether several sources published the passages at known days, as news is."""
        ...

    @property
    def weighs_meaning(self) -> bool:
        """Whether meaning counts beside words wherever there are vectors."""
        ...

    def documents_of(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        ...

    def firsts_of(self, documents: Places) -> NDArray[np.int64]:
        """The place of the first passage of each document."""
        ...

    def sizes_of(self, documents: Places) -> NDArray[np.int64]:
        """How many passages each document has."""
        ...

    def codes_of(self, facet: str, documents: Places) -> NDArray[np.int32]:
        """The code of each document's value of a facet (its day as yyyymmdd for DAY); -1 without one."""
        ...

    def works_of(self, documents: Places) -> NDArray[np.int32]:
        """The work (report, transcript, article) that each document is a part of."""
        ...

    def work_size(self, work: int) -> int:
        """How many passages a work has."""
        ...

    def value_counts(self, facet: str, term: str | None = None) -> NDArray[np.int64]:
        """By code of a facet's values, how many passages have the value; of those that hold `term`, if given."""
        ...

    def held_in(self, terms: Sequence[str], documents: Places) -> Floats:
        """[terms x documents]: how many passages of each document hold each term."""
        ...


class Steps(Protocol):
    """Where the passages lead: all that a walk asks for."""

    def links(self, places: Places) -> Links:
        """The passages that each passage names: the first ones of the documents whose names it mentions."""
        ...

    def linked_from(self, places: Places) -> Links:
        """The passages that name each passage; none for one that does not begin a document."""
        ...


class Linked(Steps, Protocol):
    """Names in passages, and where they lead."""

    @property
    def link_density(self) -> float:
        """Distinct documents that a passage names, on average: whether titles are names at all."""
        ...

    @property
    def is_linked(self) -> bool:
        """Whether steps along names are worth taking (a density of at least 0.2)."""
        ...

    @property
    def named_titles(self) -> float:
        """The share of titles written as proper names, of some documents."""
        ...

    def named(self, text: str) -> list[NamedSpan]:
        """The names of documents in a text, in order; the longest at each place."""
        ...

    def name(self, number: int) -> Name:
        """What is known of a name."""
        ...

    def mentions(self, places: Places) -> Mentions:
        """The names that passages mention."""
        ...

    def naming(self, places: Places) -> Floats:
        """How many passages name the document of each place."""
        ...


@dataclass(frozen=True, slots=True)
class Filed:
    """A document whose card names a form: its work, the place of its first passage, how many it has, and its card."""

    document: int
    work: int
    first: int
    size: int
    card: Mapping[str, str]

    @property
    def places(self) -> range:
        """Those of its passages."""
        return range(self.first, self.first + self.size)


class Filings(Protocol):
    """Filings and reports, which are read whole: their cards, and their passages without what ranking asks."""

    @property
    def shared(self) -> object:
        """What stays the same for all runs over this version of the corpus: what is read is kept under it."""
        ...

    @property
    def filed(self) -> Sequence[Filed]:
        """The documents that are filings or reports, ascending."""
        ...

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The numbers of terms, as far as `sentences_of` gave them out."""
        ...

    def will_read(self, places: Places) -> None:
        """Hear which passages may be read soon: an engine elsewhere brings them with the first of them."""
        ...

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        ...

    def sentences_of(self, places: Places) -> SentenceTerms:
        """The terms of each sentence of some passages."""
        ...

    def score_terms(self, terms: Mapping[str, float], places: Places) -> Floats:
        """BM25 of some passages for index terms with weights, without a search."""
        ...

    def all_holding(self, groups: Sequence[Sequence[str]]) -> list[NDArray[np.int64]]:
        """For each group of terms the places that hold all of them, ascending; 16,384 at most from an engine."""
        ...


class Corpus(Searched, Documented, Linked, Filings, Protocol):
    """All of it."""
