"""Learn from judged questions how likely a sentence answers: python -m benchmarks.likelihood [--only KIND] [--write].

Runs with nothing learned answer the questions of the exams' first halves (`dev`); each sentence of their sets that the
rules found on the only aspect of a question is an example, and it answers when it holds a fact of the gold or is a
quote of it (`benchmarks.covering`). A logistic model of the features of `matching/likelihood.py` is fitted; of filings
each aspect counts once, however many sentences speak to it. Printed is how many aspects are covered rightly and
wrongly, by the rules alone and with the model: for each set of the first halves by a model that has not seen that set,
and for the second halves (`final`), from which nothing is learned. `--only` learns of topics or of filings alone.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, get_args

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from adaq_core.events import AspectsPlanned, CoverageAssessed, Event, EvidenceAssembled, FindingsRead, of_kind
from adaq_core.matching.likelihood import (
    BOUNDS,
    FEATURES,
    IN_OTHER_WORDS,
    PATH,
    Candidate,
    Learned,
    Likelihood,
    candidates,
)
from adaq_core.matching.sentences import kind_of
from adaq_core.model import AspectScore, Settings
from adaq_core.runs.execute import RunSpec, execute, rarity
from benchmarks.covering import COVERED, answers, opened

EXAMS = (
    "exam",
    "exam-analysts",
    "exam-desk",
    "exam-everyday",
    "exam-free",
    "exam-memos",
    "exam-mixed",
    "exam-plain",
    "exam-policies",
    "exam-reworded",
    "exam-voices",
)
# They have a model of their own; what sentences look like that answer is learned from them for the other one too.
ON_FILINGS = (
    "exam-analysts-reports",
    "exam-credit",
    "exam-diligence",
    "exam-everyday-reports",
    "exam-filings",
    "exam-mixed-reports",
    "exam-press",
    "exam-quarters",
    "exam-reports",
    "exam-sellside",
    "exam-shareholders",
)
ALL_ON_FILINGS = (
    *ON_FILINGS,
    "exam-report-briefs",
    "exam-round-reports",
    "exam-second-round-reports",
    "exam-third-round-reports",
)
UNREAD = (
    "exam",
    "exam-analysts",
    "exam-desk",
    "exam-everyday",
    "exam-mixed",
    "exam-plain",
    "exam-reworded",
    "exam-voices",
)
STRENGTH = 0.3  # inverse of the regularisation; from 0.03 to 1 the unread halves differ by two aspects of 408
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Read:
    """An aspect of a question after its run: what the rules say, and the sentences of the set.

    `by_rules`: its score and whether the sentence behind it answers. `sentences`: the features of each, and whether it
    answers. `in_other_words`: its answers are seldom told in the question's words.
    """

    is_alone: bool
    in_other_words: bool
    by_rules: tuple[float, bool]
    sentences: tuple[tuple[tuple[float, ...], bool], ...]


def read(name: str, split: str) -> Iterator[Read]:
    """The aspects of a set's questions, after runs with nothing learned."""
    questions, retriever = opened(name, split)
    weigh = rarity(retriever.index)
    for question in questions:
        if not question.is_unanswerable and not (question.facts and question.facts.must):
            continue
        events = list(execute(RunSpec("adaptive", question.text, Settings(learned=False)), retriever=retriever))
        planned, assessed, kept = (
            _last(events, kind) for kind in (AspectsPlanned, CoverageAssessed, EvidenceAssembled)
        )
        if not (planned and assessed and kept):
            continue
        passages = [ranked.passage for ranked in kept.evidence]
        findings = [finding for event in of_kind(events, FindingsRead) for finding in event.findings]
        for aspect, score in zip(planned.aspects, assessed.scores, strict=True):
            mine = [finding for finding in findings if finding.aspect == aspect.aspect]
            made = candidates(aspect, mine, passages, weigh=weigh)
            if not _weighs(score, made):
                made = ()
            yield Read(
                len(planned.aspects) == 1,
                kind_of(aspect) in IN_OTHER_WORDS,
                (score.score, score.finding is not None and answers(question, score.finding.quote)),
                tuple((each.features, answers(question, each.finding.quote)) for each in made),
            )


def _weighs(score: AspectScore, made: Sequence[Candidate]) -> bool:
    """Whether the product would weigh the sentences: what a row or a computed value covers stays as it is."""
    if score.finding is None or score.score < COVERED:
        return True
    place = (score.finding.passage_id, score.finding.start)
    return any((each.finding.passage_id, each.finding.start) == place for each in made)


def _last(events: Sequence[Event], kind: Any) -> Any:
    return next(iter([*of_kind(events, kind)][::-1]), None)


def fit(aspects: Iterable[Read], learned: Learned = "topics") -> Likelihood:
    """The logistic model of the sentences of whole questions; of filings each question counts once."""
    alone = [aspect for aspect in aspects if aspect.is_alone and aspect.sentences]
    rows = [row for aspect in alone for row in aspect.sentences]
    if learned == "topics":
        return logistic(rows)
    return logistic(rows, [1 / len(aspect.sentences) for aspect in alone for _ in aspect.sentences])


def logistic(rows: Sequence[tuple[tuple[float, ...], bool]], weights: Sequence[float] | None = None) -> Likelihood:
    """The logistic model of rows of features, each with whether it is right; its weights for features as they are.

    `weights` say how much each row counts beside the others; without them all count alike.
    """
    features, right = np.array([row for row, _ in rows]), np.array([is_so for _, is_so in rows])
    counted = np.ones(len(rows)) if weights is None else np.array(weights)
    scaler, model = StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=3000)
    fitted = make_pipeline(scaler, model)
    fitted.fit(features, right, logisticregression__sample_weight=counted / counted.mean())
    weights = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    return Likelihood(tuple(round(float(weight), DIGITS) for weight in weights), round(bias, DIGITS))


def count(aspects: Iterable[Read], model: Likelihood | None, learned: Learned = "topics") -> Counter[str]:
    """How many aspects are covered rightly, wrongly, or open: by the rules, with `model` as `weighed_in_set` does."""
    return Counter(_state(aspect, model, learned) for aspect in aspects)


def _state(aspect: Read, model: Likelihood | None, learned: Learned) -> str:
    score, is_right = aspect.by_rules
    if model is not None and aspect.sentences:
        chances = [(model.chance(features), answer) for features, answer in aspect.sentences]
        chance, answer = max(chances)
        if score >= COVERED and chance < BOUNDS[learned].doubtful and not aspect.in_other_words:
            score = 0.0
        elif score < COVERED and chance >= BOUNDS[learned].covers:
            score, is_right = COVERED, answer
    return "open" if score < COVERED else "right" if is_right else "wrong"


def line(name: str, aspects: Sequence[Read], model: Likelihood, learned: Learned = "topics") -> str:
    """One line of the result."""
    before, after = count(aspects, None), count(aspects, model, learned)
    return (
        f"{name}: n {len(aspects)}; rules {before['right']} right, {before['wrong']} wrong; "
        f"with the model {after['right']} right, {after['wrong']} wrong"
    )


def main() -> None:
    """Fit, print what it is worth, and with --write keep it."""
    logging.disable(logging.CRITICAL)
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="keep the model that is fitted")
    options.add_argument("--only", choices=get_args(Learned), help="learn of these documents alone")
    given = options.parse_args()
    unread_of: dict[Learned, tuple[str, ...]] = {"topics": UNREAD, "filings": ALL_ON_FILINGS}
    wanted: list[Learned] = [learned for learned in unread_of if given.only in (None, learned)]
    by_set = {name: list(read(name, "dev")) for name in dict.fromkeys(chain(*map(_sets_of, wanted)))}
    for name in by_set:
        learned = _learned_of(name)
        others = [aspect for other in _sets_of(learned) if other != name for aspect in by_set[other]]
        if learned in wanted:
            print(line(f"{name}, not learned from", by_set[name], fit(others, learned), learned), flush=True)
    kept: dict[str, dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    for learned in wanted:
        unread_sets = unread_of[learned]
        model = fit((aspect for name in _sets_of(learned) for aspect in by_set[name]), learned)
        unread = [aspect for name in unread_sets for aspect in read(name, "final")]
        for told, is_alone in (("one aspect", True), ("several aspects", False)):
            mine = [aspect for aspect in unread if aspect.is_alone is is_alone]
            print(line(f"second halves of {learned}, {told}", mine, model, learned), flush=True)
        kept[learned] = {"bias": model.bias, "weights": dict(zip(FEATURES, model.weights, strict=True))}
    if given.write:
        PATH.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        print(f"written: {PATH.name}")


def _learned_of(name: str) -> Learned:
    return "filings" if name in ALL_ON_FILINGS else "topics"


def _sets_of(learned: Learned) -> tuple[str, ...]:
    """The sets that a model is learned from: of filings only theirs."""
    return ALL_ON_FILINGS if learned == "filings" else (*EXAMS, *ON_FILINGS)


if __name__ == "__main__":
    main()
