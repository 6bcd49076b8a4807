"""The shapes of a clause that name its aspects: comparisons, definitions, processes, causes, evaluations, uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adaq_core.model import AspectType, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import NOT_DOING, LanguagePattern, kind_of_answer, linear, without_asking
from adaq_core.question.parse import ParsedClause
from adaq_core.text.entities import names
from adaq_core.text.tokens import STOP_WORDS, tokens, words
from adaq_core.text.values import dates

_SEPARATOR = linear(r"\s*,\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&|vs\.?|versus)\s+", re.IGNORECASE)
_VERSUS = linear(r"\s(?:vs\.?|versus)\s", re.IGNORECASE)
_ARTICLE = linear(r"^(?:of\s+)?(?:(?:the|a|an|both|either|my|your|our)\s+)?", re.IGNORECASE)
_AGAIN = linear(r"^(?:of|at|for)\s+(?:the\s+)?", re.IGNORECASE)
_OF_ITEMS = linear(r"^(?P<topic>.{1,120}?)\s+(?:of|for|at|facing|in|from)\s+(?P<items>.{1,240})$", re.IGNORECASE)
_CAPITALISED = r"[A-Z0-9][\w.&’'-]{0,30}"
_SHARED_HEAD = linear(
    rf"^(?P<name>{_CAPITALISED}(?:\s{_CAPITALISED}){{0,3}})\s+(?P<topic>[a-z][\w-]{{1,30}}(?:\s[a-z][\w-]{{1,30}}){{0,3}})$"
)
_KINDS_OF_THING = linear(
    r"(?:models?|compan(?:y|ies)|firms?|languages?|frameworks?|films?|movies|countries|cities|algorithms?|protocols?|methods?|"
    r"libraries|databases?|banks|networks|architectures|systems|teams|universities)$",
    re.IGNORECASE,
)
_OWNED_LAST = linear(r"^(?P<who>.{1,80}?)['’]s?\s+(?P<topic>[a-z].{1,80})$")

_SCOPE = (
    r"(?:\s+(?:(?:in terms of|with (?:respect|regard) to|on|regarding|as to|when it comes to)\s+(?P<on>.{1,120})"
    r"|(?:for|in|at)\s+(?P<scope>.{1,120})))?$"
)
_HOW = r"^(?:how|in what ways?)\s+(?:do|does|did|is|are|has|have)\s+"
_BETTER = r"(?:better|worse|faster|slower|cheaper|safer|larger|bigger|smaller|older|younger|stronger|(?:more|less) (?!than\b)\w{1,20})"

Comparison = LanguagePattern[str]
COMPARISONS: tuple[Comparison, ...] = (
    Comparison("order", rf"^(?:compare and contrast|compare|contrast)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "Compare BM25, dense retrieval and ColBERT", "How does BM25 compare", "aspect-coverage"),
    Comparison("between", rf"^(?:what|how|explain|describe|list|is|are|tell).{{0,40}}?\b(?:differences?|distinctions?|similarities|comparison|contrast)\s+between\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "What is the difference between Self-RAG and CRAG", "What is between Self-RAG and CRAG", "aspect-coverage"),
    Comparison("different", rf"^what(?:['’]s|\s+is)\s+different\s+(?:about|in|with|between)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "What's different about whistleblowing at Corvane and Merrow", "What is a different plan", "analysts' forms"),
    Comparison("noun", rf"^(?:the\s+)?(?:key\s+|main\s+)?(?:differences?|comparison|similarities)\s+(?:between|of)\s+(?P<items>.{{1,200}}?){_SCOPE}",
               "Differences between Self-RAG and CRAG", "Different kinds of RAG", "subqueries"),
    Comparison("differ", rf"{_HOW}(?P<left>.{{1,160}}?)\s+(?:differ(?:ent)?|diverge|distinguished)\s+(?:from|to|than)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "How does Self-RAG differ from CRAG", "How does Self-RAG defer work", "subqueries"),
    Comparison("to", rf"{_HOW}(?P<left>.{{1,160}}?)\s+compare[ds]?\s+(?:to|with|against)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "How does BM25 compare to dense retrieval", "How does BM25 work", "general"),
    Comparison("each other", rf"{_HOW}(?P<items>.{{1,200}}?)\s+(?:differ|compare)(?:\s+with each other)?{_SCOPE}",
               "How do Self-RAG and CRAG differ", "How do Self-RAG and CRAG work", "subqueries"),
    Comparison("more", r"^(?:is|are|was|were)\s+(?P<left>.{1,80}?)\s+(?P<more>(?:more|less)\s+\w{1,20}(?:\s+(?:to|on|by|in|at)\s+.{1,80}?)?)\s+than\s+(?P<right>.{1,80}?)\s+(?:is|are|was|were)\s+(?P<other>.{1,80})$",
               "Is Pfizer more exposed to patent cliffs than JPMorgan Chase is to interest rates", "Is Pfizer more than a name", "issue 9"),
    Comparison("better", rf"^(?:is|are|should\s+(?:i|we|one)\s+(?:use|choose|pick))\s+(?P<left>.{{1,120}}?)\s+{_BETTER}(?:\s+than)?\s+(?P<right>.{{1,120}}?){_SCOPE}",
               "Is Self-RAG better than CRAG", "Is Self-RAG good", "general"),
    Comparison("or better", rf"^(?:is|are)\s+(?P<left>.{{1,120}}?)\s+or\s+(?P<right>.{{1,120}}?)\s+{_BETTER}{_SCOPE}",
               "Is BM25 or dense retrieval better", "Is BM25 or dense retrieval known", "general"),
    Comparison("choose", rf"^should\s+(?:i|we|one)\s+(?:use|choose|pick)\s+(?P<left>.{{1,120}}?)\s+or\s+(?P<right>.{{1,120}}?){_SCOPE}",
               "Should I use BM25 or dense retrieval for code", "Should I use BM25", "general"),
    Comparison("which", rf"^(?:which|what)(?:\s+\w{{1,30}}){{0,3}}\s+is\s+(?:better|worse|faster|cheaper|safer)[\s,:]+(?P<items>.{{1,200}}?){_SCOPE}",
               "Which is better, BM25 or ColBERT", "Which is BM25", "general"),
    Comparison("compared", rf"^(?:what\s+(?:is|was|are|were)\s+)?(?P<left>(?!(?:what|which|who|how|why|when|where|did|does|do|is|are|was|were|has|have)\b).{{1,160}}?)\s+(?:as\s+)?(?:compared|as opposed)\s+(?:to|with)\s+(?P<right>.{{1,160}}?){_SCOPE}",
               "Self-RAG compared with CRAG", "Did sales increase in 2023 compared to 2022", "subqueries"),
    Comparison("versus", rf"^(?:explain\s+|describe\s+)?(?P<items>\S.{{0,120}}?\s+(?:vs\.?|versus)\s+.{{1,120}}?){_SCOPE}",
               "self-attention vs multi-head attention", "self-attention and versatility", "aspect-coverage"),
)  # fmt: skip

_ASKED = r"^(?:what\s+(?:are|is|was|were)\s+|list\s+|name\s+|discuss\s+|describe\s+|explain\s+|give\s+)?(?:the\s+|some\s+|its\s+|all\s+)?"
SIDE = (
    r"(?:advantages?|disadvantages?|pros|cons|benefits?|drawbacks?|strengths?|weaknesses|limitations?|trade-?offs?|"
    r"downsides?|merits|(?:limits|shortcomings|problems|pitfalls|flaws)(?=\s+(?:of|with)\b)|upsides?)"
)
_SIDES = rf"(?P<cue>{SIDE}(?:(?:\s*,\s*|\s+and\s+|\s+or\s+|/)(?:the\s+)?{SIDE}){{0,3}})"
_WORKS = (
    r"(?:works?|functions?|operates?|happen|proceed|learns?|(?:is\s+|are\s+)?"
    r"(?:trained|built|made|computed|calculated|implemented))"
)
_DO = r"(?:do|does|did|will|could|can|might|would|has|have|had|is|are|was|were|should|may)"
_AFFECT = r"(?:affect|influence|impact|hurt|help|threaten|change|shape|drive)"

Typed = LanguagePattern[AspectType]
TYPED: tuple[Typed, ...] = (
    Typed("application", rf"{_ASKED}(?:\w{{1,20}}\s+){{0,2}}(?:uses?|use cases|applications?|examples?)(?:/\w{{1,20}}){{0,2}}\s+(?:of|for)\s+(?P<x>.{{1,160}})$",
          "Uses/examples of attention", "What is used", "aspect-coverage"),
    Typed("application", r"^what\s+(?:is|are|was|were)\s+(?P<x>.{1,120}?)\s+(?:good|useful|best|meant|for)\s+for$",
          "What is FlashAttention good for", "What is good for FlashAttention", "analysts' forms"),
    Typed("application", r"^(?:what|where|how)\s+(?:is|are|was|were|can)\s+(?P<x>.{1,120}?)\s+(?:be\s+)?(?:used(?:\s+(?:for|in))?|applied(?:\s+(?:to|in))?)(?:\s+(?:in|for|by)\s+.{1,120})?$",
          "What is BERT used for", "What is BERT", "aspect-coverage"),
    Typed("evaluation", rf"{_ASKED}(?:\w{{1,20}}\s+){{0,2}}?{_SIDES}\s+(?:of|for|in|to|with)\s+(?P<x>.{{1,160}})$",
          "What are the strengths and weaknesses of BM25", "What is an advance of BM25", "aspect-coverage"),
    Typed("evaluation", rf"^(?:what\s+(?:are|is)\s+)(?:the\s+)?(?P<x>.{{1,120}}?)['’]s?\s+(?:\w{{1,20}}\s+)?{_SIDES}$",
          "What are BM25's disadvantages", "What are its parts", "aspect-coverage"),
    Typed("evaluation", r"^how\s+(?:good|well|effective|reliable|accurate|safe|useful|efficient)\s+(?:is|are|do|does)\s+(?P<x>.{1,120}?)(?:\s+work|\s+perform)?$",
          "How reliable is BM25", "How is BM25 computed", "general"),
    Typed("causal", rf"^(?:explain\s+)?why\s+(?:{_DO}\s+)?(?P<x>.{{1,240}})$",
          "Why is self-attention important", "What is the reason", "aspect-coverage"),
    Typed("causal", rf"{_ASKED}(?P<adjective>\w{{1,20}}\s+)?(?P<cue>causes?|reasons?|effects?|impacts?|consequences?|importance|influence)\s+(?:of|for|behind|on)\s+(?P<x>.{{1,200}})$",
          "What are the effects of tariffs", "What is effective", "general"),
    Typed("causal", r"^what\s+(?P<cue>(?:is|are|was|were|lies|lay)\s+behind)\s+(?P<x>.{1,200})$",
          "What is behind the fall of Tesla registrations", "What is behind", "analysts' forms"),
    Typed("causal", r"^(?:what|which)\s+(?:\w{1,20}\s+)?(?P<cue>causes?|caused|leads? to|led to|drives?|drove)\s+(?P<x>.{1,200})$",
          "What causes vanishing gradients", "What is a cause", "general"),
    Typed("causal", rf"^how\s+(?:do|does|did|will|could|can|might|would|has|have)\s+(?P<cause>.{{1,160}}?)\s+(?P<affect>{_AFFECT}(?:s|ed)?)\s+(?P<x>.{{1,160}})$",
          "How does the search ruling against Google affect Apple", "How does Google work", "issue 9"),
    Typed("process", rf"^(?:explain\s+|describe\s+|show\s+me\s+)?how\s+(?:do|does|did|can|is|are|was|were|to)\s+(?P<x>.{{1,200}}?)(?:\s+{_WORKS})?$",
          "How do transformers work", "How many transformers work", "aspect-coverage"),
    Typed("process", rf"^(?:explain\s+|describe\s+)how\s+(?P<x>.{{1,160}}?)\s+{_WORKS}$",
          "Explain how transformers work", "Explain transformers", "aspect-coverage"),
    Typed("process", rf"{_ASKED}(?:steps?|process|mechanism|(?:inner\s+)?workings|procedure)\s+(?:of|in|behind|for|(?P<to>to))\s+(?P<x>.{{1,160}})$",
          "Explain the mechanism of attention", "Explain mechanics", "general"),
    Typed("definition", r"^what\s+(?:do|does)\s+(?P<x>.{1,100}?)\s+(?P<cue>mean|stand for|do)$",
          "What does trafilatura do", "What does trafilatura need", "issue 9"),
    Typed("definition", r"^(?:explain|describe|say|know|understand)\s+what\s+(?P<x>(?:(?!(?:does|do|did|is|are|was|were|has|have|had|the|this)\s)[^\s]{1,30}\s+){1,5}?)(?:is|are|means)$",
          "Explain what a mutex is", "Explain what happened", "issue 9"),
    Typed("definition", rf"^(?:what\s+(?:is|are|was|were)|what['’]s|define|explain|describe)\s+{NOT_DOING}(?:meant\s+by\s+|the\s+(?:meaning|definition|concept|idea|notion)\s+of\s+)?(?P<x>.{{1,120}})$",
          "What is Python", "Who is Python", "aspect-coverage"),
    Typed("definition", r"^(?:the\s+|an?\s+)?(?:meaning|definition|overview|introduction|summary)\s+(?:of|to)\s+(?P<x>.{1,120})$",
          "Overview of reinforcement learning", "Overviews", "aspect-coverage"),
)  # fmt: skip
_NEWS = (
    r"(?:changed|new|happening|going\s+on|up|the\s+latest(?:\s+news)?|the\s+news|the\s+(?:current\s+)?(?:status|state))"
)
# What is asked is how things are with X, whatever words ask for it.
TOLD: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("doing", r"^how\s+(?:is|are|was|were|has|have)\s+(?P<x>.{1,120}?)\s+(?:been\s+)?(?:doing|going|performing|faring|progressing|developing|evolving|holding\s+up|coming\s+along)(?P<rest>\s+(?:in|at|with|since|after)\s.{1,80})?$",
                    "How is Amazon's advertising business doing", "How is attention computed", "analysts' forms"),
    LanguagePattern("owned", r"^[Hh]ow\s+(?:is|are|was|were)\s+(?P<x>[A-Z][\w.&-]{0,30}(?:\s[A-Z][\w.&-]{0,30}){0,3}['’]s?\s+(?:[a-z-]{2,20}\s+){0,2}?(?!(?:\w{1,20}(?:ed|ing)|made|built|sold|paid)\b)[a-z-]{2,20})$",
                    "How are Boeing's finances", "How are Tesla's cars made", "analysts' forms", True),
    LanguagePattern("news", rf"^what(?:['’]s|\s+is|\s+are|\s+has|\s+have)?\s+{_NEWS}\s+(?:for|at|with|on|of|in|about|to|between)\s+(?P<x>.{{1,160}})$",
                    "What changed for NVIDIA in China in 2025", "What changed", "analysts' forms"),
    LanguagePattern("stand", r"^where\s+(?:do|does|did)\s+(?:things\s+stand\s+(?:with|between|on|in|at)\s+(?P<x>.{1,160})|(?P<y>.{1,160}?)\s+stand)$",
                    "Where does the Boeing criminal case stand", "Where does a stand cost least", "analysts' forms"),
    LanguagePattern("all", r"^(?:tell\s+(?:me|us)\s+about|(?:(?:tell|give|show)\s+(?:me|us)\s+)?(?:everything|anything|something|all|more|news|information|details)\s+(?:you\s+(?:know|have)\s+)?(?:about|on|regarding|concerning))\s+(?P<x>.{1,160})$",
                    "Tell me everything about Tesla's robotaxi", "All about", "analysts' forms"),
    LanguagePattern("summary", r"^(?:summari[sz]e|recap|outline|(?:(?:give|show)\s+(?:me|us)\s+)?(?:a|an)\s+(?:short\s+|brief\s+|quick\s+)?(?:summary|recap|picture)\s+of)\s+(?!(?:the\s+)?(?:risks?|advantages|disadvantages|differences?)\b)(?P<x>.{1,160})$",
                    "Summarise Apple's exposure to China", "Summaries of Apple", "analysts' forms"),
    LanguagePattern("rules", r"^what(?:['’]s|\s+is|\s+are)\s+(?:the\s+)?(?:rules?|polic(?:y|ies)|guidelines?|guidance|provisions?)\s+(?:for|on|about|regarding|concerning)\s+(?P<x>.{1,160})$",
                    "What are the rules for gifts at Corvane", "What rules were broken", "analysts' forms"),
    LanguagePattern("known", r"^what\s+(?:do\s+(?:we|you)\s+(?:know|have)|is\s+(?:there|known))\s+(?:about|on|regarding)\s+(?P<x>.{1,160})$",
                    "What do we know about Tesla's robotaxi", "What do we know", "analysts' forms"),
)  # fmt: skip
_NAMES: dict[str, str] = {
    "definition": "Definition of {}",
    "process": "Process/mechanism of {}",
    "causal": "Reasons: {}",
    "evaluation": "Strengths and weaknesses of {}",
    "application": "Applications of {}",
}
_PARTS = linear(
    r"^how\s+(?:do|does)\s+(?P<parts>.{1,160}?)\s+(?:work|function|operate|interact)\s+(?:in|inside|within)\s+(?P<whole>.{1,120})$",
    re.I,
)
_JUDGED = linear(
    r"^(?P<x>.{1,160}?)\s+(?:is\s+|are\s+)?(?P<judged>important|matters?|useful|necessary|needed|popular|relevant|hard|difficult|effective|"
    r"expensive|dangerous|risky)$",
    re.IGNORECASE,
)
_VERBAL = linear(
    r"^(?P<x>(?:\S{1,40}\s+){0,5}?\S{1,40}?)(?:['’]s)?\s+(?:start|begin|began|end|fall|fell|rise|rose|grow|grew|become|became|change|changed|"
    r"matter|need|use|uses|used|affect|affects|influence|influences|impact|impacts|lead|leads|cause|causes|help|helps|hurt|hurts|"
    r"improve|improves|reduce|reduces|increase|increases|decline|declined|fail|fails|lose|lost|make|makes|made|happen|happened|"
    r"considered|called|known|better|worse|sued|fined|prevent|prevents|avoid|avoids|handle|handles|scale|scales|train|trained|"
    r"buy|sell|invest|perform|resist|respond|pay|plan|compete|compare|differ|get|have|take|move|leave|drop|raise|cut|shut|win|"
    r"acquire|merge|split|issue|delay|recall|settle|sue|launch|release|add|adopt|keep|want|develop)(?:\s+.{0,200})?$",
    re.IGNORECASE,
)
_INSTALL = linear(
    r"^(?:i|we|you|one|to)\s+(?P<verb>[a-z]{2,20})\s+(?P<thing>.{1,120})$|^(?P<verb2>(?:install|use|create|configure|run|build|write|set\s+up|add|get|make|"
    r"enable|deploy|start|update|change|remove|convert|load|read|save)\w{0,3})\s+(?P<thing2>.{1,120})$",
    re.IGNORECASE,
)
_GROUP = linear(r"^(?:the\s+)?(?P<what>(?:[\w-]{1,30}\s+){1,4}?[\w-]{1,30}s)$", re.IGNORECASE)
_RISKS = linear(r"risks?|threats?|challenges?|dangers?|main|key|major|top")
_LONGEST_NAME_OF_A_THING = 5  # words
HISTORY = "Historical context"
HISTORY_IMPORTANCE = 0.6  # below 0.8: optional


def content(text: str) -> tuple[str, ...]:
    """The words of `text` that a search can use, in order, without repeats; hyphenated words stay in one piece."""
    whole = re.findall(r"[^\W_][\w’'.&-]*", without_asking(text).lower())
    bare = (word.strip("’'.&-") for word in whole)
    return as_tuple(word for word in bare if word not in STOP_WORDS)


def upper_first(text: str) -> str:
    """Return `text` with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def split_items(text: str) -> list[str]:
    """`"A, B and of the C"` as its items, articles and a repeated "of" dropped."""
    return list(as_tuple(_ARTICLE.sub("", part.strip()) for part in _SEPARATOR.split(text) if part and part.strip()))


def split_parts(text: str) -> list[str]:
    """`"query, key and value vectors"` as its items; a head noun that only the last one has is given to all."""
    items = split_items(text)
    if len(items) < 2:
        return items
    *others, last = items
    if len(last.split()) != 2 or any(len(item.split()) != 1 for item in others):
        return items
    head = last.split()[1]
    return [*(f"{item} {head}" for item in others), last]


def comparison(clause: ParsedClause) -> list[QueryAspect]:
    """Definitions of (or a shared topic for) the things compared, and the comparison itself; [] for other shapes."""
    if asked := _asked_of_both(clause.text):
        return _of_both(clause, *asked)
    for row in COMPARISONS:
        match = row.regex.match(clause.text)
        if match is None:
            continue
        groups = match.groupdict()
        if groups.get("more"):
            return _more_than(clause, groups)
        if crossed := _crossed(clause, groups.get("items") or ""):
            return crossed
        topic, items = _compared(groups)
        scope = groups.get("scope") or groups.get("on") or ""
        if are_names(split_items(scope)) and not are_names(items):
            topic = " and ".join(items)
            items = split_items(scope)
            scope = ""
        if len(items) >= 2:
            return _comparison_aspects(clause, items, topic=topic, scope=scope)
        if row.kind == "order" and len(items) == 1 and (group := _GROUP.match(items[0])):
            return _kinds_compared(clause, group.group("what"))
    asked = _asked_of_another(clause.text)
    return _of_both(clause, *asked) if asked else []


_A_NAME = r"(?:the )?[A-Z][\w.&-]{0,30}(?: [A-Z][\w.&-]{0,30}){0,4}"
_HOW_BOTH = re.compile(
    rf"[Cc]ompare (?P<how>(?:how|what|when|where|why)(?: (?:long|much|many|often|far|well|[a-z]{{2,20}}ly))?) "
    rf"(?P<left>{_A_NAME}) and (?P<right>{_A_NAME}) (?P<does>[a-z].{{2,200}})$"
)
_AS_OTHER = re.compile(rf"^(?P<asked>.{{8,200}}?),? (?:as )?compared (?:to|with) (?P<right>{_A_NAME})$")
_QUESTION_WORD = re.compile(
    r"(?:how|what|when|where|why|which|who|do|does|did|is|are|was|were|has|have)\b", re.IGNORECASE
)
_NAME_INSIDE = re.compile(rf"(?<=[a-z] ){_A_NAME}")
_PART_OF_YEAR = re.compile(r"(?:the )?(?:Q[1-4]|H[12]|FY)\b")


Asked = tuple[tuple[str, str], tuple[str, str]]


def _asked_of_both(text: str) -> Asked | None:
    """“Compare how long A and B keep records”: (name, what is asked of it) twice."""
    match = _HOW_BOTH.match(text)
    if match is None:
        return None
    left, right = match["left"], match["right"]
    return (left, f"{match['how']} {left} {match['does']}"), (right, f"{match['how']} {right} {match['does']}")


def _asked_of_another(text: str) -> Asked | None:
    """“How quickly is a claim paid at A compared with B”: the same, where no other pattern of comparison fits."""
    match = _AS_OTHER.match(text)
    if match:
        named = [*_NAME_INSIDE.finditer(match["asked"])][-1:]
    else:
        named = []
    if match is None or not named or not _QUESTION_WORD.match(text):
        return None
    last = named[0]
    asked = match["asked"]
    right = match["right"]
    if dates(last.group()) or _PART_OF_YEAR.match(last.group()):
        return None
    return (last.group(), asked), (right, f"{asked[: last.start()]}{right}{asked[last.end() :]}")


def _of_both(clause: ParsedClause, left: tuple[str, str], right: tuple[str, str]) -> list[QueryAspect]:
    each = [
        QueryAspect(upper_first(asked), "entity", 1.0, content(asked), clause.span, subject=_ARTICLE.sub("", name))
        for name, asked in (left, right)
    ]
    both = as_tuple([*each[0].keywords, *each[1].keywords])
    return [*each, _between(clause, f"{each[0].subject} and {each[1].subject}", both)]


def _between(clause: ParsedClause, joined: str, keywords: tuple[str, ...]) -> QueryAspect:
    """The comparison of what is `joined`."""
    return QueryAspect(f"Comparison between {joined}", "comparison", 1.0, keywords, clause.span, subject=joined)


def _crossed(clause: ParsedClause, joined: str) -> list[QueryAspect]:
    """“the T1, T2 and T3 of X and Y”: each topic of each thing, and the comparison; [] unless both are several."""
    match = None if _VERSUS.search(joined) else _OF_ITEMS.match(joined)
    if match is None:
        return []
    topics = split_items(match.group("topic"))
    things = split_items(match.group("items"))
    if len(topics) < 2 or not are_names(things):
        return []
    if any(topic[:1].isupper() for topic in topics):
        return []
    *before, last = topics
    head = last.split()[-1]
    if _RISKS.fullmatch(head) and last != head:
        topics = with_head([*before, last[: -len(head)].strip()], head)
    each = [about(clause, thing, topic) for thing in things for topic in topics]
    topic = _ARTICLE.sub("", match.group("topic"))
    *_, whole = _comparison_aspects(clause, things, topic=topic, scope="")
    return [*each, whole]


def with_head(kinds: Sequence[str], head: str) -> list[str]:
    """“legal and supply” → "legal risks", "supply risks"; only to the last one where another says the head itself."""
    if any(kind.split()[-1] == head for kind in kinds):
        return [*kinds[:-1], f"{kinds[-1]} {head}"]
    return [f"{kind} {head}" for kind in kinds]


def _more_than(clause: ParsedClause, groups: dict[str, str | None]) -> list[QueryAspect]:
    """“Is X more A to B than Y is to C”: X with A to B, Y with A to C, and the two of them."""
    left = _ARTICLE.sub("", groups["left"] or "")
    right = _ARTICLE.sub("", groups["right"] or "")
    measure = re.sub(r"^(?:more|less)\s+", "", groups["more"] or "")
    other = f"{measure.split()[0]} {groups['other']}"
    each = [_measured(clause, left, measure), _measured(clause, right, other)]
    both = as_tuple([*content(left), *content(right), *content(measure), *content(other)])
    return [*each, _between(clause, f"{left} and {right}", both)]


def _measured(clause: ParsedClause, thing: str, measure: str) -> QueryAspect:
    keywords = as_tuple([*content(thing), *content(measure)])
    return QueryAspect(f"{thing}: {measure}", "entity", 1.0, keywords, clause.span, subject=thing)


def _kinds_compared(clause: ParsedClause, what: str) -> list[QueryAspect]:
    """“Compare attention mechanisms”: which there are, and how they differ."""
    kinds = QueryAspect(f"Kinds of {what}", "definition", 1.0, content(what), clause.span, subject=what)
    return [replace(kinds, answer_kind="list"), _between(clause, what, content(what))]


def are_names(items: Sequence[str]) -> bool:
    """Whether there are several, each with a capital at its beginning."""
    return len(items) >= 2 and all(item[:1].isupper() for item in items)


def _compared(groups: dict[str, str | None]) -> tuple[str, list[str]]:
    joined = groups.get("items") or ""
    if joined:
        joined = re.sub(r"\s+(?:with|to|against)\s+", " and ", joined)
        return _topic_shared(joined) or _head_shared(split_items(joined))
    left = groups.get("left") or ""
    right = groups.get("right") or ""
    return _over_time(left, right) or _possessed(left, right) or ("", [*_items_of_side(left), *_items_of_side(right)])


def _topic_shared(joined: str) -> tuple[str, list[str]] | None:
    """“the T of X and Y”: one topic, several things."""
    shared = None if _VERSUS.search(joined) else _OF_ITEMS.match(joined)
    if shared is None or len(split_items(shared.group("topic"))) != 1:
        return None
    items = split_items(shared.group("items"))
    if len(items) < 2:
        return None
    return _ARTICLE.sub("", shared.group("topic")), [_AGAIN.sub("", item) for item in items]


def _items_of_side(side: str) -> list[str]:
    """The things on one side of a comparison; "its marketing and advertising expenses" is one."""
    if re.search(r"\b(?:its|their|the|his|her)\b|['’]s?\s", side, re.IGNORECASE):
        return [_ARTICLE.sub("", side)]
    return split_items(side)


def _over_time(left: str, right: str) -> tuple[str, list[str]] | None:
    """“Boeing's tax rate in FY2022", "FY2021” → the rate in each of the two years."""
    before, after = dates(left), dates(right)
    if len(before) != 1 or len(after) != 1:
        return None
    start, end = before[0].span
    begin, stop = after[0].span
    if tokens(right[:begin] + right[stop:]):
        return None
    other = right[begin:stop]
    return "", [_ARTICLE.sub("", left), _ARTICLE.sub("", f"{left[:start]}{other}{left[end:]}")]


def _head_shared(items: list[str]) -> tuple[str, list[str]]:
    """“Microsoft's and Amazon's growth”, "Apple, Microsoft antitrust": the topic that only the last one says."""
    if len(items) < 2:
        return "", items
    owned = _OWNED_LAST.match(items[-1])
    before = [re.sub(r"['’]s?$", "", item) for item in items[:-1]]
    if owned and all(_is_name(item) for item in before):
        return owned.group("topic"), [*before, owned.group("who")]
    head = _SHARED_HEAD.match(items[-1])
    if head and not _KINDS_OF_THING.search(head.group("topic")) and all(_is_name(item) for item in items[:-1]):
        return head.group("topic"), [*items[:-1], head.group("name")]
    return "", items


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
    if not re.match(r"^[A-Z0-9]", _ARTICLE.sub("", other)):
        return None
    return topic, [_ARTICLE.sub("", owner.group("who")), _ARTICLE.sub("", other)]


def _comparison_aspects(clause: ParsedClause, items: Sequence[str], *, topic: str, scope: str) -> list[QueryAspect]:
    each = [about(clause, item, topic) if topic else _compared_thing(clause, item) for item in items]
    joined = " and ".join([", ".join(items[:-1]), items[-1]])
    of_topic = f"{topic} of " if topic else ""
    name = f"Comparison for {scope}" if scope else f"Comparison between {of_topic}{joined}"
    words_ = as_tuple([*(w for item in items for w in content(item)), *content(topic), *content(scope)])
    whole = QueryAspect(name, "comparison", 1.0, words_, clause.span, subject=f"{of_topic}{joined}")
    return [*each, whole]


def _compared_thing(clause: ParsedClause, item: str) -> QueryAspect:
    """What a thing is; of a phrase that is more than a name of one, what is said of it."""
    is_phrase = len(item.split()) > _LONGEST_NAME_OF_A_THING or re.search(
        r"['’]s?\s|\b(?:of|from|in|its|their)\b", item
    )
    if not is_phrase:
        return typed_aspect("definition", item, clause.span)
    return QueryAspect(upper_first(item), "entity", 1.0, content(item), clause.span)


def about(clause: ParsedClause, item: str, topic: str) -> QueryAspect:
    """`topic` of one item, as an aspect; its words are one key word, without "risks" unless that is all."""
    name = f"{upper_first(topic)} of {item}"
    sides = (" ".join(word for word in content(side) if not _RISKS.fullmatch(word)) for side in split_items(topic))
    named = as_tuple(side for side in sides if side)
    return QueryAspect(name, "facet", 1.0, named or content(topic), clause.span, subject=item)


def typed_aspect(kind: AspectType, subject: str, span: tuple[int, int] | None) -> QueryAspect:
    """The aspect of one of the six plain types."""
    return QueryAspect(_NAMES[kind].format(subject), kind, 1.0, content(subject), span, subject=subject)


def parts_of_whole(clause: ParsedClause) -> list[QueryAspect]:
    """“How do A, B and C work in W”: a role for each part, the mechanism of the whole, and its history (optional)."""
    match = _PARTS.match(clause.text)
    parts = split_parts(match.group("parts")) if match else []
    if match is None or len(parts) < 2:
        return []
    whole = _ARTICLE.sub("", match.group("whole"))
    single = re.sub(r"(?<=[^s])s$", "", whole)
    roles = []
    for part in parts:
        words_of_role = (*content(part), *content(whole))
        name = f"{upper_first(part)} role"
        roles.append(QueryAspect(name, "process", 1.0, words_of_role, clause.span, subject=part))
    mechanism = QueryAspect(
        f"{upper_first(single)} mechanism", "process", 1.0, content(single), clause.span, subject=single
    )
    history = QueryAspect(
        HISTORY, "causal", HISTORY_IMPORTANCE, (*content(single), "introduced"), clause.span, subject=single
    )
    return [*roles, mechanism, history]


def effects(clause: ParsedClause) -> list[QueryAspect]:
    """“How do A and B affect X and Y”: one aspect per cause and named thing; [] unless there are several."""
    for row in TYPED:
        match = row.regex.match(clause.text) if "cause>" in row.pattern else None
        if match:
            aspects = _effects(clause, match.group("cause"), match.group("x"))
            return aspects if len(aspects) > 1 else []
    return []


def told(clause: ParsedClause) -> list[QueryAspect]:
    """“How is X doing”, "What changed for X", "Tell me all about X": what is said of X; [] for other shapes."""
    for row in TOLD:
        match = row.regex.match(clause.text)
        if match is not None:
            groups = match.groupdict()
            thing = f"{groups.get('x') or groups.get('y') or ''}{groups.get('rest') or ''}"
            return [topic(clause, thing)]
    return []


# Several of a kind, of somebody named: "JPMorgan's legal troubles", "labour problems at Amazon".
_KINDS_OF = (
    re.compile(
        rf"(?P<who>{_A_NAME})['’]s? (?P<topic>(?:[a-z-]{{2,20}} ){{1,2}}"
        r"(?:risks|threats|challenges|problems|troubles|issues|difficulties))"
    ),
    re.compile(
        rf"(?P<topic>[A-Za-z][a-z-]{{1,30}}(?: [a-z-]{{1,30}}){{0,2}}(?<=[a-rt-z])s) (?:at|of|facing|for) (?P<who>{_A_NAME})"
    ),
)


def topic(clause: ParsedClause, thing: str) -> QueryAspect:
    """What is said of a thing; several of a kind that somebody has are a facet of them."""
    for pattern in _KINDS_OF:
        if match := pattern.fullmatch(thing.strip()):
            return about(clause, match["who"], match["topic"])
    name = upper_first(_ARTICLE.sub("", thing.strip()))
    return QueryAspect(name, "entity", 1.0, content(name), clause.span, answer_kind="report")


def typed(clause: ParsedClause) -> list[QueryAspect]:
    """Definition, process, causal, evaluation and application clauses, one aspect per thing asked about."""
    for row in TYPED:
        match = row.regex.match(clause.text)
        if match is not None:
            return _typed_items(clause, row.kind, match.groupdict())
    return []


def _typed_items(clause: ParsedClause, kind: AspectType, groups: dict[str, str | None]) -> list[QueryAspect]:
    subject = _ARTICLE.sub("", (groups["x"] or "").strip())
    cue = groups.get("cue") or ""
    match kind:
        case "causal" if groups.get("cause"):
            return _effects(clause, groups["cause"] or "", subject)
        case "causal":
            return [_causal(clause, subject, cue, groups.get("adjective") or "")]
        case "process" if groups.get("to"):
            return [replace(typed_aspect(kind, subject, clause.span), aspect=f"How to {subject}")]
        case "process":
            return [_process(clause, subject)]
        case "definition" if cue == "do":
            return [replace(typed_aspect(kind, subject, clause.span), aspect=f"Purpose of {subject}")]
    items = split_items(subject) if _is_plain_list(subject) else [subject]
    aspects = [typed_aspect(kind, item, clause.span) for item in items]
    if cue and kind == "evaluation":
        return [_cued(aspect, cue) for aspect in aspects]
    return aspects


def _cued(aspect: QueryAspect, cue: str) -> QueryAspect:
    """The evaluation that was asked for: "Disadvantages of X" rather than both sides."""
    name = f"{upper_first(cue)} of {aspect.subject}"
    words = content(cue.replace("/", " "))
    return replace(aspect, aspect=name, keywords=as_tuple([*aspect.keywords, *words]))


def _effects(clause: ParsedClause, cause: str, affected: str) -> list[QueryAspect]:
    """“How do A and B affect X and Y”: the effect of each cause on each named thing."""
    if _is_plain_list(cause):
        causes = split_items(cause)
    else:
        causes = [_ARTICLE.sub("", cause)]
    things = split_items(affected)
    things = things if are_names(things) else [affected]
    if len(causes) * len(things) > 1 and not are_names(things):
        causes = [_ARTICLE.sub("", cause)]
    return [_effect(clause, what, thing) for thing in things for what in causes]


def _effect(clause: ParsedClause, cause: str, thing: str) -> QueryAspect:
    keywords = as_tuple([*content(cause), *content(thing)])
    subject = thing if thing[:1].isupper() else cause
    return QueryAspect(f"Effect of {cause} on {thing}", "causal", 1.0, keywords, clause.span, subject=subject)


_CUE_NAMES = {"caus": "Causes of {}", "reas": "Reasons for {}", "effe": "Effects of {}", "impa": "Effects of {}",
              "cons": "Consequences of {}", "impo": "Importance of {}", "infl": "Influence of {}", "lead": "Causes of {}",
              "led ": "Causes of {}", "is b": "Causes of {}", "are ": "Causes of {}", "was ": "Causes of {}",
              "were": "Causes of {}", "lies": "Causes of {}", "lay ": "Causes of {}", "driv": "Causes of {}", "drov": "Causes of {}"}  # fmt: skip


def _causal(clause: ParsedClause, subject: str, cue: str, adjective: str) -> QueryAspect:
    """“X important” is about X; a whole sentence stays as it was asked, about its first name or words."""
    if cue:
        name = _CUE_NAMES[cue.lower()[:4]].format(subject)
        if adjective and not _RISKS.fullmatch(adjective.strip().lower()):
            name = upper_first(f"{adjective}{name[:1].lower()}{name[1:]}")
        return QueryAspect(name, "causal", 1.0, content(subject), clause.span, subject=subject)
    judged = _JUDGED.match(subject)
    if judged:
        thing = judged.group("x")
        verb = judged.group("judged").lower()
        if verb in ("important", "matter", "matters"):
            name = f"Importance of {thing}"
        else:
            name = f"Why {thing}: {verb}"
        return QueryAspect(name, "causal", 1.0, content(subject), clause.span, subject=thing)
    return QueryAspect(
        upper_first(clause.text), "causal", 1.0, content(subject), clause.span, subject=_thing_of(subject)
    )


def _thing_of(sentence: str) -> str:
    """What a sentence without its auxiliary speaks of: the words before its verb, or its first name."""
    verbal = _VERBAL.match(sentence)
    if verbal:
        return _ARTICLE.sub("", verbal.group("x"))
    named = [name.text for name in names(sentence) if name.kind in ("name", "acronym")]
    if len(sentence.split()) in (2, 3):
        short = sentence.rsplit(" ", 1)[0]
    else:
        short = sentence
    return named[0] if named else short


def _process(clause: ParsedClause, subject: str) -> QueryAspect:
    plain = re.sub(r"\s+(?:work|function|operate|learn)s?$", "", subject)
    task = _INSTALL.match(plain)
    if task:
        verb = task.group("verb") or task.group("verb2")
        thing = task.group("thing") or task.group("thing2")
        keywords = as_tuple([*content(thing), *content(verb)])
        name = f"How to {verb} {thing}"
        subject = re.split(r"\s(?:as|with|on|in|for|from)\s", _ARTICLE.sub("", thing))[0]
        return QueryAspect(name, "process", 1.0, keywords, clause.span, subject=subject)
    happened = clause.text.lower().startswith("how did ")
    if not happened and _VERBAL.match(plain) is None and len(plain.split()) <= 6:
        return typed_aspect("process", plain, clause.span)
    return QueryAspect(upper_first(clause.text), "process", 1.0, content(plain), clause.span, subject=_thing_of(plain))


def _is_plain_list(subject: str) -> bool:
    """Whether a conjunction joins short things of one kind, not parts of one name or sentence."""
    items = split_items(subject)
    if len(items) < 2 or " of " in subject:
        return False
    return all(len(words(item)) <= 4 for item in items)


def is_concept(clause: str, subject: str) -> bool:
    """Whether "what is X" asks what X is, and not for a fact: "the capital of France", "Tesla's revenue"."""
    if len(subject.split()) > 6 or kind_of_answer(clause) not in ("definition", "report", "fact"):
        return False
    return not re.search(
        r"^(?:said|known|reported|written|happening|going|new|wrong)\b|ed\s+(?:in|by|for|on|with|to)\s|\b(?:of|that|which|who|whose|where|when|by|from)\b|['’]s?\s",
        f"{subject} ",
        re.IGNORECASE,
    )
