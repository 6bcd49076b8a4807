"""Whether a passage holds a quote, whatever became of white space and Unicode forms when the text was cut."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
REMEMBERED = 20_000


def plain(text: str) -> str:
    """The text in NFKC, invisible characters dropped, runs of white space as one space."""
    return " ".join(INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


class Quotes:
    """Looks quotes up in texts and remembers their normalised forms: the same passages come up again and again."""

    def __init__(self, *, remembered: int = REMEMBERED) -> None:
        self._plain = lru_cache(maxsize=remembered)(plain)

    def held(self, quote: str, text: str) -> bool:
        """Whether `text` holds `quote`; an empty quote is held by nothing."""
        wanted = self._plain(quote)
        return bool(wanted) and wanted in self._plain(text)
