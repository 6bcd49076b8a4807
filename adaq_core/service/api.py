"""The REST service: questions, runs, traces and experiments over HTTP.

It holds no runs of its own: the runner, the store and the corpora are those of the process, so what is asked here shows
in the pages, and the other way round.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any, cast

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import StringConstraints
from starlette.exceptions import HTTPException

from adaq_core import methods
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets.beir import known_sets
from adaq_core.errors import AdaqError, CorpusError, DatasetError, InputError, StoreError
from adaq_core.evaluation import request as begun_experiments
from adaq_core.evaluation.request import Request as Asked
from adaq_core.evaluation.request import experiments, experiments_folder, read_experiment
from adaq_core.runs.jobs import close_when_told_to_end
from adaq_core.runs.runner import Runner, get_runner
from adaq_core.service import research
from adaq_core.service.guards import (
    TEXT_FORMAT,
    Busy,
    Counts,
    Guard,
    Observed,
    ServiceAccess,
    ServiceLimits,
    logged_as_json,
    metrics,
    problem,
    threaded,
)
from adaq_core.service.schemas import (
    TOO_LARGE,
    UNEXPECTED,
    VERSION,
    Corpus,
    EvaluateRequest,
    Experiment,
    Health,
    MethodInfo,
    problems,
)

_SHOWN = 500
# What the router refuses by itself; all other problems say what to do where they are raised.
_NO_ROUTE = {
    404: "There is nothing at this path; openapi.json lists what can be asked.",
    405: "This path cannot be asked in this way; the header Allow names the ways that it can.",
}
# Every answer may be one of these; the routes name those of their own.
_COMMON = problems(
    s400="the host is not served, or the request cannot be read",
    s401="the key is missing",
    s403="a page of another origin asked",
    s408="the body came too slowly",
    s413=TOO_LARGE,
    s429="too much at once",
    s503="the store is in use",
)
_STATUS: tuple[tuple[type[Exception], int], ...] = (
    (Busy, 429),
    (InputError, 422),
    (CorpusError, 404),
    (StoreError, 503),
    (AdaqError, 500),
)


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
@threaded
def evaluate(asked: EvaluateRequest, request: Request, response: Response) -> Experiment:
    """Start an experiment, or take it up again: what is finished of it is not made twice."""
    wanted = Asked(**{**asked.model_dump(), "methods": tuple(asked.methods)})
    if asked.dataset not in known_sets():
        raise HTTPException(404, f"There is no set {asked.dataset!r}; known: {', '.join(known_sets())}.")
    state = request.app.state
    try:
        with _starting:
            _room(state, wanted.folder())
            begun = begun_experiments.start(wanted, store=state.runner().store, workers=1)
            state.begun.add(begun.folder)
    except DatasetError as error:
        raise HTTPException(404, str(error)[:500]) from error
    response.headers["Location"] = f"{request.scope.get('root_path', '')}/evaluate/{begun.folder.name}"
    return _shown(begun.folder)


def _room(state: Any, wanted: Path) -> None:
    others = [folder for folder in _known(state) if folder.resolve() != wanted.resolve() and _works(folder)]
    if len(others) >= state.limits.experiments:
        raise Busy(f"{state.limits.experiments} experiment(s) are at work; wait, or stop one.")


def _known(state: Any) -> tuple[Path, ...]:
    """Return the folders of all experiments, newest first; those begun here count before they have written anything."""
    written = experiments()
    there = {folder.resolve() for folder in written}
    return (*sorted(state.begun - there), *written)


def _works(folder: Path) -> bool:
    known = begun_experiments.started(folder)
    return known is not None and known.running


@router.get("/evaluate", operation_id="experiments")
@threaded
def listed(request: Request) -> list[str]:
    """The ids of all experiments, newest first."""
    return [folder.name for folder in _known(request.app.state)]


@router.get("/evaluate/{job_id}", operation_id="experiment", responses=_NO_JOB)
@threaded
def experiment(job_id: JobId, request: Request) -> Experiment:
    """Where an experiment stands; its results when it is finished."""
    return _shown(_folder(job_id, request.app.state))


@router.post("/evaluate/{job_id}/stop", operation_id="stop", responses=_NO_JOB)
@threaded
def stop(job_id: JobId, request: Request) -> Experiment:
    """Stop an experiment after the run at hand; what is finished stays, and it can be taken up again."""
    folder = _folder(job_id, request.app.state)
    if _works(folder):
        begun_experiments.cancel(folder)
    return _shown(folder)


def _folder(job_id: str, state: Any) -> Path:
    folder = experiments_folder() / job_id
    if folder.resolve() not in {known.resolve() for known in _known(state)}:
        raise HTTPException(404, f"There is no experiment {job_id!r}.")
    return folder


def _shown(folder: Path) -> Experiment:
    known = begun_experiments.started(folder)
    error = known.error.replace(str(folder.parent), "…") if known else ""
    try:
        collected: Any = read_experiment(folder)
        request = asdict(collected.request)
        progress = collected.progress
        results = collected.results
    except DatasetError:  # it was begun this moment, and has written nothing yet
        request = asdict(known.request) if known else {}
        progress = None
        results = None
    works = _works(folder)
    status = "running" if works else "finished" if results is not None else "stopped"
    done = asdict(progress) if progress else None
    if done:  # at its end the command is told where the files are, which is nobody else's business
        done["message"] = done["message"].replace(str(folder), folder.name)
    return Experiment(job_id=folder.name, status=status, request=request, progress=done, results=results, error=error)  # type: ignore[arg-type]


def build(
    *,
    runner: Callable[[], Runner] = get_runner,
    access: ServiceAccess | None = None,
    limits: ServiceLimits | None = None,
) -> FastAPI:
    """Build the service over a runner, by default that of this process."""
    limits = limits or ServiceLimits()
    app = FastAPI(
        title="ADAQ",
        version=VERSION,
        summary="Questions answered in hops, with a trace that says why.",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
        responses=_COMMON,
    )
    app.state.runner, app.state.limits, app.state.counts = runner, limits, Counts()
    app.state.begun = set[Path]()  # folders of the experiments that were begun here
    app.include_router(research.router)
    app.include_router(router)
    _add_lists(app)
    _add_problems(app)
    app.add_middleware(cast(Any, Guard), access=access or ServiceAccess(), limits=limits)
    app.add_middleware(cast(Any, Observed), counts=app.state.counts)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Log as JSON and end runs in order when served alone; mounted in the pages, they do that."""
    with logged_as_json():
        close_when_told_to_end(lambda: app.state.runner().close())
        yield
        app.state.runner().close()


def _add_lists(app: FastAPI) -> None:
    """Add the routes that list corpora and methods, and those for health and metrics."""

    @app.get("/corpora", operation_id="corpora")
    @threaded
    def corpora(request: Request) -> list[Corpus]:
        """The corpora that can be searched."""
        library = cast(CorpusLibrary, request.app.state.runner().corpora)
        return [Corpus.model_validate(card, from_attributes=True) for card in library.cards()]

    @app.get("/methods", operation_id="methods")
    @threaded
    def list_methods() -> list[MethodInfo]:
        """The methods that can be asked for."""
        return [
            MethodInfo(name=name, summary=methods.describe(name), needs_vectors=methods.needs_vectors(name))
            for name in methods.names()
        ]

    @app.get("/health", operation_id="health")
    @threaded
    def health(request: Request) -> Health:
        """That it answers and can read its store; needs no key."""
        return Health(status="ok", runs=request.app.state.runner().store.count())

    @app.get(
        "/metrics",
        operation_id="metrics",
        response_class=PlainTextResponse,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    @threaded
    def shown(request: Request) -> PlainTextResponse:
        """Counts and durations in Prometheus' text format."""
        text = metrics(request.app.state.counts, request.app.state.runner().store)
        return PlainTextResponse(text, media_type=TEXT_FORMAT)


# In the words of who asks, where those of the schema are a pattern.
_PLAINER = {
    ("string_pattern_mismatch", "question"): "expected a question in words",
    ("string_pattern_mismatch", "run_id"): "expected the id of a run, such as r-7f3a2c",
    ("json_invalid", ""): "expected JSON",
}


def _told(error: Mapping[str, Any]) -> str:
    """Return what is wrong with one part of a request."""
    kind = error["type"]
    where = str(error["loc"][-1]) if error["loc"] else ""
    known = _PLAINER.get((kind, where))
    known = known or _PLAINER.get((kind, ""))
    if known:
        return known
    words = str(error["msg"])
    return words.removeprefix("Value error, ")


def _add_problems(app: FastAPI) -> None:
    """Answer every error as problem+json; of an unforeseen one, say only that it happened."""

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        status, detail = error.status_code, str(error.detail)
        if detail == HTTPStatus(status).phrase:
            detail = _NO_ROUTE.get(status, detail)
        made = problem(status, detail, instance=request.url.path)
        made.headers.update(error.headers or {})
        if status == 405:
            made.headers["Allow"] = ", ".join(_methods_at(request))
        return made

    async def unreadable(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        results = [{"at": list(map(str, one["loc"])), "detail": _told(one)} for one in error.errors()]
        first, more = results[0], len(results) - 1
        where = ".".join(first["at"])
        told = f"{where}: {first['detail']}"
        others = f" {more} more: see errors." if more else ""
        words = f"What was sent is not what is expected. {told[:_SHOWN]}.{others}"
        return problem(422, words, instance=request.url.path, errors=results)

    async def known(request: Request, error: Exception) -> JSONResponse:
        status = next(status for kind, status in _STATUS if isinstance(error, kind))
        return problem(status, str(error)[:_SHOWN], instance=request.url.path)

    async def unforeseen(request: Request, error: Exception) -> JSONResponse:
        return problem(500, "Something went wrong here; the log says where.", instance=request.url.path)

    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(AdaqError, known)
    app.add_exception_handler(Busy, known)
    app.add_exception_handler(Exception, unforeseen)


def _methods_at(request: Request) -> list[str]:
    """Return the HTTP methods of all routes of a path; the framework names only the first route's."""
    path = getattr(request.scope.get("route"), "path", "")
    return sorted(method.upper() for method in request.app.openapi()["paths"].get(path, ()))
