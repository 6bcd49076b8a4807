"""Line items of financial statements, ratios of them and the words that questions use for both: an editable profile."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from adaq_core.errors import InputError
from adaq_core.home import BUNDLED

FILE = "line_items.json"


@dataclass(frozen=True, slots=True)
class Statement:
    """A financial statement: what questions call it, its headings, and lines it is known by ("|" parts variants)."""

    name: str
    named: tuple[str, ...]
    headings: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line of a statement: the words of questions, and its labels, strictest first.

    A label is compared by its letters only: "=" whole, "^" at the beginning, else anywhere; "*" stands for any letters.
    `unlike` are letters that a label of this item never holds.
    """

    name: str
    statement: str
    words: tuple[str, ...]
    labels: tuple[str, ...]
    unlike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure that is computed: its words, its formula over line items, its unit and the range that is plausible.

    Without a formula it is not computed, and `needs` are the items that speak to it.
    """

    name: str
    words: tuple[str, ...]
    formula: str
    unit: str
    range: tuple[float, float] | None = None
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineItems:
    """The whole profile."""

    statements: Mapping[str, Statement]
    items: Mapping[str, LineItem]
    ratios: Mapping[str, Ratio]
    prose: tuple[tuple[tuple[str, ...], str], ...]

    def named_in(self, text: str) -> list[tuple[LineItem | Ratio, tuple[int, int]]]:
        """The items and ratios that `text` names, in its order; the longest name at each place."""
        taken: list[tuple[LineItem | Ratio, tuple[int, int]]] = []
        low = text.lower()
        for phrase, item in self._phrases():
            for start in _places(low, phrase):
                span = (start, start + len(phrase))
                if all(span[1] <= other[0] or other[1] <= span[0] for _, other in taken):
                    taken.append((item, span))
        return sorted(taken, key=lambda each: each[1])

    def statements_in(self, text: str) -> tuple[str, ...]:
        """The statements that `text` names."""
        low = text.lower()
        return tuple(
            name for name, statement in self.statements.items() if any(word in low for word in statement.named)
        )

    def _phrases(self) -> Iterator[tuple[str, LineItem | Ratio]]:
        every: list[LineItem | Ratio] = [*self.ratios.values(), *self.items.values()]
        pairs = [(word, item) for item in every for word in dict.fromkeys((item.name, *item.words))]
        yield from sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0]))

    def items_of(self, ratio: Ratio) -> tuple[LineItem, ...]:
        """The line items that a ratio is made of."""
        return tuple(item for name, item in self.items.items() if name in ratio.needs or _places(ratio.formula, name))


def _places(text: str, phrase: str) -> list[int]:
    """Where `phrase` stands in `text` as whole words."""
    found = []
    start = text.find(phrase)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(phrase) : start + len(phrase) + 1]
        if not before.isalnum() and not after.isalnum():
            found.append(start)
        start = text.find(phrase, start + 1)
    return found


def letters_of(text: str) -> str:
    """A label as it compares: its letters in lower case."""
    return "".join(c for c in text.lower() if c.isalpha())


def is_label(letters: str, label: str) -> bool:
    """Whether the letters of a row's label are those of `label`."""
    if label.startswith("="):
        return letters == label[1:]
    parts = label.lstrip("^").split("*")
    if label.startswith("^") and not letters.startswith(parts[0]):
        return False
    at = 0
    for part in parts:
        at = letters.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@lru_cache(maxsize=8)
def line_items(home: Path | None = None) -> LineItems:
    """The bundled profile and, over its entries, those of `home/line_items.json`."""
    profile = _read(BUNDLED / FILE)
    own = home / FILE if home else None
    if own is None or not own.exists():
        return profile
    mine = _read(own)
    return LineItems(
        {**profile.statements, **mine.statements},
        {**profile.items, **mine.items},
        {**profile.ratios, **mine.ratios},
        (*profile.prose, *mine.prose),
    )


def _read(path: Path) -> LineItems:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return LineItems(
            {name: _statement(name, given) for name, given in raw.get("statements", {}).items()},
            {name: _item(name, given) for name, given in raw.get("items", {}).items()},
            {name: _ratio(name, given) for name, given in raw.get("ratios", {}).items()},
            tuple((_texts(given["words"]), str(given["search"])) for given in raw.get("prose", ())),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            f"{path.name} must be JSON with “statements”, “items”, “ratios” and “prose” as in the bundled one; "
            f"reading it gave: {error}. Mend or remove the file."
        ) from error


def _statement(name: str, given: Mapping[str, Any]) -> Statement:
    return Statement(name, _texts(given["named"]), _texts(given["headings"]), _texts(given["lines"]))


def _item(name: str, given: Mapping[str, Any]) -> LineItem:
    labels = tuple(label[0] + re.sub(r"[^a-z*]", "", label[1:]) for label in _texts(given["labels"]))
    return LineItem(name, str(given["statement"]), _texts(given["words"]), labels, _texts(given.get("not", ())))


def _ratio(name: str, given: Mapping[str, Any]) -> Ratio:
    low, high = given.get("range") or (None, None)
    plausible = None if low is None or high is None else (float(low), float(high))
    return Ratio(
        name,
        _texts(given["words"]),
        str(given["formula"]),
        str(given["unit"]),
        plausible,
        _texts(given.get("needs", ())),
    )


def _texts(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
