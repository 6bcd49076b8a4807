"""The files that a run can become, each with its size on a button."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import streamlit as st

from adaq_core.export import BY_NAME, Going
from adaq_core.store.history import Remarks
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun, recalibration


def show_downloads(stored: StoredRun, *, only: Collection[str] = ()) -> None:
    """Draw a button for each kind of file, or for those that are named."""
    for label, data, name, mime in files(stored, only=only):
        st.download_button(
            f"{label} :gray[{size(len(data))}]",
            data=data,
            file_name=name,
            mime=mime,
            on_click="ignore",
            width="stretch",
        )


def files(stored: StoredRun, *, only: Collection[str] = ()) -> Iterator[tuple[str, bytes, str, str]]:
    """Yield the files that the run can become: label, content, name and media type."""
    run_id = stored.row.run_id
    remarks = Remarks(backend.store()).of(run_id)
    going = Going(stored.row, stored.records, remarks, judged=recalibration(stored.run))
    for kind in (BY_NAME[name] for name in only or BY_NAME):
        yield kind.label, kind.text(going).encode(), f"{run_id}{kind.suffix}", kind.mime


def size(number: int) -> str:
    """Return a number of bytes as people read it: "262 bytes", "12 kB", "1.4 MB"."""
    if number >= 1e6:
        return f"{number / 1e6:.1f} MB"
    return f"{round(number / 1e3)} kB" if number >= 1e3 else f"{number} bytes"
