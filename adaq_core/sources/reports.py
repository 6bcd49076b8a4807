"""What a search of the live sources comes to: the documents, and for each source what it did."""

from __future__ import annotations

from dataclasses import dataclass

from adaq_core.model import Document, SourceReport
from adaq_core.text.near_duplicates import NearDuplicate

__all__ = ["Gathered", "SourceReport"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The documents, by source in the order asked and then by rank; a report for each source; the repeats dropped.

    `notes` are remarks that concern no single source.
    """

    documents: tuple[Document, ...]
    reports: tuple[SourceReport, ...]
    repeats: tuple[NearDuplicate, ...] = ()
    notes: tuple[str, ...] = ()
