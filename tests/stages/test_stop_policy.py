"""One policy says when runs stop and why, for every method."""

import pytest

from adaq_core import methods
from adaq_core.events import Decided, of_kind
from adaq_core.model import AspectCoverage, Budget, QueryAspect
from adaq_core.stages.stop_policy import Standing, StopPolicy
from tests.asking import execute


def coverage(*scores):
    made = AspectCoverage([QueryAspect(f"a{n}", "entity", importance=1.0) for n in range(len(scores))])
    made.coverage_scores = {aspect.aspect: score for aspect, score in zip(made.aspects, scores, strict=True)}
    return made


@pytest.mark.parametrize("method", methods.names())
def test_a_cancelled_run_says_who_stopped_it_in_every_method(sample, method):
    events = list(execute(method, "Top risks facing Tesla in 2025", retriever=sample, cancelled=lambda: True))
    assert (events[-1].stop_reason, events[-1].reason) == ("user_stop", "Stopped by the user")


@pytest.mark.parametrize("method", methods.names())
def test_a_used_up_budget_is_named_in_every_method(sample, method):
    events = list(execute(method, "What is Python?", retriever=sample, budget=Budget(max_seconds=0.0)))
    assert (events[-1].stop_reason, events[-1].reason) == ("budget_time", "The time budget is used up")


def test_one_hop_is_enough_where_all_is_covered_and_says_so():
    decision = StopPolicy().decide(coverage(0.9), 1)
    assert (decision.stop_reason, decision.reason) == (
        "all_covered",
        "The one aspect is covered by the first search, and no name in its passages leads to more "
        "(weighted coverage: 90.0%)",
    )


def test_a_name_that_leads_on_is_followed_though_all_is_covered():
    decision = StopPolicy().decide(coverage(0.9), 1, Standing(doubt="“A” names “B”"))
    assert (decision.stop, decision.reason) == (False, "“A” names “B”")


def test_nothing_left_to_try_stops_below_the_minimum_of_hops():
    decision = StopPolicy().decide(coverage(0.9, 0.1), 1, Standing(exhausted=True))
    assert (decision.stop, decision.stop_reason) == (True, "no_gain")
    assert "no further query finds anything new" in decision.reason


def test_max_hops_goes_before_a_name_that_leads_on():
    assert StopPolicy(max_hops=3).decide(coverage(0.9, 0.1), 3, Standing(doubt="why")).stop_reason == "max_hops"


def test_the_reason_of_the_last_decision_is_the_reason_of_the_run(sample):
    events = list(execute("adaptive", "What is Python?", retriever=sample))
    assert list(of_kind(events, Decided))[-1].decision.reason == events[-1].reason


def test_a_condition_that_nobody_could_check_keeps_the_run_from_calling_itself_complete():
    decision = StopPolicy().decide(coverage(0.9), 1, Standing(unchecked={"a0": ("outside Europe",)}))
    assert decision.stop_reason == "core_covered"
    assert decision.reason.endswith("but “outside Europe” could not be checked for “a0”")
