"""The pages' one door to the core: the store, the runner and the corpora that this process shares."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import cast

import streamlit as st

from adaq_core import methods
from adaq_core.answerability import Recalibration, recalibrated
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError
from adaq_core.events import Record
from adaq_core.home import BUNDLED, home
from adaq_core.model import CorpusCard
from adaq_core.question.query_templates import FacetProfile, profiles
from adaq_core.runs.jobs import Job
from adaq_core.runs.runner import Runner, get_runner
from adaq_core.store import RunRow, Store, open_store
from adaq_core.store.history import judged_runs
from adaq_core.trace import RunView, view

SAMPLES = BUNDLED / "sample_questions.json"
SAMPLE_CORPUS = "sample"

# Pages are made in threads of the process that serves them. Two at a time make as many a second as twenty, and what
# serves them waits for two others at most: of 126 looks beside 20 pages and 50 clients 5 to 6 were late without this.
_PAGES_AT_ONCE = 2
_LONGEST_TURN_SECONDS = 2.0
_turns = threading.BoundedSemaphore(_PAGES_AT_ONCE)
# A full collection of memory stops every thread. Once pages have loaded what they need, all that is there is exempt:
# one then takes .06 s of processor time at most instead of .19 s, and .12 s instead of .74 s on a busy machine.
_PAGES_UNTIL_ALL_IS_LOADED = 20
_pages_made = count(1)
_one_page_made = threading.Event()
# What the pages load when they are first visited: of processor time .9 s for the run list, 1.7 s for the experiments.
_NEEDED_LATER = (
    "pandas",
    "adaq_core.methods.adaptive",
    "pages._shared.trace.page",
    "pages._shared.compare.page",
    "pages._shared.corpus.documents",
    "pages._shared.evaluation.experiments",
)

_asked_for = threading.Event()
_BEGAN = datetime.now(UTC)
_LOOKED_AT = 5


@contextmanager
def turn() -> Iterator[None]:
    """Let two pages be drawn at a time; the others wait for two seconds at most, then go ahead all the same."""
    own = _turns.acquire(timeout=_LONGEST_TURN_SECONDS)
    try:
        yield
    finally:
        _one_page_made.set()
        if next(_pages_made) == _PAGES_UNTIL_ALL_IS_LOADED:
            gc.collect()
            gc.freeze()
        if own:
            _turns.release()


def load_ahead() -> threading.Thread:
    """Import in the background what the other pages need, once one page stands and is being read."""
    thread = threading.Thread(target=_load_rest, name="adaq-load-ahead", daemon=True)
    thread.start()
    return thread


def _load_rest() -> None:
    _one_page_made.wait()
    for name in _NEEDED_LATER:
        import_module(name)


_made_ready: dict[Path, Job[None]] = {}


def preparing() -> Job[None] | None:
    """Return the job that makes the bundled corpus searchable, while that lasts; on a new home a call begins it.

    On a machine that is busy it takes many seconds, in which a page would say nothing.
    """
    folder = home()
    if folder not in _made_ready:
        library = CorpusLibrary(folder)
        if library.is_made(SAMPLE_CORPUS):
            return None
        _made_ready[folder] = Job("the bundled corpus", library.make_sample).start()
    job = _made_ready[folder]
    return None if job.over else job


def store() -> Store:
    """Return this process's run store; StoreLocked and its family if it cannot be opened."""
    return open_store()


def runner() -> Runner:
    """Return this process's runner, which carries out runs in the background."""
    _asked_for.set()
    return get_runner()


def library() -> CorpusLibrary:
    """Return the corpora of the home folder and the bundled one, the same that runs search."""
    return cast("CorpusLibrary", runner().corpora)


def row(run_id: str) -> RunRow | None:
    """Return the stored row of a run; None for an unknown id."""
    return store().run(run_id)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """The row of a run, its records, and what a reader sees of it."""

    row: RunRow
    records: tuple[Record, ...]
    run: RunView

    @property
    def interrupted(self) -> bool:
        """Whether the run is over without an end of its own (RunFinished or RunFailed)."""
        return self.run.status == "interrupted"


def stored_run(run_id: str) -> StoredRun | None:
    """Return a run as it stands now; None for an unknown id."""
    row = store().run(run_id)
    if row is None:
        return None
    if not row.over:
        return _read(row)
    records, run = _kept(run_id, str(row.created_at), row.last_seq)
    return StoredRun(row, records, run)


def _read(row: RunRow) -> StoredRun:
    records = tuple(store().records(row.run_id))
    return StoredRun(row, records, view(records))


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept(run_id: str, created_at: str, last_seq: int) -> tuple[tuple[Record, ...], RunView]:
    """Return the records and the view of a run, cached; keyed by more than the id, which a run may get back."""
    records = tuple(store().records(run_id))
    run = view(records)
    if run.status == "running":
        run.status = "interrupted"
    return records, run


def is_first_question() -> bool:
    """Whether no run has begun since the server started; the first one takes longer because it loads what runs need."""
    return not any(row.last_seq and row.created_at >= _BEGAN for row in store().runs(limit=_LOOKED_AT))


def running() -> list[RunRow]:
    """Return the runs that go on or wait, newest first."""
    return store().runs(statuses=("queued", "running"), limit=5)


def is_at_work() -> bool:
    """Whether a run goes on; those that wait while none does wait for what the first one loads."""
    return bool(store().runs(statuses=("running",), limit=1))


def group_rows(group: str) -> list[RunRow]:
    """Return the newest run of each method in a comparison, in the order of the methods.

    A comparison that began from one run bears that run's id and holds it too; ids joined by commas are those runs,
    and what was added to them.
    """
    named = [row for run_id in group.split(",") if (row := store().run(run_id))]
    rows = store().runs(group=group, order="created_at", limit=100)
    order = {name: place for place, name in enumerate(method_names())}
    newest = {row.method: row for row in named + rows}
    shown = [*named, *rows] if len(named) > 1 else list(newest.values())
    return sorted(shown, key=lambda row: (order.get(row.method, len(order)), row.method, row.created_at))


def keep_corpus(name: str) -> None:
    """Store which corpus was chosen, for later sessions: the address holds the question only."""
    store().set_setting(_LAST_CORPUS, name)


def last_corpus() -> str:
    """Return the name of the corpus chosen last; it may be gone."""
    return str(store().setting(_LAST_CORPUS, SAMPLE_CORPUS))


_LAST_CORPUS = "ask_corpus"


def corpora() -> list[CorpusCard]:
    """Return a card for each corpus that can be used, the bundled one first."""
    return [each for each in _corpora().values() if isinstance(each, CorpusCard)]


def corpus_problems() -> dict[str, CorpusError]:
    """Return why the other corpora cannot be used; one that is damaged does not affect the rest."""
    return {name: each for name, each in _corpora().items() if isinstance(each, CorpusError)}


def _corpora() -> dict[str, CorpusCard | CorpusError]:
    names = sorted(library().names(), key=lambda name: (name != SAMPLE_CORPUS, name))
    return {name: _card(name) for name in names}


def _card(name: str) -> CorpusCard | CorpusError:
    try:
        return library().card(name)
    except CorpusError as error:
        return error


def recalibration(run: RunView) -> Recalibration | None:
    """Return how people's ratings correct a run's estimates for its corpus; None while there are too few."""
    if run.started:
        return recalibrated(judged_runs(store(), corpus=run.started.corpus.name))
    return None


def facet_profiles() -> dict[str, FacetProfile]:
    """Return the bundled facet profiles and the user's own, by name."""
    return profiles(home=home())


def method_names() -> tuple[str, ...]:
    """Return the methods that can run, ADAQ first."""
    return methods.names()


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question that the bundled corpus can answer, wholly or in part."""

    question: str
    shape: str
    note: str = ""


@cache
def sample_questions() -> tuple[SampleQuestion, ...]:
    """Return the questions that the Ask page offers; none if their file is missing."""
    if not SAMPLES.exists():
        return ()
    given = json.loads(SAMPLES.read_text(encoding="utf-8"))
    return tuple(SampleQuestion(q["question"], q.get("shape", ""), q.get("note", "")) for q in given)


def close() -> None:
    """End this process's runs in order when the server stops; does nothing if no runner was made."""
    if _asked_for.is_set():
        get_runner().close()
