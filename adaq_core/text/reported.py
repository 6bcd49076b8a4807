"""The publications that a question asks for by name: "an article from The Times", "according to Reuters"."""

from __future__ import annotations

import re

from adaq_core.text.entities import Name, names

_REPORT = r"(?:articles?|reports?|pieces?|stor(?:y|ies)|posts?|publications?)"
_LOOSE = rf"(?:{_REPORT}|reporting|reviews?|analys[ie]s|coverage|features?|another|one|reported|published|covered)"
_BEFORE = re.compile(rf"\b(?:{_LOOSE}\s+(?:from|by|in)|according\s+to)\s+(?:(?:the|an?|both)\s+)*$", re.IGNORECASE)
_AFTER = re.compile(rf"(?:['’]s)?\s+{_REPORT}\b", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|or)\s+(?:(?:the|an?)\s+)*", re.IGNORECASE)


def asked_sources(question: str) -> list[Name]:
    """The names in `question` that stand where a publication does, in order."""
    found: list[Name] = []
    before: Name | None = None
    for name in names(question):
        if name.kind not in ("name", "acronym"):
            continue
        told = _BEFORE.search(question[: name.start]) or _AFTER.match(question, name.end)
        listed = before is not None and _AND.fullmatch(question, before.end, name.start)
        before = name if told or listed else None
        if before is not None:
            found.append(name)
    return found
