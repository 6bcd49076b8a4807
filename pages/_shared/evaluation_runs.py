"""The runs behind a number, in a drawer: each leads to its trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from adaq_core.evaluation.measures_table import BY_NAME, shown
from adaq_core.evaluation.outcome import Outcome
from adaq_core.evaluation.views import SliceBy, reliability, slice_of
from adaq_core.measures.calibration import Bin
from pages._shared import backend
from pages._shared.evaluation_words import variant_label
from pages._shared.plain import plain, short
from pages._shared.words import count, percent

PER_PAGE = 12
PARAMETER = "e_of"


@dataclass(frozen=True, slots=True)
class Behind:
    """What a number is made of: its title, the runs, and the measure that they are ordered by."""

    title: str
    outcomes: tuple[Outcome, ...]
    measure: str | None


def choose(name: str) -> None:
    """Ask for the runs behind the number with this id; it goes into the address."""
    st.query_params[PARAMETER] = name


def behind(name: str, outcomes: Sequence[Outcome], *, measure: str, by: SliceBy) -> Behind | None:
    """The runs that the id speaks of; None when it speaks of nothing that is here."""
    kind, _, rest = name.partition("|")
    label, _, detail = rest.partition("|")
    rows = [outcome for outcome in outcomes if outcome.method == label]
    if not rows:
        return None
    named = variant_label(label)
    if kind == "m" and detail in BY_NAME:
        return Behind(f"{named}: {detail}", tuple(rows), detail)
    if kind == "s":
        found = tuple(row for row in rows if slice_of(row, by) == detail)
        return Behind(f"{named}: {measure}, {detail}", found, measure) if found else None
    if kind == "h" and detail.isdigit():
        return Behind(
            f"{named}: runs that made hop {detail}", tuple(row for row in rows if len(row.hops) >= int(detail)), None
        )
    return _bin(rows, label, detail) if kind == "b" and detail.isdigit() else None


def in_order(found: Behind) -> list[Outcome]:
    """The worst first, those that failed or have no value last; ties by question id."""
    sign = -1 if found.measure and BY_NAME[found.measure].better == "lower" else 1

    def place(outcome: Outcome) -> tuple[bool, float, str]:
        value = outcome.measures.get(found.measure) if found.measure else None
        return value is None, sign * (value or 0.0), outcome.question_id

    return sorted(found.outcomes, key=place)


def show_behind(found: Behind) -> None:
    """Open the drawer."""
    st.dialog(plain(found.title), position="right", width="medium", on_dismiss=_close)(_drawer)(found)


def run_link(outcome: Outcome, label: str) -> None:
    """A link to the trace; plain words when the run is not in this store."""
    if outcome.run_id and backend.row(outcome.run_id):
        st.page_link("trace_explorer.py", label=plain(label), query_params={"run": outcome.run_id})
    else:
        st.markdown(plain(label), help="This run is not in the store of this app.")


def value_text(outcome: Outcome, measure: str | None) -> str:
    """The run's value: of the measure, else whether its evidence was complete."""
    if outcome.error:
        return "failed"
    if measure and measure in outcome.measures:
        return shown(measure, outcome.measures[measure])
    return {True: "complete", False: "incomplete", None: "–"}[outcome.complete]


def _drawer(found: Behind) -> None:
    rows = in_order(found)
    pages = -(-len(rows) // PER_PAGE)
    st.caption(f"{count(len(rows), 'run')}, the worst first. Each opens in the Trace explorer.")
    page = st.pagination(pages, key="e_runs_page") if pages > 1 else 1
    for outcome in rows[(page - 1) * PER_PAGE : page * PER_PAGE]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{value_text(outcome, found.measure)}**", width=90)
            with st.container(gap=None):
                run_link(outcome, short(outcome.question, 90))
                st.caption(plain(outcome.error.splitlines()[0]) if outcome.error else _caption(outcome))


def _caption(outcome: Outcome) -> str:
    parts = [count(len(outcome.hops), "hop"), f"all gold: {_yes(outcome.complete)}"]
    if outcome.sufficiency is not None:
        parts.append(f"own estimate: sufficient {percent(outcome.sufficiency)}")
    elif outcome.coverage is not None:
        parts.append(f"own estimate: covered {percent(outcome.coverage)}")
    return " · ".join(parts)


def _yes(value: bool | None) -> str:
    return "not judged" if value is None else "yes" if value else "no"


def _bin(rows: Sequence[Outcome], label: str, detail: str) -> Behind | None:
    found = reliability(rows, method=label)
    if found is None or int(detail) >= len(found.rows):
        return None
    bounds = found.rows[int(detail)].bin
    inside = tuple(row for row in rows if row.complete is not None and _within(row.sufficiency, bounds))
    return Behind(f"{variant_label(label)}: sufficiency of {bounds.low:.0%} to {bounds.high:.0%} stated", inside, None)


def _within(value: float | None, bounds: Bin) -> bool:
    return value is not None and (bounds.low <= value < bounds.high or value == bounds.high == 1.0)


def _close() -> None:
    st.query_params.pop(PARAMETER, None)
