"""How well a passage speaks to an aspect, and which sentence and words say so.

A match is `gate · (0.4 + 0.6 · topic)`: the gate is the share of the aspect's subject that the passage names, weighted
by rarity, so that a common word opens nothing; the topic is how much of what is asked of the subject it says. Nothing
is matched below a gate of 0.6. Facts and relations are matched sentence by sentence instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from adaq_core.matching.asked import asked_by
from adaq_core.matching.lexicon import CUES, PLAIN, cues_of, same_sense, stated
from adaq_core.matching.sentences import (
    ISSUER_FIELDS,
    TITLE_PARTS,
    asks_more_than_a_subject,
    issuer_terms,
    read_against,
)
from adaq_core.model import Constraint, Passage, QueryAspect
from adaq_core.text.entities import countries_in, names
from adaq_core.text.tokens import Sentence, Weigh, fold, items_of, read_sentences, share, terms_of, tokens
from adaq_core.text.values import MONTHS, dates

Rated = tuple[float, Sentence]

_ENOUGH_CUES = 2
_KIND_OF_IT = 0.16
_SAID_TO_BE_ONE = 0.25
_ASIDE_TELLS, _MENTIONS = 0.6, 0.15
_PURPOSE = "Purpose of "
_UNDER_TITLE = 0.1  # what a sentence is worth that leaves the facet's word to the title
_ASIDE, _MOSTLY = 0.25, 0.5
# A passage that is titled by the subject itself need not say the facet's words in every other sentence.
_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN = 0.15, 0.3
# Between subject and verb only another name of the subject may stand: ", short for low-rank adaptation,".
_ASIDE_BETWEEN = re.compile(r"e?s?\s*(?:,[^.;]{1,90},|\([^.;]{1,60}\)|or [^.;,]{1,40},?)?\s*")
_NO_DEFINITION = re.compile(
    r"\s{1,3}(?:also |often |usually |therefore |not |very |more |most |so )?(?:important|useful|popular|fast|simple"
    r"|used|expensive|cheap|good|common|strong|weak|better|worse|available|published|introduced|released|applied|stored|built|tested)\b"
)
_OPENING = re.compile(r"(?:in [^,]{1,40}, )?(?:the |an? )?")
# "The last part is called the endgame in America" tells what the endgame is, and nothing of an endgame table.
_CALLED_SO = re.compile(
    r"(?:\b(?:is|are|was|were) (?:also |often |usually )?(?:called|named|known as|termed)"
    r"|\b(?:under the|by the|whose) (?:code ?)?name(?: is)?) (?:the |an? )?$"
)
_BEHIND_NAME = re.compile(r"s?(?:$|[,.;:)]|\s(?:and|or|in|by|because|since|where|when|which|if|as)\b)")
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|refers? to|means|denotes?|describes?|consists? of|stands for|computes?|known as)\b"
)


def topic_of(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    """How much of what is asked of the subject a passage says, in [0, 1], and the sentences that do, best first."""
    match aspect.aspect_type:
        case "definition":
            return _definition(aspect, passage)
        case "facet":
            return _facet(aspect, passage)
        case "comparison":
            return _comparison(aspect, passage, weigh)
        case _:
            return _cued(aspect, passage)


def _definition(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    subject = terms_of(aspect.subject)
    titled = any(terms_of(part) == subject for part in (passage.title, *TITLE_PARTS.findall(passage.title)))
    rated = _kind_of_it(aspect.subject, passage)
    for order, sentence in enumerate(read_sentences(passage.text)):
        if subject <= sentence.terms:
            told = passage.text[sentence.start : sentence.end]
            rated.append((_worth_as_definition(aspect, told) / (1 + 0.1 * order), sentence))
    best = _best(rated)
    if not best:
        return 0.0, ()
    return min(1.0, best[0][0] + (0.75 if titled else 0.0)), best


def _worth_as_definition(aspect: QueryAspect, sentence: str) -> float:
    """How well a sentence that names the subject tells what it is, or what it does where its purpose is asked for."""
    if _defines(aspect.subject, sentence) or (aspect.aspect.startswith(_PURPOSE) and _does(aspect.subject, sentence)):
        return 1.0
    return _ASIDE_TELLS if _told_aside(aspect.subject, sentence) else _MENTIONS


def _does(subject: str, sentence: str) -> bool:
    """Whether a sentence opens with what the subject does: "The Act protects …"."""
    return re.match(rf"(?:the )?{re.escape(fold(subject))},? [a-z]{{2,20}}s\b", fold(sentence)) is not None


def _told_aside(subject: str, sentence: str) -> bool:
    """Whether a sentence tells what the subject is beside its name: "conjugates, which carry …", "Maia, a chip"."""
    named = re.escape(fold(subject).removesuffix("s"))
    aside = r"an?" if subject != subject.lower() else r"which|an?"
    return re.search(rf"\b{named}s?(?:, | \()(?:{aside}) [a-z]{{3}}", fold(sentence)) is not None


def _kind_of_it(subject: str, passage: Passage) -> list[Rated]:
    """The sentence that defines a kind of the subject, which its passage is titled by: self-attention is attention."""
    if not re.fullmatch(rf"[\w -]{{2,40}}[ -]{re.escape(fold(subject))}", fold(passage.title)):
        return []
    opening = read_sentences(passage.text)[:1]
    is_one = bool(opening) and _is_said_to_be_one(subject, passage.text[: opening[0].end])
    score = _SAID_TO_BE_ONE if is_one else _KIND_OF_IT
    return [(score, s) for s in opening if _defines(passage.title, passage.text[: s.end])]


def _is_said_to_be_one(subject: str, sentence: str) -> bool:
    """Whether it says in words that it is one: "cross-attention is a form of attention in which …"."""
    one = rf"\b(?:form|kind|type|sort|variety) of (?:\w{{2,20}} )?{re.escape(fold(subject))}\b"
    return re.search(one, fold(sentence)) is not None


def _defines(subject: str, sentence: str) -> bool:
    """Whether the subject opens the sentence and a defining verb follows it closely, or something is called so."""
    head = fold(sentence)
    at = head.find(fold(subject).removesuffix("s"))
    if at > 0 and _CALLED_SO.search(head[:at]) and _BEHIND_NAME.match(head, at + len(subject.removesuffix("s"))):
        return True
    if at < 0 or _OPENING.fullmatch(head[:at]) is None:
        return False
    verb = _DEFINES.search(head, at + len(subject) - 1)
    if verb is None or _NO_DEFINITION.match(head, verb.end()) is not None:
        return False
    return _ASIDE_BETWEEN.fullmatch(head[at + len(subject) : verb.start()]) is not None


def _facet(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    """A passage is about a facet when its title says so, or when well over a quarter of its sentences speak of it."""
    keywords = [terms for keyword in aspect.keywords if (terms := terms_of(keyword))]
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    named = subject <= title | issuer_terms(passage)
    titled = named and any(terms <= title for terms in keywords)
    asked = asked_by(aspect)
    rated = [
        (
            float(sum(terms <= asked.read(s, passage.text).terms for terms in keywords))
            * (named or subject <= s.terms),
            s,
        )
        for s in read_sentences(passage.text)
    ]
    if titled and not any(worth for worth, _ in rated):
        return 1.0, _best((_UNDER_TITLE, sentence) for _, sentence in rated)
    speaking = sum(worth > 0 for worth, _ in rated)
    aside, mostly = (_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN) if named and speaking > 1 else (_ASIDE, _MOSTLY)
    if titled:
        topic = 1.0
    else:
        topic = max(0.0, min(1.0, (speaking / max(1, len(rated)) - aside) / mostly))
    return (topic, _best(rated)) if speaking else (0.0, ())


def _comparison(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    items, title = items_of(aspect), terms_of(passage.title)
    scope = frozenset(t for word in aspect.keywords for t in tokens(word)) - frozenset().union(*items)
    rated, says = [], False
    for sentence in read_sentences(passage.text):
        named = sum(item <= sentence.terms for item in items)
        cued = min(2, len(CUES["comparison"] & sentence.terms))
        says = says or (named >= 2 and cued > 0)
        rated.append(((named + 0.4 * cued) * (named > 0), sentence))
    titled = bool(items) and all(item <= title for item in items)
    topic = 1.0 if titled and says else 0.8 if titled or says else 0.1
    if scope:
        best = _best(rated, keep=1)
        topic *= share(scope, title.union(*(sentence.terms for _, sentence in best)), weigh)
    return topic, _best(rated)


def _cued(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    cues = cues_of(aspect)
    subject = terms_of(aspect.subject)
    titled = subject <= terms_of(passage.title)
    rated = []
    plain = frozenset(t for word in aspect.keywords for t in tokens(word)) - subject
    for sentence in read_sentences(passage.text):
        about = 1.0 if subject <= sentence.terms else 0.6 if titled else 0.0
        opens = fold(passage.text[sentence.start : sentence.end]).startswith(fold(aspect.subject).removesuffix("s"))
        cue_words = len(cues & sentence.terms) + len(PLAIN & sentence.terms & (cues | plain))
        rated.append(((cue_words + 0.5 * opens) * about * (cue_words > 0), sentence))
    best = _best(rated)
    if best:
        cued = len(cues & frozenset().union(*(s.terms for _, s in best)))
    else:
        cued = 0
    return min(1.0, cued / _ENOUGH_CUES) * (1.0 if titled else 0.7), best


def _best(rated: Iterable[Rated], keep: int = 3) -> tuple[Rated, ...]:
    """Return the best `keep` sentences with a score above 0, ties in reading order."""
    return tuple(sorted((r for r in rated if r[0] > 0), key=lambda r: (-r[0], r[1].start))[:keep])


Keeping = Literal["held", "broken", "open"]

# What is left of a match: a broken condition takes it below the threshold of coverage, an open one does not.
BROKEN, OPEN = 0.45, 0.9
_UNCHECKED = frozenset(("statement", "scope"))
_UNIONS = re.compile(r"\b(?:Europe(?:an)?|EU|Asian?|African?|Latin America)\b")


def keeping(condition: Constraint, passage: Passage, sentence: str = "") -> Keeping:
    """Whether `sentence`, or else its passage, keeps a condition."""
    match condition.kind:
        case "date" | "period":
            return _in_time(condition, passage, sentence)
        case "source":
            return _of_source(condition.text, passage)
        case "quoted":
            return _says(condition.text, passage)
        case "form":
            return _of_form(condition, passage)
        case "negation":
            return _without(condition, sentence)
        case kind if kind in _UNCHECKED:
            return "held"
    there = terms_of(passage.title) | terms_of(passage.text)
    if terms_of(condition.value or condition.text) <= there:
        return "held"
    return "held" if condition.kind == "place" and _is_in_country(condition, sentence or passage.text) else "open"


def _is_in_country(condition: Constraint, text: str) -> bool:
    """Whether a text says the country of a condition in another form: American for "in the US"."""
    wanted = {country for country, _, _ in countries_in(condition.value or condition.text)}
    return bool(wanted) and wanted <= {country for country, _, _ in countries_in(text)}


def left(aspect: QueryAspect, passage: Passage, sentence: str = "") -> float:
    """What is left of a match under the conditions of `aspect`: 1.0 where all hold."""
    worth = 1.0
    for condition in aspect.constraints:
        worth *= {"held": 1.0, "broken": BROKEN, "open": OPEN}[keeping(condition, passage, sentence)]
    return worth


def open_conditions(aspect: QueryAspect, passage: Passage, sentence: str = "") -> tuple[str, ...]:
    """The conditions, as the question words them, that nobody can check on the sentence and its passage.

    A facet is spoken of in many sentences: what one of them lets one check is checked.
    """
    read = [sentence, *(_on_facet(aspect, passage) if aspect.aspect_type == "facet" else ())]
    return tuple(
        c.text
        for c in aspect.constraints
        if keeping(c, passage, sentence) == "open" and not any(keeping(c, passage, s) == "held" for s in read)
    )


def _on_facet(aspect: QueryAspect, passage: Passage) -> list[str]:
    """The sentences with a keyword of the facet; all of them where the title has one."""
    keywords = [terms for terms in map(terms_of, aspect.keywords) if terms]
    title = terms_of(passage.title)
    is_whole = any(terms <= title for terms in keywords)
    return [
        passage.text[sentence.start : sentence.end]
        for sentence in read_sentences(passage.text)
        if is_whole or any(terms <= sentence.terms for terms in keywords)
    ]


# What a figure is compared with is not the time that a sentence speaks of: "decreased 15% from Q2 2022".
_COMPARED_WITH = re.compile(
    r"\b(?:from|compared (?:to|with)|versus|relative to) (?:the )?(?:(?:Q[1-4]|YTD|fiscal(?: year)?) )?(?:19|20)\d\d\b",
    re.IGNORECASE,
)


def _in_time(condition: Constraint, passage: Passage, sentence: str) -> Keeping:
    """By the dates of the sentence, else by the period of the passage, else by the years anywhere in it.

    A sentence that says another time breaks the condition; a passage that says the time somewhere leaves it open.
    """
    low, high = _bounds(condition)
    spoken = _spoken_times(_COMPARED_WITH.sub(" ", sentence))
    if spoken:
        if any(_within(key, low, high) for key in spoken):
            return "held"
        return "broken"
    # A quarter of a firm has two names, its fiscal one and its last day, and a question may use either.
    fields = dict(passage.metadata)
    labels = ("period", "period_end", *(("fiscal_period",) if "fiscal" in condition.text.lower() else ()))
    named = [fields[name] for name in labels if fields.get(name)]
    periods = [date.key for text in named or [fields.get("fiscal_year", "")] for date in dates(text)]
    if periods:
        if any(_within(key, low, high) for key in periods):
            return "held"
        return "broken"
    every = [date.key for date in dates(f"{passage.title}\n{passage.text}")]
    if any(_within(date.key, low, high) for date in dates(passage.date)) and not every:
        return "held"
    if not every or any(_within(key, low, high) for key in every):
        return "open"
    return "broken"


_TO_IT = re.compile(
    rf"\b({'|'.join(MONTHS)})(?: \d{{1,2}})?(?: (?:to|and|or|until|through) |[-–])(?:early |mid-|late )?$"
)


def _spoken_times(sentence: str) -> list[str]:
    """The times that a sentence says; January too in "from late January to mid-February 2024"."""
    spoken: list[str] = []
    for date in dates(sentence):
        ahead = _TO_IT.search(sentence[: date.span[0]]) if date.month else None
        spoken += [f"{date.year}-{MONTHS.index(ahead[1]) + 1:02d}"] if ahead else []
        spoken.append(date.key)
    return spoken


# "Before 2023" ends where 2023 begins; "until 2023" holds it.
_EXCLUDED = "<"


def _bounds(condition: Constraint) -> tuple[str, str]:
    """The first and the last moment, as texts that compare ("2023-Q3" as its year); empty where there is none."""
    value = condition.value or "".join(date.key for date in dates(condition.text)[:1])
    first, _, last = value.partition("/")
    low = "" if first == ".." else first
    if first == ".." and last and condition.text.lower().startswith("before "):
        return "", last + _EXCLUDED
    high = low if "/" not in value else "" if last == ".." else last
    return low, high


def _within(key: str, low: str, high: str) -> bool:
    """Whether a date lies between two others, at the precision that both have; one that ends in "<" is out."""
    if high.endswith(_EXCLUDED):
        end = high.removesuffix(_EXCLUDED)
        is_same = _reaches(key, end) and len(_parts(key)) >= len(_parts(end))
        return not is_same and _within(key, low, end)
    return (not low or _reaches(key, low)) and (not high or _reaches(high, key))


def _reaches(later: str, earlier: str) -> bool:
    """Whether `later` is not before `earlier`, compared by what both say: the year, then quarter or month and day."""
    mine, other = _parts(later), _parts(earlier)
    shared = min(len(mine), len(other))
    return mine[:shared] >= other[:shared]


def _parts(key: str) -> tuple[int, ...]:
    """Year, quarter, month, day as far as they are said."""
    year, *rest = key.split("-")
    if rest and rest[0].startswith("Q"):
        return (int(year), int(rest[0][1:]))
    numbers = [int(part) for part in rest if part.isdigit()]
    if numbers:
        return (int(year), (numbers[0] + 2) // 3, *numbers)
    return (int(year),)


def _without(condition: Constraint, sentence: str) -> Keeping:
    """Whether a sentence speaks of other places than the one left out; of what is no place nobody can tell.

    Where it is asked what is not the case, the sentence has to say so.
    """
    if not condition.value:
        return "held" if _says_it_is_not(condition.text, sentence) else "broken"
    left_out = countries_in(condition.value)
    spoken = {country for country, _, _ in countries_in(sentence)}
    if not left_out or not (spoken or _UNIONS.search(sentence)):
        return "open"
    if spoken and spoken <= {country for country, _, _ in left_out}:
        return "broken"
    return "held"


_SAID_NOT = re.compile(
    r"\b(?:not|never|neither|nor|no|cannot|without)\b(?P<behind>(?:\W{1,3}\w{1,30}){1,4})", re.IGNORECASE
)
_LEFT_OUT = re.compile(
    r"\b(?:left out|leaves? out|exclud\w{1,4}|exempt\w{0,4}|except|spared|ruled out)\b", re.IGNORECASE
)


def _says_it_is_not(asked: str, sentence: str) -> bool:
    """Whether a sentence denies the verb of "not recognise": "does not recognise", "neither recognises"."""
    verbs = frozenset(min(p) for term in terms_of(asked) for p in same_sense(term) if len(p) == 1)
    denied = (terms_of(match["behind"]) for match in _SAID_NOT.finditer(sentence))
    return _LEFT_OUT.search(sentence) is not None or any(not verbs.isdisjoint(behind) for behind in denied)


def _of_source(text: str, passage: Passage) -> Keeping:
    issuer = [value for key, value in passage.metadata if key in ISSUER_FIELDS]
    if terms_of(text) <= frozenset().union(*map(terms_of, issuer)):
        return "held"  # what a company filed is its own
    if not passage.source:
        return "open"
    if terms_of(text) <= terms_of(passage.source) | terms_of(passage.title):
        return "held"
    return "broken"


def _says(text: str, passage: Passage) -> Keeping:
    if fold(text) in fold(f"{passage.title}\n{passage.text}"):
        return "held"
    return "broken"


def _of_form(condition: Constraint, passage: Passage) -> Keeping:
    form = dict(passage.metadata).get("form", "")
    if not form:
        return "open"
    wanted = terms_of(condition.value or condition.text)
    if wanted <= terms_of(form) | terms_of(passage.title):
        return "held"
    return "broken"


_GATE = 0.6
_BASE, _TOPIC = 0.4, 0.6
_SENTENCES = 2
_STATED = 0.9
_OTHER = 0.7


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage speaks to an aspect: `score` in [0, 1], its parts, and the sentences that say it.

    The sentences come best first, each with its worth against the best one, in (0, 1].
    """

    score: float
    parts: tuple[tuple[str, float], ...]
    sentences: tuple[Rated, ...]
    words: tuple[str, ...]


def match(aspect: QueryAspect, passage: Passage, *, weigh: Weigh, constrain: bool = True) -> Match | None:
    """How `passage` speaks to `aspect` under any of its names; None when it does not.

    `weigh` gives the rarity of an index term, ≥ 0.
    """
    made = [_match(named, passage, weigh, constrain=constrain) for named in _named(aspect, passage)]
    made.append(_match_stated(aspect, passage, constrain=constrain))
    if _is_facet_in_a_word(aspect):
        made.append(_match_sentence(aspect, passage, weigh, constrain=constrain))
    return max((m for m in made if m is not None), key=lambda m: m.score, default=None)


def _is_facet_in_a_word(aspect: QueryAspect) -> bool:
    """Whether the question itself names the facet in one word: then a single sentence may answer it.

    "Antitrust of Apple" is answered by one sentence on the lawsuit; a profile's facet, with its dozen of keywords, by
    passages that are about it.
    """
    return aspect.aspect_type == "facet" and len(aspect.keywords) == 1


def _named(aspect: QueryAspect, passage: Passage) -> list[QueryAspect]:
    """The aspect, the same under each other name of its subject, and with the passage's title as its subject."""
    others = [replace(aspect, subject=alias, aliases=()) for alias in aspect.aliases]
    return [aspect, *others, *(cut for named in (aspect, *others) if (cut := _cut_at_title(named, passage.title)))]


def _cut_at_title(aspect: QueryAspect, title: str) -> QueryAspect | None:
    """The aspect with its subject cut where the title ends, as "rank fusion" of "rank fusion merge lists".

    The rest is what is asked. A question's words do not show where its subject ends and its verb begins; a title does.
    """
    if aspect.aspect_type not in CUES or aspect.aspect_type == "comparison":
        return None
    words = aspect.subject.split()
    for name in TITLE_PARTS.findall(title):
        length = len(name.split())
        if 0 < length < len(words) and tokens(name) == tokens(" ".join(words[:length])):
            rest = " ".join(words[length:])
            return replace(aspect, subject=" ".join(words[:length]), keywords=(*aspect.keywords, rest))
    return None


def _match(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    if asks_more_than_a_subject(aspect, passage.title):
        return _match_asked(aspect, passage, weigh, constrain=constrain)
    gate = _gate(aspect, passage, weigh)
    if gate < _GATE:
        return None
    topic, rated = topic_of(aspect, passage, weigh)
    rated, kept = _under_conditions(aspect, passage, rated, constrain=constrain)
    if not rated:
        return None
    score = min(1.0, gate * kept * (_BASE + _TOPIC * topic))
    parts = (("subject", gate), ("topic", topic), ("constraints", kept))
    return Match(score, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _match_stated(aspect: QueryAspect, passage: Passage, *, constrain: bool) -> Match | None:
    """What a passage about the subject states in a fixed form, such as its dates in brackets."""
    sentences = stated(aspect, passage)
    rated, kept = _under_conditions(aspect, passage, tuple((1.0, s) for s in sentences), constrain=constrain)
    if not rated:
        return None
    parts = (("subject", 1.0), ("stated", _STATED), ("constraints", kept))
    return Match(_STATED * kept, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _match_asked(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    """What the best sentences of the passage, each in its context, say of what is asked."""
    read = [r for r in read_against(aspect, passage, weigh=weigh) if not _is_of_longer(aspect, passage, r.sentence)]
    plain = tuple((each.score, each.sentence) for each in read if each.score > 0)
    rated, kept = _under_conditions(aspect, passage, plain, constrain=constrain)
    if not rated:
        return None
    best = next(each for each in read if each.sentence == rated[0][1])
    parts = (("subject", best.names), ("topic", best.said), ("kind", best.kind), ("constraints", kept))
    return Match(best.score * kept, parts, _against_best(rated[:_SENTENCES]), _words(aspect, passage, rated[0][1]))


def _is_of_longer(aspect: QueryAspect, passage: Passage, sentence: Sentence) -> bool:
    """Whether a sentence and its title only speak of longer names than one of the aspect: "SEAL-RAG" for "RAG"."""
    text = f"{passage.title}\n{passage.text[sentence.start : sentence.end]}"
    asked = (name.text for name in names(aspect.aspect) if name.kind == "acronym")
    return any(is_of_another(name, text) for name in asked)


def _match_sentence(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    """What a sentence says of the subject by name; one that names others only speaks of them, whatever its title."""
    made = _match_asked(aspect, passage, weigh, constrain=constrain)
    if made is None:
        return None
    best = made.sentences[0][1]
    others = names(passage.text[best.start : best.end])
    if terms_of(aspect.subject) <= best.terms or not others:
        return made
    return None


def _under_conditions(
    aspect: QueryAspect, passage: Passage, rated: tuple[Rated, ...], *, constrain: bool
) -> tuple[tuple[Rated, ...], float]:
    """The sentences weighed by the conditions that each keeps, best first, and what the best of them has left."""
    if not constrain or not aspect.constraints or not rated:
        return rated, 1.0
    kept = {s.start: left(aspect, passage, passage.text[s.start : s.end]) for _, s in rated}
    weighed = sorted(((worth * kept[s.start], s) for worth, s in rated), key=lambda r: (-r[0], r[1].start))
    return tuple(weighed), kept[weighed[0][1].start]


def _against_best(rated: tuple[Rated, ...]) -> tuple[Rated, ...]:
    return tuple((worth / rated[0][0], sentence) for worth, sentence in rated)


def _gate(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> float:
    there = terms_of(passage.title) | terms_of(passage.text) | issuer_terms(passage)
    if aspect.aspect_type == "comparison":
        return min((share(item, there, weigh) for item in items_of(aspect)), default=1.0)
    if not aspect.subject:
        return 1.0
    gate = share(terms_of(aspect.subject), there, weigh)
    multi_word = len(terms_of(aspect.subject)) > 1
    if multi_word and aspect.aspect_type != "entity" and not _has_phrase(aspect.subject, passage):
        gate *= 0.7
    return gate * (_OTHER if is_of_another(aspect.subject, passage.title) else 1.0)


@lru_cache(maxsize=1 << 13)
def is_of_another(subject: str, text: str) -> bool:
    """Whether a title or a sentence speaks only of what ends in the subject: "Adaptive-RAG" is not RAG."""
    named = rf"{re.escape(fold(subject))}\b"
    folded = fold(text)
    if not subject or re.search(rf"\w-{named}", folded) is None:
        return False
    return re.search(rf"(?<![\w-]){named}", folded) is None


def _has_phrase(subject: str, passage: Passage) -> bool:
    """Whether the subject's words stand side by side somewhere, in order, in any inflection."""
    wanted = tokens(subject)
    for text in (passage.title, passage.text):
        result = _token_list(text)
        first = wanted[0] if wanted else ""
        if any(result[i : i + len(wanted)] == tuple(wanted) for i, t in enumerate(result) if t == first):
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _token_list(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))


def held_constraints(aspect: QueryAspect, passage: Passage) -> float:
    """What is left of a match when the passage does not keep every condition of the aspect; 1.0 when it does."""
    return left(aspect, passage)


def _words(aspect: QueryAspect, passage: Passage, sentence: Sentence) -> tuple[str, ...]:
    """The words of the sentence that made the match, as they stand."""
    wanted = frozenset(t for w in (*aspect.keywords, aspect.subject) for t in tokens(w)) | cues_of(aspect)
    text = passage.text[sentence.start : sentence.end]
    results = (word.strip(".,;:()\"'“”’") for word in text.split())
    return tuple(dict.fromkeys(w for w in results if w and wanted & terms_of(w)))
