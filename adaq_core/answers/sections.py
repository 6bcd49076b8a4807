"""The form of an answer: one section for a fact, else one an aspect; comparisons as tables, lists as lists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adaq_core.answers.choose import (
    LATE,
    Wanted,
    answers_in_kind,
    holds,
    kept_times,
    score,
    times_asked,
    typed_spans,
    wanted_of,
    word_count,
)
from adaq_core.answers.evidence_sentences import (
    EMPTY_END,
    EvidenceSentence,
    announced,
    reversals_of,
    with_antecedents,
)
from adaq_core.matching.asked import asked_by
from adaq_core.matching.lexicon import cues_of
from adaq_core.matching.match import is_of_another
from adaq_core.matching.sentences import read_against, subject_terms
from adaq_core.model import (
    AnswerKind,
    AnswerTable,
    Constraint,
    Finding,
    QueryAspect,
    RankedPassage,
    Statement,
    TableRow,
)
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import Weigh, share, terms_of

Groups = Sequence[Sequence[EvidenceSentence]]
Keys = dict[tuple[str, int], EvidenceSentence]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words that an answer may have, and from which share of the best a passage of a full set is worth a sentence.

    `near`: from which share of the best a sentence stands beside it where a fact is asked of each of several things;
    `topic`: from which share of the best a sentence names a topic enough to be said of it;
    `answers`: from which match a sentence answers, in [0, 1]; `sure`: what that match counts where others are left out.

    80 words hold .84 of what the set holds on four public sets, 60 words .81 (docs/experiments.md).
    """

    fact: int = 80
    stated: int = 45
    report: int = 180
    per_aspect: int = 15
    most: int = 310
    listed: int = 250
    small_set: int = 3
    beside: float = 0.5
    weak: float = 0.45
    near: float = 0.6
    answers: float = 0.5
    sure: float = 2.0
    lists: float = 0.75
    topic: float = 0.5
    few: int = 3


LENGTHS = Lengths()
_FACTS = frozenset(("entity", "relation"))
_SHORT_KINDS = frozenset(("person", "place", "organisation", "date", "number", "amount", "yes_no", "choice"))


@dataclass(frozen=True, slots=True)
class AspectWeights:
    """What a sentence is worth to an aspect of a report; shares in [0, 1], weights without unit.

    Set on the judged factors of the two bundled question sets; all are flat within .02 around these values.
    """

    with_title: float = 1.0
    own: float = 0.5
    subject: float = 0.2
    found: float = 1.0
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


ASPECTS = AspectWeights()


@dataclass(slots=True)
class Section:
    """The sentences that speak to one aspect, in the order in which they are said."""

    aspect: QueryAspect
    sentences: list[EvidenceSentence]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may be said of an aspect, and what it is worth to that."""

    worth: float
    sentence: EvidenceSentence


def of_the_named(question: str, groups: Groups) -> Groups:
    """The sentences without those of passages about another subject than the one that the question names.

    A subject is a name before the colon of a title. Where no title opens with a name of the question all are kept.
    """
    heads = [_subject_of(group) for group in groups]
    asked = terms_of(question)
    named = [bool(head and terms_of(head) & asked) for head in heads]
    if sum(named) < _NAMED_PASSAGES:
        return groups
    return [() if head and not own else group for group, head, own in zip(groups, heads, named, strict=True)]


_NAMED_PASSAGES = 2


def _subject_of(group: Sequence[EvidenceSentence]) -> str:
    """The subject of the passage's title where it is a name; empty where it is none."""
    head = subject_of(group[0].passage) if group else ""
    if all(word[:1].isupper() for word in head.split()):
        return head
    return ""


def of_fact(
    groups: Groups, wanted: Wanted, weigh: Weigh, *, most: int, use_all: bool, only_sure: bool = False
) -> list[EvidenceSentence]:
    """One sentence of every passage, then the next best, with what each hangs on and what takes it back.

    With `only_sure` nothing is said beside sentences that answer in the matcher's reading.
    """
    scores = {s.key: score(s, wanted, weigh) for group in groups for s in group}
    answering = {key for key, match in wanted.matches.items() if match >= LENGTHS.answers}
    # "X needs Python 3.10 and runs on:" announces a list, and answers.
    told = {s.key for group in groups for s in group if s.key in answering and answers_in_kind(wanted, s)}
    said = [[s for s in group if not s.empty or s.key in told] for group in groups]
    if answering and only_sure:
        said = [[s for s in group if s.key in answering] for group in said]
        in_time = [[s for s in group if kept_times(s, wanted.conditions) >= 0] for group in said]
        said = in_time if any(in_time) else said
        scores = {key: scores[key] + LENGTHS.sure * match for key, match in wanted.matches.items() if key in scores}
    heads = [max(group, key=lambda s: (scores[s.key], -s.order)) for group in said if group]
    heads.sort(key=lambda s: (-scores[s.key], s.rank))
    kept = [h for h in heads if use_all or _is_worth(h, heads[0], scores)]
    taken: Keys = {}
    for head in kept:
        by_worth = sorted(said[head.rank], key=lambda s: (-scores[s.key], s.order))
        unit = next((u for s in by_worth if (u := _unit(s, groups)) is not None), None)
        _add(taken, unit or (head,))
    if kept and only_sure:
        best = list(taken.values())[: len(_unit(kept[0], groups) or ())]
    else:
        best = []
    if kept and not use_all:
        floor = LENGTHS.weak * scores[kept[0].key]
    else:
        floor = float("-inf")
    rest = [s for group in said for s in group if scores[s.key] >= floor]
    _fill(taken, sorted(rest, key=lambda s: (-scores[s.key], s.rank, s.order)), groups, most=most)
    return _best_first(_in_order(taken, first=kept[0].rank if kept else 0), best)


def _best_first(ordered: list[EvidenceSentence], best: Sequence[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentence that answers best in front, unless another would then hang on the wrong one."""
    rest = [sentence for sentence in ordered if sentence not in best]
    if not best or any(sentence.hangs and sentence.rank == best[0].rank for sentence in rest):
        return ordered
    return [*best, *rest]


def _is_worth(head: EvidenceSentence, best: EvidenceSentence, scores: dict[tuple[str, int], float]) -> bool:
    return scores[head.key] >= LENGTHS.beside * scores[best.key]


def of_aspects(
    aspects: Sequence[QueryAspect],
    groups: Groups,
    findings: Sequence[Finding],
    weigh: Weigh,
    *,
    most: int,
    use_all: bool = False,
    only_sure: bool = False,
) -> list[Section]:
    """The aspects in turn, each takes its next best sentence until the words are used up.

    With `use_all` the set is a chain, of which the members of a list are only the end. With `only_sure` nothing is
    missing, so that beside a fact nothing else is said.
    """
    speaking = [_speaking(a, findings) for a in aspects]
    own = _by_facet(aspects, groups, speaking, weigh)
    lanes = [
        _lane(aspect, sentences, spoken, weigh, use_all=use_all, only_sure=only_sure)
        for aspect, sentences, spoken in zip(aspects, own, speaking, strict=True)
    ]
    sections = [Section(aspect, []) for aspect in aspects]
    taken: Keys = {}
    while any(lanes):
        for section, lane in zip(sections, lanes, strict=True):
            _take_next(section, lane, taken, groups, most=most)
    return [Section(s.aspect, _told_in_order(s, _speaking(s.aspect, findings))) for s in sections]


def _by_facet(
    aspects: Sequence[QueryAspect], groups: Groups, speaking: Sequence[Mapping[tuple[str, int], float]], weigh: Weigh
) -> list[Groups]:
    """For each facet the passages that answer no other facet better, where there are such; for other aspects all."""
    facets = [n for n, aspect in enumerate(aspects) if aspect.aspect_type == "facet"]
    if len(facets) < 2:
        return [groups] * len(aspects)
    fits = {n: [_fit(aspects[n], speaking[n], group, weigh) for group in groups] for n in facets}
    best = [max(fits[n][place] for n in facets) for place in range(len(groups))]
    made: list[Groups] = [groups] * len(aspects)
    for n in facets:
        kept = [group if fits[n][place] == best[place] else () for place, group in enumerate(groups)]
        if any(group and fit > 0 for group, fit in zip(kept, fits[n], strict=True)):
            made[n] = kept
    return made


def _fit(
    aspect: QueryAspect, speaking: Mapping[tuple[str, int], float], group: Sequence[EvidenceSentence], weigh: Weigh
) -> float:
    """How well a passage answers an aspect: what the matcher says of its best sentence, half its title's share."""
    if not group:
        return 0.0
    passage = group[0].passage
    titled = share(terms_of(aspect.aspect), subject_terms(passage), weigh)
    return speaking.get((passage.passage_id, -1), 0.0) + titled / 2


def _told_in_order(section: Section, speaking: Mapping[tuple[str, int], float]) -> list[EvidenceSentence]:
    """The sentences by passage, that of the one which answers best first, the others as they are ranked.

    What gives a reason, a way or a fact stands in front of what is said beside it; a report is told as it is written.
    """
    if not section.sentences:
        return []
    best = max(section.sentences, key=lambda s: speaking.get(s.key, 0.0))
    sure = speaking.get(best.key, 0.0) >= LENGTHS.answers
    ordered = sorted(section.sentences, key=lambda s: (s.rank != best.rank, s.rank, s.order))
    tells = section.aspect.answer_kind not in ("report", "list", "fact", "definition", "comparison")
    return _best_first(ordered, [best] if tells and sure and not best.hangs else [])


def _take_next(section: Section, lane: list[Candidate], taken: Keys, groups: Groups, *, most: int) -> None:
    while lane:
        unit = _unit(lane.pop(0).sentence, groups)
        new = [s for s in unit or () if s.key not in taken]
        if new and word_count(taken.values()) + word_count(new) <= most:
            _add(taken, new)
            section.sentences += new
            return


def _speaking(aspect: QueryAspect, findings: Sequence[Finding]) -> dict[tuple[str, int], float]:
    """How well sentences speak to an aspect, in [0, 1], by passage and start; under -1 the best of the passage."""
    best: dict[tuple[str, int], float] = {}
    for finding in findings:
        if finding.aspect == aspect.aspect:
            for key in ((finding.passage_id, finding.start), (finding.passage_id, -1)):
                best[key] = max(best.get(key, 0.0), finding.score)
    return best


def _lane(
    aspect: QueryAspect,
    groups: Groups,
    speaking: dict[tuple[str, int], float],
    weigh: Weigh,
    *,
    use_all: bool,
    only_sure: bool,
) -> list[Candidate]:
    """The sentences for an aspect, best first, then others of their passages; none that are far below the best."""
    conditions = times_asked(aspect.constraints)
    wanted = wanted_of(aspect.aspect, aspect.answer_kind, conditions=conditions, matches=speaking)
    every = _on_topic(aspect, _rated(aspect, groups, wanted, weigh), weigh)
    answering = _answering(aspect, every, groups, speaking, weigh, use_all=use_all, only_sure=only_sure)
    # A sentence of another time is said only where nothing else is there to say.
    in_time = [one for one in every if kept_times(one.sentence, conditions) >= 0]
    rated = [one for one in answering if one in in_time] or answering
    best = max((one.worth for one in rated), default=0.0)
    least = LENGTHS.near if aspect.aspect_type in _FACTS else LENGTHS.weak
    lane = [one for one in rated if one.worth >= least * best]
    # What is said of the time asked for comes before what is said of none.
    lane.sort(key=lambda one: -kept_times(one.sentence, conditions))
    if use_all:
        lane += _heads(every, lane)
    others = [one for one in in_time if one.worth >= LENGTHS.weak * best]
    if not _is_told_alone(aspect, speaking, only_sure=only_sure):
        lane += _beside(lane, others)
    worthy = {one.sentence.key for one in (*lane, *others)}
    told = [*lane[:1], *(one for one in lane[1:] if _hangs_on(one.sentence, groups) <= worthy)]
    # A facet is covered by a whole passage about it, of which the matcher's sentence is only one.
    return told if aspect.aspect_type == "facet" else _what_covers_first(told, every, speaking)


def _what_covers_first(
    lane: list[Candidate], every: Sequence[Candidate], speaking: Mapping[tuple[str, int], float]
) -> list[Candidate]:
    """The lane behind the sentence that covers the aspect, so that the answer says what the trace points at."""
    sure = [one for one in every if speaking.get(one.sentence.key, 0.0) >= LENGTHS.answers]
    if not sure:
        return lane
    covers = max(sure, key=lambda one: (speaking[one.sentence.key], one.worth))
    return [covers, *(one for one in lane if one is not covers)]


def _on_topic(aspect: QueryAspect, rated: list[Candidate], weigh: Weigh) -> list[Candidate]:
    """Of what may be said of a topic, that which names as much of it as the best nearly does, by itself or its title.

    What says nothing of debt is no part of "Boeing debt". For an aspect that is no topic all of it stays.
    """
    if aspect.answer_kind != "report" or aspect.aspect_type == "facet":
        return rated
    asked = terms_of(aspect.aspect)
    named = [share(asked, one.sentence.terms | subject_terms(one.sentence.passage), weigh) for one in rated]
    least = LENGTHS.topic * max(named, default=0.0)
    return [one for one, said in zip(rated, named, strict=True) if said >= least]


def _hangs_on(sentence: EvidenceSentence, groups: Groups) -> set[tuple[str, int]]:
    """The sentences that have to be said before a sentence can be, and itself."""
    return {each.key for each in with_antecedents(sentence, groups[sentence.rank]) or ()}


def _answering(
    aspect: QueryAspect,
    rated: list[Candidate],
    groups: Groups,
    speaking: Mapping[tuple[str, int], float],
    weigh: Weigh,
    *,
    use_all: bool,
    only_sure: bool,
) -> list[Candidate]:
    """Those that are members of the list, give the side, or state the fact asked for; all where there are no such."""
    if aspect.answer_kind == "list":
        members = frozenset() if use_all else _members(aspect, groups, weigh)
        named = [one for one in rated if _speaks_of(aspect, one.sentence)]
        answering = [one for one in rated if one.sentence.key in members]
        rated = [one for one in answering if one in named] or answering or named or rated
    if aspect.aspect_type == "evaluation":
        rated = [one for one in rated if _is_of_side(aspect, one.sentence)] or rated
    if only_sure and _is_looked_up(aspect):
        sure = [one for one in rated if speaking.get(one.sentence.key, 0.0) >= LENGTHS.answers]
        rated = sure or [one for one in rated if one.sentence.key in speaking] or rated
    return rated


def _heads(rated: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of each passage that none of those kept stands in."""
    heads = {one.sentence.rank: one for one in reversed(rated)}
    spoken = {one.sentence.rank for one in kept}
    return [head for rank, head in sorted(heads.items()) if rank not in spoken and head.worth > 0]


def _is_told_alone(aspect: QueryAspect, speaking: Mapping[tuple[str, int], float], *, only_sure: bool) -> bool:
    """Whether only what answers is said of an aspect: one side of a thing, a fact, a list of which a member is sure."""
    if aspect.aspect_type == "evaluation":
        return not _asks_both_sides(aspect)
    sure = max(speaking.values(), default=0.0)
    is_list = aspect.answer_kind == "list" and aspect.aspect_type in _FACTS
    return (is_list and sure >= LENGTHS.lists) or (only_sure and _is_looked_up(aspect) and sure >= LENGTHS.answers)


def _is_looked_up(aspect: QueryAspect) -> bool:
    """Whether an aspect asks for a name, a date or a number, which one sentence gives."""
    return aspect.aspect_type in _FACTS and aspect.answer_kind in _SHORT_KINDS


def _asks_both_sides(aspect: QueryAspect) -> bool:
    """Whether an aspect names a side of a thing and its opposite: strengths and weaknesses."""
    asked = terms_of(aspect.aspect)
    return any(unit.opposites & asked for unit in asked_by(aspect).units)


def _beside(kept: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """The other sentences of the passages that those kept stand in."""
    keys, ranks = {one.sentence.key for one in kept}, {one.sentence.rank for one in kept}
    return [one for one in others if one.sentence.key not in keys and one.sentence.rank in ranks]


def _rated(aspect: QueryAspect, groups: Groups, wanted: Wanted, weigh: Weigh) -> list[Candidate]:
    """The sentences that say something, by what they are worth to an aspect, ties in the order of the set."""
    rated: list[Candidate] = []
    for group in groups:
        leading = leads(group, wanted.terms, weigh)
        for sentence in (s for s in group if not s.empty):
            worth = aspect_score(aspect, sentence, wanted, weigh) + ASPECTS.leads * leading[sentence.key]
            rated.append(Candidate(worth, sentence))
    return sorted(rated, key=lambda one: ASPECTS.rank * one.sentence.rank - one.worth)


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
    title = subject_terms(sentence.passage)
    return sentence.words <= _SHORT and all(terms_of(span.text) <= title for span in typed_spans("fact", sentence.text))


_TIMELINE = re.compile(r"\b(?:timeline|chronology|sequence of events)\b", re.IGNORECASE)


def _members(aspect: QueryAspect, groups: Groups, weigh: Weigh) -> frozenset[tuple[str, int]]:
    """The sentences that answer a list of facts in the matcher's reading, which knows the sentences around each.

    None where it is sure of no sentence, and finds few.
    """
    if aspect.aspect_type not in ("entity", "relation"):
        return frozenset()
    members: set[tuple[str, int]] = set()
    best = 0.0
    for group in (group for group in groups if group):
        read = read_against(aspect, group[0].passage, weigh=weigh)
        starts = {each.sentence.start for each in read if each.score >= LENGTHS.answers}
        best = max(best, *(each.score for each in read), 0.0)
        said = [s for s in group if s.start in starts]
        follow = {t for s in said for t in group[s.order + 1 : s.order + 1 + announced(s)]}
        if said and _TIMELINE.search(aspect.aspect):
            dated = {s for s in group if s.dates}
        else:
            dated = set()
        members |= {s.key for s in (*said, *follow, *dated)}
    return frozenset(members if best >= LENGTHS.lists or len(members) >= LENGTHS.few else ())


_SIDE_OF = re.compile(
    r"\b(?:(?:dis)?advantages?|drawbacks?|weakness(?:es)?|strengths?|limits?|limitations?|benefits?) of "
    r"(?P<thing>.{2,60}?) (?:is|are|was|were)\b",
    re.IGNORECASE,
)


def _is_of_side(aspect: QueryAspect, sentence: EvidenceSentence) -> bool:
    """Whether a sentence gives the side asked for, of the thing asked about: no merits where weaknesses are."""
    if any(unit.is_opposed(sentence.terms) for unit in asked_by(aspect).units):
        return False
    whose = _SIDE_OF.search(sentence.text)
    if whose is not None:
        return terms_of(aspect.subject) <= terms_of(whose["thing"])
    return _speaks_of(aspect, sentence) and not cues_of(aspect).isdisjoint(sentence.terms)


def _speaks_of(aspect: QueryAspect, sentence: EvidenceSentence) -> bool:
    """Whether a sentence, or the title that it stands under, names all that the aspect names."""
    said = sentence.terms | subject_terms(sentence.passage)
    return all(name <= said for name in asked_by(aspect).names)


def aspect_score(aspect: QueryAspect, sentence: EvidenceSentence, wanted: Wanted, weigh: Weigh) -> float:
    """What a sentence is worth to an aspect: the aspect's words in it and its title, its subject, its place."""
    w, title = ASPECTS, subject_terms(sentence.passage)
    subject, said = terms_of(aspect.subject), sentence.terms
    if any(terms_of(alias) <= said | title for alias in aspect.aliases):
        said |= subject
    value = w.with_title * share(wanted.terms, said | title, weigh)
    value += w.own * share(wanted.terms, said, weigh)
    value += w.subject * bool(subject and subject <= said)
    value -= w.other * is_of_another(aspect.subject, sentence.text)
    value += w.found * wanted.matches.get((sentence.passage.passage_id, -1), 0.0)
    value += w.match * wanted.matches.get(sentence.key, 0.0)
    value += w.reason * (wanted.kind == "reason" and holds("reason", sentence.text, beyond=wanted.words))
    value += w.times * kept_times(sentence, wanted.conditions)
    value -= w.order * min(sentence.order, LATE)
    return (
        value
        - w.hangs * sentence.hangs
        - w.presents * sentence.presents
        - w.opens * opens_a_part(sentence, wanted.conditions)
    )


def _unit(sentence: EvidenceSentence, groups: Groups) -> tuple[EvidenceSentence, ...] | None:
    """A sentence after what it hangs on and before what takes it back; None when it cannot be quoted whole."""
    siblings = groups[sentence.rank]
    before = with_antecedents(sentence, siblings)
    if before is None:
        return None
    return (*before, *reversals_of(sentence, siblings))


def _fill(taken: Keys, rest: Sequence[EvidenceSentence], groups: Groups, *, most: int) -> None:
    for sentence in rest:
        new = [s for s in _unit(sentence, groups) or () if s.key not in taken]
        if new and word_count(taken.values()) + word_count(new) <= most:
            _add(taken, new)


def _add(taken: Keys, sentences: Sequence[EvidenceSentence]) -> None:
    taken.update({s.key: s for s in sentences})


def _in_order(taken: Keys, *, first: int) -> list[EvidenceSentence]:
    """By passage, the one with the best sentence first, then as they were ranked."""
    return sorted(taken.values(), key=lambda s: (s.rank != first, s.rank, s.order))


def unused_reason(ranked: RankedPassage, groups: Groups) -> str:
    """Why a passage of the set has no sentence in the answer."""
    group = next((g for g in groups if g and g[0].passage.passage_id == ranked.passage.passage_id), ())
    if all(sentence.empty for sentence in group):
        return "it holds no sentence that says something: heads, cells or announcements"
    return "its sentences say less of what is asked than those quoted"


_MOST_COLUMNS = 4
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|will)\b", re.I
)
_LONGEST_HEADING = 12
# What a section says of its thing, by kind of answer or type of aspect, where the aspect's name is a question.
_WHAT = {
    "reason": ": reasons", "causal": ": reasons", "way": ": how it works", "process": ": how it works",
    "date": ": dates",
    "person": ": people", "amount": ": amounts", "number": ": numbers", "place": ": places", "list": ": list",
}  # fmt: skip


# "Which of the eight companies had a strike": the heading is "Companies that had a strike".
_MEMBERS = re.compile(
    r"(?:[Ww]hich|[Ww]hat) (?:of (?:the|these|those) )?(?:\w{1,12} )?"
    r"(?P<things>(?!(?:has|is|was|does|its|this)\b)[a-z]{3,20}s) "
    r"(?P<rest>(?!(?:do|did|does) |(?:is|are|was|were|has|have|can|will) (?:the )?[A-Z])[a-z][^?]{3,70})"
)


def heading_of(aspect: QueryAspect) -> str:
    """The name of the aspect as a heading; empty where it only repeats a question."""
    name = aspect.aspect.strip().rstrip("?")
    if members := _MEMBERS.fullmatch(name):
        return f"{members['things'].capitalize()} that {members['rest']}"
    if _ASKS.match(name) or len(name.split()) > _LONGEST_HEADING:
        if aspect.subject and not _ASKS.match(aspect.subject):
            thing = aspect.subject
        else:
            thing = ""
        what = _WHAT.get(aspect.answer_kind, _WHAT.get(aspect.aspect_type, ""))
        if thing:
            return f"{thing[:1].upper()}{thing[1:]}{what}"
        return what.removeprefix(": ").capitalize()
    return name[:1].upper() + name[1:]


def table_of(
    question: str, kind: AnswerKind, sections: Sequence[Section], statements: Sequence[Statement]
) -> AnswerTable | None:
    """Aspects that ask the same of several things as a table; None where they do not, or only one thing has cells."""
    cells: dict[tuple[str, str], str] = {}
    for section in sections:
        thing, label = _thing_and_label(section.aspect)
        if thing and label:
            cells[label, thing] = section.aspect.aspect
    things = list(dict.fromkeys(thing for _, thing in cells))
    labels = [x for x in dict.fromkeys(label for label, _ in cells) if sum((x, t) in cells for t in things) > 1]
    if not 2 <= len(things) <= _MOST_COLUMNS or not labels:
        return None
    rows = tuple(
        TableRow(label, tuple(_places(cells.get((label, thing)), statements) for thing in things)) for label in labels
    )
    full = [row for row in rows if sum(bool(cell) for cell in row.cells) > 1]
    return AnswerTable(tuple(things), rows) if full else None


def _thing_and_label(aspect: QueryAspect) -> tuple[str, str]:
    """What an aspect is about and what it asks of that: “Supply risks of Apple” is supply risks, of Apple."""
    thing = aspect.subject.strip()
    if not thing or aspect.aspect_type == "comparison":
        return "", ""
    name = aspect.aspect
    match = re.fullmatch(
        rf"(?P<label>.+?)\s+(?:of|for|at|in|role of)\s+(?:the\s+)?{re.escape(thing)}", name, re.IGNORECASE
    )
    if match:
        return thing, match["label"]
    match = re.fullmatch(rf"{re.escape(thing)}:\s+(?P<label>.+)", name, re.IGNORECASE)
    if match:
        return (thing, match["label"][:1].upper() + match["label"][1:])
    return ("", "")


def _places(aspect: str | None, statements: Sequence[Statement]) -> tuple[int, ...]:
    return tuple(n for n, s in enumerate(statements) if aspect is not None and s.aspect == aspect)
