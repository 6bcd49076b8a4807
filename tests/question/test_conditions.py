"""Sources, dates, places and quotes that a question names."""

import pytest

from adaq_core.question.conditions import COMPARED, conditions


def found(question):
    return [(c.kind, c.text) for c in conditions(question)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Reuters say in 2023?", [("date", "in 2023")]),
        ("According to Reuters, who won?", [("source", "Reuters")]),
        ("as reported by The Verge and TechCrunch", [("source", "Verge"), ("source", "TechCrunch")]),
        ("Does the TechCrunch article on Amazon say so?", [("source", "TechCrunch")]),
        ("rules in Europe since 2020", [("place", "in Europe"), ("date", "since 2020")]),
        ('Who wrote "Blue Train"?', [("quoted", "Blue Train")]),
        ("nothing special", []),
    ],
)
def test_each_kind_is_found(question, expected):
    assert found(question) == expected


def test_every_span_is_the_text_itself():
    question = 'According to Reuters, what happened in Germany after 3 May 2021 in "Blue Train"?'
    assert [question[c.span[0] : c.span[1]] for c in conditions(question)] == [c.text for c in conditions(question)]


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which risks does Tesla NOT face?", True),
        ("Which companies do not depend on China?", True),
        ("What is not covered by the warranty?", True),
        ("Who is the man who did not attempt to be removed from the board?", False),
        ("Does the report say that the model is not trained on replies, while another does?", False),
        ("What does it scan, given that it doesn't scan images?", False),
        ("Why does a larger window not lead to better answers?", False),
        ("Brocciu was not just a cheese; it was a symbol. What does it taste of?", False),
    ],
)
def test_a_question_asks_for_what_is_not_so_only_where_it_denies_what_it_asks_for(question, asks):
    assert any(c.kind == "negation" for c in conditions(question)) is asks


def test_the_paper_since_which_something_has_changed_is_no_condition():
    found = conditions("Have the risks of Acme changed since the last annual report?")
    assert [(each.kind, each.value) for each in found] == [("scope", COMPARED)]
    assert [each.kind for each in conditions("What risks does the annual report of Acme name?")] == ["form"]
