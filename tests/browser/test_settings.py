"""The settings in a real browser: opened on a page, a model chosen, kept over a reload; readable in both themes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import advising
from tests.browser.conftest import SLOW, lead, turn, violations_in_both_themes
from tests.browser.serving import calm, executable, serve
from tests.llm.loopback import OllamaLoopback, said

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def ollama() -> Iterator[OllamaLoopback]:
    server = OllamaLoopback("llama3.2:latest", "qwen3:8b")
    server.answers["/api/chat"] = lambda call: call.lines(said(advising.said_by(call.body["messages"][-1]["content"])))
    yield server
    server.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, ollama: OllamaLoopback) -> Iterator[str]:
    """The app over an empty home, with a model server."""
    executable()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", ollama.url)
        with serve(tmp_path_factory.mktemp("settings") / "home") as address:
            yield address


@pytest.fixture
def page(staying: Page) -> Page:
    return staying


def opened(page: Page) -> None:
    lead(page, "/")
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_text("2 models")).to_be_visible()


def test_a_model_is_chosen_kept_over_a_reload_and_asked_by_the_run(page: Page) -> None:
    opened(page)
    page.get_by_role("dialog").get_by_role("combobox").first.click()
    page.get_by_role("option", name="llama3.2").click()
    expect(page.get_by_role("button", name="find the aspects")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("button", name="llama3.2 · up to 10 hops")).to_be_visible()
    turn(page, "/?q=What+is+BM25%3F")
    page.get_by_role("button", name=re.compile("^Start")).first.click()
    expect(page.get_by_text("Written by the language model", exact=False)).to_be_visible(timeout=SLOW)
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Open trace").click()
    page.get_by_role("tab", name="Model I/O").click()
    expect(page.get_by_text("tokens that the model can take", exact=False)).to_be_visible()
    assert violations_in_both_themes(page) == []


def test_the_settings_have_no_serious_fault_of_accessibility_and_escape_closes_them(page: Page) -> None:
    opened(page)
    for part in ("Model", "Sources", "Limits"):
        page.get_by_role("tab", name=part).click()
        expect(page.get_by_role("tab", name=part)).to_have_attribute("aria-selected", "true")
        expect(page.get_by_text("Changes apply from the next run on", exact=False)).to_be_visible()
        assert (part, violations_in_both_themes(page)) == (part, [])
    # What the page draws anew may have taken the focus away in between.
    page.get_by_role("dialog").press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_link_pressed_as_the_settings_close_is_not_taken_back(page: Page) -> None:
    opened(page)
    calm(page, timeout=SLOW)
    page.evaluate(_CLOSE_AND_LEAVE)
    page.wait_for_url("**/corpus")
    page.wait_for_timeout(1000)  # so long after it came back, where it did
    calm(page, timeout=SLOW)
    assert page.url.endswith("/corpus")


# Both in one go, which nobody can do by hand; a busy machine takes one for the other's time.
_CLOSE_AND_LEAVE = """() => {
  const escape = { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true }
  document.querySelector("[role=dialog]").dispatchEvent(new KeyboardEvent("keydown", escape))
  const link = [...document.querySelectorAll("a")].find((one) => one.innerText.trim().endsWith("Corpus"))
  link.click()
}"""
