"""Which words say the same of a subject, and which say the opposite: one editable file of data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from adaq_core.model import AspectType, QueryAspect
from adaq_core.question.aspect_patterns import HISTORY
from adaq_core.text.tokens import terms_of, tokens

CUES: dict[AspectType, frozenset[str]] = {
    "process": frozenset(
        tokens(
            "work step first then next finally process mechanism computes multiplies produces transforms passes "
            "updates learns trained combines weighted sum divides compares scores selects reads writes repeats input "
            "output layer matches decides"
        )
    ),
    "causal": frozenset(
        tokens(
            "because since therefore reason cause leads allows lets enables so important result consequence matters "
            "makes helps reasons importance"
        )
    ),
    "evaluation": frozenset(
        tokens(
            "advantage disadvantage strength weakness limitation benefit cost costs expensive cheap drawback however "
            "problem slow fast fails struggle suffers weak strong good poor better worse memory quadratic efficient "
            "robust lacks misses limits limited trade"
        )
    ),
    "application": frozenset(
        tokens("used use uses application example such apply applied translation search classification powers serves")
    ),
    "comparison": frozenset(
        tokens(
            "differ difference whereas while unlike than compared contrast both instead other same similar however "
            "more less faster slower one many several each replace"
        )
    ),
}
PLAIN = frozenset(
    tokens(
        "disadvantage drawback weakness limitation advantage benefit strength important importance because applications"
    )
)
_ORIGIN_CUES = frozenset(tokens("introduced proposed invented history origin published appeared paper"))
_DRAWBACKS = tokens(
    "disadvantage drawback weakness limitation however problem cost costs expensive slow fails struggle suffers weak "
    "poor worse quadratic lacks misses limits limited"
)
_MERITS = tokens("advantage benefit strength strong good better fast cheap efficient robust allows helps improves")
_OPPOSED = (
    (frozenset(tokens("disadvantage drawback weakness limitation con downside")), frozenset(_DRAWBACKS)),
    (frozenset(tokens("advantage benefit strength pro merit")), frozenset(_MERITS)),
)


def cues_of(aspect: QueryAspect) -> frozenset[str]:
    """The index terms by which a sentence shows that it says of the subject what the aspect asks."""
    if aspect.aspect == HISTORY:
        return _ORIGIN_CUES
    asked = frozenset(t for word in aspect.keywords for t in tokens(word))
    for side, cues in _OPPOSED:
        if aspect.aspect_type == "evaluation" and asked & side:
            return cues
    return CUES.get(aspect.aspect_type, frozenset()) | (asked - terms_of(aspect.subject))


PATH = Path(__file__).with_name("lexicon.json")

Phrase = frozenset[str]


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return data


@cache
def _senses() -> Mapping[str, frozenset[Phrase]]:
    """Each single index term with the phrases of every line that it stands in."""
    alike: dict[str, set[Phrase]] = {}
    for line in _data()["senses"]:
        phrases = {frozenset(tokens(text)) for text in line} - {frozenset()}
        for phrase in phrases:
            if len(phrase) == 1:
                alike.setdefault(min(phrase), set()).update(phrases)
    return {term: frozenset(phrases) for term, phrases in alike.items()}


@cache
def phrases() -> Mapping[str, tuple[tuple[tuple[str, ...], frozenset[Phrase]], ...]]:
    """The phrases of more than one term by their first: the terms in order, and what says the same as all of them."""
    known: dict[str, dict[tuple[str, ...], set[Phrase]]] = {}
    for line in _data()["senses"]:
        said = [tuple(tokens(text)) for text in line]
        alike = {frozenset(terms) for terms in said if terms}
        for terms in said:
            if len(terms) > 1:
                known.setdefault(terms[0], {}).setdefault(terms, set()).update(alike)
    return {
        first: tuple((terms, frozenset(alike)) for terms, alike in sorted(found.items(), key=lambda f: -len(f[0])))
        for first, found in known.items()
    }


@cache
def _opposed() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sides in _data()["opposites"]:
        terms = [frozenset(term for text in side for term in tokens(text)) for side in sides]
        for own, other in (terms, terms[::-1]):
            for term in own:
                found.setdefault(term, set()).update(other)
    return {term: frozenset(others) for term, others in found.items()}


def same_sense(term: str) -> frozenset[Phrase]:
    """What says the same as an index term: sets of terms of which all must stand in a sentence; itself among them."""
    return _senses().get(term, frozenset()) | {frozenset((term,))}


def opposite(term: str) -> frozenset[str]:
    """The index terms that say the opposite of `term`."""
    return _opposed().get(term, frozenset())
