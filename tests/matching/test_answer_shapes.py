"""What an answer of each kind looks like, and what does not."""

import pytest

from adaq_core.matching.asked import PATTERNS, holds_kind


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_fits_its_example_and_not_its_counter(row):
    assert row.pattern.search(row.example)
    assert not row.pattern.search(row.counter)


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_is_linear(row):
    assert row.pattern.search("zz " * 10_000) is None


@pytest.mark.parametrize(
    ("kind", "sentence", "holds"),
    [
        ("person", "Ann Lee has led Acme since May.", True),
        ("person", "Acme is led well.", False),
        ("person", "Acme Corp Group was founded.", False),
        ("date", "It closed in the 1990s.", True),
        ("date", "It closed soon.", False),
        ("date", "It closed by the end of October.", True),
        ("date", "The office is open from eight to six.", True),
        ("date", "On Tuesday the room was half empty.", True),
        ("date", "It may close, for better or worse.", False),
        ("person", "A Dane called Holm brought us in.", True),
        ("person", "A ship called at Oslo.", False),
        ("reason", "We shall not go on, as the port is closed.", True),
        ("reason", "We shall not go on, as well.", False),
        ("amount", "Of each euro 12 cents went to fundraising.", True),
        ("organisation", "It was bought by Zeta.", True),
        ("place", "It is based in Oslo.", True),
        ("place", "It is based on trust.", False),
        ("number", "It has 12 layers.", True),
        ("fact", "Anything.", True),
    ],
)
def test_a_kind_is_held_by_what_the_question_does_not_say(kind, sentence, holds):
    assert holds_kind(kind, sentence, asked=frozenset(("acm",))) is holds


def test_a_year_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in 2024.", asked=frozenset(("2024",)))


def test_a_month_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in March.", asked=frozenset(("march",)))
