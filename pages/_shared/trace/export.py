"""Runs that leave the machine: a menu with the sizes of the files, and a page that opens anywhere without a server."""

from __future__ import annotations

from io import StringIO

import streamlit as st

from adaq_core.errors import AdaqError, InputError
from adaq_core.evaluation.measuring import measured_again
from adaq_core.evaluation.results import TABLE, shown
from adaq_core.export import ImportedRun, arrival_words, take_in
from adaq_core.export.run_json import lines_of, read_file
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun
from pages._shared.common.chrome import show_downloads
from pages._shared.common.text import coded, literal
from pages._shared.common.words import count, measure_label
from pages._shared.run.data import files
from pages._shared.trace.selection import open_run


def export_popover(stored: StoredRun) -> None:
    """Offer the run as a file to import elsewhere, as a page, and as a dossier."""
    menu = st.popover("Export", icon=":material/download:", type="tertiary", key="export_menu", on_change="rerun")
    if not menu.open:
        return  # the files are made when somebody looks at their sizes
    with menu:
        show_downloads(files(stored))


def import_popover() -> None:
    """Offer to import exported runs; any other file is refused in words.

    Every kind of file can be chosen: what the browser refuses by its name, it refuses without a word.
    """
    with st.popover("Import", icon=":material/upload:"):
        label = "A file made by Export (“Whole run”) or by `runs export`"  # the field says how large it may be
        key = f"runs_import_{st.session_state.get(_ROUND, 0)}"
        file = st.file_uploader(label, max_upload_size=_MOST_MB, key=key)
        if file is not None:
            # In a callback: the list is drawn after it, and holds the runs.
            st.button(
                "Import the runs", type="primary", key="runs_import_now", on_click=_import, args=(file.getvalue(),)
            )
        if wrong := st.session_state.pop(_REFUSED, ""):
            st.error(coded(wrong))


def show_imported() -> None:
    """Say once what became of the runs of an imported file, with a link if there was only one."""
    arrivals: list[ImportedRun] = st.session_state.pop(_IMPORTED, [])
    if not arrivals:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(arrival_words(arrivals), icon=":material/upload:", width="stretch")
        if len(arrivals) == 1 and arrivals[0].added:
            st.button("Open it", icon=":material/timeline:", on_click=open_run, args=(arrivals[0].run_id,))


_ROUND, _REFUSED, _IMPORTED = "runs_import_round", "runs_import_refused", "runs_imported"
_MOST_MB = 200


def measured_again_popover(stored: StoredRun) -> None:
    """Offer the measures of an imported run, computed here; the file brings only its events."""
    menu = st.popover(
        "Measured again", icon=":material/straighten:", type="tertiary", on_change="rerun", key="measured"
    )
    if not menu.open:
        return
    with menu:
        again = measured_again(stored.records, backend.library())
        if again.why_not:
            st.markdown(f"This run cannot be measured here. {literal(again.why_not)}")
            return
        st.markdown(
            f"Computed on this computer from the events of the run and the judgments of the question set "
            f"**{literal(again.judged_by)}**, over the same version of the corpus."
        )
        rows = [info for info in TABLE if info.name in again.measures and info.group != "cost"]
        st.dataframe(
            [
                {"measure": measure_label(i.name), "value": shown(i.name, again.measures[i.name]), "meaning": i.meaning}
                for i in rows
            ],
            hide_index=True,
            column_config={"measure": "Measure", "value": "Value", "meaning": "What it means"},
            alt="The measures of this run, computed again",
        )


def _import(data: bytes) -> None:
    """Import the runs of a file and clear the field, or keep why not; a single known run is opened."""
    arrivals: list[ImportedRun] = []
    try:
        runs = list(read_file(lines_of(StringIO(data.decode("utf-8"), newline=None))))
        if not runs:
            raise InputError(arrival_words([]))
        for run in runs:
            arrivals.append(take_in(backend.store(), run))
    except UnicodeDecodeError:
        st.session_state[_REFUSED] = "The file is not UTF-8 text, so it is not an exported run. Nothing was imported."
    except AdaqError as error:
        before = sum(arrival.added for arrival in arrivals)
        outcome = f"{count(before, 'run')} before it imported." if before else "Nothing was imported."
        st.session_state[_REFUSED] = f"{error} {outcome}"
    else:
        st.session_state[_IMPORTED] = arrivals
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
        if len(arrivals) == 1 and not arrivals[0].added:
            open_run(arrivals[0].run_id)
