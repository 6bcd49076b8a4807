"""Search by words: BM25, the only one; and words near those that no passage says (did you mean).

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf that Lucene uses,
log(1 + (N - df + .5) / (df + .5)), which is never negative. Weights are computed once, when the index is built.
"""

from __future__ import annotations

import itertools
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.retrieval.facets import ascending, load_arrays, reading, save_arrays, starts_of
from adaq_core.retrieval.name_forms import in_full
from adaq_core.text.tokens import STOP_WORDS, Word, fold, initials, spans, stem, tokens

K1 = 1.2
B = 0.75
KIN_LETTERS, KIN_SPREAD = 5, 3
_BLOCK = 1_024  # scores; of each block the highest is looked at first
_GRAM, _BITS = 4, 5  # four letters in a row, five bits each
_ARRAYS = ("starts", "rows", "weights", "idf")

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LexicalIndex:
    """Terms → passages: term `t` has the postings `rows[starts[t]:starts[t + 1]]` (ascending) and their weights."""

    size: int
    vocabulary: dict[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    idf: NDArray[np.float32]

    @classmethod
    def build(cls, texts: Iterable[Sequence[str]]) -> LexicalIndex:
        """Index the token lists of `texts`, in order; an empty collection is an index that finds nothing."""
        vocabulary: dict[str, int] = {}
        ids: list[int] = []
        lengths: list[int] = []
        for text in texts:
            ids.extend([vocabulary.setdefault(token, len(vocabulary)) for token in text])
            lengths.append(len(text))
        flat = np.array(ids, dtype=np.int64)
        return cls.from_ids(flat, np.array(lengths, dtype=np.int64), vocabulary)

    @classmethod
    def from_ids(
        cls, flat: NDArray[np.int64], lengths: NDArray[np.int64], vocabulary: dict[str, int], *, b: float = B
    ) -> LexicalIndex:
        """The same from term ids that lie one after another, `lengths[i]` of them for text i."""
        size, terms = len(lengths), len(vocabulary)
        order = ascending(flat)
        all_terms, all_rows = flat[order], np.repeat(np.arange(size, dtype=np.int32), lengths)[order]
        is_new = np.ones(len(flat), dtype=np.bool_)
        is_new[1:] = (all_terms[1:] != all_terms[:-1]) | (all_rows[1:] != all_rows[:-1])
        first = np.flatnonzero(is_new)
        term, row, counts = all_terms[first], all_rows[first], np.diff(first, append=len(flat))
        df = np.bincount(term, minlength=terms)
        rarity = idf(size, df)
        mean = max(float(lengths.mean()), 1e-9) if size else 1.0
        weights = weight(rarity[term], counts, length_norm(lengths, mean, b=b)[row])
        return cls(
            size,
            vocabulary,
            starts_of(df),
            row,
            weights.astype(np.float32),
            rarity.astype(np.float32),
        )

    def scores(self, query: str) -> NDArray[np.float32]:
        """The BM25 score of every passage, in corpus order; zeros when no term of `query` is known."""
        return self.term_scores(Counter(tokens(query)))

    def term_scores(self, terms: Mapping[str, float]) -> NDArray[np.float32]:
        """The same for index terms with weights (their counts, or any other numbers)."""
        scores = np.zeros(self.size, dtype=np.float32)
        for term in sorted(terms):
            number = self.vocabulary.get(term)
            if number is not None:
                own = slice(self.starts[number], self.starts[number + 1])
                weights = self.weights[own] * np.float32(terms[term])
                np.add.at(scores, self.rows[own], weights)
        return scores

    def term_idf(self, term: str) -> float:
        """How rare `term` is; 0.0 when the corpus does not hold it."""
        number = self.vocabulary.get(term)
        return 0.0 if number is None else float(self.idf[number])

    def kin(self, term: str) -> list[str]:
        """The terms with the first five letters of `term` and nearly its length; itself first, known or not."""
        if not has_kin(term):
            return [term]
        terms, stem = self._sorted_terms, term[:KIN_LETTERS]
        begin = bisect_left(terms, stem)
        near = []
        while begin < len(terms) and terms[begin].startswith(stem):
            if abs(len(terms[begin]) - len(term)) <= KIN_SPREAD and terms[begin] != term:
                near.append(terms[begin])
            begin += 1
        return [term, *near]

    @cached_property
    def _sorted_terms(self) -> list[str]:
        return sorted(self.vocabulary)

    @cached_property
    def shared_grams(self) -> Flags:
        """By the number of four letters in a row, whether several terms have them."""
        counts = np.bincount(_grams(list(self.vocabulary)), minlength=1 << _GRAM * _BITS)
        return counts > 1

    def rows_of(self, term: str) -> NDArray[np.int32]:
        """The passages that hold `term`, ascending."""
        number = self.vocabulary.get(term)
        if number is None:
            return np.zeros(0, dtype=np.int32)
        return self.rows[self.starts[number] : self.starts[number + 1]]

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, one array per file."""
        save_arrays(self, folder, _ARRAYS)
        (folder / "terms.json").write_text(json.dumps([self.size, list(self.vocabulary)]), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> LexicalIndex:
        """The index that `save` wrote, its arrays memory-mapped."""
        with reading("a lexical index", folder):
            size, terms = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
            arrays = load_arrays(folder, _ARRAYS)
        return cls(size, {term: number for number, term in enumerate(terms)}, **arrays)


def idf(size: int, holders: Any) -> Any:
    """How rare a term is that `holders` of `size` passages hold; of an array of them an array, here as below."""
    return np.log1p((size - holders + 0.5) / (holders + 0.5))


def length_norm(length: Any, mean: float, *, b: float = B) -> Any:
    """How much a passage of this many terms is held back where passages have `mean` terms."""
    return K1 * (1 - b + b * length / mean)


def weight(rarity: Any, count: Any, norm: Any) -> Any:
    """What a term of this idf weighs that stands `count` times in a passage of this norm."""
    return rarity * count * (K1 + 1) / (count + norm)


def has_kin(term: str) -> bool:
    """Whether a term is long enough, and of letters, to have others of its beginning."""
    return len(term) >= KIN_LETTERS and term.isalpha()


def ranked(places: NDArray[np.int64], scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """The `count` places with the highest scores, which are given place by place; best first, ties by place."""
    if len(places) > 4 * count > 0:
        edge = np.partition(scores, -count)[-count]
        places, scores = places[scores >= edge], scores[scores >= edge]
    return places[np.lexsort((places, -scores))][: max(count, 0)]


def best(scores: NDArray[np.float32], top_k: int) -> NDArray[np.int64]:
    """Positions of the `top_k` highest positive scores, best first, ties by position."""
    least = np.float32(0)
    blocks = scores[: len(scores) - len(scores) % _BLOCK].reshape(-1, _BLOCK)
    if 0 < top_k <= len(blocks):
        highest = blocks.max(axis=1)  # at least `top_k` scores are as high as the last of the best blocks
        least = np.partition(highest, -top_k)[-top_k]
    hits = np.flatnonzero(scores >= least if least > 0 else scores > 0)
    return ranked(hits, scores[hits], top_k)


SHORTEST, MOST_WORDS, MOST = 5, 40, 3
_SHORTEST_NAME, READ_FOR_CASE = 3, 8  # letters of a name; passages that are read to see whether it is one
# A word of n letters has 53 n others one slip away: a question of one word of 4,000 letters took 9 s of processor time.
_LONGEST = 40  # letters of a word that may be put right
_LONG_ACRONYM = 9  # letters: a word in capitals as long as this is shouted, no acronym
_SUFFIX = 1  # letters of an ending
_LEAST_CHANGED = 6  # letters of a small word in which one letter may be another: "booze" is not "Boone"
_HOLDERS = 20  # passages that are read to see how a term is written
_WORDS = 5  # one time in so many a word begins small that is no name
_FREQUENT = 3  # passages that hold a name which a small word may mean


class Searched(Protocol):
    """What is asked of a corpus: its terms, and the passages that hold them."""

    def term_count(self, term: str) -> int:
        """How many passages hold a term."""
        ...

    def known(self, terms: Iterable[str]) -> set[str]:
        """Those of some terms that passages hold."""
        ...

    def holding(self, term: str, most: int) -> Sequence[Passage]:
        """The first passages that hold a term."""
        ...

    def is_odd(self, term: str) -> bool:
        """Whether the term holds four letters in a row that at most one term of the corpus has."""
        ...

    def sample(self) -> Sequence[Passage]:
        """Passages to be read for names that an acronym may be short for."""
        ...


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of the question that no passage says, and the word of the corpus that it is likely to mean.

    `is_sure` says that the corpus only writes it in another way: an acronym in full, "-isation" for "-ization".
    `is_title` says that it names a document, by the title `meant`; passages may say the word itself.
    """

    word: str
    meant: str
    start: int
    end: int
    is_sure: bool = False
    is_title: bool = False

    @property
    def notice(self) -> str:
        """One line for the user; empty where only the case is another."""
        if self.word.casefold() == self.meant.casefold():
            return ""
        if self.is_title:
            return f"“{self.word}” is read as the document “{self.meant}”"
        if self.is_sure:
            return f"No passage says “{self.word}”; it is read as “{self.meant}”"
        return f"No passage says “{self.word}”; did you mean “{self.meant}”? That is searched for too"


def corrections(corpus: Searched, question: str) -> tuple[Correction, ...]:
    """The words of `question` to put right, in order; none in a text of more than forty words.

    At most three are other words; names that are only typed small are all put right.
    """
    read, result = spans(question), list[Correction]()
    if len(read) > MOST_WORDS:
        return ()
    for word in read:
        original = question[word.start : word.end]
        ahead = question[: word.start].split(",")[-1]
        behind = question[word.end :].strip(" ?!.").split(",")[0]
        if written := _written_otherwise(corpus, word.word, original, (ahead, behind)):
            result.append(Correction(original, written, word.start, word.end, is_sure=True))
        elif _may_be_wrong(corpus, word, original) and (meant := _nearest(corpus, word.word, original)):
            result.append(Correction(original, meant, word.start, word.end))
    slips = [each for each in result if each.is_sure or not _is_of_other_name(corpus, question, each, result)]
    kept = [*slips[:MOST], *_amounts_in_full(corpus, question), *_editions(corpus, question)]
    names = _names_in_small(corpus, question, read) if is_in_small(question) else ()
    put_right = {each.start for each in kept}
    kept += [name for name in names if name.start not in put_right]
    return tuple(sorted(kept, key=lambda each: each.start))


_BESIDE = re.compile(r"[A-Z][a-z]{2,30}(?= $)|(?<=^ )[A-Z][a-z]{2,30}")


def _is_of_other_name(corpus: Searched, question: str, found: Correction, every: Sequence[Correction]) -> bool:
    """Whether a word is part of a name of which the corpus knows no other word: no "Brin Moynihan"."""
    before, behind = question[: found.start], question[found.end :]
    beside = (_BESIDE.search(part) for part in (before[-32:], behind[:32])) if found.word[0].isupper() else ()
    others = {match[0]: stem(fold(match[0])) for match in beside if match and match[0] != before.strip()}
    unknown = {
        word for word, term in others.items() if term and not corpus.term_count(term)
    }  # "Did", "Compare" are none
    return bool(unknown - {each.word for each in every})


_I = re.compile(r"\bI\b")  # the only capital of those who write in small letters


def is_in_small(question: str) -> bool:
    """Whether a question has no capitals, "I" aside."""
    return _I.sub("i", question).islower()


_AMOUNT = re.compile(r"(?i)(?<![\w.,])(?P<number>\d[\d,]{0,15}(?:\.\d{1,4})?) ?(?P<scale>k|m|mn|mln|bn|b|tn)\b")
_SCALES = {
    "k": "thousand",
    "m": "million",
    "mn": "million",
    "mln": "million",
    "bn": "billion",
    "b": "billion",
    "tn": "trillion",
}
_MONEY_AHEAD = frozenset("$€£¥")


def _amounts_in_full(corpus: Searched, question: str) -> Iterator[Correction]:
    """Amounts of money whose scale is a letter, where no passage writes it so: "$348m" is 348 million."""
    for amount in _AMOUNT.finditer(question):
        written = [stem(word.word) for word in spans(amount.group())]
        ahead = question[amount.start() - 1 : amount.start()]
        is_money = ahead in _MONEY_AHEAD or len(amount["scale"]) > 1
        if is_money and not corpus.known(written[-1:]):
            meant = f"{amount['number']} {_SCALES[amount['scale'].lower()]}"
            yield Correction(amount.group(), meant, *amount.span(), is_sure=True)


# "GPLv3", "GPL version 3", "version 3 of the GPL", "Mozilla Public License 2.0".
_NO_NAME = "|".join(sorted(word.capitalize() for word in STOP_WORDS if word.isalpha()))
_NAME = rf"(?!(?:{_NO_NAME})\b)[A-Z][A-Za-z]{{1,30}}(?: [A-Z][A-Za-z]{{1,30}}){{0,4}}"
_NUMBER = r"\d{1,2}(?:\.\d{1,2}){0,2}"
_EDITION = re.compile(
    rf"\b(?P<name>{_NAME}?)(?:,? ?[Vv]ersion |,? ?v\.? ?|[ -])(?P<number>{_NUMBER})(?![\w.]*\d|\w)"
    rf"|\bversion (?P<of>{_NUMBER}) of (?:the )?(?P<what>{_NAME})"
)
_OF_A_NAME = 2_000  # passages that hold a name, whose titles are read


def _editions(corpus: Searched, question: str) -> Iterator[Correction]:
    """Numbered works by their titles: "GPLv3" and "version 3 of the GPL" are the document "GPL 3"."""
    for asked in _EDITION.finditer(question):
        name, number = _name_and_number(asked)
        may_be_first = name.split()[0], initials(name)
        firsts = {stem(word.lower()) for word in may_be_first if len(word) > 1}
        titles = {passage.title for first in firsts for passage in corpus.holding(first, _OF_A_NAME)}
        told = {title: _name_and_number(match) for title in titles if (match := _EDITION.fullmatch(title))}
        of_number = {title: its_name for title, (its_name, its_number) in told.items() if its_number == number}
        works = [title for title, its_name in of_number.items() if _may_name(name, its_name)]
        if len(works) == 1 and asked[0] not in works[0]:  # "Announcing Acme 2.1" says "Acme 2.1" itself
            yield Correction(asked[0], works[0], *asked.span(), is_sure=True, is_title=True)


def _name_and_number(match: re.Match[str]) -> tuple[str, str]:
    return match["name"] or match["what"], match["number"] or match["of"]


def _may_name(name: str, work: str) -> bool:
    """Whether a name may mean a work: its initials, or all the words of one are among those of the other."""
    one, other = set(name.lower().split()), set(work.lower().split())
    return one <= other or other <= one or initials(name) == work


# "multihop-rag" is one name, not "multihop" beside RAG.
_JOINED = re.compile(r"[^\W_]{1,30}(?:-[^\W_]{1,30}){1,3}")


def _names_in_small(corpus: Searched, question: str, read: Sequence[Word]) -> Iterator[Correction]:
    """The words of a question without capitals that the corpus writes as names only: "nvidia", "q3", "mayo clinic"."""
    results = {each.start: each for each in _names_of_two(corpus, question, read)}
    for word in read:
        name = _name_in_small(corpus, question, word)
        if name is not None:
            results.setdefault(name.start, name)
    yield from results.values()


def _name_in_small(corpus: Searched, question: str, word: Word) -> Correction | None:
    """A word as the corpus writes it, where it never writes it small; a joined name is put right once, at its end."""
    joined = (each.span() for each in _JOINED.finditer(question))
    start, end = next((each for each in joined if each[0] <= word.start < each[1]), (word.start, word.end))
    original = question[start:end]
    is_short = len(original) < _SHORTEST_NAME
    if end != word.end or (is_short and not any(map(str.isdigit, original))):
        return None
    is_joined = start != word.start
    written = _places_of(corpus, original, original.split("-") if is_joined else [word.word])
    forms = Counter(each.form for each in written)
    if not forms or original in forms:
        return None
    name = _as_a_name(forms)
    if is_joined and name[1:].islower():
        return None  # "Year-over-year" only opens a sentence
    is_sure = any(each.is_name for each in written)
    return Correction(original, name, start, end, is_sure=is_sure)


_WORD_BEFORE = re.compile(r"([^\W\d_][\w’'-]{0,30}),?[ -]$")
_WORD_BEHIND = re.compile(r",?[ -]([^\W\d_][\w’'-]{0,30})")
_OPENS = re.compile(r"(?:^|[.!?:;|•*>\n\"“”‘(\[\]][ \t]*|[-–—] +|\d[.)] +)$")
_BACK = 32  # letters


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a text writes something."""

    text: str
    start: int
    end: int

    @property
    def form(self) -> str:
        """How it is written there."""
        return self.text[self.start : self.end]

    @property
    def ahead(self) -> str:
        """What stands right before it."""
        return self.text[max(0, self.start - _BACK) : self.start]

    @property
    def around(self) -> list[str]:
        """The words right before and right behind it, at most two."""
        before = _WORD_BEFORE.search(self.ahead)
        behind = _WORD_BEHIND.match(self.text, self.end)
        return [word[1] for word in (before, behind) if word]

    @property
    def is_name(self) -> bool:
        """Whether a word with a capital stands inside of a sentence, by itself.

        "Alcohol is not paid" only opens with it, and "in New York" says nothing of "the new version".
        """
        is_part = any(word[0].isupper() for word in self.around)
        return not is_part and _OPENS.search(self.ahead) is None

    @property
    def is_in_text(self) -> bool:
        """Whether a small word stands next to it: in a heading each word may have a capital."""
        return any(map(str.islower, self.around))


def _places_of(corpus: Searched, original: str, parts: Iterable[str]) -> list[_Place]:
    """Where the first passages that hold the rarest of its parts write `original`, in any case."""
    terms = filter(None, map(stem, map(fold, parts)))
    term = min(terms, key=corpus.term_count, default="")
    small = re.escape(original)
    company = re.escape(original.capitalize())  # "Amazon.com" is a company
    form = re.compile(rf"(?i)(?<![\w./@-])(?:{small}(?![\w/@-]|\.\w)|(?-i:{company})(?=\.com\b))")
    held = corpus.holding(term, READ_FOR_CASE) if term else ()
    texts = (f"{passage.title}. {passage.text}" for passage in held)
    return [_Place(text, *match.span()) for text in texts for match in form.finditer(text)]


def _names_of_two(corpus: Searched, question: str, read: Sequence[Word]) -> Iterator[Correction]:
    """Pairs of words that each stand small too, but together only as a name: "mayo clinic", "little rock"."""
    for pair in itertools.pairwise(read):
        first, second = pair
        original = question[first.start : second.end]
        is_pair = question[first.end : second.start] == " "
        if not is_pair or not all(stem(word.word) for word in pair):
            continue
        written = _places_of(corpus, original, [word.word for word in pair])
        forms = Counter(each.form for each in written)
        if all(map(_has_capitals, forms)) and any(each.is_in_text for each in written):
            for word, name in zip(pair, _as_a_name(forms).split(), strict=True):
                yield Correction(name.lower(), name, word.start, word.end, is_sure=True)


def _has_capitals(name: str) -> bool:
    """Whether each of its words begins with one."""
    return all(word[0].isupper() for word in name.split())


def _as_a_name(written: Counter[str]) -> str:
    """The form written most, heads in capitals aside where there is another."""
    plain = Counter({form: count for form, count in written.items() if not form.isupper()})
    return (plain or written).most_common(1)[0][0]


_IZE = re.compile(r"(?<=[a-z]{3})(?:(?<=i)z|(?<=i)s)(?=(?:ations?|e[ds]?|ers?|ing)$)")


def _written_otherwise(corpus: Searched, word: str, original: str, beside: tuple[str, str]) -> str | None:
    """How the corpus writes a word that it never says: acronyms in full, "-isation" for "-ization", one for several."""
    ending = _IZE.search(word)
    if ending and original.islower():
        letter = "s" if ending.group() == "z" else "z"
        other = word[: ending.start()] + letter + word[ending.end() :]
        if _is_written(corpus, word) or not _is_written(corpus, other):
            return None
        return other
    if not stem(word) or corpus.term_count(stem(word)):
        return None
    one = original.removesuffix("s")
    is_of_a_form = len(one) == 1 and beside[0].endswith("-")  # "10-Qs" are several reports, and the question says so
    is_short_form = one.upper() == one and not is_of_a_form
    if one != original and is_short_form and corpus.term_count(stem(one.lower())):
        return one
    if apart := _written_apart(corpus, word):
        return apart
    if _NO_VOWEL.fullmatch(original):
        original = original.upper()
    return in_full(original, beside, corpus.sample())


_SHORTEST_PART = 3  # letters
_READ_FOR_A_PART = 500  # passages


def _written_apart(corpus: Searched, word: str) -> str | None:
    """The two words that passages write beside each other where a question joins them: "data sets" for "datasets"."""
    if len(word) > _LONGEST or not word.isalpha():
        return None
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        first, second = word[:at], word[at:]
        terms = tokens(f"{first} {second}")
        if terms and all(map(corpus.term_count, terms)):
            pair = re.compile(rf"(?i)\b{first}[ -]{second}")
            holding = corpus.holding(terms[0], _READ_FOR_A_PART)
            if any(pair.search(passage.text) for passage in holding):
                return f"{first} {second}"
    return None


_NO_VOWEL = re.compile(r"[b-df-hj-np-tv-xz]{3,5}")  # "ftc" is no word, but an acronym typed small


def _is_written(corpus: Searched, word: str) -> bool:
    """Whether a passage writes a word with the same beginning and the same spelling of its ending."""
    if word.endswith("ation"):
        begins = word[: -len("ation")]
    else:
        begins = word.rstrip("edrsing")
    return any(fold(written).startswith(begins) for written, _ in _written(corpus, stem(word)))


def corrected(question: str, corrections: Sequence[Correction]) -> str:
    """The question with its words put right."""
    for each in reversed(corrections):
        question = question[: each.start] + each.meant + question[each.end :]
    return question


def _may_be_wrong(corpus: Searched, word: Word, original: str) -> bool:
    """Whether a word is of letters alone, long enough, no acronym, unknown to the corpus, and odd unless a name."""
    term = stem(word.word)
    plain = word.word.isascii() and word.word.isalpha() and SHORTEST <= len(word.word) <= _LONGEST
    if not plain or not term or corpus.term_count(term):
        return False
    if original[0].isupper():
        return len(original) >= _LONG_ACRONYM or not original.isupper()
    return corpus.is_odd(term)


def _nearest(corpus: Searched, word: str, original: str) -> str | None:
    """The written form that one slip leads to: names first for a name, then the most frequent."""
    near = one_slip_away(word, changed=original[0].isupper() or len(word) >= _LEAST_CHANGED)
    terms = corpus.known(map(stem, near))
    ranked = [
        (original[0].isupper() and not written[0].isupper(), -count, written)
        for term in terms
        for written, count in _written(corpus, term)
        if near & {fold(written), fold(written).removesuffix("s")} and _is_slip(word, original, written, count)
    ]
    return min(ranked)[-1] if ranked else None


def one_slip_away(word: str, *, changed: bool = True) -> frozenset[str]:
    """The words that one slip after the first letter makes a word of; `changed` ones have another letter too."""
    near = set[str]()
    for n in range(1, len(word) + 1):
        head, tail = word[:n], word[n:]
        near.update(head + letter + tail for letter in ascii_lowercase)  # one letter more
        if tail:
            near.add(head + tail[1:])  # one less
        if len(tail) > 1:
            near.add(head + tail[1] + tail[0] + tail[2:])  # two in the wrong order
        if tail and changed:
            near.update(head + letter + tail[1:] for letter in ascii_lowercase)
    return frozenset(near - {word})


def _is_slip(word: str, original: str, written: str, count: int) -> bool:
    """Whether the two differ before their endings; a small word means a name only if that is a frequent one."""
    other = fold(written)
    if word.startswith(other) or other.startswith(word):
        return False
    if written[0].isupper():
        return original[0].isupper() or count >= _FREQUENT
    without_ending = word[: max(len(word) - _SUFFIX, 1)]
    return not original[0].isupper() and not other.startswith(without_ending)


def _written(corpus: Searched, term: str) -> list[tuple[str, int]]:
    """How the first passages that hold a term write each word of it, and how many passages hold the term."""
    forms = dict[str, Counter[str]]()
    for passage in corpus.holding(term, _HOLDERS):
        for text in (passage.title, passage.text):
            for word in spans(text):
                if stem(word.word) == term:
                    forms.setdefault(word.word, Counter())[text[word.start : word.end]] += 1
    count = corpus.term_count(term)
    return [(_usual(counts), count) for counts in forms.values()]


def _usual(counts: Counter[str]) -> str:
    """The form that is written most; of a word that one time in five begins small, the small one."""
    small = Counter({form: count for form, count in counts.items() if form[0].islower()})
    is_word = small.total() * _WORDS >= counts.total()
    return (small if is_word else counts).most_common(1)[0][0]


def is_odd(shared: Flags, term: str) -> bool:
    """Whether the term holds four letters in a row that at most one term of the corpus has."""
    return not shared[_grams([term])].all()


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
