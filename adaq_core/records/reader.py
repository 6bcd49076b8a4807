"""A question read against the tables of a corpus: what is wanted of which rows of the one that explains its words.

A question with an amount is read against the limits of rules in texts, too: "May I accept a gift of 100 dollars?".
It is read against cells, columns and what the rows are called. Where one of its words has no part in that, nothing is
asked of the table; a wrong count is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from adaq_core.filings.statement_figures import Figure, Operand
from adaq_core.matching.conditions import line_above
from adaq_core.matching.naming import terms_above
from adaq_core.model import AnswerKind, Passage
from adaq_core.question.parse import ParsedQuestion
from adaq_core.records.asked import (
    COUNTS,
    DENIES,
    HOW_LONG,
    NO_DEEDS,
    PAIR,
    Asked,
    Columns,
    Condition,
    Draft,
    Want,
    Words,
    only,
)
from adaq_core.records.conditions import Bounds, Cells
from adaq_core.records.tables import Table
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import read_sentences, stem, terms_of
from adaq_core.text.values import MONTH_NAMES, Amount, Range, amounts, in_words, range_in_cell, ranges

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
_SPAN = re.compile(rf"(?i)\b(?:from|between) (?:{MONTH_NAMES}) (?:to|until|through|and) (?:{MONTH_NAMES})\b")
_BEFORE_COUNTS = frozenset(("top", "the", "which", "what", "our"))
_COMPARED: Mapping[str, Want] = {
    "more": "most", "higher": "most", "larger": "most", "less": "least", "fewer": "least", "lower": "least",
}  # fmt: skip
_MOST_OF = {"better": "best", "worse": "worst", "dearer": "dearest"}
_PLACES = {"second": 2, "third": 3}
_IS_OR_DOES = frozenset(("is", "are", "was", "were", "do", "does", "did", "has", "have"))
_WHAT_IT_DOES = re.compile(r"(?i)what (?:do|does|did) [^?]{1,80} do\b")
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
_BEGUN = terms_of("start started hire hired joined")
_OF_ONE_MEASURE = frozenset(("tallest", "heaviest", "lightest", "fastest", "slowest", "deepest", "widest"))
# What a column of measures is called, where a question says how much of it something has.
_MEASURES = {
    "wide": "width", "deep": "depth", "high": "height", "tall": "height", "long": "length", "heavy": "weight",
    "old": "age", "big": "size", "large": "size", "fast": "speed",
}  # fmt: skip
_HOW = re.compile(rf"(?i)\bhow ({'|'.join(_MEASURES)})(?= (?:is|are|was|were)\b)")


def asked_of(question: ParsedQuestion, tables: Sequence[Table]) -> Asked | None:
    """The question as it is asked of the one table that explains all of its words; None where none or several do.

    Rows are no reasons and no ways, and tell of nothing what it does.
    """
    if question.kind in ("reason", "way") or _WHAT_IT_DOES.match(question.text):
        return None
    explained = list[Asked]()
    for text in dict.fromkeys((_HOW.sub(_by_noun, question.text), question.text)):
        words = Words(text)
        read = [_Reader(words, table, question.kind).asked() for table in tables]
        explained = explained or [asked for asked in read if asked is not None]
    best = max((asked.worth for asked in explained), default=None)
    fitting = [asked for asked in explained if asked.worth == best]
    earlier = [asked.table.earlier for asked in fitting]
    latest = [asked for asked in fitting if asked.table not in earlier]
    return only(latest)


class Wants:
    """What is wanted of the rows: how many, a sum, a mean, the most; of each group, of how many places."""

    def __init__(self, draft: Draft) -> None:
        self.draft, self.words, self.table = draft, draft.words, draft.table
        self.made, self.used = draft.made, draft.used  # changed in place: all readers share them
        self.is_of_each_row = False  # "each ticket", where no column is of tickets

    def wants(self) -> None:
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
        column = only(self.draft.by_names([column for column in self.table.columns if term in column.terms]))
        if column is not None and column not in (*self.table.measures, *self.table.dated, self.table.label):
            self.made.each = column
            self.used |= self.words.within((each.start(), each.end(1)))
        else:
            self.is_of_each_row = each[0].lower().startswith("e")

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
        both = set(self.words.terms[n : n + PAIR])
        return len(both) == PAIR and any(both <= column.terms for column in self.table.columns)

    def _between_months(self) -> None:
        """All months between two that are named as the ends of a time over which is counted or added up."""
        named = [each for each in self.made.conditions if each.cell and each.column.are_months]
        is_span = _SPAN.search(self.words.question) is not None
        if len(named) != PAIR or self.made.want == "difference" or not is_span:
            return
        start, end = named
        months = list(start.column.filled)
        inside = months[months.index(start.cell) : months.index(end.cell) + 1]
        said = f"{start.column.name}: {start.cell} to {end.cell}"
        between = [Condition(start.column, said, cell=each) for each in inside]
        kept = [each for each in self.made.conditions if each not in named]
        self.made.conditions = [*kept, *between]

    def _how_many_of_them(self) -> None:
        """How many of the most are asked for, "the three largest", or which place: "the second largest"."""
        texts = self.words.texts
        for n, (before, text) in enumerate(pairwise(texts), 1):
            if n in self.used or self.made.want not in ("most", "least"):
                continue
            count = COUNTS.get(text, 0)
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
            known = NO_DEEDS.union(*of_it)
            column = only([each for each in self.table.measures if each.terms & known])
            if column is not None:
                self.draft.take(column, ())

    def _is_superlative(self, n: int, text: str) -> bool:
        """Whether a column is of what one may be most of; it is the measure then."""
        for want, names in _OF_SUPERLATIVES.get(text, ()):
            if names == _BEGUN and "been" not in self.words.texts:
                continue  # the longest since it began
            columns = [*self.table.measures, *self.table.dated, *self.table.years]
            column = only([each for each in columns if each.terms & names])
            if column is not None:
                self.draft.take(column, {n})
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

    def by_its_unit(self) -> None:
        """The column of which the question says the unit alone: how many days, where one is of days."""
        if self.made.want not in ("sum", "mean", "most", "least") or self.made.numeric:
            return
        said = set(self.words.terms)
        column = only([each for each in self.table.measures if each.units & said])
        if column is not None:
            self.made.columns.append(column)


class _Reader:
    """Reads a question against one table: each word is used by what it says of it."""

    def __init__(self, words: Words, table: Table, kind: AnswerKind) -> None:
        self.words, self.table = words, table
        self.draft = Draft(words, table, kind)
        self.columns = Columns(self.draft)
        self.cells = Cells(self.draft)
        self.bounds = Bounds(self.draft)
        self.wants = Wants(self.draft)

    def asked(self) -> Asked | None:
        """What is asked; None where a word is left over, or nothing of the table is named."""
        self._read()
        made, wants = self.draft.made, self.wants
        if wants.is_of_each_row and made.want in ("count", "sum", "mean"):
            if not made.columns:
                return None
            made.want = "rows"
        self._takes_unclear()
        if self._leaves_any() or not self._is_reckoned():
            return None
        names_something = bool(made.columns) or made.names_rows
        if made.is_yes_or_no or not self.table.is_of_documents:  # "What is Apple doing about AI?" asks of no document
            names_something = names_something or bool(made.conditions)
        return made if names_something else None

    def _read(self) -> None:
        """What each of the parts explains, in this order: what one has used, none reads again."""
        self.columns.people()
        self.bounds.days()
        self.bounds.ranges()
        self.cells.cells()
        self.bounds.blanks()
        self.bounds.limits()
        self.bounds.none_left()
        self.bounds.without()
        self.bounds.beside_its_plan()
        self.columns.long_names()
        self.wants.wants()
        self.columns.columns()
        self.wants.by_its_unit()
        self.cells.answers()
        if self.table.is_of_documents:
            made = self.draft.made
            names_kind = any(condition.column.name == "kind" for condition in made.conditions)
            made.names_rows = made.names_rows or names_kind
            self.cells.title_in_part()
        elif not self.table.is_of_forms:
            self.cells.row_in_part()

    def _takes_unclear(self) -> None:
        """Words that mean several columns are read where any of these will do, or all are told."""
        made, columns = self.draft.made, self.columns
        if made.is_yes_or_no and columns.unclear and not made.columns:
            made.unclear = columns.unclear
            self.draft.used |= columns.vocabulary
        elif not made.is_yes_or_no and (made.columns or columns.takes_each()):
            self.draft.used |= columns.vocabulary

    def _leaves_any(self) -> bool:
        """Whether a word is left over that has a part in what is asked; one that denies always has."""
        draft = self.draft
        left = [n for n in range(len(self.words)) if n not in draft.used]
        return any(self.words.texts[n] in DENIES or not draft.is_light(n) for n in left)

    def _is_reckoned(self) -> bool:
        """Whether the table has the numbers or days that are to be taken from each other."""
        made, table = self.draft.made, self.table
        if HOW_LONG.search(self.words.question) and not (made.numeric or table.begins):
            return False
        return made.want != "difference" or bool(table.measures) or len(table.dated) >= PAIR


def _by_noun(asks: re.Match[str]) -> str:
    return f"what {_MEASURES[asks[1].lower()]}"


# Example: "May I accept a gift of 100 dollars?" Counter-example: "Is the limit 100 dollars?"
_ASKS_MAY = re.compile(
    r"(?i)^(?:(?:can|could) (?:i|we|you|one|employees|staff|somebody|someone|anybody|anyone)|may)\b"
    r"|^(?:am|is|are)\b[^?]{2,120}\b(?:allowed|permitted|covered|reimburs(?:ed|able))\b"
)
_ASKS_NEED = re.compile(
    r"(?i)^(?:do|does|must|should) [^?]{1,80}?\b(?:need|require|have to|get|obtain|provide)\b"
    r"|\b(?:required|necessary|needed)\b"
)
_SAYS_NEED = re.compile(r"(?i)\b(?:requires?|required|needs?|must|mandatory|necessary|pre-approved)\b")
_SAYS_NOT = re.compile(r"(?i)\b(?:not|no|never|cannot|prohibited|forbidden)\b(?! (?:exceed|more|later|longer)\b)")
_SAYS_MAY = re.compile(
    r"(?i)\b(?:may|can|up to|at most|maximum|limits?|allowed|permitted|allowance|eligible|entitled|not exceed)\b"
)
_ITS_THING = re.compile(
    r"(?i)(?P<thing>[a-z][a-z-]{2,20}):?"
    r"(?: (?:of|is|are|must|may|should|can|not|be|which|that|nominal value)){0,4} ?\(?$"
)
_BOUND_OF_IT = re.compile(
    r"(?i)\b(?:above|over|more than|exceed(?:s|ing)?|greater than|longer than|older than|at least|below|under"
    r"|less than|fewer than|shorter than|up to|at most)? ?$"
)
_OF_ANY = terms_of(
    "amount value cost price total rate sum charge item individual expense purchase limit reimburse pay cover spend"
    " provide claim carry take request receive allow get use accept"
)
_LIGHT_IN_RULES = terms_of(
    "may can book spend expense claim cost pay get make take need require have allow approve use give dollar"
)
_NAMES_IT = re.compile(r"(?i)\b(?:the|that|this|its) [$€£¥]?$")  # "the $7,500 credit" is a credit, and no amount
_READ_FOR_RULES = 8  # passages
_OF_RULE = 0.6  # of what is asked, that a rule has to say
_PARTS_OF_RULE = re.compile(r"; |, (?=(?:and |but )?(?:up to|at most|under|over|[$€£¥]?\d))")


class _Rule(NamedTuple):
    """A limit that a text states: how much of what is asked it says, whether it holds the amount, what is so by it."""

    share: float
    holds: bool
    is_so: bool
    limit: str
    quote: str
    passage: Passage

    def worth(self) -> tuple[float, bool]:
        """What says more of what is asked is surer; of two as sure the one that the amount falls under."""
        return self.share, self.holds


def rule_in_text(text: str, corpus: Corpus) -> Figure | None:
    """Whether something of an amount is allowed or needed, by the limit that a rule states; None where none does.

    A rule that the amount does not fall under says the contrary. The best rules of all documents have to agree.
    """
    asked = [amount for amount in amounts(text) if amount.unit]
    may = _ASKS_MAY.search(text) is not None
    if len(asked) != 1 or not (may or _ASKS_NEED.search(text)):
        return None
    (amount,) = asked
    if _NAMES_IT.search(text, 0, amount.start):
        return None
    written = text[amount.start : amount.said]
    rest = text.replace(written, " ", 1)
    terms = terms_of(rest)
    rules = list[_Rule]()
    for each in corpus.search(rest, top_k=_READ_FOR_RULES):
        rules += _rules_in(each.passage, amount, terms, needs=not may)
    best = max(rules, key=_Rule.worth, default=None)
    if best is None or len({rule.is_so for rule in _best_of_each(rules)}) > 1:
        return None
    step = f"the limit “{best.limit}”, which {'holds' if best.holds else 'does not hold'} {written}"
    operand = _rule_operand(amount, best.quote, best.passage)
    return Figure("Yes" if best.is_so else "No", amount.value, "yes_no", step, (operand,))


class _Case(NamedTuple):
    """An item of a list of cases, "3-5 days: two weeks in advance": its range, what is so in it, where it stands."""

    case: str
    bounds: Range
    told: str
    quote: str


def case_in_text(text: str, corpus: Corpus) -> Figure | None:
    """What is so for an amount, by the item of a list of cases whose range holds it; None where no list has one."""
    asked = [amount for amount in amounts(text) if amount.unit]
    if len(asked) != 1:
        return None
    (amount,) = asked
    written = text[amount.start : amount.said]
    rest = text.replace(written, " ", 1)
    matter = terms_of(rest) - _LIGHT_IN_RULES
    for each in corpus.search(rest, top_k=_READ_FOR_RULES):
        passage = each.passage
        cases = [case for case in _cases_in(passage) if case.bounds.unit == amount.unit]
        held = [case for case in cases if case.bounds.holds(amount)]
        case = only(held) if len(cases) > 1 else None
        if case is None:
            continue
        own = terms_of(f"{line_above(passage, case.quote)} {case.quote}")
        share = len(matter & (own | terms_above(passage)))
        if matter & own and share >= _OF_RULE * len(matter):
            step = f"the case “{case.case}”, which holds {written}"
            return Figure(case.told, amount.value, "list", step, (_rule_operand(amount, case.quote, passage),))
    return None


def _cases_in(passage: Passage) -> Iterator[_Case]:
    """The items of lists in a passage that open with a range and a colon."""
    for sentence in read_sentences(passage.text):
        quote = passage.text[sentence.start : sentence.end]
        case, colon, told = quote.partition(": ")
        bounds = range_in_cell(case) if colon and passage.text.endswith("- ", 0, sentence.start) else None
        if bounds is not None:
            yield _Case(case, bounds, told.rstrip(". "), quote)


def _rule_operand(amount: Amount, quote: str, passage: Passage) -> Operand:
    title = passage.title
    return Operand("rule", 0, title, amount.value, title, title, passage.passage_id, quote)


def _best_of_each(rules: Sequence[_Rule]) -> list[_Rule]:
    """The rules of each document that say most of what is asked."""
    most: dict[str, float] = {}
    for rule in rules:
        document = rule.passage.document_id
        most[document] = max(rule.share, most.get(document, 0.0))
    return [rule for rule in rules if rule.share == most[rule.passage.document_id]]


def _rules_in(passage: Passage, amount: Amount, asked: frozenset[str], *, needs: bool) -> Iterator[_Rule]:
    """What the limits in a passage say of an amount of something that is asked about."""
    matter = asked - _LIGHT_IN_RULES or asked or frozenset(("",))
    for sentence in read_sentences(passage.text):
        quote = passage.text[sentence.start : sentence.end]
        above = line_above(passage, quote)
        label, _, rest = quote.rpartition(": ")
        for part in _PARTS_OF_RULE.split(rest):
            clause = in_words(f"{label}: {part}" if label else part)
            bounds = _limit_in(clause, f"{above} {label} {rest}", amount)
            if bounds is None:
                continue
            limit, thing = bounds
            said = terms_of(clause) | terms_of(above) | terms_above(passage)
            is_of_it = not thing or thing <= _OF_ANY or not thing.isdisjoint(asked)
            holds, share = limit.holds(amount), len(matter & said) / len(matter)
            told = _told_by_rule(clause, f"{above} {clause}", holds=holds, needs=needs)
            is_on_it = is_of_it and share >= _OF_RULE
            if told is not None and is_on_it and matter & terms_of(f"{above} {clause}"):
                yield _Rule(share, holds, told, part.strip(" .()"), quote, passage)


def _limit_in(clause: str, around: str, amount: Amount) -> tuple[Range, frozenset[str]] | None:
    """The one limit of a clause for such amounts, and of what it is; where limits are told an amount alone is one."""
    told = [each for each in amounts(clause) if each.unit == amount.unit]
    if len(told) != 1:
        return None
    ahead = clause[: told[0].start].rstrip("$€£¥")
    bound = _BOUND_OF_IT.search(ahead)
    limits = [each for each in ranges(clause) if each.unit == amount.unit]
    if not limits and _OF_LIMITS.search(around):
        limits = [Range(0.0, told[0].value, amount.unit)]
    if len(limits) != 1:
        return None
    before = ahead[: bound.start()] if bound else ahead
    thing = _ITS_THING.search(before)
    return limits[0], terms_of(thing["thing"] if thing else before)


_OF_LIMITS = re.compile(r"(?i)\b(?:limits?|maximum|caps?|allowances?|up to|at most)\b")


def _told_by_rule(clause: str, whole: str, *, holds: bool, needs: bool) -> bool | None:
    """Whether what is asked is so by a rule that the amount falls under or not; None where it is of another kind."""
    if needs:
        is_said = _SAYS_NEED.search(whole) is not None
        return (holds != (_SAYS_NOT.search(clause) is not None)) if is_said else None
    if _SAYS_NEED.search(clause) and not _SAYS_MAY.search(clause):
        return None
    is_said = _SAYS_MAY.search(whole) is not None
    return (holds != (_SAYS_NOT.search(clause) is not None)) if is_said else None
