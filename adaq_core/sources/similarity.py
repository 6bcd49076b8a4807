"""How alike fetched texts and a query are, by the embedder of the corpus that is searched with them."""

from __future__ import annotations

from collections.abc import Sequence

from adaq_core.retrieval.dense import PassageVectors
from adaq_core.retrieval.embedders import Vectors


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
