"""Clauses that ask the same of several named things, or several topics of them: risks of firms, lists, pairs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from adaq_core.model import AnswerKind, AspectType, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import (
    AUXILIARY,
    PREPOSITIONS,
    RISK,
    LanguagePattern,
    first_kind,
    linear,
)
from adaq_core.question.aspect_patterns import (
    SIDE,
    VERSUS,
    about,
    are_names,
    content,
    cued,
    split_items,
    things_and_topics,
    typed_aspect,
    with_head,
)
from adaq_core.question.conditions import IN_A_PAPER, conditions, named_things
from adaq_core.question.parse import ParsedClause
from adaq_core.question.query_templates import FacetProfile
from adaq_core.text.entities import Name, is_nationality, not_owning
from adaq_core.text.tokens import STOP_WORDS, terms_of, upper_first
from adaq_core.text.values import MONTH_NAMES

_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_GENERIC = (
    rf"(?:{_COUNT}|give|me|top|main|key|major|biggest|greatest|principal|most important|largest|current|primary|important|the|what|are|"
    r"is|which|list|name|describe|explain|discuss|summari[sz]e|some|of|all)"
)
_ADJUNCT = r"(?:in|at|on|from|after|before|since|during|outside|inside|within|beyond|because|under|with|without|through)\s.{1,160}"
_FACE = "face|confront|run|bear|carry"
_FACES = rf"(?:{_FACE}|faces|faced|facing|confronts|runs|bears|carries|has|have|had)"
_TELLS = r"(?:disclose|describe|report|mention|identify|see|name|list|discuss|give|state|cite|flag|warn\s+(?:investors\s+)?(?:of|about))s?"
_FACING = rf"(?:\s+(?:{_FACES}|{_TELLS})(?:\s+{_ADJUNCT})?)?$"
_PROFILE = linear(
    rf"(?i)^(?:{_GENERIC}\s+){{0,6}}{RISK}\s+(?:that\s+)?"
    rf"(?:(?:facing|for|of|to|at|faced by|confronting|do|does|did|is|are)\s+)?(?P<who>.{{1,120}}?){_FACING}"
)
_ADJUNCT_AHEAD = linear(
    rf"(?i){_ADJUNCT}$|(?:development|use|adoption|introduction|common|shared|typical|specific|unique)\b"
)
_RISKS_ABOUT = linear(
    rf"(?i)^(?:what|which|list|name|describe|explain)\s+(?:(?:the|are|is|kinds? of)\s+)*(?:{_GENERIC}\s+){{0,3}}(?P<noun>{RISK})\s+"
    r"(?:do|does|did|has|have|is|are)\s+(?P<who>.{1,80}?)\s+(?:disclosed?|describe[ds]?|report(?:s|ed)?|mention(?:s|ed)?|"
    r"identif(?:y|ies|ied)|see[ns]?|name[ds]?|list(?:s|ed)?|discuss(?:es|ed)?|give[ns]?|state[ds]?|warn(?:s|ed)?|fac(?:e|es|ed|ing)|cite[ds]?|runs?)\s+"
    r"(?:about|from|of|in connection with|in|on|with|by|through|around|regarding|concerning|due to|as to|because of|"
    r"(?:related|relating|in relation) to|arising from)\s+(?P<topic>(?!.{0,40}\b(?:years?|quarters?|months?|future|today|now|term|markets?|10-?[QK]|filings?|reports?)\b).{2,80})$"
)
_CHANGED = linear(
    r"(?i)^(?:by\s+)?how(?:\s+much)?\s+(?:did|has|have|do|does)\s+(?:the\s+)?(?P<topic>.{2,80}?)\s+(?:changed?|develop(?:ed)?|evolved?|grow|grew|grown|"
    r"fall|fell|fallen|rise|rose|risen|increased?|decreased?|declined?)\s+(?:at|for|of|in|between)\s+(?P<who>.{3,120})$"
)
_QUALIFIED = linear(
    rf"(?i)^(?:(?:what|which|list|name|describe|explain|discuss|compare)\s+(?:(?:are|were|is)\s+)?|(?:the\s+)?(?:top|main|key|major|biggest)\s+)(?:{_GENERIC}\s+){{0,4}}(?P<kinds>.{{1,80}}?)"
    rf"\s+(?P<noun>{RISK}|problems|troubles?|issues|difficulties)\s+(?:(?:that\s+)?(?:does|do|did|is|are)\s+|(?:facing|of|for|to|at|with)\s+)"
    rf"(?P<who>.{{1,120}}?){_FACING}"
)
_DOES = linear(r"(?i)\b(?:does|do|did)\b")
_OF_NO_KIND = linear(rf"(?i)(?:(?:{_GENERIC}|common|typical|usual|known)\b\s*){{1,4}}")
_A_BUSINESS = linear(r"(?i)(?:['’]s)?\s+(?:business(?:es)?|company|operations|stock|shares)$")
_OF_ITS_OWN = linear(r"[A-Z]\w{1,30}['’]s? [a-z]")  # "NVIDIA's product cadence" is no company
_OF_SEVERAL = linear(
    rf"(?i)^(?:what|which)\s+(?P<noun>{RISK})\s+(?:do|did)\s+(?P<who>.{{1,160}}?)\s+(?:{_FACE})(?:\s+{_ADJUNCT})?$"
)
_TOPIC: tuple[tuple[AspectType, re.Pattern[str]], ...] = (
    ("evaluation", linear(rf"(?i)^{SIDE}$")),
    ("application", linear(r"(?i)^(?:uses?|use cases|applications?)$")),
    ("definition", linear(r"(?i)^(?:definitions?|meanings?)$")),
)
_LIST = linear(
    r"(?i)^(?:(?:what\s+(?:are|is|was|were)|list|name|describe|explain|discuss|summari[sz]e|outline|give)\s+)?(?:the\s+)?(?:(?:main|key|top|major)\s+)?"
    rf"(?:{_COUNT}\s+)?(?:(?:main|key|top|major|biggest)\s+)?(?:(?:said|written)\s+about\s+)?"
    r"(?P<topics>[\w',/ -]{1,160}?)\s+(?:of|for|facing|at|in)\s+(?P<items>.{1,240}?)(?:\s+(?:combined|together|altogether|in\s+total))?$"
)
_OF_BOTH_SIDES = linear(rf"(?i)^(?:the\s+)?{SIDE}\s+and\s+{SIDE}\s+of\s")
_JOINED = linear(r"[\"”’']?,?\s+(?:and|or)\s+(?:[Tt]he\s+|[Aa]n?\s+)?(?:[a-z]{1,20}\s+)?[\"“‘']?")
_TITLE_AHEAD = linear(
    r"(?i)\b(?:film|movie|song|album|book|novel|series|show|play|game|magazine|opera|poem)\s+[\"“‘']?$"
)
_ACTED_ON = linear(r"(?i)\b(?:affect|impact|influence|hit|hurt|threaten|help|hinder)(?:s|ed)?\s+$")
_PLURAL = linear(r"(?i)\b(?:both|were|are|do|have|each|respectively)\b")
# "The Certification, Safety, and Accountability Act" is one.
_OF_AN_OFFICE = linear(r"(?:Act|Bill|Code|Law|Commission|Committee|Department|Agency|Administration|Board|Office)$")
# What a choice between two named things is decided by: the kind of fact to find for each.
_DECIDED = LanguagePattern[AnswerKind]
DECIDED_BY: tuple[LanguagePattern[AnswerKind], ...] = (
    _DECIDED("date", r"\b(?:born|died|dies?|death|released?(?!\s+(?:more|most|fewer)\b)|came\s+out|founded|established|older|younger|oldest|earlier|later|first|recent(?:ly)?|sooner|before|after|live[sd]?\s+longer)\b",
             "Who was born earlier, A or B", "Which has more members, A or B", "2wiki"),
    _DECIDED("number", r"(?<!matters\s)(?<!matter\s)\b(?:(?:more|most)(?!\s+[a-z]{1,14}(?:able|ible|ful|ive(?<!expensive)|ous|ic|ar|id|ent|ant|less|ed)\b)|fewer|larger|largest|bigger|higher|highest|taller|longer|smaller|lower|greater|population)\b(?!\s+(?:risks?|threats?|problems?|dangers?|concerns?|challenges?|worr(?:y|ies)|issues?|role|influence)\b)",
             "Which has more members, A or B", "Which is more popular, A or B", "hotpotqa"),
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
        if not facet.only_asked
    ]


def risk_subject(clause: ParsedClause) -> str:
    """Whose risks a clause asks for when it names no kind of risk and one subject; empty otherwise."""
    if worried_about := _worried_about(clause.text):
        return worried_about
    match = _PROFILE.match(clause.text)
    if match:
        who = _AHEAD_OF_NAME.sub("", match.group("who").strip())
    else:
        who = ""
    who = _A_BUSINESS.sub("", IN_A_PAPER.split(who)[0])
    who = re.sub(r"^(?:company|firm|corporation)\s+(?=[A-Z])", "", who)
    is_one = (
        len(split_items(who)) == 1
        and not _GOES_ON.match(who)
        and len(who.split()) <= 6
        and _OF_ITS_OWN.search(who) is None
    )
    return who if is_one and not (_ADJUNCT_AHEAD.match(who) or _HAS_VERB.search(who)) else ""


def _worried_about(text: str) -> str:
    """The one name of a text that tells nothing else but worry: "how risky is A", "A problems"; empty otherwise."""
    named = {name.text for name in named_things(text) if name.text.lower() not in _WORRIES}
    if len(named) != 1:
        return ""
    name = named.pop()
    beside = _SPOKEN_OF_AS_RISKS.sub("risks", text.replace(name, " ").lower())
    rest = {*re.findall(r"[a-z]+", beside)} - _SAYS_NOTHING
    return not_owning(name) if rest and rest <= _WORRIES else ""


_WORRYING = """
risk risks risky threat threats threaten threatens worry worries worried worrying concern concerns concerned concerning
danger dangers dangerous problem problems trouble troubles issue issues challenge challenges headwinds vulnerable
vulnerability vulnerabilities fear fears afraid nervous hurts harm harms wrong
"""
_ANYBODY = """
investor investors shareholder shareholders analyst analysts people anyone someone company stock shares business main
top key major biggest greatest most important might may must would give list name describe explain two three five ten
reasons reason s go lie lies
"""
WORDS_OF_WORRY = terms_of(
    f"{_WORRYING} {_ANYBODY} bear case red flags"
)  # what asks for risks of whom it names, and says no more
_SPOKEN_OF_AS_RISKS = re.compile(r"\b(?:bear case|red flags?)\b")
_WORRIES = frozenset(_WORRYING.split())
_SAYS_NOTHING = (STOP_WORDS - {"who", "when", "did", "was", "were", "had", "been", "not", "no"}) | {*_ANYBODY.split()}


def risks_of_a_thing(clause: ParsedClause, thing: str) -> list[QueryAspect]:
    """“What are the dangers of T”: what speaks against it, in the word that the question has for that."""
    said = _RISK_WORD.search(clause.text)
    aspect = typed_aspect("evaluation", thing, clause.span)
    return [cued(aspect, said[0].lower())] if said else [aspect]


_RISK_WORD = linear(rf"(?i)\b{RISK}\b")
_AHEAD_OF_NAME = linear(r"(?i)^(?:(?:facing|threatening|confronting|for|of|to)\s+)?(?:the\s+)?")
_GOES_ON = linear(r"(?:and|or)\s")  # "the risks and opportunities of A"
_ROLES = linear(
    r"(?i)(?:the\s+)?(?P<one>(?:current\s+)?(?:chief\s+(?:[a-z]{4,12}\s+)?(?:executive|officer|scientist)"
    r"|chair(?:man|woman)?|president|finance\s+chief))s"
)
# "Which risk factors were added", "which risks related to AI does A name": no subject.
_HAS_VERB = linear(rf"(?i)(?:^|\s)(?:{AUXILIARY})\s")


_ONLY_A_TIME = linear(
    rf"(?i)^(?:the\s)?(?:(?:(?:[QH][1-4]|[1-4]Q|FY)\b|(?:first|second|third|fourth)\s(?:quarter|half)\b|(?:{MONTH_NAMES})\b).{{0,30}}\d|(?:19|20)\d\d|(?:end|start|beginning)(?:\sof\s.{{2,30}})?)$"
)


def topic_list(clause: ParsedClause) -> list[QueryAspect]:
    """“T1, T2 and T3 of X, Y and Z”: one aspect per topic and thing; [] unless topics or things are several."""
    match = _LIST.match(clause.text)
    if match is None:
        return []
    topics = split_items(match.group("topics"))
    items = split_items(match.group("items"))
    if any(map(_ONLY_A_TIME.match, items)):  # "net income of A in Q3 2023 and Q2 2023"
        items = [match.group("items")]
    if len(items) == 1 and _ONLY_A_TIME.match(items[0]):
        return []
    each = things_and_topics(items, topics)
    of_sides = _OF_BOTH_SIDES.match(clause.text) and VERSUS.search(match.group("items"))
    if not of_sides and not are_names([thing for thing, _ in each]):
        each = [(match.group("items"), topic) for topic in topics]
    if len(each) < 2:
        return []
    if any(len(topic.split()) > 4 or _holds_name(topic) or _HAS_VERB.match(topic) for topic in topics):
        return []
    if each[0][0][:1].isdigit():
        return []
    return [_topic_of(clause, topic, thing) for thing, topic in each]


def both_sides(clause: ParsedClause) -> list[QueryAspect]:
    """“pros and cons of X versus Y”: each side of each thing; [] for other shapes."""
    return topic_list(clause) if _OF_BOTH_SIDES.match(clause.text) else []


def _holds_name(topic: str) -> bool:
    return any(c.isupper() for c in topic[1:]) and not topic.isupper()


def qualified_risks(clause: ParsedClause) -> list[QueryAspect]:
    """“What legal and regulatory risks does X face”: one aspect per kind of risk; per firm where several face them."""
    match = _QUALIFIED.match(clause.text)
    if match is None:
        return _risks_of_several(clause)
    done = clause.text[match.end("who") :].strip()
    between = clause.text[match.end("noun") : match.start("who")]
    if not done and _DOES.search(between):
        return []  # "which security vulnerability did A fix" asks what A did
    noun, kinds = match.group("noun").lower(), match.group("kinds")
    if _OF_NO_KIND.fullmatch(kinds):
        return []
    topics = with_head(split_items(kinds), noun)
    things = split_items(_A_BUSINESS.sub("", match.group("who")))
    firms = [thing for thing in things if not _OF_THE_FIRM.match(thing)]
    made = [about(clause, firm, topic) for firm, topic in things_and_topics(firms or things, topics)]
    of_firm = [_OF_THE_FIRM.sub("", thing) for thing in things if len(firms) == 1 and thing not in firms]
    return made + [about(clause, firms[0], topic) for topic in of_firm]


# "The legal risks of A, its dividend and its outlook": the dividend of A.
_OF_THE_FIRM = linear(r"(?i)^(?:its|their)\s+")


def _risks_of_several(clause: ParsedClause) -> list[QueryAspect]:
    """“What risks do X and Y face”: the risks of each."""
    match = _OF_SEVERAL.match(clause.text)
    return [about(clause, firm, match["noun"].lower()) for firm in _firms(match)] if match else []


def _firms(match: re.Match[str]) -> list[str]:
    """Who is asked about, where all of them are names; else none."""
    firms = split_items(match["who"])
    return firms if are_names(firms) else []


def risks_of_a_topic(clause: ParsedClause) -> list[QueryAspect]:
    """“What risks does X disclose about T”: what X says of T, and no other kind of risk."""
    match = _RISKS_ABOUT.match(IN_A_PAPER.sub("", clause.text))
    if match is None or not named_things(match.group("who")):
        return []
    who, topic = (re.sub(r"^(?:the|its|their)\s+", "", match.group(part)) for part in ("who", "topic"))
    whole = about(clause, not_owning(who), topic)
    return [replace(whole, aspect=f"{upper_first(match.group('noun'))} about {topic} of {whole.subject}")]


def changes_of_several(clause: ParsedClause) -> list[QueryAspect]:
    """“How did T change at X and Y”: the change in T of each."""
    match = _CHANGED.match(clause.text)
    if match is None:
        return []
    topic = match["topic"]
    results = []
    for firm in _firms(match):
        aspect = about(clause, not_owning(firm), topic)
        name = f"Change in {topic} of {aspect.subject}"
        results.append(replace(aspect, aspect=name, answer_kind="number"))
    return results


def _topic_of(clause: ParsedClause, topic: str, thing: str) -> QueryAspect:
    if role := _ROLES.fullmatch(topic):  # "the chief executives of A and B": who each of them is
        words = (*content(topic), *content(thing))
        aspect = QueryAspect(f"Who is the {role['one']} of {thing}", "entity", 1.0, words, clause.span, subject=thing)
        return replace(aspect, answer_kind="person")
    kind = next((kind for kind, pattern in _TOPIC if pattern.match(topic)), None)
    if kind == "evaluation":
        return cued(typed_aspect(kind, thing, clause.span), topic)
    if kind:
        return typed_aspect(kind, thing, clause.span)
    return about(clause, thing, topic)


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


_BOTH_ARE = re.compile(
    r"(?i:is|are|was|were|do|does|did|have|has)\s(?:[Tt]he\s)?(?P<a>[A-Z](?:(?!\sand\s)[^,?]){0,100})\sand\s(?:[Tt]he\s)?(?P<b>[A-Z](?:(?!\sand\s)[^,?]){0,100}?)\sboth\s"
)


def _joined_names(clause: ParsedClause) -> list[Name]:
    """The first list of names in the clause, sources and the parts of titles aside."""
    if both := _BOTH_ARE.match(clause.text):  # a title goes on to "both": "Are Frozen and Escape from the Dark both …"
        return [Name(both[side], *both.span(side)) for side in ("a", "b")]
    sources = [c.span for c in conditions(clause.text) if c.kind == "source" and c.span]
    called = named_things(clause.text)
    quoted = [(n.start, n.end) for n in called if n.kind == "quoted"]
    spans = [n for n in called if n.kind == "quoted" or not any(s <= n.start < e for s, e in quoted)]
    spans = [n for n in spans if not any(s <= n.start < e for s, e in sources)]
    for first, second in pairwise(spans):
        between = clause.text[first.end : second.start]
        if " or " in between and clause.kind not in ("choice", "yes_no"):
            continue
        is_of_another = is_nationality(second.text) and re.match(r" [a-z]", clause.text[second.end :])
        if is_of_another and clause.text[: second.start].endswith("the "):
            continue  # "Congress and the American people"
        if _JOINED.fullmatch(between) and not _TITLE_AHEAD.search(clause.text[: first.start]):
            joined = [*_before(clause, first, spans), first, second]
            is_one = _OF_AN_OFFICE.search(second.text) and clause.text[: joined[0].start].endswith(("the ", "The "))
            return [] if is_one else _of_two(joined, clause)
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
    about = [replace(fact_about(clause, name.text, rest), answer_kind=kind) for name in listed]
    if clause.kind not in _ASKED_OF_EACH:
        return about
    # "How much did A put into B, C and D?" asks how much A put into B.
    ahead, after = clause.text[: listed[0].start], _TOGETHER.sub("", clause.text[listed[-1].end :])
    ahead = _OF_SEVERAL_THINGS.sub(lambda verb: _OF_ONE[verb[0].lower()], ahead)
    kept = set(content(f"{ahead} {after}"))
    return [
        replace(
            each,
            aspect=f"{ahead}{name.text}{after}",
            keywords=tuple(word for word in each.keywords if word in kept or word in content(name.text)),
        )
        for each, name in zip(about, listed, strict=True)
    ]


_OF_ONE = {"were": "was", "are": "is", "do": "does", "have": "has"}
_OF_SEVERAL_THINGS = linear(r"(?i)\b(?:were|are|do|have)(?=\s+(?:the\s+)?$)")
_ASKED_OF_EACH = frozenset(("amount", "number", "date"))
_TOGETHER = linear(r"(?i)\s+(?:together|combined|altogether|in\s+(?:total|sum|all)|each|respectively)$")


def fact_about(clause: ParsedClause, thing: str, rest: tuple[str, ...]) -> QueryAspect:
    """What is asked of a thing, in the words of `rest`."""
    asked = " ".join(rest[:8])
    name = f"{thing}: {_as_written(asked, clause.text)}" if asked else thing
    return QueryAspect(name, "entity", 1.0, as_tuple([*content(thing), *rest]), clause.span, subject=thing)


_BETWEEN = 2  # little words that stand between two of those that are kept: "exposed to China"


def _as_written(words: str, text: str) -> str:
    """The words as they stand in `text`: with their capitals, and with the little words between two of them."""
    spans = [(match.group(), match.group().lower()) for match in re.finditer(r"[^\W_][\w’'.&-]*", text)]
    places = {word: place for place, (_, word) in enumerate(spans)}
    results: list[str] = []
    before = len(spans)
    for word in words.split():
        place = places.get(word)
        between = spans[before + 1 : place or 0]
        if len(between) <= _BETWEEN and STOP_WORDS.issuperset(little for _, little in between):
            results += [written for written, little in between if little in PREPOSITIONS]
        results.append(word if place is None else spans[place][0])
        before = len(spans) if place is None else place
    return " ".join(results)
