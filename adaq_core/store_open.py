"""Opening the run store's file, and what its errors mean in words."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adaq_core.errors import StoreError, StoreLocked, StoreTooNew
from adaq_core.migrations import applied, migrate, unknown

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Files stay readable by DuckDB 1.5, and a foreign file never makes DuckDB fetch an extension from the network.
_CONFIG = {
    "storage_compatibility_version": "v1.5.0",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_POLL_SECONDS = 0.1


def connect(path: Path, *, wait_seconds: float = 0.0) -> DuckDBPyConnection:
    """Open (or make) the store at `path` for reading and writing, brought up to date.

    Waits up to `wait_seconds` for another process to let go of it. The file is looked at read-only first, so one that
    a later version wrote, or that is not ours, is left as it is, byte for byte.

    Raises:
        StoreLocked: another process holds it.
        StoreTooNew: a later version of ADAQ wrote it.
        StoreError: it is damaged, not a run store, or the folder cannot be written.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            return _connect(path)
        except StoreLocked:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_POLL_SECONDS)


def _connect(path: Path) -> DuckDBPyConnection:
    import duckdb

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            _check(path)
        connection = duckdb.connect(str(path), config=dict(_CONFIG))
        migrate(connection)
    except (duckdb.Error, OSError) as error:
        raise in_words(error, path) from error
    return connection


def _check(path: Path) -> None:
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True, config=dict(_CONFIG)) as connection:
            names = applied(connection)
    except duckdb.ConnectionException:
        return  # this process has it open for writing, so it was checked then
    if names is None:
        raise StoreError(
            f"Expected a run store at {path}, but it is a DuckDB file of something else. It was not touched. "
            "Move it to another place, or set ADAQ_HOME to another folder."
        )
    if later := unknown(names):
        raise StoreTooNew(
            f"The run store {path} was written by a later version of ADAQ (it has {', '.join(later)}). It was not "
            "touched. Update ADAQ, or set ADAQ_HOME to another folder."
        )


@dataclass(frozen=True, slots=True)
class StoreState:
    """What a look at a store showed; `version` is the newest migration."""

    version: str
    runs: int


def look(path: Path) -> StoreState:
    """Look at a store without opening it for writing.

    Raises:
        StoreError: as `connect` does.
    """
    import duckdb

    try:
        _check(path)
        with duckdb.connect(str(path), read_only=True, config=dict(_CONFIG)) as connection:
            found = connection.execute("SELECT max(name), (SELECT count(*) FROM runs) FROM adaq_migrations").fetchone()
    except (duckdb.Error, OSError) as error:
        raise in_words(error, path) from error
    version, runs = found or ("", 0)
    return StoreState(str(version), int(runs))


def in_words(error: Exception, path: Path) -> StoreError:
    """What a database or file error means, and what to do; the error itself is kept at the end."""
    text = str(error)
    for pattern, kind, words in _MEANINGS:
        if found := re.search(pattern, text, flags=re.IGNORECASE | re.DOTALL):
            return kind(words.format(path=path, found=_groups(found)))
    return StoreError(f"The run store {path} could not be used: {_first_line(text)}")


def _groups(found: re.Match[str]) -> str:
    return "".join(group for group in found.groups() if group)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300]


_LOCKED = (
    "The run store {path} is open in another process{found}. Only one process at a time can use it. Close that one "
    "(the app, or another command), or set ADAQ_HOME to another folder for this one."
)
_DAMAGED = (
    "The run store {path} cannot be read: it is damaged or not a run store. It was not deleted. Move it (and the .wal "
    "file beside it, if there is one) to another place and start again; a new store is made."
)
_MEANINGS: tuple[tuple[str, type[StoreError], str], ...] = (
    (r"conflicting lock is held in .*?( \(PID \d+\))", StoreLocked, _LOCKED),
    (r"conflicting lock|could not set lock|being used by another process", StoreLocked, _LOCKED),
    (
        r"trying to read a database file with version number",
        StoreTooNew,
        "The run store {path} is in a file format that this DuckDB cannot read: a later one wrote it. It was not "
        "touched. Update with `pip install -r requirements.txt`, or set ADAQ_HOME to another folder.",
    ),
    (
        r"no space left|disk quota|file too large",
        StoreError,
        "The disk that holds the run store {path} is full. What was recorded before is kept. Free some space, or set "
        "ADAQ_HOME to a folder on another disk.",
    ),
    (
        r"read-only file system|permission denied|operation not permitted",
        StoreError,
        "The run store {path} cannot be written: the folder or the file is read-only. Change its permissions, or set "
        "ADAQ_HOME to a folder that can be written.",
    ),
    (r"not a valid duckdb|corrupt|wal file|could not read enough bytes|sqlite|is a directory", StoreError, _DAMAGED),
    (
        r"file exists|not a directory",
        StoreError,
        "The folder of the run store {path} cannot be made: a file is in its place. Move that file, or set ADAQ_HOME "
        "to another folder.",
    ),
)
