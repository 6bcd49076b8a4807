"""Compare, same, look up: every pattern has an example, every answer is worked out from two stated values."""

import re

import pytest

from adaq_core.answers.operators import COMPARISONS, LOOKUPS, SAME, compute, with_operands
from adaq_core.model import Passage, Provenance, RankedPassage


def passage(title, text):
    return Passage(f"{title}#0", title, title, text)


ZONE = passage("The Zone (2017 film)", "The Zone is a 2017 film directed by Ada Moll.")
MOLL = passage("Ada Moll", "Ada Moll (3 May 1960 – 1 June 2020) was a Canadian director.")
LAKE = passage("Lake Song", "Lake Song is a 1999 film directed by Rolf Berg.")
BERG = passage("Rolf Berg", "Rolf Berg (born 7 July 1955 in Oslo) is a Norwegian director.")
ALL = (ZONE, MOLL, LAKE, BERG)


@pytest.mark.parametrize(("attribute", "want", "pattern", "example"), COMPARISONS)
def test_every_comparison_is_the_first_that_its_example_matches(attribute, want, pattern, example):
    row = next(r for r in COMPARISONS if re.search(r[2], example, re.IGNORECASE))
    assert (row[0], row[1]) == (attribute, want)


@pytest.mark.parametrize(("attribute", "kind", "pattern", "example"), LOOKUPS)
def test_every_look_up_matches_its_example(attribute, kind, pattern, example):
    assert re.search(pattern, example, re.IGNORECASE)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was born first, Ada Moll or Rolf Berg?", "Rolf Berg"),
        ("Who is younger, Ada Moll or Rolf Berg?", "Ada Moll"),
        ("Which film came out first, The Zone (2017 Film) or Lake Song?", "Lake Song"),
        ("Which film has the director who was born later, Lake Song or The Zone (2017 film)?", "The Zone (2017 film)"),
        ("Are Ada Moll and Rolf Berg of the same nationality?", "No"),
        ("Do the directors of films Lake Song and The Zone share the same nationality?", "No"),
        ("When was the director of film Lake Song born?", "7 July 1955"),
        ("When did Ada Moll die?", "1 June 2020"),
        ("What nationality is the director of film The Zone?", "Canadian"),
    ],
)
def test_answers_are_worked_out_from_what_passages_state(question, answer):
    computed = compute(question, ALL)
    assert computed.text == answer
    for value in (*computed.via, *computed.values):
        assert value.passage.text[value.start : value.end] == value.text


@pytest.mark.parametrize(
    "question",
    [
        "Who died first, Ada Moll or Rolf Berg?",
        "When was Ada Moll's father born?",
        "Which film is better, The Zone or Lake Song?",
        "What is the salary of people of the same nationality as the director of The Zone?",
        "Who was born first, Ada Moll or Nobody Known?",
    ],
)
def test_without_a_value_or_a_known_relation_it_declines(question):
    assert compute(question, ALL) is None


def test_the_passages_that_it_used_come_into_the_set_in_place_of_others():
    ranked = [RankedPassage(p, n, 1.0, Provenance(1)) for n, p in enumerate((*ALL, passage("Rain", "It rains.")), 1)]
    question = "Who was born first, Ada Moll or Rolf Berg?"
    kept = with_operands(question, [ranked[0], ranked[4]], ranked, k=2)
    assert [(r.passage.title, r.rank) for r in kept] == [("Ada Moll", 1), ("Rolf Berg", 2)]
    assert SAME.search("from the same country")
