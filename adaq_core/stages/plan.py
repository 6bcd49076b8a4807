"""Plan: the aspects of a question, by what can be looked up, by rules or by a model, and how many passages they need.

A model names the aspects and how important each is; it sees the question and nothing else, so no document can steer the
plan. What it says is held against the question: an aspect that speaks of nothing in it is dropped, and what the rules
see in it and no aspect of the model carries is put back.

What is asked of each thing of a kind is looked up before the first hop, in the documents of each, as rows are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Literal
from weakref import WeakKeyDictionary

from adaq_core.answers.aspect_scores import says_little
from adaq_core.answers.evidence_sentences import sentences_of
from adaq_core.answers.polarity import stance_of
from adaq_core.events import AspectsPlanned
from adaq_core.filings.conditions import asked_of_companies
from adaq_core.filings.grid import figures_asked
from adaq_core.filings.register import register_of
from adaq_core.filings.risk_lists import risks_listed
from adaq_core.filings.statement_figures import EACH, Figure, Operand
from adaq_core.llm import JSON_NUMBER, JSON_TEXT, json_list, json_object
from adaq_core.llm.json_reply import Parsed
from adaq_core.llm.replies import read_aspects, read_scores
from adaq_core.matching.answer_shapes import SUPERLATIVE
from adaq_core.matching.lexicon import is_common_word
from adaq_core.model import ASPECT_TYPES, CORE_IMPORTANCE, Finding, Passage, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import IMPERATIVES
from adaq_core.question.aspect_patterns import content
from adaq_core.question.aspects import MAX_ASPECTS, Plan, finished, plan
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import Facet, FacetProfile
from adaq_core.records import figure_in_rows
from adaq_core.records.tables import openings_of
from adaq_core.retrieval import Corpus
from adaq_core.stages.read import read, says_otherwise
from adaq_core.stages.services import ModelGateway, Services
from adaq_core.text.entities import terms_of_names
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import Weigh, items_of, stem, terms_of, tokens, upper_first

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
    if profile is None and _all_meant(made, services.retriever.index):
        whole = QueryAspect(question.strip(" ?."), "entity", 1.0, (), (0, len(question)))
        whole = replace(whole, keywords=content(whole.aspect), answer_kind="list")
        made = Plan((whole,), notes=made.notes)
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
    titled = (_with_title(aspect, services.retriever.index) for aspect in planned.aspects)
    aspects = tuple(named(aspect, services.long_form) for aspect in titled)
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
    companies, what = asked_of_companies(whole.aspect, register)
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


_SMALL_NAME = re.compile(r"(?<![\w-])[a-z][a-z\d_-]{2,40}(?![\w-])")


def _with_title(aspect: QueryAspect, index: Corpus) -> QueryAspect:
    """The aspect with the thing that it asks of as its subject, where small letters name it as a title does."""
    if aspect.subject or terms_of_names(aspect.aspect):
        return aspect
    written = (word for word in _SMALL_NAME.findall(aspect.aspect) if not is_common_word(word))
    titles = [word for word in written if index.named(upper_first(word))]
    return replace(aspect, subject=titles[0]) if len(titles) == 1 else aspect


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
        if meant := _all_meant(made, index):
            return len(meant)
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


# Things of one kind that the documents of a corpus are about, each asked the same: "which companies had strikes?". A
# thing is what titles are, or begin with before a colon ("Tesla: regulatory risk"); its kind is what its documents say
# that it is ("Tesla is an American maker of electric cars"). The documents of each are read by themselves, so that one
# that says much does not hide the others, and what is told of each is a sentence.
_FEWEST, _MOST = 3, 25  # things of a kind
_FEWEST_TOLD = 2  # of them, where the question may mean others
_DEEP = 30  # passages that the search for a thing brings, of all things
_CERTAIN = 0.8  # the score of a sentence that says so: those that say half of it have .6
_ASKS = re.compile(
    r"(?i)(?:which|what) (?P<of>(?:ones )?of (?:all )?(?:the|these|those|our|my) )?(?:\w{1,9} )??"
    r"(?P<kind>[a-z]{2,20}(?:ies|[^s\s]s)) (?P<deed>\w.{2,200})$"
)
_CHOOSES = re.compile(
    rf"(?i)\b(?:most|least|best|worst|first|last|more|less|never|not|no|only|both|neither|{SUPERLATIVE})\b"
)
_FIRMS = frozenset(map(stem, ("company", "firm", "business", "corporation", "maker", "manufacturer", "bank")))
_CONCERNS = frozenset(
    map(stem, ("exposed", "affected", "hit", "hurt", "suffered", "suffer", "face", "touched", "impacted"))
)
_SAYS_WHAT = r"(?:is|was|are|were) (?:an?|the|one of) (?P<what>[^.,;:\n]{3,80})"


@dataclass(frozen=True, slots=True)
class AskedOfEach:
    """What a question asks of each thing of a kind: "had strikes", of the eight companies.

    `is_chosen` where it asks which of them do so, `of_all` where it means no others than these.
    """

    kind: str
    things: tuple[str, ...]
    deed: str
    aspect: QueryAspect
    of_all: bool
    is_chosen: bool = False

    def told(self, corpus: Corpus, weigh: Weigh) -> Figure | None:
        """The things of which it is said, each with its sentence; None of too few.

        Where some are said to do it in the question's own word, those said to do the like are others; of "a single
        person" nothing is said by what is like one of the two words.
        """
        telling = frozenset(_rarest(words, corpus) for words in self._words)
        every = [(thing, self._best(thing, corpus, weigh, telling)) for thing in self.things]
        found = [(thing, best) for thing, best in every if best is not None]
        said = ((each, terms_of(each[1].quote)) for each in found)
        literal = [each for each, terms in said if not telling.isdisjoint(terms)]
        if literal or max(map(len, self._words)) > 1:
            found = literal
        if len(found) < (1 if self.of_all else _FEWEST_TOLD):
            return None
        operands = tuple(self._operand(thing, best) for thing, best in found)
        names = ", ".join(thing for thing, _ in found)
        how = f"the {len(self.things)} {self.kind} of the corpus"
        number = float(len(found))
        return Figure(names, number, EACH, how, operands)

    def _operand(self, thing: str, best: Finding) -> Operand:
        return Operand(self.deed, 0, thing, best.score, "text", "", best.passage_id, best.quote)

    @property
    def _deeds(self) -> list[str]:
        """What is asked, by alternatives: "invest in A" and "invest in B" for "invest in A or B"."""
        first, *others = self.deed.split(" or ")
        shared = first[: first.rfind(" ") + 1]
        return [first, *(f"{shared}{each}" for each in others)]

    @property
    def _words(self) -> list[frozenset[str]]:
        """What is asked by alternatives, but the verb and the kind itself: "tariff" of "suffered from tariffs"."""
        return [self._but_the_verb(content(deed)) for deed in self._deeds]

    def _but_the_verb(self, said: Sequence[str]) -> frozenset[str]:
        own = terms_of(" ".join(said[1:])) - {stem(self.kind)}
        return own or terms_of(" ".join(said))

    def _best(self, thing: str, corpus: Corpus, weigh: Weigh, telling: frozenset[str]) -> Finding | None:
        """The sentence of the documents of a thing that says for certain what is asked; None without one."""
        aspects = [self._of_thing(thing, deed) for deed in self._deeds]
        hits = corpus.search(f"{thing} {self.deed}", top_k=_DEEP)
        own = [hit.passage for hit in hits if _thing_of(hit.passage) == thing]
        sentences = [sentence for passage in own for sentence in sentences_of(passage, 0)]
        left = {sentence.text for sentence in sentences if sentence.hangs or says_little(sentence)}
        literal = (each for each in sentences if not telling.isdisjoint(each.terms))
        alone = [replace(each.passage, text=each.text) for each in literal]
        found = read(aspects, [(passage, 1.0) for passage in (*alone, *own)], weigh=weigh)
        certain = (each for each in found if each.score >= _CERTAIN)
        told = (each for each in certain if each.quote not in left and self._is_said(each))
        words = terms_of(self.deed)

        def literally(finding: Finding) -> tuple[bool, int, float]:
            terms = terms_of(finding.quote)
            return not telling.isdisjoint(terms), len(words & terms), finding.score

        return max(told, key=literally, default=None)

    def _of_thing(self, thing: str, deed: str) -> QueryAspect:
        """Whether one thing does it, as an aspect."""
        keywords = (*content(thing), *content(deed))
        asked = f"{thing}: {deed}"
        kind = "yes_no" if self.is_chosen else self.aspect.answer_kind
        return replace(self.aspect, aspect=asked, keywords=keywords, subject="", answer_kind=kind)

    def _is_said(self, finding: Finding) -> bool:
        """Whether a sentence says so with the names and at the times that are asked for, and does not deny it."""
        deed = finding.aspect.partition(": ")[2]
        is_named = terms_of_names(f"Is {deed}") <= terms_of(finding.quote)
        stance = stance_of(finding.aspect, finding.quote, terms_of(deed))
        denied = stance is not None and not stance.yes
        return is_named and not denied and not says_otherwise(finding.aspect, finding.quote)


_OF_EACH = re.compile(
    r"(?i)(?:(?:for|to|of|on|at|in|against|facing) )?(?:(?:each|every one|all) of (?:the|these|those"
    r"|our) (?:\w{1,9} )??"
    r"|all (?:(?:the|these|those|our) )?(?:\w{1,9} )??|the (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) "
    r"|(?:each|every) )"
    r"(?P<kind>[a-z]{3,20})\b"
)


def asked_of_each(aspects: Sequence[QueryAspect], corpus: Corpus) -> AskedOfEach | None:
    """What a question of one aspect asks of each thing of a kind; None where it asks no such thing.

    Who names one of the things asks for others ("which companies compete with Pfizer?"), as does who chooses one.
    """
    if len(aspects) != 1:
        return None
    text = aspects[0].aspect.strip(" ?.")
    which = _ASKS.match(text)
    if which is not None and (_CHOOSES.search(which["deed"]) or not _of_kind(which["kind"], corpus)):
        which = None
    is_chosen = which is not None
    asked = which or _OF_EACH.search(text)
    if asked is None:
        return None
    if is_chosen:
        deed = asked["deed"]
    else:
        rest = content(f"{text[: asked.start()]} {text[asked.end() :]}")
        deed = " ".join(word for word in rest if word not in IMPERATIVES)
    deed = _but_concern(deed)
    things, said = _of_kind(asked["kind"], corpus), terms_of(deed)
    if not (deed and things) or any(terms_of(name) <= said for name in things):
        return None
    of_all = not is_chosen or asked["of"] is not None
    return AskedOfEach(asked["kind"].lower(), things, deed, aspects[0], of_all, is_chosen)


def _but_concern(deed: str) -> str:
    """What is asked without a verb that says only whom it concerns: "rates" of "exposed to rates"."""
    rest = " ".join(word for word in deed.split() if stem(word.lower()) not in _CONCERNS)
    return rest if content(rest) else deed


def _all_meant(made: Plan, corpus: Corpus) -> tuple[str, ...]:
    """The things that the one subject of a plan means all of; empty where it is another."""
    subjects = {aspect.subject for aspect in made.aspects}
    each = _OF_EACH.fullmatch(subjects.pop()) if len(subjects) == 1 else None
    return _of_kind(each["kind"], corpus) if each else ()


def _of_kind(kind: str, corpus: Corpus) -> tuple[str, ...]:
    """The things of a kind that the documents are about; empty where they are too few or too many to be asked each."""
    one = stem(kind.lower())
    kinds = _FIRMS if one in _FIRMS else {one}
    told = _things_of(corpus).items()
    things = tuple(name for name, own in told if not own.isdisjoint(kinds))
    return things if _FEWEST <= len(things) <= _MOST else ()


def _rarest(terms: frozenset[str], corpus: Corpus) -> str:
    """The rarest term; one that no passage holds before all others."""
    return max(terms, key=lambda term: corpus.term_idf(term) or inf, default="")


def _thing_of(passage: Passage) -> str:
    return subject_of(passage) or passage.title


def _things_of(corpus: Corpus) -> dict[str, frozenset[str]]:
    """The things that documents are about and the terms of what they are said to be, read once."""
    known = corpus.stored.shared
    if known not in _THINGS:
        _THINGS[known] = _things(openings_of(corpus))
    return _THINGS[known]


_THINGS: WeakKeyDictionary[object, dict[str, frozenset[str]]] = WeakKeyDictionary()


def _things(firsts: Sequence[Passage]) -> dict[str, frozenset[str]]:
    """Of things that several documents each are about, all are firms where half are said to be."""
    told = dict.fromkeys(map(_thing_of, firsts), frozenset[str]())
    for passage in firsts:
        thing = _thing_of(passage)
        told[thing] |= terms_of(" ".join(_said_to_be(thing, passage.text)))
    count = Counter(map(subject_of, firsts))
    alike = [name for name in told if count[name] >= _FEWEST]
    firms = [name for name in alike if not told[name].isdisjoint(_FIRMS)]
    if 2 * len(firms) >= len(alike):
        told |= {name: told[name] | _FIRMS for name in alike}
    return told


def _said_to_be(name: str, text: str) -> Iterator[str]:
    """What a sentence that begins with a name says that it is: "an American maker of electric cars"."""
    for match in re.finditer(rf"(?:^|[.\n]\s|\bThe ){re.escape(name)} {_SAYS_WHAT}", text):
        yield match["what"]
