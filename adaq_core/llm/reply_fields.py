"""The fields of a reply that was read as JSON, whatever types and names the model gave them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from adaq_core.llm.json_reply import Parsed
from adaq_core.text.tokens import fold, tokens, words

Item = Mapping[str, Any]

MAX_TEXT = 2_000
MAX_ITEMS = 200
_ALIKE = 0.85
_NUMBER = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*(%|/\s*(10|100|5)\b)?")
_TRUE = frozenset(["true", "yes", "y", "stop", "1", "enough", "sufficient"])
_FALSE = frozenset(["false", "no", "n", "continue", "0", "insufficient"])


def items(value: Any, *names: str, text: str) -> Parsed[tuple[Item, ...]]:
    """The objects of a list: `value` itself, or what it holds under one of `names`, or the one list it holds.

    A bare string in the list is an object with only the field `text`; what is neither is left out.
    """
    found = _list(value, names)
    kept: list[Item] = []
    for item in found[:MAX_ITEMS]:
        if isinstance(item, Mapping):
            kept.append(item)
        elif isinstance(item, str) and item.strip():
            kept.append({text: item})
    problems = []
    if not isinstance(value, list | Mapping):
        problems.append(f"expected a list of {names[0]}, but {_kind(value)} came")
    if lost := len(found) - len(kept):
        problems.append(f"{lost} of {len(found)} {names[0]} could not be read")
    return Parsed(tuple(kept), tuple(problems))


def _list(value: Any, names: Iterable[str]) -> list[Any]:
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return []
    held = pick(value, *names)
    if isinstance(held, list):
        return held
    if isinstance(held, Mapping):
        return [held] if any(isinstance(v, str | list) for v in held.values()) else list(held.values())
    lists = [v for v in value.values() if isinstance(v, list)]
    if len(lists) == 1 and any(isinstance(v, Mapping) for v in lists[0]):
        return list(lists[0])
    return [value] if value else []


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def pick(item: Item, *names: str) -> Any:
    """The first field that has one of `names`, case and underscores aside; None when there is none."""
    plain = {_plain(key): value for key, value in item.items() if isinstance(key, str)}
    return next((plain[_plain(name)] for name in names if _plain(name) in plain), None)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def text_of(item: Item, *names: str) -> str:
    """The text in the first of the fields `names`, on one line; empty when it is missing or no text."""
    value = pick(item, *names)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())[:MAX_TEXT]


def texts_of(item: Item, *names: str) -> tuple[str, ...]:
    """The texts in a field that should be a list; one text with commas or semicolons counts as several."""
    value = pick(item, *names)
    if isinstance(value, str):
        value = re.split(r"\s*[;,]\s*", value)
    if not isinstance(value, list):
        return ()
    found = (" ".join(str(v).split())[:MAX_TEXT] for v in value if isinstance(v, str | int | float))
    return tuple(dict.fromkeys(text for text in found if text))


def number_of(item: Item, *names: str) -> float | None:
    """The share in [0, 1] in a field: 0.8, "0.8", "80%", "8/10"; None when it is none or outside."""
    value = pick(item, *names)
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        found = _NUMBER.search(value)
        if found is None:
            return None
        scale = 100.0 if found[2] == "%" else float(found[3]) if found[3] else 1.0
        value = float(found[1]) / scale
    if not isinstance(value, int | float):
        return None
    try:
        share = float(value)
    except OverflowError:
        return None
    return share if math.isfinite(share) and 0.0 <= share <= 1.0 else None


def truth_of(item: Item, *names: str) -> bool | None:
    """Yes or no in a field; None when it says neither."""
    value = pick(item, *names)
    if isinstance(value, bool):
        return value
    word = _plain(str(value)) if isinstance(value, str | int) else ""
    return True if word in _TRUE else False if word in _FALSE else None


def known_name(name: str, known: Collection[str]) -> str | None:
    """The one of `known` that `name` means: spelt alike, the same words, its number, or nearly; None if unsure."""
    if name in known:
        return name
    folded = " ".join(words(re.sub(r"^\s*(?:aspect\s*)?\d+[.):]\s*|\[\w+\]\s*", "", name, flags=re.IGNORECASE)))
    by_words: dict[str, list[str]] = {}
    for candidate in known:
        by_words.setdefault(" ".join(words(candidate)), []).append(candidate)
    if len(by_words.get(folded, ())) == 1:
        return by_words[folded][0]
    if number := re.fullmatch(r"\s*(?:aspect\s*)?#?(\d{1,3})\s*", name, flags=re.IGNORECASE):
        place = int(number[1]) - 1
        return list(known)[place] if 0 <= place < len(known) else None
    return _nearest(name, known)


def _nearest(name: str, known: Collection[str]) -> str | None:
    terms = set(tokens(name))
    same = [candidate for candidate in known if terms and set(tokens(candidate)) == terms]
    if len(same) == 1:
        return same[0]
    scored = sorted(((SequenceMatcher(None, fold(name), fold(c)).ratio(), c) for c in known), reverse=True)
    clear = len(scored) < 2 or scored[0][0] - scored[1][0] > 0.05
    return scored[0][1] if scored and scored[0][0] >= _ALIKE and clear else None
