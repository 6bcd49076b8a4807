"""Read a question once, into one frozen ParsedQuestion.

Its clauses, names, conditions, instructions, pronouns, and the kind of answer that each part wants.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from adaq_core.model import AnswerKind, Constraint, QueryAspect, as_tuple
from adaq_core.question.answer_kinds import (
    AHEAD,
    ASKING,
    AUXILIARY,
    IMPERATIVES,
    ONE_NAME,
    begins_to_ask,
    dangles,
    in_active,
    kind_of_answer,
    linear,
)
from adaq_core.question.conditions import conditions, named_things, without_compared
from adaq_core.question.labels import EMPTY_IT, OF_PERSONS, OF_THINGS, PERSONS, THINGS, AskedPart, Span
from adaq_core.question.sentence_parts import (
    SAID_BY,
    SentenceParts,
    asks_of_statement,
    only_asks,
    read_sentence,
    trimmed,
)
from adaq_core.text.entities import Name
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, spans, terms_of, tokens, words
from adaq_core.text.values import MONTH_NAMES, MONTHS, dates


@dataclass(frozen=True, slots=True)
class ParsedClause:
    """A part of the question that can be asked alone: its own text and where it stands in the question.

    The text has no opening phrase and no instruction; what the question leaves out ("and when?") is filled in, but a
    pronoun stands as it is. `sentence` is the range of the sentence around it.
    """

    text: str
    span: tuple[int, int]
    kind: AnswerKind = "fact"
    sentence: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question, read once: what is asked, under which conditions, and in which form the answer is wanted.

    `clauses` ask; `conditions` bind the evidence (company, period, source, place …); `instructions` speak of the form
    of the answer ("round to two decimals") or how to go about it, and are no part of what is searched; `names` are the
    named things in the order of the text; `unused` are words that have none of these fates. `unclear` says in one
    sentence why the question cannot be answered as it stands: it names nothing, or speaks of an "it" from elsewhere.
    All spans are half-open character ranges of `text`.
    """

    text: str
    kind: AnswerKind = "fact"
    clauses: tuple[ParsedClause, ...] = ()
    names: tuple[tuple[str, tuple[int, int]], ...] = ()
    conditions: tuple[Constraint, ...] = ()
    instructions: tuple[tuple[str, tuple[int, int]], ...] = ()
    unused: tuple[str, ...] = ()
    is_english: bool = True
    unclear: str = ""

    @property
    def asked(self) -> str:
        """What is asked without the talk around it: "who founded A" of "Can you tell me who founded A?".

        The question as it stands where it asks several things, or something outside of what it asks binds it.
        """
        if len(self.clauses) != 1:
            return self.text
        (clause,) = self.clauses
        bound = (condition.span for condition in self.conditions if condition.span)
        if not begins_to_ask(clause.text) or not all(_holds(clause.span, start) for start, _ in bound):
            return self.text
        if clause.span[0] > 0:
            return clause.text
        first = _first_word(self.text)
        opens_otherwise = _first_word(clause.text) != first and first not in IMPERATIVES
        # "A, up or down", "A hits 5tn, month": what such words stand for is asked of no sentence.
        is_same = begins_to_ask(self.text) or clause.kind in ("person", "organisation")
        return clause.text if opens_otherwise and is_same else self.text

    def binds(self, condition: Constraint, clause: ParsedClause) -> bool:
        """Whether a condition binds `clause`: one inside it, or one that stands outside every clause.

        A phrase in front of a sentence binds the clauses of that sentence; an instruction binds all. The time grows
        with the number of clauses.
        """
        if condition.span is None:
            return False
        place = condition.span[0]
        if _holds(clause.span, place):
            return True
        if any(_holds(other.span, place) for other in self.clauses):
            return False
        own = [other for other in self.clauses if _holds(other.sentence, place)]
        return not own or clause in own


def _first_word(text: str) -> str:
    return next(iter(text.lower().split()), "")


def _holds(span: tuple[int, int], place: int) -> bool:
    return span[0] <= place < span[1]


_REFERRING = linear(
    rf"(?i)\b(?:{THINGS}|{OF_THINGS}|theirs)\b"
    r"|\b(?:this|these|those)\b(?=\s+(?:is|are|was|were|do|does|did|work|works|affect|mean|compare|in|on|to)\b|\s*$)"
    r"|(?<=\bof )that\b(?=\s*$)|(?<=\bmuch of )(?:that|this)\b|(?<=\bmany of )(?:those|these)\b"
)
_OWNING = ("its", "their", "theirs")
_PLURAL = ("they", "them", "their", "theirs", "these", "those")
_PERSON = linear(rf"(?i)\b(?:{PERSONS})\b")
# "Who is responsible for A and what did she do before?", but who "is A's head" or "is Ann Lee" has another name.
_IS_SO = r"(?-i:(?:is|was) (?!(?:the|an?|his|her|its|in|on|at)\b)[a-z]{4,20} .{2,120})"
_WHO = linear(rf"(?i)who (?P<does>(?!(?:is|was|are|were)\b)[a-z]{{2,20}} .{{2,120}}|{_IS_SO})")
_ANY_PRONOUN = linear(rf"(?i)\b(?:{THINGS}|{OF_THINGS}|theirs|{PERSONS}|{OF_PERSONS}|hers)\b")
_LONGEST_SUBJECT = 6  # words
_LONGEST_STATED = 400  # characters
_LONGEST_MERGED = 2_000  # characters; behind so much a lone "Why?" adds nothing
_NO_ANTECEDENT = terms_of("know think tell say like mean believe hear")


_REACTS = linear(r"(?i)\b(?:respond(?:s|ed)?|react(?:s|ed)?|adapt(?:s|ed)?|cope[ds]?)$")
_WHAT_CAME = linear(r"(?i)^(?:which|what)\s+(?P<what>(?:[a-z-]{2,20}\s+){0,2}?[a-z-]{2,20}s)\s")


def of_what_came(clause: ParsedClause, before: Sequence[QueryAspect]) -> ParsedClause:
    """“How did A respond” behind “which tariffs hit A”: it is asked of the tariffs."""
    came = _WHAT_CAME.match(before[-1].aspect) if before else None
    if came is None or not _REACTS.search(clause.text):
        return clause
    return replace(clause, text=f"{clause.text} to {came['what']}")


def resolved(
    clause: ParsedClause, before: Sequence[QueryAspect], names: Sequence[str], *, times: Sequence[str] = ()
) -> ParsedClause:
    """The clause with its pronouns replaced by what the aspects before it are about.

    "them" after several named things means all of them; "its" behind a name of the clause means that name. A clause
    that names nothing and speaks of "the" thing is asked of what the question is about, and of the same time if it
    tells of the past. `names` are those that may be meant, in the order of the text, `times` those of the last clause.
    """
    clause = _of_person(clause, before, names) or _of_named_person(clause, before, names) or clause
    if (pointed := _FORMER.search(clause.text)) and len(two := _things_of_last(before)) == 2:
        meant = two[0 if pointed[1].lower() == "former" else 1]
        clause = replace(clause, text=f"{clause.text[: pointed.start()]}{meant}{clause.text[pointed.end() :]}")
    match = _REFERRING.search(clause.text)
    word = match.group().lower() if match else ""
    several = (_several(before) or _those_asked(before[-1], clause.text)) if before and word in _PLURAL else ""
    is_open = match is None or (word in _PLURAL and not several and not _last_subject(before))
    if is_open and before and _leans(clause, before[-1], names):
        spoken = [name for name in names if any(_speaks_of(aspect, name) for aspect in before)]
        meant = max(spoken, key=spoken.count, default="")  # of as many the first
        then = times if _PAST.search(clause.text) and not dates(clause.text) else ()
        return replace(clause, text=" ".join((clause.text, "for", meant, *then))) if meant else clause
    if match is None or not before or EMPTY_IT.search(clause.text):
        return clause
    if word in _OWNING and any(name in clause.text[: match.start()] for name in names):
        return clause
    owned = _OWNED_THING.search(before[-1].aspect) if word == "it" and _IS_USED.search(clause.text) else None
    if owned:
        return replace(clause, text=_replaced(clause.text, owned["thing"]))
    if word in _OF_SOME and (counted := _HOW_MANY.match(before[-1].aspect)):
        return replace(clause, text=_replaced(clause.text, counted["thing"]))
    if word == "it" and (done := _IS_DONE_TO_IT.match(clause.text)) and (named := _last_named(before, names)):
        return replace(clause, text=f"{done['asks']} {done['does']} {named}{done['rest']}")
    meant = several or (_last_subject(before) if word in _PLURAL else _meant(before, names))
    if _OF_A_FIRM.search(clause.text):  # "What was A's revenue, and who is its CEO?"
        meant = meant.split("’s ")[0].split("'s ")[0]
    if meant and _OF_THEM.search(clause.text) and not _IS_SEVERAL.search(meant):
        return replace(clause, text=_OF_THEM.sub("which", clause.text))
    paid_for = _last_named(before, names) if _PAYS.search(clause.text) else ""
    text = f"{clause.text} for {paid_for}" if paid_for else clause.text
    return replace(clause, text=_replaced(text, meant)) if meant else clause


# "When did A buy B, and what did it pay?": for B.
_PAYS = linear(r"(?i)\b(?:it|they)\s+(?:pay|offer|bid|spend)$")
# "How much did A pay for B, and who else wanted it?": what one does to "it" was done to B.
_IS_DONE_TO_IT = linear(
    r"(?i)^(?P<asks>who|which\s[a-z]{3,20})(?:\s+else)?\s+(?P<does>(?!(?:is|was|are|were|does|did|has|had|will)\b)[a-z]{2,20}(?:\s+for)?)\s+it\b(?P<rest>.{0,80})$"
)


def _last_named(before: Sequence[QueryAspect], names: Sequence[str]) -> str:
    """The name that the last aspect says last; empty where it says but one."""
    said = sorted((name for name in names if name in before[-1].aspect), key=before[-1].aspect.rfind)
    return said[-1] if len(said) > 1 else ""


_OF_A_FIRM = linear(
    r"(?i)\b(?:its|their)\s+(?:ceo|cfo|chief|boss|head|chair(?:man|woman)?|president|founders?|board|headquarters|employees|staff"
    r"|rivals|competitors|customers|suppliers|shareholders|auditor)\b"
)
# "Which of them gave a figure?" chooses among several, which the one subject before it is not.
_OF_THEM = linear(r"(?i)\bwhich(?:\s+ones?)?\s+of\s+(?:them|these|those)\b")
_IS_SEVERAL = linear(r"(?i)s$|\sand\s")
_FORMER = linear(r"(?i)\bthe\s+(former|latter)\b")


def _things_of_last(before: Sequence[QueryAspect]) -> tuple[str, ...]:
    """What the aspects of the last clause are about, but its comparison."""
    of_last = (a for a in before if a.span == before[-1].span and a.aspect_type != "comparison")
    return as_tuple(aspect.subject for aspect in of_last if aspect.subject)


# "What backs A's credit facility, and until when can it be used?": no company is used or runs out.
_IS_USED = linear(
    r"(?i)\bit\s+(?:be\s+)?(?:used|drawn|repaid|extended|renewed|expire|mature|run\s+out|come\s+due|fall\s+due|take\s+effect)\b"
)
_OWNED_THING = linear(r"\b(?P<thing>[A-Z][\w.&-]{1,30}['’]s\s(?:[\w$€£.,%-]{1,24}\s){0,5}[a-z][a-z-]{2,20})$")
# "How much severance was booked, and how much of that fell on B?"
_OF_SOME = ("that", "this", "these", "those")
_HOW_MANY = linear(
    rf"(?i)^how\s(?:much|many)\s(?P<thing>[a-z][a-z-]{{2,20}}(?:\s[a-z-]{{3,20}}){{0,2}}?)(?=\s{AUXILIARY}\s)"
)


def _speaks_of(aspect: QueryAspect, name: str) -> bool:
    """Whether an aspect has a name, in its own name or behind where that is cut."""
    return name in aspect.aspect or name.lower() in aspect.keywords


# "How large was the loss", "what did that cost", "which firms suffer from that": which and what was said before.
_LEANS = linear(
    rf"(?:(?<!\bof\s)|(?<=\b[Hh]ow\smuch\sof\s)|(?<=\b[Hh]ow\smany\sof\s))\bthe\s(?!company|firm)(?:(?:{MONTH_NAMES}|[a-z-]{{3,20}})\s)?[a-z-]{{3,20}}(?:$|\s(?!(?:of|for|in|on|at|to|between|behind|that|who|which|with|from)\b))"
    r"|\b(?:did|does|was|is|has)\s+that\b|\b(?:from|with|by|about|for|of|to)\s+(?:that|this)$|\b(?:they|them)\b",
)
# "How much was left at the end of May" asks it of whom the question names, "what is retrieval" does not.
_ASKS_WHAT_IS = linear(r"(?i)^(?:what|who)(?:\s(?:is|are|was|were)|['’]s)\s(?!the\b)")
# "Which companies depend on A, and which companies struck?": who struck is asked of all, and not for A.
_OF_ITS_OWN = linear(
    r"(?i)\b(?:of|for)\s|\bthe\s(?:company|firm)\b|^which\s(?:companies|firms|businesses|banks|countries|people)\s"
)
_CAPITALISED = linear(r"\b[A-Z][\w’'-]{1,30}")
_LONGEST_THAT_LEANS = 10  # words
_PAST = linear(r"(?i)\b(?:did|was|were|had)\b")


def _leans(clause: ParsedClause, before: QueryAspect, names: Sequence[str]) -> bool:
    """Whether a clause names nothing and speaks of "the" thing, or goes on in the sentence of what was asked before."""
    asking = clause.text
    named = [word for word in _CAPITALISED.findall(asking, 1) if word not in MONTHS]
    if len(asking.split()) > _LONGEST_THAT_LEANS or named or any(name in asking for name in names):
        return False
    is_same_sentence = before.span is not None and _holds(clause.sentence, before.span[0])
    goes_on = is_same_sentence and before.aspect_type != "comparison" and not _OF_ITS_OWN.search(asking)
    asks_anew = _ASKS_WHAT_IS.match(asking) is not None or not begins_to_ask(asking)
    return _LEANS.search(asking) is not None or (goes_on and not asks_anew)


# "How big was the fine on A in May, and what was it for?": it is the fine.
_SOME_WORD = r"(?!(?:in|at|by|since|during|for)\b)[\w’'-]{2,30}"
_IS_ASKED = linear(
    rf"(?i)^(?:(?:how\s[a-z]{{3,12}}|what)\s(?:is|are|was|were)\s(?:the|an?)\s(?P<thing>{_SOME_WORD}(?:\s{_SOME_WORD}){{0,6}})"
    # "When was the deal agreed?" asks of the deal.
    rf"|(?:when|where|why|on\s(?:what|which)\s(?:date|day))\s(?:(?:is|are|was|were)\s(?:the|an?)\s(?P<done>{_SOME_WORD}(?:\s{_SOME_WORD}){{0,4}}?)\s[a-z]{{2,20}}(?:ed|en|lt|de)"
    rf"|(?:do|does|did|will)\s(?:the|an?)\s(?P<does>(?-i:[a-z])[a-z-]{{2,20}})\s[a-z]{{2,20}})"
    # … and "how far total sales fell" of the sales.
    rf"|how\s(?:far|much|fast)\s(?P<moved>(?-i:[a-z])[a-z-]{{2,20}}(?:\s[a-z-]{{3,20}}){{0,2}}?)\s(?:fell|rose|grew|dropped|declined|increased|decreased|shrank|slipped))"
    r"(?=$|\s)"
)


def _meant(before: Sequence[QueryAspect], names: Sequence[str]) -> str:
    """What the aspects before are about: the subject of the last, else the name that is named most in it."""
    object_ = None if before[-1].subject else _LAST_THING.search(before[-1].aspect)
    if object_:  # "When did watches lack the feature and when did it come back": the feature
        return object_["thing"]
    if subject := _last_subject(before):
        return subject
    if told := _IS_ASKED.match(before[-1].aspect):
        thing = told["thing"] or told["done"] or told["does"] or told["moved"]
        if thing.islower() and not told["moved"]:
            thing = f"the {thing}"
        name = next((name for name in names if name in before[-1].aspect), "")
        if dangles(thing):  # "What is the name A short for, and where do its authors work?"
            return name
        return thing if not name or any(each in thing for each in names) else f"{thing} of {name}"
    if (of := _OF_WHOM.search(before[-1].aspect)) and of["whom"] in names and not begins_to_ask(before[-1].aspect):
        return of["whom"]
    # What is named most is likelier to be spoken of again; then who does something than what it is done to.
    times = Counter([*names, *(name for aspect in before for name in set(names) if name in aspect.aspect)])
    last = next((a.aspect for a in reversed(before) if any(name in a.aspect for name in names)), "")
    return min((name for name in names if name in last), key=lambda n: (-times[n], last.find(n)), default="")


_LAST_THING = linear(
    r"\s(?!(?:on|in|at|of|to|for|from|by|with|into|under|over)\s)[a-z]{2,20}\s(?P<thing>the (?!company|firm|end"
    r"|year|quarter|same|most|least|first|last|next)[a-z][a-z-]{2,20})$"
)
# "FAA oversight of Boeing, its credit ratings": those of Boeing.
_OF_WHOM = linear(rf"\bof (?P<whom>{ONE_NAME})$")


def _of_person(clause: ParsedClause, before: Sequence[QueryAspect], names: Sequence[str]) -> ParsedClause | None:
    """The clause with "he" as the one who was asked for: "where did he work" behind "who developed A"."""
    pronoun = _PERSON.search(clause.text)
    asked = next((who for aspect in before if (who := _WHO.match(aspect.aspect))), None)
    if pronoun is None or asked is None or any(name in clause.text[: pronoun.start()] for name in names):
        return None
    text = f"{clause.text[: pronoun.start()]}the one who {asked['does']}{clause.text[pronoun.end() :]}"
    return replace(clause, text=text)


_DOES = linear(rf"\b(?i:{AUXILIARY}) (?P<who>{ONE_NAME}) [a-z]")
_HE = linear(r"(?i)\b(?:(?P<own>his|her(?=\s[a-z]{3,20}))|he|she|him|her)\b")


def _of_named_person(clause: ParsedClause, before: Sequence[QueryAspect], names: Sequence[str]) -> ParsedClause | None:
    """The clause with "he" as the one who does what was asked before: "which did he win" behind "which did A fight"."""
    pronoun = _HE.search(clause.text)
    if pronoun is None or not before or any(name in clause.text for name in names):
        return None
    asked = _DOES.search(before[-1].aspect)
    if asked is None or asked["who"] not in names:
        return None
    meant = f"{asked['who']}'s" if pronoun["own"] else asked["who"]
    return replace(clause, text=_HE.sub(meant, clause.text, count=1))


def _replaced(text: str, meant: str) -> str:
    def named(match: re.Match[str]) -> str:
        owned = "'" if meant.endswith("s") and meant.islower() else "'s"
        return f"{meant}{owned}" if match.group().lower() in _OWNING else meant

    return _REFERRING.sub(named, text, count=1)


def _several(before: Sequence[QueryAspect]) -> str:
    """The things of one list, as "A, B and C", where the aspects before speak of more than one."""
    things = _things_of_last(before)
    are_names = all(thing[:1].isupper() for thing in things)
    if not are_names or not 2 <= len(things) <= 6:
        return ""
    return f"{', '.join(things[:-1])} and {things[-1]}"


_THOSE = linear(r"(?i)^(?:who|what|which)\s(?:are|were)\s(?P<those>[^,;:?]{3,80}[a-z]s)$")


_THOSE_WHICH = linear(
    r"(?i)^(?:which|what)\s(?!companies|firms|businesses|banks|countries|people)(?P<those>(?:[a-z-]{3,20}\s)?[a-z-]{2,20}s)(?<!ss)\s(?!(?:of|and|or)\b)"
)


_ASKS_OF_THEM = linear(rf"(?i)\b(?:their|{AUXILIARY}\s+they)\b")


def _those_asked(aspect: QueryAspect, asking: str) -> str:
    """What an aspect asks who they are: of "Who are A's rivals?" A's rivals."""
    if _ASKS_OF_THEM.search(asking) and (which := _THOSE_WHICH.match(aspect.aspect)):
        return f"the {which['those']}"
    asked = _THOSE.match(aspect.aspect)
    return asked["those"] if asked else ""


def _last_subject(before: Sequence[QueryAspect]) -> str:
    """The first thing of the last clause that is about one."""
    short = (a for a in before if a.subject and len(a.subject.split()) <= _LONGEST_SUBJECT)
    single = [aspect for aspect in short if aspect.aspect_type != "comparison"]
    return next((aspect.subject for aspect in single if aspect.span == single[-1].span), "")


def without_antecedent(clause: str) -> str:
    """The pronoun that a first clause begins with before it names anything: "What about their competitors?"."""
    match = None if EMPTY_IT.search(clause) else _ANY_PRONOUN.search(clause)
    if match is None:
        return ""
    named = set(tokens(clause[: match.start()])) - _NO_ANTECEDENT
    return "" if named else match.group()


def speaks_back(clause: str) -> bool:
    """Whether a clause has a pronoun for something that was named before it."""
    return _ANY_PRONOUN.search(clause) is not None


_ALONE = frozenset(("when", "where", "how", "why", "who"))
_BEHIND_ASKING = linear(
    r"(?i)^(?:(?:for|by|at)\s+)?(?:when|where|why|who|how(?:\s+(?:much|many|long))?)\s+(?P<rest>\S.{0,1000})$"
)
# "On which cards, and for how many hours, was it trained?"
_ONE_KIND = rf"{AHEAD}\s+(?:which|what|how\s+(?:many|much))(?:\s(?!{AUXILIARY}\b)[a-z-]{{2,20}}){{1,3}}"
_ONE_WORD = rf"(?:{AHEAD}\s+)?(?:when|where|why|whom?|what|how(?:\s+(?:much|many|long|often))?)"
_OF_ONE_KIND = linear(rf"(?i)^(?:{_ONE_KIND}|{_ONE_WORD})$")
_BEHIND_ANOTHER = linear(rf"(?i)^(?:{_ONE_KIND}|{_ONE_WORD}),?\s(?P<rest>{AUXILIARY}\s\S.{{0,400}})$")
_WORDS_OF_A_NOTE = 80  # more than these, and only the sentences that ask are the question
_ALSO_IN_INSTRUCTIONS = frozenset(("statement", "form", "period", "date"))
_FILLERS = frozenset(
    words(
        "finally lastly next first second third also then according whether know anyone anybody someone somebody idea"
        " chance curious"
    )
)
# "Which one is better?"; the choice is named in "Which one is better, X or Y?" and "Which one of the eight …".
_WHICH_OF = linear(
    rf"(?i)(which (?:ones?|of (?:them|these|those|the two)))(?=\W*$| {AUXILIARY}\b)(?![^?]{{0,400}} or )"
)
_VAGUE_WORDS = 4  # of a question that may be too vague
_VAGUE_LIST = """
risk risks overview summary summaries news information info data detail details everything anything something help
more numbers number figures figure question questions problem problems issue issues report reports top main key latest
recent current company companies market markets fact facts analysis comparison history future trend trends use uses
example examples advantages disadvantages pros cons reasons causes opportunities threats challenges outlook
competitors competition update updates else go continue next know now
"""
_VAGUE = ASKING | frozenset(_VAGUE_LIST.split())
_AFTER_SHORT_FORM = linear(
    r"(?:(?<=Inc\.)|(?<=Ltd\.)|(?<=etc\.)|(?<=Corp\.)|(?<=[A-Z]\.[A-Z]\.))\s+"
    r"(?=(?:What|How|Why|Which|Who|When|Where)\b)"
)
_ELSEWHERE_WORDS = """
der die das und oder ist sind wie warum wann welche welcher welches eine einen nicht mit für von zu den dem im
auf bei le la les des une est sont comment pourquoi quel quelle quels quelles qui que dans avec sur aux du et où
quand el los las una qué cómo cuál cuándo dónde quién por para con del es son y según il lo gli che cosa come
perché quando dove chi della delle nel per sono una dei o os as uma não como quando onde quem qual são em dos da
de het een van hoe wat waarom wanneer welke niet met voor zijn en och hur vad varför när vilka inte som för att
av med är på jak co dlaczego kiedy gdzie kto nie się jest bagaimana apa mengapa kapan dan yang di dengan untuk
ve nasıl neden bir bu için
"""
_ELSEWHERE = frozenset(_ELSEWHERE_WORDS.split())
_ENGLISH = frozenset(STOP_WORDS) | ASKING | {"vs", "top", "main", "risk", "risks", "list", "between", "much", "many"}
_SHARED_WITH_ENGLISH = (_ELSEWHERE & _ENGLISH) | {"per", "come", "met", "son", "van"}


@lru_cache(maxsize=1 << 12)
def parse(question: str) -> ParsedQuestion:
    """Read `question`; the same text always gives the same reading, and no corpus is asked."""
    read = [(span, read_sentence(question, *span)) for span in _sentences(question)]
    read = _background_apart(question, read)
    clauses = _clauses(question, read)
    instructions = [span for _, parts in read for span in parts.instructions]
    openings = [parts.opening for _, parts in read if parts.opening]
    bound = _conditions(question, openings, instructions)
    covered = [*(c.span for c in clauses), *instructions, *openings, *(c.span for c in bound if c.span)]
    return ParsedQuestion(
        text=question,
        kind=clauses[0].kind if clauses else "fact",
        clauses=tuple(clauses),
        names=tuple(_names(question, instructions)),
        conditions=tuple(each for each in bound if not _is_said_otherwise(each, clauses)),
        instructions=tuple((question[start:end].strip(), (start, end)) for start, end in instructions),
        unused=_unused(question, covered),
        is_english=is_english(question),
        unclear=_unclear(question, clauses),
    )


def _is_said_otherwise(condition: Constraint, clauses: Sequence[ParsedClause]) -> bool:
    """Whether a clause asks for what its "not" means: "what does A not handle" for the weaknesses of A."""
    if condition.kind != "negation" or condition.span is None:
        return False
    place, _ = condition.span
    asked_so = (clause.span for clause in clauses if clause.text.startswith("what are the weaknesses of "))
    return any(start <= place <= end for start, end in asked_so)


def _sentences(question: str) -> Iterator[Span]:
    """The sentences; one that ends in "Inc." or "U.S." ends there where a question word follows."""
    for start, end in sentences(question):
        begin = start
        for match in _AFTER_SHORT_FORM.finditer(question, start, end):
            yield begin, match.start()
            begin = match.end()
        yield begin, end


def _background_apart(question: str, read: Sequence[tuple[Span, SentenceParts]]) -> list[tuple[Span, SentenceParts]]:
    """In a long text that asks, the sentences that only state something are background: no part of what is asked."""
    asks = any(_asks(question, span, part) for span, parts in read for part in parts.asked)
    if not asks or len(question.split()) <= _WORDS_OF_A_NOTE:
        return list(read)
    return [
        (span, parts)
        if not parts.asked or any(_asks(question, span, part) for part in parts.asked)
        else (span, SentenceParts(None, (*parts.instructions, trimmed(question, *span)), ()))
        for span, parts in read
    ]


_NEAR = 60  # characters
# "Tell me about A", "Give me an overview of A" and "State of play on A" want to be told of it.
_TELLS_OF = linear(
    r"(?i)\b(?:about|(?:overview|state\s+of\s+play|rundown|run-down|lowdown|gist|recap|speed|up\s+to\s+date|fill\s+(?:me|us)\s+in)\s+(?:of|on|in|with|for)|through)\s*$"
)


def _asks(question: str, sentence: Span, part: AskedPart) -> bool:
    return begins_to_ask(part.text) or question[sentence[0] : sentence[1]].rstrip(" \"'”’)").endswith("?")


def _clauses(question: str, read: Sequence[tuple[Span, SentenceParts]]) -> list[ParsedClause]:
    """The clauses of all sentences; a lone "Why?" asks that of the sentence before."""
    made: list[ParsedClause] = []
    stated = ""  # of which a lone "Why?" asked, and what behind it only asks
    for sentence, parts in read:
        for part in parts.asked:
            if made and _only_binds(part.text):
                continue
            if stated and only_asks(part.text):
                part = replace(part, text=f"{part.text} {stated}")
            kind = kind_of_answer(without_compared(part.text))
            if (
                kind in ("fact", "list")
                and _TELLS_OF.search(question[max(sentence[0], part.span[0] - _NEAR) : part.span[0]])
                and not begins_to_ask(part.text)
            ):
                kind = "report"
            clause = ParsedClause(part.text, part.span, kind, sentence)
            if made and (put_in := _of_the_plan(made[-1], clause)):
                made[-1] = put_in
                continue
            asks = asks_of_statement(part.text)
            if made and asks.endswith(" that") and (then := _AT_THE_TIME.search(made[-1].text)):
                clause = replace(clause, text=f"{asks} {then['what']}")
            # "Who made A, and what is it?" asks of A what it is, and not once more who made it.
            is_lone = not tokens(clause.text) and not without_antecedent(part.text)
            if made and not begins_to_ask(made[-1].text) and asks:
                is_lone, clause = True, replace(clause, text=asks)
            is_lone = is_lone and bool(made) and bool(tokens(made[-1].text))
            before = made[-1].text if is_lone else ""
            stated = before if len(before) <= _LONGEST_STATED else ""
            made.append(_after(made.pop(), clause) if is_lone else clause)
    for place in reversed(range(len(made) - 1)):  # "Where, when and why was it closed" ends with what is asked
        made[place] = _with_rest(made[place], made[place + 1])
    if made or not tokens(question):
        return [_by_whom(clause) for clause in made]
    start, end = trimmed(question, 0, len(question))
    return [ParsedClause(question[start:end], (start, end), kind_of_answer(question), (start, end))]


_AT_THE_TIME = linear(r"(?i)\b(?:when|after|before|while)\s(?P<what>\w.{6,200})$")
_OF_PAPERS = terms_of(f"quarter year filing report fiscal {' '.join(MONTHS)}")


def _only_binds(text: str) -> bool:
    """Whether a part asks nothing and says only of when or of which paper: "How many did A sell? (Q3 2023)"."""
    bound = frozenset(term for condition in conditions(text) for term in tokens(condition.text))
    asks = begins_to_ask(text) and not text.lower().startswith("report")
    return bool(bound) and not asks and bound | _OF_PAPERS >= set(tokens(text))


# "Our team wants a model to grade answers. What are the pitfalls of that?"
_INTENDS = linear(
    r"(?i)^(?:our|my|the|we|i)\b.{0,40}?\b(?:wants?|would\s+like|considers?|(?:is|are)\s+(?:considering|thinking\s+of)|thinks?\s+of)\s+(?!to\b)(?P<thing>.{4,160})$"
)
_OF_THAT = linear(
    r"(?i)(?<=\b(?:of|in) )(?:that|this|it)$|(?<=\b(?:with|does) )(?:that|this)\b|(?<=\babout )(?:that|this)$"
)


def _of_the_plan(before: ParsedClause, asking: ParsedClause) -> ParsedClause | None:
    """What is asked of a plan that the sentence before it tells; None where it is asked of something else."""
    plan, that = _INTENDS.match(before.text), _OF_THAT.search(asking.text)
    if plan is None or that is None or begins_to_ask(before.text):
        return None
    text = f"{asking.text[: that.start()]}{plan['thing']}{asking.text[that.end() :]}"
    span, sentence = (before.span[0], asking.span[1]), (before.sentence[0], asking.sentence[1])
    return ParsedClause(text, span, asking.kind, sentence)


_SOME_OTHER = linear(r"(?i)^(?:an?|one|some)\s+")


def _after(before: ParsedClause, lone: ParsedClause) -> ParsedClause:
    """What a lone "Why?" asks of the clause before it; of the hundredth in a row nothing new is read."""
    span = (before.span[0], lone.span[1])
    sentence = (before.sentence[0], lone.sentence[1])
    if len(before.text) > _LONGEST_MERGED:
        return replace(before, span=span, sentence=sentence)
    text = f"{lone.text} {_SOME_OTHER.sub('', SAID_BY.sub('', before.text))}"
    return ParsedClause(text, span, kind_of_answer(text), sentence)


def _with_rest(clause: ParsedClause, after: ParsedClause) -> ParsedClause:
    """The lone "When" of "When and where did it sink" with what the next clause asks."""
    rest = _BEHIND_ASKING.match(after.text) if clause.text.lower() in _ALONE else None
    if rest is None and _OF_ONE_KIND.match(clause.text):
        rest = _BEHIND_ANOTHER.match(after.text)
    if rest is None:
        return clause
    text = f"{clause.text} {rest['rest']}"
    return replace(clause, text=text, kind=kind_of_answer(text))


def _by_whom(clause: ParsedClause) -> ParsedClause:
    """A clause that asks by whom something was done, as one that asks who did it."""
    text = in_active(clause.text)
    return clause if text == clause.text else replace(clause, text=text, kind=kind_of_answer(text))


def _names(question: str, instructions: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    instructed = _places(instructions)
    for name in named_things(question):
        if name.start not in instructed:
            yield name.text, (name.start, name.end)


# "Do not bother with the income statement": it is no paper to look into.
_SHUTS_OUT = linear(
    r"(?i)(?:please\s+)?(?:do\s+not|don['’]t|there\s+is\s+no\s+need|leave\s+out|skip|ignore|omit|exclude|no)\b"
)


def _conditions(question: str, openings: Sequence[Span], instructions: Sequence[Span]) -> list[Constraint]:
    """All conditions; an opening phrase that says more than those in it is a condition of its own.

    Of an instruction only what it says of documents and periods binds: "if … is not useful" excludes nothing.
    """
    instructed = _places(instructions)
    shut_out = _places([span for span in instructions if _SHUTS_OUT.match(question, *span)])
    bound = [
        c
        for c in conditions(question)
        if (c.kind in _ALSO_IN_INSTRUCTIONS and (c.span or (-1, 0))[0] not in shut_out)
        or (c.span and c.span[0] not in instructed)
    ]
    scopes = [trimmed(question, *span) for span in openings]
    bound += [
        Constraint("scope", question[start:end], (start, end))
        for start, end in scopes
        if _says_more(question, start, end, bound)
    ]
    return sorted(bound, key=lambda c: (c.span or (0, 0), c.kind))


def _says_more(question: str, start: int, end: int, bound: Sequence[Constraint]) -> bool:
    known = set(tokens("according based reported per given end year quarter"))
    for condition in bound:
        if condition.span and start <= condition.span[0] < end:
            known.update(tokens(condition.text))
    return not known.issuperset(tokens(question[start:end]))


def _unused(question: str, covered: Sequence[Span]) -> tuple[str, ...]:
    """The words that a search could use and that lie in no clause, condition or instruction."""
    taken = _places(covered)
    fillers = ASKING | _FILLERS
    left = (word.word for word in spans(question) if word.word not in fillers and word.start not in taken)
    return tuple(dict.fromkeys(word for word in left if tokens(word)))


def _places(ranges: Sequence[Span]) -> set[int]:
    return {place for start, end in ranges for place in range(start, end)}


def _unclear(question: str, clauses: Sequence[ParsedClause]) -> str:
    """Why the question cannot be answered as it stands; empty where it can."""
    first = clauses[0].text if clauses else question
    named = any(name.kind != "quoted" and not _opens_vaguely(name) for name in named_things(question))
    if (pronoun := without_antecedent(first)) and not named:
        return f"It is unclear whom or what “{pronoun}” means: name it in the question."
    if not named and (which := _WHICH_OF.match(first)):
        return f"It is unclear what “{which[1]}” is to be chosen from: name the things in the question."
    words = [word.word for word in spans(question)]
    content = [word for word in words if word not in ASKING] or words  # "Tell me more" only asks
    if content and len(content) <= _VAGUE_WORDS and not named and all(word in _VAGUE for word in content):
        return f"“{' '.join(content)}” alone is too vague: name the company, the thing or the topic that it is about."
    return ""


def _opens_vaguely(name: Name) -> bool:
    """Whether a word is written large only because it opens the question: "Go on", "Anything else?"."""
    return name.start == 0 and name.text.lower() in _VAGUE


def is_english(text: str) -> bool:
    """Whether the patterns can read `text`: Latin letters, and not more small words of other languages than English."""
    letters = [char for char in text[:2000] if char.isalpha()]
    foreign = sum(1 for char in letters if not _is_latin(char))
    if foreign * 2 > len(letters):
        return False
    words = re.findall(r"[^\W\d_]{1,40}", text[:2000].lower())
    elsewhere = sum(1 for word in words if word in _ELSEWHERE and word not in _SHARED_WITH_ENGLISH)
    return elsewhere == 0 or elsewhere <= sum(1 for word in words if word in _ENGLISH)


@lru_cache(maxsize=4096)
def _is_latin(char: str) -> bool:
    return char.isascii() or unicodedata.name(char, "").startswith("LATIN")
