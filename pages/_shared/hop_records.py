"""The raw side of a run: what language models were asked and said, and the stored events as JSON."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from adaq_core.events import Event, FellBack, ModelCalled, Record, dump
from adaq_core.trace import RunView
from pages._shared.plain import plain
from pages._shared.stored_run import StoredRun
from pages._shared.words import count


def show_model(run: RunView) -> None:
    """Every call of a language model with its full prompt and reply; what was used instead when one failed."""
    if not run.calls and not run.fell_back:
        st.markdown("No language model was used: aspects, queries and the answer were made by rules from the passages.")
        return
    for number, call in enumerate(run.calls, 1):
        _call(number, call)
    for fell in run.fell_back:
        _fell_back(fell)


def _call(number: int, call: ModelCalled) -> None:
    tokens = [f"{n} {name}" for n, name in ((call.prompt_tokens, "in"), (call.reply_tokens, "out")) if n is not None]
    facts = [
        call.stage,
        call.model,
        ", ".join(tokens) or "tokens not counted",
        *(["from the cache"] if call.cached else []),
    ]
    with st.expander(f"{number}. {plain(' · '.join(facts))}", icon=":material/forum:"):
        st.caption(f"Prompt (hash {plain(call.prompt_hash)})")
        st.code(call.prompt, language=None, wrap_lines=True)
        st.caption("Reply")
        st.code(call.reply, language=None, wrap_lines=True)


def _fell_back(fell: FellBack) -> None:
    with st.expander(plain(f"{fell.stage}: {fell.problem}"), icon=":material/warning:"):
        st.markdown(f"Used instead: {plain(fell.used)}")
        if fell.raw:
            st.code(fell.raw, language=None, wrap_lines=True)


def show_json(stored: StoredRun, hop: int) -> None:
    """The stored events of a hop, and of the whole run as a file."""
    mine = [record for record in stored.records if _hop_of(record.event) == hop]
    st.caption(f"{count(len(mine), 'event')} of this hop as stored; the run has {len(stored.records)}.")
    st.download_button(
        "Download all events of the run (JSON)",
        data=lambda: _as_json(stored.records),
        file_name=f"{stored.row.run_id}-events.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    st.json({f"{r.seq} {r.event.kind}": _envelope(r) for r in mine}, expanded=1)


def _hop_of(event: Event) -> int | None:
    return getattr(event, "hop", None)


def _envelope(record: Record) -> dict[str, object]:
    return {"seq": record.seq, "at": record.at, "elapsed": record.elapsed, "event": dump(record.event)}


def _as_json(records: Iterable[Record]) -> str:
    import json

    return json.dumps([_envelope(record) for record in records], ensure_ascii=False, indent=1)
