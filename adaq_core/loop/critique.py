"""Critique: findings raise the coverage of their aspects."""

from __future__ import annotations

from collections.abc import Iterable

from adaq_core.model import AspectCoverage, AspectScore, Finding


def critique(
    coverage: AspectCoverage, findings: Iterable[Finding], *, hop: int, threshold: float
) -> tuple[tuple[AspectScore, ...], tuple[str, ...]]:
    """Raise `coverage` by the findings of this hop; the score of every aspect and the newly covered ones."""
    best: dict[str, Finding] = {}
    for finding in findings:
        known = best.get(finding.aspect)
        if known is None or finding.score > known.score:
            best[finding.aspect] = finding
    newly = [
        name
        for name, finding in best.items()
        if coverage.raise_score(name, finding.score, hop=hop, threshold=threshold)
    ]
    order = [aspect.aspect for aspect in coverage.aspects]
    scores = tuple(AspectScore(name, round(coverage.score(name), 6), best.get(name)) for name in order)
    return scores, tuple(sorted(newly, key=order.index))
