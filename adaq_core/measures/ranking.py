"""Measures of rankings as ir_measures computes them, and of what a set covers of the judged sub-topics.

A ranking is a list of passages, one slot each. Document measures are taken over the documents of the first k
*passages* in order, repeats dropped, so a slot spent on a document that is already there costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adaq_core.measures.answers import Quotes, f1

if TYPE_CHECKING:
    from ir_measures import Qrel, ScoredDoc


def set_measures(gold: Mapping[str, int], passage_documents: Sequence[str]) -> dict[str, float | None]:
    """The four measures of one question; `set_size` counts passages, the others the distinct documents returned.

    Without gold only the size can be told. Nothing returned is precision 0, because something was to be found.
    """
    size = float(len(passage_documents))
    wanted = {document for document, grade in gold.items() if grade > 0}
    if not wanted:
        return {"set_precision": None, "set_recall": None, "set_F1": None, "set_size": size}
    returned = set(passage_documents)
    hits = len(wanted & returned)
    precision = hits / len(returned) if returned else 0.0
    recall = hits / len(wanted)
    return {"set_precision": precision, "set_recall": recall, "set_F1": f1(precision, recall), "set_size": size}


QUESTION = "q"


def documents_within(passage_documents: Sequence[str], *, k: int) -> tuple[str, ...]:
    """The documents of the first `k` passages in order, repeats dropped."""
    return tuple(dict.fromkeys(passage_documents[:k]))


def document_measures(
    gold: Mapping[str, int], passage_documents: Sequence[str], names: Sequence[str]
) -> dict[str, float | None]:
    """The measures `names` ("Recall@5", "nDCG@5" …) of one question; all None when it has no gold document.

    `gold` maps document ids to relevance (0 is judged and not relevant); `passage_documents` names the document of each
    passage of the ranking. nDCG's gain is linear.
    """
    if not any(grade > 0 for grade in gold.values()):
        return dict.fromkeys(names)
    by_cutoff: dict[int, list[str]] = {}
    for name in names:
        by_cutoff.setdefault(int(name.rpartition("@")[2]), []).append(name)
    results: dict[str, float | None] = {}
    for k, group in by_cutoff.items():
        results |= _by_ir_measures(gold, documents_within(passage_documents, k=k), group)
    return {name: results[name] for name in names}


def all_gold(gold: Mapping[str, int], passage_documents: Sequence[str], *, k: int) -> float | None:
    """AllGold@k: 1.0 when every gold document is among the first `k` passages, else 0.0; None without gold."""
    wanted = {document for document, grade in gold.items() if grade > 0}
    if not wanted:
        return None
    return float(wanted <= set(passage_documents[:k]))


def place_recall(places: Sequence[frozenset[str]], passages: Sequence[str], *, k: int) -> float | None:
    """The share of judged places that the first `k` passages hold; None without a place.

    A place is what a judge pointed to, as the passages that hold it: any one of them is enough. A place that no passage
    holds is missed.
    """
    if not places:
        return None
    first = set(passages[:k])
    return sum(bool(place & first) for place in places) / len(places)


def slot_precision(gold: Mapping[str, int], passage_documents: Sequence[str], *, k: int) -> float | None:
    """The share of the first `k` passages that come from a gold document; None without gold.

    P@k counts a document once, this counts slots: it shows how much of the evidence is spent beside the point.
    """
    wanted = {document for document, grade in gold.items() if grade > 0}
    if not wanted:
        return None
    first = passage_documents[:k]
    if first:
        return sum(document in wanted for document in first) / len(first)
    return 0.0


def _by_ir_measures(gold: Mapping[str, int], documents: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    import ir_measures

    measures = {name: ir_measures.parse_measure(name) for name in names}
    qrels = [ir_measures.Qrel(QUESTION, document, grade) for document, grade in gold.items()]
    values = {
        value.measure: value.value for value in ir_measures.iter_calc([*measures.values()], qrels, scored(documents))
    }
    return {name: float(values[measure]) for name, measure in measures.items()}


def scored(ids: Sequence[str]) -> list[ScoredDoc]:
    """The ids as ir_measures reads a run: strictly falling scores, because it breaks ties by id and not by order."""
    import ir_measures

    return [ir_measures.ScoredDoc(QUESTION, each, float(len(ids) - at)) for at, each in enumerate(ids)]


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
            if not carrier.quote or quotes.contains(carrier.quote, unit.text)
        )
        for unit in units
    }
    return {passage_id: result for passage_id, result in carried.items() if result}


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
    results: dict[str, float | None] = {}
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("@")[0], []).append(name)
    for group in families.values():
        results |= _by_pyndeval(wanted, carried, ranking, group)
    return {name: results[name] for name in names}


def all_subtopics(
    subtopics: Iterable[str], carried: Mapping[str, frozenset[str]], ranking: Sequence[str], *, k: int
) -> float | None:
    """AllSubtopics@k: 1.0 when the first `k` passages carry every subtopic, else 0.0; None without subtopics."""
    wanted = set(subtopics)
    if not wanted:
        return None
    covered: set[str] = set().union(*(carried.get(passage_id, frozenset()) for passage_id in ranking[:k]))
    return float(wanted <= covered)


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
        (passage_id, subtopic) for passage_id, result in carried.items() for subtopic in sorted(result & set(wanted))
    ]
    reached = {subtopic for _, subtopic in pairs}
    pairs += [(UNREACHABLE + subtopic, subtopic) for subtopic in wanted if subtopic not in reached]
    qrels = [ir_measures.Qrel(QUESTION, passage_id, 1, numbers[subtopic]) for passage_id, subtopic in pairs]
    return [*qrels, *(ir_measures.Qrel(FILLER, number, 1, number) for number in ("1", "2"))]
