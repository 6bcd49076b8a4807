"""The candidates of a question whose facts are looked up by names, their scores, and what speaks for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Link, Passage, Provenance, QueryAspect, RankedPassage, ScoredPassage, Settings, Subquery
from adaq_core.question.reading import read_question
from adaq_core.ranking import Selection, learned
from adaq_core.ranking.learned import Learned, family_for, load
from adaq_core.ranking.links import Step
from adaq_core.ranking.scoring import (
    Scoring,
    choice_of,
    link_scores,
    question_candidates,
    scores_after,
    size_of,
    untrained_scores,
    walk_candidates,
)
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import Corpus, Floats
from adaq_core.retrieval.index import Vectors
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import terms_of

Explanation = tuple[tuple[str, ...], tuple[tuple[str, float], ...], str]

DEPTH = 10  # candidates that the trace shows
MAX_LINKS = 6  # of one hop
MIN_LINK = 0.02  # chance below which a link is not followed
# A hop is made for a passage with one chance in 50 to be evidence: hotpotqa, 2wiki, musique, 139 questions each.
LEAST_CHANCE = 0.02  # below it a passage is not worth a hop
_COVERED = 0.6  # of the weight of an aspect's words
_QUOTE = 90  # characters
_WORDS = 5  # named in a reason, the rarest


class LinkedPool:
    """What a run has found so far, and how good each passage is as evidence for the question; deterministic.

    Scores are probabilities where a learned ranker applies to the corpus, shares of the best one elsewhere. All
    candidates are weighed against the whole question, whatever query brought them.
    """

    depth = DEPTH
    weighs_facts = True

    def __init__(
        self,
        index: Corpus,
        question: str,
        aspects: Sequence[QueryAspect],
        settings: Settings,
        *,
        vectors: Vectors | None = None,
        learned: Learned | None = None,
    ) -> None:
        self.index = index
        self.question = question
        self.aspects = tuple(aspects)
        self.settings = settings
        self.vectors = vectors
        self._family = family = family_for(index, question)
        wanted = settings.learned is not False and family is not None
        self._learned = learned or (load(family) if wanted and family is not None else None)
        self.signals = Signals(index, read_question(index, question))
        self.signals.ask_at_once()
        self.scoring = Scoring(self.signals)
        self._came: dict[int, Provenance] = {}
        self._links: dict[int, Link] = {}
        self._explanations: dict[int, tuple[Link | None, Explanation]] = {}
        self._spans: dict[int, list[tuple[int, int]]] = {}
        self._fresh = True
        self._selected: tuple[list[int], list[RankedPassage]] | None = None

    notices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The ranker that is at work, and why."""
        density = f"mention graph density {self.index.link_density:.2f}"
        if self._learned is not None:
            why = density if self._learned.family == "linked" else f"sources and dates known, {density}"
            return f"learned: {self._learned.family} passages ({why})"
        kind = "mention graph" if self.index.is_linked else "clauses and constraints"
        asked = "not learned on request" if self.settings.learned is False else "no learned ranker fits this corpus"
        return f"untrained: {kind} ({asked}, {density})"

    @property
    def least_score(self) -> float:
        """The chance below which a passage is not worth a hop; no bound where scores are no chances."""
        return LEAST_CHANCE if self._learned is not None else 0.0

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what a query brought; the first provenance of a passage stays."""
        self._selected = None
        positions = [self.index.position(hit.passage.passage_id) for hit in hits]
        for position in positions:
            self._came.setdefault(position, Provenance(hop=hop, query=query.text, aspect=query.aspect))
        if self.scoring.add(positions):
            self._fresh = False

    def seed(self) -> tuple[ScoredPassage, ...]:
        """The best ten candidates that the question itself brings, best first: the first hop's probe."""
        self._selected = None
        result = question_candidates(self.signals)
        for position in result:
            self._came.setdefault(position, Provenance(hop=1, query=self.question))
        if self.scoring.add(result):
            self._fresh = False
        self._score()
        seeds = set(result)
        best_first = map(int, self.scoring.order())
        order = [number for number in best_first if self.scoring.positions[number] in seeds]
        passages = self.index.fetch([self.scoring.positions[n] for n in order[:DEPTH]])
        return tuple(
            ScoredPassage(passage, float(self.scoring.scores[n]), rank)
            for rank, (n, passage) in enumerate(zip(order, passages, strict=False), start=1)
        )

    def expand(self, *, hop: int) -> tuple[Link, ...]:
        """One round of steps from the best passages; their targets become candidates and all are weighed anew.

        Returns the links to the most promising passages, best first.
        """
        if not self._steps_make_sense():
            return ()
        self._selected = None
        self.scoring.ask_ahead()
        if not self.scoring.rounds:
            self._walk_names(hop)
        self._score()
        steps = self.scoring.find_steps()
        self._fresh = False
        self._score()
        values = self._weigh(steps)
        links = self._remember(steps, values, hop=hop)
        return tuple(links)[:MAX_LINKS]

    def _walk_names(self, hop: int) -> None:
        """Take in what lies near the names of the question, by a walk along the names that passages mention."""
        walked = walk_candidates(self.signals)
        for position in walked:
            self._came.setdefault(position, Provenance(hop=hop, query=self.question))
        if self.scoring.add(walked):
            self._fresh = False

    def _steps_make_sense(self) -> bool:
        follows = self.index.is_linked if self._learned is None else self._learned.follows_links
        return follows and bool(self.scoring.positions)

    def _weigh(self, steps: Sequence[Step]) -> Floats:
        """Score the steps just found, and all candidates in their light."""
        if self._learned is None:
            values = link_scores(self.scoring, steps)
            follows_links = self._family == "linked"  # titles that are no names lead anywhere: measured, and worse
            self.scoring.finish_round(
                scores_after(self.scoring, steps) if follows_links else self.scoring.scores, values
            )
            return values
        again = self.scoring.rounds > 0
        values = self._learned.link(self.scoring.step_features(), again=again)
        scores = self._learned.later(self.scoring.later_features(values), again=again)
        self.scoring.finish_round(scores, values)
        return values

    def _score(self) -> None:
        """Bring the scores up to date after candidates were added."""
        if self._fresh:
            return
        rows = self.scoring.refresh()
        if self._learned:
            first = self._learned.first(rows)
        else:
            first = untrained_scores(self.scoring)
        self.scoring.start(first)
        if self._learned is not None and not self._learned.follows_links:
            rows = self.scoring.later_features(np.zeros(0, dtype=np.float32))
            self.scoring.revise(self._learned.later(rows, again=False))
        self._fresh = True

    def _remember(self, steps: Sequence[Step], values: Floats, *, hop: int) -> list[Link]:
        """Keep the best link of each target; the links of this round to unread worlds, best first."""
        best: dict[int, Link] = {}
        for number in np.argsort(-values, kind="stable").tolist():
            step, value = steps[number], float(values[number])
            if step.target not in best and value >= MIN_LINK:
                best[step.target] = self._link(step, value)
        for target, link in best.items():
            self._came.setdefault(target, Provenance(hop=hop, link=link))
            known = self._links.get(target)
            self._links[target] = link if known is None or link.score > known.score else known
        return list(best.values())

    def _link(self, step: Step, value: float) -> Link:
        parent, target = self.index.fetch([step.parent, step.target])
        if step.parent not in self._spans:
            self._spans[step.parent] = sentences(parent.text)
        spans = self._spans[step.parent]
        start, end = spans[min(step.sentence, len(spans) - 1)]
        entity = self.signals.name(step.entity).key
        return Link(
            parent.passage_id, parent.text[start:end], _as_written(entity, parent.text), target.passage_id, value
        )

    def ranked(self, most: int | None = None) -> list[RankedPassage]:
        """The candidates, best first, with their worth in [0, 1]: all of them, or the first `most`."""
        self._score()
        return self._as_ranked([int(number) for number in self.scoring.order()[:most]])

    def select(self, k: int, *, depth: int = 0, needed: Collection[str] | None = None) -> Selection:
        """The evidence of size `k`, in order of choice; the order goes on to ten passages, or to `depth` by worth."""
        chosen = self._chosen(max(k, DEPTH))[1]
        if depth > len(chosen):
            ids = {each.passage.passage_id for each in chosen}
            chosen = chosen + [each for each in self.ranked(depth) if each.passage.passage_id not in ids]
        return Selection(tuple(chosen), self._size(k), self.sufficiency(chosen[:k]))

    def _chosen(self, count: int) -> tuple[list[int], list[RankedPassage]]:
        self._score()
        if self._selected is None or len(self._selected[0]) != min(count, len(self.scoring.positions)):
            numbers = choice_of(self.scoring, k=self.settings.k, count=count, learned=self._learned is not None)
            self._selected = (numbers, self._as_ranked(numbers))
        return self._selected

    def _as_ranked(self, numbers: Sequence[int]) -> list[RankedPassage]:
        positions = [self.scoring.positions[number] for number in numbers]
        self._tell([number for number, position in zip(numbers, positions, strict=True) if self._is_new(position)])
        passages = self.index.fetch(positions)
        pairs = zip(numbers, passages, strict=True)
        return [self._one(number, passage, rank) for rank, (number, passage) in enumerate(pairs, start=1)]

    def _one(self, number: int, passage: Passage, rank: int) -> RankedPassage:
        position = self.scoring.positions[number]
        covers, parts, why = self._explanations[position][1]
        return RankedPassage(
            passage=passage,
            rank=rank,
            score=min(max(float(self.scoring.scores[number]), 0.0), 1.0),
            provenance=self._came.get(position, Provenance(hop=1, query=self.question)),
            covers=covers,
            parts=parts,
            reason=why,
        )

    def _is_new(self, position: int) -> bool:
        """Whether the explanation of a passage is missing, or from before its best link came."""
        known = self._explanations.get(position)
        return known is None or known[0] is not self._links.get(position)

    def _tell(self, numbers: Sequence[int]) -> None:
        """Put together the explanations of candidates: the aspects covered, the score parts and the reason."""
        places = [self.scoring.positions[number] for number in numbers]
        links = [self._links.get(place) for place in places]
        parts = _score_parts(self.scoring, numbers, links)
        for number, place, link, part in zip(numbers, places, links, parts, strict=True):
            self._explanations[place] = link, (self._covers(number), part, _reason(self.scoring, number, link))

    def _covers(self, number: int) -> tuple[str, ...]:
        """The aspects most of whose words the passage holds."""
        contained = self.scoring.pool.unit[number]
        return tuple(name for name, weights, least in self._wanted if 0 < least <= float(contained @ weights))

    @cached_property
    def _wanted(self) -> list[tuple[str, Floats, float]]:
        """The words of each aspect, weighed among the terms of the question; and how much of them is most."""
        terms, wanted = self.signals.reading.terms, []
        for aspect in self.aspects:
            asked = terms_of(" ".join((aspect.aspect, *aspect.keywords)))
            weights = self.signals.reading.idf * np.array([term in asked for term in terms], dtype=np.float32)
            wanted.append((aspect.aspect, weights, _COVERED * float(weights.sum())))
        return wanted

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """The calibrated probability that all the evidence needed is in `evidence`; None where it is unknown."""
        if self._learned is None or "sufficiency" not in self._learned.numbers or not self.scoring.positions:
            return None
        places = {position: number for number, position in enumerate(self.scoring.positions)}
        chosen = [places[p] for r in evidence if (p := self.index.position(r.passage.passage_id)) in places]
        return learned.estimate(self._learned.numbers["sufficiency"], self.scoring, chosen)

    def _size(self, k: int) -> int:
        """How many of the `k` to return as evidence: all of them, or fewer where their probabilities say so."""
        if self._learned is None or self.signals.reading.is_beyond:
            return min(k, len(self.scoring.positions))
        return size_of(self.scoring, self._chosen(max(k, DEPTH))[0], k=k)


def _as_written(key: str, text: str) -> str:
    """The name as the text writes it; its key form when it is written across other marks."""
    place = text.lower().find(key)
    if place >= 0:
        return text[place : place + len(key)]
    return key


def _score_parts(
    scoring: Scoring, numbers: Sequence[int], links: Sequence[Link | None]
) -> list[tuple[tuple[str, float], ...]]:
    """The parts of each candidate's score that a person can follow, each in [0, 1]; those above 0."""
    signals = scoring.signals
    places = [scoring.positions[number] for number in numbers]
    walk = _exact(signals.page_rank.of(places)) / signals.page_rank_top
    columns = {
        "words": _exact(signals.bm25.of(places)) / signals.top,
        "names": np.array([signals.titles.get(document, 0.0) for document in signals.documents(places).tolist()]),
        "clause": _exact(signals.facet_score.of(places)),
        "walk": walk if signals.index.is_linked else np.zeros(len(places)),
        "link": np.array([link.score if link else 0.0 for link in links]),
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [_above_zero(zip(columns, row, strict=True)) for row in rows]


def _above_zero(parts: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((name, round(value, 4)) for name, value in parts if value > 0)


def _exact(values: Floats) -> NDArray[np.float64]:
    return values.astype(np.float64)


def _reason(scoring: Scoring, number: int, link: Link | None) -> str:
    """Say in one line what speaks for a passage."""
    position = scoring.positions[number]
    return (
        _named(scoring, position)
        or _linked(scoring, link)
        or _constrained(scoring, position)
        or _worded(scoring, number)
        or "near passages that answer the question"
    )


def _named(scoring: Scoring, position: int) -> str:
    document = int(scoring.signals.documents([position])[0])
    links = [link for link in scoring.reading.links if link.document == document]
    if not links:
        return ""
    start, end = max(links, key=lambda link: link.weight).span
    name, after = scoring.reading.text[start:end], scoring.reading.text[end : end + 1]
    is_open = name.count("(") > name.count(")") and after == ")"  # a name ends with its last word
    return f"the question names “{name}{after if is_open else ''}”"


def _linked(scoring: Scoring, link: Link | None) -> str:
    if link is None:
        return ""
    parent = scoring.signals.index.passage(link.parent_id)
    if len(link.sentence) <= _QUOTE:
        quote = link.sentence
    else:
        quote = link.sentence[: _QUOTE - 1].rstrip() + "…"
    return f"“{parent.title or parent.document_id}” names {link.entity}: “{' '.join(quote.split())}”"


def _constrained(scoring: Scoring, position: int) -> str:
    signals = scoring.signals
    if not signals.reading.demands and not signals.reading.days:
        return ""
    passage = signals.index.fetch([position])[0]
    met = []
    if signals.any_source([position])[0]:
        met.append(f"source {passage.source}")
    if signals.any_day([position])[0]:
        met.append(f"of {passage.date}")
    met += _values(scoring, position)
    if not met:
        return ""
    scores = [float(score.of([position])[0]) for score in signals.clause_scores]
    clause = signals.reading.clauses[int(np.argmax(scores))].text.strip(" ,;?")
    if len(clause) > _QUOTE:
        clause = clause[: _QUOTE - 1].rstrip() + "…"
    return f"{', '.join(met)}, as asked; speaks to “{clause}”"


def _values(scoring: Scoring, position: int) -> list[str]:
    index = scoring.signals.index
    document = scoring.signals.documents([position])
    return [
        f"{facet} {index.facets.values[facet][code]}"
        for facet, code in scoring.reading.demands
        if facet != "source" and int(index.codes_of(facet, document)[0]) == code
    ]


def _worded(scoring: Scoring, number: int) -> str:
    contained = scoring.pool.unit[number].tolist()
    best = [term for term in scoring.signals.rarest if contained[term]][:_WORDS]
    if best:
        return f"shares {', '.join(scoring.reading.terms[term] for term in best)} with the question"
    return ""
