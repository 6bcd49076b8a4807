"""What is asked of an experiment, the experiment while it runs, and the list of those that there are."""

from __future__ import annotations

import json
import os
import shlex
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from filelock import FileLock, Timeout

from adaq_core.datasets.beir import load_set
from adaq_core.datasets.judged import QuestionSet
from adaq_core.errors import DatasetError, InputError
from adaq_core.evaluation import (
    PER_QUESTION,
    STATE,
    ExperimentPlan,
    Outcome,
    Progress,
    Watch,
    read_outcomes,
    read_progress,
)
from adaq_core.evaluation import default_reference as default_reference  # for pages, which choose it here
from adaq_core.evaluation.experiment import WORTH_A_POOL, OutcomesSoFar, run_experiment, silent
from adaq_core.evaluation.report import RESULTS, write_results
from adaq_core.evaluation.variants import SUBJECT, Variant, learning, of_values, reranking, variants
from adaq_core.home import home
from adaq_core.methods import names
from adaq_core.model import Settings, as_tuple, of_fields
from adaq_core.runs.jobs import Cancelled, Job
from adaq_core.stages.services import never
from adaq_core.store import Store

REQUEST = "request.json"


@dataclass(frozen=True, slots=True)
class Request:
    """An experiment as it was asked for; no methods means all of them.

    With `k_of_subtopics` a run may return as many passages as its question has judged subtopics, in place of `k`.
    With `gold_removed` the documents that answer the questions are taken out first, and every question is unanswerable.
    """

    dataset: str
    split: str = "dev"
    methods: tuple[str, ...] = ()
    ablate: tuple[str, ...] = ()
    k: int = 5
    limit: int | None = None
    seed: int = 0
    model: str | None = None
    judges: tuple[str, ...] = ()
    reference: str | None = None
    dense: bool = True
    learn: bool = False
    cross_encoder: str = ""
    k_of_subtopics: bool = False
    k_auto: bool = False
    gold_removed: bool = False

    def plan(self, questions: QuestionSet | None = None) -> ExperimentPlan:
        """Return the checked experiment plan, with its questions; InputError or DatasetError if it cannot be run."""
        known = names()
        if unknown := [name for name in self.methods if name not in known]:
            raise InputError(f"expected methods out of {', '.join(known)}, got {', '.join(map(repr, unknown))}")
        settings = Settings(k=self.k, use_dense=self.dense, k_auto=self.k_auto)
        chosen = variants(self.methods or known, self.ablate, settings)
        if self.learn and SUBJECT not in (self.methods or known):
            raise InputError(f"expected {SUBJECT} among the methods for --learn: its runs are what is learned from")
        return ExperimentPlan(
            questions or load_set(self.dataset, self.split),
            (*chosen, *self._more(settings)),
            k=self.k,
            k_of_subtopics=self.k_of_subtopics,
            gold_removed=self.gold_removed,
            limit=self.limit,
            seed=self.seed,
            model=self.model,
            judges=self.judges,
            reference=self.reference,
        )

    def _more(self, settings: Settings) -> tuple[Variant, ...]:
        """Return ADAQ with those options turned on that are off by default."""
        again = (reranking(settings, self.cross_encoder),) if self.cross_encoder else ()
        return (*again, learning(settings)) if self.learn else again

    @property
    def runs_a_question(self) -> int:
        """How many runs each question has: one for each method and each of its variants."""
        return len(self.methods or names()) + len(self.ablate) + bool(self.cross_encoder) + self.learn

    def folder(self) -> Path:
        """Return the default folder for this request: the same request finds what is done already."""
        name = f"{Path(self.dataset).name}-{self.split}-k{self.k}-{of_values(asdict(self))[:6]}"
        return experiments_folder() / name

    def as_command(self, out: Path | None = None) -> str:
        """Return the command line that repeats it."""
        words = ["python", "-m", "adaq_core", "evaluate", "--dataset", self.dataset, "--split", self.split]
        given: dict[str, object] = {
            "--methods": ",".join(self.methods),
            "--ablate": ",".join(self.ablate),
            "--k": "auto" if self.k_auto else self.k,
        }
        given |= {"--limit": self.limit, "--seed": self.seed, "--model": self.model, "--reference": self.reference}
        given |= {"--cross-encoder": self.cross_encoder}
        for option, value in given.items():
            words += [option, str(value)] if value not in (None, "") else []
        words += [word for judge in self.judges for word in ("--judge", judge)]
        words += [] if self.dense else ["--no-dense"]
        words += ["--learn"] if self.learn else []
        words += ["--k-of-subtopics"] if self.k_of_subtopics else []
        words += ["--gold-removed"] if self.gold_removed else []
        return shlex.join([*words, "--out", str(out)] if out else words)


def evaluate(
    request: Request,
    *,
    out: Path | None = None,
    store: Store | None = None,
    workers: int | None = None,
    dask: str = "",
    watch: Watch = silent,
    cancelled: Callable[[], bool] = never,
) -> OutcomesSoFar:
    """Run what is unfinished of the request and, once all of it is done, write the results into its folder."""
    plan = request.plan()
    folder = out or request.folder()
    _write_request(request, folder)
    run = partial(run_experiment, store=store, workers=workers, dask=dask, watch=watch, cancelled=cancelled)
    with _at_work(folder):
        ran = run(plan, out=folder)
        if ran.finished:
            command = request.as_command(out)
            write_results(plan, ran.outcomes, folder, seconds=ran.seconds, command=command)
            ran.clock.tell("finished", str(folder))
    return ran


def _write_request(request: Request, folder: Path) -> None:
    """Write what is asked for, whole or not at all: half of it would be an experiment that nobody can read.

    Raises:
        DatasetError: the folder cannot be written.
    """
    draft = folder / f"{REQUEST}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(request), indent=1)
        draft.write_text(f"{text}\n", encoding="utf-8")
        draft.replace(folder / REQUEST)
    except OSError as error:
        raise DatasetError(
            f"The experiment cannot be written to {folder} ({error.strerror}). "
            "Free some space there or change its permissions, or set ADAQ_HOME to another folder."
        ) from error


_LOCK = ".at-work"
_LOOKED_AT_SECONDS = 1.0  # who looks whether the lock is free holds it for a moment


@contextmanager
def _at_work(folder: Path) -> Iterator[None]:
    """Hold a lock in the folder meanwhile; the system frees it when this process dies.

    It only tells others that work goes on: where it cannot be had, the work goes on without it.
    """
    lock = FileLock(folder / _LOCK, timeout=_LOOKED_AT_SECONDS)
    with suppress(Timeout, OSError, NotImplementedError):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _is_at_work(folder: Path) -> bool | None:
    """Whether a process holds the folder's lock; None if there is no lock or it cannot be told."""
    if not (folder / _LOCK).is_file():
        return None
    try:
        with FileLock(folder / _LOCK, blocking=False):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return None


def experiments_folder() -> Path:
    """Return the default folder of experiments."""
    return home() / "evaluation" / "experiments"


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as a page finds it; `results` is None until it is finished."""

    folder: Path
    request: Request
    progress: Progress | None
    outcomes: tuple[Outcome, ...]
    results: dict[str, Any] | None


def experiments(folder: Path | None = None) -> tuple[Path, ...]:
    """Return the folders that hold an experiment, newest first."""
    result = (folder or experiments_folder()).glob(f"*/{REQUEST}")
    return tuple(path.parent for path in sorted(result, key=lambda path: -path.stat().st_mtime))


def read_experiment(folder: Path) -> Experiment:
    """Read what there is of an experiment, finished or not; DatasetError if the folder holds none."""
    outcomes = tuple(read_outcomes(folder / PER_QUESTION))
    return Experiment(folder, _request(folder), read_progress(folder), outcomes, _results(folder))


@dataclass(frozen=True, slots=True)
class ExperimentJob:
    """An experiment that this process began, running or over."""

    folder: Path
    request: Request
    job: Job[None]

    @property
    def running(self) -> bool:
        """Whether the job still works."""
        return not self.job.over

    @property
    def error(self) -> str:
        """Return why the job ended early; "" if it did not."""
        return self.job.error

    @property
    def progress(self) -> Progress | None:
        """Return the job's last progress."""
        return read_progress(self.folder)


_lock = threading.Lock()
_started: dict[Path, ExperimentJob] = {}


def start(
    request: Request, *, store: Store | None, out: Path | None = None, workers: int | None = None
) -> ExperimentJob:
    """Start or resume an experiment; return the running job if there is one.

    Raises:
        InputError, DatasetError: it cannot be run; nothing was begun.
    """
    request.plan()
    folder = (out or request.folder()).resolve()

    def work(_: Any, cancelled: Cancelled) -> None:
        evaluate(request, out=folder, store=store, workers=workers, cancelled=cancelled)

    with _lock:
        known = _started.get(folder)
        if known is not None and known.running:
            return known
        begun = _started[folder] = ExperimentJob(folder, request, Job(f"experiment {folder.name}", work).start())
    return begun


def started(folder: Path) -> ExperimentJob | None:
    """Return the job of the experiment that this process began in `folder`, running or over; None if none."""
    return _started.get(folder.resolve())


def cancel(folder: Path) -> None:
    """Stop after the current runs; finished runs stay. InputError if nothing runs there."""
    known = started(folder)
    if known is None or not known.running:
        raise InputError(f"expected an experiment at work in {folder}, but there is none; start it first")
    known.job.cancel()


State = Literal["running", "elsewhere", "finished", "cancelled", "failed", "interrupted"]
AT_WORK: tuple[State, ...] = ("running", "elsewhere")
SILENT_SECONDS = 120.0
LEARNED_FROM = 3


@dataclass(frozen=True, slots=True)
class Summary:
    """An experiment as one line of a list; `results` is results.json, None until it is finished.

    `state` is `elsewhere` when another process works on it, `interrupted` when one did and is gone, or has fallen
    silent where nobody can tell.
    """

    folder: Path
    request: Request
    progress: Progress | None
    state: State
    changed: datetime
    error: str
    results: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Runs to be made and seconds they will take; None when a method was never measured, which `unknown` names.

    `same_set` says whether it rests on earlier runs over the same questions, or only on those over other sets.
    """

    runs: int
    seconds: float | None
    unknown: tuple[str, ...] = ()
    same_set: bool = True


def summary_of(folder: Path, *, now: float | None = None) -> Summary:
    """Return the summary of the experiment in `folder`; DatasetError if it holds none."""
    request = _request(folder)
    progress = read_progress(folder)
    begun = started(folder)
    now = time.time() if now is None else now
    is_here = begun is not None and begun.running
    state = _state(folder, progress, here=is_here, now=now)
    return Summary(
        folder,
        request,
        progress,
        state,
        datetime.fromtimestamp(_changed(folder), UTC),
        error=(begun.error if begun else "") or (progress.message if progress and state == "failed" else ""),
        results=_results(folder) if state == "finished" else None,
    )


def experiments_at(path: Path) -> tuple[Path, ...]:
    """Return the folder itself if it holds an experiment, else those inside it, newest first."""
    if (path / REQUEST).is_file():
        return (path.resolve(),)
    return tuple(each.resolve() for each in experiments(path))


def estimate(request: Request, plan: ExperimentPlan, folders: Iterable[Path]) -> CostEstimate:
    """Estimate the request's time from the newest experiments with its model on the same set, else on any."""
    runs = len(plan.chosen) * len(plan.variants)
    workers = 1 if runs < WORTH_A_POOL else os.cpu_count() or 1
    known = [each for each in map(_readable, folders) if each and each[1].model == request.model]
    same = [folder for folder, of in known if of.dataset == request.dataset]
    unseen: list[str] = []
    for folders_read, same_set in ((same, True), ([folder for folder, _ in known], False)):
        took = defaultdict[str, list[float]](list)
        for outcome in chain(*(read_outcomes(folder / PER_QUESTION) for folder in folders_read[:LEARNED_FROM])):
            if (ms := outcome.measures.get("ms")) is not None:
                took[outcome.method].append(ms)
        unseen = [variant.method for variant in plan.variants if variant.method not in took]
        if not unseen:
            each_question = sum(fmean(took[variant.method]) for variant in plan.variants)
            return CostEstimate(runs, each_question * len(plan.chosen) / 1000 / workers, same_set=same_set)
    return CostEstimate(runs, None, as_tuple(unseen))


def _request(folder: Path) -> Request:
    try:
        return of_fields(Request, json.loads((folder / REQUEST).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise DatasetError(
            f"{folder / REQUEST}, which says what was asked for, is missing or damaged ({error}). "
            "Run the experiment again, or delete the folder."
        ) from error


def _results(folder: Path) -> dict[str, Any] | None:
    """Return what results.json holds; None if it is not written yet."""
    path = folder / RESULTS
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _readable(folder: Path) -> tuple[Path, Request] | None:
    """Return the folder with its request; None if another version wrote it, which the list says."""
    try:
        return folder, _request(folder)
    except DatasetError:
        return None


def _changed(folder: Path) -> float:
    return max(path.stat().st_mtime for name in (STATE, REQUEST) if (path := folder / name).is_file())


def _state(folder: Path, progress: Progress | None, *, here: bool, now: float) -> State:
    if here:
        return "running"
    if progress is None:
        return "interrupted"
    if progress.phase in ("finished", "cancelled", "failed"):
        return progress.phase
    goes_on = _is_at_work(folder)
    if goes_on is None:
        goes_on = now - _changed(folder) < SILENT_SECONDS
    return "elsewhere" if goes_on else "interrupted"
