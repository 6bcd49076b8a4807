"""A text cut into marked and unmarked parts, and the part of it around a quote.

The cutting happens here and not in JavaScript because offsets count Python characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Part = tuple[str, str]
Span = tuple[int, int]


def marked_parts(text: str, *, quotes: Iterable[Span] = (), words: Iterable[str] = ()) -> list[Part]:
    """`text` as (piece, kind) pairs, kind "" or "word" or "quote"; the pieces joined give the text back.

    A quote wins over a word inside it. Spans outside the text are cut to it.
    """
    kinds = [""] * len(text)
    for start, end in _word_spans(text, words):
        kinds[start:end] = ["word"] * (end - start)
    for start, end in quotes:
        low, high = max(0, start), min(len(text), end)
        if low < high:
            kinds[low:high] = ["quote"] * (high - low)
    return _joined(text, kinds)


def snippet(text: str, *, quotes: Sequence[Span] = (), width: int = 320) -> tuple[str, int]:
    """About `width` characters of `text` around its first quote, and the offset they start at.

    Cut at spaces; the ellipses are the reader's to add, so that offsets stay true.
    """
    if len(text) <= width:
        return text, 0
    start = min((s for s, _ in quotes), default=0)
    low = max(0, min(start - width // 5, len(text) - width))
    low = 0 if low == 0 else _after_space(text, low)
    high = min(len(text), low + width)
    high = high if high == len(text) else _before_space(text, high, low)
    return text[low:high], low


def snippet_parts(text: str, *, quotes: Sequence[Span] = (), words: Iterable[str] = (), width: int = 320) -> list[Part]:
    """The marked parts of a snippet, with ellipses where text was left out."""
    piece, low = snippet(text, quotes=quotes, width=width)
    parts = marked_parts(piece, quotes=[(s - low, e - low) for s, e in quotes], words=words)
    before = [("… ", "")] if low else []
    after = [(" …", "")] if low + len(piece) < len(text) else []
    return [*before, *parts, *after]


def _word_spans(text: str, words: Iterable[str]) -> Iterable[Span]:
    wanted = sorted({re.escape(word) for word in words if word.strip()}, key=len, reverse=True)
    if not wanted:
        return []
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(wanted)})(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


def _joined(text: str, kinds: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    start = 0
    for i in range(1, len(text) + 1):
        if i == len(text) or kinds[i] != kinds[start]:
            parts.append((text[start:i], kinds[start]))
            start = i
    return parts


def _after_space(text: str, low: int) -> int:
    space = text.find(" ", low, low + 30)
    return low if space < 0 else space + 1


def _before_space(text: str, high: int, low: int) -> int:
    space = text.rfind(" ", max(low, high - 30), high)
    return high if space < 0 else space
