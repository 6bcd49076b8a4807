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
from adaq_core.sources.guard.answers import Record, first_hits, message_of, record, records, text_of, texts

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
        return cls(settings.address("WIKIPEDIA_URL", cls().base))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when no article has them all, for the names in it."""

        def ask(wording: str) -> list[Record]:
            reply = self._asked(http, {"list": "search", "srsearch": wording, "srlimit": limit, "srprop": ""})
            return records(reply, "query", "search")

        hits = first_hits(search_wordings(query), ask)
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
            http.notes.append(f"the article {text_of(hit, 'title')!r} could not be read: {error}")
            return None
        text = page.get("extract")
        if not isinstance(text, str) or not text.strip():
            return None
        return found(
            self.name,
            url=text_of(page, "canonicalurl") or text_of(page, "fullurl") or f"{self.base}/?curid={number}",
            title=text_of(page, "title"),
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
    listed = records(revisions) if isinstance(revisions, list) else []
    return text_of(listed[0], "timestamp") if listed else ""


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
        base = settings.address("EDGAR_URL", cls().base)
        return cls(settings.contact, base, settings.address("EDGAR_ARCHIVE_URL", cls().archive))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The filings with the telling words of `query`; when there is none, with the names in it."""
        if "@" not in self.contact:
            raise SourceError(
                "the SEC serves nobody who does not say who asks: set ADAQ_CONTACT to your name and e-mail address"
            )
        headers = {"User-Agent": f"ADAQ {self.contact}"}
        url = f"{self.base}/LATEST/search-index"

        def ask(wording: str) -> list[Record]:
            reply = http.get(url, {"q": wording}, headers=headers, interval=_EDGAR_PAUSE).json()
            return records(reply, "hits", "hits")

        hits = first_hits(search_wordings(query, most_words=6), ask)
        return [document for hit in hits if (document := self._document(hit)) is not None][:limit]

    def _document(self, hit: Record) -> Document | None:
        """The filing of a hit; None when it is in a format that holds no text, such as XML."""
        filing = record(hit, "_source")
        place = _FILING.fullmatch(text_of(hit, "_id"))
        number = next((cik for cik in texts(filing, "ciks") if cik.isdigit()), "")
        if place is None or not number:
            return None
        company = ", ".join(" ".join(name.split()) for name in texts(filing, "display_names"))
        form = text_of(filing, "form")
        filed = text_of(filing, "file_date")
        period = text_of(filing, "period_ending")
        title = f"{company}: {form}" if company else form
        ended = f", for the period that ended on {period}" if period else ""
        about = f"{form} of {company}, filed on {filed}{ended}"
        return found(
            self.name,
            url=f"{self.archive}/Archives/edgar/data/{int(number)}/{place[1].replace('-', '')}/{place[2]}",
            title=title,
            text=f"{about}. {text_of(filing, 'file_description')}",
            whole=False,
            source="SEC EDGAR",
            date=filed,
            more=(("company", company), ("form", form), ("period", period)),
        )


SOURCES = (Wikipedia, Edgar)
