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
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from adaq_core.corpus.holdings import DocumentRow, FileRecord, Holdings
from adaq_core.corpus.reading import MIB
from adaq_core.errors import CorpusError
from adaq_core.home import private_file, private_folder
from adaq_core.model import CorpusCard, Document
from adaq_core.retrieval.index import PassageIndex

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
    folders = (path.name for path in place.iterdir())
    numbers = [int(name.split("-")[0]) for name in folders if name[:6].isdigit()]
    return max(numbers, default=0) + 1


def _dump(path: Path, value: Any) -> None:
    # In ASCII: the name of a file may hold bytes that are no UTF-8, which only an escape brings back as they were.
    path.write_text(json.dumps(value), encoding="ascii")


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(each) for each in value)
    return value


def _flush(path: Path) -> None:
    private_file(path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
