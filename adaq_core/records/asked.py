"""What a question asks of a table: rows that meet conditions, and what of them (which, how many, a sum, the most)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from adaq_core.model import AnswerKind
from adaq_core.records.tables import COMMA, Column, Row, Table
from adaq_core.text.values import Amount, Date

Want = Literal[
    "rows", "count", "sum", "mean", "most", "least", "share",
    "difference", "changed", "same",
]  # fmt: skip
LONG_CELL = 80  # characters
_HARDLY = frozenset(("not", "no", "non", "almost", "nearly", "hardly", "never", "without"))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row has to meet: a cell, none, a period of a day, or the bounds of a number; `text` says it in words.

    With `beside` the number or day has to be above that of another column, or below where `order` says so.
    """

    column: Column
    text: str
    cell: str = ""
    period: Date | None = None
    order: str = ""
    low: float = float("-inf")
    high: float = float("inf")
    denied: bool = False
    is_blank: bool = False
    others: tuple[Column, ...] = ()  # columns of which any may have the cell
    beside: Column | None = None
    amount: Amount | None = None  # that the row's range of amounts has to hold

    def is_met_by(self, row: Row) -> bool:
        """Whether a row meets it; one without the cell does not, unless it is asked for having none."""
        if self.others:
            cells = [row.cells.get(column.name, "") for column in (self.column, *self.others)]
            return (self.cell in cells) != self.denied
        cell = row.cells.get(self.column.name, "")
        if self.is_blank:
            return not cell
        if self.amount is not None:
            return self.column.holds(cell, self.amount)
        if self.beside is not None:
            own = self.column.value(cell)
            other = self.beside.value(row.cells.get(self.beside.name, ""))
            if own is None or other is None:
                return False
            if self.order == "<":
                return own < other
            return (own > other) != self.denied
        return bool(cell) and self._holds(cell) != self.denied

    def _holds(self, cell: str) -> bool:
        if self.cell:
            parts = (cell, *COMMA.split(cell))
            is_listed = _in_one(self.cell) in map(_in_one, parts)
            return is_listed or (len(cell) > LONG_CELL and self._is_said_in(cell))
        if self.period is not None:
            day = self.column.day(cell)
            return day is not None and _lies(day, self.period, self.order)
        number = self.column.number(cell)
        return number is not None and self.low <= number <= self.high

    def _is_said_in(self, text: str) -> bool:
        """Whether a text of several sentences says the cell: "world's largest landlocked country", not "almost …"."""
        said = rf"([\w'’-]{{0,30}}) ?\b{re.escape(self.cell)}\b"
        before = re.search(said, text, re.IGNORECASE)
        return before is not None and before[1].lower() not in _HARDLY


@dataclass(slots=True)
class Asked:
    """A question as it is asked of one table.

    `rows_first` says that what the rows are called comes before any column: they are asked for, and cells of theirs
    only where it `names_cells` ("… and their owners").
    """

    question: str
    kind: AnswerKind
    table: Table
    conditions: list[Condition] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    each: Column | None = None
    want: Want = "rows"
    names_rows: bool = False
    rows_first: bool = False
    names_cells: bool = False
    is_of_means: bool = False  # the most or the least of means, and not of sums
    subject: Column | None = None  # right behind "which"
    top: int = 0  # how many of the most are asked for, "the three largest"
    place: int = 1  # "the second largest"
    unclear: Sequence[Column] = ()  # columns of which a word means any: "fatal accidents" of two periods
    is_none: bool = False  # that no row meets the conditions is the answer
    is_which_of_two: bool = False  # whether one has more than another: "is A cheaper than B?"

    @property
    def worth(self) -> tuple[bool, int, int, bool]:
        """How well the table fits: it is named, and more of the question is said in its cells, columns and names."""
        names_one = self.table.label in self.about
        return self.names_rows, len(self.conditions), len(self.columns), names_one

    @property
    def rows(self) -> list[Row]:
        """The rows that meet all conditions."""
        return self.meeting(self.conditions)

    def meeting(self, conditions: Sequence[Condition]) -> list[Row]:
        """The rows that meet conditions; of several cells of one column, of which a row has one, any."""
        rows = list(self.table.rows)
        for group in self.alternatives(conditions):
            rows = [row for row in rows if any(condition.is_met_by(row) for condition in group)]
        return rows

    @staticmethod
    def alternatives(conditions: Sequence[Condition]) -> list[list[Condition]]:
        """The conditions, those together of which one is enough: "open or waiting"."""
        groups: dict[object, list[Condition]] = {}
        for condition in conditions:
            is_choice = condition.cell and not condition.denied and not (condition.column.lists or condition.others)
            groups.setdefault(condition.column.name if is_choice else condition, []).append(condition)
        return list(groups.values())

    def name_of(self, row: Row) -> str:
        """What a row is called; for "who" by the one column of people where nothing else names the rows."""
        own = self.table.name_of(row)
        if self.kind != "person" or self.table.has_names or self.table.people is None:
            return own
        return row.cells.get(self.table.people.name) or own

    @property
    def about(self) -> list[Column]:
        """The columns of the conditions."""
        return [condition.column for condition in self.conditions]

    @property
    def is_of_places(self) -> bool:
        """Whether several of the most are asked for, or another than the first."""
        return self.top > 0 or self.place > 1

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it is to be answered by yes or no."""
        return self.kind == "yes_no"

    @property
    def numeric(self) -> list[Column]:
        """The columns of numbers that are asked for."""
        return [column for column in self.columns if column in self.table.measures]


def _lies(day: Date, period: Date, order: str) -> bool:
    """Whether a day lies in a period, or before or after it."""
    is_in = period.holds(day)
    if order in ("before", "until", "by"):
        return order != "before" if is_in else day.number < period.number
    if order in ("after", "since", "from"):
        return order != "after" if is_in else day.number > period.number
    return is_in


def _in_one(cell: str) -> str:
    """A cell in small letters and in the singular: some write "Dessert", some "Desserts"."""
    return cell.lower().removesuffix("s")
