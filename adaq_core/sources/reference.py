"""Works of reference over HTTP: Wikipedia, and the filings of the SEC (EDGAR).

https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts (one whole article
per request). WIKIPEDIA_URL chooses another language, such as https://de.wikipedia.org.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, message_of, record, records, said, texts

if TYPE_CHECKING:
    from adaq_core.sources import SourceSettings
    from adaq_core.sources.http import Http


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
    if isinstance(revisions, list) and records(revisions):
        return said(records(revisions)[0], "timestamp")
    return ""


_EDGAR_PAUSE = 0.12
_FILING = re.compile(r"(\d{10}-\d\d-\d{6}):([\w.-]{1,120}\.(?:html?|txt|pdf))", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edgar:
    """Filings with the SEC."""

    name: ClassVar[str] = "edgar"
    about: ClassVar[str] = "SEC EDGAR: filings of companies in the United States since 2001, wants a contact"
    needs_key: ClassVar[str | None] = "ADAQ_CONTACT"

    contact: str = ""
    base: str = "https://efts.sec.gov"
    archive: str = "https://www.sec.gov"

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Edgar:
        """The service with the user's contact, or other addresses in EDGAR_URL and EDGAR_ARCHIVE_URL."""
        base = settings.value("EDGAR_URL", cls().base).rstrip("/")
        return cls(settings.contact, base, settings.value("EDGAR_ARCHIVE_URL", cls().archive).rstrip("/"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The filings with the telling words of `query`; when there is none, with the names in it."""
        if "@" not in self.contact:
            raise SourceError(
                "the SEC serves nobody who does not say who asks: set ADAQ_CONTACT to your name and e-mail address"
            )
        hits: list[Record] = []
        for wording in search_wordings(query, most_words=6):
            if not hits:
                headers = {"User-Agent": f"ADAQ {self.contact}"}
                reply = http.get(
                    f"{self.base}/LATEST/search-index", {"q": wording}, headers=headers, interval=_EDGAR_PAUSE
                ).json()
                hits = records(reply, "hits", "hits")
        return [document for hit in hits if (document := self._document(hit)) is not None][:limit]

    def _document(self, hit: Record) -> Document | None:
        """The filing of a hit; None when it is in a format that holds no text, such as XML."""
        filing = record(hit, "_source")
        place = _FILING.fullmatch(said(hit, "_id"))
        number = next((cik for cik in texts(filing, "ciks") if cik.isdigit()), "")
        if place is None or not number:
            return None
        company = ", ".join(" ".join(name.split()) for name in texts(filing, "display_names"))
        form = said(filing, "form")
        filed = said(filing, "file_date")
        period = said(filing, "period_ending")
        title = f"{company}: {form}" if company else form
        about = f"{form} of {company}, filed on {filed}" + (
            f", for the period that ended on {period}" if period else ""
        )
        return found(
            self.name,
            url=f"{self.archive}/Archives/edgar/data/{int(number)}/{place[1].replace('-', '')}/{place[2]}",
            title=title,
            text=f"{about}. {said(filing, 'file_description')}",
            whole=False,
            source="SEC EDGAR",
            date=filed,
            more=(("company", company), ("form", form), ("period", period)),
        )


SOURCES = (Wikipedia, Edgar)
