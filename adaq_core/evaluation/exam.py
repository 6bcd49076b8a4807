"""An exam of answers: what an answer states against the facts that it has to state, and sets made from runs."""

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
from adaq_core.datasets.judged import QUESTIONS, Facts, JudgedQuestion
from adaq_core.errors import InputError
from adaq_core.evaluation import Outcome
from adaq_core.evaluation.answered import LEAD, Measures, StatedAnswer
from adaq_core.home import home
from adaq_core.measures import verdict_of
from adaq_core.model import Document
from adaq_core.store import RunRow, Store
from adaq_core.trace import RunView, view

CORRECTING = 200
_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "\u00a0": " ", "\u202f": " "}
)


@dataclass(frozen=True, slots=True)
class Marked:
    """How an answer did: which facts it states, which wrong patterns match, and whether it puts a premise right."""

    stated: tuple[bool, ...]
    wrong: tuple[str, ...]
    short_first: bool
    corrects: bool
    answers: bool

    @property
    def all_right(self) -> bool:
        """Whether it answers, states every fact and nothing wrong."""
        return self.answers and all(self.stated) and not self.wrong


def mark(answer: StatedAnswer, facts: Facts) -> Marked:
    """Hold what an answer states against the facts; an answer that declines is not wrong, whatever it shows."""
    text = _plain(answer.text)
    lead = _plain(answer.lead or answer.text)
    answers = not answer.declines and bool(text)
    return Marked(
        stated=tuple(any(_matches(pattern, text) for pattern in fact) for fact in facts.must),
        wrong=tuple(pattern for pattern in facts.must_not if answers and _matches(pattern, text)),
        short_first=answers and any(_begins(short, answer.short, lead) for short in facts.short),
        corrects=any(_matches(pattern, text[:CORRECTING]) for pattern in facts.corrects),
        answers=answers,
    )


def exam_measures(answer: StatedAnswer, question: JudgedQuestion) -> Measures:
    """The measures of one question of an exam; none for a question without facts to state that can be answered."""
    if question.facts is None and not question.is_unanswerable:
        return {}
    facts = question.facts or Facts()
    marked = mark(answer, facts)
    claims = marked.answers and answer.covers
    if question.is_unanswerable:
        recognised = not claims or marked.corrects
        return {
            "facts_wrong": float(bool(marked.wrong)),
            "claimed_unanswered": float(not recognised),
            "null_recognised": float(recognised),
        }
    return {
        "facts_asserted": sum(marked.stated) / len(marked.stated) if marked.stated else None,
        "facts_all_right": float(marked.all_right) if marked.stated else None,
        "facts_wrong": float(bool(marked.wrong)),
        "short_first": float(marked.short_first) if facts.short else None,
        "claimed_unanswered": float(claims and not any(marked.stated)) if marked.stated else None,
    }


def failures(outcomes: Iterable[Outcome], questions: Sequence[JudgedQuestion]) -> list[str]:
    """A few lines for each answer that falls short of the exam: what is missing or wrong, and what it states."""
    known = {question.question_id: question for question in questions}
    return [line for outcome in outcomes for line in _failure(outcome, known[outcome.question_id])]


def _failure(outcome: Outcome, question: JudgedQuestion) -> list[str]:
    values, facts = outcome.measures, question.facts or Facts()
    recognised, right, short = (values.get(name) for name in ("null_recognised", "facts_all_right", "short_first"))
    contains = values.get("answer_contains") if right is None else None
    if outcome.error or 0.0 in (recognised, right, short, contains):
        answer = StatedAnswer(outcome.said, outcome.short, declines=not outcome.said)
        marked = mark(answer, facts)
        pairs = zip(facts.must, marked.stated, strict=True)
        missing = [" | ".join(fact) for fact, there in pairs if not there]
        return [
            f"{outcome.question_id}: {question.text}",
            *(f"    failed: {outcome.error}" for _ in range(bool(outcome.error))),
            *(f"    missing: {each}" for each in missing),
            *(f"    wrong: {each}" for each in marked.wrong),
            *(f"    not first: {' | '.join(facts.short)}" for _ in range(short == 0.0)),
            *(f"    has no answer in the corpus ({question.kind})" for _ in range(recognised == 0.0)),
            *(f"    expected: {' | '.join(question.answers)}" for _ in range(contains == 0.0)),
            f"    states: {outcome.said[:400] or '(declines)'}",
        ]
    return []


def _begins(wanted: str, short: str, lead: str) -> bool:
    """Whether the stated short answer or the first characters hold it; a yes or no only as the first word."""
    if verdict_of(wanted):
        first_word = re.compile(rf"\W*{re.escape(wanted)}\b", re.IGNORECASE)
        return any(first_word.match(text) for text in (short, lead))
    holds = re.compile(rf"(?<![\w.,]){re.escape(_plain(wanted))}(?!\w)", re.IGNORECASE)
    return any(holds.search(_plain(text)[:LEAD]) for text in (short, lead))


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _plain(text: str) -> str:
    """One line with straight quotes, plain dashes and plain spaces."""
    return " ".join(text.translate(_PLAIN).split())


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
    answerable: bool = True


def sets_folder() -> Path:
    """Where the user's own sets lie; `evaluate --dataset NAME` finds them there."""
    return home() / OWN_SETS


def corpora_of_runs(store: Store, library: CorpusLibrary) -> tuple[str, ...]:
    """The corpora of the library that finished runs were about; that of a question set is none of them."""
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
    """Write the questions of the finished runs on `corpus` as a set, with the corpus's documents beside them.

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
    judged = sum(bool(line["gold_documents"]) or not line["answerable"] for line in lines)
    return MadeSet(target, len(lines), judged)


def mark_evidence(store: Store, run_id: str, passages: Iterable[str]) -> tuple[str, ...]:
    """Mark passages that the run read as answering its question; all that are marked now. InputError for others."""
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
        raise InputError(f"There is something in {target} already; choose another name.")
    return target


def _take(known: _Judgments, row: RunRow, run: RunView) -> None:
    """Add what one run and its reader say of the question."""
    known.answerable = known.answerable and UNANSWERABLE not in row.tags
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
    """A question in the form of an exam; documents of live sources, which no corpus holds, are left out."""
    if known.answerable:
        documents = [names[each] for each in known.documents if each in names]
    else:
        documents = []
    return {
        "question": question,
        "answerable": known.answerable,
        "gold_documents": documents,
        "gold_quotes": list(known.quotes) if documents else [],
        "short": list(known.short) if known.answerable else [],
    }


def _write_documents(holdings: Holdings, folder: Path) -> dict[str, str]:
    """Document id → its id in the new set. Files that are still where they came from are copied as they are."""
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
    """An uploaded document, of which only the text is kept."""
    ending = "" if document.document_id.endswith(_TEXT_ENDINGS) else ".txt"
    name = f"{document.document_id.replace('#', '-')}{ending}"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{document.title}\n\n{document.text}\n" if ending else document.text, encoding="utf-8")
    return name
