"""Web pages, e-books and mails: the main text without menus and footers, found by trafilatura."""

from __future__ import annotations

import logging
import posixpath
import re
import zipfile
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote

from adaq_core.corpus.readers.records import with_named_rows
from adaq_core.corpus.reading import Reading, SourceFile, archive_in, clean, day, decode, one_line, outline_of
from adaq_core.errors import FileReadError
from adaq_core.model import Document

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_BLOCKS = ("p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "br", "table", "section", "dt", "dd", "pre")
_DATES = {"extensive_search": False, "original_date": True}


def read_html(file: SourceFile) -> Reading:
    """The main text, with the title, site, date and address it states; all of its text when there is no main part."""
    from trafilatura import bare_extraction

    page, notices = _decode(file.data)
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    results: Any = bare_extraction(page, include_comments=False, date_extraction_params=_DATES, with_metadata=True)
    if results:
        text = with_named_rows(clean(results.text or "").strip())
    else:
        text = ""
    if not text:
        text = _all_text(page)
        notices = (*notices, "no main part was found: all the text of the page was taken")
    document = Document(
        document_id=file.key,
        title=one_line((results.title if results else "") or _title(page) or file.stem),
        text=text,
        source=one_line((results.sitename if results else "") or ""),
        date=day((results.date if results else "") or ""),
        url=one_line((results.url if results else "") or ""),
        metadata=(("author", one_line(results.author)),) if results and results.author else (),
        outline=outline_of(text, headings_and_text(page)[0]),
    )
    return Reading((document,), notices)


def headings_and_text(page: str) -> tuple[list[tuple[int, str]], str]:
    """The headings of a page, each with its level, and all of its text, a block on a line."""
    tree = _tree(page)
    if tree is None:
        return [], ""
    heads = tree.iter("h1", "h2", "h3", "h4")
    headings = [(int(node.tag[1]), one_line(node.text_content())) for node in heads]
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


_CORE = "{http://purl.org/dc/elements/1.1/}"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_NO_EPUB = "is not an .epub, or a damaged one; get a fresh copy"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def read_epub(file: SourceFile) -> Reading:
    """The text of all chapters, with the title, author and date that the book states."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    archive = archive_in(file, _NO_EPUB)
    try:
        root = fromstring(archive.read("META-INF/container.xml")).find(f".//{_CONTAINER}rootfile")
        place = root.get("full-path") if root is not None else None
        if place is None:
            raise FileReadError("is not a whole .epub, as it names no contents; get a fresh copy")
    except (zipfile.BadZipFile, KeyError) as error:
        raise FileReadError(_NO_EPUB) from error
    package = fromstring(archive.read(place))
    chapters, problems = _chapters(archive, package, posixpath.dirname(place))
    text = clean("\n\n".join(text for _, text in chapters if text))
    author = _element_text(package, "creator")
    document = Document(
        file.key,
        _element_text(package, "title") or file.stem,
        text,
        source=_element_text(package, "publisher"),
        date=day(_element_text(package, "date")),
        metadata=(("author", author),) if author else (),
        outline=outline_of(text, [heading for headings, _ in chapters for heading in headings]),
    )
    return Reading((document,), (), tuple(problems))


def _chapters(
    archive: zipfile.ZipFile, package: Any, folder: str
) -> tuple[list[tuple[list[tuple[int, str]], str]], list[str]]:
    """Headings and text of each chapter in reading order, and the chapters that are missing."""
    files = {item.get("id"): item.get("href") for item in package.iter(f"{_PACKAGE}item")}
    chapters, problems = [], []
    for item in package.iter(f"{_PACKAGE}itemref"):
        href = files.get(item.get("idref")) or ""
        try:
            page = archive.read(posixpath.normpath(posixpath.join(folder, unquote(href))))
        except KeyError:
            problems.append(f"the chapter {href[:80]!r} is missing")
            continue
        chapters.append(headings_and_text(page.decode("utf-8", errors="replace")))
    return chapters, problems


def _element_text(package: Any, name: str) -> str:
    node = package.find(f".//{_CORE}{name}")
    return one_line(node.text or "") if node is not None else ""


def read_mail(file: SourceFile) -> Reading:
    """The text of a message, of its HTML part where it has no other; attachments are named, not read."""
    message = BytesParser(policy=policy.default).parsebytes(file.data)
    assert isinstance(message, EmailMessage)
    attached = [one_line(part.get_filename() or part.get_content_type()) for part in message.iter_attachments()]
    sender = one_line(str(message["from"] or ""))
    to = one_line(str(message["to"] or ""))
    document = Document(
        file.key,
        one_line(str(message["subject"] or "")) or file.stem,
        clean(_body(message)).strip(),
        source=sender,
        date=_day(str(message["date"] or "")),
        metadata=tuple((name, value) for name, value in (("author", sender), ("to", to)) if value),
    )
    notices = (f"attachments were not read: {', '.join(attached[:8])}",) if attached else ()
    return Reading((document,), notices)


def _body(message: EmailMessage) -> str:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return ""
    data = part.get_payload(decode=True)
    text = (
        str(part.get_content()) if part.get_content_charset() else decode(data if isinstance(data, bytes) else b"")[0]
    )
    return headings_and_text(text)[1] if part.get_content_subtype() == "html" else text


def _day(written: str) -> str:
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except (TypeError, ValueError):
        return one_line(written)


READERS = {".html": read_html, ".htm": read_html, ".xhtml": read_html, ".epub": read_epub, ".eml": read_mail}
