"""Cross-encoder: the candidates ranked again by a model that reads question and passage together. Off by default.

Its order is fused with that of the pool by reciprocal ranks (Cormack, Clarke and Büttcher, SIGIR 2009), because it sees
one passage at a time: what the pool knows of links, aspects and repeats would be lost. Where it cannot be used the run
goes on in the order of the pool and says why.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from adaq_core.errors import EmbeddingError
from adaq_core.events import Noticed
from adaq_core.model import Passage, RankedPassage
from adaq_core.retrieval.embedders import thread_count

STAGE = "rank"
UNUSED = "The cross-encoder could not be used"
MOST = 50
RRF_K = 60
_BATCH = 16
_REMEMBERED = 50_000

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
            found = [self._known[pair] for pair in pairs]
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found

    def _predicted(self, pairs: Sequence[Pair]) -> list[float]:
        self._model = self._model or self._load()
        rows = self._model.predict(list(pairs), batch_size=_BATCH, show_progress_bar=False)
        if rows.ndim != 1 or not all(row == row for row in rows):
            raise EmbeddingError(f"expected one number for each pair from the cross-encoder {self.name!r}, got others")
        return [round(float(row), 4) for row in rows]

    def _load(self) -> Any:
        for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS"):
            os.environ.setdefault(name, "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        here = os.environ["HF_HUB_OFFLINE"] != "0"
        try:
            import torch
            from sentence_transformers import CrossEncoder

            torch.set_num_threads(thread_count())
            return CrossEncoder(self.name, device="cpu", local_files_only=here)
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
        first, rest = list(ranked[:MOST]), list(ranked[MOST:])
        if self._works is False or not first:
            return [*first, *rest]
        try:
            scores = self._scorer.scores(question, [_text(each.passage) for each in first])
        except Exception as error:  # a model may be anybody's: whatever it raises is told and costs only itself
            self._works = False
            self.events.append(Noticed(STAGE, f"{UNUSED}: {_words(error)}. Candidates keep the order of the pool"))
            return [*first, *rest]
        if self._works is None:
            self._works = True
            self.events.append(Noticed(STAGE, f"Candidates are ranked again by the cross-encoder {self._scorer.name}"))
        return [*fused(first, scores), *rest]


def fused(ranked: Sequence[RankedPassage], scores: Sequence[float]) -> list[RankedPassage]:
    """The passages by the sum of the reciprocal ranks of both orders; ties as they came."""
    order = sorted(range(len(ranked)), key=lambda place: (-scores[place], place))
    places = {place: rank for rank, place in enumerate(order, start=1)}
    worth = [1 / (RRF_K + place + 1) + 1 / (RRF_K + places[place]) for place in range(len(ranked))]
    chosen = sorted(range(len(ranked)), key=lambda place: (-worth[place], place))
    return [
        replace(
            ranked[place],
            rank=rank,
            parts=(*ranked[place].parts, ("cross_encoder", scores[place])),
            reason="; ".join(part for part in (ranked[place].reason, f"cross-encoder: place {places[place]}") if part),
        )
        for rank, place in enumerate(chosen, start=1)
    ]


def _text(passage: Passage) -> str:
    return f"{passage.title}. {passage.text}" if passage.title else passage.text


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, EmbeddingError) else f"{type(error).__name__}: {error}"
