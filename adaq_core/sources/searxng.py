"""A SearXNG of one's own: many search engines at once (https://docs.searxng.org/dev/search_api.html).

SEARXNG_URL says where it runs; its settings.yml must list json under search.formats. When it runs on a private address
its host:port must also stand in ADAQ_PRIVATE_HOSTS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import short
from adaq_core.sources.documents import found
from adaq_core.sources.guard.answers import HttpStatusError
from adaq_core.sources.reply_json import Record, plain, records, said

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings


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
        return cls(settings.value("SEARXNG_URL").rstrip("/"))

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


SOURCE = Searxng
