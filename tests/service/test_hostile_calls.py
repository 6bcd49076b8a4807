"""Calls of the MCP tools made to crash, flood or confuse: each is answered, or refused in words, and it goes on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters

from adaq_core.runs.runner import Runner
from adaq_core.service.guards import LOOPBACK, ServiceAccess
from adaq_core.service.mcp_server import build_server, over_http
from adaq_core.store import Store
from tests.service.conftest import served
from tests.service.test_mcp_server import ROOT, asked

SECONDS = 60


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


# Values that fit no argument as they are: other types, sizes, characters, numbers, paths, addresses, statements.
VALUES: dict[str, Any] = {
    "null": None,
    "a list": [],
    "an object": {"$ref": "#"},
    "a truth": True,
    "a huge number": 10**40,
    "a negative number": -1,
    "a fraction": 0.5,
    "a huge fraction": 1e308,
    "no text": "",
    "blanks": " \t\n",
    "control characters": "a\x00b\x1b[31m\x07",
    "marks of direction": "\u202e\u2066abc\u200b\ufeff",
    "a long word": "a" * 100_000,
    "many words": "why, and " * 20_000,
    "many marks": "\u0301" * 50_000,
    "a path": "../../../../etc/passwd",
    "a path with a zero": "sample\x00/../../x",
    "a Windows path": "..\\..\\windows\\win.ini",
    "an address": "http://169.254.169.254/latest/meta-data",
    "a statement": "' OR 1=1; DROP TABLE runs; --",
    "a pattern": "(a+)+$",
    "markup": "<script>alert(1)</script>",
    "a format": "{0.__class__} %s%n ${jndi:ldap://x}",
    "deep lists": deep(200),
}
GOOD: dict[str, dict[str, Any]] = {
    "research": {"question": "What is tea?", "method": "bm25"},
    "get_trace": {"run_id": "r-zzzzzz"},
    "search_corpus": {"query": "tea"},
    "coverage": {"user_query": "What is tea?", "tool_results": {}},
}
ARGUMENTS = {
    "research": ("question", "company", "year", "corpus", "method", "k", "step_cap", "budget_seconds", "budget_usd",
                 "model"),
    "get_trace": ("run_id",),
    "search_corpus": ("query", "corpus", "top_k"),
    "coverage": ("user_query", "tool_results", "successful_tools", "failed_tools", "hops", "max_hops"),
}  # fmt: skip
# Arguments that take any text, or nothing at all: there a call may be answered.
WORDS = {
    "question", "company", "year", "query", "user_query", "tool_results", "successful_tools", "failed_tools", "hops",
    "max_hops", "k", "top_k", "step_cap", "budget_seconds", "budget_usd", "model",
}  # fmt: skip
LEAKS = ("Traceback", 'File "', "site-packages", ROOT.as_posix(), "duckdb.", "pydantic.dev")


@pytest.fixture(scope="module")
def hostile_server(small_library, tmp_path_factory) -> Iterator[tuple[str, Runner]]:
    store = Store(tmp_path_factory.mktemp("hostile") / "runs.duckdb")
    runner = Runner(store, small_library, workers=2)
    with served(over_http(build_server(lambda: runner), ServiceAccess(hosts=LOOPBACK, key=""))) as root:
        yield f"{root}/mcp", runner
    runner.close()
    store.close()


async def said(client: Client, tool: str, given: dict[str, Any]) -> tuple[bool, str]:
    """Whether a call was answered, and in what words; an error of the protocol is a refusal too."""
    try:
        with anyio.fail_after(SECONDS):
            answer = await client.call_tool(tool, given)
    except TimeoutError:
        raise
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    return not answer.is_error, " ".join(getattr(part, "text", "") for part in answer.content)


@pytest.mark.parametrize(("tool", "argument"), [(tool, name) for tool, names in ARGUMENTS.items() for name in names])
def test_a_hostile_argument_is_answered_or_refused_in_words(hostile_server, tool, argument):
    address, runner = hostile_server

    async def ask(client: Client) -> list[tuple[str, bool, str]]:
        return [(name, *await said(client, tool, {**GOOD[tool], argument: value})) for name, value in VALUES.items()]

    told = asked(address, ask)
    assert [(name, text[:200]) for name, _, text in told if any(leak in text for leak in LEAKS)] == []
    assert [name for name, answered, text in told if not answered and len(text) < 10] == []
    assert [name for name, answered, text in told if not answered and len(text) > 5_000] == []
    if argument not in WORDS:
        assert [name for name, answered, _ in told if answered] == []
    alive = asked(address, lambda client: client.call_tool("search_corpus", {"query": "tea"}))
    assert not alive.is_error
    assert all(row.over for row in runner.store.runs(limit=1000))


@pytest.mark.parametrize("tool", ["", "shell", "../research", "research\x00", "__class__", "r" * 10_000])
def test_a_tool_that_is_not_there_is_refused(hostile_server, tool):
    answered, text = asked(hostile_server[0], lambda client: said(client, tool, {}))
    assert not answered
    assert not any(leak in text for leak in LEAKS)


@pytest.mark.parametrize(
    "uri",
    ["adaq://runs/../../etc/passwd", "adaq://runs/%00", "file:///etc/passwd", "http://169.254.169.254/", "adaq://runs/'",
     "adaq://runs/" + "a" * 10_000, "adaq://evil", "javascript:alert(1)"],
)  # fmt: skip
def test_a_resource_that_is_not_there_is_refused(hostile_server, uri):
    async def ask(client: Client) -> str:
        try:
            return f"answered: {await client.read_resource(uri)}"
        except Exception as error:
            return str(error)

    text = asked(hostile_server[0], ask)
    assert not text.startswith("answered")
    assert not any(leak in text for leak in LEAKS)


def test_fifty_hostile_calls_at_once_leave_the_server_serving(hostile_server):
    async def ask(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            for number, value in enumerate([*VALUES.values(), *VALUES.values()]):
                tool = ("search_corpus", "research")[number % 2]
                name = ("query", "question")[number % 2]
                calls.start_soon(said, client, tool, {**GOOD[tool], name: value})

    began = time.monotonic()
    asked(hostile_server[0], ask)
    assert time.monotonic() - began < 2 * SECONDS
    answer = asked(hostile_server[0], lambda client: client.call_tool("research", GOOD["research"]))
    assert answer.structured_content["status"] == "finished"


@pytest.mark.parametrize(
    "value",
    [
        '"\\ud800"',
        "NaN",
        "-Infinity",
        "1e999999",
        "9" * 5_000,
        "[" * 50_000 + "]" * 50_000,
        '{"a":' * 5_000,
        "",
        '"\xff"',
    ],
)
def test_a_call_that_no_sdk_would_send_is_refused(hostile_server, value):
    """Bodies written by hand, past the SDK's client, which refuses to send them."""
    given = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_corpus","arguments":{"query":%s}}}'
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    body = (given % value).encode("latin-1")
    answer = httpx.post(hostile_server[0], content=body, headers=headers, timeout=SECONDS, trust_env=False)
    assert answer.status_code < 500
    assert not any(leak in answer.text for leak in LEAKS)
    alive = asked(hostile_server[0], lambda client: client.call_tool("search_corpus", {"query": "tea"}))
    assert not alive.is_error


def test_over_stdio_lines_that_are_no_calls_do_not_end_it(tmp_path):
    """What a broken assistant writes: no JSON, deep JSON, numbers without end, another version of the protocol."""
    environment = {"PYTHONPATH": str(ROOT), "ADAQ_HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}
    lines = ["no json", "[" * 50_000, '{"jsonrpc": "1.0"}', '{"jsonrpc":"2.0","id":' + "9" * 5_000 + "}", "\x00", "{}"]
    code = (
        "import subprocess, sys, threading\n"
        f"server = subprocess.Popen([{sys.executable!r}, '-m', 'adaq_core', 'mcp'], stdin=subprocess.PIPE,"
        " stdout=sys.stdout)\n"
        f"server.stdin.write({chr(10).join(lines).encode() + chr(10).encode()!r}); server.stdin.flush()\n"
        "for line in sys.stdin.buffer:\n    server.stdin.write(line); server.stdin.flush()\n"
        "server.stdin.close(); server.wait(20)\n"
    )
    command = StdioServerParameters(command=sys.executable, args=["-c", code], env=environment)
    found = asked(command, lambda client: client.call_tool("search_corpus", {"query": "BM25", "top_k": 1}))
    assert not found.is_error
