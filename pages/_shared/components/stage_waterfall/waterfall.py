"""Where the time of a hop went: its stages as bars on one time axis."""

from __future__ import annotations

from typing import TypedDict

from adaq_core.trace import HopView
from pages._shared.components.component_files import component

_WATERFALL = component("stage_waterfall")


class StageBar(TypedDict):
    """One stage: when it began and how long it took, in seconds since the hop began."""

    name: str
    start: float
    seconds: float


def stage_bars(hop: HopView) -> list[StageBar]:
    """The stages of a hop in the order they ran."""
    return [
        StageBar(name=name, start=round(start - hop.started, 6), seconds=round(max(0.0, end - start), 6))
        for name, start, end in hop.stages
    ]


def stage_waterfall(hop: HopView, *, key: str) -> None:
    """Draw the stages of `hop` against the time since the hop began."""
    _WATERFALL(key=key, data={"bars": stage_bars(hop), "total": max(hop.ended - hop.started, 0.0)})
