"""Documents found on the network: how they are named, which of them are whole, and which say the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from urllib.parse import parse_qsl, urlencode, urlsplit

from adaq_core.corpus.holdings import NearDuplicate, near_duplicates
from adaq_core.corpus.isolated import read
from adaq_core.corpus.readers import Limits, clean, day, one_line
from adaq_core.errors import FileReadError, SourceError
from adaq_core.model import Document
from adaq_core.sources.guard import shown
from adaq_core.sources.guard.replies import MIB, Fetched
from adaq_core.sources.http import Http
from adaq_core.text.values import dates

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
_LIMITS = Limits(
    file_bytes=16 * MIB,
    unpacked_bytes=64 * MIB,
    pages=300,
    seconds=20.0,
    cpu_seconds=8.0,
    per_mib=1.0,
    memory_bytes=1024 * MIB,
)
_BOM = b"\xef\xbb\xbf"


def read_page(url: str, http: Http) -> Document:
    """Return the main text of the page at `url` with its title, date and site; SourceError if it has none."""
    fetched = http.page(url)
    return page_document(fetched, seconds=http.seconds_left, cancelled=lambda: http.ended)


def page_document(
    fetched: Fetched, *, seconds: float = _LIMITS.seconds, cancelled: Callable[[], bool] = lambda: False
) -> Document:
    """Return the document in a fetched page; its reader is stopped after `seconds`, or once `cancelled`."""
    suffix = _SUFFIXES.get(fetched.content_type, "")
    limits = replace(_LIMITS, seconds=min(_LIMITS.seconds, seconds))
    try:
        reading = read(f"page{suffix}", _in_utf8(fetched), limits, cancelled=cancelled)
    except FileReadError as error:
        raise SourceError(f"expected a page with text at {shown(fetched.url)}, but it {error}") from error
    first = reading.documents[0]
    title = first.title if first.title != "page" else ""
    text = "\n\n".join(document.text for document in reading.documents)
    head, _, rest = text.partition("\n")
    if rest.strip() and head.strip() == title:
        text = rest.strip()
    return Document(fetched.url, title, text, first.source, first.date)


def _in_utf8(fetched: Fetched) -> bytes:
    """Return the body as UTF-8 with a mark if the header names the encoding, which overrides the page's own."""
    if not fetched.charset or fetched.content_type == "application/pdf" or fetched.body.startswith(_BOM):
        return fetched.body
    try:
        return _BOM + fetched.body.decode(fetched.charset).encode("utf-8", "replace")
    except (LookupError, UnicodeError):
        return fetched.body


FOUND_BY = "found_by"
TEXT_IS = "text_is"

_TRACKING = re.compile(r"(?i)(?:utm|mc|pk|at)_|(?:gclid|fbclid|msclkid|igshid|ref|ref_src|cmpid|ocid|smid)\Z")
_ALIKE = 0.8
_FEWEST_WORDS = 40
_SAME_NEWS_DAYS = 7


def address_key(url: str) -> str:
    """Return the same key for all addresses of a page: no scheme, www, port, fragment, tracking or last slash."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.").rstrip(".")
        if parts.port not in (None, 80, 443):
            port = f":{parts.port}"
        else:
            port = ""
    except ValueError:
        return url.strip()
    asked = parse_qsl(parts.query, keep_blank_values=True)
    kept = [(key, value) for key, value in asked if not _TRACKING.match(key)]
    query = f"?{urlencode(sorted(kept))}" if kept else ""
    return f"{host}{port}{parts.path.rstrip('/')}{query}"


def document_found(
    name: str,
    *,
    url: str,
    title: str,
    text: str,
    whole: bool,
    source: str = "",
    date: str = "",
    more: Iterable[tuple[str, str]] = (),
) -> Document:
    """Build a document that a source found at `url`; not `whole` if `text` is only a snippet of the page."""
    known = (FOUND_BY, name), (TEXT_IS, "whole" if whole else "snippet")
    return Document(
        document_id=f"{name}:{sha256(address_key(url).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}",
        title=one_line(title) or one_line(url),
        text=clean(text).strip(),
        source=one_line(source) or host_of(url),
        date=day(one_line(date)),
        url=one_line(url),
        metadata=(*known, *((key, one_line(value)) for key, value in more if value)),
    )


def host_of(url: str) -> str:
    """Return the host of an address, without www."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def found_by(document: Document) -> str:
    """Return the source that found a document."""
    return dict(document.metadata).get(FOUND_BY, "")


def is_whole(document: Document) -> bool:
    """Whether the text is the whole text, not a snippet of a page still to be fetched."""
    return dict(document.metadata).get(TEXT_IS) != "snippet"


def completed(snippet: Document, page: Document) -> Document:
    """Return the snippet's document with the text of its page."""
    return replace(
        snippet,
        title=snippet.title if snippet.title != snippet.url else page.title or snippet.title,
        text=page.text,
        date=snippet.date or page.date,
        metadata=tuple((key, "whole" if key == TEXT_IS else value) for key, value in snippet.metadata),
    )


def without_repeats(documents: Sequence[Document]) -> list[Document]:
    """Return the first document of each address, in order."""
    first: dict[str, Document] = {}
    for document in documents:
        first.setdefault(address_key(document.url) or document.document_id, document)
    return list(first.values())


def distinct(documents: Sequence[Document]) -> tuple[list[Document], tuple[NearDuplicate, ...]]:
    """Return the documents that repeat no earlier one, and the near-duplicates that were dropped.

    Texts of fewer than 40 words are not compared (snippets of different pages look alike), nor are texts that are dated
    more than a week apart: the reports of two years repeat much, and differ in what counts.
    """
    single = {document.document_id: document for document in without_repeats(documents)}
    texts = [(key, document.text) for key, document in single.items() if len(document.text.split()) >= _FEWEST_WORDS]
    alike = [
        pair
        for pair in near_duplicates(texts, threshold=_ALIKE)
        if _same_time(single[pair.document_id].date, single[pair.of].date)
    ]
    dropped = {pair.document_id for pair in alike}
    return [document for key, document in single.items() if key not in dropped], tuple(alike)


def _same_time(first: str, second: str) -> bool:
    """Whether two dates may belong to one piece of news; unknown dates may."""
    one, other = _as_day(first), _as_day(second)
    if one is None or other is None:
        return True
    return abs((one - other).days) <= _SAME_NEWS_DAYS


def _as_day(text: str) -> date | None:
    result = dates(text)
    try:
        if result and result[0].is_day:
            return date.fromisoformat(result[0].key)
        return None
    except ValueError:
        return None
