"""An exam of answers: what an answer states against the facts that it has to state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adaq_core.datasets.judged import Facts, JudgedQuestion
from adaq_core.evaluation.answered import LEAD, Said
from adaq_core.evaluation.outcome import Outcome
from adaq_core.measures.answers import verdict_of

CORRECTING = 200
_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "\u00a0": " ", "\u202f": " "}
)

Measures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Marked:
    """How an answer did: which facts it states, which wrong patterns match, and whether it puts a premise right."""

    stated: tuple[bool, ...]
    wrong: tuple[str, ...]
    short_first: bool
    corrects: bool
    answers: bool

    @property
    def all_right(self) -> bool:
        """Whether it answers, states every fact and nothing wrong."""
        return self.answers and all(self.stated) and not self.wrong


def mark(said: Said, facts: Facts) -> Marked:
    """Hold what an answer states against the facts; an answer that declines is not wrong, whatever it shows."""
    text, lead = _plain(said.text), _plain(said.lead or said.text)
    answers = not said.declines and bool(text)
    return Marked(
        stated=tuple(any(_matches(pattern, text) for pattern in fact) for fact in facts.must),
        wrong=tuple(pattern for pattern in facts.must_not if answers and _matches(pattern, text)),
        short_first=answers and any(_begins(short, said.short, lead) for short in facts.short),
        corrects=any(_matches(pattern, text[:CORRECTING]) for pattern in facts.corrects),
        answers=answers,
    )


def exam_measures(said: Said, question: JudgedQuestion) -> Measures:
    """The measures of one question of an exam; none for a question without facts to state that can be answered."""
    if question.facts is None and not question.is_unanswerable:
        return {}
    facts = question.facts or Facts()
    marked = mark(said, facts)
    if question.is_unanswerable:
        recognised = not marked.answers or marked.corrects
        return {
            "facts_wrong": float(bool(marked.wrong)),
            "claimed_unanswered": float(not recognised),
            "null_recognised": float(recognised),
        }
    return {
        "facts_asserted": sum(marked.stated) / len(marked.stated) if marked.stated else None,
        "facts_all_right": float(marked.all_right) if marked.stated else None,
        "facts_wrong": float(bool(marked.wrong)),
        "short_first": float(marked.short_first) if facts.short else None,
        "claimed_unanswered": float(marked.answers and not any(marked.stated)) if marked.stated else None,
    }


def failures(outcomes: Iterable[Outcome], questions: Sequence[JudgedQuestion]) -> list[str]:
    """A few lines for each answer that falls short of the exam: what is missing or wrong, and what it states."""
    known = {question.question_id: question for question in questions}
    return [line for outcome in outcomes for line in _failure(outcome, known[outcome.question_id])]


def _failure(outcome: Outcome, question: JudgedQuestion) -> list[str]:
    values, facts = outcome.measures, question.facts or Facts()
    recognised, right, short = (values.get(name) for name in ("null_recognised", "facts_all_right", "short_first"))
    contains = values.get("answer_contains") if right is None else None
    if outcome.error or 0.0 in (recognised, right, short, contains):
        said = Said(outcome.said, outcome.short, declines=not outcome.said)
        marked = mark(said, facts)
        missing = [" | ".join(fact) for fact, there in zip(facts.must, marked.stated, strict=True) if not there]
        return [
            f"{outcome.question_id}: {question.text}",
            *(f"    failed: {outcome.error}" for _ in range(bool(outcome.error))),
            *(f"    missing: {each}" for each in missing),
            *(f"    wrong: {each}" for each in marked.wrong),
            *(f"    not first: {' | '.join(facts.short)}" for _ in range(short == 0.0)),
            *(f"    has no answer in the corpus ({question.kind})" for _ in range(recognised == 0.0)),
            *(f"    expected: {' | '.join(question.answers)}" for _ in range(contains == 0.0)),
            f"    states: {outcome.said[:400] or '(declines)'}",
        ]
    return []


def _begins(wanted: str, short: str, lead: str) -> bool:
    """Whether the stated short answer or the first characters hold it; a yes or no only as the first word."""
    if verdict_of(wanted):
        return any(re.match(rf"\W*{re.escape(wanted)}\b", text, re.IGNORECASE) for text in (short, lead))
    pattern = rf"(?<![\w.,]){re.escape(_plain(wanted))}(?!\w)"
    return any(re.search(pattern, _plain(text)[:LEAD], re.IGNORECASE) for text in (short, lead))


def _matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def _plain(text: str) -> str:
    """One line with straight quotes, plain dashes and plain spaces."""
    return " ".join(text.translate(_PLAIN).split())
