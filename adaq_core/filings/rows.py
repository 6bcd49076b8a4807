"""The rows of a statement page: a label, its numbers, and the year of each column.

Rows are read by splitting at white space: one pattern for a whole line of numbers takes exponential time. A number line
belongs to the label lines before it; texts of PDFs have each cell on a line of its own, or a whole row, or a mixture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from adaq_core.filings.formula import LineItem, is_label, letters_of
from adaq_core.text.values import MONTHS

_CELL = re.compile(r"^\(?[-+]?[$€£¥]?\(?\d[\d,]{0,30}(?:\.\d{0,12})?\)?%?\)?$|^\(?\.\d{1,12}\)?$")
_NO_DIGIT = re.compile(r"[^\d.]")
_NOTHING = frozenset(("—", "–", "-", "--", "—%"))
_FILLING = frozenset(("|", "$", ")", "%", "(", "$(", ")%", "€", "£"))
YEARS = range(1990, 2100)
_MONTH_STEMS = tuple(month[:3].lower() for month in MONTHS)
_TIES = "of and to at in par by note notes through due section or $ from than"
_IN_LABEL = frozenset(_TIES.split())
_OF_DATES = "fiscal year years ended as of at the and months three six nine twelve weeks quarter for"
_DATE_WORDS = frozenset(("", *_OF_DATES.split()))
_LABEL_LINES = 3
_LONGEST_LABEL = 160
_UNITS = ("thousand", "million", "billion")


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its labels (its own line first, then joined with the lines above), its cells (None for a dash).

    `quote` is the row as it stands in the text, from its own label to its last cell.
    """

    labels: tuple[str, ...]
    cells: tuple[float | None, ...]
    quote: str = ""

    @property
    def label(self) -> str:
        """The line next to the numbers."""
        return self.labels[0]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a page, the year of each column from left to right, and the unit that the page states."""

    rows: tuple[Row, ...]
    years: tuple[int, ...]
    unit: str


@dataclass(slots=True)
class _Reader:
    """Label lines that wait for numbers, and the numbers that have come since."""

    labels: list[str] = field(default_factory=list)
    cells: list[float | None] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    years: list[int] = field(default_factory=list)

    def label(self, text: str) -> None:
        self.close()
        self.labels = [*self.labels, text][-_LABEL_LINES:]
        self.lines = []

    def line(self, text: str) -> None:
        """Remember a line of the row as it stands."""
        if text.strip() and self.labels:
            self.lines.append(text)

    def numbers(self, cells: Sequence[float | None]) -> None:
        self.cells.extend(cells)

    def close(self) -> None:
        """Finish the row whose numbers have come; a row of years is the header of those that follow."""
        if not self.cells:
            return
        if self.cells and all(cell is not None and cell in YEARS and cell == int(cell) for cell in self.cells):
            self._header([int(cell) for cell in self.cells if cell is not None])
        elif self.labels:
            self.rows.append(Row(_joined(self.labels), tuple(self.cells), "\n".join(self.lines)))
        self.labels, self.cells, self.lines = [], [], []

    def _header(self, years: list[int]) -> None:
        """Take the years above the first row: a run of them, or one after another, each below its month."""
        if not self.years and all(len(row.cells) == 1 for row in self.rows):
            self.rows.clear()  # "Item 8" and other numbers of the page's head
        if not self.rows:
            self.years = [*self.years, *years] if len(years) == 1 else years


def table_of(text: str) -> Table:
    """The table that a statement page holds."""
    reader = _Reader()
    dated: list[int] = []
    for line in text.split("\n"):
        if (named := _named_row(line)) is not None:
            reader.close()
            row, years = named
            reader.years = reader.years or years
            reader.rows.append(row)
            continue
        words = _words(line)
        if not words:
            reader.line(line)
            continue
        if (years := years_of_dates(line)) and not reader.rows:
            reader.close()
            dated += years
            continue
        label, cells = _parted(words)
        if label:
            reader.label(" ".join(label)[:_LONGEST_LABEL])
        if label or cells:
            reader.line(line)
        if cells:
            reader.numbers([value_of_cell(cell) for cell in cells])
    reader.close()
    return Table(tuple(reader.rows), tuple(reader.years or dated), unit_of(text))


def _named_row(line: str) -> tuple[Row, list[int]] | None:
    """A row of a table whose columns are named in it ("Revenue: 2022 1,000; 2021 900"), and the years of these."""
    label, colon, rest = line.partition(": ")
    parts = [part.split() for part in rest.split("; ")]
    if not colon or not label or not all(len(part) > 1 and _is_cell(part[-1]) for part in parts):
        return None
    years = [year for part in parts for year in _years_in(part[:-1])[-1:]]
    if len(years) != len(parts):
        return None
    return Row((label,), tuple(value_of_cell(part[-1]) for part in parts), line), years


def _years_in(words: Sequence[str]) -> list[int]:
    digits = (word.strip(",.:;()")[-4:] for word in words)
    return [int(word) for word in digits if word.isdigit() and int(word) in YEARS]


def values_of(item: LineItem, table: Table) -> list[tuple[Row, tuple[float | None, ...]]]:
    """The rows of an item at the strictest label that any row has, with one cell for each year of the table."""
    for label in item.labels:
        rows = [row for row in table.rows if _is_row(row, label, item)]
        if rows:
            return [(row, cells) for row in rows if (cells := _by_column(row, table)) is not None]
    return []


def _is_row(row: Row, label: str, item: LineItem) -> bool:
    for text in row.labels:
        letters = letters_of(text)
        if is_label(letters, label) and not any(letters_of(unlike) in letters for unlike in item.unlike):
            return True
    return False


_NOTES = range(1, 40)  # the numbers that a note may have


def _by_column(row: Row, table: Table) -> tuple[float | None, ...] | None:
    """The cells under the years: a leading number of a note is dropped; None where the counts do not fit."""
    columns, cells = len(table.years), row.cells
    if columns == 0:
        return None
    if len(cells) == columns + 1 and cells[0] in _NOTES:
        return cells[1:]
    return cells if len(cells) == columns else None


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
    return word in _NOTHING or (_CELL.match(word) is not None and not word.endswith(","))


def value_of_cell(cell: str) -> float | None:
    """The number of a cell, negative in brackets; None for a dash."""
    if cell in _NOTHING:
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


def _joined(labels: Sequence[str]) -> tuple[str, ...]:
    """The last line alone, then with the one above, then with both."""
    return tuple(" ".join(labels[start:]) for start in range(len(labels) - 1, -1, -1))
