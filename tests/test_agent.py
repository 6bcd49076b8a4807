"""The documented agent over the bundled corpus."""

import pytest

from adaq_core import ResearchAgent
from adaq_core.errors import InputError


def test_metadata_are_as_documented(sample):
    result = ResearchAgent(sample, None).process("self-attention vs multi-head attention")
    coverage = result.metadata["aspect_coverage"]
    assert result.metadata["mode"] == "iterative_aspect_guided"
    assert result.metadata["actual_hops"] in (1, 2, 3)
    assert coverage["enabled"] is True
    assert (coverage["total_aspects"], coverage["uncovered_count"], coverage["coverage_percentage"]) == (3, 0, 1.0)
    assert coverage["weighted_coverage"] >= 0.9
    assert [set(aspect) for aspect in coverage["aspects"]] == [
        {"aspect", "type", "importance", "coverage_score", "covered_at_hop"}
    ] * 3
    assert "[1]" in result.answer


def test_a_simple_question_stops_after_one_hop(sample):
    result = ResearchAgent(sample).process("What is Python?")
    assert (result.metadata["actual_hops"], result.metadata["stop_reason"]) == (1, "all_covered")
    assert "general-purpose programming language" in result.answer


def test_batch_mode_has_no_aspect_coverage(sample):
    result = ResearchAgent(sample, adaptive_mode=False).process("What is Python?")
    assert result.metadata["mode"] == "batch"
    assert result.metadata["aspect_coverage"] == {"enabled": False}
    assert "Python" in result.answer


def test_an_unanswerable_question_is_not_answered(sample):
    result = ResearchAgent(sample).process("What is the tram network of Basel and how did it start?")
    assert result.metadata["stop_reason"] == "no_evidence"
    assert "does not seem to hold an answer" in result.answer
    assert "which do not answer the question" in result.answer


def test_an_empty_question_is_refused(sample):
    with pytest.raises(InputError, match="empty"):
        ResearchAgent(sample).process("  ")
