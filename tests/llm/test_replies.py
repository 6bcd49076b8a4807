import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adaq_core.llm.json_reply import Parsed, known_name, number_of
from adaq_core.llm.replies import (
    Advice,
    ProposedClaim,
    ProposedQuery,
    read_advice,
    read_aspects,
    read_claims,
    read_scores,
    read_subqueries,
)
from adaq_core.model import QueryAspect

ASPECTS = ("Definition of self-attention", "Definition of multi-head attention", "Supply chain risks")


def test_subqueries_as_the_source_document_writes_them():
    reply = (
        "SUBQUERY: What is self-attention in transformers? | ASPECT: Definition of self-attention\n"
        "SUBQUERY: How does multi-head attention work? | ASPECT: Definition of multi-head attention"
    )
    assert read_subqueries(reply, ASPECTS) == Parsed(
        (
            ProposedQuery("What is self-attention in transformers?", (ASPECTS[0],)),
            ProposedQuery("How does multi-head attention work?", (ASPECTS[1],)),
        )
    )


@pytest.mark.parametrize(
    "reply",
    [
        "Here:\n\n1. **SUBQUERY:** What is self-attention? | **ASPECT:** definition of Self-Attention\n\nGood luck!",
        '- Subquery: "What is self-attention?" | Aspect: [Definition of self-attention]',
        "> SUB-QUERY 1: What is self-attention? | ASPECT: 1",
        '{"subqueries": [{"query": "What is self-attention?", "aspect": "Definition of self-attention"}]}',
        '```json\n[{"subquery": "What is self-attention?", "aspects": ["Aspect 1"]}]\n```',
        '{"query": "What is self-attention?", "aspect": "Definitions of self attention"}',
    ],
)
def test_subqueries_however_they_are_dressed(reply):
    assert read_subqueries(reply, ASPECTS).value == (ProposedQuery("What is self-attention?", (ASPECTS[0],)),)


def test_one_query_may_serve_several_aspects():
    reply = f"SUBQUERY: self-attention vs multi-head attention | ASPECT: {ASPECTS[0]}; {ASPECTS[1]}"
    both = (ProposedQuery("self-attention vs multi-head attention", ASPECTS[:2]),)
    assert read_subqueries(reply, ASPECTS) == Parsed(both)
    as_json = json.dumps({"subqueries": [{"query": both[0].query, "aspects": list(ASPECTS[:2])}]})
    assert read_subqueries(as_json, ASPECTS) == Parsed(both)


def test_a_name_that_holds_a_semicolon_is_one_aspect():
    name = "Risks: tariffs; duties"
    assert read_subqueries(f"SUBQUERY: tariffs | ASPECT: {name}", (name,)).value == (ProposedQuery("tariffs", (name,)),)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("SUBQUERY: What is love? | ASPECT: Romance", "the query 'What is love?' is for no known aspect (Romance)"),
        ("SUBQUERY: ?? | ASPECT: Supply chain risks", "a query has no words: '?? '"),
        ("SUBQUERY: battery supply | ASPECT: Supply chain risks", "the query 'battery supply' was asked before"),
        ('{"subqueries": []}', "the reply proposes no query"),
        ('{"subqueries": [{"query": "x y"}]}', "the query 'x y' is for no known aspect (none was named)"),
        ("", "the reply is empty"),
        ("I have no idea.", "the reply holds no JSON"),
        ('{"subqueries": 5}', "the query '' …"),
    ],
)
def test_queries_that_cannot_be_used_are_said(reply, problem):
    read = read_subqueries(reply, ASPECTS, asked=("Battery supplies?",))
    assert read.value == ()
    assert read.problems
    assert problem in read.problems or problem.endswith("…")


def test_the_same_query_twice_is_asked_once():
    line = "SUBQUERY: battery supply | ASPECT: Supply chain risks\n"
    read = read_subqueries(line * 3, ASPECTS)
    assert read.value == (ProposedQuery("battery supply", (ASPECTS[2],)),)
    assert read.problems == ("the query 'battery supply' was asked before",) * 2


def test_more_queries_than_asked_for_are_cut():
    lines = "\n".join(f"SUBQUERY: battery {word} | ASPECT: 3" for word in ("cost", "shortage", "recycling"))
    read = read_subqueries(lines, ASPECTS, limit=1)
    assert [query.query for query in read.value] == ["battery cost"]
    assert read.problems == ("3 queries came where 1 were asked for; the first were taken",)


def test_aspects_are_read_into_nouns():
    reply = {
        "aspects": [
            {
                "aspect": "Supply chain risks",
                "aspect_type": "facet",
                "importance": 0.9,
                "keywords": ["battery", "chips"],
                "subject": "Tesla",
            }
        ]
    }
    assert read_aspects(json.dumps(reply)) == Parsed(
        (QueryAspect("Supply chain risks", "facet", importance=0.9, keywords=("battery", "chips"), subject="Tesla"),)
    )


def test_aspects_of_wrong_types_are_mended_and_said():
    items = [
        {"name": "Supply", "type": "RISK", "importance": "90%"},
        {"name": "Law", "type": "causal", "importance": 7},
        {"type": "facet"},
        "Demand",
        3,
        {"aspect": "supply", "type": "facet", "importance": 1},
    ]
    reply = json.dumps({"aspects": items})
    read = read_aspects(reply)
    assert read.value == (
        QueryAspect("Supply", "facet", importance=0.9),
        QueryAspect("Law", "causal"),
        QueryAspect("Demand", "facet"),
    )
    assert read.problems == (
        "1 of 6 aspects could not be read",
        "'Supply' is of the unknown type 'risk'; it counts as a facet",
        "'Law' has no importance in [0, 1]; it counts as 1.0",
        "an aspect has no name",
        "'Demand' is of the unknown type ''; it counts as a facet",
        "'Demand' has no importance in [0, 1]; it counts as 1.0",
        "the aspect 'supply' came twice",
    )


@pytest.mark.parametrize("reply", ["", "{}", '{"aspects": []}', "null", "[]", '{"aspects": null}', "Sorry."])
def test_a_reply_without_aspects_says_why(reply):
    read = read_aspects(reply)
    assert read.value == ()
    assert read.problems


@pytest.mark.parametrize(
    "reply",
    [
        '{"scores": [{"aspect": "Supply chain risks", "score": 0.7}]}',
        '{"Supply chain risks": 0.7}',
        '{"coverage": {"supply chain risks": "70%"}}',
        '[{"name": "3", "coverage": "7/10"}]',
        '{"Supply chain risks": {"score": 0.7, "reason": "batteries"}}',
    ],
)
def test_scores_in_any_shape(reply):
    assert read_scores(reply, ASPECTS).value == {"Supply chain risks": 0.7}


def test_scores_of_unknown_aspects_and_outside_the_range_are_said():
    read = read_scores('{"Weather": 0.5, "Supply chain risks": 1.7, "1": null}', ASPECTS)
    assert read == Parsed(
        {},
        (
            "'Weather' is no known aspect",
            "'Supply chain risks' has no score in [0, 1]",
            "'1' has no score in [0, 1]",
            "the reply scores no aspect",
        ),
    )


def test_claims_hold_aspect_passage_and_quote():
    item = {"aspect": ASPECTS[2], "passage": 2, "claim": "Cells are short.", "quote": "cells are in short supply"}
    reply = json.dumps({"claims": [item]})
    assert read_claims(reply, ASPECTS, passages=3) == Parsed(
        (ProposedClaim("Supply chain risks", 2, "Cells are short.", "cells are in short supply"),)
    )


def test_claims_from_passages_that_were_not_given_are_left_out():
    items = [
        {"aspect": "Supply chain risks", "passage": 9, "quote": "x y"},
        {"aspect": "Weather", "passage": 1, "quote": "x y"},
        {"aspect": "Supply chain risks", "passage": "[1]", "quote": ""},
        {"aspect": "Supply chain risks", "quote": "x y"},
    ]
    assert read_claims(json.dumps(items), ASPECTS, passages=3) == Parsed(
        (),
        (
            "a claim is from passage 9, which was not given",
            "a claim is about 'Weather', which is no known aspect",
            "a claim about 'Supply chain risks' has no quote",
            "a claim is from passage ?, which was not given",
        ),
    )


@pytest.mark.parametrize(
    ("reply", "advice"),
    [
        ('{"stop": true, "reason": "All is said."}', Advice(True, "All is said.")),
        ('{"decision": "continue", "why": "gaps"}', Advice(False, "gaps")),
        ('{"stop": "yes"}', Advice(True)),
        ('{"stop": "perhaps"}', Advice(None)),
        ("no idea", Advice(None)),
        ("[true]", Advice(None)),
    ],
)
def test_advice(reply, advice):
    read = read_advice(reply)
    assert read.value == advice
    assert bool(read.problems) == (advice.stop is None)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("definition of SELF-attention.", ASPECTS[0]),
        ("2", ASPECTS[1]),
        ("Aspect 3", ASPECTS[2]),
        ("3. Supply chain risks", ASPECTS[2]),
        ("Risks of the supply chain", ASPECTS[2]),
        ("Suply chain risks", ASPECTS[2]),
        ("Definition", None),
        ("attention", None),
        ("9", None),
        ("", None),
    ],
)
def test_names_that_are_nearly_right(name, meant):
    assert known_name(name, ASPECTS) == meant


@pytest.mark.parametrize(
    ("value", "share"),
    [
        (0.8, 0.8),
        ("0.8", 0.8),
        ("80%", 0.8),
        ("8/10", 0.8),
        (80, None),
        (-1, None),
        ("high", None),
        (None, None),
        ([], None),
        (10**400, None),
        (float("nan"), None),
        (True, 1.0),
    ],
)
def test_shares_in_any_writing(value, share):
    assert number_of({"score": value}, "score") == share


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["aspects", "aspect", "query", "score", "scores", "claims", "passage", "quote", "x"]), inner
        )
    ),
    max_leaves=15,
)


@given(json_like)
@example([{"aspect": ASPECTS[0], "passage": n, "quote": "cells"} for n in range(6)])
def test_no_shape_of_json_breaks_a_reader(value):
    reply = json.dumps(value)
    for read in (
        read_subqueries(reply, ASPECTS),
        read_aspects(reply),
        read_scores(reply, ASPECTS),
    ):
        assert read.value or read.problems
    assert all(1 <= claim.n <= 3 for claim in read_claims(reply, ASPECTS, passages=3).value)
    assert read_advice(reply).value.stop in (None, True, False)
