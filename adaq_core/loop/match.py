"""How well a passage speaks to an aspect, and which sentence and words say so.

A match is `gate · (0.4 + 0.6 · topic)`: the gate is the share of the aspect's subject that the passage names (weighted by
rarity, so that a common word opens nothing), the topic how much of what is asked of the subject it says. Facts without
a subject are matched by their rarest words. Nothing is matched below a gate of 0.6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adaq_core.model import AspectType, Passage, QueryAspect
from adaq_core.text.dates import dates
from adaq_core.text.sentences import sentences
from adaq_core.text.tokens import fold, tokens

Weigh = Callable[[str], float]
_GATE = 0.6
_BASE, _TOPIC = 0.4, 0.6
_ENOUGH_CUES = 2
_ENOUGH_KEYWORDS = 3
_CONSTRAINT_LOSS = {"source": 0.6, "date": 0.9, "place": 0.9, "quoted": 0.6, "number": 0.9}
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|refers? to|means|denotes?|describes?|consists? of|stands for|computes?|introduced as|known as)\b"
)
_CUES: dict[AspectType, frozenset[str]] = {
    "process": frozenset(
        tokens(
            "work step first then next finally process mechanism computes multiplies produces transforms passes "
            "updates learns trained combines weighted sum divides compares scores selects reads writes repeats input "
            "output layer matches decides"
        )
    ),
    "causal": frozenset(
        tokens(
            "because since therefore reason cause leads allows lets enables so important result consequence matters "
            "makes helps thus hence due depends introduced proposed first earlier before"
        )
    ),
    "evaluation": frozenset(
        tokens(
            "advantage disadvantage strength weakness limitation benefit cost costs expensive cheap drawback however "
            "problem slow fast fails struggle suffers weak strong good poor better worse memory quadratic efficient "
            "robust lacks misses limits limited trade"
        )
    ),
    "application": frozenset(
        tokens("used use uses application example such apply applied translation search classification powers serves")
    ),
    "comparison": frozenset(
        tokens(
            "differ difference whereas while unlike than compared contrast both instead other same similar however "
            "more less faster slower one many several each replace"
        )
    ),
}
_OPPOSED = (
    (frozenset(tokens("disadvantage drawback weakness limitation con downside")),
     frozenset(tokens("disadvantage drawback weakness limitation however problem cost costs expensive slow fails struggle suffers weak poor worse quadratic lacks misses limits limited"))),
    (frozenset(tokens("advantage benefit strength pro merit")),
     frozenset(tokens("advantage benefit strength strong good better fast cheap efficient robust allows helps improves"))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: its range, and the index terms in it."""

    start: int
    end: int
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage speaks to an aspect: `score` in [0, 1], its parts, the sentences that say it (best first)."""

    score: float
    parts: tuple[tuple[str, float], ...]
    sentences: tuple[Sentence, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=1 << 14)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a passage with their index terms."""
    return tuple(Sentence(start, end, frozenset(tokens(text[start:end]))) for start, end in sentences(text))


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> frozenset[str]:
    """The index terms of `text`."""
    return frozenset(tokens(text))


def match(aspect: QueryAspect, passage: Passage, *, weigh: Weigh, constrain: bool = True) -> Match | None:
    """How `passage` speaks to `aspect`; None when it does not. `weigh` gives the rarity of an index term, ≥ 0."""
    gate = _gate(aspect, passage, weigh)
    if gate < _GATE:
        return None
    topic, best = _topic(aspect, passage, weigh)
    if not best:
        return None
    held = _held_constraints(aspect, passage) if constrain else 1.0
    if aspect.aspect_type in ("entity", "relation"):
        score = gate * topic * held
    else:
        score = gate * (_BASE + _TOPIC * topic) * held
    parts = (("subject", gate), ("topic", topic), ("constraints", held))
    return Match(min(1.0, score), parts, best, _words(aspect, passage, best[0]))


def share(wanted: Iterable[str], there: frozenset[str], weigh: Weigh) -> float:
    """Share of the weight of `wanted` that is in `there`; 1.0 when nothing is wanted."""
    total = found = 0.0
    for term in set(wanted):
        weight = weigh(term)
        total += weight
        found += weight if term in there else 0.0
    return found / total if total else 1.0


def items_of(aspect: QueryAspect) -> list[frozenset[str]]:
    """The index terms of each thing that a comparison is about."""
    things = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", aspect.subject)
    return [terms for thing in things if (terms := terms_of(thing.split(" of ")[-1]))]


def _gate(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> float:
    there = terms_of(passage.title) | terms_of(passage.text)
    if aspect.aspect_type == "comparison":
        return min((share(item, there, weigh) for item in items_of(aspect)), default=1.0)
    if not aspect.subject:
        return 1.0
    gate = share(terms_of(aspect.subject), there, weigh)
    multi_word = len(terms_of(aspect.subject)) > 1
    if multi_word and aspect.aspect_type != "entity" and not _has_phrase(aspect.subject, passage):
        gate *= 0.7
    return gate


def _has_phrase(subject: str, passage: Passage) -> bool:
    """Whether the subject's words stand side by side somewhere, in order, in any inflection."""
    wanted = tokens(subject)
    for text in (passage.title, passage.text):
        found = _token_list(text)
        first = wanted[0] if wanted else ""
        if any(found[i : i + len(wanted)] == tuple(wanted) for i, t in enumerate(found) if t == first):
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _token_list(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))


def _topic(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Sentence, ...]]:
    match aspect.aspect_type:
        case "definition":
            return _definition(aspect, passage)
        case "facet":
            return _facet(aspect, passage)
        case "entity" | "relation":
            return _fact(aspect, passage, weigh)
        case "comparison":
            return _comparison(aspect, passage, weigh)
        case _:
            return _cued(aspect, passage)


def _definition(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Sentence, ...]]:
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    titled = title == subject or (subject < title and "(" in passage.title)
    rated = []
    for order, sentence in enumerate(read_sentences(passage.text)):
        if not subject <= sentence.terms:
            continue
        says = _defines(aspect.subject, passage.text[sentence.start : sentence.end])
        rated.append(((1.0 if says else 0.15) - 0.01 * order, sentence))
    if not rated:
        return (0.9, read_sentences(passage.text)[:2]) if titled else (0.0, ())
    rated.sort(key=lambda r: -r[0])
    topic = min(1.0, rated[0][0] + (0.75 if titled else 0.0))
    return topic, tuple(sentence for _, sentence in rated[:3])


def _defines(subject: str, sentence: str) -> bool:
    """Whether the subject opens the sentence and a defining verb follows it closely."""
    head = fold(sentence)
    at = head.find(fold(subject).rstrip("s"))
    if at < 0 or at > 30:
        return False
    verb = _DEFINES.search(head, at + len(subject) - 1)
    return verb is not None and verb.start() - at - len(subject) < 40


def _facet(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Sentence, ...]]:
    keywords = [terms_of(keyword) for keyword in aspect.keywords]
    there = terms_of(passage.text)
    held = {terms for terms in keywords if terms and terms <= there}
    titled = any(terms and terms <= terms_of(passage.title) for terms in keywords)
    rated = sorted(
        ((sum(terms <= s.terms for terms in held), s) for s in read_sentences(passage.text)),
        key=lambda r: (-r[0], r[1].start),
    )
    kept = tuple(s for count, s in rated[:3] if count)
    enough = len(held) / min(_ENOUGH_KEYWORDS, max(1, len(keywords)))
    return (1.0 if titled and held else min(1.0, enough) * 0.8), kept


def _fact(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Sentence, ...]]:
    wanted = frozenset(t for word in aspect.keywords for t in tokens(word)) or terms_of(aspect.aspect)
    title = terms_of(passage.title)
    whole = share(wanted, title | terms_of(passage.text), weigh)
    rated = sorted(
        ((share(wanted, s.terms | title, weigh), len(wanted & s.terms), s) for s in read_sentences(passage.text)),
        key=lambda r: (-r[0], -r[1], r[2].start),
    )
    if not rated or not rated[0][1]:
        return 0.0, ()
    return 0.5 * whole + 0.5 * rated[0][0], tuple(s for _, own, s in rated[:2] if own)


def _comparison(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Sentence, ...]]:
    items, title = items_of(aspect), terms_of(passage.title)
    scope = frozenset(t for word in aspect.keywords for t in tokens(word)) - frozenset().union(*items)
    cues = _CUES["comparison"]
    rated = []
    for sentence in read_sentences(passage.text):
        named = sum(item <= sentence.terms for item in items)
        cued = len(cues & sentence.terms)
        rated.append((named / max(1, len(items)) + 0.2 * min(cued, 2), named >= 2 and cued > 0, sentence))
    rated.sort(key=lambda r: (-r[0], r[2].start))
    titled = bool(items) and all(item <= title for item in items)
    says = any(side_by_side for _, side_by_side, _ in rated)
    topic = 1.0 if titled and says else 0.8 if titled or says else 0.1
    if scope:
        topic *= 0.6 + 0.4 * share(scope, title | terms_of(passage.text), weigh)
    return topic, tuple(s for score, _, s in rated[:3] if score > 0)


def _cued(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Sentence, ...]]:
    cues = _cues(aspect)
    subject = terms_of(aspect.subject)
    titled = subject <= terms_of(passage.title)
    rated = []
    for sentence in read_sentences(passage.text):
        about = titled or bool(subject & sentence.terms)
        rated.append((len(cues & sentence.terms) * (1.0 if subject <= sentence.terms else 0.75) * about, sentence))
    rated.sort(key=lambda r: (-r[0], r[1].start))
    kept = tuple(s for count, s in rated[:3] if count > 0)
    held = len(cues & frozenset().union(*(s.terms for s in kept))) if kept else 0
    return min(1.0, held / _ENOUGH_CUES) * (1.0 if titled else 0.7), kept


def _cues(aspect: QueryAspect) -> frozenset[str]:
    asked = frozenset(t for word in aspect.keywords for t in tokens(word))
    for side, cues in _OPPOSED:
        if aspect.aspect_type == "evaluation" and asked & side:
            return cues
    return _CUES.get(aspect.aspect_type, frozenset()) | (asked - terms_of(aspect.subject))


def _held_constraints(aspect: QueryAspect, passage: Passage) -> float:
    held = 1.0
    for constraint in aspect.constraints:
        if not _holds(constraint.kind, constraint.text, passage):
            held *= _CONSTRAINT_LOSS[constraint.kind]
    return held


def _holds(kind: str, text: str, passage: Passage) -> bool:
    if kind == "source":
        return not passage.source or terms_of(text) <= terms_of(passage.source) | terms_of(passage.title)
    if kind == "date":
        years = {str(date.year) for date in dates(text)}
        return any(year in passage.date or year in passage.text or year in passage.title for year in years)
    if kind == "quoted":
        return fold(text) in fold(passage.text) or fold(text) in fold(passage.title)
    return terms_of(text) <= terms_of(passage.title) | terms_of(passage.text)


def _words(aspect: QueryAspect, passage: Passage, sentence: Sentence) -> tuple[str, ...]:
    """The words of the sentence that made the match, as they stand."""
    wanted = frozenset(t for w in (*aspect.keywords, aspect.subject) for t in tokens(w)) | _cues(aspect)
    text = passage.text[sentence.start : sentence.end]
    found = (word.strip(".,;:()\"'“”’") for word in text.split())
    return tuple(dict.fromkeys(w for w in found if w and wanted & terms_of(w)))


def uniform(_: str) -> float:
    """Every term weighs the same: what is known of rarity without a corpus."""
    return 1.0


def best_first(found: Sequence[tuple[float, str]]) -> list[str]:
    """Names by falling value, ties by name."""
    return [name for _, name in sorted(found, key=lambda f: (-f[0], f[1]))]
