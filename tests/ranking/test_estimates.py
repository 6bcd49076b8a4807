import json

import pytest

from adaq_core.errors import AdaqError
from adaq_core.ranking.estimates import (
    ANSWERABLE_SIGNS,
    PATH,
    SUFFICIENCY_SIGNS,
    Estimate,
    Estimates,
    Logistic,
    shipped,
)

CALM = {**dict.fromkeys((*SUFFICIENCY_SIGNS, *ANSWERABLE_SIGNS), 0.5), "asks_values": 0.0}


def test_a_sign_counts_for_two_and_a_half_deviations_at_most():
    model = Logistic(("unheard",), {"mean": [0.0], "scale": [1.0], "weights": [-1.0], "bias": 0.0})
    assert model.probability({"unheard": 0.0}) == 0.5
    assert model.probability({"unheard": 100.0}) == model.probability({"unheard": 2.5})


def test_what_ships_says_less_of_a_question_with_names_that_the_corpus_does_not_have():
    said = [shipped().of({**CALM, "unheard": n, "sources_absent": n, "names_met": 1 - n / 2}) for n in (0, 2)]
    assert said[0].answerable > said[1].answerable
    assert said[0].is_answerable
    assert not said[1].is_answerable


def test_all_the_evidence_cannot_be_there_where_there_is_no_answer():
    said = Estimate(0.9, 0.1, limit=0.15)
    assert (said.capped(0.8), said.capped(0.05)) == (0.1, 0.05)
    assert Estimate(0.9, 0.2, limit=0.15).capped(0.8) == 0.8


def test_what_ships_says_more_where_the_scores_end_with_the_set():
    said = [shipped().of({**CALM, "inside": share, "tenth": 1 - share}).sufficiency for share in (0.4, 0.9)]
    assert said[0] < said[1]


def test_numbers_trained_on_other_signs_are_refused():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    data["answerable"]["signs"][0] = "length"
    with pytest.raises(AdaqError, match="train_sufficiency"):
        Estimates.from_json(data)
