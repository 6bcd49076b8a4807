"""A real server and a real Chromium for the tests that drive the app as a user does.

The server is the README's own command in a home folder of its own. Every page that a test opens is watched: a request
to another host or an error in the console fails the test.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.serving import ARGUMENTS, calm, executable, log_of, run_again, serve, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Milliseconds for what may first have to load a model or make the vectors of the corpus, on a machine that is busy.
SLOW = 180_000
# Milliseconds for everything else: what passes never waits as long, and a machine that is busy is no failure.
PATIENT = 90_000
# Goes to an address as Back and Forward do.
TURN = """(address) => {
    history.pushState(null, "", address)
    dispatchEvent(new PopStateEvent("popstate", {state: null}))
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole session."""
    path = executable()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENT)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, indexed_home: Path) -> Iterator[str]:
    """The address of the app over a home without runs, in which the bundled corpus is indexed."""
    executable()
    home = copied(indexed_home, tmp_path_factory.mktemp("browser"))
    with serve(home) as address:
        yield address
    assert "Stack (most recent call last)" not in log_of(home).read_text(encoding="utf-8", errors="replace")


def copied(indexed_home: Path, place: Path) -> Path:
    """A home folder in `place` in which the bundled corpus is indexed."""
    return Path(shutil.copytree(indexed_home, place / "home"))


class Tabs:
    """A page for each app, open from test to test: a new one takes two seconds to compile the scripts of the app.

    What a test is given is the same as new: blank, of the usual size, and nothing kept of the test before. A page that
    `stays` is not blank: it stands where the test before left it, in the light theme, and `turn` leads it on.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._open: dict[str, tuple[Page, list[str]]] = {}

    @contextmanager
    def watched(
        self, address: str, *, theme: str = "light", motion: str = "reduce", stays: bool = False
    ) -> Iterator[Page]:
        """A page of the app; requests to other hosts and errors in the console fail the test."""
        if address not in self._open:
            self._open[address] = self._new(address)
        page, seen = self._open[address]
        page.set_viewport_size({"width": 1280, "height": 720})
        page.emulate_media(color_scheme=theme, reduced_motion=motion)  # type: ignore[arg-type]
        page.set_default_timeout(PATIENT)
        yield page
        page.evaluate(_FORGET)
        if not stays or page.evaluate(_IS_DARK):
            _emptied(page)
        said, seen[:] = list(seen), []
        assert said == []

    def close(self, address: str) -> None:
        """Close the page of an app that is about to end."""
        page, _ = self._open.pop(address)
        page.context.close()

    def _new(self, address: str) -> tuple[Page, list[str]]:
        page = self._browser.new_context(base_url=address).new_page()
        return page, watch(page, address)


_FORGET = "() => { if (location.protocol !== 'about:') { localStorage.clear(); sessionStorage.clear() } }"
_IS_DARK = "() => matchMedia('(prefers-color-scheme: dark)').matches"


def _emptied(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("about:blank")


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Tabs:
    """The pages that stay open."""
    return Tabs(browser)


@pytest.fixture
def page(tabs: Tabs, served: str) -> Iterator[Page]:
    """A page in the light theme."""
    with tabs.watched(served) as page:
        yield page


def lead(page: Page, address: str) -> None:
    """Lead a page that stays to an address of the app: one that is blank loads the app there."""
    if page.url == "about:blank":
        page.goto(address)
    else:
        turn(page, address)


def turn(page: Page, address: str) -> None:
    """Lead an open page to another address of the app without loading the app again, which takes a second or two.

    A press that is still on its way to the server ends where it leads, and the page is led on from there once more.
    """
    for _ in range(_TURNS):
        calm(page, timeout=PATIENT)
        run_again(page, TURN, address, timeout=PATIENT)
        calm(page, timeout=PATIENT)
        if _place(page.url) == _place(address):
            return
    pytest.fail(f"led to {address}, the page stayed at {page.url}")


_TURNS = 3
# What a press on a run changes in the address.
_CHOSEN = ("run", "hop", "aspect", "tab", "call")


def _place(address: str) -> tuple[str, list[list[str] | None]]:
    parts = urlsplit(address)
    query = parse_qs(parts.query)
    return parts.path, [query.get(name) for name in _CHOSEN]


# Counts the frames in which what was left is still to be seen beside what took its place.
_TOGETHER = """([left, come]) => {
  window.together = 0
  const seen = (css) => document.querySelector(css)?.offsetHeight
  const look = () => {
    if (seen(left) && seen(come)) window.together += 1
    requestAnimationFrame(look)
  }
  look()
}"""


def watch_together(page: Page, left: str, come: str) -> None:
    """From now on count in `window.together` the frames that show both of two parts of the app, named by their keys."""
    page.evaluate(_TOGETHER, [f".st-key-{left}", f".st-key-{come}"])


@pytest.fixture
def staying(tabs: Tabs, served: str) -> Iterator[Page]:
    """A page in the light theme that stands where the test before left it; `lead` it on."""
    with tabs.watched(served, stays=True) as page:
        yield page


def violations(page: Page, *, within: str = "", **limits: Any) -> list[str]:
    """What axe-core finds that is serious or worse, in words, and finds again once a moment has passed.

    It looks at all of the page, or at a part of it where the rest was looked at before. Between two runs of the page's
    script it may stand for a moment and fade again: the contrast of that is not ours.
    """
    first = _violations(page, within, limits)
    if not first:
        return []
    page.wait_for_timeout(1000)
    return _violations(page, within, limits)


def violations_in_both_themes(page: Page, *, within: str = "") -> list[str]:
    """What axe-core finds in the theme of the page, and in the colours of the other one, to which the page turns.

    All but the colours is the same in both. The page stays in the other theme: the next look begins there.
    """
    found = violations(page, within=within)
    scheme = _turned(page)
    other = violations(page, within=within, runOnly=["color-contrast", "link-in-text-block"])
    return [*found, *(f"{scheme}: {each}" for each in other)]


def _turned(page: Page) -> str:
    """Turn the page to the theme that it does not have; its name."""
    scheme: Literal["light", "dark"] = "light" if page.evaluate(_SCHEME) == "dark" else "dark"
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"(scheme) => ({_SCHEME})() === scheme", arg=scheme, timeout=PATIENT)
    return scheme


# The colours in which the app has drawn itself.
_SCHEME = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme"
# Streamlit's own "running … Stop" fades in and out on a busy machine; its contrast is not ours.
# What a rule finds is as serious as the rule is; those that are neither serious nor critical are not asked.
_AXE = """([within, limits]) => {
    const slight = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact))
    const rules = Object.fromEntries(slight.map((rule) => [rule.id, { enabled: false }]))
    const part = { include: [within || "html"], exclude: ["[data-testid='stStatusWidget']"] }
    return axe.run(part, { resultTypes: ["violations"], rules, ...limits })
}"""


def _violations(page: Page, within: str, limits: dict[str, Any]) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    calm(page, timeout=SLOW)
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(_AXE, [within, limits])["violations"]
    return [
        f"{v['impact']} {v['id']}: {node['html'][:160]}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]
