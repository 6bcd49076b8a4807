"""Whether an estimate can be bet on: AUROC (does it rank), ECE (is it a probability), reliability bins."""

from __future__ import annotations

from collections.abc import Sequence
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
    value = weighted_auroc(np.asarray(scores, float), np.asarray(outcomes, bool), np.ones((1, len(scores))))[0]
    return None if np.isnan(value) else float(value)


def weighted_auroc(scores: Floats, outcomes: NDArray[np.bool_], weights: Floats) -> Floats:
    """AUROC for each row of `weights` (rows: resamples, columns: cases); NaN where one class has no weight."""
    _, level = np.unique(scores, return_inverse=True)
    levels = int(level.max()) + 1 if len(scores) else 0
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
    said, came = np.asarray(scores, float)[order], np.asarray(outcomes, float)[order]
    ends = [i for i in range(len(said)) if i + 1 == len(said) or said[i + 1] != said[i]]
    true = np.cumsum(came)
    return tuple(((i + 1) / len(said), float(true[i]) / (i + 1)) for i in ends)


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
    said, came = np.asarray(estimates, float), np.asarray(outcomes, float)
    return tuple(_bin(number, bins, said[place == number], came[place == number]) for number in range(bins))


def ece(estimates: Sequence[float], outcomes: Sequence[bool], *, bins: int = BINS) -> float | None:
    """Expected calibration error: |share true - mean estimate| weighted by bin size (Guo et al., 2017)."""
    if not len(estimates):
        return None
    weights = np.ones((1, len(estimates)))
    return float(weighted_ece(np.asarray(estimates, float), np.asarray(outcomes, bool), weights, bins=bins)[0])


def weighted_ece(estimates: Floats, outcomes: NDArray[np.bool_], weights: Floats, *, bins: int = BINS) -> Floats:
    """ECE for each row of `weights`; NaN where a row weighs nothing."""
    member = np.zeros((len(estimates), bins))
    member[np.arange(len(estimates)), bin_of(estimates, bins=bins)] = 1.0
    gap = np.abs((weights * (outcomes - estimates)) @ member).sum(axis=1)
    return share(gap, weights.sum(axis=1))


def share(part: Floats, whole: Floats) -> Floats:
    """Element by element; NaN where the whole is 0."""
    result: Floats = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return result


def brier(estimates: Sequence[float], outcomes: Sequence[bool]) -> float | None:
    """Mean squared distance of the estimate from what came (Brier, 1950)."""
    if not len(estimates):
        return None
    return float(np.mean((np.asarray(estimates, float) - np.asarray(outcomes, float)) ** 2))


def bin_of(estimates: Floats, *, bins: int = BINS) -> NDArray[np.intp]:
    """The number of the bin of each estimate; an estimate outside [0, 1] is an error of whoever made it."""
    if len(estimates) and not (estimates.min() >= 0.0 and estimates.max() <= 1.0):
        raise ValueError(f"estimates must lie in [0, 1], not in [{estimates.min()}, {estimates.max()}]")
    return np.minimum((estimates * bins).astype(np.intp), bins - 1)


def _bin(number: int, bins: int, said: Floats, came: Floats) -> Bin:
    low, high = number / bins, (number + 1) / bins
    if not len(said):
        return Bin(low, high, 0, None, None)
    return Bin(low, high, len(said), float(said.mean()), float(came.mean()))
