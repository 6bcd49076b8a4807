"""A run as JSON: one object to read, and lines that hold all of it, to bring back into a store."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any, TextIO

from adaq_core.answers.citation_guard import guard
from adaq_core.errors import InputError
from adaq_core.events import AnswerWritten, Record, RunStarted, enveloped, load
from adaq_core.model import Answer, Passage
from adaq_core.question.aspects import MAX_CHARACTERS, MAX_WORDS
from adaq_core.store.history import RUN_PARTS, Remark
from adaq_core.store.rows import RunRow, as_json
from adaq_core.trace import HopView, RunView, SourceUse, view

Json = dict[str, Any]


def run_json(run_id: str, records: Sequence[Record]) -> Json:
    """Return the run as JSON: answer, aspects, hops, evidence and cost; unknown values are null.

    `coverage` lies in [0, 1]: of an aspect it is the score, of a hop the share of aspects covered. `sufficiency` is how
    likely all the evidence is in the set, `answerable` that the corpus holds an answer, by its own estimate, that
    no rating has `calibrated`; one that abstained is none.
    """
    run = view(records)
    started = run.started
    return {
        "run_id": run_id,
        "question": started.question if started else None,
        "method": started.method if started else None,
        "corpus": started.corpus.name if started else None,
        "stop_reason": run.stop_reason,
        "answer": _answer(run),
        "sufficiency": run.last_assessed.sufficiency if run.last_assessed else None,
        "answerable": run.last_assessed.answerable if run.last_assessed else None,
        "calibrated": False,
        "aspects": _aspects(run),
        "hops": [_hop(hop) for hop in run.hops if hop.hop > 0],
        "evidence": [ranked.passage.passage_id for ranked in run.evidence],
        "cost": asdict(run.cost),
        "model": _model(run),
        "citations_check": _citations_check(run),
        "sources": [_source(use) for use in run.sources],
    }


def _source(use: SourceUse) -> Json:
    """Return what a live source did; its error is null if every search worked."""
    return {"name": use.name, "requests": use.requests, "passages": use.passages, "error": use.error}


def _model(run: RunView) -> Json:
    """Return what was asked of a language model; its name is null if the run had none."""
    return {
        "name": run.started.model if run.started else None,
        "calls": run.cost.model_calls,
        "fell_back": run.cost.fell_back,
        "prompt_tokens": run.cost.prompt_tokens,
        "reply_tokens": run.cost.reply_tokens,
        "cached": sum(call.cached for call in run.calls),
    }


def comparison_json(group: str, rows: Sequence[RunRow], records: Sequence[Sequence[Record]]) -> Json:
    """Return the runs of a comparison as one object; all of them asked the question of the first."""
    first = rows[0]
    runs = [run_json(row.run_id, events) for row, events in zip(rows, records, strict=True)]
    return {"group": group, "question": first.question, "corpus": first.corpus, "k": first.k, "runs": runs}


def _citations_check(run: RunView) -> Json | None:
    """What the citation guard did or, where the run did not ask it, finds in the answer; null without an answer."""
    if run.answer is None:
        return None
    check = run.citations_check
    if check is None:
        aspects = [aspect.aspect for aspect in run.aspects]
        check = guard(run.answer, [ranked.passage for ranked in run.evidence], aspects=aspects).check
    counts = asdict(check)
    return {name: counts[name] for name in ("checked", "repaired", "dropped", "unsupported")}


def _answer(run: RunView) -> Json:
    """Return the answer, the short one first; a passage has one number `n` and an entry for each of its quotes."""
    citations = run.answer.citations if run.answer else ()
    return {
        "text": run.answer.text if run.answer else "",
        "short": asdict(run.answer.short) if run.answer and run.answer.short else None,
        "status": run.answer.status if run.answer else None,
        "likely": list(run.answer.likely) if run.answer else [],
        "abstained": run.answer.abstained if run.answer else None,
        "citations": [
            {
                "n": citation.n,
                "passage_id": citation.passage_id,
                "document_id": citation.document_id,
                "title": citation.title,
                "quote": citation.quote,
            }
            for citation in citations
        ],
        "unused": [asdict(each) for each in run.answer.unused] if run.answer else [],
    }


def _aspects(run: RunView) -> list[Json]:
    covered_at = run.covered_at
    return [
        {
            "aspect": aspect.aspect,
            "type": aspect.aspect_type,
            "importance": aspect.importance,
            "coverage": run.coverage_score(aspect.aspect),
            "covered_at_hop": covered_at.get(aspect.aspect),
        }
        for aspect in run.aspects
    ]


def _hop(hop: HopView) -> Json:
    decision = hop.decision
    return {
        "n": hop.hop,
        "queries": [{"text": query.text, "aspect": query.aspect} for query in hop.queries],
        "passages": _passages(hop),
        "newly_covered": list(hop.newly_covered),
        "coverage": hop.percentage,
        "sufficiency": hop.sufficiency,
        "answerable": hop.answerable,
        "decision": {"stop": decision.stop, "reason": decision.reason} if decision else None,
    }


def _passages(hop: HopView) -> list[Json]:
    """Return the passages that the hop read, each once, in the order they came."""
    passages: list[tuple[Passage, float | None]] = [
        (scored.passage, scored.score) for event in hop.retrieved for scored in event.passages[: event.read]
    ]
    strength = {link.target_id: link.score for link in hop.links}
    passages += [(passage, strength.get(passage.passage_id)) for passage in hop.linked]
    first = {passage.passage_id: (passage, score) for passage, score in reversed(passages)}
    return [
        {
            "passage_id": passage.passage_id,
            "document_id": passage.document_id,
            "title": passage.title,
            "score": score,
        }
        for passage, score in reversed(first.values())
    ]


_FORMAT = 1
# Lists of coverage have an entry for each hop: a number of ten digits in a file of 30 kB would take all memory.
_MOST_HOPS = 10_000
# A page looks for each aspect in each place: 5,000 of them take ten seconds. A question has up to some dozens.
_MOST_ASPECTS = 1_000
_LONGEST_LINE = 64 * 1024 * 1024
_LONGEST_FILE = 256 * 1024 * 1024

WHOLE = "Whole run, to import elsewhere"
"""What people call a file that can be taken in again."""
_NO_EXPORT = f"This is not an exported run (“{WHOLE}”)."


@dataclass(frozen=True, slots=True)
class ExportedRun:
    """A run read from a file, or about to be written to one, with a person's notes on it."""

    run_id: str
    records: tuple[Record, ...]
    note: str = ""
    tags: tuple[str, ...] = ()
    rating: int | None = None
    remarks: tuple[Remark, ...] = ()


def run_lines(row: RunRow, records: Iterable[Record], remarks: Iterable[Remark] = ()) -> Iterator[str]:
    """Yield the lines of one run, with what was noted of it and of its parts."""
    head = {"adaq_run": _FORMAT, "run_id": row.run_id, "note": row.note, "tags": list(row.tags), "rating": row.rating}
    yield as_json({**head, "remarks": [asdict(remark) for remark in remarks]})
    for record in records:
        yield as_json(enveloped(record))


def read_file(lines: Iterable[str]) -> Iterator[ExportedRun]:
    """Yield the runs of a file: lines as `run_lines` writes them, or one JSON value with the events of one run.

    That value is the list of the events as the Trace explorer gives it, or an object with what stands in the first of
    the lines and the list as `events`.

    Raises:
        InputError: the file is something else, which the message names where it is known.
    """
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), "").removeprefix("\ufeff")
    value = _parsed(first)
    if isinstance(value, dict) and "adaq_run" in value and "events" not in value:
        yield from read_runs(chain([first], rest))
        return
    text = "".join(_within_a_file(chain([first], rest)))
    whole = _parsed(text)
    if isinstance(whole, list) and whole:
        yield _of_events({}, whole)
    elif isinstance(whole, dict) and isinstance(whole.get("events"), list) and "adaq_run" in whole:
        yield _of_events(whole, whole["events"])
    elif known := _known_as(text, whole):
        raise InputError(f"This file holds {known}, but not the run's events. Export it again as “{WHOLE}”.")
    else:
        yield from read_runs(text.split("\n"))


def lines_of(file: TextIO) -> Iterator[str]:
    """Yield the lines of an exported file; only a line feed ends one, other line ends are text of the run.

    A line that is longer than one of a run may be comes in pieces: a device has no end.
    """
    return iter(lambda: file.readline(_LONGEST_LINE + 1), "")


def _within_a_file(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines; InputError once they are longer together than a file may be."""
    size = 0
    for line in lines:
        size += len(line)
        if size > _LONGEST_FILE:
            raise InputError(f"{_NO_EXPORT} One value in it is over {_LONGEST_FILE >> 20} MiB long.")
        yield line


def _of_events(head: dict[str, Any], events: list[object]) -> ExportedRun:
    """Read the run of a file that is one JSON value."""
    known = _head({"adaq_run": _FORMAT, **head}, 1)
    entries = [each if isinstance(each, dict) else {} for each in events]
    records = (_record(each, n, "Event", event=n) for n, each in enumerate(entries, start=1))
    return replace(known, records=tuple(records))


def _parsed(text: str) -> object:
    """Parse `text` as JSON; None where it is not JSON, or far too long for a run."""
    try:
        return json.loads(text) if len(text) <= _LONGEST_FILE else None
    except (ValueError, RecursionError):
        return None


def _known_as(text: str, value: object) -> str:
    """Return what else a file is, if it is another export of ours or a file for another tool; else ""."""
    if isinstance(value, dict):
        return next((words for name, words in _OTHER_OBJECTS.items() if name in value), "")
    start = text[:200].lstrip().lower()
    return next((words for begins, words in _OTHER_TEXTS.items() if start.startswith(begins)), "")


# What else is exported, by a name in its object or by how its text begins.
_OTHER_OBJECTS = {
    "resourceSpans": "the spans of a run (OTLP)",
    "stop_reason": "the answer, aspects and hops of a run (JSON)",
}
_OTHER_TEXTS = {
    "<!doctype html": "a page to read and print",
    "# ": "a dossier (Markdown)",
    "rank,score,": "a table of evidence (CSV)",
    "sentence,text,": "a table of sentences (CSV)",
}


def read_runs(lines: Iterable[str]) -> Iterator[ExportedRun]:
    """Yield the runs in `lines`, in order.

    Raises:
        InputError: a line is not what `run_lines` writes; runs before it have been given.
    """
    head: ExportedRun | None = None
    records: list[Record] = []
    numbered = enumerate(lines, start=1)
    for number, line in numbered:
        if not line.strip():
            continue
        value = _parsed(line) if len(line) <= _LONGEST_LINE else None
        if not isinstance(value, dict):
            raise InputError(_no_line(number, head, last=not any(rest.strip() for _, rest in numbered)))
        if "adaq_run" in value:
            if head is not None:
                yield replace(head, records=tuple(records))
            head, records = _head(value, number), []
        elif head is None:
            raise InputError(f"{_NO_EXPORT} Line {number} does not say which run begins.")
        else:
            records.append(_record(value, number, "Line", event=len(records) + 1))
    if head is not None:
        yield replace(head, records=tuple(records))


def _no_line(number: int, head: ExportedRun | None, *, last: bool) -> str:
    """Return why a line is not a JSON object; the last line of a run may have been cut short."""
    if head is None:
        return f"{_NO_EXPORT} Line {number} is not a JSON object."
    if last:
        return f"The file ends early, in line {number}, before the run ends. Export or copy it again."
    return f"The file is damaged in line {number}. Export or copy it again."


def _head(value: dict[str, object], number: int) -> ExportedRun:
    if value["adaq_run"] != _FORMAT:
        raise InputError(f"Line {number} is of a later version of ADAQ ({value['adaq_run']!r}). Update ADAQ.")
    tags, rating = value.get("tags"), value.get("rating")
    return ExportedRun(
        run_id=str(value.get("run_id", "")),
        records=(),
        note=str(value.get("note", "")),
        tags=tuple(map(str, tags)) if isinstance(tags, list) else (),
        rating=_rating(rating),
        remarks=tuple(_remarks(value.get("remarks"))),
    )


def _rating(value: object) -> int | None:
    if isinstance(value, int) and -1 <= value <= 5:
        return value
    return None


def _remarks(value: object) -> Iterator[Remark]:
    """Read the remarks in `value`, which may be malformed; anything else in it is left out."""
    for one in value if isinstance(value, list) else ():
        part = one.get("part") if isinstance(one, dict) else None
        if part in RUN_PARTS:
            target = str(one.get("target", ""))
            note = str(one.get("note", ""))
            yield Remark(part, target, note, _rating(one.get("rating")))


def _record(value: dict[str, object], number: int, place: str, *, event: int) -> Record:
    """Read an event; if the line states a number, it must be the next one of its run."""
    if value.get("seq", event) != event:
        raise InputError(f"Event {event} of the run is missing in the file. Export or copy it again.")
    return _read_record(value, number, place)


def _read_record(value: dict[str, object], number: int, place: str) -> Record:
    try:
        event = load(value["event"])  # type: ignore[arg-type]
        if not 0 <= getattr(event, "hop", 0) <= _MOST_HOPS:
            raise ValueError("such a hop cannot be")
        if isinstance(event, RunStarted) and len(event.question) > MAX_CHARACTERS:
            raise ValueError("so long a question cannot be asked")
        if len(getattr(event, "aspects", ())) > _MOST_ASPECTS:
            raise ValueError("so many aspects cannot be planned")
        if len(getattr(event, "lost", ())) > MAX_WORDS:
            raise ValueError("so many words cannot be lost")
        if isinstance(event, AnswerWritten) and not _table_holds(event.answer):
            raise ValueError("a table cannot name a sentence that is not there")
        at = datetime.fromisoformat(str(value["at"])).astimezone(UTC).isoformat(timespec="microseconds")
        seconds = float(value["elapsed"])  # type: ignore[arg-type]
        return Record(number, at, seconds if math.isfinite(seconds) else 0.0, event)
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError(f"{place} {number} is not an event that this version of ADAQ knows.") from error


def _table_holds(answer: Answer) -> bool:
    """Whether each cell of the answer's table names sentences of the answer."""
    cells = [cell for row in answer.table.rows for cell in row.cells] if answer.table else []
    return all(0 <= place < len(answer.statements) for cell in cells for place in cell)
