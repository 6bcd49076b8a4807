"""A corpus and what a run fetched, searched as one: the same face as the corpus, the same scale for both.

Scores of two collections do not compare: each has its own idf, and what was searched for is rare in a corpus but stands
in most of what a search brought. So the run-local collection chooses its candidates (BM25 among themselves, then
similarity), and each of them gets the score that the corpus would give it: BM25 with the corpus's idf and mean length,
or the cosine by the corpus's embedder. A word that the corpus does not hold counts as much as the rarest of the query
that it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from adaq_core.model import Passage, ScoredPassage
from adaq_core.retrieval.dense import PassageVectors, embedded_text
from adaq_core.retrieval.embedders import Vectors
from adaq_core.retrieval.facets import Facets
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import K1, B
from adaq_core.retrieval.mention_graph import MentionGraph
from adaq_core.sources.collection import Similarity, indexed
from adaq_core.sources.live import Live
from adaq_core.text.tokens import tokens


class TextSimilarity:
    """Cosines by the embedder of a corpus, for texts that are not in it; each text is encoded once."""

    def __init__(self, corpus: PassageVectors) -> None:
        self._corpus = corpus
        self._known: dict[str, Vectors] = {}

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """The cosine of `query` and each text."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._corpus.embedder.encode(new), strict=True))
        asked = self._corpus.encode_queries([query])[0]
        return [float(self._known[text] @ asked) for text in texts]


_CANDIDATES = 30


class JoinedIndex(PassageIndex):
    """A corpus whose search also asks the live sources of a run; all else is the corpus's own."""

    def __init__(self, corpus: PassageIndex, live: Live) -> None:
        self.corpus, self.live = corpus, live
        self.card, self.passages = corpus.card, corpus.passages
        self.lexical, self.forward = corpus.lexical, corpus.forward

    also = " + live sources"
    is_stored = False

    @property
    def graph(self) -> MentionGraph:
        """Which passage of the corpus names which document."""
        return self.corpus.graph

    @property
    def facets(self) -> Facets:
        """What the metadata of the corpus's documents say."""
        return self.corpus.facets

    @property
    def acronyms(self) -> dict[str, str]:
        """What the acronyms of the corpus stand for."""
        return self.corpus.acronyms

    @property
    def of_dated_sources(self) -> bool:
        """Whether the corpus is of dated sources."""
        return self.corpus.of_dated_sources

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id, of the corpus or fetched; CorpusError when there is none."""
        if passage_id in self.live.collection:
            return self.live.collection.passage(passage_id)
        return self.corpus.passage(passage_id)

    def position(self, passage_id: str) -> int:
        """Where a passage of the corpus stands in it."""
        return self.corpus.position(passage_id)

    def place_of(self, passage_id: str) -> int | None:
        """Where a passage of the corpus stands in it; None for a fetched one."""
        return self.corpus.place_of(passage_id)

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages of both, best first, ties by id; the live sources are asked for `query` first."""
        self.live.ask(query)
        found = self.live.collection.retrieve(query, top_k=max(top_k, _CANDIDATES))
        fetched = [ScoredPassage(hit.passage, self.score_of(query, hit.passage), hit.rank) for hit in found]
        return _merged(self.corpus.search(query, top_k=top_k), fetched, top_k)

    def score_of(self, query: str, passage: Passage) -> float:
        """The BM25 score that the corpus would give a passage."""
        asked = Counter(tokens(query))
        idf = {term: self.lexical.term_idf(term) for term in asked}
        rarest = max(idf.values(), default=0.0) or 1.0
        words = tokens(indexed(passage))
        held, norm = Counter(words), K1 * (1 - B + B * len(words) / self._mean_length)
        return sum(
            count * (idf[term] or rarest) * held[term] * (K1 + 1) / (held[term] + norm) for term, count in asked.items()
        )

    @cached_property
    def _mean_length(self) -> float:
        """Index terms of a passage of the corpus, on average; 100 in an empty one."""
        lengths = self.forward.lengths
        return max(float(np.mean(lengths)), 1.0) if len(lengths) else 100.0


class JoinedVectors:
    """The vectors of a corpus, and those of fetched passages as they are needed."""

    def __init__(self, corpus: PassageVectors, live: Live, compare: Similarity) -> None:
        self.corpus, self.live = corpus, live
        self.embedder = corpus.embedder
        self._compare = compare

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query`; of the fetched ones those that its words bring near the top."""
        self.live.ask(query)
        found = self.live.collection.retrieve(query, top_k=max(top_k, _CANDIDATES))
        cosines = self._compare(query, [embedded_text(hit.passage) for hit in found])
        fetched = [
            ScoredPassage(hit.passage, float(cosine), hit.rank) for hit, cosine in zip(found, cosines, strict=True)
        ]
        return _merged(self.corpus.search(query, top_k), fetched, top_k)

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, remembered."""
        return self.corpus.encode_queries(queries)

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage."""
        there = [passage_id for passage_id in passage_ids if passage_id in self.live.collection]
        texts = [embedded_text(self.live.collection.passage(passage_id)) for passage_id in there]
        known = dict(zip(there, map(float, self._compare(query, texts)), strict=True))
        rest = [passage_id for passage_id in passage_ids if passage_id not in known]
        known |= dict(zip(rest, map(float, self.corpus.similarity(query, rest)), strict=True)) if rest else {}
        return np.array([known[passage_id] for passage_id in passage_ids], dtype=np.float32)


def _merged(here: Sequence[ScoredPassage], there: Sequence[ScoredPassage], top_k: int) -> list[ScoredPassage]:
    ordered = sorted([*here, *there], key=lambda hit: (-hit.score, hit.passage.passage_id))[: max(top_k, 0)]
    return [ScoredPassage(hit.passage, hit.score, rank) for rank, hit in enumerate(ordered, start=1)]
