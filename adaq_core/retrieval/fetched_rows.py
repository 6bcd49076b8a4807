"""What an engine is asked for and brings of a corpus that this machine does not hold, and what was brought so far."""

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
from adaq_core.text.tokens import tokens

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
