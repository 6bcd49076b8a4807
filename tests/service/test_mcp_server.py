"""The MCP server, asked by the SDK's own client: over stdio as an assistant starts it, and over HTTP."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx
import pytest
from mcp import Client, MCPError, StdioServerParameters

from adaq_core.events import HopStarted
from adaq_core.model import Subquery
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.service.guards import LOOPBACK, ServiceAccess, ServiceLimits
from adaq_core.service.mcp_server import build_server, over_http, told_of
from adaq_core.service.schemas import VERSION
from adaq_core.store import Store
from tests.service.conftest import served
from tests.test_coverage_node import CHECK

ROOT = Path(__file__).parents[2]
T = TypeVar("T")


def asked(server: Any, ask: Callable[[Client], Awaitable[T]]) -> T:
    """What `ask` returns of a client, in a thread and an event loop of its own."""

    async def main() -> T:
        async with Client(server) as client:
            return await ask(client)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, main).result(240)


@pytest.fixture
def runner(small_library, tmp_path) -> Iterator[Runner]:
    store = Store(tmp_path / "runs.duckdb")
    made = Runner(store, small_library, workers=1)
    yield made
    made.close()
    store.close()


@pytest.fixture
def address(runner) -> Iterator[str]:
    """The server over streamable HTTP, on a real socket."""
    with served(over_http(build_server(lambda: runner), ServiceAccess(hosts=LOOPBACK, key=""))) as root:
        yield f"{root}/mcp"


def test_over_stdio_an_assistant_asks_and_reads_the_run(tmp_path):
    environment = {"PYTHONPATH": str(ROOT), "ADAQ_HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
    command = StdioServerParameters(command=sys.executable, args=["-m", "adaq_core", "mcp"], env=environment)

    async def ask(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("research", {"question": "What is BM25?", "method": "bm25"})
        run = await client.read_resource(f"adaq://runs/{answer.structured_content['run_id']}")
        assert client.server_info.version == VERSION
        return [tool.name for tool in tools], [bool(tool.output_schema) for tool in tools], answer, run.contents[0].text

    names, structured, answer, run = asked(command, ask)
    assert names == ["research", "get_trace", "search_corpus", "coverage"]
    assert structured == [True] * 4
    assert answer.structured_content["status"] == "finished"
    assert answer.structured_content["citations"][0]["title"] == "BM25"
    assert json.loads(run)["run_id"] == answer.structured_content["run_id"]


def test_over_http_a_question_is_answered_with_progress(address, runner):
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def ask(client: Client) -> Any:
        question = {"question": "What is tea?", "step_cap": 2, "k": 3}
        return await client.call_tool("research", question, progress_callback=hear)

    answer = asked(address, ask).structured_content
    row = runner.store.run(answer["run_id"])
    assert row is not None
    assert (row.k, row.settings.max_hops, row.status) == (3, 2, "finished")
    assert answer["answer"].startswith("Tea is a drink made of leaves.")
    assert (answer["hops"], answer["not_covered"]) == (1, [])
    assert told == [(1.0, 2.0, "hop 1: What is tea?")]


def test_a_hop_that_sends_no_query_tells_its_reason():
    assert told_of(HopStarted(2, (), "“RNNs” is the most important open aspect")).endswith("important open aspect")
    assert told_of(HopStarted(1, (Subquery("What is tea?", "tea"),), "first")) == "hop 1: What is tea?"


def test_runs_are_resources_and_traces(address, runner):
    run_id = runner.submit(RunSpec("bm25", "What is tea?"), corpus="sample")
    runner.wait(run_id, 120)

    async def ask(client: Client) -> Any:
        listed = await client.read_resource("adaq://runs")
        trace = await client.call_tool("get_trace", {"run_id": run_id})
        templates = (await client.list_resource_templates()).resource_templates
        return listed.contents[0].text, trace.structured_content, [each.uri_template for each in templates]

    listed, trace, templates = asked(address, ask)
    assert json.loads(listed) == [{"run_id": run_id, "question": "What is tea?", "status": "finished"}]
    assert (trace["run"]["run_id"], trace["run"]["method"]) == (run_id, "bm25")
    assert templates == ["adaq://runs/{run_id}"]


def test_a_corpus_is_searched(address):
    found = asked(address, lambda client: client.call_tool("search_corpus", {"query": "cacao tree", "top_k": 1}))
    passages = found.structured_content["passages"]
    assert [(p["title"], "cacao tree" in p["text"]) for p in passages] == [("Cocoa", True)]


def test_coverage_is_judged(address):
    given = {name: value for name, value in CHECK.items() if name != "successful_tools"}
    judged = asked(address, lambda client: client.call_tool("coverage", given)).structured_content
    assert (judged["next_node"], judged["hops"]) == ("plan", 1)
    assert judged["missing_data"][0]["gap_type"] == "background_status"


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("research", {"question": " "}, "question"),
        ("research", {"question": "What is tea?", "corpus": "atlantis"}, "atlantis"),
        ("research", {"question": "What is tea?", "method": "magic"}, "expected one of adaptive"),
        ("get_trace", {"run_id": "r-zzzzzz"}, "r-zzzzzz"),
        ("search_corpus", {"query": "tea", "corpus": "atlantis"}, "atlantis"),
        ("search_corpus", {"query": "tea", "top_k": 0}, "top_k"),
    ],
)
def test_what_cannot_be_done_is_said_to_the_assistant(address, tool, given, words):
    answer = asked(address, lambda client: client.call_tool(tool, given))
    assert answer.is_error
    assert words in answer.content[0].text


def test_a_missing_resource_is_an_error_in_words(address):
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as error:
            await client.read_resource("adaq://runs/r-zzzzzz")
        return str(error.value)

    assert asked(address, ask) == "There is no run r-zzzzzz."


def test_cancelling_a_call_cancels_its_run(small_library, tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    runner = Runner(store, small_library, workers=0)  # nothing works, so that the run waits until it is cancelled

    async def ask(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "research", {"question": "What is tea?"})
            while not store.count(statuses=["queued"]):
                await anyio.sleep(0.01)
            calls.cancel_scope.cancel()
        with anyio.fail_after(120):
            while not store.count(statuses=["cancelled"]):
                await anyio.sleep(0.01)

    with served(over_http(build_server(lambda: runner), ServiceAccess(hosts=LOOPBACK, key=""))) as root:
        asked(f"{root}/mcp", ask)
    assert [row.status for row in store.runs()] == ["cancelled"]
    runner.close()
    store.close()


def test_a_full_queue_is_said(small_library, tmp_path):
    store = Store(tmp_path / "runs.duckdb")
    runner = Runner(store, small_library, workers=0)
    server = build_server(lambda: runner, ServiceLimits(queue=0))
    answer = asked(server, lambda client: client.call_tool("research", {"question": "What is tea?"}))
    assert "try again" in answer.content[0].text
    runner.close()
    store.close()


@pytest.mark.parametrize(
    ("headers", "status"), [({"Host": "evil.example"}, 400), ({"Origin": "http://evil.example"}, 403)]
)
def test_over_http_the_same_guard_stands_before_it(address, headers, status):
    assert httpx.post(address, json={}, headers=headers, trust_env=False).status_code == status


def test_over_http_a_key_is_wanted_where_one_is_set(runner):
    with served(over_http(build_server(lambda: runner), ServiceAccess(hosts=LOOPBACK, key="k"))) as root:
        assert httpx.post(f"{root}/mcp", json={}, trust_env=False).status_code == 401
