"""What a question asks of a table: rows that meet conditions, and what of them (which, how many, a sum, the most).

A question is read against the tables of the corpus: cells, columns and what the rows are called. Where one of its words
has no part in that, nothing is asked of the table; a wrong count is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from adaq_core.matching.lexicon import is_common_word, similarity
from adaq_core.records.tables import Column, Row, Table, day_of, number_of
from adaq_core.text.tokens import Word, spans, stem
from adaq_core.text.values import Date, dates

Want = Literal["rows", "count", "sum", "mean", "most", "least", "share"]
_WANTS: tuple[tuple[Want, str], ...] = (
    ("share", r"(?:what|which) (?:share|percentage|proportion|fraction|percent)(?: of)?|percentage of|share of"),
    ("mean", r"averages?(?: number of| of)?|mean"),
    ("sum", r"totals?(?: of| number of)?|sum(?: of)?|altogether|in total|combined|overall"),
    ("most", r"most(?: recent(?:ly)?| expensive| common(?:ly)?| often)?|highest|largest|biggest|greatest|maximum|longest|latest|last|newest"),
    ("least", r"least|fewest|lowest|smallest|minimum|shortest|first|earliest|oldest|soonest|cheapest|next"),
    ("count", r"how many|(?:the )?number of|count(?: of)?"),
)  # fmt: skip
_WANTED = [(want, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)) for want, pattern in _WANTS]
_EACH = re.compile(r"\b(?:per|by|for each|for every|in each|of each)\s+(?=(\w+))", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|other than|except|excluding)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?P<way>more than|greater than|higher than|longer than|over|above|at least|less than|fewer than|lower than|shorter than"
    r"|under|below|at most)\s+(?:[$€£¥]\s?)?(?P<number>\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,9})?)\b(?! of )",
    re.IGNORECASE,
)
_UP = frozenset(("more than", "greater than", "higher than", "longer than", "over", "above", "at least"))
_ORDER = re.compile(r"\b(before|after|since|until|from|between|by)\s*$", re.IGNORECASE)
# Words that ask, join, or say no more than that a row is there.
_LIGHT = frozenset(
    """
    a an the this that these those it its they them their there here which what who whom whose when where how much
    many is are was were be been do does did has have had of for in on at to by with from and or than as per each every
    all any we our us i me my you list show give tell name find get please still yet currently now already so far
    overall spend spent take took taken make made record recorded belong belongs hold holds come comes get gets got
    total number amount row rows entry entries record records table listed long old big high worth set go going lot
    following various different various can could will would be able
    """.split()
)
_ENDING = frozenset(stem(word) for word in ("end", "ends", "expire", "run", "out", "due", "lapse", "until", "over"))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row has to meet: a cell, a period of a day, or the bounds of a number; `text` says it in words."""

    column: Column
    text: str
    cell: str = ""
    period: Date | None = None
    order: str = ""
    low: float = float("-inf")
    high: float = float("inf")
    denied: bool = False

    def is_met_by(self, row: Row) -> bool:
        """Whether a row meets it; one without the cell does not, whatever is asked."""
        cell = row.cells.get(self.column.name, "")
        return bool(cell) and self._holds(cell) != self.denied

    def _holds(self, cell: str) -> bool:
        if self.cell:
            return cell.lower() == self.cell.lower()
        if self.period is not None:
            day = day_of(cell)
            return day is not None and _lies(day, self.period, self.order)
        number = number_of(cell)
        return number is not None and self.low <= number <= self.high


def _lies(day: Date, period: Date, order: str) -> bool:
    if order in ("before", "until", "by"):
        return day.number < period.number or (order != "before" and period.holds(day))
    if order in ("after", "since", "from"):
        is_later = day.number > period.number and not period.holds(day)
        return is_later or (order != "after" and period.holds(day))
    return period.holds(day)


@dataclass(slots=True)
class Asked:
    """A question as it is asked of one table. `used` are the words that have a part in it, by their places.

    `rows_first` says that what the rows are called comes before any column: they are asked for, and no cell of theirs.
    """

    table: Table
    conditions: list[Condition] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    each: Column | None = None
    want: Want = "rows"
    names_rows: bool = False
    names_kind: bool = False  # by a word for its rows, not by a column
    rows_first: bool = False
    used: set[int] = field(default_factory=set)
    left: tuple[str, ...] = ()

    @property
    def worth(self) -> tuple[bool, int, int]:
        """How well the table fits: it is named, and more of the question is said in its cells and columns."""
        return self.names_kind, len(self.conditions), len(self.columns)


def asked_of(question: str, tables: Sequence[Table]) -> Asked | None:
    """The question as it is asked of the one table that explains all of its words; None where none or several do."""
    read = [asked for table in tables if (asked := _asked(question, table)) is not None]
    best = max((asked.worth for asked in read), default=None)
    fitting = [asked for asked in read if asked.worth == best]
    return fitting[0] if len(fitting) == 1 else None


def _asked(question: str, table: Table) -> Asked | None:
    asked = Asked(table)
    found = spans(question)
    _read_times(question, found, asked)
    _read_cells(question, found, asked)
    _read_wants(question, found, asked)
    _read_limits(question, found, asked)
    _read_columns(found, asked)
    _read_answers(question, found, asked)
    asked.left = tuple(word.word for n, word in enumerate(found) if n not in asked.used and not _is_light(word, asked))
    return asked if not asked.left and (asked.conditions or asked.columns or asked.names_rows) else None


def _is_light(word: Word, asked: Asked) -> bool:
    if word.word in _LIGHT or not stem(word.word):
        return True
    return stem(word.word) in _ENDING and any(column.is_dated for column in asked.columns)


def _places(found: Sequence[Word], start: int, end: int) -> set[int]:
    return {n for n, word in enumerate(found) if word.start < end and word.end > start}


def _read_times(question: str, found: Sequence[Word], asked: Asked) -> None:
    """Days and periods, each for the column of days that the question names, or the only one."""
    dated = [column for column in asked.table.columns if column.is_dated]
    said = {stem(word.word) for word in found}
    named = [column for column in dated if said & set(column.stems)]
    if len(named) != 1 and len(dated) != 1:
        return
    column = named[0] if len(named) == 1 else dated[0]
    for date in dates(question):
        start, end = date.span
        ahead = _ORDER.search(question, max(0, start - 12), start)
        order = ahead[1].lower() if ahead else ""
        words = f"{order} {question[start:end]}".strip()
        asked.conditions.append(Condition(column, f"{column.name}: {words}", period=date, order=order))
        asked.used |= _places(found, ahead.start() if ahead else start, end)


def _read_cells(question: str, found: Sequence[Word], asked: Asked) -> None:
    """What the question says in the words of a cell, the longest first; as a verb ("did X open") it is none."""
    values = asked.table.values
    longest = max(map(len, values), default=0)
    texts = [word.word for word in found]
    at = 0
    while at < len(texts):
        ends = range(min(len(texts), at + longest), at, -1)
        end = next((end for end in ends if tuple(texts[at:end]) in values and not _is_used(asked, at, end)), at)
        columns = values.get(tuple(texts[at:end]), ()) if end > at else ()
        if end == at and (named := _by_a_part(question, found[at], asked)):
            end, columns = at + 1, named
        column_and_cell = _the_one(columns, texts)
        is_verb = end - at == 1 and "did" in texts[:at] and question[found[at].start].islower()
        if column_and_cell and not is_verb and not (end - at == 1 and texts[at] in _LIGHT):
            column, cell = column_and_cell
            denied = _NOT.search(question, max(0, found[at].start - 12), found[at].start) is not None
            text = f"{column.name}: {'not ' if denied else ''}{cell}"
            asked.conditions.append(Condition(column, text, cell=cell, denied=denied))
            asked.used |= set(range(at, end))
        at = max(end, at + 1)
    for match in _NOT.finditer(question) if any(condition.denied for condition in asked.conditions) else ():
        asked.used |= _places(found, *match.span())


def _is_used(asked: Asked, start: int, end: int) -> bool:
    return not asked.used.isdisjoint(range(start, end))


def _the_one(columns: Sequence[tuple[Column, str]], said: Collection[str]) -> tuple[Column, str] | None:
    """The column that is meant where several hold the same cell: the one that the question names."""
    if len(columns) <= 1:
        return columns[0] if columns else None
    stems = {stem(word) for word in said}
    named = [(column, cell) for column, cell in columns if not stems.isdisjoint(column.stems)]
    return named[0] if len(named) == 1 else None


def _by_a_part(question: str, word: Word, asked: Asked) -> Sequence[tuple[Column, str]]:
    """The cell of which a capitalised word is the first, where there is no other: Northwind for Northwind Dairy."""
    if not question[word.start].isupper() or is_common_word(word.word) or word.start == 0:
        return ()
    firsts = [(key, held) for key, held in asked.table.values.items() if key and key[0] == word.word]
    return firsts[0][1] if len(firsts) == 1 else ()


def _read_wants(question: str, found: Sequence[Word], asked: Asked) -> None:
    """What is wanted of the rows; "the most tickets" is the largest count, "how many hours" a sum."""
    wants: list[Want] = []
    for want, pattern in _WANTED:
        for match in pattern.finditer(question):
            places = _places(found, *match.span())
            if asked.used.isdisjoint(places):
                wants.append(want)
                asked.used |= places
    asked.want = next(iter(wants), "rows")
    each = _EACH.search(question)
    if each and asked.want in ("rows", "count", "sum", "mean"):
        column = _column_named(stem(each[1].lower()), asked.table)
        if column is not None and not column.names_rows:
            asked.each = column
            asked.used |= _places(found, each.start(), each.end(1))


def _column_named(term: str, table: Table) -> Column | None:
    named = [column for column in table.columns if term in column.stems]
    return named[0] if len(named) == 1 else None


def _read_limits(question: str, found: Sequence[Word], asked: Asked) -> None:
    """Bounds of a number: of the column that stands behind them or before, or of the only one."""
    for match in _LIMIT.finditer(question):
        places = _places(found, *match.span())
        near = [stem(found[n].word) for n in (max(places) + 1, min(places) - 1) if 0 <= n < len(found)]
        numeric = [column for column in asked.table.columns if column.is_numeric]
        named = [column for term in near for column in numeric if term in column.stems]
        column = next(iter(named), numeric[0] if len(numeric) == 1 else None)
        if column is None:
            continue
        number, way = float(match["number"].replace(",", "")), match["way"].lower()
        bound = Condition(column, f"{column.name}: {match.group()}")
        is_open = way not in ("at least", "at most")
        if way in _UP:
            bound = replace(bound, low=number + 1e-9 if is_open else number)
        else:
            bound = replace(bound, high=number - 1e-9 if is_open else number)
        asked.conditions.append(bound)
        asked.used |= places


def _read_columns(found: Sequence[Word], asked: Asked) -> None:
    """The columns that are named whole, then those of which one word says enough; and what the rows are called."""
    terms = [stem(word.word) for word in found]
    free = [n for n, term in enumerate(terms) if term and n not in asked.used]
    named: list[int] = []
    for column in sorted(asked.table.columns, key=lambda column: -len(column.stems)):
        wanted = set(column.stems)
        places = [n for n in free if terms[n] in wanted]
        if wanted and wanted <= {terms[n] for n in places}:
            _take(column, places, asked)
            free = [n for n in free if n not in places]
            named += places if column is not asked.table.label else []
    for n in free:
        if terms[n] in asked.table.stems:
            asked.rows_first = asked.rows_first or not named or n < min(named)
            asked.names_rows = asked.names_kind = True
            asked.used.add(n)
            continue
        column = _meant(terms[n], found[n].word, asked.table)
        if column is not None:
            _take(column, [n], asked)
            named.append(n)


def _take(column: Column, places: Sequence[int], asked: Asked) -> None:
    asked.used |= set(places)
    if column is asked.table.label:
        asked.names_rows = asked.names_kind = True
        asked.rows_first = not asked.columns
    if column not in asked.columns:
        asked.columns.append(column)


_NEAR = 0.5
_SHORTEST = 3


def _meant(term: str, word: str, table: Table) -> Column | None:
    """The one column that a word means: by a part of its name, by who does it (who owns: Owner), or by a near word."""
    tests = (
        lambda column: term in column.stems,
        lambda column: len(term) >= _SHORTEST and any(_is_of(term, each) for each in column.stems),
        lambda column: not is_light_word(word) and similarity(term, frozenset(column.stems)) >= _NEAR,
    )
    for test in tests:
        named = [column for column in table.columns if test(column)]
        if named:
            return named[0] if len(named) == 1 else None
    return None


def is_light_word(word: str) -> bool:
    """Whether a word only asks, joins, or says that something is there."""
    return word in _LIGHT


def _is_of(term: str, name: str) -> bool:
    """Whether a column is named by who or what does a deed: own and Owner, assign and Assignee."""
    return name.startswith(term.rstrip("e")) and 1 <= len(name) - len(term) <= 3


_IS = re.compile(r"^(?:is|are|was|were|has|have|does|do|did)\b", re.IGNORECASE)
_UNDONE = re.compile(r"\bun(?=\w{3})", re.IGNORECASE)


def _read_answers(question: str, found: Sequence[Word], asked: Asked) -> None:
    """Columns of yes and no that a word names are conditions: "which are paid", "not paid", "unpaid"."""
    for n, word in enumerate(found):
        undone = _UNDONE.match(question, word.start) is not None
        term = stem(word.word[2:] if undone and n not in asked.used else word.word)
        columns = [column for column in asked.table.columns if column.is_yes_or_no and term in column.stems]
        if len(columns) != 1:
            continue
        denied = undone or _NOT.search(question, max(0, word.start - 12), word.start) is not None
        said = {cell.lower(): cell for cell in columns[0].filled}
        cell = next((said[each] for each in (("no", "false") if denied else ("yes", "true")) if each in said), "")
        if not cell:
            continue
        asked.conditions.append(Condition(columns[0], f"{columns[0].name}: {cell}", cell=cell))
        asked.columns = [column for column in asked.columns if column is not columns[0]]
        asked.used |= {n, *(m for match in _NOT.finditer(question) for m in _places(found, *match.span()))}


def is_yes_or_no(question: str) -> bool:
    """Whether a question is to be answered by yes or no."""
    return _IS.match(question.strip()) is not None


def told(conditions: Sequence[Condition]) -> Iterator[str]:
    """The conditions in words, each once."""
    yield from dict.fromkeys(condition.text for condition in conditions)
