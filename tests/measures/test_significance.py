import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.measures.calibration import (
    Interval,
    holm,
    mean_interval,
    paired_difference,
    randomisation_p,
    resample_weights,
    verdict,
)


def test_missing_values_are_left_out_and_counted():
    interval = mean_interval([1.0, None, 0.0, None])
    assert (interval.mean, interval.n) == (0.5, 2)
    assert mean_interval([None]) == Interval(None, None, None, 0)
    assert mean_interval([]) == Interval(None, None, None, 0)


def test_the_interval_is_near_the_normal_one():
    values = [0.0] * 300 + [1.0] * 700
    interval = mean_interval(values, seed=3)
    half = 1.96 * (0.7 * 0.3 / 1000) ** 0.5
    assert interval.ci_low == pytest.approx(0.7 - half, abs=0.004)
    assert interval.ci_high == pytest.approx(0.7 + half, abs=0.004)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    values = list(np.random.default_rng(0).random(50))
    assert mean_interval(values, seed=1) == mean_interval(values, seed=1)
    assert mean_interval(values, seed=1) != mean_interval(values, seed=2)


def test_every_resample_draws_as_many_questions_as_there_are():
    assert set(resample_weights(7, seed=0, resamples=20).sum(axis=1)) == {7.0}


def test_few_pairs_are_counted_exactly():
    # three gains of one kind: of the 8 sign patterns, 2 are as extreme
    assert randomisation_p(np.array([0.2, 0.2, 0.2])) == pytest.approx(2 / 8)
    assert randomisation_p(np.array([0.0, 0.0])) == 1.0
    assert randomisation_p(np.array([])) is None


def test_many_pairs_give_the_p_of_scipy():
    from scipy.stats import permutation_test

    differences = np.random.default_rng(5).normal(0.15, 1.0, size=80)
    other = permutation_test(
        (differences, np.zeros(80)),
        lambda a, b: (a - b).mean(),
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert randomisation_p(differences, seed=2) == pytest.approx(other.pvalue, abs=0.015)


def test_a_clear_difference_is_found_and_its_sign_kept():
    better = paired_difference([1.0] * 40 + [0.0] * 10, [0.0] * 40 + [0.0] * 10)
    assert (better.mean, better.wins, better.ties, better.losses, better.n) == (0.8, 40, 10, 0, 50)
    assert better.p < 0.001
    assert better.ci_low > 0.6


def test_only_questions_that_both_have_are_compared():
    difference = paired_difference([1.0, None, 1.0], [0.0, 0.0, None])
    assert (difference.n, difference.mean) == (1, 1.0)


def test_holm_worked_by_hand():
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": None}) == pytest.approx(
        {"a": 0.03, "b": 0.06, "c": 0.06, "d": None}
    )


@given(st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), min_size=1))
def test_holm_only_raises_and_keeps_the_order(p_values):
    corrected = holm(p_values)
    assert all(p_values[name] <= corrected[name] <= 1.0 for name in p_values)
    in_order = sorted(p_values, key=p_values.get)
    assert [corrected[name] for name in in_order] == sorted(corrected.values())


def test_the_verdict_says_not_significant():
    assert verdict(0.1, 0.2) == "not significant"
    assert verdict(0.1, 0.01) == "better"
    assert verdict(0.1, 0.01, higher_is_better=False) == "worse"
    assert verdict(None, None) == "not computed"
