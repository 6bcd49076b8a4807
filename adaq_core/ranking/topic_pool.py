"""The candidates of a question whose aspects have words of their own, and the best of them together.

A passage is worth `near + 0.2 · finding + 0.2 · link`, less where it is about another subject than the question's: near
is how close it is to the whole question (by words, and by meaning when the corpus has vectors), finding how well it
speaks to the aspect it speaks to best, link how strongly one of the passages nearest to the question names it. Passages
are chosen one by one: to that worth comes up to 0.4 of the best one's for standing at the top of the query of an aspect
that those chosen before leave open. A second passage of a work counts less, unless the evidence is gathered in that
work: there a passage gains from its neighbours instead. Measured: docs/experiments.md, “Questions whose aspects have
words of their own”.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from adaq_core.matching import says_what_it_is
from adaq_core.model import (
    COVERAGE_THRESHOLD,
    Link,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    ScoredPassage,
    Subquery,
)
from adaq_core.question.answer_kinds import chooses_documents
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import template
from adaq_core.question.reading import read_question
from adaq_core.ranking import Reader, Selection
from adaq_core.ranking.learned import family_for, family_of
from adaq_core.ranking.signals import OFF_VALUE, QuerySimilarity, Signals, Vectors
from adaq_core.retrieval import Corpus
from adaq_core.retrieval.facets import PART_NUMBER
from adaq_core.text.passages import sentences, subject_of
from adaq_core.text.tokens import tokens

Floats = NDArray[np.float64]


DEEP = 30  # passages that each query brings
DEPTH = 60  # candidates
_TOLD = 10  # of which a trace tells the order
MAX_LINKS = 6  # of one hop
_FINDING, _LINK, _OPEN = 0.2, 0.2, 0.4
_TOP, _SHARP, _ANSWERED = 0.4, 3, 0.7
_BEST = (1 + _FINDING + _LINK) * (1 + _OPEN)
_PARENTS, _CHOSEN = 3, 5
# Of a long text each query is for one thing among many: so many of its passages are read for all of them.
_OF_MANY = 3  # passages that each query of a very long question brings
_TELLING = 0.25  # similarity from which a reason names the query
# From which similarity, in [0, 1], a passage is said to be close to the question, or near it: words only.
_CLOSE, _NEAR = 0.8, 0.5


def is_topical_corpus(index: Corpus) -> bool:
    """Whether facts too are best looked up here: the corpus has neither names, dated sources nor values to go by."""
    return family_of(index) is None and not _has_values(index)


def is_topical(index: Corpus, question: str) -> bool:
    """The same of the part of the corpus that the question leads to."""
    return family_for(index, question) is None and not _has_values(index)


def _has_values(index: Corpus) -> bool:
    return bool(set(index.facets.values) - {"source"})


class TopicPool:
    """What a run has found so far, and how good each passage is as evidence; deterministic.

    `reader` gives what reads a passage for all aspects as they are worded when it is called. Passages are read when it
    must be known what they say, worded as when they came: most of them cannot be among the best whatever they say, or
    whatever sentences the words in them may make.
    """

    notices: tuple[str, ...] = ()
    name = "by the question, the aspects' own queries, what the passages say and which passages they name"
    depth = DEPTH
    weighs_facts = False

    def __init__(
        self,
        index: Corpus,
        question: str,
        reader: Callable[[], Reader],
        *,
        aspects: Sequence[QueryAspect] = (),
        vectors: Vectors | None = None,
    ) -> None:
        self._index = index
        self._question = question
        self._reader = reader
        self._vectors = vectors if index.weighs_meaning else None
        queries = {template(aspect, question): aspect.aspect for aspect in aspects}
        self._definitions = [aspect for aspect in aspects if aspect.aspect_type == "definition"]
        if self._vectors is not None:
            self._vectors.encode_queries([question, *queries, *queries.values()])
        index.expect([question])
        self._near = QuerySimilarity(index, question, self._vectors)
        self._works = Works(index)
        self.signals = Signals(index, read_question(index, question))
        self._queries = {text: (name, QuerySimilarity(index, text, self._vectors)) for text, name in queries.items()}
        _ = self.signals.clause_bm25, self.signals.top  # searched for together, with the aspects' own queries
        self._finding_scores: dict[str, float] = {}
        self._most: dict[str, float] = {}
        self._unread: dict[str, Reader] = {}
        self._came: dict[str, tuple[Passage, Provenance]] = {}
        self._links: dict[str, Link] = {}
        self._defining: set[str] = set()  # the openings of long documents that say what the subject is
        self._ordered: Ordered | None = None  # as long as nothing new comes
        self._is_confined = False  # to a work that the question names

    @property
    def least_score(self) -> float:
        """No bound, but none pays where the first search has gone through the work that the question is confined to."""
        return math.inf if self._is_confined else 0.0

    def seed(self) -> list[ScoredPassage]:
        """The candidates that the question itself brings, by words and by meaning; best first."""
        hits = self._index.search(self._question, top_k=DEEP)
        came = Provenance(1, self._question)
        self._take([hit.passage for hit in hits + self._by_meaning(self._question)], came)
        self._take(self._neighbours(), came)
        if self._definitions:
            self._take(self._openings(), came)
        for link in self._steps(self._nearest_parents()):
            if link.target_id in self._came:  # what the search did not bring is for a later hop
                self._keep_stronger(link)
        near = dict(zip(self._came, self._near.of(list(self._came)), strict=True))
        ranked = enumerate(sorted(near, key=lambda key: (-near[key], key)), start=1)
        return [ScoredPassage(self._came[key][0], float(near[key]), rank) for rank, key in ranked]

    def _neighbours(self) -> list[Passage]:
        """What stands before and after the best candidates of a long document: candidates too."""
        return [self._index.passage(other) for key in self._nearest() for other in self._works.neighbours(key)]

    def _openings(self) -> list[Passage]:
        """Of each long document of the best candidates the passage of its opening that says what the subject is."""
        telling: list[Passage] = []
        for keys in dict.fromkeys(tuple(self._works.opening(near)) for near in self._nearest()):
            opening = map(self._index.passage, keys)
            defining = (each for each in opening if any(says_what_it_is(a, each) for a in self._definitions))
            telling += islice(defining, 1)
        self._defining = {passage.passage_id for passage in telling}
        return telling

    def _nearest(self) -> list[str]:
        keys = sorted(self._came)
        order = np.argsort(-self._near.of(keys), kind="stable")[: GATHERING.best].tolist()
        return [keys[place] for place in order]

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what an aspect's query brought."""
        if query.text not in self._queries:
            self._queries[query.text] = query.aspect, QuerySimilarity(self._index, query.text, self._vectors)
        most = _OF_MANY if self.signals.reading.is_beyond else None
        brought = [hit.passage for hit in [*hits[:most], *self._by_meaning(query.text)[:most]]]
        self._take(brought, Provenance(hop, query.text, query.aspect))

    def _by_meaning(self, text: str) -> list[ScoredPassage]:
        return self._vectors.search(text, DEEP) if self._vectors is not None else []

    def expand(self, *, hop: int) -> tuple[Link, ...]:
        """Steps from the best passages to those that they name; the strongest to new ones.

        A step is as strong as its parent is near, shared among all that the parent names.
        """
        new = []
        for link in self._steps(self._best_parents()):
            if link.target_id not in self._came:
                self._take([self._index.passage(link.target_id)], Provenance(hop, link=link))
                new.append(link.target_id)
            if link.target_id in new:
                self._keep_stronger(link)
        steps = sorted((self._links[key] for key in new), key=lambda k: (-k.score, k.target_id))
        return tuple(steps)[:MAX_LINKS]

    def _steps(self, parents: Sequence[tuple[float, Passage]]) -> list[Link]:
        places = (self._index.place_of(parent.passage_id) for _, parent in parents)
        known = [place for place in places if place is not None]
        self._index.mentions(known)  # the names in all of them at once
        return [link for share, parent in parents for link in self._named_by(parent, share)]

    def _keep_stronger(self, link: Link) -> None:
        known = self._links.get(link.target_id)
        if known is None or link.score > known.score:
            self._links[link.target_id] = link
            self._ordered = None

    def select(self, k: int, *, depth: int = 0, needed: Collection[str] | None = None) -> Selection:
        """The best `k` candidates together, in the order of choice, then the next ones to `depth`; ties by id.

        Past the tenth it goes on only until it holds those `needed`, by id, where these are given.
        """
        return Selection(tuple(self._best(max(k, depth), max(k, _TOLD), needed)), k)

    def _best(self, most: int, least: int = 0, needed: Collection[str] | None = None) -> list[RankedPassage]:
        """The best candidates in the order of choice: `most`, or at least `least` and until those needed are there."""
        waiting = set(self._came).intersection(self._came if needed is None else needed)
        best: list[RankedPassage] = []
        self._ordered = self._ordered or Ordered(self._in_order())
        for ranked in self._ordered:
            best.append(ranked)
            waiting.discard(ranked.passage.passage_id)
            if len(best) >= (least if not waiting else most):
                break
        return best

    def _in_order(self) -> Iterator[RankedPassage]:
        """The candidates in the order of choice."""
        keys = sorted(self._came)
        if not keys:
            return
        near = self._near.of(keys)
        near = near + lent_by_neighbours(near, keys, self._works)
        near /= max(float(near.max()), 1.0)
        near = self._with_openings(near, keys)
        linked = np.array([self._links[key].score if key in self._links else 0.0 for key in keys])
        allowed = subject_weights([self._came[key][0] for key in keys], self._question)
        allowed = allowed * self._allowed(keys)
        results = Findings(keys, self._finding_scores, self._most, (self._at_most, self._read))

        def utility() -> Floats:
            return (near + _FINDING * results.scores + _LINK * linked) * allowed

        parts = {"question": near, "finding": results.scores, "link": linked, "subject": allowed}
        chosen = self._choose(keys, utility, results, self._answers(keys) * allowed)
        for rank, (place, score, new) in enumerate(chosen, start=1):
            told = {name: float(values[place]) for name, values in parts.items()}
            yield self._ranked(keys[place], rank, score, parts=told, new=new)

    def _with_openings(self, near: Floats, keys: Sequence[str]) -> Floats:
        """How near the candidates are, an opening that says what the subject is as near as any of its document."""
        raised = near.copy()
        for place, key in enumerate(keys):
            if key in self._defining:
                work = self._works.of(key)
                raised[place] = max(near[n] for n, other in enumerate(keys) if self._works.of(other) == work)
        return raised

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """Unknown here: nothing is learned from scores like these."""
        return None

    def _choose(
        self, keys: Sequence[str], utility: Callable[[], Floats], results: Findings, answers: Floats
    ) -> Iterator[tuple[int, float, Floats]]:
        """(place among `keys`, score, what it adds to each query) of each passage, in the order of choice."""
        names = [self._works.of(key) for key in keys]
        works = np.array(names)
        if chooses_documents(self._question):
            again = np.full(len(names), GATHERING.of_each)
        else:
            results.first(utility, GATHERING.best)
            again = same_work_factors(utility(), names)
        open_ = np.ones(len(answers))
        free = np.ones(len(keys), dtype=bool)
        discounts: list[Floats] = []
        best_place = results.first(utility, 1)[0]
        most = _OPEN * float(utility()[best_place])
        asking = np.array([aspect for aspect, _ in self._queries.values()])
        best = answers.astype(np.float64)  # by the queries of one aspect
        for aspect in dict.fromkeys(asking.tolist()):
            best[asking == aspect] = answers[asking == aspect].max(axis=0)

        def value() -> Floats:
            gain = most * (open_[:, None] * answers).max(axis=0, initial=0.0)
            return np.where(free, reduce(np.multiply, discounts, utility()) + gain, -1.0)

        while free.any():
            place = results.first(value, 1)[0]
            yield place, float(value()[place]) / _BEST, open_ * answers[:, place]
            free[place] = False
            discounts.append(np.where(works == works[place], again, 1.0))
            open_ *= 1 - _ANSWERED * best[:, place]

    def _allowed(self, keys: Sequence[str]) -> Floats:
        """What each passage keeps under the conditions of the question; a fetched one has no metadata to go by."""
        places = [self._index.place_of(key) for key in keys]
        stored = [place for place in places if place is not None]
        known = dict(zip(stored, self.signals.allowed(stored).tolist(), strict=True))
        kept = np.array([1.0 if place is None else known[place] for place in places])
        return kept * self._within_scope(keys)

    def _within_scope(self, keys: Sequence[str]) -> Floats:
        """1.0 for the passages of a work that the question is confined to ("In meeting A7, …"), 0.2 for all others."""
        conditions = parse(self._question).conditions
        scopes = [each.text for each in conditions if each.kind == "scope"]
        kept = np.ones(len(keys))
        if not scopes:
            return kept
        passages = [self._came[key][0] for key in keys]
        works = [self._works.of(key) for key in keys]
        if named := works_named(scopes, passages, works):
            self._is_confined = True
            kept[~np.isin(works, list(named))] = OFF_VALUE
        return kept

    def _answers(self, keys: Sequence[str]) -> Floats:
        """How near to the top of each query each passage stands: nothing below 0.4 of the best one, then steeply."""
        rows = [self._of_its_subject(near, keys) for _, near in self._queries.values()]
        defined = {aspect.aspect for aspect in self._definitions}
        for place, (aspect, _) in enumerate(self._queries.values()):
            if aspect in defined:
                rows[place] = self._with_openings(rows[place], keys)
        shares = np.array(rows).reshape(len(rows), len(keys))
        risen: Floats = np.clip((shares - _TOP) / (1 - _TOP), 0.0, 1.0) ** _SHARP
        return risen

    def _of_its_subject(self, near: QuerySimilarity, keys: Sequence[str]) -> Floats:
        """How near the passages are to a query, the best one of its subject as near as the best of all.

        What is said of one side of a comparison does not answer what is asked of the other.
        """
        all_ = near.of(keys)
        own = all_ * subject_weights([self._came[key][0] for key in keys], near.text)
        best = float(own.max(initial=0.0))
        if best > 0:
            return own * float(all_.max()) / best
        return own

    def _take(self, passages: Sequence[Passage], came: Provenance) -> None:
        """Make passages candidates, to be read as the aspects are worded now."""
        self._ordered = None
        reader = self._reader()
        for passage in passages:
            if passage.passage_id not in self._came:
                self._came[passage.passage_id] = passage, came
                self._unread[passage.passage_id] = reader

    def _read(self, key: str) -> float:
        """How well the best sentence of a candidate speaks to an aspect."""
        score = self._finding_scores[key] = self._unread.pop(key).best(self._came[key][0])
        return score

    def _at_most(self, key: str) -> float:
        """The most that the best sentence of a candidate may score, before it is read."""
        most = self._most[key] = self._unread[key].at_most(self._came[key][0])
        return most

    def _nearest_parents(self) -> list[tuple[float, Passage]]:
        """The passages nearest to the question, and how near they are."""
        keys = sorted(self._came)
        near = self._near.of(keys)
        first = np.argsort(-near, kind="stable")[:_PARENTS].tolist()
        close = [number for number in first if near[number] > 0]
        return [(float(near[number]), self._came[keys[number]][0]) for number in close]

    def _best_parents(self) -> list[tuple[float, Passage]]:
        """The best passages, and their scores as shares of the best one."""
        chosen = self._best(_CHOSEN)
        return [(ranked.score / chosen[0].score, ranked.passage) for ranked in chosen if ranked.score > 0]

    def _named_by(self, parent: Passage, share: float) -> list[Link]:
        """A link to each document of another subject that the parent names, from the first sentence that does."""
        named: dict[int, tuple[int, int, float]] = {}
        place = self._index.place_of(parent.passage_id)
        for sentence, number in self._index.mentions([place]).pairs(0) if place is not None else ():
            for document, sure in self.signals.name(number).documents:
                if self._is_step(parent, self._first_of(document)):
                    named.setdefault(document, (sentence, number, sure))
        spans = sentences(parent.text) if named else []
        return [
            Link(
                parent.passage_id,
                parent.text[slice(*spans[min(sentence, len(spans) - 1)])],
                self.signals.name(number).key,
                self._first_of(document).passage_id,
                share * sure / float(np.sqrt(len(named))),
            )
            for document, (sentence, number, sure) in named.items()
        ]

    def _first_of(self, document: int) -> Passage:
        return self._index.fetch(self._index.firsts_of([document]))[0]

    def _is_step(self, parent: Passage, target: Passage) -> bool:
        """Whether the target is another document than the parent and, as far as titles tell, not of its subject."""
        subject = subject_of(parent)
        return parent.document_id != target.document_id and not (subject and subject == subject_of(target))

    def _ranked(self, key: str, rank: int, score: float, *, parts: dict[str, float], new: Floats) -> RankedPassage:
        passage, came = self._came[key]
        shown = {name: value for name, value in parts.items() if name != "link" or value}
        shown = {name: value for name, value in shown.items() if name != "subject" or value < 1}
        first = int(new.argmax()) if len(new) and new.max() >= _TELLING else None
        if first is not None:
            shown["open aspect"] = float(new[first])
        return RankedPassage(
            passage, rank, score, came, parts=tuple(shown.items()), reason=self._reason(came, parts, first, key)
        )

    def _reason(self, came: Provenance, parts: dict[str, float], first: int | None, key: str) -> str:
        by = f"“{came.query}”" if came.aspect else "the question itself" if came.query else "a name in a passage"
        reasons = [f"brought by {by}", _similarity_in_words(parts["question"]), _telling(parts["finding"])]
        if key in self._links:
            link = self._links[key]
            reasons.append(f"named as “{link.entity}” in “{self._came[link.parent_id][0].title}”")
        if first is not None:
            reasons.append(f"the nearest so far to “{list(self._queries.values())[first][0]}”")
        if parts["subject"] < 1:
            reasons.append("is about something else than the question")
        return "; ".join(reasons)


class Ordered:
    """Candidates in the order of choice, each chosen when it is first asked for."""

    def __init__(self, coming: Iterator[RankedPassage]) -> None:
        self._chosen: list[RankedPassage] = []
        self._coming = coming

    def __iter__(self) -> Iterator[RankedPassage]:
        """From the first on, whatever was asked for before."""
        yield from self._chosen
        for ranked in self._coming:
            self._chosen.append(ranked)
            yield ranked


class Findings:
    """How well each of some candidates speaks to an aspect, in [0, 1]: the most it can be, until it is read.

    That is 1.0 until its words are looked at, which takes a third of the time that reading takes. So what a candidate
    is worth only falls, and one that is not among the best unread is not among them.
    """

    def __init__(
        self,
        keys: Sequence[str],
        known: Mapping[str, float],
        most: Mapping[str, float],
        steps: Sequence[Callable[[str], float]],
    ) -> None:
        self._keys = keys
        look, read = steps
        self._steps = [[] if key in known else [read] if key in most else [read, look] for key in keys]
        self.scores = np.array([known.get(key, most.get(key, 1.0)) for key in keys])

    def first(self, value: Callable[[], Floats], most: int) -> list[int]:
        """The places with the highest values, of equal ones the first, as they are with all of these read.

        Whoever is among them stays there until it is read: others only fall.
        """
        while True:
            first: list[int] = np.argsort(-value(), kind="stable")[:most].tolist()
            unread = [place for place in first if self._steps[place]]
            if not unread:
                return first
            for place in unread:
                self.scores[place] = self._steps[place].pop()(self._keys[place])


def _similarity_in_words(similarity: float) -> str:
    """How near a passage is to the question, in words."""
    if similarity >= _CLOSE:
        return "close to the question"
    return "near the question" if similarity >= _NEAR else "not near the question"


def _telling(finding: float) -> str:
    """What the best sentence of a passage says of an aspect, in words."""
    if finding >= COVERAGE_THRESHOLD:
        return "a sentence of it answers an aspect"
    return "a sentence of it speaks to an aspect" if finding else "no sentence of it speaks to an aspect"


# Works are the reports, transcripts and articles that passages are parts of. Evidence in one long document is neither
# spread nor alone: the passages before and after a good one are often evidence too, and a discount for the second
# passage of the work would trade it for passages from anywhere.

_SHARED = 3  # documents with one head: then it is a subject
_OTHER = 0.5  # factor on what is about another subject


def subject_weights(passages: Sequence[Passage], question: str) -> NDArray[np.float64]:
    """1.0 for a passage, 0.5 where its title opens with a subject that the question does not name.

    A subject is what stands before a colon in the titles of three documents among `passages`; as long as the question
    names none of them, nothing is held against any.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    heads = [subject_of(passage) for passage in passages]
    for head, passage in zip(heads, passages, strict=True):
        documents[head].add(passage.document_id)
    asked = set(tokens(question))
    subjects = {head for head, holders in documents.items() if head and len(holders) >= _SHARED}
    named = {head for head in subjects if asked & set(tokens(head))}
    others = subjects - named if named else set[str]()
    return np.array([_OTHER if head in others else 1.0 for head in heads])


@dataclass(frozen=True, slots=True)
class Gathering:
    """Numbers measured on qmsum, qmsum-meetings, mtrag, chunkeval and sec10q (docs/experiments.md, “One document”)."""

    best: int = 10  # candidates that are looked at
    share: int = 3  # how many of these make a work one that the evidence is gathered in
    discount: float = 0.7  # for each further passage of any other work; in [0, 1]
    of_each: float = 0.2  # the same for any work, where a question chooses among the documents
    long: int = 10  # passages of a work that has neighbours worth looking at
    opening: int = 3  # passages in which a long document says what it is about
    neighbour: float = 0.8  # what the better neighbour lends a passage, times the work's share of the best


GATHERING = Gathering()


def works_named(phrases: Sequence[str], passages: Sequence[Passage], works: Sequence[str]) -> set[str]:
    """Those of the works that passages are of whose title stands in one of some phrases, and is a label only.

    What passages of other works say too is a subject ("In the United States"), and what is asked of it may stand in
    any of them.
    """
    asked = [_padded(phrase) for phrase in phrases]
    titled: dict[str, set[str]] = defaultdict(set)
    for passage, work in zip(passages, works, strict=True):
        title = _padded(PART_NUMBER.sub("", passage.title))
        if title.strip() and any(title in phrase for phrase in asked):
            titled[title].add(work)
    for passage, work in zip(passages, works, strict=True):
        text = _padded(passage.text) if titled else ""
        subjects = [title for title, own in titled.items() if title in text and work not in own]
        for subject in subjects:
            del titled[subject]
    return set().union(*titled.values())


def _padded(text: str) -> str:
    """The index terms of a text between spaces, so that whole terms are found in it."""
    return f" {' '.join(tokens(text))} "


class Works:
    """The works of some candidates, by passage id; a passage from elsewhere is of its document."""

    def __init__(self, index: Corpus) -> None:
        self._index = index
        self._names: dict[str, str] = {}
        self._beside: dict[str, list[str]] = {}

    def of(self, passage_id: str) -> str:
        """The name of the work that a passage is a part of."""
        if passage_id not in self._names:
            self._names[passage_id] = self._name(passage_id)
        return self._names[passage_id]

    def _name(self, passage_id: str) -> str:
        place = self._index.place_of(passage_id)
        if place is None:
            return self._index.passage(passage_id).document_id
        return f"work {self._works([place])[0]}"

    def neighbours(self, passage_id: str) -> list[str]:
        """The passages before and after this one in a long work; none in a short one."""
        if passage_id not in self._beside:
            self._beside[passage_id] = self._neighbours(passage_id)
        return self._beside[passage_id]

    def _neighbours(self, passage_id: str) -> list[str]:
        place = self._index.place_of(passage_id)
        if place is None or self._index.work_size(work := self._works([place])[0]) < GATHERING.long:
            return []
        around = [near for near in (place - 1, place + 1) if 0 <= near < self._index.size]
        same = [near for near, other in zip(around, self._works(around), strict=True) if other == work]
        return [passage.passage_id for passage in self._index.fetch(same)]

    def opening(self, passage_id: str) -> list[str]:
        """The first passages of the document of a passage, where its work is long."""
        place = self._index.place_of(passage_id)
        if place is None or self._index.work_size(self._works([place])[0]) < GATHERING.long:
            return []
        documents = self._index.documents_of([place])
        first, size = int(self._index.firsts_of(documents)[0]), int(self._index.sizes_of(documents)[0])
        passages = self._index.fetch(range(first, first + min(size, GATHERING.opening)))
        return [passage.passage_id for passage in passages]

    def _works(self, places: Sequence[int]) -> list[int]:
        return [int(work) for work in self._index.works_of(self._index.documents_of(places))]


def gathered(utility: Floats, works: Sequence[str]) -> dict[str, float]:
    """The works that hold at least three of the ten best candidates, and which share of these they hold."""
    first = np.argsort(-utility, kind="stable")[: GATHERING.best]
    counts = Counter(works[place] for place in first)
    return {work: count / GATHERING.best for work, count in counts.items() if count >= GATHERING.share}


def same_work_factors(utility: Floats, works: Sequence[str]) -> Floats:
    """What each candidate's worth is multiplied by for every passage of its work in the set."""
    free = gathered(utility, works)
    return np.array([1.0 if work in free else GATHERING.discount for work in works])


def lent_by_neighbours(near: Floats, keys: Sequence[str], works: Works) -> Floats:
    """What each candidate gains from the better of its neighbours, where the evidence is gathered in its work."""
    names = [works.of(key) for key in keys]
    shares = gathered(near, names)
    known = dict(zip(keys, near.tolist(), strict=True))
    lent = np.zeros(len(keys))
    for place, key in enumerate(keys):
        if share := shares.get(names[place]):
            better = max((known.get(other, 0.0) for other in works.neighbours(key)), default=0.0)
            lent[place] = GATHERING.neighbour * share * better
    return lent
