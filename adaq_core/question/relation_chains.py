"""Clauses about named things: relation chains, pairs, lists of topics over things, and plain facts."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from adaq_core.model import AnswerKind, AspectType, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import (
    AUXILIARY,
    QUESTION_WORD,
    LanguagePattern,
    begins_to_ask,
    dangles,
    first_kind,
    kind_of_answer,
    linear,
)
from adaq_core.question.aspect_patterns import (
    SIDE,
    about,
    are_names,
    content,
    split_items,
    topic,
    typed_aspect,
    upper_first,
    with_head,
)
from adaq_core.question.conditions import conditions, named_things
from adaq_core.question.parse import ParsedClause
from adaq_core.question.query_templates import FacetProfile
from adaq_core.text.entities import Name, names
from adaq_core.text.tokens import tokens

_RISK = r"(?:risks?(?:\s+factors?)?|threats?|challenges?|headwinds?|dangers?)"
_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_GENERIC = (
    rf"(?:{_COUNT}|give|me|top|main|key|major|biggest|greatest|principal|most important|largest|current|primary|important|the|what|are|"
    r"is|which|list|name|describe|explain|discuss|summari[sz]e|some|of|all)"
)
_ADJUNCT = (
    r"(?:in|at|on|from|after|before|since|during|outside|inside|within|beyond|because|under|with|without)\s.{1,160}"
)
_FACING = rf"(?:\s+(?:faced?|faces|facing|confronts?|has|have|had)(?:\s+{_ADJUNCT})?)?$"
_PROFILE = linear(
    rf"^(?:{_GENERIC}\s+){{0,6}}{_RISK}\s+(?:that\s+)?"
    rf"(?:(?:facing|for|of|to|faced by|confronting|do|does|did|is|are)\s+)?(?P<who>.{{1,120}}?){_FACING}",
    re.IGNORECASE,
)
_ADJUNCT_AHEAD = linear(rf"{_ADJUNCT}$|(?:development|use|adoption|introduction)\b", re.IGNORECASE)
_OWN_RISKS = linear(
    rf"^(?:{_GENERIC}\s+){{0,6}}(?P<who>[A-Z][\w.&’-]*(?:\s[A-Z][\w.&’-]*){{0,4}})(?:['’]s?)?\s+(?:(?:top|main|key|major|biggest)\s+)?(?:risks|threats|challenges)$"
)
_RISKS_ABOUT = linear(
    rf"^(?:what|which|list|name|describe|explain)\s+(?:(?:the|are|is|kinds? of)\s+)*(?:{_GENERIC}\s+){{0,3}}(?P<noun>{_RISK})\s+"
    r"(?:do|does|did|has|have|is|are)\s+(?P<who>.{1,80}?)\s+(?:disclosed?|describe[ds]?|report(?:s|ed)?|mention(?:s|ed)?|"
    r"identif(?:y|ies|ied)|see[ns]?|name[ds]?|list(?:s|ed)?|discuss(?:es|ed)?|give[ns]?|state[ds]?|warn(?:s|ed)?|fac(?:e|es|ed|ing)|cite[ds]?)\s+"
    r"(?:about|from|of|in|on|with|around|regarding|concerning|due to|as to|because of|(?:related|relating|in relation) to|"
    r"arising from)\s+(?P<topic>(?!.{0,40}\b(?:years?|quarters?|months?|future|today|now|term|markets?)\b).{2,80})$",
    re.IGNORECASE,
)
_CHANGED = linear(
    r"^(?:by\s+)?how(?:\s+much)?\s+(?:did|has|have|do|does)\s+(?:the\s+)?(?P<topic>.{2,80}?)\s+(?:changed?|develop(?:ed)?|evolved?|grow|grew|grown|"
    r"fall|fell|fallen|rise|rose|risen|increased?|decreased?|declined?)\s+(?:at|for|of|in|between)\s+(?P<who>.{3,120})$",
    re.IGNORECASE,
)
_QUALIFIED = linear(
    rf"^(?:what|which|list|name|describe|explain|discuss|compare)\s+(?:(?:are|were|is)\s+)?(?:{_GENERIC}\s+){{0,4}}(?P<kinds>.{{1,80}}?)"
    rf"\s+(?P<noun>{_RISK}|problems|troubles?|issues|difficulties)\s+(?:(?:that\s+)?(?:does|do|did|is|are)\s+|(?:facing|of|for|to|at|with)\s+)"
    rf"(?P<who>.{{1,120}}?){_FACING}",
    re.IGNORECASE,
)
_OF_NO_KIND = linear(rf"(?:(?:{_GENERIC}|common|typical|usual|known)\b\s*){{1,4}}", re.IGNORECASE)
_A_BUSINESS = linear(r"(?:['’]s)?\s+(?:business(?:es)?|company|operations|stock|shares)$", re.IGNORECASE)
_OF_TIME = linear(r"\b(?:quarter|year|period|months?|weeks?|half)$", re.IGNORECASE)
_OF_SEVERAL = linear(
    rf"^(?:what|which)\s+(?P<noun>{_RISK})\s+(?:do|did)\s+(?P<who>.{{1,160}}?)\s+(?:face|confront)(?:\s+{_ADJUNCT})?$",
    re.IGNORECASE,
)
_TOPIC: tuple[tuple[AspectType, re.Pattern[str]], ...] = (
    ("evaluation", linear(rf"^{SIDE}$", re.I)),
    ("application", linear(r"^(?:uses?|use cases|applications?)$", re.I)),
    ("definition", linear(r"^(?:definitions?|meanings?)$", re.I)),
)
_LIST = linear(
    r"^(?:(?:what\s+(?:are|is)|list|name|describe|explain|discuss|summari[sz]e|outline|give)\s+)?(?:the\s+)?(?:(?:main|key|top|major)\s+)?"
    rf"(?:{_COUNT}\s+)?(?:(?:main|key|top|major|biggest)\s+)?"
    r"(?P<topics>[\w',/ -]{1,160}?)\s+(?:of|for|facing|at|in)\s+(?P<items>.{1,240})$",
    re.IGNORECASE,
)
_RELATION = linear(
    r"\bthe\s+(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,3}?)\s+of\s+(?P<rest>(?:the\s+)?.{1,300})$"
)
_INNER = linear(r"^(?:the\s+)?(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,2}?)\s+of\s+(?P<rest>.{1,300})$")
_LAST_THING = linear(
    r"^(?:the\s+)?(?P<kind>(?:[a-z][\w-]{0,30}\s+){0,3}?)(?P<name>[\"“][^\"”]{1,120}[\"”]|[A-Z0-9][\w.'’&:-]{0,40}(?:\s+(?:(?:of|the|and|de|la|van|von|in|on|for|to)\b|&|[A-Z0-9(][\w.'’&:)-]{0,40})){0,14})"
)
# Relations of two nouns that are one step: the blank between them is written "_" while a chain is cut.
_ONE_STEP = linear(
    r"\b(?P<of>(?:place|date|cause|time|year|month|day|country|city|state|manner)\s+of\s+(?:birth|death|origin|citizenship|burial|release|residence|publication|marriage)"
    r"|head\s+of\s+(?:state|government)|board\s+of\s+directors|chief\s+of\s+staff|secretary\s+of\s+\w{1,20}|minister\s+of\s+\w{1,20}|"
    r"chairman\s+of\s+the\s+board|director\s+of\s+photography|(?:cost|costs)\s+of\s+(?:sales|goods\s+sold|revenue)|terms\s+of\s+service|"
    r"(?:rate|return)\s+of\s+(?:return|exchange)|country\s+of\s+origin|seat\s+of\s+government|university\s+of\s+(?=[A-Z]))",
    re.IGNORECASE,
)
_ROLE_WORDS = """
father mother parent parents spouse wife husband son daughter brother sister sibling child children grandfather
grandmother uncle aunt partner director author founder co-founder ceo cfo cto chief composer creator performer employer
birthplace hometown publisher manufacturer owner successor predecessor coach producer screenwriter writer singer artist
winner leader head president chairman chairwoman king queen mayor governor minister capital country city county region
state province headquarters star protagonist actor actress voice host narrator inventor discoverer designer architect
developer distributor studio label network band team club league school university college subsidiary namesake killer
editor translator cinematographer conductor lyricist songwriter choreographer captain commander ambassador secretary
manager musician drummer guitarist language currency river organization organisation company magazine newspaper
"""
_ROLE = rf"(?:{'|'.join(_ROLE_WORDS.split())})"
_NOT_OWNED = frozenset(
    ("capital", "company", "state", "label", "language", "currency", "band", "team", "club", "region", "river")
)
_KIN = rf"(?:{'|'.join(word for word in _ROLE_WORDS.split() if word not in _NOT_OWNED)}|parent\s+company|alma\s+mater)"
_ROLE_AT_END = linear(rf"(?:^|\s)(?:{_ROLE}s?|\w+\s+of\s+(?:birth|death|origin|burial|citizenship))$", re.IGNORECASE)
_POSSESSIVE = linear(
    rf"(?P<name>(?:[A-Z0-9][\w.&’-]{{0,30}})(?:,?\s(?:of|the|de|van|von|[A-Z0-9][\w.&’-]{{0,30}})){{0,6}})['’]s?\s+(?P<relation>{_KIN})\b(?!['’])"
)
_OF_OWNED = linear(r"\bthe\s+(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,3})\s+of\s+$")
_TITLE = r"(?:[A-Z0-9\"“].{0,100}?)"
_ROLE_OF_TWO = linear(
    rf"^which\s+\w{{1,20}}\s+(?:(?:has|have|had)\s+the|whose)\s+(?P<role>{_ROLE})\s+(?:(?:who|that|which)\s+)?(?P<asked>[^,]{{3,80}}?)(?:\s+than\s+the\s+other)?,\s+(?P<a>{_TITLE})\s+or\s+(?P<b>{_TITLE})$",
    re.IGNORECASE,
)
_ROLES_OF_TWO = linear(
    rf"^(?i:do|does|did|are|were|is|have|has)\s+(?i:both\s+)?(?i:the\s+)?(?P<role>(?i:{_ROLE}s?))\s+of\s+(?:(?i:both|the|films?|movies?|songs?|books?|series)\s+){{0,3}}(?P<a>{_TITLE})"
    rf"\s+and\s+(?:(?i:the\s+)?(?i:{_ROLE})\s+of\s+)?(?:(?i:the|film|movie|song|book)\s+){{0,2}}(?P<b>{_TITLE})\s+(?P<asked>(?:both\s+)?(?:have|has|share|from|of|born|come|came|live|lived|located|die|died)\b.{{0,80}})$"
)
_CHOICE = linear(
    r"^(?P<ask>(?:which|who|whose|what)\b[^,]{3,120}?)[,:]\s+(?P<a>[\"“A-Z0-9].{1,100}?)\s+or\s+(?P<b>.{1,100})$",
    re.IGNORECASE,
)
_RELATIVE_LINK = linear(
    r"\b(?:the|a|an)\s+(?P<thing>(?:[\w'’-]{1,30}\s+){1,6}?)(?P<how>who|that|which|where|whose|in\s+which|at\s+which|for\s+which|during\s+which)\s+(?P<what>.{1,240})$",
)
_INVERTED = linear(r"\b(?:do|does|did|has|have|can|could|will|would)\s+$", re.IGNORECASE)
_FINITE = linear(r"\b(?:is|are|was|were|do|does|did|has|have|had)\b", re.IGNORECASE)
_JOINED = linear(r"[\"”’']?,?\s+(?:and|or)\s+(?:[Tt]he\s+|[Aa]n?\s+)?(?:[a-z]{1,20}\s+)?[\"“‘']?")
_TITLE_AHEAD = linear(
    r"\b(?:film|movie|song|album|book|novel|series|show|play|game|magazine|opera|poem)\s+[\"“‘']?$", re.IGNORECASE
)
_ACTED_ON = linear(r"\b(?:affect|impact|influence|hit|hurt|threaten|help|hinder)(?:s|ed)?\s+$", re.IGNORECASE)
_ORDER = linear(
    r"^(?:list|name|identify|enumerate|give(?:\s+me)?|find|show(?:\s+me)?|tell\s+me\s+about)\s+(?:(?:all|every|each|the|of|any)\s+){0,3}",
    re.IGNORECASE,
)
LONGEST_NAME = 96  # characters of an aspect's name
_BARE_PHRASE = 4  # words of a question that is a mere name
_LONG_SUBJECT = 10  # words
_LONG = 16  # words from which a clause is cut at its relative clauses
_AT_LEAST = 2  # terms of a piece
_MOST_LINKS = 3  # of a chain
_PLURAL = linear(r"\b(?:both|were|are|do|have|each|respectively)\b", re.IGNORECASE)
_NO_RELATION = frozenset(
    ("name", "names", "list", "number", "identity", "title", "titles", "amount", "value", "kind", "type")
)
_MORE_NOUN = linear(
    r"\s+(?!(?:born|die|died|dies|work|works|worked|live|lives|lived|from|educated|graduate|graduated|win|won|play|played|"
    r"study|studied|buried|married|established|founded|released|located|formed|end|ended|begin|began)$)[a-z]{3,20}$"
)
_HAS_VERB = linear(r"\b(?:who|that|which|where|whose)\b", re.IGNORECASE)
_MOST_ASKED = 6  # words asked of a link; more of them are no relation
_ASKS_WHICH = linear(rf"(?:\w{{1,8}}\s+)?{QUESTION_WORD}\b", re.IGNORECASE)

# What a choice between two named things is decided by: the kind of fact to find for each.
_DECIDED = LanguagePattern[AnswerKind]
DECIDED_BY: tuple[LanguagePattern[AnswerKind], ...] = (
    _DECIDED("date", r"\b(?:born|died|dies?|death|released?|came\s+out|founded|established|older|younger|oldest|earlier|later|first|recent(?:ly)?|sooner|before|after|live[sd]?\s+longer)\b",
             "Who was born earlier, A or B", "Which has more members, A or B", "2wiki"),
    _DECIDED("number", r"\b(?:more|most|fewer|larger|largest|bigger|higher|highest|taller|longer|smaller|lower|greater|population)\b",
             "Which has more members, A or B", "Which is in Spain, A or B", "hotpotqa"),
    _DECIDED("place", r"\b(?:countr(?:y|ies)|cit(?:y|ies)|located|location|nationalit(?:y|ies)|state|born\s+in|from\s+the\s+same)\b",
             "Are A and B located in the same country", "Who wrote more, A or B", "2wiki"),
)  # fmt: skip


def facets(clause: ParsedClause, profile: FacetProfile, subject: str) -> list[QueryAspect]:
    """One aspect per facet of `profile`, about `subject`."""
    return [
        QueryAspect(
            profile.name_aspect(facet.facet, subject),
            "facet",
            facet.importance,
            facet.keywords,
            clause.span,
            subject=subject,
        )
        for facet in profile.facets
    ]


def risk_subject(clause: ParsedClause) -> str:
    """Whose risks a clause asks for when it names no kind of risk and one subject; empty otherwise."""
    match = _PROFILE.match(clause.text) or _OWN_RISKS.match(clause.text)
    if match:
        who = re.sub(r"^(?:the\s+)", "", match.group("who").strip())
    else:
        who = ""
    who = _A_BUSINESS.sub("", who)
    who = re.sub(r"^(?:company|firm|corporation)\s+(?=[A-Z])", "", who)
    is_one = len(split_items(who)) == 1 and len(who.split()) <= 6
    return who if is_one and not _ADJUNCT_AHEAD.match(who) else ""


def topic_list(clause: ParsedClause) -> list[QueryAspect]:
    """“T1, T2 and T3 of X, Y and Z”: one aspect per topic and thing; [] unless topics or things are several."""
    match = _LIST.match(clause.text)
    if match is None:
        return []
    topics = split_items(match.group("topics"))
    items = split_items(match.group("items"))
    things = items if are_names(items) else [match.group("items")]
    if len(topics) < 2 and len(things) < 2:
        return []
    if any(len(topic.split()) > 4 or _holds_name(topic) for topic in topics):
        return []
    if things[0][:1].isdigit():
        return []
    return [_topic_of(clause, topic, thing) for thing in things for topic in topics]


def _holds_name(topic: str) -> bool:
    return any(c.isupper() for c in topic[1:]) and not topic.isupper()


def qualified_risks(clause: ParsedClause) -> list[QueryAspect]:
    """“What legal and regulatory risks does X face”: one aspect per kind of risk; per firm where several face them."""
    match = _QUALIFIED.match(clause.text)
    if match is None:
        return _risks_of_several(clause)
    noun, kinds = match.group("noun").lower(), match.group("kinds")
    if _OF_NO_KIND.fullmatch(kinds):
        return []
    topics = with_head(split_items(kinds), noun)
    who = _A_BUSINESS.sub("", match.group("who"))
    return [about(clause, firm, topic) for firm in split_items(who) for topic in topics]


def _risks_of_several(clause: ParsedClause) -> list[QueryAspect]:
    """“What risks do X and Y face”: the risks of each."""
    match = _OF_SEVERAL.match(clause.text)
    if match is None:
        return []
    firms = split_items(match.group("who"))
    if not are_names(firms):
        return []
    return [about(clause, firm, match.group("noun").lower()) for firm in firms]


def risks_of_a_topic(clause: ParsedClause) -> list[QueryAspect]:
    """“What risks does X disclose about T”: what X says of T, and no other kind of risk."""
    match = _RISKS_ABOUT.match(clause.text)
    if match is None or not named_things(match.group("who")):
        return []
    who, topic = (re.sub(r"^(?:the|its|their)\s+", "", match.group(part)) for part in ("who", "topic"))
    whole = about(clause, re.sub(r"['’]s?$", "", who), topic)
    return [replace(whole, aspect=f"{upper_first(match.group('noun'))} about {topic} of {whole.subject}")]


def changes_of_several(clause: ParsedClause) -> list[QueryAspect]:
    """“How did T change at X and Y”: the change in T of each."""
    match = _CHANGED.match(clause.text)
    if match is None:
        return []
    firms = split_items(match.group("who"))
    if not are_names(firms):
        return []
    topic = match.group("topic")
    results = []
    for firm in firms:
        aspect = about(clause, re.sub(r"['’]s?$", "", firm), topic)
        name = f"Change in {topic} of {aspect.subject}"
        results.append(replace(aspect, aspect=name, answer_kind="number"))
    return results


def _topic_of(clause: ParsedClause, topic: str, thing: str) -> QueryAspect:
    kind = next((kind for kind, pattern in _TOPIC if pattern.match(topic)), None)
    if kind == "evaluation":
        plain = typed_aspect(kind, thing, clause.span)
        name = f"{upper_first(topic)} of {thing}"
        return QueryAspect(name, kind, 1.0, (*plain.keywords, *content(topic)), clause.span, subject=thing)
    if kind:
        return typed_aspect(kind, thing, clause.span)
    return about(clause, thing, topic)


def chain(clause: ParsedClause) -> list[QueryAspect]:
    """“the R1 of the R2 of F”: R2 of F, then R1 of that, each depending on the one before; [] for other shapes."""
    links = _owned_chain(clause) or _nested_chain(clause) or _relative_chain(clause)
    if links and links[-1].answer_kind == "fact":
        links[-1] = replace(links[-1], answer_kind=clause.kind)
    return links


def choice_of_roles(clause: ParsedClause) -> list[QueryAspect]:
    """“Which film has the director who was born later, A or B?”: the director of A, of B, and when each was born."""
    match = _ROLE_OF_TWO.match(clause.text) or _ROLES_OF_TWO.match(clause.text)
    if match is None:
        return []
    role = match.group("role").lower().removesuffix("s")
    asked = content(match.group("asked"))
    kind = first_kind(DECIDED_BY, match.group("asked")) or "fact"
    rest = tuple(word for word in asked if word not in _BARE)
    links: list[QueryAspect] = []
    for thing in (match.group("a"), match.group("b")):
        first = _link(clause, role, thing, f"{role} of {thing}", after=None)
        last = _asked(clause, rest or ("fact",), f"{role} of {thing}", after=first.aspect)
        links += [first, replace(last, answer_kind=kind)]
    return links


def choice_of_two(clause: ParsedClause) -> list[QueryAspect]:
    """“Which film was released first, A or B?”: what decides, for A and for B, whatever signs their titles hold."""
    match = _CHOICE.match(clause.text)
    if match is None or match.group("b").count(" or ") or match.group("a").count(" or "):
        return []
    kind = first_kind(DECIDED_BY, match.group("ask")) or "fact"
    rest = as_tuple(word for word in content(match.group("ask")) if word not in _BARE)
    things = [re.sub(r"^(?:the|a|an)\s+", "", match.group(side), flags=re.IGNORECASE) for side in ("a", "b")]
    return [replace(_fact_about(clause, thing.strip('"“”'), rest), answer_kind=kind) for thing in things]


def _nested_chain(clause: ParsedClause) -> list[QueryAspect]:
    text = _ONE_STEP.sub(lambda m: re.sub(r"\s+", "_", m.group()), clause.text)
    match = _RELATION.search(text)
    if match is None:
        return []
    relations, thing = _nested(match)
    relations = [relation.replace("_", " ") for relation in relations]
    thing = thing.replace("_", " ")
    if not thing or _HAS_VERB.search(thing) or relations[0].lower() in _NO_RELATION:
        return []
    if not all(_ROLE_AT_END.search(relation) for relation in relations[1:] or relations):
        return []
    inner = f"{relations[-1]} of {thing}"
    links = [_link(clause, relations[-1], thing, inner, after=None)]
    for relation in reversed(relations[:-1]):
        inner = f"{relation} of the {inner}"
        links.append(_link(clause, relation, thing, inner, after=links[-1].aspect))
    rest = _outside(clause, relations, thing)
    if len(rest) > _MOST_ASKED:
        return []
    if rest and (len(links) > 1 or _ATTRIBUTE.search(clause.text)):
        links.append(_asked(clause, rest, inner, after=links[-1].aspect))
    return links if len(links) > 1 else []


def _owned_chain(clause: ParsedClause) -> list[QueryAspect]:
    """“Where was X's mother born?”: the mother of X, then what is asked of her."""
    match = _POSSESSIVE.search(clause.text)
    if match is None or names(clause.text[match.end() :]):
        return []
    thing = _without_asking(match.group("name"))
    relation = " ".join(match.group("relation").split())
    rest = _outside(clause, [relation], thing)
    if not thing or not 0 < len(rest) <= _MOST_ASKED:
        return []
    inner = f"{relation} of {thing}"
    first = _link(clause, relation, thing, inner, after=None)
    of_it = _OF_OWNED.search(clause.text[: match.start()])
    if of_it:
        name = f"{of_it.group('relation')} of the {inner}"
        return [first, _link(clause, of_it.group("relation"), thing, name, after=first.aspect)]
    return [first, _asked(clause, rest, inner, after=first.aspect)]


def _without_asking(name: str) -> str:
    return re.sub(rf"^(?:(?:{QUESTION_WORD}|{AUXILIARY})\s+)+", "", name, flags=re.IGNORECASE)


def _relative_chain(clause: ParsedClause) -> list[QueryAspect]:
    """“Who directed the film that featured X”: the film that featured X, then who directed it."""
    outer = clause.text
    result = list[tuple[str, str]]()
    while len(result) < _MOST_LINKS and (match := _last_relative(outer)) is not None:
        thing = match.group("thing").strip()
        result.append((thing, f"{thing} {match.group('how')} {match.group('what')}"))
        outer = f"{outer[: match.start()]}the {thing}"
    if not result or dangles(outer) or not _asks_of(outer, result[-1][0]):
        return []
    links: list[QueryAspect] = []
    for thing, described in result:
        links.append(_described(clause, thing, described, after=links[-1].aspect if links else None))
    return [*links, _described(clause, "", outer, after=links[-1].aspect)]


def _last_relative(text: str) -> re.Match[str] | None:
    """The innermost relative clause at the end of `text`, where it names something."""
    last = None
    for start in range(len(text) - 1, -1, -1):
        if text[start] in "taTA" and (start == 0 or text[start - 1] == " "):
            last = _RELATIVE_LINK.match(text, start)
            if last:
                break
    if last is None or last.start() == 0 or "," in text[last.start() :]:
        return None
    what = last.group("what")
    if _OF_TIME.search(last.group("thing")):  # "in the quarter that ended 1 April" is a time
        return None
    if _INVERTED.search(text[: last.start()]) or len(_FINITE.findall(what)) > 1:
        return None
    names_something = any(name.kind != "number" for name in names(what))
    return last if names_something or " the " in f" {what}" else None


def _asks_of(outer: str, thing: str) -> bool:
    """Whether something is asked of the thing that a relative clause describes, beyond which one it is."""
    if _ASKS_WHICH.match(outer) is None:
        return False
    passed = {*_BARE, *_NO_RELATION, *content(thing)}
    return any(word not in passed for word in content(outer))


def _described(clause: ParsedClause, thing: str, text: str, *, after: str | None) -> QueryAspect:
    named = [name.text for name in names(text) if name.kind in ("name", "acronym", "quoted")]
    kind = kind_of_answer(f"which {thing}") if thing else clause.kind
    return QueryAspect(
        upper_first(text), "relation", 1.0, content(text), clause.span,
        subject=named[0] if named and after is None else "", depends_on=after, answer_kind=kind,
    )  # fmt: skip


def _nested(match: re.Match[str]) -> tuple[list[str], str]:
    relations = [match.group("relation")]
    rest = match.group("rest")
    while True:
        thing = _LAST_THING.match(rest)
        if thing and thing.group("kind") and _MORE_NOUN.match(rest, thing.end()):
            return relations, ""
        inner = _INNER.match(rest)
        if inner is None or (thing and thing.end("kind") == 0 and thing.start("name") == 0):
            return relations, _thing(thing)
        relations.append(inner.group("relation"))
        rest = inner.group("rest")


def _thing(match: re.Match[str] | None) -> str:
    if match is None:
        return ""
    name = re.sub(r"(?:\s+(?:of|the|and|in|on|for|to|&))+$", "", match.group("name")).strip('"“”')
    return f"{match.group('kind')}{name}".strip()


def _link(clause: ParsedClause, relation: str, thing: str, name: str, *, after: str | None) -> QueryAspect:
    bare = re.sub(r"^(?:[a-z]+\s+)*?(?=[A-Z0-9\"“])", "", thing)
    return QueryAspect(
        upper_first(name),
        "relation",
        1.0,
        as_tuple([*content(relation), *content(thing)]),
        clause.span,
        subject=bare if after is None else "",
        depends_on=after,
        answer_kind=_kind_of_relation(relation),
    )


def _kind_of_relation(relation: str) -> AnswerKind:
    kind = kind_of_answer(f"what is the {relation}")
    return kind if kind not in ("fact", "definition") else kind_of_answer(f"which {relation}")


_ATTRIBUTE = linear(
    r"^(?:when|where)\b|\b(?:born|die|died|death|birth|nationality|country|city|educated|graduated|studied|study|buried|married|"
    r"award|position|work|works|worked|genre|university|school|spouse|wife|husband|child|children|from)\b",
    re.IGNORECASE,
)
_BARE_WORDS = "who what which is was were are the of a an did does do name when where whose whom"
_BARE = frozenset(_BARE_WORDS.split())


def _outside(clause: ParsedClause, relations: list[str], thing: str) -> tuple[str, ...]:
    carried = {_unowned(w) for text in (*relations, thing) for w in content(text)}
    asked = [w for w in content(clause.text) if _unowned(w) not in carried and w not in _BARE]
    when = re.match(r"^(when|where)\b", clause.text, re.IGNORECASE)
    if asked:
        return (*([when.group(1).lower()] if when else []), *asked)
    return ()


def _unowned(word: str) -> str:
    return re.sub(r"['’]s?$", "", word)


def _asked(clause: ParsedClause, rest: tuple[str, ...], of: str, *, after: str) -> QueryAspect:
    words = {"when": "date", "where": "place"}
    keywords = tuple(words.get(word, word) for word in rest)
    name = f"{upper_first(' '.join(rest))}: {of}"
    return QueryAspect(name, "relation", 1.0, keywords, clause.span, depends_on=after, answer_kind=clause.kind)


def pair(clause: ParsedClause) -> list[QueryAspect]:
    """Named things joined by commas, "and" or "or", each with what is asked of them; [] when fewer than two are."""
    listed = _joined_names(clause)
    plural = clause.kind in ("choice", "yes_no", "comparison") or _PLURAL.search(clause.text) is not None
    if len(listed) > 2 or plural:
        return _each(clause, listed)
    return []


def several(clause: ParsedClause) -> list[QueryAspect]:
    """The same for three named things or more, or for two that something affects; [] otherwise."""
    listed = _joined_names(clause)
    acted_on = bool(listed) and _ACTED_ON.search(clause.text[: listed[0].start])
    if len(listed) > 2 or acted_on:
        return _each(clause, listed)
    return []


def _joined_names(clause: ParsedClause) -> list[Name]:
    """The first list of names in the clause, sources and the parts of titles aside."""
    sources = [c.span for c in conditions(clause.text) if c.kind == "source" and c.span]
    called = named_things(clause.text)
    quoted = [(n.start, n.end) for n in called if n.kind == "quoted"]
    spans = [n for n in called if n.kind == "quoted" or not any(s <= n.start < e for s, e in quoted)]
    spans = [n for n in spans if not any(s <= n.start < e for s, e in sources)]
    for first, second in pairwise(spans):
        between = clause.text[first.end : second.start]
        if " or " in between and clause.kind not in ("choice", "yes_no"):
            continue
        if _JOINED.fullmatch(between) and not _TITLE_AHEAD.search(clause.text[: first.start]):
            return _of_two([*_before(clause, first, spans), first, second], clause)
    return []


def _of_two(listed: list[Name], clause: ParsedClause) -> list[Name]:
    """Of "both A, B and C" the first and the last: B says where A is."""
    both = re.search(r"\bboth\b", clause.text, re.IGNORECASE)
    return [listed[0], listed[-1]] if both else listed


def _before(clause: ParsedClause, last: Name, spans: list[Name]) -> list[Name]:
    """The names that commas join to `last`."""
    results: list[Name] = []
    for name in reversed(spans[: spans.index(last)]):
        if clause.text[name.end : (results[-1] if results else last).start] != ", ":
            break
        results.append(name)
    return results[::-1]


def _each(clause: ParsedClause, listed: list[Name]) -> list[QueryAspect]:
    if not listed:
        return []
    if clause.kind in ("choice", "yes_no"):
        kind = first_kind(DECIDED_BY, clause.text) or "fact"
    else:
        kind = clause.kind
    before = content(clause.text[: listed[0].start])
    behind = content(clause.text[listed[-1].end :])
    rest = as_tuple([*before, *behind])
    return [replace(_fact_about(clause, name.text, rest), answer_kind=kind) for name in listed]


def _fact_about(clause: ParsedClause, thing: str, rest: tuple[str, ...]) -> QueryAspect:
    asked = " ".join(rest[:8])
    name = f"{thing}: {_as_written(asked, clause.text)}" if asked else thing
    return QueryAspect(name, "entity", 1.0, as_tuple([*content(thing), *rest]), clause.span, subject=thing)


def _as_written(words: str, text: str) -> str:
    """The words with the capitals that they have in `text`."""
    written = {word.lower(): word for word in re.findall(r"[^\W_][\w’'.&-]*", text)}
    return " ".join(written.get(word, word) for word in words.split())


def facts(clause: ParsedClause, *, is_alone: bool) -> list[QueryAspect]:
    """The clause as it stands; a long one as what it says of its subject, relative clause by relative clause."""
    pieces = _pieces_of(clause)
    if len(pieces) == 1:
        return [_fact(clause, is_alone=is_alone)]
    first, *others = pieces
    head = _head_of(first[0])
    headed = ((f"{head}: {text}" if head else text, span) for text, span in others)
    return [_plain_fact(replace(clause, text=text, span=span)) for text, span in (first, *headed)]


_WHAT_IS = linear(
    r"^what\s+(?:is|are|was|were)\s+(?!(?:said|known|reported|written)\b)(?:the\s+)?(?P<x>.{1,200})$", re.IGNORECASE
)
_SAID_ABOUT = linear(
    r"^what\s+(?:is|was|has\s+been)\s+(?:said|known|reported|written)\s+(?:about|of|on)\s+(?:the\s+)?(?P<x>.{1,200})$",
    re.IGNORECASE,
)
_SOFT = linear(
    r",\s+(?:(?:and|but)\s+)?(?=(?:who|which|has|is|was|had|also)\b)|\s+(?:and|but)\s+(?=(?:who|which|has|is|was|had)\b)",
    re.IGNORECASE,
)
_DESCRIBED = linear(
    rf"^(?:{QUESTION_WORD})\s+(?:(?:is|are|was|were)\s+)?(?:the\s+|an?\s+)?(?P<head>(?:[a-z][\w'’-]{{0,30}}\s+){{0,3}}[a-z][\w'’-]{{0,30}})",
    re.IGNORECASE,
)


def _pieces_of(clause: ParsedClause) -> list[tuple[str, tuple[int, int]]]:
    """A long clause cut at its relative clauses, none with fewer than two words that a search can use."""
    text, (start, end) = clause.text, clause.span
    if len(text.split()) < _LONG or not _head_of(text):
        return [(text, clause.span)]
    is_verbatim = end - start == len(text)  # else the text was put right: its places are not those of the question
    results = []
    for begin, stop in _between_joints(text):
        span = (start + begin, start + stop) if is_verbatim else clause.span
        results.append((text[begin:stop].strip(" ,"), span))
    return results


def _between_joints(text: str) -> list[tuple[int, int]]:
    """The pieces of a text between its soft joints; one that cannot stand alone goes on to the next."""
    cuts = [0]
    for joint in _SOFT.finditer(text):
        cuts += joint.span()
    cuts.append(len(text))
    pieces: list[tuple[int, int]] = []
    for begin, stop in zip(cuts[::2], cuts[1::2], strict=True):
        if pieces and (_is_short(text, (begin, stop), pieces[-1]) or dangles(text[: pieces[-1][1]])):
            pieces[-1] = (pieces[-1][0], stop)
        else:
            pieces.append((begin, stop))
    return pieces


def _is_short(text: str, *pieces: tuple[int, int]) -> bool:
    """Whether one of the pieces has too few words for a search."""
    return any(len(set(tokens(text[slice(*piece)]))) < _AT_LEAST for piece in pieces)


def _head_of(text: str) -> str:
    match = _DESCRIBED.match(text)
    if match:
        head = match.group("head").split()[-1]
    else:
        head = ""
    if len(head) > 1 and tokens(head):
        return upper_first(head)
    return ""


def _fact(clause: ParsedClause, *, is_alone: bool) -> QueryAspect:
    words = clause.text.split()
    if is_alone and len(words) <= _BARE_PHRASE and words[0].lower() not in _BARE and not begins_to_ask(clause.text):
        # A name alone asks what it is; what else is said without a verb is a topic.
        if content(clause.text) and any(word[:1].islower() for word in words):
            return topic(clause, clause.text)
        return replace(typed_aspect("definition", clause.text, clause.span), answer_kind="definition")
    return _plain_fact(clause)


def _plain_fact(clause: ParsedClause) -> QueryAspect:
    asked = _ORDER.sub("", clause.text)
    if clause.text.isupper():
        text = clause.text
    else:
        text = upper_first(asked if tokens(asked) else clause.text)
    if len(text) > LONGEST_NAME:
        text = text[:LONGEST_NAME].rsplit(" ", 1)[0] + " …"
    what_is = _SAID_ABOUT.match(clause.text) or _WHAT_IS.match(clause.text)
    if what_is and len(clause.text.split()) <= _LONG_SUBJECT:
        subject = what_is.group("x")
    else:
        subject = ""
    return QueryAspect(
        text, "entity", 1.0, content(asked) or content(clause.text), clause.span, subject=subject,
        answer_kind=clause.kind,
    )  # fmt: skip
