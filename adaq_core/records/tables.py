"""The tables of a corpus: rows that are documents of their own (CSV), or lines of one (sheets, Markdown, Word, web)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from weakref import WeakKeyDictionary

from adaq_core.model import Passage
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import tokens, words
from adaq_core.text.values import Date, days

_MOST_PASSAGES = 20_000  # of a corpus whose tables are read: all of its passages are
_FEWEST_ROWS = 2
_FILE_OF_ROWS = re.compile(r"\.(?:csv|tsv):", re.IGNORECASE)
_FILE = re.compile(r"\.(?:xlsx|xlsm|md|markdown|html?|docx|pptx|epub|eml)(?::|$)", re.IGNORECASE)
_HEADER = re.compile(r"[^|\n]{1,80}(?: \| [^|\n]{1,80}){1,40}")
_VALUE = re.compile(r"(?:[$€£¥]\s?)?(-?\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,9})?)(?:\s?(?:%|[$€£¥]|[A-Za-z]{1,12}))?")
_ASIDE = re.compile(r"\s?\([^()]{0,40}\)")
_BOTH = frozenset((frozenset(("yes", "no")), frozenset(("true", "false")), frozenset(("yes",)), frozenset(("no",))))


def number_of(cell: str) -> float | None:
    """The number that a cell is, with a unit or without: 48000, $1,200, 9 EUR, 12 %."""
    match = _VALUE.fullmatch(cell.strip())
    return float(match[1].replace(",", "")) if match else None


def day_of(cell: str) -> Date | None:
    """The day that a cell is."""
    found = days(cell) if len(cell) <= 30 else []
    return found[0] if len(found) == 1 and found[0].is_day else None


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row by the names of their columns, and where it stands: `quote` is in the passage's text."""

    cells: Mapping[str, str]
    passage: Passage
    quote: str


@dataclass(frozen=True)
class Column:
    """A column: its name, its cells in the order of the rows, empty where a row has none."""

    name: str
    cells: tuple[str, ...]

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The terms of its name, without a unit in brackets."""
        return tuple(tokens(_ASIDE.sub("", self.name)))

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that say something."""
        return tuple(cell for cell in self.cells if cell)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether its cells are numbers."""
        return bool(self.filled) and all(number_of(cell) is not None for cell in self.filled)

    @cached_property
    def is_dated(self) -> bool:
        """Whether its cells are days."""
        return bool(self.filled) and not self.is_numeric and all(day_of(cell) is not None for cell in self.filled)

    @cached_property
    def is_yes_or_no(self) -> bool:
        """Whether its cells say yes or no."""
        return frozenset(cell.lower() for cell in self.filled) in _BOTH

    @cached_property
    def names_rows(self) -> bool:
        """Whether each row has another cell of it."""
        return len(set(self.cells)) == len(self.cells) and not self.is_dated


@dataclass(frozen=True)
class Table:
    """Rows with the same columns; `name` is that of the file or the sheet."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @cached_property
    def label(self) -> Column:
        """The column that names the rows: the first that differs in each, else the first."""
        return next((column for column in self.columns if column.names_rows), self.columns[0])

    @cached_property
    def stems(self) -> frozenset[str]:
        """The terms by which its rows are called: those of its name, and of the column that names them."""
        return frozenset((*tokens(self.name), *self.label.stems))

    @cached_property
    def values(self) -> Mapping[tuple[str, ...], Sequence[tuple[Column, str]]]:
        """By the words of a cell the columns that have it, with the cell; numbers only where they name rows."""
        found: dict[tuple[str, ...], list[tuple[Column, str]]] = {}
        for column in self.columns:
            if column.is_dated or column.is_yes_or_no or (column.is_numeric and column is not self.label):
                continue
            for cell in dict.fromkeys(column.filled):
                found.setdefault(tuple(words(cell)), []).append((column, cell))
        return found


def tables_of(corpus: Corpus) -> Sequence[Table]:
    """The tables of a corpus, read once; none of one with more than 20,000 passages."""
    index = corpus.stored
    known = _TABLES.get(index.shared)
    if known is None:
        passages = index.fetch(range(index.size)) if index.size <= _MOST_PASSAGES else []
        known = _TABLES[index.shared] = (*_of_rows(passages), *_of_lines(passages))
    return known


def _of_rows(passages: Sequence[Passage]) -> Iterator[Table]:
    """Tables of which each row is a document."""
    rows = [passage for passage in passages if _FILE_OF_ROWS.search(passage.document_id) and not passage.position]
    for file, group in groupby(sorted(rows, key=_place), key=lambda passage: _place(passage)[0]):
        mine = list(group)
        yield from _table(_stem_of(file), [Row(_cells(passage), passage, passage.text) for passage in mine])


def _place(passage: Passage) -> tuple[str, int]:
    """The file of a row, and its number there where it has one."""
    file, _, key = passage.document_id.rpartition(":")
    number = key.removeprefix("row ")
    return file, int(number) if number.isdigit() else 0


def _stem_of(file: str) -> str:
    return re.split(r"[/\\]", file)[-1].rpartition(".")[0].replace("_", " ")


def _cells(passage: Passage) -> dict[str, str]:
    """The cells of a row's document: what names it, its day, and all the columns that it keeps."""
    key = passage.document_id.rpartition(":")[2]
    named = {} if key.startswith("row ") else {"id": key}
    dated = {"date": passage.date} if passage.date else {}
    return {**named, **dated, **dict(passage.metadata)}


def _of_lines(passages: Sequence[Passage]) -> Iterator[Table]:
    """Tables that stand in a document: a line that names the columns, then a line for each row."""
    held = [passage for passage in passages if _FILE.search(passage.document_id)]
    for document, group in groupby(held, key=lambda passage: passage.document_id):
        header: list[str] = []
        rows: list[Row] = []
        mine = list(group)
        for passage, line in _lines(mine):
            if _HEADER.fullmatch(line) and not (header and _read_line(line, header)):
                yield from _table(_name_of(document, mine[0]), rows)
                header, rows = line.split(" | "), []
            elif header and (cells := _read_line(line, header)):
                rows.append(Row(cells, passage, line))
        yield from _table(_name_of(document, mine[0]), rows)


def _lines(passages: Iterable[Passage]) -> Iterator[tuple[Passage, str]]:
    """The lines of a document, each once: passages share the text at their borders."""
    end = -1
    for passage in passages:
        start = passage.start
        for line in passage.text.split("\n"):
            if start > end:
                yield passage, line
                end = start
            start += len(line) + 1


def _name_of(document: str, first: Passage) -> str:
    """The sheet where a file has several, else the title."""
    return document.rpartition(":")[2] if ":" in document else first.title


def _read_line(line: str, header: Sequence[str]) -> dict[str, str]:
    """The cells of a line "label: column value; column value" under a header; empty where it is none."""
    label, _, rest = line.partition(": ")
    columns = header[1:]
    if not rest or label.startswith(f"{header[0]} "):
        rest, columns, label = line, header, ""
    cells = {header[0]: label} if label else {}
    for piece in rest.split("; "):
        name = max((each for each in columns if piece.startswith(f"{each} ")), key=len, default="")
        if not name:
            return {}
        cells[name] = piece.removeprefix(name).strip()
    return cells


def _table(name: str, rows: Sequence[Row]) -> Iterator[Table]:
    if len(rows) >= _FEWEST_ROWS:
        columns: Iterable[str] = dict.fromkeys(column for row in rows for column in row.cells)
        yield Table(
            name, tuple(Column(each, tuple(row.cells.get(each, "") for row in rows)) for each in columns), tuple(rows)
        )


_TABLES: WeakKeyDictionary[object, Sequence[Table]] = WeakKeyDictionary()
