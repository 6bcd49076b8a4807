"""What the list of experiments shows without reading every outcome, and the experiment that runs meanwhile."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from adaq_core.errors import DatasetError, InputError
from adaq_core.evaluation.experiment import PER_QUESTION, WORTH_A_POOL
from adaq_core.evaluation.plan import REFERENCES, STATE, Outcome, Plan, Progress, read_outcomes, read_progress
from adaq_core.evaluation.report import RESULTS
from adaq_core.evaluation.request import REQUEST, Request, estimate_seconds, evaluate, experiments
from adaq_core.evaluation.variants import SUBJECT
from adaq_core.runs.jobs import Cancelled, Job
from adaq_core.store.store import Store


@dataclass(frozen=True, slots=True)
class Started:
    """An experiment at work or over."""

    folder: Path
    request: Request
    job: Job[None]

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return not self.job.over

    @property
    def error(self) -> str:
        """Why it ended early, in words; empty when it did not."""
        return self.job.error

    @property
    def progress(self) -> Progress | None:
        """What it said last."""
        return read_progress(self.folder)


_lock = threading.Lock()
_started: dict[Path, Started] = {}


def start(request: Request, *, store: Store | None, out: Path | None = None, workers: int | None = None) -> Started:
    """Begin, or take up, an experiment; the one at work when it is running already.

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
        begun = _started[folder] = Started(folder, request, Job(f"experiment {folder.name}", work).start())
    return begun


def started(folder: Path) -> Started | None:
    """The experiment that this process began in `folder`, at work or over; None when it began none there."""
    return _started.get(folder.resolve())


def cancel(folder: Path) -> None:
    """Stop after the runs at hand; what is finished stays. InputError when nothing is at work there."""
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

    `state` is `elsewhere` when another process works on it, `interrupted` when one did and has fallen silent.
    """

    folder: Path
    request: Request
    progress: Progress | None
    state: State
    changed: datetime
    error: str
    results: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Runs to be made and seconds they will take; None when a method was never measured, which `unknown` names.

    `same_set` says whether it rests on earlier runs over the same questions, or only on those over other sets.
    """

    runs: int
    seconds: float | None
    unknown: tuple[str, ...] = ()
    same_set: bool = True


def summary_of(folder: Path, *, now: float | None = None) -> Summary:
    """What there is to say of the experiment in `folder`; DatasetError when it holds none."""
    request = _request(folder)
    progress = read_progress(folder)
    results = folder / RESULTS
    begun = started(folder)
    state = _state(folder, progress, here=begun is not None and begun.running, now=time.time() if now is None else now)
    return Summary(
        folder,
        request,
        progress,
        state,
        datetime.fromtimestamp(_changed(folder), UTC),
        error=(begun.error if begun else "") or (progress.message if progress and state == "failed" else ""),
        results=json.loads(results.read_text(encoding="utf-8")) if state == "finished" and results.is_file() else None,
    )


def experiments_at(path: Path) -> tuple[Path, ...]:
    """The folder itself when it holds an experiment, else those inside it, newest first."""
    return (path.resolve(),) if (path / REQUEST).is_file() else tuple(each.resolve() for each in experiments(path))


def default_reference(labels: Sequence[str]) -> str:
    """What the others are compared to when nobody chose: as a plan does, static, else BM25, else not ADAQ."""
    others = [label for label in labels if label.split("--")[0] != SUBJECT]
    return next((label for label in (*REFERENCES, *others, *labels) if label in labels), "")


def estimate(request: Request, plan: Plan, folders: Iterable[Path], *, cores: int | None = None) -> Estimate:
    """How long the request will take, from the newest experiments on the same set, else on any."""
    runs = len(plan.chosen) * len(plan.variants)
    workers = 1 if runs < WORTH_A_POOL else cores or os.cpu_count() or 1
    known = [each for each in map(_readable, folders) if each]
    same = [folder for folder, of in known if of.dataset == request.dataset]
    past: list[Outcome] = []
    for folders_read, same_set in ((same, True), ([folder for folder, _ in known], False)):
        past = [outcome for folder in folders_read[:LEARNED_FROM] for outcome in read_outcomes(folder / PER_QUESTION)]
        seconds = estimate_seconds(request, past, workers=workers)
        if seconds is not None:
            return Estimate(runs, seconds, same_set=same_set)
    seen = {each.method for each in past if each.measures.get("ms") is not None}
    return Estimate(runs, None, tuple(dict.fromkeys(v.method for v in plan.variants if v.method not in seen)))


def _request(folder: Path) -> Request:
    try:
        known = json.loads((folder / REQUEST).read_text(encoding="utf-8"))
        return Request(**{**known, **{name: tuple(known[name]) for name in ("methods", "ablate", "judges")}})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DatasetError(f"expected an experiment in {folder}, could not read {REQUEST}: {error!r}") from error


def _readable(folder: Path) -> tuple[Path, Request] | None:
    """The folder with its request; None for one that another version wrote: the list names it."""
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
    return "elsewhere" if now - _changed(folder) < SILENT_SECONDS else "interrupted"
