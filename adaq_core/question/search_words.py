"""Questions as search engines want them: the words that say something, or only the names, on one line."""

from __future__ import annotations

import re

from adaq_core.question.asking_words import ASKING

_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]")
_WORD = re.compile(r"[^\W_](?:[\w&.'’-]*\w)?")


def wordings(query: str, *, most_words: int = 8, quoted: bool = True) -> tuple[str, ...]:
    """What to search for, best first: all telling words, then (when there are fewer) the names and numbers alone.

    Engines that want every word find nothing for a long question; the second wording is for that. Nothing in it is an
    operator: quotes hold plain phrases, all other signs are gone. Empty when the query says nothing.
    """
    phrases, rest = _phrases(query) if quoted else ([], query)
    words = [word for word in _WORD.findall(rest) if word.lower() not in ASKING]
    telling = _distinct([*phrases, *words])[:most_words]
    names = [word for word in telling if word.startswith('"') or word != word.lower() or word.isdigit()]
    found = (" ".join(telling), " ".join(names))
    return tuple(dict.fromkeys(wording for wording in found if wording))


def short(query: str, *, most_characters: int = 400, most_words: int = 50) -> str:
    """The query on one line, cut at a word to what an engine takes."""
    words = query.split()[:most_words]
    while words and len(" ".join(words)) > most_characters:
        words.pop()
    return " ".join(words) or " ".join(query.split())[:most_characters]


def _phrases(query: str) -> tuple[list[str], str]:
    phrases = [f'"{" ".join(_WORD.findall(phrase))}"' for phrase in _QUOTED.findall(query)]
    return [phrase for phrase in phrases if len(phrase) > 2], _QUOTED.sub(" ", query)


def _distinct(words: list[str]) -> list[str]:
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word.lower(), word)
    return list(first.values())
