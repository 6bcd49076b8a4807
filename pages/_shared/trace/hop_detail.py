"""The detail of one hop, in tabs: evidence, passages, decision, timing, model I/O, JSON; the open one is computed."""

from __future__ import annotations

import streamlit as st

from adaq_core.trace import HopView, RunView
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import count, seconds
from pages._shared.components.passage_cards.cards import passage_cards
from pages._shared.components.stage_waterfall.waterfall import stage_waterfall
from pages._shared.run.evidence import evidence_cards, title_of
from pages._shared.run.sources import show_hop_sources, show_sources
from pages._shared.run.verdict import proof_of
from pages._shared.trace.hop_decision import show_decision
from pages._shared.trace.hop_passages import show_passages
from pages._shared.trace.hop_records import show_json
from pages._shared.trace.model_io import show_model_io
from pages._shared.trace.selection import open_passage, select_tab, selected_tab

TABS = ("Evidence", "Passages", "Decision", "Timing", "Model I/O", "JSON")
SOURCES = "Sources"


def show(stored: StoredRun, number: int | None) -> None:
    """The detail of hop `number`."""
    run = stored.run
    hop = next((h for h in run.hops if h.hop == number), None)
    if hop is None:
        return
    _head(run, hop)
    names = (*TABS[:2], SOURCES, *TABS[2:]) if run.sources else TABS
    st.session_state["trace_tab"] = selected_tab(names)
    tabs = st.tabs(list(names), key="trace_tab", on_change=_tab_chosen)
    for name, tab in zip(names, tabs, strict=True):
        if tab.open:
            with tab:
                _body(stored, hop, name)


def _tab_chosen() -> None:
    select_tab(st.session_state["trace_tab"], first=TABS[0])


def _head(run: RunView, hop: HopView) -> None:
    queries = "  ".join(quoted(short(query.text, 120)) for query in hop.queries) or "no query"
    st.markdown(f"**Hop {hop.hop}** of {len(run.hops)} · {queries}")
    badges = [f":green-badge[+ {literal(name)}]" for name in hop.newly_covered]
    missed = [name for name in hop.targets if name not in hop.newly_covered and hop.percentage is not None]
    badges += [f":orange-badge[not found: {literal(name)}]" for name in missed if _still_open(run, hop, name)]
    if badges:
        st.markdown(" ".join(badges))
    for proof in (proof_of(run, name, upto=hop.hop) for name in hop.newly_covered):
        if proof:
            title = f"**{literal(short(proof.title, 80))}**"
            st.markdown(f":small[{literal(short(proof.aspect, 60))}: {title}, {literal(proof.came)}]")


def _still_open(run: RunView, hop: HopView, name: str) -> bool:
    first = run.covered_at.get(name)
    return first is None or first > hop.hop


def _body(stored: StoredRun, hop: HopView, tab: str) -> None:
    run = stored.run
    match tab:
        case "Evidence":
            _evidence(run, hop, key=stored.row.run_id)
        case "Passages":
            show_passages(run, hop, key=stored.row.run_id)
        case "Sources":
            _sources(stored, hop)
        case "Decision":
            show_decision(run, hop)
        case "Timing":
            _timing(run, hop, key=stored.row.run_id)
        case "Model I/O":
            show_model_io(stored, hop=hop.hop)
        case "JSON":
            show_json(stored, hop.hop)


def _sources(stored: StoredRun, hop: HopView) -> None:
    """What was asked in this hop, then what the sources brought to the whole run."""
    show_hop_sources(hop)
    if stored.row.over:
        show_sources(stored.row, stored.run, key="trace", heading="Live sources in the whole run")


def _evidence(run: RunView, hop: HopView, *, key: str) -> None:
    cards = evidence_cards(run, hop)
    if not cards:
        st.caption("No evidence was chosen in this hop." if hop.done else "Evidence is chosen at the end of the hop.")
        return
    st.caption(_evidence_words(run, hop, len(cards), fresh=sum(card["fresh"] for card in cards)))
    passage_cards(cards, key=f"cards_{key}", on_read=open_passage)
    _dropped(run, hop)


def _evidence_words(run: RunView, hop: HopView, size: int, *, fresh: int) -> str:
    if run.answer is not None and run.answer.abstained:
        return f"The {count(size, 'nearest passage')}, not used: none of them answers the question."
    came = f"{fresh} of them came in it (marked at the left)" if fresh else "all of them were found in earlier hops"
    if hop.newly_covered and not fresh:
        came += "; this hop read them for the aspects it newly covered"
    return f"The {count(size, 'passage')} kept as evidence after this hop; {came}."


def _dropped(run: RunView, hop: HopView) -> None:
    dropped = [r for r in hop.replacements if r.dropped]
    if dropped:
        st.markdown("**Dropped in this hop**")
    for change in dropped:
        st.markdown(
            f"- {literal(title_of(run, change.dropped))} made room for {literal(title_of(run, change.taken))}"
            + (f": {literal(change.reason)}" if change.reason else "")
        )


def _timing(run: RunView, hop: HopView, *, key: str) -> None:
    share = (hop.ended - hop.started) / run.elapsed if run.elapsed else 0.0
    st.caption(
        f"From {seconds(hop.started)} to {seconds(hop.ended)} of the run: {seconds(hop.ended - hop.started)}, "
        f"{share:.0%} of its time."
    )
    if hop.stages:
        stage_waterfall(hop, key=f"waterfall_{key}")
