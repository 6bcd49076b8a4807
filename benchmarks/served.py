"""The app served for a benchmark, and a browser to look at it where there is one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adaq_core.home import PROJECT

CHROMIUM = Path("/usr/bin/chromium")


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The address of the app over this home folder, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(
        command,
        cwd=PROJECT,
        env={**os.environ, "ADAQ_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


@contextmanager
def browsing() -> Iterator[Any]:
    """A page of a real browser at 1280 by 720; None where there is no browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        yield None
        return
    if not CHROMIUM.exists():
        yield None
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1280, "height": 720})
        browser.close()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.02)
    raise TimeoutError(f"{url} did not answer for a minute")
