"""One corpus at its place: change it, mirror a folder, load its index and mend it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from adaq_core.corpus.holdings import Holdings, IngestReport, Tally
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
from adaq_core.corpus.reading import Limits
from adaq_core.corpus.stored import Version, current_version, load_files, load_holdings, load_table, publish
from adaq_core.errors import CorpusError
from adaq_core.home import private_folder, writing
from adaq_core.model import Passage
from adaq_core.retrieval.dense import passage_keys
from adaq_core.retrieval.embedders import Keys, among, erase, stored_keys
from adaq_core.retrieval.index import PassageIndex

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

    def _untouched(self, found: list[FoundFile]) -> Version | None:
        """The version that counts, if it is whole and no file of its folder was touched since."""
        try:
            version = self.current()
            if version is None or _damage(version) or touched(load_files(version), found):
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
