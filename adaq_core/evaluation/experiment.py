"""Running an experiment: what is not finished yet, in parallel, to be broken off and taken up at any time."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from adaq_core.errors import AdaqError, EmbeddingError, InputError
from adaq_core.evaluation import (
    PER_QUESTION,
    Clock,
    ExperimentPlan,
    Outcome,
    Progress,
    Watch,
    read_outcomes,
    to_line,
    write_outcomes,
)
from adaq_core.evaluation.measuring import taught
from adaq_core.evaluation.variants import (
    SUBJECT,
    ensure_index,
    ensure_vectors,
    has_vectors,
    makes_vectors,
    of_code,
)
from adaq_core.evaluation.working import AskedQuestion, QuestionsToAsk, Recorder, Setup, Task, begin, work, work_apart
from adaq_core.stages.services import never
from adaq_core.store import Store

if TYPE_CHECKING:
    from distributed import Client

BATCH = 8
WORTH_A_POOL = 40
RESTARTS = 3
_GRACE = 20.0  # seconds for the question at hand
CLUSTER_SECONDS = 30
UNSAVED = 64


Spread = Callable[[Setup | QuestionsToAsk, Sequence[Any]], Iterator[list[Any]]]


def silent(progress: Progress) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class OutcomesSoFar:
    """The outcomes so far, in the order of the questions, and whether the experiment is finished."""

    outcomes: tuple[Outcome, ...]
    finished: bool
    clock: Clock

    @property
    def seconds(self) -> float:
        """Return how long this session of the experiment took."""
        return self.clock.seconds


def run_experiment(
    plan: ExperimentPlan,
    *,
    out: Path,
    store: Store | None = None,
    workers: int | None = None,
    dask: str = "",
    watch: Watch = silent,
    cancelled: Callable[[], bool] = never,
) -> OutcomesSoFar:
    """Run every variant on every question, except those that `out` holds with the same configuration.

    With `dask`, the address of a scheduler, the workers of that cluster run them, in place of processes here.
    Each finished run is on the disk before the next one is counted: in the store, as a run of the group called as the
    folder, and as a line of per_question.jsonl. A run that failed is tried again the next time.
    """
    out.mkdir(parents=True, exist_ok=True)
    configurations = {variant.label: plan.configuration(variant) for variant in plan.variants}
    kept = _still_valid(plan, configurations, read_outcomes(out / PER_QUESTION))
    tasks = [task for task in _all_tasks(plan) if task not in kept]
    clock = Clock(out, total=len(tasks) + len(kept), reused=len(kept), watch=watch)
    write_outcomes(out / PER_QUESTION, kept.values())
    if tasks:
        clock.tell("indexing", plan.questions.name)
        recorder = Recorder(store, group=out.name)
        try:
            setup = _prepare(plan, configurations, clock=clock, cancelled=cancelled)
            clock.start()
            spread = _spread(workers, dask, len(tasks), cancelled=cancelled)
            for part, mine in _parts(plan, setup, tasks, kept):
                _run(part, mine, kept, out=out, recorder=recorder, clock=clock, spread=spread)
        except BaseException as error:
            clock.tell("cancelled" if isinstance(error, KeyboardInterrupt) else "failed", str(error))
            raise
        finally:
            recorder.close()
    finished = len(kept) == clock.total
    outcomes = tuple(kept[task] for task in _all_tasks(plan) if task in kept)
    clock.tell("writing" if finished else "cancelled")
    write_outcomes(out / PER_QUESTION, outcomes)
    return OutcomesSoFar(outcomes, finished, clock)


def ask_all(
    asking: QuestionsToAsk,
    *,
    workers: int | None = None,
    dask: str = "",
    cancelled: Callable[[], bool] = never,
) -> Iterator[AskedQuestion]:
    """Yield the result of each question, in order, as soon as it and those before it are answered.

    As in an experiment: by processes here, or by the workers of the cluster whose scheduler `dask` names.
    """
    numbers = range(len(asking.questions))
    early: dict[int, AskedQuestion] = {}
    due = 0
    spread = _spread(workers, dask, len(numbers), cancelled=cancelled)
    for finished in spread(asking, numbers):
        early.update((asked.number, asked) for asked in finished)
        while due in early:
            yield early.pop(due)
            due += 1


def _prepare(
    plan: ExperimentPlan, configurations: dict[str, str], *, clock: Clock, cancelled: Callable[[], bool]
) -> Setup:
    """Build the index and, if a variant wants them, the passage vectors: once per corpus."""
    index = ensure_index(plan.questions, without=plan.removed)
    by_meaning = _make_vectors(plan, index, clock=clock, cancelled=cancelled)
    questions = plan.questions
    return Setup(
        questions.folder,
        questions.split,
        index,
        plan.variants,
        configurations,
        plan.budget,
        plan.model,
        plan.judges,
        by_meaning=by_meaning,
        k_of_subtopics=plan.k_of_subtopics,
        gold_removed=plan.gold_removed,
    )


def _make_vectors(plan: ExperimentPlan, index: Path, *, clock: Clock, cancelled: Callable[[], bool]) -> bool:
    """Make the vectors that variants need; return whether those that may use vectors have them.

    Those go on without them when the model is not there, which is told.
    """
    may_use = any(variant.may_use_vectors for variant in plan.variants)
    if not plan.vectors and not (may_use and makes_vectors(index)):
        return may_use and has_vectors(index)
    try:
        ensure_vectors(
            index,
            progress=lambda done, total, what: clock.tell("embedding", f"{done}/{total} {what}"),
            cancelled=cancelled,
        )
    except EmbeddingError as error:
        if plan.vectors:
            raise
        clock.tell("embedding", f"{error} Going on without vectors.")
        return False
    return may_use and has_vectors(index)


def _all_tasks(plan: ExperimentPlan) -> list[Task]:
    """Order the tasks by question, so that an unfinished experiment compares methods on the same questions."""
    return [(label, question.question_id) for question in plan.chosen for label in plan.labels]


def _parts(
    plan: ExperimentPlan, setup: Setup, tasks: Sequence[Task], kept: Mapping[Task, Outcome]
) -> Iterator[tuple[Setup, list[Task]]]:
    """Yield the variants that learn nothing, then, once these are in `kept`, those that learn from them."""
    if plain := [task for task in tasks if task[0] not in plan.learning]:
        yield setup, plain
    learners = [task for task in tasks if task[0] in plan.learning]
    teachers = [kept.get((SUBJECT, question.question_id)) for question in plan.chosen]
    ran = [outcome for outcome in teachers if outcome is not None]
    if learners and len(ran) == len(teachers):
        yield replace(setup, wordings=taught(ran)), learners


def _still_valid(plan: ExperimentPlan, configurations: dict[str, str], outcomes: list[Outcome]) -> dict[Task, Outcome]:
    wanted = set(_all_tasks(plan))
    return {
        each.key: each
        for each in outcomes
        if each.key in wanted and each.configuration == configurations[each.method] and not each.error
    }


def _run(
    setup: Setup,
    tasks: Sequence[Task],
    kept: dict[Task, Outcome],
    *,
    out: Path,
    recorder: Recorder,
    clock: Clock,
    spread: Spread,
) -> None:
    unsaved: deque[Future[Outcome]] = deque()
    with (out / PER_QUESTION).open("a", encoding="utf-8") as file:
        for finished in spread(setup, tasks):
            unsaved.extend(map(recorder.keep, finished))
            _save(unsaved, file, kept, clock, leave=UNSAVED)
        _save(unsaved, file, kept, clock, leave=0)


def _save(
    unsaved: deque[Future[Outcome]], file: TextIO, kept: dict[Task, Outcome], clock: Clock, *, leave: int
) -> None:
    """Write down outcomes whose runs are stored, in order; wait until at most `leave` are pending."""
    while unsaved and (len(unsaved) > leave or unsaved[0].done()):
        outcome = unsaved.popleft().result()
        file.write(f"{to_line(outcome)}\n")
        kept[outcome.key] = outcome
        clock.count(failed=bool(outcome.error))
    file.flush()
    clock.tell("running")


def _spread(workers: int | None, dask: str, tasks: int, *, cancelled: Callable[[], bool]) -> Spread:
    """Return where the runs are made: on a cluster, in this process, or in several processes."""
    if dask:
        return partial(_on_cluster, address=dask, cancelled=cancelled)
    wanted = (os.cpu_count() or 1) if workers is None else workers
    if wanted <= 1 or (workers is None and tasks < WORTH_A_POOL):
        return partial(_here, cancelled=cancelled)
    return partial(_in_processes, workers=wanted, cancelled=cancelled)


def _here(setup: Setup | QuestionsToAsk, tasks: Sequence[Any], *, cancelled: Callable[[], bool]) -> Iterator[list[Any]]:
    """Run the tasks one after the other, in this process."""
    worker = setup.worker()
    for task in tasks:
        if cancelled():
            return
        yield [worker.run(task)]


def _in_processes(
    setup: Setup | QuestionsToAsk, tasks: Sequence[Any], *, workers: int, cancelled: Callable[[], bool]
) -> Iterator[list[Any]]:
    """Run the tasks in worker processes; if one dies, its tasks are tried again in new ones, a few times."""
    waiting = deque(_batches(tasks))
    for attempt in range(RESTARTS + 1):
        running: dict[Future[list[Any]], Sequence[Any]] = {}
        try:
            yield from _pooled(setup, waiting, running, workers=workers, cancelled=cancelled)
            return
        except BrokenProcessPool as error:
            waiting.extendleft(running.values())
            if attempt == RESTARTS:
                raise AdaqError(
                    f"a worker process died {RESTARTS + 1} times (is there memory for {workers} workers?); what was "
                    "finished is kept: start again with fewer --workers"
                ) from error


def _pooled(
    setup: Setup | QuestionsToAsk,
    waiting: deque[Sequence[Any]],
    running: dict[Future[list[Any]], Sequence[Any]],
    *,
    workers: int,
    cancelled: Callable[[], bool],
) -> Iterator[list[Any]]:
    """Hand out batches, two per worker at a time; however it ends, workers stop after their current question.

    Workers that are still loading what they need have no question at hand: they are not waited for.
    """
    spawn = multiprocessing.get_context("spawn")
    stop, at_work = spawn.RawValue("b", 0), spawn.RawValue("b", 0)
    pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=begin, initargs=(setup, stop, at_work))
    try:
        while waiting or running:
            if cancelled():
                stop.value = 1
                if not at_work.value:
                    _kill(_workers(pool))
                    return
            while waiting and len(running) < 2 * workers and not stop.value:
                batch = waiting.popleft()
                running[pool.submit(work, batch)] = batch
            if not running:
                return
            finished, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
            if not finished:
                end_if_one_died(pool)
            for future in finished:
                done = future.result()
                del running[future]
                yield done
    except BrokenProcessPool:
        # A worker that was being started when another died waits for ever for the lock that the dead one held.
        _kill(_workers(pool))
        raise
    finally:
        stop.value = 1
        close(pool)


def close(pool: ProcessPoolExecutor, *, grace: float = _GRACE) -> None:
    """Wait for the workers to end; one that did not hear the signal is killed after `grace` seconds.

    The pool ends them by a signal where another has died, which a worker inside a query of DuckDB can miss.
    """
    late = threading.Timer(grace, _kill, (_workers(pool),))
    late.daemon = True
    late.start()
    try:
        pool.shutdown()
    finally:
        late.cancel()


def end_if_one_died(pool: ProcessPoolExecutor) -> None:
    """Break a pool that has lost a process without noticing.

    One that dies in the middle of what it sends leaves half a message, and the pool waits for ever for the rest. With
    all processes gone and the pool's own end of the pipe closed it reads the end of it.
    """
    if all(process.is_alive() for process in _workers(pool)):
        return
    _kill(_workers(pool))
    pool._result_queue._writer.close()  # type: ignore[attr-defined]


def _workers(pool: ProcessPoolExecutor) -> list[BaseProcess]:
    return list((pool._processes or {}).values())


def _kill(processes: Iterable[BaseProcess]) -> None:
    for process in processes:
        process.kill()


def _batches(tasks: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH))


def _on_cluster(
    setup: Setup | QuestionsToAsk, tasks: Sequence[Any], *, address: str, cancelled: Callable[[], bool]
) -> Iterator[list[Any]]:
    """Run the tasks on the workers of a Dask cluster, which reassigns those of a worker that dies."""
    client = _connected(address)
    from distributed import KilledWorker

    with closing(client), client.get_executor(pure=False) as pool:
        running = {pool.submit(work_apart, setup, of_code(), batch) for batch in _batches(tasks)}
        try:
            while running and not cancelled():
                finished, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in finished)
        except KilledWorker as error:
            raise AdaqError(
                f"workers of {address} died at the same questions again and again (is there memory for them?); what "
                "was finished is kept: start again"
            ) from error
        finally:
            for future in running:
                future.cancel()


def _connected(address: str) -> Client:
    """Return a client of the cluster with at least one worker; InputError without one."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("expected the package distributed for --dask; install adaq[dask]") from None
    try:
        client = Client(address, timeout=CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"expected a Dask scheduler at {address}, could not reach one: {error}") from error
    try:
        client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
    except TimeoutError:
        client.close()
        raise InputError(f"expected a worker at the Dask scheduler {address}, found none; start one") from None
    return client
