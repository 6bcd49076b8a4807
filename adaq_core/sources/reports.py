"""What a search of the live sources comes to: the documents, and for each source what it did."""

from __future__ import annotations

from dataclasses import dataclass

from adaq_core.model import Document
from adaq_core.text.near_duplicates import NearDuplicate


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What one source did: requests really sent, documents and passages it brought, what went wrong, in how long.

    `error` is why it brought nothing; `notes` are what was left out though the source worked. `cached` means that its
    search was answered from an earlier one. `passages` is set when the documents go into a collection.
    """

    name: str
    requests: int = 0
    documents: int = 0
    passages: int = 0
    error: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Gathered:
    """The documents, by source in the order asked and then by rank; a report for each source; the repeats dropped.

    `notes` are remarks that concern no single source.
    """

    documents: tuple[Document, ...]
    reports: tuple[SourceReport, ...]
    repeats: tuple[NearDuplicate, ...] = ()
    notes: tuple[str, ...] = ()
