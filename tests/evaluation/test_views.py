import pytest

from adaq_core.evaluation.views import (
    StopQuality,
    WinsAndLosses,
    coverage_at_hop,
    leaderboard,
    pairs,
    reliability,
    slice_of,
    slices,
    stop_quality,
    win_tie_loss,
)


@pytest.fixture
def rows(outcome):
    values = {"static": (0.0, 0.5, 1.0), "adaptive": (1.0, 0.5, 0.5)}
    kinds = ("bridge", "bridge", "comparison")
    return [
        outcome(method, f"q{i}", kind=kinds[i], measures={"Recall@5": value})
        for method, each in values.items()
        for i, value in enumerate(each)
    ]


def test_the_leaderboard_says_who_is_better_and_how_sure(rows):
    static, adaptive = leaderboard(rows, ["Recall@5"], reference="static")
    assert (static.method, static.n, static.failed) == ("static", 3, 0)
    assert adaptive.cells[0].interval.mean == pytest.approx(2 / 3)
    assert (adaptive.cells[0].difference, adaptive.cells[0].verdict) == (pytest.approx(1 / 6), "not significant")  # type: ignore[comparison-overlap]
    assert static.cells[0].verdict == ""


def test_an_empty_experiment_has_an_empty_leaderboard():
    assert leaderboard([], ["Recall@5"], reference="static") == ()


def test_pairs_hold_both_values_and_both_runs(rows):
    first = pairs(rows, x="static", y="adaptive", measure="Recall@5")[0]
    assert (first.x, first.y, first.run_x, first.run_y, first.outcome) == (
        0.0,
        1.0,
        "r-static-q0",
        "r-adaptive-q0",
        "win",
    )


def test_slices_take_the_questions_apart(rows):
    found = {(each.value, each.method): each.interval.mean for each in slices(rows, measure="Recall@5", by="kind")}
    assert found == {
        ("bridge", "static"): 0.25,
        ("bridge", "adaptive"): 0.75,
        ("comparison", "static"): 1.0,
        ("comparison", "adaptive"): 0.5,
    }


@pytest.mark.parametrize(
    ("by", "given", "value"),
    [
        ("kind", {}, "(no type)"),
        ("aspects", {"aspects": 9}, "6+"),
        ("gold", {"subtopics": 4}, "4"),
        ("words", {"question": "word " * 12}, "11–20"),
    ],
)
def test_what_a_question_is_sorted_by(outcome, by, given, value):
    assert slice_of(outcome(**given), by) == value


def test_wins_ties_and_losses_by_type(rows):
    found = win_tie_loss(rows, method="adaptive", reference="static", measure="Recall@5")
    assert found == (WinsAndLosses("bridge", 1, 1, 0), WinsAndLosses("comparison", 0, 0, 1))


def test_less_is_better_where_it_is(outcome):
    rows = [outcome("static", measures={"ms": 10.0}), outcome("adaptive", measures={"ms": 30.0})]
    assert win_tie_loss(rows, method="adaptive", reference="static", measure="ms") == (
        WinsAndLosses("(no type)", 0, 0, 1),
    )


def test_a_bin_of_the_reliability_diagram_counts_its_runs(outcome):
    said = ((0.95, True), (0.91, False), (0.1, False))
    rows = [outcome("adaptive", f"q{i}", sufficiency=s, complete=c) for i, (s, c) in enumerate(said)]
    found = reliability(rows, method="adaptive")
    assert (found.n, found.auroc, found.ece) == (3, 1.0, pytest.approx((2 * 0.43 + 0.1) / 3))  # type: ignore[comparison-overlap]
    assert (found.bins[9].n, found.bins[9].share_true) == (2, 0.5)
    assert reliability(rows, method="static") is None


def test_a_run_that_stopped_keeps_its_last_state(outcome):
    rows = [outcome("adaptive", "q1", hops=1, complete_from=1), outcome("adaptive", "q2", hops=3, complete_from=3)]
    points = coverage_at_hop(rows, method="adaptive")
    assert [(p.hop, p.running, p.n, p.recall, p.complete, p.passages_read) for p in points] == [
        (1, 2, 2, 0.75, 0.5, 3.0),
        (2, 1, 2, 0.75, 0.5, 4.5),
        (3, 1, 2, 1.0, 1.0, 6.0),
    ]
    assert coverage_at_hop(rows, method="bm25") == ()


def test_wasted_hops_are_those_after_the_evidence_was_complete(outcome):
    rows = [
        outcome("adaptive", "q1", hops=3, complete_from=1, complete=True),
        outcome("adaptive", "q2", hops=2, complete_from=2, complete=True),
        outcome("adaptive", "q3", hops=2, complete=False, stop_reason="no_gain"),
        outcome("adaptive", "q4", hops=2, complete=False, stop_reason="max_hops"),
        outcome("adaptive", "q5", hops=1),
    ]
    assert stop_quality(rows, method="adaptive") == StopQuality(
        "adaptive",
        n=4,
        complete=2,
        on_time=1,
        wasted_hops=1.0,
        incomplete=2,
        given_up=1,
        mean_hops=2.25,
    )
