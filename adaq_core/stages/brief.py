"""What an answer is written from, and which sentences of the evidence it says: by aspect, or beside a short answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from adaq_core.answers import LENGTHS, Section, answers_by, of_aspects, of_fact, of_the_named
from adaq_core.answers.aspect_scores import SHARES, Groups, speaks_of
from adaq_core.answers.candidates import column_names
from adaq_core.answers.choose import CERTAINTY, Rated, Wanted, gives_reason, times_asked, wanted_of
from adaq_core.answers.evidence_sentences import (
    EvidenceSentence,
    sentences_of,
    stands_after,
    with_antecedents,
    with_items,
)
from adaq_core.answers.form import Numbering
from adaq_core.answers.polarity import is_denied
from adaq_core.answers.sides import Computed
from adaq_core.answers.yes_no import outright
from adaq_core.filings.grid import FigureGrid
from adaq_core.filings.risk_lists import RiskList
from adaq_core.filings.statement_figures import RISES
from adaq_core.matching.conditions import BROKEN, left
from adaq_core.matching.lexicon import single_words
from adaq_core.matching.naming import subject_terms
from adaq_core.matching.shown import told_as_list, told_by_steps, told_whole
from adaq_core.matching.statements import told_outright
from adaq_core.model import (
    AnswerKind,
    AspectCoverage,
    Constraint,
    Finding,
    Passage,
    QueryAspect,
    RankedPassage,
)
from adaq_core.question.answer_kinds import asked_ahead, begins_to_ask, chooses_documents, in_active
from adaq_core.question.parse import parse
from adaq_core.stages.critique import best_of
from adaq_core.text.entities import names
from adaq_core.text.tokens import Sentence, Weigh, stem, terms_of, uniform
from adaq_core.text.values import Amount, amounts

# From this share of the threshold on an aspect has sentences of its own, though it is not covered for certain.
_TOLD = 0.7
_SEVERAL_THINGS = 3
_OF_A_ROW = 0.3  # of the matcher, for a sentence about the row that a figure was read from
_PERCENT = stem("percent")
_ASKS_MORE = re.compile(r"(?i)\b(?:why|what (?:drove|caused|led|explains)|reasons?|explain|how come)\b")
_WHICH = re.compile(r"(?i)^(?:which|who|whose)\b")
_PAID = re.compile(r"(?i)how much\b.{0,80}?\b(?:cost|pay|paid|spend|spent|charge|worth|earn|fined)\b")
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\b(?:\d|one|two|three|four|five|six|seven|eight|nine|ten)[\w.,]{0,20}\s(?:(?:hundred|thousand|million|billion|trillion)\s)?"
    r"(?:dollars|euros|pounds|yen|yuan|francs|rupees|cents|USD|EUR|GBP)\b"
)


@dataclass(frozen=True, slots=True)
class Brief:
    """What the answer is written from: the question, its aspects, the set.

    `likely` says that an answer lies in the evidence though no aspect is covered for certain; `abstains` that there
    will be none, only the nearest; `sized` that the set was cut to the passages that are needed, so that each has a
    sentence; `learned` that what was learned of short answers holds for the corpus. `figure` was computed from the
    rows of statements, `rows` is what those of another table answer, `each` what is told of each of several things
    (of `left` more by no passage of the set),
    `listed` are the risks that a report lists. `unclear` is why no passage can answer; `unchecked` are, by aspect, the
    conditions that nobody could check on what covers it.
    """

    question: str
    coverage: AspectCoverage
    evidence: tuple[RankedPassage, ...]
    findings: Sequence[Finding] = ()
    weigh: Weigh = uniform
    threshold: float = 0.5
    queries: Mapping[str, Sequence[str]] = field(default_factory=dict)
    likely: bool = False
    abstains: bool = False
    sized: bool = False
    learned: bool = False
    figure: Computed | None = None
    rows: Computed | None = None
    each: Computed | None = None
    left: int = 0
    listed: RiskList | None = None
    grid: FigureGrid | None = None
    unclear: str = ""
    unchecked: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def aspects(self) -> Sequence[QueryAspect]:
        """The aspects of the question."""
        return self.coverage.aspects

    @property
    def covered(self) -> list[QueryAspect]:
        """The aspects that the evidence covers."""
        return [a for a in self.aspects if self.coverage.is_aspect_covered(a, self.threshold)]

    @property
    def is_all_covered(self) -> bool:
        """Whether every aspect is covered, core or not."""
        return len(self.covered) == len(self.aspects)

    @property
    def is_whole(self) -> bool:
        """Whether every core aspect is covered under conditions that were checked, so that an answer may be stated."""
        core = [a for a in self.aspects if a.is_core]
        return all(self.coverage.is_aspect_covered(a, self.threshold) and a.aspect not in self.unchecked for a in core)

    def wording(self, aspect: QueryAspect) -> str:
        """The words of the question that ask the aspect, of which its name may hold only the first."""
        return self.question[slice(*aspect.span)] if aspect.span else aspect.aspect

    def names(self, title: str) -> bool:
        """Whether the question says a title in full."""
        terms = terms_of(title)
        return bool(terms) and terms <= terms_of(self.question)

    @property
    def is_likely(self) -> bool:
        """Whether sentences are told though no aspect is covered; not where a sum is asked for and none is named."""
        return self.likely and (self.abstains or not self._lacks_an_amount)

    @property
    def _lacks_an_amount(self) -> bool:
        """Whether a sum of money is asked for and no passage names one: a number of parameters is no price."""
        if _PAID.match(self.question) is None:
            return False
        return not any(_MONEY.search(passage.text) for passage in self.passages)

    @property
    def kind(self) -> AnswerKind:
        """The kind of answer asked for; where only one thing is asked about, that of the aspect if it is a report."""
        kinds = {aspect.answer_kind for aspect in self.aspects}
        return "report" if kinds == {"report"} else parse(self.question).kind

    @property
    def asked(self) -> str:
        """What the question asks, without the talk around it."""
        return parse(self.question).asked

    @property
    def passages(self) -> list[Passage]:
        """The passages of the set."""
        return [ranked.passage for ranked in self.evidence]

    @property
    def groups(self) -> list[tuple[EvidenceSentence, ...]]:
        """The sentences of each passage of the set."""
        return [sentences_of(passage, place) for place, passage in enumerate(self.passages)]

    @property
    def matches(self) -> dict[tuple[str, int], float]:
        """What the matcher says of each sentence, for the aspect that it answers best."""
        best: dict[tuple[str, int], float] = {}
        for finding in self.findings:
            key = (finding.passage_id, finding.start)
            best[key] = max(best.get(key, 0.0), finding.score)
        return best

    @property
    def conditions(self) -> tuple[Constraint, ...]:
        """The conditions of time in the question's words."""
        return times_asked(parse(self.question).conditions)

    @property
    def wanted(self) -> Wanted:
        """What a sentence has to hold to answer the question."""
        return wanted_of(
            in_active(asked_ahead(self.asked.rstrip(" ?"))),
            self.kind,
            conditions=self.conditions,
            matches=self.matches,
            passages=self.passages,
        )

    @property
    def is_list(self) -> bool:
        """Whether what is said stands one a line."""
        return bool(self.rows or self.each or self.listed) or (self.kind == "list" and self.grid is None)

    def numbering(self) -> Numbering:
        """Numbers for what is cited of the set, none given yet."""
        return Numbering({passage.passage_id: passage for passage in self.passages})


def quotable(brief: Brief) -> list[tuple[EvidenceSentence, ...]]:
    """The sentences of each passage as they may be quoted: a list as one; of a document that is chosen the best."""
    answering = None if brief.kind == "list" else answers_by(brief.matches)
    groups = each_with_its_list([with_items(group, answering) for group in brief.groups])
    if chooses_documents(brief.question):
        groups = [_best_told(group, brief.matches) for group in groups]
    return groups


def each_with_its_list(groups: Sequence[tuple[EvidenceSentence, ...]]) -> list[tuple[EvidenceSentence, ...]]:
    """The sentences, of those that end one passage and open the next only that which its list follows."""
    ends: dict[tuple[str, int], int] = {}
    for sentence in chain.from_iterable(groups):
        place, end = sentence.place
        ends[place] = max(end, ends.get(place, end))

    def is_longest(sentence: EvidenceSentence) -> bool:
        place, end = sentence.place
        return end == ends[place]

    return [tuple(filter(is_longest, group)) for group in groups]


def _best_told(
    group: Sequence[EvidenceSentence], matches: Mapping[tuple[str, int], float]
) -> tuple[EvidenceSentence, ...]:
    """The sentence of a passage that answers best and can be told, behind what it hangs on."""
    ranked = sorted(group, key=lambda sentence: -matches.get(sentence.key, 0.0))
    chains = (with_antecedents(sentence, group) for sentence in ranked)
    told = next(filter(None, chains), ())
    return tuple(replace(each, order=order) for order, each in enumerate(told))


_LOOKED_UP = frozenset(("person", "place", "organisation", "date", "number", "amount", "reason"))


def parts_of(brief: Brief) -> list[Brief]:
    """Each fact that a question of several asks for as a question of its own: "Who leads A, and who chairs B?".

    None where one hangs on another, or where something else than a fact is asked.
    """
    are_facts = all(_may_stand_alone(aspect) for aspect in brief.aspects)
    asked_apart = len(brief.aspects) > 1 and are_facts and not brief.abstains and not brief.sized
    if not asked_apart or not _asks_several(brief):
        return []
    return [_part_of(brief, aspect) for aspect in brief.aspects]


# "And when did it end?" asks nothing without the question before it.
_LEANS = re.compile(r"(?i)\b(?:it|its|this|that|these|those|they|their|them|there|he|she|his|her|him)\b")


def _may_stand_alone(aspect: QueryAspect) -> bool:
    """Whether an aspect is a fact to be looked up of something that it names itself."""
    named = [name for name in names(aspect.aspect) if name.start > 0 and name.kind not in ("date", "number")]
    is_looked_up = aspect.is_fact and aspect.answer_kind in _LOOKED_UP
    return is_looked_up and bool(named) and _LEANS.search(aspect.aspect) is None


def _part_of(brief: Brief, aspect: QueryAspect) -> Brief:
    own = [finding for finding in brief.findings if finding.aspect == aspect.aspect]
    scores = {aspect.aspect: brief.coverage.score(aspect)}
    return replace(brief, question=f"{aspect.aspect}?", coverage=AspectCoverage([aspect], scores), findings=own)


# Example: "Who leads Acme?" Counter-example: "Who leads the talks with Acme?"
_LEADS = re.compile(
    r"(?i)^who(?:['’]s| is)?(?: now| currently)? "
    r"(?:leads|leading|runs|running|heads|heading|in charge of) (?P<whom>[^?]+?)\W*$"
)


def as_meant(brief: Brief) -> Brief | None:
    """The question of who leads something named as one for its chief executive; None for other questions."""
    asked = _LEADS.match(brief.asked)
    whole = asked and [name for name in names(brief.asked) if name.text == asked["whom"]]
    return replace(brief, question=f"Who is the chief executive of {asked['whom']}?") if asked and whole else None


def said(brief: Brief, groups: Groups, computed: Computed | None) -> list[Section]:
    """The sentences of the answer, by aspect: those of a fact together, else what is said of each aspect."""
    groups = of_the_named(brief.question, groups)
    if brief.abstains:
        return nearest(brief, groups)
    if brief.kind in _BELOW and (listed := _below_headings(brief)):
        return listed
    is_of_facts = all(a.is_fact for a in brief.aspects) and not _asks_several(brief)
    if is_of_facts and brief.kind not in ("list", "comparison", "report"):
        sections = [_of_its_row(brief, section) for section in _of_facts(brief, groups, computed)]
    else:
        sections = _of_each_aspect(brief, groups)
    if not brief.sized:
        sections = [_on_its_aspect(brief, section) for section in sections]
    sections = [_told_first(each, brief) for each in sections]
    is_of_values = computed is not None and not (brief.figure or brief.rows)
    if computed and is_of_values and len(sections) == 1:
        sections = [_with_operands(sections[0], computed, groups)]
    if brief.figure and (brief.figure.kind in ("yes_no", "reason") or not _ASKS_MORE.search(brief.question)):
        return _beside_figure(brief, brief.figure, sections)
    return sections


def _told_first(section: Section, brief: Brief) -> Section:
    """A section with the sentences first that say in its words what is asked, and why where it is asked why."""
    asked = (brief.asked, section.aspect.aspect)
    asks_why = section.aspect.answer_kind == "reason"

    def is_told_so(each: EvidenceSentence) -> bool:
        is_said = any(told_outright(text, each.text) for text in asked)
        return is_said and (not asks_why or gives_reason(each.text))

    return _opened_by(section, list(filter(is_told_so, section.sentences)))


def _opened_by(section: Section, first: Sequence[EvidenceSentence]) -> Section:
    once = dict.fromkeys((*first, *section.sentences))
    return Section(section.aspect, list(once))


def _with_operands(section: Section, computed: Computed, groups: Groups) -> Section:
    """A section that begins with the sentences that a short answer was worked out from, in the order of its steps."""
    read_from: list[EvidenceSentence] = []
    for value in (*computed.via, *computed.values):
        of_it = [each for each in chain.from_iterable(groups) if each.passage is value.passage]
        holding = (each for each in of_it if each.start <= value.start < each.end)
        read_from += list(holding)[:1]
    return _opened_by(section, read_from)


_BELOW: Mapping[str, Callable[[QueryAspect, Passage], tuple[Sentence, ...]]] = {
    "fact": told_whole,
    "person": told_whole,
    "date": told_whole,
    "organisation": told_whole,
    "list": told_as_list,
    "report": told_whole,
    "way": told_by_steps,
}


def _below_headings(brief: Brief) -> list[Section]:
    """What stands below a heading that is asked for, or in a clause: all that it holds, and nothing beside it.

    No sections where that is so of some of the aspects only.
    """
    sections = []
    for aspect in brief.aspects:
        told = {
            (passage.passage_id, each.start)
            for passage in brief.passages
            for each in _BELOW[brief.kind](aspect, passage)
            if _keeps_conditions(aspect, passage, each)
        }
        items = [sentence for group in brief.groups for sentence in group if sentence.key in told]
        once = {sentence.text: sentence for sentence in reversed(items)}
        kept = [sentence for sentence in items if once[sentence.text] is sentence]
        if brief.figure:
            kept = [sentence for sentence in kept if sentence.terms - _figures_in(sentence)]
        replaced = brief.wanted.replaced
        kept = [sentence for sentence in kept if sentence.passage.passage_id not in replaced] or kept
        sections.append(Section(aspect, kept))
    return sections if all(section.sentences for section in sections) else []


def _keeps_conditions(aspect: QueryAspect, passage: Passage, sentence: Sentence) -> bool:
    text = passage.text[sentence.start : sentence.end]
    return left(aspect, passage, text) > BROKEN


def _figures_in(sentence: EvidenceSentence) -> frozenset[str]:
    """The terms of a sentence that are figures: below a heading of a table they stand without their rows."""
    return frozenset(term for term in sentence.terms if term[0].isdigit())


def nearest(brief: Brief, groups: Groups) -> list[Section]:
    """The sentences nearest to the question, where none answers it.

    Those of passages titled by what it names, else those that name it, else any.
    """
    wanted = wanted_of(brief.asked, brief.kind)
    sentences = of_fact(groups, wanted, brief.weigh, most=LENGTHS.stated, use_all=False)
    named = wanted.names

    def is_on_it(sentence: EvidenceSentence) -> bool:
        return any(speaks_of(aspect, sentence) for aspect in brief.aspects)

    on_it = [each for each in sentences if is_on_it(each)]
    titled = [each for each in on_it if subject_terms(each.passage) & named]
    return _by_aspect(titled or on_it or sentences, brief.aspects)


def of_the_rest(brief: Brief, told: set[str]) -> list[Section]:
    """What is said for sure of the covered aspects that are not among those `told`."""
    rest = [aspect for aspect in brief.covered if aspect.aspect not in told]
    if not rest:
        return []
    timed = _timed(rest, brief)
    return of_aspects(timed, brief.groups, brief.findings, brief.weigh, most=_length(len(rest)), only_sure=True)


def _of_facts(brief: Brief, groups: Groups, computed: Computed | None) -> list[Section]:
    """The sentences that state what was asked for, in the order in which they are told."""
    most = LENGTHS.stated if computed else LENGTHS.fact
    is_one = len(brief.aspects) == 1
    answered = is_one and max(brief.matches.values(), default=0.0) >= SHARES.answers
    use_all = brief.sized or (len(brief.evidence) <= LENGTHS.small_set and not answered)
    # A set cut to size is a chain, of which no sentence answers alone; the matcher judges single sentences.
    wanted = replace(brief.wanted, matches={}) if use_all else brief.wanted
    # What is asked in parts is answered in several places; while one may be missing, what leads to it is said too.
    only_sure = is_one or _is_in_one_passage(brief)
    sentences = of_fact(groups, wanted, brief.weigh, most=most, use_all=use_all, only_sure=only_sure)
    if not sentences and computed is None:  # what answers cannot be quoted: a head or a cell
        sentences = of_fact(groups, wanted, brief.weigh, most=most, use_all=use_all)
    if use_all and answered:
        sentences = _surest_first(brief, sentences)
    if brief.kind == "yes_no":
        sentences = _with_plain_denials(brief, groups, sentences)
        rated = (Rated.of(sentence, brief.wanted) for sentence in chain.from_iterable(groups))
        plain = outright(brief.wanted, rated).sentence
        if plain is not None:
            sentences = [plain, *(each for each in sentences if each != plain)]
    return _by_aspect(sentences, brief.aspects)


def _surest_first(brief: Brief, sentences: Sequence[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentences of a chain, with the one in front that is sure to answer by itself; as they are where none is."""
    strength = {each.key: Rated.of(each, brief.wanted).strength(brief.wanted) for each in sentences}
    best = max(strength, key=strength.__getitem__, default=None)
    if best is None or strength[best] < CERTAINTY.span:
        return list(sentences)
    return sorted(sentences, key=lambda each: each.key != best)


def _with_plain_denials(brief: Brief, groups: Groups, sentences: Sequence[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentences with those of their passages that only deny what is asked: rows that passed, and "Not passed."."""
    ranks = {each.rank for each in sentences}
    chosen = {each.key for each in sentences}

    def denies(sentence: EvidenceSentence) -> bool:
        asked = brief.wanted.beside_title(sentence)
        says_no_more = bool(sentence.terms) and sentence.terms <= asked
        return says_no_more and is_denied(brief.question, sentence.text)

    others = [each for group in groups for each in group if each.key not in chosen]
    among = [each for each in others if each.rank in ranks]
    return [*filter(denies, among), *sentences]


def _of_each_aspect(brief: Brief, groups: Groups) -> list[Section]:
    """What the passages say of each aspect that they speak to."""
    least = _TOLD * brief.threshold if brief.covered else 0.0
    if brief.covered and _chooses_among_several(brief):
        least = brief.threshold  # of which of them it is not sure is no answer to which it is
    # Of an aspect that no passage speaks to there is nothing to tell; with no such aspect at all, the nearest is shown.
    scored = [a for a in brief.aspects if brief.coverage.score(a) >= max(least, 1e-9)]
    spoken_to = scored or brief.aspects
    most = LENGTHS.listed if brief.kind == "list" else _length(len(spoken_to))
    if not brief.covered:
        # What no passage says how to do is not told by all that is said of the thing.
        is_no_way = brief.kind == "way" and not scored
        most = min(most, LENGTHS.fact if is_no_way else LENGTHS.report)
    return of_aspects(
        _timed(spoken_to, brief),
        groups,
        brief.findings,
        brief.weigh,
        most=most,
        use_all=brief.sized,
        only_sure=brief.is_whole,
        covered={aspect.aspect for aspect in brief.covered},
    )


_LABEL_OF_ROW = re.compile(r"(?P<label>[^:;|]{2,80}): (?P<cells>\S.*)")


def _of_its_row(brief: Brief, section: Section) -> Section:
    """A section without the rows of a table that are called by less of the question than another: of other records."""
    asked = terms_of(brief.question)
    shares = [_share_of_row(sentence, asked) for sentence in section.sentences]
    most = max((share for share in shares if share is not None), default=0.0)
    if most < _NAMED_ROW:
        return section
    rated = zip(section.sentences, shares, strict=True)
    kept = [sentence for sentence, share in rated if share in (None, most)]
    return Section(section.aspect, kept)


_NAMED_ROW = 0.5  # of the words of its label


def _share_of_row(sentence: EvidenceSentence, asked: frozenset[str]) -> float | None:
    """How much of the label of a row the question says; None for a sentence that is no row of a table."""
    row = _LABEL_OF_ROW.fullmatch(sentence.text)
    columns = tuple(f"{name} " for name in column_names(sentence.passage.text)) if row else ()
    if row is None or not row["cells"].startswith(columns or ("\n",)):
        return None
    label = terms_of(row["label"])
    return len(label & asked) / max(1, len(label))


def _on_its_aspect(brief: Brief, section: Section) -> Section:
    """A section of an open aspect without the sentences of which only the title has a word of it; one stays at least.

    One stays of each document that the question names by its title, and a sentence with what it hangs on.
    """
    if section.aspect in brief.covered or not section.sentences:
        return section
    terms = terms_of(brief.wording(section.aspect))
    asked = terms | single_words(terms)
    kept: list[EvidenceSentence] = []
    for sentence in reversed(section.sentences):
        behind = kept[-1] if kept else None
        leads = behind is not None and behind.hangs and sentence.rank == behind.rank and sentence.order < behind.order
        if leads or not sentence.terms.isdisjoint(asked):
            kept.append(sentence)
    told = {sentence.passage.title for sentence in kept}
    first = {sentence.passage.title: sentence for sentence in reversed(section.sentences)}
    named = filter(brief.names, first.keys() - told)
    kept += [first[title] for title in named]
    stay = [sentence for sentence in section.sentences if sentence in kept]
    return Section(section.aspect, stay or section.sentences[:1])


def _chooses_among_several(brief: Brief) -> bool:
    """Whether a question asks of which things something is true, and does not name them: each is an aspect."""
    things = {aspect.subject for aspect in brief.aspects}
    is_open = not any(thing in brief.question for thing in things)
    return is_open and len(things) >= _SEVERAL_THINGS and _WHICH.match(brief.question) is not None


def _asks_several(brief: Brief) -> bool:
    """Whether the question asks several things, one a clause, of which none needs the answer of another.

    Clauses that tell more of one thing ("who built A, and is accused of B") ask one;
    "which of A, B and C" asks of each.
    """
    asking = [clause for clause in parse(brief.question).clauses if begins_to_ask(clause.text)]
    things = {aspect.subject for aspect in brief.aspects if aspect.subject}
    is_several = len(asking) > 1 or len(things) >= _SEVERAL_THINGS
    return is_several and all(aspect.depends_on is None for aspect in brief.aspects)


def _is_in_one_passage(brief: Brief) -> bool:
    """Whether one passage of the set answers every aspect best, and surely: then no other is needed beside it."""
    in_set = {passage.passage_id for passage in brief.passages}
    best = best_of(finding for finding in brief.findings if finding.passage_id in in_set)
    sure = [finding for finding in best.values() if finding.score >= SHARES.lists]
    is_whole = brief.is_all_covered and len(sure) == len(brief.aspects)
    return is_whole and len({finding.passage_id for finding in sure}) == 1


def _timed(aspects: Sequence[QueryAspect], brief: Brief) -> list[QueryAspect]:
    """The aspects under the times asked for; all of them, where none was planned with a time (a person chose them)."""
    if any(times_asked(aspect.constraints) for aspect in brief.aspects):
        return list(aspects)
    return [replace(aspect, constraints=(*aspect.constraints, *brief.conditions)) for aspect in aspects]


def _length(aspects: int) -> int:
    return min(LENGTHS.most, LENGTHS.report + LENGTHS.per_aspect * (aspects - 1))


def _by_aspect(sentences: Sequence[EvidenceSentence], aspects: Sequence[QueryAspect]) -> list[Section]:
    """Runs of sentences with the aspect whose words they share most, in the order of the sentences."""
    sections: list[Section] = []
    for sentence in sentences:
        shared = [(len(terms_of(a.aspect) & sentence.terms), -n) for n, a in enumerate(aspects)]
        aspect = aspects[-max(shared)[1]]
        if not sections or sections[-1].aspect != aspect:
            sections.append(Section(aspect, []))
        sections[-1].sentences.append(sentence)
    return sections


def _beside_figure(brief: Brief, figure: Computed, sections: Sequence[Section]) -> list[Section]:
    """What is said beside a figure: the sentences that it was read from, and those that state it or how it changed."""
    places = {(value.passage.passage_id, value.start, value.end) for value in figure.values}
    quotes = {value.text for value in figure.values}  # which the report before may say in the same words
    stated = [amount for amount in amounts(figure.text) if amount.unit]
    labels = [terms_of(str(value.key)) for value in figure.values] if RISES.search(brief.question) else []
    matches = brief.matches

    def tells(sentence: EvidenceSentence) -> bool:
        passage, start = sentence.key
        if any(passage == own and start < end and begin < sentence.end for own, begin, end in places):
            return True
        if sentence.text in quotes or any(_is_told(amount, sentence.text) for amount in stated):
            return True
        is_of_row = matches.get(sentence.key, 0.0) >= _OF_A_ROW and any(each <= sentence.terms for each in labels)
        return is_of_row and RISES.search(sentence.text) is not None

    kept = [Section(section.aspect, [each for each in section.sentences if tells(each)]) for section in sections]
    return [section for section in kept if section.sentences]


def _is_told(amount: Amount, text: str) -> bool:
    """Whether a text tells an amount, be it rounded: "$4.28 billion" for 4,284 million, "18%" for 18.3%."""
    rounded = replace(amount, value=float(round(amount.value))) if amount.unit == _PERCENT else amount
    return any(amount.is_told_by(other) or rounded.is_told_by(other) for other in amounts(text) if other.unit)


def carrying(sections: Sequence[Section], stated: Sequence[EvidenceSentence], wanted: Wanted) -> list[Section]:
    """The sentences beside a stated short answer: what it hangs on, and those that are as sure to answer."""

    def carries(sentence: EvidenceSentence) -> bool:
        if any(_is_beside(sentence, each) for each in stated):
            return True
        return Rated.of(sentence, wanted).is_sure(wanted, strength=CERTAINTY.strength)

    kept = [Section(s.aspect, [e for e in s.sentences if carries(e)]) for s in sections]
    first = stated[0].rank
    return sorted((s for s in kept if s.sentences), key=lambda s: all(e.rank != first for e in s.sentences))


def _is_beside(sentence: EvidenceSentence, stated: EvidenceSentence) -> bool:
    """Whether a sentence belongs to the stated one: itself, what either hangs on, what it takes back."""
    if sentence.rank != stated.rank:
        return False
    between = abs(sentence.order - stated.order)
    later = max(sentence, stated, key=lambda s: s.order)
    return between == 0 or (between <= 2 and (later.hangs or stands_after(later.text) is not None))
