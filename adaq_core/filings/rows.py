"""The rows of the tables in a text, each with the heads above it and the period of every column.

Texts of PDFs have each cell on a line of its own, or a whole row, or a mixture: the head of a table is read as marks
(spans of months, years, columns of change), and a row counts only where its cells are as many as the marks. Rows are
read by splitting at white space: one pattern for a whole line of numbers takes exponential time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat, takewhile
from typing import NamedTuple

from adaq_core.filings.formula import LineItem, is_label, letters_of
from adaq_core.text.values import MONTHS

_CELL = re.compile(r"^\(?[-+]?[$€£¥]?\(?\d[\d,]{0,30}(?:\.\d{0,12})?\)?%?\)?$|^\(?\.\d{1,12}\)?$")
_NO_DIGIT = re.compile(r"[^\d.]")
_DASHES = frozenset(("—", "–", "-", "--", "—%"))
_FILLING = frozenset(("|", "$", ")", "%", "(", "$(", ")%", "€", "£"))
YEARS = range(1990, 2100)
_TIES = "of and to at in par by note notes through due section or $ from than"
_IN_LABEL = frozenset(_TIES.split())
_IN_DATES = "fiscal year years ended as of at the and months three six nine twelve weeks quarter for"
_DATE_WORDS = frozenset(("", *_IN_DATES.split()))
_UNITS = ("thousand", "million", "billion")
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
_LEADERS = re.compile(r"\.{3,400}")  # from a label to its cells
_GOES_ON = frozenset(
    ("and", "at", "of", "in", "to", "on", "for", "or", "with")
)  # the last word of a label on two lines
_STOPS = tuple('.!?”"')
_NEAR = 160
_HEADING = 90
_PER_SHARE = 10
_NOTES = range(1, 40)  # the numbers that a note may have
_PROSE = 120
_CAPTION = 6
_HEADS = 2
_YEAR_TO_DATE = 9
FEWEST_PARTS = 2  # of a total that has no label
ENDING = re.compile(r"(?i)^ending\b|\b(?:at )?end of (?:the )?(?:period|quarter|year)$|\bending balances?$")


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
    is_below: bool = False  # right below its heads, which may be the lines that its label begins on

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

    @property
    def labels(self) -> tuple[str, ...]:
        """The label, then joined with the lines right above it, on which it may begin."""
        above = self.heads if self.is_below else ()
        return (self.label, *(" ".join((*above[start:], self.label)) for start in reversed(range(len(above)))))

    @property
    def years(self) -> tuple[int, ...]:
        """The years of its columns, without those of change."""
        return tuple(column.year for column in self.columns if not column.is_change)

    @property
    def values(self) -> tuple[float | None, ...]:
        """What stands under its years."""
        pairs = zip(self.columns, self.cells, strict=True)
        return tuple(value for column, (value, _) in pairs if not column.is_change)

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
        ends = months == 0 and ENDING.search(self.label) is not None  # each span of a year ends on its day
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
    is_below: bool = False
    ended: tuple[tuple[str, int], list[int], list[Column]] | None = None

    def head(self, spans: Sequence[int], marks: Sequence[Column]) -> None:
        """Take in a line of the head; behind rows it begins the next table."""
        self.close()
        self.ended = None
        if self.has_rows or (self.marks and self.spans and spans):
            self.spans, self.marks, self.heads, self.has_rows = [], [], (), False
        self._to_caption()
        self.spans += spans
        self.marks += marks

    def prose(self, line: str, start: int) -> None:
        """A line of running text ends a table, unless cells stand right below it."""
        self.close()
        self.ended = (line, start), self.spans, self.marks
        self.caption, self.waiting, self.lines = [line], [], []
        self.spans, self.marks, self.heads, self.has_rows = [], [], (), False

    def go_on(self) -> None:
        """Take the line of running text for the label of the cells below it."""
        if self.ended is not None and not self.waiting and not self.marks:
            label, self.spans, self.marks = self.ended
            self.waiting, self.lines, self.has_rows = [label], [label[0]], True
        self.ended = None

    def label(self, text: str, start: int) -> None:
        self.close()
        self.ended = None
        self.waiting = [*self.waiting, (text, start)][-_HEADS - 1 :]
        self.lines = []

    @property
    def is_broken_off(self) -> bool:
        """Whether the label that waits goes on in the next line: "… shares outstanding at December 31, 2021 and"."""
        if self.cells or not self.waiting or not self.has_rows:
            return False
        return self.waiting[-1][0].rpartition(" ")[2].lower() in _GOES_ON

    def named_row(
        self, label: str, columns: list[Column], cells: list[tuple[float | None, bool]], line: str, start: int
    ) -> None:
        """Take in a row that names its columns itself, whatever the marks of the head."""
        self.close()
        self.rows.append(
            TableRow(label, (), tuple(self.caption), tuple(columns), tuple(cells), self.unit, line, start, self.mark)
        )

    def close(self) -> None:
        """Finish the row whose cells have come."""
        if self.cells and self.waiting and self.marks:
            self.is_below = len(self.waiting) > 1
            if self.is_below:
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
        if len(columns) == cells - 1 and self.cells[0][0] in _NOTES and not self.cells[0][1]:
            self.cells = self.cells[1:]  # the number of a note
            return tuple(columns)
        nearest = columns[len(columns) // 2 :] if len(columns) == 2 * cells else []
        for fit in (columns, plain, nearest):  # a title may name the years that stand below it once more
            if fit and len(fit) == cells:
                return tuple(fit)
        return ()

    def _add_with_total(self, columns: tuple[Column, ...]) -> None:
        """A row with the total of its group behind it, which has no label: the sum of the rows under one head."""
        own, total = self.cells[: len(columns)], self.cells[len(columns) :]
        group = takewhile(lambda row: row.heads == self.heads and row.columns == columns, reversed(self.rows))
        parts = [[value or 0.0 for value, _ in cells] for cells in (own, *(row.cells for row in group))]
        sums = [sum(column) for column in zip(*parts, strict=True)]
        if not self.heads or len(parts) < FEWEST_PARTS or sums != [value for value, _ in total]:
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
        self.rows.append(
            TableRow(text, self.heads, above, columns, cells, self.unit, quote, start, self.mark, self.is_below)
        )

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
    if ": " in line and (named := _named_row(line)):
        reader.named_row(*named, line, at)
        return
    read = _read_line(line)
    if (read.head and reader.is_broken_off) or (read.is_prose and reader.marks and read.text[-1:] not in _STOPS):
        read = _Line(is_any=True, text=" ".join(line.split()))
    if read.unit:
        above = reader.waiting[-1][0] if reader.waiting else ""
        reader.unit, reader.mark = read.unit, read.mark or mark_of(above) or "$"
    if read.head is not None:
        reader.head(*read.head)
    elif read.is_prose:
        reader.prose(read.text, at)
    else:
        _take_row(reader, read, line, at)


def _named_row(line: str) -> tuple[str, list[Column], list[tuple[float | None, bool]]] | None:
    """A row of a table whose columns are named in it: "Revenue: 2022 1,000; 2021 900"."""
    label, _, rest = line.partition(": ")
    parts = [part.split() for part in rest.split("; ")]
    if not label or not all(len(part) > 1 and _is_cell(part[-1]) and not _years_in(part[-1:]) for part in parts):
        return None
    years = [year for part in parts for year in _years_in(part[:-1])[-1:]]
    if len(years) != len(parts):
        return None
    return label, [Column(0, year) for year in years], [(value_of_cell(part[-1]), "%" in part[-1]) for part in parts]


def _years_in(words: Sequence[str]) -> list[int]:
    digits = (word.strip(",.:;()")[-4:] for word in words)
    return [int(word) for word in digits if word.isdigit() and int(word) in YEARS]


def _take_row(reader: _Reader, read: _Line, line: str, at: int) -> None:
    if read.text:
        reader.label(read.text, at)
    elif read.cells:
        reader.go_on()
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
    if "..." in line:
        line = _LEADERS.sub(" ", line)
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


def unit_of(text: str) -> str:
    """The unit that a page states: thousand, million or billion; empty where it states none."""
    low = text[:2_500].lower()
    if not any(map(low.__contains__, _UNITS)):
        return ""
    head = " ".join(low.split())
    places = []
    for unit in _UNITS:
        if f"in {unit}s" in head or f"({unit}s" in head:
            places.append((head.find(f"{unit}s"), unit))
        if f"$ in {unit}" in head:
            places.append((head.find(f"$ in {unit}"), unit))
    return min(places)[1] if places else ""


def _words(line: str) -> list[str]:
    """The words of a line; brackets and signs that stand alone are joined to the number that they belong to."""
    written = line.replace("−", "-").split()
    if "$" not in line and _FILLING.isdisjoint(written):
        return written
    words: list[str] = []
    for word in written:
        if word in _FILLING and word != "(":
            continue
        if words and words[-1] == "(" and word[:1].isdigit():
            words[-1] = f"({word}"
        else:
            words.append(word.lstrip("$") if word.startswith("$") and word[1:2].isdigit() else word)
    return words


def parted_line(line: str) -> tuple[list[str], list[str]]:
    """The label and the cells of a line."""
    return _parted(_words(line))


def _parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Label and cells: the cells are the numbers at the end of the line, unless a word ties them to the label."""
    end = len(words)
    while end > 0 and _is_cell(words[end - 1]):
        end -= 1
    label = list(words[:end])
    last = label[-1].lower() if label else ""
    if last.strip("(,") in _IN_LABEL or last[:3] in _MONTH_STEMS:
        return list(words), []
    return label, list(words[end:])


def _is_cell(word: str) -> bool:
    """Whether a word is a cell: a number or a dash, and not the day of a date ("31,")."""
    return word in _DASHES or (_CELL.match(word) is not None and not word.endswith(","))


def value_of_cell(cell: str) -> float | None:
    """The number of a cell, negative in brackets; None for a dash."""
    if cell in _DASHES:
        return None
    digits = _NO_DIGIT.sub("", cell)
    if not digits.strip(".") or digits.count(".") > 1:
        return None
    number = float(digits.strip("."))
    return -number if cell.startswith(("(", "-", "$(", "-$")) else number


def years_of_dates(line: str) -> list[int]:
    """The years of a line of dates ("June 25, 2022  September 25, 2021", "Fiscal 2023", "FY2022 FY2021"); else none."""
    years, names_dates = [], False
    for written in line.split():
        word = written.strip(",.:;()")
        last = word[-4:]
        if len(word) <= 6 and last.isdigit() and int(last) in YEARS:
            years.append(int(last))
        is_month = word[:3].lower() in _MONTH_STEMS
        names_dates |= is_month or word.lower().startswith(("fiscal", "fy"))
        if not (is_month or word.isdigit() or _is_date_word(word)):
            return []
    return years if names_dates else []


def _is_date_word(word: str) -> bool:
    low = word.lower()
    return low in _DATE_WORDS or low.startswith("fy")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a statement page, the years that most of them have, and the unit that the page states."""

    rows: tuple[TableRow, ...]
    years: tuple[int, ...]
    unit: str


def table_of(text: str) -> Table:
    """The table that a statement page holds."""
    rows = rows_of(text)
    counts = Counter(row.years for row in rows)
    years = max(counts, key=counts.__getitem__, default=())
    return Table(tuple(rows), years, unit_of(text))


def values_of(item: LineItem, table: Table) -> list[tuple[TableRow, tuple[float | None, ...]]]:
    """The rows of an item at the strictest label that any row has, with one cell for each year of the table."""
    for label in item.labels:
        rows = [row for row in table.rows if _is_row(row, label, item)]
        if rows:
            return [(row, row.values) for row in rows if len(row.values) == len(table.years)]
    return []


def _is_row(row: TableRow, label: str, item: LineItem) -> bool:
    for text in row.labels:
        letters = letters_of(text)
        if is_label(letters, label) and not any(letters_of(unlike) in letters for unlike in item.unlike):
            return True
    return False
