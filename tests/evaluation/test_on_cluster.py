"""An experiment on two worker processes of a Dask cluster, one of which is killed: the results of one process."""

import os
import signal
import socket
from dataclasses import replace
from typing import Any

import pytest
from distributed import Client, LocalCluster

from adaq_core.datasets.beir import find_set, read_question_set
from adaq_core.errors import InputError
from adaq_core.evaluation.experiment import ask_all, run_experiment
from adaq_core.evaluation.request import Request
from adaq_core.evaluation.variants import ensure_index, of_code
from adaq_core.evaluation.working import QuestionsToAsk, Setup, work_apart
from adaq_core.model import Budget
from adaq_core.store import Store


@pytest.fixture(scope="module")
def workers():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as both:
        yield both


@pytest.fixture
def cluster(workers):
    """Two workers: one that was killed has been replaced."""
    with Client(workers.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    return workers


@pytest.fixture
def plan(rivers):
    return Request(str(rivers), methods=("bm25", "adaptive"), dense=False).plan()


@pytest.fixture
def setup(plan):
    questions = plan.questions
    configurations = {variant.label: "c" for variant in plan.variants}
    return Setup(questions.folder, "dev", ensure_index(questions), plan.variants, configurations, Budget())


def plain(outcomes):
    """What is the same in every run of them: all but the time and the id of the stored run."""
    timeless = ({**each.measures, "ms": None} for each in outcomes)
    hops = (tuple(replace(hop, seconds=0.0) for hop in each.hops) for each in outcomes)
    return [
        replace(each, measures=measures, hops=each_hops, run_id=None)
        for each, measures, each_hops in zip(outcomes, timeless, hops, strict=True)
    ]


def test_with_one_of_two_workers_killed_the_results_are_those_of_one_process(rivers, cluster, plan, tmp_path):
    killed: list[int] = []

    def kill_one_at_work(progress):
        if progress.phase == "running" and not killed:
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                at_work = [worker for worker, tasks in client.processing().items() if tasks]
                victim = client.run(os.getpid, workers=at_work[:1] or None).popitem()[1]
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    here = run_experiment(plan, out=tmp_path / "here", workers=1)
    store = Store(tmp_path / "runs.duckdb")
    apart = run_experiment(
        plan, out=tmp_path / "apart", dask=cluster.scheduler_address, store=store, watch=kill_one_at_work
    )
    assert killed
    assert apart.finished
    assert plain(apart.outcomes) == plain(here.outcomes)
    assert store.count(group="apart") == len(here.outcomes) == 18
    store.close()


def test_a_cancelled_experiment_keeps_what_is_finished_and_ends(rivers, cluster, plan, tmp_path):
    progress_of: list[Any] = []
    ran = run_experiment(
        plan,
        out=tmp_path / "out",
        dask=cluster.scheduler_address,
        watch=progress_of.append,
        cancelled=lambda: any(each.phase == "running" for each in progress_of),
    )
    assert not ran.finished
    assert 0 < len(ran.outcomes) < 18


def test_a_worker_with_other_code_refuses(setup):
    with pytest.raises(InputError, match=r"expected the code 0000 on the worker on .*; install the same version"):
        work_apart(setup, "0000", [])


def test_a_worker_that_does_not_see_the_index_says_so(setup, tmp_path):
    with pytest.raises(InputError, match=r"expected .*elsewhere on the worker on .* too; let all workers share"):
        work_apart(replace(setup, index=tmp_path / "elsewhere"), of_code(), [])


def test_where_no_scheduler_is_the_address_is_named(plan, tmp_path, monkeypatch):
    monkeypatch.setattr("adaq_core.evaluation.experiment.CLUSTER_SECONDS", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(InputError, match=f"expected a Dask scheduler at {address}, could not reach one"):
        run_experiment(plan, out=tmp_path / "out", dask=address)


def answered(asked):
    """What is the same in every run of a question: its events without their times."""
    return [(each.number, each.question, [record.event for record in each.records], each.error) for each in asked]


@pytest.fixture
def asking(indexed, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(indexed))
    questions = tuple(each.text for each in read_question_set(find_set("general")))[:24]
    return QuestionsToAsk(questions, "sample")


def test_with_one_of_two_workers_killed_the_answers_to_many_questions_are_those_of_one_process(asking, cluster):
    here = list(ask_all(asking, workers=1))
    apart: list[Any] = []
    for asked in ask_all(asking, dask=cluster.scheduler_address):
        if not apart:
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                at_work = [worker for worker, tasks in client.processing().items() if tasks]
                victim = client.run(os.getpid, workers=at_work[:1] or None).popitem()[1]
            os.kill(victim, signal.SIGKILL)
        apart.append(asked)
    assert [each.number for each in apart] == list(range(len(asking.questions)))
    assert answered(apart) == answered(here)


def test_a_question_that_is_refused_does_not_keep_the_others_from_being_asked(asking):
    first, second = ask_all(replace(asking, questions=(" ", "What is BM25?")), workers=1)
    assert (first.records, "empty" in first.error) == ((), True)
    assert second.records[-1].event.kind == "run_finished"
