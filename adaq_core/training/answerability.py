"""Learn when evidence is enough: python -m adaq_core.training.answerability --datasets DIR.

Fits logistic models on the features of the evidence that runs without anything learned end with: that all of it
is there, that some of it is, that the corpus holds an answer at all, and the same where documents are titled by what
they are about; and that all of it is there for subjects and reports, by what judges marked in the documents. Every set
weighs the same; at least two are needed. Cross-validated and left-out numbers are printed; the models go to one small
JSON artefact. With --titled or --topics only one of them is fitted, on sets of that kind; the others stay.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adaq_core.answerability import FEATURES, FORMAT, PATH, REFUSAL, Logistic
from adaq_core.datasets.beir import BUNDLED, read_question_set
from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.errors import DatasetError
from adaq_core.evaluation.measuring import Judge, is_complete
from adaq_core.evaluation.variants import ensure_index
from adaq_core.events import EvidenceAssembled, of_kind
from adaq_core.measures.calibration import auroc, ece
from adaq_core.methods import adaptive
from adaq_core.model import Budget, Passage, Settings
from adaq_core.question.query_templates import profiles
from adaq_core.ranking.learned import FAR, family_of
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import rarity
from adaq_core.stages.services import BudgetMeter, Services
from adaq_core.training.ranker import fit_logistic, number_of

Kind = Literal["own", "gold_removed", "out_of_domain", "small", "untitled", "anonymous"]

OF_OWN: tuple[Kind, ...] = ("own", "gold_removed", "small", "untitled", "anonymous")
OF_TITLED: tuple[Kind, ...] = ("own", "gold_removed")
FOLDS = 5
REMOVED = 3
OUT_OF_DOMAIN = 100
LENDERS = 2
SMALL, SMALL_CORPORA = 5, 20
SHARED, OTHERS = 5, 8
MOST_WORDS, MOST = 300, 400


@dataclass(frozen=True, slots=True)
class Case:
    """What a run ended with: the features of its evidence, and what the judges say of it.

    `complete`: whether the set holds all of the gold, `reached`: whether it reaches all that was marked in it, `some`:
    whether any (None: not judged).
    """

    dataset: str
    kind: Kind
    question: str
    features: dict[str, float]
    complete: bool | None
    some: bool | None
    answerable: bool
    reached: bool | None = None

    @property
    def fold(self) -> int:
        """The same for a question in all its kinds."""
        return number_of(self.question) % FOLDS

    @property
    def lot(self) -> str:
        """The set, or all written exams on documents or on reports, which share their corpora, as one."""
        if self.dataset.startswith("exam"):
            return "exams on reports" if self.features["filing"] else "exams on documents"
        return self.dataset


@dataclass(frozen=True, slots=True)
class Task:
    """Questions to run on the corpus of a set; `gold_removed` takes their gold documents out of it first."""

    corpus: Path
    questions: Path
    split: str
    kind: Kind


def tasks(folders: Sequence[Path], split: str) -> list[Task]:
    """For each set its own questions, some after their gold was removed, and those of two sets with another corpus."""
    known = [(folder, read_question_set(folder, split)) for folder in folders]
    known = [(folder, questions) for folder, questions in known if questions.corpus is not None]
    results: list[Task] = []
    for place, (folder, questions) in enumerate(known):
        results += [Task(folder, folder, split, kind) for kind in OF_OWN]
        around = known[place + 1 :] + known[:place]
        others = [other for other, q in around if q.corpus != questions.corpus]
        results += [Task(folder, other, split, "out_of_domain") for other in others[:LENDERS]]
    return results


def cases(task: Task) -> list[Case]:
    """Run the questions of a task."""
    own = read_question_set(task.corpus, task.split)
    index = PassageIndex.load(ensure_index(own))
    questions = _asked(read_question_set(task.questions, task.split), task.kind)
    if task.kind == "small":
        return [case for group in _small(questions) for case in _on_small(group, own.name, index)]
    if task.kind in ("untitled", "anonymous"):
        return [case for head in _heads(index) for case in _on_nameless(head, task.kind, own.name, questions, index)]
    if task.kind == "gold_removed":
        gone = {document for question in questions for document in question.gold_documents}
        index = PassageIndex.build((p for p in index.passages if p.document_id not in gone), name=own.name)
    asked = [(question, task.kind == "own" and not question.is_unanswerable) for question in questions]
    made = _cases(asked, task.kind, own.name, index)
    print(f"{own.name}, {task.kind}: {len(asked)} runs", file=sys.stderr, flush=True)
    return made


def _cases(asked: Iterable[tuple[JudgedQuestion, bool]], kind: Kind, dataset: str, index: PassageIndex) -> list[Case]:
    """Run questions on a corpus, each with whether it has an answer there; a run that estimates nothing is left out."""
    judge, retriever = Judge(index), DocumentRetriever(index)
    made = (_case(q, kind, dataset, judge=judge, retriever=retriever, has_answer=has) for q, has in asked)
    return [case for case in made if case is not None]


def _small(questions: Sequence[JudgedQuestion]) -> list[tuple[list[JudgedQuestion], list[JudgedQuestion]]]:
    """A few questions at a time whose gold makes a corpus, with a few others that are asked of it too."""
    step = max(1, len(questions) // (SMALL * SMALL_CORPORA))
    picked = sorted(questions, key=lambda question: number_of(question.text))[::step]
    groups = [picked[at : at + SMALL] for at in range(0, len(picked), SMALL)][:SMALL_CORPORA]
    if len(groups) > 1:
        return list(zip(groups, groups[1:] + groups[:1], strict=True))
    return []


def _on_small(
    group: tuple[list[JudgedQuestion], list[JudgedQuestion]], dataset: str, whole: PassageIndex
) -> list[Case]:
    gold = {document for question in group[0] for document in question.gold_documents}
    index = PassageIndex.build((p for p in whole.passages if p.document_id in gold), name=dataset)
    without = [question for question in group[1] if gold.isdisjoint(question.gold_documents)]
    asked = [*((question, True) for question in group[0]), *((question, False) for question in without)]
    return _cases(asked, "small", dataset, index)


def _heads(index: PassageIndex) -> list[str]:
    """What stands before the colon of several titles."""
    heads = Counter(p.title.partition(":")[0] for p in index.passages if ":" in p.title)
    return sorted(head for head, count in heads.items() if count >= SHARED)


def _on_nameless(
    head: str, kind: Kind, dataset: str, questions: Sequence[JudgedQuestion], whole: PassageIndex
) -> list[Case]:
    """What the judges say of the documents of `head`, asked of these alone; and what they say of others."""
    mine = [p for p in whole.passages if p.title.partition(":")[0] == head]
    texts = [_nameless(p, n, head if kind == "anonymous" else "") for n, p in enumerate(mine)]
    index = PassageIndex.build(texts, name=dataset)
    known = {p.document_id for p in mine}
    parts = {s.text: s.document_id for q in questions for s in q.subtopics if s.text}
    ordered = sorted(parts.items())
    asked = [(text, True) for text, document in ordered if document in known and head in text]
    others = [(text, False) for text, document in ordered if document not in known and head not in text]
    asked += others[:: max(1, len(others) // OTHERS)][:OTHERS]
    return _cases(((JudgedQuestion(text, text), has) for text, has in asked), kind, dataset, index)


def _nameless(passage: Passage, number: int, name: str) -> Passage:
    """The passage under a number, without `name` in its text."""
    if name:
        text = passage.text.replace(name, "the company" if number % 2 else "we")
    else:
        text = passage.text
    return replace(passage, title=f"file {number}", text=text)


def _asked(questions: QuestionSet, kind: Kind) -> list[JudgedQuestion]:
    every = list(questions)
    if kind in ("own", "untitled", "anonymous"):
        return [question for question in every if len(question.text.split()) <= MOST_WORDS][:MOST]
    answerable = [question for question in every if not question.is_unanswerable]
    if kind == "out_of_domain":
        return answerable[:: max(1, len(answerable) // OUT_OF_DOMAIN)]
    answerable = [question for question in answerable if len(question.text.split()) <= MOST_WORDS]
    with_gold = [question for question in answerable if question.gold_documents]
    if kind == "small":
        return with_gold
    return [question for question in with_gold if number_of(min(question.gold_documents)) % REMOVED == 0]


def _case(
    question: JudgedQuestion, kind: Kind, dataset: str, *, judge: Judge, retriever: DocumentRetriever, has_answer: bool
) -> Case | None:
    seen: list[Mapping[str, float]] = []
    index = retriever.index
    services = Services(
        retriever=retriever,
        settings=Settings(learned=False),
        meter=BudgetMeter(Budget()),
        profiles=profiles(),
        weigh=rarity(index),
        long_form=index.long_form,
        watch=seen.append,
    )
    assembled = list(of_kind(adaptive.run(question.text, services), EvidenceAssembled))
    if not seen:
        return None
    first = [(name, judge.document_of(name)) for name in assembled[-1].ranking[: services.settings.k]]
    complete = some = reached = None
    if kind == "own":
        reached = judge.has_all(question, first) if judge.is_marked(question) else None
        complete = is_complete(question, first, judge.carried(question))
        some = not {document for _, document in first}.isdisjoint(question.gold_documents)
    return Case(dataset, kind, question.text, dict(seen[-1]), complete, some, has_answer, reached)


Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

STRENGTH = 0.1
OF_NULL: Mapping[Kind, float] = {
    "own": 0.5,
    "gold_removed": 0.25,
    "out_of_domain": 0.25,
    "small": 0.25,
    "untitled": 0.25,
    "anonymous": 0.25,
}
OF_ANSWERABLE: Mapping[Kind, float] = {"own": 1.0, "small": 0.5, "untitled": 0.5, "anonymous": 0.5}
FEW = 20


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """What one of the two models learns from: rows of features, what was so, how much each counts."""

    cases: Sequence[Case]
    rows: Floats
    wanted: Bools
    weights: Floats
    features: tuple[str, ...]

    def fit(self, used: Bools) -> Logistic:
        """The model of the cases used."""
        rows = self.rows[used].astype(np.float32)
        weights = self.weights[used].astype(np.float32)
        weights = weights / weights.mean()
        return Logistic(self.features, fit_logistic(rows, self.wanted[used], weights, strength=STRENGTH, far=FAR))

    def cross_fitted(self, groups: Sequence[Any]) -> Floats:
        """For each case what the model says that has seen none of its group."""
        result = np.zeros(len(self.cases))
        group = np.array(groups)
        for each in np.unique(group):
            model = self.fit(group != each)
            for place in np.flatnonzero(group == each).tolist():
                result[place] = model.probability(self.cases[place].features)
        return result


def of_sufficiency(every: Sequence[Case]) -> TrainingSet:
    """All questions asked of their own corpus; one without an answer is never complete."""
    cases = [case for case in every if case.kind == "own"]
    weights = _balanced([case.dataset for case in cases])
    return _training_set(cases, [bool(case.complete) for case in cases], weights, FEATURES["sufficiency"])


def of_topics(every: Sequence[Case]) -> TrainingSet:
    """Questions on subjects and on reports, by what was marked; the written exams on either weigh as one set.

    A set of which no mark is ever reached has marks of other texts than those that are searched: it says nothing.
    """
    speaking = {case.lot for case in every if case.reached}
    marked = [case for case in every if case.reached is not None and case.lot in speaking]
    cases = [case for case in marked if not case.features["facts"]]
    weights = _balanced([case.lot for case in cases])
    return _training_set(cases, [bool(case.reached) for case in cases], weights, FEATURES["topics"])


def of_some(every: Sequence[Case]) -> TrainingSet:
    """All questions asked of their own corpus; one without an answer has no evidence."""
    own = [case for case in every if case.kind == "own"]
    weights = _balanced([case.dataset for case in own])
    return _training_set(own, [bool(case.some or case.complete) for case in own], weights, FEATURES["some"])


def of_answerable(every: Sequence[Case]) -> TrainingSet:
    """Everything; in each set what is answerable counts as much as what is not, at most."""
    groups = [(case.dataset, case.kind, case.answerable) for case in every]
    sizes = Counter(groups)
    shares = [_share_of(*group[1:], size=sizes[group]) for group in groups]
    weights = np.array(shares) / np.array([sizes[group] for group in groups])
    answers = [case.answerable for case in every]
    return _training_set(every, answers, weights, FEATURES["answerable"])


def of_titled(every: Sequence[Case]) -> TrainingSet:
    """Questions asked of their own encyclopedia as it is, and without their gold; each set weighs the same.

    The answerable weigh four times what the others do, as in `of_answerable`.
    """
    cases = [case for case in every if case.features["titled"] and case.kind in OF_TITLED]
    groups = [(case.dataset, case.answerable) for case in cases]
    weights = np.array(
        [(1.0 if answerable else 0.25) / groups.count((name, answerable)) for name, answerable in groups]
    )
    return _training_set(cases, [case.answerable for case in cases], weights, FEATURES["titled"])


TRAINED: Mapping[str, Callable[[Sequence[Case]], TrainingSet]] = {
    "sufficiency": of_sufficiency,
    "topics": of_topics,
    "some": of_some,
    "answerable": of_answerable,
    "titled": of_titled,
}


def _share_of(kind: Kind, answerable: bool, *, size: int) -> float:
    if answerable:
        return OF_ANSWERABLE[kind]
    return OF_NULL[kind] * min(1.0, size / FEW)


def _training_set(
    cases: Sequence[Case], wanted: Sequence[bool], weights: Floats, features: tuple[str, ...]
) -> TrainingSet:
    rows = np.array([[case.features[name] for name in features] for case in cases])
    return TrainingSet(cases, rows, np.array(wanted, dtype=np.bool_), weights, features)


def _balanced(names: Sequence[str]) -> Floats:
    return np.array([1.0 / names.count(name) for name in names])


def report(sets: Mapping[str, TrainingSet]) -> Iterator[str]:
    """The models on questions they have not seen, and on sets they have not seen, as Markdown."""
    titles = {"sufficiency": "all of it is there", "topics": "all of it, subjects", "some": "some of it is there"}
    for name, title in titles.items():
        if name in sets:
            yield from _sufficiency_table(title, sets[name])
    for name in ("answerable", "titled"):
        if name in sets:
            yield from _answerable_table(sets[name])


def _sufficiency_table(title: str, model: TrainingSet) -> Iterator[str]:
    yield f"\n| {title} | n | so | AUROC / ECE, CV | AUROC / ECE, set left out |\n|---|---|---|---|---|"
    seen, unseen = (model.cross_fitted(groups) for groups in _groups(model))
    for name in _names(model):
        chosen = _where(model, lambda c, name=name: c.lot == name and c.complete is not None)
        so = model.wanted[chosen]
        pairs = (
            f"{_shown(auroc, estimates[chosen], so)} / {_shown(ece, estimates[chosen], so)}"
            for estimates in (seen, unseen)
        )
        yield f"| {name} | {chosen.sum()} | {so.mean():.2f} | {' | '.join(pairs)} |"


def _answerable_table(answerable: TrainingSet) -> Iterator[str]:
    limits = np.array([REFUSAL.of(case.features) for case in answerable.cases])
    loose = f"{REFUSAL.loose} where passages need not name their subject"
    yield f"\nSaid to have no answer below {REFUSAL.bound} ({loose}):\n"
    yield "| answerable | kind | n | AUROC, CV / left out | false alarms, CV / left out | told, CV / left out |"
    yield "|---|---|---|---|---|---|"
    seen, unseen = (answerable.cross_fitted(groups) for groups in _groups(answerable))
    for name in _names(answerable):
        for kind in OF_NULL:
            asked = "own" if kind in ("gold_removed", "out_of_domain") else kind
            good = _where(answerable, lambda c, n=name, k=asked: (c.lot, c.kind, c.answerable) == (n, k, True))
            null = _where(answerable, lambda c, n=name, k=kind: (c.lot, c.kind, c.answerable) == (n, k, False))
            if null.any():
                both = null | good
                pairs = (
                    [_shown(auroc, estimates[both], answerable.wanted[both]) for estimates in (seen, unseen)],
                    [f"{(estimates[good] < limits[good]).mean():.3f}" for estimates in (seen, unseen)],
                    [f"{(estimates[null] < limits[null]).mean():.2f}" for estimates in (seen, unseen)],
                )
                columns = [" / ".join(pair) for pair in pairs]
                yield f"| {name} | {kind} | {null.sum()} | {' | '.join(columns)} |"


def _groups(of: TrainingSet) -> tuple[list[int], list[str]]:
    return [case.fold for case in of.cases], [case.lot for case in of.cases]


def _names(of: TrainingSet) -> list[str]:
    return sorted({case.lot for case in of.cases})


def _where(of: TrainingSet, holds: Any) -> Bools:
    return np.array([holds(case) for case in of.cases], dtype=np.bool_)


def _shown(measure: Callable[..., float | None], estimates: Floats, came: Bools) -> str:
    value = measure(estimates.tolist(), came.tolist())
    return "–" if value is None else f"{value:.3f}"


def artefact(sets: Mapping[str, TrainingSet], known: Mapping[str, Any]) -> dict[str, Any]:
    """The models of all cases, as numbers; what was not fitted stays as it is `known`."""
    parts = dict(known)
    for name, training_set in sets.items():
        model = training_set.fit(np.ones(len(training_set.cases), dtype=np.bool_))
        parts[name] = {"features": list(training_set.features), **model.numbers}
    counts = {name: len(training_set.cases) for name, training_set in sets.items()}
    return {**parts, "format": FORMAT, "trained_on": {**known.get("trained_on", {}), **counts}}


def _folders(datasets: Iterable[Path], split: str) -> list[Path]:
    results = []
    for folder in datasets:
        try:
            read_question_set(folder, split)
        except DatasetError as error:
            print(f"{folder.name}: left out, {error}", file=sys.stderr)
        else:
            results.append(folder)
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, fit, report, write."""
    parser = argparse.ArgumentParser(
        prog="python -m adaq_core.training.answerability", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--datasets", type=Path, required=True, help="folder of BEIR folders; the bundled sets are added"
    )
    parser.add_argument("--split", default="dev")
    parser.add_argument("--out", type=Path, default=PATH)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--titled", action="store_true", help="fit the model of encyclopedias only")
    parser.add_argument("--topics", action="store_true", help="fit the one of subjects and reports only")
    given = parser.parse_args(arguments)
    roots = (given.datasets,) if given.titled else (BUNDLED, given.datasets)
    folders = sorted(path for root in roots for path in root.iterdir() if path.is_dir())
    todo = tasks(_folders(folders, given.split), given.split)
    if given.titled:
        todo = [task for task in todo if task.kind in OF_TITLED and _family(task) == "linked"]
    if given.topics:
        todo = [task for task in todo if task.kind == "own" and _family(task) is None]
    with ProcessPoolExecutor(given.workers) as workers:
        every = [case for part in workers.map(cases, todo) for case in part]
    is_part = given.titled or given.topics
    wanted = [name for name in TRAINED if not is_part or vars(given).get(name)]
    sets = {name: TRAINED[name](every) for name in wanted}
    print("\n".join(report(sets)))
    known = json.loads(given.out.read_text(encoding="utf-8")) if is_part else {}
    given.out.write_text(json.dumps(artefact(sets, known), indent=1) + "\n", encoding="utf-8")
    print(given.out)


def _family(task: Task) -> str | None:
    """How the documents of the corpus of a task are looked up: by what they are about, by their sources, or neither."""
    questions = read_question_set(task.corpus, task.split)
    return family_of(PassageIndex.load(ensure_index(questions)))


if __name__ == "__main__":
    main()
