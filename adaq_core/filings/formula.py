"""Formulas over line items, as questions and the profile write them, computed from values that somebody else finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from adaq_core.filings.line_items import LineItem, LineItems
from adaq_core.text.dates import dates

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
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

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
        found = []
        while self.peek() == "year":
            found.append(int(self.take().number))
        return found

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
