"""What an ingest did."""

from __future__ import annotations

from dataclasses import dataclass

from adaq_core.text.near_duplicates import NearDuplicate


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
    """A document in the table of a corpus; `duplicate_of` names the document that is searched in its place."""

    document_id: str
    title: str
    source: str
    date: str
    passages: int
    words: int
    file: str
    duplicate_of: str = ""
