"""How far an experiment is: for the person who waits, and for a page that looks at its folder."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

Phase = Literal["indexing", "embedding", "running", "writing", "finished", "cancelled", "failed"]
STATE = "state.json"
EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` runs of `total`, `reused` of them from before, `failed` so far; `eta` in seconds, None when unknown."""

    phase: Phase
    done: int = 0
    total: int = 0
    reused: int = 0
    failed: int = 0
    seconds: float = 0.0
    eta: float | None = None
    message: str = ""


Watch = Callable[[Progress], None]


class Clock:
    """Counts runs, estimates the end, and tells whoever watches, not more often than they can read."""

    def __init__(self, folder: Path, *, total: int, reused: int, watch: Watch) -> None:
        self._folder = folder
        self._watch = watch
        self._begun = time.monotonic()
        self._ran_from = self._begun
        self._told = 0.0
        self._phase: Phase | None = None
        self.total = total
        self.reused = reused
        self.done = reused
        self.failed = 0

    @property
    def seconds(self) -> float:
        """Since the experiment was started or taken up."""
        return time.monotonic() - self._begun

    def start(self) -> None:
        """The first run begins; what went before does not count for the estimate."""
        self._ran_from = time.monotonic()

    def count(self, *, failed: bool) -> None:
        """One more run is done."""
        self.done += 1
        self.failed += failed

    def tell(self, phase: Phase, message: str = "") -> None:
        """Say where things stand: a change of phase at once, else every half second."""
        now = time.monotonic()
        if phase == self._phase and now - self._told < EVERY_SECONDS and self.done < self.total:
            return
        self._told, self._phase = now, phase
        progress = self._progress(phase, now, message)
        draft = self._folder / f"{STATE}.tmp"
        draft.write_text(json.dumps(asdict(progress)), encoding="utf-8")
        draft.replace(self._folder / STATE)
        self._watch(progress)

    def _progress(self, phase: Phase, now: float, message: str) -> Progress:
        fresh, left = self.done - self.reused, self.total - self.done
        eta = (now - self._ran_from) / fresh * left if fresh and phase == "running" else None
        return Progress(
            phase,
            self.done,
            self.total,
            self.reused,
            self.failed,
            seconds=round(now - self._begun, 1),
            eta=None if eta is None else round(eta, 1),
            message=message,
        )


def read_progress(folder: Path) -> Progress | None:
    """The last thing said about the experiment in `folder`; None when there is none."""
    try:
        known: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        return Progress(**known)
    except (OSError, ValueError, TypeError):
        return None


def in_words(progress: Progress) -> str:
    """One line for a terminal."""
    if progress.phase != "running":
        return f"{progress.phase}{': ' if progress.message else ''}{progress.message}"
    eta = "" if progress.eta is None else f" · {duration(progress.eta)} left"
    failed = f" · {progress.failed} failed" if progress.failed else ""
    share = progress.done / progress.total if progress.total else 1.0
    return f"{progress.done}/{progress.total} runs · {share:.0%} · {duration(progress.seconds)}{eta}{failed}"


def duration(seconds: float) -> str:
    """Seconds in the two largest units: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
