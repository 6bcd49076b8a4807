"""Plan: a question becomes the aspects that the evidence has to cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from adaq_core.errors import InputError
from adaq_core.loop import chains, shapes
from adaq_core.loop.clauses import Clause, clauses, has_pronoun, with_subject
from adaq_core.loop.constraints import constraints
from adaq_core.loop.profiles import FacetProfile
from adaq_core.model import Constraint, QueryAspect, as_tuple
from adaq_core.text.entities import names
from adaq_core.text.tokens import tokens

RISK_PROFILE = "company_risk"
MAX_WORDS = 400
MAX_ASPECTS = 14
_LONGEST_THING, _LONGEST_REASON = 6, 10
_NO_THING = frozenset(("which", "what", "who", "in", "after", "before", "does", "did", "are", "is", "from", "that"))
_HAS_CLAUSE = frozenset(("that", "which", "who", "whose"))
_NO_TOPIC = frozenset(["which", "what", "who", "whose", "when", "where", "featured", "known", "listed"])
_ASKING_WORDS = frozenset(
    tokens(
        "list name tell describe explain discuss summarise give compare contrast face facing face top main key major "
        "biggest important please difference different differ vs versus work role use used meaning relate many much "
        "mean better worse best overview important various terms regard kind type certain several some way one two "
        "three year"
    )
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The aspects of a question, the words that none of them carries, and the facet profile that was used."""

    aspects: tuple[QueryAspect, ...]
    lost: tuple[str, ...] = ()
    profile: str | None = None


def checked(question: str) -> str:
    """The question without surrounding white space; InputError when it is empty or too long to be one."""
    text = " ".join(question.split())
    if not re.search(r"\w", text):
        raise InputError(
            "The question is empty: write what you want to know, for example “Top risks facing Tesla in 2025”."
        )
    count = len(text.split())
    if count > MAX_WORDS:
        raise InputError(
            f"The question has {count:,} words; up to {MAX_WORDS} can be planned. "
            "Ask the question in a few sentences and add long texts to a corpus instead."
        )
    return text


def plan(question: str, *, profiles: dict[str, FacetProfile], profile: str | None = None) -> Plan:
    """Split `question` into aspects; `profile` attaches a facet profile, else the question may call for one itself."""
    question = checked(question)
    found: list[QueryAspect] = []
    used = profile
    for clause in _asking(question):
        aspects, called = _clause_aspects(_resolved(clause, found), question, profiles=profiles)
        found += aspects
        used = used or called
    if profile is not None:
        found = _with_profile(question, found, _known(profile, profiles))
    return finished(question, found, profiles=profiles, profile=used)


def finished(
    question: str, found: list[QueryAspect], *, profiles: dict[str, FacetProfile], profile: str | None = None
) -> Plan:
    """A plan of the aspects `found`, each once, with the conditions of the question and the words of known facets."""
    found = [_with_synonyms(aspect, profiles.get(RISK_PROFILE)) for aspect in _unique(found)]
    planned = tuple(_constrained(found, constraints(question)))[:MAX_ASPECTS]
    return Plan(planned, lost_words(question, planned), profile)


def lost_words(question: str, aspects: tuple[QueryAspect, ...]) -> tuple[str, ...]:
    """The words of `question` that no aspect carries in its name, keywords, subject or constraints."""
    carried = set(_ASKING_WORDS)
    for aspect in aspects:
        carried.update(tokens(" ".join((aspect.aspect, aspect.subject, *aspect.keywords))))
        carried.update(t for constraint in aspect.constraints for t in tokens(constraint.text))
    return tuple(dict.fromkeys(w for w in shapes.content(question) if (t := tokens(w)) and not carried.issuperset(t)))


def _asking(question: str) -> list[Clause]:
    """The clauses that ask something: one that only names a source or a date is a constraint of the others."""
    found = clauses(question)
    asking = [clause for clause in found if not _only_constrains(clause)]
    return asking or found


def _only_constrains(clause: Clause) -> bool:
    carried = {t for c in constraints(clause.text) for t in tokens(c.text)} | set(tokens("according reported per"))
    return carried.issuperset(tokens(clause.text))


def _known(profile: str, profiles: dict[str, FacetProfile]) -> FacetProfile:
    if profile not in profiles:
        raise InputError(f"There is no facet profile {profile!r}; the profiles are {', '.join(sorted(profiles))}.")
    return profiles[profile]


def _resolved(clause: Clause, before: list[QueryAspect]) -> Clause:
    if not has_pronoun(clause):
        return clause
    subject = next((a.subject for a in reversed(before) if a.subject), "")
    named = [n.text for a in before for n in names(a.aspect) if n.kind in ("name", "acronym")]
    return with_subject(clause, subject or (named[-1] if named else ""))


def _clause_aspects(
    clause: Clause, question: str, *, profiles: dict[str, FacetProfile]
) -> tuple[list[QueryAspect], str | None]:
    bare = _without_date(clause)
    who = chains.risk_subject(bare)
    if who and RISK_PROFILE in profiles:
        return chains.facets(clause, profiles[RISK_PROFILE], who), RISK_PROFILE
    recognise: tuple[Callable[[Clause], list[QueryAspect]], ...] = (
        shapes.parts_of_whole,
        shapes.comparison,
        chains.chain,
        chains.qualified_risks,
        chains.topic_list,
        chains.several,
        _typed_unless_factual,
        chains.pair,
    )
    for shape in recognise:
        aspects = shape(bare)
        if aspects and all(_well_formed(aspect) for aspect in aspects):
            return aspects, None
    return chains.facts(clause, question), None


def _well_formed(aspect: QueryAspect) -> bool:
    """Whether a shape found things, not pieces of a long sentence: short subjects that do not begin a question."""
    if aspect.aspect_type in ("entity", "relation", "comparison"):
        return True
    words = aspect.subject.lower().split() or [""]
    longest = _LONGEST_REASON if aspect.aspect_type == "causal" else _LONGEST_THING
    topic = aspect.aspect.lower().split()[0]
    return len(words) <= longest and words[0] not in _NO_THING and topic not in _NO_TOPIC and not _HAS_CLAUSE & {*words}


def _typed_unless_factual(clause: Clause) -> list[QueryAspect]:
    """Typed shapes, but "what is the capital of the country where …" is a fact to look up, not a definition."""
    found = shapes.typed(clause)
    plain = all(a.aspect_type != "definition" or _is_concept(a.subject) for a in found)
    return found if plain else []


def _is_concept(subject: str) -> bool:
    return len(subject.split()) <= 6 and not re.search(
        r"\b(?:of|that|which|who|whose|where|when|by|from)\b|['’]s\b", subject, re.IGNORECASE
    )


def _without_date(clause: Clause) -> Clause:
    """The clause without its dates and places, which become constraints, so that shapes see what is asked."""
    text = clause.text
    for constraint in reversed(constraints(text)):
        if constraint.kind in ("date", "place") and constraint.span and _is_adjunct(text, constraint):
            start, end = constraint.span
            text = f"{text[:start].rstrip(' ,')} {text[end:].lstrip()}".strip(" ,")
    return replace(clause, text=text) if tokens(text) else clause


def _is_adjunct(text: str, constraint: Constraint) -> bool:
    """Whether a date or place stands at the end or start of the clause behind a preposition of its own."""
    assert constraint.span is not None
    start, end = constraint.span
    at_edge = not text[end:].strip(" ,.?") or start == 0
    return at_edge and re.match(r"[A-Za-z]+\s", constraint.text) is not None


def _with_profile(question: str, found: list[QueryAspect], profile: FacetProfile) -> list[QueryAspect]:
    if any(aspect.aspect_type == "facet" for aspect in found):
        return found
    subject = next((a.subject for a in found if a.subject), "") or " ".join(shapes.content(question)[:6])
    return chains.facets(Clause(question, 0, question), profile, subject)


def _with_synonyms(aspect: QueryAspect, profile: FacetProfile | None) -> QueryAspect:
    """A topic that is a facet of the profile ("legal risks") is spoken of in the words of that facet too."""
    if aspect.aspect_type != "facet" or profile is None:
        return aspect
    asked = set(tokens(" ".join(aspect.keywords)))
    same = [f for f in profile.facets if asked & set(tokens(f.facet)) or asked & set(tokens(f.keywords[0]))]
    return replace(aspect, keywords=as_tuple([*aspect.keywords, *(word for f in same for word in f.keywords)]))


def _constrained(aspects: list[QueryAspect], found: list[Constraint]) -> list[QueryAspect]:
    """Each constraint goes to the aspects of its own clause, or to all when it stands outside every clause."""
    placed = []
    for aspect in aspects:
        own = tuple(c for c in found if _belongs(c, aspect, aspects))
        placed.append(replace(aspect, constraints=own))
    return placed


def _belongs(constraint: Constraint, aspect: QueryAspect, aspects: list[QueryAspect]) -> bool:
    def holds(other: QueryAspect) -> bool:
        spans = other.span, constraint.span
        return spans[0] is not None and spans[1] is not None and spans[0][0] <= spans[1][0] < spans[0][1]

    return holds(aspect) or not any(holds(other) for other in aspects)


def _unique(aspects: list[QueryAspect]) -> list[QueryAspect]:
    """The first aspect of each name, and of each set of words where two facts ask for the same."""
    kept: dict[object, QueryAspect] = {}
    for aspect in aspects:
        same_words = frozenset(tokens(" ".join((*aspect.keywords, aspect.subject))))
        kept.setdefault(same_words if aspect.aspect_type == "entity" else aspect.aspect.lower(), aspect)
    return list(kept.values())
