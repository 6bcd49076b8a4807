"""Who may ask, and how much at once."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from adaq_core.runs.execute import RunSpec
from adaq_core.service.guards import ServiceLimits, host_of, named_hosts
from tests.service.test_research import QUESTION, is_problem


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[x"])
def test_a_name_that_is_not_served_is_refused(client, host):
    assert is_problem(client.get("/health", headers={"Host": host}), 400)


@pytest.mark.parametrize("host", ["localhost:80", "127.0.0.1", "LOCALHOST", "[::1]:80"])
def test_this_machines_own_names_are_served(client, host):
    assert client.get("/health", headers={"Host": host}).json() == {"status": "ok", "runs": 0}


def test_named_hosts_are_served_too(monkeypatch):
    monkeypatch.setenv("ADAQ_HOSTS", "adaq.example.org, 10.0.0.5")
    assert named_hosts() >= {"adaq.example.org", "10.0.0.5", "127.0.0.1"}
    assert host_of("ADAQ.example.org:8000") == "adaq.example.org"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null"])
def test_a_page_of_another_origin_can_start_nothing_and_is_given_no_leave_to_read(client, origin):
    assert is_problem(client.post("/research", json=QUESTION, headers={"Origin": origin}), 403)
    read = client.get("/runs", headers={"Origin": origin})
    assert not [name for name in read.headers if name.startswith("access-control")]
    preflight = client.options("/research", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_a_page_of_this_service_may_ask(client):
    own = {"Origin": f"http://{client.base_url.host}:{client.base_url.port}"}
    assert client.post("/research", json=QUESTION, headers=own).status_code == 200


def test_with_a_key_everybody_needs_it(serve):
    client, _ = serve(key="s3cret")
    refused = client.get("/runs")
    assert is_problem(refused, 401)
    assert refused.headers["www-authenticate"] == "Bearer"
    for headers in ({"Authorization": "Bearer wrong"}, {"X-API-Key": ""}, {"Authorization": "Basic s3cret"}):
        assert is_problem(client.get("/runs", headers=headers), 401)
    for headers in ({"Authorization": "Bearer s3cret"}, {"X-API-Key": "s3cret"}):
        assert client.get("/runs", headers=headers).status_code == 200
    assert client.get("/health").status_code == 200


def test_beyond_this_machine_nobody_is_served_without_a_key(serve):
    client, _ = serve(hosts=("adaq.example",))
    refused = client.get("/runs", headers={"Host": "adaq.example"})
    assert is_problem(refused, 401)
    assert "ADAQ_API_KEY" in refused.json()["detail"]
    keyed, _ = serve(hosts=("adaq.example",), key="k")
    assert keyed.get("/runs", headers={"Host": "adaq.example", "X-API-Key": "k"}).status_code == 200


def test_a_body_may_not_be_too_large_whether_it_says_so_or_not(serve):
    client, _ = serve(limits=ServiceLimits(body=1000))
    json = {"Content-Type": "application/json"}
    assert is_problem(client.post("/research", content=b"a" * 1001, headers=json), 413)
    assert is_problem(client.post("/research", content=iter([b"a" * 600, b"a" * 600]), headers=json), 413)
    assert client.post("/research", json=QUESTION).status_code == 200


def test_a_body_that_drips_keeps_no_place_of_those_that_there_are(serve):
    client, _ = serve(limits=ServiceLimits(requests=1, body_seconds=0.3))
    head = "POST /research HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n"
    with socket.create_connection((client.base_url.host, client.base_url.port), timeout=30) as slow:
        slow.sendall(head.encode())
        came = b""
        while b"within" not in came:
            with suppress(TimeoutError):
                slow.settimeout(0.1)
                came += slow.recv(4_096)
            slow.sendall(b"{" if not came else b"")
    assert b"A body has to come within 0.3 s." in came
    assert client.get("/runs").status_code == 200


def test_more_requests_at_once_than_there_may_be_are_refused(serve):
    client, runner = serve(limits=ServiceLimits(requests=1), workers=0)
    run_id = runner.submit(RunSpec("adaptive", "What is tea?"), corpus="sample")
    following, followed = threading.Event(), threading.Event()

    def follow() -> None:
        with client.stream("GET", f"/trace/{run_id}/events"):
            following.set()
            followed.wait(60)

    thread = threading.Thread(target=follow)
    thread.start()
    assert following.wait(60)
    refused = client.get("/runs")
    followed.set()
    thread.join(60)
    assert is_problem(refused, 429)
    assert int(refused.headers["retry-after"]) > 0


def test_the_schema_has_examples_and_names_no_outside_page(client):
    schema = client.get("/openapi.json").json()
    fields = schema["components"]["schemas"]["ResearchRequest"]["properties"]
    assert fields["question"]["examples"] == ["Compare self-attention and multi-head attention"]
    assert (fields["company"]["examples"], fields["year"]["examples"]) == (["Tesla"], [2025])
    assert schema["components"]["schemas"]["Entered"]["properties"]["trace"]["examples"] == ["/trace/r-7f3a2c"]
    assert "application/problem+json" in schema["paths"]["/research"]["post"]["responses"]["429"]["content"]
    assert client.get("/docs").status_code == 404
