"""How much a passage says of what an aspect asks, type by type, and in which sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace

from adaq_core.matching.lexicon import CUES, PLAIN, cues_of
from adaq_core.matching.sentences import TITLE_PARTS, issuer_terms
from adaq_core.model import Passage, QueryAspect
from adaq_core.text.tokens import Sentence, Weigh, fold, items_of, read_sentences, share, terms_of, tokens

Rated = tuple[float, Sentence]

_ENOUGH_CUES = 2
_KIND_OF_IT = 0.16
_UNTYPICAL = 0.8
_BY_WORDS, _LONG = ("process", "causal"), 3
_ASIDE, _MOSTLY = 0.25, 0.5
# A passage that is titled by the subject itself need not say the facet's words in every other sentence.
_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN = 0.15, 0.3
# Between subject and verb only another name of the subject may stand: ", short for low-rank adaptation,".
_ASIDE_BETWEEN = re.compile(r"e?s?\s*(?:,[^.;]{1,90},|\([^.;]{1,60}\)|or [^.;,]{1,40},?)?\s*")
_NO_DEFINITION = re.compile(
    r"\s{1,3}(?:also |often |usually |therefore |not |very |more |most |so )?(?:important|useful|popular|fast|simple"
    r"|used|expensive|cheap|good|common|strong|weak|better|worse|available|published|introduced|released|applied|stored|built|tested)\b"
)
_OPENING = re.compile(r"(?:in [^,]{1,40}, )?(?:the |an? )?")
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|refers? to|means|denotes?|describes?|consists? of|stands for|computes?|known as)\b"
)


def topic_of(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    """How much of what is asked of the subject a passage says, in [0, 1], and the sentences that do, best first."""
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
    subject = terms_of(aspect.subject)
    titled = any(terms_of(part) == subject for part in (passage.title, *TITLE_PARTS.findall(passage.title)))
    rated = _kind_of_it(aspect.subject, passage)
    for order, sentence in enumerate(read_sentences(passage.text)):
        if subject <= sentence.terms:
            says = _defines(aspect.subject, passage.text[sentence.start : sentence.end])
            rated.append(((1.0 if says else 0.15) / (1 + 0.1 * order), sentence))
    best = _best(rated)
    if not best:
        return 0.0, ()
    return min(1.0, best[0][0] + (0.75 if titled else 0.0)), best


def _kind_of_it(subject: str, passage: Passage) -> list[Rated]:
    """The sentence that defines a kind of the subject, which its passage is titled by: self-attention is attention."""
    if not re.fullmatch(rf"[\w -]{{2,40}}[ -]{re.escape(fold(subject))}", fold(passage.title)):
        return []
    return [
        (_KIND_OF_IT, s) for s in read_sentences(passage.text)[:1] if _defines(passage.title, passage.text[: s.end])
    ]


def _defines(subject: str, sentence: str) -> bool:
    """Whether the subject opens the sentence and a defining verb follows it closely."""
    head = fold(sentence)
    at = head.find(fold(subject).removesuffix("s"))
    if at < 0 or _OPENING.fullmatch(head[:at]) is None:
        return False
    verb = _DEFINES.search(head, at + len(subject) - 1)
    if verb is None or _NO_DEFINITION.match(head, verb.end()) is not None:
        return False
    return _ASIDE_BETWEEN.fullmatch(head[at + len(subject) : verb.start()]) is not None


def _facet(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    """A passage is about a facet when its title says so, or when well over a quarter of its sentences speak of it."""
    keywords = [terms for keyword in aspect.keywords if (terms := terms_of(keyword))]
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    named = subject <= title | issuer_terms(passage)
    titled = named and any(terms <= title for terms in keywords)
    rated = [
        (float(sum(terms <= s.terms for terms in keywords)) * (named or subject <= s.terms), s)
        for s in read_sentences(passage.text)
    ]
    speaking = sum(worth > 0 for worth, _ in rated)
    aside, mostly = (_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN) if named and speaking > 1 else (_ASIDE, _MOSTLY)
    if titled:
        topic = 1.0
    else:
        topic = max(0.0, min(1.0, (speaking / max(1, len(rated)) - aside) / mostly))
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
    if best:
        return (min(1.0, 0.5 * whole + 0.5 * best[0][0]), best)
    return (0.0, ())


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
        cued = min(2, len(CUES["comparison"] & sentence.terms))
        says = says or (named >= 2 and cued > 0)
        rated.append(((named + 0.4 * cued) * (named > 0), sentence))
    titled = bool(items) and all(item <= title for item in items)
    topic = 1.0 if titled and says else 0.8 if titled or says else 0.1
    if scope:
        best = _best(rated, keep=1)
        topic *= share(scope, title.union(*(sentence.terms for _, sentence in best)), weigh)
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
        said = len(cues & sentence.terms) + len(PLAIN & sentence.terms & (cues | plain))
        rated.append(((said + 0.5 * opens) * about * (said > 0), sentence))
    best = _best(rated)
    if best:
        cued = len(cues & frozenset().union(*(s.terms for _, s in best)))
    else:
        cued = 0
    return min(1.0, cued / _ENOUGH_CUES) * (1.0 if titled else 0.7), best


def _best(rated: Iterable[Rated], keep: int = 3) -> tuple[Rated, ...]:
    """The `keep` best sentences worth something, ties in reading order."""
    return tuple(sorted((r for r in rated if r[0] > 0), key=lambda r: (-r[0], r[1].start))[:keep])
