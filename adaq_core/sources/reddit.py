"""Reddit: posts, through its Data API with an application's own key (https://github.com/reddit-archive/reddit/wiki/OAuth2).

REDDIT_API_KEY is "<client id>:<client secret>" of a script application (https://www.reddit.com/prefs/apps). A post that
only links to a page stands for that page, which is fetched.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.question.query_templates import short
from adaq_core.sources.documents import found
from adaq_core.sources.reply_json import Record, record, records, said

if TYPE_CHECKING:
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings

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
        base = settings.value("REDDIT_URL", cls().base).rstrip("/")
        site = settings.value("REDDIT_SITE_URL", cls().site).rstrip("/")
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
        if removed or not said(post, "permalink").startswith("/"):
            return None
        link = said(post, "url")
        return found(
            self.name,
            url=f"{self.site}{said(post, 'permalink')}" if text else link,
            title=said(post, "title"),
            text=text or said(post, "title"),
            whole=bool(text),
            source=f"Reddit r/{said(post, 'subreddit')}",
            date=_day(post.get("created_utc")),
        )


def _day(seconds: object) -> str:
    if not isinstance(seconds, int | float) or not 0 < seconds < 1e11:
        return ""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


SOURCES = (Reddit,)
