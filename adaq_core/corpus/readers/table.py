"""Tables (CSV, TSV): a row is a document."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import islice

from adaq_core.corpus.fields import guess_fields, is_known, one_line, to_document
from adaq_core.corpus.reading import MIB, Reading, SourceFile, decode, few, unique_ids

SUFFIXES = (".csv", ".tsv")

_SAMPLE = 200
_CELL = 64 * MIB


def read(file: SourceFile) -> Reading:
    """The rows as documents; the notices say which columns were taken for what."""
    text, notices = decode(file.data)
    csv.field_size_limit(max(csv.field_size_limit(), _CELL))
    rows = list(_rows(text))
    if not rows:
        return Reading(())
    names, said = _header(rows[0][1])
    body = rows if said else rows[1:]
    problems: list[str] = []
    records = [_record(names, row, line, problems) for line, row in body]
    fields = guess_fields(names, records[:_SAMPLE])
    ids = unique_ids(
        [record.get(fields.id, "") or f"row {line}" for record, (line, _) in zip(records, body, strict=True)]
    )
    documents = tuple(
        to_document(record, fields, document_id=f"{file.key}:{key}", title=f"{file.stem}, {key}")
        for record, key in zip(records, ids, strict=True)
    )
    return Reading(documents, (*notices, *said, fields.said), few(problems))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, with the number of the row, from 1 for the first of the file."""
    table = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    for line, row in enumerate(table, start=1):
        if any(cell.strip() for cell in row):
            yield line, row


def _delimiter(text: str) -> str:
    """Of , ; tab and | the one that cuts the first rows into the same number of cells, the most of them."""

    def score(mark: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in islice(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 20) if row]
        except csv.Error:
            return 0, 0
        common = max(set(widths), key=widths.count) if widths else 0
        return (widths.count(common) if common > 1 else 0), common

    return max(",;\t|", key=score)


def _header(first: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The names of the columns, and a notice when the first row is data and the columns have no names."""
    names = [one_line(cell) for cell in first]
    short = all(name and len(name) <= 60 and not name.replace(".", "").isdigit() for name in names)
    if any(is_known(name) for name in names) or (short and len(set(names)) == len(names) > 1):
        return unique_ids([name or f"column {number}" for number, name in enumerate(names, start=1)]), ()
    return [f"column {number}" for number in range(1, len(first) + 1)], ("no header row: the columns are numbered",)


def _record(names: Sequence[str], row: Sequence[str], line: int, problems: list[str]) -> dict[str, str]:
    if len(row) > len(names):
        problems.append(f"row {line} has {len(row)} cells, the header {len(names)}: the rest was left out")
    return {name: cell.strip() for name, cell in zip(names, row, strict=False)}
