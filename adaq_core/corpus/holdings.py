"""What a corpus holds: files, their documents, and how a new state follows from the old one and some files.

Texts that say the same in almost the same words are found by MinHash over word triples, every find checked exactly:
Broder, "On the resemblance and containment of documents" (1997). 64 hashes in 16 bands of 4: a pair of resemblance 0.8
is met with probability 0.9998, one of 0.3 with 0.12 (and is then thrown out by the exact check).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from adaq_core.corpus.isolated import read
from adaq_core.corpus.readers import Limits, Reading
from adaq_core.errors import FileReadError
from adaq_core.model import Document


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Something that a reader of the report should know of a file."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """`document_id` has the same text, source and date as `of`. It is searched only when `kept`."""

    document_id: str
    of: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What became of the files: ids of documents, what the corpus repeats, and what went wrong with which file.

    `near_duplicates` is None when the corpus was too large to look for them. `passages` counts those of the corpus
    afterwards. After a cancel nothing has changed.
    """

    added: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] | None = ()
    errors: tuple[FileProblem, ...] = ()
    notices: tuple[FileProblem, ...] = ()
    passages: int = 0
    seconds: float = 0.0
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in the table of a corpus; `duplicate_of` names the document that is searched in its place.

    `card` has (name, value, origin) for each field that its file says of itself, or that a person set.
    """

    document_id: str
    title: str
    source: str
    date: str
    passages: int
    words: int
    file: str
    duplicate_of: str = ""
    card: tuple[tuple[str, str, str], ...] = ()


UPLOADED = "upload"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file that went in: `origin` is its path, or "upload"; `digest` that of its bytes; `documents` their ids.

    `edits` are the fields of its card that a person set; they stay when the file is read again.
    """

    key: str
    origin: str
    size: int
    mtime: int = 0
    digest: str = ""
    documents: tuple[str, ...] = ()
    judged: bool = False
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Holdings:
    """The files by key and the documents by id, both in the order they came."""

    files: dict[str, FileRecord] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)

    def owner(self, document_id: str) -> str:
        """The key of the file that holds the document; empty when none does."""
        return next((key for key, record in self.files.items() if document_id in record.documents), "")


@dataclass(slots=True)
class Tally:
    """What happened so far, for the report."""

    added: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    errors: list[FileProblem] = field(default_factory=list)
    notices: list[FileProblem] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether the passages have to be indexed again."""
        return bool(self.added or self.updated or self.removed)

    def report(self) -> IngestReport:
        """All of it as it stands now."""
        return IngestReport(
            added=tuple(self.added),
            unchanged=tuple(self.unchanged),
            updated=tuple(self.updated),
            removed=tuple(self.removed),
            errors=tuple(self.errors),
            notices=tuple(self.notices),
        )


def key_for(holdings: Holdings, key: str, origin: str) -> str:
    """The key of a new file of this origin: its name, unless a file of another origin has that already."""
    number, chosen = 1, key
    while chosen in holdings.files and holdings.files[chosen].origin != origin:
        number += 1
        chosen = numbered(key, number)
    return chosen


def numbered(key: str, number: int) -> str:
    """The key of another file of this name, as people know it: "reports/same (2).txt" and its title "same (2)"."""
    folder, slash, name = key.rpartition("/")
    packed = name[-3:] if name.lower().endswith(".gz") else ""
    bare = name.removesuffix(packed)
    stem, dot, ending = bare.rpartition(".")
    changed = f"{stem} ({number}){dot}{ending}" if stem else f"{bare} ({number})"
    return f"{folder}{slash}{changed}{packed}"


def take(holdings: Holdings, record: FileRecord, data: bytes, *, limits: Limits, tally: Tally) -> None:
    """Read the file into the holdings, unless its bytes are the known ones; a file that fails leaves them as they are.

    `record` says where it comes from; its digest and documents are filled in here.
    """
    digest = hashlib.sha256(data).hexdigest()
    known = holdings.files.get(record.key)
    if known is not None and known.digest == digest:
        holdings.files[known.key] = replace(known, origin=record.origin, size=record.size, mtime=record.mtime)
        keep(known, tally)
        return
    try:
        reading = read(record.key, data, limits)
    except FileReadError as error:
        kept = "; its earlier version is kept" if known else ""
        tally.errors.append(FileProblem(record.key, f"{error}{kept}"))
        return
    _replace(holdings, known, record, digest, reading, tally)


def keep(known: FileRecord, tally: Tally) -> None:
    """Count an untouched file."""
    tally.unchanged.extend(known.documents)
    tally.errors.extend(FileProblem(known.key, problem) for problem in known.problems)


def drop(holdings: Holdings, key: str, tally: Tally) -> None:
    """Take a file and its documents out."""
    record = holdings.files.pop(key)
    for document_id in record.documents:
        del holdings.documents[document_id]
    tally.removed.extend(record.documents)


def _replace(
    holdings: Holdings, known: FileRecord | None, record: FileRecord, digest: str, reading: Reading, tally: Tally
) -> None:
    before = {key: holdings.documents.pop(key) for key in (known.documents if known else ())}
    problems = list(reading.problems)
    stored = []
    for document in reading.documents:
        if document.document_id in holdings.documents:
            problems.append(f"the id {document.document_id!r} is taken by another file: this document was left out")
            continue
        holdings.documents[document.document_id] = document
        stored.append(document.document_id)
        _count(before.pop(document.document_id, None), document, tally)
    tally.removed.extend(before)
    tally.errors.extend(FileProblem(record.key, problem) for problem in problems)
    tally.notices.extend(FileProblem(record.key, notice) for notice in reading.notices)
    holdings.files[record.key] = replace(
        record,
        digest=digest,
        documents=tuple(stored),
        judged=reading.judged,
        notices=reading.notices,
        edits=known.edits if known else (),
        problems=tuple(problems),
    )


def _count(before: Document | None, after: Document, tally: Tally) -> None:
    if before is None:
        tally.added.append(after.document_id)
    elif before == after:
        tally.unchanged.append(after.document_id)
    else:
        tally.updated.append(after.document_id)


Hashes = NDArray[np.uint64]

_HASHES, _ROWS, _TRIPLE = 64, 4, 3
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u9fff\uac00-\ud7af]+")
_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """`document_id` repeats the earlier `of`; `similarity` is the share of word triples they have in common."""

    document_id: str
    of: str
    similarity: float


def content_hash(text: str) -> str:
    """The same for texts that differ in white space only."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


def near_duplicates(texts: Sequence[tuple[str, str]], *, threshold: float = 0.8) -> list[NearDuplicate]:
    """For each (id, text) the earliest that resembles it by at least `threshold`, in order; time grows linearly.

    In a crowd of texts that share much but not enough, each is compared with the first and the previous of its bucket
    only, so a pair may be missed there.
    """
    triples = [_triples(text) for _, text in texts]
    filled = [number for number, hashes in enumerate(triples) if len(hashes)]
    if len(filled) < 2:
        return []
    results: dict[int, NearDuplicate] = {}
    for first, second in _candidates(np.stack([_signature(triples[number]) for number in filled])):
        earlier, later = filled[first], filled[second]
        if later not in results and (alike := resemblance(triples[earlier], triples[later])) >= threshold:
            results[later] = NearDuplicate(texts[later][0], texts[earlier][0], round(alike, 4))
    return [results[number] for number in sorted(results)]


def resemblance(first: Hashes, second: Hashes) -> float:
    """Jaccard similarity of two sorted arrays of distinct hashes, in [0, 1]; 0.0 when both are empty."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    together = len(first) + len(second) - common
    return common / together if together else 0.0


def _triples(text: str) -> Hashes:
    """Sorted distinct hashes of the word triples of `text`; of all its words when there are fewer than three."""
    read = (word.encode("utf-8", "surrogatepass") for word in _WORD.findall(text.lower()))
    words = np.array(list(map(crc32, read)), np.uint64) + np.uint64(1)
    width = max(1, min(_TRIPLE, len(words)))
    count = max(0, len(words) - width + 1)
    mixed = np.zeros(count, np.uint64)
    for place, factor in enumerate(_odd_numbers()[:width]):
        mixed += words[place : place + count] * factor
    return np.unique(mixed ^ (mixed >> np.uint64(29)))


@cache
def _odd_numbers() -> Hashes:
    rng = np.random.default_rng(20_240_101)
    numbers = rng.integers(1 << 62, 1 << 63, size=_HASHES + _TRIPLE, dtype=np.uint64)
    return numbers | np.uint64(1)


def _signature(triples: Hashes) -> NDArray[np.uint32]:
    """The smallest value of the triples under each of 64 multiply-shift hashes."""
    factors = _odd_numbers()[_TRIPLE:]
    least = np.full(_HASHES, np.iinfo(np.uint64).max, np.uint64)
    for start in range(0, len(triples), _AT_ONCE):
        least = np.minimum(least, (triples[start : start + _AT_ONCE, None] * factors).min(axis=0))
    return (least >> np.uint64(32)).astype(np.uint32)


def _candidates(signatures: NDArray[np.uint32]) -> list[tuple[int, int]]:
    """Pairs (earlier, later) that agree in a whole band; per text and band the first and the previous of its bucket."""
    pairs: set[tuple[int, int]] = set()
    for start in range(0, _HASHES, _ROWS):
        rows = np.ascontiguousarray(signatures[:, start : start + _ROWS])
        band = rows.view(np.dtype((np.void, 4 * _ROWS))).ravel()  # the numbers of a row as one value
        _, bucket = np.unique(band, return_inverse=True)
        order = np.argsort(bucket, kind="stable")
        opens = np.concatenate([[True], np.diff(bucket[order]) > 0])
        starts = np.where(opens, np.arange(len(order)), 0)
        firsts = order[np.maximum.accumulate(starts)]
        later = np.flatnonzero(~opens)
        pairs.update(zip(firsts[later].tolist(), order[later].tolist(), strict=True))
        pairs.update(zip(order[later - 1].tolist(), order[later].tolist(), strict=True))
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))
