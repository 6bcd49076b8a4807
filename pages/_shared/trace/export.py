"""Runs that leave the machine: a menu with the sizes of the files, and a page that opens anywhere without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import streamlit as st

from adaq_core.answerability.model import Recalibration
from adaq_core.errors import AdaqError, InputError
from adaq_core.export import FORMATS, Going
from adaq_core.export.dossier import dossier_page
from adaq_core.export.run_json import read_runs
from adaq_core.store.history import Remarks
from adaq_core.trace import RunView
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun, recalibration
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.components.component_files import script, style
from pages._shared.components.coverage_lanes.lanes import lanes_data
from pages._shared.run.verdict import verdict

_LIGHT = {
    "text": "#0F172A", "background": "#FFFFFF", "secondary-background": "#F1F5F9", "border": "#CBD5E1",
    "primary": "#1D4ED8", "link": "#1D4ED8", "blue-text": "#1D4ED8", "orange-text": "#C2410C", "red-text": "#B91C1C",
    "orange-background": "#FFF1E7", "green": "#047857", "green-text": "#047857", "orange": "#C2410C", "red": "#B91C1C",
    "blue": "#1D4ED8", "violet": "#7C3AED", "yellow": "#A16207", "gray": "#64748B", "gray-text": "#475569",
}  # fmt: skip
_DARK = {
    "text": "#F1F5F9", "background": "#0F172A", "secondary-background": "#1E293B", "border": "#334155",
    "primary": "#60A5FA", "link": "#60A5FA", "blue-text": "#60A5FA", "orange-text": "#FB923C", "red-text": "#F87171",
    "orange-background": "#3B2618", "green": "#34D399", "green-text": "#34D399", "orange": "#FB923C", "red": "#F87171",
    "blue": "#60A5FA", "violet": "#A78BFA", "yellow": "#FACC15", "gray": "#94A3B8", "gray-text": "#CBD5E1",
}  # fmt: skip
_STYLE = """
:root {{ --st-font: system-ui, sans-serif; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
@media print {{ :root {{ {light} }} }}
body {{ color: var(--st-text-color); background: var(--st-background-color); max-width: 75rem; }}
"""
_SCRIPT = """<script type="module">
{script}
const host = document.getElementById("lanes").attachShadow({{ mode: "open" }})
const sheet = document.createElement("style")
sheet.textContent = {style}
const root = document.createElement("div")
root.className = "root"
host.append(sheet, root)
const data = {data}
component({{ data, parentElement: host, setStateValue() {{}}, setTriggerValue() {{}} }})
</script>"""


def export_popover(stored: StoredRun) -> None:
    """Offer the run as a file to take in elsewhere, as a page, and as a dossier."""
    with st.popover("Export", icon=":material/download:", type="tertiary"):
        if not st.toggle("Make the files", key=f"export_{stored.row.run_id}", help="They are made when you ask."):
            return
        for label, data, name, mime in _files(stored):
            st.download_button(
                f"{label} :gray[{size(len(data))}]", data=data, file_name=name, mime=mime, on_click="ignore"
            )


def run_page(run_id: str, run: RunView, *, judged: Recalibration | None = None) -> str:
    """Return the dossier with the same lanes as the app, as one file; it opens from a disk and asks for nothing."""
    shown = verdict(run, interrupted=True, judged=judged)
    data = {**lanes_data(run, interrupted=True), "heard": 0}
    return dossier_page(
        run_id,
        run,
        lead=f"{shown.title}. {shown.why} {shown.sure}".strip(),
        lanes="<div id='lanes'></div>",
        style=_STYLE.format(light=_variables(_LIGHT), dark=_variables(_DARK)),
        script=_SCRIPT.format(script=_script(), style=_embedded(style("coverage_lanes")), data=_embedded(data)),
    )


def _page(run_id: str, run: RunView) -> str:
    return run_page(run_id, run, judged=recalibration(run))


def take_in() -> None:
    """Offer to take in runs that were exported elsewhere; a file that is none is refused in words."""
    with st.popover("Import", icon=":material/upload:"):
        file = st.file_uploader("A file made by Export or `runs export`", type=["jsonl"], key="runs_import")
        if file is not None and st.button("Import the runs", type="primary", key="runs_import_now"):
            _import(file.getvalue())


def size(number: int) -> str:
    """Return a number of bytes as people read it: "12 kB", "1.4 MB"."""
    if number >= 1e6:
        return f"{number / 1e6:.1f} MB"
    return f"{max(1, round(number / 1e3))} kB"


def _import(data: bytes) -> None:
    try:
        runs = list(read_runs(data.decode("utf-8").splitlines()))
        if not runs:
            raise InputError("The file holds no run.")
        for run in runs:
            own: dict[str, Any] = {"note": run.note, "tags": run.tags, "rating": run.rating}
            backend.store().import_run(run.records, run_id=run.run_id, **own, remarks=run.remarks)
    except UnicodeDecodeError:
        st.error("The file is not UTF-8 text, so it is no export of runs.")
    except AdaqError as error:
        st.error(literal(str(error)))
    else:
        st.success(f"{count(len(runs), 'run')} imported.")


def _files(stored: StoredRun) -> Iterator[tuple[str, bytes, str, str]]:
    """Yield the files that the run can become; its page has the lanes of the app in place of a plain table."""
    run_id = stored.row.run_id
    going = Going(stored.row, stored.records, Remarks(backend.store()).of(run_id))
    for kind in FORMATS:
        text = _page(run_id, stored.run) if kind.name == "html" else kind.text(going)
        yield kind.label, text.encode(), f"{run_id}{kind.suffix}", kind.mime


def _script() -> str:
    return script("coverage_lanes").replace("export default function", "const component = function")


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--st-{name}-color: {value};" for name, value in colours.items())


def _embedded(value: object) -> str:
    """Return JSON that cannot end the script it stands in."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
