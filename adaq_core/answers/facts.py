"""What a sentence says that can be looked up: numbers, dates, names, attributes; and what its sources lack of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from adaq_core.model import Passage
from adaq_core.text.dates import Date, dates
from adaq_core.text.entities import PART_OF, Name, countries_in, names
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


Attribute = Literal["birth", "death", "release", "founding", "country", "nationality"]

_OPENING = 2
_SPAN = re.compile(r"\s[–—-]\s?|\s?[–—]\s|\bto\b|–")
_BORN = re.compile(r"\b(?:born|née|b\.)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|death|d\.|killed|passed away|executed|murdered)\b", re.IGNORECASE)
_RELEASED = re.compile(r"\b(?:releas|premier|publish|came out|aired|issued)\w*", re.IGNORECASE)
_FOUNDED = re.compile(r"\b(?:form|found|establish|open|creat|incorporat|start|began|built|launch)\w*", re.IGNORECASE)
_NEAR = 80


@dataclass(frozen=True, slots=True)
class Value:
    """What a passage states: `text == passage.text[start:end]`; `key` compares, the year first for dates."""

    passage: Passage
    text: str
    start: int
    end: int
    key: tuple[int, int, int] | str


def value_of(attribute: Attribute, passage: Passage) -> Value | None:
    """The value of an attribute of what the passage is about; None where it does not say."""
    match attribute:
        case "birth" | "death":
            return _life(attribute, passage)
        case "release":
            return _dated(passage, _RELEASED) or _first_date(passage)
        case "founding":
            return _dated(passage, _FOUNDED)
        case "country" | "nationality":
            return _country(passage, parts=attribute == "country")


def _life(attribute: Attribute, passage: Passage) -> Value | None:
    """From the parenthesis "(1 May 1900 – 2 June 1980)" of the first sentence, else after "born" or "died"."""
    ends = sentences(passage.text)
    head = passage.text[: ends[min(1, len(ends) - 1)][1]] if ends else ""
    for match in re.finditer(r"\(([^()]{4,160})\)", head):
        parts = _halves(match, head)
        if parts is not None:
            start, end = parts[0] if attribute == "birth" else parts[1]
            known = list(dates(head[start:end]))
            if known:
                return _of_date(passage, known[-1], start)
        if _BORN.search(match[1]) and attribute == "birth" and (known := dates(match[1])):
            return _of_date(passage, known[0], match.start(1))
        if _DIED.search(match[1]) and attribute == "death" and (known := dates(match[1])):
            return _of_date(passage, known[0], match.start(1))
    return _after(passage, _BORN if attribute == "birth" else _DIED)


def _halves(match: re.Match[str], head: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The two sides of a dash between two dates."""
    start, end = match.span(1)
    known = dates(head[start:end])
    if len(known) < 2:
        return None
    for dash in _SPAN.finditer(head, start, end):
        if dates(head[start : dash.start()]) and dates(head[dash.end() : end]):
            return (start, dash.start()), (dash.end(), end)
    return None


def _after(passage: Passage, verb: re.Pattern[str]) -> Value | None:
    """The first date within a few words after the verb, in the same sentence."""
    for start, end in sentences(passage.text):
        for match in verb.finditer(passage.text, start, end):
            known = dates(passage.text[match.end() : min(end, match.end() + _NEAR)])
            if known:
                return _of_date(passage, known[0], match.end())
    return None


def _dated(passage: Passage, verb: re.Pattern[str]) -> Value | None:
    for start, end in sentences(passage.text)[: 2 * _OPENING]:
        for match in verb.finditer(passage.text, start, end):
            known = dates(passage.text[match.end() : min(end, match.end() + _NEAR)])
            if known:
                return _of_date(passage, known[0], match.end())
    return None


def _first_date(passage: Passage) -> Value | None:
    known = dates(_opening(passage))
    return _of_date(passage, known[0], 0) if known else None


def _opening(passage: Passage) -> str:
    ends = sentences(passage.text)[:_OPENING]
    return passage.text[: ends[-1][1]] if ends else ""


def _country(passage: Passage, *, parts: bool) -> Value | None:
    """The first country, adjective or, with `parts`, part of one in the first sentences, not in the title."""
    titled = set(words(passage.title))
    for country, start, end in countries_in(_opening(passage)):
        name = passage.text[start:end]
        if not set(words(name)) <= titled and (parts or name not in PART_OF):
            return Value(passage, name, start, end, country)
    return None


def _of_date(passage: Passage, date: Date, offset: int) -> Value:
    start, end = date.span[0] + offset, date.span[1] + offset
    key = (date.year, date.month or 0, date.day or 0)
    return Value(passage, passage.text[start:end], start, end, key)
