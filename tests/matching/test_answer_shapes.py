"""What an answer of each kind looks like, and what does not."""

import pytest

from adaq_core.matching.answer_shapes import PATTERNS, holds_kind
from adaq_core.matching.asked import asked_by
from adaq_core.matching.sentences import read_against
from adaq_core.matching.shown import read_for
from adaq_core.model import Passage, QueryAspect
from adaq_core.question.answer_kinds import without_asking
from adaq_core.text.tokens import uniform


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_fits_its_example_and_not_its_counter(row):
    assert row.pattern.search(row.example)
    assert not row.pattern.search(row.counter)


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_is_linear(row):
    assert row.pattern.search("zz " * 10_000) is None


@pytest.mark.parametrize(
    ("kind", "sentence", "holds"),
    [
        ("person", "Ann Lee has led Acme since May.", True),
        ("person", "Acme is led well.", False),
        ("person", "Acme Corp Group was founded.", False),
        ("date", "It closed in the 1990s.", True),
        ("date", "It closed soon.", False),
        ("date", "It closed by the end of October.", True),
        ("date", "The office is open from eight to six.", True),
        ("date", "On Tuesday the room was half empty.", True),
        ("date", "It may close, for better or worse.", False),
        ("person", "A Dane called Holm brought us in.", True),
        ("person", "A ship called at Oslo.", False),
        ("reason", "We shall not go on, as the port is closed.", True),
        ("reason", "We shall not go on, as well.", False),
        ("reason", "It is deleted after 90 days.", False),
        ("reason", "It is deleted after seven years.", False),
        ("reason", "It is deleted after a breach.", True),
        ("amount", "Of each euro 12 cents went to fundraising.", True),
        ("organisation", "It was bought by Zeta.", True),
        ("place", "It is based in Oslo.", True),
        ("place", "It is based on trust.", False),
        ("number", "It has 12 layers.", True),
        ("number", "Sales fell in the third quarter and the first nine months of 2023.", False),
        ("fact", "Anything.", True),
    ],
)
def test_a_kind_is_held_by_what_the_question_does_not_say(kind, sentence, holds):
    assert holds_kind(kind, sentence, asked=frozenset(("acm",))) is holds


def test_a_year_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in 2024.", asked=frozenset(("2024",)))


def test_a_month_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in March.", asked=frozenset(("march",)))


def test_how_much_of_a_thing_is_asked_is_no_word_of_the_answer():
    assert without_asking("How soon must a device be reported?").split() == ["a", "device", "be", "reported?"]
    assert without_asking("How Tesla grew in May").split() == ["How", "Tesla", "grew", "in", "May"]


def test_a_probation_period_is_no_notice_period():
    aspect = QueryAspect("What is the notice period of an employee", "entity", 1.0, answer_kind="number")
    text = "The probation period of an employee lasts six months."
    read = read_for(asked_by(aspect), text)[0]
    assert "period" not in read.terms
    assert "period" in read_for(asked_by(aspect), "The period ends.")[0].terms


def test_a_sentence_on_its_document_answers_nothing_but_says_what_the_others_are_about():
    text = "This policy says how staff can report wrongdoing. Reports may be anonymous."
    aspect = QueryAspect("May a report of wrongdoing be anonymous", "entity", 1.0, answer_kind="yes_no")
    read = read_against(aspect, Passage("p", "d", "Speaking up", text), weigh=uniform)
    assert text[read[0].sentence.start : read[0].sentence.end] == "Reports may be anonymous."
    assert read[0].score > 0.8 > 0.5 > read[1].score
