"""What a passage states of the thing it is about, in the fixed forms of articles."""

import pytest

from adaq_core.matching import match
from adaq_core.matching.lexicon import ASKED, asked_of, stated, value_of
from adaq_core.model import Passage, QueryAspect
from adaq_core.text.tokens import uniform

ZICH = "Karel Zich (10 June 1949 – 13 July 2004) was a Czech singer. He sang like Elvis Presley."


def asking(text, subject="Karel Zich", kind="date"):
    return QueryAspect(text, "entity", subject=subject, answer_kind=kind)


@pytest.mark.parametrize("row", ASKED, ids=lambda row: "+".join(row.kind))
def test_every_pattern_finds_its_example_and_not_its_counter_example(row):
    assert row.search(row.example)
    assert not row.search(row.counter_example)


@pytest.mark.parametrize(
    "text", ["Karel Zich: died earlier", "Karel Zich: lived longer", "Karel Zich: born first", "Country of Karel Zich"]
)
def test_a_life_in_brackets_states_birth_death_and_country(text):
    passage = Passage("p", "d", "Karel Zich", ZICH)
    (sentence,) = stated(asking(text), passage)
    assert passage.text[sentence.start : sentence.end].startswith("Karel Zich (10 June 1949")
    assert match(asking(text), passage, weigh=uniform).score >= 0.5


def test_nothing_is_stated_of_something_else_or_where_one_date_is_missing():
    assert stated(asking("Karel Zich: died earlier"), Passage("p", "d", "Elvis Presley", ZICH)) == ()
    living = Passage("p", "d", "Karel Zich", "Karel Zich (born 10 June 1949) is a Czech singer.")
    assert stated(asking("Karel Zich: lived longer"), living) == ()
    assert stated(asking("Karel Zich: born later"), living) != ()


def test_only_facts_about_things_are_looked_up_so():
    assert asked_of(QueryAspect("Country risks of Acme", "facet")) == ()


def test_who_is_named_in_full_is_who_the_passage_begins_with():
    text = "Ann Mary Lee (1 May 1900 – 2 June 1980) was a singer."
    aspect = asking("When did Ann Mary Lee die", "Ann Mary Lee")
    assert stated(aspect, Passage("p", "d", "Ann Lee", text)) != ()
    assert stated(aspect, Passage("p", "d", "Mary Lee", f"The song of {text}")) == ()


def test_the_date_of_what_is_told_next_is_none_of_a_death():
    told = "At the time of his death, took over and was elected in 1957. He had died in Bonn, Germany, in 1956."
    assert value_of("death", Passage("p", "d", "Bo Dahl", told)).text == "1956"
