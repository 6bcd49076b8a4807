"""Runs are found, noted on and deleted."""

import time

import pytest

from adaq_core.errors import InputError
from adaq_core.events import (
    Event,
    PassagesRetrieved,
    RunFinished,
)
from adaq_core.model import Passage, ScoredPassage, Subquery
from tests.recorded import failed_run, passage, planned, record, row, started, whole_run


@pytest.fixture
def three(store):
    ids = {
        "done": record(store, whole_run(), question="100% sure_thing", group="g-1", question_id="q7"),
        "failed": record(store, failed_run(), question="What about Tesla?", method="bm25"),
        "open": record(store, [started(), planned()], question="tesla and Boeing", parent="r-parent"),
    }
    store.annotate(ids["failed"], note="look at Boeing", tags=["Odd", "odd one", "Odd"], rating=4)
    return ids


@pytest.mark.parametrize(
    ("criteria", "expected"),
    [
        ({}, "done failed open"),
        ({"text": "TESLA"}, "failed open"),
        ({"text": "boeing"}, "failed open"),
        ({"text": "odd O"}, "failed"),
        ({"text": "%"}, "done"),
        ({"text": "e_t"}, "done"),
        ({"text": "' OR 1=1 --"}, ""),
        ({"question": "What about Tesla?"}, "failed"),
        ({"methods": ["bm25", "dense"]}, "failed"),
        ({"statuses": ["running", "finished"]}, "done open"),
        ({"stop_reasons": ["error"]}, "failed"),
        ({"corpus": "sample"}, "done failed open"),
        ({"corpus": "other"}, ""),
        ({"corpus_version": "v1"}, "done failed open"),
        ({"tags": ["Odd", "x"]}, "failed"),
        ({"min_hops": 1, "max_hops": 1}, "failed"),
        ({"min_hops": 0}, "done failed open"),
        ({"min_rating": 4}, "failed"),
        ({"coverage_below_one": True}, "failed"),
        ({"coverage_below_one": False}, "done failed open"),
        ({"group": "g-1"}, "done"),
        ({"question_id": "q7"}, "done"),
        ({"parent": "r-parent"}, "open"),
        ({"imported": True}, ""),
        ({"in_experiment": True}, "done"),
        ({"in_experiment": False}, "failed open"),
        ({"imported": False, "methods": ("adaptive",), "text": ""}, "done open"),
    ],
)
def test_criteria_choose_runs(store, three, criteria, expected):
    names = {run_id: name for name, run_id in three.items()}
    assert {names[r.run_id] for r in store.runs(**criteria)} == set(expected.split())
    assert store.count(**criteria) == len(expected.split())


def test_id_is_searched_too(store, three):
    assert [r.run_id for r in store.runs(text=three["done"][2:])] == [three["done"]]


def test_each_word_of_a_text_is_searched_wherever_it_stands(store, three):
    words = store.run(three["done"]).question.split()
    assert three["done"] in {run.run_id for run in store.runs(text=" ".join(reversed(words)))}
    assert store.runs(text=f"{words[0]} zzzz") == []


def test_order_puts_what_is_unknown_last_and_pages_do_not_overlap(store, three):
    assert [r.run_id for r in store.runs(order="-percentage")] == [three["done"], three["failed"], three["open"]]
    assert [r.run_id for r in store.runs(order="percentage")] == [three["failed"], three["done"], three["open"]]
    assert [r.run_id for r in store.runs()] == [three["open"], three["failed"], three["done"]]
    assert [r.run_id for r in store.runs(order="question", limit=1, offset=1)] == [three["open"]]


def test_unknown_order_and_criterion_are_named(store):
    with pytest.raises(InputError, match="random"):
        store.runs(order="random()")
    with pytest.raises(InputError, match="colour"):
        store.runs(colour="red")


def test_choices_are_what_occurs(store, three):
    assert store.choices("method") == ["adaptive", "bm25"]
    assert store.choices("corpus") == ["sample"]
    assert store.choices("tag") == ["Odd", "odd one"]
    assert store.choices("group") == ["g-1"]


def test_annotations_are_kept_and_change_one_at_a_time(store, three):
    run_id = three["failed"]
    store.annotate(run_id, tags=["checked", " "])
    store.annotate(run_id, rating=0)
    found = row(store, run_id)
    assert (found.note, found.tags, found.rating) == ("look at Boeing", ("checked",), None)


def test_note_written_in_mid_run_outlives_the_next_event(store):
    run_id = record(store, [started()])
    store.annotate(run_id, note="watch this", tags=["a"])
    store.append(run_id, planned())
    assert (row(store, run_id).note, row(store, run_id).tags) == ("watch this", ("a",))


def test_deleting_takes_the_passages_that_no_other_run_needs(store):
    shared, own = passage(1), passage(2)

    def retrieved(*found: Passage) -> Event:
        scored = tuple(ScoredPassage(one, 1.0, rank) for rank, one in enumerate(found, 1))
        return PassagesRetrieved(1, Subquery("q", "a"), "bm25", scored, 1)

    end = RunFinished("no_gain", "Nothing new.")
    kept = record(store, [started(), retrieved(shared), end])
    gone = record(store, [started(), retrieved(shared, own), end])
    store.delete_run(gone)
    assert (store.run(gone), store.records(gone)) == (None, [])
    assert store.records(kept)[1].event == retrieved(shared)
    assert store.query("SELECT count(*) FROM passages") == [(1,)]
    again = record(store, [started(), retrieved(own), end])
    assert store.records(again)[1].event == retrieved(own)


def test_run_that_is_being_recorded_is_not_deleted(store):
    run_id = record(store, [started()])
    with pytest.raises(InputError, match="Cancel it first"):
        store.delete_run(run_id)


def test_ten_thousand_runs_are_listed_in_half_a_second(store):
    template = row(store, record(store, whole_run()))
    store.execute(
        "INSERT INTO runs SELECT runs.* REPLACE ('r-' || i AS run_id, 'question ' || i AS question, i % 7 AS hops)"
        " FROM runs, range(9999) AS numbers(i) WHERE run_id = ?",
        [template.run_id],
    )
    begun = time.process_time()
    found = store.runs(text="QUESTION 12", order="-hops", limit=50, statuses=["finished"])
    count = store.count()
    elapsed = time.process_time() - begun
    assert (len(found), count) == (50, 10_000)
    assert found[0].hops == 6
    assert elapsed < 0.5
