"""Web search with a key of one's own: Tavily when the key begins with "tvly-", else Brave Search.

https://api-dashboard.search.brave.com/app/documentation/web-search (GET, snippets; the pages are fetched) and
https://docs.tavily.com/documentation/api-reference/endpoint/search (POST, with the text of the pages).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import short
from adaq_core.sources.documents import found
from adaq_core.sources.guard.answers import HttpStatusError
from adaq_core.sources.reply_json import Record, plain, record, records, said, texts

if TYPE_CHECKING:
    from adaq_core.sources import SourceSettings
    from adaq_core.sources.http import Http


_MOST = 20
_ONE_A_SECOND = 1.0


@dataclass(frozen=True, slots=True)
class WebSearch:
    """Pages of the whole web."""

    name: ClassVar[str] = "web_search"
    about: ClassVar[str] = "Web search by Brave or Tavily, needs a key"
    needs_key: ClassVar[str | None] = "SEARCH_API_KEY"

    key: str = field(default="", repr=False)
    brave: str = "https://api.search.brave.com"
    tavily: str = "https://api.tavily.com"
    pause: float = _ONE_A_SECOND

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> WebSearch:
        """The services with the user's key, or other addresses in BRAVE_URL and TAVILY_URL."""
        brave = settings.address("BRAVE_URL", cls().brave)
        return cls(settings.value("SEARCH_API_KEY"), brave, settings.address("TAVILY_URL", cls().tavily))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The pages that the service finds for `query` as it is worded."""
        if not self.key:
            raise SourceError(
                "web search needs a key: set SEARCH_API_KEY in .env to one of Brave (https://brave.com/search/api) "
                "or Tavily (https://tavily.com)"
            )
        asked = self._tavily if self.key.startswith("tvly-") else self._brave
        return asked(short(query), limit=min(limit, _MOST), http=http)

    def _brave(self, query: str, *, limit: int, http: Http) -> list[Document]:
        params: dict[str, str | int] = {
            "q": query,
            "count": limit,
            "text_decorations": "false",
            "extra_snippets": "true",
        }
        url = f"{self.brave}/res/v1/web/search"
        reply = http.get(url, params, secrets={"X-Subscription-Token": self.key}, interval=self.pause).json()
        if isinstance(reply, dict) and reply.get("type") == "search" and "web" not in reply:
            return []  # so it says that nothing was found
        hits = records(reply, "web", "results")
        return [self._from_brave(hit) for hit in hits[:limit] if said(hit, "url")]

    def _from_brave(self, hit: Record) -> Document:
        snippets = [plain(text) for text in (said(hit, "description"), *texts(hit, "extra_snippets"))]
        return found(
            self.name,
            url=said(hit, "url"),
            title=plain(said(hit, "title")),
            text="\n".join(dict.fromkeys(text for text in snippets if text)),
            whole=False,
            source=said(record(hit, "profile"), "name"),
            date=said(hit, "page_age"),
        )

    def _tavily(self, query: str, *, limit: int, http: Http) -> list[Document]:
        wanted = {"query": query, "max_results": limit, "search_depth": "basic", "include_raw_content": True}
        reply = http.post(
            f"{self.tavily}/search",
            json.dumps(wanted).encode(),
            headers={"Content-Type": "application/json"},
            secrets={"Authorization": f"Bearer {self.key}"},
            interval=self.pause,
        ).json()
        return [self._from_tavily(hit) for hit in records(reply, "results")[:limit] if said(hit, "url")]

    def _from_tavily(self, hit: Record) -> Document:
        raw = hit.get("raw_content")
        whole = isinstance(raw, str) and bool(raw.strip())
        return found(
            self.name,
            url=said(hit, "url"),
            title=said(hit, "title"),
            text=str(raw) if whole else said(hit, "content"),
            whole=whole,
            date=said(hit, "published_date"),
        )


@dataclass(frozen=True, slots=True)
class Searxng:
    """Pages of the whole web, through a metasearch engine."""

    name: ClassVar[str] = "searxng"
    about: ClassVar[str] = "SearXNG: web search through a server of your own, no key"
    needs_key: ClassVar[str | None] = "SEARXNG_URL"

    base: str = ""

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Searxng:
        """The server that SEARXNG_URL names."""
        return cls(settings.address("SEARXNG_URL"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The pages that its engines find for `query` as it is worded; engines that failed are noted."""
        if not self.base:
            raise SourceError("SearXNG runs on a server of yours: set SEARXNG_URL, such as http://127.0.0.1:8888")
        try:
            reply = http.get(f"{self.base}/search", {"q": short(query), "format": "json"}).json()
        except HttpStatusError as error:
            if error.status == 403:
                raise SourceError(
                    f"{error}. A SearXNG answers so when its settings.yml does not list json under search.formats"
                ) from error
            raise
        hits = records(reply, "results")
        silent = reply.get("unresponsive_engines") or []
        if silent and isinstance(silent, list):
            http.notes.append(
                f"engines of SearXNG that did not answer: {', '.join(_engine(entry) for entry in silent)}"
            )
        return [self._document(hit) for hit in hits[:limit] if said(hit, "url")]

    def _document(self, hit: Record) -> Document:
        return found(
            self.name,
            url=said(hit, "url"),
            title=plain(said(hit, "title")),
            text=plain(said(hit, "content")),
            whole=False,
            date=said(hit, "publishedDate"),
            more=(("engine", said(hit, "engine")),),
        )


def _engine(entry: object) -> str:
    parts = entry if isinstance(entry, list) else [entry]
    return " ".join(str(part)[:40] for part in parts[:2])


SOURCES = (WebSearch, Searxng)
