from __future__ import annotations

import gzip
import logging
import os
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from adaq_core.errors import SourceError
from adaq_core.sources.documents import page_document
from adaq_core.sources.guard import CircuitOpenError, Pace
from adaq_core.sources.guard.replies import HttpStatusError, RequestLimits
from adaq_core.sources.http import FEEDS, FileCache, Web
from tests.sources.loopback import QUICK, Asked, Reply, Server, article, gzipped, of_html, of_json, web_of

MakeWeb = Callable[..., Web]
KEY = "tvly-0123456789abcdef"


def test_an_answer_comes_with_its_type_and_the_request_says_who_asks(server: Server, make_web: MakeWeb) -> None:
    server.routes["/a"] = of_json({"x": 1}, content_type="application/json; charset=UTF-8")
    web = make_web(contact="Ada ada@example.org")
    http = web.http()
    fetched = http.get(f"{server.url}/a", {"q": "ä & b", "n": 2})
    assert (fetched.json(), fetched.content_type, fetched.charset, http.requests) == (
        {"x": 1}, "application/json", "utf-8", 1,
    )  # fmt: skip
    asked = server.asked[0]
    assert asked.query == {"q": "ä & b", "n": "2"}
    assert asked.headers["user-agent"] == "ADAQ/0.1 (research tool; Ada ada@example.org)"
    assert asked.headers["accept-encoding"] == "gzip"


def test_packed_answers_are_unpacked(server: Server, web: Web) -> None:
    server.routes["/a"] = gzipped(of_json([1, 2]))
    assert web.http().get(f"{server.url}/a").json() == [1, 2]


@pytest.mark.parametrize("charset", ["punycode", "idna", "undefined", "no-such", "utf-16"])
def test_an_odd_charset_costs_letters_not_the_answer(server: Server, web: Web, charset: str) -> None:
    kind = f"text/html; charset={charset}"
    server.routes["/a"] = Reply(body="Grüße".encode(), content_type=kind)
    fetched = web.http().get(f"{server.url}/a", kinds=("text/html",))
    assert isinstance(fetched.text(), str)
    server.routes["/p"] = Reply(body=article("Wald", "Der Wald ist grün. " * 40).body, content_type=kind)
    server.routes["/robots.txt"] = Reply(body=b"User-agent: *", content_type=f"text/plain; charset={charset}")
    assert isinstance(page_document(web.http().page(f"{server.url}/p")).text, str)


def test_only_the_first_500_kib_of_robots_txt_count(server: Server, make_web: MakeWeb) -> None:
    web = make_web(limits=replace(QUICK, most_bytes=8 << 20))
    early, late = b"User-agent: *\nDisallow: /early\n", b"Disallow: /late\n"
    server.routes["/robots.txt"] = Reply(body=early + b"Disallow: /x*y*z\n" * 350_000 + late, content_type="text/plain")
    began = time.thread_time()
    rules, unread = web.robots(f"{server.url}/a", web.http())
    assert (unread, rules.allows("/early"), rules.allows("/late")) == ("", False, True)
    assert time.thread_time() - began < 5


def test_this_machine_is_refused_unless_named(server: Server) -> None:
    http = Web(limits=QUICK).http()
    with pytest.raises(SourceError, match=r"leads to 127\.0\.0\.1, which is this machine: only public addresses"):
        http.get(f"{server.url}/a")
    assert server.asked == []


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "localhost", "[::ffff:127.0.0.1]"])
def test_other_spellings_of_this_machine_are_refused_too(server: Server, host: str) -> None:
    with pytest.raises(SourceError, match="this machine"):
        Web(limits=QUICK).http().get(f"http://{host}:{server.port}/a")
    assert server.asked == []


def test_a_name_that_resolves_to_this_machine_is_refused(server: Server) -> None:
    web = web_of(limits=QUICK, resolve=lambda host, port: ["127.0.0.1"])
    with pytest.raises(SourceError, match=r"public\.example:\d+ leads to 127\.0\.0\.1"):
        web.http().get(f"http://public.example:{server.port}/a")
    assert server.asked == []


def test_the_address_that_was_judged_is_the_one_connected_to(server: Server, make_web: MakeWeb) -> None:
    """A name server that answers differently the second time (rebinding) gets no second time."""
    server.routes["/a"] = of_json(1)
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["203.0.113.9"]

    web = make_web(private_places=[f"public.example:{server.port}"], resolve=resolve)
    assert web.http().get(f"http://public.example:{server.port}/a").json() == 1
    assert asked == ["public.example"]
    assert server.asked[0].headers["host"] == f"public.example:{server.port}"


def test_a_host_without_address_is_said_to_have_none(make_web: MakeWeb) -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    web = make_web(resolve=resolve)
    with pytest.raises(SourceError, match=r"nowhere\.example:80 could not be read \(no address is known for it\);"):
        web.http().get("http://nowhere.example/")


def test_a_redirect_to_a_private_address_is_refused(server: Server, web: Web, other_server: Server) -> None:
    server.routes["/a"] = Reply(302, headers=(("Location", f"{other_server.url}/secret"),))
    with pytest.raises(SourceError, match="which is this machine"):
        web.http().get(f"{server.url}/a")
    assert other_server.asked == []


def test_a_redirect_from_elsewhere_does_not_reach_an_allowed_private_host(
    server: Server, other_server: Server, make_web: MakeWeb
) -> None:
    web = make_web(private_places=[server.place, other_server.place])
    server.routes["/a"] = Reply(302, headers=(("Location", f"{other_server.url}/b"),))
    with pytest.raises(SourceError, match="which is this machine"):
        web.http().get(f"{server.url}/a")
    assert other_server.asked == []


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://example.org/x", "http://u:p@example.org/", "http://[x/"]
)
def test_a_redirect_to_another_kind_of_address_is_refused(server: Server, web: Web, location: str) -> None:
    server.routes["/a"] = Reply(301, headers=(("Location", location),))
    with pytest.raises(SourceError):
        web.http().get(f"{server.url}/a")
    assert len(server.asked) == 1


def test_redirects_are_followed_a_few_times_only(server: Server, web: Web) -> None:
    server.routes |= {"/a": Reply(302, headers=(("Location", "b?x=1"),)), "/b": of_json("here")}
    server.routes["/loop"] = Reply(302, headers=(("Location", "/loop"),))
    assert web.http().get(f"{server.url}/a").json() == "here"
    with pytest.raises(SourceError, match="redirects more than 5 times"):
        web.http().get(f"{server.url}/loop")
    assert len(server.asked) == 2 + 6


def test_what_a_redirect_drops_and_what_it_keeps() -> None:
    from adaq_core.sources.guard.replies import Ask, redirected

    ask = Ask("GET", "https://a.example/x", ("*",), secrets=(("K", KEY),), private_places=frozenset({"a.example:443"}))
    assert redirected(ask, "/y").secrets == (("K", KEY),)
    for elsewhere in ("https://b.example/", "http://a.example/", "https://a.example:8443/", "//b.example/"):
        moved = redirected(ask, elsewhere)
        assert (moved.secrets, moved.private_places) == ((), frozenset())


def test_a_search_that_is_sent_is_not_sent_elsewhere(server: Server, web: Web) -> None:
    server.routes["/a"] = Reply(307, headers=(("Location", "/b"),))
    with pytest.raises(SourceError, match="where a search is not sent"):
        web.http().post(f"{server.url}/a", b"{}")
    assert server.paths() == ["/a"]


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_is_not_tried_again_and_says_what_to_check(server: Server, make_web: MakeWeb, status: int) -> None:
    server.routes["/a"] = of_json({"message": f"no, {KEY} is wrong"}, status)
    web = make_web(hide=[KEY])
    with pytest.raises(HttpStatusError) as caught:
        web.http().get(f"{server.url}/a", secrets={"Authorization": f"Bearer {KEY}"})
    expected = f"{server.place} answered {status} (no, *** is wrong); check the key, and that its plan covers this"
    assert (str(caught.value), caught.value.status, len(server.asked)) == (expected, status, 1)


def test_too_many_requests_is_tried_again_with_growing_pauses(server: Server, make_web: MakeWeb) -> None:
    slept: list[float] = []
    server.routes["/a"] = [Reply(429), Reply(429), of_json("at last")]
    web = make_web(sleep=slept.append, jitter=lambda: 1.0)
    http = web.http()
    assert (http.get(f"{server.url}/a").json(), http.requests) == ("at last", 3)
    assert slept == [0.01, 0.02]


def test_the_pause_that_a_server_asks_for_is_made(server: Server, make_web: MakeWeb) -> None:
    slept: list[float] = []
    in_two_seconds = formatdate(1_000_002, usegmt=True)
    server.routes["/a"] = [
        Reply(429, headers=(("Retry-After", "1"),)),
        Reply(503, headers=(("Retry-After", in_two_seconds),)),
        of_json("at last"),
    ]
    web = make_web(sleep=slept.append, now=lambda: 1_000_000.0, limits=_patient())
    assert web.http().get(f"{server.url}/a").json() == "at last"
    assert slept == [1.0, 2.0]


def _patient() -> object:
    return replace(QUICK, longest_wait=5, seconds=20)


def test_a_long_pause_is_not_sat_out_and_the_host_is_left_alone(server: Server, web: Web) -> None:
    server.routes["/a"] = Reply(429, headers=(("Retry-After", "3600"),))
    http = web.http()
    with pytest.raises(HttpStatusError, match="answered 429; too many requests"):
        http.get(f"{server.url}/a")
    with pytest.raises(CircuitOpenError, match=r"is not asked for another \d+ s: it asked for a pause of 3600 s"):
        http.get(f"{server.url}/b")
    assert (server.paths(), http.requests) == (["/a"], 1)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_server_errors_are_tried_three_times(server: Server, web: Web, status: int) -> None:
    server.routes["/a"] = of_html("<h1>Oops</h1><script>x()</script>")
    server.routes["/a"] = Reply(status, b"<h1>Oops</h1><script>x()</script>", "text/html")
    with pytest.raises(HttpStatusError, match=rf"answered {status} \(Oops\); try again later"):
        web.http().get(f"{server.url}/a")
    assert len(server.asked) == 3


def test_a_host_that_keeps_failing_is_left_alone(server: Server, make_web: MakeWeb) -> None:
    server.routes["/a"] = Reply(500)
    web = make_web(pace=Pace(at_once=2, interval=0, failures=3, rest=60))
    with pytest.raises(SourceError, match="answered 500"):
        web.http().get(f"{server.url}/a")
    with pytest.raises(CircuitOpenError, match="it failed 3 times in a row"):
        web.http().get(f"{server.url}/a")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "limits"),
    [
        pytest.param(Reply(held=True), replace(QUICK, read_seconds=0.1, tries=2), id="a slow server"),
        pytest.param(Reply(held=True), replace(QUICK, seconds=0.3), id="a read longer than the request may take"),
        pytest.param(Reply(body=b"1" * 1000, drip=0.05), replace(QUICK, seconds=0.4), id="a server that drips"),
    ],
)
def test_a_server_is_given_up_when_the_time_is_over(
    server: Server, make_web: MakeWeb, reply: Reply, limits: RequestLimits
) -> None:
    server.routes["/a"] = reply
    began = time.monotonic()
    with pytest.raises(SourceError, match="did not answer in time"):
        make_web(limits=limits).http().get(f"{server.url}/a")
    assert time.monotonic() - began < 25


def test_a_header_that_never_ends_is_given_up_when_the_time_is_over(make_web: MakeWeb) -> None:
    import socket

    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    over = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not over.wait(0.05):
            try:
                connection.sendall(b"X")
            except OSError:
                break
        connection.close()

    thread = threading.Thread(target=drip)
    thread.start()
    web = make_web(private_places=[f"127.0.0.1:{port}"], limits=replace(QUICK, seconds=0.4))
    began = time.monotonic()
    with pytest.raises(SourceError, match="did not answer in time"):
        web.http().get(f"http://127.0.0.1:{port}/")
    assert time.monotonic() - began < 25
    over.set()
    thread.join(5)
    listener.close()


def test_an_answer_that_is_cut_off_is_tried_again(server: Server, web: Web) -> None:
    whole = of_json({"text": "x" * 500})
    server.routes["/a"] = [Reply(200, whole.body, cut_at=100), whole]
    http = web.http()
    assert http.get(f"{server.url}/a").json() == {"text": "x" * 500}
    assert http.requests == 2


def test_an_answer_that_stays_cut_off_is_an_error(server: Server, web: Web) -> None:
    server.routes["/a"] = Reply(200, b"x" * 500, cut_at=100)
    with pytest.raises(SourceError, match="could not be read"):
        web.http().get(f"{server.url}/a")
    assert len(server.asked) == 3


def test_a_server_that_is_down_is_an_error(make_web: MakeWeb) -> None:
    web = make_web(private_places=["127.0.0.1:9"])
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:9 could not be read \(.*refused"):
        web.http().get("http://127.0.0.1:9/")


def test_a_huge_answer_is_refused_by_its_own_word_or_by_count(server: Server, web: Web) -> None:
    server.routes["/said"] = Reply(body=b"x" * 300_000)
    server.routes["/packed"] = gzipped(Reply(body=b"[" + b" " * 3_000_000 + b"]"))
    with pytest.raises(SourceError, match="the limit is 0 MiB"):
        web.http().get(f"{server.url}/said")
    with pytest.raises(SourceError, match="expected an answer of up to 200000 bytes, got more"):
        web.http().get(f"{server.url}/packed")
    assert len(server.asked) == 2


def test_a_decompression_bomb_in_an_error_page_is_not_unpacked(server: Server, web: Web) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    server.routes["/a"] = Reply(403, bomb, headers=(("Content-Encoding", "gzip"),))
    with pytest.raises(HttpStatusError, match=r"answered 403; check the key"):
        web.http().get(f"{server.url}/a")


def test_another_content_type_is_refused_with_what_it_says(server: Server, web: Web) -> None:
    server.routes["/a"] = of_html("<html><title>t</title><p>Please log in</p></html>")
    server.routes["/none"] = Reply(body=b"{}", content_type="")
    with pytest.raises(
        HttpStatusError, match=r"expected application/json from .*, got text/html \(t Please log in\); not read"
    ):
        web.http().get(f"{server.url}/a")
    with pytest.raises(SourceError, match="got no content type"):
        web.http().get(f"{server.url}/none")
    with pytest.raises(SourceError, match=r"expected application/rss\+xml"):
        web.http().get(f"{server.url}/a", kinds=FEEDS)


@pytest.mark.parametrize("body", [b"", b"{", b"[1, 2", b"[" * 100_000, b"\xff\xfe{", b"1" * 5000])
def test_json_that_is_none_is_an_error(server: Server, web: Web, body: bytes) -> None:
    server.routes["/a"] = Reply(body=body)
    with pytest.raises(SourceError, match=r"expected JSON from http://127\.0\.0\.1"):
        web.http().get(f"{server.url}/a", {"q": "secret words"}).json()


def test_pages_obey_robots_and_are_asked_once_a_day(server: Server, web: Web) -> None:
    server.routes["/robots.txt"] = Reply(body=b"User-agent: *\nDisallow: /closed", content_type="text/plain")
    server.routes |= {"/open": article("A", "text"), "/closed/x": article("B", "text"), "/too": article("C", "text")}
    server.routes["/moves"] = Reply(302, headers=(("Location", "/closed/x"),))
    http = web.http()
    http.page(f"{server.url}/open")
    http.page(f"{server.url}/too")
    for path in ("/closed/x", "/moves"):
        with pytest.raises(SourceError, match=r"does not allow http://127\.0\.0\.1:.*/closed/x; not fetched"):
            http.page(f"{server.url}{path}")
    assert server.paths() == ["/robots.txt", "/open", "/too", "/moves"]
    assert http.requests == 4


@pytest.mark.parametrize(("status", "open_"), [(404, True), (403, True), (500, False), (429, False)])
def test_robots_that_cannot_be_read(server: Server, web: Web, status: int, open_: bool) -> None:
    server.routes |= {"/robots.txt": Reply(status), "/a": article("A", "text")}
    if open_:
        assert web.http().page(f"{server.url}/a").content_type == "text/html"
    else:
        with pytest.raises(SourceError, match=r"was not fetched, as its robots.txt is not known: .* answered"):
            web.http().page(f"{server.url}/a")


def test_the_pause_that_robots_asks_for_is_kept(server: Server, make_web: MakeWeb) -> None:
    server.routes |= {
        "/robots.txt": Reply(body=b"User-agent: *\nCrawl-delay: 0.3", content_type="text/plain"),
        "/a": article("A", "text"),
    }
    slept: list[float] = []
    http = make_web(sleep=slept.append, clock=lambda: 50.0).http()
    for _ in range(3):
        http.page(f"{server.url}/a")
    assert slept == pytest.approx([0.3, 0.6])


def test_pages_come_from_the_cache_while_they_are_fresh(server: Server, make_web: MakeWeb, tmp_path: Path) -> None:
    now = [1000.0]
    server.routes["/a"] = article("A", "text")
    web = make_web(pages=FileCache(tmp_path, ttl=60, now=lambda: now[0]))
    first, second = web.http().page(f"{server.url}/a"), web.http().page(f"{server.url}/a")
    assert (first.body, first.charset, first.cached, second.cached) == (second.body, "utf-8", False, True)
    now[0] += 61
    assert not web.http().page(f"{server.url}/a").cached
    assert server.paths().count("/a") == 2


def test_requests_to_one_host_are_few_at_once(server: Server, make_web: MakeWeb) -> None:
    inside, most, lock, in_pairs = 0, 0, threading.Lock(), threading.Barrier(2)

    def meet(_: Asked) -> Reply:
        """Answer when a second request is there too; whoever counts is done counting before the client hears."""
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        in_pairs.wait(60)
        with lock:
            inside -= 1
        return of_json(1)

    server.routes["/a"] = meet
    web = make_web(pace=Pace(at_once=2, interval=0.0))
    threads = [threading.Thread(target=lambda: web.http().get(f"{server.url}/a")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (len(server.asked), most) == (8, 2)


def test_a_key_is_in_no_message_log_or_repr(
    server: Server, make_web: MakeWeb, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.routes["/a"] = of_json({"error": f"bad token {KEY}"}, 400)
    http = make_web(hide=[KEY]).http()
    with pytest.raises(SourceError) as caught:
        http.get(f"{server.url}/a", secrets={"X-Subscription-Token": KEY})
    chain = [str(caught.value), repr(caught.value), repr(caught.value.__cause__), repr(http), repr(http.web)]
    assert KEY in server.asked[0].headers["x-subscription-token"]
    assert all(KEY not in text for text in [*chain, caplog.text])


@pytest.mark.parametrize("key", ["geheim-ü☃", "geheim\r\nX-Evil: 1", "geheim\x00"])
def test_a_key_that_cannot_be_sent_is_not_shown(server: Server, web: Web, key: str) -> None:
    with pytest.raises(SourceError) as caught:
        web.http().get(f"{server.url}/a", secrets={"X-Api-Key": key})
    assert caught.value.__cause__ is None
    assert ("geheim" in repr(caught.value), server.asked) == (False, [])


def test_the_proxy_settings_of_the_environment_are_not_used(
    server: Server, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.routes["/a"] = of_json(1)
    assert web.http().get(f"{server.url}/a").json() == 1


def test_no_cookies_are_kept(server: Server, web: Web) -> None:
    server.routes["/a"] = of_json(1, headers=(("Set-Cookie", "id=7"),))
    http = web.http()
    http.get(f"{server.url}/a")
    http.get(f"{server.url}/a")
    assert "cookie" not in server.asked[1].headers


@pytest.mark.skipif(os.name != "posix", reason="file modes are those of POSIX")
def test_tls_is_verified_for_the_name_though_the_address_is_connected_to(tmp_path: Path) -> None:
    trustme = pytest.importorskip("trustme", reason="makes certificates for this test: pip install trustme")
    authority = trustme.CA()
    certificate = authority.issue_cert("news.example")
    server = Server(routes={"/a": of_json("safe")})
    from tests.sources.loopback import handler

    https = ThreadingHTTPServer(("127.0.0.1", 0), handler(server))
    https.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    https.socket = context.wrap_socket(https.socket, server_side=True)
    server.port = https.server_address[1]
    threading.Thread(target=https.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    places = [f"{name}:{server.port}" for name in ("news.example", "other.example")]
    made: dict[str, Any] = {"limits": QUICK, "private_places": places, "resolve": lambda host, port: ["127.0.0.1"]}
    try:
        web = web_of(**made, tls=trusted)
        assert web.http().get(f"https://news.example:{server.port}/a").json() == "safe"
        with pytest.raises(SourceError, match="certificate verify failed"):
            web.http().get(f"https://other.example:{server.port}/a")
        with pytest.raises(SourceError, match="certificate verify failed"):
            web_of(**made).http().get(f"https://news.example:{server.port}/a")
        assert server.paths() == ["/a"]
    finally:
        https.shutdown()
        https.server_close()
