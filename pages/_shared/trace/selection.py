"""What of a run is selected: the hop and the aspect in the URL, the playhead of a replay, the passage being read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from adaq_core.store import Criteria, RunRow
from adaq_core.trace import RunView
from pages._shared.common import backend
from pages._shared.components.coverage_lanes.lanes import Pick, aspect_number, hop_number

_PLAYHEAD = "trace_playhead"
_PASSAGE = "trace_passage"
_LISTED = "trace_listed"
_SHOWN = "trace_shown"


def keep_shown(run_id: str) -> None:
    """Store which run the page shows: a click belongs to it, even if the address names another run by then.

    Who leads the browser on before the server has answered a press has its answer in the address afterwards.
    """
    st.session_state[_SHOWN] = run_id


def selected_aspect(run: RunView) -> int | None:
    """Return the number of the aspect in the address."""
    return aspect_number(run, st.query_params.get("aspect"))


def selected_hop(run: RunView) -> int | None:
    """Return the hop in the address, else the newest; None before the first hop."""
    return hop_number(run, st.query_params.get("hop")) or (run.hops[-1].hop if run.hops else None)


def shown_hop(run: RunView) -> int | None:
    """Return the hop whose detail is shown: the replayed one (None at its start), else the selected one."""
    at = playhead()
    return selected_hop(run) if at is None else at or None


def playhead() -> int | None:
    """Return the hop that a replay of the open run is at; None if there is no replay."""
    run, hop = st.session_state.get(_PLAYHEAD, (None, None))
    return hop if run == _shown() else None


def follows_newest() -> bool:
    """Whether no hop was chosen, so that the newest is shown."""
    return "hop" not in st.query_params


def picked(pick: Pick) -> None:
    """Take over a choice made in the lanes; a replay passing by does not change the address."""
    if pick["replay"]:
        st.session_state[_PLAYHEAD] = _shown(), pick["hop"]
        return
    _go(run=_shown(), hop=pick["hop"], aspect=pick["aspect"], tab=st.query_params.get("tab"))


def selected_tab(tabs: Sequence[str]) -> str:
    """Return the tab in the address, else the first."""
    named = st.query_params.get("tab", "")
    return next((tab for tab in tabs if _word(tab) == named), tabs[0])


def select_tab(tab: str, *, first: str) -> None:
    """Put the open tab into the address; the first one is left out."""
    now = st.query_params
    _go(run=_shown(), hop=now.get("hop"), aspect=now.get("aspect"), tab=None if tab == first else _word(tab))


def _word(tab: str) -> str:
    """Return a tab's word in the address: the first of its name."""
    return tab.split()[0].lower()


def selected_call() -> int | None:
    """Return the number of the model call in the address."""
    named = st.query_params.get("call", "")
    return int(named) if named.isascii() and named.isdigit() else None


def select_call(number: int) -> None:
    """Put the model call that is read into the address."""
    now = st.query_params
    _go(run=_shown(), hop=now.get("hop"), aspect=now.get("aspect"), tab=now.get("tab"), call=number)


def follow_newest() -> None:
    """Show the newest hop again."""
    _go(run=_shown(), tab=st.query_params.get("tab"))


def _shown() -> str:
    return str(st.session_state.get(_SHOWN))


def open_run(run_id: str) -> None:
    """Show another run, from its newest hop."""
    _go(run=run_id)


def leave_run() -> None:
    """Show the list."""
    _go()


def open_passage(passage_id: str) -> None:
    """Ask for a passage to be shown in the drawer."""
    st.session_state[_PASSAGE] = passage_id


def wanted_passage() -> str | None:
    """Return the passage that the drawer shows."""
    return st.session_state.get(_PASSAGE)


def close_passage() -> None:
    """Forget the passage whose drawer was closed."""
    st.session_state.pop(_PASSAGE, None)


def _go(**params: str | int | None) -> None:
    """Change the address in one step, so that the browser's Back undoes it in one step; a replay ends here."""
    st.session_state.pop(_PLAYHEAD, None)
    st.query_params.from_dict({name: str(value) for name, value in params.items() if value is not None})


@dataclass(frozen=True, slots=True)
class ShownList:
    """The list that was last shown: its order, its filters, and the places of runs in it, from 0."""

    order: str
    criteria: Criteria
    places: Mapping[str, int]


def keep_list(order: str, criteria: Criteria, ids: Sequence[str], *, first: int) -> None:
    """Store which list is shown, to find the runs before and after the one opened from it."""
    places = {run_id: first + number for number, run_id in enumerate(ids)}
    st.session_state[_LISTED] = ShownList(order, criteria, places)


# How far to each side of a run its neighbours are looked for: its place moves when runs are added meanwhile.
_AROUND = 3


def neighbours(row: RunRow) -> tuple[str | None, str | None]:
    """Return the runs after and before this one in the list that was last shown, else by age."""
    store = backend.store()
    listed: ShownList = st.session_state.get(_LISTED) or ShownList("-created_at", {}, {})
    if row.run_id not in listed.places:
        listed = ShownList("-created_at", {}, {row.run_id: store.count(since=row.created_at) - 1})
    first = max(0, listed.places[row.run_id] - _AROUND)
    rows = store.runs(order=listed.order, limit=2 * _AROUND + 1, offset=first, **listed.criteria)
    ids = [each.run_id for each in rows]
    if row.run_id not in ids:
        return None, None
    keep_list(listed.order, listed.criteria, ids, first=first)
    at = ids.index(row.run_id)
    return (ids[at + 1] if at + 1 < len(ids) else None), (ids[at - 1] if at else None)
