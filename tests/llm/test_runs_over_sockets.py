"""Whole runs with the real client over a real socket, and commands that ask a model."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from adaq_core import events as e
from adaq_core.cli import build
from adaq_core.llm.chats import chat_for
from adaq_core.llm.settings import read_settings
from adaq_core.model import Settings
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec
from tests import advising
from tests.drinks import QUESTION, TEXTS, corpus, of, run, view
from tests.llm.loopback import OllamaLoopback, said


@pytest.fixture(scope="module")
def drinks() -> DocumentRetriever:
    return corpus()


@pytest.fixture
def server(monkeypatch):
    for name in ("OLLAMA_HOST", "ADAQ_MODEL"):
        monkeypatch.delenv(name, raising=False)
    server = OllamaLoopback()
    server.answers["/api/chat"] = lambda call: _reply(server, call)
    yield server
    server.close()


def _reply(server, call):
    if not server._missing(call):
        call.lines(said(advising.said_by(call.body["messages"][-1]["content"])))


def over_socket(server, drinks, *, settings=None, **changed):
    quick = {"silence_seconds": 0.4, "connect_seconds": 0.4, "reply_seconds": 5, "ollama_host": server.url}
    events = run(drinks, chat_for(read_settings(env_file=None, **(quick | changed))), settings=settings)
    assert isinstance(events[-1], e.RunFinished)
    assert view(events).answer.citations
    return events


def problems(events):
    return [(fell.stage, fell.problem) for fell in of(events, e.FellBack)]


def test_over_a_socket_all_is_well(server, drinks):
    events = over_socket(server, drinks)
    assert problems(events) == []
    assert view(events).answer_by == "model"
    assert {call.stage for call in of(events, e.ModelCalled)} == set(advising.STAGES) - {"refine"}
    assert all(call.prompt_tokens == 20 and call.num_ctx == 8192 for call in of(events, e.ModelCalled))
    formats = [bool(body.get("format")) for body in server.bodies("/api/chat")]
    assert any(formats)


def test_over_a_socket_the_answer_is_looked_at_again_where_that_is_switched_on(server, drinks):
    plain = over_socket(server, drinks)
    asked = len(server.bodies("/api/chat"))
    events = over_socket(server, drinks, settings=Settings(entailment=True))
    bodies = server.bodies("/api/chat")[asked:]
    assert problems(events) == []
    assert [call.stage for call in of(events, e.ModelCalled)][-2:] == ["synthesise", "entail"]
    assert bodies[-1]["format"]["required"] == ["verdicts"]
    [written], [before] = of(events, e.AnswerWritten), of(plain, e.AnswerWritten)
    doubted = [s for s in written.answer.statements if s.entailed is False]
    assert doubted
    assert all("Coffee" in s.text for s in doubted)
    assert (written.check.judged, written.check.doubted) == (len(written.answer.statements), len(doubted))
    assert (written.answer.text, written.check.unsupported) == (before.answer.text, before.check.unsupported)
    assert all(s.entailed is None for s in before.answer.statements)


@pytest.mark.parametrize("failure", ["die", "hang", "error", "prose"])
def test_over_a_socket_a_second_look_that_fails_costs_only_itself(server, drinks, failure):
    def reply(call):
        if "entail each sentence" not in call.body["messages"][-1]["content"]:
            _reply(server, call)
        elif failure == "prose":
            call.lines(said("All of them are true, trust me."))
        else:
            {"die": call.die, "hang": call.hang, "error": lambda: call.json({"error": "out of memory"}, 500)}[failure]()

    server.answers["/api/chat"] = reply
    events = over_socket(server, drinks, settings=Settings(entailment=True))
    assert [stage for stage, _ in problems(events)] == ["entail"]
    [fell] = of(events, e.FellBack)
    assert fell.used == "the citation guard alone"
    seen = view(events)
    assert (seen.answer_by, seen.citations_check.judged) == ("model", 0)


def test_over_a_socket_no_server(server, drinks):
    server.close()
    events = over_socket(server, drinks)
    assert "Expected an Ollama server" in problems(events)[0][1]
    assert len(of(events, e.ModelCalled)) == 1
    assert {stage for stage, _ in problems(events)} == set(advising.STAGES) - {"refine"}


def test_over_a_socket_it_dies_in_mid_stream(server, drinks):
    def die(call):
        call.begin()
        call.line(said('{"aspects": [')[0])
        call.die()

    server.answers["/api/chat"] = die
    events = over_socket(server, drinks)
    first = of(events, e.FellBack)[0]
    assert ("went away" in first.problem, first.raw) == (True, '{"aspects": [')
    assert len(server.bodies("/api/chat")) == 1


def test_over_a_socket_it_dies_after_planning(server, drinks):
    def once(call):
        if len(server.bodies("/api/chat")) > 1:
            call.die()
        else:
            _reply(server, call)

    server.answers["/api/chat"] = once
    events = over_socket(server, drinks)
    assert of(events, e.AspectsPlanned)[0].by == "model"
    assert {stage for stage, _ in problems(events)} == set(advising.STAGES) - {"plan", "refine"}


@pytest.mark.parametrize(
    "lines",
    [
        said(
            '{"aspects": [{"aspect": "Definition of tea", "type": "definition", "importance": 1.0, "subj',
            reason="length",
        ),
        said(""),
        said("Certainly! Here is the JSON you asked for."),
        said("\u0000\ufffd{]}"),
    ],
    ids=["truncated", "empty", "prose", "garbage"],
)
def test_over_a_socket_useless_replies(server, drinks, lines):
    server.answers["/api/chat"] = lambda call: call.lines(lines)
    events = over_socket(server, drinks)
    assert {call.stage for call in of(events, e.ModelCalled)} <= {stage for stage, _ in problems(events)}


def test_over_a_socket_bytes_that_are_no_json(server, drinks):
    server.answers["/api/chat"] = lambda call: call.raw(b"<html>\xff\xfe proxy</html>")
    assert problems(over_socket(server, drinks))


@pytest.mark.parametrize(
    ("answer", "words", "times"),
    [
        (lambda call: call.json({"error": "out of memory"}, 500), "out of memory", 3),
        (lambda call: call.hang(), "nothing came for too long", 1),
    ],
    ids=["server errors", "silence"],
)
def test_over_a_socket_a_server_that_fails(server, drinks, answer, words, times):
    server.answers["/api/chat"] = answer
    events = over_socket(server, drinks)
    assert words in problems(events)[0][1]
    assert len(server.bodies("/api/chat")) == times


def test_over_a_socket_model_missing(server, drinks):
    events = over_socket(server, drinks, model="qwen9")
    assert "ollama pull qwen9" in problems(events)[0][1]
    assert server.bodies("/api/chat") == []


def test_over_a_socket_a_context_too_short_loses_passages_and_says_so(server, drinks):
    events = over_socket(server, drinks, num_ctx=512, max_reply_tokens=200)
    told = [n.message for n in of(events, e.Noticed)]
    assert any("left out" in message for message in told) or problems(events)


@pytest.fixture
def adaq(tmp_path, monkeypatch):
    """Calls a command in this process, in a home of its own with the corpus `drinks`."""
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    folder = tmp_path / "drinks"
    folder.mkdir()
    for title, text in TEXTS:
        (folder / f"{title}.txt").write_text(f"{title}\n\n{text}", encoding="utf-8")

    def call(*arguments, code=0):
        done = CliRunner().invoke(build(), arguments)
        assert done.exit_code == code, done.output
        return done

    call("index", str(folder), "--corpus", "drinks")
    return call


def asked(adaq, *more):
    done = adaq("ask", QUESTION, "--corpus", "drinks", "--json", *more)
    return json.loads(done.stdout), done.stderr


def test_ask_with_a_model_counts_its_calls_and_replays_them_without_a_server(adaq, server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    first, said_first = asked(adaq, "--model", "llama3.2")
    calls = len(server.bodies("/api/chat"))
    tokens = {"prompt_tokens": 20 * calls, "reply_tokens": 5 * calls}
    assert first["model"] == {"name": "llama3.2", "calls": calls, "fell_back": 0, "cached": 0} | tokens
    assert set(first["citations_check"]) == {"checked", "repaired", "dropped", "unsupported"}
    assert first["citations_check"]["checked"] > 0
    assert "Warning" not in said_first
    server.close()
    again, _ = asked(adaq, "--model", "llama3.2")
    assert again["model"] == first["model"] | {"cached": calls}
    assert (again["answer"], again["hops"]) == (first["answer"], first["hops"])


def test_ask_with_a_model_and_no_server_ends_well_with_a_warning(adaq, server, monkeypatch):
    server.close()
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    found, told = asked(adaq, "--model", "llama3.2")
    plain, _ = asked(adaq)
    assert (found["model"]["name"], found["model"]["fell_back"]) == ("llama3.2", 4)
    assert "Warning: llama3.2 could not be used as hoped" in told
    assert "Expected an Ollama server" in told
    assert (found["answer"], found["stop_reason"]) == (plain["answer"], plain["stop_reason"])
    assert (plain["model"]["name"], plain["model"]["calls"]) == (None, 0)
    assert plain["citations_check"]["checked"] > 0


def test_ask_with_a_model_says_beforehand_what_it_will_likely_take(adaq, server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    monkeypatch.setenv("ADAQ_REPLY_CACHE", "false")
    told = [asked(adaq, "--model", "llama3.2") for _ in range(4)]
    assert all("Forecast: no run like this yet." in stderr for _, stderr in told[:3])
    calls, hops = told[0][0]["model"]["calls"], len(told[0][0]["hops"])
    forecast = next(line for line in told[3][1].splitlines() if line.startswith("Forecast: "))
    assert f"{hops} hop" in forecast
    assert f"{calls} model calls, {25 * calls} tokens, going by 3 past runs on this corpus" in forecast
    assert "Forecast" not in asked(adaq)[1]


def test_ask_with_entailment_warns_of_what_the_model_doubts(adaq, server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    found, told = asked(adaq, "--model", "llama3.2", "--entailment")
    assert "The model doubts that what is cited entails 2 of 4 sentences of the answer." in told
    assert set(found["citations_check"]) == {"checked", "repaired", "dropped", "unsupported"}


def test_ask_with_two_models_asks_each_for_its_part(adaq, monkeypatch):
    both = OllamaLoopback("small:latest", "large:latest")
    both.answers["/api/chat"] = lambda call: _reply(both, call)
    monkeypatch.setenv("OLLAMA_HOST", both.url)
    found, _ = asked(adaq, "--model", "small,large")
    writers = [b["model"] for b in both.bodies("/api/chat") if "Write the answer" in b["messages"][-1]["content"]]
    both.close()
    assert (found["model"]["name"], writers) == ("small + large", ["large"])


def test_budgets_of_the_command_line(adaq, server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    found, _ = asked(adaq, "--model", "llama3.2", "--budget-tokens", "50")
    assert (found["stop_reason"], found["model"]["calls"]) == ("budget_tokens", 0)
    assert found["answer"]["citations"]
    found, _ = asked(adaq, "--model", "llama3.2", "--budget-usd", "0.5", "--budget-seconds", "60")
    assert found["stop_reason"] == "all_covered"


def test_a_run_of_a_model_is_resumed_with_that_model(adaq, server, monkeypatch):
    from adaq_core.runs.runner import get_runner

    monkeypatch.setenv("OLLAMA_HOST", server.url)
    found, _ = asked(adaq, "--model", "llama3.2", "--max-hops", "1", "--budget-tokens", "50")
    runner = get_runner()
    row = runner.wait(runner.resume(found["run_id"]), 60)
    assert (row.model, row.status) == ("llama3.2", "finished")


def test_settings_that_cannot_be_used_cost_the_model_not_the_run(adaq, monkeypatch):
    from adaq_core.runs.runner import get_runner

    monkeypatch.setenv("ADAQ_NUM_CTX", "none")
    runner = get_runner()
    row = runner.wait(runner.submit(RunSpec("adaptive", QUESTION), corpus="drinks", model="llama3.2"), 60)
    assert (row.status, row.fell_back > 0) == ("finished", True)


def test_compare_takes_a_model(adaq, server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    done = adaq(
        "compare", QUESTION, "--corpus", "drinks", "--methods", "adaptive,bm25", "--model", "llama3.2", "--json"
    )
    assert [run["model"]["name"] for run in json.loads(done.stdout)["runs"]] == ["llama3.2"] * 2


def test_a_model_and_no_model_is_refused(adaq):
    assert "--no-llm" in adaq("ask", QUESTION, "--model", "x", "--no-llm", code=2).stderr
    assert "model's name" in adaq("ask", QUESTION, "--model", "a,b,c", code=2).stderr
