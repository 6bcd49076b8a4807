"""Figures of a fiscal quarter that no report is of, how a ratio changed in a year, two lines beside each other."""

import pytest

from adaq_core.retrieval.index import PassageIndex
from tests.filings.conftest import CONTOSO, KETTLES, NORTHWIND, assert_told, filed, statement

SPOKEN = "We baked bowls in the six months ended July 30, 2023. " * 3  # half of a year that ends in January 2024
TOLD = """
The increase in interest income was primarily due to higher yields.
Our tax benefit for the six months ended July 30, 2023 was $2.0 billion.
Sales of bowls were $14 million and $35 million for the second quarter and first half of fiscal year 2024, respectively.
During the second quarter and first half of fiscal year 2024, we repurchased 8 million and 21 million shares of our \
common stock for $3 billion and $7 billion, respectively.
CONSOLIDATED STATEMENTS OF CASH FLOWS
(In millions)
Six Months Ended
July 30,
2023
July 31,
2022
Interest, net of capitalized interest
968
900
"""


@pytest.fixture(scope="module")
def counted_ahead() -> PassageIndex:
    """The report of a quarter whose file calls it Q2 2023, and its issuer the second quarter of fiscal 2024."""
    lines = "Interest income\n332\n170\nInterest expense\n(204)\n(114)\nOperating income"
    told = statement("July 30", sales=2000, income=400).replace("Operating income", lines)
    other = statement("June 30", sales=3000, income=500)
    return filed(
        {
            "2023 Q2 NWC 10-Q": f"{NORTHWIND}{told}{SPOKEN}{TOLD}{KETTLES}",
            "2023 Q2 CON 10-Q": f"{CONTOSO}{other}{KETTLES}",
        }
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Northwind's revenue in Q2 fiscal 2024?", "$2,000 million ($2.0 billion)"),
        ("What was Northwind's revenue in the second quarter of fiscal 2023?", "$1,600 million ($1.6 billion)"),
        ("What was Northwind's revenue in Q2 fiscal 2022?", None),
        ("How much did Northwind's gross margin improve in Q2 fiscal 2024?", "up 10.0 points, from 40.0% to 50.0%"),
        ("By how many points did Northwind's gross margin rise in Q2 FY2024?", "up 10.0 points, from 40.0% to 50.0%"),
        ("How much did Northwind's gross margin rise in the six months ended July 30, 2023?", None),
        ("By how many stores did Northwind's gross margin rise in Q2 FY2024?", None),
        (
            "What was Northwind's revenue in Q2 fiscal 2024 compared to Q2 fiscal 2023?",
            "Q2 fiscal 2024: $2,000 million ($2.0 billion); Q2 fiscal 2023: $1,600 million ($1.6 billion)",
        ),
    ],
)
def test_what_no_report_is_of_is_told_by_that_of_a_year_later(
    question: str, text: str | None, counted_ahead: PassageIndex
) -> None:
    assert_told(counted_ahead, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Which was larger in Q2 2023, Northwind's interest income or its interest expense?",
            "interest income: $332 million; interest expense: $204 million",
        ),
        (
            "Was Northwind's interest expense larger than its interest income in Q2 2023?",
            "No, interest expense: $204 million; interest income: $332 million",
        ),
        ("Which was larger in Q2 2023, Northwind's interest income or its interest rate?", None),
    ],
)
def test_two_lines_that_share_a_word_are_two(question: str, text: str | None, counted_ahead: PassageIndex) -> None:
    assert_told(counted_ahead, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Why did Northwind's interest income increase in Q2 fiscal 2024?", "Due to higher yields"),
        (
            "Why did Northwind's interest income decrease in Q2 fiscal 2024?",
            "It did not fall: up 95%, from $170 million to $332 million",
        ),
        ("What was Northwind's tax benefit in the six months ended July 30, 2023?", "$2.0 billion"),
        ("What was Northwind's tax benefit in the nine months ended July 30, 2023?", None),
        ("What were Northwind's sales of bowls in the first half of fiscal 2024?", "$35 million"),
        ("What were Northwind's sales of bowls in Q2 fiscal 2024?", "$14 million"),
        ("How much did Northwind spend on buybacks in Q2 fiscal 2024?", "$3 billion"),
        ("How much did Northwind spend on buybacks in the first half of fiscal 2024?", "$7 billion"),
        ("How much did Northwind's cost of sales go up in Q2 2023?", "up 4%, from $960 million to $1,000 million"),
        ("How much interest did Northwind capitalize in the first half of fiscal 2024?", None),
    ],
)
def test_sentences_tell_of_the_months_that_are_asked_for(
    question: str, text: str | None, counted_ahead: PassageIndex
) -> None:
    assert_told(counted_ahead, question, text)
