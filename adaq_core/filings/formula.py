"""Line items and formulas over them, as questions and the profile write them; the values come from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from adaq_core.home import BUNDLED
from adaq_core.model import of_fields
from adaq_core.text.values import dates


@dataclass(frozen=True, slots=True)
class Statement:
    """A financial statement: its headings, and lines it is known by ("|" parts variants)."""

    name: str
    headings: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineItem:
    """A line of a statement: the words of questions, and its labels, strictest first.

    A label is compared by its letters only: "=" whole, "^" at the beginning, else anywhere; "*" stands for any letters.
    `unlike` are letters that a label of this item never holds. `said` are the words of sentences that tell its amount.
    """

    name: str
    statement: str
    words: tuple[str, ...]
    labels: tuple[str, ...]
    unlike: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def is_per_share(self) -> bool:
        """Whether it is told for one share."""
        return "per share" in self.name


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure that is computed: its words, its formula over line items, its unit and the range that is plausible.

    Without a formula it is not computed, and `needs` are the items that speak to it.
    """

    name: str
    words: tuple[str, ...]
    formula: str
    unit: str
    range: tuple[float, float] | None = None
    needs: tuple[str, ...] = ()


Named = TypeVar("Named")
Reworded = tuple[tuple[str, ...], str]  # phrases, and what they mean


@dataclass(frozen=True)
class LineItems:
    """The whole profile."""

    statements: Mapping[str, Statement]
    items: Mapping[str, LineItem]
    ratios: Mapping[str, Ratio]
    prose: tuple[Reworded, ...]  # phrases, and the words to search for
    everyday: tuple[Reworded, ...]
    own_names: tuple[tuple[str, Reworded], ...] = ()  # each with the company whose it is

    def in_words_of_filings(self, text: str) -> str:
        """The text with what people say in the words that statements use: "redundancies" are severance costs."""
        return _reworded(text, self.everyday)

    def in_own_names(self, text: str, is_it: Callable[[str], bool]) -> str:
        """The text with a company's own names for its parts: Amazon's cloud arm is AWS; `is_it` knows the company."""
        return _reworded(text, [reworded for company, reworded in self.own_names if is_it(company)])

    def named_in(self, text: str) -> list[tuple[LineItem | Ratio, tuple[int, int]]]:
        """The items and ratios that `text` names, in its order; the longest name at each place."""
        return list(self._named(text))

    @cached_property
    def _named(self) -> Callable[[str], list[tuple[LineItem | Ratio, tuple[int, int]]]]:
        return lru_cache(maxsize=1 << 10)(self._named_in)  # each cell of a grid is asked from all sides

    def _named_in(self, text: str) -> list[tuple[LineItem | Ratio, tuple[int, int]]]:
        taken: list[tuple[LineItem | Ratio, tuple[int, int]]] = []
        low = text.lower()
        for phrase, item in self._phrases:
            for start in _places(low, phrase) if phrase in low else ():
                end = start + len(phrase)
                span = (start, end + low.startswith("s", end))
                if _IN_A_COMPOUND.match(low, span[1]):
                    continue
                if all(span[1] <= other[0] or other[1] <= span[0] for _, other in taken):
                    taken.append((item, span))
        return sorted(taken, key=lambda each: each[1])

    @cached_property
    def headings(self) -> list[str]:
        """The headings of all statements."""
        return [heading for statement in self.statements.values() for heading in statement.headings]

    @cached_property
    def _phrases(self) -> list[tuple[str, LineItem | Ratio]]:
        """What names each item and ratio, the longest first."""
        every: list[LineItem | Ratio] = [*self.ratios.values(), *self.items.values()]
        pairs: list[tuple[str, LineItem | Ratio]] = []
        for item in every:
            phrases = dict.fromkeys((item.name, *item.words))
            pairs += [(phrase, item) for phrase in phrases]
        return sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0]))

    def items_of(self, ratio: Ratio) -> tuple[LineItem, ...]:
        """The line items that a ratio is made of."""
        return tuple(item for name, item in self.items.items() if name in ratio.needs or _places(ratio.formula, name))


def _reworded(text: str, every: Sequence[Reworded]) -> str:
    """The text with each phrase by what it means."""
    low = text.lower()
    for said, means in every:
        for phrase in said:
            for start in reversed(_places(low, phrase)):
                end = start + len(phrase)
                end += text.startswith("s", end)
                rest = means.rpartition(phrase.rpartition(" ")[2])[2]  # "on research and development" says it in full
                end += len(rest) if text[end:].lower().startswith(rest) else 0
                text = f"{text[:start]}{means}{text[end:]}"
            low = low if phrase not in low else text.lower()
    return text


# "A receivables-backed facility" asks for no receivables.
_IN_A_COMPOUND = re.compile(r"-(?:backed|based|linked|related|driven|generating|bearing)\b")


def _places(text: str, phrase: str) -> list[int]:
    """Where `phrase` stands in `text` as whole words, or with the "s" of a plural."""
    results = []
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        before = text[start - 1 : start]
        after = text[end : end + 2].removeprefix("s")[:1]
        if not before.isalnum() and not after.isalnum():
            results.append(start)
        start = text.find(phrase, start + 1)
    return results


# The same labels are compared with those of every item.
@lru_cache(maxsize=1 << 12)
def letters_of(text: str) -> str:
    """A label as it compares: its letters in lower case."""
    return "".join(filter(str.isalpha, text.lower()))


def is_label(letters: str, label: str) -> bool:
    """Whether the letters of a row's label are those of `label`."""
    if label.startswith("="):
        return letters == label[1:]
    parts = label.lstrip("^").split("*")
    if label.startswith("^") and not letters.startswith(parts[0]):
        return False
    at = 0
    for part in parts:
        at = letters.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


@cache
def line_items() -> LineItems:
    """The bundled profile."""
    raw = json.loads((BUNDLED / "line_items.json").read_text(encoding="utf-8"))
    return LineItems(
        _by_name(Statement, raw["statements"]),
        _by_name(LineItem, raw["items"]),
        _by_name(Ratio, raw["ratios"]),
        tuple((tuple(given["words"]), given["search"]) for given in raw["prose"]),
        tuple(_phrases_of(given) for given in raw["everyday"]),
        tuple((given["of"], _phrases_of(given)) for given in raw["own_names"]),
    )


def _by_name(kind: Callable[..., Named], every: Mapping[str, Mapping[str, Any]]) -> dict[str, Named]:
    return {name: of_fields(kind, {"name": name, **given}) for name, given in every.items()}


def _phrases_of(given: Mapping[str, Any]) -> Reworded:
    return tuple(given["said"]), given["means"]


Value = Callable[[LineItem, int], float | None]

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORDS = {"plus": "+", "less": "-", "minus": "-", "times": "*", "×": "*", "÷": "/", "−": "-", "–": "-"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a formula: a number, an operator or bracket, an item, a year, "average" or "change"."""

    kind: str
    text: str
    item: LineItem | None = None
    number: float = 0.0


class FormulaError(Exception):
    """The formula cannot be read, or a value of it is not known."""


def read_formula(text: str, profile: LineItems) -> list[Token]:
    """The tokens of a formula; FormulaError for a word that has no part to play."""
    low = text.lower().replace("divided by", "/").replace("multiplied by", "*").replace("’", "'")
    items = {span[0]: (item, span[1]) for item, span in profile.named_in(low) if isinstance(item, LineItem)}
    years = {date.span[0]: (date.year, date.span[1]) for date in dates(low)}
    tokens, at = [], 0
    while at < len(low):
        if at in items:
            item, end = items[at]
            tokens.append(Token("item", item.name, item=item))
        elif at in years:
            year, end = years[at]
            tokens.append(Token("year", str(year), number=year))
        else:
            token, end = _simple(low, at)
            tokens += [token] if token is not None else []
        at = end
    return tokens


def _simple(low: str, at: int) -> tuple[Token | None, int]:
    char = low[at]
    if char in "+-*/()":
        return Token(char, char), at + 1
    if char in _WORDS:
        return Token(_WORDS[char], _WORDS[char]), at + 1
    if number := _NUMBER.match(low, at):
        return Token("number", number.group(), number=float(number.group())), number.end()
    if char.isalpha():
        end = at
        while end < len(low) and (low[end].isalpha() or low[end] in "-'"):
            end += 1
        return _word(low[at:end]), end
    return None, at + 1


_SKIPPED = """
between and the from of unadjusted total net year end fiscal fy in for to cash flow statement balance sheet ending
beginning income
"""
_FILLING = frozenset(_SKIPPED.split())


def _word(word: str) -> Token | None:
    if word in _WORDS:
        return Token(_WORDS[word], word)
    if word in ("average", "avg"):
        return Token("average", word)
    if word in ("change", "increase"):
        return Token("change", word)
    if word in _FILLING:
        return None
    raise FormulaError(f"“{word}” in a formula")


class _Parser:
    """One pass from left to right: sums of products of factors."""

    def __init__(self, tokens: list[Token], value: Value, year: int) -> None:
        self.tokens, self.value, self.year, self.at = tokens, value, year, 0

    def peek(self) -> str:
        if self.at < len(self.tokens):
            return self.tokens[self.at].kind
        return ""

    def take(self) -> Token:
        if self.at >= len(self.tokens):
            raise FormulaError("the formula ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self) -> float:
        total = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take().kind == "+" else -1
            total += sign * self.product()
        return total

    def product(self) -> float:
        total = self.factor()
        while self.peek() in ("*", "/"):
            if self.take().kind == "*":
                total *= self.factor()
            else:
                divisor = self.factor()
                if divisor == 0:
                    raise FormulaError("a division by zero")
                total /= divisor
        return total

    def factor(self) -> float:
        token = self.take()
        if token.kind == "number":
            return token.number
        if token.kind == "(":
            inside = self.sum()
            if self.take().kind != ")":
                raise FormulaError("a bracket that is not closed")
            return inside
        if token.kind == "average":
            values = self.of_years()
            return sum(values) / len(values)
        if token.kind == "change":
            values = self.of_years()
            return values[-1] - values[0]
        if token.kind == "year":
            return self.known(self.item(), int(token.number))
        if token.kind == "item" and token.item is not None:
            years = self.years()
            return self.known(token.item, years[-1] if years else self.year)
        raise FormulaError(f"“{token.text}” where a value is expected")

    def of_years(self) -> list[float]:
        """The values of the next item in the years that follow it; else in the year before and the year asked for."""
        while self.peek() == "year":
            self.at += 1
        item = self.item()
        years = sorted(set(self.years())) or [self.year - 1, self.year]
        return [self.known(item, year) for year in (years if len(years) > 1 else [years[0] - 1, years[0]])]

    def item(self) -> LineItem:
        token = self.take()
        if token.item is None:
            raise FormulaError(f"“{token.text}” where a line item is expected")
        return token.item

    def years(self) -> list[int]:
        results = []
        while self.peek() == "year":
            results.append(int(self.take().number))
        return results

    def known(self, item: LineItem, year: int) -> float:
        value = self.value(item, year)
        if value is None:
            raise FormulaError(f"{item.name} of {year} is not known")
        return value


def computed(tokens: list[Token], value: Value, *, year: int) -> float:
    """The value of a formula in `year`; FormulaError where it cannot be computed."""
    parser = _Parser(tokens, value, year)
    total = parser.sum()
    if parser.at < len(tokens):
        raise FormulaError(f"“{tokens[parser.at].text}” is left over")
    return total
