"""The tables of a corpus: rows that are documents of their own (CSV), or lines of one (sheets, Markdown, Word, web).

Documents with properties ("status: open" in front matter, "Author: …" in a head) are the rows of one more, and so are
those that are filled in like forms: many lines "label: value", with labels that others have too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby, islice
from pathlib import PurePath
from weakref import WeakKeyDictionary

from adaq_core.model import Passage
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import stem, terms_of, words
from adaq_core.text.values import (
    CURRENCIES,
    EVERY,
    MONTH_NAMES,
    MONTHS,
    Amount,
    Date,
    Range,
    dates,
    days,
    range_in_cell,
)

_MOST_ROWS = 20_000  # passages of tables that are read; of more none are
_MOST_TEXTS = 3_000  # passages of texts in which a table may stand
_ANY = re.compile("")
_OPENING = re.compile(r"#0$")  # the passage that opens a document
_KEYS = terms_of("id key slug identifier sku")
_KEY = re.compile(r"[A-Za-z\d]{1,40}(?:[-_.][A-Za-z\d]{1,40}){0,10}")
_OF_PROGRAMS = re.compile(r"[a-z\d._-]+")
_WHICH = terms_of("id key identifier code zip phone telephone fax version")  # numbers that tell which, and not how many
_OVER_ANOTHER = terms_of("manager supervisor boss parent reports lead")  # named by a key of the same table
_PLANNED, SPENT = terms_of("budget plan target forecast"), terms_of("actual spent")
_DUE = terms_of("due required deadline expected promised planned")
_DONE = terms_of("shipped delivered done finished completed returned resolved closed paid actual")
_CALLED = terms_of("name title item product company label")
# What a document may be called.
_DOCUMENTS = terms_of("document file note page post article advisory bulletin memo posting")
_OF_PASSAGES = frozenset(("section", "page"))  # what tells where a passage stands
_NUMBERED = re.compile(r"([A-Z][A-Za-z]{1,20}) \d{1,6}: ")
TITLE = "title"
OF_THE_PAPER = frozenset(("author", "authors", "date"))  # whose and of when a document is, not what it is about
ADDRESS = re.compile(r"\s?<[^<>]{1,200}>")
COMMA = re.compile(r"(?:, | and |; )")
_WORDS_OF_LINE = 4
_FEWEST_ROWS = _FEWEST_LISTED = 2
_ANSWERS = ({"yes", "no"}, {"true", "false"})
_FLAGS = frozenset(("0", "1"))
_LONGEST_DAY = 30
_LONGEST_RANGE = 60
_LARGE = 100  # a smaller number without a unit may count anything
_LIMITS = terms_of("limit limits maximum max cap ceiling allowance")
_WORDS_OF_A_TEXT = 4  # in a cell, on average
_NEARLY = 0.9
_LONGEST_NAME = 120
_NAMES = frozenset(map(stem, ("name", "id", "no", "nr", "number", "code", "title", "key")))  # "Plan name"
_PIECE = re.compile(r"; |\n")
_OF_ROWS = re.compile(r"(?i)\.(?:csv|tsv|jsonl?|ndjson|ya?ml)(?:\.gz)?:")
_OF_PLACE = re.compile(r"(?:row|line|record) (\d{1,9})")  # of a row without an id
_OF_SHEETS = re.compile(r"(?i)\.(?:xlsx|xlsm)(?=[:#])")
_OF_TEXTS = re.compile(r"(?i)\.(?:md|markdown|html?|docx|odt|pptx|epub|eml)(?=[:#])")
_HEADER = re.compile(r"^[^|\n]{1,80}(?: \| [^|\n]{1,80}){1,40}")
_VALUE = re.compile(
    r"(?:[~≈]\s?)?(?:[$€£¥]\s?)?(-?\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,20})?)(?:\s?(?:%|[$€£¥]|[A-Za-z]{1,12}))?"
)
# Figures as they are written where a comma begins the decimals and a dot parts the thousands: "1.204,5", "18,50".
_WITH_COMMA = re.compile(
    r"[^\d,]{0,5}\d{1,3}(?:\.\d{3}){0,5},(?:\d{1,2}|\d{4,20})(?!\d).{0,12}|[^\d,]{0,5}\d{4,15},\d{1,20}.{0,12}"
)
_WITH_DOTS = re.compile(r"\D{0,5}[1-9]\d{0,2}(?:\.\d{3}){1,5}(?!\d)\D{0,12}")
_BELOW_A_THOUSAND = re.compile(r"\D{0,5}\d{1,3}\D{0,12}")
_MARK = re.compile(r"(?<=[\d%])(?: ?[*†‡]{1,3}| \d\)|[¹²³⁴⁵⁶⁷⁸⁹]{1,2})$")  # of a note below
_MARK_OF_NOTE = re.compile(r"(?<=\S)(?: ?[*†‡]{1,3}| \d{1,2}\))$")  # behind words
_ONLY_A_MARK = re.compile(r"[*†‡¹²³⁴⁵⁶⁷⁸⁹]{1,3}|\(?\d\)")
_FREE = frozenset(("free", "free of charge", "gratis", "no charge"))
_UNIT_OF = re.compile(r"^\s*([$€£¥])|\d\s?([%$€£¥]|[A-Za-z]{1,12})\s*$")
_YEAR = re.compile(r"(?:19|20)\d\d")
# A row that adds up the others is none of them.
_TOTAL = re.compile(r"(?i)(?:grand |sub-?|sub )?totals?:?|totals? (?:of|for|all)\b.{0,30}|sum|average|mean")
_PERSON = re.compile(r"[A-Z][^\W\d_]{1,20}(?:[ -](?:[A-Z]\.|[A-Z]?[^\W\d_]{1,20})){0,2} [A-Z][\w'’-]{1,20}")
_PLURAL = re.compile(r"\b[^\W\d_]{2,30}[^\Ws_]s\b")
_MONTH_IN_NAME = re.compile(r"(?<!\d)(?:19|20)\d\d[-_.]?([01]\d)(?!\d)")
_FIGURES = re.compile(r"\d{1,9}")
_IN_SLASHES = re.compile(r"(\d{1,2})/\d{1,2}/\d")
_NAMES_OF_MONTHS = frozenset((*MONTHS, *(month[:3] for month in MONTHS)))
_ENDS = re.compile(r"(?i)(?:resolv|clos|end|finish|complet|return|deliver|stop|restor|fix|due)")
_BEGINS = re.compile(r"(?i)(?:open|creat|start|begin|began|report|receiv|order|date|time|raised|logged)")
_WORDS_OF_NOTE = 4
_NARROW = 2  # columns
_OF_VERSION = re.compile(rf"\d|\b(?:{MONTH_NAMES})\b")
_KEPT = 0.5  # of the rows of a table, that its next version has too
_JOINT = re.compile(r"_|(?<=[a-z])(?=[A-Z])")  # of the words of a name: bill_length, lifeExp
_LISTS_OF_PRICES = terms_of("tariff price fare")
_PRICED = terms_of("tariff price fare fee rate ticket")  # what such a list holds
_MISSING = frozenset(("na", "n/a", "n.a.", "nan", "null", "none", "tbd", "unknown", "?", "-", "–", "—"))
_UNNAMED = "name"  # of a first column without a name
_WHOLE = re.compile(r" – (?:name|total(?: population)?) ?$")  # "Capital – name" is the capital
_ASIDE = re.compile(r"\s?\([^()]{0,40}\)")


def number_of(cell: str) -> float | None:
    """The number that a cell is, with a unit or without: 48000, $1,200, 9 EUR, 12 %."""
    match = _VALUE.fullmatch(cell.strip())
    return float(match[1].replace(",", "")) if match else None


def _are_with_commas(figures: Iterable[str]) -> bool:
    """Whether figures have a comma before their decimals, or dots between their thousands and no decimals."""
    figures = list(figures)
    others = [figure for figure in figures if not _WITH_COMMA.fullmatch(figure)]
    dotted = [figure for figure in others if "." in figure]
    if not all(map(_WITH_DOTS.fullmatch, dotted)):
        return False
    if len(others) < len(figures):
        return True
    return bool(dotted) and any(map(_BELOW_A_THOUSAND.fullmatch, figures))


def day_of(cell: str) -> Date | None:
    """The day that a cell is."""
    if len(cell) > _LONGEST_DAY:
        return None
    found = [day for day in days(cell) if day.is_day]
    return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row by the names of their columns, and where it stands: `quote` is in the passage's text.

    `others` are the passages that go on with a row which one does not hold; `named` the rows of other tables that the
    cells of some columns are keys of, of which it has the names.
    """

    cells: Mapping[str, str]
    passage: Passage
    quote: str
    others: tuple[Passage, ...] = ()
    named: Mapping[str, Row] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the file calls it: "row 7", or by its id; of a line nothing."""
        return self.passage.document_id.rpartition(":")[2] if self.quote == self.passage.text else ""


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its name, its cells in the order of the rows, empty where a row has none."""

    name: str
    cells: tuple[str, ...]

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of its name, without a unit in brackets."""
        name = _ASIDE.sub("", _WHOLE.sub("", self.name))
        return terms_of(_JOINT.sub(" ", name))

    @cached_property
    def units(self) -> frozenset[str]:
        """The terms of what stands in brackets behind its name."""
        return terms_of(" ".join(_ASIDE.findall(self.name)))

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that say something, each once."""
        return tuple(filter(None, dict.fromkeys(self.cells)))

    @cached_property
    def numbers(self) -> Mapping[str, float]:
        """The numbers that its cells are, all read as they are written: "1.204" beside "858" has no decimals."""
        plain = {cell: _MARK.sub("", cell.strip()) for cell in self.filled}
        has_commas = _are_with_commas(plain.values())
        told: dict[str, float] = {}
        for cell, figure in plain.items():
            if has_commas:
                figure = figure.replace(".", "").replace(",", ".")
            number = number_of(figure)
            if number is not None:
                told[cell] = number
        if told:
            free = [cell for cell in plain if cell.lower() in _FREE]
            told.update(dict.fromkeys(free, 0.0))
        return told

    def number(self, cell: str) -> float | None:
        """The number that one of its cells is."""
        return self.numbers.get(cell)

    @cached_property
    def decimals(self) -> int:
        """How many decimals its numbers have, six at most."""
        written = [f"{number:.6f}".rstrip("0") for number in self.numbers.values()]
        found = [len(number) - number.index(".") - 1 for number in written]
        return max(found, default=0)

    @cached_property
    def ranges(self) -> Mapping[str, Range]:
        """The ranges of amounts that its cells state, where most do: "0-2 years", "3-5 years", "6+ years".

        In a column of limits an amount alone is as much as is allowed.
        """
        if self.is_numeric and not self.are_limits:
            return {}
        short = [cell for cell in self.filled if len(cell) <= _LONGEST_RANGE]
        told = {cell: range_in_cell(cell, is_limit=self.are_limits) for cell in short}
        known = {cell: bounds for cell, bounds in told.items() if bounds is not None}
        count = len(known)
        return known if count >= _FEWEST_ROWS and 2 * count > len(self.filled) else {}

    @property
    def are_limits(self) -> bool:
        """Whether it is named as one of limits: "Monthly Limit"."""
        return not self.terms.isdisjoint(_LIMITS)

    def holding(self, amount: Amount) -> list[str]:
        """The cells whose ranges hold an amount."""
        return [cell for cell in self.ranges if self.holds(cell, amount)]

    def holds(self, cell: str, amount: Amount) -> bool:
        """Whether the range that a cell states holds an amount."""
        bounds = self.ranges.get(cell)
        if bounds is None or not self._is_of_unit(bounds, amount):
            return False
        return bounds.low <= amount.value <= bounds.high

    def limits(self, amount: Amount) -> bool:
        """Whether its ranges are of such amounts, by their unit or by the name of the column."""
        bounds = (each for each in self.ranges.values() if each != EVERY)
        return any(self._is_of_unit(each, amount) for each in bounds)

    def _is_of_unit(self, bounds: Range, amount: Amount) -> bool:
        if not amount.unit:  # "May a manager approve 12,000?"
            is_large = amount.value >= _LARGE and not _YEAR.fullmatch(f"{amount.value:.0f}")
            return is_large and (self.are_limits or bounds.unit in CURRENCIES or bounds == EVERY)
        if bounds == EVERY or bounds.unit == amount.unit:
            return True
        named = self.terms | self.units
        if self.are_limits:
            named |= CURRENCIES
        return not bounds.unit and amount.unit in named

    @cached_property
    def is_numeric(self) -> bool:
        """Whether its cells are numbers."""
        return bool(self.filled) and len(self.numbers) == len(self.filled)

    @cached_property
    def unit(self) -> str:
        """The unit that all of its cells have; empty where they have none, or several."""
        return self._units[0] if len(self._units) == 1 else ""

    @cached_property
    def _units(self) -> list[str]:
        priced = (cell for cell in self.filled if cell.lower() not in _FREE)
        found = (_UNIT_OF.search(_MARK.sub("", cell)) for cell in priced)
        return list(dict.fromkeys((match[1] or match[2]) if match else "" for match in found))

    @cached_property
    def are_years(self) -> bool:
        """Whether its cells are years."""
        return bool(self.filled) and all(map(_YEAR.fullmatch, self.filled))

    @cached_property
    def is_measure(self) -> bool:
        """Whether its numbers can be added up: they are no years and no keys, and of one unit."""
        if self.are_years or self.tells_which:
            return False
        return self.is_numeric and len(self._units) == 1

    @cached_property
    def tells_which(self) -> bool:
        """Whether its numbers are keys, of its rows or of those of another table."""
        return self.is_numeric and not self.terms.isdisjoint(_WHICH)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether its cells are whole numbers of which each row has another, as the numbers of orders are."""
        are_whole = all(map(str.isdigit, self.filled))
        return self.is_distinct and are_whole and self.filled != ()

    @cached_property
    def is_dated(self) -> bool:
        """Whether its cells are days, or nearly all are: "still in office" is none."""
        if self.is_numeric:
            return False
        told = [cell for cell in self.cells if cell]
        known = sum(day_of(cell) is not None for cell in told)
        return known > 0 and known >= _NEARLY * len(told)

    @cached_property
    def _is_day_first(self) -> bool:
        """Whether its days stand before their months: "31/12/2026" tells how "01/04/2026" is meant."""
        found = filter(None, map(_IN_SLASHES.match, self.filled))
        firsts = [int(match[1]) for match in found]
        return max(firsts, default=0) > len(MONTHS)

    def day(self, cell: str) -> Date | None:
        """The day that one of its cells is, all read as they are written."""
        day = day_of(cell)
        if day is None or day.day is None or not self._is_day_first:
            return day
        is_clear = _IN_SLASHES.match(cell) is None or day.day > len(MONTHS)
        return day if is_clear else replace(day, month=day.day, day=day.month)

    def value(self, cell: str) -> float | None:
        """The number that one of its cells is, or its day as one."""
        day = self.day(cell) if self.is_dated else None
        return float(day.number) if day else self.number(cell)

    @cached_property
    def are_months(self) -> bool:
        """Whether its cells are months without a year."""
        return bool(self.filled) and _NAMES_OF_MONTHS.issuperset(map(str.title, self.filled))

    @cached_property
    def is_yes_or_no(self) -> bool:
        """Whether its cells say yes or no, or nearly all do: "no, but …"."""
        said = [cell.lower() for cell in self.cells if cell]
        least = max(1.0, _NEARLY * len(said))
        counts = (sum(map(answers.__contains__, said)) for answers in _ANSWERS)
        return any(count >= least for count in counts)

    @cached_property
    def is_flag(self) -> bool:
        """Whether its cells are 0 and 1: a row has the thing or not, where other columns are so too."""
        return self.terms != set() and frozenset(self.filled) == _FLAGS

    @cached_property
    def names_rows(self) -> bool:
        """Whether each row has another cell of it, which is no number and no day."""
        return self.is_distinct and not self.is_dated and not self.is_numeric

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The words of its name where it is no part of something: of "Life expectancy – total", not of "… – male"."""
        whole = _WHOLE.sub("", self.name)
        return () if " – " in whole else tuple(words(whole))

    @property
    def is_distinct(self) -> bool:
        """Whether each row has another cell of it."""
        return len(self.filled) == len(self.cells)

    @cached_property
    def names_people(self) -> bool:
        """Whether its cells are written as people's names are: a given name and a family name."""
        return bool(self.filled) and self._people == len(self.filled)

    @property
    def tells_in_words(self) -> bool:
        """Whether its cells are longer than names are: "Send the offer to the landlord" is nobody."""
        counts = [len(cell.split()) for cell in self.filled]
        return bool(counts) and sum(counts) >= _WORDS_OF_A_TEXT * len(counts)

    @property
    def groups_rows(self) -> bool:
        """Whether its cells stand in two rows each or more, as the names of managers do."""
        return 2 * len(self.filled) <= len(self.cells)

    @property
    def names_people_mostly(self) -> bool:
        """Whether nearly all of its cells are written so: "Joseph Califano Jr." is not."""
        return self._people >= max(1.0, _NEARLY * len(self.filled))

    @cached_property
    def _people(self) -> int:
        plain = [_MARK_OF_NOTE.sub("", cell) for cell in self.filled]
        return sum(_PERSON.fullmatch(cell) is not None for cell in plain)

    @cached_property
    def is_key(self) -> bool:
        """Whether it names rows for programs, as "president_id: van-buren" does."""
        return not self.terms.isdisjoint(_KEYS) and all(map(_KEY.fullmatch, self.filled))

    @cached_property
    def is_for_programs(self) -> bool:
        """Whether it is a key in small letters, which nobody calls a row by where words do."""
        return self.is_key and all(map(_OF_PROGRAMS.fullmatch, self.filled))

    @property
    def names_most(self) -> bool:
        """Whether nearly each row has another cell of it: a city of which there are two in a thousand."""
        is_text = not self.is_dated and not self.is_numeric
        return is_text and len(self.filled) >= _NEARLY * len(self.cells)

    @cached_property
    def _listed(self) -> frozenset[str]:
        """What stands in at least two cells, alone or between commas: mail in "mail" and "mail, phone"."""
        counts = Counter(part for cell in self.cells for part in set(COMMA.split(cell)))
        return frozenset(part for part, count in counts.items() if part and count > 1)

    @property
    def lists(self) -> bool:
        """Whether some of its cells list several things."""
        return any(map(self.parts, self.filled))

    def parts(self, cell: str) -> list[str]:
        """The things, or the people, that a cell lists; none where it is one thing."""
        found = COMMA.split(cell)
        if len(found) < _FEWEST_LISTED:
            return []
        are_people = all(map(_PERSON.fullmatch, found))
        return found if are_people or self._listed.issuperset(found) else []

    @property
    def firsts(self) -> list[str]:
        """What several of its cells begin with, before a semicolon: "landlocked; hilly"."""
        listing = (cell.partition("; ") for cell in self.cells)
        counts = Counter(first for first, _, others in listing if others)
        return [first for first, count in counts.items() if count > 1]

    def answer(self, is_so: bool) -> str:
        """The cell that says yes, or no; empty where none does."""
        wanted = ("yes", "true", "1") if is_so else ("no", "false", "0")
        return next((cell for cell in self.filled if cell.lower() in wanted), "")


@dataclass(frozen=True)
class Table:
    """Rows with the same columns; `name` is that of the file or the sheet, or the title of the text around them."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    is_in_text: bool = False
    is_of_documents: bool = False
    is_of_forms: bool = False
    called: frozenset[str] = frozenset()  # what the rows of forms are: country, of "Country name"
    names_from: Mapping[str, Table] = field(default_factory=dict)  # of columns whose names stand in another table
    earlier: Table | None = None  # the same table as it was before: "tariff_2025.csv" of "tariff_2026.csv"

    @cached_property
    def label(self) -> Column:
        """The column that names the rows: the first that differs in each, or in nearly each; else their numbers.

        Documents go by their titles, though two may have the same.
        """
        if self.is_of_documents or self.is_of_forms:
            return next(column for column in self.columns if column.name == TITLE)
        naming = [column for column in self.columns if column.names_rows]
        nearly = [column for column in self.columns if column.names_most]
        in_words = [column for column in (*naming, *nearly) if not column.is_for_programs]
        if in_words and in_words[0].is_key:  # "T-7" has no other name, a product has
            called = [column for column in in_words if column.terms & _CALLED]
            in_words = [column for column in called if not column.is_key] or in_words
        first = self.columns[0]
        numbered = [first] if first.counts_rows and not first.are_years else []
        own = Column("row", tuple(row.name for row in self.rows))
        return next(iter((*in_words, *naming, *numbered)), own)

    def name_of(self, row: Row) -> str:
        """What a row is called."""
        return row.cells.get(self.label.name) or row.name

    @cached_property
    def people(self) -> Column | None:
        """The one column in which people stand; None where there are several or none."""
        found = [column for column in self.columns if column.names_people_mostly]
        return found[0] if len(found) == 1 else None

    @property
    def has_names(self) -> bool:
        """Whether a column names the rows."""
        return self.label in self.columns

    @cached_property
    def measures(self) -> Sequence[Column]:
        """The columns of numbers that can be added up: all but those that name the rows."""
        return [column for column in self.columns if column.is_measure and column is not self.label]

    @cached_property
    def dated(self) -> Sequence[Column]:
        """The columns of days."""
        return [column for column in self.columns if column.is_dated]

    @cached_property
    def begins(self) -> Sequence[Column]:
        """The columns of days that say when something began; of several the one that is named as the rows are."""
        found = [column for column in self.dated if _BEGINS.match(column.name)]
        own = [column for column in found if column.terms & self.terms]
        return own if len(own) == 1 else found

    @cached_property
    def ends(self) -> Sequence[Column]:
        """The columns of days that say when something ended."""
        return [column for column in self.dated if _ENDS.match(column.name)]

    @cached_property
    def planned(self) -> Sequence[tuple[Column, Column]]:
        """The columns of what was planned, each with that of what came of it: "Q1 budget" and "Q1 actual"."""
        plans = [column for column in self.measures if column.terms & _PLANNED]
        results = [column for column in self.measures if column.terms & SPENT]
        return [(plan, spent) for plan in plans for spent in results if plan.terms - _PLANNED == spent.terms - SPENT]

    @cached_property
    def due(self) -> Sequence[tuple[Column, Column]]:
        """The columns of when something was due, each with that of when it was done."""
        dues = [column for column in self.dated if column.terms & _DUE]
        done = [column for column in self.dated if column.terms & _DONE]
        return [(due, day) for due in dues for day in done if due is not day]

    @cached_property
    def years(self) -> Sequence[Column]:
        """The columns of years."""
        return [column for column in self.columns if column.are_years and column is not self.label]

    @cached_property
    def of_name(self) -> frozenset[str]:
        """The terms of its name and of the month in it, by which a question says which of several tables it means."""
        numbers = map(int, _MONTH_IN_NAME.findall(self.titled))
        months = [MONTHS[number - 1] for number in numbers if 0 < number <= len(MONTHS)]
        return terms_of(" ".join([self.name, *months]))

    @cached_property
    def of_versions(self) -> frozenset[str]:
        """The terms of the names of the version before and of this one; none where there is none before."""
        if self.earlier is None:
            return frozenset()
        before = self.earlier.of_versions | self.earlier.of_file | self.earlier.of_name
        return before | self.of_file | self.of_name

    @property
    def titled(self) -> str:
        """The name of its file and its own."""
        file, _, _ = self._path.name.partition(":")
        return f"{PurePath(file).stem} {self.name}"

    @property
    def series(self) -> str:
        """What it has in common with other versions of it: its names without figures and months."""
        return _OF_VERSION.sub("", self.titled)

    @property
    def version(self) -> tuple[int, list[int]]:
        """Where it stands among its versions, by the day in its name, then by the figures there."""
        day = max((date.number for date in dates(self.titled)), default=0)
        return day, list(map(int, _FIGURES.findall(self.titled)))

    @cached_property
    def answering(self) -> Sequence[Column]:
        """The columns of yes and no, among them those of 0 and 1 where there are several: one alone may count."""
        flags = [column for column in self.columns if column.is_flag]
        own = [column for column in self.columns if column.is_yes_or_no]
        return [*own, *flags] if len(flags) > 1 else own

    @cached_property
    def of_file(self) -> frozenset[str]:
        """The terms of the name of its file, which say of what the rows are: "nfl-suspensions-data.csv"."""
        terms = terms_of(self._path.stem) | self._of_title
        return terms | _PRICED if terms & _LISTS_OF_PRICES else terms

    @property
    def _of_title(self) -> frozenset[str]:
        """The words of what stands above the heads of a file, and so in the title of each row, without figures."""
        passages = (self.rows[0].passage, self.rows[-1].passage)
        titles = {passage.title.rpartition(", ")[0] for passage in passages}
        if len(titles) > 1 or not _OF_ROWS.search(passages[0].document_id):
            return frozenset()
        return terms_of(_OF_VERSION.sub(" ", titles.pop()))

    @cached_property
    def of_folder(self) -> frozenset[str]:
        """The terms of the name of the folder that holds its file: "bob-ross/episodes.csv"."""
        return terms_of(self._path.parent.name)

    @property
    def _path(self) -> PurePath:
        return PurePath(self.rows[0].passage.document_id.rpartition(":")[0])

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms by which its rows are called: its name, and that of the column that names them, if one word.

        Of a name of several words it is the only one in the plural: "products export".
        """
        plural = _PLURAL.findall(self.name)
        name = plural[0] if len(plural) == 1 else self.name
        names = (terms_of(name), self.label.terms - _NAMES)
        if self.is_of_forms:
            return _DOCUMENTS | self.called
        if self.is_of_documents:
            return _DOCUMENTS.union(*map(terms_of, self._series))
        return frozenset[str]().union(*(terms for terms in names if len(terms) == 1))

    @cached_property
    def values(self) -> Mapping[tuple[str, ...], Sequence[tuple[Column, str]]]:
        """By the words of a cell the columns that have it, with the cell; numbers where they name rows or are years."""
        found: dict[tuple[str, ...], list[tuple[Column, str]]] = {}
        for column in self.columns:
            is_number = column.is_numeric and not column.are_years and column is not self.label
            if column.is_dated or column.is_yes_or_no or is_number:
                continue
            firsts = column.firsts if self.is_of_forms else ()
            each = (part for cell in column.filled for part in (cell, *column.parts(cell)))
            for cell in dict.fromkeys((*each, *firsts)):
                plain = _MARK_OF_NOTE.sub("", cell)
                found.setdefault(tuple(words(plain)), []).append((column, cell))
        if self.is_of_documents:
            for title in self.label.filled:
                for part in self._shorter(title):
                    found.setdefault(tuple(words(part)), []).append((self.label, title))
        return found

    def _shorter(self, title: str) -> list[str]:
        """What a document may be called in short: a part of its title beside a colon, where no other has it."""
        parts = (part for part in title.split(": ") if part != title)
        return [part for part in parts if self._parts[part] == 1]

    @property
    def _series(self) -> Iterator[str]:
        """What documents with numbers are called: the "PEP" of "PEP 8: Style Guide"."""
        found = (_NUMBERED.match(title) for title in self.label.filled)
        return (match[1] for match in found if match)

    @cached_property
    def _parts(self) -> Counter[str]:
        titles = (title.split(": ") for title in self.label.filled)
        return Counter(chain.from_iterable(titles))

    @cached_property
    def firsts(self) -> Mapping[str, Sequence[tuple[str, ...]]]:
        """The cells in words, by the first of them."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for key in filter(None, self.values if not self.is_of_forms else ()):
            found.setdefault(key[0], []).append(key)
        return found

    @cached_property
    def stems(self) -> Mapping[str, Sequence[tuple[str, ...]]]:
        """The cells of one word, by its stem."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for key in self.values if not self.is_of_forms else ():
            if len(key) == 1:
                found.setdefault(stem(key[0]), []).append(key)
        return found

    @cached_property
    def longest(self) -> int:
        """How many words the longest cell has."""
        return max(map(len, self.values), default=0)


def tables_of(corpus: Corpus) -> Sequence[Table]:
    """The tables of a corpus, read once; those of its CSV files, sheets and texts, each where they are not too many."""
    index = corpus.stored
    known = _TABLES.get(index.shared)
    if known is None:
        rows, sheets = _held(index, _OF_ROWS, _MOST_ROWS), _held(index, _OF_SHEETS, _MOST_ROWS)
        texts = _held(index, _OF_TEXTS, _MOST_TEXTS)
        of_documents = _of_documents(openings_of(corpus))
        in_texts = map(_in_text, _of_lines(texts))
        in_files = chain(_of_rows(rows), _of_lines(sheets))
        forms = _of_forms(_held(index, _ANY, _MOST_TEXTS))
        apart = [*in_files, *in_texts]
        told = [_with_names(table, apart) for table in apart]
        known = (*_with_versions(told), *of_documents, *forms)
        _TABLES[index.shared] = known
    return known


def _with_names(table: Table, tables: Sequence[Table]) -> Table:
    """A table with the names that its keys have in others: the company, beside the number of a customer."""
    columns = [each for each in table.columns if each is not table.label and _is_of_keys(each)]
    for column in columns:
        found = [(each, key) for each in tables if (key := _key_of(column, table, each)) is not None]
        if len(found) == 1:
            table = _named_by(table, column, *found[0])
    return table


def _is_of_keys(column: Column) -> bool:
    return column.tells_which or column.is_key or not column.terms.isdisjoint(_OVER_ANOTHER)


def _key_of(column: Column, table: Table, other: Table) -> Column | None:
    """The column of another table, or of one's own, whose rows the cells of a column name by their keys."""
    if not other.has_names or (other is not table and other.label.is_key):
        return None
    about = column.terms - _KEYS
    for key in other.columns:
        is_alike = key.terms == column.terms
        is_own = key.terms <= _KEYS and about == terms_of(other.name)
        if other is table:
            is_alike = not about.isdisjoint(_OVER_ANOTHER)
        if key in (column, other.label) or not (is_alike or is_own):
            continue
        known = set(map(_in_whole, key.filled))
        named = set(map(_in_whole, column.filled))
        if key.is_distinct and _is_of_keys(key) and named <= known:
            return key
    return None


def _named_by(table: Table, column: Column, other: Table, key: Column) -> Table:
    """A table with one more column, of the names of another; it takes the place of a key that is named the same."""
    rows_of = {_in_whole(row.cells[key.name]): row for row in other.rows}
    about = re.sub(r"(?i)[ _-]?(?:id|key)$", "", column.name)
    rows = []
    for row in table.rows:
        meant = rows_of.get(_in_whole(row.cells.get(column.name, "")))
        if meant is not None:
            cells = {**row.cells, about: other.name_of(meant)}
            row = replace(row, cells=cells, named={**row.named, about: meant})
        rows.append(row)
    cells_of = tuple(row.cells.get(about, "") for row in rows)
    kept = [each for each in table.columns if each.name != about]
    columns = (*kept, Column(about, cells_of))
    return replace(table, columns=columns, rows=tuple(rows), names_from={**table.names_from, about: other})


def _in_whole(cell: str) -> str:
    """A key as a whole number: programs write 5 as "5.0" where others are missing."""
    return cell.removesuffix(".0")


def _with_versions(tables: Sequence[Table]) -> Iterator[Table]:
    """The tables, each with the one before it where it is a version of that: named alike, with half of its rows."""
    last: dict[tuple[object, ...], Table] = {}
    for table in sorted(tables, key=_version):
        columns = tuple(sorted(column.name for column in table.columns))
        before = last.get((table.series, columns))
        if before is not None and _goes_on(before, table):
            table = replace(table, earlier=before)
        last[table.series, columns] = table
        yield table


def _version(table: Table) -> tuple[int, list[int]]:
    return table.version


def _goes_on(before: Table, table: Table) -> bool:
    """Whether a table has half of the rows of another, and is of another time."""
    if before.label.name != table.label.name or before.version == table.version:
        return False
    known = set(before.label.filled)
    kept = known & set(table.label.filled)
    return bool(known) and len(kept) >= _KEPT * len(known)


def openings_of(corpus: Corpus) -> Sequence[Passage]:
    """The first passage of each document; none where there are too many documents to be read."""
    return _held(corpus.stored, _OPENING, _MOST_TEXTS)


def _in_text(table: Table) -> Table:
    return replace(table, is_in_text=True)


def _held(index: Corpus, files: re.Pattern[str], most: int) -> list[Passage]:
    """The passages of files of a kind; none where there are too many to be read."""
    held = (place for place, key in enumerate(index.ids) if files.search(key))
    places = list(islice(held, most + 1))
    return index.fetch(places) if len(places) <= most else []


def _of_rows(passages: Sequence[Passage]) -> Iterator[Table]:
    firsts = [passage for passage in passages if not passage.position]
    others: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.position:
            others.setdefault(passage.document_id, []).append(passage)
    for file, group in groupby(sorted(firsts, key=_place), key=_file):
        rows = []
        for first in group:
            more = others.get(first.document_id, ())
            rows.append(Row(_cells(first), first, first.text, tuple(more)))
        yield from _table(PurePath(file).stem.replace("_", " "), rows)


def _place(passage: Passage) -> tuple[str, int]:
    """The file of a row, and its number there where it has one."""
    file, _, key = passage.document_id.rpartition(":")
    number = _OF_PLACE.fullmatch(key)
    return file, int(number[1]) if number else 0


def file_of_row(document_id: str) -> str:
    """The file that a document is a row of; empty for any other document."""
    return document_id.rpartition(":")[0] if _OF_ROWS.search(document_id) else ""


def _file(passage: Passage) -> str:
    return _place(passage)[0]


def _cells(passage: Passage) -> dict[str, str]:
    """The cells of a row's document: what names it, its day and the columns that it keeps, or those of its text."""
    key = passage.document_id.rpartition(":")[2]
    named = {} if _OF_PLACE.fullmatch(key) else {"id": key}
    if not passage.metadata:
        return {**named, **_said(passage.text)}
    dated = {"date": passage.date} if passage.date else {}
    return {**named, **dated, **dict(passage.metadata)}


def _said(text: str) -> dict[str, str]:
    """The cells of a row as its text has them, "column: value; column: value", or each on a line of its own."""
    cells: dict[str, str] = {}
    last = ""
    for piece in _PIECE.split(text):
        name, colon, value = piece.partition(": ")
        if colon and len(name) <= _LONGEST_NAME:
            last = name
            cells[name] = value
        elif last:
            cells[last] += f"; {piece}"
    return cells


def _of_documents(openings: Sequence[Passage]) -> Iterator[Table]:
    """The table of the documents that have properties, by their first passages; filings have a room of their own."""
    rows = map(_document_as_row, openings)
    told = [row for row in rows if len(row.cells) > 1 and "form" not in row.cells]
    are_some = len(told) < len(openings)  # of which no count is that of all documents
    for table in _table("documents", told):
        yield replace(table, is_of_documents=True, is_in_text=are_some)


def _properties(passage: Passage) -> dict[str, str]:
    """The title of a document, its day and its properties, without the addresses behind names."""
    if file_of_row(passage.document_id) or _OF_SHEETS.search(passage.passage_id):
        return {}
    number, _, _ = passage.title.partition(": ")
    kept = {
        name: ADDRESS.sub("", value)
        for name, value in passage.metadata
        if name not in _OF_PASSAGES and f"{name} {value}".lower() != number.lower()
    }
    dated = {"date": passage.date} if passage.date and kept else {}
    return {TITLE: passage.title, **dated, **kept}


def _document_as_row(opening: Passage) -> Row:
    lines = list(filter(None, opening.text.split("\n")))
    said = (line for line in lines if len(line.split()) >= _WORDS_OF_LINE)  # no "Description"
    return Row(_properties(opening), opening, next(said, "") or next(iter(lines), ""))


_FORM_LINE = re.compile(r"(?P<label>[+-]?[^\W_][^:\n]{0,80}): {1,4}(?P<value>\S[^\n]{0,900})")
_YEAR_OF = re.compile(r" ?\([^()]{1,20}\)$")  # "(2024 est.)" behind a value
_FEWEST_FORMS, _FEWEST_LABELS = 3, 5
_OF_A_FORM = 0.3  # of the lines of a document
_SHARED_BY = 0.5  # of the documents, that have a label


def _of_forms(passages: Sequence[Passage]) -> Iterator[Table]:
    """The table of the documents that are filled in like forms: a column for each label that half of them have."""
    documents = (list(group) for _, group in groupby(passages, key=_document_of))
    forms = list(filter(None, map(_form, documents)))
    counts = Counter(label for row in forms for label in row.cells)
    least = max(_FEWEST_FORMS, _SHARED_BY * len(forms))
    shared = {label for label, count in counts.items() if count >= least}
    if len(shared) < _FEWEST_LABELS:
        return
    short = Counter(label.rpartition(" – ")[2] for label in shared)
    rows = []
    for row in forms:
        cells = {_label(each, short): cell for each, cell in row.cells.items() if each in shared}
        rows.append(replace(row, cells={**cells, TITLE: row.passage.title}))
    naming = (label for label in shared if _tells_titles(label, forms))
    headings = [label.partition(" – ")[0] for label in naming]
    called = frozenset(chain.from_iterable(map(terms_of, headings))) - _NAMES
    for table in _table("documents", rows):
        yield replace(table, is_in_text=True, is_of_forms=True, called=called)


def _tells_titles(label: str, forms: Sequence[Row]) -> bool:
    """Whether what stands behind a label is the title of most documents."""
    alike = sum(row.cells.get(label) == row.passage.title for row in forms)
    return alike > _SHARED_BY * len(forms)


def _document_of(passage: Passage) -> str:
    return passage.document_id


def _label(label: str, short: Mapping[str, int]) -> str:
    """A label without its heading, where it is the only one of its name and says more than "total"."""
    own = label.rpartition(" – ")[2]
    return own if short[own] == 1 and not _WHOLE.search(label) else label


def _form(passages: Sequence[Passage]) -> Row | None:
    """A document as a row of what its lines fill in, or the first of them that stand below one another; else None."""
    first = passages[0]
    if file_of_row(first.document_id) or "form" in dict(first.metadata):
        return None
    lines = [line for _, line in _lines(passages) if line]
    read = [*map(_FORM_LINE.fullmatch, lines)]
    filled = list(filter(None, read))
    if len(filled) < _OF_A_FORM * len(lines):
        runs = (list(filter(None, run)) for _, run in groupby(read, key=bool))
        filled = next((run for run in runs if len(run) >= _FEWEST_LABELS), [])
    if len(filled) < _FEWEST_LABELS:
        return None
    cells: dict[str, str] = {}
    for line in filled:
        cells.setdefault(line["label"], _YEAR_OF.sub("", line["value"]))
    return Row(cells, first, lines[0], tuple(passages[1:]))


def _of_lines(passages: Sequence[Passage]) -> Iterator[Table]:
    """Tables that stand in a document: a line that names the columns, then a line for each row."""
    for document, group in groupby(passages, key=lambda passage: passage.document_id):
        header: list[str] = []
        rows: list[Row] = []
        mine = list(group)
        for passage, line in _lines(mine):
            if _HEADER.fullmatch(line) and not (header and _read_line(line, header)):
                yield from _table(_name_of(document, mine[0]), rows)
                header, rows = line.split(" | "), []
            elif header and (cells := _read_line(line, header)):
                rows.append(Row(cells, passage, line))
        yield from _table(_name_of(document, mine[0]), rows)


def _lines(passages: Iterable[Passage]) -> Iterator[tuple[Passage, str]]:
    """The lines of a document, each once: passages share the text at their borders."""
    end = -1
    for passage in passages:
        start = passage.start
        for line in passage.text.split("\n"):
            if start > end:
                yield passage, line
                end = start
            start += len(line) + 1


def _name_of(document: str, first: Passage) -> str:
    """The sheet where a file has several, else the title."""
    return document.rpartition(":")[2] if ":" in document else first.title


def _read_line(line: str, header: Sequence[str]) -> dict[str, str]:
    """The cells of a line "label: column value; column value" under a header; empty where it is none."""
    label, _, rest = line.partition(": ")
    first = f"{header[0]} "
    if rest.startswith(first) and not label.startswith(first):
        header = (_UNNAMED, *header)  # the corner is empty
    columns = header[1:]
    if not rest or label.startswith(f"{header[0]} "):
        rest, columns, label = line, header, ""
    cells = {header[0]: label} if label else {}
    for piece in rest.split("; "):
        named = [each for each in columns if piece.startswith(f"{each} ")]
        name = max(named, key=len, default="")
        if not name:
            return {}
        cells[name] = piece.removeprefix(name).strip()
        if cells[name].startswith("| "):
            return {}  # the header of another table
    return cells


def _table(name: str, rows: Sequence[Row]) -> Iterator[Table]:
    """The table of rows but those of totals, where there are two at least."""
    widest = max((len(row.cells) for row in rows), default=0)
    rows = [row for row in rows if not _adds_up(row)]
    if widest > _NARROW:
        rows = [row for row in rows if not _is_note(row)]
    if len(rows) >= _FEWEST_ROWS:
        names = dict.fromkeys(column for row in rows for column in row.cells)
        columns = []
        for each in names:
            cells = [row.cells.get(each, "") for row in rows]
            columns.append(Column(each, _with_gaps(cells)))
        yield Table(name, tuple(columns), tuple(rows))


def _adds_up(row: Row) -> bool:
    first = next(iter(row.cells.values()), "")
    return _TOTAL.fullmatch(first) is not None


def _is_note(row: Row) -> bool:
    """Whether a row is a remark below a table: a sentence in one cell, or in none that has a name."""
    filled = list(filter(None, row.cells.values()))
    said, *others = filled or [row.quote]
    is_sentence = said.endswith((".", ":", "!"))
    return is_sentence and not others and len(said.split()) >= _WORDS_OF_NOTE


def _with_gaps(cells: Sequence[str]) -> tuple[str, ...]:
    """The cells of a column; empty where they say that a number is missing ("NA")."""
    missing = {cell for cell in cells if cell.lower() in _MISSING or _ONLY_A_MARK.fullmatch(cell)}
    told = [cell for cell in cells if cell and cell not in missing]
    if not Column("", tuple(told)).is_numeric:
        return tuple(cells)
    return tuple("" if cell in missing else cell for cell in cells)


_TABLES: WeakKeyDictionary[object, Sequence[Table]] = WeakKeyDictionary()
