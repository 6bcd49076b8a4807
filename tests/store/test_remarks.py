"""Remarks on parts of a run: kept, searched, deleted with the run; and lists by outcome, rating and age."""

from datetime import timedelta
from itertools import product
from typing import get_args

from adaq_core.events import RunStarted
from adaq_core.model import Budget, Settings
from adaq_core.store import Store
from adaq_core.store.history import Remark, Remarks, judged_runs
from adaq_core.store.rows import RunOutcome
from tests.recorded import CARD, QUESTION, whole_run


def recorded(store: Store) -> str:
    run_id = store.begin(RunStarted(QUESTION, "adaptive", CARD, Settings(), Budget()))
    for event in whole_run():
        store.append(run_id, event, wait=False)
    store.flush(run_id)
    return run_id


def test_a_remark_replaces_the_one_before_it_and_an_empty_one_takes_it_away(store):
    run_id, remarks = recorded(store), Remarks(store)
    kept = [
        Remark("hop", "2", "Here it turns", 1),
        Remark("hop", "10", "", -1),
        Remark("passage", "a.md#0", "Out of date"),
        Remark("sentence", "1", "Not what it says", -1),
    ]
    for remark in (Remark("hop", "2", "First thought"), *reversed(kept)):
        remarks.keep(run_id, remark)
    assert remarks.of(run_id) == tuple(kept)
    remarks.keep(run_id, Remark("hop", "2", " "))
    assert remarks.of(run_id) == tuple(kept[1:])


def test_nothing_is_kept_for_a_run_that_is_not_there(store):
    Remarks(store).keep("r-gone", Remark("hop", "1", "Lost"))
    assert Remarks(store).of("r-gone") == ()


def test_the_search_of_the_list_finds_what_was_noted_of_a_part(store):
    run_id, _ = recorded(store), recorded(store)
    Remarks(store).keep(run_id, Remark("passage", "a.md#0", "Compare the Annual Report"))
    assert [row.run_id for row in store.runs(text="annual report")] == [run_id]
    assert store.count(text="annual report") == 1


def test_a_deleted_run_takes_its_remarks_with_it(store):
    run_id = recorded(store)
    Remarks(store).keep(run_id, Remark("hop", "1", "Secret"))
    store.delete_run(run_id)
    assert Remarks(store).of(run_id) == ()


def test_lists_filter_by_the_outcome_that_the_row_tells(store):
    cases = product(
        ("queued", "running", "finished", "cancelled", "failed", "interrupted"), (None, True, False), range(3)
    )
    for status, abstained, covered in cases:
        sql = "UPDATE runs SET status = ?, abstained = ?, aspects_covered = ?, aspects_total = 2 WHERE run_id = ?"
        store.execute(sql, [status, abstained, covered, recorded(store)])
    told = {row.run_id: row.outcome for row in store.runs(limit=100)}
    assert set(told.values()) == set(get_args(RunOutcome))
    for outcome in get_args(RunOutcome):
        filtered = {row.run_id for row in store.runs(limit=100, outcomes=[outcome])}
        assert filtered == {run_id for run_id, each in told.items() if each == outcome}


def test_of_runs_without_an_answer_lists_take_those_with_the_given_questions(store):
    answered, other, wanted = (recorded(store) for _ in range(3))
    for run_id, abstained, question in ((answered, False, "A"), (other, True, "B"), (wanted, True, "C")):
        store.execute("UPDATE runs SET abstained = ?, question = ? WHERE run_id = ?", [abstained, question, run_id])
    assert store.choices("unanswered") == ["B", "C"]
    assert {row.run_id for row in store.runs(unanswered=["C"])} == {answered, wanted}
    assert store.count(outcomes=["nothing"], unanswered=["C"]) == 1


def test_lists_filter_by_the_very_rating_and_by_age(store):
    good, bad, _ = (recorded(store) for _ in range(3))
    store.annotate(good, rating=1)
    store.annotate(bad, rating=-1)
    assert [row.run_id for row in store.runs(rating=-1)] == [bad]
    begun = store.run(bad).created_at
    assert {row.run_id for row in store.runs(since=begun)} == {row.run_id for row in store.runs()} - {good}
    assert store.count(since=begun + timedelta(hours=1)) == 0


def test_rated_runs_of_a_corpus_come_with_their_estimate_and_unrated_ones_do_not(store):
    good, bad, _ = recorded(store), recorded(store), recorded(store)
    store.annotate(good, rating=1)
    store.annotate(bad, rating=-1)
    said = store.run(good).sufficiency
    assert said is not None
    assert sorted(judged_runs(store, corpus=CARD.name)) == [(said, False), (said, True)]
    assert judged_runs(store, corpus="another") == []
