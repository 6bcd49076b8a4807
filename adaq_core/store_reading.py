"""What can be read of stored runs."""

from __future__ import annotations

from datetime import UTC
from typing import Literal, Unpack

from adaq_core.events import Record
from adaq_core.store_codec import decode, references
from adaq_core.store_database import Database
from adaq_core.store_query import Criteria, order_by, where
from adaq_core.store_rows import COLUMNS, RunRow, from_database

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM runs"
_CHOICES = {
    "method": "SELECT DISTINCT method FROM runs ORDER BY 1",
    "corpus": "SELECT DISTINCT corpus FROM runs ORDER BY 1",
    "tag": "SELECT DISTINCT unnest(tags) FROM runs ORDER BY 1",
    "group": "SELECT group_id FROM runs WHERE group_id IS NOT NULL GROUP BY 1 ORDER BY max(created_at) DESC, 1",
}


class Reading(Database):
    """Reads of runs and records."""

    def records(self, run_id: str, after: int = 0) -> list[Record]:
        """The records of a run with `seq` above `after`, in order; empty when there is no such run."""
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

    def runs(
        self, *, order: str = "-created_at", limit: int = 50, offset: int = 0, **criteria: Unpack[Criteria]
    ) -> list[RunRow]:
        """The runs that meet the criteria, ordered by one of `store_query.ORDERS`."""
        clause, values = where(criteria)
        sql = f"{_SELECT}{clause}{order_by(order)} LIMIT ? OFFSET ?"
        return [self._as_known(from_database(row)) for row in self.query(sql, [*values, limit, offset])]

    def count(self, **criteria: Unpack[Criteria]) -> int:
        """How many runs meet the criteria."""
        clause, values = where(criteria)
        return int(self.query(f"SELECT count(*) FROM runs{clause}", values)[0][0])

    def choices(self, of: Literal["method", "corpus", "tag", "group"]) -> list[str]:
        """The values that occur in stored runs; groups newest first."""
        return [value for (value,) in self.query(_CHOICES[of])]

    def _as_known(self, row: RunRow) -> RunRow:
        return row

    def _bodies(self, digests: set[str]) -> dict[str, str]:
        if not digests:
            return {}
        marks = ", ".join("?" for _ in digests)
        rows = self.query(f"SELECT hash, body FROM passages WHERE hash IN ({marks})", sorted(digests))
        return {digest: body for digest, body in rows}
