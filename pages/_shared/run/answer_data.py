"""An answer as plain values for its view: groups by aspect, citations, conflicts, what is not covered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypedDict

from adaq_core.model import Answer, Citation, Passage
from adaq_core.trace import RunView
from pages._shared.common.text import visible
from pages._shared.common.web_links import host, web_link


class CiteValue(TypedDict):
    """A citation chip: its number and what it opens."""

    n: int
    title: str


class StatementValue(TypedDict):
    """One sentence with the citations that carry it."""

    text: str
    cites: list[CiteValue]
    supported: bool
    doubted: bool
    likely: list[str]


class ShortValue(TypedDict):
    """The short answer with the citations that carry it, and how it was worked out."""

    text: str
    cites: list[CiteValue]
    step: str


class TableValue(TypedDict):
    """Statements as a table: what is compared, and per row a label and the sentences of each cell."""

    columns: list[str]
    rows: list[tuple[str, list[list[StatementValue]]]]


class GroupValue(TypedDict):
    """The sentences that speak to one aspect."""

    aspect: str
    hop: int | None
    statements: list[StatementValue]


_MARKS = re.compile(r"\s*\[\d+(?:\s*,\s*\d+)*\]")


def answer_groups(run: RunView) -> list[GroupValue]:
    """The statements of the answer by aspect, in planning order; other headings follow in order of appearance."""
    if run.answer is None:
        return []
    answer, tabled = run.answer, _tabled(run.answer)
    order = dict.fromkeys([a.aspect for a in run.aspects] + [s.aspect for s in answer.statements])
    groups = [_group(run, answer, name, tabled) for name in order]
    return [group for group in groups if group["statements"]]


def _group(run: RunView, answer: Answer, name: str, tabled: set[int]) -> GroupValue:
    places = (n for n, s in enumerate(answer.statements) if s.aspect == name and n not in tabled)
    statements = [_statement(answer, place) for place in places]
    return GroupValue(aspect=visible(name), hop=run.covered_at.get(name), statements=statements)


def _statement(answer: Answer, place: int) -> StatementValue:
    statement = answer.statements[place]
    return StatementValue(
        text=visible(_MARKS.sub("", statement.text)).strip(),
        cites=_cites(answer, statement.citations),
        supported=statement.supported,
        doubted=statement.entailed is False,
        likely=[visible(candidate) for candidate in answer.likely if candidate in statement.text],
    )


def _cites(answer: Answer, numbers: Sequence[int]) -> list[CiteValue]:
    titles = {c.n: c.title or c.document_id for c in answer.citations}
    return [CiteValue(n=n, title=visible(titles.get(n, ""))) for n in numbers]


def _tabled(answer: Answer) -> set[int]:
    """The places of the statements that stand in the table."""
    return {n for row in answer.table.rows for cell in row.cells for n in cell} if answer.table else set()


def short_value(answer: Answer) -> ShortValue | None:
    """The short answer; None where none is stated."""
    short = answer.short
    if short is None:
        return None
    return ShortValue(text=visible(short.text), cites=_cites(answer, short.citations), step=visible(short.derivation))


def table_value(answer: Answer) -> TableValue | None:
    """The table of the answer; None where it has none."""
    if answer.table is None:
        return None
    rows = [
        (visible(row.label), [[_statement(answer, n) for n in cell] for cell in row.cells]) for row in answer.table.rows
    ]
    return TableValue(columns=[visible(column) for column in answer.table.columns], rows=rows)


def sentences(answer: Answer) -> tuple[str, ...]:
    """The sentences of the answer without citation marks, in their order."""
    return tuple(_MARKS.sub("", statement.text).strip() for statement in answer.statements)


def support(answer: Answer) -> tuple[int, int]:
    """How many sentences a quoted passage carries, of how many."""
    return sum(s.supported and bool(s.citations) for s in answer.statements), len(answer.statements)


def citation(answer: Answer, n: int) -> Citation | None:
    """The citation with the number `n`."""
    return next((c for c in answer.citations if c.n == n), None)


def cited_passage(run: RunView, n: int) -> tuple[Passage, tuple[tuple[int, int], ...]] | None:
    """The passage that citation `n` points to, with the spans of it that are quoted; None when it is not in the run."""
    found = citation(run.answer, n) if run.answer else None
    passage = run.passages.get(found.passage_id) if found else None
    if found is None or passage is None or run.answer is None:
        return None
    same = [c for c in run.answer.citations if c.passage_id == found.passage_id]
    spans = [(found.start, found.end), *((c.start, c.end) for c in same)]
    return passage, tuple(dict.fromkeys(spans))


class SourceValue(TypedDict):
    """A cited passage in the list of sources; `n` is its first number, `numbers` are all of them.

    `url` is its page when it can be offered as a link, `host` where that leads; else both are empty.
    """

    n: int
    numbers: str
    title: str
    origin: str
    url: str
    host: str


def source_values(run: RunView) -> list[SourceValue]:
    """The cited passages, each once with all its numbers, and where it is from."""
    if run.answer is None:
        return []
    by_passage: dict[str, list[Citation]] = {}
    for cited in sorted(run.answer.citations, key=lambda c: c.n):
        by_passage.setdefault(cited.passage_id, []).append(cited)
    return [_source(run, citations) for citations in by_passage.values()]


def _source(run: RunView, citations: list[Citation]) -> SourceValue:
    cited = citations[0]
    numbers = ", ".join(str(c.n) for c in citations)
    passage = run.passages.get(cited.passage_id)
    origin = " · ".join(part for part in (passage.source, passage.date, passage.place) if part) if passage else ""
    url = passage.url if passage else ""
    return SourceValue(
        n=cited.n,
        numbers=numbers,
        title=visible(cited.title or cited.document_id),
        origin=visible(origin),
        url=web_link(url),
        host=host(url),
    )
