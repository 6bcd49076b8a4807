"""One figure over time: in several quarters, in the one where it was highest, from one to another; how it changed.

None where one of several quarters has none, as for figures of several companies (`compared.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from adaq_core.filings.asked_together import (
    ONE_CHANGE,
    counted_as,
    months_to_date,
    quarters_of,
    quarters_of_year,
    year_to_date,
)
from adaq_core.filings.calculate import (
    money_in,
    of_text,
    operand_of_row,
    ratio_of_year_before,
    rows_of_amounts,
)
from adaq_core.filings.compared import (
    FEWEST_SIDES,
    HOW_MUCH_MORE,
    LEADS_TO_DATE,
    MOST_SIDES,
    WHO_MORE,
    beside_each_other,
    item_asked,
    looked_up,
    multiplied,
    told_apart,
)
from adaq_core.filings.conditions import (
    DOUBLED,
    MOST,
    FilingConditions,
    in_words_of_filings,
    read_asked,
)
from adaq_core.filings.formula import LineItem, Ratio
from adaq_core.filings.register import Filing, Register
from adaq_core.filings.rows import TableRow
from adaq_core.filings.statement_figures import (
    ASIDE,
    FACTORS,
    OF_COSTS,
    RISES,
    SURE,
    VERB,
    Figure,
    Operand,
    answered,
    asks_for_value,
    limit_in,
    side_by_side,
    size,
    unexplained,
    way_named,
)
from adaq_core.filings.tables import rows_for
from adaq_core.text.values import Date, dates, days

# Not a year before, which the tables of a report set beside a quarter.
AGAINST_QUARTER_BEFORE = re.compile(
    r"(?i),? ?\b(?:sequential(?:ly)?|quarter[- ](?:over|on|to)[- ]quarter|qoq"
    r"|(?:(?:compared|relative) (?:with|to)|vs\.?|versus|from|over|than|against|on|since) (?:that of )?(?:the |its )?"
    r"(?:previous|prior|preceding|last) quarter(?: to(?= (?:the )?Q[1-4]\b))?)\b"
)
_WHICH_QUARTER = re.compile(
    r"(?i)^(?P<ahead>(?:in |during )?(?:which|what) (?:fiscal )?quarters?(?:,? (?:of|in) (?:fiscal |FY ?)?20\d\d)?,?) "
    r"(?:did|was|were|is) (?P<what>.{3,120})$"
)
_OWNER = r"[A-Z][\w.&-]{0,30}(?: [\w.&-]{1,30}){0,3}?"
_HOW_GOOD = r"(?:best|strongest|biggest|largest|worst|weakest|smallest)"
# "What was A's best quarter": by what it took in.
_BEST_QUARTER = re.compile(
    rf"(?i)^(?:(?:which|what) quarter (?:was|is) (?P<who>{_OWNER})['’]s (?P<how>{_HOW_GOOD})(?: quarter)?"
    rf"|(?:which|what) (?:was|is) (?P<whose>{_OWNER})['’]s (?P<what>{_HOW_GOOD}) quarter)"
    r"(?P<when> (?:in|of) (?:fiscal |FY ?)?20\d\d)?(?: (?:by|in terms of|for) (?P<by>[^?]{3,40}?))?\??$"
)
_LOSS = re.compile(r"(?i)\b(?P<of>net |operating )?loss(?:es)?\b")
_DANGLING = re.compile(r"(?i),? \b(?:and|or|versus|vs\.?|against)\b(?=\s*\??$)|(?<=ended) and\b")
_COMPARE = re.compile(r"(?i)^(?:please )?compare\s+")
_DID_MORE = re.compile(r"(?i)^did (?P<who>.{2,60}?) (?P<verb>[a-z]{2,10}) (?:more|less)\b")
_WAS_MORE = re.compile(r"(?i)^(?P<verb>was|were) (?P<what>.{2,90}?) (?:higher|lower|larger|bigger|greater|smaller)\b")
_OF_QUARTER = (
    r"(?:(?:the |its )?(?:(?:fiscal )?quarter |three months |period )?"
    r"(?:that )?(?:ended |ending |to |of )?(?:fiscal )?)?"
)
_BESIDE = re.compile(
    r"(?P<of>(?: quarter)?),? (?:(?P<verb>(?:compare|stack up|measure up|look) )"
    r"(?:with|to|against|versus|vs\.?|beside)"
    r"|versus|vs\.?|against|over|from|than|relative to|compared (?:with|to))(?: in| that of)? " + _OF_QUARTER,
    re.IGNORECASE,
)
_FROM = re.compile(rf"(?i) (?:from|between) {_OF_QUARTER}$")
_TO = re.compile(rf"(?i) (?:to|and) {_OF_QUARTER}")
_MOVES = re.compile(
    r"(?i)^(?:(?:by )?how (?:much |far )?)?(?:did|has|have) (?P<what>.{3,80}?) "
    r"(?:move|change|develop|evolve|shift|fare|grow|rise|rose|increase|fall|decrease|decline|drop|shrink|improve)d? "
    r"(?:from|between)\b"
)
_QUARTER_OF_DAYS, _SOME_DAYS = 90, 20
# Example: "How much more did A spend in Q1 2023 than a year before?" Counter-example: "How much more did A do than B?"
_MORE_THAN_THEN = re.compile(
    r"(?i)^(?:by )?how (?:much|many) (?:more|less|fewer) (?P<what>(?:did|does|has|was|were|is|are)\b[^?;]{3,120}?) than"
    r"(?P<base> (?:it (?:was|did) )?(?:a|one|the) (?:year|same quarter) (?:before|earlier|ago)"
    r"| (?:in |for )[^?;,]{2,40})\??$"
)
# Example: "Was A's revenue higher in Q1 2023 than a year before?" Counter-example: "… than that of B?"
_WAS_HIGHER = re.compile(
    r"(?i)^(?:is|are|was|were) (?P<what>[^?;,]{3,90}?) (?:(?P<up>higher|larger|bigger|greater)|lower|smaller)"
    r" (?P<when>(?:in|for|during) [^?;,]{2,60}?) (?:than|compared (?:with|to)|versus) "
    r"(?:(?:it was |they were |that of |in |for )?(?:a|the|one) (?:year|same (?:quarter|period)(?: of)?(?: the| a)?"
    r"(?: year)?(?: last| previous| prior)?(?: year)?) ?(?:before|earlier|ago)?"
    r"|(?:in |for )?last year|(?P<base>(?:in |for )[^?;,]{2,40}))\??$"
)
# Example: "How much did A's revenue grow in Q1 2023 versus a year ago?" Counter-example: "… versus last quarter?"
_ON_A_YEAR_BEFORE = re.compile(
    r"(?i),? (?:versus|vs\.?|compared (?:with|to)|against|relative to|from|over) "
    r"(?:(?:the )?(?:same (?:quarter|period)|quarter|period) )?(?:a|one|the) year (?:ago|before|earlier)\b"
)
# Example: "What happened to A's gross margin in Q1 2023?" Counter-example: "How did A do in Q1 2023?"
_DEVELOPED = re.compile(
    r"(?i)^(?:what happened (?:to|with)|how (?:did|has|have)(?= [^?;,]{3,90}? (?:develop|evolve|change|shift|trend)))"
    r" (?P<what>[^?;,]{3,90}?)(?: (?:develop|evolve|change|shift|trend)d?(?:ed)?)?"
    r" (?P<when>(?:in|for|during) [^?;,]{2,60}?)\??$"
)


def as_a_move(question: str) -> str:
    """A question for what became of a figure as one for its change, which the tables of one report tell.

    Whether it was higher than a year before asks whether it rose.
    """
    question = _DEVELOPED.sub(r"How much did \g<what> change \g<when>?", question)
    if more := _MORE_THAN_THEN.match(question):
        base = f" than{more['base']}" if dates(more["base"]) else ""
        bare = without_base(f"How much higher {more['what']}{base}?")
        return bare if len(dates(bare)) == 1 else question
    if RISES.search(question):
        question = _ON_A_YEAR_BEFORE.sub("", question)
    asks = _WAS_HIGHER.match(question)
    if asks is None:
        return question
    way = "rise" if asks["up"] else "fall"
    moved = f"Did {asks['what']} {way} {asks['when']}"
    if not asks["base"]:
        return f"{moved}?"
    _, base = asks["base"].split(maxsplit=1)
    bare = without_base(f"{moved} from {base}?")
    return bare if len(dates(bare)) == 1 else question


def without_base(question: str) -> str:
    """A question for a change without the quarter that it is a change from, where that is the one a year before."""
    named = dates(question)
    if len(named) != FEWEST_SIDES or "growth" in question.lower():
        return question  # growth that cooled is set beside growth
    one, other = named
    alike = (one.quarter, one.month) == (other.quarter, other.month) and (one.quarter or one.month)
    between = question[one.span[1] : other.span[0]]
    if not alike or abs(one.year - other.year) != 1:
        return question
    beside = _BESIDE.fullmatch(between) if one.year > other.year else None
    if beside and (beside["verb"] or RISES.search(question)):
        return (
            f"{question[: one.span[1]]}{beside['of']}{' change' if beside['verb'] else ''}{question[other.span[1] :]}"
        )
    if not RISES.search(question):
        return question
    if (led := _FROM.search(question[: one.span[0]])) and one.year < other.year and _TO.fullmatch(between):
        when = between.replace("to", "in", 1).replace("and", "in", 1)
        return f"{question[: led.start()]}{when}{question[other.span[0] :]}"
    return question


def of_periods(question: str, register: Register) -> Figure | None:
    """The figures of the quarters that a question sets side by side; None unless each has one.

    "From Q1 to Q3" and "between Q1 and Q3" ask for one change, which is not told by those of each quarter.
    """
    named = [date for date in dates(question) if date.quarter or (date.month and not date.day)]
    named = named or days(question)
    alone = len({date.key for date in named}) == len(named)
    if not (FEWEST_SIDES <= len(named) <= MOST_SIDES and alone) or ONE_CHANGE.search(question):
        return None
    each = ((question[slice(*date.span)], with_only(question, date, named)) for date in named)
    made = looked_up(((name, HOW_MUCH_MORE.sub("what", asked)) for name, asked in each), register)
    if len({figure.operands for _, figure in made}) == 1:
        return made[0][1]  # one quarter under two names: "fiscal 1Q23 (Sept-22)"
    by_size = VERB.match(question) and WHO_MORE.search(question)
    return beside_each_other(question, made, by_size=bool(by_size))


_OF_POINTS = frozenset(("point", "points"))
_LONGER = frozenset(("half", "months"))  # the statements of a quarter set it first


def of_ratio(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How a ratio changed in the year up to a quarter, where the quarter of a year before has one too."""
    named, period = register.profile.named_in(question), _only_period(question, conditions)
    if period is None or len(named) != 1 or not isinstance(named[0][0], Ratio) or not RISES.search(question):
        return None
    left = set(unexplained(read_asked(question, register.profile), register))
    if left - ASIDE - _OF_POINTS or not left.isdisjoint(_LONGER):
        return None
    company = register.companies.labels[conditions.companies[0]]
    now = f"What was {company} {named[0][0].name} in {question[slice(*period.span)]}?"
    new, old = of_text(now, register), ratio_of_year_before(now, register)
    return _changed(question, old, new) if old and new else None


def _only_period(question: str, conditions: FilingConditions | None) -> Date | None:
    """The one period that a question about one company names."""
    named = dates(question)
    is_of_one = conditions is not None and len(conditions.companies) == 1
    return named[0] if is_of_one and len(named) == 1 else None


def of_sequence(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How a figure changed from the quarter right before, where both have a report."""
    if len(conditions.companies) != 1:
        return None
    bare = AGAINST_QUARTER_BEFORE.sub("", question)
    reports = register.of_company(conditions.companies[0])
    own = reports[0] if not dates(bare) else conditions.weights[0][0]
    last = _report_before(own, reports)
    if last is None or len(dates(bare)) > 1:
        return None
    frame = _figure_named(bare, conditions, register).removesuffix(" growth")
    old, new = (of_text(f"{frame} {period}", register) for period in quarters_of((last, own)))
    return _changed(question, old, new) if old and new else None


# Example: "Is A's growth slowing?" Counter-example: "Did growth in A slow B?"
_PACE = re.compile(
    r"(?i)\bgrowth\b(?: \w+){0,4}? (?:(?P<up>accelerat\w+|speed(?:ed|ing)? up|pick(?:ed|ing)? up|quicken\w*)"
    r"|slow(?:ed|ing)?|decelerat\w+|cool(?:ed|ing)?|eas(?:ed|ing))\b"
)


def asks_for_pace(text: str) -> bool:
    """Whether a text asks if growth became faster or slower, which no figure of growth tells alone."""
    return VERB.match(text) is not None and _PACE.search(text) is not None


def of_pace(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Whether growth on a year before was faster, or slower, than in the quarter before, or than in another named."""
    pace, named = _PACE.search(question), dates(question)
    if pace is None or len(named) > FEWEST_SIDES:
        return None
    reports = register.of_company(conditions.companies[0])
    now = conditions.weights[0][0] if named else reports[0]
    last = _report_before(now, reports)
    periods = [question[slice(*date.span)] for date in named]
    if len(periods) < FEWEST_SIDES:
        periods = list(quarters_of((now, last))) if last else []
    frame = _figure_named(question, conditions, register)
    made = looked_up([(period, f"{frame} {period}") for period in periods], register)
    if len(made) != FEWEST_SIDES or any(figure.value <= 0 for _, figure in made):
        return None  # what falls does not grow
    is_faster = made[0][1].value > made[1][1].value
    verdict = "Yes" if is_faster == bool(pace["up"]) else "No"
    figure = side_by_side(told_apart(made))
    return replace(figure, text=f"{verdict}, {figure.text}")


def _figure_named(text: str, conditions: FilingConditions, register: Register) -> str:
    """The company, its part and the line item that a text asks for, without a period."""
    left = unexplained(read_asked(text, register.profile), register)
    part = " ".join(word for word in left if word not in ASIDE)
    return f"{register.companies.labels[conditions.companies[0]]} {part} {item_asked(text, register.profile)}"


def _report_before(own: Filing, reports: Sequence[Filing]) -> Filing | None:
    """The report of the quarter right before; None where it is missing."""
    return next((each for each in reports if _is_right_before(each, own)), None)


def _is_right_before(one: Filing, other: Filing) -> bool:
    """Whether a quarterly report ends three months before another, or some days from it."""
    if not (one.quarter and other.quarter and one.end and other.end and one.end.month and other.end.month):
        return False
    return abs(_day_of(other.end) - _day_of(one.end) - _QUARTER_OF_DAYS) <= _SOME_DAYS


def _day_of(end: Date) -> int:
    return end.year * 365 + (end.month or 1) * 30 + (end.day or 28)


def of_doubled(question: str, register: Register) -> Figure | None:
    """Whether something doubled, with how much it grew."""
    doubled = DOUBLED.search(question)
    if doubled is None or not VERB.match(question):
        return None
    figure = of_text(DOUBLED.sub("grow", question, count=1), register)
    if figure is None or figure.unit != "percent":
        return None
    yes = "Yes" if multiplied(figure.value, doubled["times"]) else "No"
    return replace(figure, text=f"{yes}, {_without_verdict(figure)}")


def _without_verdict(figure: Figure) -> str:
    return figure.text.partition(", ")[2]


def of_quarter(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The quarter of a year, or of all that reports are of, in which a figure was highest or lowest."""
    if best := _BEST_QUARTER.match(question):
        how, who = best["how"] or best["what"], best["who"] or best["whose"]
        way = "lowest" if how.lower() in ("worst", "weakest", "smallest") else "highest"
        question = f"In which quarter{best['when'] or ''} was {who} {best['by'] or 'revenue'} {way}?"
    is_of_loss = _LOSS.search(question) is not None
    question = _LOSS.sub(lambda loss: f"{loss['of'] or 'net '}income", question)  # the largest loss: the least income
    limit = limit_in(question)
    question = limit.rest if limit else question
    asks, most = _WHICH_QUARTER.match(question), MOST.search(question)
    if asks is None or not (most or limit) or len(conditions.companies) != 1:
        return None
    own = register.of_company(conditions.companies[0])[::-1]
    named = dates(question)
    if named and asks.end("ahead") < named[0].span[1]:
        return None
    quarters = quarters_of_year(named[0], own) if named else quarters_of(own)
    what = MOST.sub("", question[asks.start("what") :], count=1).rstrip(" ?")
    made = looked_up([(each, f"What was {what} in {each}?") for each in quarters], register)
    if limit:
        there = [each for each in made if limit.holds(each[1])]
        if not there:
            return None
        return replace(side_by_side(there), derivation=side_by_side(made).text)
    asks_least = most is not None and most["least"] is not None
    made.sort(key=lambda each: size(each[1]), reverse=asks_least == is_of_loss)
    return replace(side_by_side(made[:1]), derivation=side_by_side(made).text) if made[1:] else None


def of_year_to_date(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What cash flow statements tell of a year of which there are but quarterly reports: the months up to the last."""
    year = _only_period(question, conditions)
    if year is None or not _is_of_cash_flows(question, register):
        return None
    months = year_to_date(year, register.of_company(conditions.companies[0])[::-1])
    asked = in_words_of_filings(_in_place(year, months, question), register.profile)
    figure = of_text(asked, register) if months else None
    return replace(figure, text=f"{figure.text} in {months}") if figure else None


def of_flow(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What cash flow statements tell of one quarter: of its months to date what came after the report before it.

    Yes or no where a question asks whether there was any: "Did A buy back shares in Q3?".
    """
    item, period = only_flow(question, register), _only_period(question, conditions)
    asks_whether = VERB.match(question) is not None
    left = set(unexplained(read_asked(question, register.profile), register))
    if item is None or period is None or left - ASIDE - _ANY:
        return None
    figure = None
    if asks_whether:
        amount = f"What was{VERB.sub('', question, count=1)}"
        figure = of_text(amount, register) or of_year_to_date(amount, conditions, register)
    elif not asks_for_value(question):
        return None
    # What a report says of the quarter goes before what two reports are apart: each has rounded its months.
    figure = figure or _of_quarter_alone(item, conditions, register)
    if figure is None or not asks_whether:
        return figure
    if not figure.value:
        return replace(figure, text=f"No, no {item.name}")
    if period.quarter and _TO_DATE in figure.text:
        return None  # in which of the months it was is not told
    return replace(figure, text=f"Yes, {item.name}: {figure.text}")


def of_flow_left(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What one cash flow of a quarter leaves behind another: free cash flow, which most reports tell of no quarter."""
    named = [each for each, _ in register.profile.named_in(question)]
    period = _only_period(question, conditions)
    if period is None or len(named) != 1 or RISES.search(question):
        return None
    left = set(unexplained(read_asked(question, register.profile), register))
    if left - ASIDE or not asks_for_value(question):
        return None
    flows = _flows_of(named[0], register)
    company = register.companies.labels[conditions.companies[0]]
    when = question[slice(*period.span)]
    made: list[Figure] = []
    for item in flows:
        told = of_text(f"{company} {item.name} in {when}", register)
        told = told or _of_quarter_alone(item, conditions, register)
        made += [told] if told else []
    return _less(*made) if len(made) == FEWEST_SIDES else None


def _flows_of(named: LineItem | Ratio, register: Register) -> list[LineItem]:
    """The two cash flows of which a ratio is one less the other; empty where it is none such."""
    names = named.formula.split(" - ") if isinstance(named, Ratio) else []
    items = [register.profile.items.get(name) for name in names]
    flows = [item for item in items if item and item.statement == "cash flow statement"]
    return flows if len(flows) == len(names) == FEWEST_SIDES else []


def _less(whole: Figure, part: Figure) -> Figure | None:
    """One amount less another of the same months."""
    span = whole.text.partition(_TO_DATE)[1:]
    is_alike = span == part.text.partition(_TO_DATE)[1:]
    if not is_alike or whole.unit != part.unit or whole.unit not in FACTORS:
        return None
    value = whole.value - abs(part.value)
    sign = "-" if value < 0 else ""
    billions = abs(value) * FACTORS[whole.unit] / FACTORS["billion"]
    is_large = billions >= 1 and whole.unit != "billion"
    short = f" ({sign}${billions:.1f} billion)" if is_large else ""
    text = f"{sign}${abs(value):,.10g} {whole.unit}{short}{''.join(span)}"
    steps = f"{whole.text} less {part.text}: {whole.derivation}; {part.derivation}"
    operands = (*whole.operands, *part.operands)
    return Figure(text, value, whole.unit, steps, operands)


def only_flow(question: str, register: Register) -> LineItem | None:
    """The one line of cash flow statements that a question names, where it asks for no change of it."""
    named = [item for item, _ in register.profile.named_in(question) if isinstance(item, LineItem)]
    is_one = len(named) == 1 and _is_of_cash_flows(question, register)
    return named[0] if is_one and not RISES.search(question) else None


_TO_DATE = " in the first "
_ANY_WORDS = "any new more own still now currently regular quarterly"
_ANY = frozenset(_ANY_WORDS.split())
_MONTHS_OF_QUARTERS = {1: 3, 2: 6, 3: 9}


class _ToDate(NamedTuple):
    """What a row tells of a fiscal year up to the end of a report, in its own unit; 0 where it has a dash."""

    filing: Filing
    row: TableRow
    place: int
    value: float
    year: int

    @property
    def months(self) -> str:
        """The months in words."""
        return months_to_date(self.filing)

    @property
    def said(self) -> str:
        """The value and its months."""
        return f"{money_in(self.value, self.row)} in {self.months}"

    def operand(self, register: Register) -> Operand:
        """The value with the passage that holds it."""
        return operand_of_row(self.filing, register, self.row, self.place, self.value, self.year)


def _of_quarter_alone(item: LineItem, conditions: FilingConditions, register: Register) -> Figure | None:
    """What the report of a quarter tells to date, less what the one before it told; to date, where that is missing."""
    filing, weight = conditions.weights[0]
    if weight < SURE or not conditions.is_of_one:
        return None
    now = _to_date(item, filing, register)
    if now is None:
        return None
    last = _last(now, item, register)
    told = [now, last] if last else [now]
    value = now.value - (last.value if last else 0.0)
    value = abs(value) if item.name in OF_COSTS else value
    text = money_in(value, now.row)
    if last is None and counted_as(filing, fiscal=True)[1] != 1:
        text = f"{text} in {now.months}"
    steps = " less ".join(each.said for each in told)
    operands = tuple(each.operand(register) for each in told)
    return Figure(text, value, now.row.unit, f"the row {now.row.label}: {steps}", operands)


def _last(now: _ToDate, item: LineItem, register: Register) -> _ToDate | None:
    """What the report before told of the same fiscal year, in the same unit."""
    year, quarter = counted_as(now.filing, fiscal=True)
    for filing in register.of_company(now.filing.company):
        if counted_as(filing, fiscal=True) == (year, (quarter or 0) - 1):
            last = _to_date(item, filing, register)
            return last if last and last.row.unit == now.row.unit else None
    return None


def _to_date(item: LineItem, filing: Filing, register: Register) -> _ToDate | None:
    """The row of an item in the cash flow statement of a quarterly report; None unless all that fit say the same."""
    months = _MONTHS_OF_QUARTERS.get(counted_as(filing, fiscal=True)[1] or 0)
    if months is None or filing.end is None:
        return None
    year, rows = filing.end.year, [each[:2] for each in rows_of_amounts(filing, register)]
    found: list[_ToDate] = []
    of_item = rows_for(rows, subject=frozenset(), item=item, profile=register.profile)
    for row, place in of_item:
        value = _value_or_dash(row, months, year)
        if value is not None and row.unit:
            found.append(_ToDate(filing, row, place, value, year))
    values = {each.value for each in found}
    return found[0] if len(values) == 1 else None


def _value_or_dash(row: TableRow, months: int, year: int) -> float | None:
    """The cell of a period, 0 for a dash; None where the row has no such cell."""
    of_period = [
        cell
        for column, (cell, _) in zip(row.columns, row.cells, strict=True)
        if (column.months, column.year) == (months, year) and not column.is_change
    ]
    return (of_period[0] or 0.0) if len(of_period) == 1 else None


def _is_of_cash_flows(text: str, register: Register) -> bool:
    """Whether all that a text names stands in cash flow statements, which quarterly reports tell of a year to date."""
    items = [getattr(item, "statement", "") for item, _ in register.profile.named_in(text)]
    return set(items) == {"cash flow statement"}


def _in_place(period: Date, other: str, question: str) -> str:
    start, end = period.span
    return f"{question[:start]}{other}{question[end:]}"


def of_year(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Whether something went one way in a year of which there are but quarterly reports: in each of its quarters."""
    year = _only_period(question, conditions)
    if year is None or not (VERB.match(question) and way_named(question)):
        return None
    quarters = quarters_of_year(year, register.of_company(conditions.companies[0])[::-1])
    made = looked_up([(each, _in_place(year, each, question)) for each in quarters], register)
    if len(made) < FEWEST_SIDES:
        return None
    agree = sum(figure.text.startswith("Yes, ") for _, figure in made)
    figure = side_by_side([(name, replace(each, text=_without_verdict(each))) for name, each in made])
    if agree == len(made):
        said = "Yes, in each quarter"
    else:
        said = f"In {agree} of {len(made)} quarters" if agree else "No"
    return replace(figure, text=f"{said}: {figure.text}")


def of_move(question: str, register: Register) -> Figure | None:
    """How a figure moved from one period to another, where each has one of its own."""
    move, named = _MOVES.match(question), dates(question)
    if move is None or len(named) != FEWEST_SIDES:
        return None
    figures: list[Figure] = []
    for date in sorted(named, key=lambda date: (date.number, date.quarter or 0)):
        figure = of_text(f"What was {move['what']} in {question[slice(*date.span)]}?", register)
        figures += [figure] if figure else []
    return _changed(question, *figures) if len(figures) == FEWEST_SIDES else None


def _changed(question: str, before: Figure, after: Figure) -> Figure | None:
    """How much a figure changed, in percent, or a percentage in points; yes or no where the way is asked."""
    old, new = size(before), size(after)
    if old <= 0:
        return None
    is_share = before.unit == after.unit == "percent"
    if is_share:
        change = new - old
    else:
        change = 100 * (new - old) / old
    way = "up" if change >= 0 else "down"
    text = f"{way} {abs(change):.1f}{' points' if is_share else '%'}, from {before.text} to {after.text}"
    text = answered(text, way, question)
    steps = f"{before.derivation}; {after.derivation}"
    operands = (*before.operands, *after.operands)
    return Figure(text, change, "percent", steps, operands)


def with_only(question: str, kept: Date, named: Sequence[Date]) -> str:
    """The question with one of its periods."""
    for date in reversed(named):
        if date is not kept:
            start, end = date.span
            question = f"{LEADS_TO_DATE.sub('', question[:start])} {question[end:]}"
    bare = _DID_MORE.sub(r"How much did \g<who> \g<verb>", " ".join(question.split()))
    bare = _WAS_MORE.sub(r"What \g<verb> \g<what>", bare)
    return _COMPARE.sub("What were ", _DANGLING.sub("", bare))
