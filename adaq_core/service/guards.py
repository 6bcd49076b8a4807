"""Who may ask and how much: hosts, keys, limits; and what is noted of each request: logs and metrics."""

from __future__ import annotations

import hmac
import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial, wraps
from http import HTTPMethod, HTTPStatus
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO, TypeVar
from urllib.parse import urlsplit

import anyio
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from starlette.responses import JSONResponse

from adaq_core.home import setting
from adaq_core.service.schemas import PROBLEM
from adaq_core.store import RUN_STATUSES, Store
from adaq_core.store.recording import RUN_ID

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


RETRY_SECONDS = 2
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = "/health"


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """How much the service takes on: bytes of a body, seconds for it to come, and how many of the rest at once."""

    body: int = 64 * 1024
    body_seconds: float = 30.0
    requests: int = 200
    queue: int = 100
    waiting: int = 64
    streams: int = 64
    experiments: int = 1


@dataclass(frozen=True, slots=True)
class ServiceAccess:
    """The host names it is served under, and the key that everybody needs; without a key only loopback is served.

    By default ADAQ_HOSTS and ADAQ_API_KEY say so.
    """

    hosts: frozenset[str] = field(default_factory=lambda: named_hosts())
    key: str = field(default_factory=lambda: setting("ADAQ_API_KEY"))


def named_hosts() -> frozenset[str]:
    """Return this machine's own names and those in ADAQ_HOSTS."""
    return LOOPBACK | frozenset(setting("ADAQ_HOSTS").replace(",", " ").lower().split())


P = ParamSpec("P")
T = TypeVar("T")
# Threads for the service's own work. The pages' files are read in those that all of a server's requests share: fifty
# clients of the service took them all, and a page took 9 s.
_THREADS = 8
_own_threads: RunVar[anyio.CapacityLimiter] = RunVar("adaq_service_threads")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call `function` in one of the service's own threads and return its result; waits if all are taken."""
    try:
        limiter = _own_threads.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(_THREADS)
        _own_threads.set(limiter)
    return await run_sync(partial(function, *args, **kwargs), limiter=limiter)


def threaded(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Make a function awaitable that works in one of the service's own threads."""

    @wraps(function)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> T:
        return await in_thread(function, *args, **kwargs)

    return awaited


class Busy(Exception):
    """More is going on than a limit allows; the same request may succeed later."""


def problem(status: int, detail: str, *, instance: str = "", errors: Collection[Any] = ()) -> JSONResponse:
    """Return a refusal as problem+json; one that passes with time says when to try again."""
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "instance": instance}
    if status in (429, 503):
        headers = {"Retry-After": str(RETRY_SECONDS)}
    else:
        headers = {}
    headers |= {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    content = {**body, "errors": list(errors)}
    return JSONResponse(content, status_code=status, media_type=PROBLEM, headers=headers)


class Guard:
    """Lets through requests for a name that is served, of our own origin or none, with the key, and not too large."""

    def __init__(self, app: ASGIApp, *, access: ServiceAccess, limits: ServiceLimits) -> None:
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
            again = self._too_slow()
            with anyio.move_on_after(self._limits.body_seconds):
                again = await _read(receive, self._limits.body) or self._too_large()
            if isinstance(again, JSONResponse):
                await again(scope, receive, send)
            else:
                await self._app(scope, again, send)
        finally:
            self._now -= 1

    def _too_slow(self) -> JSONResponse | Receive:
        return problem(408, f"A body has to come within {self._limits.body_seconds:g} s.")

    def _too_large(self) -> JSONResponse:
        return problem(413, f"A body may have {self._limits.body:,} bytes.")

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = host_of(headers.get("host", ""))
        path = scope["path"]
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
        """Return why the request may not come in; "" if it may."""
        if not self._access.key:
            local = host in LOOPBACK and (scope.get("server") or ("", 0))[0] in LOOPBACK
            return "" if local else "Beyond this machine a key is needed; whoever runs the service sets ADAQ_API_KEY."
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = headers.get("x-api-key") or (bearer.strip() if scheme.lower() == "bearer" else "")
        if hmac.compare_digest(given.encode(), self._access.key.encode()):
            return ""
        return "Send the key as “Authorization: Bearer …” or “X-API-Key: …”."


def host_of(header: str) -> str:
    """Return the name in a Host header, without the port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


def _is_own(headers: dict[str, str], method: str) -> bool:
    """Whether the request only reads, comes from no page, or from a page of this very service: there is no CORS."""
    origin = headers.get("origin", "")
    return method in _READING or not origin or origin.partition("://")[2] == headers.get("host", "")


def _length(headers: dict[str, str]) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isdecimal() else 0


async def _read(receive: Receive, most: int) -> Receive | None:
    """Read the body and return a function that delivers it again; None if it is too large."""
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


TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_FIELDS = ("run_id", "method", "route", "status", "ms", "job_id")
log = logging.getLogger("adaq_core.service")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; of an error its type and where it was raised, never what it says.

    What an error says may quote a document. The run is the one that the record or its thread is named after.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line of JSON."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname, "logger": record.name, "message": _message(record)}
        line |= {name: value for name in _FIELDS if (value := getattr(record, name, None)) is not None}
        if "run_id" not in line and (named := RUN_ID.search(record.threadName or "")):
            line["run_id"] = named[0]
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["raised_at"] = _place(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """Return the log message, with arguments only if they are numbers or ids: others may quote a document."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    safe = all(isinstance(one, int | float) or RUN_ID.fullmatch(str(one)) for one in arguments)
    return record.getMessage() if safe else str(record.msg)


def _place(traceback: Any) -> str:
    """Return the file, line and function that raised."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return f"{code.co_filename.rsplit('/', 1)[-1]}:{traceback.tb_lineno} in {code.co_name}"


@contextmanager
def logged_as_json(stream: TextIO | None = None) -> Iterator[None]:
    """Write everything that ADAQ logs meanwhile as JSON lines, by default to stderr."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("adaq_core")
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


class Counts:
    """What happened since the process began; any thread may count."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: Counter[float] = Counter()
        self.total_seconds = 0.0
        self.streams = 0
        self.waiting = 0

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer; methods unknown to HTTP are counted as one, because anybody can make them up."""
        known = method if method in HTTPMethod.__members__ else "other"
        with self._lock:
            self.requests[known, route, status] += 1
            self.total_seconds += seconds
            self.seconds.update(bound for bound in (*BOUNDS, float("inf")) if seconds <= bound)


class Observed:
    """Counts and logs every answer of the service."""

    def __init__(self, app: ASGIApp, *, counts: Counts) -> None:
        self._app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, told = time.perf_counter(), 500, False

        def tell() -> None:
            nonlocal told
            if not told:
                told = True
                self._tell(scope, status, time.perf_counter() - began)

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif not message.get("more_body"):
                tell()  # before the last bytes go: a client that has its answer finds it counted
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            tell()

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        self._counts.request(scope["method"], route, status, seconds)
        run_id = scope.get("path_params", {}).get("run_id") or scope.get("state", {}).get("run_id")
        known = {"run_id": run_id} if run_id and RUN_ID.fullmatch(run_id) else {}
        record = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("answered", extra={**record, **known})


def metrics(counts: Counts, store: Store) -> str:
    """Return all counts in Prometheus' text format."""
    lines = _head("adaq_http_requests_total", "counter", "Requests answered.")
    for (method, route, status), n in sorted(counts.requests.items()):
        lines.append(f'adaq_http_requests_total{{method="{method}",route="{_label(route)}",status="{status}"}} {n}')
    lines += _head("adaq_http_request_seconds", "histogram", "How long answers took.")
    for bound in (*BOUNDS, float("inf")):
        le = "+Inf" if bound == float("inf") else f"{bound:g}"
        lines.append(f'adaq_http_request_seconds_bucket{{le="{le}"}} {counts.seconds[bound]}')
    lines.append(f"adaq_http_request_seconds_sum {counts.total_seconds:.6f}")
    lines.append(f"adaq_http_request_seconds_count {counts.seconds[float('inf')]}")
    lines += _head("adaq_runs", "gauge", "Stored runs by status; queued and running ones are at work.")
    lines += [f'adaq_runs{{status="{status}"}} {store.count(statuses=[status])}' for status in RUN_STATUSES]
    lines += _head("adaq_clients", "gauge", "Clients that wait for an answer or follow a run.")
    lines.append(f'adaq_clients{{kind="waiting"}} {counts.waiting}')
    lines.append(f'adaq_clients{{kind="streaming"}} {counts.streams}')
    return "\n".join(lines) + "\n"


def _head(name: str, kind: str, text: str) -> list[str]:
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]


def _label(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
