"""A measured figure, its budget, and how to take one."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; with a `budget`, less of it is better and more than it is too much."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The share of the budget that was used."""
        return None if self.budget is None else self.value / self.budget

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "budget": self.budget,
            "ratio": self.ratio,
            "note": self.note,
        }


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes, once."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def median_seconds(work: Callable[[], object], *, times: int) -> float:
    """The median over `times` calls."""
    return statistics.median(seconds(work) for _ in range(times))


def peak_megabytes() -> float:
    """The most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
