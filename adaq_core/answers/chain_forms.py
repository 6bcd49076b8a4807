"""What the end of a chain may be asked for, and how a text states it: attributes, and relations in their usual forms.

Each row of ATTRIBUTES and FORMS has a question that asks so, and a row of FORMS what tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from adaq_core.matching.lexicon import Value, is_said, value_of
from adaq_core.model import AnswerKind, Passage
from adaq_core.question.answer_kinds import AUXILIARIES, linear
from adaq_core.text.entities import PART_OF, countries_in, is_nationality, names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import terms_of
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
_RANGE = re.compile(
    r"\b(?:from|between) (?:\w{3,9} )?(?P<first>\d{4}) (?:to|until|and|through) (?:\w{3,9} )?(?P<last>\d{4})\b"
)
_BEGAN = re.compile(
    r"(?i)\b(?:(?:co-)?founded|formed|established|opened|created|incorporated|started|began|built|launched|completed|"
    r"constructed)\b"
)
_ENDED = re.compile(
    r"(?i)\b(?:ended|abolished|dissolved|defunct|ceased|disbanded|folded|closed|merged)\b"
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
            return value_at(passage, *years.span(end))
        spoken = verb.search(passage.text, start, stop)
        if spoken and (date := _date_beside(passage.text, (start, stop), spoken)):
            return value_at(passage, *date)
    return None


def _named(passage: Passage, how: re.Pattern[str]) -> Value | None:
    """The name that the pattern calls `x`, in the sentences that open the passage."""
    for start, end in sentences(passage.text)[:_OPENING]:
        match = how.search(passage.text, start, end)
        if match and match["x"].split()[0].rstrip(",") not in _MONTHS:
            return value_at(passage, *match.span("x"))
    return None


def _placed(passage: Passage, how: re.Pattern[str]) -> Value | None:
    """A place; what stands behind its comma belongs to it where that is a state."""
    result = _named(passage, how)
    if result is None:
        return None
    place, _, rest = result.text.partition(", ")
    if not rest or rest in PART_OF:
        return result
    return value_at(passage, result.start, result.start + len(place))


def value_at(passage: Passage, start: int, end: int) -> Value:
    """The characters `start` to `end` of a passage as a value."""
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
WHAT_IS_ASKED = re.compile(
    rf"(?i)\b(?:{_BEGIN}|{_END}|born|birth(?:day|place)?|died?|death|directed|produced|years?|dates?|days?|places?|city|town)\b"
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

_ATTRIBUTES = tuple((re.compile(attribute.asked, re.IGNORECASE), attribute) for attribute in ATTRIBUTES)


@lru_cache(maxsize=1 << 8)
def attribute_asked(question: str) -> Attribute | None:
    """The attribute of the end of a chain that a question asks for."""
    return next((attribute for asked, attribute in _ATTRIBUTES if asked.search(question)), None)


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
    rf"(?i)\b(?P<number>\d[\d,]{{0,12}}|{'|'.join(SMALL_NUMBERS)})(?P<things>(?: [\w-]{{2,24}}){{1,3}})"
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
    r"(?P<told>\d[\d,]{0,14}(?:\.\d{1,6})?(?!\d| of the\b)(?:%|(?: (?!of\b)[a-z²]{1,20}){0,4})(?: \([^()]{1,40}\))?)"
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
    Form("number", r"\bhow many (?!(?:[a-z-]{2,20} ){1,3}(?:does|did|would) it )(?P<counted>(?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})\b", _how_many, "How many rooms has the hotel where A stands?", "It has 703 rooms and a theatre.", "703", "How tall is A?"),
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
