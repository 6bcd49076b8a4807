"""Corpus in a real browser: upload with a broken file, a folder, a search, and deletion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SLOW, lead, turn, violations_in_both_themes
from tests.browser.serving import calm

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(staying: Page) -> Page:
    return staying


def _dismiss(page: Page) -> None:
    """Put away what became of the upload. A page that is led on before that is done stays where it was."""
    page.get_by_role("button", name="Dismiss").click(timeout=SLOW)
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(0)


def test_files_go_in_broken_ones_are_named_and_the_corpus_can_be_deleted(page: Page, tmp_path: Path) -> None:
    good, same, broken = tmp_path / "good.txt", tmp_path / "same.txt", tmp_path / "broken.pdf"
    good.write_text("The pump of plant four was replaced in March.", encoding="utf-8")
    same.write_text("The pump of plant four was replaced in March.", encoding="utf-8")
    broken.write_bytes(b"no pdf at all")
    lead(page, "/corpus?view=Add+documents")
    page.locator("input[type=file]").set_input_files([good, same, broken])
    page.get_by_role("button", name="Add 3 files").click()
    expect(page.get_by_text("2 documents added, 1 file could not be read")).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("1 exact (searched once)")).to_be_visible()
    page.get_by_role("button", name="Ask a question").click()
    expect(page.get_by_text("What do you want to find out?")).to_be_visible()
    expect(page.get_by_text("2 documents, 1 passage")).to_be_visible()
    turn(page, "/corpus")
    page.get_by_role("button", name="See its documents").click()
    expect(page.get_by_text("2 documents · 1 passage")).to_be_visible()
    _dismiss(page)
    turn(page, "/corpus?corpus=my-documents&view=Delete")
    page.get_by_role("button", name="Delete this corpus").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("bundled, cannot be changed")).to_be_visible()


def test_a_folder_of_this_computer_is_added(page: Page, tmp_path: Path) -> None:
    days = "\n\n".join(f"On day {day} the harbour of Ystad was closed. " * 12 for day in range(1, 31))
    (tmp_path / "notes.md").write_text(f"# Notes\n\n{days}", encoding="utf-8")
    lead(page, "/corpus?view=Add+documents")
    path = page.get_by_label("Path of the folder", exact=True)
    path.fill(str(tmp_path / "nothing"))
    path.press("Enter")
    expect(page.get_by_text("There is no folder at this path")).to_be_visible()
    path.fill(str(tmp_path))
    path.press("Enter")
    page.get_by_role("button", name="Add folder").click()
    expect(page.get_by_text("1 document added")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="See its documents").click()
    expect(page.get_by_text("Highlighted: words that the previous passage contains too.")).to_be_visible()
    calm(page, timeout=SLOW)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    page.get_by_text("Passage 5").scroll_into_view_if_needed()
    expect(page.get_by_text("1 of 1 document")).to_be_in_viewport()
    _dismiss(page)
    turn(page, "/corpus?corpus=my-documents&view=Delete")
    page.get_by_role("button", name="Delete this corpus").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("bundled, cannot be changed")).to_be_visible()


def test_a_card_put_right_is_said_to_be_saved_and_is_there_after_a_reload(page: Page, tmp_path: Path) -> None:
    report = tmp_path / "Acme 10-Q 2024Q3.txt"
    report.write_text("Acme Corporation. Quarterly report for the quarter ended September 30, 2024.", encoding="utf-8")
    lead(page, "/corpus?view=Add+documents")
    page.locator("input[type=file]").set_input_files([report])
    page.get_by_role("button", name="Add 1 file").click()
    _dismiss(page)
    turn(page, "/corpus?corpus=my-documents")
    page.get_by_text("Correct the details of this file").click()
    calm(page, timeout=SLOW)  # the table tells its first row as chosen, and the page is drawn once more
    page.get_by_label("Ticker").fill("ACME")
    page.get_by_label("Ticker").press("Tab")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: Ticker symbol.")).to_be_visible()
    expect(page.get_by_text("Ticker symbol: ACME")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    page.goto("/corpus?corpus=my-documents")
    expect(page.get_by_text("Ticker symbol: ACME")).to_be_visible()


def test_the_first_field_of_a_card_is_said_to_be_saved_too(page: Page, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("The pump moves 40 litres a minute.", encoding="utf-8")
    lead(page, "/corpus?view=Add+documents")
    page.locator("input[type=file]").set_input_files([notes])
    page.get_by_role("button", name="Add 1 file").click()
    _dismiss(page)
    turn(page, "/corpus?corpus=my-documents")
    page.get_by_placeholder("Find documents by title").fill("notes")
    page.get_by_placeholder("Find documents by title").press("Enter")
    expect(page.get_by_text("1 of 2 documents").or_(page.get_by_text("1 of 1 document"))).to_be_visible()
    calm(page, timeout=SLOW)
    page.get_by_text("Correct the details of this file").click()
    calm(page, timeout=SLOW)
    page.get_by_label("Company", exact=True).fill("Pump Works")
    page.get_by_label("Company", exact=True).press("Tab")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: Company.")).to_be_visible()
    page.wait_for_timeout(1000)
    expect(page.get_by_text("Saved: Company.")).to_be_visible()
    turn(page, "/corpus?corpus=my-documents&view=Delete")
    page.get_by_role("button", name="Delete this corpus").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("bundled, cannot be changed")).to_be_visible()


def test_a_search_is_tried_and_a_passage_read(page: Page) -> None:
    lead(page, "/corpus?view=Try+a+search")
    query = page.get_by_label("Query")
    query.fill("supply chain risk of Apple")
    query.press("Enter")
    expect(page.get_by_text("10 passages by words")).to_be_visible()
    page.get_by_role("button", name="Read").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("supply chain")


def test_no_serious_accessibility_finding(page: Page) -> None:
    lead(page, "/corpus")
    expect(page.get_by_text("On this computer ·")).to_be_visible()
    for view in ("Documents", "Try+a+search&try_query=Apple", "Add+documents"):
        turn(page, f"/corpus?view={view}")
        expect(page.get_by_text("On this computer ·")).to_be_visible()
        assert (view, violations_in_both_themes(page)) == (view, [])
