"""The REST service: questions, runs, traces and experiments over HTTP.

It holds no runs of its own: the runner, the store and the corpora are those of the process, so what is asked here shows
in the pages, and the other way round.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from adaq_core import methods
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import AdaqError, CorpusError, InputError, StoreError
from adaq_core.runs.runner import Runner, get_runner
from adaq_core.service import evaluations, research
from adaq_core.service.guards import Access, Busy, Guard, Limits, problem
from adaq_core.service.observed import TEXT_FORMAT, Counts, Observed, logged_as_json, metrics
from adaq_core.service.schemas import TOO_LARGE, Corpus, Health, MethodInfo, problems

VERSION = "1.0"
_SHOWN = 500
# Every answer may be one of these; the routes name those of their own.
_COMMON = problems(
    s400="the host is not served, or the request cannot be read",
    s401="the key is missing",
    s403="a page of another origin asked",
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


def build(
    *,
    runner: Callable[[], Runner] = get_runner,
    access: Access | None = None,
    limits: Limits | None = None,
) -> FastAPI:
    """The service over a runner, by default that of this process."""
    limits = limits or Limits()
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
    app.include_router(research.router)
    app.include_router(evaluations.router)
    _add_lists(app)
    _add_problems(app)
    app.add_middleware(cast(Any, Guard), access=access or Access(), limits=limits)
    app.add_middleware(cast(Any, Observed), counts=app.state.counts)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Served alone, it logs as JSON and lets its runs end in order; within the pages they see to that."""
    with logged_as_json():
        yield
        app.state.runner().close()


def _add_lists(app: FastAPI) -> None:
    """What can be chosen from, and how the service does."""

    @app.get("/corpora", operation_id="corpora")
    def corpora(request: Request) -> list[Corpus]:
        """The corpora that can be searched."""
        library = cast(CorpusLibrary, request.app.state.runner().corpora)
        return [Corpus.model_validate(card, from_attributes=True) for card in library.cards()]

    @app.get("/methods", operation_id="methods")
    def list_methods() -> list[MethodInfo]:
        """The methods that can be asked for."""
        return [
            MethodInfo(name=name, summary=methods.describe(name), needs_vectors=methods.needs_vectors(name))
            for name in methods.names()
        ]

    @app.get("/health", operation_id="health")
    def health(request: Request) -> Health:
        """That it answers and can read its store; needs no key."""
        return Health(status="ok", runs=request.app.state.runner().store.count())

    @app.get(
        "/metrics",
        operation_id="metrics",
        response_class=PlainTextResponse,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    def shown(request: Request) -> PlainTextResponse:
        """Counts and durations in Prometheus' text format."""
        text = metrics(request.app.state.counts, request.app.state.runner().store)
        return PlainTextResponse(text, media_type=TEXT_FORMAT)


def _add_problems(app: FastAPI) -> None:
    """Whatever goes wrong is said as problem+json; of an error that nobody foresaw only that it happened."""

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        made = problem(error.status_code, str(error.detail), instance=request.url.path)
        made.headers.update(error.headers or {})
        if error.status_code == 405:
            made.headers["Allow"] = ", ".join(_methods_at(request))
        return made

    async def unreadable(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        found = [{"at": list(map(str, one["loc"])), "detail": one["msg"]} for one in error.errors()]
        return problem(422, "What was sent is not what is expected.", instance=request.url.path, errors=found)

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
    """The methods of all routes of a path, where the framework names those of the first."""
    path = getattr(request.scope.get("route"), "path", "")
    return sorted(method.upper() for method in request.app.openapi()["paths"].get(path, ()))
