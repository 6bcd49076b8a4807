"""What the acronyms of a corpus stand for, because a text says so or a title has these initials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from adaq_core.model import Passage
from adaq_core.text.tokens import STOP_WORDS

_SAID = re.compile(r"((?:[A-Za-z][\w-]*[ -]){1,6}?[A-Za-z][\w-]*)\s+\(([A-Z][A-Za-z]*[A-Z])s?\)")
_ACRONYM = re.compile(r"^[A-Z][A-Za-z]*[A-Z]s?$|^[A-Z]{2,}s?$")
_SHORTEST = 2


def acronyms_of(passages: Iterable[Passage]) -> dict[str, str]:
    """Acronym → long form; what a text says in brackets goes before what a title's initials suggest."""
    said: dict[str, str] = {}
    titled: dict[str, str] = {}
    for passage in passages:
        for match in _SAID.finditer(passage.text):
            long = _long_form(match.group(1), match.group(2))
            if long:
                said.setdefault(match.group(2), long)
        initials = _initials(passage.title)
        if len(initials) > _SHORTEST:
            titled.setdefault(initials, passage.title)
    return titled | said


def is_acronym(name: str) -> bool:
    """Whether the name is written as an acronym, plural ones too."""
    return _ACRONYM.match(name) is not None


def long_form(acronym: str, known: Mapping[str, str]) -> str | None:
    """What an acronym or its plural stands for, None when that is not known."""
    return known.get(acronym) or known.get(acronym.removesuffix("s"))


def _initials(title: str) -> str:
    words = [w for w in re.findall(r"[A-Za-z]+", title) if w.lower() not in STOP_WORDS]
    return "".join(word[0] for word in words).upper()


def _long_form(words: str, acronym: str) -> str | None:
    """The last words whose initials spell the acronym."""
    parts = re.findall(r"[A-Za-z]+", words)
    letters = acronym.upper()
    tail = parts[-len(letters) :]
    return " ".join(tail) if "".join(p[0] for p in tail).upper() == letters and len(tail) == len(letters) else None
