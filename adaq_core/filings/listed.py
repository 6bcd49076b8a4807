"""Several figures that one question asks for: items and rows that it lists, its clauses, the parts of a buyback."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from adaq_core.filings.calculate import of_text
from adaq_core.filings.compared import (
    FEWEST_SIDES,
    MOST_SIDES,
    POSSESSIVE,
    with_only,
)
from adaq_core.filings.conditions import (
    FilingConditions,
    read_asked,
)
from adaq_core.filings.formula import LineItems
from adaq_core.filings.pages import joined
from adaq_core.filings.register import Filing, Register
from adaq_core.filings.said_figures import LEFT_ASKED, OF_LEFT, OF_STOCK
from adaq_core.filings.statement_figures import (
    ASIDE,
    Figure,
    StatementFigure,
    side_by_side,
)
from adaq_core.filings.told import segments_told
from adaq_core.question.parse import parse
from adaq_core.text.tokens import terms_of, words
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


_AND_AGAIN = re.compile(r" (?:and|versus|vs\.?|against) (?=(?:in|for|at|on) )", re.IGNORECASE)
_THEN_AND_NOW = re.compile(r"\bthen and now:? ?", re.IGNORECASE)


def of_lists_of_periods(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures that a question lists of each of several quarters; None unless each has all of them."""
    text = _THEN_AND_NOW.sub("", question)
    named = [date for date in dates(text) if not date.is_day]
    keys = {date.key for date in named if date.quarter or date.month}
    if not FEWEST_SIDES <= len(keys) == len(named) <= MOST_SIDES:
        return None
    made: list[tuple[str, Figure]] = []
    for date in named:
        own = _AND_AGAIN.sub(" ", with_only(text, date, named))
        figure = of_items(own, register, profile) or of_list(own, register, profile)
        if figure is None:
            return None
        name, told = text[slice(*date.span)], figure.text.replace("; ", ", ")
        made.append((name, replace(figure, text=told)))
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


_ASKS_SUMMARY = re.compile(
    r"\b(?:summar(?:y|i[sz]e)|recap|overview|run ?down|sum up|short version|highlights|in (?:short|brief|a nutshell)"
    r"|headline (?:numbers|figures)|key (?:numbers|figures))\b"
    r"|^how (?:did|has|was|were)\b.{2,60}\b(?:do|done|doing|perform|performance|fare|fared|go|quarter)\b",
    re.IGNORECASE,
)
_SUMMARY_WORDS = """
summary summarise summarize recap overview run rundown down sum up short version highlights brief nutshell headline
numbers figures key give me us quick please can you a the of on for how did do doing done has was were is in its it
business results result performance perform performed earnings report reports quarterly 10-q filing quarter go went
fare fared overall financial growth profit profits sales main three months period per according with and
"""
_OF_SUMMARIES = frozenset(_SUMMARY_WORDS.split())
_OF_A_SUMMARY = ("revenue", "operating income", "net income")
_IN_BRACKETS = re.compile(r" \([^()]{1,12}\)")
_OF_SEGMENT_ROWS = terms_of("total net revenue revenues sales segment group")


def of_summary(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """How a company did in a quarter, where nothing else is asked: revenue, income, the revenue of its segments.

    Each with what it was a year before, where the report tells it.
    """
    filing, _ = conditions.weights[0]
    if not _ASKS_SUMMARY.search(question) or len(dates(question)) != 1:
        return None
    if filing.end is None or filing.quarter is None:
        return None
    left = StatementFigure(read_asked(question, profile), conditions, register, profile).unexplained()
    segments = _segments_of(filing, register)
    if set(left) - _OF_SUMMARIES - ASIDE - set(words(" ".join(segments))):
        return None
    label = register.companies.labels[conditions.companies[0]]
    made: list[tuple[str, Figure]] = []
    for name in (*_OF_A_SUMMARY, *segments):
        item = name if name in _OF_A_SUMMARY else f"{name} revenue"
        figure = of_text(f"{label} {item} growth quarter ended {filing.end.key}", register, profile)
        if figure is not None and (name in _OF_A_SUMMARY or _is_row_of(figure, name)):
            made.append((name, figure))
    return side_by_side(made) if len(made) >= len(_OF_A_SUMMARY) else None


def _segments_of(filing: Filing, register: Register) -> list[str]:
    """The names of the segments that a report says its company has."""
    text = joined(register.passages(filing.places))[0]
    _, told, _ = next(segments_told(text), ("", "", ()))
    marks = [mark for mark in ("; ", ", ", " and ") if mark in told]
    parts = _IN_BRACKETS.sub("", told).split(marks[0] if marks else ";")
    names = [part.removeprefix("and ").strip(' ,“”"') for part in parts]
    return [name for name in names if name]


def _is_row_of(figure: Figure, name: str) -> bool:
    """Whether a figure was read from the row of a segment, or one below its name, and not of what it is a part of."""
    labelled = terms_of(figure.operands[0].label) - _OF_SEGMENT_ROWS
    return not labelled or labelled == terms_of(name) - _OF_SEGMENT_ROWS


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
