"""SEC EDGAR full-text search: filings of companies in the United States since 2001.

https://efts.sec.gov/LATEST/search-index is what https://www.sec.gov/edgar/search asks; the SEC documents its use but
not its reply, which is read as public programs read it. It gives no text, so the filings are fetched. The SEC wants to
know who asks (ADAQ_CONTACT: a name and an e-mail address) and allows ten requests a second.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, record, records, said, texts

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings

_PAUSE = 0.12
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
                    f"{self.base}/LATEST/search-index", {"q": wording}, headers=headers, interval=_PAUSE
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
        form, filed, period = said(filing, "form"), said(filing, "file_date"), said(filing, "period_ending")
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


SOURCES = (Edgar,)
