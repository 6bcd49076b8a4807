"""Servers that drip, flood, lie and redirect: every call ends in time, in little memory, and in words."""

from __future__ import annotations

import gzip
import json
import threading
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from pydantic import SecretStr

from adaq_core.errors import ModelError, ModelServerDown
from adaq_core.llm.chats import Cached, Remembered
from adaq_core.llm.ollama import OllamaClient
from adaq_core.llm.openai_compatible import OpenAICompatible
from adaq_core.llm.settings import ModelSettings, read_settings
from tests.llm.loopback import Call, Loopback, OllamaLoopback, said

COMPLETIONS = "/v1/chat/completions"
KEY = "sk-0123456789abcdef0123"
SECONDS = 1.0
Behave = Callable[[Call], None]


@pytest.fixture
def brief() -> ModelSettings:
    return read_settings(
        env_file=None, silence_seconds=0.6, connect_seconds=0.6, reply_seconds=SECONDS, max_reply_tokens=64
    )


def chat(server: Loopback, settings: ModelSettings, kind: str, **rest: Any) -> Any:
    if kind == "ollama":
        return OllamaClient(host=server.url, settings=settings, **rest)
    given = {"openai_base_url": f"{server.url}/v1", "openai_api_key": SecretStr(KEY)}
    return OpenAICompatible("m", settings=settings.model_copy(update=given), **rest)


BOMB = gzip.compress(bytes(200_000_000), 1)
LONG = b'{"message": {"content": "' + b"x" * 65_536


def forever(piece: bytes, pause: float, *, kind: str = "application/x-ndjson") -> Behave:
    def behave(call: Call) -> None:
        call.begin(kind)
        while not call.stopped.wait(pause):
            call.chunk(piece)

    return behave


def headers_forever(call: Call) -> None:
    call.handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while not call.stopped.wait(0.05):
        call.handler.wfile.write(b"X-A: b\r\n")


def bomb(call: Call) -> None:
    call.raw(BOMB, "application/json", headers=[("Content-Encoding", "gzip")])


def one_long_reply(call: Call) -> None:
    call.begin()
    for _ in range(480):
        call.chunk(LONG)


def deep_lists(call: Call) -> None:
    call.raw(b"[" * 100_000, "application/json")


def endless_error(call: Call) -> None:
    call.handler.send_response(500)
    call.handler.send_header("Content-Type", "text/plain")
    call.handler.end_headers()
    while not call.stopped.wait(0.01):
        call.handler.wfile.write(b"e")


EVENTS = "text/event-stream"
PIECE = b'data: {"choices": [{"index": 0, "delta": {"content": "la "}}]}\n\n'
LINE = json.dumps(said("la ")[0]).encode() + b"\n"
OLLAMA: dict[str, tuple[str, Behave]] = {
    "drip in chat": ("/api/chat", forever(b"x", 0.05)),
    "drip in show": ("/api/show", forever(b" ", 0.05)),
    "headers": ("/api/chat", headers_forever),
    "flood": ("/api/chat", forever(b"x" * 65_536, 0)),
    "pieces": ("/api/chat", forever(LINE, 0.02)),
    "flood of pieces": ("/api/chat", forever(LINE * 200, 0)),
    "bomb": ("/api/chat", bomb),
    "one long reply": ("/api/chat", one_long_reply),
    "error": ("/api/chat", endless_error),
    "deep lists": ("/api/chat", deep_lists),
    "deep lists in show": ("/api/show", deep_lists),
    "silence": ("/api/chat", lambda call: call.hang()),
}
OPENAI: dict[str, tuple[str, Behave]] = {
    "comments": (COMPLETIONS, forever(b": ping\n\n", 0.05, kind=EVENTS)),
    "blank lines": (COMPLETIONS, forever(b"\n", 0.05, kind=EVENTS)),
    "dripped body": (COMPLETIONS, forever(b"[", 0.05, kind="application/json")),
    "flood": (COMPLETIONS, forever(b"data: " + b"x" * 65_536, 0, kind=EVENTS)),
    "flooded body": (COMPLETIONS, forever(b"x" * 65_536, 0, kind="application/json")),
    "pieces": (COMPLETIONS, forever(PIECE, 0.02, kind=EVENTS)),
    "bomb": (COMPLETIONS, bomb),
    "error": (COMPLETIONS, endless_error),
    "deep lists": (COMPLETIONS, deep_lists),
    "deep error": (COMPLETIONS, lambda call: call.raw(b"[" * 100_000, "application/json", status=500)),
    "headers": (COMPLETIONS, headers_forever),
}
CASES = [("ollama", name) for name in OLLAMA] + [("openai", name) for name in OPENAI]


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{kind}: {name}" for kind, name in CASES])
def test_whatever_a_server_sends_the_call_ends_in_time_and_little_memory(server, brief, kind, name):
    path, behave = (OLLAMA if kind == "ollama" else OPENAI)[name]
    server.answers[path] = behave
    tracemalloc.start()
    began = time.monotonic()
    with pytest.raises(ModelError) as caught:
        chat(server, brief, kind).ask("Hi", stage="plan")
    seconds, peak = time.monotonic() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(caught.value, ModelServerDown) or name == "error" or name.startswith("deep")
    assert seconds < SECONDS + 30
    assert peak < 10_000_000


def test_a_list_of_models_of_lists_without_end_is_refused_in_words(server, quick):
    server.answers["/api/tags"] = deep_lists
    with pytest.raises(ModelError, match="something else came"):
        chat(server, quick, "ollama").models()


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_cancelling_closes_the_socket_in_mid_silence(server, quick, kind):
    closed, cancelled = threading.Event(), threading.Event()

    def wait(call: Call) -> None:
        call.begin()
        threading.Timer(0.2, cancelled.set).start()
        with suppress(OSError):
            while call.handler.connection.recv(1) != b"":
                pass
        closed.set()

    server.answers |= {"/api/chat": wait, COMPLETIONS: wait}
    patient = quick.model_copy(update={"silence_seconds": 60.0, "reply_seconds": 60.0})
    began = time.monotonic()
    with pytest.raises(ModelError, match="stopped in mid-reply, as asked"):
        chat(server, patient, kind, cancelled=cancelled.is_set).ask("Hi", stage="plan")
    assert time.monotonic() - began < 30
    assert closed.wait(30)


def test_a_pause_that_a_server_asks_for_ends_when_the_run_does(server, quick):
    server.answers[COMPLETIONS] = lambda call: call.json({}, 429, [("Retry-After", "19")])
    began = time.monotonic()
    cancelled = lambda: time.monotonic() - began > 0.5  # noqa: E731
    with pytest.raises(ModelError, match="stopped"):
        chat(server, quick, "openai", cancelled=cancelled).ask("Hi", stage="plan")
    assert time.monotonic() - began < 15


def test_a_server_that_hung_once_is_not_asked_again_behind_kept_replies(server, brief):
    server.answers["/api/tags"] = forever(b" ", 0.05)
    with pytest.raises(ModelServerDown, match="had no end"):
        Cached(chat(server, brief, "ollama"), Remembered()).ask("Hi", stage="plan")
    assert [call.path for call in server.calls] == ["/api/tags"]


def test_a_prompt_follows_no_redirect(server, quick):
    other = OllamaLoopback()
    try:
        for path in ("/api/show", "/api/chat"):
            server.answers[path] = lambda call: call.raw(
                b"", status=307, headers=[("Location", f"{other.url}{call.path}")]
            )
        with pytest.raises(ModelError, match="where prompts are not sent"):
            chat(server, quick, "ollama").ask("private words", stage="plan")
        assert other.calls == []
    finally:
        other.close()


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_a_key_that_a_reply_echoes_is_not_passed_on(server, quick, monkeypatch, kind):
    monkeypatch.setenv("NEWS_API_KEY", "news-key-0123456789")
    text = f"Your keys are {KEY} and news-key-0123456789."
    server.replies = [said(text)]
    body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    server.answers[COMPLETIONS] = lambda call: call.json(body)
    settings = quick.model_copy(update={"openai_api_key": SecretStr(KEY)})
    reply = chat(server, settings, kind).ask("Hi", stage="plan")
    assert reply.text == "Your keys are *** and ***."


def names_the_key(call: Call) -> None:
    call.json({"models": [{"name": KEY, "model": KEY}]})


def says_the_key(call: Call) -> None:
    call.json({"error": f"not enough memory for {KEY}"}, 500)


def is_named_by_the_key(call: Call) -> None:
    call.raw(f"{KEY} is no JSON".encode(), "application/json")


def ends_with_the_key(call: Call) -> None:
    call.begin(EVENTS)
    call.chunk(b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": KEY}}]}).encode() + b"\n\n")
    call.chunk(b"data: " + json.dumps({"error": {"message": f"no {KEY}"}}).encode() + b"\n\n")
    call.end()


@pytest.mark.parametrize(
    ("kind", "answers"),
    [
        ("ollama", {"/api/show": lambda call: call.json({"error": KEY}, 404), "/api/tags": names_the_key}),
        ("ollama", {"/api/chat": says_the_key}),
        ("ollama", {"/api/show": says_the_key}),
        ("ollama", {"/api/chat": is_named_by_the_key}),
        ("ollama", {"/api/chat": lambda call: call.json({"error": KEY}, 400)}),
        ("ollama", {"/api/chat": lambda call: call.json({"error": KEY}, 503)}),
        ("openai", {COMPLETIONS: ends_with_the_key}),
        ("openai", {COMPLETIONS: lambda call: call.json({"error": "0123456789abcdef"}, 400)}),
    ],
)
def test_a_key_that_an_error_echoes_is_not_passed_on(server, quick, monkeypatch, kind, answers):
    monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    monkeypatch.setenv("NEWS_API_KEY", "0123456789abcdef")
    server.answers |= answers
    with pytest.raises(ModelError) as caught:
        chat(server, quick, kind).ask("Hi", stage="plan")
    assert "0123" not in f"{caught.value} {caught.value.raw}"


def test_a_key_among_the_names_of_models_and_in_what_a_download_says_is_not_passed_on(server, quick, monkeypatch):
    monkeypatch.setenv("OLLAMA_API_KEY", KEY)
    server.answers["/api/tags"] = names_the_key
    server.answers["/api/pull"] = lambda call: call.lines([{"status": KEY}, {"status": "success"}])
    server.answers["/v1/models"] = lambda call: call.json({"data": [{"id": KEY}]})
    client = chat(server, quick, "ollama")
    assert [model.name for model in client.models()] == ["***"]
    assert [line.status for line in client.pull()] == ["***", "success"]
    assert chat(server, quick, "openai").models() == ("***",)
