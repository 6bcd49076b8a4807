"""A run as it happens: hops as steps, the coverage list filling. Also how a finished run shows its hops."""

from __future__ import annotations

import streamlit as st

from adaq_core.trace import RunView
from pages._shared.literal_text import seconds
from pages._shared.plain import plain, quoted, short
from pages._shared.run_data import CoverageRow, Step, coverage_rows, covered_count, steps
from pages._shared.run_sources import brought
from pages._shared.settings_sources import source_name
from pages._shared.words import percent


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
        target = f" for {plain(short(step.targets[0], 48))}" if step.targets else ""
        return f"**Hop {step.hop}** · :shimmer[searching]{target}"
    parts = [f"**Hop {step.hop}**", seconds(step.took)]
    if step.state == "error":
        return " · ".join([*parts, ":red[failed]"])
    if step.covered is not None:
        parts.append(f"{step.covered}/{step.of} covered")
    new = [f":green-badge[:material/add: {plain(short(name, 44))}]" for name in step.newly_covered]
    return " · ".join(parts) + "  " + (" ".join(new) if new else ":gray-badge[nothing new]")


def _step_body(step: Step) -> None:
    if step.why:
        st.caption(plain(step.why))
    for query in step.queries:
        st.markdown(f":material/search: {quoted(short(query, 160))}")
    for words in brought(step.searched):
        st.caption(f":material/public: {plain(words)}")
    if step.asked and not step.searched and step.state == "running":
        st.caption(f":material/public: :shimmer[Asking {plain(', '.join(map(source_name, step.asked)))}]")
    if step.titles:
        shown = "; ".join(plain(short(title, 60)) for title in step.titles[:6])
        more = f" and {len(step.titles) - 6} more" if len(step.titles) > 6 else ""
        st.caption(f"Read: {shown}{more}")
    if step.decision:
        st.caption(f":material/alt_route: {plain(step.decision)}")


def show_coverage(run: RunView, *, live: bool = False) -> None:
    """The aspects with the hop that covered each, under a bar."""
    rows = coverage_rows(run)
    if not rows:
        st.skeleton(height=120)
        return
    done = covered_count(run)
    st.progress(done / len(rows), text=f"**{done} of {len(rows)}** {'aspect' if len(rows) == 1 else 'aspects'} covered")
    table = {"Aspect": [_name(row) for row in rows], "State": [state_badge(row, live=live) for row in rows]}
    st.table(table, border="horizontal", hide_index=True, hide_header=True, alt="Aspects and the hop that covered each")


def _name(row: CoverageRow) -> str:
    name = plain(row.aspect.aspect)
    return name if row.aspect.is_core else f"{name} :gray[:small[optional]]"


def state_badge(row: CoverageRow, *, live: bool) -> str:
    """The state of an aspect as a Markdown badge; words as well as colour."""
    if row.state == "covered":
        fresh = live and row.newest
        return f":green-badge[{':material/add: new · ' if fresh else ':material/check: '}hop {row.hop}]"
    if row.state == "tried":
        near = f" · {percent(row.score)}" if row.score else ""
        return f":orange-badge[not found yet{near}]" if live else f":orange-badge[not found{near}]"
    return ":gray-badge[open]" if live else ":gray-badge[not tried]"
