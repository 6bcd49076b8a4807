"""Read: passages become findings, quoted spans that speak to an aspect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adaq_core.loop.match import Match, match
from adaq_core.loop.terms import Weigh
from adaq_core.model import Finding, Passage, QueryAspect

WORTH_KEEPING = 0.25
_RELEVANCE = 0.15
_FAR, _NEAR = 0.92, 1.02

Similar = Callable[[QueryAspect, Passage], float | None]


def read(
    aspects: Sequence[QueryAspect],
    passages: Sequence[tuple[Passage, float]],
    *,
    weigh: Weigh,
    similar: Similar | None = None,
    constrain: bool = True,
) -> tuple[Finding, ...]:
    """Findings of every passage for every aspect, best sentence first.

    Each passage comes with its relevance in [0, 1] (1.0 for the best hit of its query). `similar` gives the cosine of
    an aspect and a passage when an embedding model is there.
    """
    found: list[Finding] = []
    for passage, relevance in passages:
        for aspect in aspects:
            here = match(aspect, passage, weigh=weigh, constrain=constrain)
            if here is not None:
                meaning = similar(aspect, passage) if similar else None
                found += _findings(aspect, passage, here, _score(here, relevance, meaning))
    return tuple(found)


def _score(here: Match, relevance: float, meaning: float | None) -> float:
    """Words first, tempered by how well the query liked the passage and, where it is known, by nearness in meaning."""
    lexical = here.score * (1 - _RELEVANCE + _RELEVANCE * max(0.0, min(1.0, relevance)))
    if meaning is None:
        return lexical
    strength = max(0.0, min(1.0, (meaning - 0.2) / 0.5))
    return min(1.0, lexical * (_FAR + (_NEAR - _FAR) * strength))


def _findings(aspect: QueryAspect, passage: Passage, here: Match, score: float) -> list[Finding]:
    if score < WORTH_KEEPING:
        return []
    return [
        Finding(
            aspect=aspect.aspect,
            passage_id=passage.passage_id,
            quote=passage.text[sentence.start : sentence.end],
            start=sentence.start,
            end=sentence.end,
            score=round(score * worth, 6),
            words=here.words if order == 0 else (),
        )
        for order, (worth, sentence) in enumerate(here.sentences)
    ]
