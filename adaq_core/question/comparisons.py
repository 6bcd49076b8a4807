"""Clauses that compare: things side by side, a topic of each of them, the same thing at two times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adaq_core.model import QueryAspect, as_tuple
from adaq_core.question.answer_kinds import LanguagePattern, begins_to_ask, kind_of_answer, linear
from adaq_core.question.aspect_patterns import (
    A_NAME,
    ARTICLE,
    RISKS,
    VERSUS,
    about,
    are_names,
    content,
    split_items,
    things_and_topics,
    typed_aspect,
    with_head,
)
from adaq_core.question.parse import ParsedClause
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import terms_of, tokens, upper_first
from adaq_core.text.values import MONTH_NAMES, MONTHS, dates

_ONLY_TIME = terms_of(f"quarter fiscal end year half {' '.join(MONTHS)}")
_EARLIER = linear(
    r"(?i)^(?:the\s|an?\s)?(?:year|quarter|month)s?\s(?:earlier|ago|before)$|^(?:last|(?:the\s)?(?:prior|previous))\s(?:year|quarter)$"
)
_OF = linear(r"(?i)\s+(?:of|for|at|facing|in|from)\s+")
_CAPITALISED = r"[A-Z0-9][\w.&’'-]{0,30}"
_SHARED_HEAD = linear(
    rf"^(?P<name>{_CAPITALISED}(?:\s{_CAPITALISED}){{0,3}})\s+(?P<topic>[a-z][\w-]{{1,30}}(?:\s[a-z][\w-]{{1,30}}){{0,3}})$"
)
_KINDS_OF_THING = linear(
    r"(?i)(?:models?|compan(?:y|ies)|firms?|languages?|frameworks?|films?|movies|countries|cities|algorithms?|protocols?|methods?|"
    r"libraries|databases?|banks|networks|architectures|systems|teams|universities)$"
)
_OWNED_LAST = linear(r"^(?P<who>.{1,80}?)['’]s?\s+(?P<topic>[a-z].{1,80})$")
_SCOPE = (
    r"(?:\s+(?:(?:in terms of|with (?:respect|regard) to|on|by|across|regarding|as to|when it comes to)\s+(?P<on>.{1,160}?)"
    r"|(?:for|in|at)\s+(?!an?\s+(?:table|matrix)\b|[a-z\d]$)(?P<scope>.{1,120}?)))?(?:,?\s+(?:in|as)\s+an?\s+(?:table|matrix))?$"
)
_HOW = r"^(?:how|in what ways?)\s+(?:do|does|did|is|are|has|have)\s+"
# "Is A growing faster than B" asks for a fact, not what A and B are.
_NO_DOING = (
    r"(?!.{1,60}?\s(?:grow|ris|fall|shrink|do|perform|sell|spend|deliver|los|earn|expand|mov|gain|hir|invest)ing\s)"
)
# "Larger than a year ago" has no other side.
_THEN = r"(?:(?:an?|one|two|three|last|the)\s(?:\w{1,12}\s)?(?:years?|quarters?|months?|weeks?)|ever|before|expected|usual|planned|in)\b"
_BETTER = r"(?:(?:any|even|much|far|really)\s+)?(?:better|worse|faster|slower|cheaper|safer|larger|bigger|smaller|older|younger|stronger|(?:more|less) (?!than\b)\w{1,20})"
Comparison = LanguagePattern[str]
COMPARISONS: tuple[Comparison, ...] = (
    Comparison("order", rf"^(?:compare and contrast|compare|contrast)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "Compare BM25, dense retrieval and ColBERT", "How does BM25 compare", "aspect-coverage"),
    Comparison("between", rf"^(?:what|how|explain|describe|list|is|are|tell).{{0,40}}?\b(?:differences?|distinctions?|similarities|comparison|contrast)\s+between\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "What is the difference between Self-RAG and CRAG", "What is between Self-RAG and CRAG", "aspect-coverage"),
    Comparison("different", rf"^what(?:['’]s|\s+is)\s+different\s+(?:about|in|with|between)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "What's different about whistleblowing at Corvane and Merrow", "What is a different plan", "analysts' forms"),
    Comparison("and what", r"^(?P<items>[^,:;?]{1,80}?\s(?:and|or|vs\.?|versus)\s[^,:;?]{1,80}?)\s*[,:]\s+(?:what|where)(?:['’]s|\s+is|\s+are|\s+lies)\s+the\s+(?:main\s+|key\s+)?(?:differences?|distinction)$",
               "SimHash or MinHash, what's the difference", "SimHash or MinHash, what's the cost", "analysts' forms"),
    Comparison("noun", rf"^(?:the\s+)?(?:key\s+|main\s+)?(?:differences?|comparison|similarities)\s+(?:between|of)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "Differences between Self-RAG and CRAG", "Different kinds of RAG", "subqueries"),
    Comparison("differ", rf"{_HOW}(?P<left>.{{1,160}}?)\s+(?:differ(?:ent)?|diverge|distinguished|similar)\s+(?:from|to|than)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "How does Self-RAG differ from CRAG", "How does Self-RAG defer work", "subqueries"),
    Comparison("to", rf"{_HOW}(?P<left>.{{1,160}}?)\s+compare[ds]?\s+(?:to|with|against)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "How does BM25 compare to dense retrieval", "How does BM25 work", "general"),
    Comparison("in common", rf"^what\s+(?:do|does|did|have|has)\s+(?P<items>.{{1,200}}?)\s+(?:(?:have|got)\s+)?in\s+common{_SCOPE}",
               "What do Self-RAG and CRAG have in common", "What is common to Self-RAG", "memo writers"),
    Comparison("in common with", rf"^what\s+(?:do|does|did|has|have)\s+(?P<left>.{{1,160}}?)\s+(?:(?:have|got)\s+)?in\s+common\s+with\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "What does BM25 have in common with TF-IDF", "What does BM25 have in common", "memo writers"),
    Comparison("shared", r"^(?:which|what)\s+(?P<topic>(?:[a-z-]{2,20}\s){0,2}[a-z-]{2,20}s)\s+(?:do|does|did)\s+(?P<items>[^?]{1,160}?)\s+(?:share|have\s+in\s+common|both\s+(?:have|face|use|offer|support))$",
               "Which risks do Apple and Microsoft share", "What share do Apple and Microsoft have", "memo writers"),
    Comparison("each other", rf"{_HOW}(?P<items>.{{1,200}}?)\s+(?:differ(?:ent)?|compare|alike|similar)(?:\s+with each other)?{_SCOPE}",
               "How do Self-RAG and CRAG differ", "How do Self-RAG and CRAG work", "subqueries"),
    Comparison("more", r"^(?:is|are|was|were)\s+(?P<left>.{1,80}?)\s+(?P<more>(?:more|less)\s+\w{1,20}(?:\s+(?:to|on|by|in|at)\s+.{1,80}?)?)\s+than\s+(?P<right>.{1,80}?)\s+(?:is|are|was|were)\s+(?P<other>.{1,80})$",
               "Is Pfizer more exposed to patent cliffs than JPMorgan Chase is to interest rates", "Is Pfizer more than a name", "issue 9"),
    Comparison("more of both", r"^(?:is|are|was|were)\s+(?P<left>.{1,80}?)\s+(?P<more>(?:more|less)\s+\w{1,20}\s+(?:to|on|by|in|at)\s+.{1,80}?)\s+than\s+(?P<right>.{1,80}?)(?:\s+(?:is|are|was|were))?$",
               "Is Boeing more sensitive to interest rates than Airbus is", "Is Self-RAG more accurate than CRAG", "issue 9"),
    Comparison("or", r"^(?:is|are|was|were)\s+(?P<left>.{1,80}?)\s+(?P<more>(?:more|less)\s+\w{1,20}\s+(?:to|on|by|at|from))\s+(?P<one>.{1,80}?)\s+or\s+(?:(?:to|on|by|at|from)\s+)?(?P<other>.{1,80})$",
               "Is Microsoft more exposed to corporate budgets or to households", "Is Microsoft more or less a bank", "exam-free"),
    Comparison("better", rf"^(?:is|are|should\s+(?:i|we|one)\s+(?:use|choose|pick))\s+{_NO_DOING}(?P<left>.{{1,120}}?)\s+{_BETTER}(?:\s+than)?\s+(?!to\s|(?:than\s+)?{_THEN})(?P<right>.{{1,120}}?){_SCOPE}",
               "Is Self-RAG better than CRAG", "Is it better to have a partner", "general"),
    Comparison("or better", rf"^(?:is|are)\s+(?P<left>.{{1,120}}?)\s+or\s+(?P<right>.{{1,120}}?)\s+{_BETTER}{_SCOPE}",
               "Is BM25 or dense retrieval better", "Is BM25 or dense retrieval known", "general"),
    Comparison("choose", rf"^should\s+(?:i|we|one)\s+(?:use|choose|pick)\s+(?P<left>.{{1,120}}?)\s+or\s+(?P<right>.{{1,120}}?){_SCOPE}",
               "Should I use BM25 or dense retrieval for code", "Should I use BM25", "general"),
    Comparison("instead", rf"^(?:when|why)\s+(?:should|would|do)\s+(?:i|we|you|one|people)\s+(?:use|choose|pick|prefer)\s+(?P<left>.{{1,120}}?)\s+(?:instead\s+of|rather\s+than|over)\s+(?P<right>.{{1,120}}?){_SCOPE}",
               "When should I use BM25 instead of dense retrieval", "When should I use BM25 for code", "the sample corpus"),
    Comparison("which", rf"^(?:which|what)(?:\s+\w{{1,30}}){{0,3}}\s+is\s+(?:better|worse|faster|cheaper|safer)(?:\s+for\s+(?P<whom>[^,:]{{1,80}}))?[\s,:]+(?P<items>.{{1,200}}?){_SCOPE}",
               "Which is better, BM25 or ColBERT", "Which is BM25", "general"),
    Comparison("compared", rf"^(?:what\s+(?:is|was|are|were)\s+)?(?P<left>(?!(?:what|which|who|how|why|when|where|did|does|do|is|are|was|were|has|have)\b).{{1,160}}?)\s+(?:as\s+)?(?:compared|as opposed)\s+(?:to|with)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "Self-RAG compared with CRAG", "Did sales increase in 2023 compared to 2022", "subqueries"),
    Comparison("versus", rf"^(?:explain\s+|describe\s+)?(?P<items>\S.{{0,120}}?\s+(?:vs\.?|versus)\s+.{{1,120}}?){_SCOPE}",
               "self-attention vs multi-head attention", "self-attention and versatility", "aspect-coverage"),
)  # fmt: skip
_GROUP = linear(r"(?i)^(?:the\s+)?(?P<what>(?:[\w-]{1,30}\s+){1,4}?[\w-]{1,30}s)$")
# "The two mac and cheese recipes" are several of one kind, and its "and" stands in their name.
_SEVERAL_OF_A_KIND = linear(
    r"^(?:the\s+)?(?:two|three|four|five|different|various)\s+(?P<what>[a-z -]{2,40}\sand\s[a-z -]{2,40}s)$"
)
_KIND_AHEAD = linear(r"^(?:the\s+)?(?:two|three|four|five)\s+[a-z-]{3,20}s\s+(?=[A-Z])")  # "the two firms A and B"
_LONGEST_NAME_OF_A_THING = 5  # words


def comparison(clause: ParsedClause) -> list[QueryAspect]:
    """Definitions of (or a shared topic for) the things compared, and the comparison itself; [] for other shapes."""
    if asked := _asked_of_both(clause.text) or _asked_how(clause.text) or _asked_versus(clause.text):
        return _of_both(clause, *asked)
    if ways := _of_two_ways(clause.text):
        return _comparison_aspects(clause, ways, topic="", scope="")
    for row in COMPARISONS:
        match = row.regex.match(clause.text)
        if match is None:
            continue
        groups = _sides(row.kind, clause.text, match.groupdict())
        if groups is None:
            return []
        if groups.get("more"):
            return _more_than(clause, groups)
        joined = groups.get("items") or ""
        if crossed := _of_one_kind(clause, row.kind, joined) or _crossed(clause, joined):
            return crossed
        topic, items = _compared(groups)
        scope = groups.get("scope") or groups.get("whom") or ""
        if row.kind in _HOW_THEY_DIFFER and _is_list_of_topics(scope):
            groups, scope = {**groups, "on": _THEIR.sub("", scope)}, ""
        named = split_items(groups.get("on") or scope)
        if are_names(named) and not are_names(items):
            topic, items, scope = " and ".join(items), named, ""
        elif len(items) >= 2 and groups.get("on") and not topic and not _is_called(groups["on"] or ""):
            topics = _ON_AGAIN.sub(r"\1", groups["on"] or "")
            return _each_of_each(clause, items, ARTICLE.sub("", topics))
        if len(items) >= 2:
            return _comparison_aspects(clause, items, topic=topic, scope=scope)
        if row.kind == "order" and len(items) == 1 and len(named) > 1 and groups.get("on"):
            return [about(clause, items[0], topic) for topic in named]
        if row.kind == "order" and len(items) == 1 and (group := _GROUP.match(items[0])):
            return _kinds_compared(clause, group.group("what"))
    asked = _asked_of_another(clause.text)
    return _of_both(clause, *asked) if asked else []


def _sides(kind: str, text: str, groups: dict[str, str | None]) -> dict[str, str | None] | None:
    """What is compared, by group, two times of "versus" on a side each; None for a change from one time to another."""
    if kind == "compared" and _WHY_CHANGED.search(text) and _over_time(groups["left"] or "", groups["right"] or ""):
        return None  # "reasons for the decreased sales in 2015 compared to 2014"
    if kind == "versus" and (sides := _of_two_times(text)):
        if begins_to_ask(sides[0]) or _EARLIER.match(sides[1]):
            return None  # "how far did it rise in Q3 2023 versus Q3 2022" asks of one time
        return {"left": sides[0], "right": sides[1]}
    return groups


def _is_called(text: str) -> bool:
    """Whether what things are compared "on" is a name, and no topic: "differ from my score on Credit Karma"."""
    return _is_name(text) and not text.isupper()


def _of_one_kind(clause: ParsedClause, kind: str, joined: str) -> list[QueryAspect]:
    """“the two mac and cheese recipes”: which they are, and how they differ; [] for anything else."""
    group = _SEVERAL_OF_A_KIND.match(joined) if kind in _OF_A_GROUP else None
    return _kinds_compared(clause, group["what"]) if group else []


_TWO_WAYS = linear(
    r"(?i)^(?P<asks>.{4,160}?)\s(?P<one>(?P<how>by|with|without|on|via|through|for|in|at)\s[^\s,].{0,60}?)\s(?:vs\.?|versus)\s(?P<other>(?P=how)\s.{2,60})$"
)


def _of_two_ways(text: str) -> list[str]:
    """“How long does it take by train versus by bus”: the same by each; empty for another text."""
    match = _TWO_WAYS.match(text)
    return [f"{match['asks']} {match[way]}" for way in ("one", "other")] if match else []


def _of_two_times(text: str) -> tuple[str, str] | None:
    """What stands before and behind "versus" where what is behind is a time: "sales in May 2022 vs May 2023"."""
    left, _, right = VERSUS.sub("\n", text, count=1).partition("\n")
    right = right.strip()
    other = set(tokens(right)) - {term for date in dates(right) for term in tokens(right[slice(*date.span)])}
    is_time = bool(dates(right)) and other <= _ONLY_TIME
    return (left, right) if is_time or _EARLIER.match(right) else None


_WHY_CHANGED = re.compile(r"(?i)\b(?:reasons?|causes?|drivers?|factors?|why|drove|driven)\b")
_ON_AGAIN = re.compile(r"((?:^|,|\band) ?)(?:on|by|in) (?=\w)")  # "on AI spending, on sales and on margins"
# "How do A and B compare in cash, debt and buybacks": what stands behind "in" is compared, where it is several things.
_OF_A_GROUP = frozenset(("order", "between", "noun", "each other"))
_HOW_THEY_DIFFER = frozenset(("differ", "to", "each other"))
_THEIR = re.compile(r"\b(?:their|its) |(?<=and )in (?:their |its )?")


def _is_list_of_topics(scope: str) -> bool:
    return len(split_items(scope)) > 1 and scope == scope.lower() and re.search(r"\d", scope) is None


_SOMEBODY = rf"(?:{A_NAME}|(?:the|her|his|its|their) [a-z]{{2,20}})"
_HOW_BOTH = re.compile(
    rf"[Cc]ompare (?P<how>(?:how|what|when|where|why)(?: (?:long|much|many|often|far|well|[a-z]{{2,20}}ly))?) "
    rf"(?P<named>{_SOMEBODY}(?:, {_SOMEBODY}){{0,6}},? and {_SOMEBODY}) (?P<does>[a-z].{{2,200}})$"
)
_AS_OTHER = re.compile(
    rf"^(?P<asked>.{{8,200}}?),? (?:(?:as )?compared (?:to|with)|vs\.?|versus) (?P<right>{A_NAME}|the [a-z][\w-]{{0,20}}(?: [\w-]{{2,20}}){{1,2}})$"
)
# "How fast is A compared with B and C": a thing is a name, or written small as programs are ("charset-normalizer").
_HOW_IS = re.compile(
    r"(?P<how>[Hh]ow [a-z]{3,16} (?:is|are|was|were)) (?P<left>[\w.+-]{2,40}(?: [\w.+-]{2,20}){0,2})"
    r" (?:as )?compared (?:to|with) (?P<right>.{2,120})$"
)
_NAME_INSIDE = re.compile(rf"(?<=[a-z] ){A_NAME}")
Asked = tuple[tuple[str, str], ...]


def _asked_of_both(text: str) -> Asked | None:
    """“Compare how long A, B and C keep records”: (name, what is asked of it) of each."""
    match = _HOW_BOTH.match(text)
    if match is None:
        return None
    named = re.split(r",? and |, ", match["named"])
    return tuple((name, f"{match['how']} {name} {match['does']}") for name in named)


def _asked_how(text: str) -> Asked | None:
    """“How fast is A compared with B and C”: how fast each of them is."""
    match = _HOW_IS.match(text)
    if match is None:
        return None
    items = [match["left"], *split_items(match["right"])]
    is_program = re.search(r"\w[-_.\d]\w", match["left"]) is not None and " " not in "".join(items)
    if not (are_names(items) or is_program):
        return None
    return tuple((item, f"{match['how']} {item}") for item in items)


def _asked_of_another(text: str) -> Asked | None:
    """“How quickly is a claim paid at A compared with B”: the same, where no other pattern of comparison fits."""
    match = _AS_OTHER.match(text)
    if match is None:
        return None
    asked, right = match["asked"], match["right"]
    if right.islower():
        right = right.removeprefix("the ")
        last = _like(asked, right)
    else:
        last = next(reversed([*_NAME_INSIDE.finditer(asked)]), None)
    if last is None:
        return None
    return (last.group(), asked), (right, f"{asked[: last.start()]}{right}{asked[last.end() :]}")


_FEWEST_ASKING = 3  # words: "What is A vs B" asks what each is


def _asked_versus(text: str) -> Asked | None:
    """“How long are records kept at A vs B”: the same of both."""
    asked = _asked_of_another(text) if VERSUS.search(text) and begins_to_ask(text) else None
    if asked is None or asked[1][0] in MONTHS:
        return None
    name, whole = asked[0]
    return asked if len(whole.partition(name)[0].split()) >= _FEWEST_ASKING else None


def _of_both(clause: ParsedClause, *asked_of: tuple[str, str]) -> list[QueryAspect]:
    each = [
        QueryAspect(upper_first(asked), "entity", 1.0, content(asked), clause.span, subject=ARTICLE.sub("", name))
        for name, asked in asked_of
    ]
    keywords = as_tuple(word for aspect in each for word in aspect.keywords)
    *others, last = [aspect.subject for aspect in each]
    return [*each, _between(clause, f"{', '.join(others)} and {last}", keywords)]


def _between(clause: ParsedClause, joined: str, keywords: tuple[str, ...]) -> QueryAspect:
    """The comparison of what is `joined`."""
    return QueryAspect(f"Comparison between {joined}", "comparison", 1.0, keywords, clause.span, subject=joined)


def _crossed(clause: ParsedClause, joined: str) -> list[QueryAspect]:
    """“the T1, T2 and T3 of X and Y”: each topic of each thing, and the comparison; [] unless both are several."""
    for topic, things in _divided(joined):
        topics = split_items(topic)
        if len(topics) > 1 and are_names(things) and not any(each[:1].isupper() for each in topics):
            return _each_of_each(clause, things, ARTICLE.sub("", topic))
    return []


def _divided(joined: str) -> Iterator[tuple[str, list[str]]]:
    """What may be a topic, and the things behind it: of "the number of gates of X and Y" first the number of gates."""
    for joint in [] if VERSUS.search(joined) else [*_OF.finditer(joined)][::-1]:
        yield joined[: joint.start()], split_items(joined[joint.end() :])


def _each_of_each(clause: ParsedClause, things: list[str], joined: str) -> list[QueryAspect]:
    """Each of the `joined` topics of each thing, and the comparison."""
    *before, last = split_items(joined)
    head = last.split()[-1]
    has_head = bool(before) and RISKS.fullmatch(head) is not None and last != head
    topics = with_head([*before, last[: -len(head)].strip()], head) if has_head else [*before, last]
    each = [about(clause, thing, topic) for thing in things for topic in topics]
    *_, whole = _comparison_aspects(clause, things, topic=joined, scope="")
    return [*each, whole]


def _more_than(clause: ParsedClause, groups: dict[str, str | None]) -> list[QueryAspect]:
    """“Is X more A to B than Y is to C”: X with A to B, Y with A to C, and the two of them."""
    left = ARTICLE.sub("", groups["left"] or "")
    right = ARTICLE.sub("", groups.get("right") or left)
    measure = re.sub(r"^(?:more|less)\s+", "", groups["more"] or "")
    if one := groups.get("one"):  # "Is X more exposed to A or to B": the same thing twice
        measure, other = f"{measure} {one}", f"{measure} {groups['other']}"
    elif last := groups.get("other"):
        other = f"{measure.split()[0]} {last}"
    else:
        other = measure
    each = [_measured(clause, left, measure), _measured(clause, right, other)]
    both = as_tuple([*content(left), *content(right), *content(measure), *content(other)])
    joined = f"{left} and {right}" if right != left else f"{left}: {measure} and {other}"
    return [*each, _between(clause, joined, both)]


def _measured(clause: ParsedClause, thing: str, measure: str) -> QueryAspect:
    keywords = as_tuple([*content(thing), *content(measure)])
    return QueryAspect(f"{thing}: {measure}", "entity", 1.0, keywords, clause.span, subject=thing)


def _kinds_compared(clause: ParsedClause, what: str) -> list[QueryAspect]:
    """“Compare attention mechanisms”: which there are, and how they differ."""
    kinds = QueryAspect(f"Kinds of {what}", "definition", 1.0, content(what), clause.span, subject=what)
    return [replace(kinds, answer_kind="list"), _between(clause, what, content(what))]


def _compared(groups: dict[str, str | None]) -> tuple[str, list[str]]:
    joined = _KIND_AHEAD.sub("", groups.get("items") or "")
    if shared := groups.get("topic"):
        return shared, split_items(joined)
    if joined:
        joined = _BESIDE.sub(
            lambda beside: beside[0] if beside["to"] and _TWO.search(joined, 0, beside.start()) else " and ", joined
        )
        return _topic_shared(joined) or _head_shared(split_items(joined))
    left = groups.get("left") or ""
    right = groups.get("right") or ""
    beside = _over_time(left, right) or _possessed(left, right) or _in_place(left, right)
    sides = [*_items_of_side(left), *_items_of_side(right)]
    return beside or ("", _versions(sides) or sides)


# "Compare A to B", but "Compare A's and B's exposure to China" has its two sides.
_BESIDE = re.compile(r"(?<!\s)\s+(?:with|(?P<to>to)|against)\s+")
_TWO = re.compile(r"\s(?:and|or|vs\.?|versus)\s")


def _topic_shared(joined: str) -> tuple[str, list[str]] | None:
    """“the T of X and Y”: one topic, several things."""
    for topic, items in _divided(joined):
        if len(items) > 1 and len(split_items(topic)) == 1:
            return ARTICLE.sub("", topic), items
    return None


def _items_of_side(side: str) -> list[str]:
    """The things on one side of a comparison; "its marketing and advertising expenses" is one."""
    if re.search(r"\b(?:its|their|the|his|her)\b|['’]s?\s", side, re.IGNORECASE):
        return [ARTICLE.sub("", side)]
    return split_items(side)


_ORDINAL = r"(?:first|second|third|fourth|fifth|last|previous|next|latter|former|old|new)"
_ANY_ORDINAL = linear(rf"(?i)\b{_ORDINAL}\b(?=\s\w)")
_LONE_ORDINAL = linear(rf"(?i)^{_ORDINAL}(?:\s+ones?)?$")
_INSIDE = linear(r"(?i)\s(?:of|in|at|for|on|from|by|with|during)\s")


def _like(text: str, other: str) -> re.Match[str] | None:
    """The phrase of a text with the last word of `other`, and no more words before it."""
    *before, head = other.split()
    modifiers = rf"(?:(?!(?:the|an?)\b)[\w.-]{{1,30}}\s){{1,{len(before) + 1}}}"
    return re.search(rf"(?:(?<=\s)|^){modifiers}{re.escape(head)}\b", text, re.IGNORECASE)


def _in_place(left: str, right: str) -> tuple[str, list[str]] | None:
    """“effects seen in the A strain” and “the B strain”: the same of the other, which takes the place of its like.

    None where the left says no more than the right does.
    """
    one, other = ARTICLE.sub("", left), ARTICLE.sub("", right)
    same = "" if _INSIDE.search(other) else _with_other(one, other)
    return ("", [one, ARTICLE.sub("", same)]) if same else None


_OF_ITSELF = linear(r"(?i)^(?:its|their|his|her)\s")
_A_TIME = linear(r"(?i)\b(?:quarter|year|period|month|week|half|season)s?$")
_OWNER_AHEAD = linear(r"^[^,'’]{1,60}(?=['’]s\s)")


def _with_other(text: str, other: str) -> str:
    """The text with `other` for its like; empty where there is none.

    That is an ordinal, the phrase with the same last word, or what stands behind the first preposition.
    """
    if not other or _OF_ITSELF.match(other):
        return ""
    if _LONE_ORDINAL.match(other):  # "the second course" and "the first"
        return _ANY_ORDINAL.sub(other.split()[0], text, count=1)
    like = _like(text, other)
    if like and like.group() != text:
        return f"{text[: like.start()]}{other}{text[like.end() :]}"
    joints = [*_INSIDE.finditer(text)]
    if _A_TIME.search(other):  # "… in the latest quarter" and "past quarters"
        return f"{text[: joints[-1].end()]}{other}" if joints else ""
    if owner := _OWNER_AHEAD.match(text):  # "dense retrieval's handling of rare terms" and "BM25"
        return f"{other}{text[owner.end() :]}" if other[0].isupper() else ""
    is_long = len(text.split()) >= _LONGEST_NAME_OF_A_THING
    if joints and (is_long or (joints[0][0] == " in " and other.islower())):
        return f"{text[: joints[0].end()]}{other}"
    return ""


_FIRST_MONTH = linear(rf"(?i)\b(?:{MONTH_NAMES})(?:\s*[-–]\s*|\s+(?:to|through|until)\s+)$")


def _whole_time(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a date with the month in front of it: "January to March 2023"."""
    ahead = _FIRST_MONTH.search(text[:start])
    return (ahead.start() if ahead else start), end


def _over_time(left: str, right: str) -> tuple[str, list[str]] | None:
    """“Boeing's tax rate in FY2022” and “FY2021” ask for the rate in each of the two years."""
    before, after = dates(left), dates(right)
    if len(before) != 1 or len(after) != 1:
        return None
    start, end = _whole_time(left, *before[0].span)
    begin, stop = _whole_time(right, *after[0].span)
    if set(tokens(right[:begin] + right[stop:])) - _ONLY_TIME:
        return None
    other = right[begin:stop]
    return "", [ARTICLE.sub("", left), ARTICLE.sub("", f"{left[:start]}{other}{left[end:]}")]


def _head_shared(items: list[str]) -> tuple[str, list[str]]:
    """“Microsoft's and Amazon's growth”, "Apple, Microsoft antitrust": the topic that only the last one says."""
    if len(items) < 2:
        return "", items
    if versions := _versions(items):
        return "", versions
    owned = _OWNED_LAST.match(items[-1])
    before = list(map(not_owning, items[:-1]))
    if owned and all(_is_name(item) for item in before):
        return owned.group("topic"), [*before, owned.group("who")]
    head = _SHARED_HEAD.match(items[-1])
    if head and not _KINDS_OF_THING.search(head.group("topic")) and all(_is_name(item) for item in items[:-1]):
        return head.group("topic"), [*items[:-1], head.group("name")]
    kind, _, thing = items[-1].partition(" ")
    if thing and " " not in thing and all(map(_ADJECTIVE.fullmatch, (*items[:-1], kind))):
        return "", [*(f"{item} {thing}" for item in items[:-1]), items[-1]]
    return "", items


# "Advisor v3 and v4" are two versions of it, "iPhone 14 vs 15" two of them; a year is none.
_ONLY_NUMBER = linear(r"(?i)^v?(?!(?:19|20)\d\d$)\d[\w.]{0,12}$")
_NUMBERED = linear(r"(?i)^(?P<of>[A-Za-z].{0,60}?)\s+v?(?!(?:19|20)\d\d$)\d[\w.]{0,12}$")


def _versions(items: Sequence[str]) -> list[str]:
    """Each of several versions with what the first says they are of; empty for other things."""
    first = _NUMBERED.match(items[0]) if items else None
    if first is None or not all(map(_ONLY_NUMBER.match, items[1:])):
        return []
    return [items[0], *(f"{first['of']} {item}" for item in items[1:])]


# "Dense and sparse retrieval" are two kinds of retrieval, "precision and average recall" are not of recall.
_ADJECTIVE = linear(
    r"paid|[a-z-]{2,20}(?:ive|al|ic|ed|ous|ble|ary|ful|less)|dense|sparse|hard|soft|static|local|online|offline|single|open"
    r"|closed|short|long|high|low|old|new|early|late|large|small|public|private|inner|outer|direct|indirect|remote|main"
    r"|simple|complex|full|empty|major|minor|senior|junior|upper|lower|hot|cold|wet|dry|thick|thin|light|dark|strong|weak"
    r"|white|black|red|green|brown|free|male|female"
)


def _is_name(item: str) -> bool:
    return all(word[:1].isupper() or word[:1].isdigit() for word in item.split())


def _possessed(left: str, right: str) -> tuple[str, list[str]] | None:
    """“Apple's supply chain”, "NVIDIA's" or "that of NVIDIA" → the topic and the two owners."""
    owner = re.match(r"^(?:the\s+)?(?P<who>.{1,100}?)['’]s?\s+(?P<topic>.{1,120})$", left)
    if owner is None:
        owner = re.match(r"^(?:the\s+)?(?P<topic>.{1,100}?)\s+(?:of|at|for)\s+(?P<who>.{1,120})$", left)
    if owner is None:
        return None
    topic = owner.group("topic")
    other = re.sub(r"^(?:that|those)\s+of\s+|['’]s?$|['’]s?\s+.{0,160}$", "", right).strip()
    other = re.sub(rf"^(?:the\s+)?{re.escape(topic)}\s+(?:of|at|for)\s+", "", other)
    if not re.match(r"^[A-Z0-9]", ARTICLE.sub("", other)):
        return None
    # "The equipment on which A relies for driving compared with that of B" is not of driving.
    if not re.search(r"[A-Z0-9]", owner.group("who")):
        return None
    return topic, [ARTICLE.sub("", owner.group("who")), ARTICLE.sub("", other)]


_POINTING = frozenset(("this", "that", "these", "those", "it", "they", "them"))


def _comparison_aspects(clause: ParsedClause, items: Sequence[str], *, topic: str, scope: str) -> list[QueryAspect]:
    if topic:
        each = [about(clause, item, own) for item, own in things_and_topics(items, [topic])]
    else:
        each = [_compared_thing(clause, item) for item in items if item.lower() not in _POINTING]
    joined = " and ".join([", ".join(items[:-1]), items[-1]])
    of_topic = [word for word in content(topic) if not RISKS.fullmatch(word)] or content(topic)
    words = [word for text in items for word in content(text)]
    keywords = as_tuple([*words, *of_topic, *content(scope)])
    whole = _between(clause, f"{topic} of {joined}" if topic else joined, keywords)
    if scope:
        whole = replace(whole, aspect=f"Comparison for {scope}")
    return [*each, whole]


def _compared_thing(clause: ParsedClause, item: str) -> QueryAspect:
    """What a thing is; of a phrase that is more than a name of one, what is said of it."""
    is_long = len(item.split()) > _LONGEST_NAME_OF_A_THING or bool(dates(item))
    is_phrase = is_long or re.search(r"['’]s?\s|\b(?:of|from|in|its|their)\b", item)
    if not is_phrase and kind_of_answer(f"what was the {item}") != "amount":  # "iPhone revenue" is no term
        return typed_aspect("definition", item, clause.span)
    return QueryAspect(upper_first(item), "entity", 1.0, content(item), clause.span)
