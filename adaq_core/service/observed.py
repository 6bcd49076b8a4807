"""How the service is watched: a JSON line for each request and event of note, and metrics as Prometheus reads them.

Neither holds a question, an answer, a text of a document or a key: ids, counts and durations only.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

from adaq_core.store.store import RUN_STATUSES, Store

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_FIELDS = ("run_id", "method", "route", "status", "ms", "job_id")
_RUN_ID = re.compile(r"r-[0-9a-z]{4,24}")
log = logging.getLogger("adaq_core.service")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; of an error its type and where it was raised, never what it says.

    What an error says may quote a document. The run is the one that the record or its thread is named after.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname, "logger": record.name, "message": _said(record)}
        line |= {name: value for name in _FIELDS if (value := getattr(record, name, None)) is not None}
        if "run_id" not in line and (named := _RUN_ID.search(record.threadName or "")):
            line["run_id"] = named[0]
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["raised_at"] = _place(record.exc_info[2])
        return json.dumps(line, ensure_ascii=False)


def _said(record: logging.LogRecord) -> str:
    """The message with its arguments where they are numbers or ids; any other may quote a document."""
    arguments = record.args if isinstance(record.args, tuple) else ()
    safe = all(isinstance(one, int | float) or _RUN_ID.fullmatch(str(one)) for one in arguments)
    return record.getMessage() if safe else str(record.msg)


def _place(traceback: Any) -> str:
    """The file, line and function that raised."""
    if traceback is None:
        return ""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return f"{code.co_filename.rsplit('/', 1)[-1]}:{traceback.tb_lineno} in {code.co_name}"


@contextmanager
def logged_as_json(stream: TextIO | None = None) -> Iterator[None]:
    """Have everything that ADAQ logs meanwhile written as JSON lines, to stderr by default."""
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
        """Count an answer."""
        with self._lock:
            self.requests[method, route, status] += 1
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
        began, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            status = message["status"] if message["type"] == "http.response.start" else status
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            self._tell(scope, status, time.perf_counter() - began)

    def _tell(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        self._counts.request(scope["method"], route, status, seconds)
        run_id = scope.get("path_params", {}).get("run_id") or scope.get("state", {}).get("run_id")
        known = {"run_id": run_id} if run_id and _RUN_ID.fullmatch(run_id) else {}
        told = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("answered", extra={**told, **known})


def metrics(counts: Counts, store: Store) -> str:
    """Everything counted, in Prometheus' text format."""
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
