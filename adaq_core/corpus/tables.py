"""Tables as lines that can be cited alone: "label: column value; column value"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"\d")
_RULE = re.compile(r"^[\s|:+=-]+$")
_BAR = "|"
_WIDEST = 60


def text_of_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines: each cell after the name of its column under a header, with " | " between where there is none."""
    if len(rows) < 2 or not _is_header(rows[0], rows[1:]):
        return "\n".join(" | ".join(cell for cell in row if cell) for row in rows)
    header, lines = rows[0], [" | ".join(cell for cell in rows[0] if cell)]
    for row in rows[1:]:
        named = zip(header[1:], row[1:], strict=False)
        cells = "; ".join(f"{name} {cell}".strip() for name, cell in named if cell)
        lines.append(f"{row[0]}: {cells}" if row[0] and cells else cells or row[0])
    return "\n".join(lines)


def with_named_rows(text: str) -> str:
    """The text with the columns named in each row of its tables, which are lines with bars between their cells."""
    done: list[str] = []
    table: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if _BAR in line and (len(cells := _cells(line)) > 1 or _RULE.match(line)):
            table += [cells] if not _RULE.match(line) else []
            continue
        if table:
            done.append(text_of_table(table))
            table = []
        done.append(line)
    return "\n".join(done[:-1])


def _cells(line: str) -> list[str]:
    return [" ".join(cell.split()) for cell in line.strip().strip(_BAR).split(_BAR)]


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short names, nearly one for each, over cells with figures."""
    names = [cell for cell in first if cell]
    widest = max(sum(bool(cell) for cell in row) for row in rows)
    if len(names) < max(2, widest - 1) or max(map(len, names)) > _WIDEST:
        return False
    return any(_NUMBER.search(cell) for row in rows for cell in row[1:]) or widest == len(names)
