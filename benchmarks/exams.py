"""The table of the written exams, of which the README shows some rows: python -m benchmarks.exams [SET ...].

A row a set, for its first half, which was read while rules were written, and behind a slash for its second, which was
not. What a run calls not certain counts as no claim. Words only, no model.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adaq_core.datasets.judged import Facts, JudgedQuestion
from adaq_core.evaluation.answered import StatedAnswer, mark, stated_by
from adaq_core.evaluation.working import recorded
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.trace import view
from benchmarks.covering import opened
from benchmarks.likelihood import EXAMS, ON_FILINGS

SETS = (
    *EXAMS,
    "exam-checks",
    "exam-verdicts",
    "exam-paraphrased",
    "exam-briefs",
    "exam-round",
    "exam-second-round",
    "exam-third-round",
    *ON_FILINGS,
    "exam-report-briefs",
    "exam-round-reports",
    "exam-second-round-reports",
    "exam-third-round-reports",
)
HEAD = (
    "questions (with an answer, without)",
    "facts asserted",
    "right and claimed",
    "called not covered",
    "wrong",
    "short answer first",
    "stated ones right",
    "claimed, not answered",
    "no answer: recognised",
)


@dataclass(frozen=True, slots=True)
class Marks:
    """How the answer to one question did; `stated` is whether its short answer is right, None without one."""

    can_be_answered: bool
    asserted: float
    right: bool
    claims: bool
    wrong: bool
    short_first: bool | None
    stated: bool | None
    unfounded: bool


def marks(name: str, split: str) -> Iterator[Marks]:
    """The marks of each question of a half that has an answer to state, or none in the corpus."""
    questions, retriever = opened(name, split)
    for question in questions:
        facts = question.facts or Facts()
        if question.is_unanswerable or facts.must:
            yield marks_of(stated(question.text, retriever), question, facts)


def stated(question: str, retriever: DocumentRetriever) -> StatedAnswer:
    """What a run of ADAQ answers."""
    return stated_by(view(recorded(execute(RunSpec("adaptive", question), retriever=retriever))))


def marks_of(answer: StatedAnswer, question: JudgedQuestion, facts: Facts) -> Marks:
    marked = mark(answer, facts)
    claims = not answer.doubts and bool(answer.text)
    told = bool(answer.short) and claims
    can = not question.is_unanswerable
    alone = mark(StatedAnswer(answer.short, answer.short, declines=False), facts) if told else None
    judged = can and bool(facts.short)
    return Marks(
        can_be_answered=can,
        asserted=sum(marked.stated) / len(marked.stated) if marked.stated else 0.0,
        right=claims and all(marked.stated) and not marked.wrong,
        claims=claims,
        wrong=claims and bool(marked.wrong),
        short_first=claims and marked.short_first if judged else None,
        stated=alone.short_first if alone and (judged or not can) else None,
        unfounded=claims and not (any(marked.stated) if can else marked.corrects),
    )


def cells(given: Sequence[Marks]) -> tuple[str, ...]:
    """The figures of one half, in the order of HEAD."""
    able = [each for each in given if each.can_be_answered]
    unable = [each for each in given if not each.can_be_answered]
    stated = [each.stated for each in given if each.stated is not None]
    return (
        f"{len(able)}, {len(unable)}",
        _mean(each.asserted for each in able),
        _mean(each.right for each in able),
        _mean(not each.claims for each in able),
        _mean(each.wrong for each in given),
        _mean(each.short_first for each in able if each.short_first is not None),
        f"{sum(stated)} of {len(stated)}",
        _mean(each.unfounded for each in given),
        _mean(not each.unfounded for each in unable),
    )


def _mean(values: Iterable[float]) -> str:
    given = list(values)
    return f"{sum(given) / len(given):.3f}".replace("0.", ".", 1) if given else "–"


def row(name: str, halves: Sequence[Sequence[Marks]]) -> str:
    """A row of the table: the halves with a slash between them."""
    made = [cells(half) for half in halves if half]
    count, *figures = (" / ".join(both) for both in zip(*made, strict=True))
    return f"| {name} ({count}) | " + " | ".join(figures) + " |"


def main() -> None:
    """Print the table; below it all sets on the documents that come with ADAQ together, and all on filings."""
    logging.disable(logging.CRITICAL)
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    groups: dict[str, list[list[Marks]]] = {}
    for name in sys.argv[1:] or SETS:
        halves = [list(marks(name, split)) for split in ("dev", "final")]
        print(row(name, halves), flush=True)
        group = groups.setdefault("all on filings" if name in ON_FILINGS else "all others", [[], []])
        for all_of_it, half in zip(group, halves, strict=True):
            all_of_it += half
    for group_name, halves in groups.items():
        print(row(group_name, halves))


if __name__ == "__main__":
    main()
