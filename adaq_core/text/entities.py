"""Names in a text, found without a model: capitalised spans, acronyms, quoted names, numbers and dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from adaq_core.text.dates import dates
from adaq_core.text.tokens import STOP_WORDS, fold, words

NameKind = Literal["name", "acronym", "quoted", "date", "number", "title"]

# Upper-case letters of every script that has them; letters without case (Chinese, Arabic, Thai) begin no name.
_UPPER = "".join(char for code in range(0xC0, 0x2C00) if (char := chr(code)).isupper())
_CAPITAL = rf"[A-Z{_UPPER}](?:\w|[’'.-](?=\w))*(?:(?<=\b\w)\.)?"
_JOINER = r"(?:of|the|de|la|le|les|du|des|del|della|di|da|dos|van|von|der|den|ter|bin|ibn|al|el|y|&)"
_SPAN = re.compile(rf"\b{_CAPITAL}(?:[ -](?:{_JOINER}[ -]){{0,2}}{_CAPITAL}|[ -]\d+(?:\.\d+)*\b)*")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,120})[\"“”]|(?<!\w)['‘]([^'‘’]{2,120})['’](?!\w)")
_QUANTITY = re.compile(r"[$€£¥]?\b\d[\d,]*(?:\.\d+)?(?:\s?%|\s(?:percent|million|billion|trillion|thousand)\b)?")
_LEADING = STOP_WORDS | {"considering", "according", "based", "given"}


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in the text: `text == source[start:end]`."""

    text: str
    start: int
    end: int
    kind: NameKind = "name"

    @property
    def key(self) -> str:
        """Equal for spellings that differ in case, accents or punctuation only."""
        return " ".join(words(self.text)) or fold(self.text)


def names(text: str, dictionary: Collection[str] | Callable[[str], bool] | None = None) -> list[Name]:
    """The names of `text`, in order, none inside another of its kind.

    `dictionary` holds known names in key form (lower-case words joined by blanks) or tells whether a key is one: a
    span that joins several known names with "and" or "of" is cut into them.
    """
    dated = _dated(text)
    in_dates = _places(dated)
    plain = [name for name in _capitalised(text, dictionary) if name.start not in in_dates]
    known = [*_quoted(text), *dated, *plain]
    taken = _places(known)
    known += [name for name in _numbers(text) if name.start not in taken]
    return sorted(set(known), key=lambda name: (name.start, -name.end, name.kind))


def _places(among: Collection[Name]) -> set[int]:
    """The characters of `text` that lie in a name."""
    return {place for name in among for place in range(name.start, name.end)}


def _quoted(text: str) -> list[Name]:
    spots = [match.span(1) if match.group(1) else match.span(2) for match in _QUOTED.finditer(text)]
    return [Name(text[s:e], s, e, "quoted") for s, e in spots]


def _dated(text: str) -> list[Name]:
    return [Name(text[d.span[0] : d.span[1]], *d.span, "date") for d in dates(text)]


def _numbers(text: str) -> list[Name]:
    return [Name(match.group(), *match.span(), "number") for match in _QUANTITY.finditer(text)]


def _capitalised(text: str, dictionary: Collection[str] | Callable[[str], bool] | None) -> list[Name]:
    found: list[Name] = []
    for match in _SPAN.finditer(text):
        start, end = _trim(text, *match.span())
        if end > start:
            found += [_name(text, s, e) for s, e in _cut(text, start, end, dictionary)]
    return found


def _name(text: str, start: int, end: int) -> Name:
    span = text[start:end]
    return Name(span, start, end, "acronym" if len(span) > 1 and span.isupper() and span.isalpha() else "name")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Drop question and stop words in front, possessive endings and full stops behind."""
    pieces = list(re.finditer(r"\S+", text[start:end]))
    while pieces and fold(pieces[0].group()).strip("'’.") in _LEADING:
        pieces.pop(0)
    if not pieces:
        return start, start
    tail = text[start + pieces[0].start() : end]
    kept = re.sub(r"(?:['’]s|['’]|[.-]+)$", "", tail) if not re.fullmatch(r"(?:\w\.)+", tail) else tail
    begin = start + pieces[0].start()
    return begin, begin + len(kept)


def _cut(
    text: str, start: int, end: int, dictionary: Collection[str] | Callable[[str], bool] | None
) -> list[tuple[int, int]]:
    if dictionary is None:
        return [(start, end)]
    known = dictionary if callable(dictionary) else dictionary.__contains__
    if known(" ".join(words(text[start:end]))):
        return [(start, end)]
    for match in re.finditer(r" (?:and|&|of|in|for|on|at|to) (?:the )?", text[start:end]):
        left, right = (start, start + match.start()), (start + match.end(), end)
        if any(known(" ".join(words(text[s:e]))) for s, e in (left, right)):
            return [left, *_cut(text, *right, dictionary)]
    return [(start, end)]
