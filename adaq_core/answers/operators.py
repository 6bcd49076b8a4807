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
from adaq_core.text.entities import names
from adaq_core.text.tokens import fold, terms_of, words
from adaq_core.text.values import SMALL_NUMBERS, dates

Want = Literal["min", "max"]
# An age is worked out from two attributes.
Compared = Attribute | Literal["age"]

# Attribute, which end of it is wanted, pattern of the question, example.
COMPARISONS: tuple[tuple[Compared, Want, str, str], ...] = (
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
    operators = (_compare, _same, _look_up, same_class, both, which_is, _more_of, _when_of)
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
    step = f"{_in_words(first)}; {_in_words(second)}"
    return Computed(best.name, "choice", first.values + second.values, step, first.via + second.via)


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
    step = f"{_in_words(first)}; {_in_words(second)}"
    return Computed(answer, "yes_no", first.values + second.values, step, first.via + second.via)


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
