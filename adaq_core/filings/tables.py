"""Rows of any table in a filing, each with the heads above it and the period of every column.

A statement has one row for revenue; a segment, a product or a region has its own row in a table of the notes or of the
discussion. Texts of PDFs have each cell on a line of its own: the head of a table is read as marks (spans of months,
years, columns of change), and a row counts only where its cells are as many as the marks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, repeat, takewhile
from typing import NamedTuple

from adaq_core.filings.formula import LineItem, LineItems, is_label, letters_of
from adaq_core.filings.register import Filing, Register, joined, once
from adaq_core.filings.rows import parted_line, unit_of, value_of_cell, years_of_dates
from adaq_core.filings.statement_figures import FACTORS
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import MONTHS

_SPAN = re.compile(
    r"(?i)\b(?P<n>three|six|nine|twelve|thirteen|twenty-six|thirty-nine|13|26|39|52|3|6|9|12)[- ](?P<unit>months?"
    r"|weeks?)"
    r"(?: periods?)? ended\b|\b(?P<quarter>quarters? ended)\b|\b(?P<year>(?:fiscal )?years? ended)\b"
)
_MONTHS_OF = {
    "three": 3, "3": 3, "13": 3, "thirteen": 3, "six": 6, "6": 6, "26": 6, "twenty-six": 6, "nine": 9, "9": 9,
    "39": 9, "thirty-nine": 9, "twelve": 12, "12": 12, "52": 12,
}  # fmt: skip
_IN_HEADS = ("19", "20", "ended", "change")  # one of which each line of a head holds
_QUARTER = re.compile(r"^Q[1-4] ?(?:FY)?((?:19|20)\d\d)$|^YTD ((?:19|20)\d\d)$")
_CHANGE = re.compile(
    r"(?i)(?:^|(?<=\s))(?:(?:[$%]|percentage|percent|dollar|y/y|yoy)\s)?change\b(?:\s?\(?%\)?|\sin %)?"
)
_UNIT = re.compile(
    r"(?i)^\([^()]{0,60}\b(?:thousand|million|billion)s?[^()]{0,60}\)|^in (?:thousand|million|billion)s[^.]{0,60}$"
)
# "NOK millions 2023 2022", "€m 2024": currency and unit in front of the years.
_UNIT_AHEAD = re.compile(
    r"^\(?(?:in )?(?:(?P<mark>[A-Z]{3}|[$€£¥]) ?)?(?:in )?"
    r"(?:(?P<unit>thousand|million|billion)s?|(?P<short>m|mn|bn|'000))\)?"
    r"(?= (?:19|20)\d\d\b| Q[1-4]\b)"
)
_SHORT_UNITS = {"m": "million", "mn": "million", "bn": "billion", "'000": "thousand"}
_CURRENCY = re.compile(r"[€£¥]|\b(?:EUR|GBP|CHF|NOK|SEK|DKK|JPY|CNY|INR|CAD|AUD|BRL|PLN|CZK|KRW|TWD)\b")
_YEAR = re.compile(r"^(?:(?:19|20)\d\d\s*)+$")
_OF_DATES = frozenset(["as", "of", "at", "the", "and", "ended", "for"])
_LOW_MONTHS = [month.lower() for month in MONTHS]
_MONTH_STEMS = tuple(month[:3] for month in _LOW_MONTHS)
_MONTH_NAMES = frozenset((*_LOW_MONTHS, *_MONTH_STEMS, "sept"))
_SHARES = re.compile(r"(?i)\bpercent(?:age)?\b|\bgrowth\b|\bmix\b|%")
_OF_A_WHOLE = re.compile(r"(?i)\b(?:percentages? of|percent of|as a percent)")
_FOOTNOTE = re.compile(r"(?<!\s)\s*\(\d{1,2}\)$")
_NEAR = 160
_HEADING = 90
_PER_SHARE = 10
_PROSE = 120
_CAPTION = 6
_HEADS = 2
_YEAR_TO_DATE = 9
_MONTHS_OF_A_YEAR = 12
# A name is called by the first of its parts: "Wearables, Home and Accessories", "China (including Hong Kong)".
_SHORT_NAME = re.compile(
    r"(?<=[a-z]) \(including [^()]{2,60}\)$|(?<=[a-z]),(?: (?:and )?[A-Z][a-z]+){1,3}(?: and [A-Z][a-z]+)?$"
)
_FEWEST_PARTS = 2  # of a total that has no label
_ENDING = re.compile(r"(?i)^ending\b|\b(?:at )?end of (?:the )?(?:period|quarter|year)$|\bending balances?$")
_OF_ENDINGS = terms_of("ending end at of the period quarter year balance balances related and costs")
_EMPTY = frozenset(
    terms_of("total net loss gain income expense expenses segment business revenue sales amount other services")
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the months that it covers (0 for a day), its year; a column of change has neither."""

    months: int = 0
    year: int = 0

    @property
    def is_change(self) -> bool:
        """Whether it states how much the columns before it differ."""
        return self.year == 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its label, the heads and the caption above, its cells under the columns.

    A cell is its value (None for a dash) and whether it is a percentage. `quote` is the row as it stands in the text.
    """

    label: str
    heads: tuple[str, ...]
    above: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: tuple[tuple[float | None, bool], ...]
    unit: str
    quote: str
    start: int
    mark: str = "$"  # of the currency, as it stands in front of an amount

    @property
    def caption(self) -> str:
        """The lines above the table, as one text."""
        return " ".join(self.above)

    @property
    def is_per_share(self) -> bool:
        """Whether its cells are too small for amounts in its unit and have cents: amounts for one share."""
        values = [abs(value) for value, _ in self.cells if value is not None]
        has_cents = any(value != int(value) for value in values)
        return has_cents and max(values) < _PER_SHARE

    def is_under(self, headings: Sequence[str]) -> bool:
        """Whether one of `headings` stands above the table in a line of its own, and not in a sentence."""
        for line in self.above:
            if len(line) >= _HEADING or line[-1:] in ".:":
                continue
            if any(heading in line.lower() for heading in headings):
                return True
        return False

    def at(self, months: int, year: int) -> tuple[float, bool] | None:
        """The cell of a period; None where the table has none, or a dash."""
        ends = months == 0 and _ENDING.search(self.label) is not None  # each span of a year ends on its day
        cells = [
            (value, percent)
            for column, (value, percent) in zip(self.columns, self.cells, strict=True)
            if column.year == year and (ends or column.months == months) and not column.is_change
        ]
        if ends and len(set(cells)) != 1:
            return None
        alone = len(cells) == 1 or (months == 0 and cells)  # of two days of one year the first is the newer
        if alone and cells[0][0] is not None:
            return (cells[0][0], cells[0][1])
        return None

    def change(self, months: int, year: int) -> float | None:
        """The change in percent that the row itself states behind the cells of a period."""
        after = False
        for column, (value, percent) in zip(self.columns, self.cells, strict=True):
            if column.is_change and after and percent:
                return value
            after = (after and column.is_change) or (column.months == months and (after or column.year == year))
        return None


@dataclass(slots=True)
class _Reader:
    """What has been read of the table at hand: the marks of its head, heads of rows, labels and cells that wait."""

    caption: list[str] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    marks: list[Column] = field(default_factory=list)
    heads: tuple[str, ...] = ()
    waiting: list[tuple[str, int]] = field(default_factory=list)
    cells: list[tuple[float | None, bool]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    rows: list[TableRow] = field(default_factory=list)
    unit: str = ""
    mark: str = "$"
    has_rows: bool = False

    def head(self, spans: Sequence[int], marks: Sequence[Column]) -> None:
        """Take in a line of the head; behind rows it begins the next table."""
        self.close()
        if self.has_rows or (self.marks and self.spans and spans):
            self.spans, self.marks, self.heads, self.has_rows = [], [], (), False
        self._to_caption()
        self.spans += spans
        self.marks += marks

    def prose(self, line: str) -> None:
        """A line of running text ends a table."""
        self.close()
        self.caption, self.waiting, self.lines = [line], [], []
        self.spans, self.marks, self.heads, self.has_rows = [], [], (), False

    def label(self, text: str, start: int) -> None:
        self.close()
        self.waiting = [*self.waiting, (text, start)][-_HEADS - 1 :]
        self.lines = []

    def close(self) -> None:
        """Finish the row whose cells have come."""
        if self.cells and self.waiting and self.marks:
            if len(self.waiting) > 1:
                self.heads = tuple(text for text, _ in self.waiting[:-1])
            columns = self._fitting_columns(len(self.cells))
            if columns:
                self._add_row(columns)
            elif columns := self._fitting_columns(len(self.cells) // 2):
                self._add_with_total(columns)
        if self.cells:
            self.has_rows = self.has_rows or bool(self.marks)
            self.waiting, self.lines = [], []
        self.cells = []

    def _fitting_columns(self, cells: int) -> tuple[Column, ...]:
        """As many columns as there are cells: all of them, or those that are no changes; else none."""
        columns = self._columns()
        plain = [column for column in columns if not column.is_change]
        for fit in (columns, plain):
            if len(fit) == cells:
                return tuple(fit)
        return ()

    def _add_with_total(self, columns: tuple[Column, ...]) -> None:
        """A row with the total of its group behind it, which has no label: the sum of the rows under one head."""
        own, total = self.cells[: len(columns)], self.cells[len(columns) :]
        group = takewhile(lambda row: row.heads == self.heads and row.columns == columns, reversed(self.rows))
        parts = [[value or 0.0 for value, _ in cells] for cells in (own, *(row.cells for row in group))]
        sums = [sum(column) for column in zip(*parts, strict=True)]
        if not self.heads or len(parts) < _FEWEST_PARTS or sums != [value for value, _ in total]:
            return
        self.cells = own
        self._add_row(columns)
        self.waiting[-1] = (self.heads[-1], self.waiting[-1][1])
        self.heads, self.cells = self.heads[:-1], total
        self._add_row(columns)

    def _add_row(self, columns: tuple[Column, ...]) -> None:
        text, start = self.waiting[-1]
        above = tuple(self.caption)
        names_shares = _SHARES.search(" ".join((*self.heads, text)))
        are_shares = bool(names_shares) or _is_of_a_whole(above)
        cells = tuple((value, percent or are_shares) for value, percent in self.cells)
        quote = "\n".join(self.lines)
        self.rows.append(TableRow(text, self.heads, above, columns, cells, self.unit, quote, start, self.mark))

    def _to_caption(self) -> None:
        self.caption = [*self.caption, *(text for text, _ in self.waiting)][-_CAPTION:]
        self.waiting, self.lines = [], []

    def _columns(self) -> list[Column]:
        """Give each year the months of the span above it; every span has as many years."""
        years = sum(not mark.is_change for mark in self.marks)
        marks = self.marks
        if marks and marks[0].is_change:  # "Percentage Change" is wrapped above the years, and stands behind them
            marks = sorted(marks, key=lambda mark: mark.is_change)
        if not self.spans or years % len(self.spans):
            return marks
        under = years // len(self.spans)
        made = list[Column]()
        seen = 0
        for mark in marks:
            months = mark.months or (0 if mark.is_change else self.spans[seen // under])
            made.append(Column(months, mark.year))
            seen += not mark.is_change
        return made


@lru_cache(maxsize=1 << 6)  # the rows of a table have one caption
def _is_of_a_whole(caption: tuple[str, ...]) -> bool:
    """Whether the lines above a table say that it tells parts of a whole."""
    return _OF_A_WHOLE.search(" ".join(caption)[-_NEAR:]) is not None


def rows_of(text: str) -> list[TableRow]:
    """The rows of all tables in a text."""
    reader, at = _Reader(), 0
    for line in text.split("\n"):
        _take(reader, line, at)
        at += len(line) + 1
    reader.close()
    return reader.rows


def _take(reader: _Reader, line: str, at: int) -> None:
    read = _read_line(line)
    if read.unit:
        above = reader.waiting[-1][0] if reader.waiting else ""
        reader.unit, reader.mark = read.unit, read.mark or mark_of(above) or "$"
    if read.head is not None:
        reader.head(*read.head)
    elif read.is_prose:
        reader.prose(read.text)
    else:
        _take_row(reader, read, line, at)


def _take_row(reader: _Reader, read: _Line, line: str, at: int) -> None:
    if read.text:
        reader.label(read.text, at)
    if reader.waiting and (read.text or read.cells or (read.is_any and reader.lines)):
        reader.lines.append(line)
    reader.cells += read.cells
    if read.is_percent and reader.cells:
        reader.cells[-1] = (reader.cells[-1][0], True)


class _Line(NamedTuple):
    """What a line is, whatever stands above it: a head, running text, a row, a part of one, or nothing.

    `unit` is what it states, `mark` that of its currency; `text` its label; `is_percent` says that it is a sign alone.
    """

    unit: str = ""
    mark: str = ""
    head: tuple[tuple[int, ...], tuple[Column, ...]] | None = None
    is_prose: bool = False
    is_any: bool = False
    text: str = ""
    cells: tuple[tuple[float | None, bool], ...] = ()
    is_percent: bool = False


_NOTHING = _Line()


# Half of the lines of a report are a cell or a sign alone that stood there before, or a label of the report before.
@lru_cache(maxsize=1 << 13)
def _read_line(line: str) -> _Line:
    bare = " ".join(line.split())
    if not bare:
        return _NOTHING
    if _ALONE.fullmatch(bare) and not ("19" in bare or "20" in bare or bare.endswith(",")):
        return _Line(is_any=True, cells=((value_of_cell(bare), "%" in bare),))
    if _is_running(bare):
        return _Line(is_prose=True, text=bare)
    has_letters = bare.upper() != bare.lower()
    stated = _NOTHING
    if has_letters and len(bare) < _PROSE and (unit := unit_of(bare)):
        stated = _Line(unit, mark_of(bare) or "$")
        bare = _UNIT.sub("", bare).strip()
    elif ahead := _unit_ahead(bare):
        stated = _Line(ahead["unit"] or _SHORT_UNITS[ahead["short"]], mark_of(ahead["mark"] or ""))
        bare = bare[ahead.end() :].strip()
    head = _head_of(bare) if len(bare) < _PROSE else None
    if head is not None:
        spans, marks = head
        return stated._replace(head=(tuple(spans), tuple(marks)))
    if not bare or (has_letters and _is_day(bare)):
        return stated
    return _row_in(stated, bare, line)


# A cell alone, as most short lines are, that is no year.
_ALONE = re.compile(r"\(?\d[\d,]{0,30}(?:\.\d{0,12})?\)?%?\)?")


def _is_running(bare: str) -> bool:
    """Whether a line is a long one that begins with a word, which is no cell: it need not be parted."""
    return len(bare) >= _PROSE and bare[0].isalpha() and not _unit_ahead(bare) and not _is_day(bare)


def _row_in(stated: _Line, bare: str, line: str) -> _Line:
    """A line that is no head, with its label and its cells; `bare` is it without the unit that it states."""
    label, cells = parted_line(line)
    if label and len(cells) == 1 and _FOOTNOTE.fullmatch(f" {cells[0]}"):
        cells = []
    if label and (len(bare) >= _PROSE or (not cells and bare.endswith("."))):
        return _Line(stated.unit, stated.mark, is_prose=True, text=bare)
    text = " ".join(label)
    if text.endswith(")"):
        text = _FOOTNOTE.sub("", text) or text
    values = zip(map(value_of_cell, cells), _percents(line, cells), strict=True)
    is_percent = not label and not cells and bare.strip("() ") == "%"
    return _Line(stated.unit, stated.mark, is_any=True, text=text, cells=tuple(values), is_percent=is_percent)


def _unit_ahead(line: str) -> re.Match[str] | None:
    """The currency and unit that stand in front of years or quarters."""
    is_of_periods = " 20" in line or " 19" in line or " Q" in line
    return _UNIT_AHEAD.match(line) if is_of_periods else None


def mark_of(text: str) -> str:
    """How an amount in the currency that `text` names begins; empty for dollars and where it names none."""
    named = _CURRENCY.search(text)
    if named is None:
        return ""
    if len(named.group()) == 1:
        return named.group()
    return f"{named.group()} "


def _percents(line: str, cells: Sequence[str]) -> Iterator[bool]:
    """Whether a percent sign stands in or behind each of the cells at the end of a line."""
    if "%" not in line:
        yield from repeat(False, len(cells))
        return
    words = line.split()
    at = 0
    for cell in cells:
        digits = cell.strip("()$%")
        at = next((n for n in range(at, len(words)) if digits and digits in words[n]), len(words) - 1)
        if at + 1 < len(words):
            behind = words[at + 1]
        else:
            behind = ""
        yield "%" in words[at] or behind in ("%", ")%", "%)")
        at += 1


def _head_of(line: str) -> tuple[list[int], list[Column]] | None:
    """The spans and marks in a line of a table's head; None for other lines."""
    low = line.lower()
    if not any(map(low.__contains__, _IN_HEADS)):
        return None
    spans, changes, rest = list[int](), list[Column](), line
    if "ended" in low:
        spans = [_months(match) for match in _SPAN.finditer(line)]
        rest = _SPAN.sub(" ", line)
    rest = rest.strip(" :,")
    if match := _QUARTER.match(rest):
        return [], [Column(3, int(match[1])) if match[1] else Column(_YEAR_TO_DATE, int(match[2]))]
    if "change" in low:
        changes = [Column()] * len(_CHANGE.findall(rest))
        rest = _CHANGE.sub(" ", rest)
    rest = " ".join(rest.split()).strip(" :,")
    if changes and (not rest or _is_day(rest)):
        return spans, changes
    if _YEAR.match(rest):
        return spans, [*(Column(0, int(year)) for year in rest.split()), *changes]
    if years := years_of_dates(rest):
        return spans, [*(Column(0, year) for year in years), *changes]
    if spans and (not rest or _is_day(rest)):
        return (spans, [])
    return None


def _months(match: re.Match[str]) -> int:
    if match["quarter"]:
        return 3
    return 12 if match["year"] else _MONTHS_OF[match["n"].lower()]


def _is_day(line: str) -> bool:
    """Whether a line is a date without its year ("October 29,"), as it stands above the column's year."""
    names_month = False
    for written in line.split():
        word = written.strip(",.:;()").lower()
        if word in _MONTH_NAMES:
            names_month = True
        elif word not in _OF_DATES and not word.isdigit():
            return False
    return names_month


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
        is_ending = item is None and _ENDING.search(row.label) is not None
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
        if len(parts) >= _FEWEST_PARTS and abs(cell[0] - above) <= _ROUNDING:
            continue  # a sum of those above it, behind which others stand
        if not _may_be_part(row):
            return ()
        before = cell_of_period(row, months, year - 1)
        parts.append(Part(row.label, cell[0], before[0] if before else None))
        told = sum(part.amount for part in parts)
        left = whole / FACTORS[row.unit] - told
        if abs(left) <= _ROUNDING:
            is_told_once = len({part.name for part in parts}) == len(parts)
            return tuple(parts) if len(parts) >= _FEWEST_PARTS and is_told_once else ()
    return ()


def _may_be_part(row: TableRow) -> bool:
    """Whether a row states an amount of its own: not for one share, no sum of others, and no cost."""
    is_total = row.label.lower().startswith("total")
    is_own = bool(row.unit) and not row.is_per_share and not is_total
    return is_own and _OF_COSTS.search(row.label) is None
