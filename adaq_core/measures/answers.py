"""Measures of an answer's text against gold answers and judged quotes, and of its citations against gold documents.

All of them read what the answer *states*: neither headings nor what it says of itself are part of that.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

ARTICLES = frozenset({"a", "an", "the"})
VERDICTS = frozenset({"yes", "no"})
_NUMBER = re.compile(r"\(?-?\s?[$€£]?\s?(\d[\d,]*(?:\.\d+)?)\)?\s*(%|percent\b)?", re.IGNORECASE)
_YEAR = re.compile(r"[12]\d{3}")
_SCALES = (1.0, 1e3, 1e6, 1e9)


@dataclass(frozen=True, slots=True)
class Limits:
    """Which gold a measure of text can be held against; chosen by reading the gold of nine public sets."""

    short_words: int = 10  # a longer gold answer is free text, which no quotation repeats word for word
    quote_words: int = 60  # a longer judged quote is a page, not a fact
    tolerance: float = 0.01  # relative; FinanceBench rounds its gold to two figures after the point


LIMITS = Limits()


def answer_tokens(text: str) -> tuple[str, ...]:
    """Words in lower case without punctuation or articles; a mark separates two words ("Bankman-Fried")."""
    return _words("".join(" " if _is_mark(character) else character for character in _folded(text)))


def squad_tokens(text: str) -> tuple[str, ...]:
    """Words as SQuAD's evaluation compares them: as `answer_tokens`, but marks vanish ("U.S." is "us").

    Rajpurkar et al., 2016.
    """
    return _words("".join(character for character in _folded(text) if not _is_mark(character)))


def exact_match(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer has the same words in the same order as one of the gold answers."""
    return float(squad_tokens(answer) in {squad_tokens(each) for each in gold})


def token_f1(answer: str, gold: Iterable[str]) -> float:
    """The best token F1 against one of the gold answers; 0.0 without a common word."""
    return max((_overlap_f1(squad_tokens(answer), squad_tokens(each)) for each in gold), default=0.0)


def contains_answer(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer holds the words of one of the gold answers as a run: what an extractive answer can do."""
    words = f" {' '.join(answer_tokens(answer))} "
    runs = (" ".join(answer_tokens(each)) for each in gold)
    return float(any(run and f" {run} " in words for run in runs))


def verdict_of(text: str) -> str | None:
    """Return "yes" or "no" where the text is that word and nothing else; None otherwise."""
    words = answer_tokens(text)
    if len(words) == 1 and words[0] in VERDICTS:
        return words[0]
    return None


def is_short(gold: str) -> bool:
    """Whether a gold answer is a name, a date or a number, and not a text of its own."""
    return 0 < len(answer_tokens(gold)) <= LIMITS.short_words


def gold_number(gold: str) -> float | None:
    """The number that a gold answer consists of; None when it says more, or when it may be a year."""
    match = _NUMBER.fullmatch(gold.strip())
    if match is None or _YEAR.fullmatch(gold.strip()):
        return None
    return float(match[1].replace(",", ""))


def states_number(answer: str, gold: float) -> bool:
    """Whether the first number of the answer is the gold one, in thousands, millions or billions, or as a share.

    Signs are left out: an outflow is written with a minus, in brackets or in words.
    """
    match = _NUMBER.search(answer)
    if match is None:
        return False
    stated = float(match[1].replace(",", ""))
    scales = (*_SCALES, 100)
    forms = (*(stated * scale for scale in scales), *(stated / scale for scale in scales))
    return any(abs(form - gold) <= LIMITS.tolerance * abs(gold) for form in forms)


def nugget_recall(answer: str, nuggets: Mapping[str, Sequence[str]]) -> float | None:
    """The share of judged facts with one of their quotes in the answer, word for word; None without a quote.

    Quotes longer than a few sentences are left out, and so is a fact that has no other.
    """
    short = {name: [each for each in quotes if is_fact(each)] for name, quotes in nuggets.items()}
    judged = [quotes for quotes in short.values() if quotes]
    if not judged:
        return None
    return sum(contains_answer(answer, quotes) for quotes in judged) / len(judged)


def is_fact(quote: str) -> bool:
    """Whether a judged quote is short enough for an answer to repeat."""
    return 0 < len(answer_tokens(quote)) <= LIMITS.quote_words


def without_marks(answer: str) -> str:
    """The answer without citation marks and Markdown signs, as text to be compared."""
    return re.sub(r"[*_#>`]+", " ", re.sub(r"\[\d+\]", " ", answer))


def citation_measures(cited: Iterable[str], gold: Iterable[str]) -> dict[str, float | None]:
    """`citation_precision`: cited documents that are gold; `citation_recall`: gold documents that are cited.

    Precision is None when nothing is cited, both are None when there is no gold document.
    """
    named, wanted = set(cited), set(gold)
    hits = len(named & wanted)
    return {
        "citation_precision": hits / len(named) if named and wanted else None,
        "citation_recall": hits / len(wanted) if wanted else None,
    }


def _overlap_f1(stated: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    common = sum((Counter(stated) & Counter(wanted)).values())
    if not common:
        return 0.0
    return f1(common / len(stated), common / len(wanted))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split() if word not in ARTICLES)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
REMEMBERED = 20_000


def plain(text: str) -> str:
    """The text in NFKC, invisible characters dropped, runs of white space as one space."""
    return " ".join(INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


class Quotes:
    """Looks quotes up in texts and remembers their normalised forms: the same passages come up again and again."""

    def __init__(self, *, remembered: int = REMEMBERED) -> None:
        self._plain = lru_cache(maxsize=remembered)(plain)

    def contains(self, quote: str, text: str) -> bool:
        """Whether `text` holds `quote`; an empty quote is held by nothing."""
        wanted = self._plain(quote)
        return bool(wanted) and wanted in self._plain(text)


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0.0 when both are 0."""
    if precision + recall:
        return 2 * precision * recall / (precision + recall)
    return 0.0
