"""How well a passage speaks to an aspect, and which sentence and words say so.

A match is `gate · (0.4 + 0.6 · topic)`: the gate is the share of the aspect's subject that the passage names, weighted
by rarity, so that a common word opens nothing; the topic is how much of what is asked of the subject it says. Facts
without a subject are matched by their rarest words. Nothing is matched below a gate of 0.6.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from adaq_core.loop.shapes import HISTORY
from adaq_core.model import AspectType, Passage, QueryAspect
from adaq_core.text.dates import dates
from adaq_core.text.sentences import sentences
from adaq_core.text.tokens import fold, tokens

Weigh = Callable[[str], float]
_GATE = 0.6
_BASE, _TOPIC = 0.4, 0.6
_ENOUGH_CUES = 2
_UNTYPICAL = 0.8
_BY_WORDS, _LONG = ("process", "causal"), 3
_ASIDE, _MOSTLY = 0.25, 0.5
_NEAR = 40
_OPENING = re.compile(r"(?:in [^,]{1,40}, )?(?:the |an? )?")
_CONSTRAINT_LOSS = {"source": 0.6, "date": 0.9, "place": 0.9, "quoted": 0.6, "number": 0.9}
_TITLE_PARTS = re.compile(r"[^()]+")
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|refers? to|means|denotes?|describes?|consists? of|stands for|computes?|known as)\b"
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
            "makes helps reasons importance"
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
_PLAIN = frozenset(
    tokens(
        "disadvantage drawback weakness limitation advantage benefit strength important importance because applications"
    )
)
_ORIGIN_CUES = frozenset(tokens("introduced proposed invented history origin published appeared paper"))
_DRAWBACKS = tokens(
    "disadvantage drawback weakness limitation however problem cost costs expensive slow fails struggle suffers weak "
    "poor worse quadratic lacks misses limits limited"
)
_MERITS = tokens("advantage benefit strength strong good better fast cheap efficient robust allows helps improves")
_OPPOSED = (
    (frozenset(tokens("disadvantage drawback weakness limitation con downside")), frozenset(_DRAWBACKS)),
    (frozenset(tokens("advantage benefit strength pro merit")), frozenset(_MERITS)),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: its range, and the index terms in it."""

    start: int
    end: int
    terms: frozenset[str]


Rated = tuple[float, Sentence]


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage speaks to an aspect: `score` in [0, 1], its parts, and the sentences that say it.

    The sentences come best first, each with its worth against the best one, in (0, 1].
    """

    score: float
    parts: tuple[tuple[str, float], ...]
    sentences: tuple[Rated, ...]
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
    """How `passage` speaks to `aspect` under any of its names; None when it does not.

    `weigh` gives the rarity of an index term, ≥ 0.
    """
    made = [_match(named, passage, weigh, constrain=constrain) for named in _named(aspect, passage)]
    return max((m for m in made if m is not None), key=lambda m: m.score, default=None)


def _named(aspect: QueryAspect, passage: Passage) -> list[QueryAspect]:
    """The aspect, the same under each other name of its subject, and with the passage's title as its subject."""
    others = [replace(aspect, subject=alias, aliases=()) for alias in aspect.aliases]
    return [aspect, *others, *(cut for named in (aspect, *others) if (cut := _cut_at_title(named, passage.title)))]


def _cut_at_title(aspect: QueryAspect, title: str) -> QueryAspect | None:
    """The aspect with its subject cut where the title ends, as "rank fusion" of "rank fusion merge lists".

    The rest is what is asked. A question's words do not show where its subject ends and its verb begins; a title does.
    """
    if aspect.aspect_type not in _CUES or aspect.aspect_type == "comparison":
        return None
    words = aspect.subject.split()
    for name in _TITLE_PARTS.findall(title):
        length = len(name.split())
        if 0 < length < len(words) and tokens(name) == tokens(" ".join(words[:length])):
            rest = " ".join(words[length:])
            return replace(aspect, subject=" ".join(words[:length]), keywords=(*aspect.keywords, rest))
    return None


def _match(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    gate = _gate(aspect, passage, weigh)
    if gate < _GATE:
        return None
    topic, rated = _topic(aspect, passage, weigh)
    if not rated:
        return None
    held = held_constraints(aspect, passage) if constrain else 1.0
    lookup = aspect.aspect_type in ("entity", "relation")
    score = min(1.0, gate * held * (topic if lookup else _BASE + _TOPIC * topic))
    parts = (("subject", gate), ("topic", topic), ("constraints", held))
    return Match(score, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _best(rated: Iterable[Rated], keep: int = 3) -> tuple[Rated, ...]:
    """The `keep` best sentences worth something, ties in reading order."""
    return tuple(sorted((r for r in rated if r[0] > 0), key=lambda r: (-r[0], r[1].start))[:keep])


def _against_best(rated: tuple[Rated, ...]) -> tuple[Rated, ...]:
    return tuple((worth / rated[0][0], sentence) for worth, sentence in rated)


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


def _topic(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
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
            topic, rated = _cued(aspect, passage)
            return (topic, rated) if rated else _by_words(aspect, passage, weigh)


def _definition(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    titled = title == subject or (subject < title and "(" in passage.title)
    rated = []
    for order, sentence in enumerate(read_sentences(passage.text)):
        if subject <= sentence.terms:
            says = _defines(aspect.subject, passage.text[sentence.start : sentence.end])
            rated.append(((1.0 if says else 0.15) / (1 + 0.1 * order), sentence))
    best = _best(rated)
    if not best:
        return 0.0, ()
    return min(1.0, best[0][0] + (0.75 if titled else 0.0)), best


def _defines(subject: str, sentence: str) -> bool:
    """Whether the subject opens the sentence and a defining verb follows it closely."""
    head = fold(sentence)
    at = head.find(fold(subject).removesuffix("s"))
    if at < 0 or _OPENING.fullmatch(head[:at]) is None:
        return False
    verb = _DEFINES.search(head, at + len(subject) - 1)
    between = head[at + len(subject) : verb.start()] if verb else ""
    return verb is not None and len(between) < _NEAR and " and " not in between


def _facet(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    """A passage is about a facet when its title says so, or when well over a quarter of its sentences speak of it."""
    keywords = [terms for keyword in aspect.keywords if (terms := terms_of(keyword))]
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    named = subject <= title
    titled = named and any(terms <= title for terms in keywords)
    rated = [
        (float(sum(terms <= s.terms for terms in keywords)) * (named or subject <= s.terms), s)
        for s in read_sentences(passage.text)
    ]
    speaking = sum(worth > 0 for worth, _ in rated)
    topic = 1.0 if titled else max(0.0, min(1.0, (speaking / max(1, len(rated)) - _ASIDE) / _MOSTLY))
    return (topic, _best(rated)) if speaking else (0.0, ())


def _fact(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    wanted = frozenset(t for word in aspect.keywords for t in tokens(word)) or terms_of(aspect.aspect)
    title = terms_of(passage.title)
    whole = share(wanted, title | terms_of(passage.text), lambda term: math.sqrt(weigh(term)))
    rated = [
        (share(wanted, s.terms | title, lambda term: math.sqrt(weigh(term))) + 0.001 * len(wanted & s.terms), s)
        for s in read_sentences(passage.text)
        if wanted & s.terms
    ]
    best = _best(rated, keep=2)
    return (min(1.0, 0.5 * whole + 0.5 * best[0][0]), best) if best else (0.0, ())


def _by_words(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    """How much of a long subject a passage says that has no word typical of such an answer; nothing for other aspects.

    "the door plug accident on the 737 MAX 9" holds much of what is asked; "BM25" holds nothing of it.
    """
    if aspect.aspect_type not in _BY_WORDS or len(terms_of(aspect.subject)) < _LONG:
        return 0.0, ()
    topic, rated = _fact(replace(aspect, keywords=(aspect.subject,)), passage, weigh)
    return _UNTYPICAL * topic, rated


def _comparison(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    items, title = items_of(aspect), terms_of(passage.title)
    scope = frozenset(t for word in aspect.keywords for t in tokens(word)) - frozenset().union(*items)
    rated, says = [], False
    for sentence in read_sentences(passage.text):
        named = sum(item <= sentence.terms for item in items)
        cued = min(2, len(_CUES["comparison"] & sentence.terms))
        says = says or (named >= 2 and cued > 0)
        rated.append(((named + 0.4 * cued) * (named > 0), sentence))
    titled = bool(items) and all(item <= title for item in items)
    topic = 1.0 if titled and says else 0.8 if titled or says else 0.1
    if scope:
        topic *= 0.6 + 0.4 * share(scope, title | terms_of(passage.text), weigh)
    return topic, _best(rated)


def _cued(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    cues = cues_of(aspect)
    subject = terms_of(aspect.subject)
    titled = subject <= terms_of(passage.title)
    rated = []
    plain = frozenset(t for word in aspect.keywords for t in tokens(word)) - subject
    for sentence in read_sentences(passage.text):
        about = 1.0 if subject <= sentence.terms else 0.6 if titled else 0.0
        opens = fold(passage.text[sentence.start : sentence.end]).startswith(fold(aspect.subject).removesuffix("s"))
        said = len(cues & sentence.terms) + len(_PLAIN & sentence.terms & (cues | plain))
        rated.append(((said + 0.5 * opens) * about * (said > 0), sentence))
    best = _best(rated)
    held = len(cues & frozenset().union(*(s.terms for _, s in best))) if best else 0
    return min(1.0, held / _ENOUGH_CUES) * (1.0 if titled else 0.7), best


def cues_of(aspect: QueryAspect) -> frozenset[str]:
    """The index terms by which a sentence shows that it says of the subject what the aspect asks."""
    if aspect.aspect == HISTORY:
        return _ORIGIN_CUES
    asked = frozenset(t for word in aspect.keywords for t in tokens(word))
    for side, cues in _OPPOSED:
        if aspect.aspect_type == "evaluation" and asked & side:
            return cues
    return _CUES.get(aspect.aspect_type, frozenset()) | (asked - terms_of(aspect.subject))


def held_constraints(aspect: QueryAspect, passage: Passage) -> float:
    """What is left of a match when the passage does not hold every condition of the aspect; 1.0 when it does."""
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
    wanted = frozenset(t for w in (*aspect.keywords, aspect.subject) for t in tokens(w)) | cues_of(aspect)
    text = passage.text[sentence.start : sentence.end]
    found = (word.strip(".,;:()\"'“”’") for word in text.split())
    return tuple(dict.fromkeys(w for w in found if w and wanted & terms_of(w)))


def uniform(_: str) -> float:
    """Every term weighs the same: what is known of rarity without a corpus."""
    return 1.0
