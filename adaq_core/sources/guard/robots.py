"""Manners: robots.txt as RFC 9309 reads it (the longest rule wins), and how often a host may be asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from protego import Protego

from adaq_core.errors import SourceError

AGENT = "adaq/0.1"

_LONGEST_DELAY = 60.0


class Robots:
    """The rules of one site for one agent, from the text of its robots.txt. `delay` is the pause it asks for, in s."""

    def __init__(self, text: str = "", *, agent: str = AGENT) -> None:
        self._rules = Protego.parse(text.lstrip("\ufeff"))
        self._agent = agent
        self.delay = min(self._rules.crawl_delay(agent) or 0.0, _LONGEST_DELAY)

    def allows(self, path: str) -> bool:
        """Whether `path` (with its query) may be fetched; of equally long rules the allowing one counts."""
        return self._rules.can_fetch(path or "/", self._agent)


ALL_OPEN = Robots()
ALL_CLOSED = Robots("User-agent: *\nDisallow: /")


@dataclass(frozen=True, slots=True)
class Pace:
    """`at_once` requests to a host, `interval` seconds apart; after `failures` in a row it rests `rest` seconds."""

    at_once: int = 2
    interval: float = 0.5
    failures: int = 4
    rest: float = 60.0


class CircuitOpenError(SourceError):
    """A host is not asked for now."""


class Host:
    """What is known of one host; threads share it."""

    def __init__(
        self,
        name: str,
        pace: Pace,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._pace = pace
        self._clock = clock
        self._sleep = sleep
        self._places = threading.BoundedSemaphore(pace.at_once)
        self._lock = threading.Lock()
        self._next = 0.0
        self._failed = 0
        self._rests_until = 0.0
        self._why = ""

    @contextmanager
    def turn(self, *, deadline: float, interval: float | None = None) -> Iterator[None]:
        """Wait for a turn and hold it; Resting when the host rests, SourceError when no turn comes by `deadline`."""
        self._refuse_while_resting()
        if not self._places.acquire(timeout=max(0.0, deadline - self._clock())):
            raise SourceError(f"{self.name} was busy with other requests for too long; ask it less at once")
        try:
            self._keep_distance(deadline, self._pace.interval if interval is None else interval)
            self._refuse_while_resting()
            yield
        finally:
            self._places.release()

    def succeeded(self) -> None:
        """The host answered as it should."""
        with self._lock:
            self._failed = 0

    def failed(self, why: str) -> None:
        """The host did not answer, or with a server error; after some in a row it rests."""
        with self._lock:
            self._failed += 1
            tired = self._failed >= self._pace.failures
        if tired:
            self.rest(self._pace.rest, f"it failed {self._failed} times in a row (last: {why})")

    def rest(self, seconds: float, why: str) -> None:
        """Leave the host alone for `seconds`; one failure after that and it rests again."""
        with self._lock:
            self._rests_until = max(self._rests_until, self._clock() + seconds)
            self._why = why

    def _refuse_while_resting(self) -> None:
        with self._lock:
            left, why = self._rests_until - self._clock(), self._why
        if left > 0:
            raise CircuitOpenError(f"{self.name} is not asked for another {left:.0f} s: {why}")

    def _keep_distance(self, deadline: float, interval: float) -> None:
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            if start > deadline:
                raise SourceError(
                    f"{self.name} may be asked every {interval:g} s only, and its turn would come too late; ask it less"
                )
            self._next = start + interval
        if start > now:
            self._sleep(start - now)


def seconds_to_wait(retry_after: str, *, now: float) -> float | None:
    """What a Retry-After header asks for: seconds or an HTTP date (`now` is Unix time); None when it says neither."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.fromtimestamp(now, UTC)).total_seconds())
