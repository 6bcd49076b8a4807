"""What an experiment is: which questions, which variants, under which conditions."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field
from typing import Any

from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.errors import InputError
from adaq_core.evaluation import variants
from adaq_core.evaluation.variants import SUBJECT, Variant, corpus_hash
from adaq_core.model import Budget

REFERENCES = ("static", "bm25")


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment before it is run. `limit` draws a sample with `seed`; others are compared to `reference`."""

    questions: QuestionSet
    variants: tuple[Variant, ...]
    k: int = 5
    k_of_subtopics: bool = False
    gold_removed: bool = False
    limit: int | None = None
    seed: int = 0
    model: str | None = None
    judges: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    reference: str | None = None

    def __post_init__(self) -> None:
        """Refuse a plan that cannot be run."""
        labels = [variant.label for variant in self.variants]
        if not labels:
            raise InputError("expected at least one method to evaluate, got none")
        if self.limit is not None and self.limit < 1:
            raise InputError(f"expected --limit of at least 1, got {self.limit}")
        if self.reference is not None and self.reference not in labels:
            raise InputError(f"expected a reference out of {', '.join(labels)}, got {self.reference!r}")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names under which results stand."""
        return tuple(variant.label for variant in self.variants)

    @property
    def compared_to(self) -> str:
        """The reference: as chosen, else the static single shot, else BM25, else the first that is not ADAQ."""
        if self.reference is not None:
            return self.reference
        baselines = [variant.label for variant in self.variants if variant.method != SUBJECT]
        return next((label for label in (*REFERENCES, *baselines) if label in self.labels), self.labels[0])

    @property
    def learning(self) -> frozenset[str]:
        """The labels of the variants that learn from the runs of others."""
        return frozenset(variant.label for variant in self.variants if variant.settings.learn)

    @property
    def vectors(self) -> bool:
        """Whether any variant searches with passage vectors."""
        return any(variant.vectors for variant in self.variants)

    @property
    def chosen(self) -> tuple[JudgedQuestion, ...]:
        """The questions to ask, in the set's order."""
        every = self.questions.questions
        if self.limit is None or self.limit >= len(every):
            return every
        places = sorted(random.Random(self.seed).sample(range(len(every)), self.limit))
        return tuple(every[place] for place in places)

    @property
    def removed(self) -> frozenset[str]:
        """The documents that are taken out of the corpus: those that answer a chosen question, where so asked."""
        if not self.gold_removed:
            return frozenset()
        subtopics = {each.document_id for question in self.chosen for each in question.subtopics}
        return frozenset(subtopics.union(*(question.gold_documents for question in self.chosen)))

    def configuration(self, variant: Variant) -> str:
        """The fingerprint of all that shapes a run of `variant`: settings, budget, model, corpus, code, teachers."""
        values: list[Any] = [self._shared(), asdict(variant)]
        if variant.settings.learn:
            values.append([question.question_id for question in self.chosen])
        return variants.of_values(values)

    def _shared(self) -> dict[str, Any]:
        corpus = self.questions.corpus
        return {
            "dataset": self.questions.name,
            "split": self.questions.split,
            "corpus": corpus_hash(corpus) if corpus else None,
            "model": self.model,
            "judges": self.judges,
            "k_of_subtopics": self.k_of_subtopics,
            "removed": sorted(self.removed),
            "budget": asdict(self.budget),
            "code": variants.of_code(),
        }

    def as_config(self) -> dict[str, Any]:
        """The plan as results.json keeps it."""
        shared = self._shared()
        return {
            "corpus_hash": shared["corpus"],
            "code_hash": shared["code"],
            "limit": self.limit,
            "seed": self.seed,
            "model": self.model,
            "judges": list(self.judges),
            "budget": shared["budget"],
            "reference": self.compared_to,
            "remarks": list(self.questions.remarks),
            "variants": {variant.label: asdict(variant) for variant in self.variants},
        }
