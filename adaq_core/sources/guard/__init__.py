"""What stands between a live source and the network. Here: which addresses may be asked, and how often.

By the machine that an address leads to, and by robots.txt (RFC 9309). `transport` connects, `replies` reads what comes.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urljoin, urlsplit

from protego import Protego

from adaq_core.errors import SourceError

Resolve = Callable[[str, int], list[str]]

LONGEST_URL = 4000

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")
# Of protocols (RFC 6890); a cloud has its metadata there. Python 3.11 calls all of it public but the first eight.
_OF_PROTOCOLS = IPv4Network("192.0.0.0/24")


def checked(url: str) -> SplitResult:
    """The parts of a web address; SourceError when it is of another kind, or carries a password."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise SourceError(f"expected a web address, got {shown(url)!r} ({error}); correct it") from error
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise SourceError(f"expected an address that begins with http:// or https://, got {shown(url)!r}; not fetched")
    if parts.username is not None or parts.password is not None:
        raise SourceError(f"the address of {parts.hostname} holds a user name or password; give it without")
    has_controls = any(ord(letter) <= 32 or ord(letter) == 127 for letter in url.strip())
    if port == 0 or len(url) > LONGEST_URL or has_controls:
        raise SourceError(f"expected a web address of up to {LONGEST_URL} characters, got {shown(url)!r}; not fetched")
    return parts


def place(url: str) -> str:
    """The "host:port" of a web address, the port always written out."""
    parts = checked(url)
    host = (parts.hostname or "").rstrip(".")
    return f"{host}:{parts.port or _DEFAULT_PORTS[parts.scheme]}"


def joined(base: str, link: str) -> str:
    """Where `link` on the page `base` leads, without fragment; the link itself when it cannot be read."""
    try:
        return urljoin(base, link.strip()).partition("#")[0]
    except ValueError:
        return link.strip()


def shown(url: str) -> str:
    """An address as it may be shown: without user name, password, query and fragment, and not too long."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an address that cannot be read"
    if host:
        plain = f"{parts.scheme}://{host}{port}{parts.path}"
    else:
        plain = url.partition("?")[0]
    return "".join(letter for letter in plain if letter.isprintable())[:200]


def system_resolve(host: str, port: int) -> list[str]:
    """The addresses of `host` as the machine resolves them, without repeats; OSError when it has none."""
    result = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in result))


def public_addresses(place: str, addresses: Collection[str], *, private_places: Collection[str] = ()) -> list[str]:
    """The addresses to connect to; SourceError when any of them is not public, unless `place` is allowed to be."""
    if place in private_places:
        return list(addresses)
    for address in addresses:
        if reason := not_public(address):
            raise SourceError(
                f"{place} leads to {address}, which is {reason}: only public addresses are fetched. "
                "If it is yours, name this host and port in ADAQ_PRIVATE_HOSTS"
            )
    return list(addresses)


def not_public(address: str) -> str:
    """Why an address is not on the public internet; empty when it is. Addresses inside IPv6 ones are judged too."""
    try:
        result = ip_address(address)
    except ValueError:
        return "no address"
    inner = _inside(result)
    if inner is not None:
        return not_public(str(inner))
    reasons = (
        (result.is_unspecified, "the unspecified address"),
        (result.is_loopback, "this machine"),
        (result.is_link_local, "link-local"),
        (result.is_multicast, "multicast"),
        (isinstance(result, IPv6Address) and result.is_site_local, "private"),
        (isinstance(result, IPv6Address) and result.sixtofour is not None, "a tunnel to any address (6to4)"),
        (result.is_private or result in _OF_PROTOCOLS, "private"),
        (result.is_reserved or not result.is_global, "reserved"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _inside(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for (mapped, NAT64)."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


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
        """Wait for a turn and hold it; `interval` seconds apart where given, else as the host's pace says.

        Raises:
            CircuitOpenError: the host rests.
            SourceError: no turn comes by `deadline`, a time of `clock`.
        """
        self._refuse_while_resting()
        if not self._places.acquire(timeout=max(0.0, deadline - self._clock())):
            raise SourceError(f"{self.name} was busy with other requests for too long; send it fewer at once")
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
                raise SourceError(f"{self.name} may be asked every {interval:g} s only; its turn would come too late")
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
    except (ValueError, OverflowError):  # a year of twenty digits is too large for an int of C
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.fromtimestamp(now, UTC)).total_seconds())
