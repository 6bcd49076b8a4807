"""A run as a file, opened from a disk in a real browser: lanes that answer, no request, no error; it prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from adaq_core.export.page import run_page
from adaq_core.trace import view
from tests.browser.conftest import violations
from tests.browser.serving import watch
from tests.pages import built_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.pages.built_runs import Story


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_from_a_disk_has_lanes_that_answer_and_asks_for_nothing(
    browser: Browser, tmp_path: Path, theme: str
) -> None:
    file = tmp_path / "r-1.html"
    file.write_text(run_page("r-1", view(built_runs.records(built_runs.finished()))), encoding="utf-8")
    context = browser.new_context(color_scheme=theme, offline=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    seen = watch(page, file.as_uri())
    page.goto(file.as_uri())
    second = page.get_by_role("button", name="Hop 2")
    second.click()
    expect(second).to_be_focused()
    assert violations(page) == []
    assert seen == []
    context.close()


def test_the_page_without_scripts_prints_to_pages_of_paper(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "r-1.html"
    file.write_text(run_page("r-1", view(built_runs.records(built_runs.long()))), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF-")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") > 1
    context.close()


# How far the lanes reach beyond the paper's right edge, in pixels, the texts that are cut short, the smallest number of
# a hop.
_BEYOND = """() => {
    const root = document.getElementById("lanes").shadowRoot
    const cut = [...root.querySelectorAll(".name, .query")].filter((one) => one.scrollHeight > one.clientHeight + 1)
    const numbers = [...root.querySelectorAll(".top b")].map((one) => getComputedStyle(one))
    const sizes = numbers.filter((one) => one.visibility === "visible").map((one) => Number.parseFloat(one.fontSize))
    const [right, edge] = [root.querySelector("table"), document.body].map((one) => one.getBoundingClientRect().right)
    return [Math.max(0, Math.round(right - edge)), cut.map((one) => one.textContent), Math.min(...sizes)]
}"""


@pytest.mark.parametrize("make", [built_runs.long, built_runs.huge, built_runs.finished])
def test_on_paper_every_hop_and_name_is_there_in_the_colours_of_paper(
    browser: Browser, tmp_path: Path, make: Callable[[], Story]
) -> None:
    file = tmp_path / "r-1.html"
    file.write_text(run_page("r-1", view(built_runs.records(make()))), encoding="utf-8")
    context = browser.new_context(color_scheme="dark", offline=True, viewport={"width": 680, "height": 1000})
    page = context.new_page()
    page.emulate_media(media="print")
    page.goto(file.as_uri())
    beyond, cut, smallest = page.evaluate(_BEYOND)
    assert (beyond, cut) == (0, [])
    assert smallest >= 10
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    context.close()
