"""A made-up corpus of any size whose words are spread as in real texts; its texts are made when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import overload

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import CorpusCard, Passage
from adaq_core.retrieval.facets import ForwardIndex
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import LexicalIndex
from adaq_core.retrieval.mention_graph import MentionGraph
from adaq_core.text.tokens import tokens

WORDS = 200_000
LENGTH = 100
SENTENCE = 20
PER_DOCUMENT = 10


def vocabulary() -> list[str]:
    """Words that the tokeniser leaves as they are, the most frequent first."""
    syllables = [a + b for a in "bdfgklmnprtvz" for b in "aiou"]
    words = ("".join(parts) + "x" for size in (2, 3, 4) for parts in product(syllables, repeat=size))
    return list(islice((word for word in words if tokens(word) == [word]), WORDS))


class ZipfPassages(Sequence[Passage]):
    """`size` passages of `LENGTH` words in sentences of `SENTENCE`, ten to a document."""

    def __init__(self, size: int, *, seed: int = 7) -> None:
        self.words = vocabulary()
        rng = np.random.default_rng(seed)
        share = 1.0 / np.arange(1, len(self.words) + 1) ** 1.05
        edges = np.cumsum(share / share.sum())
        drawn = [np.searchsorted(edges, rng.random((part, LENGTH))) for part in _parts(size)]
        self.ids: NDArray[np.int32] = np.minimum(np.concatenate(drawn), len(self.words) - 1).astype(np.int32)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, number: int) -> Passage: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Passage]: ...
    def __getitem__(self, number: int | slice) -> Passage | Sequence[Passage]:
        """The passage, made now."""
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        words = [self.words[i] for i in self.ids[number].tolist()]
        sentences = (" ".join(words[at : at + SENTENCE]).capitalize() for at in range(0, LENGTH, SENTENCE))
        text = ". ".join(sentences) + "."
        document = number // PER_DOCUMENT
        return Passage(f"d{document}#{number % PER_DOCUMENT}", f"d{document}", "", text, end=len(text))

    def __iter__(self) -> Iterator[Passage]:
        return (self[i] for i in range(len(self)))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Word → number."""
        return {word: number for number, word in enumerate(self.words)}


def _parts(size: int, most: int = 50_000) -> list[int]:
    return [min(most, size - at) for at in range(0, size, most)]


def index_of(passages: ZipfPassages) -> PassageIndex:
    """The index, made from the numbers in place of the texts: the same arrays in a fraction of the time."""
    size = len(passages)
    flat = passages.ids.reshape(-1)
    lengths = np.full(size, LENGTH, dtype=np.int64)
    lexical = LexicalIndex.from_ids(flat.astype(np.int64), lengths, passages.numbers)
    sentences = LENGTH // SENTENCE
    # Piece 0 of a passage is its header, which is empty here.
    ends = np.concatenate([[0], np.arange(1, sentences + 1) * SENTENCE])
    pieces = np.concatenate([[0], (np.arange(size)[:, None] * LENGTH + ends).reshape(-1)]).astype(np.int64)
    forward = ForwardIndex(flat, pieces, np.arange(size + 1, dtype=np.int64) * (sentences + 1))
    ids = [f"d{n // PER_DOCUMENT}#{n % PER_DOCUMENT}" for n in range(size)]
    card = CorpusCard("zipf", f"zipf-{size}", -(-size // PER_DOCUMENT), size)
    return PassageIndex(card, passages, lexical=lexical, forward=forward, graph=no_names(size), ids=ids)


def no_names(size: int) -> MentionGraph:
    """The graph of a corpus in which no passage names another."""
    documents = np.arange(size, dtype=np.int32) // PER_DOCUMENT
    none = np.zeros(0, dtype=np.int32)
    return MentionGraph(
        keys=(),
        plain=frozenset(),
        document_of=documents,
        first_of=np.arange(0, size, PER_DOCUMENT, dtype=np.int32),
        target_starts=np.zeros(1, dtype=np.int64),
        targets=none,
        target_weights=np.zeros(0, dtype=np.float32),
        mention_starts=np.zeros(size + 1, dtype=np.int64),
        mention_entities=none,
        mention_sentences=none,
        holder_starts=np.zeros(1, dtype=np.int64),
        holders=none,
        edge_rows=none,
        edge_columns=none,
        edge_weights=np.zeros(0, dtype=np.float32),
    )


def queries(passages: ZipfPassages, number: int, *, seed: int = 3) -> list[str]:
    """Queries of eight words that stand in one passage together."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, len(passages), number)
    return [" ".join(passages.words[i] for i in rng.choice(passages.ids[row], 8, replace=False)) for row in chosen]
