"""A run as it goes on: its steps, its coverage, and what a reader should know of the model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import FellBack, Record
from adaq_core.export.verdict import LOST, NO_NEW_ASPECT, NOT_JUDGED, fate, is_whole
from adaq_core.model import QueryAspect
from adaq_core.trace import RunView
from pages._shared.common.text import coded, full_stop, literal, quoted, short
from pages._shared.common.words import seconds
from pages._shared.run.data import CoverageRow, Grid, Step, aspect_places, coverage_rows, grid_of, steps
from pages._shared.run.model_calls import (
    ModelUse,
    check_line,
    doing,
    fell_line,
    gave_up,
    model_use,
    name_of,
    noun,
    shown_instead,
    use_line,
    what_happened,
)
from pages._shared.run.sources import brought
from pages._shared.run.verdict import proof_of
from pages._shared.settings.dialog import open_settings, source_name

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_LISTED = 40


def show_use(row: RunRow, records: Sequence[Record]) -> None:
    """Say which stages used the model, with a badge that lists the replies that could not be used."""
    if row.model is None:
        return
    use = model_use(records)
    if use.silent and row.stop_reason == "user_stop":
        st.caption(f":material/forum: You stopped the run before {literal(name_of(row.model))} had answered.")
        return
    if use.silent:
        _silent(row, use)
        return
    line = use_line(use, row.model, off=row.settings.ablate)
    fell = fell_line(use)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/forum: {literal(line)}", width="content")
        if fell:
            with st.popover(literal(fell[:1].upper() + fell[1:]), icon=":material/rule:", type="tertiary"):
                show_fell_back(use, was_stopped=row.stop_reason == "user_stop")


def show_live_use(row: RunRow, records: Sequence[Record]) -> None:
    """While the run goes on, say what the model is doing, for how long, and how often rules replaced it."""
    if row.model is None or not records:
        return
    use = model_use(records)
    now = doing(records, row.model, off=row.settings.ablate)
    parts = [f":shimmer[{literal(now)}] {_since(records[-1].at)}"] if now else []
    if use.calls or not now:
        parts.append(literal(use_line(use, row.model, off=row.settings.ablate)))
    parts += [f":orange[{literal(fell)}]"] if (fell := fell_line(use)) else []
    st.caption(f":material/forum: {' · '.join(parts)}")


def show_fell_back(use: ModelUse, *, was_stopped: bool) -> None:
    """List the model replies that could not be used, why, and what took their place."""
    for each in use.calls[:_LISTED]:
        for fell in each.fell:
            st.markdown(f"**Call {each.number}, {literal(noun(fell.stage))}.** {_why(fell)}")
    for fell in use.not_asked[:_LISTED]:
        st.markdown(f"**Not asked for the {literal(noun(fell.stage))}.** {_why(fell)}")
    what_to_do = advice(use, was_stopped=was_stopped)
    st.caption(f"{what_to_do} The Trace explorer shows every prompt and reply, under Model I/O.")


def advice(use: ModelUse, *, was_stopped: bool = False) -> str:
    """Return what the reader can do about replies that could not be used."""
    if was_stopped:
        return "“Continue from here” asks the model for the rest."
    if any(gave_up(fell) for fell in use.not_asked):
        return "Once the model answers again, ask again: the replies that came are reused."
    if any(each.fell for each in use.calls):
        return "If this happens often, a larger model may keep better to what it is asked for."
    return "The limits can be raised in the settings."


def show_check(run: RunView) -> None:
    """Say what the check of the citations did, with its notes; draw nothing if it did not run."""
    check = run.citations_check
    if check is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/fact_check: {check_line(check)}", width="content")
        if check.notes:
            with st.popover("Details of the check", type="tertiary"):
                for note in check.notes[:_LISTED]:
                    st.markdown(literal(short(note, 300)))


def _silent(row: RunRow, use: ModelUse) -> None:
    """Say why no call to the model brought a word, in the words of the first failure."""
    first = next((fell for each in use.calls for fell in each.fell), None) or next(iter(use.not_asked), None)
    with st.container(key="model_silent"):
        st.warning(
            (f"{coded(short(what_happened(first), 400))} " if first else "") + "Rules were used instead.",
            title=f"{literal(name_of(row.model))} was not used",
            icon=":material/cloud_off:",
        )
        st.button("Open the settings", icon=":material/settings:", key="silent_settings", on_click=open_settings)


def _why(fell: FellBack) -> str:
    return f"{coded(short(what_happened(fell), 300))}  \n:small[:gray[{literal(shown_instead(fell))}]]"


def _since(at: str) -> str:
    passed = (datetime.now(UTC) - datetime.fromisoformat(at).replace(tzinfo=UTC)).total_seconds()
    return f"({max(0.0, passed):.0f} s)"


def show_hop_under_way(run: RunView) -> None:
    """Say in a few lines what the current hop does and why."""
    result = steps(run)
    if result and result[-1].state == "running":
        with st.container(gap="xxsmall", key="ask_hop_under_way"):
            _step_body(result[-1])


def show_steps(run: RunView, *, open_last: bool = False) -> None:
    """One step per hop; the last can be open. Finished runs of many hops start closed."""
    result = steps(run)
    for step in result:
        last = step is result[-1]
        state = "error" if step.state == "interrupted" else step.state
        status = st.status(step_label(step), state=state, type="step", expanded=open_last and last)
        with status.container():  # leaving a `with status` would mark a running step as complete
            _step_body(step)


def step_label(step: Step) -> str:
    """`Hop 2 · 0.14 s · 3/6 covered  + Revenue impact`, as Markdown."""
    if step.state == "running":
        target = f" for {literal(short(step.targets[0], 48))}" if step.targets else ""
        return f"**Hop {step.hop}** · :shimmer[searching]{target}"
    if step.state == "error":
        return f"**Hop {step.hop}** · :red[failed]"
    if step.state == "interrupted":
        return f"**Hop {step.hop}** · :orange[interrupted]"
    parts = [f"**Hop {step.hop}**", seconds(step.took)]
    if step.covered is None:
        return " · ".join(parts) + f"  :gray-badge[{NOT_JUDGED}]"
    parts.append(f"{step.covered}/{step.of} covered")
    new = [f":green-badge[:material/add: {literal(short(name, 44))}]" for name in step.newly_covered]
    return " · ".join(parts) + "  " + (" ".join(new) if new else f":gray-badge[{NO_NEW_ASPECT}]")


def _step_body(step: Step) -> None:
    if step.why:
        st.caption(literal(full_stop(step.why)))
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
        st.caption(f":material/alt_route: {literal(full_stop(step.decision))}")


# What has more columns would have to be scrolled sideways beside the answer.
_MOST_FACETS = 3


def show_coverage(run: RunView, *, offered: Collection[str] = ()) -> None:
    """List the aspects, each with the hop and the passage that covered it; things by few facets as a matrix.

    Those that are `offered` to be searched again are listed by that.
    """
    if is_whole(run):
        return  # the verdict has said it all
    rows = coverage_rows(run)
    grid = grid_of(run.aspects)
    if grid and len(grid.facets) <= _MOST_FACETS:
        show_grid(grid, {row.aspect.aspect: state_badge(run, row) for row in rows}, marks_of(run.question, run.aspects))
        rows = tuple(row for row in rows if row.aspect in grid.rest)
    rows = tuple(row for row in rows if row.aspect.aspect not in offered)
    if rows:
        badges = [state_badge(run, row) for row in rows]
        table = {"Aspect": [covered_by_line(run, row) for row in rows], "State": badges}
        with st.container(key="ask_states"):
            st.table(table, border="horizontal", hide_index=True, hide_header=True, alt="Aspects and what covered each")


# The colours of the spans in the question. Markdown has four of them: the others are the style's, which knows them by
# their emphasis.
_MARKS = (":blue[■]", ":violet[■]", ":yellow[■]", ":gray[■]", ":red[*■*]", ":primary[**■**]")


def marks_of(question: str, aspects: Sequence[QueryAspect]) -> dict[str, str]:
    """Return the colour class that marks each aspect (or thing and facet of a matrix) in the question."""
    return {name: _MARKS[place % len(_MARKS)] for place, name in enumerate(aspect_places(question, aspects))}


def show_grid(grid: Grid, states: Mapping[str, str], marks: Mapping[str, str]) -> None:
    """Draw things by facets as a table with the state of each aspect, in the colours of the question."""
    table = {"About": [_marked(marks, thing, f"**{literal(thing)}**") for thing in grid.things]}
    for number, facet in enumerate(grid.facets):
        cells = (line[number] for line in grid.cells)
        table[_marked(marks, facet, literal(facet[:1].upper() + facet[1:]))] = [
            states.get(cell.aspect, "–") if cell else "–" for cell in cells
        ]
    st.table(table, border="horizontal", hide_index=True, alt="Things by facets, and the state of each aspect")


def _marked(marks: Mapping[str, str], name: str, shown: str) -> str:
    return f"{marks[name]}\N{NO-BREAK SPACE}{shown}" if name in marks else shown


def covered_by_line(run: RunView, row: CoverageRow) -> str:
    """Return an aspect and, under it, the passage that covered it, as Markdown."""
    name = literal(row.aspect.aspect) + ("" if row.aspect.is_core else " :gray[:small[optional]]")
    proof = proof_of(run, row.aspect.aspect) if row.state == "covered" else None
    return f"{name}  \n:small[:gray[{literal(short(proof.title, 70))}]]" if proof else name


def state_badge(run: RunView, row: CoverageRow) -> str:
    """Return the state of an aspect as a Markdown badge, in words as well as colour."""
    if row.state == "covered":
        return f":green-badge[:material/check: hop {row.hop}]"
    word = fate(run, row)
    return f":{'orange' if word in ('not found', LOST) else 'gray'}-badge[{word}]"
