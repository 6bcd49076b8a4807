"""Compare, same, look up: short answers that are worked out from values which passages state, each step quoted.

An operator declines, with None, when a value is missing: forced guesses were right in .22 to .37 of cases on kept-back
questions, against .97 where both values are stated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from adaq_core.answers.sides import (
    Computed,
    Side,
    both,
    bridge,
    claim_of,
    key_of,
    pair,
    same_class,
    sides_of,
    titled,
    which_is,
)
from adaq_core.answers.unnamed import at_chains_end, named_by_all, read_end
from adaq_core.filings.statement_figures import EACH, Figure, Operand
from adaq_core.matching.lexicon import Attribute, Value, opens_with, said_among, value_of
from adaq_core.model import AnswerKind, Passage, RankedPassage
from adaq_core.question.answer_kinds import LanguagePattern
from adaq_core.text.entities import names
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import fold, terms_of, words
from adaq_core.text.values import SMALL_NUMBERS, dates

Want = Literal["min", "max"]
# An age is worked out from two attributes.
Compared = Attribute | Literal["age"]

_WORKS = "film|movie|album|song|single|book|novel|game|show"
_BODIES = "company|firm|bank|band|magazine|newspaper|school|university|college|club|team|brand"
# Attribute, which end of it is wanted, pattern of the question, example.
COMPARISONS: tuple[tuple[Compared, Want, str, str], ...] = (
    ("age", "max", r"\bolder when (?:he|she|they|it) died\b|\bdied (?:older|at (?:an older|a greater) age)\b", "Who was older when he died, A or B?"),
    ("age", "min", r"\byounger when (?:he|she|they|it) died\b|\bdied (?:younger|at a younger age)\b", "Who died younger, A or B?"),
    ("release", "max", rf"\bwhich (?:{_WORKS})\b.{{0,160}}\b(?:newer|younger)\b", "Which film is newer, A or B?"),
    ("release", "min", rf"\bwhich (?:{_WORKS})\b.{{0,160}}\bolder\b", "Which film is older, A or B?"),
    ("founding", "max", rf"\bwhich (?:{_BODIES})\b.{{0,160}}\b(?:newer|younger)\b", "Which firm is younger, A or B?"),
    ("founding", "min", rf"\bwhich (?:{_BODIES})\b.{{0,160}}\bolder\b", "Which firm is older, A or B?"),
    ("age", "max", r"\blived (?:longer|to an? older)|\blonger li(?:fe|ved)\b", "Who lived longer, A or B?"),
    ("age", "min", r"\blived (?:shorter|less)", "Who lived shorter, A or B?"),
    ("death", "max", r"\bdied (?:later|last|more recently)", "Who died later, A or B?"),
    ("death", "min", r"\bdied (?:first|earlier|before)|\bfirst to die", "Who died first, A or B?"),
    ("birth", "max", r"\bborn (?:later|last|more recently)|\byounger\b|\byoungest\b", "Who is younger, A or B?"),
    ("birth", "min", r"\bborn (?:first|earlier|before)|\bolder\b(?! age)|\boldest\b", "Who was born first, A or B?"),
    ("release", "max", r"\b(?:released|came out|published|issued|premiered|aired|made)\b.{0,160}\b(?:later|last|latest|more recently)\b|\bmore recent\b|\bnewer\b", "Which film came out later, A or B?"),
    ("release", "min", r"\b(?:released|came out|come out|published|issued|premiered|aired|made)\b.{0,160}\b(?:first|earlier|earliest|before)\b", "Which film came out first, A or B?"),
    ("founding", "max", r"\b(?:formed|founded|established|opened|created|started|built|launched)\b.{0,160}\b(?:later|last|more recently)\b", "Which band was formed later, A or B?"),
    ("founding", "min", r"\b(?:formed|founded|established|opened|created|started|built|launched)\b.{0,160}\b(?:first|earlier|earliest|before)\b", "Which band was formed first, A or B?"),
)  # fmt: skip
SAME = re.compile(
    r"\bsame (?:country|nationality|nation)\b|\bshare the same (?:nationality|country)\b|\bsame country of origin\b"
)
# Attribute, kind of answer, pattern of the question, example.
LOOKUPS: tuple[tuple[Attribute, AnswerKind, str, str], ...] = (
    ("birth", "date", r"\bdate of birth\b|^when (?:was|were)\b.{0,160}\bborn\b|\b(?:what|which) (?:year|date|day) was\b.{0,160}\bborn\b|\bbirthday\b", "When was A born?"),
    ("death", "date", r"\bdate of death\b|^when did\b.{0,160}\bdie\b|\b(?:what|which) (?:year|date|day) did\b.{0,160}\bdie\b", "When did A die?"),
    ("nationality", "place", r"^what (?:is the )?nationality\b|^(?:what|which) country\b.{0,160}\bfrom\b", "What nationality is A?"),
)  # fmt: skip
# The role a question names, how a passage introduces who has it.
ROLES: tuple[tuple[str, str], ...] = (
    (r"directors?\b", r"\bdirected (?:and \w{1,20} )?by\b|\bdirector\b|\bdirected\b"),
    (r"(?:performers?|singers?)\b", r"\b(?:by|performed by|sung by|recorded by|song by|single by|artist|singer|band|group)\b"),
    (r"composers?\b", r"\b(?:composed (?:and \w{1,20} )?by|music (?:was |is )?(?:composed |written )?by|written by|score(?:d)? by|composer|music)\b"),
    (r"(?:authors?|writers?)\b", r"\b(?:written by|novel by|book by|by|author|wrote)\b"),
    (r"producers?\b", r"\b(?:produced by|producer)\b"),
    (r"founders?\b", r"\b(?:founded by|founder|created by|established by)\b"),
)  # fmt: skip
_KIN = re.compile(
    r"(?i)(?:'s|’s) (?:father|mother|husband|wife|spouse|son|daughter|child|brother|sister|sibling|grand\w{1,20}|\w{1,20}-in-law)\b|\b(?:father|mother|husband|wife|spouse|son|daughter|child|brother|sister|grand\w{1,20}|stepfather|stepmother|\w{1,20}-in-law) of\b"
)


def compute(
    question: str, passages: Sequence[Passage], *, chained: bool = True, sized: bool = False
) -> Computed | None:
    """The short answer that an operator works out for `question` from `passages`; None where none applies.

    `chained` says that the passages are a set, of which the one that nobody named is where a chain ends; `sized` that
    the set was cut to the passages that lead to each other by names, so that its end is read in more forms.
    """
    asked = " ".join(question.split())
    in_time = (_before, _years_between, _age_at)
    operators = (*in_time, _compare, _ordered, _same, _look_up, same_class, both, which_is, _more_of, _when_of)
    made = (operate(asked, passages) for operate in operators)
    result = next((computed for computed in made if computed is not None), None)
    if result or not chained:
        return result
    ended = at_chains_end(asked, passages, role=_role_in(asked)) or named_by_all(question, passages)
    return ended or (read_end(question, passages) if sized else None)


# What is told in place of a number, by the unit of a figure.
_KINDS: Mapping[str, AnswerKind] = {
    "person": "person", "date": "date", "place": "place", "organisation": "organisation", "list": "list",
    "reason": "reason", "yes_no": "yes_no", "group": "list", "each": "list",
}  # fmt: skip


def of_figure(figure: Figure | None, passages: Sequence[Passage]) -> Computed | None:
    """A figure from the rows of statements as a short answer; None where the evidence lacks one of its rows.

    Of things that are told of one by one those count that the evidence tells of; None without any.
    """
    if figure is None:
        return None
    by_id = {passage.passage_id: passage for passage in passages}
    held = [_held(operand, by_id) for operand in figure.operands]
    values = tuple(value for value in held if value is not None)
    is_whole = len(values) == len(held) or figure.unit == EACH
    if not (values and is_whole):
        return None
    kind = _KINDS.get(figure.unit, "yes_no" if figure.denies else "number")
    return Computed(figure.text, kind, values, figure.derivation)


def _held(operand: Operand, passages: Mapping[str, Passage]) -> Value | None:
    """What an operand was read from, where the passages hold it."""
    passage = passages.get(operand.passage_id)
    start = passage.text.find(operand.quote) if passage else -1
    if passage is None or start < 0:
        return None
    return Value(passage, operand.quote, start, start + len(operand.quote), operand.label)


def with_operands(
    question: str, kept: Sequence[RankedPassage], ranked: Sequence[RankedPassage], *, k: int
) -> tuple[RankedPassage, ...]:
    """The set with the passages that an operator needs, in place of the last that it does not need where `k` are kept."""
    known = {r.passage.passage_id: r for r in (*ranked, *kept)}
    computed = compute(question, [r.passage for r in known.values()], chained=False)
    if computed is None:
        return tuple(kept)
    used = set(computed.passages)
    missing = [known[p] for p in computed.passages if p not in {r.passage.passage_id for r in kept}]
    chosen = list(kept)
    while chosen and len(chosen) + len(missing) > k:
        spare = next((r for r in reversed(chosen) if r.passage.passage_id not in used), None)
        if spare is None:
            break
        chosen.remove(spare)
    reason = "holds a value that the short answer is worked out from"
    chosen += [replace(r, reason=f"{r.reason}; {reason}" if r.reason else reason) for r in missing]
    return tuple(replace(r, rank=rank) for rank, r in enumerate(chosen, start=1))


def _compare(question: str, passages: Sequence[Passage]) -> Computed | None:
    row = _compared(question)
    sides = pair(question, passages) if row is not None else None
    if row is None or sides is None:
        return None
    attribute, want, *_ = row
    role = _role_in(question)
    first, second = (_side(name, role, attribute, passages) for name in sides)
    if first is None or second is None or first.order == second.order:
        return None
    best = (min if want == "min" else max)(first, second, key=lambda m: m.order)
    return _of_sides(best.name, "choice", (first, second))


@lru_cache(maxsize=1 << 9)
def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# An operator is tried at each look at the set: what the question asks is looked for once.
@lru_cache(maxsize=1 << 8)
def _compared(question: str) -> tuple[Compared, Want, str, str] | None:
    return next((row for row in COMPARISONS if _form(row[2]).search(question)), None)


@lru_cache(maxsize=1 << 8)
def _looked_up(question: str) -> tuple[Attribute, AnswerKind, str, str] | None:
    return next((row for row in LOOKUPS if _form(row[2]).search(question)), None)


_A, _B = r"(?P<a>[^?]{1,80}?)", r"(?P<b>[^?]{1,80}?)"
_DONE = r"(?P<{}>born|[a-z]{{3,12}}ed|found|built|begun|written|made|shot)"
_DONE_A, _DONE_B = _DONE.format("done_a"), _DONE.format("done_b")
_HOW = r"(?P<how>before|after|earlier than|later than)"
_WAS = "(?:was|were)"
# How it is asked which of two was before the other. The kind is what both did; without one it is in the question.
BEFORE: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("", rf"^{_WAS} {_A} {_DONE_A} {_HOW} {_B}(?: {_WAS}(?: {_DONE_B})?)?\W*$", "Was A founded before B?", "Was A founded in 1950?", "benchmarks.woven"),
    LanguagePattern("", rf"^{_WAS} {_A} and {_B} {_DONE_A} in the (?P<how>same year)\W*$", "Were A and B born in the same year?", "Were A and B born in Rome?", "typed questions"),
    LanguagePattern("", rf"^did {_A} (?P<does_a>form|open|start|launch|close|premiere) {_HOW} {_B}(?: did)?\W*$", "Did A form before B?", "Did A open in May?", "typed questions"),
    LanguagePattern("died", rf"^did {_A} die {_HOW} {_B}(?: did)?\W*$", "Did A die before B?", "Did A die in May?", "benchmarks.woven"),
    LanguagePattern("born", rf"^(?:is|was) {_A} (?P<how>older|younger) than {_B}\W*$", "Is A older than B?", "Is A larger than B?", "benchmarks.woven"),
)  # fmt: skip
# How it is asked which of two was first or last.
ORDERED: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("", rf"^(?:who|which(?: [a-z-]{{2,20}}){{0,2}}) {_WAS} {_DONE_A} (?P<how>first|earlier|last|later),? {_A} or {_B}\W*$", "Which was founded first, A or B?", "Which was first, A or B?", "benchmarks.woven"),
)  # fmt: skip
# How it is asked how much time lies between two.
BETWEEN: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("", rf"^how (?:many years|long) (?P<how>after|before) {_A}(?: {_WAS} {_DONE_A})? {_WAS} {_B} {_DONE_B}\W*$", "How many years after A was B founded?", "How many years was B shut?", "benchmarks.woven"),
    LanguagePattern("", rf"^how many years (?:apart )?(?:were|are|lie|passed|elapsed)(?: apart)? {_A} and {_B} {_DONE_B}(?: apart)?\W*$", "How many years apart were A and B founded?", "How many years was A in office?", "benchmarks.woven"),
    LanguagePattern("", rf"^how many years (?:were|are|lie|passed|elapsed)(?: there)? between {_A} and {_B}\W*$", "How many years passed between the release of A and B?", "How many years passed?", "typed questions"),
    LanguagePattern("born", rf"^how (?:much|many years) (?P<how>older|younger) (?:is|was) {_A} than {_B}\W*$", "How much older is A than B?", "How old is A?", "benchmarks.woven"),
    LanguagePattern("born", rf"^what (?:is|was) the (?:age (?:gap|difference)|difference in age) between {_A} and {_B}\W*$", "What is the age gap between A and B?", "What is the gap between A and B?", "typed questions"),
    LanguagePattern("age", rf"^how old was {_A} when {_B} {_WAS} {_DONE_B}\W*$", "How old was A when B was founded?", "How old was A?", "typed questions"),
)  # fmt: skip
AGES: tuple[LanguagePattern[str], ...] = (
    LanguagePattern("", rf"^how old was {_A} when (?:they|s?he) died\W*$|^at (?:what|which) age did {_B} die\W*$", "How old was A when he died?", "How old is A?", "benchmarks.woven"),
    LanguagePattern("", rf"^how (?:long|many years) did {_A} live(?P<b>)\W*$", "How many years did A live?", "How long did A live in B?", "benchmarks.woven"),
)  # fmt: skip
_ATTRIBUTE_OF: Mapping[str, Attribute] = {
    **dict.fromkeys(("born",), "birth"),
    **dict.fromkeys(("died",), "death"),
    **dict.fromkeys(("founded", "established", "formed", "incorporated", "launched", "started"), "founding"),
    **dict.fromkeys(("released", "published", "issued", "premiered"), "release"),
}


def _before(asked: str, passages: Sequence[Passage]) -> Computed | None:
    """Yes or no to "was A founded before B?", by the days that their passages state."""
    timed = _timed(BEFORE, asked, passages)
    if timed is None:
        return None
    first, second = timed.days
    is_same_year = first[0] == second[0]
    if timed.how == "same year":
        return _of_sides("Yes" if is_same_year else "No", "yes_no", timed.sides)
    is_to_the_day = all(first) and all(second)
    if first == second or (is_same_year and not is_to_the_day):
        return None
    is_so = (first < second) == (timed.how in _EARLIER)
    answer = "Yes" if is_so else "No"
    return _of_sides(answer, "yes_no", timed.sides)


def _ordered(asked: str, passages: Sequence[Passage]) -> Computed | None:
    """The one of two of which it is stated that it was first or last, by years that differ."""
    timed = _timed(ORDERED, asked, passages)
    if timed is None or timed.days[0][0] == timed.days[1][0]:
        return None
    first, later = sorted(timed.sides, key=lambda side: side.order)
    best = first if timed.how in ("first", "earlier") else later
    return _of_sides(best.name, "choice", timed.sides)


def _years_between(asked: str, passages: Sequence[Passage]) -> Computed | None:
    """How many years lie between the founding of A and of B, by the years that their passages state.

    None to "how many years after A was B founded?" where B was first.
    """
    timed = _timed(BETWEEN, asked, passages)
    if timed is None:
        return None
    first, later = sorted(timed.days)
    is_turned = first != timed.days[0]
    years = later[0] - first[0]
    is_to_the_day = all(first) and all(later)
    if timed.kind and is_to_the_day:  # of ages full years are told
        years -= later[1:] < first[1:]
    if timed.kind == "age":
        told = str(years) if is_to_the_day else f"{years - 1} or {years}"
        return None if is_turned else _of_sides(told, "number", timed.sides)
    if timed.how and is_turned == (timed.how in _A_IS_FIRST):
        return None
    unit = "year" if years == 1 else "years"
    return _of_sides(f"{years} {unit}", "number", timed.sides)


_EARLIER = frozenset(("before", "earlier than", "older"))
_A_IS_FIRST = frozenset(("after", "older"))
_OF_A_LIFE = frozenset(("birth", "death"))


def _age_at(asked: str, passages: Sequence[Passage]) -> Computed | None:
    """At what age somebody died, by the days of birth and death that their passage states."""
    match = next(filter(None, (row.search(asked) for row in AGES)), None)
    if match is None:
        return None
    name = match["a"] or match["b"]
    side = _side(name, _role_in(name), "age", passages)
    if side is None:
        return None
    born, died = (_order(value) for value in side.values)
    years = died[0] - born[0]
    told = f"{years - 1} or {years}"
    if all(born) and all(died):
        is_before_birthday = died[1:] < born[1:]
        told = str(years - is_before_birthday)
    return Computed(told, "number", side.values, _in_words(side), side.via)


@dataclass(frozen=True, slots=True)
class _Timed:
    """Two things with the days of what is asked of them, and how they are compared."""

    sides: tuple[_Side, _Side]
    how: str
    kind: str

    @property
    def days(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        first, second = self.sides
        return first.order, second.order


def _timed(rows: Sequence[LanguagePattern[str]], asked: str, passages: Sequence[Passage]) -> _Timed | None:
    """The two things that a question compares in time; None where a passage of their own states no day."""
    found = ((row, row.search(asked)) for row in rows)
    row, match = next((each for each in found if each[1]), (None, None))
    if row is None or match is None:
        return None
    given = match.groupdict(default="")
    done = _done_by_both(row.kind, given)
    first, second = (_side_of(given[name], deed, passages) for name, deed in zip("ab", done, strict=True))
    if first is None or second is None or first.values == second.values:
        return None
    return _Timed((first, second), given.get("how", "").lower(), row.kind)


# "The release of A" for "A was released".
_NOUN_OF = re.compile(r"(?i)the (?P<noun>birth|death|founding|foundation|release|publication|opening) of (?P<name>.+)")
_DONE_OF = {
    "birth": "born",
    "death": "died",
    "founding": "founded",
    "foundation": "founded",
    "release": "released",
    "publication": "published",
    "opening": "opened",
}


def _done_by_both(kind: str, given: Mapping[str, str]) -> tuple[str, str]:
    """What each of two things did, in the participle; where it is said of one only, both did that."""
    if kind == "age":
        return "born", given["done_b"].lower()
    does = given.get("does_a", "").lower().removesuffix("e")
    of_noun = (_NOUN_OF.match(given[name]) for name in "ab")
    nouns = [_DONE_OF[found["noun"].lower()] if found else "" for found in of_noun]
    first = kind or nouns[0] or given.get("done_a", "") or (does and f"{does}ed")
    second = nouns[1] or kind or given.get("done_b", "") or first
    return (first or second).lower(), second.lower()


def _side_of(name: str, deed: str, passages: Sequence[Passage]) -> _Side | None:
    """A thing with the day of a deed: of the attribute that it is one of, else of the sentence that tells of it."""
    if named := _NOUN_OF.match(name):
        name = named["name"]
    role, attribute = _role_in(name), _ATTRIBUTE_OF.get(deed)
    passage = titled(name, passages)
    is_titled = passage is not None and not terms_of(name).isdisjoint(terms_of(passage.title))
    value = (
        None if role or attribute in _OF_A_LIFE else _stated_of(name, deed, passages, passage if is_titled else None)
    )
    if value is not None:
        return _Side(name, value.passage.title, (value,), _order(value))
    return _side(name, role, attribute, passages) if attribute and is_titled else None


def _stated_of(name: str, deed: str, passages: Sequence[Passage], titled_so: Passage | None) -> Value | None:
    """The date behind a deed: of a sentence that begins with a name, "A was first opened in 1871", or under its title."""
    bare = re.escape(name.removeprefix("the ").removeprefix("The "))
    form = re.compile(
        rf"(?i)(?:.{{0,200}}?(?:, |; |\band ))?(?:the )?{bare}(?: \([^()]{{1,80}}\))? (?:was|were) (?:\w{{3,12}}ly |first )?{deed}\b"
    )
    told = (_behind(form, each, within=None) for each in passages)
    value = next(filter(None, told), None)
    if value is None and titled_so is not None:
        value = _behind(re.compile(rf"(?i).{{0,200}}?\b{deed}\b"), titled_so, within=_READ)
    return value


def _behind(form: re.Pattern[str], passage: Passage, *, within: int | None) -> Value | None:
    """The first date shortly behind a form that opens a sentence, of the first ones or of any."""
    for start, end in sentences(passage.text)[:within]:
        told = form.match(passage.text, start, end)
        behind = told.end() if told else end
        near = passage.text[behind : min(end, behind + _BEHIND)]
        value = _date_in(passage, near, behind)
        if value:
            return value
    return None


_BEHIND = 50  # characters


def _of_sides(answer: str, kind: AnswerKind, sides: tuple[_Side, _Side]) -> Computed:
    """An answer worked out from what is stated of two things."""
    first, second = sides
    step = f"{_in_words(first)}; {_in_words(second)}"
    values = first.values + second.values
    return Computed(answer, kind, values, step, first.via + second.via)


def _same(question: str, passages: Sequence[Passage]) -> Computed | None:
    sides = pair(question, passages) if SAME.search(question) else None
    if sides is None:
        return None
    role = _role_in(question)
    first, second = (_side(name, role, "country", passages) for name in sides)
    if first is None or second is None:
        return None
    if first.values[0].key == second.values[0].key:
        answer = "Yes"
    else:
        answer = "No"
    return _of_sides(answer, "yes_no", (first, second))


def _look_up(question: str, passages: Sequence[Passage]) -> Computed | None:
    row = _looked_up(question)
    if row is None or SAME.search(question) or _KIN.search(question):
        return None
    role = _role_in(question)
    subject = _subject(question, passages)
    made = _side(subject, role, row[0], passages) if subject else None
    if made is None:
        return None
    value = made.values[0]
    return Computed(value.text, row[1], made.values, _in_words(made), made.via)


@dataclass(frozen=True, slots=True)
class _Side:
    """One thing compared: its name in the question, whose values they are, and what orders it."""

    name: str
    holder: str
    values: tuple[Value, ...]
    order: tuple[int, ...]
    via: tuple[Value, ...] = ()


def _side(name: str, role: str, attribute: Compared, passages: Sequence[Passage]) -> _Side | None:
    passage = titled(name, passages)
    via: tuple[Value, ...] = ()
    if passage is None:
        return None
    if role:
        step = bridge(passage, role, passages)
        if step is None:
            return None
        via, passage = (step[0],), step[1]
    if attribute == "age":
        born, died = value_of("birth", passage), value_of("death", passage)
        if born is None or died is None:
            return None
        return _Side(name, passage.title, (born, died), _age(born, died), via)
    value = value_of(attribute, passage)
    if value is None:
        return None
    return _Side(name, passage.title, (value,), value.key if isinstance(value.key, tuple) else (), via)


def _age(born: Value, died: Value) -> tuple[int, ...]:
    one, other = born.key, died.key
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    years, months, days = (end - begin for begin, end in zip(one, other, strict=True))
    return (years * 372 + months * 31 + days,)


def _in_words(side: _Side) -> str:
    """The value of one side in words: "A: 3 May 1920", through "director B" where a passage lies between."""
    values = " – ".join(value.text for value in side.values)
    names_holder = set(words(side.name)) >= set(words(side.holder))
    is_short_for_it = fold(side.holder).startswith(fold(side.name))
    if names_holder or is_short_for_it or not side.via:
        return f"{side.name}: {values}"
    return f"{side.name} → {side.holder}: {values}"


@lru_cache(maxsize=1 << 8)
def _role_in(question: str) -> str:
    """How passages introduce who the question means by "the director of film A"; empty when it means A itself."""
    return next((how for role, how in ROLES if _form(rf"\b{role}").search(question)), "")


def _subject(question: str, passages: Sequence[Passage]) -> str:
    """The title among the passages that the question names at greatest length."""
    asked = f" {' '.join(words(question))} "
    full, known = [], []
    for title in (passage.title for passage in passages):
        whole, key = " ".join(words(title)), key_of(title)
        if whole and f" {whole} " in asked:
            full.append((len(whole), title))
        if key and f" {key} " in asked:
            known.append((len(key), title))
    for name in names(question):  # in full: "Holly Audrey Williams" is not Audrey Williams
        if any(opens_with(name.text, passage) for passage in passages):
            full.append((len(name.text), name.text))
    return max(full or known, default=(0, ""))[1]


_READ = 8
_COUNTED = re.compile(r"(?i)\b(?:more|most|fewer|fewest) (?P<thing>(?:[\w'’-]+ ){0,4}[\w'’-]+)")
_FEWER = re.compile(r"(?i)\b(?:fewer|fewest|less|least|smaller|shorter|lower|smallest|shortest|lowest)\b")
# Degree words, units of what they compare, example.
MEASURES: tuple[tuple[str, str, str], ...] = (
    (
        r"taller|tallest|higher|highest|longer|longest|shorter|deeper|wider",
        r"m|metres?|meters?|ft|feet|km|kilomet(?:re|er)s?|mi|miles?",
        "Which mountain is taller, A or B?",
    ),
    (
        r"(?:larger|largest|bigger|higher|greater|more|most) (?:\w+ )?(?:population|populous|people|inhabitants)",
        r"people|inhabitants|residents",
        "Which town has the larger population, A or B?",
    ),
)
_METRES = {"f": 0.3048, "k": 1000.0, "mi": 1609.0}
_NUMBER = rf"\b(?:\d[\d,]*(?:\.\d+)?|{'|'.join(SMALL_NUMBERS)})\b"
_THING = re.compile(r"(?:[- ](?:to|or|–) ?\d+)?(?:[ -][\w'’-]+){1,3}")
_LAST = re.compile(r"(?i)\b(?:later|last|latest|most recent(?:ly)?|more recent(?:ly)?)\b")
_FIRST = re.compile(r"(?i)\b(?:first|earlier|earliest)\b")
_LIFE = re.compile(r"(?i)\b(?:born|die[ds]?|lived|older|younger)\b")
_CENTURY = re.compile(r"(?i)\b(?P<n>1\d|20)th[- ]century")
_WHENCE = terms_of("both date time year film band magazine person song book album")


def _more_of(question: str, passages: Sequence[Passage]) -> Computed | None:
    """The side with the higher number of what is counted or measured; None where a side states none, or several."""
    counted, unit = _COUNTED.search(question), _unit_of(question)
    sides = sides_of(question, passages, opening=_READ) if counted or unit else None
    if sides is None:
        return None
    if counted and not unit:
        thing = terms_of(words(counted["thing"].split(",")[0])[-1])
    else:
        thing = frozenset[str]()
    return _extreme(sides, [_quantity(side, unit, thing) for side in sides], least=_FEWER.search(question) is not None)


@lru_cache(maxsize=1 << 8)
def _unit_of(question: str) -> str:
    """The units of what a question compares; empty where it measures nothing."""
    return next((unit for how, unit, _ in MEASURES if _form(rf"\b(?:{how})\b").search(question)), "")


def _extreme(sides: Sequence[Side], values: Sequence[Value | None], *, least: bool) -> Computed | None:
    first, second = values
    if first is None or second is None or first.key == second.key:
        return None
    is_first = (_order(first) < _order(second)) == least
    step = f"{sides[0].name}: {first.text}; {sides[1].name}: {second.text}"
    return Computed(sides[0 if is_first else 1].name, "choice", (first, second), step)


def _order(value: Value) -> tuple[int, ...]:
    return value.key if isinstance(value.key, tuple) else ()


def _quantity(side: Side, unit: str, thing: frozenset[str]) -> Value | None:
    """The one number of its opening that stands before the unit, or shortly before the thing that is counted."""
    results: dict[float, Value] = {}
    for match in re.finditer(_NUMBER, side.text, re.IGNORECASE):
        end, factor = match.end(), 1.0
        if unit:
            after = re.compile(rf"(?i)\s?(?:{unit})\b").match(side.text, end)
        else:
            after = None
        if thing and (near := _THING.match(side.text, end)) and thing & terms_of(near[0]):
            after = near
        if after is not None:
            start = after[0].strip().lower()
            factor = next((f for sign, f in _METRES.items() if unit and start.startswith(sign)), 1.0)
            value = round(_number(match[0]) * factor)
            text = side.text[match.start() : after.end()]
            results.setdefault(value, Value(side.passage, text, match.start(), after.end(), (value, 0, 0)))
    # The first height is the thing's own; of things that are counted two numbers are two things.
    if results and (unit or len(results) == 1):
        return next(iter(results.values()))
    return None


def _number(text: str) -> float:
    written = text.lower().replace(",", "")
    if written in SMALL_NUMBERS:
        return float(SMALL_NUMBERS.index(written))
    return float(written)


def _when_of(question: str, passages: Sequence[Passage]) -> Computed | None:
    """The side that did what is asked first or last, by the dates of the sentences that tell of it."""
    last = _LAST.search(question) is not None
    asked = " or " in question and (last or _FIRST.search(question)) and not _LIFE.search(question)
    sides = sides_of(question, passages, opening=_READ) if asked else None
    if sides is None:
        return None
    terms = terms_of(_LAST.sub(" ", _FIRST.sub(" ", claim_of(question, sides).text))) - _WHENCE
    return _extreme(sides, [_told_when(side, terms) for side in sides], least=not last)


def _told_when(side: Side, terms: frozenset[str]) -> Value | None:
    """The first date, not in brackets, of the sentence that says most of `terms`."""
    best: tuple[int, Value] | None = None
    for start, end in side.spans:
        text = side.passage.text[start:end]
        shared = len(said_among(terms, terms_of(text)))
        value = _date_in(side.passage, re.sub(r"\([^()]*\)", lambda m: " " * len(m[0]), text), start)
        if shared and value is not None and (best is None or shared > best[0]):
            best = (shared, value)
    return best[1] if best else None


def _date_in(passage: Passage, text: str, offset: int) -> Value | None:
    """The first date of `text`, which stands at `offset` in the passage; else the middle of the century it names."""
    if known := dates(text):
        first = known[0]
        span = first.span
        key = (first.year, first.month or 0, first.day or 0)
    elif century := _CENTURY.search(text):
        span = century.span()
        key = (100 * int(century["n"]) - 50, 0, 0)
    else:
        return None
    start = span[0] + offset
    end = span[1] + offset
    return Value(passage, passage.text[start:end], start, end, key)
