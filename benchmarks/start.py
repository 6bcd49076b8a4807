"""How long it takes until something is there: import, command line, first page."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from benchmarks.figure import Figure, seconds

PROJECT = Path(__file__).parents[1]
IMPORT = "import time; t = time.perf_counter(); import adaq_core; print(time.perf_counter() - t)"
HEAVY = "import sys, adaq_core; print(sum(m in sys.modules for m in ('torch', 'sentence_transformers', 'sklearn')))"


def figures(*, quick: bool) -> list[Figure]:
    """Import, commands and, unless `quick`, the server."""
    imports = [float(_python("-c", IMPORT)) for _ in range(7)]
    heavy = float(_python("-c", HEAVY))
    found = [
        Figure("import adaq_core", statistics.median(imports), "s", 0.5),
        Figure("heavy modules that this imports", heavy, "", None if heavy == 0 else 0.5),
        Figure("python -m adaq_core --help", _timed("-m", "adaq_core", "--help"), "s"),
        Figure("ask, first time (indexes the bundled corpus)", _timed(*_ASK), "s"),
        Figure("ask, from then on", _timed(*_ASK), "s"),
    ]
    return found if quick else [*found, *_server()]


_ASK = ("-m", "adaq_core", "ask", "Compare self-attention and multi-head attention")


def _python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _timed(*arguments: str) -> float:
    return seconds(lambda: _python(*arguments))


def _server() -> list[Figure]:
    """The app, cold, until it serves; then, where a browser is there, until the first page and the first hop show."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                "app.py",
                "--server.port",
                str(port),
                "--server.headless",
                "true",
            ],
            cwd=PROJECT,
            env={**os.environ, "ADAQ_HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            serving = Figure("cold start until the app serves", time.perf_counter() - begun, "s")
            return [serving, *_browser(f"http://127.0.0.1:{port}", begun)]
        finally:
            server.terminate()
            server.wait(20)


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise TimeoutError(f"{url} did not answer for a minute")


def _browser(address: str, begun: float) -> list[Figure]:
    chromium = Path("/usr/bin/chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if not chromium.exists():
        return []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        page.get_by_test_id("stChatInput").or_(page.get_by_role("textbox")).first.wait_for(timeout=60_000)
        first_page = Figure("cold start until the first page shows (with browser)", time.perf_counter() - begun, "s")
        reload = seconds(lambda: (page.reload(), page.get_by_role("textbox").first.wait_for(timeout=60_000)))
        browser.close()
    return [first_page, Figure("the page again, warm", reload, "s")]
