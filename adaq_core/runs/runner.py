"""Runs in the background: submitted, followed through the store, cancelled, gone on with.

Whoever submits gets the id of the run at once and reads what happens from the store; no page and no request is needed
for a run to go on. Runs wait in a queue while as many as there are threads are at work.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adaq_core.errors import InputError, StoreError
from adaq_core.methods import method as find_method
from adaq_core.model import Budget, QueryAspect, Settings
from adaq_core.question.aspects import checked
from adaq_core.runs.work import CLOSED, Continuation, Corpora, Job, carry_out, end, one_more_hop, same_again
from adaq_core.sources import checked as checked_sources
from adaq_core.store.store import RunRow, RunStatus, Store, open_store

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
        self._most = workers
        self._changed = threading.Condition()
        self._waiting: list[Job] = []
        self._working: dict[str, Job] = {}
        self._threads: list[threading.Thread] = []
        self._closing = threading.Event()

    @property
    def closed(self) -> bool:
        """Whether it takes no more runs."""
        return self._closing.is_set()

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
        question = checked(question)
        find_method(method)
        settings = settings or Settings()
        checked_sources(settings.sources)
        given = tuple(aspects) if aspects is not None else None
        card = self.corpora.card(corpus)
        job = Job("", question, method, card, settings, budget or Budget(), given, chat, model)
        return self._enter(job, group=group, question_id=question_id)

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
        with self._changed:
            waiting = next((job for job in self._waiting if job.run_id == run_id), None)
            if waiting is not None:
                self._waiting.remove(waiting)
            job = waiting or self._working.get(run_id)
        if job is None:
            return False
        job.cancel.set()
        if waiting is not None:
            self.store.end_without_event(run_id, "cancelled", "It was cancelled before it began.")
        return True

    def state(self, run_id: str) -> RunState | None:
        """Where the run is; None when there is no such run."""
        row = self.store.run(run_id)
        if row is None:
            return None
        with self._changed:
            job = self._working.get(run_id)
        return RunState(row.status, cancelling=bool(job and job.cancel.is_set() and not row.over))

    def wait(self, run_id: str, timeout: float | None = None) -> RunRow:
        """Wait until the run is over, or `timeout` seconds; its row then.

        Raises:
            InputError: there is no such run.
        """
        with self._changed:
            self._changed.wait_for(lambda: not self._is_here(run_id), timeout)
        return self._known(run_id)

    def close(self) -> None:
        """Take no more runs; what runs is marked as interrupted after the event it is at, and can be resumed."""
        with self._changed:
            self._closing.set()
            waiting, self._waiting = self._waiting, []
            self._changed.notify_all()
        for job in waiting:
            end(job, self.store, "interrupted", CLOSED)
        until = time.monotonic() + _LONGEST_WAIT_AT_EXIT
        for job in list(self._working.values()):
            job.cancel.set()  # lets go of a model or a source that it waits for; it is marked as interrupted
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        for job in list(self._working.values()):
            end(job, self.store, "interrupted", CLOSED)

    def _is_here(self, run_id: str) -> bool:
        return run_id in self._working or any(job.run_id == run_id for job in self._waiting)

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

    def _go_on(self, row: RunRow, how: Continuation, *, chat: Any) -> str:
        card = self.corpora.card(row.corpus)
        job = Job("", row.question, row.method, card, how.settings, how.budget, how.aspects, chat, row.model)
        job.parent, job.past, job.extra, job.wordings = row.run_id, how.past, how.extra, how.wordings
        return self._enter(job, group=row.group_id, question_id=row.question_id)

    def _enter(self, job: Job, *, group: str | None, question_id: str | None) -> str:
        if self.closed:
            raise StoreError("ADAQ is closing; start it again to ask.")
        job.run_id = self.store.begin(
            question=job.question,
            method=job.method,
            corpus=job.corpus,
            settings=job.settings,
            budget=job.budget,
            group=group,
            question_id=question_id,
            parent=job.parent,
            aspects=job.aspects,
            model=getattr(job.chat, "model", job.model) or None,
            queued=True,
        )
        with self._changed:
            self._waiting.append(job)
            if len(self._threads) < self._most:
                self._start_thread()
            self._changed.notify_all()
        return job.run_id

    def _start_thread(self) -> None:
        name = f"adaq-run-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while job := self._next_job():
            threading.current_thread().name = f"adaq {job.run_id}"  # so that what is logged meanwhile says of which run
            try:
                carry_out(job, store=self.store, corpora=self.corpora, leave=self._closing.is_set)
            finally:
                with self._changed:
                    del self._working[job.run_id]
                    self._changed.notify_all()

    def _next_job(self) -> Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._waiting)
            if self.closed:
                return None
            job = self._waiting.pop(0)
            self._working[job.run_id] = job
            return job


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
