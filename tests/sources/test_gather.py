from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adaq_core.errors import SourceError
from adaq_core.model import Document
from adaq_core.sources import Source, SourceSettings
from adaq_core.sources.documents import document_found, is_whole, read_page
from adaq_core.sources.gather import Gathered, gather, query_cache, web_for
from adaq_core.sources.http import FileCache, Http, Web
from tests.sources.loopback import QUICK, MovedClock, Reply, Server, article, of_html, of_json
from tests.sources.services import KEYS, LONG, NEWS_KEY, SERVICES

MakeWeb = Callable[..., Web]
OTHER = LONG.replace("Tesla", "Rivian").replace("two million", "twelve thousand").replace("driver", "brake")


@dataclass(frozen=True)
class Told:
    """A source that does as it is told."""

    name: str
    documents: tuple[Document, ...] = ()
    problem: Exception | None = None
    wait: float = 0.0
    about: str = ""
    needs_key: str | None = None

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        time.sleep(self.wait)
        if self.problem is not None:
            raise self.problem
        return list(self.documents[:limit])


def whole(name: str, url: str, text: str, *, date: str = "") -> Document:
    return document_found(name, url=url, title=url, text=text, whole=True, date=date)


def snippet(name: str, url: str, text: str = "a snippet") -> Document:
    return document_found(name, url=url, title=f"About {url.rpartition('/')[2]}", text=text, whole=False)


def outline(gathered: Gathered) -> list[tuple[str, int, int, str | None]]:
    return [(report.name, report.requests, report.documents, report.error) for report in gathered.reports]


def test_all_sources_together(server: Server, make_web: MakeWeb) -> None:
    """Every source at one loopback server; the page that several of them found is read once."""
    made: list[Source] = []
    for service in SERVICES:
        if service.name not in ("reddit", "searxng", "given_url"):
            reply = service.reply(server)
            server.routes.setdefault(service.path, reply)
            made.append(service.make(server))
    result = gather("Tesla recall regulator", made, make_web(hide=KEYS), limit=3)
    assert [report.name for report in result.reports] == [
        "wikipedia", "gdelt", "edgar", "news_api", "web_search", "web_search", "feeds",
    ]  # fmt: skip
    assert [report.error for report in result.reports] == [None] * 7
    assert server.paths().count("/news/tesla") == 1
    assert server.paths().count("/robots.txt") == 1
    assert [document.title for document in result.documents] == ["Tesla, Inc.", "Only a part"]
    assert {pair.of for pair in result.repeats} == {result.documents[0].document_id}


def test_documents_come_in_a_fixed_order_however_fast_the_sources_are(web: Web) -> None:
    slow = Told("slow", (whole("slow", "https://a.example/1", "one"),), wait=0.2)
    fast = Told("fast", (whole("fast", "https://b.example/2", "two"), whole("fast", "https://b.example/3", "three")))
    result = gather("x", [slow, fast], web)
    assert [document.text for document in result.documents] == ["one", "two", "three"]
    assert result.reports[0].seconds >= 0.2


def test_sources_are_asked_side_by_side(web: Web) -> None:
    together = threading.Barrier(3, timeout=60)

    @dataclass(frozen=True)
    class Meeting(Told):
        def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
            together.wait()
            return []

    result = gather("x", [Meeting("a"), Meeting("b"), Meeting("c")], web)
    assert outline(result) == [("a", 0, 0, None), ("b", 0, 0, None), ("c", 0, 0, None)]


def test_a_failure_costs_only_itself(web: Web) -> None:
    works = Told("works", (whole("works", "https://a.example/1", "one"),))
    says = Told("says", problem=SourceError("the key is wrong"))
    stumbles = Told("stumbles", problem=KeyError("articles"))
    result = gather("x", [says, works, stumbles], web)
    assert [document.text for document in result.documents] == ["one"]
    assert outline(result) == [
        ("says", 0, 0, "the key is wrong"),
        ("works", 0, 1, None),
        ("stumbles", 0, 0, "its reply could not be read (KeyError: 'articles')"),
    ]


def test_a_source_or_page_that_takes_too_long_is_not_waited_for(server: Server, make_web: MakeWeb) -> None:
    clock = MovedClock()
    server.routes |= {"/page": clock.held_page, "/late": Reply(held=True)}

    @dataclass(frozen=True)
    class Late(Told):
        def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
            http.get(f"{server.url}/late")
            return []

    works = Told("works", (snippet("works", f"{server.url}/page"),))
    result = gather("x", [Late("late"), works], make_web(clock=clock), seconds=20.0)
    assert [document.text for document in result.documents] == ["a snippet"]
    assert outline(result)[0] == ("late", 1, 0, "it did not answer within 20.0 s; ask again later")
    assert "'About page'" in result.reports[1].notes[0]


def test_snippets_become_whole_where_the_page_can_be_read(server: Server, web: Web) -> None:
    server.routes |= {
        "/robots.txt": Reply(body=b"User-agent: *\nDisallow: /closed", content_type="text/plain"),
        "/good": article("A good page", LONG, date="2024-04-26"),
        "/closed": article("Closed", OTHER),
        "/paywall": Reply(403, b"subscribe", "text/html"),
        "/empty": Reply(body=b"<html></html>", content_type="text/html"),
        "/film": Reply(body=b"x", content_type="video/mp4"),
    }
    paths = ("good", "closed", "paywall", "empty", "film")
    source = Told("web_search", tuple(snippet("web_search", f"{server.url}/{path}") for path in paths))
    result = gather("x", [source], web, limit=9)
    assert [(is_whole(document), document.text) for document in result.documents] == [
        (True, LONG), *[(False, "a snippet")] * 4,
    ]  # fmt: skip
    assert result.documents[0].date == "2024-04-26"
    (report,) = result.reports
    assert (report.requests, report.documents, report.error) == (5, 5, None)
    words = ("does not allow", "answered 403 (subscribe)", "but it holds no text", "got video/mp4")
    assert [word in note for word, note in zip(words, report.notes, strict=True)] == [True] * 4


def test_a_page_that_leads_to_this_machine_is_not_read(server: Server, other_server: Server, web: Web) -> None:
    server.routes["/moved"] = Reply(302, headers=(("Location", f"{other_server.url}/admin"),))
    links = (f"{other_server.url}/admin", "http://localhost:1/", "file:///etc/passwd", f"{server.url}/moved")
    source = Told("feeds", tuple(snippet("feeds", link) for link in links))
    result = gather("x", [source], web, limit=9)
    assert other_server.asked == []
    assert all(not is_whole(document) for document in result.documents)
    assert len(result.reports[0].notes) == 4


def test_the_same_page_by_another_address_counts_once(web: Web) -> None:
    urls = ("https://www.news.example/a/?utm_source=feed&b=2&a=1#top", "http://news.example/a?a=1&b=2")
    sources = [Told(name, (whole(name, url, f"text of {name}"),)) for name, url in zip("ab", urls, strict=True)]
    result = gather("x", sources, web)
    assert [document.text for document in result.documents] == ["text of a"]
    assert [report.documents for report in result.reports] == [1, 0]


def test_the_same_words_count_once_unless_they_are_of_another_time(web: Web) -> None:
    copy = LONG.replace("on the cars that were recalled", "on the recalled cars")
    texts = [
        ("https://a.example/1", LONG, "2024-04-26"),
        ("https://b.example/2", copy, "2024-04-27"),
        ("https://c.example/3", copy, ""),
        ("https://d.example/4", copy, "2023-04-26"),
        ("https://e.example/5", OTHER, "2024-04-26"),
        ("https://f.example/6", copy, "2024-02-31"),
    ]
    source = Told("a", tuple(whole("a", url, text, date=date) for url, text, date in texts))
    result = gather("x", [source], web, limit=9)
    assert [document.url[8] for document in result.documents] == ["a", "d", "e"]
    assert [pair.of == result.documents[0].document_id for pair in result.repeats] == [True] * 3


def test_short_snippets_that_look_alike_are_all_kept(web: Web) -> None:
    filings = tuple(
        snippet("edgar", f"https://x.example/{n}", "10-Q of Apple Inc., filed on 2023-05-05") for n in "123"
    )
    assert len(gather("x", [Told("edgar", tuple(replace(d, url="") for d in filings))], web).documents) == 3


def test_a_search_is_not_repeated_while_its_answer_is_fresh(server: Server, web: Web, tmp_path: Path) -> None:
    server.routes["/v2/everything"] = SERVICES[3].reply(server)
    now = [1000.0]
    queries = FileCache(tmp_path, ttl=60, now=lambda: now[0])
    asked: Sequence[Source] = [SERVICES[3].make(server)]

    def again(query: str = "Tesla", *, limit: int = 5) -> tuple[bool, int]:
        result = gather(query, asked, web, limit=limit, queries=queries)
        assert [document.source for document in result.documents] == ["Reuters"]
        return result.reports[0].cached, server.paths().count("/v2/everything")

    assert [again(), again(), again("Tesla recall"), again(limit=4)] == [(False, 1), (True, 1), (False, 2), (False, 3)]
    now[0] += 61
    assert again() == (False, 4)
    assert not any(key.encode() in path.read_bytes() for path in tmp_path.iterdir() for key in KEYS)


def test_failures_and_empty_answers_are_not_kept(server: Server, web: Web, tmp_path: Path) -> None:
    queries = FileCache(tmp_path, ttl=60)
    server.routes["/v2/everything"] = Reply(401)
    gather("Tesla", [SERVICES[3].make(server)], web, queries=queries)
    server.routes["/v2/everything"] = of_json({"status": "ok", "articles": []})
    gather("Tesla", [SERVICES[3].make(server)], web, queries=queries)
    assert (list(tmp_path.iterdir()), len(server.asked)) == ([], 2)


def test_a_key_is_in_no_report(server: Server, make_web: MakeWeb) -> None:
    server.routes["/v2/everything"] = of_json({"message": f"the key {NEWS_KEY} is not known"}, 401)
    web = make_web(hide=SourceSettings({"NEWS_API_KEY": NEWS_KEY}).hidden)
    leaks = Told("leaks", problem=ValueError(f"headers: {NEWS_KEY}"))
    result = gather("Tesla", [SERVICES[3].make(server), leaks], web)
    assert NEWS_KEY not in repr(result)
    assert "the key *** is not known" in (result.reports[0].error or "")
    assert result.reports[1].error == "its reply could not be read (ValueError: headers: ***)"


def test_nothing_chosen_finds_nothing(web: Web) -> None:
    assert gather("x", [], web) == Gathered((), ())


def test_the_settings_make_the_web(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    settings = SourceSettings({"ADAQ_PRIVATE_HOSTS": server.place, "ADAQ_CONTACT": "ada@example.org"})
    server.routes["/page"] = article("A page", LONG)
    web, queries = web_for(settings), query_cache(settings)
    web.http().page(f"{server.url}/page")
    queries.put("k", head={}, body=b"x")
    assert "ada@example.org" in server.asked[0].headers["user-agent"]
    assert sorted(path.parent.name for path in tmp_path.rglob("*") if path.is_file()) == ["pages", "queries"]
    with pytest.raises(SourceError, match="this machine"):
        web_for(SourceSettings()).http().get(f"{server.url}/page")


def test_a_cache_that_cannot_be_written_is_noted_and_costs_nothing(web: Web, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    queries = FileCache(tmp_path / "file" / "queries", ttl=60)
    works = Told("works", (whole("works", "https://a.example/1", "one"),))
    result = gather("x", [works], web, queries=queries)
    assert [document.text for document in result.documents] == ["one"]
    assert ["they are fetched again" in note for note in result.notes] == [True]


def test_a_page_made_to_hurt_is_left_in_the_middle_when_the_time_is_up(
    server: Server, make_web: Callable[..., Web]
) -> None:
    page = f"<html><body><p {' '.join(f'a{n}=x' for n in range(120_000))}>text</p></body></html>"
    server.routes["/p"] = of_html(page)
    server.routes["/robots.txt"] = Reply(status=404)
    web = make_web(limits=replace(QUICK, most_bytes=8 << 20))
    began = time.monotonic()
    with pytest.raises(SourceError, match="took more than"):
        read_page(f"{server.url}/p", web.http(seconds=4.0))
    assert time.monotonic() - began < 90
    http = web.http(seconds=60.0)
    threading.Timer(1.0, http.end).start()
    began = time.monotonic()
    with pytest.raises(SourceError, match=r"nobody waits|not asked any more"):
        read_page(f"{server.url}/p", http)
    assert time.monotonic() - began < 50
