"""The page's one door to experiments: where they lie, what is in them, and what is kept between reruns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.datasets import datasets_folder
from adaq_core.datasets.beir import bundled_names, known_sets
from adaq_core.errors import DatasetError
from adaq_core.evaluation import PER_QUESTION, Outcome
from adaq_core.evaluation.report import RESULTS
from adaq_core.evaluation.request import (
    Experiment,
    ExperimentJob,
    Summary,
    experiments,
    experiments_at,
    experiments_folder,
    read_experiment,
    started,
    summary_of,
)
from adaq_core.evaluation.views import LeaderboardRow, leaderboard
from pages._shared.common import backend

if TYPE_CHECKING:
    from adaq_core.datasets.judged import QuestionSet

_FOLDERS = "evaluation_folders"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A folder that should hold an experiment but does not, and why."""

    folder: Path
    why: str


def listed() -> dict[str, Path]:
    """Return the experiments' folders by their key in the address: those of the home folder by name, others by path."""
    own = {folder.name: folder for folder in experiments()}
    return own | {str(folder): folder for path in outside() for folder in experiments_at(path)}


def outside() -> tuple[Path, ...]:
    """Return the folders that a person added to the list."""
    return tuple(Path(path) for path in backend.store().setting(_FOLDERS, []))


def add_outside(path: Path) -> None:
    """Add a folder's experiments to the list."""
    kept = dict.fromkeys([*map(str, outside()), str(path.expanduser().resolve())])
    backend.store().set_setting(_FOLDERS, list(kept))


def forget_outside(path: Path) -> None:
    """Take a folder off the list; nothing is deleted."""
    backend.store().set_setting(_FOLDERS, [str(each) for each in outside() if each != path])


def summaries(folders: Sequence[Path]) -> list[Summary | Unreadable]:
    """Return a summary of each experiment, or why it cannot be read."""
    return [_summary(folder) for folder in folders]


def _summary(folder: Path) -> Summary | Unreadable:
    try:
        return summary_of(folder)
    except (DatasetError, OSError, ValueError) as error:
        return Unreadable(folder, str(error))


def key_of(folder: Path) -> str:
    """Return the key of an experiment in the address."""
    return folder.name if folder.parent == experiments_folder() else str(folder)


def being_started(key: str) -> ExperimentJob | None:
    """Return the job of an experiment of this name that this process began in the home folder."""
    if key == Path(key).name:
        return started(experiments_folder() / key)
    return None


def experiment(folder: Path) -> Experiment:
    """Return all there is of an experiment, cached until one of its files changes."""
    return _experiment(str(folder), version(folder))


def board_rows(experiment: Experiment, *, reference: str) -> tuple[LeaderboardRow, ...]:
    """Return every method with every measure, cached until the outcomes change."""
    return _rows(str(experiment.folder), version(experiment.folder), reference, experiment)


def version(folder: Path) -> tuple[int, ...]:
    """Return a value that changes whenever the outcomes or the results do."""
    files = (folder / PER_QUESTION, folder / RESULTS)
    stats = [file.stat() for file in files if file.is_file()]
    return tuple(number for each in stats for number in (each.st_mtime_ns, each.st_size))


@st.cache_resource(max_entries=6, show_spinner=False)
def _experiment(folder: str, version: tuple[int, ...]) -> Experiment:
    experiment = read_experiment(Path(folder))
    if experiment.progress is None or experiment.progress.phase == "finished":
        return experiment
    planned = experiment.request.methods or backend.method_names()
    return replace(experiment, outcomes=same_questions(experiment.outcomes, planned))


def same_questions(outcomes: Sequence[Outcome], planned: Sequence[str]) -> tuple[Outcome, ...]:
    """Return the outcomes of questions that every method has finished; means over others cannot be compared."""
    methods = {*planned, *(each.method for each in outcomes)}
    asked = Counter(each.question_id for each in outcomes)
    return tuple(each for each in outcomes if asked[each.question_id] == len(methods))


@st.cache_resource(max_entries=12, show_spinner="Computing intervals and tests")
def _rows(folder: str, version: tuple[int, ...], reference: str, _found: Experiment) -> tuple[LeaderboardRow, ...]:
    from adaq_core.evaluation.results import TABLE

    names = [measure.name for measure in TABLE]
    return leaderboard(_found.outcomes, names, reference=reference, seed=_found.request.seed)


@st.cache_resource(max_entries=8, show_spinner="Reading the questions")
def question_set(folder: str, split: str) -> QuestionSet:
    """Return the questions of a set, checked against its corpus."""
    from adaq_core.datasets.beir import read_question_set

    return read_question_set(Path(folder), split)


def sets_at_hand() -> tuple[dict[str, Path], tuple[str, ...], str]:
    """Return the question sets that can be searched, the names of the others, what is wrong with ADAQ_DATASETS."""
    from adaq_core.datasets.beir import BUNDLED, has_corpus

    try:
        result, wrong = known_sets(), ""
    except DatasetError as error:
        result = {name: BUNDLED / name for name in bundled_names()}
        wrong = str(error)
    searched = {name: folder for name, folder in result.items() if has_corpus(folder)}
    return searched, tuple(name for name in result if name not in searched), wrong


def has_datasets_folder() -> bool:
    """Whether ADAQ_DATASETS names a folder of question sets."""
    try:
        return datasets_folder() is not None
    except DatasetError:
        return False
