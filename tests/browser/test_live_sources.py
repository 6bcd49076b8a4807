"""Live sources in a real browser: turned on in the settings, asked, shown, linked, kept in a corpus; both themes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from adaq_core.store import Store
from tests.browser.conftest import SLOW, Tabs, copied, lead, turn, violations, violations_in_both_themes
from tests.browser.serving import serve
from tests.sources.loopback import Reply, Server
from tests.sources.loopback import served as at_loopback
from tests.sources.world import BRAKES, PLANT, QUESTION, news

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """SearXNG with two pages, and a NewsAPI that refuses the key."""
    for server in at_loopback():
        news(server, brakes=BRAKES, plant=PLANT)
        server.routes["/v2/everything"] = Reply(401, b'{"status": "error", "message": "Your API key is invalid."}')
        yield server


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, indexed_home: Path, server: Server) -> Iterator[str]:
    """The app over a home in which two sources were turned on before."""
    home = copied(indexed_home, tmp_path_factory.mktemp("live"))
    store = Store(home / "runs.duckdb")
    store.set_setting("app_choice", {"sources": ["news_api", "searxng"], "hops": 3})
    store.close()
    settings = {
        "SEARXNG_URL": server.url,
        "NEWS_API_URL": server.url,
        "NEWS_API_KEY": "newskey0123456789abcdef",
        "ADAQ_PRIVATE_HOSTS": server.place,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        with serve(home) as address:
            yield address


@pytest.fixture(params=["light", "dark"])
def page(tabs: Tabs, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of this app in one of the themes, where the test before left it."""
    with tabs.watched(address, theme=request.param, stays=True) as page:
        yield page


def test_a_question_is_answered_from_the_web_and_its_pages_are_kept(page: Page, server: Server) -> None:
    lead(page, "/")
    box = page.get_by_placeholder("Ask a question with several parts")
    box.fill(QUESTION)
    box.press("Enter")
    page.get_by_role("button", name="Start with").click()
    expect(page.get_by_text("Live sources", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("48,000 vans", exact=False).first).to_be_visible()
    expect(page.get_by_text("answered 401 (Your API key is invalid.)", exact=False).first).to_be_visible()
    link = page.get_by_role("link", name="Open the page at 127.0.0.1 in a new window").first
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    assert str(link.get_attribute("href")).startswith(f"{server.url}/news/")
    assert violations(page) == []

    page.get_by_role("button", name="Save to a corpus…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Save all 2")).to_be_visible()
    name = dialog.get_by_role("textbox", name="Name of the new corpus")
    if name.count():
        name.fill("vans")
        name.press("Enter")
    dialog.get_by_role("button", name="Save all 2").click()
    expect(dialog.get_by_text("In the corpus “vans” now.", exact=False)).to_be_visible(timeout=SLOW)
    assert violations(page) == []
    dialog.get_by_role("button", name="Open the Corpus page").click()
    expect(page.get_by_role("heading", name="Corpus")).to_be_visible()


@pytest.mark.parametrize("page", ["light"], indirect=True)
def test_the_trace_tells_the_searches_of_a_hop(page: Page) -> None:
    turn(page, f"/trace_explorer?run={_newest(page)}&hop=1&tab=sources")
    expect(page.get_by_text("Live sources in the whole run")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("ask live sources").first).to_be_visible()
    assert violations_in_both_themes(page) == []


def _newest(page: Page) -> str:
    """The id of the newest run, from the first question of the list of runs."""
    lead(page, "/")
    box = page.get_by_placeholder("Ask a question with several parts")
    box.fill("battery plant of Zorvia Motors")
    box.press("Enter")
    page.get_by_role("button", name="Start with").click()
    page.wait_for_url("**/?run=r-*")
    return page.url.rpartition("run=")[2]
