"""What a text says of what is asked: in other words, of another thing, of who owns, begins, buys or does it.

And what it tells by its form: below a question or heading, behind a label or number, signed, or in somebody's turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from adaq_core.matching.answer_shapes import UNIT_OF_LENGTH
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
    OtherForm,
    Unit,
    passive_subject,
)
from adaq_core.matching.lexicon import (
    DefinedTerm,
    apart,
    compounds_in,
    defined_terms,
    in_plain_words,
    may_take_turns,
    said_by_turns,
    within_compounds,
)
from adaq_core.matching.naming import headings_of, is_form_line, is_heading, terms_above
from adaq_core.model import Passage, QueryAspect
from adaq_core.question.answer_kinds import AUXILIARIES
from adaq_core.text.entities import names
from adaq_core.text.passages import BELOW
from adaq_core.text.tokens import Sentence, Word, read_sentences, spans, stem, terms_of, tokens, words
from adaq_core.text.values import SPELLED_NUMBER, dates, may_be_stated, may_state, stated_by_amounts

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


# "Against us" tells nothing of the United States.
_US = "us"
_THE_STATES = re.compile(r"\bU\.? ?S\b")
# "You may use it" allows it; "it may pose a risk" does not.
_MAY = "may"
_OF_TWO_SENSES = frozenset((_US, _MAY))
_ALLOWED = re.compile(r"(?i)\bmay\b")
_POSSIBLE = re.compile(
    r"(?i)\bmay (?:also |still |even |not )?(?:affect|apply|become|cause|change|consider|contain|differ|have"
    r"|include|lead"
    r"|need|occur|pose|require|result|vary|be (?:able|affected|considered|due|required|subject|unable))\b"
)
_END = terms_of("end")


def read_for(asked: Asked, text: str) -> list[Sentence]:
    """The sentences of `text` without the terms of words that only share their stem with a word of the question.

    Owning is said by "own", which is no index term; an amount, by the range of a rule that holds it.
    """
    defined, forms = _named_otherwise(asked, text)
    is_altered = (
        bool(defined or forms or asked.doers) or _may_be_said_otherwise(asked) or _may_be_of_another(asked.wording)
    )
    shown = zip(read_sentences(text), shown_in(text), strict=True)
    return [
        _read(asked, sentence, own, defined, forms, text) if is_altered or _is_altered(sentence, own) else sentence
        for sentence, own in shown
    ]


def may_say(asked: Asked, text: str) -> frozenset[str]:
    """The terms that the sentences of `text` hold, and those that they may say of what is asked in other words.

    They are a superset of the terms in `read_for`, and found at once.
    """
    defined, forms = _named_otherwise(asked, text)
    otherwise = _may_be_told(asked, text) if _may_be_said_otherwise(asked) else frozenset[str]()
    if defined:
        otherwise |= asked.terms & frozenset().union(*(each.terms for each in defined))
    own = _terms_in(text)
    return own.union(otherwise, *(form.terms for form in forms)) if otherwise or forms else own


_MARKS_OF_A_SALE = ("sell", "sold", "sale", "divest")


def _may_be_told(asked: Asked, text: str) -> frozenset[str]:
    """The terms of `_said_otherwise` that some sentence of `text` may say, by a look at it as a whole."""
    told = may_be_stated(asked.wording, text)
    if asked.turned and may_take_turns(text):
        told |= asked.turned
    if asked.origins and _ITS_YEAR.search(text):
        told |= asked.origins
    if POSSESS in asked.wording and (OWNS.search(text) or _HOLDS_A_SHARE.search(text)):
        told |= {POSSESS}
    if any(map(text.casefold().__contains__, _MARKS_OF_A_SALE)):
        told |= {unit.term for unit in asked.units if unit.words & BUY}
    return told


@lru_cache(maxsize=1 << 11)
def _terms_in(text: str) -> frozenset[str]:
    """The terms of all sentences of a passage; for each aspect it is asked whether they hold a name."""
    return frozenset().union(*(sentence.terms for sentence in read_sentences(text)))


def _named_otherwise(asked: Asked, text: str) -> tuple[list[DefinedTerm], list[OtherForm]]:
    """What a text defines of what is asked, and the other forms of its names that the text writes."""
    defined = [each for each in defined_terms(text) if not each.terms.isdisjoint(asked.terms)]
    return defined, [form for form in asked.other_forms if form.is_in(text, text)]


def _may_be_said_otherwise(asked: Asked) -> bool:
    """Whether a sentence may say something of what is asked by none of its words."""
    is_told = asked.turned or asked.origins or POSSESS in asked.wording or may_state(asked.wording)
    return bool(is_told) or any(not unit.words.isdisjoint(BUY) for unit in asked.units)


@lru_cache(maxsize=1 << 10)
def _may_be_of_another(wording: str) -> bool:
    """Whether a question holds a word that a sentence may say of something else."""
    return bool(_compound_in(wording)[0] or apart(wording)[0])


def _is_altered(sentence: Sentence, shown: Shown) -> bool:
    """Whether a sentence holds a word that may mean something else than in any question."""
    is_alike = not sentence.terms.isdisjoint(_OF_TWO_SENSES)
    return is_alike or bool(shown.compounds) or shown.ends_a_time


def _read(
    asked: Asked,
    sentence: Sentence,
    shown: Shown,
    defined: Iterable[DefinedTerm],
    forms: Iterable[OtherForm],
    text: str,
) -> Sentence:
    terms = sentence.terms | _said_otherwise(asked, shown)
    for form in forms:
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
    if _US in terms - asked.terms and not _THE_STATES.search(shown.text):
        terms -= {_US}
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
    r"(?i)(?:what|which) (?:(?:is|are|was|were) (?:the|its|their) )?(?P<first>[a-z]{3,24}) (?P<head>[a-z]{3,24})"
    rf"(?= (?:of|for|in|at|on|{'|'.join(AUXILIARIES)})\b)"
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
# Who is left with 27 percent of a firm owns that much of it.
_HOLDS_A_SHARE = re.compile(
    r"\b(?:with|holds?|held|holding|has|had|have|keeps?|kept|retains?|retained) (?:[a-z]{1,8} ){0,2}"
    r"\d[\d.]{0,6} ?(?:percent|per cent|%)(?: stake| share| interest)?(?= (?:of|in) )"
)
_NEXT_CLAUSE = re.compile(r"; |, (?:and|but|so|while|which|although) (?=[a-z])")
_NAME_AT_END = re.compile(r"(?:\b[A-Z][\w.&’'-]{0,30}\s){1,5}$")
_IT_IS = re.compile(r"(?:It|The [a-z]{3,20}) (?:is|was|are|were|has been) (?:[a-z]{2,16} )?")  # "The team is owned by"
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
    for verb in chain(OWNS.finditer(text), _HOLDS_A_SHARE.finditer(text)):
        before = text[: verb.start()]
        behind = text[verb.end() :]
        if _BY.match(behind):
            before, behind = behind, before
        is_owner = not owners or owners <= _owner_in(before) or _anybody_in(before)
        is_it = not things or _IT_IS.fullmatch(behind) is not None
        if is_owner and (is_it or not things.isdisjoint(terms_of(_NEXT_CLAUSE.split(behind)[0]))):
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


BUY = terms_of("buy acquire purchase")
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


_HYPHENED = re.compile(r"\b(?P<first>[a-z]{2,24})-(?P<head>[a-z]{3,24})\b")
Compound = tuple[frozenset[str], re.Pattern[str]]
_INFLECTED = 2  # letters at the end of a word that another form of it may not have


@lru_cache(maxsize=1 << 10)
def hyphened_in(wording: str) -> tuple[Compound, ...]:
    """The terms of the compounds that a question writes with a hyphen, and how a text may write each."""
    results: list[Compound] = []
    for match in _HYPHENED.finditer(wording):
        first, head = match.groups()
        shortest = head[: max(3, len(head) - _INFLECTED)]
        written = re.compile(rf"(?i)\b{first}[- ]?{shortest}")
        results.append((terms_of(f"{first} {head}"), written))
    return tuple(results)


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
# "Fined B after a complaint by C", "launched A as a rival of B".
_WHY_DONE = re.compile(r"\b(?:after|because|following|over|since|when|as an?)\b")


def is_done_to_another(asked: Asked, unit: Unit, thing: frozenset[str], text: str) -> bool:
    """Whether `text` says `unit` of other names than `thing`: "buy B" for "buy A"."""
    text = in_plain_words(text) if unit.term in asked.turned else text  # "took over A" is what was acquired
    done = [to for clause in _CLAUSES.split(text) for to in _done_to(unit, clause)]
    if done:
        over = _OVER.search(asked.wording)
        meant = thing | terms_of(over[1]) if over else thing
        return all(meant.isdisjoint(to) for to in done)
    verbs = [word for word in spans(text) if stem(word.word) in unit.words]
    return bool(verbs) and all(_does_itself(thing, text, verb) or _has_it_from(thing, text, verb) for verb in verbs)


def _done_to(unit: Unit, clause: str) -> Iterator[frozenset[str]]:
    """The terms behind each place where a clause says `unit` in front of a name."""
    for word in spans(clause):
        is_verb = clause[word.start].islower() and stem(word.word.removeprefix("co-")) in unit.words
        of_name = ON_NAME if stem(word.word) in IMPOSED else _OF_NAME  # "a complaint of B" is made by B
        if is_verb and (NAME_BEHIND.match(clause, word.end) or of_name.match(clause, word.end)):
            yield terms_of(_WHY_DONE.split(clause[word.end :])[0])
        elif is_verb and (subject := passive_subject(clause, word)):
            yield subject


_FROM = re.compile(rf" from (?:the )?(?P<name>{A_NAME})")


def _has_it_from(thing: frozenset[str], text: str, verb: Word) -> bool:
    """Whether what is bought is something else that comes from `thing`: "A buys processors from B" buys no B."""
    source = _FROM.search(text, verb.end) if stem(verb.word) in BUY else None
    return (
        source is not None
        and thing <= terms_of(source["name"])
        and thing.isdisjoint(terms_of(text[verb.end : source.start()]))
    )


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


# "owns no factories", "did not yet buy"; "not only" and "no earlier than" deny nothing.
_DENIAL = re.compile(
    r"(?i)(?P<before>\w{2,20}) (?:no|not|never)(?! only\b| (?:earli|lat|soon|few|long)er than\b| (?:more|less) than\b)"
    r"(?: (?:yet|ever|also))? (?P<behind>\w{2,20})"
)
# "gave up its purchase of B": what was given up was not done.
_GIVEN_UP = re.compile(
    r"(?i)\b(?:gave|give|gives|given|giving) up|\b(?:abandon|cancel|scrap)\w{0,5}|\b(?:call(?:ed|s)?|broken?|broke) off"
    r"|\bwithdr[ae]w\w{0,3}(?: from)?|\b(?:refused|failed|declined) to"
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


_ALIKE = 0.8  # share of the terms of two questions that both have
_FEWEST_TERMS = 2  # such terms
_FEW_TERMS = 3  # terms of a sentence that the next one goes on with: "Go ahead."
_LONGEST_VALUE = 30  # words of a value
_ASKS_FOR = re.compile(
    r"(?i)^(?:what|which)\s(?:is|are|was|were)\s(?:the|our|your|my|its|their)\s(?P<head>[^?,;:]{3,80}?)"
    r"(?P<rest>\s(?:of|for|in|on|at)\s[^?]{2,80})?\??$"
)


def _told_below(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The first sentence below a question that asks what the aspect does, and the next where it is but a word."""
    if "?" not in passage.text:
        return ()
    wanted = terms_of(aspect.aspect)
    sentences = read_sentences(passage.text)
    for number, sentence in enumerate(sentences):
        if passage.text[sentence.end - 1] != "?" or not _asks_the_same(wanted, sentence.terms):
            continue
        below = sentences[number + 1 : number + 3]
        if below and passage.text[below[0].end - 1] != "?":
            return tuple(below if len(below[0].terms) <= _FEW_TERMS else below[:1])
    return ()


def _asks_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    both = len(one & other)
    return both >= max(_FEWEST_TERMS, _ALIKE * max(len(one), len(other)))


def _told_by_label(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The lines whose label is what is asked for: "Booking Reference Number: B210154"."""
    asked = _ASKS_FOR.match(aspect.aspect)
    if asked is None:
        return ()
    head, rest = terms_of(asked["head"]), terms_of(asked["rest"] or "")
    told = [s for s in read_sentences(passage.text) if head and is_form_line(passage.text[s.start : s.end])]
    told = [s for s in told if _is_labelled(passage.text[s.start : s.end], head, rest)]
    known = terms_of(passage.title) | terms_of(passage.text)
    return tuple(told) if head | rest <= known else ()


_ASKS_UNTIL_WHEN = re.compile(
    r"(?i)^(?:until|till|to|up\sto)\swhen\s(?:is|are|was|were|does|do)\s(?P<what>[^?]{3,80}?)\s(?P<state>[a-z]{3,12})\??$"
)
_UNTIL = re.compile(
    r"(?i)(?P<state>[a-z]{3,12}) (?:until|till|to|through): {1,4}\S|(?P<ends>expir(?:es|y)\b[a-z ]{0,12}): "
)


def _told_by_end(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """Until when something is so, by the line that is called so: "Valid until: 30 June 2026"."""
    asked = _ASKS_UNTIL_WHEN.match(aspect.aspect)
    if asked is None or len(terms_of(asked["what"]) - _known_of(passage)) > 0:
        return ()
    state, told = stem(asked["state"].lower()), list[Sentence]()
    for sentence in read_sentences(passage.text):
        label = _UNTIL.match(passage.text, sentence.start, sentence.end)
        if label and (label["ends"] or stem(label["state"].lower()) == state):
            told.append(sentence)
    return tuple(told)


def _is_labelled(line: str, head: frozenset[str], rest: frozenset[str]) -> bool:
    """Whether a label says all of what is asked for and nothing else, in front of a value and not of a text."""
    label, _, value = line.partition(":")
    return head <= terms_of(label) <= head | rest and len(value.split()) <= _LONGEST_VALUE


# What a question may ask of a meeting or a paper, and the labels that tell it there; a role asks for its own as well.
_LABELS_OF_DEEDS: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (asks, terms_of(labels))
    for asks, labels in (
        (
            r"attended|joined|(?:took\spart|participated)\sin|came\sto|(?:was|were)\s(?:there|present)(?:\s(?:at|on|in))?"
            r"|(?:was|were)\sat",
            "present attendees attendance participants",
        ),
        (
            r"(?:was|were)\s(?:absent|missing|excused)(?:\s(?:from|at|on|in))?|missed|(?:did\snot|didn['’]t)\sattend"
            r"|(?:sent|gave)\s(?:their\s)?(?:apologies|regrets)(?:\s(?:for|to|at|on|in))?",
            "apologies regrets absent excused",
        ),
        (
            r"(?:took|takes|kept|wrote|recorded)\s(?:down\s)?(?:the\s)?(?:minutes|notes)(?:\s(?:of|for|at|on|in))?",
            "scribe minutes notes notetaker recorder secretary clerk",
        ),
        (r"(?:chaired|led|ran|moderated)", "chair chairperson chairman moderator facilitator"),
    )
)
_DEEDS = "|".join(asks for asks, _ in _LABELS_OF_DEEDS)
_ASKS_WHO_DID = re.compile(
    rf"(?i)^who\s(?:(?P<deed>{_DEEDS})|(?:is|was|are|were)\sthe\s(?P<role>[a-z][a-z-]{{2,20}}(?:\s[a-z]{{2,20}})?)"
    r"(?:\s(?:of|at|for|on|in))?|(?P<did>[a-z]{3,16}(?:ed|s)))\s(?P<what>[^?]{3,80})\??$"
)
_LABEL_AHEAD = re.compile(
    r"(?P<label>[A-Z][A-Za-z-]{1,24}(?: [A-Za-z-]{1,24}){0,3}) ?:(?:\s{1,4}|$)(?P<value>.*)", re.DOTALL
)
_LABEL_INSIDE = re.compile(r"(?<=\S )(?P<label>[A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20})?): (?=\S)")  # lines run together
_OF_MEETINGS = terms_of("meeting minutes session call")
_LONGEST_OF_LIST, _MOST_OF_LIST = 8, 40  # words of a line below a label; such lines


def _told_by_doer(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The line that names by its label who did what a passage is about, or was there: "Presenter: Ann Lee".

    Behind a label without a name they stand in the lines below it. A label below a line of its own, as that of a risk
    on a slide, is of what the line says.
    """
    asked = _ASKS_WHO_DID.match(aspect.aspect)
    if asked is None:
        return ()
    of_time = [date.span for date in dates(asked["what"])]
    what = _without(of_time, asked["what"])
    section = dict(passage.metadata).get("section", "")  # of a slide too
    below = what - terms_of(section) - _called(passage) - _OF_MEETINGS
    if not (what or of_time) or not below <= terms_of(passage.text):
        return ()
    return tuple(_labelled(passage, below, lambda label: _names_doer(label, asked, what)))


def _without(parts: Sequence[tuple[int, int]], text: str) -> frozenset[str]:
    """The terms of a text but those of some parts of it."""
    for start, end in reversed(parts):
        text = text[:start] + text[end:]
    return terms_of(text)


def _labelled(passage: Passage, below: frozenset[str], is_asked: Callable[[str], bool]) -> Iterator[Sentence]:
    """The lines with a label that is asked for; below one without a value the short lines up to the next label.

    With terms in `below` only the labels of a line that says them, with that line.
    """
    text, left, head = passage.text, 0, Sentence(0, 0, frozenset())
    for sentence in read_sentences(text):
        line = text[sentence.start : sentence.end]
        ahead = text[text.rfind("\n", 0, sentence.start) + 1 : sentence.start]
        if ahead.strip(" -*•–"):
            if left:
                yield sentence
            continue
        label = _LABEL_AHEAD.match(line)
        if label is not None:
            is_of_it = below <= head.terms
            is_one = is_of_it and is_asked(label["label"])
            left = (1 if label["value"] else _MOST_OF_LIST) if is_one else 0
            inside = (each["label"] for each in _LABEL_INSIDE.finditer(line))
            if (is_one and label["value"]) or (is_of_it and any(map(is_asked, inside))):
                yield from (head, sentence) if below else (sentence,)
        elif left > 1 and _is_of_list(line):
            left -= 1
            if line[0] != "#":
                yield sentence
        else:
            left, head = 0, sentence


def _is_of_list(line: str) -> bool:
    return len(line.split()) <= _LONGEST_OF_LIST and not line[0].isdigit()


_OF_DOERS = ("", "er", "or", "r", "ed by", "d by")  # Chair, Presenter, Editor, Approved by


def _names_doer(label: str, asked: re.Match[str], what: frozenset[str]) -> bool:
    """Whether a label is that of who did what is asked, of a role, or of those who were there."""
    named, role = terms_of(label), terms_of(asked["role"] or "")
    for asks, labels in _LABELS_OF_DEEDS:
        is_role = role != set() and role <= labels
        if is_role or re.fullmatch(asks, asked["deed"] or "", re.IGNORECASE):
            return not named.isdisjoint(labels)
    if asked["role"]:
        return named == role
    deed = stem(asked["did"].lower())
    *ahead, last = label.lower().split()
    if label.lower().endswith(" by"):
        ahead, last = [], label.lower()
    ending = last.removeprefix(deed)
    is_doer = last != ending and ending.rstrip("s") in _OF_DOERS
    return is_doer and terms_of(" ".join(ahead)) <= what


# Example: "Which actions were given in March?", "What does Ann Lee have to do?" Counter-example: "What does Acme do?"
_ASKS_FOR_ACTIONS = re.compile(
    r"(?i)^(?:what|which)\s(?:actions?(?:\s(?:items?|points?))?\s(?:is|are|was|were|has|have|came)\b(?P<rest>[^?]{0,100})"
    r"|(?=does\b[^?]{2,80}\bhave\sto\sdo\b|must\b|should\b|will\b|shall\b)(?:does|must|should|will|shall)\s(?P<who>[A-Z][\w.'’-]{1,24}(?:\s[A-Z][\w.'’-]{1,24}){0,2})\s(?:have\sto\s)?do\b"
    r"(?P<on>[^?]{0,100}))\??$"
)
_ACTION = re.compile(
    r"(?i)\bactions?(?: (?:items?|points?))?(?: for)?: {1,4}"
    r"(?P<who>(?:(?!to\b|will\b|should\b|must\b)[^\s:]{1,24} ){1,6})"
)


def _told_by_action(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What somebody has to do, or all have to, by the lines of minutes that are called so: "Action: Ann to …"."""
    asked = _ASKS_FOR_ACTIONS.match(aspect.aspect) if "ction" in passage.text or "CTION" in passage.text else None
    if asked is None:
        return ()
    who, told = terms_of(asked["who"] or ""), list[Sentence]()
    for sentence in read_sentences(passage.text):
        action = _ACTION.search(passage.text, sentence.start, sentence.end)
        if action and who <= terms_of(action["who"]):
            told.append(sentence)
    return tuple(told[:_MOST_ITEMS])


_MOST_TOLD = 6  # sentences of a section or a clause
_OF_NUMBER = re.compile(
    r"(?i)^what\s(?:does|do|is\sin)\s(?:the\s)?(?:clause|section|article|paragraph|rule|step)\s"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})(?P<rest>\s[^?]{1,120}?)?(?:\s(?:say|state|provide|require|cover|mean))?\??$"
)
_NUMBER_AHEAD = re.compile(r"(?:[A-Z][a-z]{2,12} |§ ?)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,3})[.:)]?\s")


def _told_by_number(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The clause that an aspect names by its number: "9.1 Either party may …", with those below it."""
    asked = _OF_NUMBER.match(aspect.aspect)
    if asked is None or not terms_of(asked["rest"] or "") <= _known_of(passage):
        return ()
    number, told = asked["number"], list[Sentence]()
    if any(_is_numbered(part, number) for part in headings_of(passage).partition("\n")[2].split(BELOW)):
        below = (s for s in read_sentences(passage.text) if not is_heading(passage.text[s.start : s.end]))
        return tuple(islice(below, _MOST_TOLD))
    for sentence in read_sentences(passage.text):
        ahead = _NUMBER_AHEAD.match(passage.text, sentence.start) if _opens_line(passage.text, sentence) else None
        is_inside = ahead is not None and f"{ahead['number']}.".startswith(f"{number}.")
        goes_on = told and ahead is None and "\n\n" not in passage.text[told[-1].end : sentence.start]
        if is_inside or goes_on:
            told.append(sentence)
        elif told:
            break
    return tuple(told[:_MOST_TOLD])


def _is_numbered(heading: str, number: str) -> bool:
    ahead = _NUMBER_AHEAD.match(f"{heading} ")
    return ahead is not None and ahead["number"] == number


def _opens_line(text: str, sentence: Sentence) -> bool:
    return sentence.start == 0 or text[sentence.start - 1] == "\n"


def _known_of(passage: Passage) -> frozenset[str]:
    """The terms of a passage, its title and the name of its file."""
    return terms_of(passage.text) | _called(passage)


def _called(passage: Passage) -> frozenset[str]:
    """The terms of the title of a passage and of the name of its file, which often says more than the title does."""
    file = " ".join(re.split(r"[\W_]+", passage.document_id))
    return terms_of(passage.title) | terms_of(file)


_ASKS_WHO_SIGNED = re.compile(
    r"(?i)^who\s(?:has\s|had\s)?(?:counter)?signed\b(?P<what>[^?]{0,100}?)(?:\s(?:for|on\sbehalf\sof)\s(?P<party>[^?]{2,80}))?\??$"
)
_SIGNS = re.compile(r"(?P<opens>Signed\b|Executed\b)|By: |/s/|(?:Name|Title|Date): ")


def _told_by_signature(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The lines that sign for the party which an aspect names, or for all: "Signed for A: Ann Lee", "By: /s/ Bo"."""
    asked = _ASKS_WHO_SIGNED.match(aspect.aspect)
    if asked is None or not terms_of(asked["what"]) <= _known_of(passage):
        return ()
    blocks: list[list[Sentence]] = []
    is_open = False
    for sentence in read_sentences(passage.text):
        signs = _SIGNS.match(passage.text, sentence.start)
        if signs and (signs["opens"] or not is_open):
            blocks.append([sentence])
        elif signs:
            blocks[-1].append(sentence)
        is_open = signs is not None
    party = terms_of(asked["party"] or "")
    return tuple(s for block in blocks if party <= frozenset().union(*(s.terms for s in block)) for s in block)


_HEAD = r"(?P<head>[a-z][\w-]{2,30}(?:\s[a-z][\w-]{2,30})?)"
_OF_HEADING = re.compile(
    rf"(?i)^(?:what|which)\s{_HEAD}\s(?:does|do|did|has|have|can|must|should|may|will|goe?s?\sinto)\s(?P<rest>[^?]{{2,80}})\??$"
)
# What is asked of the thing that a whole document is about, whose title says it: "the ingredients of plum cake".
_OF_HEADING_OF_ALL = re.compile(
    rf"(?i)^(?:what|which)\s(?:(?:is|are|was|were)\sthe\s{_HEAD}|(?P<asked>[a-z][\w-]{{2,30}}(?:\s[a-z][\w-]{{2,30}})?)\s(?:is|are|was|were)"
    r"\s(?P<done>[a-z]{3,20}))\s(?:of|for|from|in|after|behind|during)\s(?P<rest>[^?]{2,80})\??$"
)
_MOST_ITEMS = 20


def told_below_heading(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What stands below a heading that is what is asked for: the languages that somebody speaks, below "Languages".

    The passage names whom the aspect names; of its other words one, the verb, need not be said. A heading of several
    words may say one more: "4. Possible side effects". What has no name stands in the title.
    """
    beside = frozenset[str]()  # the heading may say it, as "Patrol areas" those that the patrol covers
    if asked := _OF_HEADING.match(aspect.aspect):
        head = terms_of(asked["head"])
        beside = terms_of(asked["rest"])
        is_of_it = _is_of(asked["rest"], passage)
    elif of_all := _OF_HEADING_OF_ALL.match(aspect.aspect):
        head = terms_of(of_all["head"] or of_all["asked"])
        beside = terms_of(of_all["done"] or "")
        is_of_it = terms_of(of_all["rest"]) <= _called(passage)
    else:
        return ()
    if not head or not is_of_it:
        return ()

    def is_asked(heading: frozenset[str]) -> bool:
        digits = filter(str.isdigit, heading)
        line = heading.difference(beside - head, digits)
        most = max(1, 2 * len(head) - 1)
        return head <= line and len(line) <= most

    section = dict(passage.metadata).get("section", "")
    goes_on = is_asked(terms_of(_IN_BRACKETS.sub("", section.rpartition(BELOW)[2])))
    told = _below(passage, is_asked, goes_on=goes_on)
    are_items = all(_opens_item(passage.text, sentence) for sentence in told)
    return tuple(told[: _MOST_ITEMS if are_items else _MOST_TOLD])


_IN_BRACKETS = re.compile(r"(?<=\w) \([^()\n]{1,40}\)$")  # "Powers (PEP 13)"


def _below(passage: Passage, is_asked: Callable[[frozenset[str]], bool], *, goes_on: bool = False) -> list[Sentence]:
    """What stands below a heading that is asked for; with `goes_on` the passage goes on with what stands below one."""
    told, is_below = list[Sentence](), goes_on
    for sentence in read_sentences(passage.text):
        line = _IN_BRACKETS.sub("", passage.text[sentence.start : sentence.end])
        if is_heading(line) and not _opens_item(passage.text, sentence):
            is_below = is_asked(terms_of(line))
        elif is_below:
            told.append(sentence)
    return told


_ASKS_WHAT_CAME_OUT = re.compile(
    r"(?i)^what\s(?:(?:did|has|have)\s[^?]{2,40}?\s(?:conclude|decide|resolve|agree)d?\s(?:about|for|on|regarding|with)"
    r"|(?:was|were|is|are)\sthe\s(?:conclusion|decision|outcome|resolution|result)s?\s(?:about|for|of|on|regarding)"
    r"|(?:was|were)\s(?:concluded|decided|resolved|agreed)\s(?:about|for|on|regarding)|happened\s(?:to|with))"
    r"\s(?:the\s)?(?P<topic>[^?]{3,80})\??$"
)
_OUTCOME = terms_of("conclusion conclusions resolution resolutions decision decisions outcome outcomes")


def _told_by_outcome(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What came of the matter of a section, where a part of it is called so: below "Conclusion", "Decision"."""
    asked = _ASKS_WHAT_CAME_OUT.match(aspect.aspect)
    if asked is None or not terms_of(asked["topic"]) <= terms_above(passage):
        return ()
    *_, last = dict(passage.metadata).get("section", "").split(BELOW)
    goes_on = _is_outcome(terms_of(last))
    told = _below(passage, _is_outcome, goes_on=goes_on)
    return tuple(told[:_MOST_TOLD])


def _is_outcome(heading: frozenset[str]) -> bool:
    return bool(heading) and heading <= _OUTCOME


# Example: "What is not reimbursable?", "Which purchases are prohibited?" Counter-example: "What is not clear is why."
_ASKS_WHAT_IS_NOT = re.compile(
    r"(?i)^(?:what|which)\s(?P<thing>[a-z -]{0,40}?)\s?\b(?:is|are|was|were|does|do|may|can|must)\s"
    r"(?P<rest>[^?,]{3,100})\??$"
)
_NOT_SO = re.compile(r"(?i)\b(?:not|non|never|cannot|no)\b|n['’]t\b")
_LEFT_OUT = terms_of(
    "excluded exclusions exception exceptions exempt prohibited forbidden banned ineligible disallowed"
)


def told_as_left_out(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What is not so, by the list below a heading or line that denies it: "Non-reimbursable", "Exclusions"."""
    asked = _ASKS_WHAT_IS_NOT.match(aspect.aspect)
    if asked is None:
        return ()
    wanted = terms_of(asked["thing"]) | terms_of(asked["rest"])
    matter = wanted - _LEFT_OUT
    is_denied = _NOT_SO.search(asked["rest"]) or wanted & _LEFT_OUT
    known = _known_of(passage) | terms_above(passage)
    is_on_it = 2 * len(matter & known) >= len(matter)
    if not (matter and is_denied and is_on_it):
        return ()

    def is_asked(line: str) -> bool:
        told = terms_of(line)
        denies = _NOT_SO.search(line) is not None or bool(told & _LEFT_OUT)
        is_bare = told <= _LEFT_OUT and bool(terms_above(passage) & matter)
        return denies and (is_bare or not told.isdisjoint(matter))

    *_, heading = dict(passage.metadata).get("section", "").split(BELOW)
    told, is_below = list[Sentence](), is_asked(heading)
    for sentence in read_sentences(passage.text):
        line = passage.text[sentence.start : sentence.end]
        if _opens_item(passage.text, sentence):
            told += [sentence] if is_below else []
        elif line.endswith(":") or is_heading(line):
            is_below = is_asked(line)
    return tuple(told[:_MOST_ITEMS])


_ASKS_HOW_TO = re.compile(
    r"(?i)^how\s(?:to|(?:do|can|should|would)\s(?:i|we|you|one))\s[a-z]{2,20}\s(?P<what>[^?]{3,80})\??$"
)
_STEPS = terms_of("instructions method directions steps procedure preparation")


def told_by_steps(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """How to make or do what a document is about: its steps, from "Instructions", "Method" or the like on."""
    asked = _ASKS_HOW_TO.match(aspect.aspect)
    what = terms_of(asked["what"]) if asked else frozenset[str]()
    if not what or not what <= terms_of(passage.title):
        return ()
    return tuple(_below(passage, _are_steps)[:_MOST_ITEMS])


def _are_steps(heading: frozenset[str]) -> bool:
    return bool(heading) and heading <= _STEPS


def _is_of(rest: str, passage: Passage) -> bool:
    """Whether a passage names whom a text names and says its other words but one; without a name its title does."""
    asked = terms_of(rest)
    called = terms_of(" ".join(name.text for name in names(rest)))
    known = _known_of(passage) if called else _called(passage)
    has_most = len(asked - known) <= 1 and not asked.isdisjoint(known)
    return has_most and called <= known


def _opens_item(text: str, sentence: Sentence) -> bool:
    return text.endswith("- ", 0, sentence.start)


def _told_by_section(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What a thing is, by the sentence that opens the section called by its name: "Gliding" in "Work schedules"."""
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    if aspect.aspect_type != "definition" or not subject:
        return ()
    is_below = passage.position == 0 and title == subject
    for sentence in read_sentences(passage.text):
        text = passage.text[sentence.start : sentence.end]
        if is_heading(text) or text.endswith("?"):
            named = sentence.terms
            is_below = bool(named) and named <= subject <= named | title
        elif is_below and _TELLS.match(text):
            return (sentence,)
    return ()


_TELLS = re.compile(
    r"(?!(?:See|Read|Visit|Go to|For (?:more|details|further)|Click|If|To)\b)[A-Z][^:]{2,40}(?: [^\s:]{1,30}){3}"
)


_ASKS_WHO_SAID = re.compile(
    r"(?i)^who\s(?:(?P<asks>asked|asks|wanted\sto\sknow|wants\sto\sknow|enquired|inquired)|said|says|mentioned|mentions|raised|raises"
    r"|announced|explained|confirmed|warned|suggested|proposed|complained|told)\s(?P<topic>[^?]{3,160})\??$"
)
# Who speaks, with a time before or a role behind: "[00:04:16] Raj Mehta: Yeah hi.", "Linda Carver — CFO: Thank you."
_TURN = re.compile(
    r"(?:\[[^\]\n]{3,30}\] ?|[\d/.,: ]{8,25} - )?[A-Z][\w.'’-]{1,24}(?: [\w.'’-]{1,24}){0,4}"
    r"(?: ?[—–-] [^:\n]{2,60}| \([^()\n]{2,60}\))?: (?=\S)"
)


def _told_by_turn(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """Who says or asks something in a transcript or chat: what opens the turn, and the sentence that says it."""
    asked = _ASKS_WHO_SAID.match(aspect.aspect)
    topic = terms_of(asked["topic"]) if asked else frozenset[str]()
    if not asked or not topic:
        return ()
    turns: list[list[Sentence]] = []
    for sentence in read_sentences(passage.text):
        if _opens_line(passage.text, sentence) and _TURN.match(passage.text, sentence.start):
            turns.append([sentence])
        elif turns:
            turns[-1].append(sentence)
    if asked["asks"]:
        turns = [turn for turn in turns if any(passage.text[s.end - 1] == "?" for s in turn)]
    told = [(turn[0], s) for turn in turns for s in turn if topic <= s.terms]
    return tuple(dict.fromkeys(s for pair in told for s in pair))


_ASKS_LENGTH_OF = re.compile(
    r"(?i)^how\slong\s(?:is|are|was|were|does|do|did|can|may|must|will)\s(?:(?:the|an?|our|its|their|each|one|your|my)\s)?"
    r"(?P<what>[a-z][\w'’ -]{2,60}?)(?:\s(?:last|take|run|be|go\son))?\??$"
)
_MEASURED = re.compile(
    rf"\b(?:\d{{1,3}}|{SPELLED_NUMBER}|one|an?)[ -](?:(?:calendar|business|working)[ -])?{UNIT_OF_LENGTH}s?[ -]"
    r"(?P<thing>(?:[a-z][a-z-]{1,23} ?){1,4})"
)


def _told_by_measure(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """How long a thing is, by what stands in front of it: "we work in 6-week cycles", "a 6-week paid sabbatical"."""
    asked = _ASKS_LENGTH_OF.match(aspect.aspect)
    what = tokens(asked["what"]) if asked else []
    if not what or not frozenset(what) <= _known_of(passage):
        return ()
    told = []
    for sentence in read_sentences(passage.text):
        things = _MEASURED.finditer(passage.text, sentence.start, sentence.end)
        if any(what[-1] in terms_of(thing["thing"]) for thing in things):
            told.append(sentence)
    return tuple(told)


_ASKS_WHAT_X_SAYS = re.compile(
    r"^[Ww]hat\s(?:does|do|did)\s(?P<who>[A-Z][\w.'’-]{1,24}(?:\s[A-Z][\w.'’-]{1,24}){0,3})"
    r"\s(?:say|think|tell\sus|mention|explain|advise)\s(?:about|on|of)\s(?P<topic>[^?]{3,120})\??$"
)


def _told_by_speaker(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What somebody says about a topic in a transcript: the sentences on it in turns that open with the name."""
    asked = _ASKS_WHAT_X_SAYS.match(aspect.aspect)
    if asked is None:
        return ()
    topic = terms_of(asked["topic"])
    is_titled = topic <= terms_above(passage)  # each of the turns below "Decorators" is on decorators
    told, is_of_it = list[Sentence](), False
    for sentence in read_sentences(passage.text):
        turn = _TURN.match(passage.text, sentence.start)
        if turn and _opens_line(passage.text, sentence):
            is_of_it = _is_said_by(asked["who"], turn[0])
        elif is_heading(passage.text[sentence.start : sentence.end]):
            is_of_it = False
        if is_of_it and topic and (is_titled or topic <= sentence.terms):
            told.append(sentence)
    return tuple(told[:_MOST_TOLD])


_ASKS_WHAT_X_WROTE = re.compile(
    r"^[Ww]hat\s(?:does|do|did)\s(?P<who>[A-Z][\w.'’-]{1,24}(?:\s[A-Z][\w.'’-]{1,24}){0,3})"
    r"\s(?P<does>say|write|tell|answer|reply|respond|suggest|propose|ask|request|want)\b(?P<rest>[^?]{0,160})\??$"
)
_ASKS = frozenset(("ask", "request", "want"))
_REQUEST = re.compile(r"(?i)\?$|\bplease\b")


def _told_by_sender(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What somebody wrote in a mail of theirs to those named: its sentences on the topic, or its requests."""
    known = dict(passage.metadata)
    asked = _ASKS_WHAT_X_WROTE.match(aspect.aspect) if "to" in known else None
    sender = terms_of(known.get("author", ""))
    if asked is None or not terms_of(asked["who"]) <= sender:
        return ()
    people = terms_of(known["to"]) | sender
    topic = terms_of(asked["rest"]) - people
    told = [s for s in _own_sentences(passage, people) if _is_on(topic, s, passage)]
    if asked["does"] in _ASKS:
        told = [s for s in told if _REQUEST.search(passage.text, s.start, s.end)]
    return tuple(told[:_MOST_TOLD])


def _own_sentences(passage: Passage, people: frozenset[str]) -> Iterator[Sentence]:
    """What a mail says for itself: no line that it quotes, no greeting, no name below it."""
    for sentence in read_sentences(passage.text):
        written = passage.text[sentence.start : sentence.end]
        is_own = not written.startswith(">") and not written.endswith(",")
        if is_own and not sentence.terms <= people:
            yield sentence


def _is_on(topic: frozenset[str], sentence: Sentence, passage: Passage) -> bool:
    """Whether a sentence is on a topic, which the title of its passage may tell."""
    untitled = topic - terms_of(passage.title)
    return untitled <= sentence.terms


_SHORT_NAME = re.compile(r"[A-Z]{2,3}: ")


def _is_said_by(who: str, opening: str) -> bool:
    """Whether what opens a turn names somebody, in full or by the initials that minutes are kept in."""
    if terms_of(who) <= terms_of(opening):
        return True
    first, *others = who.split()
    if not others or _SHORT_NAME.match(opening) is None:
        return False
    letters, _, _ = opening.partition(":")
    is_last = others[-1][0] in letters[1:]
    return is_last and letters[0] == first[0]


_ASKS_WHAT_IS = re.compile(r"(?i)^what\s(?:is|are|was|were)\s(?:(?:the|your|our|their|its)\s)?(?P<what>[^?]{3,80})\??$")
_FEWEST_OF_TITLE, _MOST_OF_OPENING = 2, 3  # terms; sentences


def _told_by_title(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What a document called by two words or more says first, where just that is asked for: "the refund policy"."""
    asked = _ASKS_WHAT_IS.match(aspect.aspect)
    what = terms_of(asked["what"]) if asked else frozenset[str]()
    if passage.position or len(what) < _FEWEST_OF_TITLE or what != terms_of(passage.title):
        return ()
    opening = read_sentences(passage.text)
    lines = [s for s in opening if not is_heading(passage.text[s.start : s.end])]
    return tuple(lines[:_MOST_OF_OPENING])


_FORMS = (
    _told_below,
    _told_by_label,
    _told_by_end,
    _told_by_doer,
    _told_by_action,
    _told_by_number,
    _told_by_signature,
    told_below_heading,
    told_as_left_out,
    _told_by_outcome,
    _told_by_section,
    _told_by_turn,
    _told_by_measure,
    _told_by_speaker,
    _told_by_sender,
    _told_by_title,
    told_by_steps,
)


_WHOLE = (
    _told_by_end,
    _told_by_doer,
    _told_by_action,
    told_as_left_out,
    _told_by_number,
    _told_by_outcome,
    _told_by_speaker,
    _told_by_sender,
)


def told_as_list(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """The list below a heading that is asked for, or that denies what is asked."""
    forms = (told_below_heading, told_as_left_out, _told_by_action)
    return next(filter(None, (told(aspect, passage) for told in forms)), ())


def told_whole(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """All of a clause that an aspect names, of what came of a matter, of what somebody says on it, of who was there."""
    return next(filter(None, (told(aspect, passage) for told in _WHOLE)), ())


def told_in_form(aspect: QueryAspect, passage: Passage) -> tuple[Sentence, ...]:
    """What a passage tells of an aspect below a question or heading, behind a label or number, signed or spoken."""
    return next(filter(None, (told(aspect, passage) for told in _FORMS)), ())
