"""Passages → terms: every passage as term ids, sentence by sentence, for questions about a few passages at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import Passage
from adaq_core.text.dates import spelled
from adaq_core.text.sentences import sentences
from adaq_core.text.tokens import tokens

_ARRAYS = ("terms", "pieces", "passages")


@dataclass(frozen=True, slots=True)
class Matches:
    """Which wanted terms the pieces of some passages hold.

    `held` is [pieces x wanted]; passage i has the rows `starts[i]:starts[i + 1]`, the first of them its header; `sizes`
    counts the terms of each piece; `hits` has, term by term, the number of the wanted term or -1, `owner` its piece.
    """

    held: NDArray[np.bool_]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    hits: NDArray[np.int64]
    owner: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ForwardIndex:
    """The terms of each passage in pieces: piece 0 is its header (title, source, date), the others its sentences.

    Passage `i` has the pieces from `passages[i]` up to `passages[i + 1]`, piece `j` the terms from `pieces[j]` on.
    """

    terms: NDArray[np.int32]
    pieces: NDArray[np.int64]
    passages: NDArray[np.int64]

    @classmethod
    def build(cls, passages: Iterable[Passage], vocabulary: dict[str, int]) -> ForwardIndex:
        """Cut and number all passages; new terms are added to `vocabulary`."""
        terms: list[int] = []
        pieces, owners = [0], [0]
        for passage in passages:
            for piece in passage_pieces(passage):
                terms.extend([vocabulary.setdefault(term, len(vocabulary)) for term in tokens(piece)])
                pieces.append(len(terms))
            owners.append(len(pieces) - 1)
        return cls(np.array(terms, dtype=np.int32), np.array(pieces, dtype=np.int64), np.array(owners, dtype=np.int64))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Terms per passage, header included."""
        return np.diff(self.pieces[self.passages])

    def matches(
        self, positions: Sequence[int] | NDArray[np.int64], wanted: Sequence[Sequence[int]]
    ) -> tuple[Matches, NDArray[np.bool_]]:
        """Where the pieces of some passages hold the wanted terms.

        A wanted term is given as its ids: its own first (-1 when the corpus does not know it), then its kin's. The
        matrix besides is `held` with kin counted.
        """
        places = np.asarray(positions, dtype=np.int64)
        begins = self.passages[places]
        counts = self.passages[places + 1] - begins
        pieces = _ranges(begins, counts)
        sizes = self.pieces[pieces + 1] - self.pieces[pieces]
        ids = np.array([term for group in wanted for term in group], dtype=np.int64)
        number = np.array([n for n, group in enumerate(wanted) for _ in group], dtype=np.int64)
        exact = np.array([k == 0 for group in wanted for k in range(len(group))], dtype=np.bool_)
        place = _find(self.terms[_ranges(self.pieces[pieces], sizes)], ids)
        owner = np.repeat(np.arange(len(pieces)), sizes)
        held, kin = (np.zeros((len(pieces), len(wanted)), dtype=np.bool_) for _ in range(2))
        seen = np.flatnonzero(place >= 0)
        kin[owner[seen], number[place[seen]]] = True
        hits = np.full(len(place), -1, dtype=np.int64)
        same = seen[exact[place[seen]]]
        hits[same] = number[place[same]]
        held[owner[same], hits[same]] = True
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Matches(held, starts, sizes, hits, owner), kin

    def save(self, folder: Path) -> None:
        """Write the arrays into `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)

    @classmethod
    def load(cls, folder: Path) -> ForwardIndex:
        """What `save` wrote, memory-mapped."""
        try:
            return cls(
                *(np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)) for name in _ARRAYS)
            )
        except (OSError, ValueError) as error:
            raise CorpusError(f"expected a forward index in {folder}, got {error}; build the index again") from error


def _find(terms: NDArray[np.int32], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each term its place in `wanted`, or -1."""
    if len(wanted) == 0:
        return np.full(len(terms), -1, dtype=np.int64)
    order = np.argsort(wanted, kind="stable")
    place = np.minimum(np.searchsorted(wanted[order], terms), len(wanted) - 1)
    return np.where(wanted[order][place] == terms, order[place], -1)


def header(passage: Passage) -> str:
    """What is searched besides the text: title, source and date."""
    return " | ".join(part for part in (passage.title, passage.source, spelled(passage.date)) if part)


def passage_pieces(passage: Passage) -> list[str]:
    """The header and the sentences of a passage."""
    return [header(passage), *(passage.text[start:end] for start, end in sentences(passage.text))]


def _ranges(begins: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers begins[i] … begins[i] + counts[i] - 1, one range after another."""
    total = int(counts.sum())
    if total == 0:
        return np.zeros(0, dtype=np.int64)
    offsets = np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    return offsets + np.arange(total, dtype=np.int64)
