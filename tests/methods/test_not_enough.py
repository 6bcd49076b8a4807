"""A run that ends without enough evidence says so and presents nothing as an answer."""

import pytest

from adaq_core import events as e
from adaq_core.model import Passage, QueryAspect, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from tests.asking import execute

PAPERS = ("The Times", "Wired", "Fortune", "Polygon", "Engadget")
NEWS = {
    "Helsinki trams": "Helsinki opened a new tram line to the island of Laajasalo. The line cost 260 million euros.",
    "Oslo buses": "Oslo replaced its last diesel buses with electric buses. The mayor of Oslo praised the drivers.",
    "Turku ferry": "Turku runs a small ferry called Föri over the river Aura. The ferry is free of charge.",
    "Tallinn tickets": "Tallinn made public transport free for its residents. Visitors still buy tickets.",
    "Riga bridge": "Riga closed a bridge for repairs. Trams of Riga take another route until May.",
    "Vilnius bikes": "Vilnius bought three hundred bikes. Residents of Vilnius rent bikes by the hour.",
}


@pytest.fixture(scope="module")
def news():
    passages = [
        Passage(f"{n}#0", str(n), title, text, source=PAPERS[n % 5], date=f"2024-03-0{n + 1}")
        for n, (title, text) in enumerate(NEWS.items())
    ]
    return DocumentRetriever(PassageIndex.build(passages, name="news"))


def told(question, retriever):
    events = list(execute("adaptive", question, retriever=retriever, settings=Settings(learned=False)))
    return events, next(e.of_kind(events, e.AnswerWritten)).answer


ABSENT = "What did Reuters report about Petra Novakovic, who opened a new tram line to the island of Laajasalo?"


def test_what_the_corpus_cannot_answer_ends_in_no_evidence_and_says_what_is_missing(news):
    events, answer = told(ABSENT, news)
    assert events[-1].stop_reason == "no_evidence"
    assert events[-1].reason == (
        "The corpus does not seem to hold an answer: the corpus has nothing from “Reuters”; "
        "no passage of the corpus names “Petra Novakovic”"
    )
    assert answer.abstained
    assert answer.text.startswith("**Not enough evidence for an answer**\n\n" + events[-1].reason)
    assert "which do not answer the question**\n\n- Helsinki opened a new tram line" in answer.text
    assert [citation.document_id for citation in answer.citations] == ["0"]


def test_what_the_corpus_answers_is_answered(news):
    events, answer = told("According to The Times, how much did the new tram line in Helsinki cost?", news)
    assert events[-1].stop_reason != "no_evidence"
    assert not answer.abstained
    assert "260 million euros" in answer.text


def test_every_hop_of_every_question_has_both_estimates(news, sample):
    for question, retriever in (
        (ABSENT, news),
        ("How do the trams of Riga run?", news),
        ("What is Python?", sample),
        ("Top risks facing Tesla in 2025", sample),
    ):
        assessed = list(e.of_kind(told(question, retriever)[0], e.CoverageAssessed))
        assert all(0 < each.sufficiency < 1 and 0 < each.answerable < 1 for each in assessed)


def test_where_an_answer_is_likely_open_aspects_do_not_silence_the_evidence(sample):
    """No passage speaks to the aspect that the user gave; the question itself has an answer here."""
    aspects = (QueryAspect("Stripes of the zebra", "entity", keywords=("stripes", "zebra")),)
    question = "How does CRAG correct poor retrieval?"
    events = list(execute("adaptive", question, retriever=sample, settings=Settings(learned=False), aspects=aspects))
    answer = next(e.of_kind(events, e.AnswerWritten)).answer
    last = list(e.of_kind(events, e.CoverageAssessed))[-1]
    assert (last.answerable > 0.5, last.percentage) == (True, 0.0)
    assert events[-1].stop_reason == "no_gain"
    assert not answer.abstained
    assert answer.text.startswith("**Not certain**")
    assert "CRAG" in answer.citations[0].quote
    assert (answer.status, answer.short) == ("partly", None)


def test_a_question_in_other_words_is_answered_with_what_was_found_and_not_with_nothing(sample):
    """Nothing it names is missing, so that what stands closest is quoted, though no aspect is covered for certain."""
    events = list(
        execute("adaptive", "since which year has NIST been running that yearly search contest?", retriever=sample)
    )
    answer = next(e.of_kind(events, e.AnswerWritten)).answer
    assert (answer.abstained, answer.status) == (False, "partly")
    assert answer.text.startswith("**Not certain**")
    assert "1992" in answer.text
