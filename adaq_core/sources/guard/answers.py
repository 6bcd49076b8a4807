"""An answer judged: its body when it is what was asked for, where it redirects to, or what is wrong, in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adaq_core.errors import SourceError
from adaq_core.sources.guard.addresses import shown
from adaq_core.sources.guard.bodies import MIB, TooLarge, read_bounded
from adaq_core.sources.guard.rate_limit import seconds_to_wait
from adaq_core.sources.reply_json import message_in

if TYPE_CHECKING:
    import httpx

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
                f"expected JSON from {shown(self.url)}, got {len(self.body)} bytes that are not ({error}); try again"
            ) from error

    def text(self) -> str:
        """The body as text."""
        try:
            return self.body.decode(self.charset or "utf-8", errors="replace")
        except (LookupError, UnicodeError):  # codecs such as punycode and idna refuse even with "replace"
            return self.body.decode("utf-8", errors="replace")


class HttpStatusError(SourceError):
    """A host answered, but not with what was asked for: `status`, and its own words in `said`."""

    def __init__(self, message: str, *, status: int, said: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.said = said


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
    """The answer, or where it redirects to; Passing or Answered when it is neither, TooLarge when it is too long."""
    status = response.status_code
    if status in _REDIRECTS and "location" in response.headers:
        return response.headers["location"]
    content_type, charset = _kind(response)
    if status != 200:
        raise _fault(response, expected)
    if not _fits(content_type, expected.kinds):
        said = expected.hidden(_said(response))
        words = f"expected {expected.kinds[0]} from {expected.where}, got {content_type or 'no content type'}"
        raise HttpStatusError(f"{words}{f' ({said})' if said else ''}; not read", status=status, said=said)
    return Fetched(expected.url, content_type, _body(response, expected), charset)


def _fault(response: httpx.Response, expected: Expected) -> SourceError:
    status = response.status_code
    said = expected.hidden(_said(response))
    words = f"{expected.where} answered {status}{f' ({said})' if said else ''}; {_advice(status)}"
    error = HttpStatusError(words, status=status, said=said)
    if status not in _PASSING:
        return error
    wait = seconds_to_wait(response.headers.get("retry-after", ""), now=expected.now())
    return TransientError(error, wait=wait, of_host=status not in (408, 429))


def _body(response: httpx.Response, expected: Expected) -> bytes:
    limit = expected.most_bytes
    declared = response.headers.get("content-length", "")[:20]
    if declared.isdigit() and int(declared) > limit:
        raise TooLarge(f"{expected.where} has {int(declared) // MIB} MiB to give; the limit is {limit // MIB} MiB")
    encoding = response.headers.get("content-encoding", "")
    try:
        return read_bounded(response.iter_raw(), encoding=encoding, limit=limit)
    except SourceError as error:
        raise type(error)(f"{expected.where}: {error}") from error


def _kind(response: httpx.Response) -> tuple[str, str]:
    """Content type and charset of an answer."""
    content_type, _, rest = response.headers.get("content-type", "").partition(";")
    charset = rest.lower().partition("charset=")[2].partition(";")[0].strip().strip("\"'")
    return content_type.strip().lower()[:80], charset[:40]


def _fits(content_type: str, kinds: tuple[str, ...]) -> bool:
    return kinds == ANY or any(
        content_type == kind or (kind.startswith("+") and content_type.endswith(kind)) for kind in kinds
    )


def _said(response: httpx.Response) -> str:
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
        return "too many requests: wait, or ask it less"
    return "try again later" if status >= 500 else "check the address and the settings of this source"
