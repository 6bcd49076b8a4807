"""Which filings a question is about: its companies, periods and forms against what the corpus holds.

A company that is named counts fully (passages of others are left out), a period weighs: the year before and after state
the same figures. Weights and rules were measured on 84 filings and 20 plain 10-Qs (docs/decisions/files.md): company
hard and period soft .82 page Recall@5, company hard alone .67, period alone .27.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adaq_core.filings.formula import LineItem, LineItems, Ratio
from adaq_core.filings.register import Filing, Mention, Register
from adaq_core.filings.sentences import ORDINALS
from adaq_core.question.parse import ParsedQuestion, parse
from adaq_core.text.values import FIRST_DAYS, MONTH_NAMES, MONTHS, Date, dates

_DEFINED = (
    re.compile(r"(?i)^(?P<name>[^:]{2,80}?) (?:is|are) defined as:? (?P<formula>.+)$"),
    re.compile(r"(?i)^(?:please )?define (?P<name>.{2,60}?) as:? (?P<formula>.+)$"),
)
_UNIT = re.compile(
    r"(?i)\b(?:in|units? of) (?:units of )?(?:us ?d(?:ollars?)? |us dollars |dollars |\$ ?)?"
    r"(?P<unit>thousand|million|billion|percent|%)"
)
_DECIMALS = re.compile(r"(?i)\bround[^.?]{0,40}\bto (?P<n>one|two|three|four|zero|no|\d) decimal")
_NUMBERS = {"zero": 0, "no": 0, "one": 1, "two": 2, "three": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class AskedFigure:
    """A question as it is searched for and computed: `text` asks, the rest says how.

    `formula` is a definition that the question gives; `unit` is thousand, million, billion, percent or empty.
    """

    text: str
    statements: tuple[str, ...] = ()
    formula: str = ""
    unit: str = ""
    decimals: int | None = None
    named: tuple[LineItem | Ratio, ...] = ()

    @property
    def items(self) -> list[LineItem]:
        """The line items that it names, each once."""
        return list(dict.fromkeys(each for each in self.named if isinstance(each, LineItem)))


def read_asked(question: ParsedQuestion | str, profile: LineItems) -> AskedFigure:
    """Part what is asked from definitions, statements to go by, unit and rounding."""
    parsed = parse(question) if isinstance(question, str) else question
    text = " ".join(clause.text for clause in parsed.clauses) or parsed.text
    instructions = [instruction for instruction, _ in parsed.instructions]
    statements = (condition.value for condition in parsed.conditions if condition.kind == "statement")
    return AskedFigure(
        text=text,
        statements=tuple(dict.fromkeys(statements)),
        formula=_formula(instructions),
        unit=_unit(instructions),
        decimals=_decimals(instructions),
        named=tuple(item for item, _ in profile.named_in(text)),
    )


def _formula(instructions: Iterable[str]) -> str:
    matches = (pattern.match(each.strip(" .")) for each in instructions for pattern in _DEFINED)
    return next((match["formula"] for match in matches if match), "")


def _unit(instructions: Iterable[str]) -> str:
    for match in filter(None, map(_UNIT.search, instructions)):
        unit = match["unit"].lower()
        return "percent" if unit == "%" else unit
    return ""


def _decimals(instructions: Iterable[str]) -> int | None:
    for match in filter(None, map(_DECIMALS.search, instructions)):
        return _NUMBERS.get(match["n"].lower(), int(match["n"]) if match["n"].isdigit() else 2)
    return None


@dataclass(frozen=True, slots=True)
class PeriodWeights:
    """What a filing counts by the years between it and the year asked for, its form and its period; all in [0, 1.5]."""

    same_year: float = 1.0
    year_after: float = 0.55  # the next report states last year's figures beside its own
    two_years_after: float = 0.4
    year_before: float = 0.3
    other_year: float = 0.12
    filed_then: float = 0.9  # an annual report tells of the months after its year too, up to its own day
    annual: float = 1.0
    fourth_quarter: float = 0.85
    interim: float = 0.5
    period_differs: float = 0.45
    form_named: float = 1.3
    form_differs: float = 0.7
    newest: float = 0.9
    older: float = 0.6
    older_risks: float = 0.6  # of filings that fit as well as a newer one, where risks are asked for


WEIGHTS = PeriodWeights()

ANNUAL = ("10-K", "20-F", "annual report")
_FORMS = (
    (re.compile(r"(?i)\b10-?ks?\b|\bannual (?:report|filing)s?\b"), ANNUAL),
    (
        re.compile(r"(?i)\b10-?qs?\b|\bquarterly (?:report|filing)s?\b"),
        ("10-Q", "quarterly report", "interim report"),
    ),
    (re.compile(r"(?i)\b8-?ks?\b"), ("8-K", "6-K")),
    (re.compile(r"(?i)\bearnings (?:release|report|call)s?\b"), ("earnings",)),
)
_LATEST = re.compile(
    r"(?i)\b(?:latest|most recent|newest|last reported|current) (?:\w+ ){0,2}"
    r"(?:quarter|period|10-?[qk]|year|report|filing)|\b(?:last|past) quarter(?!s|ly)\b"
)
_OVER_TIME = re.compile(
    r"(?i)\b(?:past|previous|prior|preceding|last|these|reported|reporting|each|every|across|over the|throughout|"
    r"during the) (?:\w+ ){0,2}(?:quarters?|periods?|years?|10-?[qk]s?|filings?|reports?)\b"
    r"|\bquarters\b|\b10-?[qk]s\b|\bquarter[- ]over[- ]quarter\b|\bover time\b|\btrends?\b"
)
_COMPARED = re.compile(
    r"(?i)\b(?:compare[ds]? (?:to|with)|relative to|versus|vs\.?|against) (?:\w+ ){0,2}(?:quarters|periods|years)\b"
)
_MONTHS_OF_A_QUARTER = 3
_FISCAL = re.compile(r"(?i)\bfiscal\b|\bFY ?\d")
_AS_OF = re.compile(r"(?i)\bas of (?:the )?(?:end of )?$")
_RISKS = re.compile(r"(?i)\brisks?\b|\brisk factors?\b")
_WHICH_COMPANY = re.compile(
    r"(?i)\bwhich (?:one )?(?:(?:of (?:the|these) (?:\w+ )?)?(?:compan(?:y|ies)|issuers?|filers?|firms?)"
    r"|of the (?:two|three|four|five|six|seven|eight|nine|ten))\b"
)
_WHOSE = re.compile(r"(?i)^whose\b")
_ALL_COMPANIES = re.compile(
    r"(?i)\b(?:each|every|all)(?: of)?(?: the)?(?: \w+)? (?:companies|company|filers|issuers)\b"
    r"|\bthe (?:two|three|four|five|six) (?:companies|filers|issuers)\b"
)
DOUBLED = re.compile(r"(?i)\b(?P<times>doubl|tripl|trebl|quadrupl|halv)e?d?\b")
# Which companies are chosen by a limit or by their sign, and not by who is highest.
CHOOSES = re.compile(
    r"(?i)\b(?:(?:more|less|higher|lower|greater|smaller) than|above|below|over|under|at least|exceed(?:s|ed)?)"
    r" [$€£]?\d"
    r"|(?P<sign>\b(?:(?P<bad>los(?:t|es|e) money|unprofitable|loss-making|in the red"
    r"|(?:made|had|posted|reported|report|make) (?:a |an )?(?:net )?loss(?:es)?)"
    r"|profitable|made money|(?:made|had|posted|reported|report|make) (?:a )?(?:net )?profits?)\b)"
)
MOST = re.compile(r"(?i)\b(?:(?P<least>lowest|smallest|least|slowest)|highest|largest|biggest|most|fastest)\b")
_MOST_COMPANIES = 12
_MOST_ASIDE = 8  # companies of whom each is an aspect
_SPELLED_MONTH = rf"(?P<month>{MONTH_NAMES})"
_HOLIDAYS = re.compile(
    r"(?i)\b(?:(?P<before>20\d\d) (?:christmas|holiday) quarter"
    r"|(?:christmas|holiday) quarter (?:of |in )?(?P<after>20\d\d))\b"
)
_SHORT_MONTH = r"[A-Z][a-z]{2}(?:[a-z]{1,6}|\.)?"
_MONTHS_LONG = re.compile(
    rf"(?i)\b(?P<between>between |from )?(?P<first>{_SHORT_MONTH})(?P<to> ?[-–] ?| to | through | until | and )"
    rf"(?P<last>{_SHORT_MONTH}),? (?:of )?(?P<year>20\d\d)\b(?: quarter\b)?"
)
_LENGTHS = {3: "quarter", 6: "six months", 9: "nine months"}
_BESIDE = r" (?:and|or|versus|vs\.?|against|compared (?:with|to)|with) "
_OTHER_YEAR = rf"(?P<one>20\d\d),?(?P<and>{_BESIDE})(?:of |in |that of |the one of )?(?P<other>20\d\d)\b"
_OF_MONTHS = re.compile(  # "the June quarters of 2022 and 2023", "in the June quarter: 2022 against 2023"
    rf"(?i)\b{_SPELLED_MONTH}[- ]quarters?(?: of| in|[:,])? {_OTHER_YEAR}"
)
_OF_QUARTERS = re.compile(  # "the third quarter of 2022 or of 2023", "Q3: 2022 against 2023"
    r"(?i)\b(?P<quarter>(?:first|second|third|fourth) (?:fiscal )?quarter(?: of)?(?: fiscal)?|Q[1-4])[:,]? "
    rf"{_OTHER_YEAR}"
)
_NTH = r"(?:Q[1-4]|first|second|third|fourth)"
_SEVERAL_QUARTERS = re.compile(  # "Q1, Q2 and Q3 of fiscal 2023", "the first and second quarters of 2023"
    rf"(?i)\b(?P<named>{_NTH}(?:(?:, and |, | and | & |/)(?:the )?{_NTH}){{1,3}})(?P<year>(?: (?:fiscal )?quarters?)?"
    r"(?: of| in)?(?: the)?(?: (?:fiscal|calendar)(?: year)?| FY)? ?20\d\d)\b"
)
_EACH_QUARTER = re.compile(_NTH, re.IGNORECASE)
_A_MONTH = rf"(?:{MONTH_NAMES})"
_SEVERAL_DAYS = re.compile(  # "April 30, July 30 and October 29, 2023", "the quarters ended June and September 2023"
    rf"(?i)\b(?:(?<!between )(?<!from )"
    rf"(?P<named>{_A_MONTH} \d{{1,2}}(?:(?:, and |, | and | & ){_A_MONTH} \d{{1,2}}){{1,4}})"
    rf"|(?<=quarters ended )(?P<months>{_A_MONTH}(?:(?:, and |, | and | & ){_A_MONTH}){{1,4}}))(?P<year>,? 20\d\d)\b"
)
_EACH_DAY = re.compile(rf"(?i){_A_MONTH}(?: \d{{1,2}})?")
_OF_FIRST_MONTHS = re.compile(  # "the first nine months of fiscal 2023 and 2022"
    r"(?i)\b(?P<months>first (?:(?:three|six|nine) months|half) (?:of |in )(?:the )?(?:fiscal (?:year )?|calendar )?)"
    rf"{_OTHER_YEAR}"
)
_MONTH_ASIDE = re.compile(  # "fiscal Q2 2024 (July)", "March 2023 (its fiscal Q2)"
    rf"(?i)(?<=\b20\d\d) \((?:(?:{'|'.join(month[:3] for month in MONTHS)})[a-z]{{0,6}}"
    r"|(?:its |their |the )?(?:fiscal |FY ?)Q[1-4])\)"
)
_YEAR_AHEAD = re.compile(r"(?i)\bfiscal (?:year )?(?P<year>20\d\d) (?P<quarter>Q[1-4])\b")
_OF_A_MONTH = re.compile(
    rf"(?i)\b{_SPELLED_MONTH}(?:[- ]quarter (?:of |in )?(?P<year>20\d\d)| (?P<ahead>20\d\d)[- ]quarter)\b"
)
_A_YEAR_LATER = re.compile(  # "was left in September 2022, and how much a year later?"
    r"(?i),? and (?:how (?:much|many)|what(?: about)?)(?: (?:was|were) (?:it|they|left))? (?:a|one) year "
    r"(?P<way>later|after|earlier|before)\b"
)
_SHORT_SPAN = re.compile(  # "9M23", "1H FY23", "H1 2023"; but not "H100", which is a chip
    r"\b(?:(?P<months>[69])M|1H|H1(?=[ '’F])) ?(?P<fiscal>FY ?)?['’]?(?P<year>20\d\d|[1-3]\d)\b"
)
_SHORT_LENGTHS = {"6": "first six months", "9": "first nine months", None: "first half"}
_FIRST_MONTHS = re.compile(
    r"(?i)\bfirst (?:(?P<n>three|six|nine) months|half) (?:of |in )?"
    r"(?:calendar |(?P<fiscal>(?:the )?(?:fiscal (?:year )?|FY ?)))?(?P<year>20\d\d)\b"
)
_QUARTERS_IN = {"three": 1, "six": 2, "nine": 3}
_LAST_OF_YEAR = re.compile(
    r"(?i)\b(?:(?:last|final|closing) three months|final quarter) (?:of |in )(?:calendar )?(?P<year>20\d\d)\b"
)
_SEASON = re.compile(
    r"(?i)\b(?:(?P<season>early|spring|summer|autumn)|(?<=\bin )(?:the )?(?P<fall>fall))(?: of| in"
    r"|,)? (?P<year>20\d\d)\b"
)
# A month that the reports of the season tell of: of the quarter that it is in, or that ended the month before.
_SEASONS = {"early": "February", "spring": "May", "summer": "July", "autumn": "October", "fall": "October"}
_MID_YEAR = re.compile(r"(?i)\bmid-?(?P<year>20\d\d)\b")
_THAT_YEAR = re.compile(rf"(?i)\b{_SPELLED_MONTH},? (?:of )?(?:that|the same) year\b")
_YEAR_BEFORE = (
    r"(?:the |a |its )?(?:year[- ](?:ago|earlier|before)(?: quarter| period)?"
    r"|(?:prior|previous|last)[- ]year(?:['’]s)? (?:quarter|period)"
    r"|same (?:quarter|period) (?:of |in )?(?:a|the|last|prior|previous) year(?: before| earlier| ago)?)"
)
BESIDE_YEAR_BEFORE = re.compile(  # "How did margins in Q2 2023 stack up against the year-ago quarter?"
    r"(?i)\b(?:(?:stack|measure|line|hold|shape) up|compare|look|fare) (?:against|with|to|beside|versus|vs\.?) "
    rf"{_YEAR_BEFORE}\b"
)
_SET_BESIDE_YEAR_BEFORE = re.compile(  # "capex in Q3 2023 vs a year earlier", "sales and the y/y change"
    rf"(?i)(?:,? (?:vs\.?|versus|against|compared (?:with|to)|relative to|next to) {_YEAR_BEFORE}"
    r"|,?(?: and)?(?: the| its)? (?:y[/-]?o?[/-]?y|year[- ]o[nv](?:er)?[- ]year)(?: (?:change|growth|move))?)(?![\w/])"
)
_CHANGES = re.compile(
    r"(?i)\b(?:r[io]se|risen|f[ae]ll|fallen|gr[eo]w|grown|growth|change|increas|decreas|declin|dropp?|climb|higher|lower|more"
    r"|less|bigger|smaller|better|worse|faster|up|down|why|caus)"
)
_THREE_MONTHS = re.compile(r"(?i)\b(?:three|3)[- ]months?(?: period)?(?: that)? (?:ended|ending|to|through)\b")
_MORE_MONTHS = re.compile(
    r"(?i)\b(?P<months>six|nine)[- ]months?(?: period)?(?: that)? (?:ending|to|through|until|up to)\b"
)
_CALENDAR_YEAR_END = re.compile(r"(?i)\b(?:calendar year[- ]end|(?:the )?end of calendar) (?P<year>20\d\d)\b")
_CALENDAR_QUARTER = re.compile(
    r"(?i)\bcalendar (?:Q(?P<q>[1-4])|(?P<nth>first|second|third|fourth) quarter)(?: of)? (?P<year>20\d\d)\b"
)
_ENDED = re.compile(
    r"(?i)\b(?:end(?:ed|ing|s)?|to|through|until|as) (?:on |in |of |at )?(?:the end of )?(?:late |early )?$"
)
YEAR_END = re.compile(r"(?i)\b(?:end of|year[- ]end)(?: calendar(?: year)?)? $")
_PAPER_BEHIND = re.compile(r"(?i)[ -](?:10-?[QK]|filing|report)s?\b")  # "the autumn 2022 filing"
_SEVERAL = 2
MOST_FILINGS = 12  # that are read for a question
_FORECAST = re.compile(
    r"(?i)\b(?:expects?|expected|guid(?:es?|ed|ing)|forecast(?:s|ing|ed)?|guidance|outlook|projected)\b"
)


_FITS = 0.5
_CLOSEST = 4  # filings


@dataclass(frozen=True, slots=True)
class FilingConditions:
    """The filings that a question is about, best first, each with its weight; `spread` deals passages out over them.

    `used` are the character ranges that chose the filings. `widened` says what the corpus does not hold. `of_each` is
    whether each of several periods is asked for.
    """

    companies: tuple[int, ...]
    weights: tuple[tuple[Filing, float], ...]
    spread: bool
    used: tuple[tuple[int, int], ...] = ()
    widened: tuple[str, ...] = ()
    of_each: bool = False

    @property
    def is_of_one(self) -> bool:
        """Whether one filing fits better than all others."""
        return len(self.weights) == 1 or self.weights[0][1] > self.weights[1][1]

    @property
    def closest(self) -> list[Filing]:
        """The few filings that fit well, the best first."""
        fit = [filing for filing, weight in self.weights if weight >= _FITS]
        return fit[:_CLOSEST]


def in_words_of_filings(question: str, profile: LineItems) -> str:
    """The question in the words of statements, and with its periods as dates."""
    return _with_plain_periods(profile.in_words_of_filings(question))


def in_own_names(text: str, register: Register) -> str:
    """A text that names one company with its own names for its parts: the cloud arm of Amazon is AWS."""
    named = {mention.company for mention in register.companies.named_in(text)}
    if len(named) != 1:
        return text
    return register.profile.in_own_names(
        text, lambda name: named == {mention.company for mention in register.companies.named_in(name)}
    )


@lru_cache(maxsize=1 << 8)  # a question is searched for its figures, its risks and its passages
def _with_plain_periods(question: str) -> str:
    """The question with its periods as dates: "the 2022 Christmas quarter" ended in December 2022."""
    if "growth" in question.lower():
        plain = question
    else:
        plain = BESIDE_YEAR_BEFORE.sub("change", question)
    bare = _SET_BESIDE_YEAR_BEFORE.sub("", plain)
    plain = plain if _CHANGES.search(bare) else _SET_BESIDE_YEAR_BEFORE.sub(", year-over-year change", plain)
    plain = _THREE_MONTHS.sub("quarter ended", _MONTH_ASIDE.sub("", plain))
    plain = _MORE_MONTHS.sub(r"\g<months> months ended", plain)
    plain = _CALENDAR_YEAR_END.sub(lambda m: f"December 31, {m['year']}", plain)
    plain = _CALENDAR_QUARTER.sub(_of_calendar_quarter, plain)
    text = _MONTHS_LONG.sub(_of_months_between, plain)
    text = _HOLIDAYS.sub(lambda m: f"quarter ended December {m['before'] or m['after']}", text)
    text = _OF_MONTHS.sub(_months_of_years, text)
    text = _OF_QUARTERS.sub(lambda m: f"{m['quarter']} {m['one']}{m['and']}{m['quarter']} {m['other']}", text)
    text = _SEVERAL_QUARTERS.sub(lambda m: _each_with_year(m, _EACH_QUARTER), text)
    text = _SEVERAL_DAYS.sub(lambda m: _each_with_year(m, _EACH_DAY), text)
    text = _YEAR_AHEAD.sub(lambda m: f"{m['quarter']} fiscal {m['year']}", text)
    alone = len(dates(text)) == 1  # of several periods each is told by its own words
    text = _OF_A_MONTH.sub(lambda m: _of_a_month(m, alone=alone), text)
    text = _OF_FIRST_MONTHS.sub(lambda m: f"{m['months']}{m['one']}{m['and']}{m['months']}{m['other']}", text)
    text = _SHORT_SPAN.sub(_of_short_span, text)
    text = _A_YEAR_LATER.sub(lambda m: _other_year(text, m), text)
    text = _FIRST_MONTHS.sub(_of_first_months, text)
    text = _LAST_OF_YEAR.sub(lambda m: f"quarter ended December {m['year']}", text)
    text = _SEASON.sub(lambda m: f"{_SEASONS[(m['season'] or m['fall']).lower()]} {m['year']}", text)
    text = _MID_YEAR.sub(lambda m: f"June {m['year']}", text)
    return _THAT_YEAR.sub(lambda m: f"{m['month']} {_year_before(text, m.start())}".strip(), text)


def _of_calendar_quarter(match: re.Match[str]) -> str:
    """A quarter of the calendar by the month in which it ends, as a firm may count its own in another way."""
    number = int(match["q"]) if match["q"] else 1 + ORDINALS.index(match["nth"].lower())
    return f"quarter ended {_last_month(number)} {match['year']}"


def _last_month(quarter: int) -> str:
    return MONTHS[_MONTHS_OF_A_QUARTER * quarter - 1].capitalize()


def _of_months_between(match: re.Match[str]) -> str:
    """What ends with the last of three, six or nine months: "Jul-Sep 2023" is the quarter ended September 2023."""
    first, last = (_month_of(match[name]) for name in ("first", "last"))
    length = _LENGTHS.get(last - first + 1) if first and last else None
    if length is None or (match["to"] == " and " and not match["between"]):
        return match.group()
    return f"{length} ended {MONTHS[last - 1].capitalize()} {match['year']}"


def _months_of_years(match: re.Match[str]) -> str:
    """The quarters of two years that are called by the month in which they end."""
    month, beside = match["month"], match["and"]
    if beside == " and ":
        return f"quarters ended {month} {match['one']} and {month} {match['other']}"
    return f"quarter ended {month} {match['one']}{beside}quarter ended {month} {match['other']}"


def _each_with_year(match: re.Match[str], each: re.Pattern[str]) -> str:
    """Several quarters or days with the year that stands behind the last of them."""
    year = match["year"].replace("quarters", "quarter")
    return each.sub(lambda named: f"{named.group()}{year}", match.group().removesuffix(match["year"]))


def _month_of(name: str) -> int:
    """The number of a month by its first three letters; 0 for other words."""
    return next((n for n, month in enumerate(MONTHS, 1) if month.lower().startswith(name.lower().rstrip("."))), 0)


def _of_a_month(match: re.Match[str], *, alone: bool) -> str:
    """The quarter that is called by the month in which it ends."""
    if match["ahead"] and not alone:
        return match.group()
    return f"quarter ended {match['month']} {match['year'] or match['ahead']}"


def _other_year(text: str, match: re.Match[str]) -> str:
    """The period in front of "and how much a year later" once more, in the year that is meant."""
    before = [date for date in dates(text[: match.start()]) if date.quarter or date.month]
    if not before:
        return match.group()
    said, year = text[slice(*before[-1].span)], before[-1].year
    other = year + 1 if match["way"].lower() in ("later", "after") else year - 1
    return f" vs {said.replace(str(year), str(other))}" if str(year) in said else match.group()


def _of_short_span(match: re.Match[str]) -> str:
    """The first months of a year, spelled out."""
    year, fiscal = match["year"][-2:], "fiscal " if match["fiscal"] else ""
    return f"{_SHORT_LENGTHS[match['months']]} of {fiscal}20{year}"


def _of_first_months(match: re.Match[str]) -> str:
    """The first months of a year, by the last of them, or by the last quarter in them where the year is fiscal."""
    months = (match["n"] or "six").lower()
    quarter = _QUARTERS_IN[months]
    end = f"Q{quarter} fiscal" if match["fiscal"] else _last_month(quarter)
    return f"{months} months ended {end} {match['year']}"


def _year_before(text: str, at: int) -> str:
    years = [str(date.year) for date in dates(text[:at])]
    return years[-1] if years else ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the words of a question say of filings, beside the companies; `ended` are the periods called an end.

    `filed` are those in which a paper was filed, `year_ends` the years at whose end something is asked. `as_of` is the
    year "as of" which something is asked. Risks stand in a
    section of their own, each time anew; what is expected no statement tells.
    """

    periods: tuple[Date, ...]
    forms: tuple[str, ...]
    ended: tuple[Date, ...]
    filed: tuple[Date, ...]
    year_ends: frozenset[int]
    as_of: int | None
    latest: bool
    past: bool
    risks: bool
    forecast: bool
    fiscal: bool

    @property
    def quarters(self) -> set[tuple[int, int]]:
        return {(period.year, period.quarter) for period in self.periods if period.quarter}

    @property
    def for_several(self) -> bool:
        """Whether one passage of each filing is wanted: several quarters, "over the quarters", or no period at all."""
        return len({period.key for period in self.periods if period.quarter}) > 1 or not (self.periods or self.latest)


def _read(question: str, periods: Sequence[Date]) -> _Asked:
    past = any(not _LATEST.search(match.group()) for match in _OVER_TIME.finditer(question))
    filed = (each for each in periods if _PAPER_BEHIND.match(question, each.span[1]))
    as_of = (period.year for period in periods if _AS_OF.search(question[: period.span[0]]))
    return _Asked(
        periods=tuple(periods),
        forms=tuple(form for pattern, forms in _FORMS if pattern.search(question) for form in forms),
        ended=tuple(period for period in periods if _ENDED.search(question[: period.span[0]])),
        filed=tuple(filed),
        year_ends=frozenset(_years_at_whose_end(question, periods)),
        as_of=next(as_of, None),
        latest=bool(_LATEST.search(question)) and not (_COMPARED.search(question) or past),
        past=past,
        risks=asks_for_risks(question),
        forecast=asks_for_forecast(question),
        fiscal=bool(_FISCAL.search(question)),
    )


def _years_at_whose_end(question: str, periods: Sequence[Date]) -> Iterator[int]:
    """The years of no issuer at whose end a question asks something: "the end of 2022"."""
    for period in periods:
        is_part = period.quarter or period.month or period.is_fiscal
        if not is_part and YEAR_END.search(question[: period.span[0]]):
            yield period.year


def conditions_of(question: str, register: Register) -> FilingConditions | None:
    """What `question` asks of the filings in `register`; None where it names no company of theirs."""
    mentions = register.companies.named_in(question)
    mentions = [*mentions, *register.owners_beside(question, mentions)] or all_companies_in(question, register)
    mentions = mentions or register.owners_of_names(question)
    companies = tuple(dict.fromkeys(mention.company for mention in mentions)) or _all_asked(question, register)
    if not companies:
        return None
    periods = [date for date in dates(question) if not any(_within(date.span, m.span) for m in mentions)]
    asked = _read(question, periods)
    own = [filing for company in companies for filing in register.of_company(company)]
    newest = {company: register.of_company(company)[0].number for company in companies}
    weights, widened = _weights(asked, own, newest)
    spread = len(companies) > 1 or asked.for_several
    if asked.risks and not asked.past and len(asked.quarters) < _SEVERAL:
        weights, spread = _newest_first(weights), len(companies) > 1
    of_each = asked.past or len({period.key for period in periods}) >= _SEVERAL
    order = sorted(weights, key=_turn)
    register.will_read(filing for filing, _ in order[:MOST_FILINGS])
    spans = (*(mention.span for mention in mentions), *(date.span for date in periods))
    return FilingConditions(companies, tuple(order), spread, tuple(sorted(spans)), tuple(widened), of_each)


def _all_asked(question: str, register: Register) -> tuple[int, ...]:
    """All companies of a corpus of nothing but filings, where a question asks which of them, or of all of them."""
    every = tuple(dict.fromkeys(register.companies.of))
    asks = _WHICH_COMPANY.search(question) or _ALL_COMPANIES.search(question)
    asks = asks or (_WHOSE.match(question) and (DOUBLED.search(question) or MOST.search(question)))
    return every if asks and len(every) <= _MOST_COMPANIES and register.is_all_filings else ()


def all_companies_in(question: str, register: Register) -> list[Mention]:
    """All companies, where a question asks of "all five companies", each where it says so."""
    said = _ALL_COMPANIES.search(question)
    return [Mention(company, said.span()) for company in _all_asked(question, register)] if said else []


def asked_of_companies(text: str, register: Register) -> tuple[tuple[str, ...], str]:
    """The companies of whom each is asked something, by short names, and what: "which companies paid a dividend".

    Empty where nothing is asked of all companies.
    """
    match = _WHICH_COMPANY.match(text)
    every = _all_asked(text, register)
    is_choice = any(chooses.search(text) for chooses in (MOST, DOUBLED, CHOOSES))
    if match is None or is_choice or not 1 < len(every) <= _MOST_ASIDE:
        return (), ""
    names = tuple(register.companies.short_name(company) for company in every)
    return names, text[match.end() :].strip(" ?.")


def asks_for_risks(question: str) -> bool:
    """Whether a question is about risks, which filings state in a section of their own, each anew."""
    return _RISKS.search(question) is not None


def asks_for_forecast(question: str) -> bool:
    """Whether a question is about what is expected, which no statement tells."""
    return _FORECAST.search(question) is not None


def _newest_first(weights: Sequence[tuple[Filing, float]]) -> list[tuple[Filing, float]]:
    """The weights with each company's newest filing among those that fit as well ahead of the others."""
    best: dict[int, tuple[float, tuple[int, int, int]]] = {}
    for filing, weight in weights:
        best[filing.company] = max(best.get(filing.company, (0.0, (0, 0, 0))), (weight, filing.order))
    return [
        (filing, weight if (weight, filing.order) == best[filing.company] else weight * WEIGHTS.older_risks)
        for filing, weight in weights
    ]


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _turn(weighted: tuple[Filing, float]) -> tuple[float, tuple[int, ...], int]:
    """The heaviest first, then the newest."""
    filing, weight = weighted
    return -weight, tuple(-part for part in filing.order), filing.number


def _weights(
    asked: _Asked, own: Sequence[Filing], newest: dict[int, int]
) -> tuple[list[tuple[Filing, float]], list[str]]:
    periods, forms = asked.periods, asked.forms
    if not periods:
        return _without_period(asked, own, newest), []
    meant = _labelled(asked, own)
    meant = meant or _of_days(own, periods) or _of_months(asked, own) or _of_year_end(asked, own)
    meant = meant or _ahead_of_quarter(asked, own)
    if meant:
        return [(filing, _form_factor(filing, forms)) for filing in meant] + _rest(own, meant, periods), []
    if later := _of_year_after(asked, own):
        factor = WEIGHTS.year_after
        return [(filing, factor * _form_factor(filing, forms)) for filing in later] + _rest(own, later, periods), []
    target = _target_year(asked)
    weights = [
        (filing, max(_by_year(filing, target), _by_day_filed(filing, periods)) * _form_factor(filing, forms))
        for filing in own
    ]
    in_corpus = any(filing.year is not None and 0 <= filing.year - target <= 2 for filing in own)
    return weights, [] if in_corpus else [_not_held(periods)]


def _of_days(own: Sequence[Filing], periods: Sequence[Date]) -> list[Filing]:
    days = [period for period in periods if period.is_day]
    return [filing for filing in own if any(_near(filing.end, day) for day in days)]


def _of_months(asked: _Asked, own: Sequence[Filing]) -> list[Filing]:
    """The filings that end in a month which the question calls the end; else those that tell of a month named.

    What was filed in a month does not end after it.
    """
    months = [period for period in asked.periods if period.month and not period.is_day]
    for ends_in in (_ends_in, _ends_on_a_day_of):
        if ends := [each for each in own if any(ends_in(each, month) for month in months if month in asked.ended)]:
            return ends
    told = [filing for filing in own if any(_tells_of(filing, month) for month in months)]
    filed = [month for month in months if month in asked.filed]
    return [each for each in told if any(_ends_by(each, month) for month in filed)] or told


def _of_year_end(asked: _Asked, own: Sequence[Filing]) -> list[Filing]:
    """The quarters that end with December, where none but quarters are filed and the end of that year is meant."""
    if any(filing.quarter is None for filing in own) or asked.fiscal:
        return []
    december = {(year, len(MONTHS)) for year in asked.year_ends}
    ends = [(filing, filing.end) for filing in own if filing.end]
    return [filing for filing, end in ends if (end.year, end.month) in december]


def _ahead_of_quarter(asked: _Asked, own: Sequence[Filing]) -> list[Filing]:
    """The last filings before a quarter that none is of, where it is asked what is expected of it."""
    if not (asked.forecast and asked.quarters):
        return []
    counted = {filing.number: _quarter_as_asked(filing, asked) for filing in own}
    earlier = {quarter for quarter in counted.values() if quarter < min(asked.quarters)}
    return [filing for filing in own if earlier and counted[filing.number] == max(earlier)]


def _quarter_as_asked(filing: Filing, asked: _Asked) -> tuple[int, int]:
    """The quarter of a filing, as its issuer counts where a fiscal one is asked for; a year ends with its fourth."""
    if asked.fiscal and filing.own:
        return filing.own
    return filing.year or 0, filing.quarter or len(ORDINALS)


def _labelled(asked: _Asked, own: Sequence[Filing]) -> list[Filing]:
    """The filings of the quarters asked for, by the label in the file name; by the issuer's own for "fiscal" ones."""
    quarters = asked.quarters
    by_name = [filing for filing in own if (filing.year, filing.quarter) in quarters]
    by_issuer = [filing for filing in own if filing.own in quarters]
    if asked.fiscal:
        counted = any(filing.own for filing in own)  # what it counts otherwise is another quarter
        return by_issuer if by_issuer or counted else by_name
    return by_name or by_issuer


def _of_year_after(asked: _Asked, own: Sequence[Filing]) -> list[Filing]:
    """The filings a year after fiscal quarters that none is of, as the issuer counts: they tell those beside theirs."""
    later = {(year + 1, quarter) for year, quarter in asked.quarters} if asked.fiscal else set()
    return [filing for filing in own if filing.own in later]


def _without_period(asked: _Asked, own: Sequence[Filing], newest: dict[int, int]) -> list[tuple[Filing, float]]:
    chosen = [filing for filing in own if filing.form in asked.forms] or list(own)
    if asked.latest:
        latest: dict[int, Filing] = {}
        for filing in chosen:
            latest.setdefault(filing.company, filing)
        return [(filing, 1.0) for filing in latest.values()]
    ages = (WEIGHTS.newest if filing.number == newest[filing.company] else WEIGHTS.older for filing in own)
    return [(filing, age * _form_factor(filing, asked.forms)) for filing, age in zip(own, ages, strict=True)]


def _rest(own: Sequence[Filing], chosen: Sequence[Filing], periods: Sequence[Date]) -> list[tuple[Filing, float]]:
    """The other filings of the company, behind those that were asked for."""
    known = {filing.number for filing in chosen}
    target = max(period.year for period in periods)
    return [
        (filing, _by_year(filing, target) * WEIGHTS.period_differs * 0.5)
        for filing in own
        if filing.number not in known
    ]


def _target_year(asked: _Asked) -> int:
    """The year whose filing answers: the latest one named; a forecast for a year stands in the year before."""
    if asked.as_of is not None:
        return asked.as_of
    latest = max(period.year for period in asked.periods)
    single = len({period.year for period in asked.periods}) == 1
    return latest - 1 if single and asked.forecast else latest


def _by_year(filing: Filing, target: int) -> float:
    year = filing.year if filing.year is not None else filing.end.year if filing.end else None
    if year is None:
        return WEIGHTS.other_year
    steps = {0: WEIGHTS.same_year, 1: WEIGHTS.year_after, 2: WEIGHTS.two_years_after, -1: WEIGHTS.year_before}
    return steps.get(year - target, WEIGHTS.other_year) * _by_form(filing)


_FILED_AFTER = range(1, 4)  # months behind the end of a year


def _by_day_filed(filing: Filing, periods: Sequence[Date]) -> float:
    """What an annual report counts for a month right after its year: holders of record, what came after its end."""
    end = filing.end
    if filing.form not in ANNUAL or end is None or not end.month:
        return 0.0
    later = {months_of(period) - months_of(end) for period in periods if period.month}
    return 0.0 if later.isdisjoint(_FILED_AFTER) else WEIGHTS.filed_then


def _by_form(filing: Filing) -> float:
    if filing.form in ANNUAL:
        return WEIGHTS.annual
    if filing.form == "earnings" and filing.quarter == 4:
        return WEIGHTS.fourth_quarter
    return WEIGHTS.interim


def _form_factor(filing: Filing, forms: Sequence[str]) -> float:
    if not forms:
        return 1.0
    return WEIGHTS.form_named if filing.form in forms else WEIGHTS.form_differs


def _near(end: Date | None, day: Date) -> bool:
    if end is None or end.month is None or day.month is None:
        return False
    days = (end.month - day.month) * 30 + (end.day or 1) - (day.day or 1)
    return end.year == day.year and abs(days) <= 2  # fiscal years end on a weekday, not on a date


def _tells_of(filing: Filing, month: Date) -> bool:
    """Whether a quarter holds a month, or ended in the month before: what came after its end is told too."""
    if filing.quarter is None or filing.end is None or not filing.end.month:
        return False
    return -1 <= months_of(filing.end) - months_of(month) < _MONTHS_OF_A_QUARTER


def _ends_by(filing: Filing, month: Date) -> bool:
    """Whether a period has ended when a month has."""
    end = filing.end
    return end is not None and (end.year, end.month or 0) <= (month.year, month.month or 0)


def _ends_in(filing: Filing, month: Date) -> bool:
    return filing.end is not None and bool(filing.end.month) and months_of(filing.end) == months_of(month)


def _ends_on_a_day_of(filing: Filing, month: Date) -> bool:
    """Whether a period ends on a day of a month, be it the first: no other period of the company is called by it."""
    return filing.end is not None and (filing.end.year, filing.end.month) == (month.year, month.month)


def months_of(date: Date) -> int:
    """The months up to a date; one that ends on the 2nd is of the month before."""
    month = date.year * 12 + (date.month or 0)
    return month - 1 if (date.day or 28) <= FIRST_DAYS else month


def _not_held(periods: Sequence[Date]) -> str:
    named = ", ".join(dict.fromkeys(period.key for period in periods))
    return f"no filing of the company is of {named}: its other filings are searched"
