"""Work in the background, one kind for all: runs, indexing, vectors, experiments, downloads of models.

A job goes on while pages and requests come and go. Whoever looks sees how far it is, may ask it to stop, and reads its
result or, in words, what went wrong.

A change of a corpus is carried out in a process of its own (`changed_apart`): native code that cuts and counts a long
text holds the interpreter for seconds, in which no page would be served.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

from adaq_core.errors import AdaqError, CorpusError
from adaq_core.home import PROJECT, home

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport

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
    """Let no job hold up the end of the process, for who leaves it without taking down what native code works with."""
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
        """Whether it has ended, one way or the other."""
        return self._over.is_set()

    @property
    def running(self) -> bool:
        """Whether it is at work now."""
        return self.state == "running"

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._cancel.is_set()

    @property
    def share(self) -> float:
        """How far it is, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def rate(self) -> float | None:
        """Units a second; None until that can be told."""
        if len(self._readings) < 2:
            return None
        (begun, first), (last, done) = self._readings[0], self._readings[-1]
        return (done - first) / max(last - begun, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take at this rate; None until that can be told."""
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
        """Ask it to stop: it does at the next place where that loses nothing."""
        self._cancel.set()

    def drop(self) -> None:
        """End it before it began."""
        self._cancel.set()
        self._end("dropped")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, or `timeout` seconds; whether it has come."""
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


_SIZE_BYTES = 8
_LOOK_SECONDS = 0.1
_ENDING_SECONDS = 5.0  # that a change which nobody wants any more has to end by itself
_BEHIND_PAGES = 10  # the priority of the process: pages come first


@dataclass(frozen=True, slots=True)
class CorpusChange:
    """A call of the library in the home folder and what it is given, as JSON; `uploads` are (name, bytes)."""

    call: Literal["add", "remove_document", "edit_card"]
    corpus: str
    given: dict[str, Any] = field(default_factory=dict)
    uploads: tuple[tuple[str, bytes], ...] = ()


def changed_apart(change: CorpusChange, progress: Progress, cancelled: Cancelled) -> IngestReport:
    """Carry out a change in a process of its own, which may be killed at any moment: the corpus is the old or the new.

    Raises:
        CorpusError: what is wrong with it, in the library's words, or that the process was ended.
    """
    path = os.pathsep.join([str(PROJECT), *filter(None, sys.path)])
    child = subprocess.Popen(
        [sys.executable, "-B", "-m", "adaq_core.runs.jobs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "ADAQ_HOME": str(home())},
    )
    lines: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    for work in (_send, _receive):
        threading.Thread(target=work, args=(child, change, lines), daemon=True).start()
    try:
        return _followed(child, lines, progress, cancelled)
    finally:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError):  # what it still held for the dead process
                assert pipe is not None
                pipe.close()


def _send(child: subprocess.Popen[bytes], change: CorpusChange, _: object) -> None:
    assert child.stdin is not None
    sizes = [(name, len(data)) for name, data in change.uploads]
    head = {"call": change.call, "corpus": change.corpus, "given": change.given, "uploads": sizes}
    text = json.dumps(head).encode()
    with suppress(OSError, ValueError):  # it is gone: whoever reads its lines says so
        child.stdin.write(len(text).to_bytes(_SIZE_BYTES, "big") + text)
        for _, data in change.uploads:
            child.stdin.write(data)
        child.stdin.flush()


def _receive(child: subprocess.Popen[bytes], _: object, lines: SimpleQueue[dict[str, Any] | None]) -> None:
    assert child.stdout is not None
    with suppress(OSError, ValueError):
        for line in child.stdout:
            lines.put(json.loads(line))
    lines.put(None)


def _followed(
    child: subprocess.Popen[bytes],
    lines: SimpleQueue[dict[str, Any] | None],
    progress: Progress,
    cancelled: Cancelled,
) -> IngestReport:
    """Pass on what the process tells until it has its report; one that does not end when it should is killed."""
    until = float("inf")
    while True:
        if cancelled() and until == float("inf"):
            until = time.monotonic() + _ENDING_SECONDS
            child.terminate()
        try:
            line = lines.get(timeout=_LOOK_SECONDS)
        except Empty:
            if time.monotonic() < until:
                continue
            line = None
        if line is None and until < float("inf"):
            return _report({"cancelled": True})
        if line is None:
            raise CorpusError("the process that changed the corpus was ended from outside; the corpus is as it was")
        if "error" in line:
            raise CorpusError(line["error"])
        if "report" in line:
            return _report(line["report"])
        progress(*line["progress"])


def _report(given: dict[str, Any]) -> IngestReport:
    from pydantic import TypeAdapter

    from adaq_core.corpus.holdings import IngestReport

    return TypeAdapter(IngestReport).validate_python(given)


def _serve() -> None:
    """Carry out the one change that comes on stdin: the other process."""
    from adaq_core.corpus.library import CorpusLibrary

    with suppress(AttributeError, OSError):  # Windows knows no such thing
        os.nice(_BEHIND_PAGES)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a parser prints is no answer
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    head = json.loads(source.read(int.from_bytes(source.read(_SIZE_BYTES), "big")))
    uploads = [(name, source.read(size)) for name, size in head["uploads"]]
    threading.Thread(target=_until_the_end, args=(source, stop), daemon=True).start()

    def tell(**line: Any) -> None:
        with suppress(OSError):  # whoever asked is gone, and so the change is called off
            sink.write(json.dumps(line).encode() + b"\n")
            sink.flush()

    given = dict(head["given"])
    if head["call"] == "add":
        followed = {"progress": lambda *at: tell(progress=at), "cancelled": stop.is_set}
        given = {**given, "uploads": uploads, **followed}
    try:
        tell(report=asdict(getattr(CorpusLibrary(), head["call"])(head["corpus"], **given)))
    except AdaqError as error:
        tell(error=str(error))


def _until_the_end(source: IO[bytes], stop: threading.Event) -> None:
    """Call the change off when the process that asked for it is gone."""
    source.read()
    stop.set()


if __name__ == "__main__":
    _serve()
