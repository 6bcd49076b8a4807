"""Amounts in a text, and the ranges that rules put them in: "from 5,000 to 50,000 pounds", "above eight hours"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from adaq_core.text.tokens import stem, tokens

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
_TENS = {"twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0}
_SPELLED = {word: float(value) for value, word in enumerate(_ONES.split())} | _TENS
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "%": "percent"}
_AMOUNT = re.compile(
    rf"(?P<sign>[$€£¥])?(?P<number>\b\d[\d,]{{0,20}}(?:\.\d{{1,8}})?|\b(?:{'|'.join(_SPELLED)}))\b"
    rf"(?:[ -](?P<scale>{'|'.join(_SCALES)})\b)?(?:(?P<percent> ?%)|[ -](?P<unit>[a-z]{{3,20}})\b)?",
    re.IGNORECASE,
)
# What makes an amount the end of a range, by the words in front of it; `[a, b]` is written "from a to b".
_ABOVE = re.compile(r"\b(?:above|over|more than|exceed(?:s|ing)?|greater than|longer than|older than|at least) $", re.I)
_BELOW = re.compile(r"\b(?:below|under|less than|fewer than|shorter than|younger than|up to|at most) $", re.I)
_FROM = re.compile(r"\b(?:from|between) $", re.I)
_TO = re.compile(r" ?(?:[a-z]{3,20} )?(?:to|and|[-–]) ?[$€£¥]?", re.I)
_NOT = re.compile(r"\b(?:no|not) $", re.I)
_BEFORE = 16
_NO_UNIT = frozenset(("and", "but", "for", "from", "the", "was", "were", "are", "has", "had", "per", "with"))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, as an index term (empty where none is said): `text[start:end]`."""

    value: float
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Range:
    """The amounts of a unit from `low` to `high`, both with them."""

    low: float
    high: float
    unit: str

    def holds(self, amount: Amount) -> bool:
        """Whether an amount of the same unit lies in it."""
        return bool(amount.unit) and amount.unit == self.unit and self.low <= amount.value <= self.high


@lru_cache(maxsize=1 << 13)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts of a text, in order."""
    return tuple(_amount(match) for match in _AMOUNT.finditer(text))


def _amount(match: re.Match[str]) -> Amount:
    number = match["number"].lower().replace(",", "")
    value = _SPELLED[number] if number in _SPELLED else float(number)
    unit = (match["unit"] or "").lower()
    named = "" if unit in _NO_UNIT else stem(unit)
    sign = _SIGNS["%"] if match["percent"] else _SIGNS.get(match["sign"] or "", "")
    scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
    return Amount(value * scale, stem(sign) if sign else named, *match.span("number"))


@lru_cache(maxsize=1 << 13)
def ranges(text: str) -> tuple[Range, ...]:
    """The ranges that a text states."""
    stated = amounts(text)
    pairs = [(one, other) for one, other in pairwise(stated) if _is_pair(text, one, other)]
    ends = {id(amount) for pair in pairs for amount in pair}
    single = (_open_range(text, amount) for amount in stated if id(amount) not in ends)
    both = (Range(one.value, other.value, other.unit) for one, other in pairs)
    return (*both, *(each for each in single if each is not None))


def _is_pair(text: str, one: Amount, other: Amount) -> bool:
    """Whether two amounts are the ends of one range: of one unit, which the first need not say."""
    opened = _FROM.search(_ahead_of(text, one)) is not None
    joined = _TO.fullmatch(text, one.end, other.start) is not None
    return opened and joined and bool(other.unit) and one.unit in ("", other.unit) and one.value <= other.value


def _open_range(text: str, amount: Amount) -> Range | None:
    ahead = _ahead_of(text, amount)
    above, below = _ABOVE.search(ahead), _BELOW.search(ahead)
    mark = above or below
    if mark is None:
        return None
    is_above = (above is not None) != (_NOT.search(ahead, 0, mark.start()) is not None)
    return Range(amount.value, float("inf"), amount.unit) if is_above else Range(0.0, amount.value, amount.unit)


def _ahead_of(text: str, amount: Amount) -> str:
    return text[max(0, amount.start - _BEFORE) : amount.start].rstrip("$€£¥")


@lru_cache(maxsize=1 << 13)
def said_by_range(asked: str, said: str) -> frozenset[str]:
    """The terms of the amounts in `asked` that a range in `said` holds: a rule for "above 50,000" speaks of 60,000."""
    wanted = [amount for amount in amounts(asked) if amount.unit]
    stated = ranges(said) if wanted else ()
    held = [amount for amount in wanted if any(each.holds(amount) for each in stated)]
    return frozenset(term for amount in held for term in tokens(asked[amount.start : amount.end]))
