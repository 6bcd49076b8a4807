"""The shapes of a clause that name its aspects: comparisons, definitions, processes, causes, evaluations, uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adaq_core.loop.clauses import Clause
from adaq_core.model import AspectType, QueryAspect, as_tuple
from adaq_core.text.tokens import STOP_WORDS, words

_SEPARATOR = re.compile(r"\s*,\s*(?:and\s+|or\s+|&\s+)?|\s+(?:and|or|&|vs\.?|versus)\s+", re.IGNORECASE)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|both|either)\s+", re.IGNORECASE)
_OF_ITEMS = re.compile(r"^(?P<topic>.+?)\s+(?:of|for|at|facing|in|from)\s+(?P<items>.+)$", re.IGNORECASE)


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


_SCOPE = (
    r"(?:\s+(?:(?:in terms of|with (?:respect|regard) to|on|regarding|as to|when it comes to)\s+(?P<on>.+)"
    r"|(?:for|in|at)\s+(?P<scope>.+)))?$"
)
_HOW = r"^(?:how|in what ways?)\s+(?:do|does|did|is|are)\s+"
_BETTER = r"(?:better|worse|faster|slower|cheaper|safer|more \w+|less \w+)"
_COMPARE = (
    _pattern(
        r"^(?:compare|contrast|compare and contrast)\s+",
        r"(?P<items>.+?(?:\s+(?:and|with|to|vs\.?|versus|against|,|or)\s+.+?)+)",
        _SCOPE,
    ),
    _pattern(
        r"^(?:what|how|explain|describe|list|is|are|tell).{0,40}?",
        r"\b(?:differences?|distinctions?|similarities|comparison|contrast)\s+between\s+(?P<items>.+?)",
        _SCOPE,
    ),
    _pattern(
        r"^(?:the\s+)?(?:key\s+|main\s+)?(?:differences?|comparison|similarities)\s+(?:between|of)\s+(?P<items>.+?)",
        _SCOPE,
    ),
    _pattern(
        _HOW, r"(?P<left>.+?)\s+(?:differ(?:ent)?|diverge|distinguished)\s+(?:from|to|than)\s+(?P<right>.+?)", _SCOPE
    ),
    _pattern(_HOW, r"(?P<items>.+?)\s+(?:differ|compare)(?:\s+with each other)?", _SCOPE),
    _pattern(_HOW, r"(?P<left>.+?)\s+compare\s+(?:to|with|against)\s+(?P<right>.+?)", _SCOPE),
    _pattern(
        r"^(?:is|are|should\s+(?:i|we|one)\s+(?:use|choose|pick))\s+(?P<left>.+?)\s+",
        _BETTER,
        r"(?:\s+than)?\s+(?P<right>.+?)",
        _SCOPE,
    ),
    _pattern(r"^(?:is|are)\s+(?P<left>.+?)\s+or\s+(?P<right>.+?)\s+", _BETTER, _SCOPE),
    _pattern(r"^should\s+(?:i|we|one)\s+(?:use|choose|pick)\s+(?P<left>.+?)\s+or\s+(?P<right>.+?)", _SCOPE),
    _pattern(
        r"^(?:which|what)(?:\s+\w+){0,3}\s+is\s+(?:better|worse|faster|cheaper|safer)[\s,:]+(?P<items>.+?)", _SCOPE
    ),
    _pattern(r"^(?P<left>.+?)\s+(?:compared|as opposed)\s+(?:to|with)\s+(?P<right>.+?)", _SCOPE),
    _pattern(r"^(?:explain\s+|describe\s+)?(?P<items>\S.*?\s+(?:vs\.?|versus)\s+.+?)", _SCOPE),
)
_ASKED = (
    r"^(?:what\s+(?:are|is|was|were)\s+|list\s+|name\s+|discuss\s+|describe\s+|explain\s+)?(?:the\s+|some\s+|its\s+)?"
)
SIDE = (
    r"(?:advantages?|disadvantages?|pros|cons|benefits?|drawbacks?|strengths?|weaknesses|limitations?|trade-?offs?|"
    r"downsides?|merits)"
)
_SIDES = rf"(?P<cue>{SIDE}(?:(?:\s*,\s*|\s+and\s+|\s+or\s+|/)(?:the\s+)?{SIDE})*)"
_WORKS = (
    r"(?:works?|functions?|operates?|happen|proceed|learns?|(?:is\s+|are\s+)?"
    r"(?:trained|built|made|computed|calculated|implemented))"
)
_TYPED: tuple[tuple[AspectType, re.Pattern[str]], ...] = (
    (
        "application",
        _pattern(_ASKED, r"(?:\w+\s+){0,2}(?:uses?|use cases|applications?|examples?)\s+(?:of|for)\s+(?P<x>.+)$"),
    ),
    (
        "application",
        _pattern(
            r"^(?:what|where|how)\s+(?:is|are|was|were|can)\s+(?P<x>.+?)\s+(?:be\s+)?",
            r"(?:used(?:\s+(?:for|in))?|applied(?:\s+(?:to|in))?)(?:\s+(?:in|for|by)\s+.+)?$",
        ),
    ),
    ("evaluation", _pattern(_ASKED, r"(?:\w+\s+){0,2}?", _SIDES, r"\s+(?:of|for|in|to|with)\s+(?P<x>.+)$")),
    ("evaluation", _pattern(r"^(?:what\s+(?:are|is)\s+)(?:the\s+)?(?P<x>.+?)['’]s?\s+(?:\w+\s+)?", _SIDES, "$")),
    (
        "evaluation",
        _pattern(
            r"^how\s+(?:good|well|effective|reliable|accurate|safe|useful|efficient)\s+(?:is|are|do|does)\s+",
            r"(?P<x>.+?)(?:\s+work|\s+perform)?$",
        ),
    ),
    (
        "causal",
        _pattern(r"^why\s+(?:is|are|was|were|do|does|did|has|have|had|should|would|can|could|might|may)\s+(?P<x>.+)$"),
    ),
    (
        "causal",
        _pattern(
            _ASKED,
            r"(?:\w+\s+)?(?:causes?|reasons?|effects?|impacts?|consequences?|importance|influence)\s+",
            r"(?:of|for|behind|on)\s+(?P<x>.+)$",
        ),
    ),
    (
        "causal",
        _pattern(r"^(?:what|which)\s+(?:\w+\s+)?(?:causes?|caused|leads? to|led to|drives?|drove)\s+(?P<x>.+)$"),
    ),
    (
        "causal",
        _pattern(
            r"^how\s+(?:do|does|did|will|could|can|might|would)\s+",
            r"(?P<x>.+?\s+(?:affects?|influences?|impacts?|hurts?|helps?|threatens?)\s+.+)$",
        ),
    ),
    (
        "process",
        _pattern(
            r"^(?:explain\s+|describe\s+)?how\s+(?:do|does|did|can|is|are|was|were|to)\s+(?P<x>.+?)",
            rf"(?:\s+{_WORKS})?$",
        ),
    ),
    ("process", _pattern(rf"^(?:explain\s+|describe\s+)how\s+(?P<x>.+?)\s+{_WORKS}$")),
    (
        "process",
        _pattern(
            _ASKED,
            r"(?:steps?|process|mechanism|(?:inner\s+)?workings|procedure)\s+(?:of|in|behind|for|to)\s+(?P<x>.+)$",
        ),
    ),
    (
        "definition",
        _pattern(
            r"^(?:what\s+(?:is|are|was|were)|what['’]s|define|explain|describe)\s+",
            r"(?:meant\s+by\s+|the\s+(?:meaning|definition|concept|idea|notion)\s+of\s+)?(?P<x>.+?)$",
        ),
    ),
    ("definition", _pattern(r"^what\s+(?:do|does)\s+(?P<x>.+?)\s+(?:mean|stand for)$")),
    (
        "definition",
        _pattern(r"^(?:the\s+|an?\s+)?(?:meaning|definition|overview|introduction|summary)\s+(?:of|to)\s+(?P<x>.+)$"),
    ),
)
_NAMES: dict[str, str] = {
    "definition": "Definition of {}",
    "process": "Process/mechanism of {}",
    "causal": "Reasons: {}",
    "evaluation": "Strengths and weaknesses of {}",
    "application": "Applications of {}",
}
_PARTS = re.compile(
    r"^how\s+(?:do|does)\s+(?P<parts>.+?)\s+(?:work|function|operate|interact)\s+(?:in|inside|within)\s+(?P<whole>.+)$",
    re.I,
)
_JUDGED = _pattern(
    r"^(?P<x>.+?)\s+(?P<judged>important|matters?|useful|necessary|needed|popular|relevant|hard|difficult|effective|",
    r"expensive|dangerous|risky)$",
)
_VERBAL = re.compile(
    r"^(?P<x>(?:\S+\s+){0,5}?\S+?)(?:['’]s)?\s+(?:start|begin|began|end|fall|fell|rise|rose|grow|grew|become|became|change|changed|"
    r"matter|need|use|uses|affect|affects|influence|influences|impact|impacts|lead|leads|cause|causes|help|helps|hurt|hurts|"
    r"improve|improves|reduce|reduces|increase|increases|decline|declined|fail|fails|lose|lost|make|makes|made|happen|happened|"
    r"considered|called|known|better|worse|sued|fined|prevent|prevents|avoid|avoids|handle|handles|scale|scales|train|trained)(?:\s+.*)?$",
    re.IGNORECASE,
)
_RISKS = re.compile(r"risks?|threats?|challenges?|dangers?|main|key|major|top")
HISTORY = "Historical context"
HISTORY_IMPORTANCE = 0.6


def content(text: str) -> tuple[str, ...]:
    """The words of `text` that a search can use, in order, without repeats; hyphenated words stay in one piece."""
    whole = re.findall(r"[^\W_][\w’'.-]*", text.lower())
    return as_tuple(w.strip("’'.-") for w in whole if w.strip("’'.-") not in STOP_WORDS)


def split_items(text: str) -> list[str]:
    """`"A, B and C"` as its items, articles dropped."""
    return list(as_tuple(_ARTICLE.sub("", part.strip()) for part in _SEPARATOR.split(text) if part and part.strip()))


def split_parts(text: str) -> list[str]:
    """`"query, key and value vectors"` as its items; a head noun that only the last one has is given to all."""
    items = split_items(text)
    last = items[-1].split() if items else []
    if len(items) > 1 and len(last) == 2 and all(len(item.split()) == 1 for item in items[:-1]):
        return [f"{item} {last[1]}" for item in items[:-1]] + [items[-1]]
    return items


def comparison(clause: Clause) -> list[QueryAspect]:
    """Definitions of (or a shared topic for) the things compared, and the comparison itself; [] for other shapes."""
    for pattern in _COMPARE:
        match = pattern.match(clause.text)
        if match is None:
            continue
        groups = match.groupdict()
        topic, items = _compared(groups)
        scope = groups.get("scope") or groups.get("on") or ""
        if _are_names(split_items(scope)) and not _are_names(items):
            topic, items, scope = " and ".join(items), split_items(scope), ""
        if len(items) >= 2:
            return _comparison_aspects(clause, items, topic=topic, scope=scope)
    return []


def _are_names(items: Sequence[str]) -> bool:
    return len(items) >= 2 and all(item[:1].isupper() for item in items)


def _compared(groups: dict[str, str | None]) -> tuple[str, list[str]]:
    joined = groups.get("items") or ""
    if joined:
        joined = re.sub(r"\s+(?:with|to|against)\s+", " and ", joined)
        shared = None if _VERSUS.search(joined) else _OF_ITEMS.match(joined)
        if shared and len(split_items(shared.group("items"))) >= 2 and len(split_items(shared.group("topic"))) == 1:
            return _ARTICLE.sub("", shared.group("topic")), split_items(shared.group("items"))
        return "", split_items(joined)
    left, right = groups.get("left") or "", groups.get("right") or ""
    return _possessed(left, right) or ("", [*split_items(left), *split_items(right)])


def _possessed(left: str, right: str) -> tuple[str, list[str]] | None:
    """“Apple's supply chain”, "NVIDIA's" or "that of NVIDIA" → the topic and the two owners."""
    owner = re.match(r"^(?:the\s+)?(?P<who>.+?)['’]s?\s+(?P<topic>.+)$", left)
    if owner is None:
        owner = re.match(r"^(?:the\s+)?(?P<topic>.+?)\s+(?:of|at|for)\s+(?P<who>.+)$", left)
    if owner is None:
        return None
    other = re.sub(r"^(?:that|those)\s+of\s+|['’]s?$|['’]s?\s+.*$", "", right).strip()
    other = re.sub(rf"^(?:the\s+)?{re.escape(owner.group('topic'))}\s+(?:of|at|for)\s+", "", other)
    return owner.group("topic"), [owner.group("who"), _ARTICLE.sub("", other)]


def _comparison_aspects(clause: Clause, items: Sequence[str], *, topic: str, scope: str) -> list[QueryAspect]:
    each = [about(clause, item, topic) if topic else typed_aspect("definition", item, clause.span) for item in items]
    joined = " and ".join([", ".join(items[:-1]), items[-1]])
    of_topic = f"{topic} of " if topic else ""
    name = f"Comparison for {scope}" if scope else f"Comparison between {of_topic}{joined}"
    words_ = as_tuple([*(w for item in items for w in content(item)), *content(topic), *content(scope)])
    whole = QueryAspect(name, "comparison", 1.0, words_, clause.span, subject=f"{of_topic}{joined}")
    return [*each, whole]


def about(clause: Clause, item: str, topic: str) -> QueryAspect:
    """`topic` of one item, as an aspect; its words are one key word, without "risks" unless that is all."""
    name = f"{topic[:1].upper()}{topic[1:]} of {item}"
    sides = (" ".join(word for word in content(side) if not _RISKS.fullmatch(word)) for side in split_items(topic))
    told = as_tuple(side for side in sides if side)
    return QueryAspect(name, "facet", 1.0, told or content(topic), clause.span, subject=item)


def typed_aspect(kind: AspectType, subject: str, span: tuple[int, int]) -> QueryAspect:
    """The aspect of one of the six plain types."""
    return QueryAspect(_NAMES[kind].format(subject), kind, 1.0, content(subject), span, subject=subject)


def parts_of_whole(clause: Clause) -> list[QueryAspect]:
    """“How do A, B and C work in W”: a role for each part, the mechanism of the whole, and its history (optional)."""
    match = _PARTS.match(clause.text)
    parts = split_parts(match.group("parts")) if match else []
    if match is None or len(parts) < 2:
        return []
    whole = _ARTICLE.sub("", match.group("whole"))
    single = re.sub(r"(?<=[^s])s$", "", whole)
    roles = [
        QueryAspect(
            f"{p[:1].upper()}{p[1:]} role", "process", 1.0, (*content(p), *content(whole)), clause.span, subject=p
        )
        for p in parts
    ]
    mechanism = QueryAspect(
        f"{single[:1].upper()}{single[1:]} mechanism", "process", 1.0, content(single), clause.span, subject=single
    )
    history = QueryAspect(
        HISTORY,
        "causal",
        HISTORY_IMPORTANCE,
        (*content(single), "introduced"),
        clause.span,
        subject=single,
    )
    return [*roles, mechanism, history]


def typed(clause: Clause) -> list[QueryAspect]:
    """Definition, process, causal, evaluation and application clauses, one aspect per thing asked about."""
    for kind, pattern in _TYPED:
        match = pattern.match(clause.text)
        if match is not None:
            return _typed_items(clause, kind, match.group("x"), cue=match.groupdict().get("cue") or "")
    return []


def _typed_items(clause: Clause, kind: AspectType, subject: str, *, cue: str) -> list[QueryAspect]:
    subject = _ARTICLE.sub("", subject.strip())
    if kind == "causal":
        return [_causal(clause, subject)]
    if kind == "process":
        return [_process(clause, subject)]
    items = split_items(subject) if _is_plain_list(subject) else [subject]
    found = [typed_aspect(kind, item, clause.span) for item in items]
    return [_cued(aspect, cue) for aspect in found] if cue else found


def _cued(aspect: QueryAspect, cue: str) -> QueryAspect:
    """The evaluation that was asked for: "Disadvantages of X" rather than both sides."""
    name = f"{cue[:1].upper()}{cue[1:]} of {aspect.subject}"
    return replace(aspect, aspect=name, keywords=as_tuple([*aspect.keywords, *content(cue.replace("/", " "))]))


def _causal(clause: Clause, subject: str) -> QueryAspect:
    """“X important” is about X; a whole sentence stays one, about its first name or words."""
    judged = _JUDGED.match(subject)
    if judged:
        thing = judged.group("x")
        verb = judged.group("judged").lower()
        name = f"Importance of {thing}" if verb in ("important", "matter", "matters") else f"Why {thing}: {verb}"
        return QueryAspect(name, "causal", 1.0, content(subject), clause.span, subject=thing)
    about_ = _VERBAL.match(subject)
    thing = about_.group("x") if about_ else subject
    return QueryAspect(f"Reasons: {subject}", "causal", 1.0, content(subject), clause.span, subject=thing)


def _process(clause: Clause, subject: str) -> QueryAspect:
    plain = re.sub(r"\s+(?:work|function|operate|learn)s?$", "", subject)
    verbal = _VERBAL.match(plain)
    if verbal is None:
        return typed_aspect("process", plain, clause.span)
    return QueryAspect(f"How {plain}", "process", 1.0, content(plain), clause.span, subject=verbal.group("x"))


def _is_plain_list(subject: str) -> bool:
    """Whether a conjunction joins short things of one kind, not parts of one name or sentence."""
    items = split_items(subject)
    return len(items) > 1 and all(len(words(item)) <= 4 for item in items) and " of " not in subject
