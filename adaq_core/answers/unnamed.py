"""What a question means without naming it: the end of a chain, and the one thing that several sources tell of.

"When was the record label of Planningtorock established?" names Planningtorock; one other passage of the set is about
something that its passage names, the label, and says when that was established. "Which company, as reported by A and by
B, …?" means what the passages of both name most.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adaq_core.answers.choose import NOT_PERSON, typed_spans
from adaq_core.answers.sides import Computed, bridge, key_of
from adaq_core.matching.lexicon import Value, value_of
from adaq_core.model import AnswerKind, Passage
from adaq_core.question.parse import parse
from adaq_core.text.entities import PART_OF, countries_in
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, fold, terms_of, words
from adaq_core.text.values import MONTHS, dates

_OPENING = 6
_NEAR = 60
_CAPITAL = r"[A-ZÀ-Ý][\w'’-]{0,30}"
_PLACE = (
    rf"(?P<x>(?:St\. |Mt\. )?{_CAPITAL}(?: (?:{_CAPITAL}|de|do|la|of|the)){{0,3}}(?:, {_CAPITAL}(?: {_CAPITAL})?)?)"
)
_INITIAL = r"(?:[A-Z]\.)+"
_PERSON = rf"(?P<x>(?:{_CAPITAL}|{_INITIAL})(?: (?:{_INITIAL}|{_CAPITAL}|de|da|von|van|Jr\.)){{0,4}})"
_MONTHS = frozenset(MONTHS)
_YEAR_ASKED = re.compile(r"\byear\b", re.IGNORECASE)
_TOWN_ASKED = re.compile(r"\b(?:city|town)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_RANGE = re.compile(
    r"\b(?:from|between) (?:\w{3,9} )?(?P<first>\d{4}) (?:to|until|and|through) (?:\w{3,9} )?(?P<last>\d{4})\b"
)
_BEGAN = re.compile(
    r"\b(?:(?:co-)?founded|formed|established|opened|created|incorporated|started|began|built|launched|completed|"
    r"constructed)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:ended|abolished|dissolved|defunct|ceased|disbanded|folded|closed|merged)\b", re.IGNORECASE
)  # fmt: skip

Read = Callable[[Passage], Value | None]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that the end of a chain may be asked for: when a question asks it, and how a passage states it."""

    kind: AnswerKind
    asked: str
    read: Read
    example: str


def _dated(passage: Passage, verb: re.Pattern[str], end: str) -> Value | None:
    """The date nearest to the verb, behind it before those in front of it, or that end of the years it was there."""
    for number, (start, stop) in enumerate(sentences(passage.text)[:_OPENING]):
        text = passage.text[start:stop]
        years = _RANGE.search(text) if number == 0 else None
        if years is not None:
            return _value(passage, start + years.start(end), start + years.end(end))
        spoken = verb.search(text)
        spans = [date.span for date in dates(text)] if spoken else []
        behind = [s for s in spans if spoken and 0 <= s[0] - spoken.end() < _NEAR]
        before = [s for s in spans if spoken and 0 <= spoken.start() - s[1] < _NEAR]
        if nearest := [*behind[:1], *before[-1:]][:1]:
            return _value(passage, start + nearest[0][0], start + nearest[0][1])
    return None


def _named(passage: Passage, how: re.Pattern[str]) -> Value | None:
    """The name that the pattern calls `x`, in the sentences that open the passage."""
    for start, end in sentences(passage.text)[:_OPENING]:
        match = how.search(passage.text, start, end)
        if match and match["x"].split()[0].rstrip(",") not in _MONTHS:
            return _value(passage, *match.span("x"))
    return None


def _placed(passage: Passage, how: re.Pattern[str]) -> Value | None:
    """A place; what stands behind its comma belongs to it where that is a state."""
    result = _named(passage, how)
    if result is None:
        return None
    place, _, rest = result.text.partition(", ")
    if not rest or rest in PART_OF:
        return result
    return _value(passage, result.start, result.start + len(place))


def _value(passage: Passage, start: int, end: int) -> Value:
    return Value(passage, passage.text[start:end], start, end, "")


_BORN_IN = re.compile(rf"\b[Bb]orn\b(?: [^.;()]{{0,50}}?)?? (?:in|at) (?:the )?{_PLACE}")
_DIED_IN = re.compile(rf"\b[Dd]ied\b(?: [^.;()]{{0,50}}?)?? (?:in|at) (?:the )?{_PLACE}")
_COUNTY = re.compile(rf"(?P<x>{_CAPITAL}(?: {_CAPITAL})? County)\b")


def _by(verbs: str) -> Read:
    how = re.compile(rf"\b(?:{verbs}) (?:and \w{{1,20}} )?by (?:the )?(?:[a-z]{{1,20}} ){{0,2}}{_PERSON}")
    return lambda passage: _named(passage, how)


_BEGIN = (
    r"founded|established|created|formed|launched|open(?:ed)?|start(?:ed)?|beg[iau]n|built|incorporated|constructed"
)
_END = r"abolished|dissolved?|end(?:ed)?|disband(?:ed)?|ceased?|closed?|fold(?:ed)?"
_WHAT_IS_ASKED = re.compile(
    rf"\b(?:{_BEGIN}|{_END}|born|birth(?:day|place)?|died?|death|directed|produced|years?|dates?|days?|places?|city|town)\b",
    re.IGNORECASE,
)
ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute("place", r"\b(?:place of birth|birthplace)\b|^(?:where|(?:in )?(?:what|which) (?:city|town|place))\b.{0,160}\bborn\b|\bborn where\b", lambda p: _placed(p, _BORN_IN), "Where was the director of A born?"),
    Attribute("place", r"\bplace of death\b|^(?:where|(?:in )?(?:what|which) (?:city|town|place))\b.{0,160}\bdied?\b", lambda p: _placed(p, _DIED_IN), "Where did the composer of A die?"),
    Attribute("date", r"\bdate of birth\b|\bbirthday\b|^(?:when|(?:in |on )?(?:what|which) (?:date|year|day))\b.{0,160}\bborn\b|\bborn (?:in|on) (?:what|which) (?:year|date)\b", lambda p: value_of("birth", p), "When was the director of A born?"),
    Attribute("date", r"\bdate of death\b|^(?:when|(?:in |on )?(?:what|which) (?:date|year|day))\b.{0,160}\bdied?\b|\bdied (?:in|on) (?:what|which) (?:year|date)\b", lambda p: value_of("death", p), "When did the author of A die?"),
    Attribute("date", rf"^(?:when|(?:in )?(?:what|which) year)\b.{{0,200}}\b(?:{_BEGIN})\W{{0,4}}$|\binception of\b", lambda p: _dated(p, _BEGAN, "first"), "When was the record label of A established?"),
    Attribute("date", rf"^(?:when|(?:in )?(?:what|which) year)\b.{{0,200}}\b(?:{_END})\W{{0,4}}$|\bwas the end of\b", lambda p: _dated(p, _ENDED, "last"), "In which year did the maker of A end?"),
    Attribute("place", r"^(?:in )?(?:what|which) county (?:is|was|are|does|did)\b", lambda p: _named(p, _COUNTY), "In what county is A located?"),
    Attribute("person", r"^who directed\b|\bdirected by (?:who|whom)\b", _by("directed"), "Who directed the film in which A played?"),
    Attribute("person", r"^who produced\b|\bproduced by (?:who|whom)\b", _by("produced"), "Who produced the series that A is part of?"),
    Attribute("person", r"^who (?:founded|created|established)\b|\b(?:founded|created) by who\b", _by("founded|created|established"), "Who founded the network that shows A?"),
)  # fmt: skip


def at_chains_end(question: str, passages: Sequence[Passage], *, role: str = "") -> Computed | None:
    """The attribute asked for, of the one thing that the things named in the question lead to.

    With a `role` (how passages introduce who has it) that thing is the one which has the role.
    """
    attribute = _attribute_asked(question)
    if attribute is None:
        return None
    named = [passage for passage in passages if _is_named(question, passage)]
    if not _leads_on(question, named):
        return None
    ends = [p for p in passages if p not in named and any(_names(first, p) for first in named)]
    if not all(_in_the_years(question, end, named) for end in ends):
        return None
    value = next((v for p in ends if (v := attribute.read(p)) is not None), None)
    if value is None or len({p.title for p in ends}) != 1:
        return None
    start = next(first for first in named if _names(first, value.passage))
    if role and not _has_role(start, role, value.passage, passages):
        return None
    at = fold(start.text).find(_bare(value.passage))
    via = _value(start, at, at + len(_bare(value.passage)))
    step = f"{start.title} → {value.passage.title}: {value.text}"
    return Computed(_as_asked(question, attribute.kind, value.text), attribute.kind, (value,), step, (via,))


_ATTRIBUTES = tuple((re.compile(attribute.asked, re.IGNORECASE), attribute) for attribute in ATTRIBUTES)


@lru_cache(maxsize=1 << 8)
def _attribute_asked(question: str) -> Attribute | None:
    return next((attribute for asked, attribute in _ATTRIBUTES if asked.search(question)), None)


def _leads_on(question: str, named: Sequence[Passage]) -> bool:
    """Whether a question says more than one name and what is asked of it: "when can Jonas Weber start" asks of him."""
    told = terms_of(_WHAT_IS_ASKED.sub(" ", question))
    return not any(told <= terms_of(passage.title) for passage in named)


def _has_role(start: Passage, role: str, end: Passage, passages: Sequence[Passage]) -> bool:
    """Whether `start` introduces the end of the chain as who has the role; an editor is no director."""
    step = bridge(start, role, passages)
    return step is not None and step[1].title == end.title


def _in_the_years(question: str, end: Passage, named: Sequence[Passage]) -> bool:
    """Whether the end of a chain is of the years that the question says and that belong to nothing it names."""
    known = " ".join(f"{passage.title} {passage.text}" for passage in (*named, end))
    return all(year in known for year in _YEAR.findall(question))


def _as_asked(question: str, kind: AnswerKind, text: str) -> str:
    """The year of a date, or the town without its state, where that is what the question asks for."""
    if kind == "date" and _YEAR_ASKED.search(question):
        match = re.search(r"\d{4}", text)
        return match[0] if match else text
    if kind == "place" and _TOWN_ASKED.search(question):
        return text.split(",")[0]
    return text


def _bare(passage: Passage) -> str:
    """The title without what stands in parentheses or behind a comma, folded."""
    return fold(re.sub(r"\s{0,3}\([^()]{0,120}\)", "", passage.title).split(",")[0]).strip()


def _is_named(question: str, passage: Passage) -> bool:
    title = key_of(passage.title).split()
    return bool(title) and (set(title) <= set(words(question)) or _stands_in(_bare(passage), fold(question)))


def _names(first: Passage, other: Passage) -> bool:
    name = _bare(other)
    return first.title != other.title and len(name) > 2 and _stands_in(name, fold(first.text))


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


_FULL_NAME = re.compile(r"[A-Z][a-z]{1,20}(?: [A-Z]\.?)?(?: [A-Z][\w'’-]{1,30}){1,2}")
_MOST_WORDS = 4
_AHEAD = 2


@dataclass(slots=True)
class _Mention:
    """A name in the set: the documents that name it, how often, and its place in the first of them."""

    documents: set[str]
    first: Value
    count: int = 0


def named_by_all(question: str, passages: Sequence[Passage]) -> Computed | None:
    """Return whom a question means that several sources report on: the name that their documents say most by far.

    Twice as often as the next; a person also if in more documents. Not where the question names no source.
    """
    parsed = parse(question)
    if parsed.kind not in ("person", "organisation") or not any(c.kind == "source" for c in parsed.conditions):
        return None
    mentions = _mentions(passages, frozenset(words(question)), is_person=parsed.kind == "person")
    by_name = [mentions[name] for name in sorted(mentions)]
    ranked = sorted(by_name, key=lambda each: (-len(each.documents), -each.count))
    if not ranked or len(ranked[0].documents) < 2:
        return None
    best, following = ranked[0], ranked[1] if len(ranked) > 1 else None
    if following is not None and not _is_ahead(best, following, is_person=parsed.kind == "person"):
        return None
    step = f"named {best.count} times in {len(best.documents)} documents"
    return Computed(best.first.text, parsed.kind, (best.first,), step)


def _is_ahead(best: _Mention, following: _Mention, *, is_person: bool) -> bool:
    more = len(best.documents) > len(following.documents)
    return best.count >= _AHEAD * following.count or (is_person and more)


def _mentions(passages: Sequence[Passage], known: frozenset[str], *, is_person: bool) -> dict[str, _Mention]:
    """The names that the question does not say; a person by the last word, shown with the full name most used."""
    results: dict[str, _Mention] = {}
    full: dict[str, Counter[str]] = defaultdict(Counter)
    for passage in passages:
        for value in _names_in(passage, known):
            key = value.text.split()[-1] if is_person else value.text
            if is_person and _FULL_NAME.fullmatch(value.text):
                full[key][value.text] += 1
            elif is_person and " " in value.text:
                continue
            mention = results.setdefault(key, _Mention(set(), value))
            mention.documents.add(passage.document_id)
            mention.count += 1
            if is_person and value.text == _most_used(full[key]):
                mention.first = value
    return {key: mention for key, mention in results.items() if not is_person or full[key]}


def _most_used(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], len(form)), default="")


def _names_in(passage: Passage, known: frozenset[str]) -> Iterable[Value]:
    """The names of a passage of one to four words, without places and without words of the question."""
    for span in typed_spans("fact", passage.text):
        name = re.sub(r"['’]s$", "", span.text.rstrip(" .,;:"))
        parts = set(words(name))
        if len(name) < 3 or not name[0].isupper() or len(name.split()) > _MOST_WORDS or parts & known:
            continue
        if not parts <= STOP_WORDS and not parts & NOT_PERSON and not countries_in(name):
            yield _value(passage, span.start, span.start + len(name))
