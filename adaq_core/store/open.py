"""Opening the run store's file, and what its errors mean in words."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from adaq_core.errors import StoreError, StoreLocked, StoreTooNew
from adaq_core.home import bytes_of, private_file, private_folder

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


Migration = Callable[["DuckDBPyConnection"], None]


def m001_runs_and_events(connection: DuckDBPyConnection) -> None:
    """Runs with what lists filter and sort by, their events, and the passages that events refer to."""
    connection.execute("""
        CREATE TABLE runs (
            run_id VARCHAR NOT NULL, question VARCHAR NOT NULL, method VARCHAR NOT NULL,
            corpus VARCHAR NOT NULL, corpus_version VARCHAR NOT NULL,
            corpus_documents BIGINT NOT NULL, corpus_passages BIGINT NOT NULL,
            k INTEGER NOT NULL, settings JSON NOT NULL, budget JSON NOT NULL, model VARCHAR,
            status VARCHAR NOT NULL, stop_reason VARCHAR, reason VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, elapsed DOUBLE NOT NULL,
            hops INTEGER NOT NULL, aspects_total INTEGER NOT NULL, aspects_covered INTEGER NOT NULL,
            percentage DOUBLE, weighted DOUBLE, sufficiency DOUBLE, coverage_by_hop DOUBLE[] NOT NULL,
            queries INTEGER NOT NULL, passages_read INTEGER NOT NULL,
            model_calls INTEGER NOT NULL, fell_back INTEGER NOT NULL,
            prompt_tokens BIGINT NOT NULL, reply_tokens BIGINT NOT NULL, usd DOUBLE NOT NULL, abstained BOOLEAN,
            group_id VARCHAR, question_id VARCHAR, parent_id VARCHAR, imported BOOLEAN NOT NULL,
            note VARCHAR NOT NULL, tags VARCHAR[] NOT NULL, rating INTEGER,
            last_seq INTEGER NOT NULL, owner VARCHAR NOT NULL
        )""")
    connection.execute("""
        CREATE TABLE events (
            run_id VARCHAR NOT NULL, seq INTEGER NOT NULL, kind VARCHAR NOT NULL, hop INTEGER,
            recorded_at TIMESTAMP NOT NULL, elapsed DOUBLE NOT NULL, payload JSON NOT NULL
        )""")
    connection.execute("CREATE TABLE passages (hash VARCHAR PRIMARY KEY, body JSON NOT NULL)")


def m002_views_and_settings(connection: DuckDBPyConnection) -> None:
    """Saved views of the run list (a name for a URL query) and a small key/value table."""
    connection.execute("CREATE TABLE saved_views (name VARCHAR PRIMARY KEY, query VARCHAR NOT NULL)")
    connection.execute('CREATE TABLE settings ("key" VARCHAR PRIMARY KEY, "value" JSON NOT NULL)')


def m003_model_replies(connection: DuckDBPyConnection) -> None:
    """Replies of language models by request and build of the model, so that a stored run replays without a server."""
    connection.execute("""
        CREATE TABLE model_replies (
            request VARCHAR NOT NULL, digest VARCHAR NOT NULL, model VARCHAR NOT NULL,
            body JSON NOT NULL, kept_at TIMESTAMP NOT NULL, PRIMARY KEY (request, digest)
        )""")


def m004_given_aspects(connection: DuckDBPyConnection) -> None:
    """The aspects that the user chose for a run, which has to know them before its first event."""
    connection.execute("ALTER TABLE runs ADD COLUMN given_aspects JSON")


def m005_verdicts(connection: DuckDBPyConnection) -> None:
    """What reviewers said of two runs side by side; `better` is one of them, or nothing for a tie."""
    connection.execute("""
        CREATE TABLE verdicts (
            run_a VARCHAR NOT NULL, run_b VARCHAR NOT NULL, better VARCHAR, blind BOOLEAN NOT NULL,
            made_at TIMESTAMP NOT NULL, PRIMARY KEY (run_a, run_b)
        )""")


def m006_fetched_documents(connection: DuckDBPyConnection) -> None:
    """What live sources brought to a run, by query: to be kept in a corpus later, and to go on from."""
    connection.execute("""
        CREATE TABLE fetched_documents (
            run_id VARCHAR NOT NULL, query VARCHAR NOT NULL, place INTEGER NOT NULL,
            document_id VARCHAR NOT NULL, length BIGINT NOT NULL, body JSON
        )""")


def m007_remarks(connection: DuckDBPyConnection) -> None:
    """What a person noted of a part of a run: a hop, a passage, a sentence of its answer."""
    connection.execute("""
        CREATE TABLE remarks (
            run_id VARCHAR NOT NULL, part VARCHAR NOT NULL, target VARCHAR NOT NULL,
            note VARCHAR NOT NULL, rating INTEGER, made_at TIMESTAMP NOT NULL, PRIMARY KEY (run_id, part, target)
        )""")


MIGRATIONS: tuple[Migration, ...] = (
    m001_runs_and_events,
    m002_views_and_settings,
    m003_model_replies,
    m004_given_aspects,
    m005_verdicts,
    m006_fetched_documents,
    m007_remarks,
)


def applied(connection: DuckDBPyConnection) -> tuple[str, ...] | None:
    """Return the names of the applied migrations, oldest first; None if this is not a store of ADAQ. Reads only.

    The list of all tables takes DuckDB seven milliseconds, so it is looked at only where our own is missing.
    """
    import duckdb

    try:
        rows = connection.execute("SELECT name FROM adaq_migrations ORDER BY name").fetchall()
    except duckdb.CatalogException:
        return None if connection.execute("SELECT 1 FROM duckdb_tables() LIMIT 1").fetchone() else ()
    return tuple(name for (name,) in rows)


def migrate(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Apply and record the missing migrations, all or none; return their names."""
    done = set(applied(connection) or ())
    missing = [step for step in MIGRATIONS if step.__name__ not in done]
    if missing:
        _apply(connection, missing)
    return tuple(step.__name__ for step in missing)


def _apply(connection: DuckDBPyConnection, steps: Sequence[Migration]) -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    connection.begin()
    try:
        connection.execute(_RECORD)
        for step in steps:
            _take(step, connection, now)
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _take(step: Migration, connection: DuckDBPyConnection, now: datetime) -> None:
    try:
        step(connection)
        connection.execute("INSERT INTO adaq_migrations VALUES (?, ?)", [step.__name__, now])
    except Exception as error:
        error.add_note(f"{_STEP}{step.__name__}")
        raise


# Stands before the name of the step that an error came from.
_STEP = "while the store was brought up to date: "
_RECORD = "CREATE TABLE IF NOT EXISTS adaq_migrations (name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)"
# Files stay readable by DuckDB 1.5, and a foreign file never makes DuckDB fetch an extension from the network.
_CONFIG = {
    "storage_compatibility_version": "v1.5.0",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
_POLL_SECONDS = 0.1
_MAKING_SECONDS = 10.0
# A DuckDB file begins with three headers of 4096 bytes; what is shorter was never a database with anything in it.
_HEADERS = 3 * 4096
_MAGIC = b"DUCK"


def connect(path: Path, *, wait_seconds: float = 0.0) -> DuckDBPyConnection:
    """Open (or create) the store at `path` for reading and writing, brought up to date.

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
        private_folder(path.parent)
        if _is_new(path):
            _make(path)
        else:
            _check(path)
        return _opened(path)
    except (duckdb.Error, OSError) as error:
        raise in_words(error, path) from error


def database(path: Path, *, read_only: bool = False) -> DuckDBPyConnection:
    """Open the file with DuckDB, whatever is in it."""
    import duckdb

    return duckdb.connect(str(path), read_only=read_only, config=dict(_CONFIG))


def _opened(path: Path) -> DuckDBPyConnection:
    """Open the store and bring it up to date; close it at once if that fails."""
    connection = database(path)
    try:
        migrate(connection)
        private_file(path)
    except BaseException:
        connection.close()
        raise
    return connection


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log beside a store."""
    return path.with_name(f"{path.name}.wal")


def _is_new(path: Path) -> bool:
    """Whether no store exists yet: no file, an empty one, or the rest of a first start that was killed."""
    if not path.exists():
        return True
    if not path.is_file() or path.stat().st_size >= _HEADERS or bytes_of(log_of(path)):
        return False
    stump = path.read_bytes()
    return not stump.strip(b"\0") or stump[8:12] == _MAGIC


def _make(path: Path) -> None:
    """Create an empty store at `path`, whole or not at all: it is renamed once it is on disk."""
    from filelock import FileLock, Timeout

    try:
        lock = FileLock(path.with_suffix(".lock"), timeout=_MAKING_SECONDS).acquire()
    except Timeout as error:
        raise StoreLocked(_LOCKED.format(path=path, found="")) from error
    with lock:
        if not _is_new(path):
            return  # another process was faster
        draft = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            write_store(draft)
            draft.replace(path)
        finally:
            # Ours, and what a process that was killed here left behind: whoever holds the lock is alone.
            for left in path.parent.glob(f".{path.name}.*.new*"):
                left.unlink(missing_ok=True)


def write_store(path: Path) -> None:
    """Write an empty, up-to-date store and wait until it is on disk."""
    with database(path) as connection:
        migrate(connection)
        connection.execute("CHECKPOINT")
    private_file(path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def check_log(path: Path) -> None:
    """Refuse a store whose log holds finished transactions that the database would drop without a word.

    Raises:
        StoreError: in words, with the way to what can be saved.
    """
    with suppress(FileNotFoundError):
        if is_damaged(log_of(path).read_bytes()):
            raise StoreError(_DAMAGED.format(path=path))


def _check(path: Path) -> None:
    import duckdb

    check_log(path)
    try:
        with database(path, read_only=True) as connection:
            names = applied(connection)
    except duckdb.ConnectionException:
        return  # this process has it open for writing, so it was checked then
    if names is None:
        raise StoreError(
            f"Expected a run store at {path}, but it is a DuckDB file of something else. It was not touched. "
            "Move it to another place, or set ADAQ_HOME to another folder."
        )
    known = {step.__name__ for step in MIGRATIONS}
    if later := [name for name in names if name not in known]:
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
    """Inspect a store without opening it for writing.

    Raises:
        StoreError: as `connect` does.
    """
    import duckdb

    try:
        _check(path)
        with database(path, read_only=True) as connection:
            result = connection.execute("SELECT max(name), (SELECT count(*) FROM runs) FROM adaq_migrations").fetchone()
    except (duckdb.Error, OSError) as error:
        raise in_words(error, path) from error
    version, runs = result or ("", 0)
    return StoreState(str(version), int(runs))


def in_words(error: Exception, path: Path) -> StoreError:
    """Return what a database or file error means and what to do, with the error itself at the end."""
    text = str(error)
    for pattern, kind, words in _MEANINGS:
        if match := re.search(pattern, text, flags=re.IGNORECASE | re.DOTALL):
            return kind(words.format(path=path, found=_groups(match)))
    if step := _step_of(error):
        return StoreError(_HALF_WAY.format(path=path, step=step, found=_first_line(text)))
    return StoreError(f"The run store {path} could not be used: {_first_line(text)}")


def _step_of(error: Exception) -> str:
    """Return the migration that failed; "" for any other error."""
    notes = getattr(error, "__notes__", ())
    return next((note.removeprefix(_STEP) for note in notes if note.startswith(_STEP)), "")


def _groups(match: re.Match[str]) -> str:
    return "".join(group for group in match.groups() if group)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300]


_LOCKED = (
    "The run store {path} is open in another process{found}. Only one process at a time can use it. Close that one "
    "(the app, or another command), or set ADAQ_HOME to another folder for this one."
)
_DAMAGED = (
    "The run store {path} cannot be read: it is damaged or not a run store. It was not deleted. `python -m adaq_core "
    "runs salvage` saves what can be read of it. Or: Move it (and the .wal file beside it, if there is one) to another "
    "place and start again; a new store is made."
)
_HALF_WAY = (
    "The run store {path} could not be brought up to date: its step {step} failed ({found}). All steps were taken "
    "back: the store is as it was, and the version of ADAQ that wrote it still opens it. `python -m adaq_core "
    "runs salvage` makes a new store of its runs and keeps this one beside it."
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


# The log beside a store: told apart where a kill cut it off and where it is damaged, and mended where a bit is wrong.
# DuckDB takes a part that does not fit into the file, or a head that it does not know, for what a kill left behind, and
# drops all from there on without a word. One wrong bit in a length or in the head would cost every run in the log.
# So the lengths are followed here first: what was cut off has no finished transaction behind the cut.
_FIRST = b"d\0b"
_FIELDS = ((b"e\0", 1), (b"f\0\x10", 16), (b"g\0", 1))  # version, which database, which checkpoint: with their numbers
_CHECKED = b"d\0be\0\2"  # begins a log of the version whose parts begin with a length and a checksum
_LONGEST_HEAD = 64
_LENGTH, _BEFORE = 8, 16  # bytes of a length; of a length and a checksum
_DONE = b"d\0d\xff\xff"  # ends a transaction
_DONE_LENGTH = len(_DONE).to_bytes(_LENGTH, "little")
_MOST_MENDED = 8


def is_damaged(log: bytes) -> bool:
    """Whether `log` holds finished transactions that would be dropped in silence."""
    head = _head(log)
    if head is None:
        return len(log) > _LONGEST_HEAD
    return _wrong_length(log, head) is not None


def mended(log: bytes) -> bytes:
    """Return the log with wrong lengths and one wrong bit of its header repaired; cut where that is impossible."""
    if not is_damaged(log):
        return log
    head = _head(log)
    if head is None:
        log = next(_other_heads(log), b"")
        head = _head(log) or 0
    for _ in range(_MOST_MENDED):
        at = _wrong_length(log, head) if log else None
        if at is None:
            return log
        length = _end_of_part(log, at) - at - _BEFORE
        if length < 0:
            return log[:at]  # a length before it was wrong, too, and led into the middle of a part
        log = log[:at] + length.to_bytes(_LENGTH, "little") + log[at + _LENGTH :]
    return log[: _wrong_length(log, head)]


def _head(log: bytes | bytearray) -> int | None:
    """Return where the log's header ends; None if its format is unknown."""
    if not log.startswith(_FIRST):
        return None
    at = len(_FIRST)
    for mark, numbers in _FIELDS:
        if log.startswith(mark, at):
            at += len(mark)
            for _ in range(numbers):
                at = _after_number(log, at)
    return at + 2 if log.startswith(b"\xff\xff", at) else None


def _after_number(log: bytes | bytearray, at: int) -> int:
    while at < len(log) and log[at] & 0x80:
        at += 1
    return at + 1


def _other_heads(log: bytes) -> Iterator[bytes]:
    """Yield the log with one bit of its header flipped, where whole entries follow then."""
    for bit in range(_LONGEST_HEAD * 8):
        turned = bytearray(log)
        turned[bit // 8] ^= 1 << bit % 8
        head = _head(turned)
        if head is not None and turned.startswith(_CHECKED) and _length(turned, head) <= len(turned) - head:
            yield bytes(turned)


def _wrong_length(log: bytes, head: int) -> int | None:
    """Return where an entry with a length beyond the log begins although a commit follows; else None."""
    if not log.startswith(_CHECKED):
        return None
    at = head
    while at + _BEFORE <= len(log) and at + _BEFORE + _length(log, at) <= len(log):
        at += _BEFORE + _length(log, at)
    return at if _finished_behind(log, at) is not None else None


def _length(log: bytes | bytearray, at: int) -> int:
    return int.from_bytes(log[at : at + _LENGTH], "little")


def _finished_behind(log: bytes, at: int) -> int | None:
    """Return where a commit begins at or behind `at`, whose length is wrong; None if there is none."""
    found = log.find(_DONE, at + _BEFORE)
    while found != -1:
        begins = found - _BEFORE
        if begins == at or log[begins : begins + _LENGTH] == _DONE_LENGTH:
            return begins
        found = log.find(_DONE, found + 1)
    return None


def _end_of_part(log: bytes, at: int) -> int:
    """Return where the entry at `at` ends: before the first entry from which others lead to a commit."""
    done = _finished_behind(log, at)
    assert done is not None
    if done == at:
        return at + _BEFORE + len(_DONE)
    leads = {done}
    for begins in range(done - _BEFORE, at + _BEFORE, -1):
        if begins + _BEFORE + _length(log, begins) in leads:
            leads.add(begins)
    return min(leads)
