"""EntityFirstRanker: a passage is worth what it covers of the entities that are still missing. Replace, do not expand.

After SEAL-RAG (Lahmy and Yozevitch, 2025): the set keeps its size; a passage that names a missing entity takes the
place of one that names fewer. Names are matched as whole words, whatever their case, and under their other names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adaq_core.text.tokens import words

Chunk = Mapping[str, Any]

_COUNTRIES = (
    (re.compile(r"\bU\.\s?S\.(?:\s?A\.)?|\bUSA\b|\bUS\b"), "United States"),
    (re.compile(r"\bU\.\s?K\.|\bUK\b"), "United Kingdom"),
    (re.compile(r"\bE\.\s?U\.|\bEU\b"), "European Union"),
    (re.compile(r"\bU\.\s?N\.|\bUN\b"), "United Nations"),
)


class EntityFirstRanker:
    """Scores, ranks and replaces passages by the entities they name.

    A chunk is a mapping with its text under `content` (or `text`) and maybe a `title`. `replacement_threshold` is the
    improvement, in [0, 1], that a replacement must exceed; `aliases` are other names of entities.
    """

    def __init__(
        self, replacement_threshold: float = 0.1, *, aliases: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.replacement_threshold = replacement_threshold
        self._aliases = {name.casefold(): tuple(others) for name, others in (aliases or {}).items()}

    def compute_entity_coverage(self, chunk: Chunk, target_entities: Sequence[str]) -> tuple[float, list[str]]:
        """Share of `target_entities` that the chunk names, and which; (0.0, []) when there are none to name."""
        text = _spelled(_text(chunk))
        found = [entity for entity in target_entities if self._names(text, entity)]
        return (len(found) / len(target_entities) if target_entities else 0.0), found

    def find_replacement_candidates(
        self, current_chunks: Sequence[Chunk], new_chunks: Sequence[Chunk], missing_entities: Sequence[str]
    ) -> list[tuple[int, Chunk, float]]:
        """(index of the weakest replaceable chunk, new chunk, improvement), best first, ties in the order given.

        Each index comes once. A chunk that alone names an entity is replaceable only by one that names it too.
        """
        held = [self.compute_entity_coverage(chunk, missing_entities) for chunk in current_chunks]
        offers = [self.compute_entity_coverage(chunk, missing_entities) for chunk in new_chunks]
        weakest = sorted(range(len(held)), key=lambda i: (held[i][0], -i))
        candidates: list[tuple[int, Chunk, float]] = []
        for j in sorted(range(len(offers)), key=lambda j: (-offers[j][0], j)):
            for i in weakest:
                better = offers[j][0] - held[i][0] > self.replacement_threshold
                if better and _replaceable(i, [found for _, found in held], offers[j][1]):
                    candidates.append((i, new_chunks[j], offers[j][0] - held[i][0]))
                    weakest.remove(i)
                    break
        return candidates

    def replace_chunks(
        self,
        current_chunks: Sequence[Chunk],
        new_chunks: Sequence[Chunk],
        missing_entities: Sequence[str],
        budget: int,
    ) -> tuple[list[Chunk], list[str]]:
        """At most `budget` chunks after replacement, and the entities that they still do not name.

        Free places are filled first, each by the new chunk that names most of what is still missing; then a chunk goes
        out for one that names more than `replacement_threshold` above it.
        """
        chosen = list(current_chunks[:budget])
        waiting = list(new_chunks)
        while waiting:
            missing = self._missing(chosen, missing_entities)
            gains = [self.compute_entity_coverage(chunk, missing)[0] for chunk in waiting]
            best = max(range(len(waiting)), key=lambda j: (gains[j], -j))
            if gains[best] <= 0 or not self._place(chosen, waiting[best], missing_entities, budget):
                break
            waiting.pop(best)
        return chosen, self._missing(chosen, missing_entities)

    def rank_by_entity_coverage(
        self, chunks: Sequence[Chunk], entities: Sequence[str], top_k: int | None = None
    ) -> list[Chunk]:
        """The chunks by how many of `entities` they name, ties in the order given; at most `top_k`."""
        scores = [self.compute_entity_coverage(chunk, entities)[0] for chunk in chunks]
        order = sorted(range(len(chunks)), key=lambda i: (-scores[i], i))
        return [chunks[i] for i in order][:top_k]

    def _place(self, chosen: list[Chunk], chunk: Chunk, entities: Sequence[str], budget: int) -> bool:
        if len(chosen) < budget:
            chosen.append(chunk)
            return True
        candidates = self.find_replacement_candidates(chosen, [chunk], entities)
        if not candidates:
            return False
        chosen[candidates[0][0]] = chunk
        return True

    def _missing(self, chunks: Sequence[Chunk], entities: Sequence[str]) -> list[str]:
        texts = [_spelled(_text(chunk)) for chunk in chunks]
        return [entity for entity in entities if not any(self._names(text, entity) for text in texts)]

    def _names(self, spelled_text: str, entity: str) -> bool:
        known = (entity, *self._aliases.get(entity.casefold(), ()))
        return any((phrase := _spelled(name).strip()) and f" {phrase} " in spelled_text for name in known)


def _text(chunk: Chunk) -> str:
    return f"{chunk.get('title') or ''} . {chunk.get('content') or chunk.get('text') or ''}"


def _spelled(text: str) -> str:
    """The folded words with blanks around them, so that whole words can be looked for; U.S. is United States."""
    for pattern, name in _COUNTRIES:
        text = pattern.sub(name, text)
    return f" {' '.join(words(text))} "


def _replaceable(place: int, found: Sequence[Sequence[str]], new: Sequence[str]) -> bool:
    """Whether everything that the chunk at `place` names is named by another chunk or by the new one."""
    others = {entity for i, names in enumerate(found) if i != place for entity in names}
    return others.union(new).issuperset(found[place])
