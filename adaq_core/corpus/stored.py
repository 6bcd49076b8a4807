"""A corpus on disk: complete versions side by side, and a pointer that says which one counts.

corpora/<name>/current            the folder of the version that counts
corpora/<name>/<n>-<version>/     documents.jsonl · files.json · table.json · index/ · manifest.json

A version is written under another name, renamed, and only then pointed to; so whoever is killed at any moment leaves
the version before. The manifest, written last, holds the size and the SHA-256 of every other file. `Version` is what
lies there, `KeptCorpus` what changes it: one writer at a time, behind a lock.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from adaq_core.corpus.holdings import DocumentRow, FileRecord, Holdings, IngestReport, Tally
from adaq_core.corpus.ingest import (
    Built,
    Cancelled,
    FoundFile,
    StepReporter,
    build,
    drop_outside,
    scan,
    take_paths,
    touched,
)
from adaq_core.corpus.readers import MIB, Limits
from adaq_core.errors import CorpusError
from adaq_core.home import private_file, private_folder, writing
from adaq_core.model import CorpusCard, Document, Passage, fields_of, of_fields
from adaq_core.retrieval.dense import Keys, among, erase, passage_keys, stored_keys
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
    with _whole(version, "documents.jsonl") as lines:
        read = (of_fields(Document, json.loads(line)) for line in lines)
        documents = {document.document_id: document for document in read}
    return Holdings({record.key: record for record in load_files(version)}, documents)


def load_files(version: Version) -> list[FileRecord]:
    """The records of the files alone."""
    with _whole(version, "files.json") as file:
        records = json.load(file)
    return [of_fields(FileRecord, raw) for raw in records]


def load_table(version: Version) -> list[DocumentRow]:
    """The table of documents."""
    with _whole(version, "table.json") as file:
        rows = json.load(file)
    return [of_fields(DocumentRow, raw) for raw in rows]


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


@contextmanager
def _whole(version: Version, file: str) -> Iterator[TextIO]:
    """A file of a version, open; CorpusError when it is not what was written, or a writer has just swept it away."""
    try:
        damage = version.damage(thorough=True, only=file)
        if not damage:
            with (version.folder / file).open(encoding="utf-8") as opened:
                yield opened
            return
    except OSError as error:
        damage = str(error)
    raise CorpusError(f"corpus {version.card.name!r} is damaged ({damage}); {_WAY_OUT}")


def _write(draft: Path, holdings: Holdings, index: PassageIndex, table: Iterable[DocumentRow], mirrors: str) -> None:
    shutil.rmtree(draft, ignore_errors=True)
    private_folder(draft)
    with (draft / "documents.jsonl").open("w", encoding="utf-8", newline="\n") as lines:
        for document in holdings.documents.values():
            lines.write(json.dumps(document, default=fields_of, ensure_ascii=False) + "\n")
    _dump(draft / "files.json", list(holdings.files.values()))
    _dump(draft / "table.json", list(table))
    index.save(draft / "index")
    sums = {}
    for file in sorted(path for path in draft.rglob("*") if path.is_file()):
        _flush(file)
        sums[file.relative_to(draft).as_posix()] = (file.stat().st_size, _digest(file))
    _dump(draft / "manifest.json", {"format": FORMAT, "card": index.card, "mirrors": mirrors, "sums": sums})
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
    path.write_text(json.dumps(value, default=fields_of), encoding="ascii")


def _flush(path: Path) -> None:
    private_file(path)
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_DELETED = ".deleted-"

Change = Callable[[Holdings, Tally, StepReporter], None]


@dataclass(frozen=True, slots=True)
class KeptCorpus:
    """A corpus in the folder `place`; `notice` hears of damage that was mended, `wait` is how long a writer queues."""

    place: Path
    notice: Callable[[str], None]
    limits: Limits = field(default_factory=Limits)
    wait: float = 60.0

    @property
    def name(self) -> str:
        """Its name, which is that of its folder."""
        return self.place.name

    def current(self) -> Version | None:
        """The version that counts, if there is one."""
        return current_version(self.place)

    def change(self, change: Change, reporter: StepReporter) -> IngestReport:
        """Apply `change` to what the corpus holds and publish the outcome when it differs."""
        with self._lock():
            version = self.current()
            holdings = load_holdings(version) if version else Holdings()
            return self._carry_out(change, reporter, holdings, version, version.mirrors if version else "")

    def mirror(self, folder: Path, reporter: StepReporter) -> IngestReport:
        """Make the corpus hold what the folder holds; quick when no file was touched.

        What is damaged beyond reading is indexed again from the folder, with a notice.
        """
        result, problems = scan(folder)
        if (version := self._untouched(result)) is not None:
            unchanged = tuple(row.document_id for row in load_table(version))
            return IngestReport(unchanged=unchanged, errors=tuple(problems), passages=version.card.passages)

        def change(holdings: Holdings, tally: Tally, reporter: StepReporter) -> None:
            drop_outside(holdings, folder, tally)
            take_paths(holdings, [folder], limits=self.limits, tally=tally, reporter=reporter)

        with self._lock():
            version = self._sound()
            holdings = load_holdings(version) if version else Holdings()
            return self._carry_out(change, reporter, holdings, version, str(folder))

    def load(self, version: Version) -> tuple[Version, PassageIndex]:
        """The index of `version`, or of the one that replaces it when it is damaged or has just gone."""
        damage = version.damage(only="index/")
        if not damage:
            try:
                return version, PassageIndex.load(version.index_folder)
            except (CorpusError, OSError, ValueError, KeyError, TypeError) as error:
                damage = str(error)
        with self._lock():
            return self._rebuild(version, damage)

    def delete(self) -> bool:
        """Take the corpus away with all its versions; False when there is none."""
        with self._lock():
            if not self.place.is_dir():
                return False
            with self._erasing(_readable(self.place), ()):
                try:
                    self.place.rename(self.place.with_name(f"{_DELETED}{self.name}-{time.time_ns()}"))
                except OSError as error:
                    raise CorpusError(
                        f"corpus {self.name!r} could not be deleted ({error}); close what uses it"
                    ) from error
            for gone in self.place.parent.glob(f"{_DELETED}*"):
                shutil.rmtree(gone, ignore_errors=True)
            return True

    def _lock(self) -> AbstractContextManager[None]:
        try:
            private_folder(self.place.parent)
        except OSError as error:
            raise CorpusError(
                f"corpus {self.name!r} cannot be changed: {self.place.parent} is not writable ({error}); change its "
                "permissions, or set ADAQ_HOME to another folder"
            ) from error
        path = self.place.parent / ".locks" / f"{self.name}.lock"
        return writing(path, what=f"corpus {self.name!r}", wait=self.wait, error=CorpusError)

    def _carry_out(
        self, change: Change, reporter: StepReporter, holdings: Holdings, version: Version | None, mirrors: str
    ) -> IngestReport:
        begun = time.perf_counter()
        tally, before = Tally(), dict(holdings.files)
        built: Built | None = None
        try:
            change(holdings, tally, reporter)
            if tally.changed:
                built = build(holdings, name=self.name, reporter=reporter)
                with self._erasing(version, built.index.passages):
                    version = publish(self.place, holdings, built.index, built.table, mirrors=mirrors)
            elif version is not None and holdings.files != before:
                version = self._restamp(version, holdings)
        except Cancelled:
            return IngestReport(cancelled=True, passages=_size(version), seconds=time.perf_counter() - begun)
        report = replace(tally.report(), passages=_size(version), seconds=time.perf_counter() - begun)
        if built is None:
            return report
        return replace(report, duplicates=built.duplicates, near_duplicates=built.near_duplicates)

    @contextmanager
    def _erasing(self, version: Version | None, left: Sequence[Passage]) -> Iterator[None]:
        """Erase the vectors of the texts of `version` that are not `left` and that no other corpus holds.

        Before, so that whoever is killed leaves none behind, and after, since some may have been made meanwhile.
        """
        folder = self.place.parent.parent / "vectors"
        gone = self._gone(version, left, stored_keys(folder))
        erase(folder, gone)
        yield
        erase(folder, gone)

    def _gone(self, version: Version | None, left: Sequence[Passage], stored: Keys) -> Keys:
        keys = _keys_of(version)
        keys = keys[among(keys, stored)]
        if len(keys):
            keys = keys[~among(keys, passage_keys(left))]
        for place in self.place.parent.iterdir() if len(keys) else ():
            if place != self.place and not place.name.startswith("."):
                keys = keys[~among(keys, _keys_of(_readable(place)))]
        return keys

    def _restamp(self, version: Version, holdings: Holdings) -> Version:
        """Note that files were touched though they say the same, so that they are not read every time."""
        if damage := version.damage(only="index/"):
            return self._rebuild(version, damage)[0]
        index = PassageIndex.load(version.index_folder)
        return publish(self.place, holdings, index, load_table(version), mirrors=version.mirrors)

    def _rebuild(self, seen: Version, damage: str) -> tuple[Version, PassageIndex]:
        """Build the index again from the stored documents, unless a writer has meanwhile published a new version."""
        version = self.current()
        if version is None:
            raise CorpusError(f"corpus {self.name!r} has been deleted")
        if version.folder == seen.folder:
            holdings = load_holdings(version)
            built = build(holdings, name=self.name, reporter=StepReporter())
            version = publish(self.place, holdings, built.index, built.table, mirrors=version.mirrors)
            self.notice(f"the index of corpus {self.name!r} was built again from its documents ({damage})")
        return version, PassageIndex.load(version.index_folder)

    def _untouched(self, files: list[FoundFile]) -> Version | None:
        """The version that counts, if it is whole and no file of its folder was touched since."""
        try:
            version = self.current()
            if version is None or _damage(version) or touched(load_files(version), files):
                return None
        except CorpusError:
            return None
        return version

    def _sound(self) -> Version | None:
        """The version that counts, if what it says of its files and documents can be trusted."""
        try:
            version = self.current()
            damage = _damage(version) if version else ""
        except CorpusError as error:
            version, damage = None, str(error)
        if damage:
            self.notice(f"corpus {self.name!r} is indexed again from its folder ({damage})")
            return None
        return version


def _readable(place: Path) -> Version | None:
    """The version that counts; None when there is none or its manifest is damaged."""
    try:
        return current_version(place)
    except CorpusError:
        return None


def _keys_of(version: Version | None) -> Keys:
    """The keys of the vectors of its passages; none where they cannot be read."""
    if version is None:
        return passage_keys(())
    try:
        return passage_keys(PassageIndex.load(version.index_folder).passages)
    except (CorpusError, OSError, ValueError, KeyError, TypeError):
        return passage_keys(())


def _damage(version: Version) -> str:
    """What is wrong with the files that the index can be built again from."""
    for name in ("files.json", "table.json", "documents.jsonl"):
        if damage := version.damage(only=name):
            return damage
    return ""


def _size(version: Version | None) -> int:
    return version.card.passages if version else 0
