"""Learn when evidence is enough: python -m adaq_core.evaluation.train_sufficiency --datasets DIR.

Fits two logistic models on the signs of the evidence that runs without anything learned end with: that all of it is
there, and that the corpus holds an answer at all (`sufficiency_cases.py`). Every set weighs the same; at least two are
needed. Cross-validated and left-out numbers are printed; the models go to one small JSON artefact.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.finding import BUNDLED
from adaq_core.errors import DatasetError
from adaq_core.evaluation.sufficiency_cases import Case, Kind, cases, tasks
from adaq_core.measures.calibration import auroc, ece
from adaq_core.ranking.estimates import ANSWERABLE_SIGNS, FORMAT, PATH, SUFFICIENCY_SIGNS, Logistic
from adaq_core.ranking.fitting import fit_logistic
from adaq_core.ranking.logistic import FAR

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

STRENGTH = 0.1
LIMIT = 0.15
OF_NULL: Mapping[Kind, float] = {"own": 0.5, "robbed": 0.25, "foreign": 0.25, "small": 0.25}
OF_ANSWERABLE: Mapping[Kind, float] = {"own": 1.0, "small": 0.5}
FEW = 20


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
