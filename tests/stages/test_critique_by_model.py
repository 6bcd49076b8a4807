import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.events import Noticed
from adaq_core.stages.critique import combined, judge_by_model, weighed
from tests.stages.advised import ABOUT_COFFEE, ABOUT_TEA, COFFEE, QUESTION, TEA, fallbacks, finding, gateway, prompts

FOUND = [finding(ABOUT_TEA, TEA, 0.8), finding(ABOUT_TEA, TEA, 0.4, end=10), finding(ABOUT_COFFEE, COFFEE, 0.5)]


def said(tea, coffee, **rest):
    scores = [{"aspect": "Definition of tea", "score": tea}, {"aspect": "Definition of coffee", "score": coffee}]
    return {"scores": scores, "stop": False, "reason": "more is needed", **rest}


def test_scores_and_advice():
    asking = gateway(said(0.6, 1.0))
    assert judge_by_model(QUESTION, FOUND, asking) == {"Definition of tea": 0.6, "Definition of coffee": 1.0}
    assert [event for event in asking.events if isinstance(event, Noticed)] == [
        Noticed("critique", "The model would go on: more is needed (advice only)")
    ]
    assert fallbacks(asking) == []


def test_the_model_sees_the_quotes_of_each_aspect():
    asking = gateway(said(0.6, 1.0))
    judge_by_model(QUESTION, FOUND, asking)
    assert (
        '<passage n="1" title="Definition of tea">\n- Tea is a drink made of leaves.\n- Tea is a d'
        in prompts(asking)[0]
    )


def test_findings_are_weighed_half_and_half_and_keep_their_order():
    made = weighed(FOUND, {"Definition of tea": 0.6, "Definition of coffee": 1.0})
    assert [f.score for f in made] == [0.7, 0.35, 0.6]


def test_an_aspect_without_a_score_keeps_its_own():
    assert [f.score for f in weighed(FOUND, {"Definition of coffee": 0.5})] == [0.8, 0.4, 0.5]


def test_scores_of_unknown_aspects_or_no_words_leave_the_findings():
    for reply in ({"scores": [{"aspect": "Price of gold", "score": 1}], "stop": True}, "", "yes", {"stop": True}):
        asking = gateway(reply)
        assert judge_by_model(QUESTION, FOUND, asking) == {}
        assert [used for _, used in fallbacks(asking)] == ["the scores of the findings"]


def test_scores_without_advice_are_used_and_the_lack_is_told():
    asking = gateway({"scores": [{"aspect": "Definition of tea", "score": 0.5}]})
    assert judge_by_model(QUESTION, FOUND, asking) == {"Definition of tea": 0.5}
    assert fallbacks(asking) == [("the reply says neither stop nor go on", "the rest of the reply")]


def test_without_findings_nobody_is_asked():
    asking = gateway()
    assert judge_by_model(QUESTION, [], asking) == {}
    assert asking.events == []


@pytest.mark.parametrize(
    ("found", "told", "score"), [(0.0, 1.0, 0.0), (0.8, 0.0, 0.4), (0.3, 1.0, 0.4), (1.0, 1.0, 1.0)]
)
def test_combined_score(found, told, score):
    assert combined(found, told) == pytest.approx(score)


shares = st.floats(0, 1)


@given(shares, shares, shares, shares)
def test_combined_rises_with_both_and_stays_in_bounds(a, b, c, d):
    low, high, less, more = min(a, b), max(a, b), min(c, d), max(c, d)
    assert 0 <= combined(low, less) <= combined(high, more) <= 1
    assert combined(0.0, more) == 0.0
