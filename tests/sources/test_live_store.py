"""What a run fetched is kept with it: for a corpus, for going on, and no longer than the run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError, InputError
from adaq_core.events import Decided, Event, Noticed, RunFailed, RunStarted, SourcesSearched, of_kind
from adaq_core.model import Document, Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.sources.documents import document_found
from adaq_core.sources.live import keep_in_corpus
from adaq_core.store import Store
from adaq_core.store.history import MOST_CHARACTERS, FetchedDocuments
from tests.sources.loopback import Asked, Reply, Server
from tests.sources.world import BRAKES, LONGER, PLANT, QUESTION, news

PROJECT = Path(__file__).resolve().parents[2]
CHOSEN = Settings(sources=("searxng",))


@pytest.fixture
def home(indexed: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, and settings with which SearXNG is at the loopback server."""
    monkeypatch.setenv("ADAQ_HOME", str(indexed))
    monkeypatch.setenv("SEARXNG_URL", server.url)
    monkeypatch.setenv("ADAQ_PRIVATE_HOSTS", server.place)
    news(server, brakes=BRAKES, plant=PLANT)
    return indexed


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    opened = Store(home / "runs.duckdb")
    yield opened
    opened.close()


@pytest.fixture
def library(home: Path) -> CorpusLibrary:
    return CorpusLibrary(home)


@pytest.fixture
def runner(store: Store, indexed_home: Path) -> Iterator[Runner]:
    made = Runner(store, CorpusLibrary(indexed_home), workers=1)
    yield made
    made.close()


def asked(runner: Runner, *, method: str = "bm25") -> str:
    run_id = runner.submit(RunSpec(method, QUESTION, settings=CHOSEN), corpus="sample")
    assert runner.wait(run_id, 60).status == "finished"
    return run_id


def events(store: Store, run_id: str) -> list[Event]:
    return [record.event for record in store.records(run_id)]


def page(name: str, text: str) -> Document:
    return document_found("gdelt", url=f"https://example.com/{name}", title=name, text=text, whole=True)


def test_what_a_run_fetched_can_be_kept_after_a_restart(
    runner: Runner, store: Store, library: CorpusLibrary, home: Path
) -> None:
    run_id = asked(runner)
    runner.close()
    store.close()
    again = Store(home / "runs.duckdb")
    rows = FetchedDocuments(again, run_id).rows()
    assert [(row.title, row.found_by, row.date) for row in rows] == [
        ("Zorvia: brakes", "searxng", "2026-06-02"),
        ("Zorvia: plant", "searxng", "2026-06-02"),
    ]
    report = keep_in_corpus(run_id, "mine", store=again, library=library, document_ids=[rows[1].document_id])
    assert (len(report.added), report.errors) == (1, ())
    (hit,) = library.open("mine").search("battery plant")
    assert (hit.passage.title, hit.passage.text, hit.passage.url) == ("Zorvia: plant", PLANT, rows[1].url)
    assert hit.passage.date == "2026-06-02"
    assert ("found_by", "searxng") in hit.passage.metadata
    both = keep_in_corpus(run_id, "mine", store=again, library=library)
    assert (len(both.added), len(both.unchanged)) == (1, 1)
    again.close()


def test_what_cannot_be_kept_is_said(runner: Runner, store: Store, library: CorpusLibrary) -> None:
    plain = runner.submit(RunSpec("bm25", "Compare tea and coffee"), corpus="sample")
    runner.wait(plain, 60)
    with pytest.raises(InputError, match="has no documents of live sources to keep"):
        keep_in_corpus(plain, "mine", store=store, library=library)
    run_id = asked(runner)
    with pytest.raises(CorpusError, match="no document 'x' was fetched in this run; choose one of 2 others"):
        keep_in_corpus(run_id, "mine", store=store, library=library, document_ids=["x"])
    with pytest.raises(CorpusError, match="the bundled corpus 'sample' cannot be changed"):
        keep_in_corpus(run_id, "sample", store=store, library=library)


def test_they_go_with_the_run(runner: Runner, store: Store) -> None:
    run_id = asked(runner)
    store.delete_run(run_id)
    assert store.query("SELECT count(*) FROM fetched_documents") == [(0,)]


def test_a_document_that_several_queries_brought_is_stored_once(store: Store) -> None:
    kept = FetchedDocuments(store, "r-1")
    one, two = page("one", "First text."), page("two", "Second text.")
    assert kept.keep("a", [one, two]) == kept.keep("b", [two]) == kept.keep("c", []) == ""
    assert kept.documents() == [one, two]
    later = FetchedDocuments(store, "r-2", parent="r-1")
    assert [later.before(query) for query in ("a", "b", "c", "d")] == [[one, two], [two], [], None]
    assert later.documents() == []


def test_more_than_four_million_characters_are_not_kept_and_that_is_said(store: Store) -> None:
    kept = FetchedDocuments(store, "r-1")
    long = [page(f"long{i}", f"{i}" * (MOST_CHARACTERS // 2)) for i in range(3)]
    assert kept.keep("a", long) == "1 document was too much to be kept with the run"
    assert [row.characters for row in kept.rows()] == [MOST_CHARACTERS // 2] * 2
    assert FetchedDocuments(store, "r-2", parent="r-1").before("a") is None


def test_a_run_goes_on_with_what_was_fetched_whatever_the_web_says_now(
    runner: Runner, store: Store, server: Server
) -> None:
    whole = events(store, asked(runner, method="adaptive"))
    run_id = store.begin(RunStarted(QUESTION, "adaptive", runner.corpora.card("sample"), CHOSEN, whole[0].budget))
    cut = next(i for i, event in enumerate(whole) if isinstance(event, Decided)) + 1
    for event in [*whole[:cut], RunFailed("OSError", "the disk is gone")]:
        store.append(run_id, event)
    first = FetchedDocuments(store, run_id)
    for event in of_kind(whole[:cut], SourcesSearched):
        first.keep(event.query, FetchedDocuments(store, _first(store)).documents())
    news(server, other="The web says something else by now about the brake recall of Zorvia Motors.")
    resumed = events(store, runner.wait(runner.resume(run_id), 60).run_id)
    assert [event for event in of_kind(resumed, Noticed) if event.stage == "resume"] == []
    assert resumed[1:cut] == whole[1:cut]


def _first(store: Store) -> str:
    return min(store.runs(), key=lambda row: row.created_at).run_id


ASK = """
import sys
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.model import Settings
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.store import open_store
runner = Runner(open_store(), CorpusLibrary())
print(runner.submit(RunSpec("adaptive", sys.argv[1], Settings(sources=("searxng",))), corpus="sample"), flush=True)
import time
time.sleep(60)
"""


def test_a_killed_process_leaves_a_run_that_goes_on_with_its_documents(
    home: Path, server: Server, library: CorpusLibrary
) -> None:
    library.open("sample")
    works = server.routes["/search"]
    assert not isinstance(works, list)

    def twice(request: Asked) -> Reply:
        return Reply(held=True) if server.paths().count("/search") > 2 else works(request)  # type: ignore[operator]

    server.routes["/search"] = twice
    command = [sys.executable, "-c", ASK, LONGER]
    with subprocess.Popen(command, cwd=PROJECT, env=dict(os.environ), stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        run_id = child.stdout.readline().strip()
        until = time.monotonic() + 180
        while server.paths().count("/search") < 3 and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGKILL)
    server.routes["/search"] = works
    store = Store(home / "runs.duckdb", wait_seconds=60)
    row = store.run(run_id)
    assert row is not None
    assert row.status == "interrupted"
    assert len(FetchedDocuments(store, run_id).documents()) == 2
    runner = Runner(store, library, workers=1)
    before, asked_before = events(store, run_id), server.paths().count("/search")
    resumed = runner.wait(runner.resume(run_id), 60)
    assert resumed.status == "finished"
    after = events(store, resumed.run_id)
    # A hop that the kill cut short is searched again, from the cache.
    whole = max((place for place, event in enumerate(before) if isinstance(event, Decided)), default=0)
    hops = [event for event in before[:whole] if isinstance(event, SourcesSearched)]
    assert [event for event in after if isinstance(event, SourcesSearched)][: len(hops)] == hops
    assert server.paths().count("/search") > asked_before
    assert len(FetchedDocuments(store, resumed.run_id).documents()) == 2
    runner.close()
    store.close()


def test_the_sources_of_a_run_are_stored_with_it(runner: Runner, store: Store) -> None:
    run_id = asked(runner)
    row = store.run(run_id)
    assert row is not None
    assert row.settings == replace(Settings(), sources=("searxng",))
