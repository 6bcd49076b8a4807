"""What reviewers said of two answers side by side: one verdict for two runs, the last one counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adaq_core.errors import InputError
from adaq_core.store.codec import as_json, clean
from adaq_core.store.database import Database


class KeptReplies:
    """The replies that a store keeps; a reply that comes again for the same request replaces the older one."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def find(self, request: str, *, digest: str) -> dict[str, Any] | None:
        """The reply of this very build of a model to `request`."""
        sql = "SELECT body FROM model_replies WHERE request = ? AND digest = ?"
        return _body(self._store.query(sql, [request, digest]))

    def newest(self, request: str, *, model: str) -> dict[str, Any] | None:
        """The last reply to `request` of any build that had the name `model`."""
        sql = "SELECT body FROM model_replies WHERE request = ? AND model = ? ORDER BY kept_at DESC, digest LIMIT 1"
        return _body(self._store.query(sql, [request, clean(model)]))

    def keep(self, request: str, body: Mapping[str, Any], *, digest: str, model: str) -> None:
        """Keep a reply; it is on the disk when this returns."""
        now = datetime.now(UTC).replace(tzinfo=None)
        sql = "INSERT OR REPLACE INTO model_replies VALUES (?, ?, ?, ?, ?)"
        self._store.execute(sql, [request, digest, clean(model), as_json(body), now])

    def count(self) -> int:
        """How many replies are kept."""
        return int(self._store.query("SELECT count(*) FROM model_replies")[0][0])

    def clear(self) -> None:
        """Forget all replies: models are asked again."""
        self._store.execute("DELETE FROM model_replies")


def _body(rows: list[tuple[Any, ...]]) -> dict[str, Any] | None:
    return json.loads(rows[0][0]) if rows else None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which of two runs has the better answer: its id, or None for a tie; `blind` when the names were hidden."""

    better: str | None
    blind: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """How often the answer of one method was found better than that of another, over all pairs of runs."""

    first: int = 0
    ties: int = 0
    second: int = 0
    blind: int = 0

    @property
    def total(self) -> int:
        """How many verdicts there are."""
        return self.first + self.ties + self.second


class Verdicts:
    """The verdicts that a store keeps; the order of the two runs does not matter."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def give(self, one: str, other: str, *, better: str | None, blind: bool) -> None:
        """Keep a verdict; an earlier one on the same two runs goes.

        Raises:
            InputError: it is one run twice, or `better` is neither of them.
        """
        if one == other or better not in (one, other, None):
            raise InputError(f"Expected a verdict on two runs, got {better!r} as the better of {one!r} and {other!r}.")
        now = datetime.now(UTC).replace(tzinfo=None)
        sql = "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)"
        self._store.execute(sql, [*sorted((one, other)), better, blind, now])

    def take_back(self, one: str, other: str) -> None:
        """Forget what was said of two runs."""
        self._store.execute("DELETE FROM verdicts WHERE run_a = ? AND run_b = ?", sorted((one, other)))

    def of(self, one: str, other: str) -> Verdict | None:
        """What was said of two runs; None when nothing was."""
        sql = "SELECT better, blind FROM verdicts WHERE run_a = ? AND run_b = ?"
        rows = self._store.query(sql, sorted((one, other)))
        return Verdict(*rows[0]) if rows else None

    def tally(self, first: str, second: str) -> Tally:
        """All verdicts between runs of the method `first` and runs of the method `second`."""
        counts = dict.fromkeys((first, second, None), 0)
        blind = 0
        for method, hidden in self._store.query(_TALLY, [first, second, second, first]):
            counts[method] += 1
            blind += hidden
        return Tally(counts[first], counts[None], counts[second], blind)


_TALLY = """
    SELECT CASE WHEN better = run_a THEN a.method WHEN better = run_b THEN b.method END, blind
    FROM verdicts JOIN runs a ON a.run_id = run_a JOIN runs b ON b.run_id = run_b
    WHERE (a.method = ? AND b.method = ?) OR (a.method = ? AND b.method = ?)"""
