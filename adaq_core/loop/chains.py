"""Clauses about named things: relation chains, pairs, lists of topics over things, and plain facts."""

from __future__ import annotations

import re
from itertools import pairwise

from adaq_core.loop.clauses import Clause, soft_clauses
from adaq_core.loop.constraints import constraints
from adaq_core.loop.profiles import FacetProfile
from adaq_core.loop.shapes import SIDE, about, content, split_items, typed_aspect
from adaq_core.model import AspectType, QueryAspect, as_tuple
from adaq_core.text.entities import Name, names

_RISK = r"(?:risks?|threats?|challenges?|headwinds?|dangers?)"
_GENERIC = (
    r"(?:top|main|key|major|biggest|greatest|principal|most important|largest|current|primary|important|the|what|are|"
    r"is|which|list|name|describe|explain|discuss|summari[sz]e|some|of)"
)
_ADJUNCT = r"(?:in|at|on|from|after|before|since|during|outside|inside|within|beyond|because|under|with|without)\s.+"
_PROFILE = re.compile(
    rf"^(?:{_GENERIC}\s+)*{_RISK}\s+(?:that\s+)?"
    r"(?:(?:facing|for|of|to|faced by|confronting|do|does|did|is|are)\s+)?(?P<who>.+?)"
    rf"(?:\s+(?:faced?|faces|facing|confronts?)(?:\s+{_ADJUNCT})?)?$",
    re.IGNORECASE,
)
_QUALIFIED = re.compile(
    rf"^(?:what|which|list|name|describe|explain|discuss|compare)\s+(?:(?:are|were|is)\s+)?(?:{_GENERIC}\s+)*(?P<kinds>.+?)"
    rf"\s+(?P<noun>{_RISK})\s+(?:(?:that\s+)?(?:does|do|did|is|are)\s+|(?:facing|of|for|to|at)\s+)(?P<who>.+?)"
    rf"(?:\s+(?:faced?|facing|confront)(?:\s+{_ADJUNCT})?)?$",
    re.IGNORECASE,
)
_TOPIC: tuple[tuple[AspectType, re.Pattern[str]], ...] = (
    ("evaluation", re.compile(rf"^{SIDE}$", re.I)),
    ("application", re.compile(r"^(?:uses?|use cases|applications?)$", re.I)),
    ("definition", re.compile(r"^(?:definitions?|meanings?)$", re.I)),
)
_LIST = re.compile(
    r"^(?:(?:what\s+(?:are|is)|list|name|describe|explain|discuss|summari[sz]e|outline|give)\s+)?(?:the\s+)?(?:(?:main|key|top|major)\s+)?"
    r"(?P<topics>[\w' -]+?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)[\w' -]+?)*)\s+(?:of|for|facing|at|in)\s+(?P<items>.+)$",
    re.IGNORECASE,
)
_RELATION = re.compile(r"\bthe\s+(?P<relation>[a-z][\w'-]*(?:\s+[a-z][\w'-]*){0,3}?)\s+of\s+(?P<rest>(?:the\s+)?.+)$")
_LAST_THING = re.compile(
    r"^(?:the\s+)?(?P<kind>(?:[a-z][\w-]*\s+){0,3}?)(?P<name>[\"“][^\"”]+[\"”]|[A-Z0-9][\w.'’&:-]*(?:\s+(?:of|the|and|de|la|van|von|in|on|for|to|&|[A-Z0-9(][\w.'’&:)-]*))*)"
)
_JOINED = re.compile(r"[\"”’']?,?\s+(?:and|or)\s+(?:[Tt]he\s+|[Aa]n?\s+)?(?:[a-z]+\s+)?[\"“‘']?")
_TITLE_AHEAD = re.compile(
    r"\b(?:film|movie|song|album|book|novel|series|show|play|game|magazine|opera|poem)\s+[\"“‘']?$", re.IGNORECASE
)
_ACTED_ON = re.compile(r"\b(?:affect|impact|influence|hit|hurt|threaten|help|hinder)(?:s|ed)?\s+$", re.IGNORECASE)
_LONGEST_NAME = 96
_BARE_PHRASE = 4
_LONG_SUBJECT = 10


def facets(clause: Clause, profile: FacetProfile, subject: str) -> list[QueryAspect]:
    """One aspect per facet of `profile`, about `subject`."""
    return [
        QueryAspect(
            profile.name_aspect(facet.facet, subject),
            "facet",
            facet.importance,
            facet.keywords,
            clause.span,
            subject=subject,
        )
        for facet in profile.facets
    ]


def risk_subject(clause: Clause) -> str:
    """Whose risks a clause asks for when it names no kind of risk and one subject; empty otherwise."""
    match = _PROFILE.match(clause.text)
    who = re.sub(r"^(?:the\s+)", "", match.group("who").strip()) if match else ""
    return who if who and len(split_items(who)) == 1 and len(who.split()) <= 6 else ""


def topic_list(clause: Clause) -> list[QueryAspect]:
    """“T1, T2 and T3 of X, Y and Z”: one aspect per topic and thing; [] unless topics or things are several."""
    match = _LIST.match(clause.text)
    if match is None:
        return []
    topics, items = split_items(match.group("topics")), split_items(match.group("items"))
    several_things = len(items) > 1 and all(item[:1].isupper() for item in items)
    if (len(topics) < 2 and not several_things) or any(len(t.split()) > 4 or _holds_name(t) for t in topics):
        return []
    things = items if several_things else [match.group("items")]
    if things[0][:1].isdigit():
        return []
    return [_topic_of(clause, topic, thing) for thing in things for topic in topics]


def _holds_name(topic: str) -> bool:
    return any(c.isupper() for c in topic[1:]) and not topic.isupper()


def qualified_risks(clause: Clause) -> list[QueryAspect]:
    """“What legal and regulatory risks does X face”: one aspect per kind of risk."""
    match = _QUALIFIED.match(clause.text)
    if match is None:
        return []
    noun = match.group("noun").lower()
    kinds = split_items(match.group("kinds"))
    return [about(clause, who, f"{kind} {noun}") for who in split_items(match.group("who")) for kind in kinds]


def _topic_of(clause: Clause, topic: str, thing: str) -> QueryAspect:
    kind = next((kind for kind, pattern in _TOPIC if pattern.match(topic)), None)
    if kind == "evaluation":
        plain = typed_aspect(kind, thing, clause.span)
        name = f"{topic[:1].upper()}{topic[1:]} of {thing}"
        return QueryAspect(name, kind, 1.0, (*plain.keywords, *content(topic)), clause.span, subject=thing)
    return typed_aspect(kind, thing, clause.span) if kind else about(clause, thing, topic)


def chain(clause: Clause) -> list[QueryAspect]:
    """“the R1 of the R2 of F”: R2 of F, then R1 of that, each depending on the one before; [] for other shapes."""
    match = _RELATION.search(clause.text)
    if match is None:
        return []
    relations, thing = _nested(match)
    if not thing:
        return []
    inner = f"{relations[-1]} of {thing}"
    links = [_link(clause, relations[-1], thing, inner, after=None)]
    for relation in reversed(relations[:-1]):
        inner = f"{relation} of the {inner}"
        links.append(_link(clause, relation, thing, inner, after=links[-1].aspect))
    rest = _outside(clause, relations, thing)
    if rest and (len(links) > 1 or _ATTRIBUTE.search(clause.text)):
        links.append(_asked(clause, rest, inner, after=links[-1].aspect))
    return links if len(links) > 1 else []


def _nested(match: re.Match[str]) -> tuple[list[str], str]:
    relations, rest = [match.group("relation")], match.group("rest")
    while True:
        thing = _LAST_THING.match(rest)
        inner = re.match(r"^(?:the\s+)?(?P<relation>[a-z][\w'-]*(?:\s+[a-z][\w'-]*){0,2}?)\s+of\s+(?P<rest>.+)$", rest)
        if inner is None or (thing and thing.end("kind") == 0 and thing.start("name") == 0):
            return relations, _thing(thing)
        relations.append(inner.group("relation"))
        rest = inner.group("rest")


def _thing(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    name = re.sub(r"(?:\s+(?:of|the|and|in|on|for|to|&))+$", "", match.group("name")).strip('"“”')
    return f"{match.group('kind')}{name}".strip()


def _link(clause: Clause, relation: str, thing: str, name: str, *, after: str | None) -> QueryAspect:
    bare = re.sub(r"^(?:[a-z]+\s+)*?(?=[A-Z0-9\"“])", "", thing)
    return QueryAspect(
        f"{name[:1].upper()}{name[1:]}",
        "relation",
        1.0,
        as_tuple([*content(relation), *content(thing)]),
        clause.span,
        subject=bare if after is None else "",
        depends_on=after,
    )


_ATTRIBUTE = re.compile(
    r"^(?:when|where)\b|\b(?:born|die|died|death|birth|nationality|country|city|educated|graduated|studied|study|buried|married|"
    r"award|position|work|works|worked|genre|university|school|spouse|wife|husband|child|children|from)\b",
    re.IGNORECASE,
)
_BARE = frozenset(
    [
        "who",
        "what",
        "which",
        "is",
        "was",
        "were",
        "are",
        "are",
        "the",
        "of",
        "a",
        "an",
        "did",
        "does",
        "do",
        "name",
        "when",
        "where",
        "whose",
        "whom",
    ]
)


def _outside(clause: Clause, relations: list[str], thing: str) -> tuple[str, ...]:
    carried = {w for text in (*relations, thing) for w in content(text)}
    asked = [w for w in content(clause.text) if w not in carried and w not in _BARE]
    when = re.match(r"^(when|where)\b", clause.text, re.IGNORECASE)
    return tuple([*([when.group(1).lower()] if when else []), *asked]) if asked else ()


def _asked(clause: Clause, rest: tuple[str, ...], of: str, *, after: str) -> QueryAspect:
    words = {"when": "date", "where": "place"}
    keywords = tuple(words.get(word, word) for word in rest)
    return QueryAspect(f"{' '.join(rest).capitalize()}: {of}", "relation", 1.0, keywords, clause.span, depends_on=after)


def pair(clause: Clause) -> list[QueryAspect]:
    """Named things joined by commas, "and" or "or", each with what is asked of them; [] when fewer than two are."""
    return _each(clause, _joined_names(clause))


def several(clause: Clause) -> list[QueryAspect]:
    """The same for three named things or more, or for two that something affects; [] otherwise."""
    listed = _joined_names(clause)
    acted_on = bool(listed) and _ACTED_ON.search(clause.text[: listed[0].start])
    return _each(clause, listed) if len(listed) > 2 or acted_on else []


def _joined_names(clause: Clause) -> list[Name]:
    """The first list of names in the clause, sources and the parts of titles aside."""
    sources = [c.span for c in constraints(clause.text) if c.kind == "source" and c.span]
    spans = [n for n in names(clause.text) if n.kind in ("name", "acronym", "quoted")]
    spans = [n for n in spans if not any(s <= n.start < e for s, e in sources)]
    for first, second in pairwise(spans):
        between = clause.text[first.end : second.start]
        if _JOINED.fullmatch(between) and not _TITLE_AHEAD.search(clause.text[: first.start]):
            return _of_two([*_before(clause, first, spans), first, second], clause)
    return []


def _of_two(listed: list[Name], clause: Clause) -> list[Name]:
    """Of "both A, B and C" the first and the last: B says where A is."""
    both = re.search(r"\bboth\b", clause.text, re.IGNORECASE)
    return [listed[0], listed[-1]] if both else listed


def _before(clause: Clause, last: Name, spans: list[Name]) -> list[Name]:
    """The names that commas join to `last`."""
    found: list[Name] = []
    for name in reversed(spans[: spans.index(last)]):
        if clause.text[name.end : (found[-1] if found else last).start] != ", ":
            break
        found.append(name)
    return found[::-1]


def _each(clause: Clause, listed: list[Name]) -> list[QueryAspect]:
    if not listed:
        return []
    rest = as_tuple([*content(clause.text[: listed[0].start]), *content(clause.text[listed[-1].end :])])
    return [_fact_about(clause, name.text, rest) for name in listed]


def _fact_about(clause: Clause, thing: str, rest: tuple[str, ...]) -> QueryAspect:
    asked = " ".join(rest[:8])
    name = f"{thing}: {asked}" if asked else thing
    return QueryAspect(name, "entity", 1.0, as_tuple([*content(thing), *rest]), clause.span, subject=thing)


def facts(clause: Clause, question: str) -> list[QueryAspect]:
    """The clause as it stands, cut at its relative clauses when it is long."""
    return [_fact(piece) for piece in soft_clauses(clause, question)]


def _fact(clause: Clause) -> QueryAspect:
    words = clause.text.split()
    if len(words) <= _BARE_PHRASE and words[0].lower() not in _BARE:
        return typed_aspect("definition", clause.text, clause.span)
    text = clause.text if clause.text.isupper() else f"{clause.text[:1].upper()}{clause.text[1:]}"
    if len(text) > _LONGEST_NAME:
        text = text[:_LONGEST_NAME].rsplit(" ", 1)[0] + " …"
    what_is = re.match(r"^what\s+(?:is|are|was|were)\s+(?:the\s+)?(?P<x>.+)$", clause.text, re.IGNORECASE)
    subject = what_is.group("x") if what_is and len(words) <= _LONG_SUBJECT else ""
    return QueryAspect(text, "entity", 1.0, content(clause.text), clause.span, subject=subject)
