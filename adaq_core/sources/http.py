"""How live sources ask: guarded, polite, repeated where that helps, kept for a while in a cache.

http and https to public hosts only, judged at every connection and after every redirect; sizes, times, redirects and
content types bounded; hosts asked at a decent pace, again after a passing fault, and not at all while they rest. Keys
travel in headers to the host they are meant for, and appear in no address, message or repr. The environment's proxy
settings are not used, and no cookies are kept.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from adaq_core.errors import SourceError
from adaq_core.sources.guard import (
    ALL_CLOSED,
    ALL_OPEN,
    Host,
    Pace,
    Resolve,
    Robots,
    checked,
    place,
    shown,
    system_resolve,
)
from adaq_core.sources.guard.replies import (
    ANY,
    MIB,
    Ask,
    Expected,
    Fetched,
    HttpStatusError,
    RequestLimits,
    TransientError,
    judged,
    redirected,
    written,
)

if TYPE_CHECKING:
    import ssl


_ERROR_NUMBER = re.compile(r"^\[Errno -?\d{1,4}\] ")
_LEFT_BEHIND_SECONDS = 3600.0
_log = logging.getLogger(__name__)


class FileCache:
    """Keys to (head, body) for `ttl` seconds, `most_bytes` in all. Threads and processes may share the folder.

    A file that is damaged, or that cannot be read or written, is as one that is not there; `problem` says so.
    """

    def __init__(
        self, folder: Path, *, ttl: float, most_bytes: int = 200 * MIB, now: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._ttl = ttl
        self._most_bytes = most_bytes
        self._now = now
        self.problem = ""

    def get(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is kept under `key`, None when there is nothing, or nothing fresh and whole."""
        path = self._path(key)
        try:
            first, _, body = path.read_bytes().partition(b"\n")
            envelope = json.loads(first)
            fresh = 0 <= self._now() - envelope["at"] < self._ttl
            if fresh and envelope["sum"] == sha256(body).hexdigest():
                return dict(envelope["head"]), body
            path.unlink(missing_ok=True)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._note(f"a kept answer could not be read ({type(error).__name__}) and is fetched again")
            _remove(path)
        return None

    def put(self, key: str, *, head: dict[str, Any], body: bytes) -> None:
        """Keep `head` and `body` under `key`; a full or read-only disk is noted, and nothing is kept."""
        envelope = {"at": self._now(), "sum": sha256(body).hexdigest(), "head": head}
        path = self._path(key)
        draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.draft")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_bytes(json.dumps(envelope).encode() + b"\n" + body)
            draft.replace(path)
            self._drop_oldest()
        except OSError as error:
            _remove(draft)
            self._note(f"answers cannot be kept in {self._folder} ({error.strerror}); they are fetched again next time")

    def clear(self) -> None:
        """Forget everything."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def _files(self) -> list[Path]:
        if self._folder.is_dir():
            return [path for path in self._folder.iterdir() if path.is_file()]
        return []

    def _drop_oldest(self) -> None:
        """Make room; drafts that a killed process left behind go first."""
        results = []
        for path in self._files():
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            if path.suffix == ".draft":
                if time.time() - state.st_mtime > _LEFT_BEHIND_SECONDS:
                    path.unlink(missing_ok=True)
            else:
                results.append((state.st_mtime, path.name, state.st_size, path))
        total = sum(size for _, _, size, _ in results)
        for _, _, size, path in sorted(results):
            if total <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _note(self, problem: str) -> None:
        if not self.problem:
            _log.warning("%s", problem)
        self.problem = problem


def _remove(path: Path) -> None:
    """Remove a file that is of no use; one that cannot be removed is overwritten or ignored later."""
    with suppress(OSError):
        path.unlink()


JSON = ("application/json", "text/json", "+json")
PAGES = ("text/html", "application/xhtml+xml", "text/plain", "application/pdf")
FEEDS = ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml")

_LONGEST_REST = 3600.0
# RFC 9309, 2.5: a crawler reads at least 500 KiB of robots.txt, and need not read more.
_MOST_OF_ROBOTS = 500 * 1024
_ROBOTS_SECONDS = 24 * 3600.0
_UNREAD_ROBOTS_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Machine:
    """What a `Web` takes from the machine it runs on; `tls` None is the usual trust."""

    resolve: Resolve = system_resolve
    tls: ssl.SSLContext | None = None
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    jitter: Callable[[], float] = random.random


class Web:
    """What all sources share: the pace of each host, robots.txt, the cache of pages. Threads may share it.

    `private_places` are the exact "host:port" that may lead to private addresses (a SearXNG of one's own, a test
    server); a redirect from elsewhere never leads there. `hide` are words that no message may contain (the keys).
    """

    def __init__(
        self,
        *,
        contact: str = "",
        private_places: Collection[str] = (),
        hide: Collection[str] = (),
        limits: RequestLimits | None = None,
        pace: Pace | None = None,
        pages: FileCache | None = None,
        machine: Machine | None = None,
    ) -> None:
        from adaq_core.sources.guard.transport import CheckedTransport

        self.limits = limits or RequestLimits()
        self.agent = f"ADAQ/0.1 (research tool; {contact or 'no contact given'})"
        self.pages = pages
        self.machine = machine or Machine()
        self.clock = self.machine.clock
        self.private_places = frozenset(private_places)
        self.transport = CheckedTransport(self.machine.resolve, tls=self.machine.tls, clock=self.clock)
        self._hide = tuple(hide)
        self._pace = pace or Pace()
        self._hosts: dict[str, Host] = {}
        self._robots: dict[str, tuple[float, Robots, str]] = {}
        self._one_at_a_time: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def http(self, *, seconds: float | None = None) -> Http:
        """A client for one source, whose requests are counted and must all be done within `seconds`."""
        return Http(self, deadline=None if seconds is None else self.clock() + seconds)

    def host(self, url: str) -> Host:
        """The host of `url`, the same object for all who ask it."""
        name = place(url)
        with self._lock:
            if name not in self._hosts:
                self._hosts[name] = Host(name, self._pace, clock=self.clock, sleep=self.machine.sleep)
            return self._hosts[name]

    def hidden(self, text: str, *more: str) -> str:
        """`text` without any key."""
        for word in sorted({*more, *self._hide}, key=len, reverse=True):
            if len(word) >= 4:
                text = text.replace(word, "***")
        return text

    def robots(self, url: str, http: Http) -> tuple[Robots, str]:
        """The rules of the site of `url`, asked for once a day, and why they were not read when they were not."""
        parts = checked(url)
        site = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            lock = self._one_at_a_time.setdefault(site, threading.Lock())
        with lock:
            known = self._robots.get(site)
            if known is None or known[0] < self.clock():
                rules, unread = _asked_robots(f"{site}/robots.txt", http)
                fresh = _UNREAD_ROBOTS_SECONDS if unread else _ROBOTS_SECONDS
                known = self._robots[site] = (self.clock() + fresh, rules, unread)
            return known[1], known[2]


class Http:
    """What a source asks through. `requests` counts what was really sent, robots.txt included.

    `notes` are remarks for the reader of the run: what was left out, and why.
    """

    def __init__(self, web: Web, *, deadline: float | None = None) -> None:
        self.web = web
        self.requests = 0
        self.notes: list[str] = []
        self._deadline = deadline
        self._ended = False
        self._lock = threading.Lock()

    def get(
        self,
        url: str,
        params: Mapping[str, str | int] | None = None,
        *,
        kinds: tuple[str, ...] = JSON,
        headers: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        interval: float | None = None,
    ) -> Fetched:
        """The answer to a GET of `url` with `params`; SourceError when none of the expected `kinds` comes.

        `secrets` are headers that hold keys; `interval` is the pause in seconds that the service asks for.
        """
        if params:
            url = f"{url}{'&' if '?' in url else '?'}{urlencode(params)}"
        return self._send(Ask("GET", url, kinds, _pairs(headers), _pairs(secrets), interval=interval))

    def post(
        self,
        url: str,
        body: bytes,
        *,
        headers: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        interval: float | None = None,
    ) -> Fetched:
        """The JSON that answers a POST that may be repeated without harm (a search, a token)."""
        return self._send(Ask("POST", url, JSON, _pairs(headers), _pairs(secrets), body=body, interval=interval))

    def page(self, url: str, *, kinds: tuple[str, ...] = PAGES, obey_robots: bool = True) -> Fetched:
        """A page for its text, from the cache while it is fresh; robots.txt is obeyed unless told otherwise."""
        kept = self.web.pages.get(url) if self.web.pages is not None else None
        if kept is not None:
            head, body = kept
            return Fetched(head["url"], head["content_type"], body, head["charset"], cached=True)
        fetched = self._send(Ask("GET", url, kinds, obey_robots=obey_robots))
        if self.web.pages is not None:
            head = {"url": fetched.url, "content_type": fetched.content_type, "charset": fetched.charset}
            self.web.pages.put(url, head=head, body=fetched.body)
        return fetched

    @property
    def ended(self) -> bool:
        """Whether nothing waits for an answer any more."""
        return self._ended

    @property
    def seconds_left(self) -> float:
        """How long whoever asks still waits, as far as that is bounded."""
        if self._deadline is None:
            left = self.web.limits.seconds
        else:
            left = self._deadline - self.web.clock()
        return max(0.1, left)

    def end(self) -> None:
        """Send nothing any more; what is under way ends by itself, in the time that it was given."""
        self._ended = True

    def _send(self, ask: Ask) -> Fetched:
        """Follow redirects to the answer."""
        until = self.web.clock() + self.web.limits.seconds
        deadline = until if self._deadline is None else min(until, self._deadline)
        ask = replace(ask, url=ask.url.strip(), private_places=self.web.private_places)
        for _ in range(self.web.limits.redirects + 1):
            if ask.obey_robots:
                ask = self._obeying(ask)
            got = self._patiently(ask, deadline)
            if isinstance(got, Fetched):
                return got
            ask = redirected(ask, got)
        raise SourceError(f"{place(ask.url)} redirects more than {self.web.limits.redirects} times; not fetched")

    def _obeying(self, ask: Ask) -> Ask:
        """The request at the pace that robots.txt asks for; SourceError when it does not want the page fetched."""
        rules, unread = self.web.robots(ask.url, self)
        parts = urlsplit(ask.url)
        if not rules.allows(parts.path + (f"?{parts.query}" if parts.query else "")):
            if unread:
                raise SourceError(f"{shown(ask.url)} was not fetched, as its robots.txt is not known: {unread}")
            raise SourceError(f"the robots.txt of {parts.netloc} does not allow {shown(ask.url)}; not fetched")
        return replace(ask, interval=rules.delay or None)

    def _patiently(self, ask: Ask, deadline: float) -> Fetched | str:
        """The answer, or where it redirects to; tried again after faults that may pass."""
        host = self.web.host(ask.url)
        limits = self.web.limits
        for number in range(1, limits.tries + 1):
            try:
                with host.turn(deadline=deadline, interval=ask.interval):
                    got = self._once(ask, deadline)
                host.succeeded()
                return got
            except TransientError as fault:
                if fault.of_host:
                    host.failed(str(fault))
                pause = self._pause(number) if fault.wait is None else fault.wait
                if fault.wait is not None and pause > limits.longest_wait:
                    host.rest(min(pause, _LONGEST_REST), f"it asked for a pause of {pause:.0f} s")
                    raise fault.error from fault
                if number == limits.tries or self.web.clock() + pause >= deadline:
                    raise fault.error from fault
                self.web.machine.sleep(pause)
        raise AssertionError("a request is tried at least once")

    def _pause(self, number: int) -> float:
        return self.web.limits.backoff * 2.0 ** (number - 1) * (0.5 + self.web.machine.jitter() / 2)

    def _once(self, ask: Ask, deadline: float) -> Fetched | str:
        """One try over one connection."""
        import httpx

        where = place(ask.url)
        if self._ended:
            raise SourceError(f"{where} was not asked any more: nothing waits for its answer")
        request = written(ask, agent=self.web.agent, limits=self.web.limits, deadline=deadline)
        request.extensions = {**request.extensions, "cancelled": lambda: self._ended}
        with self._lock:
            self.requests += 1
        try:
            response = self.web.transport.handle_request(request)
            try:
                return judged(response, self._expected(ask, where))
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise TransientError(SourceError(f"{where} did not answer in time; try again later")) from error
        except httpx.TransportError as error:
            why = _ERROR_NUMBER.sub("", str(error))
            words = self.web.hidden(f"{where} could not be read ({why})")
            raise TransientError(SourceError(f"{words}; check the connection, or try again later")) from error

    def _expected(self, ask: Ask, where: str) -> Expected:
        keys = [value.split()[-1] for _, value in ask.secrets if value.split()]
        return Expected(
            ask.url,
            where,
            ask.kinds,
            self.web.limits.most_bytes,
            hidden=lambda text: self.web.hidden(text, *keys),
            now=self.web.machine.now,
        )


def _pairs(headers: Mapping[str, str] | None) -> tuple[tuple[str, str], ...]:
    return tuple((headers or {}).items())


def _asked_robots(url: str, http: Http) -> tuple[Robots, str]:
    """RFC 9309: no file (4xx) means all is open, no answer (5xx, network) means all is closed."""
    try:
        fetched = http.get(url, kinds=ANY)
        return Robots(replace(fetched, body=fetched.body[:_MOST_OF_ROBOTS]).text()), ""
    except HttpStatusError as error:
        closed = error.status >= 500 or error.status == 429
        return (ALL_CLOSED, str(error)) if closed else (ALL_OPEN, "")
    except SourceError as error:
        return ALL_CLOSED, str(error)
