"""Wikipedia, through the Action API of MediaWiki: a search, then the plain text of each article found.

https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts (one whole article
per request). WIKIPEDIA_URL chooses another language, such as https://de.wikipedia.org.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, message_of, record, records, said

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings

_PAUSE = 0.1


@dataclass(frozen=True, slots=True)
class Wikipedia:
    """Articles of the encyclopaedia, whole."""

    name: ClassVar[str] = "wikipedia"
    about: ClassVar[str] = "Wikipedia: encyclopaedia articles, whole text, no key"
    needs_key: ClassVar[str | None] = None

    base: str = "https://en.wikipedia.org"

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Wikipedia:
        """The English one unless WIKIPEDIA_URL names another."""
        return cls(settings.value("WIKIPEDIA_URL", cls().base).rstrip("/"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when no article has them all, for the names in it."""
        hits: list[Record] = []
        for wording in search_wordings(query):
            if not hits:
                reply = self._asked(http, {"list": "search", "srsearch": wording, "srlimit": limit, "srprop": ""})
                hits = records(reply, "query", "search")
        return [document for hit in hits[:limit] if (document := self._article(hit, http)) is not None]

    def _article(self, hit: Record, http: Http) -> Document | None:
        number = hit.get("pageid")
        if not isinstance(number, int):
            return None
        wanted: dict[str, str | int] = {"prop": "extracts|info|revisions", "inprop": "url", "rvprop": "timestamp"}
        try:
            reply = self._asked(http, {**wanted, "explaintext": 1, "exsectionformat": "plain", "pageids": number})
            page = next(iter(records(reply, "query", "pages")), {})
        except SourceError as error:
            http.notes.append(f"the article {said(hit, 'title')!r} could not be read: {error}")
            return None
        text = page.get("extract")
        if not isinstance(text, str) or not text.strip():
            return None
        return found(
            self.name,
            url=said(page, "canonicalurl") or said(page, "fullurl") or f"{self.base}/?curid={number}",
            title=said(page, "title"),
            text=text,
            whole=True,
            source="Wikipedia",
            more=(("edited", _edited(page)),),
        )

    def _asked(self, http: Http, params: dict[str, str | int]) -> Any:
        usual: dict[str, str | int] = {"action": "query", "format": "json", "formatversion": 2}
        reply = http.get(f"{self.base}/w/api.php", {**usual, **params}, interval=_PAUSE).json()
        if record(reply, "error"):
            raise SourceError(f"Wikipedia could not answer ({message_of(record(reply, 'error'))}); try again later")
        return reply


def _edited(page: Record) -> str:
    """When the article was last changed."""
    revisions = page.get("revisions")
    return said(records(revisions)[0], "timestamp") if isinstance(revisions, list) and records(revisions) else ""


SOURCES = (Wikipedia,)
