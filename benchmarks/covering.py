"""Does the sentence that covers an aspect answer it? `python -m benchmarks.covering [SET ...] [--show]`.

Every aspect that a run of ADAQ calls covered points at a quote. It answers when one of the exam's facts stands in it,
or when it is a quote of the gold, or part of one, or holds one. In a question without an answer nothing does. Without
names, the exams on the documents that come with ADAQ; words only; `--split final` runs the half nobody steers by.
"""

from __future__ import annotations

import argparse
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from adaq_core.datasets.beir import load_set
from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.evaluation.variants import ensure_index
from adaq_core.events import CoverageAssessed
from adaq_core.model import AspectScore
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute

SETS = (
    "exam",
    "exam-analysts",
    "exam-desk",
    "exam-everyday",
    "exam-free",
    "exam-mixed",
    "exam-policies",
    "exam-reworded",
)
COVERED = 0.5


def opened(name: str, split: str) -> tuple[QuestionSet, DocumentRetriever]:
    """The questions of a half of a set, and what searches its corpus."""
    questions = load_set(name, split)
    return questions, DocumentRetriever(PassageIndex.load(ensure_index(questions)))


def answers(question: JudgedQuestion, quote: str) -> bool:
    """Whether a quote holds a fact of the gold or is one of its quotes, but for spaces, signs and case."""
    if question.is_unanswerable:
        return False
    facts = question.facts.must if question.facts else ()
    if any(re.search(pattern, quote, re.IGNORECASE | re.DOTALL) for fact in facts for pattern in fact):
        return True
    said, quotes = plain(quote), {plain(each.quote) for each in question.subtopics if each.quote}
    return any(said in each or each in said for each in quotes)


def plain(text: str) -> str:
    """A text in small letters without signs."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def scores(question: str, retriever: DocumentRetriever) -> Sequence[AspectScore]:
    """What the last assessment of a run says of its aspects; nothing where the run reads nothing."""
    events = execute(RunSpec("adaptive", question), retriever=retriever)
    assessed = [event for event in events if isinstance(event, CoverageAssessed)]
    return assessed[-1].scores if assessed else ()


def covering(name: str, split: str) -> Iterator[tuple[str, AspectScore, str]]:
    """For each aspect of a set's questions the question, its score, and whether it is open, right or wrong."""
    questions, retriever = opened(name, split)
    for question in questions:
        for score in scores(question.text, retriever):
            if score.score < COVERED or score.finding is None:
                yield question.text, score, "open"
            else:
                yield question.text, score, "right" if answers(question, score.finding.quote) else "wrong"


def main() -> None:
    """Print the counts of each set and of all; with --show the quotes that do not answer."""
    logging.disable(logging.CRITICAL)
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sets", nargs="*", default=SETS)
    options.add_argument("--split", default="dev", help="the half to run: dev, or final, which nobody steers by")
    options.add_argument("--show", action="store_true", help="print what is called covered and not answered")
    given = options.parse_args()
    whole = Counter[str]()
    for name in given.sets:
        counts = Counter[str]()
        for question, score, state in covering(name, given.split):
            counts[state] += 1
            if given.show and state == "wrong" and score.finding:
                print(f"{question} | {score.aspect} | {score.score:.2f} | {score.finding.quote}")
        whole += counts
        print(line(name, counts), flush=True)
    print(line("all", whole))


def line(name: str, counts: Counter[str]) -> str:
    """One line of the result."""
    covered = counts["right"] + counts["wrong"]
    share = counts["right"] / covered if covered else 0.0
    return (
        f"{name}: {counts['right']} of {covered} covered aspects are answered ({share:.3f}); {counts['open']} are open"
    )


if __name__ == "__main__":
    main()
