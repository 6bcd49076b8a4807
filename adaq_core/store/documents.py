"""The database behind its lock, and what live sources brought to a run, to keep in a corpus or to go on from."""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from adaq_core.errors import StoreError
from adaq_core.model import Document
from adaq_core.store.open import connect, in_words, log_of
from adaq_core.store.rows import as_json
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


MOST_CHARACTERS = 4_000_000
_INSERT = "INSERT INTO fetched_documents VALUES (?, ?, ?, ?, ?, ?)"
_KNOWN = "SELECT document_id FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL"


@dataclass(frozen=True, slots=True)
class FetchedRow:
    """A document that a run fetched, without its text."""

    document_id: str
    title: str
    source: str
    date: str
    url: str
    characters: int

    @property
    def found_by(self) -> str:
        """The live source, which begins the id."""
        return self.document_id.partition(":")[0]


class FetchedDocuments:
    """The documents of one run, by the query that brought them; at most four million characters of text.

    Row 0 of a query says that all it brought is there; a document that several queries brought is stored once.
    `parent` is the run that this one goes on from.
    """

    def __init__(self, store: Database, run_id: str, *, parent: str | None = None) -> None:
        self._store = store
        self._run_id = run_id
        self._parent = parent

    def keep(self, query: str, documents: Sequence[Document]) -> str:
        """Keep what `query` brought; why not all of it was kept, empty when it was."""
        return self._store.write(lambda connection: self._write(connection, query, documents))

    def before(self, query: str) -> Sequence[Document] | None:
        """What `query` brought in the run that this one goes on from; None when that is not known in whole."""
        if self._parent is None:
            return None
        sql = "SELECT place, document_id FROM fetched_documents WHERE run_id = ? AND query = ? ORDER BY place"
        rows = self._store.query(sql, [self._parent, query])
        if not rows or rows[0][0] != 0:
            return None
        bodies = self._bodies(self._parent)
        return [bodies[document_id] for place, document_id in rows if place]

    def count(self) -> int:
        """How many documents are kept of this run."""
        sql = "SELECT count(*) FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL"
        return int(self._store.query(sql, [self._run_id])[0][0])

    def rows(self) -> list[FetchedRow]:
        """What is kept of this run, in the order it came."""
        results = ", ".join(f"json_extract_string(body, '$.{name}')" for name in ("title", "source", "date", "url"))
        sql = (
            f"SELECT document_id, {results}, length FROM fetched_documents "
            "WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        )
        return [FetchedRow(*row) for row in self._store.query(sql, [self._run_id])]

    def documents(self) -> list[Document]:
        """The documents that are kept of this run, in the order they came."""
        return list(self._bodies(self._run_id).values())

    def _bodies(self, run_id: str) -> dict[str, Document]:
        sql = "SELECT document_id, body FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        return {key: _document(json.loads(body)) for key, body in self._store.query(sql, [run_id])}

    def _write(self, connection: DuckDBPyConnection, query: str, documents: Sequence[Document]) -> str:
        sizes = "SELECT coalesce(sum(length), 0) FROM fetched_documents WHERE run_id = ?"
        total = int((connection.execute(sizes, [self._run_id]).fetchone() or (0,))[0])
        known = {key for (key,) in connection.execute(_KNOWN, [self._run_id]).fetchall()}
        rows: list[list[Any]] = []
        left_out = 0
        for place, document in enumerate(documents, start=1):
            new = document.document_id not in known
            if new and total + len(document.text) > MOST_CHARACTERS:
                left_out += 1
                continue
            total += len(document.text) if new else 0
            known.add(document.document_id)
            body, length = (as_json(asdict(document)), len(document.text)) if new else (None, 0)
            rows.append([self._run_id, query, place, document.document_id, length, body])
        for row in rows if left_out else [[self._run_id, query, 0, "", 0, None], *rows]:
            connection.execute(_INSERT, row)
        return _too_much(left_out)


def _too_much(count: int) -> str:
    if not count:
        return ""
    return f"{count} document{' was' if count == 1 else 's were'} too much to be kept with the run"


def _document(fields: dict[str, Any]) -> Document:
    """Return the document of a stored JSON object; documents stored before pages were kept have none."""
    fields = {**fields, "pages": tuple(fields.get("pages", ()))}
    for name in ("metadata", "outline"):
        fields[name] = tuple(tuple(pair) for pair in fields.get(name, ()))
    return Document(**fields)
