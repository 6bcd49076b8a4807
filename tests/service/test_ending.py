"""The service alone under uvicorn, told to end while runs wait for a model that never answers and one is followed.

What it could wait for, the model and the client, waits ten minutes: it ends before them, and so without them.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress

import anyio
import httpx
from mcp import Client

from adaq_core.home import PROJECT
from adaq_core.store import Store

ASKED = {"question": "What is BM25?", "model": "silent", "wait_seconds": 0}
SILENCE = 600
LONGEST = 300  # seconds that a client may wait for its answer
# Five seconds are promised, one is usual. What the code itself waits for shows in no event, so that seconds have to
# tell: four times the promise, since a busy machine is no failure.
SOON = 20


def test_sigterm_ends_the_service_soon_though_a_client_follows_a_run(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.create_server(("127.0.0.1", 0)) as taken:
        environment = {**os.environ, "ADAQ_HOME": str(tmp_path), "ADAQ_SILENCE_SECONDS": str(SILENCE)}
        environment["ADAQ_OLLAMA_HOST"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "uvicorn", "adaq_core.service:app", "--fd", str(taken.fileno())]
        process = subprocess.Popen(command, env=environment, cwd=PROJECT, pass_fds=[taken.fileno()])
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{taken.getsockname()[1]}", timeout=SILENCE, trust_env=False
            ) as client:
                run_ids = [client.post("/research", json=ASKED).json()["run_id"] for _ in range(6)]
                with client.stream("GET", f"/trace/{run_ids[0]}/events") as events:
                    next(events.iter_bytes())
                    process.send_signal(signal.SIGTERM)
                    process.wait(SOON)
        finally:
            process.kill()
            process.wait()
    store = Store(tmp_path / "runs.duckdb")
    assert {row.status for row in store.runs()} == {"interrupted"}
    store.close()


def test_sigterm_ends_the_app_soon_though_clients_wait_for_their_answers(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        environment = {**os.environ, "ADAQ_HOME": str(tmp_path), "ADAQ_SILENCE_SECONDS": str(SILENCE)}
        environment["ADAQ_OLLAMA_HOST"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        served = ["streamlit", "run", "app.py", "--server.port", port, "--server.headless", "true"]
        process = subprocess.Popen([sys.executable, "-m", *served], env=environment, cwd=PROJECT)
        for _ in range(6):
            address = f"http://127.0.0.1:{port}/api/research"
            threading.Thread(target=waiting_client, args=(address, process), daemon=True).start()
        try:
            silent.settimeout(120)
            asked, _ = silent.accept()  # a run asks its model, and waits
            process.send_signal(signal.SIGTERM)
            process.wait(SOON)
            asked.close()
        finally:
            process.kill()
            process.wait()
    store = Store(tmp_path / "runs.duckdb")
    assert {row.status for row in store.runs()} == {"interrupted"}
    store.close()


def waiting_client(address: str, process: subprocess.Popen[bytes]) -> None:
    """Ask one question, as soon as the app listens, and wait for the answer."""
    while process.poll() is None:
        with suppress(httpx.HTTPError):
            httpx.post(address, json={**ASKED, "wait_seconds": LONGEST}, timeout=SILENCE, trust_env=False)
            return
        time.sleep(0.1)


def test_sigterm_ends_the_mcp_server_soon_though_an_assistant_waits_for_an_answer(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        environment = {**os.environ, "ADAQ_HOME": str(tmp_path), "ADAQ_SILENCE_SECONDS": str(SILENCE)}
        environment["ADAQ_OLLAMA_HOST"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        over = threading.Event()
        command = [sys.executable, "-m", "adaq_core", "mcp", "--http", str(port)]
        process = subprocess.Popen(command, env=environment, cwd=PROJECT)
        threading.Thread(target=assistant, args=(f"http://127.0.0.1:{port}/mcp", over), daemon=True).start()
        try:
            silent.settimeout(60)
            asked, _ = silent.accept()  # the run asks its model, and waits
            process.send_signal(signal.SIGTERM)
            process.wait(SOON)
            asked.close()
        finally:
            over.set()
            process.kill()
            process.wait()
    store = Store(tmp_path / "runs.duckdb")
    assert [row.status for row in store.runs()] == ["interrupted"]
    store.close()


def assistant(address: str, over: threading.Event) -> None:
    """Ask one question, as soon as the server listens."""

    async def ask() -> None:
        while not over.is_set():
            with suppress(Exception):
                async with Client(address) as client:
                    await client.call_tool("research", {"question": "What is BM25?", "model": "silent"})
                    return
            await anyio.sleep(0.2)

    anyio.run(ask)
