"""What stands before the service: who may ask, how much, and how refusals are said (RFC 9457)."""

from __future__ import annotations

import hmac
import os
from collections.abc import Collection
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.responses import JSONResponse

from adaq_core.service.schemas import PROBLEM

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

RETRY_SECONDS = 2
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = "/health"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the service takes on: bytes of a body, and requests, runs, waiting clients, streams and jobs at once."""

    body: int = 64 * 1024
    requests: int = 200
    queue: int = 100
    waiting: int = 64
    streams: int = 64
    experiments: int = 1


@dataclass(frozen=True, slots=True)
class Access:
    """The names that it is served under, and the key that is wanted of everybody; without one only loopback is served.

    By default ADAQ_HOSTS and ADAQ_API_KEY say so.
    """

    hosts: frozenset[str] = field(default_factory=lambda: named_hosts())
    key: str = field(default_factory=lambda: os.environ.get("ADAQ_API_KEY", "").strip())


def named_hosts() -> frozenset[str]:
    """This machine's own names and those in ADAQ_HOSTS."""
    return LOOPBACK | frozenset(os.environ.get("ADAQ_HOSTS", "").replace(",", " ").lower().split())


class Busy(Exception):
    """More is going on than a limit allows; the same request may succeed later."""


def problem(status: int, detail: str, *, instance: str = "", errors: Collection[Any] = ()) -> JSONResponse:
    """A refusal as problem+json; one that time heals says when to try again."""
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": instance}
    headers = {"Retry-After": str(RETRY_SECONDS)} if status in (429, 503) else {}
    headers |= {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    content = {**body, "errors": list(errors)}
    return JSONResponse(content, status_code=status, media_type=PROBLEM, headers=headers)


class Guard:
    """Lets through requests for a name that is served, of our own origin or none, with the key, and not too large."""

    def __init__(self, app: ASGIApp, *, access: Access, limits: Limits) -> None:
        self._app = app
        self._access = access
        self._limits = limits
        self._now = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        self._now += 1
        try:
            again = await _read(receive, self._limits.body)
            await (self._app(scope, again, send) if again else self._too_large()(scope, receive, send))
        finally:
            self._now -= 1

    def _too_large(self) -> JSONResponse:
        return problem(413, f"A body may have {self._limits.body:,} bytes.")

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, path = host_of(headers.get("host", "")), scope["path"]
        if host not in self._access.hosts:
            return problem(400, f"This service is not called {host[:80]!r}; ADAQ_HOSTS names what it is served under.")
        if not _is_own(headers, scope["method"]):
            return problem(403, "A page of another origin may not ask for this.")
        if not path.endswith(_OPEN) and (why := self._without_key(scope, headers, host)):
            return problem(401, why)
        if _length(headers) > self._limits.body:
            return self._too_large()
        if self._now >= self._limits.requests:
            return problem(429, f"{self._limits.requests} requests are being answered; try again.")
        return None

    def _without_key(self, scope: Scope, headers: dict[str, str], host: str) -> str:
        """Why the request may not come in, empty when it may."""
        if not self._access.key:
            local = host in LOOPBACK and (scope.get("server") or ("", 0))[0] in LOOPBACK
            return "" if local else "Beyond this machine a key is needed; whoever runs the service sets ADAQ_API_KEY."
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (bearer.strip() if scheme.lower() == "bearer" else "")
        if hmac.compare_digest(given.encode(), self._access.key.encode()):
            return ""
        return "Send the key as “Authorization: Bearer …” or “X-API-Key: …”."


def host_of(header: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _is_own(headers: dict[str, str], method: str) -> bool:
    """Whether it reads, comes from no page, or from a page of this very service: there is no CORS."""
    origin = headers.get("origin", "")
    return method in _READING or not origin or origin.partition("://")[2] == headers.get("host", "")


def _length(headers: dict[str, str]) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


async def _read(receive: Receive, most: int) -> Receive | None:
    """The body of a request, read before anything looks at it, to be received again; None when it is too large."""
    came: list[Message] = []
    size, more = 0, True
    while more:
        message = await receive()
        came.append(message)
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
        if size > most:
            return None

    async def again() -> Message:
        return came.pop(0) if came else await receive()

    return again
