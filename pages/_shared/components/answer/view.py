"""The answer on a page: sentences by aspect with citation chips that open the passage."""

from __future__ import annotations

import streamlit as st

from adaq_core.model import Answer, Conflict
from adaq_core.trace import RunView
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.components.component_files import component
from pages._shared.components.marked_text.passage_view import show_passage
from pages._shared.run.answer_data import (
    answer_groups,
    cited_passage,
    short_value,
    source_values,
    support,
    table_value,
)

_ANSWER = component("answer")

_WORDS = {
    "covered": "covered in hop",
    "other": "Also found",
    "step": "Worked out from",
    "unsupported": "no passage carries this sentence",
    "doubted": "the model, asked again, doubts that its passages say this",
    "sources": "Sources",
}


def show_answer(run: RunView, *, key: str, sources: bool = True, hops: bool = True) -> None:
    """The answer of a run; a click on a citation opens its passage at the quote. `hops` says when it was found."""
    answer = run.answer
    if answer is None:
        return
    groups, table = answer_groups(run), table_value(answer)
    if not groups and table is None:
        st.markdown(literal(answer.text))
        return
    if answer.abstained:
        st.markdown("**The nearest passages**, which do not answer the question")
    elif not answer.short and not run.covered_at:
        st.markdown("**What the evidence says on it.** No sentence is sure to answer.")
    if not hops:
        groups = [{**group, "hop": None} for group in groups]
    data = {
        "short": short_value(answer),
        "table": table,
        "groups": groups,
        "sources": source_values(run) if sources else [],
        "words": _WORDS,
    }
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
            st.markdown(f":material/compare_arrows: **Sources disagree** on {literal(conflict.about)}")
            _values(conflict)


def _values(conflict: Conflict) -> None:
    numbers = [*conflict.citations, *[None] * len(conflict.values)]
    for column, value, number in zip(st.columns(len(conflict.values)), conflict.values, numbers, strict=False):
        column.markdown(f"**{literal(value)}**")
        column.caption(f"source {number}" if number else "source not named")
