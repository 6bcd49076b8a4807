"""Whether an answer may be given: the shipped estimates, and why one abstains, in words.

The numbers are learned by `python -m adaq_core.training.answerability` and kept in a small JSON artefact.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from adaq_core.answers.form import without_answer
from adaq_core.errors import AdaqError
from adaq_core.model import Answer
from adaq_core.question.reading import LONGEST
from adaq_core.ranking.learned import chance

PATH = Path(__file__).parent / "artefacts" / "sufficiency.json"
FORMAT = 4

FEATURES: Mapping[str, tuple[str, ...]] = {
    "sufficiency": (
        "inside", "second", "fifth", "tenth", "crowded", "facts", "met_known", "asks_values", "demands_unmet",
    ),
    "topics": ("inside", "agreed", "tail", "filing"),
    "some": ("inside", "second", "crowded", "facts", "met_known", "asks_values", "clause_peak", "names_bound"),
    "answerable": (
        "clause_peak", "unheard_bound", "named_titles", "asks_values", "names_bound", "sources_absent", "reports_met",
        "entitled",
    ),
    "titled": (
        "clause_peak", "unheard_bound", "named_titles", "asks_values", "names_bound", "entitled", "name_weight",
        "walk_mean",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """Below which chance of an answer a run says that there is none; all in [0, 1].

    Set on sets left out of the training: at most 3 % of the answerable questions of any set fall below.
    """

    bound: float = 0.48  # where passages name what they speak of
    loose: float = 0.30  # where they need not: speeches, untitled files, filings that say "we"
    bound_from: float = 0.3  # from which share of such passages
    named: float = 0.56  # … and the question names something that the set does not have, where most do
    named_from: float = 0.5  # from which share of such passages
    margin: float = 0.02  # above the limit, from which the nearest is quoted as what comes closest
    rest: float = 0.75  # where one passage holds this much of the question beside the missing names …
    longest: int = LONGEST  # terms of a question; beyond, nothing was learned and nothing is refused
    titled: float = 0.60  # where documents are titled by what they are about and something named has none
    of_another: float = 0.40  # … and from where what seems to answer is of another thing
    names: int = 1  # … so many missing names alone refuse nothing, unless every document is about one name

    def of(self, features: Mapping[str, float], *, lacks_a_name: bool = False) -> float:
        """The limit for a set with these features."""
        if features["titled"] > 0:
            return self.titled if lacks_a_name else self.bound
        if features["bound"] < self.bound_from:
            return self.loose
        return self.named if lacks_a_name and features["bound"] >= self.named_from else self.bound


REFUSAL = Refusal()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run thinks of its evidence.

    `sufficiency` is the chance that all of the evidence needed is in the set, `some` that part of it is, `answerable`
    that the corpus holds any. `missing` says in words what the question names and the set does not have. `is_beyond`
    tells that the question is longer than any that was learned from: then only `sufficiency` can be said. `by_titles`:
    the corpus has a document for each thing, so that a question about none of them can be told.
    """

    sufficiency: float
    answerable: float
    limit: float
    missing: tuple[str, ...] = ()
    some: float | None = None
    only_a_name: bool = False
    lacks_a_source: bool = False
    is_beyond: bool = False
    by_titles: bool = False

    @property
    def is_answerable(self) -> bool:
        """Whether the evidence may be presented as an answer.

        A missing name alone does not forbid it, nor does a doubt without anything that can be said to be missing, but
        where documents are titled by what they are about.
        """
        if self.by_titles:
            return self.answerable >= self.limit or self.is_beyond
        return self.answerable >= self.limit or self.only_a_name or self.is_beyond or not self.missing

    @property
    def is_of_another(self) -> bool:
        """Whether a passage that seems to answer must answer a question about something else."""
        return self.by_titles and self.answerable < REFUSAL.of_another and not self.is_beyond

    @property
    def is_likely(self) -> bool:
        """Whether the nearest may be quoted as what comes closest, although no aspect is covered for certain."""
        if self.by_titles:
            return self.is_answerable
        return self.answerable >= self.limit + REFUSAL.margin or self.only_a_name or self.is_beyond

    def capped(self, sufficiency: float) -> float:
        """What a ranker says of the same set: no more than the chance of an answer where there seems to be none."""
        if self.is_answerable and not self.is_beyond:
            return sufficiency
        return min(sufficiency, self.answerable)


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model over named features."""

    names: tuple[str, ...]
    numbers: Mapping[str, Any]

    def probability(self, features: Mapping[str, float]) -> float:
        """What the model makes of the features of one set."""
        return chance(self.numbers, np.array([features[name] for name in self.names]))


@dataclass(frozen=True, slots=True)
class Estimates:
    """The models; `titled` says what `answerable` does where documents are titled by what they are about.

    `topics` says what `sufficiency` does where facts are not looked up by names: for subjects and reports.
    """

    sufficiency: Logistic
    topics: Logistic
    some: Logistic
    answerable: Logistic
    titled: Logistic

    def of(
        self, features: Mapping[str, float], *, missing: tuple[str, ...] = (), unsaid: tuple[str, ...] = ()
    ) -> Estimate:
        """The estimate of one set; a word that is `unsaid` gives a doubt its reason, and is no ground for one."""
        by_titles = features["titled"] > 0
        looked_up = features["facts"] > 0
        models = (
            self.sufficiency if looked_up else self.topics,
            self.some,
            self.titled if by_titles else self.answerable,
        )
        whole, some, answerable = (round(model.probability(features), 6) for model in models)
        if not looked_up:
            some = max(some, whole)  # what `some` learned of facts says too little of reports
        made = Estimate(
            whole,
            answerable,
            limit=REFUSAL.of(features, lacks_a_name=bool(missing)),
            missing=missing or unsaid,
            some=some,
            only_a_name=_lacks_only_a_name(features),
            lacks_a_source=features["sources_absent"] > 0,
            is_beyond=features["terms"] > REFUSAL.longest,
            by_titles=by_titles,
        )
        return replace(made, sufficiency=min(made.capped(whole), some))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Estimates:
        """What the training wrote; AdaqError when it was trained on other features."""
        trained = {name: tuple(data.get(name, {}).get("features", ())) for name in FEATURES}
        if data.get("format") != FORMAT or trained != dict(FEATURES):
            raise AdaqError(
                "the estimates of sufficiency were trained on other features than this version computes; train them "
                "again with python -m adaq_core.training.answerability"
            )
        return cls(**{name: Logistic(trained[name], data[name]) for name in FEATURES})


def _lacks_only_a_name(features: Mapping[str, float]) -> bool:
    """Whether one passage holds the question but for a name that is nowhere, and the corpus is no encyclopedia."""
    if features["crowded"] or features["sources_absent"] != 0:
        return False
    rest_is_there = features["rest_best"] >= REFUSAL.rest
    return rest_is_there and 0 < features["unheard"] <= REFUSAL.names


@dataclass(frozen=True, slots=True)
class Recalibration:
    """What people's judgments of runs over one corpus say of the estimates there.

    Of `judged` runs `complete` had all the evidence they needed; the log-odds of an estimate are multiplied by `slope`,
    at least 0, so that the order stays, and `shift` is added.
    """

    judged: int
    complete: int
    shift: float
    slope: float

    def of(self, estimate: float) -> float:
        """The estimate, in [0, 1], as it stands on this corpus."""
        return _sigmoid(self.slope * _log_odds(estimate) + self.shift)


@dataclass(frozen=True, slots=True)
class Usual:
    """How estimates lie on a corpus before anybody judged: means and deviations of shift and slope, in log-odds.

    Chosen on eleven sets by the squared error of the rest after twenty judgments; with each set left out the choice is
    the same or beside it. A slope below 1: on a strange corpus an estimate says less than it seems to.
    """

    shift_deviation: float = 2.0  # about 0
    slope: float = 0.6
    slope_deviation: float = 0.4


USUAL = Usual()
ENOUGH_JUDGED = 20  # runs that people rated
_STEPS = 50  # of Newton's method; five are usual
_LONGEST_STEP = 2.0
_SUREST = 0.999  # no estimate is nearer to 0 or 1 than this


def recalibrated(judged: Sequence[tuple[float, bool]]) -> Recalibration | None:
    """Return the likeliest shift and slope by what was judged and what is usual; None for too few judgments.

    `judged` pairs the estimate of a run, in [0, 1], with whether its evidence was complete. Twenty of one kind make no
    certainty, for what is usual holds against them (Platt scaling with a normal prior: Platt, 1999).
    """
    if len(judged) < ENOUGH_JUDGED:
        return None
    odds = np.array([_log_odds(estimate) for estimate, _ in judged])
    came = np.array([was for _, was in judged], dtype=float)
    centre = float(odds.mean())
    level_of = np.ones(len(odds))
    columns = np.stack((level_of, odds - centre), axis=1)
    usual = np.array((USUAL.slope * centre, USUAL.slope))
    deviations = np.array((USUAL.shift_deviation, USUAL.slope_deviation))
    precision = np.diag(1 / deviations**2)
    numbers = usual
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-columns @ numbers))
        pull = precision @ (numbers - usual)
        gradient = columns.T @ (chances - came) + pull
        spread = chances * (1 - chances)
        curvature = (columns.T * spread) @ columns + precision
        step = np.linalg.solve(curvature, gradient)
        numbers = numbers - np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
    level, stretch = numbers.tolist()
    slope = max(stretch, 0.0)
    shift = level - slope * centre
    return Recalibration(len(judged), int(came.sum()), shift, slope)


def _log_odds(estimate: float) -> float:
    kept = min(_SUREST, max(1 - _SUREST, estimate))
    return math.log(kept / (1 - kept))


def _sigmoid(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


@cache
def shipped() -> Estimates:
    """The estimates that come with the product."""
    return Estimates.from_json(json.loads(PATH.read_text(encoding="utf-8")))


_MOST_REASONS = 4  # reasons in one sentence


def abstained(answer: Answer, *, missing: Sequence[str]) -> Answer:
    """The same evidence without the claim to be an answer: what is missing first, then the nearest passages."""
    if answer.abstained and not answer.statements:
        first, rest = answer.text.split("\n\n", maxsplit=1)
        text = f"{first} What is missing: {_missing(missing)}.\n\n{rest}" if missing else answer.text
        return replace(answer, text=text, status="not_in_corpus")
    text = without_answer(why_abstained(missing), answer.statements, answer.not_covered)
    return replace(
        answer, text=text, conflicts=(), abstained=True, short=None, likely=(), table=None, status="not_in_corpus"
    )


def why_abstained(missing: Sequence[str]) -> str:
    """One sentence, without its full stop."""
    return f"The corpus does not seem to hold an answer: {_missing(missing)}"


def _missing(missing: Sequence[str]) -> str:
    """The reasons, names of which the same can be said together; of "X" and "X of Y" the first says it."""
    told: dict[str, list[str]] = {}
    for reason in missing[:_MOST_REASONS]:
        what, quote, name = reason.partition("“")
        told.setdefault(what, []).append(f"{quote}{name}")
    reasons = [what + _either(names) for what, names in told.items()]
    return "; ".join(reasons) or "what was found fits the question only in part"


def _either(names: Sequence[str]) -> str:
    names = tuple(dict.fromkeys(names))
    begun = [f"{name.removesuffix('”')} " for name in names]
    *others, last = [name for name in names if not name.startswith(tuple(begun))]
    before = ", ".join(others)
    return f"{before} or {last}" if others else last
