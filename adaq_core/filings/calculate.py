"""A figure of one company: from its statements, from the row of any table, or as a sentence of its filing says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from adaq_core.filings.conditions import (
    ANNUAL,
    YEAR_END,
    AskedFigure,
    FilingConditions,
    asks_for_forecast,
    conditions_of,
    months_of,
    read_asked,
)
from adaq_core.filings.disclosures import of_disclosures, of_officers
from adaq_core.filings.formula import FormulaError, LineItem, LineItems, Ratio, letters_of
from adaq_core.filings.register import Filing, Register, holder_of, once
from adaq_core.filings.rows import TableRow
from adaq_core.filings.sentence_figures import (
    AT_A_DAY,
    CAPITALS,
    OF_DECLARED,
    SHARE_ASKED,
    AskedOfFiling,
    SaidFigure,
)
from adaq_core.filings.sentences import (
    SPENT,
)
from adaq_core.filings.statement_figures import (
    FACTORS,
    OF_COSTS,
    RISES,
    SURE,
    VERB,
    Figure,
    Operand,
    StatementFigure,
    answered,
    in_billions,
    per_share,
    unexplained,
    unsound_places,
)
from adaq_core.filings.tables import cell_of_period, partitions, rows_for, table_rows
from adaq_core.question.parse import ParsedQuestion
from adaq_core.text.tokens import terms_of, words
from adaq_core.text.values import MONTHS, Date, dates

_CHANGES_IN = re.compile(r"(?i)changes? in\b")
_NAME_BEFORE = re.compile(r"[A-Z][\w&-]{1,20}(?: (?:(?:and|of|the|for) )?[A-Z][\w&-]{0,20}){1,6}$")
_LONGEST_NAME = 80
_NOT_THE_ITEM = frozenset(("other", "without", "excluding", "except"))  # "other revenue" is not revenue
_AND_OTHER = re.compile(r"(?i)\b(?:and|&) other\b")  # the end of a name: "OEM and Other"
_OF_PARTS = frozenset(("segment", "segments", "unit", "division"))
_SPENDS = re.compile(
    r"(?i)\b(?:costs?|spends?|spent|spending|expens(?:e|es)|bills?|charges?|pay|paid|payments?|los(?:e|s|t|es|ses))\b"
)
_WHEN = re.compile(r"(?i)(?:since |until |by )?when\b")
_ROUNDED = 0.6  # percent; by how much a change that a report states may be off by its rounding
_BY_HOW_MUCH = re.compile(r"(?i)\bby how much\b|\bhow much (?:more|less|higher|lower|larger|bigger|smaller)\b")
_COSTS = re.compile(
    r"(?i)cost|expens|charge|purchase|payment|paid|compensation|depreciation|amorti|severance|tax|interest|rent|marketing|research"
)
_OF_A_LOSS = re.compile(r"(?i)\bnet loss|\boperating loss|\bin the red\b")
_MOST_SUBJECT = 5
_OF_A_COUNT = re.compile(r"(?i)\b(?:employees|headcount|number of|members|customers|stores|staff|people)\b")
_PER_SHARE = re.compile(r"(?i)\b(?:per|a|each) share\b")
_OF_SHARES = re.compile(  # "Diluted" below it is a count of shares
    r"(?i)\bshares (?:used|issued|outstanding|of common stock outstanding)\b|\bweighted[- ]average\b.{0,40}\bshares\b"
    r"|\bnumber of shares\b"
)
_RATIO = re.compile(r"(?i)\bratio\b")
_OF_GROWTH = re.compile(r"(?i)\bgrowth\b|\bchange\b|\bincrease\b")
_TOTAL = re.compile(r"(?i)\btotal\b")
_Read = tuple[TableRow, int, float]
_PROFIT = re.compile(
    r"(?i)\b(?:(?:make|turn|earn|report|post|show)(?:s|ed|ing)?|making|made|have|had) (?:a |any |an )?"
    r"(?:(?P<of>net |operating )?(?P<kind>profit|loss|money)"
    r"|(?:(?P<sign>positive|negative) )(?P<of_income>net |operating )(?:income|earnings))\b"
    r"|\b(?:profitable|in the black|in profit)\b|\b(?P<bad>loss-making|unprofitable|in the red|los(?:e|ing) money)\b"
)

_A_RESULT = r"(?:an? )?(?:net |operating )?"
# Example: "Did Acme make or lose money in Q1 2023?" Counter-example: "Did Acme make a profit or pay a dividend?"
_PROFIT_OR_LOSS = re.compile(
    rf"(?i)\b(?:(?:make|report|post|record|show|turn|have) {_A_RESULT}"
    rf"(?:profit or {_A_RESULT}loss|loss or {_A_RESULT}profit)"
    r"|(?:make|earn) (?:money )?or lose (?:money|it)|(?:making|earning) (?:money )?or losing (?:money|it)"
    r"|profitable or (?:not|unprofitable|loss-making|losing money)|in the black or (?:in )?the red)\b"
)


def of_one(question: ParsedQuestion | str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The figure of one company: from its statements, else from the row of any table; no loss where it was none."""
    return of_asked(read_asked(question, register.profile), conditions, register)


def of_cause(change: str, conditions: FilingConditions, register: Register, *, offsets: bool = False) -> Figure | None:
    """Why something rose or fell, as its report says; `change` is what the question asks the cause of.

    What partially offset it, with `offsets`.
    """
    if len(conditions.companies) != 1:
        return None
    asked = read_asked(change, register.profile)
    # "Client Computing revenue", "CCG revenue"
    written = (_spelled_out(asked, conditions, register), asked, _in_initials(asked, conditions, register))
    told = (SaidFigure(each, conditions, register).cause(offsets=offsets) for each in dict.fromkeys(written))
    return next(filter(None, told), None)


def of_sign(question: str, register: Register) -> Figure | None:
    """Whether a company or a part of one made a profit, with the net or the operating income."""
    is_either = _PROFIT_OR_LOSS.search(question) is not None
    question = _PROFIT_OR_LOSS.sub("make a profit", question)
    profit = _PROFIT.search(question)
    if profit is None or not VERB.match(question):
        return None
    asks_for_loss = bool(profit["bad"]) or (profit["kind"] or "").lower() == "loss" or profit["sign"] == "negative"
    of = (profit["of"] or profit["of_income"] or "").strip().lower()
    for item in [f"{of} income"] if of else ["net income", "operating income"]:
        rest = VERB.sub("", f"{question[: profit.start()]} {item} {question[profit.end() :]}", count=1)
        figure = of_text(f"What was {' '.join(rest.split())}", register)
        if figure is not None and figure.value:
            if is_either:
                said = "a loss" if figure.value < 0 else "a profit"
            else:
                said = "Yes" if (figure.value < 0) == asks_for_loss else "No"
            return replace(figure, text=f"{said}, {item}: {figure.text}")
    return None


def of_text(text: str, register: Register) -> Figure | None:
    """The figure of one company that a text asks for, under the conditions that it names."""
    own = conditions_of(text, register)
    if own is None:
        return None
    return of_one(text, own, register) or of_year_before(text, own, register) or of_year_end(text, own, register)


def of_year_before(text: str, own: FilingConditions | None, register: Register) -> Figure | None:
    """The figure of a period that no report is of, as the report of a year later tells it beside its own.

    `own` are the conditions that the text names.
    """
    named = dates(text)
    if own is None or len(named) != 1 or RISES.search(text) or (own.is_of_one and own.weights[0][1] >= SURE):
        return None
    start, end = named[0].span
    year = str(named[0].year)
    later = f"{text[:start]}{text[start:end].replace(year, str(named[0].year + 1))}{text[end:]}"
    conditions = conditions_of(later, register)
    if later == text or conditions is None or len(conditions.companies) != 1:
        return None
    asked = _spelled_out(read_asked(later, register.profile), conditions, register)
    return _RowFigure(asked, conditions, register).figure(years_before=1)


def of_year_end(text: str, own: FilingConditions, register: Register) -> Figure | None:
    """What stood in the books on the last day of a fiscal year, as the balance sheets of its next quarters tell too."""
    named = dates(text)
    if len(named) != 1 or len(own.companies) != 1:
        return None
    (start, end), filings = named[0].span, register.of_company(own.companies[0])
    asked = read_asked(f"{text[:start]} {text[end:]}", register.profile)
    statements = {item.statement for item in asked.items}
    later = [filing for filing in filings if _begins_after(filing, named[0], text)]
    if not later or statements != {"balance sheet"} or len(asked.items) != len(set(asked.named)):
        return None
    if asked.items[0].name == "long-term debt" and "long-term" not in text.lower():
        return None  # a part of what is owed
    counted = replace(later[0], year=later[0].own[0] if later[0].own else later[0].year)
    conditions = replace(own, weights=((counted, 1.0),), spread=False)
    with suppress(FormulaError):
        return StatementFigure(asked, conditions, register, beside="year end").figure()
    return None


def _begins_after(filing: Filing, day: Date, text: str) -> bool:
    """Whether a quarterly report is of the fiscal year that begins behind a day, or behind the year that is named."""
    year, quarter = filing.own or (filing.year, filing.quarter)
    if not (year and quarter and filing.end and filing.end.month) or day.quarter:
        return False
    if day.is_fiscal:
        return day.year == year - 1 and YEAR_END.search(text, 0, day.span[0]) is not None
    if day.month is None and YEAR_END.search(text, 0, day.span[0]) is None:
        return False
    ended = Date(day.year, day.month or len(MONTHS), day.day)
    return months_of(filing.end) - months_of(ended) == _QUARTER * quarter


_QUARTER = 3  # months


def ratio_of_year_before(text: str, register: Register) -> Figure | None:
    """A ratio that a text asks for, from the columns of a year before that the statements of its report set beside."""
    conditions = conditions_of(text, register)
    if conditions is None or not conditions.is_of_one:
        return None
    with suppress(FormulaError):
        return StatementFigure(read_asked(text, register.profile), conditions, register, beside="year before").figure()
    return None


def of_asked(asked: AskedFigure, conditions: FilingConditions, register: Register) -> Figure | None:
    """The figure of one company that a question which was read asks for."""
    if len(conditions.companies) != 1:
        return None
    asked = _of_dividends(asked, register.profile)
    if other := of_disclosures(asked, conditions, register):
        return other
    is_of_role, officers = of_officers(asked, conditions, register)
    if is_of_role or officers:
        return officers
    if _WHEN.match(asked.text):
        return None  # that it rose does not say when it last did
    figure: Figure | None = None
    with suppress(FormulaError):
        figure = StatementFigure(asked, conditions, register).figure()
    spelled = _spelled_out(asked, conditions, register)
    row = _RowFigure(spelled, conditions, register)
    said = SaidFigure(spelled, conditions, register)
    total, is_told = said.total()
    if total or (is_told and not _is_of_total(figure)):
        figure = total  # what a balance sheet has a row of is but the part that is due within a year
    elif asks_for_forecast(asked.text):
        figure = said.figure()  # no statement and no table tells what is expected
    elif any(item.name in SPENT for item in asked.items):
        figure = said.figure() or figure or row.figure()  # a row of equity counts taxes and shares withheld too
    else:
        readers = (row.figure, said.figure)
        figure = figure or next(filter(None, (read() for read in readers)), None)
    return _no_loss(figure, asked.text)


def _is_of_total(figure: Figure | None) -> bool:
    """Whether a figure was read from a row that is called a total."""
    return figure is not None and figure.operands[0].label.lower().startswith("total")


def _of_dividends(asked: AskedFigure, profile: LineItems) -> AskedFigure:
    """The question with dividends per share as its item, where that is what it asks for of dividends."""
    is_of_one_share = _PER_SHARE.search(asked.text) is not None
    if not is_of_one_share or [item.name for item in asked.named] != ["dividends paid"]:
        return asked
    return replace(asked, named=(profile.items["dividends per share"],))


def _spelled_out(asked: AskedFigure, conditions: FilingConditions, register: Register) -> AskedFigure:
    """The question with the long names of the initials that the filing gives for them: "Client Computing (CCG)"."""
    short = list(dict.fromkeys(CAPITALS.findall(asked.text)))
    filing = conditions.weights[0][0]
    if not short or not conditions.is_of_one:
        return asked
    known, spelled = _names_of_initials(filing, register), asked.text
    for initials in short:
        name = known.get(initials, "")
        if name and initials not in name:  # "VLSI Technology LLC (VLSI)" is but longer
            spelled = re.sub(rf"\b{initials}\b", name, spelled)
    return replace(asked, text=spelled)


def _in_initials(asked: AskedFigure, conditions: FilingConditions, register: Register) -> AskedFigure:
    """The question with the initials that the filing gives for the names in it, which its sentences go on with."""
    text = asked.text
    known = _names_of_initials(conditions.weights[0][0], register) if conditions.is_of_one else {}
    for initials, name in known.items():
        if len(name.split()) > 1:
            text = re.sub(rf"(?i)\b{re.escape(name)}\b(?: group)?", initials, text)
    return replace(asked, text=text)


_IN_BRACKETS = re.compile(rf" \((?P<initials>{CAPITALS.pattern})\)")


@once
def _names_of_initials(filing: Filing, register: Register) -> dict[str, str]:
    """The initials that a filing has in brackets, and the name in front of the first of each; empty without one."""
    text, names = register.text_of(filing), dict[str, str]()
    for match in _IN_BRACKETS.finditer(text):
        ahead = text[max(0, match.start() - _LONGEST_NAME) : match.start()]
        name = _NAME_BEFORE.search(ahead)
        names.setdefault(match["initials"], name.group() if name else "")
    return names


def _no_loss(figure: Figure | None, asked: str) -> Figure | None:
    """The figure; where a loss is asked for and an income was found, that it was none."""
    if figure is None or not _OF_A_LOSS.search(asked) or RISES.search(asked) or len(figure.operands) != 1:
        return figure
    is_income = "income" in figure.operands[0].label.lower() and figure.unit in FACTORS and figure.operands[0].value > 0
    return replace(figure, text=f"no loss, an income of {figure.text}", denies=True) if is_income else figure


class _RowFigure(AskedOfFiling):
    """A figure that stands in one row of one filing's tables, in all of them the same."""

    __slots__ = ()

    def figure(self, *, years_before: int = 0) -> Figure | None:
        """The value of the row, or how it changed; that of a year before its report by `years_before`."""
        filing = self._filing()
        items = [_as_item(each) for each in dict.fromkeys(self.asked.named)]
        if filing is None or len(items) > 1 or not self._asks():
            return None
        item = items[0] if items else self._of_growth()
        months = self._months(filing, item)
        year = (filing.end.year if filing.end else filing.year or 0) - years_before
        read = self._read(filing, item, months, year)
        if read is None:
            return None
        row, place, value = read
        asks_margin = item is None and _MARGIN.search(self.asked.text)
        if asks_margin and not any(map(_MARGIN.search, (*row.heads, row.label))):
            return None  # "Net Sales Mix: AWS 16%" is no margin of it
        if RISES.search(_besides(row.label, self.asked.text)):
            return self._changed(filing, row, place, value, months, year)
        if item is not None and item.is_per_share:
            text = per_share(value, row.mark)
        elif (cell := cell_of_period(row, months, year)) and cell[1]:
            text = f"{value:g}%"
        else:
            text = money_in(value, row)
        operand = self._operand(filing, row, place, value, year)
        in_words = _row_in_words(row, value, year, in_percent=text.endswith("%"))
        return Figure(text, value, row.unit, f"the row {in_words}", (operand,))

    def _read(self, filing: Filing, item: LineItem | None, months: int, year: int) -> _Read | None:
        """The row, its place and its value; None unless all rows that fit state the same."""
        subject = self._subject()
        if item is not None and item.name == "dividends per share":
            subject -= OF_DECLARED
        left = unexplained(self.asked, self.register)
        is_beside = item and _NOT_THE_ITEM & set(left) and not _AND_OTHER.search(self.asked.text)
        if len(subject) > _MOST_SUBJECT or not (subject or item) or is_beside:
            return None
        if not subject and _OF_PARTS.intersection(left):
            return None  # "segment revenue" is not that of the whole
        rows = rows_for(
            self._rows_that_may_tell(filing, item, left),
            subject=subject,
            item=item,
            profile=self.register.profile,
            asked=terms_of(self.asked.text),
            anywhere=filing.form.endswith("report"),
        )
        shares = self._is_of_percent()
        kept = self._values_of(rows, item, months, year, shares=shares)
        per_share = item is not None and item.is_per_share
        whole = [each for each in kept if shares or each[0].is_per_share == per_share]
        if per_share and not whole:
            return None
        likest = self._of_statements(_likest(whole or kept, self.asked.text))
        costs = item.name in OF_COSTS if item is not None else _SPENDS.search(self.asked.text) is not None
        values = {abs(amount) if costs else amount for _, _, amount in likest}
        if len(values) > 1 and item is not None and subject:
            likest = self._adding_up(likest, filing, item, months)
            values = {amount for _, _, amount in likest}
        if len(values) != 1:
            return None
        row, place, _ = likest[0]
        return (row, place, values.pop()) if shares or row.unit else None

    def _adding_up(self, rows: Sequence[_Read], filing: Filing, item: LineItem, months: int) -> list[_Read]:
        """Those rows of parts that add up with others to the item of the whole: sales to others, not between parts."""
        label = self.register.companies.labels[filing.company]
        when = f"FY {filing.year}" if filing.form in ANNUAL else ""
        whole = of_text(f"{label} {item.name} in {when}", self.register) if when else None
        if whole is None or len(whole.operands) != 1:
            return []
        made = partitions(filing, whole.operands[0].value, months, self.register)
        parts = {(part.name, part.amount) for each in made for part in each}
        return [(row, place, value) for row, place, value in rows if (row.label, value) in parts]

    def _rows_that_may_tell(
        self, filing: Filing, item: LineItem | None, left: Sequence[str]
    ) -> list[tuple[TableRow, int]]:
        """The rows of a filing without counts and shares of stock, and without what the question does not ask for."""
        low = self.asked.text.lower()  # "Physical stores" may be sales, where they are asked for
        every = [(row, place) for row, place, counted in rows_of_amounts(filing, self.register) if counted in low]
        subject = self._subject()
        every = [each for each in every if not _is_left_out(each[0].label, subject) or " net of " in low]
        if "other" not in left:  # other income is no income
            every = [each for each in every if not f"{each[0].label} ".startswith("Other ")]
        if item is None and _SPENDS.search(self.asked.text):
            every = [each for each in every if _is_of_costs(each[0])]
        if not RISES.search(self.asked.text) and not (item and item.statement.startswith("cash flow")):
            every = [each for each in every if not _CHANGES_IN.match(" ".join(each[0].heads[-1:]))]
        return every

    def _values_of(
        self, rows: Iterable[tuple[TableRow, int]], item: LineItem | None, months: int, year: int, *, shares: bool
    ) -> list[_Read]:
        """The rows that have a value of the time asked for, percentages where `shares` are; growth is no share."""
        in_notes = item is not None and item.statement == "notes"
        is_owed = item is not None and item.name.endswith("liabilities")
        of_a_day = in_notes and (is_owed or AT_A_DAY.search(self.asked.text))
        kept: list[_Read] = []
        for row, place in rows:
            if shares and _OF_GROWTH.search(" ".join((*row.heads, row.label))):
                continue
            cell = cell_of_period(row, months, year)
            if cell is None and of_a_day:
                cell = cell_of_period(row, 0, year)
            value, percent = cell or (None, False)
            if value is not None and percent == shares:
                kept.append((row, place, value))
        return kept

    def _is_of_percent(self) -> bool:
        """Whether percentages are asked for; how much an amount changed in percent is worked out from amounts."""
        ratio = any(isinstance(each, Ratio) and each.unit == "percent" for each in self.asked.named)
        if not self.asked.named and _RATIO.search(self.asked.text):
            return True  # of a table: "CET1 capital ratio 12.2%"
        return SHARE_ASKED.search(self.asked.text) is not None and (ratio or not RISES.search(self.asked.text))

    def _of_statements(self, rows: Sequence[_Read]) -> Sequence[_Read]:
        """The rows of statements where rows of notes say something else: "Fulfillment" has a part of stock awards."""
        own = [each for each in rows if each[0].is_under(self.register.profile.headings)]
        return own if own and len({value for _, _, value in rows}) > 1 else rows

    def _changed(
        self, filing: Filing, row: TableRow, place: int, value: float, months: int, year: int
    ) -> Figure | None:
        if not months and filing.form not in ANNUAL:
            return None  # beside a quarter's end stands that of the last fiscal year, which is no year before
        before = cell_of_period(row, months, year - 1)
        if before is None or before[0] == 0:
            return None
        stated = row.change(months, year) or row.change(0, year)
        percent = 100 * (value - before[0]) / abs(before[0])
        if stated is not None and abs(stated - percent) > _ROUNDED:
            percent = stated
        way = "up" if percent >= 0 else "down"
        if row.is_per_share:
            old, new = (per_share(each, row.mark) for each in (before[0], value))
        else:
            old, new = (money_in(each, row, short=False) for each in (before[0], value))
        text = f"{way} {abs(percent):.0f}%, from {old} to {new}"
        if _BY_HOW_MUCH.search(self.asked.text) and not row.is_per_share:
            moved = money_in(abs(value - before[0]), row, short=False)
            text = f"{way} {moved} ({abs(percent):.0f}%), from {old} to {new}"
        if before[0] < 0:
            text = f"{way} from {old} to {new}"  # a percentage of a loss tells nothing
        if before[1]:
            text = f"{'up' if value >= before[0] else 'down'} from {before[0]:g}% to {value:g}%"
        text = answered(text, way, self.asked.text)
        step = f"the row {_row_in_words(row, value, year)}; {year - 1}: {before[0]:,.10g} ({row.unit}s)"
        return Figure(text, percent, "percent", step, (self._operand(filing, row, place, value, year),))

    def _operand(self, filing: Filing, row: TableRow, place: int, value: float, year: int) -> Operand:
        return operand_of_row(filing, self.register, row, place, value, year)


def operand_of_row(filing: Filing, register: Register, row: TableRow, place: int, value: float, year: int) -> Operand:
    """A value of a row of a table, with the passage that holds it."""
    near = (place, place - 1, place + 1)  # a table may go on in the passage before or after
    passages = register.passages([number for number in near if number in filing.places])
    holder = holder_of(row.quote, passages) or passages[0]
    quote = row.quote if row.quote in holder.text else row.label
    amount = value * FACTORS[row.unit]
    return Operand(row.label, year, row.label, amount, "table", holder.title, holder.passage_id, quote)


_NET_OF = re.compile(r"(?i),? net of\b")


def _is_left_out(label: str, subject: frozenset[str]) -> bool:
    """Whether a row tells what is left without what is asked for: "Interest, net of capitalized interest"."""
    ahead, *behind = _NET_OF.split(label, maxsplit=1)
    return any(subject & terms_of(each) - terms_of(ahead) for each in behind)


def _as_item(named: LineItem | Ratio) -> LineItem:
    """An item, or what a filing computes itself as the item of a row that bears its name: "Free cash flow"."""
    if isinstance(named, LineItem):
        return named
    names = dict.fromkeys(letters_of(word) for word in (named.name, *named.words))
    labels = (*(f"={name}" for name in names), *(f"={name}percentage" for name in names))
    return LineItem(named.name, "notes", named.words, labels)


def _besides(label: str, asked: str) -> str:
    """What a question says besides the words of a label: "Change in fair value" is an amount."""
    own = set(words(label))
    return " ".join(word for word in asked.split() if not own.intersection(words(word)))


@once
def rows_of_amounts(filing: Filing, register: Register) -> list[tuple[TableRow, int, str]]:
    """The rows of a filing that count no shares of stock, with the word for the people or places that one counts.

    Without those of statements whose own sums do not hold.
    """
    unsound = unsound_places(filing, register)
    every = table_rows(filing, register)
    sound = ((row, place) for row, place in every if place not in unsound)
    rows = [(row, place) for row, place in sound if not _OF_SHARES.search(_head_and_label(row))]
    counted = (_OF_A_COUNT.search(row.label) for row, _ in rows)
    return [
        (row, place, word.group().lower() if word else "") for (row, place), word in zip(rows, counted, strict=True)
    ]


def _head_and_label(row: TableRow) -> str:
    """The label of a row behind the head right above it."""
    return " ".join((*row.heads[-1:], row.label))


def _is_of_costs(row: TableRow) -> bool:
    """Whether a row, or the head above it, tells of costs: what the iPhone cost is not its net sales."""
    return _COSTS.search(" ".join((*row.heads[-1:], row.label))) is not None


def _likest(rows: Sequence[_Read], asked: str) -> Sequence[_Read]:
    """The rows of the total where a total is asked for and some row is one; else all."""
    totals = [each for each in rows if _TOTAL.search(each[0].label)]
    return totals if totals and _TOTAL.search(asked) else rows


_MARGIN = re.compile(r"(?i)\bmargins?\b")


def _row_in_words(row: TableRow, value: float, year: int, *, in_percent: bool = False) -> str:
    if row.heads:
        head = f"{row.heads[-1].strip(' :')}: "
    else:
        head = ""
    if in_percent:
        return f"{head}{row.label} {year}: {value:g}%"
    if row.unit and not row.is_per_share:
        return f"{head}{row.label} {year}: {value:,.10g} ({row.unit}s)"
    return f"{head}{row.label} {year}: {value:g}"


def money_in(value: float, row: TableRow, *, short: bool = True) -> str:
    """An amount as its row states it, and in billions where it has as many and `short` is wanted too."""
    sign, mark = "-" if value < 0 else "", row.mark
    front = f"{mark}{sign}" if mark.endswith(" ") else f"{sign}{mark}"
    exact = f"{front}{abs(value):,.10g} {row.unit}".strip()
    billions = abs(value) * FACTORS[row.unit] / FACTORS["billion"]
    return f"{exact} ({front}{in_billions(billions)})" if short and billions >= 1 and row.unit != "billion" else exact
