"""A run as tests ask for it: one call with all that a spec and its surroundings can hold."""

from collections.abc import Generator, Sequence
from dataclasses import fields
from typing import Any

from adaq_core.events import Event
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.execute import execute as _execute

_OF_THE_SPEC = {field.name for field in fields(RunSpec)}


def execute(method: str, question: str, **given: Any) -> Generator[Event, None, None]:
    """`execute(RunSpec(method, question, …), …)`: what a spec has goes there, the rest beside it."""
    of_spec = {name: _tuple(given.pop(name)) for name in _OF_THE_SPEC & given.keys()}
    chosen = {name: value for name, value in of_spec.items() if value is not None}
    return _execute(RunSpec(method, question, **chosen), **given)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, Sequence) else value
