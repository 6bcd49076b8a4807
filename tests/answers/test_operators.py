"""Compare, same, look up: every pattern has an example, every answer is worked out from two stated values."""

import re

import pytest

from adaq_core.answers.chain_forms import ATTRIBUTES
from adaq_core.answers.operators import (
    AGES,
    BEFORE,
    BETWEEN,
    COMPARISONS,
    LOOKUPS,
    MEASURES,
    ORDERED,
    SAME,
    compute,
    with_operands,
)
from adaq_core.answers.sides import MEMBERS
from adaq_core.model import Passage, Provenance, RankedPassage


def passage(title, text):
    return Passage(f"{title}#0", title, title, text)


ZONE = passage("The Zone (2017 film)", "The Zone is a 2017 film directed by Ada Moll.")
MOLL = passage("Ada Moll", "Ada Moll (3 May 1960 – 1 June 2020) was a Canadian director.")
LAKE = passage("Lake Song", "Lake Song is a 1999 film directed by Rolf Berg.")
BERG = passage("Rolf Berg", "Rolf Berg (born 7 July 1955 in Oslo) is a Norwegian director.")
LUND = passage("Ivo Lund", "Ivo Lund (1 March 1900 – 2 April 1990) was a Norwegian director.")
ALL = (ZONE, MOLL, LAKE, BERG, LUND)


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
        ("Who lived longer, Ada Moll or Ivo Lund?", "Ivo Lund"),
        ("Who lived shorter, Ada Moll or Ivo Lund?", "Ada Moll"),
        ("Are Ada Moll and Rolf Berg of the same nationality?", "No"),
        ("Are Ivo Lund and Rolf Berg of the same nationality?", "Yes"),
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


HALL = passage("Ahlen Hall", "Ahlen Hall is a hall in Turku. The hall is large. Ahlen Hall was first opened in 1871.")
FORD = passage("Ford Bridge", "Ford Bridge is a bridge, founded by Jo Lund in 1902 and opened in May 1910.")
LONG = passage("Ron Vale", "Ronald Vale (born May 1950) is a poet.")
IN_TIME = (*ALL, HALL, FORD, LONG)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was Ada Moll born before Rolf Berg?", "No"),
        ("Was Rolf Berg born before Ada Moll was?", "Yes"),
        ("Was Ahlen Hall opened after Ford Bridge?", "No"),
        ("Did Ada Moll die after Ivo Lund?", "Yes"),
        ("Is Ivo Lund older than Ada Moll?", "Yes"),
        ("Who was born first, Ronald Vale or Rolf Berg?", "Ronald Vale"),
        ("How many years after Ahlen Hall was Ford Bridge opened?", "39 years"),
        ("How many years after Ahlen Hall was opened was Ford Bridge founded?", "31 years"),
        ("How many years before Ford Bridge was Ahlen Hall opened?", "39 years"),
        ("How many years apart were Ada Moll and Rolf Berg born?", "5 years"),
        ("How much older is Rolf Berg than Ada Moll?", "4 years"),
        ("How old was Ada Moll when Rolf Berg was born?", None),
        ("How old was Rolf Berg when Ada Moll was born?", "4"),
        ("Was Ada Moll born after the death of Ivo Lund?", "No"),
        ("Were Ada Moll and Rolf Berg born in the same year?", "No"),
        ("How many years passed between the birth of Ada Moll and the death of Ivo Lund?", "30 years"),
        ("What is the age gap between Ada Moll and Rolf Berg?", "4 years"),
        ("Which was opened first, Ford Bridge or Ahlen Hall?", "Ahlen Hall"),
        ("Which was opened last, Ford Bridge or Ahlen Hall?", "Ford Bridge"),
        ("Did Ahlen Hall open before Ford Bridge?", "Yes"),
        ("Who was older when he died, Ada Moll or Ivo Lund?", "Ivo Lund"),
        ("Who died younger, Ada Moll or Ivo Lund?", "Ada Moll"),
        ("Which film is older, The Zone (2017 film) or Lake Song?", "Lake Song"),
        ("How old was Ivo Lund when he died?", "90"),
        ("At what age did Ada Moll die?", "60"),
        ("How many years did Ada Moll live?", "60"),
    ],
)
def test_time_between_two_things_is_worked_out(question, answer):
    computed = compute(question, IN_TIME, chained=False)
    assert (computed.text if computed else None) == answer
    for value in computed.values if computed else ():
        assert value.passage.text[value.start : value.end] == value.text


@pytest.mark.parametrize(
    "question",
    [
        "Was Ada Moll born before Nobody Known?",
        "Was Ada Moll born before 1950?",
        "How many years after Ford Bridge was Ahlen Hall opened?",
        "How old was Rolf Berg when he died?",
        "Was Ahlen Hall sold before Ford Bridge?",
        "How long did Ada Moll live in Oslo?",
    ],
)
def test_time_between_two_things_is_not_worked_out_from_one_or_another_deed(question):
    assert compute(question, IN_TIME, chained=False) is None


@pytest.mark.parametrize("row", [*BEFORE, *ORDERED, *BETWEEN, *AGES], ids=lambda row: row.example)
def test_every_question_of_time_matches_its_example_only(row):
    assert row.search(row.example)
    assert not row.search(row.counter_example)


@pytest.mark.parametrize(
    "question",
    [
        "Who died first, Ada Moll or Rolf Berg?",
        "Who lived longer, Ada Moll or Rolf Berg?",
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


ALBUM = passage("Glow", "Glow is an album by Ada Moll, released by Tide Records in 2011.")
LABEL = passage(
    "Tide Records", "Tide Records is a label from Turku. It was founded by Rolf Berg in 2001 and dissolved in 2014."
)
FILM = passage("Cold Bay", "Cold Bay is a film with Ida Lind, directed by Jan Vos and produced by Nora Quist.")
STAR = passage("Ida Lind", "Ida Lind is known for Cold Bay. She was born in Salem, Oregon, and died in Paris, aged 80.")
VILLAGE = passage("Elm, Ohio", "Elm is a village in Vinton County, Ohio. Its station is Radio Nine.")
RADIO = passage("Radio Nine", "Radio Nine is a station in Elm.")


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("When was the record label that released Glow established?", (ALBUM, LABEL), "2001"),
        ("In which year did the label of Glow end?", (ALBUM, LABEL), "2014"),
        ("Who founded the record label of Glow?", (ALBUM, LABEL), "Rolf Berg"),
        ("Who directed the film that Ida Lind is known for?", (STAR, FILM), "Jan Vos"),
        ("Where was the star of Cold Bay born?", (FILM, STAR), "Salem, Oregon"),
        ("What city was the star of Cold Bay born in?", (FILM, STAR), "Salem"),
        ("Where did the star of Cold Bay die?", (FILM, STAR), "Paris"),
        ("What county is Radio Nine located in?", (RADIO, VILLAGE), "Vinton County"),
        ("When was the record label of Glow established?", (LABEL,), None),
        ("When was the record label that released Glow sold?", (ALBUM, LABEL), None),
        ("Who produced the film that Ida Lind is known for?", (STAR, FILM, LABEL), "Nora Quist"),
    ],
)
def test_what_is_asked_of_the_end_of_a_chain_is_read_where_the_chain_ends(question, passages, answer):
    computed = compute(question, passages)
    assert (computed.text if computed else None) == answer
    for value in (*computed.via, *computed.values) if computed else ():
        assert value.passage.text[value.start : value.end] == value.text


def test_two_things_where_a_chain_may_end_are_no_answer():
    other = passage("Sea Records", "Sea Records, founded in 1990, is named in no other passage than that of Glow.")
    glow = passage("Glow", f"{ALBUM.text} In Asia it came out at Sea Records.")
    assert compute("When was the record label of Glow established?", (glow, LABEL, other)) is None


@pytest.mark.parametrize("attribute", ATTRIBUTES, ids=lambda attribute: attribute.example)
def test_every_attribute_is_asked_by_its_example_and_by_no_row_before_it(attribute):
    first = next(a for a in ATTRIBUTES if re.search(a.asked, attribute.example, re.IGNORECASE))
    assert first is attribute


ONE = passage("Verge", "Sam Reed denied the claims. Reed founded Tide, and Reed owned Coral. Ann Moss spoke for Tide.")
TWO = passage("Crunch", "The jury heard Sam Reed. Moss and Reed met at Coral, where Coral was run by Reed.")
WHO = "Who is the individual, according to both The Verge and TechCrunch, accused of fraud?"


def test_who_several_sources_report_on_is_whom_their_documents_name_most():
    computed = compute(WHO, (ONE, TWO))
    assert (computed.text, computed.kind, computed.step) == ("Sam Reed", "person", "named 6 times in 2 documents")


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        (WHO, (ONE,)),
        ("Who is the individual accused of fraud?", (ONE, TWO)),
        ("Which company, according to both The Verge and TechCrunch, is accused?", (ONE, TWO)),
    ],
)
def test_nobody_is_meant_where_one_document_no_source_or_no_name_stands_out(question, passages):
    assert compute(question, passages) is None


EDITED = passage("Ana", "Ana is a 2017 film directed by Petru Net. Editor Dana Bun received a prize.")
EDITOR = passage("Dana Bun", "Dana Bun was born in Craiova.")
MADE = passage("Petru Net", "Petru Net was born in Brasov.")


def test_the_end_of_a_chain_is_who_has_the_role_asked_for():
    question = "What is the place of birth of the director of film Ana?"
    assert compute(question, [EDITED, EDITOR]) is None
    assert compute(question, [EDITED, MADE]).text == "Brasov"


STAR = passage("Rong Yu", "Rong Yu is an actor, featured in Iron Monkey and Musa.")
MONKEY = passage("Iron Monkey (1993 film)", "Iron Monkey is a 1993 film directed by Woo Ping.")
MUSA = passage("Musa (film)", "Musa is a 2001 film directed by Kim Su.")


@pytest.mark.parametrize(
    ("question", "answer"), [("When can Jonas Weber start?", None), ("When did the firm of Jonas Weber start?", "2021")]
)
def test_what_is_asked_of_the_thing_named_is_told_of_no_other(question, answer):
    vita = passage("Jonas Weber", "Jonas Weber is a developer of Altstadt, and is free from 1 October 2025.")
    town = passage("Altstadt", "Altstadt is a firm that was founded in 2021.")
    result = compute(question, (vita, town), chained=True)
    assert (result.text if result else None) == answer


def test_the_end_of_a_chain_is_of_the_year_that_the_question_says():
    question = "Who directed the 2001 film that featured Rong Yu?"
    assert compute(question, [STAR, MONKEY]) is None
    assert compute(question, [STAR, MUSA]).text == "Kim Su"


def test_of_full_names_right_behind_a_role_it_is_one():
    film = passage("Mask", "Mask is a film written by Neil Gai from a story, starring Steffi Leon.")
    star = passage("Steffi Leon", "Steffi Leon (born 14 February 1984) is an English actress.")
    assert compute("Which country the composer of film Mask is from?", [film, star]) is None
