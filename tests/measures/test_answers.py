import pytest

from adaq_core.measures import (
    citation_measures,
    contains_answer,
    exact_match,
    gold_number,
    is_short,
    nugget_recall,
    states_number,
    token_f1,
    verdict_of,
    without_marks,
)


def test_case_punctuation_and_articles_make_no_difference():
    assert exact_match("The  Spurs!", ["spurs"]) == 1.0
    assert exact_match("Tottenham Spurs", ["spurs"]) == 0.0


def test_marks_vanish_as_in_squad():
    assert exact_match("the US", ["U.S."]) == 1.0
    assert exact_match("1,577", ["1577"]) == 1.0


def test_token_f1_takes_the_best_gold_answer():
    assert token_f1("born in Vienna in 1901", ["1901", "Vienna, 1901"]) == pytest.approx(2 * (2 / 5) * 1 / (2 / 5 + 1))


def test_no_common_word_is_zero():
    assert token_f1("yes", ["no"]) == 0.0
    assert token_f1("", ["no"]) == 0.0


def test_an_extractive_answer_contains_the_gold_answer_as_whole_words():
    assert contains_answer("He was called Sam Bankman-Fried.", ["Sam Bankman Fried"]) == 1.0
    assert contains_answer("A spurious claim", ["spur"]) == 0.0


def test_a_verdict_is_the_word_alone():
    assert [verdict_of(text) for text in ("Yes.", "no", "No passage", "")] == ["yes", "no", None, None]


def test_a_gold_answer_of_many_words_is_a_text():
    assert is_short("The 7 Habits of Highly Effective People")
    assert not is_short("The team thought that they should not have everyone attend more than one meeting.")
    assert not is_short("")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$1577.00", 1577.0),
        ("$8.70", 8.7),
        ("0.66", 0.66),
        ("-3.5%", 3.5),
        ("1974", None),
        ("12 June", None),
        ("", None),
    ],
)
def test_a_gold_number_says_nothing_else_and_is_no_year(text, number):
    assert gold_number(text) == number


@pytest.mark.parametrize(
    ("said", "gold", "right"),
    [
        ("$1,577 million", 1577.0, True),
        ("8,738 million dollars", 8.7, True),  # 0.4 % off, in billions
        ("$8,900 million", 8.7, False),  # 2.3 % off
        ("66 %", 0.66, True),
        ("(1,577)", 1577.0, True),
        ("not said", 1577.0, False),
    ],
)
def test_a_number_counts_within_one_percent_in_any_unit_of_a_thousand(said, gold, right):
    assert states_number(said, gold) is right


def test_a_judged_fact_is_in_the_answer_when_one_of_its_quotes_is():
    facts = {"1": ["founded in 1901", "begun in 1901"], "2": ["bought Alpha"], "3": ["word " * 80]}
    assert nugget_recall("Alpha was begun in 1901.", facts) == 0.5
    assert nugget_recall("anything", {"3": ["word " * 80]}) is None


def test_citation_marks_are_not_part_of_the_answer():
    assert without_marks("**Paris** is big [1][12].").split() == ["Paris", "is", "big", "."]
    assert without_marks("_Set_ `queue_run_max` to 5").split() == ["Set", "queue_run_max", "to", "5"]


def test_citations_against_gold_documents():
    assert citation_measures(["a", "a", "x"], ["a", "b"]) == {"citation_precision": 0.5, "citation_recall": 0.5}
    assert citation_measures([], ["a"]) == {"citation_precision": None, "citation_recall": 0.0}
    assert citation_measures(["a"], []) == {"citation_precision": None, "citation_recall": None}
