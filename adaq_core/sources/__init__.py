"""Live sources over HTTP, found by the `SOURCES` of their files, all off until the user turns them on.

A file of this folder that defines `SOURCES` (classes with `name`, `about`, `needs_key`, `from_settings`, `search`) has
live sources. A source asks through the `http` it is given and nothing else, and returns documents: whole ones, or a
snippet with the address of the page, whose text is then fetched.
"""

from __future__ import annotations

import importlib
import os
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files as files_of
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from adaq_core.errors import InputError
from adaq_core.home import ENV_FILE
from adaq_core.model import as_tuple
from adaq_core.sources.guard import place

if TYPE_CHECKING:
    from adaq_core.model import Document
    from adaq_core.sources.http import Http


@runtime_checkable
class Source(Protocol):
    """A service on the network where documents are found."""

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
    """Return the names of all sources, sorted."""
    return tuple(_classes())


def source(name: str, settings: SourceSettings) -> Source:
    """Return the source of that name with the user's settings; InputError for an unknown name."""
    made: Source = _class(name).from_settings(settings)
    return made


def checked(chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the chosen sources without repeats; InputError for an unknown name."""
    wanted = as_tuple(chosen)
    for name in wanted:
        _class(name)
    return wanted


def describe(name: str) -> str:
    """Return what a source offers, in one line."""
    return str(_class(name).about)


def missing(name: str, settings: SourceSettings) -> str:
    """Return the environment variable that a source still needs; "" if it can be turned on."""
    needed = _class(name).needs_key
    if needed is None or settings.value(needed):
        return ""
    return str(needed)


def _class(name: str) -> Any:
    if name not in _classes():
        raise InputError(f"There is no source {name!r}; the sources are {', '.join(names())}.")
    return _classes()[name]


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source: `about` in one line; `needs` is the setting that is missing, empty when it is ready."""

    name: str
    about: str
    needs: str = ""

    @property
    def ready(self) -> bool:
        """Whether the source can be turned on."""
        return not self.needs


def states(settings: SourceSettings) -> list[SourceState]:
    """Return all sources, sorted; those that read named pages need the names of some."""
    return [SourceState(name, describe(name), missing(name, settings)) for name in names()]


CONTACT = "ADAQ_CONTACT"
PRIVATE_HOSTS = "ADAQ_PRIVATE_HOSTS"
CACHE_SECONDS = "CACHE_TTL_SECS"
KEYS = ("SEARCH_API_KEY", "NEWS_API_KEY", "REDDIT_API_KEY")


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Settings by the names of their environment variables; `urls` are pages that the user gave with the question."""

    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    urls: tuple[str, ...] = ()

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] | None = None, *, urls: tuple[str, ...] = ()
    ) -> SourceSettings:
        """Return the settings that are set, by default in this process's environment."""
        chosen = os.environ if environment is None else environment
        return cls({name: value.strip() for name, value in chosen.items() if value.strip()}, urls)

    def value(self, name: str, default: str = "") -> str:
        """Return the setting `name`, or `default` if it is not set."""
        return self.values.get(name, "").strip() or default

    def address(self, name: str, default: str = "") -> str:
        """Return a service's address, which the setting `name` may replace, without a slash at its end."""
        return self.value(name, default).rstrip("/")

    def words(self, name: str) -> tuple[str, ...]:
        """Return the parts of a setting that lists several things, split at commas and blanks."""
        return tuple(self.value(name).replace(",", " ").split())

    @property
    def contact(self) -> str:
        """Who asks, for the User-Agent; plain letters only."""
        return "".join(letter for letter in self.value(CONTACT) if " " <= letter <= "~")[:120]

    @property
    def private_places(self) -> frozenset[str]:
        """Return the "host:port" that may be private; InputError if one is written in another way."""
        words = self.words(PRIVATE_HOSTS)
        for word in words:
            host, _, port = word.rpartition(":")
            if not host or not port.isdigit() or "/" in word:
                raise InputError(f"{PRIVATE_HOSTS} lists host:port pairs such as 127.0.0.1:8888, not {word!r}")
        return frozenset(place(f"http://{word}") for word in words)

    @property
    def cache_seconds(self) -> float:
        """Return how long answers are cached; a day unless it is set."""
        text = self.value(CACHE_SECONDS, "86400")
        if not text.isdigit():
            raise InputError(f"{CACHE_SECONDS} is a number of seconds such as 86400, not {text!r}")
        return float(text)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return every word that no message may contain: the keys, their parts, and their forms in a header."""
        keys = [value for name in KEYS if (value := self.value(name))]
        parts = [part for key in keys for part in key.split(":")]
        return (*keys, *parts, *(b64encode(key.encode()).decode() for key in keys))


def read_settings(env_file: Path | None = ENV_FILE, *, urls: tuple[str, ...] = ()) -> SourceSettings:
    """Return the settings of the environment and, for what is not set there, of a `.env` file."""
    from dotenv import dotenv_values

    try:
        if env_file is not None and env_file.is_file():
            lines = dotenv_values(env_file, interpolate=False)
        else:
            lines = {}
    except UnicodeDecodeError as error:
        raise InputError(f"{env_file} is no UTF-8 text ({error.reason}); save it as UTF-8.") from error
    filed = {name: value for name, value in lines.items() if value is not None}
    return SourceSettings.from_environment({**filed, **os.environ}, urls=urls)
