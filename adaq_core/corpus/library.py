"""The corpora at hand: open, add to, look into and delete them."""

from __future__ import annotations

import logging
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from adaq_core.corpus.holdings import DocumentRow, Holdings, IngestReport, Tally
from adaq_core.corpus.ingest import (
    Built,
    Cancelled,
    FoundFile,
    Progress,
    StepReporter,
    Upload,
    build,
    drop_outside,
    scan,
    take_paths,
    take_uploads,
    touched,
)
from adaq_core.corpus.reading import Limits
from adaq_core.corpus.stored import Version, current_version, load_files, load_holdings, load_table, publish
from adaq_core.errors import CorpusError
from adaq_core.home import BUNDLED, home, private_folder, writing
from adaq_core.model import CorpusCard, Passage
from adaq_core.retrieval.dense import passage_keys
from adaq_core.retrieval.embedders import Keys, among, erase, stored_keys
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.milvus import is_address, open_corpus

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
        private_folder(self.place.parent)
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
        return _report(tally, built, _size(version), time.perf_counter() - begun)

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
    try:
        return passage_keys(PassageIndex.load(version.index_folder).passages if version is not None else ())
    except (CorpusError, OSError, ValueError, KeyError, TypeError):
        return passage_keys(())


def _damage(version: Version) -> str:
    """What is wrong with the files that the index can be built again from."""
    names = ("files.json", "table.json", "documents.jsonl")
    return next((damage for name in names if (damage := version.damage(only=name))), "")


def _report(tally: Tally, built: Built | None, passages: int, seconds: float) -> IngestReport:
    return IngestReport(
        tuple(tally.added),
        tuple(tally.unchanged),
        tuple(tally.updated),
        tuple(tally.removed),
        built.duplicates if built else (),
        built.near_duplicates if built else (),
        tuple(tally.errors),
        tuple(tally.notices),
        passages,
        seconds,
    )


def _size(version: Version | None) -> int:
    return version.card.passages if version else 0


SAMPLE = "sample"

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_SAMPLE_REST = 1.0
_log = logging.getLogger(__name__)


class CorpusLibrary:
    """All corpora in a home folder. Threads and processes may share it: one writes at a time, readers never wait.

    `notice` hears what a user should know (a damaged index that was built again); by default it is logged. `wait` is
    for how many seconds a writer waits for another. The bundled files are looked at once a second at most.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        limits: Limits | None = None,
        sample: Path | None = None,
        notice: Callable[[str], None] | None = None,
        wait: float = 60.0,
    ) -> None:
        self._root = (folder or home()) / "corpora"
        self._limits = limits or Limits()
        self._sample = sample or BUNDLED / "corpus"
        self._notice = notice or _log.warning
        self._wait = wait
        self._sample_due = 0.0
        self._opened: dict[str, tuple[Path, PassageIndex]] = {}
        self._opening = threading.RLock()

    def names(self) -> list[str]:
        """The names of all corpora: the bundled one first, then by alphabet."""
        there = self._root.iterdir() if self._root.is_dir() else iter(())
        own = {path.name for path in there if _NAME.fullmatch(path.name) and (path / "current").is_file()}
        return [SAMPLE, *sorted(own - {SAMPLE})]

    def card(self, name: str) -> CorpusCard:
        """Name, version and size of a corpus."""
        return self._version(name).card

    def cards(self) -> list[CorpusCard]:
        """The cards of all corpora that can be read, the bundled one first; `check` says what is wrong with others."""
        results = []
        for name in self.names():
            try:
                results.append(self.card(name))
            except CorpusError as error:
                self._notice(str(error))
        return results

    def documents(self, name: str) -> list[DocumentRow]:
        """The table of its documents, by file."""
        version = self._version(name)
        try:
            return load_table(version)
        except CorpusError:
            newer = self._version(name)
            if newer.folder == version.folder:
                raise
            return load_table(newer)

    def holdings(self, name: str) -> Holdings:
        """The files and documents of a corpus as they are stored."""
        return load_holdings(self._version(name))

    def open(self, name: str) -> PassageIndex:
        """The searchable corpus, memory-mapped; the same object until the corpus changes.

        An index that is damaged, or of an older format, is built again from the stored documents.
        """
        with self._opening:
            version = self._version(name)
            opened = self._opened.get(name)
            if opened is None or opened[0] != version.folder:
                version, index = self._kept(name).load(version)
                opened = self._opened[name] = (version.folder, index)
            return opened[1]

    def open_folder(self, folder: Path, *, progress: Progress | None = None) -> PassageIndex:
        """The corpus made of a folder of files, or of a BEIR folder; indexed now when it is new or was touched."""
        return self.open(self.index_folder(folder, progress=progress)[0])

    def index_folder(
        self, folder: Path, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
    ) -> tuple[str, IngestReport]:
        """Bring the corpus that mirrors `folder` up to date; its name, which comes from the path, and what happened."""
        root = Path(folder).expanduser().resolve()
        name = folder_name(root)
        report = self._kept(name).mirror(root, StepReporter(progress, cancelled))
        if report.passages or report.cancelled:
            return name, report
        reasons = "; ".join(f"{problem.file}: {problem.reason}" for problem in report.errors[:3]) or "it is empty"
        raise CorpusError(f"expected a folder with documents, but nothing in {root} can be read ({reasons})")

    def add(
        self,
        name: str,
        *,
        paths: Sequence[Path] = (),
        uploads: Sequence[Upload] = (),
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> IngestReport:
        """Add files, folders, or uploads (name, bytes) to a corpus, which is made when it is new.

        Files known already are read again only when they changed; files that are gone from a folder given before are
        taken out with it. What cannot be read is listed with the reason, and the rest goes in.
        """

        def change(holdings: Holdings, tally: Tally, reporter: StepReporter) -> None:
            take_paths(holdings, [Path(path) for path in paths], limits=self._limits, tally=tally, reporter=reporter)
            take_uploads(holdings, uploads, limits=self._limits, tally=tally, reporter=reporter)

        return self._own(name).change(change, StepReporter(progress, cancelled))

    def remove_document(self, name: str, document_id: str) -> IngestReport:
        """Take one document out; it comes back when its file is added again, or its folder indexed again."""

        def change(holdings: Holdings, tally: Tally, reporter: StepReporter) -> None:
            key = holdings.owner(document_id)
            if not key:
                raise CorpusError(f"no document {document_id!r} in corpus {name!r}; its table names those it has")
            record = holdings.files[key]
            left = tuple(other for other in record.documents if other != document_id)
            holdings.files[key] = replace(record, documents=left, digest="", mtime=0)
            del holdings.documents[document_id]
            tally.removed.append(document_id)

        kept = self._own(name)
        self._version(name)
        return kept.change(change, StepReporter())

    def edit_card(self, name: str, document_id: str, fields: Mapping[str, str]) -> IngestReport:
        """Set fields of the card of a document's file; they overrule what was read, and an empty value takes one away.

        They stay when the file is read again.
        """

        def change(holdings: Holdings, tally: Tally, reporter: StepReporter) -> None:
            key = holdings.owner(document_id)
            if not key:
                raise CorpusError(f"no document {document_id!r} in corpus {name!r}; its table names those it has")
            record = holdings.files[key]
            edits = {**dict(record.edits), **fields}
            holdings.files[key] = replace(record, edits=tuple(sorted(edits.items())))
            tally.updated.extend(record.documents)

        kept = self._own(name)
        self._version(name)
        return kept.change(change, StepReporter())

    def delete(self, name: str) -> None:
        """Delete a corpus with all its versions."""
        kept = self._own(name)
        with self._opening:
            self._opened.pop(name, None)
        if not kept.delete():
            raise self._unknown(name)

    def check(self, name: str) -> str:
        """What is wrong with the stored files of a corpus, every byte compared; empty when they are whole."""
        try:
            return self._version(name).damage(thorough=True)
        except CorpusError as error:
            return str(error)

    def _version(self, name: str) -> Version:
        """The version that counts; the bundled corpus is built first where that is needed."""
        kept = self._kept(name)
        if name == SAMPLE and time.monotonic() > self._sample_due:
            kept.mirror(self._sample, StepReporter())
            self._sample_due = time.monotonic() + _SAMPLE_REST
        version = kept.current()
        if version is None:
            raise self._unknown(name)
        return version

    def _kept(self, name: str) -> KeptCorpus:
        if not _NAME.fullmatch(name):
            raise CorpusError(
                "the name of a corpus is 1 to 64 of a-z, 0-9, - and _, and begins with a letter or digit; "
                f"{name[:80]!r} is not"
            )
        return KeptCorpus(self._root / name, self._notice, self._limits, self._wait)

    def _own(self, name: str) -> KeptCorpus:
        if name == SAMPLE:
            raise CorpusError("the bundled corpus 'sample' cannot be changed; choose another name for your documents")
        return self._kept(name)

    def _unknown(self, name: str) -> CorpusError:
        return CorpusError(f"there is no corpus {name!r}; there are {', '.join(self.names())}")


class Everywhere:
    """The corpora of a library, and those in Milvus by their addresses: for who runs a command, not for requests."""

    def __init__(self, library: CorpusLibrary) -> None:
        self.library = library
        self._opened: dict[str, FetchedCorpus] = {}

    def card(self, name: str) -> CorpusCard:
        """Name, version and size of a corpus."""
        if is_address(name):
            return self._elsewhere(name).card
        return self.library.card(name)

    def open(self, name: str) -> PassageIndex | FetchedCorpus:
        """The corpus, ready to be searched."""
        if is_address(name):
            return self._elsewhere(name)
        return self.library.open(name)

    def _elsewhere(self, address: str) -> FetchedCorpus:
        if address not in self._opened:
            self._opened[address] = open_corpus(address)
        return self._opened[address]


def folder_name(folder: Path) -> str:
    """The name of the corpus that mirrors `folder`: its last part, and 8 digits that stand for the whole path."""
    letters = re.sub(r"[^a-z0-9]+", "-", folder.name.lower())
    stem = letters.strip("-")[:48] or "folder"
    path = str(folder).encode("utf-8", "surrogateescape")  # a name on disk need not be UTF-8
    return f"{stem}-{sha256(path).hexdigest()[:8]}"
