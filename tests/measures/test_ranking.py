from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.measures import all_gold, document_measures, documents_within

NAMES = ("Recall@2", "Recall@5", "P@5", "nDCG@5")


def test_documents_of_the_first_k_passages_come_once_and_in_order():
    assert documents_within(["b", "a", "b", "c"], k=3) == ("b", "a")


def test_a_slot_spent_on_the_same_document_costs():
    gold = {"a": 1, "b": 1}
    assert document_measures(gold, ["a", "a", "b"], ["Recall@2"]) == {"Recall@2": 0.5}
    assert document_measures(gold, ["a", "b", "a"], ["Recall@2"]) == {"Recall@2": 1.0}


def test_values_worked_by_hand():
    values = document_measures({"a": 1, "b": 1, "z": 0}, ["x", "a", "a", "z", "b"], NAMES)
    ndcg = (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3))  # documents x, a, z, b: gold at ranks 2 and 4
    assert values == pytest.approx({"Recall@2": 0.5, "Recall@5": 1.0, "P@5": 2 / 5, "nDCG@5": ndcg})


def test_the_gain_of_ndcg_is_linear():
    values = document_measures({"a": 3, "b": 1}, ["b", "a"], ["nDCG@5"])
    assert values["nDCG@5"] == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_order_decides_and_not_the_id_of_the_document():
    assert document_measures({"z": 1}, ["z", "a"], ["nDCG@5"]) == {"nDCG@5": 1.0}
    assert document_measures({"a": 1}, ["z", "a"], ["nDCG@5"]) == {"nDCG@5": pytest.approx(1 / log2(3))}


def test_without_gold_nothing_can_be_computed():
    assert document_measures({}, ["a"], NAMES) == dict.fromkeys(NAMES)
    assert document_measures({"a": 0}, ["a"], ["Recall@5"]) == {"Recall@5": None}
    assert all_gold({}, ["a"], k=5) is None


def test_nothing_found_is_zero():
    assert document_measures({"a": 1}, [], NAMES) == dict.fromkeys(NAMES, 0.0)
    assert all_gold({"a": 1}, [], k=5) == 0.0


def test_all_gold_wants_every_document_within_k_passages():
    gold = {"a": 1, "b": 2, "c": 0}
    assert all_gold(gold, ["a", "x", "b"], k=3) == 1.0
    assert all_gold(gold, ["a", "x", "b"], k=2) == 0.0


@given(st.lists(st.sampled_from("abcdefgh"), max_size=8), st.sets(st.sampled_from("abcdefgh"), min_size=1))
def test_recall_and_precision_are_those_of_the_textbook_and_recall_grows_with_k(ranking, gold):
    values = document_measures(dict.fromkeys(gold, 1), ranking, NAMES)
    assert values["Recall@5"] == pytest.approx(len(gold & set(ranking[:5])) / len(gold))
    assert values["P@5"] == pytest.approx(len(gold & set(ranking[:5])) / 5)
    assert values["Recall@2"] <= values["Recall@5"]
    assert (all_gold(dict.fromkeys(gold, 1), ranking, k=5) == 1.0) == (values["Recall@5"] == 1.0)
