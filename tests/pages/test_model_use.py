"""What the pages tell of a language model: what used it, where rules took over, every call in full, never as markup."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from adaq_core.events import (
    AspectsPlanned,
    Decided,
    Event,
    FellBack,
    FindingsRead,
    HopStarted,
    ModelCalled,
    Noticed,
    PassagesRetrieved,
    Record,
    RunFinished,
    RunStarted,
)
from adaq_core.model import Budget, CitationsCheck, Decision, Settings, Subquery
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from adaq_core.store import RunRow, open_store
from adaq_core.trace import view
from pages._shared.ask.live_view import advice
from pages._shared.run.data import headline
from pages._shared.run.model_calls import (
    ModelUse,
    check_line,
    doing,
    fell_line,
    fell_reasons,
    model_use,
    shown_instead,
    use_line,
    what_happened,
)
from pages._shared.trace.model_io import MOST_CHARACTERS, call_row, readable
from tests import advising
from tests.llm.loopback import Call, OllamaLoopback, said
from tests.pages.built_runs import CORPUS
from tests.pages.test_ask import ask, shown, unescaped
from tests.pages.test_settings import picker
from tests.pages.test_trace_explorer import explorer
from tests.scripted import Scripted

HOSTILE = "![x](http://evil.example/p.png) <script>alert(1)</script> [l](http://evil.example)"
QUESTION = "Compare SEAL-RAG, Self-RAG and CRAG"


def called(stage: str, reply: str = "x", **rest: object) -> ModelCalled:
    return ModelCalled(stage, "llama3.2:latest", "hash", "prompt", reply, **rest)  # type: ignore[arg-type]


def records(*events: tuple[float, Event]) -> list[Record]:
    return [Record(n, "2026-01-02T09:30:00+00:00", at, event) for n, (at, event) in enumerate(events, start=1)]


QUERY = Subquery("q", "a")
SOME = records(
    (0.1, called("plan", prompt_tokens=200, num_ctx=1000)),
    (0.2, AspectsPlanned(())),
    (2.2, called("refine")),
    (2.2, FellBack("refine", "no query in it", "the query templates", "x")),
    (2.3, HopStarted(1, (QUERY,), "why")),
    (2.4, PassagesRetrieved(1, QUERY, "lexical", (), 0)),
    (4.4, called("read", cached=True, notes=("two passages were left out",))),
    (4.4, Noticed("read", "two passages were left out")),
    (4.4, FellBack("read", "a claim without a quote", "the rest of the reply", "x")),
    (4.4, called("read")),
    (4.5, FindingsRead(1, ())),
    (4.6, FellBack("critique", "not asked: the model could not be used in read", "the scores of the findings")),
)


def test_each_call_has_its_hop_its_time_and_its_fate() -> None:
    use = model_use(SOME)
    seen = [(c.number, c.hop, c.seconds and round(c.seconds, 1), c.fate) for c in use.calls]
    assert seen == [
        (1, None, 0.1, "used"),
        (2, 1, 2.0, "by rules"),
        (3, 1, None, "in part"),
        (4, 1, None, "used"),
    ]
    assert [fell.stage for fell in use.not_asked] == ["critique"]
    assert (use.calls[0].share_of_context, use.calls[1].share_of_context) == (0.2, None)
    assert not use.silent


def test_fallbacks_are_counted_by_calls_and_what_was_not_asked_is_said_apart() -> None:
    rules = "rules replaced 1 of 4 model replies; 1 was only used in part; 1 more call was not made"
    assert fell_line(model_use(SOME)) == rules
    assert fell_line(model_use(SOME[:2])) == ""
    assert fell_line(model_use(SOME[-1:])) == "the model was not asked for the coverage"
    assert fell_line(model_use(SOME[5:11])) == "1 of 2 model replies was only used in part"
    assert fell_line(ModelUse()) == ""


def test_why_replies_were_not_used_is_told_once_for_each_reason() -> None:
    assert fell_reasons(model_use(SOME)) == "Queries: No query in it. Reading: A claim without a quote."
    json = [
        (float(n), event)
        for n, stage in enumerate(("plan", "read", "read"), 1)
        for event in (called(stage), FellBack(stage, "the reply holds no JSON", "what the rules read", "x"))
    ]
    twice = fell_reasons(model_use(records(*json)))
    assert twice == "Aspects and reading: The reply was not in the form that was asked for."
    assert fell_reasons(model_use(SOME[-1:])) == (
        "Coverage: The model failed at the reading and was not asked again in this run."
    )
    assert fell_reasons(model_use(SOME[:2])) == ""


def test_which_stages_asked_and_which_went_by_rules() -> None:
    line = use_line(model_use(SOME), "llama3.2:latest + qwen3:8b", off=("model_synthesise", "other"))
    calls = "Calls to llama3.2 + qwen3:8b: aspects 1, queries 1, reading 2"
    assert line == f"{calls} · by rules: answer · 1 of 4 replies reused from earlier"
    assert use_line(ModelUse(), "m") == "Calls to m: none"


GONE = "The server at http://x went away while it answered (TransportError: peer (again) closed). Look at its log."


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        ("the reply holds no JSON", "The reply was not in the form that was asked for."),
        ("the JSON stood in a code fence", "The reply proper stood in a code fence."),
        (GONE, "The server at http://x went away while it answered. Look at its log."),
        ("not asked: the model could not be used in critique",
         "The model failed at the coverage and was not asked again in this run."),
        ("not asked: the model failed 3 times in a row",
         "The model failed 3 times in a row and was not asked again in this run."),
        ("not asked: the time budget has no room for it", "The time limit left no room for it."),
        ("not asked: the budget of tokens and calls has no room for it",
         "The limit on tokens or calls left no room for it."),
        ("llama3.2 at http://x reported an error: killed", "llama3.2 at http://x reported an error: killed."),
    ],
)  # fmt: skip
def test_what_happened_to_a_reply_is_told_in_plain_sentences(problem: str, told: str) -> None:
    assert what_happened(FellBack("read", problem, "what the rules read")) == told


def test_what_is_shown_instead_is_a_sentence_for_every_stage() -> None:
    stages = Path(__file__).parents[2] / "adaq_core" / "stages"
    texts = "\n".join(path.read_text(encoding="utf-8") for path in stages.glob("*.py"))
    used = [*re.findall(r'instead="([^"]+)"', texts), "the rest of the reply"]
    assert len(used) > 6
    told = [shown_instead(FellBack("read", "x", each)) for each in used]
    assert [words for words in told if words.startswith("Used instead") or not words.endswith(".")] == []


def test_what_one_can_do_depends_on_why_the_model_was_not_used() -> None:
    assert "Once the model answers again, ask again" in advice(model_use(SOME))
    assert "a larger model may keep better to what it is asked for" in advice(model_use(SOME[:-1]))
    assert "“Continue from here” asks the model" in advice(model_use(SOME[:-1]), was_stopped=True)
    spent = FellBack("read", "not asked: the time budget has no room for it", "what the rules read")
    assert "The limits can be raised in the settings." in advice(model_use(records((0.1, spent))))


def test_what_the_model_is_doing_now() -> None:
    two = "small + large:latest"
    assert doing(SOME[:2], two) == "small is wording the next query"
    assert doing(SOME[:6], two) == "small is reading the passages"
    assert doing(SOME[:11], two) == "small is scoring the coverage"
    assert doing(SOME[:11], two, off=("model_critique",)) == ""
    assert doing(SOME, two) == ""
    assert doing(SOME[:5], two) == ""
    assert doing(SOME[:2], None) == ""
    stop = records((1.0, Decided(1, Decision(True, "enough", "all_covered"))))
    assert doing(stop, two) == "large is writing the answer"


def test_the_check_of_the_citations_in_words() -> None:
    assert check_line(CitationsCheck()) == "The answer cited nothing that could be checked."
    assert check_line(CitationsCheck(repaired=2, unsupported=1)) == (
        "The model cited nothing: 2 citations added where a passage says it; 1 sentence without support."
    )
    assert check_line(CitationsCheck(9)) == "9 citations checked against the passages, none had to be corrected."
    assert check_line(CitationsCheck(9, 2, 1, 1)) == (
        "9 citations checked against the passages: 2 corrected, 1 removed; 1 sentence without support."
    )


def test_a_row_of_the_table_holds_what_is_known_and_no_mark_that_turns_the_reading_direction() -> None:
    use = model_use(SOME)
    assert call_row(use.calls[0]) == {
        "n": 1,
        "hop": None,
        "stage": "aspects",
        "read": 200,
        "wrote": None,
        "context": 20.0,
        "took": "0.10 s",
        "fate": "used",
        "notes": "",
    }
    assert call_row(use.calls[2])["notes"] == (
        "reused from earlier; a claim without a quote; two passages were left out"
    )
    fell = model_use(records((0.1, called("read")), (0.1, FellBack("read", "a\u202eb", "rules"))))
    assert call_row(fell.calls[0])["notes"] == "ab"


def test_json_in_a_reply_is_indented_and_all_else_stays_text() -> None:
    assert readable('{"a": [1]}') == '{\n  "a": [\n    1\n  ]\n}'
    assert readable('```json\n{"a": 1}\n```') == '{\n  "a": 1\n}'
    assert readable("SUBQUERY: x | ASPECT: y") is None
    assert readable(HOSTILE) is None


# Real runs, shown by the real pages.


def run(chat: object = None, *, model: str | None = None, **settings: object) -> RunRow:
    runner = get_runner()
    given = Settings(**settings)  # type: ignore[arg-type]
    run_id = runner.submit(RunSpec("adaptive", QUESTION, settings=given), corpus="sample", chat=chat, model=model)
    return runner.wait(run_id, timeout=180)


def test_ask_tells_who_used_the_model_and_that_the_citations_were_checked(home: Path) -> None:
    row = run(Scripted(advising.STAGES), ablate=("model_critique",))
    text = shown(ask(run=row.run_id))
    assert "Written by the language model." in text
    assert "citations checked against the passages" in text
    assert "by rules: coverage" in text


def test_a_badge_opens_the_list_of_what_fell_back(home: Path) -> None:
    row = run(Scripted({**advising.STAGES, "read": lambda _: HOSTILE}))
    app = ask(run=row.run_id)
    labels = [unescaped(p.proto.popover.label) for p in app.get("popover")]
    assert any("Rules replaced" in label for label in labels), labels
    assert "The passages were read by rules." in shown(app)


def test_a_stage_of_an_imported_run_cannot_smuggle_markup_into_the_badge(home: Path) -> None:
    run_id = open_store().begin(RunStarted("q", "adaptive", CORPUS, Settings(), Budget(), model="m"))
    started = RunStarted("q", "adaptive", CORPUS, Settings(), Budget(), model="m")
    story = (started, called("plan"), FellBack(HOSTILE, "not asked: gone", "rules"), RunFinished("no_evidence", "none"))
    for event in story:
        open_store().append(run_id, event)
    labels = [popover.proto.popover.label for popover in ask(run=run_id).get("popover")]
    badge = next(label for label in labels if "not asked" in label)
    assert HOSTILE in unescaped(badge)
    assert badge.count("![") == 0


def test_a_run_that_ended_before_its_model_was_asked_is_not_said_to_have_none() -> None:
    started = RunStarted("q", "adaptive", CORPUS, Settings(), Budget(), model="m")
    assert headline(view([Record(1, "", 0.0, started)]))[-1] == "0 tokens"
    assert headline(view([Record(1, "", 0.0, replace(started, model=None))]))[-1] == "no language model"


def test_a_run_that_was_cut_off_before_its_first_event_is_not_said_to_have_had_no_model(home: Path) -> None:
    """Beside "Calls to m: none" the line of figures said "no language model"."""
    first = RunStarted("What is BM25?", "adaptive", CORPUS, Settings(), Budget(), model="m")
    run_id = open_store().begin(first)
    open_store().end_without_event(run_id, "interrupted", "ADAQ ended before the run did.")
    text = shown(ask(run=run_id))
    assert "Calls to m: none" in text
    assert "no language model" not in text


def test_a_run_that_was_cut_off_after_its_first_event_is_not_said_to_have_taken_0_ms() -> None:
    started = RunStarted("q", "adaptive", CORPUS, Settings(), Budget())
    for last in (0.0, 0.0003):  # seconds: the run says no more than that it is planning, for however long
        begun = [Record(1, "", 0.0, started), Record(2, "", last, Noticed("plan", "…"))]
        assert headline(view(begun)) == ("0 hops", "0 passages read", "no language model")


def test_a_run_without_a_model_says_nothing_of_one(home: Path) -> None:
    text = shown(ask(run=run().run_id))
    assert "no language model" in text
    assert "citations checked" not in text


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaLoopback]:
    server = OllamaLoopback()
    server.answers["/api/chat"] = lambda call: call.lines(said(_reply(call)))
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    monkeypatch.setattr("adaq_core.llm.settings.ENV_FILE", None)
    yield server
    server.close()


def _reply(call: Call) -> str:
    return advising.said_by(call.body["messages"][-1]["content"])


def test_over_a_socket_the_answer_is_the_models(home: Path, ollama: OllamaLoopback) -> None:
    text = shown(ask(run=run(model="llama3.2").run_id))
    assert "llama3.2: aspects 1, reading" in text
    assert "fell back" not in text


@pytest.mark.parametrize("word", ["word ", ""])
def test_while_it_runs_the_page_says_what_the_model_does_and_cancel_ends_its_reply(
    home: Path, ollama: OllamaLoopback, word: str
) -> None:
    def endless(call: Call) -> None:
        call.begin()
        while not call.stopped.wait(0.02):
            call.line(said(word)[0])

    ollama.answers["/api/chat"] = endless
    run_id = get_runner().submit(RunSpec("adaptive", QUESTION), corpus="sample", model="llama3.2")
    while not any(isinstance(r.event, RunStarted) for r in open_store().records(run_id)):
        threading.Event().wait(0.02)
    app = ask(run=run_id)
    assert "llama3.2 is finding the aspects" in shown(app)
    assert "Calls to" not in shown(app), "it is at its first"
    app.button(key="ask_cancel_run").click().run()
    row = get_runner().wait(run_id, timeout=180)
    assert (row.over, row.stop_reason) == (True, "user_stop")
    over = ask(run=run_id)
    assert ("You stopped the run before llama3.2 had answered." in shown(over)) == (not word)
    assert not over.warning


def test_no_server_is_said_with_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("OLLAMA_HOST", f"127.0.0.1:{free.getsockname()[1]}")
    app = ask(run=run(model="llama3.2").run_id)
    warning = app.warning[0]
    assert unescaped(warning.proto.title) == "llama3.2 was not used"
    assert "Start it with `ollama serve`" in unescaped(warning.value)
    assert "Rules were used instead." in warning.value
    app.button(key="silent_settings").click().run()
    assert picker(app).value == ""


def test_a_model_that_is_not_there_is_said(home: Path, ollama: OllamaLoopback) -> None:
    assert "Get it with `ollama pull mistral`" in shown(ask(run=run(model="mistral").run_id))


def _dies(call: Call) -> None:
    call.begin()
    call.line(said('{"aspects": [')[0])
    call.die()


def _nonsense(call: Call) -> None:
    call.lines(said(HOSTILE))


@pytest.mark.parametrize("answer", [_dies, _nonsense])
def test_a_model_that_dies_or_talks_nonsense_is_on_the_pages_with_its_raw_reply(
    home: Path, ollama: OllamaLoopback, answer: Callable[[Call], None]
) -> None:
    ollama.answers["/api/chat"] = answer
    row = run(model="llama3.2")
    assert row.status == "finished"
    app = ask(run=row.run_id)
    assert not app.exception
    labels = [unescaped(p.proto.popover.label) for p in app.get("popover")]
    assert any("Rules replaced" in label for label in labels), labels
    trace = explorer(run=row.run_id, tab="model", call="1")
    assert not trace.exception
    raw = trace.get("button_group")[-1]
    raw.set_value("Raw").run()
    codes = [code.value for code in trace.code]
    assert any(text == ('{"aspects": [' if answer is _dies else HOSTILE) for text in codes), codes


def test_model_io_shows_the_call_that_the_address_names_with_its_meter(home: Path, ollama: OllamaLoopback) -> None:
    row = run(model="llama3.2")
    app = explorer(run=row.run_id, tab="model", call="2")
    assert "**Call 2**, reading, by llama3.2" in shown(app)
    bars = [unescaped(bar.proto.text) for bar in app.get("progress")]
    assert any("The prompt took 20 of 8,192 tokens" in bar for bar in bars), bars
    assert len(app.dataframe[0].value) == row.model_calls


def test_hostile_replies_stay_text_in_model_io(home: Path) -> None:
    row = run(Scripted({**advising.STAGES, "read": lambda _: HOSTILE}))
    app = explorer(run=row.run_id, tab="model", call="2")
    for element in [*app.markdown, *app.caption, *app.warning]:
        line = str(element.value)
        for mark in "![<":
            assert line.count(mark) == line.count("\\" + mark) or "evil" not in line, line


def test_a_very_long_prompt_is_cut_on_the_page_and_whole_in_the_download(home: Path) -> None:
    row = run(Scripted({**advising.STAGES, "read": lambda _: "y" * (MOST_CHARACTERS + 5)}))
    app = explorer(run=row.run_id, tab="model", call="2")
    app.get("button_group")[-1].set_value("Raw").run()
    assert f"The first {MOST_CHARACTERS:,} characters are shown." in shown(app)
    assert max(len(code.value) for code in app.code) == MOST_CHARACTERS


def test_going_on_with_one_more_hop_keeps_the_model_of_the_run(home: Path, ollama: OllamaLoopback) -> None:
    row = run(model="llama3.2", ablate=("model_plan",))
    planned = next(r.event for r in open_store().records(row.run_id) if isinstance(r.event, AspectsPlanned))
    aspect = planned.aspects[0].aspect
    after = get_runner().wait(get_runner().continue_with(row.run_id, aspect), timeout=60)
    assert (after.model, after.settings.ablate) == ("llama3.2", ("model_plan",))
