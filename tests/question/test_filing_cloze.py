"""Questions that are made from sentences of filings: of which firm and period, and the part that was taken out."""

import pytest

from adaq_core.model import Passage
from benchmarks.filing_cloze import made_from, sample, tells

OWN = {"issuer": "Acme, Inc.", "form": "10-Q", "fiscal_year": "2023", "fiscal_quarter": "2", "fiscal_period": "2023 Q2"}


KILNS = "Kiln net sales increased 7% from Q2 2022, driven by demand in Oslo, partially offset by lower prices."


def filing(text: str, passage: str = "p1", **other: str) -> Passage:
    fields = tuple((OWN | other).items())
    return Passage(passage, other.get("document", "d1"), "2023 Q2 10-Q", text, metadata=fields)


@pytest.mark.parametrize(
    ("text", "form", "first", "second", "gold"),
    [
        (
            KILNS,
            "why moved",
            "Why did Acme's Kiln net sales increase in the second quarter of fiscal 2023?",
            "What was behind the increase in Acme's Kiln revenue in Q2 FY2023?",
            "demand in Oslo",
        ),
        (
            KILNS,
            "what offset",
            "What partially offset the increase in Acme's Kiln net sales in the second quarter of fiscal 2023?",
            "What held back the increase in Acme's Kiln revenue in Q2 FY2023?",
            "lower prices",
        ),
        (
            "During the first six months of 2023, we repurchased $2.5 billion of our common stock under a plan.",
            "amount of a thing",
            "How much common stock did Acme repurchase in the first six months of 2023?",
            "What amount of own shares did Acme buy back in the first six months of 2023?",
            "$2.5 billion",
        ),
        (
            "In May 2023, we entered into an agreement to acquire Birch Mill, a maker of bowls.",
            "when we did",
            "When did Acme enter into an agreement to acquire Birch Mill?",
            "On what date did Acme sign an agreement to acquire Birch Mill?",
            "May 2023",
        ),
        (
            "There were no borrowings under the Credit Agreement.",
            "there were none",
            "Were there any borrowings under the Credit Agreement at Acme in the second quarter of fiscal 2023?",
            "Has Acme had any borrowings under the Credit Agreement in Q2 FY2023?",
            "No",
        ),
        (
            "We have a limited number of suppliers of clay.",
            "we have",
            "Does Acme have a limited number of suppliers of clay?",
            "Is it true that Acme has a limited number of suppliers of clay?",
            "Yes",
        ),
    ],
)
def test_a_part_of_a_sentence_is_asked_for_of_its_firm_and_period(
    text: str, form: str, first: str, second: str, gold: str
):
    made = {each.form: each for each in made_from(filing(text))}[form]
    assert (made.asked(0), made.asked(1), made.golds) == (first, second, (gold,))


@pytest.mark.parametrize(
    "text",
    [
        "We repurchased 8 and 15 million shares of our common stock for $3 and $7 billion, respectively.",
        "We paid $3 million of dues in Q2 2023, and $9 million in the first six months of 2023.",
        "We announced a decision to reduce our workforce by about 10,000 jobs.",
    ],
)
def test_nothing_is_asked_where_several_are_told_or_the_part_is_not_whole(text: str):
    assert list(made_from(filing(text))) == []


def test_nothing_is_asked_of_a_passage_whose_firm_or_period_is_not_known():
    text = "Kiln net sales increased 7% driven by demand in Oslo."
    assert list(made_from(filing(text, issuer=""))) == list(made_from(Passage("p", "d", "News", text))) == []


def test_what_is_turned_is_said_by_no_passage_of_whom_it_is_asked_of():
    own = filing("Kiln net sales increased 7% driven by demand in Oslo.")
    quiet = filing("Bowl prices fell.", "p2", issuer="Birch Corp", document="d2")
    earlier = filing("Bowl prices fell.", "p3", fiscal_period="2023 Q1", document="d3")
    telling = filing("Kiln net sales were flat.", "p4", issuer="Cedar Corp", document="d4")
    made = next(
        each for each in sample([own, quiet, earlier, telling], seed=1, of_a_form=2) if each.form == "why moved"
    )
    assert dict(made.turned) == {
        "another firm": "Why did Birch's Kiln net sales increase in the second quarter of fiscal 2023?",
        "another period": "Why did Acme's Kiln net sales increase in the first quarter of fiscal 2023?",
        "another deed": "Why did Acme's Kiln net sales decrease in the second quarter of fiscal 2023?",
    }


def test_a_long_part_is_told_by_four_in_five_of_its_words_and_a_short_one_whole():
    assert tells(
        "Sales fell on lower demand for kilns and bowls in Oslo.", "lower demand for kilns and for bowls in Oslo"
    )
    assert not tells("Sales fell on lower demand.", "lower demand for kilns and bowls in Oslo")
    assert not tells("Acme paid $2.5 million.", "$2.5 billion")
