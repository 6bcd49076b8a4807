"""A run for people and their tools: a dossier as Markdown, tables of evidence and claims, a TREC run file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from textwrap import dedent, indent

from adaq_core.answerability import Recalibration
from adaq_core.answers.form import marked, marks
from adaq_core.export.verdict import (
    count,
    fates,
    first_line,
    is_missed,
    lead,
    method_label,
    plain_reason,
    unreached,
    uses_no_passage,
    verdict,
)
from adaq_core.matching.naming import is_code
from adaq_core.model import Answer, Citation, Finding, Passage, ShortAnswer, Statement
from adaq_core.question.parse import is_english
from adaq_core.text.tokens import visible
from adaq_core.trace import HopView, RunView

# What could begin a heading, a list, a link, a picture or markup, in words that documents and models wrote.
# A dash or a plus begins an item at the start of a line only; elsewhere an escape is in the way of who reads the file.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#!|~$&]|^[+-])")

IN_TEXT_MARKS = re.compile(r" ?\[\d+(?:, ?\d+)*\]")
_NEAREST = "The evidence does not hold an answer. The nearest passages, which do not answer the question:"
_NOT_JUDGED = "Answers are judged in English only. The nearest passages, not judged:"


def dossier(run_id: str, run: RunView, *, judged: Recalibration | None = None, asked: str = "") -> str:
    """Return the whole dossier; every number in it is read from the events of the run, and from ratings of others.

    `asked` is when, in words: events hold no clock.
    """
    parts = (_heading(run_id, run, judged, asked), _answer_lines(run), _aspect_lines(run), _hops(run), _sources(run))
    return "\n".join(line for part in parts for line in part).strip() + "\n"


def _heading(run_id: str, run: RunView, judged: Recalibration | None, asked: str) -> Iterator[str]:
    yield f"# {_text(run.question or run_id)}"
    yield ""
    told = verdict(run, interrupted=True, judged=judged)
    rest = _text(lead(told).removeprefix(f"{told.title}.").strip())
    yield f"**{_text(told.title)}.** {rest}".strip()
    yield ""
    for line in facts(run_id, run, asked):
        yield f"- {_text(line)}"
    yield ""


def facts(run_id: str, run: RunView, asked: str = "") -> Iterator[str]:
    """Yield a line each for when the run was asked, what made it and what it cost."""
    yield f"Run {run_id}, asked on {asked}" if asked else f"Run {run_id}"
    if run.started:
        corpus = run.started.corpus
        yield f"Method: {method_label(run.started.method)}; corpus: {corpus.name}, version {corpus.version}"
        yield f"Evidence size k = {run.started.settings.k}; language model: {run.started.model or 'none'}"
    kept = "none, as none answers" if uses_no_passage(run) else len(run.evidence)
    yield f"Passages read: {run.cost.passages_read}; kept as evidence: {kept}; hops: {run.cost.hops}"


def nearest(run: RunView) -> str:
    """Return the sentence above passages that are no answer."""
    return _NEAREST if is_english(run.question) else _NOT_JUDGED


def worked_out(short: ShortAnswer) -> str:
    """Return how the short answer follows from what it cites."""
    return f"Worked out from {short.derivation.rstrip('.')}."


def numbers(citations: Sequence[int]) -> str:
    """Return the citation numbers behind a sentence."""
    return "".join(f" [{n}]" for n in citations)


def by_aspect(run: RunView) -> Iterator[tuple[str, list[Statement]]]:
    """Yield a heading and the sentences of the answer under it, in planning order; no heading where there is one.

    Sentences that stand in the table of the answer are left out.
    """
    sentences = _outside_the_table(run.answer) if run.answer else []
    names = dict.fromkeys([*(a.aspect for a in run.aspects), *(each.aspect for each in sentences)])
    groups = [(name, [each for each in sentences if each.aspect == name]) for name in names]
    headed = [(name, under) for name, under in groups if under]
    alone = len(headed) == 1 and not (run.answer and run.answer.table)
    for name, under in headed:
        heading = f"{name} (does not cover it)" if is_missed(run, name) else name
        yield "" if alone else heading, under


def _outside_the_table(answer: Answer) -> list[Statement]:
    rows = answer.table.rows if answer.table else ()
    inside = {place for row in rows for cell in row.cells for place in cell}
    return [each for place, each in enumerate(answer.statements) if place not in inside]


def table_rows(run: RunView) -> Iterator[tuple[str, list[list[Statement]]]]:
    """Yield the rows of the answer's table: the label, and the sentences of each cell."""
    if run.answer and run.answer.table:
        for row in run.answer.table.rows:
            yield row.label, [[run.answer.statements[place] for place in cell] for cell in row.cells]


def covers_nothing(run: RunView, cell: Sequence[Statement]) -> bool:
    """Whether a table cell holds sentences, all of them for aspects that are open while others are covered."""
    return bool(cell) and all(is_missed(run, each.aspect) for each in cell)


def by_source(run: RunView) -> Iterator[tuple[Citation, list[Citation]]]:
    """Yield each cited passage once, with what was quoted from it."""
    quotes: dict[int, dict[str, Citation]] = {}
    for citation in run.answer.citations if run.answer else ():
        quotes.setdefault(citation.n, {}).setdefault(citation.quote, citation)
    for cited in quotes.values():
        different = list(cited.values())
        yield different[0], different


def _short(short: ShortAnswer) -> Iterator[str]:
    yield f"**{_text(first_line(short))}**{numbers(short.citations)}"
    if short.derivation:
        yield ""
        yield _text(worked_out(short))


def _answer_lines(run: RunView) -> Iterator[str]:
    yield "## Answer"
    yield ""
    if begins := list(_answer_begins(run)):
        yield from begins
        yield ""
    yield from _table_lines(run)
    for heading, sentences in by_aspect(run):
        if heading:
            yield f"**{_text(heading)}**"
            yield ""
        yield from (_item(run, each) for each in sentences)
        yield ""


def _answer_begins(run: RunView) -> Iterator[str]:
    if run.answer is None:
        yield "The run came to no answer."
    elif run.answer.abstained:
        yield nearest(run)
    elif run.answer.short:
        yield from _short(run.answer.short)
    elif lacking := unreached(run):
        yield f"**{_text(lacking)}**"


def _table_lines(run: RunView) -> Iterator[str]:
    if run.answer is None or run.answer.table is None:
        return
    columns = run.answer.table.columns
    yield f"| | {' | '.join(map(_text, columns))} |"
    yield f"|{'---|' * (len(columns) + 1)}"
    for label, cells in table_rows(run):
        yield f"| **{_text(label)}** | {' | '.join(_cell(run, cell) for cell in cells)} |"
    yield ""


def _cell(run: RunView, cell: Sequence[Statement]) -> str:
    missed = " (does not cover it)" if covers_nothing(run, cell) else ""
    return f"{' '.join(map(_sentence, cell)) or '–'}{missed}"


def _item(run: RunView, statement: Statement) -> str:
    before, program = program_in(run, statement.text)
    if not program:
        return f"- {_sentence(statement)}"
    return f"- {indent(_below(_text(before), program, numbers(statement.citations).strip()), '  ').strip()}"


def _sentence(statement: Statement) -> str:
    doubt = "" if statement.supported else " (no passage backs this sentence)"
    return f"{_text(IN_TEXT_MARKS.sub('', statement.text))}{numbers(statement.citations)}{doubt}"


def program_in(run: RunView, text: str) -> tuple[str, str]:
    """Return what a sentence of the answer says before a program, and the program in the lines of its passage.

    Both are empty if it quotes none.
    """
    for cited in run.answer.citations if run.answer else ():
        words = " ".join(cited.quote.split())
        if words and text.endswith(words) and (program := program_lines(run, cited)):
            return text.removesuffix(words).strip(), program
    return "", ""


def program_lines(run: RunView, quoted: Citation | Finding) -> str:
    """Return a quoted program in the lines of its passage; "" if the quote is none.

    The first line gets back the blanks that stand before it, so that all are indented as they were.
    """
    passage = run.passages.get(quoted.passage_id)
    before = passage.text[: quoted.start].rpartition("\n")[2] if passage else ""
    blanks = "" if before.strip() else before
    lines = visible(dedent(blanks + quoted.quote)).strip("\n")
    return lines if is_code(quoted.quote) or _is_indented_code(lines.split("\n")) else ""


def _is_indented_code(lines: Sequence[str]) -> bool:
    """Whether lines stand indented below the first, as in no paragraph, and one of them is code."""
    return any(line[:1].isspace() for line in lines[1:]) and any(map(is_code, lines))


def fenced(program: str) -> str:
    """Return a program as a block of Markdown that nothing in it can end."""
    longest = max(map(len, re.findall(r"`+", program)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{program}\n{fence}"


def answer_in_lines(run: RunView) -> str:
    """Return the text of the answer, in which programs stand in the lines of their passages."""
    told = run.answer.text if run.answer else ""
    for statement in run.answer.statements if run.answer else ():
        before, program = program_in(run, statement.text)
        if program:
            block = _below(before, program, marks(statement.citations))
            told = _set_apart(told, marked(statement.text, statement.citations), block)
    return told


def _below(before: str, program: str, cited: str) -> str:
    """Return a program below what is said before it, with its numbers; without such words the numbers close it."""
    return f"{before} {cited}\n{fenced(program)}" if before else f"{fenced(program)}\n{cited}"


def _set_apart(text: str, sentence: str, block: str) -> str:
    """Return the text with a block in place of a sentence, which is an item of a list or stands among others."""
    if f"- {sentence}" in text:
        return text.replace(f"- {sentence}", f"- {indent(block, '  ').strip()}", 1)
    before, found, behind = text.partition(sentence)
    parts = (before.rstrip(), block, behind.lstrip()) if found else (before,)
    return "\n\n".join(part for part in parts if part)


def plain_answer(run: RunView) -> str:
    """Return question, answer and sources as plain text, to be pasted into a mail; empty where there is no answer."""
    if run.answer is None or not (run.answer.statements or run.answer.short):
        return ""
    parts = [run.question, "\n".join(_plain_head(run)), "\n".join(_plain_rows(run))]
    for heading, statements in by_aspect(run):
        lines = [f"{heading}:"] if heading else []
        parts.append("\n".join([*lines, *(f"- {_plain_item(run, each)}" for each in statements)]))
    sources = [f"[{cited.n}] {', '.join(source_parts(run, cited))}" for cited, _ in by_source(run)]
    parts.append("\n".join(["Sources:", *sources]) if sources else "")
    return "\n\n".join(part for part in parts if part)


def _plain_head(run: RunView) -> Iterator[str]:
    if run.answer is None or run.answer.abstained:
        yield nearest(run)
    elif (stated := run.answer.short) is not None:
        yield f"{first_line(stated)}{numbers(stated.citations)}"
        yield from [worked_out(stated)] if stated.derivation else []
    elif lacking := unreached(run):
        yield lacking


def _plain_rows(run: RunView) -> Iterator[str]:
    columns = run.answer.table.columns if run.answer and run.answer.table else ()
    for label, cells in table_rows(run):
        told = (" ".join(map(_plain_sentence, cell)) or "–" for cell in cells)
        beside = "; ".join(f"{name}: {text}" for name, text in zip(columns, told, strict=True))
        yield f"{label}: {beside}"


def _plain_item(run: RunView, statement: Statement) -> str:
    before, program = program_in(run, statement.text)
    if not program:
        return _plain_sentence(statement)
    return f"{before}{numbers(statement.citations)}\n{indent(program, '    ')}".lstrip(" ")


def _plain_sentence(statement: Statement) -> str:
    return f"{IN_TEXT_MARKS.sub('', statement.text).strip()}{numbers(statement.citations)}"


def _aspect_lines(run: RunView) -> Iterator[str]:
    yield "## Aspects"
    yield ""
    yield "| aspect | covered | coverage | passage |"
    yield "|---|---|--:|---|"
    left = fates(run)
    for aspect in run.aspects:
        proof = run.proof(aspect.aspect)
        score = run.coverage_score(aspect.aspect)
        hop = run.covered_at.get(aspect.aspect)
        number = "–" if score is None else f"{score:.2f}"
        if hop and proof and proof.finding:
            title = _text(title_of(run, proof.finding.passage_id))
        else:
            title = "–"
        yield f"| {_text(aspect.aspect)} | {f'hop {hop}' if hop else left[aspect.aspect]} | {number} | {title} |"
    yield ""


def _hops(run: RunView) -> Iterator[str]:
    yield "## Hops"
    yield ""
    for hop in run.hops:
        yield from _hop_lines(run, hop)
    yield ""


def _hop_lines(run: RunView, hop: HopView) -> Iterator[str]:
    queries = "; ".join(f"“{_text(query.text)}”" for query in hop.queries) or "no query"
    yield f"{hop.hop}. Asked {queries}. Read {count(hop.passages_read, 'passage')}. {_text(gained(run, hop))}"
    if hop.decision:
        yield f"   {_text(plain_reason(hop.decision.reason).rstrip('.'))}."


def gained(run: RunView, hop: HopView) -> str:
    """Return what a hop newly covered, as a sentence."""
    if not is_english(run.question):
        return "What it covered was not judged."
    return f"Newly covered: {', '.join(hop.newly_covered)}." if hop.newly_covered else "It covered nothing new."


def _sources(run: RunView) -> Iterator[str]:
    if run.answer is None or not run.answer.citations:
        return
    yield "## Sources"
    yield ""
    for citation, quotes in by_source(run):
        yield f"{citation.n}. {', '.join(map(_text, source_parts(run, citation)))}"
        for quote in quotes:
            yield ""
            program = program_lines(run, quote)
            lines = fenced(program) if program else _text(quote.quote)
            yield from (f"   > {line}" for line in lines.split("\n"))


def source_parts(run: RunView, citation: Citation) -> list[str]:
    """Return title, source or file, date and web address of a cited passage, as far as they are known."""
    passage = run.passages.get(citation.passage_id)
    parts = [citation.title or citation.document_id]
    if passage:
        address = passage.url if passage.url.startswith(("https://", "http://")) else ""
        parts += [passage.source or file_of(passage), passage.date, address]
    return [part for part in parts if part]


# Documents are called as "minutes.md", "tickets.csv:row 20" or "accounts.xlsx:Invoices".
_FILE = re.compile(r"^(.{1,300}?\.[A-Za-z][A-Za-z0-9]{1,4})(?::(.{1,300}))?")


def file_of(passage: Passage) -> str:
    """Return a passage's file and the row or sheet in it; "" if its title says as much."""
    named = _FILE.fullmatch(passage.document_id)
    if named is None:
        return ""
    file, *part = (each for each in named.groups() if each)
    is_told = ", ".join([PurePosixPath(file).stem, *part]) == passage.title
    return "" if is_told else ", ".join([file, *part])


def title_of(run: RunView, passage_id: str) -> str:
    """Return the title of a passage, else the name of its document."""
    passage = run.passages.get(passage_id)
    return (passage.title or passage.document_id) if passage else passage_id


def _text(words: str) -> str:
    """Return `words` on one line as Markdown that shows them as they are."""
    line = " ".join(words.split())
    return _MARKUP.sub(r"\\\1", line).replace("://", "\\://")


def evidence_table(run: RunView) -> str:
    """Return the evidence as CSV, a row a passage, best first."""
    names = ("rank", "score", "passage_id", "document_id", "title", "source", "date", "url", "text")
    rows = [
        (each.rank, each.score, *(getattr(each.passage, name) for name in names[2:]), "; ".join(each.covers))
        for each in run.evidence
    ]
    return _csv((*names, "covers"), rows)


def claims_table(run: RunView) -> str:
    """Return what the answer says as CSV, the short answer first: a row for each quote that it rests on."""
    names = ("sentence", "text", "aspect", "supported", "n", "passage_id", "document_id", "title", "quote")
    return _csv(names, _claims(run.answer)) if run.answer else _csv(names, ())


def _claims(answer: Answer) -> Iterator[Sequence[object]]:
    if short := answer.short:
        told = ("short answer", short.text, "", "yes" if short.citations else "no")
        yield from _rested(told, [each for each in answer.citations if each.n in short.citations])
        if short.derivation:
            yield from _rested(("worked out from", short.derivation, "", told[-1]), [])
    for number, statement in enumerate(answer.statements, 1):
        text = IN_TEXT_MARKS.sub("", statement.text)
        told = (str(number), text, statement.aspect, "yes" if statement.supported else "no")
        if answer.abstained:  # quoted as the nearest that there is, and claimed by nobody
            told = ("nearest, no answer", text, "", "")
        yield from _rested(told, _behind(answer.citations, statement))


def _rested(told: tuple[str, ...], behind: Sequence[Citation]) -> Iterator[Sequence[object]]:
    """Yield each statement with each quote behind it; once, without a quote, if there is none."""
    for each in behind:
        yield (*told, each.n, each.passage_id, each.document_id, each.title, each.quote)
    if not behind:
        yield (*told, "", "", "", "", "")


def _behind(citations: Sequence[Citation], statement: Statement) -> list[Citation]:
    """Return what a sentence rests on; of a passage with quotes for several sentences, those that carry this one."""
    cited = [each for each in citations if each.n in statement.citations]
    own = [each for each in cited if carries(each, statement.text)]
    told = {each.n for each in own}
    return [each for each in cited if each in own or each.n not in told]


def carries(cited: Citation, text: str) -> bool:
    """Whether quote and sentence hold the same words: one contains the other, marks and spaces aside."""
    both = cited.quote, IN_TEXT_MARKS.sub("", text)
    quote, sentence = (" ".join(each.split()).casefold() for each in both)
    return quote[:60] in sentence or sentence[:60] in quote


def _csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(names)
    out.writerows([_plain(value) for value in row] for row in rows)
    return text.getvalue()


def _plain(value: object) -> object:
    """Return text that no spreadsheet reads as a formula: one that would begin a formula gets an apostrophe."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value


def trec_run(topic: str, run: RunView) -> str:
    """Return the documents of the evidence as a TREC run file, best first."""
    documents = dict.fromkeys(each.passage.document_id for each in run.evidence)
    tag = run.started.method if run.started else "adaq"
    return "".join(trec_lines(topic, documents, tag=tag, k=len(documents)))


def trec_lines(topic: str, documents: Iterable[str], *, tag: str, k: int) -> Iterator[str]:
    """Yield `topic Q0 document rank score tag`; the score falls with the rank, because tools order by score."""
    for rank, document in enumerate(documents, start=1):
        yield f"{_word(topic)} Q0 {_word(document)} {rank} {k - rank + 1} {_word(tag)}\n"


def _word(text: str) -> str:
    """Return the text without white space, which separates the fields of a TREC run file."""
    return "_".join(text.split()) or "_"
