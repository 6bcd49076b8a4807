"""The coverage lanes: a run as columns of hops and rows of aspects, prepared as plain values and drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypedDict, cast

import streamlit as st

from adaq_core.model import QueryAspect
from adaq_core.trace import HopView, RunView, cell, covered_after
from pages._shared.components.component_files import component
from pages._shared.run.verdict import proof_of

LaneState = Literal["new", "kept", "missed", "open", "searching", "not_run"]
HopState = Literal["done", "running", "failed", "interrupted"]
Ended = Literal["running", "finished", "failed", "interrupted"]

STAGE_ORDER = (
    "refine",
    "ask live sources",
    "retrieve",
    "follow links",
    "read",
    "critique",
    "assemble",
    "decide",
    "synthesise",
)
MANY_HOPS = 6
MANY_ASPECTS = 6


class LaneCell(TypedDict):
    """What one hop did for one aspect; `score` is the coverage after the hop, None when it was not assessed.

    `proof` names the passage that newly covered it and how that came into the run; else empty.
    """

    state: LaneState
    targeted: bool
    score: float | None
    proof: str


class LaneAspect(TypedDict):
    """One row: its number from 1, its name, whether it is core, its newest score, the hop that covered it."""

    n: int
    name: str
    core: bool
    score: float | None
    covered_at: int | None


class LaneHop(TypedDict):
    """One column; times are seconds since the run began, `stages` are (name, seconds) in order of first use.

    `sure` is the run's own estimate, in percent, that all the evidence was there after the hop; None without one.
    """

    n: int
    query: str
    more_queries: int
    state: HopState
    start: float
    seconds: float
    stages: list[tuple[str, float]]
    found: int
    gain: int
    covered: int
    sure: int | None
    cells: list[LaneCell]


class Lanes(TypedDict):
    """Everything the component needs; `hop` and `aspect` are the selected numbers."""

    status: Ended
    aspects: list[LaneAspect]
    hops: list[LaneHop]
    stage_names: list[str]
    seconds: float
    hop: int | None
    aspect: int | None
    narrow: bool
    dense: bool
    thumbnail: bool
    pad: int


def lanes_data(
    run: RunView,
    *,
    hop: int | None = None,
    aspect: int | None = None,
    interrupted: bool = False,
    thumbnail: bool = False,
    axis: int = 0,
    planned: Sequence[QueryAspect] = (),
) -> Lanes:
    """The lanes of `run`; `interrupted`: a run without an end is not going on; `thumbnail`: a small picture.

    `axis` is the number of hops that the columns leave room for, so that runs beside each other have one scale.
    `planned` are the aspects to draw while the run has not planned its own.
    """
    status: Ended = "interrupted" if interrupted and run.status == "running" else run.status
    hops = _hops(run, status)
    return Lanes(
        status=status,
        aspects=_aspects(run, run.aspects or planned),
        hops=hops,
        stage_names=_in_order({name for h in hops for name, _ in h["stages"]}),
        seconds=round(run.elapsed, 4),
        hop=hop,
        aspect=aspect,
        narrow=thumbnail or len(hops) > MANY_HOPS,
        dense=thumbnail or len(run.aspects) > MANY_ASPECTS,
        thumbnail=thumbnail,
        pad=max(0, axis - len(hops)),
    )


def lanes_width(hops: int) -> int:
    """The pixels that the lanes of so many hops want, so that nothing in them is cut."""
    column = 60 if hops > MANY_HOPS else 128
    return 300 + max(1, hops) * column


def stage_seconds(hop: HopView) -> list[tuple[str, float]]:
    """Seconds by stage of a hop, in order of first use; the same stage twice is added up."""
    total: dict[str, float] = {}
    for name, start, end in hop.stages:
        total[name] = total.get(name, 0.0) + max(0.0, end - start)
    return [(name, round(value, 4)) for name, value in total.items()]


def aspect_number(run: RunView, name_or_number: str | None) -> int | None:
    """The number of the aspect that a link names, by number from 1 or by its exact name; None when there is none."""
    if not name_or_number:
        return None
    names = [aspect.aspect for aspect in run.aspects]
    if name_or_number.isdecimal() and 1 <= int(name_or_number) <= len(names):
        return int(name_or_number)
    return names.index(name_or_number) + 1 if name_or_number in names else None


def hop_number(run: RunView, number: str | None) -> int | None:
    """The hop that a link names; None when the run has no such hop."""
    wanted = int(number) if number and number.isdecimal() else None
    if any(hop.hop == wanted for hop in run.hops):
        return wanted
    return None


def _in_order(names: set[str]) -> list[str]:
    return [name for name in STAGE_ORDER if name in names] + sorted(names - set(STAGE_ORDER))


def _aspects(run: RunView, planned: Sequence[QueryAspect]) -> list[LaneAspect]:
    covered = run.covered_at
    return [
        LaneAspect(
            n=n,
            name=aspect.aspect,
            core=aspect.is_core,
            score=run.coverage_score(aspect.aspect),
            covered_at=covered.get(aspect.aspect),
        )
        for n, aspect in enumerate(planned, 1)
    ]


def _hops(run: RunView, status: Ended) -> list[LaneHop]:
    planned = {aspect.aspect for aspect in run.aspects}
    hops: list[LaneHop] = []
    for hop in run.hops:
        gain = len(planned & set(hop.newly_covered))
        hops.append(_hop(run, hop, status, gain=gain, covered=len(covered_after(run, hop))))
    return hops


def _hop(run: RunView, hop: HopView, status: Ended, *, gain: int, covered: int) -> LaneHop:
    return LaneHop(
        n=hop.hop,
        query=hop.queries[0].text if hop.queries else "",
        more_queries=max(0, len(hop.queries) - 1),
        state=_hop_state(run, hop, status),
        start=round(hop.started, 4),
        seconds=round(max(0.0, hop.ended - hop.started), 4),
        stages=stage_seconds(hop),
        found=hop.found,
        gain=gain,
        covered=covered,
        sure=None if hop.sufficiency is None else round(100 * hop.sufficiency),
        cells=[_cell(run, hop, aspect.aspect, status) for aspect in run.aspects],
    )


def _hop_state(run: RunView, hop: HopView, status: Ended) -> HopState:
    if hop.done or status == "finished":
        return "done"
    if hop is not run.hops[-1]:
        return "done"
    return status


def _cell(run: RunView, hop: HopView, name: str, status: Ended) -> LaneCell:
    seen = cell(run, hop, name)
    state = _lane_state(seen.state, status, targeted=seen.targeted, hop=hop)
    proof = proof_of(run, name, upto=hop.hop) if state == "new" else None
    words = f"{proof.title}, {proof.came}" if proof else ""
    return LaneCell(state=state, targeted=seen.targeted, score=seen.score, proof=words)


def _lane_state(state: str, status: Ended, *, targeted: bool, hop: HopView) -> LaneState:
    if state in ("new", "kept", "missed"):
        return state  # type: ignore[return-value]
    if hop.percentage is not None or not targeted:
        return "open"
    return "searching" if status == "running" else "not_run"


_LANES = component("coverage_lanes")


class Pick(TypedDict):
    """What was chosen in the lanes; `replay` says that the playhead passed by; `n` counts."""

    hop: int | None
    aspect: int | None
    replay: bool
    n: int


def coverage_lanes(lanes: Lanes, *, key: str, on_pick: Callable[[Pick], None]) -> None:
    """Draw the lanes; `on_pick` is called before the next script run with each choice of a hop or an aspect."""
    heard = f"{key}_heard"

    def picked() -> None:
        pick = cast("Pick | None", st.session_state[key].get("pick"))
        if pick:
            st.session_state[heard] = pick["n"]
            on_pick(pick)

    _LANES(key=key, data={**lanes, "heard": st.session_state.get(heard, 0)}, on_pick_change=picked)


def live_lanes(lanes: Lanes, *, key: str, waiting: str, on_shown: Callable[[], None], pace: float = 1.0) -> None:
    """Draw a run as it goes on, its hops one by one at a readable pace; `on_shown` is called when all were shown.

    `waiting` says what goes on before the first hop; with a `pace` of 2 every hop takes twice as long.
    A user who wants no motion sees each hop as soon as it is there.
    """
    data = {**lanes, "heard": 0, "live": True, "waiting": waiting, "pace": pace}
    _LANES(key=key, data=data, on_pick_change=lambda: None, on_shown_change=on_shown)


def lanes_thumbnail(lanes: Lanes, *, key: str) -> None:
    """Draw the lanes small and for looking only: take `lanes_data(run, thumbnail=True)`."""
    _LANES(key=key, data={**lanes, "heard": 0}, on_pick_change=lambda: None)
