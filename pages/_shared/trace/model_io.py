"""Model I/O: every call of a run in a table, and the chosen one in full: prompt, reply, context, time, fate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages._shared.common.backend import StoredRun
from pages._shared.common.text import coded, literal, visible
from pages._shared.common.words import count, seconds
from pages._shared.components.marked_text.passage_view import marked_text
from pages._shared.run.model_calls import (
    CallView,
    ModelUse,
    fell_line,
    model_use,
    name_of,
    noun,
    shown_instead,
    what_happened,
)
from pages._shared.trace.selection import select_call, selected_call

# More of a text than this makes a browser slow, and nobody reads it on a page; all of it can be downloaded.
MOST_CHARACTERS = 60_000
_ROWS = 7


def show_model_io(stored: StoredRun, *, hop: int) -> None:
    """Draw the model calls of the run; the one in the address, else the first of `hop`, in full."""
    use = model_use(stored.records)
    if not use:
        st.markdown("No language model was used: aspects, queries and the answer were made by rules from the passages.")
        return
    _headline(stored, use)
    for fell in use.not_asked:
        why = f"{coded(what_happened(fell))} {literal(shown_instead(fell))}"
        st.caption(f":orange[:material/block:] Not asked for the {literal(noun(fell.stage))}. {why}")
    chosen = _chosen(use.calls, hop)
    if chosen is None:
        return
    _table(use.calls, chosen, key=f"calls_{stored.row.run_id}_{hop}")
    _call(chosen, key=stored.row.run_id)


def _headline(stored: StoredRun, use: ModelUse) -> None:
    cost = stored.run.cost
    parts = [name_of(stored.row.model), count(len(use.calls), "call")]
    parts.append(f"{cost.prompt_tokens:,} tokens read, {cost.reply_tokens:,} written")
    parts += [fell] if (fell := fell_line(use)) else []
    st.caption(literal(" · ".join(parts)))


def _chosen(calls: Sequence[CallView], hop: int) -> CallView | None:
    named = next((each for each in calls if each.number == selected_call()), None)
    of_hop = [each for each in calls if each.hop == hop]
    troubled = [each for each in of_hop if each.fell]
    return named or next(iter((*troubled, *of_hop, *calls)), None)


def _table(calls: Sequence[CallView], chosen: CallView, *, key: str) -> None:
    def picked() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        if rows:
            select_call(calls[rows[0]].number)

    st.dataframe(
        [call_row(each) for each in calls],
        hide_index=True,
        height="auto" if len(calls) <= _ROWS else 248,
        key=key,
        on_select=picked,
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [chosen.number - 1], "columns": [], "cells": []}},
        placeholder="",
        alt="The calls of the language model: what for, tokens, share of the context, time, and whether it was used",
        column_config={
            "n": st.column_config.NumberColumn("Call", width=50),
            "hop": st.column_config.NumberColumn("Hop", width=50, help="Empty: before the first or after the last."),
            "stage": st.column_config.TextColumn("For", width=90),
            "read": st.column_config.NumberColumn("Tokens read", format="localized", width=95),
            "wrote": st.column_config.NumberColumn("Written", format="localized", width=75),
            "context": st.column_config.ProgressColumn(
                "Of the context", format="%.0f%%", min_value=0.0, max_value=100.0, width=130
            ),
            "took": st.column_config.TextColumn(
                "Took", width=75, help="About: the stage's own work is in it. – where several calls came in one go."
            ),
            "fate": st.column_config.TextColumn("Reply", width=110),
            "notes": st.column_config.TextColumn("Remarks", width=330),
        },
    )


def call_row(each: CallView) -> dict[str, Any]:
    """Return a call as a row of the table; unknown values are empty."""
    call = each.call
    remarks = ["reused from earlier"] if call.cached else []
    remarks += [fell.problem for fell in each.fell] + list(call.notes)
    return {
        "n": each.number,
        "hop": each.hop,
        "stage": noun(call.stage),
        "read": call.prompt_tokens,
        "wrote": call.reply_tokens,
        "context": None if each.share_of_context is None else 100 * each.share_of_context,
        "took": seconds(each.seconds),
        "fate": each.fate,
        "notes": visible("; ".join(remarks)),
    }


def _call(each: CallView, *, key: str) -> None:
    call = each.call
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**Call {each.number}**, {literal(noun(call.stage))}, by {literal(call.model)}",
            width="stretch",
        )
        form = st.segmented_control(
            "Shown",
            ["Rendered", "Raw"],
            default="Rendered",
            required=True,
            key="call_form",
            label_visibility="collapsed",
        )
    _meter(each)
    for fell in each.fell:
        st.warning(f"{coded(what_happened(fell))} {literal(shown_instead(fell))}", icon=":material/rule:")
    for note in call.notes:
        st.caption(f":orange[:material/content_cut:] {literal(note)}")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _text("Prompt", call.prompt, raw=form == "Raw", key=f"{key}_{each.number}_prompt", code=False)
    with right:
        _text("Reply", call.reply, raw=form == "Raw", key=f"{key}_{each.number}_reply", code=True)


def _meter(each: CallView) -> None:
    call = each.call
    if each.share_of_context is None or call.num_ctx is None or call.prompt_tokens is None:
        st.caption("The server did not count the tokens of this prompt." if call.reply else "No reply came.")
        return
    text = f"The prompt took {call.prompt_tokens:,} of {call.num_ctx:,} tokens that the model can take"
    st.progress(min(1.0, each.share_of_context), text=f":small[{text} ({each.share_of_context:.0%})]")


def _text(label: str, text: str, *, raw: bool, key: str, code: bool) -> None:
    """Draw a foreign text, as it came or made readable; never as Markdown or HTML."""
    st.caption(f"{label}, {count(len(text), 'character')}")
    if not text.strip():
        st.caption("Empty.")
        return
    short = text[:MOST_CHARACTERS]
    with st.container(border=True, key=f"text_{key}"):
        value = None if raw or not code else readable(text)
        if value is not None:
            st.code(value[:MOST_CHARACTERS], language="json", wrap_lines=True)
        elif raw:
            st.code(short, language=None, wrap_lines=True)
        else:
            marked_text(visible(short), key=f"model_text_{key}")
    if len(text) > MOST_CHARACTERS:
        st.caption(f"The first {MOST_CHARACTERS:,} characters are shown.")
        st.download_button(
            "Download all of it", data=text, file_name=f"{label.lower()}.txt", key=f"all_{key}", on_click="ignore"
        )


def readable(reply: str) -> str | None:
    """Return the JSON in a reply, indented; None if it holds none that can be read."""
    from adaq_core.llm.json_reply import read_json

    if not reply.lstrip().startswith(("{", "[", "`")):
        return None
    value = read_json(reply).value
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, indent=2)
