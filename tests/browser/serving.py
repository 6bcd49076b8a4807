"""The app served for a test, and a watch on what its pages do."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, WebSocket

ROOT = Path(__file__).parents[2]
# No page of a test lives long enough to earn back what the last optimizing of its scripts takes, or to need its memory
# back: of a page's seconds of the processor these take a tenth. The quick compiler before it stays: it halves what
# axe-core takes. Nor is what was compiled worth keeping.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--blink-settings=v8CacheOptions=1",
    "--js-flags=--no-opt --min-semi-space-size=64 --initial-heap-size=512",
]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS_TO_START = 180
# The script of the page has ended, nothing old is left of the run before, and what fades in is there.
_CALM = """() => !document.querySelector(
    "[data-testid=stApp]:not([data-test-script-state=notRunning]), [data-stale=true]"
) && document.getAnimations().every((one) =>
    one.playState !== "running" || one.effect?.getComputedTiming().iterations === Infinity
)"""
# The client looks for the base path of a deep link; those two answers are 404 and harmless.
# The line to the server that a page opened last.
_lines: WeakKeyDictionary[Page, WebSocket] = WeakKeyDictionary()
# What came with the server's last word is drawn two frames later.
_DRAWN = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 50))"
_PROBES = ("/_stcore/health", "/_stcore/host-config")


def executable() -> str:
    """The browser; without one the test is skipped in words, in CI it fails."""
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found:
        return found
    words = f"no browser: none of {', '.join(_BROWSERS)} is installed (Debian: apt-get install chromium)"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


@contextmanager
def serve(home: Path) -> Iterator[str]:
    """The address of the app, started with `streamlit run app.py` on a free port over this home folder."""
    log = log_of(home)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "ADAQ_HOME": str(home), "ADAQ_TORCH_THREADS": "1"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("wb") as out:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait_until_up(server, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)


def log_of(home: Path) -> Path:
    """Where the app over this home folder writes what it warns of."""
    return home.with_name(f"{home.name}.log")


def _wait_until_up(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the app did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


def calm(page: Page, *, timeout: float) -> None:
    """Wait until the page stands as it is drawn: what is still fading in has other contrasts and places."""
    page.wait_for_function(_CALM, timeout=timeout)


def run_again(page: Page, script: str, argument: str, *, timeout: float) -> None:
    """Have the page do what makes its script run again, and wait until the server has said that this is over."""
    with until_run(page, timeout=timeout):
        page.evaluate(script, argument)


@contextmanager
def until_run(page: Page, *, timeout: float) -> Iterator[None]:
    """Wait until the server has said that the run of the script which this begins is over, and its end is drawn."""
    with _lines[page].expect_event("framereceived", _says_that_it_ran, timeout=timeout):
        yield
    page.evaluate(_DRAWN)


def _says_that_it_ran(frame: bytes | str) -> bool:
    said = ForwardMsg.FromString(frame) if isinstance(frame, bytes) else ForwardMsg()
    return said.WhichOneof("type") == "script_finished" and said.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def watch(page: Page, address: str) -> list[str]:
    """What the page should not do, in words, as it happens: errors, and requests to other hosts."""
    seen: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error" and not str(message.location.get("url", "")).endswith(_PROBES):
            seen.append(f"console: {message.text} ({message.location.get('url')})")

    def request(url: str) -> None:
        if not url.startswith((address, "data:", "blob:")):
            seen.append(f"outside request: {url}")

    page.on("websocket", lambda opened: _lines.__setitem__(page, opened))
    page.on("request", lambda made: request(made.url))
    page.on("console", console)
    page.on("pageerror", lambda error: seen.append(f"page error: {error}"))
    return seen
