"""Things that a question sets side by side: which passages they are, and what is said of both, one or neither.

An operator declines, with None, when a side says nothing of what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adaq_core.matching.lexicon import Value, is_said, opens_with
from adaq_core.model import AnswerKind, Passage
from adaq_core.text.entities import PART_OF, countries_in
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import fold, terms_of, words

_PARENTHESIS = re.compile(r"\s{0,3}\([^()]{0,120}\)")
_JOINED = re.compile(r"\b(?:or|and|as)\b|,")
_NAME_GOES_ON = re.compile(r"(?:[ ][A-Z][\w.'’-]{0,30}){0,6}")
_NAME_PART = r"[A-ZÀ-Ý](?:\.|[\w'’-]{0,30})"
_FULL_NAME = rf"{_NAME_PART}(?: (?:de|da|von|van))?(?: {_NAME_PART}){{1,4}}"
_NAMED_NEXT = re.compile(rf"[ ]{_FULL_NAME}(?:(?:,? and |, ){_FULL_NAME}){{0,4}}")
_REACH = 120
_LONGEST_NAME = 80  # characters


@dataclass(frozen=True, slots=True)
class Computed:
    """A short answer with the values it was worked out from and the step in words; `via` are passages in between."""

    text: str
    kind: AnswerKind
    values: tuple[Value, ...]
    step: str
    via: tuple[Value, ...] = ()

    @property
    def passages(self) -> tuple[str, ...]:
        """The passages that it was worked out from, in the order of the steps."""
        return tuple(dict.fromkeys(value.passage.passage_id for value in (*self.via, *self.values)))


def pair(question: str, passages: Sequence[Passage]) -> tuple[str, str] | None:
    """The two titles that a question names, as it writes them, in its order; None unless they are exactly two.

    A longer title hides the shorter ones inside it; of several passages under one name the first counts.
    """
    spots: list[tuple[int, int]] = []
    for start, end in sorted(_titles_in(question, passages), key=lambda s: (s[0] - s[1], s)):
        if not any(start < e and s < end for s, e in spots):
            spots.append((start, end))
    if len(spots) < 2:
        return None
    first, second = sorted(sorted(spots, key=lambda s: (s[0] - s[1], s))[:2])
    first, second = _whole(question, first), _whole(question, second)
    if _JOINED.search(question[first[1] : second[0]]):
        return (question[slice(*first)], question[slice(*second)])
    return None


def _whole(question: str, spot: tuple[int, int]) -> tuple[int, int]:
    """The place of a name with the capitalised words that follow it: the title may be shorter than the name."""
    goes_on = _NAME_GOES_ON.match(question, spot[1])
    return spot[0], goes_on.end() if goes_on else spot[1]


def _titles_in(question: str, passages: Sequence[Passage]) -> set[tuple[int, int]]:
    """Where the question names the title of a passage, with what stands in parentheses behind it."""
    text, result = question.casefold(), set()
    for passage in passages:
        bare = _PARENTHESIS.sub("", passage.title).strip(" .…").casefold()
        for form in {passage.title.casefold(), bare, _full_name(passage)}:
            if len(form) > 1:
                at = text.find(form)
            else:
                at = -1
            while at >= 0:
                end = at + len(form)
                if not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum():
                    closing = _PARENTHESIS.match(question, end)
                    result.add((at, closing.end() if closing else end))
                at = text.find(form, end)
    return result


def _full_name(passage: Passage) -> str:
    """What a passage begins with in front of a bracket, where its title is shorter: "Ronald Herbel (born …"."""
    name = passage.text[:_LONGEST_NAME].partition(" (")[0]
    return name.casefold() if opens_with(name, passage) else ""


def key_of(title: str) -> str:
    """A title as words, without what stands in parentheses."""
    return " ".join(words(_PARENTHESIS.sub(" ", title)))


def titled(name: str, passages: Sequence[Passage]) -> Passage | None:
    """The passage whose title is `name`: as it stands, else without its parentheses or article, else by its opening."""
    whole = " ".join(words(name))
    bare = key_of(name)
    opening = fold(_PARENTHESIS.sub("", name))
    tests: tuple[Callable[[Passage], bool], ...] = (
        lambda p: " ".join(words(p.title)) == whole,
        lambda p: key_of(p.title) == bare,
        lambda p: key_of(p.title).removeprefix("the ") == bare.removeprefix("the "),
        lambda p: opens_with(name, p),
        lambda p: len(bare) > 3 and opening in fold(p.text[: 3 * len(name) + 40]),
    )
    in_order = sorted(passages, key=lambda p: not opens_with(p.title, p))  # of one document where it begins
    return next((p for test in tests for p in in_order if test(p)), None)


def bridge(passage: Passage, role: str, passages: Sequence[Passage]) -> tuple[Value, Passage] | None:
    """Who has a role in what `passage` is about: the title of another passage, named next after the role word.

    Where full names follow the word at once, it is one of them: "written by A from a story, starring B" is not B.
    """
    others = [p for p in passages if p.passage_id != passage.passage_id and key_of(p.title)]
    text = fold(passage.text)
    best: tuple[int, int, Passage] | None = None
    for match in re.finditer(role, passage.text, re.IGNORECASE):
        named = _NAMED_NEXT.match(passage.text, match.end())
        reach = named.end() if named else match.end() + _REACH
        for other in others:
            at = _named_at(other, text, match.end())
            if at is not None and at[0] < reach and (best is None or at[0] - match.end() < best[0]):
                best = (at[0] - match.end(), at[0], other)
        if best is not None and best[0] < 60:
            break
    if best is None or best[0] > _REACH:
        return None
    end = min(len(passage.text), best[1] + len(best[2].title))
    return Value(passage, passage.text[best[1] : end], best[1], end, ""), best[2]


def _named_at(other: Passage, text: str, start: int) -> tuple[int, int] | None:
    name = fold(_PARENTHESIS.sub("", other.title))
    at = text.find(name, start)
    return (at, at + len(name)) if at >= 0 else None


_OPENING = 3
_AUXILIARY = re.compile(r"(?i)^(?:are|is|were|was|do|did|does|have|has|had|can)\b")
_WHICH = re.compile(r"(?i)^(?:which|what|who|whose|between)\b|, (?:which|who|what)\b")
_DEGREE = re.compile(
    r"(?i)\b(?:more|most|less|least|fewer|fewest|than|rather|same|different|farther|further|first|last|"
    r"(?!computer|number|character|member|order|other|either|center|water|paper|player|singer|writer|producer|"
    r"director|west|forest|interest|guest|contest|protest|artist)\w{3,12}(?:er|est)(?=,? (?:or\b|in\b)|,|\?))\b"
)
_SAID_ANYWAY = terms_of("both either one two person people thing kind type name called also known")
_SAME = re.compile(r"\bsame (?:\w+ )?(?P<name>state|family|genus|order|province|county|district|region|prefecture)\b")
# How a text names what class of things it is in, by class.
MEMBERS: tuple[tuple[str, str, str], ...] = (
    ("family|genus|order", r"\b%s,? ([A-Z]\w+)|\b([A-Z]\w+(?:aceae|idae|inae))\b", "a herb of the family Rosaceae"),
    (
        "province|county|district|region|prefecture",
        r"\b([A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}) (?i:%s)\b",
        "a city in Jiangsu province",
    ),
)
_IS_A = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one)\b")
_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Side:
    """One of two things in a question with its passage and the sentences that open it."""

    name: str
    passage: Passage
    spans: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        """The opening sentences."""
        if self.spans:
            return self.passage.text[: self.spans[-1][1]]
        return ""

    @property
    def countries(self) -> frozenset[str]:
        """The countries that it names."""
        return frozenset(country for country, _, _ in countries_in(self.text))

    @property
    def is_titled(self) -> bool:
        """Whether the passage is about the thing and about nothing else: its title is no longer than the name."""
        return set(key_of(self.passage.title).split()) <= {"the", *words(self.name)}

    def lacks(self, terms: frozenset[str]) -> frozenset[str]:
        """What of `terms` its opening and its title do not say, also not in words of the same sense."""
        stated = terms_of(self.text) | terms_of(self.passage.title)
        return frozenset(term for term in terms if not is_said(term, stated))

    def quote(self, wanted: frozenset[str]) -> Value:
        """The opening sentence that says most of `wanted`."""
        text = self.passage.text

        def says(span: tuple[int, int]) -> int:
            return len(wanted & terms_of(text[slice(*span)]))

        start, end = max(self.spans, key=lambda span: (says(span), -span[0]))
        return Value(self.passage, text[start:end], start, end, "")


def sides_of(question: str, passages: Sequence[Passage], *, opening: int = _OPENING) -> tuple[Side, Side] | None:
    """The two things that a question sets side by side, where each has a passage of its own."""
    names = pair(question, passages)
    if names is None:
        return None
    results = [(name, passage) for name in names if (passage := titled(name, passages)) is not None]
    if len(results) < 2 or results[0][1] == results[1][1]:
        return None
    first, second = (Side(name, p, tuple(sentences(p.text)[:opening])) for name, p in results)
    return (first, second) if first.spans and second.spans else None


@dataclass(frozen=True, slots=True)
class Claim:
    """What a question says of its sides: its terms, and the countries that it names."""

    text: str
    terms: frozenset[str]
    countries: frozenset[str]

    def fits(self, side: Side) -> bool:
        """Whether the side is said to be all of it."""
        return not side.lacks(self.terms) and not self.is_open(side) and not self.breaks(side)

    def is_open(self, side: Side) -> bool:
        """Whether a country is asked for and the side names none."""
        return bool(self.countries) and not side.countries

    def breaks(self, side: Side) -> bool:
        """Whether the side names countries, and none that is asked for."""
        return bool(self.countries and side.countries) and not self.countries & side.countries


def claim_of(question: str, sides: Sequence[Side]) -> Claim:
    """The question without the names of its sides."""
    for side in sides:
        question = question.replace(side.name, " ")
    named = countries_in(question)
    abroad = frozenset(term for _, start, end in named for term in terms_of(question[start:end]))
    return Claim(question, terms_of(question) - _SAID_ANYWAY - abroad, frozenset(country for country, _, _ in named))


def both(question: str, passages: Sequence[Passage]) -> Computed | None:
    """Yes where both sides are said to be what is asked, no where one is said to be something else."""
    sides = sides_of(question, passages) if _AUXILIARY.match(question) else None
    if sides is None or not all(side.is_titled for side in sides):
        return None
    claim = claim_of(question, sides)
    if _DEGREE.search(claim.text) or re.search(r"\bor\b|\d", claim.text) or not (claim.terms or claim.countries):
        return None
    answer = _both(claim, sides)
    return _in_words(answer, "yes_no", sides, claim.terms) if answer else None


def _both(claim: Claim, sides: Sequence[Side]) -> str:
    if any(claim.breaks(side) for side in sides):
        return "No"
    if any(claim.is_open(side) for side in sides):
        return ""
    if all(claim.fits(side) for side in sides):
        return "Yes"
    # One is said to be it and the other is introduced as something: where both lack a word, it may be put otherwise.
    introduced = all(_IS_A.search(side.text) for side in sides)
    if introduced and sum(bool(side.lacks(claim.terms)) for side in sides) == 1:
        return "No"
    return ""


def which_is(question: str, passages: Sequence[Passage]) -> Computed | None:
    """The one of two sides that is said to be what is asked, where the other is not."""
    if _WHICH.search(question) and " or " in question:
        sides = sides_of(question, passages)
    else:
        sides = None
    if sides is None or not all(side.is_titled for side in sides):
        return None
    claim = claim_of(question, sides)
    if _DEGREE.search(claim.text):
        return None
    fits = [claim.fits(side) for side in sides]
    if not any(fits) and claim.countries and all(side.countries for side in sides):
        fits = [not claim.breaks(side) for side in sides]
    if sum(fits) == 1:
        return _in_words(sides[fits.index(True)].name, "choice", sides, claim.terms)
    return None


def _in_words(answer: str, kind: AnswerKind, sides: Sequence[Side], terms: frozenset[str]) -> Computed:
    values = tuple(side.quote(terms) for side in sides)
    pairs = zip(sides, values, strict=True)
    told = [f"{side.name}: “{_shown(value.text)}”" for side, value in pairs]
    return Computed(answer, kind, values, "; ".join(told))


def _shown(text: str) -> str:
    """The beginning of a sentence, as a step shows it."""
    plain = " ".join(text.split())
    if len(plain) <= _SHOWN:
        return plain
    return f"{plain[:_SHOWN].rsplit(' ', 1)[0]} …"


def same_class(question: str, passages: Sequence[Passage]) -> Computed | None:
    """Yes or no to "in the same family, province, state": by the names that both sides have for it."""
    asked = _SAME.search(question)
    if asked and _AUXILIARY.match(question):
        sides = sides_of(question, passages)
    else:
        sides = None
    if sides is None or asked is None:
        return None
    first, second = (_member(asked["name"].lower(), side) for side in sides)
    if first is None or second is None:
        return None
    if fold(first.text) == fold(second.text):
        answer = "Yes"
    else:
        answer = "No"
    return Computed(answer, "yes_no", (first, second), f"{sides[0].name}: {first.text}; {sides[1].name}: {second.text}")


def _member(name: str, side: Side) -> Value | None:
    """The name of the class that a side is in; None where its opening has none."""
    text = side.text
    if name == "state":
        titled_words = set(words(key_of(side.passage.title)))
        places = [(s, e) for _, s, e in countries_in(text) if text[s:e] in PART_OF]
        spans = [(s, e) for s, e in places if not set(words(text[s:e])) <= titled_words]
    else:
        how = next(how for names, how, _ in MEMBERS if name in names.split("|"))
        matches = re.finditer(how.replace("%s", name), text)
        spans = [m.span(m.lastindex or 0) for m in matches]
    if spans:
        return Value(side.passage, text[slice(*spans[0])], *spans[0], "")
    return None
