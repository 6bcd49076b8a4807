"""One stored run, read and folded; runs that are over are kept in memory, because they do not change."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from adaq_core.events import Record
from adaq_core.store import RunRow, open_store
from adaq_core.trace import RunView, view


@dataclass(frozen=True, slots=True)
class StoredRun:
    """The row of a run, its records, and what a reader sees of it."""

    row: RunRow
    records: tuple[Record, ...]
    run: RunView

    @property
    def interrupted(self) -> bool:
        """Whether it is over without having come to an end of its own."""
        return self.row.over and self.run.status == "running"


def stored_run(run_id: str) -> StoredRun | None:
    """The run as it stands; None when there is none of that id."""
    row = open_store().run(run_id)
    if row is None:
        return None
    if not row.over:
        return _read(row)
    records, run = _kept(run_id, str(row.created_at), row.last_seq)
    return StoredRun(row, records, run)


def _read(row: RunRow) -> StoredRun:
    records = tuple(open_store().records(row.run_id))
    return StoredRun(row, records, view(records))


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept(run_id: str, created_at: str, last_seq: int) -> tuple[tuple[Record, ...], RunView]:
    """Keyed by more than the id, so that a run that was deleted and brought back is read again."""
    records = tuple(open_store().records(run_id))
    return records, view(records)
