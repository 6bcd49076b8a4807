"""Runs to learn from when evidence is enough: ADAQ without anything learned, asked what a corpus can and cannot answer.

A corpus is asked its own questions, these after their gold documents were taken out (*robbed*), and those of other sets
(*foreign*). And *small* corpora are made of the gold of a few questions, which are asked there, and a few others too.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.evaluation.measuring import Judge, is_complete
from adaq_core.evaluation.searching import ensure_index
from adaq_core.events import EvidenceAssembled, of_kind
from adaq_core.loop.profiles import profiles
from adaq_core.loop.tools import Meter, Tools
from adaq_core.methods import adaptive
from adaq_core.model import Budget, Settings
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever
from adaq_core.run import rarity

Kind = Literal["own", "robbed", "foreign", "small"]

FOLDS = 5
ROBBED = 3
FOREIGN = 100
LENDERS = 2
SMALL, SMALL_CORPORA = 5, 20


@dataclass(frozen=True, slots=True)
class Case:
    """What a run ended with: the signs of its evidence, whether it was complete (None: not judged), answerable."""

    dataset: str
    kind: Kind
    question: str
    signs: dict[str, float]
    complete: bool | None
    answerable: bool

    @property
    def fold(self) -> int:
        """The same for a question in all its kinds."""
        return _number(self.question) % FOLDS


@dataclass(frozen=True, slots=True)
class Task:
    """Questions to run on the corpus of a set; `robbed` takes their gold documents out of it first."""

    corpus: Path
    questions: Path
    split: str
    kind: Kind


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def tasks(folders: Sequence[Path], split: str) -> list[Task]:
    """For each set its own questions, some of them robbed of their gold, and those of two sets with another corpus."""
    known = [(folder, read_question_set(folder, split)) for folder in folders]
    known = [(folder, questions) for folder, questions in known if questions.corpus is not None]
    found: list[Task] = []
    for place, (folder, questions) in enumerate(known):
        found += [Task(folder, folder, split, kind) for kind in ("own", "robbed", "small")]
        others = [other for other, q in known[place + 1 :] + known[:place] if q.corpus != questions.corpus]
        found += [Task(folder, other, split, "foreign") for other in others[:LENDERS]]
    return found


def cases(task: Task) -> list[Case]:
    """Run the questions of a task."""
    own = read_question_set(task.corpus, task.split)
    index = PassageIndex.load(ensure_index(own))
    questions = _asked(read_question_set(task.questions, task.split), task.kind)
    if task.kind == "small":
        return [case for group in _small(questions) for case in _on_small(group, own.name, index)]
    if task.kind == "robbed":
        gone = {document for question in questions for document in question.gold_documents}
        index = PassageIndex.build((p for p in index.passages if p.document_id not in gone), name=own.name)
    judge, retriever = Judge(index), DocumentRetriever(index)
    made = [
        _case(q, task.kind, own.name, judge=judge, retriever=retriever, has_answer=_has_answer(q, task.kind))
        for q in questions
    ]
    print(f"{own.name}, {task.kind}: {len(made)} runs", file=sys.stderr, flush=True)
    return [case for case in made if case is not None]


def _has_answer(question: JudgedQuestion, kind: Kind) -> bool:
    return kind == "own" and not question.is_unanswerable


def _small(questions: Sequence[JudgedQuestion]) -> list[tuple[list[JudgedQuestion], list[JudgedQuestion]]]:
    """A few questions at a time whose gold makes a corpus, with a few others that are asked of it too."""
    step = max(1, len(questions) // (SMALL * SMALL_CORPORA))
    picked = sorted(questions, key=lambda question: _number(question.text))[::step]
    groups = [picked[at : at + SMALL] for at in range(0, len(picked), SMALL)][:SMALL_CORPORA]
    return list(zip(groups, groups[1:] + groups[:1], strict=True)) if len(groups) > 1 else []


def _on_small(
    group: tuple[list[JudgedQuestion], list[JudgedQuestion]], dataset: str, whole: PassageIndex
) -> list[Case]:
    gold = {document for question in group[0] for document in question.gold_documents}
    index = PassageIndex.build((p for p in whole.passages if p.document_id in gold), name=dataset)
    judge, retriever = Judge(index), DocumentRetriever(index)
    asked = [(question, True) for question in group[0]]
    asked += [(question, False) for question in group[1] if not gold & set(question.gold_documents)]
    made = [_case(q, "small", dataset, judge=judge, retriever=retriever, has_answer=has) for q, has in asked]
    return [case for case in made if case is not None]


def _asked(questions: QuestionSet, kind: Kind) -> list[JudgedQuestion]:
    every = list(questions)
    if kind == "own":
        return every
    answerable = [question for question in every if not question.is_unanswerable]
    if kind == "foreign":
        return answerable[:: max(1, len(answerable) // FOREIGN)]
    with_gold = [question for question in answerable if question.gold_documents]
    if kind == "small":
        return with_gold
    return [question for question in with_gold if _number(min(question.gold_documents)) % ROBBED == 0]


def _case(
    question: JudgedQuestion, kind: Kind, dataset: str, *, judge: Judge, retriever: DocumentRetriever, has_answer: bool
) -> Case | None:
    seen: list[Mapping[str, float]] = []
    index = retriever.index
    tools = Tools(
        retriever=retriever,
        settings=Settings(learned=False),
        meter=Meter(Budget()),
        profiles=profiles(),
        weigh=rarity(index),
        long_form=index.long_form,
        watch=seen.append,
    )
    assembled = list(of_kind(adaptive.run(question.text, tools), EvidenceAssembled))
    if not seen:
        return None
    first = [(name, judge.document_of(name)) for name in assembled[-1].ranking[: tools.settings.k]]
    complete = is_complete(question, first, judge.carried(question)) if kind == "own" else None
    return Case(dataset, kind, question.text, dict(seen[-1]), complete, has_answer)
