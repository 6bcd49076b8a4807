"""Conditions of a question, held against a sentence and its passage."""

from dataclasses import replace

import pytest

from adaq_core.matching.conditions import day_above, keeping, left, open_conditions
from adaq_core.model import Constraint, Passage, QueryAspect


def passage(text, **kwargs):
    return Passage("p", "d", "Acme", text, **kwargs)


AFTER, IN, BEFORE = (
    Constraint("date", text, value=value)
    for text, value in (("after 2022", "2022/.."), ("in 2025", "2025"), ("before 2023", "../2023"))
)

OVER = Constraint("number", "more than 10 billion", value=">10 billion")
MORE = Constraint("number", "more than 1,000", value=">1,000")


@pytest.mark.parametrize(
    ("condition", "sentence", "expected"),
    [
        (AFTER, "Sales fell in 2023.", "held"),
        (AFTER, "Sales fell in 2019.", "broken"),
        (AFTER, "Sales fell.", "open"),
        (IN, "The rule ended on 30 September 2025.", "held"),
        (IN, "The rule ended in 2024.", "broken"),
        (BEFORE, "It started in 2021.", "held"),
        (BEFORE, "It started in 2025.", "broken"),
        (OVER, "It paid about 13 billion euros.", "held"),
        (OVER, "It paid about 8 billion euros.", "open"),
        (MORE, "It took on 1,400 people.", "held"),
        (MORE, "It took on many people in May 2024.", "open"),
        (
            Constraint("period", "Q3 2023", value="2023-Q3"),
            "Revenue for the first quarter of 2023 was 4 dollars.",
            "broken",
        ),
        (Constraint("period", "Q3 2023", value="2023-Q3"), "In September 2023 it grew.", "held"),
        (
            Constraint("period", "Q1 2022", value="2022-Q1"),
            "It was 4 in Q3 2021 and 5 in nine months of 2022.",
            "broken",
        ),
        (Constraint("period", "Q1 2022", value="2022-Q1"), "It was 4 in 2022.", "held"),
        (Constraint("negation", "not recognise"), "It does not recognise a paraphrase.", "held"),
        (Constraint("negation", "not recognise"), "Neither method recognises a paraphrase.", "held"),
        (Constraint("negation", "not named"), "Bing and Edge were left out after a review.", "held"),
        (Constraint("negation", "not recognise"), "It recognises a paraphrase, and nothing else.", "broken"),
        (Constraint("place", "in the US", value="US"), "American generics stay off the market.", "held"),
        (Constraint("place", "in the US", value="US"), "Generics stay off the market in Japan.", "open"),
        (Constraint("quoted", "one cockroach"), "He saw one cockroach.", "held"),
        (Constraint("quoted", "two cockroaches"), "He saw one cockroach.", "broken"),
    ],
)
def test_a_condition_is_held_broken_or_open(condition, sentence, expected):
    assert keeping(condition, passage(sentence), sentence) == expected


def test_a_quarter_has_two_names_and_what_it_is_compared_with_is_neither():
    filing = passage("", metadata=(("period", "2023 Q3"), ("period_end", "2023-03-31"), ("fiscal_year", "2023")))
    ended = Constraint("date", "in the quarter ended March 31, 2023", value="2023-03-31")
    first = Constraint("period", "in the first quarter of 2023", value="2023-Q1")
    assert keeping(ended, filing, "Expenses rose by 30%.") == "held"
    assert keeping(ended, filing, "Expenses rose by 30% compared to 2022.") == "held"
    assert keeping(ended, filing, "Expenses rose in the quarter ended June 30, 2022.") == "broken"
    assert keeping(replace(first, value="2024-Q1"), filing, "Expenses rose.") == "broken"


def test_the_period_of_a_filing_decides_where_its_sentence_says_none():
    asked = Constraint("period", "Q3 2023", value="2023-Q3")
    for period, expected in (("2023-Q3", "held"), ("2023-Q2", "broken")):
        assert keeping(asked, passage("We grew.", metadata=(("period", period),)), "We grew.") == expected


def test_the_day_of_publication_never_breaks_a_condition():
    assert keeping(IN, passage("We grew.", date="2026-11-21"), "We grew.") == "open"
    assert keeping(IN, passage("We grew.", date="2025-03-01"), "We grew.") == "held"


def test_a_broken_condition_takes_a_match_below_the_threshold_and_an_open_one_does_not():
    aspect = QueryAspect("How Acme grew", "entity", constraints=(IN,))
    assert left(aspect, passage("Acme grew in 2019."), "Acme grew in 2019.") < 0.5
    assert left(aspect, passage("Acme grew."), "Acme grew.") >= 0.5
    assert open_conditions(aspect, passage("Acme grew."), "Acme grew.") == ("in 2025",)


def test_one_sentence_on_a_facet_that_says_the_time_checks_it():
    text = "Supply is a risk. A supplier of cells failed in 2025."
    aspect = QueryAspect("Supply risks", "facet", keywords=("supplier", "supply"), constraints=(IN,))
    assert open_conditions(aspect, passage(text), "Supply is a risk.") == ()
    assert open_conditions(replace(aspect, aspect_type="entity"), passage(text), "Supply is a risk.") == ("in 2025",)


OUTSIDE = Constraint("negation", "outside the United States", value="United States")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The European Commission fined Acme.", "held"),
        ("The British regulator and an American one acted.", "held"),
        ("An American court fined Acme.", "broken"),
        ("Acme was fined.", "open"),
    ],
)
def test_what_is_left_out_is_told_by_the_places_of_a_sentence(sentence, expected):
    assert keeping(OUTSIDE, passage(sentence), sentence) == expected


def test_a_quarter_in_fiscal_words_is_that_of_its_report():
    """“The first quarter of 2023” of a firm may be the last of the calendar."""
    card = (("period", "2023 Q1"), ("period_end", "2022-12-31"), ("fiscal_period", "2023 Q1"))
    asked = Constraint("date", "in the December 2022 quarter", value="2022-12")
    assert keeping(asked, passage("", metadata=card), "During the first quarter of 2023 a plant stood still.") == "held"
    assert keeping(asked, passage("", metadata=card), "During the second quarter of 2023 it ran.") == "broken"
    assert keeping(replace(asked, value="2023-03"), passage("", metadata=card), "It ran in Q1 2023.") == "held"
    assert keeping(replace(asked, value="2023-09"), passage("", metadata=card), "It ran in Q1 2023.") == "broken"


def test_a_quarter_that_ends_with_the_first_days_of_a_month_is_of_the_month_before():
    asked = Constraint("date", "in the June 2023 quarter", value="2023-06")
    for end, expected in (("2023-07-01", "held"), ("2023-07-29", "broken")):
        assert keeping(asked, passage("", metadata=(("period_end", end),)), "It grew.") == expected


def test_a_report_of_the_quarter_before_holds_no_next_one():
    """The third quarter of Intel's 2022 ended on 1 October, and that it tells of 2022 says nothing of a fourth."""
    asked = Constraint("period", "in Q4 2022", value="2022-Q4")
    text = "Gross margin was 43% in Q3 2022 and 45% year to date 2022. It fell. Reserves were taken in 2022."
    given = passage(text, metadata=(("period_end", "2022-10-01"),))
    for sentence in ("It fell.", "Reserves were taken in 2022."):
        assert keeping(asked, given, sentence) == "broken"
        assert keeping(replace(asked, value="2022-Q3"), given, sentence) == "held"


def test_the_sentences_before_may_tell_the_time_that_one_speaks_of():
    text = "For tax years 2004 to 2013 we got notices. They seek $28.9 billion."
    asked = Constraint("period", "for 2004 to 2013", value="2004/2013")
    card = (("period_end", "2023-09-30"),)
    assert keeping(asked, passage(text, metadata=card), "They seek $28.9 billion.") == "held"
    assert keeping(asked, passage("They seek $28.9 billion.", metadata=card), "They seek $28.9 billion.") == "broken"


def test_the_time_of_a_report_binds_the_report_and_not_what_its_sentences_speak_of():
    ahead = "Sales will decline in the fourth quarter of fiscal year 2024."
    given = passage(ahead, metadata=(("period_end", "2023-10-29"),))
    asked = (Constraint("date", "in the October 2023", value="2023-10"),)
    assert left(QueryAspect("What is said in the October 2023 10-Q", "entity", constraints=asked), given, ahead) == 1.0
    assert left(QueryAspect("What was sold in the October 2023 sale", "entity", constraints=asked), given, ahead) < 0.5


def test_when_what_a_report_tells_of_will_end_is_not_the_time_that_it_tells_of():
    filed = passage("Acme reports.", metadata=(("period", "2022 Q3"), ("period_end", "2022-09-30")))
    then = Constraint("date", "September 2022", value="2022-09")
    assert keeping(then, filed, "The facility is available until August 2025.") == "held"
    assert keeping(then, filed, "The loan matures in January 2024.") == "held"
    assert keeping(then, filed, "The facility was drawn in August 2025.") == "broken"
    other = passage("Acme reports.", metadata=(("period", "2023 Q1"), ("period_end", "2023-03-31")))
    assert keeping(then, other, "The facility is available until August 2025.") == "broken"


def test_a_time_in_front_of_a_report_is_the_reports_and_not_its_sentences():
    filed = passage("Acme reports.", metadata=(("period", "2022 Q3"), ("period_end", "2022-09-30")))
    then = Constraint("date", "September 2022", value="2022-09")
    sentence = "We raised it in May 2021."
    assert (
        left(QueryAspect("Fee on its loan, September 2022 10-Q", "entity", constraints=(then,)), filed, sentence) == 1.0
    )
    assert left(QueryAspect("Fee on its loan in September 2022", "entity", constraints=(then,)), filed, sentence) < 1.0


def test_a_time_beside_a_form_is_of_the_paper_also_where_the_aspect_does_not_hold_it():
    filed = passage("Acme reports.", metadata=(("form", "10-Q"), ("period", "2023 Q2"), ("period_end", "2023-04-30")))
    then = Constraint("date", "April 2023", (4, 14), value="2023-04")
    form = Constraint("form", "10-Q", (15, 19), value="10-Q")
    sentence = "Nothing has changed since 2022."
    assert left(QueryAspect("Has anything changed", "entity", constraints=(then, form)), filed, sentence) == 1.0
    assert left(QueryAspect("Has anything changed", "entity", constraints=(then,)), filed, sentence) < 0.5


def test_what_is_titled_by_its_year_tells_of_that_year():
    speech = replace(passage("The surplus grows. It was less in 1997."), title="1999 Clinton 1")
    then = Constraint("date", "in 1999", value="1999")
    assert keeping(then, speech, "The surplus grows.") == "held"
    assert keeping(then, speech, "It was less in 1997.") == "broken"
    assert keeping(then, replace(speech, title="Route 1999"), "The surplus grows.") == "open"


MINUTES = "2031-01-09\n\nThe pump was chosen.\n\n2031-02-16\n\nThe valve was chosen."


@pytest.mark.parametrize(
    ("sentence", "expected"), [("The pump was chosen.", "held"), ("The valve was chosen.", "broken")]
)
def test_the_day_in_the_heading_above_is_that_of_a_sentence(sentence: str, expected: str) -> None:
    january = Constraint("date", "in January 2031", value="2031-01")
    assert keeping(january, passage(MINUTES), sentence) == expected


def test_the_day_of_a_section_is_that_of_its_sentences_and_a_day_in_prose_of_none() -> None:
    of_section = passage("The pump was chosen.", metadata=(("section", "Board › Version 2.1 – 2031-01-09"),))
    assert day_above(of_section, 0) == "2031-01-09"
    assert day_above(passage("On 2031-01-09 the board met again in Brod.\nThe pump was chosen."), 43) == ""


def test_a_month_in_the_title_is_the_time_of_minutes_that_their_file_dates():
    minutes = replace(passage("Chair: Ann Lee"), title="Plenary April 2024", date="2024-04-11")
    april, may = (
        Constraint("date", f"in {month}", value=value) for month, value in (("April", "2024-04"), ("May", "2024-05"))
    )
    assert keeping(april, minutes, "Chair: Ann Lee") == "held"
    assert keeping(may, minutes, "Chair: Ann Lee") == "broken"


def test_an_item_is_left_out_where_the_line_above_its_list_says_so():
    rules = passage("These are NOT refundable:\n\n- Parking tickets\n\nThese are refundable:\n\n- Trains")
    left_out = Constraint("negation", "not refundable")
    assert keeping(left_out, rules, "Parking tickets") == "held"
    assert keeping(left_out, rules, "Trains") == "broken"
