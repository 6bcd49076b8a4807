from dataclasses import replace

import numpy as np

from adaq_core.ranking.learned import Trees
from adaq_core.ranking.scoring import Spread, choose, dealt_out, expected_f1_size, in_company

PLAIN = Spread(passage=0.2, passage_later=1.0, novelty=0.0, new_source=0.0)


def pick(utility, works, *, alone=None, clauses=None, sources=None, named=(), k=3, count=3, spread=PLAIN):
    utility = np.array(utility, dtype=np.float32)
    return choose(
        utility,
        alone=None if alone is None else np.array(alone, dtype=np.float32),
        works=np.array(works, dtype=np.int32),
        clauses=np.array(clauses if clauses is not None else [[1.0] * len(utility)], dtype=np.float32),
        sources=np.array(sources if sources is not None else [-1] * len(utility), dtype=np.int32),
        named=frozenset(named),
        k=k,
        count=count,
        spread=spread,
    )


def test_a_second_passage_of_a_work_waits_for_other_works():
    assert pick([0.9, 0.8, 0.3], works=[1, 1, 2]) == [0, 2, 1]


def test_a_second_passage_comes_when_it_is_worth_more_for_itself_than_another_work_is_in_all():
    utility, alone = [0.9, 0.8, 0.3], [0.9, 0.8, 0.1]
    assert pick(utility, works=[1, 1, 2], alone=alone, spread=replace(PLAIN, passage=0.3)) == [0, 1, 2]
    assert pick(utility, works=[1, 1, 2], alone=alone, spread=replace(PLAIN, passage=0.2)) == [0, 2, 1]


def test_a_third_passage_of_a_work_waits_longer_than_the_second():
    spread = replace(PLAIN, passage=0.5, again=0.2)
    assert pick([0.9, 0.9, 0.9, 0.3], works=[1, 1, 1, 2], spread=spread, k=4, count=4) == [0, 1, 3, 2]


def test_past_k_the_order_goes_on_by_worth():
    assert pick([0.9, 0.8, 0.3], works=[1, 1, 2], k=1) == [0, 1, 2]


def test_a_named_source_not_taken_yet_comes_first():
    spread = Spread(passage=1.0, novelty=0.0, new_source=1.0)
    assert pick([0.9, 0.8, 0.5], works=[1, 2, 3], sources=[7, 7, 8], named=[7, 8], spread=spread) == [0, 2, 1]


def test_a_clause_that_nothing_taken_answers_comes_first():
    spread = Spread(passage=1.0, novelty=0.9, new_source=0.0)
    assert pick([0.9, 0.8, 0.7], works=[1, 2, 3], clauses=[[1, 1, 0], [0, 0, 1]], spread=spread) == [0, 2, 1]


def dealt(utility, near, works, count):
    floats = [np.array(rows, dtype=np.float32) for rows in (utility, near)]
    return dealt_out(floats[0], near=floats[1], works=np.array(works, dtype=np.int32), count=count)


def test_a_long_text_gets_a_passage_for_each_sentence_before_a_second_one_for_the_surest():
    near = [[1.0, 0.95, 0.1, 0.0], [0.0, 0.1, 1.0, 0.2], [0.1, 0.0, 0.2, 1.0]]
    assert dealt([0.9, 0.8, 0.05, 0.05], near, works=[1, 2, 3, 4], count=4) == [0, 2, 3, 1]


def test_a_long_text_gets_a_second_passage_of_a_work_when_all_works_are_in():
    near = [[1.0, 0.2, 0.1], [0.1, 1.0, 0.5]]
    assert dealt([0.9, 0.9, 0.1], near, works=[1, 1, 2], count=3) == [0, 2, 1]


def test_nothing_to_choose_from():
    assert pick([], works=[]) == []


def test_the_size_with_the_best_expected_f1():
    chances = np.array([0.95, 0.9, 0.1, 0.05], dtype=np.float32)
    assert expected_f1_size(chances, most=4, tail=chances) == 2
    assert expected_f1_size(chances, most=1, tail=chances) == 1
    assert expected_f1_size(chances[:0], most=4, tail=chances[:0]) == 0


def test_a_document_is_worth_the_chance_of_any_of_its_passages():
    chance, share = in_company(np.array([0.5, 0.5, 0.4], dtype=np.float32), np.array([1, 1, 2], dtype=np.int32))
    np.testing.assert_allclose(chance, [0.75, 0.75, 0.4], rtol=1e-5)
    np.testing.assert_allclose(share, [1.0, 1.0, 1.0], rtol=1e-5)


def test_a_tree_sends_rows_left_and_right_and_survives_json():
    tree = Trees(
        names=("a", "b"),
        base=0.5,
        feature=np.array([[0, 1, 1]]),
        threshold=np.array([[0.0, 1.0, 2.0]], dtype=np.float32),
        value=np.array([[1.0, 2.0, 3.0, 4.0]], dtype=np.float32),
    )
    rows = np.array([[-1, 0], [-1, 5], [1, 0], [1, 5]], dtype=np.float32)
    assert tree.margin(rows).tolist() == [1.5, 2.5, 3.5, 4.5]
    assert Trees.from_json(tree.to_json()).margin(rows).tolist() == [1.5, 2.5, 3.5, 4.5]
    assert tree.probability(rows[:0]).tolist() == []
