"""Ask, as a user goes through it: the real runner, store and corpus, without a browser."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import AnswerWritten, AspectsPlanned, CoverageAssessed, Event, Record, RunFinished, RunStarted
from adaq_core.export.dossier import dossier
from adaq_core.export.verdict import unreached
from adaq_core.model import (
    Answer,
    AnswerTable,
    AspectScore,
    Budget,
    Citation,
    Conflict,
    NotCovered,
    Passage,
    QueryAspect,
    Settings,
    Statement,
    TableRow,
)
from adaq_core.planner import QueryPlanner
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from adaq_core.trace import RunView, cell, view
from benchmarks import demo
from pages._shared.ask.done import how_searched, lines_of, missed_words
from pages._shared.ask.empty import candidates, examples
from pages._shared.ask.run_view import live_words
from pages._shared.ask.start import Reveal, hand_over, objection, reveal_of
from pages._shared.common import backend
from pages._shared.common.chrome import row_height
from pages._shared.components.answer.view import (
    answer_groups,
    claim_lines,
    opened_claim,
    source_values,
    support_line,
    table_value,
    with_short_title,
)
from pages._shared.run.claims import how_it_came
from pages._shared.run.data import open_aspects, taken
from pages._shared.run.verdict import before_first_hop
from pages._shared.settings.choice import Choice
from tests.asking import execute
from tests.filings.test_grid import CONTOSO, NORTHWIND, report
from tests.pages.built_runs import (
    ASPECTS,
    CORPUS,
    TURNS,
    Story,
    aspect,
    events,
    failed,
    finished,
    huge,
    partial,
    records,
    running,
)
from tests.pages.conftest import MAIN

QUESTION = "self-attention vs multi-head attention"


def ask(**params: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180)
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def shown(app: AppTest) -> str:
    kinds = (app.title, app.subheader, app.markdown, app.caption, app.warning, app.info, app.error)
    return unescaped("\n".join(str(element.value) for kind in kinds for element in kind))


def unescaped(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def run_of(app: AppTest) -> str:
    value = app.query_params["run"]
    return value if isinstance(value, str) else value[0]


def named(app: AppTest) -> list[str]:
    return [box.value for box in app.text_input if str(box.key).startswith("ask_name_")]


def pressed(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if label in unescaped(b.label))
    return button.click().run()


def stored(story: Story) -> str:
    return stored_events(list(events(story)))


def stored_events(happened: Sequence[Event]) -> str:
    """A stored run of these events, a hundredth of a second each: how long their writing takes says nothing of it."""
    first = happened[0]
    assert isinstance(first, RunStarted)
    run_id = open_store().begin(
        question=first.question,
        method=first.method,
        corpus=first.corpus,
        settings=first.settings,
        budget=first.budget,
    )
    now = datetime.now(UTC).isoformat()
    records = [Record(n, now, n / 100, event) for n, event in enumerate(happened, start=1)]
    open_store().copy_records(run_id, records)
    return run_id


def test_in_a_demo_a_question_starts_by_itself_once_its_aspects_were_seen(home: Path) -> None:
    app = ask(q=QUESTION, demo="1")
    assert "Starts by itself in 4 s" in shown(app)
    assert len(named(app)) == 3
    app.session_state[f"ask_shown_{QUESTION}"] = time.monotonic() - 5
    app.run()
    assert open_store().run(run_of(app)).question == QUESTION


def test_the_risks_of_a_method_are_shown_as_the_run_plans_them(home: Path) -> None:
    app = ask(q="What are the risks of LoRA?")
    assert named(app) == ["Risks of LoRA"]
    assert len(named(ask(q="What are the main risks facing Boeing?"))) == 5
    app = pressed(app, "Start with 1 aspect")
    get_runner().wait(run_of(app), 60)
    assert "Regulation risks" not in shown(app.run())
    assert open_store().run(run_of(app)).settings.facet_profile is None


def test_in_a_demo_changed_aspects_wait_for_the_button(home: Path) -> None:
    app = pressed(ask(q=QUESTION, demo="1"), "Remove")
    assert "Starts by itself" not in shown(app)


def test_the_film_shows_an_aspect_that_one_hop_misses_and_a_later_one_finds(sample: DocumentRetriever) -> None:
    as_asked_on_the_page = Settings(k_auto=True)
    happened = execute("adaptive", demo.QUESTION, retriever=sample, settings=as_asked_on_the_page)
    run = view([Record(n, "2026-11-22T12:00:00+00:00", n * 0.1, event) for n, event in enumerate(happened)])
    states = [[cell(run, hop, aspect.aspect).state for hop in run.hops] for aspect in run.aspects]
    assert ["open", "missed", "new"] in states
    assert len(run.covered_at) == len(run.aspects)
    assert demo.QUESTION in [sample.question for sample in backend.sample_questions()]


def test_the_film_keeps_a_colour_that_few_pixels_have(tmp_path: Path) -> None:
    orange, wide = (0xFB, 0x92, 0x3C), (640, 360)
    picture = Image.radial_gradient("L").resize(wide).convert("RGB")  # 256 greys, which are most of what there is
    picture.paste(orange, (100, 100, 140, 108))
    png = io.BytesIO()
    picture.save(png, "PNG")
    demo.write_gif(demo.Film([(0.0, png.getvalue())]), tmp_path / "film.gif")
    with Image.open(tmp_path / "film.gif") as film:
        seen = film.convert("RGB").getpixel((120, 104))
    assert isinstance(seen, tuple)
    assert max(abs(a - b) for a, b in zip(seen, orange, strict=True)) <= 8


def test_the_empty_page_offers_the_sample_questions_and_names_the_corpus(home: Path) -> None:
    app = ask()
    assert not app.exception
    assert app.title[0].value == "What do you want to find out?"
    assert app.selectbox(key="ask_corpus").value == "sample"
    assert app.toggle(key="ask_k_auto").value
    assert QUESTION in [unescaped(b.label) for b in app.button]
    assert "passages" in shown(app)
    assert [link.proto.label for link in app.get("page_link")] == ["Add your own documents"]


PUMPS = b"""# Recall of the Aster pump

The Aster pump was recalled in March 2024.

## Causes of the leak

The leak was caused by a supplier that changed the rubber of the seal in late 2023.

## Fate of the inventor

...

## Delivery times

Borea valves are delivered within six weeks.
"""
TICKETS = b"Ticket,Owner,Hours\n" + b"".join(b"T-%d,%s,%d\n" % (n, (b"Ida", b"Jon")[n % 2], n) for n in range(6))


def test_a_corpus_of_ones_own_offers_questions_in_its_words_that_it_answers(home: Path) -> None:
    library = CorpusLibrary(home)
    library.add("pumps", uploads=[("pumps.md", PUMPS), ("tickets.csv", TICKETS)])
    job = examples(library, library.card("pumps"))
    assert job.wait(180)
    asked = [each.question for each in candidates(library.open("pumps"))]
    never = "What is said about fate of the inventor?"
    assert job.result
    assert never in asked
    assert never not in job.result
    assert {"What is said about causes of the leak?", "How many tickets are there by owner?"} <= set(job.result)
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.session_state["ask_corpus"] = "pumps"
    app.run()
    offered = [unescaped(each.label) for each in app.button if str(each.key).startswith("ask_sample_")]
    assert offered == list(job.result)
    assert "Looking for questions" not in shown(app)
    pressed(app, "How many tickets")
    assert "How many tickets are there by owner?" in app.query_params["q"]


def test_a_question_to_try_counts_by_what_several_rows_share_and_leaves_abbreviations(home: Path) -> None:
    library = CorpusLibrary(home)
    library.add("staff", uploads=[("staff.csv", b"Team,Head,Site,Pay USD\nA,Ida,Oslo,1\nB,Jon,Oslo,2\nC,Eva,Rome,3\n")])
    asked = [each.question for each in candidates(library.open("staff"))]
    assert "Which team has the most pay USD?" in asked
    assert [each for each in asked if " by " in each] == ["How many rows are there by site?"]


@pytest.fixture
def reports(home: Path) -> AppTest:
    """The Ask page over two quarterly reports."""
    texts = {
        "2023 Q1 NWC 10-Q.txt": NORTHWIND + report("March 31", sales=1800, income=400),
        "2023 Q2 NWC 10-Q.txt": NORTHWIND + report("June 30", sales=2000, income=500),
    }
    CorpusLibrary(home).add("reports", uploads=[(name, text.encode()) for name, text in texts.items()])
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.session_state["ask_corpus"] = "reports"
    return app


def test_an_aspect_stands_for_each_figure_that_is_looked_up_and_the_others_keep_theirs_when_one_is_edited(
    reports: AppTest,
) -> None:
    reports.query_params["q"] = "What were Northwind's net sales and operating income by quarter?"
    assert "4 figures of reports are looked up, an aspect each." in shown(reports.run())
    assert reports.button(key="ask_start").label == "Start with 4 aspects"
    first, *others = (box for box in reports.text_input if str(box.key).startswith("ask_name_"))
    assert [box.value for box in others] == [
        "Operating income of Northwind, Q1 2023",
        "Net sales of Northwind, Q2 2023",
        "Operating income of Northwind, Q2 2023",
    ]
    assert "3 figures of reports are looked up" in shown(first.set_value("Main customers of Northwind").run())
    assert "4 figures of reports are looked up" in shown(pressed(reports, "Undo my changes"))
    pressed(reports, "Remove")
    run_id = run_of(pressed(reports, "Start with 3 aspects"))
    row = get_runner().wait(run_id, timeout=180)
    answer = view(backend.store().records(run_id)).answer
    assert row.aspects_covered == 3
    assert answer is not None
    assert answer.short is not None
    assert answer.short.text.endswith("Q2 2023: net sales $2,000 million ($2.0 billion); operating income $500 million")


def test_many_figures_are_named_and_edited_behind_a_press(reports: AppTest) -> None:
    reports.query_params["q"] = "How did Northwind do in Q2 2023 and Q1 2023?"
    assert "Edit the" in {each.label[:8] for each in reports.run().expander}


def test_companies_that_are_asked_each_by_itself_are_announced(home: Path) -> None:
    reports = {
        f"2023 Q2 {name} 10-Q.txt": text + report("June 30") for name, text in (("NWC", NORTHWIND), ("CTS", CONTOSO))
    }
    CorpusLibrary(home).add("reports", uploads=[(name, text.encode()) for name, text in reports.items()])
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.session_state["ask_corpus"] = "reports"
    app.query_params["q"] = "Which of the companies paid a dividend?"
    assert "2 companies are asked, an aspect each, when the run starts." in shown(app.run())
    assert app.button(key="ask_start").label == "Start"


def test_what_is_asked_after_a_run_is_asked_of_its_corpus(home: Path) -> None:
    library = CorpusLibrary(home)
    library.add("mine", uploads=[("a.txt", b"It rains.")])
    begun, *rest = events(finished())
    assert isinstance(begun, RunStarted)
    run_id = stored_events([replace(begun, corpus=library.card("mine")), *rest])
    again = pressed(ask(run=run_id), "Edit aspects and ask again")
    assert again.selectbox(key="ask_corpus").value == "mine"
    another = ask(run=run_id).chat_input(key="ask_next").set_value("Does it rain?").run()
    assert another.selectbox(key="ask_corpus").value == "mine"
    library.delete("mine")
    gone = pressed(ask(run=run_id), "Edit aspects and ask again")
    assert gone.selectbox(key="ask_corpus").value == "sample"
    assert "“mine” was deleted" in shown(gone)


def test_recent_questions_lead_to_all_earlier_runs(home: Path) -> None:
    stored(finished())
    app = ask()
    assert "Recent questions" in shown(app)
    assert [link.proto.label for link in app.get("page_link")][-1] == "Find an earlier run"


def test_a_question_shows_its_aspects_before_anything_is_searched(home: Path) -> None:
    app = ask(q=QUESTION)
    text = shown(app)
    assert "**3 aspects**, all of them core" in text
    assert named(app) == [
        "Definition of self-attention",
        "Definition of multi-head attention",
        "Comparison between self-attention and multi-head attention",
    ]
    assert open_store().count() == 0


def test_things_by_facets_are_a_matrix_in_the_colours_of_the_question_before_the_run_and_each_can_be_edited(
    home: Path,
) -> None:
    app = ask(q="How do regulation, supply chains and competition affect NVIDIA, Apple and Boeing?")
    table = app.table[0].value
    assert [unescaped(head).split("\xa0")[-1] for head in table.columns] == [
        "About",
        "Effect of regulation",
        "Effect of supply chains",
        "Effect of competition",
    ]
    assert [name.split("\xa0")[-1] for name in table["About"]] == ["**NVIDIA**", "**Apple**", "**Boeing**"]
    assert len({name.split("\xa0")[0] for name in (*table.columns[1:], *table["About"])}) == 6
    assert set(table.iloc[:, 1:].to_numpy().ravel()) == {"core"}
    assert len(named(app)) == 9
    app.toggle(key="ask_core_Effect of competition on Boeing").set_value(False).run()
    assert app.table[0].value.iloc[2, 3] == "optional"


def test_an_aspect_can_be_removed_added_and_made_optional_and_the_run_takes_them_so(home: Path) -> None:
    app = ask(q=QUESTION)
    app = app.button(key="ask_remove_1").click().run()
    assert "**2 aspects**" in shown(app)
    app.text_input(key="ask_added").set_value("Why is multi-head attention important?")
    app = pressed(app, "Add")
    assert "**3 aspects**" in shown(app)
    app = app.toggle(key="ask_core_Definition of self-attention").set_value(False).run()
    assert "2 of them core" in shown(app)
    app = app.button(key="ask_start").click().run()
    run_id = run_of(app)
    get_runner().wait(run_id, timeout=180)
    planned = next(r.event for r in open_store().records(run_id) if r.event.kind == "aspects_planned")
    assert planned.by == "user"
    assert [(a.aspect, a.is_core) for a in planned.aspects] == [
        ("Definition of self-attention", False),
        ("Comparison between self-attention and multi-head attention", True),
        ("Why is multi-head attention important?", True),
    ]


def test_an_aspect_that_is_there_already_or_has_no_words_is_refused_in_words(home: Path) -> None:
    app = ask(q=QUESTION)
    first, second, third = named(app)
    app = app.text_input(key=f"ask_name_{first}").set_value(second.upper()).run()
    assert f"“{second.upper()}” is among the aspects already." in shown(app)
    app = app.text_input(key=f"ask_name_{first}").set_value(" ").run()
    assert "An aspect needs a word or a number." in shown(app)
    app.text_input(key="ask_added").set_value(first)
    app = pressed(app, "Add")
    assert f"“{first}” is among the aspects already." in shown(app)
    app.text_input(key="ask_added").set_value("cost " * 60)
    app = pressed(app, "Add")
    assert "An aspect has at most 200 characters, this one 299." in shown(app)
    app = app.text_input(key=f"ask_name_{first}").set_value("cost " * 60).run()
    assert "An aspect has at most 200 characters" in shown(app)
    app.text_input(key="ask_added").set_value("Cost")
    app = pressed(app, "Add")
    assert "among the aspects already" not in shown(app)
    assert named(app) == [first, second, third, "Cost"]


def test_an_aspect_is_worded_anew_in_place_and_searched_for_so(home: Path) -> None:
    app = ask(q=QUESTION)
    app = app.text_input(key="ask_name_Definition of self-attention").set_value(" Cost of  self-attention ").run()
    assert named(app)[0] == "Cost of self-attention"
    app = app.text_input(key="ask_name_Cost of self-attention").set_value(named(app)[1]).run()
    assert named(app)[0] == "Cost of self-attention"
    run_id = run_of(app.button(key="ask_start").click().run())
    get_runner().wait(run_id, timeout=180)
    planned = next(r.event for r in open_store().records(run_id) if r.event.kind == "aspects_planned")
    assert (planned.by, planned.aspects[0].aspect) == ("user", "Cost of self-attention")


def test_the_questions_asked_lately_say_what_their_runs_came_to_and_open_them(home: Path) -> None:
    stored(finished())
    run_id = stored(partial())
    app = ask()
    lately = [unescaped(b.label) for b in app.button if str(b.key).startswith("ask_recent_")]
    assert len(lately) == 1
    assert "How did Acme's 2023 purchase of Borealis affect revenue… " in lately[0]
    assert "partly answered" in lately[0]
    app = app.button(key=f"ask_recent_{run_id}").click().run()
    assert run_of(app) == run_id


def test_changes_of_the_aspects_can_be_undone(home: Path) -> None:
    app = ask(q=QUESTION).button(key="ask_remove_0").click().run()
    assert "**3 aspects**" in shown(pressed(app, "Undo my changes"))


def test_a_started_question_ends_in_an_answer_by_aspect_with_the_reason_for_stopping(home: Path) -> None:
    app = ask(q=QUESTION).button(key="ask_start").click().run()
    get_runner().wait(run_of(app), timeout=180)
    text = shown(pressed(app.run(), "Show the answer"))
    assert "aspects covered" in text
    assert "Stopped after" in text
    assert "q" not in app.query_params


def asked_by(app: AppTest, question: str) -> AppTest:
    return app.chat_input(key="ask_question").set_value(question).run()


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


@pytest.mark.parametrize("question", ["", "   ", "?!"])
def test_a_question_without_words_is_refused_in_words(question: str) -> None:
    assert objection(question)


def test_a_question_of_ten_thousand_words_is_refused_with_the_limit(home: Path) -> None:
    app = ask()
    app.chat_input(key="ask_question").set_value("word " * 10_000).run()
    assert "10,000 words" in shown(app)
    assert "1 word and" in (objection("x" * 5_000) or "")
    assert "run" not in app.query_params
    assert app.chat_input(key="ask_question").proto.value == "word " * 10_000, "it is there to be cut"


def test_what_is_wrong_with_a_question_is_said_until_it_is_closed_or_the_next_is_asked(home: Path) -> None:
    app = ask()
    app.chat_input(key="ask_question").set_value("?!").run()
    wrong = "Type a question in words"
    app.toggle(key="ask_at_once").set_value(True).run()
    assert wrong in shown(app)
    app.button(key="objection_close").click().run()
    assert wrong not in shown(app)
    app.chat_input(key="ask_question").set_value("?!").run()
    assert wrong in shown(app)
    app.chat_input(key="ask_question").set_value(QUESTION).run()
    assert "run" in app.query_params
    assert wrong not in shown(app)


def test_what_is_wrong_with_a_question_is_not_said_on_another_page_nor_when_one_comes_back(home: Path) -> None:
    app = ask()
    app.chat_input(key="ask_question").set_value("?!").run()
    assert "Type a question in words" not in shown(app.switch_page("compare_baselines.py").run())
    assert "Type a question in words" not in shown(app.switch_page("ask.py").run())


def test_what_is_wrong_with_the_question_of_a_link_can_be_closed(home: Path) -> None:
    app = ask(q="?!")
    assert "Type a question in words" in shown(app)
    app.button(key="objection_close").click().run()
    assert "Type a question in words" not in shown(app)


def test_a_word_that_no_passage_says_is_asked_about_before_a_run_and_put_right_in_every_aspect(home: Path) -> None:
    app = ask(q="Nvdia risks")
    assert "No passage says “Nvdia”. Did you mean “NVIDIA”?" in shown(app)
    app.button(key="ask_meant").click().run()
    assert app.query_params["q"] in ("NVIDIA risks", ["NVIDIA risks"])
    assert "Did you mean" not in shown(app)
    assert {"Legal risks of NVIDIA", "Supply risks of NVIDIA"} <= {field.value for field in app.text_input}
    assert not [each for each in ask(q="Risks of Tesla").button if each.key == "ask_meant"]


def test_a_run_whose_model_cannot_be_used_takes_what_one_without_takes(home: Path) -> None:
    for _ in range(3):
        stored(finished())
    app = ask(q=QUESTION)
    app.session_state["app_choice"] = Choice(model="llama3.2")
    for _ in range(50):  # the page waits for the server for a moment only, which a busy machine does not keep
        if "the run would use rules" in shown(app.run()):
            break
    assert "the run would use rules" in shown(app)
    assert ":material/timer: Likely under a second" in shown(app)


def test_a_corpus_without_documents_is_searched_only_beside_live_sources(home: Path) -> None:
    library = CorpusLibrary(home)
    library.add("mine", uploads=[("a.txt", b"It rains.")])
    library.remove_document("mine", library.documents("mine")[0].document_id)
    for _ in range(3):
        stored(finished())
    [likely] = [each for each in ask(q=QUESTION).caption if "Likely" in each.value]
    assert likely.value == ":material/timer: Likely under a second"
    assert "going by 3 past runs" in likely.help
    app = AppTest.from_file(MAIN, default_timeout=180)
    app.query_params["q"] = QUESTION
    app.session_state["ask_corpus"] = "mine"
    app.run()
    assert app.button(key="ask_start").disabled
    assert "“mine” has no documents yet" in shown(app)
    assert "Likely" not in shown(app)
    app.session_state["app_choice"] = Choice(sources=("searxng",))
    assert not app.run().button(key="ask_start").disabled
    app.session_state["app_choice"] = Choice()
    assert app.switch_page("compare_baselines.py").run().button(key="compare_run").disabled


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("risks", "“risks” alone is too vague"),
        ("Was sind die größten Risiken für Tesla im Jahr 2025?", "not judged: only questions in English are judged"),
    ],
)
def test_what_a_run_could_only_say_in_the_end_is_said_before_it_starts(home: Path, question: str, said: str) -> None:
    assert said in shown(ask(q=question))
    assert said not in shown(ask(q="Top risks facing Tesla in 2025"))


def test_words_that_no_aspect_carries_are_said(home: Path) -> None:
    app = ask(q="What is BM25?")
    app.session_state["ask_draft"] = replace(app.session_state["ask_draft"], lost=("quietly",))
    assert "No aspect contains “quietly”" in shown(app.run())


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
    run_id = open_store().begin(
        question=asked, method="adaptive", corpus=CORPUS, settings=Settings(), budget=Budget(), aspects=given
    )
    lanes = component(ask(run=run_id), f"live_{run_id}")
    expected = given or QueryPlanner().extract_aspects(asked).aspects
    assert [each["name"] for each in lanes["aspects"]] == [each.aspect for each in expected]
    assert lanes["waiting"].startswith("Preparing the corpus")


def test_a_run_that_goes_on_from_another_shows_the_aspects_of_that_one_to_come(home: Path) -> None:
    parent = stored(failed())
    run_id = open_store().begin(
        question=failed().question,
        method="adaptive",
        corpus=CORPUS,
        settings=Settings(),
        budget=Budget(),
        parent=parent,
    )
    lanes = component(ask(run=run_id), f"live_{run_id}")
    assert [each["name"] for each in lanes["aspects"]] == [each.aspect for each in ASPECTS]


def component(app: AppTest, key: str) -> dict[str, Any]:
    """What is sent to the component of that key."""
    proto = next(each.proto for each in app.get("bidi_component") if key in each.proto.id)
    return json.loads(proto.json)


def test_an_answer_that_quotes_nothing_is_a_sentence_and_no_markdown(home: Path) -> None:
    nothing = Answer("**Not certain**\n\n**Not covered**\n\n- Price: nothing that was read is about it")
    happened = [AnswerWritten(nothing) if isinstance(e, AnswerWritten) else e for e in events(partial())]
    text = shown(ask(run=stored_events(happened)))
    assert "No sentence that was read is close enough to be quoted." in text
    assert "Not certain**" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("No evidence was found.\n\n**Not covered**\n\n- Price: not searched", "No evidence was found."),
        ("**Unclear**\n\nName the company.", "Name the company."),
    ],
)
def test_a_story_ends_with_what_was_said_in_place_of_an_answer(home: Path, text: str, said: str) -> None:
    instead = AnswerWritten(Answer(text, abstained=True))
    run_id = stored_events([instead if isinstance(e, AnswerWritten) else e for e in events(partial())])
    app = ask(run=run_id).switch_page("trace_explorer.py")
    app.query_params["run"] = run_id
    app.session_state["trace_view"] = "Story"
    assert unescaped(app.run().markdown[-1].value) == said


def test_an_unknown_run_is_named_and_no_error(home: Path) -> None:
    app = ask(run="r-nothing")
    assert "There is no run “r-nothing”" in shown(app)
    assert [one.label for one in app.button if one.key != "settings"][-1] == "Ask a question"
    assert not app.chat_input
    assert not app.exception


def answer(story: Story | None = None, **parts) -> RunView:
    passage = Passage("d#0", "d", "Report", "In 2020 it cost 5 million. In 2021 it cost 7 million.", "annual", "2022")
    cited = (Citation(1, "d#0", "d", "Report", "In 2020", 0, 26), Citation(2, "d#0", "d", "Report", "In 2021", 27, 53))
    run = view(records(story or finished()))
    run.passages = {"d#0": passage}
    run.answer = Answer("", citations=cited, **parts)
    return run


def test_the_answer_groups_its_sentences_by_aspect_in_planning_order() -> None:
    run = answer(
        statements=(
            Statement("It cost 7 million. [2]", "Revenue impact", (2,)),
            Statement("It was bought.", "Date and price", (), supported=False),
            Statement("Also this. [1, 2]", "", (1, 2), entailed=False),
        )
    )
    groups = answer_groups(run)
    assert [(g["aspect"], g["hop"]) for g in groups] == [("Date and price", 1), ("Revenue impact", 2), ("", None)]
    assert [s["supported"] for g in groups for s in g["statements"]] == [False, True, True]
    assert [s["doubted"] for g in groups for s in g["statements"]] == [False, False, True]
    assert groups[2]["statements"][0]["text"] == "Also this."
    assert support_line(run) == "2 of 3 sentences backed by a passage; the others are marked."


def test_a_long_title_in_front_of_a_sentence_is_cut_and_an_amount_stays_whole() -> None:
    title = "Quarterly report on the business of a company " * 3
    run = answer(statements=(Statement(f"{title}: It cost 7 million. [1]", "Revenue impact", (1,)),))
    assert run.answer
    run.answer = replace(run.answer, citations=(Citation(1, "d#0", "d", title, "In 2020", 0, 26),))
    [[said]] = [group["statements"] for group in answer_groups(run)]
    assert said["text"].startswith("Quarterly report on the business")
    assert said["text"].endswith("…: It cost 7\N{NO-BREAK SPACE}million.")
    assert with_short_title("Report: It did.", {"Report"}) == "Report: It did."


def test_words_that_are_marked_in_an_answer_are_explained() -> None:
    said = (Statement("It cost 7 million. [2]", "Revenue impact", (2,)),)
    words = support_line(answer(statements=said, likely=("7 million",)))
    assert words.endswith("Marked: what may be the short answer.")
    assert "Marked" not in support_line(answer(statements=said))


def test_a_number_is_not_marked_inside_a_longer_one() -> None:
    said = (Statement("Record 17557 of 7.5 m: the sensor 7 measured 3. [2]", "Revenue impact", (2,)),)
    run = answer(statements=said, likely=("7", "57"))
    [[statement]] = [group["statements"] for group in answer_groups(run)]
    assert statement["pieces"] == [
        ("Record 17557 of 7.5 m: the sensor ", ""),
        ("7", "quote"),
        (" measured 3.", ""),
    ]


def test_figures_in_a_table_are_not_called_sentences() -> None:
    figure, sentence = (
        Statement("7 million", "Revenue impact", (2,)),
        Statement("It grew. " * 9, "Revenue impact", (2,)),
    )
    table = AnswerTable(("A",), (TableRow("What", ((0,),)),))
    for statements, called in (((figure,), "figure"), ((figure, sentence), "figure and sentence")):
        words = support_line(answer(statements=statements, table=table))
        assert words.startswith(f"Every {called} cites its passage.")
    assert support_line(answer(statements=(sentence,), table=table)).startswith("Every sentence cites")
    reasons = AnswerTable(("A",), (TableRow("What", ((0,),)), TableRow("Why", ((1,),))))
    for reason in (sentence, Statement("It was sold more. [2]", "Revenue impact", (2,))):
        words = support_line(answer(statements=(figure, reason), table=reasons))
        assert words.startswith("Every figure and sentence cites its passage.")


def chain(*, covered: Sequence[str]) -> RunView:
    """A run after the director of a film and his place of birth, of which these are covered."""
    director, born = aspect("Director of A"), replace(aspect("Birthplace of the director"), depends_on="Director of A")
    names = [each.aspect for each in (director, born)]
    scores = tuple(AspectScore(name, 0.9 if name in covered else 0.0) for name in names)
    said = Answer("", statements=tuple(Statement(f"On {name}.", name) for name in names))
    assessed = CoverageAssessed(1, scores, tuple(covered), len(covered) / 2, 0.5)
    happened: list[Event] = [
        AspectsPlanned((director, born)),
        assessed,
        AnswerWritten(said),
        RunFinished("no_gain", ""),
    ]
    return view([Record(n, "", n / 10, event) for n, event in enumerate(happened, 1)])


def test_of_a_chain_what_it_leads_to_comes_before_the_way_to_it_or_is_said_to_be_missing() -> None:
    whole = chain(covered=["Director of A", "Birthplace of the director"])
    assert [group["aspect"] for group in answer_groups(whole)] == ["Birthplace of the director", "Director of A"]
    half = chain(covered=["Director of A"])
    assert [group["aspect"] for group in answer_groups(half)] == ["Director of A", "Birthplace of the director"]
    words = "Not found: Birthplace of the director. What follows only leads up to it."
    for one, line in ((whole, ""), (half, words), (chain(covered=[]), "")):
        assert unreached(one) == line
        assert (words in dossier("r-1", one)) == bool(line)


def test_sentences_that_do_not_cover_their_aspect_are_marked_in_groups_table_and_drawer() -> None:
    texts = (("Revenue rose.", "Revenue impact"), ("Brussels is a city.", ASPECTS[3].aspect))
    run = answer(partial(), statements=tuple(Statement(text, name, (1,)) for text, name in texts))
    run.answer = replace(run.answer, table=AnswerTable(("A", "B", "C"), (TableRow("What", ((0,), (1,), ())),)))
    untabled = replace(run.answer, table=None)
    groups = answer_groups(replace(run, answer=untabled))
    assert [(g["hop"], g["missed"]) for g in groups] == [(2, False), (None, True)]
    drawn = table_value(run)
    assert drawn
    assert [cell["missed"] for cell in drawn["rows"][0][1]] == [False, True, False]
    claims = [opened_claim(run, f"{place}:1") for place in (0, 1)]
    said = [claim_lines(run, each)[1] for each in claims if each]
    assert said == [
        "Answers **Revenue impact**, covered in hop 2",
        f"Closest to **{ASPECTS[3].aspect}**, which it does not cover",
    ]


@pytest.mark.parametrize(
    ("columns", "words", "stacked"), [(2, 90, False), (3, 90, True), (4, 90, True), (4, 30, False)]
)
def test_a_table_of_long_cells_in_more_than_two_columns_is_stacked(columns: int, words: int, stacked: bool) -> None:
    run = answer(partial(), statements=(Statement("x" * words, "Revenue impact", (1,)),))
    cells = ((0,), *((),) * (columns - 1))
    run.answer = replace(run.answer, table=AnswerTable(tuple("ABCD"[:columns]), (TableRow("What", cells),)))
    drawn = table_value(run)
    assert drawn
    assert drawn["stacked"] == stacked
    assert drawn["figures"] == (words < 60), "columns of figures may be narrow"


def test_a_table_of_figures_with_more_columns_than_rows_is_turned_where_it_would_be_cut() -> None:
    run = answer(partial(), statements=tuple(Statement(f"{n}%", "Revenue impact", (1,)) for n in range(4)))
    rows = (TableRow("Margin", ((0,), (1,), (2,), (3,))),)
    run.answer = replace(run.answer, table=AnswerTable(("A", "B", "C", "D"), rows))
    drawn = table_value(run)
    assert drawn
    assert drawn["columns"] == ["Margin"]
    assert [(name, cell["statements"][0]["text"]) for name, [cell] in drawn["rows"]] == [
        ("A", "0%"),
        ("B", "1%"),
        ("C", "2%"),
        ("D", "3%"),
    ]


def test_a_short_answer_without_a_sentence_is_shown(home: Path) -> None:
    def page() -> None:
        from adaq_core.model import Answer, ShortAnswer
        from adaq_core.trace import RunView
        from pages._shared.components.answer.view import show_answer

        short = ShortAnswer("Q1 2023: $117,154 million", "number", (), "the income statement")
        show_answer(RunView(answer=Answer("**Q1** [1]\n\nWorked out from the income statement.", short=short)), key="a")

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert component(app, "a")["short"]["text"] == "Q1 2023: $117,154 million"


def test_rows_are_as_high_as_their_longest_cell_and_one_line_where_all_fit() -> None:
    short = {"title": "Report", "stage": "read, not kept", "why": "Rank 4 for its query.", "came": "Hop 1"}
    fits = {**short, "why": "Its sentences say less of what is asked than those quoted."}
    tables = ([short, fits], [short, {**short, "why": "x" * 90}], [{**short, "title": "x" * 400}])
    assert [lines_of(table) for table in tables] == [1, 2, 5]
    assert [row_height(lines_of(table)) for table in tables] == [None, 64, 108]


def test_what_the_question_itself_brought_does_not_repeat_the_question() -> None:
    stories = (partial(), replace(partial(), question=TURNS[0].query))
    assert [how_it_came(view(records(story)), "d1-0#0") for story in stories] == [
        f"hop 1, query “{TURNS[0].query}”",
        "hop 1, by the question itself",
    ]


def test_only_before_a_first_question_is_it_said_that_this_one_takes_longest(home: Path) -> None:
    run_id = open_store().begin(
        question="q", method="adaptive", corpus=replace(CORPUS, name="sample"), settings=Settings(), budget=Budget()
    )
    row = backend.row(run_id)
    assert row
    first = before_first_hop(row, RunView())
    stored_events(list(events(running()))[:1])
    assert (first, before_first_hop(row, RunView())) == (
        "Preparing the corpus; the first question takes longest",
        "Preparing the corpus",
    )


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


def test_a_cited_passage_is_listed_once() -> None:
    assert [(s["n"], s["numbers"], s["origin"]) for s in source_values(answer())] == [(1, "1, 2", "annual · 2022")]


@pytest.mark.parametrize("cite", ["0:9", "x:1", "", "7", "0:x", "--1:1"])
def test_a_citation_that_the_answer_does_not_have_opens_nothing(cite: str) -> None:
    assert opened_claim(answer(), cite) is None


def test_sources_that_disagree_stand_side_by_side(home: Path) -> None:
    story = list(events(finished()))
    conflict = Conflict("Date and price", "the price", ("5 million", "7 million"), (1, 2))
    changed = [
        replace(e, answer=replace(e.answer, conflicts=(conflict,))) if isinstance(e, AnswerWritten) else e
        for e in story
    ]
    text = shown(ask(run=stored_events(changed)))
    assert "**Sources disagree** on the price" in text
    assert "**5 million**" in text
    assert "source 2" in text


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


def test_hostile_words_of_a_question_are_shown_and_do_nothing(home: Path) -> None:
    app = ask(q="What is :red[x] ![p](http://evil.example/p.png) <b>bold</b> $a$ and why?")
    assert not app.exception
    assert not [element for element in app.markdown if "![p](" in element.value or " $a$" in element.value]
    assert not [element for element in app.markdown if "<b>" in element.value]


@pytest.mark.parametrize(
    ("question", "said", "not_said"),
    [
        (
            "What are the main risks facing Netflix?",
            [
                "No certain answer",
                "What the passages say.** None of these sentences is certain to answer the question.",
            ],
            ["Not enough evidence", "Nothing found"],
        ),
        (
            "How many parameters does the largest Llama 3 model have?",
            [
                "no passage of the corpus names “Llama 3”",
                "The nearest passages**, which do not answer the question",
            ],
            ["No aspect of the question", "Nothing found"],
        ),
        (
            "What is the tram network of Basel and how did it start?",
            ["Not enough evidence for an answer", "fits the question only in part"],
            ["Nothing found"],
        ),
    ],
)
def test_how_much_an_answer_is_worth_is_said_before_it(
    home: Path, question: str, said: list[str], not_said: list[str]
) -> None:
    run_id = get_runner().submit(question, corpus="sample")
    get_runner().wait(run_id, 60)
    text = shown(ask(run=run_id))
    assert [words for words in said if words not in text] == []
    assert [words for words in not_said if words in text] == []


def test_a_corpus_without_documents_says_so_before_a_question_and_leads_to_adding_some(home: Path) -> None:
    library, note = backend.library(), home / "note.txt"
    note.write_text("One small note.", encoding="utf-8")
    library.add("mine", paths=[note])
    library.remove_document("mine", library.documents("mine")[0].document_id)
    app = ask()
    assert "has no documents yet" not in shown(app)
    app.selectbox(key="ask_corpus").set_value("mine").run()
    said = "“mine” has no documents yet. Add some, or choose another corpus."
    assert said in shown(app)
    app.toggle(key="ask_at_once").set_value(True).run()
    app = asked_by(app, QUESTION)
    assert (said in shown(app), app.button(key="ask_start").disabled) == (True, True)
    assert open_store().count() == 0


def test_the_corpus_that_was_chosen_is_searched_when_the_page_is_loaded_again(home: Path) -> None:
    library = backend.library()
    library.add("mine", uploads=[("note.txt", b"One small note.")])
    ask(q="What is BM25?").selectbox(key="ask_corpus").set_value("mine").run()
    assert ask(q="What is BM25?").selectbox(key="ask_corpus").value == "mine"
    library.delete("mine")
    assert ask().selectbox(key="ask_corpus").value == "sample"


def test_a_corpus_that_was_deleted_in_another_tab_is_named_before_another_is_searched(home: Path) -> None:
    library = backend.library()
    library.add("mine", uploads=[("note.txt", b"One small note.")])
    app = ask(q="What is BM25?")
    app.selectbox(key="ask_corpus").set_value("mine").run()
    library.delete("mine")
    said = "“mine” was deleted. “sample” is searched in its place."
    assert said in shown(app.run())
    assert said in shown(app.run()), "it stays until the other one is searched"
    app.button(key="ask_start").click().run()
    assert "ask_corpus_gone" not in app.session_state


def test_without_any_corpus_every_page_says_so_and_starts_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = CorpusLibrary(home, sample=home / "nothing")
    monkeypatch.setattr(backend, "library", lambda: nothing)
    said = "There is nothing to search yet. Add files or a folder on the Corpus page."
    app = ask(q="What is BM25?")
    assert (said in shown(app), app.button(key="ask_start").disabled) == (True, True)
    app.switch_page("compare_baselines.py").run()
    assert (said in shown(app), app.button(key="compare_run").disabled) == (True, True)
    app.switch_page("trace_explorer.py").run()
    assert "Run 3 sample questions" not in [button.label for button in app.button]
