"""Runs that leave the machine, as files made of their stored events, and runs that come from another one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adaq_core.answerability import Recalibration
from adaq_core.events import Event, Record
from adaq_core.export.dossier import claims_table, dossier, evidence_table, trec_run
from adaq_core.export.otlp import otlp
from adaq_core.export.page import run_page
from adaq_core.export.run_json import WHOLE, ExportedRun, run_json, run_lines
from adaq_core.export.verdict import count
from adaq_core.store import Store
from adaq_core.store.history import Remark, Remarks, begun_at
from adaq_core.store.rows import RunRow, clean
from adaq_core.trace import view


@dataclass(frozen=True, slots=True)
class RunToExport:
    """A stored run to be exported: row, events, people's remarks, and how often similar runs were right."""

    row: RunRow
    records: Sequence[Record]
    remarks: Sequence[Remark] = ()
    judged: Recalibration | None = None

    @property
    def asked(self) -> str:
        """Return when the run was asked, in words."""
        return f"{self.row.created_at:%-d %B %Y, %H:%M} UTC"


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of export file: display name, file ending, media type, and the function that writes it.

    `joins`: the texts of several runs, one after the other, are a file of the same kind.
    """

    name: str
    label: str
    suffix: str
    mime: str
    text: Callable[[RunToExport], str]
    joins: bool = True


def _lines(run: RunToExport) -> str:
    return "".join(f"{line}\n" for line in run_lines(run.row, run.records, run.remarks))


def _json(run: RunToExport) -> str:
    return json.dumps(run_json(run.row.run_id, run.records), ensure_ascii=False) + "\n"


def _spans(run: RunToExport) -> str:
    return json.dumps(otlp(run.row.run_id, run.records, content=False)) + "\n"


def _page(run: RunToExport) -> str:
    return run_page(run.row.run_id, view(run.records), judged=run.judged, asked=run.asked)


def _markdown(run: RunToExport) -> str:
    return dossier(run.row.run_id, view(run.records), judged=run.judged, asked=run.asked)


def _trec(run: RunToExport) -> str:
    return trec_run(run.row.question_id or run.row.run_id, view(run.records))


def _evidence(run: RunToExport) -> str:
    return evidence_table(view(run.records))


def _claims(run: RunToExport) -> str:
    return claims_table(view(run.records))


FORMATS = (
    Format("lines", WHOLE, ".jsonl", "application/jsonl", _lines),
    Format("html", "Dossier, a page to read and print", ".html", "text/html", _page, joins=False),
    Format("markdown", "Dossier (Markdown)", ".md", "text/markdown", _markdown, joins=False),
    Format("json", "Answer, aspects and hops (JSON)", ".json", "application/json", _json),
    Format("evidence", "Evidence (CSV)", ".evidence.csv", "text/csv", _evidence, joins=False),
    Format("claims", "Short answer, sentences and their quotes (CSV)", ".claims.csv", "text/csv", _claims, joins=False),
    Format("trec", "Ranking (TREC run file)", ".run", "text/plain", _trec),
    Format("otlp", "Spans without texts (OTLP/JSON)", ".otlp.json", "application/json", _spans),
)
BY_NAME = {each.name: each for each in FORMATS}


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """The id that an imported run has in the store, and whether it was added or was there already."""

    run_id: str
    added: bool


def take_in(store: Store, run: ExportedRun) -> ImportedRun:
    """Add a run of a file to the store, unless the same run with the same remarks is there already.

    A run that has other events or other notes than the one here is another run.
    """
    begun = begun_at(store, run.records[0].at) if run.records else []
    known = next((run_id for run_id in begun if _has_all_of(store, run_id, run)), None)
    if known is not None:
        return ImportedRun(known, added=False)
    run_id = store.import_run(
        run.records, run_id=run.run_id, note=run.note, tags=run.tags, rating=run.rating, remarks=run.remarks
    )
    return ImportedRun(run_id, added=True)


def _has_all_of(store: Store, run_id: str, run: ExportedRun) -> bool:
    row = store.run(run_id)
    if row is None or not _same_events(store.records(run_id), run.records):
        return False
    same_note = clean(run.note) in ("", row.note)
    same_tags = {clean(tag) for tag in run.tags} <= set(row.tags)
    same_rating = (run.rating or 0) in (0, row.rating)
    return same_note and same_tags and same_rating and set(run.remarks) <= set(Remarks(store).of(run_id))


def _same_events(here: Sequence[Record], there: Sequence[Record]) -> bool:
    """Whether both have the same events at the same times; a file numbers them by its own lines."""
    return _without_numbers(here) == _without_numbers(there)


def _without_numbers(records: Sequence[Record]) -> list[tuple[str, float, Event]]:
    return [(each.at, each.elapsed, each.event) for each in records]


def arrival_words(arrivals: Sequence[ImportedRun]) -> str:
    """Return how many runs of a file were added and how many were there already."""
    added = sum(arrival.added for arrival in arrivals)
    known = len(arrivals) - added
    if not arrivals:
        return "The file holds no run."
    if not known:
        return f"{count(added, 'run')} imported."
    if added:
        were = "was" if known == 1 else "were"
        return f"{count(added, 'run')} imported. {count(known, 'run')} of the file {were} here already."
    if known == 1:
        return "This run is here already, so nothing was imported."
    return f"These {count(known, 'run')} are here already, so nothing was imported."
