"""What a reader of an answer should know of the model: what it was used for, where rules took over, its citations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import FellBack, Record
from adaq_core.trace import RunView
from pages._shared.common.text import coded, literal, short
from pages._shared.run.model_calls import ModelUse, check_line, doing, fell_line, model_use, name_of, noun, use_line
from pages._shared.settings.dialog import open_settings

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_LISTED = 40


def show_use(row: RunRow, records: Sequence[Record]) -> None:
    """Which stages used the model, and behind a badge every place where its reply could not be used."""
    if row.model is None:
        return
    use = model_use(records)
    if use.silent:
        _silent(row, use)
        return
    line, fell = use_line(use, row.model, off=row.settings.ablate), fell_line(use)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/forum: {literal(line)}", width="content")
        if fell:
            with st.popover(literal(fell[:1].upper() + fell[1:]), icon=":material/rule:", type="tertiary"):
                show_fell_back(use)


def show_live_use(row: RunRow, records: Sequence[Record]) -> None:
    """While the run goes on: what the model is doing and for how long, what it did, how often rules took over."""
    if row.model is None:
        return
    use = model_use(records)
    parts = [literal(use_line(use, row.model, off=row.settings.ablate))]
    parts += [f":orange[{literal(fell)}]"] if (fell := fell_line(use)) else []
    if now := doing(records, row.model, off=row.settings.ablate):
        parts.insert(0, f":shimmer[{literal(now)}] {_since(records[-1].at)}")
    st.caption(f":material/forum: {' · '.join(parts)}")


def show_fell_back(use: ModelUse) -> None:
    """A list of what could not be used, why, and what was used instead."""
    for each in use.calls[:_LISTED]:
        for fell in each.fell:
            st.markdown(f"**Call {each.number}, {literal(noun(fell.stage))}.** {_why(fell)}")
    for why, stages in use.unasked.items():
        st.markdown(f"**Not asked for {literal(', '.join(stages))}**: {coded(why)}. Rules were used instead.")
    st.caption("The Trace explorer shows every prompt and reply, under Model I/O.")


def show_check(run: RunView) -> None:
    """What the check of the citations did, with its notes; nothing where it was not asked."""
    check = run.citations_check
    if check is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/fact_check: {check_line(check)}", width="content")
        if check.notes:
            with st.popover("Details of the check", type="tertiary"):
                for note in check.notes[:_LISTED]:
                    st.markdown(literal(short(note, 300)))


def _silent(row: RunRow, use: ModelUse) -> None:
    """No call brought a word: why, in the words of the first."""
    first = next((fell for each in use.calls for fell in each.fell), None) or next(iter(use.not_asked), None)
    with st.container(key="model_silent"):
        st.warning(
            (f"{coded(short(first.problem, 400))} " if first else "") + "The run went by rules instead.",
            title=f"{literal(name_of(row.model))} was not used",
            icon=":material/cloud_off:",
        )
        st.button("Open the settings", icon=":material/settings:", key="silent_settings", on_click=open_settings)


def _why(fell: FellBack) -> str:
    return f"{coded(short(fell.problem, 300))}  \n:small[:gray[Used instead: {literal(fell.used)}]]"


def _since(at: str) -> str:
    passed = (datetime.now(UTC) - datetime.fromisoformat(at).replace(tzinfo=UTC)).total_seconds()
    return f"({max(0.0, passed):.0f} s)"
