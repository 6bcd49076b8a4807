"""Connections that go where the check said: the name is resolved once, judged, and the judged address is connected to.

Every request opens its own connection, so that none is reused past the check, and each read waits no longer than what
is left of the request's time, so that a server cannot hold it open byte by byte. TLS still verifies the name.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpcore
import httpx

from adaq_core.sources.guard import Resolve, public_addresses

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
            result = self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError("no address is known for it") from error
        addresses = public_addresses(f"{host.rstrip('.')}:{port}", result, private_places=self._private_places)
        failed: Exception = httpcore.ConnectError("no address is known for it")
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
        places = extensions.pop("private_places")
        cancelled = extensions.pop("cancelled", None)
        proxy = extensions.pop("proxy", None)
        places = places if proxy is None else {*places, place_of(httpx.URL(proxy))}
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


def place_of(url: httpx.URL) -> str:
    """The "host:port" that a request to `url` connects to, as `private_places` names it."""
    host = url.raw_host.decode("ascii").rstrip(".")
    return f"{host}:{url.port or (443 if url.scheme == 'https' else 80)}"


@cache
def _usual_tls() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


@contextmanager
def _as_httpx() -> Iterator[None]:
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
