"""What a worker does: open the corpus once, then run and measure one question after the other.

A worker writes nothing: the run store has one writer. It hands back the outcome and the records of the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from ctypes import c_byte
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.errors import InputError
from adaq_core.evaluation import Outcome
from adaq_core.evaluation.measuring import Judge, half, outcome_of
from adaq_core.evaluation.variants import Variant, of_code, with_vectors
from adaq_core.events import Event, Record, RunStarted, WordingsLearned
from adaq_core.home import home
from adaq_core.llm import Chat
from adaq_core.model import AspectType, Budget, QueryAspect, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.runs.work import exempt_what_is_loaded, retriever_of
from adaq_core.stages.services import never
from adaq_core.store import Store

Task = tuple[str, str]
ORACLE_TYPE: AspectType = "facet"


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a worker needs to know; small enough to be sent to another process.

    `wordings` are what each half of the questions is given to learn from, where a variant learns. `by_meaning` gives
    the vectors of the corpus to the variants that may use them, beside those that need them.
    """

    dataset: Path
    split: str
    index: Path
    variants: tuple[Variant, ...]
    configurations: Mapping[str, str]
    budget: Budget
    model: str | None = None
    judges: tuple[str, ...] = ()
    threads: int | None = None
    wordings: tuple[WordingsLearned, WordingsLearned] | None = None
    by_meaning: bool = False
    k_of_subtopics: bool = False
    gold_removed: bool = False

    def has_vectors(self, variant: Variant) -> bool:
        """Whether the runs of a variant have the vectors of the corpus."""
        return variant.vectors or (self.by_meaning and variant.may_use_vectors)

    @property
    def paths(self) -> tuple[Path, ...]:
        """What every machine has to see."""
        return self.dataset, self.index

    def worker(self, *, threads: int | None = None) -> Worker:
        """Make the worker that runs its tasks in a process."""
        return Worker(replace(self, threads=threads) if threads else self)


@dataclass(frozen=True, slots=True)
class QuestionsToAsk:
    """Questions for one corpus and one method, run as `ask` does; a task is the index of a question."""

    questions: tuple[str, ...]
    corpus: str
    method: str = "adaptive"
    settings: Settings = field(default_factory=Settings)
    budget: Budget = field(default_factory=Budget)
    model: str | None = None
    learned: WordingsLearned | None = None
    home: Path = field(default_factory=home)

    @property
    def paths(self) -> tuple[Path, ...]:
        """What every machine has to see."""
        return (self.home,)

    def worker(self, *, threads: int | None = None) -> QuestionWorker:
        """Make the worker that runs its tasks in a process."""
        return QuestionWorker(self)


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A finished run: what it came to, and its records for the store."""

    outcome: Outcome
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """What became of a question: the records of its run, or why it did not begin."""

    number: int
    question: str
    records: tuple[Record, ...] = ()
    error: str = ""


class QuestionWorker:
    """Runs tasks that are indexes of questions."""

    def __init__(self, asking: QuestionsToAsk) -> None:
        from adaq_core.corpus.library import CorpusLibrary, Everywhere

        self._asking = asking
        self._corpus = Everywhere(CorpusLibrary()).open(asking.corpus)
        self._chat = _chat(asking.model) if asking.model else None

    def run(self, number: int) -> AskedQuestion:
        """Ask one question; one that is refused does not keep the others from being asked."""
        question, asking = self._asking.questions[number], self._asking
        spec = RunSpec(asking.method, question, asking.settings, asking.budget, learned=asking.learned)
        try:
            retriever = retriever_of(self._corpus, spec, never)
            records = recorded(execute(spec.checked(), retriever=retriever, chat=self._chat))
            exempt_what_is_loaded()
        except Exception as error:  # whatever keeps one run from beginning becomes that question's error
            return AskedQuestion(number, question, error=f"{type(error).__name__}: {error}")
        return AskedQuestion(number, question, records)


def recorded(events: Iterable[Event]) -> tuple[Record, ...]:
    """Return the records of a run that is made now, with their times."""
    records: list[Record] = []
    begun = time.perf_counter()
    for seq, event in enumerate(events, start=1):
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        records.append(Record(seq, at, round(time.perf_counter() - begun, 6), event))
    return tuple(records)


class Worker:
    """Runs tasks that are (variant label, question id)."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        questions = read_question_set(setup.dataset, setup.split)
        known = (each.without_gold() if setup.gold_removed else each for each in questions)
        self._questions = {each.question_id: each for each in known}
        self._variants = {variant.label: variant for variant in setup.variants}
        index = PassageIndex.load(setup.index)
        index.card = replace(index.card, name=setup.dataset.name)  # as people know it: several sets may share a corpus
        plain = DocumentRetriever(index)
        if any(map(setup.has_vectors, setup.variants)):
            dense = with_vectors(index, threads=setup.threads)
        else:
            dense = plain
        self._retrievers = {True: dense, False: plain}
        self._judge = Judge(index)
        self._warm: set[str] = set()
        self._chat = _chat(setup.model) if setup.model else None
        self._judges = tuple(map(_chat, setup.judges))

    def run(self, task: Task) -> FinishedRun:
        """Run and measure. A method sees the question's text, and an oracle variant the judges' sub-questions.

        A run that does not even begin (a question that is refused) is a failed one, and the others go on.
        """
        label, question_id = task
        question, variant = self._questions[question_id], self._variants[label]
        try:
            self._warm_up(question, variant)
            records = self._records(question, variant)
        except Exception as error:  # whatever keeps one run from beginning becomes that run's error
            return FinishedRun(self._not_begun(question, label, error), ())
        return FinishedRun(
            outcome_of(
                records,
                question,
                judge=self._judge,
                method=label,
                configuration=self._setup.configurations[label],
                chats=self._judges,
            ),
            records,
        )

    def _warm_up(self, question: JudgedQuestion, variant: Variant) -> None:
        """Run the first task of a variant once more, unmeasured, so that its time excludes one-off loading."""
        if self._chat is None and variant.label not in self._warm:
            self._warm.add(variant.label)
            self._records(question, variant)

    def _settings(self, question: JudgedQuestion, variant: Variant) -> Settings:
        """Return the variant's settings; k may be the number of judged subtopics, which the run does not see."""
        subtopics = len(question.subtopic_names)
        if self._setup.k_of_subtopics and subtopics:
            return replace(variant.settings, k=subtopics)
        return variant.settings

    def _not_begun(self, question: JudgedQuestion, label: str, error: Exception) -> Outcome:
        return Outcome(
            label,
            question.question_id,
            question.text,
            self._setup.configurations[label],
            kind=question.kind,
            unanswerable=None if question.is_answerable is None else question.is_unanswerable,
            gold=len(question.gold_documents),
            subtopics=len(question.subtopic_names),
            error=f"{type(error).__name__}: {error}",
        )

    def _records(self, question: JudgedQuestion, variant: Variant) -> tuple[Record, ...]:
        spec = RunSpec(
            variant.method,
            question.text,
            self._settings(question, variant),
            self._setup.budget,
            oracle_aspects(question) if variant.oracle else None,
            learned=self._setup.wordings[half(question.question_id)] if self._setup.wordings else None,
        )
        retriever = self._retrievers[self._setup.has_vectors(variant)]
        records = recorded(execute(spec, retriever=retriever, chat=self._chat))
        exempt_what_is_loaded()
        return records


def _chat(model: str) -> Chat:
    from adaq_core.llm.chats import Remembered, chat_for

    return chat_for(model=model, reply_cache=Remembered())


def oracle_aspects(question: JudgedQuestion) -> tuple[QueryAspect, ...] | None:
    """Return the judges' sub-questions as aspects, in order; None if they worded none."""
    worded = (" ".join(text.replace(">>", " ").split()) for text in question.subquestions)
    return tuple(QueryAspect(text, ORACLE_TYPE, subject=text) for text in dict.fromkeys(worded)) or None


_worker: Worker | QuestionWorker | None = None
_stop: c_byte | None = None
_at_work: c_byte | None = None


def begin(setup: Setup | QuestionsToAsk, stop: c_byte, at_work: c_byte) -> None:
    """Set up a worker process: the parent handles Ctrl-C and sets `stop`; each worker uses one core.

    The first worker of all that has a task at hand sets `at_work`. Both are plain shared memory, because a worker that
    is killed would keep the lock of an event for ever.
    """
    from threadpoolctl import threadpool_limits

    global _worker, _stop, _at_work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="adaq-parent", daemon=True).start()
    threadpool_limits(1)
    _stop, _at_work = stop, at_work
    _worker = setup.worker(threads=1)


def _end_with_parent() -> None:
    """End this process when its parent is gone, which a killed parent cannot say."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def work(tasks: Iterable[Any]) -> list[Any]:
    """Run tasks in a process that `begin` set up; fewer if it is told to stop."""
    if _worker is None or _stop is None or _at_work is None:
        raise RuntimeError("expected begin() to have been called in this process before work()")
    done: list[Any] = []
    for task in tasks:
        if _stop.value:
            break
        _at_work.value = 1
        done.append(_worker.run(task))
    return done


_at_a_time = threading.Lock()
_kept: tuple[Setup | QuestionsToAsk, Worker | QuestionWorker] | None = None


def work_apart(setup: Setup | QuestionsToAsk, code: str, tasks: Sequence[Any]) -> list[Any]:
    """Run tasks in a cluster's process, which keeps its worker for later tasks of the same experiment.

    InputError where the process has other code than `code` or does not see the files: its results would be others.
    """
    from threadpoolctl import threadpool_limits

    global _kept
    if (own := of_code()) != code:
        raise InputError(f"expected the code {code} on {_machine()}, got {own}; install the same version everywhere")
    if missing := [path for path in setup.paths if not path.exists()]:
        raise InputError(
            f"expected {missing[0]} on {_machine()} too; let all workers share the home folder and the set"
        )
    with _at_a_time:
        if _kept is None or _kept[0] != setup:
            threadpool_limits(1)
            _kept = setup, setup.worker(threads=1)
        return [_kept[1].run(task) for task in tasks]


def _machine() -> str:
    return f"the worker on {socket.gethostname()}"


WRITERS = 16
FILE = "runs.duckdb"


class Recorder:
    """Stores finished runs under one group, several at once, so that they share commits."""

    def __init__(self, store: Store | None, *, group: str) -> None:
        self._store = store
        self._group = group
        self._threads = ThreadPoolExecutor(WRITERS, thread_name_prefix="adaq-evaluation")

    def keep(self, done: FinishedRun) -> Future[Outcome]:
        """The outcome with the id of its stored run, once that is on the disk; without a store, as it is."""
        return self._threads.submit(self._keep, done)

    def close(self) -> None:
        """Let the threads go; what was kept is on the disk already."""
        self._threads.shutdown()

    def _keep(self, done: FinishedRun) -> Outcome:
        run_id = self.enter(done.records, done.outcome.question_id)
        return replace(done.outcome, run_id=run_id) if run_id else done.outcome

    def enter(self, records: Sequence[Record], question_id: str) -> str:
        """Return the id of the stored run; "" without a store, or if the run did not begin."""
        first = records[0].event if records else None
        if self._store is None or not isinstance(first, RunStarted):
            return ""
        run_id = self._store.begin(first, group=self._group, question_id=question_id)
        self._store.copy_records(run_id, records)
        return run_id
