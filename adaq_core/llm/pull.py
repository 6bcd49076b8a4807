"""Getting a model onto an Ollama server in the background: how far it is in bytes, and a way to stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from adaq_core.errors import AdaqError
from adaq_core.llm.ollama_server import PullProgress

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings

PullState = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class PullStatus:
    """How far a pull is: bytes over all parts that the server has named so far, None before the first.

    `status` are the server's own words; `seconds_left` is None until there is something to go by.
    """

    state: PullState = "running"
    status: str = ""
    completed: int | None = None
    total: int | None = None
    bytes_per_second: float | None = None
    seconds_left: float | None = None
    error: str = ""

    @property
    def share(self) -> float | None:
        """The part that is done, in [0, 1]; None before it is known."""
        return min(1.0, (self.completed or 0) / self.total) if self.total else None


class PullJob:
    """One pull; it goes on when nobody looks. After `cancel` the server keeps what came: a new pull goes on there."""

    def __init__(self, model: str, settings: ModelSettings, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.model = model
        self._settings = settings
        self._clock = clock
        self._now = PullStatus()
        self._parts: dict[str, tuple[int, int]] = {}
        self._began: tuple[float, int] | None = None
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"adaq-pull-{model}", daemon=True)

    @property
    def status(self) -> PullStatus:
        """How far it is now."""
        return self._now

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self._now.state == "running"

    def start(self) -> None:
        """Begin; once."""
        self._thread.start()

    def cancel(self) -> None:
        """Stop it. It is stopped at once for whoever looks, and for the server with its next word."""
        self._cancelled.set()
        if self.running:
            self._now = replace(self._now, state="stopped")

    def wait(self, timeout: float | None = None) -> PullStatus:
        """Wait until the work is over, or `timeout` seconds; how far it is then."""
        self._thread.join(timeout)
        return self._now

    def _work(self) -> None:
        from adaq_core.llm.ollama import OllamaClient

        try:
            client = OllamaClient(self.model, settings=self._settings)
            try:
                with closing(client.pull()) as told:
                    for line in told:
                        if self._cancelled.is_set():
                            return
                        self._take(line)
            finally:
                client.close()
            self._end("done")
        except AdaqError as error:
            self._end("failed", str(error))
        except Exception as error:  # a thread that died without a word would look as if it went on
            self._end("failed", f"The pull ended unexpectedly ({type(error).__name__}: {error}). Try it again.")

    def _end(self, state: PullState, error: str = "") -> None:
        if not self._cancelled.is_set():
            self._now = replace(self._now, state=state, error=error)

    def _take(self, line: PullProgress) -> None:
        if line.total:
            self._parts[line.status] = (line.completed or 0, line.total)
        completed = sum(done for done, _ in self._parts.values())
        total = sum(size for _, size in self._parts.values())
        speed = self._speed(completed)
        self._now = PullStatus(
            status=line.status,
            completed=completed if self._parts else None,
            total=total if self._parts else None,
            bytes_per_second=speed,
            seconds_left=(total - completed) / speed if speed else None,
        )

    def _speed(self, completed: int) -> float | None:
        """Bytes a second since the first count: what an earlier pull had brought does not make this one fast."""
        if not self._parts:
            return None
        if self._began is None:
            self._began = (self._clock(), completed)
        since, first = self._began
        passed = self._clock() - since
        return (completed - first) / passed if passed >= 0.5 and completed > first else None
