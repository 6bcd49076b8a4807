"""Conditions that a question puts on the evidence: a named source, a date, a place, a quoted phrase."""

from __future__ import annotations

import re

from adaq_core.model import Constraint
from adaq_core.text.dates import dates

_NAME = r"(?:[A-Z][\w.&'’-]*)(?:\s+(?:of|the|and|&|[A-Z][\w.&'’-]*))*"
_SOURCE = re.compile(
    rf"\b(?:[Aa]ccording to|as reported (?:by|in)|reported by|as per|published (?:by|in)|covered by|from|by|in)\s+"
    rf"(?:the\s+)?(?:(?P<named>{_NAME})\s+(?:article|report|story|filing|blog|paper)s?\b)"
    rf"|\b(?:[Aa]ccording to|as reported (?:by|in)|reported by|as per|published (?:by|in)|covered by)\s+(?:both\s+)?"
    rf"(?:the\s+)?(?P<plain>{_NAME})"
    rf"|\b(?:[Tt]he\s+)?(?P<lead>{_NAME})\s+(?:article|story)\b"
)
_WHEN = re.compile(
    r"\b(?:[Ss]ince|[Bb]efore|[Aa]fter|[Uu]ntil|by|[Dd]uring|[Ii]n|[Ff]rom|between|[Aa]s of|of|[Oo]n)\s+"
    r"(?:the\s+)?(?:early\s+|late\s+)?$"
)
_PLACES = re.compile(
    r"\b(?:in|across|within|for|throughout)\s+(?:the\s+)?(?P<place>"
    r"Europe|European Union|EU|United States|US|USA|U\.S\.|America|United Kingdom|UK|China|India|Japan|Germany|France|"
    r"Asia|Africa|North America|South America|Latin America|Canada|Mexico|Brazil|Australia|Taiwan|South Korea|Russia|"
    r"Middle East|California|Texas|New York)(?=[\s,.;?!]|$)"
)
_ASKING = re.compile(
    r"^(?:(?:Do|Does|Did|Is|Are|Was|Were|Has|Have|What|Which|Who|How|Why|When|While|Whereas|The|the)\s+)+(?=[A-Z])"
)
_QUOTED = re.compile(r"[\"“]([^\"”]{2,120})[\"”]")


def constraints(question: str) -> list[Constraint]:
    """The constraints of `question`, by place; a date keeps its preposition ("since 2020")."""
    found = [*_dates(question), *_sources(question), *_places(question), *_quotes(question)]
    return sorted(found, key=lambda c: c.span or (0, 0))


def _dates(question: str) -> list[Constraint]:
    found = []
    for date in dates(question):
        start, end = date.span
        before = _WHEN.search(question[:start])
        begin = before.start() if before else start
        found.append(Constraint("date", question[begin:end], (begin, end)))
    return found


def _sources(question: str) -> list[Constraint]:
    found = []
    for match in _SOURCE.finditer(question):
        group = next(name for name in ("named", "plain", "lead") if match.group(name))
        found += _split_source(question, *match.span(group))
    return found


def _split_source(question: str, start: int, end: int) -> list[Constraint]:
    """“The Verge and TechCrunch” are two sources."""
    found = []
    for part in re.finditer(r"(?:(?!\s+and\s+).)+", question[start:end]):
        text = _ASKING.sub("", re.sub(r"^\s*(?:and\s+)?", "", part.group()))
        begin = start + part.end() - len(text)
        found.append(Constraint("source", text, (begin, begin + len(text))))
    return found


def _places(question: str) -> list[Constraint]:
    return [Constraint("place", m.group(), m.span()) for m in _PLACES.finditer(question)]


def _quotes(question: str) -> list[Constraint]:
    return [Constraint("quoted", m.group(1), m.span(1)) for m in _QUOTED.finditer(question)]
