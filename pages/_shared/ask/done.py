"""The Ask page when the run is over: the answer, the verdict, what covered each aspect, what is missing, what next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import Record
from adaq_core.trace import RunView
from pages._shared.ask.live_view import show_coverage, show_steps
from pages._shared.ask.next_steps import actions, opinion, resume_button, search_aspect
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import count, method_label
from pages._shared.components.answer.view import show_answer, show_conflicts, support_line
from pages._shared.run.data import headline, open_aspects
from pages._shared.run.model_notes import show_check, show_use
from pages._shared.run.sources import show_sources
from pages._shared.run.verdict import proof_of, show_verdict_block

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow


def show_done(row: RunRow, run: RunView, records: Sequence[Record]) -> None:
    """Everything there is to know of a run that is over, the answer first."""
    figures = [method_label(row.method), *headline(run), f"corpus {row.corpus}"]
    st.caption(" · ".join(literal(figure) for figure in figures))
    actions(row)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _answer(row, run)
        show_use(row, records)
    with right:
        show_verdict_block(run, key="ask", interrupted=row.over, reason=row.reason)
        _resume(row, run)
        show_coverage(run)
        show_sources(row, run, key="ask")
        if run.answer:
            _hops(run)
        opinion(row)


def _resume(row: RunRow, run: RunView) -> None:
    if row.status == "interrupted":
        resume_button(row, "Go on from here")
    elif row.status == "failed":
        hop = next((h.hop for h in reversed(run.hops) if not h.done), None)
        resume_button(row, f"Retry from hop {hop}" if hop else "Retry")


def _answer(row: RunRow, run: RunView) -> None:
    if run.answer is None:
        st.markdown("**How far it came**")
        show_steps(run, open_last=True)
    elif run.answer.statements or not run.answer.abstained:
        show_answer(run, key=f"answer_{row.run_id}")
        show_conflicts(run.answer, key="ask")
        _support(run)
    _not_covered(row, run)


def _support(run: RunView) -> None:
    if run.answer is None or run.answer.abstained:
        return
    if line := support_line(run):
        st.caption(f":material/verified: {line}")
    show_check(run)


def _not_covered(row: RunRow, run: RunView) -> None:
    still = open_aspects(run)
    if not still or row.status not in ("finished", "cancelled"):
        return
    st.markdown("**Missing**")
    for number, open_row in enumerate(still):
        words, button = st.columns([3, 1], vertical_alignment="center")
        with words:
            st.markdown(_missed(run, open_row.aspect.aspect))
        with button:
            search_aspect(row, open_row.aspect.aspect, number)


def _missed(run: RunView, aspect: str) -> str:
    queries = "  ".join(quoted(short(query.text, 70)) for query in run.queries_for(aspect)[:3])
    proof = proof_of(run, aspect)
    near = f"  \n:small[:gray[nearest passage: {literal(short(proof.title, 80))}]]" if proof else ""
    return f"{literal(aspect)}  \n:small[:gray[{'tried' if queries else 'not tried'}]] {queries}{near}"


def _hops(run: RunView) -> None:
    if not run.hops:
        return
    with st.expander(f"How it went: {count(len(run.hops), 'hop')}", icon=":material/route:"):
        show_steps(run)
        for notice in run.noticed:
            st.caption(f":material/info: {literal(notice.message)}")
