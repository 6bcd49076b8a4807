"""A run for people and their tools: a dossier as Markdown or HTML, tables of evidence and claims, a TREC run file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from adaq_core.model import Citation
from adaq_core.question.parse import is_english
from adaq_core.trace import CellState, HopView, RunView, cell

# What could begin a heading, a list, a link, a picture or markup, in words that documents and models wrote.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#+\-!|~$&])")

_MARKS = re.compile(r" ?\[\d+(?:, ?\d+)*\]")
_NEAREST = "The evidence does not hold an answer. The nearest passages, which do not answer the question:"
_NOT_JUDGED = "Answers are judged in English only. The nearest passages, which nobody judged:"


def dossier(run_id: str, run: RunView) -> str:
    """Return the whole dossier; every number in it is read from the events of the run."""
    parts = (_heading(run_id, run), _answer_lines(run), _aspect_lines(run), _hops(run), _sources(run))
    return "\n".join(line for part in parts for line in part).strip() + "\n"


def _heading(run_id: str, run: RunView) -> Iterator[str]:
    yield f"# {_text(run.question or run_id)}"
    yield ""
    for line in (*_facts(run_id, run), _ending(run)):
        yield f"- {_text(line)}"
    yield ""


def _facts(run_id: str, run: RunView) -> Iterator[str]:
    yield f"Run {run_id}"
    if run.started:
        yield f"Method: {run.started.method}; corpus: {run.started.corpus.name}, version {run.started.corpus.version}"
        yield f"Evidence size k = {run.started.settings.k}; language model: {run.started.model or 'none'}"
    yield f"Passages read: {run.cost.passages_read}; kept as evidence: {len(run.evidence)}; hops: {run.cost.hops}"


def _ending(run: RunView) -> str:
    covered = sum(aspect.aspect in run.covered_at for aspect in run.aspects)
    return (
        f"{covered} of {len(run.aspects)} aspects covered. Ended: {run.stop_reason or run.status}. {run.reason}".strip()
    )


def _nearest(run: RunView) -> str:
    return _NEAREST if is_english(run.question) else _NOT_JUDGED


def _numbers(citations: Sequence[int]) -> str:
    return "".join(f" [{n}]" for n in citations)


def _answer_lines(run: RunView) -> Iterator[str]:
    yield "## Answer"
    yield ""
    if run.answer is None:
        yield "The run came to no answer."
    elif run.answer.abstained:
        yield _nearest(run)
    elif run.answer.short:
        yield f"**{_text(run.answer.short.text)}**{_numbers(run.answer.short.citations)}"
    yield ""
    for statement in run.answer.statements if run.answer else ():
        doubt = "" if statement.supported else " (no passage carries this sentence)"
        yield f"- {_text(_MARKS.sub('', statement.text))}{_numbers(statement.citations)}{doubt}"
    yield ""


def _aspect_lines(run: RunView) -> Iterator[str]:
    yield "## Aspects"
    yield ""
    yield "| aspect | covered | coverage | passage |"
    yield "|---|---|--:|---|"
    for aspect in run.aspects:
        proof = run.proof(aspect.aspect)
        score = run.coverage_score(aspect.aspect)
        hop = run.covered_at.get(aspect.aspect)
        number = "–" if score is None else f"{score:.2f}"
        if hop and proof and proof.finding:
            title = _text(_title(run, proof.finding.passage_id))
        else:
            title = "–"
        yield f"| {_text(aspect.aspect)} | {f'hop {hop}' if hop else 'no'} | {number} | {title} |"
    yield ""


def _hops(run: RunView) -> Iterator[str]:
    yield "## Hops"
    yield ""
    for hop in run.hops:
        yield from _hop_lines(hop)
    yield ""


def _hop_lines(hop: HopView) -> Iterator[str]:
    queries = "; ".join(f"“{_text(query.text)}”" for query in hop.queries) or "no query"
    covered = ", ".join(_text(name) for name in hop.newly_covered) or "nothing new"
    yield f"{hop.hop}. Asked {queries}. Read {hop.found} passages. Newly covered: {covered}."
    if hop.decision:
        yield f"   {_text(hop.decision.reason)}."


def _sources(run: RunView) -> Iterator[str]:
    if run.answer is None or not run.answer.citations:
        return
    yield "## Sources"
    yield ""
    for citation in run.answer.citations:
        yield f"{citation.n}. {', '.join(map(_text, _source_parts(run, citation)))}"
        yield f"   > {_text(citation.quote)}"


def _source_parts(run: RunView, citation: Citation) -> list[str]:
    passage = run.passages.get(citation.passage_id)
    known = (citation.title or citation.document_id, passage.source if passage else "", passage.date if passage else "")
    return [part for part in known if part]


def _title(run: RunView, passage_id: str) -> str:
    passage = run.passages.get(passage_id)
    return (passage.title or passage.document_id) if passage else passage_id


def _text(words: str) -> str:
    """Return `words` on one line as Markdown that shows them as they are."""
    return _MARKUP.sub(r"\\\1", " ".join(words.split())).replace("://", "\\://")


# Nothing is fetched and nothing is sent: what the file does not hold does not exist for it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root { color-scheme: light dark; --line: #CBD5E1; --new: #047857; --missed: #C2410C; --faint: #475569; }
@media (prefers-color-scheme: dark) { :root { --line: #334155; --new: #34D399; --missed: #FB923C; --faint: #CBD5E1; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
blockquote { margin: .2rem 0 .8rem; padding-left: .8rem; border-left: 3px solid var(--line); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
.new { color: var(--new); font-weight: 700; } .missed { color: var(--missed); } .faint { color: var(--faint); }
@media print {
  :root { color-scheme: light; --line: #CBD5E1; --new: #047857; --missed: #C2410C; --faint: #475569; }
  body { max-width: none; margin: 0; } h2 { break-after: avoid; } li, tr, blockquote { break-inside: avoid; }
}
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title><style>{style}</style></head><body><main>
<h1>{title}</h1>
{parts}
</main>{script}</body></html>
"""
_CELLS: dict[CellState, str] = {
    "new": "✓ new",
    "kept": "✓",
    "missed": "not found",
    "open": "",
    "not_run": "not run",
}


def dossier_page(
    run_id: str, run: RunView, *, lead: str = "", lanes: str = "", style: str = "", script: str = ""
) -> str:
    """Return the dossier as one HTML file that opens from a disk, asks for nothing, and prints.

    `lead` replaces how the run ended, in words. `lanes` (HTML), `style` and `script` (an element) replace the table of
    hops; whoever gives them answers for what is in them.
    """
    parts = (
        f"<p><strong>{escape(lead or _ending(run))}</strong></p>",
        lanes or _table(run),
        *_answer_html(run),
        *_aspects_html(run),
        *_hops_html(run),
        *_sources_html(run),
        f"<p class='faint'>{'; '.join(escape(line) for line in _facts(run_id, run))}</p>",
    )
    return _PAGE.format(
        policy=_POLICY + ("; script-src 'unsafe-inline'" if script else ""),
        title=escape(run.question or run_id),
        style=_STYLE + style,
        parts="\n".join(parts),
        script=script,
    )


def _table(run: RunView) -> str:
    head = "".join(f"<th scope='col'>hop {hop.hop}</th>" for hop in run.hops)
    rows = "".join(
        f"<tr><th scope='row'>{escape(aspect.aspect)}</th>{_cells(run, aspect.aspect)}</tr>" for aspect in run.aspects
    )
    return f"<table><thead><tr><th scope='col'>aspect</th>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(run: RunView, aspect: str) -> str:
    states = [cell(run, hop, aspect).state for hop in run.hops]
    return "".join(f"<td class='{state}'>{_CELLS[state]}</td>" for state in states)


def _answer_html(run: RunView) -> Iterator[str]:
    yield "<h2>Answer</h2>"
    if run.answer is None or not run.answer.statements:
        yield "<p>The run came to no answer.</p>"
        return
    if run.answer.abstained:
        yield f"<p>{_nearest(run)}</p>"
    elif run.answer.short:
        yield f"<p><strong>{escape(run.answer.short.text)}</strong>{_numbers(run.answer.short.citations)}</p>"
    yield "<ul>"
    for statement in run.answer.statements:
        doubt = "" if statement.supported else " <span class='missed'>(no passage carries this sentence)</span>"
        yield f"<li>{escape(_MARKS.sub('', statement.text))}{_numbers(statement.citations)}{doubt}</li>"
    yield "</ul>"


def _aspects_html(run: RunView) -> Iterator[str]:
    yield "<h2>What covered each aspect</h2><ul>"
    for aspect in run.aspects:
        name = escape(aspect.aspect)
        hop = run.covered_at.get(aspect.aspect)
        proof = run.proof(aspect.aspect)
        if not hop or proof is None or proof.finding is None:
            yield f"<li><strong>{name}</strong>: <span class='missed'>not covered</span></li>"
            continue
        title = escape(_title(run, proof.finding.passage_id))
        yield f"<li><strong>{name}</strong>: <span class='new'>hop {hop}</span>, {title}"
        yield f"<blockquote>{escape(proof.finding.quote)}</blockquote></li>"
    yield "</ul>"


def _hops_html(run: RunView) -> Iterator[str]:
    yield "<h2>Hops</h2>"
    for hop in run.hops:
        queries = "; ".join(f"“{escape(query.text)}”" for query in hop.queries) or "no query"
        covered = escape(", ".join(hop.newly_covered)) or "nothing new"
        why = f" {escape(hop.decision.reason)}." if hop.decision else ""
        yield f"<p><strong>{hop.hop}.</strong> Asked {queries}. Read {hop.found} passages."
        yield f"Newly covered: {covered}.{why}</p>"


def _sources_html(run: RunView) -> Iterator[str]:
    if run.answer is None or not run.answer.citations:
        return
    yield "<h2>Sources</h2>"
    for citation in run.answer.citations:
        line = escape(", ".join(_source_parts(run, citation)))
        yield f"<div>[{citation.n}] {line}<blockquote>{escape(citation.quote)}</blockquote></div>"


def evidence_table(run: RunView) -> str:
    """Return the evidence as CSV, a row a passage, best first."""
    names = ("rank", "score", "passage_id", "document_id", "title", "source", "date", "url", "text")
    rows = [
        (each.rank, each.score, *(getattr(each.passage, name) for name in names[2:]), "; ".join(each.covers))
        for each in run.evidence
    ]
    return _csv((*names, "covers"), rows)


def claims_table(run: RunView) -> str:
    """Return the sentences of the answer as CSV, a row for each quote that a sentence rests on."""
    names = ("sentence", "text", "aspect", "supported", "n", "passage_id", "document_id", "title", "quote")
    return _csv(names, _claims(run))


def _claims(run: RunView) -> Iterator[Sequence[object]]:
    citations = run.answer.citations if run.answer else ()
    for number, statement in enumerate(run.answer.statements if run.answer else (), 1):
        claim = (number, _MARKS.sub("", statement.text), statement.aspect, "yes" if statement.supported else "no")
        behind = [citation for citation in citations if citation.n in statement.citations]
        for each in behind:
            yield (*claim, each.n, each.passage_id, each.document_id, each.title, each.quote)
        if not behind:
            yield (*claim, "", "", "", "", "")


def _csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(names)
    out.writerows([_plain(value) for value in row] for row in rows)
    return text.getvalue()


def _plain(value: object) -> object:
    """Return text that a spreadsheet takes for text: what would begin a formula there gets an apostrophe."""
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
    """Return the text without white space, which parts the fields of the format."""
    return "_".join(text.split()) or "_"
