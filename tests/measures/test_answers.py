import pytest

from adaq_core.measures.answers import citation_measures, contains_answer, exact_match, token_f1, without_marks


def test_case_punctuation_and_articles_make_no_difference():
    assert exact_match("The  Spurs!", ["spurs"]) == 1.0
    assert exact_match("Tottenham Spurs", ["spurs"]) == 0.0


def test_token_f1_takes_the_best_gold_answer():
    assert token_f1("born in Vienna in 1901", ["1901", "Vienna, 1901"]) == pytest.approx(2 * (2 / 5) * 1 / (2 / 5 + 1))


def test_no_common_word_is_zero():
    assert token_f1("yes", ["no"]) == 0.0
    assert token_f1("", ["no"]) == 0.0


def test_an_extractive_answer_contains_the_gold_answer_as_whole_words():
    assert contains_answer("He was called Sam Bankman-Fried.", ["Sam Bankman Fried"]) == 1.0
    assert contains_answer("A spurious claim", ["spur"]) == 0.0


def test_citation_marks_are_not_part_of_the_answer():
    assert without_marks("**Paris** is big [1][12].").split() == ["Paris", "is", "big", "."]


def test_citations_against_gold_documents():
    assert citation_measures(["a", "a", "x"], ["a", "b"]) == {"citation_precision": 0.5, "citation_recall": 0.5}
    assert citation_measures([], ["a"]) == {"citation_precision": None, "citation_recall": 0.0}
    assert citation_measures(["a"], []) == {"citation_precision": None, "citation_recall": None}
