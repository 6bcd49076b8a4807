"""Names in a text, found without a model: capitalised spans, acronyms, quoted names, numbers, dates and countries."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from adaq_core.text.tokens import STOP_WORDS, WORDS, fold, terms_of
from adaq_core.text.values import dates

NameKind = Literal["name", "acronym", "quoted", "date", "number", "title"]
# What everybody writes short; of these words the passages' own are meant.
EVERYDAY = {
    "AOCI": "accumulated other comprehensive income",
    "ASP": "average selling price",
    "AV": "autonomous vehicle|autonomous car|self-driving car|driverless car",
    "COGS": "cost of goods sold|cost of sales|cost of revenue",
    "EV": "electric vehicle|electric car",
    "Fed": "Federal Reserve",
    "FCF": "free cash flow",
    "FX": "foreign exchange|currency",
    "GPU": "graphics processor|graphics processing unit|graphics card",
    "HQ": "headquarters|head office",
    "IP": "intellectual property",
    "NOL": "net operating loss",
    "OCI": "other comprehensive income",
    "NCI": "non-controlling interest|noncontrolling interest",
    "PC": "computer|personal computer",
}

# Upper-case letters of every script that has them; letters without case (Chinese, Arabic, Thai) begin no name.
_UPPER = "".join(char for code in range(0xC0, 0x2C00) if (char := chr(code)).isupper())
_SMALL = r"[a-z]{1,2}(?=[A-Z][a-z]{2})"  # iRobot, eBay
_AND = r"[A-Z]{1,3}&[A-Z]{1,3}\b"  # AT&T, S&P
_SAINT = r"(?<=\b[SMF]t)\.(?= [A-Z])"  # St. Louis, Mt. Gox, Ft. Worth
CAPITALISED = rf"(?:{_AND}|(?:[A-Z{_UPPER}]|{_SMALL})(?:\w|[’'.-](?=\w))*(?:(?<=\b\w)\.|{_SAINT})?)"
_JOINER = r"(?:of|the|de|la|le|les|du|des|del|della|di|da|dos|van|von|der|den|ter|bin|ibn|al|el|y|&)"
_SPAN = re.compile(rf"\b{CAPITALISED}(?:[ -](?:{_JOINER}[ -]){{0,2}}{CAPITALISED}|[ -]\d+(?:\.\d+)*\b)*")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,120})[\"“”]|(?<!\w)['‘]([^'‘’]{2,120})['’](?!\w)")
_QUANTITY = re.compile(r"[$€£¥]?\b\d[\d,]*(?:\.\d+)?(?:\s?%|\s(?:percent|million|billion|trillion|thousand)\b)?")
_LEADING = STOP_WORDS | {
    "considering", "according", "based", "given", "am", "whenever", "wherever", "whoever", "whatever", "whether",
    "thereafter", "therefore", "hence", "every", "either", "neither", "unless", "although", "though", "since", "upon",
}  # fmt: skip
# Words that join others and are written large in a name: "IF Metall", "US Treasury".
_ALSO_LETTERS = frozenset(("IF", "IT", "US", "WHO"))
_WRITTEN_OUT = re.compile(r"[A-Z][a-z]{2}")
_MAY_I = re.compile(r"(?:May|Must|Shall|Might|Am) I\b")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in the text: `text == source[start:end]`."""

    text: str
    start: int
    end: int
    kind: NameKind = "name"


_OWNER_ENDS = re.compile(r"['’]s?$")


def not_owning(name: str) -> str:
    """A name without the ending of an owner: Apple, of "Apple's"."""
    return _OWNER_ENDS.sub("", name)


# A run looks for the names of one sentence for every aspect, and in every hop.
@lru_cache(maxsize=1 << 12)
def names(text: str) -> tuple[Name, ...]:
    """The names of `text`, in order, none inside another of its kind."""
    spans = [date.span for date in dates(text)]
    dated = [Name(text[start:end], start, end, "date") for start, end in spans]
    ends = {place: date.end for date in dated for place in range(date.start, date.end)}
    # A sentence in capitals, as licences warn, names nothing by them.
    shouts = text.isupper() and text.rstrip().endswith((".", ";", ":"))
    capitalised = () if shouts and text.count(" ") >= _SHOUTED else _capitalised(text, ends)
    known = {*_quoted(text), *dated, *capitalised}
    taken = _places(known)
    for match in _QUANTITY.finditer(text):
        if match.start() not in taken:
            known.add(Name(match.group(), *match.span(), "number"))
    return tuple(sorted(known, key=lambda name: (name.start, -name.end, name.kind)))


_SHOUTED = 10  # words


def terms_of_names(text: str) -> frozenset[str]:
    """The index terms of the names of `text`."""
    return terms_of(" ".join(name.text for name in names(text)))


def _places(among: Collection[Name]) -> set[int]:
    """The characters of `text` that lie in a name."""
    return {place for name in among for place in range(name.start, name.end)}


def _quoted(text: str) -> list[Name]:
    quoted = []
    for match in _QUOTED.finditer(text):
        inside = 1 if match.group(1) else 2  # one group for each kind of marks
        quoted.append(Name(match.group(inside), *match.span(inside), "quoted"))
    return quoted


_MADE = re.compile(r"-(?:made|built|based|owned|backed|led|style|wide|driven|powered|listed|designed|run)\b")


def _capitalised(text: str, ends: Mapping[int, int]) -> list[Name]:
    """The capitalised spans; of one that begins in a date, with its end in `ends`, what stands behind the date."""
    results: list[Name] = []
    for match in _SPAN.finditer(text):
        start, end = _trim(text, *match.span())
        if start in ends:
            start, end = _trim(text, ends[start], max(end, ends[start]))
        made = _MADE.search(text, start, end)
        if made:  # "US-made Blackwell" is Blackwell, made in the US
            results.append(_name(text, start, made.start()))
            start = min(made.end() + 1, end)
        is_title = text.startswith(".", end) and text[start:end] in _TITLES
        if end > start and not is_title:
            results.append(_name(text, start, end))
    return results


_TITLES = frozenset(["Dr", "Mr", "Mrs", "Ms", "Prof", "Gen", "Sen", "Rep", "Gov", "Capt", "Lt", "Col", "Sgt", "Rev"])


def _name(text: str, start: int, end: int) -> Name:
    span = text[start:end]
    is_acronym = len(span) > 1 and span.isupper() and span.isalpha()
    return Name(span, start, end, "acronym" if is_acronym else "name")


_LANDS = frozenset(("US", "UK", "EU"))
_NOUN_BEHIND = re.compile(r" [a-z]{3}")
_COUNTED = re.compile(r"(?i)\s?(?:thousand|million|billion|trillion|per\s?cent|%|dollars|euros|pounds)")


_PIECE = re.compile(r"\S+")
_INITIALS = re.compile(r"(?:\w\.)+")
_ENDS_NO_NAME = re.compile(r"(?:['’]s|['’]|(?<![.-])[.-]+)$")


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Drop question and stop words in front, possessive endings and full stops behind."""
    if asks := _MAY_I.match(text, start, end):
        start = asks.end()
    pieces = list(_PIECE.finditer(text[start:end]))
    while pieces and _leads(pieces[0].group()) and not _begins_name(pieces):
        pieces.pop(0)
    if not pieces:
        return start, start
    # "Tesla US plants" are plants of Tesla.
    if len(pieces) > 1 and pieces[-1][0] in _LANDS and _NOUN_BEHIND.match(text, end):
        end = start + pieces[-2].end()
    # "fined Apple 500 million euros" names Apple.
    if len(pieces) > 1 and pieces[-1][0][0].isdigit() and _COUNTED.match(text, end):
        end = start + pieces[-2].end()
    tail = text[start + pieces[0].start() : end]
    if not _INITIALS.fullmatch(tail):
        kept = _ENDS_NO_NAME.sub("", tail)
    else:
        kept = tail
    begin = start + pieces[0].start()
    return begin, begin + len(kept)


_SWALLOWED = re.compile(
    r"(?i:who|what|when|where|why|how|that|there|here|it|let|he|she|i|we|you|they)['’](?:s|d|m|re|ll|ve)"
)


def _leads(word: str) -> bool:
    """Whether a word in front of a name is none of it: "What's Apple's" names Apple."""
    return fold(word).strip("'’.") in _LEADING or _SWALLOWED.fullmatch(word) is not None


def _begins_name(pieces: list[re.Match[str]]) -> bool:
    """Whether a word that mostly joins others stands for itself in front of a name: "IF Metall", not "If Metall"."""
    if len(pieces) < 2 or pieces[0][0] not in _ALSO_LETTERS:
        return False
    return _WRITTEN_OUT.match(pieces[1][0]) is not None


def _read(file: str) -> dict[str, str]:
    """The names of a file of words, each with the first of its line: what is compared and said."""
    rows = [line.split(",") for line in (WORDS / file).read_text(encoding="utf-8").splitlines()]
    return {name: row[0] for row in rows for name in row}


# Countries with other names of them and adjectives; parts of one tell the country of a place, but nobody's nationality.
COUNTRY_OF = _read("countries.csv")
PART_OF = {name: country for name, country in _read("parts_of_countries.csv").items() if name not in COUNTRY_OF}
_ALL = COUNTRY_OF | PART_OF
_LONGEST_FIRST = sorted(_ALL, key=lambda name: (-len(name), name))


def _begun_with(letter: str) -> str:
    rest = "|".join(re.escape(name[1:]) for name in _LONGEST_FIRST if name[0] == letter)
    return rf"{letter}(?<![\w-]{letter})(?:{rest})(?!\w)"


# By the first letters, which are looked for at once: four hundred names at each border take ten times as long.
_PATTERN = re.compile("|".join(map(_begun_with, sorted({name[0] for name in _ALL}))))


UNIONS = re.compile(r"\b(?:Europe(?:an)?|EU|Asian?|African?|Latin America)\b")
_INSTITUTION = re.compile(
    r" (?=(?:Department|Ministry|Treasury|Justice|Supreme|Congress|Senate|Government|Court|Federal|Securities|Food|"
    r"Patent|Central|National|House|Army|Navy|Consumer|Environmental)\b"
    r"|(?:[A-Z][\w-]{0,20} ){1,3}(?:Act|Law|Directive|Regulation)\b)"
)


def without_country(name: str) -> str:
    """The name of an institution without its country in front: the "US Department of Justice" without "US"."""
    front = _INSTITUTION.search(name)
    if front:
        front_words = name[: front.start()].removeprefix("the ").removeprefix("The ")
    else:
        front_words = ""
    known = front_words in ("US", "U.S.", "UK", "U.K.", "EU") or front_words in COUNTRY_OF
    return name[front.end() :] if front and known else name


def countries_in(text: str) -> list[tuple[str, int, int]]:
    """The countries that `text` names, by noun, adjective or part, in order: (country, start, end)."""
    return [(_ALL[m.group()], m.start(), m.end()) for m in _PATTERN.finditer(text)]


def is_nationality(name: str) -> bool:
    """Whether a name only says of which country somebody or something is: "Brazilian", but not "Brazil"."""
    return name in COUNTRY_OF and name != COUNTRY_OF[name] and _ADJECTIVE.search(name) is not None


_ADJECTIVE = re.compile(r"(?:an|ish|ese|ch|ic|i|sh)$")
