"""Question by question: two methods against each other; and every table as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from adaq_core.evaluation.request import Experiment, Summary
from adaq_core.evaluation.results import COMPARED, shown
from adaq_core.evaluation.views import LeaderboardRow, Pair, Reliability, Slice, WinsAndLosses, methods_of, pairs
from pages._shared.common import backend
from pages._shared.common.text import literal, short
from pages._shared.common.words import count
from pages._shared.evaluation.behind import SIDES, Side, side_of, span_of
from pages._shared.evaluation.cells import Board, against, ranged, variant_label
from pages._shared.evaluation.charts import bubbles, scatter_figure, scatter_words
from pages._shared.evaluation.controls import chart, choose_measure, choose_pair, copying, places


def leaderboard_table(rows: Sequence[LeaderboardRow], measures: Sequence[str], *, reference: str) -> str:
    """Return the leaderboard as Markdown: methods as rows, measures as columns, each with its difference.

    How many questions count stands where it is not all: those without judgments are in no mean of what is judged.
    """
    head = ("method", "runs", *measures)
    lines = []
    for row in rows:
        cells = {cell.measure: cell for cell in row.cells}
        values = []
        for name in measures:
            cell = cells[name]
            parts = [shown(name, cell.interval.mean)]
            parts += [f"[{span}]"] if (span := ranged(name, cell.interval)) else []
            parts += [delta] if (delta := against(name, cell.difference, cell.verdict)) else []
            parts += [f"(n {cell.interval.n})"] if 0 < cell.interval.n < row.n - row.failed else []
            values.append(" ".join(parts))
        note = f"{row.n - row.failed}" + (f" ({row.failed} failed)" if row.failed else "")
        lines.append((variant_label(row.method), note, *values))
    return _table(head, lines) + (
        f"\n\nMeans with 95 % bootstrap intervals. Differences are against {variant_label(reference)}: ▲ better, "
        "▼ worse (paired randomisation test, Holm-corrected, 5 %), n.s. not significant.\n"
    )


def slices_table(slices: Sequence[Slice], measure: str) -> str:
    """Return the groups of questions as a Markdown table, methods as columns."""
    values = list(dict.fromkeys(each.value for each in slices))
    known = {(each.method, each.value): each for each in slices}
    lines = []
    for method in dict.fromkeys(each.method for each in slices):
        cells = []
        for value in values:
            each = known.get((method, value))
            cells.append(f"{shown(measure, each.interval.mean)} (n {each.interval.n})" if each else "–")
        lines.append((variant_label(method), *cells))
    return _table((measure, *values), lines)


def tallies_table(tallies: Sequence[WinsAndLosses], *, method: str, reference: str) -> str:
    """Return wins, ties and losses by group of questions as a Markdown table."""
    head = (f"{variant_label(method)} against {variant_label(reference)}", "better", "same", "worse")
    return _table(head, [(each.value, str(each.wins), str(each.ties), str(each.losses)) for each in tallies])


def reliability_table(diagrams: Sequence[Reliability]) -> str:
    """Return a Markdown row per method and bin that holds runs."""
    head = ("method", "stated sufficiency", "runs", "mean stated", "had all the evidence")
    lines = [
        (
            variant_label(diagram.method),
            span_of(each),
            str(each.n),
            f"{each.mean_estimate:.0%}",
            f"{each.share_true:.0%}",
        )
        for diagram in diagrams
        for each in diagram.bins
        if each.n
    ]
    return _table(head, lines)


def board_table(board: Board) -> str:
    """Return a board as a Markdown table."""
    head = (board.first, *(column["name"] for column in board.columns))
    lines = [
        (row["name"], *(f"{cell['text']} ({cell['range']})" if cell else "–" for cell in row["cells"]))
        for row in board.rows
    ]
    return _table(head, lines)


def plain_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return any table of words as Markdown."""
    return _table(head, lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join(map(_table_line, [head, rule, *lines]))


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_escaped, cells))} |"


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


PER_PAGE = 6
COST = ("passages_read", "ms", "hops")
_BUBBLE = "e_bubble"


def show_questions(summary: Summary, experiment: Experiment) -> None:
    """Draw the scatter plot, and beside it the questions that were picked in it."""
    labels = methods_of(experiment.outcomes)
    if len(labels) < 2:
        st.info("With one method alone there is nothing to compare question by question.", icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = choose_measure(experiment.outcomes, (*COMPARED, *COST))
        method, reference = choose_pair(labels)
        given = pairs(experiment.outcomes, x=reference, y=method, measure=measure)
        copying(summary, questions_table(given, measure, method=method, reference=reference), key="pairs")
    if not given:
        st.info("There is no question yet on which both methods have this measure.", icon=":material/hourglass_empty:")
        return
    left, right = st.columns([5, 6], gap="medium")
    with left:
        _scatter(given, measure, method=method, reference=reference, labels=labels)
    with right:
        _list(given, measure, method=method, reference=reference)


def largest_first(given: Sequence[Pair]) -> list[Pair]:
    """Sort by the size of the difference, largest first; ties by question id."""
    return sorted(given, key=lambda pair: (-abs(pair.y - pair.x), pair.question_id))


def questions_table(given: Sequence[Pair], measure: str, *, method: str, reference: str) -> str:
    """Return every question with both values, as Markdown."""
    head = ("question", "type", f"{variant_label(reference)} {measure}", f"{variant_label(method)} {measure}")
    lines = [
        (pair.question, pair.kind, shown(measure, pair.x), shown(measure, pair.y)) for pair in largest_first(given)
    ]
    return plain_table(head, lines)


def _scatter(given: Sequence[Pair], measure: str, *, method: str, reference: str, labels: Sequence[str]) -> None:
    def picked(data: Sequence[Any]) -> None:
        st.session_state[_BUBBLE] = (measure, method, reference, float(data[0]), float(data[1]))

    chart(
        scatter_figure(bubbles(given), x=reference, y=method, measure=measure, places=places(labels)),
        key="e_scatter",
        alt=scatter_words(given, x=reference, y=method, measure=measure),
        on_point=picked,
    )
    st.caption(
        "A bubble holds the questions with the same two values; its size and number say how many. "
        "Click one to list them."
    )


def _list(given: Sequence[Pair], measure: str, *, method: str, reference: str) -> None:
    bubble = st.session_state.get(_BUBBLE)
    if bubble and bubble[:3] == (measure, method, reference):
        rows = [pair for each in bubbles(given) if (each.x, each.y) == bubble[3:] for pair in each.pairs]
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{count(len(rows), 'question')}** in the bubble you clicked", width="stretch")
            st.button("Show all", icon=":material/close:", type="tertiary", on_click=_forget, key="e_all")
    else:
        rows = _by_side(given, measure, method=method)
    rows = largest_first(rows)
    pages = -(-len(rows) // PER_PAGE)
    page = st.pagination(pages, key="e_pairs_page") if pages > 1 else 1
    if not rows:
        st.caption("None.")
    for pair in rows[(page - 1) * PER_PAGE : page * PER_PAGE]:
        _row(pair, measure, method=method, reference=reference)


def _by_side(given: Sequence[Pair], measure: str, *, method: str) -> list[Pair]:
    sides: dict[Side, list[Pair]] = {name: [] for name in SIDES}
    for pair in given:
        sides[side_of(pair, measure)].append(pair)
    first: Side = next((name for name in SIDES if sides[name]), "better")
    chosen = st.segmented_control(
        f"{variant_label(method)} is",
        SIDES,
        default=first,
        required=True,
        format_func=lambda name: f"{name} on {len(sides[name])}",
        key="e_side",
    )
    return sides[chosen or first]


def _row(pair: Pair, measure: str, *, method: str, reference: str) -> None:
    with st.container(border=True, gap=None):
        st.markdown(literal(short(pair.question, 120)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for label, value, run in ((reference, pair.x, pair.run_x), (method, pair.y, pair.run_y)):
                words = f"{variant_label(label)} {shown(measure, value)}"
                if run and backend.row(run):
                    st.page_link(
                        "trace_explorer.py", label=words, icon=":material/timeline:", query_params={"run": run}
                    )
                else:
                    st.caption(words, width="content")
            _side_by_side(pair)


def _side_by_side(pair: Pair) -> None:
    """Draw a link to both runs side by side, unless they are of one method."""
    rows = [backend.row(run) for run in (pair.run_x, pair.run_y) if run]
    ids = [row.run_id for row in rows if row]
    if len(ids) == 2 and len({row.method for row in rows if row}) == 2:
        st.page_link(
            "compare_baselines.py",
            label="Compare",
            icon=":material/compare:",
            query_params={"group": ",".join(ids)},
        )


def _forget() -> None:
    st.session_state.pop(_BUBBLE, None)
