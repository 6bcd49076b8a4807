"""The rows of a filing's tables that state an item or a part, and the ways in which a filing parts an amount.

A statement has one row for revenue; a segment, a product or a region has its own row in a table of the notes or of the
discussion.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from adaq_core.filings.formula import LineItem, LineItems, is_label, letters_of
from adaq_core.filings.register import Filing, Register, joined, once
from adaq_core.filings.rows import ENDING, FEWEST_PARTS, TableRow, rows_of
from adaq_core.filings.statement_figures import FACTORS
from adaq_core.text.tokens import terms_of

_MONTHS_OF_A_YEAR = 12
# A name is called by the first of its parts: "Wearables, Home and Accessories", "China (including Hong Kong)".
_SHORT_NAME = re.compile(
    r"(?<=[a-z]) \(including [^()]{2,60}\)$|(?<=[a-z]),(?: (?:and )?[A-Z][a-z]+){1,3}(?: and [A-Z][a-z]+)?$"
)
_OF_ENDINGS = terms_of("ending end at of the period quarter year balance balances related and costs")
_EMPTY = frozenset(
    terms_of("total net loss gain income expense expenses segment business revenue sales amount other services")
)


@once
def table_rows(filing: Filing, register: Register) -> list[tuple[TableRow, int]]:
    """The rows of a filing, each with the place of the passage that it begins in."""
    text, starts = joined(register.passages(filing.places))
    backwards = list(accumulate(reversed(starts), min))
    first_after = backwards[::-1]
    rows = rows_of(text)
    numbers = [bisect_right(first_after, row.start) - 1 for row in rows]
    places = [filing.places[max(0, number)] for number in numbers]
    return list(zip(rows, places, strict=True))


def rows_for(
    rows: Sequence[tuple[TableRow, int]],
    *,
    subject: frozenset[str],
    item: LineItem | None,
    profile: LineItems,
    asked: frozenset[str] = frozenset(),
    anywhere: bool = False,
) -> Iterator[tuple[TableRow, int]]:
    """The rows that state `item` of what `subject` names; without a subject those of the item itself.

    `asked` are all terms of the question: a label may say them too ("Third-party seller services"). With `anywhere` the
    item's own row may stand outside a statement: a report need not hold one. A row whose heads speak of another item
    does not count, nor one whose label says more than was asked.
    """
    if not subject:
        yield from _of_statement(rows, item, profile, anywhere=anywhere) if item is not None else ()
        return
    known = frozenset().union(asked, subject, _EMPTY, *map(terms_of, item.words if item else ()))
    for row, place in rows:
        whole = terms_of(row.label)
        above = terms_of(" ".join(row.heads))
        if not subject <= whole | above:
            continue
        own = terms_of(_SHORT_NAME.sub("", row.label))
        is_ending = item is None and ENDING.search(row.label) is not None
        if not own <= (known | _OF_ENDINGS if is_ending else known):
            continue
        if item is None:
            if subject <= whole:
                yield row, place
            continue
        stated = {named.name for named, _ in profile.named_in(f"{' '.join(row.heads)} {row.label}")}
        above_all = terms_of(row.caption)
        in_caption = subject <= whole and any(terms_of(word) <= above_all for word in item.words)
        if item.name in stated or (not stated and in_caption):
            yield row, place


def _of_statement(
    rows: Sequence[tuple[TableRow, int]], item: LineItem, profile: LineItems, *, anywhere: bool
) -> Iterator[tuple[TableRow, int]]:
    """The rows of an item in its statement, at the strictest label that any has."""
    if item.statement in profile.statements:
        headings = profile.statements[item.statement].headings
    else:
        headings = ()
    anywhere = anywhere or not headings  # an item of the notes, or one that stands under several statements
    own = [(row, place) for row, place in rows if anywhere or row.is_under(headings)]
    for label in item.labels:
        if named := [(row, place) for row, place in own if _is_labelled(row, label, item)]:
            yield from named
            return
    for row, place in rows if item.statement != "balance sheet" else ():
        # what no statement of the issuer tells: "Interest expense" of a note
        if not row.heads and any(_is_labelled(row, label, item) for label in item.labels if label[0] == "="):
            yield row, place


def _is_labelled(row: TableRow, label: str, item: LineItem) -> bool:
    """Whether a row, or what is told for one share by the head above it and the row, bears a label of an item."""
    texts = (row.label, " ".join((*row.heads[-1:], row.label))) if item.is_per_share else (row.label,)
    letters = [letters_of(text) for text in texts]
    return any(is_label(each, label) for each in letters) and not any(
        letters_of(unlike) in each for unlike in item.unlike for each in letters
    )


def cell_of_period(row: TableRow, months: int, year: int) -> tuple[float, bool] | None:
    """The cell of a period; in a table whose head says only years, a year is all of its months."""
    cell = row.at(months, year)
    spans = any(column.months for column in row.columns)
    if cell is None and months == _MONTHS_OF_A_YEAR and not spans:
        return row.at(0, year)
    return cell


_REST = re.compile(r"(?i)^(?:all )?other\b|^corporate\b|\bunallocated\b|\beliminations?\b")
# What is left of an amount behind costs is no part of it: revenue is no sum of costs and profit.
_OF_COSTS = re.compile(
    r"(?i)\bcosts? (?:of|and)\b|\bcosts$|\bgross (?:profit|margin)|\boperating (?:income|profit|expenses?)"
    r"|\badministrative\b|^less\b|^net (?:sales|revenues?)\b|\b(?:segment|consolidated) net (?:sales|revenues?)\b"
    r"|\bimpact of\b"
)
_MOST_PARTS = 16
_ROUNDING = 0.5  # of the table's unit: parts are rounded each by itself, and the total is not


@dataclass(frozen=True, slots=True)
class Part:
    """A part by the label of its row, with its amount of the period and of a year before, as the table has them."""

    name: str
    amount: float
    before: float | None

    @property
    def is_rest(self) -> bool:
        """Whether it is what is left beside the others, and no thing of its own."""
        return _REST.search(self.name) is not None

    def said(self, *, grows: bool) -> str:
        """Its amount as it stands in the table, or how much it grew."""
        return f"{self.growth:+.0f}%" if grows else f"{self.amount:,.10g}"

    @property
    def growth(self) -> float:
        """How much it grew in a year, in percent; 0 where nothing is known of the year before."""
        return 100 * (self.amount - self.before) / abs(self.before) if self.before else 0.0


def partitions(filing: Filing, whole: float, months: int, register: Register) -> list[tuple[Part, ...]]:
    """The ways in which a filing parts an amount of its period, each once; `whole` in units of the currency."""
    rows = table_rows(filing, register)
    year = filing.end.year if filing.end else filing.year or 0
    made: dict[tuple[str, ...], tuple[Part, ...]] = {}
    for first in range(len(rows)):
        parts = _adding_up_to(whole, rows[first : first + _MOST_PARTS], months, year)
        made.setdefault(tuple(part.name for part in parts), parts)
    return [parts for parts in made.values() if parts]


def _adding_up_to(whole: float, rows: Sequence[tuple[TableRow, int]], months: int, year: int) -> tuple[Part, ...]:
    """The first of these rows that add up to an amount; empty where they do not."""
    parts: list[Part] = []
    first, _ = rows[0]
    for row, _ in rows:
        cell = cell_of_period(row, months, year)
        is_beside = (row.columns, row.heads) == (first.columns, first.heads)
        if cell is None or cell[1] or not is_beside:
            return ()
        above = sum(part.amount for part in parts)
        if len(parts) >= FEWEST_PARTS and abs(cell[0] - above) <= _ROUNDING:
            continue  # a sum of those above it, behind which others stand
        if not _may_be_part(row):
            return ()
        before = cell_of_period(row, months, year - 1)
        parts.append(Part(row.label, cell[0], before[0] if before else None))
        told = sum(part.amount for part in parts)
        left = whole / FACTORS[row.unit] - told
        if abs(left) <= _ROUNDING:
            is_told_once = len({part.name for part in parts}) == len(parts)
            return tuple(parts) if len(parts) >= FEWEST_PARTS and is_told_once else ()
    return ()


def _may_be_part(row: TableRow) -> bool:
    """Whether a row states an amount of its own: not for one share, no sum of others, and no cost."""
    is_total = row.label.lower().startswith("total")
    is_own = bool(row.unit) and not row.is_per_share and not is_total
    return is_own and _OF_COSTS.search(row.label) is None
