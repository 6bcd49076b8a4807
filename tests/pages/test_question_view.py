"""The question with its marks: nothing of it is lost, and each mark stands where it belongs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.question.aspects import plan
from pages._shared.ask.compose import question_parts
from pages._shared.common.text import visible
from pages._shared.run.data import aspect_places

TWO_PARTS = "What is the tram network of Basel and how did it start in 1895? Answer in one sentence."


def marked(question: str, mark: str) -> str:
    parts = question_parts(question, plan(question, profiles={}).aspects)
    return "".join(text for text, marks in parts if mark in marks.split())


def test_periods_that_are_listed_are_one_condition() -> None:
    assert (
        marked("Net sales and operating income of Amazon for Q1, Q2 and Q3 2023", "condition") == "Q1, Q2 and Q3 2023"
    )
    assert marked("Net sales and operating income of Amazon in Q3 2023", "condition") == "in Q3 2023"


@given(st.text(min_size=1, max_size=120).filter(lambda text: any(letter.isalnum() for letter in text)))
def test_the_pieces_joined_are_what_can_be_seen_of_the_question(question: str) -> None:
    assert "".join(text for text, _ in question_parts(question, ())) == visible(question)


def test_a_mark_that_turns_the_reading_direction_is_not_in_the_heading() -> None:
    assert question_parts("What is \u202egnp.exe?", ()) == [("What is gnp.exe?", "")]


def test_each_span_has_a_colour_of_its_own() -> None:
    assert marked(TWO_PARTS, "a1").startswith("What is the tram network of Basel")
    assert marked(TWO_PARTS, "a2").startswith("how did it start")


def test_an_instruction_is_marked_as_one() -> None:
    assert "one sentence" in marked(TWO_PARTS, "instruction")


def test_one_span_for_all_aspects_is_not_coloured() -> None:
    question = "Top risks facing Tesla in 2025"
    assert aspect_places(question, plan(question, profiles={}).aspects) == {}


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (
            "What are the legal risks, supply chain risks, opportunities and leadership of Apple?",
            ["legal risks", "supply chain risks", "opportunities", "leadership"],
        ),
        ("What are the main legal risks of Boeing, Pfizer and JPMorgan Chase?", ["Boeing", "Pfizer", "JPMorgan Chase"]),
        ("self-attention vs multi-head attention", ["self-attention", "multi-head"]),
        ("Compare Apple and Pfizer", ["Apple", "Pfizer"]),
        ("Why is tea green and what are its oils?", ["Why is tea green", "what are its oils"]),
        ("What is Python?", []),
        (
            "Compare the legal risks and the supply chain risks of Tesla, Pfizer and Amazon",
            ["legal risks", "supply chain risks", "Tesla", "Pfizer", "Amazon"],
        ),
        (
            "How do regulation, supply chains and competition affect NVIDIA, Apple and Boeing?",
            ["regulation", "supply chains", "competition", "NVIDIA", "Apple", "Boeing"],
        ),
    ],
)
def test_of_a_clause_with_several_aspects_each_has_the_words_that_are_its_own(question: str, words: list[str]) -> None:
    places = aspect_places(question, plan(question, profiles={}).aspects)
    assert [question[start:end] for each in places.values() for start, end in each] == words


def test_a_word_that_nothing_carries_is_marked_as_unused() -> None:
    parts = question_parts("Borealis price 2023", (), ["2023"])
    assert ("2023", "unused") in [(text, marks.split()[-1] if marks else "") for text, marks in parts]
