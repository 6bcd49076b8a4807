"""A rule that names a range speaks of every amount in it."""

import re

import pytest

from adaq_core.text.values import SPELLED_NUMBER, Range, amounts, ranges, stated_by_amounts

INF = float("inf")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Purchases below 5,000 pounds need one offer.", [Range(0, 5000, "pound")]),
        ("Purchases from 5,000 pounds to 50,000 pounds need three.", [Range(5000, 50000, "pound")]),
        ("from 5,000 to 50,000 pounds", [Range(5000, 50000, "pound")]),
        ("Gifts between 50 and 150 pounds need approval.", [Range(50, 150, "pound")]),
        ("every commitment above 50,000 pounds", [Range(50000, INF, "pound")]),
        ("a fine of more than $2 million", [Range(2e6, INF, "dollar")]),
        ("flights of more than eight hours", [Range(8, INF, "hour")]),
        ("no more than three days", [Range(0, 3, "day")]),
        ("less than 5 % of a supplier", [Range(0, 5, "percent")]),
        ("It rose from 3 in May to 9 in July.", []),
        ("Five people came in 2021.", []),
    ],
)
def test_the_ranges_that_a_sentence_states(text, expected):
    assert list(ranges(text)) == expected


def test_an_amount_in_the_range_is_said_and_one_outside_is_not():
    asked = "How many offers does a purchase of 30,000 pounds need?"
    assert stated_by_amounts(asked, "Purchases from 5,000 pounds to 50,000 pounds need three offers.") == {"30000"}
    assert stated_by_amounts(asked, "Purchases below 5,000 pounds need one offer.") == frozenset()
    assert stated_by_amounts(asked, "Journeys of more than 20,000 miles need approval.") == frozenset()
    assert stated_by_amounts("What happens in 2025?", "more than 1,000 people") == frozenset()


def test_numbers_in_words_and_with_scales_are_amounts():
    assert [(a.value, a.unit) for a in amounts("nine hours, 2.5 billion dollars, £30")] == [
        (9.0, "hour"),
        (2.5e9, "dollar"),
        (30.0, "pound"),
    ]


@pytest.mark.parametrize(
    ("asked", "text", "told"),
    [
        ("Who paid $348m?", "It paid 348 million dollars.", {"348m"}),
        ("Who paid 348 million dollars?", "It paid $348m.", {"348", "million", "dollar"}),
        ("Is it worth $1tn?", "It is worth 1.01 trillion dollars.", {"1tn"}),
        ("Is it worth $1tn?", "It is worth 1.1 trillion dollars.", set()),
        ("Who paid $4bn?", "It paid 4 billion euros.", set()),
        ("Who cut 2k jobs in 2025?", "It cut jobs in 2000 and 2024.", set()),
    ],
)
def test_one_amount_is_written_in_several_ways(asked, text, told):
    assert stated_by_amounts(asked, text) == told


def test_a_sign_says_percent() -> None:
    assert stated_by_amounts("What percentage of sales is it?", "It is 27% of sales.") == {"percentag"}
    assert stated_by_amounts("What percentage of sales is it?", "It is a large part of sales.") == frozenset()


def test_a_large_number_in_words_is_read_whole():
    text = "I delivered a hundred and four children for four thousand two hundred a year, and sixty-one in the last."
    found = re.findall(rf"\b{SPELLED_NUMBER}\b", text)
    assert found == ["a hundred and four", "four thousand two hundred", "sixty-one"]


def test_groups_of_three_digits_beside_a_currency_are_one_number() -> None:
    told = "up to 20 000 000 EUR, or EUR 7 500; of rows 12 345 678 none"
    assert [amount.value for amount in amounts(told)] == [20e6, 7500.0, 12.0, 345.0, 678.0]
