"""The detail of one hop, in tabs: evidence, passages, decision, timing, model I/O, JSON; the open one is computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

import streamlit as st

from adaq_core.events import PassagesRetrieved, Record, enveloped
from adaq_core.question.parse import is_english
from adaq_core.trace import HopView, RunView, gain, swings
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import literal, quoted, short, visible
from pages._shared.common.words import count, method_label, seconds
from pages._shared.components.component_files import component
from pages._shared.components.marked_text.passage_view import remark_popover
from pages._shared.components.passage_cards.cards import (
    Fate,
    evidence_cards,
    fates,
    link_sentence,
    passage_cards,
    title_of,
)
from pages._shared.run.sources import show_hop_sources, show_sources
from pages._shared.run.verdict import NO_NEW_ASPECT, NOT_JUDGED, Proof, proof_of
from pages._shared.trace.branch import branch_button
from pages._shared.trace.model_io import show_model_io
from pages._shared.trace.reasons import show_decision, show_stop_here
from pages._shared.trace.selection import open_passage, select_tab, selected_tab


def show_json(stored: StoredRun, hop: int) -> None:
    """Draw the stored events of a hop, and offer the whole run as a file."""
    mine = [record for record in stored.records if getattr(record.event, "hop", None) == hop]
    st.caption(f"{count(len(mine), 'event')} of this hop as stored; the run has {len(stored.records)}.")
    st.download_button(
        "Download all events of the run (JSON)",
        data=lambda: _as_json(stored.records),
        file_name=f"{stored.row.run_id}-events.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    st.json({f"{r.seq} {r.event.kind}": enveloped(r) for r in mine}, expanded=1)


def _as_json(records: Iterable[Record]) -> str:
    import json

    return json.dumps([enveloped(record) for record in records], ensure_ascii=False, indent=1)


def show_passages(run: RunView, hop: HopView, *, key: str) -> None:
    """Draw a table for each query, then the links that were followed."""
    if not hop.retrieved and not hop.links:
        st.caption(
            "Nothing has been retrieved in this hop yet." if run.status == "running" else "Nothing was retrieved."
        )
    for number, brought in enumerate(hop.retrieved):
        _query(run, hop, brought, key=f"{key}_{hop.hop}_{number}")
    if hop.links:
        st.markdown("**Links followed**")
        for link in hop.links:
            st.markdown(f"- {literal(link_sentence(run, link))} → **{literal(title_of(run, link.target_id))}**")


def _query(run: RunView, hop: HopView, brought: PassagesRetrieved, *, key: str) -> None:
    rows = fates(run, hop, brought.passages)
    read = sum(fate.scored.passage.passage_id in hop.read for fate in rows)
    many = f"{read or 'none'} of them {'was' if read == 1 else 'were'} read in this hop"
    rest = f"{many}, the others are candidates for the evidence" if read < len(rows) else "all read"
    st.markdown(
        f"{quoted(short(brought.query.text, 140))}  \n:small[:gray[{literal(method_label(brought.retriever))} brought "
        f"{count(len(rows), 'passage')}; {rest}.]]"
    )
    if not rows:
        return
    clicked = f"passages_click_{key}"
    st.dataframe(
        [_row(hop, fate) for fate in rows],
        key=f"passages_{key}",
        hide_index=True,
        height="content" if len(rows) <= 10 else "auto",
        alt=f"Passages that the query of hop {hop.hop} brought, with rank, score and what became of them",
        column_config=_columns(rows, clicked),
        on_select="ignore",
    )


def _row(hop: HopView, fate: Fate) -> dict[str, Any]:
    passage = fate.scored.passage
    return {
        "read": "Read",
        "rank": fate.scored.rank,
        "title": visible(passage.title or passage.document_id),
        "fate": fate.fate,  # what became of it is seen beside the lanes without scrolling
        "after": rank_after(hop, fate),
        "score": fate.scored.score,
        "speaks": list(fate.aspects),
        "start": short(passage.text, 160),
    }


def rank_after(hop: HopView, fate: Fate) -> str:
    """Return the rank of a passage among all candidates after the hop, and its change against its query's rank."""
    passage_id = fate.scored.passage.passage_id
    if passage_id not in hop.ranking:
        return "–"
    rank = hop.ranking.index(passage_id) + 1
    moved = fate.scored.rank - rank
    if moved:
        return f"{rank} {'↑' if moved > 0 else '↓'}{abs(moved)}"
    return str(rank)


def _columns(rows: tuple[Fate, ...], clicked: str) -> dict[str, Any]:
    def read() -> None:
        open_passage(rows[st.session_state[clicked].row].scored.passage.passage_id)

    top = max((fate.scored.score for fate in rows), default=1.0)
    return {
        "read": st.column_config.ButtonColumn("", width=64, on_click=read, key=clicked),
        "rank": st.column_config.NumberColumn("Rank", width=52, help="Rank among the passages of this query."),
        "after": st.column_config.TextColumn(
            "Rank after", width=84,
            help="Rank among all candidates after the hop, and how far it moved; – beyond the first 10.",
        ),
        "score": st.column_config.ProgressColumn(
            "Score", format="%.2f", min_value=0.0, max_value=max(top, 1e-6), width=110,
            help="The retriever's own number; the bar is relative to the best of this query.",
        ),
        "title": st.column_config.TextColumn("Title", width=190),
        "fate": st.column_config.TextColumn("Then", width=160),
        "speaks": st.column_config.MultiselectColumn("Quoted for", width=180, color="blue"),
        "start": st.column_config.TextColumn("Begins with", width=330),
    }  # fmt: skip


TABS = ("Evidence", "Passages", "Decision", "Stop here?", "Timing", "Model I/O", "JSON")
SOURCES = "Sources"


def show(stored: StoredRun, number: int | None) -> None:
    """Draw the detail of hop `number`."""
    run = stored.run
    hop = run.hop(number)
    if hop is None:
        return
    _head(run, hop, over=stored.row.over)
    _actions(stored, hop)
    names = (*TABS[:2], SOURCES, *TABS[2:]) if run.sources else TABS
    st.session_state["trace_tab"] = selected_tab(names)
    tabs = st.tabs(list(names), key="trace_tab", on_change=_tab_chosen)
    for name, tab in zip(names, tabs, strict=True):
        if tab.open:
            with tab:
                _body(stored, hop, name)


def _tab_chosen() -> None:
    select_tab(st.session_state["trace_tab"], first=TABS[0])


def _badges(run: RunView, hop: HopView, *, over: bool) -> str:
    """Draw badges for what the hop covered, tried in vain, or lost; else for how it ended."""
    badges = [_covered(name) for name in hop.newly_covered if not proof_of(run, name, upto=hop.hop)]
    if hop.percentage is not None:
        missed = [name for name in hop.targets if name not in hop.newly_covered]
        badges += [f":orange-badge[not found: {literal(name)}]" for name in missed if _still_open(run, hop, name)]
        badges += swing_badges(run, hop)
    if badges or hop.newly_covered:
        return " ".join(badges)
    if not hop.done and run.status == "failed":
        return ":red-badge[failed]"
    if not hop.done and over:
        return ":orange-badge[interrupted]"
    came = NO_NEW_ASPECT if is_english(run.question) else NOT_JUDGED
    return f":gray-badge[{came}]" if hop.percentage is not None else ""


def swing_badges(run: RunView, hop: HopView) -> list[str]:
    """Return badges for the aspects that the evidence of an assessed hop lost, and those it covers again."""
    lost, again = swings(run, hop)
    told = [f":orange-badge[lost: {literal(short(name, 60))}]" for name in lost]
    return told + [f":gray-badge[covered again: {literal(short(name, 60))}]" for name in again]


def _covered(name: str) -> str:
    return f":green-badge[+ {literal(name)}]"


_MOST_GAINS = 6  # of more passages the tabs would begin below a window of 720 pixels


def _head(run: RunView, hop: HopView, *, over: bool) -> None:
    """Draw what the hop gained, the passages behind it, and what was asked."""
    lines = [f"**Hop {hop.hop} of {len(run.hops)}** {_badges(run, hop, over=over)}"]
    gains = _gains(run, hop)
    shown = _MOST_GAINS if len(gains) > _MOST_GAINS + 1 else len(gains)
    lines += [f":small[{line}]" for line in gains[:shown]]
    lines += [f":small[:gray[and {len(gains) - shown} passages more: the lanes show for what]]"] * (shown < len(gains))
    queries = "  ".join(quoted(short(query.text, 120)) for query in hop.queries)
    asked = f"Asked {queries}" if queries else "Asked nothing new: it read passages that were found before."
    st.markdown("  \n".join([*lines, f":small[{asked}]", *_added(run, hop)]))


def _actions(stored: StoredRun, hop: HopView) -> None:
    """Draw a person's note on the hop, and the button to branch from its end."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_hop_actions"):
        remark_popover(stored.row.run_id, "hop", str(hop.hop), label="Note")
        branch_button(stored, hop)


def _added(run: RunView, hop: HopView) -> list[str]:
    """Return what the hop added to coverage, and at what cost, as a line of Markdown."""
    added = gain(run, hop.hop)
    if added is None:
        return []
    cost = f"{count(added.passages, 'passage')} read in {seconds(added.seconds)}"
    if not is_english(run.question):
        return [f":small[{cost[:1].upper()}{cost[1:]}; not judged]"]
    if added.after == added.before:
        return [f":small[Still {added.after:.0%} covered after {cost}]"]
    return [f":small[Covered {added.before:.0%} → **{added.after:.0%}** for {cost}]"]


def _gains(run: RunView, hop: HopView) -> list[str]:
    """Return the passages that covered something in this hop, how each came, and for which aspects if need be."""
    behind: dict[str, list[Proof]] = {}
    for name in hop.newly_covered:
        if proof := proof_of(run, name, upto=hop.hop):
            behind.setdefault(proof.passage_id, []).append(proof)
    return [_gain(proofs, _arrived(run, hop, proofs[0])) for proofs in behind.values()]


def _gain(proofs: Sequence[Proof], came: str) -> str:
    names = " ".join(_covered(short(proof.aspect, 60)) for proof in proofs)
    return f"{names} **{literal(short(proofs[0].title, 80))}**{came}"


def _arrived(run: RunView, hop: HopView, proof: Proof) -> str:
    """Return how the passage came; "" if the hop's only query, which stands below, brought it."""
    arrival = run.arrival(proof.passage_id)
    if arrival is not None and arrival.link is None and arrival.hop == hop.hop and len(hop.queries) == 1:
        return ""
    return f", {literal(proof.came)}" if proof.came else ""


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
        case "Stop here?":
            show_stop_here(run, hop.hop)
        case "Timing":
            _timing(run, hop, key=stored.row.run_id)
        case "Model I/O":
            show_model_io(stored, hop=hop.hop)
        case "JSON":
            show_json(stored, hop.hop)


def _sources(stored: StoredRun, hop: HopView) -> None:
    """Draw what was asked of live sources in this hop, then what they brought to the whole run."""
    show_hop_sources(hop)
    if stored.row.over:
        show_sources(stored.row, stored.run, key="trace", heading="Live sources in the whole run")


_LEAST_CARD = 120  # pixels


def _evidence(run: RunView, hop: HopView, *, key: str) -> None:
    cards = evidence_cards(run, hop)
    if not cards:
        st.caption(_no_evidence(run, hop))
        return
    st.caption(_evidence_words(run, hop, len(cards), fresh=sum(card["fresh"] for card in cards)))
    # They keep their place while their script is loaded: what is below them would stand there, and jump away.
    st.html(f"<style>.st-key-cards_{key} {{min-height: {_LEAST_CARD * len(cards)}px}}</style>")
    passage_cards(cards, key=f"cards_{key}", on_read=open_passage)
    _dropped(run, hop)


def _no_evidence(run: RunView, hop: HopView) -> str:
    if hop.done and not any(event.passages for event in hop.retrieved):
        searched = "The search brought no passage: its words are in none, or too common to be searched for."
        return f"{searched} {_why_it_ended(hop)}".strip()
    if hop.done:
        return "No passage of this hop became evidence. The Passages tab shows what came."
    return "Evidence is chosen at the end of the hop." + ("" if run.status == "running" else " The run ended before.")


def _why_it_ended(hop: HopView) -> str:
    ended = hop.decision is not None and hop.decision.stop
    return "No further hop was tried; the Decision tab says why." if ended else ""


def _evidence_words(run: RunView, hop: HopView, size: int, *, fresh: int) -> str:
    if run.answer is not None and run.answer.abstained:
        which = "The nearest passage" if size == 1 else f"The {count(size, 'nearest passage')}"
        none = "it does not answer" if size == 1 else "none of them answers"
        return f"{which}, {f'not used: {none} the question' if is_english(run.question) else 'not judged'}."
    passages = f"The {count(size, 'passage')}" if size > 1 else "The one passage"
    return f"{passages} kept as evidence after this hop, {_how_new(hop, size, fresh)}."


def _how_new(hop: HopView, size: int, fresh: int) -> str:
    """Return how many passages this hop put into the evidence, even if an earlier hop had retrieved them."""
    if fresh:
        many = f"{fresh} of them " if fresh < size else "all of them " if size > 1 else ""
        return f"{many}new (marked on the left)"
    if hop.newly_covered:
        return "found in earlier hops and read in this one for what it newly covered"
    return "found in earlier hops"


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
        _WATERFALL(key=f"waterfall_{key}", data={"bars": stage_bars(hop), "total": max(hop.ended - hop.started, 0.0)})


_WATERFALL = component("stage_waterfall")


class StageBar(TypedDict):
    """One stage: when it began and how long it took, in seconds since the hop began."""

    name: str
    start: float
    seconds: float


def stage_bars(hop: HopView) -> list[StageBar]:
    """Return the stages of a hop in the order they ran."""
    return [
        StageBar(name=name, start=round(start - hop.started, 6), seconds=round(max(0.0, end - start), 6))
        for name, start, end in hop.stages
    ]
