"""Round trips to an engine that holds a corpus: what it is asked for and brings, and what was brought so far.

One brings what is asked now and, unasked, all that was pointed to by then. What was found points to what stands beside
it, to where it leads, and to the documents of the names that it mentions; the searches that were begun go along. A run
then waits for the engine a few times a hop.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from threading import Lock
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import CorpusCard, Passage, of_fields
from adaq_core.retrieval import Filed, Floats, Places
from adaq_core.retrieval.facets import passage_pieces
from adaq_core.retrieval.lexical import KIN_LETTERS, READ_FOR_CASE, has_kin
from adaq_core.retrieval.name_forms import is_acronym
from adaq_core.text.tokens import spans, tokens

Longs = NDArray[np.int64]
Vector = tuple[tuple[int, float], ...]


def term_number(term: str) -> int:
    """The number of a term in every corpus: 32 bits of its letters, as the engine numbers words itself."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass")) % 0xFFFFFFFE


def as_words(numbers: Iterable[int]) -> str:
    """Terms by number as words that every tokenizer leaves whole: what an engine counts by itself."""
    return " ".join(f"t{number:x}" for number in numbers)


def mark(facet: int, code: int) -> int:
    """The number of a facet's value among those of all facets; the day is facet 0."""
    return facet << 32 | code


def packed(kinds: str, parts: Sequence[Any]) -> str:
    """Lists of numbers as one text, each of a kind of four bytes: an engine hands over one text sooner than lists."""
    arrays = [np.asarray(part, dtype=f"<{kind}4") for kind, part in zip(kinds, parts, strict=True)]
    sizes = np.array([len(array) for array in arrays], dtype="<i4")
    raw = b"".join(array.tobytes() for array in (sizes, *arrays))
    return b64encode(zlib.compress(raw, 1)).decode()


def unpacked(kinds: str, text: str) -> list[list[Any]]:
    """The lists that `packed` was given."""
    raw = zlib.decompress(b64decode(text))
    sizes = np.frombuffer(raw, "<i4", len(kinds)).tolist()
    results, at = [], 4 * len(kinds)
    for kind, size in zip(kinds, sizes, strict=True):
        results.append(np.frombuffer(raw, f"<{kind}4", size, at).tolist())
        at += 4 * size
    return results


def flat(parts: Iterable[Sequence[int]]) -> Longs:
    """Several rows of numbers as one."""
    return np.array(list(chain.from_iterable(parts)), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Row:
    """A passage with all that ranking may ask of it; `about` is first, size, work, size of the work, day, codes."""

    place: int
    passage_id: str
    document: int
    record: str
    about: Sequence[int]
    words: Mapping[int, float]
    terms: Sequence[int]
    pieces: Sequence[int]
    names: Sequence[int]
    sentences: Sequence[int]
    steps: Step
    naming: float
    vector: Floats | None = None

    KINDS: ClassVar = "iuiiif"  # document, passages naming it, about; terms; pieces; names; sentences; weights

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Row:
        """The row in the fields of the engine."""
        head, terms, pieces, names, sentences, weights = unpacked(cls.KINDS, row["row"])
        words = dict(zip(sorted(set(terms)), weights, strict=True))
        given = row.get("vector")
        return cls(
            row["place"],
            row["passage_id"],
            head[0],
            row["record"],
            head[2:],
            words,
            terms,
            pieces,
            names,
            sentences,
            Step.read(row["steps"]),
            float(head[1]),
            None if given is None else np.asarray(given, dtype=np.float32),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """Where a passage leads, and which passages lead to it."""

    links: Sequence[int] = ()
    link_weights: Sequence[float] = ()
    back: Sequence[int] = ()
    back_weights: Sequence[float] = ()

    KINDS: ClassVar = "ifif"

    @classmethod
    def read(cls, text: str) -> Step:
        """The step in a field of the engine."""
        return cls(*unpacked(cls.KINDS, text))


@dataclass(frozen=True, slots=True)
class Search:
    """The best passages for weighted terms, among those with one of some values (`marks`)."""

    vector: Vector
    limit: int
    marks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Near:
    """The passages nearest to a vector."""

    vector: tuple[float, ...]
    limit: int


@dataclass(slots=True)
class Wanted:
    """What one round trip is to bring; rows `with_vectors` where they are asked for; of `texts` the passage alone."""

    searches: list[Search] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    places: set[int] = field(default_factory=set)
    steps: set[int] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    holding: list[tuple[int, ...]] = field(default_factory=list)
    most_holding: int = 1
    texts: set[int] = field(default_factory=set)
    with_vectors: bool = False


@dataclass(slots=True)
class Brought:
    """What it brought: (place, score) for each search, rows, steps, entries by key, places that hold terms, records."""

    searches: list[list[tuple[int, float]]] = field(default_factory=list)
    near: list[list[int]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    steps: dict[int, Step] = field(default_factory=dict)
    entries: dict[str, Any] = field(default_factory=dict)
    holding: list[list[int]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)


class Engine(Protocol):
    """Where the rows are."""

    def bring(self, wanted: Wanted) -> Brought:
        """All that is wanted, in one round trip: requests that do not wait for each other."""
        ...


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a corpus as a whole."""

    card: CorpusCard
    mean_length: float
    values: dict[str, tuple[str, ...]]
    counts: dict[str, list[int]]
    of_dated_sources: bool
    link_density: float
    named_titles: float
    grams: int  # parts that the table of letters in a row is stored in
    cards: int  # parts that the cards of filings are stored in
    vectors: str = ""  # the embedder that made the vectors of the passages; empty where there are none
    counts_words: bool = False  # whether the engine weighs words itself, by its BM25 function, to find passages


MOST_READ = 60_000  # passages of filings that are kept: some 300 reports


class Read:
    """What was read of filings so far, and which passages hold some terms: the same for all runs over a version."""

    def __init__(self) -> None:
        self.filed: list[Filed] | None = None
        self.holding: dict[tuple[int, ...], list[int]] = {(): []}
        self._passages: dict[int, Passage] = {}
        self._sentences: dict[int, list[NDArray[np.int32]]] = {}
        self._vocabulary: dict[str, int] = {}
        self._lock = Lock()

    def missing(self, places: Iterable[int]) -> set[int]:
        """Those of some places that were not read."""
        return set(places) - self._passages.keys()

    def keep(self, texts: Mapping[int, str]) -> None:
        """Take in passages; those read first are forgotten where they are too many."""
        with self._lock:
            self._passages.update((place, passage_of(text)) for place, text in texts.items())
            for place in list(self._passages)[:-MOST_READ]:
                del self._passages[place]
                self._sentences.pop(place, None)

    def passages(self, places: Sequence[int]) -> list[Passage]:
        """The passages at places that were read."""
        return [self._passages[place] for place in places]

    @property
    def vocabulary(self) -> dict[str, int]:
        """The numbers given out so far: a copy, for there will be more."""
        with self._lock:
            return dict(self._vocabulary)

    def sentences_of(self, place: int) -> list[NDArray[np.int32]]:
        """The terms of each sentence of a passage."""
        with self._lock:
            if place not in self._sentences:
                pieces = passage_pieces(self._passages[place])[1:]
                self._sentences[place] = [self._numbers(piece) for piece in pieces]
            return self._sentences[place]

    def _numbers(self, piece: str) -> NDArray[np.int32]:
        known = self._vocabulary
        return np.array([known.setdefault(term, len(known)) for term in tokens(piece)], dtype=np.int32)


def numbers_of(terms: Iterable[str]) -> tuple[int, ...]:
    """The numbers of some terms, each once, ascending."""
    return tuple(sorted({term_number(term) for term in terms}))


def passage_of(record: str) -> Passage:
    """The passage in a field of the engine."""
    return of_fields(Passage, json.loads(record))


class FetchedRows:
    """The rows fetched so far, and the weights of terms in them as columns."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.slots: dict[int, int] = {}
        self.places: dict[str, int] = {}
        self.documents: dict[int, Row] = {}
        self.works: dict[int, int] = {}
        self._columns: dict[int, Floats] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Take in rows."""
        for row in rows:
            if row.place in self.slots:
                continue
            self.slots[row.place] = len(self.rows)
            self.rows.append(row)
            self.places[row.passage_id] = row.place
            self.documents.setdefault(row.document, row)
            self.works[row.about[2]] = row.about[3]

    def of(self, place: int) -> Row:
        """The row of a place that is here."""
        return self.rows[self.slots[place]]

    def at(self, places: Places) -> Longs:
        """Where the rows of places stand in the columns."""
        return np.array([self.slots[int(place)] for place in places], dtype=np.int64)

    def column(self, term: int) -> Floats:
        """The weight of a term in every row."""
        known = self._columns.get(term, np.zeros(0, dtype=np.float32))
        if len(known) < len(self.rows):
            more = [row.words.get(term, 0.0) for row in self.rows[len(known) :]]
            known = self._columns[term] = np.concatenate([known, np.array(more, dtype=np.float32)])
        return known

    def one_with(self, term: int) -> Row | None:
        """A row that holds a term."""
        slots = np.flatnonzero(self.column(term))
        if len(slots):
            return self.rows[int(slots[0])]
        return None

    def weigh(self, vector: Vector, slots: Longs) -> Floats:
        """The scores of some rows, added up in the order of the vector."""
        total: Floats = np.zeros(len(slots), dtype=np.float32)
        for term, weight in vector:
            total += self.column(term)[slots] * np.float32(weight)
        return total


DEEP = 60  # passages that a search brings with their rows, unless more are asked for
BESIDE = 400  # passages of a document that is fetched as a whole, unasked, with one of them
AROUND = 3  # documents before and behind one that is a part of a work: those beside it, and beside what is taken in
NAMED = 30  # best passages of a search whose names are looked up unasked
MOST_STEPS, MOST_PLACES = 3_000, 3_000  # in one round trip, unasked
FEW_STEPS = 60  # from or to a passage: these are fetched with all that is known of them
LONGEST_NAME = 12  # words


class Fetching:
    """What one run has fetched of a corpus of `size` passages. `trips` counts how often the engine was waited for."""

    def __init__(self, engine: Engine, size: int, shared: Read) -> None:
        self.engine = engine
        self.shared = shared
        self.trips = 0
        self.with_vectors = False
        self.rows = FetchedRows()
        self.entries: dict[str, Any] = {}
        self._size = size
        self._steps: dict[int, Step] = {}
        self._near: set[int] = set()  # found by a search: where they lead is followed
        self._far: set[int] = set()  # more than two steps away: where they lead is not asked
        self._extents: dict[int, tuple[int, int]] = {}
        self._ids: dict[str, int | None] = {}
        self._searched: dict[tuple[Vector, tuple[int, ...]], Weighed] = {}
        self._pending: list[Weighed] = []
        self._next = Wanted()
        self._readable: set[int] = set()
        self._waiting_near: list[Near] = []
        self._nearest: dict[tuple[float, ...], tuple[int, list[int]]] = {}

    def bring(self, **more: Iterable[Any]) -> None:
        """One round trip, for what is asked now and all that was pointed to."""
        wanted, self._next = self._next, Wanted()
        for name, values in more.items():
            getattr(wanted, name).update(values)
        pending, self._pending = self._pending, []
        wanted.searches = [each.wanted for each in pending]
        wanted.near, self._waiting_near = self._waiting_near, []
        wanted.with_vectors = self.with_vectors
        self._leave_known(wanted)
        self.trips += 1
        brought = self.engine.bring(wanted)
        self.rows.add(brought.rows)
        self._steps.update(brought.steps)
        self._take_entries(wanted, brought.entries)
        self.shared.keep(brought.texts)
        self._ids.update({key: self.rows.places.get(key) for key in wanted.ids})
        self._take_searches(pending, brought.searches)
        self._take_nearest(wanted.near, brought.near)

    def _leave_known(self, wanted: Wanted) -> None:
        wanted.places -= self.rows.slots.keys()
        wanted.steps -= self.rows.slots.keys() | self._steps.keys() | wanted.places
        wanted.keys -= self.entries.keys()
        wanted.texts = self.shared.missing(wanted.texts)

    def _take_entries(self, wanted: Wanted, entries: Mapping[str, Any]) -> None:
        """Keep what the entries say, and point to where the names among them lead."""
        self.entries.update(dict.fromkeys(wanted.keys))
        self.entries.update(entries)
        for key, entry in entries.items():
            if key.startswith(("name:", "key:")):
                self._point_to_documents(entry["documents"])
            if key.startswith("name:"):
                self._point_to_documents(entry["holding"])

    def _take_searches(self, pending: Sequence[Weighed], results: Sequence[list[tuple[int, float]]]) -> None:
        """Score what was found by the rows, and point to what stands beside it and where it leads."""
        for search, hits in zip(pending, results, strict=True):
            places = [place for place, _ in hits]
            values = self.rows.weigh(search.vector, self.rows.at(places)).tolist()
            search.hits = [pair for pair in zip(places, values, strict=True) if pair[1] > 0]
            self._point_around(places)
            self._point_to_names(places[:NAMED])

    def _take_nearest(self, asked: Sequence[Near], results: Sequence[list[int]]) -> None:
        for near, places in zip(asked, results, strict=True):
            self._nearest[near.vector] = near.limit, places
            self._point_around(places)

    # What is pointed to

    def _point_to_documents(self, documents: Sequence[Sequence[Any]]) -> None:
        """Keep where documents begin and how many passages they have, and point to these."""
        for document, _, first, size in documents:
            self._extents[document] = first, size
            if self._has_room and size <= BESIDE:
                self._next.places.update(range(first, first + size))

    def _point_to_names(self, places: Sequence[int]) -> None:
        """Look up the names in the best passages of a search: a walk begins there."""
        self.look_up(f"name:{number}" for place in places for number in self.rows.of(place).names)

    def _point_around(self, places: Sequence[int]) -> None:
        for place in places:
            if place in self._near:
                continue
            self._near.add(place)
            self._point_beside(place)
            self._point_to_steps(self.rows.of(place).steps)

    def _point_beside(self, place: int) -> None:
        """Point to the passages of the same document, and of the documents beside it where it is a part of a work."""
        first, size, _, of_work = self.rows.of(place).about[:4]
        if 1 < size <= BESIDE and self._has_room:
            # With the last one before and the first one behind: whether they are of the same work is asked.
            self._point_to_places(first - 1, first + size)
        if size < of_work and self._has_room:
            self._point_to_places(place - AROUND, place + AROUND)

    def _point_to_places(self, first: int, last: int) -> None:
        self._next.places.update(range(max(0, first), min(last + 1, self._size)))

    def _point_to_steps(self, steps: Step) -> None:
        near = (*steps.links, *steps.back)
        if self._has_room and len(near) <= FEW_STEPS:
            self._next.places.update(near)
        elif len(self._next.steps) < MOST_STEPS:
            self._next.steps.update(near)

    @property
    def _has_room(self) -> bool:
        return len(self._next.places) < MOST_PLACES

    # What is asked now

    def need(self, places: Places) -> None:
        """Have the rows of these places here."""
        if any(int(place) not in self.rows.slots for place in places):
            self.bring(places=[int(place) for place in places])

    def need_documents(self, documents: Places) -> None:
        """Have a row of each of these documents here."""
        missing = {int(document) for document in documents} - self.rows.documents.keys()
        self.need([self._extents[document][0] for document in sorted(missing)])

    def entry(self, key: str) -> Any:
        """What the corpus keeps under a key; None where there is nothing."""
        if key not in self.entries:
            self.bring(keys=[key])
        return self.entries[key]

    def place_of(self, passage_id: str) -> int | None:
        """The place of a passage; None for one that is not of the corpus."""
        if passage_id not in self.rows.places and passage_id not in self._ids:
            self.bring(ids=[passage_id])
        return self.rows.places.get(passage_id)

    def steps_of(self, places: Places) -> list[Step]:
        """The links from and to each passage up to two steps from the results; none for others."""
        asked = [int(place) for place in places]
        there = self.rows.slots.keys() | self._steps.keys() | self._far
        if missing := [place for place in asked if place not in there]:
            self.bring(steps=missing)
        results = [self._step(place) for place in asked]
        for place, step in zip(asked, results, strict=True):
            if place not in self._near:
                self._far.update(other for other in (*step.links, *step.back) if not self._has_steps(other))
        return results

    def _has_steps(self, place: int) -> bool:
        return place in self.rows.slots or place in self._steps

    def _step(self, place: int) -> Step:
        if place in self.rows.slots:
            return self.rows.of(place).steps
        return self._steps.get(place, Step())

    def holding(self, groups: Sequence[tuple[int, ...]], *, most: int) -> list[list[int]]:
        """For each group of terms at most so many places that hold all of them, in a round trip of its own."""
        self.trips += 1
        return self.engine.bring(Wanted(holding=list(groups), most_holding=most)).holding

    def will_read(self, places: Places) -> None:
        """Bring these passages with the next one that is read."""
        self._readable.update(int(place) for place in places)

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        asked = [int(place) for place in places]
        if self.shared.missing(asked):
            self._readable.update(asked)
            wanted, self._readable = self._readable, set()
            self.bring(texts=wanted)
        return self.shared.passages(asked)

    # What goes with the next round trip

    def look_up(self, keys: Iterable[str]) -> None:
        """Look up what the corpus keeps under these keys."""
        self._next.keys.update(keys)

    def note(self, text: str) -> None:
        """Look up the words of a text, and their kin."""
        terms = tokens(text)
        self.look_up(f"term:{term}" for term in terms)
        self.look_up(f"kin:{term[:KIN_LETTERS]}" for term in terms if has_kin(term))

    def note_names(self, text: str) -> None:
        """Look up all that may be the name of a document, and acronyms."""
        self.look_up(name_keys([word.word for word in spans(text)]))
        written = text.replace("?", " ").replace(",", " ").split()
        for word in filter(is_acronym, written):
            self.look_up((f"acronym:{word}", f"acronym:{word.removesuffix('s')}"))

    def note_holders(self, terms: Iterable[str]) -> None:
        """Bring the first passages of terms that were looked up: each is read to see how it writes the term."""
        for term in terms:
            self._next.places.update(self.entries[f"term:{term}"]["first"][:READ_FOR_CASE])

    # Searches

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

    def is_part(self, vector: Vector) -> bool:
        """Whether a vector is a part of one that was searched before."""
        own = set(vector)
        return any(own < set(known) for known, marks in self._searched if not marks)

    def run(self, search: Weighed) -> None:
        """Search now, with all else that waits."""
        if search not in self._pending:
            self._pending.append(search)
        self.bring()

    def weights(self, vector: Vector, places: Places) -> Floats:
        """The scores of some passages."""
        self.need(places)
        return self.rows.weigh(vector, self.rows.at(places))

    def expect_near(self, vector: tuple[float, ...]) -> None:
        """Look for the passages nearest to a vector with the next round trip."""
        if vector not in self._nearest and all(each.vector != vector for each in self._waiting_near):
            self._waiting_near.append(Near(vector, DEEP))

    def near(self, vector: tuple[float, ...], count: int) -> list[int]:
        """At least `count` places nearest to a vector by the engine's index, unless there are fewer."""
        most, places = self._nearest.get(vector, (0, []))
        if most < count and (not most or len(places) == most):
            self._waiting_near = [each for each in self._waiting_near if each.vector != vector]
            self._waiting_near.append(Near(vector, max(count, DEEP)))
            self.bring()
        return self._nearest[vector][1]


class Weighed:
    """BM25 for index terms with weights, from those in the rows; the engine is searched when the best is asked."""

    def __init__(self, fetching: Fetching, vector: Vector, limit: int, *, marks: tuple[int, ...] = ()) -> None:
        self.vector = vector
        self._fetching = fetching
        self.wanted = Search(vector, limit, marks)
        self.hits: list[tuple[int, float]] | None = None

    def results(self, count: int) -> list[tuple[int, float]]:
        """At least `count` (place, score), best first, unless there are fewer; of all that were found."""
        if not self.vector:
            return []
        if self.hits is None or (count > self.wanted.limit and len(self.hits) == self.wanted.limit):
            most = max(count, self.wanted.limit)
            self.wanted = Search(self.vector, most, self.wanted.marks)
            self._fetching.run(self)
        return self.hits or []

    def deepen(self, limit: int) -> bool:
        """Ask for more than so far; whether there may be more than was found."""
        if limit <= self.wanted.limit:
            return False
        whole = self.hits is not None and len(self.hits) < self.wanted.limit
        self.wanted = Search(self.vector, limit, self.wanted.marks)
        if not whole:
            self.hits = None
        return not whole

    @property
    def top(self) -> float:
        """The highest score; 0 where nothing scores."""
        return max((score for _, score in self.results(1)), default=0.0)

    def of(self, places: Places) -> Floats:
        """The score of each place."""
        return self._fetching.weights(self.vector, places)

    def best(self, count: int) -> Longs:
        """At most `count` places with a positive score, best first, ties by place."""
        ordered = sorted(self.results(count), key=lambda pair: (-pair[1], pair[0]))
        places = [place for place, _ in ordered[: max(count, 0)]]
        return np.array(places, dtype=np.int64)


def name_keys(words: Sequence[str]) -> set[str]:
    """The keys of all runs of up to twelve words, each of which may be the name of a document."""
    keys = set[str]()
    for start in range(len(words)):
        longest = words[start : start + LONGEST_NAME]
        keys.update(f"key:{' '.join(longest[:size])}" for size in range(1, len(longest) + 1))
    return keys
