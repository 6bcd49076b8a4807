"""Connections that go where the check said: the name is resolved once, judged, and the judged address is connected to.

Every request opens its own connection, so that none is reused past the check, and each read waits no longer than what
is left of the request's time, so that a server cannot hold it open byte by byte. TLS still verifies the name.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

import httpcore
import httpx

from adaq_core.errors import SourceError

Resolve = Callable[[str, int], list[str]]

LONGEST_URL = 4000

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")


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
    if port == 0 or len(url) > LONGEST_URL or any(ord(letter) <= 32 or ord(letter) == 127 for letter in url.strip()):
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
    plain = f"{parts.scheme}://{host}{port}{parts.path}" if host else url.partition("?")[0]
    return "".join(letter for letter in plain if letter.isprintable())[:200]


def system_resolve(host: str, port: int) -> list[str]:
    """The addresses of `host` as the machine resolves them, without repeats; OSError when it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


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
        found = ip_address(address)
    except ValueError:
        return "no address"
    inner = _inside(found)
    if inner is not None:
        return not_public(str(inner))
    reasons = (
        (found.is_unspecified, "the unspecified address"),
        (found.is_loopback, "this machine"),
        (found.is_link_local, "link-local"),
        (found.is_multicast, "multicast"),
        (isinstance(found, IPv6Address) and found.is_site_local, "private"),
        (isinstance(found, IPv6Address) and found.sixtofour is not None, "a tunnel to any address (6to4)"),
        (found.is_private, "private"),
        (found.is_reserved or not found.is_global, "reserved"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _inside(found: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for (mapped, NAT64)."""
    if isinstance(found, IPv4Address):
        return None
    return IPv4Address(int(found) & 0xFFFFFFFF) if found in _NAT64 else found.ipv4_mapped


_MOST_ADDRESSES = 4
_LOOK_SECONDS = 0.2


class TimeIsUp(httpx.TimeoutException):
    """The request as a whole took too long, though each read was in time."""


class Stopped(httpx.TransportError):
    """Nobody waits for the answer any more."""


class TimedStream(httpcore.NetworkStream):
    """A network stream whose reads and writes end by `deadline`, and soon after `cancelled` says so."""

    def __init__(
        self,
        stream: httpcore.NetworkStream,
        deadline: float,
        clock: Callable[[], float],
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._stream = stream
        self._deadline = deadline
        self._clock = clock
        self._cancelled = cancelled
        self._look_at = clock() + _LOOK_SECONDS

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read as the stream does, within the time that is left."""
        if self._cancelled is None:
            return self._stream.read(max_bytes, self._left(timeout))
        until = self._clock() + self._left(timeout)
        while True:
            self._look()
            slice_seconds = min(_LOOK_SECONDS, max(0.001, until - self._clock()))
            try:
                return self._stream.read(max_bytes, slice_seconds)
            except httpcore.ReadTimeout:
                if self._clock() < until:
                    continue
                if until >= self._deadline - _LOOK_SECONDS / 10:
                    raise TimeIsUp("the answer took too long") from None
                raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write as the stream does, within the time that is left."""
        self._stream.write(buffer, self._left(timeout))

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same stream under TLS, timed as well."""
        secured = self._stream.start_tls(ssl_context, server_hostname, self._left(timeout))
        return TimedStream(secured, self._deadline, self._clock, self._cancelled)

    def get_extra_info(self, info: str) -> Any:
        """What the stream knows of itself."""
        return self._stream.get_extra_info(info)

    def _look(self) -> None:
        """Raise Stopped when nobody waits any more; asked a few times a second however the bytes drip."""
        if self._cancelled is not None and self._clock() >= self._look_at:
            self._look_at = self._clock() + _LOOK_SECONDS
            if self._cancelled():
                raise Stopped("it was not waited for: the run was stopped, or its time was over")

    def _left(self, timeout: float | None) -> float:
        left = self._deadline - self._clock()
        if left <= 0:
            raise TimeIsUp("the answer took too long")
        return left if timeout is None else min(left, timeout)


class CheckedBackend(httpcore.NetworkBackend):
    """Opens connections to public addresses only, and to exactly the address that was judged."""

    def __init__(
        self,
        resolve: Resolve,
        private_places: Collection[str],
        deadline: float,
        clock: Callable[[], float],
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._resolve = resolve
        self._private_places = private_places
        self._deadline = deadline
        self._clock = clock
        self._cancelled = cancelled
        self._plain = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first address of `host` that answers; SourceError when one of them is not public."""
        try:
            found = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"no address is known for {host} ({error})") from error
        addresses = public_addresses(f"{host.rstrip('.')}:{port}", found, private_places=self._private_places)
        failed: Exception = httpcore.ConnectError(f"no address is known for {host}")
        for address in addresses[:_MOST_ADDRESSES]:
            left = self._deadline - self._clock()
            try:
                stream = self._plain.connect_tcp(address, port, min(timeout or left, max(left, 0.001)), local_address)
                return TimedStream(stream, self._deadline, self._clock, self._cancelled)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed


class _Body(httpx.SyncByteStream):
    """The bytes of an answer; closing it closes its connection too."""

    def __init__(self, response: httpcore.Response, pool: httpcore.ConnectionPool) -> None:
        self._response = response
        self._pool = pool

    def __iter__(self) -> Iterator[bytes]:
        stream = self._response.stream
        assert isinstance(stream, Iterable)
        with _as_httpx():
            yield from stream

    def close(self) -> None:
        self._response.close()
        self._pool.close()


class CheckedTransport(httpx.BaseTransport):
    """An httpx transport on checked connections.

    A request's extension `deadline` is when it must be done, by `clock`; `private_places` are the "host:port" that may
    be private for this request. Where they are given, `cancelled` says that nobody waits any more, and `proxy` is the
    address of a proxy to go through, which is the user's own and not judged.
    """

    def __init__(self, resolve: Resolve, *, tls: ssl.SSLContext | None = None, clock: Callable[[], float]) -> None:
        self._resolve = resolve
        self._tls = tls or _usual_tls()
        self._clock = clock

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over a connection of its own."""
        extensions = dict(request.extensions)
        deadline = extensions.pop("deadline")
        places, cancelled = extensions.pop("private_places"), extensions.pop("cancelled", None)
        proxy = extensions.pop("proxy", None)
        places = places if proxy is None else {*places, _place_of(proxy)}
        backend = CheckedBackend(self._resolve, places, deadline, self._clock, cancelled)
        pool = httpcore.ConnectionPool(
            ssl_context=self._tls,
            network_backend=backend,
            max_keepalive_connections=0,
            proxy=None if proxy is None else _proxied(proxy),
        )
        url = request.url
        try:
            with _as_httpx():
                response = pool.handle_request(
                    httpcore.Request(
                        request.method,
                        httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                        headers=request.headers.raw,
                        content=request.stream,
                        extensions=extensions,
                    )
                )
        except BaseException:
            pool.close()
            raise
        return httpx.Response(
            response.status, headers=response.headers, stream=_Body(response, pool), extensions=response.extensions
        )


def _proxied(proxy: str) -> httpcore.Proxy:
    known = httpx.Proxy(proxy)
    return httpcore.Proxy(str(known.url), auth=known.raw_auth)


def _place_of(proxy: str) -> str:
    url = httpx.URL(proxy)
    return f"{url.raw_host.decode('ascii')}:{url.port or (443 if url.scheme == 'https' else 80)}"


@cache
def _usual_tls() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Turn the errors of httpcore into those of httpx."""
    try:
        yield
    except httpcore.ConnectTimeout as error:
        raise httpx.ConnectTimeout(str(error) or "timed out") from error
    except httpcore.ConnectError as error:
        raise httpx.ConnectError(str(error)) from error
    except httpcore.TimeoutException as error:
        raise httpx.TimeoutException(str(error) or "timed out") from error
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise httpx.TransportError(str(error)) from error
