from hypothesis import given
from hypothesis import strategies as st

from adaq_core.model import Constraint, Finding, Passage, QueryAspect
from adaq_core.stages.read import MOST_PASSAGES, _claim_score, read_by_model
from adaq_core.text.tokens import uniform
from tests.stages.advised import ABOUT_COFFEE, ABOUT_TEA, COFFEE, QUESTION, TEA, fallbacks, finding, gateway, prompts


def claim(aspect, n, quote, score=0.9):
    return {"aspect": aspect, "passage": n, "quote": quote, "claim": "It says so.", "score": score}


def read(claims, found=(), passages=(TEA, COFFEE), aspects=(ABOUT_TEA, ABOUT_COFFEE)):
    asking = gateway({"claims": claims})
    return read_by_model(QUESTION, aspects, passages, found, asking, weigh=uniform), asking


def test_a_claim_with_words_of_the_passage_is_a_finding():
    found, asking = read([claim("Definition of tea", 1, "tea is a drink, made of leaves")])
    assert found == (Finding("Definition of tea", "p1", "Tea is a drink made of leaves", 0, 29, 0.585),)
    assert fallbacks(asking) == []


def test_a_quote_that_the_passage_does_not_hold_is_dropped_and_counted():
    found, asking = read(
        [claim("Definition of tea", 1, "Tea cures all illness"), claim("Definition of coffee", 2, "Coffee is a drink")]
    )
    assert [f.aspect for f in found] == ["Definition of coffee"]
    assert fallbacks(asking) == [
        (
            "1 of 2 claims were dropped: “Tea cures all illness” (passage 1): the passage does not contain this quote",
            "the rest of the reply",
        )
    ]


def test_a_quote_of_another_passage_is_dropped():
    found, _ = read([claim("Definition of tea", 2, "Tea is a drink made of leaves")])
    assert found == ()


def test_a_quote_that_speaks_of_something_else_is_dropped():
    rain = Passage("p3", "d3", "Weather", "It rains in the hills.")
    found, asking = read([claim("Definition of tea", 1, "It rains in the hills")], passages=(rain,))
    assert found == ()
    assert "the quote is about something else" in fallbacks(asking)[0][0]


def test_what_the_rules_found_is_never_lowered_and_not_doubled():
    own = finding(ABOUT_TEA, TEA, 0.8)
    found, _ = read([claim("Definition of tea", 1, "Tea is a drink made of leaves", 0.5)], found=[own])
    assert [(f.start, f.end, f.score) for f in found] == [(0, 30, 0.85)]
    again, _ = read([claim("Definition of tea", 1, "Tea is a drink made of leaves", 0.0)], found=[own])
    assert again[0].score == 0.8


def test_a_model_alone_covers_only_where_the_passage_names_the_subject():
    drink = Passage("p3", "d3", "Drinks", "A drink made of leaves that is drunk hot.")
    made_of = QueryAspect("What tea is made of", "facet", 1.0, ("leaves",), subject="tea")
    found, _ = read(
        [claim("What tea is made of", 1, "A drink made of leaves", 1.0)], passages=(drink,), aspects=[made_of]
    )
    assert [f.score for f in found] == [0.35]


def test_a_quote_that_only_names_the_subject_covers_nothing():
    law = QueryAspect("Legal risks of Tesla", "facet", 1.0, ("lawsuit", "legal"), subject="Tesla")
    cars = Passage("p3", "d3", "Tesla", "Tesla makes cars. A lawsuit over Tesla is open.")
    alone, _ = read([claim("Legal risks of Tesla", 1, "Tesla makes cars", 1.0)], passages=(cars,), aspects=[law])
    asked, _ = read([claim("Legal risks of Tesla", 1, "A lawsuit over Tesla", 1.0)], passages=(cars,), aspects=[law])
    assert [f.score for f in (*alone, *asked)] == [0.35, 0.65]


def test_a_condition_that_the_passage_does_not_hold_costs_as_much_as_by_the_rules():
    when = QueryAspect(
        "Definition of tea", "definition", 1.0, ("tea",), subject="tea", constraints=(Constraint("date", "in 1990"),)
    )
    found, _ = read([claim("Definition of tea", 1, "Tea is a drink made of leaves", 1.0)], aspects=[when])
    assert found[0].score == round(0.65 * 0.9, 6)


def test_nonsense_leaves_what_the_rules_read():
    own = finding(ABOUT_TEA, TEA, 0.8)
    for reply in ("", "no", '{"claims": [{"aspect": "Definition of tea", "passage": 99, "quote": "Tea"}]}', "[1, 2]"):
        asking = gateway(reply)
        assert read_by_model(QUESTION, [ABOUT_TEA], [TEA], [own], asking, weigh=uniform) == (own,)
        assert [used for _, used in fallbacks(asking)] == ["what the rules read"]


def test_no_claims_is_a_reply():
    found, asking = read([], found=[finding(ABOUT_TEA, TEA, 0.8)])
    assert (len(found), fallbacks(asking)) == (1, [])


def test_at_most_so_many_passages_are_shown():
    many = [Passage(f"p{n}", f"d{n}", "Tea", "Tea is a drink.") for n in range(MOST_PASSAGES + 2)]
    _, asking = read([], passages=many)
    assert f'n="{MOST_PASSAGES}"' in prompts(asking)[0]
    assert f'n="{MOST_PASSAGES + 1}"' not in prompts(asking)[0]


def test_nothing_open_or_nothing_to_read_asks_nobody():
    for aspects, passages in (([], [TEA]), ([ABOUT_TEA], [])):
        asking = gateway()
        assert read_by_model(QUESTION, aspects, passages, [], asking, weigh=uniform) == ()
        assert asking.events == []


shares = st.floats(0, 1)


@given(shares, shares, shares, st.booleans(), st.booleans())
def test_a_claim_never_lowers_and_rises_with_the_score(seen, low, high, named, answers):
    low, high = min(low, high), max(low, high)
    less, more = (_claim_score(seen, said, named=named, answers=answers) for said in (low, high))
    assert seen <= less <= more <= 1
