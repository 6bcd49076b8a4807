"""The life of one aspect: which hops tried it, with which queries, and the evidence that finally covered it."""

from __future__ import annotations

import streamlit as st

from adaq_core.model import QueryAspect
from adaq_core.trace import AspectLife, RunView, aspect_life
from pages._shared.common.backend import StoredRun
from pages._shared.common.parts import Span
from pages._shared.common.text import literal, quoted
from pages._shared.components.marked_text.passage_view import marked_text
from pages._shared.run.evidence import origin_of, title_of
from pages._shared.run.verdict import proof_of
from pages._shared.trace.selection import open_passage

_STATES = {
    "new": ":green-badge[+ newly covered]",
    "kept": ":gray-badge[covered earlier]",
    "missed": ":orange-badge[tried, not found]",
    "open": ":gray-badge[open, not tried]",
    "not_run": ":gray-badge[not run]",
}


def show(stored: StoredRun, number: int) -> None:
    """The life of aspect `number` of the run."""
    run = stored.run
    life = aspect_life(run, run.aspects[number - 1].aspect)
    if life is None:
        return
    _head(run, life, number)
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown("**Hop by hop**")
        _hops(life)
    with right:
        _proof(run, life)
        _origin(run, life.aspect, key=f"{stored.row.run_id}_{number}")


def _head(run: RunView, life: AspectLife, number: int) -> None:
    aspect = life.aspect
    state = f":green-badge[covered in hop {life.covered_at}]" if life.covered_at else ":orange-badge[open]"
    weight = f"{'core' if aspect.is_core else 'optional'}, importance {aspect.importance:.2f}, {aspect.aspect_type}"
    st.markdown(
        f"**{literal(aspect.aspect)}** {state}  \n:small[:gray[Aspect {number} of {len(run.aspects)} · {weight}]]"
    )


def _hops(life: AspectLife) -> None:
    tried: dict[int, list[str]] = {}
    for hop, query in life.queries:
        tried.setdefault(hop, []).append(query.text)
    for hop, cell in life.cells:
        score = "" if cell.score is None else f" {cell.score:.2f}"
        queries = "".join(f"  \n{quoted(text)}" for text in tried.get(hop, []))
        st.markdown(f"Hop {hop} {_STATES[cell.state]}{score}{queries}")


def _proof(run: RunView, life: AspectLife) -> None:
    best, proof = life.proof, proof_of(run, life.aspect.aspect)
    st.markdown("**What covered it**" if life.covered_at else "**The nearest passage**, which does not cover it")
    if best is None or best.finding is None or proof is None:
        st.caption("Nothing in the passages that were read speaks to it.")
        return
    finding = best.finding
    passage = run.passages.get(finding.passage_id)
    marked_text(finding.quote, words=finding.words, key=f"life_quote_{life.aspect.aspect}")
    where = title_of(run, finding.passage_id) + (f" · {origin_of(passage)}" if passage else "")
    parts = ", ".join(f"{name} {value:.2f}" for name, value in best.score.parts)
    st.caption(f"{literal(where)}  \n{literal(proof.came[:1].upper() + proof.came[1:])}", help=literal(parts) or None)
    st.caption(f"Coverage {best.score.score:.2f} after hop {best.hop}")
    if passage:
        st.button(
            "Read passage",
            icon=":material/article:",
            on_click=open_passage,
            args=(finding.passage_id,),
            key="life_read",
        )


def _origin(run: RunView, aspect: QueryAspect, *, key: str) -> None:
    question = run.started.question if run.started else ""
    if question and aspect.span:
        st.markdown("**Where it comes from in the question**")
        span: Span = aspect.span
        marked_text(question, quotes=[span], key=f"life_question_{key}")
    if aspect.keywords:
        st.caption("Looked for: " + ", ".join(literal(word) for word in aspect.keywords))
    for constraint in aspect.constraints:
        st.caption(f"Condition ({constraint.kind}): {literal(constraint.text)}")
