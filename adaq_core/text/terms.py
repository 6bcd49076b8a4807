"""The index terms of texts and sentences, and what share of those wanted is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from adaq_core.model import QueryAspect
from adaq_core.text.sentences import sentences
from adaq_core.text.tokens import tokens

Weigh = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: its range, and the index terms in it."""

    start: int
    end: int
    terms: frozenset[str]


@lru_cache(maxsize=1 << 14)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a passage with their index terms."""
    return tuple(Sentence(start, end, frozenset(tokens(text[start:end]))) for start, end in sentences(text))


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> frozenset[str]:
    """The index terms of `text`."""
    return frozenset(tokens(text))


def share(wanted: Iterable[str], there: frozenset[str], weigh: Weigh) -> float:
    """Share of the weight of `wanted` that is in `there`; 1.0 when nothing is wanted."""
    total = found = 0.0
    for term in set(wanted):
        weight = weigh(term)
        total += weight
        found += weight if term in there else 0.0
    return found / total if total else 1.0


def items_of(aspect: QueryAspect) -> list[frozenset[str]]:
    """The index terms of each thing that a comparison is about."""
    things = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", aspect.subject)
    return [terms for thing in things if (terms := terms_of(thing.split(" of ")[-1]))]


def uniform(_: str) -> float:
    """Every term weighs the same: what is known of rarity without a corpus."""
    return 1.0
