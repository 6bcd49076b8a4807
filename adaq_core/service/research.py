"""Questions and their runs: entered, waited for, read, followed event by event, cancelled."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, cast

import anyio
from anyio.to_thread import run_sync
from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError
from adaq_core.events import Record, enveloped
from adaq_core.export.run_json import run_json
from adaq_core.llm.chats import checked_model
from adaq_core.model import Budget, Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.service.guards import Busy, in_thread, threaded
from adaq_core.service.schemas import (
    UNEXPECTED,
    Entered,
    Method,
    Name,
    ResearchRequest,
    RunDocument,
    RunId,
    Runs,
    RunSummary,
    Status,
    Trace,
    problems,
)
from adaq_core.store import RunRow

router = APIRouter()
EVENT_STREAM = "text/event-stream"
_LOOK_AGAIN, _BEAT = 0.15, 15.0
_entering = threading.Lock()


_NO_RUN = problems(s404="there is no such run", s422=UNEXPECTED)


@router.post(
    "/research",
    operation_id="research",
    response_model=RunDocument,
    responses={
        202: {"model": Entered, "description": "Entered, and not over yet."},
        **problems(s404="there is no such corpus", s422=UNEXPECTED),
    },
)
async def research(asked: ResearchRequest, request: Request) -> Response:
    """Answer a question: 200 with the answer, or 202 with where to follow the run when it takes longer."""
    state = request.app.state
    here = await in_thread(state.runner)  # the first one opens the store
    run_id = await in_thread(enter, asked, here, state.limits.queue)
    request.scope["state"]["run_id"] = run_id
    row = await _waited(request, run_id, asked.wait_seconds)
    if row is not None and row.over:
        return JSONResponse(await in_thread(document, state.runner(), row))
    status = row.status if row is not None else "queued"
    trace = f"{request.scope.get('root_path', '')}/trace/{run_id}"
    entered = {"run_id": run_id, "status": status, "trace": trace, "events": f"{trace}/events"}
    return JSONResponse(entered, status_code=202, headers={"Location": trace})


def enter(asked: ResearchRequest, runner: Runner, most: int) -> str:
    """Submit the run unless too many wait; one client at a time, so that the limit holds."""
    known = Settings()
    hops = asked.step_cap or known.max_hops
    settings = Settings(k=asked.k, max_hops=hops, min_hops=min(known.min_hops, hops), sources=tuple(asked.sources))
    budget = Budget(max_seconds=asked.budget_seconds, max_tokens=asked.budget_tokens, max_usd=asked.budget_usd)
    model = checked_model(asked.model) if asked.model else None
    library = cast(CorpusLibrary, runner.corpora)
    if asked.corpus not in library.names():
        raise CorpusError(f"There is no corpus {asked.corpus!r}; known: {', '.join(library.names())}.")
    with _entering:
        if runner.store.count(statuses=("queued", "running")) >= most:
            raise Busy(f"{most} runs wait or are at work; try again.")
        return runner.submit(
            RunSpec(asked.method, worded(asked.question, asked.company, asked.year), settings=settings, budget=budget),
            corpus=asked.corpus,
            model=model,
        )


def worded(question: str, company: str | None, year: int | None) -> str:
    """Return the question with the company and year added if it does not name them."""
    named = company is None or re.search(rf"(?<!\w){re.escape(company)}(?!\w)", question, re.IGNORECASE)
    dated = year is None or str(year) in question
    more = ("" if named else f" for {company}") + ("" if dated else f" in {year}")
    bare = question.rstrip()
    if more and bare.endswith(("?", ".", "!")):
        mark = bare[-1]
    else:
        mark = ""
    return f"{bare[: len(bare) - len(mark)]}{more}{mark}"


async def _waited(request: Request, run_id: str, seconds: float) -> RunRow | None:
    """Return the row once the run is over, or after `seconds`; None if nobody waits or too many do."""
    state = request.app.state
    if seconds <= 0 or state.counts.waiting >= state.limits.waiting:
        return None
    state.counts.waiting += 1
    try:
        own = anyio.CapacityLimiter(1)  # a thread for each client that waits, so that none of them keeps others out
        row: RunRow = await run_sync(state.runner().wait, run_id, seconds, limiter=own, abandon_on_cancel=True)
        return row
    finally:
        state.counts.waiting -= 1


def _known(runner: Runner, run_id: str) -> RunRow:
    row = runner.store.run(run_id)
    if row is None:
        raise HTTPException(404, f"There is no run {run_id}; /runs lists those that there are.")
    return row


def document(runner: Runner, row: RunRow) -> dict[str, Any]:
    """The run as one object, with its row; what is not known is null."""
    records = runner.store.records(row.run_id)
    return {**run_json(row.run_id, records), "run": _summary(row).model_dump(mode="json")}


def _summary(row: RunRow) -> RunSummary:
    known = {name: getattr(row, name) for name in RunSummary.model_fields if name != "coverage"}
    return RunSummary(**known, coverage=row.percentage)


@router.get("/trace/{run_id}", operation_id="trace", response_model=Trace, responses=_NO_RUN)
@threaded
def trace(run_id: RunId, request: Request) -> JSONResponse:
    """A run with its answer, its hops and every event that it recorded so far."""
    runner = request.app.state.runner()
    row = _known(runner, run_id)
    events = [enveloped(record) for record in runner.store.records(run_id)]
    return JSONResponse({**document(runner, row), "events": events})


@router.post("/trace/{run_id}/cancel", operation_id="cancel", responses=_NO_RUN)
@threaded
def cancel(run_id: RunId, request: Request) -> RunSummary:
    """Ask a run to stop after the stage that it is in; one that is over stays as it is."""
    runner = request.app.state.runner()
    _known(runner, run_id)
    runner.cancel(run_id)
    return _summary(_known(runner, run_id))


@router.get(
    "/trace/{run_id}/events",
    operation_id="events",
    response_class=StreamingResponse,
    responses={
        200: {"description": "The events, server-sent.", "content": {EVENT_STREAM: {}}},
        204: {"description": "Nothing is left to be sent."},
        **_NO_RUN,
    },
)
async def events(
    run_id: RunId,
    request: Request,
    last_event_id: Annotated[int, Header(ge=0, le=2**31)] = 0,
) -> Response:
    """The events of a run as they are recorded (server-sent), those after `Last-Event-ID` when it is sent.

    Each has its number as its id and its kind as its name; the last one is `over`, with the status of the run.
    """
    state = request.app.state
    row = await in_thread(_known, await in_thread(state.runner), run_id)
    if row.over and 0 < row.last_seq <= last_event_id:
        return Response(status_code=204)
    if state.counts.streams >= state.limits.streams:
        raise Busy(f"{state.limits.streams} clients follow runs; try again.")
    return StreamingResponse(_stream(request, run_id, last_event_id), media_type=EVENT_STREAM,
                             headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})  # fmt: skip


async def _stream(request: Request, run_id: str, after: int) -> AsyncIterator[str]:
    """Yield what is on disk, then each event soon after it is; a comment now and then keeps the connection open."""
    state, beat = request.app.state, time.monotonic()
    state.counts.streams += 1
    try:
        over = False
        while not over:
            row = await in_thread(_known, state.runner(), run_id)
            new = row.last_seq > after
            records = await in_thread(state.runner().store.records, run_id, after) if new else []
            over = row.over and (not records or records[-1].seq >= row.last_seq)
            for record in records:
                yield _sent(record)
                after, beat = record.seq, time.monotonic()
            if over:
                yield f"event: over\ndata: {json.dumps({'status': row.status, 'stop_reason': row.stop_reason})}\n\n"
            elif time.monotonic() - beat > _BEAT:
                beat = time.monotonic()
                yield ": still at work\n\n"
            if not over and not records:
                await anyio.sleep(_LOOK_AGAIN)
    finally:
        state.counts.streams -= 1


def _sent(record: Record) -> str:
    return f"id: {record.seq}\nevent: {record.event.kind}\ndata: {json.dumps(enveloped(record))}\n\n"


@router.get("/runs", operation_id="runs", responses=problems(s422=UNEXPECTED))
@threaded
def runs(
    request: Request,
    status: Annotated[list[Status] | None, Query()] = None,
    method: Annotated[list[Method] | None, Query()] = None,
    corpus: Name | None = None,
    text: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> Runs:
    """Stored runs, newest first; `text` is looked for in questions, ids, notes and tags."""
    store = request.app.state.runner().store
    wanted = {"statuses": status or (), "methods": method or (), "corpus": corpus or "", "text": text}
    result = store.runs(limit=limit, offset=offset, **wanted)
    return Runs(runs=[_summary(row) for row in result], total=store.count(**wanted))
