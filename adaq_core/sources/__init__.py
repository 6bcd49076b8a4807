"""Live sources over HTTP, found by the `SOURCES` of their files, all off until the user turns them on.

A file of this folder that defines `SOURCES` (classes with `name`, `about`, `needs_key`, `from_settings`, `search`) has
live sources. A source asks through the `http` it is given and nothing else, and returns documents: whole ones, or a
snippet with the address of the page, whose text is then fetched.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files as files_of
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from adaq_core.errors import InputError
from adaq_core.model import as_tuple

if TYPE_CHECKING:
    from adaq_core.model import Document
    from adaq_core.sources.http import Http
    from adaq_core.sources.settings import SourceSettings


@runtime_checkable
class Source(Protocol):
    """Somewhere on the network where documents are found."""

    @property
    def name(self) -> str:
        """The name that turns it on."""
        ...

    @property
    def about(self) -> str:
        """What is found there, in one line."""
        ...

    @property
    def needs_key(self) -> str | None:
        """The environment variable without which it cannot work."""
        ...

    def search(self, query: str, *, limit: int, http: Http) -> list[Document]:
        """At most `limit` documents for `query`, best first; SourceError when the source cannot be used."""
        ...


@cache
def _classes() -> dict[str, Any]:
    files = (file for file in files_of(__name__).iterdir() if file.name.endswith(".py"))
    # Told from the text: importing a file that has no sources loads the HTTP client, which takes a second.
    named = (file.name.removesuffix(".py") for file in files if "\nSOURCES = " in file.read_text(encoding="utf-8"))
    modules = (importlib.import_module(f"{__name__}.{name}") for name in named)
    kinds = [kind for module in modules for kind in module.SOURCES]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: str(kind.name))}


def names() -> tuple[str, ...]:
    """The sources there are, by alphabet."""
    return tuple(_classes())


def source(name: str, settings: SourceSettings) -> Source:
    """The source of that name with the user's settings; InputError when there is none."""
    made: Source = _class(name).from_settings(settings)
    return made


def checked(chosen: Iterable[str]) -> tuple[str, ...]:
    """The chosen sources without repeats; InputError when one does not exist."""
    wanted = as_tuple(chosen)
    for name in wanted:
        _class(name)
    return wanted


def describe(name: str) -> str:
    """What is found at a source, in one line."""
    return str(_class(name).about)


def missing(name: str, settings: SourceSettings) -> str:
    """The environment variable that a source still needs; empty when it can be turned on."""
    needed = _class(name).needs_key
    return "" if needed is None or settings.value(needed) else str(needed)


def _class(name: str) -> Any:
    if name not in _classes():
        raise InputError(f"There is no source {name!r}; the sources are {', '.join(names())}.")
    return _classes()[name]
