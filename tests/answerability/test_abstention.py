import json

import pytest

from adaq_core.answerability import (
    ENOUGH_JUDGED,
    FEATURES,
    PATH,
    REFUSAL,
    USUAL,
    Estimate,
    Estimates,
    Logistic,
    recalibrated,
    shipped,
    why_abstained,
)
from adaq_core.errors import AdaqError

EVERY = {name for names in FEATURES.values() for name in names}
CALM = {
    "terms": 9.0,
    **dict.fromkeys((*sorted(EVERY), "bound", "rest_best"), 0.5),
    "titled": 0.0,
    "asks_values": 0.0,
    "unheard": 0.0,
    "crowded": 0.0,
}
CALM = {"terms": 9.0, **CALM, "sources_absent": 0.0, "unheard_bound": 0.0}


def test_a_feature_counts_for_two_and_a_half_deviations_at_most():
    model = Logistic(("unheard",), {"mean": [0.0], "scale": [1.0], "weights": [-1.0], "bias": 0.0})
    assert model.probability({"unheard": 0.0}) == 0.5
    assert model.probability({"unheard": 100.0}) == model.probability({"unheard": 2.5})


def test_what_ships_says_less_of_a_question_with_names_that_the_corpus_does_not_have():
    names = {"bound": 1.0, "entitled": 1.0, "named_titles": 0.0, "clause_peak": 0.2}
    known = shipped().of({**CALM, **names, "names_bound": 1.0}, missing=())
    missing = {"unheard": 2.0, "unheard_bound": 2.0, "sources_absent": 2.0, "names_bound": 0.0}
    unknown = shipped().of({**CALM, **names, **missing}, missing=("no passage names “Rex”",))
    assert known.answerable > unknown.answerable
    assert known.is_answerable
    assert not unknown.is_answerable


def test_how_likely_all_is_there_is_told_by_another_model_where_facts_are_not_looked_up_by_names():
    agreeing, alone = ({**CALM, "facts": 0.0, "agreed": share} for share in (1.0, 0.0))
    assert shipped().of(agreeing).sufficiency > shipped().of(alone).sufficiency
    assert shipped().of({**agreeing, "facts": 1.0}) == shipped().of({**alone, "facts": 1.0})


def test_names_of_which_the_same_is_missing_stand_together():
    nowhere, unfound = "no passage of the corpus names", "no passage found names"
    said = why_abstained([f"{nowhere} “Rex”", f"{unfound} “Ida”", f"{nowhere} “Max”", f"{unfound} “Ida of Tesla”"])
    assert said.endswith(f": {nowhere} “Rex” or “Max”; {unfound} “Ida”")


def test_a_missing_name_alone_never_refuses():
    lacking = {**CALM, "unheard": 1.0, "unheard_bound": 1.0, "names_bound": 0.0, "bound": 1.0, "rest_best": 0.9}
    assert shipped().of(lacking).is_answerable
    assert Estimate(0.9, 0.0, limit=0.48, only_a_name=True).is_answerable
    assert not Estimate(0.9, 0.0, limit=0.48, missing=("two names",)).is_answerable


def test_without_anything_to_name_as_missing_nothing_is_refused():
    assert Estimate(0.9, 0.0, limit=0.48).is_answerable


def test_the_limit_is_lower_where_passages_need_not_name_their_subject():
    assert REFUSAL.of({"bound": 0.0, "titled": 0.0}) < REFUSAL.of({"bound": 1.0, "titled": 0.0})


def test_something_missing_raises_the_limit_where_most_passages_name_their_subject():
    """Of "Chiefs-Jets" no news report of the set speaks; a filing need not say "Christmas" for the December quarter."""
    plain, missing = {"bound": 0.9, "titled": 0.0}, {"bound": 0.4, "titled": 0.0}
    assert REFUSAL.of(plain) < REFUSAL.of(plain, lacks_a_name=True)
    assert REFUSAL.of(missing) == REFUSAL.of(missing, lacks_a_name=True)


def test_a_name_without_a_document_raises_the_limit_among_titled_documents():
    """Of "Mirrormask" other documents speak, and none is it; "the father of the atomic bomb" names nothing."""
    titled = {"bound": 0.2, "titled": 1.0}
    assert REFUSAL.of(titled) < REFUSAL.of(titled, lacks_a_name=True)


def test_where_documents_are_titled_a_doubt_refuses_without_a_name_that_is_missing():
    assert not Estimate(0.9, 0.2, limit=0.48, by_titles=True, only_a_name=True).is_answerable
    assert Estimate(0.9, 0.5, limit=0.48, by_titles=True, missing=("a name",)).is_answerable
    foreign = [Estimate(0.9, chance, limit=0.48, by_titles=True).is_of_another for chance in (0.39, 0.45)]
    assert foreign == [True, False]


def test_what_ships_doubts_a_question_that_names_no_title():
    """ "Who directed A?" with no document A; "Who wrote the play in which …?" names nothing that could be missing."""
    encyclopedia = {**CALM, "titled": 1.0, "entitled": 1.0, "bound": 1.0, "names_bound": 1.0, "walk_mean": 0.6}
    kinds = ({"named_titles": 0.6, "name_weight": 0.6}, {"named_titles": 0.0, "name_weight": 0.8})
    described = {"named_titles": 0.0, "name_weight": 0.2}
    titled, untitled, described_only = (shipped().of({**encyclopedia, **each}) for each in (*kinds, described))
    assert titled.answerable > described_only.answerable > untitled.answerable


def test_a_word_that_is_unsaid_refuses_what_is_doubted_anyway_and_raises_no_limit():
    doubted = shipped().of({**CALM, "clause_peak": 0.0}, unsaid=("no passage says “moon”",))
    assert (doubted.is_answerable, doubted.missing) == (False, ("no passage says “moon”",))
    assert shipped().of({**CALM, "clause_peak": 0.0}).is_answerable
    assert shipped().of(CALM, unsaid=("no passage says “moon”",)).limit == shipped().of(CALM).limit


def test_all_the_evidence_cannot_be_there_where_there_is_no_answer():
    said = Estimate(0.9, 0.1, limit=0.15, missing=("a name",))
    assert (said.capped(0.8), said.capped(0.05)) == (0.1, 0.05)
    assert Estimate(0.9, 0.2, limit=0.15).capped(0.8) == 0.8


def test_all_of_the_evidence_is_never_surer_than_some_of_it():
    said = shipped().of({**CALM, "inside": 1.0, "tenth": 0.0, "met_known": 1.0})
    assert said.some is not None
    assert said.sufficiency <= said.some


def test_what_ships_says_more_where_the_scores_end_with_the_set():
    said = [shipped().of({**CALM, "inside": share, "tenth": 1 - share}).sufficiency for share in (0.4, 0.9)]
    assert said[0] < said[1]


def test_numbers_trained_on_other_features_are_refused():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    data["answerable"]["features"][0] = "length"
    with pytest.raises(AdaqError, match=r"training\.answerability"):
        Estimates.from_json(data)


def test_of_a_question_longer_than_any_that_was_learned_from_nothing_is_refused():
    lacking = {**CALM, "unheard": 2.0, "unheard_bound": 2.0, "names_bound": 0.0, "clause_peak": 0.05, "bound": 1.0}
    short, long = (shipped().of({**lacking, "terms": terms}, missing=("a name",)) for terms in (47.0, 184.0))
    assert (short.is_answerable, long.is_answerable, long.is_likely) == (False, True, True)


def test_twenty_judged_runs_move_an_estimate_to_how_often_such_runs_were_complete():
    own = recalibrated([(0.3, True)] * 18 + [(0.3, False)] * 2)
    assert own is not None
    assert (own.judged, own.complete) == (20, 18)
    assert own.of(0.3) == pytest.approx(0.869895, abs=1e-6)
    assert own.of(0.2) < own.of(0.3) < own.of(0.9)


def test_judgments_that_go_against_the_estimates_flatten_them_and_never_turn_them_round():
    agreeing = recalibrated([(0.9, True), (0.8, True), (0.3, False), (0.1, False)] * 5)
    against = recalibrated([(0.9, False), (0.8, False), (0.3, True), (0.1, True)] * 5)
    assert agreeing is not None
    assert against is not None
    assert agreeing.slope > USUAL.slope > against.slope == 0.0
    assert against.of(0.1) == against.of(0.9) == pytest.approx(0.5, abs=0.05)


def test_runs_of_one_kind_alone_make_no_certainty():
    own = recalibrated([(0.5, True)] * ENOUGH_JUDGED)
    assert own is not None
    assert own.of(0.5) == pytest.approx(0.960207, abs=1e-6)
    assert 0.0 < own.of(0.0) < own.of(1.0) < 1.0


def test_too_few_judged_runs_say_nothing():
    assert recalibrated([(0.5, True)] * (ENOUGH_JUDGED - 1)) is None
