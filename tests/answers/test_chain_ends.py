"""The end of a chain is read in the forms in which relations are told, where the named passages lead to it."""

import re

import pytest

from adaq_core.answers.chain_forms import FORMS, Asking, form_asked
from adaq_core.answers.operators import compute
from adaq_core.answers.unnamed import asks_of_one, links, read_end
from adaq_core.model import Passage


def passage(title, text):
    return Passage(f"{title}#0", title, title, text)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_every_form_is_asked_by_its_example_first_and_reads_what_states_it(form):
    asked = form_asked(form.example.rstrip("?"))
    assert asked is not None
    first, match = asked
    assert first is form
    start, end = next(form.read(Asking(match, form.states, "Ann Lee")))
    assert form.states[start:end] == form.answer


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.counter)
def test_no_form_is_asked_by_its_counter_example(form):
    assert re.search(form.asked, form.counter.rstrip("?"), re.IGNORECASE) is None


HORN = passage("Ida Horn", "Ida Horn was a skater. She was a member of the Ice Union and lived in Velden.")
UNION = passage("Ice Union", "The Ice Union is a body for sports. Its president Rolf Berg took office in 2013.")
VELDEN = passage("Velden", "Velden is a town in Carin County. It has 40 rooms for guests.")
TUNE = passage(
    "Glow (song)",
    "Glow is a song recorded by Kim Sand, written by Otto Mai. It was produced by a firm that had its seat in Velden.",
)
FALLS = passage("Kern Falls", "Kern Falls is a waterfall in the east of Velden, near a mill.")
STAR = passage("Lea Ross", "Lea Ross is an actress. She was Mara in Hill House.")
MOVIE = passage("Cold Bay", "Cold Bay is a film with Lea Ross as Tess Hale / Night Owl, and Jan Vos as himself.")
ALBUM = passage("Night Sea", "Night Sea is an album by Kim Sand, made in Velden and written by Jan Vos.")
HUSBAND = passage("Otto Mai", "Otto Mai was a writer of songs. The wife of Otto Mai was a painter.")


@pytest.mark.parametrize(
    ("question", "passages", "answer"),
    [
        ("Who is the president of the body that Ida Horn was a member of?", (HORN, UNION), "Rolf Berg"),
        ("What region is the town where Ida Horn lived in?", (HORN, VELDEN), "Carin County"),
        ("Who wrote the song Glow by the singer of Night Sea?", (TUNE, ALBUM), "Otto Mai"),
        ("Who recorded the song Glow with the singer of Night Sea?", (TUNE, ALBUM), None),
        ("Who produced the song Glow by the singer of Night Sea?", (TUNE, ALBUM), None),
        ("Who is the president of the body that Ida Horn was a member of?", (HORN, VELDEN), None),
        ("Who is the president of the body that Ida Horn was a member of in 1990?", (HORN, UNION), None),
        ("How many rooms has the town where Ida Horn lived?", (HORN, VELDEN), "40"),
        ("What is the name of the waterfall in the town where Ida Horn lived?", (HORN, FALLS), "Kern Falls"),
        ("What is the name of the bridge in the town where Ida Horn lived?", (HORN, FALLS), None),
        ("What character does the actress of Hill House play in Cold Bay?", (STAR, MOVIE), "Tess Hale / Night Owl"),
        ("What character does the actress of Low Farm play in Cold Bay?", (STAR, MOVIE), None),
        ("Which region is larger, Tyrol or that of Ida Horn?", (HORN, VELDEN), None),
        ("Who is the wife of the man who wrote Glow?", (TUNE, HUSBAND), None),
    ],
)
def test_what_the_passage_states_that_the_named_one_leads_to_is_the_answer(question, passages, answer):
    computed = read_end(question, passages)
    assert (computed.text if computed else None) == answer
    for value in (*computed.via, *computed.values) if computed else ():
        assert value.passage.text[value.start : value.end] == value.text


def test_two_ends_that_state_two_answers_are_no_answer():
    other = passage("Velden", "The Velden club, too, is a body. Its president Ann Moss took office in 2001.")
    assert read_end("Who is the president of the body that Ida Horn was a member of?", (HORN, UNION, other)) is None


@pytest.mark.parametrize(
    ("question", "is_of_one"),
    [
        ("When was Ice Union founded?", True),
        ("When was the Ice Union first founded?", True),
        ("Who is the president of Ice Union?", True),
        ("When was the president of the Ice Union born?", False),
        ("When was the Ice Union of which Ida Horn was a member founded?", False),
        ("Why was the Ice Union founded?", False),
        ("When was the Battle of Ice Union fought?", True),
    ],
)
def test_what_is_asked_of_the_thing_of_a_title_leads_nowhere(question, is_of_one):
    assert asks_of_one(question, (HORN, UNION)) is is_of_one


def test_a_thing_was_not_published_when_another_was_that_its_text_names():
    glove = passage("Glow", "Ann Lee published Glow in 2014. Glow is used as Beam is.")
    beam = passage("Beam", "Beam is a method. Bo Holm published Beam in 2013.")
    assert read_end("When was Glow published?", (glove, beam)) is None


def test_a_chain_begins_at_what_says_the_name_where_no_title_does():
    album = passage("Glow (Lakeside album)", "Glow is an album of 2011. It came out at Sea Records.")
    label = passage("Sea Records", "Sea Records was founded in 2001.")
    question = "When was the inception of the record label of Lakeside?"
    titled = [link for link in links(question, (album, label)) if link.is_titled]
    assert [(link.start, link.end, link.bridge) for link in titled] == [(album, label, "sea records")]
    assert read_end(question, (album, label)).text == "2001"


def test_ends_are_read_in_these_forms_only_in_a_set_cut_to_what_leads_on():
    question = "Who is the president of the body that Ida Horn was a member of?"
    assert compute(question, (HORN, UNION)) is None
    assert compute(question, (HORN, UNION), sized=True).text == "Rolf Berg"
