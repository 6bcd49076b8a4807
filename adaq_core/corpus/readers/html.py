"""Web pages: the main text without menus and footers, found by trafilatura."""

from __future__ import annotations

import logging
import re
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Reading, SourceFile, clean, day, decode, outline_of
from adaq_core.corpus.tables import with_named_rows
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".html", ".htm", ".xhtml")

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_BLOCKS = ("p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "br", "table", "section", "dt", "dd", "pre")
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
    text = with_named_rows(clean(found.text or "").strip()) if found else ""
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
        outline=outline_of(text, headings_and_text(page)[0]),
    )
    return Reading((document,), notices)


def headings_and_text(page: str) -> tuple[list[tuple[int, str]], str]:
    """The headings of a page, each with its level, and all of its text, a block on a line."""
    tree = _tree(page)
    if tree is None:
        return [], ""
    headings = [(int(node.tag[1]), one_line(node.text_content())) for node in tree.iter("h1", "h2", "h3", "h4")]
    for node in tree.iter(*_BLOCKS):
        node.tail = f"\n{node.tail or ''}"
    for cell in tree.iter("td", "th"):
        cell.tail = f" | {cell.tail or ''}"
    lines = (one_line(line).strip(" |") for line in tree.text_content().split("\n"))
    return headings, with_named_rows("\n".join(line for line in lines if line))


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The page in the encoding it declares, else as any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return clean(data.decode(declared.group(1).decode())), ()
        except (LookupError, UnicodeError):
            text, notices = decode(data)
            return text, (*notices, f"declares the encoding {declared.group(1).decode()!r}, which it is not in")
    return decode(data)


def _tree(page: str) -> Any:
    """The elements of a page that are read; None where there are none."""
    from lxml import etree  # type: ignore[import-untyped]
    from lxml.html import HTMLParser, document_fromstring  # type: ignore[import-untyped]

    try:
        tree = document_fromstring(page.encode("utf-8"), parser=HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return None
    etree.strip_elements(tree, "script", "style", "noscript", "template", "title", etree.Comment, with_tail=False)
    return tree


def _all_text(page: str) -> str:
    tree = _tree(page)
    if tree is None:
        return ""
    lines = (one_line(piece) for piece in tree.itertext())
    return "\n".join(line for line in lines if line)


def _title(page: str) -> str:
    match = re.search(r"<title[^>]{0,200}>([^<]{1,500})", page, re.IGNORECASE)
    return match.group(1) if match else ""
