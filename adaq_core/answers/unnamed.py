"""What a question means without naming it: the end of a chain, and the one thing that several sources tell of.

"When was the record label of Planningtorock established?" names Planningtorock; one other passage of the set is about
something that its passage names, the label, and says when that was established. "Which company, as reported by A and by
B, …?" means what the passages of both name most.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from adaq_core.answers.choose import NOT_PERSON, typed_spans
from adaq_core.answers.sides import Computed, bridge, key_of
from adaq_core.matching.lexicon import Value, is_said, value_of
from adaq_core.model import AnswerKind, Passage
from adaq_core.question.answer_kinds import AUXILIARIES, linear
from adaq_core.question.parse import parse
from adaq_core.text.entities import PART_OF, countries_in, is_nationality, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, fold, terms_of, words
from adaq_core.text.values import MONTHS, SMALL_NUMBERS, dates

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

Span = tuple[int, int]
Read = Callable[[Passage], Value | None]


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that the end of a chain may be asked for: when a question asks it, and how a passage states it."""

    kind: AnswerKind
    asked: str
    read: Read
    example: str


def _date_beside(text: str, sentence: Span, verb: re.Match[str]) -> Span | None:
    """The date shortly behind a verb, else shortly before it."""
    start, end = sentence
    before = None
    for date in dates(text[start:end]):
        first, last = date.span
        span = start + first, start + last
        if 0 <= span[0] - verb.end() < _NEAR:
            return span
        if 0 <= verb.start() - span[1] < _NEAR:
            before = span
    return before


def _dated(passage: Passage, verb: re.Pattern[str], end: str) -> Value | None:
    """The date nearest to the verb, behind it before those in front of it, or that end of the years it was there."""
    for number, (start, stop) in enumerate(sentences(passage.text)[:_OPENING]):
        years = _RANGE.search(passage.text, start, stop) if number == 0 else None
        if years is not None:
            return _value(passage, *years.span(end))
        spoken = verb.search(passage.text, start, stop)
        if spoken and (date := _date_beside(passage.text, (start, stop), spoken)):
            return _value(passage, *date)
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
    """Whether a question says the title of a passage, in whatever order its words stand."""
    title = key_of(passage.title).split()
    return bool(title) and (set(title) <= set(words(question)) or _stands_in(_bare(passage), fold(question)))


def _names(first: Passage, other: Passage) -> bool:
    """Whether the text of a passage says the title of another one."""
    name = _bare(other)
    return first.title != other.title and len(name) > 2 and _stands_in(name, fold(first.text))


def _stands_in(name: str, text: str) -> bool:
    """Whether a name stands in a text, in whole words; both are folded."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


# In a set that was cut to the passages which lead to each other by names, the end is read in more forms: most relations
# of an encyclopedia are told in the same few ways, behind a cue ("the son of A"), or around the verb or the noun that
# the question itself says.

_OPENS = 8  # sentences
_INTRODUCED = 3  # sentences that say what a thing is and where


@dataclass(frozen=True, slots=True)
class Asking:
    """What is read of a text: the match of the question, the text, and the name by which the chain came to it."""

    question: re.Match[str]
    text: str
    bridge: str = ""

    def opening(self, count: int = _OPENS) -> list[Span]:
        """The sentences that open the text."""
        return sentences(self.text)[:count]


ReadSpans = Callable[[Asking], Iterator[Span]]


@dataclass(frozen=True, slots=True)
class Form:
    """A relation as it is asked for, and `read`, which gives the spans of a text that state it, the best first.

    `example` asks and `states` tells it, with its `answer`; `counter` asks for something else. It is told of the
    bridge of a chain, or of what the question names too, as the object of its verb (who wrote the song A) or as where
    it is set (whom somebody plays in B), or it is the end of the chain itself, whatever that is called.
    """

    kind: AnswerKind
    asked: str
    read: ReadSpans
    example: str
    states: str
    answer: str
    counter: str
    told_of: Literal["bridge", "object", "setting", "end"] = "bridge"


_JOINS = re.compile(r"[ ,:]{1,3}(?:[a-z][a-z-]{0,20}[ ,]{1,2}){0,4}")
_GOES_ON = re.compile(r" (?:[a-z][\w-]{0,20}[ ,]{1,2}){1,5}")


@lru_cache(maxsize=1 << 12)
def _name_behind(text: str, start: int, end: int) -> Span | None:
    """The name right behind a place in a text; an article, a calling or a nationality may stand in front of it.

    "by the American singer Ann Lee".
    """
    part = text[start:end]
    joins = _JOINS.match(part)
    begin = joins.end() if joins else 0
    for name in names(part):
        if name.kind not in ("name", "acronym", "quoted"):
            continue
        if name.start > begin + 1:
            return None
        goes_on = _GOES_ON.match(part, name.end)
        if goes_on is None or not is_nationality(name.text):
            return start + name.start, start + name.end
        begin = goes_on.end()
    return None


def _behind(cue: str) -> ReadSpans:
    """Names right behind a cue, in the sentences that open the passage."""
    form = re.compile(cue, re.IGNORECASE)

    def read(asking: Asking) -> Iterator[Span]:
        for start, end in asking.opening():
            for match in form.finditer(asking.text, start, end):
                if name := _name_behind(asking.text, match.end(), end):
                    yield name

    return read


def _says(word: str, asked: frozenset[str]) -> bool:
    """Whether a word says all that is asked, also in a word of the same sense."""
    told = terms_of(word)
    return bool(asked) and all(is_said(term, told) for term in asked)


_BY = re.compile(r"\b(?P<done>[a-z-]{3,20})(?: and [a-z-]{3,20})? by\b")


def _done_by(asking: Asking) -> Iterator[Span]:
    """By whom that was done which the question says by its verb, or by its noun for who does it."""
    asks = asking.question.groupdict()
    verb = asks.get("verb") or AGENTS[asks["agent"].lower().removesuffix("s")]
    for start, end in asking.opening():
        for match in _BY.finditer(asking.text, start, end):
            name = _name_behind(asking.text, match.end(), end)
            if name and _says(match["done"], terms_of(verb)):
                yield name


def _in_office(asking: Asking) -> Iterator[Span]:
    """Who has the office that the question names: "Incumbent Ann Lee", "its president Ann Lee"."""
    office = re.escape(asking.question["office"].split()[-1])
    yield from _behind(r"\bincumbent(?= )")(asking)
    yield from _behind(rf"\b{office}(?: is|,)?(?! of)(?= )")(asking)


_PAST = re.compile(r"\b[a-z]{2,20}(?:ed|en|wn|ld|ought)\b")


def _when_it_began(asking: Asking) -> Iterator[Span]:
    for start, end in asking.opening():
        began = _BEGAN.search(asking.text, start, end)
        if began and (date := _date_beside(asking.text, (start, end), began)):
            yield date


def _when_done(asking: Asking) -> Iterator[Span]:
    """The date beside the verb with which the question ends."""
    for start, end in asking.opening():
        for verb in _PAST.finditer(asking.text, start, end):
            date = _date_beside(asking.text, (start, end), verb)
            if date and _says(verb[0], terms_of(asking.question["verb"])):
                yield date


_WORD = re.compile(r"\b[a-z]{3,20}\b")
_IN = re.compile(r"(?: [^.;()]{0,40}?)?? (?:in|at)(?: the)?(?= )")
_SAID_OTHERWISE = {
    "form": "formed founded", "formed": "formed founded", "founded": "founded formed", "raised": "raised grew",
    "located": "located situated based headquartered", "based": "based headquartered", "live": "lives lived resides",
    "buried": "buried interred", "filmed": "filmed shot",
}  # fmt: skip


def _where_done(asking: Asking) -> Iterator[Span]:
    """The place behind the verb of the question: formed in A."""
    verb = (asking.question["verb"] or asking.question["early"]).lower()
    ways = terms_of(_SAID_OTHERWISE.get(verb, verb))
    for start, end in asking.opening():
        for word in _WORD.finditer(asking.text, start, end):
            inside = _IN.match(asking.text, word.end(), end) if ways & terms_of(word[0]) else None
            if inside and (name := _name_behind(asking.text, inside.end(), end)):
                yield name


_DIVISION = r"(?:County|District|Province|Region|Parish|Municipality|Prefecture|Oblast|Department|Canton|State)"
_ANY_DIVISION = frozenset(("region", "territory", "division"))


def _of_class(asking: Asking) -> Iterator[Span]:
    """A name that ends in the noun asked for: Bingham County, of "in what county"."""
    noun = next(filter(None, asking.question.groups())).lower()
    head = _DIVISION if noun in _ANY_DIVISION else noun.capitalize()
    form = re.compile(rf"\S.{{0,80}}? {head}\b")
    for start, end in asking.opening(_INTRODUCED):
        for name in names(asking.text[start:end]):
            if match := form.match(name.text):
                yield start + name.start, start + name.start + match.end()


def _in_country(asking: Asking) -> Iterator[Span]:
    """The first country that the introduction calls by its name."""
    for start, end in asking.opening(_INTRODUCED):
        for country, begin, stop in countries_in(asking.text[start:end]):
            if asking.text[start + begin : start + stop] == country:
                yield start + begin, start + stop


def _in_state(asking: Asking) -> Iterator[Span]:
    """The first part of a country that the introduction names: Oregon."""
    for start, end in asking.opening(_INTRODUCED):
        for _, begin, stop in countries_in(asking.text[start:end]):
            if asking.text[start + begin : start + stop] in PART_OF:
                yield start + begin, start + stop


_COUNTED = re.compile(
    rf"\b(?P<number>\d[\d,]{{0,12}}|{'|'.join(SMALL_NUMBERS)})(?P<things>(?: [\w-]{{2,24}}){{1,3}})", re.IGNORECASE
)


def _how_many(asking: Asking) -> Iterator[Span]:
    """The number right before what is counted."""
    counted = terms_of(asking.question["counted"])
    for match in _COUNTED.finditer(asking.text):
        if counted and counted <= terms_of(match["things"]):
            yield match.span("number")


_PART = r"[A-Z][\w.'’-]{1,30}"


def _in_role(asking: Asking) -> Iterator[Span]:
    """Whom somebody plays: "Ann Lee as Meg Hill", "Meg Hill (Lee)"."""
    last = re.escape(asking.bridge.split()[-1])
    plays = re.compile(rf"(?i:\b{last}) as (?P<who>[A-Z][^,.;()]{{2,60}})")
    played = re.compile(rf"(?P<who>{_PART}(?: {_PART}){{0,3}}) \((?:{_PART} )?(?i:{last})\)")
    for form in (plays, played):
        for match in form.finditer(asking.text):
            yield match.span("who")


def _sort_of(asking: Asking) -> Iterator[Span]:
    """What sort of a thing it is, by the noun asked for: "is a private university"."""
    noun = re.escape(asking.question["noun"])
    form = re.compile(rf"\b(?:is|was) an? (?P<sort>(?:[a-z-]{{2,24}} ){{1,2}}{noun})\b")
    for start, end in asking.opening(_INTRODUCED):
        if match := form.search(asking.text, start, end):
            yield match.span("sort")


_MEASURED = (
    r" (?:is|was|of) (?:(?:about|around|approximately) )?"
    r"(?P<told>\d[\d,]{0,14}(?:\.\d{1,6})?(?:%|(?: [a-z²]{1,20}){0,4})(?: \([^()]{1,40}\))?)"
)


def _measured(asking: Asking) -> Iterator[Span]:
    """A number behind the name of what is measured, with its unit: "enrollment was 22,513 students"."""
    form = re.compile(rf"\b{re.escape(asking.question['measure'])}{_MEASURED}")
    for match in form.finditer(asking.text):
        yield match.span("told")


def _itself(asking: Asking) -> Iterator[Span]:
    """The name with which a text introduces what it is about as one of the class asked for: "A is a waterfall"."""
    noun = re.escape(asking.question["noun"])
    form = re.compile(
        rf"(?P<name>[^\W\d_a-z][^().,;:]{{2,60}}?)(?: \([^()]{{0,200}}\)){{0,2}} (?:is|was) (?:an?|the) [^.;]{{0,80}}?\b{noun}\b"
    )
    for start, end in asking.opening(1):
        if match := form.match(asking.text, start, end):
            yield match.span("name")


# Who does a thing, and what is done then.
AGENTS = {
    "director": "directed", "producer": "produced", "writer": "written", "author": "written", "songwriter": "written",
    "screenwriter": "written", "composer": "composed", "performer": "performed", "singer": "sung",
    "publisher": "published", "distributor": "distributed", "manufacturer": "manufactured", "maker": "made",
    "developer": "developed", "designer": "designed", "architect": "designed", "creator": "created",
    "founder": "founded", "operator": "operated", "discoverer": "discovered", "inventor": "invented",
}  # fmt: skip
_WHO = r"^(?:who|what|which \w{1,20})(?:['’]s| is| was| are| were) (?:the )?"
_WHEN = r"^(?:when|(?:in |on )?(?:what|which) (?:year|date|day))\b"
_WHERE = r"^(?:where|(?:in |at )?(?:what|which) (?:city|town|place|village|location))\b"
_NOT_BEING = rf"(?!(?:{'|'.join(AUXILIARIES)})\b)"
_SET_UP = r"formed?|founded|started?|established|located|based|headquartered|buried|filmed|raised|live"
_CLASS = (
    r"county|district|region|province|territory|division|parish|municipality|league|river|award|prize|war|university"
)


def _role(roles: str) -> str:
    """How a question asks who has a role: "Who is the wife of the man …?", "Who is A's mother's wife?"."""
    return rf"{_WHO}(?:\w{{1,20}} ){{0,2}}?{roles} (?:of|for|to)\b|^who(?:['’]s| is| was) .{{1,200}}['’]s? {roles}$"


FORMS: tuple[Form, ...] = (
    Form("person", _role("(?:spouse|wife|husband)") + r"|^who married\b", _behind(r"\b(?:married(?: to)?|wed|wife|husband|spouse)(?: of| is| was|,)?"), "Who is the wife of the man who made A?", "He is married to the painter Ann Lee.", "Ann Lee", "Who made the wife of A famous?"),
    Form("person", _role("(?:father|parent)"), _behind(r"\b(?:son|daughter|child) of|\bfather(?: was| is|,)"), "Who is the father of the man who made A?", "He is the son of the painter Carl Lee.", "Carl Lee", "What team was A's father on?"),
    Form("person", _role("mother"), _behind(r"\bmother(?: was| is|,)|\b(?:son|daughter|child) of (?:the )?actress"), "Who is the mother of the man who made A?", "His mother was the painter Ann Lee.", "Ann Lee", "What team was A's mother on?"),
    Form("person", _role("(?:child|son|daughter)"), _behind(r"\b(?:(?:father|mother|parent) (?:of|to)|(?:sons?|daughters?|children),?)"), "Who is the child of the man who made A?", "He is the father of the actress Ann Lee.", "Ann Lee", "What team was A's son on?"),
    Form("person", _role("(?:sibling|brother|sister)"), _behind(r"\b(?:brother|sister|sibling)s?(?: of| to|,)?"), "Who is the sister of the man who made A?", "He is the brother of Ann Lee.", "Ann Lee", "What team was A's brother on?"),
    Form("organisation", _role("employer"), _behind(r"\b(?:work(?:s|ed|ing)? (?:for|at)|employed (?:by|at)|(?:professor|researcher|lecturer|engineer|teacher|fellow)(?: [a-z]{2,20}){0,4} at)"), "Who is the employer of the man who made A?", "He is a professor of physics at Ohio State University.", "Ohio State University", "When did the employer of A close?"),
    Form("organisation", _role("(?:record )?label"), _behind(r"\b(?:signed (?:to|with)|(?:released|issued)(?: [\w,]{1,20}){0,6} (?:by|on|through|via|under)|record label)"), "What is the record label of the man who made A?", "He signed with Capitol Records in 1990.", "Capitol Records", "When was the record label of A founded?"),
    Form("organisation", _role("(?:owner|parent company)") + r"|^(?:who|(?:what|which) company) own(?:s|ed)\b", _behind(r"\b(?:owned by|subsidiary of|division of|unit of|imprint of|acquired by)"), "Who is the owner of the station that A works for?", "It is owned by Cumulus Media.", "Cumulus Media", "When did the owner of A die?"),
    Form("organisation", r"^(?:where|(?:in |at )?(?:what|which) (?:school|college|university))\b.{0,200}\b(?:attend(?:ed)?|educated|study|studied|graduated?(?: from)?|go to (?:school|college))(?: (?:school|college|university))?$", _behind(r"\b(?:attended|educated at|studied(?: [\w,]{1,20}){0,4} at|graduated (?:from|at)|graduate of|alumn(?:us|a) of|degree(?: [\w,]{1,20}){0,4} (?:from|at))"), "Where was the author of A educated?", "She studied law at Yale University.", "Yale University", "When was the school that A attended founded?"),
    Form("organisation", r"^(?:what|which) (?:\w{1,20} )?(?:team|club)\b", _behind(r"\b(?:drafted(?: [\w,]{1,20}){0,4} by|play(?:s|ed|ing)?(?: [\w,]{1,20}){0,4} for|signed (?:for|with))"), "What team was the husband of A on?", "He was drafted first overall by the Boston Braves.", "Boston Braves", "Who owns the team of A?"),
    Form("fact", r"\bnamed (?:after|for)(?: whom| who| what)?$|^(?:who|what) (?:is|was) .{1,200} named (?:after|for)$", _behind(r"\b(?:named (?:after|for|in honou?r of)|namesake)"), "Who was the town where A was born named after?", "It is named after Andrew Jackson.", "Andrew Jackson", "Who was the man after whom A is named?"),
    Form("person", rf"{_WHO}(?P<agent>(?:{'|'.join(AGENTS)})s?) of\b", _done_by, "Who is the publisher of the game that A made?", "The game was published by Atari Games.", "Atari Games", "When did the publisher of A end?"),
    Form("person", r"^who(?:['’]s| is| was) (?:the )?(?P<office>(?:[a-z-]{2,20} ){0,2}?[a-z-]{2,20}) (?:of|for)\b", _in_office, "Who is the president of the body that A is a member of?", "President of the Body, Incumbent Ann Lee since 2013.", "Ann Lee", "When did the president of A die?"),
    Form("date", rf"{_WHEN}.{{0,200}}(?:\bsaw the (?:creation|founding)\b|\b(?:inception|creation|founding|formation) of\b|\b(?:formed|founded|established|created|opened|open|built|launched)$)", _when_it_began, "What year saw the creation of the region where A lies?", "It was created in 1994 and dissolved in 2010.", "1994", "When did the founder of A die?"),
    Form("date", rf"{_WHEN}.{{0,200}}\b(?P<verb>[a-z]{{4,20}})$", _when_done, "When was the brother of A crowned?", "He was crowned in 1716.", "1716", "Where was A crowned?"),
    Form("place", rf"{_WHERE}.{{0,200}}\b(?P<verb>{_SET_UP})(?: in| at)?$|^where (?:did|was) .{{1,80}} (?P<early>form|founded) that\b", _where_done, "Where did the band form that made A?", "They are a band formed in Leyton, East London.", "Leyton", "When did the band form that made A?"),
    Form("place", rf"^(?:(?:in|at|to|of) )?(?:what|which) ({_CLASS})\b|\b(?:in|on|at) (?:what|which) ({_CLASS})$", _of_class, "What region is the town of A located in?", "Shelley is a city in Bingham County, Idaho.", "Bingham County", "Which film is set in the county of A?"),
    Form("place", r"^(?:(?:in|from|of) )?(?:what|which) country\b|\b(?:in|from|of) (?:what|which) country$", _in_country, "What country is the team of A from?", "It is a club of Dakar, Senegal.", "Senegal", "When did the country of A begin?"),
    Form("place", r"^(?:in )?(?:what|which) (?:u\.?s\.? )?state\b|\b(?:in|from) (?:what|which) state$", _in_state, "What state is the school of A located in?", "It is a school in Salem, Oregon.", "Oregon", "When did the state of A begin?"),
    Form("number", r"\bhow many (?P<counted>(?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})\b", _how_many, "How many rooms has the hotel where A stands?", "It has 703 rooms and a theatre.", "703", "How tall is A?"),
    Form("fact", r"\bwhat character\b|^who (?:does|did) .{1,160} (?:play|portray)\b", _in_role, "What character does the maker of A play in B?", "It stars Ann Lee as Meg Hill.", "Meg Hill", "Who played A in B?", told_of="setting"),
    Form("fact", r"^what (?:type|kind|sort) of (?P<noun>[a-z]{3,24}) (?:is|was)\b", _sort_of, "What type of school is the one that A went to?", "It is a private boarding school in Ohio.", "private boarding school", "What is the type of A?"),
    Form("fact", r"^(?:what|which) (?:is the name of the )?(?P<noun>[a-z]{3,20}) (?:is )?(?:in|on|near|at|through|of) (?:the|a|an)\b", _itself, "What is the name of the waterfall in the land where A flows?", "Kern Falls is a waterfall on the border of Zambia.", "Kern Falls", "What is A?", told_of="end"),
    Form("number", r"^what (?:is|was) the (?P<measure>(?:[a-z]{3,20} )?[a-z]{3,20}) (?:of|at|in|for)\b", _measured, "What is the enrollment at the owner of A?", "As of 2017, total enrollment was 22,513 students, most of them young.", "22,513 students", "What is A?"),
    Form("person", rf"^(?:who|which \w{{1,20}}|what \w{{1,20}}) {_NOT_BEING}(?P<verb>[a-z]{{3,20}}) ", _done_by, "Who wrote the song of the band that A founded?", "The song was written by Ann Lee.", "Ann Lee", "Who is the man that A wrote to?", told_of="object"),
)  # fmt: skip

_FORMS = tuple((linear(form.asked, re.IGNORECASE), form) for form in FORMS)


@lru_cache(maxsize=1 << 8)
def form_asked(question: str) -> tuple[Form, re.Match[str]] | None:
    """The most special form in which a question, without its question mark, asks."""
    for asked, form in _FORMS:
        if match := asked.search(question):
            return form, match
    return None


_SHORTEST = 4  # characters of a name in which passages meet


@dataclass(frozen=True, slots=True)
class Link:
    """A step of a chain: what `start` is about the question tells, and `bridge` leads from there to `end`.

    The end is about the bridge (`is_titled`), or is named too and says it (`is_named`), or only says it.
    """

    start: Passage
    end: Passage
    bridge: str
    is_titled: bool = False
    is_named: bool = False


def read_end(question: str, passages: Sequence[Passage]) -> Computed | None:
    """The short answer that the end of a chain states in one of the known forms; None where ends state several."""
    asked = " ".join(question.split()).rstrip(" ?.")
    found = form_asked(asked)
    if found is None or parse(question).kind in ("choice", "yes_no", "comparison"):
        return None
    form, match = found
    read = [_read(asked, link, form, match) for link in links(asked, passages) if _leads(asked, link, form)]
    results = [computed for computed in read if computed is not None]
    return results[0] if len({fold(computed.text) for computed in results}) == 1 else None


def _leads(asked: str, link: Link, form: Form) -> bool:
    """Whether what a form asks is told of the end of such a link, in the years that the question says."""
    match form.told_of:
        case "bridge":
            fits = link.is_titled
        case "object":
            fits = link.is_named and _is_object(asked, link)
        case "setting":
            fits = link.is_named and words(asked)[-1] in words(link.end.title)
        case "end":
            fits = True
    return fits and _in_the_years(asked, link.end, [link.start])


def _is_object(asked: str, link: Link) -> bool:
    """Whether the question says the end of a link in front of its start: the song, and then whose it is."""
    places = [fold(asked).find(_bare(passage)) for passage in (link.end, link.start)]
    return -1 < places[0] < places[1]


def _read(asked: str, link: Link, form: Form, match: re.Match[str]) -> Computed | None:
    """What the end of a link states in a form, where it is neither asked nor the way there."""
    passed = fold(f"{asked} {link.bridge} {link.start.text if link.is_named else ''}")
    for start, stop in form.read(Asking(match, link.end.text, link.bridge)):
        text = _as_asked(asked, form.kind, link.end.text[start:stop])
        if fold(text) not in passed:
            value = Value(link.end, link.end.text[start:stop], start, stop, "")
            step = f"{link.start.title} → {link.end.title}: {value.text}"
            return Computed(text, form.kind, (value,), step, (_via(link),))
    return None


def _via(link: Link) -> Value:
    """Where the start of a link says the bridge; its first words where it is about the bridge itself."""
    at = max(fold(link.start.text).find(fold(link.bridge)), 0)
    stop = at + len(link.bridge)
    return Value(link.start, link.start.text[at:stop], at, stop, "")


def links(asked: str, passages: Sequence[Passage]) -> Iterator[Link]:
    """The steps from what a question names to other passages of the set.

    Where no title is named, what is named in a title or in the sentence that opens a passage begins the chain.
    """
    named = [passage for passage in passages if _is_named(asked, passage)]
    speaking = [passage for passage in passages if _speaks_of_named(asked, passage)]
    for end in passages:
        starts = [each for each in named or speaking if each.title != end.title]
        about = next((each for each in starts if _names(each, end)), None) if end not in named else None
        if about is not None:
            yield Link(about, end, _bare(end), is_titled=True)
        for start in starts:
            shared = _shared(asked, start, end)
            yield from (Link(start, end, bridge, is_named=end in named) for bridge in shared)
        for start in passages:
            if end in named and start not in named and _names(end, start) and _tells_of_named(asked, start, end):
                yield Link(start, end, _bare(start), is_named=True)


def _speaks_of_named(asked: str, passage: Passage) -> bool:
    """Whether the title of a passage, or the sentence that opens it, says a name of the question."""
    start, end = next(iter(sentences(passage.text)), (0, 0))
    opening = fold(f"{passage.title} {passage.text[start:end]}")
    return any(_stands_in(fold(name), opening) for name in _names_of(asked))


def _tells_of_named(asked: str, start: Passage, end: Passage) -> bool:
    """Whether the text of a passage says a name of the question that is not the end's."""
    text, title = fold(start.text), fold(end.title)
    return any(_stands_in(fold(name), text) for name in _names_of(asked) if not _stands_in(fold(name), title))


def _shared(asked: str, start: Passage, end: Passage) -> list[str]:
    """The names that both passages say and the question does not."""
    told = (name for name in _names_of(start.text) if not is_nationality(name))
    own = dict.fromkeys(name for name in told if not _stands_in(fold(name), fold(asked)))
    return [name for name in own if _stands_in(fold(name), fold(end.text))]


def _names_of(text: str) -> list[str]:
    """The names of a text that are long enough to tell one thing from another."""
    kinds = ("name", "acronym", "quoted")
    return [name.text for name in names(text) if name.kind in kinds and len(name.text) >= _SHORTEST]


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
