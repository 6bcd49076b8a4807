"""The grounds of a hop's decision, what the run would have had without more hops, and the life of one aspect."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from adaq_core.export.verdict import fates, own_estimate, plain_reason
from adaq_core.model import AspectScore, QueryAspect, Statement
from adaq_core.trace import AspectLife, HopView, RunView, aspect_life
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import Span, full_stop, literal, quoted, short
from pages._shared.common.words import count, stop_title
from pages._shared.components.answer.view import is_figure
from pages._shared.components.marked_text.passage_view import marked_text
from pages._shared.components.passage_cards.cards import origin_of, title_of
from pages._shared.run.data import aspect_places, stopped_at
from pages._shared.run.verdict import proof_of
from pages._shared.trace.selection import open_passage


def show_decision(run: RunView, hop: HopView) -> None:
    """Draw the state before the hop at the left and after it at the right, the scores below."""
    left, right = st.columns(2, gap="large")
    with left:
        _before(hop)
    with right:
        _after(hop)
    _scores(run, hop)


def _before(hop: HopView) -> None:
    st.markdown("**Before the hop**")
    if hop.why:
        st.markdown(literal(full_stop(hop.why)))
    if hop.open_aspects:
        names = " ".join(f":gray-badge[{n}. {literal(name)}]" for n, name in enumerate(hop.open_aspects, 1))
        st.markdown(f"Open, most important first: {names}")
    for query in hop.queries:
        target = f" for **{literal(query.aspect)}**" if query.aspect else ""
        why = f"  \n:small[:gray[Wording: {literal(query.why)}]]" if query.why else ""
        st.markdown(f"Asked {quoted(query.text)}{target}{why}")
    if hop.rejected:
        st.markdown("Considered and rejected: " + "  ".join(quoted(text) for text in hop.rejected))


def _after(hop: HopView) -> None:
    st.markdown("**After the hop**")
    decision = hop.decision
    if decision is None:
        st.caption("Not decided: the hop has not ended.")
        return
    word = f"**{stop_title(decision.stop_reason)}.**" if decision.stop else "**Continue.**"
    st.markdown(f"{word} {literal(full_stop(plain_reason(decision.reason)))}")
    if decision.next_aspect:
        lead = "One more hop would go after" if decision.stop else "Next"
        st.markdown(f"{lead}: **{literal(decision.next_aspect)}**")
    if decision.next_query:
        st.markdown(f"with {quoted(decision.next_query)}")
    if hop.percentage is not None:
        st.caption(_shares(hop))


def _shares(hop: HopView) -> str:
    covered = f"{hop.percentage:.0%} of the aspects covered, importance-weighted mean score {hop.weighted:.2f}."
    # What ratings say of the estimate stands in the verdict, and may be far from it.
    return f"{covered} {own_estimate(hop.sufficiency, hop.answerable)}".strip()


def _scores(run: RunView, hop: HopView) -> None:
    if not hop.scores:
        return
    before = next((h for h in reversed(run.hops) if h.hop < hop.hop and h.scores), None)
    st.markdown("**Coverage of each aspect**")
    st.markdown(scores_table(run, hop, before))


def scores_table(run: RunView, hop: HopView, before: HopView | None) -> str:
    """Return the coverage of each aspect as a Markdown table; a dataframe takes a browser ten times as long."""
    rows = [_score_row(run, hop, score, before.score(score.aspect) if before else None) for score in hop.scores]
    return "\n".join(["| Aspect | Before | After | Quote behind it |", "|---|--:|--:|---|", *rows])


def _score_row(run: RunView, hop: HopView, score: AspectScore, before: AspectScore | None) -> str:
    proof = run.proof(score.aspect, upto=hop.hop)
    new = " :green-badge[newly covered]" if score.aspect in hop.newly_covered else ""
    parts = ", ".join(f"{name} {value:.2f}" for name, value in (proof.score if proof else score).parts)
    made = f" :gray[({literal(parts)})]" if parts else ""
    quote = literal(short(proof.finding.quote, _QUOTE)) if proof and proof.finding else "–"
    earlier = f"{before.score:.2f}" if before else "–"
    cells = (f"{literal(score.aspect)}{new}", earlier, f"{score.score:.2f}", f"{quote}{made}")
    return f"| {' | '.join(f':small[{cell}]' for cell in cells)} |"


_QUOTE = 160


def show_stop_here(run: RunView, number: int) -> None:
    """Draw what the run would have had, and saved, had it stopped after this hop."""
    at = stopped_at(run, number)
    if at is None or not run.hops:
        return
    if not at.hops_saved:
        st.caption("This is the last hop: the run stopped here.")
    else:
        saved = f"{count(at.hops_saved, 'hop')} and the reading of {count(at.passages_saved, 'passage')}"
        st.markdown(f"Had it stopped after hop {number}, it would have saved **{saved}**.")
    total = len(run.aspects)
    statements = (*at.kept, *at.lost)
    noun = "figure" if all(is_figure(each.text) for each in statements) else "sentence"
    st.markdown(
        f"**{len(at.covered)} of {count(total, 'aspect')}** covered · **{count(len(at.evidence), 'passage')}** kept"
        + (f" · **{len(at.kept)} of {count(len(statements), noun)}** of the answer" if statements else "")
    )
    lines = [
        f":orange-badge[not yet] {literal(name)} :gray[:small[covered in hop {run.covered_at[name]}]]"
        for name in at.later
    ]
    for badge, those in ((":gray-badge[+]", at.kept), (":orange-badge[−]", at.lost)):
        lines += [f"{badge} :small[{literal(short(_told(each), 200))}]" for each in those]
    _paragraphs(lines)
    if at.hops_saved and statements:
        st.caption(r"\+ could already be said; − its evidence was not there yet. A new answer might differ.")


def _told(statement: Statement) -> str:
    """Return a statement on its own: a figure with what it is of."""
    return f"{statement.aspect}: {statement.text}" if is_figure(statement.text) else statement.text


def _paragraphs(lines: Sequence[str]) -> None:
    """Draw lines of Markdown as one element: each further element takes the browser some milliseconds."""
    if lines:
        st.markdown("\n\n".join(lines))


_STATES = {
    "new": ":green-badge[+ newly covered]",
    "kept": ":gray-badge[covered earlier]",
    "missed": ":orange-badge[not found]",
    "open": ":gray-badge[open]",
    "not_run": ":gray-badge[not run]",
}


def show_aspect(stored: StoredRun, number: int) -> None:
    """Draw the life of aspect `number` of the run."""
    run = stored.run
    life = aspect_life(run, run.aspects[number - 1].aspect)
    if life is None:
        return
    _head(run, life, number)
    _proof(run, life)
    st.markdown("**Hop by hop**")
    _hops(life)
    _origin(run, life.aspect, key=f"{stored.row.run_id}_{number}")


def _head(run: RunView, life: AspectLife, number: int) -> None:
    aspect = life.aspect
    left = "open" if run.status == "running" else fates(run).get(aspect.aspect, "open")
    state = f":green-badge[covered in hop {life.covered_at}]" if life.covered_at else f":orange-badge[{left}]"
    weight = f"{'core' if aspect.is_core else 'optional'}, importance {aspect.importance:.2f}"
    st.markdown(
        f"**{literal(aspect.aspect)}** {state}  \n:small[:gray[Aspect {number} of {len(run.aspects)} · {weight}]]"
    )


def _hops(life: AspectLife) -> None:
    tried: dict[int, list[str]] = {}
    for hop, query in life.queries:
        tried.setdefault(hop, []).append(query.text)
    lines = []
    for hop, cell in life.cells:
        score = "" if cell.score is None else f" {cell.score:.2f}"
        queries = "".join(f"  \n{quoted(text)}" for text in tried.get(hop, []))
        lines.append(f"Hop {hop} {_STATES[cell.state]}{score}{queries}")
    _paragraphs(lines)


def _proof(run: RunView, life: AspectLife) -> None:
    best, proof = life.proof, proof_of(run, life.aspect.aspect)
    if best is None or best.finding is None or proof is None:
        st.caption("Nothing in the passages that were read speaks to it.")
        return
    st.markdown("**What covered it**" if life.covered_at else "**The nearest passage**, which does not cover it")
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
    if run.question and aspect.span:
        st.markdown("**Where it comes from in the question**")
        own: tuple[Span, ...] = aspect_places(run.question, run.aspects).get(aspect.aspect, ())
        marked_text(run.question, quotes=own or (aspect.span,), key=f"life_question_{key}")
    if aspect.keywords:
        st.caption("Looked for: " + ", ".join(literal(word) for word in aspect.keywords))
    for constraint in aspect.constraints:
        st.caption(f"Condition ({constraint.kind}): {literal(constraint.text)}")
