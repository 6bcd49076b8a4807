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
    """Make a page when fewer than two are being made, or after two seconds: one that waits itself holds up nobody."""
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
    """Load in the background what the other pages need, once one page stands and is being read."""
    thread = threading.Thread(target=_load_rest, name="adaq-load-ahead", daemon=True)
    thread.start()
    return thread


def _load_rest() -> None:
    _one_page_made.wait()
    for name in _NEEDED_LATER:
        import_module(name)


def store() -> Store:
    """The run store of this process; StoreLocked and its family when it cannot be opened."""
    return open_store()


def runner() -> Runner:
    """The one that runs questions in the background."""
    _asked_for.set()
    return get_runner()


def library() -> CorpusLibrary:
    """The corpora in the home folder and the bundled one; the same that the runs search."""
    return cast("CorpusLibrary", runner().corpora)


def row(run_id: str) -> RunRow | None:
    """The row of a run; None when there is no such run."""
    return store().run(run_id)


@dataclass(frozen=True, slots=True)
class StoredRun:
    """The row of a run, its records, and what a reader sees of it."""

    row: RunRow
    records: tuple[Record, ...]
    run: RunView

    @property
    def interrupted(self) -> bool:
        """Whether it is over without having come to an end of its own."""
        return self.run.status == "interrupted"


def stored_run(run_id: str) -> StoredRun | None:
    """The run as it stands; None when there is none of that id."""
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
    """Keyed by more than the id, so that a run that was deleted and brought back is read again."""
    records = tuple(store().records(run_id))
    run = view(records)
    if run.status == "running":
        run.status = "interrupted"
    return records, run


def is_first_question() -> bool:
    """Whether no run has begun since the server started: what the first one loads is there for those after it."""
    return not any(row.last_seq and row.created_at >= _BEGAN for row in store().runs(limit=_LOOKED_AT))


def running() -> list[RunRow]:
    """The runs that are going on or waiting, newest first."""
    return store().runs(statuses=("queued", "running"), limit=5)


def is_at_work() -> bool:
    """Whether a run is going on; those that wait while none is wait for what the first one loads."""
    return bool(store().runs(statuses=("running",), limit=1))


def group_rows(group: str) -> list[RunRow]:
    """The runs of a comparison, the newest of each method, in the order of the methods.

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
    """Keep which corpus was chosen, for the sessions to come: an address holds the question only."""
    store().set_setting(_LAST_CORPUS, name)


def last_corpus() -> str:
    """The corpus that was chosen last; it may be gone."""
    return str(store().setting(_LAST_CORPUS, SAMPLE_CORPUS))


_LAST_CORPUS = "ask_corpus"


def corpora() -> list[CorpusCard]:
    """A card for each corpus that can be used, the bundled one first."""
    return [each for each in _corpora().values() if isinstance(each, CorpusCard)]


def corpus_problems() -> dict[str, CorpusError]:
    """Why the other corpora cannot be used: one that is damaged or gone takes no other with it."""
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
    """What people's ratings of runs over the run's corpus say of its estimates; None while they are too few."""
    if run.started:
        return recalibrated(judged_runs(store(), corpus=run.started.corpus.name))
    return None


def facet_profiles() -> dict[str, FacetProfile]:
    """The bundled facet profiles and the user's own."""
    return profiles(home=home())


def method_names() -> tuple[str, ...]:
    """The methods that can run, ADAQ first."""
    return methods.names()


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question that the bundled corpus can answer, wholly or in part."""

    question: str
    shape: str
    note: str = ""


@cache
def sample_questions() -> tuple[SampleQuestion, ...]:
    """The questions offered on the Ask page; none when the file is not there."""
    if not SAMPLES.exists():
        return ()
    given = json.loads(SAMPLES.read_text(encoding="utf-8"))
    return tuple(SampleQuestion(q["question"], q.get("shape", ""), q.get("note", "")) for q in given)


def close() -> None:
    """Let the runs of this process end in order; for when the server stops. Nothing when none was ever asked for."""
    if _asked_for.is_set():
        get_runner().close()
