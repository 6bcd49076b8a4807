"""Sources that answer over an API of their own: GDELT, NewsAPI, Reddit, Wikipedia, the filings of the SEC (EDGAR).

GDELT DOC 2.0, https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/, has the news of the last three months from all
over the world. It gives titles and addresses only, so the articles themselves are fetched. One request every five
seconds; refusals come as plain text, with status 429 or even 200.

https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/Extension:TextExtracts (one whole article
per request). WIKIPEDIA_URL chooses another language, such as https://de.wikipedia.org.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import search_wordings, short
from adaq_core.sources.documents import document_found
from adaq_core.sources.guard.replies import (
    Record,
    first_hits,
    lines_once,
    message_in,
    message_of,
    plain,
    record,
    records,
    text_of,
    texts,
)

if TYPE_CHECKING:
    from adaq_core.sources import SourceSettings
    from adaq_core.sources.http import Http


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
        return cls(settings.address("GDELT_URL", cls().base))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when there is none, for the names in it."""

        def ask(wording: str) -> list[Record]:
            words = [word for word in wording.split() if '"' in word or len(word) >= _SHORTEST_WORD]
            if words:
                reply = self._asked(http, " ".join([*words, "sourcelang:english"]), limit)
            else:
                reply = None
            return records(reply, "articles") if reply else []

        hits = first_hits(search_wordings(query, most_words=6), ask)
        return [self._document(hit) for hit in hits[:limit] if text_of(hit, "url")]

    def _document(self, hit: Record) -> Document:
        title = text_of(hit, "title")
        return document_found(
            self.name,
            url=text_of(hit, "url"),
            title=title,
            text=title,
            whole=False,
            source=text_of(hit, "domain"),
            date=_day(text_of(hit, "seendate")),
            more=(("country", text_of(hit, "sourcecountry")),),
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
    if len(seen) >= 8 and seen[:8].isdigit():
        return f"{seen[:4]}-{seen[4:6]}-{seen[6:8]}"
    return ""


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
        return cls(settings.value("NEWS_API_KEY"), settings.address("NEWS_API_URL", cls().base))

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The articles for the telling words of `query`; when there is none, for the names in it."""
        if not self.key:
            raise SourceError("NewsAPI needs a key: set NEWS_API_KEY in .env (free at https://newsapi.org/register)")
        params: dict[str, str | int] = {"pageSize": min(limit, 100), "sortBy": "relevancy", "language": "en"}

        def ask(wording: str) -> list[Record]:
            url = f"{self.base}/v2/everything"
            reply = http.get(url, {"q": wording, **params}, secrets={"X-Api-Key": self.key}).json()
            return [hit for hit in records(reply, "articles") if text_of(hit, "title") != _REMOVED]

        hits = first_hits(search_wordings(query), ask)
        return [self._document(hit) for hit in hits[:limit] if text_of(hit, "url")]

    def _document(self, hit: Record) -> Document:
        parts = [plain(text_of(hit, "description")), _CUT.sub("", plain(text_of(hit, "content")))]
        return document_found(
            self.name,
            url=text_of(hit, "url"),
            title=text_of(hit, "title"),
            text=lines_once(parts) or text_of(hit, "title"),
            whole=False,
            source=text_of(record(hit, "source"), "name"),
            date=text_of(hit, "publishedAt"),
            more=(("author", text_of(hit, "author")),),
        )


_PAUSE = 1.0
_GONE = ("[removed]", "[deleted]")


@dataclass(frozen=True, slots=True)
class Reddit:
    """Posts of its communities."""

    name: ClassVar[str] = "reddit"
    about: ClassVar[str] = "Reddit: posts of its communities, needs the key of an application"
    needs_key: ClassVar[str | None] = "REDDIT_API_KEY"

    key: str = field(default="", repr=False)
    contact: str = ""
    base: str = "https://oauth.reddit.com"
    site: str = "https://www.reddit.com"
    pause: float = _PAUSE

    @classmethod
    def from_settings(cls, settings: SourceSettings) -> Reddit:
        """The service with the user's key, or other addresses in REDDIT_URL and REDDIT_SITE_URL."""
        base = settings.address("REDDIT_URL", cls().base)
        site = settings.address("REDDIT_SITE_URL", cls().site)
        return cls(settings.value("REDDIT_API_KEY"), settings.contact, base, site)

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """The posts that Reddit holds to be relevant for `query`; none that were removed or are for adults."""
        if ":" not in self.key:
            raise SourceError("Reddit needs a key: set REDDIT_API_KEY in .env to <client id>:<client secret>")
        params: dict[str, str | int] = {
            "q": short(query),
            "limit": min(limit, 100),
            "sort": "relevance",
            "type": "link",
            "raw_json": 1,
        }
        reply = http.get(
            f"{self.base}/search",
            params,
            headers=self._agent,
            secrets={"Authorization": f"Bearer {self._token(http)}"},
            interval=self.pause,
        ).json()
        posts = [record(child, "data") for child in records(reply, "data", "children")]
        return [document for post in posts if (document := self._document(post)) is not None][:limit]

    @property
    def _agent(self) -> dict[str, str]:
        return {"User-Agent": f"python:adaq:v0.1 (by {self.contact or 'an ADAQ user'})"}

    def _token(self, http: Http) -> str:
        """An application-only token."""
        reply = http.post(
            f"{self.site}/api/v1/access_token",
            b"grant_type=client_credentials",
            headers={**self._agent, "Content-Type": "application/x-www-form-urlencoded"},
            secrets={"Authorization": f"Basic {b64encode(self.key.encode()).decode()}"},
            interval=self.pause,
        ).json()
        token = reply.get("access_token") if isinstance(reply, dict) else None
        if not isinstance(token, str) or not token:
            raise SourceError("Reddit gave no token for the key; check REDDIT_API_KEY")
        return token

    def _document(self, post: Record) -> Document | None:
        own = post.get("selftext")
        text = own.strip() if isinstance(own, str) else ""
        removed = text in _GONE or post.get("removed_by_category") or post.get("over_18")
        if removed or not text_of(post, "permalink").startswith("/"):
            return None
        link = text_of(post, "url")
        return document_found(
            self.name,
            url=f"{self.site}{text_of(post, 'permalink')}" if text else link,
            title=text_of(post, "title"),
            text=text or text_of(post, "title"),
            whole=bool(text),
            source=f"Reddit r/{text_of(post, 'subreddit')}",
            date=_day_of(post.get("created_utc")),
        )


def _day_of(seconds: object) -> str:
    if not isinstance(seconds, int | float) or not 0 < seconds < 1e11:
        return ""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


_WIKIPEDIA_PAUSE = 0.1


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
        return document_found(
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
        reply = http.get(f"{self.base}/w/api.php", {**usual, **params}, interval=_WIKIPEDIA_PAUSE).json()
        if record(reply, "error"):
            raise SourceError(f"Wikipedia could not answer ({message_of(record(reply, 'error'))}); try again later")
        return reply


def _edited(page: Record) -> str:
    """When the article was last changed."""
    revisions = page.get("revisions")
    listed = records(revisions) if isinstance(revisions, list) else []
    return text_of(listed[0], "timestamp") if listed else ""


_EDGAR_PAUSE = 0.12
_FILING = re.compile(r"(?ai)(\d{10}-\d\d-\d{6}):([\w.-]{1,120}\.(?:html?|txt|pdf))")


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
        return document_found(
            self.name,
            url=f"{self.archive}/Archives/edgar/data/{int(number)}/{place[1].replace('-', '')}/{place[2]}",
            title=title,
            text=f"{about}. {text_of(filing, 'file_description')}",
            whole=False,
            source="SEC EDGAR",
            date=filed,
            more=(("company", company), ("form", form), ("period", period)),
        )


SOURCES = (Gdelt, NewsApi, Reddit, Wikipedia, Edgar)
