"""The limits part of the settings: what bounds every run to come."""

from __future__ import annotations

import streamlit as st

from pages._shared.settings.choice import (
    MOST_CALLS,
    MOST_HOPS,
    MOST_SECONDS,
    MOST_TOKENS,
    MOST_USD,
    chosen,
    keep,
)


def show_limits_part() -> None:
    """Hops and time for every run; tokens, calls and dollars for what a model may cost."""
    st.caption("A run stops at the first limit it meets and still writes its answer. 0 means no limit.")
    with st.container(horizontal=True):
        _number("Hop limit", "hops", 1, MOST_HOPS, 1, "A hop is one search for what is still uncovered.")
        _number("Seconds", "seconds", 0, MOST_SECONDS, 10, "The whole run, the answer included.")
    with st.container(horizontal=True):
        _number("Tokens", "tokens", 0, MOST_TOKENS, 1_000, "What the model reads and writes, all calls together.")
        _number("Model calls", "calls", 0, MOST_CALLS, 1, "How often the model may be asked.")
        st.session_state["limit_usd"] = chosen().usd
        st.number_input(
            "US dollars",
            0.0,
            MOST_USD,
            step=0.01,
            format="%.2f",
            key="limit_usd",
            on_change=_take,
            args=("usd",),
            help="Needs prices in ADAQ_PRICES; models of Ollama cost nothing.",
        )
    if not chosen().model:
        st.caption("Tokens, calls and dollars count only when a model is chosen.")


def _number(label: str, name: str, low: int, high: int, step: int, about: str) -> None:
    st.session_state[f"limit_{name}"] = getattr(chosen(), name)
    st.number_input(label, low, high, step=step, key=f"limit_{name}", on_change=_take, args=(name,), help=about)


def _take(name: str) -> None:
    value = st.session_state[f"limit_{name}"]
    if value is not None:
        keep(**{name: value})
