"""What a sentence is worth to an aspect; which of the sentences are of its side, list, topic, time or steps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adaq_core.answers.choose import (
    LATE,
    TypedSpan,
    Wanted,
    asked_share,
    gives_reason,
    kept_times,
    times_asked,
    typed_spans,
)
from adaq_core.answers.evidence_sentences import EMPTY_END, EvidenceSentence
from adaq_core.matching import is_of_another, is_title_of_a_kind, lays_down
from adaq_core.matching.answer_shapes import announced
from adaq_core.matching.asked import asked_by, asks_course
from adaq_core.matching.lexicon import cues_of
from adaq_core.matching.likelihood import chances
from adaq_core.matching.naming import TITLE_PARTS, subject_terms
from adaq_core.matching.sentences import read_against
from adaq_core.model import Constraint, Passage, QueryAspect
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import Weigh, fold, share, terms_of

Groups = Sequence[Sequence[EvidenceSentence]]


@dataclass(frozen=True, slots=True)
class Shares:
    """From which share of the best, in [0, 1], a sentence is said, and from which match it answers.

    `beside`: a passage of a full set is worth a sentence; `weak`: a sentence is worth saying at all; `near`: it stands
    beside the best where a fact is asked of each of several things; `topic`: it names a topic enough to be said of it.
    `answers`: the match from which a sentence answers; `sure`: what that match counts where others are left out;
    `lists`: the match from which the matcher is sure of a list, of which `few` sentences are enough where it is not.
    `member`: what of the likeliest member's chance to answer another one has at least.
    `titled`: so much of a topic stands in the title of the passage that is about it.
    """

    beside: float = 0.5
    weak: float = 0.45
    near: float = 0.6
    topic: float = 0.5
    answers: float = 0.5
    sure: float = 2.0
    lists: float = 0.75
    member: float = 0.1
    few: int = 3
    titled: float = 0.7


SHARES = Shares()


@dataclass(frozen=True, slots=True)
class AspectWeights:
    """What a sentence is worth to an aspect of a report; shares in [0, 1], weights without unit.

    Set on the judged factors of the two bundled question sets; all are flat within .02 around these values.
    """

    with_title: float = 1.0
    own: float = 0.5
    subject: float = 0.2
    passage: float = 1.0
    times: float = 0.8
    match: float = 0.5
    reason: float = 0.3
    order: float = 0.02
    hangs: float = 0.3
    other: float = 1.0
    presents: float = 0.3
    leads: float = 0.2
    rank: float = 0.1
    opens: float = 0.2
    paragraph: float = 0.3


ASPECTS = AspectWeights()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be said of an aspect, and what it is worth to that."""

    score: float
    sentence: EvidenceSentence


def candidates_of(aspect: QueryAspect, groups: Groups, wanted: Wanted, weigh: Weigh) -> list[Candidate]:
    """The sentences that say something, by what they are worth to an aspect, ties in the order of the set."""
    rated: list[Candidate] = []
    tells = aspect.answer_kind == "report" or aspect.aspect_type == "facet"
    for group in groups:
        leading = leads(group, wanted.terms, weigh)
        best = max(group, key=lambda s: wanted.matches.get(s.key, 0.0), default=None) if tells else None
        for sentence in (s for s in group if not s.empty):
            score = aspect_score(aspect, sentence, wanted, weigh) + ASPECTS.leads * leading[sentence.key]
            if best and sentence.paragraph == best.paragraph:
                score += ASPECTS.paragraph * wanted.matches.get(best.key, 0.0)
            rated.append(Candidate(score, sentence))
    return sorted(rated, key=lambda one: ASPECTS.rank * one.sentence.rank - one.score)


def aspect_score(aspect: QueryAspect, sentence: EvidenceSentence, wanted: Wanted, weigh: Weigh) -> float:
    """What a sentence is worth to an aspect: the aspect's words in it and its title, its subject, its place."""
    w, title = ASPECTS, subject_terms(sentence.passage)
    subject, terms = terms_of(aspect.subject), sentence.terms
    if any(terms_of(alias) <= terms | title for alias in aspect.aliases):
        terms |= subject
    value = w.with_title * share(wanted.terms, terms | title, weigh)
    value += w.own * share(wanted.terms, terms, weigh)
    value += w.subject * bool(subject and subject <= terms)
    value -= w.other * is_of_another(aspect.subject, sentence.text)
    value += w.passage * wanted.matches.get((sentence.passage.passage_id, -1), 0.0)
    value += w.match * wanted.matches.get(sentence.key, 0.0)
    value += w.reason * (wanted.kind == "reason" and gives_reason(sentence.text))
    value += w.times * kept_times(sentence, wanted.conditions)
    value -= w.order * min(sentence.order, LATE)
    return (
        value
        - w.hangs * sentence.hangs
        - w.presents * sentence.presents
        - w.opens * opens_a_part(sentence, wanted.conditions)
    )


_AFTER = 3
_NUMBER = re.compile(r"\d+")
_SHORT = 12


def leads(group: Sequence[EvidenceSentence], asked: frozenset[str], weigh: Weigh) -> dict[tuple[str, int], float]:
    """How much of each sentence of a passage the next three take up: the weight of its terms that they repeat.

    In weights of the passage's heaviest term. Terms that are asked, or stand in the title, are repeated anyway.
    """
    if not group:
        return {}
    common = subject_terms(group[0].passage) | asked
    weights = {term: weigh(term) for s in group for term in s.terms - common}
    heaviest = max(weights.values(), default=0.0) or 1.0
    made: dict[tuple[str, int], float] = {}
    for sentence in group:
        after = group[sentence.order + 1 : sentence.order + 1 + _AFTER]
        later = frozenset[str]().union(*(s.terms for s in after))
        made[sentence.key] = sum(weights[term] for term in sentence.terms & later - common) / heaviest
    return made


def opens_a_part(sentence: EvidenceSentence, times: Sequence[Constraint] = ()) -> bool:
    """Whether a sentence has no figure, and ends with how many things follow or is short and names nobody new.

    A year of the times asked for is no figure.
    """
    asked = {number for time in times for number in _NUMBER.findall(time.text)}
    if not asked.issuperset(_NUMBER.findall(sentence.text)):
        return False
    if EMPTY_END.search(sentence.text):
        return True
    return sentence.words <= _SHORT and not _new_names(sentence)


def names_one(sentence: EvidenceSentence) -> bool:
    """Whether a name stands in a sentence that its title does not say; a word written large to open it is none."""
    return any(span.start > 0 or " " in span.text or not span.text[1:].islower() for span in _new_names(sentence))


def _new_names(sentence: EvidenceSentence) -> list[TypedSpan]:
    title = subject_terms(sentence.passage)
    return [span for span in typed_spans("fact", sentence.text) if not terms_of(span.text) <= title]


_CAPITAL_OR_DIGIT = re.compile(r"[A-Z\d]")
_FEWEST_TERMS = 4


def says_little(sentence: EvidenceSentence) -> bool:
    """Whether a sentence is of a few words and names and counts nothing: "Regulators elsewhere are following."."""
    return _CAPITAL_OR_DIGIT.search(sentence.text, 1) is None and len(sentence.terms) <= _FEWEST_TERMS


def topic_asked(aspect: QueryAspect) -> str:
    """What is asked; "what happened to the supplier" of the name of that supplier, once it is known."""
    is_known = aspect.aspect_type == "relation" and aspect.answer_kind == "report" and aspect.subject
    return aspect.subject if is_known else aspect.aspect


def on_topic(aspect: QueryAspect, rated: list[Candidate], weigh: Weigh) -> list[Candidate]:
    """Of what may be said of a topic, that which names as much of it as the best nearly does, by itself or its title.

    What says nothing of debt is no part of "Boeing debt". For an aspect that is no topic all of it stays.
    """
    is_topic = aspect.answer_kind == "report" or asks_course(aspect)
    if not is_topic or aspect.aspect_type == "facet":
        return rated
    asked = terms_of(topic_asked(aspect))
    told = _with_what_it_takes_up(rated)
    stated = [told[one.sentence.key] | subject_terms(one.sentence.passage) for one in rated]
    shares = [share(asked, terms, weigh) for terms in stated]
    least = SHARES.topic * max(shares, default=0.0)
    pairs = zip(rated, stated, strict=True)
    return [one for one, terms in pairs if asked_share(asked, terms, weigh) >= least]


_TAKES_UP = re.compile(r"(?:It|They|He|She|Its|Their|His|Her)(?:['’]\w{1,2})?\b")


def _with_what_it_takes_up(rated: Sequence[Candidate]) -> dict[tuple[str, int], frozenset[str]]:
    """The terms of each sentence, with those of the one before it in its paragraph where it opens with a pronoun."""
    terms: dict[tuple[str, int], frozenset[str]] = {}
    last: EvidenceSentence | None = None
    sentences = [one.sentence for one in rated]
    for sentence in sorted(sentences, key=lambda each: each.key):
        terms[sentence.key] = sentence.terms
        if last is not None and _TAKES_UP.match(sentence.text) and _stands_behind(last, sentence):
            terms[sentence.key] |= terms[last.key]
        last = sentence
    return terms


def _stands_behind(last: EvidenceSentence, sentence: EvidenceSentence) -> bool:
    if last.rank != sentence.rank or last.paragraph != sentence.paragraph:
        return False
    return sentence.order == last.order + 1


class Members(NamedTuple):
    """The keys of the sentences that are members of a list; whether a text announces the list and tells it whole.

    "There are four kinds of B." is followed by the four, and what else speaks of B is none of them. Of other members
    `likely` is the chance that they are.
    """

    keys: frozenset[tuple[str, int]] = frozenset()
    is_whole: bool = False
    likely: Mapping[tuple[str, int], float] = {}


def members_of(aspect: QueryAspect, groups: Groups, weigh: Weigh) -> Members:
    """The sentences that answer a list of facts in the matcher's reading, which knows the sentences around each.

    None where it is sure of no sentence, and finds few; none that is far less likely than the likeliest to answer.
    """
    if aspect.aspect_type not in ("entity", "relation"):
        return Members()
    if asks_course(aspect) and len(course := _course_of(aspect, groups, weigh)) >= SHARES.few:
        return Members(course, is_whole=True)
    members: set[tuple[str, int]] = set()
    announced_ones: set[tuple[str, int]] = set()
    asked = terms_of(aspect.aspect)
    best = 0.0
    likely = chances(aspect, [group[0].passage for group in groups if group], weigh=weigh)
    least = SHARES.member * max(likely.values(), default=0.0)
    for group in (group for group in groups if group):
        read = read_against(aspect, group[0].passage, weigh=weigh)
        starts = {each.sentence.start for each in read if each.score >= SHARES.answers}
        best = max(best, *(each.score for each in read), 0.0)
        answering = [s for s in group if s.start in starts and likely.get(s.key, least) >= least]
        follow = set[EvidenceSentence]()
        for each in answering:
            count, what = announced(each.text)
            follow.update(told := group[each.order + 1 : each.order + 1 + count])
            if what & asked:
                announced_ones |= {s.key for s in (each, *told)}
        members |= {s.key for s in (*answering, *follow)}
    if announced_ones:
        return Members(frozenset(announced_ones), is_whole=True)
    is_list = best >= SHARES.lists or len(members) >= SHARES.few
    return Members(frozenset(members if is_list else ()), likely=likely)


_HALF = 0.5


def _course_of(aspect: QueryAspect, groups: Groups, weigh: Weigh) -> frozenset[tuple[str, int]]:
    """The keys of the dated sentences that tell how a thing went: they or their title say most of what it is."""
    asked, times = asked_by(aspect), times_asked(aspect.constraints)
    thing = {unit.term for unit in asked.units if not unit.is_light}
    names = [name for name in asked.names if name not in asked.lands]
    keys: set[tuple[str, int]] = set()
    for group in (group for group in groups if group):
        title = subject_terms(group[0].passage)
        is_titled = asked_share(thing, title, weigh) >= _HALF
        for each in (s for s in group if s.dates and kept_times(s, times) >= 0):
            on_it = is_titled or asked_share(thing, each.terms, weigh) >= _HALF
            if on_it and all(name <= each.terms | title for name in names):
                keys.add(each.key)
    return frozenset(keys)


_SIDE_OF = re.compile(
    r"(?i)\b(?:(?:dis)?advantages?|drawbacks?|weakness(?:es)?|strengths?|limits?|limitations?|benefits?"
    r"|difficult(?:y|ies)|dangers?|risks?|challenges?|problems?|shortcomings?|pitfalls?) of "
    r"(?P<thing>.{2,60}?) (?:is|are|was|were)\b"
)


def is_of_side(aspect: QueryAspect, sentence: EvidenceSentence) -> bool:
    """Whether a sentence gives the side asked for, of the thing asked about: no merits where weaknesses are."""
    if any(unit.is_opposed(sentence.terms) for unit in asked_by(aspect).units):
        return False
    whose = _SIDE_OF.search(sentence.text)
    if whose is not None:
        return terms_of(aspect.subject) <= terms_of(whose["thing"])
    return speaks_of(aspect, sentence) and not cues_of(aspect).isdisjoint(sentence.terms)


def asks_both_sides(aspect: QueryAspect) -> bool:
    """Whether an aspect names a side of a thing and its opposite: strengths and weaknesses."""
    asked = terms_of(aspect.aspect)
    return any(unit.opposites & asked for unit in asked_by(aspect).units)


def speaks_of(aspect: QueryAspect, sentence: EvidenceSentence) -> bool:
    """Whether a sentence, or the title that it stands under, names all that the aspect names."""
    terms = sentence.terms | subject_terms(sentence.passage)
    return all(name <= terms for name in asked_by(aspect).names)


def on_its_matter(aspect: QueryAspect, own: list[Candidate]) -> list[Candidate]:
    """Of a passage titled by a name ("Pfizer: prices, vaccines") the paragraphs that say what is asked of the name."""
    asked = asked_by(aspect)
    named = frozenset[str]().union(*asked.names)
    head = terms_of(subject_of(own[0].sentence.passage)) if own else frozenset[str]()
    matter = {unit.term for unit in asked.units} or named - head  # "What is A doing about B?": B
    is_titled = head <= named or any(name <= head for name in asked.names)  # "JPMorgan" under "JPMorgan Chase: …"
    if not head or not is_titled or not matter or times_asked(aspect.constraints):
        return own
    saying = {(one.sentence.rank, one.sentence.paragraph) for one in own if matter & one.sentence.terms}
    return [one for one in own if (one.sentence.rank, one.sentence.paragraph) in saying]


def is_titled_by(aspect: QueryAspect, passage: Passage) -> bool:
    """Whether the title of a passage is the name of what an aspect is about."""
    # "Corrective RAG (CRAG)" is the title of CRAG too.
    titles = {fold(part.strip()) for part in (passage.title, *TITLE_PARTS.findall(passage.title))}
    return any(fold(name) in titles for name in (aspect.subject, *aspect.aliases) if name)


def laid_down(aspect: QueryAspect, every: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that say what they mean by the term."""
    return [one for one in every if lays_down(aspect.subject, one.sentence.text)]


def kinds_of_it(aspect: QueryAspect, every: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that open the documents on kinds of what is to be defined, where none has it as its title.

    Where there is no document on attention, what additive and what multi-head attention is says best what it is.
    """
    if any(is_titled_by(aspect, one.sentence.passage) for one in every):
        return []
    opening = [one for one in every if one.sentence.order == 0]
    opening = [one for one in opening if is_title_of_a_kind(one.sentence.passage.title, aspect.subject)]
    return opening if len(opening) > 1 else []


def of_what_is_defined(aspect: QueryAspect, every: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that name what is to be defined, or whose passage is titled by it."""
    subject = terms_of(aspect.subject)
    return [one for one in every if subject <= one.sentence.terms | terms_of(one.sentence.passage.title)]


def of_its_time(lane: list[Candidate], times: Sequence[Constraint]) -> list[Candidate]:
    """What is said of the time asked for, where that is more than a sentence; else all."""
    timed = [one for one in lane if kept_times(one.sentence, times) > 0]
    return timed if len(timed) > 1 else lane


def steps_in(groups: Groups) -> set[tuple[str, int]]:
    """The keys of the sentences behind one that announces them as steps: "B has three steps."."""
    keys = set[tuple[str, int]]()
    for group in groups:
        for sentence in group:
            count, what = announced(sentence.text)
            if what & _STEPS:
                begin = sentence.order + 1
                keys |= {s.key for s in group[begin : begin + count]}
    return keys


_STEPS = terms_of("steps stages phases actions operations parts")
