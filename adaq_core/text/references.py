"""Whether a sentence can be read alone, or refers to the one before it."""

from __future__ import annotations

import re

PRONOUN = re.compile(r"(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|We|Our)\b")
_POINTS_BACK = re.compile(
    r"(?:That|This|These|Those|Such|Both|However|But|And|Yet|Instead|Therefore|Thus|Hence|Moreover|Similarly|Likewise|"
    r"Consequently|Otherwise|Still|Then|Next|Finally|Lastly|Later|Afterwards|Nevertheless|Meanwhile|"
    r"Conversely|So|Another|One of them|"
    r"The (?:same|latter|former|other|others|two|three|first|second|third|rest|result)|Neither|Either|Each of|"
    r"Some of them|Most of them|All of them|In addition|As a result|For (?:example|instance|this|that)|"
    r"In (?:the same|that|this|both)|On the other hand|By contrast|In contrast|At the same time|"
    r"After (?:that|this)|Because of (?:that|this)|"
    r"(?:A|One|Two|Three) (?:day|week|month|year)s? later|(?:Second|Third|Fourth|Fifth)(?:ly)?(?=,))\b"
)
_MIDWAY = re.compile(
    r"\b(?:also|too|as well(?! as)"
    r"|(?:that|this) (?:decision|ruling|outcome|verdict|plea|deal|agreement|order|law|rule|limit|gap|year|case))\b"
)
_MIDWAY_WITHIN = 90


def refers_back(text: str) -> bool:
    """Whether a sentence cannot be read without the one before it."""
    if PRONOUN.match(text) or _POINTS_BACK.match(text):
        return True
    return _MIDWAY.search(text, 0, _MIDWAY_WITHIN) is not None


def opens_in_mid_air(text: str) -> bool:
    """Whether a text should not begin with this sentence; "we" and "our" are whoever wrote it."""
    return refers_back(text) and not text.startswith(_WRITERS)


_WRITERS = ("We ", "Our ")
