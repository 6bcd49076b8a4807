"""Experiments that a page starts: in a thread of this process, to be watched, cancelled and taken up again."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from pathlib import Path

from adaq_core.errors import AdaqError, InputError
from adaq_core.evaluation.progress import Progress, read_progress
from adaq_core.evaluation.request import Request, evaluate
from adaq_core.store.store import Store

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Started:
    """An experiment at work; `error` says in words why it ended early."""

    folder: Path
    request: Request
    cancel: threading.Event = field(default_factory=threading.Event)
    error: str = ""
    thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self.thread is not None and self.thread.is_alive()

    @property
    def progress(self) -> Progress | None:
        """What it said last."""
        return read_progress(self.folder)


_lock = threading.Lock()
_started: dict[Path, Started] = {}


def start(request: Request, *, store: Store | None, out: Path | None = None, workers: int | None = None) -> Started:
    """Begin, or take up, an experiment; the one at work when it is running already.

    Raises:
        InputError, DatasetError: it cannot be run; nothing was begun.
    """
    request.plan()
    folder = (out or request.folder()).resolve()
    with _lock:
        known = _started.get(folder)
        if known is not None and known.running:
            return known
        begun = _started[folder] = Started(folder, request)
        begun.thread = threading.Thread(
            target=_work, args=(begun, store, workers), name=f"experiment {folder.name}", daemon=True
        )
        begun.thread.start()
    return begun


def started(folder: Path) -> Started | None:
    """The experiment that this process began in `folder`, at work or over; None when it began none there."""
    return _started.get(folder.resolve())


def cancel(folder: Path) -> None:
    """Stop after the runs at hand; what is finished stays. InputError when nothing is at work there."""
    known = started(folder)
    if known is None or not known.running:
        raise InputError(f"expected an experiment at work in {folder}, but there is none; start it first")
    known.cancel.set()


def _work(begun: Started, store: Store | None, workers: int | None) -> None:
    try:
        evaluate(begun.request, out=begun.folder, store=store, workers=workers, cancelled=begun.cancel.is_set)
    except AdaqError as error:
        begun.error = str(error)
    except Exception as error:  # the thread has no caller to tell: whoever shows the experiment does
        log.exception("experiment %s ended early", begun.folder.name)
        begun.error = f"It ended early ({type(error).__name__}: {error}). What is finished is kept: start it again."
