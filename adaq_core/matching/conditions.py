"""Whether a sentence of a passage keeps the conditions of a question: held, broken, or open where nobody can tell."""

from __future__ import annotations

from typing import Literal

from adaq_core.model import Constraint, Passage, QueryAspect
from adaq_core.text.dates import dates
from adaq_core.text.terms import terms_of
from adaq_core.text.tokens import fold

Keeping = Literal["held", "broken", "open"]

# What is left of a match: a broken condition takes it below the threshold of coverage, an open one does not.
BROKEN, OPEN = 0.45, 0.9
_UNCHECKED = frozenset(("statement", "scope"))
_IN_NAMES = frozenset(("company", "number", "place"))


def keeping(condition: Constraint, passage: Passage, sentence: str = "") -> Keeping:
    """Whether `sentence`, or else its passage, keeps a condition."""
    match condition.kind:
        case "date" | "period":
            return _in_time(condition, passage, sentence)
        case "source":
            return _of_source(condition.text, passage)
        case "quoted":
            return _says(condition.text, passage)
        case "form":
            return _of_form(condition, passage)
        case "negation":
            return "open"
        case kind if kind in _UNCHECKED:
            return "held"
    there = terms_of(passage.title) | terms_of(passage.text)
    return "held" if terms_of(condition.value or condition.text) <= there else "open"


def left(aspect: QueryAspect, passage: Passage, sentence: str = "") -> float:
    """What is left of a match under the conditions of `aspect`: 1.0 where all hold."""
    worth = 1.0
    for condition in aspect.constraints:
        worth *= {"held": 1.0, "broken": BROKEN, "open": OPEN}[keeping(condition, passage, sentence)]
    return worth


def open_conditions(aspect: QueryAspect, passage: Passage, sentence: str = "") -> tuple[str, ...]:
    """The conditions, as the question words them, that nobody can check on the sentence and its passage."""
    return tuple(c.text for c in aspect.constraints if keeping(c, passage, sentence) == "open")


def _in_time(condition: Constraint, passage: Passage, sentence: str) -> Keeping:
    """By the dates of the sentence, else by the period of the passage, else by the years anywhere in it.

    A sentence that says another time breaks the condition; a passage that says the time somewhere leaves it open.
    """
    low, high = _bounds(condition)
    spoken = [date.key for date in dates(sentence)]
    if spoken:
        return "held" if any(_within(key, low, high) for key in spoken) else "broken"
    fields = dict(passage.metadata)
    stated = next((fields[name] for name in ("period", "period_end", "fiscal_year") if fields.get(name)), "")
    period = next((date.key for date in dates(stated)), "")
    if period:
        return "held" if _within(period, low, high) else "broken"
    every = [date.key for date in dates(f"{passage.title}\n{passage.text}")]
    if any(_within(date.key, low, high) for date in dates(passage.date)) and not every:
        return "held"
    return "open" if not every or any(_within(key, low, high) for key in every) else "broken"


def _bounds(condition: Constraint) -> tuple[str, str]:
    """The first and the last moment, as texts that compare ("2023-Q3" as its year); empty where there is none."""
    value = condition.value or "".join(date.key for date in dates(condition.text)[:1])
    first, _, last = value.partition("/")
    low = "" if first == ".." else first
    high = low if "/" not in value else "" if last == ".." else last
    return low, high


def _within(key: str, low: str, high: str) -> bool:
    """Whether a date lies between two others, at the precision that both have."""
    return (not low or _reaches(key, low)) and (not high or _reaches(high, key))


def _reaches(later: str, earlier: str) -> bool:
    """Whether `later` is not before `earlier`, compared by what both say: the year, then quarter or month and day."""
    mine, other = _parts(later), _parts(earlier)
    shared = min(len(mine), len(other))
    return mine[:shared] >= other[:shared]


def _parts(key: str) -> tuple[int, ...]:
    """Year, quarter, month, day as far as they are said."""
    year, *rest = key.split("-")
    if rest and rest[0].startswith("Q"):
        return (int(year), int(rest[0][1:]))
    numbers = [int(part) for part in rest if part.isdigit()]
    return (int(year), (numbers[0] + 2) // 3, *numbers) if numbers else (int(year),)


def _of_source(text: str, passage: Passage) -> Keeping:
    if not passage.source:
        return "open"
    return "held" if terms_of(text) <= terms_of(passage.source) | terms_of(passage.title) else "broken"


def _says(text: str, passage: Passage) -> Keeping:
    return "held" if fold(text) in fold(f"{passage.title}\n{passage.text}") else "broken"


def _of_form(condition: Constraint, passage: Passage) -> Keeping:
    form = dict(passage.metadata).get("form", "")
    if not form:
        return "open"
    wanted = terms_of(condition.value or condition.text)
    return "held" if wanted <= terms_of(form) | terms_of(passage.title) else "broken"
