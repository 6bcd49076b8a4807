"""Foreign text shown as text: what a document, a question or a model wrote never becomes Markdown, link or picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from adaq_core.text.tokens import short as short
from adaq_core.text.tokens import visible as visible

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LINK_STARTS = re.compile(r"(?i)(https?|ftp|www|@)(?=[:.\w])")
_SHORTCODES = re.compile(r":(?=[\w+\-/]+[:\[])")
_ARROWS = re.compile(r"(?<!\S)(<-|-|~|<|>)(?=[->=]{1,2}(?!\S))")
_JOINER = "\u2060"
_CITATIONS = re.compile(r"(?<!\s)\s*\[\d+(?:\s*,\s*\d+)*\]")


def sentence(error: Exception | str) -> str:
    """Return an error's text as a sentence in literal Markdown."""
    said = str(error)
    return literal(full_stop(said[:1].upper() + said[1:]))


def full_stop(text: str) -> str:
    """Return the text with a full stop unless it ends with a mark of its own."""
    return text if not text or text.endswith((".", "!", "?", ":", "…")) else f"{text}."


def literal(text: str) -> str:
    r"""Return one line of Markdown that shows `text` as it is: no markup, link, image, formula, colour, icon or emoji.

    Streamlit turns addresses, `:shortcodes:` and arrows into links and pictures after it has parsed the escapes, so
    an invisible word joiner breaks those, and only those: elsewhere it would hide words from a search of the page.
    """
    line = " ".join(visible(text).split())
    for pattern in (_LINK_STARTS, _SHORTCODES, _ARROWS):
        line = pattern.sub(rf"\g<0>{_JOINER}", line)
    return _PUNCTUATION.sub(r"\\\1", line)


def without_citations(text: str) -> str:
    """Return a statement without its citation numbers."""
    return _CITATIONS.sub("", text)


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


_LONGEST = 2_000


def web_link(url: str) -> str:
    """The address when it can be offered as a link: http or https, a host, no user name, nothing invisible; else ""."""
    return url if host(url) else ""


def host(url: str) -> str:
    """Return a link's host for display, IDNs in ASCII: `example.org`, `xn--…`; "" if it is no link."""
    if len(url) > _LONGEST or visible(url) != url or any(letter.isspace() for letter in url):
        return ""
    try:
        parts = urlsplit(url)
        _ = parts.port
        if parts.scheme not in ("http", "https") or parts.username is not None or parts.password is not None:
            return ""
        return (parts.hostname or "").encode("idna").decode("ascii").removeprefix("www.")
    except ValueError:
        return ""


Part = tuple[str, str]
Span = tuple[int, int]


def emphasized(parts: Iterable[Part]) -> str:
    """Return parts of a text as literal Markdown, those of one kind in bold."""
    return "".join(f"**{literal(piece)}**" if kind else _spaced(piece) for piece, kind in parts)


def marked_parts(
    text: str, *, quotes: Iterable[Span] = (), faint: Iterable[Span] = (), words: Iterable[str] = ()
) -> list[Part]:
    """`text` as (piece, kind) pairs, kind "" or "word", "faint" or "quote"; the pieces joined give the text back.

    A quote wins over a faint one, that over a word inside it. Spans outside the text are cut to it.
    """
    kinds = [""] * len(text)
    for kind, spans in (("word", _word_spans(text, words)), ("faint", faint), ("quote", quotes)):
        for start, end in spans:
            low = max(0, start)
            high = min(len(text), end)
            if low < high:
                kinds[low:high] = [kind] * (high - low)
    return _joined(text, kinds)


def snippet(text: str, *, quotes: Sequence[Span] = (), width: int = 320) -> tuple[str, int]:
    """Return about `width` characters of `text` around its first quote, and their offset.

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
