"""Rows of tables that a question asks for: which they are, how many, what they add up to, which has the most.

What is worked out names its table, its conditions and its rows, so that a reader can count again.
"""

from __future__ import annotations

from collections.abc import Sequence

from adaq_core.filings.statement_figures import Figure, Operand
from adaq_core.question.parse import ParsedQuestion
from adaq_core.records.asked import Asked, asked_of
from adaq_core.records.tables import Row, tables_of
from adaq_core.records.work_out import worked_out
from adaq_core.retrieval import Corpus

_NAMED = 12  # rows that a derivation names


def figure_in_rows(question: ParsedQuestion, corpus: Corpus, *, most: int) -> Figure | None:
    """What rows of a table answer to `question`, with up to `most` of their passages; None where no table does.

    Rows are given for a question of which every word is a cell, a column, what the rows are called, or asks.
    """
    tables = tables_of(corpus)
    asked = asked_of(question, tables) if tables else None
    made = worked_out(asked) if asked else None
    if asked is None or made is None:
        return None
    text, kind, rows = made
    kept = list(dict.fromkeys(row.passage.passage_id for row in rows))[:most]
    cited = [row for row in rows if row.passage.passage_id in kept]
    left = f"; the first {len(cited)} are cited" if len(cited) < len(rows) else ""
    operands = tuple(_operand(asked, row) for row in cited)
    return Figure(text, float(len(rows)), kind, _how(asked, text, rows) + left, operands)


def _operand(asked: Asked, row: Row) -> Operand:
    table, passage = asked.table.name, row.passage
    return Operand("row", 0, asked.table.name_of(row), 0.0, table, passage.title, passage.passage_id, row.quote)


def _how(asked: Asked, text: str, rows: Sequence[Row]) -> str:
    """How the figure came about: which rows of which table, under which conditions."""
    total = len(asked.table.rows)
    counted = f"all {total} rows" if len(rows) == total else f"{len(rows)} of the {total} rows"
    groups = asked.alternatives(asked.conditions)
    conditions = dict.fromkeys(" or ".join(each.text for each in group) for group in groups)
    where = f" where {' and '.join(conditions)}" if conditions else ""
    of_all = f"{counted} of “{asked.table.name}”{where}"
    labels = [asked.table.name_of(row) for row in rows]
    if all(each in text or each in where for each in labels):
        return of_all
    named, more = ", ".join(labels[:_NAMED]), len(labels) - _NAMED
    return f"{of_all}: {named} and {more} more" if more > 0 else f"{of_all}: {named}"
