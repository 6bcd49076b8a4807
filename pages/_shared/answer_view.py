"""The answer on a page: sentences by aspect with citation chips that open the passage."""

from __future__ import annotations

import streamlit as st

from adaq_core.model import Answer, Conflict
from adaq_core.trace import RunView
from pages._shared.answer_data import answer_groups, cited_passage, source_values, support
from pages._shared.component_files import component
from pages._shared.passage_view import show_passage
from pages._shared.plain import plain
from pages._shared.words import count

_ANSWER = component("answer")

_WORDS = {
    "covered": "covered in hop",
    "other": "Also found",
    "unsupported": "no passage carries this sentence",
    "doubted": "the model, asked again, doubts that its passages say this",
    "sources": "Sources",
}


def show_answer(run: RunView, *, key: str, sources: bool = True, hops: bool = True) -> None:
    """The answer of a run; a click on a citation opens its passage at the quote. `hops` says when it was found."""
    answer = run.answer
    if answer is None:
        return
    groups = answer_groups(run)
    if not groups:
        st.markdown(plain(answer.text))
        return
    if answer.abstained:
        st.markdown("**The nearest that was found.** It does not answer the question.")
    elif not any(group["hop"] for group in groups):
        st.markdown("**The nearest that was found.** No aspect of the question is covered for certain.")
    if not hops:
        groups = [{**group, "hop": None} for group in groups]
    data = {"groups": groups, "sources": source_values(run) if sources else [], "words": _WORDS}
    chosen = _ANSWER(key=key, data=data, on_cite_change=lambda: None)
    opened = cited_passage(run, int(chosen.cite)) if chosen.cite else None
    if opened:
        show_passage(opened[0], spans=opened[1])


def support_line(run: RunView) -> str:
    """One line on how well the sentences are supported and who wrote them; empty without an answer."""
    if run.answer is None or not run.answer.statements:
        return ""
    carried, total = support(run.answer)
    by = "Written by the language model. " if run.answer_by == "model" else ""
    if carried == total:
        return f"{by}Every sentence names the passage that carries it; a number opens it at the quote."
    return f"{by}{carried} of {count(total, 'sentence')} carried by a passage; the others are marked."


def show_conflicts(answer: Answer, *, key: str) -> None:
    """Sources that disagree, side by side."""
    for number, conflict in enumerate(answer.conflicts):
        with st.container(border=True, key=f"{key}_conflict_{number}"):
            st.markdown(f":material/compare_arrows: **Sources disagree** on {plain(conflict.about)}")
            _values(conflict)


def _values(conflict: Conflict) -> None:
    numbers = [*conflict.citations, *[None] * len(conflict.values)]
    for column, value, number in zip(st.columns(len(conflict.values)), conflict.values, numbers, strict=False):
        column.markdown(f"**{plain(value)}**")
        column.caption(f"source {number}" if number else "source not named")
