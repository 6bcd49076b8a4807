"""The pages of a filing as text, put together from its passages, and which of them hold which statement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from adaq_core.filings.formula import LineItems, Statement
from adaq_core.filings.register import Filing, Register, joined, page_numbers
from adaq_core.retrieval.facets import SentenceTerms, ascending, starts_of
from adaq_core.retrieval.lexical import K1, B, LexicalIndex, idf, weight
from adaq_core.text.values import SMALL_NUMBERS

Floats = NDArray[np.float64]
_YEARS = tuple(map(str, range(1900, 2100)))
_SPELLED = SMALL_NUMBERS[1:]
_NO_TERMS = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class PageFormula:
    """Window size and step in terms, BM25's length share in windows, and what pairs count; docs/decisions/files.md."""

    window: int = 110
    step: int = 55
    window_b: float = 0.3
    pairs: float = 0.5
    without_number: float = 0.6  # left of a sentence's closeness where a figure is asked for and it has none
    other_word: float = 0.5  # credit for a word of the same sense, against the word itself …
    instead: float = 0.9  # … where no sentence says that
    count_ahead: int = 2  # terms from a number to what it counts


FORMULA = PageFormula()


class PageScores:
    """The pages of a few filings, indexed for one question after another."""

    def __init__(self, register: Register, filings: Sequence[Filing]) -> None:
        self.places = np.array([place for filing in filings for place in filing.places], dtype=np.int64)
        parts = [page_numbers(filing, register) for filing in filings]
        page_of = np.concatenate([_NO_TERMS, *parts])
        as_they_come = list(dict.fromkeys(page_of.tolist()))
        number_of = {page: number for number, page in enumerate(as_they_come)}
        self.page = np.array([number_of[page] for page in page_of.tolist()], dtype=np.int64)
        sentences = register.index.sentences_of(self.places)
        self._vocabulary = dict(register.index.vocabulary)
        digits = register.digits
        self._sentences = _Sentences(sentences, digits, self._vocabulary, self.page)
        terms = self._sentences.words_of_pages(len(as_they_come), digits)
        self._neighbours = _Neighbours(terms)
        self.pages = _indexed(terms, self._vocabulary)
        windows, self._window_page = _windows(terms)
        self.windows = _indexed(windows, self._vocabulary, b=FORMULA.window_b)

    def closeness(
        self, words: Mapping[str, float], *, figure: bool, senses: Mapping[str, Collection[str]] = MappingProxyType({})
    ) -> Floats:
        """Per page the share of the words, by rarity, that its best sentence says; with a number for a `figure`.

        `senses` are other words that say the same as one of them, for less.
        """
        return self._sentences.closeness(words, self._neighbours.pages, figure=figure, senses=senses)

    def says(self, word: str) -> bool:
        """Whether any of their sentences says an index term."""
        return self._sentences.says(word)

    def counting(self, words: Collection[str]) -> NDArray[np.bool_]:
        """Which of the `places` hold a sentence with a number right before one of some index terms."""
        return self._sentences.counting(words)

    def scores(self, words: Mapping[str, float], pairs: Mapping[tuple[str, str], float]) -> Floats:
        """The score of each page."""
        weights = Counter(words)
        whole = self.pages.term_scores(weights).astype(np.float64)
        best = np.zeros(len(whole))
        np.maximum.at(best, self._window_page, self.windows.term_scores(weights).astype(np.float64))
        return whole + best + FORMULA.pairs * self._pairs(pairs)

    def _pairs(self, pairs: Mapping[tuple[str, str], float]) -> Floats:
        """BM25 of word pairs, counted where the two stand next to each other."""
        total = np.zeros(self._neighbours.pages)
        for (left, right), share in sorted(pairs.items()):
            a = self._vocabulary.get(left)
            b = self._vocabulary.get(right)
            if a is None or b is None:
                continue
            counts = self._neighbours.counts(a, b)
            rarity = idf(len(counts), int((counts > 0).sum()))
            total += weight(share * rarity, counts, K1)
        return total


class _Neighbours:
    """Which terms follow each other on each page."""

    def __init__(self, terms: Sequence[NDArray[np.int64]]) -> None:
        self.pages = len(terms)
        self._first = np.concatenate([_NO_TERMS, *(page[:-1] for page in terms)])
        self._second = np.concatenate([_NO_TERMS, *(page[1:] for page in terms)])
        followed = [max(0, len(page) - 1) for page in terms]
        self._page = np.repeat(np.arange(self.pages), followed)

    def counts(self, first: int, second: int) -> Floats:
        """How often the second term follows the first on each page."""
        there = self._page[(self._first == first) & (self._second == second)]
        return np.bincount(there, minlength=self.pages).astype(np.float64)


class _Sentences:
    """The sentences of the passages: which terms each has, whether a number, and its page."""

    def __init__(
        self,
        sentences: SentenceTerms,
        digits: NDArray[np.bool_],
        vocabulary: Mapping[str, int],
        page: NDArray[np.int64],
    ) -> None:
        self._vocabulary = vocabulary
        self._terms = sentences.terms
        self._owner = np.repeat(np.arange(len(sentences.sizes)), sentences.sizes)
        order = ascending(self._terms)
        self._sorted, self._owner_sorted = self._terms[order], self._owner[order]
        self._page = np.repeat(page, sentences.counts)
        self._passages = len(sentences.counts)
        self._passage = np.repeat(np.arange(self._passages), sentences.counts)
        is_year = np.isin(self._terms, self._numbers_of(_YEARS))
        is_spelled = np.isin(self._terms, self._numbers_of(_SPELLED))
        self._is_number = is_spelled | (digits[self._terms] & ~is_year)
        self._numbered = np.zeros(len(self._page), dtype=np.bool_)
        self._numbered[self._owner[digits[self._terms]]] = True

    def closeness(
        self, words: Mapping[str, float], pages: int, *, figure: bool, senses: Mapping[str, Collection[str]]
    ) -> Floats:
        """Per page the best share over its sentences, in [0, 1]."""
        scores, total = np.zeros(len(self._page)), 0.0
        for word, share in sorted(words.items()):
            owners = self._saying((word,))
            holders = len(np.unique(self._page[owners]))
            gain = share * float(idf(pages, holders))
            credit = np.zeros(len(scores))
            credit[self._saying(senses.get(word, ()))] = FORMULA.other_word if len(owners) else FORMULA.instead
            credit[owners] = 1.0
            scores += gain * credit
            total += gain
        if figure:
            scores[~self._numbered] *= FORMULA.without_number
        best: Floats = np.zeros(pages)
        np.maximum.at(best, self._page, scores / max(total, 1e-9))
        return best

    def counting(self, words: Collection[str]) -> NDArray[np.bool_]:
        """Which passages hold a sentence with a number, but a year, at most one term before one of some terms."""
        is_word = np.isin(self._terms, self._numbers_of(words))
        told = np.zeros(self._passages, dtype=np.bool_)
        for distance in range(1, FORMULA.count_ahead + 1):
            counts = self._is_number[:-distance] & is_word[distance:]
            counts &= self._owner[:-distance] == self._owner[distance:]
            sentences = self._owner[:-distance][counts]
            told[self._passage[sentences]] = True
        return told

    def _numbers_of(self, words: Collection[str]) -> list[int]:
        """The numbers of the index terms that the corpus has."""
        return [self._vocabulary[word] for word in words if word in self._vocabulary]

    def words_of_pages(self, pages: int, digits: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
        """The terms of each page without numbers."""
        words = ~digits[self._terms]
        page = self._page[self._owner[words]]
        order = ascending(page)
        in_order = self._terms[words][order].astype(np.int64)
        ends = np.cumsum(np.bincount(page, minlength=pages))
        return np.split(in_order, ends[:-1])[:pages]

    def says(self, word: str) -> bool:
        """Whether any sentence says an index term."""
        return len(self._saying((word,))) > 0

    def _saying(self, words: Collection[str]) -> NDArray[np.int64]:
        """The sentences that say one of the words."""
        numbers = self._numbers_of(words)
        first, last = (np.searchsorted(self._sorted, numbers, side) for side in ("left", "right"))
        runs = [self._owner_sorted[a:b] for a, b in zip(first, last, strict=True)]
        return np.unique(np.concatenate(runs)) if runs else self._owner[:0]


def _windows(pages: Sequence[NDArray[np.int64]]) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    cut, owners = [], []
    for number, page in enumerate(pages):
        for begin in range(0, max(1, len(page) - FORMULA.step), FORMULA.step):
            cut.append(page[begin : begin + FORMULA.window])
            owners.append(number)
    return cut, np.array(owners, dtype=np.int64)


def _indexed(texts: Sequence[NDArray[np.int64]], vocabulary: dict[str, int], *, b: float = B) -> LexicalIndex:
    flat = np.concatenate([_NO_TERMS, *texts])
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    return LexicalIndex.from_ids(flat, lengths, vocabulary, b=b)


_NUMBER = re.compile(r"(?<!\S)\(?\$?\d[\d,.]*\)?%?(?!\S)")  # a word that is one
WINDOW = 6_500
_SHORTEST = 600


@dataclass(frozen=True)
class Page:
    """A page: its number in the filing, the places of its passages, and its text.

    A file without pages is cut where a statement might begin: such a page is a stretch of text after a heading.
    """

    filing: Filing
    number: int
    places: tuple[int, ...]
    text: str

    @cached_property
    def flat(self) -> str:
        """Its text in small letters on one line; each statement is looked for in it."""
        return " ".join(self.text.lower().split())

    @cached_property
    def numbers(self) -> int:
        """How many of its words are numbers."""
        return len(_NUMBER.findall(self.text))

    @cached_property
    def lines(self) -> list[str]:
        """Its lines in small letters, without the white space around them."""
        return [bare for line in self.text.lower().split("\n") if (bare := " ".join(line.split()))]


def pages_of(filing: Filing, register: Register, headings: Sequence[str]) -> list[Page]:
    """The pages of a filing in order; stretches after lines with one of `headings` where it has no pages."""
    groups: dict[int, list[int]] = {}
    for place, page in zip(filing.places, page_numbers(filing, register).tolist(), strict=True):
        groups.setdefault(page, []).append(place)
    if len(groups) < len(filing.places) or len(filing.places) <= 3 or register.is_paged(filing):
        return [
            Page(filing, number, tuple(places), joined(register.passages(places))[0])
            for number, places in enumerate(groups.values())
        ]
    return list(_stretches(filing, register, headings))


def _stretches(filing: Filing, register: Register, headings: Sequence[str]) -> Iterator[Page]:
    text, starts = joined(register.passages(filing.places))
    parts = list(zip(filing.places, pairwise([*starts, len(text)]), strict=True))
    low, number = text.lower(), 0
    begins = sorted({at for heading in headings for at in _line_places(low, heading)})
    for begin, following in pairwise([*begins, len(text)]):
        if following - begin < _SHORTEST:
            continue
        end = min(begin + WINDOW, following)
        inside = (place for place, (start, after) in parts if start < end and after > begin)
        yield Page(filing, number, tuple(inside), text[begin:end])
        number += 1


def _line_places(low: str, heading: str) -> Iterator[int]:
    """Where `heading` stands in a short line."""
    at = low.find(heading)
    while at >= 0:
        begin = low.rfind("\n", 0, at) + 1
        end = low.find("\n", at)
        if (end if end >= 0 else len(low)) - begin <= 110:
            yield begin
        at = low.find(heading, at + 1)


@dataclass(frozen=True, slots=True)
class StatementWeights:
    """What the signs of a statement page count for; set on 84 filings, see docs/decisions/files.md."""

    heading: float = 1.2
    heading_anywhere: float = 0.3
    lines: float = 2.0
    numbers: float = 1.5
    most_numbers: float = 0.8
    long_line: float = 0.1
    parent_only: float = 1.2
    note: float = 0.8
    index: float = 0.5
    comprehensive: float = 1.2
    apart: float = 0.25
    near: int = 5
    same_page: float = 0.3
    accepted: float = 1.5
    second_half: float = 2.2
    fewest_numbers: int = 15
    head_lines: int = 14


WEIGHTS = StatementWeights()
_CANDIDATES = 4
_NOT_HEADING = ("note", "see ", "index", "refer")


@dataclass(frozen=True, slots=True)
class StatementPage:
    """A page that holds a statement, or its second half."""

    statement: str
    page: Page
    score: float


def with_many_numbers(pages: Sequence[Page], filing: Filing, register: Register) -> list[Page]:
    """The pages whose terms hold so many numbers that they may be a statement: of the others no text is looked at."""
    sentences = register.index.sentences_of(filing.places)
    begins = starts_of(sentences.sizes)[starts_of(sentences.counts)]
    before = starts_of(register.digits[sentences.terms].astype(np.int64))
    numbers = dict(zip(filing.places, np.diff(before[begins]).tolist(), strict=True))
    return [page for page in pages if sum(numbers[place] for place in page.places) > WEIGHTS.fewest_numbers]


def statement_pages(pages: Sequence[Page], profile: LineItems) -> list[StatementPage]:
    """The pages of the statements of one filing, chosen together; none where no page looks like one."""
    scored = {name: _candidates(pages, statement) for name, statement in profile.statements.items()}
    options = [[*likely[:_CANDIDATES], None] for likely in scored.values()]
    together = (tuple(filter(None, chosen)) for chosen in product(*options))
    best = max([(), *together], key=_value)
    return [*best, *_second_halves(best, scored)]


def _value(chosen: Sequence[StatementPage]) -> float:
    return sum(each.score for each in chosen) - _distance(chosen) if chosen else 0.0


def _distance(chosen: Sequence[StatementPage]) -> float:
    numbers = [each.page.number for each in chosen]
    span = max(numbers) - min(numbers)
    twice = len(numbers) - len(set(numbers))
    return WEIGHTS.apart * max(0, span - WEIGHTS.near) + WEIGHTS.same_page * twice


def _second_halves(chosen: Sequence[StatementPage], scored: dict[str, list[StatementPage]]) -> list[StatementPage]:
    """Pages beside a chosen one that look as much like the same statement."""
    return [
        other
        for each in chosen
        for other in scored[each.statement]
        if abs(other.page.number - each.page.number) == 1 and other.score > WEIGHTS.second_half
    ]


def _candidates(pages: Sequence[Page], statement: Statement) -> list[StatementPage]:
    """The pages that look like a statement, the likest first."""
    scored = [StatementPage(statement.name, page, score_of(page, statement)) for page in pages]
    kept = (each for each in scored if each.score > WEIGHTS.accepted)
    return sorted(kept, key=lambda each: (-each.score, each.page.number))


def score_of(page: Page, statement: Statement) -> float:
    """How much a page looks like `statement`; 0 where it holds few numbers."""
    share = _share_of_lines(page.flat, statement)
    if share < 0.25:
        return 0.0
    if page.numbers <= WEIGHTS.fewest_numbers:
        return 0.0
    head = page.lines[: WEIGHTS.head_lines]
    of_words = page.numbers / len(page.text.split())
    score = WEIGHTS.lines * share + WEIGHTS.numbers * min(WEIGHTS.most_numbers, of_words)
    score += _of_heading(head, statement)
    score -= WEIGHTS.long_line * min(12, sum(len(line) > 140 for line in page.lines))
    return score - _penalties(head, statement, page.flat)


def _of_heading(head: Sequence[str], statement: Statement) -> float:
    """What a heading of the statement counts for, by itself in a line or in one of the head."""
    if any(_is_heading(line, statement) for line in head):
        return WEIGHTS.heading
    is_there = any(heading in line for line in head for heading in statement.headings)
    return WEIGHTS.heading_anywhere if is_there else 0.0


def _is_heading(line: str, statement: Statement) -> bool:
    if len(line) >= 90 or any(word in line for word in _NOT_HEADING):
        return False
    return any(heading.replace(" ", "") in line.replace(" ", "") for heading in statement.headings)


def _penalties(head: Sequence[str], statement: Statement, flat: str) -> float:
    """What is taken off a page whose head says that it is no statement of the whole group, or another one."""
    top = " ".join(head)
    is_of_parent = any(words in top for words in ("parent company", "parent-only", "schedule i"))
    is_note = any(line.startswith(("note ", "notes to")) for line in head)
    has_earnings = "operating" in flat or "sales" in flat
    is_comprehensive = statement.name == "income statement" and "comprehensive" in top and not has_earnings
    return (
        WEIGHTS.parent_only * is_of_parent
        + WEIGHTS.note * is_note
        + WEIGHTS.index * ("index to" in top)
        + WEIGHTS.comprehensive * is_comprehensive
    )


def _share_of_lines(flat: str, statement: Statement) -> float:
    """The share of the lines of a statement that a page has; a line may be written in several ways ("a|b")."""
    matches = sum(any(map(flat.__contains__, line.split("|"))) for line in statement.lines)
    return matches / len(statement.lines)
