"""What a corpus is, in figures, and its deletion."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from adaq_core.corpus.changed import CorpusChange, changed_apart
from adaq_core.corpus.holdings import DocumentRow, FileProblem, IngestReport
from adaq_core.errors import AdaqError
from adaq_core.model import CorpusCard
from adaq_core.runs.jobs import Job
from pages._shared.common import backend
from pages._shared.common.chrome import row_height
from pages._shared.common.text import literal, sentence, short, visible
from pages._shared.common.words import count, not_here
from pages._shared.corpus.add import BEGUN, CorpusJob, begin_job, dismiss_job, jobs
from pages._shared.corpus.data import report_line, share_done, stage_line, what_goes, what_stays


def show(card: CorpusCard) -> None:
    """Draw the deletion of the whole corpus: what is lost, what stays, and the button that asks once more."""
    files = backend.library().files(card.name)
    runs = backend.store().count(corpus=card.name)
    st.markdown(f"**Deleting {literal(card.name)} erases**")
    st.markdown("\n".join(f"- {line}" for line in what_goes(card, files)))
    if stays := what_stays(files, runs):
        st.markdown("**What stays**")
        st.markdown("\n".join(f"- {line}" for line in stays))
    if st.button("Delete this corpus", icon=":material/delete:", key="delete_corpus"):
        _confirm_corpus(card.name, f" with {count(card.documents, 'document')}")


@st.dialog("Delete the corpus?")
def _confirm_corpus(name: str, what: str) -> None:
    st.markdown(f"**{literal(name)}**{what} is erased at once. This cannot be undone.")
    with st.container(horizontal=True):
        st.button("Delete", icon=":material/delete:", key="delete_corpus_yes", on_click=_delete, args=(name,))
        if st.button("Keep it", key="delete_corpus_no"):
            st.rerun()
    if wrong := st.session_state.pop("delete_problem", None):
        st.error(sentence(wrong), icon=":material/error:")


def _delete(name: str) -> None:
    """Delete the corpus, as a callback: only there may choices of the page that stand in the address be changed."""
    try:
        backend.library().delete(name)
    except AdaqError as error:
        st.session_state.delete_problem = str(error)
        return
    dismiss_job(name)
    st.session_state.update(corpus=backend.SAMPLE_CORPUS, view="Documents", corpus_deleted=name)
    st.rerun()


LONGEST_TITLE = 160  # characters: two or three lines beside the table; a file may call itself by a thousand


def ask_remove_document(card: CorpusCard, row: DocumentRow) -> None:
    """Draw a button that takes one document out of the corpus after asking."""
    if st.button("Remove from the corpus", icon=":material/delete:", key="remove_document", type="tertiary"):
        _confirm_document(card, row)


@st.dialog("Remove this document?")
def _confirm_document(card: CorpusCard, row: DocumentRow) -> None:
    title = short(row.title or row.document_id, LONGEST_TITLE)
    st.markdown(f"**{literal(title)}** will not be searched any more. Its file is not touched.")
    with st.container(horizontal=True):
        if st.button("Remove", icon=":material/delete:", key="remove_document_yes"):
            change = CorpusChange("remove_document", card.name, {"document_id": row.document_id})
            begin_job(card.name, f"Removing {row.title or row.document_id}", partial(changed_apart, change))
            st.rerun()
        if st.button("Keep it", key="remove_document_no"):
            st.rerun()


TICK_SECONDS = 0.5


def choose_corpus(cards: Sequence[CorpusCard]) -> CorpusCard:
    """Draw the choice of the corpus that the page is about and return it; it is kept in the address."""
    names = [card.name for card in cards]
    if added := _just_added(names):
        st.session_state.corpus = added
    st.session_state.corpus_missing = _missing(names)
    chosen = st.selectbox("Corpus", names, key="corpus", bind="query-params", width=280, label_visibility="collapsed")
    return next((card for card in cards if card.name == chosen), cards[0])


def _just_added(names: Collection[str]) -> str:
    """Return the corpus to which documents were just added, which the page shows next."""
    begun = st.session_state.get(BEGUN, "")
    if begun not in names or any(job.corpus == begun and not job.over for job in jobs()):
        return ""
    return str(st.session_state.pop(BEGUN))


def _missing(names: Collection[str]) -> str:
    """Return a message about a corpus that was shown or linked to and does not exist."""
    wanted = st.query_params.get("corpus", "")
    if deleted := st.session_state.pop("corpus_deleted", ""):
        return f"“{deleted}” was deleted."
    being_made = any(job.corpus == wanted and not job.over for job in jobs())
    is_here = being_made or wanted in names or wanted in backend.corpus_problems()
    return not_here(f"corpus “{short(wanted, 64)}”") if wanted and not is_here else ""


def show_missing() -> None:
    """Say once that the corpus which was shown or linked to does not exist."""
    if words := st.session_state.get("corpus_missing"):
        st.info(literal(words), icon=":material/info:")


def figures(card: CorpusCard) -> None:
    """Draw the size of the corpus, its version, and what it is."""
    bundled = card.name == backend.SAMPLE_CORPUS
    kind = "bundled, cannot be changed" if bundled else "your own"
    size = f"{count(card.documents, 'document')} · {count(card.passages, 'passage')}"
    st.caption(f"{size} · {kind} · version {card.version[:8]}", width="content")


def show_problems(problems: Mapping[str, AdaqError]) -> None:
    """List the corpora that cannot be used, each with its reason and a button to delete it."""
    for name, problem in problems.items():
        title = f"The corpus “{literal(name)}” cannot be used"
        st.warning(sentence(problem), title=title, icon=":material/error:")
        if name != backend.SAMPLE_CORPUS and st.button(
            f"Delete {literal(name)}", icon=":material/delete:", key=f"delete_damaged_{name}"
        ):
            _confirm_corpus(name, "")


def show_jobs(corpus: str = "", *, folded: bool = False) -> None:
    """Draw changes that go on or have just ended: those of the shown corpus in full, of others only failures.

    What became of each file is `folded` where something else is looked at.
    """
    result = jobs()
    if any(not job.over for job in result):
        _live(sum(not job.over for job in result))
    for job in sorted(result, key=lambda job: job.corpus != corpus):
        if job.over:
            _ended(job, in_full=job.corpus == corpus, folded=folded)


@st.fragment(run_every=TICK_SECONDS)
def _live(were_going_on: int) -> None:
    going_on = [job for job in jobs() if not job.over]
    if len(going_on) != were_going_on:
        st.rerun()
    for job in going_on:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(
                share_done(job.what, job.done, job.total),
                text=literal(f"{job.title}: {stage_line(job.what, job.done, job.total)}"),
            )
            if job.cancelled:
                st.caption(":shimmer[Stopping]", width="content")
            else:
                st.button("Cancel", icon=":material/stop_circle:", key=f"cancel_{job.corpus}", on_click=job.cancel)
    st.caption("You can leave this page; it continues.")


@st.fragment(run_every=TICK_SECONDS)
def show_preparing(job: Job[None]) -> None:
    """Draw how far the bundled corpus is on a first visit, and draw the page once it is there."""
    if job.over:
        st.rerun()
    st.progress(
        share_done(job.what, job.done, job.total),
        text=literal(f"Making the sample documents searchable, once: {stage_line(job.what, job.done, job.total)}"),
    )


def _ended(job: CorpusJob, *, in_full: bool, folded: bool) -> None:
    in_short = not in_full and job.result is not None and not job.result.errors
    told = f" · {literal(report_line(job.result))}" if in_short and job.result is not None else ""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(short(ended_title(job)))}**{told}", width="stretch")
            if _holds_documents(job.corpus):
                _ways_on(job)
            st.button(
                "Dismiss",
                icon=":material/close:",
                type="tertiary",
                key=f"dismiss_{job.corpus}",
                on_click=dismiss_job,
                args=(job.corpus,),
            )
        if job.error:
            st.error(sentence(job.error), icon=":material/error:")
        if job.result is not None and not in_short:
            st.markdown(literal(report_line(job.result)))
            if _tells_of_files(job.result):
                with st.expander("File by file", icon=":material/list:", expanded=not folded):
                    _problems("Could not be read", "Reason", job.result.errors)
                    _problems("Read, with notes", "Note", job.result.notices)
                    _duplicates(job.result)


def _holds_documents(corpus: str) -> bool:
    return any(card.name == corpus and card.documents for card in backend.corpora())


def _ways_on(job: CorpusJob) -> None:
    """Draw what can be done next with the changed corpus."""
    if job.result is not None and job.result.passages:
        st.button(
            "Ask a question",
            icon=":material/forum:",
            type="tertiary",
            key=f"ask_{job.corpus}",
            on_click=_ask,
            args=(job.corpus,),
        )
    st.button(
        "See its documents",
        icon=":material/visibility:",
        type="tertiary",
        key=f"look_{job.corpus}",
        on_click=_look_at,
        args=(job.corpus,),
    )


# Rows of a table that is shown whole, and pixels of a longer one; pixels for the names of files, and letters in a line
# of what is said of them.
_FEW, _TALL, _NAMES, _LETTERS = 10, 400, 320, 110
_FILES = re.compile(r"Adding (?P<many>[\d,]+) files?")


def ended_title(job: CorpusJob) -> str:
    """Return what a finished job did, or that it failed; a job is called by what it does while it runs."""
    if job.error:
        return f"{job.title}: failed"
    if job.result is not None and job.result.cancelled:
        return f"{job.title}: cancelled"
    if job.result is not None and job.title.startswith("Adding ") and _added_nothing(job.result):
        return f"Nothing was added to {job.corpus}"
    if job.result is not None and _changed_nothing(job.result):
        return f"Nothing new was added to {job.corpus}"
    unread = len(job.result.errors) if job.result is not None else 0
    if unread and (files := _FILES.match(job.title)):
        many = int(files["many"].replace(",", ""))
        return f"Added {many - unread:,} of {many:,} files{job.title[files.end() :]}"
    return job.title.replace("Adding ", "Added ", 1).replace("Removing ", "Removed ", 1)


def _added_nothing(report: IngestReport) -> bool:
    """Whether there was no file, or none that could be read."""
    return not (report.added or report.updated or report.unchanged or report.removed)


def _changed_nothing(report: IngestReport) -> bool:
    """Whether every file that could be read was there before, unchanged."""
    return bool(report.unchanged) and not (report.added or report.updated or report.removed)


def _ask(corpus: str) -> None:
    st.session_state.ask_corpus = corpus
    backend.keep_corpus(corpus)
    st.switch_page("ask.py", query_params={})  # without: an error where the view is in the address


def _look_at(corpus: str) -> None:
    if corpus in backend.library().names():
        st.session_state.update(corpus=corpus, view="Documents")


def _problems(title: str, what: str, problems: Sequence[FileProblem]) -> None:
    """Draw files with what is said of them: few as a table whose lines break, many as one that scrolls."""
    if 0 < len(problems) <= _FEW:
        files, reasons = zip(*((literal(each.file), literal(each.reason)) for each in problems), strict=True)
        with st.container(key=f"corpus_files_{what.lower()}"):
            st.table({title: files, what: reasons}, border="horizontal", hide_index=True, alt=title)
    elif problems:
        rows = [{title: visible(problem.file), what: visible(problem.reason)} for problem in problems]
        lines = max(-(-len(row[what]) // _LETTERS) for row in rows)
        st.dataframe(
            rows,
            hide_index=True,
            alt=title,
            height=_TALL,
            row_height=row_height(lines),
            column_config={title: st.column_config.TextColumn(width=_NAMES)},
        )


def _height(rows: int) -> Literal["content"] | int:
    """Return the height of a table: a few rows are seen at once, many are scrolled."""
    return "content" if rows <= _FEW else _TALL


def _tells_of_files(report: IngestReport) -> bool:
    is_unchecked = report.near_duplicates is None
    return bool(is_unchecked or report.errors or report.notices or report.duplicates or report.near_duplicates)


def _duplicates(report: IngestReport) -> None:
    same = [(pair.document_id, pair.of, "the same text") for pair in report.duplicates]
    near = [(pair.document_id, pair.of, f"{pair.similarity:.0%} alike") for pair in report.near_duplicates or ()]
    if report.near_duplicates is None:
        st.caption("The corpus is too large to check for near duplicates; exact ones were checked.")
    if same or near:
        exact = [f"{len(same):,} exact (searched once)"] if same else []
        alike = [f"{len(near):,} near (all searched)"] if near else []
        st.caption(f"Duplicates: {', '.join(exact + alike)}")
        rows = [{"Document": visible(a), "Kind": how, "Duplicate of": visible(b)} for a, b, how in (*same, *near)]
        st.dataframe(rows, hide_index=True, alt="Duplicates", height=_height(len(rows)))
