"""A run as a file, opened from a disk in a real browser: lanes that answer, no request, no error; it prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from adaq_core.export.page import run_page
from adaq_core.model import AnswerTable, Statement, TableRow
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


# The letters that break a line inside of a word, and how far the page is wider than its window.
_BROKEN = """() => {
    const words = [...document.querySelectorAll(".answer th")].flatMap((cell) => {
        const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()
        return text ? [...text.data.matchAll(/\\S+/g)].map((word) => [text, word]) : []
    })
    const lines = ([text, word]) => {
        const range = document.createRange()
        range.setStart(text, word.index)
        range.setEnd(text, word.index + word[0].length)
        return range.getClientRects().length
    }
    const page = document.documentElement
    return [words.filter((word) => lines(word) > 1).map(([, word]) => word[0]), page.scrollWidth - page.clientWidth]
}"""


@pytest.mark.parametrize("width", [1280, 400])
def test_no_word_of_a_comparison_is_broken_and_a_narrow_window_scrolls_its_table_alone(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    run = view(built_runs.records(built_runs.finished()))
    assert run.answer
    cells = tuple((n,) for n in range(3))
    said = tuple(Statement(f"What is told of this thing is long enough for {n} lines. " * 4, "") for n in range(3))
    table = AnswerTable(("Boeing", "Pfizer", "JPMorgan Chase"), (TableRow("Legal risks", cells),))
    run.answer = replace(run.answer, statements=said, table=table)
    file = tmp_path / "r-1.html"
    file.write_text(run_page("r-1", run), encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": width, "height": 720})
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.evaluate(_BROKEN) == [[], 0]
    assert violations(page) == []
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
