from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from adaq_core.text.passages import sentences


def cut(text):
    return [text[start:end] for start, end in sentences(text)]


def test_an_entry_in_small_letters_is_a_line_of_its_own():
    text = "The actions are:\ngit add: This takes in a file.\ngit commit: This records\nthe changes: all of them."
    assert cut(text) == [
        "The actions are:",
        "git add: This takes in a file.",
        "git commit: This records\nthe changes: all of them.",
    ]


def test_abbreviations_and_initials_do_not_end_a_sentence():
    assert cut("Dr. Smith met Nathan H. Juran on Jan. 5. He left.") == [
        "Dr. Smith met Nathan H. Juran on Jan. 5.",
        "He left.",
    ]


def test_a_word_in_front_of_its_number_may_be_cut_short():
    assert cut("Report it (ext. 2119). See cl. 14 and art. 3. It is modern art. 14 came.") == [
        "Report it (ext. 2119).",
        "See cl. 14 and art. 3.",
        "It is modern art. 14 came.",
    ]


def test_a_short_word_in_capitals_is_a_name_unless_all_is_in_capitals():
    assert cut("It is larger than the 737 MAX. Acme has no rival.") == [
        "It is larger than the 737 MAX.",
        "Acme has no rival.",
    ]
    assert cut("At a speed of max. 9 it stops.") == ["At a speed of max. 9 it stops."]
    assert cut("ACME MOTORS INC. Report for 2023.") == ["ACME MOTORS INC. Report for 2023."]


def test_a_letter_that_ends_the_name_of_a_thing_is_no_initial():
    assert cut("Acme built the Model Y. Bolt is a rival of the Acme Model Y. Acme cut prices.") == [
        "Acme built the Model Y.",
        "Bolt is a rival of the Acme Model Y.",
        "Acme cut prices.",
    ]
    assert cut("Robert F. Kennedy met the board. Robert F. Kennedy left.") == [
        "Robert F. Kennedy met the board.",
        "Robert F. Kennedy left.",
    ]


def test_a_line_break_ends_a_sentence_unless_it_goes_on_in_lower_case():
    assert cut("Heading\nThe text\ngoes on\n\nand stops") == ["Heading", "The text\ngoes on", "and stops"]


def test_the_stop_of_a_day_ends_no_sentence_where_a_word_of_time_stands_before_it():
    text = "On Monday 20. January a node stopped. It ran since the 3. February. It holds 30. March was cold."
    assert cut(text) == [
        "On Monday 20. January a node stopped.",
        "It ran since the 3. February.",
        "It holds 30.",
        "March was cold.",
    ]


def test_closing_quotes_belong_to_the_sentence():
    assert cut('He said "Yes." Then he left!') == ['He said "Yes."', "Then he left!"]


def test_blank_text_has_none():
    assert cut(" \n ") == []


@given(st.text(alphabet="aA .!?\n\"'1", max_size=60))
def test_ranges_are_ordered_and_lose_no_letter(text):
    found = sentences(text)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


def test_the_day_of_a_german_date_ends_no_sentence():
    assert cut("Er endet am 30. September 2024. Am 12. März beginnt der neue.") == [
        "Er endet am 30. September 2024.",
        "Am 12. März beginnt der neue.",
    ]
    assert cut("It holds 30. September was cold.") == ["It holds 30.", "September was cold."]


def test_the_number_of_an_item_begins_its_sentence_and_a_dash_does_not():
    assert cut("Do so:\n\n1. Open the form.\n2. Sign\n- Send it\n* Wait") == [
        "Do so:",
        "1. Open the form.",
        "2. Sign",
        "Send it",
        "Wait",
    ]
    assert cut("It has 12. Others have -5.") == ["It has 12.", "Others have -5."]
