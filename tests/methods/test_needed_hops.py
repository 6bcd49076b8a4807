"""A hop is made only where it brings something that the set does not hold."""

import pytest

from adaq_core.events import (
    AspectRestated,
    CoverageAssessed,
    EvidenceAssembled,
    HopStarted,
    LinksFollowed,
    PassagesRetrieved,
    Record,
    of_kind,
)
from adaq_core.model import Passage, QueryAspect, Settings
from adaq_core.question.aspects import plan
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.trace import view
from tests.asking import execute

FILMS = {
    "The Hidden Hour": "The Hidden Hour is a 1931 film directed by Joseph De Grasse. It is set in Maine.",
    "Joseph De Grasse": "Joseph De Grasse was a Canadian who worked for many years, and who was born in Bathurst.",
    "Bathurst": "Bathurst lies at a bay. Its harbour is small.",
    "Night Train": "Night Train is a 1932 film directed by Ida Stone. It is set in Texas.",
    "Ida Stone": "Ida Stone was an American who worked with Joseph De Grasse.",
}
RISKS = "Top risks facing Tesla in 2025"


@pytest.fixture(scope="module")
def films():
    passages = [Passage(f"{n}#0", str(n), title, text) for n, (title, text) in enumerate(FILMS.items())]
    return DocumentRetriever(PassageIndex.build(passages, name="films"))


def hops(events):
    return list(of_kind(events, HopStarted))


def test_the_first_hop_searches_the_question_itself_and_nothing_else(films, sample):
    for question, retriever in (("Where was the director of The Hidden Hour born?", films), (RISKS, sample)):
        events = list(execute("adaptive", question, retriever=retriever))
        assert [query.text for query in hops(events)[0].queries] == [question]
        assert not [event for event in of_kind(events, LinksFollowed) if event.hop == 1]


def test_a_name_is_followed_in_a_hop_of_its_own_that_says_which(films):
    question = "Where was the director of The Hidden Hour born?"
    events = list(execute("adaptive", question, retriever=films, settings=Settings(k=2, learned=False)))
    followed = list(of_kind(events, LinksFollowed))
    for event in followed:
        assert event.hop > 1
        assert "names “" in hops(events)[event.hop - 1].why
        assert not [each for each in of_kind(events, PassagesRetrieved) if each.hop == event.hop]


def test_every_hop_after_the_first_changes_the_set(sample):
    aspects = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects
    events = list(execute("adaptive", RISKS, retriever=sample, aspects=aspects))
    sets = {event.hop: {r.passage.passage_id for r in event.evidence} for event in of_kind(events, EvidenceAssembled)}
    assert len(sets) > 2
    assert all(sets[hop] != sets[hop - 1] for hop in list(sets)[1:])


def test_there_are_at_most_as_many_hops_as_open_aspects_and_one(sample):
    aspects = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects
    events = list(execute("adaptive", RISKS, retriever=sample, aspects=aspects))
    assert len(hops(events)) <= len(hops(events)[0].open_aspects) + 1


def test_where_no_query_brings_anything_one_hop_is_an_honest_run(sample):
    nowhere = (QueryAspect("Tram network of Basel", "entity", keywords=("tram", "Basel"), subject="Basel"),)
    events = list(execute("adaptive", "What is Python?", retriever=sample, aspects=nowhere))
    assert len(hops(events)) == 1


def test_when_a_link_is_answered_the_next_aspect_asks_for_the_name_found_and_is_covered_by_it(films):
    question = "What is the place of birth of the director of The Hidden Hour?"
    events = list(execute("adaptive", question, retriever=films, settings=Settings(k=2, learned=False)))
    (restated,) = of_kind(events, AspectRestated)
    assert (restated.name, restated.text) == ("Joseph De Grasse", "Place of birth of Joseph De Grasse")
    last = list(of_kind(events, CoverageAssessed))[-1]
    assert [(score.aspect, score.score >= 0.5) for score in last.scores] == [
        ("Director of The Hidden Hour", True),
        ("Place of birth of the director of The Hidden Hour", True),
    ]
    assert view([Record(n, "", 0.0, event) for n, event in enumerate(events, 1)]).restated[restated.aspect] == restated


@pytest.mark.parametrize("question", ["What about their competitors?", "Should I buy NVIDIA stock?", "risks"])
def test_a_question_that_no_passage_can_answer_takes_one_hop_and_covers_nothing(sample, question):
    events = list(execute("adaptive", question, retriever=sample))
    assert len(hops(events)) == 1
    assert all(score.score < 0.5 for score in list(of_kind(events, CoverageAssessed))[-1].scores)
    assert events[-1].stop_reason == "no_gain"
    assert events[-1].reason.endswith("The nearest passages are quoted")


@pytest.mark.parametrize("learned", [None, False])
def test_a_long_text_says_its_names_itself_and_gets_a_passage_for_each_in_one_hop(films, learned):
    things = " ".join(f"Then she read all that her old books told of {name} and put them away." for name in FILMS)
    rest = " ".join(f"word{number}" for number in range(60))
    events = list(execute("adaptive", f"{things} {rest}.", retriever=films, settings=Settings(k=5, learned=learned)))
    assert len(hops(events)) == 1
    held = list(of_kind(events, EvidenceAssembled))[-1].evidence
    assert {each.passage.title for each in held} == set(FILMS)
