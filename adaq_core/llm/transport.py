"""The one way to a model's server: timed as a whole, bounded in size, and ended by closing the socket.

It stands on the transport of the live sources. What differs: the address is the user's own, so that it may be private;
a run that is cancelled, or whose time is over, lets go of a reply in the making; nothing follows a redirect.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass

import httpx
import ollama

from adaq_core.errors import ModelError, ModelMissing, ModelRefused, ModelServerDown, SourceError
from adaq_core.llm import Prompt, Reply, Schema, most_letters
from adaq_core.llm.settings import ModelSettings, hidden, is_loopback
from adaq_core.sources.guard import system_resolve
from adaq_core.sources.guard.replies import MIB, TooLarge, bounded
from adaq_core.sources.guard.transport import CheckedTransport, Stopped, TimeIsUp, place_of

if TYPE_CHECKING:
    import ssl


_REPLIES = ("/api/chat", "/api/generate", "/chat/completions")
_DOWNLOADS = ("/api/pull",)


@dataclass(frozen=True, slots=True)
class ReplyBounds:
    """Limits of one reply of a server.

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


_BOUNDS = ReplyBounds()


class TooMuch(httpx.TransportError):
    """A server sent more than any reply can have."""


class ModelTransport(httpx.BaseTransport):
    """Sends requests of a model client; `cancelled` is asked several times a second while a server is waited for."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._settings = settings
        self._cancelled = cancelled

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request over a connection of its own and hand its answer on, piece by piece."""
        seconds, most_bytes = self._allowed(request.url.path)
        request.headers["Accept-Encoding"] = "identity"
        request.extensions = {
            **request.extensions,
            "deadline": time.monotonic() + seconds,
            "private_places": frozenset({place_of(request.url)}),
            "cancelled": self._cancelled or (lambda: False),
            "proxy": _proxy(request.url),
        }
        try:
            response = _checked(request.url.scheme == "https").handle_request(request)
        except SourceError as error:
            raise httpx.ConnectError(str(error), request=request) from error
        return _bounded(response, most_bytes)

    def _allowed(self, path: str) -> tuple[float, int]:
        """Return the seconds and the bytes that the answer of `path` may take."""
        s, b = self._settings, _BOUNDS
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


BUSY = frozenset((429, 500, 502, 503, 504))
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key)[-_][\w*.-]{4,}")


@dataclass(frozen=True, slots=True)
class ServerKind:
    """What the errors of a kind of server call it, what they expect of it, and what they say behind that."""

    server: str
    a_server: str
    speaks: str
    when_down: str
    when_silent: str
    when_gone: str
    when_garbled: str


OLLAMA = ServerKind(
    server="Ollama server",
    a_server="an Ollama server",
    speaks="Ollama's JSON",
    when_down=". Start it with `ollama serve` (or the Ollama app), or set OLLAMA_HOST to where it is.",
    when_silent="A large model may still be loading: try again, choose a smaller one, or raise ADAQ_SILENCE_SECONDS.",
    when_gone="Look at its log: often the model needs more memory than there is.",
    when_garbled="Is another program at that address? OLLAMA_HOST says where Ollama is.",
)
OPENAI = ServerKind(
    server="server",
    a_server="a model server",
    speaks="a chat completion",
    when_down=" ({why}). Start it, or set ADAQ_OPENAI_BASE_URL to where it is.",
    when_silent="Try again, or raise ADAQ_SILENCE_SECONDS.",
    when_gone="Try again.",
    when_garbled="Is ADAQ_OPENAI_BASE_URL right? It often ends in /v1.",
)


@dataclass(frozen=True, slots=True)
class Words:
    """Turns faults of one server into ModelErrors; it knows the keys only to keep them out of their texts."""

    kind: ServerKind
    base: str
    model: str
    key: str = field(default="", repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)

    def hidden(self, text: str) -> str:
        """Return a reply without the keys that a server may have echoed in it."""
        return hidden(text, (self.key, *self.keys))

    def clean(self, text: object) -> str:
        """Return a server's words, short and without the key or parts of it."""
        words = str(text)
        if self.key:
            words = words.replace(self.key, "…")
        return short(_KEY_LIKE.sub("…", self.hidden(words)))

    def refused(self, status: int, message: str) -> ModelError:
        """Return the error for an answer of an OpenAI-compatible server other than 200."""
        text = self.clean(message)
        if 300 <= status < 400:
            return redirects(self.base)
        if status in (401, 403):
            return ModelRefused(
                f"{self.base} refused the key ({status}). Expected a valid one in ADAQ_OPENAI_API_KEY (.env), and one "
                f"that may use {self.model}."
            )
        if status == 404:
            return ModelMissing(f"{self.base} has no model {self.model!r} (404: {text}). Set ADAQ_MODEL to one it has.")
        if status == 429:
            return ModelServerDown(f"{self.base} wants no more requests for now (429: {text}). Try again later.")
        if status in BUSY:
            return ModelServerDown(f"{self.base} is in trouble ({status}: {text}). Try again later.")
        return ModelError(f"{self.base} did not take the request ({status}: {text}).")

    @contextmanager
    def around(self, text: Callable[[], str] = str) -> Iterator[None]:
        """Turn every fault of the server into a ModelError; `text` gives the reply so far."""
        try:
            yield
        except _FAULTS as error:
            raise self.error(error, raw=self.hidden(text())) from None

    def error(self, error: Exception, *, raw: str = "") -> ModelError:
        """Return the ModelError for a fault; `raw` is the reply so far."""
        ended = out_of_bounds(error, model=self.model, host=self.base, raw=raw)
        if ended is not None:
            return ended
        kind, why = self.kind, self.clean(error)
        what = f"({type(error).__name__}: {why})"
        if isinstance(error, ollama.ResponseError):
            reason = self.clean(error.error)
            return _refused(error, reason, host=self.base, model=self.model, raw=raw)
        if isinstance(error, ConnectionError | httpx.ConnectError | httpx.ConnectTimeout):
            down = kind.when_down.format(why=why)
            return ModelServerDown(f"Expected {kind.a_server} at {self.base}, but none answers{down}", raw=raw)
        if isinstance(error, httpx.TimeoutException):
            expected = (
                f"Expected a reply of {self.model or 'the server'} at {self.base}, but nothing came for too long."
            )
            return ModelServerDown(f"{expected} {kind.when_silent}", raw=raw)
        if isinstance(error, httpx.HTTPError | httpx.StreamError):
            gone = f"The {kind.server} at {self.base} went away while it answered {what}."
            return ModelServerDown(f"{gone} {kind.when_gone}", raw=raw)
        if isinstance(error, httpx.InvalidURL):
            return ModelServerDown(
                f"OLLAMA_HOST is {self.base!r}, which is not an address. Expected one like 127.0.0.1:11434."
            )
        garbled = f"Expected {kind.speaks} from {self.base}, but something else came {what}."
        return ModelError(f"{garbled} {kind.when_garbled}", raw=raw)


# ValueError: a line that is no JSON, or not of the documented form; AttributeError, KeyError, TypeError: JSON that is
# no such object; RecursionError: lists in lists without end.
_FAULTS = (
    ollama.ResponseError,
    ollama.RequestError,
    ConnectionError,
    httpx.HTTPError,
    httpx.StreamError,
    httpx.InvalidURL,
    ValueError,
    AttributeError,
    KeyError,
    TypeError,
    RecursionError,
)
_SHOWN = 300
_NAMED = 20  # models that an error names


def stopped(model: str, *, raw: str = "") -> ModelError:
    """Return the error of a reply that nobody waits for any more."""
    return ModelError(f"{model} was stopped in mid-reply, as asked.", raw=raw)


def wrote_on(model: str, *, most_tokens: int, raw: str) -> ModelServerDown:
    """Return the error of a reply that goes on far past its limit."""
    return ModelServerDown(
        f"Expected at most {most_tokens:,} tokens from {model}, but it wrote on. The server does not keep to "
        "ADAQ_MAX_REPLY_TOKENS.",
        raw=raw,
    )


def too_slow(model: str, *, seconds: float, raw: str) -> ModelServerDown:
    """Return the error of a reply that was not whole after `seconds`."""
    return ModelServerDown(
        f"Expected {model} to finish within {seconds:g} seconds, but it was still writing. Choose a faster model, "
        "lower ADAQ_MAX_REPLY_TOKENS, or raise ADAQ_REPLY_SECONDS.",
        raw=raw,
    )


class ModelClient:
    """What the clients of both kinds of server share: the plain form of asking, and when a reply has gone on too long.

    `cancelled` is asked between the pieces of a reply.
    """

    def __init__(
        self, words: Words, settings: ModelSettings, cancelled: Callable[[], bool] | None, clock: Callable[[], float]
    ) -> None:
        self._words = words
        self._model = words.model
        self._settings = settings
        self._cancelled = cancelled
        self._clock = clock

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r}, {self._words.base!r})"

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, held to `schema` where one is given."""
        raise NotImplementedError

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text that the model says to `prompt`."""
        return self.ask(prompt, system=system_prompt, stage="text").text

    def _check(self, text: str, began: float) -> None:
        """Raise a ModelError where a reply, `text` so far, is no longer waited for or goes on too long."""
        seconds = self._settings.reply_seconds
        most_tokens = self._settings.max_reply_tokens
        raw = self._words.hidden
        if self._cancelled is not None and self._cancelled():
            raise stopped(self._model, raw=raw(text))
        if self._clock() - began > seconds:
            raise too_slow(self._model, seconds=seconds, raw=raw(text))
        if len(text) > most_letters(most_tokens):
            raise wrote_on(self._model, most_tokens=most_tokens, raw=raw(text))


def out_of_bounds(error: Exception, *, model: str, host: str, raw: str) -> ModelError | None:
    """Return the error of an answer that was cut off from our side; None when it was not."""
    if isinstance(error, Stopped):
        return stopped(model or host, raw=raw)
    if isinstance(error, TimeIsUp):
        return ModelServerDown(
            f"Expected {model or 'the server'} at {host} to answer in time, but what it sent had no end. It is "
            "not asked again in this run. Try again, or raise ADAQ_REPLY_SECONDS.",
            raw=raw,
        )
    if isinstance(error, TooMuch):
        return ModelServerDown(
            f"{host} sent far more than a reply can have ({error}). It is not asked again in this run; look at what "
            "runs there, or raise ADAQ_MAX_REPLY_TOKENS.",
            raw=raw,
        )
    return None


def missing(model: str, *, host: str, installed: tuple[str, ...]) -> ModelMissing:
    """Return the error that `model` is not on the server, and what is."""
    if len(installed) > _NAMED:
        more = f" and {len(installed) - _NAMED:,} more"
    else:
        more = ""
    there = f"it has {', '.join(installed[:_NAMED])}{more}" if installed else "it has no model yet"
    other = ", or name one of those with ADAQ_MODEL" if installed else ""
    return ModelMissing(
        f"Expected the model {model!r} on the Ollama server at {host}, but {there}. Get it with "
        f"`ollama pull {model}`{other}."
    )


def redirects(host: str) -> ModelError:
    """Return the error of a server that wants the prompt sent to another one."""
    return ModelServerDown(
        f"{host} redirects to another address, where prompts are not sent. Set that one if it is yours."
    )


def _refused(error: ollama.ResponseError, reason: str, *, host: str, model: str, raw: str) -> ModelError:
    if error.status_code == 404:
        return missing(model, host=host, installed=())
    if error.status_code in (401, 403):
        return ModelRefused(
            f"The server at {host} wants a key or refuses ours ({error.status_code}). Set OLLAMA_API_KEY."
        )
    if "memory" in reason.lower():
        return ModelError(
            f"{model} does not fit into the memory of {host}: {reason}. Choose a smaller model, or lower ADAQ_NUM_CTX.",
            raw=raw,
        )
    if error.status_code == 503:
        return ModelServerDown(
            f"The Ollama server at {host} is busy: {reason}. Try again when it has less to do.", raw=raw
        )
    if 300 <= error.status_code < 400:
        return redirects(host)
    status = f" ({error.status_code})" if error.status_code > 0 else ""
    words = f"{model or 'The server'} at {host} reported an error{status}: {reason.rstrip('.')}"
    return ModelError(f"{words}. The server's log says more.", raw=raw)


def short(error: object) -> str:
    """Return the first words of a foreign error, on one line."""
    text = " ".join(str(error).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
