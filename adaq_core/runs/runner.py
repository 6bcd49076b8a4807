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
from adaq_core.events import AspectsPlanned, Branched, Decided, Event, Record, WordingsLearned, of_kind
from adaq_core.model import Branch, Budget, Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.jobs import Cancelled, Job, JobQueue, Progress
from adaq_core.runs.work import CLOSED, Corpora, QueuedRun, carry_out, end
from adaq_core.store import RunRow, RunStatus, Store, open_store
from adaq_core.trace import last_complete_hop

_LIMITS = ("max_hops", "budget_tokens", "budget_time", "budget_cost")
_NOT_A_VERDICT = ("user_stop", *_LIMITS)


def same_again(row: RunRow, records: Sequence[Record]) -> RunSpec:
    """Return the spec that goes on as before; a limit that ended the run is granted once more.

    Raises:
        InputError: the run ended because nothing was left to do.
    """
    if row.status == "finished" and row.stop_reason not in _LIMITS:
        raise InputError(
            f"Run {row.run_id} is finished ({row.reason}); there is nothing to resume. Search one of its aspects, or "
            "ask again."
        )
    events = [record.event for record in records]
    spec = replace(_spec_of(row, events), past=complete_hops(events, keep_verdict=True))
    return _with_more_hops(spec, last_complete_hop(events)) if row.stop_reason == "max_hops" else spec


def _with_more_hops(spec: RunSpec, last: int) -> RunSpec:
    """Return the spec with twice as many hops; after a person's branch, from the end of hop `last`."""
    if not spec.branches:
        return replace(spec, settings=_longer(spec.settings))
    more = Branch(last, settings=_longer(spec.branches[-1].settings or spec.settings))
    return replace(spec, branches=(*spec.branches, more))


def changed(row: RunRow, records: Sequence[Record], branch: Branch) -> RunSpec:
    """Return the spec that repeats the run up to the end of `branch.hop` and then applies the branch.

    Raises:
        InputError: the run has no such hop or no such aspect, nothing is changed, or its method cannot branch.
    """
    events = [record.event for record in records]
    if row.method != "adaptive":
        raise InputError(f"Expected a run of ADAQ, but {row.run_id} is one of {row.method}, which cannot branch.")
    last = last_complete_hop(events)
    if not 1 <= branch.hop <= last:
        raise InputError(f"Run {row.run_id} has {last} complete hops; there is no hop {branch.hop} to go on from.")
    _must_change(branch, _aspects(events, branch))
    past = complete_hops(events, keep_verdict=False, upto=branch.hop)
    spec = _spec_of(row, past)
    return replace(spec, branches=(*spec.branches, branch), past=past)


def _must_change(branch: Branch, aspects: Sequence[str]) -> None:
    if branch == Branch(branch.hop):
        raise InputError("Expected another aspect, threshold or query than before, but nothing is changed.")
    if not aspects:
        raise InputError("Expected at least one aspect, but all are taken away.")
    if branch.target and branch.target not in aspects:
        raise InputError(f"There is no aspect {branch.target!r}; known: {', '.join(map(repr, aspects))}.")


def _aspects(events: Sequence[Event], branch: Branch) -> list[str]:
    """Return the names of the aspects that the run will have after the branch."""
    if branch.aspects is not None:
        return [aspect.aspect for aspect in branch.aspects]
    known = [e.aspects for e in events if isinstance(e, AspectsPlanned | Branched)]
    return [aspect.aspect for aspect in known[-1]] if known else []


def _branches(events: Sequence[Event]) -> tuple[Branch, ...]:
    """Return what people changed in the run so far."""
    return tuple(Branch(e.hop, e.aspects, e.query, e.target, e.settings) for e in of_kind(events, Branched))


def _spec_of(row: RunRow, events: Sequence[Event]) -> RunSpec:
    """Return what the run was asked, with a larger budget if that ended it."""
    return RunSpec(
        row.method,
        row.question,
        settings=row.settings,
        budget=_larger(row.budget) if row.stop_reason in _LIMITS else row.budget,
        aspects=row.given_aspects,
        branches=_branches(events),
        learned=next(of_kind(events, WordingsLearned), None),
    )


def complete_hops(events: Sequence[Event], *, keep_verdict: bool, upto: int | None = None) -> tuple[Event, ...]:
    """Return the events up to the last decision, or that of hop `upto`; without a decision that would now differ.

    It would be when the user or a limit stopped the run, and with `keep_verdict=False` always.
    """
    decided = [(place, event) for place, event in enumerate(events) if isinstance(event, Decided)]
    wanted = [(place, event) for place, event in decided if not upto or event.hop <= upto]
    if not wanted:
        return ()
    last = wanted[-1][0]
    verdict = wanted[-1][1].decision
    holds = keep_verdict and not (verdict.stop and verdict.stop_reason in _NOT_A_VERDICT)
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


WORKERS = 4  # runs at once
_LONGEST_WAIT_AT_EXIT = 2.0  # seconds for all runs together


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
        """Whether the runner takes no more runs."""
        return self._closing.is_set()

    @property
    def at_work(self) -> int:
        """Return how many runs go on now, without those that wait for a thread."""
        return sum(job.running for job in list(self._jobs.values()))

    def submit(
        self,
        spec: RunSpec,
        *,
        corpus: str,
        chat: Any = None,
        model: str | None = None,
        group: str | None = None,
        question_id: str | None = None,
        waits_for_vectors: bool = False,
    ) -> str:
        """Enter a run and return its id at once; it begins as soon as a thread is free.

        `model` names the language model; empty means those of the settings, None (without a `chat`) none. With
        `waits_for_vectors` it begins once a small corpus has its vectors, as a run does that needs them and with which
        it is compared. Runs of a `group` are compared: each is made by itself, so that its time is its own.

        Raises:
            InputError: the question, the method or a live source cannot be used.
            CorpusError: there is no such corpus.
            StoreError: the store cannot be written.
        """
        asked, card = spec.checked(), self.corpora.card(corpus)
        queued = QueuedRun("", asked, card, chat, model, waits_for_vectors=waits_for_vectors, group=group)
        return self._enter(queued, question_id=question_id)

    def resume(self, run_id: str) -> str:
        """Continue a run that broke off, failed, or was stopped by the user or a limit; return the new run's id.

        The new run is made again up to the last complete hop and goes on from there. A limit that ended the run is
        granted once more. The same model is asked. The old run stays as it is.

        Raises:
            InputError: there is no such run, it still runs, or it ended because nothing was left to do.
        """
        row = self._over(run_id)
        return self._go_on(row, same_again(row, self.store.records(run_id)))

    def continue_with(self, run_id: str, aspect: str) -> str:
        """Continue a finished run with one more hop for `aspect`; return the new run's id.

        Raises:
            InputError: there is no such run, it still runs, or it has no such aspect.
        """
        records = self.store.records(run_id)
        last = last_complete_hop(record.event for record in records)
        return self.branch(run_id, Branch(last, target=aspect))

    def branch(self, run_id: str, branch: Branch) -> str:
        """Continue from the end of a hop with other aspects, thresholds or another query; return the new run's id.

        The hops up to there are made again, which costs no call of a model: its replies are kept.

        Raises:
            InputError: there is no such run, it still runs, or it cannot be changed so.
        """
        row = self._over(run_id)
        spec = changed(row, self.store.records(run_id), branch)
        return self._go_on(replace(row, group_id=None, question_id=None), spec)

    def cancel(self, run_id: str) -> bool:
        """Ask a run to stop after its current stage, with an answer; return False if it does not run here."""
        job = self._jobs.get(run_id)
        if job is None:
            return False
        job.cancel()
        if self._queue.drop(job):
            self._jobs.pop(run_id, None)
            self.store.end_without_event(run_id, "cancelled", "It was cancelled while it waited.")
        return True

    def state(self, run_id: str) -> RunState | None:
        """Return where the run is; None for an unknown id."""
        row = self.store.run(run_id)
        if row is None:
            return None
        job = self._jobs.get(run_id)
        is_told = job is not None and job.cancelled
        return RunState(row.status, cancelling=is_told and not row.over)

    def wait(self, run_id: str, timeout: float | None = None) -> RunRow:
        """Wait until the run is over, or `timeout` seconds; return its row.

        Raises:
            InputError: there is no such run.
        """
        job = self._jobs.get(run_id)
        if job is not None:
            job.wait(timeout)
        return self.store.known(run_id)

    def close(self) -> None:
        """Take no more runs; running ones are marked as interrupted after their current event and can be resumed."""
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

    def _over(self, run_id: str) -> RunRow:
        row = self.store.known(run_id)
        if not row.over:
            raise InputError(f"Run {run_id} is still running; wait for it or cancel it first.")
        return row

    def _go_on(self, row: RunRow, spec: RunSpec) -> str:
        card = self.corpora.card(row.corpus)
        queued = QueuedRun("", spec, card, None, row.model, parent=row.run_id, group=row.group_id)
        return self._enter(queued, question_id=row.question_id)

    def _enter(self, queued: QueuedRun, *, question_id: str | None) -> str:
        if self.closed:
            raise StoreError("ADAQ is closing; start it again to ask.")
        run_id = self.store.begin(
            queued.first,
            group=queued.group,
            question_id=question_id,
            parent=queued.parent,
            aspects=queued.spec.aspects,
            queued=True,
        )
        named = replace(queued, run_id=run_id)
        job = Job(f"adaq {run_id}", partial(self._carry_out, named))
        self._jobs[run_id] = job
        self._queue.put(job)
        return run_id

    def _carry_out(self, queued: QueuedRun, _: Progress, cancelled: Cancelled) -> None:
        try:
            leave = self._closing.is_set
            carry_out(queued, store=self.store, corpora=self.corpora, cancelled=cancelled, leave=leave)
        finally:
            self._jobs.pop(queued.run_id, None)


_runners: dict[str, Runner] = {}
_lock = threading.Lock()


def get_runner() -> Runner:
    """Return this process's shared runner on its shared store; its runs end in order when the process does."""
    from adaq_core.corpus.library import CorpusLibrary

    store = open_store()
    with _lock:
        runner = _runners.get(str(store.path))
        if runner is None or runner.closed or runner.store is not store:
            runner = _runners[str(store.path)] = Runner(store, CorpusLibrary())
            atexit.register(runner.close)
    return runner


def close_runners() -> None:
    """Close the runners of this process; creates none."""
    with _lock:
        there = list(_runners.values())
    for runner in there:
        runner.close()
