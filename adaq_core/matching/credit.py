"""What a sentence is credited with in its context: how far it says what is asked, of which names, of something else.

The context of a sentence are its title and headings and what is wanted of them; SentenceRule weighs what is found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from adaq_core.matching.asked import Asked, Unit, shares_in
from adaq_core.matching.lexicon import forms_of as forms_of_verb
from adaq_core.matching.lexicon import near_to, similarity
from adaq_core.matching.naming import (
    PRESENTS,
    common_words,
    is_code,
    is_heading,
    is_markup,
    is_signature,
    is_title_line,
    lands_in,
    lists_words,
    names_a_sibling,
    opening_name,
    points_elsewhere,
    several_in,
    share_of_name,
    tells_land,
)
from adaq_core.matching.shown import Shown, begun_by_another, is_done_to_another, shown_in
from adaq_core.model import Passage
from adaq_core.text.passages import Turn, turn_at, turns
from adaq_core.text.tokens import Sentence, Weigh, stem, terms_of, words


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """How the parts of a sentence make its score; all in [0, 1], chosen on half of the labelled pairs."""

    own_words: float = 0.7  # weight of the sentence's own words beside those with its neighbours
    other_kind: float = 0.55  # left of the score where the kind of answer is missing
    opposite: float = 0.6  # taken off where the sentence says the opposite
    least_name: float = 0.45  # below it the passage speaks of something else
    sure_name: float = 0.8  # from it the sentence speaks of what is named
    unsure_name: float = 0.64  # left of the score in between: less than what answers, however much it says
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
    asked_alike: float = 0.2  # added to the score of what answers the same question in a conversation
    of_changes: float = 0.15  # taken off in a list of what changed from version to version
    asked_other: float = 0.6  # taken off what answers another question there
    slack: float = 0.12  # added to the score of a long question, of which no answer repeats every word …
    short: int = 3  # … from more than so many names and terms
    long: int = 6  # … in full at so many more


RULE = SentenceRule()


class Wanted(NamedTuple):
    """A unit of what is asked, and what a passage says of it where a sentence does not.

    `near` are the words near in meaning that the passage holds, with how far each means the same; `is_titled` whether
    its title says it, `is_said` whether any of its sentences does.
    """

    unit: Unit
    near: Mapping[str, float]
    is_titled: bool
    is_said: bool

    @classmethod
    def of(cls, unit: Unit, whole: frozenset[str]) -> Wanted:
        """A unit against all terms of a passage, whatever its title says."""
        near = near_to(unit.term)
        held = near if not near.keys().isdisjoint(whole) else {}
        return cls(unit, held, is_titled=False, is_said=unit.is_in(whole))

    @property
    def telling(self) -> frozenset[str]:
        """The terms of which a sentence has to hold one to say anything of it."""
        return self.unit.words.union(self.near, *self.unit.phrases)


class Context(NamedTuple):
    """What the sentences of a passage stand in: title and issuer, all terms, and what is wanted of them.

    `presented` are the terms of sentences that say what the document is about, `opening` those of the sentence that
    says what the thing of the title is; `lands` the countries that the passage names, where that matters; `siblings`
    the names in whose place the title names another number of their series; `compounds` those of the question that the
    passage says, `parted` the terms of those with a hyphen that it nowhere says side by side, `opposites` the terms
    that say the opposite of what is asked, `telling` those that say any of it; `wording` is what is asked, with small
    words; `above` are the terms of the headings above the passage, which name what it is about and count as words
    beside a sentence; `is_titled` whether the title names what is asked about, `is_foreign` whether it names something
    else.
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
    asks_code: bool
    near_name: float
    opening: frozenset[str]
    presented: frozenset[str]
    lands: frozenset[str]
    siblings: frozenset[frozenset[str]]
    compounds: tuple[tuple[str, str], ...]
    parted: frozenset[str]
    opposites: frozenset[str]
    wanted: tuple[Wanted, ...]
    telling: frozenset[str]
    total: float = 0.0
    wording: str = ""
    title: frozenset[str] = frozenset()
    above: frozenset[str] = frozenset()
    is_titled: bool = False
    is_foreign: bool = False

    def under(self, title: frozenset[str]) -> Context:
        """The same under a title with these terms, beside those of the title that it has."""
        asked, names = self.asked, self.asked.names
        if names:
            named = title | self.above
            is_titled = any(share_of_name(name, named, self.weigh) > RULE.sure_name for name in names)
        else:
            is_titled = bool(title) and title <= asked.terms
        return self._replace(
            title=title,
            wanted=tuple(self._titled(each, title) for each in self.wanted),
            is_titled=is_titled,
            is_foreign=bool(names) and bool(title) and title.isdisjoint(asked.terms),
        )

    def _titled(self, wanted: Wanted, title: frozenset[str]) -> Wanted:
        unit = wanted.unit
        # "Succession at A" says of nobody that somebody replaced him.
        told = title & forms_of_verb(unit.term) if unit.term in self.asked.verbs else title | self.presented
        is_titled = unit.is_in(told) or (unit.term == self.asked.of_class and unit.is_in(self.opening))
        return wanted._replace(is_titled=True) if is_titled else wanted


class Form(NamedTuple):
    """What a sentence shows whatever is asked: its kind."""

    shown: Shown
    is_question: bool
    is_code: bool
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


_OPENING_WORDS = 6


# A sentence that ends with a question, quoted or not, tells what may be asked and answers nothing.
_QUESTION = re.compile(r"\?[\"'”’)\]]*(?:\.|,|$)")


@lru_cache(maxsize=1 << 11)
def forms_of(text: str) -> tuple[Form, ...]:
    """What each sentence of a passage shows."""
    return tuple(map(_form_of, shown_in(text)))


_TELL_NOTHING = (is_title_line, lists_words, is_signature, points_elsewhere)


def _form_of(shown: Shown) -> Form:
    text = shown.text
    return Form(
        shown,
        is_question=_QUESTION.search(text) is not None or is_markup(text),
        is_code=is_code(text),
        is_heading=is_heading(text),
        presents=PRESENTS.match(text) is not None or any(tells_none(text) for tells_none in _TELL_NOTHING),
    )


def under_headings(every: Sequence[Sentence], forms: Sequence[Form], context: Context) -> list[Context]:
    """For each sentence the context with the heading above it: what a heading names, its sentences do not repeat.

    So are who speaks and the question that a turn of a conversation answers: its sentences say neither again.
    """
    results, now = [], context
    text, last = context.passage.text, None
    was_heading = False
    is_answered = any(asked_alike(context.wording, turn) for turn in turns(text))
    for sentence, form in zip(every, forms, strict=True):
        turn = turn_at(text, sentence.start)
        if turn is not None and turn is not last:
            last = turn
            alike = asked_alike(context.wording, turn)
            is_other = not alike and (is_answered or not context.asked.units)
            beside = context.slack - (RULE.asked_other if is_other else 0.0)
            now = context.under(context.title | terms_of_turn(turn))
            now = now._replace(slack=beside + RULE.asked_alike * alike)
        elif turn is None and form.is_heading:
            above = now.title if was_heading else context.title  # "Article 5", and its name in the next line
            now = context.under(above | sentence.terms)
        was_heading = form.is_heading
        results.append(now)
    return results


def terms_of_turn(turn: Turn | None) -> frozenset[str]:
    """The terms of who speaks in a turn, and of the question that it answers: what its sentences leave out."""
    return terms_of(turn.who) | terms_of(turn.asked) if turn else frozenset()


_FEWEST_ALIKE, _LEAST_ALIKE = 2, 0.6  # words of two questions; share of those of the one that is asked


@lru_cache(maxsize=1 << 10)
def asked_alike(wording: str, turn: Turn) -> float:
    """How far a turn answers what is asked itself, in [0, 1]: "And what do you do now?" for "What does Ann do now?".

    Small words count, for between two questions they tell what is asked; the name of who speaks is no part of it.
    """
    said = {stem(word) for word in words(turn.who)} | _SAYS_LITTLE
    asked = {stem(word) for word in words(wording)} - said
    alike = asked & {stem(word) for word in words(turn.asked)}
    share = len(alike) / len(asked) if asked else 0.0
    return share if len(alike) >= _FEWEST_ALIKE and share >= _LEAST_ALIKE else 0.0


_LITTLE_WORDS = "a an the do doe did is are was were of to in"
_SAYS_LITTLE = frozenset(_LITTLE_WORDS.split())


def terms_around(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those beside it."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - 1) : place + 2]])


def terms_before(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those from which it may take its name."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - RULE.back) : place]])


class Said(NamedTuple):
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


def shares_said(said: Said, context: Context) -> tuple[float, float, float]:
    """Of what is asked, by weight: what the sentence says beside its title's, what it says with both, what itself."""
    credits = [
        _NONE if wanted.unit.term in said.of_another else _credit(wanted, said.own, said.near)
        for wanted in context.wanted
    ]
    return summed(context.weights, credits, total=context.total)


def summed(weights: Sequence[float], credits: Sequence[Credit], *, total: float) -> tuple[float, float, float]:
    """The same from what each unit counts."""
    in_body, around, itself, is_near = 0.0, 0.0, 0.0, True
    for weight, (worth, said, titled) in zip(weights, credits, strict=True):
        in_body += 0.0 if titled else weight
        around += weight * worth
        if said:
            itself += weight * said
            is_near = is_near and said < 1.0
    own = RULE.only_near * itself if is_near else itself
    return (own / in_body if in_body else 1.0), (around / total if credits else 1.0), itself


def said_of_another(place: int, every: Sequence[Sentence], form: Form, context: Context) -> frozenset[str]:
    """The terms of what is asked that a sentence says of something else."""
    if not (form.shown.begun or context.asked.objects):
        return context.parted
    near = terms_around(place, every)
    units = (wanted.unit for wanted in context.wanted)
    return context.parted.union(unit.term for unit in units if not _is_done_to_it(unit, form.shown, near, context))


def _is_done_to_it(unit: Unit, shown: Shown, near: frozenset[str], context: Context) -> bool:
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


class Credit(NamedTuple):
    """What a unit counts, in [0, 1]; how far the sentence itself says it; whether the title says it in its place."""

    worth: float
    own: float = 0.0
    titled: bool = False


_NONE, _IN_FULL, _TITLED = Credit(0.0), Credit(1.0, own=1.0), Credit(RULE.title, titled=True)


def _credit(wanted: Wanted, own: frozenset[str], near: frozenset[str]) -> Credit:
    """Where a unit is said: in the sentence, in the title, by a word near in meaning, beside it, elsewhere, nowhere."""
    if wanted.is_said and wanted.unit.is_in(own):
        return _IN_FULL
    if wanted.is_titled:
        return _TITLED
    alike = max((wanted.near[term] for term in wanted.near.keys() & own), default=0.0) if wanted.near else 0.0
    if not wanted.is_said:
        return Credit(alike, alike) if alike else _NONE
    return Credit(max(RULE.beside if wanted.unit.is_in(near) else RULE.elsewhere, alike), alike)


def most_credited(unit: Unit, title: frozenset[str], body: frozenset[str], whole: frozenset[str]) -> Credit:
    """The most that a sentence under this title may be credited with, of all that the body of its passage says."""
    if unit.is_in(title) and not unit.is_in(body):
        return _TITLED
    if unit.is_in(whole):
        return _IN_FULL
    alike = similarity(unit.term, whole)
    return Credit(alike, alike) if alike else _NONE


class SpokenOf(NamedTuple):
    """What a sentence speaks of: `names`, in [0, 1], how far of all that the question names.

    `about`: whether title or opening name the thing; `opposed`: whether it says the opposite, or of another one of a
    row; `foreign`: whether it speaks of something else that the title names.
    """

    names: float
    about: bool
    opposed: bool
    foreign: bool


def spoken_of(
    place: int, every: Sequence[Sentence], form: Form, context: Context, *, taken_up: frozenset[str]
) -> SpokenOf | None:
    """What the sentence at `place` speaks of, with `taken_up` from a compound before it; None for something else."""
    own = every[place].terms | taken_up
    other = _other_opening(form.text, own, context)
    said_of = _SaidOf(form.text, own, terms_before(place, every), terms_around(place, every), other)
    names = min((_named(name, said_of, context) for name in context.asked.names), default=1.0)
    if names < RULE.least_name:
        return None
    is_beside = _is_beside(said_of, context)
    return SpokenOf(
        names,
        about=bool(taken_up) or (not is_beside and _is_about(form, context)),
        opposed=_is_opposed(own, context) or _is_of_another(context.asked, form),
        foreign=_is_foreign(own, context) or is_beside,
    )


class _SaidOf(NamedTuple):
    """A sentence, its terms, with those before it, with those around it; `other` are those of another opening name."""

    text: str
    own: frozenset[str]
    before: frozenset[str]
    near: frozenset[str]
    other: frozenset[str]


def _other_opening(text: str, own: frozenset[str], context: Context) -> frozenset[str]:
    """The terms of another name that a sentence opens with, where it does not say all that the question names."""
    if context.asks_which or all(name <= own for name in context.asked.names):
        return frozenset()
    opener = opening_name(text, context.passage)
    return opener if opener.isdisjoint(context.asked.terms) else frozenset()


def _is_beside(said: _SaidOf, context: Context) -> bool:
    """Whether a sentence opens with another name of the title: "GPT uses …" under "BERT compared with GPT"."""
    return bool(said.other) and said.other <= context.title


def _named(name: frozenset[str], said: _SaidOf, context: Context) -> float:
    """How far a sentence speaks of a name."""
    text, own, before, near, other = said
    if not name <= own and (name in context.siblings or names_a_sibling(name, text)):
        return 0.0
    if name in context.siblings and not name.isdisjoint(_PARTS):
        return RULE.far_name  # Article 70 refers to Article 33
    if context.asks_figure and name <= own and _is_only_before(name, text, context.asked.wording):
        return 0.0
    nation = context.asked.nations.get(name)
    if nation and (lands_in(text) or context.lands) == {nation}:
        return 1.0  # "British" in a passage on Britain and no other land
    land = context.asked.lands.get(name)
    if land and tells_land(land, text):
        return 1.0
    if not name.isdisjoint(own) and (common := common_words(name, text, context.asked.wording)):
        if common == name and not name <= context.title | context.above:
            return RULE.far_name  # "set" is no word on the command SET
        own, before, near = own - common, before - common, near - common
    title = (context.title | context.above) - several_in(context.passage.title)
    here = share_of_name(name, own | title, context.weigh)
    elsewhere = share_of_name(name, context.whole, context.weigh) * RULE.far_name
    is_land = name in context.asked.nations or name in context.asked.lands
    speaks = context.may_speak and not is_land and not is_told_elsewhere(name, context.weigh)
    speaker = RULE.speaker if speaks and not _opens_with_another(name, text) else 0.0
    if here == 1.0 and (name <= own or not _is_beside(said, context)):
        return here
    if other or _says_only_the_series(name, own):  # what opens with another name takes up none
        return max(elsewhere, speaker)
    beside = share_of_name(name, before | title, context.weigh) * context.near_name
    ahead = share_of_name(name, near | title, context.weigh) * min(context.near_name, RULE.name_ahead)
    beside = max(beside, ahead)
    return max(here, beside, elsewhere, speaker)


_PARTS = terms_of("article section chapter clause part rule annex schedule paragraph")
_UNSAID = "\0"  # no text holds it
_FEW = 3.0  # rarity of a term that about one passage in twenty says


def is_told_elsewhere(name: frozenset[str], weigh: Weigh) -> bool:
    """Whether a few passages of the corpus say a name: whoever says "we" in another is not who it names."""
    unknown = weigh(_UNSAID)
    return any(_FEW < weigh(term) < unknown for term in name)


_BEFORE = re.compile(r"(?i)\b(?:before|until|prior to) (?:the |its |an? )?")


def _is_only_before(name: frozenset[str], text: str, question: str) -> bool:
    """Whether a sentence tells of the time before a thing, "before the Act, A was fined", and a question not of it."""
    before = _BEFORE.search(text)
    if before is None or _BEFORE.search(question):
        return False
    behind = text[before.end() :].split(maxsplit=len(name))
    called, rest = behind[: len(name)], behind[len(name) :]
    return name <= terms_of(" ".join(called)) and name.isdisjoint(terms_of(" ".join((text[: before.start()], *rest))))


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


def _is_opposed(own: frozenset[str], context: Context) -> bool:
    """Whether a sentence says the opposite of something asked and not this."""
    return not context.opposites.isdisjoint(own) and any(unit.is_opposed(own) for unit in context.asked.units)


# "The second closing", but not "the second quarter" and "the first nine months".
_ORDINAL = re.compile(
    r"(?i)\b(?P<nth>first|second|third|fourth)\s(?!(?:fiscal\s)?(?:quarter|half|year|month|week|day|time|two|three|six|nine)s?\b)"
    r"(?=[a-z])"
)


def _is_of_another(asked: Asked, form: Form) -> bool:
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


def _is_about(form: Form, context: Context) -> bool:
    """Whether the title or the opening of the sentence names what is asked about."""
    names = context.asked.names or (context.asked.terms,)
    return context.is_titled or not form.opening.isdisjoint(frozenset().union(*names))


def _is_foreign(own: frozenset[str], context: Context) -> bool:
    """Whether the title names something else, and the sentence itself does not say what the question names."""
    names = context.asked.names
    return context.is_foreign and all(share_of_name(name, own, context.weigh) < RULE.sure_name for name in names)
