import json
import multiprocessing
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from adaq_core.datasets.beir import read_question_set
from adaq_core.errors import InputError
from adaq_core.evaluation import read_outcomes, read_progress
from adaq_core.evaluation.experiment import ask_all, close, end_if_one_died, run_experiment
from adaq_core.evaluation.measuring import half
from adaq_core.evaluation.request import Request, evaluate, experiments, read_experiment
from adaq_core.evaluation.variants import ensure_index
from adaq_core.evaluation.working import Setup, Worker, oracle_aspects
from adaq_core.home import PROJECT
from adaq_core.model import QueryAspect
from adaq_core.runs.forecast import Use, summed
from adaq_core.store import Store
from adaq_core.trace import view
from tests.evaluation.conftest import written

FILES = ("results.json", "per_question.jsonl", "card.json", "card.md", "state.json", "request.json")


@pytest.fixture
def request_of(rivers):
    def make(methods=("bm25", "iterative"), **given):
        return Request(str(rivers), methods=methods, dense=False, **given)

    return make


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """An experiment that is over, its folder, and the store of its runs; only to be read or copied."""
    place = tmp_path_factory.mktemp("done")
    with pytest.MonkeyPatch.context() as patch, closing(Store(place / "runs.duckdb")) as store:
        patch.setenv("ADAQ_HOME", str(place / "home"))
        request = Request(str(written(place / "rivers")), methods=("bm25", "iterative"), dense=False)
        yield evaluate(request, out=place / "rivers-1", store=store, workers=1), request, place / "rivers-1", store


def run_worker(folder, variant, question_id):
    plan_set = read_question_set(folder)
    setup = Setup(folder, "dev", ensure_index(plan_set), (variant,), {variant.label: "c"}, budget())
    return Worker(setup).run((variant.label, question_id))


def budget():
    from adaq_core.model import Budget

    return Budget()


def events_of(done):
    return [record.event for record in done.records]


def test_an_experiment_leaves_results_card_runs_and_plots(done):
    ran, _, out, _ = done
    assert ran.finished
    assert all((out / name).is_file() for name in (*FILES, "runs/bm25.trec", "runs/iterative.trec", "plots/plots.html"))
    results = json.loads((out / "results.json").read_text())
    assert list(results) == ["dataset", "split", "k", "n_questions", "config", "methods", "comparisons"]
    assert (results["dataset"], results["split"], results["k"], results["n_questions"]) == ("rivers", "dev", 5, 9)
    assert {tuple(each) for each in results["methods"].values()} == {("measures",)}
    assert set(results["methods"]["iterative"]["measures"]["Recall@5"]) == {"mean", "ci_low", "ci_high", "n"}
    assert results["methods"]["iterative"]["measures"]["Recall@5"]["n"] == 8
    assert {row["reference"] for row in results["comparisons"]} == {"bm25"}
    assert len((out / "per_question.jsonl").read_text().splitlines()) == 18
    card = (out / "card.md").read_text()
    assert "python -m adaq_core evaluate --dataset" in card
    assert "| Recall@5 |" in card
    assert read_progress(out).phase == "finished"


def test_the_same_command_again_does_nothing_twice(done, tmp_path):
    first, request, out, _ = done
    shutil.copytree(out, tmp_path / "out")
    again = evaluate(request, out=tmp_path / "out", workers=1)
    assert again.clock.reused == again.clock.total == 18
    assert again.outcomes == first.outcomes


def test_a_question_that_is_refused_fails_alone(rivers, request_of, tmp_path):
    with (rivers / "queries.jsonl").open("a") as file:
        file.write(json.dumps({"_id": "q-long", "text": "why " * 20_000, "metadata": {"type": "null"}}) + "\n")
    ran = evaluate(request_of(("bm25",)), out=tmp_path / "out", workers=1)
    failed = [outcome for outcome in ran.outcomes if outcome.error]
    assert [outcome.question_id for outcome in failed] == ["q-long"]
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["config"]["failed"]["bm25"][0]["question_id"] == "q-long"
    assert results["methods"]["bm25"]["measures"]["Recall@5"]["n"] == 8
    assert "Failed: 1 runs of bm25 are in no mean (InputError" in (tmp_path / "out" / "card.md").read_text()


def test_other_settings_are_run_anew(request_of, tmp_path):
    evaluate(request_of(("bm25",)), out=tmp_path / "out", workers=1)
    again = evaluate(request_of(("bm25",), k=3), out=tmp_path / "out", workers=1)
    assert again.clock.reused == 0


def test_a_cancelled_experiment_goes_on_where_it_was(request_of, tmp_path):
    out, asked = tmp_path / "out", count()
    first = evaluate(request_of(), out=out, workers=1, cancelled=lambda: next(asked) >= 5)
    assert (first.finished, len(first.outcomes)) == (False, 5)
    assert read_progress(out).phase == "cancelled"
    assert not (out / "results.json").exists()
    unfinished = read_experiment(out)
    assert (unfinished.results, len(unfinished.outcomes)) == (None, len(first.outcomes))
    again = evaluate(unfinished.request, out=out, workers=1)
    assert again.finished
    assert again.clock.reused == len(first.outcomes)
    assert read_experiment(out).results["n_questions"] == 9


class _Loading:
    """What workers need, which takes them longer to load than anybody waits."""

    questions = ("a", "b", "c", "d")

    def worker(self, *, threads=None):
        time.sleep(600)


def test_workers_that_are_still_loading_are_not_waited_for_when_it_is_stopped():
    begun, asked = time.monotonic(), count()
    asking: Any = _Loading()
    assert list(ask_all(asking, workers=2, cancelled=lambda: next(asked) >= 1)) == []
    assert time.monotonic() - begun < 15


def test_every_run_is_stored_with_its_question_and_group(done):
    _, _, out, store = done
    assert store.count(group="rivers-1") == 18
    outcome = read_outcomes(out / "per_question.jsonl")[1]
    row = store.run(outcome.run_id)
    assert (row.method, row.question_id, row.status) == ("iterative", outcome.question_id, "finished")
    run = view(store.records(outcome.run_id))
    assert tuple((each.passage.passage_id, each.passage.document_id) for each in run.evidence) == outcome.evidence


def test_worker_processes_come_to_the_same_results(done, tmp_path):
    here, request, _, _ = done
    apart = evaluate(request, out=tmp_path / "apart", workers=2)

    def plain(outcomes):
        timeless = ({**each.measures, "ms": None} for each in outcomes)
        return [(each.key, each.ranking, each.evidence, found) for each, found in zip(outcomes, timeless, strict=True)]

    assert plain(apart.outcomes) == plain(here.outcomes)


def test_a_killed_worker_is_replaced_and_nothing_is_lost(request_of, tmp_path):
    killed: list[int] = []

    def kill_one(progress):
        if progress.phase == "running" and not killed:
            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    ran = run_experiment(request_of().plan(), out=tmp_path / "out", workers=2, watch=kill_one)
    assert killed
    assert ran.finished
    assert len({outcome.key for outcome in ran.outcomes}) == 18


def test_a_method_sees_neither_judgments_nor_types_nor_ids(rivers, request_of):
    variant = request_of().plan().variants[1]
    before = run_worker(rivers, variant, "q-otter")
    queries = [json.loads(line) for line in (rivers / "queries.jsonl").read_text().splitlines()]
    for query in queries:
        query["_id"] = f"other-{query['_id']}"
        query["metadata"] = {"type": "something else", "answer": "nonsense"}
    (rivers / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries))
    (rivers / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nother-q-otter\theron\t1\n")
    (rivers / "subtopics" / "dev.jsonl").unlink()
    after = run_worker(rivers, variant, "other-q-otter")
    assert events_of(after) == events_of(before)
    assert after.outcome.measures["Recall@5"] != before.outcome.measures["Recall@5"]


def test_only_an_oracle_is_given_the_sub_questions_of_the_judges(rivers, request_of):
    plain, oracle = request_of(("adaptive",), ablate=("oracle_aspects",)).plan().variants
    planned = {
        variant.label: [aspect.aspect for aspect in view(run_worker(rivers, variant, "q-otter").records).aspects]
        for variant in (plain, oracle)
    }
    assert planned["adaptive--oracle_aspects"] == ["Where does the otter live?"]
    assert planned["adaptive"] != planned["adaptive--oracle_aspects"]


def test_relation_triples_become_aspects_and_no_words_become_none(rivers):
    question = read_question_set(rivers).questions[0]
    triple = replace(question.subtopics[0], text="Avon >> source")
    aspects = oracle_aspects(replace(question, subtopics=(triple,)))
    assert aspects == (QueryAspect("Avon source", "facet", subject="Avon source"),)
    assert oracle_aspects(replace(question, subtopics=())) is None


def test_experiments_are_found_newest_first(request_of):
    for limit in (1, 2):
        evaluate(request_of(("bm25",), limit=limit), workers=1)
    assert [read_experiment(folder).request.limit for folder in experiments()] == [2, 1]


def ask_for_comparisons(folder):
    """Other questions: so many documents say their words that their own search brings no definition, a query does."""
    drinks = ("tea", "coffee", "cocoa")
    pairs = [(one, two) for one in drinks for two in drinks if one != two]
    houses = [f"Compare {one} and {two} in house {n}: both are there." for one, two in pairs for n in range(20)]
    rows = [{"_id": f"house{n}", "title": "House", "text": text} for n, text in enumerate(houses)]
    rows += [{"_id": drink, "title": "Drink", "text": f"{drink.title()} is a drink of its own."} for drink in drinks]
    asked = [{"_id": f"q-{one}-{two}", "text": f"Compare {one} and {two}"} for one, two in pairs]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    judged = [f"q-{one}-{two}\t{drink}\t1\n" for one, two in pairs for drink in (one, two)]
    (folder / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(judged))
    (folder / "subtopics" / "dev.jsonl").unlink()


def test_each_half_learns_from_the_runs_of_the_other_one_only(rivers, request_of, tmp_path, store):
    ask_for_comparisons(rivers)
    request = request_of(("adaptive",), learn=True)
    ran = evaluate(request, out=tmp_path / "out", workers=1, store=store)
    by_key = {outcome.key: outcome for outcome in ran.outcomes}
    ids = [question.question_id for question in request.plan().chosen]
    assert set(by_key) == {(label, name) for label in ("adaptive", "adaptive--learn") for name in ids}
    assert {half(name) for name in ids} == {0, 1}
    for name in ids:
        records = store.records(by_key["adaptive--learn", name].run_id)
        learned = [record.event for record in records if record.event.kind == "wordings_learned"]
        others = [by_key["adaptive", other] for other in ids if half(other) != half(name)]
        assert learned == [summed([Use(*use) for use in outcome.wordings] for outcome in others)]
        assert learned[0].gains
    assert not [e for e in store.records(by_key["adaptive", ids[0]].run_id) if e.event.kind == "wordings_learned"]


def test_learning_that_was_broken_off_goes_on_with_the_same_teachers(request_of, tmp_path):
    request = request_of(("adaptive",), learn=True)
    whole = evaluate(request, out=tmp_path / "whole", workers=1)
    told = count()
    stopped = evaluate(request, out=tmp_path / "out", workers=1, cancelled=lambda: next(told) >= 12)
    assert not stopped.finished
    rest = evaluate(request, out=tmp_path / "out", workers=1)
    assert 9 <= rest.clock.reused < 18
    plain = [replace(outcome, hops=(), measures={}, run_id=None) for outcome in whole.outcomes]
    assert [replace(outcome, hops=(), measures={}, run_id=None) for outcome in rest.outcomes] == plain


def test_learning_needs_the_runs_of_adaq(request_of):
    with pytest.raises(InputError, match="expected adaptive among the methods for --learn"):
        request_of(("bm25",), learn=True).plan()
    assert "--learn" in request_of(("adaptive",), learn=True).as_command()


def test_a_cross_encoder_is_a_variant_beside_the_others(request_of):
    request = request_of(("adaptive",), cross_encoder="some/folder", learn=True)
    plan = request.plan()
    assert plan.labels == ("adaptive", "adaptive--cross_encoder", "adaptive--learn")
    assert [v.settings.cross_encoder for v in plan.variants] == ["", "some/folder", ""]
    assert "--cross-encoder some/folder" in request.as_command()


def dies_while_sending(_):
    def half(connection, message):
        connection._send(struct.pack("!i", len(message)))
        os.kill(os.getpid(), signal.SIGKILL)

    Connection._send_bytes = half  # type: ignore[attr-defined]
    return "never read"


def test_a_worker_that_dies_while_it_sends_is_noticed():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        sent = pool.submit(dies_while_sending, 1)
        deadline = time.monotonic() + 30
        while not sent.done() and time.monotonic() < deadline:
            wait([sent], timeout=0.5)
            end_if_one_died(pool)
        with pytest.raises(BrokenProcessPool):
            sent.result(timeout=1)


class Idle:
    """A setup whose worker hands back what it is given."""

    def worker(self, *, threads):
        return self

    def run(self, task):
        return task


AT_WORK = """
import multiprocessing, time
from concurrent.futures import ProcessPoolExecutor
from adaq_core.evaluation.working import begin, work
from tests.evaluation.test_experiment import Idle
spawn = multiprocessing.get_context("spawn")
given = Idle(), spawn.RawValue("b", 0), spawn.RawValue("b", 0)
pool = ProcessPoolExecutor(2, mp_context=spawn, initializer=begin, initargs=given)
print(pool.submit(work, ["done"]).result(), flush=True)
time.sleep(600)
"""


def test_workers_end_when_the_process_that_began_them_is_killed():
    command = [sys.executable, "-c", AT_WORK]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "['done']\n"
        process.kill()
        told, _ = process.communicate(timeout=60)  # the pipe ends with the last process that holds it
    assert told == ""


def hears_nothing(started):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(started).touch()
    time.sleep(600)


def test_a_worker_that_does_not_end_does_not_hold_up_the_end(tmp_path):
    started = tmp_path / "started"
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    pool.submit(hears_nothing, str(started))
    deadline = time.monotonic() + 30
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    end = threading.Thread(target=close, args=(pool,), kwargs={"grace": 0.5}, daemon=True)
    end.start()
    end.join(20)
    assert not end.is_alive()
