"""What a question asks of a table: in which words, which columns they name, which rows it wants and what of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeVar

from adaq_core.matching.lexicon import similarity
from adaq_core.model import AnswerKind
from adaq_core.records.tables import COMMA, Column, Row, Table
from adaq_core.text.tokens import spans, stem, terms_of
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


Value = TypeVar("Value")
NOT = re.compile(r"(?i)\b(?:not|(?:is|are|was|were|do|does|did|has|have)n['’]t|other than|except|excluding)\b")
_NOT_BY = re.compile(r"(?i)\bnot [a-z]{2,12} (?:by|to|in|from|with|of|for) $")  # "not managed by"
_FAR_AHEAD = 30
_HAS_NOT = re.compile(r"(?i)(?:\bnot|n['’]t) (?:have|got) (?:an? |any )?$")
_LACKS = re.compile(r"(?i)\b(?:no|without) (?:an? |any )?$")  # before what a row has or not
AHEAD = 12  # characters before a word in which "not" or "before" stands
_LIGHT_WORDS = """
a an the this that these those it its they them their there here which what who whom whose when where how much many is
are was were be been do does did has have had of for in on at to by with from and or than as per each every all any we
our us i me my you list show give tell name find get please still yet currently now already so far spend spent take
took taken make made record recorded belong belongs belonged hold holds held come comes came gets got total number
amount row rows entry entries records table listed worth following different can could will would work works working
based run runs running travel travels travelled travelling carry carries carried transported located use uses used
using like allow allows permit permits vs versus bring brings brought need needs needed receive receives received reach
reaches reached achieve achieves achieved win wins won place placed placing happen happened happens occur occurred went
go goes into ever at all one ones still somewhere anywhere gave
give gives given under delivers supplies sells makes
contain contains contained
"""
LIGHT = frozenset(_LIGHT_WORDS.split())
# By a document, and not by its fields.
_SAID_OF_DOCUMENTS = """
use uses used using hold holds held need needs needed receive receives received reach reaches reached achieve
achieves achieved win wins won place placed placing happen happened happens occur occurred went go goes ever gave give
gives given under contain contains contained
"""
_SAID_IN_TEXT = frozenset(_SAID_OF_DOCUMENTS.split())
_AND_THEIRS = re.compile(r"(?i)\b(?:and|with) (?:the|their|its|his|her)\b")
_ENDS = frozenset(map(stem, ("end", "expire", "run", "out", "due", "lapse", "until", "over")))  # beside a day
_OF_DAYS = terms_of("date day time")
_OF_TWO = frozenset(("difference", "changed", "same"))
_CHANGES_OF_TWO = """
version versions edition editions two compared late later behind delayed early overdue slipped day days week weeks grow
grew grown rise rose risen fall fell fallen increase increased decrease decreased change changed drop dropped decline
declined more less higher lower between become became gone went up down
"""
CHANGES = frozenset(_CHANGES_OF_TWO.split())
HOW_LONG = re.compile(r"(?i)^how long\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENDS_OF_TIME = re.compile(r"(?i)\b(?:between|since|until)\b")
_MOST_MEANT = 3  # columns by one word
DENIES = frozenset(("not", "no", "never", "without", "nor", "neither"))
PAIR = 2
# What is done to a document, by the property that tells by whom or when.
_WRITTEN = terms_of("write wrote written draft propose prepare")
_OUT = terms_of("publish create issue release announce post")
_DONE_TO_DOCUMENTS = {"author": _WRITTEN, "authors": _WRITTEN, "date": _OUT}
NO_DEEDS = frozenset[str]()
_HOW_MANY_PEOPLE = re.compile(r"(?i)\bhow many (?:people|inhabitants|residents)(?: (?:live|are there|are living))?\b")
_POPULATION = terms_of("population")
_COUNTED = "two three four five six seven eight nine ten"
COUNTS = {word: count for count, word in enumerate(_COUNTED.split(" "), 2)}
COUNTS |= {str(count): count for count in COUNTS.values()}
_IS = frozenset(("is", "are", "was", "were", "still", "currently", "not"))
_DOES = frozenset(("do", "does", "did"))
_PLURAL = re.compile(r"[^\Ws]s$")
_NEAR = 0.5  # in meaning to the name of a column
_ENDINGS_OF_DOERS = frozenset(("e", "ee", "er", "or", "ed", "ant", "ent", "ist", "ing"))  # as stems have them
_SHORTEST = 3  # letters of a word whose doer a column names; of a short form, and of what it leaves out
_PARTS = re.compile(r"[A-Z]?[a-z]+")  # of a name: life and Exp of lifeExp
# What a question may say of a column in other words than its name.
_SAID_OF_COLUMNS: Mapping[str, frozenset[str]] = {
    word: terms_of(names)
    for words, names in (
        (
            "pay pays paid cost costs charge charged price expensive",
            "price cost fee fare amount charge rent eur usd gbp chf",
        ),
        ("leave leaves left depart departs", "dep departure end"),
        ("die dies died", "death died deceased"),
        ("born", "birth born"),
        ("start starts started began begin begun", "start began date opened created"),
        ("arrive arrives arrived reach", "arr arrival"),
        ("finish finished finishes rank ranked placed", "pos position rank place"),
        ("won win wins", "w winner"),
        ("lost lose loses", "l"),
        ("spend spends spent spending", "actual spent cost amount"),
        ("earn earns earned", "income revenue fee sales amount"),
        ("report reports reporting", "manager supervisor boss reports"),
        ("handle handles handled handling", "assignee owner agent"),
    )
    for word in words.split()
}
_NAMES_OF_PEOPLE = terms_of("name")
_PERIODS = terms_of("season year month quarter week period")
_MODALS = frozenset(("may", "must", "should", "shall"))  # "May I …?", "Who may …?"
_ANYBODY = terms_of("someone somebody anyone anybody allowed permitted entitled authorised authorized") | {"am"}
_PEOPLE = terms_of("player employee member person people staff colleague student customer author")


class Words:
    """The words of a question with their places in it, and their stems."""

    def __init__(self, question: str) -> None:
        found = spans(question)
        self.question = question
        self.texts = [word.word for word in found]
        self.starts = [word.start for word in found]
        self.ends = [word.end for word in found]
        self.terms = [stem(text) for text in self.texts]

    def __len__(self) -> int:
        return len(self.texts)

    def within(self, span: tuple[int, int]) -> set[int]:
        """The numbers of the words that lie in a part of the question."""
        start, end = span
        return {n for n in range(len(self)) if self.starts[n] < end and self.ends[n] > start}

    def is_denied(self, n: int) -> bool:
        """Whether "not" stands before a word."""
        start = self.starts[n]
        if _NOT_BY.search(self.question, max(0, start - _FAR_AHEAD), start):
            return True
        return NOT.search(self.question, max(0, start - AHEAD), start) is not None

    def is_lacked(self, n: int) -> bool:
        """Whether "no" or "without" stands right before a word."""
        start = self.starts[n]
        return _LACKS.search(self.question, max(0, start - AHEAD), start) is not None

    def has_not(self, n: int) -> bool:
        """Whether "not have" stands right before a word."""
        start = self.starts[n]
        return _HAS_NOT.search(self.question, max(0, start - 2 * AHEAD), start) is not None

    def only_asks(self, n: int) -> bool:
        """Whether a word asks for no column: "Compare …", "What does … mean?"."""
        if n == 0:
            return self.texts[0] == "compare"
        is_asked = not _DOES.isdisjoint(self.texts[:n])
        return is_asked and self.texts[n] == "mean"

    def is_small(self, n: int) -> bool:
        """Whether a word begins with a small letter."""
        return self.question[self.starts[n]].islower()

    def is_said_of(self, n: int) -> bool:
        """Whether "is" or the like stands before a word."""
        return n > 0 and self.texts[n - 1] in _IS


class Draft:
    """A question as far as it is read against one table: the words that are used, and what is asked by them.

    Its readers share it: each uses the words that it can explain and adds what they ask to what is made.
    """

    def __init__(self, words: Words, table: Table, kind: AnswerKind) -> None:
        self.words = words
        self.table = table
        self.used = set(filter(words.only_asks, range(len(words))))
        self.made = Asked(words.question, kind, table)
        self.made.names_cells = _AND_THEIRS.search(words.question) is not None

    def is_light(self, n: int) -> bool:
        """Whether a word asks for nothing of this table, so that it may be left over."""
        term = self.words.terms[n]
        is_unit = any(term in column.units for column in self.table.columns)
        if self.table.is_of_documents and self.words.texts[n] in _SAID_IN_TEXT:
            return False
        if not term or is_unit or self.words.texts[n] in LIGHT or term in self.table.of_file:
            return True
        if n <= 1 and self.words.texts[n] in _MODALS:
            return True
        is_of_ranges = any(column.ranges for column in self.made.about)
        if is_of_ranges and term in _PEOPLE | _ANYBODY:
            return True
        following = self.words.texts[n + 1 : n + 2]
        is_period = term in _PERIODS and any(map(str.isdigit, following))
        if term in self.table.of_name or is_period:
            return True
        if term in self.table.of_folder and not self.is_plural(n):  # what a folder is called its files may not hold
            return True
        is_of_two = self.words.texts[n] in CHANGES or term in self.table.of_versions
        if self.made.want in _OF_TWO and is_of_two:
            return True
        is_of_days = not set(self.table.dated).isdisjoint([*self.made.columns, *self.made.about])
        return is_of_days and (term in _ENDS or term in _OF_DAYS)

    def named_among(self, columns: Iterable[Column]) -> list[Column]:
        """Those of some columns that the question names, in whatever words."""
        said = set(self.words.terms)
        meant = said | meant_by(self.words.texts)
        return [column for column in columns if meant & column.terms or said & self.deeds(column)]

    def deeds(self, column: Column) -> frozenset[str]:
        """What a question may say in place of the name of a property of documents: "written" for the author."""
        is_of_what = self.words.texts[:1] == ["what"]  # "What did ADR 7 propose?"
        if is_of_what or not self.table.is_of_documents:
            return NO_DEEDS
        return _DONE_TO_DOCUMENTS.get(column.name, NO_DEEDS)

    def is_plural(self, n: int) -> bool:
        """Whether a word ends as plurals do."""
        return _PLURAL.search(self.words.texts[n]) is not None

    def free(self) -> list[int]:
        """The places of the words that are not used yet."""
        return [n for n, term in enumerate(self.words.terms) if term and n not in self.used]

    def take(self, column: Column, places: Iterable[int]) -> None:
        """A column is asked for by the words at these places, which are used by that."""
        first = min(places, default=0)
        if first and self.words.texts[first - 1] in ("which", "what"):
            self.made.subject = column
        self.used |= set(places)
        if column not in self.made.columns:
            self.made.columns.append(column)

    def columns_meant(self, n: int) -> Sequence[Column]:
        """The columns that a word may mean, in the surest of all ways in which it names any."""
        term, columns = self.words.terms[n], self.table.columns
        named = [column for column in columns if term in column.terms]
        if not named and _YEAR.fullmatch(term):
            named = [column for column in columns if term[2:] in column.terms]
        named = [column for column in named if not (column.is_flag and column in self.table.answering)]
        if not named:
            named = [column for column in columns if term in self.deeds(column)]
        if not named and len(term) >= _SHORTEST:
            named = [column for column in columns if _is_deed_of(term, column)]
        if not named:
            other = _SAID_OF_COLUMNS.get(self.words.texts[n], NO_DEEDS)
            named = [column for column in columns if column.terms & other]
        if not named:
            named = [column for column in columns if _is_short_for(column, self.words.texts[n])]
        if not named and self.words.texts[n] not in LIGHT:
            named = [column for column in columns if similarity(term, column.terms) >= _NEAR]
        tables = self.table.names_from
        if not named:
            joined = [column for column in columns if column.name in tables]
            named = [column for column in joined if term in tables[column.name].terms]
        return self.by_names(named)

    def column_meant(self, n: int) -> Column | None:
        """The one column that a word means: by a part of its name, by who does it (who owns: Owner), by a near word."""
        return only(self.columns_meant(n))

    def by_names(self, columns: Sequence[Column]) -> Sequence[Column]:
        """The columns of names, where there are some beside those of their keys."""
        names = [column for column in columns if column.name in self.table.names_from]
        return names or columns

    def use(self, pattern: re.Pattern[str]) -> None:
        """The words that a pattern finds are read."""
        for match in pattern.finditer(self.words.question):
            self.used |= self.words.within(match.span())

    def use_denial(self, n: int) -> None:
        """The words before one that deny it are read."""
        self.used |= {place for place in range(n) if self.words.texts[place] in DENIES}


class Columns:
    """The columns that a question names, and what it calls the rows."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.words, self.table = draft, draft.words, draft.table
        self.made, self.used = draft.made, draft.used  # changed in place: all readers share them
        self.long: set[int] = set()  # the words of columns that are named by several
        self.unclear: Sequence[Column] = ()  # columns of which words mean any: "incidents", of two periods
        self.vocabulary: set[int] = set()  # the places of such words

    def people(self) -> None:
        """How many people live somewhere, where a column is the population."""
        asks = _HOW_MANY_PEOPLE.search(self.words.question)
        found = [column for column in self.table.columns if column.terms == _POPULATION]
        column = only(found)
        if asks is not None and column is not None:
            self.draft.take(column, self.words.within(asks.span()))

    def long_names(self) -> None:
        """The columns whose names of several words the question says: "total bill" is no total."""
        for column in self.table.columns:
            places = {n for n in self.draft.free() if self.words.terms[n] in column.terms}
            if len(column.terms) > 1 and column.terms == {self.words.terms[n] for n in places}:
                self.draft.take(column, places)
                self.long |= places
        self._joined_columns()
        if self.table.is_of_forms:
            self._begun_columns()

    def _joined_columns(self) -> None:
        """The columns whose names are two words of the question in one: "winpercent"."""
        names = {column.name.lower(): column for column in self.table.columns}
        for n, pair in enumerate(pairwise(self.words.texts)):
            column = names.get("".join(pair))
            if column is not None and self.used.isdisjoint((n, n + 1)):
                self.draft.take(column, {n, n + 1})
                self.long |= {n, n + 1}

    def _begun_columns(self) -> None:
        """The column of a form whose name alone begins with two words or more: "life expectancy", of that at birth."""
        texts = self.words.texts
        for at in self.draft.free():
            for end in range(len(texts), at + 1, -1):
                said = tuple(texts[at:end])
                begun = [each for each in self.table.columns if each.opening[: len(said)] == said]
                if begun and self.used.isdisjoint(range(at, end)):
                    if (column := only(begun)) is not None:
                        self.draft.take(column, range(at, end))
                        self.long |= set(range(at, end))
                    break

    def columns(self) -> None:
        """The columns that are named whole, then those of which one word says enough; and what the rows are called."""
        terms = self.words.terms
        named, called = set(self.long), set[int]()
        unclear: dict[int, Sequence[Column]] = {}
        for column in sorted(self.table.columns, key=_length, reverse=True):
            places = {n for n in self.draft.free() if terms[n] in column.terms}
            if column.terms and column.terms == {terms[n] for n in places}:
                (called if column is self.table.label else named).update(places)
                self.draft.take(column, places)
        for n in self.draft.free():
            is_person = terms[n] in _PEOPLE and self.table.label.names_people
            if terms[n] in self.table.terms or is_person or self._is_of_place(n):
                called.add(n)
                continue
            meant = self.draft.columns_meant(n)
            clear = only(self._of_kind(meant))
            if clear is not None and self._counts_no_days(n, clear):
                continue
            if clear is None:
                unclear.update({n: meant} if meant else {})
                continue
            named.add(n)
            if self._describes(n):
                self.used.add(n)
            else:
                self.draft.take(clear, {n})
        named |= self._said_together(unclear)
        self.used |= called
        is_of_people = self.made.kind == "person" and self.table.label.names_people
        self.made.names_rows = bool(called) or is_of_people
        is_unnamed = self.made.kind == "person" and not (named or called)
        if is_unnamed and self.made.conditions and self.table.people is not None:
            self.draft.take(self.table.people, set())
        is_known = any(condition.column is self.table.label for condition in self.made.conditions)
        self.made.rows_first = not is_known and bool(called) and min(called) < min(named, default=len(terms))

    def takes_each(self) -> bool:
        """Whether all columns are told that a word may mean, of one row: its use in kWh, and what that cost."""
        made, columns = self.made, self.unclear
        is_of_texts = self.table.is_of_forms or self.table.is_of_documents
        is_open = is_of_texts or made.want not in ("rows", "count") or not made.conditions
        if is_open or not 1 < len(columns) <= _MOST_MEANT or len(made.rows) > 1:
            return False
        made.columns = list(columns)
        return True

    def _counts_no_days(self, n: int, column: Column) -> bool:
        """Whether a plural that is asked for is told by no column: orders are no days on which was ordered."""
        before = self.words.texts[n - 1] if n else ""
        is_asked_for = self.draft.is_plural(n) and before in ("which", "what", "many", *COUNTS)
        return is_asked_for and column.is_dated and column.terms != {self.words.terms[n]}

    def _of_kind(self, columns: Sequence[Column]) -> Sequence[Column]:
        """The columns that may hold what is asked for, of several that a word means: days for "when"."""
        if len(columns) < PAIR or self.table.is_of_forms or self.table.is_of_documents:
            return columns
        if self.made.kind == "date" or HOW_LONG.search(self.words.question):
            return [column for column in columns if column.is_dated]
        if self.made.kind == "person":
            return [
                column for column in columns if column.names_people or not column.terms.isdisjoint(_NAMES_OF_PEOPLE)
            ]
        return columns

    def _said_together(self, unclear: Mapping[int, Sequence[Column]]) -> set[int]:
        """The places of words that mean several columns each, and one of them together: "spend" and "second half".

        Beside a column that is clear they describe what it is of.
        """
        counts = Counter(column for columns in unclear.values() for column in columns)
        most = max(counts.values(), default=0)
        best = [column for column, count in counts.items() if count == most]
        years = filter(_YEAR.fullmatch, self.words.terms)
        said = {*self.words.terms, *(year[2:] for year in years)}
        column = only([each for each in best if each.terms <= said]) or only(best)
        is_one_thing = len(unclear) == 1 or most > 1
        self.unclear = best if is_one_thing else []
        if column is not None and most >= PAIR:
            places = {n for n, columns in unclear.items() if column in columns}
            self.draft.take(column, places)
            if not column.terms.isdisjoint(said - set(self.words.terms)):
                self.draft.use(_ENDS_OF_TIME)
            return places
        self.vocabulary = set(unclear)
        return set()

    def _describes(self, n: int) -> bool:
        """Whether a word stands before the whole name of a column of a form: "the major religions"."""
        following = {*self.words.terms[n + 1 : n + 2]}
        names = (column.terms for column in self.made.columns)
        return self.table.is_of_forms and following in map(set, names)

    def _is_of_place(self, n: int) -> bool:
        """Whether a word in the plural is one of the file's name: what the rows are called."""
        return self.words.terms[n] in self.table.of_file and self.draft.is_plural(n)


def meant_by(texts: Iterable[str]) -> frozenset[str]:
    """The terms of columns of which words tell in another way: "die" of a death."""
    return NO_DEEDS.union(*(_SAID_OF_COLUMNS.get(text, NO_DEEDS) for text in texts))


def _length(column: Column) -> int:
    return len(column.terms)


def _is_deed_of(term: str, column: Column) -> bool:
    """Whether a column is named by who or what does a deed: own and Owner, assign and Assignee; not car and Carb."""
    root = term.rstrip("e")
    doers = {root + ending for ending in _ENDINGS_OF_DOERS}
    return not doers.isdisjoint(column.terms)


def _is_short_for(column: Column, word: str) -> bool:
    """Whether a part of a column's name is the beginning of a word: pop and population, temp_max and temperature."""
    parts = map(str.lower, _PARTS.findall(column.name))
    longest = len(word) - _SHORTEST
    return any(word.startswith(part) for part in parts if _SHORTEST <= len(part) <= longest)


def only(found: Sequence[Value]) -> Value | None:
    """What is found, where it is the only one."""
    return found[0] if len(found) == 1 else None
