"""The documented planner: coverage, stopping, subqueries."""

import pytest

from adaq_core import AspectCoverage, QueryAspect, QueryPlanner
from adaq_core.errors import InputError
from adaq_core.stages.stop_policy import Standing


def coverage(*scores, importance=1.0):
    names = [f"a{i}" for i in range(len(scores))]
    made = AspectCoverage([QueryAspect(name, "definition", importance) for name in names])
    made.coverage_scores.update(dict(zip(names, scores, strict=True)))
    return made


def test_aspects_come_as_a_coverage_in_which_nothing_is_covered():
    made = QueryPlanner().extract_aspects("self-attention vs multi-head attention", None)
    assert isinstance(made, AspectCoverage)
    assert [a.aspect_type for a in made.aspects] == ["definition", "definition", "comparison"]
    assert made.get_coverage_percentage() == 0.0
    assert made.get_uncovered_aspects() == made.aspects


def test_without_aspect_coverage_there_are_no_aspects():
    assert QueryPlanner(enable_aspect_coverage=False).extract_aspects("What is Python?").aspects == []


def test_subqueries_come_with_their_aspect_core_first():
    aspects = [QueryAspect("Applications of X", "application", 0.6), QueryAspect("Definition of X", "definition", 1.0)]
    pairs = QueryPlanner().generate_subqueries_for_aspects("X?", aspects, max_subqueries=1)
    assert pairs == [("What is X?", "Definition of X")]
    assert len(QueryPlanner().generate_subqueries_for_aspects("X?", aspects)) == 2


def test_documents_in_any_documented_form_raise_coverage():
    planner = QueryPlanner()
    made = planner.extract_aspects("What is Python?")
    document = {"title": "Python", "content": "Python is a programming language.", "relevance_score": 0.9}
    assert planner.update_aspect_coverage(made, [document], 2) is made
    assert made.is_aspect_covered("Definition of Python")
    assert made.covered_by_hop == {"Definition of Python": 2}


def test_coverage_never_falls_and_keeps_its_first_hop():
    planner = QueryPlanner()
    made = planner.extract_aspects("What is Python?")
    planner.update_aspect_coverage(made, [{"title": "Python", "content": "Python is a language."}], 1)
    before = made.coverage_scores["Definition of Python"]
    planner.update_aspect_coverage(made, [{"title": "Rain", "content": "It rains."}], 2)
    planner.update_aspect_coverage(made, [{"title": "Python", "content": "Python is a programming language."}], 3)
    assert made.coverage_scores["Definition of Python"] >= before
    assert made.covered_by_hop == {"Definition of Python": 1}


def test_an_off_topic_document_covers_nothing():
    planner = QueryPlanner()
    made = planner.extract_aspects("What is Python?")
    planner.update_aspect_coverage(made, [{"title": "Rain", "content": "It rains in the language of clouds."}], 1)
    assert made.coverage_scores["Definition of Python"] == 0.0


def test_what_is_no_document_is_refused_in_words():
    with pytest.raises(InputError, match="expected a Passage"):
        QueryPlanner().update_aspect_coverage(coverage(0.0), [42], 1)


@pytest.mark.parametrize(
    ("made", "hop", "expected", "word"),
    [
        (coverage(0.1, 0.2), 10, False, "maximum of 10 hops"),
        (coverage(0.9, 0.9), 1, False, "Both aspects covered"),
        (coverage(0.9, 0.2), 1, True, "Core aspects still uncovered"),
        (coverage(0.9, 0.2), 3, True, "Core aspects still uncovered"),
    ],
)
def test_stopping_follows_the_tiers(made, hop, expected, word):
    go_on, why = QueryPlanner().should_continue_retrieval(retrieved_docs=[], current_hop=hop, aspect_coverage=made)
    assert (go_on, word in why) == (expected, True)


def test_open_optional_aspects_let_a_covered_core_stop_from_min_hops_on():
    made = coverage(0.95, 0.95)
    made.aspects.append(QueryAspect("extra", "application", 0.4))
    planner = QueryPlanner()
    assert planner.should_continue_retrieval([], 2, aspect_coverage=made)[0]
    go_on, why = planner.should_continue_retrieval([], 3, aspect_coverage=made)
    assert not go_on
    assert why.startswith("All core aspects covered (weighted coverage: 79.2%)")


def test_barely_covered_core_is_not_enough_while_optional_aspects_are_open():
    made = coverage(0.5, 0.5)
    made.aspects.append(QueryAspect("extra", "application", 0.4))
    assert QueryPlanner().should_continue_retrieval([], 5, aspect_coverage=made)[0]


def test_the_coverage_threshold_is_the_callers():
    made = coverage(0.6)
    assert not QueryPlanner().should_continue_retrieval([], 1, aspect_coverage=made)[0]
    assert QueryPlanner().should_continue_retrieval([], 1, aspect_coverage=made, coverage_threshold=0.7)[0]


def test_without_coverage_the_quality_of_documents_decides():
    planner = QueryPlanner(min_hops=2, enable_aspect_coverage=False)
    good = [{"content": "x", "score": 0.9}] * 3
    assert planner.should_continue_retrieval(good, 1)[0]
    assert not planner.should_continue_retrieval(good, 2)[0]
    assert planner.should_continue_retrieval([{"content": "x", "score": 0.1}] * 3, 2)[0]


def test_no_gain_stops_only_after_every_open_core_aspect_was_tried():
    planner, made = QueryPlanner(), coverage(0.9, 0.1)
    waiting = planner.policy.decide(made, 4, Standing(gains=[0.3, 0.0, 0.0], untried=["a1"]))
    tried = planner.policy.decide(made, 4, Standing(gains=[0.3, 0.0, 0.0]))
    assert not waiting.stop
    assert tried.stop_reason == "no_gain"


def test_nothing_found_at_all_is_no_evidence():
    decision = QueryPlanner().policy.decide(coverage(0.0), 4, Standing(gains=[0.0, 0.0]))
    assert decision.stop_reason == "no_evidence"


def test_a_limit_goes_before_everything():
    decision = QueryPlanner().policy.decide(coverage(0.9), 1, Standing(limit="budget_time"))
    assert (decision.stop_reason, decision.reason) == ("budget_time", "The time budget is used up")


def test_impossible_hops_are_refused():
    with pytest.raises(ValueError, match="min_hops=5, max_hops=2"):
        QueryPlanner(min_hops=5, max_hops=2)


def test_percentage_and_weighted_coverage():
    made = AspectCoverage([QueryAspect("core", "definition", 1.0), QueryAspect("extra", "definition", 0.5)])
    made.coverage_scores.update(core=0.9, extra=0.3)
    assert made.get_coverage_percentage() == 0.5
    assert made.get_weighted_coverage() == pytest.approx((0.9 + 0.15) / 1.5)
    assert AspectCoverage([]).get_coverage_percentage() == 1.0
