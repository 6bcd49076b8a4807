"""Coverage is a function of the set that is held."""

from dataclasses import replace

import pytest

from adaq_core.datasets.beir import load_set
from adaq_core.events import CoverageAssessed, EvidenceAssembled, FindingsRead, of_kind
from adaq_core.model import AspectCoverage, Finding, QueryAspect
from adaq_core.stages.critique import critique, critique_set, of_sides

ASPECTS = [QueryAspect("a", "facet"), QueryAspect("b", "facet")]
HALF = 0.5


def found(aspect, passage, score):
    return Finding(aspect, passage, "said", 0, 4, score)


def scores_of(findings, held, coverage=None):
    scores, newly = critique_set(coverage or AspectCoverage(ASPECTS), findings, held, hop=1, threshold=HALF)
    return {score.aspect: score.score for score in scores}, newly


def test_only_what_the_set_holds_covers():
    findings = [found("a", "p1", 0.9), found("a", "p2", 0.4), found("b", "p3", 0.8)]
    assert scores_of(findings, {"p1", "p2"}) == ({"a": 0.9, "b": 0.0}, ("a",))
    assert scores_of(findings, {"p2", "p3"}) == ({"a": 0.4, "b": 0.8}, ("b",))


def test_a_passage_that_leaves_the_set_no_longer_covers_and_the_first_hop_stays_known():
    coverage, findings = AspectCoverage(ASPECTS), [found("a", "p1", 0.9)]
    critique_set(coverage, findings, {"p1"}, hop=1, threshold=HALF)
    _, newly = critique_set(coverage, findings, {"p2"}, hop=2, threshold=HALF)
    assert (coverage.score("a"), coverage.covered_by_hop, newly) == (0.0, {"a": 1}, ())
    _, newly = critique_set(coverage, findings, {"p1"}, hop=3, threshold=HALF)
    assert (coverage.score("a"), coverage.covered_by_hop, newly) == (0.9, {"a": 1}, ())


def test_what_was_read_before_still_raises_the_documented_coverage_only():
    coverage = AspectCoverage(ASPECTS)
    critique(coverage, [found("a", "p1", 0.9)], hop=1, threshold=HALF)
    critique(coverage, [found("a", "p2", 0.2)], hop=2, threshold=HALF)
    assert coverage.score("a") == 0.9


def test_copies_of_a_passage_raise_nothing():
    one, three = [found("a", "p1", 0.6)], [found("a", name, 0.6) for name in ("p1", "p2", "p3")]
    assert scores_of(one, {"p1"}) == scores_of(three, {"p1", "p2", "p3"})


@pytest.fixture(scope="module")
def runs(run_of):
    questions = [each.text for name in ("finance", "general") for each in load_set(name).questions[:20]]
    return [run_of("adaptive", text) for text in questions]


def test_without_the_passage_that_covers_an_aspect_its_coverage_is_lower_nine_times_in_ten(runs):
    lower = []
    for events in runs:
        findings = [finding for event in of_kind(events, FindingsRead) for finding in event.findings]
        held = {each.passage.passage_id for each in list(of_kind(events, EvidenceAssembled))[-1].evidence}
        last = list(of_kind(events, CoverageAssessed))[-1]
        for score in last.scores:
            if score.finding and score.score >= HALF:
                rest = held - {score.finding.passage_id}
                left = [f.score for f in findings if f.aspect == score.aspect and f.passage_id in rest]
                lower.append(max(left, default=0.0) < score.score)
    assert len(lower) > 50
    assert sum(lower) >= 0.9 * len(lower)


def test_sufficiency_never_falls_while_the_set_only_gains(runs):
    for events in runs:
        sets = [{r.passage.passage_id for r in event.evidence} for event in of_kind(events, EvidenceAssembled)]
        said = [event.sufficiency for event in of_kind(events, CoverageAssessed)]
        for n in range(1, len(sets)):
            assert said[n] >= said[n - 1] or not sets[n - 1] <= sets[n]


SIDES = (QueryAspect("Risks of Acme", "facet", span=(0, 30)), QueryAspect("Risks of Bolt", "facet", span=(0, 30)))
WHOLE = QueryAspect("Comparison between risks of Acme and Bolt", "comparison", span=(0, 30))


def told(aspect: QueryAspect, score: float) -> Finding:
    return Finding(aspect.aspect, "a#0", "Acme was sued.", 0, 14, score)


def test_facets_that_are_all_covered_cover_the_comparison_of_them():
    both = [told(SIDES[0], 0.9), told(SIDES[1], 0.7)]
    assert [(made.aspect, made.score) for made in of_sides((*SIDES, WHOLE), both)] == [(WHOLE.aspect, 0.7)]


def test_one_side_and_definitions_compare_nothing():
    defined = tuple(replace(side, aspect_type="definition") for side in SIDES)
    assert list(of_sides((*SIDES, WHOLE), [told(SIDES[0], 0.9)])) == []
    assert list(of_sides((*defined, WHOLE), [told(side, 0.9) for side in defined])) == []
