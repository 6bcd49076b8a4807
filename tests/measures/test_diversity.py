from itertools import permutations
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adaq_core.measures import Carrier, JudgedUnit, Quotes, all_subtopics, diversity_measures, subtopics_carried

NAMES = ("StRecall@5", "StRecall@10", "alpha_nDCG@5", "alpha_nDCG@10")


def carried(carriers, units):
    return subtopics_carried(carriers, units, quotes=Quotes())


def test_a_quote_counts_only_in_a_passage_of_the_right_document_that_holds_it():
    carriers = [Carrier("1", "d", "rose  by\n5 %"), Carrier("2", "d"), Carrier("3", "e", "rose by 5 %")]
    units = [
        JudgedUnit("d#0", "d", "Sales rose by 5 %."),
        JudgedUnit("d#1", "d", "Nothing."),
        JudgedUnit("f#0", "f", "rose by 5 %"),
    ]
    assert carried(carriers, units) == {"d#0": {"1", "2"}, "d#1": {"2"}}


def test_a_subtopic_may_be_found_in_any_of_its_documents():
    assert carried([Carrier("1", "d"), Carrier("1", "e")], [JudgedUnit("e#0", "e", "")]) == {"e#0": {"1"}}


def test_values_worked_by_hand():
    judged = {"p": frozenset("1"), "q": frozenset("1"), "r": frozenset("2")}
    values = diversity_measures(["1", "2", "3"], judged, ["p", "q", "x", "r"], NAMES)
    gain = 1 + 0.5 / log2(3) + 1 / log2(5)  # the second passage on subtopic 1 is worth half
    ideal = 1 + 1 / log2(3) + 1 / log2(4) + 0.5 / log2(5)  # one passage per subtopic, then the repeat
    assert values == pytest.approx(
        {"StRecall@5": 2 / 3, "StRecall@10": 2 / 3, "alpha_nDCG@5": gain / ideal, "alpha_nDCG@10": gain / ideal},
        abs=1e-6,
    )


def test_a_subtopic_that_no_passage_carries_counts_as_missed():
    values = diversity_measures(["1", "2"], {"p": frozenset("1")}, ["p"], ["StRecall@5"])
    assert values == {"StRecall@5": 0.5}


def test_one_subtopic_is_a_case_like_any_other(capfd):
    assert diversity_measures(["1"], {"p": frozenset("1")}, ["x", "p"], ["StRecall@5"]) == {"StRecall@5": 1.0}
    assert "WARNING" not in "".join(capfd.readouterr())


def test_all_subtopics_looks_at_the_first_k_passages():
    judged = {"p": frozenset("1"), "q": frozenset("23")}
    assert all_subtopics(["1", "2", "3"], judged, ["p", "x", "q"], k=3) == 1.0
    assert all_subtopics(["1", "2", "3"], judged, ["p", "x", "q"], k=2) == 0.0


def test_without_subtopics_nothing_can_be_computed():
    assert diversity_measures([], {}, ["p"], NAMES) == dict.fromkeys(NAMES)
    assert all_subtopics([], {}, ["p"], k=5) is None


def test_nothing_found_is_zero():
    assert diversity_measures(["1"], {"p": frozenset("1")}, [], NAMES) == dict.fromkeys(NAMES, 0.0)


def alpha_dcg(ranking, judged, k):
    seen: dict[str, int] = {}
    total = 0.0
    for place, passage in enumerate(ranking[:k]):
        for subtopic in judged.get(passage, ()):
            total += 0.5 ** seen.get(subtopic, 0) / log2(place + 2)
            seen[subtopic] = seen.get(subtopic, 0) + 1
    return total


@settings(max_examples=60)
@given(
    st.dictionaries(st.sampled_from("pqr"), st.frozensets(st.sampled_from("123"), min_size=1), min_size=1),
    st.permutations("pqrxy"),
)
def test_alpha_ndcg_is_the_formula_and_one_for_the_best_order(judged, ranking):
    subtopics = sorted(set().union(*judged.values()))
    values = diversity_measures(subtopics, judged, ranking, ["alpha_nDCG@5", "StRecall@5"])
    orders = {order: alpha_dcg(order, judged, 5) for order in permutations(judged)}
    # pyndeval builds its ideal greedily, so with overlapping passages the formula may lie above 1 by a little
    best = max(orders.values())
    assert values["alpha_nDCG@5"] >= alpha_dcg(ranking, judged, 5) / best - 1e-6
    assert values["StRecall@5"] == pytest.approx(1.0)
    if all(len(each) == 1 for each in judged.values()):
        assert values["alpha_nDCG@5"] == pytest.approx(alpha_dcg(ranking, judged, 5) / best, abs=1e-6)
