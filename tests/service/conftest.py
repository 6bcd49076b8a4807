"""The service on a real socket, over a store and a small corpus of its own."""

from __future__ import annotations

import asyncio
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.runs.runner import Runner
from adaq_core.service.api import build
from adaq_core.service.guards import LOOPBACK, ServiceAccess, ServiceLimits
from adaq_core.store import Store

TEXTS = {
    "tea.md": "# Tea\n\nTea is a drink made of leaves. Tea has less caffeine than coffee.",
    "coffee.md": "# Coffee\n\nCoffee is a drink made of roasted beans. Coffee differs from tea in caffeine.",
    "cocoa.md": "# Cocoa\n\nCocoa is a powder made of the beans of the cacao tree.",
}


class Server(uvicorn.Server):
    """A server that sees within a hundredth of a second, not a tenth, that it is to end."""

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            await asyncio.sleep(0.01)


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of an ASGI app, served by uvicorn in a thread of its own, with an event loop of its own."""
    config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
    server = Server(config)
    # With the protocol named, asyncio sends small answers at once; without, each waits 40 ms for the one before it.
    with socket.socket(proto=socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(128)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)


@pytest.fixture(scope="session")
def small_library(tmp_path_factory: pytest.TempPathFactory) -> CorpusLibrary:
    """Three documents as the corpus `sample`."""
    files = tmp_path_factory.mktemp("files")
    for name, text in TEXTS.items():
        (files / name).write_text(text, encoding="utf-8")
    return CorpusLibrary(tmp_path_factory.mktemp("corpora"), sample=files)


Serve = Callable[..., tuple[httpx.Client, Runner]]


@pytest.fixture
def serve(small_library: CorpusLibrary, tmp_path: Path, empty_store: Path) -> Iterator[Serve]:
    """Start a service: a client for it, and its runner."""
    with services(small_library, tmp_path, empty_store) as start:
        yield start


@contextmanager
def services(library: CorpusLibrary, folder: Path, empty_store: Path) -> Iterator[Serve]:
    """Start services with their stores, copies of an empty one, in `folder`; they end together."""
    ends: list[Callable[[], object]] = []

    def start(
        *, limits: ServiceLimits | None = None, key: str = "", hosts: tuple[str, ...] = (), workers: int = 2
    ) -> Any:
        store = Store(Path(shutil.copy(empty_store, folder / f"runs-{len(ends)}.duckdb")))
        runner = Runner(store, library, workers=workers)
        access = ServiceAccess(hosts=LOOPBACK | frozenset(hosts), key=key)
        serving = served(build(runner=lambda: runner, access=access, limits=limits))
        # Reading the certificates of the world takes as long as a test, and nothing here asks for one.
        client = httpx.Client(base_url=serving.__enter__(), timeout=600, trust_env=False, verify=False)
        ends.extend([store.close, runner.close, lambda: serving.__exit__(None, None, None), client.close])
        return client, runner

    yield start
    for end in reversed(ends):
        end()


@pytest.fixture
def client(serve: Serve) -> httpx.Client:
    """A client of a service with its usual limits, without a key."""
    return serve()[0]
