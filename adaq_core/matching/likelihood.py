"""How likely a sentence answers an aspect, seen beside the other sentences of the set.

The rules read each passage for itself. Whether their score is high enough shows in the set: a sentence that says half
of what is asked answers it where no other says nearly as much, and one of many that say a little does not. A logistic
model of what the rules measured, and of how far a sentence leads the others, was learned on judged questions
(`python -m benchmarks.likelihood`) and is kept in a small JSON artefact: one for documents on topics, and one for
filings, where a question shares more words with sentences that do not answer it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from adaq_core.matching.asked import asked_by
from adaq_core.matching.conditions import BROKEN, keeping
from adaq_core.matching.credit import terms_of_turn
from adaq_core.matching.lexicon import similarity
from adaq_core.matching.naming import subject_terms
from adaq_core.matching.sentences import ReadSentence, asks_more_than_a_subject, kind_of, read_against
from adaq_core.matching.shown import told_in_form
from adaq_core.model import AnswerKind, Finding, Passage, QueryAspect
from adaq_core.text.passages import turn_at
from adaq_core.text.tokens import Weigh

PATH = Path(__file__).parent / "likelihood.json"
Learned = Literal["topics", "filings"]  # of which documents a model was learned
KINDS: tuple[AnswerKind, ...] = tuple(sorted(kind for kind in get_args(AnswerKind) if kind != "fact"))
_COMPARED = ("score", "own", "alike")
_MEASURED = (
    "score", "names", "said", "near", "about", "opposed", "foreign", "kind", "slack", "presents",
    "own", "titled", "alike", "unsaid", "rarest", "units", "named", "length", "rank",
)  # fmt: skip
FEATURES = (*_MEASURED, "sentences", *(f"lead_{name}" for name in _COMPARED), *(f"is_{kind}" for kind in KINDS))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a likelihood decides; chosen on judged questions, looked at on halves that nothing was learned from."""

    covers: float = 0.40  # from it a sentence answers, also where the rules alone would not say so
    doubtful: float = 0.3  # below it no sentence of the set answers, whatever the rules say
    most: float = 0.45  # coverage of an aspect that only a doubtful sentence speaks to, below the threshold
    least: float = 0.5  # coverage by a sentence that answers


BOUNDS: Mapping[Learned, Bounds] = {"topics": Bounds(), "filings": Bounds(covers=0.26, doubtful=0.26)}
# A cause or a way is seldom told in the question's words: "four bolts were missing" is why a door plug blew out.
IN_OTHER_WORDS = frozenset(("reason", "way"))
# What has a shape: a sentence without a person, an amount or a place is likely about the thing, and no answer.
_SHOWN = frozenset(("person", "number", "amount", "date", "place", "organisation"))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of the set that speaks to an aspect: its finding, and its features in the order of FEATURES."""

    finding: Finding
    features: tuple[float, ...]

    @property
    def holds_kind(self) -> bool:
        """Whether the sentence holds the kind of answer that is asked for, by itself or beside it."""
        return self.features[FEATURES.index("kind")] > 0

    @property
    def is_opposed(self) -> bool:
        """Whether the sentence says the opposite of what is asked, or tells it of another thing."""
        return self.features[FEATURES.index("opposed")] > 0


@dataclass(frozen=True, slots=True)
class Likelihood:
    """A logistic model: a weight for each of its features, in their order, and a bias."""

    weights: tuple[float, ...]
    bias: float

    def chance(self, features: Sequence[float]) -> float:
        """Return the likelihood, in [0, 1]."""
        total = self.bias + math.fsum(w * x for w, x in zip(self.weights, features, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    @classmethod
    def of(cls, saved: Mapping[str, Any], features: Iterable[str]) -> Likelihood:
        """The model as an artefact keeps it: weights by the names of `features`, and a bias."""
        return cls(tuple(saved["weights"][name] for name in features), saved["bias"])


@cache
def _model(learned: Learned) -> Likelihood:
    return Likelihood.of(json.loads(PATH.read_text(encoding="utf-8"))[learned], FEATURES)


def weighed_in_set(
    aspect: QueryAspect,
    findings: Sequence[Finding],
    passages: Sequence[Passage],
    *,
    weigh: Weigh,
    learned: Learned = "topics",
) -> dict[Finding, Finding]:
    """For each finding on `aspect` whose score changes beside the other sentences of the set what it becomes.

    Findings that were read otherwise (a row of a table, a value that was worked out) stay, and with them the aspect.
    """
    made = candidates(aspect, findings, passages, weigh=weigh)
    if not made or any(told_in_form(aspect, passage) for passage in passages):
        return {}
    model, bounds = _model(learned), BOUNDS[learned]
    likely = {candidate.finding: model.chance(candidate.features) for candidate in made}
    by_id = {passage.passage_id: passage for passage in passages}
    fitting = [
        candidate
        for candidate in made
        if not candidate.is_opposed and _is_of_its_time(aspect, by_id[candidate.finding.passage_id], candidate.finding)
    ]
    holding = [candidate.finding for candidate in fitting if candidate.holds_kind or kind_of(aspect) not in _SHOWN]
    best = max(holding, key=lambda finding: (likely[finding], finding.score), default=None)
    if best is not None and likely[best] >= bounds.covers:
        score = max(best.score, bounds.least + (1 - bounds.least) * (likely[best] - bounds.covers))
        return {best: replace(best, score=round(score, 6))} if score > best.score else {}
    if max(likely.values()) < bounds.doubtful and kind_of(aspect) not in IN_OTHER_WORDS:
        return {f: replace(f, score=bounds.most) for f in likely if f.score > bounds.most}
    return {}


def _is_of_its_time(aspect: QueryAspect, passage: Passage, finding: Finding) -> bool:
    """Whether a sentence tells of no other time than is asked for: however likely it sounds, that answers nothing.

    The sentences of a filing may tell of its period by another day: there the score alone decides.
    """
    if "form" in dict(passage.metadata):
        return True
    times = [condition for condition in aspect.constraints if condition.kind in ("date", "period")]
    return all(keeping(time, passage, finding.quote) != "broken" for time in times)


def chances(aspect: QueryAspect, passages: Sequence[Passage], *, weigh: Weigh) -> dict[tuple[str, int], float]:
    """How likely each sentence that the rules read answers beside all others, in [0, 1], by passage and start.

    By what was learned of topics, of whatever documents they are: it compares them with each other.
    """
    findings = [_found(aspect, p, read) for p in passages for read in read_against(aspect, p, weigh=weigh)]
    made = candidates(aspect, findings, passages, weigh=weigh)
    return {(c.finding.passage_id, c.finding.start): _model("topics").chance(c.features) for c in made}


def _found(aspect: QueryAspect, passage: Passage, read: ReadSentence) -> Finding:
    start, end = read.sentence.start, read.sentence.end
    return Finding(aspect.aspect, passage.passage_id, passage.text[start:end], start, end, read.score)


def candidates(
    aspect: QueryAspect, findings: Sequence[Finding], passages: Sequence[Passage], *, weigh: Weigh
) -> tuple[Candidate, ...]:
    """The sentences of the set that the rules found on `aspect`, each with its features."""
    measured = list(_measured(aspect, findings, passages, weigh))
    kinds = [float(kind == kind_of(aspect)) for kind in KINDS]
    results = []
    for place, (finding, values) in enumerate(measured):
        others = [other for n, (_, other) in enumerate(measured) if n != place]
        leads = [values[name] - max((other[name] for other in others), default=0.0) for name in _COMPARED]
        features = (*(values[name] for name in _MEASURED), float(len(measured)), *leads, *kinds)
        results.append(Candidate(finding, features))
    return tuple(results)


def _measured(
    aspect: QueryAspect, findings: Sequence[Finding], passages: Sequence[Passage], weigh: Weigh
) -> Iterator[tuple[Finding, Mapping[str, float]]]:
    """For each finding that is a sentence read by the rules what they measured of it."""
    for rank, passage in enumerate(passages, start=1):
        if not asks_more_than_a_subject(aspect, passage.title):
            continue  # a passage on a facet or a definition is weighed whole
        mine = [f for f in findings if f.passage_id == passage.passage_id]
        read = {r.sentence.start: r for r in read_against(aspect, passage, weigh=weigh)} if mine else {}
        for finding in {f.start: f for f in mine}.values():
            if finding.start in read and finding.score != BROKEN:
                turn = turn_at(passage.text, finding.start)
                title = subject_terms(passage) | terms_of_turn(turn)
                values = _values(aspect, read[finding.start], title, weigh)
                yield finding, values | {"score": finding.score, "rank": float(rank)}


def _values(aspect: QueryAspect, read: ReadSentence, title: frozenset[str], weigh: Weigh) -> dict[str, float]:
    asked = asked_by(aspect)
    own = read.sentence.terms
    weights = {term: weigh(term) for term in asked.terms}
    total = sum(weights.values()) or 1.0
    said = sum(weight for term, weight in weights.items() if term in own)
    unsaid = {term: weight for term, weight in weights.items() if term not in own and term not in title}
    alike = sum(weight * similarity(term, own) for term, weight in unsaid.items())
    titled = total - sum(unsaid.values()) if weights else 0.0
    return {
        "names": read.names,
        "said": read.said,
        "near": read.near,
        "about": float(read.about),
        "opposed": float(read.opposed),
        "foreign": float(read.foreign),
        "kind": read.kind,
        "slack": read.slack,
        "presents": float(read.presents),
        "own": said / total,
        "titled": titled / total,
        "alike": (titled + alike) / total,
        "unsaid": float(len(unsaid)),
        "rarest": max(unsaid.values(), default=0.0),
        "units": float(len(asked.units)),
        "named": float(len(asked.names)),
        "length": float(len(own)),
    }
