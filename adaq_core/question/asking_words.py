"""The words with which English asks: one list for planner, ranker and live sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from adaq_core.text.tokens import STOP_WORDS

Kind = TypeVar("Kind")


def linear(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Compile a pattern with its white space bounded: a search for unbounded blanks is quadratic in a run of them."""
    return re.compile(pattern.replace(r"\s+", r"\s{1,3}").replace(r"\s*", r"\s{0,3}"), flags)


@dataclass(frozen=True)
class LanguagePattern(Generic[Kind]):
    """A way in which people say a thing of some `kind`.

    `pattern` is searched in a clause or sentence (letter case aside unless `case_matters`) and has to be linear: no
    nested quantifiers, repeats with an upper bound. `example` matches and `counter_example` does not; `source` says
    where the pattern was met.
    """

    kind: Kind
    pattern: str
    example: str
    counter_example: str
    source: str = ""
    case_matters: bool = False

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return linear(self.pattern, re.NOFLAG if self.case_matters else re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """Find the pattern in `text`."""
        return self.regex.search(text)


def first_kind(patterns: Iterable[LanguagePattern[Kind]], text: str) -> Kind | None:
    """Return the kind of the first pattern that occurs in `text`."""
    return next((row.kind for row in patterns if row.search(text)), None)


QUESTION_WORDS = ("what", "which", "who", "whom", "whose", "when", "where", "why", "how")
AUXILIARIES = (
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "shall",
    "should", "may", "might", "must", "am",
)  # fmt: skip
IMPERATIVES = (
    "list", "name", "tell", "describe", "explain", "discuss", "summarise", "summarize", "compare", "contrast", "give",
    "find", "show", "identify", "provide", "outline", "define", "analyse", "analyze", "examine", "evaluate", "assess",
    "calculate", "compute", "detail", "determine", "enumerate", "state", "mention", "specify", "elaborate", "clarify",
    "report", "review", "illustrate", "investigate", "highlight", "trace", "estimate",
)  # fmt: skip
POLITE_WORDS = ("please", "kindly", "hey", "hi", "hello", "thanks", "thank", "dear")
PREPOSITIONS = (
    "of", "in", "on", "at", "by", "for", "from", "to", "with", "under", "into", "about", "between", "among", "within",
    "through", "during", "against", "over", "than", "per", "via", "across", "after", "before", "since", "until",
    "towards", "toward", "without", "concerning", "regarding",
)  # fmt: skip
CONJUNCTIONS = ("and", "or", "but", "nor", "the", "a", "an", "as", "if", "that")

ASKING = STOP_WORDS | {*IMPERATIVES, *POLITE_WORDS, "versus", "vs"}

QUESTION_WORD = rf"(?:{'|'.join(QUESTION_WORDS)})"
AUXILIARY = rf"(?:{'|'.join(AUXILIARIES)})"
IMPERATIVE = rf"(?:{'|'.join(IMPERATIVES)})"
_AHEAD = r"(?:with|in|for|by|to|from|at|on|of|under|through|during|against|about|since)"
ASKS = rf"(?:{_AHEAD}\s+)?{QUESTION_WORD}"
_ASKS = linear(rf"^(?:{ASKS}|{AUXILIARY}|{IMPERATIVE})(?:['’](?:s|re|d|ll|ve))?\b", re.IGNORECASE)
_DANGLING = linear(rf"(?:^|\s)(?:{'|'.join((*PREPOSITIONS, *CONJUNCTIONS))})$", re.IGNORECASE)


def begins_to_ask(text: str) -> bool:
    """Whether `text` begins as a question or an order does."""
    return _ASKS.match(text) is not None


def dangles(text: str) -> bool:
    """Whether `text` ends in a word that wants another one: a preposition, an article, a conjunction."""
    return _DANGLING.search(text.rstrip(" ,.;:?!")[-40:]) is not None
