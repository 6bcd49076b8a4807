"""What a question says about its evidence: the titles it names, sources and dates, clauses, and which words matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adaq_core.question.answer_kinds import linear
from adaq_core.question.parse import parse
from adaq_core.retrieval import Corpus, FacetNames, NamedSpan
from adaq_core.retrieval.facets import NONE
from adaq_core.text.entities import names
from adaq_core.text.tokens import Word, fold, spans, stem, tokens
from adaq_core.text.values import Date, dates

# Joints inside a clause of the question, where what is told of one thing ends and the next begins.
_JOINT = linear(
    r"(?i),\s+and\s+(?:also\s+)?|,?\s+\bbut\b|\s+and\s+(?=(?:the|that|which|who|whose|is|was|has|another)\b)"
    r"|,\s+(?=(?:which|who|whose)\b)|,?\s+(?=(?:as\s+reported|according\s+to|as\s+per)\b)"
)
_WEAK = linear(r"(?i),\s+(?!\d)|\s+and\s+|\s+(?=(?:about|regarding|concerning)\b)")
_RELATIVE = linear(r"(?i)\b(?:which|who|whom|whose|that|where|when|containing|of\s+the|by\s+the|in\s+the)\b|['’]s\b")
_LATEST = linear(r"(?i)\b(?:latest|most recent|newest)\b")
_MIN_TERMS = 2  # of a clause behind a full joint
_MIN_WEAK_TERMS = 4  # behind a weak one, such as "and"
_MAX_PAIRS = 4
_MAX_RELATIVE_WORDS = 34  # of a question that is cut at its relative clauses
_MIN_SHARE = 0.04  # of the question's idf that a name has to carry
_CONCENTRATED, _WIDESPREAD, _TELLING = 0.7, 0.15, 2.0
# Terms of the longest question that anything was learned from (47), with some room.
LONGEST = 60  # terms; no question that was learned from has more


@dataclass(frozen=True, slots=True)
class TitleLink:
    """A name in the question that stands for a document: its share of the question, and how sure it is."""

    key: str
    span: tuple[int, int]
    document: int
    weight: float
    sureness: float


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the question with what it demands: its terms, its sources (facet codes) and its days."""

    text: str
    terms: tuple[str, ...]
    demands: tuple[tuple[str, int], ...] = ()
    days: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as the ranker reads it."""

    text: str
    terms: tuple[str, ...]
    idf: NDArray[np.float32]
    links: tuple[TitleLink, ...]
    clauses: tuple[Clause, ...]
    relatives: tuple[tuple[str, ...], ...]
    demands: tuple[tuple[str, int], ...]
    days: tuple[int, ...]
    phrases: tuple[tuple[str, ...], ...]

    @property
    def is_beyond(self) -> bool:
        """Whether it is longer than any question that was learned from: a story or a brief, a thing a sentence."""
        return len(self.terms) > LONGEST


def read_question(index: Corpus, question: str) -> Reading:
    """Read `question` against the names and words of a corpus."""
    terms = tuple(dict.fromkeys(tokens(question)))
    idf = np.array([index.term_idf(term) for term in terms], dtype=np.float32)
    result = spans(question)
    demands, spots = _demands(index, question, result)
    clauses = _clauses(index, question, demands, spots)
    return Reading(
        text=question,
        terms=terms,
        idf=idf,
        links=title_links(index, question, dict(zip(terms, idf.tolist(), strict=True))),
        clauses=clauses,
        relatives=_relatives(question, terms),
        demands=tuple(dict.fromkeys(demands)),
        days=tuple(dict.fromkeys(day for clause in clauses for day in clause.days)),
        phrases=_phrases(question),
    )


def title_links(index: Corpus, question: str, idf: Mapping[str, float]) -> tuple[TitleLink, ...]:
    """The documents that the question names; the longest name wins, homonyms are told apart by their parenthesis."""
    total = max(sum(idf.values()), 1e-9)
    links = list[TitleLink]()
    written = {word.word for word in spans(question)}
    for name in index.named(question):
        weight = sum(idf.get(stem(word), 0.0) for word in set(name.key.split())) / total
        if weight >= _MIN_SHARE:
            apart = _told_apart(index, name, written)
            links += [TitleLink(name.key, name.span, document, weight, sure) for document, sure in apart]
    return tuple(links)


def _told_apart(index: Corpus, name: NamedSpan, written: set[str]) -> Sequence[tuple[int, float]]:
    """Documents of a name with their sureness: all of it for the one whose parenthesis the question speaks of."""
    named = name.documents
    if len(named) == 1:
        return named
    key = set(name.key.split())
    firsts = index.fetch(index.firsts_of([document for document, _ in named]))
    scores = [_fit({w.word for w in spans(first.title)} - key, written) for first in firsts]
    top = max(scores)
    winners = [number for number, score in enumerate(scores) if score == top]
    if len(winners) == 1 and top > 0:
        return [(d, w if number == winners[0] else 0.3 * w) for number, (d, w) in enumerate(named)]
    return [(document, weight / len(named)) for document, weight in named]


def _fit(extra: set[str], written: set[str]) -> float:
    """How well the words that a title has besides the name agree with the question; none at all is neutral."""
    if extra & written:
        return len(extra & written) - 0.5 * len(extra - written)
    return 0.0


def _demands(
    index: Corpus, question: str, written: Sequence[Word]
) -> tuple[list[tuple[str, int]], list[tuple[int, str, int]]]:
    """Facet values that the question names, and where: sources and values by name, periods, and learned aliases."""
    facets = index.facets
    spots: list[tuple[int, str, int]] = []
    longest = max((len(key.split(" ")) for key in facets.named), default=0)
    at = 0
    while at < len(written):
        size = _facet_name(facets, question, written, at, longest)
        key = " ".join(word.word for word in written[at : at + size])
        spots += [(written[at].start, facet, code) for facet, code in facets.named.get(key, ())] if size else []
        at += max(size, 1)
    spots += [spot for word in written for spot in _alias(index, question, word)]
    spots += _periods(facets, question)
    return [(facet, code) for _, facet, code in spots], spots


def _facet_name(facets: FacetNames, question: str, written: Sequence[Word], at: int, longest: int) -> int:
    for size in range(min(longest, len(written) - at), 0, -1):
        piece = written[at : at + size]
        if question[piece[-1].start].isupper() and " ".join(word.word for word in piece) in facets.named:
            if size > 1 or question[piece[0].start].isupper():
                return size
            return 0
    return 0


def _alias(index: Corpus, question: str, word: Word) -> list[tuple[int, str, int]]:
    """A capitalised word that nearly only the documents of one facet value use, and many of them: Apple → AAPL."""
    facets, term = index.facets, stem(word.word)
    if not term or not question[word.start].isupper() or len(facets.values) < 2:
        return []
    holders = index.term_count(term)
    spots = []
    for facet in sorted(facets.values):
        if facet == "source" or facet in facets.periods or not holders:
            continue
        counts = index.value_counts(facet, term)
        code = int(counts.argmax())
        passages = index.value_counts(facet)
        usual = float(passages[code] / passages.sum())  # a value of most passages holds most of any word's
        least = max(_CONCENTRATED, _TELLING * usual) * holders
        if counts[code] >= max(least, _WIDESPREAD * passages[code]):
            spots.append((word.start, facet, code))
    return spots


def _periods(facets: FacetNames, question: str) -> list[tuple[int, str, int]]:
    spots = []
    named = dates(question)
    for facet, codes in sorted(facets.periods.items()):
        keys = [(date.span[0], key) for date in named for key in codes if _includes(date, key)]
        if not named and (latest := _LATEST.search(question)) is not None:
            keys = [(latest.start(), max(codes))]
        spots += [(place, facet, codes[key]) for place, key in keys]
    return spots


def _includes(date: Date, period: str) -> bool:
    """Whether a named date asks for a period: the same one, or the year that the period lies in."""
    return date.key == period or (date.month is None and date.quarter is None and period.startswith(f"{date.year}-"))


def _clauses(
    index: Corpus, question: str, demands: list[tuple[str, int]], spots: list[tuple[int, str, int]]
) -> tuple[Clause, ...]:
    """The question cut at its joints; a piece with too little to say gives its demands to its neighbour."""
    days = [(date.span[0], date.number) for date in dates(question) if date.is_day]
    quiet = {stem(w.word) for facet, code in demands for w in spans(index.facets.values[facet][code])}

    def specific_words(start: int, end: int) -> int:
        return sum(1 for t in tokens(question[start:end]) if t not in quiet and index.term_idf(t) > 0)

    pieces: list[tuple[int, int]] = []
    for start, end, needed in _cuts(question):
        if pieces and (specific_words(start, end) < needed or specific_words(*pieces[-1]) < needed):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    clauses = [_clause(question, start, end, spots=spots, days=days) for start, end in pieces]
    return tuple(part for clause in clauses for part in _by_source(clause))


def _clause(
    question: str, start: int, end: int, *, spots: list[tuple[int, str, int]], days: list[tuple[int, int]]
) -> Clause:
    places = [(place, f, c) for place, f, c in spots if start <= place < end]
    within = [(place, day) for place, day in days if start <= place < end]
    return Clause(
        text=question[start:end].strip(),
        terms=tuple(tokens(question[start:end])),
        demands=tuple(dict.fromkeys((f, c) for _, f, c in places)),
        days=tuple(dict.fromkeys(day for _, day in within)),
        pairs=_pairs([(place, c) for place, f, c in places if f == "source"], within),
    )


def _pairs(sources: list[tuple[int, int]], days: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Each day with the source that is named nearest to it, and the sources left over, as (source, day) codes."""
    pairs = []
    for place, day in days:
        near = min(sources, key=lambda source: abs(source[0] - place), default=(0, NONE))
        pairs.append((near[1], day))
    used = {source for source, _ in pairs}
    pairs += [(source, NONE) for _, source in sources if source not in used]
    return tuple(dict.fromkeys(pairs))


def _by_source(clause: Clause) -> list[Clause]:
    """A clause about several reports as one clause per report."""
    if not 1 < len(clause.pairs) <= _MAX_PAIRS:
        return [clause]
    others = tuple((facet, code) for facet, code in clause.demands if facet != "source")
    return [
        replace(
            clause,
            demands=((*others, ("source", source)) if source != NONE else others),
            days=(day,) if day != NONE else (),
            pairs=((source, day),),
        )
        for source, day in clause.pairs
    ]


def _cuts(question: str) -> list[tuple[int, int, int]]:
    """The pieces between joints, each with how many telling words it needs to stand alone."""
    weak = {match.start() for match in _WEAK.finditer(question)}
    inside = {place for date in dates(question) for place in range(*date.span)}
    asked = {clause.span[0] for clause in parse(question).clauses}
    strong = {match.start() for match in _JOINT.finditer(question)} | asked
    joints = (weak - inside) | strong
    edges = sorted({0, len(question), *(place for place in joints if 0 < place < len(question))})
    cuts = []
    for start, end in pairwise(edges):
        if question[start:end].strip():
            cuts.append((start, end, _MIN_TERMS if start in strong else _MIN_WEAK_TERMS))
    return cuts


def _relatives(question: str, terms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The pieces of a short question between its relative words, where they say less than all of it."""
    if len(question.split()) > _MAX_RELATIVE_WORDS:
        return ()
    joints = [match.start() for match in _RELATIVE.finditer(question)]
    pieces = []
    for start, end in pairwise([0, *joints, len(question)]):
        piece = tuple(dict.fromkeys(tokens(question[start:end])))
        if piece and len(piece) < len(terms):
            pieces.append(piece)
    return tuple(dict.fromkeys(pieces))


def _phrases(question: str) -> tuple[tuple[str, ...], ...]:
    quoted = (name.text for name in names(question) if name.kind == "quoted")
    phrases = (tuple(tokens(fold(text))) for text in quoted)
    return tuple(filter(None, phrases))
