"""Where sentences begin and end."""

from __future__ import annotations

import re

_SHORT = """
mr mrs ms dr prof sr jr st gen col lt sgt capt maj adm gov sen rep rev hon pres vs v etc al inc ltd co corp
plc llc
no nos vol vols fig figs eq sec ch pp p ed eds approx ca cf dept est min max jan feb mar apr jun jul aug sep sept oct
nov dec mt ft ave blvd rd bros e.g i.e u.s u.k u.n a.m p.m ph.d b.a m.a d.c l.a b.sc m.sc
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_BREAK = re.compile(r"(?P<stop>[.!?…]{1,8}[\"'”’)\]]{0,8})(?=\s)|(?P<wide>[。！？]{1,8})|(?P<line>\n\s{0,200})")
_INITIALS = re.compile(r"[^\W\d_a-z](?:\.[^\W\d_a-z]){0,4}")
_LAST_WORD = re.compile(r"([^\W_]{1,24}(?:\.[^\W_]{1,24}){0,8})$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Half-open character ranges of the sentences, in order, without surrounding white space; none for blank text.

    A full stop after an abbreviation or an initial does not end a sentence; a line break does unless the line goes on
    in lower case.
    """
    found: list[tuple[int, int]] = []
    start = 0
    for match in _BREAK.finditer(text):
        if _ends(text, match):
            _keep(text, start, match.end(), found)
            start = match.end()
    _keep(text, start, len(text), found)
    return found


def _ends(text: str, match: re.Match[str]) -> bool:
    if match.group("wide"):
        return True
    following = text[match.end() : match.end() + 64].lstrip()[:1]
    if match.group("line") is not None:
        return text.count("\n", match.start(), match.end()) > 1 or not following.islower()
    if following.islower():
        return False
    if match.group("stop")[0] != "." or match.group("stop").startswith(".."):
        return True
    return not _is_abbreviated(text, match.start())


def _is_abbreviated(text: str, stop: int) -> bool:
    word = _LAST_WORD.search(text, max(0, stop - 24), stop)
    if word is None:
        return False
    last = word.group()
    return _INITIALS.fullmatch(last) is not None or last.lower() in _ABBREVIATIONS


def _keep(text: str, start: int, end: int, found: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left:
        found.append((start + left, start + right))
