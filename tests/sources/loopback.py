"""A loopback server that answers as it is told, so that the real client is tested over real sockets."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from adaq_core.sources.guard import Pace
from adaq_core.sources.guard.replies import RequestLimits
from adaq_core.sources.http import Machine, Web


@dataclass(frozen=True)
class Reply:
    """What the server says: `cut_at` ends the body early, `drip` waits between its bytes.

    What is `held` is not said before the test is over.
    """

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    cut_at: int | None = None
    drip: float = 0.0
    held: bool = False


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


Route = Reply | Callable[[Asked], Reply]


class MovedClock:
    """A clock that is `ahead` for the thread that made it, and right for all others.

    Who waits for the sources sees the time run out; who asks them would give up by itself.
    """

    def __init__(self) -> None:
        self.ahead = 0.0
        self._thread = threading.current_thread()

    def __call__(self) -> float:
        return time.monotonic() + (self.ahead if threading.current_thread() is self._thread else 0.0)

    def held_page(self, _: Asked) -> Reply:
        """A page that never comes and for which nobody has the time any more.

        By then the search that named the page has been taken: pages are asked for after that.
        """
        self.ahead += 60.0
        return Reply(held=True)


@dataclass
class Server:
    """Routes by path; a list is answered one by one, its last entry from then on."""

    port: int = 0
    routes: dict[str, Route | list[Route]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def reply(self, asked: Asked) -> Reply:
        with self.lock:
            self.asked.append(asked)
            route = self.routes.get(asked.path, Reply(404, b"not here", "text/plain"))
            if isinstance(route, list):
                route = route.pop(0) if len(route) > 1 else route[0]
        return route if isinstance(route, Reply) else route(asked)


def of_json(value: Any, status: int = 200, **more: Any) -> Reply:
    return Reply(status, json.dumps(value).encode(), **more)


def of_html(text: str, **more: Any) -> Reply:
    return Reply(body=text.encode(), content_type="text/html; charset=utf-8", **more)


def article(title: str, text: str, *, date: str = "") -> Reply:
    """A page as news sites have them: a menu, an article, a footer."""
    published = f'<meta property="article:published_time" content="{date}T08:00:00Z">' if date else ""
    paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
    return of_html(
        f"<html><head><title>{title}</title>{published}</head><body><nav><a href='/'>Home</a> <a href='/x'>Menu</a>"
        f"</nav><article><h1>{title}</h1>{paragraphs}</article><footer>Imprint and cookies</footer></body></html>"
    )


def gzipped(reply: Reply) -> Reply:
    return Reply(
        reply.status, gzip.compress(reply.body), reply.content_type, (*reply.headers, ("Content-Encoding", "gzip"))
    )


def handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *args: object) -> None:
            pass

        def _answer(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
            headers = {key.lower(): value for key, value in self.headers.items()}
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with server.lock:
                server.at_once += 1
                server.most_at_once = max(server.most_at_once, server.at_once)
            try:
                self._write(server.reply(Asked(self.command, parts.path, query, headers, body)))
            except (BrokenPipeError, ConnectionResetError):
                pass
            finally:
                with server.lock:
                    server.at_once -= 1

        def _write(self, reply: Reply) -> None:
            if reply.held:
                server.over.wait()
            self.send_response(reply.status)
            if reply.content_type:
                self.send_header("Content-Type", reply.content_type)
            if "Content-Length" not in dict(reply.headers):
                self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            body = reply.body[: reply.cut_at]
            for number in range(len(body)) if reply.drip else ():
                self.wfile.write(body[number : number + 1])
                time.sleep(reply.drip)
            self.wfile.write(b"" if reply.drip else body)
            self.close_connection = True

        do_GET = do_POST = _answer

    return Handler


def served() -> Iterator[Server]:
    server = Server()
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler(server))
    http.daemon_threads = True
    server.port = http.server_address[1]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server
    server.over.set()
    http.shutdown()
    http.server_close()
    thread.join(5)


# Quick where a test has nothing to wait for; the seconds are for a machine with much else to do.
QUICK = RequestLimits(
    connect_seconds=30, read_seconds=30, seconds=60, most_bytes=200_000, backoff=0.01, longest_wait=0.2
)
UNHURRIED = Pace(at_once=4, interval=0.0, failures=50, rest=60)
OF_MACHINE = frozenset(field.name for field in fields(Machine))


def web_of(**given: Any) -> Web:
    """A web with what is given, on a machine whose clock, names or pauses may be given too."""
    machine = Machine(**{name: value for name, value in given.items() if name in OF_MACHINE})
    return Web(**{name: value for name, value in given.items() if name not in OF_MACHINE}, machine=machine)
