"""What an aspect asks, taken apart: names, what is said of them, numbers; what a text says of it is in `shown`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from adaq_core.matching.lexicon import (
    LIGHT_VERBS,
    Phrase,
    contrary,
    in_plain_words,
    is_common_word,
    opposite,
    phrases,
    said_by_turns,
    same_sense,
)
from adaq_core.model import QueryAspect
from adaq_core.question.answer_kinds import AUXILIARIES, class_asked, without_asking
from adaq_core.question.conditions import COMPARED, IN_A_PAPER
from adaq_core.text.entities import COUNTRY_OF, EVERYDAY, names, without_country
from adaq_core.text.tokens import STOP_WORDS, Word, initials, spans, stem, terms_of, tokens
from adaq_core.text.values import MONTH_NAMES, MONTHS, SMALL_NUMBERS

# Words by which a question asks or points, and that no answer repeats.
ASKING = terms_of(
    "timeline chronology "
    "since who what when where which why how much many every all tell give show explain describe reasons process "
    "mechanism causes role importance historical context definition against between versus among within "
    "definition company companies firm firms corpus document documents described kind type value "
    "main key biggest happened happen do does say said question answer according there people person "
    "year date day time place method methods thing things exactly please one ones get got hit currently now ever "
    "actually really roughly approximately mid anyone anybody someone lot "
    "called couldn didn doesn isn wasn weren wouldn shouldn hasn haven hadn aren don mustn"
)
# Words that say little of what is asked: an answer often does without them.
LIGHT = LIGHT_VERBS | frozenset(
    tokens(
        "start started impose imposed affect effect effects impact influence face faces facing become bring brought "
        "main typical current count total overall new latest recent large share number amount concern concerned given"
        " sat steps step measures"
        # Which is the larger is found by comparing; a sentence about one of them does not say it.
        " larger bigger higher greater smaller lower older younger longer shorter heavier costlier"
        # Particles of verbs, and what only says how much is made of a thing.
        " down up out off away back over big huge major famous well-known"
    )
)
# Roles are asked for, although they are written with capitals.
_ROLES = terms_of("CEO CFO COO CTO chairman president director")
# "own" is a stop word of the index, but as a verb it is what is asked.
_OWN = re.compile(
    r"(?<=[A-Za-z] )(?<![’']s )(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )own(?:s|ed)?(?= [A-Za-z]|\W*$)"
)
# Who sells something to A is who A buys it from.
# "Sells chips to A" supplies A; data and shares that are sold to anybody are not supplied.
_SELLS_TO = re.compile(r"\bsells?(?= (?:(?!data|information|shares?|stakes?)[a-z-]{2,20} ){1,4}to )")
_WHEN = re.compile(r"(?i)(?:since )?when\b|(?:in )?(?:which|what) year\b")
_ORIGINS = terms_of("appear come release publish introduce develop invent create propose describe present")
# What was bought is owned.
OWNS = re.compile(
    r"\b(?:own(?:s|ed)|bought|acquired|purchased)\b"
    r"|(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )(?<!\bfirst )(?<=[a-z] )own\b"
)
POSSESS = "possess"
_EDGE_OF_TIME = re.compile(
    rf"\b(?:at|by|since|until|from|towards?|before|after|near) the (end|start|beginning|close|middle) of "
    rf"(?:(?:the )?(?:fiscal|calendar) )?(?=(?:{MONTH_NAMES}|Q[1-4]|FY|(?:19|20)\d\d)\b)"
)
# "In fiscal Q3 2023", "in the first nine months of fiscal 2022": the period is a condition, and judged apart.
_PERIOD = re.compile(
    r"(?i)\b((?:(?:first|last|second|third|fourth) (?:(?:three |six |nine |twelve )?months|half|quarter) of )?(?:the )?"
    r"(?:(?:fiscal|financial|calendar) )?(?:year )?)(?=(?:Q[1-4]|[1-4]Q|FY|(?:19|20)\d\d)\b)"
)
_PAPERS = terms_of("report filing quarter year")
# "Autumn 2022 filing: …", "What does A's July 2023 quarter filing warn about …".
_OF_A_PAPER = re.compile(
    r"(?i)\b(?:(?:early|late|mid|spring|summer|autumn|fall|winter)[ -])?20\d\d (?:quarter(?:ly)? )?"
    r"(?:10-?[QK]|filing|report)s?\b"
)
_GOES_WRONG = re.compile(r"(?i)\b(?:goes|go|going|gone|went) wrong\b")
_EITHER = " founded or born"
_PAIR = re.compile(r"\b([a-z]{3,30}) (?:and|or) ([a-z]{3,30})\b")
_ORDER = re.compile(r"(?i)^(?:list|name|give|show|tell me|find)\s+(?:all\s+|every\s+|the\s+)*")
# "Which of the eight companies …": how many there are to choose from is nothing that a text would say of one of them.
_OUT_OF = re.compile(
    r"(?i)\b(which|who|what|any|each|none|how many) of (?:the|these|those|our|all) "
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\d{1,3}) (?=[a-z])"
)
_SHORT = 2
_JOINT = re.compile(r"\s{1,4}(?:of|for|at|in|by)\s{1,4}|['’]s\s{1,4}")
_DIGITS = re.compile(r"\d[\d.,]*")
_SIZED = re.compile(
    r"\b(?=[A-Z]\w{0,14}[A-Z\d])[A-Z][\w-]{1,20}[ -](?:base|large|small|tiny|mini|medium|xl)\b"
)  # "BERT large"
# "2026-28" and "2024/25" end a range that begins with a year.
_SHORT_END = re.compile(r"\b(?:19|20)\d\d[-–/](\d\d)\b")
_NUMBERED = re.compile(r"(?<![\w$€£.])(?<!(?:19|20)\d\d[-–/])[$€£]?\w*\d[\w.,]*")


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

    def is_opposed(self, terms: frozenset[str]) -> bool:
        """Whether `terms` say the opposite and not this."""
        return not self.opposites.isdisjoint(terms) and not self.is_in(terms)

    def either_way(self) -> Unit:
        """The term as a yes or no asks for it: whoever says that it fell has said whether it rose."""
        denying = contrary(self.term)
        return replace(self, words=self.words | denying, opposites=self.opposites - denying)


@dataclass(frozen=True, slots=True)
class OtherForm:
    """How a name of the question is written in full or in short, and its terms: AWS, Amazon Web Services.

    `introduced` is how a text brackets a short form of two letters, which alone may stand for anything.
    """

    written: re.Pattern[str]
    terms: frozenset[str]
    introduced: str = ""

    def is_in(self, sentence: str, text: str) -> bool:
        """Whether a sentence of a text writes the name so."""
        return self.written.search(sentence) is not None and self.introduced in text


_ACRONYM = re.compile(r"\b[A-Z]{3,6}(?=s?\b)")
# A firm goes by its name without its trade: Tower for Tower Semiconductor, but not Taiwan for Taiwan Semiconductor.
_OF_A_TRADE = re.compile(
    r"\b(?!General|United|American|National|International|Advanced|Global|First|Applied|Universal|Digital|Western)"
    r"(?P<head>[A-Z][a-z][\w’-]{2,24}) (?:Semiconductors?|Technolog(?:y|ies)|Pharmaceuticals?|Therapeutics|Healthcare"
    r"|Entertainment|Holdings?|Laboratories|Industries|Motors?|Airlines|Software|Interactive|Rocketdyne|Biosciences?)\b"
)
_LETTERS = 3  # of an acronym that stands for itself


def _word_of(letter: str) -> str:
    """A word of a name that begins with a letter: "associated with sales" is not AWS, for "with" is of no name."""
    begun = sorted(word for word in STOP_WORDS if word[0] == letter)
    joining = [word[1:] for word in begun if word != letter]
    apart = rf"(?!(?:{'|'.join(joining)})\b)" if joining else ""
    return rf"{letter}{apart}[a-z]{{2,20}}"


def _other_forms(text: str) -> Iterator[OtherForm]:
    """Acronyms in full and names by their initials."""
    for acronym in _ACRONYM.findall(text):
        in_full = " (?:(?:of|and|for|the) ){0,2}".join(rf"{letter}[a-z][\w’-]{{1,24}}" for letter in acronym)
        yield OtherForm(re.compile(_at_a_border(in_full)), terms_of(acronym))
        small = r"[ -](?:(?:of|and|for|on|per|in) )?".join(map(_word_of, acronym.lower()))
        yield OtherForm(re.compile(rf"{_at_a_border(small)}\b"), terms_of(acronym))
        if known := EVERYDAY.get(acronym):
            yield OtherForm(re.compile(rf"(?i)\b(?:{known})"), terms_of(acronym))
    for firm in _OF_A_TRADE.finditer(text):
        if firm["head"] not in COUNTRY_OF:
            alone = rf"(?<=[a-z,] ){re.escape(firm['head'])}\b(?! [A-Z])"
            yield OtherForm(re.compile(alone), terms_of(firm.group()))
    for name in names(text):
        letters = initials(name.text)
        if name.kind == "name" and len(letters) > 1:
            introduced = "" if len(letters) >= _LETTERS else f"({letters})"
            spelled = frozenset(term for term in terms_of(name.text) if not term.isdigit())
            yield OtherForm(re.compile(rf"{_at_a_border(letters)}\b"), spelled, introduced)


def _at_a_border(form: str) -> str:
    """A pattern at the beginning of a word; begun with its letter it is found ten times as fast as with a border."""
    return rf"{form[0]}(?<!\w{form[0]}){form[1:]}"


@dataclass(frozen=True, slots=True)
class Asked:
    """`names` are sets of terms that name things; `units` what is asked of them; `terms` all terms of the question.

    `wording` is what was read; `objects` the names that a unit is said to be done to ("buy A": A, by "buy");
    `of_class` the term of what the end of a chain is one of ("which database"); `doers` words for who does something,
    which do not say when or where it was done; `turned` the terms that stand for its turns of speech; `origins` those
    that ask when something came into the world; `verbs` those of words that may be verbs; `nations` the countries of
    names that are adjectives ("British customers"), `lands` those of names that are countries ("the UK"); `other_forms`
    how names are written in full or in short, and their terms; `shares` the percentages that tell which one is meant.
    """

    names: tuple[frozenset[str], ...]
    units: tuple[Unit, ...]
    terms: frozenset[str]
    wording: str = ""
    objects: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    of_class: str = ""
    doers: frozenset[str] = frozenset()
    turned: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    nations: Mapping[frozenset[str], str] = field(default_factory=dict, hash=False)
    lands: Mapping[frozenset[str], str] = field(default_factory=dict, hash=False)
    other_forms: tuple[OtherForm, ...] = ()
    shares: frozenset[str] = frozenset()

    @property
    def is_light(self) -> bool:
        """Whether only verbs are asked of the names that people put for many others."""
        return bool(self.units) and all(unit.is_light for unit in self.units)


_PARTS_OF_LANDS = terms_of("country state region province county village")
# Who described a thing first is who introduced it.
_FIRST = re.compile(
    r"\bfirst(?=\s(?:described?|proposed?|introduced?|published?|developed?|invented?|created?|presented?|wrote|coined|appear(?:s|ed)?)\b)"
    r"|\bfirst(?= (?:release|version|launch|presentation|appearance)\b)|(?<=ed )first(?=\W*$)"
)
_OWNER = re.compile(r"^[Oo]wner of (?:the )?")
# What is worded anew before it is read, one after another.
_WILL_NOT = re.compile(r"(?i)\bwon['’]t\b")
_IS_IT_TRUE = re.compile(r"(?i)^is it true that ")
_NUMBER_OF = re.compile(r"^[Nn]umber of ")  # what is counted is asked, and no text has to say "number"
# Who takes over nothing takes over from somebody: "When did Jassy take over", "took over at Boeing".
_TOOK_OVER = re.compile(r"(?i)\b(?:takes?|took|taken) over(?=\W*$|\sat\s)")
# "How big is A?" has no other word for what is asked; "how big is the fine" has one.
_HOW_BIG = re.compile(
    r"^[Hh]ow (?:big|large|huge) (?:is|was|are|were) (?:the )?(?=[A-Z][\w.&’'-]*(?: [A-Z\d][\w.&’'-]*){0,4}\W*$)"
)
_DID_FOUND = re.compile(r"(?i)(\bdid\b[^?]{2,100}\s)found\b")  # who "did find" is not told so
# "When was A last checked?": the last time of which the texts know, and they need not say that it was.
_LAST_DONE = re.compile(r"(?<=[a-z] )last (?=(?:been )?[a-z]{3,20}(?:ed|en|wn|id|ld)\b)|(?<=\bbeen )last ")
_REWORDED = (
    (_WILL_NOT, "will not"),
    (_LAST_DONE, ""),
    (_IS_IT_TRUE, ""),
    (_NUMBER_OF, ""),
    (_DID_FOUND, r"\1founded"),
    (_OWNER, POSSESS),
    (_FIRST, ""),
    (_ORDER, ""),
    (_SELLS_TO, "supply"),
    (_OWN, POSSESS),
    (_OUT_OF, r"\1 "),
)


@lru_cache(maxsize=1 << 12)
def asked_by(aspect: QueryAspect) -> Asked:
    """What `aspect` asks."""
    plain = _HOW_BIG.sub("size of ", _TOOK_OVER.sub("succeed", _plain(aspect)))
    text = without_asking(in_plain_words(plain))
    for pattern, instead in _REWORDED:
        text = pattern.sub(instead, text)
    dated = _judged_apart(aspect, plain)
    named = _names(text, dated) or _short_subject(aspect)
    unsaid = dated | _of_names_and_classes(aspect, text, named) | _of_papers(text)
    units = _units_asked(aspect, text, named, unsaid)
    which = _WHICH_ONE.match(text) if aspect.aspect_type == "relation" else None
    if which:
        of_class = stem((which["thing"] or which["what"]).lower())
    else:
        of_class = ""
    terms = frozenset(tokens(text))
    doers = _DOERS - terms if aspect.answer_kind in ("date", "place") else frozenset[str]()
    asks_when = _WHEN.match(text) is not None
    return Asked(
        names=named,
        shares=_exact_shares(aspect),
        units=units,
        terms=terms,
        wording=text,
        objects=_objects(text, units, named),
        of_class=of_class,
        doers=doers,
        turned=said_by_turns(plain),
        verbs=frozenset(stem(word) for match in _VERB.finditer(text) for word in match.groups() if word),
        origins=_ORIGINS & {unit.term for unit in units} if asks_when else frozenset(),
        nations={name: nation for name in named if (nation := _nation(name, text))},
        other_forms=tuple(_other_forms(text)),
        lands=_lands(named, text),
    )


def _judged_apart(aspect: QueryAspect, plain: str) -> set[str]:
    """The terms of what keeps a condition, which is judged apart: "in 2025", "outside the United States"."""
    bound = (
        c
        for c in aspect.constraints
        if c.kind in ("date", "period", "form") or (c.kind == "negation" and c.value) or c.value == COMPARED
    )
    dated = {term for condition in bound for term in tokens(condition.text)}
    if dated:  # "in Q2 2024 (July)", "in May and July 2025", "at the end of 2025"
        dated |= {term for month in MONTHS if month in plain for term in tokens(month)}
        edges = chain(_EDGE_OF_TIME.finditer(plain), _PERIOD.finditer(plain))
        dated |= {term for edge in edges for term in tokens(edge[1])}
    return dated


def _of_names_and_classes(aspect: QueryAspect, text: str, named: Sequence[frozenset[str]]) -> frozenset[str]:
    """The terms of the names, and of what is asked for as one of a class.

    "In which city" asks for a place: that it is a city is nothing that a text has to say. A county is said to be one.
    """
    inside = frozenset().union(*named, class_asked(aspect.aspect, aspect.answer_kind) - _PARTS_OF_LANDS)
    # "The drugmaker that bought B" is any firm that a text says to have bought it.
    brought_out = _BROUGHT_OUT.match(text)
    inside |= terms_of(brought_out["what"]) if brought_out else frozenset()
    described = _DESCRIBED.match(text) if aspect.aspect_type == "relation" and aspect.answer_kind in _CLASSES else None
    inside |= terms_of(described["head"]) if described else frozenset()
    return inside | frozenset(_SHORT_END.findall(text))


def _of_papers(text: str) -> frozenset[str]:
    """The terms of the papers that are named, and of what is told by what happened: "what went wrong"."""
    papers = chain(IN_A_PAPER.finditer(text), _OF_A_PAPER.finditer(text))
    told = [match.group() for match in papers]
    filed = terms_of(" ".join(told)) | (_PAPERS if told else frozenset())
    return filed | terms_of(" ".join(_GOES_WRONG.findall(text)))


def _units_asked(aspect: QueryAspect, text: str, named: Sequence[frozenset[str]], unsaid: Set[str]) -> tuple[Unit, ...]:
    """What is asked of the names, without the terms that no text has to say."""
    passed = ASKING | unsaid
    wanted = [term for term in tokens(text) if term not in passed]
    if not wanted and (kinds := _KINDS_OF.search(text)):
        wanted = tokens(kinds["of"] or kinds["before"])
    said_in_general = (_GENERIC_HEAD, _STATE_OF_THINGS, _TO_DO, _RELATION, _TOLD_BY_ORDER)
    heads = {stem(match["head"].lower()) for each in said_in_general for match in each.finditer(text)}
    units = tuple({unit.term: _lighter(unit, heads) for unit in _units(wanted)}.values())
    if named and asks_course(aspect) and all(unit.is_light for unit in units):
        units = ()  # "Timeline of the 737 MAX crisis" is of all that happened to it
    if aspect.answer_kind == "list" or _EITHER in aspect.aspect:
        units = _alternatives(text, units)
    if aspect.answer_kind == "yes_no":
        units = tuple(unit.either_way() for unit in units)
    return units


_TIMELINE = re.compile(r"(?i)\b(?:timeline|chronology|sequence of events)\b")


def asks_course(aspect: QueryAspect) -> bool:
    """Whether an aspect asks how something went on in time."""
    return _TIMELINE.search(aspect.aspect) is not None


_LANDS = {terms_of(word): land for word, land in COUNTRY_OF.items()}
_AMERICAS = re.compile(r"\bAmericas\b")  # more than America
_NATION = re.compile(r"\b(?P<nation>[A-Z][a-z]{2,14}) (?=[a-z]{3})")


def _lands(named: Iterable[frozenset[str]], text: str) -> dict[frozenset[str], str]:
    """The countries of names that are countries."""
    if _AMERICAS.search(text):
        return {}
    return {name: _LANDS[name] for name in named if name in _LANDS}


def _nation(name: frozenset[str], text: str) -> str:
    """The country of a name that is an adjective in front of a common noun; empty for any other."""
    told = (match["nation"] for match in _NATION.finditer(text) if terms_of(match["nation"]) == name)
    return next((COUNTRY_OF[word] for word in told if word in COUNTRY_OF and COUNTRY_OF[word] != word), "")


# "Which products did A announce?" is answered by their names.
_BROUGHT_OUT = re.compile(
    r"(?i)(?:which|what) (?:new )?(?P<what>products?|devices?|chips?|services?|models?) (?:did|has|have"
    r"|had) [^?]{2,60}? "
    r"(?:announced?|launch(?:ed)?|introduced?|released?|unveil(?:ed)?)\b"
)
_DESCRIBED = re.compile(r"(?P<head>[A-Za-z]{3,20}) (?:that|which|who) ")
A_NAME = r"[A-Z][\w.&’-]{0,30}(?: [A-Z][\w.&’-]{0,30}){0,3}"
# What may be a verb: "slapped", and what stands behind "did A".
_VERB = re.compile(
    r"(?<!\bto )\b(?P<past>[a-z]{2,20}ed)\b|^[Hh]ow (?P<degree>[a-z]{3,20}) (?:was|is|were|are)\b"
    r"|\b(?:did|does|do|will|would|could|can|has|have|had|was|is|are|were) "
    rf"(?:{A_NAME}|the [a-z]{{3,20}}) (?P<base>[a-z]{{3,20}})\b"
)
# "The Seagen deal" is Seagen, where the deal is only what it was.
_GENERIC_HEAD = re.compile(
    r"\b[A-Z][\w.&’-]{0,30} "
    r"(?P<head>deal|affair|case|matter|saga|story|issue|business|crisis|scandal|fiasco|debacle)\b"
)
# "The legal situation" is what is told of the law, and no text has to say "situation".
_STATE_OF_THINGS = re.compile(
    r"\b[a-z]{4,20} "
    r"(?P<head>situation|exposure|picture|landscape|environment|backdrop|factors|position|profile|problem)\b"
)
# What A has to do with B, any sentence on both tells.
_RELATION = re.compile(r"\b(?P<head>relation|relationship|relations|ties|links?|connections?) (?:between|with|to)\b")
# "What types of question does B have" asks of its questions, and "question" says something there.
_KINDS_OF = re.compile(
    r"\b(?:types|kinds|sorts|forms|categories) of (?P<of>[a-z-]{3,24})\b"
    r"|\b(?P<before>[a-z-]{3,24}) (?:types|kinds|categories)\b"
)
# "Agreed to invest in B" invested in B or said that it would.
_TO_DO = re.compile(
    r"(?i)(?<!\ba )(?<!\bthe )(?<!\bits )(?<!\bany )"  # no "plan to sell"
    r"\b(?P<head>agree|plan|decide|promise|intend|commit|offer|pledge)(?:d|s|ed|ned|ted|red)? to [a-z]"
)
# "When was the chamber inspected before the flood?": what came first is told by its date, not beside the other.
_TOLD_BY_ORDER = re.compile(
    r"(?i)^(?:when|how (?:long|often)|in (?:which|what) year)\b[^?]{12,160}?"
    r" (?:before|after) the (?P<head>[a-z]{3,20})\W*$"
)


def _lighter(unit: Unit, heads: set[str]) -> Unit:
    return replace(unit, is_light=True) if unit.term in heads else unit


# "Hired its founder" does not say when it was founded.
_DOERS = terms_of("founder inventor creator")
# "A fine on B" is done to B as "fined B" is.
IMPOSED = terms_of("fine penalty sanction tariff ban lawsuit suit case complaint probe inquiry investigation")
ON_NAME = re.compile(r" (?:on|against|into) (?:the )?(?=[A-Z])")
NAME_BEHIND = re.compile(
    r"(?:\s{1,4}(?:its|all|most of"
    r"|the(?: (?:[a-z][a-z-]{1,20} ){0,2}(?:company|maker|firm|publisher|start-up|app|service|bank|developer))?))?"
    r"\s{1,4}(?=[A-Z])"
)
_HAS_BEEN = r"(?:is|are|was|were|been|being|get|gets|got)"
# "How much was B fined", "How often has B been fined", and "B was fined".
_ASKED_OF = re.compile(rf"\b(?:is|are|was|were) (?:the )?(?P<name>{A_NAME}) $")
_DONE_TO = re.compile(rf"\b(?P<name>{A_NAME}) (?:(?:has|have|had|also|then) ){{0,2}}{_HAS_BEEN} $")
_OWNED = re.compile(rf"{A_NAME}['’]s ")  # "fight B's purchase" does nothing to B
AHEAD = 140


def _objects(text: str, units: Iterable[Unit], named: Iterable[frozenset[str]]) -> dict[str, frozenset[str]]:
    """The name to which a verb of the question is done, by the verb's term: behind it, or "was B fined"."""
    results: dict[str, frozenset[str]] = {}
    known = {unit.term for unit in units}
    for word in spans(text):
        if not text[word.start].islower() or stem(word.word) not in known:
            continue
        behind = NAME_BEHIND.match(text, word.end)
        if behind is None and stem(word.word) in IMPOSED:
            behind = ON_NAME.match(text, word.end)
        if behind and _OWNED.match(text, behind.end()):
            continue
        first = terms_of(text[behind.end() :].split(maxsplit=1)[0]) if behind else passive_subject(text, word)
        results |= {stem(word.word): name for name in named if first and first <= name}
    return results


def passive_subject(text: str, verb: Word) -> frozenset[str]:
    """The terms of the name to which "was B fined" or "B was fined" says that `verb` is done."""
    if not verb.word.endswith("ed"):
        return frozenset()
    ahead = text[max(0, verb.start - AHEAD) : verb.start]
    match = _ASKED_OF.search(ahead) or _DONE_TO.search(ahead)
    return terms_of(match["name"]) if match else frozenset()


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
    r"(?i)(?:which\s(?P<thing>(?!(?:is|was|are|were|did|does|do|has|had|have|can|of|in|at|on)\b)[a-z]{3,30})\s"
    r"|what\s(?P<what>[a-z]{3,30})\s(?:is|was|are|were|did|does|do|has|had|have)\s)"
)


def _said_in(text: str, units: Iterable[Unit]) -> list[int]:
    """Where a word of one of the units stands."""
    units = list(units)
    if any(unit.term == POSSESS for unit in units):
        return [verb.start() for verb in OWNS.finditer(text)]
    wanted = set[str]()
    for unit in units:
        wanted.update(unit.words, *unit.phrases)
    return [word.start for word in spans(text) if stem(word.word) in wanted]


# The chief of one thing is not the chief of another: what a lexicon does not spell otherwise has to be said whole.
_CHIEF, _OFFICER = tokens("chief officer")
_KNOWN_CHIEFS = terms_of("executive financial")


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
        known = phrases().get(term, ())
        phrase = next((each for each in known if tuple(wanted[at : at + len(each[0])]) == each[0]), None)
        if phrase is None:
            yield _unit(term, same_sense(term), is_light=term in LIGHT)
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
        aspect.aspect_type != "entity"
        or opening.lower() in (*AUXILIARIES, *SMALL_NUMBERS)
        or terms_of(opening) <= ASKING | LIGHT
        or (any(led.match(wording) for led in (_HEAD_OF, _SEVERAL_IN, _MOST_SO)) and is_common_word(opening))
    )
    # "Fines JPMorgan paid" was written with a capital by the plan: the members of a list are no name.
    begins = begins or (aspect.answer_kind == "list" and opening.endswith("s") and is_common_word(opening))
    if begins:
        wording = wording[:1].lower() + wording[1:]  # "Child of A" names A and no "Child"
    return " ".join((wording, *extra))


# "Parameter count of GPT-2", "History of the BEIR benchmark", "Outlook for Boeing": the first word begins the question.
_HEAD_OF = re.compile(
    r"[A-Z][a-z]+ (?:(?:[a-z]+ ){0,2}of|for|at|against|under|between|behind|about|from|by|with|over|into|on) "
    r"(?:the |an? )?[A-Z0-9]"
)
# "Strikes in the UK": no name is made of several of a kind.
_SEVERAL_IN = re.compile(r"[A-Z][a-z]+s in (?:the )?[A-Z0-9]")
# "Earliest date for the closing", but not "Forest Laboratories".
_MOST_SO = re.compile(r"[A-Z][a-z]{2,12}est [a-z]")


def _in_thousands(wording: str) -> list[str]:
    """The pieces of numbers that are written with commas: 40 and 000 of "40,000"."""
    return [piece for number in _DIGITS.findall(wording) for piece in re.split(r"[.,]", number)]


def _short_subject(aspect: QueryAspect) -> tuple[frozenset[str], ...]:
    """A subject of one or two words ("attention head") is taken as a name: no other word stands for it.

    Of a question that is asked as it stands it is one where it is no ordinary word ("psutil").
    """
    terms = terms_of(aspect.subject)
    is_name = aspect.aspect_type not in ("entity", "relation")
    is_name = is_name or not any(map(is_common_word, aspect.subject.split()))
    return (terms,) if is_name and 0 < len(terms) <= _SHORT else ()


_SHARE = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{1,3})?(?=\s?(?:%|per ?cent\b))")


_HALF = re.compile(r"(?i)(?<!first )(?<!second )(?<!last )\bhalf (?:of|the)\b")
_ABOUT_HALF = (45.0, 55.0)  # percent


def shares_in(text: str) -> frozenset[str]:
    """The percentages that a text says: 12.5 in "12.5 per cent", "half" in "half of" and in "51%"."""
    said = _SHARE.findall(text)
    least, most = _ABOUT_HALF
    near_half = (least <= float(each) <= most for each in said)
    is_half = _HALF.search(text) or any(near_half)
    return frozenset((*said, "half") if is_half else said)


def _exact_shares(aspect: QueryAspect) -> frozenset[str]:
    """The percentages that tell what is asked about, "10% of A"; none of "more than 10%" or of a yes-or-no question."""
    text = aspect.aspect
    if aspect.answer_kind == "yes_no":
        return frozenset()
    half = ("half",) if _HALF.search(text) else ()
    said = _SHARE.finditer(text)
    exact = (share[0] for share in said if not _ABOUT.search(text[: share.start()]))
    return frozenset((*half, *exact))


# "More than 4 billion" and "12% growth" may be told by other numbers.
_ABOUT = re.compile(
    r"(?i)\b(?:(?:more|less) than|over|under|about|around|nearly|almost|roughly|approximately|some|at least|up to"
    r"|above|below|exceed(?:s|ed|ing)?|in excess of) [$€£]?$"
)


def _exact_numbers(text: str) -> Iterator[str]:
    """The numbers that a text says as names, and not as a measure of something."""
    for number in _NUMBERED.finditer(text):
        if not text.startswith("%", number.end()) and not _ABOUT.search(text[: number.start()]):
            yield number[0]


def _names(text: str, dated: set[str]) -> tuple[frozenset[str], ...]:
    """The names and numbers of the text as sets of index terms; words that only ask are no names."""
    named = (name.text for name in names(text) if name.kind in ("name", "acronym", "quoted"))
    split = (_JOINT.split(without_country(name)) for name in named)
    sized = (match[0] for match in _SIZED.finditer(text))
    pieces = [*chain.from_iterable(split), *_exact_numbers(text), *sized]
    results = [terms_of(piece) - ASKING - dated - _ROLES for piece in pieces]
    whole = [terms for terms in dict.fromkeys(results) if terms]
    return tuple(terms for terms in whole if not any(terms < other for other in whole))
