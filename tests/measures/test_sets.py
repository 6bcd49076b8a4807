import pytest

from adaq_core.measures import set_measures


def test_precision_divides_by_the_documents_returned():
    values = set_measures({"a": 1, "b": 1, "c": 1}, ["a", "a", "x"])
    assert values == pytest.approx({"set_precision": 1 / 2, "set_recall": 1 / 3, "set_F1": 0.4, "set_size": 3})


def test_the_right_two_of_two_are_perfect_at_any_k():
    values = set_measures({"a": 1, "b": 1}, ["b", "a"])
    assert values == {"set_precision": 1.0, "set_recall": 1.0, "set_F1": 1.0, "set_size": 2.0}


def test_nothing_returned_is_zero_with_gold_and_unknown_without():
    assert set_measures({"a": 1}, []) == {"set_precision": 0.0, "set_recall": 0.0, "set_F1": 0.0, "set_size": 0.0}
    assert set_measures({}, ["x"]) == {"set_precision": None, "set_recall": None, "set_F1": None, "set_size": 1.0}
