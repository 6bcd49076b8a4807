import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.measures.calibration import (
    Bin,
    auroc,
    ece,
    reliability_bins,
    risk_coverage,
    share_at_precision,
    weighted_auroc,
    weighted_ece,
)


def test_auroc_worked_by_hand():
    # pairs (true, false): .9>.8 .9>.1 .4<.8 .4>.1: 3 of 4
    assert auroc([0.9, 0.4, 0.8, 0.1], [True, True, False, False]) == 0.75


def test_ties_count_half():
    assert auroc([0.5, 0.5], [True, False]) == 0.5


def test_auroc_needs_both_outcomes():
    assert auroc([0.1, 0.9], [True, True]) is None
    assert auroc([], []) is None


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2).filter(lambda x: len({o for _, o in x}) == 2))
def test_auroc_is_that_of_scikit_learn(cases):
    from sklearn.metrics import roc_auc_score

    scores, outcomes = [score / 5 for score, _ in cases], [outcome for _, outcome in cases]
    assert auroc(scores, outcomes) == pytest.approx(roc_auc_score(outcomes, scores))


def test_a_resample_is_the_same_as_repeating_the_cases():
    scores, outcomes = np.array([0.2, 0.7, 0.6, 0.9]), np.array([False, True, False, True])
    weights = np.array([[2.0, 1.0, 0.0, 1.0], [0.0, 2.0, 0.0, 2.0]])
    values = weighted_auroc(scores, outcomes, weights)
    assert values[0] == auroc([0.2, 0.2, 0.7, 0.9], [False, False, True, True])
    assert np.isnan(values[1])


def test_ece_worked_by_hand():
    # bin .9: said .95 and .9, came 1 and 0: gap .425 x 2; bin .1: said .1, came 0: gap .1 x 1
    assert ece([0.95, 0.9, 0.1], [True, False, False]) == pytest.approx((2 * 0.425 + 0.1) / 3)


def test_a_certain_and_right_estimate_has_no_error():
    assert ece([1.0, 0.0], [True, False]) == 0.0


def test_ece_of_a_resample_is_that_of_the_repeated_cases():
    values = weighted_ece(np.array([0.95, 0.9, 0.1]), np.array([True, False, False]), np.array([[1.0, 2.0, 0.0]]))
    assert values[0] == pytest.approx(ece([0.95, 0.9, 0.9], [True, False, False]))


def test_bins_hold_counts_means_and_shares():
    assert reliability_bins([0.1, 0.3, 1.0], [False, True, True], bins=2) == (
        Bin(0.0, 0.5, 2, pytest.approx(0.2), 0.5),  # type: ignore[arg-type]
        Bin(0.5, 1.0, 1, 1.0, 1.0),
    )
    assert reliability_bins([], [], bins=1) == (Bin(0.0, 1.0, 0, None, None),)


def test_an_estimate_that_is_no_probability_is_refused():
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]"):
        ece([1.2], [True])


def test_nothing_to_measure_is_none():
    assert ece([], []) is None


def test_risk_coverage_takes_the_surest_first_and_ties_together():
    points = risk_coverage([0.9, 0.5, 0.5, 0.1], [True, False, True, True])
    assert points == ((0.25, 1.0), (0.75, pytest.approx(2 / 3)), (1.0, 0.75))  # type: ignore[comparison-overlap]


def test_the_share_that_may_be_called_true_is_the_largest_at_that_precision():
    scores, came = [0.9, 0.8, 0.7, 0.6], [True, True, False, True]
    assert share_at_precision(scores, came, precision=0.95) == 0.5
    assert share_at_precision(scores, came, precision=0.75) == 1.0
    assert share_at_precision([0.9, 0.1], [False, True], precision=0.95) == 0.0
    assert share_at_precision([], [], precision=0.95) is None
