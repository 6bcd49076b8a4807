"""Values in a text. Dates and periods as people write them: 2023-10-06, October 6, 2023, 06.10.2023, 9/30/23, Q3 2022.

Amounts, and the ranges that rules put them in: "from 5,000 to 50,000 pounds", "more than eight hours".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from adaq_core.text.tokens import stem, terms_of, tokens

_YEAR_ROUND = "January February March April May June July August September October November December"
MONTHS = tuple(_YEAR_ROUND.split())
MONTH_NAMES = "|".join(MONTHS)  # as alternatives of a pattern
_NUMBER = {name[:3].lower(): number for number, name in enumerate(MONTHS, start=1)}
_SPELLED_MONTHS = (
    "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    "Nov(?:ember)?|Dec(?:ember)?"
)
_MONTH = rf"(?P<{{0}}>{_SPELLED_MONTHS})\.?"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_YEAR = r"(?:1[5-9]|20)\d\d"
_FISCAL = r"(?:FY|fiscal(?:[ -]year)?)"
_TO_FISCAL = rf"\s?(?:of\s+)?(?:the\s+)?{_FISCAL}\s?['’]?"
_NTH = r"(?:first|second|third|fourth|1st|2nd|3rd|4th)"

_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
_NTH_IN_WORDS = tuple(_ORDINALS.split())
_DAYS_IN_WORDS = {word: day for day, word in enumerate(_NTH_IN_WORDS, start=1)}
_DAYS_IN_WORDS |= {f"twenty-{word}": 20 + day for day, word in enumerate(_NTH_IN_WORDS[:9], start=1)}
_DAYS_IN_WORDS |= {"thirtieth": 30, "thirty-first": 31}
# The most specific spelling first; a group is a part of a date (y, m, d, q; Y of two digits) and the number of its row.
_SPELLINGS = (
    rf"(?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)",
    rf"{_MONTH.format('m2')}\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>{_YEAR})\b",
    rf"(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format('m3')},?\s+(?P<y3>{_YEAR})\b",
    rf"(?P<d20>{'|'.join(_DAYS_IN_WORDS)})\s+(?:day\s+)?of\s+{_MONTH.format('m20')},?\s+(?P<y20>{_YEAR})\b",
    rf"{_MONTH.format('m4')},?\s+(?:of\s+)?(?P<y4>{_YEAR})\b",
    rf"Q(?P<q5>[1-4]){_TO_FISCAL}(?P<y5>{_YEAR}|(?P<Y5>\d\d))\b",
    rf"Q(?P<q6>[1-4])(?:\s+of)?(?:\s+the)?[\s,-]*['’]?(?P<y6>{_YEAR})\b",
    r"Q(?P<q7>[1-4])(?:\s?['’]|\s(?=[12]\d\s?(?:$|[?.,;)])))(?P<Y7>\d\d)\b",  # "Q3 23" where nothing counted follows
    rf"(?P<q8>[1-4])Q\s?(?:(?:FY)?\s?['’]?)(?P<y8>{_YEAR}|(?P<Y8>\d\d))\b",
    rf"(?:{_FISCAL}\s?)?(?P<y9>{_YEAR})[\s,-]+Q(?P<q9>[1-4])\b",
    r"FY\s?['’]?(?P<Y10>\d\d)[\s,-]*Q(?P<q10>[1-4])\b",
    rf"(?P<q11>{_NTH})[\s-]+(?:fiscal[\s-]+)?quarter(?:\s+of)?(?:\s+the)?(?:\s+{_FISCAL})?(?:\s+year)?,?\s*['’]?(?P<y11>{_YEAR})\b",
    rf"(?P<f12>FY)\s?['’]?(?P<y12>{_YEAR}|(?P<Y12>\d\d))\b",
    rf"(?P<f13>fiscal)(?:[\s-]+years?)?\s+(?P<y13>{_YEAR})\b",
    rf"(?P<y14>{_YEAR})\s+(?P<f14>fiscal)(?:\s+(?:year|period))?\b",
)
_IN_SLASHES = rf"(?<![\d/])(?P<m15>\d{{1,2}})/(?P<d15>\d{{1,2}})/(?P<y15>{_YEAR}|(?P<Y15>\d\d))(?![\d/])"
_WITH_STOPS = rf"(?<![\d.])(?P<d19>\d{{1,2}})\. ?(?P<m19>\d{{1,2}})\. ?(?P<y19>{_YEAR})\b(?!\.?\d)"
_LESS_SPECIFIC = (
    rf"{_MONTH.format('m16')}(?:-|\s?['’])(?P<Y16>\d\d)\b",
    rf"FQ(?P<q17>[1-4])[\s-]?['’]?(?P<y17>{_YEAR}|(?P<Y17>\d\d))\b",
    # Invoice 2026-003 is of no year, nor is the ticket INC-2071; FY-2021 is.
    rf"(?P<y18>(?<!(?-i:[A-XZ])-)(?<!(?-i:[A-EG-Z]Y)-){_YEAR})\b(?!-\d{{3}}\b)",
)
# One look at its first letter tells of nearly every word that it begins no date.
_BEGINS = r"\b(?=[\dADEFJMNOQST])"
_DATE = re.compile(
    rf"(?i){_BEGINS}(?:{'|'.join(_SPELLINGS)})|{_IN_SLASHES}|{_WITH_STOPS}|{_BEGINS}(?:{'|'.join(_LESS_SPECIFIC)})"
)
_DIGIT = re.compile(r"\d")
FIRST_DAYS = 7  # a period that ends with the first days of a month is of the month before
_CENTURY_ENDS = 60  # "60" is 2060, "61" is 1961


@dataclass(frozen=True, slots=True)
class Date:
    """A date or period: year, and month and day or quarter where they are said. `span` is where it was read.

    `is_fiscal` where it is spelled as a reporting period: a fiscal year or a quarter.
    """

    year: int
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    span: tuple[int, int] = (0, 0)
    is_fiscal: bool = False

    @property
    def is_day(self) -> bool:
        """Whether it names one day."""
        return self.day is not None

    @property
    def key(self) -> str:
        """The same text for the same date: 2023-10-06, 2023-10, 2022-Q3, 2021."""
        if self.quarter is not None:
            return f"{self.year}-Q{self.quarter}"
        parts = [f"{self.year}"] + [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)

    @property
    def number(self) -> int:
        """Year, month and day as one number, 20231006: in the order of time; 0 for what is not said."""
        return self.year * 10_000 + (self.month or 0) * 100 + (self.day or 0)

    def holds(self, other: Date) -> bool:
        """Whether another date lies within this one: 30 September 2025 in the third quarter of 2025, and in 2025."""
        if self.year != other.year or (self.is_fiscal and self.quarter is None):
            return False
        if self.quarter is not None:
            of_month = None if other.month is None else (other.month + 2) // 3
            return self.quarter == (other.quarter or of_month)
        return self.month in (None, other.month) and self.day in (None, other.day)


def days(text: str) -> list[Date]:
    """The dates of `text` that name one day, in order."""
    return [date for date in dates(text) if date.is_day]


@lru_cache(maxsize=1 << 13)
def dates(text: str) -> tuple[Date, ...]:
    """The dates and periods of `text` in order, the most specific reading of each place."""
    if _DIGIT.search(text) is None:
        return ()
    return tuple(date for match in _DATE.finditer(text) if (date := _read(match)) is not None)


def _read(match: re.Match[str]) -> Date | None:
    parts = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    month = parts.get("m")
    number = None if month is None else int(month) if month.isdigit() else _NUMBER[month[:3].lower()]
    quarter = parts.get("q")
    day = _day_of(parts["d"]) if "d" in parts else None
    if number is not None and day is not None and number > len(MONTHS) >= day:
        number, day = day, number  # 30/9/2023
    if (number is not None and not 1 <= number <= len(MONTHS)) or (day is not None and not 1 <= day <= 31):
        return None
    return Date(
        year=_year(parts["Y"]) if "Y" in parts else int(parts["y"]),
        month=number,
        day=day,
        quarter=None if quarter is None else _QUARTERS.get(quarter.lower()) or int(quarter),
        span=match.span(),
        is_fiscal="f" in parts or quarter is not None,
    )


def _day_of(text: str) -> int:
    return int(text) if text.isdigit() else _DAYS_IN_WORDS[text.lower()]


def _year(two_digits: str) -> int:
    """Return the year that FY21 means: of this century up to 60, of the last one after."""
    year = int(two_digits)
    return 2000 + year if year <= _CENTURY_ENDS else 1900 + year


def spelled(date: str) -> str:
    """An ISO date as search words: 2023-10-06T… → "2023-10-06 October 6, 2023"; other text as it is."""
    result = dates(date)
    if not result or result[0].month is None:
        return date
    first = result[0]
    month = MONTHS[first.month - 1] if first.month else ""
    if first.day:
        long = f"{month} {first.day}, {first.year}"
    else:
        long = f"{month} {first.year}"
    return f"{first.key} {long}"


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
SMALL_NUMBERS = tuple(_ONES.split())
_IN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * n for n, word in enumerate(_IN_TENS.split(), start=2)}
# A number in letters, but "one", which is seldom a count.
_BEHIND_TENS = rf"(?:[- ](?:{'|'.join(SMALL_NUMBERS[1:10])})\b)?"
_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)}){_BEHIND_TENS}|{'|'.join(SMALL_NUMBERS[1:])})"
_HUNDREDS = rf"(?:an?|{_BELOW_HUNDRED}) hundred\b(?:(?: and)? {_BELOW_HUNDRED}\b)?"
# "A hundred and four", "four thousand two hundred"
_LARGE_NUMBER = rf"(?:an?|{_BELOW_HUNDRED}) thousand\b(?:(?: and)? (?:{_HUNDREDS}|{_BELOW_HUNDRED}\b))?|{_HUNDREDS}"
SPELLED_NUMBER = (
    rf"(?:{_LARGE_NUMBER}|(?:{'|'.join(_TENS)}){_BEHIND_TENS}|{'|'.join(SMALL_NUMBERS[2:])}|hundred|dozens?)"
)
_SPELLED = {word: float(value) for value, word in enumerate(SMALL_NUMBERS)}
_SPELLED |= {word: float(value) for word, value in _TENS.items()}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12, "trn": 1e12}
CURRENCIES = terms_of("dollar euro pound yen")
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "percent"}
# "20 000 000 EUR", "€15 000", "EUR 7 500": what stands beside a currency is one number.
_GROUPED = r"\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,3}\b"
_SPACED = (
    rf"\b{_GROUPED}(?=[ \u00a0]?(?:€|EUR\b|euros?\b|USD\b|CHF\b|GBP\b))"
    rf"|(?:(?<=[€£$])|(?<=\bEUR )|(?<=\bUSD )){_GROUPED}"
)
_AMOUNT = re.compile(
    rf"(?i)(?P<sign>[$€£¥])?(?P<number>{_SPACED}|\b\d[\d,]{{0,20}}(?:\.\d{{1,8}})?|\b(?:{'|'.join(_SPELLED)}))"
    rf"(?:(?P<short>{'|'.join(_SHORT_SCALES)})\b|\b(?:[ -](?P<scale>{'|'.join(_SCALES)})\b)?)"
    r"(?:(?P<percent> ?%)|[ -](?P<unit>[a-z]{3,20})\b)?"
)
# What makes an amount the end of a range, by the words in front of it; `[a, b]` is written "from a to b".
_ABOVE = re.compile(r"(?i)\b(?:above|over|more than|exceed(?:s|ing)?|greater than|longer than|older than|at least) $")
_BELOW = re.compile(r"(?i)\b(?:below|under|less than|fewer than|shorter than|younger than|up to|at most) $")
_FROM = re.compile(r"(?i)\b(?:from|between) $")
_TO = re.compile(r"(?i) ?(?:[a-z]{3,20} )?(?:to|and|[-–]) ?[$€£¥]?")
_NOT = re.compile(r"(?i)\b(?:no|not) $")
_BEFORE = 16  # characters
_AS_GOOD_AS = 0.0125  # "$4bn" is 4.04 billion dollars, not 4.1
_LARGE = 1e3  # a smaller number is written in one way only
_ONLY_YEAR = re.compile(_YEAR)
_NO_UNIT = frozenset(("and", "but", "for", "from", "the", "was", "were", "are", "has", "had", "per", "with"))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, as an index term (empty where none is said): `text[start:end]`.

    `scaled` is where its scale ends too: "348 million", "348m"; `said` where its unit does.
    """

    value: float
    unit: str
    start: int
    end: int
    scaled: int = 0
    said: int = 0

    def is_told_by(self, other: Amount) -> bool:
        """Whether another amount is this one, told as precisely as people do who write it in short."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        return abs(self.value - other.value) <= _AS_GOOD_AS * self.value


@dataclass(frozen=True, slots=True)
class Range:
    """The amounts of a unit from `low` to `high`, both with them."""

    low: float
    high: float
    unit: str

    def holds(self, amount: Amount) -> bool:
        """Whether an amount of the same unit lies in it."""
        return bool(amount.unit) and amount.unit == self.unit and self.low <= amount.value <= self.high


@lru_cache(maxsize=1 << 13)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts of a text, in order."""
    return tuple(_amount(match) for match in _AMOUNT.finditer(text))


_BETWEEN_DIGITS = re.compile(r"(?<=\d)[,\s](?=\d|$)")


def _amount(match: re.Match[str]) -> Amount:
    number = _BETWEEN_DIGITS.sub("", match["number"].lower())
    value = _SPELLED[number] if number in _SPELLED else float(number)
    unit = (match["unit"] or "").lower()
    named = "" if unit in _NO_UNIT else stem(unit)
    if match["percent"]:
        sign = _SIGNS["%"]
    else:
        sign = _SIGNS.get(match["sign"] or "", "")
    short = _SHORT_SCALES.get((match["short"] or "").lower(), 1.0)
    scale = _SCALES.get((match["scale"] or "").lower(), short)
    scaled = max(match.end("number"), match.end("scale"), match.end("short"))
    return Amount(value * scale, stem(sign) if sign else named, *match.span("number"), scaled, match.end())


@lru_cache(maxsize=1 << 13)
def ranges(text: str) -> tuple[Range, ...]:
    """The ranges that a text states."""
    stated = amounts(text)
    pairs = [(one, other) for one, other in pairwise(stated) if _is_pair(text, one, other)]
    ends = {id(amount) for pair in pairs for amount in pair}
    single = (_open_range(text, amount) for amount in stated if id(amount) not in ends)
    both = (Range(one.value, other.value, other.unit) for one, other in pairs)
    return (*both, *(each for each in single if each is not None))


def _is_pair(text: str, one: Amount, other: Amount) -> bool:
    """Whether two amounts are the ends of one range: of one unit, which the first need not say."""
    is_pair = _may_be_pair(text, one, other)
    return is_pair and _FROM.search(_ahead_of(text, one)) is not None


def _may_be_pair(text: str, one: Amount, other: Amount) -> bool:
    if not other.unit or one.unit not in ("", other.unit) or one.value > other.value:
        return False
    return any(_TO.fullmatch(text, end, other.start) for end in (one.end, one.scaled))


# How a cell of a table of limits says what a sentence says in words: "<$5M", "11+ years", "5 days or more".
_IN_SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<=?|≤"), "at most "),
    (re.compile(r">=?|≥"), "at least "),
    (re.compile(r"(?<!\S)([$€£¥]?\d[\d,.]{0,15})\+(?!\d)"), r"at least \1"),
    (
        re.compile(r"(?i)([$€£¥]?\d[\d,.]{0,15}(?: [a-z]{3,9})?) (?:or|and) (?:more|above|over|longer)\b"),
        r"at least \1",
    ),
    (re.compile(r"(?i)([$€£¥]?\d[\d,.]{0,15}(?: [a-z]{3,9})?) (?:or|and) (?:less|below|under|fewer)\b"), r"at most \1"),
    (re.compile(r"(?i)\b(?:maximum|max\.?|limit(?:ed)?|capped|cap)(?: (?:of|to|at))? (?=[$€£¥]?\d)"), "at most "),
)


EVERY = Range(0.0, float("inf"), "")
_NO_LIMIT = re.compile(r"(?i)(?:unlimited|no limit)\b")


@lru_cache(maxsize=1 << 11)
def range_in_cell(cell: str, *, is_limit: bool = False) -> Range | None:
    """The one range of amounts that a cell of a table states: "$500 - $2,500", "Over $50,000", "<$5M", "11+ years".

    With `is_limit` an amount alone is the most of it, "$50/meal".
    """
    if _NO_LIMIT.match(cell):
        return EVERY
    cell = in_words(cell)
    told = amounts(cell)
    match told:
        case (one,):
            alone = Range(0.0, one.value, one.unit) if is_limit else None
            return _open_range(cell, one) or alone
        case (one, other) if _may_be_pair(cell, one, other) or _are_numbers(cell, one, other):
            return Range(one.value, other.value, other.unit)
    return None


@lru_cache(maxsize=1 << 11)
def in_words(text: str) -> str:
    """A text with its limits in the words of sentences: "<$5M" as "at most $5M", "a maximum of 5" as "at most 5"."""
    for sign, said in _IN_SIGNS:
        text = sign.sub(said, text)
    return text


def _are_numbers(cell: str, one: Amount, other: Amount) -> bool:
    """Whether a cell is two numbers without a unit: "1,000 - 5,000"."""
    beside = cell[: one.start] + cell[other.scaled :]
    if beside.strip() or one.unit or other.unit:
        return False
    joined = _TO.fullmatch(cell, one.scaled, other.start) is not None
    return joined and one.value < other.value


def _open_range(text: str, amount: Amount) -> Range | None:
    ahead = _ahead_of(text, amount)
    above, below = _ABOVE.search(ahead), _BELOW.search(ahead)
    mark = above or below
    if mark is None:
        return None
    is_above = (above is not None) != (_NOT.search(ahead, 0, mark.start()) is not None)
    if is_above:
        return Range(amount.value, float("inf"), amount.unit)
    return Range(0.0, amount.value, amount.unit)


def _ahead_of(text: str, amount: Amount) -> str:
    return text[max(0, amount.start - _BEFORE) : amount.start].rstrip("$€£¥")


@lru_cache(maxsize=1 << 13)
def stated_by_amounts(asked: str, text: str) -> frozenset[str]:
    """The terms of `asked` that an amount, or a time that something lasted, stands for in `text`.

    A rule for "above 50,000" speaks of 60,000, "27%" is a percentage, and "from May to July" says when it ended.
    """
    stood_for = _stood_for(asked)
    if stood_for is None:
        return frozenset()
    terms = stood_for.percentage if "%" in text else frozenset[str]()
    if stood_for.amounts:
        stated = ranges(text)
        covered = [amount for amount in stood_for.amounts if any(each.holds(amount) for each in stated)]
        terms |= {term for amount in covered for term in tokens(asked[amount.start : amount.end])}
    if stood_for.large:
        terms |= _told_otherwise(asked, stood_for.large, text)
    terms |= {part for part, percent in stood_for.parts if re.search(rf"\b{percent} ?(?:%|per ?cent)", text)}
    return terms | stood_for.ends if stood_for.ends and spans_of_time(text) else terms


class _StoodFor(NamedTuple):
    """What of a question amounts stand for: those with a unit, large ones, parts, a share, how long it lasted."""

    amounts: tuple[Amount, ...]
    large: tuple[Amount, ...]
    parts: tuple[tuple[str, int], ...]
    percentage: frozenset[str]
    ends: frozenset[str]


@lru_cache(maxsize=1 << 10)
def _stood_for(asked: str) -> _StoodFor | None:
    """The same of one question, read once; None where no amount may stand for anything."""
    terms = terms_of(asked)
    parts = tuple((stem(part["part"]), _PERCENT_OF[part["part"].lower()]) for part in _PART.finditer(asked))
    made = _StoodFor(
        tuple(amount for amount in amounts(asked) if amount.unit),
        tuple(_large(asked)),
        parts,
        _PERCENTAGE & terms,
        (BEGINS | ENDS) & terms,
    )
    return made if any(made) else None


def may_state(asked: str) -> bool:
    """Whether an amount may stand for anything that is asked: for another amount, a share or how long it lasted."""
    return _stood_for(asked) is not None


def may_be_stated(asked: str, text: str) -> frozenset[str]:
    """The terms of `asked` that `stated_by_amounts` may give for a part of `text`: those and more, sooner."""
    stood_for = _stood_for(asked)
    if stood_for is None:
        return frozenset()
    terms = _of_amounts(asked)
    if "%" in text:
        terms |= stood_for.percentage
    return terms | stood_for.ends if "rom " in text or "etween " in text else terms


@lru_cache(maxsize=1 << 10)
def _of_amounts(asked: str) -> frozenset[str]:
    """The terms of a question's amounts, and of its parts of a whole."""
    stood_for = _stood_for(asked)
    if stood_for is None:
        return frozenset()
    written = [
        asked[each.start : end]
        for each in (*stood_for.amounts, *stood_for.large)
        for end in (each.end, each.scaled, each.said)
    ]
    return frozenset(part for part, _ in stood_for.parts).union(*map(tokens, written))


def _told_otherwise(asked: str, large: Iterable[Amount], text: str) -> frozenset[str]:
    """The terms of `large` amounts of `asked` that `text` writes in another way: "$348m", "348 million dollars"."""
    told = _large(text)
    terms = set[str]()
    for amount in large:
        same = [other for other in told if amount.is_told_by(other)]
        if same:
            ends = amount.said if any(other.unit == amount.unit for other in same) else amount.scaled
            terms.update(tokens(asked[amount.start : ends]))
    return frozenset(terms)


def _large(text: str) -> list[Amount]:
    """The amounts of a text that people write in several ways, and no years."""
    return [
        amount
        for amount in amounts(text)
        if amount.value >= _LARGE and not _ONLY_YEAR.fullmatch(text, amount.start, amount.scaled)
    ]


# "A fifth of the business" is 20 % of it.
_PERCENT_OF = {"half": 50, "third": 33, "quarter": 25, "fifth": 20, "tenth": 10}
_PART = re.compile(r"(?i)\b(?:an?|one) (?P<part>half|third|quarter|fifth|tenth) of\b")
_MONTH_OR_YEAR = rf"(?:(?:\d{{1,2}} )?(?:{MONTH_NAMES})(?: \d{{1,2}},?)?(?: \d{{4}})?|(?:19|20)\d\d)"
_SPAN_OF_TIME = re.compile(
    rf"\b(?P<begin>(?:[Ff]rom |[Bb]etween )(?:early |mid-|late )?{_MONTH_OR_YEAR}) (?:to|until|till|through|and) "
    rf"(?:early |mid-|late )?(?P<end>{_MONTH_OR_YEAR})"
)


def spans_of_time(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where `text` says that something lasted from one time to another: the places of its begin and of its end."""
    return [(match.span("begin"), match.span("end")) for match in _SPAN_OF_TIME.finditer(text)]


# What lasts from May to July begins in May and ends in July, whether the text says so or not.
BEGINS, ENDS = (
    terms_of("begin began start started beginning"),
    terms_of("end ended ending finish finished stop stopped"),
)
_PERCENTAGE = terms_of("percent percentage proportion")
