"""TREC run files: what other evaluation tools read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from adaq_core.evaluation.outcome import Outcome
from adaq_core.measures.ranking import documents_within


def write_run(path: Path, outcomes: Iterable[Outcome], *, k: int) -> None:
    """One line per document of the first `k` passages, repeats dropped: measures at k come out of it as they are here.

    `question Q0 document rank score tag`; the score falls with the rank, because tools order by score.
    """
    lines = (line for outcome in outcomes for line in _lines(outcome, k=k))
    path.write_text("".join(lines), encoding="utf-8")


def _lines(outcome: Outcome, *, k: int) -> Iterable[str]:
    documents = documents_within([document for _, document in outcome.ranking], k=k)
    tag = _word(outcome.method)
    for rank, document in enumerate(documents, start=1):
        yield f"{_word(outcome.question_id)} Q0 {_word(document)} {rank} {k - rank + 1} {tag}\n"


def _word(text: str) -> str:
    """The text without white space, which parts the fields of the format."""
    return "_".join(text.split()) or "_"
