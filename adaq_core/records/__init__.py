"""Rows of tables that a question asks for: which they are, how many, what they add up to, which has the most.

What is worked out names its table, its conditions and its rows, so that a reader can count again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import repeat
from typing import TypeVar

from adaq_core.filings.statement_figures import Figure, Operand
from adaq_core.model import AnswerKind
from adaq_core.question.parse import ParsedQuestion
from adaq_core.records.asked import LONG_CELL, Asked, Condition, Want
from adaq_core.records.reader import asked_of, case_in_text, rule_in_text
from adaq_core.records.tables import ADDRESS, OF_THE_PAPER, TITLE, Column, Row, Table, tables_of
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import Date

# The text, its kind and the rows that it is made of; a "list" names rows or cells, a "group" what some add up to.
Made = tuple[str, str, Sequence[Row]]
_LISTED = 12  # cells that are named beside their number
Value = TypeVar("Value")
_UNIT = re.compile(r"\(([^()]{1,12})\)\s*$")
_MANY = re.compile(r"(?i)\b(?:most|least|fewest)\b")
_OUR_SUM = re.compile(r"(?i)^how (?:much|many)\b[^?]{0,60} did (?:we|they|i) ")
_OFTEN = re.compile(r"(?i)\b(?:common(?:ly)?|often|frequent(?:ly)?)\b")
_HAS = re.compile(
    r"(?i)^(?:is|are|was|were) (?:there|any)\b|^(?:do|does|did) any\b|^(?:do|does|did)\b.{1,200}\bhave\b"
    r"|^(?:has|have)\b"
)
_IN_TIME = re.compile(r"(?i)\b(?:latest|last|newest|most recent(?:ly)?|first|earliest|oldest|soonest)\b")
_HAS_ANY = re.compile(r"(?i)\b(?:have|has|had|having|there)\b.{0,80}\b(?:any|an?)\b|\bany\b")
_QUANTITY = re.compile(r"\d[\d.,]{0,15}(?: ?[A-Za-z%]{1,12})?$")  # "420 kcal", of which one is asked how many it has
_MIDNIGHT = re.compile(r"[ T]00:00(?::00(?:\.0{1,6})?)?$")  # of a day
_FEWEST_DECIMALS = 2
_NAMES_CITED = 2  # rows of other tables
_TOLD_BY_CASES = frozenset(("amount", "number", "fact", "choice"))
_NAMED = 12  # rows that a derivation names
_LONGEST_QUOTE = 600  # characters of a row


def figure_in_rows(question: ParsedQuestion, corpus: Corpus, *, most: int) -> Figure | None:
    """What rows of a table answer to `question`, with up to `most` of their passages; None where no table does.

    Rows are given for a question of which every word is a cell, a column, what the rows are called, or asks.
    """
    tables = tables_of(corpus)
    asked = asked_of(question, tables) if tables else None
    made = _worked_out(asked) if asked else None
    if asked is None or made is None:
        return _in_rules(question.text, question.kind, corpus)
    text, kind, rows = made
    rows = [_where_told(asked, row) for row in rows]
    named = _rows_of_names(asked, rows)
    kept = list(dict.fromkeys(row.passage.passage_id for row in rows))[: most - len(named)]
    cited = [row for row in rows if row.passage.passage_id in kept]
    left = f"; the first {len(cited)} are cited" if len(cited) < len(rows) else ""
    operands = (*(_operand(asked, row) for row in cited), *named)
    return Figure(text, float(len(rows)), kind, _how(asked, text, rows) + left, operands)


def _in_rules(text: str, kind: AnswerKind, corpus: Corpus) -> Figure | None:
    """What rules in texts say of an amount: whether it is allowed or needed, or what is so in its case."""
    if kind == "yes_no":
        return rule_in_text(text, corpus)
    return case_in_text(text, corpus) if kind in _TOLD_BY_CASES else None


def _rows_of_names(asked: Asked, rows: Sequence[Row]) -> list[Operand]:
    """The rows of other tables in which the names stand that were asked for or about, each once and not too many."""
    found: dict[str, Operand] = {}
    for column in (*asked.about, *asked.columns):
        table = asked.table.names_from.get(column.name)
        if table is None:
            continue
        for row in filter(None, (each.named.get(column.name) for each in rows)):
            key = row.passage.passage_id
            found[key] = Operand("row", 0, table.name_of(row), 0.0, table.name, row.passage.title, key, row.quote)
    return list(found.values())[:_NAMES_CITED]


def _operand(asked: Asked, row: Row) -> Operand:
    table, passage = asked.table.name, row.passage
    # Of a document the line that tells a property asked for; its first one where the text tells none of them.
    quote = next(_told(row, _properties_asked(asked)), row.quote) if asked.table.is_of_documents else row.quote
    return Operand("row", 0, asked.name_of(row), 0.0, table, passage.title, passage.passage_id, quote)


def _where_told(asked: Asked, row: Row) -> Row:
    """A long row where the first cell stands that is asked for."""
    is_long = len(row.quote) > _LONGEST_QUOTE or len(row.others) > 0
    is_long = is_long or asked.table.is_of_forms
    if not is_long or asked.table.label not in asked.table.columns:
        return row
    for column in (*asked.columns, *asked.about, asked.table.label):
        cell = f"{column.name}: {_cell(row, column)}"
        for passage in (row.passage, *row.others):
            if cell in passage.text:
                return replace(row, passage=passage, quote=cell)
    return row


def _properties_asked(asked: Asked) -> list[Column]:
    """The columns of a table of documents that a question asks for or about, but their titles."""
    return [column for column in (*asked.columns, *asked.about) if column.name != TITLE]


def _beside_the_text(asked: Asked, rows: Sequence[Row]) -> str:
    """What is said of properties that the texts of their documents do not tell, so that a quote cannot show them."""
    columns = _properties_asked(asked) if asked.table.is_of_documents else []
    if all(any(_told(row, columns)) for row in rows) or not columns:
        return ""
    names = " and ".join(dict.fromkeys(f"“{column.name}”" for column in columns))
    return f" ({names}: in the properties, not in the text)"


def _told(row: Row, columns: Iterable[Column]) -> Iterator[str]:
    """The lines of a row's passage that tell its cell of one of some columns: "Author: A. Berg"."""
    ends = tuple(f": {cell}" for column in columns if (cell := _cell(row, column)))
    lines = row.passage.text.split("\n") if ends else []
    return (line for line in lines if ADDRESS.sub("", line).endswith(ends))


def _is_of_the_thing(asked: Asked, rows: Sequence[Row]) -> bool:
    """Whether who wrote it, or when, is asked of what a document is about: that its fields tell of the document alone.

    Not where the question calls it a document, nor where the text says so itself.
    """
    own = [column for column in asked.columns if column.name in OF_THE_PAPER]
    if asked.names_rows or not (own and asked.table.is_of_documents):
        return False
    return not all(any(_told(row, own)) for row in rows)


def _how(asked: Asked, text: str, rows: Sequence[Row]) -> str:
    """How the figure came about: which rows of which table, under which conditions."""
    total = len(asked.table.rows)
    what = "documents with properties" if asked.table.is_of_documents else "rows"
    counted = f"all {total:,} {what}" if len(rows) == total else f"{len(rows):,} of the {total:,} {what}"
    if asked.want in ("sum", "mean") or (asked.want == "count" and asked.numeric):
        columns = " and ".join(f"“{column.name}”" for column in _added(asked, rows))
        counted = f"{columns} in {counted}"
    groups = asked.alternatives(asked.conditions)
    said = [dict.fromkeys(each.text for each in group) for group in groups]
    conditions = dict.fromkeys(map(" or ".join, said))
    where = f" where {' and '.join(conditions)}" if conditions else ""
    table = "" if asked.table.is_of_documents else f" of “{asked.table.name}”"
    of_all = f"{counted}{table}{where}{_beside_the_text(asked, rows)}{_by_other_tables(asked)}"
    labels = [asked.name_of(row) for row in rows]
    if asked.is_none:
        return f"none of the {total:,} {what}{table}{where}"
    if all(each in text or each in where for each in labels):
        return of_all
    named, more = ", ".join(labels[:_NAMED]), len(labels) - _NAMED
    return f"{of_all}: {named} and {more:,} more" if more > 0 else f"{of_all}: {named}"


def _by_other_tables(asked: Asked) -> str:
    """From which tables names are, of the columns that are asked for or about."""
    used = dict.fromkeys(column.name for column in (*asked.columns, *asked.about))
    tables = asked.table.names_from
    told = [f"“{name}” from “{tables[name].name}”" for name in used if name in tables]
    return f" ({', '.join(told)})" if told else ""


def _worked_out(asked: Asked) -> Made | None:
    """What the rows answer to the question; None where they do not."""
    rows = asked.rows
    if _is_of_the_thing(asked, rows):
        return None
    if asked.is_which_of_two:
        return _which_of_two(asked)
    if asked.is_yes_or_no and asked.unclear:
        return _has_any(asked, rows)
    if rows and asked.names_rows and _HAS.search(asked.question):
        return f"Yes ({len(rows)})", "yes_no", rows
    asks_whether = asked.want == "count" or _HAS.search(asked.question) is not None
    if asks_whether and asked.conditions and not rows:
        return _none_of(asked)
    if not rows or (asked.is_yes_or_no and asked.want == "rows"):
        return _said_of_one(asked)
    if asked.want in ("most", "least"):
        return _extreme(asked, rows)
    if asked.table.is_in_text and asked.want != "rows" and not asked.conditions:
        return None  # a table in a text may hold some of what it is about
    return _OF_WANT[asked.want](asked, rows)


def _which_of_two(asked: Asked) -> Made | None:
    """Whether the row that is named first has more than the other, or less where less is asked for."""
    measures = asked.numeric or [column for column in asked.columns if column.is_dated]
    named = [asked.meeting([each]) for each in asked.conditions]
    if len(measures) != 1 or [len(rows) for rows in named] != [1, 1]:
        return None
    (measure,) = measures
    pair = [row for (row,) in named]
    first, second = (_value(row, measure) for row in pair)
    if first is None or second is None:
        return None
    is_so = first > second if asked.want == "most" else first < second
    each = [f"{_called(asked, row)}: {_shown(measure, row)}" for row in pair]
    told = ", ".join(each)
    return f"{'Yes' if is_so else 'No'} ({told})", "yes_no", pair


def _has_any(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """Whether the one row that is named has any of what some columns count: "fatal accidents" of two periods."""
    columns = asked.unclear
    are_measures = all(column.is_measure for column in columns)
    if len(rows) != 1 or not are_measures or not _HAS_ANY.search(asked.question):
        return None
    (row,) = rows
    numbers = [number for column in columns for number in _numbers(column, [row])]
    if len(numbers) < len(columns):
        return None
    each = [f"{_plain(column)}: {_shown(column, row)}" for column in columns]
    told = ", ".join(each)
    return f"{'Yes' if any(numbers) else 'No'} ({told})", "yes_no", rows


def _none_of(asked: Asked) -> Made | None:
    """That no row meets all conditions, with those that meet all but the last, or lie on both sides of a time.

    A time before or after all rows tells nothing of them.
    """
    *others, last = asked.conditions
    table = asked.table
    is_open = table.is_in_text or table.is_of_documents or table.is_of_forms
    is_other = asked.want not in ("rows", "count") or last.is_blank or last.beside
    if is_open or is_other or not asked.names_rows:
        return None
    near = asked.meeting(others)
    if last.period is not None and not last.order:
        near = _around(near, last.column, last.period)
    elif not others:
        near = _nearest(near, last)
    if not near:
        return None
    asked.is_none = True
    each = [f"{asked.name_of(row)}: {_shown(last.column, row) or 'nothing'}" for row in near[:_LISTED]]
    no = "None" if asked.want == "count" else "No"
    return f"{no} ({_plain(last.column)}, nearest: {', '.join(each)})", "yes_no", near


def _nearest(rows: Sequence[Row], limit: Condition) -> list[Row]:
    """The row that comes nearest to a limit that none keeps; none where no limit is meant."""
    known = [(value, n) for n, row in enumerate(rows) if (value := _value(row, limit.column)) is not None]
    is_limit = limit.high > limit.low and limit.column.is_measure and not (limit.cell or limit.period)
    if not known or not is_limit:
        return []
    _, place = max(known) if limit.high == float("inf") else min(known)
    return [rows[place]]


def _around(rows: Sequence[Row], column: Column, period: Date) -> list[Row]:
    """The last row before a time and the first behind it; none where it lies on one side of all."""
    known = [(day.number, n) for n, row in enumerate(rows) if (day := column.day(_cell(row, column)))]
    before = [each for each in known if each[0] < period.number]
    after = [each for each in known if each[0] > period.number]
    if not before or not after:
        return []
    places = (max(before)[1], min(after)[1])
    return [rows[n] for n in places]


def _cell(row: Row, column: Column) -> str:
    return row.cells.get(column.name, "")


def _chosen(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """The cells of the columns that are asked for; without one, what the rows are called."""
    if _OUR_SUM.search(asked.question) and asked.numeric and len(rows) > 1:
        return _added_up(asked, rows)
    if asked.each is not None:
        return _counted(asked, rows)
    known = [asked.table.label, *(condition.column for condition in asked.conditions)]
    asked_for = [column for column in asked.columns if column not in known]
    wanted = asked_for or _the_amount(asked) or _the_other(asked)
    if not wanted or (asked.rows_first and not asked.names_cells):
        if not asked.conditions or not (asked.names_rows or asked.columns):
            return None
        is_nobody = asked.kind == "person" and asked.table.label.tells_in_words
        if is_nobody or asked.table.label in known[1:]:
            return None
        names = [asked.name_of(row) for row in rows]
        return ", ".join(names), "list", rows
    if not (asked.conditions or asked.names_rows):
        return None
    texts = [_cells(wanted, row) for row in rows]
    different = list(dict.fromkeys(filter(None, texts)))
    if not different:
        return None
    if len(different) == 1:
        return different[0], _kind_of(wanted[0]), rows
    if _are_named(asked) or asked.rows_first or wanted[0].is_numeric or wanted[0].is_dated:
        named = zip(map(asked.name_of, rows), texts, strict=True)
        return "; ".join(f"{name}: {text}" for name, text in named if text), "list", rows
    return ", ".join(different), "list", rows


def _the_amount(asked: Asked) -> list[Column]:
    """The only column of numbers, where a number of one row is asked for: "how much is the Basic plan?"."""
    of_one = any(condition.column is asked.table.label for condition in asked.conditions)
    is_number = asked.kind in ("amount", "number")
    return list(asked.table.measures) if of_one and is_number and len(asked.table.measures) == 1 else []


def _the_other(asked: Asked) -> list[Column]:
    """The only other column of words where a row is named by its label: the city, in a table of capitals by state."""
    label = asked.table.label
    of_one = [condition.column for condition in asked.conditions] == [label]
    in_words = [column for column in asked.table.columns if not column.is_numeric]
    others = [column for column in in_words if column is not label]
    is_called = of_one and asked.names_rows and asked.kind not in ("amount", "number", "date")
    return others if is_called and len(others) == 1 else []


def _cells(columns: Sequence[Column], row: Row) -> str:
    """The cells of a row in the order of its table, with what they are where several are asked for."""
    if len(columns) == 1:
        return _shown(columns[0], row).strip()
    order = {name: place for place, name in enumerate(row.cells)}
    known = [column for column in columns if _cell(row, column)]
    ordered = sorted(known, key=lambda column: order[column.name])
    return "; ".join(f"{_plain(column)}: {_shown(column, row)}" for column in ordered)


def _kind_of(column: Column) -> str:
    if column.is_dated:
        return "date"
    return "number" if column.is_numeric else "list"


def _counted(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """How many rows, or cells of another column; the sum of one of numbers; each by a column where one is named."""
    if asked.numeric:
        return _added_up(asked, rows)
    if asked.each is not None:
        return _by_group(_groups(rows, asked.each), lambda group: f"{len(group)}", rows, size=len)
    others = [column for column in asked.columns if column is not asked.table.label]
    if others and not asked.rows_first:
        cells = list(_groups(rows, others[0]))
        if len(rows) == len(cells) == 1 and _QUANTITY.match(cells[0]):
            return cells[0], "number", rows
        named = f": {', '.join(cells)}" if len(cells) <= _LISTED else ""
        return f"{len(cells)}{named}", "number", rows
    if asked.table.label in asked.about and len(rows) == 1 and not asked.table.is_of_documents:
        return None  # what is counted there stands in no column
    return f"{len(rows)}", "number", rows


def _added_up(asked: Asked, rows: Sequence[Row]) -> Made | None:
    return _of_numbers(asked, rows, sum)


def _averaged(asked: Asked, rows: Sequence[Row]) -> Made | None:
    return _of_numbers(asked, rows, _mean)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _of_numbers(asked: Asked, rows: Sequence[Row], work_out: Callable[[Sequence[float]], float]) -> Made | None:
    """A sum or a mean of each column of numbers that is asked for, or of all where none is."""
    columns = _added(asked, rows)
    if not columns:
        return None

    def tell(group: Sequence[Row]) -> str:
        told = {}
        for column in columns:
            if numbers := _numbers(column, group):
                told[_plain(column)] = _with_unit(work_out(numbers), column)
        if len(told) == 1:
            return next(iter(told.values()))
        return "; ".join(f"{name}: {text}" for name, text in told.items())

    def size(group: Sequence[Row]) -> float:
        numbers = _numbers(columns[0], group)
        return work_out(numbers) if numbers else 0.0

    if asked.each is not None:
        return _by_group(_groups(rows, asked.each), tell, rows, size=size)
    return tell(rows), "number", rows


def _added(asked: Asked, rows: Sequence[Row]) -> list[Column]:
    """The columns of numbers that are asked for, or all where none is."""
    named = [column for column in asked.columns if column is not asked.table.label]
    columns = asked.numeric or ([] if named else asked.table.measures)
    return [column for column in columns if _numbers(column, rows)]


def _numbers(column: Column, rows: Iterable[Row]) -> list[float]:
    read = [column.number(_cell(row, column)) for row in rows]
    return [number for number in read if number is not None]


def _groups(rows: Sequence[Row], column: Column) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if cell := _cell(row, column):
            groups.setdefault(cell, []).append(row)
    return groups


def _by_group(
    groups: Mapping[str, Sequence[Row]],
    tell: Callable[[Sequence[Row]], str],
    rows: Sequence[Row],
    *,
    size: Callable[[Sequence[Row]], float],
) -> Made:
    """What is told of each group, the largest first."""
    order = sorted(groups, key=lambda name: -size(groups[name]))
    told = [f"{name}: {tell(groups[name])}" for name in order]
    return "; ".join(told), "group", rows


def _share(asked: Asked, rows: Sequence[Row]) -> Made | None:
    if not asked.conditions:
        return None
    count, total = len(rows), len(asked.table.rows)
    return f"{100 * count / total:.0f} % ({count} of {total})", "number", rows


def _extreme(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """The rows, or the cell of a column that is asked for, with the most or the least of what is named, or of rows."""
    sign = 1 if asked.want == "most" else -1
    measuring = [*asked.table.measures, *asked.table.dated, *asked.table.years]
    measured = [column for column in asked.columns if column in measuring]
    measured.sort(key=lambda column: column is asked.subject)  # of "which zone has the lowest total" the total
    measure = next(iter(measured), None)
    others = [column for column in asked.columns if column not in (*measuring, asked.table.label)]
    if measure is not asked.subject and asked.subject in measured:
        others.insert(0, asked.subject)
    is_of_rows = asked.names_rows and _MANY.search(asked.question) is not None
    if measure is not None and measure is asked.subject and is_of_rows:
        others, measure = [measure], None  # which zone has the most rows
    if asked.kind == "person" and measure is None and _IN_TIME.search(asked.question):
        others = [column for column in others if not column.names_people_mostly]  # they are what the rows are called
    of_time = [column for column in asked.table.measures if _OF_TIME.search(column.name)]
    if _LASTS.search(asked.question) and not of_time:
        return _longest_time(asked, rows, sign)
    if measure is None:
        measure = _unnamed_measure(asked, is_of_groups=bool(others))
    if measure is None and len(others) == 2 and asked.subject in others and _MANY.search(asked.question):
        return _with_most_of(asked, rows, sign, others)
    is_single = measure is not None and bool(_OF_ONE.search(asked.question) or measure.terms & _NOT_ADDED)
    if others and is_single and not asked.is_of_means:
        return _largest_row(asked, rows, measure, sign, called=others[0])
    if others and not (measure and measure.is_dated):
        counts = asked.names_rows or _OFTEN.search(asked.question)
        work_out = _mean if asked.is_of_means else sum
        return _largest_group(asked, rows, others[0], measure, sign, work_out) if measure or counts else None
    has_names = asked.table.has_names or asked.table.people is not None
    is_nobody = asked.kind == "person" and not has_names
    return _largest_row(asked, rows, measure, sign) if measure and not is_nobody else None


# What is told of one row, and adds up to nothing over several.
_OF_ONE = re.compile(
    r"(?i)\b(?:best|worst|cheapest|dearest|most expensive|tallest|fastest|slowest|heaviest|lightest)\b"
)
_NOT_ADDED = terms_of(
    "accuracy score rating price rate percent percentage age temperature speed ratio share average grade"
)
_LASTS = re.compile(
    r"(?i)\b(?:took|takes?|taken|lasted|lasts?|stayed|ran) (?:the )?(?:longest|shortest|most time|least time)\b"
    r"|\b(?:longest|shortest) to [a-z]"
)
_LONG = re.compile(r"(?i)\b(?:long|short)est\b")
_OF_TIME = re.compile(r"(?i)\b(?:duration|length|time|minutes?|hours?|days?|weeks?|months?|years?)\b")


def _longest_time(asked: Asked, rows: Sequence[Row], sign: int) -> Made | None:
    """The row between whose two times the most or the least lies, where one column says when it began and one when not.

    A row that has not ended has no such time.
    """
    begins, ends = asked.table.begins, asked.table.ends
    if len(begins) != 1 or len(ends) != 1:
        return None
    lasted: list[tuple[timedelta, Row]] = []
    for row in rows:
        start = _time_in(_cell(row, begins[0]))
        end = _time_in(_cell(row, ends[0]))
        if start and end and start <= end:
            lasted.append((end - start, row))
    if not lasted:
        return None
    best = (max if sign > 0 else min)(time for time, _ in lasted)
    top = [row for time, row in lasted if time == best]
    names = " and ".join(dict.fromkeys(map(asked.name_of, top)))
    first = top[0]
    told = [f"{_plain(column)} {_cell(first, column)}" for column in (*begins, *ends)]
    between = ", ".join(told)
    return f"{names} ({_spelled(best)}; {between})", "list", top


def _spelled(time: timedelta) -> str:
    """A length of time in its largest units: "3 days 8 h 52 min"."""
    hours, seconds = divmod(time.seconds, 3600)
    minutes = seconds // 60
    days = "day" if time.days == 1 else "days"
    parts = ((time.days, days), (hours, "h"), (minutes, "min"))
    told = [f"{count} {unit}" for count, unit in parts if count]
    return " ".join(told) or f"{time.seconds} s"


def _time_in(cell: str) -> datetime | None:
    """The time that a cell is, without its zone; None for anything else."""
    try:
        return datetime.fromisoformat(cell.strip()).replace(tzinfo=None)
    except ValueError:
        return None


def _difference(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """How far apart two rows are in a measure, two measures or days of one row, or two versions of one."""
    only = [] if len(asked.table.measures) > 1 else asked.table.measures
    measures = asked.numeric or only
    if len(rows) == 2 and len(measures) == 1:
        return _apart([(_called(asked, row), row, measures[0]) for row in rows])
    if len(rows) != 1:
        return None
    (row,) = rows
    before = _before(asked.table, row)
    if len(measures) == 1 and before is not None and asked.table.earlier is not None:
        (measure,) = measures
        then, now = asked.table.earlier, asked.table
        old = next((column for column in then.columns if column.name == measure.name), measure)
        return _apart([(then.name, before, old), (now.name, row, measure)])
    columns = asked.numeric or _ends_of_time(asked)
    if len(columns) == 2:
        return _apart([(_plain(column), row, column) for column in columns])
    return None


_DAYS = re.compile(r"(?i)\b(?:days?|weeks?|months?|late|later|long)\b")


def _ends_of_time(asked: Asked) -> Sequence[Column]:
    """The columns of days between which a time lies: those that are named, with when it began, or the only two."""
    if not _DAYS.search(asked.question):
        return []
    table = asked.table
    named = [column for column in asked.columns if column.is_dated and column not in table.begins]
    if len(table.begins) == 1 and len(named or table.ends) == 1:
        return [*table.begins, *(named or table.ends)]
    return table.dated


Compared = tuple[str, Row, Column]  # what it is called, and the cell


def _apart(pair: Sequence[Compared]) -> Made | None:
    """The difference of two cells, with both of them."""
    days = [column.day(_cell(row, column)) if column.is_dated else None for _, row, column in pair]
    told = ", ".join(f"{name}: {_shown(column, row)}" for name, row, column in pair)
    rows = list({id(row): row for _, row, _ in pair}.values())
    times = sorted(filter(None, (_time_in(_cell(row, column)) for _, row, column in pair)))
    is_of_hours = any((each.hour, each.minute) != (0, 0) for each in times)
    if is_of_hours and len(times) == len(pair):
        start, end = times
        return f"{_spelled(end - start)} ({told})", "number", rows
    if all(days):
        first, second = (date(day.year, day.month or 1, day.day or 1) for day in days if day)
        count = abs((second - first).days)
        return f"{count} day{'' if count == 1 else 's'} ({told})", "number", rows
    known = [number for _, row, column in pair for number in _numbers(column, [row])]
    if len(known) < len(pair):
        return None
    least, most = sorted(known)
    *_, column = pair[0]
    apart = _with_unit(most - least, column)
    return f"{apart} ({told})", "number", rows


def _called(asked: Asked, row: Row) -> str:
    """What a row is called: by its name, or the cell by which the question names it."""
    own = _cell(row, asked.table.label)
    cells = [_cell(row, condition.column) for condition in asked.conditions]
    return next(filter(None, [own, *cells]), row.name)


def _before(table: Table, row: Row) -> Row | None:
    """The row of the version before, of the same name."""
    name = row.cells.get(table.label.name)
    rows = table.earlier.rows if table.earlier else ()
    return next((each for each in rows if name and each.cells.get(table.label.name) == name), None)


def _changed(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """What a version of a table has new, changed and no more, of the columns that are asked for."""
    table, then = asked.table, asked.table.earlier
    if then is None:
        return None
    told: list[str] = []
    changed: list[Row] = []
    for row in rows:
        before, name = _before(table, row), table.name_of(row)
        changes = _changes(asked, before, row) if before else ""
        if changes or before is None:
            told.append(f"{name}: {changes}" if changes else f"new: {_named_fully(table, row)}")
            changed.append(row)
    names = set(table.label.filled)
    gone = [each for each in then.rows if then.name_of(each) not in names and not asked.conditions]
    told += [f"no longer: {_named_fully(then, each)}" for each in gone]
    if not told:
        return "nothing", "list", rows
    return "; ".join(told), "list", [*changed, *gone]


def _named_fully(table: Table, row: Row) -> str:
    """A row by its name, and by its first words where the name is a key."""
    name = table.name_of(row)
    if " " in name:
        return name
    words = (cell for cell in row.cells.values() if " " in cell)
    return f"{name} {next(words, '')}".rstrip()


def _changes(asked: Asked, before: Row, row: Row) -> str:
    """The cells of a row that are not as before: "Probability (%) 60 → 70"."""
    named = [column for column in asked.columns if not column.names_rows]
    columns = named or asked.table.columns
    told = []
    for column in columns:
        old, new = _cell(before, column), _cell(row, column)
        if old != new:
            told.append(f"{column.name} {old or '–'} → {new or '–'}")
    return ", ".join(told)


def _same(asked: Asked, rows: Sequence[Row]) -> Made | None:
    """The rows that are as they were in the version before."""
    table = asked.table
    if table.earlier is None:
        return None
    kept = []
    for row in rows:
        before = _before(table, row)
        if before and not _changes(asked, before, row):
            kept.append(row)
    names = ", ".join(map(table.name_of, kept))
    return names or "none", "list", kept or rows


def _with_most_of(asked: Asked, rows: Sequence[Row], sign: int, columns: Sequence[Column]) -> Made | None:
    """The cell of what is asked for that stands beside the most cells of another column: most appointees."""
    own, other = sorted(columns, key=lambda column: column is not asked.subject)
    counts = {name: len(_groups(group, other)) for name, group in _groups(rows, own).items()}
    best = max(sign * count for count in counts.values())
    top = [name for name, count in counts.items() if sign * count == best]
    each = " each" if len(top) > 1 else ""
    mine = [row for row in rows if _cell(row, own) in top]
    return f"{' and '.join(top)} ({sign * best}{each})", "group", mine


def _largest_row(
    asked: Asked, rows: Sequence[Row], measure: Column | None, sign: int, *, called: Column | None = None
) -> Made | None:
    """The rows with the most or the least of a measure, by their names or by the cells of a column."""
    if measure is None:
        return None
    values = [_value(row, measure) for row in rows]
    if asked.is_of_places:
        valued = [(row, sign * value) for row, value in zip(rows, values, strict=True) if value is not None]
        placed = _placed(asked, valued)
        each = [f"{asked.name_of(row)}: {_shown(measure, row)}" for row in placed]
        return ("; ".join(each), "list", placed) if placed else None
    best = max((sign * value for value in values if value is not None), default=None)
    top = [row for row, value in zip(rows, values, strict=True) if value is not None and sign * value == best]
    if not top:
        return None
    names = dict.fromkeys(_cell(row, called) if called else asked.name_of(row) for row in top)
    others = [row for row in rows if row not in top] if _are_named(asked) else []
    shown = [f"{_plain(measure)}: {_shown(measure, top[0])}"]
    for row in others:
        shown.append(f"{asked.name_of(row)}: {_shown(measure, row)}")
    told = "; ".join(shown)
    return f"{' and '.join(names)} ({told})", "list", [*top, *others]


def _placed(asked: Asked, valued: Iterable[tuple[Value, float]]) -> list[Value]:
    """The first few of an order, or the one at a place of it; none where a tie leaves it open which they are."""
    order = sorted(valued, key=lambda each: -each[1])
    first, last = (0, asked.top) if asked.top else (asked.place - 1, asked.place)
    sizes = [size for _, size in order]
    bounds = [n for n in (first, last) if 0 < n < len(sizes)]
    is_tied = any(sizes[n - 1] == sizes[n] for n in bounds)
    if is_tied or len(order) < last:
        return []
    return [each for each, _ in order[first:last]]


def _are_named(asked: Asked) -> bool:
    """Whether the question names several rows, of which each is told then."""
    label = asked.table.label
    named = [each for each in asked.conditions if each.column is label]
    return len(named) > 1


def _unnamed_measure(asked: Asked, *, is_of_groups: bool) -> Column | None:
    """The only column of days for what is first or last, and the only one of numbers for what is highest or lowest."""
    if _IN_TIME.search(asked.question):
        columns = asked.table.dated or asked.table.years
        columns = columns if len(columns) == 1 else asked.table.begins
    else:
        counts = asked.names_rows and _MANY.search(asked.question)
        columns = [] if counts or is_of_groups else asked.table.measures
        if _LONG.search(asked.question):
            columns = [column for column in columns if _OF_TIME.search(column.name)]
    return columns[0] if len(columns) == 1 else None


def _largest_group(
    asked: Asked,
    rows: Sequence[Row],
    column: Column,
    measure: Column | None,
    sign: int,
    work_out: Callable[[Sequence[float]], float],
) -> Made | None:
    """The cells of a column whose rows are the most, or add up to the most of a measure, or have the highest mean."""
    sizes: dict[str, float] = {}
    for name, group in _groups(rows, column).items():
        numbers = _numbers(measure, group) if measure else [1.0] * len(group)
        if numbers:
            sizes[name] = work_out(numbers)
    if asked.is_of_places:
        top = _placed(asked, [(name, sign * size) for name, size in sizes.items()])
        told = [f"{name}: {_sized(sizes[name], measure)}" for name in top]
        mine = [row for row in rows if _cell(row, column) in top]
        return ("; ".join(told), "group", mine) if top else None
    best = max(sign * size for size in sizes.values())
    top = [name for name, size in sizes.items() if sign * size == best]
    size = _sized(sign * best, measure)
    each = " each" if len(top) > 1 else ""
    mine = [row for row in rows if _cell(row, column) in top]
    return f"{' and '.join(top)} ({size}{each})", "group", mine


def _sized(size: float, measure: Column | None) -> str:
    return _with_unit(size, measure) if measure else f"{size:.0f}"


def _value(row: Row, column: Column) -> float | None:
    return column.value(_cell(row, column))


# Example: "Do I need approval for a team lunch?" Counter-example: "Does the team need a lunch room?"
_ASKS_FOR_NEED = re.compile(
    r"(?i)^(?:do|does|must|should) (?:i|we|you|one|an? \w{2,20}) (?:need|require|have)\b|\b(?:required|necessary)\b"
)
_NOT_NEEDED = re.compile(
    r"(?i)(?:no|none|not (?:required|needed|necessary)|n/?a|-|–)(?: (?:approval|required|needed).{0,20})?$"
)


def _is_needed(asked: Asked) -> Made | None:
    """Whether the one row that is named needs what a column tells: "Yes (Approval Required: Manager)"."""
    if _ASKS_FOR_NEED.search(asked.question) is None or not asked.conditions:
        return None
    rows, columns = asked.rows, [column for column in asked.columns if column not in asked.about]
    if (len(rows), len(columns)) != (1, 1):
        return None
    cell = _cell(rows[0], columns[0])
    is_no = _NOT_NEEDED.match(cell) is not None
    told = f"{'No' if is_no else 'Yes'} ({_plain(columns[0])}: {cell})"
    return (told, "yes_no", rows) if cell else None


def _said_of_one(asked: Asked) -> Made | None:
    """Whether the row that is named meets what is said of it; what it says instead where a question takes it for so."""
    if asked.is_yes_or_no and (needed := _is_needed(asked)):
        return needed
    named, claims = list[Condition](), list[Condition]()
    for condition in asked.conditions:
        is_label = condition.column is asked.table.label
        is_limit = condition.amount is not None
        names_it = is_label or (condition.column.names_rows and not (is_limit or asked.table.is_of_forms))
        (named if names_it else claims).append(condition)
    rows = asked.meeting(named) if named else []
    if len(rows) != 1 or not claims:
        return None
    row = rows[0]
    cells = {claim.column.name: _claimed(claim, row) for claim in claims}
    said = ", ".join(f"{name}: {cell}" for name, cell in cells.items())
    if not asked.is_yes_or_no:
        return f"None: {asked.name_of(row)} has {said}", "yes_no", rows
    is_so = all(claim.is_met_by(row) for claim in claims)
    is_open = asked.table.is_of_documents or any(map(_is_open, claims, repeat(row)))
    if is_open and not is_so:
        return None  # what is final now was accepted before
    return f"{'Yes' if is_so else 'No'} ({said})", "yes_no", rows


def _is_open(claim: Condition, row: Row) -> bool:
    """Whether a row does not deny what its cell does not say: a text tells not all that something is not."""
    return len(_cell(row, claim.column)) > LONG_CELL


def _claimed(claim: Condition, row: Row) -> str:
    """What a row says of a claim: its cell, of a long one that lists things the one that is claimed."""
    cell = _cell(row, claim.column) or "nothing"
    is_long = len(cell) > LONG_CELL
    return claim.cell if is_long and claim.is_met_by(row) else cell


_OF_WANT: Mapping[Want, Callable[[Asked, Sequence[Row]], Made | None]] = {
    "rows": _chosen,
    "count": _counted,
    "sum": _added_up,
    "mean": _averaged,
    "share": _share,
    "difference": _difference,
    "changed": _changed,
    "same": _same,
}


def _plain(column: Column) -> str:
    return _UNIT.sub("", column.name).rstrip()


def _shown(column: Column, row: Row) -> str:
    """A cell as a reader sees it: a number with the unit that its column has in brackets."""
    cell, unit = _cell(row, column), _UNIT.search(column.name)
    if unit and unit[1] not in cell and column.number(cell) is not None:
        return f"{cell} {unit[1]}"
    return _MIDNIGHT.sub("", cell) if column.is_dated else cell


def _with_unit(number: float, column: Column) -> str:
    """A number that was worked out, with the unit of its column or of all its cells."""
    decimals = max(column.decimals, _FEWEST_DECIMALS)
    shown = f"{number:,.{decimals}f}".rstrip("0").rstrip(".")
    in_name = _UNIT.search(column.name)
    unit = column.unit
    if in_name and in_name[1] != unit:
        return f"{shown} {in_name[1]}"
    return f"{unit}{shown}" if unit in "$€£¥" else f"{shown} {unit}"
