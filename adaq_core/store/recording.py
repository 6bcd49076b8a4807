"""How runs get into the store: begun, appended to, ended, imported."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from adaq_core.errors import InputError, StoreError
from adaq_core.events import Event, Record, RunFailed, RunFinished, RunStarted
from adaq_core.model import QueryAspect
from adaq_core.store.database import OWNER, Database, EventRow, Put, result
from adaq_core.store.history import Remark, Remarks
from adaq_core.store.rows import (
    COLUMNS,
    RunRow,
    RunStatus,
    after,
    clean,
    decode,
    encode,
    from_database,
    in_utc,
    new_row,
    notice_instead,
    references,
    to_database,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_ORDERS = {
    "created_at": "created_at",
    "question": "lower(question)",
    "method": "method",
    "status": "status",
    "corpus": "corpus",
    "hops": "hops",
    "elapsed": "elapsed",
    "percentage": "percentage",
    "weighted": "weighted",
    "sufficiency": "sufficiency",
    "passages_read": "passages_read",
    "tokens": "prompt_tokens + reply_tokens",
    "usd": "usd",
    "rating": "rating",
}
ORDERS: tuple[str, ...] = tuple(_ORDERS)


class Criteria(TypedDict, total=False):
    """What runs have to meet, all of it; an empty value asks for nothing.

    `text` is looked for, case aside, in question, id, tags and notes, those on a hop, a passage or a sentence too.
    `tags` wants any of them. `question` is the whole question. `outcomes` are those of `RunRow.outcome`; `unanswered`
    leaves of the runs that found nothing only those with one of these questions, and all others. `rating` is the very
    rating, `since` the earliest moment of the beginning. `coverage_below_one` keeps only runs that left an
    aspect open; `in_experiment` those that an experiment made here, or all the others.
    """

    text: str
    question: str
    methods: Sequence[str]
    statuses: Sequence[str]
    stop_reasons: Sequence[str]
    corpus: str
    corpus_version: str
    tags: Sequence[str]
    min_hops: int | None
    max_hops: int | None
    outcomes: Sequence[str]
    unanswered: Sequence[str]
    min_rating: int | None
    rating: int | None
    since: datetime | None
    coverage_below_one: bool
    group: str
    question_id: str
    parent: str
    imported: bool | None
    in_experiment: bool


_TEXT = (
    "(contains(lower(question), lower(?)) OR contains(run_id, lower(?)) OR contains(lower(note), lower(?))"
    " OR len(list_filter(tags, lambda tag: contains(lower(tag), lower(?)))) > 0"
    " OR run_id IN (SELECT run_id FROM remarks WHERE contains(lower(note), lower(?))))"
)
# The rule of `RunRow.outcome`.
_OUTCOME = """
    CASE
        WHEN status IN ('queued', 'running') THEN 'running'
        WHEN status IN ('failed', 'interrupted') THEN status
        WHEN abstained IS DISTINCT FROM false THEN 'nothing'
        WHEN aspects_covered >= aspects_total THEN 'answered'
        WHEN aspects_covered > 0 THEN 'partly'
        ELSE 'uncertain'
    END"""
# The condition of each criterion; one value serves every question mark in it.
_CONDITIONS = {
    "text": _TEXT,
    "question": "question = ?",
    "methods": "list_contains(?::VARCHAR[], method)",
    "statuses": "list_contains(?::VARCHAR[], status)",
    "stop_reasons": "list_contains(?::VARCHAR[], stop_reason)",
    "corpus": "corpus = ?",
    "corpus_version": "corpus_version = ?",
    "tags": "list_has_any(tags, ?::VARCHAR[])",
    "min_hops": "hops >= ?",
    "max_hops": "hops <= ?",
    "outcomes": f"list_contains(?::VARCHAR[], {_OUTCOME})",
    "unanswered": f"({_OUTCOME} <> 'nothing' OR list_contains(?::VARCHAR[], question))",
    "min_rating": "rating >= ?",
    "rating": "rating = ?",
    "since": "created_at >= ?",
    "coverage_below_one": "percentage < 1 AND ?",
    "group": "group_id = ?",
    "question_id": "question_id = ?",
    "parent": "parent_id = ?",
    "imported": "imported = ?",
    "in_experiment": "(question_id IS NOT NULL AND NOT imported) = ?",
}
_NOTHING: tuple[Any, ...] = (None, "", (), [])


def where(criteria: Criteria) -> tuple[str, list[Any]]:
    """Return the WHERE clause ("" without criteria) and its values."""
    conditions: list[str] = []
    values: list[Any] = []
    for name, value in criteria.items():
        condition = _CONDITIONS.get(name)
        if condition is None:
            raise InputError(f"Expected a criterion out of {', '.join(_CONDITIONS)}, not {name!r}.")
        if value in _NOTHING or (name == "coverage_below_one" and not value):
            continue
        # Of a text each word has to be there, wherever it stands.
        for each in str(value).split()[:_MOST_WORDS] if name == "text" else [value]:
            conditions.append(condition)
            values += [_as_value(each)] * condition.count("?")
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values


_MOST_WORDS = 20


def _as_value(value: Any) -> Any:
    """Return a criterion as the database takes it: times in UTC without a zone, several values as a list."""
    if isinstance(value, datetime):
        return in_utc(value)
    return value if isinstance(value, str | int) else list(value)


def order_by(order: str) -> str:
    """Return the ORDER BY clause for a column of `ORDERS`, descending after a minus; ties by age, then id."""
    name = order.removeprefix("-")
    if name not in _ORDERS:
        raise InputError(f"Expected an order out of {', '.join(ORDERS)} (with - before it to go down), not {order!r}.")
    direction = "DESC" if order.startswith("-") else "ASC"
    return f" ORDER BY {_ORDERS[name]} {direction} NULLS LAST, created_at DESC, run_id"


_SELECT = f"SELECT {', '.join(COLUMNS)} FROM runs"
_CHOICES = {
    "method": "SELECT DISTINCT method FROM runs ORDER BY 1",
    "corpus": "SELECT DISTINCT corpus FROM runs ORDER BY 1",
    "tag": "SELECT DISTINCT unnest(tags) FROM runs ORDER BY 1",
    "unanswered": f"SELECT DISTINCT question FROM runs WHERE {_OUTCOME} = 'nothing' ORDER BY 1",
    "group": "SELECT group_id FROM runs WHERE group_id IS NOT NULL GROUP BY 1 ORDER BY max(created_at) DESC, 1",
}


class Reading(Database):
    """Reads of runs and records."""

    def records(self, run_id: str, after: int = 0) -> list[Record]:
        """Return the records of a run with `seq` above `after`, in order; none for an unknown run."""
        sql = "SELECT seq, recorded_at, elapsed, payload FROM events WHERE run_id = ? AND seq > ? ORDER BY seq"
        rows = self.query(sql, [run_id, after])
        bodies = self._bodies({digest for row in rows for digest in references(row[3])})
        return [
            Record(seq, at.replace(tzinfo=UTC).isoformat(timespec="microseconds"), elapsed, decode(payload, bodies))
            for seq, at, elapsed, payload in rows
        ]

    def run(self, run_id: str) -> RunRow | None:
        """The row of one run; None when there is no such run."""
        rows = self.query(f"{_SELECT} WHERE run_id = ?", [run_id])
        return self._as_known(from_database(rows[0])) if rows else None

    def known(self, run_id: str) -> RunRow:
        """Return the row of one run; InputError for an unknown id."""
        row = self.run(run_id)
        if row is None:
            raise InputError(f"There is no run {run_id!r}. `runs list` shows those that there are.")
        return row

    def runs(
        self, *, order: str = "-created_at", limit: int = 50, offset: int = 0, **criteria: Unpack[Criteria]
    ) -> list[RunRow]:
        """Return the runs that meet the criteria, ordered by one of `ORDERS`."""
        clause, values = where(criteria)
        sql = f"{_SELECT}{clause}{order_by(order)} LIMIT ? OFFSET ?"
        return [self._as_known(from_database(row)) for row in self.query(sql, [*values, limit, offset])]

    def count(self, **criteria: Unpack[Criteria]) -> int:
        """How many runs meet the criteria."""
        clause, values = where(criteria)
        return int(self.query(f"SELECT count(*) FROM runs{clause}", values)[0][0])

    def choices(self, of: Literal["method", "corpus", "tag", "group", "unanswered"]) -> list[str]:
        """Return the values that occur in stored runs; groups newest first, `unanswered` the unanswered questions."""
        return [value for (value,) in self.query(_CHOICES[of])]

    def _as_known(self, row: RunRow) -> RunRow:
        return row

    def _bodies(self, digests: set[str]) -> dict[str, str]:
        if not digests:
            return {}
        marks = ", ".join("?" for _ in digests)
        rows = self.query(f"SELECT hash, body FROM passages WHERE hash IN ({marks})", sorted(digests))
        return dict(rows)


_INSERT = f"INSERT INTO runs ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})"
_UNFINISHED = "('running', 'queued')"
RUN_ID = re.compile(r"r-[0-9a-z]{4,24}")


@dataclass(slots=True)
class _Live:
    """A run that this process records: its newest row, and the moment that its elapsed time counts from."""

    row: RunRow
    zero: float | None = None


class Recording(Reading):
    """Writes of runs and records."""

    def __init__(self, path: Path, *, wait_seconds: float = 0.0) -> None:
        super().__init__(path, wait_seconds=wait_seconds)
        self._lock = threading.Lock()
        self._live: dict[str, _Live] = {}
        self._pending: dict[str, Future[Any]] = {}
        self._unwritten: dict[str, tuple[RunStatus, str]] = {}
        self.mark_interrupted()

    def begin(
        self,
        first: RunStarted,
        run_id: str = "",
        *,
        group: str | None = None,
        parent: str | None = None,
        question_id: str | None = None,
        aspects: Sequence[QueryAspect] | None = None,
        queued: bool = False,
    ) -> str:
        """Enter a run that will begin with `first` and return its id, a new short one unless `run_id` is given.

        Nothing has happened yet: `first` is not recorded, and the run's time counts from its first event. Raises
        InputError when the id is taken.
        """
        row = new_row(
            run_id,
            first,
            group_id=group,
            parent_id=parent,
            question_id=question_id,
            given_aspects=None if aspects is None else tuple(aspects),
            status="queued" if queued else "running",
            owner=OWNER,
        )
        return self._enter(row, rename=False)

    def append(self, run_id: str, event: Event, *, wait: bool = True) -> Record:
        """Record that `event` happens now; it is on disk when this returns.

        With `wait=False` it gets there a few milliseconds later, and `flush` waits for that and raises what went wrong.

        Raises:
            StoreError: the run is not being recorded (unknown or over), or the disk refuses.
        """
        with self._lock:
            live = self._recorded(run_id)
            record = _next_record(live, event)
            self._put(live, record)
        if wait:
            self.flush(run_id)
        return record

    def flush(self, run_id: str) -> None:
        """Wait until all that was appended to the run is on the disk."""
        with self._lock:
            pending = self._pending.get(run_id)
        if pending is None:
            return
        result(pending)
        with self._lock:
            if self._pending.get(run_id) is pending:
                del self._pending[run_id]

    def copy_records(self, run_id: str, records: Sequence[Record]) -> None:
        """Copy another run's records as the beginning of this one, whose clock goes on where they end."""
        with self._lock:
            live = self._recorded(run_id)
            for record in records:
                self._put(live, replace(record, seq=live.row.last_seq + 1))
            live.zero = time.monotonic() - live.row.elapsed
        self.flush(run_id)

    def end_without_event(self, run_id: str, status: RunStatus, reason: str) -> None:
        """Say that no more events will come: `interrupted`, or `cancelled` before it began. Nothing if it is over.

        When the disk refuses, this process still shows the run so; the next one will find it unfinished and mark it.
        """
        reason = clean(reason)
        with self._lock:
            self._live.pop(run_id, None)
            self._unwritten[run_id] = (status, reason)
        sql = f"UPDATE runs SET status = ?, reason = ? WHERE run_id = ? AND status IN {_UNFINISHED}"
        self.execute(sql, [status, reason, run_id])
        self._unwritten.pop(run_id, None)

    def mark_interrupted(self) -> int:
        """Mark the unfinished runs of processes that ended, and return how many; this process's runs are left."""
        reason = "ADAQ ended before the run did."
        mine = f"owner <> ? AND status IN {_UNFINISHED}"
        outcome = int(self.query(f"SELECT count(*) FROM runs WHERE {mine}", [OWNER])[0][0])
        if outcome:
            sql = f"UPDATE runs SET status = 'interrupted', reason = ? WHERE {mine}"
            self.execute(sql, [reason, OWNER])
        return outcome

    def import_run(
        self,
        records: Sequence[Record],
        *,
        run_id: str | None = None,
        note: str = "",
        tags: Iterable[str] = (),
        rating: int | None = None,
        remarks: Iterable[Remark] = (),
    ) -> str:
        """Store a run that was recorded elsewhere, marked as imported; it gets a new id if `run_id` is taken.

        Raises:
            InputError: the records are not those of one run.
        """
        first = _first_of_one_run(records)
        row = new_row(
            run_id if run_id and RUN_ID.fullmatch(run_id) else "",
            first,
            imported=True,
            note=clean(note),
            tags=tuple(map(clean, tags)),
            rating=rating,
            owner=OWNER,
        )
        begun = datetime.fromisoformat(records[0].at).astimezone(UTC)
        new_id = self._enter(replace(row, created_at=begun), rename=True)
        try:
            self.copy_records(new_id, records)
            for remark in remarks:
                Remarks(self).keep(new_id, remark)
        finally:
            self.end_without_event(new_id, "interrupted", "The imported record ends before the run did.")
        return new_id

    def is_recorded_here(self, run_id: str) -> bool:
        """Whether this process is recording the run at this moment."""
        with self._lock:
            return run_id in self._live

    def records_now(self) -> bool:
        """Whether this process is recording any run at this moment."""
        with self._lock:
            return bool(self._live)

    def interrupt_all(self) -> None:
        """Mark what is still being recorded as interrupted."""
        with self._lock:
            unfinished = tuple(self._live)
        for run_id in unfinished:
            self.end_without_event(run_id, "interrupted", "ADAQ was closed before the run ended.")

    def _as_known(self, row: RunRow) -> RunRow:
        end = self._unwritten.get(row.run_id)
        if end and not row.over:
            return replace(row, status=end[0], reason=end[1])
        return row

    def _enter(self, row: RunRow, *, rename: bool) -> str:
        row = self.write(lambda connection: _insert(connection, row, rename=rename))
        with self._lock:
            self._live[row.run_id] = _Live(row)
        return row.run_id

    def _recorded(self, run_id: str) -> _Live:
        live = self._live.get(run_id)
        if live is None:
            row = self.run(run_id)
            state = f"it is {row.status}" if row else "there is no such run"
            raise StoreError(f"Expected a run that is being recorded, but {state}: {run_id}. Begin a new run.")
        return live

    def _put(self, live: _Live, record: Record) -> None:
        event = record.event
        try:
            payload, bodies = encode(event)
        except (ValueError, RecursionError) as error:
            event = notice_instead(event.kind, error)
            record = replace(record, event=event)
            payload, bodies = encode(event)
        at = in_utc(datetime.fromisoformat(record.at))
        before, live.row = live.row, after(live.row, record)
        run_id = live.row.run_id
        line = EventRow(run_id, record.seq, event.kind, getattr(event, "hop", None), at, record.elapsed, payload)
        self._pending[run_id] = self._writer.submit(Put(line, bodies, before, live.row))
        if live.row.over:
            self._live.pop(run_id, None)


def _next_record(live: _Live, event: Event) -> Record:
    now = time.monotonic()
    live.zero = now if live.zero is None else live.zero
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    return Record(seq=live.row.last_seq + 1, at=at, elapsed=round(now - live.zero, 6), event=event)


def _first_of_one_run(records: Sequence[Record]) -> RunStarted:
    first = records[0].event if records else None
    if not isinstance(first, RunStarted):
        raise InputError("The run lacks its beginning: its first event is not run_started.")
    if any(isinstance(record.event, RunFinished | RunFailed) for record in records[:-1]):
        raise InputError("The run goes on after its end: it is not one run.")
    return first


def _insert(connection: DuckDBPyConnection, row: RunRow, *, rename: bool) -> RunRow:
    if row.run_id and _taken(connection, row.run_id) and not rename:
        raise InputError(f"Expected a new run id, but {row.run_id} is taken. Leave it out to get a free one.")
    while not row.run_id or _taken(connection, row.run_id):
        row = replace(row, run_id=f"r-{secrets.token_hex(3)}")
    connection.execute(_INSERT, to_database(row))
    return row


def _taken(connection: DuckDBPyConnection, run_id: str) -> bool:
    return connection.execute("SELECT 1 FROM runs WHERE run_id = ?", [run_id]).fetchone() is not None
