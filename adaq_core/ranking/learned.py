"""The learned ranker: small boosted trees over named features, kept in a versioned JSON artefact.

Which family applies is read off the corpus: "linked" where titles are proper names that other passages mention and
documents are short, "sourced" where documents have sources and days that questions can ask for, none elsewhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import AdaqError
from adaq_core.ranking.features import FIRST_FEATURES
from adaq_core.ranking.links import LINK_FEATURES
from adaq_core.ranking.scoring import LATER_FEATURES
from adaq_core.ranking.trees import Trees
from adaq_core.retrieval.index import PassageIndex

Floats = NDArray[np.float32]
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
        """Whether steps over the mention graph are part of it."""
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


def family_of(index: PassageIndex) -> Family | None:
    """The family that a corpus belongs to, by its own looks; None when it is of no kind that was trained on."""
    if index.graph.is_dense:
        per_document = len(index.graph.document_of) / max(len(index.graph.first_of), 1)
        return "linked" if per_document <= _SHORT and index.named_titles >= _NAMED else None
    return "sourced" if index.of_dated_sources else None


@cache
def load(family: Family) -> Learned | None:
    """The artefact of a family; None when none was trained."""
    path = ARTEFACTS / f"{family}.json"
    if not path.exists():
        return None
    return Learned.from_json(json.loads(path.read_text(encoding="utf-8")))
