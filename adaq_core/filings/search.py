"""The passages of filings that answer a question best: page words, statement pages, periods, spread over filings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise, zip_longest
from string import ascii_lowercase
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.filings.conditions import (
    MOST_FILINGS,
    AskedFigure,
    FilingConditions,
    asks_for_forecast,
    asks_for_risks,
    conditions_of,
    in_own_names,
    in_words_of_filings,
    read_asked,
)
from adaq_core.filings.formula import LineItem, LineItems, Ratio
from adaq_core.filings.pages import (
    Floats,
    PageScores,
    StatementPage,
    pages_of,
    statement_pages,
    with_many_numbers,
)
from adaq_core.filings.register import Filing, Filings, Register, once, register_of, without
from adaq_core.filings.risk_sections import risk_section
from adaq_core.filings.sentences import certifying
from adaq_core.matching.answer_shapes import counted_noun, counts_it
from adaq_core.matching.lexicon import in_plain_words, single_words
from adaq_core.matching.naming import looks_forward
from adaq_core.retrieval import Corpus
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import read_sentences, stem, terms_of, words
from adaq_core.text.values import MONTHS, days


@dataclass(frozen=True, slots=True)
class SearchWeights:
    """What the words of a page query and the pages of statements count for; docs/decisions/files.md."""

    weak_word: float = 0.25
    formula_word: float = 0.6
    pair_of_name: float = 2.0  # "Data Center": words with capitals inside the question
    item_word: float = 0.5
    prose_word: float = 0.4
    statement_named: float = 1.0
    statement_of_item: float = 0.9
    statement_of_other: float = 0.2  # the item's statement, where the question names others
    statement_in_prose_question: float = 0.35
    other_word: float = 0.15  # of a word of the question: one of the same sense, where no file has pages …
    instead: float = 0.6  # … and nowhere says the word itself
    sentence: float = 1.0  # the share of the question that the best sentence says, where no file has pages …
    sentence_of_page: float = 0.5  # … and of a page that is a single passage, where one has
    day_or_sum: float = 0.6  # a sentence that says a day or a sum of the question, where a file has no pages
    beside: float = 0.25  # of the better neighbour, where a file has no pages
    certification: float = 0.25  # left of a page of certifications, where nothing is asked of those who give them
    counted: float = 0.5  # of a page that says a number right before what is counted
    forward: float = 0.25  # left of a page that lists what statements look forward to
    copied: float = 0.8  # of the runs of words of a page, said in other filings before it: it says nothing new
    outside_risks: float = 0.4  # left of a page outside the section of risks, where risks are asked for
    risk_stated: float = 0.8  # the share of the question that a statement of a risk on the page says
    risk_group: float = 0.6  # of a word of the statement: one of the title above a group of risks
    statements_of_filings: int = 2  # statements are looked for in so many of the best filings


WEIGHTS = SearchWeights()
_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}|(?<=[A-Z][a-z][a-z][a-z] )[A-Z][a-z]{2,}")
_FORM_NAMED = re.compile(r"\b(?:10-?[KQ]s?|8-?Ks?|20-?Fs?)\b")
_WEAK_WORDS = """
data year company amount report change ratio fiscal total quarter period financial based reported information following
shown end level
"""
_WEAK = frozenset(map(stem, _WEAK_WORDS.split()))
_PROSE_WORDS = "drove drive driven why segment who legal guidance which region customers products"
_PROSE_QUESTION = frozenset(_PROSE_WORDS.split())
_RISK_WORDS = "risk risks factor factors threat threats top main face facing disclose disclosed"
_OF_RISKS = frozenset(map(stem, _RISK_WORDS.split()))
_FIGURE = re.compile(r"(?i)\bhow (?:much|many)\b|\brevenue|\bsales\b|\bincome\b|\bmargin\b|\bamount|\bpercent|%")
_SUM_NAMED = re.compile(r"(?i)(?<![\d.,])\d{1,4}(?:\.\d)? (?:million|billion)\b")
_ALL = 0.999  # of the words
# Filings write these roles out, and use the short form for the officers of others.
_ROLES = {"CEO": "chief executive officer", "CFO": "chief financial officer", "COO": "chief operating officer"}
_ROLE = re.compile(rf"\b(?:{'|'.join(_ROLES)})\b")
_OF_SIGNERS = re.compile(
    r"(?i)\bcertif|\bsignator|\bexhibits?\b|\bsarbanes|\bmaterial weakness|\bcontrols?\b|\bwho\b|\bwhose\b|\bnames?\b"
)
_FORWARD = re.compile(r"(?i)\bforward[- ]looking\b")
_LEADS_TO_SIGNERS = re.compile(r"\bcertifications?\b|\bsignatures\b")
_DIGITS = re.compile(r"\d+")
_ONLY_LETTERS = bytes.maketrans(bytes(range(256)), b" " * ord("a") + ascii_lowercase.encode() + b" " * 133)
_RUN = 4  # words
_Run = tuple[str, ...]
_COMPARED = 40  # pages
_PERIOD_WORDS = """
first second third fourth quarter three six nine twelve months year years ended fiscal increase decrease
"""
_OF_PERIODS = frozenset(_PERIOD_WORDS.split()).union(map(str.lower, MONTHS))


@dataclass(frozen=True, slots=True)
class FilingResult:
    """A passage of a filing: its place in the corpus, its score in [0, 1], the filing, and what made the score."""

    place: int
    score: float
    filing: Filing
    parts: tuple[tuple[str, float], ...]
    statement: str = ""


class FilingSearch:
    """A question about filings, searched."""

    def __init__(self, question: str, conditions: FilingConditions, register: Register) -> None:
        self.question, self.conditions, self.register = question, conditions, register
        self.profile = register.profile
        self.asked: AskedFigure = read_asked(question, register.profile)
        self._weight = {filing.number: weight for filing, weight in conditions.weights}
        self._pages = _page_scores(register, [filing for filing, _ in conditions.weights][:MOST_FILINGS])
        self._statements = self._statement_strengths()
        self._risks = self._risk_statements() if asks_for_risks(question) else {}

    def results(self, texts: Sequence[str] = (), *, most: int = 60, also: Sequence[int] = ()) -> list[FilingResult]:
        """The best passages, one of each page before the second of any.

        `texts` ask for the parts of the question, one each: the best page of each part comes first, in turns. So it is
        with filings where several are asked for: the best of each filing, then the second of each. The places in `also`
        will be asked for next.
        """
        texts = [in_own_names(text, self.register) for text in texts]
        parts = [self._ordered(self._page_values(text, of_part=True)) for text in texts]
        whole = self._ordered(self._values) or self._first_pages()
        if len(parts) > 1:
            ordered = [*in_turns(parts), *whole]
        else:
            ordered = whole
        if self.conditions.spread:
            ordered = self._by_filing(ordered)
        firsts = list(dict.fromkeys(ordered))[:most]
        firsts = self._copies_last(firsts)
        pages = self._best_first(firsts, texts, also)
        results = [self._result(places[0], page) for page, places in pages]
        rest = [self._result(place, page) for page, places in pages for place in places[1:]]
        return [*results, *rest][:most]

    def places_of(self, passage_ids: Sequence[str]) -> list[int]:
        """The places of the passages with these ids, in the filings that are searched."""
        if not passage_ids:
            return []
        own = zip(self._pages.places.tolist(), self.register.passages(self._pages.places), strict=True)
        return [place for place, passage in own if passage.passage_id in passage_ids]

    def results_at(self, places: Sequence[int], *, known: Sequence[FilingResult]) -> list[FilingResult]:
        """The passages at these places that are not among the `known` results."""
        there = {result.place for result in known}
        return [self._result(place, self._page_of[place]) for place in places if place not in there]

    def _ordered(self, values: Floats) -> list[int]:
        """The pages with a value, best first."""
        return [int(page) for page in np.argsort(-values, kind="stable") if values[page] > 0]

    def _first_pages(self) -> list[int]:
        """The first page of each filing, that of the likeliest first: the nearest to words that no page holds."""
        pages = np.unique(self._filing_of_page, return_index=True)[1].tolist()
        return sorted(pages, key=lambda page: -self._weight[int(self._filing_of_page[page])])

    def _by_filing(self, pages: Sequence[int]) -> list[int]:
        """The pages in turns: the best of each filing that is asked for, best filing first, then the seconds."""
        asked = [filing.number for filing, weight in self.conditions.weights if weight >= 0.5]
        filing_of = self._filing_of_page
        by_filing = [[page for page in pages if filing_of[page] == number] for number in asked]
        return [*in_turns(by_filing), *pages]

    def _copies_last(self, pages: Sequence[int]) -> list[int]:
        """The pages that say something new first, for reports say again what the one before said, but for its figures.

        Of pages alike that of the filing which fits better counts, then that of the newer one, where the best of them
        stands. Not where each of several periods is asked for.
        """
        by_filing: dict[int, list[int]] = {}
        for page in pages[:_COMPARED]:
            # The turn of a filing: the best that fits first, then the newest.
            by_filing.setdefault(self._turns[int(self._filing_of_page[page])], []).append(page)
        if self.conditions.of_each or len(by_filing) <= 1:
            return list(pages)
        place = {page: number for number, page in enumerate(pages)}
        turn = dict(place)
        copies = set[int]()
        before: dict[int, set[_Run]] = {}  # the pages of the filings before
        elsewhere = set[_Run]()
        for _, mine in sorted(by_filing.items()):
            read = {page: self._runs_of(page) for page in mine}
            for page, own in read.items():
                said = own & elsewhere
                if said and len(said) >= WEIGHTS.copied * len(own):
                    copies.add(page)
                    shared = {other: len(runs & said) for other, runs in before.items()}
                    in_order = sorted(shared, key=place.__getitem__)
                    nearest = max(in_order, key=shared.__getitem__)
                    turn[nearest] = min(turn[nearest], turn[page])
            before |= read
            elsewhere.update(*read.values())
        return sorted(pages, key=lambda page: (page in copies, turn[page]))

    @cached_property
    def _turns(self) -> dict[int, int]:
        return {filing.number: turn for turn, (filing, _) in enumerate(self.conditions.weights)}

    def _runs_of(self, page: int) -> set[_Run]:
        """The runs of words on a page, without figures and periods."""
        is_of_it = self._pages.page == page
        passages = self.register.passages(self._pages.places[is_of_it])
        text = "\n".join(passage.text for passage in passages)
        plain = text.lower().encode("ascii", "replace")
        spoken = plain.translate(_ONLY_LETTERS).decode().split()
        kept = [word for word in spoken if len(word) > 1 and word not in _OF_PERIODS]
        behind = (kept[start:] for start in range(_RUN))
        return set(zip(*behind, strict=False))

    @cached_property
    def _values(self) -> Floats:
        """What each page counts for the whole question."""
        return self._page_values(self.asked.text)

    def _page_values(self, text: str, *, of_part: bool = False) -> Floats:
        terms, pairs = self._query(text)
        total = self._pages.scores(terms, pairs)
        total = total / max(float(total.max(initial=0.0)), 1e-9)
        own_terms = terms_of(in_plain_words(self._without_conditions(text)))  # without the words that filings have
        known = {term: weight for term, weight in terms.items() if term in own_terms}
        senses = {term: _words_of_sense(term) for term in known if self._has_no_pages}
        close = self._pages.closeness(known, figure=bool(_FIGURE.search(text)), senses=senses)
        share = WEIGHTS.sentence if self._has_no_pages else WEIGHTS.sentence_of_page
        total = total + share * close * self._alone
        for exact in self._days_and_sums(text):
            closeness = self._pages.closeness(dict.fromkeys(exact, 1.0), figure=False)
            total = total + WEIGHTS.day_or_sum * (closeness >= _ALL) * self._alone
        counting = self._pages.page[self._pages.counting(_counted(text))]
        total[counting] += WEIGHTS.counted
        own = conditions_of(text, self.register) if of_part else None
        if own:
            named = {filing.number for filing, _ in own.weights}
        else:
            named = set(self._weight)
        weights = np.array([self._weight[int(n)] if int(n) in named else 0.0 for n in self._filing_of_page])
        statements = np.array([self._statements.get(page, ("", 0.0))[1] for page in range(len(total))])
        if not _OF_SIGNERS.search(self.asked.text):
            weights = np.where(self._certifies, WEIGHTS.certification * weights, weights)
        weights = np.where(self._looks_forward, WEIGHTS.forward * weights, weights)
        if self._risks:
            weights, total = weights * self._risk_weights, total + WEIGHTS.risk_stated * self._stated_risks(known)
        values: Floats = weights * (total + (0.0 if of_part else statements))
        return values + WEIGHTS.beside * self._beside(values)

    def _days_and_sums(self, text: str) -> list[frozenset[str]]:
        """The terms of each sum that a question names, and of each day but those that periods end on."""
        ends = {filing.end.key for filing, _ in self.conditions.weights if filing.end}
        named = [text[slice(*day.span)] for day in days(text) if day.key not in ends]
        named += [match.group() for match in _SUM_NAMED.finditer(text)]
        return [frozenset(map(stem, words(each))) for each in named]

    def _risk_statements(self) -> dict[int, tuple[tuple[str, str], ...]]:
        """Per passage in the sections of risks of these filings the risks that it states."""
        sections = [risk_section(filing, self.register) for filing, _ in self.conditions.weights[:MOST_FILINGS]]
        return {place: stated for section in sections for place, stated in section.statements.items()}

    @cached_property
    def _risk_weights(self) -> Floats:
        """Per page what it counts for a question about risks."""
        weights: Floats = np.full(len(self._filing_of_page), WEIGHTS.outside_risks)
        inside = [page for place, page in self._page_of.items() if place in self._risks]
        weights[inside] = 1.0
        return weights

    @cached_property
    def _certifies(self) -> NDArray[np.bool_]:
        """Which pages hold certifications: they repeat names, roles and periods, and tell nothing of the business."""
        return self._pages_with(certifications_of)

    @cached_property
    def _looks_forward(self) -> NDArray[np.bool_]:
        """Which pages list what statements look forward to, unless that is asked: they have words of any question."""
        if _FORWARD.search(self.asked.text):
            return np.zeros(len(self._filing_of_page), dtype=np.bool_)
        return self._pages_with(looking_forward)

    def _pages_with(self, passages: Callable[[Filing, Register], frozenset[int]]) -> NDArray[np.bool_]:
        """Which pages hold one of some passages of each filing."""
        found = {place for filing, _ in self.conditions.weights for place in passages(filing, self.register)}
        pages: NDArray[np.bool_] = np.zeros(len(self._filing_of_page), dtype=np.bool_)
        pages[[page for place, page in self._page_of.items() if place in found]] = True
        return pages

    def _stated_risks(self, words: Mapping[str, float]) -> Floats:
        """Per page the share of the words of a question that a risk stated on it says."""
        asked = set(words) - _OF_RISKS
        shares: Floats = np.zeros(len(self._filing_of_page))
        for place, statements in self._risks.items():
            stated = [_share_stated(asked, *statement) for statement in statements]
            if place in self._page_of:
                page = self._page_of[place]
                shares[page] = max(shares[page], *stated, 0.0)
        return shares

    @cached_property
    def _page_of(self) -> dict[int, int]:
        """The page of each passage."""
        return dict(zip(self._pages.places.tolist(), self._pages.page.tolist(), strict=True))

    @cached_property
    def _alone(self) -> NDArray[np.bool_]:
        """Which pages are a single passage: those of files without pages. Of these many say the same few words."""
        alone: NDArray[np.bool_] = np.bincount(self._pages.page) == 1
        return alone

    @cached_property
    def _has_no_pages(self) -> bool:
        """Whether no file that is searched has pages of several passages."""
        return bool(self._alone.all())

    def _beside(self, values: Floats) -> Floats:
        """Per page that is a single passage the better of its neighbours in the filing: a section goes on there."""
        alone = self._alone
        first = self._pages.places[np.unique(self._pages.page, return_index=True)[1]]
        follows = (np.diff(first) == 1) & alone[1:] & alone[:-1]
        follows &= self._filing_of_page[1:] == self._filing_of_page[:-1]
        beside: Floats = np.zeros(len(values))
        beside[1:][follows] = values[:-1][follows]
        beside[:-1][follows] = np.maximum(beside[:-1][follows], values[1:][follows])
        return beside

    @cached_property
    def _filing_of_page(self) -> NDArray[np.int64]:
        first = np.unique(self._pages.page, return_index=True)[1]
        return self.register.filing_of(self._pages.places[first])

    def _best_first(
        self, pages: Sequence[int], texts: Sequence[str], also: Sequence[int]
    ) -> list[tuple[int, list[int]]]:
        """Each page with its passages, the one with most of the question's words first."""
        own: dict[int, list[int]] = {page: self._pages.places[self._pages.page == page].tolist() for page in pages}
        scores: dict[int, float] = {}
        if any(len(places) > 1 for places in own.values()):
            # Of all pages at once, and of what is asked for besides: what an engine elsewhere brings comes in one go.
            every = [place for places in own.values() for place in places]
            scores = self._passage_scores([*every, *also], (self.asked.text, *texts))

        several = (places for places in own.values() if len(places) > 1)
        counting = self._counting(list(chain.from_iterable(several)))

        def turn(place: int) -> tuple[bool, float, int]:
            return place not in counting, -scores.get(place, 0.0), place

        return [(page, sorted(own[page], key=turn)) for page in pages]

    def _counting(self, places: Sequence[int]) -> frozenset[int]:
        """Which of these passages count what the question counts."""
        is_counting = self._pages.counting(_counted(self.asked.text))
        may_count = set(self._pages.places[is_counting].tolist())
        likely = [place for place in places if place in may_count]
        read = zip(likely, self.register.passages(likely), strict=True)
        return frozenset(place for place, passage in read if _counts(self.asked.text, passage.text))

    def _passage_scores(self, places: Sequence[int], texts: Sequence[str]) -> dict[int, float]:
        index = self.register.index
        scores = [index.score_terms(Counter(self._query(text)[0]), places) for text in texts]
        best: list[float] = np.max(scores, axis=0).tolist()
        return dict(zip(places, best, strict=True))

    def _result(self, place: int, page: int) -> FilingResult:
        values = self._values
        filing = self.register.filings[int(self._filing_of_page[page])]
        statement, strength = self._statements.get(page, ("", 0.0))
        parts = [("page", float(values[page])), ("filing", self._weight[filing.number])]
        if strength:
            parts.append(("statement", strength))
        return FilingResult(place, float(min(1.0, values[page] / 2)), filing, tuple(parts), statement)

    def _query(self, text: str) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
        """The index terms of a page query with weights, and its pairs; company and period chose the filing already."""
        terms: dict[str, float] = {}
        bare = in_plain_words(self._without_conditions(text))
        ordered = [[stem(word) for word in words(piece)] for piece in _phrases(bare)]
        strong = {stem(word.lower()) for word in _CAPITALISED.findall(bare)}
        for term in (term for phrase in ordered for term in phrase if term and not term[:1].isdigit()):
            terms[term] = WEIGHTS.weak_word if term in _WEAK - strong else 1.0
        pairs = {
            (left, right): WEIGHTS.pair_of_name if {left, right} <= strong else 1.0
            for phrase in ordered
            for left, right in pairwise([term for term in phrase if term])
            if not (left[:1].isdigit() or right[:1].isdigit())
        }
        for text_, weight in self._vocabulary():
            for term in (stem(word) for word in words(text_)):
                if term and not term[:1].isdigit():
                    terms.setdefault(term, weight)
        if self._has_no_pages:
            for term in [term for term, weight in terms.items() if weight == 1.0]:
                weight = WEIGHTS.other_word if self._pages.says(term) else WEIGHTS.instead
                for other in _words_of_sense(term):
                    terms[other] = max(terms.get(other, 0.0), weight)
        return terms, pairs

    def named_terms(self) -> frozenset[str]:
        """The terms of the question besides companies, periods and forms."""
        return terms_of(_DIGITS.sub(" ", self._without_conditions(self.asked.text)))

    def company_as_named(self) -> str:
        """The company in the question's word for it."""
        for mention in self.register.companies.named_in(self.question):
            return not_owning(self.question[slice(*mention.span)])
        return self.register.companies.labels[self.conditions.companies[0]]

    def _without_conditions(self, text: str) -> str:
        bare = self.register.bare(text).replace("FY", " ")
        text = _ROLE.sub(lambda match: _ROLES[match.group()], bare)
        return " ".join(_FORM_NAMED.sub(" ", text).split())

    def _vocabulary(self) -> list[tuple[str, float]]:
        """The words that filings have for what the question names."""
        added = [(item.name, WEIGHTS.item_word) for item in _items_of(self.asked.named, self.profile)]
        added += [
            (word, WEIGHTS.item_word)
            for item in self.asked.named
            if isinstance(item, LineItem)
            for word in item.words[:2]
        ]
        low = f" {self.asked.text.lower()} "
        is_of_signers = _OF_SIGNERS.search(low) is not None
        for cues, search in self.profile.prose:
            if _LEADS_TO_SIGNERS.search(search) and not is_of_signers:
                continue  # leases are signed too, and a chief executive officer sells shares
            if any(cue in low for cue in cues):
                added.append((search, WEIGHTS.prose_word))
        return [(self.asked.formula, WEIGHTS.formula_word), *added]

    def _statement_strengths(self) -> dict[int, tuple[str, float]]:
        """Per page the statement that it is, and how strongly the question wants that."""
        wanted = self._wanted_statements()
        if not wanted:
            return {}
        strengths: dict[int, tuple[str, float]] = {}
        page_of = self._page_of
        for filing, _ in self.conditions.weights[: WEIGHTS.statements_of_filings]:
            for result in statements_of(filing, self.register):
                strength = wanted.get(result.statement, 0.0)
                for page in {page_of[place] for place in result.page.places if place in page_of}:
                    if strength > strengths.get(page, ("", 0.0))[1]:
                        strengths[page] = (result.statement, strength)
        return strengths

    def _wanted_statements(self) -> dict[str, float]:
        named = dict.fromkeys(self.asked.statements, WEIGHTS.statement_named)
        items = _items_of(self.asked.named, self.profile)
        items += _items_of(tuple(item for item, _ in self.profile.named_in(self.asked.formula)), self.profile)
        prose = bool(_PROSE_QUESTION & set(words(self.asked.text))) or self._is_of_a_part()
        prose = prose or asks_for_forecast(self.asked.text)
        strength = WEIGHTS.statement_in_prose_question if prose else WEIGHTS.statement_of_item
        for item in items:
            named.setdefault(item.statement, WEIGHTS.statement_of_other if self.asked.statements else strength)
        return named

    def _is_of_a_part(self) -> bool:
        """Whether the question names something besides the company: "Data Center revenue" is in no statement."""
        bare = self._without_conditions(self.asked.text)
        bare = without(bare, (span for _, span in self.profile.named_in(bare)))
        return any(word not in MONTHS for word in _CAPITALISED.findall(" ".join(bare.split())))


Item = TypeVar("Item", int, str)


def in_turns(lists: Sequence[Sequence[Item]]) -> list[Item]:
    """The first of each list, then the second of each, and so on; each only once."""
    turns = chain.from_iterable(zip_longest(*lists))
    return list(dict.fromkeys(each for each in turns if each is not None))


def search_of(question: str, index: Corpus) -> FilingSearch | None:
    """The question as a search in the filings of the corpus; None where it names none of their companies."""
    register = register_of(index)
    if register is None:
        return None
    question = in_own_names(in_words_of_filings(question, register.profile), register)
    conditions = conditions_of(question, register)
    if conditions is None:
        return None
    return FilingSearch(question, conditions, register)


def _items_of(named: Sequence[LineItem | Ratio], profile: LineItems) -> list[LineItem]:
    items = [
        each for named_ in named for each in (profile.items_of(named_) if isinstance(named_, Ratio) else (named_,))
    ]
    return list({item.name: item for item in items}.values())


def _share_stated(asked: Set[str], statement: str, group: str) -> float:
    """The share of the words that a risk states, or that the title of its group does, which counts less."""
    own, of_group = terms_of(statement), terms_of(group)
    shared = len(asked & own) + WEIGHTS.risk_group * len((asked & of_group) - own)
    return shared / max(1, len(asked))


def _counted(text: str) -> frozenset[str]:
    """The terms of what a question counts, and of what says the same."""
    noun = counted_noun(text)
    return noun.union(*map(_words_of_sense, noun))


def _counts(question: str, text: str) -> bool:
    """Whether a sentence of a passage counts what a question counts."""
    noun = counted_noun(question)
    saying = (sentence for sentence in read_sentences(text) if noun & sentence.terms)
    told = (text[each.start : each.end] for each in saying)
    return any(counts_it(question, each) is None for each in told)


def _words_of_sense(term: str) -> tuple[str, ...]:
    """The single words that say the same as one of a question, without itself."""
    return tuple(sorted(single_words([term]) - {term}))


def _phrases(text: str) -> list[str]:
    """The stretches of a text between punctuation marks: word pairs never cross one."""
    marks = str.maketrans(dict.fromkeys(',.;:?!()“”"', "\n"))
    return text.translate(marks).split("\n")


_PAGES: WeakKeyDictionary[Filings, dict[tuple[int, ...], PageScores]] = WeakKeyDictionary()
_KEPT = 40


def _page_scores(register: Register, filings: Sequence[Filing]) -> PageScores:
    """The indexed pages of these filings, kept for the next question."""
    kept = _PAGES.setdefault(register.held, {})
    key = tuple(sorted(filing.number for filing in filings))
    if key not in kept:
        if len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[key] = PageScores(register, sorted(filings, key=lambda filing: filing.number))
    return kept[key]


@once
def certifications_of(filing: Filing, register: Register) -> frozenset[int]:
    """The places of a filing's certifications."""
    passages = register.passages(filing.places)
    certified = certifying([passage.text for passage in passages])
    return frozenset(filing.places[number] for number in certified)


@once
def looking_forward(filing: Filing, register: Register) -> frozenset[int]:
    """The places of a filing's passages that list what its statements look forward to."""
    passages = register.passages(filing.places)
    read = zip(filing.places, passages, strict=True)
    return frozenset(place for place, passage in read if looks_forward(passage.text))


@once
def statements_of(filing: Filing, register: Register) -> list[StatementPage]:
    """The statement pages of a filing."""
    pages = pages_of(filing, register, register.profile.headings)
    return statement_pages(with_many_numbers(pages, filing, register), register.profile)
