"""Train the learned ranker on judged question sets: python -m adaq_core.training.ranker --datasets DIR --out DIR.

Only this command reads judgments. Each family of corpora (see `learned`) gets its own models; every model that feeds
another one does so with scores for questions that it was not trained on (questions that share evidence share a fold).
With --sufficiency the rankers stay, and only how likely a set is whole is learned again, by what judges marked in the
documents.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.errors import DatasetError
from adaq_core.evaluation.measuring import Judge
from adaq_core.model import Document
from adaq_core.question.reading import read_question
from adaq_core.ranking.features import ARTICLE_FEATURES
from adaq_core.ranking.learned import (
    ARTEFACTS,
    FAR,
    FEW_FEATURES,
    NAMES,
    SET_FEATURES,
    STAGES,
    Family,
    Learned,
    Trees,
    columns,
    family_of,
    load,
    set_features,
)
from adaq_core.ranking.scoring import Scoring, choice_of, question_candidates, walk_candidates
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import Floats
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

FOLDS = 4
KEPT_NEGATIVES = 0.5
_CONSTANT = 1e-3
_SHAPE: dict[str, Any] = {
    "max_iter": 120,
    "max_depth": 3,
    "max_leaf_nodes": 8,
    "learning_rate": 0.07,
    "min_samples_leaf": 30,
    "l2_regularization": 5.0,
    "max_features": 0.4,
    "early_stopping": False,
    "random_state": 0,
}


def fit_trees(
    rows: Floats, wanted: Floats, weights: Floats, names: Sequence[str], *, unused: Collection[str] = ()
) -> Trees:
    """Trees of depth three for P(wanted), which do not ask for the features `unused`.

    Deterministic: one thread, because several add numbers up in any order.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    used = np.array([number for number, name in enumerate(names) if name not in unused], dtype=np.int64)
    with threadpool_limits(limits=1):
        model = HistGradientBoostingClassifier(**_SHAPE).fit(rows[:, used], wanted.astype(int), sample_weight=weights)
    return _as_trees(model, names, used)


def _as_trees(model: Any, names: Sequence[str], used: NDArray[np.int64]) -> Trees:
    inner = 2 ** _SHAPE["max_depth"] - 1
    grown = [stage[0].nodes for stage in model._predictors]
    feature = np.zeros((len(grown), inner), dtype=np.int64)
    threshold = np.full((len(grown), inner), np.inf, dtype=np.float32)
    value = np.zeros((len(grown), inner + 1), dtype=np.float32)
    for tree, nodes in enumerate(grown):
        mine = {"feature": feature[tree], "threshold": threshold[tree], "value": value[tree]}
        _lay_out(nodes, 0, 0, **mine)
    return Trees(tuple(names), float(np.ravel(model._baseline_prediction)[0]), used[feature], threshold, value)


def _lay_out(nodes: Any, at: int, place: int, *, feature: Any, threshold: Any, value: Any) -> None:
    """Write a grown tree into a heap; a leaf above the lowest level fills all leaves below it."""
    inner = len(feature)
    if place >= inner:
        value[place - inner] = nodes[at]["value"]
        return
    leaf = bool(nodes[at]["is_leaf"])
    if not leaf:
        feature[place], threshold[place] = nodes[at]["feature_idx"], nodes[at]["num_threshold"]
    left = at if leaf else int(nodes[at]["left"])
    right = at if leaf else int(nodes[at]["right"])
    _lay_out(nodes, left, 2 * place + 1, feature=feature, threshold=threshold, value=value)
    _lay_out(nodes, right, 2 * place + 2, feature=feature, threshold=threshold, value=value)


def fit_folds(
    rows: Sequence[Floats],
    wanted: Sequence[Floats],
    weights: Sequence[float],
    folds: Sequence[int],
    names: Sequence[str],
    *,
    unused: Collection[str] = (),
) -> tuple[Trees, list[Trees]]:
    """The model of all questions, and one per fold that has not seen the fold's questions.

    Of the rows that are not wanted every other one is used, with twice the weight.
    """
    x, y = np.concatenate(rows), np.concatenate(wanted)
    sizes = [len(part) for part in wanted]
    w, of = np.repeat(weights, sizes), np.repeat(folds, sizes)
    used = (y > 0) | (np.random.default_rng(0).random(len(y)) < KEPT_NEGATIVES)
    w = np.where(y > 0, w, w / KEPT_NEGATIVES)[used]
    x = x[used]
    y = y[used]
    of = of[used]
    held_out = []
    for fold in range(FOLDS):
        seen = of != fold
        held_out.append(fit_trees(x[seen], y[seen], w[seen], names, unused=unused))
    return fit_trees(x, y, w, names, unused=unused), held_out


def fit_logistic(
    rows: Floats, wanted: NDArray[np.bool_], weights: Floats, *, strength: float = 0.3, far: float = np.inf
) -> dict[str, Any]:
    """A regularised logistic model as numbers: mean, scale, weights, bias; what never varied weighs nothing.

    Features count for at most `far` deviations.
    """
    from sklearn.linear_model import LogisticRegression

    mean = rows.mean(axis=0, dtype=np.float64)
    spread = rows.std(axis=0, dtype=np.float64)
    varied = spread > _CONSTANT
    scale = np.where(varied, spread, 1.0)
    scaled = np.clip((rows - mean) / scale, -far, far)
    model = LogisticRegression(C=strength, max_iter=2000).fit(scaled, wanted, sample_weight=weights)
    return {
        "mean": _rounded(mean),
        "scale": _rounded(scale),
        "weights": _rounded(np.where(varied, model.coef_[0], 0.0)),
        "bias": round(float(model.intercept_[0]), 6),
    }


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.6g}") for value in np.asarray(values).tolist()]


CAP = 300
K = 5


@dataclass(slots=True)
class Example:
    """What the ranker learns from: a judged question on its corpus, with the scoring that training advances."""

    dataset: str
    question: JudgedQuestion
    index: PassageIndex
    judge: Judge
    scoring: Scoring
    fold: int

    def wanted(self, positions: Sequence[int]) -> Floats:
        """1 for each passage that is evidence: of a gold document and, where quotes are judged, holding one."""
        return np.array([float(self._is_evidence(position)) for position in positions], dtype=np.float32)

    def _is_evidence(self, position: int) -> bool:
        passage = self.index.passages[position]
        if passage.document_id not in self.question.gold_documents:
            return False
        quotes = [s.quote for s in self.question.subtopics if s.document_id == passage.document_id and s.quote]
        places = self.index.graph.passages_of(int(self.index.graph.document_of[position]))
        quoting = [any(_plain(q) in _plain(self.index.passages[p].text) for q in quotes) for p in places]
        return quoting[position - places.start] if any(quoting) else True

    def is_complete(self, chosen: Sequence[int]) -> bool:
        """Whether the chosen candidates hold all that judges marked; never for an unanswerable question."""
        passages = [self.index.passages[self.scoring.positions[number]] for number in chosen]
        named = [(passage.passage_id, passage.document_id) for passage in passages]
        return bool(self.question.gold_documents) and self.judge.has_all(self.question, named) is True


def _plain(text: str) -> str:
    return " ".join(text.split())


def examples_of(folder: Path, split: str = "dev", *, index: PassageIndex | None = None) -> list[Example]:
    """The questions of a set that have gold documents or are unanswerable, each with its first candidates."""
    known = read_question_set(folder, split)
    asked = [question for question in known if question.gold_documents or question.is_unanswerable]
    return _examples(known.name, ((_fold(question), question) for question in asked), index or judged_index(known))


def _examples(dataset: str, asked: Iterable[tuple[int, JudgedQuestion]], corpus: PassageIndex) -> list[Example]:
    results = []
    judge = Judge(corpus)
    for fold, question in asked:
        scoring = Scoring(Signals(corpus, read_question(corpus, question.text)))
        scoring.add([*question_candidates(scoring.signals), *walk_candidates(scoring.signals)])
        if scoring.positions:
            results.append(Example(dataset, question, corpus, judge, scoring, fold))
    return results


def among_all(folders: Sequence[Path], split: str) -> list[Example]:
    """The questions of several sets once more, each in its fold, on the documents of all of these sets, a title once.

    What is learned on the documents gathered for a few hundred questions alone trusts what it finds too easily.
    """
    sets = [read_question_set(folder, split) for folder in folders]
    gold = [{name for question in known for name in question.gold_documents} for known in sets]
    every = [(n, document) for n, known in enumerate(sets) for document in known.documents()]
    every.sort(key=lambda one: one[1].document_id not in gold[one[0]])
    kept: dict[str, Document] = {}
    called: dict[tuple[int, str], str] = {}
    for n, document in every:
        own = replace(document, document_id=f"{sets[n].name}/{document.document_id}")
        one = kept.setdefault(document.title.strip().lower(), own)
        called[n, document.document_id] = one.document_id
    corpus = PassageIndex.build((p for d in kept.values() for p in cut(d, overlap_sentences=0)), name="all")

    def here(n: int, question: JudgedQuestion) -> JudgedQuestion:
        parts = (replace(part, document_id=called[n, part.document_id]) for part in question.subtopics)
        grades = {called[n, name]: grade for name, grade in question.gold.items()}
        return replace(question, gold=grades, subtopics=tuple(parts))

    examples: list[Example] = []
    for n, known in enumerate(sets):
        asked = ((_fold(question), here(n, question)) for question in known if question.gold_documents)
        examples += _examples(f"{known.name} among all", asked, corpus)
    return examples


def judged_index(known: QuestionSet) -> PassageIndex:
    """The index of the corpus of a set, cut as for evaluation: passages do not overlap, one of them holds a quote."""
    return PassageIndex.build((p for d in known.documents() for p in cut(d, overlap_sentences=0)), name=known.name)


def _fold(question: JudgedQuestion) -> int:
    return number_of(min(question.gold_documents, default=question.text)) % FOLDS


def number_of(text: str) -> int:
    """A number that is the same for a text in every process, to draw folds and samples by."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def train(examples: Sequence[Example], family: Family) -> Learned:
    """The models of one family; their scorings end with scores from models that have not seen the question."""
    models = _train_linked(examples) if family == "linked" else _train_flat(examples)
    return Learned(family, models, {"sufficiency": _calibrate(examples, family), "trained_on": _made_of(examples)})


def _weights(examples: Sequence[Example]) -> list[float]:
    sizes = Counter(one.dataset for one in examples)
    return [min(1.0, CAP / sizes[one.dataset]) for one in examples]


def _fit(
    examples: Sequence[Example], stage: str, rows: Sequence[Floats], wanted: Sequence[Floats]
) -> tuple[Trees, list[Trees]]:
    number = STAGES.index(stage) + 1
    count = f"{sum(map(len, rows)):,} rows of up to {len(NAMES[stage])} features"
    print(f"  stage {number} of {len(STAGES)}, {stage}: {count}, {FOLDS + 1} models", file=sys.stderr, flush=True)
    begun = time.monotonic()
    folds = [one.fold for one in examples]
    unused = () if _has_articles(examples) else ARTICLE_FEATURES
    fitted = fit_folds(rows, wanted, _weights(examples), folds, NAMES[stage], unused=unused)
    print(f"    fitted in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    return fitted


def _has_articles(examples: Sequence[Example]) -> bool:
    """Whether documents have several passages, so that where in one a passage stands can tell anything."""
    return any(len(one.index.passages) > 2 * len(one.index.graph.first_of) for one in examples)


def _start(examples: Sequence[Example]) -> tuple[Trees, list[Trees]]:
    rows = [one.scoring.refresh() for one in examples]
    model, held_out = _fit(examples, "first", rows, [one.wanted(one.scoring.positions) for one in examples])
    for one, row in zip(examples, rows, strict=True):
        one.scoring.start(held_out[one.fold].probability(row))
    return model, held_out


def _train_flat(examples: Sequence[Example]) -> dict[str, Trees]:
    """Two stages without steps: the question alone, then the company that a candidate is in."""
    first, _ = _start(examples)
    none = np.zeros(0, dtype=np.float32)
    rows = [one.scoring.later_features(none) for one in examples]
    later, held_out = _fit(examples, "later", rows, [one.wanted(one.scoring.positions) for one in examples])
    for one, row in zip(examples, rows, strict=True):
        one.scoring.revise(held_out[one.fold].probability(row))
    return {"first": first, "later": later}


def _train_linked(examples: Sequence[Example]) -> dict[str, Trees]:
    """The question alone, then two rounds of steps and what follows from them."""
    first, first_held_out = _start(examples)
    models = {"first": first}
    for link, later in (("link", "later"), ("link_again", "later_again")):
        for one in examples:
            one.scoring.find_steps()
            one.scoring.start(first_held_out[one.fold].probability(one.scoring.refresh()))
        steps = [one.scoring.step_features() for one in examples]
        reached = [one.wanted([step.target for step in one.scoring.steps]) for one in examples]
        models[link], link_held_out = _fit(examples, link, steps, reached)
        values = [link_held_out[one.fold].probability(row) for one, row in zip(examples, steps, strict=True)]
        rows = [one.scoring.later_features(value) for one, value in zip(examples, values, strict=True)]
        models[later], held_out = _fit(examples, later, rows, [one.wanted(one.scoring.positions) for one in examples])
        for one, row, value in zip(examples, rows, values, strict=True):
            one.scoring.finish_round(held_out[one.fold].probability(row), value)
    return models


def _calibrate(examples: Sequence[Example], family: Family) -> dict[str, Any]:
    """The logistic model of sufficiency, from the sets of five that would be chosen for questions with an answer.

    Whether there is one at all is another estimate's business (`ranking.estimates`), which caps this one.
    """
    examples = [one for one in examples if one.question.gold_documents]
    chosen = [choice_of(one.scoring, k=K, count=K) for one in examples]
    rows = np.stack([set_features(one.scoring, numbers) for one, numbers in zip(examples, chosen, strict=True)])
    complete = np.array([one.is_complete(numbers) for one, numbers in zip(examples, chosen, strict=True)])
    names = FEW_FEATURES if family == "linked" else SET_FEATURES
    strength, far = (0.1, FAR) if family == "linked" else (0.3, np.inf)
    weights = np.array(_weights(examples), dtype=np.float32)
    fitted = fit_logistic(rows[:, columns(names)], complete, weights, strength=strength, far=far)
    return {"features": list(names), **fitted}


def _made_of(examples: Sequence[Example]) -> dict[str, Any]:
    """What the models were trained on, for whoever asks: how many questions and which corpora (by content hash)."""
    corpora = sorted({one.index.card.version for one in examples})
    return {"questions": len(examples), "corpora": corpora}


def write(learned: Learned, out: Path) -> Path:
    """Write the artefact of a family."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{learned.family}.json"
    path.write_text(json.dumps(learned.to_json(), separators=(",", ":")) + "\n", encoding="utf-8")
    return path


def by_family(datasets: Path, split: str, *, ablated: Sequence[str] = ()) -> dict[Family, list[Example]]:
    """The examples of every judged set in a folder, by the family that its corpus belongs to."""
    examples: dict[Family, list[Example]] = {}
    for folder in sorted(path for path in datasets.iterdir() if path.is_dir() and path.name not in ablated):
        try:
            result = examples_of(folder, split)
        except DatasetError as error:
            print(f"{folder.name}: left out, {error}", file=sys.stderr)
            continue
        family = family_of(result[0].index) if result else None
        print(f"{folder.name}: {len(result)} questions, family {family}", file=sys.stderr, flush=True)
        if family is not None:
            examples.setdefault(family, []).extend(result)
    return examples


def lessons(examples: Sequence[Example], family: Family, *, datasets: Path, split: str) -> list[Example]:
    """What a family is trained on: its examples, and where documents are linked the same among all of its documents."""
    names = dict.fromkeys(example.dataset for example in examples)
    if family != "linked" or len(names) < 2:
        return list(examples)
    return [*examples, *among_all([datasets / name for name in names], split)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train every family that the judged sets under --datasets belong to."""
    parser = argparse.ArgumentParser(
        prog="python -m adaq_core.training.ranker", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--datasets", type=Path, required=True, help="folder of BEIR folders")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--out", type=Path, default=ARTEFACTS)
    parser.add_argument("--without", nargs="*", default=[], help="sets to leave out (leave-one-data-set-out)")
    parser.add_argument("--sufficiency", action="store_true", help="keep the rankers that ship")
    given = parser.parse_args(arguments)
    examples = by_family(given.datasets, given.split, ablated=given.without)
    for family, group in sorted(examples.items()):
        taught = lessons(group, family, datasets=given.datasets, split=given.split)
        learned = train(taught, family)
        kept = load(family) if given.sufficiency else None
        if kept is not None:
            numbers = {**kept.numbers, "sufficiency": learned.numbers["sufficiency"]}
            learned = replace(kept, numbers=numbers)
        print(write(learned, given.out))


if __name__ == "__main__":
    main()
