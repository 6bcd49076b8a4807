"""A run as a dossier in Markdown: question, verdict of the run, answer with its sources, hops, what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adaq_core.model import Citation
from adaq_core.trace import HopView, RunView

# What could begin a heading, a list, a link, a picture or markup, in words that documents and models wrote.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#+\-!|~$&])")

_MARKS = re.compile(r" ?\[\d+(?:, ?\d+)*\]")


def dossier(run_id: str, run: RunView) -> str:
    """Return the whole dossier; every number in it is read from the events of the run."""
    parts = (_head(run_id, run), _answer(run), _aspects(run), _hops(run), _sources(run))
    return "\n".join(line for part in parts for line in part).strip() + "\n"


def _head(run_id: str, run: RunView) -> Iterator[str]:
    started = run.started
    yield f"# {_text(started.question if started else run_id)}"
    yield ""
    if started:
        corpus = f"{_text(started.corpus.name)}, version {_text(started.corpus.version)}"
        yield f"- Method: {_text(started.method)}; corpus: {corpus}"
        yield f"- Evidence size k = {started.settings.k}; language model: {_text(started.model or 'none')}"
    covered = sum(aspect.aspect in run.covered_at for aspect in run.aspects)
    yield f"- {covered} of {len(run.aspects)} aspects covered; hops: {run.cost.hops}"
    yield f"- Passages read: {run.cost.passages_read}; kept as evidence: {len(run.evidence)}"
    yield f"- Ended: {_text(run.stop_reason or run.status)}. {_text(run.reason)}"
    yield f"- Run {run_id}"
    yield ""


def _answer(run: RunView) -> Iterator[str]:
    yield "## Answer"
    yield ""
    if run.answer is None:
        yield "The run came to no answer."
    elif run.answer.abstained:
        yield "The evidence does not hold an answer. The nearest passages, which do not answer the question:"
    yield ""
    for statement in run.answer.statements if run.answer else ():
        numbers = "".join(f" [{n}]" for n in statement.citations)
        doubt = "" if statement.supported else " (no passage carries this sentence)"
        yield f"- {_text(_MARKS.sub('', statement.text))}{numbers}{doubt}"
    yield ""


def _aspects(run: RunView) -> Iterator[str]:
    yield "## Aspects"
    yield ""
    yield "| aspect | covered | coverage | passage |"
    yield "|---|---|--:|---|"
    for aspect in run.aspects:
        proof, score = run.proof(aspect.aspect), run.coverage_score(aspect.aspect)
        hop = run.covered_at.get(aspect.aspect)
        passage = run.passages.get(proof.finding.passage_id) if hop and proof and proof.finding else None
        number = "–" if score is None else f"{score:.2f}"
        title = _text(passage.title or passage.document_id) if passage else "–"
        yield f"| {_text(aspect.aspect)} | {f'hop {hop}' if hop else 'no'} | {number} | {title} |"
    yield ""


def _hops(run: RunView) -> Iterator[str]:
    yield "## Hops"
    yield ""
    for hop in run.hops:
        yield from _hop(hop)
    yield ""


def _hop(hop: HopView) -> Iterator[str]:
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
        yield f"{citation.n}. {_source(run, citation)}"
        yield f"   > {_text(citation.quote)}"


def _source(run: RunView, citation: Citation) -> str:
    passage = run.passages.get(citation.passage_id)
    known = (citation.title or citation.document_id, passage.source if passage else "", passage.date if passage else "")
    return ", ".join(_text(part) for part in known if part)


def _text(words: str) -> str:
    """Return `words` on one line as Markdown that shows them as they are."""
    return _MARKUP.sub(r"\\\1", " ".join(words.split())).replace("://", "\\://")
