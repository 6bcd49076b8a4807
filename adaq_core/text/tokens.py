"""Text to tokens and terms: the one segmentation that search, mentions and features share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from adaq_core.model import QueryAspect
from adaq_core.text.passages import sentences

WORDS = Path(__file__).with_name("words")  # a folder of lists
_STOP = """
a about after all also an and any are as at be because been before being between both but by can could did do
does doing during each for from had has have having he her here hers him his how i if in into is it its itself just
me more most my no nor not of off on once only or other our out over own s same she should so some such t than that
the their them then there these they this those through to too under until up very was we were what when where
which while who whom whose why will with would you your
"""
STOP_WORDS = frozenset(_STOP.split())

# Scripts without spaces between words: kana, Han, Hangul, Thai, Lao, Myanmar, Khmer, Tibetan.
_CJK = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u103f\u1780-\u17d3\u0f40-\u0fbc"
)
# Vowel signs and points that belong to the word before them (Devanagari, Arabic, Hebrew …): no letters to `\w`.
_SIGNS = "".join(char for code in range(0x0591, 0x1C00) if unicodedata.category(char := chr(code)) in ("Mn", "Mc"))
# Plain letters and digits, numbers and short forms with their points, a script without spaces, any other letters. What
# a word may begin with is looked for first: alternatives at every character take twice the time.
_WORD = re.compile(
    rf"[\w{_CJK}](?:(?<=[A-Za-z0-9])[A-Za-z0-9]*+(?![.,\w{_SIGNS}])|(?<=\d)\d*(?:[.,]\d+)+|(?<=[^\W\d_])\.(?:[^\W\d_]\.)+"
    rf"|(?<=[{_CJK}])[{_CJK}]*|(?<!_)[^\W_{_CJK}]*(?:[{_SIGNS}]+[^\W_{_CJK}]*)*)"
)
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_POSSESSIVE = re.compile(r"(?i)['’]s\b")
_MARKS = re.compile("[\u0300-\u036f\u02bb\u02bc\u02be\u02bf\u00ad]")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "’": "'"}
)


class Word(NamedTuple):
    """A folded word and the characters it came from: `text[start:end]`."""

    word: str
    start: int
    end: int


def fold(text: str) -> str:
    """Lower case without accents, apostrophes as typed: Straße → strasse, Kaʻumualiʻi → kaumualii, O’Hara → o'hara."""
    if text.isascii():
        return text.lower()
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower()
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


@lru_cache(maxsize=1 << 18)
def _folded(raw: str) -> str:
    word = fold(raw)
    if word[:1].isdigit():
        return word.replace(",", "")
    return word.replace(".", "")


# A question is read from several sides.
@lru_cache(maxsize=1 << 6)
def spans(text: str) -> tuple[Word, ...]:
    """The folded words of `text` with their places; possessive endings dropped, scripts without spaces as bigrams."""
    results: list[Word] = []
    is_plain = text.isascii()
    for match in _WORD.finditer(_blank_possessives(text)):
        raw, start = match.group(), match.start()
        if not is_plain and _CJK_RUN.match(raw) is not None:
            results.extend(_bigrams(raw, start))
        elif word := _folded(raw):
            results.append(Word(word, start, match.end()))
    return tuple(results)


def _blank_possessives(text: str) -> str:
    if "'" not in text and "’" not in text:
        return text
    return _POSSESSIVE.sub("  ", text)


def _bigrams(run: str, start: int) -> list[Word]:
    if len(run) == 1:
        return [Word(run, start, start + 1)]
    starts = range(len(run) - 1)
    return [Word(run[at : at + 2], start + at, start + at + 2) for at in starts]


def words(text: str) -> list[str]:
    """Unstemmed lower-case words in order, stop words kept."""
    if not text.isascii() and _CJK_RUN.search(text):
        return [word.word for word in spans(text)]
    return list(filter(None, map(_folded, _written(_blank_possessives(text)))))


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english", 0)


_WITH_L = """
travel cancel label model fuel signal level channel counsel dial tunnel total equal rival marvel jewel quarrel enrol
fulfil instal distil shovel panel funnel unravel swivel
"""
_WITH_OR = """
behavi col lab hon fav neighb harb rum tum vap hum flav arm endeav parl sav vig rig od cand splend misdemean
"""
# English spells some words in two ways: what is written so, as what, and two such words that are one to a reader. What
# is changed without need is changed wherever it stands.
SPELLINGS: tuple[tuple[str, str, str, str], ...] = (
    (r"(?<=[a-z]{3})iz(?=(?:e|ed|er|ers|es|ing|ings|ation|ations)$)", "is", "organisation", "organization"),
    (r"(?<=l)yz(?=(?:e|ed|er|ers|es|ing)$)", "ys", "analysed", "analyzed"),
    (rf"^((?:dis|un|mis)?(?:{'|'.join(_WITH_OR.split())}))our", r"\1or", "favourable", "favorable"),
    (r"^((?:kilo|centi|milli)?met|cent|theat|lit|fib|calib|lust|somb|spect)re(?=[ds]?$)", r"\1er", "centre", "center"),
    (r"^(def|off|lic|pret)ence", r"\1ense", "licence", "license"),
    (r"^practis(?=e|i)", "practic", "practised", "practiced"),
    (rf"^({'|'.join(_WITH_L.split())})l(?=ed|ing|er|or|ation|ment|ery|s?$)", r"\1", "labelled", "labeled"),
    (r"^programme(?=s?$)", "program", "programmes", "programs"),
    (r"^(catal|dial|anal|monol|epil)ogue", r"\1og", "catalogue", "catalog"),
    (r"^(orthop|p|an|leuk|gyn|h)ae(?=[dcm])", r"\1e", "paediatric", "pediatric"),
    (r"^(judg|acknowledg)ement", r"\1ment", "judgement", "judgment"),
    (r"^grey", "gray", "grey", "gray"),
    (r"^sceptic", "skeptic", "sceptical", "skeptical"),
    (r"^aluminium$", "aluminum", "aluminium", "aluminum"),
    (r"^ageing$", "aging", "ageing", "aging"),
    (r"^artefact", "artifact", "artefacts", "artifacts"),
)
_SPELLINGS = tuple((re.compile(british), american) for british, american, *_ in SPELLINGS)
_MAY_BE_SPELLED_ANEW = re.compile("|".join(f"(?:{british})" for british, *_ in SPELLINGS))


# The stemmer makes one term of words that have little to do with each other: "several" and "severance", "author" and
# "authority", "important" and "imports". Each line is a term of its own, called by its first word; what is not listed
# keeps its stem. Picked by reading the words of one stem that MiniLM finds least alike, and by what is known of the
# stemmer.
_APART = (WORDS / "own_terms.txt").read_text(encoding="utf-8").splitlines()
_OWN_TERMS = {word: line.split()[0] for line in _APART for word in line.split()}


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """The index term of a folded word, in one spelling of English; empty for a stop word."""
    if word in STOP_WORDS:
        return ""
    spelled = _in_one_spelling(word)
    return _OWN_TERMS.get(spelled) or str(_stemmer().stemWord(spelled))


def _in_one_spelling(word: str) -> str:
    if _MAY_BE_SPELLED_ANEW.search(word) is None:  # all of them at once: a sixth of the time that one by one takes
        return word
    for written, as_what in _SPELLINGS:
        word = written.sub(as_what, word)
    return word


def tokens(text: str) -> list[str]:
    """Index terms of `text` in order: folded, stemmed (Snowball English), stop words dropped; 3.14 stays whole."""
    if not text.isascii() and _CJK_RUN.search(text):
        return [term for word in spans(text) if (term := stem(word.word))]
    return list(filter(None, map(_TERM, _written(_blank_possessives(text)))))


# A number or a short form goes on behind its point or comma: 3.14, 50,000, U.S.
_GOES_ON = re.compile(r"[.,](?=[A-Za-z0-9])")
_ONLY_WORDS = bytes(code if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)


def _written(text: str) -> list[str]:
    """The words of a text as they stand; between plain letters and digits all else parts them, and is found sooner."""
    if text.isascii() and _GOES_ON.search(text) is None:
        return text.encode().translate(_ONLY_WORDS).decode().split()
    return _WORD.findall(text)


@lru_cache(maxsize=1 << 11)
def small_terms(text: str) -> frozenset[str]:
    """The index terms of the words that `text` writes with a small first letter."""
    if not text.isascii():
        return frozenset(stem(word.word) for word in spans(text) if text[word.start].islower()) - {""}
    return frozenset(_TERM(raw) for raw in _WORD.findall(_blank_possessives(text)) if raw[0].islower()) - {""}


_MOST_TERMS = 1 << 18


class Terms(dict[str, str]):
    """The index terms of words as they are written, empty for a stop word; emptied when it holds 262,144.

    A text is read with a dictionary in four fifths of the time that it takes with `lru_cache`.
    """

    def __missing__(self, raw: str) -> str:
        """Stem a word that was not read before."""
        if len(self) >= _MOST_TERMS:
            self.clear()
        term = self[raw] = stem(_folded(raw))
        return term


_TERM = Terms().__getitem__


def initials(title: str) -> str:
    """The first letters of the words of `title` but stop words, as capitals: LSTM of “Long short-term memory”."""
    return "".join(word[0] for word in re.findall(r"[A-Za-z]+", title) if word.lower() not in STOP_WORDS).upper()


def upper_first(text: str) -> str:
    """Return `text` with a capital at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"


Weigh = Callable[[str], float]


class Sentence(NamedTuple):
    """A sentence of a passage: its range, and the index terms in it."""

    start: int
    end: int
    terms: frozenset[str]


@lru_cache(maxsize=1 << 14)
def read_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a passage with their index terms."""
    return tuple(Sentence(start, end, frozenset(tokens(text[start:end]))) for start, end in sentences(text))


@lru_cache(maxsize=1 << 14)
def terms_of(text: str) -> frozenset[str]:
    """The index terms of `text`."""
    return frozenset(tokens(text))


def share(wanted: Iterable[str], there: frozenset[str], weigh: Weigh) -> float:
    """Share of the weight of `wanted` that is in `there`; 1.0 when nothing is wanted."""
    total = result = 0.0
    for term in set(wanted):
        weight = weigh(term)
        total += weight
        result += weight if term in there else 0.0
    return result / total if total else 1.0


def items_of(aspect: QueryAspect) -> list[frozenset[str]]:
    """The index terms of each thing that a comparison is about."""
    things = re.split(r",|\sand\s", aspect.subject)
    return [terms for thing in things if (terms := terms_of(thing.split(" of ")[-1]))]


def uniform(_: str) -> float:
    """Every term weighs the same: what is known of rarity without a corpus."""
    return 1.0


_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def visible(text: str) -> str:
    """Return the text without control characters and without marks that turn the reading direction."""
    return _INVISIBLE.sub("", text)


def short(text: str, length: int = 80) -> str:
    """Return the text on one line, cut at a word to at most `length` characters, with an ellipsis; not escaped."""
    line = " ".join(visible(text).split())
    if len(line) <= length:
        return line
    return line[: length - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
