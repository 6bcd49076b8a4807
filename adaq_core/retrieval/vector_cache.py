"""Vectors on disk, by model and content: made once, found again in every corpus.

vectors/<model>/keys.bin       16 bytes per text: a hash of what was encoded
vectors/<model>/vectors.f32    one row of float32 per key, in the same order

Both only grow. Rows are written and flushed before their keys, so whatever a killed process leaves behind the last
complete pair is cut off by the next writer, and no reader ever looks at it.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import EmbeddingError
from adaq_core.home import home, writing
from adaq_core.retrieval.embedders import Vectors

Keys = NDArray[np.uint64]

_KEY_BYTES = 16


def content_keys(texts: Sequence[str]) -> Keys:
    """The keys of texts, shape (n, 2)."""
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest() for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").reshape(-1, 2)


class VectorCache:
    """The stored vectors of one model. Several threads and processes may read and add."""

    def __init__(self, model: str, dimension: int, folder: Path | None = None, *, wait: float = 30.0) -> None:
        self.dimension = dimension
        self._folder = (folder or home() / "vectors") / _safe(model)
        self._wait = wait
        self._lock = threading.Lock()
        self._size = -1
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sorted: Keys = np.zeros((0, 2), np.uint64)

    def __len__(self) -> int:
        """How many rows are stored."""
        return min(_bytes(self._keys) // _KEY_BYTES, _bytes(self._rows) // (4 * self.dimension))

    def find(self, keys: Keys) -> tuple[NDArray[np.bool_], Vectors]:
        """Which keys are stored, and the vectors of those, in order. A damaged row counts as not stored."""
        places = self._places(keys)
        known = np.flatnonzero(places >= 0)
        if not len(known):
            return np.zeros(len(keys), np.bool_), np.zeros((0, self.dimension), np.float32)
        stored = np.memmap(self._rows, np.float32, mode="r", shape=(len(self), self.dimension))
        rows = np.asarray(stored[places[known]])
        with np.errstate(all="ignore"):
            whole = np.abs(np.einsum("ij,ij->i", rows, rows) - 1) < 0.01
        have = np.zeros(len(keys), np.bool_)
        have[known[whole]] = True
        return have, rows[whole]

    def add(self, keys: Keys, vectors: Vectors) -> None:
        """Store unit vectors under their keys; EmbeddingError when the disk does not take them."""
        if len(keys) != len(vectors) or vectors.shape[1:] != (self.dimension,):
            raise ValueError(f"expected {len(keys)} rows of {self.dimension}, got an array of shape {vectors.shape}")
        with writing(self._folder / "lock", what="the store of vectors", wait=self._wait, error=EmbeddingError):
            count = len(self)
            try:
                _append(self._rows, np.ascontiguousarray(vectors, "<f4").tobytes(), at=count * 4 * self.dimension)
                _append(self._keys, np.ascontiguousarray(keys, "<u8").tobytes(), at=count * _KEY_BYTES)
            except OSError as error:
                raise EmbeddingError(
                    f"vectors could not be written to {self._folder} ({error}); those before are kept: free some space"
                ) from error

    @property
    def _keys(self) -> Path:
        return self._folder / "keys.bin"

    @property
    def _rows(self) -> Path:
        return self._folder / "vectors.f32"

    def _places(self, keys: Keys) -> NDArray[np.int64]:
        """The row of each key, the latest when it was stored twice; -1 when it is not."""
        with self._lock:
            self._refresh()
            if not self._size:
                return np.full(len(keys), -1, np.int64)
            near = np.searchsorted(self._sorted[:, 0], keys[:, 0], side="right") - 1
            same = (near >= 0) & (self._sorted[near] == keys).all(axis=1)
            return np.where(same, self._order[near], -1)

    def _refresh(self) -> None:
        size = len(self)
        if size == self._size:
            return
        keys = np.fromfile(self._keys, dtype="<u8", count=2 * size).reshape(-1, 2) if size else np.zeros((0, 2), "<u8")
        self._order = np.argsort(keys[:, 0], kind="stable")
        self._sorted = keys[self._order]
        self._size = size


def _append(path: Path, data: bytes, *, at: int) -> None:
    """Write at a place, cutting off what a killed writer left behind it."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.truncate(at)
        file.seek(at)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _safe(model: str) -> str:
    """A folder name for a model: its own when that is harmless, else the harmless part and a hash."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,79}", model):
        return model
    kept = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:60]
    return f"{kept}-{hashlib.sha256(model.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
