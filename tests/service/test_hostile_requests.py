"""Requests made to crash, flood or confuse the service: each is answered in words, and it goes on serving."""

from __future__ import annotations

import json
import resource
import socket
import time
from typing import Any

import pytest

from adaq_core.runs.execute import RunSpec
from tests.service.conftest import services
from tests.service.test_research import QUESTION, is_problem

JSON = {"Content-Type": "application/json"}
BODIES = {
    "deep lists": b'{"question": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "deep objects": b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
    "open": b'{"question": "' + b"a" * 60_000,
    "not UTF-8": b'{"question": "\xff\xfe"}',
    "a huge number": b'{"question": "What is tea?", "k": ' + b"9" * 60_000 + b"}",
    "a huge exponent": b'{"question": "What is tea?", "budget_seconds": 1e999999}',
    "NaN": b'{"question": "What is tea?", "budget_usd": NaN}',
    "the same key": b'{"question": "What is tea?", ' + b'"k": 1, ' * 5_000 + b'"k": 0}',
    "a list": b"[]",
    "nothing": b"",
    "null": b"null",
    "another field": b'{"question": "What is tea?", "__class__": "x"}',
    "a question of 10,000 words": json.dumps({"question": "word " * 10_000}).encode(),
    "a question without a word": json.dumps({"question": "\x00\x01\u202e\ufeff"}).encode(),
    "a lone surrogate as a company": b'{"question": "What is tea?", "company": "\\ud800"}',
    "control characters as a company": json.dumps({"question": "What is tea?", "company": "a\nb\x1b[31m"}).encode(),
    "a path as a corpus": json.dumps({"question": "What is tea?", "corpus": "../../etc/passwd"}).encode(),
    "a model that is a URL": json.dumps({"question": "What is tea?", "model": "http://169.254.169.254/ x"}).encode(),
}
UNREADABLE = ("deep lists", "deep objects", "not UTF-8", "a huge number")
IDS = ["..", "../../etc/passwd", "%2e%2e%2fruns.duckdb", "r-%00", "r-aaaa%0d%0aX: y", "r-" + "a" * 9_000, "' OR 1=1 --"]


@pytest.fixture(scope="module")
def served(small_library, tmp_path_factory, empty_store):
    """One service for all of these requests: what one of them broke, the next would find broken."""
    with services(small_library, tmp_path_factory.mktemp("hostile"), empty_store) as start:
        yield start()


@pytest.fixture
def client(served):
    return served[0]


@pytest.fixture(scope="module")
def finished(served):
    """The id of a run that is over."""
    run_id = served[1].submit(RunSpec("bm25", "What is tea?"), corpus="sample")
    served[1].wait(run_id, 120)
    return run_id


@pytest.mark.parametrize("name", BODIES)
def test_a_hostile_body_is_refused_in_words(client, name):
    answer = client.post("/research", content=BODIES[name], headers=JSON)
    assert is_problem(answer, 400 if name in UNREADABLE else 422)
    assert client.get("/health").json()["runs"] == 0


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/xml", "", "application/json; charset=utf-7"]
)
def test_a_body_of_another_type_starts_nothing_it_does_not_say(client, kind):
    answer = client.post("/research", content=b"<a/>", headers={"Content-Type": kind})
    assert is_problem(answer, 422)


@pytest.mark.parametrize("where", ["/trace/{}", "/trace/{}/events", "/evaluate/{}"])
@pytest.mark.parametrize("run_id", IDS)
def test_an_id_leads_nowhere_else(client, run_id, where):
    answer = client.get(where.format(run_id))
    assert answer.status_code in (404, 422)
    assert is_problem(answer, answer.status_code)


@pytest.mark.parametrize("last", ["-1", "x", "9" * 400, "1e9", b"\xb2", b"\xff\x00".strip(b"\x00")])
def test_a_last_event_id_that_is_no_number_is_refused(client, finished, last):
    answer = client.get(f"/trace/{finished}/events", headers={"Last-Event-ID": last})
    assert is_problem(answer, 422)


@pytest.mark.parametrize("text", ["%", "_", "'; DROP TABLE runs; --", "\x00", "\u202e" * 200, "\\"])
def test_a_search_for_runs_is_a_search_for_text(client, text):
    assert client.get("/runs", params={"text": text}).json() == {"runs": [], "total": 0}


def test_a_question_may_hold_anything_and_is_told_as_it_was_asked(client):
    odd = "What is tea?\x00\x1b[31m\u202e<script>alert(1)</script>\ud83d\ude00".encode(
        "utf-16", "surrogatepass"
    ).decode("utf-16")
    answer = client.post("/research", json={"question": odd, "method": "bm25"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert "<script>" in answer.json()["run"]["question"]


def raw(client: Any, sent: bytes, *, seconds: float = 10.0) -> bytes:
    """What the server answers to bytes, until it closes or `seconds` are over."""
    with socket.create_connection((client.base_url.host, client.base_url.port), timeout=seconds) as line:
        line.sendall(sent)
        try:
            return line.recv(65_536)
        except (TimeoutError, ConnectionError):
            return b""


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: b\r\n" * 100_000 + b"\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: " + b"b" * 500_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 500_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" * 100,
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /research HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["100,000 headers", "one of 500 kB", "a long path", "TLS", "a negative length", "two lengths"],
)
def test_what_is_no_request_is_refused_or_cut_off(client, sent):
    try:
        answer = raw(client, sent)
    except (BrokenPipeError, ConnectionError):
        answer = b""
    assert b"200 OK" not in answer
    assert client.get("/health").json()["status"] == "ok"


def test_who_sends_slowly_keeps_nobody_out(client):
    lines = [socket.create_connection((client.base_url.host, client.base_url.port)) for _ in range(100)]
    for line in lines:
        line.sendall(b"POST /research HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
    began = time.monotonic()
    assert client.post("/research", json={**QUESTION, "method": "bm25"}).status_code == 200
    assert time.monotonic() - began < 30
    for line in lines:
        line.close()


def test_five_hundred_hostile_requests_leave_no_memory_behind(client):
    def ask(count: int) -> None:
        for number in range(count):
            client.post("/research", content=list(BODIES.values())[number % len(BODIES)], headers=JSON)

    ask(100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ask(500)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
