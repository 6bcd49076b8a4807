"""A change of a corpus, carried out in a process of its own.

Native code that cuts and counts a long text holds the interpreter for seconds, in which no page would be served. The
process may be killed at any moment: the corpus is the old or the new.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, Literal

from adaq_core.corpus.isolated import begun, ended, one_sized, own_pipes, sized
from adaq_core.errors import AdaqError, CorpusError
from adaq_core.home import home

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport
    from adaq_core.retrieval.dense import Progress

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


def changed_apart(change: CorpusChange, progress: Progress, cancelled: Callable[[], bool]) -> IngestReport:
    """Carry out a change in a process of its own, which may be killed at any moment: the corpus is the old or the new.

    Raises:
        CorpusError: what is wrong with it, in the library's words, or that the process was ended.
    """
    child = begun(__name__, {**os.environ, "ADAQ_HOME": str(home())})
    lines: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    threading.Thread(target=_send, args=(child, change), daemon=True).start()
    threading.Thread(target=_receive, args=(child, lines), daemon=True).start()
    try:
        return _followed(child, lines, progress, cancelled)
    finally:
        ended(child)


def _send(child: subprocess.Popen[bytes], change: CorpusChange) -> None:
    assert child.stdin is not None
    sizes = [(name, len(data)) for name, data in change.uploads]
    head = {"call": change.call, "corpus": change.corpus, "given": change.given, "uploads": sizes}
    with suppress(OSError, ValueError):  # it is gone: whoever reads its lines says so
        child.stdin.write(sized(json.dumps(head).encode()))
        for _, data in change.uploads:
            child.stdin.write(data)
        child.stdin.flush()


def _receive(child: subprocess.Popen[bytes], lines: SimpleQueue[dict[str, Any] | None]) -> None:
    assert child.stdout is not None
    with suppress(OSError, ValueError):
        for line in child.stdout:
            lines.put(json.loads(line))
    lines.put(None)


def _followed(
    child: subprocess.Popen[bytes],
    lines: SimpleQueue[dict[str, Any] | None],
    progress: Progress,
    cancelled: Callable[[], bool],
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
    source, sink = own_pipes()
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    head = json.loads(one_sized(source))
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
