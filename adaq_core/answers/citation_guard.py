"""Citation guard: code, not a model, decides which citations of an answer stand, and which sentences they carry.

A citation stands when its passage is in the evidence and holds its quote. A sentence is supported when what it cites
holds its numbers, dates, names, quoted words and a good part of its other words. This cannot see a "not" too many:
a sentence that it lets pass may still be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adaq_core.answers.evidence_sentences import Span, best_sentence, find_quote
from adaq_core.answers.form import (
    Numbering,
    drafted,
    rendered,
    with_numbers,
    without_marks,
)
from adaq_core.model import Answer, Citation, CitationsCheck, Conflict, Passage, Statement
from adaq_core.text.entities import Name, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import stem, tokens, words
from adaq_core.text.values import SMALL_NUMBERS, Date, dates

SUPPORTED = 0.3
ADOPTED = 0.6
_QUOTED = re.compile(r"[“\"]([^“”\"]{3,400})[”\"]")
_POINTER = re.compile(r"See [“\"]([^“”\"]+)[”\"] above\.")
_FEWEST_WORDS = 3


# The citations of each number: a passage may be quoted in several places.
_Given = Mapping[int, Sequence[Citation]]
# The number that a citation had, if it had one, and what it points at.
_Held = tuple[int | None, tuple[Passage, Span]]


@dataclass(frozen=True, slots=True)
class Guarded:
    """An answer of which every citation stands, and what had to be done for that."""

    answer: Answer
    check: CitationsCheck


def guard(answer: Answer, passages: Sequence[Passage], *, aspects: Collection[str] = ()) -> Guarded:
    """`answer` with citations that stand, numbered anew in the order of their use, and its sentences judged.

    An answer with a text only, as a model writes it, is read into statements first: its marks are the numbers, from 1,
    of `passages`, which are the evidence. An answer that abstains is left alone.
    """
    if answer.abstained:
        return Guarded(answer, CitationsCheck())
    work = _Work(passages)
    if not answer.statements:
        draft = drafted(answer.text, aspects=aspects)
        answer = replace(answer, text=draft.text, statements=draft.statements)
        work.repaired += draft.restored
    work.sections = frozenset(statement.aspect for statement in answer.statements)
    given = _by_number(answer.citations or _numbered(passages))
    pairs = [(statement, work.judge(statement, given)) for statement in answer.statements]
    text = _rewritten(answer.text, pairs, work, given)
    conflicts = work.conflicts(answer.conflicts, given)
    final = replace(
        answer,
        text=with_numbers(text, lambda n: n if n <= work.numbering.count else None),
        statements=tuple(statement for _, statement in pairs),
        citations=tuple(work.numbering.citations),
        conflicts=conflicts,
    )
    return Guarded(final, work.result(final))


def _numbered(passages: Sequence[Passage]) -> list[Citation]:
    """Every passage as a citation without a quote: the guard finds the words that carry the sentence."""
    return [
        Citation(n, p.passage_id, p.document_id, p.title, quote="", start=0, end=0)
        for n, p in enumerate(passages, start=1)
    ]


def _by_number(citations: Iterable[Citation]) -> _Given:
    given: dict[int, list[Citation]] = {}
    for citation in citations:
        given.setdefault(citation.n, []).append(citation)
    return given


def _meant(citations: Sequence[Citation], text: str) -> Citation | None:
    """Return the citation whose quote a sentence repeats, else that which shares the most terms; ties: the first."""
    plain = " ".join(text.split())
    terms = set(tokens(text))

    def likeness(citation: Citation) -> tuple[bool, int, int]:
        quote = " ".join(citation.quote.split())
        is_repeated = bool(citation.quote) and quote in plain
        shared = terms & set(tokens(citation.quote))
        return is_repeated, len(shared), -citation.start

    return max(citations, key=likeness, default=None)


@dataclass(slots=True)
class _Work:
    """One pass over an answer: the numbering so far, and the counts."""

    passages: Sequence[Passage]
    by_id: dict[str, Passage] = field(init=False)
    proper: frozenset[str] = field(init=False)
    numbering: Numbering = field(init=False)
    renumbered: dict[int, int] = field(default_factory=dict)
    checked: int = 0
    repaired: int = 0
    dropped: int = 0
    notes: list[str] = field(default_factory=list)
    known: dict[tuple[str, ...], Sources] = field(default_factory=dict)
    sections: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.by_id = {passage.passage_id: passage for passage in self.passages}
        self.numbering = Numbering(self.by_id)
        self.proper = proper_names(self.passages)

    def judge(self, statement: Statement, given: _Given) -> Statement:
        """The statement with the citations that stand, and whether they support it."""
        text = without_marks(statement.text)
        self.repaired += text != statement.text
        cited: list[_Held] = [
            (n, result) for n in dict.fromkeys(statement.citations) if (result := self._stands(n, text, given))
        ]
        text = self._requoted(text, [passage for _, (passage, _) in cited])
        if not tokens(text) or (cited and self._points(text)):
            return replace(statement, text=text, citations=self._number(cited), supported=True)
        missing = self._unsupported(text, [passage for _, (passage, _) in cited])
        if missing and (better := self._adopted(text)) is not None:
            self.repaired += 1
            self._note(text, f"cites {better.passage_id!r} now, which says it: {missing}")
            span = _anchor(text, better)
            told = better.text[span.start : span.end] if span else ""
            if span is not None and _says_half(told, text):
                cited = [(None, (better, span))]
                missing = ""
        if missing:
            self._note(text, missing)
        return replace(statement, text=text, citations=self._number(cited), supported=not missing)

    def _points(self, text: str) -> bool:
        """Whether a sentence says nothing itself, but points at another part of this answer."""
        pointer = _POINTER.fullmatch(text)
        return pointer is not None and pointer[1] in self.sections

    def _stands(self, n: int, text: str, given: _Given) -> tuple[Passage, Span] | None:
        """The passage and the place that citation `n` points at; None when it does not stand."""
        self.checked += 1
        citation = _meant(given.get(n, ()), text)
        passage = self.by_id.get(citation.passage_id) if citation is not None else None
        if citation is None or passage is None:
            return self._dropped(text, f"[{n}] is not in the evidence")
        span = _place(citation, passage) if citation.quote else _anchor(text, passage)
        if span is None:
            lost = f"has a quote that its passage does not hold: {_short(citation.quote)}"
            return self._dropped(text, f"[{n}] {lost if citation.quote else 'has no word of it'}")
        self.repaired += bool(citation.quote) and (span.start, span.end) != (citation.start, citation.end)
        return passage, span

    def _dropped(self, text: str, why: str) -> tuple[Passage, Span] | None:
        self.dropped += 1
        self._note(text, why)
        return None

    def _note(self, text: str, why: str) -> None:
        self.notes.append(f"{_short(text)}: {why}")

    def _requoted(self, text: str, cited: Sequence[Passage]) -> str:
        """The sentence with its quoted words as the passages that it cites have them."""
        for match in list(_QUOTED.finditer(text)):
            results = ((p, find_quote(match[1], p.text)) for p in cited if len(words(match[1])) >= _FEWEST_WORDS)
            passage, span = next(((p, s) for p, s in results if s is not None), (None, None))
            if passage is not None and span is not None and not span.exact:
                own = without_marks(re.sub(r"[“”\"]", "'", " ".join(passage.text[span.start : span.end].split())))
                text = text.replace(match[0], f"“{own}”", 1)
                self.repaired += 1
        return text

    def _unsupported(self, text: str, cited: Sequence[Passage]) -> str:
        """Why `cited` do not carry the sentence; empty when they do."""
        if not cited:
            return "no citation carries it"
        sources = self._sources(cited)
        if missing := missing_facts(text, sources, proper=self.proper):
            return f"not in what it cites: {', '.join(missing)}"
        absent = [q for q in _quotes(text) if all(find_quote(q, p.text) is None for p in cited)]
        if absent:
            return f"quoted words that are not in what it cites: {_short(absent[0])}"
        if overlap(text, sources) < SUPPORTED:
            return "what it cites speaks of other things"
        return ""

    def _sources(self, passages: Sequence[Passage]) -> Sources:
        key = tuple(sorted(passage.passage_id for passage in passages))
        if key not in self.known:
            self.known[key] = sources_of(passages)
        return self.known[key]

    def _adopted(self, text: str) -> Passage | None:
        """The passage of the evidence that carries the sentence alone and shares the most words with it."""
        carrying = [
            (overlap(text, self._sources([passage])), -place, passage)
            for place, passage in enumerate(self.passages)
            if not self._unsupported(text, [passage])
        ]
        share, _, passage = max(carrying, key=lambda entry: entry[:2], default=(0.0, 0, None))
        return passage if share >= ADOPTED else None

    def _number(self, cited: Sequence[_Held]) -> tuple[int, ...]:
        numbers = []
        for old, (passage, span) in cited:
            new = self._number_of(passage, span)
            if old is not None:
                self.renumbered.setdefault(old, new)
            numbers.append(new)
        return tuple(dict.fromkeys(numbers))

    def _number_of(self, passage: Passage, span: Span) -> int:
        return self.numbering.number(passage.passage_id, span.start, span.end)

    def renumber(self, n: int, given: _Given) -> int | None:
        """The new number of a mark outside the statements; None when it does not stand."""
        if n not in self.renumbered and (citation := _meant(given.get(n, ()), "")) is not None and citation.quote:
            passage = self.by_id.get(citation.passage_id)
            span = _place(citation, passage) if passage else None
            if passage is not None and span is not None:
                self.renumbered[n] = self._number_of(passage, span)
        return self.renumbered.get(n)

    def conflicts(self, conflicts: Sequence[Conflict], given: _Given) -> tuple[Conflict, ...]:
        """Conflicts with the new numbers."""
        return tuple(
            replace(c, citations=tuple(new for n in c.citations if (new := self.renumber(n, given)) is not None))
            for c in conflicts
        )

    def result(self, answer: Answer) -> CitationsCheck:
        """The counts of this pass."""
        unsupported = sum(not statement.supported for statement in answer.statements)
        return CitationsCheck(self.checked, self.repaired, self.dropped, unsupported, tuple(self.notes))


def _place(citation: Citation, passage: Passage) -> Span | None:
    """Where the quote of a citation stands: where it says, or where it is found."""
    if citation.quote == passage.text[citation.start : citation.end]:
        return Span(citation.start, citation.end)
    return find_quote(citation.quote, passage.text)


def _anchor(text: str, passage: Passage) -> Span | None:
    """The words of `passage` that carry a sentence: what it quotes of them, else the sentence nearest to it."""
    quoted = (find_quote(quote, passage.text) for quote in _quotes(text))
    return next((span for span in quoted if span is not None), None) or best_sentence(text, passage.text)


def _quotes(text: str) -> list[str]:
    return [quote for quote in _QUOTED.findall(text) if len(words(quote)) >= _FEWEST_WORDS and tokens(quote)]


def _rewritten(text: str, pairs: Sequence[tuple[Statement, Statement]], work: _Work, given: _Given) -> str:
    """The text with each statement as it is now; marks elsewhere get their new numbers."""
    parts: list[str] = []
    cursor = 0
    for old, new in pairs:
        form = rendered(old)
        at = text.find(form, cursor)
        if at < 0 or not old.text:
            continue
        parts += [with_numbers(text[cursor:at], lambda n: work.renumber(n, given)), rendered(new)]
        cursor = at + len(form)
    return "".join((*parts, with_numbers(text[cursor:], lambda n: work.renumber(n, given))))


def _short(text: str) -> str:
    return f"“{text if len(text) <= 80 else text[:79].rstrip() + '…'}”"


_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "tn": 1e12,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?i)(?P<sign>[$€£¥])?\s?(?<![\w.])(?P<value>\d[\d,]*(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<percent>%|per\s?cent\b)|[\s-]?(?P<scale>thousand|million|billion|trillion|mn|bn|tn|k|m|b)\b)?"
)
_SPELLED = {word: float(value) for value, word in enumerate(SMALL_NUMBERS)}
_HEDGE = re.compile(
    r"(?i)\b(?:about|around|roughly|nearly|approximately|almost|some|over|under|more than|less than|up to)\b|~"
)
_NEARLY = 0.05
_LONG_NAME = re.compile(r"\b[A-Z]\w*(?:[ -](?:(?:of|the|and|for|&|in) ){0,2}[A-Z]\w*)+")
_NUMBERED = re.compile(r"(?s)^(?P<name>.{0,80}\S)[ -](?P<number>\d[\d.,]{0,30})")
_ADDRESS = re.compile(r"(?i)https?://[^\s<>\"'\])]+")


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
        if not _has(name, bare, sources, hedged=hedged, proper=proper):
            matches.append(name.text)
    return tuple(dict.fromkeys(matches))


def _has(name: Name, sentence: str, sources: Sources, *, hedged: bool, proper: Collection[str]) -> bool:
    if name.kind == "date":
        return _has_date(name.text, sources)
    if name.kind == "number":
        wide = sentence[max(0, name.start - 2) : name.end + 10]
        return any(_is_stated(number, sources, hedged=hedged) for number in _numbers_at(sentence, name, wide))
    if name.kind == "quoted" or _has_words(name.text, sources):
        return True
    if numbered := _NUMBERED.fullmatch(name.text):
        parts = _parts(name, numbered)
        return all(_has(part, sentence, sources, hedged=hedged, proper=proper) for part in parts)
    opens = not tokens(sentence[: name.start])
    if opens and " " not in name.text and not _surely(name, proper):
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


def _has_date(text: str, sources: Sources) -> bool:
    wanted = dates(text)
    return any(_within(known, date) for date in wanted for known in sources.dates) or _has_words(text, sources)


def _within(known: Date, date: Date) -> bool:
    """Whether `known` is `date` or lies in it: October 6, 2023 lies in Q4 2023 and in 2023."""
    if known.year != date.year:
        return False
    if date.quarter is not None:
        return known.quarter == date.quarter or (known.month is not None and (known.month + 2) // 3 == date.quarter)
    return (date.month is None or known.month == date.month) and (date.day is None or known.day == date.day)


def _surely(name: Name, proper: Collection[str]) -> bool:
    if name.kind == "acronym":
        return True
    if any(char.isdigit() or char.isupper() for char in name.text[1:]):
        return True
    return any(word in proper for word in words(name.text))


def _has_words(text: str, sources: Sources) -> bool:
    return all(word in sources.words or (stem(word) or word) in sources.stems for word in words(text))


def _says_half(told: str, sentence: str) -> bool:
    """Whether a text says half of the terms of a sentence: words strewn over a passage carry nothing."""
    terms = set(tokens(sentence))
    return 2 * len(terms & set(tokens(told))) >= len(terms)


def overlap(sentence: str, sources: Sources) -> float:
    """The share of the terms of `sentence` that `sources` have, in [0, 1]; 1.0 when it has none."""
    terms = set(tokens(sentence))
    if terms:
        return len(terms & sources.stems) / len(terms)
    return 1.0
