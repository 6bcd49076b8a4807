"""Refine: the next query, for the most important aspect that is still open, in words not tried before."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from adaq_core.answers.choose import typed_spans
from adaq_core.llm.json_reply import Parsed
from adaq_core.llm.replies import ProposedQuery, read_subqueries
from adaq_core.matching.asked import asked_by, said_in
from adaq_core.matching.lexicon import asked_of
from adaq_core.model import AspectCoverage, Finding, QueryAspect, Subquery, as_tuple
from adaq_core.question.aspect_patterns import content
from adaq_core.question.query_templates import Wording, wordings
from adaq_core.stages.services import ModelGateway
from adaq_core.text.entities import is_nationality, names
from adaq_core.text.tokens import fold

Choose = Callable[[QueryAspect, Sequence[Wording]], Sequence[Wording]]


def as_they_come(_: QueryAspect, templates: Sequence[Wording]) -> Sequence[Wording]:
    """All wordings, the plainest first."""
    return templates


def bridges(aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> tuple[str, ...]:
    """Names that the finding of the aspect it depends on brought in: who "the director of F" turned out to be."""
    if aspect.depends_on and aspect.subject:
        return (aspect.subject,)
    known = findings.get(aspect.depends_on or "")
    if known is None:
        return ()
    asked = fold(question)
    results = (n.text for n in names(known.quote) if n.kind in ("name", "acronym"))
    return as_tuple(name for name in results if fold(name) not in asked)[:3]


def answer_of(finding: Finding, aspect: QueryAspect, question: str) -> str:
    """The name that a sentence brings in as the answer to its aspect; empty where it does not say what is asked.

    It is the first new name behind the words that say what is asked ("directed by A"), else the last one before them.
    """
    cues = said_in(aspect, finding.quote)
    if not cues:
        return ""
    asked = fold(question)
    kind = aspect.answer_kind if aspect.answer_kind in ("person", "organisation") else "fact"
    named = (n for n in typed_spans(kind, finding.quote) if not is_nationality(n.text))
    new = [n for n in named if fold(n.text) not in asked]
    joints = ((finding.quote[one.end : place.start], place) for one, place in pairwise(new))
    seats = [place for joint, place in joints if _IN.fullmatch(joint)]
    new = [n for n in new if n not in seats]
    before = [n for n in new if n.start < cues[0]]
    after = [n for n in new if n.start > cues[0]]
    last = before[-1] if before else None
    does = last is not None and _DOES.fullmatch(finding.quote[last.end : cues[0]]) is not None
    if last and does and not _BY.match(finding.quote[cues[0] :]):
        return last.text  # "the start-up that A bought in Las Vegas"
    if after:
        return after[0].text
    return last.text if last else ""


_IN = re.compile(r" in ")  # "Spirit AeroSystems in Wichita" is no Wichita
_DOES = re.compile(r" (?:(?:has|had|have|also) ){0,2}")
_BY = re.compile(r"^\w++ by\b")


def restated(aspect: QueryAspect, name: str) -> QueryAspect:
    """The aspect with `name` in the place of the link that it waited for ("Father of the director of F")."""
    link = aspect.depends_on or ""
    head = re.split(r"\s(?:where|which|that|who|whose|of|in|at|for)\s", link, maxsplit=1)[0]
    for pattern in (rf"(?:\b(?:the|a|an)\s+)?{re.escape(link)}", rf"\b(?:the|that|this)\s+{re.escape(head)}\b"):
        text, count = re.subn(pattern, lambda _: name, aspect.aspect, count=1, flags=re.IGNORECASE)
        if count:
            break
    else:
        text = f"{aspect.aspect.split(':')[0]}: {name}"
    return replace(aspect, aspect=text, subject=name, keywords=(*content(text),), depends_on=None)


# "developed at A", "written by A": what is said in front of such a word is said of the name behind it.
_BY_OR_AT = re.compile(r"\b(?:at|by|in|for)\s(?:the\s)?(?:[A-Z&][\w.&’'-]{0,30},?\s){0,6}(?:or\s|\()?$")
_NEAR = 80  # characters in front of a name


def says_of_link(aspect: QueryAspect, quote: str, question: str) -> bool:
    """Whether a sentence says what is asked of the link that `aspect` hangs on, and does not only name it.

    Once the name is known, it is said behind the name where both stand in one sentence. Which of a class it is
    ("which database"), a sentence without a further name does not say.
    """
    # Of a name that is known by now, what is said of it answers "what happened to it".
    if aspect.subject and (asked_of(aspect) or aspect.answer_kind == "report"):
        return True
    if aspect.subject and asked_by(aspect).of_class and aspect.answer_kind == "fact":
        known = fold(f"{question} {aspect.subject}")
        if all(fold(span.text) in known for span in typed_spans("fact", quote)):
            return False
    cues = said_in(aspect, quote)
    place = quote.find(aspect.subject) if aspect.subject else -1
    if not cues or cues[-1] > place:
        return bool(cues)
    return _BY_OR_AT.search(quote[max(0, place - _NEAR) : place]) is not None


def targets(
    coverage: AspectCoverage, *, threshold: float, tried: Mapping[str, int], core_only: bool
) -> list[QueryAspect]:
    """The open aspects in the order in which they are to be tried: core first, least tried, most important."""
    still = coverage.get_uncovered_aspects(threshold)
    if core_only and any(aspect.is_core for aspect in still):
        still = [aspect for aspect in still if aspect.is_core]
    place = {aspect.aspect: i for i, aspect in enumerate(coverage.aspects)}

    def waits(aspect: QueryAspect) -> bool:
        return aspect.depends_on is not None and not coverage.is_aspect_covered(aspect.depends_on, threshold)

    def order(aspect: QueryAspect) -> tuple[bool, int, bool, float, int]:
        return (
            not aspect.is_core,
            tried.get(aspect.aspect, 0),
            waits(aspect),
            -aspect.importance,
            place[aspect.aspect],
        )

    return sorted(still, key=order)


def refine(
    question: str,
    open_aspects: Sequence[QueryAspect],
    *,
    asked: Collection[str],
    findings: Mapping[str, Finding],
    limit: int,
    insist: bool = False,
    choose: Choose = as_they_come,
) -> tuple[list[Subquery], list[str]]:
    """At most `limit` queries, one per aspect in the given order, and the wordings that were passed over.

    Those are what was asked before, and what `choose` leaves out. With `insist` an aspect all of whose wordings were
    asked gets one more with a widening word.
    """
    used = {normal(text) for text in asked}
    chosen: list[Subquery] = []
    passed: list[str] = []
    for aspect in open_aspects:
        if len(chosen) == limit:
            break
        wider = _wider(aspect) if insist else []
        worded = _bridged(aspect, findings, question) + wordings(aspect, question)
        kept = choose(aspect, worded)
        for wording in (*kept, *wider):
            if normal(wording.text) in used:
                passed.append(wording.text)
                continue
            used.add(normal(wording.text))
            chosen.append(Subquery(wording.text, aspect.aspect, wording.angle, template=wording.name))
            break
        else:
            worth_it = {wording.name for wording in kept}
            passed += [wording.text for wording in worded if wording.name not in worth_it]
    return chosen, list(as_tuple(passed))


def _bridged(aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> list[Wording]:
    relation = aspect.aspect.split(" of the ")[0].split(":")[0]
    named = bridges(aspect, findings, question)
    return [Wording(f"{name} {relation.lower()}", f"through {name}", "through a name") for name in named]


def _wider(aspect: QueryAspect) -> list[Wording]:
    thing = aspect.subject or " ".join(aspect.keywords)
    return [
        Wording(f"{thing} {word}", word, "wider")
        for word in ("details", "background", "evidence", "examples", "history")
    ]


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """A query as compared with those already asked: case, accents, punctuation and word order aside."""
    return " ".join(sorted(set(content(fold(text)))))


STAGE = "refine"
_OPEN_SHOWN = 6  # aspects in the prompt
_ASKED_SHOWN = 12  # earlier queries in the prompt, the newest


def refine_by_model(
    question: str,
    open_aspects: Sequence[QueryAspect],
    gateway: ModelGateway,
    *,
    asked: Collection[str] = (),
    findings: Mapping[str, Finding] | None = None,
    limit: int = 1,
) -> list[Subquery]:
    """At most `limit` new queries, the first of them for the first of `open_aspects`; empty where the rules must do."""
    if not open_aspects or not gateway.asks(STAGE):
        return []
    shown = open_aspects[: max(_OPEN_SHOWN, limit)]
    proposed = gateway.ask(
        STAGE,
        _prompt(question, shown, asked=asked, findings=findings or {}, limit=limit),
        lambda text: _checked(text, shown, asked=asked, limit=limit),
        system=SYSTEM,
        instead="the query templates",
    )
    return [_subquery(query, shown) for query in proposed or ()]


def _checked(
    text: str, shown: Sequence[QueryAspect], *, asked: Collection[str], limit: int
) -> Parsed[tuple[ProposedQuery, ...]]:
    """The queries of a reply, the one for the most important aspect first; none without that one."""
    parsed = read_subqueries(text, [aspect.aspect for aspect in shown], asked=asked, limit=max(limit, len(shown)))
    used = {normal(query) for query in asked}
    first = shown[0].aspect
    new = [query for query in parsed.value if normal(query.query) not in used]
    problems = list(parsed.problems)
    if len(new) < len(parsed.value):
        problems.append("a query has the words of one that was asked before")
    new.sort(key=lambda query: first not in query.aspects)
    if new and first not in new[0].aspects:
        return Parsed((), (*problems, f"no query is for {first!r}, the most important open aspect"))
    return Parsed(tuple(new[:limit]), tuple(problems))


def _subquery(query: ProposedQuery, shown: Sequence[QueryAspect]) -> Subquery:
    """The query; of the aspects that it is for, the most important one is its target."""
    order = [aspect.aspect for aspect in shown]
    target, *also = sorted(query.aspects, key=order.index)
    why = "worded by the model" + (f", for {len(also)} more aspects too" if also else "")
    return Subquery(query.query, target, why, tuple(also))


def _prompt(
    question: str,
    shown: Sequence[QueryAspect],
    *,
    asked: Collection[str],
    findings: Mapping[str, Finding],
    limit: int,
) -> str:
    rows = [_row(n, aspect, findings, question) for n, aspect in enumerate(shown, start=1)]
    latest = list(asked)[-_ASKED_SHOWN:]
    return QUERIES.format(
        question=question,
        aspects="\n".join(rows),
        tried="\n".join(f"- {query}" for query in latest) or "- none",
        wanted="one search query" if limit == 1 else f"up to {limit} search queries, one per line",
        first=shown[0].aspect,
    )


def _row(n: int, aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> str:
    rank = "core" if aspect.is_core else "optional"
    result = bridges(aspect, findings, question)
    known = f"; names found so far: {', '.join(result)}" if result else ""
    return f"{n}. {aspect.aspect} ({aspect.aspect_type}, {rank}{known})"


SYSTEM = "You word search queries for a collection of documents. Reply with lines of the form asked for, nothing else."

QUERIES = """Question: {question}

Aspects that are not covered yet, the most important first:
{aspects}

Queries tried before:
{tried}

Write {wanted}. The first one has to be for "{first}". Use other words than the queries tried; keep names, dates and
places of the question. If one query serves several aspects well, name them all with "; " between.

Reply with one line per query: SUBQUERY: <the query> | ASPECT: <name of the aspect>"""
