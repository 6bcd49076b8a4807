"""The raw side of a run: the stored events as JSON."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from adaq_core.events import Event, Record, dump
from pages._shared.common.backend import StoredRun
from pages._shared.common.words import count


def show_json(stored: StoredRun, hop: int) -> None:
    """The stored events of a hop, and of the whole run as a file."""
    mine = [record for record in stored.records if _hop_of(record.event) == hop]
    st.caption(f"{count(len(mine), 'event')} of this hop as stored; the run has {len(stored.records)}.")
    st.download_button(
        "Download all events of the run (JSON)",
        data=lambda: _as_json(stored.records),
        file_name=f"{stored.row.run_id}-events.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    st.json({f"{r.seq} {r.event.kind}": _envelope(r) for r in mine}, expanded=1)


def _hop_of(event: Event) -> int | None:
    return getattr(event, "hop", None)


def _envelope(record: Record) -> dict[str, object]:
    return {"seq": record.seq, "at": record.at, "elapsed": record.elapsed, "event": dump(record.event)}


def _as_json(records: Iterable[Record]) -> str:
    import json

    return json.dumps([_envelope(record) for record in records], ensure_ascii=False, indent=1)
