"""What every method is given to work with, and the meter that says when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from adaq_core.loop.match import Weigh
from adaq_core.loop.profiles import FacetProfile
from adaq_core.loop.read import Similar
from adaq_core.model import Budget, Settings, StopReason
from adaq_core.retrieval.retriever import DocumentRetriever


def never() -> bool:
    """Not cancelled."""
    return False


def no_long_form(_: str) -> str | None:
    """No acronym is known."""
    return None


@dataclass(slots=True)
class Meter:
    """What a run has used, against its budget; `limit` names the bound that is reached."""

    budget: Budget
    cancelled: Callable[[], bool] = never
    tokens: int = 0
    usd: float = 0.0
    calls: int = 0
    clock: Callable[[], float] = time.monotonic
    began: float = field(default=0.0)

    def __post_init__(self) -> None:
        """Start the clock."""
        self.began = self.clock()

    def limit(self) -> StopReason | None:
        """The stop reason that holds now, None while there is room."""
        b = self.budget
        if self.cancelled():
            return "user_stop"
        if b.max_seconds is not None and self.clock() - self.began >= b.max_seconds:
            return "budget_time"
        if b.max_usd is not None and self.usd >= b.max_usd > 0:
            return "budget_cost"
        over_tokens = b.max_tokens is not None and self.tokens >= b.max_tokens
        over_calls = b.max_calls is not None and self.calls >= b.max_calls > 0
        return "budget_tokens" if over_tokens or over_calls else None


@dataclass(frozen=True, slots=True)
class Tools:
    """The same retriever, settings, budget and stages for every method, so that comparisons are fair."""

    retriever: DocumentRetriever
    settings: Settings
    meter: Meter
    profiles: dict[str, FacetProfile]
    weigh: Weigh
    long_form: Callable[[str], str | None] = no_long_form
    similar: Similar | None = None
    vectors: Any = None
    chat: Any = None

    def without(self, part: str) -> bool:
        """Whether an ablation switched `part` off."""
        return part in self.settings.ablate
