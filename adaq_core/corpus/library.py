"""The corpora at hand: open, add to, look into and delete them."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from adaq_core.corpus.cards import objection
from adaq_core.corpus.holdings import DocumentRow, FileRecord, Holdings, IngestReport, Tally
from adaq_core.corpus.ingest import StepReporter, Upload, take_paths, take_uploads
from adaq_core.corpus.readers import Limits
from adaq_core.corpus.stored import Change, KeptCorpus, Version, load_files, load_holdings, load_table
from adaq_core.errors import CorpusError
from adaq_core.home import BUNDLED, home
from adaq_core.model import CorpusCard
from adaq_core.retrieval.dense import Progress
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.milvus import is_address, open_corpus

SAMPLE = "sample"

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_SAMPLE_REST = 1.0
_log = logging.getLogger(__name__)

Loaded = TypeVar("Loaded")


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
        own = {path.parent.name for path in self._root.glob("*/current") if path.is_file()}
        return [SAMPLE, *sorted(name for name in own - {SAMPLE} if _NAME.fullmatch(name))]

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

    def is_made(self, name: str) -> bool:
        """Whether a version of the corpus is stored, be it damaged, or older than its files."""
        try:
            return (self._root / name / "current").is_file()
        except OSError:
            return False

    def make_sample(self, progress: Progress, cancelled: Callable[[], bool]) -> None:
        """Bring the bundled corpus up to date, as every look at it does, and report how far it is."""
        self._kept(SAMPLE).mirror(self._sample, StepReporter(progress, cancelled))

    def documents(self, name: str) -> list[DocumentRow]:
        """The table of its documents, by file."""
        return self._of_newest(name, load_table)

    def files(self, name: str) -> list[FileRecord]:
        """The records of its files."""
        return self._of_newest(name, load_files)

    def holdings(self, name: str) -> Holdings:
        """The files and documents of a corpus as they are stored."""
        return self._of_newest(name, load_holdings)

    def _of_newest(self, name: str, load: Callable[[Version], Loaded]) -> Loaded:
        """What `load` reads of the version that counts, which a writer may replace meanwhile."""
        version = self._version(name)
        while True:
            try:
                return load(version)
            except CorpusError:
                newer = self._version(name)
                if newer.folder == version.folder:
                    raise
                version = newer

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

    def open_folder(self, folder: Path) -> PassageIndex:
        """The corpus made of a folder of files, or of a BEIR folder; indexed now when it is new or was touched."""
        return self.open(self.index_folder(folder)[0])

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
            key, record = _file_of(document_id, holdings, name)
            left = tuple(other for other in record.documents if other != document_id)
            holdings.files[key] = replace(record, documents=left, digest="", mtime=0)
            del holdings.documents[document_id]
            tally.removed.append(document_id)

        return self._changed(name, change)

    def edit_card(self, name: str, document_id: str, fields: Mapping[str, str]) -> IngestReport:
        """Set fields of the card of a document's file; they overrule what was read, and an empty value takes one away.

        They stay when the file is read again.

        Raises:
            CorpusError: a period, year, quarter or day that cannot be read, with how it is written.
        """
        if wrong := objection(fields):
            raise CorpusError(wrong)

        def change(holdings: Holdings, tally: Tally, reporter: StepReporter) -> None:
            key, record = _file_of(document_id, holdings, name)
            edits = {**dict(record.edits), **fields}
            holdings.files[key] = replace(record, edits=tuple(sorted(edits.items())))
            tally.updated.extend(record.documents)

        return self._changed(name, change)

    def _changed(self, name: str, change: Change) -> IngestReport:
        """Change a corpus that there has to be."""
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
        return CorpusError(f"there is no corpus {name!r}; known: {', '.join(self.names())}")


def _file_of(document_id: str, holdings: Holdings, name: str) -> tuple[str, FileRecord]:
    """The file that a document was read from, by its key among the holdings."""
    key = holdings.owner(document_id)
    if not key:
        raise CorpusError(f"no document {document_id!r} in corpus {name!r}; its table names those it has")
    return key, holdings.files[key]


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
