"""Who did something: which names of a sentence are the persons or organisations that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from itertools import islice

from adaq_core.answers.choose import (
    DOERS,
    Proposal,
    TypedSpan,
    Wanted,
    asked_share,
    telling,
    typed_spans,
)
from adaq_core.answers.evidence_sentences import EvidenceSentence
from adaq_core.matching.answer_shapes import lacks_order
from adaq_core.matching.lexicon import (
    LIGHT_VERBS,
    forms_of,
    is_common_word,
    is_said,
    same_sense,
    single_words,
)
from adaq_core.matching.naming import subject_terms
from adaq_core.matching.shown import BUY, SOLD_TO
from adaq_core.matching.statements import AT_A_TIME
from adaq_core.model import Passage
from adaq_core.question.answer_kinds import AUXILIARIES, class_named, in_question
from adaq_core.text.entities import Name, countries_in, names, terms_of_names
from adaq_core.text.tokens import STOP_WORDS, terms_of, words
from adaq_core.text.values import amounts

# "See the Transit Benefit page", "Let TTS know": who reads is told to do something.
_NO_PERSON = re.compile(
    r" of (?:the )?|^[A-Z]{2,6}$"
    r"|^(?:Customer|Company|Supplier|Vendor|Partner|Party|Person|Plaintiff|Defendant|Distributor) [A-Z0-9]$"
    r"|^(?:See|Let|Note|Visit|Contact|Ask|Call|Check|Click|Select|Follow|Enter|Submit|Send|Use|Choose|Read) "
)
# Who does it, where that is no name: "are approved by the treasurer", "needs the approval of the line manager".
_AGENT = re.compile(
    r"\b(?P<done>\w{3,20}) (?:by|of) (?P<who>the (?!same )[a-z][a-z' ]{2,40}?)(?=[.,;:]|$"
    r"| (?:and|or|who|which|for|before|after|within|only"
    r"|at|in|on|when|if|up|to)\b)(?!, [A-Z])"
)
_ASKS_ROLE = re.compile(
    r"(?i)(?:who|what|which \w{1,20})(?:['’]s| (?:is|was|are|were)) (?:now |currently |still )?"
    r"(?:(?:the|an?) |(?=(?:C[A-Z]O|chair(?:man|woman)?|president|head|chief)\b))"
)
_OWNED_ROLE = re.compile(r"(?i)who(?:['’]s| is)(?: now| currently)? [A-Z][\w.& ]{1,40}['’]s? [a-z]")
# "The management of DNS" runs nothing.
_NO_VERB = ("ment", "ments", "tion", "tions", "sion", "sions", "ness", "er", "ers")
_WHO_DOES = ("er", "ers", "or", "ors")
_WHO_DID = re.compile(
    r"(?i)(?P<who>who|which (?:(?:[a-z]{3,20} )?(?:person|man|woman|executive|manager|company|firm|bank|regulator)"
    r"|[a-z]{3,20}(?= [a-z]{2,18}ed\b))) (?:[a-z]{2,16}ly )?"
    r"(?:(?:will|would|could|might) (?:also )?(?!be\b)|(?:is|are|was|were) (?:going|set|due|about) to "
    r"|(?:is|are|was|were) (?:now |currently )?(?=[a-z]{2,18}ing\b)"
    r"|(?:has|have|had) (?=[a-z]{2,18}(?<!be)(?:ed|en|wn|ght|ld|lt|pt)\b))?"
    r"(?!(?:is|are|was|were|has|have|had|did|do|does|can|may|will|would|should|could|must)\b)(?P<verb>[a-z]{3,20}) "
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be) (?:[a-z]+ly )?$")
# The names right behind "by": not those of what is told next ("by A, first shown on B").
_BY = re.compile(
    r"\bby (?:(?!in |on |at |from |for |with |to |as )[\w.'’&-]{1,24} ){0,6}$"
    r"|\bby (?:[A-Z][\w.'’&-]{0,24},? (?:and )?){1,12}$"
)
_DONE_BY = re.compile(r"\b(?P<done>[a-z]{3,20}ed) by\b")  # "development is supported by B"
# "The purchase of A by B"; who buys glass from B is supplied by B.
_AGENT_BEHIND = re.compile(r"(?:(?: of [^,.;]{1,60})? by| [^,.;]{1,40} from) (?:the )?")
AND = re.compile(r",? and |, ")
LOWER = re.compile(r"[a-z]+")
# What stands behind these is a noun: "other Shakespearean plays", "Shakespeare's classical play".
_ARTICLE = re.compile(
    r"(?:\b(?:an?|the|his|her|its|their|other|several|many|some|these|those)|[a-z]['’]s?) (?:[A-Za-z]+ )?$"
)
# A clause with a name of its own: "A leads the bank, and B has led the fund since".
OWN_CLAUSE = re.compile(
    r"; |: |, (?:but|while|whereas|although|though) | (?:so that|because|whereas) "
    r"|,(?: and)? (?=(?:(?:the|its|his|her|their) (?:[a-z-]{2,20} ){1,3})?[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}"
    r" (?:is|are|was|were|has|have|had|leads?|runs?|left|took|went|came|became|[a-z]{2,14}(?:ed|es|s)) )"
)
_HAD = re.compile(r" had \w")
_IN_THE_PAST = re.compile(
    r"(?i)\b(?:was|were|did|had|before|then|first|former(?:ly)?|previous(?:ly)?|until|in (?:19|20)\d\d)\b"
)
# "Spirit, which Boeing had separated and which makes the fuselage": Boeing makes none.
_RELATIVE_SUBJECT = re.compile(r"\b(?:which|whom) $")
_NEXT_RELATIVE = re.compile(r",? and which\b|,? and who\b|[,;]")
_NUMBER_AHEAD = re.compile(r"\b(?!(?:19|20)\d\d )\d{2,4} $")
_PRODUCT = re.compile(r"[A-Z]{1,3}\d{1,4}[A-Za-z]?")  # "the C1" makes nothing
# Nor do "Mate 60 Pro" and a law: "the Dahl Bill", but not "Bill Gates".
_MODEL = re.compile(r"[a-z] \d{1,3}(?: [A-Z]|$)|\b(?:Act|Law|Treaty|Directive)\b|(?<=\w )Bill\b")


def _is_product(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a name is that of a product, or of another number of a series that is asked about: "737 MAX 7"."""
    *series, last = words(span.text)
    if last.isdigit() and wanted.words.intersection(series):
        return True
    if span.text.isupper() and _NUMBER_AHEAD.search(text, 0, span.start):
        return True
    return _PRODUCT.fullmatch(span.text) is not None or _MODEL.search(span.text) is not None


def _is_of_relative(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a name is the subject of a relative clause that says nothing of what is asked beside names."""
    if not _RELATIVE_SUBJECT.search(text, 0, span.start):
        return False
    clause = _NEXT_RELATIVE.split(text[span.end :])[0]
    return not terms_said(wanted.deeds, clause)


# Who came before Garman is not Matt Garman.
_BESIDE_WHOM = re.compile(
    r"\b(?:before|after|succeed(?:ed|s)?|follow(?:ed|s)?|replaced?|besides|than|over from) (?P<whom>[A-Z][\w’'-]{1,30})"
)


def _without_whom_beside(wanted: Wanted, spans: list[TypedSpan]) -> list[TypedSpan]:
    beside = _BESIDE_WHOM.search(wanted.question)
    if beside is None:
        return spans
    whom = beside["whom"]
    return [s for s in spans if not s.text.endswith(whom)]


# "Natural Questions, released by A": it made nothing.
_IS_DONE = re.compile(
    r",? (?:(?:which|that|who) )?(?:(?:is|are|was|were|has been|had been) )?[a-z]{3,20}(?:ed|wn|en|ght|ld|nt) by\b"
)
_IS_ONE = re.compile(r" (?:is|was|are|were|has been|have been|became|remains) (?P<what>(?:[\w’'-]{1,24} ){1,7})")


def _said_to_be_it(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The names that a sentence says to be what is asked for, where it does so: "A is the main rival of B and C"."""
    if not (_ASKS_ROLE.match(wanted.question) or _OWNED_ROLE.match(wanted.question)):
        return spans

    def is_it(span: TypedSpan) -> bool:
        is_one = _IS_ONE.match(f"{text} ", span.end)
        return is_one is not None and bool(terms_said(wanted.deeds, is_one["what"]))

    return [span for span in spans if is_it(span)] or spans


def _does_something_else(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a name does what is not asked, and nothing that is asked stands behind: "after the fire A limited it"."""
    if not word_behind(text, span).endswith("ed"):
        return False
    deeds = wanted.deeds - class_named(wanted.question)
    behind = terms_said(deeds, text[span.end :])
    before = terms_said(deeds, text[: span.start])
    return bool(before) and not behind


_CIRCUMSTANCE = re.compile(
    r"(?:Before|After|Under|During|Since|Despite|Unlike|Besides|Beyond|Following|In|On|At|With|Without|From|For|Like)"
    r" (?:the |an? |its )?(?:[a-z-]{2,20} ){0,2}$"
)


def _is_circumstance(span: TypedSpan, text: str) -> bool:
    """Whether a name only says when or where something is done, ahead of who does it: "Before the Act, A fined B"."""
    return text.startswith(",", span.end) and _CIRCUMSTANCE.match(text[: span.start]) is not None


def _doers(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    spans = _said_to_be_it(wanted, text, spans)
    spans = [s for s in spans if not _is_circumstance(s, text)]
    spans = [s for s in spans if not _is_product(wanted, s, text)]
    spans = [s for s in spans if not _is_of_relative(wanted, s, text)]
    spans = [s for s in spans if not _does_something_else(wanted, s, text)]
    spans = [s for s in spans if not _IS_DONE.match(text, s.end)]
    spans = _without_whom_beside(wanted, spans)
    return _buyers(wanted, text) or [s for s in spans if not _is_named_in_full(wanted, s)]


_IN_IT = re.compile(r"\b(?:in|into) (?:the |its |an? )?$")
_OF = re.compile(r"\bof (?:the )?$")
_NEXT_WORD = re.compile(r" (?P<word>[a-z]{3,24})\b")


def word_behind(text: str, span: TypedSpan) -> str:
    """The word in lower case right behind a span; empty where none stands there."""
    behind = _NEXT_WORD.match(text, span.end)
    return behind["word"] if behind else ""


_ADJECTIVE = re.compile(r"[A-Z][a-z]{2,12}(?:ean|ian|ese|ish)")
_PARTICLES = frozenset(("back", "up", "down", "out", "off", "over", "away", "together"))  # "to buy A back"


def _says_which(span: TypedSpan, text: str, asked: Set[str]) -> bool:
    """Whether a name only says which something else is meant: "European law", the "AI chip" that is asked about."""
    behind = word_behind(text, span)
    return (behind in asked and behind not in _PARTICLES) or (
        behind != "" and _ADJECTIVE.fullmatch(span.text) is not None
    )


def organisations(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The names that may be the organisation asked for, those that do what is asked where some are told to."""
    text = sentence.text
    did = _WHO_DID.match(wanted.question)
    verb = words(did["verb"]) if did else []
    of_what = wanted.words.difference(STOP_WORDS, verb)
    firms = [s for s in _doers(wanted, text, spans) if not _says_which(s, text, of_what)]
    places = {text[s:e] for _, s, e in countries_in(text)}
    firms = [s for s in firms if not _WITH_OTHERS.match(text, s.end) and s.text not in places]
    # Who makes it is no town in which it is made.
    outside = [s for s in firms if not _IN_IT.search(text, 0, s.start)]
    if did is None:
        return outside or firms
    done = terms_of(did["verb"])
    is_told = any(is_said(term, sentence.terms) for term in done)
    if done and not is_told and not SOLD_TO.search(text):
        return []
    alike = single_words(done)
    doing = [s for s in outside if terms_of(word_behind(text, s)) & alike]
    if doing:
        return doing
    # Whoever stands right in front of the verb does it, also where the question names them for something else.
    behind_names = (word_behind(text, span) for span in typed_spans("organisation", text))
    if any(terms_of(word) & done for word in behind_names):
        return []
    tells = [m for m in LOWER.finditer(text) if terms_of(m[0]) & alike]
    own = (m for m in tells if terms_of(m[0]) & done)  # before others of its sense
    told = next(own, next(iter(tells), None))
    if told and _are_unnamed(told, text):
        return []
    if told and _ALSO_DID.search(text, 0, told.start()):
        return _opening([s for s in outside if s.end < told.start()], text)
    if told and is_passive(text, *told.span()) and _is_on_another(wanted, text[: told.start()]):
        return []
    ahead = terms_of(text[: told.start()]) if told else frozenset[str]()
    if told and not ahead.isdisjoint(terms_of(did["who"])):
        outside = [s for s in outside if s.end < told.start()]  # "the same regulator blocked it" names none
    elif told and text.startswith(" by ", told.end()):
        outside = [s for s in outside if _BY.search(text[told.end() : s.start])]
    elif told and not is_passive(text, *told.span()):  # who does it stands before it
        first = next((n for n, s in enumerate(outside) if _AGENT_BEHIND.fullmatch(text, told.end(), s.start)), None)
        behind = [] if first is None else outside[first:]
        outside = [s for s in outside if s.end < told.start()] or behind
    return joined(outside, text)


_COUNTED = re.compile(r"\b(?:few|several|many|other|some|two|three|four|five) (?:[a-z-]{2,20} )?$")
_NAMED_BEHIND = re.compile(r"(?: of [^,;.]{2,60})?(?:,? (?:such as|like|including|namely)|:|,? [A-Z])")


def _are_unnamed(doer: re.Match[str], text: str) -> bool:
    """Whether who does it is only counted: of "runs through A and a few makers of B" none that makes B is named."""
    is_counted = doer[0].endswith(_WHO_DOES) and _COUNTED.search(text[: doer.start()]) is not None
    return is_counted and _NAMED_BEHIND.match(text, doer.end()) is None


def people(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The names that may be the person asked for, and the roles that do what is asked."""
    text = sentence.text
    spans = [_without_home(s, text) for s in _doers(wanted, text, spans)]
    spans = _who_still_does(wanted, _called_as_people(wanted, spans), text)
    places = {text[s:e] for _, s, e in countries_in(text)}
    if _asks_who_is(wanted):
        if _says_role_apart(wanted, sentence) or not _says_role(wanted.question, sentence):
            return []
        spans = [s for s in spans if not (_FOLLOWED.search(text, 0, s.start) or _OF.search(text, 0, s.start))]
    people = [s for s in spans if s.text not in places and not _is_where(s, text)]
    if asked := _TO_WHOM.match(wanted.question):
        people = [] if _says_only_the_noun(asked["verb"], text) else [s for s in people if not _is_left(s, text)]
    people = [*_agents(wanted, text), *joined(_doing(wanted, text, people), text)]
    inside = (s for s in people if re.search(r"[^\W\d]", text[: s.start]) or not _only_opens(s.text, sentence.passage))
    return list(inside)  # "6) [Optional] Create a release": a mark opens no sentence


_HOME = re.compile(r" of (?:the )?(?P<home>[A-Z].+)$")


def _without_home(span: TypedSpan, text: str) -> TypedSpan:
    """A name without the country or state that somebody is of: "Ann Lee of Texas"."""
    home = _HOME.search(span.text)
    if home is None or home["home"] not in {home["home"][s:e] for _, s, e in countries_in(home["home"])}:
        return span
    end = span.start + home.start()
    return TypedSpan(text[span.start : end], span.start, end)


_TO_WHOM = re.compile(r"(?i)whom? (?:did|does|do|will|would|has|have|had) (?:[^?]{2,60}?) (?P<verb>[a-z]{3,20})\W*$")


def _says_only_the_noun(verb: str, text: str) -> bool:
    """Whether a sentence says what is done by no verb, or by a noun only: "the succession of A"."""
    done = single_words(terms_of(verb))
    told = [match[0] for match in LOWER.finditer(text) if terms_of(match[0]) & done]
    return all(word.endswith(_NO_VERB) for word in told)


def _is_left(span: TypedSpan, text: str) -> bool:
    """Whether a name is what somebody is of or leaves: "the head of A", "retired from A"."""
    return re.search(r"\b(?:of|at|from|for|joined|left) (?:the )?$", text[: span.start]) is not None


def _only_opens(word: str, passage: Passage) -> bool:
    """Whether a word at the front of a sentence is large for that alone: "Small delivery firms", but not "Apple"."""
    is_common = word == word.capitalize() and is_common_word(word)
    if not is_common or word.lower() in words(passage.title):
        return False
    return re.search(rf"(?<=[a-z,] ){re.escape(word)}\b", passage.text) is None


# "A and colleagues at Princeton University and Google made it": neither is a person.
_WHERE = re.compile(
    r" (?:in|at) (?:the )?(?:[A-Z][\w.’'-]{0,20} ){0,5}?(?:(?:of|and) (?:[A-Z][\w.’'-]{0,20} ){0,4}?)?$"
)


def _is_where(span: TypedSpan, text: str) -> bool:
    begin = max(0, span.start - _LONGEST_AHEAD)
    return _WHERE.search(text, begin, span.start) is not None


_LONGEST_AHEAD = 120  # characters
_BEHIND_ROLE = re.compile(r" (?:of|at|for|in|to|from|that|which|who)\b|[?,]|$")


def _says_role(question: str, sentence: EvidenceSentence) -> bool:
    """Whether a sentence says anything of the role asked for: of "who is chief at the maker of A" chief."""
    asked = _ASKS_ROLE.match(question)
    if asked is None:
        return True
    role, *_ = _BEHIND_ROLE.split(question[asked.end() :])
    terms = terms_of(role)
    return not terms or any(is_said(term, sentence.terms) for term in terms)


def _says_role_apart(wanted: Wanted, sentence: EvidenceSentence) -> bool:
    """Whether a sentence has the words of the role asked for only here and there: "AI chief and an executive"."""
    forms = [form for term in wanted.terms for form in same_sense(term) if form <= sentence.terms]
    if not any(len(form) > 1 for form in forms):
        return False
    in_turn = [terms for _, terms in terms_in_place(sentence.text)]
    role = [form for form in forms if not form <= terms_of_names(wanted.question)]
    return not any(
        form <= frozenset().union(*in_turn[place : place + len(form)]) for form in role for place in range(len(in_turn))
    )


def _called_as_people(wanted: Wanted, spans: list[TypedSpan]) -> list[TypedSpan]:
    """Without names of other things: "Counter Notice", where the question asks of a counter notice."""
    called = tuple(f"{name.text} " for name in names(wanted.question))
    small = _words_in_small(wanted.question)
    spans = [s for s in spans if not _NO_PERSON.search(s.text) and not s.text.startswith(called)]
    return [s for s in spans if small.isdisjoint(_first_and_last(s))]


def _first_and_last(span: TypedSpan) -> tuple[str, str]:
    first, *rest = words(span.text)
    return first, rest[-1] if rest else first


@lru_cache(maxsize=1 << 8)
def _words_in_small(question: str) -> frozenset[str]:
    return frozenset(words(question)) & frozenset(question.split()) - STOP_WORDS


# "A followed B as chief executive": B is it no more.
_FOLLOWED = re.compile(r"\b(?:followed|follows|succeeded|succeeds|replaced|replaces|took over from|takes over from) $")


def _asks_who_is(wanted: Wanted) -> bool:
    """Whether it is asked who holds a role now."""
    asked = wanted.question
    is_past = in_question(_IN_THE_PAST, asked)
    role = _ASKS_ROLE.match(asked) or _OWNED_ROLE.match(asked)
    return role is not None and not is_past


_WITH_OTHERS = re.compile(r"(?:,| and| with) (?:his |her |their )?(?:colleagues|co-authors)\b")  # a person, no firm


def terms_said(asked: frozenset[str], part: str) -> set[str]:
    """The terms asked for that a part of a sentence says, also in words of the same sense."""
    terms = terms_of(part)
    return {term for term in asked if is_said(term, terms)}


def _buyers(wanted: Wanted, text: str) -> list[TypedSpan]:
    """To whom a text says something was sold, where it is asked who bought it."""
    sold = SOLD_TO.search(text)
    asked = _WHO_DID.match(wanted.question)
    verb = terms_of(asked["verb"]) if asked else frozenset[str]()
    if sold is None or not any(is_said(term, BUY) for term in verb):
        return []
    return [TypedSpan(sold["buyer"], *sold.span("buyer"))]


def _is_named_in_full(wanted: Wanted, span: TypedSpan) -> bool:
    """Whether a span only is a name of the question in full: "Acme Mills" asked about, "Acme Mills GmbH"."""
    named = (terms_of(name.text) for name in names(wanted.question))
    return any(len(name) > 1 and name <= terms_of(span.text) for name in named)


def _agents(wanted: Wanted, text: str) -> list[TypedSpan]:
    """The roles that do what is asked: the treasurer of "are approved by the treasurer"."""
    alike = single_words(wanted.terms)
    done = (agent for agent in _AGENT.finditer(text) if terms_of(agent["done"]) & alike)
    roles = (TypedSpan(agent["who"], *agent.span("who")) for agent in done)
    others = [role for role in roles if not terms_of(role.text) <= wanted.terms]
    return _of_the_sum_asked(wanted, text, others)


_LIMIT_AHEAD = re.compile(r"(?i)\b(?:up to|under|below|not more than|at most|less than) $")


def _of_the_sum_asked(wanted: Wanted, text: str, roles: list[TypedSpan]) -> list[TypedSpan]:
    """Of roles that decide up to a sum each, the one of the sum asked for; behind the last limit who has none.

    "Up to 10,000 by the director, those up to 75,000 by the chief financial officer, and larger ones by the board".
    """
    asked = [amount for amount in amounts(wanted.question) if amount.unit]
    if len(asked) != 1 or len(roles) <= 1:
        return roles
    begins = [0, *(role.end for role in roles)]
    told = [(amount, _LIMIT_AHEAD.search(text, 0, amount.start)) for amount in amounts(text)]
    unit = asked[0].unit
    limits = [(each.value, each.start) for each, ahead in told if ahead and each.unit == unit]
    own = {
        role: value
        for begin, role in zip(begins, roles, strict=False)
        for value, start in limits
        if begin <= start < role.start
    }
    if len(own) <= 1:
        return roles
    enough = [role for role in own if own[role] >= asked[0].value]
    if enough:
        return [min(enough, key=own.__getitem__)]
    return [role for role in roles if role not in own]


def _who_still_does(wanted: Wanted, spans: list[TypedSpan], text: str) -> list[TypedSpan]:
    """Without who only had done it, where it is asked who does: "A had led B before, and C has led B since"."""
    if in_question(_IN_THE_PAST, wanted.question) or _LEAVING.search(wanted.question):
        return spans
    return [s for s in spans if _DOES_NO_MORE.match(text, s.end) is None]


# "A had led it", "A, head of research for years, announced his departure": A is it no more.
_DOES_NO_MORE = re.compile(
    r" had \w|(?:, (?:[^,;]{2,80}),)? (?:(?:has|then|also) )?"
    r"(?:announced (?:his|her|their) (?:departure|retirement|resignation)|resigned|retired|stepped down|left"
    r"|(?:will|would) (?:leave|retire|step down))\b"
)
_LEAVING = re.compile(r"(?i)\b(?:left|leav(?:e|es|ing)|defect|depart|retir|resign|quit|step(?:s|ped|ping)? down)")


@lru_cache(maxsize=1 << 8)
def terms_in_place(text: str) -> tuple[tuple[tuple[int, int], frozenset[str]], ...]:
    """Where each word of a text stands, and its terms; a table has a hundred figures in one sentence."""
    found = re.finditer(r"\w+", text)
    return tuple((word.span(), terms_of(word[0])) for word in found)


def _doing(wanted: Wanted, text: str, people: list[TypedSpan]) -> list[TypedSpan]:
    """Of a sentence that says what the question asks of somebody, the names in the place of who does it.

    "Who sued A?": of "B sued C and A" only B, be it a person or not; behind a passive the name after "by".
    """
    asked = _WHO_DID.match(wanted.question)
    done = single_words(terms_of(asked["verb"]) if asked else ())
    first, last = _telling_clause(wanted, text)
    small = text[:1].lower() + text[1:]  # "Development is supported by B" says the noun first
    said = (m for m in LOWER.finditer(small, first, last) if terms_of(m[0]) & done)
    told = list(said)
    verbs = [m for m in told if not m[0].endswith(_NO_VERB)]
    verbs = [m for m in verbs if not _ARTICLE.search(text[: m.start()])]
    anywhere = told or [m for m in LOWER.finditer(text) if terms_of(m[0]) & done]
    only_named = bool(anywhere) and not verbs and not any(m[0].endswith(_WHO_DOES) for m in anywhere)
    if asked and only_named:  # "the succession of A", "the published results": by whom is not said
        done_by = [terms_of(match["done"]) for match in _DONE_BY.finditer(text)]
        if any(done.isdisjoint(another) for another in done_by):
            return []
        return [s for s in people if _BY.search(text[: s.start])]
    verbs.sort(key=lambda m: asked is None or m[0] != asked["verb"])  # the verb itself before others of its sense
    verb = verbs[0] if verbs else None
    if verb is None:  # nobody is told to do it: "the main risk of A" is none of those who do
        if asked is None:
            return people
        return [s for s in people if not _OF.search(text, 0, s.start)]
    named = [s for s in typed_spans("organisation", text) if not set(words(s.text)) <= wanted.words]
    named = _who_still_does(wanted, _without_whom_beside(wanted, named), text)
    if is_passive(text, *verb.span()):
        if _is_on_another(wanted, text[first : verb.start()]):
            return []  # "B, released by C" where A is asked about
        doing = [s for s in named if _BY.search(text[verb.end() : s.start])]
    else:
        doing = [s for s in named if first <= s.start and s.end < verb.start()]
        if _ALSO_DID.search(text, 0, verb.start()):
            doing = _opening(doing, text)
    places = [(who.start, who.end) for who in doing]
    of_people = [s for s in people if any(start <= s.start and s.end <= end for start, end in places)]
    return of_people or [who for who in doing if not _is_where(who, text)]


def is_passive(text: str, start: int, end: int) -> bool:
    """Whether the verb there says what was done to what stands before it: "was sued", "released by"."""
    return _PASSIVE.search(text[:start]) is not None or text.startswith(" by ", end)


def _is_on_another(wanted: Wanted, ahead: str) -> bool:
    """Whether what stands before a passive verb names things, and none of those asked about."""
    asked = frozenset().union(*(terms_of(name.text) for name in names(wanted.question)))
    told = [terms_of(each.text) for each in names(ahead) if each.kind != "number" and not _is_common_opener(each)]
    return bool(asked and told) and all(name.isdisjoint(asked) for name in told)


def _is_common_opener(name: Name) -> bool:
    """Whether a common word is large only because it opens a sentence: "Productions were narrated by A"."""
    return name.start == 0 and " " not in name.text and is_common_word(name.text.lower())


# "A took over B and C and bought D": neither B nor C bought it.
_ALSO_DID = re.compile(r"(?<=[a-z\d,]) and (?:then |later |also |has |have |had )?$")
_DOES_AHEAD = re.compile(
    r"\b(?!(?:in|on|at|by|for|after|before|since|during|with|the|an?|its|early|late|mid)\b)[a-z]{2,20} "
)


def _opening(spans: Sequence[TypedSpan], text: str) -> list[TypedSpan]:
    """The first of some names where it opens the sentence, with those that "and" and commas join to it as one."""
    if not spans or _DOES_AHEAD.search(text[: spans[0].start].rpartition(",")[2]):
        return []
    return joined(spans, text)[:1]


def _telling_clause(wanted: Wanted, text: str) -> tuple[int, int]:
    """Where the clause stands that alone says most of what is asked; the whole text where two say as much."""
    joints = list(OWN_CLAUSE.finditer(text))
    ends = [*(joint.start() for joint in joints), len(text)]
    clauses = list(zip((0, *(joint.end() for joint in joints)), ends, strict=True))
    asks_now = in_question(_IN_THE_PAST, wanted.question) is None
    shares = [
        0.0
        if asks_now and _HAD.search(text[start:end])
        else asked_share(wanted.terms, terms_of(text[start:end]), telling)
        for start, end in clauses
    ]
    if shares.count(max(shares)) > 1:
        return 0, len(text)
    return clauses[shares.index(max(shares))]


def joined(spans: Sequence[TypedSpan], text: str) -> list[TypedSpan]:
    """Names that an "and" or a comma joins, as one: "A, B and C founded it".

    An "and" closes a list: behind it the next name begins a clause ("founded by A, B and C, and A has led it since").
    """
    made: list[TypedSpan] = []
    is_closed = False
    for span in sorted(spans, key=lambda s: s.start):
        if made:
            joint = text[made[-1].end : span.start]
        else:
            joint = ""
        if not is_closed and AND.fullmatch(joint):
            made[-1] = TypedSpan(text[made[-1].start : span.end], made[-1].start, span.end)
            is_closed = "and" in joint
        else:
            made.append(span)
            is_closed = False
    return made


# What is done is told by the words behind: "became chairman", "sits on the board".
_BE_AND_HOLD = "became becomes become holds held sits serves served gets got"
_LEAVES_IT_OPEN = frozenset(words(_BE_AND_HOLD))
# What a verb is done to, up to what only says how, when or as what.
_OBJECT = re.compile(
    r"(?: (?:back|up|over))? (?P<what>[^,.;:]{2,60}?)(?= (?:in|as|of|for|with|from|to|at|by|against|since)\b|[,.;:]|$)"
)
_BESIDE_OBJECT = re.compile(r"\b(?:of|with|for|against|from|than|like|to) (?:the |its |an? )?(?:[\w’'-]{1,24} ){0,2}$")
_GOES_ON = re.compile(r"(?:['’]s)? (?!and\b|or\b)(?P<word>[a-z]{3,24})\b")


def says_all(wanted: Wanted, made: Proposal) -> bool:
    """Whether the sentence of a proposal says all that is asked, so that nothing leads on to another.

    Names as they stand, what is asked of them also in words of the same sense. Of somebody it has to be asked who did
    it, or the answer is called what is asked for: whom A married, or who is a son of A, may be several. What they did
    is said in another word only right in front: "created by A" for who invented it.
    """
    if made.sentence is None:
        return False
    said = made.sentence.terms | subject_terms(made.sentence.passage)
    if made.kind not in DOERS:
        _, _, behind = made.sentence.text.partition(made.text)
        counted = terms_of(" ".join((made.text, *behind.split()[:_COUNTED_WITHIN])))
        if wanted.counted and wanted.counted.isdisjoint(counted):  # "10 or greater" counts no types
            return wanted.terms <= said
        named = wanted.names & wanted.terms
        return named <= said and all(is_said(term, said) for term in wanted.deeds)
    asked = _WHO_DID.match(wanted.question)
    if asked is None:
        is_called_so = not class_named(wanted.question).isdisjoint(terms_of(made.text))
        return is_called_so and wanted.terms <= said
    deed = single_words(terms_of(asked["verb"]))
    start = made.sentence.text.find(made.text)
    return wanted.terms <= (said | deed if _is_done_by(made.sentence.text, start, deed) else said)


def _is_done_by(text: str, start: int, deed: Set[str]) -> bool:
    """Whether a deed stands right in front of the name there: "created by A"."""
    done = _DONE_BY_IT.search(text, 0, max(0, start))
    return done is not None and not deed.isdisjoint(terms_of(done["done"]))


def does_something_else(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a text does not tell of a name what it is asked who did: another deed, or the same to another thing."""
    if lacks_order(wanted.question, text):
        return True
    asked = _WHO_DID.match(wanted.question)
    if asked is None:
        return False
    is_done_to = _OF_VERB.search(text, 0, span.start) is not None
    if is_done_to and _NEXT_RELATIVE.match(text, span.end) is None:
        return True
    deed = terms_of(asked["verb"])
    is_open = asked["verb"] in _LEAVES_IT_OPEN or not deed.isdisjoint(LIGHT_VERBS)
    if is_open or SOLD_TO.search(text):
        return False
    if not terms_said(deed, text):
        return True
    alike = single_words(deed)
    if _is_done_by(text, span.start, alike):
        return False
    verb = next((m for m in LOWER.finditer(text, span.end) if terms_of(m[0]) & alike), None)
    if verb is None:
        return False
    if _LEFT_UNDONE.search(text, 0, verb.start()):
        return True
    return _is_of_inner_clause(wanted, text, span, verb) or _is_done_to_another(wanted, text, verb.end())


# "What damaged the plant?" asks for who or what is told to have done it: "a tornado", "damaged cables in the Red Sea".
_WHAT_DID = re.compile(
    rf"(?i)what (?:then |first |finally )?(?P<verb>(?!(?:{'|'.join(AUXILIARIES)}|happen\w*)\b)[a-z]{{3,20}})"
    r" (?P<what>[^?]{3,200})"
)
_SUBJECT = re.compile(
    rf"(?:^|[.;:] |, (?:and|but|so|while|whereas) |\b(?:because|after|when|although) ){AT_A_TIME}"
    r"(?P<subject>(?:(?!(?:and|but|which|that|who|to|is|are|was|were|has|have|had|it|they|this|these|he|she)\b)"
    r"[\w'’&.-]{1,24} ){1,9})(?:(?:has|have|had|also|then|later|largely) ){0,3}$",
    re.IGNORECASE,
)
_WITH_ITS_OBJECT = re.compile(r"(?i:what) [a-z]{2,18}(?<!s) (?:the|an?|its|[A-Z])")  # "What hit Boeing?"
_OF_PRESENT = re.compile(r"(?i)what [a-z]{2,18}[^s]s (?:the|an?|how|whether|its|our|their|all|most)\b")
_MOST_VERBS, _FAR = 4, 300  # characters ahead of a verb
_MEANT_BEFORE = re.compile(r"(?:(?:[Tt]he|[Ss]uch) )?[a-z]*")  # "the event" was told before
_BY_WHOM = re.compile(
    r"(?: [^,.;]{1,60}?)?? by (?P<subject>[\w'’& -]{3,90}?)"
    r"(?=[,.;:]|$| (?:in|on|at|by) (?:\w+ )?\d| (?:while|which|that|who)\b)"
)


def subject_told(wanted: Wanted, text: str, title: Set[str]) -> str:
    """Who or what a sentence says to have done what is asked, "a tornado"; empty where it does not say all of that."""
    asked = _WHAT_DID.match(wanted.question)
    if asked is None:
        return ""
    if not asks_for_subject(wanted) and _OF_PRESENT.match(wanted.question) is None:
        return ""
    deed = terms_of(asked["verb"])
    rest = terms_of(asked["what"])
    verbs = (word for word in LOWER.finditer(text) if terms_of(word[0]) == deed)
    for verb in islice(verbs, _MOST_VERBS):
        if is_passive(text, *verb.span()):
            told = _BY_WHOM.match(text, verb.end())
            said = terms_of(text[: verb.start()])
        else:
            told = _SUBJECT.search(text, max(0, verb.start() - _FAR), verb.start())
            said = terms_of(text[verb.end() :])
        subject = told["subject"].strip() if told else ""
        if _MEANT_BEFORE.fullmatch(subject):
            continue
        own = terms_of(subject) - title
        if rest <= said | title and rest.isdisjoint(own):
            return subject
    return ""


def asks_for_subject(wanted: Wanted) -> bool:
    """Whether a question asks what did something: "What damaged the plant?", but not "What company bought it?"."""
    asked = _WHAT_DID.match(wanted.question)
    if asked is None or _WITH_ITS_OBJECT.match(wanted.question):
        return asked is not None
    return asked["verb"].endswith("ed") or any(len(forms_of(term)) > 1 for term in terms_of(asked["verb"]))


_LEFT_UNDONE = re.compile(r"\b(?:refus|declin|fail)(?:ed|es|ing) to $")
_OF_VERB = re.compile(r"\b[a-z]{3,20}ed (?:the|an?|its) $")  # "presented the Cybertruck" is no deed of that


# The first thing a clause says something is done to: "changed the law".
_DONE_TO = re.compile(
    r" [a-z]{3,20} (?:the|an?|this|that|its|their) (?:[a-z-]{2,20} ){0,2}?(?P<what>[a-z]{3,20})"
    r"(?= (?:in|on|at|by|for|of|to|with|from|after|and|when|because|since)\b|[,.;:]|$)"
)


def is_done_to_its_class(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether what a question asks for is what something is done to: the law in "Congress changed the law"."""
    done_to = _DONE_TO.match(text, span.end)
    called = class_named(wanted.question) & terms_of(done_to["what"]) if done_to else frozenset[str]()
    return bool(called) and called.isdisjoint(terms_of(span.text))


_COUNTED_WITHIN = 3  # words behind a number
_DONE_BY_IT = re.compile(r"\b(?P<done>[a-z]{3,20}) by (?:the )?$")
_IT = re.compile(r" (?:it|its|them|the (?:company|firm|bank|group|business))\b")
_NEW_CLAUSE = re.compile(r"\b(?:that|which|who|whom|whether|where|while|whereas|because)\b")


def _is_of_inner_clause(wanted: Wanted, text: str, span: TypedSpan, verb: re.Match[str]) -> bool:
    """Whether what is asked opens a clause with a verb of its own: "A opened a case on reports that B had been run"."""
    asked = terms_of_names(wanted.question)
    within = _NEW_CLAUSE.search(text, span.end, verb.start())
    if within is None or is_passive(text, *verb.span()) or _IT.search(text, verb.end()):
        return False
    inside, behind = terms_of(text[within.end() : verb.start()]), terms_of(text[verb.end() :])
    if asked.isdisjoint(inside) or not asked.isdisjoint(behind):
        return False
    return wanted.deeds.isdisjoint(behind)  # "who chairs the board" is done to what is asked


def _is_done_to_another(wanted: Wanted, text: str, behind: int) -> bool:
    """Whether what stands behind a verb is another than is asked: "launched B as a rival of A", "led the lab of A"."""
    done_to = _OBJECT.match(text, behind)
    told = names(done_to["what"]) if done_to else ()
    asked = terms_of_names(wanted.question)
    if done_to is None or not told or not asked:
        return False
    own = [name for name in told if asked & terms_of(name.text)]
    if own:  # "has led Acme consumer sales" tells of no one who leads Acme
        goes_on = _GOES_ON.match(done_to["what"], own[-1].end)
        return goes_on is not None and goes_on["word"] not in wanted.words
    later = (name for name in names(text) if name.start >= done_to.end() and asked & terms_of(name.text))
    return all(_BESIDE_OBJECT.search(text, 0, name.start) for name in later)
