"""A store's file as a whole: copied without what was deleted, copied while in use, and saved when it is damaged."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adaq_core.errors import StoreError
from adaq_core.home import bytes_of, private_file
from adaq_core.store.open import check_log, database, log_of, mended, write_store
from adaq_core.store.rows import references

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TRIES = 40
_ROWS_AT_ONCE = 2_048
# Rows lie together in blocks, which are sound or not as a whole: to look for single rows costs time and finds none.
_ROWS_LOST_AT_ONCE = 32
_TABLES = (
    "runs",
    "events",
    "passages",
    "saved_views",
    "settings",
    "model_replies",
    "verdicts",
    "fetched_documents",
    "remarks",
)


def copy_store(connection: DuckDBPyConnection, target: Path) -> None:
    """Write everything in the open store to `target`, without deleted data; whole or not at all."""
    draft = target.with_name(f".{target.name}.new")
    _remove(draft)
    name = connection.execute("SELECT current_database()").fetchone()
    assert name is not None
    try:
        connection.execute(f"ATTACH {_text(draft)} AS copy_of_store (STORAGE_VERSION 'v1.5.0')")
        try:
            connection.execute(f"COPY FROM DATABASE {_name(name[0])} TO copy_of_store")
        finally:
            connection.execute("DETACH copy_of_store")
        private_file(draft)
        draft.replace(target)
    finally:
        _remove(draft)


@contextmanager
def snapshot(path: Path) -> Iterator[Path]:
    """Yield a copy of the store as it is on disk now, also while another process writes; removed afterwards.

    Between two checkpoints only the log grows, of which any beginning is a sound state. So a copy holds when the file
    itself did not change meanwhile.

    Raises:
        StoreError: it changed all the time, or is not there.
    """
    with tempfile.TemporaryDirectory(prefix="adaq-snapshot-") as folder:
        copy = Path(folder) / path.name
        for _ in range(_TRIES):
            before = _state(path)
            shutil.copyfile(path, copy)
            with suppress(FileNotFoundError):
                shutil.copyfile(log_of(path), log_of(copy))
            if _state(path) == before:
                yield copy
                return
            log_of(copy).unlink(missing_ok=True)
        raise StoreError(f"The run store {path} changed all the time while it was copied. Try again in a moment.")


def back_up(path: Path, target: Path) -> None:
    """Copy the store to `target`, also while it is in use.

    Raises:
        StoreError: there is no store, it is damaged, or `target` cannot be written.
    """
    import duckdb

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        check_log(path)
        with snapshot(path) as copy, database(copy) as connection:
            copy_store(connection, target)
    except FileNotFoundError as error:
        raise StoreError(f"There is no run store at {path}; there is nothing to back up.") from error
    except (duckdb.Error, OSError) as error:
        raise StoreError(f"The run store could not be copied to {target}: {error}") from error


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What was saved of a damaged store: `runs` whole, `cut` that miss their end, `lost` rows that nobody can read.

    `moved` is where the damaged file is now; `log_bytes` are how many of its log's `log_of` bytes could be used.
    """

    runs: int
    cut: int
    lost: int
    moved: Path
    log_bytes: int = 0
    log_of: int = 0


def salvage(path: Path) -> Salvaged:
    """Replace a damaged store by a sound one with all that can be read; the damaged file is moved aside.

    Raises:
        StoreError: there is none, or nothing of it can be read.
    """
    if not path.is_file():
        raise StoreError(f"There is no run store at {path}; there is nothing to salvage.")
    draft = path.with_name(f".{path.name}.salvaged")
    _remove(draft)
    try:
        with tempfile.TemporaryDirectory(prefix="adaq-salvage-") as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            log_bytes = _longest_log(path, copy)
            write_store(draft)
            runs, cut, lost = _save(copy, draft)
        moved = _aside(path)
        draft.replace(path)
    finally:
        _remove(draft)
    return Salvaged(runs, cut, lost, moved, log_bytes, bytes_of(log_of(moved)))


def _longest_log(path: Path, copy: Path) -> int:
    """Find the longest repaired prefix of the log with which the copy opens; return its bytes."""
    if log_of(path).exists():
        whole = mended(log_of(path).read_bytes())
    else:
        whole = b""
    if not _opens(copy, b""):
        raise StoreError(f"Nothing of the run store {path} can be read. It was left as it is.")
    if not whole or _opens(copy, whole):
        log_of(copy).write_bytes(whole)
        return len(whole)
    low, high = 0, len(whole)  # opens with low, not with high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _opens(copy, whole[:middle]) else (low, middle)
    log_of(copy).write_bytes(whole[:low])
    return low


def _opens(copy: Path, log: bytes) -> bool:
    import duckdb

    log_of(copy).unlink(missing_ok=True)
    if log:
        log_of(copy).write_bytes(log)
    try:
        with database(copy, read_only=True) as connection:
            connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall()
        return True
    except duckdb.Error:
        return False
    finally:
        log_of(copy).unlink(missing_ok=True)


def _save(copy: Path, target: Path) -> tuple[int, int, int]:
    source = _Source(copy)
    try:
        with database(target) as connection:
            for table in _TABLES:
                _save_table(source, connection, table)
            cut = _cut_runs(connection)
            _mend(connection, cut)
            runs = connection.execute("SELECT count(*) FROM runs").fetchone()
            connection.execute("CHECKPOINT")
    finally:
        source.close()
    return int(runs[0]) - len(cut) if runs else 0, len(cut), source.lost


class _Source:
    """A damaged store: rows are read many at a time, then fewer where that fails; `lost` are the others."""

    def __init__(self, path: Path) -> None:
        self.lost = 0
        self._path = path
        self._connection = database(path, read_only=True)

    def close(self) -> None:
        self._connection.close()

    def columns(self, table: str) -> list[str]:
        sql = "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index"
        return [name for (name,) in self._connection.execute(sql, [table]).fetchall()]

    def rows(self, table: str, columns: list[str]) -> Iterator[list[tuple[Any, ...]]]:
        names = ", ".join(map(_name, columns))
        for first in range(0, self._size(table), _ROWS_AT_ONCE):
            yield self._some(f"SELECT {names} FROM {_name(table)} WHERE rowid BETWEEN ? AND ?", first, _ROWS_AT_ONCE)

    def _some(self, sql: str, first: int, count: int) -> list[tuple[Any, ...]]:
        import duckdb

        try:
            return self._connection.execute(sql, [first, first + count - 1]).fetchall()
        except duckdb.Error:
            self._recover()
        if count <= _ROWS_LOST_AT_ONCE:
            self.lost += count
            return []
        half = count // 2
        return self._some(sql, first, half) + self._some(sql, first + half, count - half)

    def _size(self, table: str) -> int:
        import duckdb

        try:
            rows = self._connection.execute(f"SELECT max(rowid) FROM {_name(table)}").fetchone()
            if rows and rows[0] is not None:
                return int(rows[0]) + 1
            return 0
        except duckdb.Error:
            self._recover()
            sql = "SELECT estimated_size FROM duckdb_tables() WHERE table_name = ?"
            known = self._connection.execute(sql, [table]).fetchone()
            return int(known[0]) if known else 0

    def _recover(self) -> None:
        """Open the store again where the error before has closed it."""
        import duckdb

        try:
            self._connection.execute("SELECT 1")
        except duckdb.Error:
            self._connection.close()
            self._connection = database(self._path, read_only=True)


def _save_table(source: _Source, target: DuckDBPyConnection, table: str) -> None:
    own = {name for (name,) in target.execute("SELECT column_name FROM (DESCRIBE " + _name(table) + ")").fetchall()}
    columns = [name for name in source.columns(table) if name in own]
    if not columns:
        return
    marks = ", ".join("?" for _ in columns)
    sql = f"INSERT OR IGNORE INTO {_name(table)} ({', '.join(map(_name, columns))}) VALUES ({marks})"
    if table in ("runs", "events", "fetched_documents"):
        sql = sql.replace(" OR IGNORE", "")
    for rows in source.rows(table, columns):
        if rows:
            target.executemany(sql, [list(row) for row in rows])


def _cut_runs(connection: DuckDBPyConnection) -> dict[str, int]:
    """Return the last sound event of each run with a gap: all before it exist, and so do their passages."""
    passages = {key for (key,) in connection.execute("SELECT hash FROM passages").fetchall()}
    last = dict.fromkeys((key for (key,) in connection.execute("SELECT run_id FROM runs").fetchall()), 0)
    events = connection.execute("SELECT run_id, seq, payload FROM events ORDER BY run_id, seq")
    while row := events.fetchone():
        run_id, seq, payload = row
        if last.get(run_id) == seq - 1 and references(payload) <= passages:
            last[run_id] = seq
    rows = connection.execute("SELECT run_id, last_seq FROM runs").fetchall()
    return {run_id: last[run_id] for run_id, expected in rows if last[run_id] < expected}


def _mend(connection: DuckDBPyConnection, cut: dict[str, int]) -> None:
    connection.execute("DELETE FROM events WHERE run_id NOT IN (SELECT run_id FROM runs)")
    for run_id, last in cut.items():
        connection.execute("DELETE FROM events WHERE run_id = ? AND seq > ?", [run_id, last])
        connection.execute(_END_CUT, [last, run_id])


_END_CUT = """
    UPDATE runs SET last_seq = ?, status = 'interrupted', stop_reason = NULL, reason = 'Its end could not be salvaged.'
    WHERE run_id = ?"""


def _aside(path: Path) -> Path:
    """Move the store and its log to a name with the time in it, and return that name."""
    moved = path.with_name(f"{path.stem}.damaged-{datetime.now():%Y%m%d-%H%M%S}{path.suffix}")
    if log_of(path).exists():
        log_of(path).replace(log_of(moved))
    path.replace(moved)
    return moved


def _state(path: Path) -> tuple[int, int, int]:
    state = path.stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


def _remove(path: Path) -> None:
    for one in (path, log_of(path)):
        one.unlink(missing_ok=True)


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
