"""Questions over HTTP: waited for, followed event by event, cancelled, listed; and fifty clients at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from adaq_core.events import dump
from adaq_core.export.run_json import run_json
from adaq_core.model import Budget
from adaq_core.service.guards import ServiceLimits
from adaq_core.service.research import worded

QUESTION = {"question": "What is tea?"}


def over(client: httpx.Client, run_id: str) -> dict[str, Any]:
    """The trace of a run, once its stream of events has ended."""
    client.get(f"/trace/{run_id}/events")
    return dict(client.get(f"/trace/{run_id}").json())


def parsed(stream: str) -> list[dict[str, Any]]:
    """Server-sent events as what an EventSource would see; the data read as JSON."""
    blocks = [block for block in stream.split("\n\n") if block and not block.startswith(":")]
    events = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [{**event, "data": json.loads(event["data"])} for event in events]


def is_problem(answer: httpx.Response, status: int) -> bool:
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, body["status"], bool(body["detail"])) == (status, status, True)
    return True


def test_a_waiting_client_gets_the_run_that_was_stored(serve):
    client, runner = serve()
    answer = client.post("/research", json=QUESTION)
    body = answer.json()
    assert answer.status_code == 200
    records = runner.store.records(body["run_id"])
    assert {name: body[name] for name in run_json("", records)} == json.loads(
        json.dumps(run_json(body["run_id"], records))
    )
    assert body["answer"]["text"].startswith("Tea is a drink made of leaves.")
    assert (body["run"]["status"], body["run"]["question"]) == ("finished", "What is tea?")


def test_a_client_that_does_not_wait_is_told_where_to_look(serve):
    client, runner = serve()
    answer = client.post("/research", json={**QUESTION, "wait_seconds": 0})
    entered = answer.json()
    where = f"/trace/{entered['run_id']}"
    assert (answer.status_code, answer.headers["location"]) == (202, where)
    assert (entered["trace"], entered["events"]) == (where, f"{where}/events")
    trace = over(client, entered["run_id"])
    stored = [[record.seq, dump(record.event)] for record in runner.store.records(entered["run_id"])]
    assert [[event["seq"], event["event"]] for event in trace["events"]] == json.loads(json.dumps(stored))
    assert trace["run"]["status"] == "finished"


def test_settings_and_budget_reach_the_run(serve):
    client, runner = serve()
    asked = {
        **QUESTION,
        "method": "bm25",
        "k": 2,
        "step_cap": 2,
        "budget_seconds": 30,
        "budget_tokens": 10,
        "budget_usd": 0.5,
    }
    row = runner.store.run(client.post("/research", json=asked).json()["run_id"])
    assert row is not None
    assert (row.method, row.k, row.settings.max_hops, row.settings.min_hops) == ("bm25", 2, 2, 2)
    assert row.budget == Budget(max_tokens=10, max_seconds=30.0, max_usd=0.5)


@pytest.mark.parametrize(
    ("question", "company", "year", "asked"),
    [
        ("What are the main risks?", "Tesla", 2025, "What are the main risks for Tesla in 2025?"),
        ("What are the main risks", "Tesla", None, "What are the main risks for Tesla"),
        ("What are tesla's main risks?", "Tesla", 2025, "What are tesla's main risks in 2025?"),
        ("Top risks facing Tesla in 2025", "Tesla", 2025, "Top risks facing Tesla in 2025"),
        ("What is tea?", None, None, "What is tea?"),
    ],
)
def test_company_and_year_are_asked_where_the_question_does_not_name_them(question, company, year, asked):
    assert worded(question, company, year) == asked


def test_events_can_be_followed_and_taken_up_where_they_were_left(serve):
    client, runner = serve()
    run_id = client.post("/research", json={**QUESTION, "wait_seconds": 0}).json()["run_id"]
    stream = client.get(f"/trace/{run_id}/events")
    events = parsed(stream.text)
    last = len(events) - 1
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert [event["event"] for event in events] == [r.event.kind for r in runner.store.records(run_id)] + ["over"]
    assert [event["id"] for event in events[:-1]] == [str(n) for n in range(1, last + 1)]
    assert events[-1]["data"] == {"status": "finished", "stop_reason": "all_covered"}
    rest = client.get(f"/trace/{run_id}/events", headers={"Last-Event-ID": "3"})
    assert parsed(rest.text) == events[3:]
    assert client.get(f"/trace/{run_id}/events", headers={"Last-Event-ID": str(last)}).status_code == 204


def test_a_run_that_waits_can_be_cancelled(serve):
    client, _ = serve(workers=0)
    run_id = client.post("/research", json={**QUESTION, "wait_seconds": 0}).json()["run_id"]
    assert client.post(f"/trace/{run_id}/cancel").json()["status"] == "cancelled"
    assert client.post(f"/trace/{run_id}/cancel").json()["status"] == "cancelled"


def test_stored_runs_are_listed_and_filtered(client):
    ids = [
        client.post("/research", json={"question": q, "method": m}).json()["run_id"]
        for q, m in (("What is tea?", "bm25"), ("What is cocoa?", "adaptive"))
    ]
    every = client.get("/runs").json()
    assert ([run["run_id"] for run in every["runs"]], every["total"]) == (ids[::-1], 2)
    assert [run["run_id"] for run in client.get("/runs", params={"method": "bm25"}).json()["runs"]] == ids[:1]
    assert client.get("/runs", params={"text": "cocoa", "limit": 1}).json()["total"] == 1
    assert client.get("/runs", params={"status": "failed"}).json() == {"runs": [], "total": 0}


def test_what_can_be_chosen_is_listed(client):
    assert [(c["name"], c["documents"]) for c in client.get("/corpora").json()] == [("sample", 3)]
    methods = client.get("/methods").json()
    assert methods[0]["name"] == "adaptive"
    assert methods[0]["summary"].startswith("ADAQ")


@pytest.mark.parametrize("path", ["/trace/r-zzzzzz", "/trace/r-zzzzzz/events", "/nothing"])
def test_what_is_not_there_is_a_problem_that_says_what_to_do(client, path):
    answer = client.get(path)
    assert is_problem(answer, 404)
    assert " lists " in answer.json()["detail"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": "?!"},
        {**QUESTION, "method": "magic"},
        {**QUESTION, "k": 0},
        {**QUESTION, "k": "5"},
        {**QUESTION, "budget_usd": -1},
        {**QUESTION, "surprise": 1},
        [],
        "tea",
    ],
)
def test_a_body_that_is_not_what_is_expected_is_a_problem_that_says_where(client, body):
    answer = client.post("/research", json=body)
    assert is_problem(answer, 422)
    assert [each["at"][0] for each in answer.json()["errors"]] == ["body"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"question": "?!"}, "body.question: expected a question in words."),
        ({**QUESTION, "k": 0}, "body.k: Input should be greater than or equal to 1."),
        ({**QUESTION, "method": "magic"}, "body.method: expected one of adaptive, bm25, "),
        ({**QUESTION, "k": 0, "surprise": 1}, " 1 more: see errors."),
    ],
)
def test_the_one_sentence_of_a_problem_says_which_part_of_the_body_and_what_is_expected(client, body, words):
    detail = client.post("/research", json=body).json()["detail"]
    assert detail.startswith("What was sent is not what is expected. body.")
    assert words in detail


def test_a_body_that_is_no_json_and_an_id_that_is_none_are_told_in_words(client):
    answer = client.post("/research", content="{", headers={"Content-Type": "application/json"})
    assert answer.json()["detail"].endswith("body.1: expected JSON.")
    assert "path.run_id: expected the id of a run, such as r-" in client.get("/trace/r-zz").json()["detail"]


def test_an_unknown_corpus_is_a_problem(client):
    answer = client.post("/research", json={**QUESTION, "corpus": "atlantis"})
    assert is_problem(answer, 404)
    assert "atlantis" in answer.json()["detail"]


def test_a_method_that_a_path_does_not_have_is_refused_with_those_it_has(client):
    answer = client.put("/evaluate")
    assert is_problem(answer, 405)
    assert answer.headers["allow"] == "GET, POST"
    assert "Allow" in answer.json()["detail"]


def test_fifty_clients_at_once_are_all_answered_and_no_run_is_lost(serve):
    client, runner = serve()
    with ThreadPoolExecutor(50) as pool:
        answers = list(
            pool.map(
                lambda n: client.post("/research", json={"question": f"What is tea {n}?", "method": "bm25"}), range(50)
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    ids = {answer.json()["run_id"] for answer in answers}
    assert len(ids) == runner.store.count(statuses=["finished"]) == 50
    assert {answer.json()["question"] for answer in answers} == {f"What is tea {n}?" for n in range(50)}


def test_more_runs_than_the_queue_takes_are_refused_and_the_others_are_kept(serve):
    client, runner = serve(limits=ServiceLimits(queue=3), workers=0)
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: client.post("/research", json={**QUESTION, "wait_seconds": 0}), range(50)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 47
    assert all(is_problem(answer, 429) and int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert runner.store.count(statuses=["queued"]) == 3


def test_a_client_beyond_those_that_may_wait_is_told_where_to_look(serve):
    client, _ = serve(limits=ServiceLimits(waiting=0))
    assert client.post("/research", json=QUESTION).status_code == 202


def test_more_followers_than_there_may_be_are_refused(serve):
    client, _ = serve(limits=ServiceLimits(streams=0))
    run_id = client.post("/research", json=QUESTION).json()["run_id"]
    assert is_problem(client.get(f"/trace/{run_id}/events"), 429)
