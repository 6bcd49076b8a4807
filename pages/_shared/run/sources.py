"""What the live sources did in a run, and the documents that one can keep from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.events import SourcesSearched
from adaq_core.model import SourceReport
from adaq_core.sources.live import keep_in_corpus
from adaq_core.store.history import FetchedDocuments, FetchedRow
from adaq_core.text.tokens import upper_first
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
    with st.container(gap="xsmall"):
        for use in run.sources:
            _show_use(use)
    keep_button(row, key=f"{key}_keep")


def show_hop_sources(hop: HopView) -> None:
    """Draw what the sources were asked in one hop, query by query."""
    if not hop.searched:
        st.caption("No live source was asked in this hop: its queries had been asked before.")
    for event in hop.searched:
        st.markdown(quoted(short(event.query, 160)))
        with st.container(gap="xsmall"):
            for report in event.reports:
                _show_report(report)
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


def _show_use(use: SourceUse) -> None:
    """Draw what a source brought to the whole run."""
    badge = _badge(failed=use.failed, searches=use.searches, documents=use.documents)
    brought_it = [count(use.passages, "passage")] if use.failed < use.searches else []
    _entry(use.name, badge, [*brought_it, *_asked(use.requests, cached=bool(use.cached))], _remarks(use))


def _show_report(report: SourceReport) -> None:
    """Draw what a source answered to one query."""
    badge = _badge(failed=bool(report.error), searches=1, documents=report.documents)
    brought_it = [count(report.documents, "document"), count(report.passages, "new passage")]
    how = [*_asked(report.requests, cached=report.cached), seconds(report.seconds)]
    _entry(report.name, badge, how if report.error else [*brought_it, *how], _remarks(report))


def _asked(requests: int, *, cached: bool) -> list[str]:
    sent = [count(requests, "request")] if requests or not cached else []
    return [*sent, "from the cache"] if cached else sent


def _entry(name: str, badge: str, figures: Sequence[str], remarks: Sequence[str]) -> None:
    """Draw a source in a line, and below it what it says in as many as that takes: a table would be too narrow."""
    lines = [f"**{literal(source_name(name))}** {badge} :small[:gray[{' · '.join(figures)}]]"]
    lines += [f":small[{literal(upper_first(short(remark, _LONGEST_WORDS)))}]" for remark in remarks]
    st.markdown("  \n".join(lines))


def _remarks(source: SourceUse | SourceReport) -> list[str]:
    """Return why a source failed, and what was left out."""
    more = len(source.notes) - _NOTES
    told = [*([source.error] if source.error else []), *source.notes[:_NOTES]]
    return [*told, f"and {count(more, 'more remark')}"] if more > 0 else told


def _badge(*, failed: int, searches: int, documents: int) -> str:
    if failed and failed == searches:
        return ":red-badge[failed]"
    if failed:
        return f":orange-badge[failed {failed} of {count(searches, 'time')}]"
    if not searches:
        return ":gray-badge[not asked]"
    return ":green-badge[answered]" if documents else ":gray-badge[nothing new]"
