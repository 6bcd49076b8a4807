"""How far each sentence of a passage, read in its context, says what an aspect asks."""

from __future__ import annotations

import math
import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from adaq_core.matching.answer_shapes import (
    TOLD_IN_A_FORM,
    counts_apart,
    counts_it,
    holds_kind,
    is_but_a_share,
    is_one_row_of_many,
    is_only_a_purpose,
    lacks_deed,
    lacks_length,
    lacks_means,
    lacks_order,
    lacks_share,
    lacks_superlative,
    moves_another,
    pays_for_another,
    tells_a_role,
    tells_effect,
    tells_how_often,
    tells_measure,
    tells_no_price,
    tells_purpose,
    tells_version,
    without_what_others_have,
)
from adaq_core.matching.asked import Asked, asked_by
from adaq_core.matching.conditions import day_above
from adaq_core.matching.credit import (
    RULE,
    Context,
    Form,
    Said,
    Wanted,
    forms_of,
    is_told_elsewhere,
    most_credited,
    said_of_another,
    shares_said,
    spoken_of,
    summed,
    terms_before,
    under_headings,
)
from adaq_core.matching.lexicon import tells_the_contrary
from adaq_core.matching.naming import (
    AN_ITEM,
    OF_STATEMENTS,
    asks_for_changes,
    gives_thanks,
    headings_of,
    is_heading,
    issuer_terms,
    lands_in,
    lists_changes,
    lists_works,
    looks_forward,
    may_speak,
    numbers_a_sibling,
    numbers_only_dates,
    presented_terms,
    share_of_name,
    subject_terms,
    terms_above,
)
from adaq_core.matching.shown import denies_what_is_asked, hyphened_in, may_say, meant_by_head, pairs_of_words, read_for
from adaq_core.matching.statements import asks_for_one, named_as_the_one, says_whether, told_outright
from adaq_core.model import AnswerKind, Passage, QueryAspect
from adaq_core.question.answer_kinds import kind_of_answer
from adaq_core.question.aspect_patterns import HISTORY
from adaq_core.text.passages import BELOW
from adaq_core.text.tokens import Sentence, Weigh, read_sentences, terms_of
from adaq_core.text.values import dates

# "Which companies depend on TSMC": each member has a sentence of its own, which says what it depends on.
_WHICH = re.compile(r"(?i)(?:which|what)\b")
_LOOKED_AT, _LOOKED_AT_OF_MANY = 4, 12
_WITH_A_FIGURE = frozenset(("amount", "number", "date"))
_FIGURE = re.compile(r"\d")
# Where it is asked who or which, what the title names may be the answer.
_ASKS_WHICH = frozenset(("person", "organisation", "list", "place", "choice"))
# "Why does A own B" takes for granted that it does.
_SUPPOSES = frozenset(("reason", "way", "date", "place"))
_TOLD_AS_ASKED = frozenset(("list", "fact", "way"))
# Answered also by what is told of the other side.
_TAKES_EITHER = frozenset(("yes_no", "choice", "list", "definition", "comparison", "report", "date"))
_DENIES = re.compile(
    r"(?i)n['’]t\b|\b(?:not|no|never|g[ia]ven? up|abandon\w{0,3}|cancel\w{0,4}|scrap\w{0,4}|called? off"
    r"|withdr[ae]w\w{0,3}"
    r"|refused?|failed?|declined?)\b"
)
_KINDS_OF_TYPE: dict[str, AnswerKind] = {"causal": "reason", "process": "way"}


Place = tuple[float, bool, float, int]


class ReadSentence(NamedTuple):
    """A sentence of a passage against what is asked; each number in [0, 1].

    `names`: the names of the question that it speaks of, by itself or by its context. `said`: what is asked of them
    that the sentence says itself. `near`: the same with the title and its neighbours. `about`: whether title or opening
    name the thing. `foreign`: whether the title names another. `opposed`: whether it says the opposite. `presents`:
    whether it only says what its document is about. `kind`: how
    far it holds the kind of answer, by itself or beside it. `itself`: the share of all that is asked that it says in
    its own words, also where the title says it too.
    """

    sentence: Sentence
    names: float
    said: float
    near: float
    about: bool
    opposed: bool
    foreign: bool = False
    kind: float = 1.0
    slack: float = 0.0
    presents: bool = False
    itself: float = 0.0
    figure: bool = False

    @property
    def place(self) -> Place:
        """Where it stands among others: by score; of equal ones by what may answer and by what it says itself."""
        return -self.score, not self.figure, -self.itself, self.sentence.start

    @property
    def score(self) -> float:
        """How far the sentence answers; from 0.5 it does."""
        score = RULE.own_words * self.said + (1 - RULE.own_words) * self.near
        score *= RULE.other_kind + (1 - RULE.other_kind) * self.kind
        score *= 1.0 if self.names >= RULE.sure_name else RULE.unsure_name
        score *= 1.0 if self.about else RULE.foreign if self.foreign else RULE.aside
        score *= RULE.presents if self.presents else 1.0
        return min(1.0, _scaled(score * (1 - RULE.opposite * self.opposed)) + self.slack)


def _scaled(score: float) -> float:
    """The raw score on the scale of coverage, where 0.5 answers."""
    if score < RULE.answers:
        return 0.5 * score / RULE.answers
    return 0.5 + 0.5 * (score - RULE.answers) / (1 - RULE.answers)


def asks_more_than_a_subject(aspect: QueryAspect, title: str) -> bool:
    """Whether the aspect asks something of its subject that a sentence has to say, beside its type."""
    if aspect.aspect_type in ("entity", "relation"):
        return True
    if aspect.aspect_type not in _KINDS_OF_TYPE or aspect.aspect == HISTORY:
        return False
    asked, titled = asked_by(aspect), terms_of(title)
    return any(not unit.is_in(titled) for unit in asked.units) or any(not name <= titled for name in asked.names)


@lru_cache(maxsize=1 << 12)
def kind_of(aspect: QueryAspect) -> AnswerKind:
    """The kind of answer that the aspect wants: its own, that of its type, or that of its wording."""
    if aspect.answer_kind != "fact":
        return aspect.answer_kind
    return _KINDS_OF_TYPE.get(aspect.aspect_type) or kind_of_answer(aspect.aspect)


_OF_CODE = terms_of("code command example snippet syntax function method option argument parameter flag import")


def asks_for_code(aspect: QueryAspect) -> bool:
    """Whether lines of programs may answer: they show how something is done, and what is asked for by such a word."""
    is_how = aspect.aspect_type == "process" or kind_of(aspect) == "way"
    return is_how or not _OF_CODE.isdisjoint(asked_by(aspect).terms)


# What was read in each run, by its own measure of rarity: a passage is read for the pool, for the set, for the answer.
_Known = dict[tuple[QueryAspect, Passage], tuple[ReadSentence, ...]]
_KNOWN: WeakKeyDictionary[Weigh, _Known] = WeakKeyDictionary()
_MOST_KNOWN = 1 << 10


def read_against(aspect: QueryAspect, passage: Passage, *, weigh: Weigh) -> tuple[ReadSentence, ...]:
    """The sentences of `passage` that say something of what `aspect` asks, best first."""
    known = _KNOWN.setdefault(weigh, {})
    result = known.get((aspect, passage))
    if result is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        outright = answering_outright(aspect, passage)
        plain = [ReadSentence(each, 1.0, 1.0, 1.0, about=True, opposed=False) for each in outright]
        read = _read_against(aspect, passage, weigh)
        others = [each for each in read if each.sentence not in outright]
        result = known[aspect, passage] = (*plain, *others)
    return result


class _Sought(NamedTuple):
    """What an aspect asks of the passages of a corpus: the kind of answer, the words, and what each of these weighs."""

    kind: AnswerKind
    asked: Asked
    weights: tuple[float, ...]


# What each run's aspects ask: a passage is read for all of them, and an aspect is asked of all passages.
_SOUGHT: WeakKeyDictionary[Weigh, dict[QueryAspect, _Sought]] = WeakKeyDictionary()


def _sought(aspect: QueryAspect, weigh: Weigh) -> _Sought:
    known = _SOUGHT.setdefault(weigh, {})
    if aspect not in known:
        kind, asked = kind_of(aspect), asked_by(aspect)
        if kind != "yes_no":
            asked = _without_everywhere(asked, weigh)
        if kind in SHAPED:
            asked = _in_known_words(asked, weigh)
        known[aspect] = _Sought(kind, asked, _weights(asked, weigh))
    return known[aspect]


class _Opened(NamedTuple):
    """A passage that may say what is asked of it.

    The terms of its `title`, whether it `speaks` itself, the countries it names, the names that it has to say, and all
    terms that its sentences may say.
    """

    title: frozenset[str]
    speaks: bool
    lands: frozenset[str]
    least: Sequence[frozenset[str]]
    sayable: frozenset[str]


# A passage is opened for the most that it may say, and to be read.
_OPENED: WeakKeyDictionary[Weigh, dict[tuple[QueryAspect, Passage], _Opened | None]] = WeakKeyDictionary()


def _opened(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> _Opened | None:
    """The passage, as far as it is asked; None where it cannot say the names of the question."""
    known, pair = _OPENED.setdefault(weigh, {}), (aspect, passage)
    if pair not in known:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        known[pair] = _open(aspect, passage, weigh)
    return known[pair]


def _open(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> _Opened | None:
    asked = _sought(aspect, weigh).asked
    short = passage.title.upper()  # a file is often called by the initials of what it holds: "cpa", "ucpa"
    called = (form.terms for form in asked.other_forms if form.is_in(short, short))
    title = subject_terms(passage).union(*called)
    speaks = may_speak(passage)
    lands = lands_in(f"{passage.title}. {passage.text}") if asked.nations else frozenset[str]()
    unspoken = [n for n in asked.names if not speaks or n in asked.nations or is_told_elsewhere(n, weigh)]
    least = [name for name in unspoken if asked.nations.get(name) not in lands]
    sayable = may_say(asked, passage.text)
    above = terms_above(passage)
    if least and not _names_all(least, title | above | sayable, weigh):
        return None
    return _Opened(title, speaks, lands, least, sayable)


def _weights(asked: Asked, weigh: Weigh) -> tuple[float, ...]:
    """How much each unit of what is asked counts."""
    said = zip(asked.units, _said(asked, weigh), strict=True)
    shares = (1.0 if known and not unit.is_light else RULE.light for unit, known in said)
    return tuple(math.sqrt(weigh(unit.term)) * share for unit, share in zip(asked.units, shares, strict=True))


def _slack(asked: Asked) -> float:
    """What a long question adds to the score of a sentence."""
    extra = len(asked.units) + len(asked.names) - RULE.short
    return RULE.slack * max(0.0, min(1.0, extra / RULE.long))


def most_said(aspect: QueryAspect, passage: Passage, *, weigh: Weigh) -> float:
    """The most that a sentence of `passage` may score in `read_against`, in [0, 1], from the terms of all together."""
    opened = _opened(aspect, passage, weigh)
    if opened is None:
        return 0.0
    _, asked, weights = _sought(aspect, weigh)
    body = opened.sayable | asked.turned
    whole = opened.title | body
    credits = [most_credited(unit, opened.title, body, whole) for unit in asked.units]
    own, around, _ = summed(weights, credits, total=sum(weights))
    if asked.is_light and len(asked.names) > 1:  # it may say so in any words
        own = around = 1.0
    if own == around == 0.0:
        return 0.0
    best = ReadSentence(_NOWHERE, 1.0, own, around, about=True, opposed=False, slack=_slack(asked))
    return best.score


_NOWHERE = Sentence(0, 0, frozenset())


def _read_against(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> list[ReadSentence]:
    opened = _opened(aspect, passage, weigh)
    if opened is None or lists_works(passage):
        return []
    kind, asked, _ = _sought(aspect, weigh)
    every = read_for(asked, passage.text)
    above = terms_above(passage)
    whole = opened.title.union(above, *(sentence.terms for sentence in every))
    longer = (name for name in asked.names if len(name) > 1)
    if any(numbers_only_dates(name & whole, passage) for name in longer) or not _names_all(opened.least, whole, weigh):
        return []
    context = _context_of(aspect, passage, opened, every, whole, weigh)
    forms = forms_of(passage.text)
    under = under_headings(every, forms, context.under(opened.title))
    is_told_by_time = any(condition.kind in ("date", "period") for condition in aspect.constraints)
    looked_at = _LOOKED_AT_OF_MANY if kind == "list" or is_told_by_time else _LOOKED_AT
    likely = _likeliest(every, forms, under, looked_at)
    checked = [_with_kind(each, kind, every, passage, asked, aspect.aspect) for each in likely]
    if "form" in dict(passage.metadata):
        checked = [_unless_only_possible(each, passage.text, aspect.aspect) for each in checked]
    if kind in _TOLD_BY_NO_TITLE:
        named = terms_of(passage.title)
        checked = [each for each in checked if not _repeats(named, each.sentence, _text_in(passage, each))]
    if kind == "person" and not _ASKS_OF_THANKS.search(aspect.aspect):
        checked = [each for each in checked if not gives_thanks(_text_in(passage, each))]
    if _ASKS_WHAT_CAME_NEXT.match(aspect.aspect):
        checked = list(_what_came_next(checked, every, passage.text))
    return sorted((c for c in checked if c.score > 0), key=lambda c: c.place)


_ASKS_OF_THANKS = re.compile(r"(?i)thank|acknowledg|grateful|help|comment|feedback|advice|suggest|review")


def _text_in(passage: Passage, read: ReadSentence) -> str:
    return passage.text[read.sentence.start : read.sentence.end]


def _context_of(
    aspect: QueryAspect,
    passage: Passage,
    opened: _Opened,
    every: Sequence[Sentence],
    whole: frozenset[str],
    weigh: Weigh,
) -> Context:
    """What the sentences of a passage stand in, whatever is above each of them."""
    kind, asked, weights = _sought(aspect, weigh)
    title = opened.title
    opening = every[0].terms if every and terms_of(passage.title) <= every[0].terms else frozenset[str]()
    asks_which = kind in _ASKS_WHICH and (kind != "list" or _WHICH.match(aspect.aspect) is not None)
    only_names = not asked.units and len(asked.names) > 1  # "What did A say about B?": what tells of both answers
    untitled = (name for name in asked.names if not name <= title)
    wanted = tuple(Wanted.of(unit, whole) for unit in asked.units)
    of_changes = kind != "date" and not asks_for_changes(asked.terms) and lists_changes(passage)
    return Context(
        asked,
        passage,
        whole,
        weights,
        weigh,
        slack=_slack(asked) - (RULE.of_changes if of_changes else 0.0),
        may_speak=opened.speaks,
        asks_which=asks_which,
        asks_figure=kind in _WITH_A_FIGURE,
        asks_code=asks_for_code(aspect),
        near_name=RULE.listed_name if only_names or (kind == "list" and asks_which) else RULE.near_name,
        opening=opening,
        presented=presented_terms(passage),
        lands=opened.lands,
        siblings=frozenset(name for name in untitled if numbers_a_sibling(name, headings_of(passage))),
        compounds=tuple(pair for pair in pairs_of_words(asked.wording) if whole.issuperset(pair)),
        parted=_parted(asked.wording, passage, whole),
        opposites=frozenset().union(*(unit.opposites for unit in asked.units)),
        wanted=wanted,
        telling=frozenset().union(*(each.telling for each in wanted)),
        total=sum(weights),
        wording=aspect.aspect,
        above=terms_above(passage),
    )


def _parted(wording: str, passage: Passage, whole: frozenset[str]) -> frozenset[str]:
    """The terms of the compounds of a question that a passage says apart only: "cross" and "encoder"."""
    compounds = [compound for compound in hyphened_in(wording) if compound[0] <= whole]
    if not compounds:
        return frozenset()
    text = f"{passage.title}. {passage.text}"
    apart = (terms for terms, written in compounds if written.search(text) is None)
    return frozenset().union(*apart)


# What a report says may or can happen is nothing that was done: "we may pay dividends" for "Has Acme paid a dividend?".
_ASKS_DONE = re.compile(
    r"(?i)^(?:did|has|have|had)\b|^(?:what|which|who|when|where|why|how)\b[^?]{0,60}?\b(?:did|has|have|had)\b"
)
_POSSIBLE = re.compile(
    r"\b(?:may|can|could|might)\b(?! 20\d\d| \d)|\b(?:opportunit(?:y|ies)|ability|right|intent(?:ion)?|intends?) to\b"
)
_DONE = re.compile(
    r"\b(?:ha[sd]|have|was|were|did)\b|\b[a-z]{3,16}ed (?:the|an?|its|our|their|to|by|in|on|from|for|\$?\d)"
)


def _unless_only_possible(read: ReadSentence, text: str, question: str) -> ReadSentence:
    """The sentence, without the kind of answer where it is asked what was done and it tells only what may be."""
    own = text[read.sentence.start : read.sentence.end]
    if OF_STATEMENTS.match(own) or (AN_ITEM.match(own) and looks_forward(text)):
        return read._replace(kind=0.0, presents=True)
    is_possible = _POSSIBLE.search(own) is not None and _DONE.search(own) is None
    return read._replace(kind=0.0) if is_possible and _ASKS_DONE.match(question) else read


def _names_all(names: Iterable[frozenset[str]], terms: frozenset[str], weigh: Weigh) -> bool:
    """Whether `terms` hold so much of each name that a passage may speak of it."""
    return all(share_of_name(name, terms, weigh) >= RULE.least_name for name in names)


def _said(asked: Asked, weigh: Weigh) -> list[bool]:
    """Whether a document says each unit in any form: of what none says, no sentence can tell more than another."""
    unknown = weigh(_UNKNOWN)
    if all(weigh(term) >= unknown for term in asked.terms):
        return [True for _ in asked.units]  # nothing tells which words are said
    return [
        unit.is_light or bool(unit.phrases) or any(weigh(word) < unknown for word in unit.words) for unit in asked.units
    ]


def asks_what_none_says(aspect: QueryAspect, weigh: Weigh) -> bool:
    """Whether something is asked that no document says in any form."""
    return not all(_said(asked_by(aspect), weigh))


# Of these answers the text tells by their shape whether it holds one.
SHAPED = frozenset(("amount", "number", "date", "person", "organisation", "place"))
_UNKNOWN = "\0"  # no text holds it
_LEAST_LEFT = 2  # names and units


def looked_up(aspect: QueryAspect) -> frozenset[str]:
    """The index terms of which the corpus is asked whether it says them: all forms of what is asked for."""
    return frozenset().union(*(unit.words for unit in asked_by(aspect).units))


_EVERYWHERE = math.log(2.0)  # the rarity of a term that half of the passages say


def _without_everywhere(asked: Asked, weigh: Weigh) -> Asked:
    """What is asked without names that half of the corpus says: what all of it is about, no passage needs to name."""
    names = tuple(name for name in asked.names if any(weigh(term) > _EVERYWHERE for term in name))
    return replace(asked, names=names) if asked.units and len(names) < len(asked.names) else asked


def _in_known_words(asked: Asked, weigh: Weigh) -> Asked:
    """What is asked without a verb that no document says in any form ("ploughed into"), where enough is left."""
    said = zip(asked.units, _said(asked, weigh), strict=True)
    known = tuple(unit for unit, is_said in said if is_said or unit.term not in asked.verbs)
    return replace(asked, units=known) if len(asked.names) + len(known) >= _LEAST_LEFT else asked


_ASKS_WHAT_CAME_NEXT = re.compile(
    r"(?i)what (?:then )?(?:happened|followed|came)(?: next| then)?,? (?:after|once|when) "
)
_GOES_ON = re.compile(r"; |, (?:and|but|before|until|then) ")


def _what_came_next(read: Sequence[ReadSentence], every: Sequence[Sentence], text: str) -> Iterator[ReadSentence]:
    """What answers "What happened after …": the sentence behind the one that says it, unless it tells of before.

    Where that sentence itself goes on ("sued; a judge dismissed it"), it answers too.
    """
    for each in read:
        place = every.index(each.sentence)
        own = text[each.sentence.start : each.sentence.end]
        if _GOES_ON.search(own):
            yield each
        elif place + 1 < len(every):
            behind = every[place + 1]
            if not _is_earlier(text[behind.start : behind.end], own):
                yield each._replace(sentence=behind)


def answering_outright(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The sentences of a passage that say just what is asked: that it is so or not so, or of what it is so alone."""
    asked, title, speaker = aspect.aspect, passage.title, issuer_terms(passage)
    told = ((each, passage.text[each.start : each.end]) for each in read_sentences(passage.text))
    if kind_of(aspect) == "yes_no":
        return tuple(each for each, text in told if says_whether(asked, text, title, speaker))
    if not asks_for_one(asked):
        return ()
    return tuple(each for each, text in told if named_as_the_one(asked, text, title))


def _is_earlier(sentence: str, other: str) -> bool:
    """Whether every date of a sentence lies before those of another."""
    mine, others = ([date.key for date in dates(each)] for each in (sentence, other))
    return bool(mine and others) and max(mine) < min(others)


def _with_kind(
    read: ReadSentence, kind: AnswerKind, every: Sequence[Sentence], passage: Passage, asked: Asked, question: str
) -> ReadSentence:
    """How far the sentence holds the kind of answer; a reason may stand beside it, a day in the heading above."""
    place = every.index(read.sentence)
    near = _with_neighbours(place, every, kind, asked)
    own, *beside = (passage.text[every[n].start : every[n].end] for n in near)
    if kind in _TOLD_AS_ASKED and told_outright(question, own, passage.title):
        read = read._replace(names=1.0, said=1.0, near=1.0, kind=1.0)
        return read._replace(about=True, opposed=False, presents=False)
    own += _hangs_on_it(passage, read.sentence, kind)
    if kind == "reason" and (tells_effect(own, asked=asked.terms) or moves_another(asked, own)):
        return read._replace(kind=0.0)
    own = without_what_others_have(asked, own) if kind in ("number", "amount") else own
    if kind == "number" and (told := counts_it(question, own)) is not None:
        return read._replace(kind=float(told))
    if kind == "number" and (counts_apart(asked, question, own) or lacks_length(question, own)):
        return read._replace(kind=0.0)
    if (kind in _ASKS_WHICH and lacks_superlative(asked, question, own)) or is_one_row_of_many(question, own):
        return read._replace(kind=0.0)
    if kind == "date" and ASKS_WHEN_DONE.match(question) and not _EXPECTED.search(question):
        own = _EXPECTED.sub(" ", own)
    if kind == "amount" and (
        pays_for_another(asked, own) or is_only_a_purpose(asked, own) or is_but_a_share(asked, own)
    ):
        return read._replace(kind=0.0)
    if kind == "amount" and (lacks_share(question, own) or tells_no_price(question, own)):
        return read._replace(kind=0.0)
    is_apart = kind in _ASKS_WHICH and lacks_deed(asked, question, read.sentence.terms)
    is_apart = is_apart or (kind == "yes_no" and lacks_order(question, own))
    if is_apart or (kind == "way" and lacks_means(question, own)):
        return read._replace(kind=0.0)
    denies = kind in _SUPPOSES and not _DENIES.search(question) and denies_what_is_asked(asked, own)
    if denies or (kind not in _TAKES_EITHER and tells_the_contrary(question, own)):
        read = read._replace(opposed=True)
    form = next((each for each in TOLD_IN_A_FORM if each.asks.match(question)), None)
    if form:
        return read._replace(kind=1.0 if form.tells.search(own) else 0.0)
    if kind == "date" and _ASKS_OCCASION.match(question.strip(" ?")) and _OCCASION.search(own):
        return read._replace(kind=1.0)
    is_told = kind == "list" and read.said == read.names == 1.0
    if holds_kind(kind, own, asked=asked.terms) or _holds_by_its_form(kind, own, asked, question):
        result = 1.0
    else:
        held_beside = is_told or any(holds_kind(kind, each, asked=asked.terms) for each in beside)
        result = RULE.kind_beside if held_beside else 0.0
    return read._replace(kind=result, foreign=read.foreign and kind not in _ASKS_WHICH)


def _hangs_on_it(passage: Passage, sentence: Sentence, kind: AnswerKind) -> str:
    """What a sentence says with others: the items that it announces, and the day in the heading above it."""
    announces = passage.text[sentence.start : sentence.end].endswith(":")
    items = _ITEMS.match(passage.text, sentence.end) if announces else None
    day = day_above(passage, sentence.start) if kind == "date" else ""
    return (items[0] if items else "") + (f" ({day})" if day else "")


def _holds_by_its_form(kind: AnswerKind, own: str, asked: Asked, question: str) -> bool:
    """Whether a sentence names who by what they are, or is itself what is to be done."""
    if kind in ("person", "organisation"):
        return tells_a_role(question, own, asked=asked.terms)
    if kind == "number" and tells_how_often(question, own):
        return True
    if kind == "date" and tells_version(question, own):
        return True
    if kind == "amount" and tells_measure(question, own):
        return True
    return kind == "reason" and tells_purpose(asked, question, own)


# Behind the line that announces them.
_ITEMS = re.compile(r"(?:\s{1,3}(?:[-•*]|\(?[A-Za-z\d]{1,2}[.)]) [^\n]{1,200}){1,12}")
# "When is the function called?" is answered by an occasion, and by no day.
_ASKS_OCCASION = re.compile(
    r"(?i)when (?:is|are) (?!.{0,80}\b(?:expected|planned|scheduled|supposed|needed|required)$)[^?]{2,80} "
    r"(?:[a-z]{3,16}ed|run|sent|written|thrown|read|done|taken|over|won|lost|complete)$"
)
_OCCASION = re.compile(
    r"(?i)\b(?:when|whenever|if|once|as soon as|each time|every time|at the (?:point|time|end|start|beginning)"
    r"|just (?:before|after)"
    r"|(?:before|after) (?:the|an?|each|every|all)|for (?:each|every)|immediately|automatically)\b"
)
ASKS_WHEN_DONE = re.compile(
    r"(?i)(?:since )?(?:when|(?:on|in) (?:what|which) [a-z]{3,8}) (?P<how>did|was|were|has|have|had)\b"
)
# "We expect it to close in 2023" does not say when it closed.
_EXPECTED = re.compile(
    r"\b(?:expect(?:s|ed)?|anticipate[sd]?|scheduled|planned|plans|intends?) (?:[\w’'-]{1,20} ){0,3}?to [^;.]{1,200}"
    r"|\bworking towards? [^;.]{1,200}"
)


def _with_neighbours(place: int, every: Sequence[Sentence], kind: AnswerKind, asked: Asked) -> Iterator[int]:
    """The place, and where a reason is asked for, those beside it that speak of the same."""
    yield place
    for beside in (place - 1, place + 1) if kind == "reason" else ():
        if 0 <= beside < len(every) and not every[beside].terms.isdisjoint(asked.terms):
            yield beside


class _Draft(NamedTuple):
    """A sentence of which the names are not looked for yet: its place and context, what it would be with all names.

    `taken_up` are the terms that it has from a compound before it; `highest` is the score of `at_best`.
    """

    place: int
    form: Form
    context: Context
    taken_up: frozenset[str]
    at_best: ReadSentence
    highest: float


def _likeliest(
    every: Sequence[Sentence], forms: Sequence[Form], under: Sequence[Context], most: int
) -> list[ReadSentence]:
    """The `most` sentences with the highest scores, of equal ones those that say more themselves.

    Names are looked for only where a sentence may be one of them: that takes most of the time.
    """
    results: list[tuple[Place, ReadSentence]] = []
    for draft in sorted(_drafts(every, forms, under), key=lambda draft: -draft.highest):
        if len(results) >= most and -results[most - 1][0][0] > draft.highest:
            break
        read = _with_names(draft, every)
        if read is not None:
            insort(results, (read.place, read))  # no two have one place
    return [read for _, read in results[:most]]


_TOLD_BY_NO_TITLE = frozenset(("person", "date", "reason", "way", "yes_no"))


def _repeats(title: frozenset[str], sentence: Sentence, text: str) -> bool:
    """Whether a line is a part of the title once more, as covers and slides have it."""
    return is_heading(text) and sentence.terms <= title


def _drafts(every: Sequence[Sentence], forms: Sequence[Form], under: Sequence[Context]) -> Iterator[_Draft]:
    """Each sentence in its context; none for a question, for markup, for a heading and for what says nothing."""
    told = [sentence.terms & context.telling for sentence, context in zip(every, under, strict=True)]
    known: dict[Said, tuple[ReadSentence, float] | None] = {}
    for place, (sentence, form, context) in enumerate(zip(every, forms, under, strict=True)):
        if form.is_question or (form.is_code and not context.asks_code) or _only_heads(sentence, form, context):
            continue
        taken_up = frozenset[str]()
        above = context.above & context.telling
        if context.compounds:
            taken_up = meant_by_head(context.compounds, form.text, terms_before(place, every))
        said = Said(
            told[place] | taken_up,
            told[place].union(above, *told[max(0, place - 1) : place + 2]),
            said_of_another(place, every, form, context),
            context.title,
            form.presents,
            says_all=_says_all(sentence.terms, taken_up, context.asked),
        )
        if said not in known:
            known[said] = _at_best(said, sentence, context)
        if made := known[said]:
            yield _Draft(place, form, context, taken_up, *made)


def _only_heads(sentence: Sentence, form: Form, context: Context) -> bool:
    """Whether a line is a heading, by its form or as its document marks it, and says only what is asked: "Licence"."""
    if not sentence.terms <= context.asked.terms:
        return False
    _, _, section = headings_of(context.passage).partition("\n")
    return form.is_heading or form.text in section.split(BELOW)


def _says_all(terms: frozenset[str], taken_up: frozenset[str], asked: Asked) -> bool:
    """Whether a sentence speaks of all names of a question that asks how much A gave B: it may say so in any words."""
    return len(asked.names) > 1 and asked.is_light and all(name <= terms | taken_up for name in asked.names)


def _at_best(said: Said, sentence: Sentence, context: Context) -> tuple[ReadSentence, float] | None:
    """A sentence with all names, and its score; None where it says nothing of what is asked."""
    own, around, itself = shares_said(said, context)
    if not said.says_all and own == around == 0.0:
        return None
    least = RULE.unsaid if said.says_all else 0.0
    made = ReadSentence(
        sentence,
        names=1.0,
        said=max(least, own),
        near=max(least, around),
        about=True,
        opposed=False,
        slack=context.slack if own else 0.0,
        presents=said.presents,
        itself=itself,
    )
    return made, made.score


def _with_names(draft: _Draft, every: Sequence[Sentence]) -> ReadSentence | None:
    """The sentence with the names that it speaks of, and what of; None where it speaks of something else."""
    spoken = spoken_of(draft.place, every, draft.form, draft.context, taken_up=draft.taken_up)
    if spoken is None:
        return None
    return draft.at_best._replace(
        sentence=every[draft.place],
        names=spoken.names,
        about=spoken.about,
        opposed=spoken.opposed,
        foreign=spoken.foreign,
        slack=draft.at_best.slack if spoken.names >= RULE.sure_name else 0.0,
        figure=draft.context.asks_figure and _FIGURE.search(draft.form.text) is not None,
    )
