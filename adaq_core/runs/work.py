"""One run in the background, from what is asked to its recorded events; and the vectors that runs share."""

from __future__ import annotations

import atexit
import gc
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any, Protocol

from adaq_core import methods
from adaq_core.errors import AdaqError, ModelError, StoreError
from adaq_core.events import RunFailed, RunStarted, WordingsLearned
from adaq_core.export.otlp import live_spans
from adaq_core.home import setting
from adaq_core.llm import Chat, Prompt, Reply, Schema
from adaq_core.model import Budget, CorpusCard
from adaq_core.retrieval import Corpus
from adaq_core.retrieval.dense import Embedder, EncodedQueries, FetchedVectors, MiniLM, PassageVectors, SentenceEncoder
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.runs.forecast import learned_wordings
from adaq_core.runs.jobs import Cancelled, Job, Progress
from adaq_core.store import RunStatus, Store
from adaq_core.store.history import FetchedDocuments

SMALL = 2_000
WARM_UP = "warm up"
_LOOK_AGAIN = 0.2  # seconds
_EXIT_SECONDS = 10.0


class CorpusVectors:
    """The vectors of the corpora of this process, one set for each version of a corpus, made in the background."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or chosen_embedder()
        self._queries = EncodedQueries(self._embedder)
        self._vectors: dict[str, PassageVectors] = {}
        self._jobs: dict[str, Job[None]] = {}
        self._lock = threading.Lock()

    def vectors(self, index: PassageIndex) -> PassageVectors:
        """Return the vectors of `index`, as many as there are."""
        with self._lock:
            key = _key(index)
            self._drop_gone(but=key)
            if key not in self._vectors:
                self._vectors[key] = PassageVectors(index, self._embedder)
            return self._vectors[key]

    def _drop_gone(self, *, but: str) -> None:
        """Drop the vectors of corpora, and versions of them, that were deleted."""
        for key in [key for key, kept in self._vectors.items() if key != but and kept.index.is_gone()]:
            del self._vectors[key]
            if (job := self._jobs.get(key)) is not None and job.over:
                del self._jobs[key]

    def whole(self, index: PassageIndex) -> PassageVectors | None:
        """Return the vectors of `index`; None while some passages lack one."""
        vectors = self.vectors(index)
        return vectors if len(index.passages) and vectors.ready >= 1.0 else None

    def job(self, index: PassageIndex) -> Job[None] | None:
        """Return the job on the vectors of `index`, running or over; None if none was started."""
        return self._jobs.get(_key(index))

    def at_work(self) -> Job[None] | None:
        """Return the job on vectors of any corpus that runs now."""
        return next((job for job in list(self._jobs.values()) if job.running), None)

    def start(self, index: PassageIndex) -> Job[None]:
        """Make the missing vectors in the background; return the running job if there is one."""
        vectors = self.vectors(index)
        with self._lock:
            job = self._jobs.get(_key(index))
            if job is None or job.over:
                job = self._jobs[_key(index)] = embedding_job(vectors).start()
            return job

    def retriever(
        self,
        index: PassageIndex,
        *,
        needs_vectors: bool,
        uses_vectors: bool = False,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> DocumentRetriever:
        """Return a retriever with the vectors of `index` if all of them are there.

        For a method that needs them the vectors of a small corpus (up to 2,000 passages) are made first. For a run that
        uses them, to search or to read, the model is loaded now: its time and its budget are the method's own.
        """
        whole = self.whole(index)
        if whole is None and needs_vectors and 0 < len(index.passages) <= SMALL:
            job = self.start(index)
            while not job.wait(_LOOK_AGAIN) and not cancelled():
                pass
            whole = self.whole(index)
        if whole is not None and (needs_vectors or uses_vectors):
            whole.search(WARM_UP, 1)
        return DocumentRetriever(index, vectors=whole)

    def elsewhere(self, corpus: FetchedCorpus, *, needs_vectors: bool, uses_vectors: bool) -> DocumentRetriever:
        """Return a retriever of a remote corpus, with its vectors if the same model made them and the run asks."""
        if corpus.about.vectors != self._embedder.key or not (needs_vectors or uses_vectors):
            return DocumentRetriever(corpus)
        vectors = FetchedVectors(corpus, self._queries)
        vectors.encode_queries([WARM_UP])
        return DocumentRetriever(corpus, vectors=vectors)


def embedding_job(vectors: PassageVectors) -> Job[None]:
    """Return the job that makes the missing vectors; search goes on meanwhile with those that are there."""

    def make(progress: Progress, cancelled: Cancelled) -> None:
        vectors.compute(progress=progress, cancelled=cancelled)
        total = len(vectors.index.passages)
        progress(round(vectors.ready * total), total, "passages have their vectors")

    return Job("embedding", make, total=len(vectors.index.passages), exit_seconds=_EXIT_SECONDS)


def chosen_embedder() -> Embedder:
    """Return the model that `ADAQ_EMBEDDING_MODEL` names (sentence-transformers name or folder); by default MiniLM."""
    name = setting("ADAQ_EMBEDDING_MODEL")
    return SentenceEncoder(name) if name else MiniLM()


def _key(index: Corpus) -> str:
    return f"{index.card.name}/{index.card.version}"


_making = threading.Lock()


def corpus_vectors() -> CorpusVectors:
    """Return this process's vectors of all corpora, one object for all threads."""
    with _making:
        return _corpus_vectors()


@cache
def _corpus_vectors() -> CorpusVectors:
    return CorpusVectors()


log = logging.getLogger(__name__)

CLOSED = "ADAQ was closed before the run ended."


class Corpora(Protocol):
    """Where corpora are found by name; CorpusError when there is none."""

    def card(self, name: str) -> CorpusCard:
        """Return what the corpus is, without loading it."""
        ...

    def open(self, name: str) -> PassageIndex | FetchedCorpus:
        """Return the corpus, ready to be searched."""
        ...


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that is queued in the store: what is asked, of which corpus, with which model.

    `model` names the language model when no `chat` is given; empty means those of the settings, None none. One that
    `waits_for_vectors` is compared with a run that needs them: it begins under the same conditions. Of runs
    of a `group`, which are compared, the times count.
    """

    run_id: str
    spec: RunSpec
    corpus: CorpusCard
    chat: Any = None
    model: str | None = None
    parent: str | None = None
    waits_for_vectors: bool = False
    group: str | None = None

    @property
    def model_name(self) -> str | None:
        """Return the model as the run records it."""
        return getattr(self.chat, "model", self.model) or None

    @property
    def first(self) -> RunStarted:
        """Return how the run will begin."""
        spec = self.spec
        return RunStarted(
            question=spec.question,
            method=spec.method,
            corpus=self.corpus,
            settings=spec.settings,
            budget=spec.budget,
            model=self.model_name,
            resumed_from=self.parent,
        )


def carry_out(
    queued: QueuedRun, *, store: Store, corpora: Corpora, cancelled: Cancelled, leave: Callable[[], bool]
) -> None:
    """Execute the run and record every event; an error outside the method ends it as failed.

    Between two events `leave` may ask to leave the run as it is; it is marked as interrupted then.
    """
    try:
        _record(queued, store, corpora, cancelled, leave)
        exempt_what_is_loaded()
    except StoreError as error:
        log.error("run %s could not be recorded: %s", queued.run_id, error)
        end(queued.run_id, store, "failed", f"It could not be recorded: {error}")
    except Exception as error:
        log.exception("run %s failed before it began", queued.run_id)
        _fail(queued, store, error)


_asked = count(1)
_YOUNG = 200_000  # objects; fewer stay of any question, so that the collector waits for the pause behind it
_GATHERED = 30_000  # of them, which a pause is used for
_HELD = 256  # questions until what has been exempt is gone through as well


def exempt_what_is_loaded() -> None:
    """Collect garbage between two questions, then exempt all that is held from later collections.

    A full collection stops every thread for .07 to .2 s where it goes through a whole index and what was kept of other
    questions, in two or three questions of sixty; passes through what is young take 2 to 4 % of a question. Here both
    are done at once for what came since the last one, .01 s; what was exempt and has died since is let go of after
    every 256th question. The first answer of a process waits for nothing.
    """
    asked = next(_asked)
    if asked == 1:
        gc.freeze()
        gc.set_threshold(_YOUNG)
        atexit.register(gc.unfreeze)  # what is never let go of, extensions report as leaks when the process ends
    elif asked % _HELD == 0 or gc.get_count()[0] >= _GATHERED:
        if asked % _HELD == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()


def end(run_id: str, store: Store, status: RunStatus, reason: str) -> None:
    """Record how the run ended, unless its last event did."""
    try:
        store.end_without_event(run_id, status, reason)
    except StoreError as error:
        log.error("run %s could not be marked as %s: %s", run_id, status, error)


def _record(queued: QueuedRun, store: Store, corpora: Corpora, cancelled: Cancelled, leave: Callable[[], bool]) -> None:
    """Record events while the method goes on; readers see one once it is on disk."""
    spec, run_id = queued.spec, queued.run_id
    corpus = corpora.open(queued.corpus.name)
    retriever = retriever_of(corpus, spec, cancelled, waits=queued.waits_for_vectors)
    stream = execute(
        replace(spec, learned=_learned(queued, store)),
        retriever=retriever,
        chat=_chat(queued, store, cancelled),
        cancelled=cancelled,
        document_sink=FetchedDocuments(store, run_id, parent=queued.parent) if spec.settings.sources else None,
    )
    spans = live_spans(run_id)
    own_time = _own_time(queued, retriever, cancelled)
    with own_time, closing(stream) as events, closing(spans) if spans else nullcontext():
        for event in events:
            if isinstance(event, RunStarted):
                event = replace(event, resumed_from=queued.parent)
            record = store.append(run_id, event, wait=False)
            if spans:
                spans.take(record)
            if leave():
                break
    store.flush(run_id)
    if store.is_recorded_here(run_id):
        end(run_id, store, "interrupted", CLOSED)


_alone = threading.Lock()
_warm: set[tuple[str | None, str]] = set()


@contextmanager
def _own_time(queued: QueuedRun, retriever: DocumentRetriever, cancelled: Cancelled) -> Iterator[None]:
    """For a compared run, wait until it is alone, and warm up first, so that its time is its method's own.

    Beside others it would share the processor with them. The first of a method loads what that method needs, and the
    first on a question what all of them take over: its vector, say. A run that waits for a model or for live sources
    waits beside the others.
    """
    waits = queued.model is not None or queued.chat is not None or queued.spec.settings.sources
    if waits or queued.group is None:
        yield
        return
    while not (own := _alone.acquire(timeout=_LOOK_AGAIN)) and not cancelled():
        pass
    try:
        first = {(queued.spec.method, _key(retriever.index)), (queued.group, queued.spec.question)} - _warm
        if first:
            _warm.update(first)
            deque(execute(queued.spec, retriever=retriever, cancelled=cancelled), maxlen=0)
        yield
    finally:
        if own:
            _alone.release()


def retriever_of(
    corpus: PassageIndex | FetchedCorpus,
    spec: RunSpec,
    cancelled: Cancelled,
    *,
    vectors: CorpusVectors | None = None,
    waits: bool = False,
) -> DocumentRetriever:
    """Return the retriever of the corpus: with vectors if there are any; a view of its own on a remote corpus.

    Vectors that are here are used by every method: what does not search with them still reads with them. With `waits`
    those of a small corpus are made first for a method that does without them, too.
    """
    vectors = vectors or corpus_vectors()
    needs, dense = methods.needs_vectors(spec.method), spec.settings.use_dense
    if isinstance(corpus, FetchedCorpus):
        uses = dense and methods.uses_vectors(spec.method)
        return vectors.elsewhere(corpus.for_run(), needs_vectors=needs, uses_vectors=uses)
    needs = needs or (waits and dense)
    return vectors.retriever(corpus, needs_vectors=needs, uses_vectors=dense, cancelled=cancelled)


def _learned(queued: QueuedRun, store: Store) -> WordingsLearned | None:
    """Return what the run learns from: what its parent run did, else the store as it stands now."""
    spec = queued.spec
    if spec.learned is not None or not spec.settings.learn:
        return spec.learned
    corpus, sources = queued.corpus.name, spec.settings.sources
    return learned_wordings(store, corpus=corpus, model=queued.model_name, sources=sources)


def _chat(queued: QueuedRun, store: Store, cancelled: Cancelled) -> Any:
    if queued.chat is not None or queued.model is None:
        return queued.chat
    return chat_of_run(queued.model, store=store, budget=queued.spec.budget, cancelled=cancelled)


def _fail(queued: QueuedRun, store: Store, error: Exception) -> None:
    words = str(error) if isinstance(error, AdaqError) else f"An unexpected error ended the run: {error!r}"
    run_id = queued.run_id
    try:
        if not store.records(run_id):
            store.append(run_id, queued.first)
        store.append(run_id, RunFailed(type(error).__name__, words))
    except StoreError as problem:
        log.error("run %s could not be recorded: %s", run_id, problem)
        end(run_id, store, "failed", f"It could not be recorded: {problem}")


def chat_of_run(model: str, *, store: Store, budget: Budget, cancelled: Callable[[], bool]) -> Chat:
    """Return the chat that `model` names; waiting for it takes no longer than the time that the run has.

    `model` is one for all stages, two as a run records them ("small + large", the second writes the answer), or empty
    for those of the settings. What is wrong with the settings is said by every reply, so that the run goes on by rules.
    """
    from adaq_core.llm.chats import chat_for
    from adaq_core.llm.settings import read_settings
    from adaq_core.store.history import KeptReplies

    try:
        settings = read_settings()
        if (most := budget.max_seconds) is not None:
            waits = {
                name: min(getattr(settings, name), max(1.0, most)) for name in ("silence_seconds", "reply_seconds")
            }
            settings = settings.model_copy(update=waits)
        over = _over(budget, cancelled)
        return chat_for(settings, model=model, reply_cache=KeptReplies(store), cancelled=over)
    except AdaqError as error:
        return Unusable(model, error)


class Unusable:
    """Take the place of a chat that could not be made; every question raises why."""

    def __init__(self, model: str, error: Exception) -> None:
        self._model = model
        self._error = error

    @property
    def model(self) -> str:
        """The name that was asked for."""
        return self._model or "not chosen"

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """No reply."""
        raise self._error if isinstance(self._error, ModelError) else ModelError(str(self._error))


def _over(budget: Budget, cancelled: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the run was cancelled or out of time, so that a reply under way is not waited for."""
    began = time.monotonic()

    def over() -> bool:
        late = budget.max_seconds is not None and time.monotonic() - began >= budget.max_seconds
        return late or cancelled()

    return over
