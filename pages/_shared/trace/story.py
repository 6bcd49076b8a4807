"""A run as a story: every hop one after the other, the answer at the end; made to be read or printed."""

from __future__ import annotations

import streamlit as st

from adaq_core.trace import HopView, RunView
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import literal, quoted
from pages._shared.common.words import seconds, stop_title
from pages._shared.components.answer.view import show_answer
from pages._shared.components.passage_cards.cards import passage_cards
from pages._shared.run.evidence import evidence_cards, title_of
from pages._shared.run.sources import brought
from pages._shared.trace.selection import open_passage


def show(stored: StoredRun) -> None:
    """All hops of the run, then its answer."""
    run = stored.run
    _plan(run)
    for hop in run.hops:
        with st.container(border=True, key=f"story_hop_{hop.hop}"):
            _hop(run, hop, key=stored.row.run_id)
    if run.answer is not None:
        st.markdown("##### Answer")
        show_answer(run, key=f"story_answer_{stored.row.run_id}")


def _plan(run: RunView) -> None:
    names = [f"{literal(a.aspect)}{'' if a.is_core else ' :gray[(optional)]'}" for a in run.aspects]
    if names:
        st.markdown("The question was split into " + f"{len(names)} aspects: " + "; ".join(names) + ".")


def _hop(run: RunView, hop: HopView, *, key: str) -> None:
    queries = "  ".join(quoted(query.text) for query in hop.queries)
    st.markdown(f"##### Hop {hop.hop} :gray[:small[{seconds(hop.ended - hop.started)}]]")
    st.markdown(f"{literal(hop.why.rstrip('.'))}. Asked {queries}" if queries else literal(hop.why))
    if hop.searched:
        st.caption(f":material/public: {literal(' · '.join(brought(hop.searched)))}")
    st.markdown(_outcome(hop))
    fresh = [card for card in evidence_cards(run, hop) if card["fresh"]]
    if fresh:
        passage_cards(fresh, key=f"story_cards_{key}_{hop.hop}", on_read=open_passage)
    for change in hop.replacements:
        if change.dropped:
            st.caption(f"Dropped: {literal(title_of(run, change.dropped))}")
    if hop.decision:
        word = stop_title(hop.decision.stop_reason) if hop.decision.stop else "Go on"
        st.markdown(f"**{word}.** {literal(hop.decision.reason)}")


def _outcome(hop: HopView) -> str:
    if hop.percentage is None:
        return ":gray[Not finished.]"
    new = " ".join(f":green-badge[+ {literal(name)}]" for name in hop.newly_covered)
    return f"{new or ':gray-badge[nothing new]'} {hop.percentage:.0%} covered"
