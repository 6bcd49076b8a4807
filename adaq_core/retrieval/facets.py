"""What the documents' metadata say (source, date, shared values), and which terms each passage holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import Passage
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import tokens, words
from adaq_core.text.values import Date, dates, spelled

_MIN_SHARED = 3  # documents that share a value, on average, where values group documents
_LONG = 7  # letters of a one-word name that may stand without "the"
PART_NUMBER = re.compile(r"(?i)[\s,;:(–-]{0,8}\b(?:page|part|section|chapter|p\.)\s{0,4}\d{1,6}\)?\s{0,4}$")
NONE = -1
_CARDS = "cards.json"

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Facets:
    """Per document: one code into `values[name]` for each facet `name`, the date as yyyymmdd, the work it is of.

    A facet is the source, or a metadata key whose values are names that at least three documents share on average. A
    work is a document, or all documents whose titles differ in a page or part number only. `cards` has the whole
    metadata of each filing or report (a document whose card names a form), by document.
    """

    values: dict[str, tuple[str, ...]]
    codes: dict[str, Codes]
    day: Codes
    work: Codes
    cards: Mapping[int, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def build(cls, firsts: Sequence[Passage]) -> Facets:
        """The facets of documents, each given by one of its passages."""
        columns: dict[str, list[str]] = {"source": [p.source for p in firsts]}
        if all(day_of(p.date) == NONE for p in firsts):
            columns["date"] = [p.date for p in firsts]
        for number, passage in enumerate(firsts):
            for key, value in passage.metadata:
                if key not in ("source", "date"):
                    columns.setdefault(key, [""] * len(firsts))[number] = value
        kept = {key: column for key, column in sorted(columns.items()) if _is_facet(column, strict=key != "source")}
        if any(key != "date" and column == kept.get("date") for key, column in kept.items()):
            del kept["date"]
        values = {key: tuple(sorted({v for v in column if v})) for key, column in kept.items()}
        codes = {key: _encode(column, values[key]) for key, column in kept.items()}
        days = np.array([day_of(p.date) for p in firsts], dtype=np.int32)
        return cls(values, codes, days, _works(firsts), _cards(firsts))

    @cached_property
    def pages(self) -> bool:
        """Whether works of several documents exist."""
        return len(self.work) > 0 and int(self.work.max()) + 1 < len(self.work)

    @cached_property
    def named(self) -> dict[str, list[tuple[str, int]]]:
        """Value in key form → the facets and codes that it stands for."""
        results: dict[str, list[tuple[str, int]]] = {}
        for facet in sorted(self.values):
            for code, value in enumerate(self.values[facet]):
                for key in _spellings(value):
                    results.setdefault(key, []).append((facet, code))
        return results

    @cached_property
    def periods(self) -> dict[str, dict[str, int]]:
        """Facets whose values are periods ("2022 Q3"): facet → period key → code."""
        results = {}
        for facet in sorted(self.values):
            if facet == "source":
                continue
            read = {value: dates(value) for value in self.values[facet]}
            if all(len(days) == 1 and _is_whole(value, days[0]) for value, days in read.items()):
                results[facet] = {read[value][0].key: code for code, value in enumerate(self.values[facet])}
        return results

    def save(self, folder: Path) -> None:
        """Write the facets into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "values.json").write_text(json.dumps(self.values, ensure_ascii=False), encoding="utf-8")
        if self.cards:
            (folder / _CARDS).write_text(json.dumps(self.cards, ensure_ascii=False), encoding="utf-8")
        table = np.stack([self.day, self.work, *(self.codes[name] for name in sorted(self.values))])
        save_array(folder / "table.npy", table)

    @classmethod
    def load(cls, folder: Path) -> Facets:
        """What `save` wrote."""
        with reading("facets", folder):
            stored = json.loads((folder / "values.json").read_text(encoding="utf-8"))
            table = load_array(folder / "table.npy")
            kept = folder / _CARDS  # a corpus without filings has none
            if kept.exists():
                cards = json.loads(kept.read_text(encoding="utf-8"))
            else:
                cards = {}
        values = {name: tuple(entries) for name, entries in stored.items()}
        codes = {name: table[2 + number] for number, name in enumerate(sorted(values))}
        return cls(values, codes, table[0], table[1], {int(document): card for document, card in cards.items()})


def day_of(date: str) -> int:
    """An ISO date as yyyymmdd; -1 when no day is said."""
    result = dates(date)
    if result and result[0].is_day:
        return result[0].number
    return NONE


def _is_facet(column: list[str], *, strict: bool) -> bool:
    """Whether values are shared names, two at least; `strict`: with a capital or a digit, and few for the documents."""
    present = [value for value in column if value]
    distinct = set(present)
    if len(distinct) < 2 or (strict and len(distinct) > len(present) / _MIN_SHARED):
        return False
    if not strict:
        return True
    return all(not value.isdigit() and any(c.isupper() or c.isdigit() for c in value) for value in distinct)


def _encode(column: list[str], values: tuple[str, ...]) -> Codes:
    numbers = {value: code for code, value in enumerate(values)}
    return np.array([numbers.get(value, NONE) for value in column], dtype=np.int32)


def _is_whole(value: str, date: Date) -> bool:
    return date.span == (0, len(value.strip()))


def _works(firsts: Sequence[Passage]) -> Codes:
    numbers: dict[str, int] = {}
    results = []
    for passage in firsts:
        stem = PART_NUMBER.sub("", passage.title)
        if stem and stem != passage.title:
            key = f"title {stem}"
        else:
            key = f"id {passage.document_id}"
        results.append(numbers.setdefault(key, len(numbers)))
    return np.array(results, dtype=np.int32)


def _cards(firsts: Sequence[Passage]) -> dict[int, dict[str, str]]:
    cards = enumerate(dict(passage.metadata) for passage in firsts)
    return {number: card for number, card in cards if card.get("form")}


def _spellings(value: str) -> list[str]:
    """A value in key form, and what people call it: no "The", no ".com", nothing that follows " - ", "|" or ":"."""
    whole = " ".join(words(value))
    head = " ".join(words(re.split(r"\s[|–-]\s|:\s", value)[0]))
    forms = [whole, head, whole.removesuffix(" com"), head.removesuffix(" com")]
    without_the = [form.removeprefix("the ") for form in forms]
    forms += [form for form in without_the if " " in form or len(form) >= _LONG]
    return [form for form in dict.fromkeys(forms) if len(form) > 1]


_ARRAYS = ("terms", "pieces", "passages")


@dataclass(frozen=True, slots=True)
class Matches:
    """Which wanted terms the pieces of some passages contain.

    `contained` is [pieces x wanted]; passage i has the rows `starts[i]:starts[i + 1]`, the first of them its header;
    `sizes` counts the terms of each piece; `hits` has, term by term, the number of the wanted term or -1, `owner` its
    piece.
    """

    contained: NDArray[np.bool_]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    hits: NDArray[np.int64]
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """The terms of the sentences of some passages, by number, one sentence after another.

    Sentence j has `sizes[j]` of the `terms`, passage i `counts[i]` of the sentences.
    """

    terms: NDArray[np.int32]
    sizes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, passages: Sequence[Sequence[NDArray[np.int32]]]) -> SentenceTerms:
        """Put together the sentences of some passages, each given by its terms."""
        sentences = [terms for passage in passages for terms in passage]
        sizes = np.array([len(terms) for terms in sentences], dtype=np.int64)
        counts = np.array([len(passage) for passage in passages], dtype=np.int64)
        return cls(np.concatenate([np.zeros(0, dtype=np.int32), *sentences]), sizes, counts)


@dataclass(frozen=True, slots=True)
class ForwardIndex:
    """The terms of each passage in pieces: piece 0 is its header (title, source, date), the others its sentences.

    Passage `i` has the pieces from `passages[i]` up to `passages[i + 1]`, piece `j` the terms from `pieces[j]` on.
    """

    terms: NDArray[np.int32]
    pieces: NDArray[np.int64]
    passages: NDArray[np.int64]

    @classmethod
    def build(cls, passages: Iterable[Passage], vocabulary: dict[str, int]) -> ForwardIndex:
        """Cut and number all passages; new terms are added to `vocabulary`."""
        terms: list[int] = []
        pieces, owners = [0], [0]
        for passage in passages:
            for piece in passage_pieces(passage):
                terms.extend([vocabulary.setdefault(term, len(vocabulary)) for term in tokens(piece)])
                pieces.append(len(terms))
            owners.append(len(pieces) - 1)
        return cls(np.array(terms, dtype=np.int32), np.array(pieces, dtype=np.int64), np.array(owners, dtype=np.int64))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Terms per passage, header included."""
        return np.diff(self.pieces[self.passages])

    def sentences_of(self, positions: Sequence[int] | NDArray[np.integer]) -> SentenceTerms:
        """The terms of each sentence of some passages; a header, which is the same on every page, is none."""
        places = np.asarray(positions, dtype=np.int64)
        begins = self.passages[places] + 1
        counts = self.passages[places + 1] - begins
        pieces = ranges(begins, counts)
        first, end = self.pieces[pieces], self.pieces[pieces + 1]
        return SentenceTerms(self.terms[ranges(first, end - first)], end - first, counts)

    def matches(
        self, positions: Sequence[int] | NDArray[np.int64], wanted: Sequence[Sequence[int]]
    ) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms.

        A wanted term is given as its ids: its own first (-1 when the corpus does not know it), then its kin's. The
        matrix besides is `contained` with kin counted.
        """
        places = np.asarray(positions, dtype=np.int64)
        begins = self.passages[places]
        counts = self.passages[places + 1] - begins
        pieces = ranges(begins, counts)
        sizes = self.pieces[pieces + 1] - self.pieces[pieces]
        ids = np.array([term for group in wanted for term in group], dtype=np.int64)
        number = np.array([n for n, group in enumerate(wanted) for _ in group], dtype=np.int64)
        exact = np.array([k == 0 for group in wanted for k in range(len(group))], dtype=np.bool_)
        place = _find(self.terms[ranges(self.pieces[pieces], sizes)], ids)
        owner = np.repeat(np.arange(len(pieces)), sizes)
        contained, kin = (np.zeros((len(pieces), len(wanted)), dtype=np.bool_) for _ in range(2))
        seen = np.flatnonzero(place >= 0)
        kin[owner[seen], number[place[seen]]] = True
        hits = np.full(len(place), -1, dtype=np.int64)
        same = seen[exact[place[seen]]]
        hits[same] = number[place[same]]
        contained[owner[same], hits[same]] = True
        return Matches(contained, starts_of(counts), sizes, hits, owner), kin

    def save(self, folder: Path) -> None:
        """Write the arrays into `folder`."""
        save_arrays(self, folder, _ARRAYS)

    @classmethod
    def load(cls, folder: Path) -> ForwardIndex:
        """What `save` wrote, memory-mapped."""
        with reading("a forward index", folder):
            return cls(**load_arrays(folder, _ARRAYS))


_NUMBERED = 1 << 21  # terms that are numbered one after another; an engine elsewhere numbers them by their letters


def _find(terms: NDArray[np.int32], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each term its place in `wanted`, or -1."""
    if len(wanted) == 0 or len(terms) == 0:
        return np.full(len(terms), -1, dtype=np.int64)
    highest = max(int(terms.max()), int(wanted.max()))
    if highest < _NUMBERED:
        place = np.full(highest + 2, -1, dtype=np.int64)
        numbers = np.arange(len(wanted))
        place[wanted[::-1]] = numbers[::-1]  # of one that is wanted twice the first
        place[-1] = -1  # where those stand that the corpus does not know
        return place[terms]
    order = np.argsort(wanted, kind="stable")
    in_order = wanted[order]
    near = np.searchsorted(in_order, terms)
    near = np.minimum(near, len(wanted) - 1)
    return np.where(in_order[near] == terms, order[near], -1)


def header(passage: Passage) -> str:
    """What is searched besides the text: title, path of headings, source and date."""
    section = dict(passage.metadata).get("section", "")
    return " | ".join(part for part in (passage.title, section, passage.source, spelled(passage.date)) if part)


def passage_pieces(passage: Passage) -> list[str]:
    """The header and the sentences of a passage."""
    return [header(passage), *(passage.text[start:end] for start, end in sentences(passage.text))]


def save_array(file: Path, array: NDArray[Any]) -> None:
    """Write an array that `load_array` reads."""
    np.save(file, array, allow_pickle=False)


def load_array(file: Path) -> NDArray[Any]:
    """The array in a file, memory-mapped."""
    return np.asarray(np.load(file, mmap_mode="r", allow_pickle=False))


def save_arrays(of: object, folder: Path, names: Iterable[str]) -> None:
    """Write the arrays that an object has under these names into `folder`, which is made; a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        save_array(folder / f"{name}.npy", getattr(of, name))


def load_arrays(folder: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays that `save_arrays` wrote, by name."""
    return {name: load_array(folder / f"{name}.npy") for name in names}


@contextmanager
def reading(what: str, folder: Path) -> Iterator[None]:
    """Make a CorpusError of what cannot be read inside: `what` was expected in `folder`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise CorpusError(f"expected {what} in {folder}, got {error}; build the index again") from error


def starts_of(sizes: Sequence[int] | NDArray[np.integer]) -> NDArray[np.int64]:
    """Where each of several rows of these sizes begins in all of them as one; the end of the last behind them."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def ascending(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """The places of numbers from 0 up to 2 ** 32 in ascending order, ties as they come.

    They are sorted by two bytes at a time, which numpy does in a tenth of the time that whole numbers take.
    """
    order = np.argsort(numbers.astype(np.uint16), kind="stable")
    above = numbers >> 16
    return order[np.argsort(above[order].astype(np.uint16), kind="stable")] if above.any() else order


def ranges(begins: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers begins[i] … begins[i] + counts[i] - 1, one range after another."""
    total = int(counts.sum())
    if total == 0:
        return np.zeros(0, dtype=np.int64)
    offsets = np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    return offsets + np.arange(total, dtype=np.int64)
