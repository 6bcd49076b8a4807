import pytest

from adaq_core.errors import InputError
from adaq_core.evaluation.request import Request, cancel, experiments, read_experiment, start, started
from adaq_core.store import Store


@pytest.fixture
def request_of(rivers):
    return Request(str(rivers), methods=("bm25", "iterative"), dense=False)


def test_a_started_experiment_works_on_and_ends_with_results(request_of, tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    begun = start(request_of, store=store, workers=1)
    begun.job.wait(60)
    assert (begun.running, begun.error, begun.progress.phase) == (False, "", "finished")
    assert started(request_of.folder()) is begun
    assert store.count(group=request_of.folder().name) == 18
    store.close()


def test_its_runs_are_of_the_set_by_its_name(request_of, rivers, tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    start(request_of, store=store, out=tmp_path / "out", workers=1).job.wait(60)
    assert {row.corpus for row in store.runs()} == {rivers.name}
    store.close()


def test_a_cancelled_one_can_be_taken_up(request_of, tmp_path):
    out = tmp_path / "out"
    begun = start(request_of, store=None, out=out, workers=1)
    cancel(out)
    begun.job.wait(60)
    assert read_experiment(out).results is None
    again = start(request_of, store=None, out=out, workers=1)
    assert start(request_of, store=None, out=out) is again
    again.job.wait(60)
    assert read_experiment(out).results is not None


def test_only_what_is_at_work_can_be_cancelled(tmp_path):
    with pytest.raises(InputError, match="expected an experiment at work"):
        cancel(tmp_path)


def test_what_cannot_be_run_is_refused_before_anything_begins(rivers, tmp_path):
    with pytest.raises(InputError, match="expected methods out of"):
        start(Request(str(rivers), methods=("bm52",)), store=None, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_error_is_told_in_words(request_of, tmp_path):
    place = tmp_path / "taken"
    place.write_text("a file")
    begun = start(request_of, store=None, out=place)
    begun.job.wait(60)
    assert begun.error.startswith(f"The experiment cannot be written to {place.resolve()} (")
    assert begun.error.endswith("or set ADAQ_HOME to another folder.")


def test_a_request_is_written_whole_or_not_at_all(request_of, tmp_path):
    folder = tmp_path / "full" / "e"
    (folder / "request.json.tmp").mkdir(parents=True)  # as on a disk that is full: it cannot be written
    begun = start(request_of, store=None, out=folder)
    begun.job.wait(60)
    assert "cannot be written to" in begun.error
    assert experiments(tmp_path / "full") == ()
