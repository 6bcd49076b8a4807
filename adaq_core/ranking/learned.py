"""The learned ranker: small boosted trees over named features, kept in a versioned JSON artefact.

Which family applies is read off the corpus: "linked" where titles are proper names that other passages mention and
documents are short, "sourced" where documents have sources and days that questions can ask for, none elsewhere. In a
corpus of several kinds it is read off what matches the question best.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import AdaqError
from adaq_core.ranking.features import FIRST_FEATURES
from adaq_core.ranking.links import LINK_FEATURES
from adaq_core.ranking.scoring import LATER_FEATURES, Scoring
from adaq_core.retrieval import Corpus, Floats
from adaq_core.retrieval.index import is_name
from adaq_core.text.tokens import tokens

FAR = 2.5


def chance(numbers: Mapping[str, Any], values: NDArray[np.floating[Any]]) -> float:
    """The probability, by `mean`, `scale`, `weights` and `bias`.

    Each value counts for at most 2.5 deviations: a corpus unlike those of training must not push one out of all bounds.
    """
    mean, scale, weights = (np.array(numbers[name]) for name in ("mean", "scale", "weights"))
    scaled = np.clip((values - mean) / scale, -FAR, FAR)
    margin = float(scaled @ weights) + float(numbers["bias"])
    return float(1.0 / (1.0 + np.exp(-margin)))


@dataclass(frozen=True, slots=True)
class Trees:
    """An additive model of trees of equal depth, laid out as heaps: node n has the children 2n + 1 and 2n + 2.

    `feature` and `threshold` are [trees x inner nodes], `value` [trees x leaves]; a row goes left where
    row[feature] <= threshold. `names` are the features that the model was trained on, in order.
    """

    names: tuple[str, ...]
    base: float
    feature: NDArray[np.int64]
    threshold: Floats
    value: Floats

    def margin(self, rows: Floats) -> Floats:
        """The log odds of each row."""
        if not len(rows):
            return np.zeros(0, dtype=np.float32)
        goes_right = rows.T[self.feature] > self.threshold[:, :, None]
        value = self.value[:, :, None]
        while (nodes := value.shape[1] // 2) > 0:  # from the leaves up, all rows at once: each node takes a side
            level = goes_right[:, nodes - 1 : 2 * nodes - 1]
            left, right = value[:, ::2], value[:, 1::2]
            value = np.where(level, right, left)
        leaves = np.ascontiguousarray(value[:, 0].T)
        total: Floats = (self.base + leaves.sum(axis=1, dtype=np.float64)).astype(np.float32)
        return total

    def probability(self, rows: Floats) -> Floats:
        """The probability of each row."""
        return (1.0 / (1.0 + np.exp(-self.margin(rows)))).astype(np.float32)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values; thresholds and leaves with six digits."""
        return {
            "names": list(self.names),
            "base": round(self.base, 6),
            "feature": self.feature.tolist(),
            "threshold": [[float(f"{v:.6g}") for v in row] for row in self.threshold.tolist()],
            "value": [[float(f"{v:.6g}") for v in row] for row in self.value.tolist()],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Trees:
        """The model that `to_json` gave."""
        return cls(
            names=tuple(data["names"]),
            base=float(data["base"]),
            feature=np.array(data["feature"], dtype=np.int64),
            threshold=np.array(data["threshold"], dtype=np.float32),
            value=np.array(data["value"], dtype=np.float32),
        )


Family = Literal["linked", "sourced"]
ARTEFACTS = Path(__file__).parent / "artefacts"
FORMAT = 1
STAGES = ("first", "link", "later", "link_again", "later_again")
NAMES = {
    "first": FIRST_FEATURES,
    "link": LINK_FEATURES,
    "later": LATER_FEATURES,
    "link_again": LINK_FEATURES,
    "later_again": LATER_FEATURES,
}
_NAMED, _SHORT = 0.6, 1.5


@dataclass(frozen=True, slots=True)
class Learned:
    """One family of models, one per stage; probabilities come out of each."""

    family: Family
    models: dict[str, Trees]
    numbers: dict[str, Any] = field(default_factory=dict)

    @property
    def follows_links(self) -> bool:
        """Whether steps along names are part of it."""
        return "link" in self.models

    def first(self, rows: Floats) -> Floats:
        """P(evidence) from the question alone."""
        return self.models["first"].probability(rows)

    def link(self, rows: Floats, *, again: bool) -> Floats:
        """P(the target of a step is evidence)."""
        return self.models["link_again" if again else "link"].probability(rows)

    def later(self, rows: Floats, *, again: bool) -> Floats:
        """P(evidence) after a round of steps."""
        return self.models["later_again" if again else "later"].probability(rows)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready values."""
        models = {stage: self.models[stage].to_json() for stage in STAGES if stage in self.models}
        return {"format": FORMAT, "family": self.family, "numbers": self.numbers, "models": models}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Learned:
        """What `to_json` gave; AdaqError when it was trained on other features."""
        models = {stage: Trees.from_json(data["models"][stage]) for stage in STAGES if stage in data["models"]}
        for stage, trees in models.items():
            if data.get("format") != FORMAT or trees.names != NAMES[stage]:
                raise AdaqError(
                    f"the learned ranker's {stage!r} model was trained on other features than this version computes; "
                    "train it again with python -m adaq_core.training.ranker"
                )
        return cls(data["family"], models, data.get("numbers", {}))


def family_of(index: Corpus) -> Family | None:
    """The family that a corpus belongs to, by its own looks; None when it is of no kind that was trained on."""
    if index.is_linked:
        per_document = index.size / max(index.documents, 1)
        return "linked" if per_document <= _SHORT and index.named_titles >= _NAMED else None
    return "sourced" if index.of_dated_sources else None


@dataclass(frozen=True, slots=True)
class PartOfCorpus:
    """When a question leads to an encyclopedia among other documents, by the passages that match it best.

    Chosen where questions on 590 passages are asked among 59,000 of thirteen sets (docs/experiments.md, “Sections of
    long files”).
    """

    read: int = 30  # passages
    whole: float = 0.7  # least share of their documents that are one passage
    naming: float = 0.5  # least share of them that name another document


PART = PartOfCorpus()
_KEPT = 64  # questions
_PARTS: WeakKeyDictionary[Corpus, dict[str, Family | None]] = WeakKeyDictionary()


def family_for(index: Corpus, question: str) -> Family | None:
    """The family of the part of a corpus that a question leads to; that of the whole where it has one.

    An encyclopedia may stand among documents of many passages: what is asked of it is still linked by names.
    """
    family = family_of(index)
    if family is not None or not index.is_linked:
        return family
    kept = _PARTS.setdefault(index, {})
    if question not in kept:
        if len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[question] = "linked" if _leads_to_names(index, question) else None
    return kept[question]


def _leads_to_names(index: Corpus, question: str) -> bool:
    """Whether the documents of what matches a question best are short, titled by names, and name each other."""
    places = index.weigh(Counter(tokens(question))).best(PART.read)
    if len(places) < PART.read:
        return False  # too few to tell
    documents = np.unique(index.documents_of(places))
    titles = [passage.title for passage in index.fetch(index.firsts_of(documents))]
    whole = float((index.sizes_of(documents) == 1).mean())
    named = sum(map(is_name, titles)) / len(titles)
    naming = float((np.diff(index.links(places).starts) > 0).mean())
    return whole >= PART.whole and named >= _NAMED and naming >= PART.naming


@cache
def load(family: Family) -> Learned | None:
    """The artefact of a family; None when none was trained."""
    path = ARTEFACTS / f"{family}.json"
    if not path.exists():
        return None
    return Learned.from_json(json.loads(path.read_text(encoding="utf-8")))


SET_FEATURES = (
    "p1", "p2", "p3", "p4", "p5", "sum", "outside", "next", "share", "entropy", "uncovered", "density", "links",
    "clauses", "best_link_out", "top_words", "named_sources_met", "weakest_clause", "terms", "rounds",
)  # fmt: skip

# Where passages are linked by names these few carry over to a set that was not trained on; all of them do not.
FEW_FEATURES = ("p2", "p3", "share", "next", "entropy", "best_link_out", "uncovered", "density")


def set_features(scoring: Scoring, chosen: Sequence[int]) -> Floats:
    """What the chosen candidates (numbers, in order) look like as a set."""
    signals, reading = scoring.signals, scoring.reading
    inside = scoring.scores[list(chosen)]
    tops = np.zeros(5, dtype=np.float32)
    ordered = np.sort(inside)[::-1][:5]
    tops[: len(ordered)] = ordered
    rest = np.delete(scoring.scores, list(chosen))
    outside = np.sort(rest)[::-1][:30]
    words = scoring.pool.unit[list(chosen)]
    covered = np.array(words.any(axis=0, keepdims=True), dtype=np.bool_)
    positions = [scoring.positions[number] for number in chosen]
    weakest = min((float(score.of(positions).max(initial=0.0)) for score in signals.clause_scores), default=0.0)
    named = {code for facet, code in reading.demands if facet == "source"}
    total = float(inside.sum() + outside.sum())
    uncertainty = float(-(inside * np.log(np.clip(inside, 1e-6, 1))).sum())
    best_outside = outside[0] if len(outside) else 0.0
    values = (
        *tops, inside.sum(), outside.sum(), best_outside, inside.sum() / max(total, 1e-9),
        uncertainty, 1 - float(scoring.pool.coverage(covered)[0]),
        min(signals.index.link_density, 3.0), len({link.key for link in reading.links}), len(reading.clauses),
        _open_link(scoring, chosen), signals.top / scoring.pool.total, _met(scoring, positions, named), weakest,
        len(reading.terms) / 10, scoring.rounds,
    )  # fmt: skip
    return np.array(values, dtype=np.float32)


def _open_link(scoring: Scoring, chosen: Sequence[int]) -> float:
    """The best chance of a step's target that is not in the set."""
    inside = {scoring.positions[number] for number in chosen}
    outside = {step.target for step in scoring.steps} - inside
    return max((float(scoring.scores[scoring.number_of[target]]) for target in outside), default=0.0)


def _met(scoring: Scoring, positions: Sequence[int], named: set[int]) -> float:
    """The share of the named sources that the set has; 1 when none is named."""
    if not named:
        return 1.0
    codes = scoring.signals.index.codes_of("source", scoring.signals.documents(positions))
    return len(named & set(codes.tolist())) / len(named)


def columns(names: Sequence[str]) -> list[int]:
    """Where the features of those names stand in a row of `set_features`."""
    return [SET_FEATURES.index(name) for name in names]


def estimate(numbers: dict[str, Any], scoring: Scoring, chosen: Sequence[int]) -> float:
    """The probability that the chosen candidates hold all the evidence."""
    return chance(numbers, set_features(scoring, chosen)[columns(numbers.get("features", SET_FEATURES))])
