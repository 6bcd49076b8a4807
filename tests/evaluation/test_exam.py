"""How an answer is marked, on answers worked out by hand."""

from dataclasses import replace

from adaq_core.datasets.judged import Facts, JudgedQuestion
from adaq_core.evaluation import Outcome
from adaq_core.evaluation.answered import StatedAnswer, exam_measures, failures, mark, stated_by
from adaq_core.model import Answer, ShortAnswer, Statement
from adaq_core.trace import RunView

FACTS = Facts((("1901",), ("Rome", "the capital of Italy")), (r"\A(?!.*1901).*1950",), ("1901",), ("was never sold",))
QUESTION = JudgedQuestion("q1", "When and where?", {"type": "when", "answers": ["1901"]}, {"a": 1}, facts=FACTS)
NULL = JudgedQuestion("q2", "Why sold?", {"type": "false_premise", "answerable": False}, facts=FACTS)


def stating(text, *, short="", declines=False):
    return StatedAnswer(text, short, text[:120], (), declines=declines)


def test_each_fact_is_stated_by_one_of_its_patterns():
    marked = mark(stating("Founded in 1901, in the capital of Italy."), FACTS)
    assert (marked.stated, marked.wrong, marked.all_right) == ((True, True), (), True)


def test_a_wrong_date_in_place_of_the_right_one_is_wrong():
    marked = mark(stating("It happened in 1950 in Rome."), FACTS)
    assert (marked.stated, len(marked.wrong), marked.all_right) == ((False, True), 1, False)


def test_an_answer_that_declines_is_neither_right_nor_wrong():
    marked = mark(stating("It happened in 1950 in Rome.", declines=True), FACTS)
    assert (marked.answers, marked.wrong, marked.all_right, marked.short_first) == (False, (), False, False)


def test_the_short_answer_stands_first_or_does_not_count():
    assert mark(stating("In 1901."), FACTS).short_first
    assert mark(stating("word " * 40 + "1901"), FACTS).short_first is False
    assert mark(stating("word " * 40, short="1901"), FACTS).short_first


def test_a_yes_or_no_stands_first_only_as_the_first_word():
    yes_no = Facts(short=("No",))
    assert mark(stating("No: it was refused."), yes_no).short_first
    assert not mark(stating("There is no proof."), yes_no).short_first


def test_an_unanswerable_question_is_recognised_by_declining_or_by_putting_it_right():
    assert exam_measures(StatedAnswer(), NULL)["null_recognised"] == 1.0
    assert exam_measures(stating("It was never sold."), NULL)["null_recognised"] == 1.0
    claimed = exam_measures(stating("It was sold in 1950."), NULL)
    assert (claimed["null_recognised"], claimed["claimed_unanswered"], claimed["facts_wrong"]) == (0.0, 1.0, 1.0)


def test_showing_what_the_evidence_says_without_covering_anything_claims_nothing():
    shown = replace(stating("It was sold in 1950."), covers=False)
    measures = exam_measures(shown, NULL)
    assert (measures["null_recognised"], measures["claimed_unanswered"]) == (1.0, 0.0)
    assert exam_measures(replace(stating("It is well known."), covers=False), QUESTION)["claimed_unanswered"] == 0.0


def test_claiming_without_a_single_fact_is_claimed_unanswered():
    assert exam_measures(stating("It is well known."), QUESTION)["claimed_unanswered"] == 1.0
    assert exam_measures(stating("In Rome."), QUESTION)["claimed_unanswered"] == 0.0


def test_questions_without_facts_are_in_no_exam_measure():
    assert exam_measures(stating("x"), JudgedQuestion("q", "Who?", {"answer": "Beta"})) == {}


def test_the_lead_of_an_answer_begins_below_its_headings():
    text = "**When and where**\n\nIn **1901** [1]. More.\n\n**Not covered**\n\n- place"
    answer = Answer(text, (Statement("In 1901. More.", "x", (1,)),), short=ShortAnswer("1901", "date"))
    assert stated_by(RunView(answer=answer, stop_reason="all_covered")).lead.startswith("In 1901")


def test_a_failing_answer_is_shown_with_what_it_lacks():
    measures = {"facts_all_right": 0.0, "short_first": 0.0}
    outcome = Outcome("adaptive", "q1", QUESTION.text, "c", measures=measures, said="In Rome.")
    lines = failures([outcome], [QUESTION])
    assert lines[:3] == ["q1: When and where?", "    missing: 1901", "    not first: 1901"]
    assert failures([Outcome("adaptive", "q1", "", "c", measures={"facts_all_right": 1.0})], [QUESTION]) == []
