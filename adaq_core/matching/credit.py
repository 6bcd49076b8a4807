"""What a sentence is credited with: how far it says what is asked, of which names, and whether of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from adaq_core.matching.asked import Asked, Unit, shares_in
from adaq_core.matching.context import RULE, Context, Form, Wanted, terms_around, terms_before
from adaq_core.matching.lexicon import account_of, similarity
from adaq_core.matching.naming import (
    common_words,
    lands_in,
    names_a_sibling,
    opening_name,
    several_in,
    share_of_name,
    tells_land,
)
from adaq_core.matching.shown import Shown, begun_by_another, is_done_to_another
from adaq_core.text.tokens import Sentence, terms_of


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
    only_near = RULE.only_near if _says_but_near(context, credits) else 1.0
    return summed(context.weights, credits, only_near=only_near, total=context.total)


def summed(
    weights: Sequence[float], credits: Sequence[Credit], *, only_near: float, total: float
) -> tuple[float, float, float]:
    """The same from what each unit counts; `only_near` is left of what the sentence says itself."""
    own, in_body, around, itself = 0.0, 0.0, 0.0, 0.0
    for weight, credit in zip(weights, credits, strict=True):
        own += weight * only_near * credit.own
        in_body += 0.0 if credit.titled else weight
        around += weight * credit.worth
        itself += weight * credit.own
    return (own / in_body if in_body else 1.0), (around / total if credits else 1.0), itself


def _says_but_near(context: Context, credits: Sequence[Credit]) -> bool:
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


def said_of_another(place: int, every: Sequence[Sentence], form: Form, context: Context) -> frozenset[str]:
    """The terms of what is asked that a sentence says of something else."""
    if not (form.shown.begun or context.asked.objects):
        return frozenset()
    near = terms_around(place, every)
    units = (wanted.unit for wanted in context.wanted)
    return frozenset(unit.term for unit in units if not _is_done_to_it(unit, form.shown, near, context))


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
    if name <= own and is_only_before(name, text, context.asked.wording):
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
    title = context.title - several_in(context.passage.title)
    here = share_of_name(name, own | title, context.weigh)
    elsewhere = share_of_name(name, context.whole, context.weigh) * RULE.far_name
    speaker = RULE.speaker if context.may_speak and not _opens_with_another(name, text) else 0.0
    if here == 1.0 and (name <= own or not _is_beside(said, context)):
        return here
    if other or _says_only_the_series(name, own):  # what opens with another name takes up none
        return max(elsewhere, speaker)
    beside = share_of_name(name, before | title, context.weigh) * context.near_name
    ahead = share_of_name(name, near | title, context.weigh) * min(context.near_name, RULE.name_ahead)
    beside = max(beside, ahead)
    return max(here, beside, elsewhere, speaker)


_BEFORE = re.compile(r"\b(?:before|until|prior to) (?:the |its |an? )?", re.IGNORECASE)


def is_only_before(name: frozenset[str], text: str, question: str) -> bool:
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
    r"\b(?P<nth>first|second|third|fourth)\s(?!(?:fiscal\s)?(?:quarter|half|year|month|week|day|time|two|three|six|nine)s?\b)"
    r"(?=[a-z])",
    re.IGNORECASE,
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
