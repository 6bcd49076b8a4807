"""Evaluation in a real browser: an experiment from the empty page to the trace behind one of its numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SLOW, lead, turn, violations_in_both_themes

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(staying: Page) -> Page:
    return staying


VIEWS = ("Leaderboard", "Questions", "Slices", "Hop by hop", "Sufficiency")


def finished(page: Page) -> None:
    """The smoke experiment, run when nobody has yet, on its own page."""
    lead(page, "/evaluation")
    expect(page.get_by_text("On this computer")).to_be_visible()
    smoke = page.get_by_role("button", name="Try it with 10 questions")
    made = page.get_by_role("button", name="general", exact=True)
    expect(smoke.or_(made.first)).to_be_visible()
    (smoke if smoke.is_visible() else made.first).click()
    expect(page.get_by_role("button", name="All experiments")).to_be_visible()
    expect(page.get_by_text("finished", exact=True)).to_have_count(1, timeout=SLOW)


def test_the_smoke_set_runs_and_a_number_leads_to_its_traces(page: Page) -> None:
    lead(page, "/evaluation")
    expect(page.get_by_text("No experiment yet")).to_be_visible()
    page.get_by_role("button", name="Try it with 10 questions").click()
    expect(page.get_by_text("You can leave this page; it continues.")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("finished", exact=True)).to_have_count(1, timeout=SLOW)
    expect(page.get_by_role("columnheader", name="Judged against the question set")).to_be_visible()
    for measures, known in (("Answers", "Unanswerable recognised"), ("Overview", "Passages read")):
        page.get_by_role("radio", name=measures, exact=True).click()
        expect(page.get_by_role("columnheader", name=known)).to_be_visible()
        table = page.get_by_role("table").first
        within, whole = table.evaluate("(table) => [table.parentElement.clientWidth, table.offsetWidth]")
        assert whole <= within, f"{measures} is whole at 1280 pixels"
    number = page.get_by_role("button", name=re.compile(r"^ADAQ, Recall@5 .*Show the runs\.$"))
    number.focus()
    number.press("Enter")
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("10 runs, the worst first")
    assert "e_of=m" in page.url
    drawer.get_by_role("link").first.click()
    page.wait_for_url("**/trace_explorer?run=r-*")


def test_the_address_keeps_view_and_drawer(page: Page) -> None:
    finished(page)
    page.get_by_role("radio", name="Slices").or_(page.get_by_role("button", name="Slices", exact=True)).click()
    page.wait_for_url("**e_view=Slices*")
    page.reload()
    expect(page.get_by_role("columnheader", name="Questions", exact=True)).to_be_visible()
    page.get_by_role("button", name=re.compile(r"^ADAQ, comparison: ")).click()
    expect(page.get_by_role("dialog")).to_contain_text(", comparison")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("e_of"))


def test_a_bubble_of_the_scatter_plot_shows_its_questions(page: Page) -> None:
    finished(page)
    page.get_by_role("radio", name="Questions").or_(page.get_by_role("button", name="Questions", exact=True)).click()
    expect(page.get_by_text("A bubble holds the questions")).to_be_visible()
    page.locator(".js-plotly-plot .scatterlayer .trace .point").last.click(force=True)
    expect(page.get_by_text("in the bubble you clicked")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(r"^(timeline)?\s*ADAQ \d")).first).to_be_visible()


def test_a_chart_takes_the_colours_of_another_theme(page: Page) -> None:
    finished(page)
    turn(page, f"{page.url.split('&')[0]}&e_view=Sufficiency")
    line = page.locator(".js-plotly-plot .js-line").last
    expect(line).to_have_css("stroke", "rgb(29, 78, 216)")
    page.emulate_media(color_scheme="dark")
    expect(line).to_have_css("stroke", "rgb(96, 165, 250)")


def test_on_a_phone_the_heads_of_the_sufficiency_table_stay_in_one_line(page: Page) -> None:
    finished(page)
    turn(page, f"{page.url.split('&')[0]}&e_view=Sufficiency")
    page.set_viewport_size({"width": 400, "height": 720})
    heads = page.get_by_role("columnheader", name=re.compile(r"^\d+–\d+%$"))
    expect(heads).to_have_count(10)
    assert max(box["height"] for head in heads.all() if (box := head.bounding_box())) < 40


def test_no_serious_accessibility_finding(page: Page) -> None:
    finished(page)
    address = page.url
    for view in VIEWS:
        turn(page, f"{address}&e_view={view.replace(' ', '+')}")
        expect(page.get_by_text("On this computer")).to_be_visible()
        assert violations_in_both_themes(page) == [], view
    turn(page, "/evaluation")
    page.get_by_text("New experiment").click()
    expect(page.get_by_text("Question set", exact=True)).to_be_visible()
    assert violations_in_both_themes(page) == []
