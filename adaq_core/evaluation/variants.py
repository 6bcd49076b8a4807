"""Which methods an experiment compares, and the ablations of ADAQ by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adaq_core.errors import InputError
from adaq_core.methods import needs_vectors, uses_vectors
from adaq_core.model import Settings

SUBJECT = "adaptive"
WITHOUT = {
    "coverage_map": "without the map of what is covered: every hop asks for the whole question",
    "entity_first": "without entity-first choice of the evidence",
    "reranking": "without re-ranking of the pool",
    "constraints": "without the conditions (source, date …) that the question puts on evidence",
    "model_plan": "with --model, but aspects by rules",
    "model_refine": "with --model, but queries from templates",
    "model_read": "with --model, but passages read by rules",
    "model_critique": "with --model, but coverage scored by findings alone",
    "model_synthesise": "with --model, but an answer of quoted sentences",
}
SWEEPS = {
    "hops": ("hops2", "hops4", "hops6"),
    "threshold": ("threshold0.3", "threshold0.4", "threshold0.6", "threshold0.7"),
    "set_size": ("k2", "k3", "k8", "k10"),
    "model": ("model_plan", "model_refine", "model_read", "model_critique", "model_synthesise"),
}
OTHERS = {
    "oracle_aspects": "with the judges' sub-questions in place of the planner's aspects",
    "learned": "without the learned ranker",
    "vectors": "with the passage vectors, which it does not need",
}
_CAP = re.compile(r"hops([1-9]\d?)")
_THRESHOLD = re.compile(r"threshold(0?\.\d+|1(?:\.0)?)")
_SIZE = re.compile(r"k([1-9]\d?)")


@dataclass(frozen=True, slots=True)
class Variant:
    """A method with its settings under a label of its own.

    With `vectors` its retriever has the vectors of the corpus. They go to the methods that cannot do without and, where
    a corpus has nothing else to go by, to those that `may_use_vectors`: what a method is measured with
    must not depend on which others are measured beside it. An `oracle` is given the judges' sub-questions.
    """

    label: str
    method: str
    settings: Settings
    meaning: str = ""
    vectors: bool = False
    oracle: bool = False

    @property
    def may_use_vectors(self) -> bool:
        """Whether vectors would help the method, which does without where there are none."""
        return self.settings.use_dense and uses_vectors(self.method)


def variants(methods: Sequence[str], ablations: Sequence[str], settings: Settings) -> tuple[Variant, ...]:
    """One variant per method, then one of ADAQ per ablation; a sweep ("hops", "threshold") stands for its members."""
    plain = [
        Variant(method, method, settings, vectors=settings.use_dense and needs_vectors(method))
        for method in dict.fromkeys(methods)
    ]
    names = dict.fromkeys(member for name in ablations for member in SWEEPS.get(name, (name,)))
    return (*plain, *(ablation(name, settings) for name in names))


def learning(settings: Settings) -> Variant:
    """ADAQ with what its own runs on the other half of the questions taught it about wordings."""
    meaning = "with wordings chosen by what they gained in its runs on the other half of the questions"
    return Variant(f"{SUBJECT}--learn", SUBJECT, replace(settings, learn=True), meaning)


def reranking(settings: Settings, cross_encoder: str) -> Variant:
    """ADAQ with a cross-encoder over its candidates."""
    changed = replace(settings, cross_encoder=cross_encoder)
    return Variant(f"{SUBJECT}--cross_encoder", SUBJECT, changed, f"with candidates ranked again by {cross_encoder}")


def ablation(name: str, settings: Settings) -> Variant:
    """ADAQ changed in the one way that `name` says; InputError names the ablations there are."""
    label = f"{SUBJECT}--{'no-' if name in WITHOUT or name == 'learned' else ''}{name}"
    if name in WITHOUT:
        return Variant(label, SUBJECT, replace(settings, ablate=(*settings.ablate, name)), WITHOUT[name])
    if name in OTHERS:
        changed = replace(settings, learned=False) if name == "learned" else settings
        return Variant(
            label, SUBJECT, changed, OTHERS[name], vectors=name == "vectors", oracle=name == "oracle_aspects"
        )
    if changed_settings := _swept(name, settings):
        return Variant(label, SUBJECT, *changed_settings)
    raise InputError(
        f"expected an ablation out of {', '.join((*WITHOUT, *OTHERS, *SWEEPS))}, or hops2, threshold0.4 "
        f"and the like, got {name!r}"
    )


def _swept(name: str, settings: Settings) -> tuple[Settings, str] | None:
    if cap := _CAP.fullmatch(name):
        most = int(cap[1])
        return replace(settings, max_hops=most, min_hops=min(settings.min_hops, most)), f"at most {most} hops"
    if threshold := _THRESHOLD.fullmatch(name):
        return replace(settings, coverage_threshold=float(threshold[1])), f"an aspect is covered from {threshold[1]}"
    if size := _SIZE.fullmatch(name):
        return replace(settings, k=int(size[1])), f"evidence of {size[1]} passages"
    return None
