"""Plan: the aspects of a question, by what can be looked up, by rules or by a model, and how many passages they need.

A model names the aspects and how important each is; it sees the question and nothing else, so no document can steer the
plan. What it says is held against the question: an aspect that speaks of nothing in it is dropped, and what the rules
see in it and no aspect of the model carries is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from adaq_core.events import AspectsPlanned
from adaq_core.filings.conditions import asked_of_each as asked_of_each_company
from adaq_core.filings.grid import figures_asked
from adaq_core.filings.register import register_of
from adaq_core.filings.risk_lists import risks_listed
from adaq_core.llm import JSON_NUMBER, JSON_TEXT, json_list, json_object
from adaq_core.llm.json_reply import Parsed
from adaq_core.llm.replies import read_aspects, read_scores
from adaq_core.model import ASPECT_TYPES, CORE_IMPORTANCE, QueryAspect, as_tuple
from adaq_core.question.aspect_patterns import content
from adaq_core.question.aspects import MAX_ASPECTS, Plan, finished, plan
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import Facet, FacetProfile
from adaq_core.records import figure_in_rows
from adaq_core.retrieval import Corpus
from adaq_core.stages.each import asked_of_each, one_of_each
from adaq_core.stages.services import ModelGateway, Services
from adaq_core.text.tokens import items_of, tokens

STAGE = "plan"
_LEAST = 0.3  # importance, however little a model gives
_LONGEST_SUBJECT = 8  # words
_WORDS_OF_A_FACET = 2
_FITTING = 0.75  # of the facets: four of five, which firms and products have and methods have not (docs/experiments.md)
_FEWEST_NAMING = 2  # words: "the vanishing gradient problem" is that of vanishing gradients
_KINDS_OF_THING = frozenset(["problem", "technique", "method", "algorithm", "approach", "phenomenon", "effect"])


def plan_aspects(question: str, services: Services, given: Sequence[QueryAspect] | None) -> AspectsPlanned:
    """The aspects of the question: those the user gave, else those of the model, else those of the rules."""
    profile = services.settings.facet_profile
    if given is not None:
        return AspectsPlanned(tuple(given), profile=profile, by="user")
    made = plan(
        question, profiles=services.profiles, profile=profile, fits=partial(profile_fits, services.retriever.index)
    )
    if profile is None:
        made = one_of_each(made, question, services.retriever.index)
    if profile is None and (listed := risks_listed(parse(question), services.retriever.index)):
        return AspectsPlanned(listed.aspects, notes=(*made.notes, listed.note))
    if profile is None and (grid := figures_asked(question, services.retriever.index)):
        return AspectsPlanned(grid.aspects_beside(made.aspects), notes=(*made.notes, grid.note))
    if profile is None and (each := _of_each_company(made, services.retriever.index)):
        return AspectsPlanned(each, notes=(*made.notes, "Each company is asked by itself"))
    if services.gateway:
        by_model = plan_by_model(question, made, services.gateway, profiles=services.profiles)
    else:
        by_model = None
    planned = by_model or made
    aspects = tuple(named(aspect, services.long_form) for aspect in planned.aspects)
    by: Literal["model", "heuristic"] = "model" if by_model else "heuristic"
    return AspectsPlanned(aspects, planned.lost, planned.profile, by=by, notes=planned.notes)


def profile_fits(index: Corpus, profile: FacetProfile, subject: str) -> bool:
    """Whether passages that name the subject speak of nearly all facets, in two words each: of firms they do.

    Of whom no passage speaks nothing is known: a live source may.
    """
    named = tokens(subject)
    if not len(index.all_holding([named])[0]):
        return True

    def is_spoken_of(facet: Facet) -> bool:
        places = index.all_holding([(*named, *tokens(word)) for word in facet.keywords])
        return sum(len(each) > 0 for each in places) >= _WORDS_OF_A_FACET

    facets = [facet for facet in profile.facets if not facet.only_asked]
    return sum(map(is_spoken_of, facets)) >= _FITTING * len(facets)


def _of_each_company(made: Plan, index: Corpus) -> tuple[QueryAspect, ...]:
    """An aspect for each company of a corpus of filings, where a question asks which of them something is true of."""
    register = register_of(index)
    if register is None or len(made.aspects) != 1:
        return ()
    whole = made.aspects[0]
    companies, what = asked_of_each_company(whole.aspect, register)
    words = content(what)
    return tuple(
        replace(
            whole,
            aspect=f"{company}: {' '.join(words)}",
            aspect_type="entity",
            subject=company,
            keywords=as_tuple((company.lower(), *words)),
            answer_kind="fact",
        )
        for company in companies
        if words
    )


def named(aspect: QueryAspect, long_form: Callable[[str], str | None]) -> QueryAspect:
    """The aspect with other names of its subject: each acronym in its long form, without what kind of thing it is."""
    words = aspect.subject.split()
    spelled = [long_form(word.strip(",")) or word for word in words]
    others = [" ".join(spelled)] if spelled != words else []
    if len(words) > _FEWEST_NAMING and words[-1].lower() in _KINDS_OF_THING:
        others.append(" ".join(words[:-1]))
    return replace(aspect, aliases=tuple(others)) if others else aspect


def passages_needed(
    question: str,
    index: Corpus,
    *,
    given: Sequence[QueryAspect] | None,
    profile: str | None,
    profiles: dict[str, FacetProfile],
    most: int,
) -> int:
    """How many passages a question has aspects for; where what it asks is looked up, how many hold that, up to `most`.

    A list of risks is as long as the report that lists them has it; figures are asked for with the rows that hold them,
    and so are the rows of a table that are listed.
    """
    if given is not None:
        grid = figures_asked(question, index)
        kept = grid.of(given) if grid else None
        return _places_for(given) - len(kept.cells) + len(kept.passage_ids) if kept else _places_for(given)
    if profile is None:
        if listed := risks_listed(parse(question), index):
            return len(listed.passage_ids)
        if grid := figures_asked(question, index):
            return len(grid.passage_ids) + len(grid.beside)
    made = plan(question, profiles=profiles, profile=profile, fits=partial(profile_fits, index))
    if profile is None:
        made = one_of_each(made, question, index)
        if each := _of_each_company(made, index):
            return len(each)
        rows = figure_in_rows(parse(question), index, most=most)
        if rows and rows.unit == "list":
            return len({operand.passage_id for operand in rows.operands})
        if rows is None and (asked := asked_of_each(made.aspects, index)):
            return len(asked.things)
    return _places_for(made.aspects)


def _places_for(aspects: Sequence[QueryAspect]) -> int:
    """One passage for each aspect; where there are several, more for a list, whose members stand in many documents."""
    lists = sum(aspect.answer_kind == "list" for aspect in aspects)
    return len(aspects) + lists * (_OF_A_LIST - 1) if len(aspects) > 1 else len(aspects)


_OF_A_LIST = 4  # passages


def plan_by_model(
    question: str, made: Plan, gateway: ModelGateway, *, profiles: dict[str, FacetProfile]
) -> Plan | None:
    """The plan of the model, or that of the rules (`made`) weighed by it where a profile applies; None keeps `made`."""
    if not gateway.asks(STAGE):
        return None
    if made.profile is not None:
        return _weighed(question, made, gateway)
    aspects = gateway.ask(
        STAGE,
        ASPECTS.format(question=question, types=", ".join(ASPECT_TYPES)),
        lambda text: _checked(read_aspects(text), question, made),
        system=SYSTEM,
        schema=ASPECTS_SCHEMA,
        instead="the aspects of the rules",
    )
    return finished(question, list(aspects), profiles=profiles) if aspects else None


def _checked(parsed: Parsed[tuple[QueryAspect, ...]], question: str, made: Plan) -> Parsed[tuple[QueryAspect, ...]]:
    """The aspects that can be worked with, mended where they have to be, and what was wrong with them."""
    problems = list(parsed.problems)
    asked = frozenset(tokens(question))
    kept = [mended for aspect in parsed.value if (mended := _mended(aspect, asked, made, problems)) is not None]
    if not kept:
        return Parsed((), tuple(problems))
    kept = [_placed(aspect, question) for aspect in _with_a_core(kept, problems)]
    forgotten = _forgotten(kept, made)
    for aspect in forgotten:
        problems.append(f"no aspect is for {aspect.aspect!r}, which the question asks for; it was added")
    return Parsed((*kept[: MAX_ASPECTS - len(forgotten)], *forgotten), tuple(problems))


def _mended(aspect: QueryAspect, asked: Collection[str], made: Plan, problems: list[str]) -> QueryAspect | None:
    carried = tokens(" ".join((aspect.aspect, aspect.subject)))
    if not set(carried) & set(asked):
        problems.append(f"the aspect {aspect.aspect!r} is about nothing that the question names; it was dropped")
        return None
    subject = _in_question(aspect.subject, asked)
    if not subject:
        subject = _nearest_subject(aspect, made) or _in_question(aspect.aspect, asked)
        problems.append(f"{aspect.aspect!r} names no subject of the question; {subject!r} is taken to be meant")
    if aspect.aspect_type == "comparison" and len(items_of(replace(aspect, subject=subject))) < 2:
        subject, aspect = _compared(aspect, subject, made, problems)
    return replace(aspect, subject=subject, keywords=_keywords(aspect, subject, asked))


def _keywords(aspect: QueryAspect, subject: str, asked: Collection[str]) -> tuple[str, ...]:
    """The model's keywords, or words of the name; of a comparison only what it is confined to by the question."""
    if aspect.aspect_type == "comparison":
        confined = set(asked) - set(tokens(subject))
        return tuple(keyword for keyword in aspect.keywords if confined.issuperset(tokens(keyword)))
    words = [word for word in content(aspect.aspect) if word.lower() not in subject.lower().split()]
    return aspect.keywords or tuple(words or subject.split())


def _in_question(text: str, asked: Collection[str]) -> str:
    """The words of `text` that the question has too, with the small words between them."""
    kept = [word for word in text.split() if set(tokens(word)) <= set(asked)]
    while kept and not tokens(kept[0]):
        kept.pop(0)
    while kept and not tokens(kept[-1]):
        kept.pop()
    return " ".join(kept) if len(kept) <= _LONGEST_SUBJECT else ""


def _nearest_subject(aspect: QueryAspect, made: Plan) -> str:
    """The subject of the aspect of the rules that shares the most words with this one."""
    own = set(tokens(" ".join((aspect.aspect, *aspect.keywords))))
    most, nearest = 0, ""
    for other in made.aspects:
        shared = len(own.intersection(tokens(other.subject)))
        if shared > most:
            most, nearest = shared, other.subject
    return nearest


def _compared(aspect: QueryAspect, subject: str, made: Plan, problems: list[str]) -> tuple[str, QueryAspect]:
    """What a comparison compares, as the rules see it; without that it is a topic like others."""
    known = next((a.subject for a in made.aspects if a.aspect_type == "comparison"), "")
    if known:
        return known, aspect
    problems.append(f"{aspect.aspect!r} does not say what is compared; it counts as a facet")
    return subject, replace(aspect, aspect_type="facet")


def _with_a_core(aspects: list[QueryAspect], problems: list[str]) -> list[QueryAspect]:
    """Without a core a run would stop at once: the most important aspects are the core then."""
    if any(aspect.is_core for aspect in aspects):
        return aspects
    most = max(aspect.importance for aspect in aspects)
    problems.append("no aspect is core; the most important ones were made so")
    return [replace(a, importance=CORE_IMPORTANCE) if a.importance == most else a for a in aspects]


def _forgotten(aspects: Sequence[QueryAspect], made: Plan) -> list[QueryAspect]:
    """Core aspects of the rules whose subject no aspect of the model carries."""
    carried = set[str]()
    for aspect in aspects:
        carried.update(tokens(" ".join((aspect.aspect, aspect.subject, *aspect.keywords))))
    core = (aspect for aspect in made.aspects if aspect.is_core and aspect.subject)
    return [aspect for aspect in core if not carried.issuperset(tokens(aspect.subject))]


def _placed(aspect: QueryAspect, question: str) -> QueryAspect:
    """The aspect with the place of its subject in the question, where it stands there as it is."""
    if aspect.subject:
        at = question.lower().find(aspect.subject.lower())
    else:
        at = -1
    if at < 0:
        return aspect
    return replace(aspect, span=(at, at + len(aspect.subject)))


def _weighed(question: str, made: Plan, gateway: ModelGateway) -> Plan | None:
    """The facets of a profile stay as the user has them; the model says how much each matters for this question."""
    names = [aspect.aspect for aspect in made.aspects]
    scores = gateway.ask(
        STAGE,
        IMPORTANCE.format(question=question, aspects="\n".join(f"{n}. {name}" for n, name in enumerate(names, 1))),
        lambda text: _with_core_scores(read_scores(text, names), names),
        system=SYSTEM,
        schema=SCORES_SCHEMA,
        instead="the importance that the profile gives",
    )
    if not scores:
        return None
    weighed = [replace(a, importance=max(_LEAST, scores.get(a.aspect, a.importance))) for a in made.aspects]
    return replace(made, aspects=tuple(weighed))


def _with_core_scores(parsed: Parsed[dict[str, float]], names: Sequence[str]) -> Parsed[dict[str, float]]:
    scores = parsed.value
    problems = list(parsed.problems)
    if scores and max(scores.values()) < CORE_IMPORTANCE and len(scores) == len(names):
        return Parsed({}, (*problems, "no aspect would be core"))
    missing = [repr(name) for name in as_tuple(names) if name not in scores]
    if missing:
        problems.append(f"no importance came for {', '.join(missing)}")
    return Parsed(scores, tuple(problems))


SYSTEM = "You plan a search in a collection of documents. Reply with JSON only."

ASPECTS = """Split the question into the aspects that documents have to cover before it can be answered.

Question: {question}

Rules:
- 1 to 8 aspects. Only what the question asks; nothing twice.
- aspect: a short name, for example "Definition of self-attention".
- type: one of {types}.
- importance: 1.0 when there is no answer without it (core), 0.5 to 0.7 when it is useful (optional).
- subject: what the aspect is about, in words of the question; for a comparison "X and Y".
- keywords: 2 to 6 words that a passage about it would hold.

Reply: {{"aspects": [{{"aspect": "...", "type": "...", "importance": 1.0, "subject": "...", "keywords": ["..."]}}]}}"""

IMPORTANCE = """How important is each aspect for this question? 1.0: no answer without it. 0.5: useful. 0.3: hardly.

Question: {question}

Aspects:
{aspects}

Reply: {{"scores": [{{"aspect": "...", "score": 0.0}}]}} with every aspect, by its full name."""

ASPECTS_SCHEMA = json_object(
    aspects=json_list(
        json_object(
            aspect=JSON_TEXT,
            type={**JSON_TEXT, "enum": list(ASPECT_TYPES)},
            importance=JSON_NUMBER,
            subject=JSON_TEXT,
            keywords=json_list(JSON_TEXT),
        )
    )
)

SCORES_SCHEMA = json_object(scores=json_list(json_object(aspect=JSON_TEXT, score=JSON_NUMBER)))
