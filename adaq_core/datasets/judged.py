"""The nouns: a question, what its judges said, a set of them over one corpus, and what makes a set sound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from adaq_core.datasets import document_ids, either, is_folder_of_files, read_objects, read_texts, text_of
from adaq_core.errors import DatasetError
from adaq_core.measures import Quotes
from adaq_core.model import Document

UNANSWERABLE = frozenset({"null", "null_query", "unanswerable"})


@dataclass(frozen=True, slots=True)
class Subtopic:
    """A part of the question as its judges defined it, and a document that answers it.

    With a `quote`, only a passage that holds it does. `text` is the judges' wording of the part, often a sub-question.
    A subtopic answered by several documents comes several times.
    """

    subtopic: str
    document_id: str
    quote: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What an answer has to state: each fact of `must` by one of its patterns, and nothing of `must_not`.

    `short` are acceptable short answers; `corrects` matches what says that the question assumes something false.
    """

    must: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """Return all patterns, in order."""
        return (*(pattern for fact in self.must for pattern in fact), *self.must_not, *self.corrects)


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its judgments: `gold` maps documents to relevance, 0 being judged and not relevant.

    `facts` is set where an exam says what an answer has to state.
    """

    question_id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    gold: Mapping[str, int] = field(default_factory=dict)
    subtopics: tuple[Subtopic, ...] = ()
    facts: Facts | None = None

    def without_gold(self) -> JudgedQuestion:
        """Return the question as it is judged when its gold documents are removed from the corpus: unanswerable."""
        metadata = {**self.metadata, "answerable": False}
        return replace(self, metadata=metadata, gold={}, subtopics=(), facts=None)

    @property
    def kind(self) -> str:
        """Return the question type that the set's makers gave; "" if they gave none."""
        return str(self.metadata.get("type") or "")

    @property
    def is_unanswerable(self) -> bool:
        """Whether the judges say that the corpus holds no answer."""
        return self.kind in UNANSWERABLE or self.metadata.get("answerable") is False

    @property
    def is_answerable(self) -> bool | None:
        """Whether the corpus holds an answer; None if nobody judged that."""
        if self.is_unanswerable:
            return False
        return None if self.metadata.get("answerable", True) is None else True

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the gold answers that are plain text; none for an unanswerable question."""
        given = self.metadata.get("answers", self.metadata.get("answer"))
        several = given if isinstance(given, list) else [given]
        if self.is_unanswerable:
            return ()
        return tuple(each for each in several if isinstance(each, str) and each.strip())

    @property
    def subtopic_names(self) -> tuple[str, ...]:
        """Return the names of the judged subtopics, each once, in order."""
        return tuple(dict.fromkeys(each.subtopic for each in self.subtopics))

    @property
    def gold_documents(self) -> tuple[str, ...]:
        """Return the documents judged relevant."""
        return tuple(document for document, grade in self.gold.items() if grade > 0)

    @property
    def subquestions(self) -> tuple[str, ...]:
        """Return the judges' wording of the subtopics, each once, in order; empty if they worded none."""
        worded = {each.subtopic: each.text for each in reversed(self.subtopics) if each.text.strip()}
        return tuple(dict.fromkeys(worded[name] for name in self.subtopic_names if name in worded))


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One split of a question set. `corpus` is where its documents lie, None for questions without a corpus.

    `remarks` say what is odd about the data without making it useless. `version` is that of a frozen set, which is
    raised whenever a question, a judgment or a document of it changes; empty for a set that has none.
    """

    name: str
    split: str
    folder: Path
    questions: tuple[JudgedQuestion, ...]
    corpus: Path | None = None
    remarks: tuple[str, ...] = ()
    version: str = ""

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[JudgedQuestion]:
        return iter(self.questions)

    def documents(self) -> Iterator[Document]:
        """Yield the documents of the set's corpus; none without a corpus."""
        from adaq_core.datasets import read_documents

        return read_documents(self.corpus) if self.corpus else iter(())


SHOWN = 3


def check_against_corpus(questions: QuestionSet) -> tuple[str, ...]:
    """Return remarks about odd documents and quotes; none without a corpus.

    A judged document that the corpus lacks, or an id that two documents share, is a DatasetError: every measure would
    be wrong. A quote that does not occur only makes its subtopic impossible to find, and an empty document is never
    found: both are remarked, and shown wherever the results are. Of a folder of files only the names are looked at:
    what they hold is seen when they are indexed.
    """
    if questions.corpus is None:
        return ()
    if is_folder_of_files(questions.corpus):
        _all_there(questions, set(document_ids(questions.corpus)))
        return ()
    quoted: dict[str, list[Subtopic]] = {}
    for question in questions:
        for subtopic in question.subtopics:
            quoted.setdefault(subtopic.document_id, []).append(subtopic)
    empty, lost, seen = _walk(read_texts(questions.corpus), quoted)
    _all_there(questions, seen)
    lost = _lost_everywhere(questions, lost)
    remarks = [_remark(len(empty), "documents have no text and can never be found", empty)]
    cases = [f"{document}: {quote[:60]!r}" for document, quote in lost]
    remarks.append(
        _remark(len(cases), "quotes do not occur in their document, so their subtopics cannot be found", cases)
    )
    return tuple(remark for remark in remarks if remark)


def _lost_everywhere(questions: QuestionSet, lost: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the lost (document, quote) pairs whose quote stands in no document judged for the same part."""
    gone = set(lost)
    alternatives: dict[tuple[str, str, str], set[str]] = {}
    for question in questions:
        for each in question.subtopics:
            key = (question.question_id, each.subtopic, each.quote)
            alternatives.setdefault(key, set()).add(each.document_id)
    nowhere = {
        (document, quote)
        for (_, _, quote), documents in alternatives.items()
        if all((document, quote) in gone for document in documents)
        for document in documents
    }
    return [pair for pair in lost if pair in nowhere]


def _walk(
    texts: Iterable[tuple[str, str]], quoted: dict[str, list[Subtopic]]
) -> tuple[list[str], list[tuple[str, str]], set[str]]:
    quotes = Quotes(remembered=2)
    seen: set[str] = set()
    empty: list[str] = []
    lost: list[tuple[str, str]] = []
    for document, text in texts:
        if document in seen:
            raise DatasetError(f"expected one document per id, but {document!r} comes twice in the corpus")
        seen.add(document)
        if not text.strip():
            empty.append(document)
        wanted = {each.quote for each in quoted.get(document, ()) if each.quote}
        lost += [(document, quote) for quote in sorted(wanted) if not quotes.contains(quote, text)]
    return empty, lost, seen


def _all_there(questions: QuestionSet, seen: set[str]) -> None:
    judged = {document for question in questions for document in question.gold}
    judged |= {subtopic.document_id for question in questions for subtopic in question.subtopics}
    if missing := sorted(judged - seen):
        raise DatasetError(
            f"{len(missing)} judged documents of {questions.name} are not among the {len(seen)} documents of its "
            f"corpus ({', '.join(map(repr, missing[:SHOWN]))} …); judgments and corpus must be of the same version"
        )


def _remark(count: int, what: str, cases: list[str]) -> str:
    if count:
        return f"{count} {what}: {'; '.join(cases[:SHOWN])}{' …' if count > SHOWN else ''}"
    return ""


QUESTIONS = "questions.jsonl"
STEER, FINAL, EVERY = "steer", "final", "all"
SPLITS = ("dev", STEER, FINAL, EVERY)
_STATED = ("must", "must_not", "short", "corrects")


def is_exam_form(folder: Path) -> bool:
    """Whether the folder's questions are in the form of an exam."""
    return either(folder / QUESTIONS) is not None and either(folder / "queries.jsonl") is None


def halves(folder: Path) -> tuple[str, ...]:
    """Return the splits of the folder: "dev", and "final" if some questions are kept from development."""
    path = either(folder / QUESTIONS)
    lines = read_objects(path, required=("question",)) if path else ()
    if any(text_of(line, "half") == FINAL for _, line in lines):
        return ("dev", FINAL)
    return ("dev",)


def read_exam_questions(folder: Path, split: str, documents: Sequence[str] | None) -> tuple[JudgedQuestion, ...]:
    """Read the questions of `split`: all of them, or one half; development may look at "dev" only.

    `documents` are the ids in the corpus, to which the names of gold documents are matched; None without a corpus.
    """
    if split not in SPLITS:
        raise DatasetError(f"expected a split out of {', '.join(SPLITS)} for {folder}, got {split!r}")
    path = either(folder / QUESTIONS)
    if path is None:
        raise DatasetError(f"expected {QUESTIONS} in {folder}, found none")
    named = None if documents is None else _Named(documents)
    questions: dict[str, JudgedQuestion] = {}
    for number, line in read_objects(path, required=("question",)):
        where = f"{path} line {number}"
        question = _question(line, where, named)
        if question.question_id in questions:
            raise DatasetError(f"{where}: expected one question per id, but {question.question_id!r} comes twice")
        questions[question.question_id] = question
    if not questions:
        raise DatasetError(f"expected questions in {path}, but the file holds none")
    return tuple(each for each in questions.values() if _in_split(each, split))


def _in_split(question: JudgedQuestion, split: str) -> bool:
    half = str(question.metadata.get("half") or STEER)
    return split == EVERY or half == (FINAL if split == FINAL else STEER)


def _question(line: Mapping[str, Any], where: str, documents: _Named | None) -> JudgedQuestion:
    text = text_of(line, "question")
    if not text:
        raise DatasetError(f"{where}: expected a question, but its text is empty")
    gold = [_document(name, where, documents) for name in map(str, _list(line, "gold_documents", where))]
    quotes = [str(quote) for quote in _list(line, "gold_quotes", where)]
    if quotes and not gold:
        raise DatasetError(f"{where}: expected gold_documents beside gold_quotes, got none; name the files")
    short = [str(each) for each in _list(line, "short", where)]
    facts = facts_in(line, where)
    metadata: dict[str, Any] = {"type": text_of(line, "kind"), "half": text_of(line, "half")}
    metadata["answers"] = short
    metadata["answerable"] = _answerable(line, judged=bool(gold or facts))
    subtopics = [Subtopic(str(n), name, quote) for n, quote in enumerate(quotes, start=1) for name in gold]
    name = text_of(line, "id") or re.sub(r"\W+", "-", text.casefold()).strip("-")[:60]
    return JudgedQuestion(name, text, metadata, dict.fromkeys(gold, 1), tuple(subtopics), facts)


def _answerable(line: Mapping[str, Any], *, judged: bool) -> bool | None:
    """Return what a line says; if nothing, a question with judgments is answerable, others are unknown."""
    said = line.get("answerable")
    return said is not False if said is not None or judged else None


def facts_in(given: Mapping[str, Any], where: str) -> Facts | None:
    """Return the facts that `must`, `must_not`, `short` and `corrects` ask for; None if they ask for none."""
    lists = {name: _list(given, name, where) for name in _STATED}
    if not any(lists.values()):
        return None
    must = [tuple(map(str, each)) if isinstance(each, list) else (str(each),) for each in lists["must"]]
    plain = {name: tuple(map(str, lists[name])) for name in ("must_not", "short", "corrects")}
    facts = Facts(tuple(must), **plain)
    for pattern in facts.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise DatasetError(f"{where}: expected a pattern, got {pattern!r} ({error})") from error
    return facts


def _list(line: Mapping[str, Any], name: str, where: str) -> list[Any]:
    given = line.get(name)
    if given is None:
        return []
    if not isinstance(given, list):
        raise DatasetError(f"{where}: expected a list in {name!r}, got {str(given)[:60]!r}")
    return given


class _Named:
    """The documents of a corpus by their ids, and by their ids without the ending."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids

    @cached_property
    def without_ending(self) -> dict[str, list[str]]:
        """The ids by what they are called without an ending."""
        found: dict[str, list[str]] = {}
        for each in self.ids:
            found.setdefault(Path(each).with_suffix("").as_posix(), []).append(each)
        return found

    def called(self, name: str) -> list[str]:
        """The ids of what `name` may mean: the same without an ending, else the name without its own."""
        shorter = name.removesuffix(Path(name).suffix)
        return self.without_ending.get(name) or [each for each in self.ids if each == shorter]


def _document(name: str, where: str, documents: _Named | None) -> str:
    """Return the corpus id of a file named with or without its ending, or of a part of it (after a #)."""
    if documents is None or name in documents.ids or name.partition("#")[0] in documents.ids:
        return name
    same = documents.called(name)
    if len(same) != 1:
        raise DatasetError(
            f"{where}: the gold document {name!r} is not among the {len(documents.ids)} documents of the corpus "
            f"({', '.join(map(repr, documents.ids[:3]))} …); name a file as it is called below the folder"
        )
    return same[0]
