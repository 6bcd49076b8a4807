"""Model replies to each kind of request, read into typed values, with a list of all that was wrong in them.

Each reader takes the text of a reply and gives `Parsed`: the value (empty when nothing could be used) and the problems.
The caller turns the problems into events and an empty value into its heuristic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from adaq_core.llm.json_reply import (
    MAX_CHARS,
    Item,
    Parsed,
    items,
    known_name,
    number_of,
    pick,
    read_json,
    text_of,
    texts_of,
    truth_of,
    without_thoughts,
)
from adaq_core.model import ASPECT_TYPES, QueryAspect
from adaq_core.text.tokens import terms_of, tokens, words

MAX_ASPECTS = 14
MAX_NAME = 120
MAX_QUERY = 300
_IMPORTANT = 2
_LINE = re.compile(
    r"(?i)[>*\-–•\d.)#` ]*SUB[-_ ]?QUERY ?\d*[* ]*[:=][* ]*(?P<query>[^|]+)\|[* ]*ASPECTS?[* ]*[:=][* ]*(?P<aspects>.+)"
)
_LINE_CHARS = 1_000
_WRAPPING = "\"'“”‘’`*[]<> \t"


@dataclass(frozen=True, slots=True)
class ProposedQuery:
    """A query that a model proposes and the aspects it is for, at least one."""

    query: str
    aspects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """What a model read in passage number `n` (from 1) about an aspect; `quote` are the passage's words, unchecked."""

    aspect: str
    n: int
    claim: str
    quote: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What a model thinks of stopping; `stop` is None when it says neither."""

    stop: bool | None
    reason: str = ""


def read_subqueries(
    text: str, aspects: Collection[str], *, asked: Collection[str] = (), limit: int = 3
) -> Parsed[tuple[ProposedQuery, ...]]:
    """Up to `limit` queries, as `SUBQUERY: … | ASPECT: …` lines (several aspects with `;`) or JSON.

    Left out, with a problem each: queries for unknown aspects, of no words, asked before, or twice the same.
    """
    lines = [(m["query"], _split(m["aspects"], aspects)) for m in _lines(text)]
    problems: tuple[str, ...] = ()
    if not lines:
        read = read_json(text)
        result = items(read.value, "subqueries", "queries", text="query")
        if read.value is None:
            problems = read.problems
        else:
            problems = read.problems + result.problems
        lines = [(text_of(i, "subquery", "query", "question", "text"), _names(i)) for i in result.value]
    kept, wrong = _usable(lines, aspects, asked)
    problems += tuple(wrong)
    if not kept and not wrong and not any("empty" in p or "no JSON" in p for p in problems):
        problems += ("the reply proposes no query",)
    if len(kept) > limit:
        problems += (f"{len(kept)} queries came where {limit} were asked for; the first were taken",)
    return Parsed(tuple(kept[:limit]), problems)


def _lines(text: str) -> list[re.Match[str]]:
    lines = without_thoughts(text[:MAX_CHARS]).splitlines()
    plain = (" ".join(line[:_LINE_CHARS].split()) for line in lines)
    return [match for line in plain if (match := _LINE.match(line)) is not None]


def _split(line: str, known: Collection[str]) -> tuple[str, ...]:
    """Split several aspects in one line, unless the whole is the name of one."""
    whole = line.strip(_WRAPPING)
    if known_name(whole, known) is not None:
        return (whole,)
    return tuple(part.strip(_WRAPPING) for part in re.split(r"[;|]", whole))


def _names(item: Item) -> tuple[str, ...]:
    value = pick(item, "aspects", "aspect", "aspect_name", "target", "targets")
    if isinstance(value, list):
        return tuple(str(name) for name in value if isinstance(name, str | int))
    if isinstance(value, str | int) and not isinstance(value, bool):
        return (str(value),)
    return ()


def _usable(
    lines: Sequence[tuple[str, tuple[str, ...]]], aspects: Collection[str], asked: Collection[str]
) -> tuple[list[ProposedQuery], list[str]]:
    seen = {terms_of(query) for query in asked}
    kept: list[ProposedQuery] = []
    problems: list[str] = []
    for raw, names in lines:
        query = " ".join(raw.split()).strip(_WRAPPING)[:MAX_QUERY]
        targets = tuple(dict.fromkeys(n for name in names if (n := known_name(name, aspects)) is not None))
        if not tokens(query):
            problems.append(f"a query has no words: {raw[:60]!r}")
        elif not targets:
            problems.append(
                f"the query {query!r} is for no known aspect ({', '.join(names)[:100] or 'none was named'})"
            )
        elif terms_of(query) in seen:
            problems.append(f"the query {query!r} was asked before")
        else:
            if len(targets) < len(names):
                problems.append(f"the query {query!r} names aspects that are not known")
            kept.append(ProposedQuery(query, targets))
        seen.add(terms_of(query))
    return kept, problems


def read_aspects(text: str) -> Parsed[tuple[QueryAspect, ...]]:
    """Aspects with type, importance, keywords and subject; what a field lacks is said, and 1.0 or `facet` put in."""
    read = read_json(text)
    if read.value is None:
        return Parsed((), read.problems)
    result = items(read.value, "aspects", text="aspect")
    problems = [*read.problems, *result.problems]
    kept: dict[str, QueryAspect] = {}
    for item in result.value:
        aspect = _aspect(item, problems)
        if aspect is not None and aspect.aspect.lower() in kept:
            problems.append(f"the aspect {aspect.aspect!r} came twice")
        elif aspect is not None:
            kept[aspect.aspect.lower()] = aspect
    if not kept:
        problems.append("the reply names no aspect")
    if len(kept) > MAX_ASPECTS:
        problems.append(f"{len(kept)} aspects came; the {MAX_ASPECTS} first were taken")
    return Parsed(tuple(kept.values())[:MAX_ASPECTS], tuple(problems))


def _aspect(item: Item, problems: list[str]) -> QueryAspect | None:
    name = text_of(item, "aspect", "name", "title")[:MAX_NAME].strip()
    if not tokens(name):
        problems.append("an aspect has no name")
        return None
    kind = text_of(item, "aspect_type", "type", "kind").lower()
    if kind not in ASPECT_TYPES:
        problems.append(f"{name!r} is of the unknown type {kind!r}; it counts as a facet")
        kind = "facet"
    importance = number_of(item, "importance", "weight", "priority")
    if importance is None:
        problems.append(f"{name!r} has no importance in [0, 1]; it counts as 1.0")
    return QueryAspect(
        name,
        kind,  # type: ignore[arg-type]
        importance=1.0 if importance is None else importance,
        keywords=texts_of(item, "keywords", "terms", "words")[:12],
        subject=text_of(item, "subject", "topic")[:MAX_NAME],
    )


def read_scores(text: str, aspects: Collection[str]) -> Parsed[dict[str, float]]:
    """A share in [0, 1] for each aspect that got one: a list of objects, or an object from name to number."""
    read = read_json(text)
    pairs = _pairs(read.value)
    problems = list(read.problems)
    scores: dict[str, float] = {}
    for name, item in pairs:
        known = known_name(name, aspects)
        score = number_of(item, "score", "coverage", "importance", "value")
        if known is None:
            problems.append(f"{name!r} is no known aspect")
        elif score is None:
            problems.append(f"{name!r} has no score in [0, 1]")
        elif known in scores:
            problems.append(f"{known!r} was scored twice; the first counts")
        else:
            scores[known] = score
    if read.value is not None and not scores:
        problems.append("the reply scores no aspect")
    return Parsed(scores, tuple(problems))


def _pairs(value: Any) -> list[tuple[str, Item]]:
    """Yield name and object, from a list of objects or from an object of name to number."""
    names = ("scores", "coverage", "aspects")
    picked = pick(value, *names) if isinstance(value, dict) else None
    by_name = picked if isinstance(picked, dict) else value
    if isinstance(by_name, dict) and (by_name is picked or not _listed(by_name)):
        scored = {name: each for name, each in by_name.items() if name != "reason"}
        return [(name, each if isinstance(each, dict) else {"score": each}) for name, each in scored.items()]
    result = items(value, *names, text="aspect")
    return [(text_of(item, "aspect", "name"), item) for item in result.value]


def _listed(value: dict[str, Any]) -> bool:
    return pick(value, "aspect", "name") is not None or any(isinstance(v, list) for v in value.values())


def read_claims(text: str, aspects: Collection[str], *, passages: int) -> Parsed[tuple[ProposedClaim, ...]]:
    """Claims about known aspects with a quote, from passages numbered 1 to `passages`; others are left out."""
    read = read_json(text)
    result = items(read.value, "claims", "findings", text="claim")
    problems = list(read.problems if read.value is None else read.problems + result.problems)
    kept: dict[tuple[str, int, str], ProposedClaim] = {}
    for item in result.value:
        n = _number(item, "passage", "n", "source", "citation", "id")
        name = text_of(item, "aspect", "aspect_name")
        aspect = known_name(name, aspects)
        quote = text_of(item, "quote", "evidence", "span")
        if n is None or not 1 <= n <= passages:
            problems.append(f"a claim is from passage {n if n is not None else '?'}, which was not given")
        elif aspect is None:
            problems.append(f"a claim is about {name!r}, which is no known aspect")
        elif not tokens(quote):
            problems.append(f"a claim about {aspect!r} has no quote")
        else:
            claim = text_of(item, "claim", "statement", "text") or quote
            kept.setdefault(
                (aspect, n, quote), ProposedClaim(aspect, n, claim, quote, number_of(item, "score", "confidence"))
            )
    return Parsed(tuple(kept.values()), tuple(problems))


def _number(item: Item, *names: str) -> int | None:
    result = re.search(r"\d{1,6}", text_of(item, *names))
    return int(result[0]) if result else None


def read_advice(text: str) -> Parsed[Advice]:
    """Read whether to stop, and why."""
    read = read_json(text)
    if not isinstance(read.value, dict):
        return Parsed(Advice(None), read.problems or ("expected an object with stop and reason",))
    stop = truth_of(read.value, "stop", "should_stop", "decision", "sufficient")
    problems = read.problems if stop is not None else (*read.problems, "the reply says neither stop nor go on")
    return Parsed(Advice(stop, text_of(read.value, "reason", "why", "explanation")), problems)


def read_coverage(text: str) -> Parsed[dict[str, Any]]:
    """Read what a model says of tools' data; empty if it does not say whether that is sufficient."""
    result = read_json(text)
    item, problems = _analysis(result.value), list(result.problems)
    if item is None:
        return Parsed({}, result.problems or ("the reply holds no JSON object",))
    sufficient = truth_of(item, "data_sufficient", "sufficient")
    score = number_of(item, "coverage_score", "score")
    if sufficient is None:
        return Parsed({}, (*problems, "the reply does not say whether the data is sufficient"))
    gaps = [gap for one in items(pick(item, "missing_data", "gaps") or [], "missing_data", text="description").value
            if (gap := _gap(one, problems)) is not None]  # fmt: skip
    analysis = {"data_sufficient": sufficient, "missing_data": gaps, "confidence": number_of(item, "confidence")}
    analysis |= {"available_data": list(texts_of(item, "available_data")), "reasoning": text_of(item, "reasoning")}
    if score is None:
        problems.append("the reply has no coverage score")
    return Parsed({**analysis, "coverage_score": score}, tuple(problems))


def _analysis(value: Any) -> Item | None:
    """Return the object with the analysis: the first of a list, or what another object holds under its name."""
    if isinstance(value, list):
        value = next((one for one in value if isinstance(one, dict)), None)
    inner = pick(value, "coverage_analysis", "analysis") if isinstance(value, dict) else None
    if isinstance(inner, dict):
        return inner
    return value if isinstance(value, dict) else None


def _gap(item: Item, problems: list[str]) -> Item | None:
    kind = text_of(item, "gap_type", "type", "name")
    description = text_of(item, "description", "reason")
    if not kind and not description:
        problems.append("a gap has neither a type nor a description")
        return None
    digits = re.search(r"\d+", text_of(item, "priority"))
    priority = int(digits[0]) if digits else 0
    if not 1 <= priority <= 5:
        problems.append(f"the gap {kind or description[:60]!r} has no priority from 1 to 5; it is taken as important")
        priority = _IMPORTANT
    suggested = list(texts_of(item, "suggested_tools", "tools"))
    kind = "_".join(words(kind or description))[:80]
    return {"gap_type": kind, "description": description, "priority": priority, "suggested_tools": suggested}
