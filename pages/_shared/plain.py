"""Text of others as text: what a document, a question or a model wrote never becomes Markdown, a link or a picture."""

from __future__ import annotations

import re

from pages._shared import literal_text

_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def visible(text: str) -> str:
    """The text without control characters and without marks that turn the reading direction."""
    return _INVISIBLE.sub("", text)


def plain(text: str) -> str:
    """One line of Markdown that shows `text` as it is: no markup, link, image, formula, colour, icon or emoji code."""
    return literal_text.plain(visible(text))


def short(text: str, length: int = 80) -> str:
    """The text on one line, cut at a word with an ellipsis when it is longer than `length`; not escaped."""
    return literal_text.shortened(visible(text), length)


def coded(text: str) -> str:
    """The text as `plain` has it, but what stands between backticks as inline code: for ADAQ's own messages."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return plain(text)
    shown = [quoted(part) if number % 2 else _spaced(part) for number, part in enumerate(parts)]
    return "".join(shown)


def _spaced(part: str) -> str:
    """`plain`, with the blanks at the ends that stand before and behind code."""
    if not part.strip():
        return part
    return " " * part[:1].isspace() + plain(part) + " " * part[-1:].isspace()


def quoted(text: str) -> str:
    """The text as inline code: for queries; backticks become apostrophes so that they cannot end it."""
    line = " ".join(visible(text).split()).replace("`", "'")
    return f"`{line}`" if line else ""
