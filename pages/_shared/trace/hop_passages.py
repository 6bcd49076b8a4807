"""Everything the queries of a hop brought: rank, score, and what became of each passage."""

from __future__ import annotations

from typing import Any

import streamlit as st

from adaq_core.events import PassagesRetrieved
from adaq_core.trace import HopView, RunView
from pages._shared.common.text import literal, quoted, short, visible
from pages._shared.common.words import count
from pages._shared.run.evidence import Fate, fates, link_sentence, title_of
from pages._shared.trace.selection import open_passage


def show_passages(run: RunView, hop: HopView, *, key: str) -> None:
    """One table for each query, then the links that were followed."""
    if not hop.retrieved and not hop.links:
        st.caption(
            "Nothing has been retrieved in this hop yet." if run.status == "running" else "Nothing was retrieved."
        )
    for number, brought in enumerate(hop.retrieved):
        _query(hop, brought, key=f"{key}_{hop.hop}_{number}")
    if hop.links:
        st.markdown("**Links followed**")
        for link in hop.links:
            st.markdown(f"- {literal(link_sentence(run, link))} → **{literal(title_of(run, link.target_id))}**")


def _query(hop: HopView, brought: PassagesRetrieved, *, key: str) -> None:
    rows = fates(hop, brought.passages, read=brought.read)
    read = min(brought.read, len(rows))
    rest = f"the first {read} were read, the others are candidates for the evidence" if read < len(rows) else "all read"
    st.markdown(
        f"{quoted(short(brought.query.text, 140))}  \n:small[:gray[{literal(brought.retriever)} brought "
        f"{count(len(rows), 'passage')}; {rest}.]]"
    )
    if not rows:
        return
    clicked = f"passages_click_{key}"
    st.dataframe(
        [_row(fate) for fate in rows],
        key=f"passages_{key}",
        hide_index=True,
        height="content" if len(rows) <= 10 else "auto",
        alt=f"Passages that the query of hop {hop.hop} brought, with rank, score and what became of them",
        column_config=_columns(rows, clicked),
        on_select="ignore",
    )


def _row(fate: Fate) -> dict[str, Any]:
    passage = fate.scored.passage
    return {
        "read": "Read",
        "rank": fate.scored.rank,
        "score": fate.scored.score,
        "title": visible(passage.title or passage.document_id),
        "fate": fate.fate,
        "speaks": list(fate.aspects),
        "start": short(passage.text, 160),
    }


def _columns(rows: tuple[Fate, ...], clicked: str) -> dict[str, Any]:
    def read() -> None:
        open_passage(rows[st.session_state[clicked].row].scored.passage.passage_id)

    top = max((fate.scored.score for fate in rows), default=1.0)
    return {
        "read": st.column_config.ButtonColumn("", width=64, on_click=read, key=clicked),
        "rank": st.column_config.NumberColumn("Rank", width=52),
        "score": st.column_config.ProgressColumn(
            "Score", format="%.2f", min_value=0.0, max_value=max(top, 1e-6), width=110,
            help="The retriever's own number; the bar is relative to the best of this query.",
        ),
        "title": st.column_config.TextColumn("Title", width=230),
        "fate": st.column_config.TextColumn("Then", width=170),
        "speaks": st.column_config.MultiselectColumn("Quoted for", width=180, color="blue"),
        "start": st.column_config.TextColumn("Begins with", width=330),
    }  # fmt: skip
