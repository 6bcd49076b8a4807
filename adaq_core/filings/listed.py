"""Several figures that one question asks for: items and rows that it lists, its clauses, the parts of a buyback."""

from __future__ import annotations

import re
from itertools import pairwise

from adaq_core.filings.calculate import of_text
from adaq_core.filings.compared import (
    FEWEST_SIDES,
    MOST_SIDES,
    POSSESSIVE,
)
from adaq_core.filings.conditions import (
    FilingConditions,
    read_asked,
)
from adaq_core.filings.formula import LineItems
from adaq_core.filings.register import Register
from adaq_core.filings.said_figures import LEFT_ASKED, OF_LEFT, OF_STOCK
from adaq_core.filings.statement_figures import (
    Figure,
    StatementFigure,
    side_by_side,
)
from adaq_core.question.parse import parse
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import dates

_LISTED = re.compile(
    r"^ ?(?:percentage|figures?|%)?(?:,|,? and| as well as| plus| &) (?:(?:its|the|total|gaap|also) )*$", re.IGNORECASE
)
_BUYBACK_PARTS = (
    (re.compile(r"\bhow many shares\b", re.IGNORECASE), "bought back", "How many shares did {} repurchase in"),
    (
        re.compile(r"\b(?:what|how much)\b(?:(?! left)[^,?]){0,30}\b(?:cost|pay|paid|spend|spent)\b", re.IGNORECASE),
        "paid",
        "How much did {} spend on share repurchases in",
    ),
    (LEFT_ASKED, "left", "How much was left of the share repurchase authorization of {} in"),
)
_FISCAL_AHEAD = re.compile(r"\bfiscal (?:year )?$", re.IGNORECASE)
_ASKS_HOW_MUCH = re.compile(r"what|how (?:much|many)\b", re.IGNORECASE)
_IT = re.compile(r"\b(?P<own>its|their)\b|\b(?:it|they|the company)\b", re.IGNORECASE)
_IT_CHANGED = re.compile(
    r"(?<=\bdid )(?:it|that|this)\b(?= (?:change|grow|rise|fall|increase|decrease|decline|drop|climb))", re.I
)
_OF_IT = re.compile(r"\bof (?:it|that|this|which)\b", re.IGNORECASE)
_LEADS_TO_PERIOD = re.compile(
    r",?(?: (?:in|for|at|as of|on|during|by|over)(?: the)?(?: fiscal)?(?: (?:quarter|three months|period))?"
    r"(?: (?:ended|ending|of|to|end of))?)? $",
    re.IGNORECASE,
)
_LEAD_OF_A_LIST = re.compile(
    r"^(?:(?:how much|what) (?:did|has|does) .{1,40}? (?:spend|spent|pay|paid)(?: (?:on|for|in))?"
    r"|how much(?! (?:did|has|does|was|were|is)\b)"
    r"|(?:what (?:was|were|is|are) |give me |show me |state |list )?(?:the )?)\s*",
    re.IGNORECASE,
)
_TAIL_OF_A_LIST = re.compile(r" (?:did|does|has|had) .*$| (?:of|for|at|in) $", re.IGNORECASE)
_COMMA = re.compile(r",(?: and| plus| as well as)? |;(?: and)? ", re.IGNORECASE)
_AND = re.compile(r" (?:and|plus|as well as|&) ", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:and |its |the |their )+", re.IGNORECASE)
_LONGEST_NAME = 6  # words


def of_items(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of items that a question lists, "revenue, operating income and EPS"; None unless each has one."""
    named = profile.named_in(question)
    between = [question[one[1] : other[0]] for (_, one), (_, other) in pairwise(named)]
    several = {item.name for item, _ in named}
    if not FEWEST_SIDES <= len(named) == len(several) <= MOST_SIDES or not all(map(_LISTED.search, between)):
        return None
    before, after = question[: named[0][1][0]], question[named[-1][1][1] :]
    made: list[tuple[str, Figure]] = []
    for _, span in named:
        name = question[slice(*span)]
        figure = of_text(f"{before}{name}{after}", register, profile)
        if figure is None:
            return None
        made.append((name, figure))
    return side_by_side(made)


def of_list(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of rows that a question lists, "iPhone revenue and Services revenue"; None unless each has one."""
    lead, listed, tail = _list_in(question, register)
    made: list[tuple[str, Figure]] = []
    of: list[str] = []
    for part in _COMMA.split(listed):
        own = _figures_in(part, lead, tail, of, register, profile)
        if not own:
            return None
        made += own
    if not FEWEST_SIDES <= len(made) <= MOST_SIDES:
        return None
    return side_by_side(made)


def _list_in(question: str, register: Register) -> tuple[str, str, str]:
    """What is in front of a list of figures, the list, and what is behind it: the company and the period."""
    text, colon, behind = question.strip(" ?.").partition(": ")
    if colon:
        return f"{text} ", behind, ""
    start = _LEAD_OF_A_LIST.match(text)
    begin = start.end() if start else 0
    period = next(iter(dates(text)), None)
    end = period.span[0] if period else len(text)
    if led := _LEADS_TO_PERIOD.search(text[:end]):
        end = led.start()
    mentions = [each.span for each in register.companies.named_in(text)]
    if mentions and mentions[0][0] == begin:
        begin = mentions[0][1]
    elif mentions and begin < mentions[0][0] < end:
        end = mentions[0][0]
    if asking := _TAIL_OF_A_LIST.search(text[begin:end]):
        end = begin + asking.start()
    return text[:begin], text[begin:end], text[end:]


def _figures_in(
    part: str, lead: str, tail: str, of: list[str], register: Register, profile: LineItems
) -> list[tuple[str, Figure]]:
    """The figure that a part of a list names; of its two halves where "and" joins them; none where one is missing.

    `of` are the things that the list named figures of so far: behind "AWS sales" the operating income is that of AWS.
    """
    for names in ([part], _AND.split(part)):
        made: list[tuple[str, Figure]] = []
        for name in (_ARTICLE.sub("", each.strip()) for each in names):
            whole = _with_its_thing(name, of, profile)
            is_name = 0 < len(whole.split()) <= _LONGEST_NAME
            figure = of_text(f"{lead.strip()} {whole}{tail}?", register, profile) if is_name else None
            if figure is not None:
                made.append((whole, figure))
        if len(made) == len(names):
            return made
    return []


def _with_its_thing(name: str, of: list[str], profile: LineItems) -> str:
    """The name of a figure with the one thing that those before it were of, where it names none itself."""
    spans = [span for _, span in profile.named_in(name)]
    if len(spans) != 1:
        return name
    thing = name[: spans[0][0]].strip()
    if thing and thing not in of:
        of.append(thing)
    return f"{of[0]} {name}" if not thing and len(of) == 1 else name


def of_clauses(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures that the clauses of a question ask for, "…, and how much did it pay"; None unless each has one."""
    first, *others = [clause.text for clause in parse(question).clauses]
    mentions = register.companies.named_in(first)
    if not 0 < len(others) < MOST_SIDES or len(mentions) != 1 or not all(map(_ASKS_HOW_MUCH.match, others)):
        return None
    company = POSSESSIVE.sub("", first[slice(*mentions[0].span)])
    period = _period_behind(first)
    thing = first[mentions[0].span[1] :].removesuffix(period).strip()
    made: list[tuple[str, Figure]] = []
    for clause in (first, *others):
        if _IT_CHANGED.search(clause):
            if not profile.named_in(thing):
                return None
            clause = _IT_CHANGED.sub(f"{company}'s {thing}", clause)
        whole = _OF_IT.sub(f"of {company}'s {_name_in(first, profile)}", clause)
        whole = _IT.sub(lambda it: f"{company}'s" if it["own"] else company, whole)
        whole = whole if dates(whole) else f"{whole}{period}"
        several = of_items(whole, register, profile) or of_list(whole, register, profile)
        figure = several or of_text(f"{whole}?", register, profile)
        if figure is None:
            return None
        made.append(("" if several else _name_in(clause, profile), figure))
    return side_by_side(made)


def _period_behind(clause: str) -> str:
    """The period of a clause with what leads to it and what follows: " in Q3 2023"."""
    for date in dates(clause):
        led = _LEADS_TO_PERIOD.search(clause[: date.span[0]])
        return clause[led.start() :] if led else ""
    return ""


def _name_in(clause: str, profile: LineItems) -> str:
    """What a clause asks for by its name in the question; the clause itself where it names no one thing."""
    named = [clause[slice(*span)] for _, span in profile.named_in(clause)]
    return named[0] if len(named) == 1 else clause


def of_buybacks(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """How many shares were bought back, what they cost and what is left to spend, where several of these are asked."""
    asked = [(name, text) for pattern, name, text in _BUYBACK_PARTS if pattern.search(question)]
    items = {item.name for item, _ in profile.named_in(question)}
    left = StatementFigure(read_asked(question, profile), conditions, register, profile).unexplained()
    besides = terms_of(" ".join(left)) - OF_STOCK - OF_LEFT
    if items != {"share repurchases"} or len(asked) < FEWEST_SIDES or besides:
        return None
    label = register.companies.labels[conditions.companies[0]]
    spans = [(question[: date.span[0]], question[slice(*date.span)]) for date in dates(question)]
    periods = " ".join(f"{'fiscal ' * bool(_FISCAL_AHEAD.search(before))}{span}" for before, span in spans)
    read = [(name, of_text(f"{text.format(label)} {periods}", register, profile)) for name, text in asked]
    made = [(name, figure) for name, figure in read if figure is not None]
    return side_by_side(made) if len(made) == len(read) else None
