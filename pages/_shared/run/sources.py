"""What the live sources did in a run, and the documents that one can keep from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.events import SourcesSearched
from adaq_core.model import SourceReport
from adaq_core.sources.live import keep_in_corpus
from adaq_core.store.history import FetchedDocuments, FetchedRow
from adaq_core.trace import HopView, RunView, SourceUse
from pages._shared.common import backend
from pages._shared.common.chrome import show_dialog, show_trouble
from pages._shared.common.text import literal, quoted, short, visible, web_link
from pages._shared.common.words import count, seconds
from pages._shared.settings.dialog import source_name

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport
    from adaq_core.store.rows import RunRow

_SHOWN = 8
_OPEN = "keep_open"


def keep_button(row: RunRow, *, key: str) -> None:
    """Draw a button and its dialog for keeping fetched documents; nothing if none were fetched."""
    if not FetchedDocuments(backend.store(), row.run_id).count():
        return
    st.button("Save to a corpus…", icon=":material/library_add:", key=key, on_click=_open, args=(row.run_id,))
    if st.session_state.get(_OPEN) == row.run_id:
        show_dialog(lambda: _keep(row), close=_close)


def _open(run_id: str) -> None:
    st.session_state[_OPEN] = run_id


def _close() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Save to a corpus", width="large", icon=":material/library_add:", on_dismiss=_close)
def _keep(row: RunRow) -> None:
    """Draw the dialog to choose documents and a corpus of one's own."""
    rows = FetchedDocuments(backend.store(), row.run_id).rows()
    st.caption("In a corpus they can be searched without the network, by every run. Choose some, or save them all.")
    chosen = _chosen(rows, key=f"keep_rows_{row.run_id}")
    corpus = _corpus(key=f"keep_corpus_{row.run_id}")
    many = f"Save {count(len(chosen), 'document')}" if len(chosen) < len(rows) else f"Save all {len(rows)}"
    if st.button(many, type="primary", icon=":material/library_add:", disabled=not corpus.strip(), key="keep_now"):
        _put(row.run_id, corpus.strip(), [one.document_id for one in chosen])


def _corpus(*, key: str) -> str:
    """Let the user choose the corpus they go into: one of the user's, or a new name."""
    own = [name for name in backend.library().names() if name != backend.SAMPLE_CORPUS]
    rules = "a-z, 0-9, - and _. The bundled corpus cannot be changed."
    if not own:
        return st.text_input("Name of the new corpus", key=f"{key}_new", placeholder="my-documents", help=rules)
    chosen = st.selectbox("Corpus", own, accept_new_options=True, key=key, help=f"One of yours, or a new name: {rules}")
    return chosen or ""


def _chosen(rows: list[FetchedRow], *, key: str) -> list[FetchedRow]:
    """Return the marked documents; all of them while none is marked."""
    table: list[dict[str, Any]] = [
        {
            "Title": visible(one.title),
            "Found by": source_name(one.found_by),
            "From": visible(one.source),
            "Date": visible(one.date),
            "Length": one.characters,
            "Page": web_link(one.url) or None,
        }
        for one in rows
    ]
    state = st.dataframe(
        table,
        key=key,
        hide_index=True,
        height="content" if len(table) <= _SHOWN else "auto",
        on_select="rerun",
        selection_mode="multi-row",
        alt="Documents that the live sources brought to this run",
        column_config={
            "Title": st.column_config.TextColumn(width=300),
            "Length": st.column_config.NumberColumn(format="localized", help="Characters of text"),
            "Page": st.column_config.LinkColumn(display_text="Open"),
        },
    )
    marked = [rows[place] for place in state["selection"]["rows"] if place < len(rows)]
    return marked or rows


def _put(run_id: str, corpus: str, document_ids: list[str]) -> None:
    library = backend.library()
    try:
        with st.spinner("Adding them to the corpus…"):
            report = keep_in_corpus(run_id, corpus, store=backend.store(), library=library, document_ids=document_ids)
    except AdaqError as error:
        show_trouble(error, retry=False)
        return
    st.success(f"{_kept(report)} In the corpus “{literal(corpus)}” now.", icon=":material/check_circle:")
    st.button("Open the Corpus page", icon=":material/library_books:", key="keep_to_corpus", on_click=_to_corpus)


def _to_corpus() -> None:
    _close()
    st.switch_page("corpus.py", query_params={})  # without: an error where a control is in the address


def _kept(report: IngestReport) -> str:
    """Return one sentence on what became of the documents: 2 new, 1 there already."""
    kinds = (
        (report.added, "new"),
        (report.updated, "with newer text"),
        (report.unchanged, "there already"),
        (report.errors, "could not be read"),
    )
    return ", ".join(f"{len(result)} {words}" for result, words in kinds if result).capitalize() + "."


_LONGEST_WORDS = 260
_NOTES = 3


def show_sources(row: RunRow, run: RunView, *, key: str, heading: str = "Live sources") -> None:
    """Draw the section on live sources of a finished run; nothing if it asked none."""
    if not run.sources:
        return
    st.markdown(f"**{heading}**")
    _table(run.sources)
    keep_button(row, key=f"{key}_keep")


def show_hop_sources(hop: HopView) -> None:
    """Draw what the sources were asked in one hop, query by query."""
    if not hop.searched:
        st.caption("No live source was asked in this hop: its queries had been asked before.")
    for event in hop.searched:
        st.markdown(quoted(short(event.query, 160)))
        _reports(event.reports)
        for note in event.notes:
            st.caption(f":material/info: {literal(short(note, _LONGEST_WORDS))}")


def brought(searched: Iterable[SourcesSearched]) -> tuple[str, ...]:
    """Return what each source brought by some searches, in a few words each; not escaped."""
    results: dict[str, int] = {}
    failed: dict[str, str] = {}
    for event in searched:
        for report in event.reports:
            results[report.name] = results.get(report.name, 0) + report.passages
            if report.error:
                failed[report.name] = report.error
    return tuple(
        f"{source_name(name)}: {short(failed[name], 120)}" if name in failed and not number else _brought(name, number)
        for name, number in results.items()
    )


def _brought(name: str, passages: int) -> str:
    return f"{source_name(name)}: {count(passages, 'passage') if passages else 'nothing new'}"


def _table(uses: tuple[SourceUse, ...]) -> None:
    columns = {
        "Source": [literal(source_name(use.name)) for use in uses],
        "Passages": [f"{use.passages:,}" for use in uses],
        "Requests": [f"{use.requests:,}" + (" :gray[:small[cached]]" if use.cached else "") for use in uses],
        "How it went": [_went(use) for use in uses],
    }
    st.table(columns, border="horizontal", hide_index=True, alt="What each live source brought to this run")


def _went(use: SourceUse) -> str:
    """Return the state of a source as a badge, why it failed, and what was left out."""
    parts = [_badge(use)]
    if use.error:
        parts.append(literal(short(use.error, _LONGEST_WORDS)))
    parts += [f":gray[{literal(short(note, _LONGEST_WORDS))}]" for note in use.notes[:_NOTES]]
    if len(use.notes) > _NOTES:
        parts.append(f":gray[and {count(len(use.notes) - _NOTES, 'more remark')}]")
    return "  ".join(part if part.startswith(":") and "badge" in part else f":small[{part}]" for part in parts)


def _badge(use: SourceUse) -> str:
    if use.failed and use.failed == use.searches:
        return ":red-badge[failed]"
    if use.failed:
        return f":orange-badge[failed {use.failed} of {count(use.searches, 'time')}]"
    if not use.searches:
        return ":gray-badge[not asked]"
    return ":green-badge[answered]" if use.documents else ":gray-badge[nothing new]"


def _reports(reports: tuple[SourceReport, ...]) -> None:
    columns = {
        "Source": [literal(source_name(report.name)) for report in reports],
        "Documents": [f"{report.documents:,}" for report in reports],
        "New passages": [f"{report.passages:,}" for report in reports],
        "Requests": ["from the cache" if report.cached else f"{report.requests:,}" for report in reports],
        "Time": [seconds(report.seconds) for report in reports],
        "Remarks": [_remarks(report) for report in reports],
    }
    st.table(columns, border="horizontal", hide_index=True, alt="What each live source answered to this query")


def _remarks(report: SourceReport) -> str:
    remarks = [f":red[{literal(short(report.error, _LONGEST_WORDS))}]"] if report.error else []
    remarks += [literal(short(note, _LONGEST_WORDS)) for note in report.notes]
    return f":small[{'; '.join(remarks)}]" if remarks else ""
