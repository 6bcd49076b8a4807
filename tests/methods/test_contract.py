"""What every method owes, found by its file."""

import re

import pytest

from adaq_core import events as e
from adaq_core import methods
from adaq_core.model import Settings
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles
from tests.asking import STAGES_OF_A_HOP, execute, stages_of

QUESTIONS = ("Top risks facing Tesla in 2025", "What is Python?", "Who won the chess match on Mars?")


@pytest.fixture(params=[(m, q) for m in methods.names() for q in QUESTIONS], ids=lambda p: f"{p[0]}: {p[1][:14]}")
def stream(request, sample):
    method, question = request.param
    return list(execute(method, question, retriever=sample, settings=Settings(k=4)))


def kinds(stream, kind):
    return [event for event in stream if isinstance(event, kind)]


def test_it_starts_plans_decides_answers_and_ends_once(stream):
    assert isinstance(stream[0], e.RunStarted)
    assert isinstance(stream[-1], e.RunFinished)
    assert len(kinds(stream, e.AspectsPlanned)) == len(kinds(stream, e.AnswerWritten)) == 1
    assert len(kinds(stream, e.RunFinished | e.RunFailed)) == 1


def test_its_aspects_are_those_of_the_shared_planner(stream):
    question = stream[0].question
    expected = [a.aspect for a in plan(question, profiles=profiles()).aspects]
    assert [a.aspect for a in kinds(stream, e.AspectsPlanned)[0].aspects] == expected


def test_every_hop_has_its_stages_in_order(stream):
    """A hop searches, judges once or (before it stops) twice, and decides."""
    for hop in range(1, len(kinds(stream, e.HopStarted)) + 1):
        assert re.fullmatch(STAGES_OF_A_HOP, stages_of(stream, hop)), stages_of(stream, hop)


def test_the_evidence_is_at_most_k_and_heads_the_ranking(stream):
    for event in kinds(stream, e.EvidenceAssembled):
        ids = [r.passage.passage_id for r in event.evidence]
        assert len(ids) <= 4
        assert len(set(event.ranking)) == len(event.ranking)
        assert set(ids) <= set(event.ranking)


def test_only_the_last_decision_stops(stream):
    decisions = [event.decision for event in kinds(stream, e.Decided)]
    assert [d.stop for d in decisions] == [False] * (len(decisions) - 1) + [True]
    assert all((d.stop_reason is not None) == d.stop for d in decisions)
    assert (stream[-1].stop_reason, stream[-1].reason) == (decisions[-1].stop_reason, decisions[-1].reason)


def test_coverage_is_what_the_passages_of_the_set_say_and_nothing_else(stream):
    found, sets = [], kinds(stream, e.EvidenceAssembled)
    reads, assessments = kinds(stream, e.FindingsRead), kinds(stream, e.CoverageAssessed)
    for read, assessed, kept in zip(reads, assessments, sets, strict=True):
        found += read.findings
        held = {each.passage.passage_id for each in kept.evidence}
        for score in assessed.scores:
            mine = [f.score for f in found if f.aspect == score.aspect and f.passage_id in held]
            assert score.score == max(mine, default=0.0)


def test_an_unanswerable_question_is_not_answered(stream):
    if "Mars" in stream[0].question:
        answer = kinds(stream, e.AnswerWritten)[0].answer
        assert answer.abstained
        assert not answer.citations or "which do not answer the question" in answer.text


def test_each_method_says_what_it_is_and_names_its_source():
    for name in methods.names():
        doc = methods.method(name).__globals__["__doc__"]
        assert methods.describe(name).endswith(".")
        assert any(word in doc for word in ("20", "project's own")), name


def test_seal_rag_seeks_names_and_not_the_word_that_opens_an_order(sample):
    for question in ("Top risks facing Tesla in 2025", "Compare Tesla and Apple"):
        stream = list(execute("seal_rag", question, retriever=sample))
        sought = [query.why for hop in kinds(stream, e.HopStarted)[1:] for query in hop.queries]
        assert sought
        assert not [name for name in sought if name.split()[0] in ("Top", "Compare")]
