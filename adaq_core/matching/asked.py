"""What an aspect asks of a passage, taken apart: names, what is said of them, numbers, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, takewhile

from adaq_core.matching.lexicon import Phrase, apart, is_common_word, opposite, phrases, same_sense, within_compounds
from adaq_core.model import AnswerKind, QueryAspect
from adaq_core.question.answer_kinds import AUXILIARIES, class_asked, without_asking
from adaq_core.text.entities import names, without_country
from adaq_core.text.tokens import STOP_WORDS, Sentence, spans, stem, terms_of, tokens, words
from adaq_core.text.values import MONTHS, SPELLED_NUMBER, dates, stated_by_amounts

_NO_PERSON = re.compile(
    r"\b(?:Inc|Corp|Ltd|LLC|plc|Company|Group|Bank|University|Institute|Court|Act|Union|States|Department|Commission"
    r"|Agency|Board|Committee|Services|Systems|Industries|Technologies|City|County|Street|River|January|February|March"
    r"|April|May|June|July|August|September|October|November|December|House|Office|Academy|College|School|AI|TV"
    r"|Officer|Chief|Rule|Form|Section|Exhibit|Certification|Certifications|Agreement|Registrant|Securities|Exchange)\b"
)


@dataclass(frozen=True, slots=True)
class KindPattern:
    """What an answer of some kind looks like; `example` matches, `counter` does not."""

    kind: AnswerKind
    pattern: re.Pattern[str]
    example: str
    counter: str


def _row(kind: AnswerKind, pattern: str, example: str, counter: str) -> KindPattern:
    return KindPattern(kind, re.compile(pattern, re.IGNORECASE), example, counter)


PATTERNS = (
    _row(
        "amount",
        r"[$€£¥]\s?\d|\b\d[\d.,]{0,30}\s?(?:million|billion|trillion|thousand|dollars?|euros?|cents?|pence|pounds?|yen"
        r"|yuan|percent|per cent|%)",
        "Apple agreed to pay 95 million dollars.",
        "Apple paid in 2025.",
    ),
    _row(
        "number",
        r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
        r"|hundred|thousand|million|billion|half|third|quarter|dozen|both|no|none)s?\b",
        "BERT base has twelve layers.",
        "BERT has layers.",
    ),
    _row(
        "reason",
        r"\b(?:because|since|due to|owing to|caused?|causes|therefore|as a result|result(?:s|ed)? (?:from|in)|led to"
        r"|leads? to|after|when|so that|reasons?|so|thus|hence|forced|driven by|thanks to|blamed?|attribut\w+"
        r"|reflect\w*|hit by|amid|missing|arises?|purpose|helped|hurt|prevents?)\b"
        r"|, as (?:the|an?|it|he|she|they|we|I|there|this|our|my|its|his|her|their)\b"
        r"|\b(?:sued?|lawsuits?|fined?|accused|criticised|investigated|complaint|settled?)\b[^.;]{0,120} over\b",
        "Sales fell because governments stopped buying.",
        "Sales fell in 2023.",
    ),
    _row(
        "way",
        r"\b(?:by \w+ing|by|with|through|using|uses?|first|then|step|steps|each|every|computes?|adds?|adding|combin\w+"
        r"|merg\w+|multipl\w+|starts?|moves?|lets?|run|install|builds?|reduc\w+|limits?|remed\w+)\b",
        "It merges the lists by adding the ranks.",
        "It was published in 2009.",
    ),
    _row(
        "place",
        r"\b(?:in|at|from|near|to|headquarters|based)\b",
        "It was developed in the Netherlands.",
        "It is fast.",
    ),
)


def holds_kind(kind: AnswerKind, sentence: str, *, asked: frozenset[str]) -> bool:
    """Whether `sentence` holds an answer of `kind` that the question, with the terms `asked`, does not say itself.

    Kinds without a shape of their own (a fact, yes or no, a definition …) are always held.
    """
    match kind:
        case "person":
            return _calls_a_person(sentence, asked) or any(
                len(name.split()) > 1 and not _NO_PERSON.search(name) for name in _new_names(sentence, asked)
            )
        case "organisation" | "list":
            return bool(_new_names(sentence, asked)) or (kind == "list" and sentence.count(",") > 1)
        case "place":
            return _names_a_place(sentence, asked)
        case "date":
            years = (str(date.year) for date in dates(sentence))
            return (
                any(year not in asked for year in years)
                or bool(_DECADE.search(sentence))
                or _says_when(sentence, asked)
            )
        case "number":
            told = _PERIODS.sub(" ", sentence)
            told = _DURATION.sub(" ", told) if _MANY in asked and asked.isdisjoint(_TIMES) else told
            return bool(_new_numbers(told, asked)) or _patterned(kind, told)
        case "amount":
            return _patterned(kind, sentence)
        case "reason":
            return any(_is_cause(sentence, match, asked) for match in _REASON.finditer(sentence))
        case "way":
            return _patterned(kind, sentence)
    return True


_REASON = next(row.pattern for row in PATTERNS if row.kind == "reason")
# What follows one of these words is the cause: where that is what the question asks about, the sentence tells effects.
_BEFORE_CAUSE = frozenset(("after", "since", "due to", "owing to", "because", "when", "thanks to", "amid", "hit by"))
# "Soon after take-off" says when, not why.
_ONLY_TIME = re.compile(
    r"\b(?:soon|shortly|immediately|right|just|long|directly|(?:minute|hour|day|week|month|year|decade)s?) $",
    re.IGNORECASE,
)
_CLAUSE = 40
_FEW = 3
# The numbers in the name of a period count nothing.
_PERIODS = re.compile(
    r"\b(?:first|second|third|fourth|last|same) (?:(?:three|six|nine) months|quarter|half)\b"
    r"|\b(?:three|six|nine|twelve) months (?:ended|of)\b|\bfiscal (?:year )?(?:19|20)\d\d\b",
    re.IGNORECASE,
)
# "How many people" is not answered by how many days something takes.
_DURATION = re.compile(
    r"\b[\w.,]{1,12}[ -](?:(?:working|calendar) )?(?:minute|hour|day|week|month|year)s?\b", re.IGNORECASE
)
(_MANY,) = tokens("many")
_TIMES = frozenset(tokens("minute hour day week month year time age decade"))
_DECADE = re.compile(r"\b(?:1[5-9]|20)\d0s\b|\b\d{1,2}th century\b", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d.,]*")
# A time without a year: letters, minutes and rules seldom say one.
_TIME_OF_YEAR = re.compile(
    rf"\b(?:(?:[Ii]n|[Oo]n|[Bb]y|until|[Ff]rom|since|before|after|of|to|\d{{1,2}}(?:st|nd|rd|th)?)"
    rf" (?:{'|'.join(MONTHS)})"
    r"|(?:[Oo]n|[Ff]rom|until|by|next|[Ee]very|[Ee]ach) (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|week \d{1,2})\b"
)
_HOURS = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|\d{1,2}(?:[.:]\d\d)?)"
_TIME_OF_DAY = re.compile(
    rf"\b(?:from {_HOURS} (?:to|until) {_HOURS}|at {_HOURS} o.clock|\d{{1,2}}[.:]\d\d (?:in the|a\.?m|p\.?m))\b",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:called|named|Mr|Mrs|Ms|Dr|Miss|Captain|Judge|Professor)\.? ([A-Z][\w'’-]{1,40})")


def _patterned(kind: AnswerKind, sentence: str) -> bool:
    return any(row.pattern.search(sentence) for row in PATTERNS if row.kind == kind)


_HOW_MANY = re.compile(r"\bhow many (?:[\w-]{0,12}\d[\w-]{0,12} )?((?:[a-z-]{2,30} ?){1,3})", re.IGNORECASE)
_PLURAL = re.compile(r"[^s]s$|^(?:people|children|men|women|criteria|media)$")
_HOW_OLD = re.compile(r"\bhow old\b", re.IGNORECASE)
_TELLS_AGE = re.compile(r"\b(?:aged?|born|years?[ -]old)\b", re.IGNORECASE)
_TELLS_START = re.compile(r"\b(?:founded|established|opened|built|existed since)\b", re.IGNORECASE)
_CLOSING = STOP_WORDS | {*AUXILIARIES}
_COUNT = rf"(?:\d[\d.,]{{0,20}}|{SPELLED_NUMBER}s?|one|thousands?|millions?|billions?|no|both)"
_COUNTS = re.compile(rf"(?<![\w.,-]){_COUNT}(?=((?:[ -][a-z][\w'’-]*){{1,4}}))", re.IGNORECASE)
_NAMED_BEFORE = re.compile(r"[A-Za-z]$|[a-z,] (?:[A-Z][\w.]{0,24}[ -]){1,4}$|[A-Za-z]-$")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_IN_A_WORD = re.compile(r"[A-Z][a-z]")  # 2WikiMultiHopQA counts nothing
_OF_A_YEAR = re.compile(r"(?:1[5-9]|20)\d\d [A-Z]")  # "2022 Employee Stock Plan" counts no employees


def counted_noun(question: str) -> frozenset[str]:
    """The term of what a question counts: attempts in "how many failed attempts lock an account"."""
    match = _HOW_MANY.search(question)
    opened = list(takewhile(lambda word: word not in _CLOSING, words(match[1]))) if match else []
    plural = (word for word in opened if _PLURAL.search(word))
    noun = next(plural, opened[-1] if opened else "")
    return frozenset((stem(noun),)) if noun else frozenset()


def counts_it(question: str, sentence: str) -> bool | None:
    """Whether a sentence counts what "how many …" asks for, right behind a number; "how old" wants an age.

    None where it may count it: any number then has to do. Where it does not say the noun, a figure that belongs to no
    name may count it.
    """
    if _HOW_OLD.search(question):
        return _TELLS_AGE.search(sentence) is not None or _tells_start(terms_of(question) - _ASKING - _OLD, sentence)
    noun = counted_noun(question)
    if not noun:
        return None
    if noun <= terms_of(sentence):
        numbers = (match for match in _COUNTS.finditer(sentence) if not _OF_A_YEAR.match(sentence, match.start()))
        counted = [match for match in numbers if not noun.isdisjoint(terms_of(match[1]))]
        adds = _ADDED if _HAS_IN_ALL.search(question) and not _ASKS_ADDED.search(question) else None
        counts = any(adds is None or not adds.search(match[1]) for match in counted)
    else:
        figures = (n for n in _DIGITS.finditer(sentence) if not _is_year(n) and not _IN_A_WORD.match(sentence, n.end()))
        counts = any(not _NAMED_BEFORE.search(sentence[: n.start()]) for n in figures)
    return None if counts else False


# "500 new branches" are not how many there are.
_HAS_IN_ALL = re.compile(r"\b(?:have|has|total|altogether|are there)\b", re.IGNORECASE)
_ASKS_ADDED = re.compile(r"\b(?:new|more|additional|extra|further|added|opened)\b", re.IGNORECASE)
_ADDED = re.compile(r"^[ -](?:new|more|additional|extra|further)\b", re.IGNORECASE)
(_OLD_TERM,) = tokens("old")
_OLD = frozenset((_OLD_TERM,))


def _tells_start(subject: frozenset[str], sentence: str) -> bool:
    """Whether a sentence says when the thing asked about began, and not another beside it in the same sentence."""
    told = [terms_of(clause) for clause in _SIDE_BY_SIDE.split(sentence) if _TELLS_START.search(clause)]
    is_named = not subject.isdisjoint(terms_of(sentence))
    return any(not is_named or not subject.isdisjoint(clause) for clause in told)


def _is_year(number: re.Match[str]) -> bool:
    return _YEAR.fullmatch(number[0].rstrip(".,")) is not None


_OF_ANOTHER = re.compile(r"((?:[A-Z][\w&-]{0,24} ){1,4}(?:\d[\w.]{0,6} )?)(?:with|has|had|having) [^,;.]{1,120}")


def without_what_others_have(asked: Asked, sentence: str) -> str:
    """A sentence that names what is asked about, without what it says another has: "based on B with 7 layers"."""
    own = terms_of(sentence)
    if not any(name <= own for name in asked.names):
        return sentence
    return _OF_ANOTHER.sub(lambda has: has[1] if terms_of(has[1]).isdisjoint(asked.terms) else has[0], sentence)


def counts_apart(asked: Asked, question: str, sentence: str) -> bool:
    """Whether what a sentence counts stands apart from what is asked to be done: "orders for 5 cars, so deliveries"."""
    noun = counted_noun(question)
    done = [unit for unit in asked.units if unit.term not in noun and not unit.is_light]
    clauses = [(clause, terms_of(clause)) for clause in _SIDE_BY_SIDE.split(sentence)]
    counting = [terms for clause, terms in clauses if any(noun & terms_of(n[1]) for n in _COUNTS.finditer(clause))]
    if not noun or not done or not counting or not any(unit.is_in(terms_of(sentence)) for unit in done):
        return False
    return not any(unit.is_in(terms) for unit in done for terms in counting)


def pays_for_another(asked: Asked, sentence: str) -> bool:
    """Whether the sum of a sentence belongs to another verb, done in order to do what is asked: "borrowed 3 to pay".

    What was agreed, ordered or promised to be paid is what is asked.
    """
    verbs = [verb for verb in _INFINITIVE.finditer(sentence) if _is_asked_verb(asked, verb["verb"])]
    said = [word for word in spans(sentence) if _is_asked_verb(asked, word.word)]
    if not verbs or len(verbs) < len(said):
        return False
    return not any(
        _is_obliged(sentence[: verb.start()]) or _patterned("amount", sentence[verb.end() :]) for verb in verbs
    )


def _is_obliged(before: str) -> bool:
    """Whether "to pay" stands behind a word for duty or intent: "agreed to", "was ordered by a court to"."""
    return _OBLIGED.search(before[-_CLAUSE:]) is not None


def _is_asked_verb(asked: Asked, word: str) -> bool:
    return any(stem(word.lower()) in unit.words for unit in asked.units)


_INFINITIVE = re.compile(r"\b(?:in order )?to (?P<verb>[a-z]{2,20})\b")
_OBLIGED = re.compile(
    r"\b(?:agree|order|promise|need|require|force|plan|expect|offer|want|commit|oblige|continue?|start|told|going|began"
    r"|ha[sd]|have|is|are|was|were)\w{0,4}(?: [a-z]{2,12}){0,3} $"
)


def tells_effect(sentence: str, *, asked: frozenset[str]) -> bool:
    """Whether a sentence only says what came of the thing asked about: "lawsuits after the crash"."""
    cues = list(_REASON.finditer(sentence))
    return bool(cues) and not any(_is_cause(sentence, cue, asked) for cue in cues)


def _is_cause(sentence: str, cue: re.Match[str], asked: frozenset[str]) -> bool:
    if cue.group().lower() not in _BEFORE_CAUSE:
        return True
    if cue.group().lower() == "after" and _ONLY_TIME.search(sentence[: cue.start()]):
        return False
    following = terms_of(sentence[cue.end() : cue.end() + _CLAUSE])
    return len(following & asked) <= len(asked) // _FEW


def _says_when(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence says a month, a day of the week or an hour that the question does not."""
    times = [match.group() for pattern in (_TIME_OF_YEAR, _TIME_OF_DAY) for match in pattern.finditer(sentence)]
    return any(not terms_of(each) <= asked for each in times)


def _calls_a_person(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence calls somebody by one name: "a Dane called Holm"."""
    return any(terms_of(match[1]).isdisjoint(asked) for match in _CALLED.finditer(sentence))


def _new_names(sentence: str, asked: frozenset[str]) -> list[str]:
    """The names of a sentence that the question does not say; a lone word that opens it is not taken for one."""
    named = [n for n in names(sentence) if n.kind in ("name", "acronym", "quoted")]
    sure = [n for n in named if n.start > 0 or n.text != n.text.capitalize()]
    return [n.text for n in sure if not terms_of(n.text) <= asked]


# A month or a year behind "in" is no place: "limited it after the accident of January 2024".
_AT_A_NAME = re.compile(
    r"\b(?:in|at|from|near|to|outside|off|across|between|based|headquarters)\s(?:the\s)?(?:(?!of\s)[a-z-]{2,20}\s){0,2}(?=[A-Z])"
    r"|-based\b"
)


def _names_a_place(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence says a name that the question does not, behind a word of place: "off Portland, Oregon"."""
    new = set(_new_names(sentence, asked))
    named = {n.start for n in names(sentence) if n.text in new and not _MONTH.match(n.text)}
    places = (match for match in _AT_A_NAME.finditer(sentence))
    return bool(named) and any(match.end() in named or match[0] == "-based" for match in places)


_MONTH = re.compile(rf"(?:{'|'.join(MONTHS)})\b", re.IGNORECASE)


def _new_numbers(sentence: str, asked: frozenset[str]) -> list[str]:
    years = {str(date.year) for date in dates(sentence)}
    numbers = (number.rstrip(".,") for number in _DIGITS.findall(sentence))
    return [number for number in numbers if number not in years and terms_of(number).isdisjoint(asked)]


# Words by which a question asks or points, and that no answer repeats.
_ASKING = frozenset(
    tokens(
        "timeline chronology "
        "since who what when where which why how much many every all tell give show explain describe reasons process "
        "mechanism causes role importance historical context definition against between versus among within "
        "definition company companies firm firms corpus document documents described kind type value "
        "main key biggest happened happen do does say said following question answer according there people person "
        "year date day time place method methods thing things exactly please one ones get got hit currently now called"
    )
)
# Words that say little of what is asked: an answer often does without them.
_LIGHT = frozenset(
    tokens(
        "start started impose imposed "
        "affect effect effects impact influence face faces facing have has had make use used become come "
        "work works main typical current total overall new latest recent large share number amount "
        "concern concerned came comes bring brings brought take takes took taken go goes went gone sit sits sat put"
        " puts give gives gave given stand stood stay stayed"
        # Which is the larger is found by comparing; a sentence about one of them does not say it.
        " larger bigger higher greater smaller lower older younger longer shorter heavier costlier"
        # Particles of verbs, and what only says how much is made of a thing.
        " down up out off away back over big huge major famous well-known"
    )
)
# Roles are asked for, although they are written with capitals.
_ROLES = frozenset(tokens("CEO CFO COO CTO chairman president director"))
# "own" is a stop word of the index, but as a verb it is what is asked.
_OWN = re.compile(r"(?<=[A-Za-z] )(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )own(?:s|ed)?(?= [A-Za-z]|\W*$)")
# What was bought is owned.
_OWNS = re.compile(
    r"\b(?:own(?:s|ed)|bought|acquired|purchased)\b"
    r"|(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )(?<!\bfirst )(?<=[a-z] )own\b"
)
_POSSESS = "possess"
_BY = re.compile(r"\s{1,3}by\s")
_SIDE_BY_SIDE = re.compile(r"; |, (?:and|but|so|while|which|although) ")
_NEXT_CLAUSE = re.compile(r"; |, (?:and|but|so|while|which|although) (?=[a-z])")
_NAME_AT_END = re.compile(r"(?:\b[A-Z][\w.&’'-]{0,30}\s){1,5}$")
_OWNER_WORDS = 4
_RELATIVE = frozenset(("who", "which", "that"))
_ANYBODY = frozenset(("it", "they", "he", "she", "we", "company", "firm", "group"))
_EITHER = " founded or born"
_PAIR = re.compile(r"\b([a-z]{3,30}) (?:and|or) ([a-z]{3,30})\b")
_ORDER = re.compile(r"^(?:list|name|give|show|tell me|find)\s+(?:all\s+|every\s+|the\s+)*", re.IGNORECASE)
# "Which of the eight companies …": how many there are to choose from is nothing that a text would say of one of them.
_OUT_OF = re.compile(
    r"\b(which|who|what|any|each|none|how many) of (?:the|these|those|our|all) "
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\d{1,3}) (?=[a-z])",
    re.IGNORECASE,
)
# What is asked for by two words: a notice period, a pay rise.
_COMPOUND = re.compile(
    r"(?:what|which) (?:(?:is|are|was|were) (?:the|its|their) )?(?P<first>[a-z]{3,24}) (?P<head>[a-z]{3,24})"
    rf"(?= (?:of|for|in|at|on|{'|'.join(AUXILIARIES)})\b)",
    re.IGNORECASE,
)
_SHORT = 2
_JOINT = re.compile(r"\s{1,4}(?:of|for|at|in|by)\s{1,4}|['’]s\s{1,4}")
_NUMBERED = re.compile(r"(?<![\w$€£.])[$€£]?\w*\d[\w.,]*")


# "owns no factories", "did not yet buy"; "not only" denies nothing.
_DENIAL = re.compile(
    r"(?P<before>\w{2,20}) (?:no|not|never)(?! only\b)(?: (?:yet|ever|also))? (?P<behind>\w{2,20})", re.IGNORECASE
)


# "gave up its purchase of B": what was given up was not done.
_GIVEN_UP = re.compile(
    r"\b(?:gave|give|gives|given|giving) up|\b(?:abandon|cancel|scrap)\w{0,5}|\b(?:call(?:ed|s)?|broken?|broke) off"
    r"|\bwithdr[ae]w\w{0,3}(?: from)?|\b(?:refused|failed|declined) to",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"(?: (?:its|the|his|her|their|a|an|any|all|plans?|planned|to|for)){0,4} (?P<behind>\w{2,20})")


@dataclass(frozen=True, slots=True)
class Unit:
    """A term that the answer has to speak of, the phrases that say the same, those that say the opposite."""

    term: str
    words: frozenset[str]
    phrases: tuple[Phrase, ...]
    opposites: frozenset[str]
    is_light: bool = False

    def is_in(self, terms: frozenset[str]) -> bool:
        """Whether `terms` hold the term or what says the same."""
        return not self.words.isdisjoint(terms) or any(phrase <= terms for phrase in self.phrases)

    def is_denied(self, text: str) -> bool:
        """Whether `text` says that it is not so: "does not buy", "owns no", "gave up its purchase"."""
        beside = {match[side].lower() for match in _DENIAL.finditer(text) for side in ("before", "behind")}
        left = (_UP_TO.match(text, match.end()) for match in _GIVEN_UP.finditer(text))
        beside |= {match["behind"].lower() for match in left if match}
        return any(stem(word) in self.words for word in beside)

    def is_opposed(self, terms: frozenset[str]) -> bool:
        """Whether `terms` say the opposite and not this."""
        return not self.opposites.isdisjoint(terms) and not self.is_in(terms)


@dataclass(frozen=True, slots=True)
class Asked:
    """`names` are sets of terms that name things; `units` what is asked of them; `terms` all terms of the question.

    `wording` is what was read; `objects` the names that a unit is said to be done to ("buy A": A, by "buy");
    `of_class` the term of what the end of a chain is one of ("which database"); `doers` words for who does something,
    which do not say when or where it was done.
    """

    names: tuple[frozenset[str], ...]
    units: tuple[Unit, ...]
    terms: frozenset[str]
    wording: str = ""
    objects: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    of_class: str = ""
    doers: frozenset[str] = frozenset()

    @property
    def is_light(self) -> bool:
        """Whether only verbs are asked of the names that people put for many others."""
        return bool(self.units) and all(unit.is_light for unit in self.units)

    def read(self, sentence: Sentence, text: str) -> Sentence:
        """A sentence of `text` without the terms of words that only share their stem with a word of the question.

        Owning is said by "own", which is no index term; an amount, by the range of a rule that holds it.
        """
        ranged = stated_by_amounts(self.wording, text[sentence.start : sentence.end])
        sentence = replace(sentence, terms=sentence.terms | ranged) if ranged else sentence
        own = _POSSESS in self.wording and self._is_owned(text[sentence.start : sentence.end])
        if own:
            sentence = replace(sentence, terms=sentence.terms | {_POSSESS})
        sentence = self._without_compounds(sentence, text)
        sentence = replace(sentence, terms=sentence.terms - self.doers) if self.doers else sentence
        sentence = self._without_other_compound(sentence, text)
        other, same = apart(self.wording)
        if other:
            written = set(words(text[sentence.start : sentence.end]))
        else:
            written = set[str]()
        if written.isdisjoint(other) or not written.isdisjoint(same):
            return sentence
        return replace(sentence, terms=sentence.terms - terms_of(" ".join(other)))

    def _without_compounds(self, sentence: Sentence, text: str) -> Sentence:
        inside = within_compounds(text[sentence.start : sentence.end], asked=self.wording)
        return replace(sentence, terms=sentence.terms - inside) if inside else sentence

    def _without_other_compound(self, sentence: Sentence, text: str) -> Sentence:
        """A sentence without the head of what is asked for, where it says that only of another: a probation period."""
        compound = _COMPOUND.match(self.wording)
        if compound is None:
            return sentence
        first, head = terms_of(compound["first"]), terms_of(compound["head"])
        if not first or not head <= sentence.terms or first & (sentence.terms | _ASKING | _LIGHT) or head & _ASKING:
            return sentence
        said = words(text[sentence.start : sentence.end])
        ahead = [one for one, other in pairwise(said) if terms_of(other) == head]
        of_another = ahead and all(one.isalpha() and terms_of(one) for one in ahead)
        return replace(sentence, terms=sentence.terms - head) if of_another else sentence

    def _is_owned(self, text: str) -> bool:
        """Whether `text` says that the owner asked about owns the thing asked about; "customers who own A" is not A.

        Who owns it stands close before the verb, opens the sentence, or stands behind "owned by"; a pronoun may be
        anybody.
        """
        owner, _, thing = self.wording.partition(_POSSESS)
        named = _NAME_AT_END.search(owner)
        owners = terms_of(named[0] if named else "") - _ASKING
        things = terms_of(thing) - _ASKING
        for verb in _OWNS.finditer(text):
            before = text[: verb.start()]
            behind = text[verb.end() :]
            if _BY.match(behind):
                before, behind = behind, before
            is_owner = not owners or owners <= _owner_in(before) or _anybody_in(before)
            if is_owner and (not things or not things.isdisjoint(terms_of(_NEXT_CLAUSE.split(behind)[0]))):
                return True
        return False

    def is_done_to_another(self, unit: Unit, text: str) -> bool:
        """Whether `text` says `unit` of other names than the question: "buy B" for "buy A"."""
        thing = self.objects.get(unit.term)
        if thing is None:
            return False
        done = [to for clause in _CLAUSES.split(text) for to in _done_to(unit, clause)]
        return bool(done) and all(thing.isdisjoint(to) for to in done)


# Of these verbs the one who begins stands before them: "production started again" is nothing on who started a firm.
_BEGUN = re.compile(
    r"\b(?:started|starts|began|begins|begun|launched|opened|entered)\b"
    r"(?! (?:(?:the|an?|its|his|her|their|this)\b|[A-Z]))"
)
_BEFORE_VERB = re.compile(
    r"(?P<of>[a-z]{3,20} of (?:the )?)?(?P<head>[\w'’.-]{1,30}),?"
    r"(?: (?:which|that|who|has|had|have|also|then|first|only)){0,3} $"
)
_PASSIVE = frozenset(("was", "were", "is", "are", "been", "be", "being"))


def begun_by_another(asked: Asked, unit: Unit, text: str) -> bool:
    """Whether a text says `unit`, a word for beginning, only of what is not asked: "the track of A, which started"."""
    begun = [verb for verb in _BEGUN.finditer(text) if stem(verb[0].lower()) in unit.words]
    said = [word for word in spans(text) if stem(word.word) in unit.words]
    if not begun or len(begun) < len(said):
        return False
    return all(_is_another(asked, text[: verb.start()]) for verb in begun)


def _is_another(asked: Asked, before: str) -> bool:
    subject = _BEFORE_VERB.search(before[-80:])
    if subject is None or subject["head"].lower() in _PASSIVE | _ANYBODY:
        return False
    head = terms_of(subject["of"].split()[0] if subject["of"] else subject["head"])
    # A name may stand in a phrase behind the one who begins: "the office at Park Avenue in New York opened".
    is_sure = subject["of"] is not None or subject["head"].islower()
    return is_sure and bool(head) and head.isdisjoint(asked.terms)


_TWO_WORDS = re.compile(r"(?=\b(?P<first>[a-z]{3,24}) (?P<head>[a-z]{3,24})\b)")
_DEFINITE = re.compile(r"\b(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose) (?P<head>[a-z]{3,24})\b")


def meant_by_head(asked: Asked, text: str, before: frozenset[str]) -> frozenset[str]:
    """The first words of compounds of which a text says the head alone: "the plug", a door plug before it."""
    heads = {stem(match["head"]) for match in _DEFINITE.finditer(text)}
    pairs = ((stem(pair["first"]), stem(pair["head"])) for pair in _TWO_WORDS.finditer(asked.wording))
    return frozenset(first for first, head in pairs if head in heads and {first, head} <= before)


def _anybody_in(text: str) -> bool:
    """Whether who owns is told by a word for anybody: "we and B own"."""
    near = {word.lower() for word in text.split()[-_OWNER_WORDS:]}
    return not _RELATIVE & near and not _ANYBODY.isdisjoint(near)


def _owner_in(text: str) -> frozenset[str]:
    """The terms of who owns, in the text before the verb or behind "by"."""
    written = text.split()
    if _BY.match(text):
        return terms_of(text)
    near = written[-_OWNER_WORDS:]
    return terms_of(" ".join(near if _RELATIVE & set(near) else (*written[:_OWNER_WORDS], *near)))


_PARTS_OF_LANDS = frozenset(tokens("country state region province county village"))


@lru_cache(maxsize=1 << 12)
def asked_by(aspect: QueryAspect) -> Asked:
    """What `aspect` asks."""
    text = _OUT_OF.sub(r"\1 ", _OWN.sub(_POSSESS, _ORDER.sub("", without_asking(_plain(aspect)))))
    # What keeps a condition is judged apart: "in 2025", "outside the United States".
    bound = (c for c in aspect.constraints if c.kind in ("date", "period") or (c.kind == "negation" and c.value))
    dated = {term for condition in bound for term in tokens(condition.text)}
    named = _names(text, dated) or _short_subject(aspect)
    # "In which city" asks for a place: that it is a city is nothing that a text has to say. A county is said to be one.
    inside = frozenset().union(*named, class_asked(aspect.aspect, aspect.answer_kind) - _PARTS_OF_LANDS)
    wanted = [term for term in tokens(text) if term not in _ASKING | dated | inside]
    units = tuple({unit.term: unit for unit in _units(wanted)}.values())
    if aspect.answer_kind == "list" or _EITHER in aspect.aspect:
        units = _alternatives(text, units)
    which = _WHICH_ONE.match(text) if aspect.aspect_type == "relation" else None
    if which:
        of_class = stem((which["thing"] or which["what"]).lower())
    else:
        of_class = ""
    terms = frozenset(tokens(text))
    doers = _DOERS - terms if aspect.answer_kind in ("date", "place") else frozenset[str]()
    return Asked(named, units, terms, text, _objects(text, units, named), of_class, doers)


# "Hired its founder" does not say when it was founded.
_DOERS = frozenset(tokens("founder inventor creator"))


_CLAUSES = re.compile(r"; |, (?:while|but|whereas|although|though) ")
_NAME_BEHIND = re.compile(
    r"(?:\s{1,4}(?:the|its|all|most of|the (?:company|maker|firm|publisher|start-up|app|service)))?\s{1,4}(?=[A-Z])"
)

_OF_NAME = re.compile(r" of (?:the )?(?=[A-Z])")  # "the purchase of B"


def _objects(text: str, units: Iterable[Unit], named: Iterable[frozenset[str]]) -> dict[str, frozenset[str]]:
    """The name that stands right behind a verb of the question, by the verb's term."""
    results: dict[str, frozenset[str]] = {}
    known = {unit.term for unit in units}
    for word in spans(text):
        behind = _NAME_BEHIND.match(text, word.end)
        if text[word.start].islower() and stem(word.word) in known and behind:
            first = terms_of(text[behind.end() :].split(maxsplit=1)[0])
            results |= {stem(word.word): name for name in named if first and first <= name}
    return results


def _done_to(unit: Unit, clause: str) -> Iterator[frozenset[str]]:
    """The terms behind each place where a clause says `unit` in front of a name."""
    for word in spans(clause):
        is_verb = clause[word.start].islower() and stem(word.word) in unit.words
        if is_verb and (_NAME_BEHIND.match(clause, word.end) or _OF_NAME.match(clause, word.end)):
            yield terms_of(clause[word.end :])


def _alternatives(text: str, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """The units of a list: of "decisions and settlements" each member is one or the other."""
    by_term = {unit.term: unit for unit in units}
    for match in _PAIR.finditer(text):
        first, second = (by_term.get(stem(word.lower()) or "") for word in match.groups())
        if first and second and first is not second:
            both = replace(first, words=first.words | second.words, phrases=first.phrases + second.phrases)
            by_term[first.term] = both
            del by_term[second.term]
    return tuple(by_term.values())


def said_in(aspect: QueryAspect, text: str) -> list[int]:
    """Where `text` says the first thing that `aspect` asks of its names ("director"), in any word of the same sense.

    The class of what is asked for ("which database was developed", "institute where") need not be said; then it is the
    next thing.
    """
    units = [unit for unit in asked_by(aspect).units if not unit.is_light]
    places = _said_in(text, units[:1])
    names_a_class = aspect.answer_kind in _CLASSES or _WHICH_ONE.match(aspect.aspect) is not None
    return places or (_said_in(text, units[1:2]) if names_a_class else [])


_CLASSES = frozenset(("person", "organisation", "place"))
_WHICH_ONE = re.compile(
    r"(?:which\s(?P<thing>(?!(?:is|was|are|were|did|does|do|has|had|have|can|of|in|at|on)\b)[a-z]{3,30})\s"
    r"|what\s(?P<what>[a-z]{3,30})\s(?:is|was|are|were|did|does|do|has|had|have)\s)",
    re.IGNORECASE,
)


def _said_in(text: str, units: Iterable[Unit]) -> list[int]:
    wanted = {term for unit in units for terms in (unit.words, *unit.phrases) for term in terms}
    return [word.start for word in spans(text) if stem(word.word) in wanted]


# The chief of one thing is not the chief of another: what a lexicon does not spell otherwise has to be said whole.
_CHIEF, _OFFICER = tokens("chief officer")
_KNOWN_CHIEFS = frozenset(tokens("executive financial"))


def _units(wanted: list[str]) -> Iterator[Unit]:
    """The terms in order, phrases of the lexicon and "chief … officer" as one."""
    at = 0
    while at < len(wanted):
        term = wanted[at]
        if (term, wanted[at + 2 : at + 3]) == (_CHIEF, [_OFFICER]) and wanted[at + 1] not in _KNOWN_CHIEFS:
            role = frozenset(wanted[at : at + 3])
            yield Unit(" ".join(wanted[at : at + 3]), frozenset(), (role,), frozenset())
            at += 3
            continue
        phrase = next((p for p in phrases().get(term, ()) if tuple(wanted[at : at + len(p[0])]) == p[0]), None)
        if phrase is None:
            yield _unit(term, same_sense(term), is_light=term in _LIGHT)
        else:
            yield _unit(term, phrase[1])
        at += 1 if phrase is None else len(phrase[0])


def _unit(term: str, alike: frozenset[Phrase], *, is_light: bool = False) -> Unit:
    words = frozenset(min(phrase) for phrase in alike if len(phrase) == 1)
    several = tuple(sorted((phrase for phrase in alike if len(phrase) > 1), key=sorted))
    return Unit(term, words, several, opposite(term), is_light)


def _plain(aspect: QueryAspect) -> str:
    """The wording of the aspect, with its subject and keywords where the wording does not hold them."""
    known, wording = terms_of(aspect.aspect), aspect.aspect
    extra = [word for word in (aspect.subject, *aspect.keywords) if not terms_of(word) <= known]
    extra = [word for word in extra if not word.isdigit() or word not in _in_thousands(wording)]
    opening = wording.split()[0]
    begins = opening not in aspect.subject.split() and (
        aspect.aspect_type != "entity" or opening.lower() in AUXILIARIES
    )
    # "Fines JPMorgan paid" was written with a capital by the plan: the members of a list are no name.
    begins = begins or (aspect.answer_kind == "list" and opening.endswith("s") and is_common_word(opening))
    if begins:
        wording = wording[:1].lower() + wording[1:]  # "Child of A" names A and no "Child"
    return " ".join((wording, *extra))


def _in_thousands(wording: str) -> list[str]:
    """The pieces of numbers that are written with commas: 40 and 000 of "40,000"."""
    return [piece for number in _DIGITS.findall(wording) for piece in re.split(r"[.,]", number)]


def _short_subject(aspect: QueryAspect) -> tuple[frozenset[str], ...]:
    """A subject of one or two words ("attention head") is taken as a name: no other word stands for it."""
    terms = terms_of(aspect.subject)
    if 0 < len(terms) <= _SHORT and aspect.aspect_type not in ("entity", "relation"):
        return (terms,)
    return ()


def _names(text: str, dated: set[str]) -> tuple[frozenset[str], ...]:
    """The names and numbers of the text as sets of index terms; words that only ask are no names."""
    named = [n for n in names(text) if n.kind in ("name", "acronym", "quoted")]
    pieces = [piece for n in named for piece in _JOINT.split(without_country(n.text))] + _NUMBERED.findall(text)
    results = [terms_of(piece) - _ASKING - dated - _ROLES for piece in pieces]
    whole = [terms for terms in dict.fromkeys(results) if terms]
    return tuple(terms for terms in whole if not any(terms < other for other in whole))
