"""Reading what services reply: JSON whose shape is not to be trusted, and the words in an error page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from typing import Any

from adaq_core.corpus.reading import clean
from adaq_core.errors import SourceError

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
        said = message_of(reply)
        raise SourceError(
            f"expected a list at {'.'.join(path) or 'the top'} of the reply, got "
            f"{said or type(result).__name__}; the service may have changed"
        )
    return [item for item in result if isinstance(item, dict)]


def first_hits(wordings: Iterable[str], ask: Callable[[str], list[Record]]) -> list[Record]:
    """What `ask` gets for the first of `wordings` that gets anything; those behind it are not asked."""
    return next((hits for wording in wordings if (hits := ask(wording))), [])


def record(value: Any, key: str) -> Record:
    """The object under `key`; an empty one when there is none."""
    result = value.get(key) if isinstance(value, dict) else None
    return result if isinstance(result, dict) else {}


def said(value: Record, key: str) -> str:
    """The text under `key`, cleaned and on one line; empty when there is no text."""
    result = value.get(key)
    if isinstance(result, str):
        return " ".join(clean(result).split())
    return ""


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
    """The first message in a JSON reply, looked for under the usual names; empty when there is none."""
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
    """The text of a piece of HTML; text without any markup comes back as it is."""
    if "<" not in markup:
        return clean(html.unescape(markup)).strip()
    reader = _Text()
    reader.feed(markup)
    reader.close()
    lines = (" ".join(line.split()) for line in clean("".join(reader.parts)).splitlines())
    return "\n".join(line for line in lines if line)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unread += tag in _UNREAD
        self.parts.append("\n" if tag in _BLOCKS else "")

    def handle_endtag(self, tag: str) -> None:
        self._unread = max(0, self._unread - (tag in _UNREAD))
        self.parts.append("\n" if tag in _BLOCKS else "")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.parts.append(data)


def _short(message: str) -> str:
    line = re.sub(r"\s+", " ", clean(message)).strip()
    if len(line) <= _LONGEST_MESSAGE:
        return line
    return f"{line[: _LONGEST_MESSAGE - 1]}…"
