"""The corpus port over rows that an engine brings: for a corpus that this machine does not hold.

A view is made for each run, so that what one run fetched does not change another.
"""

from __future__ import annotations

import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import exp
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import CorpusCard, Passage, ScoredPassage
from adaq_core.retrieval import (
    Blend,
    Demand,
    Filed,
    Floats,
    Links,
    Mentions,
    Name,
    NamedSpan,
    Places,
    Preference,
    Scores,
)
from adaq_core.retrieval.facets import NONE, Facets, ForwardIndex, Matches, SentenceTerms, starts_of
from adaq_core.retrieval.fetching import (
    DEEP,
    LONGEST_NAME,
    About,
    Engine,
    Fetching,
    Longs,
    Read,
    Row,
    Vector,
    Weighed,
    flat,
    mark,
    name_keys,
    numbers_of,
    passage_of,
    term_number,
)
from adaq_core.retrieval.lexical import (
    KIN_LETTERS,
    KIN_SPREAD,
    MOST_WORDS,
    Correction,
    corrections,
    has_kin,
    idf,
    is_in_small,
    is_odd,
    length_norm,
    ranked,
    weight,
)
from adaq_core.retrieval.mention_graph import DENSE_ENOUGH, named_spans
from adaq_core.retrieval.name_forms import is_acronym, long_form
from adaq_core.text.tokens import spans, tokens

FOLLOWED = 12  # passages whose names are followed; where more are asked about, names are only counted
MOST_HOLDING = 16_384  # passages that a query of an engine gives at most
PART = 5  # passages that a search for a part of an earlier one brings


class Expecting(Protocol):
    """A search by meaning beside the search by words."""

    def expect(self, query: str) -> None:
        """Look for what is near to a query with the next round trip."""
        ...


class DocumentView:
    """What one run sees of the documents of a corpus that an engine holds."""

    def __init__(self, engine: Engine, about: About, *, shared: Read | None = None) -> None:
        self.about = about
        self._fetching = Fetching(engine, about.card.passages, shared or Read())
        self._rows = self._fetching.rows
        self._entries = self._fetching.entries

    @property
    def engine(self) -> Engine:
        """Where the rows are."""
        return self._fetching.engine

    @property
    def trips(self) -> int:
        """How often the engine was waited for."""
        return self._fetching.trips

    @property
    def shared(self) -> Read:
        """What was read of filings, the same for all runs."""
        return self._fetching.shared

    @property
    def card(self) -> CorpusCard:
        """What the corpus is called, and its version."""
        return self.about.card

    @property
    def size(self) -> int:
        """How many passages there are."""
        return self.about.card.passages

    # Metadata

    @property
    def documents(self) -> int:
        """How many documents have passages."""
        return self.about.card.documents

    @cached_property
    def facets(self) -> Facets:
        """The values of the documents' metadata."""
        none = np.zeros(0, dtype=np.int32)
        return Facets(self.about.values, {}, none, none)

    @property
    def of_dated_sources(self) -> bool:
        """Whether several sources published the passages at known days, as news is."""
        return self.about.of_dated_sources

    @property
    def weighs_meaning(self) -> bool:
        """Whether meaning counts beside words wherever there are vectors."""
        return not self.of_dated_sources

    def _number_of(self, facet: str) -> int | None:
        names = ["", *sorted(self.about.values)]
        return names.index(facet) if facet in names else None

    def documents_of(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        self._fetching.need(places)
        rows = self._rows.at(places).tolist()
        return np.array([self._rows.rows[row].document for row in rows], dtype=np.int32)

    def _about(self, documents: Places) -> list[Sequence[int]]:
        self._fetching.need_documents(documents)
        return [self._rows.documents[int(document)].about for document in documents]

    def _column(self, documents: Places, number: int) -> Longs:
        rows = self._about(documents)
        return np.array([about[number] for about in rows], dtype=np.int64)

    def firsts_of(self, documents: Places) -> Longs:
        """The place of the first passage of each document."""
        return self._column(documents, 0)

    def sizes_of(self, documents: Places) -> Longs:
        """How many passages each document has."""
        return self._column(documents, 1)

    def codes_of(self, facet: str, documents: Places) -> NDArray[np.int32]:
        """The code of each document's value of a facet (its day as yyyymmdd for DAY); -1 without one."""
        number = self._number_of(facet)
        if number is None:
            return np.full(len(documents), NONE, dtype=np.int32)
        return self._column(documents, 4 + number).astype(np.int32)

    def works_of(self, documents: Places) -> NDArray[np.int32]:
        """The work (report, transcript, article) that each document is a part of."""
        return self._column(documents, 2).astype(np.int32)

    def work_size(self, work: int) -> int:
        """How many passages a work has, one whose passages were fetched."""
        return self._rows.works[work]

    def value_counts(self, facet: str, term: str | None = None) -> Longs:
        """By code of a facet's values, how many passages have the value; of those that hold `term`, if given."""
        if term is None:
            return np.array(self.about.counts[facet], dtype=np.int64)
        counts = np.zeros(len(self.about.values[facet]), dtype=np.int64)
        entry = self._fetching.entry(f"term:{term}")
        for code, count in (entry or {"values": {}})["values"].get(facet, ()):
            counts[code] = count
        return counts

    def held_in(self, terms: Sequence[str], documents: Places) -> Floats:
        """[terms x documents]: how many passages of each document hold each term."""
        numbers = [term_number(term) for term in terms]
        results = np.zeros((len(terms), len(documents)), dtype=np.float32)
        for place, (first, size, *_) in enumerate(self._about(documents)):
            within = range(first, first + size)
            self._fetching.need(within)
            slots = self._rows.at(within)
            columns = [self._rows.column(number)[slots] for number in numbers]
            results[:, place] = list(map(np.count_nonzero, columns))
        return results

    # Filings

    @property
    def filed(self) -> Sequence[Filed]:
        """The documents that are filings or reports, ascending."""
        if self.shared.filed is None:
            parts = [f"cards:{number}" for number in range(self.about.cards)]
            if parts:
                self._fetching.bring(keys=parts)
            self.shared.filed = [Filed(*row) for part in parts for row in self._entries[part]]
        return self.shared.filed

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The numbers of terms, as far as they were given out."""
        return self.shared.vocabulary

    def will_read(self, places: Places) -> None:
        """Bring these passages with the next one that is read."""
        self._fetching.will_read(places)

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        return self._fetching.read(places)

    def sentences_of(self, places: Places) -> SentenceTerms:
        """The terms of each sentence of some passages."""
        self.read(places)
        return SentenceTerms.of([self.shared.sentences_of(int(place)) for place in places])

    def all_holding(self, groups: Sequence[Sequence[str]]) -> list[Longs]:
        """For each group of terms the places that hold all of them, ascending; 16,384 at most."""
        numbers = [numbers_of(group) for group in groups]
        known = self.shared.holding
        if asked := sorted(set(numbers) - known.keys()):
            brought = self._fetching.holding(asked, most=MOST_HOLDING)
            known.update((key, sorted(places)) for key, places in zip(asked, brought, strict=True))
        return [np.array(known[each], dtype=np.int64) for each in numbers]

    # Names and links

    @property
    def link_density(self) -> float:
        """Distinct documents that a passage names, on average: whether titles are names at all."""
        return self.about.link_density

    @property
    def is_linked(self) -> bool:
        """Whether steps along names are worth taking (a density of at least 0.2)."""
        return self.about.link_density >= DENSE_ENOUGH

    @property
    def named_titles(self) -> float:
        """The share of titles written as proper names, of some documents."""
        return self.about.named_titles

    def named(self, text: str) -> list[NamedSpan]:
        """The names of documents in a text, in order; the longest at each place."""
        keys = name_keys([word.word for word in spans(text)])
        if keys - self._entries.keys():
            self._fetching.bring(keys=keys)
        return named_spans(text, lambda _: range(LONGEST_NAME, 0, -1), self._documents_named)

    def _documents_named(self, key: str) -> tuple[tuple[int, float], ...]:
        entry = self._entries[f"key:{key}"]
        return _documents(entry) if entry else ()

    def name(self, number: int) -> Name:
        """What is known of a name."""
        entry = self._fetching.entry(f"name:{number}")
        holders = np.array(entry["holders"], dtype=np.int32)
        return Name(entry["key"], _documents(entry), entry["count"], holders)

    def mentions(self, places: Places) -> Mentions:
        """The names that passages mention; those of a few passages are brought with what is next."""
        self._fetching.need(places)
        rows = [self._rows.of(int(place)) for place in places]
        if len(rows) <= FOLLOWED:
            self._fetching.look_up(f"name:{number}" for row in rows for number in row.names)
        return Mentions(
            starts_of([len(row.names) for row in rows]),
            flat(row.sentences for row in rows),
            flat(row.names for row in rows),
        )

    def links(self, places: Places) -> Links:
        """The passages that each passage names, as far as two steps from what was found; none for others."""
        steps = self._fetching.steps_of(places)
        return _as_links([(step.links, step.link_weights) for step in steps])

    def linked_from(self, places: Places) -> Links:
        """The passages that name each passage, likewise."""
        steps = self._fetching.steps_of(places)
        return _as_links([(step.back, step.back_weights) for step in steps])

    def naming(self, places: Places) -> Floats:
        """How many passages name the document of each place."""
        self._fetching.need(places)
        rows = self._rows.at(places).tolist()
        return np.array([self._rows.rows[row].naming for row in rows], dtype=np.float32)


def _documents(entry: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
    return tuple((int(document), float(sure)) for document, sure, *_ in entry["documents"])


def _as_links(parts: Sequence[tuple[Sequence[int], Sequence[float]]]) -> Links:
    starts = starts_of([len(places) for places, _ in parts])
    places = flat(places for places, _ in parts)
    weights = np.array([weight for _, own in parts for weight in own], dtype=np.float32)
    return Links(starts, places, weights)


class FetchedCorpus(DocumentView):
    """A corpus that an engine holds, as one run sees it."""

    also = ""
    is_stored = True

    def __init__(self, engine: Engine, about: About, *, shared: Read | None = None) -> None:
        super().__init__(engine, about, shared=shared)
        self._holding: dict[tuple[int, ...], bool] = {}
        self._together: dict[tuple[int, ...], Sequence[str]] = {}
        self._meaning: Expecting | None = None

    def for_run(self) -> FetchedCorpus:
        """A view that has fetched nothing yet."""
        return FetchedCorpus(self.engine, self.about, shared=self.shared)

    @property
    def stored(self) -> FetchedCorpus:
        """Itself."""
        return self

    @property
    def mean_length(self) -> float:
        """Index terms of a passage, on average."""
        return self.about.mean_length

    def note(self, text: str) -> None:
        """Look up the words of a text, and their kin, with what is next."""
        self._fetching.note(text)

    def note_terms(self, terms: Iterable[str]) -> None:
        """Look up index terms with what is next."""
        self._fetching.look_up(f"term:{term}" for term in terms)

    # Search

    def vector_of(self, terms: Mapping[str, float]) -> Vector:
        """The terms by number, in the order in which their weights are added up."""
        return tuple((term_number(term), float(terms[term])) for term in sorted(terms))

    def weigh(self, terms: Mapping[str, float]) -> Scores:
        """BM25 for index terms with weights; a part of what was searched before is searched for its best five only."""
        vector = self.vector_of(terms)
        return self._fetching.weighed(vector, PART if self._fetching.is_part(vector) else DEEP)

    def score_terms(self, terms: Mapping[str, float], places: Places) -> Floats:
        """BM25 of some passages for index terms with weights, without a search."""
        return self._fetching.weights(self.vector_of(terms), places)

    def blend(self, blends: Sequence[Blend]) -> Sequence[Scores]:
        """For each of some blends BM25 of its lists of terms with its preferences and demands."""
        return [Blended(self, self._fetching, blend) for blend in blends]

    def expect(self, queries: Iterable[str]) -> None:
        """Search for the queries with the next round trip."""
        for query in queries:
            self._fetching.weighed(self.vector_of(Counter(tokens(query))), DEEP)
            if self._meaning is not None and self.weighs_meaning:
                self._meaning.expect(query)

    def attach(self, vectors: Expecting) -> None:
        """Bring rows with their vectors from now on: the run searches by meaning too."""
        self._meaning = vectors
        self._fetching.with_vectors = True

    def expect_near(self, vector: tuple[float, ...]) -> None:
        """Look for the passages nearest to a vector with the next round trip."""
        self._fetching.expect_near(vector)

    def near(self, vector: tuple[float, ...], count: int) -> list[int]:
        """At least `count` places nearest to a vector by the engine's index, unless there are fewer."""
        return self._fetching.near(vector, count)

    def vectors_of(self, places: Places) -> Floats:
        """The vectors of some passages, one row each."""
        self._fetching.need(places)
        rows = [self._rows.of(int(place)).vector for place in places]
        return np.array(rows, dtype=np.float32).reshape(len(rows), -1)

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages with a positive score, best first, ties by id."""
        scores = self._fetching.weighed(self.vector_of(Counter(tokens(query))), max(DEEP, top_k))
        order = scores.best(top_k)
        values = scores.of(order).tolist()
        hits = zip(self.fetch(order), values, strict=True)
        return [ScoredPassage(passage, value, rank) for rank, (passage, value) in enumerate(hits, start=1)]

    def marks_of(self, wanted: Preference | Demand) -> list[int]:
        """The numbers of the values that a preference or a demand is for."""
        if isinstance(wanted, Preference):
            levels = wanted.levels
        else:
            levels = ((wanted.values, 1.0),)
        number = self._number_of(wanted.facet)
        return [mark(number, code) for codes, _ in levels for code in codes if number is not None]

    # Passages

    def fetch(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        self._fetching.need(places)
        return [passage_of(self._rows.of(int(place)).record) for place in places]

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError for an unknown one."""
        return self.fetch([self.position(passage_id)])[0]

    def position(self, passage_id: str) -> int:
        """The place of a passage; CorpusError when it is not of the corpus."""
        place = self.place_of(passage_id)
        if place is None:
            raise CorpusError(f"no passage {passage_id!r} in corpus {self.card.name!r}; it may be of another version")
        return place

    def place_of(self, passage_id: str) -> int | None:
        """The place of a passage; None for one that is not of the corpus."""
        return self._fetching.place_of(passage_id)

    @property
    def ids(self) -> Sequence[str]:
        """None: the engine tells of those that it is asked for."""
        return ()

    # Terms

    def term_count(self, term: str) -> int:
        """How many passages hold a term; read off its weight in a passage that is here, where nothing else is known."""
        if not term.isprintable():
            return 0  # it stands for a word that no text holds: nothing is waited for to learn that
        if f"term:{term}" not in self._entries and (row := self._rows.one_with(term_number(term))):
            return self._count_from(row, term_number(term))
        entry = self._fetching.entry(f"term:{term}")
        return entry["count"] if entry else 0

    def _count_from(self, row: Row, number: int) -> int:
        """What BM25 weighed a term by, backwards."""
        own = row.terms.count(number)
        norm = length_norm(len(row.terms), self.mean_length)
        rarity = row.words[number] / weight(1.0, own, norm)
        count = (self.size + 1) / exp(rarity) - 0.5
        return max(round(count), 1)

    def known(self, terms: Iterable[str]) -> set[str]:
        """Those of some terms that passages hold."""
        asked = {term for term in terms if term}
        if missing := [f"term:{term}" for term in asked if f"term:{term}" not in self._entries]:
            self._fetching.bring(keys=missing)
        return {term for term in asked if self._entries[f"term:{term}"]}

    def holding(self, term: str, most: int) -> list[Passage]:
        """The first passages that hold a term."""
        entry = self._fetching.entry(f"term:{term}")
        return self.fetch(entry["first"][:most]) if entry else []

    def sample(self) -> Sequence[Passage]:
        """No passages: names that an acronym may be short for are not looked for by reading."""
        return ()

    def is_odd(self, term: str) -> bool:
        """Whether the term holds four letters in a row that at most one term of the corpus has."""
        parts = [f"grams:{number}" for number in range(self.about.grams)]
        if parts and parts[0] not in self._entries:
            self._fetching.bring(keys=parts)
        return is_odd(self._grams, term)

    @cached_property
    def _grams(self) -> NDArray[np.bool_]:
        parts = [f"grams:{number}" for number in range(self.about.grams)]
        packed = "".join(self._entries[part] for part in parts)
        raw = zlib.decompress(b64decode(packed))
        bits: NDArray[np.bool_] = np.unpackbits(np.frombuffer(raw, np.uint8)).view(bool)
        return bits

    def term_idf(self, term: str) -> float:
        """How rare a term is; 0.0 when no passage holds it."""
        count = self.term_count(term)
        return float(np.float32(idf(self.size, count))) if count else 0.0

    def kin(self, term: str) -> list[str]:
        """The terms of the corpus with the same beginning and nearly the length; itself first, known or not."""
        if not has_kin(term):
            return [term]
        near = self._fetching.entry(f"kin:{term[:KIN_LETTERS]}") or ()
        others = [other for other in near if other != term]
        return [term, *(other for other in others if abs(len(other) - len(term)) <= KIN_SPREAD)]

    def any_holds(self, terms: Sequence[str]) -> bool:
        """Whether one passage holds all of the terms; False for none. The passages fetched are looked at first."""
        numbers = numbers_of(terms)
        if not numbers:
            return False
        if numbers not in self._holding:
            self._decide({**self._together, numbers: terms})
            self._together = {}
        return self._holding[numbers]

    def expect_together(self, groups: Iterable[Sequence[str]]) -> None:
        """Look for passages that hold each of these groups when the first of them has to be looked for."""
        expected = {numbers_of(terms): terms for terms in groups}
        self._together.update({numbers: terms for numbers, terms in expected.items() if numbers})

    def _decide(self, groups: Mapping[tuple[int, ...], Sequence[str]]) -> None:
        """Learn which groups of terms a passage holds: from what is here, and of the rest in one round trip."""
        unknown = {numbers: terms for numbers, terms in groups.items() if numbers not in self._holding}
        here = {numbers: self._is_held_here(numbers, terms) for numbers, terms in unknown.items()}
        self._holding.update({numbers: held for numbers, held in here.items() if held is not None})
        asked = [numbers for numbers, held in here.items() if held is None]
        if asked:
            found = self._fetching.holding(asked, most=1)
            self._holding.update(zip(asked, map(bool, found), strict=True))

    def _is_held_here(self, numbers: tuple[int, ...], terms: Sequence[str]) -> bool | None:
        """Whether a passage fetched holds all of the terms; None where the engine has to be asked."""
        columns = [self._rows.column(number) > 0 for number in numbers]
        if bool(np.logical_and.reduce(columns).any()):
            return True
        return None if all(self.term_count(term) for term in terms) else False

    def matches(self, places: Places, wanted: Sequence[Sequence[str]]) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms, each with its kin; besides, kin counted too."""
        self._fetching.need(places)
        rows = [self._rows.of(int(place)) for place in places]
        terms = flat(row.terms for row in rows)
        pieces = starts_of(flat(row.pieces for row in rows))
        passages = starts_of([len(row.pieces) for row in rows])
        index = ForwardIndex(terms, pieces, passages)  # type: ignore[arg-type]  # numbers of 32 bits without sign
        asked = [list(map(term_number, group)) for group in wanted]
        return index.matches(range(len(rows)), asked)

    def corrections(self, question: str) -> tuple[Correction, ...]:
        """The words of a question that no passage says, with the words that they are likely to mean."""
        self.note(question)
        self._fetching.note_names(question)
        if is_in_small(question):
            self._fetching.note_holders(sorted(self.known(tokens(question)[:MOST_WORDS])))
        return corrections(self, question)

    def long_form(self, name: str) -> str | None:
        """What an acronym stands for in this corpus; None for other names."""
        if not is_acronym(name):
            return None
        keys = dict.fromkeys((name, name.removesuffix("s")))
        known = {key: entry for key in keys if (entry := self._fetching.entry(f"acronym:{key}"))}
        return long_form(name, known)


class Blended:
    """A blend over the best of each of its parts, and of those among them with a value that it prefers or demands."""

    def __init__(self, corpus: FetchedCorpus, fetching: Fetching, blend: Blend) -> None:
        self._corpus, self._blend = corpus, blend
        vectors = [corpus.vector_of(Counter(terms)) for terms, _ in blend.parts]
        weights = [weight for _, weight in blend.parts]
        searches = [fetching.weighed(vector, DEEP) for vector in vectors]
        self._parts = list(zip(searches, weights, strict=True))
        self._among: list[Weighed] = []
        if marks := self._marks():
            self._among = [fetching.weighed(vector, DEEP, marks=marks) for vector in vectors]
        self._scored: tuple[Longs, NDArray[np.float64]] | None = None

    def _marks(self) -> tuple[int, ...]:
        """The numbers of all values that are preferred or demanded, ascending."""
        wanted: list[Preference | Demand] = [*self._blend.preferences, *self._blend.demands]
        marks = {number for each in wanted for number in self._corpus.marks_of(each)}
        return tuple(sorted(marks))

    def _total(self, places: Places) -> NDArray[np.float64]:
        score: Floats = np.zeros(len(places), dtype=np.float32)
        for part, factor in self._parts:
            score += factor * part.of(places) / max(part.top, 1e-9)
        total = score.astype(np.float64)
        documents = self._corpus.documents_of(places)
        for preference in self._blend.preferences:
            total += preference.gain(self._corpus.codes_of(preference.facet, documents))
        shares: Floats = np.ones(len(places), dtype=np.float32)
        for demand in self._blend.demands:
            shares *= demand.share(self._corpus.codes_of(demand.facet, documents))
        return np.where(score > 0, total, 0.0) * shares

    def _candidates(self) -> tuple[Longs, NDArray[np.float64]]:
        if self._scored is None:
            near = [each.best(DEEP) for each in (*(part for part, _ in self._parts), *self._among)]
            if near:
                places = np.unique(np.concatenate(near))
            else:
                places = np.zeros(0, dtype=np.int64)
            self._scored = places, self._total(places)
        return self._scored

    @property
    def _most(self) -> float:
        return max(float(self._candidates()[1].max(initial=0.0)), 1e-9)

    @property
    def top(self) -> float:
        """1 where anything scores, else 0."""
        return float(np.float32(self._candidates()[1].max(initial=0.0) / self._most))

    def of(self, places: Places) -> Floats:
        """The score of each place."""
        return (self._total(places) / self._most).astype(np.float32)

    def best(self, count: int) -> Longs:
        """At most `count` places with a positive score, best first, ties by place."""
        places, total = self._candidates()
        shares = (total / self._most).astype(np.float32)
        scoring = shares > 0
        return ranked(places[scoring], shares[scoring], count)
