"""The service in the process of the pages, and served alone, as a person starts it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import httpx
from anyio import to_thread
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from adaq_core import service
from adaq_core.errors import StoreError
from adaq_core.service.api import build
from benchmarks.load import answered, server
from tests.browser.serving import ROOT, serve
from tests.service.conftest import served

DOCUMENT = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def test_in_the_process_of_the_pages_it_lives_under_api(tmp_path):
    with serve(tmp_path / "home") as address, httpx.Client(base_url=address, timeout=600, trust_env=False) as client:
        assert client.get("/api/health").json() == {"status": "ok", "runs": 0}
        run = client.post("/api/research", json={"question": "What is BM25?", "method": "bm25"}).json()["run"]
        assert (run["status"], run["corpus"]) == ("finished", "sample")
        entered = client.post("/api/research", json={"question": "What is BM25?", "wait_seconds": 0})
        assert entered.headers["location"].startswith("/api/trace/r-")
        assert client.get(entered.headers["location"]).status_code == 200
        assert "streamlit" in client.get("/").text.lower()
        assert client.get("/health").headers["content-type"].startswith("text/html")


def test_requests_that_wait_leave_the_threads_to_the_files_of_the_pages():
    gate = threading.Event()

    def never_there():
        gate.wait(60)
        raise StoreError("The store was never there.")

    @asynccontextmanager
    async def lifespan(_):
        to_thread.current_default_thread_limiter().total_tokens = 4  # the pages' own server sets 28 for all its files
        yield

    async def file(_):
        return await run_in_threadpool(PlainTextResponse, "a file")

    app = Starlette(lifespan=lifespan, routes=[Mount("/api", build(runner=never_there)), Route("/file", file)])
    with served(app) as address, ThreadPoolExecutor(12) as clients:
        client = httpx.Client(base_url=address, timeout=60, trust_env=False)
        waiting = [clients.submit(client.get, "/api/runs") for _ in range(12)]
        try:
            time.sleep(1)
            assert client.get("/file", timeout=20).text == "a file"
            assert [answer.done() for answer in waiting] == [False] * 12
        finally:
            gate.set()
        assert {answer.result().status_code for answer in waiting} == {503}


def test_while_twenty_sessions_ask_questions_of_forty_items_each_request_is_answered():
    """Language code that backtracks, or work in the event loop, left one answer in 25 seconds; a run was never over."""
    with server(sessions=20) as address:
        while not httpx.get(f"{address}/api/runs", params={"status": "running"}, timeout=60, trust_env=False).json()[
            "total"
        ]:
            time.sleep(0.1)
        looks = [answered(f"{address}{path}")[1] for _ in range(15) for path in ("/_stcore/health", "/", "/api/health")]
        runs = httpx.get(f"{address}/api/runs", params={"limit": 100}, timeout=60, trust_env=False).json()["runs"]
    assert looks == [""] * 45
    assert {"queued", "running"} & {run["status"] for run in runs}
    assert all("item 39 of the list" in run["question"] for run in runs)


def test_an_error_of_the_server_is_no_answer():
    async def broken(_):
        return PlainTextResponse("oh", status_code=500)

    with served(Starlette(routes=[Route("/", broken)])) as address:
        seconds, why = answered(address)
    assert (why, seconds < 30) == ("HTTP 500", True)
    assert answered(address)[1].startswith("no answer: ")


def test_alone_it_is_served_by_uvicorn(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    service._made.cache_clear()
    with served(service.app) as address:
        assert httpx.get(f"{address}/health", trust_env=False).json() == {"status": "ok", "runs": 0}
    service._made.cache_clear()


def test_importing_the_service_loads_no_framework():
    code = "import sys, adaq_core.service; print(sorted({'fastapi', 'starlette', 'duckdb', 'mcp'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.strip() == "[]"


def test_every_path_is_documented(client):
    paths = client.get("/openapi.json").json()["paths"]
    asked = [f"`{method.upper()} {path}`" for path, methods in paths.items() for method in methods]
    assert [line for line in asked if line not in DOCUMENT] == []
