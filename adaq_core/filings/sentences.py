"""What the text of a report says, sentence by sentence: amounts, changes, sums; purchases of shares; who signed it.

Each reader yields what was read with the sentence or the lines that say it, so that it can be quoted. Whether that is
what a question asks for is decided by those who call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from itertools import pairwise
from typing import NamedTuple, ParamSpec, TypeVar, cast

from adaq_core.filings.register import REPORTS_KEPT
from adaq_core.matching.answer_shapes import offset_in
from adaq_core.text.passages import sentence_texts
from adaq_core.text.values import Date, dates, days

_WAY = r"(?P<way>increased|grew|rose|climbed|(?:was |were )?up|decreased|declined|fell|dropped|(?:was |were )?down)"
_CHANGED = re.compile(
    rf"^(?:[•▪] ?)?(?P<of>[A-Z][^.;:%$]{{1,90}}?(?: (?:ASPs?|volumes?)(?= )|(?=(?: net)? (?:sales|revenues?))))"
    rf"(?:(?: net)? (?:sales|revenues?))? {_WAY}(?: by)?"
    r"(?: \$[\d.,]{1,9} (?:million|billion) or)? (?P<percent>\d{1,3}(?:\.\d)?) ?%"
)
_OTHER_NAME = re.compile(r"\([“\"]([^”\"]{2,40})[”\"]\)")
SPENT = {
    "share repurchases": re.compile(r"\b(?:repurchased|bought back)\b"),
    "dividends paid": re.compile(r"\bpaid\b(?=[^.;]{0,90}\bdividends?\b)"),
}
_SUM = re.compile(r"\$(?P<amount>\d[\d,]{0,9}(?:\.\d{1,3})?) (?P<unit>million|billion)\b")
_OF_KIND = {
    "money": re.compile(
        r"[$€£]\d[\d,]{0,12}(?:\.\d{1,3})?(?: (?:million|billion))?\b"
        r"(?: to [$€£]\d[\d,]{0,12}(?:\.\d{1,3})?(?: (?:million|billion))?\b)?"  # a range is one amount
    ),
    "percent": re.compile(r"\b\d{1,3}(?:\.\d{1,2})?(?= ?%) ?%"),
    "count": re.compile(r"(?<![$\d.,])\b(?:\d{1,4}(?:\.\d{1,2})? (?:million|billion)|\d{1,3}(?:,\d{3}){1,3})\b(?!%)"),
}
_CONVERTED = re.compile(r" \([$€£]\d[^()]{0,20}\)")  # "€376 million ($401 million)"
_OF_ANOTHER_DAY = re.compile(r" \([^()]{0,60}\b(?:as of|at|in|on|for) [^()]{0,40}(?:19|20)\d\d\)")
_PART = re.compile(  # "…, of which $212 million is related to the commercial portion", "…, with $2 million payable"
    r", (?:of which|with|(?:which )?includ(?:es?|ing)) (?:approximately |about )?(?=\$|€|£|\d)"
)
_NONE = re.compile(
    r"^(?:As of [A-Z][a-z]+ \d{1,2}, \d{4}, )?(?:[Ww]e|[Tt]he Company|[Tt]here) (?:had|have|were|was) no "
)
_STATES = re.compile(r"\b(?:was|were|totaled|totaling|reached) (?:approximately |about )?$")
_RESPECTIVELY = re.compile(r"\bmillion and \$|\bbillion and \$|\brespectively\b")
_AS_OF_DAY = re.compile(r"\b[Aa]s of (?:the )?$")
_OF_A_QUARTER = re.compile(r"(?i)\b(?:(?P<n>first|second|third|fourth) quarter|Q(?P<q>[1-4])\b|three months ended)")
_OF_LONGER = re.compile(
    r"(?i)\b(?:six|nine|twelve|26|39) (?:months|weeks)|\bfirst (?:half|six|nine|three quarters)|\bYTD\b|\binception\b"
)
_YEAR_SAID = re.compile(r"\b(20\d\d)\b")
_BASE = re.compile(r"(?i)\b(?:from|over|against|compared (?:with|to)|versus) (?!the inception).*$")
_TO_COME = re.compile(r"\bexpected to \w+ (?:between|in|by|from|during) [^$]{0,90}?(?= with\b| for \$|,|\.|$)")
_COMPARES = re.compile(r"(?i)\bcompared (?:with|to)\b|^(?:Q[1-4]|YTD) \d{4} vs\b")
_BOUGHT = re.compile(
    r"\b(?:repurchased|bought back) (?P<one>\d[\d.,]{0,11}(?: million| billion)?)"
    r"(?: and (?P<other>\d[\d.,]{0,11}(?: million| billion)?))? shares\b"
)
_LEFT = (
    re.compile(r"(?P<left>\$\d[\d.,]{0,9} (?:million|billion)) (?:remained|remaining|remains)\b"),
    re.compile(r"\bremaining availability\b[^$]{0,80}(?P<left>\$\d[\d.,]{0,9} (?:million|billion))"),
    re.compile(r"\bauthorized\b[^$]{0,80} to repurchase [^$]{0,80}(?P<left>\$\d[\d.,]{0,9} (?:million|billion))"),
)
_ONE_PROGRAM = re.compile(r"\b(?P<of>[A-Z][a-z]{2,8} 20\d\d) (?:authorization|program)")
_NONE_BOUGHT = re.compile(
    r"\b(?:[Nn]o shares were repurchased|did not repurchase any shares|were no repurchases of our common stock) "
    r"during the (?:(?P<months>three|six|nine) months|quarter"
    r"|(?P<n>first|second|third|fourth) quarter of fiscal year (?P<year>20\d\d))"
)
_IN_THE_QUARTER = re.compile(
    r"^(?:During|In) the (?P<n>first|second|third|fourth) quarter"
    r"(?: and first (?P<longer>half|six months|nine months))? of (?:fiscal (?:year )?)?(?P<year>20\d\d),"
)
_IN_MONTHS_ENDED = re.compile(
    r"^(?:During|For|In) the (?P<n>three|six|nine) months ended (?P<day>[A-Z][a-z]{2,8} \d{1,2}, \d{4})"
)
MONTHS_OF_A_YEAR = 12
_SAID_MONTHS = {"three": 3, "six": 6, "nine": 9, "half": 6, "six months": 6, "nine months": 9}
ORDINALS = ("first", "second", "third", "fourth")
_HEADING = 200
Given = ParamSpec("Given")
Read = TypeVar("Read")


def _once(read: Callable[Given, Iterator[Read]]) -> Callable[Given, tuple[Read, ...]]:
    """Let a reader go through a report once: each figure of a grid is looked for in the same sentences."""

    @wraps(read)
    def all_read(*given: Given.args, **named: Given.kwargs) -> tuple[Read, ...]:
        return tuple(read(*given, **named))

    return cast("Callable[Given, tuple[Read, ...]]", lru_cache(maxsize=REPORTS_KEPT)(all_read))


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter as sentences of its filing name it: year and number as the issuer counts, and the year of its end.

    `months` is 3; 6 or 9 for its year up to its end; 12 where a whole year is told.
    """

    year: int
    number: int
    end_year: int
    end_month: int = 0
    months: int = 3

    def is_of(self, sentence: str, heading: str) -> bool:
        """Whether a sentence speaks of this quarter: by its first period, else by that of the heading above it.

        What it compares with ("from Q2 2022") is no period of its own; where there is none, it is the filing's.
        """
        if self.months == MONTHS_OF_A_YEAR:
            return self._is_the_year(sentence, heading)
        text = _period_in(sentence) or heading
        if self.months > _SAID_MONTHS["three"]:
            return self._ends_longer(text)
        if not text:
            return True
        quarter, longer = _OF_A_QUARTER.search(text), _OF_LONGER.search(text)
        if quarter is None or (longer is not None and longer.start() < quarter.start()):
            return False
        number = ORDINALS.index(quarter["n"].lower()) + 1 if quarter["n"] else int(quarter["q"] or 0)
        after = _YEAR_SAID.search(text, quarter.start())
        year = int(after[1]) if after else None
        if not number:
            return year in (None, self.end_year)
        return number == self.number and year in (None, self.year)

    def _is_the_year(self, sentence: str, heading: str) -> bool:
        """Whether the first year that a sentence, else the heading above, speaks of is this one; no part of it."""
        if _OF_A_QUARTER.search(sentence) or _OF_LONGER.search(sentence.replace("twelve months", "")):
            return False
        own, above = (_BASE.sub("", _TO_COME.sub("", text)) for text in (sentence, heading))
        ends = [date for date in dates(own) if (date.year, date.month) == (self.end_year, self.end_month)]
        years = _YEAR_SAID.findall(own) or _YEAR_SAID.findall(above)
        return bool(ends) or not years or int(years[0]) == self.year

    def _ends_longer(self, text: str) -> bool:
        """Whether a period as sentences name it is the months of the year up to the end of this quarter."""
        longer = _OF_LONGER.search(text)
        after = _YEAR_SAID.search(text, longer.start()) if longer else None
        years = (self.year, self.end_year)
        if longer is None or (after and int(after[1]) not in years):
            return False
        said = longer.group().lower()
        words_for_it = _LENGTHS_SAID.get(self.months, ())
        return said == "ytd" or any(word in said for word in words_for_it)


def _period_in(sentence: str) -> str:
    """A sentence without what it compares with and what is to come, where it names a period then; else nothing."""
    if not (_OF_A_QUARTER.search(sentence) or _OF_LONGER.search(sentence)):
        return ""
    own = _BASE.sub("", _TO_COME.sub("", sentence))
    return own if _OF_A_QUARTER.search(own) or _OF_LONGER.search(own) else ""


_LENGTHS_SAID = {6: ("six", "26", "half"), 9: ("nine", "39", "three quarters")}


@_once
def changes_said(text: str, quarter: Quarter) -> Iterator[tuple[str, float, str]]:
    """What grew or fell in a quarter by how much percent, as the sentences of a text say: name, percent, sentence."""
    for sentence, heading, match in _changes_in(text):
        if quarter.is_of(sentence, heading):
            down = match["way"].split()[-1] in ("decreased", "declined", "fell", "dropped", "down")
            percent = -float(match["percent"]) if down else float(match["percent"])
            other = _OTHER_NAME.search(match["of"])
            yield (other[1] if other else match["of"]), percent, sentence


@lru_cache(maxsize=REPORTS_KEPT)
def _changes_in(text: str) -> list[tuple[str, str, re.Match[str]]]:
    told = []
    for sentence, heading in _sentences_under(text):
        if match := _CHANGED.match(sentence):
            told.append((sentence, heading, match))
    return told


_MAINLY = r"(?:primarily |mainly |largely )?"
_DUE = (
    rf"(?:(?:was|were|is|are) )?{_MAINLY}(?:(?:due|attributable|related) {_MAINLY}to|driven {_MAINLY}by|led by"
    r"|(?P<as>as(?! (?:a (?:result|percentage)|of|compared|well|reported|expected|described|discussed|we have|measured"
    r"|presented|shown|defined|noted|part|an?)\b))|reflect(?:s|ed|ing)"
    r"|on(?= (?:lower|higher|weak(?:er)?|strong(?:er)?|soft(?:er)?|reduced|increased)\b))"
)
_MOVED = r"(?P<way>increased|grew|rose|improved|decreased|declined|fell|(?:was |were )?(?:up|higher|down|lower))"
_WHEN = r"(?P<when>,? (?:in|for|during) .{0,220}?)"
_CAUSE = rf",? {_MAINLY}{_DUE} (?P<cause>.{{8,400}})$"
_CAUSES = (  # a decrease in revenue that was, a decrease in it, and a loss, each "due to" something
    re.compile(
        r"^(?:[•▪■] ?)?(?:(?P<head>\w+) (?=(?P=head) ))?"  # of a heading right ahead
        rf"(?P<of>[a-z]?[A-Z][^.;:%$]{{1,90}}?) {_MOVED}\b"
        rf"(?P<when>(?:(?!, (?:though|although|while|but)\b).){{0,220}}?){_CAUSE}"
    ),
    re.compile(  # "Revenue was $4.0 billion, down $691 million from Q2 2022, driven by …"
        rf"^(?P<of>[A-Z][\w &-]{{1,60}}?) (?:was|were|of) \$[\d.,]{{1,9}} (?:million|billion),? (?:was |were )?"
        rf"(?P<way>up|down)\b(?P<when>.{{0,120}}?){_CAUSE}"
    ),
    re.compile(
        r"^The (?P<way>increase|growth|improvement|decrease|decline)s? in "
        rf"(?P<of>(?:[^,;]|(?<=sales),(?= general)){{3,90}}?)(?:{_WHEN})?{_CAUSE}"
    ),
    re.compile(rf"^The (?P<of>[A-Z][\w &-]{{1,40}}? operating (?P<way>loss|income)){_WHEN}{_CAUSE}"),
    re.compile(  # "We had an operating loss of $140 million, compared to $23 million in Q1 2022, due to …"
        r"^We had (?:an? )?(?P<of>(?:net |operating )(?P<way>loss|income|profit)) of \$[\d.,]{1,9} (?:million|billion)"
        rf"(?P<when>.{{0,160}}?){_CAUSE}"
    ),
)
_GOES_ON = re.compile(  # of what the sentence before it is about
    r"^The (?P<kind>sales |revenue |year-(?:on|over)-year |sequential )?(?P<way>increase|growth|decrease|decline)s?"
    rf" {_MAINLY}{_DUE} (?P<cause>.{{8,400}})$"
)
_NEXT_TELLS = re.compile(  # "Strong sales of kilns were driven by demand for bowls", behind what they made grow
    r"^(?P<what>(?:Strong|Stronger|Robust|Higher|Increased|Weak|Weaker|Softer|Lower|Reduced) [^.;:]{3,120}?)"
    r" (?:was|were) (?P<by>(?:primarily |mainly |largely )?driven by .{8,300})$"
)
_BESIDE_QUARTER = re.compile(r"(?i)\bsequential|\bcompared with the \w+ quarter\.?$")
_ABOUT = re.compile(rf"^(?:[•▪■] ?)?(?P<of>[A-Z][^.;:%$]{{1,90}}?) {_MOVED}\b")
_FALLS = ("decrease", "decline", "fell", "down", "lower", "loss")


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something went up or down: of what, which way, why, whether against the quarter before, and the sentence.

    `under` is the segment whose name stands as a heading above; empty where none does.
    """

    of: str
    way: str
    cause: str
    is_sequential: bool
    sentence: str
    under: str = ""

    @property
    def offset(self) -> str:
        """What the sentence says that it was partially offset by; empty where it says nothing."""
        return offset_in(self.sentence)


_LONGEST_SECTION = 40  # sentences
_NEW_PART = re.compile(
    r"(?:[A-Z]{4,40} ){1,9}[A-Z]{4,40} ?|(?:NOTE|Note|ITEM|Item) \d.*"
    r"|.{0,90}\b(?:[Cc]onsolidated|[Cc]ompared (?:with|to)) [A-Z].{0,90}[^.]"
)
_POINTS = ("•", "▪", "■")
_HEADS_TEXT = re.compile(r"[•▪■]$|\b[A-Z]\w{1,40} [\w&’'-]{1,40} [\w&’'$-]{1,40}")  # and no number of a table


@lru_cache(maxsize=REPORTS_KEPT)
def _sections(text: str, segments: tuple[str, ...]) -> list[str]:
    """For each sentence the segment in whose part of a report it stands: under its name as a heading."""
    names = {_plain_name(name): name for name in segments}
    under, since, before = "", 0, ""
    found: list[str] = []
    texts = [sentence for sentence, _ in _sentences_under(text)]
    if not names:
        return [under] * len(texts)
    for sentence, after in zip(texts, [*texts[1:], ""], strict=False):
        name = names.get(_plain_name(sentence), "")
        if name and _HEADS_TEXT.match(after) and before not in _POINTS:
            under, since = name, 0
        elif under and (since > _LONGEST_SECTION or _NEW_PART.fullmatch(sentence)):
            under = ""
        since, before = since + 1, sentence
        found.append(under)
    return found


def _plain_name(name: str) -> str:
    return name.replace("&", "and").lower()


@_once
def causes_said(text: str, quarter: Quarter, segments: tuple[str, ...] = ()) -> Iterator[Cause]:
    """Why things rose or fell in a quarter, as the sentences of a text say; `segments` are names of parts of it."""
    about, way, last = "", "", -1
    under = _sections(text, segments)
    for told in _causes_in(text):
        if told.place > last + 1:
            about = way = ""
        last, sentence = told.place, told.sentence
        if (goes_on := told.goes_on) and about:
            is_sequential = (goes_on["kind"] or "").startswith("sequential")
            yield Cause(about, _way(goes_on["way"]), goes_on["cause"].rstrip("."), is_sequential, sentence)
            continue
        if (tells := told.tells_next) and about:
            cause = f"{tells['what'][0].lower()}{tells['what'][1:]}, {tells['by']}"
            yield Cause(about, way, cause.rstrip("."), False, sentence)
        is_of_it = bool(told.cause or told.about) and quarter.is_of(sentence, told.heading)
        if (match := told.cause) and is_of_it:
            is_sequential = _BESIDE_QUARTER.search(sentence) is not None and "year" not in sentence
            cause = f"{'as ' * bool(match['as'])}{match['cause']}".rstrip(".")
            yield Cause(match["of"], _way(match["way"]), cause, is_sequential, sentence, under[told.place])
        about, way = (told.about["of"], _way(told.about["way"])) if told.about and is_of_it else ("", "")
    yield from _bridged(text, quarter)


# A table that leads from a result to that of a year before: a line of both ends, and between them what made the change.
_BRIDGE_END = re.compile(
    r"(?:(?P<value>\(?[\d,]{1,7}\)?) )?(?P<when>(?:Q[1-4]|YTD) 20\d\d) (?P<of>[A-Z][\w &()]{3,60})"
)
_BRIDGE_STEP = re.compile(r"(?P<value>\(?\d[\d,]{0,6}\)?)(?: (?P<why>[A-Z].{2,200}))?")
_MOST_STEPS = 40  # lines
_MOST_CAUSES = 6


def _bridged(text: str, quarter: Quarter) -> Iterator[Cause]:
    """Why results changed in a quarter, by the tables that lead from each to that of a year before, largest first."""
    for bridge in _bridges(text):
        change = bridge.value - bridge.before
        if not change or not quarter.is_of(f"In {bridge.when} it was.", ""):
            continue
        agreeing = [step for step in bridge.steps if step[0] * change > 0]
        agreeing.sort(key=lambda step: -abs(step[0]))
        told = [why for _, why in agreeing if not why.startswith("Other")]
        causes = map(_inside, told[:_MOST_CAUSES])
        if told:
            way = "up" if change > 0 else "down"
            yield Cause(bridge.of, way, "; ".join(causes), False, told[0])


def _inside(line: str) -> str:
    """A line as it stands inside of a sentence."""
    text = " ".join(line.split())
    return text[0].lower() + text[1:]


class _Bridge(NamedTuple):
    """A result, when, what it was and had been, and the steps between them, each with its amount, in their lines."""

    of: str
    when: str
    value: float
    before: float
    steps: tuple[tuple[float, str], ...]


@lru_cache(maxsize=REPORTS_KEPT)
def _bridges(text: str) -> list[_Bridge]:
    lines = [line.strip() for line in text.split("\n")]
    ends: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate(lines):
        match = _BRIDGE_END.fullmatch(line)
        ends += [(number, match)] if match else []
    found: list[_Bridge] = []
    for (start, now), (end, before) in pairwise(ends):
        value = _value_at(start, now, lines)
        had = _value_at(end, before, lines)
        of = _result_of(now)
        is_near = end - start < _MOST_STEPS
        is_one = is_near and of == _result_of(before) and now["when"] != before["when"]
        if is_one and value is not None and had is not None:
            steps = tuple(_steps(lines[start + 1 : end]))
            found.append(_Bridge(of, now["when"], value, had, steps))
    return found


def _result_of(end: re.Match[str]) -> str:
    return end["of"].replace("(Loss)", "").strip()


def _value_at(number: int, end: re.Match[str], lines: Sequence[str]) -> float | None:
    """The value of an end of a bridge, in its line or in the one ahead."""
    ahead = lines[number - 1] if number else ""
    said = end["value"] or ahead
    return _signed(said) if _BRIDGE_STEP.fullmatch(said) else None


def _signed(said: str) -> float:
    value = float(said.strip("()").replace(",", ""))
    return -value if said.startswith("(") else value


def _steps(lines: Sequence[str]) -> Iterator[tuple[float, str]]:
    """The steps of a bridge: an amount, and in its line or the next ones why."""
    amount, why = 0.0, ""
    for line in lines:
        if match := _BRIDGE_STEP.fullmatch(line):
            if amount and why:
                yield amount, why
            amount = _signed(match["value"])
            why = match["why"] or ""
        elif line != "$":
            why = f"{why}\n{line}".strip()
    if amount and why:
        yield amount, why


_ENDS = (".", ";", "”", ")")


class _MayTellCause(NamedTuple):
    """A sentence by its number in a report, with the heading above it, and each form of a cause that it has."""

    place: int
    sentence: str
    heading: str
    goes_on: re.Match[str] | None
    tells_next: re.Match[str] | None
    cause: re.Match[str] | None
    about: re.Match[str] | None


# The reports of a company are asked for fifteen quarters and more, of which each has its own sentences.
@lru_cache(maxsize=REPORTS_KEPT)
def _causes_in(text: str) -> list[_MayTellCause]:
    told: list[_MayTellCause] = []
    for place, (sentence, heading) in enumerate(_sentences_under(text)):
        goes_on = _GOES_ON.match(sentence)
        next_tells = _NEXT_TELLS.match(sentence)
        about = _ABOUT.match(sentence)
        is_whole = sentence.endswith(_ENDS)  # and no line of a page whose sentence goes on below
        causes = (pattern.match(sentence) for pattern in _CAUSES if is_whole)
        cause = next(filter(None, causes), None)
        if goes_on or next_tells or cause or about:
            told.append(_MayTellCause(place, sentence, heading, goes_on, next_tells, cause, about))
    return told


def _way(word: str) -> str:
    return "down" if word.split()[-1].startswith(_FALLS) else "up"


def sums_said(text: str, item: str, quarter: Quarter) -> Iterator[tuple[str, str]]:
    """What was spent on shares or dividends in a quarter, or in its year up to its end: the sum, the sentence."""
    for sentence, _ in _sentences_under(text):
        verb = SPENT[item].search(sentence) if item in SPENT else None
        amounts = [amount.group() for amount in _SUM.finditer(sentence, verb.end())] if verb else []
        if amounts and quarter.months > _SAID_MONTHS["three"]:
            amounts = [_of_quarter_and_longer(sentence, amounts, quarter)]
        elif not (_OF_A_QUARTER.search(sentence) and quarter.is_of(sentence, "")):
            continue
        if amounts and amounts[0]:
            yield amounts[0], sentence


def shares_bought(text: str, quarter: Quarter, months: int) -> Iterator[tuple[str, str]]:
    """How many shares were bought back in a quarter, or in its year up to its end, and the sentence that says it.

    Of "the third quarter and first nine months …, 8 million and 15 million shares" the second is of the nine months.
    """
    for sentence, _ in _sentences_under(text):
        bought, of_quarter, of_months = (
            pattern.search(sentence) for pattern in (_BOUGHT, _IN_THE_QUARTER, _IN_MONTHS_ENDED)
        )
        if bought and of_quarter:
            number, year = ORDINALS.index(of_quarter["n"].lower()) + 1, int(of_quarter["year"])
            if (number, year) != (quarter.number, quarter.year):
                continue
            if months == _SAID_MONTHS["three"]:
                yield bought["one"], sentence
            elif months == _SAID_MONTHS.get(of_quarter["longer"]) and sentence.count(" shares ") == 1:
                yield bought["other"] or bought["one"], sentence
        elif bought and of_months and _SAID_MONTHS[of_months["n"]] == months:
            ends = dates(of_months["day"])
            if ends and (ends[0].year, ends[0].month) == (quarter.end_year, quarter.end_month):
                yield bought["one"], sentence


def left_to_buy(text: str, end: Date | None, asked: str) -> Iterator[tuple[str, str]]:
    """What is left, as of the day that ends a period, of what the board allowed to buy shares for; and the sentence.

    What is left of one of several programs counts only where `asked` names it: "the April 2022 authorization".
    """
    for sentence, _ in _sentences_under(text):
        program = _ONE_PROGRAM.search(sentence)
        if not any(_is_the_day(day, end) for day in _days_as_of(sentence)[:1]):
            continue
        if "repurchas" not in sentence and "authorization" not in sentence:
            continue
        left = next(filter(None, (pattern.search(sentence) for pattern in _LEFT)), None)
        if left and (program is None or program["of"] in asked):
            yield left["left"], sentence


def none_bought(text: str, quarter: Quarter, months: int, end: Date | None) -> Iterator[str]:
    """The sentences that say that no shares were bought back in a quarter, or in its year up to its end."""
    for sentence, _ in _sentences_under(text):
        none = _NONE_BOUGHT.search(sentence)
        if none is None or _SAID_MONTHS.get(none["months"] or "three") != months:
            continue
        if none["n"]:
            if (ORDINALS.index(none["n"]) + 1, int(none["year"])) == (quarter.number, quarter.year):
                yield sentence
        elif any(_is_the_day(date, end) for date in dates(sentence[none.start() :])[:1]):
            yield sentence


@_once
def amounts_said(text: str, kind: str, quarter: Quarter, end: Date | None) -> Iterator[tuple[str, str]]:
    """The sentences of a text with an amount of the quarter, or of the day that it ends on: the amount, the sentence.

    `kind` is money, percent or count. Of several amounts it is the one whose period is the quarter, where as many
    periods as amounts are told: "$15.0 billion and $11.3 billion during Q3 2022 and Q3 2023".
    """
    for sentence, heading, plain, amounts in _telling_amounts(text, kind):
        stated = [
            match.group().strip() for match in _OF_KIND[kind].finditer(plain) if _STATES.search(plain[: match.start()])
        ]
        if len(set(stated)) == 1 and len(amounts) > 1 and not _RESPECTIVELY.search(plain, plain.find(stated[0])):
            amounts = stated  # "was $4.5 billion, up $95 million"
        if len(set(amounts)) == 1:
            if _is_as_of(sentence, end) and quarter.is_of(plain, heading):
                yield amounts[0], sentence
        elif first := _of_quarter_and_longer(plain, amounts, quarter):
            yield first, sentence
        else:
            named = dates(sentence)
            own = [n for n, date in enumerate(named) if _is_own(date, quarter, end)]
            if len(named) == len(amounts) and len(own) == 1:
                yield amounts[own[0]], sentence


@lru_cache(maxsize=REPORTS_KEPT)
def _telling_amounts(text: str, kind: str) -> list[tuple[str, str, str, list[str]]]:
    """The sentences of a text with amounts, with the heading above, without what is of another day, and the amounts."""
    telling = []
    for sentence, heading in _sentences_under(text):
        plain = _OF_ANOTHER_DAY.sub("", _CONVERTED.sub("", sentence)) if " (" in sentence else sentence
        plain = _without_part(plain, kind)
        amounts = [match.group().strip() for match in _OF_KIND[kind].finditer(plain)]
        if amounts:
            telling.append((sentence, heading, plain, amounts))
    return telling


_AND_LONGER = re.compile(  # "$442 million and $1.14 billion for the third quarter and first nine months of 2024"
    r"\bthe (?P<n>first|second|third|fourth) quarter and (?:the )?first (?P<longer>half|six months|nine months) of "
    r"(?:the )?(?:fiscal (?:year )?)?(?P<year>20\d\d)"
)
_SAME_OR_BOTH = 2


def _of_quarter_and_longer(sentence: str, amounts: Sequence[str], quarter: Quarter) -> str:
    """That of two amounts which a sentence tells for a quarter and its year up to it, or of four for two such years."""
    spans = list(_AND_LONGER.finditer(sentence))
    if len(amounts) != _SAME_OR_BOTH * len(spans) or "respectively" not in sentence:
        return ""
    told = [
        pair
        for span, pair in zip(spans, zip(amounts[::2], amounts[1::2], strict=True), strict=True)
        if (ORDINALS.index(span["n"]) + 1, int(span["year"])) == (quarter.number, quarter.year)
    ]
    if len(told) != 1:
        return ""
    (of_quarter, of_longer), longer = told[0], _SAID_MONTHS[spans[0]["longer"]]
    return {_SAID_MONTHS["three"]: of_quarter, longer: of_longer}.get(quarter.months, "")


def tells_longer(sentence: str) -> bool:
    """Whether a sentence tells a quarter and its year up to it together."""
    return _AND_LONGER.search(sentence) is not None


_TWO_KINDS = re.compile(
    r"\b(?P<one>[a-z]{3,20}) and (?P<other>[a-z]{3,20}) [a-z]{3,20}\b[^$€£%]{0,120}?"
    r"(?=[$€£\d][\d.,]{1,12}(?: ?%| million| billion)? and [$€£\d][^,]{1,20}, respectively\b)"
)


_TWO_OWNERS = re.compile(  # "we and Acme own 51% and 49%, respectively"
    r"\b(?P<one>we|[A-Z][\w&-]{1,30}) and (?P<other>we|[A-Z][\w&-]{1,30}) (?:will )?(?:own|hold)\w{0,2} "
    r"(?=\d{1,3}(?:\.\d)?% and \d)"
)


@_once
def amounts_of_two(text: str, kind: str, end: Date | None) -> Iterator[tuple[tuple[str, str], tuple[str, str], str]]:
    """The amounts of two kinds or owners that a sentence tells respectively: these, the amounts, the sentence."""
    for sentence, _ in _sentences_under(text):
        if sentence.count(", respectively") != 1:
            continue
        two = _TWO_KINDS.search(sentence) or _TWO_OWNERS.search(sentence)
        if two is None or not _is_as_of(sentence, end) or len(dates(sentence)) > 1:
            continue
        amounts = [match.group().strip() for match in _OF_KIND[kind].finditer(sentence)]
        if len(amounts) == _SAME_OR_BOTH:
            one, other = amounts
            yield (two["one"], two["other"]), (one, other), sentence


_GUIDED = re.compile(  # "Net sales are expected to be between $7.0 billion and $11.0 billion, or to grow …"
    r"^(?P<of>[A-Z][\w -]{3,60}?) (?:is|are) expected to be (?P<amount>(?:(?:between|approximately|about) )?"
    r"\$[\d.,]{1,9}(?: (?:million|billion))?(?: (?:and|to) \$[\d.,]{1,9}(?: (?:million|billion))?"
    r"|,? plus or minus \d{1,2}(?:\.\d{1,2})?%)?)"
)


@_once
def amounts_expected(text: str) -> Iterator[tuple[str, str, str]]:
    """What a text expects of the next quarter: of what, the amount or its range, the sentence."""
    for sentence, _ in _sentences_under(text):
        if match := _GUIDED.match(sentence):
            yield match["of"], match["amount"], sentence


_EFFECTS = (
    re.compile(
        r"^(?P<cause>[A-Z][^.;$]{3,90}?) (?P<way>increased|reduced|decreased"
        r"|(?:(?:negatively|positively|favorably|unfavorably|adversely) )?(?:impacted|affected))"
        r" (?P<what>[^$.;]{3,60}?) by "
        r"(?P<amount>\$\(?[\d.,]{1,9}\)? (?:million|billion))(?P<when>[^$]{3,60})"
    ),
    re.compile(
        r"^(?P<cause>[A-Z][^;$]{3,90}?) had an? (?P<way>(?:net )?(?:un)?favou?rable)(?: year-over-year)? "
        r"(?:impact|effect) on (?P<what>[^$.;,]{3,60}?(?= during| in the|,))(?P<when>[^;]{0,160})"
    ),
)


@_once
def effects_said(text: str, quarter: Quarter) -> Iterator[tuple[str, str, str, str]]:
    """What moved what in a quarter, as sentences say: what did, how it moved it, what was moved, the sentence."""
    for sentence, heading in _sentences_under(text):
        match = next(filter(None, (pattern.match(sentence) for pattern in _EFFECTS)), None)
        if match is None or not quarter.is_of(match["when"], heading):
            continue
        amount = match.groupdict().get("amount")
        tail = f"{match['what']} by {amount}" if amount else f"impact on {match['what']}"
        said = f"{match['way']} {tail}"
        yield match["cause"], said, match["what"], sentence


def _without_part(sentence: str, kind: str) -> str:
    """A sentence without the amount of a part that it tells behind that of the whole."""
    part = _PART.search(sentence)
    return sentence[: part.start()] if part and _OF_KIND[kind].search(sentence, 0, part.start()) else sentence


def totals_said(text: str, phrase: str, quarter: Quarter, end: Date | None) -> Iterator[tuple[str, str]]:
    """The sentences that tell a total on the day that a period ends, "total deferred revenue of $12.6 billion"."""
    for amount, sentence in amounts_said(text, "money", quarter, end):
        if f"total {phrase}" in sentence.lower():
            yield amount, sentence


def amounts_beside(text: str, quarter: Quarter) -> Iterator[tuple[str, str, str]]:
    """The sentences that tell an amount of a quarter beside that of the year before: the old, the new, the sentence."""
    for sentence, _ in _sentences_under(text):
        amounts = [match.group().strip() for match in _OF_KIND["money"].finditer(sentence)]
        named = [(date.year, date.quarter) for date in dates(sentence)]
        of = dict(zip(named, amounts, strict=False))
        if not len(named) == len(amounts) == len(of):
            continue
        new = of.get((quarter.year, quarter.number))
        old = of.get((quarter.year - 1, quarter.number))
        if old and new:
            yield old, new, sentence


@_once
def nothing_said(text: str, end: Date | None) -> Iterator[str]:
    """The sentences that tell as of the day which ends the period that there was none: "had no outstanding notes"."""
    for sentence, _ in _sentences_under(text):
        if not _NONE.match(sentence):
            continue
        if any(_is_the_day(day, end) for day in _days_as_of(sentence)[:1]):
            yield sentence


def _is_own(date: Date, quarter: Quarter, end: Date | None) -> bool:
    if quarter.months == MONTHS_OF_A_YEAR and not (date.quarter or date.month):
        return date.year == quarter.year
    if date.quarter:
        is_of_it = quarter.months == _SAID_MONTHS["three"]
        return is_of_it and (date.year, date.quarter) == (quarter.year, quarter.number)
    return _is_the_day(date, end)


def _is_the_day(date: Date, day: Date | None) -> bool:
    return date.is_day and day is not None and date.key == day.key


def _days_as_of(sentence: str) -> list[Date]:
    """The days as of which a sentence tells something."""
    told = days(sentence) if "s of " in sentence else []
    return [day for day in told if _AS_OF_DAY.search(sentence[: day.span[0]])]


def _is_as_of(sentence: str, end: Date | None) -> bool:
    """Whether what a sentence tells as of a day it tells as of this one."""
    told = _days_as_of(sentence)
    return not told or any(_is_the_day(day, end) for day in told)


_SIGNED = re.compile(
    r"/s/ ?(?P<signed>[^\n]{4,50})\n(?P<name>[^\n]{4,50})\n(?P<title>[^\n]{4,120})(?P<more>\n[^\n]{4,80})?"
)
_GOES_ON_BELOW = re.compile(r"(?i)(?:,|\band|\([^)]{0,40})$")
_MORE_OF_TITLE = re.compile(r"(?i)\(|(?:principal|chief|president|director|officer)\b")
_SIGNATURES = re.compile(r"(?im)^signatures?:?$")
_EXHIBIT = re.compile(r"(?im)^(?:exhibit \d|certifications?\b)")
_REQUIRED = "pursuant to the requirements"
_LONGEST_BLOCK = 6_000  # characters: of a report that all directors sign


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed as what, the lines from the name to the title, and where these begin in the text."""

    name: str
    title: str
    quote: str
    start: int


def signatures(text: str) -> Iterator[Signature]:
    """The signatures of a text whose names stand below them once more, with the title under the name."""
    for match in _SIGNED.finditer(text):
        name, below = match["name"].strip(), (match["more"] or "").strip()
        if match["signed"].strip().lower() != name.lower():
            continue
        goes_on = _GOES_ON_BELOW.search(match["title"].strip()) or _MORE_OF_TITLE.match(below)
        last = "more" if below and goes_on else "title"
        start, end = match.start("name"), match.end(last)
        title = text[match.start("title") : end]
        yield Signature(name, " ".join(title.split()), text[start:end], start)


def signatures_of(text: str, role: str) -> Iterator[tuple[str, str]]:
    """Who signed a text in a role ("chief financial officer"): the name, and the lines from the name to the role."""
    for each in signatures(text):
        at = each.quote.lower().replace("\n", " ").find(role)
        if at >= 0:
            yield each.name, each.quote[: at + len(role)]


def signed_part(text: str) -> tuple[int, int]:
    """Where a report is signed: from the heading "Signatures" to its exhibits; (0, 0) where it has no such part."""
    if _REQUIRED not in text.lower():
        return 0, 0
    for heading in reversed(list(_SIGNATURES.finditer(text))):
        start = heading.end()
        if _REQUIRED in text[start : start + 200].lower():
            exhibit = _EXHIBIT.search(text, start, start + _LONGEST_BLOCK)
            return start, exhibit.start() if exhibit else start + _LONGEST_BLOCK
    return 0, 0


_CERTIFIES = re.compile(r"(?i)\bcertif(?:y|ies|ying)\b")


def certifying(passages: Sequence[str]) -> Iterator[int]:
    """Which passages of a report, by their numbers, hold the certifications behind its signatures."""
    is_signed = False
    for number, text in enumerate(passages):
        is_signed = is_signed or signed_part(text)[1] > 0
        if is_signed and "certif" in text.lower() and _CERTIFIES.search(text):
            yield number


def sentences_with(text: str, sign: str) -> Iterator[str]:
    """The sentences in the lines of a text that hold a sign."""
    for line in text.split("\n"):
        if sign in line:
            yield from sentence_texts(line)


def _compares(text: str) -> bool:
    low = text.lower()
    return ("compared" in low or " vs" in low) and _COMPARES.search(text) is not None


@lru_cache(maxsize=1 << 13)  # half of the lines of a report stood there before
def _sentences_in(line: str) -> list[str]:
    return sentence_texts(line)


@lru_cache(maxsize=REPORTS_KEPT)
def _sentences_under(text: str) -> list[tuple[str, str]]:
    """The sentences of a text, each with the last heading above it that says which periods are compared."""
    heading = ""
    said: list[tuple[str, str]] = []
    for line in text.split("\n"):
        for sentence in _sentences_in(line):
            if len(sentence) < _HEADING and sentence[-1] != "." and "%" not in line and _compares(sentence):
                heading = sentence
            said.append((sentence, heading))
    return said
