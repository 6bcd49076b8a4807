"""Nothing within one answer contradicts: over every question of the two bundled sets, as a user asks it."""

import pytest

from adaq_core.datasets.beir import load_set
from adaq_core.events import AnswerWritten, EvidenceAssembled, of_kind
from adaq_core.measures.answers import answer_tokens
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.stages.synthesise import UNSURE
from tests.asking import execute


@pytest.fixture(scope="module")
def answered(sample_index):
    """(question, answer, set) of every run."""
    sample = DocumentRetriever(sample_index)
    runs = []
    for question in (q.text for name in ("finance", "general") for q in load_set(name).questions):
        events = list(execute("adaptive", question, retriever=sample))
        evidence = list(of_kind(events, EvidenceAssembled))[-1].evidence
        runs.append((question, next(of_kind(events, AnswerWritten)).answer, evidence))
    return runs


def test_what_is_called_not_covered_is_not_stated(answered):
    both = [
        (question, missing.aspect)
        for question, answer, _ in answered
        if not answer.abstained
        for missing in answer.not_covered
        if missing.aspect in {statement.aspect for statement in answer.statements} and missing.reason != UNSURE
    ]
    assert both == []


def test_an_answer_in_part_says_which_part_is_missing(answered):
    assert [question for question, answer, _ in answered if answer.status == "partly" and not answer.not_covered] == []


def test_a_short_answer_stands_in_what_it_cites_or_says_how_it_was_worked_out(answered):
    for question, answer, _ in answered:
        if answer.short is None or answer.short.derivation or answer.short.kind == "yes_no":
            continue
        quotes = " ".join(c.quote for c in answer.citations if c.n in answer.short.citations)
        assert set(answer_tokens(answer.short.text)) <= set(answer_tokens(quotes)), question


def test_an_answer_that_states_something_short_declines_nothing(answered):
    assert [q for q, answer, _ in answered if answer.short is not None and answer.not_covered] == []


def test_every_passage_of_the_set_is_used_or_the_answer_says_why_not(answered):
    for question, answer, evidence in answered:
        if answer.abstained or not evidence:
            continue
        used = {citation.passage_id for citation in answer.citations}
        told = {passage.passage_id for passage in answer.unused}
        assert used | told >= {each.passage.passage_id for each in evidence}, question
        assert not used & told, question
