"""Which rows a question is about: what it says in the words of cells, of days and of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain

from adaq_core.matching.lexicon import is_common_word
from adaq_core.records.asked import (
    AHEAD,
    CHANGES,
    LIGHT,
    NOT,
    Condition,
    Draft,
    meant_by,
    only,
)
from adaq_core.records.tables import SPENT, Column, Row
from adaq_core.text.tokens import stem, terms_of
from adaq_core.text.tokens import words as words_of
from adaq_core.text.values import MONTH_NAMES, MONTHS, Amount, Date, amounts, dates

_LIMIT = re.compile(
    r"(?i)\b(?P<way>(?:more|greater|higher|longer|less|fewer|lower|shorter) than|over|above|under|below|at least"
    r"|at most)"
    r"\s+(?:[$€£¥]\s?)?(?P<number>\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,9})?)\b(?! of )"
)
_UP = frozenset(("more than", "greater than", "higher than", "longer than", "over", "above", "at least"))
_OUT_OF = re.compile(r"(?i)\bout of (\w{2,30})\b")
_ORDER = re.compile(r"(?i)\b(before|after|since|until|from|by)\s*$")
_BETWEEN = re.compile(r"(?i)\b(?:between|from) (?P<first>[\w ,]{1,30}) (?:and|to|until|till) $")
_ITS_PLAN = r"(?:the |its |their |his |her )?(?:budgets?|plans?|targets?|forecasts?)"
_BESIDE_PLAN = re.compile(
    rf"(?i)\b(?:overspen[dt]|(?:over|above) {_ITS_PLAN}|exceed(?:ed|s)? {_ITS_PLAN}"
    rf"|(?P<under>underspen[dt]|(?:under|below) {_ITS_PLAN})|(?P<within>(?:stay(?:ed|s)? )?within {_ITS_PLAN})"
    r"|(?P<late>(?:too )?late|overdue|behind schedule))\b(?! than)"
)
# Example: "May I spend 50 dollars on a meal?" Counter-example: "Is the limit for a meal 50 dollars?"
_MAY = re.compile(r"(?i)^(?:can|could|may)\b|\b(?:allowed|permitted|entitled|authori[sz]ed)\b")
_NUMBERS = re.compile(r"\d[\d.,]{0,20}")
_BEFORE_AMOUNT = re.compile(
    r"(?i)(?:\b(?:costs?|costing|worth|of|for|after|with|at|priced|over|above)\b[ $€£¥]{1,3}){1,2}$"
)
_NOTHING = frozenset(("none", "nothing", "n/a", "-", "–", "—"))
_BY_HOW_MANY = re.compile(r"(?i)^by how (?:many|much)\b")
_UNDONE = re.compile(r"(?i)un(?=\w{3})")
_BEFORE_A_CELL = 3  # words
_BEHIND_A_LIMIT = 4  # the limit itself, and words behind it
_BOUND = re.compile(r"(?i)\b(up to|until|before|after|since)\s*$")
_GOING_ON = frozenset(("open", "unresolved", "ongoing", "outstanding", "unfinished"))
_MONTH_ALONE = re.compile(rf"\b({MONTH_NAMES})\b(?! \d)")
_BEFORE_NOUNS = frozenset(("a", "an", "the", "in", "of", "with", "for", "by", "on"))
_FEWEST_OF_TITLE = 2  # words


class Cells:
    """Conditions in the words of cells: what the rows asked for hold, what they are called, which answer is theirs."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.words, self.table = draft, draft.words, draft.table
        self.made, self.used = draft.made, draft.used  # changed in place: all readers share them

    def cells(self) -> None:
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
            self.draft.use(NOT)

    def _order_before(self, at: int) -> str:
        """What stands right before a word and says how it bounds others: "up to", "since"."""
        end = self.words.starts[at]
        start = max(0, end - AHEAD)
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
        self.draft.use(re.compile(rf"(?i)\b{order}\b"))

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
        named = self.draft.named_among(column for column, _ in held) or [self.table.label]
        return only([each for each in held if each[0] in named])

    def _by_label(self, held: Sequence[tuple[Column, str]]) -> tuple[Column, str] | None:
        """The row that is called so, where other columns that have it group the rows (managers) and none is named."""
        label = self.table.label
        own = only([each for each in held if each[0] is label])
        is_of_texts = self.table.is_of_forms or self.table.is_of_documents
        if own is None or is_of_texts or not label.is_distinct:
            return None
        others = [column for column, _ in held if column is not label]
        are_groups = all(column.groups_rows for column in others)
        return own if are_groups and not self.draft.named_among(others) else None

    def _in_any(self, at: int, held: Sequence[tuple[Column, str]]) -> Condition | None:
        """That a row has a cell in one of several columns: a team at home or away, or in the one named before it."""
        cells = {cell for _, cell in held}
        if len(held) <= 1 or len(cells) > 1:
            return None
        near = set(self.words.terms[max(0, at - _BEFORE_A_CELL) : at])
        ahead = self.words.texts[max(0, at - _BEFORE_A_CELL) : at]
        near |= meant_by(ahead)
        named = only([column for column, _ in held if near & column.terms])
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
        if texts[at] in CHANGES and _BY_HOW_MANY.search(self.words.question):
            return True
        is_last = at == len(texts) - 1
        is_said_of = is_last and self.words.is_said_of(at)
        if is_verb or (texts[at] in LIGHT and not is_said_of):
            return True
        return texts[0] == "when" and self._has(self.words.terms[at], self.table.dated)

    def _has(self, term: str, columns: Iterable[Column]) -> bool:
        return any(term in column.terms for column in columns)

    def answers(self) -> None:
        """Columns of yes and no that a word names are conditions: "which are paid", "not paid", "unpaid"."""
        terms = self.words.terms
        for n, text in enumerate(self.words.texts):
            undone = n not in self.used and _UNDONE.match(text) is not None
            term = stem(text[2:]) if undone else self.words.terms[n]
            column = only(self._answering(term, text))
            if column is None:
                continue
            denied = undone or self.words.is_denied(n) or self.words.is_lacked(n)
            cell = column.answer(not denied)
            if cell:
                said = Condition(column, f"{column.name}: {cell}", cell=cell)
                self.made.conditions += [said] if said not in self.made.conditions else []
                self.made.columns = [each for each in self.made.columns if each is not column]
                self.used.add(n)
                self.draft.use(NOT)
                if denied:
                    self.draft.use_denial(n)
        if self.table.is_of_forms:  # whose columns have long names
            names = [each.column.terms for each in self.made.conditions]
            named = frozenset[str]().union(*names)
            self.used |= {n for n in self.draft.free() if terms[n] in named}

    def _answering(self, term: str, word: str) -> list[Column]:
        """The columns of yes and no that a word names; of 0 and 1 where it is the whole name and rows are asked for."""
        named = [column for column in self.table.answering if term in column.terms]
        flags = [column for column in named if column.is_flag]
        of_rows = self.made.want in ("rows", "count", "share")
        whole = [column for column in flags if of_rows and column.terms == {term}]
        exact = [column for column in whole if column.name.lower() == word]
        return [column for column in named if column not in flags] or exact or whole

    def title_in_part(self) -> None:
        """The one document of whose title the words that are left are half at least: "the calories of the plum cake".

        One word alone is a title only beside what the documents are called: "the plum recipe".
        """
        label = self.table.label
        about = {condition.column.name for condition in self.made.conditions}
        is_of_more = about > {"kind"} or (bool(about) and "kind" not in about)
        if is_of_more or not self.draft.named_among(self.made.columns):
            return
        left = [n for n in self.draft.free() if not self.draft.is_light(n)]
        said = {self.words.terms[n] for n in left}
        fewest = 1 if self.made.names_rows else _FEWEST_OF_TITLE
        if len(said) < fewest:
            return
        titles = [row.cells.get(label.name, "") for row in self.table.rows if self._may_be_of_kind(row)]
        title = only([title for title in titles if said <= terms_of(title) and _is_half_of(said, title)])
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

    def row_in_part(self) -> None:
        """The one row of whose name the words left are half at least, or the first: "car" of "Car up to 5 m"."""
        left = [n for n in self.draft.free() if not self.draft.is_light(n)]
        said = {self.words.terms[n] for n in left}
        is_of_two = self.made.is_which_of_two or self.made.want == "difference"
        is_claim = self.made.is_yes_or_no and len(self.made.about) == 1
        asks = is_of_two or is_claim or self.draft.named_among(self.made.columns)
        known = self.made.about
        if not said or not asks or len(known) > (is_of_two or is_claim):
            return
        for column in (known if is_of_two else None) or self.table.columns:
            if not column.names_rows:
                continue
            holding = [cell for cell in column.filled if said <= terms_of(cell)]
            cell = only(holding)
            if cell is None or not _calls(said, cell):
                continue
            self.made.conditions.append(Condition(column, f"{column.name}: {cell}", cell=cell))
            self.used |= set(left)
            return

    def _may_be_of_kind(self, row: Row) -> bool:
        if not row.cells.get("kind"):
            return True
        return all(condition.is_met_by(row) for condition in self.made.conditions)


class Bounds:
    """Conditions on days and numbers: between which they lie, which are wanting, and which exceed others."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.words, self.table = draft, draft.words, draft.table
        self.made, self.used = draft.made, draft.used  # changed in place: all readers share them

    def days(self) -> None:
        """Days and periods, each for the column of days that the question names, or the only one."""
        dated = self.table.dated
        named = self.draft.named_among(dated)
        column = only(named) or only(dated) or only(self.table.begins)
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
                ahead = _ORDER.search(question, max(0, start - AHEAD), start)
                start = ahead.start() if ahead else start
                periods = [(ahead[1].lower() if ahead else "", date)]
            text = f"{column.name}: {question[start:end]}"
            for order, period in periods:
                self.made.conditions.append(Condition(column, text, period=period, order=order))
            self.used |= self.words.within((start, end))

    def _months_of(self, column: Column) -> Iterator[Date]:
        """The months that are named without a year, where all days of a column are of one: "in March"."""
        days = filter(None, map(column.day, column.filled))
        year = only(list({day.year for day in days}))
        if year is None or any(each.are_months for each in self.table.columns):
            return
        spans_of_dates = [range(*date.span) for date in dates(self.words.question)]
        known = frozenset(chain.from_iterable(spans_of_dates))
        for match in _MONTH_ALONE.finditer(self.words.question):
            month = MONTHS.index(match[1]) + 1
            if match.start(1) not in known:
                yield Date(year, month, span=match.span(1))

    def blanks(self) -> None:
        """Days on which something was not done yet: "unpaid", "not paid", where a column is of the day ("Paid on")."""
        ends = self._goes_on_without()
        for n, text in enumerate(self.words.texts):
            if ends is not None and text in _GOING_ON and self.words.is_said_of(n):
                going_on = Condition(ends, f"{ends.name}: empty", is_blank=True)
                self.made.conditions.append(going_on)
                self.used.add(n)
                continue
            is_undone = _UNDONE.match(text) is not None
            if n in self.used or not (is_undone or self.words.is_denied(n)):
                continue
            term = stem(text[2:]) if is_undone else self.words.terms[n]
            with_gaps = [each for each in self.table.dated if "" in each.cells]
            column = only([each for each in with_gaps if term in each.terms])
            if column is not None:
                self.made.conditions.append(Condition(column, f"{column.name}: empty", is_blank=True))
                self.used.add(n)
                self.draft.use(NOT)

    def _goes_on_without(self) -> Column | None:
        """The one column of when something ended, where some did not and no cell says "open"."""
        ends = [column for column in self.table.ends if "" in column.cells]
        is_said = ("open",) in self.table.values or not self.table.begins
        return None if is_said else only(ends)

    def ranges(self) -> None:
        """The rows whose range holds an amount of the question: "3-5 years" for "after 4 years".

        Whether one that is named may have it, "May a manager approve 12,000 dollars?", is a claim of that row.
        """
        question = self.words.question
        for amount in amounts(question):
            of_it = self.words.within((amount.start, amount.said))
            column = self._ranging_over(amount)
            if column is None or not self.used.isdisjoint(of_it):
                continue
            if self._is_claimed_of(column):
                text = f"{column.name}: {question[amount.start : amount.said]}"
                self.made.conditions.append(Condition(column, text, amount=amount))
            else:
                self._takes_cells(column, column.holding(amount))
            ahead = _BEFORE_AMOUNT.search(question, 0, amount.start)
            start = ahead.start() if ahead else amount.start
            self.used |= self.words.within((start, amount.said))

    def _is_claimed_of(self, column: Column) -> bool:
        is_claim = self.made.is_yes_or_no and column is not self.table.label
        return is_claim and _MAY.search(self.words.question) is not None

    def _takes_cells(self, column: Column, cells: Sequence[str]) -> None:
        """The rows of some cells; of those the ones that say most words of the question: "Domestic, under $1,000"."""
        asked, terms = frozenset(self.words.terms), self.words.terms
        said = [asked & terms_of(_NUMBERS.sub(" ", cell)) for cell in cells]
        most = max(map(len, said))
        for cell, shared in zip(cells, said, strict=True):
            if len(shared) < most:
                continue
            text = f"{column.name}: {cell}"
            self.made.conditions.append(Condition(column, text, cell=cell))
            self.used |= {n for n in self.draft.free() if terms[n] in shared}

    def _ranging_over(self, amount: Amount) -> Column | None:
        """The one column of ranges that hold such amounts, or that of several which the question names."""
        columns = [column for column in self.table.columns if column.limits(amount)]
        held = [column for column in columns if self._may_range(column, amount)]
        return only(held) or only(self.draft.named_among(held))

    def _may_range(self, column: Column, amount: Amount) -> bool:
        if self.made.is_yes_or_no:
            is_label = column is self.table.label and column.holding(amount) != []
            return is_label or self._is_claimed_of(column)
        is_told = self.made.kind == "person" or not column.is_numeric
        return is_told and column.holding(amount) != []

    def limits(self) -> None:
        """Bounds of a number: of the column that stands behind them or before, or of the only one."""
        numeric = self.table.measures
        self._exact_numbers()
        for match in _LIMIT.finditer(self.words.question):
            places = self.words.within(match.span())
            first, last = max(0, min(places) - 1), max(places) + _BEHIND_A_LIMIT
            near = set(self.words.terms[first:last])
            near |= meant_by(self.words.texts[first:last])
            column = only([column for column in numeric if near & column.terms]) or only(numeric)
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
            column = self.draft.column_meant(n + 1) or only(of_unit)
            start = max(0, self.words.starts[n] - AHEAD)
            is_bound = _LIMIT.search(self.words.question, start, self.words.ends[n])
            if column is not None and column.is_measure and not is_bound:
                self._has_exactly(column, number, {n, n + 1})

    def _has_exactly(self, column: Column, number: str, places: Iterable[int]) -> None:
        exact = float(number.replace(",", ""))
        said = f"{column.name}: {number}"
        self.made.conditions.append(Condition(column, said, low=exact, high=exact))
        self.used |= set(places)

    def none_left(self) -> None:
        """Numbers that have come to nothing: "out of stock"."""
        for match in _OUT_OF.finditer(self.words.question):
            column = only(self._named_by(stem(match[1].lower())))
            if column is not None:
                self.made.conditions.append(Condition(column, f"{column.name}: 0", low=0.0, high=0.0))
                self.used |= self.words.within(match.span())

    def _named_by(self, term: str) -> list[Column]:
        return [column for column in self.table.measures if term in column.terms]

    def without(self) -> None:
        """What a row has none of: "which had no incidents", where all columns that this may mean are nought."""
        for n in self.draft.free():
            is_lacked = self.words.is_lacked(n) or self.words.has_not(n)
            columns = self.draft.columns_meant(n) if is_lacked else []
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
                self.used |= {place for place in self.draft.free() if place >= n and self.words.terms[place] in named}
                self.draft.use_denial(n)

    def beside_its_plan(self) -> None:
        """What was spent above or below its budget: "Which departments overspent?", "By how much did A exceed it?"."""
        question = self.words.question
        match = _BESIDE_PLAN.search(question)
        if match is None:
            return
        said = set(self.words.terms)
        is_late = match["late"] is not None
        known = self.table.due if is_late else self.table.planned
        pairs = [pair for pair in known if pair[1].terms - SPENT <= said] or known
        pair = only(pairs)
        if pair is None:
            return
        plan, spent = pair
        of_both = spent.terms if is_late else plan.terms & spent.terms
        self.used |= self.words.within(match.span())
        self.used |= {n for n in self.draft.free() if self.words.terms[n] in of_both}
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
    return only(dates(text)) or only(dates(f"{text} {last.year}"))


def _where(date: Date) -> tuple[int, int]:
    return date.span
