"""Measures of the returned evidence as a set: precision, recall, F1 and size.

Precision divides by the number of documents returned, not by k, as SEAL-RAG's published tables do: read it with the
size. P@k, which divides by k, stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0.0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
