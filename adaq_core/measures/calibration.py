"""Calibration of estimates (AUROC, ECE, precision at a share), and intervals and tests for differences of methods.

AUROC, ECE and reliability bins; bootstrap intervals and permutation tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 10
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bin:
    """Estimates in [low, high): how many, their mean, and the share that came true; None when the bin is empty."""

    low: float
    high: float
    n: int
    mean_estimate: float | None
    share_true: float | None


def auroc(scores: Sequence[float], outcomes: Sequence[bool]) -> float | None:
    """Probability that a true case scores higher than a false one, ties half; None unless both occur.

    The Mann-Whitney U statistic over the product of the counts (Hanley and McNeil, 1982).
    """
    once_each = np.ones((1, len(scores)))
    value = weighted_auroc(np.asarray(scores, float), np.asarray(outcomes, bool), once_each)[0]
    return None if np.isnan(value) else float(value)


def weighted_auroc(scores: Floats, outcomes: NDArray[np.bool_], weights: Floats) -> Floats:
    """AUROC for each row of `weights` (rows: resamples, columns: cases); NaN where one class has no weight."""
    _, level = np.unique(scores, return_inverse=True)
    if len(scores):
        levels = int(level.max()) + 1
    else:
        levels = 0
    member = np.zeros((len(scores), levels))
    member[np.arange(len(scores)), level] = 1.0
    true = (weights * outcomes) @ member
    false = (weights * ~outcomes) @ member
    below = np.cumsum(false, axis=1) - false
    pairs = true.sum(axis=1) * false.sum(axis=1)
    won: Floats = (true * (below + false / 2)).sum(axis=1)
    return share(won, pairs)


def risk_coverage(
    scores: Sequence[float] | Floats, outcomes: Sequence[bool] | NDArray[np.bool_]
) -> tuple[tuple[float, float], ...]:
    """(share of cases, share of them that came true), the surest first; cases with one score come together.

    The risk-coverage curve of selective prediction (El-Yaniv and Wiener, 2010), with precision in place of risk.
    """
    order = np.argsort(-np.asarray(scores, float), kind="stable")
    ranked = np.asarray(scores, float)[order]
    came = np.asarray(outcomes, float)[order]
    size = len(ranked)
    ends = [at for at in range(1, size) if ranked[at] != ranked[at - 1]]
    ends += [size] if size else []
    true = np.cumsum(came)
    return tuple((at / size, float(true[at - 1]) / at) for at in ends)


def share_at_precision(
    scores: Sequence[float] | Floats, outcomes: Sequence[bool] | NDArray[np.bool_], *, precision: float
) -> float | None:
    """The largest share of cases, surest first, of which at least `precision` came true; None without a case.

    The threshold is chosen with the outcomes: an upper bound of what a threshold fixed beforehand can reach.
    """
    if not len(scores):
        return None
    return max((share for share, true in risk_coverage(scores, outcomes) if true >= precision), default=0.0)


def reliability_bins(estimates: Sequence[float], outcomes: Sequence[bool], *, bins: int = BINS) -> tuple[Bin, ...]:
    """Bins of equal width over [0, 1]; 1.0 falls into the last."""
    place = bin_of(np.asarray(estimates, float), bins=bins)
    stated = np.asarray(estimates, float)
    came = np.asarray(outcomes, float)
    members = [place == number for number in range(bins)]
    return tuple(_bin(number, bins, stated[own], came[own]) for number, own in enumerate(members))


def ece(estimates: Sequence[float], outcomes: Sequence[bool]) -> float | None:
    """Expected calibration error: |share true - mean estimate| weighted by bin size (Guo et al., 2017)."""
    if not len(estimates):
        return None
    weights = np.ones((1, len(estimates)))
    return float(weighted_ece(np.asarray(estimates, float), np.asarray(outcomes, bool), weights)[0])


def weighted_ece(estimates: Floats, outcomes: NDArray[np.bool_], weights: Floats) -> Floats:
    """ECE for each row of `weights`; NaN where a row weighs nothing."""
    member = np.zeros((len(estimates), BINS))
    member[np.arange(len(estimates)), bin_of(estimates)] = 1.0
    gap = np.abs((weights * (outcomes - estimates)) @ member).sum(axis=1)
    return share(gap, weights.sum(axis=1))


def share(part: Floats, whole: Floats) -> Floats:
    """Element by element; NaN where the whole is 0."""
    result: Floats = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return result


def bin_of(estimates: Floats, *, bins: int = BINS) -> NDArray[np.intp]:
    """The number of the bin of each estimate; an estimate outside [0, 1] is an error of whoever made it."""
    if len(estimates) and not (estimates.min() >= 0.0 and estimates.max() <= 1.0):
        raise ValueError(f"estimates must lie in [0, 1], not in [{estimates.min()}, {estimates.max()}]")
    return np.minimum((estimates * bins).astype(np.intp), bins - 1)


def _bin(number: int, bins: int, stated: Floats, came: Floats) -> Bin:
    low, high = number / bins, (number + 1) / bins
    if not len(stated):
        return Bin(low, high, 0, None, None)
    return Bin(low, high, len(stated), float(stated.mean()), float(came.mean()))


def cohens_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Cohen's kappa (Cohen, 1960) of two judges over the same items, in [-1, 1].

    None without items, and when both gave one and the same grade to all: chance alone explains that.
    """
    if len(first) != len(second):
        raise ValueError(f"two judges must grade the same items, not {len(first)} and {len(second)}")
    n = len(first)
    if not n:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    left, right = Counter(first), Counter(second)
    by_chance = sum(left[grade] * right[grade] for grade in left) / n**2
    return None if by_chance == 1.0 else (observed - by_chance) / (1.0 - by_chance)


RESAMPLES = 2_000
PERMUTATIONS = 10_000
EXACT_UP_TO = 12
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % interval and the number of questions it rests on; nothing but that n where it is 0."""

    mean: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    n: int = 0


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Method minus reference over the questions that both have: mean, interval, p-value, wins, ties and losses."""

    mean: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    n: int
    wins: int
    ties: int
    losses: int


def resample_weights(n: int, *, seed: int, resamples: int = RESAMPLES) -> Floats:
    """How often each of `n` questions is drawn in each resample: rows sum to n."""
    if not n:
        return np.zeros((resamples, 0))
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1.0 / n), size=resamples)
    return drawn.astype(float)


def random_signs(n: int, *, seed: int) -> NDArray[np.float32]:
    """+1 or -1 for each of `n` questions (columns) in each permutation (rows), to be shared by many tests."""
    signs = np.random.default_rng(seed).integers(0, 2, size=(PERMUTATIONS, n), dtype=np.int8)
    return 1 - 2 * signs.astype(np.float32)


def percentile_interval(values: Floats) -> tuple[float | None, float | None]:
    """The middle 95 % of the resampled values; NaN (a resample without a value) is left out."""
    present = values[~np.isnan(values)]
    if not len(present):
        return None, None
    low, high = np.quantile(present, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def mean_interval(values: Sequence[float | None], *, seed: int = 0, weights: Floats | None = None) -> Interval:
    """Mean and percentile bootstrap interval over questions (Efron, 1979).

    `weights` are `resample_weights` of the questions, to be shared by the measures of one experiment.
    """
    measured = as_array(values)
    present = ~np.isnan(measured)
    if not present.any():
        return Interval()
    if weights is None:
        weights = resample_weights(len(measured), seed=seed)
    low, high = percentile_interval(_weighted_means(measured, present, weights))
    return Interval(float(measured[present].mean()), low, high, int(present.sum()))


def paired_difference(
    values: Sequence[float | None],
    reference: Sequence[float | None],
    *,
    weights: Floats | None = None,
    signs: NDArray[np.float32] | None = None,
) -> PairedDifference:
    """`values` against `reference`, question by question; p is two-sided, from the randomisation test.

    `weights` (`resample_weights`) and `signs` (`random_signs`) of the questions may be shared by many comparisons.
    """
    difference = as_array(values) - as_array(reference)
    interval = mean_interval(difference.tolist(), weights=weights)
    paired = difference[~np.isnan(difference)]
    return PairedDifference(
        interval.mean,
        interval.ci_low,
        interval.ci_high,
        randomisation_p(paired, signs=None if signs is None else signs[:, ~np.isnan(difference)]),
        len(paired),
        wins=int((paired > 0).sum()),
        ties=int((paired == 0).sum()),
        losses=int((paired < 0).sum()),
    )


def randomisation_p(differences: Floats, *, seed: int = 0, signs: NDArray[np.float32] | None = None) -> float | None:
    """Two-sided p of Fisher's paired randomisation test on the mean (Smucker et al., 2007); None without pairs.

    Signs are flipped at random; up to 12 non-zero differences all sign patterns are counted. 1.0 when nothing differs.
    """
    if not len(differences):
        return None
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    if len(moved) <= EXACT_UP_TO:
        numbers = np.arange(2 ** len(moved))[:, None]
        bits = (numbers >> np.arange(len(moved))) & 1
        patterns = 1 - 2 * bits
        return float(_as_extreme(patterns @ moved, moved).mean())
    if signs is None:
        signs = random_signs(len(differences), seed=seed)
    extreme = int(_as_extreme(signs @ differences.astype(np.float32), moved).sum())
    return (extreme + 1) / (len(signs) + 1)


def holm(p_values: Mapping[str, float | None]) -> dict[str, float | None]:
    """The p-values corrected for their number (Holm, 1979): never falling in order of p, at most 1; None stays None."""
    tested = sorted((p, name) for name, p in p_values.items() if p is not None)
    corrected: dict[str, float | None] = dict.fromkeys(p_values)
    worst = 0.0
    for place, (p, name) in enumerate(tested):
        worst = max(worst, min(1.0, p * (len(tested) - place)))
        corrected[name] = worst
    return corrected


def verdict(difference: float | None, p: float | None, *, higher_is_better: bool = True) -> str:
    """One of "better", "worse", "not significant" and "not computed", at the level of 5 %."""
    if difference is None or p is None:
        return "not computed"
    if p >= 1 - LEVEL or difference == 0:
        return "not significant"
    return "better" if (difference > 0) == higher_is_better else "worse"


def as_array(values: Sequence[float | None]) -> Floats:
    """The values with NaN for None."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def _weighted_means(values: Floats, present: NDArray[np.bool_], weights: Floats) -> Floats:
    total = weights @ np.where(present, values, 0.0)
    count = weights @ present.astype(float)
    return share(total, count)


def _as_extreme(totals: NDArray[np.floating], moved: Floats) -> NDArray[np.bool_]:
    """Which totals lie as far from 0 as that of `moved`; the slack is for sums in another order and precision."""
    slack = 1e-6 * float(np.abs(moved).sum())
    result: NDArray[np.bool_] = np.abs(totals) >= abs(float(moved.sum())) - slack
    return result
