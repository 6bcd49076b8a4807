"""One run in the background: from a job to its recorded events, whatever goes wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from adaq_core import methods, run
from adaq_core.chat_of_run import chat_of_run
from adaq_core.corpus.searching import shelf
from adaq_core.errors import AdaqError, StoreError
from adaq_core.events import Event, RunFailed, RunStarted, WordingsLearned
from adaq_core.learning import learned_wordings
from adaq_core.model import Budget, CorpusCard, QueryAspect, Settings
from adaq_core.retrieval.index import PassageIndex
from adaq_core.store import RunStatus, Store
from adaq_core.store_documents import FetchedDocuments

log = logging.getLogger(__name__)

CLOSED = "ADAQ was closed before the run ended."


class Corpora(Protocol):
    """Where corpora are found by name; CorpusError when there is none."""

    def card(self, name: str) -> CorpusCard:
        """What the corpus is, without loading it."""
        ...

    def open(self, name: str) -> PassageIndex:
        """The corpus, ready to be searched."""
        ...


@dataclass(slots=True)
class Job:
    """A run that waits or is at work; `cancel` asks it to stop.

    `past`, `extra` and `wordings` are those of `run.execute`.
    `model` names the language model when no `chat` is given; empty means those of the settings, None none.
    """

    run_id: str
    question: str
    method: str
    corpus: CorpusCard
    settings: Settings
    budget: Budget
    aspects: tuple[QueryAspect, ...] | None = None
    chat: Any = None
    model: str | None = None
    parent: str | None = None
    past: tuple[Event, ...] = ()
    extra: tuple[str, ...] = ()
    wordings: WordingsLearned | None = None
    cancel: threading.Event = field(default_factory=threading.Event)


def carry_out(job: Job, *, store: Store, corpora: Corpora, leave: Callable[[], bool]) -> None:
    """Run it and record every event; what goes wrong outside the method ends the run as failed.

    Between two events `leave` may ask to leave the run as it is; it is marked as interrupted then.
    """
    try:
        _record(job, store, corpora, leave)
    except StoreError as error:
        log.error("run %s could not be recorded: %s", job.run_id, error)
        end(job, store, "failed", f"It could not be recorded: {error}")
    except Exception as error:
        log.exception("run %s failed before it began", job.run_id)
        _fail(job, store, error)


def end(job: Job, store: Store, status: RunStatus, reason: str) -> None:
    """Mark the run, unless its last event has ended it."""
    try:
        store.end_without_event(job.run_id, status, reason)
    except StoreError as error:
        log.error("run %s could not be marked as %s: %s", job.run_id, status, error)


def _record(job: Job, store: Store, corpora: Corpora, leave: Callable[[], bool]) -> None:
    """Events are written while the method goes on; readers see one once it is on the disk."""
    needs_vectors = methods.needs_vectors(job.method)
    retriever = shelf().retriever(
        corpora.open(job.corpus.name), needs_vectors=needs_vectors, cancelled=job.cancel.is_set
    )
    stream = run.execute(
        job.method,
        job.question,
        retriever=retriever,
        settings=job.settings,
        budget=job.budget,
        chat=_chat(job, store),
        cancelled=job.cancel.is_set,
        past=job.past,
        aspects=job.aspects,
        extra=job.extra,
        keeper=FetchedDocuments(store, job.run_id, parent=job.parent) if job.settings.sources else None,
        wordings=_wordings(job, store),
    )
    with closing(stream) as events:
        for event in events:
            if isinstance(event, RunStarted):
                event = replace(event, resumed_from=job.parent)
            store.append(job.run_id, event, wait=False)
            if leave():
                break
    store.flush(job.run_id)
    if store.is_recorded_here(job.run_id):
        end(job, store, "interrupted", CLOSED)


def _wordings(job: Job, store: Store) -> WordingsLearned | None:
    """What the run learns from: what the run that it goes on from did, else the store as it stands now."""
    if job.wordings is not None or not job.settings.learn:
        return job.wordings
    model = getattr(job.chat, "model", job.model) or None
    return learned_wordings(store, corpus=job.corpus.name, model=model, sources=job.settings.sources)


def _chat(job: Job, store: Store) -> Any:
    if job.chat is not None or job.model is None:
        return job.chat
    return chat_of_run(job.model, store=store, budget=job.budget, cancelled=job.cancel.is_set)


def _fail(job: Job, store: Store, error: Exception) -> None:
    words = str(error) if isinstance(error, AdaqError) else f"An unexpected error ended the run: {error!r}"
    first = RunStarted(job.question, job.method, job.corpus, job.settings, job.budget, resumed_from=job.parent)
    try:
        if not store.records(job.run_id):
            store.append(job.run_id, first)
        store.append(job.run_id, RunFailed(type(error).__name__, words))
    except StoreError as problem:
        log.error("run %s could not be recorded: %s", job.run_id, problem)
        end(job, store, "failed", f"It could not be recorded: {problem}")
