"""Learn which short answers are right that the rules are not sure of: python -m benchmarks.short_answers [--write].

Runs answer the questions of the exams' first halves (`dev`); each part of a sentence that may be the short answer is an
example, and it is right when the exam takes it for the short answer; so is yes, and no. Logistic models of the features
of `answers/short.py` are fitted: of spans (names, dates, numbers), of reasons, of yes and of no. Printed is how many
short answers are stated and how many of these are right, by the rules alone and with the models: for each set of the
first halves by models that have not seen that set, and for the second halves (`final`), from which nothing is learned.
Only questions that a run claims to answer count, those that have no answer in the corpus among them.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from adaq_core.answers.short import FEATURES, PATH, STATED, candidates, propose
from adaq_core.datasets.judged import Facts, JudgedQuestion
from adaq_core.evaluation.answered import StatedAnswer, mark
from adaq_core.matching.likelihood import Likelihood
from adaq_core.stages import synthesise
from benchmarks.covering import opened
from benchmarks.exams import stated
from benchmarks.likelihood import EXAMS, UNREAD, logistic

YES_OR_NO = ("exam-checks", "exam-verdicts")


@dataclass(frozen=True, slots=True)
class Read:
    """A question that its run claims to answer: what the rules state, and what may be the answer.

    `by_rules`: whether what they state is right, None where they state nothing; no model is asked but then.
    `parts`: for each part its model, its features, and whether it is right.
    """

    by_rules: bool | None
    parts: tuple[tuple[str, tuple[float, ...], bool], ...]


def read(name: str, split: str) -> Iterator[Read]:
    """The questions of a set whose short answer is of a kind that is learned."""
    questions, retriever = opened(name, split)
    for question in questions:
        asked: list[Any] = []

        def by_rules(wanted: Any, rated: Any, groups: Any, seen: list[Any] = asked, **_: Any) -> Any:
            made = propose(wanted, rated, groups)
            seen.append((wanted, rated, made))
            return made

        # What a run proposes from is in none of its events.
        with patch.object(synthesise, "propose", by_rules):
            answer = stated(question.text, retriever)
        gold = question.facts.short if question.facts else ()
        if not asked or answer.doubts or not (gold or question.is_unanswerable):
            continue
        wanted, rated, made = asked[-1]
        ordered = sorted(rated, key=lambda each: -each.strength(wanted))
        made_of = candidates(wanted, ordered)
        parts = tuple((part.model, part.features, is_right(part.text, question)) for part in made_of)
        if parts:
            yield Read(is_right(made.text, question) if made.text else None, parts)


def is_right(text: str, question: JudgedQuestion) -> bool:
    """Whether the exam takes a text for the short answer."""
    facts = question.facts or Facts()
    return not question.is_unanswerable and mark(StatedAnswer(text, text, declines=False), facts).short_first


def fit(questions: Iterable[Read]) -> dict[str, Likelihood]:
    """The logistic models of the parts that may be the answer."""
    parts = [part for each in questions for part in each.parts]
    return {name: logistic([(row, is_so) for model, row, is_so in parts if model == name]) for name in FEATURES}


def line(name: str, questions: Sequence[Read], models: dict[str, Likelihood]) -> str:
    """One line of the result."""
    before, after = (Counter(_stated(each, given) for each in questions) for given in (None, models))
    told = (f"{made[True]} of {made[True] + made[False]} stated right" for made in (before, after))
    return f"{name}: n {len(questions)}; rules {' ; with the models '.join(told)}"


def _stated(question: Read, models: dict[str, Likelihood] | None) -> bool | None:
    if question.by_rules is not None or models is None:
        return question.by_rules
    chance, model, is_so = max((models[model].chance(row), model, is_so) for model, row, is_so in question.parts)
    return is_so if chance >= STATED[model] else None


def main() -> None:
    """Fit, print what it is worth, and with --write keep it."""
    logging.disable(logging.CRITICAL)
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="keep the models that are fitted")
    given = options.parse_args()
    by_set = {name: list(read(name, "dev")) for name in (*EXAMS, *YES_OR_NO)}
    for name in by_set:
        others = [question for other, questions in by_set.items() if other != name for question in questions]
        print(line(f"{name}, not learned from", by_set[name], fit(others)), flush=True)
    models = fit(question for questions in by_set.values() for question in questions)
    unread = [question for name in (*UNREAD, *YES_OR_NO) for question in read(name, "final")]
    for told, kinds in (
        ("", set(FEATURES)),
        (", spans", {"span"}),
        (", reasons", {"reason"}),
        (", yes or no", {"yes"}),
    ):
        print(line(f"second halves{told}", [each for each in unread if each.parts[0][0] in kinds], models))
    if given.write:
        kept = {
            name: {"bias": model.bias, "weights": dict(zip(FEATURES[name], model.weights, strict=True))}
            for name, model in models.items()
        }
        PATH.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(f"written: {PATH.name}")


if __name__ == "__main__":
    main()
