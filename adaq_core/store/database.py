"""The database behind its lock: readers beside one thread that writes, in which jobs that wait share a commit."""

from __future__ import annotations

import os
import queue
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from adaq_core.errors import StoreError
from adaq_core.home import bytes_of, private_file
from adaq_core.store.open import connect, in_words, log_of
from adaq_core.store.rows import LIVE_COLUMNS, RunRow, encode, notice_instead, to_database
from adaq_core.store.upkeep import copy_store

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Call = Callable[["DuckDBPyConnection"], Any]

_MOST_JOBS = 400
_KNOWN_PASSAGES = 50_000
# A damaged bit in the log costs what was written since the last checkpoint: a MiB is about twenty-five runs.
_CHECKPOINT_BYTES = 1 << 20
_ROOM_BYTES = 16 << 20


class EventRow(NamedTuple):
    """An event as the table holds it."""

    run_id: str
    seq: int
    kind: str
    hop: int | None
    recorded_at: Any
    elapsed: float
    payload: str


class Put(NamedTuple):
    """An event to be written, the passages it refers to, and its run's row before and after it."""

    event: EventRow
    bodies: dict[str, str]
    before: RunRow
    after: RunRow


class Alone(NamedTuple):
    """A job for which the writer lets go of the file; however it ends, it goes on with the connection in `reopened`."""

    job: Callable[[], None]
    reopened: Callable[[], DuckDBPyConnection]


Job = Put | Call | Alone
Waiting = tuple[Job, Future[Any]]


class Writer:
    """Carries out jobs in the order they came; a job's future is done when the job is on the disk."""

    def __init__(self, connection: DuckDBPyConnection, path: Path) -> None:
        self._connection = connection.cursor()
        self._path = path
        self._log = log_of(path)
        self._jobs: queue.Queue[Waiting | None] = queue.Queue(maxsize=10_000)
        self._checkpoint_at = _CHECKPOINT_BYTES
        self._known: dict[str, None] = {}
        self._broken: set[str] = set()
        self._thread = threading.Thread(target=self._work, name="adaq-store-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> Future[Any]:
        """Queue `job`; waits only while ten thousand others are queued."""
        future: Future[Any] = Future()
        self._jobs.put((job, future))
        return future

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def forget_passages(self) -> None:
        """Drop the cache of stored passages; to be called by a job that deletes some."""
        self._known.clear()

    def _work(self) -> None:
        while True:
            batch, last = self._next_batch()
            if batch:
                self._carry_out(batch)
                self._checkpoint_when_due()
            if last:
                return

    def _next_batch(self) -> tuple[list[Waiting], bool]:
        batch: list[Waiting] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) >= _MOST_JOBS:
                return batch, False
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _carry_out(self, batch: list[Waiting]) -> None:
        if any(isinstance(job, Alone) for job, _ in batch):
            for one in batch:
                self._carry_out_alone(one)
            return
        try:
            results = self._commit([job for job, _ in batch])
        except Exception as error:  # whatever a job raises belongs to whoever waits for it
            if len(batch) == 1:
                self._give_up(*batch[0], error)
                return
            for one in batch:
                self._carry_out([one])
            return
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)

    def _checkpoint_when_due(self) -> None:
        """Move a long log into the file, if the disk has room: a failed checkpoint closes the store."""
        import duckdb

        if not self._jobs.empty() or bytes_of(self._log) < self._checkpoint_at:
            return
        self._checkpoint_at = _CHECKPOINT_BYTES
        if shutil.disk_usage(self._path.parent).free < _ROOM_BYTES + 4 * bytes_of(self._log):
            self._checkpoint_at = 2 * bytes_of(self._log)
            return
        try:
            self._connection.execute("CHECKPOINT")
        except duckdb.Error:  # somebody reads or writes just now: it is tried again when the log has grown
            self._checkpoint_at = 2 * bytes_of(self._log)

    def _carry_out_alone(self, one: Waiting) -> None:
        job, future = one
        if isinstance(job, Alone):
            self._stand_aside(job, future)
        else:
            self._carry_out([one])

    def _stand_aside(self, alone: Alone, future: Future[Any]) -> None:
        self._connection.close()
        self._known.clear()
        try:
            alone.job()
        except Exception as error:
            self._connection = alone.reopened().cursor()
            future.set_exception(self._as_ours(error))
            return
        self._connection = alone.reopened().cursor()
        future.set_result(None)

    def _as_ours(self, error: Exception) -> Exception:
        import duckdb

        if isinstance(error, duckdb.Error | OSError):
            return in_words(error, self._path)
        return error

    def _give_up(self, job: Job, future: Future[Any], error: Exception) -> None:
        """Fail one job; a run that misses an event takes no more, so that its stored events have no gap.

        An event that the database cannot take, though the disk is sound, is replaced by a notice that says so.
        """
        import duckdb

        if isinstance(job, Put):
            if (
                isinstance(error, duckdb.DataError | duckdb.InvalidInputException | OverflowError)
                and job.event.kind != "noticed"
            ):
                self._carry_out([(_noticed(job, error), future)])
                return
            self._broken.add(job.event.run_id)
        future.set_exception(self._as_ours(error))

    def _commit(self, jobs: list[Job]) -> list[Any]:
        results: list[Any] = []
        self._connection.begin()
        try:
            for puts, group in groupby(jobs, key=lambda job: isinstance(job, Put)):
                if puts:
                    results += self._put([job for job in group if isinstance(job, Put)])
                else:
                    results += [job(self._connection) for job in group if not isinstance(job, Put | Alone)]
            self._connection.commit()
            private_file(self._log)
        except BaseException:
            self._roll_back()
            raise
        return results

    def _roll_back(self) -> None:
        import duckdb

        self._known.clear()
        try:
            self._connection.rollback()
        except duckdb.TransactionException:
            return  # a commit that failed has rolled back by itself

    def _put(self, puts: list[Put]) -> list[None]:
        if broken := self._broken.intersection(put.event.run_id for put in puts):
            raise StoreError(f"Run {min(broken)} takes no more events: an earlier one could not be written.")
        self._put_bodies(puts)
        with self._connection.appender("events") as appender:
            for put in puts:
                appender.append_row(*put.event)
        oldest = {put.before.run_id: put.before for put in reversed(puts)}
        for newest in {put.after.run_id: put.after for put in puts}.values():
            self._update(oldest[newest.run_id], newest)
        return [None] * len(puts)

    def _update(self, old: RunRow, new: RunRow) -> None:
        """Write only the columns that changed: half the time of writing them all."""
        changed = tuple(name for name in LIVE_COLUMNS if getattr(old, name) != getattr(new, name))
        sets = ", ".join(f"{name} = ?" for name in changed)
        values = [*to_database(new, changed), new.run_id]
        self._connection.execute(f"UPDATE runs SET {sets} WHERE run_id = ?", values)

    def _put_bodies(self, puts: list[Put]) -> None:
        new = {digest: body for put in puts for digest, body in put.bodies.items() if digest not in self._known}
        if not new:
            return
        rows = ", ".join(["(?, ?)"] * len(new))
        values = [value for pair in new.items() for value in pair]
        self._connection.execute(f"INSERT INTO passages VALUES {rows} ON CONFLICT DO NOTHING", values)
        if len(self._known) > _KNOWN_PASSAGES:
            self._known.clear()
        self._known.update(dict.fromkeys(new))


def _noticed(put: Put, error: Exception) -> Put:
    """Return the put of a notice in place of `put`; it changes only number and time in the run's row."""
    payload, bodies = encode(notice_instead(put.event.kind, error))
    after = replace(put.before, last_seq=put.event.seq, elapsed=put.event.elapsed)
    return Put(put.event._replace(kind="noticed", hop=None, payload=payload), bodies, put.before, after)


def result(future: Future[Any]) -> Any:
    """Return the job's value once it is on disk; raise its StoreError otherwise."""
    try:
        return future.result(timeout=120)
    except TimeoutError:
        raise StoreError("The run store did not answer for two minutes; look at the disk it is on.") from None


T = TypeVar("T")
_REOPEN_SECONDS = 10.0


class _Gate:
    """Lets any number of readers in at once, or one who must be alone, for whom new readers wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._closed)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._readers)
        try:
            yield
        finally:
            with self._changed:
                self._closed = False
                self._changed.notify_all()


def _owner() -> str:
    """Return a name for this process that no later process gets, even with the same process id."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()[:8]
        started = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        boot, started = "", secrets.token_hex(4)
    return f"{os.getpid()}-{boot}-{started}"


OWNER = _owner()


class Database:
    """The connection that modules of the store share; `query` reads what is on the disk, `write` waits for it."""

    def __init__(self, path: Path, *, wait_seconds: float = 0.0) -> None:
        self.path = path
        self._closed = False
        self._gate = _Gate()
        self._connection = connect(path, wait_seconds=wait_seconds)
        self._writer = Writer(self._connection, path)

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a SELECT, read with a cursor of its own."""
        import duckdb

        self._must_be_open()
        try:
            with self._gate.reading(), self._connection.cursor() as cursor:
                return cursor.execute(sql, list(values)).fetchall()
        except duckdb.Error as error:
            raise in_words(error, self.path) from error

    def write(self, job: Callable[[DuckDBPyConnection], T]) -> T:
        """Run `job` in the writer's thread, in a transaction; return its value once it is on disk.

        A job that shares its transaction with one that fails is run again, so it changes nothing but the database.
        """
        self._must_be_open()
        return result(self._writer.submit(job))  # type: ignore[no-any-return]

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Run one statement; its effect is on disk when this returns."""

        def job(connection: DuckDBPyConnection) -> None:
            connection.execute(sql, list(values))

        self.write(job)

    def compact(self) -> None:
        """Rewrite the file without deleted data; readers and writers wait meanwhile.

        Raises:
            StoreError: the disk has no room for a copy; the file is as it was.
        """
        self._must_be_open()
        result(self._writer.submit(Alone(self._rewrite, lambda: self._connection)))

    def _rewrite(self) -> None:
        """Replace the file by a copy and open it again, in the writer's thread."""
        with self._gate.alone():
            compacted = self.path.with_name(f".{self.path.name}.compact")
            try:
                copy_store(self._connection, compacted)
                self._connection.close()
                if not log_of(self.path).exists():  # the log of the old file must not be read into the new one
                    compacted.replace(self.path)
            finally:
                compacted.unlink(missing_ok=True)
                self._connection.close()
                self._connection = connect(self.path, wait_seconds=_REOPEN_SECONDS)

    def close(self) -> None:
        """Write what is queued and let go of the file."""
        if not self._closed:
            self._closed = True
            self._writer.close()
            self._connection.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreError(f"The run store {self.path} was closed; open it again.")
