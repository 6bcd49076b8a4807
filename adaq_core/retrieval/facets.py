"""What the documents' metadata say: source, date, and the values that documents share (a company, a period)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import Passage
from adaq_core.text.dates import Date, dates
from adaq_core.text.tokens import words

_MIN_SHARED = 3
_LONG = 7
_PAGE = re.compile(r"[\s,;:(–-]{0,8}\b(?:page|part|section|chapter|p\.)\s{0,4}\d{1,6}\)?\s{0,4}$", re.IGNORECASE)
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
        found: dict[str, list[tuple[str, int]]] = {}
        for facet in sorted(self.values):
            for code, value in enumerate(self.values[facet]):
                for key in _spellings(value):
                    found.setdefault(key, []).append((facet, code))
        return found

    @cached_property
    def periods(self) -> dict[str, dict[str, int]]:
        """Facets whose values are periods ("2022 Q3"): facet → period key → code."""
        found = {}
        for facet in sorted(self.values):
            read = {value: dates(value) for value in self.values[facet]}
            if facet != "source" and all(len(r) == 1 and _is_whole(value, r[0]) for value, r in read.items()):
                found[facet] = {read[value][0].key: code for code, value in enumerate(self.values[facet])}
        return found

    def save(self, folder: Path) -> None:
        """Write the facets into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "values.json").write_text(json.dumps(self.values, ensure_ascii=False), encoding="utf-8")
        if self.cards:
            (folder / _CARDS).write_text(json.dumps(self.cards, ensure_ascii=False), encoding="utf-8")
        table = np.stack([self.day, self.work, *(self.codes[name] for name in sorted(self.values))])
        np.save(folder / "table.npy", table, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> Facets:
        """What `save` wrote."""
        try:
            stored = json.loads((folder / "values.json").read_text(encoding="utf-8"))
            table = np.asarray(np.load(folder / "table.npy", mmap_mode="r", allow_pickle=False))
            kept = folder / _CARDS  # a corpus without filings has none
            cards = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        except (OSError, ValueError) as error:
            raise CorpusError(f"expected facets in {folder}, got {error}; build the index again") from error
        values = {name: tuple(entries) for name, entries in stored.items()}
        codes = {name: table[2 + number] for number, name in enumerate(sorted(values))}
        return cls(values, codes, table[0], table[1], {int(document): card for document, card in cards.items()})


def day_of(date: str) -> int:
    """An ISO date as yyyymmdd; -1 when no day is said."""
    found = dates(date)
    return _as_number(found[0]) if found and found[0].is_day else NONE


def _as_number(date: Date) -> int:
    return date.year * 10_000 + (date.month or 0) * 100 + (date.day or 0)


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
    found = []
    for passage in firsts:
        stem = _PAGE.sub("", passage.title)
        key = f"title {stem}" if stem and stem != passage.title else f"id {passage.document_id}"
        found.append(numbers.setdefault(key, len(numbers)))
    return np.array(found, dtype=np.int32)


def _cards(firsts: Sequence[Passage]) -> dict[int, dict[str, str]]:
    found = ((number, dict(passage.metadata)) for number, passage in enumerate(firsts))
    return {number: card for number, card in found if card.get("form")}


def _spellings(value: str) -> list[str]:
    """A value in key form, and what people call it: no "The", no ".com", nothing that follows " - ", "|" or ":"."""
    whole = " ".join(words(value))
    head = " ".join(words(re.split(r"\s+[|–-]\s+|:\s", value)[0]))
    forms = [whole, head, *(form.removesuffix(" com") for form in (whole, head))]
    forms += [rest for form in forms if " " in (rest := form.removeprefix("the ")) or len(rest) >= _LONG]
    return [form for form in dict.fromkeys(forms) if len(form) > 1]
