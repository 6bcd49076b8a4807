"""Diversity measures of a ranking of passages: StRecall@k and alpha_nDCG@k (by pyndeval), and AllSubtopics@k.

A subtopic is a part of the question that the judges defined. A passage carries it when it comes from a document judged
for it and, where the judges gave a quote, holds that quote. The judged set is every passage of the corpus that carries
a subtopic: alpha-nDCG's ideal ranking is built from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adaq_core.measures.answers import Quotes
from adaq_core.measures.ranking import QUESTION, scored

if TYPE_CHECKING:
    from ir_measures import Qrel

FILLER = "two subtopics, so that pyndeval does not warn of a single one"
UNREACHABLE = "no passage carries it: "


@dataclass(frozen=True, slots=True)
class Unit:
    """A passage as the judges see it."""

    passage_id: str
    document_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """A document judged to answer a subtopic; with a quote, only its passages that hold the quote do."""

    subtopic: str
    document_id: str
    quote: str = ""


def subtopics_carried(
    carriers: Iterable[Carrier], units: Iterable[Unit], *, quotes: Quotes
) -> dict[str, frozenset[str]]:
    """Passage id → the subtopics that it carries; passages that carry none are left out."""
    by_document: dict[str, list[Carrier]] = {}
    for carrier in carriers:
        by_document.setdefault(carrier.document_id, []).append(carrier)
    carried = {
        unit.passage_id: frozenset(
            carrier.subtopic
            for carrier in by_document.get(unit.document_id, ())
            if not carrier.quote or quotes.held(carrier.quote, unit.text)
        )
        for unit in units
    }
    return {passage_id: found for passage_id, found in carried.items() if found}


def diversity_measures(
    subtopics: Iterable[str],
    carried: Mapping[str, frozenset[str]],
    ranking: Sequence[str],
    names: Sequence[str],
) -> dict[str, float | None]:
    """The measures `names` ("StRecall@5", "alpha_nDCG@10" …) of one question; all None when it has no subtopic.

    `carried` is the judged set, `ranking` holds passage ids without repeats. A subtopic that no passage carries counts
    as missed. alpha is 0.5. One call per measure family: pyndeval's parameters must not mix.
    """
    wanted = tuple(dict.fromkeys(subtopics))
    if not wanted:
        return dict.fromkeys(names)
    found: dict[str, float | None] = {}
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("@")[0], []).append(name)
    for group in families.values():
        found |= _by_pyndeval(wanted, carried, ranking, group)
    return {name: found[name] for name in names}


def all_subtopics(
    subtopics: Iterable[str], carried: Mapping[str, frozenset[str]], ranking: Sequence[str], *, k: int
) -> float | None:
    """AllSubtopics@k: 1.0 when the first `k` passages carry every subtopic, else 0.0; None without subtopics."""
    wanted = set(subtopics)
    if not wanted:
        return None
    held: set[str] = set().union(*(carried.get(passage_id, frozenset()) for passage_id in ranking[:k]))
    return float(wanted <= held)


def _by_pyndeval(
    wanted: Sequence[str], carried: Mapping[str, frozenset[str]], ranking: Sequence[str], names: Sequence[str]
) -> dict[str, float]:
    import ir_measures

    measures = {name: ir_measures.parse_measure(name) for name in names}
    values = {
        value.measure: value.value
        for value in ir_measures.iter_calc([*measures.values()], _qrels(wanted, carried), scored(ranking))
        if value.query_id == QUESTION
    }
    return {name: float(values[measure]) for name, measure in measures.items()}


def _qrels(wanted: Sequence[str], carried: Mapping[str, frozenset[str]]) -> list[Qrel]:
    import ir_measures

    numbers = {subtopic: str(number) for number, subtopic in enumerate(wanted, start=1)}
    pairs = [
        (passage_id, subtopic) for passage_id, found in carried.items() for subtopic in sorted(found & set(wanted))
    ]
    reached = {subtopic for _, subtopic in pairs}
    pairs += [(UNREACHABLE + subtopic, subtopic) for subtopic in wanted if subtopic not in reached]
    qrels = [ir_measures.Qrel(QUESTION, passage_id, 1, numbers[subtopic]) for passage_id, subtopic in pairs]
    return [*qrels, *(ir_measures.Qrel(FILLER, number, 1, number) for number in ("1", "2"))]
