"""Documents that the live sources brought to a run, chosen and put into a corpus: a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.runs.work import keep_in_corpus
from adaq_core.store.documents import FetchedDocuments, FetchedRow
from pages._shared.common import backend
from pages._shared.common.dialogs import show_dialog
from pages._shared.common.text import literal, visible
from pages._shared.common.trouble import show_trouble
from pages._shared.common.web_links import web_link
from pages._shared.common.words import count
from pages._shared.settings.sources import source_name

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport
    from adaq_core.store.rows import RunRow

_SHOWN = 8
_OPEN = "keep_open"


def keep_button(row: RunRow, *, key: str) -> None:
    """A button that opens the dialog, and the dialog while it is open; nothing when nothing was fetched."""
    if not FetchedDocuments(backend.store(), row.run_id).count():
        return
    st.button("Keep in a corpus…", icon=":material/library_add:", key=key, on_click=_open, args=(row.run_id,))
    if st.session_state.get(_OPEN) == row.run_id:
        show_dialog(lambda: _keep(row), close=_close)


def _open(run_id: str) -> None:
    st.session_state[_OPEN] = run_id


def _close() -> None:
    st.session_state.pop(_OPEN, None)


@st.dialog("Keep in a corpus", width="large", icon=":material/library_add:", on_dismiss=_close)
def _keep(row: RunRow) -> None:
    """Choose documents and a corpus of one's own."""
    rows = FetchedDocuments(backend.store(), row.run_id).rows()
    st.caption("In a corpus they can be searched without the network, by every run. Choose some, or keep them all.")
    chosen = _chosen(rows, key=f"keep_rows_{row.run_id}")
    corpus = _corpus(key=f"keep_corpus_{row.run_id}")
    many = f"Keep {count(len(chosen), 'document')}" if len(chosen) < len(rows) else f"Keep all {len(rows)}"
    if st.button(many, type="primary", icon=":material/library_add:", disabled=not corpus.strip(), key="keep_now"):
        _put(row.run_id, corpus.strip(), [one.document_id for one in chosen])


def _corpus(*, key: str) -> str:
    """The corpus they go into: one of the user's, or a new name."""
    own = [name for name in backend.library().names() if name != backend.SAMPLE_CORPUS]
    rules = "a-z, 0-9, - and _. The bundled corpus cannot be changed."
    if not own:
        return st.text_input("Name of the new corpus", key=f"{key}_new", placeholder="my-documents", help=rules)
    chosen = st.selectbox("Corpus", own, accept_new_options=True, key=key, help=f"One of yours, or a new name: {rules}")
    return chosen or ""


def _chosen(rows: list[FetchedRow], *, key: str) -> list[FetchedRow]:
    """The documents that are marked; all of them while none is."""
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
    st.switch_page("corpus.py")


def _kept(report: IngestReport) -> str:
    """What became of the documents, in one sentence: 2 new, 1 there already."""
    kinds = (
        (report.added, "new"),
        (report.updated, "with newer text"),
        (report.unchanged, "there already"),
        (report.errors, "could not be read"),
    )
    return ", ".join(f"{len(found)} {words}" for found, words in kinds if found).capitalize() + "."
