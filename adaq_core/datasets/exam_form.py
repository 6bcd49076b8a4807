r"""Question sets in the form of an exam: a folder of files and `questions.jsonl`, as a user would write one.

    questions.jsonl     question; and where known: id, kind, half, answerable, gold_documents, gold_quotes, short,
                        must, must_not, absent, corrects
    documents/          the files that hold the answers, of any kind that can be indexed; or dataset.json says where

`must` lists facts, each one a list of patterns of which one has to match what the answer states; `must_not` lists
patterns of wrong answers. `short` lists acceptable short answers. `gold_documents` names files, `gold_quotes` sentences
of them. `half` tells the questions that steer development ("steer") from those nobody looks at ("final").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from adaq_core.datasets.judged import Facts, JudgedQuestion, Subtopic
from adaq_core.datasets.lines import either, read_objects, text_of
from adaq_core.errors import DatasetError

QUESTIONS = "questions.jsonl"
STEER, FINAL, EVERY = "steer", "final", "all"
SPLITS = ("dev", STEER, FINAL, EVERY)
_LISTS = ("must", "must_not", "short", "gold_documents", "gold_quotes", "absent", "corrects")


def is_exam_form(folder: Path) -> bool:
    """Whether the folder's questions are in this form."""
    return either(folder / QUESTIONS) is not None and either(folder / "queries.jsonl") is None


def halves(folder: Path) -> tuple[str, ...]:
    """The splits of the folder: "dev", and "final" where some of its questions are kept from development."""
    path = either(folder / QUESTIONS)
    lines = read_objects(path, required=("question",)) if path else ()
    return ("dev", FINAL) if any(text_of(line, "half") == FINAL for _, line in lines) else ("dev",)


def read_exam_questions(folder: Path, split: str, documents: Sequence[str] | None) -> tuple[JudgedQuestion, ...]:
    """The questions of `split`: all of them, or those of one half; "dev" is the half that steers.

    `documents` are the ids in the corpus, to which the names of gold documents are matched; None without a corpus.
    """
    if split not in SPLITS:
        raise DatasetError(f"expected a split out of {', '.join(SPLITS)} for {folder}, got {split!r}")
    path = either(folder / QUESTIONS)
    if path is None:
        raise DatasetError(f"expected {QUESTIONS} in {folder}, found none")
    questions: dict[str, JudgedQuestion] = {}
    for number, line in read_objects(path, required=("question",)):
        where = f"{path} line {number}"
        question = _question(line, where, documents)
        if question.question_id in questions:
            raise DatasetError(f"{where}: expected one question per id, but {question.question_id!r} comes twice")
        questions[question.question_id] = question
    if not questions:
        raise DatasetError(f"expected questions in {path}, but the file holds none")
    return tuple(each for each in questions.values() if _in_split(each, split))


def _in_split(question: JudgedQuestion, split: str) -> bool:
    half = str(question.metadata.get("half") or STEER)
    return split == EVERY or half == (FINAL if split == FINAL else STEER)


def _question(line: Mapping[str, Any], where: str, documents: Sequence[str] | None) -> JudgedQuestion:
    text = text_of(line, "question")
    if not text:
        raise DatasetError(f"{where}: expected a question, but its text is empty")
    lists = {name: _list(line, name, where) for name in _LISTS}
    gold = [_document(name, where, documents) for name in map(str, lists["gold_documents"])]
    quotes = [str(quote) for quote in lists["gold_quotes"]]
    if quotes and not gold:
        raise DatasetError(f"{where}: expected gold_documents beside gold_quotes, got none; name the files")
    short = [str(each) for each in lists["short"]]
    metadata = {"type": text_of(line, "kind"), "answerable": line.get("answerable", True) is not False}
    metadata |= {"half": text_of(line, "half"), "answers": short}
    subtopics = [Subtopic(str(n), name, quote) for n, quote in enumerate(quotes, start=1) for name in gold]
    name = text_of(line, "id") or re.sub(r"\W+", "-", text.casefold()).strip("-")[:60]
    return JudgedQuestion(name, text, metadata, dict.fromkeys(gold, 1), tuple(subtopics), _facts(lists, where))


def _facts(lists: Mapping[str, list[Any]], where: str) -> Facts | None:
    if not any(lists[name] for name in ("must", "must_not", "short", "corrects")):
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


def _document(name: str, where: str, documents: Sequence[str] | None) -> str:
    """The id in the corpus of a file that is named with or without its ending, or of a part of it (after a #)."""
    if documents is None or name in documents or name.partition("#")[0] in documents:
        return name
    same = [each for each in documents if Path(each).with_suffix("").as_posix() == name]
    same = same or [each for each in documents if each == name.removesuffix(Path(name).suffix)]
    if len(same) != 1:
        raise DatasetError(
            f"{where}: the gold document {name!r} is not among the {len(documents)} documents of the corpus "
            f"({', '.join(map(repr, documents[:3]))} …); name a file as it is called below the folder"
        )
    return same[0]
