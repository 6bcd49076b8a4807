"""A small HTTP server on the loopback that speaks what a test tells it to; and an Ollama server made of it."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Call:
    """One request, and the ways to answer it."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    handler: BaseHTTPRequestHandler = field(repr=False)
    stopped: threading.Event = field(repr=False, default_factory=threading.Event)

    def json(self, value: Any, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> None:
        self.raw(json.dumps(value).encode(), "application/json", status, headers)

    def raw(
        self, data: bytes, kind: str = "text/html", status: int = 200, headers: Iterable[tuple[str, str]] = ()
    ) -> None:
        self.handler.send_response(status)
        self.handler.send_header("Content-Type", kind)
        self.handler.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(data)

    def begin(self, kind: str = "application/x-ndjson") -> None:
        self.handler.send_response(200)
        self.handler.send_header("Content-Type", kind)
        self.handler.send_header("Transfer-Encoding", "chunked")
        self.handler.end_headers()

    def chunk(self, data: bytes) -> None:
        self.handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def line(self, value: Any) -> None:
        self.chunk(json.dumps(value).encode() + b"\n")

    def end(self) -> None:
        self.chunk(b"")

    def lines(self, values: Iterable[Any]) -> None:
        self.begin()
        for value in values:
            self.line(value)
        self.end()

    def die(self) -> None:
        """Cut the connection, as a process that was killed does."""
        self.handler.close_connection = True
        self.handler.connection.shutdown(socket.SHUT_RDWR)

    def hang(self) -> None:
        """Say nothing until the test is over."""
        self.stopped.wait(10)


Answer = Callable[[Call], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class Loopback:
    """Answers by path; `calls` holds what came in."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.calls: list[Call] = []
        self.stopped = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                data = self.rfile.read(size)
                call = Call(self.path, json.loads(data or b"{}"), dict(self.headers.items()), self, outer.stopped)
                outer.calls.append(call)
                try:
                    outer.answers.get(self.path, _unknown)(call)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                pass

        self.server = _Server(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [call.body for call in self.calls if call.path == path]

    def close(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        for call in self.calls:
            with contextlib.suppress(OSError):
                call.handler.connection.shutdown(socket.SHUT_RDWR)
        self.server.server_close()
        self.thread.join()


def _unknown(call: Call) -> None:
    call.raw(b"404 page not found", "text/plain", 404)


def said(*pieces: str, read: int | None = 20, wrote: int | None = 5, reason: str = "stop") -> list[dict[str, Any]]:
    """The lines with which Ollama streams a reply."""
    lines = [{"model": "m", "message": {"role": "assistant", "content": piece}, "done": False} for piece in pieces]
    last = {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": reason}
    counts = {"prompt_eval_count": read, "eval_count": wrote}
    return [*lines, last | {name: count for name, count in counts.items() if count is not None}]


DIGEST = "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72"


def installed(*names: str) -> dict[str, Any]:
    details = {"family": "llama", "parameter_size": "3.2B"}
    return {
        "models": [{"name": n, "model": n, "size": 2_019_393_189, "digest": DIGEST, "details": details} for n in names]
    }


class OllamaLoopback(Loopback):
    """An Ollama server with some models; `replies` are said in turn, the last again and again."""

    def __init__(self, *models: str, context: int = 131_072, capabilities: tuple[str, ...] = ("completion",)) -> None:
        super().__init__()
        self.models = models or ("llama3.2:latest",)
        self.replies: list[list[dict[str, Any]]] = [said("Hello", " there")]
        self.shown = {"model_info": {"llama.context_length": context}, "capabilities": list(capabilities)}
        self.answers = {
            "/api/tags": lambda call: call.json(installed(*self.models)),
            "/api/show": self._show,
            "/api/chat": self._chat,
        }

    def _missing(self, call: Call) -> bool:
        name = call.body["model"]
        if any(name in (model, model.removesuffix(":latest")) for model in self.models):
            return False
        call.json({"error": f"model '{name}' not found"}, 404)
        return True

    def _show(self, call: Call) -> None:
        if not self._missing(call):
            call.json(self.shown)

    def _chat(self, call: Call) -> None:
        if not self._missing(call):
            call.lines(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])
