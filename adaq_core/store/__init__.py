"""The run store, in DuckDB: the one door to everything recorded. No other folder holds SQL.

What has been appended is on the disk when `append` returns, whatever happens to the process afterwards. Readers see
only what is on the disk. A store serves any number of threads of one process.
"""

from __future__ import annotations

import atexit
import json
import logging
import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adaq_core.errors import InputError, StoreError, StoreLocked
from adaq_core.home import home
from adaq_core.store.recording import ORDERS, Criteria, Reading, Recording
from adaq_core.store.rows import RUN_STATUSES, RunRow, RunStatus, as_json, clean, references
from adaq_core.store.upkeep import snapshot

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = [
    "ORDERS",
    "RUN_STATUSES",
    "Criteria",
    "RunRow",
    "RunStatus",
    "Store",
    "open_store",
    "open_to_read",
    "store_path",
]


class Store(Recording):
    """Runs, their events, and what people noted about them, in one DuckDB file.

    `begin`, `append`, `flush`, `import_run` record; `records`, `run`, `runs`, `count` read.

    Raises:
        StoreLocked: another process has it open (after `wait_seconds`).
        StoreTooNew: a later version of ADAQ wrote it.
        StoreError: it is damaged, or the folder cannot be written.
    """

    def __init__(self, path: Path, *, wait_seconds: float = 0.0) -> None:
        super().__init__(path, wait_seconds=wait_seconds)
        self._erase_if_possible()

    def annotate(
        self, run_id: str, *, note: str | None = None, tags: Iterable[str] | None = None, rating: int | None = None
    ) -> None:
        """Store a person's note, tags and rating of a run; None leaves a value, a rating of 0 removes it."""
        new: dict[str, Any] = {}
        if note is not None:
            new["note"] = clean(note)
        if tags is not None:
            new["tags"] = list(dict.fromkeys(tag for tag in (clean(tag).strip() for tag in tags) if tag))
        if rating is not None:
            new["rating"] = rating or None
        if new:
            sets = ", ".join(f"{name} = ?" for name in new)
            self.execute(f"UPDATE runs SET {sets} WHERE run_id = ?", [*new.values(), run_id])

    def delete_run(self, run_id: str) -> None:
        """Remove one run."""
        self.delete_runs([run_id])

    def delete_runs(self, run_ids: Sequence[str]) -> None:
        """Remove runs with their events, fetched documents and passages that no other run uses; erase their text.

        While a run is being recorded the erasing waits until the store is closed, or opened the next time.

        Raises:
            InputError: one of them is still being recorded.
        """
        busy = [run_id for run_id in run_ids if self.is_recorded_here(run_id)]
        if busy:
            raise InputError(f"Expected runs that are over, but {', '.join(busy)} still runs. Cancel it first.")
        self.write(lambda connection: self._delete(connection, list(run_ids)))
        self.erase_deleted()

    def erase_deleted(self) -> bool:
        """Rewrite the file without what was deleted, unless a run is being recorded; return whether it did.

        Raises:
            StoreError: the disk has no room for a copy; it is tried again when the store is opened the next time.
        """
        if not self.setting(_TO_ERASE) or self.records_now():
            return False
        self.compact()
        self.execute('DELETE FROM settings WHERE "key" = ?', [_TO_ERASE])
        return True

    def close(self) -> None:
        """Mark what is still being recorded as interrupted, erase what was deleted, and close the file."""
        if not self.closed:
            self.interrupt_all()
            if self.path.stat().st_size < _SMALL:
                self._erase_if_possible()
        super().close()

    def save_view(self, name: str, query: str) -> None:
        """Save the URL query of a run list under a name, replacing an older one."""
        if not name.strip():
            raise InputError("Expected a name for the view, but it is empty.")
        sql = "INSERT OR REPLACE INTO saved_views VALUES (?, ?)"
        self.execute(sql, [clean(name).strip(), clean(query)])

    def views(self) -> dict[str, str]:
        """The saved views by name."""
        return dict(self.query("SELECT name, query FROM saved_views ORDER BY lower(name)"))

    def delete_view(self, name: str) -> None:
        """Remove a saved view, if there is one of that name."""
        self.execute("DELETE FROM saved_views WHERE name = ?", [name])

    def setting(self, key: str, default: Any = None) -> Any:
        """The JSON value kept under `key`."""
        rows = self.query('SELECT "value" FROM settings WHERE "key" = ?', [key])
        return json.loads(rows[0][0]) if rows else default

    def set_setting(self, key: str, value: Any) -> None:
        """Keep a JSON value under `key`."""
        self.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [key, as_json(value)])

    def version(self) -> str:
        """The newest migration that was applied."""
        return str(self.query("SELECT max(name) FROM adaq_migrations")[0][0])

    def _erase_if_possible(self) -> None:
        try:
            self.erase_deleted()
        except StoreError as error:
            _log.warning("deleted runs could not be erased from %s yet: %s", self.path, error)

    def _delete(self, connection: DuckDBPyConnection, run_ids: list[str]) -> None:
        mine = "list_contains(?::VARCHAR[], run_id)"
        rows = connection.execute(f"SELECT payload FROM events WHERE {mine}", [run_ids]).fetchall()
        candidates = set().union(*(references(payload) for (payload,) in rows))
        connection.execute(_DELETE_REPLIES, [run_ids, run_ids])
        connection.execute(f"DELETE FROM events WHERE {mine}", [run_ids])
        connection.execute(f"DELETE FROM fetched_documents WHERE {mine}", [run_ids])
        connection.execute(f"DELETE FROM remarks WHERE {mine}", [run_ids])
        connection.execute(f"DELETE FROM runs WHERE {mine}", [run_ids])
        connection.execute(_DELETE_VERDICTS, [run_ids, run_ids])
        connection.execute(_DELETE_ORPHANS, [sorted(candidates)])
        # In the same transaction: whoever is killed right after it erases the text at the next start.
        connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [_TO_ERASE, as_json(True)])
        self._writer.forget_passages()


_log = logging.getLogger(__name__)
# A key of the table of settings: something was deleted whose text is still in the file.
_TO_ERASE = "erase deleted runs"
# Whoever ends the app does not wait for a larger file to be copied: that is done when it is opened the next time.
_SMALL = 64 * 1024 * 1024

# A kept reply holds the prompt, and so the question and the passages; it stays while another run has asked the same.
_ASKED = "SELECT payload->>'prompt_hash' FROM events WHERE kind = 'model_called' AND"
_DELETE_REPLIES = f"""
    DELETE FROM model_replies WHERE body->>'prompt_hash' IN ({_ASKED} list_contains(?::VARCHAR[], run_id))
    AND body->>'prompt_hash' NOT IN ({_ASKED} NOT list_contains(?::VARCHAR[], run_id))"""

_DELETE_VERDICTS = """
    DELETE FROM verdicts WHERE list_contains(?::VARCHAR[], run_a) OR list_contains(?::VARCHAR[], run_b)"""

_DELETE_ORPHANS = r"""
    DELETE FROM passages WHERE list_contains(?::VARCHAR[], hash) AND hash NOT IN (
        SELECT DISTINCT unnest(regexp_extract_all(payload::VARCHAR, '"\$passage":"([0-9a-f]{32})"', 1)) FROM events
    )"""

_open: dict[Path, Store] = {}
_open_lock = threading.Lock()


def store_path() -> Path:
    """Return the path of the run store in this home folder."""
    return home() / "runs.duckdb"


def open_to_read() -> Reading:
    """Open the store read-only; while another process writes to it, a copy of its current state."""
    where = store_path().resolve()
    try:
        return open_store(where)
    except StoreLocked:
        resources = ExitStack()
        atexit.register(resources.close)
        copied = Reading(resources.enter_context(snapshot(where)))
        resources.callback(copied.close)
        return copied


def open_store(path: Path | None = None, *, wait_seconds: float = 0.0) -> Store:
    """Return this process's shared store, opened on first use and closed at exit."""
    where = (path or store_path()).resolve()
    with _open_lock:
        store = _open.get(where)
        if store is None or store.closed:
            store = _open[where] = Store(where, wait_seconds=wait_seconds)
            atexit.register(store.close)
    return store
