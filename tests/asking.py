"""A run as tests ask for it: one call with all that a spec and its surroundings can hold."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import fields
from typing import Any

from adaq_core import events as e
from adaq_core.events import Event
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.execute import execute as _execute

# The events of a method with a question.
RunOf = Callable[[str, str], tuple[Event, ...]]
_OF_THE_SPEC = {field.name for field in fields(RunSpec)}


def execute(method: str, question: str, **given: Any) -> Generator[Event, None, None]:
    """`execute(RunSpec(method, question, …), …)`: what a spec has goes there, the rest beside it."""
    of_spec = {name: _tuple(given.pop(name)) for name in _OF_THE_SPEC & given.keys()}
    chosen = {name: value for name, value in of_spec.items() if value is not None}
    return _execute(RunSpec(method, question, **chosen), **given)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) else value


# A hop searches, judges once or (before it stops) twice, and decides.
STAGES_OF_A_HOP = r"sp*l?(fce){1,2}d"
_LETTERS = {
    e.HopStarted: "s",
    e.PassagesRetrieved: "p",
    e.LinksFollowed: "l",
    e.FindingsRead: "f",
    e.CoverageAssessed: "c",
    e.EvidenceAssembled: "e",
    e.Decided: "d",
}


def stages_of(events: Iterable[Event], hop: int) -> str:
    """The events of a hop, a letter each."""
    return "".join(_LETTERS[type(event)] for event in events if getattr(event, "hop", None) == hop)
