"""Text of others as text: what a document, a question or a model wrote never becomes Markdown, a link or a picture."""

from __future__ import annotations

import re

_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LINK_STARTS = re.compile(r"(?i)(https?|ftp|www|@)(?=[:.\w])")
_SHORTCODES = re.compile(r":(?=[\w+\-/]+[:\[])")
_ARROWS = re.compile(r"(?<!\S)(<-|-|~|<|>)(?=[->=]{1,2}(?!\S))")
_JOINER = "\u2060"


def visible(text: str) -> str:
    """Return the text without control characters and without marks that turn the reading direction."""
    return _INVISIBLE.sub("", text)


def literal(text: str) -> str:
    r"""Return one line of Markdown that shows `text` as it is: no markup, link, image, formula, colour, icon or emoji.

    Streamlit turns addresses, `:shortcodes:` and arrows into links and pictures after it has parsed the escapes, so
    an invisible word joiner breaks those, and only those: elsewhere it would hide words from a search of the page.
    """
    line = " ".join(visible(text).split())
    for pattern in (_LINK_STARTS, _SHORTCODES, _ARROWS):
        line = pattern.sub(rf"\g<0>{_JOINER}", line)
    return _PUNCTUATION.sub(r"\\\1", line)


def short(text: str, length: int = 80) -> str:
    """Return the text on one line, cut at a word to at most `length` characters, with an ellipsis; not escaped."""
    line = " ".join(visible(text).split())
    if len(line) <= length:
        return line
    return line[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def coded(text: str) -> str:
    """Return `text` as `literal` has it, but what stands between backticks as inline code: for ADAQ's own messages."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return literal(text)
    pieces = [quoted(part) if number % 2 else _spaced(part) for number, part in enumerate(parts)]
    return "".join(pieces)


def quoted(text: str) -> str:
    """Return the text as inline code: for queries; backticks become apostrophes so that they cannot end it."""
    line = " ".join(visible(text).split()).replace("`", "'")
    return f"`{line}`" if line else ""


def _spaced(part: str) -> str:
    """Return `literal`, with the blanks at the ends that stand before and behind code."""
    if not part.strip():
        return part
    return " " * part[:1].isspace() + literal(part) + " " * part[-1:].isspace()
