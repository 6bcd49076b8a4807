"""The shapes of a clause that name its aspects: definitions, processes, causes, evaluations, uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adaq_core.model import AnswerKind, AspectType, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import (
    NOT_DOING,
    ONE_NAME,
    LanguagePattern,
    begins_to_ask,
    dangles,
    kind_of_answer,
    linear,
    without_asking,
)
from adaq_core.question.parse import ParsedClause
from adaq_core.text.entities import names
from adaq_core.text.tokens import STOP_WORDS, upper_first, words

_SEPARATOR = linear(r"(?i)\s*,\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&|vs\.?|versus)\s+")
VERSUS = linear(r"(?i)\s(?:vs\.?|versus)\s")
ARTICLE = linear(r"(?i)^(?:of\s+)?(?:(?:the|a|an|both|either|my|your|our)\s+)?")


_ASKED = r"^(?!(?:who|when|where|why)\s)(?:what\s+(?:are|is|was|were)\s+|list\s+|name\s+|discuss\s+|describe\s+|explain\s+|give\s+)?(?:the\s+|some\s+|its\s+|all\s+)?"
SIDE = (
    r"(?:advantages?|disadvantages?|pros|cons|benefits?|drawbacks?|strengths?|weaknesses|(?:(?<=\ba\s)|(?<=\bone\s))weakness|limitations?|trade-?offs?|"
    r"downsides?|merits|(?:limits|shortcomings|problems|pitfalls|flaws|difficulties)(?=\s+(?:of|with)\b)|upsides?)"
)
_SIDES = rf"(?P<cue>{SIDE}(?:(?:\s*,\s*|\s+and\s+|\s+or\s+|/)(?:the\s+)?{SIDE}){{0,3}})"
_WORKS = (
    r"(?:works?|functions?|operates?|happen|proceed|learns?|(?:is\s+|are\s+)?"
    r"(?:computed|calculated))"
)
_DO = r"(?:do|does|did|will|could|can|might|would|has|have|had|is|are|was|were|should|may)"
_AFFECT = r"(?:affect|influence|impact|hurt|hit|harm|damage|squeeze|help|benefit|threaten|change|shape|drive)"

# What is the one of its kind, or is said of something, is looked up and not defined: "the default timeout", "the cooldown
# for Terraform".
_NO_FACT = (
    r"(?!the\s+(?:minimum|maximum|default|current|latest|newest|next|last|first|second|third|final|usual|normal|standard"
    r"|recommended|required|average|total|new|old|actual|exact)\s+[a-z]|the\s+[^,;:]{2,60}?\s(?:for|per|since|under|during)\s)"
)

Typed = LanguagePattern[AspectType]
TYPED: tuple[Typed, ...] = (
    Typed("application", rf"{_ASKED}(?!(?:me\s+|us\s+)?(?:an|one)\s+example\b)(?:\w{{1,20}}\s+){{0,2}}(?:uses?|use cases|applications?|examples?)(?:/\w{{1,20}}){{0,2}}\s+(?:of|for)\s+(?P<x>.{{1,160}})$",
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
    Typed("causal", rf"^how\s+(?:do|does|did|will|could|can|might|would|has|have)\s+(?!(?:i|we|you|one)\s)(?P<cause>.{{1,160}}?)\s+(?P<affect>{_AFFECT}(?:s|ed)?)\s+(?!(?:from|since|over|between|in|during|against|after|before|by|versus)\b)(?P<x>.{{1,160}})$",
          "How does the search ruling against Google affect Apple", "How does Google work", "issue 9"),
    Typed("definition", r"^how\s+(?:do|does|did)\s+(?P<where>.{1,60}?)\s+define\s+(?!(?:its|their|his|her)\s)(?P<x>.{1,80})$",
          "How does the lease define a Common Area", "How does the lease end", "licences"),
    Typed("definition", r"^how\s+(?:is|are|was|were)\s+(?P<x>.{1,80}?)\s+defined(?:\s+(?:in|by|under)\s+(?P<where>.{1,60}))?$",
          "How is a User Product defined in the licence", "How is defence defined as a cost", "licences"),
    Typed("definition", r"^what\s+(?:do|does)\s+(?!(?:this|that|these|it|the|all)\s)(?P<x>.{1,60}?)\s+(?P<cue>mean|stand for)\s+(?:in|under)\s+(?P<where>.{1,60})$",
          "What does Contribution mean in the Apache License", "What does the ruling mean in practice", "licences"),
    Typed("process", rf"^(?:explain\s+|describe\s+|show\s+me\s+)?how\s+(?:do|does|did|can|is|are|was|were|to)\s+(?!they\s)(?!.{{1,200}}\sbe\s)(?P<x>.{{1,200}}?)(?:\s+{_WORKS})?$",
          "How do transformers work", "How many transformers work", "aspect-coverage"),
    Typed("process", rf"^(?:explain\s+|describe\s+)how\s+(?P<x>.{{1,160}}?)\s+{_WORKS}$",
          "Explain how transformers work", "Explain transformers", "aspect-coverage"),
    Typed("process", rf"{_ASKED}(?:steps?|process|mechanism|(?:inner\s+)?workings|procedure)\s+(?:of|in|behind|for|(?P<to>to))\s+(?P<x>.{{1,160}})$",
          "Explain the mechanism of attention", "Explain mechanics", "general"),
    Typed("definition", r"^what\s+(?:do|does)\s+(?:the\s+(?:term|word|phrase|expression)\s+)?(?P<x>.{1,100}?)\s+(?P<cue>mean|stand for|do)$",
          "What does trafilatura do", "What does trafilatura need", "issue 9"),
    Typed("definition", r"^(?:explain|describe|say|know|understand)\s+what\s+(?P<x>(?:(?!(?:does|do|did|is|are|was|were|has|have|had|the|this)\s)[^\s]{1,30}\s+){1,5}?)(?:is|are|means)$",
          "Explain what a mutex is", "Explain what happened", "issue 9"),
    Typed("definition", rf"^(?:what\s+(?:is|are|was|were)|what['’]s|define|explain|describe)\s+(?!not\s){NOT_DOING}{_NO_FACT}(?!(?:they|we|you|he|she|it)\s)(?!.{{1,100}}\s(?:called|named)\b)(?!the\s+(?:relation(?:ship)?s?|connections?|links?|ties)\s+between\b)(?!the\s+(?:outcome|result|upshot|verdict|aftermath|outlook|prospects?|future|stance|strategy|situation|mood)\b)(?!{ONE_NAME}\s(?:now\s|currently\s)?[a-z]{{2,16}}ing\s(?:on|for|against|into|about|to|at|with|over|from|in|by)\b)(?!{ONE_NAME}\s(?:now\s|currently\s)?(?:do|plan|say|try|work|fac|us|build|develop|sell|buy|mak|seek|invest|spend|consider|pay|ask|offer|fight|argu|claim|demand|propos|launch|leav|giv|los)(?:n|t)?ing\b)(?!\w{{2,20}}[^\We]ed$)(?:meant\s+by\s+|the\s+(?:(?:main|key|basic|central|core)\s+)?(?:meaning|definition|concept|idea|notion|intuition)\s+(?:of|behind)\s+)?(?P<x>.{{1,120}})$",
          "What is Python", "Who is Python", "aspect-coverage"),
    Typed("definition", r"^(?:the\s+|an?\s+)?(?:meaning|definition|overview|introduction|summary)\s+(?:of|to)\s+(?P<x>.{1,120})$",
          "Overview of reinforcement learning", "Overviews", "aspect-coverage"),
)  # fmt: skip
# What is asked is how things are with X, whatever words ask for it.
TOLD: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("doing", r"^how\s+(?:is|are|was|were|has|have|do|does|did)\s+(?P<x>.{1,120}?)\s+(?:been\s+)?(?:look|looking|fare|doing|going|performing|faring|progressing|developing|evolving|holding\s+up|coming\s+along)(?P<rest>\s+(?:in|at|with|since|after)\s.{1,80})?$",
                    "How is Amazon's advertising business doing", "How is attention computed", "analysts' forms"),
    LanguagePattern("owned", r"^[Hh]ow\s+(?:is|are|was|were)\s+(?P<x>[A-Z][\w.&-]{0,30}(?:\s[A-Z][\w.&-]{0,30}){0,3}['’]s?\s+(?:[a-z-]{2,20}\s+){0,2}?(?!(?:\w{1,20}(?:ed|ing)|made|built|sold|paid)\b)[a-z-]{2,20})$",
                    "How are Boeing's finances", "How are Tesla's cars made", "analysts' forms", True),
    LanguagePattern("state", r"^[Hh]ow(?:['’]s|\s+is|\s+are|\s+was|\s+were)\s+(?P<x>the\s+(?:[\w-]{2,20}\s+){0,3}?(?:markets?|business|economy|demand|industry|sector|competition|situation|outlook|pipeline|backlog|balance\s+sheet|mood))$",
                    "How is the PC market", "How is the market cap computed", "typed questions"),
    LanguagePattern("stand", r"^where\s+(?:do|does|did)\s+(?:things\s+stand\s+(?:with|between|on|in|at)\s+(?P<x>.{1,160})|(?P<y>.{1,160}?)\s+stand)$",
                    "Where does the Boeing criminal case stand", "Where does a stand cost least", "analysts' forms"),
    LanguagePattern("rules", r"^what(?:['’]s|\s+is|\s+are)\s+(?:the\s+)?(?:rules?|polic(?:y|ies)|guidelines?|guidance|provisions?)\s+(?:for|on|about|regarding|concerning)\s+(?P<x>.{1,160})$",
                    "What are the rules for gifts at Corvane", "What rules were broken", "analysts' forms"),
)  # fmt: skip
_NAMES: dict[str, str] = {
    "definition": "Definition of {}",
    "process": "Process/mechanism of {}",
    "causal": "Reasons: {}",
    "evaluation": "Strengths and weaknesses of {}",
    "application": "Applications of {}",
}
_PARTS = linear(
    r"(?i)^how\s+(?:do|does)\s+(?P<parts>.{1,160}?)\s+(?:work|function|operate|interact)\s+(?:in|inside|within)\s+(?P<whole>.{1,120})$"
)
_JUDGED = linear(
    r"(?i)^(?P<x>.{1,160}?)\s+(?:is\s+|are\s+)?(?P<judged>important|matters?|useful|necessary|needed|popular|relevant|hard|difficult|effective|"
    r"expensive|dangerous|risky)$"
)
_VERBAL = linear(
    r"(?i)^(?P<x>(?:\S{1,40}\s+){0,5}?\S{1,40}?)(?:['’]s)?\s+(?:start|begin|began|end|fall|fell|rise|rose|grow|grew|become|became|change|changed|"
    r"matter|need|use|uses|used|affect|affects|influence|influences|impact|impacts|lead|leads|cause|causes|help|helps|hurt|hurts|"
    r"improve|improves|reduce|reduces|increase|increases|decline|declined|fail|fails|lose|lost|make|makes|made|happen|happened|"
    r"considered|called|known|better|worse|sued|fined|prevent|prevents|avoid|avoids|handle|handles|scale|scales|train|trained|"
    r"buy|sell|invest|perform|resist|respond|pay|plan|compete|compare|differ|get|have|take|move|leave|drop|raise|cut|shut|win|"
    r"acquire|merge|split|issue|delay|recall|settle|sue|launch|release|add|adopt|keep|want|develop)(?:\s+.{0,200})?$"
)
_INSTALL = linear(
    r"(?i)^(?:i|we|you|one|to)\s+(?P<verb>[a-z]{2,20})\s+(?P<thing>.{1,120})$|^(?P<verb2>(?:install|use|create|configure|run|build|write|set\s+up|add|get|make|"
    r"enable|deploy|start|update|change|remove|convert|load|read|save)\w{0,3})\s+(?P<thing2>.{1,120})$"
)
RISKS = linear(r"risks?|threats?|challenges?|dangers?|main|key|major|top")
HISTORY = "Historical context"
HISTORY_IMPORTANCE = 0.6  # below 0.8: optional


def content(text: str) -> tuple[str, ...]:
    """The words of `text` that a search can use, in order, without repeats; hyphenated words stay in one piece."""
    whole = re.findall(r"[^\W_][\w’'.&-]*", without_asking(text).lower())
    bare = (word.strip("’'.&-") for word in whole)
    return as_tuple(word for word in bare if word not in STOP_WORDS)


def split_items(text: str) -> list[str]:
    """`"A, B and of the C"` as its items, articles and a repeated "of" dropped."""
    return list(as_tuple(ARTICLE.sub("", part.strip()) for part in _SEPARATOR.split(text) if part and part.strip()))


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


A_NAME = r"(?:the )?[A-Z][\w.&-]{0,30}(?: [A-Z][\w.&-]{0,30}){0,4}"


def with_head(kinds: Sequence[str], head: str) -> list[str]:
    """“legal and supply” → "legal risks", "supply risks"; only to the last one where another says the head itself."""
    if any(kind.split()[-1] == head for kind in kinds):
        return [*kinds[:-1], f"{kinds[-1]} {head}"]
    return [f"{kind} {head}" for kind in kinds]


def are_names(items: Sequence[str]) -> bool:
    """Whether there are several, each with a capital at its beginning."""
    return len(items) >= 2 and all(item[:1].isupper() for item in items)


_OF_ITS_OWN = linear(
    rf"^(?P<topic>[a-z][a-z-]{{2,30}}(?:\s[a-z][a-z-]{{1,30}}){{0,3}})\s+(?:of|for|at|facing)\s+(?P<thing>{A_NAME})$"
)


def things_and_topics(items: Sequence[str], topics: Sequence[str]) -> list[tuple[str, str]]:
    """Each item with each of the `topics`: of “the risks of A and the policy of B” the policy is that of B."""
    own = [_OF_ITS_OWN.match(item) for item in items]
    if own[0]:
        own = [None] * len(items)  # "the causes of the fall of A and the rise of B"
    results: list[tuple[str, str]] = []
    for item, match in zip(items, own, strict=True):
        results += [(match["thing"], match["topic"])] if match else [(item, topic) for topic in topics]
    return results


_ASKS = linear(_ASKED, re.IGNORECASE)
_OWNED = linear(rf"(?P<who>{A_NAME})['’]s?(?:\s+(?P<topic>[a-z][\w-]{{1,30}}(?:\s[\w-]{{1,30}}){{0,4}}))?")


def owned_topics(clause: ParsedClause) -> list[QueryAspect]:
    """“A's T1 and B's T2”, “A's and B's T”: each of its own, or of the one behind it; [] unless there are several."""
    owned = [_OWNED.fullmatch(part) for part in split_items(_ASKS.sub("", clause.text))]
    topic, aspects = "", list[QueryAspect]()
    for match in reversed(owned):
        topic = match["topic"] or topic if match else ""
        if match is None or not topic:
            return []
        aspects.insert(0, about(clause, match["who"], topic))
    return aspects if len(aspects) > 1 else []


def about(clause: ParsedClause, item: str, topic: str) -> QueryAspect:
    """`topic` of one item, as an aspect; its words are one key word, without "risks" unless that is all."""
    name = f"{upper_first(topic)} of {item}"
    sides = (" ".join(word for word in content(side) if not RISKS.fullmatch(word)) for side in split_items(topic))
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
    whole = ARTICLE.sub("", match.group("whole"))
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


_EFFECT_ON = linear(
    rf"(?i){_ASKED}(?:effects?|impacts?|influence)\s+of\s+(?P<cause>[^?]{{2,120}}?)\s+on\s+(?P<x>[^?]{{2,160}})$"
)


# "How do tariffs hit Apple compared with Amazon", "… affect A and B differently".
_SET_BESIDE = linear(
    rf",?\s(?:(?:as\s)?(?:compared|opposed)\s(?:with|to)|versus|vs\.?|relative\sto)\s(?P<name>{ONE_NAME})(?=\s?$)"
)
_DIFFERENTLY = re.compile(r"(?i)\sdifferently$")


def effects(clause: ParsedClause) -> list[QueryAspect]:
    """“How do A and B affect X and Y”, "impact of A on X and Y": one aspect per cause and named thing.

    [] unless there are several.
    """
    plain = _DIFFERENTLY.sub("", clause.text)
    clause = replace(clause, text=_SET_BESIDE.sub(r" and \g<name>", plain))
    affecting = (row.regex.match(clause.text) for row in TYPED if "cause>" in row.pattern)
    match = next(filter(None, affecting), None) or _EFFECT_ON.match(clause.text)
    aspects = _effects(clause, match["cause"], match["x"]) if match else []
    return aspects if len(aspects) > 1 else []


def told(clause: ParsedClause) -> list[QueryAspect]:
    """“How is X doing”, "What changed for X", "Tell me all about X": what is said of X; [] for other shapes."""
    for row in TOLD:
        match = row.regex.match(clause.text)
        if match is not None:
            groups = match.groupdict()
            thing = f"{groups.get('x') or groups.get('y') or ''}{groups.get('rest') or ''}"
            return [topic(clause, thing)]
    thing = to_be_told(clause.text)
    is_topic = thing and not (begins_to_ask(thing) or _IS_PLANNED.match(thing))
    return [topic(clause, thing)] if is_topic else []


def to_be_told(text: str) -> str:
    """The thing of which a text only wants to be told, "what is the latest on A", "sum up A"; empty for another text."""
    if _STATES.match(text):
        return ""
    found, tells = 0, False
    for word in _WORD.finditer(text[:_LONGEST_FRAME]):
        said = word[0].lower()
        if said == "about" or (tells and said in _TELLS_OF) or (said in _SUMS_UP and not found):
            found = word.end()
        elif said not in _FRAME:
            break
        tells = tells or said in _TO_BE_TOLD
    thing = text[found:].strip()
    return thing if found and content(thing) else ""


_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LONGEST_FRAME = 100  # characters
# "Has the status of A changed", "known for its bridge", "at about what time".
_STATES = re.compile(
    r"(?i)(?:has|known|at|up|in|on|for|to|with)\s|what\s+(?:can|could|should)\s(?:[a-z]{1,20}\s){1,2}(?:do|done)\s+about\s"
)
_TELLS_OF = {"at", "between", "concerning", "for", "in", "of", "on", "regarding", "to", "up", "with"}
_SUMS_UP = {"summarise", "summarize", "recap", "outline", "tldr"}
_TOLD_WORDS = """
background changed details everything anything something all going got happening information known latest new news
picture recap situation state status sum summary synopsis up update updates written
"""
_ASKING_WORDS = """
a an any are brief can concise could current currently do executive find five give has have high-level i is know like me
more most need now one one-page one-paragraph one-sentence please present quick recent s say short show some tell that
the there three two up us want we what would you
"""
_TO_BE_TOLD = frozenset(_TOLD_WORDS.split())
_FRAME = _TO_BE_TOLD | _TELLS_OF | {*_ASKING_WORDS.split()}
# What has a plan of its own.
_IS_PLANNED = re.compile(r"(?i)(?:the\s+)?(?:[a-z]{1,20}\s+)?(?:risks?|advantages|disadvantages|differences?)\b")


# Several of a kind, of somebody named: "JPMorgan's legal troubles", "labour problems at Amazon".
_KINDS_OF = (
    re.compile(
        rf"(?P<who>{A_NAME})['’]s? (?P<topic>(?:[a-z-]{{2,20}} ){{1,2}}"
        r"(?:risks|threats|challenges|problems|troubles|issues|difficulties))"
    ),
    re.compile(
        rf"(?P<topic>[A-Za-z][a-z-]{{1,30}}(?: [a-z-]{{1,30}}){{0,2}}(?<=[a-rt-z])s) (?:at|of|facing|for) (?P<who>{A_NAME})"
    ),
)


def topic(clause: ParsedClause, thing: str) -> QueryAspect:
    """What is said of a thing; several of a kind that somebody has are a facet of them."""
    for pattern in _KINDS_OF:
        if match := pattern.fullmatch(thing.strip()):
            return about(clause, match["who"], match["topic"])
    name = upper_first(ARTICLE.sub("", thing.strip()))
    measure = _MEASURED.search(name)
    kind: AnswerKind = "report" if measure is None else "amount" if measure["money"] else "number"
    return QueryAspect(name, "entity", 1.0, content(name), clause.span, answer_kind=kind)


# "Acme market share", "kiln revenue" ask for a number, and no text that tells of kilns.
_MEASURED = linear(
    r"(?i)(?<=\S\s)(?:(?P<money>revenues?|capex|ebitda|(?:stock|share)\s+price|market\s+cap|(?:costs?|revenue|sales)\s+per\s+\w{2,20})"
    r"|(?:customers?|subscribers?|users?|parameters?|share|unit)\s+count|headcount|market\s+share|hedge\s+ratio)$"
)


def typed(clause: ParsedClause) -> list[QueryAspect]:
    """Definition, process, causal, evaluation and application clauses, one aspect per thing asked about."""
    for row in TYPED:
        match = row.regex.match(clause.text)
        if match is not None:
            return _typed_items(clause, row.kind, match.groupdict())
    return []


_ONE_FIRM = linear(r"[A-Z][\w&.-]{0,30}(?:\s[A-Z][\w&.-]{0,30})?")  # what it does is what it is: "What does Pfizer do?"


def _typed_items(clause: ParsedClause, kind: AspectType, groups: dict[str, str | None]) -> list[QueryAspect]:
    subject = ARTICLE.sub("", (groups["x"] or "").strip())
    where = ARTICLE.sub("", groups.get("where") or "")
    if where != where.lower():  # "the policy" is the one that says so
        subject = f"{subject} in {where}"
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
        case "definition" if cue == "do" and not _ONE_FIRM.fullmatch(subject):
            return [replace(typed_aspect(kind, subject, clause.span), aspect=f"Purpose of {subject}")]
    items = split_items(subject) if _is_plain_list(subject) else [subject]
    side = cue if kind == "evaluation" else ""
    return [aspect for item in items for aspect in _typed_item(clause, kind, item, items[0], side)]


_ITS = linear(r"(?i)^(?:its|their)\s+(?=[a-z])")


def _typed_item(clause: ParsedClause, kind: AspectType, item: str, first: str, side: str) -> list[QueryAspect]:
    """One of the things asked about, or the `side` of it; “A and its limits” asks for the limits of A."""
    owned = _ITS.match(item)
    if owned is None or item == first:
        aspect = typed_aspect(kind, item, clause.span)
        return [cued(aspect, side) if side else aspect]
    topic = item[owned.end() :]
    return typed(replace(clause, text=f"what are the {topic} of {first}")) or [about(clause, first, topic)]


def cued(aspect: QueryAspect, cue: str) -> QueryAspect:
    """The evaluation that was asked for: "Disadvantages of X" rather than both sides."""
    name = f"{upper_first(cue)} of {aspect.subject}"
    words = content(cue.replace("/", " "))
    return replace(aspect, aspect=name, keywords=as_tuple([*aspect.keywords, *words]))


def _effects(clause: ParsedClause, cause: str, affected: str) -> list[QueryAspect]:
    """“How do A and B affect X and Y”: the effect of each cause on each named thing."""
    if _is_plain_list(cause):
        causes = split_items(cause)
    else:
        causes = [ARTICLE.sub("", cause)]
    things = split_items(affected)
    things = things if are_names(things) else [affected]
    if not are_names(things):
        causes = [ARTICLE.sub("", cause)]
    return [_effect(clause, what, thing) for thing in things for what in causes]


def _effect(clause: ParsedClause, cause: str, thing: str) -> QueryAspect:
    is_name = all(word[:1].isupper() for word in thing.split())
    if is_name and content(cause) and len(cause.split()) <= _LONGEST_CAUSE:  # the effect of competition is a topic of A
        return replace(about(clause, thing, cause), aspect=f"Effect of {cause} on {thing}")
    keywords = as_tuple([*content(cause), *content(thing)])
    subject = thing if thing[:1].isupper() else cause
    return QueryAspect(f"Effect of {cause} on {thing}", "causal", 1.0, keywords, clause.span, subject=subject)


_LONGEST_CAUSE = 3  # words
_CUE_NAMES = {"caus": "Causes of {}", "reas": "Reasons for {}", "effe": "Effects of {}", "impa": "Effects of {}",
              "cons": "Consequences of {}", "impo": "Importance of {}", "infl": "Influence of {}", "lead": "Causes of {}",
              "led ": "Causes of {}", "is b": "Causes of {}", "are ": "Causes of {}", "was ": "Causes of {}",
              "were": "Causes of {}", "lies": "Causes of {}", "lay ": "Causes of {}", "driv": "Causes of {}", "drov": "Causes of {}"}  # fmt: skip


_FOR_WHOM = linear(r"(?i)\b(?:consequences?|effects?|impacts?)\s+(for|on)\s")
_IS_MANY = re.compile(r"(?<![su])s$|\sand\s")


def _causal(clause: ParsedClause, subject: str, cue: str, adjective: str) -> QueryAspect:
    """“X important” is about X; a whole sentence stays as it was asked, about its first name or words."""
    if cue:
        name = _CUE_NAMES[cue.lower()[:4]].format(subject)
        if (on := _FOR_WHOM.search(clause.text)) and name.startswith(("Consequences of", "Effects of")):
            name = name.replace(" of ", f" {on[1]} ", 1)
        if adjective and not RISKS.fullmatch(adjective.strip().lower()):
            name = upper_first(f"{adjective}{name[:1].lower()}{name[1:]}")
        return QueryAspect(name, "causal", 1.0, content(subject), clause.span, subject=subject)
    judged = _JUDGED.match(subject)
    if judged:
        thing = judged.group("x")
        verb = judged.group("judged").lower()
        if verb in ("important", "matter", "matters"):
            name = f"Importance of {thing}"
        else:
            name = f"Why {thing} {'are' if _IS_MANY.search(thing) else 'is'} {verb}"
        return QueryAspect(name, "causal", 1.0, content(subject), clause.span, subject=thing)
    return QueryAspect(
        upper_first(clause.text), "causal", 1.0, content(subject), clause.span, subject=_thing_of(subject)
    )


def _thing_of(sentence: str) -> str:
    """What a sentence without its auxiliary speaks of: the words before its verb, or its first name."""
    verbal = _VERBAL.match(sentence)
    if verbal:
        return ARTICLE.sub("", verbal.group("x"))
    named = [name.text for name in names(sentence) if name.kind in ("name", "acronym")]
    if len(sentence.split()) in (2, 3):
        short = sentence.rsplit(" ", 1)[0]
    else:
        short = sentence
    return named[0] if named else short


_DOES = re.compile(r"(?i)(?:explain |describe )?how (?:do|does) \S+ \S")


# "How was Frank bought" asks of a deed, and not how a "Frank bought" works.
_DONE_TO = linear(
    r"(?i)^how\s+(?:is|are|was|were)\s+\S.{0,160}\s(?:(?!comput|calculat|measur|determin|estimat|train)[a-z]{2,20}ed|bought|sold|made|built|paid|hit|cut|found|run|done|lost|won|kept|held)(?:\s(?:in|by|at|from|under|for|with|of|to|on)\s.{1,80})?$"
)


def _process(clause: ParsedClause, subject: str) -> QueryAspect:
    task = _INSTALL.match(subject)
    if task:
        verb = task.group("verb") or task.group("verb2")
        thing = task.group("thing") or task.group("thing2")
        keywords = as_tuple([*content(thing), *content(verb)])
        name = f"How to {verb} {thing}"
        subject = re.split(r"\s(?:as|with|on|in|for|from)\s", ARTICLE.sub("", thing))[0]
        return QueryAspect(name, "process", 1.0, keywords, clause.span, subject=subject)
    # "How does A stop B from C" has its verb inside, and the mechanism is not that of "A stop B".
    is_verb_inside = _DOES.match(clause.text) is not None and clause.text.endswith(subject)
    happened = clause.text.lower().startswith("how did ") or is_verb_inside or _DONE_TO.match(clause.text) is not None
    if not happened and _VERBAL.match(subject) is None and len(subject.split()) <= 6:
        return typed_aspect("process", subject, clause.span)
    name, thing = upper_first(clause.text), _thing_of(subject)
    return QueryAspect(name, "process", 1.0, content(subject), clause.span, subject=thing)


def _is_plain_list(subject: str) -> bool:
    """Whether a conjunction joins short things of one kind, not parts of one name or sentence."""
    items = split_items(subject)
    if len(items) < 2 or " of " in subject:
        return False
    return all(len(words(item)) <= 4 for item in items)


_ASKS_A_MEANING = re.compile(r"(?i)^(?![^?]{1,200}['’]s\s)(?:define\s|what\s+(?:do|does)\s.{1,100}\smean$)")
_QUOTED = re.compile(r"[\"“‘'][^\"“”]{1,80}[\"”’']")


def is_concept(clause: str, subject: str) -> bool:
    """Whether "what is X" asks what X is, and not for a fact: "the capital of France", "Tesla's revenue"."""
    if len(subject.split()) > 6 or dangles(subject) or kind_of_answer(clause) not in ("definition", "report", "fact"):
        return False
    if _ASKS_A_MEANING.match(clause) or _QUOTED.fullmatch(subject):
        return True
    return not re.search(
        r"^(?:said|known|reported|written|happening|going|new|wrong)\b|^(?:paid|given|spent|sold|made|done|left|lost)\s+(?:for|to|by|in|of|on|at|over)\b|ed\s+(?:in|by|for|on|with|to)\s|\b(?:of|that|which|who|whose|where|when|by|from|if|before|after|since|until)\b|['’]s?\s"
        r"|^(?:[a-z]{2,12}est|most)\s"
        r"|^(?:problem|plan|worry|concern|trouble|deal|fuss|catch|danger|threat|case)s?\s(?:for|with|at|about|against|behind)\s",
        f"{subject} ",
        re.IGNORECASE,
    )
