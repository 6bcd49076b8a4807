"""Experiments over HTTP: a job with progress and a result."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from adaq_core.evaluation import request
from adaq_core.home import home
from adaq_core.service.guards import ServiceLimits
from tests.service.test_research import is_problem

ASKED = {"dataset": "drinks", "methods": ["bm25"], "k": 2}


@pytest.fixture(autouse=True)
def drinks(tmp_path, monkeypatch):
    """A set of two questions over two documents, in a home of its own."""
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "evaluation" / "sets" / "drinks"
    (folder / "qrels").mkdir(parents=True)
    texts = {"tea": "Tea is a drink made of leaves.", "coffee": "Coffee is a drink made of roasted beans."}
    documents = [{"_id": name, "title": name.title(), "text": text} for name, text in texts.items()]
    questions = [{"_id": f"q-{name}", "text": f"What is {name}?"} for name in texts]
    for file, rows in (("corpus", documents), ("queries", questions)):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judged = "".join(f"q-{name}\t{name}\t1\n" for name in texts)
    (folder / "qrels" / "dev.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}", encoding="utf-8")
    return folder


def finished(client: httpx.Client, job_id: str) -> dict[str, Any]:
    """The job, when the thread that works at it is done."""
    job = request.started(home() / "evaluation" / "experiments" / job_id)
    assert job is not None
    job.job.wait(240)
    return dict(client.get(f"/evaluate/{job_id}").json())


def test_an_experiment_is_a_job_with_progress_and_a_result(client):
    answer = client.post("/evaluate", json=ASKED)
    job = answer.json()
    assert (answer.status_code, answer.headers["location"]) == (202, f"/evaluate/{job['job_id']}")
    assert job["status"] in ("running", "finished")
    done = finished(client, job["job_id"])
    assert (done["status"], done["error"], done["request"]["methods"]) == ("finished", "", ["bm25"])
    assert (done["progress"]["done"], done["progress"]["total"], done["progress"]["failed"]) == (2, 2, 0)
    assert (done["results"]["dataset"], done["results"]["n_questions"]) == ("drinks", 2)
    assert str(home()) not in json.dumps(done)
    assert client.get("/evaluate").json() == [job["job_id"]]
    again = client.post("/evaluate", json=ASKED).json()
    assert finished(client, again["job_id"])["progress"]["reused"] == 2


def test_an_experiment_is_known_from_its_beginning_even_when_it_can_write_nothing(client):
    (home() / "evaluation" / "experiments").write_text("a file where the folder should be", encoding="utf-8")
    answer = client.post("/evaluate", json=ASKED)
    job = finished(client, answer.json()["job_id"])
    assert (job["status"], job["results"], job["request"]["methods"]) == ("stopped", None, ["bm25"])
    assert job["error"]
    assert str(home()) not in json.dumps(job)
    assert client.get("/evaluate").json() == [job["job_id"]]


def test_only_as_many_experiments_as_there_may_be(serve):
    client, _ = serve(limits=ServiceLimits(experiments=0))
    assert is_problem(client.post("/evaluate", json=ASKED), 429)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**ASKED, "dataset": "atlantis"}, 404),
        ({**ASKED, "split": "nope"}, 404),
        ({**ASKED, "dataset": "../drinks"}, 422),
        ({**ASKED, "methods": ["x"]}, 422),
    ],
)
def test_what_cannot_be_evaluated_is_a_problem(client, body, status):
    assert is_problem(client.post("/evaluate", json=body), status)


def test_an_unknown_job_is_a_problem(client):
    assert is_problem(client.get("/evaluate/none"), 404)
    assert is_problem(client.post("/evaluate/none/stop"), 404)


def test_stopping_what_is_over_changes_nothing(client):
    job = client.post("/evaluate", json=ASKED).json()["job_id"]
    before = finished(client, job)
    assert client.post(f"/evaluate/{job}/stop").json() == before
