"""Clauses about one thing after the other: relation chains, a choice of two, and plain facts."""

from __future__ import annotations

import re
from dataclasses import replace

from adaq_core.model import AnswerKind, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import (
    QUESTION_WORD,
    begins_to_ask,
    dangles,
    first_kind,
    kind_of_answer,
    linear,
)
from adaq_core.question.aspect_patterns import (
    content,
    topic,
    typed_aspect,
)
from adaq_core.question.parse import ParsedClause
from adaq_core.question.topic_lists import DECIDED_BY, fact_about
from adaq_core.text.entities import names, not_owning
from adaq_core.text.tokens import STOP_WORDS, tokens, upper_first

_OF_TIME = linear(r"(?i)\b(?:quarter|year|period|months?|weeks?|half)$")
_RELATION = linear(
    r"\bthe\s+(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,3}?)\s+of\s+(?P<rest>(?:the\s+)?.{1,300})$"
)
_INNER = linear(r"^(?:the\s+)?(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,2}?)\s+of\s+(?P<rest>.{1,300})$")
_LAST_THING = linear(
    r"^(?:the\s+)?(?P<kind>(?:[a-z][\w-]{0,30}\s+){0,3}?)(?P<name>[\"“][^\"”]{1,120}[\"”]|[A-Z0-9][\w.'’&:-]{0,40}(?:\s+(?:(?:of|the|and|de|la|van|von|in|on|for|to)\b|&|[A-Z0-9(][\w.'’&:)-]{0,40})){0,14})"
)
# Relations of two nouns that are one step: the blank between them is written "_" while a chain is cut.
_ONE_STEP = linear(
    r"(?i)\b(?P<of>(?:place|date|cause|time|year|month|day|country|city|state|manner)\s+of\s+(?:birth|death|origin|citizenship|burial|release|residence|publication|marriage)"
    r"|head\s+of\s+(?:state|government)|board\s+of\s+directors|chief\s+of\s+staff|secretary\s+of\s+\w{1,20}|minister\s+of\s+\w{1,20}|"
    r"chairman\s+of\s+the\s+board|director\s+of\s+photography|(?:cost|costs)\s+of\s+(?:sales|goods\s+sold|revenue)|terms\s+of\s+service|"
    r"(?:rate|return)\s+of\s+(?:return|exchange)|country\s+of\s+origin|seat\s+of\s+government|university\s+of\s+(?=[A-Z]))"
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
_ROLE_AT_END = linear(rf"(?i)(?:^|\s)(?:{_ROLE}s?|\w+\s+of\s+(?:birth|death|origin|burial|citizenship))$")
_OPENS = r"(?:Is|Are|Was|Were|Do|Does|Did|Has|Have|Had|Can|Could|Should)"  # a question, and is no part of a name
_POSSESSIVE = linear(
    rf"(?P<name>(?!{_OPENS}\s)(?:[A-Z0-9][\w.&’-]{{0,30}})(?:,?\s(?:of|the|de|van|von|[A-Z0-9][\w.&’-]{{0,30}})){{0,6}})['’]s?\s+(?P<relation>{_KIN})\b(?!['’-])(?!\s[a-z]{{2,20}}\sofficer\b)"
)
_OF_OWNED = linear(r"\bthe\s+(?P<relation>[a-z][\w'-]{0,30}(?:\s+[a-z][\w'-]{0,30}){0,3})\s+of\s+$")
_TITLE = r"(?:[A-Z0-9\"“].{0,100}?)"
_ROLE_OF_TWO = linear(
    rf"(?i)^which\s+\w{{1,20}}\s+(?:(?:has|have|had)\s+the|whose)\s+(?P<role>{_ROLE})\s+(?:(?:who|that|which)\s+)?(?P<asked>[^,]{{3,80}}?)(?:\s+than\s+the\s+other)?,\s+(?P<a>{_TITLE})\s+or\s+(?P<b>{_TITLE})$"
)
_ROLES_OF_TWO = linear(
    rf"^(?i:do|does|did|are|were|is|have|has)\s+(?i:both\s+)?(?i:the\s+)?(?P<role>(?i:{_ROLE}s?))\s+of\s+(?:(?i:both|the|films?|movies?|songs?|books?|series)\s+){{0,3}}(?P<a>{_TITLE})"
    rf"\s+and\s+(?:(?i:the\s+)?(?i:{_ROLE})\s+of\s+)?(?:(?i:the|film|movie|song|book)\s+){{0,2}}(?P<b>{_TITLE})\s+(?P<asked>(?:both\s+)?(?:have|has|share|from|of|born|come|came|live|lived|located|die|died)\b.{{0,80}})$"
)
_CHOICE = linear(
    r"(?i)^(?P<ask>(?:which|who|whose|what)\b[^,]{3,120}?)[,:]\s+(?P<a>[\"“A-Z0-9].{1,100}?)\s+or\s+(?P<b>.{1,100})$"
)
_RELATIVE_LINK = linear(
    r"\b(?:the|a|an)\s+(?P<thing>(?:[\w'’-]{1,30}\s+){1,6}?)(?P<how>who|that|which|where|whose|in\s+which|at\s+which|for\s+which|during\s+which)\s+(?P<what>.{1,240})$",
)
# "The penalty for a company that breaks the rules again": a case that may come up, and no company to be found.
_ANY_CASE = linear(r"(?i)\b(?:for|if|when|on|against)\s+an?(?:\s[\w'’-]{1,30}){1,6}\s?$")
_INVERTED = linear(r"(?i)\b(?:do|does|did|has|have|can|could|will|would)\s+$")
_FINITE = linear(r"(?i)\b(?:is|are|was|were|do|does|did|has|have|had)\b")
_ORDER = linear(
    r"(?i)^(?:list|name|identify|enumerate|give(?:\s+me)?|find|show(?:\s+me)?|tell\s+me\s+about)\s+(?:(?:all|every|each|the|of|any)\s+){0,3}"
)
LONGEST_NAME = 96  # characters of an aspect's name
_BARE_PHRASE = 4  # words of a question that is a mere name
_LONG_SUBJECT = 10  # words
_LONG = 16  # words from which a clause is cut at its relative clauses
_AT_LEAST = 2  # terms of a piece
_MOST_LINKS = 3  # of a chain
_NO_RELATION = frozenset(
    ("name", "names", "list", "number", "identity", "title", "titles", "amount", "value", "kind", "type")
)
_MORE_NOUN = linear(
    r"\s+(?!(?:born|die|died|dies|work|works|worked|live|lives|lived|from|educated|graduate|graduated|win|won|play|played|"
    r"study|studied|buried|married|established|founded|released|located|formed|end|ended|begin|began)$)[a-z]{3,20}$"
)
_HAS_VERB = linear(r"(?i)\b(?:who|that|which|where|whose)\b")
_MOST_ASKED = 6  # words asked of a link; more of them are no relation
_ASKS_WHICH = linear(rf"(?i)(?:\w{{1,8}}\s+)?{QUESTION_WORD}\b")


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


_OLDER = (
    linear(
        r"(?i)^(?:is|are|was|were)\s+(?P<a>.{1,80}?)\s+or\s+(?P<b>.{1,80}?)\s+(?:the\s+)?(?P<how>older|younger)(?:\s+one)?$"
    ),
    linear(
        r"(?i)^which(?:\s+(?:company|firm|bank|business|one|of\s+(?:them|the\s+two)))?\s+(?:is|are|was|has)\s+(?:the\s+)?(?P<how>older|younger|longer\s+history)(?:\s+(?:one|company|firm|bank))?[,:]\s+(?P<a>.{1,80}?)\s+or\s+(?P<b>.{1,80}?)$"
    ),
    linear(
        r"(?i)^(?:is|are|was|were)\s+(?P<a>.{1,80}?)\s+(?P<how>older|younger)\s+than\s+(?P<b>.{1,80}?)(?:\s+(?:is|was))?$"
    ),
)


def older_of_two(clause: ParsedClause) -> list[QueryAspect]:
    """“Is A or B older?”, “Is A older than B?”: when each began; what they are is not asked."""
    match = next((found for pattern in _OLDER if (found := pattern.match(clause.text))), None)
    if match is None or not (match["a"][:1].isupper() and match["b"][:1].isupper()):
        return []
    sides = [match[side].removeprefix("the ") for side in ("a", "b")]
    return [_began(clause, thing) for thing in sides]


def _began(clause: ParsedClause, thing: str) -> QueryAspect:
    """When a thing or a person began: what tells its age."""
    keywords = as_tuple([*content(thing), "founded", "born"])
    return QueryAspect(
        f"{thing}: founded or born", "entity", 1.0, keywords, clause.span, subject=thing, answer_kind="date"
    )


# "Which of the papers were closed, merged or taken over?" chooses among the papers.
_OF_MANY = linear(
    r"(?i)which\s+of\s+(?:the|our|these|those)\s(?!two\b).{2,80}\s(?:is|are|was|were|has|have|had|did|do)\s"
)


_OF_COMPANIES = linear(r"(?i)^(?:which|what)\s(?:company|firm)\b")
# "Who drove the van, A or somebody else?" asks who did, and sets nothing beside A.
_ANYBODY_ELSE = linear(r"(?i)(?:some|any)(?:one|body|thing|where)\selse")


def choice_of_two(clause: ParsedClause) -> list[QueryAspect]:
    """“Which film was released first, A or B?”: what decides, for A and for B, whatever signs their titles hold."""
    match = _CHOICE.match(clause.text)
    if match is None or match.group("b").count(" or ") or match.group("a").count(" or "):
        return []
    if _OF_MANY.match(match.group("ask")) or _ANYBODY_ELSE.fullmatch(match.group("b")):
        return []
    kind = first_kind(DECIDED_BY, match.group("ask")) or "fact"
    asked = _OF_COMPANIES.sub("", match.group("ask"))
    rest = as_tuple(word for word in content(asked) if word not in _BARE)
    sides = [match[side].strip(" ,") for side in ("a", "b")]
    things = [re.sub(r"^(?:the|a|an)\s+", "", side, flags=re.IGNORECASE) for side in sides]
    owner = re.match(r"[A-Z][\w.&-]{1,30}['’]s ", things[0])
    if owner:  # "A's capital spending or its cash flow"
        things[1] = re.sub(r"^(?:its|their) ", owner.group(), things[1])
    return [replace(fact_about(clause, thing.strip('"“”'), rest), answer_kind=kind) for thing in things]


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
    if match is None or names(clause.text[match.end() :]) or _is_compound(clause.text, match):
        return []
    thing = match.group("name")
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


_ANY_COPULA = linear(r"(?i)\b(?:is|are|was|were|became|over|about|for)\s+(?:the\s+)?$")
_NOUN_BEHIND = linear(r"\s+(?:of\s|(?!\w{2,20}(?:ed|en|rn|wn|ne|de|ld|ried)\b)(?P<word>[a-z]{3,24})\b)")


def _is_compound(text: str, owned: re.Match[str]) -> bool:
    """Whether the relation is but part of what is asked for: "Where is A's head office?", "Who is A's head of B?"."""
    behind = _NOUN_BEHIND.match(text, owned.end())
    if behind is None or _ANY_COPULA.search(text[: owned.start()]) is None:
        return False
    return behind["word"] is None or not (behind["word"] in STOP_WORDS or begins_to_ask(behind["word"]))


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
    if _ANY_CASE.search(text[: last.end("thing")]):
        return None
    what = last.group("what")
    thing = last.group("thing").split()
    if _OF_TIME.search(last.group("thing")) or thing[-1].istitle():  # a time, or a name: "the Russians that he …"
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
    r"(?i)^(?:when|where)\b|\b(?:born|die|died|death|birth|nationality|country|city|educated|graduated|studied|study|buried|married|"
    r"award|position|work|works|worked|genre|university|school|spouse|wife|husband|child|children|from)\b"
)
_BARE_WORDS = "who what which is was were are the of a an did does do name when where whose whom"
_BARE = frozenset(_BARE_WORDS.split())


def _outside(clause: ParsedClause, relations: list[str], thing: str) -> tuple[str, ...]:
    carried = {not_owning(w) for text in (*relations, thing) for w in content(text)}
    asked = [w for w in content(clause.text) if not_owning(w) not in carried and w not in _BARE]
    when = re.match(r"^(when|where)\b", clause.text, re.IGNORECASE)
    if asked:
        return (*([when.group(1).lower()] if when else []), *asked)
    return ()


def _asked(clause: ParsedClause, rest: tuple[str, ...], of: str, *, after: str) -> QueryAspect:
    words = {"when": "date", "where": "place"}
    keywords = tuple(words.get(word, word) for word in rest)
    name = f"{upper_first(' '.join(rest))}: {of}"
    return QueryAspect(name, "relation", 1.0, keywords, clause.span, depends_on=after, answer_kind=clause.kind)


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
    r"(?i)^what\s+(?:is|are|was|were)\s+(?!(?:said|known|reported|written)\b)(?:the\s+)?(?P<x>.{1,200}?)(?:\s(?:about|like|for))?$"
)
_SAID_ABOUT = linear(
    r"(?i)^what\s+(?:is|was|has\s+been)\s+(?:said|known|reported|written)\s+(?:about|of|on)\s+(?:the\s+)?(?P<x>.{1,200})$"
)
_SOFT = linear(
    r"(?i),\s+(?:(?:and|but)\s+)?(?=(?:who|which|has|is|was|had|also)\b)|\s+(?:and|but)\s+(?=(?:who|which|has|is|was|had)\b)"
)
_DESCRIBED = linear(
    rf"(?i)^(?:{QUESTION_WORD})\s+(?:(?:is|are|was|were)\s+)?(?:the\s+|an?\s+)?(?P<head>(?:[a-z][\w'’-]{{0,30}}\s+){{0,3}}[a-z][\w'’-]{{0,30}})"
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
