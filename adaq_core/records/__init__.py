"""Rows of tables that a question asks for: which they are, how many, what they add up to, which has the most.

What is worked out names its table, its conditions and its rows, so that a reader can count again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from adaq_core.filings.statement_figures import Figure, Operand
from adaq_core.records.asked import Asked, asked_of, is_yes_or_no, told
from adaq_core.records.tables import Column, Row, day_of, number_of, tables_of
from adaq_core.retrieval import Corpus

_NAMED = 12  # rows that a derivation names
_UNIT = re.compile(r"\(([^()]{1,12})\)\s*$")
_OF_CELL = re.compile(r"^([$€£¥])|\d\s?([%$€£¥]|[A-Za-z]{1,12})$")
_IN_TIME = re.compile(r"\b(?:latest|last|newest|most recent(?:ly)?|first|earliest|oldest|soonest)\b", re.IGNORECASE)


def figure_in_rows(question: str, corpus: Corpus, *, most: int) -> Figure | None:
    """What rows of a table answer to `question`, with up to `most` of their passages; None where no table does.

    Rows are given for a question of which every word is a cell, a column, what the rows are called, or asks.
    """
    tables = tables_of(corpus)
    asked = asked_of(question, tables) if tables else None
    if asked is None:
        return None
    rows = [row for row in asked.table.rows if all(each.is_met_by(row) for each in asked.conditions)]
    if (is_yes_or_no(question) and asked.want == "rows") or not rows:
        made = _yes_or_no(asked)
    elif asked.want in ("most", "least"):
        made = _extreme(asked, rows, question)
    else:
        made = _OF_WANT[asked.want](asked, rows)
    return _figure(asked, *made, most=most) if made else None


Made = tuple[str, str, Sequence[Row]]  # the text, its kind, the rows that it is made of


def _chosen(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """The cells of the columns that are asked for; without one, what the rows are called."""
    if asked.each is not None:
        return _counted(asked, rows)
    limited = [condition.column for condition in asked.conditions]
    wanted = [column for column in asked.columns if column is not asked.table.label and column not in limited]
    if not wanted or asked.rows_first:
        if not asked.names_rows or not asked.conditions:
            return None
        return ", ".join(_label(asked, row) for row in rows), "list", rows
    if not (asked.conditions or asked.names_rows):
        return None
    texts = [" ".join(_shown(column, row) for column in wanted if row.cells.get(column.name)) for row in rows]
    different = list(dict.fromkeys(filter(None, texts)))
    if not different:
        return None
    if len(different) == 1:
        return different[0], _kind_of(wanted[0]), rows
    by_row = any(column.is_numeric or column.is_dated for column in wanted)
    shown = [f"{_label(asked, row)}: {text}" for row, text in zip(rows, texts, strict=True) if text]
    return ("; ".join(shown) if by_row else ", ".join(different)), "list", rows


def _kind_of(column: Column) -> str:
    return "date" if column.is_dated else "number" if column.is_numeric else "list"


def _counted(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """How many rows, or cells of another column; the sum of a column of numbers; each by a column where one is named."""
    numeric = _numeric(asked)
    if numeric:
        return _added_up(asked, rows)
    if asked.each is not None:
        return _grouped(rows, asked.each, lambda group: f"{len(group)}")
    others = [column for column in asked.columns if column is not asked.table.label]
    if others and not asked.names_kind:
        cells = dict.fromkeys(cell for row in rows if (cell := row.cells.get(others[0].name)))
        return f"{len(cells)}: {', '.join(cells)}", "number", rows
    return f"{len(rows)}", "number", rows


def _numeric(asked: Asked) -> list[Column]:
    return [column for column in asked.columns if column.is_numeric and not column.names_rows]


def _added_up(asked: Asked, rows: Sequence[Row]) -> Made | None:
    return _of_numbers(asked, rows, sum)


def _averaged(asked: Asked, rows: Sequence[Row]) -> Made | None:
    return _of_numbers(asked, rows, lambda numbers: sum(numbers) / len(numbers))


def _of_numbers(asked: Asked, rows: Sequence[Row], work_out: Callable[[Sequence[float]], float]) -> Made | None:
    """A sum or a mean of each column of numbers that is asked for, or of all where none is."""
    columns = _numeric(asked) or [c for c in asked.table.columns if c.is_numeric and c is not asked.table.label]
    if not columns:
        return None
    if asked.each is not None:
        column = columns[0]
        return _grouped(rows, asked.each, lambda group: _with_unit(work_out(_numbers(column, group)), column))
    texts = [_with_unit(work_out(_numbers(column, rows)), column) for column in columns if _numbers(column, rows)]
    named = [f"{column.name}: {text}" for column, text in zip(columns, texts, strict=False)]
    return ("; ".join(named) if len(named) > 1 else texts[0], "number", rows) if texts else None


def _numbers(column: Column, rows: Iterable[Row]) -> list[float]:
    read = (number_of(row.cells.get(column.name, "")) for row in rows)
    return [number for number in read if number is not None]


def _grouped(rows: Sequence[Row], column: Column, tell: Callable[[Sequence[Row]], str]) -> Made:
    groups = _groups(rows, column)
    return "; ".join(f"{cell}: {tell(group)}" for cell, group in groups.items()), "list", rows


def _groups(rows: Sequence[Row], column: Column) -> dict[str, list[Row]]:
    """The rows by their cell of a column, the most first."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if cell := row.cells.get(column.name):
            groups.setdefault(cell, []).append(row)
    return dict(sorted(groups.items(), key=lambda group: -len(group[1])))


def _share(asked: Asked, rows: Sequence[Row]) -> Made | None:
    total = len(asked.table.rows)
    return (f"{100 * len(rows) / total:.0f} % ({len(rows)} of {total})", "number", rows) if asked.conditions else None


def _extreme(asked: Asked, rows: Sequence[Row], question: str) -> Made | None:
    """The rows, or the cell of a column that is asked for, with the most or the least of what is named, or of rows."""
    measured = [column for column in asked.columns if column.is_numeric or column.is_dated]
    entities = [c for c in asked.columns if c not in measured and not c.names_rows]
    if not measured and (not entities or _IN_TIME.search(question)):
        in_time = _IN_TIME.search(question) is not None
        others = [c for c in asked.table.columns if (c.is_dated if in_time else c.is_numeric and not c.names_rows)]
        measured = others if len(others) == 1 else []
        if not measured:
            return None
    sign = 1 if asked.want == "most" else -1
    if entities and not (measured and measured[0].is_dated):
        sizes = {
            cell: sum(_numbers(measured[0], group)) if measured else float(len(group))
            for cell, group in _groups(rows, entities[0]).items()
        }
        best = max(sign * size for size in sizes.values())
        top = [cell for cell, size in sizes.items() if sign * size == best]
        unit = _with_unit(sign * best, measured[0]) if measured else f"{sign * best:.0f}"
        mine = [row for row in rows if row.cells.get(entities[0].name) in top]
        return f"{' and '.join(top)} ({unit}{' each' if len(top) > 1 else ''})", "list", mine
    column = measured[0]
    values = [(value, row) for row in rows if (value := _measure(column, row)) is not None]
    if not values:
        return None
    best_value = max(sign * value for value, _ in values)
    top_rows = [row for value, row in values if sign * value == best_value]
    names = [row.cells.get(entities[0].name, "") if entities else _label(asked, row) for row in top_rows]
    return f"{' and '.join(dict.fromkeys(names))} ({column.name}: {_shown(column, top_rows[0])})", "list", top_rows


def _measure(column: Column, row: Row) -> float | None:
    cell = row.cells.get(column.name, "")
    day = day_of(cell) if column.is_dated else None
    return float(day.number) if day else number_of(cell)


def _yes_or_no(asked: Asked) -> Made | None:
    """Whether the row that is named meets what is said of it; what it says instead where a question takes it for so."""
    named = [condition for condition in asked.conditions if condition.column.names_rows]
    claims = [condition for condition in asked.conditions if condition not in named]
    rows = [row for row in asked.table.rows if named and all(each.is_met_by(row) for each in named)]
    if len(rows) != 1 or not claims:
        return None
    said = ", ".join(f"{each.column.name}: {rows[0].cells.get(each.column.name) or 'nothing'}" for each in claims)
    return f"{'Yes' if all(each.is_met_by(rows[0]) for each in claims) else 'No'} ({said})", "yes_no", rows


_OF_WANT: dict[str, Callable[[Asked, Sequence[Row]], Made | None]] = {
    "rows": _chosen,
    "count": _counted,
    "sum": _added_up,
    "mean": _averaged,
    "share": _share,
}


def _label(asked: Asked, row: Row) -> str:
    return row.cells.get(asked.table.label.name) or row.passage.title


def _shown(column: Column, row: Row) -> str:
    """A cell as a reader sees it: a number with the unit that its column has in brackets."""
    cell = row.cells.get(column.name, "")
    unit = _UNIT.search(column.name)
    return f"{cell} {unit[1]}" if unit and column.is_numeric and number_of(cell) is not None else cell


def _with_unit(number: float, column: Column) -> str:
    """A number that was worked out, with the unit of its column or of all its cells."""
    shown = f"{number:,.2f}".rstrip("0").rstrip(".")
    in_name = _UNIT.search(column.name)
    if in_name:
        return f"{shown} {in_name[1]}"
    units = {match[1] or match[2] for cell in column.filled if (match := _OF_CELL.search(cell))}
    unit = units.pop() if len(units) == 1 else ""
    return f"{unit}{shown}" if unit in "$€£¥" else f"{shown} {unit}"


def _figure(asked: Asked, text: str, kind: str, rows: Sequence[Row], *, most: int) -> Figure:
    """The figure with the rows that it cites, the first of as many passages as may be kept."""
    passages = dict.fromkeys(row.passage.passage_id for row in rows)
    kept = set(list(passages)[:most])
    cited = [row for row in rows if row.passage.passage_id in kept]
    labels = [_label(asked, row) for row in rows[:_NAMED]]
    more = f" and {len(rows) - len(labels)} more" if len(rows) > len(labels) else ""
    where = f" where {' and '.join(told(asked.conditions))}" if asked.conditions else ""
    of_all = f"{len(rows)} of the {len(asked.table.rows)} rows of “{asked.table.name}”{where}: {', '.join(labels)}{more}"
    left = f"; the first {len(cited)} are cited" if len(cited) < len(rows) else ""
    operands = [
        Operand("row", 0, _label(asked, row), 0.0, asked.table.name, row.passage.title, row.passage.passage_id, row.quote)
        for row in cited
    ]
    return Figure(text, float(len(rows)), kind, of_all + left, tuple(operands))
