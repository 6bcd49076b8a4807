"""Replies that ought to be JSON, read whatever was done to them: prose around it, fences, a missing end, wrong quotes.

Nothing is guessed in silence: whatever had to be done is one of the `problems`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MAX_DEPTH = 40
MAX_CHARS = 100_000
MAX_PIECES = 200
_THOUGHT = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\Z)'
_LOOSE = re.compile(
    rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[\]}}])|\b(?:True|False|None|NaN|undefined)\b", re.DOTALL
)
_PLAIN_WORDS = {"True": "true", "False": "false", "None": "null", "NaN": "null", "undefined": "null"}
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})
_CLOSER = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What a reply says, as well as it can be made out, and what was wrong with it; no problems, nothing done."""

    value: T
    problems: tuple[str, ...] = ()


def read_json(text: str) -> Parsed[Any]:
    """The JSON object or array in `text`; None when there is none, with the reason among the problems."""
    if len(text) > MAX_CHARS:
        return Parsed(None, (f"the reply has {len(text):,} characters, more than any answer needs",))
    body, problems = _bare(text)
    if not body:
        return Parsed(None, (*problems, "the reply is empty"))
    exact = _loads(body)
    if isinstance(exact, dict | list):
        return Parsed(exact, tuple(problems))
    return _found(body, problems)


def without_thoughts(text: str) -> str:
    """`text` without what a model thought aloud, also where it forgot to say that it begins or ends."""
    pieces = _THOUGHT.split(text)
    if len(pieces) == 1:
        return text
    kept, thinking = [pieces[0]], False
    for slash, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if slash and not thinking:
            kept.clear()
        thinking = not slash
        if not thinking:
            kept.append(piece)
    return "".join(kept)


def _bare(text: str) -> tuple[str, list[str]]:
    """The reply without thoughts and fences."""
    problems = []
    said = without_thoughts(text.lstrip("\ufeff")).strip()
    if said != text.strip():
        problems.append("the reply held the model's thoughts, which were left out")
    fenced = _FENCE.search(said)
    if fenced and re.match(r"\s*[\[{]", fenced[1]):
        problems.append("the JSON stood in a code fence")
        if _FENCE.sub("", said, count=1).strip():
            problems.append("there was text around the JSON")
        said = fenced[1].strip()
    return said, problems


def _found(body: str, problems: list[str]) -> Parsed[Any]:
    """The largest piece of `body` that can be read as JSON, mended where it has to be."""
    values: list[tuple[int, Any]] = []
    mended, at = False, 0
    while len(values) < MAX_PIECES and (start := _opening(body, at)) >= 0:
        end, whole = _extent(body, start)
        value = _loads(body[start:end])
        if value is None:
            value = _mended(body[start:end])
            mended = mended or value is not None
        if isinstance(value, dict | list) and (value or not values):
            values.append((end - start, value))
        if not whole:
            break
        at = end
    if not values:
        return Parsed(None, (*problems, "the reply holds no JSON"))
    if mended:
        problems.append("the JSON was malformed or cut off, and was mended")
    value = _joined(values, body, problems)
    return Parsed(value, tuple(problems))


def _opening(body: str, at: int) -> int:
    places = [place for place in (body.find("{", at), body.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _joined(values: list[tuple[int, Any]], body: str, problems: list[str]) -> Any:
    """One value: objects one after the other are a list, else the longest piece counts."""
    objects = [value for _, value in values if isinstance(value, dict)]
    if len(values) == len(objects) > 1:
        problems.append(f"{len(objects)} objects came one after the other and were read as a list")
        return objects
    size, value = max(values, key=lambda pair: pair[0])
    if size < len(body.strip()):
        problems.append("there was text around the JSON")
    return value


def _extent(body: str, start: int) -> tuple[int, bool]:
    """Where the bracket at `start` is closed, and whether it is."""
    depth = 0
    for place, char in _outside_strings(body[start:]):
        depth += (char in "{[") - (char in "}]")
        if char in "}]" and depth == 0:
            return start + place + 1, True
    return len(body), False


def _loads(text: str) -> Any:
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        return None
    try:
        return json.loads(text, strict=False, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _depth(text: str) -> int:
    deepest = depth = 0
    for char in text:
        depth += (char in "{[") - (char in "}]")
        deepest = max(deepest, depth)
    return deepest


def _mended(text: str) -> Any:
    """`text` with its loose ends tied: tried in turn, the mildest first."""
    if _depth(text) > MAX_DEPTH:
        return None
    tidy = _tidy(_tidy(text))
    straight = tidy.translate(_CURLY)
    for attempt in (
        tidy,
        _closed(tidy),
        _closed(straight),
        _closed(_keys_quoted(tidy)),
        _closed(_quotes_escaped(tidy)),
    ):
        value = _loads(attempt)
        if isinstance(value, dict | list):
            return value
    return _python(text)


def _tidy(text: str) -> str:
    """`text` without comments and commas too many, and with JSON's own words for true, false and null."""
    return _LOOSE.sub(lambda m: m[1] or _PLAIN_WORDS.get(m[0], ""), text)


def _quotes_escaped(text: str) -> str:
    """`text` with a quote escaped where neither what is before it nor what is behind it lets it open or close."""
    return re.sub(r'(?<![\\\s{\[,:])"(?!\s*[,:}\]])|(?<=[^\s{\[,:\\]\s)"(?=\w[^"]*"\s*[^\s,:}\]])', r'\\"', text)


def _keys_quoted(text: str) -> str:
    return re.sub(rf"({_STRING})|([{{,]\s*)([A-Za-z_]\w*)(?=\s*:)", lambda m: m[1] or f'{m[2]}"{m[3]}"', text)


def _closed(text: str) -> str:
    """`text` cut back to its last complete member, with every open bracket closed.

    Half a string or number is dropped: half a sentence is no finding, and 0.8 cut to 0 is wrong.
    """
    stack: list[str] = []
    safe, closers = 0, ""
    for place, char in _outside_strings(text):
        if char in "{[":
            stack.append(_CLOSER[char])
        elif char in "}]" and (not stack or stack.pop() != char):
            break
        if char in "{}[],":
            safe, closers = place + (char != ","), "".join(reversed(stack))
    whole = text.rstrip() + closers
    return whole if text.rstrip()[-1:] in _ENDINGS and _loads(whole) is not None else text[:safe] + closers


_ENDINGS = ('"', "e", "l")


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    quoted = skip = False
    for place, char in enumerate(text):
        if skip:
            skip = False
        elif char == "\\":
            skip = quoted
        elif char == '"':
            quoted = not quoted
        elif not quoted:
            yield place, char


def _python(text: str) -> Any:
    """A Python literal, which models write when they forget which language they are in."""
    if len(text) > 20_000:
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    return _json_like(value)


def _json_like(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (ValueError, TypeError, RecursionError):
        return None
