"""From files to a stored corpus: which of a folder or an upload are read, cut into passages and indexed."""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adaq_core.corpus.cards import Card, cards_of, with_card
from adaq_core.corpus.holdings import (
    UPLOADED,
    DocumentRow,
    Duplicate,
    FileProblem,
    FileRecord,
    Holdings,
    NearDuplicate,
    Tally,
    content_hash,
    drop,
    keep,
    key_for,
    near_duplicates,
    numbered,
    take,
)
from adaq_core.corpus.readers import Limits, clean, readers, refuse_large, suffix_of, why_unread
from adaq_core.corpus.readers.records import BEIR_NAMES
from adaq_core.errors import AdaqError, CorpusError, FileReadError
from adaq_core.model import Document, Passage
from adaq_core.retrieval.dense import Progress
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import count_words, cut

MOST_FILES = 200_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file on disk: `key` is its name in the corpus, `size` and `mtime` (ns) tell whether it was touched."""

    key: str
    path: Path
    size: int
    mtime: int


def scan(folder: Path) -> tuple[list[FoundFile], list[FileProblem]]:
    """The readable files below `folder`, by name, and those left out with the reason; hidden ones are passed over.

    Links that lead out of the folder are refused. A BEIR folder is its corpus.jsonl alone: questions and judgments
    are not documents.
    """
    root = _resolved(folder)
    if not root.is_dir():
        raise CorpusError(f"expected a folder with documents, but {folder} {_why_not(folder)}")
    for name in BEIR_NAMES:
        if (root / name).is_file():
            return [_found_file(root, root / name)], []
    results: list[FoundFile] = []
    problems: list[FileProblem] = []
    unknown: dict[str, list[Path]] = {}

    def unread(error: OSError) -> None:
        why = f"is a folder that cannot be read ({error.strerror})"
        problems.append(FileProblem(_key(root, Path(error.filename)), why))

    for place, folders, names in os.walk(root, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        for path in (Path(place) / name for name in sorted([*names, *linked]) if not name.startswith(".")):
            if _is_unknown(path):
                unknown.setdefault(suffix_of(path.name), []).append(path)
                continue
            try:
                results.append(_check(root, path))
            except Exception as error:  # whatever is odd about one file, the others go in
                problems.append(FileProblem(_key(root, path), reason(error)))
        left_out = len(problems) + sum(map(len, unknown.values()))
        if len(results) + left_out > MOST_FILES:
            raise CorpusError(f"{folder} holds more than {MOST_FILES} files; name a smaller folder")
    for _, paths in sorted(unknown.items()):
        problems.append(_unknown_problem(root, paths))
    return results, problems


def _is_unknown(path: Path) -> bool:
    """Whether a plain file is of a kind that nothing reads, or a link to nothing would be."""
    is_plain = path.is_file() and not path.is_symlink()
    return (is_plain or not path.exists()) and suffix_of(path.name) not in readers()


def _unknown_problem(root: Path, paths: Sequence[Path]) -> FileProblem:
    """One problem for all files with an ending that nothing reads: pictures do not hide a file that is damaged."""
    first, others = paths[0], len(paths) - 1
    key = _key(root, first)
    name = f"{key} and {others:,} more" if others else key
    return FileProblem(name, why_unread(suffix_of(first.name)))


def one_file(path: Path) -> FoundFile:
    """Return the file that a user named; FileReadError when it is a folder or nothing, or cannot be read."""
    real = _resolved(path)
    if not real.is_file():
        raise FileReadError(f"expected a file, but it {_why_not(path)}")
    return _found_file(real.parent, real)


def reason(error: Exception) -> str:
    """Return why a file was left out, in words that can be shown and stored whatever its name holds."""
    if isinstance(error, AdaqError):
        text = str(error)
    elif isinstance(error, OSError):
        text = f"cannot be read ({error.strerror or error}); see whether it is still there and may be read"
    else:
        text = f"{type(error).__name__}: {error}"
    return clean(text)


_LONGEST_NAME = 120  # characters


def upload_key(name: str) -> str:
    """The name of an uploaded file without any folders, of a long one the end; FileReadError when nothing is left."""
    last = clean(name).replace("\\", "/").rpartition("/")[2]
    kept = " ".join(last.split()).lstrip(".")
    if len(kept) > _LONGEST_NAME:
        kept = f"…{kept[1 - _LONGEST_NAME :]}"
    if not kept:
        raise FileReadError(f"expected the name of a file, got {name[:80]!r}; give it a name")
    return kept


def _check(root: Path, path: Path) -> FoundFile:
    if _is_circular(path):
        raise FileReadError("is a link that leads back to itself; take it away")
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        raise FileReadError("is a link that leads out of the folder; copy the file itself")
    if path.is_dir():
        raise FileReadError("is a link to another folder; name that folder itself")
    if not path.exists():
        raise FileReadError("is a link to a file that is not there; take it away or bring the file back")
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileReadError("is no ordinary file")
    return _found_file(root, path)


def _is_circular(path: Path) -> bool:
    """Whether following the links of `path` never ends."""
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False


def _found_file(root: Path, path: Path) -> FoundFile:
    state = path.stat()
    return FoundFile(_key(root, path), path, state.st_size, state.st_mtime_ns)


def _key(root: Path, path: Path) -> str:
    return clean(path.relative_to(root).as_posix())


def _resolved(path: Path) -> Path:
    """Return the path behind all links; CorpusError when nobody would see the end of it."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        raise CorpusError(f"expected a folder with documents, but {path} cannot be followed ({error})") from error
    if real.is_relative_to("/proc") or real.is_relative_to("/sys"):
        raise CorpusError(f"expected a folder with documents, but {path} is the system's own and has no end")
    return real


def _why_not(path: Path) -> str:
    return "is none" if path.exists() else "does not exist"


Upload = tuple[str, bytes]

MOST_COMPARED = 50_000


class Cancelled(Exception):
    """The user has called it off."""


@dataclass(frozen=True, slots=True)
class StepReporter:
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


_REPLACES = "took the place of the file of this name that was uploaded before; give it another name to keep both"


def take_uploads(
    holdings: Holdings, uploads: Sequence[Upload], *, limits: Limits, tally: Tally, reporter: StepReporter
) -> None:
    """Read uploaded files (name, bytes); a name that was uploaded before is replaced.

    Files of one name that come together are all kept, each under a key of its own.
    """
    together: dict[str, bytes] = {}
    for number, (name, data) in enumerate(uploads):
        reporter.step(number, len(uploads), name)
        try:
            key = _apart(key_for(holdings, upload_key(name), UPLOADED), data, together)
        except FileReadError as error:
            tally.errors.append(FileProblem(name[:80], str(error)))
            continue
        together[key] = data
        before = holdings.files.get(key)
        take(holdings, FileRecord(key, UPLOADED, len(data)), data, limits=limits, tally=tally)
        if before and _is_another(before, holdings.files[key], tally):
            tally.notices.append(FileProblem(key, _REPLACES))


def _is_another(before: FileRecord, now: FileRecord, tally: Tally) -> bool:
    """Whether nothing is left of the file that had this name before; a table with some rows changed is the same."""
    is_read_anew = bool(before.digest) and before.digest != now.digest
    return is_read_anew and set(before.documents).isdisjoint(tally.unchanged)


def _apart(key: str, data: bytes, together: Mapping[str, bytes]) -> str:
    """The key of an upload: its own, unless another file of that name with other bytes came with it."""
    number, chosen = 1, key
    while together.get(chosen, data) != data:
        number += 1
        chosen = numbered(key, number)
    return chosen


def take_paths(
    holdings: Holdings, paths: Sequence[Path], *, limits: Limits, tally: Tally, reporter: StepReporter
) -> None:
    """Read files and folders; files that were touched are read, and those gone from a folder are taken out."""
    results: list[FoundFile] = []
    left_out: list[FileProblem] = []
    for path in paths:
        if path.is_dir():
            inside, problems = scan(path)
            left_out.extend(problems)
            results.extend(inside)
            _drop_vanished(holdings, path.resolve(), {str(file.path) for file in inside}, tally)
        else:
            results.extend(_named(path, tally))
    known = {record.origin: record for record in holdings.files.values() if record.origin != UPLOADED}
    for number, file in enumerate(results):
        reporter.step(number, len(results), file.key)
        _take_found(holdings, file, known.get(str(file.path)), limits, tally)
    tally.errors.extend(left_out)


def drop_outside(holdings: Holdings, folder: Path, tally: Tally) -> None:
    """Take out what came from another folder: a corpus that mirrors one holds nothing else."""
    root = folder.resolve()
    for key, record in list(holdings.files.items()):
        if record.origin == UPLOADED or not Path(record.origin).is_relative_to(root):
            drop(holdings, key, tally)


def touched(files: Sequence[FileRecord], present: Sequence[FoundFile]) -> bool:
    """Whether any file of a mirrored folder came, went or changed since it was read."""
    before = {(record.origin, record.size, record.mtime) for record in files}
    return before != {(str(file.path), file.size, file.mtime) for file in present}


def build(holdings: Holdings, *, name: str, reporter: StepReporter) -> Built:
    """Cut and index all documents; exact duplicates are searched once, but for rows and judged collections."""
    documents = list(_in_order(holdings))
    cards = cards_of([document for document, _ in documents], _edits(holdings))
    reporter.step(0, len(documents), "looking for duplicates")
    duplicates = _duplicates(documents)
    left_out = {pair.document_id: pair.of for pair in duplicates if not pair.kept}
    passages: list[Passage] = []
    table = []
    for number, (document, record) in enumerate(documents):
        if number % 200 == 0:
            reporter.step(number, len(documents), "cutting into passages")
        other = left_out.get(document.document_id, "")
        card = cards[document.document_id]
        if other:
            pieces = []
        else:
            pieces = cut(with_card(document, card), overlap_sentences=0 if record.judged else 1)
        passages.extend(pieces)
        table.append(_row(document, record.key, len(pieces), other, card))
    near = _near(documents, duplicates, reporter)
    reporter.step(0, len(passages), "indexing")
    index = PassageIndex.build(passages, name=name, documents=len(documents))
    reporter.step(0, len(passages), "finding which passage names which document")
    _ = index.graph
    reporter.step(len(passages), len(passages), "writing")
    return Built(index, tuple(table), duplicates, near)


def _take_found(holdings: Holdings, file: FoundFile, known: FileRecord | None, limits: Limits, tally: Tally) -> None:
    if known is not None and (known.size, known.mtime) == (file.size, file.mtime):
        keep(known, tally)
        return
    origin = str(file.path)
    key = key_for(holdings, file.key, origin) if known is None else known.key
    try:
        refuse_large(file.size, limits)
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
    """What says the same as an earlier document; rows of a table only where all of them stand in another one."""
    first: dict[tuple[str, str, str], str] = {}
    found = list[tuple[Duplicate, str]]()
    sizes = Counter[str]()
    for document, record in documents:
        table = _table_of(document, record.key)
        sizes[table] += 1
        writer, _, _ = document.source.partition(" <")  # a reply names who wrote what it quotes with no address
        same = (content_hash(document.text), writer, document.date)
        earliest = first.setdefault(same, document.document_id)
        is_beside = table != "" and earliest.startswith(f"{table}:")
        if earliest != document.document_id and not is_beside:
            pair = Duplicate(document.document_id, earliest, kept=record.judged)
            found.append((pair, table))
    rows = Counter(table for _, table in found)
    in_part = {table for table in rows if table and rows[table] < sizes[table]}
    return tuple(pair for pair, table in found if table not in in_part)


_TABLES = (".csv", ".tsv")
_LONGEST_ROW = 500  # characters; a longer one is a text


def _table_of(document: Document, file: str) -> str:
    """The file that a document is a row of, empty for a text: rows that say the same are counted each."""
    is_row = len(document.text) < _LONGEST_ROW and file.lower().endswith(_TABLES)
    return file if is_row else ""


def _near(
    documents: Sequence[tuple[Document, FileRecord]], duplicates: Sequence[Duplicate], reporter: StepReporter
) -> tuple[NearDuplicate, ...] | None:
    if len(documents) > MOST_COMPARED:
        return None
    reporter.step(0, len(documents), "looking for near duplicates")
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
