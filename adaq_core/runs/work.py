"""One run in the background, from a job to its recorded events; and what templates gained in earlier runs."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol, cast

from adaq_core import methods
from adaq_core.corpus.holdings import IngestReport
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.corpus.stored import shelf
from adaq_core.errors import AdaqError, InputError, StoreError
from adaq_core.events import (
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    HopStarted,
    Record,
    RunFailed,
    RunStarted,
    WordingsLearned,
    of_kind,
)
from adaq_core.model import ASPECT_TYPES, AspectType, Budget, CorpusCard, QueryAspect, Settings, WordingGain
from adaq_core.retrieval.index import PassageIndex
from adaq_core.runs import execute as run
from adaq_core.runs.forecast import chat_of_run
from adaq_core.sources.collection import kept_documents, uploads_of
from adaq_core.store.documents import Database, FetchedDocuments
from adaq_core.store.history import Line, wording_lines
from adaq_core.store.rows import RunRow
from adaq_core.store.store import RunStatus, Store


@dataclass(frozen=True, slots=True)
class Use:
    """A wording once used: for which type of aspect, whether after another one, and the rise of coverage in its hop."""

    aspect_type: AspectType
    again: bool
    template: str
    gain: float


def learned_wordings(
    store: Database, *, corpus: str, model: str | None = None, sources: Sequence[str] = ()
) -> WordingsLearned:
    """What the runs that people asked of `corpus` tell about wordings, as the store stands now."""
    return summed(uses(lines) for lines in wording_lines(store, corpus=corpus, model=model, sources=sources))


def summed(runs: Iterable[Iterable[Use]]) -> WordingsLearned:
    """The uses of several runs by type of aspect, first or further try, and wording; runs without any do not count."""
    counted = [tuple(run) for run in runs]
    times: Counter[tuple[AspectType, bool, str]] = Counter()
    total: Counter[tuple[AspectType, bool, str]] = Counter()
    for use in chain.from_iterable(counted):
        key = (use.aspect_type, use.again, use.template)
        times[key] += 1
        total[key] += round(use.gain * 1_000_000)
    gains = tuple(WordingGain(*key, times[key], round(total[key] / times[key] / 1_000_000, 6)) for key in sorted(times))
    return WordingsLearned(sum(bool(run) for run in counted), gains)


def uses_of(events: Iterable[Event]) -> tuple[Use, ...]:
    """The wordings that a run used and what each gained."""
    return tuple(uses(_lines(events)))


def uses(lines: Iterable[Line]) -> Iterator[Use]:
    """The wordings that a run used and what each gained; a query without a template is a try all the same."""
    types: dict[str, str] = {}
    before: dict[str, float] = {}
    now: dict[str, float] = {}
    tried: Counter[str] = Counter()
    asked: list[tuple[str, str]] = []
    for kind, names, values in lines:
        if kind == "aspects_planned":
            types = dict(zip(names, values, strict=True))
        elif kind == "hop_started":
            before, asked = now, list(zip(names, values, strict=False))
        elif kind == "coverage_assessed":
            now = {name: float(score) for name, score in zip(names, values, strict=True)}
        else:
            for aspect, template in asked:
                if template and types.get(aspect) in ASPECT_TYPES:
                    kind_of_aspect = cast("AspectType", types[aspect])
                    yield Use(
                        kind_of_aspect, tried[aspect] > 0, template, now.get(aspect, 0.0) - before.get(aspect, 0.0)
                    )
                tried[aspect] += 1
            asked = []


def _lines(events: Iterable[Event]) -> Iterator[Line]:
    """The events as `wording_lines` gives them."""
    for event in events:
        match event:
            case AspectsPlanned():
                yield event.kind, [a.aspect for a in event.aspects], [a.aspect_type for a in event.aspects]
            case HopStarted():
                yield event.kind, [q.aspect for q in event.queries], [q.template for q in event.queries]
            case CoverageAssessed():
                yield event.kind, [s.aspect for s in event.scores], [str(s.score) for s in event.scores]
            case Decided():
                yield event.kind, [], []


def keep_in_corpus(
    run_id: str, corpus: str, *, store: Store, library: CorpusLibrary, document_ids: Sequence[str] | None = None
) -> IngestReport:
    """Put what a run fetched into `corpus`, which is made when it is new; all of it, or the chosen documents.

    Kept again, a document takes the place of its older text.

    Raises:
        InputError: the run fetched nothing that is still there.
        CorpusError: a document was not fetched in this run, or the corpus cannot be changed.
    """
    fetched = FetchedDocuments(store, run_id).documents()
    if not fetched:
        raise InputError(f"Run {run_id} has no documents of live sources to keep.")
    wanted = [document.document_id for document in fetched] if document_ids is None else document_ids
    return library.add(corpus, uploads=uploads_of(kept_documents(fetched, wanted)))


_LIMITS = ("max_hops", "budget_tokens", "budget_time", "budget_cost")
_NOT_A_VERDICT = ("user_stop", *_LIMITS)


@dataclass(frozen=True, slots=True)
class Continuation:
    """What `run.execute` is given to go on: the events that hold, aspects to try once more, what had been learned."""

    past: tuple[Event, ...]
    settings: Settings
    budget: Budget
    aspects: tuple[QueryAspect, ...] | None
    extra: tuple[str, ...] = ()
    wordings: WordingsLearned | None = None


def same_again(row: RunRow, records: Sequence[Record]) -> Continuation:
    """Go on as before; the limit that ended the run, if one did, is granted once more.

    Raises:
        InputError: the run ended because nothing was left to do.
    """
    if row.status == "finished" and row.stop_reason not in _LIMITS:
        raise InputError(
            f"Run {row.run_id} is finished ({row.reason}); there is nothing to resume. Search one of its aspects, or "
            "ask again."
        )
    events = [record.event for record in records]
    return Continuation(
        past=complete_hops(events, keep_verdict=True),
        settings=_longer(row.settings) if row.stop_reason == "max_hops" else row.settings,
        budget=_larger(row.budget) if row.stop_reason in _LIMITS else row.budget,
        aspects=row.given_aspects,
        wordings=next(of_kind(events, WordingsLearned), None),
    )


def one_more_hop(row: RunRow, records: Sequence[Record], aspect: str) -> Continuation:
    """Go on with one hop more than there were, aimed at `aspect`; a run makes that after it would have stopped.

    Raises:
        InputError: the run has no such aspect.
    """
    events = [record.event for record in records]
    planned = [one.aspect for event in of_kind(events, AspectsPlanned) for one in event.aspects]
    if aspect not in planned:
        raise InputError(
            f"Run {row.run_id} has no aspect {aspect!r}; it has {', '.join(map(repr, planned)) or 'none'}."
        )
    return Continuation(
        past=complete_hops(events, keep_verdict=False),
        settings=row.settings,
        budget=_larger(row.budget) if row.stop_reason in _LIMITS else row.budget,
        aspects=row.given_aspects,
        extra=(aspect,),
        wordings=next(of_kind(events, WordingsLearned), None),
    )


def complete_hops(events: Sequence[Event], *, keep_verdict: bool) -> tuple[Event, ...]:
    """The events up to the last decision; without that decision where it would be another one now.

    It would be when the user or a limit stopped the run, and with `keep_verdict=False` whenever it was to stop.
    """
    last = max((i for i, event in enumerate(events) if isinstance(event, Decided)), default=-1)
    if last < 0:
        return ()
    decided = events[last]
    assert isinstance(decided, Decided)
    verdict = decided.decision
    holds = not verdict.stop or (keep_verdict and verdict.stop_reason not in _NOT_A_VERDICT)
    return tuple(events[: last + holds])


def _longer(settings: Settings) -> Settings:
    return replace(settings, max_hops=2 * settings.max_hops)


def _larger(budget: Budget) -> Budget:
    return Budget(
        max_tokens=budget.max_tokens and 2 * budget.max_tokens,
        max_seconds=budget.max_seconds and 2 * budget.max_seconds,
        max_usd=budget.max_usd and 2 * budget.max_usd,
        max_calls=budget.max_calls and 2 * budget.max_calls,
    )


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
    retriever = shelf().retriever(
        corpora.open(job.corpus.name),
        needs_vectors=methods.needs_vectors(job.method),
        uses_vectors=job.settings.use_dense and methods.uses_vectors(job.method),
        cancelled=job.cancel.is_set,
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
        document_sink=FetchedDocuments(store, job.run_id, parent=job.parent) if job.settings.sources else None,
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
