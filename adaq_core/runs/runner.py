"""Runs in the background: submitted, followed through the store, cancelled, gone on with.

Whoever submits gets the id of the run at once and reads what happens from the store; no page and no request is needed
for a run to go on. Runs wait in a queue while as many as there are threads are at work.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from adaq_core.errors import InputError, StoreError
from adaq_core.events import AspectsPlanned, Decided, Event, Record, WordingsLearned, of_kind
from adaq_core.model import Budget, QueryAspect, Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.jobs import Cancelled, Job, JobQueue, Progress
from adaq_core.runs.work import CLOSED, Corpora, Entered, carry_out, end
from adaq_core.store.store import RunRow, RunStatus, Store, open_store

_LIMITS = ("max_hops", "budget_tokens", "budget_time", "budget_cost")
_NOT_A_VERDICT = ("user_stop", *_LIMITS)


def same_again(row: RunRow, records: Sequence[Record]) -> RunSpec:
    """Go on as before; the limit that ended the run, if one did, is granted once more.

    Raises:
        InputError: the run ended because nothing was left to do.
    """
    if row.status == "finished" and row.stop_reason not in _LIMITS:
        raise InputError(
            f"Run {row.run_id} is finished ({row.reason}); there is nothing to resume. Search one of its aspects, or "
            "ask again."
        )
    events = [record.event for record in records]
    settings = _longer(row.settings) if row.stop_reason == "max_hops" else row.settings
    return replace(_spec_of(row, events), settings=settings, past=complete_hops(events, keep_verdict=True))


def one_more_hop(row: RunRow, records: Sequence[Record], aspect: str) -> RunSpec:
    """Go on with one hop more than there were, aimed at `aspect`; a run makes that after it would have stopped.

    Raises:
        InputError: the run has no such aspect.
    """
    events = [record.event for record in records]
    planned = [one.aspect for event in of_kind(events, AspectsPlanned) for one in event.aspects]
    if aspect not in planned:
        raise InputError(
            f"Run {row.run_id} has no aspect {aspect!r}; it has {', '.join(map(repr, planned)) or 'none'}."
        )
    return replace(_spec_of(row, events), extra=(aspect,), past=complete_hops(events, keep_verdict=False))


def _spec_of(row: RunRow, events: Sequence[Event]) -> RunSpec:
    """What the run was asked, with a larger budget where that ended it."""
    return RunSpec(
        row.method,
        row.question,
        settings=row.settings,
        budget=_larger(row.budget) if row.stop_reason in _LIMITS else row.budget,
        aspects=row.given_aspects,
        learned=next(of_kind(events, WordingsLearned), None),
    )


def complete_hops(events: Sequence[Event], *, keep_verdict: bool) -> tuple[Event, ...]:
    """The events up to the last decision; without that decision where it would be another one now.

    It would be when the user or a limit stopped the run, and with `keep_verdict=False` whenever it was to stop.
    """
    last = max((i for i, event in enumerate(events) if isinstance(event, Decided)), default=-1)
    if last < 0:
        return ()
    decided = events[last]
    assert isinstance(decided, Decided)
    verdict = decided.decision
    holds = not verdict.stop or (keep_verdict and verdict.stop_reason not in _NOT_A_VERDICT)
    return tuple(events[: last + holds])


def _longer(settings: Settings) -> Settings:
    return replace(settings, max_hops=2 * settings.max_hops)


def _larger(budget: Budget) -> Budget:
    return Budget(
        max_tokens=budget.max_tokens and 2 * budget.max_tokens,
        max_seconds=budget.max_seconds and 2 * budget.max_seconds,
        max_usd=budget.max_usd and 2 * budget.max_usd,
        max_calls=budget.max_calls and 2 * budget.max_calls,
    )


WORKERS = 4
_LONGEST_WAIT_AT_EXIT = 2.0


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run is, and whether it was asked to stop."""

    status: RunStatus
    cancelling: bool = False


class Runner:
    """Carries out runs in threads of its own and records them in the store, event by event."""

    def __init__(self, store: Store, corpora: Corpora, *, workers: int = WORKERS) -> None:
        self.store = store
        self.corpora = corpora
        self._queue = JobQueue("adaq-run", workers=workers)
        self._jobs: dict[str, Job[None]] = {}
        self._closing = threading.Event()

    @property
    def closed(self) -> bool:
        """Whether it takes no more runs."""
        return self._closing.is_set()

    @property
    def at_work(self) -> int:
        """How many runs go on now; those that wait for a thread are not counted."""
        return sum(job.running for job in list(self._jobs.values()))

    def submit(
        self,
        question: str,
        *,
        corpus: str,
        method: str = "adaptive",
        settings: Settings | None = None,
        budget: Budget | None = None,
        aspects: Sequence[QueryAspect] | None = None,
        chat: Any = None,
        model: str | None = None,
        group: str | None = None,
        question_id: str | None = None,
    ) -> str:
        """Enter a run and return its id at once; it begins as soon as a thread is free.

        `aspects` are used in place of those that would be planned. `model` names the language model; empty means those
        of the settings, None (without a `chat`) none.

        Raises:
            InputError: the question, the method or a live source cannot be used.
            CorpusError: there is no such corpus.
            StoreError: the store cannot be written.
        """
        settings = settings or Settings()
        given = tuple(aspects) if aspects is not None else None
        spec = RunSpec(method, question, settings, budget or Budget(), given).checked()
        entered = Entered("", spec, self.corpora.card(corpus), chat, model)
        return self._enter(entered, group=group, question_id=question_id)

    def resume(self, run_id: str, *, chat: Any = None) -> str:
        """Go on with a run that broke off, failed, or was stopped by the user or a limit; the id of the new run.

        The new run is made again up to the last complete hop and goes on from there. A limit that ended the run is
        granted once more. The same model is asked unless `chat` is given. The old run stays as it is.

        Raises:
            InputError: there is no such run, it still runs, or it ended because nothing was left to do.
        """
        row = self._over(run_id)
        return self._go_on(row, same_again(row, self.store.records(run_id)), chat=chat)

    def continue_with(self, run_id: str, aspect: str, *, chat: Any = None) -> str:
        """Go on from a run that is over with one more hop aimed at `aspect`; the id of the new run.

        Raises:
            InputError: there is no such run, it still runs, or it has no such aspect.
        """
        row = self._over(run_id)
        return self._go_on(row, one_more_hop(row, self.store.records(run_id), aspect), chat=chat)

    def cancel(self, run_id: str) -> bool:
        """Ask a run to stop: it does after the stage it is in, and writes its answer. False when it is not here."""
        job = self._jobs.get(run_id)
        if job is None:
            return False
        job.cancel()
        if self._queue.drop(job):
            self._jobs.pop(run_id, None)
            self.store.end_without_event(run_id, "cancelled", "It was cancelled before it began.")
        return True

    def state(self, run_id: str) -> RunState | None:
        """Where the run is; None when there is no such run."""
        row = self.store.run(run_id)
        if row is None:
            return None
        job = self._jobs.get(run_id)
        return RunState(row.status, cancelling=bool(job and job.cancelled and not row.over))

    def wait(self, run_id: str, timeout: float | None = None) -> RunRow:
        """Wait until the run is over, or `timeout` seconds; its row then.

        Raises:
            InputError: there is no such run.
        """
        job = self._jobs.get(run_id)
        if job is not None:
            job.wait(timeout)
        return self._known(run_id)

    def close(self) -> None:
        """Take no more runs; what runs is marked as interrupted after the event it is at, and can be resumed."""
        self._closing.set()
        self._queue.close()
        until = time.monotonic() + _LONGEST_WAIT_AT_EXIT
        jobs = dict(self._jobs)
        for job in jobs.values():
            job.cancel()  # lets go of a model or a source that it waits for; it is marked as interrupted
        for run_id, job in jobs.items():
            if not self._queue.drop(job):
                job.wait(max(0.0, until - time.monotonic()))
            end(run_id, self.store, "interrupted", CLOSED)

    def _known(self, run_id: str) -> RunRow:
        row = self.store.run(run_id)
        if row is None:
            raise InputError(f"There is no run {run_id}. `runs list` shows those that there are.")
        return row

    def _over(self, run_id: str) -> RunRow:
        row = self._known(run_id)
        if not row.over:
            raise InputError(f"Run {run_id} still runs; wait for it or cancel it first.")
        return row

    def _go_on(self, row: RunRow, spec: RunSpec, *, chat: Any) -> str:
        entered = Entered("", spec, self.corpora.card(row.corpus), chat, row.model, parent=row.run_id)
        return self._enter(entered, group=row.group_id, question_id=row.question_id)

    def _enter(self, entered: Entered, *, group: str | None, question_id: str | None) -> str:
        if self.closed:
            raise StoreError("ADAQ is closing; start it again to ask.")
        spec = entered.spec
        run_id = self.store.begin(
            question=spec.question,
            method=spec.method,
            corpus=entered.corpus,
            settings=spec.settings,
            budget=spec.budget,
            group=group,
            question_id=question_id,
            parent=entered.parent,
            aspects=spec.aspects,
            model=entered.model_name,
            queued=True,
        )
        job = Job(f"adaq {run_id}", partial(self._carry_out, replace(entered, run_id=run_id)))
        self._jobs[run_id] = job
        self._queue.put(job)
        return run_id

    def _carry_out(self, entered: Entered, _: Progress, cancelled: Cancelled) -> None:
        try:
            leave = self._closing.is_set
            carry_out(entered, store=self.store, corpora=self.corpora, cancelled=cancelled, leave=leave)
        finally:
            self._jobs.pop(entered.run_id, None)


_runners: dict[str, Runner] = {}
_lock = threading.Lock()


def get_runner() -> Runner:
    """The runner that this process shares, on its shared store; it ends in order when the process does."""
    from adaq_core.corpus.library import CorpusLibrary

    store = open_store()
    with _lock:
        runner = _runners.get(str(store.path))
        if runner is None or runner.closed or runner.store is not store:
            runner = _runners[str(store.path)] = Runner(store, CorpusLibrary())
            atexit.register(runner.close)
    return runner
