"""What a text says of what is asked: in other words, of another thing, of who owns, begins, buys or does it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from adaq_core.matching.asked import (
    A_NAME,
    AHEAD,
    ASKING,
    IMPOSED,
    LIGHT,
    NAME_BEHIND,
    ON_NAME,
    OWNS,
    POSSESS,
    Asked,
    Unit,
    passive_subject,
)
from adaq_core.matching.lexicon import (
    DefinedTerm,
    apart,
    compounds_in,
    defined_terms,
    said_by_turns,
    within_compounds,
)
from adaq_core.question.answer_kinds import AUXILIARIES
from adaq_core.text.entities import names
from adaq_core.text.tokens import Sentence, Word, read_sentences, spans, stem, terms_of, tokens, words
from adaq_core.text.values import may_state, stated_by_amounts

# Of these verbs the one who begins stands before them: "production started again" is nothing on who started a firm.
_BEGUN = re.compile(
    r"\b(?:started|starts|began|begins|begun|launched|opened|entered)\b"
    r"(?! (?:(?:the|an?|its|his|her|their|this)\b|[A-Z]))"
)
# "At the end of 2025" and "three months ended" end nothing.
_END_OF_TIME = re.compile(
    r"\bend of (?:the (?:year|quarter|month|decade)|(?:[A-Z][a-z]{2,8} )?(?:19|20)\d\d)\b"
    r"|\b(?i:months?|quarters?|years?|weeks?|periods?) (?i:end(?:ed|ing))\b"
)
# Who sold a thing to B tells who bought it: "sold a stake in A to B".
SOLD_TO = re.compile(
    r"\b(?:sells?|sold|selling|sale of|divest(?:ed|s|ing)?)\b[^.;]{1,240}? to (?:the )?"
    r"(?P<buyer>[A-Z](?:[\w&’-]|\.(?=\w)){0,30}(?: [A-Z](?:[\w&’-]|\.(?=\w)){0,30}){0,5})"
)


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


# Of which one stands in each sentence that begins or sells something, or ends a time.
_MARKS = ("start", "beg", "launch", "open", "enter", "end", "sell", "sold", "sale", "divest")


def _shown(text: str) -> Shown:
    is_marked = any(map(text.casefold().__contains__, _MARKS))
    return Shown(
        text,
        compounds=compounds_in(text),
        begun=tuple(_BEGUN.finditer(text)) if is_marked else (),
        ends_a_time=is_marked and _END_OF_TIME.search(text) is not None,
        sold=SOLD_TO.search(text) if is_marked else None,
    )


# "You may use it" allows it; "it may pose a risk" does not.
_MAY = "may"
_ALLOWED = re.compile(r"\bmay\b", re.IGNORECASE)
_POSSIBLE = re.compile(
    r"\bmay (?:also |still |even |not )?(?:affect|apply|become|cause|change|consider|contain|differ|have|include|lead"
    r"|need|occur|pose|require|result|vary|be (?:able|affected|considered|due|required|subject|unable))\b",
    re.IGNORECASE,
)
_END = terms_of("end")


def read_for(asked: Asked, text: str) -> list[Sentence]:
    """The sentences of `text` without the terms of words that only share their stem with a word of the question.

    Owning is said by "own", which is no index term; an amount, by the range of a rule that holds it.
    """
    defined = [each for each in defined_terms(text) if not each.terms.isdisjoint(asked.terms)]
    shown = zip(read_sentences(text), shown_in(text), strict=True)
    return [_read(asked, sentence, own, defined, text) for sentence, own in shown]


def _read(asked: Asked, sentence: Sentence, shown: Shown, defined: Iterable[DefinedTerm], text: str) -> Sentence:
    terms = sentence.terms | _said_otherwise(asked, shown)
    for form in asked.other_forms:
        terms |= form.terms if form.is_in(shown.text, text) else frozenset()
    for each in defined:
        terms |= each.terms & asked.terms if each.is_in(shown.text) else frozenset()
    terms -= asked.doers
    if shown.compounds:
        terms -= within_compounds(shown.text, shown.compounds, asked=asked.wording)
    terms -= _of_another_compound(asked, shown.text, terms)
    other, same = apart(asked.wording)
    written = set(words(shown.text)) if other else set[str]()
    if not written.isdisjoint(other) and written.isdisjoint(same):
        terms -= terms_of(" ".join(other))
    if shown.ends_a_time and not _ends_a_time(asked.wording):
        terms -= _END
    if _MAY in terms and _MAY not in asked.terms and not _ALLOWED.search(_POSSIBLE.sub(" ", shown.text)):
        terms -= {_MAY}
    return sentence if terms == sentence.terms else Sentence(sentence.start, sentence.end, terms)


@lru_cache(maxsize=1 << 10)
def _ends_a_time(text: str) -> bool:
    return _END_OF_TIME.search(text) is not None


def _said_otherwise(asked: Asked, shown: Shown) -> frozenset[str]:
    """The terms of the question that a text says in other words: a range, a turn of speech, a year, an owner."""
    text = shown.text
    said = stated_by_amounts(asked.wording, text) if may_state(asked.wording) else frozenset[str]()
    if asked.turned:
        said |= asked.turned & said_by_turns(text)
    if asked.origins and _is_dated(asked, text):
        said |= asked.origins
    if POSSESS in asked.wording and _is_owned(asked, text):
        said |= {POSSESS}
    if shown.sold:
        buyer = terms_of(shown.sold["buyer"])
        said |= {unit.term for unit in asked.units if unit.words & BUY and _buys(asked, unit, buyer)}
    return said


_ITS_YEAR = re.compile(r",? (?:\((?:from )?|from |of )(?:19|20)\d\d\b")


def _is_dated(asked: Asked, text: str) -> bool:
    """Whether a year stands right behind a name asked about: "QLoRA, from 2023,", "BERT (2018)"."""
    dated = (name for name in names(text) if _ITS_YEAR.match(text, name.end))
    return any(own <= terms_of(name.text) for name in dated for own in asked.names)


# What is asked for by two words: a notice period, a pay rise.
_COMPOUND = re.compile(
    r"(?:what|which) (?:(?:is|are|was|were) (?:the|its|their) )?(?P<first>[a-z]{3,24}) (?P<head>[a-z]{3,24})"
    rf"(?= (?:of|for|in|at|on|{'|'.join(AUXILIARIES)})\b)",
    re.IGNORECASE,
)


def _of_another_compound(asked: Asked, text: str, terms: frozenset[str]) -> frozenset[str]:
    """The head of what is asked for, where a text with these terms says it only of another: a probation period."""
    first, head = _compound_in(asked.wording)
    if not first or not head <= terms or first & (terms | ASKING | LIGHT) or head & ASKING:
        return frozenset()
    ahead = [one for one, other in pairwise(words(text)) if terms_of(other) == head]
    of_another = ahead and all(one.isalpha() and terms_of(one) for one in ahead)
    return head if of_another else frozenset()


@lru_cache(maxsize=1 << 10)
def _compound_in(wording: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terms of the two words that together are asked for; none where one word is."""
    compound = _COMPOUND.match(wording)
    return (terms_of(compound["first"]), terms_of(compound["head"])) if compound else (frozenset(), frozenset())


_BY = re.compile(r"\s{1,3}by\s")
_NEXT_CLAUSE = re.compile(r"; |, (?:and|but|so|while|which|although) (?=[a-z])")
_NAME_AT_END = re.compile(r"(?:\b[A-Z][\w.&’'-]{0,30}\s){1,5}$")
_OWNER_WORDS = 4
_RELATIVE = frozenset(("who", "which", "that"))
_ANYBODY = frozenset(("it", "they", "he", "she", "we", "company", "firm", "group"))


def _is_owned(asked: Asked, text: str) -> bool:
    """Whether `text` says that the owner asked about owns the thing asked about; "customers who own A" is not A.

    Who owns it stands close before the verb, opens the sentence, or stands behind "owned by"; a pronoun may be
    anybody.
    """
    owner, _, thing = asked.wording.partition(POSSESS)
    named = _NAME_AT_END.search(owner)
    owners = terms_of(named[0] if named else "") - ASKING
    things = terms_of(thing) - ASKING
    for verb in OWNS.finditer(text):
        before = text[: verb.start()]
        behind = text[verb.end() :]
        if _BY.match(behind):
            before, behind = behind, before
        is_owner = not owners or owners <= _owner_in(before) or _anybody_in(before)
        if is_owner and (not things or not things.isdisjoint(terms_of(_NEXT_CLAUSE.split(behind)[0]))):
            return True
    return False


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


BUY = frozenset(tokens("buy acquire purchase"))
_DOES = re.compile(r"\b(?:did|does|do|has|have|had|will) ")


def _buys(asked: Asked, unit: Unit, buyer: frozenset[str]) -> bool:
    """Whether those to whom a text says something was sold may be who buys it in the question."""
    verb = next((word for word in spans(asked.wording) if stem(word.word) == unit.term), None)
    ahead = asked.wording[: verb.start] if verb else ""
    thing = asked.objects.get(unit.term, frozenset())
    named = [name for name in asked.names if name <= terms_of(ahead)] if _DOES.search(ahead) else []
    return verb is not None and thing.isdisjoint(buyer) and all(name <= buyer for name in named)


_DEFINITE = re.compile(r"\b(?:[Tt]he|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose) (?P<head>[a-z]{3,24})\b")
_TWO_WORDS = re.compile(r"(?=\b(?P<first>[a-z]{3,24}) (?P<head>[a-z]{3,24})\b)")


def _definite_heads(text: str) -> frozenset[str]:
    """The terms of what a text takes for known: "the plug"."""
    return frozenset(stem(match["head"]) for match in _DEFINITE.finditer(text))


def meant_by_head(pairs: Sequence[tuple[str, str]], text: str, before: frozenset[str]) -> frozenset[str]:
    """The first words of compounds of which a text says the head alone: "the plug", a door plug before it."""
    said = [pair for pair in pairs if before.issuperset(pair)] if pairs else pairs
    heads = _definite_heads(text) if said else frozenset[str]()
    return frozenset(first for first, head in said if head in heads)


@lru_cache(maxsize=1 << 10)
def pairs_of_words(wording: str) -> tuple[tuple[str, str], ...]:
    """What may be a compound in a question, as the terms of its two words."""
    return tuple((stem(pair["first"]), stem(pair["head"])) for pair in _TWO_WORDS.finditer(wording))


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


def _is_another(asked: Asked, before: str) -> bool:
    subject = _BEFORE_VERB.search(before[-80:])
    if subject is None or subject["head"].lower() in _PASSIVE | _ANYBODY:
        return False
    head = terms_of(subject["of"].split()[0] if subject["of"] else subject["head"])
    # A name may stand in a phrase behind the one who begins: "the office at Park Avenue in New York opened".
    is_sure = subject["of"] is not None or subject["head"].islower()
    return is_sure and bool(head) and head.isdisjoint(asked.terms)


_CLAUSES = re.compile(r"; |, (?:while|but|whereas|although|though) ")
# "Fight A over B" is done to both.
_OVER = re.compile(r" (?:over|about) (?:the )?([A-Z].{1,80})")
_OF_NAME = re.compile(r" of (?:the )?(?=[A-Z])")  # "the purchase of B"
_WHY_DONE = re.compile(r"\b(?:after|because|following|over|since|when)\b")  # "fined B after a complaint by C"


def is_done_to_another(asked: Asked, unit: Unit, thing: frozenset[str], text: str) -> bool:
    """Whether `text` says `unit` of other names than `thing`: "buy B" for "buy A"."""
    done = [to for clause in _CLAUSES.split(text) for to in _done_to(unit, clause)]
    if done:
        over = _OVER.search(asked.wording)
        meant = thing | terms_of(over[1]) if over else thing
        return all(meant.isdisjoint(to) for to in done)
    verbs = [word for word in spans(text) if stem(word.word) in unit.words]
    return bool(verbs) and all(_does_itself(thing, text, verb) for verb in verbs)


def _done_to(unit: Unit, clause: str) -> Iterator[frozenset[str]]:
    """The terms behind each place where a clause says `unit` in front of a name."""
    for word in spans(clause):
        is_verb = clause[word.start].islower() and stem(word.word) in unit.words
        of_name = ON_NAME if stem(word.word) in IMPOSED else _OF_NAME  # "a complaint of B" is made by B
        if is_verb and (NAME_BEHIND.match(clause, word.end) or of_name.match(clause, word.end)):
            yield terms_of(_WHY_DONE.split(clause[word.end :])[0])
        elif is_verb and (subject := passive_subject(clause, word)):
            yield subject


# "A launched the first satellites" founds no A.
_DOING = re.compile(rf"\b(?P<name>{A_NAME}) (?:(?:has|have|had|also|then) ){{0,2}}$")
_OBJECT = re.compile(r" (?:the|an?|its|their|his|her|one|two|three|several|\d+)\b")
_OF_FIRMS = terms_of("company inc corp corporation group")


def _does_itself(thing: frozenset[str], text: str, verb: Word) -> bool:
    """Whether a text says that `thing` does to something else what the question asks to be done to it."""
    doing = _DOING.search(text[max(0, verb.start - AHEAD) : verb.start])
    # "William Boeing founded the company" is no act of Boeing.
    is_thing = doing is not None and thing <= terms_of(doing["name"]) <= thing | _OF_FIRMS
    return is_thing and _OBJECT.match(text, verb.end) is not None


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


def denies_what_is_asked(asked: Asked, text: str) -> bool:
    """Whether `text` says of anything asked that it is not so: "does not buy", "owns no", "gave up its purchase".

    Giving up that the question asks about denies nothing.
    """
    done = frozenset().union(*(unit.words for unit in asked.units))
    beside = {match[side].lower() for match in _DENIAL.finditer(text) for side in ("before", "behind")}
    given_up = (match for match in _GIVEN_UP.finditer(text) if terms_of(match[0]).isdisjoint(done))
    left = (_UP_TO.match(text, match.end()) for match in given_up)
    beside |= {match["behind"].lower() for match in left if match}
    return any(stem(word) in done for word in beside)
