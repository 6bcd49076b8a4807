"""Candidates of a question with aspects: near the question, speaking to an aspect, found by its query."""

import pytest

from adaq_core.loop.aspect_pool import AspectPool
from adaq_core.model import Finding, Passage, Subquery
from adaq_core.retrieval.index import PassageIndex

TEXTS = {
    "tea": "Tea is a drink made of leaves. Green tea is not fermented.",
    "coffee": "Coffee is a drink made of roasted beans.",
    "trains": "Trains run on rails between stations.",
    "kettle": "A kettle boils water for tea and coffee.",
}


@pytest.fixture
def index():
    return PassageIndex.build([Passage(f"{n}#0", n, n.title(), t) for n, t in TEXTS.items()], name="drinks")


def no_findings(_passage):
    return ()


def ids(ranked):
    return [r.passage.document_id for r in ranked]


def test_without_findings_the_question_decides(index):
    pool = AspectPool(index, "green tea leaves", no_findings)
    assert [hit.passage.document_id for hit in pool.ground()] == ["tea", "kettle"]
    assert ids(pool.select(5)) == ["tea", "kettle"]


def test_a_passage_that_speaks_to_an_aspect_goes_up(index):
    def kettle_speaks(passage):
        return (Finding("Boiling", passage.passage_id, "q", 0, 1, 1.0),) if passage.document_id == "kettle" else ()

    plain = AspectPool(index, "tea and coffee", no_findings)
    aware = AspectPool(index, "tea and coffee", kettle_speaks)
    for pool in (plain, aware):
        pool.ground()
    gain = {r.passage.document_id: r.score for r in aware.select(5)}["kettle"] - {
        r.passage.document_id: r.score for r in plain.select(5)
    }["kettle"]
    assert gain == pytest.approx(0.3 / 1.5)


def test_what_only_an_aspects_query_found_joins_with_its_provenance(index):
    pool = AspectPool(index, "tea", no_findings)
    pool.ground()
    pool.add(index.search("trains", top_k=3), hop=2, query=Subquery("trains", "Travel"))
    train = next(r for r in pool.select(5) if r.passage.document_id == "trains")
    assert (train.provenance.hop, train.provenance.query, train.provenance.aspect) == (2, "trains", "Travel")
    assert "found by “trains”" in train.reason


def test_scores_lie_between_nothing_and_one_and_order_the_set(index):
    def all_speak(passage):
        return (Finding("a", passage.passage_id, "q", 0, 1, 1.0),)

    pool = AspectPool(index, "tea and coffee", all_speak)
    pool.ground()
    pool.add(index.search("tea", top_k=3), hop=1, query=Subquery("tea", "a"))
    scores = [r.score for r in pool.select(9)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_a_question_that_nothing_answers_has_no_candidates(index):
    pool = AspectPool(index, "quantum chromodynamics", no_findings)
    assert pool.ground() == []
    assert pool.select(5) == []
