"""Runs as lines of JSON, to be taken in by another store: one line says which run begins, one each what happened."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from adaq_core.errors import InputError
from adaq_core.events import Record, dump, load
from adaq_core.store.rows import RunRow, as_json

_FORMAT = 1
_LONGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run on its way between two stores, with what a person noted about it."""

    run_id: str
    records: tuple[Record, ...]
    note: str = ""
    tags: tuple[str, ...] = ()
    rating: int | None = None


def run_lines(row: RunRow, records: Iterable[Record]) -> Iterator[str]:
    """Yield the lines of one run."""
    head = {"adaq_run": _FORMAT, "run_id": row.run_id, "note": row.note, "tags": list(row.tags), "rating": row.rating}
    yield as_json(head)
    for record in records:
        yield as_json({"seq": record.seq, "at": record.at, "elapsed": record.elapsed, "event": dump(record.event)})


def read_runs(lines: Iterable[str]) -> Iterator[ExportedRun]:
    """Yield the runs in `lines`, in order.

    Raises:
        InputError: a line is not what `run_lines` writes; runs before it have been given.
    """
    head: ExportedRun | None = None
    records: list[Record] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        value = _value(line, number)
        if "adaq_run" in value:
            if head is not None:
                yield _whole(head, records)
            head, records = _head(value, number), []
        elif head is None:
            raise InputError(f"Expected a file of `runs export`, but line {number} does not say which run begins.")
        else:
            records.append(_record(value, number))
    if head is not None:
        yield _whole(head, records)


def _value(line: str, number: int) -> dict[str, object]:
    try:
        value = json.loads(line) if len(line) <= _LONGEST_LINE else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"Expected a file of `runs export`, but line {number} is no JSON object.")
    return value


def _head(value: dict[str, object], number: int) -> ExportedRun:
    if value["adaq_run"] != _FORMAT:
        raise InputError(f"Line {number} is of a later version of ADAQ ({value['adaq_run']!r}). Update ADAQ.")
    tags, rating = value.get("tags"), value.get("rating")
    return ExportedRun(
        run_id=str(value.get("run_id", "")),
        records=(),
        note=str(value.get("note", "")),
        tags=tuple(map(str, tags)) if isinstance(tags, list) else (),
        rating=rating if isinstance(rating, int) and 0 <= rating <= 5 else None,
    )


def _record(value: dict[str, object], number: int) -> Record:
    try:
        event = load(value["event"])  # type: ignore[arg-type]
        at = datetime.fromisoformat(str(value["at"])).astimezone(UTC).isoformat(timespec="microseconds")
        seconds = float(value["elapsed"])  # type: ignore[arg-type]
        return Record(number, at, seconds if math.isfinite(seconds) else 0.0, event)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError(f"Line {number} is no event that this ADAQ knows ({type(error).__name__}).") from error


def _whole(head: ExportedRun, records: list[Record]) -> ExportedRun:
    return ExportedRun(head.run_id, tuple(records), head.note, head.tags, head.rating)
