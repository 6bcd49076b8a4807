"""A fetched page as a document: the main text without menus, found by the readers that files are read with."""

from __future__ import annotations

from adaq_core.corpus.readers import read
from adaq_core.corpus.reading import Limits
from adaq_core.errors import FileReadError, SourceError
from adaq_core.model import Document
from adaq_core.sources.guard.addresses import shown
from adaq_core.sources.guard.answers import Fetched
from adaq_core.sources.guard.bodies import MIB
from adaq_core.sources.http import Http

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
_LIMITS = Limits(file_bytes=16 * MIB, unpacked_bytes=64 * MIB, pages=300, seconds=20.0)
_BOM = b"\xef\xbb\xbf"


def read_page(url: str, http: Http) -> Document:
    """The main text of the page at `url`, with the title, date and site it states; SourceError when it has none."""
    return page_document(http.page(url))


def page_document(fetched: Fetched) -> Document:
    """The document in what was fetched."""
    suffix = _SUFFIXES.get(fetched.content_type, "")
    try:
        reading = read(f"page{suffix}", _in_utf8(fetched), _LIMITS)
    except FileReadError as error:
        raise SourceError(f"expected a page with text at {shown(fetched.url)}, but it {error}") from error
    first = reading.documents[0]
    title = first.title if first.title != "page" else ""
    text = "\n\n".join(document.text for document in reading.documents)
    head, _, rest = text.partition("\n")
    text = rest.strip() if rest.strip() and head.strip() == title else text
    return Document(fetched.url, title, text, first.source, first.date)


def _in_utf8(fetched: Fetched) -> bytes:
    """The body in UTF-8 with its mark when the header names the encoding: the header counts more than the page."""
    if not fetched.charset or fetched.content_type == "application/pdf" or fetched.body.startswith(_BOM):
        return fetched.body
    try:
        return _BOM + fetched.body.decode(fetched.charset).encode("utf-8", "replace")
    except (LookupError, UnicodeDecodeError):
        return fetched.body
