"""PDF: a file is a document; its pages follow each other with a blank line between."""

from __future__ import annotations

import io
import logging
import re
import time
from itertools import pairwise
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Reading, SourceFile, clean
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".pdf",)

_HYPHEN = re.compile(r"[^\W\d_]-$")
_PLACEHOLDER = re.compile(r"untitled|microsoft word|document\d*$|.*\.(?:docx?|pdf|tex|indd|dvi)$", re.IGNORECASE)


def read(file: SourceFile) -> Reading:
    """The text of all pages; FileReadError when it is locked, damaged, too long, or made of pictures only."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError as error:
        raise FileReadError("reading PDF needs pypdf: pip install pypdf") from error
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(file.data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileReadError("is locked with a password; save it without one")
        count = len(reader.pages)
    except PyPdfError as error:
        raise FileReadError(f"is not a sound PDF ({error}); open it in a viewer and save it again") from error
    if count > file.limits.pages:
        raise FileReadError(f"has {count} pages; the limit is {file.limits.pages}: split it")
    pages, problems = _pages(reader, count, file.limits.seconds)
    text = "\n\n".join(page for page in pages if page)
    if not text:
        raise FileReadError(f"its {count} pages hold no text, only pictures perhaps; run text recognition (OCR) first")
    blank = sum(not page for page in pages)
    notices = (f"{blank} of {count} pages hold no text",) if blank else ()
    title = one_line(str((reader.metadata and reader.metadata.title) or ""))
    title = file.stem if not title or _PLACEHOLDER.match(title) else title
    return Reading((Document(file.key, title, text, metadata=(("pages", str(count)),)),), notices, tuple(problems))


def _pages(reader: Any, count: int, seconds: float) -> tuple[list[str], list[str]]:
    """The text of each page that could be read, and what was wrong with the others."""
    begun = time.monotonic()
    pages: list[str] = []
    problems: list[str] = []
    for number in range(count):
        if time.monotonic() - begun > seconds:
            raise FileReadError(f"took more than {seconds:.0f} s up to page {number} of {count}; split it")
        try:
            pages.append(_unwrap(clean(reader.pages[number].extract_text())))
        except Exception as error:  # a damaged page costs itself only, and is listed
            problems.append(f"page {number + 1}: {type(error).__name__}: {error}")
    return pages, problems


def _unwrap(page: str) -> str:
    """Join the lines of a paragraph: a line nearly as long as the page is wide goes on in the next."""
    lines = [line.strip() for line in page.strip().split("\n")]
    lengths = sorted(len(line) for line in lines)
    width = 0.75 * lengths[int(len(lengths) * 0.9)]
    joined = lines[0]
    for before, line in pairwise(lines):
        flows = before and line and len(before) >= width > 20
        if flows and _HYPHEN.search(joined[-2:]) and line[0].islower():
            joined = joined[:-1] + line
        else:
            joined += (" " if flows else "\n") + line
    return re.sub(r"\n{3,}", "\n\n", joined)
