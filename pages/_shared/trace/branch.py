"""A run that goes on from a hop of another one: the form for it, where a run came from, and all runs of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from adaq_core.errors import AdaqError, InputError
from adaq_core.model import Branch, QueryAspect, Settings
from adaq_core.question.aspects import reworded, typed
from adaq_core.store import RunRow
from adaq_core.trace import HopView, RunView, Turn
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import ago, count, method_label
from pages._shared.run.verdict import ICONS
from pages._shared.trace.selection import open_run

_SHOWN = 20
_LONGEST_QUERY = 300  # characters; a field with a limit takes nothing at all of a longer paste
_FORM = "branch_"
_THRESHOLDS = {
    "coverage_threshold": "an aspect counts as covered at",
    "weighted_threshold": "may stop at a mean score of",
    "max_hops": "hop limit",
    "min_hops": "minimum number of hops",
}


def edited(aspects: Sequence[QueryAspect], lines: Sequence[str]) -> tuple[QueryAspect, ...]:
    """Return the edited aspects, one name a line: each is kept, reworded in place, added or removed."""
    names = [" ".join(line.split()) for line in lines if any(character.isalnum() for character in line)]
    known = {aspect.aspect: aspect for aspect in aspects}
    in_place = len(names) == len(aspects)
    made = (
        known.get(name) or (reworded(aspects[place], name) if in_place else typed(name))
        for place, name in enumerate(dict.fromkeys(names))
    )
    return tuple(made)


def branch_of(
    run: RunView, hop: int, *, lines: Sequence[str], query: str, target: str, threshold: float, most: int
) -> Branch:
    """Return what the form changes in the run as it stands; InputError if its query is too long."""
    if len(query) > _LONGEST_QUERY:
        raise InputError(
            f"A hop asks at most {_LONGEST_QUERY} characters, these are {len(query):,}: no run was started. "
            "Say it in fewer words."
        )
    aspects = edited(run.aspects, lines)
    old = run.settings[-1][1] if run.settings else Settings()
    new = replace(old, coverage_threshold=threshold, max_hops=most, min_hops=min(old.min_hops, most))
    return Branch(
        hop,
        aspects=None if aspects == run.aspects else aspects,
        query=" ".join(query.split()),
        target=target,
        settings=None if new == old else new,
    )


def branch_button(stored: StoredRun, hop: HopView) -> None:
    """Draw a button to continue from the end of this hop in another way; nothing where the run cannot."""
    row = stored.row
    if row.method != "adaptive" or row.imported or not row.over or not hop.done:
        return
    label, icon, meaning = "Branch from here", ":material/alt_route:", "Continue from the end of this hop in a new run"
    if st.button(label, icon=icon, type="tertiary", key="trace_branch", help=meaning):
        _dialog(stored, hop)


@st.dialog("Continue another way", width="medium", position="right", icon=":material/alt_route:")
def _dialog(stored: StoredRun, hop: HopView) -> None:
    run, number = stored.run, hop.hop
    kept = "Hop 1 stays as it is" if number == 1 else f"Hops 1 to {number} stay as they are"
    st.caption(f"{kept}. What you change applies from there on, in a new run; this one is not touched.")
    old = run.settings[-1][1] if run.settings else Settings()
    names = [aspect.aspect for aspect in run.aspects]
    with st.form("trace_branch_form", border=False):
        st.text_area("Aspects, one per line: reword, add or remove", "\n".join(names), height=180, key=f"{_FORM}lines")
        empty = "Leave empty: the run chooses the words"
        st.text_input("What the next hop asks", placeholder=empty, key=f"{_FORM}query")
        chosen = "The run chooses the aspect"
        st.selectbox("The aspect it goes after", names, index=None, placeholder=chosen, key=f"{_FORM}target")
        left, right = st.columns(2)
        counts = "An aspect counts as covered at"
        left.number_input(counts, 0.05, 1.0, old.coverage_threshold, 0.05, key=f"{_FORM}threshold")
        right.number_input("Hop limit", 1, 100, max(old.max_hops, number), 1, key=f"{_FORM}most")
        label, icon = f"Continue from hop {number}", ":material/alt_route:"
        started = st.form_submit_button(label, type="primary", icon=icon, on_click=_start, args=(stored, number))
    if started:
        st.rerun()


def _start(stored: StoredRun, hop: int) -> None:
    form = {name: st.session_state[f"{_FORM}{name}"] for name in ("query", "threshold", "most")}
    lines = str(st.session_state[f"{_FORM}lines"]).split("\n")
    target = st.session_state[f"{_FORM}target"] or ""
    try:
        branch = branch_of(stored.run, hop, lines=lines, target=target, **form)
        open_run(backend.runner().branch(stored.row.run_id, branch))
    except AdaqError as error:
        st.session_state["trace_trouble"] = str(error)


def turn_words(turn: Turn) -> str:
    """Return what a person changed, as part of a sentence in Markdown."""
    parts = []
    if turn.added and turn.removed:
        parts.append(f"{_named(turn.added)} in place of {_named(turn.removed)}")
    elif turn.added or turn.removed:
        parts.append(f"{'with' if turn.added else 'without'} {_named(turn.added or turn.removed)}")
    parts += [f"{_THRESHOLDS.get(name, name)} {now:g} (was {was:g})" for name, was, now in turn.thresholds]
    if turn.query:
        parts.append(f"asked {quoted(short(turn.query, 100))}")
    elif turn.target:
        parts.append(f"searched “{literal(turn.target)}” once more")
    return "; ".join(parts)


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"“{literal(short(name, 60))}”" for name in names[:3]) + (" …" if len(names) > 3 else "")


def parent_words(run: RunView) -> str:
    """Return how a run continues another: changed or not, and whether its earlier hops came out differently."""
    other = next((notice.message for notice in run.noticed if notice.stage == "resume"), "")
    turn = run.turns[-1] if run.turns else None
    branched = f"Branched after hop {turn.hop}: {turn_words(turn)}" if turn else ""
    parts = [branched, f":orange[{literal(other)}]" if other else ""]
    return " · ".join(filter(None, parts)) or "Repeated and continued"


def show_parent(row: RunRow, run: RunView) -> None:
    """Draw where a run came from, what was changed, and a link to the difference; nothing for an original run."""
    if not row.parent_id:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_parent"):
        st.markdown(f":small[:material/alt_route: {parent_words(run)}]", width="content")
        if backend.row(row.parent_id) is None:
            st.caption(f"The run it came from, {row.parent_id}, was deleted.", width="content")
            return
        # A page link to the page that is open does not change its address.
        label, parent = f"from {row.parent_id}", (row.parent_id,)
        st.button(label, icon=":material/timeline:", type="tertiary", on_click=open_run, args=parent)
        pair = {"group": f"{row.parent_id},{row.run_id}"}
        st.page_link("compare_baselines.py", label="Difference", icon=":material/difference:", query_params=pair)


def history_popover(row: RunRow) -> None:
    """Draw all runs of this question, newest first; nothing while this is the only one."""
    total = backend.store().count(question=row.question)
    if total < 2:
        return
    with st.popover(f"History: {total}", icon=":material/history:", type="tertiary"):
        st.caption(f"{count(total, 'run')} of this question, the newest first")
        for each in backend.store().runs(question=row.question, limit=_SHOWN):
            _line(each, current=each.run_id == row.run_id)
        if total > _SHOWN:
            st.caption(f"and {total - _SHOWN} older ones: search the list for the question")


def _line(row: RunRow, *, current: bool) -> None:
    covered = f"{row.aspects_covered} of {row.aspects_total}" if row.percentage is not None else "–"
    parent = f" · from {row.parent_id}" if row.parent_id else ""
    words = f"{method_label(row.method)} · {covered} in {count(row.hops, 'hop')} · {ago(row.created_at)}{parent}"
    icon = ICONS[row.outcome].split("[")[1].rstrip("]")
    st.button(
        f"{literal(words)}{' (this one)' if current else ''}",
        key=f"history_{row.run_id}",
        icon=icon,
        type="tertiary",
        disabled=current,
        on_click=open_run,
        args=(row.run_id,),
    )
