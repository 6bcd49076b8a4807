"""The open file of the store: any number of readers, one writer."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from adaq_core.errors import StoreError
from adaq_core.store.open import connect, in_words, log_of
from adaq_core.store.upkeep import copy_store
from adaq_core.store.writer import Writer, result

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

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
    """A name for this process that no later process gets, even one with the same number."""
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
        """All rows of a SELECT, read with a cursor of its own."""
        import duckdb

        self._must_be_open()
        try:
            with self._gate.reading(), self._connection.cursor() as cursor:
                return cursor.execute(sql, list(values)).fetchall()
        except duckdb.Error as error:
            raise in_words(error, self.path) from error

    def write(self, job: Callable[[DuckDBPyConnection], T]) -> T:
        """Run `job` in the writer's thread, in a transaction; its value once that is on the disk.

        A job that shares its transaction with one that fails is run again, so it changes nothing but the database.
        """
        self._must_be_open()
        return result(self._writer.submit(job))  # type: ignore[no-any-return]

    def execute(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Write one statement; on the disk when this returns."""

        def job(connection: DuckDBPyConnection) -> None:
            connection.execute(sql, list(values))

        self.write(job)

    def compact(self) -> None:
        """Write the file anew without what was deleted from it; readers and writers wait meanwhile.

        Raises:
            StoreError: the disk has no room for a copy; the file is as it was.
        """
        self._must_be_open()
        result(self._writer.exclusively(self._rewrite, lambda: self._connection))

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
