"""Small boosted trees, stored as numbers and evaluated with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Trees:
    """An additive model of trees of equal depth, laid out as heaps: node n has the children 2n + 1 and 2n + 2.

    `feature` and `threshold` are [trees x inner nodes], `value` [trees x leaves]; a row goes left where
    row[feature] <= threshold. `names` are the features that the model was trained on, in order.
    """

    names: tuple[str, ...]
    base: float
    feature: NDArray[np.int64]
    threshold: Floats
    value: Floats

    def margin(self, rows: Floats) -> Floats:
        """The log odds of each row."""
        if not len(rows):
            return np.zeros(0, dtype=np.float32)
        goes_right = rows.T[self.feature] > self.threshold[:, :, None]
        value = self.value[:, :, None]
        while (nodes := value.shape[1] // 2) > 0:  # from the leaves up, all rows at once: each node takes a side
            value = np.where(goes_right[:, nodes - 1 : 2 * nodes - 1], value[:, 1::2], value[:, ::2])
        leaves = np.ascontiguousarray(value[:, 0].T)
        total: Floats = (self.base + leaves.sum(axis=1, dtype=np.float64)).astype(np.float32)
        return total

    def probability(self, rows: Floats) -> Floats:
        """The probability of each row."""
        return (1.0 / (1.0 + np.exp(-self.margin(rows)))).astype(np.float32)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values; thresholds and leaves with six digits."""
        return {
            "names": list(self.names),
            "base": round(self.base, 6),
            "feature": self.feature.tolist(),
            "threshold": [[float(f"{v:.6g}") for v in row] for row in self.threshold.tolist()],
            "value": [[float(f"{v:.6g}") for v in row] for row in self.value.tolist()],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Trees:
        """The model that `to_json` gave."""
        return cls(
            names=tuple(data["names"]),
            base=float(data["base"]),
            feature=np.array(data["feature"], dtype=np.int64),
            threshold=np.array(data["threshold"], dtype=np.float32),
            value=np.array(data["value"], dtype=np.float32),
        )
