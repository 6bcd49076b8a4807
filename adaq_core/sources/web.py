"""The web: feeds and pages that the user names, and search engines.

RSS 0.9x to 2.0 and 1.0 (RDF), Atom (RFC 4287). XML with a document type or entities of its own is refused: a few bytes
of it can stand for gigabytes. Web search goes to Tavily when the key begins with "tvly-", else to Brave Search:
https://api-dashboard.search.brave.com/app/documentation/web-search (GET, snippets; the pages are fetched) and
https://docs.tavily.com/documentation/api-reference/endpoint/search (POST, with the text of the pages).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import short
from adaq_core.sources.documents import document_found
from adaq_core.sources.guard import joined, shown
from adaq_core.sources.guard.replies import HttpStatusError, Record, lines_once, plain, record, records, text_of, texts
from adaq_core.text.tokens import tokens

if TYPE_CHECKING:
    from adaq_core.sources import SourceSettings
    from adaq_core.sources.http import Http


_WHOLE_FROM = 800
_MOST_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class Feeds:
    """Entries of feeds."""

    name: ClassVar[str] = "feeds"
    about: ClassVar[str] = "RSS and Atom feeds of your choice, no key"
    needs_key: ClassVar[str | None] = "FEED_URLS"

    urls: tuple[str, ...] = ()

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Feeds:
        """The feeds that FEED_URLS lists."""
        return cls(settings.words("FEED_URLS"))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The entries that share most words with `query`, the newest first among equals; none that share no word."""
        if not self.urls:
            raise SourceError("no feed is named: set FEED_URLS to the addresses of RSS or Atom feeds")
        entries: list[Document] = []
        problems: list[str] = []
        for url in self.urls:
            try:
                entries.extend(self._entries(url, http))
            except SourceError as error:
                problems.append(str(error))
        if len(problems) == len(self.urls):
            raise SourceError("; ".join(problems))
        http.notes.extend(problems)
        wanted = set(tokens(query))
        shared = [(len(wanted.intersection(tokens(f"{entry.title} {entry.text}"))), entry) for entry in entries]
        newest = sorted((pair for pair in shared if pair[0]), key=lambda pair: pair[1].date, reverse=True)
        return [entry for _, entry in sorted(newest, key=lambda pair: -pair[0])][:limit]

    def _entries(self, url: str, http: Http) -> Iterator[Document]:
        from adaq_core.sources.http import FEEDS

        fetched = http.page(url, kinds=FEEDS, obey_robots=False)
        root = _parsed(fetched.body, url)
        titles = (
            _text(child) for holder in (root, *_children(root, "channel")) for child in _children(holder, "title")
        )
        site = plain(next(titles, ""))
        items = [node for node in root.iter() if _name(node) in ("item", "entry")]
        for item in items[:_MOST_ENTRIES]:
            link = joined(fetched.url, _link(item))
            if link.startswith(("http://", "https://")):
                yield self._document(item, link=link, site=site)

    def _document(self, item: Any, *, link: str, site: str) -> Document:
        summary = plain(_first(item, "description", "summary"))
        content = plain(_first(item, "encoded", "content"))
        return document_found(
            self.name,
            url=link,
            title=plain(_first(item, "title")),
            text=content or summary or plain(_first(item, "title")),
            whole=len(content) >= _WHOLE_FROM,
            source=site,
            date=_day(_first(item, "published", "pubDate", "date", "updated")),
        )


def _parsed(body: bytes, url: str) -> Any:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    try:
        root = fromstring(body, forbid_dtd=True)
    except DefusedXmlException as error:
        raise SourceError(
            f"the feed {shown(url)} declares a document type or entities, which is not read ({type(error).__name__})"
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise SourceError(f"expected RSS or Atom at {shown(url)}, got XML that is broken ({error})") from error
    if _name(root) not in ("rss", "RDF", "feed"):
        raise SourceError(f"expected RSS or Atom at {shown(url)}, got an XML document <{_name(root)[:40]}>")
    return root


def _name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2]


def _children(node: Any, name: str) -> list[Any]:
    return [child for child in node if _name(child) == name]


def _text(node: Any) -> str:
    """All text of a node: Atom may carry XHTML inside."""
    return "".join(node.itertext()).strip()


def _first(item: Any, *names: str) -> str:
    return next((text for name in names for child in _children(item, name) if (text := _text(child))), "")


def _link(item: Any) -> str:
    """RSS writes the address as text, Atom as an attribute of the link that is (by default) an alternate."""
    for node in _children(item, "link"):
        if node.get("rel", "alternate") == "alternate" and (address := node.get("href") or _text(node)):
            return str(address).strip()
    return _first(item, "guid", "id")


def _day(date: str) -> str:
    """The day of an RFC 822 date; ISO dates are left as they are."""
    if date[:4].isdigit():
        return date
    try:
        return parsedate_to_datetime(date).date().isoformat()
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class GivenUrl:
    """The given pages, whatever the query."""

    name: ClassVar[str] = "given_url"
    about: ClassVar[str] = "Pages that you name: web pages, plain text or PDF, no key"
    needs_key: ClassVar[str | None] = "GIVEN_URLS"

    urls: tuple[str, ...] = ()

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> GivenUrl:
        """The pages given with the question, then those that GIVEN_URLS lists."""
        return cls(tuple(dict.fromkeys((*settings.urls, *settings.words("GIVEN_URLS")))))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The text of every given page (`limit` does not count here: each was asked for by name)."""
        from adaq_core.sources.documents import read_page

        if not self.urls:
            raise SourceError("no page is named: give its address with the question, or in GIVEN_URLS")
        pages, problems = [], []
        for url in self.urls:
            try:
                page = read_page(url, http)
            except SourceError as error:
                problems.append(str(error))
                continue
            pages.append(
                document_found(
                    self.name, url=url, title=page.title, text=page.text, whole=True, source=page.source, date=page.date
                )
            )
        if not pages:
            raise SourceError("; ".join(problems))
        http.notes.extend(problems)
        return pages


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
        return [self._from_brave(hit) for hit in hits[:limit] if text_of(hit, "url")]

    def _from_brave(self, hit: Record) -> Document:
        snippets = (text_of(hit, "description"), *texts(hit, "extra_snippets"))
        return document_found(
            self.name,
            url=text_of(hit, "url"),
            title=plain(text_of(hit, "title")),
            text=lines_once(map(plain, snippets)),
            whole=False,
            source=text_of(record(hit, "profile"), "name"),
            date=text_of(hit, "page_age"),
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
        return [self._from_tavily(hit) for hit in records(reply, "results")[:limit] if text_of(hit, "url")]

    def _from_tavily(self, hit: Record) -> Document:
        raw = hit.get("raw_content")
        whole = isinstance(raw, str) and bool(raw.strip())
        return document_found(
            self.name,
            url=text_of(hit, "url"),
            title=text_of(hit, "title"),
            text=str(raw) if whole else text_of(hit, "content"),
            whole=whole,
            date=text_of(hit, "published_date"),
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
        return [self._document(hit) for hit in hits[:limit] if text_of(hit, "url")]

    def _document(self, hit: Record) -> Document:
        return document_found(
            self.name,
            url=text_of(hit, "url"),
            title=plain(text_of(hit, "title")),
            text=plain(text_of(hit, "content")),
            whole=False,
            date=text_of(hit, "publishedDate"),
            more=(("engine", text_of(hit, "engine")),),
        )


def _engine(entry: object) -> str:
    parts = entry if isinstance(entry, list) else [entry]
    return " ".join(str(part)[:40] for part in parts[:2])


SOURCES = (Feeds, GivenUrl, WebSearch, Searxng)
