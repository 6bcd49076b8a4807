"""The ways a document's subject is named: its title, shorter forms of it, and the name its first sentence gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, runtime_checkable

from adaq_core.model import Passage
from adaq_core.text.entities import EVERYDAY, names
from adaq_core.text.tokens import STOP_WORDS, initials, spans, words

_SAID = re.compile(r"((?:[A-Za-z][\w-]{0,40}[ -]){1,6}?[A-Za-z][\w-]{0,40})\s{1,4}\(([A-Z][A-Za-z]{0,20}[A-Z])s?\)")
# What every match of _SAID ends in: looked for first, for most passages have none and _SAID tries at every word.
_BRACKET = re.compile(r"\([A-Z][A-Za-z]{0,20}[A-Z]s?\)")
_ACRONYM = re.compile(r"^[A-Z][A-Za-z]*[A-Z]s?$|^[A-Z]{2,}s?$")
_SHORTEST = 2  # letters: initials of a title have more


def acronyms_of(passages: Iterable[Passage]) -> dict[str, str]:
    """Acronym → long form; what a text says in brackets goes before what a title's initials suggest."""
    bracketed: dict[str, str] = {}
    titled: dict[str, str] = {}
    for passage in passages:
        for match in _SAID.finditer(passage.text) if _BRACKET.search(passage.text) else ():
            long = _long_form(match.group(1), match.group(2))
            if long:
                bracketed.setdefault(match.group(2), long)
        short = initials(passage.title)
        if len(short) > _SHORTEST:
            titled.setdefault(short, passage.title)
    return titled | bracketed


def is_acronym(name: str) -> bool:
    """Whether the name is written as an acronym, plural ones too."""
    return _ACRONYM.match(name) is not None


def long_form(acronym: str, known: Mapping[str, str]) -> str | None:
    """What an acronym or its plural stands for, None when that is not known."""
    return known.get(acronym) or known.get(acronym.removesuffix("s"))


_JOINTS = {"O": "of", "A": "and", "F": "for", "T": "the"}
_BETWEEN = r"(?:[ -](?:of|and|for|the|on|in))*[ -]"
_LETTERS = range(3, 7)
_MOST_READ = 5_000  # passages
_BEHIND = 2  # words of the question that have to follow what two capitals stand for


def in_full(acronym: str, beside: tuple[str, str], passages: Sequence[Passage]) -> str | None:
    """Find what an acronym that no passage says is short for; `beside` is what the question says before and behind it.

    The passages that say a name of the question are read first; of a stored corpus only those with such initials.
    """
    if is_acronym(acronym) and len(acronym) in _LETTERS and acronym not in _TICKERS.keys() | EVERYDAY.keys():
        named = [name.text for name in names(" ".join(beside))]
        large, small = _capitals_with(acronym.upper()), _words_with(acronym.lower())
        full = spelled_out(acronym, _naming(named, large, passages))
        full = full or spelled_small(acronym, _naming(named, small, passages))
        if full := full or spelled_out(acronym, _matching(large, passages)):
            return full
    ahead = " ".join(beside[0].split()[-1:])
    behind = " ".join(beside[1].split()[:_BEHIND])
    return shortened(acronym, ahead, behind, passages)


def _naming(named: Sequence[str], phrase: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that say one of some names; those without a phrase that begins as `phrase` says may be left out."""
    read = _matching(phrase, passages, most=len(passages)) if named else ()
    said = ((passage, f"{passage.title} {passage.text}") for passage in read)
    return [passage for passage, text in said if any(name in text for name in named)]


def _matching(phrase: str, passages: Iterable[Passage], *, most: int = _MOST_READ) -> Iterable[Passage]:
    """The first `most` passages; of a stored corpus only those that hold this pattern of letters and blanks."""
    return _saying([""], passages, then=phrase.replace("à-ÿ", r"\x80-\xff"), most=most)


def spelled_out(acronym: str, passages: Iterable[Passage]) -> str | None:
    """Find the name whose initials are an acronym that no passage says (NTSB, DoJ); None without one.

    A small word inside may give a letter or not. Of several names the one said most.
    """
    letters = acronym.upper()
    if not is_acronym(acronym) or len(letters) not in _LETTERS or not letters.isalpha():
        return None
    # A pattern that begins with a letter is searched for ten times as fast as one that begins with a border.
    name = re.compile(rf"{letters[0]}(?<!\w{letters[0]}){_capitals_with(letters).removeprefix(letters[0])}\b")
    read = islice(passages, _MOST_READ)
    counts = Counter(match.group() for passage in read for match in name.finditer(passage.text))
    return min(counts, key=lambda text: (-counts[text], len(text), text), default=None)


def spelled_small(acronym: str, passages: Iterable[Passage]) -> str | None:
    """The phrase in small letters whose initials an acronym is, the one said most: net interest income for NII."""
    if not _is_capitals(acronym) or len(acronym) not in _LETTERS:
        return None
    return _most_said(rf"\b({_words_with(acronym.lower())})\b", [passage.text for passage in passages])


def _capitals_with(firsts: str) -> str:
    """The pattern of a name whose words begin with these capitals; a small word inside may give one, or none."""
    return _BETWEEN.join(_part(first, inside=0 < n < len(firsts) - 1) for n, first in enumerate(firsts))


def _is_capitals(text: str) -> bool:
    """Whether a text is of the capitals from A to Z alone."""
    return text.isascii() and text.isalpha() and text.isupper()


def _words_with(firsts: Iterable[str]) -> str:
    """The pattern of a phrase of words of three letters or more with these first letters."""
    return "[ -]".join(rf"{first}[a-z]{{2,}}" for first in firsts)


_CAPITALS = range(2, 7)
_PAIR = 2
# What a stock exchange calls a firm.
_TICKERS = {
    "AAPL": "Apple", "ABBV": "AbbVie", "ADBE": "Adobe", "AMD": "Advanced Micro Devices", "AMZN": "Amazon",
    "ASML": "ASML", "AVGO": "Broadcom", "AXP": "American Express", "AZN": "AstraZeneca", "BAC": "Bank of America",
    "BMY": "Bristol Myers Squibb|Bristol-Myers Squibb", "BRK": "Berkshire Hathaway", "CMCSA": "Comcast",
    "COP": "ConocoPhillips", "CRM": "Salesforce", "CSCO": "Cisco", "CVX": "Chevron", "GOOG": "Google|Alphabet",
    "GOOGL": "Google|Alphabet", "HON": "Honeywell", "INTC": "Intel", "JNJ": "Johnson & Johnson",
    "JPM": "JPMorgan Chase|JPMorgan",
    "LLY": "Eli Lilly", "LMT": "Lockheed Martin", "MRK": "Merck", "MSFT": "Microsoft", "NFLX": "Netflix", "NKE": "Nike",
    "NVDA": "NVIDIA|Nvidia", "NVO": "Novo Nordisk", "ORCL": "Oracle", "PFE": "Pfizer", "PLTR": "Palantir",
    "PYPL": "PayPal", "QCOM": "Qualcomm", "RTX": "RTX|Raytheon", "SBUX": "Starbucks", "TMUS": "T-Mobile",
    "TSLA": "Tesla",
    "TSM": "TSMC", "TXN": "Texas Instruments", "UNH": "UnitedHealth", "WFC": "Wells Fargo", "WMT": "Walmart",
    "XOM": "Exxon Mobil|ExxonMobil",
}  # fmt: skip
# A government by the name of the town in which it sits: "Brussels fined A", but nothing that stands "in Brussels".
_SEATS = {
    "Beijing": "China",
    "Brussels": "European Commission",
    "Moscow": "Russia",
    "Seoul": "South Korea",
    "Taipei": "Taiwan",
    "Tokyo": "Japan",
    "Delhi": "India",
}
_PLACES = frozenset(("in", "at", "of", "from", "to", "near", "around", "outside", "into", "for", "new"))
_LEAST_BEGUN = 4  # letters of a name that may be written in part


def _known(word: str, ahead: str) -> str:
    """What everybody reads for a word, as a pattern; empty for one that means nothing to everybody."""
    if word.capitalize() in _SEATS and ahead.lower() not in _PLACES:
        return _SEATS[word.capitalize()]
    is_ticker = word.isupper() or word.islower()
    return EVERYDAY.get(word) or (_TICKERS.get(word.upper(), "") if is_ticker else "")


def shortened(acronym: str, ahead: str, following: str, passages: Iterable[Passage]) -> str | None:
    """What capitals that the passages never write are short for: JPM for JPMorgan, RRF for reciprocal rank fusion.

    What everybody knows comes first; of another word, the compound name that begins with it (Aero, AeroSystems).
    A name that begins with them goes first, then the part of a title whose initials they are. Of two letters, which
    are the initials of much, the phrase beside which the words of the question stand there as well: "KV cache",
    "multi-hop QA".
    """
    if known := _known(acronym, ahead):
        return _most_said(rf"\b({known})s?\b", [p.text for p in _saying(known.split("|"), passages)])
    if acronym.endswith("s") and acronym[:-1].isupper():
        one = shortened(acronym[:-1], ahead, following, passages)
        return f"{one}s" if one else None
    if len(acronym) >= _LEAST_BEGUN and not _is_capitals(acronym):
        return _begun(acronym, passages)
    if not _is_capitals(acronym) or len(acronym) not in _CAPITALS:
        return None
    phrase = _words_with(f"[{letter}{letter.lower()}]" for letter in acronym)
    if len(acronym) == _PAIR:
        return _between(ahead, phrase, following, passages)
    begun = _most_said(rf"\b({acronym}[a-z]\w{{1,30}})", (p.text for p in _saying([acronym], passages, then="[a-z]")))
    return begun or _most_said(rf"\b({phrase})\b", (p.title for p in _matching(phrase, passages)))


def _between(ahead: str, phrase: str, following: str, passages: Iterable[Passage]) -> str | None:
    """The phrase of this pattern said most in front of the words that follow, or of the first; else behind `ahead`."""
    behind = None
    first = following.split(" ")[0]
    for text in dict.fromkeys((following, "" if first.lower() in STOP_WORDS else first)):
        if text and not behind:
            texts = (p.text for p in _saying([f" {text}"], passages))
            behind = _most_said(rf"\b({phrase})(?= {re.escape(text)}\b)", texts)
    if behind or not ahead or ahead.lower() in STOP_WORDS:
        return behind
    return _most_said(rf"\b{re.escape(ahead)} ({phrase})\b", (p.text for p in _saying([f"{ahead} "], passages)))


def _begun(name: str, passages: Iterable[Passage]) -> str | None:
    """The compound name of which a question writes the first part: Aero for AeroSystems, but Snap not for Snapchat."""
    if not (name[0].isupper() or name[0].isdigit()) or name.isdigit():
        return None
    texts = (p.text for p in _saying([name], passages, then="[A-Z]"))
    return _most_said(rf"\b({re.escape(name)}[A-Z]\w{{1,30}})", texts)


@runtime_checkable
class _Stored(Protocol):
    """Passages in a file, where those that say something are found without reading the others."""

    def saying(self, parts: Iterable[str], most: int, *, then: str = "") -> Iterable[Passage]: ...


def _saying(
    parts: Sequence[str], passages: Iterable[Passage], *, then: str = "", most: int = _MOST_READ
) -> Iterable[Passage]:
    """The passages to be read for what holds one of some parts, and `then` behind it: of a stored corpus only those.

    A record holds plain characters as they stand, but for marks of quotation and backslashes.
    """
    if isinstance(passages, _Stored) and all(_PLAIN.fullmatch(part) for part in parts):
        return passages.saying(parts, most, then=then)
    return islice(passages, most)


_PLAIN = re.compile(r"[ !#-\[\]-~]*")


def _most_said(pattern: str, texts: Iterable[str]) -> str | None:
    """The group of the matches that is said most, without small words inside; None where nothing matches."""
    form = re.compile(pattern)
    counts = Counter(match[1] for text in texts for match in form.finditer(text))
    plain = [
        (text, times) for text, times in counts.most_common() if STOP_WORDS.isdisjoint(re.split("[ -]", text.lower()))
    ]
    return plain[0][0] if plain else None


def _part(letter: str, *, inside: bool) -> str:
    """A word that begins with a capital, or a small one that gives its letter inside a name."""
    word = f"{letter}[a-zà-ÿ]{{2,}}"
    return f"(?:{word}|{_JOINTS[letter]})" if inside and letter in _JOINTS else word


def _long_form(words: str, acronym: str) -> str | None:
    """The last words whose initials spell the acronym."""
    parts = re.findall(r"[A-Za-z]+", words)
    letters = acronym.upper()
    tail = parts[-len(letters) :]
    if "".join(p[0] for p in tail).upper() == letters and len(tail) == len(letters):
        return " ".join(tail)
    return None


MAIN, DERIVED, LOOSE = 1.0, 0.7, 0.5
_MAX_SHARED = 2  # documents that one short form may stand for
_PARENTHESIS = re.compile(r"(?<!\s)\s*\(([^()]*)\)\s*$")
# "PEP 484: Type Hints", "RFC 004 - Hiring at scale": one of a series by its number.
_NUMBERED = re.compile(r"([^\W\d_][\w-]{0,30} \d{1,6})(?:: | [-–—] )")
_LEAD = re.compile(r"^[^()]{2,80}?(?=\s*\(|\s+(?:is|was|are|were)\b|,)")
_PERSON = re.compile(
    r"\b(?:born|died|c\.|fl\.|reigned)\b|\b\d{3,4}\s*[–-]\s*(?:\d{2,4}\b|\)|\w+ \d|c\.)|\b\d{1,2} \w+ \d{4}\b"
)
_NUMERAL = re.compile(r"(?:i{1,3}|iv|vi{0,3}|ix|xi{0,3}|xi?v|xv|jr|sr|\d{1,4}(?:th|st|nd|rd))")
_TITLES = """
king queen prince princess emperor empress sultan sir dame lord lady saint st pope dr president general duke count
countess baron earl tsar min rev captain colonel major admiral bishop mr mrs ms
"""
HONORIFICS = frozenset(_TITLES.split())


@dataclass(slots=True)
class NameForms:
    """Names in key form (lower-case words joined by blanks) → the documents they name, with how sure that is."""

    targets: dict[str, dict[int, float]] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    persons: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def add(self, key: str, document: int, weight: float) -> None:
        """Note that `key` names `document`; the surest weight stays."""
        if usable(key):
            documents = self.targets.setdefault(key, {})
            documents[document] = max(weight, documents.get(document, 0.0))


def usable(key: str) -> bool:
    """Whether a key can stand for something: not a lone letter, a lone number or a stop word."""
    return len(key) > 1 and key not in STOP_WORDS and not key.isdigit()


def key_of(name: str) -> str:
    """A name in key form."""
    return " ".join(words(name))


def learn(firsts: Iterable[tuple[int, Passage]]) -> NameForms:
    """The names of all documents, from their titles and first passages."""
    forms = NameForms()
    late: list[tuple[str, int]] = []
    for document, passage in firsts:
        late += _note(forms, document, passage)
    _add_unambiguous(forms, late)
    return forms


def _note(forms: NameForms, document: int, passage: Passage) -> list[tuple[str, int]]:
    """Add the sure names of a document; return the forms that count only where they are nearly unique."""
    title = passage.title
    bare = _PARENTHESIS.sub("", title)
    lead = passage.text[:200]
    named = _LEAD.match(lead)
    for name in dict.fromkeys((title, bare)):
        forms.add(key_of(name), document, MAIN)
    if _is_sentence_case(bare):
        forms.plain.add(key_of(bare))
    first, comma, _ = bare.partition(",")
    late = [key_of(first)] if comma else []
    numbered = _NUMBERED.match(bare)
    if numbered:
        late.append(key_of(numbered[1]))
    if named is not None and named.group()[:1].isupper():
        result = words(named.group())
    else:
        result = []
    if len(result) in range(2, 8) and set(result) & set(words(title)):
        late.append(" ".join(result).removeprefix("the "))
    if _PERSON.search(lead[:160]):
        late += _person_forms(forms, document, words(bare))
    return [(key, document) for key in late]


def _is_sentence_case(title: str) -> bool:
    pieces = title.split()
    return len(pieces) > 1 and all(piece[:1].islower() for piece in pieces[1:])


def _person_forms(forms: NameForms, document: int, name: list[str]) -> Iterator[str]:
    forms.persons[document] = tuple(name)
    if len(name) >= 3:
        yield f"{name[0]} {name[-1]}"
    if len(name) >= 3 and _NUMERAL.fullmatch(name[-1]):
        yield " ".join(name[:-1])


def _add_unambiguous(forms: NameForms, late: list[tuple[str, int]]) -> None:
    results: dict[str, set[int]] = {}
    for key, document in late:
        results.setdefault(key, set()).add(document)
    for key in sorted(results):
        if key.split(" ")[0] not in STOP_WORDS and len(results[key]) <= _MAX_SHARED and key not in forms.targets:
            for document in sorted(results[key]):
                forms.add(key, document, DERIVED)


class PersonFinder:
    """Finds the person that a differently written name means: initials, nicknames, honorifics, missing parts."""

    def __init__(self, persons: dict[int, tuple[str, ...]]) -> None:
        self._by_word: dict[str, list[int]] = {}
        self._names: dict[int, tuple[str, ...]] = {}
        for document, written in persons.items():
            name = tuple(word for word in written if word not in HONORIFICS)
            self._names[document] = name
            ends = {*name[:1], *name[-1:]}
            for word in ends:
                self._by_word.setdefault(word, []).append(document)

    def find(self, key: str) -> int | None:
        """The only person whose name is compatible with `key`; None when there is none or several."""
        name = tuple(word for word in key.split() if word not in HONORIFICS)
        if not name or len(name) > 5 or (len(name) == 1 and len(name[0]) < 4):
            return None
        titled = key != " ".join(name)
        first, last = self._by_word.get(name[0], ()), self._by_word.get(name[-1], ())
        near = {*first, *last}
        fits = [document for document in near if _fits(name, self._names[document], titled=titled)]
        return fits[0] if len(fits) == 1 else None


def _fits(name: tuple[str, ...], other: tuple[str, ...], *, titled: bool) -> bool:
    """Whether two names without titles may be of one person; `titled`: the first had one."""
    first, last = name[0], name[-1]
    if len(name) == 1 or len(other) == 1:
        return titled and first == other[0] and _is_regnal(other)
    if last != other[-1] or _NUMERAL.fullmatch(last) or first[:1].isdigit():
        return False
    if first == other[0]:
        return True
    return _same_first(first, other[0]) and _rest(name) == _rest(other)


def _is_regnal(name: tuple[str, ...]) -> bool:
    """Whether a name is one word, or goes on as those of rulers do (Henry VIII, Eleanor of Aquitaine)."""
    if len(name) == 1 or name[1] == "of":
        return True
    return _NUMERAL.fullmatch(name[1]) is not None


def _rest(name: tuple[str, ...]) -> list[str]:
    return [word for word in name[1:] if len(word) > 1]


def _same_first(one: str, other: str) -> bool:
    """Equal, an initial of it, or a short form that shares its first two letters (Joe, Joseph)."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return long.startswith(short)
    return len(short) <= 4 and long[:2] == short[:2]


def capitalised(text: str) -> list[tuple[str, int, int, bool]]:
    """The words of `text` with their places and whether each begins with a capital letter or is a number."""
    results = []
    for word, start, end in spans(text):
        is_large = text[start].isupper() or word[:1].isdigit()
        results.append((word, start, end, is_large))
    return results
