"""What a passage states of the thing it is about, in the fixed forms of articles."""

import pytest

from adaq_core.matching import match
from adaq_core.matching.lexicon import ASKED, asked_of, stated
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
