"""What covered an aspect, and what a run came to: one answer for every page, held over the bundled questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Literal

import pytest

from adaq_core import events as e
from adaq_core import methods, trace
from adaq_core.answerability import recalibrated
from adaq_core.datasets.beir import BUNDLED, read_question_set
from adaq_core.export.page import run_page
from adaq_core.export.verdict import CoverageRow, fates, lead, only_looked_at, open_aspects, plain_reason, sent_for
from adaq_core.model import Answer, AspectScore, Finding, Settings, Statement, Subquery
from adaq_core.store.rows import RunRow, after, new_row
from pages._shared.ask.done import missed_words
from pages._shared.ask.live_view import covered_by_line, state_badge
from pages._shared.common.text import literal, short
from pages._shared.components.answer.view import answer_groups
from pages._shared.components.aspect_matrix.matrix import cell_text
from pages._shared.components.coverage_lanes.lanes import lanes_data
from pages._shared.run.comparison import Column, curve, matrix, proofs
from pages._shared.run.data import coverage_rows, covered_count, notice_words, steps
from pages._shared.run.verdict import proof_of, resume_label, verdict, verdict_lines
from tests.asking import RunOf
from tests.pages import built_runs

# Methods that search by words: the embedding model would cost this law a minute and prove the same.
METHODS = tuple(name for name in methods.names() if name != "dense")
QUESTIONS = tuple(
    question.text for name in ("finance", "general") for question in read_question_set(BUNDLED / name).questions
)


def cases() -> Iterator[tuple[str, str]]:
    """Every bundled question under one method at least: every second for ADAQ, each other method on its own share."""
    for question in QUESTIONS[::2]:
        yield "adaptive", question
    for place, method in enumerate(METHODS[1:]):
        for question in QUESTIONS[place :: len(METHODS) - 1]:
            yield method, question


def records_of(events: Iterable[e.Event]) -> list[e.Record]:
    return [e.Record(number, "2026-01-01T00:00:00Z", number / 10, one) for number, one in enumerate(events, start=1)]


@pytest.mark.parametrize(("method", "question"), list(cases()))
def test_every_page_names_the_finding_of_the_hop_that_covered_an_aspect(
    method: str, question: str, run_of: RunOf
) -> None:
    records = records_of(run_of(method, question))
    run = trace.view(records)
    first: dict[str, tuple[int, AspectScore]] = {}
    for event in (record.event for record in records):
        if isinstance(event, e.CoverageAssessed):
            scores = {score.aspect: score for score in event.scores}
            for name in event.newly_covered:
                first.setdefault(name, (event.hop, scores[name]))
    assert {name: hop for name, (hop, _) in first.items()} == run.first_covered
    assert set(run.covered_at) == {name for name in first if (run.coverage_score(name) or 0.0) >= run.threshold}
    for name, (hop, score) in first.items():
        then = run.proof(name, upto=hop)
        assert then is not None
        assert (then.hop, then.score) == (hop, score)
        _same_on_every_page(run, method, name, hop)
    assert _row_of(records).outcome == verdict(run).outcome
    _same_number_everywhere(run, method)


def _row_of(records: list[e.Record]) -> RunRow:
    """The row that lists show of a run, folded from its events as the store does."""
    begun = records[0].event
    assert isinstance(begun, e.RunStarted)
    row = new_row("r", begun)
    return reduce(after, records, row)


def _same_number_everywhere(run: trace.RunView, method: str) -> None:
    """What the head of a run counts as covered is what its lanes, its curve and its steps end with."""
    counted = {covered_count(run), lanes_data(run)["hops"][-1]["covered"], steps(run)[-1].covered}
    counted.add(curve(Column("r", method, run, "finished"), "hops")[1][-1])
    assert counted == {len(run.covered_at)}


def _same_on_every_page(run: trace.RunView, method: str, name: str, hop: int) -> None:
    lane = lanes_data(run)["hops"][hop - 1]["cells"][[a.aspect for a in run.aspects].index(name)]
    began = proof_of(run, name, upto=hop)
    assert (lane["state"], lane["proof"]) == ("new", f"{began.title}, {began.came}" if began else "")
    covering, proof = run.proof(name), proof_of(run, name)
    life = trace.aspect_life(run, name)
    assert life is not None
    assert life.proof == covering
    [compared] = proofs([Column("r", method, run, "finished")], name)
    assert (compared.finding, compared.proof) == (covering.finding if covering else None, proof)
    asked = next(row for row in coverage_rows(run) if row.aspect.aspect == name)
    assert (asked.state == "covered") == (name in run.covered_at)
    if proof and asked.state == "covered":
        assert literal(short(proof.title, 70)) in covered_by_line(run, asked)
    if covering and covering.finding:
        arrival = run.arrival(covering.finding.passage_id)
        assert arrival is not None
        assert arrival.hop <= covering.hop


def test_a_later_hop_that_scores_higher_does_not_take_the_credit() -> None:
    early = Finding("Price", "a#0", "costs 3", 0, 7, 0.8)
    late = Finding("Price", "b#0", "costs 4", 0, 7, 1.0)
    first = e.CoverageAssessed(1, (AspectScore("Price", 0.8, early),), ("Price",), 1.0, 0.8)
    second = e.CoverageAssessed(2, (AspectScore("Price", 1.0, late),), (), 1.0, 1.0)
    run = trace.view([e.Record(1, "", 0.0, first), e.Record(2, "", 0.1, second)])
    proof = run.proof("Price")
    assert proof is not None
    assert (proof.hop, proof.finding) == (1, early)


def test_an_open_aspect_shows_the_nearest_try_and_does_not_call_it_covered() -> None:
    run = trace.view(built_runs.records(built_runs.partial()))
    for row in run.aspects:
        proof = proof_of(run, row.aspect)
        assert proof is None or proof.covers == (row.aspect in run.covered_at)


@pytest.mark.parametrize(
    ("story", "outcome", "title"),
    [
        (built_runs.finished(), "answered", "All 4 aspects are covered"),
        (built_runs.partial(), "partly", "3 of 4 aspects covered"),
        (built_runs.failed(), "failed", "The run failed in hop 3"),
        (built_runs.running(), "running", "3 of 4 aspects covered so far"),
    ],
)
def test_a_run_has_one_verdict(story: built_runs.Story, outcome: str, title: str) -> None:
    said = verdict(trace.view(built_runs.records(story)))
    assert (said.outcome, said.title) == (outcome, title)


def test_what_is_missing_is_named_with_what_was_tried() -> None:
    said = verdict(trace.view(built_runs.records(built_runs.partial())))
    assert "tried with" in said.missing
    assert any(line.startswith("**Missing:**") for line in verdict_lines(said))
    assert not any("Missing" in line for line in verdict_lines(said, missing=False)), "a page that lists the aspects"


def test_an_aspect_whose_hop_was_cut_off_is_not_run_and_never_not_found() -> None:
    said = verdict(trace.view(built_runs.records(built_runs.failed())))
    assert "(not run)" in said.missing
    assert "What came before is kept." in said.why


@pytest.mark.parametrize(
    ("story", "interrupted", "label", "told"),
    [
        (
            built_runs.failed(),
            False,
            "Resume from the last complete hop",
            "Resume it; completed hops are not repeated.",
        ),
        (replace(built_runs.failed(), turns=()), False, "Run it again", "Run it again."),
        (
            built_runs.running(),
            True,
            "Resume from the last complete hop",
            "Resume it; completed hops are not repeated.",
        ),
        (replace(built_runs.partial(), stop="user_stop"), False, "Continue from here", "Continue it; completed hops"),
        (built_runs.finished(), False, "", ""),
    ],
)
def test_the_button_that_goes_on_says_what_the_verdict_says(
    story: built_runs.Story, interrupted: bool, label: str, told: str
) -> None:
    run = trace.view(built_runs.records(story))
    assert resume_label(run, interrupted=interrupted) == label
    assert verdict(run, interrupted=interrupted).next.startswith(told)


def test_what_failed_for_its_corpus_needs_that_first() -> None:
    started, *_ = built_runs.records(built_runs.failed())
    failed = e.RunFailed("CorpusError", "there is no corpus 'mine'; known: sample")
    said = verdict(trace.view([started, replace(started, event=failed)]))
    assert (said.why, said.next) == (
        "There is no corpus 'mine'; known: sample.",
        "See to the corpus on the Corpus page, then run it again.",
    )


def test_a_run_that_was_cancelled_while_it_waited_never_began() -> None:
    said = verdict(trace.view([]), interrupted=True, reason="It was cancelled while it waited.")
    assert (said.title, said.why) == ("Not begun", "It was cancelled while it waited.")


def test_how_sure_is_said_in_words_and_the_number_waits_behind_the_i() -> None:
    assessed = e.CoverageAssessed(1, (AspectScore("Price", 0.9),), ("Price",), 1.0, 0.9, sufficiency=0.32)
    planned = e.AspectsPlanned((built_runs.aspect("Price"),))
    written = e.AnswerWritten(built_runs.Answer("It costs 3."))
    events = (planned, assessed, written, e.RunFinished("all_covered", "every aspect is covered"))
    said = verdict(trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)]))  # type: ignore[arg-type]
    assert said.sure == ""
    assert "Own estimate, not calibrated: 32% that all the evidence is here." in said.details
    assert "20 rated runs over this corpus will tell how often that estimate is right here." in said.details
    assert "all_covered" not in literal(said.why)


def test_how_often_runs_are_complete_is_said_once_enough_were_judged_and_from_how_many() -> None:
    assessed = e.CoverageAssessed(
        1, (AspectScore("Price", 0.9),), ("Price",), 1.0, 0.9, sufficiency=0.32, answerable=0.95
    )
    planned = e.AspectsPlanned((built_runs.aspect("Price"),))
    events = (planned, assessed, e.AnswerWritten(built_runs.Answer("It costs 3.")), e.RunFinished("all_covered", ""))
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])  # type: ignore[arg-type]
    assert verdict(run).sure == "These passages very likely hold the answer."
    judged = recalibrated([(0.32, True)] * 20 + [(0.32, False)] * 10)
    assert verdict(run, judged=judged).sure == (
        "Fairly sure that nothing is missing: of 10 runs like this, about 7 had all the evidence they needed, "
        "going by 30 ratings of runs over this corpus."
    )
    useful = recalibrated([(0.32, True)] * 20)
    assert "of 10 runs like this, 9 or 10 had" in verdict(run, judged=useful).sure, "no rating makes it certain"


@pytest.mark.parametrize(
    ("aspects", "chance", "title", "sure"),
    [
        ("A", 0.95, "Answered", "These passages very likely hold the answer."),
        ("A", 0.75, "Answered", "These passages likely hold the answer."),
        ("AB", 0.6, "1 of 2 aspects covered", "These passages may hold a part of the answer."),
    ],
)
def test_how_sure_it_is_does_not_take_back_what_is_covered(aspects: str, chance: float, title: str, sure: str) -> None:
    scores = tuple(AspectScore(name, 0.9 if name == "A" else 0.0) for name in aspects)
    assessed = e.CoverageAssessed(1, scores, ("A",), 1 / len(aspects), 0.9, sufficiency=0.3, answerable=chance)
    planned = e.AspectsPlanned(tuple(built_runs.aspect(name) for name in aspects))
    answer = built_runs.Answer("A is 3.")
    events = (planned, assessed, e.AnswerWritten(answer), e.RunFinished("no_gain", ""))
    said = verdict(trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)]))  # type: ignore[arg-type]
    assert (said.title, said.sure) == (title, sure)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("All 22 aspects covered (weighted coverage: 91.0%)", "All 22 aspects covered"),
        ("The one aspect is covered", "The one aspect is covered"),
        ("Core aspects still uncovered", "Not every core aspect is covered yet"),
        (
            "Core aspects still uncovered; 3 hops at least",
            "Not every core aspect is covered yet, and at least 3 hops are made while something is left to try",
        ),
        (  # as runs that are stored since have it
            "The core is covered, but 1 aspect is still open (below the minimum of 3 hops)",
            "The core is covered, but 1 aspect is still open, "
            "and at least 3 hops are made while something is left to try",
        ),
    ],
)
def test_the_reason_of_a_decision_is_told_in_plainer_words_than_the_log_has(reason: str, said: str) -> None:
    assert plain_reason(reason) == said


@pytest.mark.parametrize(("by", "missing"), [("heuristic", ""), ("user", "Price (not searched).")])
def test_an_only_aspect_is_named_where_a_user_chose_it_and_else_is_the_question(
    by: Literal["heuristic", "user"], missing: str
) -> None:
    assessed = e.CoverageAssessed(1, (AspectScore("Price", 0.2),), (), 0.0, 0.2)
    written = e.AnswerWritten(built_runs.Answer("x", (Statement("It is dear. [1]", "Price", (1,)),)))
    planned = e.AspectsPlanned((built_runs.aspect("Price"),), by=by)
    events = (planned, assessed, written, e.RunFinished("no_gain", ""))
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])  # type: ignore[arg-type]
    assert verdict(run).title == "No certain answer"
    assert verdict(run).missing == missing
    assert [group["headed"] for group in answer_groups(run)] == [by == "user"]


def test_what_was_covered_and_has_left_the_evidence_since_is_lost_again_and_not_never_found() -> None:
    planned = e.AspectsPlanned((built_runs.aspect("A"), built_runs.aspect("B")))
    first = e.CoverageAssessed(1, (AspectScore("A", 0.9), AspectScore("B", 0.0)), ("A",), 0.5, 0.5)
    last = e.CoverageAssessed(2, (AspectScore("A", 0.0), AspectScore("B", 0.0)), (), 0.0, 0.0)
    hops = [e.HopStarted(hop, (Subquery("a", "A"),), "") for hop in (1, 2)]
    written = e.AnswerWritten(built_runs.Answer("", (), abstained=True))
    events = (planned, hops[0], first, hops[1], last, written, e.RunFinished("no_gain", ""))
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])  # type: ignore[arg-type]
    assert fates(run) == {"A": "lost again", "B": "not found"}
    assert verdict(run).title == "Found and lost again"
    assert verdict(run).why == "What covered 1 of 2 aspects made room for other passages."
    badges = [state_badge(run, row) for row in coverage_rows(run)]
    assert badges == [":orange-badge[lost again]", ":orange-badge[not found]"]
    cells = [row.cells[0] for row in matrix([Column("r-1", "bm25", run, "finished")])]
    assert [cell_text(cell) for cell in cells] == ["✗ lost again", "✗ not found"]


def test_what_ended_a_run_is_told_as_a_sentence() -> None:
    events = (e.AspectsPlanned((built_runs.aspect("A"),)), e.RunFailed("CorpusError", "corpus 'a' has been deleted"))
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])  # type: ignore[arg-type]
    assert verdict(run).why == "Corpus 'a' has been deleted."


def test_of_a_question_in_another_language_nothing_is_called_missing(run_of: RunOf) -> None:
    run = trace.view(records_of(run_of("adaptive", "Wie funktioniert BM25?")))
    said = verdict(run)
    assert (said.title, said.missing, said.sure) == ("Searched, not judged", "", "")
    assert said.next == "Ask it in English to have it judged."
    assert "do not answer" not in said.why
    assert [state_badge(run, row) for row in coverage_rows(run)] == [":gray-badge[not judged]"]
    lanes = lanes_data(run)
    assert {row["score"] for row in (*lanes["aspects"], *lanes["hops"][0]["cells"])} == {None}


def _none_speaks(run: trace.RunView) -> str:
    return f"None of the {run.cost.passages_read} passages read speaks to this question."


def test_a_method_that_finds_nothing_says_so_of_what_it_read_and_not_of_the_corpus(run_of: RunOf) -> None:
    question = "What are the legal risks of Microsoft, and what dividend did it pay in 2023?"
    one, another = (trace.view(records_of(run_of(method, question))) for method in ("bm25", "adaptive"))
    assert (verdict(one).title, verdict(another).outcome) == ("Not enough evidence for an answer", "partly")
    assert "Nothing that was found answers the question" in verdict(one).why
    assert "corpus" not in verdict(one).why


def test_a_question_in_another_language_of_which_nothing_was_found_is_not_said_to_name_nothing(run_of: RunOf) -> None:
    run = trace.view(records_of(run_of("adaptive", "Wie viele Einwohner hat Lissabon?")))
    said = verdict(run)
    assert (said.title, said.sure) == ("Searched, not judged", "")
    assert said.why in ("The search brought no passage for this question.", _none_speaks(run))
    assert said.next == "Ask it in English to have it judged."


def test_what_came_nearest_to_a_missing_aspect_is_named_unless_the_answer_quotes_it() -> None:
    near = AspectScore("B", 0.4, Finding("B", "b#0", "costs 4", 0, 7, 0.4))
    planned = e.AspectsPlanned((built_runs.aspect("A"), built_runs.aspect("B")))
    scored = e.CoverageAssessed(1, (AspectScore("A", 0.9), near), ("A",), 0.5, 0.5)
    events = (planned, e.HopStarted(1, (Subquery("b", "B"),), ""), scored, e.RunFinished("no_gain", ""))
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])  # type: ignore[arg-type]
    [missed] = open_aspects(run)
    assert missed_words(run, missed).endswith(":small[:gray[Nearest passage: b\\#0]]")
    run.answer = Answer("", statements=(Statement("It costs 4.", "B"),))
    assert missed_words(run, missed) == ":small[B] :orange-badge[not found]"


def test_what_was_not_found_looks_the_same_whether_a_hop_went_after_it_or_not() -> None:
    run = trace.view(built_runs.records(built_runs.partial()))
    tried = CoverageRow(built_runs.aspect("A"), "tried", None, 0.0)
    passed = replace(tried, state="open")
    assert {state_badge(run, row) for row in (tried, passed)} == {":orange-badge[not found]"}
    assert state_badge(run, replace(passed, score=0.35)) == ":orange-badge[not found]", "no number without a name"


@pytest.mark.parametrize("story", [built_runs.partial(), built_runs.failed()])
def test_every_page_and_export_has_one_word_for_what_became_of_an_aspect(story: built_runs.Story) -> None:
    run = trace.view(built_runs.records(story))
    word = {"max_hops": "not found", None: "not run"}[story.stop]
    row = open_aspects(run)[0]
    assert fates(run)[row.aspect.aspect] == word
    assert f"badge[{word}" in state_badge(run, row)
    assert [each["fate"] for each in lanes_data(run)["aspects"]] == ["", "", "", word]
    assert f"<span class='missed'>{word}</span>" in run_page("r-1", run)


def test_an_aspect_that_nothing_was_asked_for_is_not_said_to_have_been_searched() -> None:
    run = trace.view(built_runs.records(replace(built_runs.partial(), turns=built_runs.TURNS[2:3])))
    assert verdict(run).missing.startswith("Date and price; Revenue impact; Headcount change (no query sent); ")
    assert "question's own words" not in verdict(run).missing


def test_a_query_that_was_only_looked_at_is_not_said_to_have_been_tried(run_of: RunOf) -> None:
    run = trace.view(records_of(run_of("adaptive", "How many penguins live at Toyota's plants?")))
    name = run.aspects[0].aspect
    assert sent_for(run, name) == ()
    assert only_looked_at(run, name)
    assert "tried" not in lead(verdict(run))


def test_a_run_without_an_answer_to_its_one_aspect_does_not_say_again_that_the_answer_is_missing(run_of: RunOf) -> None:
    run = trace.view(records_of(run_of("adaptive", "How many penguins live at Toyota's plants?")))
    said = verdict(run)
    assert (said.outcome, said.missing) == ("nothing", "")


def test_that_what_came_before_is_kept_is_said_once() -> None:
    own = "An unexpected error ended the run (OSError: no space). What was found before it is kept."
    run = trace.view(built_runs.records(built_runs.failed()))
    assert verdict(run, reason=own).why.count("is kept") == 1
    run.reason, run.error = own, own
    assert verdict(run).why == own


def test_a_question_that_names_nothing_is_called_unclear_once_and_nothing_is_called_missing(
    run_of: RunOf,
) -> None:
    said = verdict(trace.view(records_of(run_of("adaptive", "What about their competitors?"))))
    assert (said.title, said.missing, said.sure) == ("The question is not clear", "", "")
    assert (said.why, said.next) == ("It is unclear whom or what “their” means: name it in the question.", "")


def test_a_question_for_advice_is_clear_and_nobody_has_to_name_anything(run_of: RunOf) -> None:
    said = verdict(trace.view(records_of(run_of("adaptive", "Should I buy Tesla stock?"))))
    assert (said.title, said.next) == ("Documents cannot answer this", "Ask for what the documents say.")
    assert "This asks for advice." in said.why


def test_a_question_without_a_word_to_search_for_says_what_to_add(run_of: RunOf) -> None:
    said = verdict(trace.view(records_of(run_of("adaptive", "What is it?"))))
    assert (said.title, said.why) == ("The question is not clear", "It names nothing that can be searched for.")
    assert said.next == "Name the company, the thing or the topic in the question and ask again."


def test_a_run_that_covers_nothing_claims_no_likely_answer() -> None:
    run = trace.view(built_runs.records(replace(built_runs.partial(), turns=built_runs.TURNS[2:3])))
    said = verdict(run)
    assert (said.title, said.sure) == ("No certain answer: 0 of 4 aspects covered", "")
    assert said.why == "Stopped after 1 hop: this method searches only once."
    run.reason = "The planned queries are used up"
    assert verdict(run).why == "Stopped after 1 hop: its planned queries are used up."


def test_what_is_missing_comes_before_why_it_stopped_and_after_it_where_there_is_no_answer() -> None:
    found = [line.split()[0] for line in verdict_lines(verdict(trace.view(built_runs.records(built_runs.partial()))))]
    failed = [line.split()[0] for line in verdict_lines(verdict(trace.view(built_runs.records(built_runs.failed()))))]
    assert found[:2] == ["**Missing:**", "Stopped"]
    assert failed == ["The", "**Missing:**", "**Next:**"]


def test_that_the_corpus_seems_to_hold_no_answer_is_said_once(run_of: RunOf) -> None:
    said = verdict(trace.view(records_of(run_of("adaptive", "What are the main risks facing Toyota?"))))
    assert "The corpus does not seem to hold an answer: no passage of the corpus names “Toyota”." in said.why
    assert said.sure == ""


def test_of_a_run_that_was_cut_off_in_its_first_hop_nothing_was_searched() -> None:
    cut = list(built_runs.events(built_runs.running()))[:3]
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(cut, 1)])
    run.status = "interrupted"
    said = verdict(run)
    assert said.title == "Interrupted during its first hop"
    assert said.missing.startswith("Date and price (not run); Revenue impact; Headcount change (not searched)")


def test_of_a_run_that_was_cut_off_while_it_read_nothing_is_said_not_to_have_been_searched() -> None:
    cut = list(built_runs.events(built_runs.running()))[:5]
    assert isinstance(cut[-1], e.FindingsRead)
    run = trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(cut, 1)])
    run.status = "interrupted"
    assert verdict(run).missing.startswith("Date and price (not run); Revenue impact; Headcount change (cut off)")
    row = next(each for each in coverage_rows(run) if each.aspect.aspect == "Revenue impact")
    assert state_badge(run, row) == ":gray-badge[cut off]"


def test_a_condition_that_nobody_could_check_is_not_called_missing() -> None:
    score = AspectScore("Price", 0.9, unchecked=("since 2022",))
    planned = e.AspectsPlanned((built_runs.aspect("Price"),))
    assessed = e.CoverageAssessed(1, (score,), ("Price",), 1.0, 0.9)
    ended = e.RunFinished("core_covered", "but “since 2022” could not be checked")
    events = (planned, assessed, e.AnswerWritten(built_runs.Answer("It costs 3.")), ended)
    said = verdict(trace.view([e.Record(n, "", n / 10, event) for n, event in enumerate(events, 1)]))  # type: ignore[arg-type]
    assert (said.missing, said.unchecked) == ("", "“since 2022”.")
    assert any(line.startswith("**Could not be checked:** “since 2022”") for line in verdict_lines(said))


def test_a_larger_budget_is_advised_only_where_it_would_let_the_run_go_on() -> None:
    spent = replace(built_runs.partial(), settings=Settings(max_hops=3))
    own = built_runs.partial()  # three hops of the ten that the settings allow: the method makes no more
    said = [verdict(trace.view(built_runs.records(story))) for story in (spent, own)]
    assert [each.next for each in said] == ["A larger budget would let it go on.", ""]
    crowded = verdict(trace.view(built_runs.records(replace(spent, settings=Settings(max_hops=3, k=3)))))
    room = "4 aspects share 3 passages; a larger evidence size (k) has room for one each."
    assert crowded.next == f"A larger budget would let it go on. {room}"


def test_a_run_stopped_by_hand_is_not_said_to_have_met_the_end_of_the_corpus() -> None:
    said = verdict(trace.view(built_runs.records(replace(built_runs.partial(), stop="user_stop"))))
    assert (said.why, said.sure) == ("Stopped by you after 3 hops.", "More hops might have found the rest.")
    assert said.next == "Continue it; completed hops are not repeated."


def test_a_run_stopped_by_hand_that_found_nothing_yet_says_so_and_goes_on() -> None:
    story = replace(built_runs.partial(), turns=built_runs.TURNS[2:3], stop="user_stop")
    run = trace.view(built_runs.records(story))
    run.answer = Answer("Nothing was found.", abstained=True)
    said = verdict(run)
    assert (said.title, said.outcome, said.sure) == ("Nothing found so far", "nothing", "")
    assert said.why == "Stopped by you after 1 hop. No passage that was read by then answers the question."
    assert said.next == "Continue it; completed hops are not repeated."


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            "More hops would not help: the last 2 hops added nothing; 1 aspect is still open",
            "more hops would not help, as the last 2 hops added nothing",
        ),
        ("3 documents score 0.50 or more", "3 documents score well enough"),
        ("Every gap was searched for", "every gap was searched for"),
        ("", "more hops would not help"),
    ],
)
def test_a_run_that_stopped_by_itself_says_why_in_the_words_of_its_method(reason: str, told: str) -> None:
    """A method that stops because its passages look good does not know that more hops would not help."""
    story = replace(built_runs.partial(), stop="no_gain")
    *before, end = built_runs.records(story)
    assert isinstance(end.event, e.RunFinished)
    said = verdict(trace.view([*before, replace(end, event=replace(end.event, reason=reason))]))
    assert said.why == f"Stopped after 3 hops: {told}."


def test_what_the_corpus_may_lack_is_said_of_what_is_missing(run_of: RunOf) -> None:
    question = "What are the main supply chain risks of Toyota and Tesla in 2025?"
    said = verdict(trace.view(records_of(run_of("adaptive", question))))
    assert (said.outcome, said.title) == ("partly", "1 of 2 aspects covered")
    assert said.sure == "The corpus may not hold the rest."


def test_where_nothing_is_covered_the_corpus_may_lack_all_and_not_the_rest() -> None:
    story = replace(built_runs.partial(), turns=built_runs.TURNS[2:3])
    records = [
        replace(record, event=replace(record.event, answerable=0.3))
        if isinstance(record.event, e.CoverageAssessed)
        else record
        for record in built_runs.records(story)
    ]
    assert verdict(trace.view(records)).sure == "The corpus may not hold an answer at all."


def test_how_passages_were_ranked_is_told_in_a_sentence() -> None:
    assert notice_words(e.Noticed("rank", "by the question")) == "Passages were ranked by the question."
    graph = "mention graph density 0.31"
    assert notice_words(e.Noticed("rank", f"learned: linked passages ({graph})")) == (
        f"Passages were ranked by a model trained on documents that name one another ({graph})."
    )
    assert notice_words(e.Noticed("spelling", "No passage says “Nvdia”")) == "No passage says “Nvdia”."
    assert notice_words(e.Noticed("spelling", "Did you mean “NVIDIA”?")) == "Did you mean “NVIDIA”?"


def test_more_passages_are_advised_only_where_an_aspect_is_open() -> None:
    stories = (replace(story, settings=Settings(k=1)) for story in (built_runs.partial(), built_runs.finished()))
    said = [verdict(trace.view(built_runs.records(story))).next for story in stories]
    assert ["has room for one each" in each for each in said] == [True, False]
