"""Did-you-mean: words of a question that are nowhere in a corpus, and the words one slip away that are.

A slip is a letter too many, too few, another one, or two in the wrong order (Norvig, "How to Write a Spelling
Corrector", 2007); the first letter is taken to be right. All words one slip away are made and looked up, so the size of
the corpus does not matter. Nobody keeps a dictionary here, and most words that a corpus does not hold are good ones: so
a word that begins small must hold four letters in a row that the corpus's own words do not have ("nvdi"), another
ending of a known word ("founder" for "founded") is no slip, and long texts are left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.retrieval.lexical import LexicalIndex
from adaq_core.text.tokens import Word, fold, spans, stem

SHORTEST, MOST_WORDS, MOST = 5, 40, 3
_LONG_ACRONYM = 9
_SUFFIX = 1
_LEAST_CHANGED = 6  # letters of a small word in which one letter may be another: "booze" is not "Boone"
_HOLDERS = 20  # passages that are read to see how a term is written
_WORDS = 5  # one time in so many a word begins small that is no name
_FREQUENT = 3  # passages that hold a name which a small word may mean
_GRAM, _BITS = 4, 5  # four letters in a row, five bits each

Flags = NDArray[np.bool_]


class Searched(Protocol):
    """What is asked of a corpus: its terms, and the passages that hold them."""

    lexical: LexicalIndex

    @property
    def passages(self) -> Sequence[Passage]:
        """The passages, in corpus order."""
        ...


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of the question that no passage says, and the word of the corpus that it is likely to mean."""

    said: str
    meant: str
    start: int
    end: int

    @property
    def notice(self) -> str:
        """One line for the user."""
        return f"No passage says “{self.said}”; did you mean “{self.meant}”? That is searched for too"


def corrections(corpus: Searched, question: str) -> tuple[Correction, ...]:
    """The words of `question` to put right, in order, at most three; none in a text of more than forty words."""
    read, found = spans(question), list[Correction]()
    for word in read if len(read) <= MOST_WORDS else ():
        said = question[word.start : word.end]
        if _may_be_wrong(corpus.lexical, word, said) and (meant := _nearest(corpus, word.word, said)):
            found.append(Correction(said, meant, word.start, word.end))
    return tuple(found[:MOST])


def corrected(question: str, found: Sequence[Correction]) -> str:
    """The question with its words put right."""
    for each in reversed(found):
        question = question[: each.start] + each.meant + question[each.end :]
    return question


def _may_be_wrong(lexical: LexicalIndex, word: Word, said: str) -> bool:
    """Whether a word is of letters alone, long enough, no acronym, unknown to the corpus, and odd unless a name."""
    term = stem(word.word)
    plain = word.word.isascii() and word.word.isalpha() and len(word.word) >= SHORTEST
    if not plain or not term or term in lexical.vocabulary:
        return False
    if said[0].isupper():
        return len(said) >= _LONG_ACRONYM or not said.isupper()
    return _is_odd(lexical, term)


def _nearest(corpus: Searched, word: str, said: str) -> str | None:
    """The written form that one slip leads to: names first for a name, then the most frequent."""
    near = one_slip_away(word, changed=said[0].isupper() or len(word) >= _LEAST_CHANGED)
    terms = dict.fromkeys(term for each in near if (term := stem(each)) in corpus.lexical.vocabulary)
    ranked = [
        (said[0].isupper() and not written[0].isupper(), -count, written)
        for term in terms
        for written, count in _written(corpus, term)
        if near & {fold(written), fold(written).removesuffix("s")} and _is_slip(word, said, written, count)
    ]
    return min(ranked)[-1] if ranked else None


def one_slip_away(word: str, *, changed: bool = True) -> frozenset[str]:
    """The words that one slip after the first letter makes a word of; `changed` ones have another letter too."""
    cuts = [(word[:n], word[n:]) for n in range(1, len(word) + 1)]
    less = (head + tail[1:] for head, tail in cuts if tail)
    turned = (head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1)
    more = (head + letter + tail for head, tail in cuts for letter in ascii_lowercase)
    other = (head + letter + tail[1:] for head, tail in cuts if tail and changed for letter in ascii_lowercase)
    return frozenset((*less, *turned, *more, *other)) - {word}


def _is_slip(word: str, said: str, written: str, count: int) -> bool:
    """Whether the two differ before their endings; a small word means a name only if that is a frequent one."""
    other = fold(written)
    if word.startswith(other) or other.startswith(word):
        return False
    if written[0].isupper():
        return said[0].isupper() or count >= _FREQUENT
    return not said[0].isupper() and not other.startswith(word[: max(len(word) - _SUFFIX, 1)])


def _written(corpus: Searched, term: str) -> list[tuple[str, int]]:
    """How the first passages that hold a term write each word of it, and how many passages hold the term."""
    rows, forms = corpus.lexical.rows_of(term), dict[str, Counter[str]]()
    for row in rows[:_HOLDERS].tolist():
        for text in (corpus.passages[row].title, corpus.passages[row].text):
            for word in spans(text):
                if stem(word.word) == term:
                    forms.setdefault(word.word, Counter())[text[word.start : word.end]] += 1
    return [(_usual(counts), len(rows)) for counts in forms.values()]


def _usual(counts: Counter[str]) -> str:
    """The form that is written most; of a word that one time in five begins small, the small one."""
    small = Counter({form: count for form, count in counts.items() if form[0].islower()})
    is_word = small.total() * _WORDS >= counts.total()
    return (small if is_word else counts).most_common(1)[0][0]


_SEEN: WeakKeyDictionary[LexicalIndex, Flags] = WeakKeyDictionary()


def _is_odd(lexical: LexicalIndex, term: str) -> bool:
    """Whether the term holds four letters in a row that at most one term of the corpus has."""
    seen = _SEEN.get(lexical)
    if seen is None:
        counts = np.bincount(_grams(list(lexical.vocabulary)), minlength=1 << _GRAM * _BITS)
        seen = _SEEN[lexical] = counts > 1
    return not seen[_grams([term])].all()


def _grams(terms: Sequence[str]) -> NDArray[np.int64]:
    """The numbers of all runs of four letters in the terms; none across two terms."""
    text = " ".join(terms).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(text, dtype=np.uint32).astype(np.int64) - ord("a") + 1
    codes[(codes < 1) | (codes > len(ascii_lowercase))] = 0
    size = max(len(codes) - _GRAM + 1, 0)
    rows = [codes[n : n + size] for n in range(_GRAM)]
    whole = np.logical_and.reduce([row > 0 for row in rows])
    numbers = np.zeros(size, dtype=np.int64)
    for place, row in enumerate(rows):
        numbers += row << _BITS * place
    return numbers[whole]
