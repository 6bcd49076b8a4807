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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import httpx
import pytest
from mcp import Client

from adaq_core.home import PROJECT
from adaq_core.store import Store

ASKED = {"question": "What is BM25?", "model": "silent", "wait_seconds": 0}
SILENCE = 600
LONGEST = 300  # seconds that a client may wait for its answer
# Five seconds are promised, one is usual. What the code itself waits for shows in no event, so that seconds have to
# tell: four times the promise, since a busy machine is no failure.
SOON = 20

Process = subprocess.Popen[bytes]


@contextmanager
def begun(command: list[str], home: Path, *, fds: Sequence[int] = ()) -> Iterator[tuple[Process, socket.socket]]:
    """A server and the model that its runs wait for, which never answers; afterwards its runs are interrupted."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        environment = {**os.environ, "ADAQ_HOME": str(home), "ADAQ_SILENCE_SECONDS": str(SILENCE)}
        environment["ADAQ_OLLAMA_HOST"] = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = subprocess.Popen([sys.executable, "-m", *command], env=environment, cwd=PROJECT, pass_fds=fds)
        try:
            yield process, silent
        finally:
            process.kill()
            process.wait()
    store = Store(home / "runs.duckdb")
    assert {row.status for row in store.runs()} == {"interrupted"}
    store.close()


def end(process: Process) -> None:
    """Tell it to end, and wait no longer than it may take."""
    process.send_signal(signal.SIGTERM)
    process.wait(SOON)


def test_sigterm_ends_the_service_soon_though_a_client_follows_a_run(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        command = ["uvicorn", "adaq_core.service:app", "--fd", str(taken.fileno())]
        with (
            begun(command, tmp_path, fds=[taken.fileno()]) as (process, _),
            httpx.Client(base_url=address, timeout=SILENCE, trust_env=False) as client,
        ):
            run_ids = [client.post("/research", json=ASKED).json()["run_id"] for _ in range(6)]
            with client.stream("GET", f"/trace/{run_ids[0]}/events") as events:
                next(events.iter_bytes())
                end(process)


def waiting_client(address: str, process: Process) -> None:
    """Ask the app one question, as soon as it listens, and wait for the answer."""
    while process.poll() is None:
        with suppress(httpx.HTTPError):
            asked = {**ASKED, "wait_seconds": LONGEST}
            httpx.post(f"{address}/api/research", json=asked, timeout=SILENCE, trust_env=False)
            return
        time.sleep(0.1)


def assistant(address: str, process: Process) -> None:
    """Ask the MCP server one question, as soon as it listens."""

    async def ask() -> None:
        while process.poll() is None:
            with suppress(Exception):
                async with Client(f"{address}/mcp") as client:
                    await client.call_tool("research", {"question": "What is BM25?", "model": "silent"})
                    return
            await anyio.sleep(0.2)

    anyio.run(ask)


@pytest.mark.parametrize(
    ("command", "client", "clients"),
    [
        (["streamlit", "run", "app.py", "--server.headless", "true", "--server.port"], waiting_client, 6),
        (["adaq_core", "mcp", "--http"], assistant, 1),
    ],
    ids=["the app", "the MCP server"],
)
def test_sigterm_ends_a_server_soon_though_clients_wait_for_their_answers(tmp_path, command, client, clients):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    with begun([*command, port], tmp_path) as (process, silent):
        for _ in range(clients):
            threading.Thread(target=client, args=(f"http://127.0.0.1:{port}", process), daemon=True).start()
        silent.settimeout(120)
        asked, _ = silent.accept()  # a run asks its model, and waits
        end(process)
        asked.close()


def test_sigterm_ends_an_mcp_server_that_never_had_the_store_without_opening_it(tmp_path):
    store = Store(tmp_path / "runs.duckdb")  # another process has it
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "adaq_core", "mcp", "--http", port]
    with subprocess.Popen(
        command, env={**os.environ, "ADAQ_HOME": str(tmp_path)}, cwd=PROJECT, stderr=subprocess.PIPE
    ) as process:
        while process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", int(port))):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=SOON)
    store.close()
    assert b"Traceback" not in said
