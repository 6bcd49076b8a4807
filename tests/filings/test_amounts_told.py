"""Amounts as sentences tell them beside others: of two kinds, of a quarter and its year; in short words."""

from __future__ import annotations

import pytest

from adaq_core.filings import figure_of
from adaq_core.retrieval.index import PassageIndex
from tests.filings.conftest import KETTLES, NORTHWIND, assert_told, filed

TOLD = """We baked bowls in the nine months ended September 30, 2023, and in the nine months ended September 30, 2022.
Revenue allocated to remaining performance obligations, which includes deferred revenue, was $216 million as
of September 30, 2023, of which $212 million is related to the commercial portion of revenue. Total wood and
water expense was $42 million and $46 million in Q3 2022 and Q3 2023, and $114 million and $130 million for
the nine months ended September 30, 2022 and 2023. The total costs of wood, which is mostly oak, and water as
of September 30, 2023 were $18 million. As of September 30, 2023, we had additional operating and finance
leases, primarily for kilns, that had not yet commenced of $7.5 million and $75.1 million, respectively. As of
September 30, 2023, there was $9 million of aggregate unearned stock-based compensation expense. As of
September 30, 2023, Northwind held approximately 88% (94% as of December 31, 2022) of the outstanding equity
interest in Ovenworks. Penalties for late bowls totaled $44 million and $114 million for the third quarter and
first nine months of 2023, respectively. Changes in foreign exchange rates increased net sales by $14 million
for Q3 2023, and reduced net sales by $13 million for the nine months ended September 30, 2023. As of
September 30, 2023, we had no outstanding borrowings on the revolving facilities. Operating income is expected to
be between $7.0 billion and $11.0 billion, compared with $2.7 billion in fourth quarter 2022. Changes in oven prices
impacted operating expenses by $(3) million for Q3 2023 and by $(5) million for the nine months ended September 30,
2023.
"""


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    paragraphs = TOLD.replace("\n", " ").replace(". ", ".\n")
    told = f"{NORTHWIND}For the quarterly period ended September 30, 2023\n{paragraphs}\n"
    before = f"{NORTHWIND}For the quarterly period ended June 30, 2023\n{KETTLES}"
    return filed({"2023 Q2 NWC 10-Q": before, "2023 Q3 NWC 10-Q": told})


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Northwind remaining performance obligations at September 30, 2023", "$216 million"),
        ("Northwind wood and water expense Q3 2023", "$46 million"),
        ("Northwind finance leases not yet commenced at September 30, 2023", "$75.1 million"),
        ("Northwind operating leases not yet commenced at September 30, 2023", "$7.5 million"),
        ("Northwind unearned stock-based compensation Q3 2023", "$9 million"),
        ("How much of Ovenworks did Northwind hold at September 30, 2023?", "88%"),
        ("Northwind penalties for late bowls Q3 2023", "$44 million"),
        ("How did foreign exchange affect Northwind's sales in Q3 2023?", "increased net sales by $14 million"),
        ("What does Northwind expect operating income to be in Q4 2023?", "between $7.0 billion and $11.0 billion"),
        (
            "How much did oven prices take off Northwind's operating expenses in Q3 2023?",
            "impacted operating expenses by $(3) million",
        ),
        ("How much did currency add to Northwind's sales in Q3 2023?", "increased net sales by $14 million"),
    ],
)
def test_amount_that_is_told_beside_others_is_found(index: PassageIndex, question: str, text: str) -> None:
    assert_told(index, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("northwind rpo", "$216 million, by the report of Q3 2023, the newest here"),
        (
            "northwind fx hit on revs in q3",
            "increased net sales by $14 million, by the report of Q3 2023, the newest here",
        ),
        ("northwind stake in ovenworks", "88%, by the report of Q3 2023, the newest here"),
    ],
)
def test_short_words_and_no_year_are_those_of_the_newest_report(index: PassageIndex, question: str, text: str) -> None:
    assert_told(index, question, text)


@pytest.mark.parametrize(
    "question",
    [
        "How much did Northwind borrow in Q3 2023?",  # there were none of some kind
        "What did Northwind pay for the stake in Ovenworks?",
        "What is Northwind fined for?",
        "What did Northwind expect operating income to be in Q3 2023?",  # it is the report before that tells it
        "What does Northwind expect net income to be in Q4 2023?",
        "northwind dso q3 2023",
    ],
)
def test_what_is_told_of_something_else_is_no_figure(index: PassageIndex, question: str) -> None:
    assert figure_of(question, index) is None
