"""Documents as other programs hand them over, read as passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adaq_core.errors import InputError
from adaq_core.model import Passage, ScoredPassage


def received_passages(documents: Sequence[Any]) -> list[tuple[Passage, float]]:
    """Passages with their relevance in [0, 1]; InputError for what is no document."""
    passages = [_passage(document, number) for number, document in enumerate(documents)]
    return list(zip(passages, received_quality(documents), strict=True))


def received_quality(documents: Sequence[Any]) -> list[float]:
    """The relevance of each document in [0, 1]: scores above 1 are taken relative to the best; none counts as 1."""
    scores = [_score(document) for document in documents]
    top = max((score for score in scores if score is not None), default=1.0)
    scale = top if top > 1 else 1.0
    return [1.0 if score is None else max(0.0, score / scale) for score in scores]


def _passage(document: Any, number: int) -> Passage:
    if isinstance(document, ScoredPassage):
        return document.passage
    if isinstance(document, Passage):
        return document
    text = _field(document, "content", "text", "page_content", "snippet")
    if text is None:
        raise InputError(
            f"document {number} is a {type(document).__name__}: expected a Passage, a ScoredPassage, or a mapping with "
            "'content' (or 'text'), 'title' and 'score'"
        )
    key = str(_field(document, "id", "passage_id", "doc_id") or number)
    return Passage(key, key, str(_field(document, "title") or ""), str(text))


def _score(document: Any) -> float | None:
    if isinstance(document, ScoredPassage):
        return document.score
    value = _field(document, "relevance_score", "score", "relevance", "similarity")
    return float(value) if isinstance(value, int | float) else None


def _field(document: Any, *names: str) -> Any:
    for name in names:
        value = document.get(name) if isinstance(document, Mapping) else getattr(document, name, None)
        if value is not None:
            return value
    return None
