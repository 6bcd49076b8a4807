"""What a question asks of a table: rows that meet conditions, and what of them (which, how many, a sum, the most).

A question is read against the tables of the corpus: cells, columns and what the rows are called. Where one of its words
has no part in that, nothing is asked of the table; a wrong count is worse than none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Literal, TypeVar

from adaq_core.matching.lexicon import is_common_word, similarity
from adaq_core.model import AnswerKind
from adaq_core.question.parse import ParsedQuestion
from adaq_core.records.tables import COMMA, SPENT, Column, Row, Table
from adaq_core.text.tokens import spans, stem, terms_of
from adaq_core.text.tokens import words as words_of
from adaq_core.text.values import MONTH_NAMES, MONTHS, Date, dates

Value = TypeVar("Value")
Want = Literal[
    "rows", "count", "sum", "mean", "most", "least", "share",
    "difference", "changed", "same",
]  # fmt: skip
_WANTS: tuple[tuple[Want, str], ...] = (
    (
        "difference",
        r"(?:by )?how (?:much|many) (?:more|less|fewer|higher|lower|better|worse|dearer|cheaper|longer|shorter"
        r"|larger|smaller)",
    ),
    ("same", r"(?:(?:has|have|did|do|does)(?: not|n['’]t)|never) changed?|unchanged"),
    ("same", r"(?:stayed?|remain(?:ed)?|are|is) the same"),
    ("changed", r"(?:has |have |had |was |were )?changed|(?:the )?changes(?= (?:in|between|from|since|to)\b)|differs?"),
    ("changed", r"change(?=\W{0,3}$| (?:from|between|since)\b)|(?:what|which) (?:is|are) (?:new|different)"),
    ("difference", r"how (?:much|many) did (?=.{1,60}\b(?:rise|grow|increase|fall|drop|decrease|decline|change)\b)"),
    ("difference", r"how long (?:did|does|was|were|is|has|had)"),
    ("difference", r"by how (?:much|many)|(?:the )?difference(?: between| in)?"),
    ("share", r"(?:what|which) (?:share|percentage|proportion|fraction|percent)(?: of)?|percentage of|share of"),
    ("mean", r"averages?(?: number of| of)?|mean"),
    ("sum", r"totals?(?: of| number of)?|sum(?: of)?|altogether|in total|combined|overall|together(?! with)|in all"),
    ("most", r"most(?: recent(?:ly)?| common(?:ly)?| often)?|highest|newest|maximum|latest|last"),
    ("most", r"(?:larg|bigg|great|long|tall)est(?! \w{2,30}s\b)"),  # the largest files are not the most files
    ("most", r"top(?= (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b)"),
    ("most", r"(?<= the )(?:higher|larger|greater|longer)"),  # of two
    ("least", r"(?<= the )(?:lower|smaller|shorter)"),
    ("least", r"least|fewest|lowest|(?:small|short)est(?! \w{2,30}s\b)|minimum|first|earliest|oldest|soonest|cheapest"),
    ("count", r"how many|(?:the )?number of|count(?: of)?"),
)
_WANTED = [(want, re.compile(rf"(?i)\b(?:{pattern})\b")) for want, pattern in _WANTS]
_EACH = re.compile(r"(?i)\b(?:per|by|each|every)\s+(?=(\w+))")
_NOT = re.compile(r"(?i)\b(?:not|(?:is|are|was|were|do|does|did|has|have)n['’]t|other than|except|excluding)\b")
_NOT_BY = re.compile(r"(?i)\bnot [a-z]{2,12} (?:by|to|in|from|with|of|for) $")  # "not managed by"
_FAR_AHEAD = 30
_HAS_NOT = re.compile(r"(?i)(?:\bnot|n['’]t) (?:have|got) (?:an? |any )?$")
_LACKS = re.compile(r"(?i)\b(?:no|without) (?:an? |any )?$")  # before what a row has or not
_LIMIT = re.compile(
    r"(?i)\b(?P<way>(?:more|greater|higher|longer|less|fewer|lower|shorter) than|over|above|under|below|at least"
    r"|at most)"
    r"\s+(?:[$€£¥]\s?)?(?P<number>\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,9})?)\b(?! of )"
)
_UP = frozenset(("more than", "greater than", "higher than", "longer than", "over", "above", "at least"))
_OUT_OF = re.compile(r"(?i)\bout of (\w{2,30})\b")
_ORDER = re.compile(r"(?i)\b(before|after|since|until|from|by)\s*$")
_BETWEEN = re.compile(r"(?i)\b(?:between|from) (?P<first>[\w ,]{1,30}) (?:and|to|until|till) $")
_AHEAD = 12  # characters before a word in which "not" or "before" stands
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
_LIGHT = frozenset(_LIGHT_WORDS.split())
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
_CHANGES = frozenset(_CHANGES_OF_TWO.split())
_ITS_PLAN = r"(?:the |its |their |his |her )?(?:budgets?|plans?|targets?|forecasts?)"
_BESIDE_PLAN = re.compile(
    rf"(?i)\b(?:overspen[dt]|(?:over|above) {_ITS_PLAN}|exceed(?:ed|s)? {_ITS_PLAN}"
    rf"|(?P<under>underspen[dt]|(?:under|below) {_ITS_PLAN})|(?P<within>(?:stay(?:ed|s)? )?within {_ITS_PLAN})"
    r"|(?P<late>(?:too )?late|overdue|behind schedule))\b(?! than)"
)
_NOTHING = frozenset(("none", "nothing", "n/a", "-", "–", "—"))
_HOW_LONG = re.compile(r"(?i)^how long\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENDS_OF_TIME = re.compile(r"(?i)\b(?:between|since|until)\b")
_MOST_MEANT = 3  # columns by one word
_DENIES = frozenset(("not", "no", "never", "without", "nor", "neither"))
_PAIR = 2
_BY_HOW_MANY = re.compile(r"(?i)^by how (?:many|much)\b")
_UNDONE = re.compile(r"(?i)un(?=\w{3})")
# What is done to a document, by the property that tells by whom or when.
_WRITTEN = terms_of("write wrote written draft propose prepare")
_OUT = terms_of("publish create issue release announce post")
_DONE_TO_DOCUMENTS = {"author": _WRITTEN, "authors": _WRITTEN, "date": _OUT}
_NO_DEEDS = frozenset[str]()
_HOW_MANY_PEOPLE = re.compile(r"(?i)\bhow many (?:people|inhabitants|residents)(?: (?:live|are there|are living))?\b")
_POPULATION = terms_of("population")
LONG_CELL = 80  # characters
_BEFORE_A_CELL = 3  # words
_BEHIND_A_LIMIT = 4  # the limit itself, and words behind it
_HARDLY = frozenset(("not", "no", "non", "almost", "nearly", "hardly", "never", "without"))
_BOUND = re.compile(r"(?i)\b(up to|until|before|after|since)\s*$")
_SPAN = re.compile(rf"(?i)\b(?:from|between) (?:{MONTH_NAMES}) (?:to|until|through|and) (?:{MONTH_NAMES})\b")
_GOING_ON = frozenset(("open", "unresolved", "ongoing", "outstanding", "unfinished"))
_MONTH_ALONE = re.compile(rf"\b({MONTH_NAMES})\b(?! \d)")
_COUNTED = "two three four five six seven eight nine ten"
_COUNTS = {word: count for count, word in enumerate(_COUNTED.split(" "), 2)}
_COUNTS |= {str(count): count for count in _COUNTS.values()}
_BEFORE_COUNTS = frozenset(("top", "the", "which", "what", "our"))
_COMPARED: Mapping[str, Want] = {
    "more": "most", "higher": "most", "larger": "most", "less": "least", "fewer": "least", "lower": "least",
}  # fmt: skip
_MOST_OF = {"better": "best", "worse": "worst", "dearer": "dearest"}
_PLACES = {"second": 2, "third": 3}
_BEFORE_NOUNS = frozenset(("a", "an", "the", "in", "of", "with", "for", "by", "on"))
_IS = frozenset(("is", "are", "was", "were", "still", "currently", "not"))
_IS_OR_DOES = frozenset(("is", "are", "was", "were", "do", "does", "did", "has", "have"))
_DOES = frozenset(("do", "does", "did"))
_PLURAL = re.compile(r"[^\Ws]s$")
_NEAR = 0.5  # in meaning to the name of a column
_ENDINGS_OF_DOERS = frozenset(("e", "ee", "er", "or", "ed", "ant", "ent", "ist", "ing"))  # as stems have them
_FEWEST_OF_TITLE = 2  # words
_SHORTEST = 3  # letters of a word whose doer a column names; of a short form, and of what it leaves out
_PARTS = re.compile(r"[A-Z]?[a-z]+")  # of a name: life and Exp of lifeExp


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

    def is_met_by(self, row: Row) -> bool:
        """Whether a row meets it; one without the cell does not, unless it is asked for having none."""
        if self.others:
            cells = [row.cells.get(column.name, "") for column in (self.column, *self.others)]
            return (self.cell in cells) != self.denied
        cell = row.cells.get(self.column.name, "")
        if self.is_blank:
            return not cell
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


_WHAT_IT_DOES = re.compile(r"(?i)what (?:do|does|did) [^?]{1,80} do\b")


def asked_of(question: ParsedQuestion, tables: Sequence[Table]) -> Asked | None:
    """The question as it is asked of the one table that explains all of its words; None where none or several do.

    Rows are no reasons and no ways, and tell of nothing what it does.
    """
    if question.kind in ("reason", "way") or _WHAT_IT_DOES.match(question.text):
        return None
    explained = list[Asked]()
    for text in dict.fromkeys((_HOW.sub(_by_noun, question.text), question.text)):
        words = _Words(text)
        read = [_Reader(words, table, question.kind).asked() for table in tables]
        explained = explained or [asked for asked in read if asked is not None]
    best = max((asked.worth for asked in explained), default=None)
    fitting = [asked for asked in explained if asked.worth == best]
    earlier = [asked.table.earlier for asked in fitting]
    latest = [asked for asked in fitting if asked.table not in earlier]
    return _only(latest)


# By which columns one is the tallest, and whether it has the most of them or the least.
_BY_WHICH: tuple[tuple[str, Want, str], ...] = (
    ("tallest highest", "most", "height tall"),
    ("longest", "most", "length duration long"),
    ("shortest", "least", "height length duration"),
    ("fastest quickest", "most", "speed"),
    ("fastest quickest", "least", "time duration"),
    ("slowest", "least", "speed"),
    ("slowest", "most", "time duration"),
    ("heaviest", "most", "weight mass"),
    ("lightest", "least", "weight mass"),
    ("deepest", "most", "depth"),
    ("widest", "most", "width"),
    ("biggest largest", "most", "size area capacity population inhabitants"),
    ("smallest", "least", "size area capacity population inhabitants"),
    ("cheapest", "least", "price cost fee fare rent rate amount premium"),
    ("dearest", "most", "price cost fee fare rent rate amount premium"),
    ("oldest", "most", "age"),
    (
        "oldest",
        "least",
        "born birth built opened founded established year since start started hire hired joined bought",
    ),
    ("longest", "least", "start started hire hired joined"),
    ("newest youngest", "least", "age"),
    (
        "newest youngest",
        "most",
        "born birth built opened founded established year since start started hire hired joined",
    ),
    ("best", "most", "accuracy score rating precision recall ap map auc f1 mark grade yield"),
    ("best", "least", "loss error perplexity wer cer"),
    ("worst", "least", "accuracy score rating precision recall ap map auc f1 mark grade yield"),
    ("worst", "most", "loss error perplexity wer cer"),
)
_OF_SUPERLATIVES: dict[str, list[tuple[Want, frozenset[str]]]] = {}
for _words, _want, _names in _BY_WHICH:
    for _word in _words.split():
        _OF_SUPERLATIVES.setdefault(_word, []).append((_want, terms_of(_names)))
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
_BEGUN = terms_of("start started hire hired joined")
_OF_ONE_MEASURE = frozenset(("tallest", "heaviest", "lightest", "fastest", "slowest", "deepest", "widest"))
_NAMES_OF_PEOPLE = terms_of("name")
_PERIODS = terms_of("season year month quarter week period")
_PEOPLE = terms_of("player employee member person people staff colleague student customer author")

# What a column of measures is called, where a question says how much of it something has.
_MEASURES = {
    "wide": "width", "deep": "depth", "high": "height", "tall": "height", "long": "length", "heavy": "weight",
    "old": "age", "big": "size", "large": "size", "fast": "speed",
}  # fmt: skip
_HOW = re.compile(rf"(?i)\bhow ({'|'.join(_MEASURES)})(?= (?:is|are|was|were)\b)")


def _by_noun(asks: re.Match[str]) -> str:
    return f"what {_MEASURES[asks[1].lower()]}"


class _Words:
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
        return _NOT.search(self.question, max(0, start - _AHEAD), start) is not None

    def is_lacked(self, n: int) -> bool:
        """Whether "no" or "without" stands right before a word."""
        start = self.starts[n]
        return _LACKS.search(self.question, max(0, start - _AHEAD), start) is not None

    def has_not(self, n: int) -> bool:
        """Whether "not have" stands right before a word."""
        start = self.starts[n]
        return _HAS_NOT.search(self.question, max(0, start - 2 * _AHEAD), start) is not None

    def only_asks(self, n: int) -> bool:
        """Whether a word asks for no column: "Compare …", "What does … mean?"."""
        if n == 0:
            return self.texts[0] == "compare"
        is_asked = not _DOES.isdisjoint(self.texts[:n])
        return is_asked and self.texts[n] == "mean"

    def is_small(self, n: int) -> bool:
        """Whether a word begins with a small letter."""
        return self.question[self.starts[n]].islower()


class _Reader:
    """Reads a question against one table: each word is used by what it says of it."""

    def __init__(self, words: _Words, table: Table, kind: AnswerKind) -> None:
        self.words = words
        self.table = table
        self.used = set(filter(words.only_asks, range(len(words))))
        self.long: set[int] = set()  # the words of columns that are named by several
        self.made = Asked(words.question, kind, table)
        self.made.names_cells = _AND_THEIRS.search(words.question) is not None
        self.is_of_each_row = False  # "each ticket", where no column is of tickets
        self.unclear: Sequence[Column] = ()  # columns of which words mean any: "incidents", of two periods
        self.vocabulary: set[int] = set()  # the places of such words

    def asked(self) -> Asked | None:
        """What is asked; None where a word is left over, or nothing of the table is named."""
        self._people()
        self._times()
        self._cells()
        self._blanks()
        self._limits()
        self._none_left()
        self._without()
        self._beside_its_plan()
        self._long_columns()
        self._wants()
        self._columns()
        self._by_its_unit()
        self._answers()
        if self.table.is_of_documents:
            self.made.names_rows = self.made.names_rows or self._names_kind()
            self._title_in_part()
        elif not self.table.is_of_forms:
            self._row_in_part()
        if self.is_of_each_row and self.made.want in ("count", "sum", "mean"):
            if not self.made.columns:
                return None
            self.made.want = "rows"
        made = self.made
        if made.is_yes_or_no and self.unclear and not made.columns:
            made.unclear = self.unclear
            self.used |= self.vocabulary
        elif not made.is_yes_or_no and (made.columns or self._takes_each()):
            self.used |= self.vocabulary
        if any(text in _DENIES and n not in self.used for n, text in enumerate(self.words.texts)):
            return None
        left = [n for n in range(len(self.words)) if n not in self.used and not self._is_light(n)]
        if _HOW_LONG.search(self.words.question) and not (made.numeric or self.table.begins):
            return None
        is_comparable = self.table.measures or len(self.table.dated) >= _PAIR
        if made.want == "difference" and not is_comparable:
            return None
        names_something = bool(made.columns) or made.names_rows
        if made.is_yes_or_no or not self.table.is_of_documents:  # "What is Apple doing about AI?" asks of no document
            names_something = names_something or bool(made.conditions)
        return made if names_something and not left else None

    def _is_light(self, n: int) -> bool:
        term = self.words.terms[n]
        is_unit = any(term in column.units for column in self.table.columns)
        if self.table.is_of_documents and self.words.texts[n] in _SAID_IN_TEXT:
            return False
        if not term or is_unit or self.words.texts[n] in _LIGHT or term in self.table.of_file:
            return True
        following = self.words.texts[n + 1 : n + 2]
        is_period = term in _PERIODS and any(map(str.isdigit, following))
        if term in self.table.of_name or is_period:
            return True
        if term in self.table.of_folder and not self._is_plural(n):  # what a folder is called its files may not hold
            return True
        is_of_two = self.words.texts[n] in _CHANGES or term in self.table.of_versions
        if self.made.want in _OF_TWO and is_of_two:
            return True
        is_of_days = not set(self.table.dated).isdisjoint([*self.made.columns, *self.made.about])
        return is_of_days and (term in _ENDS or term in _OF_DAYS)

    def _people(self) -> None:
        """How many people live somewhere, where a column is the population."""
        asks = _HOW_MANY_PEOPLE.search(self.words.question)
        found = [column for column in self.table.columns if column.terms == _POPULATION]
        column = _only(found)
        if asks is not None and column is not None:
            self._take(column, self.words.within(asks.span()))

    def _times(self) -> None:
        """Days and periods, each for the column of days that the question names, or the only one."""
        dated = self.table.dated
        named = self._named_among(dated)
        column = _only(named) or _only(dated) or _only(self.table.begins)
        if column is None:
            return
        question, spanned = self.words.question, 0
        told = (*dates(question), *self._months_of(column))
        for date in sorted(told, key=_where, reverse=True):
            start, end = date.span
            if spanned and start >= spanned:
                continue  # the first of two days between which something lies
            if terms_of(question[start:end]) <= self.table.of_versions:
                continue  # which version is meant
            if (ahead := _BETWEEN.search(question, 0, start)) and (first := _first_of(ahead["first"], date)):
                spanned = start = ahead.start()
                periods = [("since", first), ("until", date)]
            else:
                ahead = _ORDER.search(question, max(0, start - _AHEAD), start)
                start = ahead.start() if ahead else start
                periods = [(ahead[1].lower() if ahead else "", date)]
            text = f"{column.name}: {question[start:end]}"
            for order, period in periods:
                self.made.conditions.append(Condition(column, text, period=period, order=order))
            self.used |= self.words.within((start, end))

    def _months_of(self, column: Column) -> Iterator[Date]:
        """The months that are named without a year, where all days of a column are of one: "in March"."""
        days = filter(None, map(column.day, column.filled))
        year = _only(list({day.year for day in days}))
        if year is None or any(each.are_months for each in self.table.columns):
            return
        spans_of_dates = [range(*date.span) for date in dates(self.words.question)]
        known = frozenset(chain.from_iterable(spans_of_dates))
        for match in _MONTH_ALONE.finditer(self.words.question):
            month = MONTHS.index(match[1]) + 1
            if match.start(1) not in known:
                yield Date(year, month, span=match.span(1))

    def _blanks(self) -> None:
        """Days on which something was not done yet: "unpaid", "not paid", where a column is of the day ("Paid on")."""
        ends = self._goes_on_without()
        for n, text in enumerate(self.words.texts):
            if ends is not None and text in _GOING_ON and self._is_said_of(n):
                going_on = Condition(ends, f"{ends.name}: empty", is_blank=True)
                self.made.conditions.append(going_on)
                self.used.add(n)
                continue
            is_undone = _UNDONE.match(text) is not None
            if n in self.used or not (is_undone or self.words.is_denied(n)):
                continue
            term = stem(text[2:]) if is_undone else self.words.terms[n]
            with_gaps = [each for each in self.table.dated if "" in each.cells]
            column = _only([each for each in with_gaps if term in each.terms])
            if column is not None:
                self.made.conditions.append(Condition(column, f"{column.name}: empty", is_blank=True))
                self.used.add(n)
                self._use(_NOT)

    def _goes_on_without(self) -> Column | None:
        """The one column of when something ended, where some did not and no cell says "open"."""
        ends = [column for column in self.table.ends if "" in column.cells]
        is_said = ("open",) in self.table.values or not self.table.begins
        return None if is_said else _only(ends)

    def _named_among(self, columns: Iterable[Column]) -> list[Column]:
        said = set(self.words.terms)
        meant = said | _meant_by(self.words.texts)
        return [column for column in columns if meant & column.terms or said & self._deeds(column)]

    def _deeds(self, column: Column) -> frozenset[str]:
        """What a question may say in place of the name of a property of documents: "written" for the author."""
        is_of_what = self.words.texts[:1] == ["what"]  # "What did ADR 7 propose?"
        if is_of_what or not self.table.is_of_documents:
            return _NO_DEEDS
        return _DONE_TO_DOCUMENTS.get(column.name, _NO_DEEDS)

    def _cells(self) -> None:
        """What the question says in the words of a cell, the longest first."""
        at = 0
        while at < len(self.words):
            end, held = self._cell_at(at)
            found = self._meant_cell(held)
            is_light = end - at == 1 and self._is_no_cell(at)
            if not found and not is_light and (condition := self._in_any(at, held)):
                self.made.conditions.append(condition)
                self.used |= set(range(at, end))
            if found and not is_light:
                column, cell = found
                if order := self._order_before(at):
                    self._months_from(order, column, cell, at)
                    at += 1
                    continue
                denied = self.words.is_denied(at)
                text = f"{column.name}: {'not ' if denied else ''}{cell}"
                self.made.conditions.append(Condition(column, text, cell=cell, denied=denied))
                self.used |= set(range(at, end))
            at = max(end, at + 1)
        if any(condition.denied for condition in self.made.conditions):
            self._use(_NOT)

    def _order_before(self, at: int) -> str:
        """What stands right before a word and says how it bounds others: "up to", "since"."""
        end = self.words.starts[at]
        start = max(0, end - _AHEAD)
        found = _BOUND.search(self.words.question, start, end)
        return found[1].lower() if found else ""

    def _months_from(self, order: str, column: Column, cell: str, at: int) -> None:
        """The months up to one, or since it; words that no order of the column explains are left."""
        months = column.filled
        if not column.are_months:
            return
        place = months.index(cell)
        if order in ("up to", "until", "before"):
            chosen = months[: place + (order != "before")]
        else:
            chosen = months[place + (order == "after") :]
        said = f"{column.name}: {order} {cell}"
        self.made.conditions += [Condition(column, said, cell=each) for each in chosen]
        self.used |= {at}
        self._use(re.compile(rf"(?i)\b{order}\b"))

    def _is_of_name(self, n: int) -> bool:
        """Whether "number of" goes on with the name of a column that counts nothing: "the phone number of"."""
        if self.words.texts[n] != "number" or n == 0:
            return False
        term = self.words.terms[n - 1]
        return any(term in column.terms and not column.is_measure for column in self.table.columns)

    def _is_a_column(self, n: int) -> bool:
        """Whether a column of numbers is called by one word: "total"."""
        return any(column.terms == {self.words.terms[n]} for column in self.table.measures)

    def _begins_name(self, n: int) -> bool:
        """Whether a word and the next are of the name of a column: the "first half" is not the first."""
        both = set(self.words.terms[n : n + _PAIR])
        return len(both) == _PAIR and any(both <= column.terms for column in self.table.columns)

    def _between_months(self) -> None:
        """All months between two that are named as the ends of a time over which is counted or added up."""
        named = [each for each in self.made.conditions if each.cell and each.column.are_months]
        is_span = _SPAN.search(self.words.question) is not None
        if len(named) != _PAIR or self.made.want == "difference" or not is_span:
            return
        start, end = named
        months = list(start.column.filled)
        inside = months[months.index(start.cell) : months.index(end.cell) + 1]
        said = f"{start.column.name}: {start.cell} to {end.cell}"
        between = [Condition(start.column, said, cell=each) for each in inside]
        kept = [each for each in self.made.conditions if each not in named]
        self.made.conditions = [*kept, *between]

    def _use(self, pattern: re.Pattern[str]) -> None:
        for match in pattern.finditer(self.words.question):
            self.used |= self.words.within(match.span())

    def _cell_at(self, at: int) -> tuple[int, Sequence[tuple[Column, str]]]:
        """Where the longest cell ends that the words from `at` on are, with the columns that hold it."""
        texts, values = self.words.texts, self.table.values
        most = min(len(texts), at + self.table.longest)
        for end in range(most, at, -1):
            *ahead, last = texts[at:end]
            forms = (last, last.removesuffix("s"), last.removesuffix("es"))
            held = next(filter(None, (values.get((*ahead, form)) for form in forms)), None)
            if held and self.used.isdisjoint(range(at, end)):
                return end, held
        return at + 1, self._by_its_first(at)

    def _by_its_first(self, at: int) -> Sequence[tuple[Column, str]]:
        """The cell of which a capitalised word is the first, where there is no other: Northwind for Northwind Dairy.

        Or that has one word of the same stem: a Democrat is Democratic.
        """
        word = self.words.texts[at]
        if at == 0 or self.words.is_small(at):
            return ()
        firsts = self.table.stems.get(self.words.terms[at], ())
        if not is_common_word(word):
            firsts = self.table.firsts.get(word, firsts)
        held = self.table.values[firsts[0]] if len(firsts) == 1 else ()
        # A title is not called by its first word.
        return [each for each in held if not (self.table.is_of_documents and each[0] is self.table.label)]

    def _meant_cell(self, held: Sequence[tuple[Column, str]]) -> tuple[Column, str] | None:
        """The column that is meant where several hold the same cell: the one that the question names, or the label."""
        if len(held) <= 1:
            return held[0] if held else None
        if by_label := self._by_label(held):
            return by_label
        first, *others = (column.filled for column, _ in held)
        shared = frozenset(first).intersection(*others)
        is_of_texts = self.table.is_of_forms or self.table.is_of_documents
        if len(shared) > 1 and not is_of_texts:
            return None  # columns of one kind of thing: home and away
        named = self._named_among(column for column, _ in held) or [self.table.label]
        return _only([each for each in held if each[0] in named])

    def _by_label(self, held: Sequence[tuple[Column, str]]) -> tuple[Column, str] | None:
        """The row that is called so, where other columns that have it group the rows (managers) and none is named."""
        label = self.table.label
        own = _only([each for each in held if each[0] is label])
        is_of_texts = self.table.is_of_forms or self.table.is_of_documents
        if own is None or is_of_texts or not label.is_distinct:
            return None
        others = [column for column, _ in held if column is not label]
        are_groups = all(column.groups_rows for column in others)
        return own if are_groups and not self._named_among(others) else None

    def _in_any(self, at: int, held: Sequence[tuple[Column, str]]) -> Condition | None:
        """That a row has a cell in one of several columns: a team at home or away, or in the one named before it."""
        cells = {cell for _, cell in held}
        if len(held) <= 1 or len(cells) > 1:
            return None
        near = set(self.words.terms[max(0, at - _BEFORE_A_CELL) : at])
        ahead = self.words.texts[max(0, at - _BEFORE_A_CELL) : at]
        near |= _meant_by(ahead)
        named = _only([column for column, _ in held if near & column.terms])
        columns = [named] if named else [column for column, _ in held]
        (cell,) = cells
        names = " or ".join(column.name for column in columns)
        denied = self.words.is_denied(at)
        text = f"{names}: {'not ' if denied else ''}{cell}"
        return Condition(columns[0], text, cell=cell, others=tuple(columns[1:]), denied=denied)

    def _is_no_cell(self, at: int) -> bool:
        """Whether a word that is a cell too is light or a verb here: "did X open", "when was it closed"."""
        texts = self.words.texts
        is_noun = at > 0 and texts[at - 1] in _BEFORE_NOUNS
        is_verb = "did" in texts[:at] and self.words.is_small(at) and not is_noun
        if texts[at] in _CHANGES and _BY_HOW_MANY.search(self.words.question):
            return True
        is_last = at == len(texts) - 1
        is_said_of = is_last and self._is_said_of(at)
        if is_verb or (texts[at] in _LIGHT and not is_said_of):
            return True
        return texts[0] == "when" and self._has(self.words.terms[at], self.table.dated)

    def _is_said_of(self, n: int) -> bool:
        return n > 0 and self.words.texts[n - 1] in _IS

    def _has(self, term: str, columns: Iterable[Column]) -> bool:
        return any(term in column.terms for column in columns)

    def _wants(self) -> None:
        """What is wanted of the rows, the first of the kinds that the question names, and by which column."""
        wants: list[Want] = []
        for want, pattern in _WANTED:
            if want in ("changed", "same") and self.table.earlier is None:
                continue
            for match in pattern.finditer(self.words.question):
                places = self.words.within(match.span())
                if want in ("sum", "mean") and self._is_a_column(min(places)):
                    continue
                if want == "count" and self._is_of_name(min(places)):
                    self.used |= places
                elif self.used.isdisjoint(places) and not self._begins_name(max(places)):
                    wants.append(want)
                    self.used |= places
        self.made.want = wants[0] if wants else "rows"
        self._superlative()
        self._between_months()
        self._how_many_of_them()
        self._which_of_two()
        extremes = [want for want in wants if want in ("most", "least")]
        if self.made.want == "difference":
            self._compared_in()
        if extremes and self.made.want in ("mean", "sum"):
            self.made.is_of_means = self.made.want == "mean"
            self.made.want = extremes[0]
        each = _EACH.search(self.words.question)
        if each is None or self.made.want not in ("rows", "count", "sum", "mean"):
            return
        term = stem(each[1].lower())
        column = _only(self._by_names([column for column in self.table.columns if term in column.terms]))
        if column is not None and column not in (*self.table.measures, *self.table.dated, self.table.label):
            self.made.each = column
            self.used |= self.words.within((each.start(), each.end(1)))
        else:
            self.is_of_each_row = each[0].lower().startswith("e")

    def _how_many_of_them(self) -> None:
        """How many of the most are asked for, "the three largest", or which place: "the second largest"."""
        texts = self.words.texts
        for n, (before, text) in enumerate(pairwise(texts), 1):
            if n in self.used or self.made.want not in ("most", "least"):
                continue
            count = _COUNTS.get(text, 0)
            if count and before in _BEFORE_COUNTS:
                self.made.top = count
                self.used.add(n)
            elif text in _PLACES and n + 1 in self.used:
                self.made.place = _PLACES[text]
                self.used.add(n)

    def _which_of_two(self) -> None:
        """Whether one row has more than another: "Is A heavier than B?", "Does A have more seats than B?"."""
        texts = self.words.texts
        is_asked = self.made.is_yes_or_no or self.made.kind == "choice"
        if not is_asked or texts[0] not in _IS_OR_DOES or self.made.want != "rows" or "than" not in texts:
            return
        than = texts.index("than")
        for n, text in enumerate(texts[:than]):
            if text in _COMPARED:
                self.made.want = _COMPARED[text]
            elif not self._is_superlative(n, f"{text.removesuffix('r')}st"):
                continue
            self.used |= {n, than}
            self.made.is_which_of_two = True

    def _compared_in(self) -> None:
        """The column in which two are compared: "how much better", "how much heavier"."""
        for text in self.words.texts:
            most = _MOST_OF.get(text, f"{text.removesuffix('r')}st")
            of_it = (names for _, names in _OF_SUPERLATIVES.get(most, ()))
            known = _NO_DEEDS.union(*of_it)
            column = _only([each for each in self.table.measures if each.terms & known])
            if column is not None:
                self._take(column, ())

    def _is_superlative(self, n: int, text: str) -> bool:
        """Whether a column is of what one may be most of; it is the measure then."""
        for want, names in _OF_SUPERLATIVES.get(text, ()):
            if names == _BEGUN and "been" not in self.words.texts:
                continue  # the longest since it began
            columns = [*self.table.measures, *self.table.dated, *self.table.years]
            column = _only([each for each in columns if each.terms & names])
            if column is not None:
                self._take(column, {n})
                self.made.want = want
                return True
        return False

    def _superlative(self) -> None:
        """The tallest has the most of a height, where a column is of one."""
        for n, text in enumerate(self.words.texts):
            if self.made.want in ("rows", "most", "least") and self._is_superlative(n, text):
                return
            if text in _OF_ONE_MEASURE:
                self.used.discard(n)  # nothing here is tall

    def _by_its_unit(self) -> None:
        """The column of which the question says the unit alone: how many days, where one is of days."""
        if self.made.want not in ("sum", "mean", "most", "least") or self.made.numeric:
            return
        said = set(self.words.terms)
        column = _only([each for each in self.table.measures if each.units & said])
        if column is not None:
            self.made.columns.append(column)

    def _limits(self) -> None:
        """Bounds of a number: of the column that stands behind them or before, or of the only one."""
        numeric = self.table.measures
        self._exact_numbers()
        for match in _LIMIT.finditer(self.words.question):
            places = self.words.within(match.span())
            first, last = max(0, min(places) - 1), max(places) + _BEHIND_A_LIMIT
            near = set(self.words.terms[first:last])
            near |= _meant_by(self.words.texts[first:last])
            column = _only([column for column in numeric if near & column.terms]) or _only(numeric)
            if column is None:
                continue
            number = float(match["number"].replace(",", ""))
            way = match["way"].lower()
            least = 0.0 if way.startswith("at ") else 1e-9
            text = f"{column.name}: {match.group()}"
            if way in _UP:
                condition = Condition(column, text, low=number + least)
            else:
                condition = Condition(column, text, high=number - least)
            self.made.conditions.append(condition)
            self.used |= places

    def _exact_numbers(self) -> None:
        """Numbers before the name of their column, or right behind it: "with 8 cylinders", "a batch size of 512"."""
        for measure in self.table.measures:
            for match in _exact(measure).finditer(self.words.question):
                number = match["number"]
                self._has_exactly(measure, number, self.words.within(match.span()))
        for n, number in enumerate(self.words.texts[:-1]):
            if n in self.used or not number.isdigit():
                continue
            following = self.words.terms[n + 1]
            of_unit = [each for each in self.table.measures if following in each.units]
            column = self._column_meant(n + 1) or _only(of_unit)
            start = max(0, self.words.starts[n] - _AHEAD)
            is_bound = _LIMIT.search(self.words.question, start, self.words.ends[n])
            if column is not None and column.is_measure and not is_bound:
                self._has_exactly(column, number, {n, n + 1})

    def _has_exactly(self, column: Column, number: str, places: Iterable[int]) -> None:
        exact = float(number.replace(",", ""))
        said = f"{column.name}: {number}"
        self.made.conditions.append(Condition(column, said, low=exact, high=exact))
        self.used |= set(places)

    def _none_left(self) -> None:
        """Numbers that have come to nothing: "out of stock"."""
        for match in _OUT_OF.finditer(self.words.question):
            column = _only(self._named_by(stem(match[1].lower())))
            if column is not None:
                self.made.conditions.append(Condition(column, f"{column.name}: 0", low=0.0, high=0.0))
                self.used |= self.words.within(match.span())

    def _without(self) -> None:
        """What a row has none of: "which had no incidents", where all columns that this may mean are nought."""
        for n in self._free():
            is_lacked = self.words.is_lacked(n) or self.words.has_not(n)
            columns = self._columns_meant(n) if is_lacked else []
            if not columns or any(column.is_yes_or_no or column.is_flag for column in columns):
                continue
            if all("" in column.cells for column in columns):
                nought = [Condition(column, f"{column.name}: empty", is_blank=True) for column in columns]
            elif all(column.is_measure for column in columns):
                nought = [Condition(column, f"{column.name}: 0", low=0.0, high=0.0) for column in columns]
            else:
                nought = [
                    Condition(column, f"{column.name}: {cell}", cell=cell)
                    for column in columns
                    for cell in column.filled
                    if cell.lower() in _NOTHING
                ]
            if len(nought) == len(columns):
                self.made.conditions += nought
                named = frozenset().union(*(column.terms for column in columns))
                self.used |= {place for place in self._free() if place >= n and self.words.terms[place] in named}
                self._use_denial(n)

    def _use_denial(self, n: int) -> None:
        """The words before one that deny it are read."""
        self.used |= {place for place in range(n) if self.words.texts[place] in _DENIES}

    def _beside_its_plan(self) -> None:
        """What was spent above or below its budget: "Which departments overspent?", "By how much did A exceed it?"."""
        question = self.words.question
        match = _BESIDE_PLAN.search(question)
        if match is None:
            return
        said = set(self.words.terms)
        is_late = match["late"] is not None
        known = self.table.due if is_late else self.table.planned
        pairs = [pair for pair in known if pair[1].terms - SPENT <= said] or known
        pair = _only(pairs)
        if pair is None:
            return
        plan, spent = pair
        of_both = spent.terms if is_late else plan.terms & spent.terms
        self.used |= self.words.within(match.span())
        self.used |= {n for n in self._free() if self.words.terms[n] in of_both}
        if _BY_HOW_MANY.search(question):
            self.made.columns += pair
            return
        text = f"{spent.name} {'after' if is_late else 'above'} {plan.name}"
        if match["under"]:
            condition = Condition(spent, f"{spent.name} below {plan.name}", beside=plan, order="<")
        elif match["within"]:
            condition = Condition(spent, f"not {text}", beside=plan, denied=True)
        else:
            condition = Condition(spent, text, beside=plan)
        self.made.conditions.append(condition)

    def _named_by(self, term: str) -> list[Column]:
        return [column for column in self.table.measures if term in column.terms]

    def _long_columns(self) -> None:
        """The columns whose names of several words the question says: "total bill" is no total."""
        for column in self.table.columns:
            places = {n for n in self._free() if self.words.terms[n] in column.terms}
            if len(column.terms) > 1 and column.terms == {self.words.terms[n] for n in places}:
                self._take(column, places)
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
                self._take(column, {n, n + 1})
                self.long |= {n, n + 1}

    def _begun_columns(self) -> None:
        """The column of a form whose name alone begins with two words or more: "life expectancy", of that at birth."""
        texts = self.words.texts
        for at in self._free():
            for end in range(len(texts), at + 1, -1):
                said = tuple(texts[at:end])
                begun = [each for each in self.table.columns if each.opening[: len(said)] == said]
                if begun and self.used.isdisjoint(range(at, end)):
                    if (column := _only(begun)) is not None:
                        self._take(column, range(at, end))
                        self.long |= set(range(at, end))
                    break

    def _columns(self) -> None:
        """The columns that are named whole, then those of which one word says enough; and what the rows are called."""
        terms = self.words.terms
        named, called = set(self.long), set[int]()
        unclear: dict[int, Sequence[Column]] = {}
        for column in sorted(self.table.columns, key=_length, reverse=True):
            places = {n for n in self._free() if terms[n] in column.terms}
            if column.terms and column.terms == {terms[n] for n in places}:
                (called if column is self.table.label else named).update(places)
                self._take(column, places)
        for n in self._free():
            is_person = terms[n] in _PEOPLE and self.table.label.names_people
            if terms[n] in self.table.terms or is_person or self._is_of_place(n):
                called.add(n)
                continue
            meant = self._columns_meant(n)
            clear = _only(self._of_kind(meant))
            if clear is not None and self._counts_no_days(n, clear):
                continue
            if clear is None:
                unclear.update({n: meant} if meant else {})
                continue
            named.add(n)
            if self._describes(n):
                self.used.add(n)
            else:
                self._take(clear, {n})
        named |= self._said_together(unclear)
        self.used |= called
        is_of_people = self.made.kind == "person" and self.table.label.names_people
        self.made.names_rows = bool(called) or is_of_people
        is_unnamed = self.made.kind == "person" and not (named or called)
        if is_unnamed and self.made.conditions and self.table.people is not None:
            self._take(self.table.people, set())
        is_known = any(condition.column is self.table.label for condition in self.made.conditions)
        self.made.rows_first = not is_known and bool(called) and min(called) < min(named, default=len(terms))

    def _takes_each(self) -> bool:
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
        is_asked_for = self._is_plural(n) and before in ("which", "what", "many", *_COUNTS)
        return is_asked_for and column.is_dated and column.terms != {self.words.terms[n]}

    def _of_kind(self, columns: Sequence[Column]) -> Sequence[Column]:
        """The columns that may hold what is asked for, of several that a word means: days for "when"."""
        if len(columns) < _PAIR or self.table.is_of_forms or self.table.is_of_documents:
            return columns
        if self.made.kind == "date" or _HOW_LONG.search(self.words.question):
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
        column = _only([each for each in best if each.terms <= said]) or _only(best)
        is_one_thing = len(unclear) == 1 or most > 1
        self.unclear = best if is_one_thing else []
        if column is not None and most >= _PAIR:
            places = {n for n, columns in unclear.items() if column in columns}
            self._take(column, places)
            if not column.terms.isdisjoint(said - set(self.words.terms)):
                self._use(_ENDS_OF_TIME)
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
        return self.words.terms[n] in self.table.of_file and self._is_plural(n)

    def _is_plural(self, n: int) -> bool:
        return _PLURAL.search(self.words.texts[n]) is not None

    def _free(self) -> list[int]:
        return [n for n, term in enumerate(self.words.terms) if term and n not in self.used]

    def _take(self, column: Column, places: Iterable[int]) -> None:
        first = min(places, default=0)
        if first and self.words.texts[first - 1] in ("which", "what"):
            self.made.subject = column
        self.used |= set(places)
        if column not in self.made.columns:
            self.made.columns.append(column)

    def _column_meant(self, n: int) -> Column | None:
        """The one column that a word means: by a part of its name, by who does it (who owns: Owner), by a near word."""
        return _only(self._columns_meant(n))

    def _columns_meant(self, n: int) -> Sequence[Column]:
        term, columns = self.words.terms[n], self.table.columns
        named = [column for column in columns if term in column.terms]
        if not named and _YEAR.fullmatch(term):
            named = [column for column in columns if term[2:] in column.terms]
        named = [column for column in named if not (column.is_flag and column in self.table.answering)]
        if not named:
            named = [column for column in columns if term in self._deeds(column)]
        if not named and len(term) >= _SHORTEST:
            named = [column for column in columns if _is_deed_of(term, column)]
        if not named:
            other = _SAID_OF_COLUMNS.get(self.words.texts[n], _NO_DEEDS)
            named = [column for column in columns if column.terms & other]
        if not named:
            named = [column for column in columns if _is_short_for(column, self.words.texts[n])]
        if not named and self.words.texts[n] not in _LIGHT:
            named = [column for column in columns if similarity(term, column.terms) >= _NEAR]
        tables = self.table.names_from
        if not named:
            joined = [column for column in columns if column.name in tables]
            named = [column for column in joined if term in tables[column.name].terms]
        return self._by_names(named)

    def _by_names(self, columns: Sequence[Column]) -> Sequence[Column]:
        """The columns of names, where there are some beside those of their keys."""
        names = [column for column in columns if column.name in self.table.names_from]
        return names or columns

    def _answers(self) -> None:
        """Columns of yes and no that a word names are conditions: "which are paid", "not paid", "unpaid"."""
        terms = self.words.terms
        for n, text in enumerate(self.words.texts):
            undone = n not in self.used and _UNDONE.match(text) is not None
            term = stem(text[2:]) if undone else self.words.terms[n]
            column = _only(self._answering(term, text))
            if column is None:
                continue
            denied = undone or self.words.is_denied(n) or self.words.is_lacked(n)
            cell = column.answer(not denied)
            if cell:
                said = Condition(column, f"{column.name}: {cell}", cell=cell)
                self.made.conditions += [said] if said not in self.made.conditions else []
                self.made.columns = [each for each in self.made.columns if each is not column]
                self.used.add(n)
                self._use(_NOT)
                if denied:
                    self._use_denial(n)
        if self.table.is_of_forms:  # whose columns have long names
            names = [each.column.terms for each in self.made.conditions]
            named = frozenset[str]().union(*names)
            self.used |= {n for n in self._free() if terms[n] in named}

    def _answering(self, term: str, word: str) -> list[Column]:
        """The columns of yes and no that a word names; of 0 and 1 where it is the whole name and rows are asked for."""
        named = [column for column in self.table.answering if term in column.terms]
        flags = [column for column in named if column.is_flag]
        of_rows = self.made.want in ("rows", "count", "share")
        whole = [column for column in flags if of_rows and column.terms == {term}]
        exact = [column for column in whole if column.name.lower() == word]
        return [column for column in named if column not in flags] or exact or whole

    def _title_in_part(self) -> None:
        """The one document of whose title the words that are left are half at least: "the calories of the plum cake".

        One word alone is a title only beside what the documents are called: "the plum recipe".
        """
        label = self.table.label
        about = {condition.column.name for condition in self.made.conditions}
        is_of_more = about > {"kind"} or (bool(about) and "kind" not in about)
        if is_of_more or not self._named_among(self.made.columns):
            return
        left = [n for n in self._free() if not self._is_light(n)]
        said = {self.words.terms[n] for n in left}
        fewest = 1 if self.made.names_rows else _FEWEST_OF_TITLE
        if len(said) < fewest:
            return
        titles = [row.cells.get(label.name, "") for row in self.table.rows if self._may_be_of_kind(row)]
        title = _only([title for title in titles if said <= terms_of(title) and _is_half_of(said, title)])
        if title is None:
            return
        place = label.cells.index(title)
        if not self.table.rows[place].cells.get("kind"):  # a page may not state what it is
            self.made.conditions.clear()
        named = Condition(label, f"{label.name}: {title}", cell=title)
        self.made.conditions.append(named)
        kept = [column for column in self.made.columns if not column.terms <= terms_of(title)]
        self.made.columns = kept or self.made.columns
        self.used |= set(left)

    def _row_in_part(self) -> None:
        """The one row of whose name the words left are half at least, or the first: "car" of "Car up to 5 m"."""
        left = [n for n in self._free() if not self._is_light(n)]
        said = {self.words.terms[n] for n in left}
        is_of_two = self.made.is_which_of_two or self.made.want == "difference"
        is_claim = self.made.is_yes_or_no and len(self.made.about) == 1
        asks = is_of_two or is_claim or self._named_among(self.made.columns)
        known = self.made.about
        if not said or not asks or len(known) > (is_of_two or is_claim):
            return
        for column in (known if is_of_two else None) or self.table.columns:
            if not column.names_rows:
                continue
            holding = [cell for cell in column.filled if said <= terms_of(cell)]
            cell = _only(holding)
            if cell is None or not _calls(said, cell):
                continue
            self.made.conditions.append(Condition(column, f"{column.name}: {cell}", cell=cell))
            self.used |= set(left)
            return

    def _may_be_of_kind(self, row: Row) -> bool:
        if not row.cells.get("kind"):
            return True
        return all(condition.is_met_by(row) for condition in self.made.conditions)

    def _names_kind(self) -> bool:
        return any(condition.column.name == "kind" for condition in self.made.conditions)


def _exact(column: Column) -> re.Pattern[str]:
    name = re.escape(column.name.replace("_", " "))
    return re.compile(rf"(?i)\b{name} (?:of|is|was|=|:) ?(?P<number>\d[\d,]{{0,15}}(?:\.\d{{1,9}})?)(?![\d-])")


def _is_half_of(said: Set[str], title: str) -> bool:
    return len(terms_of(title)) <= 2 * len(said)


def _calls(said: Set[str], cell: str) -> bool:
    """Whether words are the first of a cell, or half of it."""
    if said == terms_of(_first_word(cell)):
        return True
    return len(said) >= _FEWEST_OF_TITLE and _is_half_of(said, cell)


def _first_word(cell: str) -> str:
    return next(iter(words_of(cell)), "")


def _first_of(text: str, last: Date) -> Date | None:
    """The day or period that a text names, of the year of `last` where it names none: "1 March" and 31 March 2026."""
    return _only(dates(text)) or _only(dates(f"{text} {last.year}"))


def _where(date: Date) -> tuple[int, int]:
    return date.span


def _meant_by(texts: Iterable[str]) -> frozenset[str]:
    """The terms of columns of which words tell in another way: "die" of a death."""
    return _NO_DEEDS.union(*(_SAID_OF_COLUMNS.get(text, _NO_DEEDS) for text in texts))


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


def _only(found: Sequence[Value]) -> Value | None:
    return found[0] if len(found) == 1 else None
