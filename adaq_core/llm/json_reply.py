"""JSON out of the messy reply of a model, and its fields read as what they were meant to be.

Nothing is guessed in silence: whatever had to be done is one of the `problems`.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Generic, TypeVar

from adaq_core.text.tokens import fold, tokens, words

T = TypeVar("T")

MAX_DEPTH = 40
MAX_CHARS = 100_000
MAX_PIECES = 200
_THOUGHT = re.compile(r"(?i)<(/?)think(?:ing)?>")
_FENCE = re.compile(r"(?s)```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)")
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\Z)'
_LOOSE = re.compile(rf"(?s)({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)|,(?=\s*[\]}}])|\b(?:True|False|None|NaN|undefined)\b")
_PLAIN_WORDS = {"True": "true", "False": "false", "None": "null", "NaN": "null", "undefined": "null"}
_CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})
_CLOSER = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T]):
    """What a reply says, as well as it can be made out, and what was wrong with it; no problems, nothing done."""

    value: T
    problems: tuple[str, ...] = ()


def read_json(text: str) -> Parsed[Any]:
    """Return the JSON object or array in `text`; None if there is none, with the reason among the problems."""
    if len(text) > MAX_CHARS:
        return Parsed(None, (f"the reply has {len(text):,} characters, more than any answer needs",))
    body, problems = _bare(text)
    if not body:
        return Parsed(None, (*problems, "the reply is empty"))
    exact = _loads(body)
    if isinstance(exact, dict | list):
        return Parsed(exact, tuple(problems))
    return _largest(body, problems)


def without_thoughts(text: str) -> str:
    """Return `text` without what a model thought aloud, even if a mark of its beginning or end is missing."""
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
    """Return the reply without thoughts and code fences."""
    problems = []
    bare = without_thoughts(text.lstrip("\ufeff")).strip()
    if bare != text.strip():
        problems.append("the reply held the model's thoughts, which were left out")
    fenced = _FENCE.search(bare)
    if fenced and fenced[1].lstrip().startswith(("[", "{")):
        problems.append("the JSON stood in a code fence")
        if _FENCE.sub("", bare, count=1).strip():
            problems.append("there was text around the JSON")
        bare = fenced[1].strip()
    return bare, problems


def _largest(body: str, problems: list[str]) -> Parsed[Any]:
    """Return the largest piece of `body` that can be read as JSON, repaired if necessary."""
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
    """Return one value: objects one after the other become a list, else the longest piece counts."""
    objects = [value for _, value in values if isinstance(value, dict)]
    if len(values) == len(objects) > 1:
        problems.append(f"{len(objects)} objects came one after the other and were read as a list")
        return objects
    size, value = max(values, key=lambda pair: pair[0])
    if size < len(body.strip()):
        problems.append("there was text around the JSON")
    return value


def _extent(body: str, start: int) -> tuple[int, bool]:
    """Return where the bracket at `start` is closed, and whether it is."""
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
    """Return `text` with repairs tried in turn, the mildest first, until it parses."""
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
    """Return `text` without comments and superfluous commas, and with JSON's true, false and null."""
    return _LOOSE.sub(lambda m: m[1] or _PLAIN_WORDS.get(m[0], ""), text)


def _quotes_escaped(text: str) -> str:
    """`text` with a quote escaped where neither what is before it nor what is behind it lets it open or close."""
    return re.sub(r'(?<![\\\s{\[,:])"(?!\s*[,:}\]])|(?<=[^\s{\[,:\\]\s)"(?=\w[^"]*"\s*[^\s,:}\]])', r'\\"', text)


def _keys_quoted(text: str) -> str:
    return re.sub(rf"({_STRING})|([{{,]\s*)([A-Za-z_]\w*)(?=\s*:)", lambda m: m[1] or f'{m[2]}"{m[3]}"', text)


def _closed(text: str) -> str:
    """Return `text` cut back to its last complete member, with every open bracket closed.

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
            safe = place + (char != ",")
            closers = "".join(reversed(stack))
    whole = text.rstrip() + closers
    if text.rstrip()[-1:] in _ENDINGS and _loads(whole) is not None:
        return whole
    return text[:safe] + closers


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
    """Parse a Python literal, which models sometimes write in place of JSON."""
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


Item = Mapping[str, Any]

MAX_TEXT = 2_000
MAX_ITEMS = 200
_ALIKE = 0.85
_NUMBER = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*(%|/\s*(10|100|5)\b)?")
_TRUE = frozenset(["true", "yes", "y", "stop", "1", "enough", "sufficient"])
_FALSE = frozenset(["false", "no", "n", "continue", "0", "insufficient"])


def items(value: Any, *names: str, text: str) -> Parsed[tuple[Item, ...]]:
    """Return the objects of a list: `value` itself, what it holds under one of `names`, or its only list.

    A bare string in the list is an object with only the field `text`; what is neither is left out.
    """
    result = _list(value, names)
    kept: list[Item] = []
    for item in result[:MAX_ITEMS]:
        if isinstance(item, Mapping):
            kept.append(item)
        elif isinstance(item, str) and item.strip():
            kept.append({text: item})
    problems = []
    if not isinstance(value, list | Mapping):
        problems.append(f"expected a list of {names[0]}, but {_kind(value)} came")
    if lost := len(result) - len(kept):
        problems.append(f"{lost} of {len(result)} {names[0]} could not be read")
    return Parsed(tuple(kept), tuple(problems))


def _list(value: Any, names: Iterable[str]) -> list[Any]:
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return []
    picked = pick(value, *names)
    if isinstance(picked, list):
        return picked
    if isinstance(picked, Mapping):
        if any(isinstance(v, str | list) for v in picked.values()):
            return [picked]
        return list(picked.values())
    lists = [v for v in value.values() if isinstance(v, list)]
    if len(lists) == 1 and any(isinstance(v, Mapping) for v in lists[0]):
        return list(lists[0])
    return [value] if value else []


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def pick(item: Item, *names: str) -> Any:
    """Return the first field with one of `names`, ignoring case and underscores; None without one."""
    plain = {_plain(key): value for key, value in item.items() if isinstance(key, str)}
    for name in map(_plain, names):
        if name in plain:
            return plain[name]
    return None


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def text_of(item: Item, *names: str) -> str:
    """Return the text of the first of the fields `names`, on one line; "" if it is missing or no text."""
    value = pick(item, *names)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())[:MAX_TEXT]


def texts_of(item: Item, *names: str) -> tuple[str, ...]:
    """Return the texts in a field that should be a list; one text is split at commas or semicolons."""
    value = pick(item, *names)
    if isinstance(value, str):
        value = re.split(r"[;,]", value)
    if not isinstance(value, list):
        return ()
    plain = (str(each) for each in value if isinstance(each, str | int | float))
    results = (" ".join(text.split())[:MAX_TEXT] for text in plain)
    return tuple(dict.fromkeys(text for text in results if text))


def number_of(item: Item, *names: str) -> float | None:
    """Read a share in [0, 1] from 0.8, "0.8", "80%" or "8/10"; None for anything else."""
    value = pick(item, *names)
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        match = _NUMBER.search(value)
        if match is None:
            return None
        scale = 100.0 if match[2] == "%" else float(match[3]) if match[3] else 1.0
        value = float(match[1]) / scale
    if not isinstance(value, int | float):
        return None
    try:
        share = float(value)
    except OverflowError:
        return None
    return share if math.isfinite(share) and 0.0 <= share <= 1.0 else None


def truth_of(item: Item, *names: str) -> bool | None:
    """Read yes or no from a field; None if it says neither."""
    value = pick(item, *names)
    if isinstance(value, bool):
        return value
    if isinstance(value, str | int):
        word = _plain(str(value))
    else:
        word = ""
    return True if word in _TRUE else False if word in _FALSE else None


def known_name(name: str, known: Collection[str]) -> str | None:
    """Return the one of `known` that `name` means (spelling, words, number, or nearly); None if unsure."""
    if name in known:
        return name
    folded = " ".join(words(re.sub(r"^\s*(?:aspect\s*)?\d+[.):]\s*|\[\w+\]\s*", "", name, flags=re.IGNORECASE)))
    by_words: dict[str, list[str]] = {}
    for candidate in known:
        by_words.setdefault(" ".join(words(candidate)), []).append(candidate)
    if len(by_words.get(folded, ())) == 1:
        return by_words[folded][0]
    if number := re.fullmatch(r"(?:aspect\s{0,3})?#?(\d{1,3})", name.strip(), flags=re.IGNORECASE):
        place = int(number[1]) - 1
        if 0 <= place < len(known):
            return list(known)[place]
        return None
    return _nearest(name, known)


def _nearest(name: str, known: Collection[str]) -> str | None:
    terms = set(tokens(name))
    same = [candidate for candidate in known if terms and set(tokens(candidate)) == terms]
    if len(same) == 1:
        return same[0]
    likeness = {candidate: SequenceMatcher(None, fold(name), fold(candidate)).ratio() for candidate in known}
    scored = sorted(((share, candidate) for candidate, share in likeness.items()), reverse=True)
    (best, nearest), *others = scored or [(0.0, "")]
    is_clear = not others or best - others[0][0] > 0.05
    return nearest if best >= _ALIKE and is_clear else None
