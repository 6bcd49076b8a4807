"""Compare, same, look up: every pattern has an example, every answer is worked out from two stated values."""

import re

import pytest

from adaq_core.answers.operators import COMPARISONS, LOOKUPS, MEASURES, SAME, compute, with_operands
from adaq_core.answers.sides import MEMBERS
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


ROSE = passage("Rosa Alba", "Rosa Alba is a genus of 40 species of flowering shrubs in the family Rosaceae.")
FERN = passage("Osmunda", "Osmunda is a genus of ferns of the family Osmundaceae. Five to ten species are known.")
PEAK = passage("Langtang", "Langtang is a mountain in Nepal. At 7205 m (23,638 ft) it was first climbed in 1981.")
HILL = passage("Corno", "Corno is a mountain in Italy, at 2,912 m. It was first climbed in the 16th century.")
TOWN = passage("Nantong", "Nantong is a city in Jiangsu province, China. Nantong magazine is printed there.")
PORT = passage("Troy Airport", "Troy Airport is a public airport in Troy, New York, United States.")
FIELD = passage("Ross Airport (Ohio)", "Ross Airport is a public airport in Ross, Ohio, United States.")
PLACES = (ROSE, FERN, PEAK, HILL, TOWN, PORT, FIELD)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are Rosa Alba and Osmunda both genera of plants?", None),
        ("Are Rosa Alba and Osmunda both a genus?", "Yes"),
        ("Are both Langtang and Corno mountains in Nepal?", "No"),
        ("Are Langtang and Nantong both mountains?", "No"),
        ("Are Rosa Alba and Osmunda in the same family?", "No"),
        ("Are Troy Airport and Ross Airport in the same state?", "No"),
        ("Which is a genus of ferns, Rosa Alba or Osmunda?", "Osmunda"),
        ("Which mountain is in Italy, Corno or Langtang?", "Corno"),
        ("Which mountain is taller, Corno or Langtang?", "Langtang"),
        ("Which mountain was climbed first, Corno or Langtang?", "Corno"),
        ("Which genus has more species, Osmunda or Rosa Alba?", None),
        ("Is Nantong larger than Troy Airport?", None),
        ("Which is a museum, Corno or Langtang?", None),
    ],
)
def test_two_things_are_held_side_by_side_by_what_opens_their_passages(question, answer):
    computed = compute(question, PLACES)
    assert (computed.text if computed else None) == answer
    for value in computed.values if computed else ():
        assert value.passage.text[value.start : value.end] == value.text


@pytest.mark.parametrize(("degree", "units", "example"), MEASURES)
def test_every_measure_matches_its_example(degree, units, example):
    assert re.search(degree, example)


@pytest.mark.parametrize(("names", "how", "example"), MEMBERS)
def test_every_class_is_named_in_its_example(names, how, example):
    assert any(re.search(how.replace("%s", name), example) for name in names.split("|"))


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
