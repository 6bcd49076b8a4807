"""How far each sentence of a passage, read in its context, says what an aspect asks."""

from __future__ import annotations

import math
import re
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from adaq_core.matching.answer_shapes import (
    counts_apart,
    counts_it,
    holds_kind,
    is_but_a_share,
    lacks_length,
    lacks_share,
    lacks_superlative,
    lacks_trade,
    opens_with_deed,
    pays_for_another,
    tells_a_role,
    tells_effect,
    tells_how_often,
    tells_no_price,
    tells_period,
    without_what_others_have,
)
from adaq_core.matching.asked import Asked, Unit, asked_by, shares_in
from adaq_core.matching.lexicon import account_of, near_to, similarity
from adaq_core.matching.naming import (
    PRESENTS,
    common_words,
    is_heading,
    is_markup,
    is_signature,
    is_title_line,
    lands_in,
    lists_words,
    may_speak,
    names_a_sibling,
    numbers_a_sibling,
    numbers_only_dates,
    opening_name,
    presented_terms,
    share_of_name,
    subject_terms,
    tells_land,
)
from adaq_core.matching.shown import (
    Shown,
    begun_by_another,
    denies_what_is_asked,
    is_done_to_another,
    may_say,
    meant_by_head,
    pairs_of_words,
    read_for,
    shown_in,
)
from adaq_core.model import AnswerKind, Passage, QueryAspect
from adaq_core.question.answer_kinds import kind_of_answer
from adaq_core.question.aspect_patterns import HISTORY
from adaq_core.text.tokens import Sentence, Weigh, terms_of
from adaq_core.text.values import dates

# A sentence that ends with a question, quoted or not, tells what may be asked and answers nothing.
_QUESTION = re.compile(r"\?[\"'”’)\]]*(?:\.|,|$)")
# "Which companies depend on TSMC": each member has a sentence of its own, which says what it depends on.
_WHICH = re.compile(r"(?:which|what)\b", re.IGNORECASE)
_OPENING_WORDS = 6
_LOOKED_AT, _LOOKED_AT_IN_LISTS = 4, 12
_WITH_A_FIGURE = frozenset(("amount", "number", "date"))
_FIGURE = re.compile(r"\d")
# Where it is asked who or which, what the title names may be the answer.
_ASKS_WHICH = frozenset(("person", "organisation", "list", "place", "choice"))
# "Why does A own B" takes for granted that it does.
_SUPPOSES = frozenset(("reason", "way", "date", "place"))
_DENIES = re.compile(
    r"n['’]t\b|\b(?:not|no|never|g[ia]ven? up|abandon\w{0,3}|cancel\w{0,4}|scrap\w{0,4}|called? off|withdr[ae]w\w{0,3}"
    r"|refused?|failed?|declined?)\b",
    re.IGNORECASE,
)
_KINDS_OF_TYPE: dict[str, AnswerKind] = {"causal": "reason", "process": "way"}


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """How the parts of a sentence make its score; all in [0, 1], chosen on half of the labelled pairs."""

    own_words: float = 0.7  # weight of the sentence's own words beside those with its neighbours
    other_kind: float = 0.55  # left of the score where the kind of answer is missing
    opposite: float = 0.6  # taken off where the sentence says the opposite
    least_name: float = 0.45  # below it the passage speaks of something else
    sure_name: float = 0.8  # from it the sentence speaks of what is named
    unsure_name: float = 0.7  # left of the score in between
    aside: float = 0.9  # left where neither title nor opening names the thing
    foreign: float = 0.6  # … and the title names another
    kind_beside: float = 0.6  # how far a reason is given by a neighbouring sentence
    answers: float = 0.65  # the raw score from which a sentence answers
    title: float = 0.9  # credit for a term that the title says, against one of the sentence itself
    beside: float = 0.6  # … that a neighbouring sentence says
    elsewhere: float = 0.3  # … that another sentence of the passage says
    only_near: float = 0.8  # left of words near in meaning where the sentence says none of what is asked itself
    unsaid: float = 0.8  # said by a sentence with both names where only a light verb is asked between them
    light: float = 0.3  # weight of a term that says little, against another as rare
    near_name: float = 0.85  # credit for a name that a neighbouring sentence says …
    name_ahead: float = 0.6  # … that only the next sentence says
    back: int = 4  # sentences before it from which a sentence may take its name
    listed_name: float = 0.6  # … where the members of a list are asked for by what is said of them
    far_name: float = 0.5  # … that another sentence of the passage says
    speaker: float = 0.8  # … that may be the speaker of an untitled text which says "we" or "I"
    presents: float = 0.6  # left of a sentence that only says what its document is about
    slack: float = 0.12  # added to the score of a long question, of which no answer repeats every word …
    short: int = 3  # … from more than so many names and terms
    long: int = 6  # … in full at so many more


RULE = SentenceRule()


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


class _Wanted(NamedTuple):
    """A unit of what is asked, and what a passage says of it where a sentence does not.

    `near` are the words near in meaning that the passage holds, with how far each means the same; `is_titled` whether
    its title says it, `is_said` whether any of its sentences does.
    """

    unit: Unit
    near: Mapping[str, float]
    is_titled: bool
    is_said: bool

    @property
    def telling(self) -> frozenset[str]:
        """The terms of which a sentence has to hold one to say anything of it."""
        return self.unit.words.union(self.near, *self.unit.phrases)


class _Context(NamedTuple):
    """What the sentences of a passage stand in: title and issuer, all terms, and what is wanted of them.

    `presented` are the terms of sentences that say what the document is about, `opening` those of the sentence that
    says what the thing of the title is; `lands` the countries that the passage names, where that matters; `siblings`
    the names in whose place the title names another number of their series; `compounds` those of the question that the
    passage says, `opposites` the terms that say the opposite of what is asked, `telling` those that say any of it;
    `is_titled` whether the title names what
    is asked about, `is_foreign` whether it names something else.
    """

    asked: Asked
    passage: Passage
    whole: frozenset[str]
    weights: tuple[float, ...]
    weigh: Weigh
    slack: float
    may_speak: bool
    asks_which: bool
    asks_figure: bool
    asks_cause: bool
    near_name: float
    opening: frozenset[str]
    presented: frozenset[str]
    lands: frozenset[str]
    siblings: frozenset[frozenset[str]]
    compounds: tuple[tuple[str, str], ...]
    opposites: frozenset[str]
    total: float = 0.0
    title: frozenset[str] = frozenset()
    wanted: tuple[_Wanted, ...] = ()
    telling: frozenset[str] = frozenset()
    is_titled: bool = False
    is_foreign: bool = False

    def under(self, title: frozenset[str]) -> _Context:
        """The same under a title with these terms."""
        asked, names = self.asked, self.asked.names
        if names:
            is_titled = any(share_of_name(name, title, self.weigh) > RULE.sure_name for name in names)
        else:
            is_titled = bool(title) and title <= asked.terms
        wanted = tuple(self._wanted(title | self.presented))
        return self._replace(
            title=title,
            wanted=wanted,
            telling=frozenset().union(*(each.telling for each in wanted)),
            is_titled=is_titled,
            is_foreign=bool(names) and bool(title) and title.isdisjoint(asked.terms),
        )

    def _wanted(self, title: frozenset[str]) -> Iterator[_Wanted]:
        for unit in self.asked.units:
            is_titled = unit.is_in(title) or (unit.term == self.asked.of_class and unit.is_in(self.opening))
            near = near_to(unit.term)
            held = near if not near.keys().isdisjoint(self.whole) else {}
            yield _Wanted(unit, held, is_titled, unit.is_in(self.whole))


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
        result = known[aspect, passage] = tuple(_read_against(aspect, passage, weigh))
    return result


class _Opened(NamedTuple):
    """What is asked of a passage that may say it.

    `kind` of answer, the terms of its `title`, whether it `speaks` itself, the countries it names, the names that it
    has to say, and all terms that its sentences may say.
    """

    kind: AnswerKind
    asked: Asked
    title: frozenset[str]
    speaks: bool
    lands: frozenset[str]
    least: Sequence[frozenset[str]]
    sayable: frozenset[str]


def _opened(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> _Opened | None:
    """What is asked of a passage; None where it cannot say the names of the question."""
    kind = kind_of(aspect)
    asked = asked_by(aspect)
    if kind in SHAPED:
        asked = _in_known_words(asked, weigh)
    title = subject_terms(passage)
    speaks = may_speak(passage)
    lands = lands_in(f"{passage.title}. {passage.text}") if asked.nations else frozenset[str]()
    least = [] if speaks else [name for name in asked.names if asked.nations.get(name) not in lands]
    sayable = may_say(asked, passage.text)
    if least and not _names_all(least, title | sayable, weigh):
        return None
    return _Opened(kind, asked, title, speaks, lands, least, sayable)


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
    asked, weights = opened.asked, _weights(opened.asked, weigh)
    body = opened.sayable | asked.turned
    whole = opened.title | body
    credits = [_most_credited(unit, opened.title, body, whole) for unit in asked.units]
    only_near = RULE.only_near if all(credit.own < 1.0 for credit in credits) else 1.0
    own, around, _ = _summed(weights, credits, only_near=only_near, total=sum(weights))
    if asked.is_light and len(asked.names) > 1:  # it may say so in any words
        own = around = 1.0
    if own == around == 0.0:
        return 0.0
    best = ReadSentence(_NOWHERE, 1.0, own, around, about=True, opposed=False, slack=_slack(asked))
    return best.score


_NOWHERE = Sentence(0, 0, frozenset())


def _most_credited(unit: Unit, title: frozenset[str], body: frozenset[str], whole: frozenset[str]) -> _Credit:
    """The most that a sentence under this title may be credited with, of all that the body of its passage says."""
    if unit.is_in(title) and not unit.is_in(body):
        return _TITLED
    if unit.is_in(whole):
        return _IN_FULL
    alike = similarity(unit.term, whole)
    return _Credit(alike, alike) if alike else _NONE


def _read_against(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> list[ReadSentence]:
    opened = _opened(aspect, passage, weigh)
    if opened is None:
        return []
    kind, asked, title, speaks, lands, least, _ = opened
    every = read_for(asked, passage.text)
    whole = title.union(*(sentence.terms for sentence in every))
    longer = (name for name in asked.names if len(name) > 1)
    if any(numbers_only_dates(name & whole, passage) for name in longer) or not _names_all(least, whole, weigh):
        return []
    weights = _weights(asked, weigh)
    opening = every[0].terms if every and terms_of(passage.title) <= every[0].terms else frozenset[str]()
    asks_which = kind in _ASKS_WHICH and (kind != "list" or _WHICH.match(aspect.aspect) is not None)
    near_name = RULE.listed_name if kind == "list" and asks_which else RULE.near_name
    presented = presented_terms(passage)
    untitled = (name for name in asked.names if not name <= title)
    siblings = frozenset(name for name in untitled if numbers_a_sibling(name, passage.title))
    context = _Context(
        asked,
        passage,
        whole,
        weights,
        weigh,
        _slack(asked),
        speaks,
        asks_which,
        kind in _WITH_A_FIGURE,
        kind == "reason",
        near_name,
        opening,
        presented,
        lands,
        siblings,
        compounds=tuple(pair for pair in pairs_of_words(asked.wording) if whole.issuperset(pair)),
        opposites=frozenset().union(*(unit.opposites for unit in asked.units)),
        total=sum(weights),
    )
    forms = _forms_of(passage.text)
    under = _under_headings(every, forms, context.under(title))
    looked_at = _LOOKED_AT_IN_LISTS if kind == "list" else _LOOKED_AT
    likely = _likeliest(every, forms, under, looked_at)
    checked = [_with_kind(each, kind, every, passage.text, asked, aspect.aspect) for each in likely]
    if _ASKS_WHAT_CAME_NEXT.match(aspect.aspect):
        checked = list(_what_came_next(checked, every, passage.text))
    return sorted((c for c in checked if c.score > 0), key=lambda c: c.place)


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


# Of these answers the text tells by their shape whether it holds one.
SHAPED = frozenset(("amount", "number", "date", "person", "organisation", "place"))
_UNKNOWN = "\0"  # no text holds it
_LEAST_LEFT = 2  # names and units


def looked_up(aspect: QueryAspect) -> frozenset[str]:
    """The index terms of which the corpus is asked whether it says them: all forms of what is asked for."""
    return frozenset().union(*(unit.words for unit in asked_by(aspect).units))


def _in_known_words(asked: Asked, weigh: Weigh) -> Asked:
    """What is asked without a verb that no document says in any form ("ploughed into"), where enough is left."""
    said = zip(asked.units, _said(asked, weigh), strict=True)
    known = tuple(unit for unit, is_said in said if is_said or unit.term not in asked.verbs)
    return replace(asked, units=known) if len(asked.names) + len(known) >= _LEAST_LEFT else asked


_ASKS_WHAT_CAME_NEXT = re.compile(
    r"what (?:then )?(?:happened|followed|came)(?: next| then)?,? (?:after|once|when) ", re.IGNORECASE
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


def _is_earlier(sentence: str, other: str) -> bool:
    """Whether every date of a sentence lies before those of another."""
    mine, others = ([date.key for date in dates(each)] for each in (sentence, other))
    return bool(mine and others) and max(mine) < min(others)


def _under_headings(every: Sequence[Sentence], forms: Sequence[_Form], context: _Context) -> list[_Context]:
    """For each sentence the context with the heading above it: what a heading names, its sentences do not repeat."""
    results, now = [], context
    for sentence, form in zip(every, forms, strict=True):
        if form.is_heading:
            now = context.under(context.title | sentence.terms)
        results.append(now)
    return results


def _with_kind(
    read: ReadSentence, kind: AnswerKind, every: Sequence[Sentence], text: str, asked: Asked, question: str
) -> ReadSentence:
    """How far the sentence holds the kind of answer; a reason may stand beside it."""
    place = every.index(read.sentence)
    own, *beside = (text[every[n].start : every[n].end] for n in _with_neighbours(place, every, kind, asked))
    if own.endswith(":") and (items := _ITEMS.match(text, read.sentence.end)):
        own += items[0]
    if kind == "reason" and tells_effect(own, asked=asked.terms):
        return read._replace(kind=0.0)
    own = without_what_others_have(asked, own) if kind in ("number", "amount") else own
    if kind == "number" and (told := counts_it(question, own)) is not None:
        return read._replace(kind=float(told))
    if kind == "number" and (counts_apart(asked, question, own) or lacks_length(question, own)):
        return read._replace(kind=0.0)
    if kind in _ASKS_WHICH and lacks_superlative(asked, question, own):
        return read._replace(kind=0.0)
    if kind == "date" and ASKS_WHEN_DONE.match(question) and not _EXPECTED.search(question):
        own = _EXPECTED.sub(" ", own)
    if kind == "amount" and (pays_for_another(asked, own) or is_but_a_share(asked, own)):
        return read._replace(kind=0.0)
    if kind == "amount" and (lacks_share(question, own) or tells_no_price(question, own)):
        return read._replace(kind=0.0)
    if kind in _ASKS_WHICH and lacks_trade(question, own):
        return read._replace(kind=0.0)
    if kind in _SUPPOSES and not _DENIES.search(question) and denies_what_is_asked(asked, own):
        read = read._replace(opposed=True)
    if _ASKS_NAME.match(question) and _NAMING.search(own) is None:
        return read._replace(kind=0.0)
    if kind == "date" and _ASKS_OCCASION.match(question.strip(" ?")) and _OCCASION.search(own):
        return read._replace(kind=1.0)
    is_told = kind == "list" and read.said == read.names == 1.0
    if holds_kind(kind, own, asked=asked.terms) or _holds_by_its_form(kind, own, asked, question):
        result = 1.0
    else:
        held_beside = is_told or any(holds_kind(kind, each, asked=asked.terms) for each in beside)
        result = RULE.kind_beside if held_beside else 0.0
    return read._replace(kind=result, foreign=read.foreign and kind not in _ASKS_WHICH)


def _holds_by_its_form(kind: AnswerKind, own: str, asked: Asked, question: str) -> bool:
    """Whether a sentence names who by what they are, or is itself what is to be done."""
    if kind in ("person", "organisation"):
        return tells_a_role(question, own, asked=asked.terms)
    if kind == "number" and tells_how_often(question, own):
        return True
    if kind == "date" and tells_period(question, own):
        return True
    return kind == "way" and opens_with_deed(question, own)


_ITEMS = re.compile(r"(?:\s{1,3}(?:[-•*]|\d{1,2}[.)]) [^\n]{1,200}){1,12}")  # behind the line that announces them
# "What do the Xhosa call Canopus?" is answered by what says how something is called.
_ASKS_NAME = re.compile(r"what (?:do|does|did) [^?]{2,60} call (?!(?:for|on|off|in|upon)\b)", re.IGNORECASE)
_NAMING = re.compile(
    r"\b(?:call(?:s|ed)?|known|names?|named|refer(?:s|red)? to|termed?|dubbed|nicknamed|means?|meaning|word|titled?"
    r"|labelled)\b"
    r"|\w (?:—|–|=) \w|[“\"‘]\w",
    re.IGNORECASE,
)
# "When is the function called?" is answered by an occasion, and by no day.
_ASKS_OCCASION = re.compile(
    r"when (?:is|are) (?!.{0,80}\b(?:expected|planned|scheduled|supposed|needed|required)$)[^?]{2,80} "
    r"(?:[a-z]{3,16}ed|run|sent|written|thrown|read|done|taken)$",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    r"\b(?:when|whenever|if|once|as soon as|each time|every time|at the (?:point|time|end|start|beginning)"
    r"|just (?:before|after)"
    r"|(?:before|after) (?:the|an?|each|every|all)|for (?:each|every)|immediately|automatically)\b",
    re.IGNORECASE,
)
ASKS_WHEN_DONE = re.compile(
    r"(?:since )?(?:when|(?:on|in) (?:what|which) [a-z]{3,8}) (?P<how>did|was|were|has|have|had)\b", re.IGNORECASE
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


class _Said(NamedTuple):
    """What of a sentence its score hangs on, its names aside; most sentences of a passage say as little as another.

    `own` and `near` are the terms of what is asked that it says itself and with those beside it, `of_another` what is
    said there of something else; `says_all` whether it speaks of all names, of which only light verbs are asked.
    """

    own: frozenset[str]
    near: frozenset[str]
    of_another: frozenset[str]
    title: frozenset[str]
    presents: bool
    says_all: bool


class _Draft(NamedTuple):
    """A sentence of which the names are not looked for yet: its place and context, what it would be with all names.

    `taken_up` are the terms that it has from a compound before it; `highest` is the score of `at_best`.
    """

    place: int
    form: _Form
    context: _Context
    taken_up: frozenset[str]
    at_best: ReadSentence
    highest: float


def _likeliest(
    every: Sequence[Sentence], forms: Sequence[_Form], under: Sequence[_Context], most: int
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


def _drafts(every: Sequence[Sentence], forms: Sequence[_Form], under: Sequence[_Context]) -> Iterator[_Draft]:
    """Each sentence in its context; none for a question, for markup and for what says nothing."""
    told = [sentence.terms & context.telling for sentence, context in zip(every, under, strict=True)]
    known: dict[_Said, tuple[ReadSentence, float] | None] = {}
    for place, (sentence, form, context) in enumerate(zip(every, forms, under, strict=True)):
        if form.is_question:
            continue
        taken_up = frozenset[str]()
        if context.compounds:
            taken_up = meant_by_head(context.compounds, form.text, _before(place, every))
        said = _Said(
            told[place] | taken_up,
            told[place].union(*told[max(0, place - 1) : place + 2]),
            _said_of_another(place, every, form, context),
            context.title,
            form.presents,
            says_all=_says_all(sentence.terms, taken_up, context.asked),
        )
        if said not in known:
            known[said] = _at_best(said, sentence, context)
        if made := known[said]:
            yield _Draft(place, form, context, taken_up, *made)


def _says_all(terms: frozenset[str], taken_up: frozenset[str], asked: Asked) -> bool:
    """Whether a sentence speaks of all names of a question that asks how much A gave B: it may say so in any words."""
    return len(asked.names) > 1 and asked.is_light and all(name <= terms | taken_up for name in asked.names)


def _at_best(said: _Said, sentence: Sentence, context: _Context) -> tuple[ReadSentence, float] | None:
    """A sentence with all names, and its score; None where it says nothing of what is asked."""
    own, around, itself = _shares_said(said, context)
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


def _near(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those beside it."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - 1) : place + 2]])


def _before(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those from which it may take its name."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - RULE.back) : place]])


def _with_names(draft: _Draft, every: Sequence[Sentence]) -> ReadSentence | None:
    """The sentence with the names that it speaks of, and what of; None where it speaks of something else."""
    place, form, context = draft.place, draft.form, draft.context
    own = every[place].terms | draft.taken_up
    other = _other_opening(form.text, own, context)
    said_of = _SaidOf(form.text, own, _before(place, every), _near(place, every), other)
    named = min((_named(name, said_of, context) for name in context.asked.names), default=1.0)
    if named < RULE.least_name:
        return None
    is_beside = _is_beside(said_of, context)
    return draft.at_best._replace(
        sentence=every[place],
        names=named,
        about=bool(draft.taken_up) or (not is_beside and _is_about(form, context)),
        opposed=_is_opposed(own, context) or _is_of_another(context.asked, form),
        foreign=_is_foreign(own, context) or is_beside,
        slack=draft.at_best.slack if named >= RULE.sure_name else 0.0,
        figure=context.asks_figure and _FIGURE.search(form.text) is not None,
    )


def _is_opposed(own: frozenset[str], context: _Context) -> bool:
    """Whether a sentence says the opposite of something asked and not this."""
    return not context.opposites.isdisjoint(own) and any(unit.is_opposed(own) for unit in context.asked.units)


class _Form(NamedTuple):
    """What a sentence shows whatever is asked: its kind."""

    shown: Shown
    is_question: bool
    is_heading: bool
    presents: bool

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return self.shown.text

    @property
    def opening(self) -> frozenset[str]:
        """The terms that open it."""
        return terms_of(" ".join(self.text.split(maxsplit=_OPENING_WORDS)[:_OPENING_WORDS]))


@lru_cache(maxsize=1 << 11)
def _forms_of(text: str) -> tuple[_Form, ...]:
    """What each sentence of a passage shows."""
    return tuple(map(_form_of, shown_in(text)))


_TELL_NOTHING = (is_title_line, lists_words, is_signature)


def _form_of(shown: Shown) -> _Form:
    text = shown.text
    return _Form(
        shown,
        is_question=_QUESTION.search(text) is not None or is_markup(text),
        is_heading=is_heading(text),
        presents=PRESENTS.match(text) is not None or any(tells_none(text) for tells_none in _TELL_NOTHING),
    )


def _shares_said(said: _Said, context: _Context) -> tuple[float, float, float]:
    """Of what is asked, by weight: what the sentence says beside its title's, what it says with both, what itself."""
    credits = [
        _NONE if wanted.unit.term in said.of_another else _credit(wanted, said.own, said.near)
        for wanted in context.wanted
    ]
    only_near = RULE.only_near if _says_but_near(context, credits) else 1.0
    return _summed(context.weights, credits, only_near=only_near, total=context.total)


def _summed(
    weights: Sequence[float], credits: Sequence[_Credit], *, only_near: float, total: float
) -> tuple[float, float, float]:
    """The same from what each unit counts; `only_near` is left of what the sentence says itself."""
    own, in_body, around, itself = 0.0, 0.0, 0.0, 0.0
    for weight, credit in zip(weights, credits, strict=True):
        own += weight * only_near * credit.own
        in_body += 0.0 if credit.titled else weight
        around += weight * credit.worth
        itself += weight * credit.own
    return (own / in_body if in_body else 1.0), (around / total if credits else 1.0), itself


def _says_but_near(context: _Context, credits: Sequence[_Credit]) -> bool:
    """Whether of what is asked only words near in meaning are said, or another account than the one asked about."""
    if all(credit.own < 1.0 for credit in credits):
        return True
    if not context.asks_cause:  # a figure is told by what leads others, whatever it is called
        return False
    asked, told = set[int | None](), set[int | None]()
    for wanted, credit in zip(context.wanted, credits, strict=True):
        account = account_of(wanted.unit.term)
        asked.add(account)
        told.update((account,) if credit.own or credit.titled else ())
    return not asked <= {None, *told}


def _said_of_another(place: int, every: Sequence[Sentence], form: _Form, context: _Context) -> frozenset[str]:
    """The terms of what is asked that a sentence says of something else."""
    if not (form.shown.begun or context.asked.objects):
        return frozenset()
    near = _near(place, every)
    units = (wanted.unit for wanted in context.wanted)
    return frozenset(unit.term for unit in units if not _is_done_to_it(unit, form.shown, near, context))


def _is_done_to_it(unit: Unit, shown: Shown, near: frozenset[str], context: _Context) -> bool:
    """Whether what is asked to be done to a thing is not done to another, and the thing is said there or beside it."""
    if shown.begun and begun_by_another(context.asked, unit, shown):
        return False
    thing = context.asked.objects.get(unit.term)
    if thing is None:
        return True
    around = near if _TAKES_UP.search(shown.text) else terms_of(shown.text)
    is_there = share_of_name(thing, around | context.title, context.weigh) >= RULE.sure_name
    return is_there and not is_done_to_another(context.asked, unit, thing, shown.text)


# A sentence that speaks of what its neighbours name has a word for it.
_TAKES_UP = re.compile(
    r"\b(?:(?i:it|its|itself|he|him|his|she|her|they|them|their|both|this|these|those|such)\b|[Tt]he (?=[a-z]{3}))"
)


class _Credit(NamedTuple):
    """What a unit counts, in [0, 1]; how far the sentence itself says it; whether the title says it in its place."""

    worth: float
    own: float = 0.0
    titled: bool = False


_NONE, _IN_FULL, _TITLED = _Credit(0.0), _Credit(1.0, own=1.0), _Credit(RULE.title, titled=True)


def _credit(wanted: _Wanted, own: frozenset[str], near: frozenset[str]) -> _Credit:
    """Where a unit is said: in the sentence, in the title, by a word near in meaning, beside it, elsewhere, nowhere."""
    if wanted.is_said and wanted.unit.is_in(own):
        return _IN_FULL
    if wanted.is_titled:
        return _TITLED
    alike = max((wanted.near[term] for term in wanted.near.keys() & own), default=0.0) if wanted.near else 0.0
    if not wanted.is_said:
        return _Credit(alike, alike) if alike else _NONE
    return _Credit(max(RULE.beside if wanted.unit.is_in(near) else RULE.elsewhere, alike), alike)


class _SaidOf(NamedTuple):
    """A sentence, its terms, with those before it, with those around it; `other` are those of another opening name."""

    text: str
    own: frozenset[str]
    before: frozenset[str]
    near: frozenset[str]
    other: frozenset[str]


def _other_opening(text: str, own: frozenset[str], context: _Context) -> frozenset[str]:
    """The terms of another name that a sentence opens with, where it does not say all that the question names."""
    if context.asks_which or all(name <= own for name in context.asked.names):
        return frozenset()
    opener = opening_name(text, context.passage)
    return opener if opener.isdisjoint(context.asked.terms) else frozenset()


def _is_beside(said: _SaidOf, context: _Context) -> bool:
    """Whether a sentence opens with another name of the title: "GPT uses …" under "BERT compared with GPT"."""
    return bool(said.other) and said.other <= context.title


def _named(name: frozenset[str], said: _SaidOf, context: _Context) -> float:
    """How far a sentence speaks of a name."""
    text, own, before, near, other = said
    if not name <= own and (name in context.siblings or names_a_sibling(name, text)):
        return 0.0
    nation = context.asked.nations.get(name)
    if nation and (lands_in(text) or context.lands) == {nation}:
        return 1.0  # "British" in a passage on Britain and no other land
    land = context.asked.lands.get(name)
    if land and tells_land(land, text):
        return 1.0
    if not name.isdisjoint(own) and (common := common_words(name, text, context.asked.wording)):
        if common == name and not name <= context.title:
            return RULE.far_name  # "set" is no word on the command SET
        own, before, near = own - common, before - common, near - common
    here = share_of_name(name, own | context.title, context.weigh)
    elsewhere = share_of_name(name, context.whole, context.weigh) * RULE.far_name
    speaker = RULE.speaker if context.may_speak and not _opens_with_another(name, text) else 0.0
    if here == 1.0 and (name <= own or not _is_beside(said, context)):
        return here
    if other or _says_only_the_series(name, own):  # what opens with another name takes up none
        return max(elsewhere, speaker)
    beside = share_of_name(name, before | context.title, context.weigh) * context.near_name
    ahead = share_of_name(name, near | context.title, context.weigh) * min(context.near_name, RULE.name_ahead)
    beside = max(beside, ahead)
    return max(here, beside, elsewhere, speaker)


_OPENING_FULL_NAME = re.compile(r"(?P<name>[A-Z][\w’'-]{1,24}(?: [A-Z][\w’'-]{1,24}){1,2}) [a-z]{2}")


def _opens_with_another(name: frozenset[str], text: str) -> bool:
    """Whether a sentence tells of somebody else by full name, so that it is not about who speaks."""
    opener = _OPENING_FULL_NAME.match(text)
    return opener is not None and name.isdisjoint(terms_of(opener["name"]))


def _says_only_the_series(name: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a sentence says a numbered name without its number: "new 737 MAX aircraft", where 737 MAX 7 is asked."""
    numbers = frozenset(term for term in name if term.isdigit())
    series = name - numbers
    return bool(numbers and series) and series <= own and numbers.isdisjoint(own)


# "The second closing", but not "the second quarter" and "the first nine months".
_ORDINAL = re.compile(
    r"\b(?P<nth>first|second|third|fourth)\s(?!(?:fiscal\s)?(?:quarter|half|year|month|week|day|time|two|three|six|nine)s?\b)"
    r"(?=[a-z])",
    re.IGNORECASE,
)


def _is_of_another(asked: Asked, form: _Form) -> bool:
    """Whether a sentence tells of another one of a row, or of other shares: the first phase, 20% where 10% is asked."""
    wanted = _ordinals(asked.wording)
    told = _ordinals(form.text) if wanted else wanted
    if told and told.isdisjoint(wanted):
        return True
    said = shares_in(form.text) if asked.shares else asked.shares
    return bool(said) and said.isdisjoint(asked.shares)


@lru_cache(maxsize=1 << 10)
def _ordinals(text: str) -> frozenset[str]:
    return frozenset(match["nth"].lower() for match in _ORDINAL.finditer(text))


def _is_about(form: _Form, context: _Context) -> bool:
    """Whether the title or the opening of the sentence names what is asked about."""
    names = context.asked.names or (context.asked.terms,)
    return context.is_titled or not form.opening.isdisjoint(frozenset().union(*names))


def _is_foreign(own: frozenset[str], context: _Context) -> bool:
    """Whether the title names something else, and the sentence itself does not say what the question names."""
    names = context.asked.names
    return context.is_foreign and all(share_of_name(name, own, context.weigh) < RULE.sure_name for name in names)
