"""The parts of a company: the rows of a table whose amounts add up to its revenue, or to its operating income.

What they are called is read off the report and not known beforehand: segments, products and regions are what it adds
up itself. So the largest of them is told, or the one that grew most, and a question "by product" knows its products.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import chain

from adaq_core.filings.calculate import money_in, of_text, operand_of_row
from adaq_core.filings.conditions import ANNUAL, MOST, FilingConditions, read_asked
from adaq_core.filings.disclosures.contents import segment_names
from adaq_core.filings.register import Filing, Register
from adaq_core.filings.rows import TableRow
from adaq_core.filings.search import statements_of
from adaq_core.filings.sentences import MONTHS_OF_A_YEAR
from adaq_core.filings.statement_figures import (
    ASIDE,
    FACTORS,
    RISES,
    SURE,
    Figure,
    Limit,
    Operand,
    asks_for_value,
    limit_in,
    side_by_side,
    unexplained,
    way_named,
)
from adaq_core.filings.tables import Part, cell_of_period, partitions, table_rows
from adaq_core.text.entities import countries_in
from adaq_core.text.values import MONTHS, dates

_SEGMENTS = r"segments?|divisions?|business(?:es)?(?: (?:units?|lines?|segments?))?|units?"
_REGIONS = r"(?:geographic(?:al)? )?(?:regions?|areas?|markets?)|countr(?:y|ies)|geograph(?:y|ies)"
_PRODUCTS = (
    r"products?(?: (?:lines?|categor(?:y|ies)|groups?))?|(?:service |revenue )?(?:lines?|categor(?:y|ies)|streams?)"
    r"|(?:market )?platforms?|end[- ]markets?"
)
KINDS_OF_PART = rf"(?:(?P<products>{_PRODUCTS})|(?P<segments>{_SEGMENTS})|(?P<regions>{_REGIONS}))"
_WHICH_PART = re.compile(
    r"(?i)\b(?:(?:which|what)\b(?! (?:is|was|were|are)\b).{0,40}?|(?:largest|biggest|smallest|best|top|profitable"
    r"|growing)"
    rf" (?:[\w-]+ ){{0,2}}?)\b{KINDS_OF_PART}\b"
)
_LOSES = re.compile(
    r"(?i)\b(?:los(?:t|es?|ing) money|(?:a|operating) loss(?:es)?|unprofitable|in the red)\b"
    r"|(?P<one>\blos(?:t|es?|ing) (?:the )?most(?! (?:of|from|to)\b)"
    r"|\b(?:largest|biggest|worst|heaviest) (?:operating )?loss\b)"
)
_EARNS = re.compile(r"(?i)\bprofit|\bearn")
_NO_SUM = re.compile(r"(?i)\b(?:margin|ratio|per|average)\b")  # parts do not add up to it
_LARGE_REGION = re.compile(r"(?i)\b(?:americas?|europe|asia|emea|international|worldwide|countries)\b")
_ASKING_WORDS = """
which what of by segment segments division divisions business businesses unit units line lines region regions
area areas market markets country countries geography geographic geographical product products service services
category categories group type stream streams sold sells selling sell had has have highest largest biggest most
fastest lowest smallest least slowest top growing profitable lost lose losing money loss losses unprofitable in red
reportable operating reporting generated brought contributed was single one its their less more fewer lower smaller
bigger year
"""
_ASKING = frozenset(_ASKING_WORDS.split())
# Example: "Which products sold less in Q3 than a year before?" Counter-example: "Which products sold less than others?"
_THAN_BEFORE = {
    way: re.compile(rf"(?i)\b(?:{words}) .{{0,80}}?\bthan (?:in )?(?:a|the|one|last) (?:year|same)\b")
    for way, words in (("down", "less|fewer|lower|smaller"), ("up", "more|higher|larger|bigger"))
}
_FEWEST = 2
_FEWEST_PRODUCTS = 3  # products and services, as every statement of income parts them, are no products
_QUARTER = 3  # months
_MOST = 0.5  # of the names of a partition, for which it is taken as one of their kind


def _of_kind(kind: str, made: Sequence[tuple[Part, ...]], segments: Collection[str]) -> tuple[Part, ...]:
    """The parts of one kind: segments by their names, regions by the lands that they name, products are neither."""
    shares = [
        (_share(parts, lambda part: part.name.lower() in segments), _share(parts, _is_region), parts) for parts in made
    ]
    if kind == "segments":
        fitting = [parts for of_segments, _, parts in shares if of_segments > _MOST]
    elif kind == "regions":
        fitting = [parts for _, of_regions, parts in shares if of_regions >= _MOST]
    else:
        fitting = [parts for of_segments, of_regions, parts in shares if max(of_segments, of_regions) < _MOST]
    named = max(fitting, key=len, default=())
    return named if kind != "products" or len(named) >= _FEWEST_PRODUCTS else ()


def _share(parts: Sequence[Part], fits: Callable[[Part], bool]) -> float:
    return sum(map(fits, parts)) / len(parts)


def _is_region(part: Part) -> bool:
    return bool(countries_in(part.name) or _LARGE_REGION.search(part.name))


def parts_of_kind(kind: str, item: str, filing: Filing, register: Register) -> tuple[Part, ...]:
    """The parts of one kind that a report adds up to a line item of its quarter or year; empty where it has none.

    `kind` is segments, regions or products.
    """
    figure = _figure("", item, filing, register)
    if figure is None or len(figure.operands) != 1:
        return ()
    months = _QUARTER if filing.quarter else MONTHS_OF_A_YEAR
    made = partitions(filing, figure.operands[0].value, months, register)
    told = {name.lower() for name in segments_of(filing.company, register)}
    return _of_kind(kind, made, told | _with_results(filing, months, register))


_RESULT = re.compile(
    r"(?i)\b(?:operating|segment) (?:profit|income|earnings|loss|results)|\b(?:earnings|income|loss)\)? from operations"
    r"|\bebit(?:da)?\b"
)


def _with_results(filing: Filing, months: int, register: Register) -> frozenset[str]:
    """What a report tells the operating result of, in small letters: of segments, and of no product."""
    year = filing.end.year if filing.end else filing.year or 0
    told = set[str]()
    for row, _ in table_rows(filing, register):
        if cell_of_period(row, months, year) is None:
            continue
        if _RESULT.search(row.label):
            told.update(row.heads)
        elif _RESULT.search(" ".join((*row.heads, *row.above[-1:]))):
            told.add(row.label)
    return frozenset(name.lower().rstrip(":") for name in told)


def segments_of(company: int, register: Register) -> tuple[str, ...]:
    """The names of a company's segments, from the first of its reports that says them."""
    told = (segment_names(filing, register) for filing in register.of_company(company))
    return next(filter(None, told), ())


def _figure(part: str, item: str, filing: Filing, register: Register) -> Figure | None:
    """The figure of a part of a company, or of all of it, in the quarter or the year of a report."""
    period = _period_of(filing)
    label = register.companies.labels[filing.company]
    return of_text(" ".join(f"{label} {part} {item} in {period}".split()), register) if period else None


def _period_of(filing: Filing) -> str:
    """The quarter of a report by its end, or its year; empty where neither is known."""
    end = filing.end
    if filing.quarter is None:
        return f"FY {filing.year}" if filing.year and filing.form in ANNUAL else ""
    if end is None or not end.month:
        return ""
    day = f" {end.day}," if end.day else ""
    return f"the quarter ended {MONTHS[end.month - 1]}{day} {end.year}"


def kind_named(match: re.Match[str]) -> str:
    """The kind of parts that a match of `KINDS_OF_PART` names."""
    return next(kind for kind in ("segments", "regions", "products") if match[kind])


def of_the_most_part(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The part of a company that is the largest, the smallest, or grew most; or those of them that lose money."""
    limit = limit_in(question)
    question = limit.rest if limit else question
    asks = _WHICH_PART.search(question)
    filing, weight = conditions.weights[0]
    if asks is None or len(conditions.companies) != 1 or weight < SURE or not conditions.is_of_one:
        return None
    read = read_asked(question, register.profile)
    if _NO_SUM.search(question):
        return None
    if set(unexplained(read, register)) - ASIDE - _ASKING or len(read.named) > 1:
        return None
    earns = _LOSES.search(question) or _EARNS.search(question)
    item = read.named[0].name if read.named else "operating income" if earns else "revenue"
    parts = parts_of_kind(kind_named(asks), item, filing, register)
    ways = [way for way, than in _THAN_BEFORE.items() if than.search(question)]
    way = way_named(question) or "".join(ways[:1])
    grows = bool(way) or RISES.search(question) is not None
    chosen = _chosen(question, parts, grows=grows) or _moving(way, parts, limit)
    found = [(part.name, _figure(part.name, f"{item} growth" if grows else item, filing, register)) for part in chosen]
    made = [(name, figure) for name, figure in found if figure is not None]
    if not made or len(made) < len(found):
        return None
    step = "; ".join(f"{part.name} {part.said(grows=grows)}" for part in parts)
    return replace(side_by_side(made), derivation=f"what {item} is added up of: {step}")


# Example: "Which products does Acme sell?" Counter-example: "Which products did Acme recall?", which says another word.
_NAMES_ASKED = re.compile(
    r"(?i)^(?:(?:which|what)\b(?! (?:is|was|share|part)\b)|list|name)\b(?P<of>.{0,60}?)"
    rf"(?<!end )(?<!end-)\b(?:(?P<served>markets?(?= .{{1,60}}\b(?:serve|target|address)))|{KINDS_OF_PART})\b"
)
_NAMING_WORDS = """
list name all the different main major key kind kinds types does do did has offer offers offering make makes made sell
serve serves served target targets address addresses operate operates active present reports report into have get gets
money where from come comes earn earns revenue sales
"""
_OF_NAMING = _ASKING | ASIDE | frozenset(_NAMING_WORDS.split())


def of_named_parts(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The products, markets, segments or regions of a company, by the names under which it adds up its revenue."""
    asks = _NAMES_ASKED.match(question)
    filing, weight = conditions.weights[0]
    if asks is None or len(conditions.companies) != 1 or weight < SURE or not conditions.is_of_one:
        return None
    is_more = MOST.search(question) or RISES.search(question) or _LOSES.search(question)
    read = read_asked(question, register.profile)
    if is_more or read.named or set(unexplained(read, register)) - _OF_NAMING:
        return None
    kind = "products" if asks["served"] else kind_named(asks)
    parts = [part for part in parts_of_kind(kind, "revenue", filing, register) if not part.is_rest]
    if kind == "regions":
        parts = [part for part in parts if _is_region(part)]  # a brand stands among them
    told = ((part.name, _figure(part.name, "revenue", filing, register)) for part in parts)
    made = [(name, figure) for name, figure in told if figure is not None]
    if len(made) < max(_FEWEST, len(parts) - 1):  # of "OEM and Other" nobody asks
        return None
    steps = (f"{part.name} {part.said(grows=False)}" for part in parts)
    step = "; ".join(steps)
    text = "; ".join(part.name for part in parts)
    return replace(side_by_side(made), text=text, unit="list", derivation=f"what revenue is added up of: {step}")


def _chosen(question: str, parts: Sequence[Part], *, grows: bool) -> list[Part]:
    """The parts that a question asks for; empty where it does not say which, or it is not known."""
    named = [part for part in parts if not part.is_rest]
    if loses := _LOSES.search(question):
        made = [part for part in named if part.amount < 0]
        deepest = sorted(made, key=lambda part: part.amount)
        return deepest[:1] if loses["one"] else made
    most = MOST.search(question)
    if most is None or not named or (grows and any(part.before is None for part in named)):
        return []
    pick: Callable[..., Part] = min if most["least"] else max
    return [pick(named, key=lambda part: part.growth if grows else part.amount)]


def _moving(way: str, parts: Sequence[Part], limit: Limit | None) -> list[Part]:
    """The parts that moved one way, by as much as a limit wants; empty where it is not known of each."""
    named = [part for part in parts if not part.is_rest]
    if not way or any(part.before is None for part in named):
        return []
    made = [part for part in named if (part.growth < 0) == (way == "down")]
    return [part for part in made if limit is None or limit.is_met_by(abs(part.growth))]


_DEBT_ASKED = re.compile(r"(?i)(?<!long-term )(?<!short-term )(?<!long term )(?<!short term )(?<!net )\bdebt\b")
_DEBT_ROW = re.compile(
    r"(?i)(?:total )?(?:(?:current (?:portion|maturities) of )?(?:(?:long|short)[- ]term )?"
    r"(?:debt|borrowings|notes payable|loans payable)"
    r"|term debt|commercial paper)(?:,? (?:net|current|non-?current|maturing|due)\b[^.;]{0,40})?"
)
_OWED = re.compile(r"(?i)liabilit")
_DEBT_WORDS = "outstanding owes overall total all still carry sit sitting load pile burden borrowed"
_WORDS_OF_DEBT = frozenset(_DEBT_WORDS.split())


def of_debt(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What a company owes: all rows of its balance sheet that are debt, added up, each named.

    None where a question names another kind of debt, or where the balance sheet has but one such row.
    """
    filing, weight = conditions.weights[0]
    is_of_one = conditions.is_of_one and weight >= SURE
    if filing.end is None or not (is_of_one and _asks_for_debt(question, register)):
        return None
    return _added_up(filing, register, _is_of_debt)


def _added_up(filing: Filing, register: Register, fits: Callable[[TableRow], bool]) -> Figure | None:
    """The rows of a balance sheet that fit, added up, each named; None where there is but one."""
    year, total = filing.end.year if filing.end else 0, 0.0
    rows, operands = list[TableRow](), list[Operand]()
    sheets = [each.page.places for each in statements_of(filing, register) if each.statement == "balance sheet"]
    inside = set(chain.from_iterable(sheets))  # a note has liabilities of its own: leases, what is lent on receivables
    for row, place in table_rows(filing, register):
        value, _ = row.at(0, year) or (None, False)
        if value and place in inside and fits(row):
            rows.append(row)
            operands.append(operand_of_row(filing, register, row, place, value, year))
            total += value
    units = {row.unit for row in rows}
    if len(rows) < _FEWEST or len(units) > 1:
        return None
    unit = units.pop()
    steps = " + ".join(f"{each.label} {each.value / FACTORS[unit]:,.10g}" for each in operands)
    source = f"the balance sheet: {steps} ({unit}s)"
    return Figure(money_in(total, rows[0]), total, unit, source, tuple(operands))


_CASH_ROW = re.compile(r"(?i)(?:total )?cash and (?:cash )?equivalents")
_SECURITIES = re.compile(r"(?i)(?:marketable|debt) securities|(?:short[- ]term )?investments")
_INVESTED_ROW = re.compile(
    r"(?i)(?:(?:current|non-?current|(?:short|long)[- ]term) )?(?:(?:marketable|debt) securities|investments)"
)
_SHORT_TERM = re.compile(r"(?i)short[- ]term")
_ALL_CASH = "cash and marketable securities"
_CASH_WORDS = frozenset(("total", "all", "overall", "investments", "securities", "hold", "held", "holds", "end"))


_TERM = re.compile(r"(?i)\b(?:current portion of|(?:short|long)[- ]term|(?:non-?)?current)\b,?")


def of_both_terms(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What a balance sheet parts into current and long-term and tells no sum of: unearned revenue, leases."""
    filing, weight = conditions.weights[0]
    if filing.end is None or weight < SURE or not conditions.is_of_one:
        return None
    read = read_asked(question, register.profile)
    names = [word for each in read.named for word in each.words]
    is_one = len(read.named) == 1 and len(dates(question)) == 1
    if not is_one or RISES.search(question) or not asks_for_value(question):
        return None
    if set(unexplained(read, register)) - ASIDE - _CASH_WORDS:
        return None

    def fits(row: TableRow) -> bool:
        bare = _TERM.sub("", row.label).strip(" ,").lower()
        return bare in names and _TERM.search(row.label) is not None

    return _added_up(filing, register, fits)


def of_cash_and_securities(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Cash with securities, or with short-term investments, where the balance sheet tells each and not their sum."""
    filing, weight = conditions.weights[0]
    if filing.end is None or weight < SURE or not conditions.is_of_one:
        return None
    read = read_asked(question, register.profile)
    invested = _SECURITIES.search(question)
    named = [each.name for each in read.named]
    if not invested or named != [_ALL_CASH] or not asks_for_value(question):
        return None
    left = set(unexplained(read, register)) - ASIDE
    if RISES.search(question) or len(dates(question)) != 1 or left - _CASH_WORDS:
        return None
    is_short = _SHORT_TERM.search(invested[0]) is not None

    def fits(row: TableRow) -> bool:
        if _CASH_ROW.fullmatch(row.label):
            return True
        is_of_it = not is_short or _SHORT_TERM.search(row.label) is not None
        return is_of_it and _INVESTED_ROW.fullmatch(row.label) is not None

    return _added_up(filing, register, fits)


def _asks_for_debt(question: str, register: Register) -> bool:
    """Whether a question asks for all that is owed on one day, and nothing else."""
    if not _DEBT_ASKED.search(question) or RISES.search(question) or len(dates(question)) != 1:
        return False
    named = {item.name for item, _ in register.profile.named_in(question)}
    left = set(unexplained(read_asked(question, register.profile), register))
    is_all = named <= {"long-term debt", "total debt"} and left <= ASIDE | _WORDS_OF_DEBT
    return is_all and asks_for_value(question)


def _is_of_debt(row: TableRow) -> bool:
    """Whether a row stands among the liabilities of a balance sheet and is money borrowed."""
    is_owed = any(map(_OWED.search, row.heads))
    return is_owed and _DEBT_ROW.fullmatch(row.label) is not None
