"""Web pages: the main text without menus and footers, found by trafilatura."""

from __future__ import annotations

import logging
import re
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Reading, SourceFile, clean, day, decode
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".html", ".htm", ".xhtml")

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_DATES = {"extensive_search": False, "original_date": True}


def read(file: SourceFile) -> Reading:
    """The main text, with the title, site, date and address it states; all of its text when there is no main part."""
    page, notices = _decode(file.data)
    try:
        from trafilatura import bare_extraction
    except ImportError as error:
        raise FileReadError("reading HTML needs trafilatura: pip install trafilatura") from error
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    found: Any = bare_extraction(page, include_comments=False, date_extraction_params=_DATES, with_metadata=True)
    text = clean(found.text or "").strip() if found else ""
    if not text:
        text = _all_text(page)
        notices = (*notices, "no main part was found: all the text of the page was taken")
    document = Document(
        document_id=file.key,
        title=one_line((found.title if found else "") or _title(page) or file.stem),
        text=text,
        source=one_line((found.sitename if found else "") or ""),
        date=day((found.date if found else "") or ""),
        url=one_line((found.url if found else "") or ""),
        metadata=(("author", one_line(found.author)),) if found and found.author else (),
    )
    return Reading((document,), notices)


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The page in the encoding it declares, else as any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return clean(data.decode(declared.group(1).decode())), ()
        except (LookupError, UnicodeDecodeError):
            text, notices = decode(data)
            return text, (*notices, f"declares the encoding {declared.group(1).decode()!r}, which it is not in")
    return decode(data)


def _all_text(page: str) -> str:
    from lxml import etree  # type: ignore[import-untyped]
    from lxml.html import HTMLParser, document_fromstring  # type: ignore[import-untyped]

    try:
        tree = document_fromstring(page.encode("utf-8"), parser=HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return ""
    etree.strip_elements(tree, "script", "style", "noscript", "template", "title", etree.Comment, with_tail=False)
    lines = (one_line(piece) for piece in tree.itertext())
    return "\n".join(line for line in lines if line)


def _title(page: str) -> str:
    match = re.search(r"<title[^>]{0,200}>([^<]{1,500})", page, re.IGNORECASE)
    return match.group(1) if match else ""
