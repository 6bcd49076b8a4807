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
from adaq_core.events import (
    Event,
    Record,
    RunStarted,
)
from adaq_core.model import (
    Answer,
    Budget,
    Citation,
    Passage,
    Settings,
)
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from adaq_core.trace import RunView, cell, view
from benchmarks import demo
from pages._shared.ask.empty import candidates, examples
from pages._shared.ask.start import objection
from pages._shared.common import backend
from pages._shared.run.verdict import before_first_hop
from pages._shared.settings.choice import Choice
from tests.asking import execute
from tests.filings.test_grid import CONTOSO, NORTHWIND, report
from tests.pages.built_runs import (
    CORPUS,
    Story,
    events,
    finished,
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
    run_id = open_store().begin(first)
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


def asked_by(app: AppTest, question: str) -> AppTest:
    return app.chat_input(key="ask_question").set_value(question).run()


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


def component(app: AppTest, key: str) -> dict[str, Any]:
    """What is sent to the component of that key."""
    proto = next(each.proto for each in app.get("bidi_component") if key in each.proto.id)
    return json.loads(proto.json)


def answer(story: Story | None = None, **parts) -> RunView:
    passage = Passage("d#0", "d", "Report", "In 2020 it cost 5 million. In 2021 it cost 7 million.", "annual", "2022")
    cited = (Citation(1, "d#0", "d", "Report", "In 2020", 0, 26), Citation(2, "d#0", "d", "Report", "In 2021", 27, 53))
    run = view(records(story or finished()))
    run.passages = {"d#0": passage}
    run.answer = Answer("", citations=cited, **parts)
    return run


def test_only_before_a_first_question_is_it_said_that_this_one_takes_longest(home: Path) -> None:
    run_id = open_store().begin(RunStarted("q", "adaptive", replace(CORPUS, name="sample"), Settings(), Budget()))
    row = backend.row(run_id)
    assert row
    first = before_first_hop(row, RunView())
    stored_events(list(events(running()))[:1])
    assert (first, before_first_hop(row, RunView())) == (
        "Preparing the corpus; the first question takes longest",
        "Preparing the corpus",
    )


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
    run_id = get_runner().submit(RunSpec("adaptive", question), corpus="sample")
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
    said = "“sample”: Expected a folder with documents, but "
    app = ask(q="What is BM25?")
    assert "does not exist. Add files or a folder on the Corpus page." in shown(app)
    assert (said in shown(app), app.button(key="ask_start").disabled) == (True, True)
    app.switch_page("compare_baselines.py").run()
    assert (said in shown(app), app.button(key="compare_run").disabled) == (True, True)
    app.switch_page("trace_explorer.py").run()
    assert "Run 3 sample questions" not in [button.label for button in app.button]
