"""What the sentences of a passage stand in: title and headings, what is wanted of them, and the rule that weighs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from adaq_core.matching.asked import Asked, Unit
from adaq_core.matching.lexicon import near_to
from adaq_core.matching.naming import (
    PRESENTS,
    is_heading,
    is_markup,
    is_signature,
    is_title_line,
    lists_words,
    points_elsewhere,
    share_of_name,
)
from adaq_core.matching.shown import Shown, shown_in
from adaq_core.model import Passage
from adaq_core.text.tokens import Sentence, Weigh, terms_of


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


class Wanted(NamedTuple):
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


class Context(NamedTuple):
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
    wanted: tuple[Wanted, ...] = ()
    telling: frozenset[str] = frozenset()
    is_titled: bool = False
    is_foreign: bool = False

    def under(self, title: frozenset[str]) -> Context:
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

    def _wanted(self, title: frozenset[str]) -> Iterator[Wanted]:
        for unit in self.asked.units:
            is_titled = unit.is_in(title) or (unit.term == self.asked.of_class and unit.is_in(self.opening))
            near = near_to(unit.term)
            held = near if not near.keys().isdisjoint(self.whole) else {}
            yield Wanted(unit, held, is_titled, unit.is_in(self.whole))


class Form(NamedTuple):
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
        is_heading=is_heading(text),
        presents=PRESENTS.match(text) is not None or any(tells_none(text) for tells_none in _TELL_NOTHING),
    )


def under_headings(every: Sequence[Sentence], forms: Sequence[Form], context: Context) -> list[Context]:
    """For each sentence the context with the heading above it: what a heading names, its sentences do not repeat."""
    results, now = [], context
    for sentence, form in zip(every, forms, strict=True):
        if form.is_heading:
            now = context.under(context.title | sentence.terms)
        results.append(now)
    return results


def terms_around(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those beside it."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - 1) : place + 2]])


def terms_before(place: int, every: Sequence[Sentence]) -> frozenset[str]:
    """The terms of a sentence and of those from which it may take its name."""
    return every[place].terms.union(*[each.terms for each in every[max(0, place - RULE.back) : place]])
