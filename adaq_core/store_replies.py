"""Replies of language models in the run store: found again by what was asked, how, and of which build of a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from adaq_core.store_codec import as_json, clean
from adaq_core.store_database import Database


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
