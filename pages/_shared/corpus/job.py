"""Changes of a corpus that go on in the background: started from a page, watched from any page, cancelled.

One change per corpus at a time. The threads know nothing of the pages.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from adaq_core.corpus.holdings import IngestReport
from adaq_core.errors import AdaqError

log = logging.getLogger("adaq.pages")


class Change(Protocol):
    """What is done: it tells its progress and asks whether to stop."""

    def __call__(self, progress: Callable[[int, int, str], None], cancelled: Callable[[], bool]) -> IngestReport | None:
        """Do it; the report of an ingest, or None."""
        ...


@dataclass(slots=True)
class CorpusJob:
    """A change that goes on or is over; only its own thread writes `done` … `problem`."""

    corpus: str
    title: str
    done: int = 0
    total: int = 0
    what: str = ""
    over: bool = False
    report: IngestReport | None = None
    problem: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread = field(default_factory=threading.Thread)

    @property
    def share(self) -> float:
        """How far it is, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    def tell(self, done: int, total: int, what: str) -> None:
        """Where the work is."""
        self.done, self.total, self.what = done, total, what


_jobs: dict[str, CorpusJob] = {}
_lock = threading.Lock()


def start_job(corpus: str, title: str, change: Change) -> CorpusJob | None:
    """Begin a change; None when one of the same corpus goes on already."""
    with _lock:
        there = _jobs.get(corpus)
        if there is not None and not there.over:
            return None
        job = _jobs[corpus] = CorpusJob(corpus, title)
        job.thread = threading.Thread(target=_work, args=(job, change), name=f"adaq-corpus-{corpus}", daemon=True)
    job.thread.start()
    return job


def job_of(corpus: str) -> CorpusJob | None:
    """The change of a corpus that goes on, or the last one until it is dismissed."""
    return _jobs.get(corpus)


def jobs() -> tuple[CorpusJob, ...]:
    """All changes, going on or not dismissed."""
    return tuple(_jobs.values())


def dismiss_job(corpus: str) -> None:
    """Forget a change that is over."""
    with _lock:
        job = _jobs.get(corpus)
        if job is not None and job.over:
            del _jobs[corpus]


def _work(job: CorpusJob, change: Change) -> None:
    try:
        job.report = change(job.tell, job.stop.is_set)
    except AdaqError as error:
        job.problem = str(error)
    except Exception:
        log.exception("a change of corpus %s failed", job.corpus)
        job.problem = "It failed for a reason that nobody foresaw; the log has the details. The corpus is as it was."
    finally:
        job.over = True
