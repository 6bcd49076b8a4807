"""Texts that say the same in almost the same words: MinHash over word triples, every find checked exactly.

Broder, "On the resemblance and containment of documents" (1997). 64 hashes in 16 bands of 4: a pair of resemblance 0.8
is met with probability 0.9998, one of 0.3 with 0.12 (and is then thrown out by the exact check).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

_HASHES, _ROWS, _TRIPLE = 64, 4, 3
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u9fff\uac00-\ud7af]+")
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """`document_id` repeats the earlier `of`; `similarity` is the share of word triples they have in common."""

    document_id: str
    of: str
    similarity: float


def content_hash(text: str) -> str:
    """The same for texts that differ in white space only."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def near_duplicates(texts: Sequence[tuple[str, str]], *, threshold: float = 0.8) -> list[NearDuplicate]:
    """For each (id, text) the earliest that resembles it by at least `threshold`, in order; time grows linearly.

    In a crowd of texts that share much but not enough, each is compared with the first and the previous of its bucket
    only, so a pair may be missed there.
    """
    triples = [_triples(text) for _, text in texts]
    filled = [number for number, hashes in enumerate(triples) if len(hashes)]
    if len(filled) < 2:
        return []
    results: dict[int, NearDuplicate] = {}
    for first, second in _candidates(np.stack([_signature(triples[number]) for number in filled])):
        earlier, later = filled[first], filled[second]
        if later not in results and (alike := resemblance(triples[earlier], triples[later])) >= threshold:
            results[later] = NearDuplicate(texts[later][0], texts[earlier][0], round(alike, 4))
    return [results[number] for number in sorted(results)]


def resemblance(first: Hashes, second: Hashes) -> float:
    """Jaccard similarity of two sorted arrays of distinct hashes, in [0, 1]; 0.0 when both are empty."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    together = len(first) + len(second) - common
    return common / together if together else 0.0


def _triples(text: str) -> Hashes:
    """Sorted distinct hashes of the word triples of `text`; of all its words when there are fewer than three."""
    read = (word.encode("utf-8", "surrogatepass") for word in _WORD.findall(text.lower()))
    words = np.array(list(map(crc32, read)), np.uint64)
    width = max(1, min(_TRIPLE, len(words)))
    mixed = np.zeros(max(0, len(words) - width + 1), np.uint64)
    for place, factor in enumerate(_odd_numbers()[:width]):
        mixed += (words[place : place + len(mixed)] + np.uint64(1)) * factor
    return np.unique(mixed ^ (mixed >> np.uint64(29)))


@cache
def _odd_numbers() -> Hashes:
    rng = np.random.default_rng(20_240_101)
    numbers = rng.integers(1 << 62, 1 << 63, size=_HASHES + _TRIPLE, dtype=np.uint64)
    return numbers | np.uint64(1)


def _signature(triples: Hashes) -> NDArray[np.uint32]:
    """The smallest value of the triples under each of 64 multiply-shift hashes."""
    factors = _odd_numbers()[_TRIPLE:]
    least = np.full(_HASHES, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(triples), _AT_ONCE):
        least = np.minimum(least, (triples[start : start + _AT_ONCE, None] * factors).min(axis=0))
    return (least >> np.uint64(32)).astype(np.uint32)


def _candidates(signatures: NDArray[np.uint32]) -> list[tuple[int, int]]:
    """Pairs (earlier, later) that agree in a whole band; per text and band the first and the previous of its bucket."""
    pairs: set[tuple[int, int]] = set()
    for start in range(0, _HASHES, _ROWS):
        rows = np.ascontiguousarray(signatures[:, start : start + _ROWS])
        band = rows.view(np.dtype((np.void, 4 * _ROWS))).ravel()  # the numbers of a row as one value
        _, bucket = np.unique(band, return_inverse=True)
        order = np.argsort(bucket, kind="stable")
        opens = np.concatenate([[True], np.diff(bucket[order]) > 0])
        starts = np.where(opens, np.arange(len(order)), 0)
        firsts = order[np.maximum.accumulate(starts)]
        later = np.flatnonzero(~opens)
        pairs.update(zip(firsts[later].tolist(), order[later].tolist(), strict=True))
        pairs.update(zip(order[later - 1].tolist(), order[later].tolist(), strict=True))
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))
