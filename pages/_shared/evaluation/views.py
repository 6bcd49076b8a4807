"""The views of an experiment's numbers: leaderboard, slices, hops, sufficiency, failed runs; and the drawer."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from adaq_core.evaluation.request import Experiment, Summary, default_reference
from adaq_core.evaluation.results import BY_NAME, COMPARED, TABLE
from adaq_core.evaluation.views import SliceBy, coverage_at_hop, methods_of, reliability, slices, win_tie_loss
from pages._shared.common.chrome import level_row
from pages._shared.common.text import literal, short
from pages._shared.common.words import count, measure_label
from pages._shared.components.evaluation_board.board import show_board
from pages._shared.evaluation.behind import Choice, behind, bins_board, slices_board, stops_board
from pages._shared.evaluation.cells import (
    FIRST_MEASURES,
    leaderboard_board,
    measures_shown,
    overview,
    variant_label,
)
from pages._shared.evaluation.charts import (
    COSTS,
    OWN,
    QUANTITIES,
    curve_figure,
    curve_words,
    reliability_figure,
    reliability_words,
    tally_figure,
    tally_words,
)
from pages._shared.evaluation.controls import (
    PARAMETER,
    chart,
    choose,
    choose_measure,
    choose_pair,
    choose_reference,
    copying,
    places,
    run_link,
    show_behind,
)
from pages._shared.evaluation.questions import (
    board_table,
    leaderboard_table,
    plain_table,
    reliability_table,
    show_questions,
    slices_table,
    tallies_table,
)
from pages._shared.evaluation.read import board_rows

GROUPS = {
    "Overview": FIRST_MEASURES,
    "Answers": tuple(m.name for m in TABLE if m.group in ("exam", "answer", "judges")),
    "Evidence": tuple(m.name for m in TABLE if m.group == "evidence"),
    "Returned set": tuple(m.name for m in TABLE if m.group == "set"),
    "Subtopics": tuple(m.name for m in TABLE if m.group == "subtopics"),
    "Own estimate": tuple(m.name for m in TABLE if m.group == "own estimate"),
    "Cost": tuple(m.name for m in TABLE if m.group == "cost"),
}
# From so many judged runs on, a point of the diagram no longer rests on one or two.
_FEW = 30
SLICES: dict[SliceBy, str] = {
    "kind": "Question type",
    "gold": "Gold documents",
    "aspects": "Aspects planned",
    "words": "Question length",
}


NOT_JUDGED = "No question that was run has judged evidence, so what a method finds is not measured."


def is_judged(experiment: Experiment) -> bool:
    """Whether any question that was run has judgments of its evidence."""
    return any(outcome.complete is not None for outcome in experiment.outcomes)


def show_leaderboard(summary: Summary, experiment: Experiment) -> None:
    """Draw every method with its means, intervals and differences to the reference."""
    labels = methods_of(experiment.outcomes)
    with level_row("board"):
        reference = choose_reference(labels)
        rows = board_rows(experiment, reference=reference)
        groups = [name for name, names in GROUPS.items() if measures_shown(rows, names)]
        group = _group(groups)
        known = measures_shown(rows, GROUPS[group])
        names = overview(known) if group == "Overview" else known
        copying(summary, leaderboard_table(rows, names, reference=reference), key="board")
    if not names:
        st.info("No measure could be computed yet: no run has succeeded.", icon=":material/hourglass_empty:")
        return
    board = leaderboard_board(rows, names, reference=reference, places=places(labels))
    show_board(board, key="e_board", on_pick=choose, selected=st.query_params.get(PARAMETER))
    st.caption(
        f"Mean over questions, 95 % bootstrap interval. Differences are against {variant_label(reference)}, paired by "
        "question: ▲ better, ▼ worse (randomisation test, Holm-corrected, 5 %); grey n.s. = not significant. "
        "Click a number for its runs."
    )
    with st.expander("What the measures mean"):
        for name in names:
            st.markdown(f"**{measure_label(name)}**: {BY_NAME[name].meaning}")


def _group(groups: list[str]) -> str:
    """Let the user choose which measures are shown, if there is a choice."""
    if not groups:
        return "Overview"
    chosen = st.segmented_control(
        "Measures", groups, default=groups[0], required=True, key="e_group", bind="query-params"
    )
    return chosen or groups[0]


def show_slices(summary: Summary, experiment: Experiment) -> None:
    """Draw on which groups of questions a method is good."""
    labels = methods_of(experiment.outcomes)
    with level_row("slices"):
        measure = choose_measure(experiment.outcomes, COMPARED)
        groups = [by for by in SLICES if by != "kind" or any(each.kind for each in experiment.outcomes)]
        by = st.segmented_control(
            "Questions grouped by",
            groups,
            default=groups[0],
            required=True,
            format_func=lambda name: SLICES[name],
            key="e_by",
            bind="query-params",
        )
        cut = slices(experiment.outcomes, measure=measure, by=by)
        copying(summary, slices_table(cut, measure), key="slices")
    show_board(slices_board(cut, measure, places=places(labels)), key="e_slices", on_pick=choose)
    if by == "aspects":
        st.caption("Aspects are the system's own plan: each method is grouped by its own plan of the question.")
    if len(labels) < 2:
        return
    st.markdown(f"**Better, same, worse: {measure_label(measure)}**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        method, reference = choose_pair(labels)
        tally = win_tie_loss(experiment.outcomes, method=method, reference=reference, measure=measure, by=by)
        copying(summary, tallies_table(tally, method=method, reference=reference), key="tally")
    chart(
        tally_figure(tally, method=method, reference=reference, places=places(labels)),
        key="e_tally",
        alt=tally_words(tally, method=method, reference=reference),
        on_point=lambda data: choose(f"w|{data[0]}|{data[1]}"),
    )
    st.caption("Click a bar for its runs.")


def show_hops(summary: Summary, experiment: Experiment) -> None:
    """Draw what each hop adds, and whether a method stops at the right one."""
    labels = methods_of(experiment.outcomes)
    with level_row("hops"):
        quantity = st.segmented_control(
            "After each hop",
            list(QUANTITIES),
            default="complete",
            required=True,
            format_func=lambda name: QUANTITIES[name][0],
            key="e_what",
            bind="query-params",
        )
        axis = st.selectbox(
            "Against", list(COSTS), format_func=COSTS.__getitem__, key="e_axis", bind="query-params", width=230
        )
    judged = is_judged(experiment)
    if not judged and quantity not in OWN:
        st.info(NOT_JUDGED, icon=":material/info:")
        return
    curves = {label: points for label in labels if (points := coverage_at_hop(experiment.outcomes, method=label))}
    chart(
        curve_figure(curves, quantity=quantity, axis=axis or "hop", places=places(labels)),
        key="e_curves",
        alt=curve_words(curves, quantity=quantity),
        on_point=lambda data: choose(f"h|{data[0]}|{data[1]}"),
    )
    if all(len(points) < 2 for points in curves.values()):
        st.caption("No run of this experiment needed a second hop, so each method has one mark and no line.")
    st.caption(
        ("This is what the methods say of themselves, not what the judges found. " if quantity in OWN else "")
        + "A run that stopped earlier keeps its last state. Click a mark for the runs that made that hop."
    )
    if not judged:
        return
    stops = stops_board(experiment.outcomes, labels, places=places(labels))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Does it stop at the right hop?**", width="stretch")
        copying(summary, board_table(stops), key="stops")
    show_board(stops, key="e_stops", on_pick=choose)


def show_sufficiency(summary: Summary, experiment: Experiment) -> None:
    """Draw whether the stated sufficiency can be believed."""
    labels = methods_of(experiment.outcomes)
    known = [each for label in labels if (each := reliability(experiment.outcomes, method=label))]
    if not known:
        nothing = "None of these methods states a sufficiency, so there is nothing to check."
        st.info(nothing if is_judged(experiment) else NOT_JUDGED, icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            "How likely a method said it was that it had all the evidence (its **sufficiency**), against how often it "
            "really had. On the dotted line it is right; below it, it was too sure of itself.",
            width="stretch",
        )
        copying(summary, reliability_table(known), key="bins")
    chart(
        reliability_figure(known, places=places(labels)),
        key="e_bins",
        alt=reliability_words(known),
        on_point=lambda data: choose(f"b|{data[0]}|{data[1]}"),
    )
    show_board(bins_board(known, places=places(labels)), key="e_bin_board", on_pick=choose)
    fewest = min(each.n for each in known)
    if fewest < _FEW:
        st.caption(f"With {count(fewest, 'judged run')} a point may rest on one or two: read it with care.")
    silent = [variant_label(label) for label in labels if label not in {each.method for each in known}]
    if silent:
        st.caption(f"Without a stated sufficiency: {', '.join(silent)}.")


def show_failed(summary: Summary, experiment: Experiment) -> None:
    """List the runs that failed, and why; they count in no mean."""
    rows = [outcome for outcome in experiment.outcomes if outcome.error]
    head = ("Method", "Question", "Reason")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("These runs are left out of every mean; n says how many remain.")
        copying(summary, plain_table(head, [(r.method, r.question, r.error) for r in rows]), key="failed")
    pages = -(-len(rows) // 20)
    page = st.pagination(pages, key="e_failed_page") if pages > 1 else 1
    for outcome in rows[(page - 1) * 20 : page * 20]:
        with st.container(border=True, gap=None):
            run_link(outcome, f"{variant_label(outcome.method)}: {short(outcome.question, 110)}")
            st.caption(f":red[:material/error: {literal(short(outcome.error, 300))}]")


def show_drawer(experiment: Experiment) -> None:
    """Open the drawer with the runs behind the number that the address names."""
    name = st.query_params.get(PARAMETER)
    if not name:
        return
    by = st.session_state.get("e_by")
    labels = methods_of(experiment.outcomes)
    choice = Choice(
        st.session_state.get("e_measure") or FIRST_MEASURES[0],
        next((known for known in SLICES if known == by), "kind"),
        st.session_state.get("e_ref") or default_reference(labels),
    )
    chosen = behind(name, experiment.outcomes, choice)
    if chosen:
        show_behind(chosen)


VIEWS: dict[str, Callable[[Summary, Experiment], None]] = {
    "Leaderboard": show_leaderboard,
    "Questions": show_questions,
    "Slices": show_slices,
    "Hop by hop": show_hops,
    "Sufficiency": show_sufficiency,
    "Failed": show_failed,
}
