"""Spreadsheets (.xlsx): a sheet is a document; each row is a line that names its columns."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Reading, SourceFile, clean, refuse_bomb
from adaq_core.corpus.tables import text_of_table
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".xlsx", ".xlsm")

_MOST_CELLS = 2_000_000
_MOST_ROWS_BLANK = 1_000


def read(file: SourceFile) -> Reading:
    """The sheets that hold anything, in their order; a row is a line "label: column value; column value"."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise FileReadError("reading Excel files needs openpyxl: pip install openpyxl") from error
    _check(file)
    book = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True)
    try:
        sheets = [(str(name), list(_rows(book[name]))) for name in book.sheetnames]
        title = one_line(book.properties.title or "") or file.stem
        author = one_line(book.properties.creator or "")
    finally:
        book.close()
    documents = tuple(
        Document(
            file.key if len(sheets) == 1 else f"{file.key}:{name}",
            title if len(sheets) == 1 else f"{title}, {name}",
            clean(text_of_table(rows)),
            metadata=(("author", author),) if author and author != "openpyxl" else (),
        )
        for name, rows in sheets
        if rows
    )
    return Reading(documents)


def _rows(sheet: Any) -> Iterator[list[str]]:
    """The rows with anything in them, as text; a long stretch of blank rows ends the sheet."""
    cells = blank = 0
    for row in sheet.iter_rows(values_only=True):
        texts = [_text(value) for value in row]
        while texts and not texts[-1]:
            texts.pop()
        cells += len(texts)
        blank = 0 if texts else blank + 1
        if cells > _MOST_CELLS:
            raise FileReadError(f"has more than {_MOST_CELLS:,} cells; split it")
        if blank > _MOST_ROWS_BLANK:
            return
        if texts:
            yield texts


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time().isoformat() == "00:00:00" else value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return _number(value)
    return one_line(f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else str(value))


def _number(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.6g}" if abs(value) < 1e4 else f"{value:,.2f}"


def _check(file: SourceFile) -> None:
    try:
        entries = zipfile.ZipFile(io.BytesIO(file.data)).infolist()
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound spreadsheet ({error}); open it in Excel and save it again") from error
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(file.data), limits=file.limits)
