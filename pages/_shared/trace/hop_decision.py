"""Why a hop did what it did: the aspects open before it, the query it chose, what it found, what was decided after."""

from __future__ import annotations

from typing import Any

import streamlit as st

from adaq_core.model import AspectScore
from adaq_core.trace import HopView, RunView
from pages._shared.common.text import literal, quoted, visible
from pages._shared.common.words import stop_title


def show_decision(run: RunView, hop: HopView) -> None:
    """Before the hop at the left, after it at the right, the scores below."""
    left, right = st.columns(2, gap="large")
    with left:
        _before(hop)
    with right:
        _after(hop)
    _scores(run, hop)


def _before(hop: HopView) -> None:
    st.markdown("**Before the hop**")
    if hop.why:
        st.markdown(literal(hop.why))
    if hop.open_aspects:
        names = " ".join(f":gray-badge[{n}. {literal(name)}]" for n, name in enumerate(hop.open_aspects, 1))
        st.markdown(f"Open, most important first: {names}")
    for query in hop.queries:
        target = f" for **{literal(query.aspect)}**" if query.aspect else ""
        why = f"  \n:small[:gray[Why so worded: {literal(query.why)}]]" if query.why else ""
        st.markdown(f"Asked {quoted(query.text)}{target}{why}")
    if hop.rejected:
        st.markdown("Considered and rejected: " + "  ".join(quoted(text) for text in hop.rejected))


def _after(hop: HopView) -> None:
    st.markdown("**After the hop**")
    decision = hop.decision
    if decision is None:
        st.caption("Not decided: the hop has not come to its end.")
        return
    word = f"**{stop_title(decision.stop_reason)}.**" if decision.stop else "**Go on.**"
    st.markdown(f"{word} {literal(decision.reason)}")
    if decision.next_aspect:
        lead = "One more hop would go after" if decision.stop else "Next"
        st.markdown(f"{lead}: **{literal(decision.next_aspect)}**")
    if decision.next_query:
        st.markdown(f"with {quoted(decision.next_query)}")
    if hop.percentage is not None:
        st.caption(_shares(hop))


def _shares(hop: HopView) -> str:
    sufficiency = "–" if hop.sufficiency is None else f"{hop.sufficiency:.2f}"
    shares = f"Covered {hop.percentage:.0%} · weighted coverage {hop.weighted:.2f} · sufficiency {sufficiency}"
    return shares if hop.answerable is None else f"{shares} · the corpus holds an answer {hop.answerable:.2f}"


def _scores(run: RunView, hop: HopView) -> None:
    if not hop.scores:
        return
    before = next((h for h in reversed(run.hops) if h.hop < hop.hop and h.scores), None)
    st.markdown("**Coverage of each aspect**")
    st.dataframe(
        [_score_row(run, hop, score, before.score(score.aspect) if before else None) for score in hop.scores],
        hide_index=True,
        alt="Coverage of each aspect before and after the hop, and the quote that earned it",
        column_config={
            "aspect": st.column_config.TextColumn("Aspect", width=230),
            "before": st.column_config.NumberColumn("Before", format="%.2f", width=70),
            "after": st.column_config.ProgressColumn("After", format="%.2f", min_value=0.0, max_value=1.0, width=120),
            "state": st.column_config.TextColumn("", width=110),
            "parts": st.column_config.TextColumn("Parts of the score", width=210),
            "quote": st.column_config.TextColumn("Quote behind it", width=440),
        },
    )


def _score_row(run: RunView, hop: HopView, score: AspectScore, before: AspectScore | None) -> dict[str, Any]:
    proof = run.proof(score.aspect, upto=hop.hop)
    return {
        "aspect": visible(score.aspect),
        "before": before.score if before else None,
        "after": score.score,
        "state": "newly covered" if score.aspect in hop.newly_covered else "",
        "parts": ", ".join(f"{name} {value:.2f}" for name, value in (proof.score if proof else score).parts),
        "quote": visible(proof.finding.quote) if proof and proof.finding else "–",
    }
