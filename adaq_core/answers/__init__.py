"""Which sentences of the evidence are said: together for a fact, else aspect by aspect, until the words are used up."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from adaq_core.answers.aspect_scores import (
    SHARES,
    Candidate,
    Groups,
    Members,
    asks_both_sides,
    candidates_of,
    is_of_side,
    is_titled_by,
    kinds_of_it,
    laid_down,
    members_of,
    names_one,
    of_its_time,
    of_what_is_defined,
    on_its_matter,
    on_topic,
    opens_a_part,
    says_little,
    speaks_of,
    steps_in,
    topic_asked,
)
from adaq_core.answers.choose import (
    Wanted,
    answers_in_kind,
    kept_times,
    score,
    times_asked,
    wanted_of,
    word_count,
)
from adaq_core.answers.evidence_sentences import EvidenceSentence, reversals_of, with_antecedents
from adaq_core.matching.asked import Unit, asked_by, asks_course
from adaq_core.matching.lexicon import side_asked, side_told
from adaq_core.matching.naming import is_code, issuer_terms, subject_terms
from adaq_core.matching.sentences import SHAPED, asks_for_code
from adaq_core.model import Finding, QueryAspect, RankedPassage
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import Weigh, items_of, share, terms_of

Keys = dict[tuple[str, int], EvidenceSentence]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words that an answer may have, and how many passages a set has of which each is worth a sentence.

    60 words in place of 80 lose .02 to .05 of the answers of three public sets (docs/experiments.md, K7).
    """

    fact: int = 80
    stated: int = 45
    report: int = 180
    per_aspect: int = 15
    most: int = 310
    listed: int = 310
    small_set: int = 3


_LETTER = re.compile(r"[^\W\d_]")
LENGTHS = Lengths()
_SHORT_KINDS = frozenset(("person", "place", "organisation", "date", "number", "amount", "yes_no", "choice"))


@dataclass(slots=True)
class Section:
    """The sentences that speak to one aspect, in the order in which they are said."""

    aspect: QueryAspect
    sentences: list[EvidenceSentence]


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
    """Return the subject of the passage's title; empty unless it is a name."""
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
    answering = answers_by(wanted.matches)
    quotable = [[s for s in group if _may_be_quoted(s, wanted, answering)] for group in groups]
    if answering and only_sure:
        quotable = _kept_in_time([[s for s in group if s.key in answering] for group in quotable], wanted)
        scores = {key: scores[key] + SHARES.sure * match for key, match in wanted.matches.items() if key in scores}
    heads = [max(group, key=lambda s: (scores[s.key], -s.order)) for group in quotable if group]
    heads.sort(key=lambda s: (-scores[s.key], s.rank))
    kept = [h for h in heads if use_all or scores[h.key] >= SHARES.beside * scores[heads[0].key]]
    taken: Keys = {}
    for head in kept:
        best_first = sorted(quotable[head.rank], key=lambda s: (-scores[s.key], s.order))
        unit = next((u for s in best_first if (u := _unit(s, groups)) is not None), None)
        taken.update({s.key: s for s in unit or (head,)})
    best = list(taken.values())[: len(_unit(kept[0], groups) or ())] if kept and only_sure else []
    following = _told_next(kept[0], groups) if kept else None
    if following is not None and _belongs_behind(kept[0], following, wanted):
        taken[following.key] = following
    floor = SHARES.weak * scores[kept[0].key] if kept and not use_all else float("-inf")
    rest = [s for group in quotable for s in group if scores[s.key] >= floor]
    for sentence in sorted(rest, key=lambda s: (-scores[s.key], s.rank, s.order)):
        _add(taken, sentence, groups, most=most)
    first = kept[0].rank if kept else 0
    return _best_first(sorted(taken.values(), key=lambda s: (s.rank != first, s.rank, s.order)), best)


def _belongs_behind(sentence: EvidenceSentence, following: EvidenceSentence, wanted: Wanted) -> bool:
    """Whether the sentence behind one is told with it: it leans on it, or alone shows what is asked for.

    A sale, and "Net proceeds were $849 million". What is not asked for in short is told in both anyway.
    """
    if following.hangs or wanted.kind not in _SHORT_KINDS:
        return True
    is_shaped = wanted.kind in SHAPED
    return is_shaped and answers_in_kind(wanted, following) and not answers_in_kind(wanted, sentence)


def _may_be_quoted(sentence: EvidenceSentence, wanted: Wanted, answering: Collection[tuple[str, int]]) -> bool:
    """Whether a sentence says something, or answers by what it announces.

    "X needs Python 3.10 and runs on:" announces a list, and answers; "Governing law" above a paragraph does not.
    """
    if not sentence.empty:
        return True
    is_bare_head = sentence.is_head and wanted.kind not in SHAPED
    return sentence.key in answering and not is_bare_head and answers_in_kind(wanted, sentence)


def _kept_in_time(groups: list[list[EvidenceSentence]], wanted: Wanted) -> list[list[EvidenceSentence]]:
    """The sentences that no time of the question rules out; all where none is left."""
    in_time = [[s for s in group if kept_times(s, wanted.conditions) >= 0] for group in groups]
    return in_time if any(in_time) else groups


def answers_by(matches: Mapping[tuple[str, int], float]) -> set[tuple[str, int]]:
    """The keys of the sentences that answer in the matcher's reading."""
    return {key for key, match in matches.items() if match >= SHARES.answers}


def _best_first(ordered: list[EvidenceSentence], best: Sequence[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentence that answers best in front, and what hangs on it; not where another would hang on the wrong one."""
    if not best:
        return ordered
    front, rest = list(best), list[EvidenceSentence]()
    for before, sentence in zip((None, *ordered), ordered, strict=False):
        if sentence not in best:
            behind = sentence.hangs and before in front and sentence.rank == best[0].rank
            (front if behind else rest).append(sentence)
    own = [sentence for sentence in rest if sentence.rank == best[0].rank]
    return ordered if own and own[0].hangs else [*front, *rest]


def of_aspects(
    aspects: Sequence[QueryAspect],
    groups: Groups,
    findings: Sequence[Finding],
    weigh: Weigh,
    *,
    most: int,
    use_all: bool = False,
    only_sure: bool = False,
    covered: Collection[str] = (),
) -> list[Section]:
    """The aspects in turn, each takes its next best sentence until the words are used up.

    With `use_all` the set is a chain, of which the members of a list are only the end. With `only_sure` nothing is
    missing, so that beside a fact nothing else is said. Those `covered` have a sentence however many they are.
    """
    speaking = [_speaking(a, findings) for a in aspects]
    own = _of_their_sides(aspects, _by_facet(aspects, groups, speaking, weigh))
    is_one_topic = len(aspects) == 1 and aspects[0].aspect_type == "facet"  # told on in sentences that do not name it
    # Where nothing says the topic, it may be said in other words.
    for strictly in (False,) if is_one_topic else (True, False):
        lanes = [
            _lane(aspect, sentences, spoken, weigh, use_all=use_all, only_sure=only_sure, strictly=strictly)
            for aspect, sentences, spoken in zip(aspects, own, speaking, strict=True)
        ]
        if any(lanes):
            break
    sections = [Section(aspect, []) for aspect in aspects]
    taken: Keys = {}
    while any(lanes):
        for section, lane in zip(sections, lanes, strict=True):
            is_owed = section.aspect.aspect in covered and not section.sentences
            _take_next(section, lane, taken, groups, most=sys.maxsize if is_owed else most)
    return [Section(s.aspect, _told_in_order(s, _speaking(s.aspect, findings))) for s in sections]


def _of_their_sides(aspects: Sequence[QueryAspect], own: list[Groups]) -> list[Groups]:
    """Where merits and drawbacks are both asked for, each without the sentences that tell the other.

    A sentence that shows no side goes on with that of the one before it: "X has several disadvantages. It needs …".
    """
    sides = [side_asked(aspect) for aspect in aspects]
    if not {1, -1} <= set(sides):
        return own
    return [
        [_without(-side, group) for group in groups] if side else groups
        for side, groups in zip(sides, own, strict=True)
    ]


def _without(side: int, group: Sequence[EvidenceSentence]) -> tuple[EvidenceSentence, ...]:
    """The sentences of a passage that neither tell a side nor hang on one that does."""
    kept: list[EvidenceSentence] = []
    told, is_left_out = 0, False
    for sentence in group:
        told = side_told(sentence.terms) or told
        is_left_out = told == side or (sentence.hangs and is_left_out)
        if not is_left_out:
            kept.append(sentence)
    return tuple(kept)


def _by_facet(
    aspects: Sequence[QueryAspect], groups: Groups, speaking: Sequence[Mapping[tuple[str, int], float]], weigh: Weigh
) -> list[Groups]:
    """For each facet the passages that answer no other facet better, where there are such; for other aspects all."""
    facets = [n for n, aspect in enumerate(aspects) if aspect.aspect_type == "facet"]
    if len(facets) < 2:
        return [_of_one_facet(a, groups, s, weigh) for a, s in zip(aspects, speaking, strict=True)]
    fits = {n: [_fit(aspects[n], speaking[n], group, weigh) for group in groups] for n in facets}
    best = [max(fits[n][place] for n in facets) for place in range(len(groups))]
    made: list[Groups] = [groups] * len(aspects)
    for n in facets:
        kept = [group if fits[n][place] == best[place] else () for place, group in enumerate(groups)]
        if any(group and fit > 0 for group, fit in zip(kept, fits[n], strict=True)):
            made[n] = kept
    return made


def _of_one_facet(
    aspect: QueryAspect, groups: Groups, speaking: Mapping[tuple[str, int], float], weigh: Weigh
) -> Groups:
    """The only facet's passages without those that are hardly about it; for any other aspect all."""
    if aspect.aspect_type != "facet":
        return groups
    fits = [_fit(aspect, speaking, group, weigh) for group in groups]
    least = SHARES.beside * max(fits, default=0.0)
    return [group if fit >= least else () for group, fit in zip(groups, fits, strict=True)]


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

    What gives a reason, a way or a fact stands in front of what is said beside it. A report is told as it is written;
    in a passage about something wider what speaks of the thing comes first.
    """
    if not section.sentences:
        return []
    best = max(section.sentences, key=lambda s: speaking.get(s.key, 0.0))
    sure = speaking.get(best.key, 0.0) >= SHARES.answers
    ordered = sorted(section.sentences, key=lambda s: (s.rank != best.rank, s.rank, s.order))
    if asks_course(section.aspect):
        return _in_time(ordered)
    tells = section.aspect.answer_kind not in ("report", "list", "fact", "definition", "comparison")
    if section.aspect.answer_kind == "report":
        title = subject_terms(best.passage)
        tells = not all(name <= title for name in asked_by(section.aspect).names)
    return _best_first(ordered, [best] if tells and sure and not best.hangs else [])


def _in_time(told: Sequence[EvidenceSentence]) -> list[EvidenceSentence]:
    """By the first date that each says; without one a sentence stays behind the one before it."""
    at = (0, 0, 0)
    timed: list[tuple[tuple[int, int, int], EvidenceSentence]] = []
    for sentence in told:
        if sentence.dates:
            first = sentence.dates[0]
            at = (first.year, first.month or 0, first.day or 0)
        timed.append((at, sentence))
    return [sentence for _, sentence in sorted(timed, key=itemgetter(0))]


def _take_next(section: Section, lane: list[Candidate], taken: Keys, groups: Groups, *, most: int) -> None:
    while lane:
        if new := _add(taken, lane.pop(0).sentence, groups, most=most):
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
    strictly: bool,
) -> list[Candidate]:
    """The sentences for an aspect, best first, then others of their passages; none that are far below the best."""
    conditions = times_asked(aspect.constraints)
    every = _on_its_topic(aspect, groups, speaking, weigh)
    every = _on_the_thing(aspect, every, speaking) if strictly else every
    members = members_of(aspect, groups, weigh) if aspect.answer_kind == "list" and not use_all else Members()
    if members.is_whole:
        return [one for one in every if one.sentence.key in members.keys]
    answering = _answering(aspect, every, speaking, members=members.keys, only_sure=only_sure)
    # A sentence of another time is said only where nothing else is there to say.
    in_time = [one for one in every if kept_times(one.sentence, conditions) >= 0]
    rated = (
        _dated_beside(aspect, answering, every, speaking) or [one for one in answering if one in in_time] or answering
    )
    best = max((one.score for one in rated), default=0.0)
    least = SHARES.near if aspect.is_fact else SHARES.weak
    lane = [one for one in rated if one.score >= least * best or one.sentence.key in members.keys]
    if members.keys:
        lane = of_its_time(sorted(lane, key=lambda one: -members.likely.get(one.sentence.key, 0.0)), conditions)
    # What is said of the time asked for comes before what is said of none.
    lane.sort(key=lambda one: -kept_times(one.sentence, conditions))
    if use_all:
        lane += _heads(every, lane)
    others = _like_the_items(aspect, lane, [one for one in in_time if one.score >= SHARES.weak * best])
    if not _is_told_alone(aspect, speaking, only_sure=only_sure):
        lane += _beside(lane, others)
    worthy = {one.sentence.key for one in (*lane, *others)}
    whole = [*lane[:1], *(one for one in lane[1:] if _hangs_on(one.sentence, groups) <= worthy)]
    if aspect.answer_kind == "list":
        whole = [one for one in whole if not says_little(one.sentence)] or whole
    if aspect.aspect_type == "facet":
        return _from_home(aspect, whole, groups, speaking, weigh)
    if aspect.answer_kind == "report":
        lane = of_its_time(_from_home(aspect, whole, groups, speaking, weigh), conditions)
    else:
        lane = _by_its_document(aspect, whole, groups) or _what_covers_first(whole, every, speaking)
    told = _told_on(lane, groups, only_leaning=aspect.answer_kind in _SHORT_KINDS)
    if aspect.answer_kind != "list":
        return told
    return [one for one in told if _LETTER.search(one.sentence.text)]  # no figure that has lost its row


def _on_its_topic(
    aspect: QueryAspect, groups: Groups, speaking: Mapping[tuple[str, int], float], weigh: Weigh
) -> list[Candidate]:
    """The sentences on the topic of an aspect; of a definition those that lay it down, where there are such."""
    conditions = times_asked(aspect.constraints)
    wanted = wanted_of(topic_asked(aspect), aspect.answer_kind, conditions=conditions, matches=speaking)
    rated = candidates_of(aspect, groups, wanted, weigh)
    shown = _code_shown(aspect, groups, speaking)
    sayable = (one for one in rated if one.sentence.key in shown or not is_code(one.sentence.text))
    rated = list(sayable) or rated
    every = on_topic(aspect, rated, weigh)
    if aspect.aspect_type != "definition":
        return every
    told = laid_down(aspect, every) or kinds_of_it(aspect, every)
    told = told or of_what_is_defined(aspect, every) or every
    answering = answers_by(speaking)  # a section under its name need not say it again
    others = (one for one in rated if one not in told)
    return [*told, *(one for one in others if one.sentence.key in answering)]


def _code_shown(aspect: QueryAspect, groups: Groups, speaking: Mapping[tuple[str, int], float]) -> set[tuple[str, int]]:
    """The keys of the lines of programs that may be quoted where such are asked for: what answers, and what is shown.

    A line is shown below one that ends in a colon, or in others that are.
    """
    if not asks_for_code(aspect):
        return set()
    keys = answers_by(speaking)
    for group in groups:
        for before, sentence in pairwise(group):
            goes_on = before.key in keys and is_code(before.text)
            if is_code(sentence.text) and (goes_on or before.text.endswith(":")):
                keys.add(sentence.key)
    return keys


def _like_the_items(aspect: QueryAspect, lane: Sequence[Candidate], others: list[Candidate]) -> list[Candidate]:
    """Of what is said beside the items of a list over several documents what may be one too; of no such list all."""
    asked = asked_by(aspect)
    is_over_all = len({one.sentence.rank for one in lane}) >= SHARES.few and not asked.names
    if not (aspect.answer_kind == "list" and aspect.is_fact):
        return others
    if _of_the_class(aspect, lane[:1]):
        return _of_the_class(aspect, others)
    return [one for one in others if _says_any(one, asked.units)] if is_over_all else others


# The things asked for: fines of "What fines did A impose" and "Recent fines of A".
_CLASS_OF_LIST = re.compile(
    r"(?i)^(?:(?:which|what|list|all|the) ){0,3}(?:[a-z-]{2,20} ){0,2}?(?P<class>[a-z-]{2,20}s)\b"
)


# Who did it or what was done says the act; what is a medicine or a country goes without saying.
_ACTS = terms_of(
    "fines penalties lawsuits acquisitions takeovers purchases recalls strikes layoffs settlements verdicts"
)


def _of_the_class(aspect: QueryAspect, rated: Sequence[Candidate]) -> list[Candidate]:
    """Of a list of acts those sentences that say the act: fines, where fines are asked for; none of other lists."""
    asked = _CLASS_OF_LIST.match(aspect.aspect)
    if asked is None:
        return []
    head = terms_of(asked["class"]) & _ACTS
    units = [unit for unit in asked_by(aspect).units if unit.term in head]
    return [one for one in rated if _says_any(one, units)]


def _says_any(one: Candidate, units: Sequence[Unit]) -> bool:
    terms = one.sentence.terms
    return any(unit.is_in(terms) for unit in units)


def _on_the_thing(
    aspect: QueryAspect, every: list[Candidate], speaking: Mapping[tuple[str, int], float]
) -> list[Candidate]:
    """What answers, and beside it only what speaks of the thing itself; all where the aspect does not bind that.

    The cause of one crash is none of another; of the one topic that a question names, half has to be said; what is said
    of one side, on no part of what the two are compared in, compares nothing.
    """
    answering = answers_by(speaking)
    is_sure = bool(answering)
    asked, sides = asked_by(aspect), items_of(aspect)
    of_sides = frozenset[str]().union(*sides)
    units = [unit for unit in asked.units if unit.term not in of_sides]

    def says(terms: frozenset[str]) -> bool:
        said = [unit for unit in units if unit.is_in(terms)]
        return 2 * len(said) >= len(units)

    in_order = sorted((one.sentence for one in every), key=lambda sentence: sentence.key)
    before = {second.key: first.terms for first, second in pairwise(in_order) if first.passage is second.passage}

    def is_on_it(sentence: EvidenceSentence) -> bool:
        titled = sentence.terms | subject_terms(sentence.passage) | before.get(sentence.key, frozenset())
        if aspect.answer_kind == "reason":
            return not is_sure or not asked.terms.isdisjoint(titled)
        if aspect.aspect_type == "comparison" and not is_sure:
            named = sum(side <= titled for side in sides)
            return named > 0 and says(terms_of(sentence.passage.text) if named > 1 else sentence.terms)
        is_narrow = aspect.aspect_type == "facet" and len(aspect.keywords) == 1
        return not is_narrow or says(titled)

    return [one for one in every if one.sentence.key in answering or is_on_it(one.sentence)]


def _dated_beside(
    aspect: QueryAspect,
    answering: Sequence[Candidate],
    every: Sequence[Candidate],
    speaking: Mapping[tuple[str, int], float],
) -> list[Candidate]:
    """For a list of a time, what the passage that answers best dates so, where hardly a sentence that answers does.

    "The controls limit what may be sold. The first came in October 2022."
    """
    times = times_asked(aspect.constraints)
    if aspect.answer_kind != "list" or not times or not answering:
        return []
    in_time = [one for one in answering if kept_times(one.sentence, times) > 0]
    home = max(answering, key=lambda one: speaking.get(one.sentence.key, 0.0)).sentence.rank
    if len(in_time) > 1 or any(one.sentence.rank == home for one in in_time):
        return []
    return [one for one in every if one.sentence.rank == home and kept_times(one.sentence, times) > 0]


def _by_its_document(aspect: QueryAspect, lane: list[Candidate], groups: Groups) -> list[Candidate]:
    """How a thing works as the document titled by it tells it, its steps first; [] where there is none."""
    if aspect.aspect_type != "process":
        return []
    titled = [group for group in groups if group and is_titled_by(aspect, group[0].passage)]
    ranks = {group[0].rank for group in titled}
    own = [one for one in lane if one.sentence.rank in ranks]
    if not own:
        return []
    steps = steps_in(titled)
    first = sorted(own, key=lambda one: one.sentence.key not in steps)
    return [*first, *(one for one in lane if one not in own)]


def _told_on(lane: list[Candidate], groups: Groups, *, only_leaning: bool) -> list[Candidate]:
    """The lane with what is told next after its first sentence, where it cannot be read without that or may be."""
    following = _told_next(lane[0].sentence, groups) if lane else None
    if following is None or (only_leaning and not following.hangs):
        return lane
    rest = [one for one in lane[1:] if one.sentence != following]
    return [lane[0], Candidate(lane[0].score, following), *rest]


def _told_next(sentence: EvidenceSentence, groups: Groups) -> EvidenceSentence | None:
    """The sentence behind one of a filing, which tells a matter in several: "The complaint …"; None without one."""
    behind = sentence.order + 1
    if behind == len(groups[sentence.rank]) or not issuer_terms(sentence.passage):
        return None
    following = groups[sentence.rank][behind]
    is_apart = following.empty or following.asks or following.paragraph != sentence.paragraph
    return None if is_apart else following


def _from_home(
    aspect: QueryAspect,
    lane: Sequence[Candidate],
    groups: Groups,
    speaking: Mapping[tuple[str, int], float],
    weigh: Weigh,
) -> list[Candidate]:
    """What the document tells of which a passage is about a topic more than any other, before what others say of it."""
    fits = [_fit(aspect, speaking, group, weigh) for group in groups]
    home = fits.index(max(fits)) if fits else 0
    document = next((s.passage.document_id for s in groups[home]), "") if groups else ""
    own = [one for one in lane if one.sentence.passage.document_id == document]
    if not own:
        return list(lane)
    if aspect.aspect_type == "facet":
        own = _of_its_own(aspect, own, lane, speaking)
        telling = [one for one in own if not opens_a_part(one.sentence)]
        own = telling if len(telling) >= SHARES.few else own
        words = [terms_of(keyword) for keyword in aspect.keywords]
        lane = [one for one in lane if one.sentence.key in speaking or any(w <= one.sentence.terms for w in words)]
    elif share(terms_of(aspect.aspect), subject_terms(own[0].sentence.passage), weigh) >= SHARES.titled:
        own = on_its_matter(aspect, own)
    else:
        return list(lane)
    return [*own, *(one for one in lane if one not in own)]


def _of_its_own(
    aspect: QueryAspect,
    own: list[Candidate],
    lane: Sequence[Candidate],
    speaking: Mapping[tuple[str, int], float],
) -> list[Candidate]:
    """Of a passage about several things what names the facet's, or goes on with it, behind what answers anywhere."""
    passage, subject = own[0].sentence.passage, terms_of(aspect.subject)
    if subject <= subject_terms(passage):
        return own
    naming = (one.sentence for one in own if subject <= one.sentence.terms)
    behind = {(sentence.rank, sentence.order + after) for sentence in naming for after in (1, 2)}
    kept = [
        one
        for one in own
        if subject <= one.sentence.terms
        or ((one.sentence.rank, one.sentence.order) in behind and not names_one(one.sentence))
    ]
    answering = answers_by(speaking)
    return [one for one in lane if one not in kept and one.sentence.key in answering] + kept


def _what_covers_first(
    lane: list[Candidate], every: Sequence[Candidate], speaking: Mapping[tuple[str, int], float]
) -> list[Candidate]:
    """The lane behind the sentence that covers the aspect, so that the answer says what the trace points at."""
    answering = answers_by(speaking)
    sure = [one for one in every if one.sentence.key in answering]
    if not sure:
        return lane
    covers = max(sure, key=lambda one: (speaking[one.sentence.key], one.score))
    return [covers, *(one for one in lane if one is not covers)]


def _hangs_on(sentence: EvidenceSentence, groups: Groups) -> set[tuple[str, int]]:
    """Return the keys of a sentence and of those that have to be said before it."""
    return {each.key for each in with_antecedents(sentence, groups[sentence.rank]) or ()}


def _answering(
    aspect: QueryAspect,
    rated: list[Candidate],
    speaking: Mapping[tuple[str, int], float],
    *,
    members: Collection[tuple[str, int]],
    only_sure: bool,
) -> list[Candidate]:
    """Those that are members of the list, give the side, or state the fact asked for; all where there are no such."""
    if aspect.answer_kind == "list":
        named = [one for one in rated if speaks_of(aspect, one.sentence)]
        answering = [one for one in rated if one.sentence.key in members]
        answering = [one for one in answering if one in named] or answering
        rated = answering or _of_the_class(aspect, named) or named or rated
    if aspect.aspect_type == "evaluation":
        thing = terms_of(aspect.subject)
        rated = [one for one in rated if thing <= one.sentence.terms | subject_terms(one.sentence.passage)] or rated
        rated = [one for one in rated if is_of_side(aspect, one.sentence)] or rated
    if only_sure and _is_looked_up(aspect):
        answering_keys = answers_by(speaking)
        sure = [one for one in rated if one.sentence.key in answering_keys]
        rated = sure or [one for one in rated if one.sentence.key in speaking] or rated
    return rated


def _heads(rated: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence of each passage that none of those kept stands in."""
    heads = {one.sentence.rank: one for one in reversed(rated)}
    spoken = {one.sentence.rank for one in kept}
    return [head for rank, head in sorted(heads.items()) if rank not in spoken and head.score > 0]


def _is_told_alone(aspect: QueryAspect, speaking: Mapping[tuple[str, int], float], *, only_sure: bool) -> bool:
    """Whether only what answers is said of an aspect: one side of a thing, a fact, a list of which a member is sure."""
    if aspect.aspect_type == "evaluation":
        return not asks_both_sides(aspect)
    sure = max(speaking.values(), default=0.0)
    is_list = aspect.answer_kind == "list" and aspect.is_fact
    return (is_list and sure >= SHARES.lists) or (only_sure and _is_looked_up(aspect) and sure >= SHARES.answers)


def _is_looked_up(aspect: QueryAspect) -> bool:
    """Whether an aspect asks for a name, a date or a number, which one sentence gives."""
    return aspect.is_fact and aspect.answer_kind in _SHORT_KINDS


def _beside(kept: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """The other sentences of the passages that those kept stand in."""
    keys, ranks = {one.sentence.key for one in kept}, {one.sentence.rank for one in kept}
    return [one for one in others if one.sentence.key not in keys and one.sentence.rank in ranks]


def _unit(sentence: EvidenceSentence, groups: Groups) -> tuple[EvidenceSentence, ...] | None:
    """A sentence after what it hangs on and before what takes it back; None when it cannot be quoted whole."""
    siblings = groups[sentence.rank]
    before = with_antecedents(sentence, siblings)
    if before is None:
        return None
    return (*before, *reversals_of(sentence, siblings))


def _add(taken: Keys, sentence: EvidenceSentence, groups: Groups, *, most: int) -> list[EvidenceSentence]:
    """Take a sentence with what belongs to it, where all that is new of it fits; return what was taken."""
    new = [s for s in _unit(sentence, groups) or () if s.key not in taken]
    if word_count(taken.values()) + word_count(new) > most:
        return []
    taken.update({s.key: s for s in new})
    return new


def unused_reason(ranked: RankedPassage, groups: Groups) -> str:
    """Why a passage of the set has no sentence in the answer."""
    group = next((g for g in groups if g and g[0].passage.passage_id == ranked.passage.passage_id), ())
    if all(sentence.empty for sentence in group):
        return "it holds no sentence that says something: heads, cells or announcements"
    return "its sentences say less of what is asked than those quoted"
