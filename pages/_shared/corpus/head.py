"""The head of the Corpus page: which corpus, its figures, and what is being changed right now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from adaq_core.corpus.holdings import FileProblem
from adaq_core.model import CorpusCard
from pages._shared.common import backend
from pages._shared.common.text import literal, visible
from pages._shared.common.words import count
from pages._shared.corpus.data import report_line
from pages._shared.corpus.job import CorpusJob, dismiss_job, jobs

TICK_SECONDS = 0.5


def choose_corpus(cards: Sequence[CorpusCard]) -> CorpusCard:
    """The corpus that the page is about; in the address."""
    names = [card.name for card in cards]
    chosen = st.selectbox("Corpus", names, key="corpus", bind="query-params", width=280, label_visibility="collapsed")
    return next((card for card in cards if card.name == chosen), cards[0])


def figures(card: CorpusCard) -> None:
    """How large it is, which version, and what it is."""
    bundled = card.name == backend.SAMPLE_CORPUS
    kind = "bundled, cannot be changed" if bundled else "your own"
    st.caption(
        f"{count(card.documents, 'document')} · {count(card.passages, 'passage')} · {kind} · {card.version[:8]}",
        width="content",
    )


def show_jobs() -> None:
    """Changes that go on or have just ended."""
    found = jobs()
    if any(not job.over for job in found):
        _live(sum(not job.over for job in found))
    for job in found:
        if job.over:
            _ended(job)


@st.fragment(run_every=TICK_SECONDS)
def _live(were_going_on: int) -> None:
    going_on = [job for job in jobs() if not job.over]
    if len(going_on) != were_going_on:
        st.rerun()
    for job in going_on:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.progress(
                job.share,
                text=f"{literal(job.title)}: {literal(job.what) or 'starting'} ({job.done:,} of {job.total:,})",
            )
            st.button("Cancel", icon=":material/stop_circle:", key=f"cancel_{job.corpus}", on_click=job.stop.set)
    st.caption("You can leave this page; it goes on.")


def _ended(job: CorpusJob) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(job.title)}**", width="stretch")
            st.button(
                "Look at it",
                icon=":material/visibility:",
                type="tertiary",
                key=f"look_{job.corpus}",
                on_click=_look_at,
                args=(job.corpus,),
            )
            st.button(
                "Dismiss",
                icon=":material/close:",
                type="tertiary",
                key=f"dismiss_{job.corpus}",
                on_click=dismiss_job,
                args=(job.corpus,),
            )
        if job.problem:
            st.error(literal(job.problem), icon=":material/error:")
        if job.report is not None:
            st.markdown(literal(report_line(job.report)))
            _problems("Could not be read", job.report.errors)
            _problems("Read, with notices", job.report.notices)
            _duplicates(job)


def _look_at(corpus: str) -> None:
    if corpus in backend.library().names():
        st.session_state.update(corpus=corpus, view="Documents")


def _problems(title: str, problems: Sequence[FileProblem]) -> None:
    if problems:
        st.caption(f"{title}: {len(problems):,}")
        rows = [{"File": visible(problem.file), "Reason": visible(problem.reason)} for problem in problems]
        st.dataframe(rows, hide_index=True, alt=title, height=min(210, 36 + 35 * len(rows)))


def _duplicates(job: CorpusJob) -> None:
    report = job.report
    if report is None:
        return
    same = [(pair.document_id, pair.of, "the same text") for pair in report.duplicates]
    near = [(pair.document_id, pair.of, f"{pair.similarity:.0%} alike") for pair in report.near_duplicates or ()]
    if report.near_duplicates is None:
        st.caption("The corpus is too large to look for near duplicates; exact ones were looked for.")
    if same or near:
        st.caption(f"Duplicates: {len(same):,} exact (searched once), {len(near):,} near (all searched)")
        rows = [{"Document": visible(a), "Kind": how, "Duplicate of": visible(b)} for a, b, how in (*same, *near)]
        st.dataframe(rows, hide_index=True, alt="Duplicates", height=min(210, 36 + 35 * len(rows)))
