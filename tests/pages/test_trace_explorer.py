"""Trace explorer, as a user goes through it: a real store with built runs, without a browser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.events import AnswerWritten, CoverageAssessed, Event, Noticed, PassagesRetrieved, RunStarted
from adaq_core.export.dossier import dossier
from adaq_core.export.page import lanes_data
from adaq_core.model import Branch, Settings, Statement
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from adaq_core.store import open_store
from adaq_core.store.history import Remark, Remarks
from adaq_core.trace import Turn, view, view_at
from pages._shared.ask.live_view import step_label
from pages._shared.common.backend import stored_run
from pages._shared.common.words import seconds
from pages._shared.components.passage_cards.cards import evidence_cards, fates
from pages._shared.run.data import steps, stopped_at
from pages._shared.trace.branch import branch_of, edited, parent_words, turn_words
from pages._shared.trace.hop_detail import rank_after, stage_bars
from pages._shared.trace.reasons import scores_table
from pages._shared.trace.run_list import has_ended, stop_words
from tests.asking import execute
from tests.pages import built_runs
from tests.pages.built_runs import QUESTION, Story, events
from tests.pages.conftest import MAIN
from tests.pages.test_ask import component
from tests.recorded import begin

HOSTILE = "![x](http://evil.example/p.png) <script>alert(1)</script> **bold** :red[x] $a$ [l](http://evil.example)"

TESLA = RunSpec("adaptive", "Top risks facing Tesla in 2025", Settings(use_dense=False))


def explorer(**params: str | list[str]) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    for name, value in params.items():
        app.query_params[name] = value
    return app.switch_page("trace_explorer.py").run()


def literal(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def shown(app: AppTest) -> str:
    kinds = (app.title, app.subheader, app.markdown, app.caption, app.warning, app.info, app.error)
    return literal("\n".join(str(element.value) for kind in kinds for element in kind))


def button(app: AppTest, label: str) -> Any:
    return next(b for b in app.button if literal(b.label) == label)


def params(app: AppTest) -> dict[str, str]:
    return {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}


def stored(story: Story, *, run_id: str | None = None) -> str:
    return kept(events(story), run_id=run_id)


def kept(stream: Iterable[Event], *, run_id: str | None = None) -> str:
    first, *rest = stream
    begun: Any = first
    new_id = open_store().begin(begun, run_id)
    for event in (first, *rest):
        open_store().append(new_id, event, wait=False)
    open_store().flush(new_id)
    return new_id


def table(app: AppTest) -> list[dict[str, Any]]:
    return app.dataframe[0].value.to_dict("records")  # type: ignore[return-value]


def questions(app: AppTest) -> list[str]:
    return [row["question"] for row in table(app)]


# ------------------------------------------------------------------ list


def test_an_empty_store_teaches_what_a_run_is_and_leads_to_ask(home: Path) -> None:
    app = explorer()
    assert not app.exception
    assert "No runs yet" in shown(app)
    assert "Every question you ask is kept here as a **run**" in shown(app)


def test_a_run_that_covers_nothing_is_not_called_partly_answered(home: Path) -> None:
    run_id = stored(replace(built_runs.partial(), turns=built_runs.TURNS[2:3]))
    assert [list(row["outcome"]) for row in table(explorer())] == [["not certain"]]
    assert "**Next:** Reword the question, or add documents on the Corpus page." in shown(explorer(run=run_id))
    assert questions(explorer(t_outcome="Not certain")) == [QUESTION]
    assert "The only run does not match these filters." in shown(explorer(t_outcome="Partly answered"))


def test_a_run_in_another_language_is_not_judged_in_the_list_and_on_its_page(
    home: Path, sample: DocumentRetriever
) -> None:
    run_id = kept(execute("adaptive", "Welche Risiken hat Tesla im Jahr 2025?", retriever=sample))
    assert [list(row["outcome"]) for row in table(explorer())] == [["not judged"]]
    text = shown(explorer(run=run_id))
    assert "The 5 nearest passages, not judged." in text
    assert ":gray-badge[not judged]" in text
    assert "Still 0% covered" not in text, "nobody looked, so nothing is known to be uncovered"
    one = kept(execute("bm25", "Welche Risiken hat Tesla?", retriever=sample, settings=Settings(k=1)))
    assert "The nearest passage, not judged." in shown(explorer(run=one))


def test_a_question_that_says_too_little_is_not_clear_in_the_list_and_keeps_no_evidence(
    home: Path, sample: DocumentRetriever
) -> None:
    run_id = kept(execute("adaptive", "risks", retriever=sample))
    assert [list(row["outcome"]) for row in table(explorer())] == [["not clear"]]
    text = shown(explorer(run=run_id))
    assert "**The question is not clear.**" in text
    assert "The 5 nearest passages, not used" in text
    assert "**5** read, none used" in text


def test_hops_for_a_question_in_another_language_are_not_said_to_bring_nothing_new(
    home: Path, sample: DocumentRetriever
) -> None:
    run_id = kept(execute("adaptive", "Welche Risiken hat Tesla im Jahr 2025?", retriever=sample))
    whole = stored_run(run_id)
    assert whole
    run = whole.run
    assert [hop["gain"] for hop in lanes_data(run)["hops"]] == [None]
    assert [step_label(step).endswith(":gray-badge[not judged]") for step in steps(run)] == [True]
    assert "What it covered was not judged." in dossier(run_id, run)
    app = explorer(run=run_id)
    app.session_state["trace_view"] = "Story"
    story = shown(app.run())
    assert "The question was searched as one aspect." in story
    assert (story.count("nearest passages are quoted"), "no new aspect" in story) == (2, False)


def test_the_list_shows_coverage_by_hop_newest_first(home: Path) -> None:
    stored(built_runs.finished())
    stored(replace(built_runs.partial(), question="A second question"))
    rows = table(explorer())
    assert [row["question"] for row in rows] == ["A second question", QUESTION]
    assert [list(row["outcome"]) for row in rows] == [["partly answered"], ["answered"]]
    assert [(row["covered"], row["hops"], list(row["by_hop"])) for row in rows] == [
        ("3 / 4", 3, [0.25, 0.75, 0.75, 0.0, 0.0, 0.0]),
        ("4 / 4", 4, [0.25, 0.75, 0.75, 1.0, 0.0, 0.0]),
    ]


def test_filters_come_from_the_url_and_narrow_the_list(home: Path) -> None:
    stored(built_runs.finished())
    stored(replace(built_runs.partial(), question="Left open"))
    stored(replace(built_runs.failed(), question="Broke"))
    stored(replace(built_runs.finished(), question="By words", method="bm25"))
    assert questions(explorer(t_outcome="Partly answered")) == ["Left open"]
    assert questions(explorer(t_outcome="Failed")) == ["Broke"]
    assert questions(explorer(t_corpus="sample", t_age="Last day"))[:1] == ["By words"]
    assert questions(explorer(t_method="BM25")) == ["By words"]
    assert questions(explorer(t_q="LEFT")) == ["Left open"]
    assert questions(explorer(t_sort="Question"))[0] == "Broke"


def test_runs_of_experiments_stand_in_the_list_only_when_they_are_asked_for(home: Path) -> None:
    asked = stored(built_runs.finished())
    assert not [each for each in explorer().toggle if "experiments" in each.label], "there are none"
    first, *rest = events(built_runs.partial())
    begun: Any = first
    made = open_store().begin(replace(begun, question="made", method="bm25"), group="exp", question_id="q1")
    for event in (first, *rest):
        open_store().append(made, event)
    app = explorer()
    assert [row["id"] for row in table(app)] == [asked]
    assert "**1 run**" in shown(app)
    app = explorer(t_all="true")
    assert app.toggle(key="t_all").label == "Show 1 run of experiments"
    assert {row["id"] for row in table(app)} == {asked, made}
    open_store().delete_run(asked)
    assert [row["id"] for row in table(explorer())] == [made], "where there are no others they are shown"


def test_a_hop_names_what_its_evidence_lost_and_what_it_covers_again(home: Path) -> None:
    lost = "Revenue impact"
    stream = [
        without(event, lost) if getattr(event, "hop", 0) == 3 else event for event in events(built_runs.finished())
    ]
    run_id = kept(stream)
    told = {hop: shown(explorer(run=run_id, hop=str(hop))) for hop in (2, 3, 4)}
    assert [f":orange-badge[lost: {lost}]" in text for text in told.values()] == [False, True, False]
    assert [f":gray-badge[covered again: {lost}]" in text for text in told.values()] == [False, False, True]
    assert ":gray-badge[no new aspect]" not in told[3]


def without(event: Event, aspect: str) -> Event:
    """The same hop with the passage of an aspect gone from its evidence."""
    if not isinstance(event, CoverageAssessed):
        return event
    scores = tuple(replace(each, score=0.1, finding=None) if each.aspect == aspect else each for each in event.scores)
    return replace(event, scores=scores)


def test_each_outcome_that_the_list_shows_filters_it(home: Path, sample: DocumentRetriever) -> None:
    asked = {
        "Not judged": "Welche Risiken hat Tesla im Jahr 2025?",
        "Not clear": "risks",
        "Nothing found": "What were the main supply chain risks of Toyota in 2025?",
    }
    for question in asked.values():
        kept(execute("adaptive", question, retriever=sample))
    stored(replace(built_runs.partial(), question="Left open"))
    for outcome, question in asked.items():
        app = explorer(t_outcome=outcome)
        assert questions(app) == [question], outcome
        assert table(app)[0]["outcome"] == [outcome.lower()]
    assert questions(explorer(t_outcome=["Not judged", "Partly answered"])) == ["Left open", asked["Not judged"]]


def test_a_filter_for_runs_that_nobody_could_judge_shows_none_where_there_are_none(
    home: Path, sample: DocumentRetriever
) -> None:
    kept(execute("adaptive", "What were the main supply chain risks of Toyota in 2025?", retriever=sample))
    assert "The only run does not match these filters." in shown(explorer(t_outcome="Not judged"))


def test_ratings_ages_and_outcomes_narrow_the_list_and_add_up(home: Path) -> None:
    useful, other = stored(built_runs.finished()), stored(replace(built_runs.partial(), question="Left open"))
    open_store().annotate(useful, rating=1)
    open_store().annotate(other, rating=-1)
    assert [row["rating"] for row in table(explorer())] == ["not useful", "useful"]
    assert questions(explorer(t_rated="Useful")) == [QUESTION]
    assert questions(explorer(t_rated="Not useful", t_outcome="Partly answered", t_age="Last hour")) == ["Left open"]
    nothing = shown(explorer(t_rated="Useful", t_outcome="Partly answered"))
    assert "None of the 2 runs matches these filters" in nothing


@pytest.mark.parametrize(
    ("link", "found"),
    [
        ({"t_age": "last hour", "t_outcome": "failed"}, ["Broke"]),
        ({"t_rated": "not useful"}, ["Left open"]),
        ({"t_method": "bm25", "t_sort": "oldest"}, ["By words"]),
    ],
)
def test_a_link_of_another_version_filters_in_whatever_letters_it_is_written(
    home: Path, link: dict[str, str], found: list[str]
) -> None:
    stored(replace(built_runs.failed(), question="Broke"))
    open_store().annotate(stored(replace(built_runs.partial(), question="Left open")), rating=-1)
    stored(replace(built_runs.finished(), question="By words", method="bm25"))
    app = explorer(**link)
    assert questions(app) == found
    labels = [box.proto.popover.label for box in app.get("popover")]
    assert "Filters: 1" in labels
    assert "in this link" not in shown(app)
    assert questions(app.run()) == found


def test_what_a_link_names_and_the_list_does_not_have_is_said_in_words(home: Path) -> None:
    stored(built_runs.finished())
    app = explorer(t_age="last year", t_method="Oracle")
    assert "Unknown filters in this link: method “Oracle”, time “last year”. They were ignored." in shown(app)
    assert questions(app) == [QUESTION]


def test_an_empty_list_offers_sample_runs_that_are_really_run(home: Path) -> None:
    app = button(explorer(), "Run 3 sample questions").click().run()
    rows = open_store().runs()
    for row in rows:
        get_runner().wait(row.run_id, timeout=60)
    assert len({row.question for row in rows}) == 3
    assert len(questions(app.run())) == 3


def test_the_list_knows_when_a_run_that_it_shows_has_ended(home: Path) -> None:
    store = open_store()
    run_id = begin(store)
    assert not has_ended([run_id])
    store.end_without_event(run_id, "interrupted", "It ended.")
    assert has_ended([run_id])
    assert has_ended(["r-gone"])


def test_stopping_earlier_is_shown_by_what_the_evidence_held_by_then() -> None:
    run = view(built_runs.records(built_runs.finished()))
    first, last = stopped_at(run, 1), stopped_at(run, 4)
    assert first is not None
    assert last is not None
    assert first.covered == ("Date and price",)
    assert (len(first.later), first.hops_saved, first.passages_saved) == (3, 3, 9)
    assert (last.later, last.hops_saved, last.lost) == ((), 0, ())
    assert stopped_at(run, 9) is None


def test_a_replay_begins_before_the_first_hop() -> None:
    recorded = built_runs.records(built_runs.finished())
    begun = view_at(recorded, 0)
    assert (len(begun.aspects), begun.hops, begun.status) == (4, [], "running")


def test_a_replay_of_one_run_does_not_move_another(home: Path) -> None:
    run_id = stored(built_runs.finished())
    app = explorer(run=run_id)
    app.session_state["trace_playhead"] = (run_id, 1)
    assert "**Hop 1 of 4**" in shown(app.run())
    app.session_state["trace_playhead"] = ("another", 1)
    assert "**Hop 4 of 4**" in shown(app.run())


def test_the_answer_stands_under_the_lanes_of_a_wide_window_and_not_during_a_replay(home: Path) -> None:
    run_id = stored(built_runs.finished())
    app = explorer(run=run_id)
    assert "**What the run answered**" in shown(app)
    rules = "".join(each.proto.body for each in app.get("html"))
    assert ".st-key-trace_answer {display: none}@media screen and (min-width: " in rules
    app.session_state["trace_playhead"] = (run_id, 1)
    assert "What the run answered" not in shown(app.run())


def test_sentences_that_answer_nothing_for_certain_are_no_answer_under_the_lanes(home: Path) -> None:
    nothing_covered = replace(built_runs.partial(), turns=[replace(built_runs.TURNS[0], covers=())])
    text = shown(explorer(run=stored(nothing_covered)))
    assert "What the passages say." in text
    assert "What the run answered" not in text


def test_what_more_than_six_passages_brought_leaves_room_for_the_tabs(home: Path) -> None:
    names = [f"Figure {number}" for number in range(9)]
    story = built_runs.Story(
        [built_runs.aspect(name) for name in names], [built_runs.Turn("figures", names[0], tuple(names))]
    )
    happened = [_each_by_its_own_passage(event) for event in built_runs.events(story)]
    text = shown(explorer(run=kept(happened)))
    assert [name for name in names if f"+ {name}" in text] == names[:6]
    assert "and 3 passages more: the lanes show for what" in text


def _each_by_its_own_passage(event: Event) -> Event:
    if isinstance(event, PassagesRetrieved):
        first = event.passages[0]
        each = (replace(first.passage, passage_id=f"p{number}#0", title=f"Report {number}") for number in range(9))
        return replace(event, passages=tuple(replace(first, passage=p, rank=n) for n, p in enumerate(each, 1)))
    if isinstance(event, CoverageAssessed):
        found = [replace(s.finding, passage_id=f"p{n}#0") for n, s in enumerate(event.scores) if s.finding]
        return replace(event, scores=tuple(replace(s, finding=f) for s, f in zip(event.scores, found, strict=True)))
    return event


def test_a_figure_says_what_it_is_of_where_it_stands_alone(home: Path) -> None:
    figures = (Statement("$82,959 million [1]", "Revenue, Q3 2022", (1,)),)
    happened = [
        replace(event, answer=replace(event.answer, statements=figures)) if isinstance(event, AnswerWritten) else event
        for event in built_runs.events(built_runs.finished())
    ]
    text = shown(explorer(run=kept(happened), hop="3", tab="stop"))
    assert "1 figure** of the answer" in text
    assert "Revenue, Q3 2022: $82,959 million" in text


def test_filters_that_match_nothing_say_so_and_can_be_cleared(home: Path) -> None:
    stored(built_runs.finished())
    app = explorer(t_q="no such words")
    assert "The only run does not match these filters." in shown(app)
    app = button(app, "Clear the filters").click().run()
    assert questions(app) == [QUESTION]


def test_more_runs_than_a_page_are_paged(home: Path) -> None:
    recorded = built_runs.records(built_runs.partial())
    for number in range(27):
        first = replace(recorded[0], event=replace(recorded[0].event, question=f"question {number:02}"))  # type: ignore[arg-type]
        open_store().import_run([first, *recorded[1:]])
    app = explorer(t_sort="Question", t_page="2")
    assert questions(app) == ["question 25", "question 26"]
    place = ".st-key-trace_place {min-height: 858px}"
    assert place not in str([each.proto.body for each in app.get("html")])
    app = explorer(t_sort="Question")
    assert len(questions(app)) == 25
    assert place in str([each.proto.body for each in app.get("html")]), "the pages below are not drawn at the top first"


def test_a_view_is_saved_chosen_and_deleted(home: Path) -> None:
    stored(built_runs.finished())
    stored(replace(built_runs.failed(), question="Broke"))
    app = explorer(t_outcome="Failed")
    app = app.text_input(key="trace_view_name").set_value("broken ones").run()
    app = button(app, "Save this view").click().run()
    assert open_store().views() == {"broken ones": "t_sort=Newest&t_outcome=failed"}
    app = explorer()
    app = app.button(key="view_broken ones").click().run()
    assert questions(app) == ["Broke"]
    app = app.button(key="view_delete_broken ones").click().run()
    assert open_store().views() == {}


# ------------------------------------------------------------------ run


def test_a_run_shows_question_figures_and_why_it_stopped(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()))
    text = shown(app)
    assert not app.exception
    assert f"#### {QUESTION}" in text
    assert "**All 4 aspects are covered.**" in text
    assert "**4** hops" in text
    assert "**12** read, **3** kept" in text
    assert "**All 4 aspects are covered.**" in text
    assert "nothing was left to search for." in text
    assert "One more hop would have tried `one more query`" in text
    assert "No aspect contains these words of the question: 2023" in text


def test_the_evidence_keeps_its_place_while_its_script_is_loaded(home: Path) -> None:
    run_id = stored(built_runs.finished())
    styles = [each.proto.body for each in explorer(run=run_id).get("html")]
    assert f"<style>.st-key-cards_{run_id} {{min-height: 360px}}</style>" in styles


def test_the_newest_hop_is_shown_until_one_is_chosen(home: Path) -> None:
    run_id = stored(built_runs.finished())
    assert "**Hop 4 of 4**" in shown(explorer(run=run_id))
    app = explorer(run=run_id, hop="2")
    assert ":green-badge[+ Revenue impact] :green-badge[+ Headcount change] **Acme report 2.0**" in shown(app)
    assert "Asked `Acme revenue by segment after Borealis`" in shown(app)
    assert ":green-badge[+ Revenue impact] :green-badge[+ Headcount change]" in shown(app)


def test_a_hop_that_missed_its_target_says_so(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), hop="3")
    assert ":orange-badge[not found: Regulatory exposure in Europe and the conditions of the Commission]" in shown(app)


def test_a_hop_or_an_aspect_that_the_run_does_not_have_falls_back_to_the_newest_hop(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), hop="99", aspect="no such", tab="no such")
    assert not app.exception
    assert "**Hop 4 of 4**" in shown(app)


def test_an_aspect_shows_its_life(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), aspect="4")
    text = shown(app)
    assert ":green-badge[covered in hop 4]" in text
    assert "Aspect 4 of 4 · optional, importance 0.60" in text
    assert "Hop 1 :gray-badge[open] 0.20" in text
    assert "Hop 3 :orange-badge[not found] 0.20  \n`European Commission conditions Acme Borealis`" in text
    assert "Hop 4 :green-badge[+ newly covered] 0.86  \n`Acme Borealis merger remedies Brussels`" in text
    assert "Acme report 4.0 · annual report · 2024-02-01" in text


def test_an_aspect_covered_long_ago_still_shows_what_covered_it(home: Path) -> None:
    text = shown(explorer(run=stored(built_runs.finished()), aspect="Date and price"))
    assert "**What covered it**" in text
    assert "Acme report 1.0" in text


def test_an_open_aspect_says_that_nothing_was_found(home: Path) -> None:
    text = shown(explorer(run=stored(built_runs.partial()), aspect="4"))
    assert ":orange-badge[not found]" in text
    assert "Nothing in the passages that were read speaks to it." in text


def test_the_decision_tab_says_what_was_chosen_what_was_rejected_and_what_came_of_it(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), hop="3", tab="decision")
    text = shown(app)
    assert "Asked `European Commission conditions Acme Borealis` for **Regulatory exposure in Europe" in text
    assert "Considered and rejected: `European Commission conditions Acme Borealis again`" in text
    assert "**Continue.**" in text
    assert "75% of the aspects covered, importance-weighted mean score 0.68" in text
    assert "| :small[0.86] | :small[0.86] | :small[It speaks of date and price" in text


def test_the_passages_tab_says_what_became_of_each_passage(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), hop="2", tab="passages")
    assert [(row["rank"], row["fate"], list(row["speaks"])) for row in table(app)] == [
        (1, "in the evidence, rank 1", ["Revenue impact", "Headcount change"]),
        (2, "read, not kept", []),
        (3, "read, not kept", []),
        (4, "candidate, not read", []),
    ]
    assert list(table(app)[0])[:3] == ["read", "rank", "title"], "a passage is known by its title"


def test_a_run_without_a_model_says_so_and_json_holds_the_events_of_the_hop(home: Path) -> None:
    run_id = stored(built_runs.finished())
    assert "No language model was used" in shown(explorer(run=run_id, tab="model"))
    app = explorer(run=run_id, hop="1", tab="json")
    assert "6 events of this hop as stored; the run has 29." in shown(app)
    assert [key.split()[1] for key in json.loads(app.json[0].value)] == [
        "hop_started", "passages_retrieved", "findings_read", "coverage_assessed", "evidence_assembled", "decided",
    ]  # fmt: skip


def test_tabs_and_the_life_of_an_aspect_are_few_parts_however_long_the_run(home: Path) -> None:
    """Each part takes the browser some milliseconds, a grid as much as all the others."""
    run_id = stored(built_runs.huge())
    for place in ({"hop": "20", "tab": "stop"}, {"hop": "20", "tab": "decision"}, {"aspect": "3"}):
        app = explorer(run=run_id, **place)
        assert len(app.markdown) < 30, place
        assert not app.dataframe, place


def test_the_decision_shows_the_coverage_of_each_aspect_as_it_was_and_is() -> None:
    run = view(built_runs.records(built_runs.finished()))
    lines = scores_table(run, run.hops[1], run.hops[0]).splitlines()
    assert len(lines) == 2 + len(run.aspects)
    assert lines[2].startswith("| :small[Date and price] | :small[0.86] | :small[0.86] | :small[")
    assert [line.split(" | ")[0] for line in lines if ":green-badge[newly covered]" in line] == [
        f"| :small[{name} :green-badge[newly covered]]" for name in run.hops[1].newly_covered
    ]


def test_the_story_of_a_long_run_begins_with_twelve_hops_and_tells_all_when_asked(home: Path) -> None:
    app = explorer(run=stored(built_runs.huge()))
    app.session_state["trace_view"] = "Story"
    app.run()
    told = [text for text in shown(app).splitlines() if text.startswith("##### Hop ")]
    assert (len(told), button(app, "Show 38 more hops").key) == (12, "story_more")
    button(app, "Show 38 more hops").click().run()
    told = [text for text in shown(app).splitlines() if text.startswith("##### Hop ")]
    assert len(told) == 50
    assert "Show 38 more hops" not in [each.label for each in app.button]


def test_the_story_tells_every_hop_and_the_answer(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()))
    app.session_state["trace_view"] = "Story"
    text = shown(app.run())
    assert not app.exception
    assert [f"##### Hop {n}" in text for n in (1, 2, 3, 4)] == [True] * 4
    assert "The question was split into 4 aspects: Date and price; Revenue impact; Headcount change" in text
    assert "##### Answer" in text


def test_a_failed_run_says_the_first_line_only_and_keeps_what_came_before(home: Path) -> None:
    app = explorer(run=stored(built_runs.failed()))
    assert "**The run failed in hop 3.**" in literal(shown(app))
    assert "The model gave no usable reply. What came before is kept." in literal(shown(app))
    assert "Traceback" not in shown(app)
    assert button(app, "Resume from the last complete hop")


def test_a_run_without_a_hop_says_how_far_it_got_and_what_was_not_searched(home: Path) -> None:
    run_id = kept(list(events(built_runs.running()))[:2])
    open_store().end_without_event(run_id, "interrupted", "ADAQ ended before the run did.")
    app = explorer(run=run_id)
    text = shown(app)
    assert "4 aspects had been planned, and no hop was begun: nothing was searched. There are no lanes" in text
    assert "- Date and price :gray-badge[not searched]" in text
    assert button(app, "Run it again")


def test_the_time_of_a_run_that_goes_on_is_that_since_it_began(home: Path) -> None:
    run_id = stored(built_runs.running())
    assert "**0** hops · **–**" in shown(explorer(run=kept_back()))
    threading.Event().wait(0.2)
    told = re.search(r"\*\*3\*\* hops · \*\*(\d+(?:\.\d+)? m?s)\*\*", shown(explorer(run=run_id)))
    assert told
    assert told[1] != seconds(open_store().records(run_id)[-1].elapsed)


def kept_back() -> str:
    """A run that waits for its turn."""
    started: Any = next(iter(events(built_runs.running())))
    return open_store().begin(started)


def test_the_address_of_a_run_can_be_opened_whatever_its_aspect_is_called(home: Path) -> None:
    story = built_runs.finished()
    odd = replace(story, aspects=(*story.aspects, built_runs.aspect("R&D #1")))
    app = explorer(run=(run_id := stored(odd)), aspect="R&D #1")
    assert any(code.value.endswith(f"?run={run_id}&aspect=R%26D+%231") for code in app.code)


def test_a_hop_that_brought_nothing_says_so_and_why(home: Path) -> None:
    run_id = get_runner().submit(RunSpec("adaptive", "What about it?"), corpus="sample")
    get_runner().wait(run_id, timeout=180)
    text = shown(explorer(run=run_id))
    assert "The search brought no passage: its words are in none, or too common to be searched for." in text
    assert "No further hop was tried; the Decision tab says why." in text


def test_an_interrupted_run_offers_to_resume_and_so_does_an_import_whose_verdict_says_so(home: Path) -> None:
    run_id = stored(built_runs.running())
    open_store().end_without_event(run_id, "interrupted", "ADAQ ended before the run did.")
    app = explorer(run=run_id)
    assert "ADAQ ended before the run did. What came before is kept." in literal(shown(app))
    assert "**Hop 3 of 3** :orange-badge[interrupted]" in shown(app)
    assert button(app, "Resume from the last complete hop")
    imported = open_store().import_run(built_runs.records(built_runs.failed()))
    app = explorer(run=imported)
    assert ":violet-badge[imported, read-only]" in shown(app)
    assert "Resume it; completed hops are not repeated." in literal(shown(app))
    button(app, "Resume from the last complete hop").click().run()
    assert open_store().count() == 3
    assert open_store().run(imported).status == "failed"


def test_an_interrupted_run_of_the_sample_corpus_resumes_as_a_new_run(home: Path) -> None:
    from adaq_core.runs.runner import get_runner

    question = "self-attention vs multi-head attention"
    whole = get_runner().submit(RunSpec("adaptive", question), corpus="sample")
    get_runner().wait(whole, timeout=180)
    records = open_store().records(whole)
    begun: Any = records[0].event
    cut = open_store().begin(RunStarted(question, "adaptive", begun.corpus, begun.settings, begun.budget))
    first_decided = next(i for i, r in enumerate(records) if r.event.kind == "decided")
    open_store().copy_records(cut, records[: first_decided + 1])
    open_store().end_without_event(cut, "interrupted", "Cut off.")
    app = button(explorer(run=cut), "Resume from the last complete hop").click().run()
    resumed = params(app)["run"]
    assert resumed != cut
    assert get_runner().wait(resumed, timeout=180).status == "finished"


def test_resuming_a_run_that_was_deleted_meanwhile_ends_in_words(home: Path) -> None:
    run_id = stored(built_runs.failed())
    app = explorer(run=run_id)
    open_store().delete_run(run_id)
    app = button(app, "Resume from the last complete hop").click().run()
    assert not app.exception
    assert "Run not found" in shown(app)


def test_where_a_run_is_not_found_runs_of_one_question_are_told_apart(home: Path) -> None:
    stored(built_runs.finished())
    stored(built_runs.partial())
    offered = [literal(each.label) for each in explorer(run="r-none").button if str(each.key).startswith("newest_")]
    assert [("partly answered" in label, "ADAQ" in label) for label in offered] == [(True, True), (False, True)]


def test_a_running_run_says_so_and_cannot_be_deleted(home: Path) -> None:
    run_id = stored(built_runs.running())
    app = explorer(run=run_id)
    assert ":blue-badge[:shimmer[running]]" in shown(app)
    assert "**Hop 3 of 3**" in shown(app)
    assert button(app, "Cancel").key == "trace_cancel"
    open_store().end_without_event(run_id, "interrupted", "")


def test_a_run_without_a_hop_says_what_it_does(home: Path) -> None:
    story = built_runs.running()
    begun: Any = next(events(story))
    run_id = open_store().begin(
        RunStarted(story.question, "adaptive", begun.corpus, begun.settings, begun.budget, model="llama3.2")
    )
    app = explorer(run=run_id)
    waiting = component(app, f"live_{run_id}")
    assert waiting["waiting"].startswith("Preparing the corpus")
    assert waiting["aspects"], "those to come"
    assert "**0** tokens" in shown(app)
    assert button(app, "Cancel").key == "trace_cancel"
    open_store().append(run_id, begun)
    app = explorer(run=run_id)
    assert component(app, f"live_{run_id}")["waiting"] == "Finding the aspects of the question"
    assert shown(app).count("Finding the aspects") == 1
    open_store().end_without_event(run_id, "interrupted", "")


def test_an_unknown_run_gets_a_message_and_a_search(home: Path) -> None:
    stored(built_runs.finished())
    app = explorer(run="r-nope<b>")
    assert "Run not found" in shown(app)
    assert "`r-nope<b>`" in shown(app)
    app = app.text_input(key="trace_find").set_value("borealis").run()
    assert "run" not in params(app)
    assert app.text_input(key="t_q").value == "borealis"
    assert questions(app) == [QUESTION]


def test_previous_and_next_follow_the_list_that_was_shown(home: Path) -> None:
    ids = [stored(replace(built_runs.partial(), question=name)) for name in ("one", "two", "three")]
    app = explorer(run=ids[1])
    newer = button(app, "Previous").click().run()
    assert params(newer)["run"] == ids[2]
    assert button(newer, "Previous").disabled
    app = explorer(run=ids[1])
    assert params(button(app, "Next").click().run())["run"] == ids[0]


def test_next_goes_beyond_the_page_of_the_list_and_from_a_run_that_a_link_opened(home: Path) -> None:
    ids = [stored(replace(built_runs.partial(), question=f"number {number:02}")) for number in range(27)]
    app = explorer()
    app.query_params["run"] = ids[2]  # the last on the first page of 25
    app = button(app.run(), "Next").click().run()
    app = button(app, "Next").click().run()
    assert params(app)["run"] == ids[0]
    assert button(app, "Next").disabled
    app = button(button(app, "Previous").click().run(), "Previous").click().run()
    assert params(app)["run"] == ids[2]
    app = explorer(t_sort="Oldest")
    app.query_params["run"] = ids[1]
    assert params(button(app.run(), "Next").click().run())["run"] == ids[2]


def test_note_tags_and_thumb_are_kept_with_the_run(home: Path) -> None:
    run_id = stored(built_runs.finished())
    app = explorer(run=run_id)
    app = app.text_area(key=f"trace_note_{run_id}").set_value("worth <b>reading</b>").run()
    app.session_state[f"trace_tags_{run_id}"] = ["demo"]
    app.run()
    row = open_store().run(run_id)
    assert row is not None
    assert row.note == "worth <b>reading</b>"


def test_deleting_a_run_goes_back_to_the_list(home: Path) -> None:
    run_id = stored(built_runs.finished())
    kept = stored(replace(built_runs.partial(), question="stays"))
    app = button(explorer(run=run_id), "Delete the run").click().run()
    assert open_store().run(run_id) is None
    assert open_store().run(kept) is not None
    assert questions(app) == ["stays"]


def test_hostile_text_is_shown_as_it_is(home: Path) -> None:
    aspects = (built_runs.aspect(HOSTILE),)
    story = Story(aspects, [built_runs.Turn(HOSTILE, HOSTILE, (HOSTILE,))], question=HOSTILE)
    run_id = stored(story)
    for extra in ({}, {"tab": "decision"}, {"tab": "passages"}, {"aspect": "1"}):
        app = explorer(run=run_id, **extra)
        assert not app.exception
        raw = "\n".join(str(m.value) for kind in (app.markdown, app.caption) for m in kind)
        for markup in ("](", "<", ":red", "$", "http:", "**bold"):
            assert markup not in _live_markdown(raw), markup
    assert HOSTILE in shown(explorer(run=run_id))


def _live_markdown(markdown: str) -> str:
    """What is left to be read as Markdown: without code and without escaped characters."""
    return "".join(re.sub(r"\\.", "", markdown).split("`")[::2])


# ------------------------------------------------------------------ plain values


def view_of(story: Story) -> Any:
    from adaq_core.trace import view

    return view(built_runs.records(story))


def test_an_evidence_card_says_how_it_came_and_what_it_replaced() -> None:
    run = view_of(built_runs.finished())
    cards = evidence_cards(run, run.hops[1])
    assert [(c["rank"], c["title"], c["covers"], c["fresh"]) for c in cards] == [
        (1, "Acme report 2.0", ["Revenue impact", "Headcount change"], True)
    ]
    assert cards[0]["came"] == "Hop 2, query “Acme revenue by segment after Borealis”"
    assert (cards[0]["replaced"], cards[0]["reason"]) == ("In place of “Acme report 1.0”", "It covers an open aspect.")
    assert ("It speaks of revenue impact: the figure is 20 million.", "quote") in [tuple(p) for p in cards[0]["parts"]]


def test_an_evidence_card_says_neither_the_question_nor_the_query_twice_nor_that_there_was_room() -> None:
    query = built_runs.TURNS[0].query
    for question, by, came in (
        (query, "the question itself", "Hop 1, by the question itself"),
        (QUESTION, f"“{query}”", f"Hop 1, query “{query}”"),
    ):
        run = view_of(replace(built_runs.finished(), question=question))
        hop = run.hops[0]
        taken = tuple(replace(each, reason=f"brought by {by}; close to the question") for each in hop.replacements)
        card = evidence_cards(run, replace(hop, replacements=taken))[0]
        assert (card["came"], card["replaced"], card["reason"]) == (came, "", "close to the question")


def test_an_evidence_card_says_where_its_passage_was_first_found_though_a_later_hop_ranked_it_anew() -> None:
    run = view_of(built_runs.finished())
    hop, later = run.hops[:2]
    anew = tuple(replace(each, provenance=replace(each.provenance, hop=2, query="again")) for each in hop.evidence)
    card = evidence_cards(run, replace(later, evidence=anew, replacements=()))[0]
    assert (card["came"], card["fresh"]) == (f"Hop 1, query “{built_runs.TURNS[0].query}”", False)


def test_a_card_that_came_by_a_link_names_parent_sentence_and_entity() -> None:
    run = view_of(built_runs.finished())
    card = next(c for c in evidence_cards(run, run.hops[3]) if c["link"])
    assert card["link"] == "“Acme report 3.0” names Borealis: “The Commission named Borealis in its decision.”"


def test_fates_tell_kept_read_and_candidates_apart() -> None:
    run = view_of(built_runs.finished())
    hop, later = run.hops[:2]
    brought = hop.retrieved[0].passages
    told: Sequence[str] = [fate.fate for fate in fates(run, hop, brought)]
    assert told == ["in the evidence, rank 1", "read, not kept", "read, not kept", "candidate, not read"]
    again = replace(later, read=(brought[3].passage.passage_id,), evidence=())
    told = [fate.fate for fate in fates(replace(run, hops=[hop, again]), again, brought)]
    assert told == [*["read in hop 1, not kept"] * 3, "read, not kept"]


def test_how_many_passages_were_read_is_what_the_hop_says_it_read(home: Path) -> None:
    run_id = stored(built_runs.finished())
    read = view_of(built_runs.finished()).hops[0].passages_read
    assert f"{read} of them were read in this hop" in shown(explorer(run=run_id, hop="1", tab="passages"))


def test_stage_bars_start_at_the_beginning_of_their_hop() -> None:
    bars = stage_bars(view_of(built_runs.finished()).hops[1])
    assert [bar["name"] for bar in bars] == ["refine", "retrieve", "read", "critique", "assemble", "decide"]
    assert [bar["start"] for bar in bars] == pytest.approx([0.0, 0.08, 0.16, 0.24, 0.32, 0.4])
    assert [bar["seconds"] for bar in bars] == pytest.approx([0.08] * 6)


def test_aspects_are_edited_as_lines_of_text() -> None:
    one, two = built_runs.ASPECTS[:2]
    assert edited((one, two), [one.aspect, two.aspect, ""]) == (one, two)
    assert edited((one, two), [two.aspect]) == (two,)
    reworded_one, same = edited((one, two), ["Closing date", two.aspect])
    assert (reworded_one.aspect, reworded_one.importance, same) == ("Closing date", one.importance, two)
    assert [a.aspect for a in edited((one, two), [one.aspect, two.aspect, "Debt", " debt "])][:3] == [
        one.aspect,
        two.aspect,
        "Debt",
    ]


def test_a_form_left_as_it_was_changes_nothing_and_each_field_changes_its_own() -> None:
    run = view_of(built_runs.finished())
    lines = [aspect.aspect for aspect in run.aspects]
    usual: dict[str, Any] = {"lines": lines, "query": " ", "target": "", "threshold": 0.5, "most": 10}
    assert branch_of(run, 2, **usual) == Branch(2)
    assert branch_of(run, 2, **{**usual, "query": " more  words "}) == Branch(2, query="more words")
    assert branch_of(run, 2, **{**usual, "lines": lines[:3]}).aspects == run.aspects[:3]
    settings = branch_of(run, 2, **{**usual, "threshold": 0.7, "most": 2}).settings
    assert settings is not None
    assert (settings.coverage_threshold, settings.max_hops, settings.min_hops) == (0.7, 2, 2)


def test_what_was_changed_is_said_in_words() -> None:
    turn = Turn(2, ("New",), ("Old",), (("coverage_threshold", 0.5, 0.6),), "a query")
    assert literal(turn_words(turn)) == (
        "“New” in place of “Old”; an aspect counts as covered at 0.6 (was 0.5); asked `a query`"
    )
    assert literal(turn_words(Turn(1, target="Old"))) == "searched “Old” once more"


def test_a_branch_is_made_in_the_form_and_leads_back_to_its_parent(home: Path) -> None:
    runner = get_runner()
    parent = runner.submit(TESLA, corpus="sample")
    runner.wait(parent, timeout=60)
    app = explorer(run=parent, hop="1")
    button(app, "Branch from here").click().run()
    next(field for field in app.text_input if field.label == "What the next hop asks").set_value("Tesla recalls")
    button(app, "Continue from hop 1").click().run()
    [child] = open_store().runs(parent=parent)
    row = runner.wait(child.run_id, timeout=60)
    assert params(app)["run"] == row.run_id
    words = shown(explorer(run=row.run_id))
    assert "Branched after hop 1: asked `Tesla recalls`" in words
    assert "2 runs of this question, the newest first" in words


def test_a_pasted_query_that_is_too_long_for_a_hop_starts_no_run_and_says_so(home: Path) -> None:
    runner = get_runner()
    parent = runner.submit(TESLA, corpus="sample")
    runner.wait(parent, timeout=60)
    app = explorer(run=parent, hop="1")
    button(app, "Branch from here").click().run()
    next(field for field in app.text_input if field.label == "What the next hop asks").set_value("recalls " * 50)
    button(app, "Continue from hop 1").click().run()
    assert "A hop asks at most 300 characters, these are 400: no run was started." in shown(app)
    assert open_store().runs(parent=parent) == []


def test_a_note_on_a_hop_stands_on_it_and_with_the_notes_of_the_run(home: Path) -> None:
    run_id = stored(built_runs.finished())
    app = explorer(run=run_id, hop="2")
    key = f"remark_{run_id}_hop_2_note"
    next(area for area in app.text_area if area.key == key).set_value("The turning point").run()
    assert Remarks(open_store()).of(run_id) == (Remark("hop", "2", "The turning point"),)
    passage_id = next(iter(view_of(built_runs.finished()).passages))
    for remark in (Remark("passage", passage_id), Remark("sentence", "1"), Remark("sentence", "99")):
        Remarks(open_store()).keep(run_id, replace(remark, rating=-1))
    text = shown(explorer(run=run_id))
    assert "**Hop 2**: The turning point" in text
    assert "**Passage “Acme report 1.0”** :material/thumb_down:" in text
    assert "**Sentence “Passage 1 of hop 2.”**" in text
    assert "**Sentence 99**" in text


def test_the_rank_after_the_hop_says_how_far_a_passage_moved() -> None:
    run = view_of(built_runs.finished())
    hop = run.hops[1]
    [first, second, *_] = fates(run, hop, hop.retrieved[0].passages)
    moved = replace(hop, ranking=("other", "another", first.scored.passage.passage_id))
    assert (rank_after(moved, first), rank_after(moved, second)) == ("3 ↓2", "–")
    assert rank_after(replace(hop, ranking=(first.scored.passage.passage_id,)), first) == "1"


def test_the_marks_of_what_could_have_been_said_are_explained_in_words_and_not_as_a_list(home: Path) -> None:
    app = explorer(run=stored(built_runs.finished()), hop="2", tab="stop")
    marks = next(each.value for each in app.caption if "could already be said" in each.value)
    assert marks.startswith(r"\+ ")


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("“risks” alone is too vague: name the company. The nearest passages are quoted", "“risks” alone is too vague"),
        ("More hops would not help: the last 2 hops added nothing; 1 aspect is open", "More hops would not help"),
        ("Answers are judged in English only. This question was searched", "Answers are judged in English only"),
        ("No aspect is covered for certain, and more hops would not help", "No aspect is covered for certain"),
        ("The passages speak to the question only in part", "The passages answer only in part"),
        ("“quarterly performance” alone is too vague: name the company", "“quarterly performance” alone is too…"),
    ],
)
def test_the_list_says_in_a_clause_why_a_run_gave_up(home: Path, reason: str, why: str) -> None:
    run_id = stored(built_runs.partial())
    row = replace(open_store().run(run_id), stop_reason="no_gain", reason=reason)
    assert stop_words(row) == why


def test_the_list_does_not_blame_a_limit_that_a_method_never_came_to(home: Path) -> None:
    row = open_store().run(stored(built_runs.partial()))
    assert stop_words(row) == "This method makes no more hops"
    assert stop_words(replace(row, hops=1)) == "This method searches only once"
    assert stop_words(replace(row, hops=row.settings.max_hops)) == "The limit on hops is reached"


def test_the_list_says_what_failed_without_the_name_of_a_class(home: Path) -> None:
    row = open_store().run(stored(built_runs.failed()))
    assert row.reason.startswith("ModelError: ")
    assert stop_words(row) == "The model gave no usable reply"
    down = row.reason.replace("ModelError", "ModelServerDown")
    assert stop_words(replace(row, reason=down)) == "The model gave no usable reply"


def test_passages_that_an_earlier_hop_brought_are_new_in_the_evidence_of_the_hop_that_took_them(home: Path) -> None:
    text = shown(explorer(run=stored(built_runs.finished()), hop="4"))
    assert "The 3 passages kept as evidence after this hop, 1 of them new (marked on the left)." in text


def test_a_branch_whose_first_hops_came_out_otherwise_says_so_at_its_top(home: Path) -> None:
    parent = stored(built_runs.finished())
    first, *rest = built_runs.events(built_runs.partial())
    words = "The corpus or the settings changed: the run was made again from the start"
    begun: Any = first
    child = open_store().begin(begun, parent=parent)
    for event in (first, Noticed("resume", words), *rest):
        open_store().append(child, event, wait=False)
    open_store().flush(child)
    text = shown(explorer(run=child))
    assert f":orange[{words}]" in text
    assert "Repeated and continued" not in text


def test_a_branch_says_beside_its_change_that_its_earlier_hops_differ() -> None:
    run = view_of(built_runs.finished())
    again = Noticed("resume", "The corpus changed: the run was made again from the start")
    branched = replace(run, turns=[Turn(1, query="Tesla recalls")], noticed=[again])
    assert literal(parent_words(branched)) == (
        "Branched after hop 1: asked `Tesla recalls` · "
        ":orange[The corpus changed: the run was made again from the start]"
    )
    assert parent_words(replace(run, noticed=[])) == "Repeated and continued"
