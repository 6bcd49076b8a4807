"""Experiments over HTTP: started as a job, watched, stopped, and read when they are finished."""

from __future__ import annotations

import threading
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import StringConstraints
from starlette.exceptions import HTTPException

from adaq_core.datasets.finding import known_sets
from adaq_core.errors import DatasetError
from adaq_core.evaluation import background
from adaq_core.evaluation.request import Request as Asked
from adaq_core.evaluation.request import experiments, experiments_folder, read_experiment
from adaq_core.service.guards import Busy
from adaq_core.service.schemas import UNEXPECTED, EvaluateRequest, Experiment, problems

router = APIRouter()
JobId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,120}$")]
_NO_JOB = problems(s404="there is no such experiment", s422=UNEXPECTED)
_starting = threading.Lock()


@router.post(
    "/evaluate",
    operation_id="evaluate",
    status_code=202,
    responses=problems(s404="there is no such set of questions", s422=UNEXPECTED),
)
def evaluate(asked: EvaluateRequest, request: Request, response: Response) -> Experiment:
    """Start an experiment, or take it up again: what is finished of it is not made twice."""
    wanted = Asked(**{**asked.model_dump(), "methods": tuple(asked.methods)})
    if asked.dataset not in known_sets():
        raise HTTPException(404, f"There is no set {asked.dataset!r}; there are {', '.join(known_sets())}.")
    state = request.app.state
    try:
        with _starting:
            _room(state.limits.experiments, wanted.folder())
            begun = background.start(wanted, store=state.runner().store, workers=1)
    except DatasetError as error:
        raise HTTPException(404, str(error)[:500]) from error
    response.headers["Location"] = f"{request.scope.get('root_path', '')}/evaluate/{begun.folder.name}"
    return _shown(begun.folder)


def _room(most: int, wanted: Path) -> None:
    others = [folder for folder in experiments() if folder.resolve() != wanted.resolve() and _works(folder)]
    if len(others) >= most:
        raise Busy(f"{most} experiment(s) are at work; wait, or stop one.")


def _works(folder: Path) -> bool:
    known = background.started(folder)
    return known is not None and known.running


@router.get("/evaluate", operation_id="experiments")
def listed() -> list[str]:
    """The ids of all experiments, newest first."""
    return [folder.name for folder in experiments()]


@router.get("/evaluate/{job_id}", operation_id="experiment", responses=_NO_JOB)
def experiment(job_id: JobId) -> Experiment:
    """Where an experiment stands; its results when it is finished."""
    return _shown(_folder(job_id))


@router.post("/evaluate/{job_id}/stop", operation_id="stop", responses=_NO_JOB)
def stop(job_id: JobId) -> Experiment:
    """Stop an experiment after the run at hand; what is finished stays, and it can be taken up again."""
    folder = _folder(job_id)
    if _works(folder):
        background.cancel(folder)
    return _shown(folder)


def _folder(job_id: str) -> Path:
    folder = experiments_folder() / job_id
    if folder not in experiments():
        raise HTTPException(404, f"There is no experiment {job_id!r}.")
    return folder


def _shown(folder: Path) -> Experiment:
    known = background.started(folder)
    error = known.error if known else ""
    try:
        found: Any = read_experiment(folder)
        request, progress, results = asdict(found.request), found.progress, found.results
    except DatasetError:  # it was begun this moment, and has written nothing yet
        request, progress, results = asdict(known.request) if known else {}, None, None
    works = _works(folder)
    status = "running" if works else "finished" if results is not None else "stopped"
    done = asdict(progress) if progress else None
    return Experiment(job_id=folder.name, status=status, request=request, progress=done, results=results, error=error)  # type: ignore[arg-type]
