"""The open file of the store: any number of readers, one writer."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from adaq_core.errors import StoreError
from adaq_core.store_open import connect, in_words
from adaq_core.store_writer import Writer, result

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

T = TypeVar("T")


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
            with self._connection.cursor() as cursor:
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

    def close(self) -> None:
        """Write what is queued and let go of the file."""
        if not self._closed:
            self._closed = True
            self._writer.close()
            self._connection.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreError(f"The run store {self.path} was closed; open it again.")
