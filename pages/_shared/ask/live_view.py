"""A run as it happens: hops as steps, the coverage list filling. Also how a finished run shows its hops."""

from __future__ import annotations

import streamlit as st

from adaq_core.trace import RunView
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import percent, seconds
from pages._shared.run.data import CoverageRow, Step, coverage_rows, covered_count, steps
from pages._shared.run.sources import brought
from pages._shared.run.verdict import proof_of
from pages._shared.settings.sources import source_name


def show_steps(run: RunView, *, open_last: bool = False) -> None:
    """One step per hop; the last can be open. Finished runs of many hops start closed."""
    found = steps(run)
    for step in found:
        last = step is found[-1]
        status = st.status(step_label(step), state=step.state, type="step", expanded=open_last and last)
        with status.container():  # leaving a `with status` would mark a running step as complete
            _step_body(step)


def step_label(step: Step) -> str:
    """`Hop 2 · 0.14 s · 3/6 covered  + Revenue impact`, as Markdown."""
    if step.state == "running":
        target = f" for {literal(short(step.targets[0], 48))}" if step.targets else ""
        return f"**Hop {step.hop}** · :shimmer[searching]{target}"
    parts = [f"**Hop {step.hop}**", seconds(step.took)]
    if step.state == "error":
        return " · ".join([*parts, ":red[failed]"])
    if step.covered is not None:
        parts.append(f"{step.covered}/{step.of} covered")
    new = [f":green-badge[:material/add: {literal(short(name, 44))}]" for name in step.newly_covered]
    return " · ".join(parts) + "  " + (" ".join(new) if new else ":gray-badge[nothing new]")


def _step_body(step: Step) -> None:
    if step.why:
        st.caption(literal(step.why))
    for query in step.queries:
        st.markdown(f":material/search: {quoted(short(query, 160))}")
    for words in brought(step.searched):
        st.caption(f":material/public: {literal(words)}")
    if step.asked and not step.searched and step.state == "running":
        st.caption(f":material/public: :shimmer[Asking {literal(', '.join(map(source_name, step.asked)))}]")
    if step.titles:
        shown = "; ".join(literal(short(title, 60)) for title in step.titles[:6])
        more = f" and {len(step.titles) - 6} more" if len(step.titles) > 6 else ""
        st.caption(f"Read: {shown}{more}")
    if step.decision:
        st.caption(f":material/alt_route: {literal(step.decision)}")


def show_coverage(run: RunView, *, live: bool = False) -> None:
    """The aspects under a bar, each with the hop that covered it and the passage that did."""
    rows = coverage_rows(run)
    if not rows:
        st.skeleton(height=120)
        return
    done = covered_count(run)
    st.progress(done / len(rows), text=f"**{done} of {len(rows)}** {'aspect' if len(rows) == 1 else 'aspects'} covered")
    table = {"Aspect": [_name(run, row) for row in rows], "State": [state_badge(row, live=live) for row in rows]}
    st.table(table, border="horizontal", hide_index=True, hide_header=True, alt="Aspects and what covered each")


def _name(run: RunView, row: CoverageRow) -> str:
    name = literal(row.aspect.aspect) + ("" if row.aspect.is_core else " :gray[:small[optional]]")
    proof = proof_of(run, row.aspect.aspect) if row.state == "covered" else None
    return f"{name}  \n:small[:gray[{literal(short(proof.title, 70))}]]" if proof else name


def state_badge(row: CoverageRow, *, live: bool) -> str:
    """The state of an aspect as a Markdown badge; words as well as colour."""
    if row.state == "covered":
        fresh = live and row.newest
        return f":green-badge[{':material/add: new · ' if fresh else ':material/check: '}hop {row.hop}]"
    if row.state == "tried":
        near = f" · {percent(row.score)}" if row.score else ""
        return f":orange-badge[not found yet{near}]" if live else f":orange-badge[not found{near}]"
    if row.state == "not_run":
        return ":gray-badge[not run]"
    return ":gray-badge[open]" if live else ":gray-badge[not tried]"
