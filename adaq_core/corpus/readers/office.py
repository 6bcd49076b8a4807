"""Files as offices have them: Word, LibreOffice, PowerPoint and Excel with tables; mails and what is attached."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from itertools import groupby, pairwise, takewhile
from typing import Any

from adaq_core.corpus.readers import (
    Reading,
    SourceFile,
    archive_in,
    clean,
    decode,
    is_printed_title,
    joined_pages,
    one_line,
    outline_of,
    read,
    readers,
    suffix_of,
    with_whole_lines,
)
from adaq_core.corpus.readers.records import opens_table, text_of_table
from adaq_core.corpus.readers.web import headings_and_text, is_of_part
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.values import days

_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"


def read_docx(file: SourceFile) -> Reading:
    """The text of the body with its notes and text boxes; a row of a table is a line that names its columns."""
    import docx

    if file.data.startswith(_OLD_OR_LOCKED):
        raise FileReadError("is locked with a password, or an old .doc; save it as .docx without a password")
    archive = archive_in(file, "is not a .docx, or a damaged one; open it in Word and save it again")
    try:
        content = docx.Document(io.BytesIO(file.data))
    except KeyError as error:
        if "word/document.xml" not in archive.NameToInfo:
            raise
        content = _with_sound_links(archive, error)
    properties = content.core_properties
    author = one_line(properties.author or "")
    given = "" if author == "python-docx" else author
    return _composed(file, _blocks(content, archive), title=properties.title or "", author=given)


_LINK_WITHIN = re.compile(rb'<Relationship [^>]{0,2000}Target="#[^>]{0,2000}/>')


def _with_sound_links(archive: zipfile.ZipFile, error: KeyError) -> Any:
    """A Word file without links within it that are written as parts ("#top"), as LibreOffice leaves those of a page."""
    import docx

    sound = io.BytesIO()
    with zipfile.ZipFile(sound, "w") as copy:
        for entry in archive.infolist():
            data = archive.read(entry)
            if entry.filename.endswith(".rels"):
                data = _LINK_WITHIN.sub(b"", data)
            copy.writestr(entry, data)
    try:
        return docx.Document(sound)
    except KeyError:
        raise FileReadError("is a .docx of another kind (strict); save it as an ordinary .docx") from error


_TELLS = 40  # words, among which a document says what it is called; a template calls each letter "Letter"


def _composed(file: SourceFile, blocks: Sequence[_Block], *, title: str, author: str) -> Reading:
    """The document that paragraphs and tables make; the heading that opens it is its title where it states no other."""
    opening = one_line(blocks[0].text) if blocks and blocks[0].style in ("Title", "Heading 1") else ""
    headings = [block.heading for block in blocks if block.heading]
    opening = "" if is_of_part(opening, headings) else opening
    text = " ".join(block.text for block in blocks)
    tells = len(text.split()) >= _TELLS
    is_of_template = tells and not is_printed_title(title, text)
    title = file.titled(opening if is_of_template else title or opening)
    if title == opening:
        blocks = blocks[1:]
    tight = [False, *(before.is_item and block.is_item for before, block in pairwise(blocks))]
    parts = [("\n" if is_tight else "\n\n") + block.text for is_tight, block in zip(tight, blocks, strict=False)]
    text = clean("".join(parts)).strip()
    document = Document(
        file.key,
        title,
        text,
        metadata=(("author", author),) if author else (),
        outline=outline_of(text, [block.heading for block in blocks if block.heading]),
    )
    return Reading((document,))


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph of a Word file, what Word calls its style ("Heading 1"), or a table."""

    text: str
    style: str = ""
    is_item: bool = False

    @property
    def heading(self) -> tuple[int, str] | None:
        """Level and text of a paragraph that Word calls a heading."""
        level = self.style.removeprefix("Heading ")
        if level.isdigit() and self.style != level:
            return (int(level), one_line(self.text))
        return None


_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BOX = f"{_WORD}txbxContent"
# Fields to fill in and what was added while changes were recorded hold text as the body does.
_HOLDERS = frozenset(_WORD + name for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))
_UNSAID = frozenset((_FALLBACK, _BOX, *(_WORD + name for name in ("del", "moveFrom", "sdtPr", "pPr", "rPr"))))
_SIGNS = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n", f"{_WORD}cr": "\n", f"{_WORD}noBreakHyphen": "-"}


def _blocks(content: Any, archive: zipfile.ZipFile) -> list[_Block]:
    """The paragraphs and tables that hold text, each followed by the notes and text boxes that hang on it."""
    from docx.text.paragraph import Paragraph

    notes = _notes(archive)
    blocks: list[_Block] = []
    for node in _inside(content.element.body, "p", "tbl"):
        if node.tag == f"{_WORD}tbl":
            blocks.append(_Block(text_of_table(_cells_of(node))))
        else:
            style = str(getattr(Paragraph(node, content).style, "name", "") or "")
            is_item = not style.startswith("Heading") and node.find(f"{_WORD}pPr/{_WORD}numPr") is not None
            is_item = is_item or style.startswith(("List Bullet", "List Number"))
            if style.lower().startswith("toc "):
                text = ""
            else:
                text = _said(node).strip()
            blocks.append(_Block(f"- {text}" if is_item and text else text, style, is_item))
        for box in node.iter(_BOX):
            if not any(above.tag in _UNSAID for above in box.iterancestors()):
                blocks += [_Block(_said(part).strip()) for part in _inside(box, "p")]
        for kind in ("footnote", "endnote"):
            told = (notes.get((kind, mark.get(f"{_WORD}id"))) for mark in node.iter(f"{_WORD}{kind}Reference"))
            blocks += [_Block(f"Note: {text}") for text in told if text]
    return [block for block in blocks if block.text]


def _inside(node: Any, *names: str) -> Iterator[Any]:
    """Yield the children of these names, those in fields and in recorded changes too; a table of contents has none."""
    for child in node:
        if child.tag in (_WORD + name for name in names):
            yield child
        elif child.tag in _HOLDERS and not any(_is_of_contents(part) for part in child.iter(f"{_WORD}docPartGallery")):
            yield from _inside(child, *names)


def _is_of_contents(part: Any) -> bool:
    return bool(part.get(f"{_WORD}val") == "Table of Contents")


def _said(node: Any) -> str:
    """The words of a part of a Word file; what was deleted and what a text box holds are none of a paragraph."""
    if node.tag in _UNSAID:
        return ""
    if node.tag in _SIGNS:
        return "" if node.get(f"{_WORD}type") in ("page", "column") else _SIGNS[node.tag]
    if isinstance(node.tag, str) and node.tag.endswith("}t"):
        return node.text or ""
    return "".join(map(_said, node))


def _notes(archive: zipfile.ZipFile) -> dict[tuple[str, str | None], str]:
    """The notes at the foot of a page and at the end by kind and number."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    notes: dict[tuple[str, str | None], str] = {}
    for kind in ("footnote", "endnote"):
        if f"word/{kind}s.xml" in archive.namelist():
            for note in fromstring(archive.read(f"word/{kind}s.xml")).iter(_WORD + kind):
                notes[kind, note.get(f"{_WORD}id")] = one_line(_said(note))
    return notes


def _cells_of(table: Any) -> list[list[str]]:
    """The rows of a table; a cell that spans several rows or columns counts in each, one as wide as the table once."""
    rows: list[list[str]] = []
    for row in _inside(table, "tr"):
        cells: list[str] = []
        parts = list(_inside(row, "tc"))
        for cell in parts:
            text = one_line(" ".join(map(_said, cell.iter(f"{_WORD}p"))))
            goes_on = cell.find(f"{_WORD}tcPr/{_WORD}vMerge")
            is_merged = goes_on is not None and goes_on.get(f"{_WORD}val") != "restart"
            if is_merged and rows and len(cells) < len(rows[-1]):
                text = text or rows[-1][len(cells)]
            span = cell.find(f"{_WORD}tcPr/{_WORD}gridSpan")
            wide = 1
            if span is not None and len(parts) > 1:
                wide = int(span.get(f"{_WORD}val") or 1)
            cells += [text] * min(wide, _MOST_SPANNED)
        rows.append(cells)
    return [row for row in rows if any(row)]


_MOST_SPANNED = 64  # columns
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:"
_ODF_TEXT, _ODF_TABLE, _ODF_OFFICE = f"{_ODF}text:1.0}}", f"{_ODF}table:1.0}}", f"{_ODF}office:1.0}}"
_ODF_UNSAID = frozenset(
    (f"{_ODF_OFFICE}annotation", *(_ODF_TEXT + name for name in ("tracked-changes", "note", "table-of-content")))
)
_ODF_SIGNS = {f"{_ODF_TEXT}s": " ", f"{_ODF_TEXT}tab": "\t", f"{_ODF_TEXT}line-break": "\n"}
_ODF_SPACES = re.compile(r"\s+")


def read_open_document(file: SourceFile) -> Reading:
    """The text of an .odt, with its notes; a row of a table is a line that names its columns."""
    archive = archive_in(file, "is not an .odt, or a damaged one; open it in LibreOffice and save it again")
    if any(node.tag.endswith("}encryption-data") for node in _parsed(archive, "META-INF/manifest.xml").iter()):
        raise FileReadError("is locked with a password; save it without one")
    told = {node.tag.rpartition("}")[2]: node.text or "" for node in _parsed(archive, "meta.xml").iter()}
    bodies = _parsed(archive, "content.xml").iter(f"{_ODF_OFFICE}text")
    blocks = [block for body in bodies for block in _odf_blocks(body) if block.text]
    author = one_line(told.get("initial-creator", ""))
    return _composed(file, blocks, title=told.get("title", ""), author=author)


def _odf_blocks(holder: Any, *, is_item: bool = False) -> Iterator[_Block]:
    for node in holder:
        if node.tag == f"{_ODF_TEXT}h":
            yield _Block(_odf_said(node).strip(), f"Heading {node.get(f'{_ODF_TEXT}outline-level', '1')}")
        elif node.tag == f"{_ODF_TEXT}p":
            text = _odf_said(node).strip()
            yield _Block(f"- {text}" if is_item and text else text, is_item=is_item)
            for note in node.iter(f"{_ODF_TEXT}note-body"):
                yield _Block(f"Note: {one_line(' '.join(map(_odf_said, note)))}")
        elif node.tag == f"{_ODF_TABLE}table":
            yield _Block(text_of_table(_odf_cells(node)))
        elif node.tag not in _ODF_UNSAID:
            yield from _odf_blocks(node, is_item=is_item or node.tag == f"{_ODF_TEXT}list")


def _odf_said(node: Any) -> str:
    """The words of a paragraph, whose spaces and line ends in the file count as one space."""
    parts = [_ODF_SPACES.sub(" ", node.text or "")]
    for child in node:
        if child.tag not in _ODF_UNSAID:
            parts.append(_ODF_SIGNS.get(child.tag) or _odf_said(child))
        parts.append(_ODF_SPACES.sub(" ", child.tail or ""))
    return "".join(parts)


def _odf_cells(table: Any) -> list[list[str]]:
    """The rows of a table; a cell over several rows or columns counts in each, one as wide as the table once."""
    rows: list[list[str]] = []
    for row in table.iter(f"{_ODF_TABLE}table-row"):
        cells: list[str] = []
        left = 0
        is_whole = sum(cell.tag == f"{_ODF_TABLE}table-cell" for cell in row) == 1
        for cell in row:
            above = rows[-1] if rows else []
            if cell.tag == f"{_ODF_TABLE}table-cell":
                told = map(_odf_said, cell.iter(f"{_ODF_TEXT}p"))
                text = one_line(" ".join(told))
                left = int(cell.get(f"{_ODF_TABLE}number-columns-spanned", "1"))
            elif left > 0:
                text = "" if is_whole else cells[-1]
            else:
                text = "".join(above[len(cells) : len(cells) + 1])
            left -= 1
            cells.append(text)
        rows.append(cells)
    return [row for row in rows if any(row)]


_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SHOW = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_LINKED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_EDGES = frozenset(("sldNum", "ftr", "dt", "hdr", "sldImg"))  # what stands on each slide


def read_slides(file: SourceFile) -> Reading:
    """The text of the slides in their order, with their charts and notes; a row of a table names its columns."""
    archive = archive_in(file, "is not a .pptx, or a damaged one; open it in PowerPoint and save it again")
    slides = [_slide(archive, name) for name in _in_order(archive)]
    text, starts = joined_pages([clean("\n".join(lines)).strip() for _, lines in slides])
    headings = (title or "".join(lines[:1]).split("\n")[0] for title, lines in slides)
    opening = slides[0][0] if slides else ""
    properties = _parsed(archive, "docProps/core.xml")
    given = next((node.text or "" for node in properties.iter() if node.tag.endswith("}title")), "")
    document = Document(
        file.key,
        file.titled(given if file.titled(given) != file.stem else opening),
        text,
        metadata=(("pages", str(len(slides))),),
        pages=starts,
        outline=tuple((start, one_line(head)[:80]) for start, head in zip(starts, headings, strict=True) if head),
    )
    return Reading((document,))


def _parsed(archive: zipfile.ZipFile, name: str) -> Any:
    """The elements of a part of a file, none where it is missing."""
    from defusedxml.ElementTree import fromstring

    return fromstring(archive.read(name) if name in archive.NameToInfo else "<none/>")


def _related(archive: zipfile.ZipFile, name: str) -> list[tuple[str, str, str]]:
    """What a part of a file points to: the id, the kind and the part of each."""
    folder, base = posixpath.split(name)
    return [
        (node.get("Id", ""), posixpath.basename(node.get("Type", "")), _beside(folder, node.get("Target", "")))
        for node in _parsed(archive, f"{folder}/_rels/{base}.rels")
    ]


def _beside(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")


def _in_order(archive: zipfile.ZipFile) -> list[str]:
    """The slides as they are shown; by their numbers where the file does not say."""
    parts = {key: part for key, _, part in _related(archive, "ppt/presentation.xml")}
    root = _parsed(archive, "ppt/presentation.xml")
    shown = [parts.get(node.get(_LINKED), "") for node in root.iter(f"{_SHOW}sldId")]
    present = [part for part in shown if part in archive.NameToInfo]
    numbered = sorted((int(match[1]), name) for name in archive.namelist() if (match := _SLIDE.fullmatch(name)))
    return present or [name for _, name in numbered]


def _slide(archive: zipfile.ZipFile, name: str) -> tuple[str, list[str]]:
    """The title of a slide, and the lines on it and in its notes."""
    root = _parsed(archive, name)
    titles = [_text(shape) for shape in root.iter(f"{_SHOW}sp") if _role(shape) in ("title", "ctrTitle")]
    title = "".join(titles[:1])
    lines = _lines(root)
    if title in lines:
        lines.remove(title)
        lines.insert(0, title)
    notes: list[str] = []
    for _, kind, part in _related(archive, name):
        if kind == "chart":
            lines += _chart(_parsed(archive, part))
        elif kind == "diagramData":
            lines += _lines(_parsed(archive, part))
        elif kind == "notesSlide":
            notes = _lines(_parsed(archive, part))
    return title, [*lines, *(f"Notes: {line}" for line in notes[:1]), *notes[1:]]


def _role(shape: Any) -> str:
    """What a shape is for ("title"); empty for one that a slide has for itself."""
    place = shape.find(f"{_SHOW}nvSpPr/{_SHOW}nvPr/{_SHOW}ph")
    return str(place.get("type", "")) if place is not None else ""


def _lines(slide: Any) -> list[str]:
    """The paragraphs and tables of a slide, without its number, date and foot."""
    unread = [shape for shape in slide.iter(f"{_SHOW}sp") if _role(shape) in _EDGES]
    unread += [*slide.iter(_FALLBACK), *slide.iter(f"{_DRAWING}tbl")]
    passed = {id(node) for holder in unread for node in holder.iter(f"{_DRAWING}p")}
    lines = []
    for node in slide.iter():
        if node.tag == f"{_DRAWING}tbl":
            rows = [[_text(cell) for cell in row.iter(f"{_DRAWING}tc")] for row in node.iter(f"{_DRAWING}tr")]
            lines.append(text_of_table([row for row in rows if any(row)]))
        elif node.tag == f"{_DRAWING}p" and id(node) not in passed:
            lines.append(_text(node))
    return [line for line in lines if line]


def _text(node: Any) -> str:
    parts: list[str] = []
    for part in node.iter():
        if part.tag == f"{_DRAWING}t":
            parts.append(part.text or "")
        elif part.tag in (f"{_DRAWING}br", f"{_DRAWING}p"):
            parts.append(" ")
    return " ".join("".join(parts).split())


_MOST_POINTS = 60  # of a chart that is read: more are a picture


def _chart(root: Any) -> list[str]:
    """The title of a chart and its figures, a row for each series."""
    rows: list[list[str]] = []
    for series in root.iter(f"{_CHART}ser"):
        name, *_ = [*_points(series, "tx"), ""]
        values = _points(series, "val")
        if 0 < len(values) <= _MOST_POINTS:
            rows += [["", *_points(series, "cat")]] if not rows else []
            rows.append([name or "Value", *values])
    titles = [_text(node) for node in root.iter(f"{_CHART}title")]
    return [line for line in [*titles[:1], text_of_table(rows) if rows else ""] if line]


def _points(series: Any, part: str) -> list[str]:
    holder = series.find(_CHART + part)
    return [one_line(point.text or "") for point in holder.iter(f"{_CHART}v")] if holder is not None else []


_MOST_CELLS = 2_000_000
_MOST_ROWS_BLANK = 1_000


def read_sheet(file: SourceFile) -> Reading:
    """The sheets that hold anything, in their order; a row is a line "label: column value; column value"."""
    from openpyxl import load_workbook

    archive = archive_in(file, "is not an Excel file, or a damaged one; open it in Excel and save it again")
    book = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True)
    try:
        read = [(str(sheet.title), _rows(sheet, _merged(archive, sheet))) for sheet in book.worksheets]
        unknown = sum(len(_UNCOMPUTED.findall(archive.read(sheet._worksheet_path))) for sheet in book.worksheets)
        hidden = [str(sheet.title) for sheet in book.worksheets if sheet.sheet_state != "visible"]
        title = file.titled(book.properties.title or "")
        author = one_line(book.properties.creator or "")
    finally:
        book.close()
    sheets = [(name, rows) for name, rows in read if any(rows)]
    documents = tuple(
        Document(
            file.key if len(sheets) == 1 else f"{file.key}:{name}",
            title if len(sheets) == 1 else f"{title}, {name}",
            clean("\n".join(map(text_of_table, _tables(rows)))),
            metadata=(("author", author),) if author and author != "openpyxl" else (),
        )
        for name, rows in sheets
    )
    notices = [f"hidden sheets were read too: {', '.join(hidden[:8])}"] if hidden else []
    if unknown:
        notices.append(f"formulas whose value the file does not hold: {unknown:,}; open it in Excel and save it again")
    return Reading(documents, tuple(notices))


def _tables(rows: Sequence[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the tables of a sheet: one goes on over empty rows until a header follows them."""
    table: list[list[str]] = []
    for is_full, block in groupby(rows, key=bool):
        if not is_full:
            continue
        more = list(block)
        if table and opens_table(more):
            yield table
            table = []
        table += more
    yield table


@dataclass(frozen=True, slots=True)
class _Merged:
    """A cell that lies over several, as large as stated: its rows and columns, from 0, the last ones too."""

    first_row: int
    last_row: int
    first: int
    last: int


def _rows(sheet: Any, merged: Sequence[_Merged]) -> list[list[str]]:
    """The rows as text; a cell that spans rows counts in each, one over the heads of several columns in each of those.

    A wide cell of a form, whose row below has no cells of its own there, is the text of one.
    """
    goes_on: dict[int, list[int]] = {}
    for cell in merged:
        for row in range(cell.first_row + 1, min(cell.last_row, cell.first_row + _MOST_MERGED) + 1):
            goes_on.setdefault(row, []).append(cell.first)
    rows = list(_filled_rows(sheet, goes_on))
    for cell in merged:
        _spread(cell, rows[cell.last_row : cell.last_row + 2])
    return rows


def _spread(cell: _Merged, rows: Sequence[list[str]]) -> None:
    """Write the text of a wide cell into each of its columns, where the next row parts these and others are beside."""
    if len(rows) < 2 or not 0 < cell.last - cell.first < _MOST_SPANNED:
        return
    row, below = rows
    inside = slice(cell.first, cell.last + 1)
    text = "".join(row[inside])
    if sum(map(bool, below[inside])) > 1 and any(row[: cell.first] + row[cell.last + 1 :]):
        row += [""] * (cell.last + 1 - len(row))
        row[inside] = [text] * (cell.last + 1 - cell.first)


def _filled_rows(sheet: Any, goes_on: Mapping[int, Sequence[int]]) -> Iterator[list[str]]:
    """The rows as text, those in between that are empty too; a long stretch of those ends the sheet."""
    sheet.reset_dimensions()  # some programs write that a sheet is one cell large
    above: dict[int, str] = {}
    cells = blank = 0
    for number, row in enumerate(sheet.iter_rows()):
        texts = ["" if cell.value is None else _cell_text(cell.value, cell.number_format or "") for cell in row]
        for column in goes_on.get(number, ()):
            texts += [""] * (column + 1 - len(texts))
            texts[column] = texts[column] or above.get(column, "")
        while texts and not texts[-1]:
            texts.pop()
        above = dict(enumerate(texts))
        cells += len(texts)
        blank = 0 if texts else blank + 1
        if cells > _MOST_CELLS:
            raise FileReadError(f"has more than {_MOST_CELLS:,} cells; split it")
        if blank > _MOST_ROWS_BLANK:
            return
        yield texts


# A formula without a value; of one that is a text, none is an empty text.
_UNCOMPUTED = re.compile(
    rb'<c (?![^>]{0,200}t="str")[^>]{0,200}>(?:<f[^>]{0,200}/>|<f[^>]{0,200}>[^<]{0,8192}</f>)(?:<v ?/>|<v></v>)?</c>'
)
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_MOST_MERGED = 1_000  # rows of one cell, which hold the label of a group


def _merged(archive: zipfile.ZipFile, sheet: Any) -> list[_Merged]:
    """The merged cells of a sheet; openpyxl tells them only to who holds the whole sheet."""
    from openpyxl.utils import column_index_from_string

    return [
        _Merged(
            first_row=int(top) - 1,
            last_row=int(bottom) - 1,
            first=column_index_from_string(left.decode()) - 1,
            last=column_index_from_string(right.decode()) - 1,
        )
        for left, top, right, bottom in _MERGED.findall(archive.read(sheet._worksheet_path))
    ]


def _cell_text(value: Any, shown: str) -> str:
    """What a cell says, a number as its format shows it: per cent, thousands, a currency."""
    if isinstance(value, datetime):
        if value.time().isoformat() == "00:00:00":
            return value.date().isoformat()
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return one_line(str(value))
    return _number(value, _LOCALE.sub(r"\1", shown))


_LOCALE = re.compile(r"\[\$([^\]-]{0,8})(?:-[^\]]{0,12})?\]")
_CURRENCY = re.compile(r"[$€£¥]")
_PERCENT = re.compile(r"(?:\.(?P<places>[0#?]{1,15}))? ?%")


def _number(value: float, shown: str) -> str:
    places = 0 if value == int(value) else 10
    if percent := _PERCENT.search(shown):
        return f"{value * 100:.{len(percent['places'] or '')}f}%"
    group = "," if "," in shown else ""
    if not places:
        digits = f"{abs(value):{group}.0f}"
    else:
        digits = f"{abs(value):{group}.{places}g}"
    sign = "-" if value < 0 else ""
    currency = _CURRENCY.search(shown)
    if currency is None:
        return f"{sign}{digits}"
    if "0" in shown[: currency.start()]:
        return f"{sign}{digits} {currency[0]}"
    return f"{sign}{currency[0]}{digits}"


def read_mail(file: SourceFile) -> Reading:
    """The text of a message, of its HTML part where it has no other, and what is attached as documents of their own."""
    message = BytesParser(policy=policy.default).parsebytes(file.data)
    assert isinstance(message, EmailMessage)
    return _read_message(file, message)


_MOST_FORWARDED = 8  # messages within a message within a message


def _read_message(file: SourceFile, message: EmailMessage, *, depth: int = 0) -> Reading:
    texts = [_body(message)]
    documents, notices, problems, unread = list[Document](), list[str](), list[str](), list[str]()
    sender = one_line(str(message["from"] or ""))
    to = one_line(str(message["to"] or ""))
    day = _day(str(message["date"] or ""))
    for number, part in enumerate(message.iter_attachments(), 1):
        name = one_line(part.get_filename() or "").replace("/", "_")
        if not name and part.get_content_maintype() == "text":
            texts.append(_text_of_part(part))  # what follows a picture within the text
            continue
        inner = replace(file, key=f"{file.key}/{name or f'message {number}.eml'}")
        try:
            reading = _attached(inner, name, part, depth=depth)
        except FileReadError as error:
            problems.append(f"{name}: {error}")
            continue
        documents += (replace(each, source=each.source or sender, date=each.date or day) for each in reading.documents)
        notices += (f"{name or 'forwarded'}: {notice}" for notice in reading.notices)
        problems += (f"{name or 'forwarded'}: {problem}" for problem in reading.problems)
        if not reading.documents:
            unread.append(name or part.get_content_type())
    subject = one_line(str(message["subject"] or ""))
    head = _Head(sender, to, day, subject or file.stem)
    cleaned = (clean(text).strip() for text in texts)
    messages = _messages(head, "\n\n".join(filter(None, cleaned)))
    if unread:
        notices.append(f"attachments were not read: {', '.join(unread[:8])}")
    own, *quoted = messages
    within = [_as_document(file.key, *own)]
    for number, each in enumerate(quoted, 1):
        within.append(_as_document(f"{file.key}/quoted {number}", *each))
    return Reading((*within, *documents), tuple(notices), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Head:
    """Who wrote a message to whom, on what day and about what."""

    sender: str
    to: str
    day: str
    subject: str


def _as_document(key: str, head: _Head, text: str) -> Document:
    told = {"author": head.sender, "to": head.to}
    return Document(
        key,
        head.subject,
        text,
        source=head.sender,
        date=head.day,
        metadata=tuple((name, value) for name, value in told.items() if value),
    )


_OPENS_QUOTED = re.compile(
    r"(?m)^On (?P<day>[^\n]{6,60}?)(?:,|(?<=\d)|(?<=[AP]M)) (?P<sender>[\"'<]?[^\W\d_][^\n,]{1,80}) wrote:\n+(?=>)"
)
_OPENS_FORWARDED = re.compile(
    r"(?m)^(?:[-_]{2,40}(?: ?(?i:original|forwarded) (?i:message) ?-{2,40})?\n+|(?i:begin forwarded message):\n+)?"
    r"(?P<head>(?:(?:From|Date|Sent|To|Cc|Subject): [^\n]{1,400}\n+){3,7})"
)
_FIELD_OF_HEAD = re.compile(r"(?m)^(From|Date|Sent|To|Subject): (.{1,400})$")
_ANSWERS = re.compile(r"(?i)^(?:re|fwd?|aw|wg): ?")


def _messages(head: _Head, text: str) -> list[tuple[_Head, str]]:
    """A message as its sender wrote it, then those that stand whole below it; answers between the lines stay in it."""
    told: list[tuple[_Head, str]] = []
    while len(told) < _MOST_WITHIN:
        found = _quoted_below(head, text) or _forwarded_below(head, text)
        if found is None or not found[0].strip():
            break
        own, inner, below = found
        told.append((head, own.strip()))
        head, text = inner, below.strip()
    return [*told, (head, text)]


_MOST_WITHIN = 50  # messages of one file; what is quoted deeper stays in the last
_LONGEST_OPENING = 600  # characters


def _quoted_below(head: _Head, text: str) -> tuple[str, _Head, str] | None:
    """What stands before a quoted message, the head of that and its text, if nothing but quoted lines follows."""
    text = text.rstrip()
    lines = text.split("\n")
    is_quoted = takewhile(lambda line: not line or line.startswith(">"), reversed(lines))
    begins = len(text) - sum(len(line) + 1 for line in is_quoted)
    for match in _OPENS_QUOTED.finditer(text, max(0, begins - _LONGEST_OPENING)):
        if match.end() > begins:
            subject = _ANSWERS.sub("", head.subject)
            inner = _Head(match["sender"], head.sender, _day(match["day"]), subject)
            unmarked = [line[1:].removeprefix(" ") for line in text[match.end() :].split("\n")]
            return text[: match.start()], inner, "\n".join(unmarked)
    return None


def _forwarded_below(head: _Head, text: str) -> tuple[str, _Head, str] | None:
    """What stands before the lines "From:", "Date:" and so on of another message, its head and its text."""
    for match in _OPENS_FORWARDED.finditer(text):
        told: dict[str, str] = dict(_FIELD_OF_HEAD.findall(match["head"]))
        if "From" in told:
            day = _day(told.get("Date", told.get("Sent", "")))
            subject = told.get("Subject", head.subject)
            inner = _Head(told["From"], told.get("To", ""), day, subject)
            return text[: match.start()], inner, text[match.end() :]
    return None


def _forwarded(part: MIMEPart) -> EmailMessage | None:
    """The message that is attached as one, or as a file of one."""
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        return inner[0] if isinstance(inner, list) and inner and isinstance(inner[0], EmailMessage) else None
    data = part.get_payload(decode=True)
    if suffix_of(part.get_filename() or "") != ".eml" or not isinstance(data, bytes):
        return None
    message = BytesParser(policy=policy.default).parsebytes(data)
    return message if isinstance(message, EmailMessage) else None


def _attached(file: SourceFile, name: str, part: MIMEPart, *, depth: int) -> Reading:
    """The documents in what is attached, a message that is forwarded among it; none where nothing reads such files."""
    if (forwarded := _forwarded(part)) and depth < _MOST_FORWARDED:
        return _read_message(file, forwarded, depth=depth + 1)
    data, suffix = part.get_payload(decode=True), suffix_of(name)
    if not name or suffix not in readers() or suffix == ".eml" or not isinstance(data, bytes):
        return Reading(())
    return read(file.key, data, file.limits)


def _body(message: EmailMessage) -> str:
    """The text of a message: as its sender wrote it, else that of its page."""
    for kind in ("plain", "html"):
        part = message.get_body(preferencelist=(kind,))
        if part is not None and (text := _text_of_part(part)).strip():
            return text
    return ""


def _text_of_part(part: MIMEPart) -> str:
    data = part.get_payload(decode=True)
    data = data if isinstance(data, bytes) else b""
    try:
        text = data.decode(part.get_content_charset() or "")
    except (LookupError, UnicodeError):  # what it states is not so
        text = decode(data)[0]
    if part.get_content_subtype() == "html":
        return headings_and_text(text)[1]
    return _without_breaks(_without_footer(clean(text)))


_RULE = re.compile(r"[ \t]{0,4}(?:-{2,80}|_{2,80}|={4,80}|\*{4,80})[ \t]{0,4}")
_OF_A_LIST = re.compile(r"(?i)unsubscri|\(un\)subscri|mailing list|mailman/|/listinfo")
_LONGEST_FOOTER = 8  # lines


def _without_footer(text: str) -> str:
    """A message without what a mailing list puts below each: a line of dashes, then its name and how to leave it."""
    lines = text.rstrip().split("\n")
    rules = [at for at, line in enumerate(lines) if _RULE.fullmatch(line)]
    last = rules[-1] if rules else len(lines)
    below = lines[last + 1 :]
    is_of_list = _OF_A_LIST.search("\n".join(below)) is not None
    return "\n".join(lines[:last]) if is_of_list and len(below) <= _LONGEST_FOOTER else text


_QUOTED = re.compile(r"(?:>[ \t]?){0,20}")
_WRAPPED = 60  # characters of a line that a program has ended


def _without_breaks(text: str) -> str:
    """A text of a mail with a paragraph on a line, each of those that it quotes after its mark ">"."""
    lines = text.split("\n")
    if max(map(len, lines)) < _WRAPPED:
        return text
    parts: list[str] = []
    for mark, quoted in groupby(lines, key=lambda line: _QUOTED.match(line)[0].strip()):  # type: ignore[index]
        inner = "\n".join(line[len(mark) :].strip() if mark else line.rstrip() for line in quoted)
        whole = with_whole_lines(inner, fewest=1).split("\n")
        parts += [f"{mark} {line}".strip() for line in whole]
    return "\n".join(parts)


def _day(written: str) -> str:
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (TypeError, ValueError):
        named = days(written)
        return named[0].key if named else one_line(written)


READERS = {
    ".docx": read_docx,
    ".odt": read_open_document,
    ".pptx": read_slides,
    ".xlsx": read_sheet,
    ".xlsm": read_sheet,
    ".eml": read_mail,
}
