"""Plan: a question becomes the aspects that the evidence has to cover."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adaq_core.errors import InputError
from adaq_core.model import AnswerKind, Constraint, QueryAspect, as_tuple
from adaq_core.question import aspect_patterns as shapes
from adaq_core.question import relation_chains as chains
from adaq_core.question import topic_lists as lists
from adaq_core.question.answer_kinds import IMPERATIVES, POLITE_WORDS, dangles, kind_of_answer, linear, stood_for
from adaq_core.question.comparisons import comparison
from adaq_core.question.conditions import conditions, named_things
from adaq_core.question.labels import frame_of_each
from adaq_core.question.parse import ParsedClause, ParsedQuestion, of_what_came, parse, resolved, speaks_back
from adaq_core.question.query_templates import FacetProfile
from adaq_core.text.entities import countries_in, names
from adaq_core.text.tokens import terms_of, tokens
from adaq_core.text.values import MONTH_NAMES, dates

RISK_PROFILE = "company_risk"
MAX_WORDS = 2_000
MAX_CHARACTERS = 20_000
MAX_ASPECTS = 25  # of a plan
# Shapes are looked for in clauses up to this length; a longer one is a statement, not a question of a known shape.
_LONGEST_CLAUSE = 420  # characters that patterns are tried on
_LONGEST_THING, _LONGEST_REASON = 6, 16
_NO_THING = frozenset(("which", "what", "who", "in", "after", "before", "does", "did", "are", "is", "from", "that"))
_HAS_CLAUSE = frozenset(("that", "which", "who", "whose"))
_NO_TOPIC = frozenset(["which", "what", "who", "whose", "when", "where", "featured", "known", "listed"])
_UNASKED = """
face facing top main key major biggest important difference different differ vs versus work role use used meaning affect
influence impact examples applications steps step process led lead caused cause event reason name happened relate many
much mean better worse best overview various terms regard kind type certain several some way one two three year
stand meant drove every challenges threats dangers headwinds reliable according per reported based given finally
else summary recap synopsis following one-paragraph two-paragraph one-sentence two-sentence one-page formula equation
firms company
"""
_ASKING_WORDS = terms_of(" ".join((_UNASKED, *IMPERATIVES, *POLITE_WORDS)))
_KIND_OF_TYPE: dict[str, AnswerKind] = {
    "definition": "definition",
    "comparison": "comparison",
    "process": "way",
    "causal": "reason",
    "evaluation": "list",
    "application": "list",
}
_TIE = "\u203f"  # a word character that no question holds
# "The quarter ended July 1, 2023, A or B": the first comma divides nothing.
_COMMA_IN_DATE = linear(rf"(?i)\b((?:{MONTH_NAMES}) \d{{1,2}}), ((?:19|20)\d\d)(?=[,:])")
_PAIRS = """
research and development|sales and marketing|selling and marketing|general and administrative
selling, general and administrative|depreciation and amortization|property and equipment|property, plant and equipment
cash and cash equivalents|profit and loss|supply and demand|terms and conditions|oil and gas|trial and error
mergers and acquisitions|goods and services
"""
_FIXED_PAIRS = linear(rf"(?i)\b(?:{'|'.join(_PAIRS.split(chr(10))[1:-1])})\b")
_LOOKED_UP = ("amount", "number", "date", "place", "person")
_ALSO_ASKED: dict[str, tuple[AnswerKind, ...]] = {"comparison": ("choice", "yes_no"), "process": ("report",)}


@dataclass(frozen=True, slots=True)
class Plan:
    """The aspects of a question, the words that none of them carries, and the facet profile that was used.

    `notes` say in sentences what a reader of the plan has to know: another language, a question that names nothing.
    """

    aspects: tuple[QueryAspect, ...]
    lost: tuple[str, ...] = ()
    profile: str | None = None
    notes: tuple[str, ...] = ()


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # nobody sees them: "a", a zero byte and "b" would be shown as "ab"


def checked(question: str) -> str:
    """The question on one line, without control characters; InputError when it is empty or too long to be one."""
    if len(question) > MAX_CHARACTERS * 5:
        count = question.count(" ") + 1
    else:
        text = " ".join(_CONTROL.sub(" ", question).split())
        if not re.search(r"\w", text):
            raise InputError(
                "The question is empty: write what you want to know, for example “Top risks facing Tesla in 2025”."
            )
        count = len(text.split())
        if count <= MAX_WORDS and len(text) <= MAX_CHARACTERS:
            return text
    raise InputError(
        f"The question has {count:,} words; up to {MAX_WORDS:,} (and {MAX_CHARACTERS:,} characters) can be planned. "
        "Ask the question in a few sentences and add long texts to a corpus instead."
    )


def reworded(aspect: QueryAspect, wording: str) -> QueryAspect:
    """The aspect as a person worded it, read anew; as important as it was, and from the same words of the question."""
    return replace(typed(wording), importance=aspect.importance, span=aspect.span)


def typed(wording: str) -> QueryAspect:
    """The aspect that a person typed: named as typed, with the type and the keywords that planning finds in it."""
    name = " ".join(wording.split())
    first = next(iter(plan(wording, profiles={}).aspects), None)
    if first is None:
        return QueryAspect(name, "facet", keywords=tuple(name.lower().split()), subject=name)
    return replace(first, aspect=name, importance=1.0, span=None, depends_on=None)


def plan(
    question: str,
    *,
    profiles: dict[str, FacetProfile],
    profile: str | None = None,
    fits: Callable[[FacetProfile, str], bool] = lambda *_: True,
) -> Plan:
    """Split `question` into aspects; `profile` attaches a facet profile, else the question may call for one itself.

    `fits` says whether one that it calls for fits its subject; where not, the question is planned without.
    """
    question = checked(question)
    parsed = parse(question)
    aspects, used = _planned(parsed, profiles=profiles)
    if used is not None and not all(fits(profiles[used], subject) for subject in _subjects(aspects, profiles[used])):
        aspects, used = _planned(parsed, profiles={})
    if profile is not None:
        aspects = _with_profile(question, aspects, _known(profile, profiles))
    return finished(question, aspects, profiles=profiles, profile=profile or used)


def _subjects(aspects: Sequence[QueryAspect], profile: FacetProfile) -> set[str]:
    """Of whom the facets of a profile are asked."""
    named = {profile.name_aspect(facet.facet, aspect.subject) for facet in profile.facets for aspect in aspects}
    return {aspect.subject for aspect in aspects if aspect.aspect in named}


def _planned(parsed: ParsedQuestion, *, profiles: dict[str, FacetProfile]) -> tuple[list[QueryAspect], str | None]:
    if not parsed.is_english or not parsed.clauses or parsed.unclear:
        return [_whole(parsed)], None
    aspects: list[QueryAspect] = []
    used: str | None = None
    sources = {condition.text for condition in parsed.conditions if condition.kind == "source"}
    # As often as the question says each, in what it orders too.
    first = parsed.clauses[0].span[0]
    names = [n for n, _ in parsed.names if n not in sources for _ in range(parsed.text.count(n))]
    told = [name for text, (at, _) in parsed.instructions if at < first for name in _told_of(text)]  # why one asks
    lead = _only_owner(told)
    names = [lead] * 3 + names if lead else _owners(names) or _owners(told) or names
    dated = [condition for condition in parsed.conditions if condition.kind in ("date", "period")]
    times: list[str] = []
    is_note = len(parsed.text.split()) > _WORDS_OF_A_BRIEF
    for clause in _at_most(parsed, MAX_ASPECTS):
        if lead and (is_note or not aspects):
            clause = _of_the_told(clause, lead, is_first=not aspects)
        whole = of_what_came(resolved(clause, aspects, names, times=times), aspects)
        start, end = clause.span
        times = [c.text for c in dated if c.span and start <= c.span[0] < end]
        of_clause, called = _clause_aspects(whole, profiles=profiles, is_alone=len(parsed.clauses) == 1)
        aspects += [_kinded(aspect, whole) for aspect in of_clause]
        used = used or called
    return aspects, used


_WORDS_OF_A_BRIEF = 40


def _told_of(text: str) -> list[str]:
    """The names in an instruction; what only heads it is none: "Background: our team …"."""
    return [n.text for n in named_things(text) if text[n.end : n.end + 1] != ":"]


def _only_owner(told: Sequence[str]) -> str:
    """The one firm or thing that is named in front of what is asked; empty where there are several or none."""
    owners = dict.fromkeys(_owners(told))
    return next(iter(owners)) if len(owners) == 1 else ""


def _of_the_told(clause: ParsedClause, told: str, *, is_first: bool) -> ParsedClause:
    """What names nobody, of the one named in front of it: "I write on A. What I want to know is where it stands"."""
    named = _owners([name.text for name in named_things(clause.text)])
    pronoun = _ITS.search(clause.text)
    is_open = pronoun is not None and not any(name in clause.text[: pronoun.start()] for name in named)
    if pronoun and is_open and (is_first or pronoun[0].lower() == "its"):
        owned = f"{told}'s" if pronoun[0].lower() == "its" else told
        return replace(clause, text=f"{clause.text[: pronoun.start()]}{owned}{clause.text[pronoun.end() :]}")
    if named or speaks_back(clause.text):
        return clause
    return replace(clause, text=f"{clause.text} for {told}")


_ITS = re.compile(r"(?i)\bits?\b")


def _whole(parsed: ParsedQuestion) -> QueryAspect:
    """A question that the patterns cannot read is one aspect: itself."""
    if len(parsed.text) <= chains.LONGEST_NAME:
        text = parsed.text
    else:
        text = f"{parsed.text[: chains.LONGEST_NAME]} …"
    keywords = shapes.content(parsed.text)[:40] or (parsed.text,)
    return QueryAspect(text, "entity", 1.0, keywords, (0, len(parsed.text)))


def _at_most(parsed: ParsedQuestion, most: int) -> Sequence[ParsedClause]:
    """The clauses; of too many, neighbours are joined so that all words stay asked."""
    size = -(-len(parsed.clauses) // most)
    if size <= 1:
        return parsed.clauses
    groups = [parsed.clauses[at : at + size] for at in range(0, len(parsed.clauses), size)]
    return [_as_one(group) for group in groups]


def _as_one(group: Sequence[ParsedClause]) -> ParsedClause:
    text = " ".join(clause.text for clause in group)
    span = (group[0].span[0], group[-1].span[1])
    return replace(group[0], text=text, span=span)


def finished(
    question: str, aspects: list[QueryAspect], *, profiles: dict[str, FacetProfile], profile: str | None = None
) -> Plan:
    """A plan of the `aspects`, each once, with the conditions of the question and the words of known facets."""
    parsed = parse(question)
    aspects = [aspect for aspect in aspects if not _only_asks(aspect)] or aspects
    aspects = [_with_synonyms(aspect, profiles.get(RISK_PROFILE)) for aspect in _unique(aspects)]
    planned = tuple(_constrained(aspects, parsed))[:MAX_ASPECTS]
    language = "" if parsed.is_english else _OTHER_LANGUAGE
    notes = tuple(note for note in (parsed.unclear, language) if note)
    return Plan(planned, lost_words(question, planned), profile, notes)


# "Explain like I'm five: what is X?", "Is there anything?" beside what is asked.
_ONLY_ASKS = terms_of("explain anything something idea")


def _only_asks(aspect: QueryAspect) -> bool:
    words = tokens(" ".join(aspect.keywords))
    return bool(words) and _ONLY_ASKS.issuperset(words)


_OTHER_LANGUAGE = "Planning reads English; this question is searched as it stands, as one aspect."


def lost_words(question: str, aspects: tuple[QueryAspect, ...]) -> tuple[str, ...]:
    """The words of `question` that no aspect carries in its name, keywords, subject or constraints.

    Instructions are not counted: they say how to answer, not what.
    """
    asked = _NUMBERED.sub(" ", _without_instructions(parse(question))).strip()
    asked = shapes.to_be_told(asked) or asked
    carried = {*_ASKING_WORDS, *frame_of_each(asked)}
    if lists.risk_subject(ParsedClause(asked, (0, len(asked)))):
        carried |= lists.WORDS_OF_WORRY
    for aspect in aspects:
        carried |= stood_for(aspect.aspect)
        carried.update(tokens(" ".join((aspect.aspect, aspect.subject, *aspect.keywords))))
        carried.update(t for constraint in aspect.constraints for t in tokens(constraint.text))
    return tuple(dict.fromkeys(w for w in shapes.content(asked) if (t := tokens(w)) and not carried.issuperset(t)))


_NUMBERED = linear(r"\((?:[a-h1-9]|i{1,3})\)")  # "(a) …, (b) …"


def _without_instructions(parsed: ParsedQuestion) -> str:
    kept, at = [], 0
    for _, (start, end) in parsed.instructions:
        kept.append(parsed.text[at : max(at, start)])
        at = max(at, end)
    return " ".join((*kept, parsed.text[at:]))


def _known(profile: str, profiles: dict[str, FacetProfile]) -> FacetProfile:
    if profile not in profiles:
        raise InputError(f"There is no facet profile {profile!r}; the profiles are {', '.join(sorted(profiles))}.")
    return profiles[profile]


def _clause_aspects(
    clause: ParsedClause, *, profiles: dict[str, FacetProfile], is_alone: bool
) -> tuple[list[QueryAspect], str | None]:
    if len(clause.text) > _LONGEST_CLAUSE:
        return chains.facts(clause, is_alone=is_alone), None
    if told := shapes.told(clause):
        return told, None
    if thing := shapes.to_be_told(clause.text):  # "a summary of the risks of A"
        clause = replace(clause, text=thing, kind=kind_of_answer(thing))
    bare = _in_one_piece(_without_adjuncts(clause))
    who = lists.risk_subject(bare)
    if about := [_in_words(aspect) for aspect in lists.risks_of_a_topic(bare)]:
        return about, None
    if who and RISK_PROFILE in profiles:
        return lists.facets(clause, profiles[RISK_PROFILE], who), RISK_PROFILE
    if who:
        return lists.risks_of_a_thing(bare, who), None
    recognise: tuple[Callable[[ParsedClause], list[QueryAspect]], ...] = (
        shapes.parts_of_whole,
        chains.choice_of_roles,
        chains.older_of_two,
        lists.both_sides,
        shapes.effects,
        comparison,
        lists.changes_of_several,
        chains.choice_of_two,
        chains.chain,
        lists.qualified_risks,
        lists.topic_list,
        shapes.owned_topics,
        lists.several,
        _typed_unless_factual,
        lists.pair,
    )
    for shape in recognise:
        aspects = [_in_words(aspect) for aspect in shape(bare)]
        if aspects and all(_well_formed(aspect) for aspect in aspects):
            return aspects, None
    return chains.facts(clause, is_alone=is_alone), None


_CONTINENTS = frozenset(("Asia", "Africa", "Europe", "America", "Australia"))


def _owners(named: Sequence[str]) -> list[str]:
    """The names that are no countries: "its processors" are those of a firm."""
    places = {
        name
        for name in dict.fromkeys(named)
        if name in _CONTINENTS or any(end - start == len(name) for _, start, end in countries_in(name))
    }
    return [name for name in named if name not in places]


def _in_one_piece(clause: ParsedClause) -> ParsedClause:
    """The clause with the words of fixed pairs joined, "research and development" is one thing; a date is another."""
    text = _COMMA_IN_DATE.sub(r"\1 \2", clause.text)
    for name in [each for each in names(text) if each.kind == "quoted"]:
        text = f"{text[: name.start]}{_INSIDE_A_TITLE.sub(_tied, name.text)}{text[name.end :]}"
    return replace(clause, text=_FIXED_PAIRS.sub(_tied, _TWO_LETTERS.sub(_tied, text)))


_INSIDE_A_TITLE = re.compile(r" (?:and|or|&|vs\.?|versus) ")
_TWO_LETTERS = re.compile(r"\b[A-Z] & [A-Z]\b")  # "the S & P 500"


def _tied(words: re.Match[str]) -> str:
    return re.sub(r"\s+", _TIE, words.group())


def _in_words(aspect: QueryAspect) -> QueryAspect:
    """The aspect with its fixed pairs in words again."""
    return replace(
        aspect,
        aspect=aspect.aspect.replace(_TIE, " "),
        subject=aspect.subject.replace(_TIE, " "),
        depends_on=(aspect.depends_on or "").replace(_TIE, " ") or None,
        keywords=tuple(word.replace(_TIE, " ") for word in aspect.keywords),
    )


def _kinded(aspect: QueryAspect, clause: ParsedClause) -> QueryAspect:
    """The aspect with the kind of answer that it wants: its own, that of its type, else that of its clause."""
    if aspect.answer_kind != "fact":
        return aspect
    if re.match(r"(?:\w{1,20} )?effects? of ", aspect.aspect, re.IGNORECASE):
        return replace(aspect, answer_kind="report")
    if aspect.aspect_type == "facet":
        return replace(aspect, answer_kind=_kind_of_topic(aspect))
    if aspect.aspect_type == "relation":
        return aspect
    kind = _KIND_OF_TYPE.get(aspect.aspect_type, clause.kind)
    if clause.kind in _ALSO_ASKED.get(aspect.aspect_type, ()) and not clause.text.lower().startswith("explain"):
        kind = clause.kind
    plain = aspect.aspect_type in ("entity", "relation") and kind in ("comparison", "choice")
    if plain and len(clause.text.split()) > 2:
        looked_up = kind_of_answer(f"what is {aspect.aspect}")
        kind = looked_up if looked_up in _LOOKED_UP else "fact"
    return replace(aspect, answer_kind=kind)


def _kind_of_topic(aspect: QueryAspect) -> AnswerKind:
    topic = aspect.aspect.split(" of ")[0].lower()
    if topic.startswith(("risk about", "risks about")):
        return "list"
    kind = kind_of_answer(f"what is the {topic}")
    if kind in _LOOKED_UP:
        return kind
    return "list" if topic.endswith("s") or "risk" in topic else "report"


def _well_formed(aspect: QueryAspect) -> bool:
    """Whether a shape found things, not pieces of a long sentence: short subjects that do not begin a question."""
    if aspect.aspect_type in ("entity", "relation", "comparison"):
        return True
    if dangles(aspect.subject):
        return False
    words = aspect.subject.lower().split() or [""]
    longest = _LONGEST_REASON if aspect.aspect_type in ("causal", "process") else _LONGEST_THING
    topic = aspect.aspect.lower().split()[0]
    if aspect.aspect_type in ("causal", "process"):
        return len(words) <= longest and words[0] not in _NO_THING
    return len(words) <= longest and words[0] not in _NO_THING and topic not in _NO_TOPIC and not _HAS_CLAUSE & {*words}


def _typed_unless_factual(clause: ParsedClause) -> list[QueryAspect]:
    """Typed shapes, but "what is the capital of the country where …" is a fact to look up, not a definition."""
    aspects = shapes.typed(clause)
    plain = all(a.aspect_type != "definition" or shapes.is_concept(clause.text, a.subject) for a in aspects)
    return aspects if plain else []


def _without_adjuncts(clause: ParsedClause) -> ParsedClause:
    """The clause without its dates and places, which become constraints, so that shapes see what is asked."""
    text = clause.text
    for constraint in reversed(conditions(text)):
        if constraint.kind in ("date", "period", "place") and constraint.span and _is_adjunct(text, constraint):
            start, end = constraint.span
            left = f"{text[:start].rstrip(' ,')} {text[end:].lstrip()}".strip(" ,")
            text = text if dangles(left) else left  # "brought forward to the third quarter of 2025" keeps it
    text = re.sub(r"\sNOT\b", "", text)
    return replace(clause, text=text) if tokens(text) else clause


def _is_adjunct(text: str, constraint: Constraint) -> bool:
    """Whether a date or place stands at the end or start of the clause behind a preposition of its own."""
    assert constraint.span is not None
    start, end = constraint.span
    at_edge = not text[end:].strip(" ,.?") or start == 0
    return at_edge and _OWN_PREPOSITION.match(constraint.text) is not None


_OWN_PREPOSITION = re.compile(rf"(?i)(?!(?:{MONTH_NAMES})\b)[a-z]{{1,20}}\s")


def _with_profile(question: str, aspects: list[QueryAspect], profile: FacetProfile) -> list[QueryAspect]:
    if any(aspect.aspect_type == "facet" for aspect in aspects):
        return aspects
    named = [name.text for name in named_things(question)]
    words = named[:1] or shapes.content(question)[:6]
    subject = next((a.subject for a in aspects if a.subject), "") or " ".join(words)
    return lists.facets(ParsedClause(question, (0, len(question))), profile, subject)


def _with_synonyms(aspect: QueryAspect, profile: FacetProfile | None) -> QueryAspect:
    """A topic that is a facet of the profile ("legal risks") is spoken of in the words of that facet too."""
    if aspect.aspect_type != "facet" or profile is None:
        return aspect
    asked = set(tokens(" ".join(aspect.keywords)))
    words: list[str] = []
    for facet in profile.facets:
        if not asked.isdisjoint(tokens(" ".join((facet.facet, facet.keywords[0], *facet.also_called)))):
            words += facet.keywords
    return replace(aspect, keywords=as_tuple([*aspect.keywords, *words]))


def _constrained(aspects: list[QueryAspect], parsed: ParsedQuestion) -> list[QueryAspect]:
    """Each condition goes to the aspects of its own clause, or to those it stands in front of."""
    told = [span for _, span in parsed.instructions]  # where the years of a definition stand
    places = [(c.span or (0, 0))[0] for c in parsed.conditions]
    is_told = [any(start <= place < end for start, end in told) for place in places]
    bound = [c for c, no in zip(parsed.conditions, is_told, strict=True) if c.kind == "statement" or not no]
    results = []
    for aspect in aspects:
        own = tuple(_on_its_side(each, aspect) for each in bound if _belongs(each, aspect, aspects, parsed))
        results.append(replace(aspect, constraints=own))
    return results


def _on_its_side(constraint: Constraint, aspect: QueryAspect) -> Constraint:
    """Of "before and after 2020" what binds the aspect that asks of the time before; any other condition as it is."""
    side, _, when = constraint.text.partition(" ")
    before = f"before {when}"
    if side.lower() != "after" or before not in aspect.aspect:
        return constraint
    return replace(constraint, text=before, value=f"../{constraint.value.removesuffix('/..')}")


def _belongs(
    constraint: Constraint, aspect: QueryAspect, aspects: Sequence[QueryAspect], parsed: ParsedQuestion
) -> bool:
    def holds(other: QueryAspect) -> bool:
        return bool(other.span and constraint.span and other.span[0] <= constraint.span[0] < other.span[1])

    if constraint.kind in ("date", "period") and _is_of_another_time(constraint, aspect):
        return False
    if holds(aspect) or (constraint.text and constraint.text in aspect.aspect):
        return True
    if any(holds(other) for other in aspects):
        return False
    start = aspect.span[0] if aspect.span else -1
    own = next((c for c in parsed.clauses if c.span[0] <= start < c.span[1]), None)
    return own is None or parsed.binds(constraint, own)


def _is_of_another_time(constraint: Constraint, aspect: QueryAspect) -> bool:
    """Whether the aspect names its own time, and the condition is that of the other side of a comparison."""
    if aspect.aspect_type != "entity" or "/" in constraint.value:
        return False
    own = {date.key for date in dates(aspect.aspect)}
    return bool(own) and constraint.value not in own


_SIDES = frozenset(("before", "after"))


def _unique(aspects: list[QueryAspect]) -> list[QueryAspect]:
    """The first aspect of each name, and of each set of words where two facts ask for the same."""
    kept: dict[object, QueryAspect] = {}
    for aspect in aspects:
        same_words = terms_of(" ".join((*aspect.keywords, aspect.subject)))
        same_words |= _SIDES.intersection(aspect.aspect.split())
        is_fact = aspect.aspect_type == "entity"
        kept.setdefault((same_words, aspect.answer_kind) if is_fact else aspect.aspect.lower(), aspect)
    return list(kept.values())
