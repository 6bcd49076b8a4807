"""Agreement of two judges beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


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
