"""The headers of every answer, and who may open a websocket: the real app, asked over ASGI."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.testclient import TestClient

from pages._shared.common.served_safely import BeginsAtOnce, ServedSafely, answer_at_once, style_sheet
from tests.browser.serving import ROOT

HOST = (b"host", b"127.0.0.1:8501")


async def inner(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"DENY")]})
    await send({"type": "http.response.body", "body": b"pages"})


def asked(kind: str, origin: str = "", *, method: str = "GET", hosts: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [HOST, *([(b"origin", origin.encode())] if origin else [])]
    scope = {"type": kind, "method": method, "path": "/_stcore/stream", "headers": headers}
    app = ServedSafely(inner, hosts=("127.0.0.1", "localhost", *hosts))
    # In a thread of its own: a browser test that ran before in this process leaves its event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(app(scope, receive, send))).result()  # type: ignore[arg-type]
    return sent


def test_every_answer_keeps_others_from_framing_and_guessing() -> None:
    headers = dict(asked("http")[0]["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"content-security-policy"] == b"frame-ancestors 'self'"
    assert headers[b"x-frame-options"] == b"DENY"


@pytest.mark.parametrize("origin", ["", "http://127.0.0.1:8501", "https://127.0.0.1:8501"])
def test_our_own_pages_and_programs_may_open_the_websocket(origin: str) -> None:
    assert [message["type"] for message in asked("websocket", origin)] == ["websocket.accept"]


@pytest.mark.parametrize(
    "origin",
    ["http://localhost:3000", "http://127.0.0.1:3000", "http://127.0.0.1", "null", "http://evil.example", "http://[x"],
)
def test_a_page_of_another_origin_may_not(origin: str) -> None:
    assert asked("websocket", origin) == [{"type": "websocket.close", "code": 1008}]
    assert asked("http", origin, method="POST")[0]["status"] == 403
    assert asked("http", origin)[0]["status"] == 200


def test_a_name_that_it_is_served_under_may_differ_in_its_port() -> None:
    assert asked("websocket", "https://adaq.example", hosts=("adaq.example",))[0]["type"] == "websocket.accept"


def test_a_page_begins_with_what_streamlit_serves_and_other_addresses_are_passed_on() -> None:
    client = TestClient(BeginsAtOnce(inner, pages=ROOT / "pages"))
    begins = Path(streamlit.__file__).parent.joinpath("static", "index.html").read_text(encoding="utf-8")
    named = begins.replace("<title>Streamlit</title>", "<title>ADAQ</title>")
    ours = named.replace("</body>", f"<style>{style_sheet()}</style></body>")
    assert begins != named != ours
    for address in ("/", "/trace_explorer", "/evaluation?experiment=1"):
        answer = client.get(address)
        assert (answer.text, answer.headers["cache-control"]) == (ours, "no-cache")
    assert [client.get(path).text for path in ("/x", "/main.css", "/api/pages", "/_shared")] == ["pages"] * 4
    assert client.post("/").text == "pages"


def test_below_a_path_of_its_own_streamlit_answers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "get_option", {"server.baseUrlPath": "adaq"}.get)
    client = TestClient(BeginsAtOnce(inner, pages=ROOT / "pages"))
    assert client.get("/").text == "pages"


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_connections_of_a_socket_that_names_no_protocol_do_not_hold_small_answers_back(
    family: socket.AddressFamily,
) -> None:
    with socket.socket(family) as listening, socket.socket(family) as client:
        listening.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        listening.listen()
        answer_at_once()
        client.connect(listening.getsockname())
        with listening.accept()[0] as connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert not client.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
