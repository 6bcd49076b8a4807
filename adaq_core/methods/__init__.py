"""The controllers: one generator function a file, found by its name.

Every file defines `run(question, services, *, aspects=None)`, which yields the events between
`RunStarted` and `RunFinished`. Its docstring's first line is what a user reads; the paper and what was changed come
after. A file whose methods share their controller names them in `METHODS`, and has a function for each.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Generator
from functools import cache
from types import ModuleType

from adaq_core.errors import InputError
from adaq_core.events import Event

Method = Callable[..., Generator[Event, None, None]]
_ORDER = ("adaptive", "bm25", "dense", "static", "multi_query", "iterative", "crag", "self_rag", "seal_rag")


@cache
def _files() -> dict[str, ModuleType]:
    """Each method with its file."""
    files: dict[str, ModuleType] = {}
    for found in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{found.name}")
        files |= dict.fromkeys(getattr(module, "METHODS", (found.name,)), module)
    return files


@cache
def names() -> tuple[str, ...]:
    """The methods there are: ADAQ first, then the baselines from plain to elaborate."""
    known = [name for name in _ORDER if name in _files()]
    return (*known, *sorted(set(_files()).difference(known)))


def method(name: str) -> Method:
    """The generator function of a method; InputError when there is none of that name."""
    file = _file(name)
    run: Method = getattr(file, name, None) or file.run
    return run


def needs_vectors(name: str) -> bool:
    """Whether a method searches by meaning and so wants the vectors of the corpus."""
    return name in getattr(_file(name), "NEED_VECTORS", ())


def uses_vectors(name: str) -> bool:
    """Whether a method works without the vectors of the corpus and finds more with them."""
    return name in getattr(_file(name), "USE_VECTORS", ())


def describe(name: str) -> str:
    """What a method does, in one line."""
    file = _file(name)
    doc = getattr(file, name, file).__doc__ or ""
    return doc.strip().splitlines()[0]


def _file(name: str) -> ModuleType:
    if name not in names():
        raise InputError(f"There is no method {name!r}; the methods are {', '.join(names())}.")
    return _files()[name]
