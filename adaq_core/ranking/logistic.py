"""What a logistic model, kept as numbers, says of one row; `fitting.fit_logistic` makes the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

FAR = 2.5


def chance(numbers: Mapping[str, Any], values: NDArray[np.floating[Any]]) -> float:
    """The probability, by `mean`, `scale`, `weights` and `bias`.

    Each value counts for at most 2.5 deviations: a corpus unlike those of training must not push one out of all bounds.
    """
    scaled = np.clip((values - np.array(numbers["mean"])) / np.array(numbers["scale"]), -FAR, FAR)
    margin = float(scaled @ np.array(numbers["weights"])) + float(numbers["bias"])
    return float(1.0 / (1.0 + np.exp(-margin)))
