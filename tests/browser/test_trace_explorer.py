"""Trace explorer in a real Chromium: lanes, keyboard, replay, Back, deep links, drawer, accessibility, requests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages._shared.components.keys.keys import LIST
from tests.browser.conftest import PATIENT, TURN, Tabs, copied, turn, violations, violations_in_both_themes
from tests.browser.serving import ROOT, calm, executable, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

pytestmark = pytest.mark.browser

SEED = """
import sys
from dataclasses import replace
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import RunStarted
from adaq_core.model import Budget, Settings
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.store import open_store
from tests.asking import execute
from tests.pages import built_runs
from tests.pages.test_trace_explorer import kept, stored

first, *rest = built_runs.events(built_runs.failed())
kept([replace(first, corpus=replace(first.corpus, name="gone")), *rest], run_id="r-gone")
index, question = CorpusLibrary().open("sample"), "Top risks facing Tesla in 2025"
own = {"settings": Settings(use_dense=False), "budget": Budget()}
open_store().begin(RunStarted(question, "adaptive", index.card, **own), "r-asked")
for event in execute("adaptive", question, retriever=DocumentRetriever(index), **own):
    open_store().append("r-asked", event, wait=False)
open_store().flush("r-asked")
for run_id, story in (
    ("r-huge", built_runs.huge()), ("r-0long", built_runs.long()), ("r-failed", built_runs.failed()),
    ("r-partial", built_runs.partial()), ("r-whole", built_runs.finished()),
):
    stored(story, run_id=run_id)
open_store().close()
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, indexed_home: Path, tabs: Tabs) -> Iterator[str]:
    """The address of the app over a store with built runs."""
    executable()
    home = copied(indexed_home, tmp_path_factory.mktemp("trace"))
    env = {**os.environ, "ADAQ_HOME": str(home), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", SEED], cwd=ROOT, env=env, check=True, timeout=600)
    with serve(home) as address:
        yield f"{address}/trace_explorer"
        tabs.close(address)


Opener = Callable[..., "Page"]


@pytest.fixture
def opened(tabs: Tabs, base: str) -> Iterator[Opener]:
    """Opens the page with a query; afterwards no console error and no outside request may have been seen.

    A page that is open is led there as a link of the app leads, unless it is to be loaded anew.
    """
    with tabs.watched(base.removesuffix("/trace_explorer"), motion="no-preference", stays=True) as page:

        def opener(query: str = "", *, anew: bool = False, **media: Any) -> Page:
            page.emulate_media(**media)
            if anew or not page.url.startswith(base):
                page.goto(base + query)
            else:
                turn(page, f"/trace_explorer{query}")
            return page

        yield opener


def card(page: Page, number: int) -> Any:
    return page.get_by_role("button", name=re.compile(rf"^Hop {number},"))


def detail(page: Page) -> Any:
    return page.locator(".st-key-trace_detail")


def url_ends(page: Page, pattern: str) -> None:
    page.wait_for_url(re.compile(pattern + "$"))


def expect_detail(page: Page, text: str) -> None:
    from playwright.sync_api import expect

    expect(detail(page)).to_contain_text(text)


def expect_pressed(page: Page, number: int) -> None:
    from playwright.sync_api import expect

    expect(card(page, number)).to_have_attribute("aria-pressed", "true")


def test_a_click_on_a_hop_shows_it_and_back_undoes_it(opened: Opener) -> None:
    page = opened("?run=r-whole")
    expect_detail(page, "Hop 4 of 4")
    card(page, 2).click()
    url_ends(page, r"\?run=r-whole&hop=2")
    expect_detail(page, "Hop 2 of 4")
    card(page, 3).click()
    url_ends(page, "hop=3")
    page.go_back()
    url_ends(page, "hop=2")
    expect_detail(page, "Hop 2 of 4")
    expect_pressed(page, 2)
    page.go_back()
    url_ends(page, r"\?run=r-whole")
    expect_detail(page, "Hop 4 of 4")


def test_a_deep_link_opens_hop_tab_and_aspect(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=3&tab=decision", anew=True)
    expect_detail(page, "Considered and rejected")
    expect_pressed(page, 3)
    page = opened("?run=r-whole&aspect=4", anew=True)
    expect_detail(page, "Aspect 4 of 4")


def test_arrows_move_between_hops_and_keep_the_focus(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=1")
    expect_detail(page, "Hop 1 of 4")
    card(page, 1).focus()
    for key, hop in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 4), ("Home", 1)):
        page.keyboard.press(key)
        expect_detail(page, f"Hop {hop} of 4")
        assert focused(page) == f"hop-{hop}"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect_detail(page, "Aspect 2 of 4")
    assert focused(page) == "aspect-2"
    page.keyboard.press("ArrowUp")
    expect_detail(page, "Aspect 1 of 4")
    page.keyboard.press("ArrowUp")
    assert focused(page) == "hop-1"


def test_fast_arrows_end_where_they_were_sent(opened: Opener) -> None:
    page = opened("?run=r-0long&hop=1")
    expect_detail(page, "Hop 1 of 12")
    card(page, 1).focus()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect_detail(page, "Hop 10 of 12")
    url_ends(page, "hop=10")
    assert focused(page) == "hop-10"


def focused(page: Page) -> str:
    return str(
        page.evaluate(
            "() => { let e = document.activeElement; while (e && e.shadowRoot) e = e.shadowRoot.activeElement;"
            " return e ? e.dataset.focus : '' }"
        )
    )


def test_replay_fills_hop_by_hop_and_the_detail_goes_with_it(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=2")
    expect_detail(page, "Hop 2 of 4")
    page.get_by_role("button", name="½×").click()
    page.get_by_role("button", name="Replay", exact=True).click()
    expect_detail(page, "Hop 1 of 4")
    assert page.get_by_role("progressbar", name="Aspects covered").get_attribute("aria-valuetext") == "1 of 4"
    page.keyboard.press("Space")
    page.get_by_role("button", name="Continue").wait_for()
    url_ends(page, "hop=2")
    page.get_by_role("button", name="2×").click()
    page.get_by_role("button", name="Continue").click()
    expect_detail(page, "Hop 4 of 4")
    url_ends(page, "hop=4")
    page.get_by_role("button", name="Replay", exact=True).wait_for()
    assert page.get_by_role("progressbar", name="Aspects covered").get_attribute("aria-valuetext") == "4 of 4"


def test_replay_says_each_hop_to_a_screen_reader(opened: Opener) -> None:
    page = opened("?run=r-whole", reduced_motion="reduce")
    expect_detail(page, "Hop 4 of 4")
    page.get_by_role("button", name="½×").click()
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_text("Hop 2: 2 newly covered, 3 of 4 aspects covered").wait_for(state="attached")
    page.get_by_text("Hop 3: no new aspect, 3 of 4 aspects covered").wait_for(state="attached")
    page.goto("about:blank")  # the replay would go on


def test_a_passage_is_read_in_the_drawer_with_its_quote_marked(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=1")
    page.get_by_role("button", name="Read passage: Acme report 1.0").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_text("Acme report 1.0").wait_for()
    assert drawer.locator("mark.quote").inner_text() == "It speaks of date and price: the figure is 10 million."
    page.keyboard.press("Escape")
    drawer.wait_for(state="detached")
    card(page, 2).click()
    expect_detail(page, "Hop 2 of 4")
    assert page.get_by_role("dialog").count() == 0


def test_the_true_time_strip_places_hops_on_an_axis(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=1")
    page.get_by_role("button", name="True time").click()
    page.get_by_role("button", name=re.compile("^Hop 2: from .+, took .+")).click()
    url_ends(page, "hop=2")


def test_a_failed_hop_says_not_run_in_words(opened: Opener) -> None:
    page = opened("?run=r-failed")
    expect_detail(page, "Hop 3 of 3")
    assert card(page, 3).get_attribute("aria-label").startswith("Hop 3, failed,")
    row = page.get_by_role("row", name=re.compile("Regulatory exposure"))
    assert row.get_by_text("not run", exact=True).count() == 2  # in the hop, and what became of the aspect
    assert row.get_by_text("not found").count() == 0


def test_a_retry_beside_other_runs_that_cannot_be_done_says_so(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened("?run=r-whole")
    turn(page, "/compare_baselines?group=r-gone,r-whole")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("There is no corpus 'gone'")).to_be_visible()


def test_twelve_hops_and_fourteen_aspects_fit_without_scrolling_sideways(opened: Opener) -> None:
    page = opened("?run=r-0long")
    expect_detail(page, "Hop 12 of 12")
    widths = page.locator(".lanes .scroll").evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert widths[0] <= widths[1]
    assert page.locator(".lanes tbody tr").count() == 14
    assert page.locator(".lanes").bounding_box()["height"] < 600


def test_j_and_k_walk_through_the_runs_and_the_list_opens_one(opened: Opener) -> None:
    page = opened()
    grid = page.locator(".st-key-trace_table canvas").first
    grid.wait_for()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 68, box["y"] + 52)
    url_ends(page, r"\?run=r-whole")
    expect_detail(page, "Hop 4 of 4")
    page.keyboard.press("j")
    url_ends(page, r"\?run=r-partial")
    expect_detail(page, "Hop 3 of 3")
    page.keyboard.press("k")
    url_ends(page, r"\?run=r-whole")
    page.go_back()
    page.go_back()
    page.go_back()
    page.get_by_text(re.compile(r"^[67] runs$")).wait_for()


def test_axe_finds_nothing_serious_in_either_theme(opened: Opener) -> None:
    page = opened()
    page.locator(".st-key-trace_table").wait_for()
    assert violations_in_both_themes(page) == []
    everything, one_box = "", ".st-key-trace_detail"
    for query, shown, within in (
        ("run=r-whole&hop=4", "Hop 4 of 4", everything),
        ("run=r-whole&hop=3&tab=decision", "Considered and rejected", one_box),
        ("run=r-whole&hop=3&tab=timing", "Hop 3 of 4", one_box),
        ("run=r-whole&aspect=4", "Aspect 4 of 4", one_box),
        ("run=r-failed", "Hop 3 of 3", everything),
        ("run=r-0long", "Hop 12 of 12", ".st-key-trace_lanes"),
        ("run=nope", "nope", everything),
    ):
        turn(page, f"/trace_explorer?{query}")
        page.get_by_text(shown).first.wait_for()
        assert (query, violations_in_both_themes(page, within=within)) == (query, [])
    turn(page, "/trace_explorer?run=r-whole&hop=4")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Whole run").wait_for()
    assert violations_in_both_themes(page) == []


def press_until(page: Page, key: str, seen: Any) -> None:
    """Press a key until what it leads to is there: the script of the page may not be loaded at the first press.

    A press that the server has not answered yet is no reason for another one: that would open a dialog again.
    """
    for _ in range(40):
        page.keyboard.press(key)
        for _ in range(5):
            page.wait_for_timeout(100)
            if seen():
                calm(page, timeout=PATIENT)
                return
        calm(page, timeout=PATIENT)
    pytest.fail(f"the key {key} led nowhere")


def test_no_heading_is_a_link_to_itself(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened("?run=r-whole")
    page.get_by_text("Story", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("^Hop 4"))).to_be_visible()
    expect(page.get_by_test_id("stHeaderActionElements")).to_have_count(0)


def test_keys_lead_to_the_search_to_the_comparison_and_to_their_own_list(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened()
    box = page.get_by_role("searchbox").or_(page.locator("input[type=search]")).first
    expect(box).to_be_visible()
    press_until(page, "/", lambda: box.evaluate("(it) => it === document.activeElement"))
    page.keyboard.type("?c/")
    expect(box).to_have_value("?c/")
    page = opened("?run=r-whole")
    expect_detail(page, "Hop 4 of 4")
    dialog = page.get_by_role("dialog")
    press_until(page, "?", dialog.is_visible)
    expect(dialog).to_contain_text("compare this run")
    page.keyboard.press("Escape")  # the server does not hear of this: it takes back nothing that the next key does
    page.keyboard.press("c")
    page.wait_for_url("**/compare_baselines?group=r-whole")


def test_the_detail_stands_beside_the_lanes_where_there_is_room_and_below_them_elsewhere(opened: Opener) -> None:
    tops = {}
    for width in (1280, 1920):
        page = opened("?run=r-whole")
        page.set_viewport_size({"width": width, "height": 720})
        expect_detail(page, "Hop 4 of 4")
        # The lanes are drawn after the detail is there, and push it down.
        card(page, 4).wait_for()
        calm(page, timeout=PATIENT)
        boxes = [page.locator(f".st-key-{key}").bounding_box() for key in ("trace_lanes", "trace_detail")]
        assert all(boxes)
        tops[width] = [round(box["y"]) for box in boxes if box]
    assert tops[1920][0] == pytest.approx(tops[1920][1], abs=24)
    assert tops[1280][1] - tops[1280][0] > 200
    assert tops[1280][1] < 640


def test_a_replay_hides_the_ending_until_it_is_there(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened("?run=r-whole")
    head = page.locator(".st-key-trace_head")
    expect(head).to_contain_text("All 4 aspects are covered")
    clicked = """button => {
        button.click()
        const parts = document.querySelectorAll(":is(.st-key-verdict_trace, .st-key-trace_detail) p")
        return [...parts].map((part) => getComputedStyle(part).visibility)
    }"""
    seen = page.get_by_role("button", name="Replay").evaluate(clicked)
    assert set(seen) == {"hidden"}
    assert len(seen) > 2
    expect(head).to_contain_text("0 of 4 aspects covered so far")
    expect(page.locator(".st-key-verdict_trace")).to_be_visible()
    assert "All 4" not in head.inner_text()
    expect(head).to_contain_text("All 4 aspects are covered")
    page.goto("about:blank")  # the hop of the replay would stay chosen


_LOOKS = 100


def wait_until_seen(page: Page, hop: Any) -> bool:
    """Whether the card of a hop comes into view: the lanes take up a new width, and bring it back, a moment later."""
    for _ in range(_LOOKS):
        boxes = [each.bounding_box() for each in (page.locator(".lanes .scroll"), hop)]
        lanes, card_of = [box for box in boxes if box]
        if lanes["x"] <= card_of["x"] and card_of["x"] + card_of["width"] <= lanes["x"] + lanes["width"] + 1:
            return True
        page.wait_for_timeout(100)
    return False


@pytest.mark.parametrize("width", [900, 1024, 1280])
def test_what_can_be_done_with_a_run_stands_in_one_line(opened: Opener, width: int) -> None:
    page = opened("?run=r-whole")
    page.set_viewport_size({"width": width, "height": 720})
    expect_detail(page, "Hop 4 of 4")
    calm(page, timeout=PATIENT)
    tops = [page.get_by_role("button", name=name).first.bounding_box() for name in ("All runs", "Delete")]
    assert tops[0]
    assert tops[1]
    assert tops[0]["y"] == pytest.approx(tops[1]["y"], abs=6)


def test_the_chosen_hop_comes_into_view_after_every_change_of_width(opened: Opener) -> None:
    page = opened("?run=r-huge&hop=33")
    expect_detail(page, "Hop 33 of 50")
    card(page, 33).wait_for()
    for width in (1920, 1440, 1024, 1920, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        calm(page, timeout=PATIENT)
        assert (width, wait_until_seen(page, card(page, 33))) == (width, True)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (1920, 1080)])
def test_fifty_hops_by_thirty_aspects_show_the_chosen_hop_and_its_detail_at_once(
    opened: Opener, width: int, height: int
) -> None:
    page = opened("?run=r-huge&hop=33", anew=True)
    page.set_viewport_size({"width": width, "height": height})
    expect_detail(page, "Hop 33 of 50")
    chosen = card(page, 33)
    chosen.wait_for()
    calm(page, timeout=PATIENT)
    assert wait_until_seen(page, chosen)
    boxes = [each.bounding_box() for each in (page.locator(".lanes .scroll"), detail(page))]
    lanes, below = [box for box in boxes if box]
    assert below["y"] < height - 90
    if width >= 1440:
        assert below["x"] >= lanes["x"] + lanes["width"]


@pytest.mark.parametrize("run", ["r-whole", "r-partial", "r-failed"])
def test_the_drawer_of_a_low_window_covers_no_lane(opened: Opener, run: str) -> None:
    page = opened(f"?run={run}")
    card(page, 3).wait_for()
    calm(page, timeout=PATIENT)
    lanes, drawer = page.locator(".lanes .scroll").bounding_box(), page.locator(".st-key-trace_detail").bounding_box()
    assert lanes
    assert drawer
    assert lanes["y"] + lanes["height"] <= drawer["y"] <= 620


def test_in_a_window_too_low_for_the_lanes_the_drawer_shows_its_heading_only(opened: Opener) -> None:
    page = opened("?run=r-whole")
    page.set_viewport_size({"width": 900, "height": 480})
    card(page, 3).wait_for()
    calm(page, timeout=PATIENT)
    drawer = page.locator(".st-key-trace_split > :has(> .st-key-trace_detail)").bounding_box()
    assert drawer
    assert 420 <= drawer["y"] <= 440


def test_another_theme_draws_anew_what_the_server_colours(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened("?run=r-whole", color_scheme="light")
    expect_detail(page, "Hop 4 of 4")
    drawer = page.locator(".st-key-trace_split > :has(> .st-key-trace_detail)")
    expect(drawer).to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    expect(drawer).to_have_css("background-color", "rgb(15, 23, 42)")


def test_half_a_screen_holds_all_hops_and_where_lanes_scroll_sideways_cards_keep_off_the_names(opened: Opener) -> None:
    page = opened("?run=r-whole&hop=4")
    page.set_viewport_size({"width": 800, "height": 720})
    assert wait_until_seen(page, card(page, 4))
    assert page.locator(".lanes .scroll").evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth).length"
    assert page.locator(".lanes .top span").evaluate_all(cut) == 0
    page.set_viewport_size({"width": 620, "height": 720})
    assert wait_until_seen(page, card(page, 4))
    assert page.locator(".lanes .scroll").evaluate("e => e.scrollLeft") > 0
    look = """(corner) => {
        const { right, top } = corner.getBoundingClientRect()
        return corner.getRootNode().elementFromPoint(right - 9, top + 40) === corner
    }"""
    assert page.locator("td.corner").evaluate(look)


def test_on_a_phone_the_names_stand_above_their_lanes(opened: Opener) -> None:
    page = opened("?run=r-whole")
    page.set_viewport_size({"width": 390, "height": 844})
    expect_detail(page, "Hop 4 of 4")
    name = page.locator(".lanes .name").first.bounding_box()
    chip = page.locator(".lanes tbody .chip.new").first.bounding_box()
    assert name
    assert chip
    glow = 4
    assert name["y"] + name["height"] <= chip["y"] - glow + 1
    assert name["width"] > 250
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def test_a_run_branches_in_a_drawer_and_the_new_run_leads_back(opened: Opener) -> None:
    page = opened("?run=r-asked&hop=1")
    page.get_by_role("button", name="Branch from here").click()
    page.get_by_label("What the next hop asks").fill("Tesla recalls of vehicles")
    assert violations(page) == []
    page.get_by_role("button", name="Continue from hop 1").click()
    page.get_by_text("Branched after hop 1: asked").wait_for()
    page.get_by_role("button", name=re.compile("^History: 2")).wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="from r-asked").click()
    url_ends(page, "run=r-asked")


def test_a_dialog_stays_open_with_what_was_typed_when_the_theme_changes(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened("?run=r-whole&hop=1")
    page.get_by_role("button", name="Branch from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What the next hop asks").fill("supply risks of Toyota")
    logo = page.get_by_test_id("stHeaderLogo")
    light = logo.get_attribute("src")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    page.wait_for_timeout(1000)
    expect(dialog.get_by_label("What the next hop asks")).to_have_value("supply risks of Toyota")
    expect(dialog.get_by_role("button", name="Continue from hop 1")).to_have_css("color", "rgb(15, 23, 42)")
    assert logo.get_attribute("src") == light
    dialog.get_by_role("button", name="Close").click()
    expect(logo).not_to_have_attribute("src", light or "")


def test_a_note_on_a_passage_is_kept_and_found_by_the_search_of_the_list(opened: Opener) -> None:
    page = opened("?run=r-partial&hop=1")
    page.get_by_role("button", name=re.compile("^Read passage")).first.click()
    page.get_by_role("dialog").get_by_label("Note").fill("Compare with the annual report of 1999")
    page.get_by_role("dialog").get_by_label("Note").blur()
    page.wait_for_timeout(500)
    page.goto(page.url.split("?")[0] + "?t_q=report of 1999")
    page.get_by_text(re.compile(r"^1 of \d+ runs")).wait_for()


def test_an_exported_run_that_is_taken_in_is_in_the_list_at_once(opened: Opener, tmp_path: Path) -> None:
    page = opened("?run=r-whole")
    expect_detail(page, "Hop 4 of 4")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Whole run").click()
    download.value.save_as(tmp_path / "here.jsonl")
    elsewhere = (tmp_path / "here.jsonl").read_text(encoding="utf-8").replace('"note":""', '"note":"of a friend"', 1)
    (tmp_path / "run.jsonl").write_text(elsewhere, encoding="utf-8")
    (tmp_path / "run.html").write_text("<!doctype html><title>A page</title>", encoding="utf-8")
    page = opened()
    shown = page.get_by_text(re.compile(r"^\d+ runs$"))
    before = int(shown.inner_text().split()[0])
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "run.html")
    page.get_by_role("button", name="Import the runs").click()
    page.get_by_text("This file holds a page to read and print").wait_for()
    page.get_by_role("button", name="Remove run.html").click()
    # What is chosen before the page knows of the removal is removed with it.
    page.get_by_role("button", name="Import the runs").wait_for(state="detached")
    calm(page, timeout=PATIENT)
    page.locator("input[type=file]").set_input_files(tmp_path / "run.jsonl")
    page.get_by_role("button", name="Import the runs").click()
    page.get_by_text("1 run imported.").wait_for()
    page.get_by_text(f"{before + 1} runs", exact=True).wait_for()
    page.get_by_role("button", name="Open it").click()
    expect_detail(page, "Hop 4 of 4")
    page.get_by_text("imported, read-only").wait_for()
    page.get_by_role("button", name="All runs").click()
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "here.jsonl")
    page.get_by_role("button", name="Import the runs").click()
    page.get_by_text("This run is here already, so nothing was imported.").wait_for()
    page.wait_for_url("**/trace_explorer?run=r-whole")
    expect_detail(page, "Hop 4 of 4")


def test_nothing_lies_over_compare_selected_when_two_runs_are_ticked(opened: Opener) -> None:
    page = opened()
    grid = page.locator(".st-key-trace_table canvas").first
    grid.wait_for()
    calm(page, timeout=PATIENT)
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 17, box["y"] + 52)
    page.get_by_text("1 selected").wait_for()
    page.mouse.click(box["x"] + 17, box["y"] + 87)
    page.get_by_text("2 selected").wait_for()
    button = page.get_by_role("button", name="Compare selected").bounding_box()
    assert button
    for x in (button["x"] + 8, button["x"] + button["width"] - 8):
        y = button["y"] + button["height"] - 4
        over = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button').innerText", [x, y])
        assert "Compare selected" in over


def test_runs_of_the_list_are_chosen_with_the_keys_that_the_list_of_keys_names(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened(anew=True)  # nothing is chosen
    grid = page.locator(".st-key-trace_table canvas").first
    grid.wait_for()
    calm(page, timeout=PATIENT)
    grid.focus()
    keys = next(each for each in LIST["Table of runs, documents or passages"] if "Shift" in each)
    press_until(page, keys.replace(" ", ""), page.get_by_text("1 selected").is_visible)
    button = page.get_by_test_id("stBaseButton-secondary")
    page.get_by_role("button", name="Open", exact=True).and_(button).press("Enter")
    page.wait_for_url("**run=*")
    expect(page.get_by_text("Story", exact=True)).to_be_visible()


def test_enter_on_a_button_of_the_table_of_runs_opens_the_run_of_its_row(opened: Opener) -> None:
    page = opened(anew=True)
    grid = page.locator(".st-key-trace_table canvas").first
    grid.wait_for()
    calm(page, timeout=PATIENT)
    grid.focus()
    page.keyboard.press("ArrowDown")
    chosen = page.locator("td[id^=glide-cell-1-][aria-selected=true]")
    chosen.wait_for(state="attached")
    question = page.locator(f"#{chosen.get_attribute('id')} + td").text_content()
    press_until(page, "Enter", lambda: "run=" in page.url)
    page.get_by_role("heading", name=question).wait_for()


def wait_for_address(page: Page, held: list[tuple[WebSocketRoute, str | bytes]]) -> None:
    """Wait until one of the server's words that are held back sets the address."""
    for _ in range(_LOOKS):
        said = [ForwardMsg.FromString(word) for _, word in held if isinstance(word, bytes)]
        if any(word.WhichOneof("type") == "page_info_changed" for word in said):
            return
        page.wait_for_timeout(100)
    pytest.fail("the server set no address")


def test_a_choice_is_one_in_the_run_that_is_shown_whatever_the_address_names_by_then(
    browser: Browser, base: str
) -> None:
    """Back, pressed before the server has answered a press on a tab, is followed by the address that it answers."""
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    holding = False

    def pass_on(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(server.send)
        server.on_message(lambda said: held.append((line, said)) if holding else line.send(said))

    page = browser.new_page()
    page.route_web_socket(re.compile("/_stcore/stream"), pass_on)
    page.goto(f"{base}?run=r-whole")
    expect_detail(page, "Hop 4 of 4")
    calm(page, timeout=PATIENT)
    holding = True
    page.get_by_role("tab", name="Passages").click()
    wait_for_address(page, held)
    page.evaluate(TURN, f"{base}?run=r-0long&hop=2")
    holding = False
    for line, said in held:
        line.send(said)
    expect_detail(page, "Hop 2 of 12")
    url_ends(page, r"\?run=r-whole&tab=passages")
    card(page, 3).click()
    url_ends(page, r"\?run=r-0long&hop=3.*")
    expect_detail(page, "Hop 3 of 12")
    page.close()


def test_all_outcomes_stand_in_one_line_beside_the_search_and_none_is_cut_in_a_narrow_window(opened: Opener) -> None:
    from playwright.sync_api import expect

    page = opened()
    outcomes = page.locator(".st-key-t_outcome button")
    expect(outcomes).to_have_count(9)
    calm(page, timeout=PATIENT)
    search = page.get_by_placeholder("Question, id, note or tag").bounding_box()
    tops = {round(outcomes.nth(n).bounding_box()["y"]) for n in range(9)}
    assert search
    assert len(tops) == 1
    assert search["y"] - 10 < tops.pop() < search["y"] + search["height"]
    page.set_viewport_size({"width": 700, "height": 800})
    within = page.locator(".st-key-t_outcome").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert within
    ends = [outcomes.nth(n).bounding_box() for n in range(9)]
    assert all(end and end["x"] + end["width"] <= 700 for end in ends)


# A name is cut that is higher without a limit on its lines.
_CUT = """(names) => names.filter((one) => {
  const height = one.offsetHeight
  one.style.webkitLineClamp = "none"
  const whole = one.offsetHeight
  one.style.webkitLineClamp = ""
  return whole > height
}).map((one) => one.textContent)"""


def test_no_name_of_an_aspect_is_cut_in_its_lane(opened: Opener) -> None:
    for run in ("r-whole", "r-0long"):
        page = opened(f"?run={run}")
        for width in (1280, 900):
            page.set_viewport_size({"width": width, "height": 720})
            calm(page, timeout=PATIENT)
            assert page.locator(".lanes .name").evaluate_all(_CUT) == [], (run, width)
