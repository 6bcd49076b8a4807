"""Work in the background, one kind for all: runs, indexing, vectors, experiments, downloads of models.

A job goes on while pages and requests come and go. Whoever looks sees how far it is, may ask it to stop, and reads its
result or, in words, what went wrong.
"""

from __future__ import annotations

import atexit
import logging
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, Literal, Self, TypeVar

from adaq_core.errors import AdaqError

log = logging.getLogger(__name__)

Result = TypeVar("Result")
Progress = Callable[[int, int, str], None]
Cancelled = Callable[[], bool]
Work = Callable[[Progress, Cancelled], Result]
State = Literal["waiting", "running", "done", "failed", "dropped"]
# A rate needs two readings; so many of the newest are looked at, because work speeds up and slows down.
_READINGS = 50  # of progress that the speed is taken from
_HURRIED_SECONDS = 0.5
_hurried = threading.Event()


def hurry() -> None:
    """Let no job delay the end of the process; for an exit that does not unload native code."""
    _hurried.set()


class Job(Generic[Result]):
    """One piece of work. Only its own thread writes; everybody may read, cancel and wait."""

    def __init__(self, name: str, work: Work[Result], *, total: int = 0, exit_seconds: float = 0.0) -> None:
        """`exit_seconds` is how long the end of the process waits for it: native code must not be at work then."""
        self.name = name
        self.state: State = "waiting"
        self.done = 0
        self.total = total
        self.what = ""
        self.result: Result | None = None
        self.error = ""
        self._work = work
        self._exit_seconds = exit_seconds
        self._cancel = threading.Event()
        self._over = threading.Event()
        self._readings: deque[tuple[float, int]] = deque(maxlen=_READINGS)

    @property
    def over(self) -> bool:
        """Whether the job has ended, in whatever way."""
        return self._over.is_set()

    @property
    def running(self) -> bool:
        """Whether the job is at work now."""
        return self.state == "running"

    @property
    def cancelled(self) -> bool:
        """Whether the job was asked to stop."""
        return self._cancel.is_set()

    @property
    def share(self) -> float:
        """Return how far the job is, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def rate(self) -> float | None:
        """Return units a second; None until that can be told."""
        if len(self._readings) < 2:
            return None
        (begun, first), (last, done) = self._readings[0], self._readings[-1]
        return (done - first) / max(last - begun, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds left at this rate; None until that can be told."""
        return (self.total - self.done) / self.rate if self.rate else None

    def start(self) -> Self:
        """Begin in a thread of its own; once."""
        self.state = "running"
        threading.Thread(target=self.run, name=self.name, daemon=True).start()
        return self

    def run(self) -> None:
        """Do the work in the calling thread."""
        self.state = "running"
        threading.current_thread().name = self.name  # so that what is logged meanwhile says of which job
        atexit.register(self._leave)
        try:
            self.result = self._work(self._tell, self._cancel.is_set)
            self._end("done")
        except AdaqError as error:
            self._end("failed", str(error))
        except Exception as error:  # the thread has no caller to tell: whoever shows the job does
            log.exception("%s ended early", self.name)
            self._end("failed", f"It ended early ({type(error).__name__}: {error}). The log has the details.")
        finally:
            atexit.unregister(self._leave)

    def cancel(self) -> None:
        """Ask the job to stop; it does at the next point where nothing is lost."""
        self._cancel.set()

    def drop(self) -> None:
        """End it before it began."""
        self._cancel.set()
        self._end("dropped")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, or `timeout` seconds; return whether it has ended."""
        return self._over.wait(timeout)

    def _tell(self, done: int, total: int, what: str = "") -> None:
        self.done, self.total, self.what = done, total, what
        self._readings.append((time.monotonic(), done))

    def _end(self, state: State, error: str = "") -> None:
        self.state, self.error = state, error
        self._over.set()

    def _leave(self) -> None:
        self.cancel()
        self.wait(min(self._exit_seconds, _HURRIED_SECONDS) if _hurried.is_set() else self._exit_seconds)


class JobQueue:
    """Jobs in the order in which they came, so many at a time, in threads that stay."""

    def __init__(self, name: str, *, workers: int) -> None:
        self._name = name
        self._most = workers
        self._changed = threading.Condition()
        self._waiting: list[Job[Any]] = []
        self._threads: list[threading.Thread] = []
        self._closed = False

    def put(self, job: Job[Any]) -> None:
        """Enter a job; it begins as soon as a thread is free."""
        with self._changed:
            self._waiting.append(job)
            if len(self._threads) < self._most:
                self._start_thread()
            self._changed.notify()

    def drop(self, job: Job[Any]) -> bool:
        """Take out a job that still waits; False when it has begun."""
        with self._changed:
            if job not in self._waiting:
                return False
            self._waiting.remove(job)
        job.drop()
        return True

    def close(self) -> None:
        """Begin no more jobs; those at work go on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._serve, name=f"{self._name}-{len(self._threads) + 1}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while job := self._next():
            job.run()

    def _next(self) -> Job[Any] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting)
            return None if self._closed else self._waiting.pop(0)


def close_when_told_to_end(close: Callable[[], None]) -> None:
    """Call `close` at the signal itself: the server waits for clients that follow a run, and they for it."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)
        if callable(before):
            signal.signal(number, partial(_told_to_end, close, before))


def _told_to_end(close: Callable[[], None], before: Callable[[int, Any], Any], number: int, frame: Any) -> None:
    threading.Thread(target=close, name="adaq-closing").start()
    before(number, frame)
