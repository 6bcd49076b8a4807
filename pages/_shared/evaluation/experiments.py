"""The experiments there are; without any, what an experiment is and a first one to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from adaq_core.evaluation.request import AT_WORK, Summary, default_reference, experiments_at
from adaq_core.evaluation.results import shown
from adaq_core.evaluation.variants import SUBJECT
from pages._shared.common.chrome import show_objection
from pages._shared.common.text import literal
from pages._shared.common.words import ago, count, measure_label
from pages._shared.corpus.data import same_computer
from pages._shared.evaluation.cells import (
    STATES,
    headline_measure,
    progress_line,
    runs_done,
    terms,
    title_of,
    variant_label,
)
from pages._shared.evaluation.new import SMOKE, begin, show_new, start_asked_for
from pages._shared.evaluation.page import open_experiment
from pages._shared.evaluation.read import Unreadable, add_outside, forget_outside, listed, outside, summaries

PER_PAGE = 8
TICK_SECONDS = 2.0


def show_list() -> None:
    """Draw the page without an experiment chosen."""
    st.title("Evaluation", anchor=False)
    start_asked_for()
    show_objection()
    result = listed()
    if not result:
        _first()
        with st.expander("Set up an experiment", icon=":material/tune:", key="e_new"):
            show_new()
        _add()
        return
    with st.expander("New experiment", icon=":material/add:", expanded=False, key="e_new"):
        show_new()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{count(len(result), 'experiment')}**", width="stretch")
        _add()
    pages = -(-len(result) // PER_PAGE)
    page = st.pagination(pages, key="e_page", bind="query-params") if pages > 1 else 1
    shown_here = list(result.items())[(page - 1) * PER_PAGE : page * PER_PAGE]
    _rows(shown_here)


def headline(results: Mapping[str, object] | None) -> str:
    """Return the headline measure for ADAQ and the reference as text; "" if they have none in common."""
    methods = (results or {}).get("methods")
    if not isinstance(methods, Mapping):
        return ""
    labels = list(methods)
    one = SUBJECT if SUBJECT in labels else labels[0]
    other = default_reference([label for label in labels if label != one]) if len(labels) > 1 else ""
    means = {label: _means(methods[label]["measures"]) for label in (one, other) if label}
    name = headline_measure([name for name in means[one] if all(name in mean for mean in means.values())])
    if name is None:
        return ""
    means_shown = (f"{literal(variant_label(label))} {shown(name, mean[name])}" for label, mean in means.items())
    return f"{measure_label(name)}: {', '.join(means_shown)}"


def _means(measures: Mapping[str, Any]) -> dict[str, float]:
    return {name: value["mean"] for name, value in measures.items() if value.get("mean") is not None}


def _first() -> None:
    with st.container(border=True):
        st.markdown("**No experiment yet**")
        st.markdown(
            "An experiment runs **methods** on a **set of questions** whose answers were judged beforehand, under the "
            "same conditions for all, and measures how much of the judged evidence each one finds, what it costs, and "
            "whether ADAQ knows when it has found everything. Every number has an interval and leads to its runs."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Try it with 10 questions",
                type="primary",
                icon=":material/play_arrow:",
                on_click=begin,
                args=(SMOKE,),
                key="e_smoke",
            )
            names = ", ".join(variant_label(name) for name in SMOKE.methods)
            st.caption(f"{names} on 10 of the bundled general questions; less than a minute, no network, no model.")


@st.fragment(run_every=TICK_SECONDS)
def _live(keys: Sequence[str], folders: Sequence[Path], at_work: int) -> None:
    now = summaries(folders)
    if sum(isinstance(each, Summary) and each.state in AT_WORK for each in now) != at_work:
        st.rerun()
    _draw(keys, now)


def _rows(named: Sequence[tuple[str, Path]]) -> None:
    keys = [key for key, _ in named]
    folders = [folder for _, folder in named]
    now = summaries(folders)
    at_work = sum(isinstance(each, Summary) and each.state in AT_WORK for each in now)
    if at_work:
        _live(keys, folders, at_work)
    else:
        _draw(keys, now)


def _draw(keys: Sequence[str], summaries: Sequence[Summary | Unreadable]) -> None:
    for key, each in zip(keys, summaries, strict=True):
        with st.container(border=True, gap=None):
            if isinstance(each, Unreadable):
                st.markdown(literal(each.folder.name))
                st.caption(f":red[:material/error: {literal(each.why)}]")
            else:
                _row(key, each)


def _row(key: str, summary: Summary) -> None:
    words, colour = STATES[summary.state]
    labels = list(summary.results["methods"]) if summary.results else list(summary.request.methods)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"**{literal(title_of(summary))}**",
            key=f"e_open_{key}",
            icon=":material/monitoring:",
            type="tertiary",
            on_click=open_experiment,
            args=(key,),
        )
        st.badge(words, color=colour)
        failed = summary.progress.failed if summary.progress else 0
        if failed:
            st.badge(f"{failed:,} failed", color="red")
        st.caption(headline(summary.results), width="stretch")
        st.caption(ago(summary.changed), width="content")
    if summary.progress and summary.state != "finished":
        line = progress_line if summary.state in AT_WORK else runs_done
        st.caption(literal(line(summary.progress)))
    if summary.error:
        st.caption(f":red[:material/error: {literal(summary.error)}]")
    st.caption(literal(terms(summary, labels)))


def _add() -> None:
    """Draw the form that adds results which the command line wrote elsewhere."""
    if not same_computer(server=st.get_option("server.address"), browser=st.context.ip_address):
        return
    with st.popover("Open results from another folder", icon=":material/folder_open:", type="tertiary", key="e_add"):
        typed = st.text_input("Folder with results of an experiment", key="e_folder", placeholder="/home/me/results")
        path = Path(typed).expanduser() if typed else None
        holds = bool(path and path.is_dir() and experiments_at(path))
        if path and not holds:
            st.caption(":orange[:material/warning: There is no experiment in this folder.]")
        st.button("Show them here", disabled=not holds, on_click=_added, args=(path,), key="e_add_folder")
        for each in outside():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(literal(str(each)) + ("" if each.is_dir() else " (no longer there)"), width="stretch")
                st.button("Remove from the list", key=f"e_forget_{each}", on_click=forget_outside, args=(each,))


def _added(path: Path | None) -> None:
    if path:
        add_outside(path)
