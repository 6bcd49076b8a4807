"""Figures that a question asks for together: of several things, for several quarters, of several companies.

Each cell of the grid is a figure of one company that is looked up by itself, behind the same checks. What a cell lacks
is told as missing; a question of which less than half is found is read as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from weakref import WeakKeyDictionary

from adaq_core.filings.asked_together import POLITE, AskedTogether, Lane, read_together
from adaq_core.filings.calculate import of_cause, of_one, of_year_before
from adaq_core.filings.conditions import conditions_of
from adaq_core.filings.register import Filings, Register, register_of
from adaq_core.filings.statement_figures import Figure, Operand, side_by_side
from adaq_core.model import AnswerKind, QueryAspect
from adaq_core.question.answer_kinds import kind_of_answer
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import terms_of, upper_first

_MOST_CELLS, _FEWEST_CELLS = 15, 2


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of the grid: what it is of, what stands at the head of its row and column, the aspect that asks."""

    name: str
    names_item: bool
    row: str
    column: str
    company: str
    asked: str
    figure: Figure | None
    answer_kind: AnswerKind = "amount"

    @property
    def text(self) -> str:
        """The figure in words; empty where there is none."""
        return self.figure.text if self.figure else ""


@dataclass(frozen=True, slots=True)
class FigureGrid:
    """The figures that a question asks for together; `beside` are its words that ask for something else."""

    cells: tuple[Cell, ...]
    beside: tuple[str, ...] = ()

    @property
    def aspects(self) -> tuple[QueryAspect, ...]:
        """An aspect for each cell."""
        return tuple(
            QueryAspect(cell.asked, "facet", subject=cell.company, answer_kind=cell.answer_kind) for cell in self.cells
        )

    def aspects_beside(self, planned: Sequence[QueryAspect]) -> tuple[QueryAspect, ...]:
        """The aspects of the cells, and those of the plan that ask for something else: "what dragged on it"."""
        own: list[QueryAspect] = []
        for asked in self.beside:
            terms = terms_of(asked)
            shared = [len(terms & terms_of(aspect.aspect)) for aspect in planned]
            if len(planned) == 1:
                own.append(QueryAspect(upper_first(asked), "facet", answer_kind=kind_of_answer(asked)))
            else:
                own.append(planned[shared.index(max(shared))])
        return (*self.aspects, *dict.fromkeys(own))

    def of(self, aspects: Sequence[QueryAspect]) -> FigureGrid | None:
        """The grid of the cells that `aspects` ask for; None where none of these has a figure.

        A user may take an aspect away or reword it: the others keep their figures.
        """
        asked = {aspect.aspect for aspect in aspects}
        cells = tuple(cell for cell in self.cells if cell.asked in asked)
        return replace(self, cells=cells) if any(cell.figure for cell in cells) else None

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands at the heads of the columns, in the order of the question."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def note(self) -> str:
        """What the plan says of it."""
        return "Several figures are asked for: each is looked up by itself"

    @property
    def figure(self) -> Figure:
        """The figures that were found, side by side: each column with its rows."""
        told = [(cell, cell.figure) for cell in self.cells if cell.figure is not None]
        rows = {cell.row for cell in self.cells}
        made = []
        for column in self.columns:
            own = [(cell.row, figure) for cell, figure in told if cell.column == column]
            if own and len(rows) > 1:
                lines = (f"{row} {figure.text}" for row, figure in own)
                made.append((column, replace(side_by_side(own), text="; ".join(lines))))
            else:
                made += [(column, figure) for _, figure in own]
        return replace(side_by_side(made), operands=self._operands)

    @property
    def passage_ids(self) -> tuple[str, ...]:
        """The passages that hold the figures, each once."""
        return tuple(dict.fromkeys(operand.passage_id for operand in self._operands))

    @property
    def _operands(self) -> tuple[Operand, ...]:
        """The values of the cells, first those that need the fewest passages beside the ones before."""
        left = [cell.figure.operands for cell in self.cells if cell.figure is not None]
        held: set[str] = set()
        ordered: list[Operand] = []
        while left:
            new = [len({each.passage_id for each in operands} - held) for operands in left]
            operands = left.pop(new.index(min(new)))
            held |= {each.passage_id for each in operands}
            ordered += operands
        return tuple(ordered)


def figures_asked(question: str, index: Corpus) -> FigureGrid | None:
    """The grid of figures that a question asks for; None where it asks for one, or for something else."""
    register = register_of(index)
    if register is None:
        return None
    known = _ASKED_BEFORE.setdefault(register.held, {})
    if question not in known:
        if len(known) >= _KEPT:
            known.clear()
        known[question] = _made(POLITE.sub("", question), register)
    return known[question]


_KEPT = 32  # questions of a corpus: a run asks for its grid as often as it plans, searches and writes
_ASKED_BEFORE: WeakKeyDictionary[Filings, dict[str, FigureGrid | None]] = WeakKeyDictionary()


CellOf = Callable[[Lane, str], Cell]


def _made(question: str, register: Register) -> FigureGrid | None:
    asked = read_together(question, register)
    if asked is None:
        return None
    cell_of: CellOf = cache(partial(_cell, register))  # whether a thing has a figure is asked before its row is made
    names = asked.names(
        lambda name, subject: _is_said_whole(subject, register) and _says(cell_of(asked.lanes[0], name), subject)
    )
    fewest = 1 if asked.asks_why else _FEWEST_CELLS  # why one of them changed makes a second cell
    if not fewest <= len(names) * len(asked.lanes) <= _MOST_CELLS:
        return None
    rows = [_row(each, asked.lanes, cell_of) for each in names]
    told = [row for row in rows if _found(row) or (not asked.asks_how and row[0].names_item)]
    if not told or not _found(told[0]):
        return None
    if 2 * sum(map(_found, told)) < len(told) * len(asked.lanes):
        return None
    # Of how something did nobody named what is not found; what is no item and has no figure is asked beside figures.
    unknown = [] if asked.asks_how else [row for row in rows if row not in told]
    left = [row[0].name for row in unknown]
    causes = _causes(asked, told, register)
    by_lane = zip(*told, *causes, strict=True)
    kept = _told_once([list(filter(None, lane)) for lane in by_lane])
    if _found(kept) < _FEWEST_CELLS or len(left) > len(told):
        return None
    return FigureGrid(tuple(kept), (*left, *asked.beside(with_causes=not causes)))


def _is_said_whole(subject: str, register: Register) -> bool:
    """Whether some passage says all of a name; of parts that only stand side by side in a question none does."""
    terms = terms_of(subject)
    return not terms or len(register.index.all_holding([sorted(terms)])[0]) > 0


def _says(cell: Cell, subject: str) -> bool:
    """Whether the figure of a cell is of all that its name says."""
    operands = cell.figure.operands if cell.figure else ()
    told = " ".join(f"{each.label} {each.quote}" for each in operands)
    return terms_of(subject) <= terms_of(told)


def _found(cells: Sequence[Cell]) -> int:
    return sum(cell.figure is not None for cell in cells)


def _row(names: Sequence[str], lanes: Sequence[Lane], cell_of: CellOf) -> list[Cell]:
    """A thing in every lane, under the name by which most of them have it: AWS's sales are not Amazon's."""
    made = [[cell_of(lane, name) for lane in lanes] for name in names]
    return max(made, key=_found)


def _cell(register: Register, lane: Lane, name: str) -> Cell:
    asked = f"What was {lane.label} {name}{lane.when}"
    conditions = conditions_of(asked, register)
    figure = of_one(asked, conditions, register) if conditions else None
    figure = figure or of_year_before(asked, conditions, register)
    names_item = name.endswith("growth") or bool(register.profile.named_in(name))
    return _filled(lane, name, figure, names_item=names_item)


def _causes(asked: AskedTogether, told: Sequence[Sequence[Cell]], register: Register) -> list[list[Cell | None]]:
    """The row of why what a question asks for rose or fell; no row where it does not ask, or nothing says it."""
    if not (asked.asks_why or asked.asks_how):
        return []
    row = _row_of_causes(told[0] if asked.asks_how else told[-1], asked, register)
    return [row] if any(cell and cell.figure for cell in row) else []


def _row_of_causes(cells: Sequence[Cell], asked: AskedTogether, register: Register) -> list[Cell | None]:
    """Why the figures of a row rose or fell, as the reports say, in the last period of a company or in each."""
    newest = {lane.company: lane for lane in asked.lanes}
    made: list[Cell | None] = []
    for cell, lane in zip(cells, asked.lanes, strict=True):
        is_newest = lane is newest[lane.company]
        thing = cell.name.removesuffix(" growth")
        change = f"{lane.label} {thing} change{lane.when}"
        conditions = conditions_of(change, register)
        if conditions and (asked.asks_why_of_each or is_newest):
            cause = of_cause(change, conditions, register)
            cell = replace(_filled(lane, f"why {thing} changed", cause, asked="{} ({})"), answer_kind="reason")
            made.append(cell if cause or is_newest else None)
        else:
            made.append(None)
    return made


def _filled(lane: Lane, name: str, figure: Figure | None, *, names_item: bool = True, asked: str = "{} of {}") -> Cell:
    """A cell, whose aspect is the thing of its company and period, as `asked` words it."""
    of = asked.format(name, lane.company) if lane.company else name
    aspect = ", ".join(filter(None, (titled(of), lane.period)))
    if figure is not None:
        operands = [replace(each, of=aspect) for each in figure.operands]
        figure = replace(figure, operands=tuple(operands))
    row, column = name, lane.period
    if lane.is_of_companies and lane.is_of_periods:
        row = f"{name} of {lane.company}"
    elif lane.is_of_companies or not lane.period:
        column = lane.company
    return Cell(name, names_item, row, column or lane.label, lane.label, aspect, figure)


def titled(name: str) -> str:
    """A name with a capital in front; "iPhone sales" has one of its own."""
    first = name.split()[0]
    return name if any(map(str.isupper, first)) else upper_first(name)


def _told_once(lanes: Sequence[Sequence[Cell]]) -> list[Cell]:
    """The cells without those of a period that is another's under another name: "fiscal 1Q23 (Sept-22)"."""
    kept: list[Cell] = []
    known: list[object] = []
    for lane in lanes:
        told = list(map(_places, lane))
        if not any(told) or told not in known:
            kept += lane
        known.append(told)
    return kept


def _places(cell: Cell) -> tuple[tuple[str, ...], ...]:
    figure = cell.figure
    operands = figure.operands if figure else ()
    return tuple((cell.text, each.passage_id, each.quote) for each in operands)
