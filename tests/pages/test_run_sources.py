"""Live sources on the pages of a run: what each brought, what failed, links that are safe, keeping documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    Decided,
    Event,
    EvidenceAssembled,
    HopStarted,
    PassagesRetrieved,
    Record,
    RunFinished,
    RunStarted,
    SourcesSearched,
)
from adaq_core.export.verdict import fates, verdict
from adaq_core.model import Answer, Passage, ScoredPassage, SourceReport
from adaq_core.sources.documents import document_found
from adaq_core.store import open_store
from adaq_core.store.history import FetchedDocuments
from adaq_core.trace import RunView, cell, view
from pages._shared.common.text import host, web_link
from pages._shared.components.passage_cards.cards import evidence_cards
from pages._shared.run.data import steps
from pages._shared.run.sources import brought
from tests.pages.built_runs import Story, events, finished, partial, running
from tests.pages.conftest import MAIN
from tests.pages.test_ask import stored_events, unescaped

HOSTILE = "![x](http://evil.example) :red[HACKED] <script>alert(1)</script>"
REPORTS = (
    SourceReport("wikipedia", requests=4, documents=2, passages=12, notes=("only a snippet of 'A': too late",)),
    SourceReport("news_api", requests=1, error=f"answered 401 {HOSTILE}"),
    SourceReport("gdelt", documents=1, cached=True),
)
AGAIN = (
    SourceReport("wikipedia", requests=2, documents=1, passages=3),
    SourceReport("news_api", error="answered 401 (failed twice in a row: not asked again in this run)"),
    SourceReport("gdelt", error="did not answer within 20.0 s; ask again later"),
)
NAMES = tuple(report.name for report in REPORTS)


def with_sources(story: Story) -> list[Event]:
    """The story as a run with live sources: they are asked in its first two hops."""
    made: list[Event] = []
    for event in events(story):
        if isinstance(event, RunStarted):
            event = replace(event, settings=replace(event.settings, sources=NAMES))
        made.append(event)
        if isinstance(event, HopStarted) and event.hop <= 2:
            made.append(SourcesSearched(event.hop, event.queries[0].text, REPORTS if event.hop == 1 else AGAIN))
    return made


def seen(happened: list[Event]) -> RunView:
    return view([Record(number, "", 0.1 * number, event) for number, event in enumerate(happened, 1)])


def opened(page: str, **params: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.switch_page(page)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def entries(app: AppTest) -> list[list[str]]:
    """The lines of each source that the page tells of, without escapes."""
    names = ("**Wikipedia**", "**NewsAPI**", "**GDELT**")
    return [unescaped(part.value).split("  \n") for part in app.markdown if part.value.startswith(names)]


def test_ask_shows_what_each_source_brought_and_why_one_failed(home: Path) -> None:
    app = opened("ask.py", run=stored_events(with_sources(finished())))
    assert not app.exception
    wikipedia, news, gdelt = entries(app)
    assert wikipedia == [
        "**Wikipedia** :green-badge[answered] :small[:gray[15 passages · 6 requests]]",
        ":small[Only a snippet of 'A': too late]",
    ]
    assert news[0] == "**NewsAPI** :red-badge[failed] :small[:gray[1 request]]"
    assert news[1].startswith(":small[Answered 401 (failed twice in a row")
    assert gdelt[0] == "**GDELT** :orange-badge[failed 1 of 2 times] :small[:gray[0 passages · from the cache]]"
    assert gdelt[1].startswith(":small[Did not answer within 20.0 s")


def test_what_a_service_says_of_itself_stays_text(home: Path) -> None:
    app = opened("trace_explorer.py", run=stored_events(with_sources(finished())), hop="1", tab="sources")
    said = next(part.value for part in app.markdown if part.value.startswith("**NewsAPI**"))
    assert r"\!\[x\]\(http" in said
    assert "http:" not in said
    assert "<script>" not in said
    assert ":red[HACKED]" not in said


def test_trace_explorer_has_a_tab_for_the_searches_of_a_hop(home: Path) -> None:
    run_id = stored_events(with_sources(finished()))
    app = opened("trace_explorer.py", run=run_id, hop="1", tab="sources")
    assert not app.exception
    hop, whole = [one[0] for one in entries(app)[:3]], [one[0] for one in entries(app)[3:]]
    assert hop == [
        "**Wikipedia** :green-badge[answered] :small[:gray[2 documents · 12 new passages · 4 requests · 0 ms]]",
        "**NewsAPI** :red-badge[failed] :small[:gray[1 request · 0 ms]]",
        "**GDELT** :green-badge[answered] :small[:gray[1 document · 0 new passages · from the cache · 0 ms]]",
    ]
    assert ["15 passages" in whole[0], "0 passages" in whole[1], "0 passages" in whole[2]] == [True, False, True]
    third = opened("trace_explorer.py", run=run_id, hop="3", tab="sources")
    assert any("No live source was asked in this hop" in caption.value for caption in third.caption)


def test_the_story_tells_what_each_source_brought(home: Path) -> None:
    app = opened("trace_explorer.py", run=stored_events(with_sources(finished())))
    app = app.segmented_control(key="trace_view").set_value("Story").run()
    assert not app.exception
    hops = [part.value.replace("\\", "") for part in app.markdown]
    assert any(":material/public: Wikipedia: 12 passages · NewsAPI: answered 401" in words for words in hops)


def test_a_run_without_sources_has_neither_section_nor_tab(home: Path) -> None:
    run_id = stored_events(list(events(finished())))
    assert entries(opened("ask.py", run=run_id)) == []
    app = opened("trace_explorer.py", run=run_id)
    assert "Sources" not in [tab.label for tab in app.tabs]


def test_a_running_hop_says_whom_it_asks_and_then_what_came() -> None:
    first, *rest = steps(seen(with_sources(running())))
    assert brought(first.searched) == (
        "Wikipedia: 12 passages",
        f"NewsAPI: answered 401 {HOSTILE}",
        "GDELT: nothing new",
    )
    assert rest[-1].asked == NAMES
    assert rest[-1].searched == ()


def fetched(run_id: str) -> None:
    texts = {"one": "Acme bought Borealis for two billion euros.", "two": "Borealis makes pumps in Graz."}
    documents = [
        document_found("wikipedia", url=f"https://example.org/{name}", title=f"{name} {HOSTILE}", text=text, whole=True)
        for name, text in texts.items()
    ]
    FetchedDocuments(open_store(), run_id).keep("q", documents)


def test_documents_of_a_run_are_kept_in_a_new_corpus(home: Path) -> None:
    run_id = stored_events(with_sources(finished()))
    fetched(run_id)
    app = opened("ask.py", run=run_id)
    app = app.button(key="ask_keep").click().run()
    assert not app.exception
    assert app.button(key="keep_now").label == "Save all 2"
    assert app.button(key="keep_now").disabled
    app = app.text_input(key=f"keep_corpus_{run_id}_new").set_value("mine").run()
    app = app.button(key="keep_now").click().run()
    assert not app.exception
    assert [message.value for message in app.success] == ["2 new. In the corpus “mine” now."]
    assert [row.title for row in CorpusLibrary(home).documents("mine")] == [f"one {HOSTILE}", f"two {HOSTILE}"]


@pytest.mark.parametrize(
    ("name", "words"), [("Bad Name!", "The name of a corpus is 1 to 64"), ("sample", "cannot be changed")]
)
def test_a_corpus_that_cannot_take_them_is_said(home: Path, name: str, words: str) -> None:
    run_id = stored_events(with_sources(finished()))
    fetched(run_id)
    app = opened("ask.py", run=run_id).button(key="ask_keep").click().run()
    app = app.text_input(key=f"keep_corpus_{run_id}_new").set_value(name).run()
    app = app.button(key="keep_now").click().run()
    assert words in app.error[0].value.replace("\\", "")


def test_nothing_fetched_offers_nothing_to_keep(home: Path) -> None:
    app = opened("ask.py", run=stored_events(with_sources(finished())))
    assert "ask_keep" not in [button.key for button in app.button]


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://www.example.org/a?b=c#d", "example.org"),
        ("http://example.org:8080/", "example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://\u0435xample.org/", "xn--xample-2of.org"),
        ("javascript:alert(1)", ""),
        ("JaVaScRiPt://example.org/%0aalert(1)", ""),
        ("data:text/html,<script>alert(1)</script>", ""),
        ("file:///etc/passwd", ""),
        ("ftp://example.org/", ""),
        ("//example.org/", ""),
        ("https://user:secret@example.org/", ""),
        ("https://example.org@evil.example/", ""),
        ("https://exa mple.org/", ""),
        ("https://example.org/\u202egnp.exe", ""),
        ("https://example.org/\nx", ""),
        ("https://[::1", ""),
        ("https://example.org:99999/", ""),
        ("https:///path", ""),
        ("", ""),
        (f"https://example.org/{'a' * 2000}", ""),
    ],
)
def test_only_pages_of_the_web_become_links(url: str, where: str) -> None:
    assert host(url) == where
    assert web_link(url) == (url if where else "")


def test_evidence_of_the_web_shows_source_date_and_a_safe_link() -> None:
    safe = Passage("w#0", "w", "Page", "Text.", source="Example News", date="2026-01-02", url="https://example.org/a")
    run = seen(_kept_as_evidence(safe))
    card = evidence_cards(run, run.hops[0])[0]
    assert (card["origin"], card["url"], card["host"]) == (
        "Example News · 2026-01-02",
        "https://example.org/a",
        "example.org",
    )
    run = seen(_kept_as_evidence(replace(safe, url="javascript:alert(1)")))
    card = evidence_cards(run, run.hops[0])[0]
    assert (card["url"], card["host"]) == ("", "")


def _kept_as_evidence(passage: Passage) -> list[Event]:
    made: list[Event] = []
    for event in events(finished()):
        if isinstance(event, PassagesRetrieved):
            event = replace(event, passages=(ScoredPassage(passage, 1.0, 1),))
        if isinstance(event, EvidenceAssembled):
            event = replace(event, evidence=(replace(event.evidence[0], passage=passage),))
        made.append(event)
    return made


def test_where_sources_failed_and_no_passage_came_aspects_are_not_found_and_the_connection_is_named() -> None:
    made: list[Event] = []
    for event in with_sources(partial()):
        match event:
            case SourcesSearched():
                made.append(replace(event, reports=(SourceReport("gdelt", error="could not be read"),)))
            case RunStarted():
                made.append(replace(event, settings=replace(event.settings, sources=("gdelt",))))
            case PassagesRetrieved():
                made.append(replace(event, passages=(), read=0))
            case AnswerWritten():
                made.append(replace(event, answer=Answer("", abstained=True)))
            case AspectsPlanned() | HopStarted() | Decided() | RunFinished():
                made.append(event)
    run = seen(made)
    targets = {name for hop in run.hops for name in hop.targets}
    assert {fates(run)[name] for name in targets} == {"not found"}, "what was searched in vain was run"
    assert {cell(run, hop, name).state for hop in run.hops for name in hop.targets} == {"missed"}
    told = verdict(run)
    assert (told.outcome, told.next) == (
        "nothing",
        "Check the connection and the live sources in the settings, then ask again.",
    )
