import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adaq_core.errors import InputError, StoreError
from adaq_core.events import (
    AnswerWritten,
    HopStarted,
    ModelCalled,
    Noticed,
    PassagesRetrieved,
    Record,
    RunFinished,
)
from adaq_core.model import Answer, Budget, CorpusCard, Passage, ScoredPassage, Settings, Subquery
from adaq_core.store import Store, open_store
from adaq_core.store.history import KeptReplies
from adaq_core.store.rows import decode, encode
from adaq_core.trace import view
from tests.recorded import (
    CARD,
    begin,
    failed_run,
    hop_events,
    passage,
    planned,
    record,
    row,
    started,
    whole_run,
)


def test_records_come_back_equal_with_their_envelope(store):
    run_id = begin(store)
    written = [store.append(run_id, event) for event in whole_run()]
    assert store.records(run_id) == written
    assert [r.seq for r in written] == list(range(1, len(written) + 1))
    assert [r.elapsed for r in written] == sorted(r.elapsed for r in written)
    assert written[0].elapsed == 0.0
    assert written[0].at.endswith("+00:00")


def test_reading_goes_on_after_a_number(store):
    run_id = record(store, whole_run())
    assert [r.seq for r in store.records(run_id, after=3)] == [r.seq for r in store.records(run_id)][3:]
    assert store.records("r-nothing") == []


def test_row_tells_what_the_events_tell(store):
    run_id = record(store, whole_run(hops=3))
    found, trace = row(store, run_id), view(store.records(run_id))
    assert (found.status, found.stop_reason, found.reason) == ("finished", trace.stop_reason, trace.reason)
    assert (found.hops, found.queries, found.passages_read) == (
        trace.cost.hops,
        trace.cost.queries,
        trace.cost.passages_read,
    )
    assert (found.model_calls, found.fell_back, found.usd) == (1, 1, 0.25)
    assert (found.prompt_tokens, found.reply_tokens, found.tokens) == (100, 20, 120)
    assert found.coverage_by_hop == tuple(hop.percentage for hop in trace.hops) == (0.5, 1.0, 1.0)
    assert (found.percentage, found.weighted, found.sufficiency) == (1.0, 0.9, 0.7)
    assert (found.aspects_total, found.aspects_covered) == (2, 2)
    assert found.elapsed == trace.elapsed
    assert found.abstained is False
    assert found.card == CARD
    assert (found.settings, found.budget, found.k) == (Settings(), Budget(max_seconds=30.0), 5)


def test_row_of_a_run_that_goes_on_is_up_to_date(store):
    run_id = begin(store)
    assert row(store, run_id).percentage is None
    for event in (started(), planned(), *hop_events(1)):
        store.append(run_id, event)
    found = row(store, run_id)
    assert (found.status, found.hops, found.aspects_covered, found.coverage_by_hop) == ("running", 1, 1, (0.5,))


def test_coverage_of_hops_that_assess_nothing_is_that_of_the_hop_before(store):
    run_id = begin(store)
    events = [*hop_events(1), *[e for e in hop_events(2) if e.kind != "coverage_assessed"], *hop_events(3)]
    for event in [started(), planned(), *events]:
        store.append(run_id, event, wait=False)
    store.flush(run_id)
    assert row(store, run_id).coverage_by_hop == (0.5, 0.5, 1.0)


@pytest.mark.parametrize(
    ("events", "status"),
    [
        (whole_run(), "finished"),
        (failed_run(), "failed"),
        ([started(), RunFinished("user_stop", "You stopped it.")], "cancelled"),
    ],
)
def test_last_event_decides_the_status(store, events, status):
    assert row(store, record(store, events)).status == status


def test_nothing_follows_the_event_that_ends_a_run(store):
    run_id = record(store, failed_run())
    with pytest.raises(StoreError, match="it is failed"):
        store.append(run_id, Noticed("read", "late"))
    with pytest.raises(StoreError, match="no such run"):
        store.append("r-nothing", Noticed("read", "late"))


def test_text_of_a_passage_is_kept_once(store):
    body = "All the words of a long passage. " * 200
    event = PassagesRetrieved(1, Subquery("q", "a"), "bm25", (ScoredPassage(passage(1, body), 1.0, 1),), 1)
    for _ in range(5):
        run_id = record(store, [started(), event, event])
    assert store.records(run_id)[1].event == event
    assert store.query("SELECT count(*) FROM passages") == [(1,)]
    assert store.query("SELECT max(length(payload)) < 1200 FROM events") == [(True,)]


texts = st.text(max_size=40) | st.sampled_from(['{"$passage":"' + "0" * 32 + '"}', "'; DROP TABLE runs; --", "\x00"])
passages = st.builds(
    Passage,
    passage_id=texts,
    document_id=texts,
    title=texts,
    text=texts,
    metadata=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
)


@given(st.lists(passages, max_size=4), texts, st.floats(allow_nan=False, allow_infinity=False))
def test_any_text_survives_the_codec(found, text, score):
    scored = tuple(ScoredPassage(one, score, rank) for rank, one in enumerate(found, 1))
    event = PassagesRetrieved(1, Subquery(text, text), "bm25", scored, len(scored))
    payload, bodies = encode(event)
    assert decode(payload, bodies) == event
    assert len(bodies) == len(set(found))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(passages, texts)
def test_any_text_survives_the_store(store, found, text):
    event = PassagesRetrieved(1, Subquery(text, text), "bm25", (ScoredPassage(found, 1.0, 1),), 1)
    answer = AnswerWritten(Answer(text))
    run_id = record(store, [started(question=text), event, answer], question=text)
    assert [r.event for r in store.records(run_id)] == [started(question=text), event, answer]
    assert row(store, run_id).question == text


def test_half_a_surrogate_pair_becomes_a_replacement_character(store):
    run_id = record(store, [started(), AnswerWritten(Answer("a\ud800b"))], question="q\udcff?")
    assert store.records(run_id)[1].event == AnswerWritten(Answer("a\ufffdb"))
    assert row(store, run_id).question == "q\ufffd?"


def test_event_that_cannot_be_written_becomes_a_notice_and_the_run_goes_on(store):
    infinite = PassagesRetrieved(1, Subquery("q", "a"), "bm25", (ScoredPassage(passage(1), float("inf"), 1),), 1)
    too_late = HopStarted(10**10, (), "", ())
    run_id = record(store, [started(), infinite, too_late, planned()])
    kept = [record.event for record in store.records(run_id)]
    assert [event.kind for event in kept] == ["run_started", "noticed", "noticed", "aspects_planned"]
    assert "(passages_retrieved) could not be stored" in kept[1].message
    assert "(hop_started) could not be stored" in kept[2].message
    assert row(store, run_id).last_seq == 4


def test_count_of_tokens_that_no_column_holds_costs_neither_the_run_nor_later_counts(store):
    calls = [ModelCalled("plan", "m", "h", "p", "r", prompt_tokens=10**19, reply_tokens=5) for _ in range(3)]
    run_id = record(store, [started(), *calls, RunFinished("all_covered", "done")])
    kept = row(store, run_id)
    assert (kept.status, kept.model_calls, kept.prompt_tokens, kept.reply_tokens) == ("finished", 3, 10**18, 15)
    assert len(store.records(run_id)) == 5


def test_many_threads_at_once_lose_nothing(store):
    def one(number: int) -> tuple[str, list[Record]]:
        run_id = begin(store, question=f"question {number}")
        return run_id, [store.append(run_id, event, wait=number % 2 == 0) for event in whole_run()]

    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(one, range(24)))
    for run_id, records in written:
        store.flush(run_id)
        assert store.records(run_id) == records
    assert len({run_id for run_id, _ in written}) == 24


def test_readers_see_a_growing_prefix_while_others_write(store):
    run_id, seen, stop = begin(store), [], threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.append([r.seq for r in store.records(run_id)])

    reader = threading.Thread(target=read)
    reader.start()
    for event in whole_run(hops=8):
        store.append(run_id, event)
    stop.set()
    reader.join()
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in seen)
    assert [len(n) for n in seen] == sorted(len(n) for n in seen)


def test_given_id_is_used_and_may_not_be_taken(store):
    assert begin(store, run_id="r-mine") == "r-mine"
    with pytest.raises(InputError, match="r-mine is taken"):
        begin(store, run_id="r-mine")


def test_deleted_text_is_not_in_the_file_and_the_file_shrinks(tmp_path):
    path = tmp_path / "runs.duckdb"
    store = Store(path)
    secret = "Whistleblower Wanda Weiss said so."
    private = [AnswerWritten(Answer(f"{secret} {number} {os.urandom(20_000).hex()}")) for number in range(200)]
    kept = record(store, [started(), ModelCalled("plan", "m", "shared", "p", "r"), *tuple(whole_run())[1:]])
    gone = record(store, [started(question=secret), *private, ModelCalled("plan", "m", "own", secret, secret)])
    replies = KeptReplies(store)
    for request, prompt_hash in (("1", "own"), ("2", "shared")):
        replies.keep(
            request, {"prompt": secret if request == "1" else "p", "prompt_hash": prompt_hash}, digest="d", model="m"
        )
    store.end_without_event(kept, "finished", "")
    store.end_without_event(gone, "finished", "")
    store.execute("CHECKPOINT")
    before, records = path.stat().st_size, store.records(kept)
    store.delete_run(gone)
    assert store.records(kept) == records
    assert replies.count() == 1
    again = record(store, whole_run())
    store.close()
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert secret.encode() not in data
    assert b"Whistleblower" not in data
    assert path.stat().st_size < before / 2
    store = Store(path)
    assert [len(store.records(one)) for one in (kept, gone, again)] == [len(records), 0, len(whole_run())]
    store.close()


KILLED_WHEN_IT_HAS_DELETED = """
import os, sys
from pathlib import Path
from adaq_core.store import Store
store = Store(Path(sys.argv[1]))
store.set_setting = store.erase_deleted = lambda *_, **__: os._exit(9)
store.delete_runs(sys.argv[2:])
"""


def test_who_is_killed_after_a_deletion_erases_the_text_at_the_next_start(tmp_path):
    path = tmp_path / "runs.duckdb"
    store = Store(path)
    gone = record(store, [started(question="Whistleblower Wanda"), RunFinished("all_covered", "done")])
    kept = record(store, whole_run())
    store.execute("CHECKPOINT")
    store.close()
    assert subprocess.run([sys.executable, "-c", KILLED_WHEN_IT_HAS_DELETED, str(path), gone]).returncode == 9
    store = Store(path)
    assert [row.run_id for row in store.runs()] == [kept]
    store.close()
    assert [file.name for file in tmp_path.iterdir() if b"Whistleblower" in file.read_bytes()] == []


def test_while_a_run_is_recorded_erasing_waits_for_the_close(tmp_path):
    path = tmp_path / "runs.duckdb"
    store = Store(path)
    gone = record(store, [started(question="Whistleblower Wanda"), RunFinished("all_covered", "done")])
    store.execute("CHECKPOINT")
    live = begin(store)
    store.append(live, started())
    store.delete_run(gone)
    assert store.append(live, planned()).seq == 2
    store.close()
    assert b"Whistleblower" not in path.read_bytes()
    store = Store(path)
    assert row(store, live).status == "interrupted"
    store.close()


def test_readers_and_writers_go_on_while_the_file_is_written_anew(store):
    run_id = record(store, [started()])
    stop, wrong = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            try:
                store.records(run_id)
            except Exception as error:
                wrong.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    seqs = []
    for _ in range(4):
        store.compact()
        seqs.append(store.append(run_id, planned()).seq)
    stop.set()
    for reader in readers:
        reader.join()
    assert (seqs, wrong) == ([2, 3, 4, 5], [])
    assert [kept.seq for kept in store.records(run_id)] == [1, 2, 3, 4, 5]


def test_imported_run_is_equal_and_marked(store, tmp_path):
    run_id = record(store, whole_run())
    records = store.records(run_id)
    other = Store(tmp_path / "other.duckdb")
    try:
        new_id = other.import_run(records, run_id=run_id, note="from a friend", tags=["gift"], rating=5)
        again = other.import_run(records, run_id=run_id)
        assert (new_id, again != run_id) == (run_id, True)
        assert other.records(new_id) == other.records(again) == records
        expected = replace(
            row(store, run_id),
            imported=True,
            note="from a friend",
            tags=("gift",),
            rating=5,
            created_at=row(other, new_id).created_at,
        )
        assert row(other, new_id) == expected
        assert row(other, new_id).created_at.isoformat() == records[0].at
    finally:
        other.close()


def test_imported_run_that_breaks_off_is_interrupted(store):
    records = store.records(record(store, whole_run()))
    assert row(store, store.import_run(records[:-1])).status == "interrupted"
    with pytest.raises(InputError, match="run_started"):
        store.import_run(records[1:])
    with pytest.raises(InputError, match="one run"):
        store.import_run([*records, *records])


def test_hostile_id_of_an_imported_run_is_not_used(store):
    records = store.records(record(store, whole_run()))
    assert store.import_run(records, run_id="../../<script>").startswith("r-")


def test_views_and_settings_are_kept(tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    store.save_view("open ones", "?coverage=open")
    store.save_view("open ones", "?coverage=open&sort=-hops")
    store.save_view("B", "?x=1")
    store.delete_view("B")
    store.set_setting("profiles", {"risk": ["supply", "legal"]})
    store.close()
    store = Store(tmp_path / "runs.duckdb")
    assert store.views() == {"open ones": "?coverage=open&sort=-hops"}
    assert store.setting("profiles") == {"risk": ["supply", "legal"]}
    assert store.setting("unknown", default=3) == 3
    with pytest.raises(InputError, match="name"):
        store.save_view(" ", "?x=1")
    store.close()


def test_run_that_waits_is_queued_until_its_first_event(store):
    run_id = begin(store, queued=True)
    assert row(store, run_id).status == "queued"
    store.append(run_id, started())
    assert row(store, run_id).status == "running"


def test_copied_beginning_keeps_times_and_the_clock_goes_on(store):
    old = record(store, [started(), planned(), *hop_events(1)])
    past = [replace(r, elapsed=r.elapsed + 100) for r in store.records(old)]
    new = begin(store, parent=old)
    store.copy_records(new, past)
    later = store.append(new, Noticed("read", "more"))
    assert store.records(new) == [*past, later]
    assert later.seq == past[-1].seq + 1
    assert 100 <= later.elapsed < 160
    assert row(store, new).parent_id == old


def test_closing_marks_what_still_runs(tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    run_id, done = record(store, [started()]), record(store, whole_run())
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.records(run_id)
    again = Store(tmp_path / "runs.duckdb")
    assert (row(again, run_id).status, row(again, done).status) == ("interrupted", "finished")
    assert row(again, run_id).reason == "ADAQ was closed before the run ended."
    again.close()


def test_run_of_another_thread_of_this_process_is_not_marked(store):
    run_id = record(store, [started()])
    assert store.mark_interrupted() == 0
    assert row(store, run_id).status == "running"


def test_shared_store_is_one_and_opens_again_after_closing(tmp_path):
    first = open_store(tmp_path / "a" / "runs.duckdb")
    assert open_store(tmp_path / "a" / ".." / "a" / "runs.duckdb") is first
    first.close()
    second = open_store(tmp_path / "a" / "runs.duckdb")
    assert second is not first
    assert second.count() == 0
    second.close()


def test_default_place_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    store = open_store()
    assert store.path == tmp_path / "home" / "runs.duckdb"
    store.close()


def test_older_duckdb_can_read_the_file(tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    record(store, whole_run())
    store.close()
    with duckdb.connect(str(tmp_path / "runs.duckdb"), read_only=True) as connection:
        found = connection.execute("SELECT tags FROM duckdb_databases() WHERE NOT internal").fetchone()
    assert found is not None
    assert found[0]["storage_version"].startswith("v1.")


def test_corpus_card_of_the_events_wins_over_that_of_the_beginning(store):
    run_id = begin(store)
    store.append(run_id, started(card=CorpusCard("sample", "v2", 3, 5)))
    assert row(store, run_id).card == CorpusCard("sample", "v2", 3, 5)
