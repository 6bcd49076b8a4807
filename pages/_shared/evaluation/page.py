"""One experiment: what it is, how far it is, and the views of its numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from adaq_core.datasets.beir import NO_JUDGMENT
from adaq_core.errors import AdaqError
from adaq_core.evaluation import Progress, read_progress
from adaq_core.evaluation.request import AT_WORK, Experiment, Summary, cancel, start, started, summary_of
from adaq_core.evaluation.views import methods_of
from adaq_core.evaluation.working import FILE
from pages._shared.common import backend
from pages._shared.common.chrome import object_to, objecting, show_objection
from pages._shared.common.text import literal, sentence
from pages._shared.common.words import ago, count, not_here
from pages._shared.evaluation.cells import STATES, runs_done, stopping_line, terms, title_of, working_line
from pages._shared.evaluation.read import Unreadable, being_started, experiment, listed, summaries, version
from pages._shared.evaluation.views import NOT_JUDGED, VIEWS, is_judged, show_drawer

TICK_SECONDS = 1.0
REDRAW_SECONDS = 4.0
REDRAW_SHARE = 10
_DRAWN = "e_drawn"


def open_experiment(key: str | None) -> None:
    """Show this experiment; None returns to the list."""
    # Not cleared: that is an error while a control is in the address.
    st.query_params.from_dict({"experiment": key} if key else {})
    object_to(None)


def show_experiment(key: str) -> None:
    """Draw the whole page of one experiment."""
    folder = listed().get(key)
    begun = being_started(key)
    if folder is not None:
        summary = summaries([folder])[0]
        if not isinstance(summary, Unreadable):
            _show(summary)
            return
        st.error(literal(summary.why), title="This experiment cannot be read", icon=":material/error:")
    elif begun is not None and begun.error:
        st.error(literal(begun.error), title="The experiment could not start", icon=":material/error:")
    elif begun is not None:
        _starting(key)
    else:
        st.info(
            not_here("experiment with this address"),
            title="Experiment not found",
            icon=":material/search_off:",
        )
    st.button("All experiments", icon=":material/arrow_back:", on_click=open_experiment, args=(None,))


@st.fragment(run_every=TICK_SECONDS)
def _starting(key: str) -> None:
    """Draw the page of an experiment that was begun a moment ago and has no folder yet."""
    begun = being_started(key)
    if key in listed() or begun is None or begun.error:
        st.rerun()
    st.progress(0.0, text="Starting")


def _show(summary: Summary) -> None:
    begun, drawn = time.monotonic(), version(summary.folder)
    st.session_state[_DRAWN] = (begun, drawn, 0.0)
    result = experiment(summary.folder)
    labels = methods_of(result.outcomes) or summary.request.methods
    _head(summary, result, labels)
    show_objection()
    if summary.state in AT_WORK:
        _watch(str(summary.folder), summary.state, numbers=bool(result.outcomes))
    else:
        _ended(summary, result)
    if result.outcomes:
        _body(summary, result)
    st.session_state[_DRAWN] = (time.monotonic(), drawn, time.monotonic() - begun)


def _head(summary: Summary, experiment: Experiment, labels: Sequence[str]) -> None:
    words, colour = STATES[summary.state]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "All experiments", icon=":material/arrow_back:", type="tertiary", on_click=open_experiment, args=(None,)
        )
        st.subheader(literal(title_of(summary)), anchor=False, width="content")
        st.badge(words, color=colour)
        st.caption("" if summary.state in AT_WORK else ago(summary.changed), width="stretch")
        with st.popover("Repeat", icon=":material/terminal:", key="e_repeat"):
            st.caption("This command reproduces the numbers, with one process per core.")
            st.code(summary.request.as_command(), language="bash", wrap_lines=True)
            st.caption("Results, experiment card, plots and TREC run files are in")
            st.code(str(summary.folder), language=None, wrap_lines=True)
    with st.container(gap=None):
        st.caption(literal(terms(summary, labels)))
        for remark in (summary.results or {}).get("config", {}).get("remarks", ()):
            if remark != NO_JUDGMENT:
                st.caption(f":orange[:material/info:] {sentence(str(remark))}")
        if summary.state not in AT_WORK and experiment.outcomes and not is_judged(experiment):
            st.caption(f":orange[:material/info:] {NOT_JUDGED}")
        _where_runs_are(summary, experiment)


@st.fragment(run_every=TICK_SECONDS)
def _watch(folder: str, state: str, *, numbers: bool) -> None:
    """Draw the progress every second; redraw the page when it ends and, now and then, as numbers come in."""
    now = summary_of(Path(folder))
    if now.state != state or _stale(Path(folder)):
        st.rerun()
    progress = read_progress(Path(folder))
    begun = started(Path(folder))
    with st.container(horizontal=True, vertical_alignment="center"):
        share = progress.done / progress.total if progress and progress.total else 0.0
        stopping = begun is not None and begun.job.cancelled
        st.progress(share, text=literal(stopping_line(progress) if stopping else working_line(progress)))
        if begun is not None and begun.running:
            st.button(
                "Stop", icon=":material/stop_circle:", key="e_stop", disabled=stopping, on_click=_stop, args=(folder,)
            )
    goes_on = "it ends by itself." if stopping else "it continues."
    here = f"You can leave this page; {goes_on}" if begun and begun.running else "Another process is working on it."
    if numbers:
        st.caption(f"{here} The numbers below rest on the questions that every method has finished.")
    elif stopping:
        st.caption(here)
    else:
        st.caption(f"{here} Numbers appear once every method has finished a question.")


def _stale(folder: Path) -> bool:
    """Whether there is more to show, and the last drawing was long enough ago for what it cost."""
    at, shown, cost = st.session_state.get(_DRAWN, (0.0, (), 0.0))
    waited = time.monotonic() - at
    reading = "e_of" in st.query_params
    return not reading and waited > max(REDRAW_SECONDS, REDRAW_SHARE * cost) and version(folder) != shown


def how_far(progress: Progress | None, *, questions: int, methods: int) -> str:
    """Draw how far an unfinished experiment came, and what can be done.

    `questions` is how many every one of the `methods` is through with.
    """
    if progress is None or not (progress.total and progress.done):
        return "Nothing is done yet. Resume to begin."
    if progress.done == progress.total:
        return f"All {count(progress.total, 'run')} are done. Resume to write the results."
    done = f"{runs_done(progress)} and kept. Resume to make the other {progress.total - progress.done:,}."
    if not questions:
        return f"{done} No question has been through all methods yet, so there are no numbers to compare."
    of = count(progress.total // methods, "question")
    return f"{done} The numbers below rest on {questions:,} of {of}: those that every method has finished."


def _ended(summary: Summary, experiment: Experiment) -> None:
    failed = sum(bool(outcome.error) for outcome in experiment.outcomes)
    progress = summary.progress
    if summary.error:
        st.error(literal(summary.error), title="It ended early; what is finished is kept", icon=":material/error:")
    if summary.state == "finished" and not failed:
        return
    if summary.state == "finished":
        st.warning(
            f"{count(failed, 'run')} of {len(experiment.outcomes):,} failed. They are left out of every mean and never "
            "count as 0; the view Failed lists them.",
            icon=":material/error:",
        )
    else:
        through = len({outcome.question_id for outcome in experiment.outcomes})
        words = how_far(progress, questions=through, methods=len(methods_of(experiment.outcomes)))
        st.warning(words, title="Not finished", icon=":material/pause_circle:")
    st.button(
        "Try the failed ones again" if summary.state == "finished" else "Resume",
        type="secondary" if summary.state == "finished" else "primary",
        icon=":material/restart_alt:",
        key="e_resume",
        on_click=_resume,
        args=(summary,),
    )


def _body(summary: Summary, experiment: Experiment) -> None:
    failed = sum(bool(outcome.error) for outcome in experiment.outcomes)
    names = [name for name in VIEWS if name != "Failed" or failed]
    first = "Failed" if failed == len(experiment.outcomes) else names[0]
    view = st.segmented_control(
        "View", names, default=first, required=True, key="e_view", bind="query-params", label_visibility="collapsed"
    )
    VIEWS[view if view in names else first](summary, experiment)
    show_drawer(experiment)


def _where_runs_are(summary: Summary, experiment: Experiment) -> None:
    """Say that traces cannot be opened here: the command line may have stored them beside the results."""
    first = next((outcome.run_id for outcome in experiment.outcomes if outcome.run_id), None)
    if not experiment.outcomes or all(outcome.error for outcome in experiment.outcomes):
        return
    if first is None:
        st.caption(":material/link_off: The runs of this experiment were not stored, so no number leads to a trace.")
    elif backend.row(first) is None:
        beside = summary.folder / FILE
        where = f"in {literal(str(beside))}" if beside.is_file() else "in another store"
        st.caption(
            f":material/link_off: The runs of this experiment are {where}, so their traces cannot be opened here."
        )


def _stop(folder: str) -> None:
    try:
        cancel(Path(folder))
    except AdaqError:
        return  # it has just ended by itself, which the next look at it shows


def _resume(summary: Summary) -> None:
    with objecting():
        start(summary.request, store=backend.store(), out=summary.folder)
