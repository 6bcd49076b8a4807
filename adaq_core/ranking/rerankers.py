"""Rerankers: by the names that a question and its passages share, and by a cross-encoder.

After SEAL-RAG (Lahmy and Yozevitch, 2025): the set keeps its size; a passage that names a missing entity takes the
place of one that names fewer. Names are matched as whole words, whatever their case, and under their other names.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from adaq_core.errors import EmbeddingError, in_words
from adaq_core.events import Noticed
from adaq_core.model import RankedPassage
from adaq_core.retrieval.dense import embedded_text, offline_by_default, thread_count
from adaq_core.text.tokens import words

Chunk = Mapping[str, Any]

_COUNTRIES = (  # what a text holds that names one, how it does, and the name
    (("U.", "US"), re.compile(r"\bU\.\s?S\.(?:\s?A\.)?|\bUSA\b|\bUS\b"), "United States"),
    (("U.", "UK"), re.compile(r"\bU\.\s?K\.|\bUK\b"), "United Kingdom"),
    (("E.", "EU"), re.compile(r"\bE\.\s?U\.|\bEU\b"), "European Union"),
    (("U.", "UN"), re.compile(r"\bU\.\s?N\.|\bUN\b"), "United Nations"),
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
        self._spelled: dict[str, tuple[str, ...]] = {}

    def compute_entity_coverage(self, chunk: Chunk, target_entities: Sequence[str]) -> tuple[float, list[str]]:
        """Share of `target_entities` that the chunk names, and which; (0.0, []) when there are none to name."""
        text = _spelled(_text(chunk))
        results = [entity for entity in target_entities if self._names(text, entity)]
        return (len(results) / len(target_entities) if target_entities else 0.0), results

    def find_replacement_candidates(
        self, current_chunks: Sequence[Chunk], new_chunks: Sequence[Chunk], missing_entities: Sequence[str]
    ) -> list[tuple[int, Chunk, float]]:
        """(index of the weakest replaceable chunk, new chunk, improvement), best first, ties in the order given.

        Each index comes once. A chunk that alone names an entity is replaceable only by one that names it too.
        """
        current = [self.compute_entity_coverage(chunk, missing_entities) for chunk in current_chunks]
        offers = [self.compute_entity_coverage(chunk, missing_entities) for chunk in new_chunks]
        weakest = sorted(range(len(current)), key=lambda i: (current[i][0], -i))
        candidates: list[tuple[int, Chunk, float]] = []
        for j in sorted(range(len(offers)), key=lambda j: (-offers[j][0], j)):
            for i in weakest:
                better = offers[j][0] - current[i][0] > self.replacement_threshold
                if better and _replaceable(i, [result for _, result in current], offers[j][1]):
                    candidates.append((i, new_chunks[j], offers[j][0] - current[i][0]))
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
        text = "\n".join(_spelled(_text(chunk)) for chunk in chunks)
        return [entity for entity in entities if not self._names(text, entity)]

    def _names(self, spelled_text: str, entity: str) -> bool:
        if entity not in self._spelled:
            known = (entity, *self._aliases.get(entity.casefold(), ()))
            self._spelled[entity] = tuple(phrase for name in known if (phrase := _spelled(name)).strip())
        return any(phrase in spelled_text for phrase in self._spelled[entity])


def _text(chunk: Chunk) -> str:
    return f"{chunk.get('title') or ''} . {chunk.get('content') or chunk.get('text') or ''}"


@lru_cache(maxsize=1 << 10)
def _spelled(text: str) -> str:
    """The folded words with blanks around them, so that whole words can be looked for; U.S. is United States."""
    for letters, pattern, name in _COUNTRIES:
        text = pattern.sub(name, text) if any(map(text.__contains__, letters)) else text
    return f" {' '.join(words(text))} "


def _replaceable(place: int, named: Sequence[Sequence[str]], new: Sequence[str]) -> bool:
    """Whether everything that the chunk at `place` names is named by another chunk or by the new one."""
    others = {entity for i, names in enumerate(named) if i != place for entity in names}
    return others.union(new).issuperset(named[place])


STAGE = "rank"
UNUSED = "The cross-encoder could not be used"
MOST = 50  # candidates that the cross-encoder reads
RRF_K = 60  # as in `retrieval.index`
_BATCH = 16  # pairs
_REMEMBERED = 50_000  # scores of pairs in memory

Pair = tuple[str, str]


class PairScorer:
    """A sentence-transformers cross-encoder by folder or name, loaded when first needed; scores are remembered.

    Nothing is downloaded unless `HF_HUB_OFFLINE=0` is set. Safe to share between threads.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._model: Any = None
        self._known: OrderedDict[Pair, float] = OrderedDict()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers `question`, to four digits; higher is better, the unit is the model's own.

        Raises:
            EmbeddingError: the model cannot be loaded, or gives no number for a pair.
        """
        pairs = [(question, text) for text in texts]
        with self._lock:
            new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
            if new:
                self._known |= zip(new, self._predicted(new), strict=True)
            results = [self._known[pair] for pair in pairs]
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return results

    def _predicted(self, pairs: Sequence[Pair]) -> list[float]:
        self._model = self._model or self._load()
        rows = self._model.predict(list(pairs), batch_size=_BATCH, show_progress_bar=False)
        if rows.ndim != 1 or not all(row == row for row in rows):
            raise EmbeddingError(f"expected one number for each pair from the cross-encoder {self.name!r}, got others")
        return [round(float(row), 4) for row in rows]

    def _load(self) -> Any:
        offline = offline_by_default()
        try:
            import torch
            from sentence_transformers import CrossEncoder

            torch.set_num_threads(thread_count())
            return CrossEncoder(self.name, device="cpu", local_files_only=offline)
        except Exception as error:  # the many ways in which a model cannot be loaded become one
            first = (str(error).strip().splitlines() or [""])[0][:300]
            raise EmbeddingError(
                f"expected a cross-encoder {self.name!r} in a folder or in the local cache "
                f"({type(error).__name__}: {first}); name a folder, or set HF_HUB_OFFLINE=0 to download it"
            ) from error


@lru_cache(maxsize=2)
def shared_scorer(name: str) -> PairScorer:
    """The scorer that this process shares, so that runs after the first find it loaded."""
    return PairScorer(name)


class Reranker:
    """Re-ranks for one run; `events` wait there until they are drained. After a failure it leaves the order alone."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self._works: bool | None = None
        self.events: list[Noticed] = []

    def drain(self) -> list[Noticed]:
        """What happened since the last time."""
        events, self.events = self.events, []
        return events

    def rerank(self, question: str, ranked: Sequence[RankedPassage]) -> list[RankedPassage]:
        """The first candidates in their new order, the others behind them; as they came where it cannot be used."""
        first = list(ranked[:MOST])
        rest = list(ranked[MOST:])
        if self._works is False or not first:
            return [*first, *rest]
        try:
            scores = self._scorer.scores(question, [embedded_text(each.passage) for each in first])
        except Exception as error:  # a model may be anybody's: whatever it raises is told and costs only itself
            self._works = False
            self.events.append(Noticed(STAGE, f"{UNUSED}: {in_words(error)}. Candidates keep the order of the pool"))
            return [*first, *rest]
        if self._works is None:
            self._works = True
            self.events.append(Noticed(STAGE, f"Candidates are ranked again by the cross-encoder {self._scorer.name}"))
        return [*fused(first, scores), *rest]


def fused(ranked: Sequence[RankedPassage], scores: Sequence[float]) -> list[RankedPassage]:
    """The passages by the sum of the reciprocal ranks of both orders; ties as they came."""
    order = sorted(range(len(ranked)), key=lambda place: (-scores[place], place))
    places = {place: rank for rank, place in enumerate(order, start=1)}

    def utility(place: int) -> float:
        return 1 / (RRF_K + place + 1) + 1 / (RRF_K + places[place])

    chosen = sorted(range(len(ranked)), key=lambda place: (-utility(place), place))
    return [
        replace(
            ranked[place],
            rank=rank,
            parts=(*ranked[place].parts, ("cross_encoder", scores[place])),
            reason="; ".join(part for part in (ranked[place].reason, f"cross-encoder: place {places[place]}") if part),
        )
        for rank, place in enumerate(chosen, start=1)
    ]
