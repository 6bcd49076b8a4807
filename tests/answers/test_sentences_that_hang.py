"""Which sentences of the evidence stand alone, hang on others, take back what was said, or say nothing."""

import pytest

from adaq_core.answers.evidence_sentences import (
    REVERSALS,
    is_empty,
    last_reversal,
    refers_back,
    reversals_of,
    sentences_of,
    stands_after,
    with_antecedents,
)
from adaq_core.model import Passage
from tests.answers.test_short_answer import PAY, one


@pytest.mark.parametrize(("verbs", "stands", "example"), REVERSALS)
def test_every_verb_of_reversal_has_an_example(verbs, stands, example):
    assert stands_after(example) is stands


def test_the_last_reversal_is_a_clause():
    text = (
        "In May 2025 they replaced it, and in November 2025 the judge dismissed the case, although families objected."
    )
    assert last_reversal(text) == "in November 2025 the judge dismissed the case"


def test_a_chain_goes_on_only_with_later_sentences_on_the_same_matter():
    group = sentences_of(PAY, 0)
    assert reversals_of(group[0], group) == (group[1],)
    assert reversals_of(group[1], group) == ()
    text = "In May 2025 Acme sold credits to Bolt. In June 2025 the state also revoked the credits that Acme sold."
    group = sentences_of(one(text), 0)
    assert reversals_of(group[0], group) == ()


@pytest.mark.parametrize("text", ["That verdict stood.", "It also fell.", "However, it rose.", "He also sang."])
def test_sentences_that_point_back(text):
    assert refers_back(text)


def test_what_came_of_it_is_quoted_with_what_it_came_of():
    group = sentences_of(one("Acme has to capitalise its costs. As a result, Acme pays more tax.", title="Acme"), 0)
    assert with_antecedents(group[1], group) == (group[0], group[1])
    apart = sentences_of(one("Acme has to capitalise its costs. Acme pays more tax.", title="Acme"), 0)
    assert with_antecedents(apart[1], apart) == (apart[1],)


@pytest.mark.parametrize("text", ["Apple sued Samsung.", "In May 2024 a judge ruled.", "The FAA limited production."])
def test_sentences_that_stand_alone(text):
    assert not refers_back(text)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("ACME, INC.", True),
        ("ITEM 1.", True),
        ("Demand and Supply, Product Transitions, and New Products and Business Models", True),
        ("Tesla grew.", False),
        ("Self-attention has several disadvantages.", True),
        ("A multi-head attention layer works in four steps.", True),
        ("Self-attention is slow on long texts.", False),
        ("Boeing has two problems: debt and delays.", False),
        ("That is, your net worth is found by subtracting what you owe from what you own:", False),
        ("The accounts that are used for such a purchase in the register are the following:", True),
        ("Enter this in the register:", True),
        ("Three Months Ended", True),
        ("PART I Item 2", True),
        ("Letter from the chief executive", True),
        ("8. Limitation of Liability.", True),
        ("6. Trademarks.", True),
        ("10. U.S. GOVERNMENT END USERS.", True),
        ("8. Liability is limited.", False),
        ("https://www.example.org/licenses/LICENSE-2.0", True),
        ("Notice period: four weeks", False),
        ("(15)", True),
        ("$ pip install streamlit", False),
        ("Total net sales, in millions of dollars", False),
    ],
)
def test_sentences_without_content(text, empty):
    assert is_empty(text) is empty


@pytest.mark.parametrize(
    ("before", "text", "hangs"),
    [
        (
            "In May 2023, Dialect filed a complaint in Virginia.",
            "The complaint alleges that Echo devices infringe.",
            True,
        ),
        ("In May 2023, Dialect went to court in Virginia.", "The complaint alleges that Echo devices infringe.", False),
        ("A forget gate decides what is erased.", "The forget gate was added in 2000.", False),
        ("A new agreement with a lender was signed.", "The agreement expires in 2025.", True),
        ("Acme signed with the department.", "In May 2024 the department said that Acme broke this agreement.", True),
        ("Each document has a gain.", "Finally the sum is divided by the best value.", True),
        ("First, the heads are computed.", "Third, the layer joins the outputs.", True),
    ],
)
def test_a_sentence_hangs_on_the_one_that_brings_in_what_it_begins_with(before, text, hangs):
    group = sentences_of(Passage("p", "p", "Report", f"{before} {text}"), 0)
    assert group[1].hangs is hangs
