"""What a person who runs the service sees: metrics as Prometheus reads them, and logs that quote nobody."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from concurrent.futures import ThreadPoolExecutor

from prometheus_client.parser import text_string_to_metric_families

from adaq_core.service.guards import Counts, Observed, logged_as_json
from tests.service.test_research import QUESTION


def test_prometheus_reads_every_metric(serve):
    client, _ = serve()
    client.post("/research", json=QUESTION)
    client.get("/nothing")
    answer = client.get("/metrics")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    samples = {(s.name, *s.labels.values()): s.value for family in families.values() for s in family.samples}
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert {name: family.type for name, family in families.items()} == {
        "adaq_http_requests": "counter",
        "adaq_http_request_seconds": "histogram",
        "adaq_runs": "gauge",
        "adaq_clients": "gauge",
    }
    assert samples["adaq_http_requests_total", "POST", "/research", "200"] == 1
    assert samples["adaq_http_requests_total", "GET", "none", "404"] == 1
    assert samples["adaq_http_request_seconds_count",] == samples["adaq_http_request_seconds_bucket", "+Inf"] == 2
    assert samples["adaq_runs", "finished"] == 1
    assert samples["adaq_clients", "waiting"] == 0


def test_metrics_do_not_grow_with_what_clients_make_up(client):
    for n in range(20):
        client.get(f"/trace/r-made{n}up", params={"secret": n})
        client.get(f"/made/up/{n}")
        client.request(f"MADE{n}UP", "/runs")
    routes = {line for line in client.get("/metrics").text.splitlines() if line.startswith("adaq_http_requests_total")}
    assert len(routes) == 3


def test_each_request_is_a_line_of_json_with_its_run_and_without_its_words(serve):
    out = io.StringIO()
    with logged_as_json(out):
        client, _ = serve()
        run_id = client.post("/research", json={"question": "What is confidential tea?"}).json()["run_id"]
        client.get(f"/trace/{run_id}")
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    told = [(line["message"], line["route"], line["status"], line["run_id"]) for line in lines if "route" in line]
    assert told == [("answered", "/research", 200, run_id), ("answered", "/trace/{run_id}", 200, run_id)]
    assert "confidential" not in out.getvalue()
    assert "leaves" not in out.getvalue()


def test_an_answer_is_counted_before_its_last_bytes_go():
    counts, counted = Counts(), []

    async def answers(scope, receive, send):
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"t", "more_body": True})
        await send({"type": "http.response.body", "body": b"ea"})

    async def send(message):
        counted.append(counts.requests["GET", "none", 200])

    scope = {"type": "http", "method": "GET"}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(Observed(answers, counts=counts)(scope, None, send))).result()
    assert counted == [0, 0, 1]


def test_an_error_is_logged_by_its_type_and_place_and_not_by_what_it_says():
    out, log = io.StringIO(), logging.getLogger("adaq_core.runs.work")
    with logged_as_json(out):
        try:
            raise ValueError("the document says: Tea is a drink")
        except ValueError:
            log.exception("run %s failed: %s", "r-abcdef", "Tea is a drink")
    line = json.loads(out.getvalue())
    assert (line["level"], line["error"]) == ("ERROR", "ValueError")
    assert line["raised_at"].startswith("test_observed.py:")
    assert line["message"] == "run %s failed: %s"
    assert "Tea" not in out.getvalue()


def test_what_a_run_logs_names_the_run(serve):
    client, runner = serve()
    out = io.StringIO()
    with logged_as_json(out):
        runner.corpora.open = lambda name: 1 / 0  # a corpus that cannot be opened
        try:
            run_id = client.post("/research", json=QUESTION).json()["run_id"]
        finally:
            del runner.corpora.open
    failed = [line for line in map(json.loads, out.getvalue().splitlines()) if line["level"] == "ERROR"]
    assert [(line["run_id"], line["error"]) for line in failed] == [(run_id, "ZeroDivisionError")]
