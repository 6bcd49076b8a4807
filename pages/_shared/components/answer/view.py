"""The answer on a page: sentences by aspect with citation chips that open the passage, as plain values and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

import streamlit as st

from adaq_core.answers.form import standing_alone
from adaq_core.export.dossier import file_of, program_in
from adaq_core.export.verdict import chain_ends, first_line, is_missed, is_whole, rows_counted, unreached
from adaq_core.model import Answer, Citation, Conflict
from adaq_core.question.parse import is_english
from adaq_core.store.history import RunPart
from adaq_core.trace import RunView
from pages._shared.common.text import Span, host, literal, marked_parts, short, visible, web_link, without_citations
from pages._shared.common.words import count
from pages._shared.components.component_files import component
from pages._shared.components.marked_text.passage_view import show_passage
from pages._shared.run.claims import STAGES, Claim, claim, sentences_on, whereabouts


class CiteValue(TypedDict):
    """A citation chip: its number, what it opens, and its id: the place of the sentence and the number."""

    n: int
    title: str
    id: str


class StatementValue(TypedDict):
    """One sentence with the citations that carry it; in `pieces` what may be the short answer stands by itself.

    `program` are the lines of a program that it ends with, which are no part of its text.
    """

    text: str
    program: str
    cites: list[CiteValue]
    supported: bool
    doubted: bool
    pieces: list[tuple[str, str]]


class ShortValue(TypedDict):
    """The short answer with the citations that carry it, and how it was worked out.

    `parts` are its names and figures where it is made of several: they stand below each other.
    """

    text: str
    cites: list[CiteValue]
    step: str
    parts: list[tuple[str, str]]


class CellValue(TypedDict):
    """The sentences of a cell; `missed` where they do not cover its aspect."""

    statements: list[StatementValue]
    missed: bool


class TableValue(TypedDict):
    """Statements as a table: what is compared, and per row a label and the cells.

    `stacked` asks for the cells of a row one below the other: side by side they would be columns of few words.
    `figures` are as short as figures: where room is scarce their columns may be narrow.
    """

    columns: list[str]
    rows: list[tuple[str, list[CellValue]]]
    stacked: bool
    figures: bool


class GroupValue(TypedDict):
    """The sentences that speak to one aspect; `missed` where they do not cover it.

    Not `headed` are those of an aspect that is the question itself.
    """

    aspect: str
    headed: bool
    hop: int | None
    missed: bool
    statements: list[StatementValue]


# The place of the short answer among the sentences, and of the list of sources.
_SHORT, _SOURCES = -1, ""
_LONGEST_TITLE = 60
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:m|b|tr)illion\b)")
_CITE = re.compile(r"(-1|[0-9]{0,5}):([0-9]{1,5})")


def answer_groups(run: RunView) -> list[GroupValue]:
    """Group the statements of the answer by aspect, in planning order; other headings follow as they appear.

    Without a short answer, what a chain of aspects leads to comes before the way to it.
    """
    if run.answer is None:
        return []
    answer, tabled = run.answer, _tabled(run.answer)
    first = [] if answer.short else [name for name in chain_ends(run) if name in run.covered_at]
    order = dict.fromkeys([*first, *(a.aspect for a in run.aspects), *(s.aspect for s in answer.statements)])
    groups = [_group(run, answer, name, tabled) for name in order]
    return [group for group in groups if group["statements"]]


def _group(run: RunView, answer: Answer, name: str, tabled: set[int]) -> GroupValue:
    statements = [
        _statement(run, answer, place)
        for place, statement in enumerate(answer.statements)
        if statement.aspect == name and place not in tabled
    ]
    hop, headed = run.covered_at.get(name), not (is_whole(run) and name == run.aspects[0].aspect)
    return GroupValue(aspect=visible(name), headed=headed, hop=hop, missed=is_missed(run, name), statements=statements)


def _statement(run: RunView, answer: Answer, place: int) -> StatementValue:
    statement = answer.statements[place]
    titles = {citation.title for citation in answer.citations if citation.n in statement.citations}
    before, program = program_in(run, statement.text)
    told = before if program else without_citations(statement.text).strip()
    text = _amounts_whole(with_short_title(told, titles))
    return StatementValue(
        text=text,
        program=program,
        cites=_cites(answer, statement.citations, place),
        supported=statement.supported,
        doubted=statement.entailed is False,
        pieces=marked_parts(text, quotes=_likely_spans(text, answer)),
    )


def _likely_spans(text: str, answer: Answer) -> list[Span]:
    """Return where the candidates for a short answer stand in a sentence, each once."""
    matches = (standing_alone(_amounts_whole(candidate)).search(text) for candidate in answer.likely)
    return [match.span() for match in matches if match]


def _amounts_whole(text: str) -> str:
    """Return the visible text with no line break between a number and its unit: cells of a table are narrow."""
    return _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", visible(text))


def with_short_title(text: str, titles: Iterable[str]) -> str:
    """Put a title in front of a quoted sentence, cut to fit a line; the source below has all of it."""
    for title in titles:
        if text.startswith(f"{title}: "):
            return f"{short(title, _LONGEST_TITLE)}{text[len(title) :]}"
    return text


def _cites(answer: Answer, numbers: Sequence[int], place: int) -> list[CiteValue]:
    titles = {citation.n: citation.title or citation.document_id for citation in answer.citations}
    values = []
    for n in numbers:
        title = visible(titles.get(n, ""))
        values.append(CiteValue(n=n, title=title, id=f"{place}:{n}"))
    return values


def _tabled(answer: Answer) -> set[int]:
    """Return the places of the statements that stand in the answer's table."""
    if answer.table:
        return {n for row in answer.table.rows for cell in row.cells for n in cell}
    return set()


def short_value(run: RunView) -> ShortValue | None:
    """Return the short answer for the component; None if none is stated."""
    answer = run.answer
    stated = answer.short if answer else None
    if answer is None or stated is None:
        return None
    return ShortValue(
        text=visible(first_line(stated)),
        cites=_cites(answer, stated.citations, _SHORT),
        step=visible(stated.derivation),
        parts=_parts(run),
    )


def _parts(run: RunView) -> list[tuple[str, str]]:
    """Return the parts that rows add up to, by a column: "Ida: 3; Jon: 5"; "" if it was not worked out that way."""
    told = run.answer.short.text.split("; ") if run.answer and run.answer.short and rows_counted(run) else []
    named = [each.split(": ") for each in told]
    if len(named) < 2 or any(len(each) != 2 for each in named):
        return []
    return [(visible(name), visible(figure)) for name, figure in named]


def table_value(run: RunView) -> TableValue | None:
    """Return the answer's table for the component; None if it has none."""
    answer = run.answer
    if answer is None or answer.table is None:
        return None
    columns = [visible(column) for column in answer.table.columns]
    rows = [(visible(row.label), [_cell(run, answer, cell) for cell in row.cells]) for row in answer.table.rows]
    longest = max((len(said["text"]) for _, cells in rows for cell in cells for said in cell["statements"]), default=0)
    stacked = len(columns) > _MOST_BESIDE and longest > _SHORT_CELL
    value = TableValue(columns=columns, rows=rows, stacked=stacked, figures=longest <= _SHORT_CELL)
    return _turned(value) if len(columns) > _MOST_FIGURES and len(rows) < len(columns) and not stacked else value


# Beside the verdict, at 1280 pixels, a third column of sentences leaves each line three or four words.
_MOST_BESIDE, _SHORT_CELL = 2, 60
# Of more columns of figures the last is cut in the Trace explorer: five companies with two figures each are five rows.
_MOST_FIGURES = 3


def _turned(value: TableValue) -> TableValue:
    """Transpose the table: its rows become columns."""
    columns, rows = value["columns"], value["rows"]
    turned = [(name, [cells[place] for _, cells in rows]) for place, name in enumerate(columns)]
    return TableValue(columns=[label for label, _ in rows], rows=turned, stacked=False, figures=value["figures"])


def _cell(run: RunView, answer: Answer, places: Sequence[int]) -> CellValue:
    aspects = {answer.statements[n].aspect for n in places}
    missed = bool(aspects) and all(is_missed(run, aspect) for aspect in aspects)
    return CellValue(statements=[_statement(run, answer, n) for n in places], missed=missed)


def sentences(answer: Answer) -> tuple[str, ...]:
    """Return the answer's sentences in order, without citation marks."""
    return tuple(without_citations(statement.text).strip() for statement in answer.statements)


def support(answer: Answer) -> tuple[int, int]:
    """Return how many sentences cite a passage, and how many there are."""
    return sum(s.supported and bool(s.citations) for s in answer.statements), len(answer.statements)


def opened_claim(run: RunView, cite: str) -> Claim | None:
    """Return the sentence and passage of a clicked citation `place:number`; None if the run has none such."""
    named = _CITE.fullmatch(cite)
    if named:
        return claim(run, int(named[1]) if named[1] else None, int(named[2]))
    return None


class SourceValue(TypedDict):
    """A cited passage in the list of sources; `n` is its first number, `numbers` are all of them.

    `url` is its page when it can be offered as a link, `host` where that leads; else both are empty.
    """

    n: int
    id: str
    numbers: str
    title: str
    origin: str
    url: str
    host: str


def source_values(run: RunView) -> list[SourceValue]:
    """Return the cited passages for the list of sources, each once with all its citation numbers."""
    if run.answer is None:
        return []
    by_passage: dict[str, list[Citation]] = {}
    for cited in sorted(run.answer.citations, key=lambda c: c.n):
        by_passage.setdefault(cited.passage_id, []).append(cited)
    return [_source(run, citations) for citations in by_passage.values()]


def _source(run: RunView, citations: list[Citation]) -> SourceValue:
    cited = citations[0]
    numbers = ", ".join(dict.fromkeys(str(c.n) for c in citations))
    passage = run.passages.get(cited.passage_id)
    known = (passage.source or file_of(passage), passage.date, passage.place) if passage else ()
    origin = " · ".join(part for part in known if part)
    url = passage.url if passage else ""
    return SourceValue(
        n=cited.n,
        id=f"{_SOURCES}:{cited.n}",
        numbers=numbers,
        title=visible(cited.title or cited.document_id),
        origin=visible(origin),
        url=web_link(url),
        host=host(url),
    )


_ANSWER = component("answer")

_WORDS = {
    "covered": "covered in hop",
    "other": "Also found",
    "step": "Worked out from",
    "unsupported": "no passage backs this sentence",
    "missed": "does not cover it",
    "doubted": "the model, asked again, doubts that its passages say this",
    "sources": "Sources",
    "shared": "all from",
    "table": "The answer as a table",
}


def show_answer(run: RunView, *, key: str, run_id: str = "", sources: bool = True, blind: bool = False) -> None:
    """Draw the answer of a run; a click on a citation opens its passage at the quoted words.

    With `run_id` the drawer leads on to the lane of the sentence in the Trace explorer. A `blind` answer shows neither
    when something was found nor what the run itself thinks of it.
    """
    answer = run.answer
    if answer is None:
        return
    groups, table = answer_groups(run), table_value(run)
    if not groups and table is None and answer.short is None:
        st.markdown(literal(_instead(answer)))
        return
    if answer.abstained:
        judged = "which do not answer the question" if is_english(run.question) else "not judged"
        st.markdown(f"**The nearest passages**, {judged}")
    elif not answer.short and not run.covered_at:
        st.markdown("**What the passages say.** None of these sentences is certain to answer the question.")
    elif lacking := unreached(run):
        st.markdown(f"**{literal(lacking)}**")
    if blind:
        groups = [{**group, "hop": None, "missed": False} for group in groups]
        table = table and without_verdicts(table)
    data = {
        "short": short_value(run),
        "table": table,
        "groups": groups,
        "sources": source_values(run) if sources else [],
        "words": _WORDS,
    }
    chosen = _ANSWER(key=key, data=data, on_cite_change=lambda: None)
    opened = opened_claim(run, str(chosen.cite)) if chosen.cite else None
    if opened:
        show_claim(run, opened, run_id=run_id, blind=blind)


def without_verdicts(table: TableValue) -> TableValue:
    """Return the table without the run's own doubts about its cells."""
    rows = [(label, [CellValue(**{**cell, "missed": False}) for cell in cells]) for label, cells in table["rows"]]
    return TableValue(**{**table, "rows": rows})


def _instead(answer: Answer) -> str:
    """Return what an answer without sentences says, with its Markdown headings and lists taken out."""
    said = (part for part in answer.text.split("\n\n") if not part.startswith(("**", "- ")))
    return next(said, "No sentence that was read is close enough to be quoted.")


def show_claim(run: RunView, opened: Claim, *, run_id: str = "", blind: bool = False) -> None:
    """Open the drawer with the passage behind a sentence, above it the sentence, aspect, hop and query.

    Of a `blind` answer there is the passage alone.
    """
    link = {"run": run_id, "hop": str(opened.hop or ""), "aspect": opened.aspect} if run_id else {}
    link = {name: value for name, value in link.items() if value}
    parts: list[tuple[RunPart, str]] = [("passage", opened.passage.passage_id)]
    if opened.place is not None and opened.place >= 0:
        parts.insert(0, ("sentence", str(opened.place + 1)))
    show_passage(
        opened.passage,
        spans=opened.quotes,
        faint=opened.others,
        about=[] if blind else claim_lines(run, opened),
        trace=link,
        noted=(run_id, parts) if run_id else None,
    )


def claim_lines(run: RunView, opened: Claim) -> list[str]:
    """Return, as lines of Markdown, how the run came from the sentence's aspect to the passage."""
    result = whereabouts(run, opened.passage.passage_id)
    lines = [
        f"**{literal(without_citations(opened.text))}**" if opened.text else "",
        _aspect_line(run, opened) if opened.aspect else "",
        f"Passage found in {literal(opened.came)}" if opened.came else "",
        literal(result.why) if result and not opened.text else "",
    ]
    return [line for line in lines if line]


def _aspect_line(run: RunView, opened: Claim) -> str:
    if is_missed(run, opened.aspect):
        return f"Closest to **{literal(opened.aspect)}**, which it does not cover"
    return f"Answers **{literal(opened.aspect)}**" + (f", covered in hop {opened.hop}" if opened.hop else "")


def passage_lines(run: RunView, passage_id: str) -> list[str]:
    """Return, as lines of Markdown, what became of a passage and which sentences of the answer cite it."""
    result = whereabouts(run, passage_id)
    if result is None:
        return []
    came = f" Found in {literal(result.came)}." if result.came else ""
    head = f"**{STAGES[result.stage].capitalize()}.** {literal(result.why)}{came}"
    return [head, *(f"“{literal(without_citations(text))}”" for text in sentences_on(run, passage_id))]


def support_line(run: RunView) -> str:
    """Return a line on how many sentences are supported and who wrote them; "" without an answer."""
    if run.answer is None or not run.answer.statements:
        return ""
    carried, total = support(run.answer)
    by = "Written by the language model. " if run.answer_by == "model" else ""
    if carried == total:
        marked = any(_likely_spans(_amounts_whole(said.text), run.answer) for said in run.answer.statements)
        asked = " Marked: what may be the short answer." if marked else ""
        return f"{by}Every {_quoted_as(run)} cites its passage. Click a number to see the words quoted.{asked}"
    return f"{by}{carried} of {count(total, 'sentence')} backed by a passage; the others are marked."


def _quoted_as(run: RunView) -> str:
    """Return the noun for the statements of an answer: sentences, rows or figures."""
    if rows_counted(run):
        return "row quoted here"
    statements, tabled = run.answer.statements if run.answer else (), _tabled(run.answer) if run.answer else set()
    figures = sum(is_figure(statements[place].text) for place in tabled)
    if not figures:
        return "sentence"
    return "figure" if figures == len(statements) else "figure and sentence"


def is_figure(text: str) -> bool:
    """Whether a cell holds a figure, and not one of the sentences that may stand beside figures."""
    told = without_citations(text).strip()
    return len(told) <= _SHORT_CELL and not told.endswith((".", "!", "?"))


def show_conflicts(answer: Answer, *, key: str) -> None:
    """Draw sources that disagree, side by side."""
    for number, conflict in enumerate(answer.conflicts):
        with st.container(border=True, key=f"{key}_conflict_{number}"):
            st.markdown(f":material/compare_arrows: **Sources disagree** on {literal(conflict.about)}")
            _values(conflict)


def _values(conflict: Conflict) -> None:
    numbers = [*conflict.citations, *[None] * len(conflict.values)]
    for column, value, number in zip(st.columns(len(conflict.values)), conflict.values, numbers, strict=False):
        column.markdown(f"**{literal(value)}**")
        column.caption(f"source {number}" if number else "source not named")
