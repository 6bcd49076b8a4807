"""The settings: what is chosen holds for every run, survives a reload, and the model server is never waited for."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.llm.settings import ModelSettings, read_settings
from adaq_core.model import Budget
from adaq_core.runs.jobs import Job
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from pages._shared.common.text import coded
from pages._shared.settings import pull as model_pull
from pages._shared.settings.choice import Choice, from_json
from pages._shared.settings.model import by_label
from pages._shared.settings.pull import ServerModels, ServerWatch
from tests.llm.loopback import Call, Loopback, OllamaLoopback
from tests.pages.conftest import MAIN
from tests.pages.test_ask import QUESTION, run_of, shown, unescaped

SLOW = 10


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No setting of this machine, and a server that is not there unless a test has one."""
    names = [n for n in os.environ if n.startswith(("ADAQ_", "OLLAMA_", "OPENAI_")) and n != "ADAQ_HOME"]
    for name in [*names, "NEWS_API_KEY", "SEARCH_API_KEY"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("adaq_core.llm.settings.ENV_FILE", None)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{free.getsockname()[1]}")
    yield
    model_pull.dismiss()


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaLoopback]:
    server = OllamaLoopback("llama3.2:latest", "qwen3:8b")
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    yield server
    server.close()


def opened(part: str = "Model", page: str = "") -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    app = app.switch_page(page).run() if page else app
    app = app.button(key="settings_button").click().run()
    if part != "Model":
        app.session_state["settings_part"] = part
        app.run()
    return until(app, lambda text: "Asking" not in text)


def until(app: AppTest, holds: Callable[[str], bool]) -> AppTest:
    """Draw again, as the open settings do by themselves, until their text is as expected."""
    for _ in range(200):
        if holds(shown(app)):
            return app
        threading.Event().wait(0.05)
        app.run()
    raise AssertionError(shown(app))


def picker(app: AppTest, label: str = "Language model") -> Any:
    """The list of models; its key changes with what is kept."""
    return next(box for box in app.selectbox if box.label == label)


def options(app: AppTest) -> list[str]:
    return list(picker(app).options)


@pytest.mark.parametrize("page", ["ask.py", "trace_explorer.py", "compare_baselines.py", "corpus.py", "evaluation.py"])
def test_every_page_opens_the_settings_and_leaving_it_closes_them(home: Path, page: str) -> None:
    app = opened(page=page)
    assert not app.exception
    assert picker(app).value == ""
    app.switch_page("corpus.py" if page != "corpus.py" else "ask.py").run()
    assert "Language model" not in [box.label for box in app.selectbox]


def test_no_server_says_how_to_start_one_and_no_model_is_a_choice(home: Path) -> None:
    app = opened()
    assert "Start it with `ollama serve`" in shown(app)
    assert options(app) == ["No model: rules only"]
    assert ([each.title for each in app.info], list(app.warning)) == (["The model server does not answer"], [])
    assert "Without a model every step follows rules" in shown(app)
    app.session_state["app_choice"] = Choice(model="llama3.2")
    assert [each.title for each in app.run().warning] == ["The model server does not answer"]


def test_the_models_are_offered_with_their_sizes(home: Path, ollama: OllamaLoopback) -> None:
    app = opened()
    assert options(app) == [
        "No model: rules only",
        "llama3.2 · 3.2B · 2.0 GB",
        "qwen3:8b · 3.2B · 2.0 GB",
    ]
    assert "2 models" in shown(app)


def test_what_is_chosen_holds_in_a_new_session_and_reaches_the_run(home: Path, ollama: OllamaLoopback) -> None:
    app = opened()
    picker(app).set_value("llama3.2:latest").run()
    picker(app, "Writes the answer").set_value("qwen3:8b").run()
    app.get("button_group")[0].set_value(["plan", "synthesise", "entail"]).run()
    app.button(key="settings_done").click().run()
    again = AppTest.from_file(MAIN, default_timeout=180)
    again.query_params["q"] = QUESTION
    again.run()
    assert unescaped(again.button(key="ask_settings").label) == "llama3.2 + qwen3:8b · up to 10 hops"
    again.button(key="ask_start").click().run()
    row = get_runner().wait(run_of(again), timeout=180)
    assert row.model == "llama3.2:latest + qwen3:8b"
    assert row.settings.ablate == ("model_refine", "model_read", "model_critique")
    assert row.settings.entailment
    asked = {body["model"] for body in ollama.bodies("/api/chat")}
    assert asked == {"llama3.2:latest", "qwen3:8b"}


def test_drawing_anew_sets_nothing_that_could_take_a_choice_back(home: Path, ollama: OllamaLoopback) -> None:
    app = opened()
    assert not picker(app).proto.set_value
    picker(app).set_value("llama3.2:latest").run()
    pills = app.get("button_group")[0]
    assert (picker(app).proto.set_value, pills.proto.set_value) == (False, False)
    assert (picker(app).proto.default, list(pills.proto.default)) == (1, [0, 1, 2, 3, 4])
    pills.set_value(["synthesise", "plan"]).run()
    same = app.get("button_group")[0]
    assert (same.proto.id, same.value) == (pills.proto.id, ["synthesise", "plan"])
    app.button(key="settings_done").click().run()
    again = picker(app.button(key="settings_button").click().run())
    assert (again.proto.default, again.value) == (1, "llama3.2:latest")


def test_a_label_that_has_changed_meanwhile_still_names_its_model() -> None:
    names = ("qwen3:8b", "llama3.2:latest")
    assert by_label("llama3.2 · not on the server", names) == "llama3.2:latest"
    assert by_label("qwen3:8b · 3.2B · 2.0 GB", names) == "qwen3:8b"
    assert by_label("my-own-model", names) == "my-own-model"


def test_sources_and_limits_reach_the_run(home: Path) -> None:
    app = opened("Sources")
    assert app.toggle(key="source_news_api").disabled
    assert "set NEWS_API_KEY in .env" in shown(app)
    app.session_state["settings_part"] = "Limits"
    app.run()
    app.number_input(key="limit_tokens").set_value(20_000).run()
    app.number_input(key="limit_hops").set_value(2).run()
    app.number_input(key="limit_usd").set_value(0.5).run()
    app.button(key="settings_done").click().run()
    assert unescaped(app.button(key="ask_settings").label) == "No model · up to 2 hops · 20,000 tokens · $0.5"
    app.query_params["q"] = QUESTION
    app.run().toggle(key="ask_learn").set_value(True).run()
    app.button(key="ask_start").click().run()
    row = get_runner().wait(run_of(app), timeout=180)
    assert (row.model, row.settings.max_hops, row.settings.min_hops) == (None, 2, 2)
    assert row.budget == Budget(max_tokens=20_000, max_usd=0.5)
    assert row.settings.learn


def test_a_key_is_said_to_be_set_and_never_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWS_API_KEY", "topsecretkey")
    app = opened("Sources")
    app.toggle(key="source_news_api").set_value(True).run()
    assert "NEWS_API_KEY is set" in shown(app)
    assert "topsecretkey" not in shown(app)
    kept = open_store().setting("app_choice")
    assert kept["sources"] == ["news_api"]
    assert "topsecretkey" not in json.dumps(kept)


def test_a_comparison_takes_the_settings_too(home: Path, ollama: OllamaLoopback) -> None:
    open_store().set_setting("app_choice", {"model": "llama3.2:latest", "hops": 2})
    app = AppTest.from_file(MAIN, default_timeout=180).run().switch_page("compare_baselines.py").run()
    app.text_input(key="compare_question").set_value("What is Python?").run()
    app.get("button_group")[0].set_value(["adaptive", "bm25"]).run()
    app.button(key="compare_run").click().run()
    rows = open_store().runs(limit=10)
    assert {row.model for row in rows} == {"llama3.2:latest"}
    for row in rows:
        get_runner().wait(row.run_id, timeout=180)


def test_an_experiment_begins_with_the_model_of_the_settings_and_says_that_it_asks_it(home: Path) -> None:
    open_store().set_setting("app_choice", {"model": "llama3.2:latest", "writer": "qwen3:8b"})
    app = AppTest.from_file(MAIN, default_timeout=180).run().switch_page("evaluation.py").run()
    field = next(field for field in app.text_input if field.label == "Language model")
    assert field.value == "llama3.2:latest + qwen3:8b"
    assert "Asks llama3.2 + qwen3:8b." in shown(app)
    assert "Asks" not in shown(field.set_value("").run())


def test_a_model_that_is_not_there_is_offered_and_got_with_numbers(home: Path, ollama: OllamaLoopback) -> None:
    go_on = threading.Event()

    def pull(call: Call) -> None:
        call.begin()
        call.line({"status": "pulling a80c", "total": 2_000_000_000, "completed": 500_000_000})
        go_on.wait(SLOW)
        ollama.models = ("mistral:latest",)
        call.line({"status": "success"})
        call.end()

    ollama.models = ()
    ollama.answers["/api/pull"] = pull
    app = opened()
    assert "has no model to talk to yet" in shown(app)
    app.text_input(key="pull_name_first").set_value("mistral").run()
    app.button(key="pull_first").click().run()
    until(app, lambda _: "500 MB of 2.0 GB (25%)" in unescaped(str([bar.proto.text for bar in app.get("progress")])))
    go_on.set()
    until(app, lambda text: "mistral is on the server now" in text)
    until(app, lambda _: "mistral · 3.2B · 2.0 GB" in options(app))
    assert picker(app).value == "mistral:latest"


def test_a_pull_can_be_cancelled(home: Path, ollama: OllamaLoopback) -> None:
    def pull(call: Call) -> None:
        call.begin()
        call.line({"status": "pulling a80c", "total": 200, "completed": 50})
        call.hang()

    ollama.models = ()
    ollama.answers["/api/pull"] = pull
    app = opened()
    app.button(key="pull_first").click().run()
    app.button(key="pull_cancel").click().run()
    assert "Stopped. The server keeps what has arrived" in shown(app)
    assert app.button(key="pull_again").label == "Try again"


def test_a_pull_that_ended_while_the_settings_were_closed_is_told_and_chosen_when_they_open(
    home: Path, ollama: OllamaLoopback
) -> None:
    def pull(call: Call) -> None:
        ollama.models = ("mistral:latest",)
        call.lines([{"status": "success"}])

    ollama.models = ()
    ollama.answers["/api/pull"] = pull
    model_pull.begin("mistral", read_settings(env_file=None, ollama_host=ollama.url))
    model_pull.current().wait(SLOW)
    assert "mistral is on the server now" in shown(opened())
    assert open_store().setting("app_choice")["model"] == "mistral"


def test_before_a_run_it_is_said_that_its_model_cannot_be_asked(home: Path, ollama: OllamaLoopback) -> None:
    open_store().set_setting("app_choice", {"model": "mistral"})
    app = AppTest.from_file(MAIN, default_timeout=180)
    until(app.run(), lambda text: "mistral is not on the model server" in text)  # before a question, too
    app.query_params["q"] = QUESTION
    until(app.run(), lambda text: "mistral is not on the model server; download it in the settings." in text)
    assert "plans its own" not in shown(app)
    assert app.button(key="ask_start").label == "Start with 3 aspects"
    open_store().set_setting("app_choice", {"model": "llama3.2"})
    there = AppTest.from_file(MAIN, default_timeout=180)
    there.query_params["q"] = QUESTION
    assert "llama3.2 plans its own when the run starts" in shown(there.run())
    assert there.button(key="ask_start").label == "Start"


def test_a_wrong_key_is_said_without_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Loopback()
    said = {"error": {"message": "Incorrect API key provided: sk-wrong-key-1"}}
    server.answers["/v1/models"] = lambda call: call.json(said, 401)
    monkeypatch.setenv("ADAQ_PROVIDER", "openai")
    monkeypatch.setenv("ADAQ_OPENAI_BASE_URL", f"{server.url}/v1")
    monkeypatch.setenv("ADAQ_OPENAI_API_KEY", "sk-wrong-key-1")
    app = opened()
    server.close()
    assert "refused the key (401)" in shown(app)
    assert "sk-wrong-key-1" not in shown(app)


def test_a_setting_that_cannot_be_read_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADAQ_NUM_CTX", "many")
    app = opened()
    assert not app.exception
    assert "ADAQ_NUM_CTX" in shown(app)


def test_a_page_is_drawn_while_the_server_says_nothing(home: Path, ollama: OllamaLoopback) -> None:
    open_store().set_setting("app_choice", {"model": "llama3.2:latest"})
    ollama.answers["/api/tags"] = lambda call: call.hang()
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    app.button(key="settings_button").click().run()
    assert "Asking Ollama at" in shown(app)
    assert options(app) == ["No model: rules only", "llama3.2"]


def test_a_silent_server_is_not_waited_for() -> None:
    done = threading.Event()

    def looks(settings: ModelSettings) -> ServerModels:
        done.wait(SLOW)
        return ServerModels("ollama", "here")

    watch, settings = ServerWatch(looks=looks), read_settings(env_file=None)
    assert watch.seen(settings) is None
    assert watch.seen(settings, wait=0.01) is None
    done.set()
    assert watch.seen(settings, wait=SLOW) == ServerModels("ollama", "here")


def test_a_look_is_remembered_for_some_seconds_and_old_ones_serve_until_the_next() -> None:
    now, asked = [0.0], []

    def looks(settings: ModelSettings) -> ServerModels:
        asked.append(settings)
        return ServerModels("ollama", str(len(asked)))

    watch, settings = ServerWatch(looks=looks, clock=lambda: now[0]), read_settings(env_file=None)
    assert watch.seen(settings, wait=SLOW) == ServerModels("ollama", "1")
    now[0] = 4.0
    assert watch.seen(settings) == ServerModels("ollama", "1")
    assert len(asked) == 1
    now[0] = 6.0
    watch.seen(settings)
    for _ in range(200):
        if watch.seen(settings) == ServerModels("ollama", "2"):
            break
        threading.Event().wait(0.01)
    assert len(asked) == 2
    watch.forget(settings)
    assert watch.seen(settings, wait=SLOW) == ServerModels("ollama", "3")


@pytest.mark.parametrize(
    ("kept", "choice"),
    [
        ({}, Choice()),
        ({"model": 3, "hops": 99, "tokens": -1, "usd": "x", "off": "plan", "else": 1}, Choice()),
        ({"model": "m", "off": ["plan", 3], "hops": 4, "usd": 1}, Choice(model="m", off=("plan",), hops=4, usd=1.0)),
        ({"second_look": True, "hops": "4", "calls": True}, Choice(second_look=True)),
        ({"second_look": 1, "sources": ["wikipedia", "gone", 3]}, Choice(sources=("wikipedia",))),
    ],
)
def test_what_was_kept_and_cannot_be_used_has_its_default(kept: dict[str, object], choice: Choice) -> None:
    assert from_json(kept) == choice


def test_stages_are_kept_to_rules_only_where_there_is_a_model() -> None:
    assert Choice(off=("plan",)).ablate == ()
    assert Choice(model="m", off=("read", "plan")).ablate == ("model_plan", "model_read")
    assert [Choice().run_model, Choice(model="m").run_model, Choice(model="m", writer="w").run_model] == [
        None,
        "m",
        "m + w",
    ]


class Told(Job[None]):
    """A job of which only the numbers count."""

    def __init__(self, done: int = 0, total: int = 0, what: str = "", *, rate: float | None = None) -> None:
        super().__init__("told", lambda *_: None)
        self.done, self.total, self.what, self._rate = done, total, what, rate

    @property
    def rate(self) -> float | None:
        return self._rate


def test_how_far_a_pull_is_in_words() -> None:
    line = model_pull.progress_line
    assert line(Told(what="pulling manifest"), "m") == "Downloading m: pulling manifest"
    half = Told(1_200_000_000, 2_000_000_000, "pulling a80c", rate=34e6)
    assert line(half, "m") == "Downloading m: 1.2 GB of 2.0 GB (60%) · 34 MB a second · about 24 s left"
    assert line(Told(10, 10, "verifying"), "m") == "Downloading m: 10 bytes of 10 bytes (100%) · verifying"


def test_code_in_a_message_of_adaq_is_code_and_nothing_else() -> None:
    assert coded("Start it with `ollama serve` now") == "Start it with `ollama serve` now"
    assert coded("one ` alone") == "one \\` alone"
    assert coded("![x](y) `a`") == "\\!\\[x\\]\\(y\\) `a`"
