"""What stands before the pages: no other site may frame them, and only their own origin may steer them.

And what carries them: small answers go out at once, and so does what every page begins with.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"content-security-policy", b"frame-ancestors 'self'"),
    (b"referrer-policy", b"same-origin"),
)
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_POLICY_VIOLATION = 1008


def before_pages(pages: Path, *, hosts: list[str]) -> list[Middleware]:
    """Return the ASGI middleware in front of the pages of a folder, served under these names."""
    return [
        Middleware(TrustedHostMiddleware, allowed_hosts=hosts),
        Middleware(ServedSafely, hosts=hosts),
        Middleware(BeginsAtOnce, pages=pages),
    ]


class ServedSafely:
    """Adds headers to every answer; refuses websockets and changes that a page of another origin asks for.

    A client that is no browser sends no origin and is let in. Behind a proxy the port may differ, so that a name in
    `hosts` is enough, except for this machine's own names: any program here may serve a page on another port.
    """

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = frozenset(hosts) - _LOOPBACK

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or serve one websocket."""
        if scope["type"] == "http":
            if scope["method"] not in _READING and not self._is_own(scope):
                await _refuse(send)
                return
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket" and not self._is_own(scope):
            await receive()
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            await self._app(scope, receive, send)

    def _is_own(self, scope: Scope) -> bool:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not origin:
            return True
        try:
            parts = urlsplit(origin)
            name = parts.hostname
        except ValueError:
            return False
        return parts.netloc == headers.get(b"host", b"").decode("latin-1") or name in self._hosts


def style_sheet() -> str:
    """Return the style sheet of the pages."""
    return Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def begins_with_style() -> bool:
    """Whether the HTML that a page begins with is ours: below a path of its own Streamlit answers itself."""
    return not streamlit.get_option("server.baseUrlPath")


class BeginsAtOnce:
    """Answers the address of a page from memory with the HTML that every page begins with.

    It has the name of the app and the style sheet in it, after what Streamlit says of the same parts. An element of the
    page that brings the style is drawn up to a second after what it is for, which stands elsewhere meanwhile.

    Streamlit reads it from its file anew for everyone, in five steps that each wait for a thread and for the
    interpreter: beside fifty busy clients that took up to 2.7 s, and from memory 0.3 s.
    """

    def __init__(self, app: ASGIApp, *, pages: Path) -> None:
        self._app = app
        first = Path(streamlit.__file__).parent / "static" / "index.html"
        served = first.is_file() and begins_with_style()
        self._addresses = _addresses(pages) if served else frozenset()
        self._begin = _styled(first.read_text(encoding="utf-8")) if served else ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a page; pass on all others."""
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"] in self._addresses:
            await HTMLResponse(self._begin, headers={"Cache-Control": "no-cache"})(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _styled(begin: str) -> str:
    """Return the HTML with the name of the app and its style at the end, where it outweighs Streamlit's own."""
    named = begin.replace("<title>Streamlit</title>", "<title>ADAQ</title>")
    return named.replace("</body>", f"<style>{style_sheet()}</style></body>")


def _addresses(pages: Path) -> frozenset[str]:
    """Return the addresses of the pages that a folder holds as files, and the root."""
    return frozenset({"/", *(f"/{file.stem}" for file in pages.glob("*.py"))})


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message.get("headers", ())}
            more = [header for header in _HEADERS if header[0] not in present]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sent


def answer_at_once() -> None:
    """Turn Nagle's algorithm off on the listening sockets, so that small answers are not held back.

    Streamlit's socket names no protocol, and asyncio sees to it for those only that do. Without, whatever follows
    another small message on a connection waits until the browser has acknowledged that one, which takes it 40 ms.
    """
    for listening in _listening():
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


_OPEN_FILES = Path("/dev/fd")  # where the system tells; elsewhere all stays as it is


def _listening() -> Iterator[socket.socket]:
    """Return this process's listening TCP sockets."""
    sockets = [path for path in _OPEN_FILES.iterdir() if path.is_socket()] if _OPEN_FILES.is_dir() else []
    for path in sockets:
        with suppress(OSError), socket.socket(fileno=os.dup(int(path.name))) as copy:
            internet = copy.family in (socket.AF_INET, socket.AF_INET6) and copy.type == socket.SOCK_STREAM
            if internet and copy.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                yield copy


async def _refuse(send: Send) -> None:
    start = {"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain"), *_HEADERS]}
    await send(start)
    await send({"type": "http.response.body", "body": b"Only the pages of this server may ask for that."})
