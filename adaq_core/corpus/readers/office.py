"""Word, PowerPoint and Excel files: paragraphs, slides and tables in their order."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from adaq_core.corpus.fields import one_line, text_of_table
from adaq_core.corpus.reading import Limits, Reading, SourceFile, clean, outline_of, refuse_bomb
from adaq_core.errors import FileReadError
from adaq_core.model import Document

_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"


def read_docx(file: SourceFile) -> Reading:
    """The text of the body; a row of a table is a line that names its columns."""
    try:
        import docx
    except ImportError as error:
        raise FileReadError("reading Word files needs python-docx: pip install python-docx") from error
    if file.data.startswith(_OLD_OR_LOCKED):
        raise FileReadError("is locked with a password, or an old .doc; save it as .docx without a password")
    _check_zip(file.data, file.limits)
    content = docx.Document(io.BytesIO(file.data))
    inner = list(content.iter_inner_content())
    text = clean("\n\n".join(block for block in map(_block, inner) if block))
    properties = content.core_properties
    author = one_line(properties.author or "")
    document = Document(
        file.key,
        file.titled(properties.title or ""),
        text,
        metadata=(("author", author),) if author and author != "python-docx" else (),
        outline=outline_of(text, [heading for block in inner if (heading := _heading(block))]),
    )
    return Reading((document,))


def _check_zip(data: bytes, limits: Limits) -> None:
    try:
        entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound .docx ({error}); open it in Word and save it again") from error
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(data), limits=limits)


def _block(block: Any) -> str:
    if hasattr(block, "rows"):
        return text_of_table([[one_line(cell.text) for cell in row.cells] for row in block.rows])
    return str(block.text).strip()


def _heading(block: Any) -> tuple[int, str] | None:
    """Level and text of a paragraph that Word calls a heading."""
    if hasattr(block, "rows"):
        style = ""
    else:
        style = str(getattr(block.style, "name", "") or "")
    level = style.removeprefix("Heading ")
    if level.isdigit() and style != level:
        return (int(level), one_line(block.text))
    return None


_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def read_slides(file: SourceFile) -> Reading:
    """The text of the slides in their order; a row of a table is a line with " | " between its cells."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound .pptx ({error}); open it and save it again") from error
    entries = archive.infolist()
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(file.data), limits=file.limits)
    numbered = sorted((int(match[1]), entry) for entry in entries if (match := _SLIDE.fullmatch(entry.filename)))
    slides = [clean("\n".join(_lines(fromstring(archive.read(entry))))).strip() for _, entry in numbered]
    text, starts, outline = "", [], []
    for slide in slides:
        text += "\n\n" if text and slide else ""
        starts.append(len(text))
        outline.append((len(text), slide.split("\n")[0][:80]))
        text += slide
    document = Document(
        file.key,
        file.stem,
        text,
        metadata=(("pages", str(len(slides))),),
        pages=tuple(starts),
        outline=tuple((start, heading) for start, heading in outline if heading),
    )
    return Reading((document,))


def _lines(slide: Any) -> list[str]:
    lines = []
    in_tables = {id(node) for table in slide.iter(f"{_DRAWING}tbl") for node in table.iter(f"{_DRAWING}p")}
    for node in slide.iter():
        if node.tag == f"{_DRAWING}tr":
            lines.append(" | ".join(_text(cell) for cell in node.iter(f"{_DRAWING}tc")))
        elif node.tag == f"{_DRAWING}p" and id(node) not in in_tables:
            lines.append(_text(node))
    return [line for line in lines if line.strip(" |")]


def _text(node: Any) -> str:
    return " ".join("".join(run.text or "" for run in node.iter(f"{_DRAWING}t")).split())


_MOST_CELLS = 2_000_000
_MOST_ROWS_BLANK = 1_000


def read_sheet(file: SourceFile) -> Reading:
    """The sheets that hold anything, in their order; a row is a line "label: column value; column value"."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise FileReadError("reading Excel files needs openpyxl: pip install openpyxl") from error
    _check(file)
    book = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True)
    try:
        sheets = [(str(name), list(_rows(book[name]))) for name in book.sheetnames]
        title = file.titled(book.properties.title or "")
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
        texts = [_cell_text(value) for value in row]
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


def _cell_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        if value.time().isoformat() == "00:00:00":
            return value.date().isoformat()
        return value.isoformat(" ")
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


READERS = {".docx": read_docx, ".pptx": read_slides, ".xlsx": read_sheet, ".xlsm": read_sheet}
