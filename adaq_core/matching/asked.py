"""What an aspect asks of a passage, taken apart: names, what is said of them, numbers, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from adaq_core.matching.lexicon import (
    LIGHT_VERBS,
    DefinedTerm,
    Phrase,
    apart,
    compounds_in,
    contrary,
    defined_terms,
    in_plain_words,
    is_common_word,
    opposite,
    phrases,
    said_by_turns,
    same_sense,
    within_compounds,
)
from adaq_core.model import QueryAspect
from adaq_core.question.answer_kinds import AUXILIARIES, class_asked, without_asking
from adaq_core.question.conditions import COMPARED, IN_A_PAPER
from adaq_core.text.entities import COUNTRY_OF, names, without_country
from adaq_core.text.tokens import Sentence, Word, initials, read_sentences, spans, stem, terms_of, tokens, words
from adaq_core.text.values import MONTHS, SMALL_NUMBERS, may_state, stated_by_amounts

# Words by which a question asks or points, and that no answer repeats.
ASKING = frozenset(
    tokens(
        "timeline chronology "
        "since who what when where which why how much many every all tell give show explain describe reasons process "
        "mechanism causes role importance historical context definition against between versus among within "
        "definition company companies firm firms corpus document documents described kind type value "
        "main key biggest happened happen do does say said question answer according there people person "
        "year date day time place method methods thing things exactly please one ones get got hit currently now ever "
        "actually really roughly approximately mid anyone anybody someone lot "
        "called couldn didn doesn isn wasn weren won wouldn shouldn hasn haven hadn aren don mustn"
    )
)
# Words that say little of what is asked: an answer often does without them.
_LIGHT = LIGHT_VERBS | frozenset(
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
_ROLES = frozenset(tokens("CEO CFO COO CTO chairman president director"))
# "own" is a stop word of the index, but as a verb it is what is asked.
_OWN = re.compile(
    r"(?<=[A-Za-z] )(?<![’']s )(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )own(?:s|ed)?(?= [A-Za-z]|\W*$)"
)
# Who sells something to A is who A buys it from.
# "Sells chips to A" supplies A; data and shares that are sold to anybody are not supplied.
_SELLS_TO = re.compile(r"\bsells?(?= (?:(?!data|information|shares?|stakes?)[a-z-]{2,20} ){1,4}to )")
# "You may use it" allows it; "it may pose a risk" does not.
_MAY = "may"
_ALLOWED = re.compile(r"\bmay\b", re.IGNORECASE)
_POSSIBLE = re.compile(
    r"\bmay (?:also |still |even |not )?(?:affect|apply|become|cause|change|consider|contain|differ|have|include|lead"
    r"|need|occur|pose|require|result|vary|be (?:able|affected|considered|due|required|subject|unable))\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"(?:since )?when\b|(?:in )?(?:which|what) year\b", re.IGNORECASE)
_ORIGINS = frozenset(tokens("appear come release publish introduce develop invent create propose describe present"))
_ITS_YEAR = re.compile(r",? (?:\((?:from )?|from |of )(?:19|20)\d\d\b")
# What was bought is owned.
_OWNS = re.compile(
    r"\b(?:own(?:s|ed)|bought|acquired|purchased)\b"
    r"|(?<!\bits )(?<!\btheir )(?<!\bhis )(?<!\bher )(?<!\bfirst )(?<=[a-z] )own\b"
)
_POSSESS = "possess"
# Who sold a thing to B tells who bought it: "sold a stake in A to B".
SOLD_TO = re.compile(
    r"\b(?:sells?|sold|selling|sale of|divest(?:ed|s|ing)?)\b[^.;]{1,240}? to (?:the )?"
    r"(?P<buyer>[A-Z](?:[\w&’-]|\.(?=\w)){0,30}(?: [A-Z](?:[\w&’-]|\.(?=\w)){0,30}){0,5})"
)
_EDGE_OF_TIME = re.compile(
    rf"\b(?:at|by|since|until|from|towards?|before|after|near) the (end|start|beginning|close|middle) of "
    rf"(?:(?:the )?(?:fiscal|calendar) )?(?=(?:{'|'.join(MONTHS)}|Q[1-4]|FY|(?:19|20)\d\d)\b)"
)
_PAPERS = frozenset(tokens("report filing quarter year"))
# "Autumn 2022 filing: …", "What does A's July 2023 quarter filing warn about …".
_OF_A_PAPER = re.compile(
    r"\b(?:(?:early|late|mid|spring|summer|autumn|fall|winter)[ -])?20\d\d (?:quarter(?:ly)? )?"
    r"(?:10-?[QK]|filing|report)s?\b",
    re.IGNORECASE,
)
_GOES_WRONG = re.compile(r"\b(?:goes|go|going|gone|went) wrong\b", re.IGNORECASE)
BUY = frozenset(tokens("buy acquire purchase"))
_DOES = re.compile(r"\b(?:did|does|do|has|have|had|will) ")
_BY = re.compile(r"\s{1,3}by\s")
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
_DIGITS = re.compile(r"\d[\d.,]*")
_SIZED = re.compile(
    r"\b(?=[A-Z]\w{0,14}[A-Z\d])[A-Z][\w-]{1,20}[ -](?:base|large|small|tiny|mini|medium|xl)\b"
)  # "BERT large"
# "2026-28" and "2024/25" end a range that begins with a year.
_SHORT_END = re.compile(r"\b(?:19|20)\d\d[-–/](\d\d)\b")
_NUMBERED = re.compile(r"(?<![\w$€£.])(?<!(?:19|20)\d\d[-–/])[$€£]?\w*\d[\w.,]*")


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

    def is_denied(self, text: str, *, done: frozenset[str]) -> bool:
        """Whether `text` says that it is not so: "does not buy", "owns no", "gave up its purchase".

        Giving up that the question asks about, by one of the terms `done`, denies nothing.
        """
        beside = {match[side].lower() for match in _DENIAL.finditer(text) for side in ("before", "behind")}
        given_up = (match for match in _GIVEN_UP.finditer(text) if terms_of(match[0]).isdisjoint(done))
        left = (_UP_TO.match(text, match.end()) for match in given_up)
        beside |= {match["behind"].lower() for match in left if match}
        return any(stem(word) in self.words for word in beside)

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


_ACRONYM = re.compile(r"\b[A-Z]{3,6}\b")
_LETTERS = 3  # of an acronym that stands for itself


def _other_forms(text: str) -> Iterator[OtherForm]:
    """Acronyms in full and names by their initials."""
    for acronym in _ACRONYM.findall(text):
        in_full = " (?:(?:of|and|for|the) ){0,2}".join(rf"{letter}[a-z][\w’-]{{1,24}}" for letter in acronym)
        yield OtherForm(re.compile(rf"\b{in_full}"), terms_of(acronym))
    for name in names(text):
        letters = initials(name.text)
        if name.kind == "name" and len(letters) > 1:
            introduced = "" if len(letters) >= _LETTERS else f"({letters})"
            spelled = frozenset(term for term in terms_of(name.text) if not term.isdigit())
            yield OtherForm(re.compile(rf"\b{letters}\b"), spelled, introduced)


@dataclass(frozen=True, slots=True)
class Asked:
    """`names` are sets of terms that name things; `units` what is asked of them; `terms` all terms of the question.

    `wording` is what was read; `objects` the names that a unit is said to be done to ("buy A": A, by "buy");
    `of_class` the term of what the end of a chain is one of ("which database"); `doers` words for who does something,
    which do not say when or where it was done; `turned` the terms that stand for its turns of speech; `origins` those
    that ask when something came into the world; `verbs` those of words that may be verbs; `nations` the countries of
    names that are adjectives ("British customers"), `lands` those of names that are countries ("the UK"); `other_forms`
    how names are written in full or in short, and their terms.
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

    @property
    def is_light(self) -> bool:
        """Whether only verbs are asked of the names that people put for many others."""
        return bool(self.units) and all(unit.is_light for unit in self.units)

    def is_denied(self, text: str) -> bool:
        """Whether `text` says of anything asked that it is not so."""
        done = frozenset().union(*(unit.words for unit in self.units))
        return any(unit.is_denied(text, done=done) for unit in self.units)

    def read(self, text: str) -> list[Sentence]:
        """The sentences of `text` without the terms of words that only share their stem with a word of the question.

        Owning is said by "own", which is no index term; an amount, by the range of a rule that holds it.
        """
        defined = [each for each in defined_terms(text) if not each.terms.isdisjoint(self.terms)]
        shown = zip(read_sentences(text), shown_in(text), strict=True)
        return [self._read(sentence, own, defined, text) for sentence, own in shown]

    def _read(self, sentence: Sentence, shown: Shown, defined: Iterable[DefinedTerm], text: str) -> Sentence:
        terms = sentence.terms | self._said_otherwise(shown)
        for form in self.other_forms:
            terms |= form.terms if form.is_in(shown.text, text) else frozenset()
        for each in defined:
            terms |= each.terms & self.terms if each.is_in(shown.text) else frozenset()
        terms -= self.doers
        if shown.compounds:
            terms -= within_compounds(shown.text, shown.compounds, asked=self.wording)
        terms -= self._of_another_compound(shown.text, terms)
        other, same = apart(self.wording)
        written = set(words(shown.text)) if other else set[str]()
        if not written.isdisjoint(other) and written.isdisjoint(same):
            terms -= terms_of(" ".join(other))
        if shown.ends_a_time and not _ends_a_time(self.wording):
            terms -= _END
        if _MAY in terms and _MAY not in self.terms and not _ALLOWED.search(_POSSIBLE.sub(" ", shown.text)):
            terms -= {_MAY}
        return sentence if terms == sentence.terms else Sentence(sentence.start, sentence.end, terms)

    def _said_otherwise(self, shown: Shown) -> frozenset[str]:
        """The terms of the question that a text says in other words: a range, a turn of speech, a year, an owner."""
        text = shown.text
        said = stated_by_amounts(self.wording, text) if may_state(self.wording) else frozenset[str]()
        if self.turned:
            said |= self.turned & said_by_turns(text)
        if self.origins and self._is_dated(text):
            said |= self.origins
        if _POSSESS in self.wording and self._is_owned(text):
            said |= {_POSSESS}
        if shown.sold:
            buyer = terms_of(shown.sold["buyer"])
            said |= {unit.term for unit in self.units if unit.words & BUY and self._buys(unit, buyer)}
        return said

    def _buys(self, unit: Unit, buyer: frozenset[str]) -> bool:
        """Whether those to whom a text says something was sold may be who buys it in the question."""
        verb = next((word for word in spans(self.wording) if stem(word.word) == unit.term), None)
        ahead = self.wording[: verb.start] if verb else ""
        thing = self.objects.get(unit.term, frozenset())
        named = [name for name in self.names if name <= terms_of(ahead)] if _DOES.search(ahead) else []
        return verb is not None and thing.isdisjoint(buyer) and all(name <= buyer for name in named)

    def _is_dated(self, text: str) -> bool:
        """Whether a year stands right behind a name asked about: "QLoRA, from 2023,", "BERT (2018)"."""
        dated = (name for name in names(text) if _ITS_YEAR.match(text, name.end))
        return any(own <= terms_of(name.text) for name in dated for own in self.names)

    def _of_another_compound(self, text: str, terms: frozenset[str]) -> frozenset[str]:
        """The head of what is asked for, where a text with these terms says it only of another: a probation period."""
        first, head = _compound_in(self.wording)
        if not first or not head <= terms or first & (terms | ASKING | _LIGHT) or head & ASKING:
            return frozenset()
        ahead = [one for one, other in pairwise(words(text)) if terms_of(other) == head]
        of_another = ahead and all(one.isalpha() and terms_of(one) for one in ahead)
        return head if of_another else frozenset()

    def _is_owned(self, text: str) -> bool:
        """Whether `text` says that the owner asked about owns the thing asked about; "customers who own A" is not A.

        Who owns it stands close before the verb, opens the sentence, or stands behind "owned by"; a pronoun may be
        anybody.
        """
        owner, _, thing = self.wording.partition(_POSSESS)
        named = _NAME_AT_END.search(owner)
        owners = terms_of(named[0] if named else "") - ASKING
        things = terms_of(thing) - ASKING
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
        if done:
            over = _OVER.search(self.wording)
            meant = thing | terms_of(over[1]) if over else thing
            return all(meant.isdisjoint(to) for to in done)
        verbs = [word for word in spans(text) if stem(word.word) in unit.words]
        return bool(verbs) and all(_does_itself(thing, text, verb) for verb in verbs)


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


def begun_by_another(asked: Asked, unit: Unit, shown: Shown) -> bool:
    """Whether a text says `unit`, a word for beginning, only of what is not asked: "the track of A, which started"."""
    text = shown.text
    begun = [verb for verb in shown.begun if stem(verb[0].lower()) in unit.words]
    if not begun or len(begun) < sum(stem(word.word) in unit.words for word in spans(text)):
        return False
    return all(_is_another(asked, text[: verb.start()]) for verb in begun)


@lru_cache(maxsize=1 << 10)
def _compound_in(wording: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terms of the two words that together are asked for; none where one word is."""
    compound = _COMPOUND.match(wording)
    return (terms_of(compound["first"]), terms_of(compound["head"])) if compound else (frozenset(), frozenset())


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


def definite_heads(text: str) -> frozenset[str]:
    """The terms of what a text takes for known: "the plug"."""
    return frozenset(stem(match["head"]) for match in _DEFINITE.finditer(text))


def meant_by_head(asked: Asked, heads: frozenset[str], before: frozenset[str]) -> frozenset[str]:
    """The first words of compounds of which a text says the head alone: "the plug", a door plug before it."""
    pairs = _pairs_of_words(asked.wording) if heads else ()
    return frozenset(first for first, head in pairs if head in heads and {first, head} <= before)


@lru_cache(maxsize=1 << 10)
def _pairs_of_words(wording: str) -> tuple[tuple[str, str], ...]:
    return tuple((stem(pair["first"]), stem(pair["head"])) for pair in _TWO_WORDS.finditer(wording))


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


# "At the end of 2025" and "three months ended" end nothing.
_END_OF_TIME = re.compile(
    r"\bend of (?:the (?:year|quarter|month|decade)|(?:[A-Z][a-z]{2,8} )?(?:19|20)\d\d)\b"
    r"|\b(?i:months?|quarters?|years?|weeks?|periods?) (?i:end(?:ed|ing))\b"
)
_END = terms_of("end")


@lru_cache(maxsize=1 << 10)
def _ends_a_time(text: str) -> bool:
    return _END_OF_TIME.search(text) is not None


class Shown(NamedTuple):
    """What a sentence shows whatever is asked: its compounds, verbs of beginning, whether it ends a time, who bought.

    Nearly every sentence has none of these, and is read for every aspect.
    """

    text: str
    compounds: tuple[str, ...]
    begun: tuple[re.Match[str], ...]
    ends_a_time: bool
    sold: re.Match[str] | None


@lru_cache(maxsize=1 << 11)
def shown_in(text: str) -> tuple[Shown, ...]:
    """What each sentence of a passage shows."""
    return tuple(_shown(text[sentence.start : sentence.end]) for sentence in read_sentences(text))


def _shown(text: str) -> Shown:
    return Shown(
        text,
        compounds=compounds_in(text),
        begun=tuple(_BEGUN.finditer(text)),
        ends_a_time=_END_OF_TIME.search(text) is not None,
        sold=SOLD_TO.search(text),
    )


_PARTS_OF_LANDS = frozenset(tokens("country state region province county village"))
# Who described a thing first is who introduced it.
_FIRST = re.compile(
    r"\bfirst(?=\s(?:described?|proposed?|introduced?|published?|developed?|invented?|created?|presented?|wrote|coined|appear(?:s|ed)?)\b)"
    r"|\bfirst(?= (?:release|version|launch|presentation|appearance)\b)|(?<=ed )first(?=\W*$)"
)
_OWNER = re.compile(r"^[Oo]wner of (?:the )?")
# What is worded anew before it is read, one after another.
_NUMBER_OF = re.compile(r"^[Nn]umber of ")  # what is counted is asked, and no text has to say "number"
_REWORDED = (
    (_NUMBER_OF, ""),
    (_OWNER, _POSSESS),
    (_FIRST, ""),
    (_ORDER, ""),
    (_SELLS_TO, "supply"),
    (_OWN, _POSSESS),
    (_OUT_OF, r"\1 "),
)


@lru_cache(maxsize=1 << 12)
def asked_by(aspect: QueryAspect) -> Asked:
    """What `aspect` asks."""
    plain = _plain(aspect)
    text = without_asking(in_plain_words(plain))
    for pattern, instead in _REWORDED:
        text = pattern.sub(instead, text)
    # What keeps a condition is judged apart: "in 2025", "outside the United States".
    bound = (
        c
        for c in aspect.constraints
        if c.kind in ("date", "period", "form") or (c.kind == "negation" and c.value) or c.value == COMPARED
    )
    dated = {term for condition in bound for term in tokens(condition.text)}
    if dated:  # "in Q2 2024 (July)", "in May and July 2025", "at the end of 2025"
        dated |= {term for month in MONTHS if month in plain for term in tokens(month)}
        dated |= {term for edge in _EDGE_OF_TIME.finditer(plain) for term in tokens(edge[1])}
    named = _names(text, dated) or _short_subject(aspect)
    # "In which city" asks for a place: that it is a city is nothing that a text has to say. A county is said to be one.
    inside = frozenset().union(*named, class_asked(aspect.aspect, aspect.answer_kind) - _PARTS_OF_LANDS)
    # "The drugmaker that bought B" is any firm that a text says to have bought it.
    described = _DESCRIBED.match(text) if aspect.aspect_type == "relation" and aspect.answer_kind in _CLASSES else None
    inside |= terms_of(described["head"]) if described else frozenset()
    inside |= frozenset(_SHORT_END.findall(text))
    papers = chain(IN_A_PAPER.finditer(text), _OF_A_PAPER.finditer(text))
    told = [match.group() for match in papers]
    filed = terms_of(" ".join(told)) | (_PAPERS if told else frozenset())
    filed |= terms_of(" ".join(_GOES_WRONG.findall(text)))  # what does, is told by what happened
    wanted = [term for term in tokens(text) if term not in ASKING | dated | inside | filed]
    if not wanted and (kinds := _KINDS_OF.search(text)):
        wanted = tokens(kinds["of"] or kinds["before"])
    heads = {stem(match["head"].lower()) for each in (_GENERIC_HEAD, _TO_DO) for match in each.finditer(text)}
    units = tuple({unit.term: _lighter(unit, heads) for unit in _units(wanted)}.values())
    if aspect.answer_kind == "list" or _EITHER in aspect.aspect:
        units = _alternatives(text, units)
    if aspect.answer_kind == "yes_no":
        units = tuple(unit.either_way() for unit in units)
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
        lands={terms: land for word, land in COUNTRY_OF.items() if (terms := terms_of(word)) in named},
    )


_NATION = re.compile(r"\b(?P<nation>[A-Z][a-z]{2,14}) (?=[a-z]{3})")


def _nation(name: frozenset[str], text: str) -> str:
    """The country of a name that is an adjective in front of a common noun; empty for any other."""
    told = (match["nation"] for match in _NATION.finditer(text) if terms_of(match["nation"]) == name)
    return next((COUNTRY_OF[word] for word in told if word in COUNTRY_OF and COUNTRY_OF[word] != word), "")


_DESCRIBED = re.compile(r"(?P<head>[A-Za-z]{3,20}) (?:that|which|who) ")
_CAPITALISED = r"[A-Z][\w.&’-]{0,30}(?: [A-Z][\w.&’-]{0,30}){0,3}"
# What may be a verb: "slapped", and what stands behind "did A".
_VERB = re.compile(
    r"\b(?P<past>[a-z]{2,20}ed)\b|^[Hh]ow (?P<degree>[a-z]{3,20}) (?:was|is|were|are)\b"
    r"|\b(?:did|does|do|will|would|could|can|has|have|had|was|is|are|were) "
    rf"(?:{_CAPITALISED}|the [a-z]{{3,20}}) (?P<base>[a-z]{{3,20}})\b"
)
# "The Seagen deal" is Seagen, where the deal is only what it was.
_GENERIC_HEAD = re.compile(r"\b[A-Z][\w.&’-]{0,30} (?P<head>deal|affair|case|matter|saga|story|issue|business)\b")


# "What types of question does B have" asks of its questions, and "question" says something there.
_KINDS_OF = re.compile(
    r"\b(?:types|kinds|sorts|forms|categories) of (?P<of>[a-z-]{3,24})\b"
    r"|\b(?P<before>[a-z-]{3,24}) (?:types|kinds|categories)\b"
)
# "Agreed to invest in B" invested in B or said that it would.
_TO_DO = re.compile(
    r"(?<!\ba )(?<!\bthe )(?<!\bits )(?<!\bany )"  # no "plan to sell"
    r"\b(?P<head>agree|plan|decide|promise|intend|commit|offer|pledge)(?:d|s|ed|ned|ted|red)? to [a-z]",
    re.IGNORECASE,
)


def _lighter(unit: Unit, heads: set[str]) -> Unit:
    return replace(unit, is_light=True) if unit.term in heads else unit


# "Hired its founder" does not say when it was founded.
_DOERS = frozenset(tokens("founder inventor creator"))


_CLAUSES = re.compile(r"; |, (?:while|but|whereas|although|though) ")
# "Fight A over B" is done to both.
_OVER = re.compile(r" (?:over|about) (?:the )?([A-Z].{1,80})")
# "A fine on B" is done to B as "fined B" is.
_IMPOSED = frozenset(tokens("fine penalty sanction tariff ban lawsuit suit case complaint probe inquiry investigation"))
_ON_NAME = re.compile(r" (?:on|against|into) (?:the )?(?=[A-Z])")
_NAME_BEHIND = re.compile(
    r"(?:\s{1,4}(?:its|all|most of"
    r"|the(?: (?:[a-z][a-z-]{1,20} ){0,2}(?:company|maker|firm|publisher|start-up|app|service|bank|developer))?))?"
    r"\s{1,4}(?=[A-Z])"
)

_OF_NAME = re.compile(r" of (?:the )?(?=[A-Z])")  # "the purchase of B"
_HAS_BEEN = r"(?:is|are|was|were|been|being|get|gets|got)"
# "How much was B fined", "How often has B been fined", and "B was fined".
_ASKED_OF = re.compile(rf"\b(?:is|are|was|were) (?:the )?(?P<name>{_CAPITALISED}) $")
_DONE_TO = re.compile(rf"\b(?P<name>{_CAPITALISED}) (?:(?:has|have|had|also|then) ){{0,2}}{_HAS_BEEN} $")
_OWNED = re.compile(rf"{_CAPITALISED}['’]s ")  # "fight B's purchase" does nothing to B
_AHEAD = 140
_WHY_DONE = re.compile(r"\b(?:after|because|following|over|since|when)\b")  # "fined B after a complaint by C"


def _objects(text: str, units: Iterable[Unit], named: Iterable[frozenset[str]]) -> dict[str, frozenset[str]]:
    """The name to which a verb of the question is done, by the verb's term: behind it, or "was B fined"."""
    results: dict[str, frozenset[str]] = {}
    known = {unit.term for unit in units}
    for word in spans(text):
        if not text[word.start].islower() or stem(word.word) not in known:
            continue
        behind = _NAME_BEHIND.match(text, word.end)
        if behind is None and stem(word.word) in _IMPOSED:
            behind = _ON_NAME.match(text, word.end)
        if behind and _OWNED.match(text, behind.end()):
            continue
        first = terms_of(text[behind.end() :].split(maxsplit=1)[0]) if behind else _passive_subject(text, word)
        results |= {stem(word.word): name for name in named if first and first <= name}
    return results


# "A launched the first satellites" founds no A.
_DOING = re.compile(rf"\b(?P<name>{_CAPITALISED}) (?:(?:has|have|had|also|then) ){{0,2}}$")
_OBJECT = re.compile(r" (?:the|an?|its|their|his|her|one|two|three|several|\d+)\b")


_OF_FIRMS = terms_of("company inc corp corporation group")


def _does_itself(thing: frozenset[str], text: str, verb: Word) -> bool:
    """Whether a text says that `thing` does to something else what the question asks to be done to it."""
    doing = _DOING.search(text[max(0, verb.start - _AHEAD) : verb.start])
    # "William Boeing founded the company" is no act of Boeing.
    is_thing = doing is not None and thing <= terms_of(doing["name"]) <= thing | _OF_FIRMS
    return is_thing and _OBJECT.match(text, verb.end) is not None


def _passive_subject(text: str, verb: Word) -> frozenset[str]:
    """The terms of the name to which "was B fined" or "B was fined" says that `verb` is done."""
    if not verb.word.endswith("ed"):
        return frozenset()
    ahead = text[max(0, verb.start - _AHEAD) : verb.start]
    match = _ASKED_OF.search(ahead) or _DONE_TO.search(ahead)
    return terms_of(match["name"]) if match else frozenset()


def _done_to(unit: Unit, clause: str) -> Iterator[frozenset[str]]:
    """The terms behind each place where a clause says `unit` in front of a name."""
    for word in spans(clause):
        is_verb = clause[word.start].islower() and stem(word.word) in unit.words
        of_name = _ON_NAME if stem(word.word) in _IMPOSED else _OF_NAME  # "a complaint of B" is made by B
        if is_verb and (_NAME_BEHIND.match(clause, word.end) or of_name.match(clause, word.end)):
            yield terms_of(_WHY_DONE.split(clause[word.end :])[0])
        elif is_verb and (subject := _passive_subject(clause, word)):
            yield subject


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
    """Where a word of one of the units stands."""
    units = list(units)
    if any(unit.term == _POSSESS for unit in units):
        return [verb.start() for verb in _OWNS.finditer(text)]
    wanted = set[str]()
    for unit in units:
        wanted.update(unit.words, *unit.phrases)
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
        aspect.aspect_type != "entity"
        or opening.lower() in (*AUXILIARIES, *SMALL_NUMBERS)
        or terms_of(opening) <= ASKING | _LIGHT
        or ((_HEAD_OF.match(wording) or _MOST_SO.match(wording)) is not None and is_common_word(opening))
    )
    # "Fines JPMorgan paid" was written with a capital by the plan: the members of a list are no name.
    begins = begins or (aspect.answer_kind == "list" and opening.endswith("s") and is_common_word(opening))
    if begins:
        wording = wording[:1].lower() + wording[1:]  # "Child of A" names A and no "Child"
    return " ".join((wording, *extra))


# "Parameter count of GPT-2": the plan wrote the first word with a capital.
_HEAD_OF = re.compile(r"[A-Z][a-z]+ (?:[a-z]+ ){0,2}of [A-Z]")
# "Earliest date for the closing", but not "Forest Laboratories".
_MOST_SO = re.compile(r"[A-Z][a-z]{2,12}est [a-z]")


def _in_thousands(wording: str) -> list[str]:
    """The pieces of numbers that are written with commas: 40 and 000 of "40,000"."""
    return [piece for number in _DIGITS.findall(wording) for piece in re.split(r"[.,]", number)]


def _short_subject(aspect: QueryAspect) -> tuple[frozenset[str], ...]:
    """A subject of one or two words ("attention head") is taken as a name: no other word stands for it."""
    terms = terms_of(aspect.subject)
    if 0 < len(terms) <= _SHORT and aspect.aspect_type not in ("entity", "relation"):
        return (terms,)
    return ()


# "More than 4 billion" and "12% growth" may be told by other numbers.
_ABOUT = re.compile(
    r"\b(?:(?:more|less) than|over|under|about|around|nearly|almost|roughly|approximately|some|at least|up to) [$€£]?$",
    re.IGNORECASE,
)


def _exact_numbers(text: str) -> Iterator[str]:
    """The numbers that a text says as names, and not as a measure of something."""
    for number in _NUMBERED.finditer(text):
        if not text.startswith("%", number.end()) and not _ABOUT.search(text[: number.start()]):
            yield number[0]


def _names(text: str, dated: set[str]) -> tuple[frozenset[str], ...]:
    """The names and numbers of the text as sets of index terms; words that only ask are no names."""
    named = [n for n in names(text) if n.kind in ("name", "acronym", "quoted")]
    pieces = [piece for n in named for piece in _JOINT.split(without_country(n.text))]
    pieces += [*_exact_numbers(text), *(match[0] for match in _SIZED.finditer(text))]
    results = [terms_of(piece) - ASKING - dated - _ROLES for piece in pieces]
    whole = [terms for terms in dict.fromkeys(results) if terms]
    return tuple(terms for terms in whole if not any(terms < other for other in whole))
