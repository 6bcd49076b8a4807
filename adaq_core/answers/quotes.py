"""Where a quote stands in a passage: word by word, whatever became of case, spaces and marks, or with a few slips."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from adaq_core.text.sentences import sentences
from adaq_core.text.tokens import Word, spans, tokens

SLIPS = 0.2
_FEWEST = 4
_MOST = 120
_GAP = re.compile(r"\s{0,4}(?:\[\s{0,4}(?:\.{3}|…)\s{0,4}\]|\.{3,40}|…)\s{0,4}")
_CLOSING = re.compile(r"[.!?…。]+[\"'”’)\]]*")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a passage; `exact` when its words are those of the quote, one by one."""

    start: int
    end: int
    exact: bool = True


def find_quote(quote: str, text: str) -> Span | None:
    """The place in `text` that `quote` repeats; None when it is not there.

    Up to a fifth of the words may differ, of at least four, but never one with a digit in it. A quote with gaps (…)
    reaches from its first part to its last.
    """
    at = text.find(quote) if quote.strip() else -1
    if at >= 0:
        return Span(at, at + len(quote))
    there = spans(text)
    parts = [part for part in _GAP.split(quote) if tokens(part)]
    if not parts:
        return None
    found: list[Span] = []
    for part in parts:
        span = _find_part(spans(part), [w for w in there if not found or w.start >= found[-1].end])
        if span is None:
            return None
        found.append(span)
    end = found[-1].end
    if (closing := _CLOSING.match(text, end)) and quote.rstrip()[-1:] in ".!?…。":
        end = closing.end()
    return Span(found[0].start, end, exact=all(span.exact for span in found))


def _find_part(quote: Sequence[Word], there: Sequence[Word]) -> Span | None:
    wanted = [word.word for word in quote]
    known = [word.word for word in there]
    for place in range(len(known) - len(wanted) + 1):
        if known[place] == wanted[0] and known[place : place + len(wanted)] == wanted:
            return Span(there[place].start, there[place + len(wanted) - 1].end)
    if not _FEWEST <= len(wanted) <= _MOST:
        return None
    slips, first, last = _nearest(wanted, known)
    if last <= first or slips > SLIPS * len(wanted) or _digits(wanted) != _digits(known[first:last]):
        return None
    return Span(there[first].start, there[last - 1].end, exact=False)


def _digits(words: Sequence[str]) -> Counter[str]:
    return Counter(word for word in words if any(char.isdigit() for char in word))


def _nearest(wanted: Sequence[str], known: Sequence[str]) -> tuple[int, int, int]:
    """(slips, first, last) of the run of `known` that takes the fewest changes to become `wanted` (Sellers, 1980)."""
    column = [(row, 0) for row in range(len(wanted) + 1)]
    best = (len(wanted), 0, 0)
    for place, word in enumerate(known):
        before, column = column, [(0, place + 1)]
        for row, wish in enumerate(wanted, start=1):
            kept = (before[row - 1][0] + (wish != word), before[row - 1][1])
            extra = (before[row][0] + 1, before[row][1])
            lacking = (column[row - 1][0] + 1, column[row - 1][1])
            column.append(min(kept, extra, lacking, key=lambda pair: pair[0]))
        slips, first = column[-1]
        if slips < best[0]:
            best = (slips, first, place + 1)
    return best


def best_sentence(statement: str, text: str) -> Span | None:
    """The sentence of `text` with the most terms of `statement`, the first of equals; None when none has any."""
    wanted = set(tokens(statement))
    scored = [(len(wanted.intersection(tokens(text[s:e]))), -s, e) for s, e in sentences(text)]
    most, start, end = max(scored, default=(0, 0, 0))
    return Span(-start, end) if most else None
