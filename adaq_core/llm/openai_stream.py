"""Answers of an OpenAI-compatible server, read piece by piece."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from adaq_core.errors import ModelError
from adaq_core.llm.openai_errors import Words

_MAX_ERROR_BYTES = 20_000


@dataclass(slots=True)
class Heard:
    """A reply as it comes in, and what had to be done for it."""

    said: list[str] = field(default_factory=list)
    usage: Mapping[str, Any] = field(default_factory=dict)
    finish: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of it so far."""
        return "".join(self.said)


def events(response: httpx.Response, heard: Heard, words: Words) -> Generator[str]:
    """The pieces of a 200 answer, which is a stream of events or, from servers that do not stream, one object."""
    if "text/event-stream" not in response.headers.get("Content-Type", ""):
        response.read()
        yield _take(response.json(), heard, words)
        heard.finish = heard.finish or "stop"
        return
    for line in response.iter_lines():
        data = line[5:].strip() if line.startswith("data:") else ""
        if data == "[DONE]":
            heard.finish = heard.finish or "stop"
            return
        if data:
            yield _take(json.loads(data), heard, words)
    if heard.finish is None:
        raise httpx.RemoteProtocolError("the stream ended before the reply did")


def _take(part: Any, heard: Heard, words: Words) -> str:
    """The text in one event; what else it says goes into `heard`."""
    if not isinstance(part, dict):
        raise ValueError(f"expected an object, but a {type(part).__name__} came")
    if part.get("error"):
        raise ModelError(f"{words.model} reported an error: {words.clean(_said(part))}", raw=heard.text)
    if isinstance(part.get("usage"), dict):
        heard.usage = part["usage"]
    choices = part.get("choices") or ()
    if not choices:
        return ""
    heard.said.append(str((choices[0].get("delta") or choices[0].get("message") or {}).get("content") or ""))
    heard.finish = choices[0].get("finish_reason") or heard.finish
    return heard.said[-1]


def error_text(response: httpx.Response) -> str:
    """What an answer that is no reply says, as far as it is worth reading."""
    held = b""
    for block in response.iter_bytes():
        held += block
        if len(held) > _MAX_ERROR_BYTES:
            break
    text = held.decode(errors="replace")
    try:
        return _said(json.loads(text))
    except ValueError:
        return text


def _said(body: Any) -> str:
    error = body.get("error", body) if isinstance(body, dict) else body
    said = error.get("message", error) if isinstance(error, dict) else error
    return said if isinstance(said, str) else json.dumps(said)


def waiting(response: httpx.Response, tries: int) -> float:
    """Seconds to wait: what the server asks for in seconds, else 1, 2, 4 and so on."""
    asked = response.headers.get("Retry-After", "")
    return max(0.1, float(asked)) if re.fullmatch(r"\d{1,6}(?:\.\d+)?", asked) else float(2**tries)


def count(value: Any) -> int | None:
    """A number of tokens; None when it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def cut_off(heard: Heard) -> tuple[str, ...]:
    """That the reply is not whole, in words, if it is not."""
    if heard.finish == "length":
        return ("The reply was cut off at the most tokens that a reply may have (ADAQ_MAX_REPLY_TOKENS).",)
    if heard.finish == "content_filter":
        return ("The server's content filter cut the reply off.",)
    return ()
