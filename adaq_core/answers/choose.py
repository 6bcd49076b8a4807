"""Which sentences answer, and how surely: by the kind of answer that they hold, the question's words and conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from adaq_core.answers.evidence_sentences import EvidenceSentence, replaced_among
from adaq_core.matching.answer_shapes import ASKS_OFTEN, EVERY_SO_OFTEN, HOW_OLD, began_when, counted_noun
from adaq_core.matching.conditions import keeping
from adaq_core.matching.lexicon import LIGHT_VERBS, is_common_word, is_said, said_among, same_sense
from adaq_core.matching.naming import opening_name, presented_terms, subject_terms
from adaq_core.matching.shown import BUY, SOLD_TO
from adaq_core.model import AnswerKind, Constraint, Passage
from adaq_core.question.answer_kinds import AUXILIARIES, class_asked, class_named, in_question, without_asking
from adaq_core.text.entities import countries_in, names, terms_of_names
from adaq_core.text.passages import overlaps
from adaq_core.text.tokens import STOP_WORDS, Weigh, share, terms_of, words
from adaq_core.text.values import MONTH_NAMES, SPELLED_NUMBER, dates, stated_by_amounts

_LARGE = r"(?:hundred|thousand|million|billion|trillion)"
_SPELLED = rf"(?:{SPELLED_NUMBER}|(?:(?<=\bonly )|(?<=\bjust ))one\b|one(?= (?:{_LARGE}|percentage|basis)\b))"
CURRENCY = r"(?:AUD|CAD|CHF|CNY|DKK|EUR|GBP|INR|JPY|NOK|PLN|SEK|USD)"
_UNIT = (
    rf"(?:percent(?:age points?)?|basis points?|per cent|%|{_LARGE}|(?-i:bn|mn|m|k)"
    r"|dollars?|euros?|pounds?|yen|yuan|cents?|pence|pennies"
    rf"|(?-i:{CURRENCY})|[€£])"
)
_FIGURE = r"\d(?:[\d,]{0,20}\d)?"
_GROUPS = r"\d{1,3}(?: \d{3}){1,3}"
_IN_GROUPS = rf"{_GROUPS}(?= ?(?:[€£]|(?-i:{CURRENCY})\b))"  # "16 950 GBP"
_COUNTED_IN = (
    r"(?:(?:working|calendar|business|square) )?(?:dollars|euros|pounds|people|children|men|women|employees|aircraft"
    r"|cars|users|customers|times|years?|months?|weeks?|days?|hours?|minutes?|seconds?|kilomet(?:er|re)s?|km|miles?"
    r"|met(?:er|re)s?|feet|acres|tons?|tonnes|degrees|votes|seats|episodes|species|members|students|heads|layers|tokens"
    r"|parameters|dimensions|characters)\b"
)
_ROUGHLY = rf"(?:several|many|a few|(?:tens|dozens|hundreds|thousands) of) (?:{_LARGE}|dozen)s?"
_A_PART = r"(?:an?|one|two|three|four)[ -](?:half|third|quarter|fifth|tenth)s?(?=\sof\b)"
_QUANTITY = re.compile(
    rf"(?i)(?:(?:about|around|nearly|almost|more than|over|up to|at least|some|roughly|approximately|minus)\s){{0,3}}"
    rf"(?:(?:(?:[$€£¥] ?|\b(?-i:{CURRENCY}) )(?:{_GROUPS}\b|{_FIGURE})|\b(?:{_IN_GROUPS}|{_FIGURE}))"
    rf"(?:\.\d{{1,8}}|\^\d{{1,4}})?(?-i:[KMB]\b)?(?![\d.]{{0,8}}(?-i:[A-Z]))(?:[\s-]?{_UNIT}(?!\w)|%){{0,3}}"
    rf"|\b(?:{_ROUGHLY}|{_A_PART})\b(?:\sof(?=\s{_UNIT}\b)|\sof an? (?:percentage )?point\b)?(?:[\s-]{_UNIT}\b){{0,3}}"
    rf"|\b{_SPELLED}\b(?:[\s-]{_UNIT}\b){{0,3}}"
    r"|(?:(?<=\bwithin )|(?<=\bfor )|(?<=\bleast )|(?<=\bafter ))an? (?:minute|hour|day|week|month|year|decade)\b)"
    rf"(?:\s{_COUNTED_IN})?"
)
# A day of every year.
_MONTH = rf"(?:{MONTH_NAMES})"
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?!,? \d{{4}})"
    rf"|\b(?:every|each|in|by|until|from|since|late|early) (?:the end of )?(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_MONTH}\b"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?\b(?!,? \d{{4}})| and (?:in )?{_MONTH}\b)?"
    r"|\b(?:(?:early|mid|late)[ -])?(?:1[5-9]|20)\d0s\b"
)
_WEEKDAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")
_WEEKDAY_ASKED = re.compile(r"(?i)\b(?:which|what) (?:week)?day\b")
_IN_LETTERS = re.compile(_SPELLED)
_NAME_BEFORE = re.compile(r"(?:[A-Z][\w.]{0,24}[ -]|[A-Za-z]-)$")
_NEAR = 28
_PLACE_BEFORE = re.compile(r"\b(?:in|at|of|near|from|to|on|outside|around)\s+(?:the\s+)?$")
_PERSON_WORDS_LIST = """
actor actress author writer director singer musician composer player footballer politician president minister judge
king queen prince princess duke emperor bishop poet painter producer founder officer executive scientist physicist
chemist mathematician engineer lawyer general coach manager chairman senator governor mayor born died married son
daughter wife husband father mother brother sister he she his her by with and colleagues mr mrs ms dr sir said wrote
directed founded played led followed succeeded became
"""
_PERSON_WORDS = frozenset(_PERSON_WORDS_LIST.split())
_NOT_PERSON_LIST = """
university college school institute inc corp company ltd group bank agency department court commission church river
lake island islands mount mountain county city town state states kingdom republic street avenue park museum hotel
league cup championship award awards prize festival album film movie song band orchestra records studios pictures
war battle party union association society committee council ministry board act law north south east west new
america american british french german italian chinese indian japanese european january february march april may
june july august september october november december monday tuesday wednesday thursday friday saturday sunday
district province region station airport bridge castle palace stadium club united football
"""
NOT_PERSON = frozenset(_NOT_PERSON_LIST.split())


@dataclass(frozen=True, slots=True)
class TypedSpan:
    """A part of a sentence that is of a kind that can be asked for: `text == sentence[start:end]`."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=1 << 13)
def typed_spans(kind: AnswerKind, sentence: str) -> tuple[TypedSpan, ...]:
    """The parts of `sentence` that an answer of `kind` may be; none for kinds that are no short span."""
    match kind:
        case "date":
            full = [date.span for date in dates(sentence)]
            part = [day.span() for day in _DAY.finditer(sentence) if not overlaps(day.span(), full)]
            return tuple(TypedSpan(sentence[s:e], s, e) for s, e in sorted(full + part))
        case "number" | "amount":
            return tuple(q for q in _quantities(sentence) if _may_be_asked(kind, q, sentence))
        case "person":
            return tuple(n for n in _named(sentence) if _may_be_person(n, sentence))
        case "place":
            return tuple(
                n
                for n in _named(sentence)
                if _PLACE_BEFORE.search(sentence[max(0, n.start - _NEAR) : n.start]) or _after_comma(n, sentence)
            )
        case "organisation":
            return tuple(name for name in _named(sentence) if _OPENS_LARGE.match(name.text))
        case "fact" | "choice":
            return _named(sentence)
        case _:
            return ()


_MARK_OF_NOTE = re.compile(r"\s{0,4}\(\d{1,2}\)(?= [A-Z])")  # "(3) Includes asset retirement obligations"


# "6.1 The Supplier shall …", "In clause 6.1 the words …"
_CLAUSE = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,3}(?=\s+[A-Z])|\b[Cc]lauses? \d{1,2}(?:\.\d{1,2}){0,3}\b")


def _quantities(sentence: str) -> tuple[TypedSpan, ...]:
    """The numbers of a sentence that are no part of a date, no mark of the note that it is, and of no clause."""
    taken = [date.span for date in dates(sentence)]
    taken += [mark.span() for mark in [_MARK_OF_NOTE.match(sentence)] if mark]
    taken += [mark.span() for mark in _CLAUSE.finditer(sentence)]
    matches = [match for match in _QUANTITY.finditer(sentence) if not overlaps(match.span(), taken)]
    spans = (_within_limit(sentence, *match.span()) for match in matches)
    return tuple(_as_ranges(sentence, spans))


_BARE = re.compile(rf"(?i)(?:about |around )?(?:\d[\d.,]*|{_SPELLED})")


def _begins_range(sentence: str, first: TypedSpan, second: TypedSpan) -> bool:
    if sentence.endswith("from ", 0, first.start):
        return False
    between = sentence[first.end : second.start]
    return between in (" to ", "–") and _BARE.fullmatch(first.text) is not None


def _as_ranges(sentence: str, spans: Iterable[TypedSpan]) -> list[TypedSpan]:
    """The numbers of a sentence, a range of two as one: "two to four hops", but not "from 2 to 4 hops", a change."""
    made: list[TypedSpan] = []
    for span in spans:
        first = made[-1] if made else None
        if first is None or not _begins_range(sentence, first, span):
            made.append(span)
            continue
        start, end = first.start, span.end
        made[-1] = TypedSpan(sentence[start:end], start, end)
    return made


# "Do not take more than three tablets": three is the most, and more than that is what is not to be.
_DENIED_AHEAD = re.compile(r"(?i)\b(?:not|never|cannot|no|nor)\b[^.;:,]{0,24}$|n['’]t [^.;:,]{0,24}$")
_ABOVE = re.compile(r"(?i)(?:more than|over) ")


def _within_limit(sentence: str, start: int, end: int) -> TypedSpan:
    """A number, without "more than" where that is denied."""
    above = _ABOVE.match(sentence, start, end)
    if above and _DENIED_AHEAD.search(sentence, max(0, start - _NEAR - _NEAR), start):
        start = above.end()
    return TypedSpan(sentence[start:end], start, end)


def _may_be_asked(kind: AnswerKind, quantity: TypedSpan, sentence: str) -> bool:
    """Whether a number stands for itself: with a unit for an amount, and not as a part of a name ("Llama 2")."""
    units = (word for word in words(quantity.text) if word.isalpha() and not _IN_LETTERS.fullmatch(word))
    with_unit = re.search(rf"[$€£¥%]|\b{CURRENCY}\b", quantity.text) is not None or any(units)
    in_name = _NAME_BEFORE.search(sentence[max(0, quantity.start - _NEAR) : quantity.start]) is not None
    return with_unit or (kind == "number" and not in_name)


def _named(sentence: str) -> tuple[TypedSpan, ...]:
    named = (name for name in names(sentence) if name.kind in ("name", "acronym", "quoted"))
    spans = (TypedSpan(name.text, name.start, name.end) for name in named)
    return tuple(span for span in spans if span.start or span.text.casefold() not in STOP_WORDS)


_OPENS_LARGE = re.compile(r"[^a-z]|[a-z][A-Z]")  # "eBay", but no quoted words
_BESIDE = 24  # characters beside a word in which it may be called a person


_ARE_MANY = re.compile(r" (?:are|were|have)\b")  # "Beta Previews are": one person is and has


# "The Certification, Safety, and Accountability Act"
_ENDS_AS_LAW = re.compile(
    r"(?:,? and|,) (?:and )?[A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20})? (?:Act|Board|Commission|Agency|Office|Committee)\b"
)


def _may_be_person(span: TypedSpan, sentence: str) -> bool:
    parts = words(span.text)
    if not 1 <= len(parts) <= 6 or NOT_PERSON & set(parts) or any(c.isdigit() for c in span.text):
        return False
    if _ENDS_AS_LAW.match(sentence, span.end):
        return False
    if _ARE_MANY.match(sentence, span.end) and not sentence[: span.start].endswith(" and "):
        return False
    if " " in span.text:
        return True
    if span.text.isupper():
        return False
    ahead = sentence[max(0, span.start - _BESIDE) : span.start]
    behind = sentence[span.end : span.end + _BESIDE]
    return not _PERSON_WORDS.isdisjoint(words(f"{ahead} {behind}"))


def _after_comma(span: TypedSpan, sentence: str) -> bool:
    return re.search(r"[A-Z]\w{1,20}, $", sentence[max(0, span.start - _NEAR) : span.start]) is not None


_CAUSE = r"because(?: of)?|due to|owing to|caused by|as a result of|thanks to"
# "Partly because A" gives one cause of several.
_HOW_FAR = r"(?:(?:partly|in part|partially|largely|mainly|mostly|primarily) )?"
_BECAUSE = re.compile(rf"(?i)\b{_HOW_FAR}(?:{_CAUSE})[^;]{{8,160}}")
# "Nine days after an outage" says when.
_NOT_IN_TIME = "".join(
    f"(?<!{word} )"
    for word in ("and", "hours", "days", "weeks", "months", "years", "day", "week", "month", "year", "soon", "shortly")
)
REASON = re.compile(rf"(?i)\b(?:{_CAUSE}|since (?!\d|the \d)|{_NOT_IN_TIME}(?:when|after) )[^;]{{8,160}}")
# "sued the bank over fraud": what one is sued, fined or blamed over is why.
_OVER = re.compile(
    r"\b(?:su(?:ed?|ing)|lawsuits?|fin(?:ed?|es)|charg\w{1,4}|accus\w{1,5}|criticis\w{1,4}|investigat\w{1,5}|complaints?|"
    r"disput\w{1,3}|settle\w{0,4})\b(?:[^.;]|(?<=\d)\.(?=\d)){0,120}?\b(over (?!\d)[^;,.]{8,120})"
)


# "The death of A saw B take over": what stands before such a verb is why.
_LED = re.compile(r"\b(?:led to|resulted in|triggered|prompted|saw (?=[A-Z]|the\b|its\b|him\b|her\b))")


# "Fined A because of its rules and fined B because of its prices": each act has a reason of its own.
_ACTS = re.compile(r" and (?=[a-z]{3,14}ed )")


def reason_asked(sentence: str, asked: Set[str]) -> str:
    """The reason that a sentence gives of the one of its acts that says most of some terms; empty where it has none."""
    acts = [act for act in _ACTS.split(sentence) if _BECAUSE.search(act)]
    if len(acts) <= 1:
        return reason_in(sentence)

    def said(act: str) -> int:
        return len(asked & terms_of(act))

    return reason_in(max(acts, key=said))


def reason_in(sentence: str) -> str:
    """The part of a sentence that gives a reason; empty where none does."""
    over = _OVER.search(sentence)
    because = _BECAUSE.search(sentence)  # "after A, because of B": B
    if because is None and over:
        return over[1]
    because = because or REASON.search(sentence)
    if because is None:
        return ""
    reason, before = _until_main_clause(sentence, because), sentence[: because.start()]
    if before.rfind("(") <= before.rfind(")"):
        return reason
    # "The picture that leaves her out (because she took it) for when he goes" says why she is left out.
    if not sentence.rstrip(" .").endswith(")"):
        return ""
    return reason.split(")")[0]


_PART_END = re.compile(r"[,;] |;?$")
_LONGEST_PART = 100  # characters


def _cut(sentence: str, because: re.Match[str]) -> str:
    """A reason that goes on, up to its last comma; to the end of what an "and" ends: "of materials, rent and wages"."""
    told, _, last = because.group().rpartition(", ")
    if not told or " and " not in last or last.startswith("and "):
        return told
    behind = _PART_END.search(sentence, because.end(), because.end() + _LONGEST_PART)
    return sentence[because.start() : behind.start()] if behind else told


def _until_main_clause(sentence: str, because: re.Match[str]) -> str:
    """A reason up to the comma behind it, where it stands before what it is the reason of: "When A failed, B fell"."""
    opens = sentence[: because.start()].rstrip()
    told = because.group()
    if sentence[because.end() : because.end() + 1] not in ("", ";"):  # longer than a reason may be
        told = _cut(sentence, because)
    if opens and not opens.endswith((":", ";")):
        return told
    return told.split(", ")[0]


def gives_reason(sentence: str) -> bool:
    """Whether a sentence gives a reason, or says what something led to."""
    return bool(reason_in(sentence) or _LED.search(sentence))


_SEVERAL = re.compile(r"[\w'’)], [^,?]{2,60},? and ")
# Words that ask, and that an answer does not repeat.
_ASKING_TERMS = terms_of(
    "much many long old tall far per called list name give tell describe explain year date day time place"
    " against between among within"
)


@dataclass(frozen=True, slots=True)
class ChoiceWeights:
    """What a sentence is worth: shares and flags in [0, 1], weights without unit.

    Set on the dev halves of four public sets (one sentence of each passage holds the answer; span questions).
    """

    typed: float = 0.5
    overlap: float = 1.0
    order: float = 0.03
    empty: float = 0.5
    hangs: float = 0.3
    asks: float = 0.5
    presents: float = 0.3
    replaced: float = 0.5
    conditions: float = 0.5
    match: float = 0.5
    leads: float = 0.1


WEIGHTS = ChoiceWeights()
# The opening of a passage is likelier to answer; of two sentences behind it neither is.
LATE = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the sentences are chosen for: the question's terms, its words, the kind of answer, times that bind.

    `matches` says how far the matcher takes a sentence (by passage and start) for an answer, in [0, 1]; `several` that
    the question lists things, each with an answer of its own; `counted` are the terms of the unit asked for; `replaced`
    the passages of versions that another one replaced, where it is asked what holds now.
    """

    terms: frozenset[str]
    words: frozenset[str]
    kind: AnswerKind
    conditions: tuple[Constraint, ...] = ()
    matches: Mapping[tuple[str, int], float] = field(default_factory=dict)
    several: bool = False
    question: str = ""
    counted: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()

    @property
    def deeds(self) -> frozenset[str]:
        """The terms that are no part of a name: what is asked of those named."""
        return self.terms - self.names

    @property
    def names(self) -> frozenset[str]:
        """The terms of the names that the question says."""
        return terms_of_names(self.question)

    def said_by(self, sentence: EvidenceSentence) -> frozenset[str]:
        """The terms of a sentence, and those of the question's amounts that a range in it holds."""
        return sentence.terms | stated_by_amounts(self.question, sentence.text)

    def beside_title(self, sentence: EvidenceSentence) -> frozenset[str]:
        """The terms that the title above a sentence does not say already; all where it says all of them."""
        return self.terms - subject_terms(sentence.passage) or self.terms


def _countries(text: str) -> tuple[TypedSpan, ...]:
    """The countries that a text names as such, and not by a part or its people."""
    named = (TypedSpan(*each) for each in countries_in(text))
    return tuple(span for span in named if span.text == text[span.start : span.end])


def spans_for(wanted: Wanted, sentence: EvidenceSentence) -> tuple[TypedSpan, ...]:
    """The parts of a sentence that may be the answer: of the kind asked for, true names, of the unit counted."""
    if wanted.kind == "date" and in_question(_WEEKDAY_ASKED, wanted.question):
        named = tuple(TypedSpan(day.group(), *day.span()) for day in _WEEKDAY.finditer(sentence.text))
        return named or typed_spans("date", sentence.text)
    if in_question(ASKS_OFTEN, wanted.question):
        return tuple(TypedSpan(often.group(), *often.span()) for often in EVERY_SO_OFTEN.finditer(sentence.text))
    if ages := _ages(wanted, sentence.text):
        return ages
    if wanted.kind == "number" and (began := began_when(wanted.question, sentence.text)):
        return tuple(TypedSpan(each["when"], *each.span("when")) for each in began)
    if wanted.kind == "place" and in_question(_COUNTRY_ASKED, wanted.question):
        return _countries(sentence.text)
    spans = typed_spans(wanted.kind, sentence.text)
    if wanted.kind in ("number", "amount"):
        measured = (s for s in spans if _is_measured(s, wanted.question))
        return tuple(s for s in measured if _is_counted(s, sentence.text, wanted.counted))
    named = tuple(s for s in spans if wanted.kind not in _NAMED_KINDS or _is_name(s, sentence))
    return named or _beside_class(wanted, sentence.text)


_COUNTRY_ASKED = re.compile(r"(?i)\b(?:which|what) (?:country|countries|nation|nations)\b")
_AGE = re.compile(
    rf"\b(?:aged?|turn(?:ed|s)|age of|(?:was|is|were|died at)) (?P<age>\d{{1,3}}|{SPELLED_NUMBER})"
    r"(?= years old|[,.;)]| (?:when|and|at the time|in|on)\b|$)(?: years old)?"
)


def _ages(wanted: Wanted, text: str) -> tuple[TypedSpan, ...]:
    """The ages that a sentence tells, where it is asked how old somebody is: "was 21 when he died"."""
    if wanted.kind != "number" or in_question(HOW_OLD, wanted.question) is None:
        return ()
    return tuple(TypedSpan(age["age"], *age.span("age")) for age in _AGE.finditer(text))


_PIECE = r"(?P<x>[\w~/][\w./+-]{1,39})"
_WITH_CLASS = (
    re.compile(rf"(?<![\w./-]){_PIECE} (?=(?P<noun>[a-z]{{3,24}})\b)"),
    re.compile(rf"\b(?P<noun>[a-z]{{3,24}}) (?:(?:called|named) )?(?={_PIECE})"),
)
_WRITTEN_BY_MACHINES = re.compile(r"[\d/_]|[a-z][A-Z]|\w\.\w")


def _beside_class(wanted: Wanted, text: str) -> tuple[TypedSpan, ...]:
    """What is no word of the language beside the class asked for: "the powerpc architecture", "the directory /etc"."""
    called = class_named(wanted.question) if wanted.kind == "fact" else frozenset[str]()
    if not called:
        return ()
    asked = set(words(wanted.question))
    beside = (match for form in _WITH_CLASS for match in form.finditer(text))
    fit = (match for match in beside if match["noun"] in asked and terms_of(match["noun"]) <= called)
    return tuple(TypedSpan(m["x"], *m.span("x")) for m in fit if _is_no_word(m["x"], asked))


def _is_no_word(piece: str, asked: Set[str]) -> bool:
    """Whether a piece of a sentence is a name that machines use: a path, an identifier, a word that is in no list."""
    if not piece[-1].isalnum() or asked & set(words(piece)) or piece.isdigit():
        return False
    return _WRITTEN_BY_MACHINES.search(piece) is not None or (piece.islower() and not is_common_word(piece))


_CLASS_BEHIND = re.compile(r"(?:, (?:an?|the|its|their) [^,;.]{0,60}| (?:[a-z-]+ ){0,2}[a-z-]+)")
_CLASS_AHEAD = re.compile(r"\b([a-z-]+ )?[a-z-]+ (?:called |named )?$")


def is_called_one(span: TypedSpan, text: str, of_class: frozenset[str]) -> bool:
    """Whether a sentence calls a name one of a class, right beside it: "the GGUF file format", "SQuAD, a data set"."""
    behind, ahead = _CLASS_BEHIND.match(text, span.end), _CLASS_AHEAD.search(text[: span.start])
    return any(near and of_class & terms_of(near[0]) for near in (behind, ahead))


_NAMED_KINDS = frozenset(("person", "organisation", "place", "fact", "choice"))


def _is_name(span: TypedSpan, sentence: EvidenceSentence) -> bool:
    """Whether it is a name: no lone letter, and no word that is written large only because it opens a sentence."""
    if len(span.text) == 1:
        return False
    if span.start > 0 or " " in span.text or not span.text[1:].islower():
        return True
    title, text = sentence.passage.title, sentence.passage.text
    is_inside = f" {span.text}" in text and re.search(rf"[\w,;)] {re.escape(span.text)}\b", text) is not None
    return is_inside or span.text in title or not is_common_word(span.text)


_TIMES = terms_of("year month week day hour minute second decade century")
_OTHER_UNITS = terms_of("percent pound dollar euro yen cent mile metre meter kilometre kilometer km foot feet inch")
_LABELS = re.compile(
    r"(?i)\b(?:version|no\.|number|section|article|chapter|page|figure|table|item|part|level|phase|step|note) $"
)
_HOW_LONG = re.compile(r"(?i)\bhow (?:long|old|quickly|soon)\b")


def _is_counted(span: TypedSpan, sentence: str, counted: frozenset[str]) -> bool:
    """Whether a number counts what is asked for: no label ("version 2.1"), and of no other unit."""
    if _LABELS.search(sentence[max(0, span.start - _NEAR) : span.start]):
        return False
    near = terms_of(" ".join([span.text, *sentence[span.end : span.end + _NEAR].split()[:2]]))
    return not counted or not near.isdisjoint(counted) or (not counted <= _TIMES and near.isdisjoint(_UNITS))


_UNITS = _TIMES | _OTHER_UNITS
# What is asked for, and how its answer is written.
_WRITTEN: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"(?i)\b(?:percentage|percent|proportion)\b"), re.compile(r"(?i)%|\bper ?cent\b")),
    (re.compile(r"(?i)\b(?:temperature|how (?:cold|hot|warm))\b"), re.compile(r"(?i)\bdegrees?\b|°")),
)


def _is_measured(span: TypedSpan, question: str) -> bool:
    """Whether a number is written as what is asked for is: a percentage with its sign, a temperature in degrees."""
    return all(written.search(span.text) for asked, written in _WRITTEN if in_question(asked, question))


def counted_in(question: str) -> frozenset[str]:
    """The terms of the unit that a question counts: offers in "how many written offers", times in "how long"."""
    if noun := counted_noun(question):
        return noun
    return _TIMES if _HOW_LONG.search(question) else frozenset()


_MEASURED = re.compile(
    r"(?i)(?:^|, )(?:(?:what|which) (?:(?:is|are|was|were) )?(?:the |an? )?(?P<what>[a-z-]{2,24}(?: [a-z-]{2,24})?)"
    rf" (?:of|for|that|on|per|{'|'.join(AUXILIARIES)})\b"
    r"|how (?:high|large|big|low|great|long|much) (?:is|are|was|were) (?:the|its|their) "
    r"(?P<how>[a-z-]{2,24}(?: [a-z-]{2,24})?)\b"
    r"|how much\b.{2,80} for (?P<purpose>[a-z-]{3,24})\W*$)"
)


def measured_in(question: str) -> frozenset[str]:
    """The terms of what a question wants the measure of: a pay rise in "What pay rise did they accept?"."""
    match = _MEASURED.search(question)
    return terms_of(match["what"] or match["how"] or match["purpose"]) if match else frozenset()


def score(sentence: EvidenceSentence, wanted: Wanted, weigh: Weigh) -> float:
    """What a sentence is worth as an answer: the type asked for, the question's words less the title's, its place."""
    weights = WEIGHTS
    terms = wanted.terms - subject_terms(sentence.passage)
    value = weights.typed * answers_in_kind(wanted, sentence)
    if terms:
        value += weights.overlap * _share_said(terms, said_among(wanted.terms, wanted.said_by(sentence)), weigh)
    value -= weights.order * min(sentence.order, LATE)
    value -= weights.presents * sentence.presents
    value -= weights.replaced * (sentence.passage.passage_id in wanted.replaced)
    value -= weights.empty * sentence.empty + weights.hangs * sentence.hangs + weights.asks * sentence.asks
    value += weights.match * wanted.matches.get(sentence.key, 0.0)
    if wanted.kind in _OF_ONE_WHO_DOES:
        value += weights.leads * (not wanted.names.isdisjoint(opening_name(sentence.text, sentence.passage)))
    return value + weights.conditions * kept_times(sentence, wanted.conditions)


_OF_ONE_WHO_DOES = frozenset(("yes_no", "reason"))  # "Does A own B?", "Why did A fall?"


def answers_in_kind(wanted: Wanted, sentence: EvidenceSentence) -> bool:
    """Whether a sentence holds an answer of the kind asked for that is not made of the question's words."""
    if wanted.kind == "reason":
        return gives_reason(sentence.text)
    return any(not set(words(span.text)) <= wanted.words for span in spans_for(wanted, sentence))


def times_asked(conditions: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The conditions of time that are put in words ("in 2025", "before 2023")."""
    return tuple(c for c in conditions if c.kind in ("date", "period") and c.text.strip() != c.value)


def kept_times(sentence: EvidenceSentence, conditions: Sequence[Constraint]) -> float:
    """How far a sentence keeps the conditions of time, in [-1, 1]: 1 each that holds, -1 each that it breaks."""
    kept = [_kept(condition, sentence.passage, sentence.text) for condition in conditions]
    return sum(kept) / len(kept) if kept else 0.0


@lru_cache(maxsize=1 << 12)
def _kept(condition: Constraint, passage: Passage, text: str) -> float:
    """Whether a condition is held, open or broken, as 1, 0 or -1; reading the dates costs most of an answer's time."""
    return {"held": 1.0, "open": 0.0, "broken": -1.0}[keeping(condition, passage, text)]


_LIGHT = LIGHT_VERBS | terms_of("made get got happen happened set")
_LIGHT_WEIGHT = 0.3


def telling(term: str) -> float:
    """How much a term of a question tells of what is asked, in (0, 1]: a light verb little."""
    return _LIGHT_WEIGHT if term in _LIGHT else 1.0


def asked_share(terms: Iterable[str], stated: frozenset[str], weigh: Weigh) -> float:
    """The share of the weight of `terms` that `stated` says, also in words of the same sense; 1.0 without terms."""
    wanted = frozenset(terms)
    return _share_said(wanted, said_among(wanted, stated), weigh)


def _share_said(terms: frozenset[str], said: Set[str], weigh: Weigh) -> float:
    """The share of the weight of `terms` that is `said`; 1.0 without terms."""
    weights = {term: weigh(term) for term in terms}
    known = sum(weight for term, weight in weights.items() if term in said)
    return known / sum(weights.values()) if weights else 1.0


def word_count(sentences: Iterable[EvidenceSentence]) -> int:
    """The words of several sentences."""
    return sum(s.words for s in sentences)


def wanted_of(
    question: str,
    kind: AnswerKind,
    *,
    conditions: tuple[Constraint, ...] = (),
    matches: Mapping[tuple[str, int], float] | None = None,
    passages: Sequence[Passage] = (),
) -> Wanted:
    """What the sentences of an answer to `question` are chosen for; an old version among `passages` counts less."""
    terms = terms_of(without_asking(question)) - _ASKING_TERMS
    terms = (terms - class_asked(question, kind)) or terms
    several = _SEVERAL.search(question) is not None
    counted = counted_in(question) if kind == "number" else frozenset[str]()
    replaced = frozenset[str]() if _OF_THEN.search(question) else replaced_among(passages)
    given = matches or {}
    return Wanted(
        terms, frozenset(words(question)), kind, conditions, given, several, question.strip(), counted, replaced
    )


# A question that says when, or that names a version, is not asked of what holds now.
_OF_THEN = re.compile(
    r"(?i)\b(?:was|were|did|had|used to|before|until|previous(?:ly)?|old|former(?:ly)?|earlier|originally|versions?"
    r"|editions?|change[ds]?|began|(?:19|20)\d\d)\b"
)

_PHRASAL = re.compile(r"\b([a-z]{2,12}) (up|off|out|down|away)\b(?! (?:to|of|in|from|the|a)\b)")
# What is left of how sure a sentence of a replaced version is.
_OLD = 0.5
DOERS = frozenset(("person", "organisation"))


@dataclass(frozen=True, slots=True)
class Certainty:
    """From which shares a short answer is stated; chosen on the dev halves so that nine in ten stated ones are right.

    `span` and `named`: strength and share of the question's terms for a name, a date or a number (58 of 308 questions
    read of five exams, 56 right; with .8 and .85 48 and 47);
    `asked`: share of the question's terms that the sentence or its title says; `strength`: of that, of the terms said
    word for word and of what the matcher says; `loose`: the same for a reason only put in time ("when", "after");
    `clear`: by how much the next sentence with another candidate is behind; `sentence`: from
    which match on a sentence stands beside a stated answer; `clause`: the share of the question that the clause of a
    number says; `rule` and `case`: strength and share for a rule, which need not repeat every word of the case it is
    asked of; `denied`: strength for what denies a fact, which few sentences do by chance (62 of 65 right, read and not
    read); `likely`: from which strength on a part is marked as one that may answer. All in [0, 1].
    """

    span: float = 0.5
    named: float = 0.8
    asked: float = 0.85
    strength: float = 0.8
    loose: float = 0.9
    clear: float = 0.2
    sentence: float = 0.5
    clause: float = 0.75
    rule: float = 0.5
    case: float = 0.6
    denied: float = 0.2
    likely: float = 0.2


CERTAINTY = Certainty()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A short answer with the sentence that states it and `also` one that agrees; without a text what is `likely`.

    `by_chance` where the rules would not state it and its learned chance is high enough.
    """

    text: str = ""
    kind: AnswerKind = "fact"
    sentence: EvidenceSentence | None = None
    step: str = ""
    likely: tuple[str, ...] = ()
    also: EvidenceSentence | None = None
    by_chance: bool = False

    @property
    def sentences(self) -> tuple[EvidenceSentence, ...]:
        """The sentences that it is taken from."""
        return tuple(s for s in (self.sentence, self.also) if s is not None)


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence of the answer with what the matcher says of it, in [0, 1]."""

    sentence: EvidenceSentence
    match: float

    @classmethod
    def of(cls, sentence: EvidenceSentence, wanted: Wanted) -> Rated:
        """A sentence as the matcher read it for what is wanted."""
        return cls(sentence, wanted.matches.get(sentence.key, 0.0))

    def said(self, wanted: Wanted) -> frozenset[str]:
        """The terms that it or its title says."""
        passage = self.sentence.passage
        titles = subject_terms(passage) | presented_terms(passage)
        told = wanted.said_by(self.sentence) | titles
        if wanted.kind in DOERS and SOLD_TO.search(self.sentence.text):
            told |= {term for term in wanted.terms if is_said(term, BUY)}
        return told

    def asked(self, wanted: Wanted) -> float:
        """The share of the question's terms that it says, also in words of the same sense."""
        return asked_share(wanted.terms, self.said(wanted), telling)

    def strength(self, wanted: Wanted) -> float:
        """How sure it is to answer: what the matcher says, times the terms said, half of it word for word."""
        if wanted.terms:
            literal = share(wanted.terms, self.said(wanted), telling)
        else:
            literal = 1.0
        current = _OLD if self.sentence.passage.passage_id in wanted.replaced else 1.0
        return current * self.match * (self.asked(wanted) + literal) / 2

    def repeats(self, wanted: Wanted) -> int:
        """How many words of the question it says as they stand there: "production" is not "products"."""
        return len(wanted.words.intersection(words(self.sentence.text)))

    def lead(self, wanted: Wanted, among: Sequence[Rated]) -> float:
        """How far it is stronger than the best other one."""
        return self.strength(wanted) - max(
            (other.strength(wanted) for other in among if other is not self), default=0.0
        )

    def is_sure(self, wanted: Wanted, *, strength: float) -> bool:
        """Whether it answers for certain."""
        sure = self.strength(wanted) >= strength and self.asked(wanted) >= CERTAINTY.asked
        return sure and says_phrasal_verbs(wanted, self.sentence.text)


def says_phrasal_verbs(wanted: Wanted, text: str) -> bool:
    """Whether a verb that the question says with a particle is no other word there: "set up" is not "data set"."""
    pairs = {(term, after) for word, after in pairwise(words(text)) for term in terms_of(word)}
    terms = terms_of(text)
    asked = [(verb, m[2]) for m in _PHRASAL.finditer(wanted.question) for verb in terms_of(m[1]) & wanted.terms]
    return all(
        pair in pairs
        or pair[0] not in terms
        or any(phrase <= terms for phrase in same_sense(pair[0]) - {frozenset((pair[0],))})
        for pair in asked
    )
