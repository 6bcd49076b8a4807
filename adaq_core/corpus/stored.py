"""A corpus on disk: complete versions side by side, and a pointer that says which one counts.

corpora/<name>/current            the folder of the version that counts
corpora/<name>/<n>-<version>/     documents.jsonl · files.json · table.json · index/ · manifest.json

A version is written under another name, renamed, and only then pointed to; so whoever is killed at any moment leaves
the version before. The manifest, written last, holds the size and the SHA-256 of every other file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adaq_core.corpus.holdings import DocumentRow, FileRecord, Holdings
from adaq_core.corpus.reading import MIB
from adaq_core.errors import CorpusError
from adaq_core.home import private_file, private_folder
from adaq_core.model import CorpusCard, Document
from adaq_core.retrieval.dense import (
    Embedder,
    EmbeddingJob,
    MiniLM,
    PassageVectors,
    SentenceEncoder,
    start_embedding,
)
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex

FORMAT = 1
_HASHED_AT_OPENING = 64 * MIB
_UNFINISHED = "unfinished-"
_WAY_OUT = "delete it and add its files again"


@dataclass(frozen=True, slots=True)
class Version:
    """A stored version: its folder, its card, the folder it mirrors (or ""), and the sums of its files."""

    folder: Path
    card: CorpusCard
    mirrors: str
    sums: dict[str, tuple[int, str]]

    @property
    def index_folder(self) -> Path:
        """Where the passage index lies."""
        return self.folder / "index"

    def damage(self, *, thorough: bool = False, only: str = "") -> str:
        """What is wrong with the files (whose path begins with `only`); empty when they are whole.

        Sizes are always compared; contents when the version is small, or when `thorough`.
        """
        chosen = {path: sums for path, sums in self.sums.items() if path.startswith(only)}
        hashed = thorough or sum(size for size, _ in chosen.values()) <= _HASHED_AT_OPENING
        for path, (size, digest) in chosen.items():
            file = self.folder / path
            if not file.is_file():
                return f"{path} is missing"
            if file.stat().st_size != size:
                return f"{path} has {file.stat().st_size} bytes instead of {size}"
            if hashed and _digest(file) != digest:
                return f"{path} is not what was written"
        return ""


def current_version(place: Path) -> Version | None:
    """The version that counts; None when the corpus has none, CorpusError when its manifest cannot be read."""
    name = _pointed_to(place)
    while name:
        try:
            return _read_manifest(place / name)
        except (OSError, ValueError, KeyError, TypeError) as error:
            before, name = name, _pointed_to(place)
            if name == before:
                raise CorpusError(
                    f"corpus {place.name!r} is damaged ({place / name / 'manifest.json'}: {error}); {_WAY_OUT}"
                ) from error
    return None


def publish(
    place: Path, holdings: Holdings, index: PassageIndex, table: Iterable[DocumentRow], *, mirrors: str
) -> Version:
    """Write a new version and make it the one that counts; CorpusError (disk full …) leaves everything as it was."""
    draft = place / f"{_UNFINISHED}{os.getpid()}"
    folder = draft
    try:
        _write(draft, holdings, index, table, mirrors)
        folder = draft.rename(place / f"{_next_number(place):06d}-{index.card.version}")
        _point_to(place, folder.name)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise CorpusError(
            f"corpus {place.name!r} could not be written to {place} ({error}); it is as it was: free some space there, "
            "or set ADAQ_HOME to another folder"
        ) from error
    _sweep(place, folder.name)
    version = current_version(place)
    assert version is not None
    return version


def load_holdings(version: Version) -> Holdings:
    """The files and documents of a version; CorpusError when they are damaged."""
    _expect_whole(version, "documents.jsonl")
    files = {record.key: record for record in load_files(version)}
    return Holdings(files, {document.document_id: document for document in _documents(version.folder)})


def load_files(version: Version) -> list[FileRecord]:
    """The records of the files alone."""
    _expect_whole(version, "files.json")
    records = json.loads((version.folder / "files.json").read_text(encoding="utf-8"))
    return [FileRecord(**{name: _tuples(value) for name, value in raw.items()}) for raw in records]


def load_table(version: Version) -> list[DocumentRow]:
    """The table of documents."""
    _expect_whole(version, "table.json")
    rows = json.loads((version.folder / "table.json").read_text(encoding="utf-8"))
    return [DocumentRow(**{**raw, "card": _tuples(raw.get("card", ()))}) for raw in rows]


def _pointed_to(place: Path) -> str:
    try:
        return Path((place / "current").read_text(encoding="utf-8").strip()).name
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _read_manifest(folder: Path) -> Version:
    raw = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if raw["format"] != FORMAT:
        raise ValueError(f"it has format {raw['format']}, this ADAQ reads {FORMAT}")
    sums = {str(path): (int(size), str(digest)) for path, (size, digest) in raw["sums"].items()}
    return Version(folder, CorpusCard(**raw["card"]), str(raw["mirrors"]), sums)


def _expect_whole(version: Version, file: str) -> None:
    if damage := version.damage(thorough=True, only=file):
        raise CorpusError(f"corpus {version.card.name!r} is damaged ({damage}); {_WAY_OUT}")


def _documents(folder: Path) -> Iterator[Document]:
    with (folder / "documents.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            yield Document(**{name: _tuples(value) for name, value in raw.items()})


def _write(draft: Path, holdings: Holdings, index: PassageIndex, table: Iterable[DocumentRow], mirrors: str) -> None:
    shutil.rmtree(draft, ignore_errors=True)
    private_folder(draft)
    with (draft / "documents.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for document in holdings.documents.values():
            lines.write(json.dumps(asdict(document), ensure_ascii=False) + "\n")
    _dump(draft / "files.json", [asdict(record) for record in holdings.files.values()])
    _dump(draft / "table.json", [asdict(row) for row in table])
    index.save(draft / "index")
    sums = {}
    for file in sorted(path for path in draft.rglob("*") if path.is_file()):
        _flush(file)
        sums[file.relative_to(draft).as_posix()] = (file.stat().st_size, _digest(file))
    _dump(draft / "manifest.json", {"format": FORMAT, "card": asdict(index.card), "mirrors": mirrors, "sums": sums})
    _flush(draft / "manifest.json")


def _point_to(place: Path, name: str) -> None:
    pointer = place / "current.new"
    pointer.write_text(name, encoding="utf-8")
    _flush(pointer)
    pointer.replace(place / "current")


def _sweep(place: Path, keep: str) -> None:
    """Remove older versions and what a killed writer left; whoever has them open goes on reading."""
    for folder in place.iterdir():
        if folder.is_dir() and folder.name != keep:
            shutil.rmtree(folder, ignore_errors=True)


def _next_number(place: Path) -> int:
    numbers = [int(path.name.split("-")[0]) for path in place.iterdir() if path.name[:6].isdigit()]
    return max(numbers, default=0) + 1


def _dump(path: Path, value: Any) -> None:
    # In ASCII: the name of a file may hold bytes that are no UTF-8, which only an escape brings back as they were.
    path.write_text(json.dumps(value), encoding="ascii")


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value


def _flush(path: Path) -> None:
    private_file(path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


SMALL = 2_000
WARM_UP = "warm up"
_LOOK_AGAIN = 0.2


class VectorShelf:
    """The vectors of the corpora of this process, one set for each version of a corpus, made in the background."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder or chosen_embedder()
        self._vectors: dict[str, PassageVectors] = {}
        self._jobs: dict[str, EmbeddingJob] = {}
        self._lock = threading.Lock()

    def vectors(self, index: PassageIndex) -> PassageVectors:
        """The vectors of `index`, as many as there are."""
        with self._lock:
            key = _key(index)
            if key not in self._vectors:
                self._vectors[key] = PassageVectors(index, self._embedder)
            return self._vectors[key]

    def whole(self, index: PassageIndex) -> PassageVectors | None:
        """The vectors of `index` when every passage has one; None while some are missing."""
        vectors = self.vectors(index)
        return vectors if len(index.passages) and vectors.ready >= 1.0 else None

    def job(self, index: PassageIndex) -> EmbeddingJob | None:
        """The work on the vectors of `index`, running or over; None when none was started."""
        return self._jobs.get(_key(index))

    def start(self, index: PassageIndex) -> EmbeddingJob:
        """Make the missing vectors in the background; the job that runs already, when one does."""
        vectors = self.vectors(index)
        with self._lock:
            job = self._jobs.get(_key(index))
            if job is None or not job.running:
                job = self._jobs[_key(index)] = start_embedding(vectors)
            return job

    def retriever(
        self,
        index: PassageIndex,
        *,
        needs_vectors: bool,
        uses_vectors: bool = False,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> DocumentRetriever:
        """A retriever with the vectors of `index` when all of them are there.

        For a method that needs them the vectors of a small corpus (up to 2,000 passages) are made first. For one that
        uses them the model is loaded now: the time of a run, and its budget, are the method's own.
        """
        whole = self.whole(index)
        if whole is None and needs_vectors and 0 < len(index.passages) <= SMALL:
            job = self.start(index)
            while not job.wait(_LOOK_AGAIN) and not cancelled():
                pass
            whole = self.whole(index)
        if whole is not None and (needs_vectors or uses_vectors):
            whole.search(WARM_UP, 1)
        return DocumentRetriever(index, vectors=whole)


def chosen_embedder() -> Embedder:
    """The model that `ADAQ_EMBEDDING_MODEL` names (a sentence-transformers name or folder); MiniLM by default."""
    name = os.environ.get("ADAQ_EMBEDDING_MODEL", "").strip()
    return SentenceEncoder(name) if name else MiniLM()


def _key(index: PassageIndex) -> str:
    return f"{index.card.name}/{index.card.version}"


@cache
def shelf() -> VectorShelf:
    """The shelf of this process."""
    return VectorShelf()
