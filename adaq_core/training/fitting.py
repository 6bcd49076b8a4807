"""Fitting what the ranker learns: boosted trees and a logistic model, with scikit-learn, turned into plain numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.trees import Trees

Floats = NDArray[np.float32]

FOLDS = 4
KEPT_NEGATIVES = 0.5
_CONSTANT = 1e-3
_SHAPE: dict[str, Any] = {
    "max_iter": 120,
    "max_depth": 3,
    "max_leaf_nodes": 8,
    "learning_rate": 0.07,
    "min_samples_leaf": 30,
    "l2_regularization": 5.0,
    "max_features": 0.4,
    "early_stopping": False,
    "random_state": 0,
}


def fit_trees(
    rows: Floats, wanted: Floats, weights: Floats, names: Sequence[str], *, unused: Collection[str] = ()
) -> Trees:
    """Trees of depth three for P(wanted), which do not ask for the features `unused`.

    Deterministic: one thread, because several add numbers up in any order.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    used = np.array([number for number, name in enumerate(names) if name not in unused], dtype=np.int64)
    with threadpool_limits(limits=1):
        model = HistGradientBoostingClassifier(**_SHAPE).fit(rows[:, used], wanted.astype(int), sample_weight=weights)
    return _as_trees(model, names, used)


def _as_trees(model: Any, names: Sequence[str], used: NDArray[np.int64]) -> Trees:
    inner = 2 ** _SHAPE["max_depth"] - 1
    grown = [stage[0].nodes for stage in model._predictors]
    feature = np.zeros((len(grown), inner), dtype=np.int64)
    threshold = np.full((len(grown), inner), np.inf, dtype=np.float32)
    value = np.zeros((len(grown), inner + 1), dtype=np.float32)
    for tree, nodes in enumerate(grown):
        _lay_out(nodes, 0, 0, feature=feature[tree], threshold=threshold[tree], value=value[tree])
    return Trees(tuple(names), float(np.ravel(model._baseline_prediction)[0]), used[feature], threshold, value)


def _lay_out(nodes: Any, at: int, place: int, *, feature: Any, threshold: Any, value: Any) -> None:
    """Write a grown tree into a heap; a leaf above the lowest level fills all leaves below it."""
    inner = len(feature)
    if place >= inner:
        value[place - inner] = nodes[at]["value"]
        return
    leaf = bool(nodes[at]["is_leaf"])
    if not leaf:
        feature[place], threshold[place] = nodes[at]["feature_idx"], nodes[at]["num_threshold"]
    left, right = (at, at) if leaf else (int(nodes[at]["left"]), int(nodes[at]["right"]))
    _lay_out(nodes, left, 2 * place + 1, feature=feature, threshold=threshold, value=value)
    _lay_out(nodes, right, 2 * place + 2, feature=feature, threshold=threshold, value=value)


def fit_folds(
    rows: Sequence[Floats],
    wanted: Sequence[Floats],
    weights: Sequence[float],
    folds: Sequence[int],
    names: Sequence[str],
    *,
    unused: Collection[str] = (),
) -> tuple[Trees, list[Trees]]:
    """The model of all questions, and one per fold that has not seen the fold's questions.

    Of the rows that are not wanted every other one is used, with twice the weight.
    """
    x, y = np.concatenate(rows), np.concatenate(wanted)
    w = np.concatenate([np.full(len(part), weight) for part, weight in zip(wanted, weights, strict=True)])
    of = np.concatenate([np.full(len(part), fold) for part, fold in zip(wanted, folds, strict=True)])
    used = (y > 0) | (np.random.default_rng(0).random(len(y)) < KEPT_NEGATIVES)
    x, y, of, w = x[used], y[used], of[used], np.where(y > 0, w, w / KEPT_NEGATIVES)[used]
    held_out = [fit_trees(x[of != fold], y[of != fold], w[of != fold], names, unused=unused) for fold in range(FOLDS)]
    return fit_trees(x, y, w, names, unused=unused), held_out


def fit_logistic(
    rows: Floats, wanted: NDArray[np.bool_], weights: Floats, *, strength: float = 0.3, far: float = np.inf
) -> dict[str, Any]:
    """A regularised logistic model as numbers: mean, scale, weights, bias; what never varied weighs nothing.

    Features count for at most `far` deviations.
    """
    from sklearn.linear_model import LogisticRegression

    mean, spread = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
    varied = spread > _CONSTANT
    scale = np.where(varied, spread, 1.0)
    scaled = np.clip((rows - mean) / scale, -far, far)
    model = LogisticRegression(C=strength, max_iter=2000).fit(scaled, wanted, sample_weight=weights)
    return {
        "mean": _rounded(mean),
        "scale": _rounded(scale),
        "weights": _rounded(np.where(varied, model.coef_[0], 0.0)),
        "bias": round(float(model.intercept_[0]), 6),
    }


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.6g}") for value in np.asarray(values).tolist()]
