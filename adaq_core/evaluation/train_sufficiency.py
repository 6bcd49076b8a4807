"""Learn when evidence is enough: python -m adaq_core.evaluation.train_sufficiency --datasets DIR.

Runs ADAQ without anything learned over the judged sets and fits two logistic models on the signs of the evidence it
ends with: that all of it is there, and that the corpus holds an answer at all. For the second one each corpus is also
asked what it cannot answer: its own questions after their gold documents were taken out, and questions of other sets.
And small corpora are made of the gold of a few questions, which are asked there, and a few others too.
Every set weighs the same. Cross-validated and left-out numbers are printed; the models go to one small JSON artefact.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.finding import BUNDLED
from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.errors import DatasetError
from adaq_core.evaluation.measuring import Judge, is_complete
from adaq_core.evaluation.searching import ensure_index
from adaq_core.events import EvidenceAssembled, of_kind
from adaq_core.loop.profiles import profiles
from adaq_core.loop.tools import Meter, Tools
from adaq_core.measures.calibration import auroc, ece
from adaq_core.methods import adaptive
from adaq_core.model import Budget, Settings
from adaq_core.ranking.estimates import ANSWERABLE_SIGNS, FAR, FORMAT, PATH, SUFFICIENCY_SIGNS, Logistic
from adaq_core.ranking.fitting import fit_logistic
from adaq_core.retrieval.acronyms import long_form
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever
from adaq_core.run import rarity

Kind = Literal["own", "robbed", "foreign", "small"]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

FOLDS = 5
ROBBED = 3
FOREIGN = 100
LENDERS = 2
STRENGTH = 0.1
LIMIT = 0.15
SMALL, SMALL_CORPORA = 5, 20
OF_NULL: Mapping[Kind, float] = {"own": 0.5, "robbed": 0.25, "foreign": 0.25, "small": 0.25}
OF_ANSWERABLE: Mapping[Kind, float] = {"own": 1.0, "small": 0.5}
FEW = 20


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
        _case(
            question, task.kind, own.name, judge=judge, retriever=retriever, has_answer=_has_answer(question, task.kind)
        )
        for question in questions
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
        long_form=lambda name: long_form(name, index.acronyms),
        watch=seen.append,
    )
    assembled = list(of_kind(adaptive.run(question.text, tools), EvidenceAssembled))
    if not seen:
        return None
    first = [(name, judge.document_of(name)) for name in assembled[-1].ranking[: tools.settings.k]]
    complete = is_complete(question, first, judge.carried(question)) if kind == "own" else None
    return Case(dataset, kind, question.text, dict(seen[-1]), complete, has_answer)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one of the two models learns from: rows of signs, what was so, how much each counts."""

    cases: Sequence[Case]
    rows: Floats
    wanted: Bools
    weights: Floats
    signs: tuple[str, ...]

    def fit(self, used: Bools) -> Logistic:
        """The model of the cases used."""
        rows, weights = self.rows[used].astype(np.float32), self.weights[used].astype(np.float32)
        weights = weights / weights.mean()
        return Logistic(self.signs, fit_logistic(rows, self.wanted[used], weights, strength=STRENGTH, far=FAR))

    def said(self, groups: Sequence[Any]) -> Floats:
        """For each case what the model says that has seen none of its group."""
        found, group = np.zeros(len(self.cases)), np.array(groups)
        for each in np.unique(group):
            model = self.fit(group != each)
            for place in np.flatnonzero(group == each).tolist():
                found[place] = model.probability(self.cases[place].signs)
        return found


def of_sufficiency(every: Sequence[Case]) -> Lesson:
    """All questions asked of their own corpus; one without an answer is never complete."""
    held = [case for case in every if case.kind == "own"]
    weights = _balanced([case.dataset for case in held])
    return _lesson(held, [bool(case.complete) for case in held], weights, SUFFICIENCY_SIGNS)


def of_answerable(every: Sequence[Case]) -> Lesson:
    """Everything; in each set what is answerable counts as much as what is not, at most."""
    groups = [(case.dataset, case.kind, case.answerable) for case in every]
    sizes = {group: groups.count(group) for group in set(groups)}
    shares = [OF_ANSWERABLE[g[1]] if g[2] else OF_NULL[g[1]] * min(1.0, sizes[g] / FEW) for g in groups]
    weights = np.array([share / sizes[group] for share, group in zip(shares, groups, strict=True)])
    return _lesson(every, [case.answerable for case in every], weights, ANSWERABLE_SIGNS)


def _lesson(held: Sequence[Case], wanted: Sequence[bool], weights: Floats, signs: tuple[str, ...]) -> Lesson:
    rows = np.array([[case.signs[name] for name in signs] for case in held])
    return Lesson(held, rows, np.array(wanted, dtype=np.bool_), weights, signs)


def _balanced(names: Sequence[str]) -> Floats:
    return np.array([1.0 / names.count(name) for name in names])


def report(sufficiency: Lesson, answerable: Lesson) -> Iterator[str]:
    """Both models on questions they have not seen, and on sets they have not seen, as Markdown."""
    yield "| sufficiency | n | complete | AUROC / ECE, CV | AUROC / ECE, set left out |\n|---|---|---|---|---|"
    seen, unseen = (sufficiency.said(groups) for groups in _groups(sufficiency))
    for name in _names(sufficiency):
        held = _where(sufficiency, lambda c, name=name: c.dataset == name and c.complete is not None)
        so = sufficiency.wanted[held]
        pairs = (f"{_shown(auroc, said[held], so)} / {_shown(ece, said[held], so)}" for said in (seen, unseen))
        yield f"| {name} | {held.sum()} | {so.mean():.2f} | {' | '.join(pairs)} |"
    yield f"\nSaid to have no answer below {LIMIT}:\n"
    yield "| answerable | kind | n | AUROC, CV / left out | false alarms, CV / left out | told, CV / left out |"
    yield "|---|---|---|---|---|---|"
    seen, unseen = (answerable.said(groups) for groups in _groups(answerable))
    for name in _names(answerable):
        for kind in OF_NULL:
            asked = "small" if kind == "small" else "own"
            good = _where(answerable, lambda c, n=name, k=asked: (c.dataset, c.kind, c.answerable) == (n, k, True))
            null = _where(answerable, lambda c, n=name, k=kind: (c.dataset, c.kind, c.answerable) == (n, k, False))
            if null.any():
                both = null | good
                columns = (
                    " / ".join(_shown(auroc, said[both], answerable.wanted[both]) for said in (seen, unseen)),
                    " / ".join(f"{(said[good] < LIMIT).mean():.3f}" for said in (seen, unseen)),
                    " / ".join(f"{(said[null] < LIMIT).mean():.2f}" for said in (seen, unseen)),
                )
                yield f"| {name} | {kind} | {null.sum()} | {' | '.join(columns)} |"


def _groups(lesson: Lesson) -> tuple[list[int], list[str]]:
    return [case.fold for case in lesson.cases], [case.dataset for case in lesson.cases]


def _names(lesson: Lesson) -> list[str]:
    return sorted({case.dataset for case in lesson.cases})


def _where(lesson: Lesson, holds: Any) -> Bools:
    return np.array([holds(case) for case in lesson.cases], dtype=np.bool_)


def _shown(measure: Callable[..., float | None], said: Floats, came: Bools) -> str:
    value = measure(said.tolist(), came.tolist())
    return "–" if value is None else f"{value:.3f}"


def artefact(sufficiency: Lesson, answerable: Lesson) -> dict[str, Any]:
    """Both models of all cases, as numbers."""
    parts = {}
    for name, lesson in (("sufficiency", sufficiency), ("answerable", answerable)):
        model = lesson.fit(np.ones(len(lesson.cases), dtype=np.bool_))
        parts[name] = {"signs": list(lesson.signs), **model.numbers}
    parts["answerable"]["limit"] = LIMIT
    return {
        "format": FORMAT,
        **parts,
        "trained_on": {"questions": len(sufficiency.cases), "runs": len(answerable.cases)},
    }


def _folders(datasets: Iterable[Path], split: str) -> list[Path]:
    found = []
    for folder in datasets:
        try:
            read_question_set(folder, split)
        except DatasetError as error:
            print(f"{folder.name}: left out, {error}", file=sys.stderr)
        else:
            found.append(folder)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, fit, report, write."""
    parser = argparse.ArgumentParser(
        prog="python -m adaq_core.evaluation.train_sufficiency", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--datasets", type=Path, required=True, help="folder of BEIR folders; the bundled sets are added"
    )
    parser.add_argument("--split", default="dev")
    parser.add_argument("--out", type=Path, default=PATH)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(arguments)
    folders = sorted(path for root in (BUNDLED, given.datasets) for path in root.iterdir() if path.is_dir())
    todo = tasks(_folders(folders, given.split), given.split)
    with ProcessPoolExecutor(given.workers) as workers:
        every = [case for part in workers.map(cases, todo) for case in part]
    sufficiency, answerable = of_sufficiency(every), of_answerable(every)
    print("\n".join(report(sufficiency, answerable)))
    given.out.write_text(json.dumps(artefact(sufficiency, answerable), indent=1) + "\n", encoding="utf-8")
    print(given.out)


if __name__ == "__main__":
    main()
