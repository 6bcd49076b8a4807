"""A corpus as plain values for its page: the table of documents, what an ingest did, the overlap of passages."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

from adaq_core.corpus.holdings import UPLOADED, DocumentRow, FileRecord, IngestReport
from adaq_core.model import CorpusCard, Passage
from pages._shared.common.text import visible
from pages._shared.common.words import count

_NAME = re.compile(r"[^a-z0-9_-]+")


class DocumentValue(TypedDict):
    """One line of the table of documents."""

    Title: str
    Source: str
    Date: str
    Words: int
    File: str
    Note: str


def matching(rows: Sequence[DocumentRow], text: str) -> list[DocumentRow]:
    """Return the documents whose fields (title, source, file, id, date, card) hold every word of `text`, case aside."""
    words = text.lower().split()
    return [row for row in rows if all(word in _searched(row) for word in words)]


def _searched(row: DocumentRow) -> str:
    values = (value for _, value, _ in row.card)
    return " ".join((row.title, row.source, row.file, row.document_id, row.date, *values)).lower()


def document_values(rows: Iterable[DocumentRow]) -> list[DocumentValue]:
    """Return the documents as rows of the table."""
    return [
        DocumentValue(
            Title=visible(row.title or row.document_id),
            Source=visible(row.source),
            Date=row.date,
            Words=row.words,
            File=visible(row.file),
            Note="duplicate" if row.duplicate_of else "",
        )
        for row in rows
    ]


# Pixels beside the tick at the left, of the room that the table has at 1280; and what each column takes of it.
_ROOM = 622
_WIDTHS = {"Source": 110, "Date": 88, "Words": 64, "Note": 80}
_LEAST = 250
# Pixels of a digit, and of what is beside the digits of a cell.
_DIGIT, _BESIDE_DIGITS = 8, 18


def _most_words(values: Sequence[DocumentValue]) -> int:
    return max((value["Words"] for value in values), default=0)


def column_widths(values: Sequence[DocumentValue]) -> dict[str, int]:
    """Return the table's columns with their widths in pixels; a column with the same value everywhere is left out.

    Titles and files share what the others leave; beyond the room the table scrolls.
    """
    seen: dict[str, set[object]] = {name: {dict(value)[name] for value in values} for name in _WIDTHS}
    widths = {**_WIDTHS, "Words": max(_WIDTHS["Words"], _BESIDE_DIGITS + _DIGIT * len(f"{_most_words(values):,}"))}
    kept = {name: width for name, width in widths.items() if name == "Words" or len(seen[name]) > 1}
    left = max(_LEAST, _ROOM - sum(kept.values()))
    title = left * 3 // 5
    return {"Title": title, **kept, "File": left - title}


def overlaps(passages: Sequence[Passage]) -> list[int]:
    """Return, for each passage of a document, how many of its first characters the passage before holds too."""
    ends = [0, *[passage.end for passage in passages]]
    return [max(0, end - passage.start) for passage, end in zip(passages, ends, strict=False)]


def report_line(report: IngestReport) -> str:
    """Return what an ingest did, in one line."""
    if report.cancelled:
        return "The corpus is as it was."
    parts = [
        (len(report.added), "document added", "documents added"),
        (len(report.updated), "updated", "updated"),
        (len(report.removed), "removed", "removed"),
        (len(report.unchanged), "unchanged", "unchanged"),
        (len(report.errors), "file could not be read", "files could not be read"),
    ]
    counts = [f"{number:,} {one if number == 1 else many}" for number, one, many in parts if number]
    return ", ".join(counts or ["No file was found"]) + "."


def what_goes(card: CorpusCard, files: Sequence[FileRecord]) -> list[str]:
    """Return, in sentences, what is deleted with a corpus."""
    uploaded = sum(file.origin == UPLOADED for file in files)
    corrected = sum(bool(file.edits) for file in files)
    size = f"{count(card.documents, 'document')} and {count(card.passages, 'passage')}"
    lines = [f"The text of {size}, with all that makes it searchable."]
    if uploaded:
        them = "it" if uploaded == 1 else "them"
        lines.append(f"{count(uploaded, 'uploaded file')}: of {them} this text is all that ADAQ keeps.")
    if corrected:
        lines.append(f"The details that you corrected for {count(corrected, 'file')}.")
    return lines


def what_stays(files: Sequence[FileRecord], runs: int) -> list[str]:
    """Return, in sentences, what is not deleted with a corpus."""
    on_disk = sum(file.origin != UPLOADED for file in files)
    lines = [f"{count(on_disk, 'file')} in folders of this computer: add the folders again to search them."]
    if runs:
        lines.append(f"{count(runs, 'stored run')} with what they found: to be read and compared, not continued.")
    return lines if on_disk else lines[1:]


# What follows the reading of the files, as the core reports it: where in the bar it begins, and what its numbers count.
# The places are where 2,000 Markdown files were by the clock, with more room for the reading, as PDFs take longer.
_STAGES = {
    "looking for duplicates": (0.40, "document"),
    "cutting into passages": (0.41, "document"),
    "looking for near duplicates": (0.50, "document"),
    "indexing": (0.56, "passage"),
    "finding which passage names which document": (0.72, "passage"),
    "writing": (0.96, "passage"),
}
_ENDS = dict(zip(_STAGES, [*(begin for begin, _ in list(_STAGES.values())[1:]), 1.0], strict=True))


def share_done(what: str, done: int, total: int) -> float:
    """Return how far a change of a corpus is, in [0, 1] over all stages; `what` is the stage or the file being read."""
    begin, end = (_STAGES[what][0], _ENDS[what]) if what in _STAGES else (0.0, _STAGES["looking for duplicates"][0])
    return begin + (end - begin) * min(1.0, done / total if total else 0.0)


def stage_line(what: str, done: int, total: int) -> str:
    """Return what a change of a corpus is doing, with its numbers."""
    if not what:
        return "starting"
    if what not in _STAGES:
        return f"reading {visible(what)} (file {min(done + 1, total):,} of {total:,})"
    noun = _STAGES[what][1]
    return f"{what} ({f'{done:,} of ' if 0 < done < total else ''}{count(total, noun)})"


def corpus_name(text: str) -> str:
    """Return a valid corpus name made of what was typed; "" if no letter or digit is left."""
    return _NAME.sub("-", text.strip().lower()).strip("-_")[:64].strip("-_")


def same_computer(*, server: str | None, browser: str | None) -> bool:
    """Whether browser and server run on one computer: the server listens only to it, and the client has no address."""
    return server is not None and _is_loopback(server) and (browser is None or _is_loopback(browser))


def _is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False
