"""A real server and a real Chromium for the tests that drive the app as a user does.

The server is the README's own command in a home folder of its own. Every page that a test opens is watched: a request
to another host or an error in the console fails the test.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).parents[2]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
_SECONDS_TO_START = 60
# Milliseconds for what may first have to load a model or make the vectors of the corpus, on a machine that is busy.
SLOW = 180_000
# The client looks for the base path of a deep link; those two answers are 404 and harmless.
_PROBES = ("/_stcore/health", "/_stcore/host-config")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _executable() -> str:
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found:
        return found
    words = f"no browser: none of {', '.join(_BROWSERS)} is installed (Debian: apt-get install chromium)"
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole session."""
    executable = _executable()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started with `streamlit run app.py` on a free port with a home of its own."""
    _executable()
    home = tmp_path_factory.mktemp("browser") / "home"
    log = home.with_name("server.log")
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
            server.wait(20)


def _wait_until_up(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the app did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


@pytest.fixture(params=["light"])
def page(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page at 1280 by 720; parametrize it indirectly with "dark" for the other theme."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, color_scheme=request.param, base_url=served, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(20_000)
    outside: list[str] = []
    wrong: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type == "error" and not str(message.location.get("url", "")).endswith(_PROBES):
            wrong.append(f"{message.text} ({message.location.get('url')})")

    page.on("request", lambda r: outside.append(r.url) if not r.url.startswith((served, "data:", "blob:")) else None)
    page.on("console", console)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert outside == [], "requests to other hosts"
    assert wrong == [], "errors in the browser"


def violations(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse, in words."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{v['impact']} {v['id']}: {node['html'][:160]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]
