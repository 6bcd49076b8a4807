import pytest

from adaq_core.measures.calibration import cohens_kappa


def test_value_worked_by_hand():
    # 3 of 4 agree; by chance: (2/4 * 1/4) + (2/4 * 3/4) = 1/2
    assert cohens_kappa("aabb", "abbb") == pytest.approx((0.75 - 0.5) / 0.5)


def test_the_same_as_scikit_learn():
    from sklearn.metrics import cohen_kappa_score

    first, second = [0, 1, 2, 3, 4, 5, 5, 3, 2, 1], [0, 1, 3, 3, 4, 4, 5, 2, 2, 0]
    assert cohens_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second))


def test_what_cannot_be_told_is_none():
    assert cohens_kappa([], []) is None
    assert cohens_kappa([5, 5], [5, 5]) is None


def test_judges_must_grade_the_same_items():
    with pytest.raises(ValueError, match="same items"):
        cohens_kappa([1], [1, 2])
