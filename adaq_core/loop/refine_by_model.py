"""Refine with a model: it words the next queries; which aspect is next, and what was asked before, is code's to say.

The model sees the question, the open aspects, the queries tried and names that were found, but no text of a document.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from adaq_core.llm.json_reply import Parsed
from adaq_core.llm.replies import AskedFor, read_subqueries
from adaq_core.loop.asking import Asker
from adaq_core.loop.refine import bridges, normal
from adaq_core.model import Finding, QueryAspect, Subquery

STAGE = "refine"
_OPEN_SHOWN = 6
_ASKED_SHOWN = 12


def refine_by_model(
    question: str,
    open_aspects: Sequence[QueryAspect],
    asker: Asker,
    *,
    asked: Collection[str] = (),
    findings: Mapping[str, Finding] | None = None,
    limit: int = 1,
) -> list[Subquery]:
    """At most `limit` new queries, the first of them for the first of `open_aspects`; empty where the rules must do."""
    if not open_aspects or not asker.asks(STAGE):
        return []
    shown = open_aspects[: max(_OPEN_SHOWN, limit)]
    proposed = asker.ask(
        STAGE,
        _prompt(question, shown, asked=asked, findings=findings or {}, limit=limit),
        lambda text: _held(text, shown, asked=asked, limit=limit),
        system=SYSTEM,
        instead="the query templates",
    )
    return [_subquery(query, shown) for query in proposed or ()]


def _held(
    text: str, shown: Sequence[QueryAspect], *, asked: Collection[str], limit: int
) -> Parsed[tuple[AskedFor, ...]]:
    """The queries of a reply, the one for the most important aspect first; none without that one."""
    parsed = read_subqueries(text, [aspect.aspect for aspect in shown], asked=asked, limit=max(limit, len(shown)))
    used, first = {normal(query) for query in asked}, shown[0].aspect
    new = [query for query in parsed.value if normal(query.query) not in used]
    problems = list(parsed.problems)
    if len(new) < len(parsed.value):
        problems.append("a query has the words of one that was asked before")
    new.sort(key=lambda query: first not in query.aspects)
    if new and first not in new[0].aspects:
        return Parsed((), (*problems, f"no query is for {first!r}, the most important open aspect"))
    return Parsed(tuple(new[:limit]), tuple(problems))


def _subquery(query: AskedFor, shown: Sequence[QueryAspect]) -> Subquery:
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
    tried = "\n".join(f"- {query}" for query in list(asked)[-_ASKED_SHOWN:]) or "- none"
    wanted = "one search query" if limit == 1 else f"up to {limit} search queries, one per line"
    return QUERIES.format(question=question, aspects="\n".join(rows), tried=tried, wanted=wanted, first=shown[0].aspect)


def _row(n: int, aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> str:
    rank = "core" if aspect.is_core else "optional"
    found = bridges(aspect, findings, question)
    known = f"; names found so far: {', '.join(found)}" if found else ""
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
