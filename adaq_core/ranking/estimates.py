"""Is all the evidence in the set, and is there any? Two logistic models on the signs of a set, for every corpus.

The numbers are learned by `python -m adaq_core.evaluation.train_sufficiency` and kept in a small JSON artefact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from adaq_core.errors import AdaqError
from adaq_core.ranking.logistic import chance

PATH = Path(__file__).parent / "artefacts" / "sufficiency.json"
FORMAT = 1

SUFFICIENCY_SIGNS = (
    "inside", "second", "fifth", "tenth", "crowded", "facts", "met_known", "asks_values", "demands_unmet",
)  # fmt: skip
ANSWERABLE_SIGNS = (
    "clause_peak", "unheard", "named_titles", "asks_values", "tail", "names_met", "sources_absent",
    "core_weakest", "reports_met",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run thinks of its evidence: `lacking` says in words what the question names and the set has not."""

    sufficiency: float
    answerable: float
    limit: float
    lacking: tuple[str, ...] = ()

    @property
    def is_answerable(self) -> bool:
        """Whether the evidence may be presented as an answer."""
        return self.answerable >= self.limit

    @property
    def is_likely(self) -> bool:
        """Whether the corpus more likely than not holds an answer."""
        return self.answerable >= 0.5

    def capped(self, sufficiency: float) -> float:
        """What a ranker says of the same set: no more than the chance of an answer where there seems to be none."""
        return sufficiency if self.is_answerable else min(sufficiency, self.answerable)


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model over named signs."""

    names: tuple[str, ...]
    numbers: Mapping[str, Any]

    def probability(self, row: Mapping[str, float]) -> float:
        """What the model makes of the signs of one set."""
        return chance(self.numbers, np.array([row[name] for name in self.names]))


@dataclass(frozen=True, slots=True)
class Estimates:
    """Both models, and below which chance a run says that there is no answer."""

    sufficiency: Logistic
    answerable: Logistic
    limit: float

    def of(self, row: Mapping[str, float], *, lacking: tuple[str, ...] = ()) -> Estimate:
        """The estimate of one set."""
        whole, any_answer = (round(model.probability(row), 6) for model in (self.sufficiency, self.answerable))
        made = Estimate(whole, any_answer, limit=self.limit, lacking=lacking)
        return replace(made, sufficiency=made.capped(whole))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Estimates:
        """What the training wrote; AdaqError when it was trained on other signs."""
        held = {name: tuple(data.get(name, {}).get("signs", ())) for name in ("sufficiency", "answerable")}
        if data.get("format") != FORMAT or held != {"sufficiency": SUFFICIENCY_SIGNS, "answerable": ANSWERABLE_SIGNS}:
            raise AdaqError(
                "the estimates of sufficiency were trained on other signs than this version computes; train them again "
                "with python -m adaq_core.evaluation.train_sufficiency"
            )
        sufficiency, answerable = (Logistic(held[name], data[name]) for name in held)
        return cls(sufficiency, answerable, float(data["answerable"]["limit"]))


@cache
def shipped() -> Estimates:
    """The estimates that come with the product."""
    return Estimates.from_json(json.loads(PATH.read_text(encoding="utf-8")))
