"""How good a passage is as evidence: what a run asks of its pool of candidates, and the pool of a corpus of filings."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from adaq_core.filings import parts_of, places_of_figures
from adaq_core.filings.risk_lists import risks_listed
from adaq_core.filings.search import FilingResult, FilingSearch
from adaq_core.filings.statement_figures import EACH, Figure
from adaq_core.matching.likelihood import FEATURES, Likelihood
from adaq_core.model import (
    Link,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    ScoredPassage,
    Subquery,
)
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import template
from adaq_core.question.reading import read_question
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import Corpus


@dataclass(frozen=True, slots=True)
class Selection:
    """The best candidates together, in the order of choice; `ranked` goes on past the evidence.

    `size` is how many of the first are worth returning, `sufficiency` the calibrated probability that all the evidence
    needed is among the first k (None where it is unknown).
    """

    ranked: tuple[RankedPassage, ...]
    size: int
    sufficiency: float | None = None


class CandidatePool(Protocol):
    """The candidates of one run: what the question brings, what queries add, where names lead, the best together."""

    @property
    def name(self) -> str:
        """How candidates are weighed, and why so."""
        ...

    @property
    def signals(self) -> Signals:
        """What the question and the corpus say of every passage."""
        ...

    @property
    def weighs_facts(self) -> bool:
        """Whether passages are weighed as links of a fact look-up, and not as passages about a topic."""
        ...

    @property
    def depth(self) -> int:
        """How many candidates an evidence set is chosen from."""
        ...

    @property
    def least_score(self) -> float:
        """Below which score a passage that a further hop could bring is not worth that hop."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """What the question asks for and the corpus has not."""
        ...

    def seed(self) -> Sequence[ScoredPassage]:
        """Take in what the question itself brings; best first."""
        ...

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what a query brought; the first provenance of a passage stays."""
        ...

    def expand(self, *, hop: int) -> tuple[Link, ...]:
        """Take in what the best candidates name; the strongest links to new passages."""
        ...

    def select(self, k: int, *, depth: int = 0, needed: Collection[str] | None = None) -> Selection:
        """The evidence of size `k`; the order goes on to `depth` candidates.

        Where it is said which passages are `needed`, by id, it may end behind the tenth and the last of them.
        """
        ...

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """The calibrated probability that all the evidence needed is in `evidence`; None where it is unknown."""
        ...


class Reader(Protocol):
    """What reads a passage for all aspects."""

    def at_most(self, passage: Passage) -> float:
        """The most that `best` may give, in [0, 1], which is known sooner."""
        ...

    def best(self, passage: Passage) -> float:
        """How well the best sentence of a passage speaks to an aspect, in [0, 1]."""
        ...


DEEP = 60  # candidates
READ = 25  # of them, which are read before the set is chosen; 40 bring two questions of 333 more
ORDER = Path(__file__).parent / "artefacts" / "filings.json"
# How the search ranked a passage, and what was measured of the sentence of it that speaks best to an aspect.
ORDER_FEATURES = ("reciprocal_rank", "depth", "relative_score", "speaks", *(f"sentence_{name}" for name in FEATURES))

# By passage id the features of its sentence that speaks best to an aspect, in the order of FEATURES.
Measured = Callable[[Sequence[Passage]], Mapping[str, Sequence[float]]]


class _KnownPool:
    """A pool whose passages are known before the first hop: queries add none to it, and names lead nowhere."""

    depth = DEEP
    least_score = 0.0
    weighs_facts = False

    def __init__(self, index: Corpus, asked: str) -> None:
        self._index = index
        self._asked = asked

    @cached_property
    def signals(self) -> Signals:
        """What the question and the corpus say of every passage."""
        return Signals(self._index, read_question(self._index, self._asked))

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in nothing: what a query brings from elsewhere is of another company or table, the rest is known."""

    def expand(self, *, hop: int) -> tuple[Link, ...]:
        """Take no steps: filings and rows name others, which is not where answers are."""
        return ()

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """Unknown here: nothing is learned from scores like these."""
        return None


class FilingPool(_KnownPool):
    """What a run has found so far in filings; deterministic. The same face as the other pools.

    The passages that hold the values of a computed figure come first, or the risks that a report lists. With
    `measured` the last place of the set is that of the passage, of those behind it, that is likeliest to answer, which
    was learned of how the search ranked it and of what its sentences say (`python -m benchmarks.filing_order`).
    """

    def __init__(
        self,
        index: Corpus,
        search: FilingSearch,
        *,
        aspects: Sequence[QueryAspect] = (),
        figure: Figure | None = None,
        measured: Measured | None = None,
    ) -> None:
        super().__init__(index, search.question)
        self._search = search
        self._measured = measured
        self._likeliest: dict[tuple[int, int], list[tuple[Passage, FilingResult]]] = {}
        parts = [template(aspect, search.question) for aspect in aspects]
        self._texts = tuple(dict.fromkeys(parts)) if len(parts) > 1 else ()
        search.register.look_up(self._texts)
        listed = risks_listed(parse(search.question), index)
        of_figures = () if listed else places_of_figures(search.question, index, parts_of(aspects), figure)
        self._operands = listed.passage_ids if listed else of_figures
        self._turns = {passage: turn for turn, passage in enumerate(listed.passage_ids)} if listed else {}
        self._places = search.places_of(self._operands)
        self._known: dict[int, list[tuple[Passage, FilingResult]]] = {}

    @property
    def name(self) -> str:
        """Which filings are searched, and how."""
        conditions = self._search.conditions
        labels = [self._search.register.companies.labels[company] for company in conditions.companies]
        best = (filing.label or filing.form for filing, weight in conditions.weights if weight >= 0.5)
        first = [*dict.fromkeys(best)][:4]
        periods = f", {', '.join(first)} first" if first else ""
        how = ", one passage of each filing in turn" if conditions.spread else ""
        companies = " and ".join(filter(None, (", ".join(labels[:-1]), *labels[-1:])))
        return f"filings of {companies}{periods}{how}: by the words of their pages and their statements"

    @property
    def notices(self) -> tuple[str, ...]:
        """What the question asks for and no filing has."""
        return self._search.conditions.widened

    def seed(self) -> list[ScoredPassage]:
        """The candidates that the question itself brings, best first."""
        results = self._search.results(most=DEEP)
        passages = self._index.fetch([result.place for result in results])
        pairs = zip(passages, results, strict=True)
        return [ScoredPassage(passage, result.score, rank) for rank, (passage, result) in enumerate(pairs, start=1)]

    def select(self, k: int, *, depth: int = 0, needed: Collection[str] | None = None) -> Selection:
        """The best `k` passages together, in the order of choice, then the next ones to `depth`."""
        count = max(k, depth)
        best = self._with_likeliest(k, max(count, DEEP))[:count]
        ranked = [self._ranked(*pair, rank) for rank, pair in enumerate(best, start=1)]
        return Selection(tuple(ranked), k)

    def _best(self, most: int) -> list[tuple[Passage, FilingResult]]:
        """The passages found, best first: no hop changes them."""
        if most not in self._known:
            results = self._search.results(self._texts, most=most, also=self._places)
            results += self._search.results_at(self._places, known=results)
            passages = self._index.fetch([result.place for result in results])
            pairs = list(zip(passages, results, strict=True))
            last = len(self._turns)
            pairs.sort(key=lambda pair: self._turns.get(pair[0].passage_id, last))
            pairs.sort(key=lambda pair: pair[0].passage_id not in self._operands)
            self._known[most] = pairs
        return self._known[most]

    def _with_likeliest(self, k: int, most: int) -> list[tuple[Passage, FilingResult]]:
        """The passages found, with the likeliest to answer of the others in the last place of `k`."""
        if self._measured is None or self.is_looked_up:
            return self._best(most)
        if (k, most) not in self._likeliest:
            best = self._best(most)
            read = with_likeliest(best[:READ], k, self._measured)
            self._likeliest[k, most] = [*read, *best[READ:]]
        return self._likeliest[k, most]

    @property
    def is_looked_up(self) -> bool:
        """Whether it is known which passages answer: those of a computed value, or of a list of risks."""
        return bool(self._operands)

    def searched(self) -> list[tuple[Passage, FilingResult]]:
        """The passages that are read before the set is chosen, as the search ranked them."""
        return self._best(DEEP)[:READ]

    def _ranked(self, passage: Passage, result: FilingResult, rank: int) -> RankedPassage:
        label = result.filing.label or result.filing.form
        company = self._search.register.companies.labels[result.filing.company]
        what = f"its {result.statement}" if result.statement else "a page with the question's words"
        return RankedPassage(
            passage,
            rank,
            result.score,
            Provenance(1, self._search.question),
            parts=result.parts,
            reason=f"{what}; {company}, {result.filing.form} {label}",
        )


def with_likeliest(
    pairs: Sequence[tuple[Passage, FilingResult]], k: int, measured: Measured
) -> list[tuple[Passage, FilingResult]]:
    """The first `k` - 1 pairs, behind them the one of the others that is likeliest to answer, then what is left.

    Of equals it is the one that the search ranked better.
    """
    first, others = [*pairs[: k - 1]], range(k - 1, len(pairs))
    if len(others) == 0:
        return first
    model, rows = _order(), order_features(pairs, measured)
    chances = {place: model.chance(rows[place]) for place in others}
    comes = max(others, key=lambda place: (chances[place], -place))
    return [*first, pairs[comes], *(pairs[place] for place in others if place != comes)]


def order_features(pairs: Sequence[tuple[Passage, FilingResult]], measured: Measured) -> list[tuple[float, ...]]:
    """A row of features for each passage, in the order of ORDER_FEATURES; those of a sentence are 0.0 without one."""
    sentences = measured([passage for passage, _ in pairs])
    none = (0.0,) * len(FEATURES)
    top = max((result.score for _, result in pairs), default=0.0) or 1.0
    rows: list[tuple[float, ...]] = []
    for place, (passage, result) in enumerate(pairs):
        sentence = sentences.get(passage.passage_id)
        searched = (1 / (1 + place), place / READ, result.score / top)
        rows.append((*searched, float(sentence is not None), *(sentence or none)))
    return rows


@cache
def _order() -> Likelihood:
    return Likelihood.of(json.loads(ORDER.read_text(encoding="utf-8")), ORDER_FEATURES)


class RowsPool(_KnownPool):
    """The passages that a figure was worked out from, rows or sentences, in their order: nothing else is evidence.

    The same face as the other pools.
    """

    depth = DEEP
    least_score = 0.0
    weighs_facts = False
    notices = ()

    def __init__(self, index: Corpus, question: str, figure: Figure) -> None:
        super().__init__(index, question)
        self._figure = figure

    @property
    def name(self) -> str:
        """Which rows of which table, or of which things each by itself."""
        what = "one by one" if self._figure.unit == EACH else "rows of a table"
        return f"{what}: {self._figure.derivation}"

    def seed(self) -> list[ScoredPassage]:
        """The passages of the rows."""
        ids = dict.fromkeys(operand.passage_id for operand in self._figure.operands)
        return [ScoredPassage(self._index.passage(each), 1.0, rank) for rank, each in enumerate(ids, start=1)]

    def select(self, k: int, *, depth: int = 0, needed: Collection[str] | None = None) -> Selection:
        """The passages of the rows, in their order."""
        why = "holds what the answer is made of"
        origin = Provenance(1, self._asked)
        ranked = [RankedPassage(hit.passage, hit.rank, hit.score, origin, reason=why) for hit in self.seed()]
        return Selection(tuple(ranked[:k]), min(k, len(ranked)))
