"""Files as offices have them: PDF with its pages; Word, PowerPoint and Excel with their parts and tables; mails.

A file is a document; passages know their page. pypdfium2 reads a page of a PDF; one on which the numbers are detached
from their labels (a table drawn column by column) is read again in pypdf's layout mode. Why these two:
docs/decisions/files.md.
"""

from __future__ import annotations

import io
import logging
import re
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from email import policy
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from itertools import groupby
from typing import Any

from adaq_core.corpus.readers.markup import headings_and_text
from adaq_core.corpus.readers.records import opens_table, text_of_table
from adaq_core.corpus.reading import (
    Reading,
    SourceFile,
    archive_in,
    clean,
    decode,
    one_line,
    outline_of,
    section_paths,
    with_whole_lines,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document

_NUMBER = re.compile(r"^[($€£-]{0,4}\d[\d,.]{0,30}[)%]{0,3}$|^[—–-]$")
_JOINED_HYPHEN = re.compile("[\ufffe\x02]\n?")  # where pdfium joined a word that was parted at the end of a line
_RUN, _SHARE = 8, 0.4
_MOSTLY_NUMBERS = 0.3
_NO_TEXT = "its {count} pages hold no text, only pictures perhaps; run text recognition (OCR) first"


def read_pdf(file: SourceFile) -> Reading:
    """The text of all pages; FileReadError when it is locked, damaged, too long, or made of pictures only."""
    pdf = _opened(file.data)
    try:
        count = len(pdf)
        if count > file.limits.pages:
            raise FileReadError(f"has {count} pages; the limit is {file.limits.pages}: split it")
        pages, problems = _pages(pdf, file.data, file.limits.seconds)
        info = pdf.get_metadata_dict(skip_empty=True)
        bookmarks = [(mark.level, *_bookmark(mark)) for mark in pdf.get_toc(max_depth=4)]
    finally:
        pdf.close()
    text, starts = _joined(pages)
    if not text:
        raise FileReadError(_NO_TEXT.format(count=count))
    author = one_line(str(info.get("Author", "")))
    document = Document(
        file.key,
        file.titled(str(info.get("Title", ""))),
        text,
        metadata=(("pages", str(count)), *((("author", author),) if author else ())),
        pages=starts,
        outline=_outline(bookmarks, starts),
    )
    blank = sum(not page for page in pages)
    notices = (f"{blank} of {count} pages hold no text",) if blank else ()
    return Reading((document,), notices, tuple(problems))


def _opened(data: bytes) -> Any:
    import pypdfium2
    from pypdfium2 import PdfiumError

    try:
        return pypdfium2.PdfDocument(data)
    except PdfiumError as error:
        if "assword" in str(error):
            raise FileReadError("is locked with a password; save it without one") from error
        raise FileReadError("is not a PDF, or a damaged one; open it in a viewer and save it again") from error


def _pages(pdf: Any, data: bytes, seconds: float) -> tuple[list[str], list[str]]:
    """The text of each page, empty for one that cannot be read, and what was wrong with those."""
    begun = time.monotonic()
    layout = _Layout(data)
    pages: list[str] = []
    problems: list[str] = []
    for number in range(len(pdf)):
        if time.monotonic() - begun > seconds:
            raise FileReadError(f"took more than {seconds:.0f} s up to page {number} of {len(pdf)}; split it")
        try:
            text = _text_of(pdf[number])
            pages.append(layout.page(number) if _is_detached(text) else text)
        except Exception as error:  # a damaged page costs itself only, and is listed
            problems.append(f"page {number + 1}: {type(error).__name__}: {error}")
            pages.append("")
    return [_unwrap(page) for page in _without_heads(pages)], problems


_DIGITS = re.compile(r"\d+")
_FEWEST_PAGES, _OF_PAGES = 3, 0.3  # left and right pages may have heads of their own


def _without_heads(pages: Sequence[str]) -> list[str]:
    """The pages without the first and last lines that many of them share, whatever the numbers in them."""
    kept = [page.strip().split("\n") for page in pages]
    for at in (0, -1):
        ends = [_DIGITS.sub("#", lines[at].strip()) for lines in kept]
        counts = Counter(end for end in ends if end)
        least = max(_FEWEST_PAGES, _OF_PAGES * len(pages))
        for lines, end in zip(kept, ends, strict=True):
            if counts[end] >= least and len(lines) > 1:
                del lines[at]
    return ["\n".join(lines).strip() for lines in kept]


def _text_of(page: Any) -> str:
    reader = page.get_textpage()
    try:
        text = reader.get_text_bounded().replace("\r\n", "\n").replace("\u00ad", "")
        return clean(_JOINED_HYPHEN.sub("-\n", text))
    finally:
        reader.close()
        page.close()


class _Layout:
    """The same file read by pypdf in layout mode, opened when a page needs it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._reader: Any = None

    def page(self, number: int) -> str:
        """The lines of a page as they stand beside each other."""
        if self._reader is None:
            from pypdf import PdfReader

            logging.getLogger("pypdf").setLevel(logging.CRITICAL)
            self._reader = PdfReader(io.BytesIO(self._data))
        text = clean(self._reader.pages[number].extract_text(extraction_mode="layout"))
        return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _is_detached(text: str) -> bool:
    """Whether numbers stand apart from their labels: a run of eight lines of numbers alone, and many such lines."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    bare = [all(_NUMBER.match(word) for word in line.split()) for line in lines]
    longest = run = 0
    for is_bare in bare:
        run = run + 1 if is_bare else 0
        longest = max(longest, run)
    return longest >= _RUN and sum(bare) >= _SHARE * len(lines)


def _joined(pages: list[str]) -> tuple[str, tuple[int, ...]]:
    """The pages with a blank line between, and where each begins; one without text begins where the next does."""
    text, starts = "", []
    for page in pages:
        if text and page:
            text += "\n\n"
        starts.append(len(text))
        text += page
    return text, tuple(starts)


def _bookmark(mark: Any) -> tuple[str, int]:
    target = mark.get_dest()
    index = target.get_index() if target is not None else None
    return one_line(mark.get_title()), -1 if index is None else int(index)


def _outline(bookmarks: list[tuple[int, str, int]], starts: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """The sections that the bookmarks name, from the page on to which they lead."""
    paths = section_paths((level, title) for level, title, _ in bookmarks)
    leads_to = {
        starts[page]: path
        for (_, title, page), path in zip(bookmarks, paths, strict=True)
        if title and 0 <= page < len(starts)
    }
    return tuple(sorted(leads_to.items()))


def _unwrap(page: str) -> str:
    """A paragraph on a line; the lines of a page that is mostly numbers stay as they are: they are rows."""
    words = page.split()
    if sum(_NUMBER.match(word) is not None for word in words) > _MOSTLY_NUMBERS * len(words):
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in page.strip().split("\n")))
    return with_whole_lines(page, fewest=1)


_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"


def read_docx(file: SourceFile) -> Reading:
    """The text of the body; a row of a table is a line that names its columns."""
    import docx

    if file.data.startswith(_OLD_OR_LOCKED):
        raise FileReadError("is locked with a password, or an old .doc; save it as .docx without a password")
    archive_in(file, "is not a .docx, or a damaged one; open it in Word and save it again")
    content = docx.Document(io.BytesIO(file.data))
    inner = [block for block in content.iter_inner_content() if _block(block)]
    properties = content.core_properties
    author = one_line(properties.author or "")
    opening = one_line(_block(inner[0])) if inner and _style(inner[0]) in ("Title", "Heading 1") else ""
    title = file.titled(properties.title or opening)
    if title == opening:
        inner = inner[1:]
    text = clean("\n\n".join(map(_block, inner)))
    document = Document(
        file.key,
        title,
        text,
        metadata=(("author", author),) if author and author != "python-docx" else (),
        outline=outline_of(text, [heading for block in inner if (heading := _heading(block))]),
    )
    return Reading((document,))


def _block(block: Any) -> str:
    if hasattr(block, "rows"):
        return text_of_table([[one_line(cell.text) for cell in row.cells] for row in block.rows])
    return str(block.text).strip()


def _style(block: Any) -> str:
    """What Word calls the style of a paragraph ("Heading 1"); empty for a table."""
    return "" if hasattr(block, "rows") else str(getattr(block.style, "name", "") or "")


def _heading(block: Any) -> tuple[int, str] | None:
    """Level and text of a paragraph that Word calls a heading."""
    style = _style(block)
    level = style.removeprefix("Heading ")
    if level.isdigit() and style != level:
        return (int(level), one_line(block.text))
    return None


_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def read_slides(file: SourceFile) -> Reading:
    """The text of the slides in their order; a row of a table is a line with " | " between its cells."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    archive = archive_in(file, "is not a .pptx, or a damaged one; open it in PowerPoint and save it again")
    entries = archive.infolist()
    numbered = sorted((int(match[1]), entry) for entry in entries if (match := _SLIDE.fullmatch(entry.filename)))
    slides = [clean("\n".join(_lines(fromstring(archive.read(entry))))).strip() for _, entry in numbered]
    text, starts = _joined(slides)
    headings = (slide.split("\n")[0][:80] for slide in slides)
    document = Document(
        file.key,
        file.stem,
        text,
        metadata=(("pages", str(len(slides))),),
        pages=starts,
        outline=tuple((start, heading) for start, heading in zip(starts, headings, strict=True) if heading),
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
    from openpyxl import load_workbook

    archive = archive_in(file, "is not an Excel file, or a damaged one; open it in Excel and save it again")
    book = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True)
    try:
        read = [(str(sheet.title), list(_rows(sheet, archive))) for sheet in book.worksheets]
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
    return Reading(documents)


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


def _rows(sheet: Any, archive: zipfile.ZipFile) -> Iterator[list[str]]:
    """The rows as text, those in between that are empty too; a long stretch of those ends the sheet."""
    sheet.reset_dimensions()  # some programs write that a sheet is one cell large
    merged = _merged(archive, sheet)
    above: dict[int, str] = {}
    cells = blank = 0
    for number, row in enumerate(sheet.iter_rows(), start=1):
        texts = [_cell_text(cell.value, cell.number_format or "") if cell.value is not None else "" for cell in row]
        for column in merged.get(number, ()):
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


_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"')
_MOST_MERGED = 1_000  # rows of one cell, which hold the label of a group


def _merged(archive: zipfile.ZipFile, sheet: Any) -> dict[int, list[int]]:
    """By row the columns whose cell goes on from the row above; openpyxl tells it only to who holds the whole sheet."""
    from openpyxl.utils import column_index_from_string

    goes_on: dict[int, list[int]] = {}
    for column, first, last in _MERGED.findall(archive.read(sheet._worksheet_path)):
        start = int(first) + 1
        for row in range(start, min(int(last), start + _MOST_MERGED) + 1):
            goes_on.setdefault(row, []).append(column_index_from_string(column.decode()) - 1)
    return goes_on


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


def _number(value: float, shown: str) -> str:
    places = 0 if value == int(value) else 10
    if "%" in shown:
        return f"{value * 100:.10g}%"
    group = "," if "," in shown else ""
    digits = f"{abs(value):{group}.0f}" if not places else f"{abs(value):{group}.{places}g}"
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
    texts = [_body(message)]
    documents, unread, problems = list[Document](), list[str](), list[str]()
    sender = one_line(str(message["from"] or ""))
    to = one_line(str(message["to"] or ""))
    day = _day(str(message["date"] or ""))
    for part in message.iter_attachments():
        name = one_line(part.get_filename() or "").replace("/", "_")
        if not name and part.get_content_maintype() == "text":
            texts.append(_text_of_part(part))  # what follows a picture within the text
            continue
        try:
            found = _attached(file, name, part)
        except FileReadError as error:
            problems.append(f"{name}: {error}")
            continue
        documents += [
            replace(document, source=document.source or sender, date=document.date or day) for document in found
        ]
        if not found:
            unread.append(name or part.get_content_type())
    text = "\n\n".join(filter(None, (clean(text).strip() for text in texts)))
    document = Document(
        file.key,
        one_line(str(message["subject"] or "")) or file.stem,
        text,
        source=sender,
        date=day,
        metadata=tuple((name, value) for name, value in (("author", sender), ("to", to)) if value),
    )
    notices = (f"attachments were not read: {', '.join(unread[:8])}",) if unread else ()
    return Reading((document, *documents), notices, tuple(problems))


def _attached(file: SourceFile, name: str, part: MIMEPart) -> tuple[Document, ...]:
    """The documents in a file that is attached; none where nothing reads such files, or it is a message itself."""
    from adaq_core.corpus.readers import read, readers, suffix_of  # which finds this module

    data = part.get_payload(decode=True)
    if suffix_of(name) not in readers() or suffix_of(name) == ".eml" or not isinstance(data, bytes):
        return ()
    return read(f"{file.key}/{name}", data, file.limits).documents


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
    return _without_breaks(clean(text))


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
        return one_line(written)


READERS = {
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".pptx": read_slides,
    ".xlsx": read_sheet,
    ".xlsm": read_sheet,
    ".eml": read_mail,
}
