"""A card for each method of a comparison; they fill while the runs go on, each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from adaq_core.errors import AdaqError
from pages._shared.common import backend
from pages._shared.common.meaning import making
from pages._shared.common.text import literal, short
from pages._shared.common.words import count, seconds, signed
from pages._shared.components.coverage_lanes.lanes import lanes_thumbnail
from pages._shared.run.comparison import Card, Column, cards
from pages._shared.run.lanes_data import lanes_data
from pages._shared.run.verdict import ICONS, verdict, verdict_help

TICK_SECONDS = 0.6
_TRACE = "trace_explorer.py"
_PAGES = Path(__file__).parents[2]


def show_cards(group: str, columns: Sequence[Column], reference: str | None) -> None:
    """The cards; while a run goes on they are looked at again and again."""
    if any(column.running for column in columns):
        _live(group, tuple(column.method for column in columns), reference, sum(c.running for c in columns))
    else:
        _draw(columns, reference)


@st.fragment(run_every=TICK_SECONDS)
def _live(group: str, methods: tuple[str, ...], reference: str | None, were_running: int) -> None:
    rows = [row for row in backend.group_rows(group) if row.method in methods]
    if sum(not row.over for row in rows) != were_running:
        st.rerun()
    _draw([Column(row.run_id, row.method, backend.run_view(row), row.status) for row in rows], reference)


def _draw(columns: Sequence[Column], reference: str | None) -> None:
    base = next((column.label for column in columns if column.method == reference), "")
    axis = max((len(column.view.hops) for column in columns), default=0)
    for place, card in zip(st.columns(max(1, len(columns))), cards(columns, reference), strict=False):
        with place, st.container(border=True, height="stretch", gap="xsmall"):
            _card(card, base, axis=axis)


def _card(card: Card, base: str, *, axis: int) -> None:
    st.markdown(f"**{card.column.label}**")
    if card.column.running:
        st.caption(f":shimmer[{_doing(card)}]")
    covered = "–" if card.covered is None else str(card.covered)
    st.metric(
        "Aspects covered",
        f"{covered} / {card.of or '–'}",
        delta=_delta(card, base),
        delta_color="off",
        delta_arrow="off",
        label_visibility="collapsed",
    )
    st.caption(
        f"{count(card.passages_read, 'passage')} read · {count(card.hops, 'hop')} · {seconds(card.seconds)}"
        + (f" · {card.tokens:,} tokens" if card.tokens is not None else " · no model")
    )
    if card.column.view.last_assessed and not card.column.running:
        lanes_thumbnail(
            lanes_data(card.column.view, thumbnail=True, axis=axis), key=f"compare_lanes_{card.column.run_id}"
        )
    if not card.column.running:
        _verdict(card.column)
    if card.column.failed:
        _failed(card.column)
    if (_PAGES / _TRACE).exists():
        st.page_link(_TRACE, label="Open trace", icon=":material/timeline:", query_params={"run": card.column.run_id})


def _verdict(column: Column) -> None:
    said = verdict(column.view, interrupted=column.failed)
    st.markdown(f":small[{ICONS[said.outcome]} {literal(said.title)}. {literal(said.why)}]", help=verdict_help(said))
    if said.missing:
        st.markdown(f":small[**Missing:** {literal(said.missing)}]")


def _doing(card: Card) -> str:
    if card.hops:
        return "running"
    row = backend.row(card.column.run_id)
    return (making(backend.library(), row.corpus) if row else "") or "waiting to start"


def _delta(card: Card, base: str) -> str:
    if card.reference:
        return "reference"
    return "–" if card.delta is None else f"{signed(card.delta)} to {base}"


def _failed(column: Column) -> None:
    words = column.view.reason or "The run was cut off."
    st.caption(f":red[:material/error: {literal(short(words.splitlines()[0], 120))}]")
    st.button(
        "Retry", icon=":material/restart_alt:", key=f"compare_retry_{column.run_id}", on_click=_retry, args=(column,)
    )


def _retry(column: Column) -> None:
    try:
        backend.runner().resume(column.run_id)
    except AdaqError as error:
        st.session_state.ask_objection = str(error)
