"""The short answer that a sentence of the evidence states: a name, a date, a number, yes or no, a reason.

It is stated where the sentence is sure to answer and one part of it is the answer; else up to three parts are likely.
Where the rules are not sure, a part is stated whose chance to be right is high enough by a logistic model that was
learned on judged questions (`python -m benchmarks.short_answers`) and is kept in a small JSON artefact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import Path

from adaq_core.answers.candidates import (
    OF_NOW,
    UP_TO,
    are_told_apart,
    candidates_in,
    clause_of,
    is_in_the_case,
    tells_another_act,
    tells_where_else,
)
from adaq_core.answers.choose import (
    CERTAINTY,
    Proposal,
    Rated,
    TypedSpan,
    Wanted,
    asked_share,
    reason_asked,
    says_phrasal_verbs,
    telling,
)
from adaq_core.answers.doers import asks_for_subject, does_something_else, is_done_to_its_class, subject_told
from adaq_core.answers.evidence_sentences import EvidenceSentence, last_reversal, reversals_of, stands_after
from adaq_core.answers.yes_no import (
    OF_VERDICTS,
    Siblings,
    compared,
    may_be_yes,
    outright,
    says_both,
    tells_of_now,
    tells_verdict,
    verdict,
    without_mere_facts,
)
from adaq_core.matching.answer_shapes import (
    ASKS_OFFSET,
    MEASURE,
    SUPERLATIVE,
    TELLS_MOST,
    began_when,
    offset_in,
    tells_measure,
)
from adaq_core.matching.lexicon import contrary, is_said, side_told, spelled_out, tells_the_contrary
from adaq_core.matching.likelihood import Likelihood
from adaq_core.matching.naming import subject_terms
from adaq_core.matching.statements import asks_for_one, behind_what_is_asked, named_as_the_one, says_with_part
from adaq_core.model import AnswerKind
from adaq_core.question.answer_kinds import AUXILIARIES, class_named
from adaq_core.text.entities import countries_in, is_nationality, names, terms_of_names
from adaq_core.text.tokens import STOP_WORDS, terms_of, uniform, upper_first, words
from adaq_core.text.values import MONTH_NAMES, MONTHS, dates

_SPANS: frozenset[AnswerKind] = frozenset(("person", "date", "number", "amount", "place", "organisation", "fact"))
_IS_OR_DOES = re.compile(rf"(?i)(?:{'|'.join(AUXILIARIES)})\b")
_MOST_LIKELY = 3
_WHAT_HAPPENED = re.compile(
    r"(?i)what (?:has )?(?:happened|happens|became|has become) (?:to|of|with)\b"
    r"|what(?: is|['’]s) the (?:current |present |latest )?(?:state|status|fate) of\b"
)
_LONGEST_OUTCOME = 25
_JOINT = re.compile(
    r"; |, (?:so|which|but|while|whereas|although)\b|, and (?=[a-z]+ (?:agreed|paid|said|was|were|had|has))"
    r"|,? and then "
)
_BEHIND = 40
_NUMBERED = re.compile(r"\b([A-Z][A-Za-z]{1,12})[- ](\d{1,4})\b")


def _doubled(pattern: str) -> str:
    """A pattern as a part of a template that is formatted."""
    return pattern.replace("{", "{{").replace("}", "}}")


_STANDS_FOR = re.compile(
    r"(?i)what (?:does|do|did|is|are) (?:the )?(?:acronym |abbreviation |letters "
    r"|name )?(?P<name>[A-Za-z][\w-]{1,11}) (?:stand|short) for"
)
_SPELLED_OUT = re.compile(
    r"\b(?P<name>[A-Za-z][\w-]{1,11})(?:,| is| \()? ?(?:short|stands?|stood) for (?:the )?"
    r"(?P<words>[A-Za-z][\w-]*(?: [\w-]+){0,6}?)(?=[,.;:)]| and [A-Z]| is | which | that )"
    r"|\b(?P<called>[A-Za-z][\w-]{1,11})(?:,| is| \() ?an? (?:[a-z]{3,12} )?"
    r"(?:abbreviation|acronym|contraction|blend) (?:for|of) (?:the )?"
    r"[\"“]?(?P<spelled>[A-Za-z][\w-]*(?: [\w-]+){0,6}?)(?=[\"”,.;:)])"
)
_ITS_NAME = re.compile(r"(?i)\b(?:the|its) name (?:is short|stands?|stood) for (?:the )?")
# What a thing is said to be, up to where it is: "a river", "a Russell Group university".
_IS_A = (
    r"(?:(?!that |which |who |of )[\w'’&-]{1,24}(?<!ing)(?<!ed) ){0,9}?"
    r"(?:located |situated |based |headquartered )?"
)
_OF_PLACE = rf"(?!(?:{MONTH_NAMES})\b)[A-Z][\w.'’-]{{1,24}}"
_PLACE = rf"(?P<told>(?:the )?(?-i:{_OF_PLACE}(?:(?: of| of the|,)? {_OF_PLACE}){{0,7}}))"
_ASIDE = r"(?: ?\([^()]{1,80}\))?,?"
_TO_BE = r"(?:is|are|was|were)"
_NAMED = r"(?P<name>[^?]{2,60}?)"
_OPENS = rf"^(?:an? |the )?{{name}}{_doubled(_ASIDE)}"
_CALLED = r"(?:called|known as|named|titled)"
_ALSO = r"(?:also|otherwise|better)"
_BEFORE = r"(?:formerly|originally|previously|initially|first|once)"
_OTHER_NAME = rf"(?:the )?(?P<told>[\"“]?\w[^,;.()]{{1,50}}?)(?=[,;.()]| {_TO_BE}\b)"
# A question for what a name means or comes from, or where it is, and how a sentence tells it of that name.
_OF_A_NAME: tuple[tuple[re.Pattern[str], AnswerKind, str], ...] = (
    (
        re.compile(r"(?i)where (?:is|are) (?:the )?(?P<name>[^?]{2,60}?)(?: located| situated)?\W*$"),
        "place",
        rf"^(?:the )?{{name}}{_doubled(_ASIDE)} (?:is|are) {_doubled(_IS_A)}in {_doubled(_PLACE)}",
    ),
    (
        re.compile(r"(?i)what (?:is|was) (?P<name>[^?]{2,60}?)['’]s? (?:real|birth|full|original) name\W*$"),
        "person",
        rf"\b{{name}}{_doubled(_ASIDE)} born (?P<told>(?-i:[A-Z])[^,;.()]{{{{2,60}}}})",
    ),
    (
        re.compile(r"(?i)what (?:does|do|did) (?:the )?(?:[\w-]{2,20} ){0,3}?(?P<name>[^\s?]{2,40}) mean\b"),
        "fact",
        r"{name}[\"”'’)]{{0,2}}(?: in [\w-]{{2,20}})?(?:,? (?:which|that))? (?:literally |simply )?"
        r"(?:means?(?! (?:to|that|of|by)\b)|meaning|translates? (?:as|to|into)) "
        r"(?P<told>[“\"‘][^”\"’]{{2,80}}[”\"’]|[^,.;()]{{2,60}})",
    ),
    (
        re.compile(
            r"(?i)(?:(?:what|whom?) (?:is|was|are|were) (?:the )?(?P<name>[^?]{2,40}?) named (?:after|for)\b"
            r"|(?:after|for) (?:whom|(?:what|which)(?: [a-z]{2,20}){0,2}) (?:is|was|are|were) (?:the )?"
            r"(?P<named>[^?]{2,40}?) named\b)"
        ),
        "fact",
        r"{name}\b[^.;]{{0,60}}?\b[Nn]amed (?:after|for|in honou?r of) "
        r"(?P<told>(?!(?:his|her|its|their) )[^,.;:()]{{2,60}})",
    ),
    (
        re.compile(rf"(?i)what (?:kind|type|sort) of (?P<noun>[a-z-]{{3,20}}) {_TO_BE} (?:the )?{_NAMED}\W*$"),
        "fact",
        rf"{_OPENS} {_TO_BE} (?:an?|the) (?:(?:kind|type|sort) of )?"
        r"(?P<told>(?:(?!(?:an?|the|of|on|in|by|for|about|from|with)\b)[\w-]{{2,24}} ){{1,4}}{noun})\b",
    ),
    (
        re.compile(rf"(?i)what {_TO_BE} (?:an? |the )?{_NAMED} {_ALSO} {_CALLED}\W*$"),
        "fact",
        rf"{_OPENS} (?:{_TO_BE} )?(?:or|(?:{_ALSO} ){{{{1,2}}}}{_CALLED}) {_doubled(_OTHER_NAME)}",
    ),
    (
        re.compile(
            rf"(?i)what {_TO_BE} (?:an? |the )?{_NAMED}"
            rf" (?:{_BEFORE} {_CALLED}|{_CALLED} (?:before|earlier|at first|originally))\W*$"
        ),
        "fact",
        rf"{_OPENS} (?:{_TO_BE} )?{_BEFORE} (?:{_CALLED}|published as) {_doubled(_OTHER_NAME)}",
    ),
)
_ASKS_TWICE = re.compile(r"(?i),? and (?P<asks>what|which|who|when|where|how(?: (?:much|many))?|why)\b")
_ASKED_BESIDE: Mapping[str, AnswerKind] = {
    "who": "person",
    "when": "date",
    "where": "place",
    "how much": "amount",
    "how many": "number",
}


def propose(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings, *, learned: bool = False) -> Proposal:
    """The short answer from the sentences chosen for it; with `learned` also one that the rules are not sure of."""
    if wanted.kind == "yes_no":  # of two as strong
        rated = sorted(rated, key=lambda r: -r.repeats(wanted))
    ordered = sorted(without_mere_facts(wanted, rated), key=lambda r: -r.strength(wanted))
    made = _by_rules(wanted, ordered, siblings)
    # Nothing but a name says which number is asked for: of "How big is A?" any number of A would do.
    if wanted.kind in ("number", "amount") and wanted.terms <= terms_of_names(wanted.question):
        return Proposal(kind=wanted.kind, likely=(made.text,) if made.text else made.likely)
    if not made.text and learned:
        made = _by_chance(wanted, ordered, made)
    is_of_now = made.sentence is None or tells_of_now(wanted.question, made.text, made.sentence.text)
    return made if wanted.kind != "yes_no" or is_of_now else Proposal(kind="yes_no")


def _by_rules(wanted: Wanted, ordered: Sequence[Rated], siblings: Siblings) -> Proposal:
    if wanted.kind == "yes_no":
        return verdict(wanted, ordered, siblings)
    plain = outright(wanted, ordered)
    if plain.text:
        return plain
    if doing := _subject(wanted, ordered):
        return doing
    if asks_for_one(wanted.question) and (one := _the_one(wanted, ordered)).text:
        return one
    if enumerated := _enumerated(wanted, ordered):
        return enumerated
    if wanted.kind == "choice" and _IS_OR_DOES.match(wanted.question):
        return compared(wanted, ordered)
    if wanted.kind == "reason":
        return _reason(wanted, ordered)
    if spelled := _STANDS_FOR.match(wanted.question):
        return _spelled_out(spelled["name"], ordered)
    if of_name := _told_of_name(wanted.question, ordered):
        return of_name
    if _WHAT_HAPPENED.match(wanted.question):
        return _outcome(wanted, ordered, siblings)
    if wanted.kind in _SPANS:
        made = _span(wanted, ordered)
        said = made if made.text else word_for_word(wanted, ordered)
        return said if said.text else made
    return word_for_word(wanted, ordered)


def _subject(wanted: Wanted, rated: Sequence[Rated]) -> Proposal | None:
    """Who or what the sentences say to have done what is asked; none stated where they say several, None where none."""
    told: dict[str, EvidenceSentence] = {}
    for sentence in (each.sentence for each in rated):
        if subject := subject_told(wanted, sentence.text, subject_terms(sentence.passage)):
            told.setdefault(subject, sentence)
    is_owed = asks_for_subject(wanted) and wanted.kind == "fact"
    return _if_one(wanted, told) if told or is_owed else None


def _the_one(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """What the sentences say to be the only or most such thing, where they agree."""
    told: dict[str, EvidenceSentence] = {}
    for sentence in (each.sentence for each in rated):
        if one := named_as_the_one(wanted.question, sentence.text, sentence.passage.title):
            told.setdefault(one, sentence)
    return _if_one(wanted, told)


def _if_one(wanted: Wanted, told: Mapping[str, EvidenceSentence]) -> Proposal:
    """The only thing that sentences tell, with one that does; none stated where they tell nothing, or several."""
    if len(told) != 1:
        return Proposal(kind=wanted.kind)
    [(text, sayer)] = told.items()
    return Proposal(text, wanted.kind, sayer)


_ITEM = r"(?!(?:which|that|who|where|while|but)\b)[^\s,;:()]{1,30}(?: [^\s,;:()]{1,30}){0,7}?"
_ITEMS = re.compile(
    rf"[:,]? ?(?P<items>{_ITEM}(?:, {_ITEM}){{1,12}},? (?:and|or) {_ITEM})"
    r"(?=[.;:(]|$|,? (?:which|that|who|where|while|but|as|in order|depending|unless|if|when)\b)"
)
# What a thing includes is told in one list; what a firm sells or uses is told here and there.
_ASKS_PARTS = re.compile(
    r"(?i)\b(?:includ|contain|consist|compris|cover|combin|compos|support)\w{0,3}\b|\bmade (?:up )?of\b"
    r"|^(?:what|which|who) (?:are|were) the \w|^(?:list|name|state) the \w"
)
# "A includes, but is not limited to": these are not all.
_NOT_ALL = re.compile(
    r"(?i)\b(?:such as|including|for example|e\.g|etc|and others|and more|among others|not limited)\b"
)


def _enumerated(wanted: Wanted, rated: Sequence[Rated]) -> Proposal | None:
    """The items behind a sentence that says in its words what is asked, "A contains bass, pike and perch".

    None where two sentences say so with other items.
    """
    if wanted.kind not in ("list", "fact") or _ASKS_PARTS.search(wanted.question) is None:
        return None
    told: dict[str, EvidenceSentence] = {}
    for each in rated:
        behind = behind_what_is_asked(wanted.question, each.sentence.text, each.sentence.passage.title)
        listed = _ITEMS.match(behind) if behind else None
        if behind and listed is None:
            return None
        if listed:
            told.setdefault(listed["items"].rstrip("."), each.sentence)
    if len(told) != 1 or _NOT_ALL.search(next(iter(told))):
        return None
    ((items, sentence),) = told.items()
    return Proposal(items, wanted.kind, sentence)


def _span(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The candidate of the kind in the surest sentence that is nearest to the words asked for."""
    candidates = _with_candidates(wanted, rated)
    if not candidates:
        return Proposal(kind=wanted.kind)
    candidates = _those_counted(wanted, candidates)
    near = ((r, spans[0]) for r, spans in candidates if r.strength(wanted) >= CERTAINTY.likely)
    fitting = (span.text for rated_, span in near if not _is_of_something_else(wanted, rated_, span))
    likely = tuple(dict.fromkeys(fitting))[:_MOST_LIKELY]
    best = candidates[0][0]
    text = _with_unit(wanted, best, candidates[0][1][0])
    if newer := _newer(wanted, best, text, rated):
        now, explanation = newer
        of_now = OF_NOW.match(wanted.question) is not None and wanted.conditions == ()
        step = f"the later of two dated statements; before it was {text}"
        return (
            Proposal(now, wanted.kind, explanation, step, also=best.sentence)
            if of_now
            else Proposal(kind=wanted.kind, likely=(now, text))
        )
    rivals = [r.strength(wanted) for r, others in candidates[1:] if not _is_same(others[0].text, text)]
    clear = best.strength(wanted) - max(rivals, default=0.0) >= CERTAINTY.clear
    clear = clear and not any(_is_what_is_asked(wanted, r) for r, _ in candidates if not _is_about(wanted, best))
    parts = _is_one_of_several(wanted, candidates[0][1]) and not are_told_apart(wanted, best, candidates[0][1])
    several = len(candidates[0][1]) > 1 and (wanted.several or parts)
    sure = _is_sure_of_span(wanted, best) and _is_counted_there(wanted, best, candidates[0][1][0])
    sure = sure and (best is rated[0] or rated[0].strength(wanted) <= best.strength(wanted))
    sure = sure and not _is_of_something_else(wanted, best, candidates[0][1][0])
    sure = sure and not _lacks_extreme(wanted, best, candidates[0][1][0])
    # Several places are asked for, and one is told.
    sure = sure and not (_ASKS_PLACES.match(wanted.question) and " and " not in text)
    if sure and clear and not several:
        return Proposal(_with_second(wanted, best, text), wanted.kind, best.sentence)
    stated = None if several else _agreed(wanted, candidates)
    return stated or Proposal(kind=wanted.kind, likely=likely)


# "6,000 job cuts in May and about 9,000 in July"
_TELLS_ANOTHER = re.compile(r"\band (?:(?:about|over|nearly|some) )?\d[\d,.]*\d (?:in|on|at|for|during|by)\b")


def word_for_word(wanted: Wanted, rated: Iterable[Rated]) -> Proposal:
    """The one part of a sentence with which that says all that is asked, in its words and their order; else none."""
    rated = list(rated)
    if of_name := _told_of_name(wanted.question, rated):
        return of_name
    told: dict[str, EvidenceSentence] = {}
    for sentence in (each.sentence for each in rated):
        unsaid = wanted.terms - sentence.terms - subject_terms(sentence.passage)
        if len(unsaid) > 1 or _TELLS_ANOTHER.search(sentence.text):  # "met" of "meet" is said
            continue
        for span in candidates_in(wanted, sentence):
            place = (span.start, span.end)
            if says_with_part(wanted.question, sentence.text, *place, sentence.passage.title):
                told.setdefault(span.text, sentence)
    return _if_one(wanted, told or _told_behind(wanted, rated))


# "What is A used for?", "Which league does A play in?": what is asked for stands behind the last word.
_ASKS_BEHIND = re.compile(r"(?i)^(?:what|which)\b.{3,200} (?:of|in|on|at|by|for|from|to|with|after|as|near)\W*$")
_PHRASE_ENDS = re.compile(
    r"\.(?![\"”])|[;:()]|,? (?:wh(?:ich|om?|ose|ere|en|ile)|that|because|although|but|so|since|until|before|after|if)\b"
    r"|, (?=(?:an?|the|its|his|her|in|on|with|[a-z]{3,14}(?:ed|ing)) )"
    r"|,? and (?=(?:is|are|was|were|has|have|had|can|may|[a-z]{3,14}(?:ed|s)) )"
)
_OF_ITS_CLASS = r"\b{noun}\b(?: (?:\d[\w-]*|[A-Z][\w'’-]*|[\"“][^\"”]{{1,60}}[\"”]))*"
_LONGEST_PHRASE = 14  # words


def _told_behind(wanted: Wanted, rated: Iterable[Rated]) -> dict[str, EvidenceSentence]:
    """The phrases that sentences add behind the words of a question that ends in a preposition, each with one."""
    told: dict[str, EvidenceSentence] = {}
    if _ASKS_BEHIND.match(wanted.question) is None or wanted.kind in ("number", "amount", "date", "choice"):
        return told
    for sentence in (each.sentence for each in rated):
        behind = behind_what_is_asked(wanted.question, sentence.text, sentence.passage.title)
        phrase = _of_class(wanted, _PHRASE_ENDS.split(behind, maxsplit=1)[0].strip(" ,"))
        if phrase and phrase in sentence.text:
            told.setdefault(phrase, sentence)
    return told


def _of_class(wanted: Wanted, phrase: str) -> str:
    """A phrase as far as it says what is asked for by name: "Zone 4" for a zone; empty where it is none or long."""
    called = class_named(wanted.question)
    if called:
        nouns = [word for word in re.findall(r"\w+", phrase) if terms_of(word) & called]
        ends = re.search(_OF_ITS_CLASS.format(noun=re.escape(nouns[-1])), phrase) if nouns else None
        phrase = phrase[: ends.end()] if ends else ""
    return phrase if 0 < len(phrase.split()) <= _LONGEST_PHRASE else ""


def _is_of_something_else(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether a span is told of something else than is asked, however likely its sentence is to answer."""
    asks_most = wanted.kind == "place" or _HAS_MOST.search(wanted.question) is not None
    if asks_most and _lacks_extreme(wanted, rated, span):
        return True
    if _HAS_SEVERAL.match(wanted.question) and " and " not in span.text:
        return True  # several places or two things are asked for, and one is told
    if wanted.kind in ("person", "organisation") and does_something_else(wanted, rated.sentence.text, span):
        return True
    if is_done_to_its_class(wanted, rated.sentence.text, span):
        return True
    if tells_another_act(wanted, rated.sentence.text, span) or tells_where_else(wanted, rated.sentence.text, span):
        return True
    if wanted.kind in ("number", "amount") and is_in_the_case(rated.sentence.text, span):
        return True
    if _says_of_which_country(wanted, span):
        return True
    checks = (_is_told_apart, _is_unreal, _is_no_owner, _is_done_to, _began_later, _is_a_part)
    return any(is_so(wanted, rated, span) for is_so in checks)


_OF_NATION = terms_of("nationality language people country citizenship")


def _says_of_which_country(wanted: Wanted, span: TypedSpan) -> bool:
    """Whether a part only says from where one of the class asked for is: "a Spanish film" for which film."""
    called = class_named(wanted.question) if wanted.kind == "fact" else frozenset[str]()
    return bool(called) and called.isdisjoint(_OF_NATION) and is_nationality(span.text)


_SINCE = re.compile(r"(?i)\bsince (?:(?:early|late|the \w{3,9} of) |mid-)?")


def _began_later(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether it is asked who has done it since a day, and the clause of a name tells it of a later: since 2024."""
    asked = [] if wanted.kind == "date" else _dates_since(wanted.question)
    told = _dates_since(clause_of(rated.sentence.text, span, _CLAUSE)) if asked else []
    return bool(told) and min(told)[: len(asked[0])] > asked[0]  # June 2024 is in 2024


def _dates_since(text: str) -> list[str]:
    """The keys of the dates right behind "since"."""
    starts = {match.end() for match in _SINCE.finditer(text)}
    return [date.key for date in dates(text) if date.span[0] in starts]


_IS_ASKED = re.compile(r"(?i)who(?:['’]s| (?:is|was|are|were))\b")
_ROLE_AHEAD = re.compile(r"(?P<role>[\w-]{2,24}(?: [\w-]{2,24}){1,3}), $")


def _is_done_to(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether a person is named as whom it is done to: "who may overrule the officer" and "the officer, Ann Lee"."""
    ahead = _ROLE_AHEAD.search(rated.sentence.text, max(0, span.start - _FAR_AHEAD), span.start)
    if wanted.kind != "person" or ahead is None or _IS_ASKED.match(wanted.question):
        return False
    named = ahead["role"].lower().split()
    asked = " ".join(words(wanted.question))
    return any(f" {' '.join(named[n:])}" in f" {asked}" for n in range(len(named) - 1))


_FAR_AHEAD = 110  # characters
# Example: "Whose chips does Acme use?" Counter-example: "Whose idea was it?", which has no verb behind what is owned.
_WHOSE = re.compile(
    r"(?i)(?:(?:from|by|in|on|at|with) )?whose (?P<owned>[a-z-]{3,24}) (?:did|do|does|has|have|had|go|went|are|were)\b"
)
_FROM_WHOM = re.compile(r"(?i)\b(?:from|by|of|with)(?: (?:the|its|their|a|an))?(?: [\w-]{2,20})? $")


def _is_no_owner(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether it is asked whose something is, and a name is neither in front of it nor behind "from" or "by"."""
    asked = _WHOSE.match(wanted.question)
    if asked is None:
        return False
    text = rated.sentence.text
    behind = words(text[span.end :])[:_OWNED_WITHIN]
    is_named_behind = terms_of(asked["owned"]) & terms_of(" ".join(behind))
    return not (is_named_behind or _FROM_WHOM.search(text, 0, span.start))


_OWNED_WITHIN = 3  # words behind the name
_SEMICOLON = re.compile(r"; ")


def _is_told_apart(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether what is asked of the names stands in another clause, parted by a semicolon, than a span."""
    text = rated.sentence.text
    deeds = wanted.deeds
    if _is_no_change(wanted, text, span):
        return True
    clause = terms_of(clause_of(text, span, _SEMICOLON))
    return asked_share(deeds, clause, uniform) == 0.0 < asked_share(deeds, terms_of(text), uniform)


_BY_HOW_MUCH = re.compile(
    r"(?i)(?:by )?how (?:much|many)\b.{3,120} (?:did|do|does|has|have|had|will|would)\b"
    r"|(?:by )?how (?:much|many) (?:did|do|does|has|have|had|will|would)\b"
)


def _is_no_change(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether it is asked by how much something changed, and a number stands beside: "were above 50 and then fell".

    Where no word of a text says that anything rose or fell, no number of it says by how much.
    """
    if _BY_HOW_MUCH.match(wanted.question) is None:
        return False
    said, clause = terms_of(text), terms_of(clause_of(text, span, _JOINT))
    changes = [term for term in wanted.terms if contrary(term)]
    told = [term for term in changes if is_said(term, said)]
    moves = any(not contrary(term).isdisjoint(_RISE_OR_FALL) for term in changes)
    if moves and not told and _HIGHER.search(text) is None:
        return True
    return any(not is_said(term, clause) for term in told)


_RISE_OR_FALL = terms_of("rise fall")
_HIGHER = re.compile(
    r"(?i)\b(?:up|down|higher|lower|more|less|fewer|from (?=[$€£]?\d)"
    r"|(?:expand|widen|narrow|jump|surg|soar|slump|slid|doubl|tripl|halv)[a-z]{0,3})\b"
)
_CLAUSE = re.compile(r"[;,] ")
_EXTREME = re.compile(rf"(?i)\b(?:most|least|first|last|earliest|{SUPERLATIVE})\b(?! \d)")


_HAS_MOST = re.compile(r"(?i)\bthe most [a-z]{2,24}s\b")


def _lacks_extreme(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether it is asked who is most so or was first, and the clause of a name says of nobody that it is."""
    is_place = wanted.kind == "place" and "most" in wanted.words
    if not (is_place or wanted.kind in ("person", "organisation")) or _EXTREME.search(wanted.question) is None:
        return False
    clause = clause_of(rated.sentence.text, span, _CLAUSE)
    told = words(clause)
    # Who called most employees back has not the most, and where most car production was stopped is not where most is.
    if is_place or (_HAS_MOST.search(wanted.question) and not _HAS_MOST.search(clause)):
        told = [word for word in told if word != "most"]
    return not any(map(TELLS_MOST.fullmatch, told))


_ASKS_PLACES = re.compile(r"(?i)where are (?:[\w'’.&-]{1,30} ){0,4}[a-z]{2,20}s\b(?! [a-z]+ed\b)")
# Example: "Where does Acme have factories?" Counter-example: "Where does Acme have its headquarters?"
_HAS_SEVERAL = re.compile(
    r"(?i)where (?:does|do) (?:[\w'’.&-]{1,30} ){1,4}(?:have|run|operate|keep|own) "
    r"(?:[\w-]{1,20} ){0,2}[a-z]{2,20}(?<!headquarter)s\b"
    rf"|(?:which|what) (?:[a-z-]{{2,20}} ){{1,3}}and (?:[a-z-]{{2,20}} ){{1,3}}(?:{'|'.join(AUXILIARIES)})\b"
)


# "A plan of 1.5 trillion dollars, including up to 10 billion dollars of its own": the second is part of the first.
_INCLUDING = re.compile(r"\bincluding (?:(?:about|around|nearly|almost|some|over|at least|up|to|more|than) ){0,2}$")
_WHAT_OF = re.compile(r"[^,.;]*")


def _is_a_part(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    text = rated.sentence.text
    if wanted.kind not in ("number", "amount"):
        return False
    if _INCLUDING.search(text, 0, span.start) is None:
        return False
    of = _WHAT_OF.match(text, span.end)
    is_asked = of is not None and len(wanted.terms & terms_of(of[0])) > 1
    return not is_asked and any(other.end < span.start for other in candidates_in(wanted, rated.sentence))


# "A rule that would have cut fees to 8 dollars was cancelled."
_UNREAL = re.compile(r"(?i)\bwould (?:not )?have\b")


def _is_unreal(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether a span is part of what only would have been, where it is asked what is or was."""
    clause = clause_of(rated.sentence.text, span, _JOINT)
    ahead, _, _ = clause.partition(span.text)
    return _UNREAL.search(ahead) is not None and "would" not in wanted.words


def _with_candidates(wanted: Wanted, rated: Iterable[Rated]) -> list[tuple[Rated, list[TypedSpan]]]:
    """The sentences that hold what may be the answer, each with its parts that may."""
    return [(each, spans) for each in rated if (spans := candidates_in(wanted, each.sentence))]


def _with_second(wanted: Wanted, rated: Rated, text: str) -> str:
    """A short answer with what the same sentence says to the second question: "Ann Lee, May 2020" for who and when."""
    asks = _ASKS_TWICE.search(wanted.question)
    kind = _ASKED_BESIDE.get(asks["asks"].lower()) if asks else None
    if asks and not terms_of(wanted.question[asks.end() :]) <= rated.said(wanted):
        return text  # the second is asked of something else: "who bought A, and how much debt did B repay"
    second = candidates_in(replace(wanted, kind=kind), rated.sentence) if kind else []
    return f"{text}, {second[0].text}" if len(second) == 1 and second[0].text != text else text


_HYPHENED_UNIT = re.compile(r"-(?P<unit>hour|day|week|month|year)\b")


_YEAR_OF_RANGE = re.compile(rf" (?:to|until|through|and) (?:{MONTH_NAMES}) (?P<year>(?:19|20)\d\d)\b")


# "The second half of 2026", "early 2025": a part of what is written as a date.
_PART_OF_TIME = re.compile(
    r"(?i)\b(?:(?:the )?(?:(?:first|second) half|beginning|start|middle|end) of (?:the )?"
    r"|(?:early|late|mid)(?: in)?[- ]|(?:spring|summer|autumn|fall|winter)(?: of)? )$"
)


def _with_unit(wanted: Wanted, rated: Rated, span: TypedSpan) -> str:
    """A span with its unit or year: "three years" of "a three-year period", "May 2024" of "May to June 2024"."""
    if wanted.kind == "number" and began_when(wanted.question, rated.sentence.text):
        return f"since {span.text}"
    told = rated.sentence.text
    if wanted.kind == "date" and span.text in MONTHS:
        ended = _YEAR_OF_RANGE.match(told, span.end)
        return f"{span.text} {ended['year']}" if ended else span.text
    part = _PART_OF_TIME.search(told, 0, span.start) if wanted.kind == "date" else None
    if part:
        return told[part.start() : span.end]
    measure = MEASURE.search(told, span.start) if tells_measure(wanted.question, told) else None
    if measure and measure.start() < span.end:
        return told[span.start : measure.end()]
    unit = _HYPHENED_UNIT.match(told, span.end) if wanted.kind == "number" else None
    return f"{span.text} {unit['unit']}s" if unit else span.text


def _is_sure_of_span(wanted: Wanted, rated: Rated) -> bool:
    """Whether a sentence is sure to answer a question for a name, a date or a number: a span of that kind is a sign."""
    sure = rated.strength(wanted) >= CERTAINTY.span and rated.asked(wanted) >= CERTAINTY.named
    asks_one = len(wanted.terms) > 1 and _ASKS_TWICE.search(wanted.question) is None
    sure = sure and (asks_one or wanted.kind != "fact")
    # Who did it stands in what "The complaint alleges …" hangs on; below its name "the team" is what is asked about.
    is_apart = rated.sentence.hangs and not _is_what_is_asked(wanted, rated)
    sure = sure and not (is_apart and wanted.kind in ("person", "organisation"))
    return sure and says_phrasal_verbs(wanted, rated.sentence.text)


def agreed(wanted: Wanted, sentences: Iterable[EvidenceSentence]) -> tuple[EvidenceSentence, ...]:
    """The two sentences of the evidence that together answer with one number; none where no two do."""
    rated = [Rated.of(sentence, wanted) for sentence in sentences]
    if not wanted.terms <= frozenset().union(*(each.said(wanted) for each in rated)):
        return ()  # no two of them say all that is asked
    proposal = _agreed(wanted, _with_candidates(wanted, rated))
    return proposal.sentences if proposal else ()


def _those_counted(
    wanted: Wanted, candidates: list[tuple[Rated, list[TypedSpan]]]
) -> list[tuple[Rated, list[TypedSpan]]]:
    """Those sentences whose number stands before what is counted ("113,000 questions"), where a sure one does."""
    if not wanted.counted or wanted.kind != "number":
        return candidates
    own = [(r, spans) for r, spans in candidates if _is_before_counted(wanted, r, spans[0])]
    return own if own and _is_sure_of_span(wanted, own[0][0]) else candidates


def _is_before_counted(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    behind = words(rated.sentence.text[span.end : span.end + _BEHIND])[:3]
    near = takewhile(lambda word: word not in STOP_WORDS, behind)
    things = (word for word in near if not word.endswith("ed"))  # "two gated versions" are no gates
    said = terms_of(" ".join((*words(span.text), *things)))
    return not said.isdisjoint(wanted.counted)


def _is_about(wanted: Wanted, rated: Rated) -> bool:
    """Whether the title of its passage names any of what is asked about."""
    return bool(subject_terms(rated.sentence.passage) & wanted.terms)


def _is_what_is_asked(wanted: Wanted, rated: Rated) -> bool:
    """Whether the question names its passage in full: of "TREC" the passage TREC speaks, not one on its tracks."""
    title = set(words(rated.sentence.passage.title))
    return bool(title) and title <= wanted.words


def _is_counted_there(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether a number stands in the clause that says most of what is asked: orders are not what was delivered."""
    if wanted.kind not in ("number", "amount", "place"):
        return True
    terms = wanted.terms - subject_terms(rated.sentence.passage)
    return asked_share(terms, terms_of(clause_of(rated.sentence.text, span, _JOINT)), telling) >= CERTAINTY.clause


_NUMBER_WITH_SCALE = re.compile(
    r"[\w.,]{1,20} (?:hundred|thousand|million|billion|trillion|per ?cent|(?:minute|hour|day|week|month|year)s?)\b"
)


_AT_MOST = re.compile(r"(?i)\bat (?:most|least)\b")  # two that name one number need not name its bound


def _agreed(wanted: Wanted, candidates: Sequence[tuple[Rated, list[TypedSpan]]]) -> Proposal | None:
    """The number of which two documents say the same, where one sentence or both together say all that is asked.

    "The base model has eight attention heads" and "the original Transformer used eight heads of 64 dimensions".
    """
    if wanted.kind not in ("number", "amount") or _AT_MOST.search(wanted.question):
        return None
    for n, (one, spans) in enumerate(candidates):
        for other, others in candidates[n + 1 :]:
            apart = one.sentence.passage.document_id != other.sentence.passage.document_id
            if apart and wanted.terms <= one.said(wanted) | other.said(wanted):
                counts = _counts(wanted, other, others)
                same = next((s for s in spans if _counts(wanted, one, [s]) & counts), None)
                if same is not None:
                    said = _ROUGHLY.sub("", same.text)
                    text = _NUMBER_WITH_SCALE.match(said)
                    number = text[0] if text else words(said)[0]
                    step = f"two documents that both say {number}"
                    return Proposal(number, wanted.kind, one.sentence, step, also=other.sentence)
    return None


_ROUGHLY = re.compile(r"(?i)^(?:(?:about|around|nearly|almost|over|some|roughly|approximately) ){1,3}")  # of 15 million


def _counts(wanted: Wanted, rated: Rated, spans: Sequence[TypedSpan]) -> frozenset[tuple[str, str]]:
    """How many of what is asked: ("eight", "head") of "eight attention heads"."""
    made = set()
    for span in spans:
        behind = words(_ROUGHLY.sub("", rated.sentence.text[span.start : span.start + _BEHIND]))
        made |= {(behind[0], term) for word in behind[1:4] for term in terms_of(word) & wanted.terms}
    return frozenset(made)


def _is_one_of_several(wanted: Wanted, spans: Sequence[TypedSpan]) -> bool:
    """Whether a sentence gives the number in parts: "about 6,000 in May and about 9,000 in July"."""
    forms = [re.sub(r"\d[\d.,]*", "#", span.text.casefold()) for span in spans]
    return wanted.kind in ("number", "amount") and forms.count(forms[0]) > 1


def _is_same(one: str, other: str) -> bool:
    """Whether two answers differ only in how exact they are: "30 September 2025" and "the third quarter of 2025"."""
    said, others = set(words(one)), set(words(other))
    is_part = said <= others or others <= said
    return is_part or any(a.holds(b) or b.holds(a) for a in dates(one) for b in dates(other))


def _newer(wanted: Wanted, best: Rated, text: str, rated: Sequence[Rated]) -> tuple[str, EvidenceSentence] | None:
    """Another number of the same thing that a sentence of a later date says; a question for now has to ask which."""
    thing = text.split()[-1].casefold()
    if wanted.kind not in ("number", "amount") or not thing.isalpha() or not best.sentence.dates:
        return None
    then = _last(best.sentence)
    later = [r for r in rated if r.match >= CERTAINTY.sentence and r.sentence.dates and _last(r.sentence) > then]
    later = [r for r in later if not _is_of_another(wanted.question, r.sentence.text)]
    told = best.said(wanted)
    of_both = frozenset().union(*(name for name in _plain_names(wanted.question) if name <= told))
    later = [r for r in later if of_both <= r.said(wanted)]  # what A pays B is no later sum that B pays to others
    for each in later:
        for candidate in candidates_in(wanted, each.sentence):
            counted = candidate.text.split()[-1].casefold()
            ahead = each.sentence.text.partition(candidate.text)[0]
            if counted == thing and candidate.text != text and not UP_TO.search(ahead):
                return candidate.text, each.sentence
    return None


_PLAIN_NAME = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,5}")
_NOT_AHEAD = re.compile(r"^$|\d $")


def _plain_names(question: str) -> list[frozenset[str]]:
    """The terms of each name of a question that has no number and is no country."""
    named = (name for name in names(question) if _PLAIN_NAME.fullmatch(name.text))
    named = (name for name in named if _NOT_AHEAD.search(question, 0, name.start) is None)
    return [terms_of(name.text) for name in named if not countries_in(name.text)]


def _is_of_another(question: str, text: str) -> bool:
    """Whether a text speaks of another number of what the question names: of GPT-3, and not of GPT-2."""
    numbered = set(_NUMBERED.findall(text))
    others = {name for name, _ in numbered - set(_NUMBERED.findall(question))}
    return any(name in others and (name, number) not in numbered for name, number in _NUMBERED.findall(question))


def _last(sentence: EvidenceSentence) -> str:
    return max(date.key for date in sentence.dates)


def _outcome(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """What the last reversal says that the surest sentence, or a later one on the same matter, tells of.

    What happened to somebody in a time may be several things, of which none is the outcome.
    """
    named = terms_of_names(wanted.question)
    if wanted.conditions and all(term in named or telling(term) < 1.0 for term in wanted.terms):
        return Proposal(kind=wanted.kind)
    for each in rated[:1]:
        if not named <= terms_of(each.sentence.text) | subject_terms(each.sentence.passage):
            continue  # what happened to A in Europe is not told by what happened to it elsewhere
        chain = (each.sentence, *reversals_of(each.sentence, siblings[each.sentence.rank]))
        text = last_reversal(chain[-1].text, of=wanted.terms)
        about = bool(terms_of(text) & wanted.terms) or len(chain) > 1
        sure = each.match >= CERTAINTY.sentence and stands_after(chain[-1].text) is not None
        if sure and about and len(text.split()) <= _LONGEST_OUTCOME:
            return Proposal(upper_first(text), wanted.kind, chain[-1])
    return Proposal(kind=wanted.kind)


def _spelled_out(name: str, rated: Sequence[Rated]) -> Proposal:
    """What an abbreviation stands for: "LoRA, short for low-rank adaptation, is …"."""
    for each in rated:
        text = _ITS_NAME.sub(f"{name} stands for ", each.sentence.text) if _names(name, each) else each.sentence.text
        for match in _SPELLED_OUT.finditer(text):
            if (match["name"] or match["called"]).casefold() == name.casefold():
                return Proposal(match["words"] or match["spelled"], "definition", each.sentence)
        if bracketed := spelled_out(name, text):
            return Proposal(bracketed, "definition", each.sentence)
    return Proposal(kind="definition")


def _told_of_name(question: str, rated: Sequence[Rated]) -> Proposal | None:
    """What a name means, or after what it is named, as the surest sentence that tells it says."""
    for asks, kind, tells in _OF_A_NAME:
        if asked := asks.match(question):
            given = asked.groupdict()
            name = (given["name"] or given["named"]).strip("\"“”'‘’")
            parts = {"name": re.escape(name), "noun": re.escape(given.get("noun") or "")}
            told = re.compile(tells.format(**parts), re.IGNORECASE)
            found = ((each, told.search(each.sentence.text)) for each in rated if each.match >= CERTAINTY.sentence)
            return next((Proposal(m["told"].strip(" .,"), kind, each.sentence) for each, m in found if m), None)
    return None


def _names(name: str, rated: Rated) -> bool:
    return name.casefold() in words(f"{rated.sentence.passage.title} {rated.sentence.text}")


_NEXT_ACT = re.compile(
    r"\b(?:and|but) (?=(?:then |later |also )?(?:[a-z]{3,12}ed|was|were|may|might|made|gave|took|let|won|lost)\b)"
    r"|; |, (?:but|while|whereas|although|though) "
)


def _is_of_what_is_asked(wanted: Wanted, rated: Rated, clause: str) -> bool:
    """Whether the act right before a reason is asked about: of "blocked it and allowed it after A" it is the second."""
    before = rated.sentence.text.partition(clause)[0]
    acts = _NEXT_ACT.split(before)
    if len(acts) == 1:
        return True
    asked = wanted.beside_title(rated.sentence)
    return asked_share(asked & wanted.deeds or asked, terms_of(acts[-1]), telling) > 0


def _told_outside(wanted: Wanted, rated: Rated, clause: str) -> float:
    outside = terms_of(rated.sentence.text.replace(clause, " ")) | subject_terms(rated.sentence.passage)
    return asked_share(wanted.terms, outside, uniform)


PATH = Path(__file__).parent / "short.json"
_NUMBERED_KINDS: tuple[AnswerKind, ...] = ("amount", "date", "number", "organisation", "person", "place")
OF_SPANS = (
    "place", "lead", "lead_of_text", "passage", "counted", "counts", "again", "clause", "own", "length",
    *(f"is_{kind}" for kind in _NUMBERED_KINDS),
)  # fmt: skip
OF_REASONS = ("opens", "place", "lead", "lead_of_match", "match", "outside")
FEATURES: Mapping[str, tuple[str, ...]] = {
    "span": OF_SPANS,
    "reason": OF_REASONS,
    "yes": OF_VERDICTS,
    "no": OF_VERDICTS,
}
# From which chance on an answer is stated; some nine in ten were right on questions that the models had not seen.
STATED = {"span": 0.8, "reason": 0.75, "yes": 0.85, "no": 0.85}
_LEAST_STRENGTH = 0.4  # of a sentence that says yes or no; of weaker ones more were wrong
_SPEAK_AGAINST = ("denied", "turned", "taken_back", "still", "narrow", "other_time")
_PARTS_OF_A_SENTENCE = 3
_SENTENCES_WITH_REASONS = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be the answer: a part of a sentence, yes or no; with its features in the order of `FEATURES[model]`."""

    text: str
    sentence: EvidenceSentence
    model: str
    features: tuple[float, ...]


@cache
def _models() -> Mapping[str, Likelihood]:
    saved = json.loads(PATH.read_text(encoding="utf-8"))
    return {model: Likelihood.of(saved[model], names) for model, names in FEATURES.items()}


def _by_chance(wanted: Wanted, ordered: Sequence[Rated], by_rules: Proposal) -> Proposal:
    """What is likeliest to be right, where it is likely enough."""
    chances = [(_models()[each.model].chance(each.features), each) for each in candidates(wanted, ordered)]
    chance, best = max(chances, key=lambda pair: pair[0], default=(0.0, None))
    asks_twice = _ASKS_TWICE.search(wanted.question) is not None  # of "who and when" it would be half
    if best is None or asks_twice or chance < STATED[best.model]:
        return by_rules
    return Proposal(best.text, wanted.kind, best.sentence, by_chance=True)


def candidates(wanted: Wanted, ordered: Sequence[Rated]) -> list[Candidate]:
    """What may be the answer to a question of the kinds learned, from its sentences, the strongest first."""
    if wanted.kind == "yes_no":
        return list(_verdicts(wanted, ordered))
    if wanted.kind == "reason":
        return list(_reasons(wanted, ordered))
    return list(_spans(wanted, ordered)) if wanted.kind in _NUMBERED_KINDS else []


def _verdicts(wanted: Wanted, ordered: Sequence[Rated]) -> Iterator[Candidate]:
    """Yes and no by the strongest sentence, where it is strong enough to tell of what is asked."""
    best = next((rated for rated in ordered if not rated.sentence.empty), None)
    if best is not None and best.strength(wanted) >= _LEAST_STRENGTH and not says_both(wanted, best.sentence.terms):
        values = tells_verdict(wanted, best, ordered)
        features = tuple(values[name] for name in OF_VERDICTS)
        is_yes = may_be_yes(wanted, best)
        if is_yes:
            yield Candidate("Yes", best.sentence, "yes", features)
        against = any(values[name] for name in _SPEAK_AGAINST)
        if not (values["says_yes"] and (is_yes or not against)):  # a plain yes is no no
            yield Candidate("No", best.sentence, "no", features)


def _spans(wanted: Wanted, ordered: Sequence[Rated]) -> Iterator[Candidate]:
    of_each = _with_candidates(wanted, ordered)
    for rated, spans in of_each:
        sentence = rated.sentence
        others = [(other, parts[:2]) for other, parts in of_each if other is not rated]
        terms = wanted.terms - subject_terms(sentence.passage)
        for place, span in enumerate(spans[:_PARTS_OF_A_SENTENCE]):
            if _is_of_something_else(wanted, rated, span):
                continue
            text = _with_unit(wanted, rated, span)
            agree = [any(_is_same(part.text, text) for part in parts) for _, parts in others]
            rivals = [other.strength(wanted) for (other, _), same in zip(others, agree, strict=True) if not same]
            values = {
                "place": place,
                "lead": rated.lead(wanted, ordered),
                "lead_of_text": rated.strength(wanted) - max(rivals, default=0.0),
                "passage": sentence.rank,
                "counted": bool(wanted.counted) and _is_before_counted(wanted, rated, span),
                "counts": bool(wanted.counted),
                "again": min(sum(agree), _MOST_LIKELY),
                "clause": asked_share(terms, terms_of(clause_of(sentence.text, span, _JOINT)), telling),
                "own": asked_share(wanted.terms, wanted.said_by(sentence), telling),
                "length": min(len(text.split()), _LONG),
            } | {f"is_{kind}": kind == wanted.kind for kind in _NUMBERED_KINDS}
            yield Candidate(text, sentence, "span", tuple(float(values[name]) for name in OF_SPANS))


def _reasons(wanted: Wanted, ordered: Sequence[Rated]) -> Iterator[Candidate]:
    for place, rated in enumerate(ordered[:_SENTENCES_WITH_REASONS]):
        text = rated.sentence.text
        clause = _clause(text, wanted)
        is_told = clause and _says_itself(wanted, rated, clause) and _is_of_what_is_asked(wanted, rated, clause)
        if is_told and _fits(wanted, rated, clause):
            best_other = max((other.match for other in ordered if other is not rated), default=0.0)
            values = {
                "opens": text.startswith(clause),
                "place": place,
                "lead": rated.lead(wanted, ordered),
                "lead_of_match": rated.match - best_other,
                "match": rated.match,
                "outside": _told_outside(wanted, rated, clause),
            }
            features = tuple(float(values[name]) for name in OF_REASONS)
            yield Candidate(_as_reason(clause), rated.sentence, "reason", features)


def _says_itself(wanted: Wanted, rated: Rated, clause: str) -> bool:
    """Whether what has the reason is told in a word of the question: "lowers the value" tells of no "cut prices"."""
    asked = wanted.terms - subject_terms(rated.sentence.passage)
    return not asked or not asked.isdisjoint(terms_of(rated.sentence.text.replace(clause, " ")))


_CUTS_LIST = re.compile(r": \(?[A-Za-z\d]{1,2}[.)] ")


def _clause(text: str, wanted: Wanted) -> str:
    """The clause of a sentence that gives a reason; empty where it ends within a list: "for two reasons: (a) Fraud"."""
    clause = offset_in(text) if ASKS_OFFSET.match(wanted.question) else reason_asked(text, wanted.terms)
    return "" if _CUTS_LIST.search(clause) or tells_the_contrary(wanted.question, text) else clause


_POINT = re.compile(r":? [•▪■] (?P<opens>\w)")


def _as_reason(clause: str) -> str:
    """A clause as it is told, without the sign of the first point of a list: "due to: • Higher costs"."""
    told = _POINT.sub(lambda point: f" {point['opens'].lower()}", clause)
    return upper_first(told.rstrip(" .,;"))


_LONG = 8  # words
_ASKS_OF_NOW = re.compile(r"(?i)why (?:do|does|is|are|should|can|must)\b")
_IN_TIME = ("when ", "after")


def _is_only_in_time(question: str, clause: str) -> bool:
    """Whether a clause only says when something is done, where why it is so is asked: "When it rains"."""
    return _ASKS_OF_NOW.match(question) is not None and clause[:5].casefold() in _IN_TIME


def _fits(wanted: Wanted, rated: Rated, clause: str) -> bool:
    """Whether a reason may be one of what is asked."""
    told = rated.sentence
    asked = wanted.terms - subject_terms(told.passage)
    if side_told(told.terms) < 0 and all(telling(term) < 1.0 for term in asked):
        return False  # "why use A" is not answered by why it is slow
    said = rated.said(wanted)
    if any(name.isdisjoint(said) for name in _plain_names(wanted.question)):
        return False  # it tells of something else
    if _is_only_in_time(wanted.question, clause) or _is_of_unnamed(wanted.question, clause):
        return False
    return not _only_repeats(wanted, told.text, clause)


# "Four bolts were missing because they had not been put back": the reason alone leaves open who they are.
_THEY = re.compile(r"(?i)[a-z]{2,8} (?:they|these|those)\b")


def _is_of_unnamed(question: str, clause: str) -> bool:
    """Whether a reason is told of "they", and the question speaks of one thing only."""
    if _THEY.match(clause) is None:
        return False
    asked = set(words(question)) - STOP_WORDS
    return all(word.endswith("ss") for word in asked if word.endswith("s"))


def _only_repeats(wanted: Wanted, text: str, clause: str) -> bool:
    """Whether nothing but a reason says what happened: "after an outage of B" tells nothing of why there was one."""
    deeds = wanted.deeds
    told = asked_share(deeds, terms_of(text.replace(clause, " ")), uniform)
    return told == 0.0 < asked_share(deeds, terms_of(clause), uniform)


def _reason(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The clause of the surest sentence that gives a reason."""
    for each in rated[:1]:
        clause = _clause(each.sentence.text, wanted)
        in_time = clause[:5].casefold() in _IN_TIME
        # What is asked stands outside of the reason: what sales fell by, "due to A", tells nothing of why A.
        if (
            clause
            and _fits(wanted, each, clause)
            and _told_outside(wanted, each, clause) >= CERTAINTY.case
            and _is_of_what_is_asked(wanted, each, clause)
            and each.is_sure(wanted, strength=CERTAINTY.loose if in_time else CERTAINTY.strength)
        ):
            return Proposal(_as_reason(clause), "reason", each.sentence)
    return Proposal(kind="reason")
