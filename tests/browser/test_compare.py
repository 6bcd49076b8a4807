"""Compare baselines in a real browser: from a run, through the matrix to the evidence; the address keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SLOW, Tabs, lead, turn, violations_in_both_themes, watch_together
from tests.browser.test_ask import answered

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(staying: Page) -> Page:
    return staying


def compared(page: Page) -> None:
    answered(page, "Compare transformers and RNNs for NLP")
    page.get_by_role("button", name="Compare with baselines").click()
    watch_together(page, "c_add_run", "compare_new")
    page.get_by_role("button", name="Run 2 methods").click()
    expect(page.get_by_text("Same conditions for all")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("Evidence: who found what")).to_be_visible(timeout=SLOW)
    assert page.evaluate("window.together") == 0


@pytest.fixture(scope="module")
def comparison(tabs: Tabs, served: str) -> str:
    """The address of a comparison that was made on the pages."""
    with tabs.watched(served, stays=True) as page:
        compared(page)
        return page.url


def test_a_run_is_compared_and_a_cell_leads_to_the_evidence(page: Page, comparison: str) -> None:
    """The comparison itself is made on the pages, from a run (`compared`)."""
    assert "group=r-" in comparison
    lead(page, comparison)
    expect(page.get_by_test_id("stMetric")).to_have_count(3)
    page.get_by_role("button", name="Show the evidence.").first.click()
    expect(page.get_by_role("dialog").get_by_text("What each method has")).to_be_visible()
    assert "aspect=" in page.url
    page.reload()
    expect(page.get_by_role("dialog").get_by_text("What each method has")).to_be_visible()


def test_the_cells_are_one_stop_and_the_drawer_gives_the_focus_back(page: Page, comparison: str) -> None:
    lead(page, comparison)
    cells = page.get_by_role("button", name="Show the evidence.")
    expect(cells.first).to_have_attribute("tabindex", "0")
    expect(cells.nth(1)).to_have_attribute("tabindex", "-1")
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_text("What each method has")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cells.nth(1)).to_be_focused()


def test_the_address_keeps_reference_differences_and_axis(page: Page, comparison: str) -> None:
    lead(page, comparison)
    page.get_by_text("Only differences").click()
    page.get_by_role("radio", name="Passages read").or_(page.get_by_role("button", name="Passages read")).click()
    page.wait_for_url("**c_x=*")
    assert "c_diff=true" in page.url
    page.reload()
    expect(page.locator(".js-plotly-plot").get_by_text("Passages read").first).to_be_visible()


def test_the_curves_take_the_colours_of_another_theme(page: Page, comparison: str) -> None:
    lead(page, comparison)
    line = page.locator(".js-plotly-plot").first.locator(".js-line").last
    name = page.locator(".js-plotly-plot").first.locator(".xtitle")
    expect(line).to_have_css("stroke", "rgb(29, 78, 216)")
    expect(name).to_have_css("fill", "rgb(71, 85, 105)")
    page.emulate_media(color_scheme="dark")
    expect(line).to_have_css("stroke", "rgb(96, 165, 250)")
    expect(name).to_have_css("fill", "rgb(203, 213, 225)")


def test_small_lanes_tell_their_aspects_apart_in_a_window_of_half_a_screen(page: Page, comparison: str) -> None:
    """Three rows said "Definition of…"."""
    lead(page, comparison)
    page.set_viewport_size({"width": 900, "height": 720})
    names = page.locator(".lanes.thumbnail .name")
    expect(names.first).to_be_visible()
    cut = "(names) => names.filter((one) => one.scrollHeight > 1.3 * one.clientHeight).map((one) => one.textContent)"
    assert names.count() == 9
    first = page.locator("table .first").first  # of few methods: the aspect has more room than what became of it
    assert first.evaluate("e => e.offsetWidth > 1.5 * e.nextElementSibling.offsetWidth")
    assert [name for name in names.evaluate_all(cut) if name.startswith("Definition of")] == []


def test_every_column_leads_to_its_trace(page: Page, comparison: str) -> None:
    lead(page, comparison)
    page.get_by_role("link", name="Open trace").nth(1).click()
    page.wait_for_url("**/trace_explorer?run=r-*")


def test_no_serious_accessibility_finding(page: Page, comparison: str) -> None:
    lead(page, "/compare_baselines")
    expect(page.get_by_role("button", name="Run 3 methods")).to_be_visible()
    assert violations_in_both_themes(page) == []
    turn(page, comparison)
    expect(page.get_by_text("Evidence: who found what")).to_be_visible(timeout=SLOW)
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Add methods").click()
    for method in ("Multi-query", "CRAG", "Self-RAG", "SEAL-RAG"):  # those that need no vectors
        page.get_by_role("button", name=method, exact=True).last.click()
    page.get_by_role("button", name="Run 4 methods").click()
    expect(page.get_by_role("button", name="SEAL-RAG", exact=True)).to_be_visible()
    expect(page.get_by_text("still running")).to_have_count(0, timeout=SLOW)
    expect(page.get_by_test_id("stMetric")).to_have_count(0)
    assert violations_in_both_themes(page) == []
