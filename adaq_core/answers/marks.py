"""What stands out in a sentence: what answers in bold, what can be looked up, what its sources lack of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adaq_core.model import Citation, Passage, Statement
from adaq_core.text.entities import Name, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import stem, tokens, words
from adaq_core.text.values import SMALL_NUMBERS, Date, dates


@dataclass(slots=True)
class Numbering:
    """The numbers so far; a passage keeps its number, and each of its quotes is a citation with that number."""

    passages: Mapping[str, Passage]
    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The highest number so far."""
        return len(self._numbers)

    def number(self, passage_id: str, start: int, end: int) -> int:
        """The number of the passage, and its quote [start, end) among the citations."""
        passage = self.passages[passage_id]
        n = self._numbers.setdefault(passage_id, len(self._numbers) + 1)
        if not any((c.n, c.start, c.end) == (n, start, end) for c in self.citations):
            quote = passage.text[start:end]
            self.citations.append(Citation(n, passage_id, passage.document_id, passage.title, quote, start, end))
        return n


def marked(text: str, citations: Sequence[int]) -> str:
    """The text with the marks of what it cites: `text [1][2]`."""
    if citations:
        return f"{text} {''.join(f'[{n}]' for n in citations)}"
    return text


_WIDEST = 20
_MARK = re.compile(
    r"\[\^?(?:(?:sources?|passages?|docs?|documents?|refs?|references?|citations?)\s?)?#?"
    r"(?P<list>\d{1,4}(?:\s?(?:[,;&–-]|and)\s?#?\d{1,4})*)\](?:\([^()\s]*\))?"
    r"|【(?P<wide>\d{1,4})[^【】]{0,40}】",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\[(\d{1,4})\]")
_PREFIX = re.compile(r"(?:[-*•+>]\s|\d{1,3}[.)]\s|\s)*")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|__[^_]+__:?$")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text as statements: `text` has the marks of each right behind it; `restored` marks were in another form."""

    text: str
    statements: tuple[Statement, ...]
    restored: int = 0


def marks(numbers: Sequence[int]) -> str:
    """Numbers as marks: [1][3]."""
    return "".join(f"[{n}]" for n in numbers)


def rendered(statement: Statement) -> str:
    """A statement with its marks behind it, as it stands in an answer."""
    return f"{statement.text} {marks(statement.citations)}" if statement.citations else statement.text


def without_marks(text: str) -> str:
    """`text` with nothing left in it that reads as a mark."""
    while (bare := _MARK.sub("", text)) != text:
        text = re.sub(r"\s+([.,;:!?])", r"\1", " ".join(bare.split()))
    return text


def with_numbers(text: str, number: Callable[[int], int | None]) -> str:
    """`text` with each mark [n] as [number(n)], and without those for which that is None."""

    def changed(match: re.Match[str]) -> str:
        new = number(int(match[1]))
        return "" if new is None else f"[{new}]"

    return _PLAIN.sub(changed, text)


def drafted(text: str, *, aspects: Collection[str] = ()) -> Drafted:
    """Read Markdown with marks in any usual form as statements, without its headings and lead-ins.

    A statement belongs to the aspect that the heading above it names, if it does name one of `aspects`.
    """
    by_words = {" ".join(words(name)): name for name in aspects}
    lines: list[str] = []
    statements: list[Statement] = []
    restored, aspect, code = 0, "", False
    for line in text.splitlines():
        code = code != line.lstrip().startswith("```")
        if code or _is_literal(line):
            bare = without_marks(line) if _MARK.search(line) else line
            lines.append(bare)
            if _HEADING.match(line.strip()):
                aspect = by_words.get(" ".join(words(bare)), "")
            continue
        prefix = _PREFIX.match(line)
        start = prefix.end() if prefix else 0
        result, odd = _statements(line[start:], aspect)
        statements += result
        restored += odd
        lines.append(line[:start] + " ".join(rendered(statement) for statement in result))
    return Drafted("\n".join(lines).strip(), tuple(statements), restored)


def _is_literal(line: str) -> bool:
    bare = without_marks(line).strip()
    return not tokens(bare) or bool(_HEADING.match(bare)) or bare.endswith((":", "```")) or bare.startswith("```")


def _statements(line: str, aspect: str) -> tuple[list[Statement], int]:
    """The sentences of a line with the marks in and behind them; marks before the first belong to it."""
    plain, placed, restored = _taken_out(" ".join(line.split()))
    places = _places(plain)
    cited: list[list[int]] = [[] for _ in places]
    for at, number in placed:
        before = [i for i, (start, _) in enumerate(places) if start < at]
        if places:
            cited[before[-1] if before else 0].append(number)
    texts = [without_marks(plain[start:end]) for start, end in places]
    return [Statement(t, aspect, tuple(dict.fromkeys(n))) for t, n in zip(texts, cited, strict=True)], restored


def _places(plain: str) -> list[tuple[int, int]]:
    """Where its statements are: a sentence without a word of its own ("So it is.") belongs to the one before it."""
    results: list[tuple[int, int]] = []
    for start, end in sentences(plain):
        if results and not (tokens(plain[start:end]) and tokens(plain[slice(*results[-1])])):
            results[-1] = (results[-1][0], end)
        else:
            results.append((start, end))
    return results


def _taken_out(line: str) -> tuple[str, list[tuple[int, int]], int]:
    """The line without its marks, each number with the place where it was, and how many marks were in another form."""
    plain, placed, last, restored = "", [], 0, 0
    for match in _MARK.finditer(line):
        plain += line[last : match.start()]
        last = match.end()
        placed += [(len(plain), number) for number in _numbers(match)]
        restored += _PLAIN.fullmatch(match[0]) is None
        if line[last : last + 1] in (" ", "", ".", ",", ";", ":", "!", "?"):
            plain = plain.rstrip()
    return plain + line[last:], placed, restored


def _numbers(match: re.Match[str]) -> list[int]:
    if match["wide"]:
        return [int(match["wide"])]
    results: list[int] = []
    for part in re.split(r"\s?(?:[,;&]|and)\s?", match["list"], flags=re.IGNORECASE):
        ends = [int(end) for end in re.findall(r"\d+", part)]
        whole = len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _WIDEST
        results += range(ends[0], ends[1] + 1) if whole else ends
    return results


_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?P<sign>[$€£¥])?\s?(?<![\w.])(?P<value>\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<percent>%|per\s?cent\b)|[\s-]?(?P<scale>thousand|million|billion|trillion|mn|bn|tn|k|m|b)\b)?",
    re.IGNORECASE,
)
_SPELLED = {word: float(value) for value, word in enumerate(SMALL_NUMBERS)}
_HEDGE = re.compile(
    r"\b(?:about|around|roughly|nearly|approximately|almost|some|over|under|more than|less than|up to)\b|~",
    re.IGNORECASE,
)
_NEARLY = 0.05
_LONG_NAME = re.compile(r"\b[A-Z]\w*(?:[ -](?:(?:of|the|and|for|&|in) ){0,2}[A-Z]\w*)+")
_NUMBERED = re.compile(r"(?P<name>.{0,80}\S)[ -](?P<number>\d[\d.,]{0,30})", re.DOTALL)
_ADDRESS = re.compile(r"https?://[^\s<>\"'\])]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number with the sign that stands with it: "%", a currency sign, or none; words behind it are not read."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What can be looked up in some passages, their titles and dates included."""

    text: str
    words: frozenset[str]
    stems: frozenset[str]
    numbers: frozenset[StatedNumber]
    dates: tuple[Date, ...]
    initials: frozenset[str]


def sources_of(passages: Sequence[Passage]) -> Sources:
    """The facts of `passages`, taken together."""
    text = "\n".join(part for p in passages for part in (p.title, p.text, p.date, p.source, p.url) if part)
    written = words(text)
    spelled = {StatedNumber(_SPELLED[word]) for word in written if word in _SPELLED}
    return Sources(
        text=text,
        words=frozenset(written),
        stems=frozenset(stem(word) or word for word in written),
        numbers=frozenset({*stated_numbers(text), *spelled}),
        dates=tuple(dates(text)),
        initials=frozenset(i for name in _LONG_NAME.findall(text) for i in _initials(name)),
    )


def _initials(name: str) -> list[str]:
    """What a long name may be called for short; a "The" before it may count or not."""
    letters = "".join(re.findall(r"\b[A-Z]", name))
    return [letters[start:] for start in range(max(1, len(letters) - 1))]


def stated_numbers(text: str) -> list[StatedNumber]:
    """The numbers of `text`, thousands and millions worked out."""
    results = []
    for match in _NUMBER.finditer(text):
        scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
        value = float(match["value"].replace(",", "")) * scale
        results.append(StatedNumber(value, "%" if match["percent"] else match["sign"] or ""))
    return results


def proper_names(passages: Sequence[Passage]) -> frozenset[str]:
    """Words that are capitalised within a sentence of `passages`, so at the start of one they are names as well."""
    results: set[str] = set()
    for passage in passages:
        for start, end in sentences(passage.text):
            within = (name for name in names(passage.text[start:end]) if name.start > 0 and name.kind == "name")
            results.update(word for name in within for word in words(name.text))
    return frozenset(results)


def missing_facts(sentence: str, sources: Sources, *, proper: Collection[str] = ()) -> tuple[str, ...]:
    """The numbers, dates, names and addresses of `sentence` that `sources` do not hold, as they stand in it.

    The first word of a sentence counts as a name only when it is one of `proper`, or is written as no other word is.
    """
    bare = _ADDRESS.sub(" ", sentence)
    matches = [a for a in _ADDRESS.findall(sentence) if a.rstrip(".,;:") not in sources.text]
    hedged = _HEDGE.search(bare) is not None
    for name in names(bare):
        if not _held(name, bare, sources, hedged=hedged, proper=proper):
            matches.append(name.text)
    return tuple(dict.fromkeys(matches))


def _held(name: Name, sentence: str, sources: Sources, *, hedged: bool, proper: Collection[str]) -> bool:
    if name.kind == "date":
        return _date_held(name.text, sources)
    if name.kind == "number":
        wide = sentence[max(0, name.start - 2) : name.end + 10]
        return any(_is_stated(number, sources, hedged=hedged) for number in _numbers_at(sentence, name, wide))
    if name.kind == "quoted" or _words_held(name.text, sources):
        return True
    if numbered := _NUMBERED.fullmatch(name.text):
        parts = _parts(name, numbered)
        return all(_held(part, sentence, sources, hedged=hedged, proper=proper) for part in parts)
    if _starts(name, sentence) and not _surely(name, proper):
        return True
    return name.kind == "acronym" and name.text in sources.initials


def _parts(name: Name, numbered: re.Match[str]) -> tuple[Name, Name]:
    """Split a name from the number behind it ("Model 3"): both have to be in a source. "Nearly 40" is no name."""
    start = name.start + numbered.start("number")
    return Name(numbered["name"], name.start, name.start + numbered.end("name")), Name(
        numbered["number"], start, name.end, "number"
    )


def _numbers_at(sentence: str, name: Name, wide: str) -> list[StatedNumber]:
    """The number that stands where `name` does, with the sign before it and the scale behind it."""
    whole = [m for m in _NUMBER.finditer(sentence) if m.start() < name.end and m.end() > name.start]
    if whole:
        return stated_numbers(sentence[whole[0].start() : whole[0].end()])
    return stated_numbers(wide)


def _is_stated(number: StatedNumber, sources: Sources, *, hedged: bool) -> bool:
    if hedged:
        room = _NEARLY * abs(number.value)
    else:
        room = 1e-9 * max(1.0, abs(number.value))
    near = (known for known in sources.numbers if abs(number.value - known.value) <= room)
    return any(_same_unit(number, known) for known in near)


def _same_unit(one: StatedNumber, known: StatedNumber) -> bool:
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
    if name.kind == "acronym":
        return True
    if any(char.isdigit() or char.isupper() for char in name.text[1:]):
        return True
    return any(word in proper for word in words(name.text))


def _words_held(text: str, sources: Sources) -> bool:
    return all(word in sources.words or (stem(word) or word) in sources.stems for word in words(text))


def overlap(sentence: str, sources: Sources) -> float:
    """The share of the terms of `sentence` that `sources` have, in [0, 1]; 1.0 when it has none."""
    terms = set(tokens(sentence))
    if terms:
        return len(terms & sources.stems) / len(terms)
    return 1.0
