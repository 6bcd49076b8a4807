"""What a sentence says that can be looked up: numbers, dates, names, attributes; and what its sources lack of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adaq_core.model import Passage
from adaq_core.text.dates import Date, dates
from adaq_core.text.entities import Name, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import stem, tokens, words

_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
_AMOUNT = re.compile(
    r"(?P<sign>[$€£¥])?\s?(?<![\w.])(?P<value>\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<percent>%|per\s?cent\b)|[\s-]?(?P<scale>thousand|million|billion|trillion|mn|bn|tn|k|m|b)\b)?",
    re.IGNORECASE,
)
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_SPELLED = {word: float(value) for value, word in enumerate(_WORDS)}
_HEDGE = re.compile(
    r"\b(?:about|around|roughly|nearly|approximately|almost|some|over|under|more than|less than|up to)\b|~",
    re.IGNORECASE,
)
_NEARLY = 0.05
_LONG_NAME = re.compile(r"\b[A-Z]\w*(?:[ -](?:(?:of|the|and|for|&|in) ){0,2}[A-Z]\w*)+")
_NUMBERED = re.compile(r"(?P<name>.{0,80}\S)[ -](?P<number>\d[\d.,]{0,30})", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^\s<>\"'\])]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit: "%", a currency sign, or none."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What can be looked up in some passages, their titles and dates included."""

    text: str
    words: frozenset[str]
    stems: frozenset[str]
    amounts: frozenset[Amount]
    dates: tuple[Date, ...]
    initials: frozenset[str]


def sources_of(passages: Sequence[Passage]) -> Sources:
    """The facts of `passages`, taken together."""
    text = "\n".join(part for p in passages for part in (p.title, p.text, p.date, p.source, p.url) if part)
    said = words(text)
    spelled = {Amount(_SPELLED[word]) for word in said if word in _SPELLED}
    return Sources(
        text=text,
        words=frozenset(said),
        stems=frozenset(stem(word) or word for word in said),
        amounts=frozenset({*amounts(text), *spelled}),
        dates=tuple(dates(text)),
        initials=frozenset(i for name in _LONG_NAME.findall(text) for i in _initials(name)),
    )


def _initials(name: str) -> list[str]:
    """What a long name may be called for short; a "The" before it may count or not."""
    letters = "".join(re.findall(r"\b[A-Z]", name))
    return [letters[start:] for start in range(max(1, len(letters) - 1))]


def amounts(text: str) -> list[Amount]:
    """The numbers of `text`, thousands and millions worked out."""
    found = []
    for match in _AMOUNT.finditer(text):
        scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
        value = float(match["value"].replace(",", "")) * scale
        found.append(Amount(value, "%" if match["percent"] else match["sign"] or ""))
    return found


def proper_names(passages: Sequence[Passage]) -> frozenset[str]:
    """Words that are capitalised within a sentence of `passages`, so at the start of one they are names as well."""
    found: set[str] = set()
    for passage in passages:
        for start, end in sentences(passage.text):
            within = (name for name in names(passage.text[start:end]) if name.start > 0 and name.kind == "name")
            found.update(word for name in within for word in words(name.text))
    return frozenset(found)


def missing_facts(sentence: str, sources: Sources, *, proper: Collection[str] = ()) -> tuple[str, ...]:
    """The numbers, dates, names and addresses of `sentence` that `sources` do not hold, as they stand in it.

    The first word of a sentence counts as a name only when it is one of `proper`, or is written as no other word is.
    """
    bare = _ADDRESS.sub(" ", sentence)
    found = [a for a in _ADDRESS.findall(sentence) if a.rstrip(".,;:") not in sources.text]
    hedged = _HEDGE.search(bare) is not None
    for name in names(bare):
        if not _held(name, bare, sources, hedged=hedged, proper=proper):
            found.append(name.text)
    return tuple(dict.fromkeys(found))


def _held(name: Name, sentence: str, sources: Sources, *, hedged: bool, proper: Collection[str]) -> bool:
    if name.kind == "date":
        return _date_held(name.text, sources)
    if name.kind == "number":
        wide = sentence[max(0, name.start - 2) : name.end + 10]
        return any(_amount_held(amount, sources, hedged=hedged) for amount in _amount_at(sentence, name, wide))
    if name.kind == "quoted" or _words_held(name.text, sources):
        return True
    if numbered := _NUMBERED.fullmatch(name.text):
        parts = _parts(name, numbered)
        return all(_held(part, sentence, sources, hedged=hedged, proper=proper) for part in parts)
    if _starts(name, sentence) and not _surely(name, proper):
        return True
    return name.kind == "acronym" and name.text in sources.initials


def _parts(name: Name, numbered: re.Match[str]) -> tuple[Name, Name]:
    """A name with a number behind it as the two: "Nearly 40" is none, and of "Model 3" both have to be there."""
    start = name.start + numbered.start("number")
    return Name(numbered["name"], name.start, name.start + numbered.end("name")), Name(
        numbered["number"], start, name.end, "number"
    )


def _amount_at(sentence: str, name: Name, wide: str) -> list[Amount]:
    """The amount that stands where `name` does, with the sign before it and the scale behind it."""
    whole = [m for m in _AMOUNT.finditer(sentence) if m.start() < name.end and m.end() > name.start]
    return amounts(sentence[whole[0].start() : whole[0].end()]) if whole else amounts(wide)


def _amount_held(amount: Amount, sources: Sources, *, hedged: bool) -> bool:
    room = _NEARLY * abs(amount.value) if hedged else 1e-9 * max(1.0, abs(amount.value))
    return any(abs(amount.value - known.value) <= room and _same_unit(amount, known) for known in sources.amounts)


def _same_unit(one: Amount, known: Amount) -> bool:
    if "%" in (one.unit, known.unit):
        return one.unit == known.unit
    return not one.unit or not known.unit or one.unit == known.unit


def _date_held(text: str, sources: Sources) -> bool:
    wanted = dates(text)
    return any(_within(known, date) for date in wanted for known in sources.dates) or _words_held(text, sources)


def _within(known: Date, date: Date) -> bool:
    """Whether `known` is `date` or lies in it: October 6, 2023 lies in Q4 2023 and in 2023."""
    if known.year != date.year:
        return False
    if date.quarter is not None:
        return known.quarter == date.quarter or (known.month is not None and (known.month + 2) // 3 == date.quarter)
    return (date.month is None or known.month == date.month) and (date.day is None or known.day == date.day)


def _starts(name: Name, sentence: str) -> bool:
    return " " not in name.text and not tokens(sentence[: name.start])


def _surely(name: Name, proper: Collection[str]) -> bool:
    odd = name.kind == "acronym" or any(char.isdigit() or char.isupper() for char in name.text[1:])
    return odd or any(word in proper for word in words(name.text))


def _words_held(text: str, sources: Sources) -> bool:
    return all(word in sources.words or (stem(word) or word) in sources.stems for word in words(text))


def overlap(sentence: str, sources: Sources) -> float:
    """The share of the terms of `sentence` that `sources` have, in [0, 1]; 1.0 when it has none."""
    terms = set(tokens(sentence))
    return len(terms & sources.stems) / len(terms) if terms else 1.0
