"""The corpus port over rows that an engine brings: for a corpus that this machine does not hold.

A miss brings, in one round trip, all that was pointed to by then: the passages beside those that were found, where they
lead, the documents of the names they mention, the searches that were begun. A view is made for each run, so that what
one run fetched does not change another.
"""

from __future__ import annotations

import zlib
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import exp, log1p
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import CorpusCard, Passage, ScoredPassage
from adaq_core.retrieval.facets import NONE, Facets, ForwardIndex, Matches
from adaq_core.retrieval.fetched_rows import (
    DEEP,
    PART,
    About,
    Blended,
    Engine,
    Held,
    Longs,
    Near,
    Read,
    Row,
    Step,
    Vector,
    Wanted,
    Weighed,
    mark,
    passage_of,
    term_number,
)
from adaq_core.retrieval.lexical import (
    K1,
    KIN_LETTERS,
    KIN_SPREAD,
    MOST_WORDS,
    READ_FOR_CASE,
    B,
    Correction,
    corrections,
    is_odd,
)
from adaq_core.retrieval.name_forms import is_acronym, long_form
from adaq_core.retrieval.port import (
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
from adaq_core.text.tokens import Word, spans, stem, tokens

if TYPE_CHECKING:
    from adaq_core.retrieval.dense import FetchedVectors

BESIDE = 400  # passages of a document that is fetched as a whole, unasked, with one of them
AROUND = 3  # documents before and behind one that is a part of a work: those beside it, and beside what is taken in
NAMED = 30  # best passages of a search whose names are looked up unasked
FOLLOWED = 12  # passages whose names are followed; where more are asked about, names are only counted
MOST_STEPS, MOST_PLACES = 3_000, 3_000  # in one round trip, unasked
LONGEST_NAME = 12  # words
MOST_HOLDING = 16_384  # passages that a query of an engine gives at most
FEW_STEPS = 60  # from or to a passage: these are fetched with all that is known of them


class FetchedCorpus:
    """A corpus that an engine holds, as one run sees it. `trips` counts how often the engine was waited for."""

    also = ""
    is_stored = True

    def __init__(self, engine: Engine, about: About, *, shared: Read | None = None) -> None:
        self.engine = engine
        self.about = about
        self.shared = shared or Read()
        self.trips = 0
        self._held = Held()
        self._steps: dict[int, Step] = {}
        self._near: set[int] = set()  # found by a search: where they lead is followed
        self._far: set[int] = set()  # more than two steps away: where they lead is not asked
        self._entries: dict[str, Any] = {}
        self._extents: dict[int, tuple[int, int]] = {}
        self._holding: dict[tuple[int, ...], bool] = {}
        self._ids: dict[str, int | None] = {}
        self._searched: dict[tuple[Vector, tuple[int, ...]], Weighed] = {}
        self._pending: list[Weighed] = []
        self._next = Wanted()
        self._readable: set[int] = set()
        self._vectors: FetchedVectors | None = None
        self._waiting_near: list[Near] = []
        self._found_near: dict[tuple[float, ...], tuple[int, list[int]]] = {}

    def for_run(self) -> FetchedCorpus:
        """A view that has fetched nothing yet."""
        return FetchedCorpus(self.engine, self.about, shared=self.shared)

    def is_gone(self) -> bool:
        """Whether what it was loaded from is deleted; nobody here knows."""
        return False

    @property
    def stored(self) -> FetchedCorpus:
        """Itself."""
        return self

    @property
    def card(self) -> CorpusCard:
        """What the corpus is called, and its version."""
        return self.about.card

    @property
    def size(self) -> int:
        """How many passages there are."""
        return self.about.card.passages

    @property
    def mean_length(self) -> float:
        """Index terms of a passage, on average."""
        return self.about.mean_length

    # What is fetched

    def run(self, search: Weighed) -> None:
        """Search now, with all else that waits."""
        if search not in self._pending:
            self._pending.append(search)
        self._bring()

    def _bring(self, **more: Iterable[Any]) -> None:
        """One round trip, for what is asked now and all that was pointed to."""
        wanted, self._next = self._next, Wanted()
        for name, values in more.items():
            getattr(wanted, name).update(values)
        pending, self._pending = self._pending, []
        wanted.searches = [each.wanted for each in pending]
        wanted.near, self._waiting_near = self._waiting_near, []
        wanted.with_vectors = self._vectors is not None
        self._leave_known(wanted)
        self.trips += 1
        brought = self.engine.bring(wanted)
        self._held.add(brought.rows)
        self._steps.update(brought.steps)
        self._take_entries(wanted, brought.entries)
        self.shared.keep(brought.texts)
        self._ids.update({key: self._held.places.get(key) for key in wanted.ids})
        self._take_searches(pending, brought.searches)
        for near, places in zip(wanted.near, brought.near, strict=True):
            self._found_near[near.vector] = near.limit, places
            self._point_around(places)

    def _leave_known(self, wanted: Wanted) -> None:
        wanted.places -= self._held.slots.keys()
        wanted.steps -= self._held.slots.keys() | self._steps.keys() | wanted.places
        wanted.keys -= self._entries.keys()
        wanted.texts = self.shared.missing(wanted.texts)

    def _take_entries(self, wanted: Wanted, entries: Mapping[str, Any]) -> None:
        """Keep what the entries say, and point to where the names among them lead."""
        self._entries.update(dict.fromkeys(wanted.keys))
        self._entries.update(entries)
        for key, entry in entries.items():
            if key.startswith(("name:", "key:")):
                self._point_to_documents(entry["documents"])
            if key.startswith("name:"):
                self._point_to_documents(entry["holding"])

    def _point_to_documents(self, documents: Sequence[Sequence[Any]]) -> None:
        """Keep where documents begin and how many passages they have, and point to these."""
        for document, _, first, size in documents:
            self._extents[document] = first, size
            if len(self._next.places) < MOST_PLACES and size <= BESIDE:
                self._next.places.update(range(first, first + size))

    def _take_searches(self, pending: Sequence[Weighed], results: Sequence[list[tuple[int, float]]]) -> None:
        """Score what was found by the rows, and point to what stands beside it and where it leads."""
        for search, hits in zip(pending, results, strict=True):
            places = [place for place, _ in hits]
            values = self._held.weigh(search.vector, self._held.at(places)).tolist()
            search.found = [pair for pair in zip(places, values, strict=True) if pair[1] > 0]
            self._point_around(places)
            self._point_to_names(places[:NAMED])

    def _point_to_names(self, places: Sequence[int]) -> None:
        """Look up the names in the best passages of a search: a walk begins there."""
        names = (number for place in places for number in self._held.of(place).names)
        self._next.keys.update(f"name:{number}" for number in names)

    def _point_around(self, places: Sequence[int]) -> None:
        for place in places:
            if place in self._near:
                continue
            self._near.add(place)
            row = self._held.of(place)
            first, size, _, of_work = row.about[:4]
            if 1 < size <= BESIDE and len(self._next.places) < MOST_PLACES:
                # With the last one before and the first one behind: whether they are of the same work is asked.
                self._next.places.update(range(max(0, first - 1), min(first + size + 1, self.size)))
            if size < of_work and len(self._next.places) < MOST_PLACES:
                self._next.places.update(range(max(0, place - AROUND), min(place + AROUND + 1, self.size)))
            near = (*row.steps.links, *row.steps.back)
            if len(self._next.places) < MOST_PLACES and len(near) <= FEW_STEPS:
                self._next.places.update(near)
            elif len(self._next.steps) < MOST_STEPS:
                self._next.steps.update(near)

    def _need(self, places: Places) -> None:
        if any(int(place) not in self._held.slots for place in places):
            self._bring(places=[int(place) for place in places])

    def _need_documents(self, documents: Places) -> None:
        missing = {int(document) for document in documents} - self._held.documents.keys()
        self._need([self._extents[document][0] for document in sorted(missing)])

    def _entry(self, key: str) -> Any:
        if key not in self._entries:
            self._bring(keys=[key])
        return self._entries[key]

    def note(self, text: str) -> None:
        """Look up the words of a text, and their kin, with what is next."""
        terms = tokens(text)
        self._next.keys.update(f"term:{term}" for term in terms)
        self._next.keys.update(f"kin:{term[:KIN_LETTERS]}" for term in terms if has_kin(term))

    def _note_names(self, text: str) -> None:
        """Look up all that may be the name of a document, and acronyms, likewise."""
        read = [word.word for word in spans(text)]
        self._next.keys.update(f"key:{' '.join(run)}" for run in _runs(read))
        written = text.replace("?", " ").replace(",", " ").split()
        for word in filter(is_acronym, written):
            self._next.keys.update((f"acronym:{word}", f"acronym:{word.removesuffix('s')}"))

    # Search

    def vector_of(self, terms: Mapping[str, float]) -> Vector:
        """The terms by number, in the order in which their weights are added up."""
        return tuple((term_number(term), float(terms[term])) for term in sorted(terms))

    def weighed(self, vector: Vector, limit: int, *, marks: tuple[int, ...] = ()) -> Weighed:
        """The scores for a vector, the same for all who ask; the search goes with the next round trip."""
        known = self._searched.get((vector, marks))
        if known is None:
            known = self._searched[vector, marks] = Weighed(self, vector, limit, marks=marks)
        elif not known.deepen(limit):
            return known
        if vector and known not in self._pending:
            self._pending.append(known)
        return known

    def weigh(self, terms: Mapping[str, float]) -> Scores:
        """BM25 for index terms with weights; a part of what was searched before is searched for its best five only."""
        vector = self.vector_of(terms)
        own = set(vector)
        part = any(own < set(known) for known, marks in self._searched if not marks)
        return self.weighed(vector, PART if part else DEEP)

    def weights(self, vector: Vector, places: Places) -> Floats:
        """The scores of some passages."""
        self._need(places)
        return self._held.weigh(vector, self._held.at(places))

    def blend(self, blend: Blend) -> Scores:
        """BM25 of several lists of terms with preferences and demands."""
        return Blended(self, blend)

    def expect(self, queries: Iterable[str]) -> None:
        """Search for the queries with the next round trip."""
        for query in queries:
            self.weighed(self.vector_of(Counter(tokens(query))), DEEP)
            if self._vectors is not None and self.weighs_meaning:
                self._vectors.expect(query)

    def attach(self, vectors: FetchedVectors) -> None:
        """Bring rows with their vectors from now on: the run searches by meaning too."""
        self._vectors = vectors

    def expect_near(self, vector: tuple[float, ...]) -> None:
        """Look for the passages nearest to a vector with the next round trip."""
        if vector not in self._found_near and all(each.vector != vector for each in self._waiting_near):
            self._waiting_near.append(Near(vector, DEEP))

    def near(self, vector: tuple[float, ...], count: int) -> list[int]:
        """At least `count` places nearest to a vector by the engine's index, unless there are fewer."""
        most, places = self._found_near.get(vector, (0, []))
        if most < count and (not most or len(places) == most):
            self._waiting_near = [each for each in self._waiting_near if each.vector != vector]
            self._waiting_near.append(Near(vector, max(count, DEEP)))
            self._bring()
        return self._found_near[vector][1]

    def vectors_of(self, places: Places) -> Floats:
        """The vectors of some passages, one row each."""
        self._need(places)
        rows = [self._held.of(int(place)).vector for place in places]
        return np.array(rows, dtype=np.float32).reshape(len(rows), -1)

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages with a positive score, best first, ties by id."""
        scores = self.weighed(self.vector_of(Counter(tokens(query))), max(DEEP, top_k))
        order = scores.best(top_k)
        values = scores.of(order).tolist()
        hits = zip(self.fetch(order), values, strict=True)
        return [ScoredPassage(passage, value, rank) for rank, (passage, value) in enumerate(hits, start=1)]

    def score_of(self, query: str, passage: Passage) -> float:
        """The BM25 score that the corpus gives a passage for `query`."""
        vector = self.vector_of(Counter(tokens(query)))
        return float(self.weights(vector, [self.position(passage.passage_id)])[0])

    def marks_of(self, wanted: Preference | Demand) -> list[int]:
        """The numbers of the values that a preference or a demand is for."""
        if isinstance(wanted, Preference):
            levels = wanted.levels
        else:
            levels = ((wanted.values, 1.0),)
        number = self._number_of(wanted.facet)
        return [mark(number, code) for codes, _ in levels for code in codes if number is not None]

    def _number_of(self, facet: str) -> int | None:
        names = ["", *sorted(self.about.values)]
        return names.index(facet) if facet in names else None

    # Passages

    def fetch(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        self._need(places)
        return [passage_of(self._held.of(int(place)).record) for place in places]

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError when there is none."""
        return self.fetch([self.position(passage_id)])[0]

    def position(self, passage_id: str) -> int:
        """The place of a passage; CorpusError when it is not of the corpus."""
        place = self.place_of(passage_id)
        if place is None:
            raise CorpusError(f"no passage {passage_id!r} in corpus {self.card.name!r}; it may be of another version")
        return place

    def place_of(self, passage_id: str) -> int | None:
        """The place of a passage; None for one that is not of the corpus."""
        if passage_id not in self._held.places and passage_id not in self._ids:
            self._bring(ids=[passage_id])
        return self._held.places.get(passage_id)

    # Terms

    def term_count(self, term: str) -> int:
        """How many passages hold a term; read off its weight in a passage that is here, where nothing else is known."""
        if f"term:{term}" not in self._entries and (row := self._held.one_with(term_number(term))):
            return self._count_from(row, term_number(term))
        entry = self._entry(f"term:{term}")
        return entry["count"] if entry else 0

    def _count_from(self, row: Row, number: int) -> int:
        """What BM25 weighed a term by, backwards."""
        own = sum(other == number for other in row.terms)
        share = len(row.terms) / self.mean_length
        norm = K1 * (1 - B + B * share)
        saturated = own * (K1 + 1) / (own + norm)
        idf = row.words[number] / saturated
        count = (self.size + 1) / exp(idf) - 0.5
        return max(round(count), 1)

    def known(self, terms: Iterable[str]) -> set[str]:
        """Those of some terms that passages hold."""
        asked = {term for term in terms if term}
        if missing := [f"term:{term}" for term in asked if f"term:{term}" not in self._entries]:
            self._bring(keys=missing)
        return {term for term in asked if self._entries[f"term:{term}"]}

    def holding(self, term: str, most: int) -> list[Passage]:
        """The first passages that hold a term."""
        entry = self._entry(f"term:{term}")
        return self.fetch(entry["first"][:most]) if entry else []

    def sample(self) -> Sequence[Passage]:
        """No passages: names that an acronym may be short for are not looked for by reading."""
        return ()

    def is_odd(self, term: str) -> bool:
        """Whether the term holds four letters in a row that at most one term of the corpus has."""
        parts = [f"grams:{number}" for number in range(self.about.grams)]
        if parts and parts[0] not in self._entries:
            self._bring(keys=parts)
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
        if not count:
            return 0.0
        odds = (self.size - count + 0.5) / (count + 0.5)
        return float(np.float32(log1p(odds)))

    def kin(self, term: str) -> list[str]:
        """The terms of the corpus with the same beginning and nearly the length; itself first, known or not."""
        if not has_kin(term):
            return [term]
        near = self._entry(f"kin:{term[:KIN_LETTERS]}") or ()
        others = [other for other in near if other != term]
        return [term, *(other for other in others if abs(len(other) - len(term)) <= KIN_SPREAD)]

    def any_holds(self, terms: Sequence[str]) -> bool:
        """Whether one passage holds all of the terms; False for none. The passages fetched are looked at first."""
        numbers = tuple(sorted({term_number(term) for term in terms}))
        if not numbers:
            return False
        if numbers not in self._holding:
            columns = [self._held.column(number) > 0 for number in numbers]
            if bool(np.logical_and.reduce(columns).any()):
                self._holding[numbers] = True
            elif not all(self.term_count(term) for term in terms):
                self._holding[numbers] = False
            else:
                self._next.holding.append(numbers)
                self._ask_holding()
        return self._holding[numbers]

    def _ask_holding(self) -> None:
        asked, self._next.holding = self._next.holding, []
        self.trips += 1
        brought = self.engine.bring(Wanted(holding=asked))
        self._holding.update(zip(asked, map(bool, brought.holding), strict=True))

    def matches(self, places: Places, wanted: Sequence[Sequence[str]]) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms, each with its kin; besides, kin counted too."""
        self._need(places)
        rows = [self._held.of(int(place)) for place in places]
        terms = _flat(row.terms for row in rows)
        pieces = _starts(_flat(row.pieces for row in rows))
        passages = _starts(len(row.pieces) for row in rows)
        index = ForwardIndex(terms, pieces, passages)  # type: ignore[arg-type]  # numbers of 32 bits without sign
        asked = [list(map(term_number, group)) for group in wanted]
        return index.matches(range(len(rows)), asked)

    def corrections(self, question: str) -> tuple[Correction, ...]:
        """The words of a question that no passage says, with the words that they are likely to mean."""
        self.note(question)
        self._note_names(question)
        if question.islower():
            self._point_to_holders(tokens(question)[:MOST_WORDS])
        return corrections(self, question)

    def _point_to_holders(self, terms: Sequence[str]) -> None:
        """Bring the first passages of all terms together: each is read to see how it writes the term."""
        for term in sorted(self.known(terms)):
            self._next.places.update(self._entries[f"term:{term}"]["first"][:READ_FOR_CASE])

    def long_form(self, name: str) -> str | None:
        """What an acronym stands for in this corpus; None for other names."""
        if not is_acronym(name):
            return None
        keys = dict.fromkeys((name, name.removesuffix("s")))
        known = {key: entry for key in keys if (entry := self._entry(f"acronym:{key}"))}
        return long_form(name, known)

    # Documents

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

    def documents_of(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        self._need(places)
        rows = self._held.at(places).tolist()
        return np.array([self._held.rows[row].document for row in rows], dtype=np.int32)

    def _about(self, documents: Places) -> list[Sequence[int]]:
        self._need_documents(documents)
        return [self._held.documents[int(document)].about for document in documents]

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
        return self._held.works[work]

    def value_counts(self, facet: str, term: str | None = None) -> Longs:
        """By code of a facet's values, how many passages have the value; of those that hold `term`, if given."""
        if term is None:
            return np.array(self.about.counts[facet], dtype=np.int64)
        counts = np.zeros(len(self.about.values[facet]), dtype=np.int64)
        entry = self._entry(f"term:{term}")
        for code, count in (entry or {"values": {}})["values"].get(facet, ()):
            counts[code] = count
        return counts

    def held_in(self, terms: Sequence[str], documents: Places) -> Floats:
        """[terms x documents]: how many passages of each document hold each term."""
        numbers = [term_number(term) for term in terms]
        results = np.zeros((len(terms), len(documents)), dtype=np.float32)
        for place, (first, size, *_) in enumerate(self._about(documents)):
            within = range(first, first + size)
            self._need(within)
            slots = self._held.at(within)
            columns = [self._held.column(number)[slots] for number in numbers]
            results[:, place] = list(map(np.count_nonzero, columns))
        return results

    # Filings

    @property
    def filed(self) -> Sequence[Filed]:
        """The documents that are filings or reports, ascending."""
        if self.shared.filed is None:
            parts = [f"cards:{number}" for number in range(self.about.cards)]
            if parts:
                self._bring(keys=parts)
            self.shared.filed = [Filed(*row) for part in parts for row in self._entries[part]]
        return self.shared.filed

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The numbers of terms, as far as they were given out."""
        return self.shared.vocabulary

    def will_read(self, places: Places) -> None:
        """Bring these passages with the next one that is read."""
        self._readable.update(int(place) for place in places)

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        asked = [int(place) for place in places]
        if self.shared.missing(asked):
            self._readable.update(asked)
            wanted, self._readable = self._readable, set()
            self._bring(texts=wanted)
        return self.shared.passages(asked)

    def sentences_of(self, places: Places) -> list[list[NDArray[np.int32]]]:
        """The terms of each sentence of some passages."""
        self.read(places)
        return [self.shared.sentences_of(int(place)) for place in places]

    def score_terms(self, terms: Mapping[str, float], places: Places) -> Floats:
        """BM25 of some passages for index terms with weights, without a search."""
        return self.weights(self.vector_of(terms), places)

    def all_holding(self, groups: Sequence[Sequence[str]]) -> list[Longs]:
        """For each group of terms the places that hold all of them, ascending; 16,384 at most."""
        numbers = [tuple(sorted({term_number(term) for term in group})) for group in groups]
        known = self.shared.holding
        if asked := sorted(set(numbers) - known.keys()):
            self.trips += 1
            brought = self.engine.bring(Wanted(holding=asked, most_holding=MOST_HOLDING))
            known.update((key, sorted(places)) for key, places in zip(asked, brought.holding, strict=True))
        return [np.array(known[each], dtype=np.int64) for each in numbers]

    # Names and links

    @property
    def link_density(self) -> float:
        """Distinct documents that a passage names, on average: whether titles are names at all."""
        return self.about.link_density

    @property
    def is_linked(self) -> bool:
        """Whether steps along names are worth taking (a density of at least 0.2)."""
        return self.about.link_density >= 0.2

    @property
    def named_titles(self) -> float:
        """The share of titles written as proper names, of some documents."""
        return self.about.named_titles

    def named(self, text: str) -> list[NamedSpan]:
        """The names of documents in a text, in order; the longest at each place."""
        read = spans(text)
        results = list[NamedSpan]()
        at = 0
        keys = {f"key:{' '.join(run)}" for run in _runs([word.word for word in read])}
        if keys - self._entries.keys():
            self._bring(keys=keys)
        while at < len(read):
            size = self._longest(text, read, at)
            if size:
                key = " ".join(word.word for word in read[at : at + size])
                documents = _documents(self._entries[f"key:{key}"])
                span = (read[at].start, read[at + size - 1].end)
                results.append(NamedSpan(key, span, documents))
            at += max(size, 1)
        return results

    def _longest(self, text: str, read: Sequence[Word], at: int) -> int:
        """How many words the longest name that begins here has; 0 where none does."""
        for size in range(min(LONGEST_NAME, len(read) - at), 0, -1):
            if not self._entries[f"key:{' '.join(word.word for word in read[at : at + size])}"]:
                continue
            if size == 1 and not text[read[at].start].isupper():
                continue
            if size == 1 and at == 0 and len(read) > 1 and not stem(read[at].word):
                continue
            return size
        return 0

    def name(self, number: int) -> Name:
        """What is known of a name."""
        entry = self._entry(f"name:{number}")
        holders = np.array(entry["holders"], dtype=np.int32)
        return Name(entry["key"], _documents(entry), entry["count"], holders)

    def mentions(self, places: Places) -> Mentions:
        """The names that passages mention; those of a few passages are brought with what is next."""
        self._need(places)
        rows = [self._held.of(int(place)) for place in places]
        if len(rows) <= FOLLOWED:
            self._next.keys.update(f"name:{number}" for row in rows for number in row.names)
        return Mentions(
            _starts(len(row.names) for row in rows),
            _flat(row.sentences for row in rows),
            _flat(row.names for row in rows),
        )

    def links(self, places: Places) -> Links:
        """The passages that each passage names, as far as two steps from what was found; none for others."""
        steps = self._steps_of(places)
        return _as_links([(step.links, step.link_weights) for step in steps])

    def linked_from(self, places: Places) -> Links:
        """The passages that name each passage, likewise."""
        steps = self._steps_of(places)
        return _as_links([(step.back, step.back_weights) for step in steps])

    def _steps_of(self, places: Places) -> list[Step]:
        asked = [int(place) for place in places]
        there = self._held.slots.keys() | self._steps.keys() | self._far
        if missing := [place for place in asked if place not in there]:
            self._bring(steps=missing)
        results = [self._step(place) for place in asked]
        for place, step in zip(asked, results, strict=True):
            if place not in self._near:
                self._far.update(other for other in (*step.links, *step.back) if not self._has_steps(other))
        return results

    def _has_steps(self, place: int) -> bool:
        return place in self._held.slots or place in self._steps

    def _step(self, place: int) -> Step:
        if place in self._held.slots:
            return self._held.of(place).steps
        return self._steps.get(place, Step())

    def naming(self, places: Places) -> Floats:
        """How many passages name the document of each place."""
        self._need(places)
        rows = self._held.at(places).tolist()
        return np.array([self._held.rows[row].naming for row in rows], dtype=np.float32)


def _documents(entry: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
    return tuple((int(document), float(sure)) for document, sure, *_ in entry["documents"])


def has_kin(term: str) -> bool:
    """Whether a term is long enough, and of letters, to have others of its beginning."""
    return len(term) >= KIN_LETTERS and term.isalpha()


def _runs(read: Sequence[str]) -> list[Sequence[str]]:
    """All runs of up to twelve words."""
    runs = []
    for start in range(len(read)):
        longest = read[start : start + LONGEST_NAME]
        runs += [longest[:size] for size in range(1, len(longest) + 1)]
    return runs


def _as_links(parts: Sequence[tuple[Sequence[int], Sequence[float]]]) -> Links:
    starts = _starts(len(places) for places, _ in parts)
    places = _flat(places for places, _ in parts)
    weights = np.array([weight for _, own in parts for weight in own], dtype=np.float32)
    return Links(starts, places, weights)


def _flat(parts: Iterable[Sequence[int]]) -> Longs:
    return np.array(list(chain.from_iterable(parts)), dtype=np.int64)


def _starts(sizes: Iterable[int]) -> Longs:
    return np.cumsum([0, *sizes], dtype=np.int64)
