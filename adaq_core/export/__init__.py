"""Runs that leave the machine: the files that one can become, each a text made of its stored events."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adaq_core.answerability import Recalibration
from adaq_core.events import Record
from adaq_core.export.dossier import claims_table, dossier, evidence_table, trec_run
from adaq_core.export.otlp import otlp
from adaq_core.export.page import run_page
from adaq_core.export.run_json import WHOLE, run_json, run_lines
from adaq_core.store.history import Remark
from adaq_core.store.rows import RunRow
from adaq_core.trace import view


@dataclass(frozen=True, slots=True)
class Going:
    """A stored run on its way out: its row, its events, what was noted of it, and how often runs like it were right."""

    row: RunRow
    records: Sequence[Record]
    remarks: Sequence[Remark] = ()
    judged: Recalibration | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: what people call it, the end of its name, and how it is made.

    `joins`: the texts of several runs, one after the other, are a file of the same kind.
    """

    name: str
    label: str
    suffix: str
    mime: str
    text: Callable[[Going], str]
    joins: bool = True


def _lines(run: Going) -> str:
    return "".join(f"{line}\n" for line in run_lines(run.row, run.records, run.remarks))


def _json(run: Going) -> str:
    return json.dumps(run_json(run.row.run_id, run.records), ensure_ascii=False) + "\n"


def _spans(run: Going) -> str:
    return json.dumps(otlp(run.row.run_id, run.records, content=False)) + "\n"


def _page(run: Going) -> str:
    return run_page(run.row.run_id, view(run.records), judged=run.judged)


def _markdown(run: Going) -> str:
    return dossier(run.row.run_id, view(run.records), judged=run.judged)


def _trec(run: Going) -> str:
    return trec_run(run.row.question_id or run.row.run_id, view(run.records))


def _evidence(run: Going) -> str:
    return evidence_table(view(run.records))


def _claims(run: Going) -> str:
    return claims_table(view(run.records))


FORMATS = (
    Format("lines", WHOLE, ".jsonl", "application/jsonl", _lines),
    Format("html", "Dossier, a page to read and print", ".html", "text/html", _page, joins=False),
    Format("markdown", "Dossier (Markdown)", ".md", "text/markdown", _markdown, joins=False),
    Format("json", "Answer, aspects and hops (JSON)", ".json", "application/json", _json),
    Format("evidence", "Evidence (CSV)", ".evidence.csv", "text/csv", _evidence, joins=False),
    Format("claims", "Sentences and their quotes (CSV)", ".claims.csv", "text/csv", _claims, joins=False),
    Format("trec", "Ranking (TREC run file)", ".run", "text/plain", _trec),
    Format("otlp", "Spans without texts (OTLP/JSON)", ".otlp.json", "application/json", _spans),
)
BY_NAME = {each.name: each for each in FORMATS}
