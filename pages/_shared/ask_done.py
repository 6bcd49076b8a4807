"""The Ask page when the run is over: banner, answer, coverage, why it stopped, what is still open, what next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import Record
from adaq_core.trace import RunView
from pages._shared.answer_view import show_answer, show_conflicts, support_line
from pages._shared.ask_next import actions, opinion, resume_button, search_aspect
from pages._shared.live_view import show_coverage, show_steps
from pages._shared.model_notes import show_check, show_use
from pages._shared.plain import plain, quoted, short
from pages._shared.run_data import headline, open_aspects, stop_card
from pages._shared.run_sources import show_sources
from pages._shared.words import count, method_label, stop_title

if TYPE_CHECKING:
    from adaq_core.store_rows import RunRow


def show_done(row: RunRow, run: RunView, records: Sequence[Record]) -> None:
    """Everything there is to know of a run that is over, the answer first."""
    figures = [method_label(row.method), *headline(run), f"corpus {row.corpus}"]
    st.caption(" · ".join(plain(figure) for figure in figures))
    show_use(row, records)
    actions(row)
    _banner(row, run)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _answer(row, run)
    with right:
        st.markdown("**Coverage**")
        show_coverage(run)
        _stop(run)
        show_sources(row, run, key="ask")
        if run.answer:
            _hops(run)
        opinion(row)


def _banner(row: RunRow, run: RunView) -> None:
    if row.status == "failed":
        _failed(row, run)
    elif row.status == "interrupted":
        st.warning(
            f"The program ended while this run was going on; {count(len(run.hops), 'hop')} are kept.",
            title="Interrupted",
            icon=":material/pause_circle:",
        )
        resume_button(row, "Go on from here")
    elif run.answer and run.answer.abstained:
        _not_enough(run) if run.answer.statements else _nothing_found(row)
    elif open_aspects(run):
        open_count = len(open_aspects(run))
        st.warning(
            f"{len(run.aspects) - open_count} of {count(len(run.aspects), 'aspect')} covered. "
            f"{stop_title(run.stop_reason)}. The answer says what it does not know.",
            icon=":material/rule:",
        )


def _failed(row: RunRow, run: RunView) -> None:
    hop = next((h.hop for h in reversed(run.hops) if not h.done), None)
    place = f" in hop {hop}" if hop else ""
    first_line = (run.reason or row.reason or run.error).strip().split("\n", 1)[0]
    st.error(
        plain(short(first_line, 300)) + " What came before is kept.",
        title=f"The run failed{place}",
        icon=":material/error:",
    )
    resume_button(row, f"Retry from hop {hop}" if hop else "Retry")


def _not_enough(run: RunView) -> None:
    st.warning(
        plain(run.reason) + ". Below is the nearest that was found, and it does not answer the question.",
        title="Not enough evidence for an answer",
        icon=":material/search_off:",
    )


def _nothing_found(row: RunRow) -> None:
    st.info(
        f"No passage of the corpus “{plain(row.corpus)}”{_live(row)} speaks to this question, so there is no answer. "
        "Word it differently, or add documents on the Corpus page.",
        title="Nothing found",
        icon=":material/search_off:",
    )


def _live(row: RunRow) -> str:
    return ", and none that the live sources brought," if row.settings.sources else ""


def _answer(row: RunRow, run: RunView) -> None:
    if run.answer and run.answer.abstained and run.answer.statements:
        show_answer(run, key=f"answer_{row.run_id}")
    elif run.answer and not run.answer.abstained:
        line = support_line(run)
        if line:
            st.caption(f":material/verified: {line}")
        show_check(run)
        show_answer(run, key=f"answer_{row.run_id}")
        show_conflicts(run.answer, key="ask")
    elif run.answer is None:
        st.markdown("**How far it came**")
        show_steps(run, open_last=True)
    _not_covered(row, run)


def _not_covered(row: RunRow, run: RunView) -> None:
    still = open_aspects(run)
    if not still or row.status not in ("finished", "cancelled"):
        return
    st.markdown("**Not covered**")
    for number, open_row in enumerate(still):
        name = open_row.aspect.aspect
        tried = run.queries_for(name)
        words, button = st.columns([3, 1], vertical_alignment="center")
        with words:
            said = "  ".join(quoted(short(query.text, 70)) for query in tried[:3])
            st.markdown(f"{plain(name)}  \n:small[:gray[{'tried' if tried else 'not tried'}]] {said}")
        with button:
            search_aspect(row, name, number)


def _stop(run: RunView) -> None:
    card = stop_card(run)
    if card is None:
        return
    with st.container(border=True, gap="xsmall"):
        icon = ":material/check_circle:" if card.enough else ":material/flag:"
        st.markdown(f"{icon} **{card.title}**")
        st.caption(plain(card.reason))
        if card.opinion:
            st.caption(plain(card.opinion))
        if card.next_query:
            st.markdown(f":small[One more hop would have tried {quoted(short(card.next_query, 120))}]")
        elif card.next_aspect:
            st.markdown(f":small[One more hop would have gone after: {plain(card.next_aspect)}]")


def _hops(run: RunView) -> None:
    if not run.hops:
        return
    with st.expander(f"How it went: {count(len(run.hops), 'hop')}", icon=":material/route:"):
        show_steps(run)
        for notice in run.noticed:
            st.caption(f":material/info: {plain(notice.message)}")
