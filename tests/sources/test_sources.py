"""Every source against what the documentation of its service says, right answers and wrong ones."""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace

import pytest

from adaq_core import sources
from adaq_core.errors import InputError, SourceError
from adaq_core.model import Document
from adaq_core.sources import SourceSettings
from adaq_core.sources.apis import Edgar, Gdelt, NewsApi, Reddit, Wikipedia
from adaq_core.sources.http import Web
from adaq_core.sources.web import Feeds, GivenUrl, Searxng, WebSearch
from tests.sources.loopback import QUICK, Asked, Reply, Server, article, gzipped, of_json
from tests.sources.services import BRAVE_KEY, KEYS, LONG, NEWS_KEY, REDDIT_KEY, RSS, SERVICES, TAVILY_KEY, Service

MakeWeb = Callable[..., Web]
QUERY = "What did the regulator say about the Tesla recall?"
each_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)


def prepared(service: Service, server: Server) -> sources.Source:
    """The source, with the server answering as documented."""
    reply = service.reply(server)
    if service.path not in server.routes:
        server.routes[service.path] = reply
    return service.make(server)


def search(service: Service, server: Server, web: Web, *, limit: int = 3) -> list[Document]:
    return service.make(server).search(QUERY, limit=limit, http=web.http())


def searched(server: Server, path: str) -> Asked:
    return next(asked for asked in server.asked if asked.path == path)


@each_service
def test_it_finds_what_its_service_answers(service: Service, server: Server, web: Web) -> None:
    found = prepared(service, server).search(QUERY, limit=3, http=web.http())[0]
    assert "Tesla" in f"{found.title} {found.text}"
    assert found.url.startswith("http")
    assert found.document_id.partition(":")[0] == dict(found.metadata)["found_by"]
    assert found.source


def test_a_whole_document_of_each_kind(server: Server, web: Web) -> None:
    found = {}
    for service in SERVICES:
        server.routes.clear()
        document = prepared(service, server).search(QUERY, limit=3, http=web.http())[0]
        words = document.text.replace("\n", " ")[:30]
        found[service.name] = (document.title, words, document.source, document.date, document.url)
    url = server.url
    recall = "Tesla recall widens"
    assert found == {
        "wikipedia": ("Tesla, Inc.", LONG[:30], "Wikipedia", "", "https://en.wikipedia.org/wiki/Tesla,_Inc."),
        "gdelt": (recall, recall, "example-news.com", "2024-04-26", f"{url}/news/tesla?utm_source=x"),
        "edgar": (
            "Tesla, Inc. (TSLA) (CIK 0001318605): 10-K",
            "10-K of Tesla, Inc. (TSLA) (CI",
            "SEC EDGAR",
            "2024-01-29",
            f"{url}/Archives/edgar/data/1318605/000162828024002390/tsla-20231231.htm",
        ),
        "news_api": (recall, "The regulator looks at Tesla a", "Reuters", "2024-04-26", f"{url}/news/tesla"),
        "brave": (recall, "The regulator looks at Tesla &", "Example News", "2024-04-26", f"{url}/news/tesla"),
        "tavily": (recall, LONG[:30], "example.com", "", "https://example.com/a"),
        "searxng": (recall, "The regulator looks at Tesla a", "127.0.0.1", "2024-04-26", f"{url}/news/tesla"),
        "reddit": (
            "My Tesla was recalled",
            LONG[:30],
            "Reddit r/cars",
            "2024-04-26",
            f"{url}/r/cars/comments/abc/my_tesla/",
        ),
        "feeds": (recall, "The regulator & Tesla", "Example News", "2024-04-26", f"{url}/news/tesla"),
        "given_url": (recall, LONG[:30], "127.0.0.1", "2024-04-26", f"{url}/page"),
    }


@each_service
@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
def test_an_error_of_the_service_is_said_in_words(service: Service, server: Server, web: Web, status: int) -> None:
    source = prepared(service, server)
    server.routes[service.path] = of_json({"message": f"not for you: {' '.join(KEYS)}"}, status)
    with pytest.raises(SourceError) as caught:
        source.search(QUERY, limit=3, http=web.http())
    assert f"{server.place} answered {status}" in str(caught.value)


@each_service
def test_a_long_pause_asked_for_is_not_sat_out(service: Service, server: Server, web: Web) -> None:
    source = prepared(service, server)
    server.routes[service.path] = Reply(429, headers=(("Retry-After", "900"),))
    http = web.http()
    for words in ("answered 429", "it asked for a pause of 900 s"):
        with pytest.raises(SourceError, match=words):
            source.search(QUERY, limit=3, http=http)
    assert server.paths().count(service.path) == 1


@each_service
def test_a_passing_fault_costs_a_second_try_only(service: Service, server: Server, web: Web) -> None:
    source = prepared(service, server)
    right = server.routes[service.path]
    assert not isinstance(right, list)
    server.routes[service.path] = [Reply(503), right]
    assert source.search(QUERY, limit=3, http=web.http())


@each_service
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(held=True), "did not answer in time"),
        (Reply(200, b'{"x": 1' + b" " * 900, cut_at=30), "could not be read"),
        (Reply(body=b" " * 400_000), "the limit is 0 MiB"),
        (gzipped(Reply(body=b" " * 5_000_000)), "expected an answer of up to 200000 bytes"),
        (Reply(body=b"PK\x03\x04", content_type="application/zip"), "got application/zip"),
    ],
    ids=["slow", "cut off", "huge", "bomb", "wrong type"],
)
def test_a_faulty_answer_is_said_in_words(
    service: Service, server: Server, make_web: MakeWeb, reply: Reply, words: str
) -> None:
    source = prepared(service, server)
    expected = {"feeds": "application/rss+xml", "given_url": "text/html"}.get(service.name, "application/json")
    fitting = reply.content_type == "application/zip"
    server.routes[service.path] = reply if fitting else replace(reply, content_type=expected)
    web = make_web(limits=replace(QUICK, tries=1, **({"read_seconds": 0.2} if reply.held else {})))  # type: ignore[arg-type]
    with pytest.raises(SourceError, match=words):
        source.search(QUERY, limit=3, http=web.http())


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nothing", b"[]", b"{}", b'"text"', b"null", b"7", b'{"articles": {"a": 1}}', b'{"hits": []}']
)
@pytest.mark.parametrize("service", SERVICES[:8], ids=lambda service: service.name)
def test_a_reply_of_another_shape_is_an_error_or_finds_nothing(
    service: Service, server: Server, web: Web, body: bytes
) -> None:
    source = prepared(service, server)
    server.routes[service.path] = Reply(body=body)
    if body == b"{}" and service.name == "gdelt":
        assert source.search(QUERY, limit=3, http=web.http()) == []
    else:
        with pytest.raises(SourceError):
            source.search(QUERY, limit=3, http=web.http())


_ODD: list[object] = [None, 7, "text", [], {}, {"url": 5}, {"url": None, "title": ["x"]}, {"_id": {}, "_source": []}]


@pytest.mark.parametrize("service", SERVICES[:8], ids=lambda service: service.name)
def test_odd_records_are_left_out(service: Service, server: Server, web: Web) -> None:
    source = prepared(service, server)
    odd = {
        "articles": _ODD,
        "hits": {"hits": _ODD},
        "web": {"results": _ODD},
        "results": _ODD,
        "data": {"children": _ODD},
        "query": {"search": _ODD},
    }
    server.routes[service.path] = of_json(odd)
    assert source.search(QUERY, limit=10, http=web.http()) == []


def test_the_names_alone_are_searched_when_not_all_words_are_found(server: Server, web: Web) -> None:
    nothing = {
        "/w/api.php": {"query": {"search": []}},
        "/api/v2/doc/doc": {},
        "/LATEST/search-index": {"hits": {"hits": []}},
        "/v2/everything": {"status": "ok", "articles": []},
    }
    server.routes |= {path: of_json(reply) for path, reply in nothing.items()}
    for service in SERVICES[:4]:
        assert search(service, server, web) == []
    asked = [asked.query.get("srsearch") or asked.query.get("query") or asked.query["q"] for asked in server.asked]
    everything, names = "regulator say Tesla recall", "Tesla"
    assert asked == [
        *(everything, names),
        *(f"{everything} sourcelang:english", f"{names} sourcelang:english"),
        *(everything, names),
        *(everything, names),
    ]


def test_brave_says_that_nothing_was_found(server: Server, web: Web) -> None:
    server.routes["/res/v1/web/search"] = of_json({"type": "search", "query": {"original": "x"}})
    assert WebSearch(BRAVE_KEY, brave=server.url).search("Tesla", limit=2, http=web.http()) == []


def test_keys_go_into_headers_only(server: Server, web: Web) -> None:
    for service in SERVICES:
        server.routes.clear()
        prepared(service, server).search(QUERY, limit=3, http=web.http())
    sent = {asked.path: asked.headers for asked in server.asked}
    assert sent["/v2/everything"]["x-api-key"] == NEWS_KEY
    assert sent["/res/v1/web/search"]["x-subscription-token"] == BRAVE_KEY
    basic = b64encode(REDDIT_KEY.encode()).decode()
    assert sent["/api/v1/access_token"]["authorization"] == f"Basic {basic}"
    searches = [
        asked.headers["authorization"]
        for asked in server.asked
        if asked.path == "/search" and "authorization" in asked.headers
    ]
    assert searches == [f"Bearer {TAVILY_KEY}", "Bearer token-89ab"]
    for asked in server.asked:
        assert not any(key in f"{asked.path} {asked.query} {asked.body!r}" for key in KEYS)


@each_service
def test_no_key_is_in_a_repr(service: Service, server: Server) -> None:
    assert not any(key in repr(service.make(server)) for key in KEYS)


def test_the_sec_and_reddit_hear_who_asks(server: Server, web: Web) -> None:
    for service in SERVICES:
        if service.name in ("edgar", "reddit"):
            prepared(service, server).search(QUERY, limit=3, http=web.http())
    assert searched(server, "/LATEST/search-index").headers["user-agent"] == "ADAQ Ada ada@example.org"
    assert searched(server, "/search").headers["user-agent"] == "python:adaq:v0.1 (by ada)"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (NewsApi(), "set NEWS_API_KEY"),
        (WebSearch(), "set SEARCH_API_KEY"),
        (Reddit(), "set REDDIT_API_KEY"),
        (Reddit("no-colon"), "<client id>:<client secret>"),
        (Edgar(), "set ADAQ_CONTACT"),
        (Edgar("no address"), "set ADAQ_CONTACT"),
        (Searxng(), "set SEARXNG_URL"),
        (Feeds(), "set FEED_URLS"),
        (GivenUrl(), "no page is named"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_asked(source: sources.Source, words: str, web: Web) -> None:
    http = web.http()
    with pytest.raises(SourceError, match=words):
        source.search(QUERY, limit=3, http=http)
    assert http.requests == 0


def test_wikipedia_says_its_own_errors(server: Server, web: Web) -> None:
    error = {"code": "ratelimited", "info": "You've exceeded your rate limit. Please wait some time and try again."}
    server.routes["/w/api.php"] = of_json({"error": error, "servedby": "mw1"})
    with pytest.raises(SourceError, match=r"Wikipedia could not answer \(You've exceeded your rate limit"):
        Wikipedia(server.url).search("Tesla", limit=2, http=web.http())


def test_wikipedia_keeps_the_articles_that_could_be_read(server: Server, web: Web) -> None:
    def route(asked: Asked) -> Reply:
        if asked.query.get("list") == "search":
            return of_json({"query": {"search": [{"title": "A", "pageid": 1}, {"title": "B", "pageid": 2}]}})
        if asked.query["pageids"] == "1":
            return Reply(404)
        return of_json({"query": {"pages": [{"pageid": 2, "title": "B", "extract": "All about B."}]}})

    server.routes["/w/api.php"] = route
    http = web.http()
    found = Wikipedia(server.url).search("Tesla", limit=2, http=http)
    assert [(document.title, document.url) for document in found] == [("B", f"{server.url}/?curid=2")]
    assert http.notes == [
        f"the article 'A' could not be read: {server.place} answered 404; check the address and the settings of this "
        "source"
    ]


@pytest.mark.parametrize("status", [200, 429])
def test_gdelt_says_its_refusals_in_plain_text(server: Server, web: Web, status: int) -> None:
    words = b"Please limit requests to one every 5 seconds or contact us for larger queries."
    server.routes["/api/v2/doc/doc"] = Reply(status, words, "text/html; charset=utf-8")
    with pytest.raises(SourceError, match="Please limit requests to one every 5 seconds"):
        Gdelt(server.url, pause=0.0).search("Tesla", limit=2, http=web.http())


def test_gdelt_is_asked_every_five_seconds_only(server: Server, make_web: MakeWeb) -> None:
    server.routes["/api/v2/doc/doc"] = of_json({"articles": []})
    slept: list[float] = []
    web = make_web(sleep=slept.append, clock=lambda: 10.0, limits=replace(QUICK, seconds=60))
    Gdelt(server.url).search("what about Tesla", limit=2, http=web.http())
    Gdelt(server.url).search("what about Rivian", limit=2, http=web.http())
    assert slept == [5.0]


def test_edgar_builds_no_address_from_odd_ids(server: Server, web: Web) -> None:
    ids = ["../../x:y.htm", "0001628280-24-002390:../x.htm", "0001628280-24-002390:a.htm?x", "0001628280-24-002390"]
    hits = [{"_id": number, "_source": {"ciks": ["0001318605"]}} for number in ids]
    hits += [{"_id": "0001628280-24-002390:a.htm", "_source": {"ciks": ["../1"]}}]
    server.routes["/LATEST/search-index"] = of_json({"hits": {"hits": hits}})
    assert Edgar("a@example.org", server.url, server.url).search("Tesla", limit=9, http=web.http()) == []


def test_brave_says_that_a_key_is_wrong(server: Server, make_web: MakeWeb) -> None:
    error = {"id": "1", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID",
             "detail": f"The provided subscription token {BRAVE_KEY} is invalid."}  # fmt: skip
    server.routes["/res/v1/web/search"] = of_json({"type": "ErrorResponse", "error": error, "time": 1}, 422)
    with pytest.raises(SourceError, match=r"answered 422 \(The provided subscription token \*\*\* is invalid\.\)"):
        WebSearch(BRAVE_KEY, brave=server.url).search("Tesla", limit=2, http=make_web().http())


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "Unauthorized: missing or invalid API key."), (432, "This request exceeds your plan's set usage limit.")],
)
def test_tavily_says_its_own_errors(server: Server, web: Web, status: int, words: str) -> None:
    server.routes["/search"] = of_json({"detail": {"error": words}}, status)
    with pytest.raises(SourceError, match=f"answered {status} .{words[:20]}"):
        WebSearch(TAVILY_KEY, tavily=server.url).search("Tesla", limit=2, http=web.http())


def test_tavily_is_asked_as_documented(server: Server, web: Web) -> None:
    server.routes["/search"] = of_json({"results": []})
    WebSearch(TAVILY_KEY, tavily=server.url).search("Tesla  recall\n", limit=50, http=web.http())
    assert json.loads(server.asked[0].body) == {
        "query": "Tesla recall", "max_results": 20, "search_depth": "basic", "include_raw_content": True,
    }  # fmt: skip
    assert (server.asked[0].method, server.asked[0].headers["content-type"]) == ("POST", "application/json")


def test_searxng_without_json_is_explained(server: Server, web: Web) -> None:
    server.routes["/search"] = Reply(403, b"<title>403 Forbidden</title>", "text/html")
    with pytest.raises(SourceError, match=r"does not list json under search\.formats"):
        Searxng(server.url).search("Tesla", limit=2, http=web.http())


def test_searxng_names_the_engines_that_were_silent(server: Server, web: Web) -> None:
    silent = [["google", "CAPTCHA"], ["bing", "timeout"], "odd"]
    server.routes["/search"] = of_json({"results": [], "unresponsive_engines": silent})
    http = web.http()
    assert Searxng(server.url).search("Tesla", limit=2, http=http) == []
    assert http.notes == ["engines of SearXNG that did not answer: google CAPTCHA, bing timeout, odd"]


def test_a_reddit_post_that_links_stands_for_its_page(server: Server, web: Web) -> None:
    reddit = next(service for service in SERVICES if service.name == "reddit")
    source = prepared(reddit, server)
    post = {
        "title": "Read this",
        "selftext": "",
        "url": "https://example.com/a",
        "permalink": "/r/x/1",
        "subreddit": "x",
    }
    adult = {**post, "over_18": True}
    children = [{"kind": "t3", "data": data} for data in (adult, post)]
    server.routes["/search"] = of_json({"data": {"children": children}})
    found = source.search(QUERY, limit=5, http=web.http())
    assert [(document.url, dict(document.metadata)["text_is"]) for document in found] == [
        ("https://example.com/a", "snippet")
    ]


@pytest.mark.parametrize("reply", [{"error": "invalid_grant"}, [], {"access_token": 5}])
def test_reddit_without_a_token_says_so(server: Server, web: Web, reply: object) -> None:
    server.routes["/api/v1/access_token"] = of_json(reply)
    with pytest.raises(SourceError, match="Reddit gave no token for the key"):
        Reddit(REDDIT_KEY, "ada", server.url, server.url, pause=0.0).search("Tesla", limit=2, http=web.http())


ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Atom News</title>
<entry><title type="html">Tesla &amp;amp; others</title><link rel="self" href="/self"/><link href="/news/a"/>
<id>urn:1</id><published>2024-04-25T23:00:00Z</published><updated>2024-04-27T01:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>{words}</p></div></content></entry></feed>"""

RDF = """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old News</title></channel>
<item><title>Tesla</title><link>{url}/old</link><dc:date>2024-04-01T00:00:00Z</dc:date></item></rdf:RDF>"""


def test_atom_and_rdf_feeds_are_read_too(server: Server, web: Web) -> None:
    server.routes |= {
        "/atom": Reply(body=ATOM.format(words=f"{LONG} {LONG}").encode(), content_type="application/atom+xml"),
        "/rdf": Reply(body=RDF.format(url=server.url).encode(), content_type="text/xml"),
    }
    feeds = Feeds((f"{server.url}/rdf", f"{server.url}/atom"))
    found = feeds.search("Tesla regulator", limit=5, http=web.http())
    assert [(doc.title, doc.url, doc.source, doc.date, dict(doc.metadata)["text_is"]) for doc in found] == [
        ("Tesla & others", f"{server.url}/news/a", "Atom News", "2024-04-25", "whole"),
        ("Tesla", f"{server.url}/old", "Old News", "2024-04-01", "snippet"),
    ]


def test_entries_that_share_no_word_are_left_out(server: Server, web: Web) -> None:
    server.routes["/feed"] = Reply(body=RSS.format(url=server.url).encode(), content_type="text/xml")
    assert Feeds((f"{server.url}/feed",)).search("football results", limit=5, http=web.http()) == []


_BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {second} '{f'&{first};' * 10}'>" for first, second in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("xml", "words"),
    [
        (f"{_BOMB}]><rss><channel><title>&h;</title></channel></rss>", "declares a document type or entities"),
        ("<!DOCTYPE x SYSTEM 'file:///etc/passwd'><rss/>", "declares a document type or entities"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss>&x;</rss>", "declares a document type"),
        ("<rss><channel>", "XML that is broken"),
        ("", "XML that is broken"),
        ("<rss>&nbsp;</rss>", "XML that is broken"),
        ("<html><body/></html>", "got an XML document <html>"),
        ("<?xml version='1.0' encoding='no-such'?><rss/>", "XML that is broken"),
        ("<a>" * 50_000, "XML that is broken"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_hostile_and_broken_xml_is_refused(server: Server, web: Web, xml: str, words: str, encoding: str) -> None:
    server.routes["/feed"] = Reply(body=xml.encode(encoding)[:190_000], content_type="application/xml")
    with pytest.raises(SourceError, match=words):
        Feeds((f"{server.url}/feed",)).search("Tesla", limit=5, http=web.http())


def test_one_bad_feed_does_not_cost_the_others(server: Server, web: Web) -> None:
    server.routes["/feed"] = Reply(body=RSS.format(url=server.url).encode(), content_type="text/xml")
    http = web.http()
    found = Feeds((f"{server.url}/none", f"{server.url}/feed")).search("Tesla", limit=5, http=http)
    assert [document.title for document in found] == ["Tesla recall widens"]
    assert [f"{server.place} answered 404" in note for note in http.notes] == [True]


def test_given_pages_may_be_text_or_in_another_encoding(server: Server, web: Web) -> None:
    server.routes |= {
        "/a.txt": Reply(body="Prüfung der Wälder".encode("latin-1"), content_type="text/plain; charset=ISO-8859-1"),
        "/b": replace(article("B", LONG), body=article("B", "Grüße. " + LONG).body.decode().encode("cp1252"),
                      content_type="text/html; charset=windows-1252"),
    }  # fmt: skip
    source = GivenUrl((f"{server.url}/a.txt", f"{server.url}/b", f"{server.url}/none"))
    http = web.http()
    found = source.search("anything", limit=1, http=http)
    assert [document.text[:18] for document in found] == ["Prüfung der Wälder", "Grüße. Tesla recal"]
    assert "Imprint" not in found[1].text
    assert len(http.notes) == 1


def test_sources_are_found_by_their_files() -> None:
    expected = ("edgar", "feeds", "gdelt", "given_url", "news_api", "reddit", "searxng", "web_search", "wikipedia")
    assert sources.names() == expected
    for name in sources.names():
        made = sources.source(name, SourceSettings())
        assert isinstance(made, sources.Source)
        assert (made.name, type(made) in sys.modules[type(made).__module__].SOURCES) == (name, True)
        assert sources.describe(name) == made.about
    with pytest.raises(InputError, match="There is no source 'bing'; the sources are edgar, feeds"):
        sources.source("bing", SourceSettings())


def test_what_a_source_still_needs() -> None:
    none, some = SourceSettings(), SourceSettings({"NEWS_API_KEY": "k", "ADAQ_CONTACT": "a@example.org"})
    assert {name: sources.missing(name, none) for name in sources.names()} == {
        "edgar": "ADAQ_CONTACT",
        "feeds": "FEED_URLS",
        "gdelt": "",
        "given_url": "GIVEN_URLS",
        "news_api": "NEWS_API_KEY",
        "reddit": "REDDIT_API_KEY",
        "searxng": "SEARXNG_URL",
        "web_search": "SEARCH_API_KEY",
        "wikipedia": "",
    }
    assert (sources.missing("news_api", some), sources.missing("edgar", some)) == ("", "")
