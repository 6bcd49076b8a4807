"""Which live sources can be turned on: what each finds, and which setting it still needs. Never shows a key."""

from __future__ import annotations

from dataclasses import dataclass

from adaq_core.sources import describe, missing, names
from adaq_core.sources.settings import SourceSettings


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
