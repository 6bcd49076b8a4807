"""Measures of an answer against a gold answer, and of its citations against the gold documents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from adaq_core.measures.sets import f1

ARTICLES = frozenset({"a", "an", "the"})


def answer_tokens(text: str) -> tuple[str, ...]:
    """Words as SQuAD's evaluation compares them: lower case, no punctuation, no articles (Rajpurkar et al., 2016)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(" " if _is_mark(character) else character for character in folded)
    return tuple(word for word in bare.split() if word not in ARTICLES)


def exact_match(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer has the same words in the same order as one of the gold answers."""
    return float(answer_tokens(answer) in {answer_tokens(each) for each in gold})


def token_f1(answer: str, gold: Iterable[str]) -> float:
    """The best token F1 against one of the gold answers; 0.0 without a common word."""
    return max((_overlap_f1(answer_tokens(answer), answer_tokens(each)) for each in gold), default=0.0)


def contains_answer(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer holds the words of one of the gold answers as a run: what an extractive answer can do."""
    said = f" {' '.join(answer_tokens(answer))} "
    return float(any(words and f" {' '.join(words)} " in said for words in map(answer_tokens, gold)))


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


def _overlap_f1(said: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0
    return f1(common / len(said), common / len(wanted))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
