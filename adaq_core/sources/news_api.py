"""NewsAPI: news articles of the last weeks from some 150,000 outlets (https://newsapi.org/docs/endpoints/everything).

It gives the first 200 characters of an article only, so the articles themselves are fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, plain, record, records, said

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings

_CUT = re.compile(r"\s{0,4}(?:…|\.\.\.)?\s{0,4}\[\+\d{1,9} chars\]$")
_REMOVED = "[Removed]"


@dataclass(frozen=True, slots=True)
class NewsApi:
    """News articles of the last weeks."""

    name: ClassVar[str] = "news_api"
    about: ClassVar[str] = "NewsAPI: news of the last weeks from many outlets, needs a key"
    needs_key: ClassVar[str | None] = "NEWS_API_KEY"

    key: str = field(default="", repr=False)
    base: str = "https://newsapi.org"

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> NewsApi:
        """The service with the user's key, or another address in NEWS_API_URL."""
        return cls(settings.value("NEWS_API_KEY"), settings.value("NEWS_API_URL", cls().base).rstrip("/"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when there is none, for the names in it."""
        if not self.key:
            raise SourceError("NewsAPI needs a key: set NEWS_API_KEY in .env (free at https://newsapi.org/register)")
        hits: list[Record] = []
        for wording in search_wordings(query):
            if not hits:
                params: dict[str, str | int] = {
                    "q": wording,
                    "pageSize": min(limit, 100),
                    "sortBy": "relevancy",
                    "language": "en",
                }
                reply = http.get(f"{self.base}/v2/everything", params, secrets={"X-Api-Key": self.key}).json()
                hits = [hit for hit in records(reply, "articles") if said(hit, "title") != _REMOVED]
        return [self._document(hit) for hit in hits[:limit] if said(hit, "url")]

    def _document(self, hit: Record) -> Document:
        parts = [plain(said(hit, "description")), _CUT.sub("", plain(said(hit, "content")))]
        return found(
            self.name,
            url=said(hit, "url"),
            title=said(hit, "title"),
            text="\n".join(dict.fromkeys(part for part in parts if part)) or said(hit, "title"),
            whole=False,
            source=said(record(hit, "source"), "name"),
            date=said(hit, "publishedAt"),
            more=(("author", said(hit, "author")),),
        )


SOURCE = NewsApi
