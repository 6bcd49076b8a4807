"""Whether a sentence and its passage keep a condition of the question: a time, a place, a source, what is left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Literal

from adaq_core.matching.lexicon import single_words
from adaq_core.matching.naming import is_code, is_heading, issuers_of
from adaq_core.model import Constraint, Passage, QueryAspect
from adaq_core.question.conditions import IN_A_PAPER
from adaq_core.text.entities import UNIONS, countries_in
from adaq_core.text.tokens import fold, read_sentences, terms_of
from adaq_core.text.values import FIRST_DAYS, MONTH_NAMES, MONTHS, Date, amounts, dates, days, ranges

Keeping = Literal["held", "broken", "open"]

# What is left of a match: a broken condition takes it below the threshold of coverage, an open one does not.
BROKEN, OPEN = 0.45, 0.9
_UNCHECKED = frozenset(("statement", "scope"))


def keeping(condition: Constraint, passage: Passage, sentence: str = "") -> Keeping:
    """Whether `sentence`, or else its passage, keeps a condition."""
    match condition.kind:
        case "date" | "period":
            return _in_time(condition, passage, sentence)
        case "source":  # a sentence that names it can be checked
            named = sentence and terms_of(condition.text) <= terms_of(sentence)
            return "held" if named else _of_source(condition.text, passage)
        case "quoted":
            return _says(condition.text, passage)
        case "form":
            return _of_form(condition, passage)
        case "negation":
            return _without(condition, f"{line_above(passage, sentence)} {sentence}".strip())
        case "number" if _is_met(condition.text, sentence):
            return "held"
        case kind if kind in _UNCHECKED:
            return "held"
    there = terms_of(passage.title) | terms_of(passage.text)
    if terms_of(condition.value or condition.text) <= there:
        return "held"
    return "held" if condition.kind == "place" and _is_in_country(condition, sentence or passage.text) else "open"


_LARGE = 1e3  # a smaller number without a unit may count anything


def _is_met(limit: str, sentence: str) -> bool:
    """Whether a sentence tells an amount that lies where a limit wants it: 13 billion for "more than 10 billion"."""
    wanted = next(iter(ranges(limit)), None)
    if wanted is None or not (wanted.unit or wanted.low >= _LARGE):
        return False
    in_dates = {at for date in dates(sentence) for at in range(*date.span)}  # the year 2024 is not more than 1,000
    told = [each for each in amounts(sentence) if each.start not in in_dates]
    alike = [each for each in told if each.unit == wanted.unit or not wanted.unit]
    return any(wanted.low <= each.value <= wanted.high for each in alike if each.value >= _LARGE or each.unit)


def _is_in_country(condition: Constraint, text: str) -> bool:
    """Whether a text says the country of a condition in another form: American for "in the US"."""
    wanted = {country for country, _, _ in countries_in(condition.value or condition.text)}
    return bool(wanted) and wanted <= {country for country, _, _ in countries_in(text)}


def left(aspect: QueryAspect, passage: Passage, sentence: str = "") -> float:
    """What is left of a match under the conditions of `aspect`: 1.0 where all hold."""
    worth = 1.0
    for condition in aspect.constraints:
        spoken = "" if _is_of_paper(condition, aspect) else sentence
        worth *= {"held": 1.0, "broken": BROKEN, "open": OPEN}[keeping(condition, passage, spoken)]
    return worth


def _stands_behind(one: Constraint, other: Constraint) -> bool:
    """Whether one condition follows the other at once: "2023 10-Q"."""
    if one.span is None or other.span is None:
        return False
    return 0 <= one.span[0] - other.span[1] <= 1


@lru_cache(maxsize=1 << 10)  # of each sentence of each passage
def _is_of_paper(condition: Constraint, aspect: QueryAspect) -> bool:
    """Whether a time is that of a report, "in the October 2023 10-Q", in which sentences speak of other times too."""
    if condition.kind not in ("date", "period"):
        return False
    forms = (each for each in aspect.constraints if each.kind == "form")
    if any(_stands_behind(form, condition) for form in forms):
        return True
    at = aspect.aspect.lower().find(condition.text.lower())
    if at >= 0 and _A_PAPER_BEHIND.match(aspect.aspect, at + len(condition.text)):
        return True
    papers = list(IN_A_PAPER.finditer(aspect.aspect))
    if at < 0:  # a long name of an aspect is cut: "…, going by the Q3 …"
        return any(paper.group().endswith("…") for paper in papers)
    return any(paper.start() <= at < paper.end() for paper in papers)


# "September 2022 10-Q", "the July 2023 quarter filing".
_A_PAPER_BEHIND = re.compile(r"(?i)[ -](?:quarter(?:ly)? )?(?:10-?[QK]|filing|report)s?\b")


def open_conditions(aspect: QueryAspect, passage: Passage, sentence: str = "") -> tuple[str, ...]:
    """The conditions, as the question words them, that nobody can check on the sentence and its passage.

    A facet is spoken of in many sentences: what one of them lets one check is checked.
    """
    read = [sentence, *(_on_facet(aspect, passage) if aspect.aspect_type == "facet" else ())]
    return tuple(
        c.text
        for c in aspect.constraints
        if keeping(c, passage, sentence) == "open" and not any(keeping(c, passage, s) == "held" for s in read)
    )


def _on_facet(aspect: QueryAspect, passage: Passage) -> list[str]:
    """The sentences with a keyword of the facet; all of them where the title has one."""
    keywords = [terms for terms in map(terms_of, aspect.keywords) if terms]
    title = terms_of(passage.title)
    is_whole = any(terms <= title for terms in keywords)
    return [
        passage.text[sentence.start : sentence.end]
        for sentence in read_sentences(passage.text)
        if is_whole or any(terms <= sentence.terms for terms in keywords)
    ]


# What a figure is compared with is not the time that a sentence speaks of: "decreased 15% from Q2 2022".
_COMPARED_WITH = re.compile(
    r"(?i)\b(?:from|compared (?:to|with)|versus|relative to) (?:the )?(?:(?:Q[1-4]|YTD|fiscal(?: year)?) )?(?:19"
    r"|20)\d\d\b"
)


# Nor is the time at which what it tells of will end: "is available until August 2025".
_ENDS_LATER = re.compile(
    r"(?i)\b(?:until|available through|expir(?:es|ing|e) (?:in|on)|matur(?:es|ing|ity date|e)"
    r"(?: by \w{3,8} years?)?(?: in| on| to)"
    r"|no (?:earlier|later|sooner) than) "
    rf"(?:the end of )?(?:(?:{MONTH_NAMES}) (?:\d{{1,2}}, )?)?20\d\d\b"
)


def _in_time(condition: Constraint, passage: Passage, sentence: str) -> Keeping:
    """By the dates of the sentence, else by the period of the passage, else by the years anywhere in it.

    A sentence that says another time breaks the condition; a passage that says the time somewhere leaves it open.
    """
    low, high = _bounds(condition)

    def is_asked(keys: Iterable[str]) -> bool:
        return any(_within(key, low, high) for key in keys)

    periods = _periods_of(passage, condition, is_quarter="Q" in low)
    of_passage = is_asked(periods)
    fiscal = _fiscal_period_of(passage.metadata)
    if spoken := _spoken_times(_of_its_time(sentence, ends_aside=of_passage)):
        if of_passage and not fiscal.isdisjoint(spoken):
            return "held"
        # "In 2022" says nothing of its fourth quarter in a report of its third.
        is_vague = len(low) > _YEAR and all(len(key) <= _YEAR for key in spoken)
        if is_vague and periods and not (of_passage or is_asked(fiscal)):
            return "broken"
        exact = _exact(spoken, condition, sentence) if len(low) > _YEAR else []
        return "held" if is_asked(exact or spoken) else "broken"
    if sentence and _is_told_before(passage.text, sentence, low, high):
        return "held"
    if periods:
        return "held" if of_passage else "broken"
    if day := day_above(passage, passage.text.find(sentence) if sentence else -1):
        return "held" if is_asked([day]) else "broken"
    return _by_its_dates(passage, is_asked)


_LINE_OF_DAY = re.compile(r"(?m)^[^\n]{0,24}\d[^\n]{3,40}$")
_MOST_BESIDE = 3  # words of such a heading that are not the day: "Version 2.1.0", "Monday"


@lru_cache(maxsize=1 << 11)
def day_above(passage: Passage, at: int) -> str:
    """The day of which the heading above a place in a passage is, as in minutes and lists of changes; empty without."""
    section = dict(passage.metadata).get("section", "").rpartition(" › ")[2]
    above = (line[0] for line in _LINE_OF_DAY.finditer(passage.text, 0, max(0, at)))
    told = [day for line in (section, *above) if (day := _day_of_heading(line))]
    return told[-1] if told and at >= 0 else ""


def _day_of_heading(line: str) -> str:
    found = days(line)
    if len(found) != 1:
        return ""
    start, end = found[0].span
    beside = f"{line[:start]} {line[end:]}".split()
    if len(beside) > _MOST_BESIDE or line[-1:] in ".;,\"'" or is_code(line):
        return ""
    return found[0].key


def _periods_of(passage: Passage, condition: Constraint, *, is_quarter: bool) -> tuple[str, ...]:
    """The times that a passage is of by its card; what ends on 1 October is of the third quarter, and of no fourth."""
    # A quarter of a firm has two names, its fiscal one and its last day, and a question may use either.
    labels = ("period", "period_end", *(("fiscal_period",) if "fiscal" in condition.text.lower() else ()))
    return _times_of_card(passage.metadata, labels, is_quarter=is_quarter)


_Card = tuple[tuple[str, str], ...]


# Each sentence of each passage of a report asks for these.
@lru_cache(maxsize=1 << 9)
def _times_of_card(card: _Card, labels: tuple[str, ...], *, is_quarter: bool) -> tuple[str, ...]:
    """The times under these labels of a card, else its fiscal year."""
    fields = dict(card)
    named = [fields[name] for name in labels if fields.get(name)]
    ended = [_ends(date) for text in named or [fields.get("fiscal_year", "")] for date in dates(text)]
    return tuple(key for keys in ended for key in (keys[-1:] if is_quarter else keys))


@lru_cache(maxsize=1 << 9)
def _fiscal_period_of(card: _Card) -> frozenset[str]:
    return frozenset(date.key for date in dates(dict(card).get("fiscal_period", "")))


def _of_its_time(sentence: str, *, ends_aside: bool) -> str:
    """A sentence without the times that it compares with, and, with `ends_aside`, those at which something will end."""
    if "19" not in sentence and "20" not in sentence:
        return sentence
    plain = _COMPARED_WITH.sub(" ", sentence)
    return _ENDS_LATER.sub(" ", plain) if ends_aside else plain


def _exact(spoken: Iterable[str], condition: Constraint, sentence: str) -> list[str]:
    """The times without mere years, which say nothing of a quarter, and without fiscal quarters beside a month."""
    other = {date.key for date in dates(sentence) if date.is_fiscal != (condition.kind == "period")}
    return [key for key in spoken if len(key) > _YEAR and key not in other]


def _by_its_dates(passage: Passage, is_asked: Callable[[Iterable[str]], bool]) -> Keeping:
    """By the day that a title or a file says, as of minutes, or the year that opens it, else by all days in it."""
    day, written, every = _dates_of(passage)
    if day:
        return "held" if is_asked(day) else "broken"
    if (year := _YEAR_AHEAD.match(passage.title)) and is_asked([year[1]]):
        return "held"
    if not every:
        return "held" if is_asked(written) else "open"
    return "open" if is_asked(every) else "broken"


_YEAR_AHEAD = re.compile(r"(?:\W{0,2})((?:1[5-9]|20)\d\d) [A-Z]")  # "1862 Lincoln"


# Each sentence of a passage that says no time of its own asks for these.
@lru_cache(maxsize=1 << 9)
def _dates_of(passage: Passage) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The day or month of a passage that its title or file says, the dates of its card, those of its title and text."""
    titled = dates(f"{passage.title}\n{passage.document_id}")
    card = dates(passage.date)
    written = tuple(date.key for date in card)
    named = [date for date in titled if date.month]
    own = [date.key for date in card if any(other.holds(date) for other in named)]
    day = tuple(own[:1])
    every = dates(f"{passage.title}\n{passage.text}")
    return day, written, tuple(date.key for date in every)


_BACK = 2  # sentences before it that may tell the time of which a sentence speaks


def _is_told_before(text: str, sentence: str, low: str, high: str) -> bool:
    """Whether one of the sentences right before it speaks of that time: "For 2004 to 2013 … It seeks 28.9 billion"."""
    every = read_sentences(text)
    place = bisect_right(every, text.find(sentence), key=attrgetter("end"))
    before = every[max(0, place - _BACK) : place]
    times = [key for s in before for key in _spoken_times(text[s.start : s.end])]
    if len(low) > _YEAR:
        times = [key for key in times if len(key) > _YEAR] or times
    return any(_within(key, low, high) for key in times)


def _ends(date: Date) -> tuple[str, ...]:
    """The keys of the end of a period: what ends on July 1 is of June too."""
    if date.month is None or date.day is None or date.day > FIRST_DAYS:
        return (date.key,)
    year, month = (date.year, date.month - 1) if date.month > 1 else (date.year - 1, len(MONTHS))
    return date.key, f"{year}-{month:02d}"


_TO_IT = re.compile(rf"\b({MONTH_NAMES})(?: \d{{1,2}})?(?: (?:to|and|or|until|through) |[-–])(?:early |mid-|late )?$")


def _spoken_times(sentence: str) -> list[str]:
    """The times that a sentence says; January too in "from late January to mid-February 2024"."""
    spoken: list[str] = []
    for date in dates(sentence):
        ahead = _TO_IT.search(sentence[: date.span[0]]) if date.month else None
        spoken += [f"{date.year}-{MONTHS.index(ahead[1]) + 1:02d}"] if ahead else []
        spoken.append(date.key)
    return spoken


_YEAR = 4  # digits
# "Before 2023" ends where 2023 begins; "until 2023" holds it.
_EXCLUDED = "<"


def _bounds(condition: Constraint) -> tuple[str, str]:
    """The first and the last moment, as texts that compare ("2023-Q3" as its year); empty where there is none."""
    value = condition.value or "".join(date.key for date in dates(condition.text)[:1])
    first, _, last = value.partition("/")
    low = "" if first == ".." else first
    if first == ".." and last and condition.text.lower().startswith("before "):
        return "", last + _EXCLUDED
    high = low if "/" not in value else "" if last == ".." else last
    return low, high


def _within(key: str, low: str, high: str) -> bool:
    """Whether a date lies between two others, at the precision that both have; one that ends in "<" is out."""
    if high.endswith(_EXCLUDED):
        end = high.removesuffix(_EXCLUDED)
        is_same = _reaches(key, end) and len(_parts(key)) >= len(_parts(end))
        return not is_same and _within(key, low, end)
    return (not low or _reaches(key, low)) and (not high or _reaches(high, key))


def _reaches(later: str, earlier: str) -> bool:
    """Whether `later` is not before `earlier`, compared by what both say: the year, then quarter or month and day."""
    mine, other = _parts(later), _parts(earlier)
    shared = min(len(mine), len(other))
    return mine[:shared] >= other[:shared]


@lru_cache(maxsize=1 << 10)
def _parts(key: str) -> tuple[int, ...]:
    """Year, quarter, month, day as far as they are said."""
    year, *rest = key.split("-")
    if rest and rest[0].startswith("Q"):
        return (int(year), int(rest[0][1:]))
    numbers = [int(part) for part in rest if part.isdigit()]
    if numbers:
        return (int(year), (numbers[0] + 2) // 3, *numbers)
    return (int(year),)


def _without(condition: Constraint, sentence: str) -> Keeping:
    """Whether a sentence speaks of other places than the one left out; of what is no place nobody can tell.

    Where it is asked what is not the case, the sentence has to say so.
    """
    if not condition.value:
        return "held" if _says_it_is_not(condition.text, sentence) else "broken"
    left_out = countries_in(condition.value)
    spoken = {country for country, _, _ in countries_in(sentence)}
    if not left_out or not (spoken or UNIONS.search(sentence)):
        return "open"
    if spoken and spoken <= {country for country, _, _ in left_out}:
        return "broken"
    return "held"


_SAID_NOT = re.compile(r"(?i)\b(?:not|never|neither|nor|non|no|cannot|without)\b(?P<behind>(?:\W{1,3}\w{1,30}){1,4})")
_LEFT_OUT = re.compile(r"(?i)\b(?:left out|leaves? out|exclud\w{1,4}|exempt\w{0,4}|except|spared|ruled out)\b")


def _says_it_is_not(asked: str, sentence: str) -> bool:
    """Whether a sentence denies the verb of "not recognise": "does not recognise", "neither recognises"."""
    verbs = single_words(terms_of(asked))
    denied = (terms_of(match["behind"]) for match in _SAID_NOT.finditer(sentence))
    return _LEFT_OUT.search(sentence) is not None or any(not verbs.isdisjoint(behind) for behind in denied)


def line_above(passage: Passage, sentence: str) -> str:
    """The line that announces the list in which a sentence stands as an item, or the heading above it; else empty."""
    at = passage.text.find(sentence) if sentence else -1
    if at < 0 or not passage.text.endswith("- ", 0, at):
        return ""
    section = dict(passage.metadata).get("section", "")
    *_, heading = section.split(" › ")
    for line in reversed(passage.text[:at].split("\n")):
        above = line.strip()
        if above and (above.endswith(":") or is_heading(above)):
            return above
    return heading


def _of_source(text: str, passage: Passage) -> Keeping:
    if terms_of(text) <= frozenset().union(*map(terms_of, issuers_of(passage))):
        return "held"  # what a company filed is its own
    if not passage.source:
        return "open"
    if terms_of(text) <= terms_of(passage.source) | terms_of(passage.title):
        return "held"
    return "broken"


def _says(text: str, passage: Passage) -> Keeping:
    if fold(text) in fold(f"{passage.title}\n{passage.text}"):
        return "held"
    return "broken"


def _of_form(condition: Constraint, passage: Passage) -> Keeping:
    form = dict(passage.metadata).get("form", "")
    if not form:
        return "open"
    wanted = terms_of(condition.value or condition.text)
    if wanted <= terms_of(form) | terms_of(passage.title):
        return "held"
    return "broken"
