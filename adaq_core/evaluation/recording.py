"""Runs of an experiment into the run store, where they open like any other run."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.working import Done
from adaq_core.events import RunStarted
from adaq_core.store.store import Store

WRITERS = 16
FILE = "runs.duckdb"


class Recorder:
    """Stores finished runs under one group; several at once, so that they share the commits."""

    def __init__(self, store: Store | None, *, group: str) -> None:
        self._store = store
        self._group = group
        self._threads = ThreadPoolExecutor(WRITERS, thread_name_prefix="adaq-evaluation")

    def keep(self, done: Done) -> Future[Outcome]:
        """The outcome with the id of its stored run, once that is on the disk; without a store, as it is."""
        return self._threads.submit(self._keep, done)

    def close(self) -> None:
        """Let the threads go; what was kept is on the disk already."""
        self._threads.shutdown()

    def _keep(self, done: Done) -> Outcome:
        first = done.records[0].event if done.records else None
        if self._store is None or not isinstance(first, RunStarted):
            return done.outcome
        run_id = self._store.begin(
            question=first.question,
            method=first.method,
            corpus=first.corpus,
            settings=first.settings,
            budget=first.budget,
            model=first.model,
            group=self._group,
            question_id=done.outcome.question_id,
        )
        self._store.copy_records(run_id, done.records)
        return replace(done.outcome, run_id=run_id)
