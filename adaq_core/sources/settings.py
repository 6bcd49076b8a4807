"""What the user gives the live sources: keys, addresses, a contact. Read from the environment, never shown."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adaq_core.errors import InputError
from adaq_core.home import ENV_FILE
from adaq_core.sources import describe, missing, names
from adaq_core.sources.guard.addresses import place


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source: `about` in one line; `needs` is the setting that is missing, empty when it is ready."""

    name: str
    about: str
    needs: str = ""

    @property
    def ready(self) -> bool:
        """Whether it can be turned on."""
        return not self.needs


def states(settings: SourceSettings) -> list[SourceState]:
    """All sources, by alphabet; those that read named pages need the names of some."""
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
        """The settings that are set; the process's environment unless another is given."""
        chosen = os.environ if environment is None else environment
        return cls({name: value.strip() for name, value in chosen.items() if value.strip()}, urls)

    def value(self, name: str, default: str = "") -> str:
        """The setting `name`, or `default` when it is not set."""
        return self.values.get(name, "").strip() or default

    def words(self, name: str) -> tuple[str, ...]:
        """The parts of a setting that lists several things, split at commas and blanks."""
        return tuple(self.value(name).replace(",", " ").split())

    @property
    def contact(self) -> str:
        """Who asks, for the User-Agent; plain letters only."""
        return "".join(letter for letter in self.value(CONTACT) if " " <= letter <= "~")[:120]

    @property
    def private_places(self) -> frozenset[str]:
        """The "host:port" that may be private; InputError when one is written in another way."""
        words = self.words(PRIVATE_HOSTS)
        for word in words:
            host, _, port = word.rpartition(":")
            if not host or not port.isdigit() or "/" in word:
                raise InputError(f"{PRIVATE_HOSTS} lists host:port pairs such as 127.0.0.1:8888, not {word!r}")
        return frozenset(place(f"http://{word}") for word in words)

    @property
    def cache_seconds(self) -> float:
        """How long answers are kept; a day unless it is set."""
        text = self.value(CACHE_SECONDS, "86400")
        if not text.isdigit():
            raise InputError(f"{CACHE_SECONDS} is a number of seconds such as 86400, not {text!r}")
        return float(text)

    @property
    def hidden(self) -> tuple[str, ...]:
        """Every word that no message may contain: the keys, their parts, and what they become in a header."""
        keys = [value for name in KEYS if (value := self.value(name))]
        parts = [part for key in keys for part in key.split(":")]
        return (*keys, *parts, *(b64encode(key.encode()).decode() for key in keys))


def read_settings(env_file: Path | None = ENV_FILE, *, urls: tuple[str, ...] = ()) -> SourceSettings:
    """The settings in the environment and, for what is not set there, in a `.env` file."""
    from dotenv import dotenv_values

    try:
        lines = dotenv_values(env_file, interpolate=False) if env_file is not None and env_file.is_file() else {}
    except UnicodeDecodeError as error:
        raise InputError(f"{env_file} is no UTF-8 text ({error.reason}); save it as UTF-8.") from error
    filed = {name: value for name, value in lines.items() if value is not None}
    return SourceSettings.from_environment({**filed, **os.environ}, urls=urls)
