"""Why a passage is evidence, in one line and in numbers."""

from __future__ import annotations

import numpy as np

from adaq_core.model import Link
from adaq_core.ranking.scoring import Scoring

_QUOTE = 90
_WORDS = 5


def score_parts(scoring: Scoring, number: int, link: Link | None) -> tuple[tuple[str, float], ...]:
    """The parts of a score that a person can follow, each in [0, 1]."""
    signals, position = scoring.signals, scoring.positions[number]
    walk = float(signals.page_rank[position]) / signals.page_rank_top
    parts = {
        "words": float(signals.bm25[position]) / signals.top,
        "names": signals.titles.get(int(signals.document_of[position]), 0.0),
        "clause": float(signals.facet_score[position]),
        "walk": walk if signals.index.graph.is_dense else 0.0,
        "link": link.score if link else 0.0,
    }
    return tuple((name, round(value, 4)) for name, value in parts.items() if value > 0)


def reason(scoring: Scoring, number: int, link: Link | None) -> str:
    """One line that says what speaks for a passage."""
    position = scoring.positions[number]
    return (
        _named(scoring, position)
        or _linked(scoring, link)
        or _constrained(scoring, position)
        or _worded(scoring, number)
        or "near passages that answer the question"
    )


def _named(scoring: Scoring, position: int) -> str:
    document = int(scoring.signals.document_of[position])
    links = [link for link in scoring.reading.links if link.document == document]
    if not links:
        return ""
    start, end = max(links, key=lambda link: link.weight).span
    return f"the question names “{scoring.reading.text[start:end]}”"


def _linked(scoring: Scoring, link: Link | None) -> str:
    if link is None:
        return ""
    parent = scoring.signals.index.passage(link.parent_id)
    quote = link.sentence if len(link.sentence) <= _QUOTE else link.sentence[: _QUOTE - 1].rstrip() + "…"
    return f"“{parent.title or parent.document_id}” names {link.entity}: “{' '.join(quote.split())}”"


def _constrained(scoring: Scoring, position: int) -> str:
    signals = scoring.signals
    if not signals.reading.demands and not signals.reading.days:
        return ""
    passage = signals.index.passages[position]
    said = []
    if signals.any_source[position]:
        said.append(f"source {passage.source}")
    if signals.any_day[position]:
        said.append(f"of {passage.date}")
    said += _values(scoring, position)
    if not said:
        return ""
    scores = [float(score[position]) for score in signals.clause_scores]
    clause = signals.reading.clauses[int(np.argmax(scores))].text.strip(" ,;?")
    clause = clause if len(clause) <= _QUOTE else clause[: _QUOTE - 1].rstrip() + "…"
    return f"{', '.join(said)}, as asked; speaks to “{clause}”"


def _values(scoring: Scoring, position: int) -> list[str]:
    facets, document = scoring.signals.index.facets, int(scoring.signals.document_of[position])
    return [
        f"{facet} {facets.values[facet][code]}"
        for facet, code in scoring.reading.demands
        if facet != "source" and int(facets.codes[facet][document]) == code
    ]


def _worded(scoring: Scoring, number: int) -> str:
    held = scoring.pool.unit[number].tolist()
    best = [term for term in scoring.signals.rarest if held[term]][:_WORDS]
    return f"shares {', '.join(scoring.reading.terms[term] for term in best)} with the question" if best else ""
