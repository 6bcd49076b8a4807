"""HTTP requests and answers of live sources: sent, read within limits, then used, redirected or refused in words."""

from __future__ import annotations

import html
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from adaq_core.corpus.readers import clean, one_line
from adaq_core.errors import SourceError
from adaq_core.sources.guard import checked, joined, place, seconds_to_wait, shown

if TYPE_CHECKING:
    import httpx


Record = dict[str, Any]

_LONGEST_MESSAGE = 200
_MESSAGE_KEYS = ("message", "detail", "info", "error_description", "error", "errors", "reason", "code")
_UNREAD = frozenset({"script", "style", "template", "noscript"})
_BLOCKS = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "ul", "ol", "table", "blockquote"})


def records(reply: Any, *path: str) -> list[Record]:
    """The list of objects at `path` of a reply; SourceError when there is no list there."""
    result = reply
    for key in path:
        result = result.get(key) if isinstance(result, dict) else None
    if not isinstance(result, list):
        message = message_of(reply)
        raise SourceError(
            f"expected a list at {'.'.join(path) or 'the top'} of the reply, got "
            f"{message or type(result).__name__}; the service may have changed"
        )
    return [item for item in result if isinstance(item, dict)]


def first_hits(wordings: Iterable[str], ask: Callable[[str], list[Record]]) -> list[Record]:
    """What `ask` gets for the first of `wordings` that gets anything; those behind it are not asked."""
    return next((hits for wording in wordings if (hits := ask(wording))), [])


def record(value: Any, key: str) -> Record:
    """The object under `key`; an empty one when there is none."""
    result = value.get(key) if isinstance(value, dict) else None
    return result if isinstance(result, dict) else {}


def lines_once(texts: Iterable[str]) -> str:
    """The texts on lines of their own, each once, empty ones left out."""
    return "\n".join(dict.fromkeys(text for text in texts if text))


def text_of(value: Record, key: str) -> str:
    """The text under `key`, cleaned and on one line; empty when there is no text."""
    result = value.get(key)
    return one_line(result) if isinstance(result, str) else ""


def texts(value: Record, key: str) -> list[str]:
    """The texts in the list under `key`."""
    result = value.get(key)
    if isinstance(result, list):
        return [item for item in result if isinstance(item, str)]
    return []


def message_in(body: bytes) -> str:
    """What an error page (JSON, HTML or text) says, on one line and not too long."""
    text = body[: 64 * 1024].decode("utf-8", errors="replace")
    try:
        message = message_of(json.loads(text))
    except (ValueError, RecursionError):
        message = plain(text)
    return _short(message)


def message_of(reply: Any, *, depth: int = 4) -> str:
    """The first message in a JSON reply, looked for under the usual names; empty without one."""
    if isinstance(reply, str):
        return _short(reply)
    if depth == 0 or not isinstance(reply, dict | list):
        return ""
    if isinstance(reply, list):
        inside = reply[:1]
    else:
        inside = [reply[key] for key in _MESSAGE_KEYS if key in reply]
    return next((message for value in inside if (message := message_of(value, depth=depth - 1))), "")


def plain(markup: str) -> str:
    """The text of a piece of HTML; text without any markup comes back as it is. The time grows with its length."""
    if "<" not in markup:
        return clean(_unescaped(markup)).strip()
    lines = (" ".join(line.split()) for line in clean("".join(_texts(markup))).splitlines())
    return "\n".join(line for line in lines if line)


# A tag, the start of a comment, or another declaration. Only a comment goes on past a "<": Python's own parser looks
# for the end of each tag up to the end of the page, and took over a minute for 64 kB of "<a ".
_MARKUP = re.compile(
    r"""<!--|</?(?P<name>[A-Za-z][^\s<>/]*)(?=[\s/>])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|</?[A-Za-z][^<>]*>|<[!?/][^<>]*>"""
)
_UNREAD_ENDS = {name: re.compile(f"(?i)</{name}") for name in _UNREAD}
_ENDLESS_NUMBER = re.compile(r"&#[0-9]{8,};?")


def _texts(markup: str) -> Iterator[str]:
    """Yield the texts between tags, and line ends for blocks; what is never shown, and its tags, is left out."""
    at = 0
    while tag := _MARKUP.search(markup, at):
        yield _unescaped(markup[at : tag.start()])
        name = (tag["name"] or "").lower()
        yield "\n" if name in _BLOCKS else ""
        end = _end_of_unread(markup, tag, name)
        if end is None:
            return
        at = end
    yield _unescaped(markup[at:])


def _end_of_unread(markup: str, tag: re.Match[str], name: str) -> int | None:
    """Where what follows `tag` is read again; None where it never is."""
    if tag[0] == "<!--":
        end = markup.find("-->", tag.end())
        return None if end < 0 else end + 3
    if name not in _UNREAD or tag[0].startswith("</"):
        return tag.end()
    closing = _UNREAD_ENDS[name].search(markup, tag.end())
    return None if closing is None else closing.start()


def _unescaped(text: str) -> str:
    """The text with its character references resolved; a number that no character can have is a replacement mark."""
    return html.unescape(_ENDLESS_NUMBER.sub("\ufffd", text))


def _short(message: str) -> str:
    line = re.sub(r"\s+", " ", clean(message)).strip()
    if len(line) <= _LONGEST_MESSAGE:
        return line
    return f"{line[: _LONGEST_MESSAGE - 1]}…"


MIB = 1 << 20
ACCEPTED = "gzip"

_AT_ONCE = 64 * 1024


class TooLarge(SourceError):
    """An answer holds more than it may."""


def read_bounded(chunks: Iterable[bytes], *, encoding: str, limit: int) -> bytes:
    """The body in `chunks`, unpacked; TooLarge past `limit` bytes, SourceError for damage or another packing."""
    return b"".join(bounded(chunks, encoding=encoding, limit=limit))


def bounded(chunks: Iterable[bytes], *, encoding: str, limit: int) -> Iterator[bytes]:
    """Yield the body in `chunks` piece by piece, unpacked; the same errors as `read_bounded`, when they are met."""
    packing = encoding.strip().lower()
    if packing in ("", "identity"):
        return _within_each(chunks, limit)
    if packing in ("gzip", "x-gzip"):
        return _within_each(_gunzipped(_within_each(chunks, limit)), limit)
    raise SourceError(f"expected an answer packed with gzip or not at all, got {packing[:40]!r}; it was not read")


def _within_each(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limit:
            raise TooLarge(f"expected an answer of up to {_size(limit)}, got more; it was not read to its end")
        yield chunk


def _gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of one or several gzip members, in pieces of bounded size."""
    unpacker = zlib.decompressobj(wbits=31)
    began = False
    for chunk in chunks:
        rest = chunk
        while rest:
            if unpacker.eof:
                unpacker, began = zlib.decompressobj(wbits=31), False
            began = True
            yield _unpacked(unpacker, rest)
            rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    if began and not unpacker.eof:
        raise SourceError("expected a whole gzip answer, got one that is cut short; try again")


def _unpacked(unpacker: zlib._Decompress, data: bytes) -> bytes:
    try:
        return unpacker.decompress(data, _AT_ONCE)
    except zlib.error as error:
        raise SourceError(f"expected a gzip answer, got damaged data ({error}); try again") from error


def _size(limit: int) -> str:
    return f"{limit // MIB} MiB" if limit >= MIB else f"{limit} bytes"


ANY = ("*",)

_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_OF_AN_ERROR = 64 * 1024


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: the address it came from in the end, its content type (without parameters) and charset, its bytes."""

    url: str
    content_type: str
    body: bytes = field(repr=False)
    charset: str = ""
    cached: bool = False

    def json(self) -> Any:
        """The JSON value in the body; SourceError when it holds none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise SourceError(
                f"expected JSON from {shown(self.url)}, got {len(self.body):,} bytes that are not JSON; try again"
            ) from error

    def text(self) -> str:
        """The body as text."""
        try:
            return self.body.decode(self.charset or "utf-8", errors="replace")
        except (LookupError, UnicodeError):  # codecs such as punycode and idna refuse even with "replace"
            return self.body.decode("utf-8", errors="replace")


class HttpStatusError(SourceError):
    """A host answered, but not with what was asked for: `status`."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class TransientError(SourceError):
    """A fault that may be gone at the next try: `error` is what to raise when it is not.

    `wait` is the pause in seconds that the host asks for; `of_host` is whether the fault counts against it.
    """

    def __init__(self, error: SourceError, *, wait: float | None = None, of_host: bool = True) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait = wait
        self.of_host = of_host


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer has to be: `kinds` of content, up to `most_bytes`. `where` and `hidden` shape the messages."""

    url: str
    where: str
    kinds: tuple[str, ...]
    most_bytes: int
    hidden: Callable[[str], str] = field(repr=False)
    now: Callable[[], float] = field(repr=False)


def judged(response: httpx.Response, expected: Expected) -> Fetched | str:
    """The answer, or where it redirects to, as the host wrote it.

    Raises:
        TransientError: the host is in trouble or busy for now (408, 429 and most of 5xx).
        HttpStatusError: it answers another status, or content of a kind that is not expected.
        TooLarge: the answer is longer than it may be.
    """
    status = response.status_code
    if status in _REDIRECTS and "location" in response.headers:
        return response.headers["location"]
    content_type, charset = _kind(response)
    if status != 200:
        raise _fault(response, expected)
    if not _fits(content_type, expected.kinds):
        message = expected.hidden(_server_message(response))
        words = f"expected {expected.kinds[0]} from {expected.where}, got {content_type or 'no content type'}"
        raise HttpStatusError(f"{words}{f' ({message})' if message else ''}; not read", status=status)
    return Fetched(expected.url, content_type, _body(response, expected), charset)


def _fault(response: httpx.Response, expected: Expected) -> SourceError:
    status = response.status_code
    message = expected.hidden(_server_message(response))
    words = f"{expected.where} answered {status}{f' ({message})' if message else ''}; {_advice(status)}"
    error = HttpStatusError(words, status=status)
    if status not in _PASSING:
        return error
    wait = seconds_to_wait(response.headers.get("retry-after", ""), now=expected.now())
    return TransientError(error, wait=wait, of_host=status not in (408, 429))


def _body(response: httpx.Response, expected: Expected) -> bytes:
    limit = expected.most_bytes
    declared = response.headers.get("content-length", "")[:20]
    if declared.isdigit() and int(declared) > limit:
        raise TooLarge(f"{expected.where} has {int(declared) // MIB} MiB to send; the limit is {limit // MIB} MiB")
    encoding = response.headers.get("content-encoding", "")
    try:
        return read_bounded(response.iter_raw(), encoding=encoding, limit=limit)
    except SourceError as error:
        raise type(error)(f"{expected.where}: {error}") from error


def _kind(response: httpx.Response) -> tuple[str, str]:
    """Content type and charset of an answer."""
    content_type, _, rest = response.headers.get("content-type", "").partition(";")
    named = rest.lower().partition("charset=")[2].partition(";")[0]
    charset = named.strip().strip("\"'")
    return content_type.strip().lower()[:80], charset[:40]


def _fits(content_type: str, kinds: tuple[str, ...]) -> bool:
    return kinds == ANY or any(
        content_type == kind or (kind.startswith("+") and content_type.endswith(kind)) for kind in kinds
    )


def _server_message(response: httpx.Response) -> str:
    """What an error page says, in a few words; empty when it says nothing that can be shown."""
    encoding = response.headers.get("content-encoding", "")
    try:
        return message_in(read_bounded(response.iter_raw(), encoding=encoding, limit=_MOST_OF_AN_ERROR))
    except SourceError:
        return ""


def _advice(status: int) -> str:
    if status in (401, 403):
        return "check the key, and that its plan covers this"
    if status == 429:
        return "too many requests: wait, or ask it less often"
    return "try again later" if status >= 500 else "check the address and the settings of this source"


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What one request may cost: seconds for connecting, for each read and in all, bytes, redirects, tries.

    A failed try is repeated after about `backoff` seconds, then twice that …; a server that asks for a longer pause
    than `longest_wait` is left alone for so long instead (an hour at most).
    """

    connect_seconds: float = 5.0
    read_seconds: float = 10.0
    seconds: float = 20.0
    most_bytes: int = 8 * MIB
    redirects: int = 5
    tries: int = 3
    backoff: float = 0.5
    longest_wait: float = 8.0


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. `secrets` are headers that go to the host of `url` only."""

    method: Literal["GET", "POST"]
    url: str
    kinds: tuple[str, ...]
    headers: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    interval: float | None = None
    private_places: frozenset[str] = frozenset()
    obey_robots: bool = False


def written(ask: Ask, *, agent: str, limits: RequestLimits, deadline: float) -> httpx.Request:
    """The request as httpx sends it; SourceError when it holds letters that cannot be sent."""
    import httpx

    timeout = {"connect": limits.connect_seconds, "read": limits.read_seconds, "write": limits.read_seconds}
    headers = {
        "User-Agent": agent,
        "Accept": ", ".join(kind for kind in ask.kinds if "/" in kind) or "*/*",
        "Accept-Encoding": ACCEPTED,
        "Connection": "close",
        **dict(ask.headers),
        **dict(ask.secrets),
    }
    try:
        if not all(value.isprintable() for value in headers.values()):
            raise ValueError("a header with a line end")
        return httpx.Request(
            ask.method,
            ask.url,
            headers=headers,
            content=ask.body,
            extensions={"timeout": timeout, "deadline": deadline, "private_places": ask.private_places},
        )
    except (ValueError, httpx.InvalidURL):  # their own words may hold the key: they are not passed on
        raise SourceError(
            f"a request to {place(ask.url)} could not be written; check the address, the key and the contact for "
            "letters that cannot be sent"
        ) from None


def redirected(ask: Ask, location: str) -> Ask:
    """The request to where the answer points; what is meant for one host is not sent to another."""
    url = joined(ask.url, location)
    checked(url)
    if ask.method != "GET":
        raise SourceError(
            f"{place(ask.url)} redirects to {shown(url)}, where a search is not sent; correct its address"
        )
    if place(url) == place(ask.url) and urlsplit(url).scheme == urlsplit(ask.url).scheme:
        return replace(ask, url=url)
    return replace(ask, url=url, secrets=(), private_places=frozenset())
