"""GDELT DOC 2.0: news of the last three months from all over the world, in English.

https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/. It gives titles and addresses only, so the articles themselves
are fetched. One request every five seconds; refusals come as plain text, with status 429 or even 200.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, message_in, records, said

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings

_KINDS = ("application/json", "text/html", "text/plain")
_SHORTEST_WORD = 3


@dataclass(frozen=True, slots=True)
class Gdelt:
    """News articles of the last three months."""

    name: ClassVar[str] = "gdelt"
    about: ClassVar[str] = "GDELT: world news of the last three months, no key, slow (one request in 5 s)"
    needs_key: ClassVar[str | None] = None

    base: str = "https://api.gdeltproject.org"
    pause: float = 5.0

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Gdelt:
        """The service, or another address in GDELT_URL."""
        return cls(settings.value("GDELT_URL", cls().base).rstrip("/"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when there is none, for the names in it."""
        hits: list[Record] = []
        for wording in search_wordings(query, most_words=6):
            words = [word for word in wording.split() if len(word.strip('"')) >= _SHORTEST_WORD or '"' in word]
            if words and not hits:
                reply = self._asked(http, " ".join([*words, "sourcelang:english"]), limit)
                hits = records(reply, "articles") if reply else []
        return [self._document(hit) for hit in hits[:limit] if said(hit, "url")]

    def _document(self, hit: Record) -> Document:
        title = said(hit, "title")
        return found(
            self.name,
            url=said(hit, "url"),
            title=title,
            text=title,
            whole=False,
            source=said(hit, "domain"),
            date=_day(said(hit, "seendate")),
            more=(("country", said(hit, "sourcecountry")),),
        )

    def _asked(self, http: Http, query: str, limit: int) -> Any:
        params: dict[str, str | int] = {"query": query, "mode": "artlist", "format": "json", "sort": "hybridrel"}
        fetched = http.get(
            f"{self.base}/api/v2/doc/doc", {**params, "maxrecords": limit}, kinds=_KINDS, interval=self.pause
        )
        if not fetched.body.lstrip().startswith(b"{"):
            raise SourceError(
                f"GDELT did not search ({message_in(fetched.body) or 'an empty answer'}); try again later"
            )
        return fetched.json()


def _day(seen: str) -> str:
    """20231006T120000Z → 2023-10-06."""
    return f"{seen[:4]}-{seen[4:6]}-{seen[6:8]}" if len(seen) >= 8 and seen[:8].isdigit() else ""


SOURCE = Gdelt
