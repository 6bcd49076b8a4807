"""Whom "it", "its", "they" and "which of them" mean: what the question named before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adaq_core.model import QueryAspect, as_tuple
from adaq_core.question.asking_words import linear
from adaq_core.question.parsed import ParsedClause
from adaq_core.text.tokens import tokens

_PRONOUN = linear(
    r"\b(?:they|them|it|its|their|theirs)\b"
    r"|\b(?:this|these|those)\b(?=\s+(?:is|are|was|were|do|does|did|work|works|affect|mean|compare|in|on|to)\b|\s*$)",
    re.IGNORECASE,
)
_OWNING = ("its", "their", "theirs")
_PLURAL = ("they", "them", "their", "theirs", "these", "those")
_EMPTY_IT = linear(
    r"\bit\s+(?:cost|take|takes|took|rain|seem|seems)\b|\b(?:is|was|does|did|be)\s+it\s+(?:that|possible|true|important|cost|take|mean)\b|"
    r"\bit\s+(?:is|was)\s+(?:possible|true|important|said)\b",
    re.IGNORECASE,
)
_OTHERS = linear(r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers)\b", re.IGNORECASE)
_LONGEST_SUBJECT = 6
_NO_ANTECEDENT = frozenset(tokens("know think tell say like mean believe hear"))


def resolved(clause: ParsedClause, before: Sequence[QueryAspect], names: Sequence[str]) -> ParsedClause:
    """The clause with its pronouns replaced by what the aspects before it are about.

    "them" after several named things means all of them; "its" behind a name of the clause means that name.
    `names` are those that may be meant, in the order of the text.
    """
    match = _PRONOUN.search(clause.text)
    if match is None or not before or _EMPTY_IT.search(clause.text):
        return clause
    word = match.group().lower()
    if word in _OWNING and any(name in clause.text[: match.start()] for name in names):
        return clause
    meant = _several(before) if word in _PLURAL else ""
    meant = meant or _last_subject(before)
    if not meant and word not in _PLURAL:
        meant = next((name for name in reversed(names) if name in before[-1].aspect), "")
    return replace(clause, text=_replaced(clause.text, meant)) if meant else clause


def _replaced(text: str, meant: str) -> str:
    def named(match: re.Match[str]) -> str:
        return f"{meant}'s" if match.group().lower() in _OWNING else meant

    return _PRONOUN.sub(named, text, count=1)


def _several(before: Sequence[QueryAspect]) -> str:
    """The things of one list, as "A, B and C", where the aspects before speak of more than one."""
    last = before[-1].span
    things = as_tuple(a.subject for a in before if a.span == last and a.subject and a.aspect_type != "comparison")
    if len(things) < 2 or len(things) > 6 or not all(thing[:1].isupper() for thing in things):
        return ""
    return f"{', '.join(things[:-1])} and {things[-1]}"


def _last_subject(before: Sequence[QueryAspect]) -> str:
    """The first thing of the last clause that is about one."""
    told = [
        a for a in before if a.subject and len(a.subject.split()) <= _LONGEST_SUBJECT and a.aspect_type != "comparison"
    ]
    return next((a.subject for a in told if a.span == told[-1].span), "")


def without_antecedent(clause: str) -> str:
    """The pronoun that a first clause begins with before it names anything: "What about their competitors?"."""
    match = None if _EMPTY_IT.search(clause) else _OTHERS.search(clause)
    if match is None:
        return ""
    named = set(tokens(clause[: match.start()])) - _NO_ANTECEDENT
    return "" if named else match.group()
