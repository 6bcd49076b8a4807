"""Ask while a run goes on and when it is over: its hops, how it ended, what can be done next."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import (
    AnswerWritten,
    RunStarted,
)
from adaq_core.model import (
    Answer,
    Budget,
    NotCovered,
    QueryAspect,
    Settings,
)
from adaq_core.planner import QueryPlanner
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from pages._shared.ask.done import how_searched, missed_words
from pages._shared.ask.run_view import live_words
from pages._shared.ask.start import Reveal, hand_over, reveal_of
from pages._shared.common import backend
from pages._shared.run.data import open_aspects, taken
from tests.asking import execute
from tests.pages.built_runs import (
    ASPECTS,
    CORPUS,
    TURNS,
    Story,
    events,
    failed,
    finished,
    huge,
    partial,
    records,
    running,
)
from tests.pages.conftest import MAIN
from tests.pages.test_ask import QUESTION, answer, ask, component, pressed, run_of, shown, stored, stored_events


def test_a_started_question_ends_in_an_answer_by_aspect_with_the_reason_for_stopping(home: Path) -> None:
    app = ask(q=QUESTION).button(key="ask_start").click().run()
    get_runner().wait(run_of(app), timeout=180)
    text = shown(pressed(app.run(), "Show the answer"))
    assert "aspects covered" in text
    assert "Stopped after" in text
    assert "q" not in app.query_params


def styled(app: AppTest, rule: str) -> bool:
    return any(rule in each.proto.body for each in app.get("html"))


def started(**state: bool) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.query_params["q"] = QUESTION
    for name, value in state.items():
        app.session_state[name] = value
    app.run().button(key="ask_start").click().run()
    get_runner().wait(run_of(app), timeout=180)
    return app.run()


def test_the_hops_of_a_run_that_is_over_already_are_shown_before_its_answer_gives_the_ending_away(home: Path) -> None:
    app = started()
    assert [b.label for b in app.button if b.key == "ask_skip"] == ["Show the answer"]
    assert styled(
        app, ".st-key-ask_done * {visibility: hidden !important}"
    )  # drawn already, so that it is there when the lanes go
    assert "Stopped after" in shown(app)
    app = pressed(app, "Show the answer")
    assert styled(app, ".st-key-ask_live {display: none}")
    assert not styled(app, ".st-key-ask_done * {visibility: hidden !important}")


def test_who_cancels_a_run_does_not_have_to_watch_its_hops(home: Path) -> None:
    run_id = stored(running())
    app = ask(run=run_id)
    app.session_state["ask_reveal"] = Reveal(run_id)
    app.button(key="ask_cancel_run").click().run()
    assert "ask_reveal" not in app.session_state


def test_nothing_is_skipped_where_only_the_drawing_of_the_answer_is_waited_for(home: Path) -> None:
    run_id = stored(finished())
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.query_params["run"] = run_id
    for is_short in (True, False):
        app.session_state["ask_reveal"] = Reveal(run_id, is_short=is_short, over_since=time.monotonic() + 60)
        app.run()
        assert "The search took" in shown(app)
        assert ("Show the answer" in [button.label for button in app.button]) is not is_short


def test_a_user_who_does_not_want_to_watch_gets_the_answer_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages._shared.ask.start._HAND_OVER_SECONDS", 0.0)  # how long depends on the machine
    assert styled(started(ask_paced=False), ".st-key-ask_live {display: none}")


def test_the_lanes_of_a_run_that_has_just_ended_stay_until_its_answer_is_drawn(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = backend.row(stored(finished()))
    assert row is not None
    kept: dict[str, object] = {}
    monkeypatch.setattr("pages._shared.ask.start.st.session_state", kept)
    assert reveal_of(row) is None
    hand_over(row)
    assert reveal_of(row) is not None
    monkeypatch.setattr("pages._shared.ask.start._HAND_OVER_SECONDS", 0.0)
    assert reveal_of(row) is None


def test_an_answer_comes_even_when_the_browser_never_says_that_the_hops_were_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._shared.ask.start._PATIENCE", 0.0)
    monkeypatch.setattr("pages._shared.ask.start._PATIENCE_PER_HOP", 0.0)
    monkeypatch.setattr("pages._shared.ask.start._HAND_OVER_SECONDS", 0.0)
    assert styled(started(), ".st-key-ask_live {display: none}")


def test_a_run_that_is_opened_by_its_address_shows_its_answer_at_once(home: Path) -> None:
    assert "Stopped after" in shown(ask(run=stored(finished())))


def test_start_at_once_skips_the_aspects(home: Path) -> None:
    app = ask()
    app.toggle(key="ask_at_once").set_value(True).run()
    app = pressed(app, QUESTION)
    assert open_store().count() == 1
    assert "run" in app.query_params


def test_a_link_with_a_question_never_starts_a_run_by_itself(home: Path) -> None:
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.session_state["ask_at_once"] = True
    app.query_params["q"] = QUESTION
    app.run()
    assert open_store().count() == 0


def test_a_running_run_shows_its_lanes_what_it_searches_now_and_a_way_to_cancel(home: Path) -> None:
    app = ask(run=stored(running()))
    assert app.get("bidi_component")
    assert TURNS[2].query in shown(app)
    assert "You can leave this page" in shown(app)
    assert app.button(key="ask_cancel_run")


def test_a_run_that_is_being_cancelled_is_not_said_to_go_on() -> None:
    leave = "You can leave this page; the run"
    assert live_words(2.2, 0, is_ending=False) == f"2 s · 0 passages read · {leave} continues"
    assert live_words(2.2, 1, is_ending=True) == f"2 s · 1 passage read · {leave} ends by itself"


def test_a_run_counts_its_seconds_as_it_tells_them_in_the_end_and_none_while_its_corpus_is_made_ready() -> None:
    first = replace(records(finished())[0], at="2026-11-26T10:00:00+00:00", elapsed=0.5)
    assert taken([first], now=datetime(2026, 11, 26, 10, 0, 4, tzinfo=UTC)) == 4.5
    assert taken([]) is None
    assert live_words(None, 0, is_ending=False).startswith("Getting ready · You can leave")


def test_a_finished_run_says_how_much_is_covered_and_what_one_more_hop_would_have_tried(home: Path) -> None:
    text = shown(ask(run=stored(finished())))
    assert "ADAQ · 4 hops" in text
    assert "nothing was left to search for" in text
    assert "One more hop would have tried `one more query`" in text


def test_a_partial_run_names_what_is_missing_once_and_offers_to_search_it(home: Path) -> None:
    app = ask(run=stored(partial()))
    text = shown(app)
    assert "3 of 4 aspects covered" in text
    missing = "Regulatory exposure in Europe and the conditions of the Commission"
    assert text.count(f":small[{missing}] :orange-badge[not found]") == 1
    assert (app.button(key="ask_more_0").label, "Missing:" in text) == ("Search again", False)
    assert "European Commission conditions Acme Borealis" in app.button(key="ask_more_0").help
    assert missing not in str(app.table[0].value), "the table is left to what is covered"
    assert [box.label for box in app.expander if "more not covered" in box.label] == []


def test_of_what_was_only_looked_at_it_is_said_that_it_was_not_sent() -> None:
    story = Story(ASPECTS, TURNS[:1], stop="no_gain")
    name = ASPECTS[-1].aspect
    run = answer(story, not_covered=(NotCovered(name, ("Acme deals",)),))
    after = "One more hop goes on from this run."
    assert how_searched(run, name) == f"No query sent. Not sent, as nothing new was expected: `Acme deals`. {after}"
    assert how_searched(answer(story), name) == f"No query sent. {after}"
    [missed] = [each for each in open_aspects(run) if each.aspect.aspect == name]
    assert missed_words(run, missed) == f":small[{name}] :orange-badge[not found]"


def test_of_many_missing_aspects_the_first_are_shown_and_the_rest_is_folded_away(home: Path) -> None:
    app = ask(run=stored(replace(huge(), turns=huge().turns[:1])))
    assert "24 more not covered" in [box.label for box in app.expander]
    assert app.button(key="ask_more_29").label == "Search again"


@pytest.mark.parametrize(
    ("facets", "heads"),
    [
        ("legal risks and leadership", ["About", "Legal risks", "Leadership"]),
        ("legal risks, supply chain risks, competition and leadership", ["Aspect", "State"]),
    ],
)
def test_things_by_few_facets_are_a_matrix_and_by_many_a_list(
    home: Path, sample: DocumentRetriever, facets: str, heads: list[str]
) -> None:
    question = f"What are the {facets} of Tesla, Boeing and Apple?"
    app = ask(run=stored_events(list(execute("bm25", question, retriever=sample))))
    assert [head.split("\xa0")[-1] for head in app.table[0].value.columns] == heads


def test_a_question_that_names_nothing_has_its_verdict_and_no_list_of_what_was_not_found(home: Path) -> None:
    retriever = DocumentRetriever(CorpusLibrary().open("sample"))
    app = ask(run=stored_events(list(execute("adaptive", "it", retriever=retriever))))
    assert "The question is not clear" in shown(app)
    assert "not found" not in shown(app)


def test_where_nothing_is_quoted_the_verdict_stands_in_the_place_of_the_answer(home: Path) -> None:
    retriever = DocumentRetriever(CorpusLibrary().open("sample"))
    app = ask(run=stored_events(list(execute("adaptive", "asdf qwer zxcv", retriever=retriever))))
    answers, beside = app.columns[:2]
    assert "Nothing found" in "".join(each.value for each in answers.markdown)
    assert [button.label for button in answers.button] == ["Search again"]
    assert [fold.label for fold in beside.expander] == ["How it went: 1 hop"]


def test_a_failed_run_keeps_its_hops_says_the_first_line_and_can_be_retried(home: Path) -> None:
    app = ask(run=stored(failed()))
    assert "The run failed in hop 3" in shown(app)
    assert "The model gave no usable reply. What came before is kept." in shown(app)
    assert app.button(key="ask_resume").label == "Resume from the last complete hop"
    assert [status.state for status in app.status] == ["complete", "complete", "error"]
    assert app.status[-1].label == "**Hop 3** · :red[failed]", "how long it took nobody knows"
    assert "Traceback" not in shown(app)


def test_an_interrupted_run_can_be_gone_on_with(home: Path) -> None:
    run_id = stored(running())
    open_store().end_without_event(run_id, "interrupted", "The process that ran it ended.")
    app = ask(run=run_id)
    assert "Resume it; completed hops are not repeated." in shown(app)
    assert app.button(key="ask_resume").label == "Resume from the last complete hop"
    assert [status.state for status in app.status] == ["complete", "complete", "error"]
    assert app.status[-1].label == "**Hop 3** · :orange[interrupted]", "how long it took nobody knows"
    assert "searching" not in shown(app)
    assert list(app.table[0].value["State"])[-1] == ":gray-badge[not run]"


def test_a_run_that_was_stopped_by_hand_can_be_gone_on_with_where_an_aspect_is_open(home: Path) -> None:
    app = ask(run=stored(replace(partial(), stop="user_stop")))
    assert app.button(key="ask_resume").label == "Continue from here"
    assert "ask_resume" not in [each.key for each in ask(run=stored(replace(finished(), stop="user_stop"))).button]


def test_a_run_that_goes_on_has_its_aspects_marked_in_the_question_of_every_tab(home: Path) -> None:
    asked = "Who founded Zillow, and where is zirconium mined?"
    aspects = QueryPlanner().extract_aspects(asked).aspects
    app = ask(run=stored(replace(running(), question=asked, aspects=aspects)))
    marks = {kind for _, kinds in component(app, "ask_reading")["parts"] for kind in kinds.split()}
    assert {"a1", "a2"} <= marks


@pytest.mark.parametrize("given", [None, ASPECTS[:2]])
def test_a_reload_before_the_aspects_are_planned_shows_those_to_come(
    home: Path, given: Sequence[QueryAspect] | None
) -> None:
    asked = "Who founded Zillow, and where is zirconium mined?"
    run_id = open_store().begin(RunStarted(asked, "adaptive", CORPUS, Settings(), Budget()), aspects=given)
    lanes = component(ask(run=run_id), f"live_{run_id}")
    expected = given or QueryPlanner().extract_aspects(asked).aspects
    assert [each["name"] for each in lanes["aspects"]] == [each.aspect for each in expected]
    assert lanes["waiting"].startswith("Preparing the corpus")


def test_a_run_that_goes_on_from_another_shows_the_aspects_of_that_one_to_come(home: Path) -> None:
    parent = stored(failed())
    run_id = open_store().begin(RunStarted(failed().question, "adaptive", CORPUS, Settings(), Budget()), parent=parent)
    lanes = component(ask(run=run_id), f"live_{run_id}")
    assert [each["name"] for each in lanes["aspects"]] == [each.aspect for each in ASPECTS]


def test_an_answer_that_quotes_nothing_is_a_sentence_and_no_markdown(home: Path) -> None:
    nothing = Answer("**Not certain**\n\n**Not covered**\n\n- Price: nothing that was read is about it")
    happened = [AnswerWritten(nothing) if isinstance(e, AnswerWritten) else e for e in events(partial())]
    text = shown(ask(run=stored_events(happened)))
    assert "No sentence that was read is close enough to be quoted." in text
    assert "Not certain**" not in text


def test_a_run_that_ended_before_its_first_hop_says_how_far_it_got(home: Path) -> None:
    told = [shown(ask(run=ended_early(count))) for count in (1, 2)]
    assert "It ended before the question was split into aspects. Nothing was searched." in told[0]
    assert "4 aspects had been planned, and no hop was begun: nothing was searched." in told[1]
    assert "What came before is kept" not in "".join(told)


def ended_early(count: int) -> str:
    """A run of which only the first events are there."""
    run_id = stored_events(list(events(running()))[:count])
    open_store().end_without_event(run_id, "interrupted", "ADAQ ended before the run did.")
    return run_id


def test_a_note_and_a_thumb_are_kept_with_the_run(home: Path) -> None:
    run_id = stored(finished())
    app = ask(run=run_id)
    app.text_area(key=f"ask_note_{run_id}").set_value("good sources").run()
    app.get("feedback")[0].set_value(1).run()
    row = open_store().run(run_id)
    assert (row.note, row.rating) == ("good sources", 1)


def test_a_run_that_goes_on_elsewhere_has_a_chip(home: Path) -> None:
    run_id = stored(running())
    app = ask()
    links = [link.proto.label for link in app.get("page_link")]
    assert any("running" in label for label in links), links
    assert open_store().run(run_id).status == "running"
