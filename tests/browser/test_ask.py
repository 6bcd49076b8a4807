"""Ask in a real browser: question, aspects, run, answer, citation, reload, keyboard, both themes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from playwright.sync_api import expect

from tests.browser.conftest import SLOW, Tabs, violations_in_both_themes, watch_together

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Counts the frames in which nothing of the page is to be seen, and those after the lanes in which they are gone and no
# sentence of the answer is there; and the milliseconds from the first frame with the lanes to the last one, by the
# clock of the page: that of the test is late by as much as the machine is busy.
WATCH = """() => {
  window.blank = 0
  window.between = 0
  window.followed = 0
  const roots = () => [...document.querySelectorAll("[data-testid=stMain] *")].map((one) => one.shadowRoot)
  const seen = (css) => roots().some((root) => [...(root?.querySelectorAll(css) ?? [])].some((one) => one.offsetHeight))
  let lanes = null
  const look = (now) => {
    const main = document.querySelector("[data-testid=stMainBlockContainer]")
    if (!main || main.innerText.trim().length < 20) window.blank += 1
    const shown = seen(".lanes")
    if (shown) lanes ??= now
    if (shown) window.followed = now - lanes
    if (lanes !== null && !shown && !seen("li")) window.between += 1
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}"""
QUESTION = "self-attention vs multi-head attention"


def ask(page: Page, question: str) -> None:
    page.goto("/")
    box = page.get_by_placeholder("Ask a question with several parts")
    box.fill(question)
    box.press("Enter")
    expect(page.get_by_role("button", name="Start with")).to_be_visible()
    expect(box).to_be_hidden()


def answered(page: Page, question: str) -> None:
    ask(page, question)
    page.get_by_role("button", name="Start with").click()
    expect(page.get_by_text("Stopped", exact=False).first).to_be_visible(timeout=SLOW)


def test_a_sample_question_becomes_aspects_and_then_a_cited_answer(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name=QUESTION).click()
    expect(page.get_by_role("textbox", name="Aspect 2")).to_have_value("Definition of multi-head attention")
    page.get_by_role("button", name="Start with 3 aspects").click()
    expect(page.get_by_text("Sources", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.get_by_text("ADAQ sample corpus")).to_have_count(1)
    assert "run=r-" in page.url
    assert "q=" not in page.url


def test_the_hops_are_seen_before_the_answer_and_nothing_is_blank_between(tabs: Tabs, served: str) -> None:
    with tabs.watched(served, motion="no-preference") as page:
        ask(page, QUESTION)
        page.evaluate(WATCH)
        watch_together(page, "ask_settings", "ask_live_bar")
        page.get_by_role("button", name="Start with").click()
        expect(page.get_by_role("button", name="Hop 1")).to_be_visible(timeout=SLOW)
        expect(page.get_by_text("Was this answer useful?")).to_be_visible(timeout=SLOW)
        assert page.evaluate("window.followed") > 2400
        assert page.evaluate("[window.blank, window.between, window.together]") == [0, 0, 0]


def test_beside_an_answer_in_a_narrow_window_a_matrix_of_three_facets_is_seen_whole(page: Page) -> None:
    page.set_viewport_size({"width": 900, "height": 800})
    answered(page, "Compare the legal risks, supply chain risks and dividends of Tesla, Apple and Boeing")
    matrix = page.get_by_role("table", name="Things by facets")
    expect(matrix).to_be_visible()
    within, whole = matrix.evaluate("(table) => [table.parentElement.clientWidth, table.offsetWidth]")
    assert whole <= within


def test_a_brief_of_several_lines_leaves_room_for_its_answer(page: Page) -> None:
    brief = "Please tell me what is known of the regulatory risks, the supply chain risks and the legal risks of Boeing"
    page.goto(f"/?q={quote(brief)}")
    expect(page.get_by_role("heading", name="regulatory risks")).to_have_css("font-size", "22px")
    page.goto(f"/?q={quote(f'{brief}, {brief[7:]}')}")
    expect(page.get_by_role("heading", name="regulatory risks")).to_have_css("font-size", "17px")


def test_a_citation_opens_its_passage_at_the_quote_and_a_reload_shows_the_same_run(page: Page) -> None:
    answered(page, QUESTION)
    number = page.get_by_role("button", name="Open source 2").first
    number.press("Enter")
    drawer = page.get_by_role("dialog")
    expect(drawer.locator("mark.quote").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(number).to_be_focused()  # who reads with the keyboard goes on from there
    page.get_by_role("button", name="Share").press("Tab")
    expect(page.get_by_role("button", name="Help").first).not_to_be_focused()  # the answer comes before the verdict
    address = page.url
    page.reload()
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(page.get_by_text("Stopped", exact=False).first).to_be_visible()
    assert page.url == address


# How wide the answer is beside its page, how light its letters are (0 to 255), and whether dark grounds are kept.
_ON_PAPER = """() => {
    const answer = document.querySelector("[class*='st-key-answer_']")
    const main = document.querySelector("[data-testid=stMainBlockContainer]")
    const text = [...document.querySelectorAll("*")].map((one) => one.shadowRoot?.querySelector("li")).find(Boolean)
    const light = Math.max(...getComputedStyle(text).color.match(/\\d+/g).slice(0, 3).map(Number))
    return [answer.clientWidth / main.clientWidth > 0.85, light < 100,
            getComputedStyle(document.documentElement).printColorAdjust]
}"""


def test_an_answer_on_a_dark_page_is_printed_dark_on_white_over_the_whole_width(served: str, tabs: Tabs) -> None:
    with tabs.watched(served, theme="dark") as page:
        answered(page, QUESTION)
        page.emulate_media(media="print")
        assert page.evaluate(_ON_PAPER) == [True, True, "economy"]
        page.emulate_media(media="screen")


def test_an_answer_can_be_copied_with_its_sources_and_sent_as_a_page(page: Page) -> None:
    answered(page, QUESTION)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("code").filter(has_text="Sources:")).to_contain_text("[1] ")
    with page.expect_download() as download:
        page.get_by_role("button", name="Dossier, a page to read and print").click()
    assert download.value.suggested_filename.endswith(".html")


def test_leaving_right_after_the_start_does_not_lose_the_run(page: Page) -> None:
    ask(page, "Compare SEAL-RAG, Self-RAG and CRAG")
    page.get_by_role("button", name="Start with").click()
    page.wait_for_url("**/?run=r-*")
    address = page.url
    page.goto("/corpus")
    expect(page.get_by_role("heading", name="Corpus")).to_be_visible()
    page.goto(address)
    expect(page.get_by_text("Stopped", exact=False).first).to_be_visible(timeout=SLOW)


def test_back_leads_from_the_next_question_to_the_answer_before_it(page: Page) -> None:
    answered(page, QUESTION)
    address = page.url
    box = page.get_by_placeholder("Ask another question")
    box.fill("What is Python?")
    box.press("Enter")
    expect(page.get_by_role("button", name="Start with 1 aspect")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Stopped", exact=False).first).to_be_visible()
    assert page.url == address


def test_aspects_can_be_edited_with_the_keyboard_alone(page: Page) -> None:
    ask(page, QUESTION)
    page.get_by_placeholder("Another aspect to search for").focus()
    page.keyboard.type("cost of attention")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start with 4 aspects")).to_be_visible()
    page.get_by_role("button", name="Remove").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Start with 3 aspects")).to_be_visible()
    page.get_by_role("button", name="Start with 3 aspects").focus()
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/?run=r-*")
    expect(page.get_by_test_id("stMain")).to_be_focused()  # what was pressed is gone, and the focus with it
    assert page.evaluate(_RING) == "none"


_RING = "() => getComputedStyle(document.querySelector('[data-testid=stMain]'), '::before').boxShadow"


def test_an_aspect_in_hebrew_stands_from_the_right_in_its_field(page: Page) -> None:
    page.goto(f"/?q={quote('מה הם הסיכונים של טסלה?')}")
    field = page.get_by_role("textbox", name="Aspect 1")
    expect(field).to_have_css("unicode-bidi", "plaintext")
    expect(field).to_have_css("text-align", "start")


def test_a_slash_leads_to_the_question_from_a_switch_too(page: Page) -> None:
    page.goto("/")
    box = page.get_by_placeholder("Ask a question with several parts")
    expect(box).to_be_visible()
    page.get_by_role("switch", name="Start at once").or_(page.get_by_label("Start at once")).first.focus()
    page.wait_for_function("() => document.documentElement.dataset.theme")  # said as soon as keys are heard
    page.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("")


def test_a_question_that_the_corpus_cannot_answer_says_so(page: Page) -> None:
    answered(page, "Who won the curling championship of Zanzibar?")
    expect(page.get_by_text("Not enough evidence for an answer").first).to_be_visible()
    expect(page.get_by_text("which do not answer the question").first).to_be_visible()
    expect(page.get_by_text("Was this run useful?")).to_be_visible()


def test_a_question_of_ten_thousand_words_is_refused_with_words(page: Page) -> None:
    page.goto("/")
    box = page.get_by_placeholder("Ask a question with several parts")
    box.fill("word " * 10_000)
    box.press("Enter")
    expect(page.get_by_text("10,000 words")).to_be_visible()


def test_what_is_wrong_with_the_next_question_is_in_view_where_it_was_asked(page: Page) -> None:
    answered(page, QUESTION)
    box = page.get_by_placeholder("Ask another question")
    box.fill("word " * 10_000)
    box.press("Enter")
    expect(page.get_by_text("10,000 words")).to_be_in_viewport()


def test_hostile_text_of_a_question_stays_text(page: Page) -> None:
    text = "Is ![p](http://evil.example/p.png) <img src=x> :red[x] :tada: www.evil.example a@evil.example $a$ -> b?"
    page.goto(f"/?q={quote(text)}")
    heading = page.get_by_role("heading", name="evil.example")
    expect(heading).to_be_visible()
    assert heading.locator("img, a, .katex").count() == 0
    assert heading.inner_text().replace("\u2060", "") == text


def test_no_serious_accessibility_finding_in_any_state(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_text("Questions to try")).to_be_visible()
    assert violations_in_both_themes(page) == []
    ask(page, "Top risks facing Tesla in 2025")
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Start with").click()
    expect(page.get_by_text("Stopped", exact=False).first).to_be_visible(timeout=SLOW)
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Open source 1").first.click()
    expect(page.get_by_role("dialog").locator("mark.quote").first).to_be_visible()
    assert violations_in_both_themes(page) == []


def test_each_thing_and_facet_has_in_the_table_the_colour_that_it_has_in_the_question(page: Page) -> None:
    ask(page, "How do regulation, supply chains and competition affect NVIDIA, Apple and Boeing?")
    marks = page.get_by_role("table").locator("span.stMarkdownColoredText", has_text="■")
    expect(marks).to_have_count(6)
    in_table = page.evaluate(_TINTS_OF_THE_TABLE)
    for words, colour in page.evaluate(_TINTS_OF_THE_QUESTION):
        assert [colour] == [tint for name, tint in in_table if name.endswith(words)]
    assert len({colour for _, colour in in_table}) == 6


_TINTS_OF_THE_TABLE = """() => [...document.querySelectorAll("table .stMarkdownColoredText")]
  .filter((mark) => mark.innerText === "■")
  .map((mark) => [
    mark.closest("th, td").innerText.trim().toLowerCase(),
    getComputedStyle(mark.querySelector("em, strong") ?? mark).color,
  ])"""
# The tint as a colour: what a mark's own colour would be with it.
_TINTS_OF_THE_QUESTION = """() => {
  const roots = [...document.querySelectorAll("*")].map((one) => one.shadowRoot).filter(Boolean)
  const marks = roots.flatMap((root) => [...root.querySelectorAll(".heading mark[class^='a']")])
  return marks.map((mark) => {
    mark.style.color = "var(--tint)"
    return [mark.innerText.trim().toLowerCase(), getComputedStyle(mark).color]
  })
}"""
