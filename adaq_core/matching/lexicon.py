"""Words that say the same or the opposite, as data, and attributes that texts state in fixed forms."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from adaq_core.model import AspectType, Passage, QueryAspect
from adaq_core.question.answer_kinds import LanguagePattern, first_kind
from adaq_core.question.aspect_patterns import HISTORY
from adaq_core.text.entities import PART_OF, countries_in
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, Sentence, initials, read_sentences, spans, stem, terms_of, tokens, words
from adaq_core.text.values import MONTHS, Date, dates

CUES: dict[AspectType, frozenset[str]] = {
    "process": terms_of(
        "work step first then next finally process mechanism computes multiplies produces transforms passes "
        "updates learns trained combines weighted sum divides compares scores selects reads writes repeats input "
        "output layer matches decides"
    ),
    "causal": terms_of(
        "because since therefore reason cause leads allows lets enables so important result consequence matters "
        "makes helps reasons importance"
    ),
    "evaluation": terms_of(
        "advantage disadvantage strength weakness limitation benefit cost costs expensive cheap drawback however "
        "problem slow fast fails struggle suffers weak strong good poor better worse memory quadratic efficient "
        "robust lacks misses limits limited trade"
    ),
    "application": terms_of(
        "used use uses application example such apply applied translation search classification powers serves"
    ),
    "comparison": terms_of(
        "differ difference whereas while unlike than compared contrast both instead other same similar however "
        "more less faster slower one many several each replace"
    ),
}
PLAIN = terms_of(
    "disadvantage drawback weakness limitation advantage benefit strength important importance because applications"
)
# Verbs that people put for many others, and that a sentence which answers often says otherwise.
LIGHT_VERBS = terms_of(
    "take took taken make made go goes went gone come came work works sit put use give gave stand stood stay stayed"
    " have had"
)
_ORIGIN_CUES = terms_of("introduced proposed invented history origin published appeared paper")
_DRAWBACKS = tokens(
    "disadvantage drawback weakness limitation however problem cost costs expensive slow fails struggle suffers weak "
    "shortcoming difficulty danger risk pitfall flaw poor worse quadratic lacks misses limits limited weaker slower"
)
_MERITS = tokens(
    "advantage benefit strength strong good better fast cheap efficient robust allows helps improves faster simpler "
    "cheaper easier accurate"
)
_OPPOSED = (
    (
        terms_of(
            "disadvantage drawback weakness limitation limit con cons downside shortcoming difficulty danger risk "
            "challenge threat pitfall flaw hazard weak vulnerability headwind"
        ),
        frozenset(_DRAWBACKS),
    ),
    (terms_of("advantage benefit strength pro pros merit upside"), frozenset(_MERITS)),
)


def cues_of(aspect: QueryAspect) -> frozenset[str]:
    """The index terms by which a sentence shows that it says of the subject what the aspect asks."""
    if aspect.aspect == HISTORY:
        return _ORIGIN_CUES
    asked = terms_of(" ".join(aspect.keywords))
    for side, cues in _OPPOSED:
        if aspect.aspect_type == "evaluation" and asked & side:
            return cues
    return CUES.get(aspect.aspect_type, frozenset()) | (asked - terms_of(aspect.subject))


def side_asked(aspect: QueryAspect) -> int:
    """1 where the merits of a thing are asked for, or why it matters; -1 where its drawbacks are; else 0."""
    asked = terms_of(" ".join(aspect.keywords))
    against, for_it = (not asked.isdisjoint(side) for side, _ in _OPPOSED)
    if aspect.aspect_type not in ("evaluation", "causal") or (against and for_it):
        return 0
    return -1 if against else 1 if for_it or aspect.aspect.startswith("Importance of ") else 0


def side_told(terms: frozenset[str]) -> int:
    """1 where a sentence tells more merits than drawbacks, -1 where more drawbacks, 0 where it does not show."""
    against, for_it = (len(terms & cues) for _, cues in _OPPOSED)
    return (for_it > against) - (against > for_it)


PATH = Path(__file__).with_name("lexicon.json")

Phrase = frozenset[str]


@cache
def _data() -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return data


@cache
def _senses() -> Mapping[str, frozenset[Phrase]]:
    """Each single index term with the phrases of every line that it stands in, and what answers it."""
    alike: dict[str, set[Phrase]] = {}
    lines = [(line, line) for line in _data()["senses"]]
    for asked, answering in (*lines, *_data()["answers"]):
        phrases = {frozenset(tokens(text)) for text in answering} - {frozenset()}
        for term in {min(phrase) for text in asked if len(phrase := frozenset(tokens(text))) == 1}:
            alike.setdefault(term, set()).update(phrases)
    return {term: frozenset(phrases) for term, phrases in alike.items()}


@cache
def _forms() -> Mapping[str, frozenset[str]]:
    """The terms of a verb's forms by each of them."""
    lines = [frozenset(term for text in line for term in tokens(text)) for line in _data()["forms"]]
    return {term: line for line in lines for term in line}


def forms_of(term: str) -> frozenset[str]:
    """The terms of the forms of one verb, the term itself among them: "left" is a form of "leave"."""
    return _forms().get(term, frozenset((term,)))


@lru_cache(maxsize=4_096)
def apart(asked: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words that are near a word of `asked` and mean something else, and the words that mean the same.

    The governance of a firm is not told by what a government does.
    """
    written = set(words(asked))
    for same, other in _data()["apart"]:
        if written.intersection(same):
            return frozenset(other), frozenset(same)
    return frozenset(), frozenset()


@cache
def _turns() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern of the turns of speech, the longest first, and the word for each."""
    plain = {turn: word for turns, word in _data()["turns"] for turn in turns}
    longest = sorted(plain, key=lambda turn: (-len(turn), turn))
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, longest))})\b"), plain


def in_plain_words(wording: str) -> str:
    """What is asked with one word for each turn of speech: "pay" for "shell out"."""
    pattern, plain = _turns()
    if not may_take_turns(wording):
        return wording
    return pattern.sub(lambda turn: plain[turn[0].lower()], wording)


@cache
def _turns_by_word() -> Mapping[str, tuple[str, ...]]:
    """The turns of speech by the longest word of each: hundreds of them are not looked for one by one."""
    results: dict[str, list[str]] = {}
    for turn in _turns()[1]:
        results.setdefault(max(_WORDS.findall(turn), key=len), []).append(turn)
    return {word: tuple(turns) for word, turns in results.items()}


_WORDS = re.compile(r"\w+")


@lru_cache(maxsize=1 << 11)
def may_take_turns(text: str) -> bool:
    """Whether a text holds the letters of a turn of speech, and its longest word as a whole."""
    by_word = _turns_by_word()
    return any(_may_hold(text, by_word[word]) for word in by_word.keys() & set(_WORDS.findall(text.casefold())))


# Nearly every sentence has none, and is read for every aspect.
@lru_cache(maxsize=1 << 13)
def said_by_turns(text: str) -> frozenset[str]:
    """The index terms of the plain words for the turns of speech in `text`: "acquire" where A took over B."""
    pattern, plain = _turns()
    if not may_take_turns(text):
        return frozenset()
    return frozenset(term for turn in pattern.finditer(text) for term in tokens(plain[turn[0].lower()]))


@cache
def _compounds() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, _data()['compounds']))})\b")


def within_compounds(text: str, compounds: Sequence[str], *, asked: str) -> frozenset[str]:
    """The terms that `text` says only as part of one of its compounds which `asked` does not say.

    They are the first word of a compound, and the last one of a name.

    Lower profit margins do not say whether there is a profit, nor the European Union which union there is.
    """
    others = [each for each in compounds if not _asks_for(each, asked)]
    if not others:
        return frozenset()
    other = terms_of(" ".join(each.split()[-1 if each[0].isupper() else 0] for each in others))
    return other - terms_of(_compounds().sub(" ", text))


def _asks_for(compound: str, asked: str) -> bool:
    """Whether `asked` says a compound, or a word of the same sense: layoffs are job cuts."""
    whole = terms_of(compound)
    if compound.lower().rstrip("s") in asked.lower() or whole <= terms_of(asked):
        return True
    return len(whole) > 1 and any(whole in same_sense(term) for term in terms_of(asked))


def compounds_in(text: str) -> tuple[str, ...]:
    """The compounds of the lexicon in `text`, as they are written."""
    if not _may_hold(text, _plain_compounds()):
        return ()
    return tuple(match[0] for match in _compounds().finditer(text))


def _may_hold(text: str, expressions: Iterable[str]) -> bool:
    """Whether a text holds one of some expressions in small letters, whatever its own; quicker than their pattern."""
    return any(map(text.casefold().__contains__, expressions))


@cache
def _plain_compounds() -> tuple[str, ...]:
    return tuple(compound.casefold() for compound in _data()["compounds"])


@cache
def phrases() -> Mapping[str, tuple[tuple[tuple[str, ...], frozenset[Phrase]], ...]]:
    """The phrases of more than one term by their first: the terms in order, and what says the same as all of them."""
    known: dict[str, dict[tuple[str, ...], set[Phrase]]] = {}
    for line in _data()["senses"]:
        senses = [tuple(tokens(text)) for text in line]
        alike = {frozenset(terms) for terms in senses if terms}
        for terms in senses:
            if len(terms) > 1:
                known.setdefault(terms[0], {}).setdefault(terms, set()).update(alike)
    results = {}
    for first, of_first in known.items():
        longest_first = sorted(of_first, key=len, reverse=True)
        results[first] = tuple((terms, frozenset(of_first[terms])) for terms in longest_first)
    return results


@lru_cache(maxsize=3)
def _opposed(key: str) -> Mapping[str, frozenset[str]]:
    """The terms that stand over against each term in the pairs under a key; those of 'against' one way only."""
    results: dict[str, set[str]] = {}
    pairs: list[list[list[str]]] = _data()[key]
    turned = [] if key == "against" else [sides[::-1] for sides in pairs]
    for own, other in (*pairs, *turned):
        terms = terms_of(" ".join(other))
        for term in terms_of(" ".join(own)):
            results.setdefault(term, set()).update(terms)
    return {term: frozenset(others) for term, others in results.items()}


@lru_cache(maxsize=1 << 16)
def same_sense(term: str) -> frozenset[Phrase]:
    """What says the same as an index term: sets of terms of which all must stand in a sentence; itself among them."""
    own = forms_of(term)
    phrases = frozenset().union(*(_senses().get(form, frozenset()) for form in own))
    single = {min(phrase) for phrase in phrases if len(phrase) == 1} | own
    several = {phrase for phrase in phrases if len(phrase) > 1}
    return frozenset(several | {frozenset((form,)) for each in single for form in forms_of(each)})


def is_said(term: str, terms: frozenset[str]) -> bool:
    """Whether index terms say `term`, itself or in words of the same sense."""
    single, several = _ways_to_say(term)
    return not single.isdisjoint(terms) or any(phrase <= terms for phrase in several)


def said_among(terms: Iterable[str], said: frozenset[str]) -> set[str]:
    """Those of some terms that index terms say, each itself or in words of the same sense."""
    alone, together = _told_by(frozenset(terms))
    results = {term for word in alone.keys() & said for term in alone[word]}
    results.update(term for word in together.keys() & said for phrase, term in together[word] if phrase <= said)
    return results


# A long question has a hundred terms, and a sentence twenty: it is asked what these say, not of each of those.
@lru_cache(maxsize=1 << 8)
def _told_by(terms: frozenset[str]) -> tuple[Mapping[str, list[str]], Mapping[str, list[tuple[Phrase, str]]]]:
    """What a word says of some terms by itself, and with others, by one word of each phrase."""
    alone: dict[str, list[str]] = {}
    together: dict[str, list[tuple[Phrase, str]]] = {}
    for term in terms:
        single, several = _ways_to_say(term)
        for word in single:
            alone.setdefault(word, []).append(term)
        for phrase in several:
            together.setdefault(min(phrase), []).append((phrase, term))
    return alone, together


def single_words(terms: Iterable[str]) -> frozenset[str]:
    """The index terms each of which alone says the same as one of some."""
    return frozenset().union(*(_ways_to_say(term)[0] for term in terms))


@lru_cache(maxsize=1 << 12)
def _ways_to_say(term: str) -> tuple[frozenset[str], tuple[Phrase, ...]]:
    """What says the same as an index term: single terms, and several of which all must stand there."""
    phrases = same_sense(term)
    single = frozenset(min(phrase) for phrase in phrases if len(phrase) == 1)
    return single, tuple(phrase for phrase in phrases if len(phrase) > 1)


def opposite(term: str) -> frozenset[str]:
    """The index terms that say the opposite of `term`."""
    return contrary(term) | _opposed("opposites").get(term, frozenset())


def contrary(term: str) -> frozenset[str]:
    """The index terms of which one denies `term`: what fell did not rise, and unpaid leave is not paid."""
    nothing = frozenset[str]()
    told = _opposed("contraries").get(term, nothing) | _opposed("against").get(term, nothing)
    return told | _denied(term)


@lru_cache(maxsize=1 << 12)
def _denied(term: str) -> frozenset[str]:
    """The ordinary words that deny a term by "un-", or that it denies: unpaid, paid."""
    words_ = {f"un{form}" for form in forms_of(term)}
    if term.startswith("un"):
        words_ |= forms_of(term[2:])
    return frozenset(words_ & _near().keys())


# "At least" and "the first half" stand at no end of anything.
_END_OF_LINE = re.compile(
    r"(?<!\bat )\b(?:[a-z]{2,12}est|most|least|first|last|worst)\b"
    r"(?! (?:quarter|half|halves|year|month|week|day|decade|time|few|two|three|four|five|six|\d))"
)


@cache
def extremes() -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """The words at the same and at the other end, of each that tells an extreme."""
    results: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for one, other in _data()["extremes"]:
        same, opposed = frozenset[str](one), frozenset[str](other)
        results |= dict.fromkeys(same, (same, opposed))
        results |= dict.fromkeys(opposed, (opposed, same))
    return results


def is_at_the_other_end(question: str, text: str) -> bool:
    """Whether a text tells of the largest where the smallest is asked for, and of no smallest."""
    known = extremes()
    asked = known.keys() & _ends_in(question)
    told = _ends_in(text) if asked else frozenset[str]()
    for word in asked:
        same, other = known[word]
        if told & other and not told & same:
            return True
    return False


@lru_cache(maxsize=1 << 12)
def _ends_in(text: str) -> frozenset[str]:
    """The words of a text that tell an extreme."""
    return frozenset(_END_OF_LINE.findall(text.lower()))


# On which side of what something stands or goes: "from Delaware", "after Starlink".
_SIDE = re.compile(
    r"(?i)\b(?P<side>from|to|into|before|after|followed|succeeded|replaced|preceded) "
    r"(?:(?:the|its|his|her|their|an?|another|any|all) )?"
    r"(?P<what>[^\W\d][\w’'-]+)"
)
_PLAINLY = {"into": "to", "followed": "after", "succeeded": "after", "replaced": "after", "preceded": "before"}
_OTHER_SIDE = {"from": "to", "to": "from", "before": "after", "after": "before"}
IN_TIME = frozenset(("before", "after"))
_PARTICLES = frozenset(("back", "away", "over", "up", "down", "out", "off", "on"))
_FAR_AHEAD = 80  # characters
_WORDS_AHEAD = 8  # "moved its legal home from Delaware to"


class _Side(NamedTuple):
    """A side of a thing that a text names, and the words right ahead."""

    side: str
    thing: str
    ahead: tuple[str, ...]

    @property
    def moved(self) -> frozenset[str]:
        """The terms of what goes or stands there: the home of "move its home back to"."""
        telling = [word for word in self.ahead if word not in _PARTICLES]
        return terms_of(telling[-1]) if telling else frozenset()


def other_way(question: str, text: str) -> str:
    """The side asked of a thing that a text tells of the other: "to", of "from Delaware"; empty where it tells none."""
    told = _sides(text)
    for asked in _sides(question) if told else ():
        of_it = [each for each in told if each.thing == asked.thing]
        sides = {each.side for each in of_it}
        if asked.side in sides or _OTHER_SIDE[asked.side] not in sides:
            continue
        said = terms_of(" ".join(" ".join(each.ahead) for each in of_it))
        if asked.moved and asked.moved <= said:
            return asked.side
        if asked.side in IN_TIME and said_among(asked.moved, terms_of(text)):
            return asked.side
    return ""


def tells_the_contrary(question: str, text: str) -> bool:
    """Whether a text tells of the other end, or the other side, of what a question asks."""
    return is_at_the_other_end(question, text) or other_way(question, text) != ""


@lru_cache(maxsize=1 << 12)
def _sides(text: str) -> tuple[_Side, ...]:
    """The sides that a text names."""
    results = []
    for match in _SIDE.finditer(text):
        if match["what"] in MONTHS:
            continue
        side = match["side"].lower()
        begin = max(0, match.start() - _FAR_AHEAD)
        ahead = words(text[begin : match.start()])
        results.append(_Side(_PLAINLY.get(side, side), match["what"].lower(), tuple(ahead[-_WORDS_AHEAD:])))
    return tuple(results)


NEAR_WORDS = Path(__file__).with_name("near_words.json.gz")
# Cosine from which a word says something of another, and from which it says the same; chosen on the halves read.
_ALIKE, _SAME = 0.4, 0.8


@cache
def _near() -> Mapping[str, Mapping[str, float]]:
    """Words near in meaning, by stem, with their cosine; made by `benchmarks/near_words.py`."""
    table: dict[str, dict[str, float]] = json.loads(gzip.decompress(NEAR_WORDS.read_bytes()))
    return table


def similarity(term: str, terms: frozenset[str]) -> float:
    """How far the nearest of the index terms `said` means what `term` does, in [0, 1]; what is opposed does not."""
    near = near_to(term)
    return max((near[other] for other in near.keys() & terms), default=0.0)


# What a company takes in, keeps, spends, holds and owes: near in meaning, never the same.
_OF_ACCOUNTS = tuple(
    frozenset(tokens(group))
    for group in ("revenue sales turnover", "profit income earnings", "cost expense expenditure", "cash", "debt", "tax")
)


@lru_cache(maxsize=1 << 12)
def account_of(term: str) -> int | None:
    """The number of the group of such words that a term is one of."""
    for number, group in enumerate(_OF_ACCOUNTS):
        if term in group:
            return number
    return None


def _is_of_another_account(term: str, other: str) -> bool:
    mine, its = account_of(term), account_of(other)
    return None not in (mine, its) and mine != its


# A question asks for a few terms, of every sentence.
@lru_cache(maxsize=1 << 10)
def near_to(term: str) -> Mapping[str, float]:
    """The index terms near in meaning to `term`, with how far each means the same, in (0, 1]."""
    against = opposite(term)
    table = _near().get(term, {}).items()
    told = ((other, cosine) for other, cosine in table if other not in against)
    cosines = ((other, cosine) for other, cosine in told if not _is_of_another_account(term, other))
    return {other: min(1.0, (cosine - _ALIKE) / (_SAME - _ALIKE)) for other, cosine in cosines if cosine > _ALIKE}


@lru_cache(maxsize=1 << 16)
def is_common_word(word: str) -> bool:
    """Whether `word` is an ordinary English word, by the table of near words and the lexicon."""
    return any(term in _near() or term in _senses() for term in tokens(word))


Attribute = Literal["birth", "death", "release", "founding", "country", "nationality"]

_OPENING = 2
_SPAN = re.compile(r"\s[–—-]\s?|\s?[–—]\s|\bto\b|–")
_BORN = re.compile(r"(?i)\b(?:born|née|b\.)\b")
_DIED = re.compile(r"(?i)\b(?:died|death|d\.|killed|passed away|executed|murdered)\b")
_RELEASED = re.compile(r"(?i)\b(?:releas|premier|publish|came out|aired|issued)\w*")
_FOUNDED = re.compile(r"(?i)\b(?:form|found|establish|open|creat|incorporat|start|began|built|launch)\w*")
_NEAR = 80
_BRACKETS = re.compile(r"\([^()]{0,80}\)")
# "At the time of his death, took over and was elected in 1957": what is told next has a date of its own.
_GOES_ON = re.compile(r"[,;] (?!(?:aged|at|on|in|from|of|near|to|the|a|an)\b)[a-z]")


# How an aspect asks for attributes.
ASKED: tuple[LanguagePattern[tuple[Attribute, ...]], ...] = (
    LanguagePattern(("birth", "death"), r"\bliv\w{1,3} longer\b", "A: lived longer", "A: longer bridge"),
    LanguagePattern(
        ("birth",),
        r"\b(?:born (?:first|last|earlier|later|before|after)|(?:date|year|day) of birth|birth ?(?:date|day)"
        r"|when (?:.{1,80} )?born|older|younger|oldest|youngest)\b",
        "Date of birth of A",
        "Place where A was born",
    ),
    LanguagePattern(
        ("death",),
        r"\b(?:died? (?:first|last|earlier|later|before|after)|(?:date|year|day) of death|death date"
        r"|when (?:.{1,80} )?die[ds]?)\b",
        "When did A die",
        "Cause of death of A",
    ),
    LanguagePattern(
        ("release",),
        r"\b(?:(?:released|came out|come out|published|aired) (?:first|last|earlier|later|before|after|more recently)"
        r"|release date|(?:date|year) of (?:release|publication))\b",
        "A: film released first",
        "Reasons for which A was released",
    ),
    LanguagePattern(
        ("founding",),
        r"\b(?:(?:founded|established|formed|started|opened|launched) (?:first|last|earlier|later|before|after)"
        r"|(?:date|year) of (?:founding|foundation|establishment))\b",
        "A: magazine started first",
        "Founder of A",
    ),
    LanguagePattern(
        ("nationality",), r"\b(?:nationalit(?:y|ies)|citizenship)\b", "A: same nationality", "National debt of A"
    ),
    LanguagePattern(("country",), r"\bcountr(?:y|ies)\b", "Country of A", "Countryside of A"),
)


@dataclass(frozen=True, slots=True)
class Value:
    """What a passage states: `text == passage.text[start:end]`; `key` compares, the year first for dates."""

    passage: Passage
    text: str
    start: int
    end: int
    key: tuple[int, int, int] | str


def value_of(attribute: Attribute, passage: Passage) -> Value | None:
    """The value of an attribute of what the passage is about; None where it does not say."""
    match attribute:
        case "birth" | "death":
            return _life(attribute, passage)
        case "release":
            return _after(passage, _RELEASED, within=2 * _OPENING) or _first_date(passage)
        case "founding":
            return _after(passage, _FOUNDED, within=2 * _OPENING)
        case "country" | "nationality":
            return _country(passage, parts=attribute == "country")


def _life(attribute: Attribute, passage: Passage) -> Value | None:
    """From the parenthesis "(1 May 1900 – 2 June 1980)" of the first sentence, else after "born" or "died"."""
    ends = sentences(passage.text)
    if ends:
        head = passage.text[: ends[min(1, len(ends) - 1)][1]]
    else:
        head = ""
    for match in re.finditer(r"\(([^()]{4,160})\)", head):
        parts = _halves(match, head)
        if parts is not None:
            start, end = parts[0] if attribute == "birth" else parts[1]
            known = dates(head[start:end])
            if known:
                return _of_date(passage, known[-1], start)
        if _BORN.search(match[1]) and attribute == "birth" and (known := dates(match[1])):
            return _of_date(passage, known[0], match.start(1))
        if _DIED.search(match[1]) and attribute == "death" and (known := dates(match[1])):
            return _of_date(passage, known[0], match.start(1))
    return _after(passage, _BORN if attribute == "birth" else _DIED)


def _halves(match: re.Match[str], head: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The two sides of a dash between two dates."""
    start, end = match.span(1)
    known = dates(head[start:end])
    if len(known) < 2:
        return None
    for dash in _SPAN.finditer(head, start, end):
        if dates(head[start : dash.start()]) and dates(head[dash.end() : end]):
            return (start, dash.start()), (dash.end(), end)
    return None


def _after(passage: Passage, verb: re.Pattern[str], *, within: int | None = None) -> Value | None:
    """The first date a few words after the verb, in the same sentence of the first ones, or of any."""
    for start, end in sentences(passage.text)[:within]:
        for match in verb.finditer(passage.text, start, end):
            known = dates(passage.text[match.end() : min(end, match.end() + _NEAR)])
            if known and not _GOES_ON.search(passage.text, match.end(), match.end() + known[0].span[0]):
                return _of_date(passage, known[0], match.end())
    return None


def _first_date(passage: Passage) -> Value | None:
    known = dates(_opening(passage))
    return _of_date(passage, known[0], 0) if known else None


def _opening(passage: Passage) -> str:
    ends = sentences(passage.text)[:_OPENING]
    if ends:
        return passage.text[: ends[-1][1]]
    return ""


def _country(passage: Passage, *, parts: bool) -> Value | None:
    """The first country, adjective or, with `parts`, part of one in the first sentences, not in the title."""
    titled = set(words(passage.title))
    for country, start, end in countries_in(_opening(passage)):
        name = passage.text[start:end]
        if not set(words(name)) <= titled and (parts or name not in PART_OF):
            return Value(passage, name, start, end, country)
    return None


def _of_date(passage: Passage, date: Date, offset: int) -> Value:
    start = date.span[0] + offset
    end = date.span[1] + offset
    key = (date.year, date.month or 0, date.day or 0)
    return Value(passage, passage.text[start:end], start, end, key)


def stated(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The sentences in which the passage about the aspect's subject states what it asks; () unless it states all."""
    attributes = asked_of(aspect)
    if not attributes or not _is_about(aspect, passage):
        return ()
    values = [value_of(attribute, passage) for attribute in attributes]
    if any(value is None for value in values):
        return ()
    places = [value.start for value in values if value is not None]
    return tuple(s for s in read_sentences(passage.text) if any(s.start <= place < s.end for place in places))


def asked_of(aspect: QueryAspect) -> tuple[Attribute, ...]:
    """The attributes for which the aspect asks; () where it asks for something else."""
    if aspect.aspect_type not in ("entity", "relation"):
        return ()
    return _attributes_in(aspect.aspect)


@lru_cache(maxsize=1 << 10)
def _attributes_in(wording: str) -> tuple[Attribute, ...]:
    return first_kind(ASKED, wording) or ()


def opens_with(name: str, passage: Passage) -> bool:
    """Whether a passage begins with a name of which its title says a word: "Ronald Herbel (" under Ron Herbel."""
    begins = " " in name and passage.text.startswith((f"{name} (", f"{name}, "))
    return begins and not terms_of(name).isdisjoint(terms_of(passage.title))


def _is_about(aspect: QueryAspect, passage: Passage) -> bool:
    """Whether the title is the name of the subject, a parenthesis in either aside."""
    names = (aspect.subject, *aspect.aliases)
    if any(name and opens_with(name, passage) for name in names):
        return True
    title = terms_of(_BRACKETS.sub(" ", passage.title))
    return any(name and terms_of(_BRACKETS.sub(" ", name)) == title for name in names)


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """What a text calls a thing from where it defines the name on, and the index terms of what it so calls."""

    name: str
    terms: frozenset[str]

    def is_in(self, sentence: str) -> bool:
        """Whether a sentence speaks of the thing by that name."""
        before, is_there, behind = sentence.partition(self.name)
        is_a_part = before[-1:].isalnum() or behind[:1].isalnum()
        return bool(is_there) and not is_a_part


_DEFINES = re.compile(r" \((?:[a-z]{2,12},? ){0,3}[“\"](?P<name>[A-Z][\w&’ -]{1,40})[”\"]\)")
_SENTENCE_ENDS = re.compile(r"[.;:] |\n")
_DETERMINER = re.compile(r"(?i)\b(?:an?|the|our|its|their|certain|these)\b")
_DEFINED_WITHIN = 300  # characters
_MOST_OF_INITIALS, _MOST_AHEAD = 8, 5  # words


# Nearly every passage defines nothing, and is read for every aspect.
@lru_cache(maxsize=1 << 12)
def defined_terms(text: str) -> tuple[DefinedTerm, ...]:
    """The names that a text defines in quotes behind what they stand for: a credit facility (the “Credit Facility”)."""
    found = []
    for match in _DEFINES.finditer(text):
        begin = max(0, match.start() - _DEFINED_WITHIN)
        before = _SENTENCE_ENDS.split(text[begin : match.start()])[-1]
        meant = _in_full(match["name"], before) or _of_head(match["name"], before)
        if meant:
            found.append(DefinedTerm(match["name"], terms_of(meant)))
    return tuple(found)


def _in_full(name: str, before: str) -> str:
    """The words at the end of a text that a name in capitals stands for; empty where it is none of theirs."""
    written = before.split()[-_MOST_OF_INITIALS:]
    for at, word in enumerate(written):
        tail = " ".join(written[at:])
        if word[:1].upper() == name[:1] and initials(tail) == name:
            return tail
    return ""


_SHORT_AND_LONG = re.compile(r"(?P<ahead>[^().;:]{4,160}?)[ \n]\((?P<inside>[^()]{2,80})\)")


def spelled_out(short: str, text: str) -> str:
    """What an abbreviation stands for, where a text brackets one behind the other or joins them by "or"; else empty.

    The letters stand in the words in their order, most of them at the beginning of one (Schwartz and Hearst, 2003):
    "child sexual exploitation or abuse material (CSAM)".
    """
    short = short.removesuffix("s")
    for match in _SHORT_AND_LONG.finditer(text):
        inside, ahead = match["inside"], match["ahead"]
        if inside.removesuffix("s") == short:
            most = min(len(short) + _MOST_AHEAD, 2 * len(short))
            written = ahead.split()[-most:]
            tails = [" ".join(written[at:]) for at in range(len(written))]
            spelling = (tail for tail in reversed(tails) if _spells(short, tail))
            if found := next(spelling, ""):
                return found
        elif ahead.split()[-1].removesuffix("s") == short and _spells(short, inside):
            return inside
    before, either, _ = text.partition(f" or {short}")  # "Amazon Web Services or AWS"
    return _in_full(short, before.rstrip(",")) if either else ""


def _spells(short: str, words_: str) -> bool:
    """Whether the letters of an abbreviation stand in words in their order, most of them as the first of one."""
    wanted, written = short.casefold(), words_.casefold().split()
    letters = iter(words_.casefold())
    opening = [word[0] for word in written]
    is_phrase = len(written) > 1 and written[0] not in STOP_WORDS
    if not is_phrase or opening[0] != wanted[0]:
        return False
    spelt = sum(letter in opening for letter in wanted)
    is_mostly = 3 * spelt >= 2 * len(wanted)
    return is_mostly and all(letter in letters for letter in wanted)


def _of_head(name: str, before: str) -> str:
    """The phrase that ends a text and whose head is the last word of a name; empty where it has another head.

    The head is a common noun: what a name says of its court or authority is said by the name.
    """
    common = [word for word in spans(before) if before[word.start].islower()]
    last = stem(name.split()[-1].lower())
    places = [word for word in common if stem(word.word) == last]
    if not places:
        return ""
    head = places[-1]
    in_front, behind = before[: head.start], before[head.end :]
    opened = [match.start() for match in _DETERMINER.finditer(in_front)]
    ahead = " ".join(in_front.split(" ")[-_MOST_AHEAD:])
    start = opened[-1] if opened else head.start - len(ahead)
    return before[start : head.end] + behind.partition(",")[0]
