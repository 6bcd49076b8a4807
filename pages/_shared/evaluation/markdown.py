"""The tables of the Evaluation page as Markdown, with the command that makes the numbers again."""

from __future__ import annotations

from collections.abc import Sequence

from adaq_core.evaluation.results import shown
from adaq_core.evaluation.views import LeaderboardRow, Reliability, Slice, Tally
from pages._shared.evaluation.cells import Board
from pages._shared.evaluation.words import against, ranged, variant_label


def leaderboard_table(rows: Sequence[LeaderboardRow], measures: Sequence[str], *, reference: str) -> str:
    """Methods down, measures across; the difference to the reference and whether it is significant behind each."""
    head = ("method", "n", *measures)
    lines = []
    for row in rows:
        cells = {cell.measure: cell for cell in row.cells}
        values = []
        for name in measures:
            cell = cells[name]
            parts = [shown(name, cell.interval.mean)]
            parts += [f"[{span}]"] if (span := ranged(name, cell.interval)) else []
            parts += [delta] if (delta := against(name, cell.difference, cell.verdict)) else []
            values.append(" ".join(parts))
        note = f"{row.n - row.failed}" + (f" ({row.failed} failed)" if row.failed else "")
        lines.append((variant_label(row.method), note, *values))
    return _table(head, lines) + (
        f"\n\nMeans with 95 % bootstrap intervals. Differences are to {variant_label(reference)}: ▲ better, ▼ worse "
        "(paired randomisation test, Holm-corrected, 5 %), n.s. not significant.\n"
    )


def slices_table(found: Sequence[Slice], measure: str) -> str:
    """Methods down, groups of questions across."""
    values = list(dict.fromkeys(each.value for each in found))
    known = {(each.method, each.value): each for each in found}
    lines = []
    for method in dict.fromkeys(each.method for each in found):
        cells = []
        for value in values:
            each = known.get((method, value))
            cells.append(f"{shown(measure, each.interval.mean)} (n {each.interval.n})" if each else "–")
        lines.append((variant_label(method), *cells))
    return _table((measure, *values), lines)


def tallies_table(found: Sequence[Tally], *, method: str, reference: str) -> str:
    """Groups of questions down; wins, ties and losses across."""
    head = (f"{variant_label(method)} against {variant_label(reference)}", "better", "same", "worse")
    return _table(head, [(each.value, str(each.wins), str(each.ties), str(each.losses)) for each in found])


def reliability_table(found: Sequence[Reliability]) -> str:
    """A line per method and bin that holds runs."""
    head = ("method", "stated sufficiency", "runs", "mean stated", "had all the evidence")
    lines = [
        (
            variant_label(each.method),
            f"{row.bin.low:.0%}–{row.bin.high:.0%}",
            str(row.bin.n),
            f"{row.bin.mean_estimate:.0%}",
            f"{row.bin.share_true:.0%}",
        )
        for each in found
        for row in each.rows
        if row.bin.n
    ]
    return _table(head, lines)


def board_table(board: Board) -> str:
    """A board as it is drawn."""
    head = (board.first, *(column["name"] for column in board.columns))
    lines = [
        (row["name"], *(f"{cell['text']} ({cell['range']})" if cell else "–" for cell in row["cells"]))
        for row in board.rows
    ]
    return _table(head, lines)


def plain_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Any table of words."""
    return _table(head, lines)


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rows = [head, ["---"] + ["---:"] * (len(head) - 1), *lines]
    return "\n".join(f"| {' | '.join(_escaped(cell) for cell in row)} |" for row in rows)


def _escaped(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")
