"""Files in, a searchable corpus out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from adaq_core.corpus.cards import Card, cards_of, with_card
from adaq_core.corpus.folder import FoundFile, one_file, reason, scan, upload_key
from adaq_core.corpus.holdings import (
    UPLOADED,
    DocumentRow,
    Duplicate,
    FileProblem,
    FileRecord,
    Holdings,
    Tally,
    drop,
    keep,
    key_for,
    take,
)
from adaq_core.corpus.reading import Limits, clean
from adaq_core.errors import FileReadError
from adaq_core.model import Document, Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.near_duplicates import NearDuplicate, content_hash, near_duplicates
from adaq_core.text.passages import count_words, cut

Progress = Callable[[int, int, str], None]
Upload = tuple[str, bytes]

MOST_COMPARED = 50_000


class Cancelled(Exception):
    """The user has called it off."""


@dataclass(frozen=True, slots=True)
class Told:
    """How the caller hears of progress and says stop."""

    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None

    def step(self, done: int, total: int, what: str) -> None:
        """Report, and raise Cancelled when the caller wants no more."""
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        if self.progress is not None:
            self.progress(done, total, what)


@dataclass(frozen=True, slots=True)
class Built:
    """The index and what was seen on the way to it."""

    index: PassageIndex
    table: tuple[DocumentRow, ...]
    duplicates: tuple[Duplicate, ...]
    near_duplicates: tuple[NearDuplicate, ...] | None


def take_uploads(holdings: Holdings, uploads: Sequence[Upload], *, limits: Limits, tally: Tally, told: Told) -> None:
    """Read uploaded files (name, bytes); a name that was uploaded before is replaced."""
    for number, (name, data) in enumerate(uploads):
        told.step(number, len(uploads), name)
        try:
            key = key_for(holdings, upload_key(name), UPLOADED)
        except FileReadError as error:
            tally.errors.append(FileProblem(name[:80], str(error)))
            continue
        take(holdings, FileRecord(key, UPLOADED, len(data)), data, limits=limits, tally=tally)


def take_paths(holdings: Holdings, paths: Sequence[Path], *, limits: Limits, tally: Tally, told: Told) -> None:
    """Read files and folders; files that were touched are read, and those gone from a folder are taken out."""
    found: list[FoundFile] = []
    for path in paths:
        if path.is_dir():
            inside, problems = scan(path)
            tally.errors.extend(problems)
            found.extend(inside)
            _drop_vanished(holdings, path.resolve(), {str(file.path) for file in inside}, tally)
        else:
            found.extend(_named(path, tally))
    known = {record.origin: record for record in holdings.files.values() if record.origin != UPLOADED}
    for number, file in enumerate(found):
        told.step(number, len(found), file.key)
        _take_found(holdings, file, known.get(str(file.path)), limits, tally)


def drop_outside(holdings: Holdings, folder: Path, tally: Tally) -> None:
    """Take out what came from another folder: a corpus that mirrors one holds nothing else."""
    root = folder.resolve()
    for key, record in list(holdings.files.items()):
        if record.origin == UPLOADED or not Path(record.origin).is_relative_to(root):
            drop(holdings, key, tally)


def touched(files: Sequence[FileRecord], found: Sequence[FoundFile]) -> bool:
    """Whether any file of a mirrored folder came, went or changed since it was read."""
    before = {(record.origin, record.size, record.mtime) for record in files}
    return before != {(str(file.path), file.size, file.mtime) for file in found}


def build(holdings: Holdings, *, name: str, told: Told) -> Built:
    """Cut and index all documents; exact duplicates are searched once, unless they are of a judged collection."""
    documents = list(_in_order(holdings))
    cards = cards_of([document for document, _ in documents], _edits(holdings))
    told.step(0, len(documents), "looking for duplicates")
    duplicates = _duplicates(documents)
    left_out = {pair.document_id: pair.of for pair in duplicates if not pair.kept}
    passages: list[Passage] = []
    table = []
    for number, (document, record) in enumerate(documents):
        if number % 200 == 0:
            told.step(number, len(documents), "cutting into passages")
        other = left_out.get(document.document_id, "")
        card = cards[document.document_id]
        pieces = [] if other else cut(with_card(document, card), overlap_sentences=0 if record.judged else 1)
        passages.extend(pieces)
        table.append(_row(document, record.key, len(pieces), other, card))
    near = _near(documents, duplicates, told)
    told.step(0, len(passages), "indexing")
    index = PassageIndex.build(passages, name=name, documents=len(documents))
    told.step(0, len(passages), "finding which passage names which document")
    _ = index.graph
    told.step(len(passages), len(passages), "writing")
    return Built(index, tuple(table), duplicates, near)


def _take_found(holdings: Holdings, file: FoundFile, known: FileRecord | None, limits: Limits, tally: Tally) -> None:
    if known is not None and (known.size, known.mtime) == (file.size, file.mtime):
        keep(known, tally)
        return
    origin = str(file.path)
    key = known.key if known is not None else key_for(holdings, file.key, origin)
    try:
        if file.size > limits.file_bytes:
            raise FileReadError(f"is {file.size >> 20} MiB; the limit is {limits.file_bytes >> 20} MiB: split it")
        data = file.path.read_bytes()
        take(holdings, FileRecord(key, origin, file.size, file.mtime), data, limits=limits, tally=tally)
    except Exception as error:  # whatever is odd about one file, the others go in
        tally.errors.append(FileProblem(key, reason(error)))


def _named(path: Path, tally: Tally) -> list[FoundFile]:
    try:
        return [one_file(path)]
    except Exception as error:  # whatever is odd about one file, the others go in
        tally.errors.append(FileProblem(clean(str(path)), reason(error)))
        return []


def _drop_vanished(holdings: Holdings, root: Path, there: set[str], tally: Tally) -> None:
    for key, record in list(holdings.files.items()):
        inside = record.origin != UPLOADED and Path(record.origin).is_relative_to(root)
        if inside and record.origin not in there:
            drop(holdings, key, tally)


def _in_order(holdings: Holdings) -> Iterator[tuple[Document, FileRecord]]:
    """The documents by file, so that the order of adding does not matter."""
    for key in sorted(holdings.files):
        record = holdings.files[key]
        for document_id in record.documents:
            yield holdings.documents[document_id], record


def _edits(holdings: Holdings) -> dict[str, dict[str, str]]:
    """What people set on the cards, by document id."""
    edited = (record for record in holdings.files.values() if record.edits)
    return {document_id: dict(record.edits) for record in edited for document_id in record.documents}


def _duplicates(documents: Sequence[tuple[Document, FileRecord]]) -> tuple[Duplicate, ...]:
    first: dict[tuple[str, str, str], str] = {}
    found = []
    for document, record in documents:
        same = (content_hash(document.text), document.source, document.date)
        earliest = first.setdefault(same, document.document_id)
        if earliest != document.document_id:
            found.append(Duplicate(document.document_id, earliest, kept=record.judged))
    return tuple(found)


def _near(
    documents: Sequence[tuple[Document, FileRecord]], duplicates: Sequence[Duplicate], told: Told
) -> tuple[NearDuplicate, ...] | None:
    if len(documents) > MOST_COMPARED:
        return None
    told.step(0, len(documents), "looking for near duplicates")
    exact = {pair.document_id for pair in duplicates}
    texts = [(document.document_id, document.text) for document, _ in documents]
    return tuple(near_duplicates([text for text in texts if text[0] not in exact]))


def _row(document: Document, file: str, passages: int, other: str, card: Card) -> DocumentRow:
    return DocumentRow(
        document.document_id,
        document.title,
        document.source,
        document.date,
        passages,
        count_words(document.text),
        file,
        other,
        tuple((field.name, field.value, field.origin) for field in card),
    )
