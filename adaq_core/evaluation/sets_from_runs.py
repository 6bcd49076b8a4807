"""Question sets made from the runs that people made: their questions, ratings and marked passages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adaq_core.corpus.holdings import UPLOADED, FileRecord, Holdings
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets import FILES
from adaq_core.datasets.beir import OWN_SETS
from adaq_core.datasets.judged import QUESTIONS
from adaq_core.errors import InputError
from adaq_core.home import home
from adaq_core.model import Document
from adaq_core.store import RunRow, Store
from adaq_core.trace import RunView, view

MARKED = "gold:"
UNANSWERABLE = "unanswerable"
MOST_RUNS = 10_000
_TEXT_ENDINGS = (".txt", ".md")
_NAME = re.compile(r"[\w][\w .-]{0,63}")


@dataclass(frozen=True, slots=True)
class MadeSet:
    """What was made: its folder, how many questions, and how many of them carry a judgment."""

    folder: Path
    questions: int
    judged: int


@dataclass(slots=True)
class _Judgments:
    """What is known of one question over all its runs; documents and quotes in the order they came."""

    documents: dict[str, None] = field(default_factory=dict)
    quotes: dict[str, None] = field(default_factory=dict)
    short: dict[str, None] = field(default_factory=dict)
    unanswerable: bool = False


def sets_folder() -> Path:
    """Return the folder of the user's own sets, which `evaluate --dataset NAME` finds."""
    return home() / OWN_SETS


def corpora_of_runs(store: Store, library: CorpusLibrary) -> tuple[str, ...]:
    """Return the library's corpora that finished runs searched; the corpus of a question set is not among them."""
    return tuple(name for name in library.names() if store.count(corpus=name, statuses=("finished",)))


def make_set(
    store: Store,
    library: CorpusLibrary,
    name: str,
    *,
    corpus: str,
    tags: Sequence[str] = (),
    folder: Path | None = None,
) -> MadeSet:
    """Write the questions of finished runs on `corpus` as a set, with the corpus's documents beside them.

    What a run cites is gold when its answer was rated good; a passage that carries the tag `gold:ID` is gold in any
    run. The tag `unanswerable` says that the corpus holds no answer. Other questions come without judgments.

    Raises:
        InputError: the name cannot be used, it is taken, or there is no such run.
    """
    target = _target(name, folder)
    known = corpora_of_runs(store, library)
    rows = store.runs(order="created_at", limit=MOST_RUNS, corpus=corpus, statuses=("finished",), tags=tuple(tags))
    if not rows or corpus not in known:
        those = ", ".join(known) or "none"
        raise InputError(f"There is no finished run on the corpus {corpus!r}; runs were made on: {those}.")
    questions: dict[str, _Judgments] = {}
    for row in rows:
        _take(questions.setdefault(row.question, _Judgments()), row, view(store.records(row.run_id)))
    holdings = library.holdings(corpus)
    (target / FILES).mkdir(parents=True, exist_ok=True)
    names = _write_documents(holdings, target / FILES)
    lines = [_line(question, each, names) for question, each in questions.items()]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (target / QUESTIONS).write_text(text, encoding="utf-8")
    judged = sum(line["answerable"] is not None for line in lines)
    return MadeSet(target, len(lines), judged)


def mark_evidence(store: Store, run_id: str, passages: Iterable[str]) -> tuple[str, ...]:
    """Mark passages that the run read as answering its question; return all marked ones. InputError for others."""
    row, run = store.known(run_id), view(store.records(run_id))
    wanted = list(passages)
    if unknown := [name for name in wanted if name not in run.passages]:
        raise InputError(f"Expected passages that {run_id} read, got {', '.join(unknown)}; `runs show` lists them.")
    tags = dict.fromkeys((*row.tags, *(f"{MARKED}{name}" for name in wanted)))
    store.annotate(run_id, tags=tags)
    return tuple(tag.removeprefix(MARKED) for tag in tags if tag.startswith(MARKED))


def _target(name: str, folder: Path | None) -> Path:
    if folder is None and not _NAME.fullmatch(name):
        raise InputError(f"Expected a name of letters, digits, spaces, dots and dashes, got {name[:80]!r}.")
    target = folder or sets_folder() / name
    if target.exists() and any(target.iterdir()):
        raise InputError(f"There is a set {target.name!r} already, or something else in {target}; choose another name.")
    return target


def _take(known: _Judgments, row: RunRow, run: RunView) -> None:
    """Add what one run and its reader say of the question."""
    known.unanswerable = known.unanswerable or UNANSWERABLE in row.tags
    for tag in row.tags:
        if tag.startswith(MARKED):
            passage = run.passages.get(tag.removeprefix(MARKED))
        else:
            passage = None
        if passage is not None:
            known.documents[passage.document_id] = known.quotes[passage.text] = None
    if run.answer is None or (row.rating or 0) <= 0 or run.answer.abstained:
        return
    for citation in run.answer.citations:
        known.documents[citation.document_id] = known.quotes[citation.quote] = None
    if run.answer.short is not None:
        known.short[run.answer.short.text] = None


def _line(question: str, known: _Judgments, names: dict[str, str]) -> dict[str, Any]:
    """Return a question in the form of an exam, without documents of live sources, which no corpus holds.

    Whether it can be answered is null where nobody judged a run of it.
    """
    gold = () if known.unanswerable else known.documents
    documents = [names[each] for each in gold if each in names]
    return {
        "question": question,
        "answerable": False if known.unanswerable else True if documents else None,
        "gold_documents": documents,
        "gold_quotes": list(known.quotes) if documents else [],
        "short": [] if known.unanswerable else list(known.short),
    }


def _write_documents(holdings: Holdings, folder: Path) -> dict[str, str]:
    """Return each document's id in the new set. Files that are still where they came from are copied as they are."""
    names: dict[str, str] = {}
    for record in holdings.files.values():
        copied = _copied(record, folder / record.key)
        for document_id in record.documents:
            names[document_id] = document_id if copied else _written(holdings.documents[document_id], folder)
    return names


def _copied(record: FileRecord, target: Path) -> bool:
    source = Path(record.origin)
    if record.origin == UPLOADED or not source.is_file():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
    return True


def _written(document: Document, folder: Path) -> str:
    """Write an uploaded document, of which only the text is stored."""
    ending = "" if document.document_id.endswith(_TEXT_ENDINGS) else ".txt"
    name = f"{document.document_id.replace('#', '-')}{ending}"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{document.title}\n\n{document.text}\n" if ending else document.text, encoding="utf-8")
    return name
