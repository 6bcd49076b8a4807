"""The pages of a filing as text, put together from its passages, and which of them hold which statement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from adaq_core.filings.formula import LineItems, Statement
from adaq_core.filings.register import Filing, Register, joined, once
from adaq_core.retrieval.lexical import LexicalIndex
from adaq_core.text.passages import sentence_texts

Floats = NDArray[np.float64]
_NO_TERMS = np.zeros(0, dtype=np.int64)
SentenceTerms = Sequence[Sequence[NDArray[np.int32]]]  # the terms of each sentence of each passage


@dataclass(frozen=True, slots=True)
class PageFormula:
    """Window size and step in terms, BM25's length share in windows, and what pairs count; files.md, section 3."""

    window: int = 110
    step: int = 55
    window_b: float = 0.3
    pairs: float = 0.5
    without_number: float = 0.6  # left of a sentence's closeness where a figure is asked for and it has none
    other_word: float = 0.5  # credit for a word of the same sense, against the word itself …
    instead: float = 0.9  # … where no sentence says that


FORMULA = PageFormula()


class PageScores:
    """The pages of a few filings, indexed for one question after another."""

    def __init__(self, register: Register, filings: Sequence[Filing]) -> None:
        self.places = np.array([place for filing in filings for place in filing.places], dtype=np.int64)
        parts = [register.pages_of(filing) for filing in filings]
        page_of = np.concatenate([_NO_TERMS, *parts])
        _, first = np.unique(page_of, return_index=True)
        order = {int(page_of[at]): number for number, at in enumerate(sorted(first.tolist()))}
        self.page = np.array([order[int(page)] for page in page_of], dtype=np.int64)
        sentences = register.index.sentences_of(self.places)
        self._vocabulary = dict(register.index.vocabulary)
        digits = register.digits
        terms = _terms_of_pages(sentences, digits, self.page, len(order))
        self._neighbours = _Neighbours(terms)
        self.pages = _indexed(terms, self._vocabulary)
        windows, self._window_page = _windows(terms)
        self.windows = _indexed(windows, self._vocabulary, b=FORMULA.window_b)
        self._sentences = _Sentences(sentences, digits, self._vocabulary, self.page)

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
        for (left, right), weight in sorted(pairs.items()):
            a = self._vocabulary.get(left)
            b = self._vocabulary.get(right)
            if a is None or b is None:
                continue
            counts = self._neighbours.counts(a, b)
            holders = int((counts > 0).sum())
            idf = np.log1p((len(counts) - holders + 0.5) / (holders + 0.5))
            total += weight * idf * counts * 2.2 / (counts + 1.2)
        return total


class _Neighbours:
    """Which terms follow each other on each page."""

    def __init__(self, terms: Sequence[NDArray[np.int64]]) -> None:
        self.pages = len(terms)
        followed = [page[:-1] for page in terms]
        flat = np.concatenate([_NO_TERMS, *followed])
        order = np.argsort(flat, kind="stable")
        self._first = flat[order]
        self._second = np.concatenate([_NO_TERMS, *(page[1:] for page in terms)])[order]
        self._page = np.repeat(np.arange(self.pages), list(map(len, followed)))[order]

    def counts(self, first: int, second: int) -> Floats:
        """How often the second term follows the first on each page."""
        begin, end = np.searchsorted(self._first, (first, first + 1))
        there = self._page[begin:end][self._second[begin:end] == second]
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
        parts = list(chain.from_iterable(sentences))
        self._terms = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
        self._owner = np.repeat(np.arange(len(parts)), list(map(len, parts)))
        order = np.argsort(self._terms, kind="stable")
        self._sorted, self._owner_sorted = self._terms[order], self._owner[order]
        self._page = np.repeat(page, list(map(len, sentences)))
        self._numbered = np.zeros(len(parts), dtype=np.bool_)
        self._numbered[self._owner[digits[self._terms]]] = True

    def closeness(
        self, words: Mapping[str, float], pages: int, *, figure: bool, senses: Mapping[str, Collection[str]]
    ) -> Floats:
        """Per page the best share over its sentences, in [0, 1]."""
        scores, total = np.zeros(len(self._page)), 0.0
        for word, weight in sorted(words.items()):
            owners = self._saying((word,))
            holders = len(np.unique(self._page[owners]))
            gain = weight * float(np.log1p((pages - holders + 0.5) / (holders + 0.5)))
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

    def says(self, word: str) -> bool:
        """Whether any sentence says an index term."""
        return len(self._saying((word,))) > 0

    def _saying(self, words: Collection[str]) -> NDArray[np.int64]:
        """The sentences that say one of the words."""
        numbers = [self._vocabulary[word] for word in words if word in self._vocabulary]
        first, last = (np.searchsorted(self._sorted, numbers, side) for side in ("left", "right"))
        runs = [self._owner_sorted[a:b] for a, b in zip(first, last, strict=True)]
        return np.unique(np.concatenate(runs)) if runs else self._owner[:0]


def _terms_of_pages(
    sentences: SentenceTerms, digits: NDArray[np.bool_], page: NDArray[np.int64], count: int
) -> list[NDArray[np.int64]]:
    """The terms of each page without numbers."""
    parts: list[list[NDArray[np.int32] | NDArray[np.int64]]] = [[_NO_TERMS] for _ in range(count)]
    for own, number in zip(sentences, page.tolist(), strict=True):
        parts[number] += own
    joined = (np.concatenate(part).astype(np.int64) for part in parts)
    return [terms[~digits[terms]] for terms in joined]


def _windows(pages: Sequence[NDArray[np.int64]]) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    cut, owners = [], []
    for number, page in enumerate(pages):
        for begin in range(0, max(1, len(page) - FORMULA.step), FORMULA.step):
            cut.append(page[begin : begin + FORMULA.window])
            owners.append(number)
    return cut, np.array(owners, dtype=np.int64)


def _indexed(texts: Sequence[NDArray[np.int64]], vocabulary: dict[str, int], *, b: float = 0.75) -> LexicalIndex:
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    return LexicalIndex.from_ids(np.concatenate([_NO_TERMS, *texts]), lengths, vocabulary, b=b)


_NUMBER = re.compile(r"^\(?\$?\d[\d,.]*\)?%?$")
WINDOW = 6_500
_SHORTEST = 600


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its number in the filing, the places of its passages, and its text.

    A file without pages is cut where a statement might begin: such a page is a stretch of text after a heading.
    """

    filing: Filing
    number: int
    places: tuple[int, ...]
    text: str

    @property
    def lines(self) -> list[str]:
        """Its lines without the white space around them."""
        return [line.strip() for line in self.text.split("\n") if line.strip()]


def pages_of(filing: Filing, register: Register, headings: Sequence[str]) -> list[Page]:
    """The pages of a filing in order; stretches after lines with one of `headings` where it has no pages."""
    groups: dict[int, list[int]] = {}
    for place, page in zip(filing.places, register.pages_of(filing).tolist(), strict=True):
        groups.setdefault(page, []).append(place)
    if len(groups) < len(filing.places) or len(filing.places) <= 3 or register.is_paged(filing):
        return [
            Page(filing, number, tuple(places), joined(register.passages(places))[0])
            for number, places in enumerate(groups.values())
        ]
    return list(_stretches(filing, register, headings))


def _stretches(filing: Filing, register: Register, headings: Sequence[str]) -> Iterator[Page]:
    text, starts = joined(register.passages(filing.places))
    low, number = text.lower(), 0
    begins = sorted({at for heading in headings for at in _line_places(low, heading)})
    for begin, following in pairwise([*begins, len(text)]):
        if following - begin < _SHORTEST:
            continue
        end = min(begin + WINDOW, following)
        inside = [
            place
            for place, start, after in zip(filing.places, starts, [*starts[1:], len(text)], strict=True)
            if start < end and after > begin
        ]
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


def numbers_in(words: Sequence[str]) -> int:
    """How many of `words` are numbers."""
    return sum(1 for word in words if _NUMBER.match(word))


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


def statement_pages(pages: Sequence[Page], profile: LineItems) -> list[StatementPage]:
    """The pages of the statements of one filing, chosen together; none where no page looks like one."""
    scored = {name: _candidates(pages, statement) for name, statement in profile.statements.items()}
    best: tuple[float, tuple[StatementPage, ...]] = (0.0, ())
    options = [[*scored[name][:_CANDIDATES], None] for name in profile.statements]
    for chosen in product(*options):
        there = tuple(each for each in chosen if each is not None)
        if there:
            value = sum(each.score for each in there) - _distance(there)
        else:
            value = 0.0
        if value > best[0]:
            best = (value, there)
    return [*best[1], *_second_halves(best[1], scored)]


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
    low = page.text.lower()
    words = page.text.split()
    share = _share_of_lines(low, statement)
    numbers = numbers_in(words)
    if numbers <= WEIGHTS.fewest_numbers or share < 0.25:
        return 0.0
    lines = [" ".join(line.lower().split()) for line in page.lines]
    head = lines[: WEIGHTS.head_lines]
    score = WEIGHTS.lines * share + WEIGHTS.numbers * min(WEIGHTS.most_numbers, numbers / len(words))
    if any(_is_heading(line, statement) for line in head):
        score += WEIGHTS.heading
    elif any(heading in line for line in head for heading in statement.headings):
        score += WEIGHTS.heading_anywhere
    score -= WEIGHTS.long_line * min(12, sum(len(line) > 140 for line in lines))
    return score - _penalties(head, statement, low)


def _is_heading(line: str, statement: Statement) -> bool:
    if len(line) >= 90 or any(word in line for word in _NOT_HEADING):
        return False
    return any(heading.replace(" ", "") in line.replace(" ", "") for heading in statement.headings)


def _penalties(head: Sequence[str], statement: Statement, low: str) -> float:
    top = " ".join(head)
    penalty = 0.0
    if "parent company only" in top or "parent-only" in top or "schedule i" in top or "parent company" in top:
        penalty += WEIGHTS.parent_only
    if any(line.startswith(("note ", "notes to")) for line in head):
        penalty += WEIGHTS.note
    if "index to" in top:
        penalty += WEIGHTS.index
    if (
        statement.name == "income statement"
        and "comprehensive" in top
        and "operating" not in low
        and "sales" not in low
    ):
        penalty += WEIGHTS.comprehensive
    return penalty


def _share_of_lines(low: str, statement: Statement) -> float:
    """The share of the lines of a statement that a page has; a line may be written in several ways ("a|b")."""
    flat = " ".join(low.split())
    variants = [line.split("|") for line in statement.lines]
    matches = sum(any(variant in flat for variant in ways) for ways in variants)
    return matches / len(statement.lines)


_RISKS_BEGIN = re.compile(
    r"(?:part ii,? *)?(?:item *1a[.:]? *)?(?:risk factors|principal risks(?: and uncertainties)?)[ .:]*", re.IGNORECASE
)
_RISKS_END = re.compile(
    r"^(?:part ii,? *)?item *(?:1[bc]|[2-9]|1\d)[.:]? *(?:[A-Z]|$)|\bitem *2\. *unregistered|^controls and procedures$",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:may|could|might|risks?|adverse(?:ly)?|harm(?:ed|s)?|expos(?:e|es|ed)|subject (?:us )?to|intense|volatile)\b",
    re.IGNORECASE,
)
_OF_HARM = re.compile(  # in a heading, beside these
    r"\b(?:harming|fail(?:s|ure)?|unable|depend(?:s|ent|ency|ence)?|disrupt(?:s|ions?)?|concentrat(?:ed|ion)"
    r"|uncertain(?:ty|ties)?|volatility)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"^(?:in addition|additionally|further|furthermore|moreover|for example|for instance|as a result|these|this|such|"
    r"those|they|also|likewise|similarly|accordingly|finally|however|although|while)\b",
    re.IGNORECASE,
)
_TELLS_MORE = re.compile(  # of what was said before, which no heading does
    r"^(?:some|other|any|it)\b|\b(?:described|discussed|listed|set forth) (?:above|below)\b|\b(?:also|these|those)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:10-?K|20-?F|10-?Q|annual report|quarterly report)\b|\bno (?:material )?changes?\b", re.IGNORECASE
)
_OF_RISKS = re.compile(r"\brisks?\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:19|20)\d\d\b|[$€£]\d")  # what happened in a year, or cost a sum, is no standing risk
_IS_TOLD = re.compile(r"\.[\"”’]?$")
_FEWEST_PASSAGES = 4
_SHARE_OF_HARM = 0.5
_HEADLINE_WORDS = (3, 50)
_RUN_IN_WORDS = 25
_FEWEST_ALIKE = 3  # headings that make a style
_TITLE_WORDS, _SMALL_WORD = 8, 4
_OF_EVERY_PAGE = "Table of Contents"
_BODY_WORDS = 20  # a line above a paragraph of so many words is its heading
_BULLETS = tuple("•●▪◦■*")


@dataclass(frozen=True, slots=True)
class StatedRisk:
    """A risk as the heading of its own states it, the place of the passage that holds it, and its group's title."""

    place: int
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class RiskSection:
    """The section of a filing that tells its risks: its places, and the statements of risks that each place holds.

    A statement is a heading ("We Face Intense Competition"), or what a paragraph begins with where that speaks of harm.
    The first of a group comes with the title of the group ("Business and Industry Risks"). `headings` are the risks
    that have a heading of their own, in order; in a filing that refers to another, the points in which what it foresees
    may come otherwise. `refers` are the sentences, by place, that send to another report.
    """

    places: tuple[int, ...] = ()
    statements: Mapping[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    headings: tuple[StatedRisk, ...] = ()
    refers: tuple[StatedRisk, ...] = ()


@once
def risk_section(filing: Filing, register: Register) -> RiskSection:
    """The longest stretch under "Risk Factors"; without places where a filing only refers to those of another."""
    passages = register.passages(filing.places)
    text, starts = joined(passages)
    begin, end = max(_risk_spans(text), key=lambda span: span[1] - span[0], default=(0, 0))
    after = [*starts[1:], len(text)]
    inside = [n for n, start in enumerate(starts) if start < end and after[n] > begin]
    harmful = sum(bool(_HARM.search(passages[n].text)) for n in inside)
    held = [(filing.places[n], passages[n].text) for n in inside]
    refers = _placed([(each, "") for each in _sent_elsewhere(text[begin:end])], held)
    if len(inside) < _FEWEST_PASSAGES or harmful < _SHARE_OF_HARM * len(inside):
        every = [(place, passage.text) for place, passage in zip(filing.places, passages, strict=True)]
        named = [(each, "") for each in risks_in_a_list(text)]
        return RiskSection(headings=_placed(named, every), refers=refers)
    statements = list(risk_statements(text[begin:end]))
    texts = {place: tuple(each for each in statements if each[0] in own) for place, own in held}
    headings = _placed(risk_headings(text[begin:end]), held)
    return RiskSection(tuple(texts), texts, headings, refers)


def _placed(stated: Sequence[tuple[str, str]], held: Sequence[tuple[int, str]]) -> tuple[StatedRisk, ...]:
    """What is stated with a passage that holds it, in order: of two that overlap the one that holds more of them."""
    results, at = [], 0
    counts = [sum(text in own for text, _ in stated) for _, own in held]
    for text, group in stated:
        holders = [n for n in range(at, len(held)) if text in held[n][1]][:2]
        if holders:
            at = max(holders, key=lambda n: (counts[n], -n))
            results.append(StatedRisk(held[at][0], text, group))
    return tuple(results)


def _sent_elsewhere(section: str) -> list[str]:
    """The sentences a section begins with that send to the risks of another report, or say that none changed."""
    head = section[:_LONGEST_INTRODUCTION]
    signs = (_OF_RISKS, _REFERS, _IS_TOLD)
    return [each for each in sentence_texts(head) if all(sign.search(each) for sign in signs)]


def risks_in_a_list(text: str) -> list[str]:
    """The points of the list of what may come otherwise than is foreseen, as forward-looking statements have it."""
    points: list[str] = []
    is_point = is_open = False
    for line in map(str.strip, text.split("\n")):
        if is_open and (is_point or line[:1] in _BULLETS):
            point = line.lstrip("".join(_BULLETS)).strip()
            is_point = not point
            if point:
                points.append(_END_OF_POINT.sub("", point))
        elif is_open and line and not line.isdigit() and line != _OF_EVERY_PAGE:
            break
        elif not is_open:
            is_open = _OPENS_RISKS.search(line) is not None
    return points if len(points) >= _FEWEST_ALIKE else []


_OPENS_RISKS = re.compile(
    r"\b(?:risks|uncertainties|factors)\b.{0,200}\b(?:differ materially|materially different)\b.{0,200}:$"
    r"|\bdiffer materially\b.{0,200}\b(?:risks|uncertainties|factors)\b.{0,200}:$",
    re.IGNORECASE,
)
_END_OF_POINT = re.compile(r"[;,.](?: (?:and|or))?$")
_LONGEST_INTRODUCTION = 2_500  # characters


def _risk_spans(text: str) -> Iterator[tuple[int, int]]:
    """From each line that is the heading of risks to the next item of the report."""
    begin, at = -1, 0
    for line in text.split("\n"):
        bare = line.strip()
        if _RISKS_BEGIN.fullmatch(bare):
            begin = at if begin < 0 else begin
        elif begin >= 0 and (match := _RISKS_END.search(bare)) and not _RISKS_BEGIN.fullmatch(bare):
            yield begin, at + match.start()
            begin = -1
        at += len(line) + 1
    if begin >= 0:
        yield begin, len(text)


def risk_statements(text: str) -> Iterator[tuple[str, str]]:
    """What the paragraphs of a section of risks state first; the first of a group comes with the group's title."""
    group = ""
    for _, line, below in _with_neighbours(text):
        if _is_group(line, below):
            group = line
            continue
        first = _first_sentence(line)
        if not first:
            continue
        is_heading = first == line and len(below.split()) >= _BODY_WORDS
        if is_heading or (_HARM.search(first) and not _GOES_ON.match(first)):
            yield first, group
            group = ""


def risk_headings(text: str) -> list[tuple[str, str]]:
    """The risks that a section states as headings, each with the title of its group; in the one style that it keeps.

    Headings are titles ("We Face Intense Competition"); or sentences on lines of their own; or sentences on which the
    paragraph goes on in the same line, as bold type leaves them in a text.
    """
    styles: dict[str, list[tuple[int, str, str]]] = {"title": [], "alone": [], "run in": []}
    group = ""
    for number, (before, line, below) in enumerate(_with_neighbours(text)):
        if _is_group(line, below):
            group = line
        elif not before.endswith(_BULLETS) and (style := _style_of(first := _first_sentence(line), line, below)):
            styles[style].append((number, first, group))
    titles, alone, run_in = styles.values()
    if len(titles) >= _FEWEST_ALIKE:
        kept = titles
    elif len(alone) >= max(_FEWEST_ALIKE, len(run_in)):
        kept = alone
    else:
        kept = sorted((*alone, *run_in))
    return [(first, of) for _, first, of in kept]


def _style_of(first: str, line: str, below: str) -> str:
    """How a line states a risk as a heading: as a "title", "alone", "run in"; empty where it states none."""
    if not first:
        return ""
    is_above_body = len(below.split()) >= _BODY_WORDS
    if first == line and first[-1] not in ".!?" and is_above_body and _is_title(first.split()):
        return "title"
    if not _is_of_harm(first) or first[-1] != ".":
        return ""
    if first == line:
        return "alone" if is_above_body or _is_plain_title(below) else ""
    return "run in" if len(first.split()) <= _RUN_IN_WORDS else ""


def _is_plain_title(line: str) -> bool:
    """Whether a line may be a title below the heading of a risk; not that of a group, which ends what is above."""
    return line[:1].isalpha() and line[-1] not in ".:;" and not _is_group(line, "")


def _with_neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    """The lines of a text with those before and below, without blank ones, page numbers and what every page says."""
    stripped = (line.strip() for line in text.split("\n"))
    lines = [line for line in stripped if line and not line.isdigit() and line != _OF_EVERY_PAGE]
    yield from zip(["", *lines], lines, [*lines[1:], ""], strict=False)


def _first_sentence(line: str) -> str:
    """The sentence that a line begins with, where it may state a risk: neither too short nor announcing a list."""
    first = next(iter(sentence_texts(line)), "")
    least, most = _HEADLINE_WORDS
    if not first or first[-1] in ":;," or not first[0].isupper():
        return ""
    return first if least <= len(first.split()) <= most else ""


def tells_harm(sentence: str) -> bool:
    """Whether a sentence tells what may come, or what does harm."""
    return _HARM.search(sentence) is not None


def _is_of_harm(sentence: str) -> bool:
    """Whether a sentence may be the heading of a risk: it names a harm, nothing said before, and no year or sum."""
    if _GOES_ON.match(sentence) or _TELLS_MORE.search(sentence):
        return False
    if _NUMBERED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_HARM, _OF_HARM))


def _is_group(line: str, below: str) -> bool:
    """Whether a line is the title of several risks: "Legal and Regulatory Risks", above the heading of the first."""
    all_words = line.split()
    if "risks" not in line.lower().split() or line[-1:] in ".:;" or len(all_words) > _TITLE_WORDS:
        return False
    return line.isupper() or (_is_title(all_words) and len(below.split()) < _BODY_WORDS)


def _is_title(all_words: Sequence[str]) -> bool:
    """Whether a line is written as a title: all words but the small ones, of up to four letters, with a capital."""
    long = [word for word in all_words if len(word) > _SMALL_WORD]
    return all(word[0].isupper() or not word[0].isalpha() for word in long)
