"""The one way to a model's server: timed as a whole, bounded in size, and ended by closing the socket.

It stands on the transport of the live sources. What differs: the address is the user's own, so that it may be private;
a run that is cancelled, or whose time is over, lets go of a reply in the making; nothing follows a redirect.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import httpx

from adaq_core.errors import SourceError
from adaq_core.llm.settings import is_loopback
from adaq_core.sources.guard.answers import MIB, TooLarge, bounded
from adaq_core.sources.guard.transport import CheckedTransport, system_resolve

if TYPE_CHECKING:
    import ssl

    from adaq_core.llm.settings import ModelSettings

_REPLIES = ("/api/chat", "/api/generate", "/chat/completions")
_DOWNLOADS = ("/api/pull",)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an answer may cost.

    A token of a streamed reply takes 100 to 400 bytes on the wire: `bytes_per_token` is a few times that, because a
    thinking model sends more than it is counted for. Lists of models are some kilobytes, a description of one with its
    licence up to a few megabytes. A download tells its progress for hours, in lines of a hundred bytes.
    """

    bytes_per_token: int = 2_048
    least_bytes: int = MIB // 4
    look_bytes: int = 16 * MIB
    look_seconds: float = 10.0
    download_bytes: int = 256 * MIB
    download_seconds: float = 24 * 3600.0


class TooMuch(httpx.TransportError):
    """A server sent more than any reply can have."""


class ModelTransport(httpx.BaseTransport):
    """Sends requests of a model client; `cancelled` is asked several times a second while a server is waited for."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        cancelled: Callable[[], bool] | None = None,
        bounds: Bounds = Bounds(),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._cancelled = cancelled
        self._bounds = bounds
        self._clock = clock

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over a connection of its own and hand its answer on, piece by piece."""
        seconds, most_bytes = self._allowed(request.url.path)
        request.headers["Accept-Encoding"] = "identity"
        request.extensions = {
            **request.extensions,
            "deadline": self._clock() + seconds,
            "private_places": frozenset({_place(request.url)}),
            "cancelled": self._cancelled or _never,
            "proxy": _proxy(request.url),
        }
        try:
            response = _checked(request.url.scheme == "https").handle_request(request)
        except SourceError as error:
            raise httpx.ConnectError(str(error), request=request) from error
        return _bounded(response, most_bytes)

    def _allowed(self, path: str) -> tuple[float, int]:
        """Return the seconds and the bytes that the answer of `path` may take."""
        s, b = self._settings, self._bounds
        if path.endswith(_REPLIES):
            return s.reply_seconds, b.least_bytes + b.bytes_per_token * s.max_reply_tokens
        if path.endswith(_DOWNLOADS):
            return b.download_seconds, b.download_bytes
        return min(b.look_seconds, s.reply_seconds), b.look_bytes


class _Body(httpx.SyncByteStream):
    """The bytes of an answer, unpacked, up to a limit."""

    def __init__(self, response: httpx.Response, encoding: str, most_bytes: int) -> None:
        self._response = response
        self._encoding = encoding
        self._most_bytes = most_bytes

    def __iter__(self) -> Iterator[bytes]:
        stream = self._response.stream
        assert isinstance(stream, httpx.SyncByteStream)
        try:
            yield from bounded(stream, encoding=self._encoding, limit=self._most_bytes)
        except TooLarge as error:
            raise TooMuch(f"more than {self._most_bytes // 1024:,} KiB came for one reply") from error
        except SourceError as error:
            raise httpx.RemoteProtocolError(str(error)) from error

    def close(self) -> None:
        self._response.close()


def _bounded(response: httpx.Response, most_bytes: int) -> httpx.Response:
    encoding = response.headers.get("content-encoding", "")
    headers = [(name, value) for name, value in response.headers.raw if name.lower() != b"content-encoding"]
    body = _Body(response, encoding, most_bytes)
    return httpx.Response(response.status_code, headers=headers, stream=body, extensions=response.extensions)


def _place(url: httpx.URL) -> str:
    host = url.raw_host.decode("ascii").rstrip(".")
    return f"{host}:{url.port or (443 if url.scheme == 'https' else 80)}"


def _proxy(url: httpx.URL) -> str | None:
    """Return the proxy that the environment names for `url`; none stands between us and this machine."""
    if is_loopback(str(url)) or proxy_bypass(url.host):
        return None
    return getproxies().get(url.scheme)


@cache
def _checked(secure: bool) -> CheckedTransport:
    """Return the transport below; TLS takes the machine's own certificates where the environment names some."""
    tls: ssl.SSLContext | None = httpx.create_ssl_context(trust_env=True) if secure else None
    return CheckedTransport(system_resolve, tls=tls, clock=time.monotonic)


def _never() -> bool:
    return False
