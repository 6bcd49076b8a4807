"""No text from outside runs, loads or fakes anything on any page or in any export: a real Chromium, 36 payloads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import markdown_it
import pytest
from playwright.sync_api import Error, expect

from adaq_core.events import Record
from adaq_core.export import FORMATS
from tests.browser.conftest import PATIENT, turn
from tests.browser.hostile import CORPUS, FAULTS, HIT, PAYLOADS, QUIET, RUNS, filled, hostile_events
from tests.browser.serving import calm, executable, serve, watch
from tests.llm.loopback import OllamaLoopback

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page

Opened = Callable[[str], "Page"]
COUNT = "window.__hit = () => { window.top.__hits = (window.top.__hits || 0) + 1 }"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over a home full of hostile text, with a model server whose models are called so."""
    executable()
    home = filled(tmp_path_factory.mktemp("hostile") / "home")
    server = OllamaLoopback(*PAYLOADS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", server.url)
        with serve(home) as address:
            yield address
    server.close()


@pytest.fixture(scope="module")
def noticing(browser: Browser, served: str) -> Iterator[tuple[Page, list[str]]]:
    """A page for all tests, and what was noticed on it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=served)
    page = context.new_page()
    page.set_default_timeout(PATIENT)
    page.add_init_script(COUNT)
    seen = watch(page, served)

    def dismiss(dialog: Dialog) -> None:
        seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    page.on("dialog", dismiss)
    yield page, seen
    context.close()


@pytest.fixture
def opened(noticing: tuple[Page, list[str]]) -> Iterator[Opened]:
    """Opens one page after another; afterwards nothing ran, nothing came from elsewhere, and no dialog was shown."""
    page, seen = noticing

    def opener(path: str) -> Page:
        if page.url == "about:blank":
            page.goto(path)
        else:
            turn(page, path)
        return page

    yield opener
    calm(page, timeout=PATIENT)
    said, seen[:] = list(seen), []
    assert [one for one in said if "favicon" not in one] == []


def settled(page: Page, words: str) -> None:
    """Wait until the page shows what was asked for, and look for what should not be there."""
    expect(page.get_by_text(words, exact=False).first).to_be_visible(timeout=PATIENT)
    calm(page, timeout=PATIENT)
    assert page.evaluate(FAULTS) == [], page.url


def each_tab(page: Page, words: str) -> None:
    for number in range(page.get_by_role("tab").count()):
        page.get_by_role("tab").nth(number).click()
        settled(page, words)


@pytest.fixture(scope="module")
def own_pages(browser: Browser) -> Iterator[tuple[BrowserContext, list[str]]]:
    """Pages of a browser in which every address is an empty page, and what they asked for."""
    context, asked = browser.new_context(), list[str]()
    context.add_init_script(COUNT)
    context.route("**/*", lambda route: route.fulfill(body="<title>own</title>", content_type="text/html"))
    context.on("dialog", lambda dialog: dialog.dismiss())
    context.on("request", lambda made: asked.append(made.url))
    yield context, asked
    context.close()


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_each_payload_would_be_noticed_were_it_shown_as_markup(
    own_pages: tuple[BrowserContext, list[str]], number: int
) -> None:
    """Shown as it stands in a document of its own: what this finds is what the other tests would find.

    A page that leads away may still be on its way when the next is opened, and is closed.
    """
    context, asked = own_pages
    page = context.pages[0] if context.pages else context.new_page()
    page.goto("http://own.example/")
    asked.clear()
    page.set_content(f"<p>{PAYLOADS[number]}</p>")
    page.wait_for_timeout(50)
    noticed = faults_of(page)
    led_away = [url for url in asked if "evil.example" in url]
    if "evil.example" in PAYLOADS[number]:
        page.close()
    assert bool(noticed or led_away) != PAYLOADS[number].startswith(QUIET)


def faults_of(page: Page) -> list[str]:
    """What is wrong with a page; nothing of one that is being led away: what was asked for tells that."""
    try:
        return list(page.evaluate(FAULTS))
    except Error:
        return []


def test_ask_shows_a_question_as_text(opened: Opened) -> None:
    """Two in a question; the first would be noticed by itself, so that it cannot hide the second."""
    loud = [payload for payload in PAYLOADS if not payload.startswith(QUIET)]
    quiet = [payload for payload in PAYLOADS if payload.startswith(QUIET)]
    half = len(PAYLOADS) // 2
    for first, second in zip(loud[:half], [*quiet, *loud[half:]], strict=True):
        page = opened(f"/?q={quote(f'What is {first} and {second}?')}")
        settled(page, "aspect")


def test_ask_shows_an_answer_as_text(opened: Opened) -> None:
    for number in range(RUNS):
        page = opened(f"/?run=r-h{number:03d}")
        settled(page, "Stopped")
        page.get_by_role("button", name="Open source 1").first.click()
        expect(page.get_by_role("dialog")).to_be_visible()
        settled(page, "Stopped")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_the_trace_shows_runs_prompts_and_notes_as_text(opened: Opened) -> None:
    for number in range(RUNS):
        hop = number % 4 + 1
        page = opened(f"/trace_explorer?run=r-h{number:03d}&hop={hop}")
        settled(page, f"Hop {hop} of")
        each_tab(page, f"Hop {hop} of")


def test_the_list_of_runs_shows_questions_notes_tags_and_views_as_text(opened: Opened) -> None:
    page = opened("/trace_explorer")
    settled(page, "runs")
    for payload in PAYLOADS[:4]:
        opened(f"/trace_explorer?run={quote(payload)}")
        settled(page, "run")


def test_compare_shows_runs_as_text(opened: Opened) -> None:
    ids = [f"r-h{turn:03d}" for turn in range(RUNS)]
    for first, second in zip(ids[::2], ids[1::2], strict=True):
        settled(opened(f"/compare_baselines?group={first},{second}"), "ADAQ 2")
    settled(opened(f"/compare_baselines?group={quote(PAYLOADS[0])}"), "Compare")


def test_the_corpus_page_shows_documents_names_and_hits_as_text(opened: Opened) -> None:
    count = f"{2 * len(PAYLOADS)} documents"
    for view_name in ("Documents", "Add+documents", "Delete", "Try+a+search&try_query=marker"):
        page = opened(f"/corpus?corpus={CORPUS}&view={view_name}")
        settled(page, count)
    page.get_by_role("button", name="Read").first.click()
    settled(page, count)


def test_a_corpus_that_is_called_so_is_shown_as_text(opened: Opened) -> None:
    for payload in PAYLOADS[:4]:
        settled(opened(f"/corpus?corpus={quote(payload)}&view={quote(payload)}"), "On this computer")


def test_the_settings_show_models_of_a_server_as_text(opened: Opened) -> None:
    page = opened("/")
    page.get_by_role("button", name="Settings", exact=True).click()
    settled(page, f"{len(PAYLOADS)} models")
    page.get_by_role("dialog").get_by_role("combobox").first.click()
    settled(page, f"{len(PAYLOADS)} models")
    page.keyboard.press("Escape")
    for number in range(page.get_by_role("dialog").get_by_role("tab").count()):
        page.get_by_role("dialog").get_by_role("tab").nth(number).click()
        assert page.evaluate(FAULTS) == []


def exports(turn: int) -> dict[str, str]:
    """The pages and dossiers of a hostile run, Markdown made to HTML by a renderer that leaves markup as it is."""
    from adaq_core.export import RunToExport

    records = [Record(seq, "2026-11-22T00:00:00", 0.1, event) for seq, event in enumerate(hostile_events(turn), 1)]
    row: Any = type("Row", (), {"run_id": "r-h000", "question_id": None, "created_at": datetime(2026, 11, 22)})()
    texts = {each.name: each.text(RunToExport(row, records)) for each in FORMATS if each.name in ("html", "markdown")}
    rendered = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(texts["markdown"])
    return {"html": texts["html"], "markdown": f"<body>{rendered}</body>"}


@pytest.mark.parametrize("turn", range(RUNS))
def test_what_is_exported_runs_and_loads_nothing(browser: Browser, tmp_path: Path, turn: int) -> None:
    page, asked = browser.new_page(), list[str]()
    page.add_init_script(COUNT)
    page.on("request", lambda made: asked.append(made.url))
    for name, text in exports(turn).items():
        file = tmp_path / f"{name}.html"
        file.write_text(text, encoding="utf-8")
        asked.clear()
        page.goto(file.as_uri())
        faults = [one for one in page.evaluate(FAULTS) if not (name == "html" and one.startswith("<script>"))]
        assert (name, faults, asked) == (name, [], [file.as_uri()])
        assert HIT in page.content()
    page.close()
