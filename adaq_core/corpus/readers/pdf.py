"""PDF: a file is a document; its pages follow each other with a blank line between, and passages know their page.

pypdfium2 reads a page; one on which the numbers are detached from their labels (a table drawn column by column) is read
again in pypdf's layout mode. Why these two: docs/decisions/files.md.
"""

from __future__ import annotations

import io
import logging
import re
import time
from collections.abc import Iterator
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Reading, SourceFile, clean, with_whole_lines
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
    try:
        import pypdfium2
        from pypdfium2 import PdfiumError
    except ImportError as error:
        raise FileReadError("reading PDF needs pypdfium2: pip install pypdfium2") from error
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
            pages.append(_unwrap(layout.page(number) if _is_detached(text) else text))
        except Exception as error:  # a damaged page costs itself only, and is listed
            problems.append(f"page {number + 1}: {type(error).__name__}: {error}")
            pages.append("")
    return pages, problems


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
    return tuple(sorted(dict(_sections(bookmarks, starts)).items()))


def _sections(bookmarks: list[tuple[int, str, int]], starts: tuple[int, ...]) -> Iterator[tuple[int, str]]:
    path: list[tuple[int, str]] = []
    for level, title, page in bookmarks:
        path = [(above, name) for above, name in path if above < level]
        path.append((level, title[:80]))
        if title and 0 <= page < len(starts):
            yield starts[page], " › ".join(name for _, name in path[-3:])


def _unwrap(page: str) -> str:
    """A paragraph on a line; the lines of a page that is mostly numbers stay as they are: they are rows."""
    words = page.split()
    if sum(_NUMBER.match(word) is not None for word in words) > _MOSTLY_NUMBERS * len(words):
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.strip() for line in page.strip().split("\n")))
    return with_whole_lines(page, fewest=1)


READERS = {".pdf": read_pdf}
