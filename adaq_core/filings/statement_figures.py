"""A figure of one company, read off the rows of its statements or computed from them by a formula, behind checks.

A figure is given only where every word of the question has a part in it, each value stands under one label with one
value in a column of the year, the balance sheet balances, revenue less cost of sales is the gross profit where all
three are stated, and a ratio lies in the range of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from adaq_core.filings.conditions import (
    ANNUAL,
    AskedFigure,
    FilingConditions,
)
from adaq_core.filings.formula import FormulaError, LineItem, LineItems, Ratio, computed, read_formula
from adaq_core.filings.pages import StatementPage
from adaq_core.filings.register import Filing, Register, holder_of, once
from adaq_core.filings.rows import (
    Table,
    TableRow,
    table_of,
    values_of,
)
from adaq_core.filings.search import statements_of
from adaq_core.model import Passage
from adaq_core.question.answer_kinds import AUXILIARIES, begins_to_ask
from adaq_core.text.tokens import stem, words
from adaq_core.text.values import Amount, Date, amounts, dates

OF_COSTS = frozenset(
    (
        "cost of sales",
        "capital expenditures",
        "dividends paid",
        "share repurchases",
        "debt repayments",
        "depreciation and amortization",
        "research and development",
        "sga",
        "interest expense",
        "operating expenses",
    )
)
FACTORS = {"": 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_ASKS = re.compile(
    r"(?i)^(?:in |for |as of |at )?(?:what|how much|how many|how (?:deep|large|big|high|low)|calculate|compute)\b"
    r"|\bwhat (?:is|was|were|are)\b"
)
VERB = re.compile(rf"(?i)\b(?:{'|'.join(AUXILIARIES)})\b")
_LONGEST_PHRASE = 18
RISES = re.compile(
    r"\b(?:chang|grow|grew|grown|increas|decreas|declin|fall|fell|fallen|rise|rose|risen|drop|mov(?:e|ed)\b|improv|worsen|shrink|shrank"
    r"|shrunk|slump|plunge|slid\b|slide\b|jump|climb|surg(?:e|ed)\b|soar|how (?:much|far) (?:higher|lower)\b"
    r"|(?:up|down)(?: by)? how (?:much|far)\b"
    r"|(?:was|were|is|are)\b.{2,80}\b(?:up|down)\b|(?:go|goes|going|gone|went) (?:up|down)\b)",
    re.IGNORECASE,
)
GROWTH = re.compile(r"(?i)\bgrowth\b|\bgr[eo]w(?:ing)?\b")
_ASIDE_WORDS = """
segment segments business unit group line arm division closed up down accounted account contribute contributed represent
represented during product products category much grew grow grown increase decrease decline
declined fall fell rise rose drop dropped increased decreased changed per cent six nine twelve month months half
quarters far fast move moved shrink shrank shrunk slump slumped plunge plunged slide slid jump jumped climb climbed
trailing rolling ttm ltm trailing-twelve-month cool cooled slow slowed accelerate accelerated quicken quickened surge
surged higher lower than soar soared badly sharply steeply year-on-year against before earlier prior previous compared
versus late early please books fresh imposed yet holiday
growing rising falling shrinking declining increasing decreasing dropping accelerating slowing
improving improve improved improvement explode exploded side
"""
ASIDE = frozenset(_ASIDE_WORDS.split())
_UP = re.compile(
    r"(?i)\b(?:gr[eo]wn?|growth|growing|increas(?:e|ed|ing)|rise|rose|risen|rising|improv(?:e|ed|ing|ement)|gain"
    r"|went up"
    r"|go(?:ing|ne)? up|jump(?:ed)?|climb(?:ed)?|surged?|soar(?:ed)?|(?:was|were)\b.{2,80}\bup)\b"
)
_DOWN = re.compile(
    r"(?i)\b(?:fall|fell|fallen|falling|decreas(?:e|ed|ing)|declin(?:e|ed|ing)|drop(?:ped|ping)?|shr[iau]nk|shrinking|slump(?:ed)?"
    r"|plunged?|slide|slid|worsen(?:ed|ing)?|down)\b"
)
_RISEN, _FALLEN = (
    r"(?:up|ris\w+|rose|gr[eo]w\w*|increas\w+|higher)",
    r"(?:down|f[ae]ll\w*|decreas\w+|dropp?\w*|lower|shrink\w*)",
)
_UP_OR_DOWN = re.compile(
    rf"(?i)\b(?:{_RISEN} or (?:did (?:it|they) )?{_FALLEN}|{_FALLEN} or (?:did (?:it|they) )?{_RISEN})\b"
)


def unexplained(asked: AskedFigure, register: Register) -> list[str]:
    """The words of a question that have no part in a figure: "Data Center revenue" is not revenue."""
    text = asked.text
    spans = [mention.span for mention in register.companies.named_in(text)]
    spans += [span for _, span in register.profile.named_in(text)]
    spans += [date.span for date in dates(text)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    numbered = {n[1] for n in _NUMBERED.finditer(asked.text) if text[slice(*n.span(1))].strip()}
    return [word for word in words(text) if word in numbered or (word not in _PLAIN_WORDS and not word.isdigit())]


def asks_for_value(text: str) -> bool:
    """Whether a value is asked for: with "what" or "how much", or by a phrase without a verb: "Intel revenue Q3"."""
    is_phrase = len(text.split()) <= _LONGEST_PHRASE and not (begins_to_ask(text) or VERB.search(text))
    return is_phrase or _ASKS.search(text) is not None


def way_named(text: str) -> str:
    """The one way of a change that a text names: "down" in "the drop in net sales"; empty where it names no one way."""
    if _UP_OR_DOWN.search(text):
        return ""
    ways = [way for way, pattern in (("up", _UP), ("down", _DOWN)) if pattern.search(text)]
    return ways[0] if len(ways) == 1 else ""


def answered(text: str, way: str, question: str) -> str:
    """How something changed, behind yes or no where a question asks whether it went one way."""
    asked = way_named(question) if VERB.match(question) else ""
    return f"{'Yes' if asked == way else 'No'}, {text}" if asked else text


_AVERAGE = re.compile(r"(?i)\b(?P<n>\d|two|three|four|five)[- ]year average\b")
_CAGR = re.compile(r"(?i)\bcagr\b|\bcompound(?:ed)? annual growth\b")
_CHANGE = re.compile(r"(?i)\b(?:change|growth|grow|grew|increase|decrease|growth rate)\b")
_MARGIN = re.compile(r"(?i)%? margin\b|\bas (?:an? )?(?:%|percent|percentage) of (?:total |net )*(?:revenue|sales)")
_SHARE_OF = re.compile(r"(?i)\b(?:share|percentage|percent|proportion|fraction|part|how much) of\b")
_IS_SHARE = re.compile(r"(?i)\b(?:share|proportion|fraction|part) of\b")
_WHOLE_AND_PART = 2
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
_NUMBERED = re.compile(  # "Windows 11" is not Windows; "the Acme 10-Q" is Acme's
    r"\b[a-z]*[A-Z][A-Za-z]* (\d{1,3})\b(?! ?%|-?[KQ]\b"
    r"|[ -](?:year|quarter|month|week|day|percent|decimal|million|billion))"
)
_PLAIN = """
what is was were are the of for a an in at and from to by did does do has have much many how amount total net year
years end ended ending unadjusted ratio average change margin percent percentage as its their s fiscal fy q quarter
period revenue cagr growth rate over yoy two three four five million millions billion billions usd us dollars dollar
thousand thousands pay pays paid out report reported company value between using both calculate compute attributable
shareholders common according reach times sold roughly approximately on balance sheet statement cash flow income
statements level had be with that which during when compare compared first second third fourth latest most recent last
spend spent spending spends earn earned make made expenditure expenditures expense expenses costs cost bill share
proportion fraction part went go goes gone into owe owed owes hold held holding holds
carry carries carried high low large big post posts posted book books booked record records recorded log logs logged
register registers registered generate generates generated produce produces produced bring brings brought come comes
came run runs ran stand stands stood show shows showed give me tell us up basis gaap
get gets got making position balance
"""
_PLAIN_WORDS = frozenset(_PLAIN.split())
_MOST_YEARS = 6
SURE = 0.9
_THREE_MONTHS = ("three months ended", "quarter ended", "quarters ended", "13 weeks ended", "thirteen weeks ended")
_MORE_MONTHS = ("six months ended", "nine months ended", "26 weeks", "39 weeks")
_GROSS_TOLERANCE = 0.005  # of assets, and of revenue: statements in millions are rounded


@dataclass(frozen=True, slots=True)
class Operand:
    """A value that was read: the item and year, the label of its row, the value in units, and where it stands."""

    item: str
    year: int
    label: str
    value: float
    statement: str
    filing: str
    passage_id: str
    quote: str
    of: str = ""  # the aspect that it answers, where a question has several


EACH = "each"  # the unit of a figure that names things, each with the sentence that tells of it


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its text with unit, the number as shown, how it came about, and the values that it was made of.

    `denies` says that it contradicts what the question takes for true.
    """

    text: str
    value: float
    unit: str
    derivation: str
    operands: tuple[Operand, ...]
    denies: bool = False

    @property
    def tells_cause(self) -> bool:
        """Whether it answers a question for a cause: with one, or that there was nothing to cause."""
        return self.denies or self.unit == "reason"


def quoted(
    filing: Filing, register: Register, text: str, quotes: Sequence[str], *, value: float = 0.0, unit: str = ""
) -> Figure | None:
    """A figure with the sentences that tell it; None where no passage holds one of them.

    `value` is in the `unit`; without one that of "money" or "percent" is what `text` says, money in whole dollars.
    """
    passages, operands = register.passages(filing.places), list[Operand]()
    told = amounts(text) if unit in ("money", "percent") and not value else ()
    value = told[0].value if told else value
    for quote in dict.fromkeys(quotes):
        holder = holder_of(quote, passages)
        if holder is None:
            return None
        in_units = value * FACTORS.get(unit, 1.0)
        operands.append(operand_of_text(quote, filing, quote, holder, value=in_units))
    return Figure(text, value, unit, f"the sentence “{quotes[0]}”", tuple(operands))


def operand_of_text(what: str, filing: Filing, quote: str, holder: Passage, *, value: float = 0.0) -> Operand:
    """A value that the text of a filing says."""
    return Operand(what, filing.year or 0, what, value, "text", holder.title, holder.passage_id, quote)


def side_by_side(made: Sequence[tuple[str, Figure]]) -> Figure:
    """Several figures as one, each with its name."""
    text = "; ".join(f"{name}: {figure.text}" if name else figure.text for name, figure in made)
    steps = "; ".join(figure.derivation for _, figure in made)
    operands = tuple(operand for _, figure in made for operand in figure.operands)
    return Figure(text, made[0][1].value, made[0][1].unit, steps, operands)


def size(figure: Figure) -> float:
    """A figure as it compares with others of its kind: an amount in units, a percentage as it is shown."""
    if figure.unit not in FACTORS:
        return figure.value
    if len(figure.operands) == 1:
        return figure.operands[0].value
    return figure.value * FACTORS[figure.unit]


# Example: "Are A's gross margins above 40%?" Counter-example: "Did A pay more than B?", which names no amount.
_LIMIT = re.compile(
    r"(?i)(?: by)? (?:(?P<below>(?:less|lower|fewer|smaller) than|below|under|at most)"
    r"|(?:more|higher|greater|larger|bigger) than|above|over|at least|hit"
    r"|(?:exceed|surpass|pass|cross|reach|top)(?:e?s|p?ed)?) (?=[$€£¥]?\d)"
)
_DO = re.compile(r"(?i)^(?:do|does|did)\b")
_CLAIMED = frozenset(map(stem, ("percent", "dollar")))
_AHEAD_OF_AMOUNT = re.compile(
    r"(?i)(?: (?:by|of|at|to|about|around|roughly|nearly|almost|approximately|some|only)){0,3} ?[$€£¥]?$"
)
_HALF_A_POINT, _AS_GOOD_AS = 0.55, 0.0125  # as people round: 12.4 % is 12 %, "$4bn" is 4.04 billion dollars
_LOSES = re.compile(r"(?i)\blos(?:e|es|t|s)\b")


@dataclass(frozen=True, slots=True)
class Limit:
    """The amount above, below or at which a text asks whether a figure lies; `rest` is the text without it."""

    rest: str
    amount: Amount
    where: Literal["above", "below", "at"]

    @property
    def asked(self) -> str:
        """The text as a question for the figure."""
        leads = "How much did" if _DO.match(self.rest) else "What was"
        return VERB.sub(leads, self.rest, count=1)

    @property
    def is_share(self) -> bool:
        """Whether it is a percentage, and no amount of money."""
        return self.amount.unit == stem("percent")

    def holds(self, figure: Figure) -> bool | None:
        """Whether a figure, or by how much percent one fell, lies there; None for one of another unit."""
        if self.is_share != (figure.unit == "percent"):
            return None
        falls = way_named(self.rest) == "down" or _LOSES.search(self.rest)
        return self.is_met_by(-size(figure) if falls else size(figure))

    def is_met_by(self, value: float) -> bool:
        """Whether a value, in units or in percent, lies there."""
        if self.where == "at":
            away = abs(value - self.amount.value)
            return away < _HALF_A_POINT if self.is_share else away <= _AS_GOOD_AS * self.amount.value
        return value < self.amount.value if self.where == "below" else value >= self.amount.value

    def told_of(self, figure: Figure) -> Figure | None:
        """A figure behind yes or no to whether it lies there; None for one of another unit."""
        holds = self.holds(figure)
        if holds is None:
            return None
        return replace(figure, text=f"{'Yes' if holds else 'No'}, {figure.text}")


def limit_in(text: str) -> Limit | None:
    """The limit that a text names, or the one sum or percentage that it claims; None where it names none."""
    said, told = _LIMIT.search(text), amounts(text)
    if said is not None:
        amount = next(each for each in told if each.end > said.end())
        rest = text[: said.start()] + text[amount.said :]
        return Limit(rest, amount, "below" if said["below"] else "above")
    claimed = [each for each in told if each.unit in _CLAIMED]
    if len(claimed) != 1:
        return None
    ahead = _AHEAD_OF_AMOUNT.sub("", text[: claimed[0].start])
    return Limit(f"{ahead}{text[claimed[0].said :]}", claimed[0], "at")


@dataclass(slots=True)
class StatementFigure:
    """One question on its way to a figure; `operands` are the values that were read for it.

    With `beside` it is that of the column which stands beside the report's own: of the year before, or of the last day
    of the fiscal year before.
    """

    asked: AskedFigure
    conditions: FilingConditions
    register: Register
    beside: Literal["", "year before", "year end"] = ""
    operands: dict[tuple[str, int], Operand] = field(default_factory=dict)

    def figure(self) -> Figure | None:
        """The figure; None where none is asked for or it is not plausible; FormulaError where a value is missing."""
        periods = self._periods()
        subject = self._subject()
        if (
            subject is None
            or not periods
            or not asks_for_value(self.asked.text)
            or unexplained(self.asked, self.register)
        ):
            return None
        formula, name, kind = subject
        if self._is_of_a_year(name) and any(period.quarter for period in periods):
            return None  # a quarter's sales are no year's, and its report has no balance of a quarter before
        if kind == "money" and _IS_SHARE.search(self.asked.text):
            return None
        years = sorted({period.year - bool(self.beside) for period in periods})
        value, kind = self._modified(formula, kind, years)
        if not self._is_plausible(name, value, kind):
            return None
        return self._shown(value, kind, formula)

    def _periods(self) -> list[Date]:
        """The periods that the question names; that of its one filing where it names a day, a month, a quarter or none.

        The issuer's "third quarter of fiscal 2024" may be the quarter that its file calls Q3 2023.
        """
        named = [date for date in dates(self.asked.text) if not date.is_day]
        filing, weight = self.conditions.weights[0]
        if weight < SURE and any(date.quarter for date in named):
            return []  # "Q2 fiscal 2023" is no report's own, whatever its file is called
        if self.conditions.spread or weight < SURE or filing.year is None or not self.conditions.is_of_one:
            return named
        if len(named) > 1 or any(not (date.month or date.quarter) for date in named):
            return named
        return [Date(filing.year, quarter=filing.quarter)]

    def _subject(self) -> tuple[str, str, str] | None:
        """Formula, name and kind (money, percent, ratio, days) of what is asked; None where that is not one thing."""
        ratios = list(dict.fromkeys(each for each in self.asked.named if isinstance(each, Ratio)))
        items = self.asked.items
        if len(ratios) == 1 and self._are_parts(items, ratios[0]):
            ratio = ratios[0]
            formula = self.asked.formula or ratio.formula
            if ratio.unit == "money" and _MARGIN.search(self.asked.text):
                return f"({formula}) / revenue", ratio.name, "percent"
            return formula, ratio.name, ratio.unit
        if ratios or not items:
            return None
        name = items[0].name
        if len(items) == _WHOLE_AND_PART and (share := _SHARE_OF.search(self.asked.text)):
            behind = [item for item, span in self.register.profile.named_in(self.asked.text) if span[0] >= share.end()]
            whole = behind[0].name if behind else name
            part = next(item.name for item in items if item.name != whole)
            return f"{part} / {whole}", f"{part} of {whole}", "percent"
        if name != "revenue" and _MARGIN.search(self.asked.text):
            return f"{name} / revenue", name, "percent"
        return (name, name, "money") if len(items) == 1 else None

    def _is_of_a_year(self, name: str) -> bool:
        """Whether a ratio sets what came in or went out in a year against what there was on a day."""
        ratio = self.register.profile.ratios.get(name)
        if ratio is None or self.asked.formula:
            return False
        statements = {item.statement for item in self.register.profile.items_of(ratio)}
        return "balance sheet" in statements and len(statements) > 1

    def _are_parts(self, items: Sequence[LineItem], ratio: Ratio) -> bool:
        """Whether a ratio is made of nothing but these."""
        parts = {item.name for item in self.register.profile.items_of(ratio)}
        return parts.issuperset(item.name for item in items)

    def _modified(self, formula: str, kind: str, years: Sequence[int]) -> tuple[float, str]:
        """The value under "three year average", "CAGR" or "change"; percent of an amount, points of a percentage."""
        text = self.asked.text
        first, last = years[0], years[-1]
        if average := _AVERAGE.search(text):
            count = _NUMBERS.get(average["n"].lower()) or int(average["n"])
            span = range(last - count + 1, last + 1)
            if len(years) > 1 and first != span[0]:
                raise FormulaError("the years named are not those of the average")
            return sum(self._value(formula, year) for year in span) / count, kind
        if _CAGR.search(text) and 0 < last - first <= _MOST_YEARS:
            before = self._value(formula, first)
            after = self._value(formula, last)
            if before <= 0 or after <= 0:
                raise FormulaError("growth of an amount that is not positive")
            return (after / before) ** (1 / (last - first)) - 1, "percent"
        if _CHANGE.search(text) or RISES.search(text):
            return self._change(formula, kind, years)
        if len(years) > 1:
            raise FormulaError("several years for one figure")
        return self._value(formula, last), kind

    def _change(self, formula: str, kind: str, years: Sequence[int]) -> tuple[float, str]:
        if len(years) != 2:
            raise FormulaError("a change needs two years")
        before = self._value(formula, years[0])
        after = self._value(formula, years[1])
        if kind == "money":
            if self.asked.unit not in ("percent", "") or before == 0:
                return after - before, kind
            return (after - before) / abs(before), "percent"
        return after - before, kind

    def _value(self, formula: str, year: int) -> float:
        return computed(read_formula(formula, self.register.profile), self._read, year=year)

    def _read(self, item: LineItem, year: int) -> float | None:
        """The value of an item in a year, from the best filing that states it."""
        key = (item.name, year)
        if key not in self.operands:
            for operand in self._operands(item, year):
                self.operands[key] = operand
                break
        return self.operands[key].value if key in self.operands else None

    def _operands(self, item: LineItem, year: int) -> Iterator[Operand]:
        quarters = {(period.year, period.quarter) for period in self._periods() if period.quarter}
        for filing, _ in self.conditions.weights:
            annual = filing.form in ANNUAL or (filing.form == "earnings" and filing.quarter == 4)
            if quarters and (filing.year, filing.quarter) not in quarters:
                continue
            if annual or quarters:
                yield from self._of_filing(filing, item, year, quarterly=bool(quarters))

    def _of_filing(self, filing: Filing, item: LineItem, year: int, *, quarterly: bool) -> Iterator[Operand]:
        tables = _tables_of(filing, self.register)
        unit = next((table.unit for result, table in tables if table.unit), "")
        for result, table in tables:
            column = _column(table, filing, year, quarterly=quarterly)
            if self.beside == "year end":
                column = _column_of_year_end(table)
            if result.statement != item.statement or column is None:
                continue
            if not _is_sound(table, column, self.register.profile):
                continue
            if quarterly and item.statement != "balance sheet" and not _is_of_quarter(result.page.text, table):
                continue
            yield from self._of_column(result, table, item, column, year, unit=unit)

    def _of_column(
        self, result: StatementPage, table: Table, item: LineItem, column: int, year: int, *, unit: str
    ) -> Iterator[Operand]:
        """The value of an item in a column, where one value is stated and its unit is known."""
        cells = [(row, row_cells[column]) for row, row_cells in values_of(item, table)]
        stated = [(row, cell) for row, cell in cells if cell is not None]
        values = {_as_meant(item, row, cell) for row, cell in stated}
        if len(values) == 1 and (table.unit or unit):
            value = values.pop() * (1.0 if item.is_per_share else FACTORS[table.unit or unit])
            yield self._operand(result.page.places, result.statement, item, year, stated[0][0], value)

    def _operand(
        self, places: Sequence[int], statement: str, item: LineItem, year: int, row: TableRow, value: float
    ) -> Operand:
        passages = self.register.passages(places)
        first_line = row.quote.split("\n")[0]  # a row whose lines two passages share is quoted by its first line
        holder = holder_of(row.quote, passages) or holder_of(first_line, passages) or passages[0]
        quote = row.quote if row.quote in holder.text else first_line
        label = passages[0].title
        return Operand(item.name, year, row.label, value, statement, label, holder.passage_id, quote)

    def _is_plausible(self, name: str, value: float, kind: str) -> bool:
        ratio = self.register.profile.ratios.get(name)
        if kind == "percent" and abs(value) > 20:
            return False
        if ratio is None or ratio.range is None:
            return True
        least, most = ratio.range
        return least <= value <= most

    def _shown(self, value: float, kind: str, formula: str) -> Figure:
        unit = self.asked.unit
        if kind == "percent" or (unit == "percent" and kind == "ratio"):
            decimals = 1 if self.asked.decimals is None else self.asked.decimals
            number = 100 * value
            text = f"{number:.{decimals}f}%"
            unit = "percent"
        elif formula in self.register.profile.items and self.register.profile.items[formula].is_per_share:
            text, number, unit = per_share(value, "$"), value, ""
        elif kind == "money":
            sign, billions = "-" if value < 0 else "", abs(value) / FACTORS["billion"]
            is_long = not unit and billions >= 1 and self.asked.decimals is None
            unit = unit or ("million" if abs(value) >= FACTORS["million"] else "")  # which statements are in
            number = value / FACTORS[unit]
            text = f"{sign}${_amount(abs(number), unit, self.asked.decimals)} {unit}".strip()
            text = f"{text} ({sign}${in_billions(billions)})" if is_long else text
        else:
            decimals = 2 if self.asked.decimals is None else self.asked.decimals
            text = f"{value:.{decimals}f}{' days' if kind == 'days' else ''}"
            number = value
            unit = kind
        operands = tuple(self.operands[key] for key in sorted(self.operands))
        return Figure(text, number, unit, _derivation(formula, operands), operands)


_BENEFIT = re.compile(r"(?i)^(?:income tax )?benefit \((?:provision|expense)")


def _as_meant(item: LineItem, row: TableRow, cell: float) -> float:
    """A cell of a row as its item counts it: costs without a sign, and what a "benefit (provision)" takes as a cost."""
    if item.name in OF_COSTS:
        return abs(cell)
    is_turned = item.name == "income taxes" and _BENEFIT.match(row.label)
    return -cell if is_turned else cell


_LARGE = 10
_EXACT = 1e-6


def in_billions(billions: float) -> str:
    """An amount as people say it: 81.8 billion, half a tenth rounded up; with two decimals where these are exact."""
    hundredths = round(billions * 100)
    is_exact = abs(hundredths - billions * 100) < _EXACT and hundredths % 10
    return f"{hundredths / 100:,.2f} billion" if is_exact else f"{int(billions * 10 + 0.5) / 10:,.1f} billion"


def per_share(value: float, mark: str) -> str:
    """An amount for one share, with its cents: $2.20."""
    cents = f"{abs(value):.2f}"
    if float(cents) == abs(value):
        exact = cents
    else:
        exact = f"{abs(value):.10g}"
    return f"{'-' if value < 0 else ''}{mark}{exact}"


def _amount(number: float, unit: str, decimals: int | None) -> str:
    if decimals is not None:
        return f"{number:,.{decimals}f}"
    text = f"{number:,.2f}"
    # $81.8 billion, as filings write it; small numbers keep their cents.
    short = (number == round(number) and unit != "billion") or (unit == "billion" and number >= _LARGE)
    return text.rstrip("0").rstrip(".") if short else text


def _derivation(formula: str, operands: Sequence[Operand]) -> str:
    """How the figure came about: the formula, and each value with its row and year."""
    values = []
    of_one_share = all("per share" in operand.item for operand in operands)
    for operand in operands:
        if of_one_share:
            millions = f"{operand.value:g}"
        else:
            millions = _amount(operand.value / 1e6, "million", None)
        values.append(f"{operand.label} {operand.year}: {millions}")
    first = operands[0]
    is_read = len(operands) == 1 and formula == first.item  # read off a row, nothing was computed
    source = f"the {first.statement}:" if is_read else f"{formula}, with"
    return f"{source} {'; '.join(values)}{'' if of_one_share else ' (millions)'}"


@once
def _tables_of(filing: Filing, register: Register) -> list[tuple[StatementPage, Table]]:
    """The statement pages of a filing with the table that each holds: every item and year is looked for in them."""
    return [(result, table_of(result.page.text)) for result in statements_of(filing, register)]


def _column(table: Table, filing: Filing, year: int, *, quarterly: bool) -> int | None:
    """The column of a fiscal year: the newest one is the filing's own; by the year itself where that does not fit."""
    if not table.years:
        return None
    newest = max(table.years)
    ends = {filing.year, filing.end.year if filing.end else None}
    if filing.year is not None and newest in ends:
        wanted = newest - (filing.year - year)
    else:
        wanted = year
    if wanted not in table.years:
        return None
    if not quarterly and table.years.count(wanted) > 1:
        return None
    return table.years.index(wanted)


def _column_of_year_end(table: Table) -> int | None:
    """The column of the last day of the fiscal year in the balance sheet of a quarter, which has two."""
    one, *others = table.years
    if len(others) != 1:
        return None
    return 0 if one < others[0] else 1  # in the one year that both are of, the report's own comes first


def _is_of_quarter(text: str, table: Table) -> bool:
    """Whether the first column of a year is a quarter: three months are named, and first where others are too."""
    head = " ".join(text[:3_000].lower().split())
    quarters = [head.find(span) for span in _THREE_MONTHS if span in head]
    longer = [head.find(span) for span in _MORE_MONTHS if span in head]
    if not quarters or not table.years:
        return False
    return not longer or min(quarters) < min(longer)


def _is_sound(table: Table, column: int, profile: LineItems) -> bool:
    """Whether the sums that a statement states of itself hold in this column."""
    assets = _only(table, column, profile.items.get("total assets"))
    claims = _only(table, column, profile.items.get("total liabilities and equity"))
    if assets is not None and claims is not None and abs(assets - claims) > abs(assets) * _GROSS_TOLERANCE:
        return False
    revenue = _only(table, column, profile.items.get("revenue"))
    cost = _only(table, column, profile.items.get("cost of sales"))
    gross = _only(table, column, profile.items.get("gross profit"))
    if revenue is None or cost is None or gross is None:
        return True
    return abs(revenue - abs(cost) - gross) <= abs(revenue) * _GROSS_TOLERANCE


@once
def unsound_places(filing: Filing, register: Register) -> frozenset[int]:
    """The places of the statements of a filing whose own sums do not hold in its period."""
    found = set[int]()
    for result, table in _tables_of(filing, register):
        quarterly = filing.quarter is not None
        column = _column(table, filing, filing.year or 0, quarterly=quarterly)
        if column is not None and not _is_sound(table, column, register.profile):
            found.update(result.page.places)
    return frozenset(found)


def _only(table: Table, column: int, item: LineItem | None) -> float | None:
    if item is None:
        return None
    values = {cells[column] for _, cells in values_of(item, table)}
    return values.pop() if len(values) == 1 else None
