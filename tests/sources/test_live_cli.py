"""`ask --source` and what belongs to it, as a user types it, with SearXNG at a loopback server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from tests.sources.loopback import Reply, Server
from tests.sources.world import BRAKES, PLANT, QUESTION, news

Call = Callable[..., Any]
KEY = "newskey0123456789abcdef"


@pytest.fixture
def adaq(indexed: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls a command in this process, with services at the loopback server."""
    settings = {
        "ADAQ_HOME": str(indexed),
        "SEARXNG_URL": server.url,
        "NEWS_API_URL": server.url,
        "NEWS_API_KEY": KEY,
        "ADAQ_PRIVATE_HOSTS": server.place,
        "OLLAMA_HOST": "http://127.0.0.1:9",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    news(server, brakes=BRAKES, plant=PLANT)

    def call(*arguments: str, code: int = 0) -> Any:
        done = CliRunner().invoke(build(), arguments)
        assert done.exit_code == code, done.output
        return done

    return call


def test_ask_tells_what_each_source_brought(adaq: Call, server: Server) -> None:
    server.routes["/v2/everything"] = Reply(401, b'{"status": "error", "message": "apiKeyInvalid"}')
    done = adaq("ask", QUESTION, "--source", "searxng,news_api", "--method", "bm25")
    assert "48,000 vans" in done.stdout
    assert "searxng: 2 passages (4 requests)\n" in done.stderr
    assert f"Warning: news_api: 0 passages (1 request); failed 1 of 1 time: {server.place} answered 401" in done.stderr
    assert KEY not in done.output


def test_json_has_a_line_for_each_source_in_the_order_asked(adaq: Call, server: Server) -> None:
    found = json.loads(adaq("ask", QUESTION, "-s", "news_api", "-s", "searxng", "-m", "bm25", "--json").stdout)
    error = found["sources"][0].pop("error")
    assert f"{server.place} answered 404" in error
    assert found["sources"] == [
        {"name": "news_api", "requests": 1, "passages": 0},
        {"name": "searxng", "requests": 4, "passages": 2, "error": None},
    ]


def test_everything_down_is_a_warning_and_a_good_end(adaq: Call, server: Server) -> None:
    server.routes.clear()
    done = adaq("ask", "Compare transformers and RNNs for NLP", "--source", "searxng,news_api", "--json", "-m", "bm25")
    assert "Warning: no live source could be used; the answer rests on the corpus alone." in done.stderr
    found = json.loads(done.stdout)
    assert [source["passages"] for source in found["sources"]] == [0, 0]
    assert found["answer"]["citations"]


def test_without_sources_the_list_is_empty_and_nobody_is_asked(adaq: Call, server: Server) -> None:
    assert json.loads(adaq("ask", QUESTION, "-m", "bm25", "--json").stdout)["sources"] == []
    assert server.asked == []


def test_verbose_tells_each_search(adaq: Call) -> None:
    out = adaq("ask", QUESTION, "--source", "searxng", "-m", "bm25", "-v").stdout
    assert f"  Live sources, asked for: {QUESTION}\n    searxng: 2 documents, 2 new passages (4 requests, " in out


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("wikipaedia", "There is no source 'wikipaedia'; the sources are edgar, feeds, gdelt"),
        (",", "Expected names of live sources after --source, such as edgar, feeds"),
    ],
)
def test_a_source_that_does_not_exist_is_refused(adaq: Call, given: str, words: str) -> None:
    assert words in adaq("ask", QUESTION, "--source", given, code=2).stderr


def test_compare_gives_all_methods_the_same_sources(adaq: Call, server: Server) -> None:
    done = adaq("compare", QUESTION, "--methods", "bm25,multi_query", "--source", "searxng", "--json")
    runs = json.loads(done.stdout)["runs"]
    assert [(run["method"], run["sources"][0]["passages"]) for run in runs] == [("bm25", 2), ("multi_query", 2)]
    assert len({asked.query["q"] for asked in server.asked if asked.path == "/search"}) <= 5
    assert "bm25: searxng: 2 passages" in done.stderr


def test_what_a_run_fetched_goes_into_a_corpus(adaq: Call, server: Server) -> None:
    run_id = json.loads(adaq("ask", QUESTION, "--source", "searxng", "-m", "bm25", "--json").stdout)["run_id"]
    listed = adaq("runs", "keep", run_id)
    assert listed.stderr == "2 documents of live sources\n"
    first = listed.stdout.splitlines()[0].split("  ")
    assert first[1:] == ["2026-06-02", "127.0.0.1", "Zorvia: brakes", f"{server.url}/news/brakes"]
    kept = adaq("runs", "keep", run_id, "--corpus", "mine", "--document", first[0])
    assert kept.stdout == "mine: 1 document (1 new, 0 updated, 0 there already)\n"
    again = adaq("runs", "keep", run_id, "--corpus", "mine")
    assert again.stdout == "mine: 2 documents (1 new, 0 updated, 1 there already)\n"
    server.routes.clear()
    assert "48,000 vans" in adaq("ask", QUESTION, "--corpus", "mine").stdout


def test_runs_keep_says_what_cannot_be_kept(adaq: Call) -> None:
    run_id = json.loads(adaq("ask", QUESTION, "-m", "bm25", "--json").stdout)["run_id"]
    assert "has no documents of live sources to keep" in adaq("runs", "keep", run_id, "-c", "mine", code=2).stderr
    assert "There is no run 'r-none'" in adaq("runs", "keep", "r-none", "-c", "mine", code=2).stderr


def test_doctor_lists_the_sources_with_what_they_need_and_never_a_key(adaq: Call) -> None:
    report = json.loads(adaq("doctor", "--quick", "--json").stdout)
    (check,) = [check for check in report["checks"] if check["name"] == "live sources"]
    assert check["state"] == "ok"
    assert "ready: gdelt, news_api, searxng, wikipedia; edgar needs ADAQ_CONTACT" in check["message"]
    assert KEY not in check["message"]


def test_doctor_warns_of_a_setting_that_cannot_be_read(adaq: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAQ_PRIVATE_HOSTS", "localhost")
    report = json.loads(adaq("doctor", "--quick", "--json").stdout)
    (check,) = [check for check in report["checks"] if check["name"] == "live sources"]
    assert check["state"] == "warn"
    assert "not 'localhost'" in check["message"]
