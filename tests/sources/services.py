"""Replies as the documentation of each service shows them, and its source set up to ask the loopback server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from adaq_core.sources import Source
from adaq_core.sources.apis import Edgar, Gdelt, NewsApi, Reddit, Wikipedia
from adaq_core.sources.web import Feeds, GivenUrl, Searxng, WebSearch
from tests.sources.loopback import Asked, Reply, Server, article, of_json

BRAVE_KEY = "BSAbravekey0123456789"
TAVILY_KEY = "tvly-tavilykey0123456789"
NEWS_KEY = "newskey0123456789abcdef"
REDDIT_KEY = "client-id-0123:client-secret-4567"
KEYS = (BRAVE_KEY, TAVILY_KEY, NEWS_KEY, *REDDIT_KEY.split(":"), REDDIT_KEY)

LONG = (
    "Tesla recalled two million cars in December 2023 after the regulator found that its driver assistance could be "
    "misused. The company sent a software update over the air, which added warnings for drivers who look away. "
    "The National Highway Traffic Safety Administration opened another investigation in April 2024, because crashes "
    "went on after the update had been installed on the cars that were recalled."
)


@dataclass(frozen=True)
class Service:
    """A source at the loopback server: `path` is the one that its search asks, `reply` what is documented for it."""

    name: str
    make: Callable[[Server], Source]
    path: str
    reply: Callable[[Server], Reply]


def wikipedia(server: Server) -> Reply:
    def route(asked: Asked) -> Reply:
        if asked.query.get("list") == "search":
            hits = [{"ns": 0, "title": title, "pageid": number} for title, number in (("Tesla, Inc.", 5533631),)]
            return of_json({"batchcomplete": True, "query": {"searchinfo": {"totalhits": 1}, "search": hits}})
        page = {
            "pageid": 5533631,
            "ns": 0,
            "title": "Tesla, Inc.",
            "extract": LONG,
            "canonicalurl": "https://en.wikipedia.org/wiki/Tesla,_Inc.",
            "revisions": [{"timestamp": "2024-05-01T10:00:00Z"}],
        }
        return of_json({"batchcomplete": True, "query": {"pages": [page]}})

    server.routes["/w/api.php"] = route
    return Reply()


def gdelt(server: Server) -> Reply:
    server.routes["/news/tesla"] = article("Tesla recall widens", LONG, date="2024-04-26")
    found = {
        "url": f"{server.url}/news/tesla?utm_source=x",
        "url_mobile": "",
        "title": "Tesla recall widens",
        "seendate": "20240426T081500Z",
        "socialimage": "",
        "domain": "example-news.com",
        "language": "English",
        "sourcecountry": "United States",
    }
    return of_json({"articles": [found]})


def edgar(server: Server) -> Reply:
    server.routes["/Archives/edgar/data/1318605/000162828024002390/tsla-20231231.htm"] = article("10-K", LONG)
    filing = {
        "ciks": ["0001318605"],
        "period_ending": "2023-12-31",
        "display_names": ["Tesla, Inc.  (TSLA)  (CIK 0001318605)"],
        "root_forms": ["10-K"],
        "file_date": "2024-01-29",
        "form": "10-K",
        "adsh": "0001628280-24-002390",
        "file_type": "10-K",
        "file_description": "10-K",
    }
    xml = {"_id": "0001628280-24-002390:R1.xml", "_source": filing}
    hit = {"_id": "0001628280-24-002390:tsla-20231231.htm", "_score": 9.1, "_source": filing}
    return of_json({"took": 5, "hits": {"total": {"value": 2, "relation": "eq"}, "hits": [xml, hit]}})


def news_api(server: Server) -> Reply:
    server.routes["/news/tesla"] = article("Tesla recall widens", LONG)
    found = {
        "source": {"id": "reuters", "name": "Reuters"},
        "author": "A. Writer",
        "title": "Tesla recall widens",
        "description": "The regulator looks at Tesla again.",
        "url": f"{server.url}/news/tesla",
        "urlToImage": None,
        "publishedAt": "2024-04-26T08:15:00Z",
        "content": "Tesla recalled two million cars… [+4212 chars]",
    }
    gone = {**found, "title": "[Removed]", "url": "https://removed.com"}
    return of_json({"status": "ok", "totalResults": 2, "articles": [gone, found]})


def brave(server: Server) -> Reply:
    server.routes["/news/tesla"] = article("Tesla recall widens", LONG)
    found = {
        "title": "Tesla recall <strong>widens</strong>",
        "url": f"{server.url}/news/tesla",
        "description": "The <strong>regulator</strong> looks at Tesla &amp; others.",
        "page_age": "2024-04-26T08:15:00",
        "profile": {"name": "Example News"},
        "extra_snippets": ["It opened another investigation."],
    }
    return of_json({"type": "search", "query": {"original": "x"}, "web": {"type": "search", "results": [found]}})


def tavily(server: Server) -> Reply:
    found = {"title": "Tesla recall widens", "url": "https://example.com/a", "content": "short", "score": 0.9}
    whole = {**found, "raw_content": LONG}
    part = {**found, "url": f"{server.url}/gone", "title": "Only a part", "raw_content": None}
    return of_json({"query": "x", "results": [whole, part], "response_time": 1.2, "request_id": "r"})


def searxng(server: Server) -> Reply:
    server.routes["/news/tesla"] = article("Tesla recall widens", LONG)
    found = {
        "url": f"{server.url}/news/tesla",
        "title": "Tesla recall widens",
        "content": "The regulator looks at Tesla again.",
        "publishedDate": "2024-04-26T00:00:00",
        "engine": "duckduckgo",
        "score": 1.0,
        "category": "general",
    }
    return of_json({"query": "x", "number_of_results": 0, "results": [found], "unresponsive_engines": []})


def reddit(server: Server) -> Reply:
    token = {"access_token": "token-89ab", "token_type": "bearer", "expires_in": 86400, "scope": "*"}
    server.routes["/api/v1/access_token"] = of_json(token)
    post = {
        "id": "abc",
        "title": "My Tesla was recalled",
        "selftext": LONG,
        "subreddit": "cars",
        "permalink": "/r/cars/comments/abc/my_tesla/",
        "url": "https://www.reddit.com/r/cars/comments/abc/my_tesla/",
        "created_utc": 1714118400.0,
        "over_18": False,
    }
    removed = {**post, "selftext": "[removed]", "permalink": "/r/cars/comments/def/x/"}
    children = [{"kind": "t3", "data": data} for data in (removed, post)]
    return of_json({"kind": "Listing", "data": {"after": None, "dist": 2, "children": children}})


RSS = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Example News</title>
<link>https://example.com</link>
<item><title>Weather</title><link>{url}/weather</link><description>Rain</description></item>
<item><title>Tesla recall widens</title><link>{url}/news/tesla</link><guid isPermaLink="false">7</guid>
<pubDate>Fri, 26 Apr 2024 08:15:00 GMT</pubDate>
<description>&lt;p&gt;The regulator &amp;amp; Tesla&lt;/p&gt;</description>
</item></channel></rss>"""


def feed(server: Server) -> Reply:
    server.routes["/news/tesla"] = article("Tesla recall widens", LONG)
    return Reply(body=RSS.format(url=server.url).encode(), content_type="application/rss+xml; charset=utf-8")


def page(server: Server) -> Reply:
    return article("Tesla recall widens", LONG, date="2024-04-26")


SERVICES = (
    Service("wikipedia", lambda server: Wikipedia(server.url), "/w/api.php", wikipedia),
    Service("gdelt", lambda server: Gdelt(server.url, pause=0.0), "/api/v2/doc/doc", gdelt),
    Service(
        "edgar", lambda server: Edgar("Ada ada@example.org", server.url, server.url), "/LATEST/search-index", edgar
    ),
    Service("news_api", lambda server: NewsApi(NEWS_KEY, server.url), "/v2/everything", news_api),
    Service("brave", lambda server: WebSearch(BRAVE_KEY, brave=server.url, pause=0.0), "/res/v1/web/search", brave),
    Service("tavily", lambda server: WebSearch(TAVILY_KEY, tavily=server.url, pause=0.0), "/search", tavily),
    Service("searxng", lambda server: Searxng(server.url), "/search", searxng),
    Service("reddit", lambda server: Reddit(REDDIT_KEY, "ada", server.url, server.url, pause=0.0), "/search", reddit),
    Service("feeds", lambda server: Feeds((f"{server.url}/feed.xml",)), "/feed.xml", feed),
    Service("given_url", lambda server: GivenUrl((f"{server.url}/page",)), "/page", page),
)
