"""The controllers: one generator function per file, found by its name.

Every file defines `run(question, services, *, aspects=None)`, which yields the events between
`RunStarted` and `RunFinished`. Its docstring's first line is what a user reads; the paper and what was changed come
after.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Generator
from functools import cache
from typing import TYPE_CHECKING

from adaq_core.errors import InputError
from adaq_core.events import Event, FindingsRead, HopStarted, PassagesRetrieved

if TYPE_CHECKING:
    from adaq_core.model import ScoredPassage, Subquery
    from adaq_core.stages.state import State

Method = Callable[..., Generator[Event, None, None]]
_ORDER = ("adaptive", "bm25", "dense", "static", "multi_query", "iterative", "crag", "self_rag", "seal_rag")


@cache
def names() -> tuple[str, ...]:
    """Return all methods: ADAQ first, then the baselines from plain to elaborate."""
    there = {module.name for module in pkgutil.iter_modules(__path__)}
    known = [name for name in _ORDER if name in there]
    return (*known, *sorted(there.difference(known)))


def method(name: str) -> Method:
    """Return a method's generator function; InputError for an unknown name."""
    if name not in names():
        raise InputError(f"There is no method {name!r}; the methods are {', '.join(names())}.")
    run: Method = importlib.import_module(f"{__name__}.{name}").run
    return run


def needs_vectors(name: str) -> bool:
    """Whether a method searches by meaning and so wants the vectors of the corpus."""
    return bool(method(name).__globals__.get("NEEDS_VECTORS", False))


def uses_vectors(name: str) -> bool:
    """Whether a method works without the vectors of the corpus and finds more with them."""
    return bool(method(name).__globals__.get("USES_VECTORS", False))


def describe(name: str) -> str:
    """Return what a method does, in one line."""
    method(name)
    doc = importlib.import_module(f"{__name__}.{name}").__doc__ or ""
    return doc.strip().splitlines()[0]


def searched_and_read(
    state: State, query: Subquery, why: str, *, hop: int
) -> Generator[Event, None, tuple[list[ScoredPassage], FindingsRead]]:
    """Send the one query of a hop and read its first k passages; return what was found and what was read."""
    from adaq_core.stages.state import DEPTH

    retriever, k = state.services.retriever, state.services.settings.k
    state.ask(query)
    yield HopStarted(hop, (query,), why, state.open_aspects())
    hits = retriever.retrieve(query.text, top_k=max(k, DEPTH))
    yield PassagesRetrieved(hop, query, retriever.name, tuple(hits), read=min(k, len(hits)))
    read = state.read_passages([(hit.passage, 1.0) for hit in hits[:k]], hop=hop)
    yield read
    return hits, read
