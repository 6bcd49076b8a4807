"""Runs in the background, over a real store, a real index of a few passages and the real methods."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

import pytest

from adaq_core.errors import CorpusError, InputError, StoreError
from adaq_core.events import (
    AspectsPlanned,
    Branched,
    Decided,
    Event,
    HopStarted,
    Noticed,
    RunFailed,
    RunFinished,
    RunStarted,
    WordingsLearned,
    of_kind,
)
from adaq_core.methods import names
from adaq_core.model import Branch, Budget, CorpusCard, Passage, QueryAspect, Settings
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import Correction
from adaq_core.runs import work
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.forecast import summed, uses_of
from adaq_core.runs.runner import Runner, complete_hops
from adaq_core.store import Store
from adaq_core.trace import view
from tests import drinks
from tests.recorded import failed_run, hop_events, planned, started, whole_run

# An aspect that the search for tea cannot cover.
COCOA = (QueryAspect("What is cocoa", "definition", keywords=("cocoa",), subject="cocoa"),)
PROJECT = Path(__file__).resolve().parents[2]
COMPARE = "Compare tea and coffee"
ASKED = RunSpec("adaptive", COMPARE)
TEXTS = (
    ("Tea", "Tea is a drink made of leaves. Tea has less caffeine than coffee."),
    ("Coffee", "Coffee is a drink made of roasted beans. Coffee differs from tea in taste and caffeine."),
    ("Cocoa", "Cocoa is a powder made of beans of the cacao tree."),
    ("Water", "Water is a clear liquid that falls as rain."),
)


class GatedCorpora:
    """Corpora for the tests: `gate`, when closed, holds up whoever opens one."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.broken = False
        passages = [Passage(f"p{i}", f"d{i}", title, text, end=len(text)) for i, (title, text) in enumerate(TEXTS)]
        self.index = PassageIndex.build(passages, name="drinks")

    def card(self, name: str) -> CorpusCard:
        if name != "drinks":
            raise CorpusError(f"there is no corpus {name!r}")
        return self.index.card

    def open(self, name: str) -> PassageIndex:
        self.gate.wait(60)
        if self.broken:
            raise OSError("the disk is gone")
        return self.index


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))


@pytest.fixture
def corpora():
    return GatedCorpora()


@pytest.fixture
def runner(store, corpora):
    runner = Runner(store, corpora, workers=2)
    yield runner
    corpora.gate.set()
    runner.close()


def events(store: Store, run_id: str) -> list[Event]:
    return [record.event for record in store.records(run_id)]


def test_submitted_run_is_there_at_once_and_goes_on_by_itself(runner, corpora):
    corpora.gate.clear()
    run_id = runner.submit(RunSpec("adaptive", f"  {COMPARE} "), corpus="drinks", group="g-1", question_id="q1")
    row = runner.store.run(run_id)
    assert (row.question, row.method, row.corpus, row.group_id, row.question_id) == (
        COMPARE,
        "adaptive",
        "drinks",
        "g-1",
        "q1",
    )
    assert row.status in ("queued", "running")
    corpora.gate.set()
    assert runner.wait(run_id, 60).status == "finished"
    found = events(runner.store, run_id)
    assert isinstance(found[0], RunStarted)
    assert isinstance(found[-1], RunFinished)
    assert runner.store.run(run_id).percentage == 1.0


def test_same_question_gives_the_same_events(runner):
    first, second = (runner.submit(ASKED, corpus="drinks") for _ in range(2))
    runner.wait(first, 60)
    runner.wait(second, 60)
    assert events(runner.store, first) == events(runner.store, second)


@pytest.mark.parametrize("method", names())
def test_every_method_runs_in_the_background(runner, method):
    row = runner.wait(runner.submit(RunSpec(method, COMPARE), corpus="drinks"), 300)  # torch is loaded for the vectors
    assert (row.status, row.method) == ("finished", method)


@pytest.mark.parametrize(
    ("spec", "corpus", "error", "words"),
    [
        (RunSpec("adaptive", " "), "drinks", InputError, "empty"),
        (RunSpec("adaptive", "word " * 10_000), "drinks", InputError, "10,000 words"),
        (RunSpec("magic", COMPARE), "drinks", InputError, "no method 'magic'"),
        (ASKED, "nothing", CorpusError, "no corpus 'nothing'"),
    ],
)
def test_what_cannot_run_is_refused_before_a_run_is_entered(runner, spec, corpus, error, words):
    with pytest.raises(error, match=words):
        runner.submit(spec, corpus=corpus)
    assert runner.store.count() == 0


def test_more_runs_than_threads_wait_their_turn(runner, corpora):
    corpora.gate.clear()
    ids = [runner.submit(ASKED, corpus="drinks") for _ in range(5)]
    assert [runner.state(run_id).status for run_id in ids].count("queued") == 5
    corpora.gate.set()
    assert {runner.wait(run_id, 60).status for run_id in ids} == {"finished"}


def test_runs_that_are_compared_are_made_one_after_the_other_and_others_beside_them(store, corpora):
    runner = Runner(store, corpora, workers=4)
    grouped = [
        runner.submit(RunSpec(name, COMPARE), corpus="drinks", group="g-1") for name in ("adaptive", "bm25", "crag")
    ]
    spans = []
    for run_id in grouped:
        assert runner.wait(run_id, 60).status == "finished"
        records = store.records(run_id)
        spans.append((records[0].at, records[-1].at))
    spans.sort()
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    runner.close()


class CountedIndex(PassageIndex):
    """Counts the runs that are made on it: each looks at the spelling of its question once."""

    made = 0

    def corrections(self, question: str) -> tuple[Correction, ...]:
        self.made += 1
        return super().corrections(question)


def test_the_first_run_of_a_comparison_is_made_once_before_so_that_its_time_is_its_own(runner, corpora):
    index = CountedIndex.build(corpora.index.passages, name="counted drinks")
    assert isinstance(index, CountedIndex)
    corpora.index = index
    corpora.card = lambda _: index.card
    made = []
    for group in (None, "g-1", "g-1", "g-2", "g-2"):
        index.made = 0
        runner.wait(runner.submit(RunSpec("bm25", COMPARE), corpus="drinks", group=group), 60)
        made.append(index.made)
    assert made == [1, 2, 1, 2, 1], "for the method in the first comparison, for the question in each"
    assert runner.store.count() == 5


def test_run_that_waits_is_cancelled_at_once(runner, corpora):
    corpora.gate.clear()
    ids = [runner.submit(ASKED, corpus="drinks") for _ in range(3)]
    assert runner.cancel(ids[2]) is True
    row = runner.wait(ids[2], 1)
    assert (row.status, row.reason) == ("cancelled", "It was cancelled while it waited.")
    corpora.gate.set()
    assert runner.wait(ids[0], 60).status == "finished"
    assert events(runner.store, ids[2]) == []


def test_run_at_work_is_cancelled_with_what_it_has(runner, corpora):
    corpora.gate.clear()
    run_id = runner.submit(RunSpec("adaptive", COMPARE, settings=Settings(min_hops=10, max_hops=10)), corpus="drinks")
    while not runner.at_work:
        time.sleep(0.001)
    assert runner.cancel(run_id) is True
    assert runner.state(run_id).cancelling
    corpora.gate.set()
    row = runner.wait(run_id, 60)
    assert (row.status, row.stop_reason) == ("cancelled", "user_stop")
    assert row.hops <= 1
    assert events(runner.store, run_id)[-2].kind == "answer_written"


def test_cancelling_what_is_not_here_says_so(runner):
    assert runner.cancel("r-nothing") is False
    assert runner.state("r-nothing") is None


def test_corpus_that_cannot_be_opened_fails_that_run_only(runner, corpora):
    corpora.broken = True
    row = runner.wait(runner.submit(ASKED, corpus="drinks"), 60)
    assert row.status == "failed"
    assert "the disk is gone" in row.reason
    assert [event.kind for event in events(runner.store, row.run_id)] == ["run_started", "run_failed"]
    with_model = runner.wait(runner.submit(ASKED, corpus="drinks", model="small"), 60)
    assert events(runner.store, with_model.run_id)[0].model == "small", "it was to answer with a model"
    corpora.broken = False
    assert runner.wait(runner.submit(ASKED, corpus="drinks"), 60).status == "finished"


def test_two_sessions_at_once_lose_nothing(runner):
    ids: list[str] = []

    def session() -> None:
        for _ in range(10):
            ids.append(runner.submit(RunSpec("bm25", COMPARE), corpus="drinks"))

    threads = [threading.Thread(target=session) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {runner.wait(run_id, 30).status for run_id in ids} == {"finished"}
    assert len({tuple(map(repr, events(runner.store, run_id))) for run_id in ids}) == 1
    assert runner.store.count() == 30


def interrupted(store: Store, corpora: GatedCorpora, kept: list[Event], **settings) -> str:
    """A run of the real method of which only `kept` was recorded before its process ended."""
    run_id = store.begin(
        RunStarted(COMPARE, "adaptive", corpora.index.card, Settings(**settings), Budget()), group="g-1"
    )
    for event in kept:
        store.append(run_id, event)
    store.end_without_event(run_id, "interrupted", "ADAQ ended before the run did.")
    return run_id


def test_interrupted_run_goes_on_from_every_event_to_the_same_end(runner, store, corpora):
    whole = events(store, runner.wait(runner.submit(ASKED, corpus="drinks"), 60).run_id)
    for length in range(len(whole)):
        old = interrupted(store, corpora, whole[:length])
        row = runner.wait(runner.resume(old), 60)
        first, *rest = events(store, row.run_id)
        assert (row.status, row.parent_id, row.group_id) == ("finished", old, "g-1")
        assert first.resumed_from == old
        assert rest == whole[1:]
        assert store.run(old).status == "interrupted"


def test_run_stopped_by_max_hops_is_granted_as_many_again(runner, store):
    settings = Settings(min_hops=1, max_hops=1, use_dense=False)
    spec = RunSpec("adaptive", "What is tea?", settings, aspects=COCOA)
    row = runner.wait(runner.submit(spec, corpus="drinks"), 60)
    assert row.stop_reason == "max_hops"
    after = runner.wait(runner.resume(row.run_id), 60)
    assert (after.settings.max_hops, after.parent_id) == (2, row.run_id)
    assert after.hops == 2


def test_finished_run_has_nothing_to_resume(runner, store):
    row = runner.wait(runner.submit(ASKED, corpus="drinks"), 60)
    with pytest.raises(InputError, match="nothing to resume"):
        runner.resume(row.run_id)
    with pytest.raises(InputError, match="no run 'r-nothing'"):
        runner.resume("r-nothing")


def test_run_that_still_runs_is_not_resumed(runner, corpora):
    corpora.gate.clear()
    run_id = runner.submit(ASKED, corpus="drinks")
    with pytest.raises(InputError, match="is still running"):
        runner.resume(run_id)


def test_aspects_of_the_user_stay_when_a_run_that_never_began_goes_on(store, corpora):
    mine = (QueryAspect("Taste of tea", "definition", 1.0, ("taste", "tea"), span=(8, 11)),)
    corpora.gate.clear()
    first = Runner(store, corpora, workers=1)
    ids = [first.submit(RunSpec("adaptive", COMPARE, aspects=mine), corpus="drinks") for _ in range(2)]
    threading.Timer(0.1, corpora.gate.set).start()
    first.close()
    assert store.run(ids[1]).given_aspects == mine
    again = Runner(store, corpora)
    row = again.wait(again.resume(ids[1]), 60)
    again.close()
    chosen = next(event for event in events(store, row.run_id) if isinstance(event, AspectsPlanned))
    assert (row.given_aspects, chosen.aspects, chosen.by) == (mine, mine, "user")


def test_aspect_is_searched_with_one_more_hop(runner, store):
    mine = (
        QueryAspect("Definition of tea", "definition", 1.0, ("tea",), subject="tea"),
        QueryAspect("Price of zirconium", "facet", 0.5, ("zirconium", "price"), subject="zirconium"),
    )
    one_hop = Settings(min_hops=1, max_hops=1)
    row = runner.wait(runner.submit(RunSpec("adaptive", COMPARE, settings=one_hop, aspects=mine), corpus="drinks"), 60)
    assert row.aspects_covered == 1
    more = runner.wait(runner.continue_with(row.run_id, "Price of zirconium"), 60)
    assert (more.status, more.parent_id) == ("finished", row.run_id)
    hops = [event for event in events(store, more.run_id) if isinstance(event, HopStarted)]
    assert len(hops) == row.hops + 1
    assert [query.aspect for query in hops[-1].queries] == ["Price of zirconium"]


def test_a_branch_is_a_run_of_its_own_that_names_its_parent_and_can_branch_again(runner, store):
    row = runner.wait(runner.submit(ASKED, corpus="drinks", group="g-1"), 60)
    first = runner.wait(runner.branch(row.run_id, Branch(1, query="cocoa powder")), 60)
    second = runner.wait(runner.branch(first.run_id, Branch(1, query="rain water")), 60)
    assert (first.status, first.parent_id, first.group_id, second.parent_id) == (
        "finished", row.run_id, None, first.run_id)  # fmt: skip
    assert [event.query for event in of_kind(events(store, second.run_id), Branched)] == ["cocoa powder", "rain water"]
    assert not [e for e in of_kind(events(store, second.run_id), Noticed) if e.stage == "resume"]


@pytest.mark.parametrize(
    ("branch", "words"),
    [
        (Branch(1), "nothing is changed"),
        (Branch(0, query="tea"), "no hop 0"),
        (Branch(99, query="tea"), "complete hops; there is no hop 99"),
        (Branch(1, query="tea", target="Colour"), "no aspect 'Colour'"),
        (Branch(1, aspects=()), "at least one aspect"),
    ],
)
def test_a_branch_that_cannot_be_is_refused_in_words(runner, branch, words):
    row = runner.wait(runner.submit(ASKED, corpus="drinks"), 60)
    with pytest.raises(InputError, match=words):
        runner.branch(row.run_id, branch)


def test_a_run_of_another_method_does_not_branch(runner):
    row = runner.wait(runner.submit(RunSpec("bm25", COMPARE), corpus="drinks"), 60)
    with pytest.raises(InputError, match="bm25, which cannot branch"):
        runner.branch(row.run_id, Branch(1, query="tea"))


def test_a_branched_run_that_hits_its_most_hops_is_granted_as_many_again(runner, store):
    mine = (QueryAspect("Price of zirconium", "facet", 1.0, ("zirconium", "price"), subject="zirconium"),)
    settings = Settings(min_hops=1, max_hops=1)
    row = runner.wait(runner.submit(RunSpec("adaptive", COMPARE, settings=settings, aspects=mine), corpus="drinks"), 60)
    child = runner.wait(runner.branch(row.run_id, Branch(1, query="tea leaves")), 60)
    assert (child.hops, child.stop_reason) == (2, "max_hops")
    more = runner.wait(runner.resume(child.run_id), 60)
    assert view(store.records(more.run_id)).settings[-1][1].max_hops == 2


def test_aspect_that_the_run_does_not_have_is_named(runner):
    row = runner.wait(runner.submit(ASKED, corpus="drinks"), 60)
    with pytest.raises(InputError, match="no aspect 'Colour'"):
        runner.continue_with(row.run_id, "Colour")


def test_what_holds_of_a_run_ends_with_a_decision():
    run = whole_run(hops=2)
    first_hop = [started(), planned(), *hop_events(1)]
    assert complete_hops(run, keep_verdict=True) == tuple(first_hop + list(hop_events(2, stop=True)))
    assert complete_hops(run, keep_verdict=False) == tuple(first_hop + list(hop_events(2, stop=True))[:-1])
    assert complete_hops(failed_run(), keep_verdict=True) == tuple(first_hop)
    assert complete_hops([started(), planned(), *list(hop_events(1))[:-1]], keep_verdict=True) == ()


def test_verdict_of_a_limit_does_not_hold():
    run = [started(), *hop_events(1, stop=True)]
    decided = run[-1]
    assert isinstance(decided, Decided)
    for reason in ("user_stop", "max_hops", "budget_time"):
        stopped = Decided(1, type(decided.decision)(True, "stop", reason))
        assert complete_hops([*run[:-1], stopped], keep_verdict=True) == tuple(run[:-1])


def test_closing_leaves_runs_that_can_be_resumed(store, corpora):
    runner = Runner(store, corpora, workers=1)
    corpora.gate.clear()
    ids = [runner.submit(ASKED, corpus="drinks") for _ in range(3)]
    while not runner.at_work:
        time.sleep(0.001)
    threading.Timer(0.1, corpora.gate.set).start()
    runner.close()
    assert [store.run(run_id).status for run_id in ids] == ["interrupted"] * 3
    with pytest.raises(StoreError, match="closing"):
        runner.submit(ASKED, corpus="drinks")
    again = Runner(store, corpora)
    assert again.wait(again.resume(ids[0]), 60).status == "finished"
    again.close()


def test_closing_waits_two_seconds_in_all_however_many_runs_hang(store, corpora):
    runner = Runner(store, corpora, workers=12)
    corpora.gate.clear()
    ids = [runner.submit(ASKED, corpus="drinks") for _ in range(13)]
    while runner.at_work < 12:
        time.sleep(0.001)
    began = time.monotonic()
    runner.close()
    assert time.monotonic() - began < 20
    assert [store.run(run_id).status for run_id in ids] == ["interrupted"] * 13
    corpora.gate.set()
    while runner.at_work:  # they end on their own before the store is closed
        time.sleep(0.001)


def test_run_that_cannot_be_recorded_is_shown_as_failed(store, corpora, runner):
    corpora.gate.clear()
    run_id = runner.submit(ASKED, corpus="drinks")
    store.execute("DROP TABLE events")
    corpora.gate.set()
    row = runner.wait(run_id, 60)
    assert row.status == "failed"
    assert "could not be recorded" in row.reason


ASK_AND_LEAVE = """
import sys, time
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
runner = get_runner()
ids = [runner.submit(RunSpec("bm25", "What is self-attention?"), corpus="sample") for _ in range(12)]
print(*ids, flush=True)
runner.wait(ids[0], 60)
"""


def test_process_that_ends_leaves_no_run_that_seems_to_go_on(indexed):
    environment = {**os.environ, "ADAQ_HOME": str(indexed)}
    done = subprocess.run(
        [sys.executable, "-c", ASK_AND_LEAVE], cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    store = Store(indexed / "runs.duckdb")
    rows = [store.run(run_id) for run_id in done.stdout.split()]
    store.close()
    assert rows[0].status == "finished"
    assert {row.status for row in rows} <= {"finished", "interrupted"}
    assert len(rows) == 12


def test_a_run_that_goes_on_keeps_to_what_it_had_learned_whatever_the_store_has_seen_since(runner, store):
    settings = Settings(max_hops=1, min_hops=1, use_dense=False, learn=True)
    plain = RunSpec("adaptive", "What is tea?", Settings(use_dense=False), aspects=COCOA)
    learning = replace(plain, settings=settings)
    before = runner.wait(runner.submit(plain, corpus="drinks"), 20)
    first = runner.wait(runner.submit(learning, corpus="drinks"), 20)
    learned = next(of_kind(events(store, first.run_id), WordingsLearned))
    assert (before.status, learned.runs) == ("finished", 1)
    assert learned == summed([uses_of(events(store, before.run_id))])
    again = runner.wait(runner.resume(first.run_id), 20)
    assert next(of_kind(events(store, again.run_id), WordingsLearned)) == learned
    assert not [e for e in events(store, again.run_id) if isinstance(e, Noticed) and e.stage == "resume"]
    runner.wait(runner.submit(plain, corpus="drinks"), 20)
    fresh = runner.wait(runner.submit(learning, corpus="drinks"), 20)
    assert next(of_kind(events(store, fresh.run_id), WordingsLearned)).runs == 2


def test_failed_run_goes_on(runner, store, corpora):
    whole = events(store, runner.wait(runner.submit(ASKED, corpus="drinks"), 60).run_id)
    run_id = store.begin(RunStarted(COMPARE, "adaptive", corpora.index.card, Settings(), Budget()))
    for event in [*whole[:8], RunFailed("OSError", "the disk is gone")]:
        store.append(run_id, event)
    row = runner.wait(runner.resume(run_id), 60)
    assert events(store, row.run_id)[1:] == whole[1:]


def test_an_unknown_live_source_is_refused_before_the_run_begins(runner):
    with pytest.raises(InputError, match="There is no source 'wikipaedia'; the sources are edgar, feeds"):
        runner.submit(replace(ASKED, settings=Settings(sources=("wikipedia", "wikipaedia"))), corpus="drinks")
    assert runner.store.count() == 0


def test_what_is_loaded_for_the_first_question_is_exempt_from_the_collection_of_memory(runner, monkeypatch):
    monkeypatch.setattr(work, "_asked", count(1))
    loaded = [[number] for number in range(1000)]
    before = gc.get_freeze_count()
    runner.wait(runner.submit(ASKED, corpus="drinks"), 60)
    runner.close()
    assert gc.get_freeze_count() >= before + len(loaded)


class Ring:
    """An object that only a collection of memory frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def usual_collector() -> Iterator[None]:
    """After each test the collector goes by what it went by before."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def gather() -> list[list[int]]:
    """Keep so much that a pause is used for it, while the collector waits as it does after a first question."""
    gc.set_threshold(work._YOUNG)
    gc.collect()
    kept: list[list[int]] = []
    while gc.get_count()[0] < work._GATHERED:
        kept.append([len(kept)])
    return kept


def test_after_a_first_question_no_collection_of_memory_falls_on_another(monkeypatch):
    monkeypatch.setattr(work, "_asked", count(1))
    work.exempt_what_is_loaded()
    before = gc.get_stats()
    drinks.run(drinks.corpus())
    assert gc.get_stats() == before


def test_between_questions_what_was_kept_since_is_exempt_once_it_is_much(monkeypatch):
    monkeypatch.setattr(work, "_asked", count(2))
    gc.collect()
    before = gc.get_freeze_count()
    work.exempt_what_is_loaded()
    assert gc.get_freeze_count() <= before
    kept = gather()
    work.exempt_what_is_loaded()
    assert gc.get_freeze_count() >= before + len(kept)


def test_what_has_died_by_then_is_no_longer_held(monkeypatch):
    monkeypatch.setattr(work, "_asked", count(2))
    ring = Ring()
    dead = weakref.ref(ring)
    kept = gather()
    del ring
    work.exempt_what_is_loaded()
    assert dead() is None
    assert kept


def test_what_dies_after_it_was_exempt_is_let_go_of_in_the_end(monkeypatch):
    monkeypatch.setattr(work, "_asked", count(work._HELD - 1))
    ring = Ring()
    dead = weakref.ref(ring)
    kept = gather()
    work.exempt_what_is_loaded()
    del ring
    gc.collect()
    assert dead() is not None
    work.exempt_what_is_loaded()
    assert dead() is None
    assert kept


def test_a_run_leaves_nothing_that_only_a_collection_of_memory_would_free():
    retriever = drinks.corpus()
    drinks.run(retriever)  # what is loaded once is apart
    gc.collect()
    gc.disable()
    try:
        drinks.run(retriever)
        assert gc.collect() == 0
    finally:
        gc.enable()
