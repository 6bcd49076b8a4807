"""Text from questions, documents and models made safe to put into Markdown labels."""

from __future__ import annotations

import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LINK_STARTS = re.compile(r"(?i)(https?|ftp|www|@)(?=[:.\w])")
_SHORTCODES = re.compile(r":(?=[\w+\-/]+[:\[])")
_ARROWS = re.compile(r"(?<!\S)(<-|-|~|<|>)(?=[->=]{1,2}(?!\S))")
_JOINER = "\u2060"


def plain(text: str) -> str:
    r"""`text` as Markdown that shows it literally: no links, pictures, colours, icons or HTML.

    Streamlit turns addresses, `:shortcodes:` and arrows into links and pictures after it has parsed the escapes, so
    an invisible word joiner breaks those, and only those: elsewhere it would hide words from a search of the page.
    """
    line = " ".join(text.split())
    for pattern in (_LINK_STARTS, _SHORTCODES, _ARROWS):
        line = pattern.sub(rf"\g<0>{_JOINER}", line)
    return _PUNCTUATION.sub(r"\\\1", line)


def shortened(text: str, limit: int) -> str:
    """`text` on one line, cut at a word border to at most `limit` characters, with an ellipsis when cut."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    return line[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


def seconds(value: float | None) -> str:
    """A duration as people read it: "12 ms", "0.31 s", "1 min 5 s"; "–" when unknown."""
    if value is None:
        return "–"
    if value < 0.0995:
        return f"{value * 1000:.0f} ms"
    if value < 59.95:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    whole = round(value)
    return f"{whole // 60} min {whole % 60} s"
