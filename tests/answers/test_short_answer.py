"""A short answer is stated where one sentence says it; below that its candidates are marked."""

import pytest

from adaq_core.answers.choose import typed_spans, wanted_of
from adaq_core.answers.evidence_sentences import (
    REVERSALS,
    is_empty,
    last_reversal,
    refers_back,
    reversals_of,
    sentences_of,
    stands_after,
)
from adaq_core.answers.sections import Rated, propose
from adaq_core.model import Passage

PAY = Passage(
    "t#0",
    "t",
    "Tesla: legal risk",
    "In January 2024 a judge cancelled the 2018 Tesla pay package. The Supreme Court reversed that outcome in December "
    "2025 and reinstated the 2018 package.",
)
SIRI = Passage(
    "a#0", "a", "Apple", "Apple agreed in January 2025 to pay 95 million dollars to settle the Siri lawsuit."
)


def proposed(question, kind, passage, match=0.9):
    group = sentences_of(passage, 0)
    return propose(wanted_of(question, kind), [Rated(sentence, match) for sentence in group], [group])


def test_an_amount_that_one_sentence_states():
    made = proposed("How much did Apple pay to settle the Siri lawsuit?", "amount", SIRI)
    assert (made.text, made.kind) == ("95 million dollars", "amount")


def test_what_the_matcher_is_not_sure_of_is_only_marked():
    made = proposed("How much did Apple pay to settle the Siri lawsuit?", "amount", SIRI, match=0.2)
    assert (made.text, made.likely) == ("", ("95 million dollars",))


def test_yes_or_no_by_the_last_of_dated_events():
    made = proposed("Is the 2018 Tesla pay package valid?", "yes_no", PAY)
    assert made.text == "Yes"
    assert "reinstated the 2018 package" in made.step


def test_yes_or_no_is_not_stated_without_a_chain_of_events():
    assert proposed("Did Apple settle the Siri lawsuit?", "yes_no", SIRI).text == ""


@pytest.mark.parametrize(("verbs", "stands", "example"), REVERSALS)
def test_every_verb_of_reversal_has_an_example(verbs, stands, example):
    assert stands_after(example) is stands


def test_the_last_reversal_is_a_clause():
    text = (
        "In May 2025 they replaced it, and in November 2025 the judge dismissed the case, although families objected."
    )
    assert last_reversal(text) == "in November 2025 the judge dismissed the case"


def test_a_chain_goes_on_only_with_later_sentences_on_the_same_matter():
    group = sentences_of(PAY, 0)
    assert reversals_of(group[0], group) == (group[1],)
    assert reversals_of(group[1], group) == ()


@pytest.mark.parametrize("text", ["That verdict stood.", "It also fell.", "However, it rose.", "He also sang."])
def test_sentences_that_point_back(text):
    assert refers_back(text)


@pytest.mark.parametrize("text", ["Apple sued Samsung.", "In May 2024 a judge ruled.", "The FAA limited production."])
def test_sentences_that_stand_alone(text):
    assert not refers_back(text)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("Self-attention has several disadvantages.", True),
        ("A multi-head attention layer works in four steps.", True),
        ("Self-attention is slow on long texts.", False),
        ("Boeing has two problems: debt and delays.", False),
    ],
)
def test_sentences_without_content(text, empty):
    assert is_empty(text) is empty


@pytest.mark.parametrize(
    ("kind", "sentence", "spans"),
    [
        ("date", "It ended on 30 September 2025.", ["30 September 2025"]),
        ("amount", "Apple paid about 95 million dollars in 2025.", ["about 95 million dollars"]),
        ("person", "Stephen Robertson developed BM25 at City University.", ["Stephen Robertson"]),
        ("reason", "It fell because of demand.", []),
    ],
)
def test_what_a_sentence_holds_of_a_kind(kind, sentence, spans):
    assert [span.text for span in typed_spans(kind, sentence)] == spans
