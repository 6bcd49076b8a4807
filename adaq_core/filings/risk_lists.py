"""The risks that one report lists, or states of one thing, in its words and as it groups them."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain

from adaq_core.filings.conditions import asks_for_risks
from adaq_core.filings.register import Filing, Register, holder_of, joined
from adaq_core.filings.risk_sections import BULLETS, RiskSection, StatedRisk, risk_section, tells_harm
from adaq_core.filings.search import in_turns, search_of
from adaq_core.matching.lexicon import defined_terms, in_plain_words, is_said
from adaq_core.model import Passage, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import AUXILIARIES
from adaq_core.question.parse import ParsedQuestion
from adaq_core.retrieval import Corpus
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import stem, terms_of
from adaq_core.text.values import dates

_LIST_WORDS = """
risk risks factor factors what which are is were was the top main key major biggest greatest principal most important
largest primary current some all of for to in on by its own a an does do did has have facing face faces faced confront
list lists listed disclose discloses disclosed describe describes described name names named report reports reported
identify identifies identified state states stated see sees mention mentions mentioned cite cites cited give gives flag
flags flagged warn warns set out outline outlines summarize summarise me us tell show investors company business filing
filings section item 1a form quarterly annual quarter year fiscal latest most recent newest last two three four five six
seven eight nine ten according that it they as under with stock shares there s
"""
_OF_A_LIST = frozenset(map(stem, _LIST_WORDS.split()))
_ASKS_WHETHER = re.compile(rf"(?i)^(?:{'|'.join(AUXILIARIES)})\b|\b(?:or|than|versus|vs)\b")


@dataclass(frozen=True, slots=True)
class ListedRisk:
    """A risk in the words of its report: the aspect that it belongs to, and the passage that states it.

    `is_own` is false for a sentence that only sends to the risks of another report.
    """

    aspect: str
    text: str
    passage_id: str
    is_own: bool = True


@dataclass(frozen=True, slots=True)
class RiskList:
    """The risks that one report lists under headings of their own: an aspect for each group, and the risks in order."""

    aspects: tuple[QueryAspect, ...]
    risks: tuple[ListedRisk, ...]
    is_of_topic: bool = False

    @property
    def note(self) -> str:
        """What the plan says of it."""
        if self.is_of_topic:
            return "The report states this risk under a heading of its own: it is told in the report's words"
        if any(risk.is_own for risk in self.risks):
            return "The report lists its risks under headings of their own: they are told as it groups them"
        return "The report lists no risks under headings of their own: what it says of those of another is quoted"

    @property
    def passage_ids(self) -> tuple[str, ...]:
        """The passages that hold them, one of each group in turn, in the order of the report; in front what leads."""
        sent = [risk.passage_id for risk in self.risks if not risk.is_own]
        lanes = []
        for aspect in self.aspects:
            group = [risk.passage_id for risk in self.risks if risk.is_own and risk.aspect == aspect.aspect]
            lanes.append(list(dict.fromkeys(group)))
        own = in_turns(lanes)
        return as_tuple([*own, *sent] if self.risks and self.risks[0].is_own else [*sent, *own])


def risks_listed(parsed: ParsedQuestion, index: Corpus) -> RiskList | None:
    """The risks that the report lists which a broad question about a company's risks is of; None for any other.

    A question may confine them to what the title of a group names. Where the report only sends to another one, the
    sentences that do so stand in front of the risks of the newest report before it that is here and lists any; where it
    lists risks itself, they stand behind these.
    """
    listed = _risks_in_groups(parsed.text, index)
    if listed is None and len(parsed.clauses) == 1:
        return _risk_of_topic(parsed.text, index)
    return listed


def _risks_in_groups(text: str, index: Corpus) -> RiskList | None:
    """All risks that the report lists under headings, or those of the groups that a question names."""
    search = search_of(text, index) if _asks_which_risks(text) else None
    if search is None or len(search.conditions.companies) != 1 or search.conditions.spread:
        return None
    topic = search.named_terms() - _OF_A_LIST
    filing, register = search.conditions.weights[0][0], search.register
    section, of = risk_section(filing, register), filing
    if section.refers and not section.headings:
        of = _newest_list_before(filing, register)
    own = [risk for risk in risk_section(of, register).headings if topic <= terms_of(risk.group)]
    refers = () if topic else section.refers
    if not own and not refers:
        return None
    behind = f"of {search.company_as_named()}, {of.label or of.form}"
    return _as_list(refers, own, behind, register, is_of_itself=of is filing)


_OF_WHAT_MAY_COME = re.compile(
    r"(?i)\b(?:risks?|warn(?:s|ed|ing)?|go(?:es)? wrong|fears?|worr(?:y|ies|ied)|dangers?|threats?|threaten(?:s"
    r"|ed)?|scared"
    r"|afraid|endanger(?:s|ed)?|exposure|exposed|vulnerable|hurts?|harm(?:s|ed)?|befall|weighs? on|hold back"
    r"|what if)\b"
)
_LESSENED = re.compile(
    r"(?i)\b(?:does \w+ limit|reduc|hedg|mitigat|manag|protect|insur|avoid|handl|chang|materiali[sz]e|when|^who"
    r"|^where|^why"
    r"|^what hurt\b"  # which it has done
    r"|how (?:much|many))"
)
_TOPIC_WORDS = """
end ended around about per going goes wrong thing things could can might may will would follow follows fear fears worry
worries danger dangers threat threats consequence consequences factor source sources how it see sees say says has
exposure gist describe note early late shareholders investors come comes arise filed according
"""
_BESIDE_TOPIC = _OF_A_LIST | frozenset(map(stem, _TOPIC_WORDS.split()))
_OF_TOPIC_SHARE = 1 / 2  # of the words of a topic: in the statement of a risk, where all stand in what is below it
_FEWEST_TERMS = 2
_MOST_STATED = 3
_TOPIC_LENGTH = 220  # words, as a list of what several passages say has
_ALL = 0.999  # of the words
_BELOW = 2_500  # characters
_FEWEST_POINTS = 3


def _risk_of_topic(text: str, index: Corpus) -> RiskList | None:
    """What a report states of one risk, "its risk of inventories": the statement, and what is said below it.

    The statement says all of what is asked, in any words of the same sense; or half of it, and what is below the rest.
    """
    search = search_of(in_plain_words(text), index) if _asks_what_may_come(text) else None
    if search is None or len(search.conditions.companies) != 1:
        return None
    of_harm = terms_of(" ".join(_OF_WHAT_MAY_COME.findall(text)))
    topic = search.named_terms() - _BESIDE_TOPIC - of_harm
    filing, _ = search.conditions.weights[0]
    told = _told_of_topic(topic, filing, search.register) if topic else []
    aspect = QueryAspect(text.strip(" ?."), "facet", answer_kind="list")
    risks = [ListedRisk(aspect.aspect, said, passage.passage_id) for said, passage in told]
    return RiskList((aspect,), tuple(risks), is_of_topic=True) if risks else None


def _asks_what_may_come(text: str) -> bool:
    """Whether a question asks what harm a company sees; not whether it does, nor what it does against it."""
    if _ASKS_WHETHER.search(text) or _LESSENED.search(text) or len(dates(text)) > 1:
        return False
    return _OF_WHAT_MAY_COME.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Stated:
    """A statement of a risk and what is below it, up to the next; below a title up to the next title."""

    text: str
    below: str
    is_title: bool


def _told_of_topic(topic: Set[str], filing: Filing, register: Register) -> list[tuple[str, Passage]]:
    """The statements on a topic and what stands below each, in order, each with the passage that holds it."""
    section = risk_section(filing, register)
    passages = register.passages(section.places)
    asked = _in_short(topic, register.text_of(filing))
    by_rank: dict[int, list[_Stated]] = {}
    for stated in _stated_in(section, joined(passages)[0]):
        rank = _rank_of(stated, asked)
        if rank is not None:
            by_rank.setdefault(rank, []).append(stated)
    best = by_rank[min(by_rank)] if by_rank else []
    said = _told_of(best) if len(best) <= _MOST_STATED else []
    held = ((each, holder_of(each, passages)) for each in said)
    return [(each, passage) for each, passage in held if passage]


def _stated_in(section: RiskSection, text: str) -> list[_Stated]:
    titles = {risk.text for risk in section.headings}
    openings = chain.from_iterable(section.statements.values())
    every = titles.union(said for said, _ in openings)
    found: list[_Stated] = []
    end = end_of_title = len(text)
    for at, said in sorted(((text.find(said), said) for said in every), reverse=True):
        if at < 0:
            break
        is_title = said in titles
        until, begin = end_of_title if is_title else end, at + len(said)
        below = text[begin : min(until, begin + _BELOW)]
        found.append(_Stated(said, below, is_title))
        end, end_of_title = at, at if is_title else end_of_title
    return found[::-1]


def _rank_of(stated: _Stated, topic: Set[str]) -> int | None:
    """How well a statement is on a topic: titles first, then others; in its words, in other words, with what is below.

    A single word is asked for by itself: in other words it may mean other things, a stock of goods or of shares.
    """
    share, behind = _share_of(topic, stated.text), int(not stated.is_title)
    if topic <= terms_of(stated.text):
        return behind
    if len(topic) < _FEWEST_TERMS or share < _OF_TOPIC_SHARE:
        return None
    if share >= _ALL:
        return 2 + behind
    whole = _share_of(topic, f"{stated.text} {stated.below}")
    return 4 + behind if whole >= _ALL else None


def _told_of(best: Sequence[_Stated]) -> list[str]:
    """The statements, each with what is below it, in order: as far as there is room first what tells of harm."""
    said: list[str] = []
    for stated in best:
        room = _TOPIC_LENGTH // len(best) - len(stated.text.split())
        every = _points(stated.below) or _sentences_of(stated.below)
        kept: list[str] = []
        for each in sorted(every, key=_weighs, reverse=True):  # which leaves equals in their order
            room -= len(each.split())
            if room >= 0 or not kept:
                kept.append(each)
        said += [stated.text, *(each for each in every if each in kept)]
    return said


def _weighs(sentence: str) -> bool:
    """Whether a sentence tells what may come, or a share: of revenue with one customer."""
    return tells_harm(sentence) or "%" in sentence


def _in_short(topic: Set[str], text: str) -> frozenset[str]:
    """The words of a topic, what the text defines a short name for by that name: AI for artificial intelligence."""
    for short in defined_terms(text):
        if short.terms <= topic:
            topic = topic - short.terms | terms_of(short.name)
    return frozenset(topic)


def _sentences_of(text: str) -> list[str]:
    said = (each for line in text.split("\n") for each in sentence_texts(line))
    return [each for each in said if each.endswith(".") and each[0].isupper()]


def _points(text: str) -> list[str]:
    """The points of a list in a text, whose marks may stand on lines of their own; none where they are few."""
    points: list[str] = []
    is_marked = False
    for line in map(str.strip, text.split("\n")):
        bare = line.lstrip("".join(BULLETS)).strip()
        if bare and (is_marked or bare != line):
            points.append(bare)
        is_marked = bool(line) and not bare
    return points if len(points) >= _FEWEST_POINTS else []


def _share_of(topic: Set[str], text: str) -> float:
    """The share of the words of a topic that a text says, in any words of the same sense."""
    said = terms_of(text)
    told = [term for term in topic if is_said(term, said)]
    return len(told) / max(1, len(topic))


def _asks_which_risks(text: str) -> bool:
    """Whether a question asks which risks there are, and not whether there are any, or where there are more."""
    return asks_for_risks(text) and _ASKS_WHETHER.search(text) is None


def _newest_list_before(filing: Filing, register: Register) -> Filing:
    """The newest report of the company before this one that lists risks; itself where none does."""
    for each in register.of_company(filing.company):
        if each.order < filing.order and risk_section(each, register).headings:
            return each
    return filing


def _as_list(
    refers: Sequence[StatedRisk], own: Sequence[StatedRisk], behind: str, register: Register, *, is_of_itself: bool
) -> RiskList:
    titles = dict.fromkeys(risk.group for risk in own or refers)
    names = {title: f"{_in_lower_case(title)} {behind}" for title in titles}
    aspects = tuple(QueryAspect(name, "facet", answer_kind="list") for name in names.values())
    sent = [(risk, aspects[0].aspect, False) for risk in refers]
    listed = [(risk, names[risk.group], True) for risk in own]
    stated = [*listed, *sent] if is_of_itself else [*sent, *listed]
    passages = register.passages([risk.place for risk, _, _ in stated])
    risks = []
    for (risk, aspect, is_own), passage in zip(stated, passages, strict=True):
        risks.append(ListedRisk(aspect, risk.text, passage.passage_id, is_own=is_own))
    return RiskList(aspects, tuple(risks))


def _in_lower_case(title: str) -> str:
    """A title in capitals as a sentence would begin with it; any other as it is written; "Risks" without one."""
    return title.capitalize() if title.isupper() else title or "Risks"
