"""A figure that a question asks for: of one company, of several side by side, of several quarters or parts of one.

A wrong number is worse than none: where a check fails, or two rows that fit differ, no figure is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise, takewhile

from adaq_core.filings.calculate import (
    ASIDE,
    GROWTH,
    LEFT_ASKED,
    OF_LEFT,
    OF_STOCK,
    RISES,
    of_asked,
    of_one,
    of_sum,
    way_named,
)
from adaq_core.filings.conditions import (
    DOUBLED,
    MOST,
    FilingConditions,
    asks_for_forecast,
    conditions_of,
    in_words_of_filings,
    read_asked,
)
from adaq_core.filings.formula import LineItem, LineItems, line_items
from adaq_core.filings.register import Filing, Mention, Register, register_of
from adaq_core.filings.statement_figures import FACTORS, VERB, Figure, StatementFigure, asks_for_value
from adaq_core.model import QueryAspect
from adaq_core.question.parse import ParsedQuestion, parse
from adaq_core.retrieval import Corpus
from adaq_core.text.tokens import terms_of, words
from adaq_core.text.values import MONTHS, Date, dates

_CAUSE_ASKED = re.compile(
    r"^(?:so,? )?(?:why|how come|what (?:has |had )?(?:caused?|causes|drove|drives|led to|explains?|explained)"
    r"|what (?:is|was) behind|(?:what (?:is|was|are|were) )?(?:the )?(?:reasons?|causes?) (?:for|of|behind))\b"
    r"(?: (?:did|does|has|have|had|was|were))?",
    re.IGNORECASE,
)
_NOT_A_YEAR_BEFORE = re.compile(  # nor a loss, whose growth is a fall
    r"\bsequential|\b(?:previous|prior|preceding|last) (?:quarter|three months)|\bquarter[- ](?:over|on)[- ]quarter"
    r"|\bloss(?:es)?\b",
    re.IGNORECASE,
)
_CALLED_BY = re.compile(
    r"\b(?:the )?(?P<name>\w{0,3}[A-Z][\w-]{0,40})(?:['’]s)? (?:people|makers?|company|firm|giant|group)\b"
    r"(?P<of>['’]s)?"
)
_ONE_CHANGE = re.compile(r"\bfrom\b.*\bto\b|\bbetween\b.*\band\b", re.IGNORECASE)
_PROFIT = re.compile(
    r"\b(?:(?:make|turn|earn|report|post|show)(?:s|ed|ing)?|made|have|had) (?:a |any |an )?"
    r"(?:(?P<of>net |operating )?(?P<kind>profit|loss|money)"
    r"|(?:(?P<sign>positive|negative) )(?P<of_income>net |operating )(?:income|earnings))\b"
    r"|\b(?:profitable|in the black|in profit)\b|\b(?P<bad>loss-making|unprofitable|in the red|los(?:e|ing) money)\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r",? or | (?:bigger|larger|higher|greater|faster|more profitable) than ", re.IGNORECASE)
_EARNS = re.compile(r"\bearn(?:s|ed)?\b|\bprofitable\b", re.IGNORECASE)
_NAME_WORD = re.compile(r"[\w&-]+(?:['’]s)?")
_BESIDE_NAME_WORDS = """
segment segments business division unit revenue revenues sales net income the in of its did do does was were is are
which who what more than from for by or and q1 q2 q3 q4
"""
_BESIDE_NAMES = frozenset(_BESIDE_NAME_WORDS.split())
_SIDES = re.compile(r",? (?:against|versus|vs\.?|compared (?:with|to)) ", re.IGNORECASE)
_LEADS_TO_DATE = re.compile(
    r",?(?: and)?(?: how (?:much|many))?(?: (?:by|in|at|on|for|to))?(?: (?:the end of|late|early|mid))? $",
    re.IGNORECASE,
)
_AND_HOW_MUCH = re.compile(r"\s?,? and how (?:much|many)\b", re.IGNORECASE)
_DANGLING = re.compile(r",? \b(?:and|or|versus|vs\.?|against)\b(?=\s*\??$)|(?<=ended) and\b", re.IGNORECASE)
_REST_OF_PERIOD = re.compile(r"^ quarter\b", re.IGNORECASE)
# What is left in front of a period where the one that it is set against is taken out: "iPhone revenue: vs Q2 2023".
_SET_AGAINST = re.compile(
    r"(?: ?[:,–-])? (?:vs\.?|versus|against) "
    rf"(?=(?:the )?(?:Q[1-4]|[1-4]Q|F[QY]|fiscal|quarter|{'|'.join(month[:3] for month in MONTHS)}|\d))",
    re.IGNORECASE,
)
_COMPARE = re.compile(r"^(?:please )?compare\s+", re.IGNORECASE)
_WHICH_WORDS = """
which whose company companies issuer issuers filer filers firm firms one these more than double doubled had has highest
largest biggest most fastest lowest smallest least slowest
"""
_OF_WHICH = frozenset(_WHICH_WORDS.split())
_SIDE_WORDS = """
who or each put into sold sell sells bigger larger higher lower greater smaller less better worse other both difference
differ side across vs how and more most quarter against to faster slower sell profitable
"""
_OF_SIDES = frozenset(_SIDE_WORDS.split())
_WHO_MORE = re.compile(r"\b(?:more|higher|larger|bigger|greater|most|highest|largest|biggest|faster)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_LISTED = re.compile(
    r"^ ?(?:percentage|figures?|%)?(?:,|,? and| as well as| plus| &) (?:(?:its|the|total|gaap|also) )*$", re.IGNORECASE
)
_DID_MORE = re.compile(r"^did (?P<who>.{2,60}?) (?P<verb>[a-z]{2,10}) (?:more|less)\b", re.IGNORECASE)
_WAS_MORE = re.compile(
    r"^(?P<verb>was|were) (?P<what>.{2,90}?) (?:higher|lower|larger|bigger|greater|smaller)\b", re.IGNORECASE
)
_OF_QUARTER = (
    r"(?:(?:the |its )?(?:(?:fiscal )?quarter |three months |period )?"
    r"(?:that )?(?:ended |ending |to |of )?(?:fiscal )?)?"
)
_BESIDE = re.compile(
    r"(?P<of>(?: quarter)?),? (?:(?P<verb>(?:compare|stack up|measure up|look) )"
    r"(?:with|to|against|versus|vs\.?|beside)"
    r"|versus|vs\.?|against|over|from|than|relative to|compared (?:with|to))(?: in| that of)? " + _OF_QUARTER,
    re.IGNORECASE,
)
_FROM = re.compile(rf" (?:from|between) {_OF_QUARTER}$", re.IGNORECASE)
_TO = re.compile(rf" (?:to|and) {_OF_QUARTER}", re.IGNORECASE)
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
_TWICE = 100  # percent
_FEWEST_PERIODS, _MOST_PERIODS = 2, 4
_MOST_FIGURES = 6  # that are shown side by side


def figure_of(
    question: ParsedQuestion | str,
    index: Corpus,
    profile: LineItems | None = None,
    *,
    parts: Sequence[tuple[str, str]] = (),
) -> Figure | None:
    """The figure that `question` asks for; None where it asks for none or a check fails.

    `parts` are the things that it compares and what it asks of each ("AWS", "Operating income of AWS").
    """
    register = register_of(index)
    whole = question if isinstance(question, str) else question.text
    profile = profile or line_items()
    if register is None:
        return None
    asked = _INSTRUCTED.sub("?", _WHEN_FILED.sub("", whole))
    named = _with_owners(in_words_of_filings(_AND_WHY.sub("", asked), profile), register)
    text = _without_base(named)
    parts = parts if text == named else ()
    conditions = conditions_of(text, register)
    if conditions is None:
        return None
    if _CAUSE_ASKED.match(text):
        return _against_premise(text, conditions, register, profile)
    made = _of_parts(text, parts, conditions, register, profile) if len(parts) > 1 else None
    made = made or _of_clauses(text, register, profile)
    if made is not None:
        return made
    if len(conditions.companies) > 1:
        made = _of_companies(text, register, profile) or _of_the_most(text, conditions, register, profile)
        made = made or _of_either(text, conditions, register, profile)
    else:
        made = _between_days(text, register, profile) or _of_sign(text, register, profile)
        made = made or _of_sides(text, register, profile)
        made = made or _of_either(text, conditions, register, profile)
        if made is None and not RISES.search(text):
            made = _of_periods(text, register, profile) or _beside_year_before(text, register, profile)
        made = made or of_sum(text, conditions, register, profile)
        made = made or _of_items(text, register, profile) or _of_buybacks(text, conditions, register, profile)
        made = made or _of_list(text, register, profile)
        read = read_asked(text if text != whole else question, profile)
        made = made or of_asked(read, conditions, register, profile)
    return made or _of_move(named, register, profile) or _of_periods(text, register, profile)


def _beside_year_before(question: str, register: Register, profile: LineItems) -> Figure | None:
    """How a figure changed that is set beside that of a year before, of which no report may be here."""
    named = dates(question)
    if len(named) != _FEWEST_PERIODS:
        return None
    old, new = sorted(named, key=lambda date: date.year)
    is_year_before = (old.year + 1, old.quarter, old.month) == (new.year, new.quarter, new.month)
    if not is_year_before or not _BESIDE.fullmatch(question[named[0].span[1] : named[1].span[0]]):
        return None
    kept = f"{question[: named[0].span[0]]}{question[slice(*new.span)]}{question[named[1].span[1] :]}"
    return _of_text(f"{kept.strip(' ?.')}, year-over-year change", register, profile)


_INSTRUCTED = re.compile(
    r"\? (?:please )?(?:give|state|show|cite|quote|name) (?:me )?(?:both|all|the|each)\b[^?]{0,60}$", re.I
)
_WHEN_FILED = re.compile(
    r",? when (?:it|they|the company) (?:filed|published|released|put out)\b[^,?]{0,60}(?=\??$)", re.I
)
_SEVERAL_COMPANIES = "Several companies file here: name the one whose figure is meant."
_OF_ANY = re.compile(r"\b(?:which|who|whose|each|every|all|any|companies|filers)\b", re.IGNORECASE)


def why_of_no_company(question: ParsedQuestion, index: Corpus) -> str:
    """Why a figure cannot be looked up: it is of no company, among filings of several, or of a quarter of none.

    Empty in other cases.
    """
    register, profile = register_of(index), line_items()
    if register is None or not register.is_all_filings or len(set(register.companies.of)) == 1:
        return ""
    text = question.text
    if conditions_of(text, register) is not None:
        why = _why_of_no_report(text, register, profile)
        return "" if why and figure_of(question, index, profile) else why
    if _OF_ANY.search(text) or not profile.named_in(text):
        return ""
    return "" if any(not profile.named_in(name) for name, _ in question.names) else _SEVERAL_COMPANIES


def _why_of_no_report(question: str, register: Register, profile: LineItems) -> str:
    """That a figure is asked for of a quarter of which a company has no report here, where its reports are quarterly.

    What is expected of such a quarter may be told; what it brought is not.
    """
    text = in_words_of_filings(question, profile)
    companies = {mention.company for mention in register.companies.named_in(text)}
    periods = dates(text)
    if not len(companies) == len(periods) == 1 or not profile.named_in(text) or not asks_for_value(text):
        return ""
    own = register.of_company(companies.pop())
    newest, oldest = own[0].end, own[-1].end
    if newest is None or oldest is None or asks_for_forecast(text) or not all(_is_quarterly(filing) for filing in own):
        return ""
    items = [item.statement for item, _ in profile.named_in(text) if isinstance(item, LineItem)]
    of_time = "balance sheet" not in items and len(items) == len(profile.named_in(text))
    if not (_is_after(periods[0], own) or (of_time and _is_of_none(periods[0], own))):
        return ""
    asked = text[slice(*periods[0].span)]
    label = register.companies.labels[own[0].company]
    return f"No report of {label} here is of {asked}: their quarters end from {oldest.key} to {newest.key}."


def _is_quarterly(filing: Filing) -> bool:
    return filing.form in _QUARTERLY and filing.quarter is not None


def _is_after(period: Date, filings: Sequence[Filing]) -> bool:
    """Whether a quarter, or a month, comes after those of all filings, however they count it."""
    if period.quarter:
        counted = [each for filing in filings for each in ((filing.year, filing.quarter), filing.own) if each]
        return (period.year, period.quarter) > max((year or 0, quarter or 0) for year, quarter in counted)
    ends = [(filing.end.year, filing.end.month or 0) for filing in filings if filing.end]
    return bool(period.month and ends) and (period.year, period.month) > max(ends)


def _is_of_none(period: Date, filings: Sequence[Filing]) -> bool:
    """Whether no filing is of a quarter, and none of the same one a year later, which tells it once more."""
    quarters = {(filing.year, filing.quarter) for filing in filings}
    quarters |= {filing.own for filing in filings if filing.own}
    beside = {(period.year, period.quarter), (period.year + 1, period.quarter)}
    return period.quarter is not None and quarters.isdisjoint(beside)


_QUARTERLY = ("10-Q", "quarterly report")


def _without_base(question: str) -> str:
    """A question for a change without the quarter that it is a change from, where that is the one a year before."""
    named = dates(question)
    if len(named) != _FEWEST_PERIODS or "growth" in question.lower():
        return question  # growth that cooled is set beside growth
    one, other = named
    alike = (one.quarter, one.month) == (other.quarter, other.month) and (one.quarter or one.month)
    between = question[one.span[1] : other.span[0]]
    if not alike or abs(one.year - other.year) != 1:
        return question
    beside = _BESIDE.fullmatch(between) if one.year > other.year else None
    if beside and (beside["verb"] or RISES.search(question)):
        return (
            f"{question[: one.span[1]]}{beside['of']}{' change' if beside['verb'] else ''}{question[other.span[1] :]}"
        )
    if not RISES.search(question):
        return question
    if (led := _FROM.search(question[: one.span[0]])) and one.year < other.year and _TO.fullmatch(between):
        when = between.replace("to", "in", 1).replace("and", "in", 1)
        return f"{question[: led.start()]}{when}{question[other.span[0] :]}"
    return question


def _with_owners(question: str, register: Register) -> str:
    """The question with companies by their names that it calls by something of theirs: "the GeForce people"."""
    owned = {mention.span[0]: mention.company for mention in register.owners_of_names(question)}
    for called in reversed(list(_CALLED_BY.finditer(question))):
        company = owned.get(called.start("name"))
        if company is not None and not register.companies.named_in(called["name"]):
            label = f"{register.companies.labels[company]}{called['of'] or ''}"
            question = f"{question[: called.start()]}{label}{question[called.end() :]}"
    return question


def _against_premise(
    question: str, conditions: FilingConditions, register: Register, profile: LineItems
) -> Figure | None:
    """How something changed of which a question asks why it rose or fell, where it went the other way; else None."""
    change = _CAUSE_ASKED.sub("", question).strip()
    way = way_named(change)
    if not way or _NOT_A_YEAR_BEFORE.search(change) or len(conditions.companies) != 1:
        return None
    figure = of_one(change, conditions, register, profile)
    if figure is None or figure.unit != "percent" or not figure.value or (figure.value > 0) == (way == "up"):
        return None
    verb = "rise" if way == "up" else "fall"
    return replace(figure, text=f"It did not {verb}: {figure.text}", denies=True)


def parts_of(aspects: Sequence[QueryAspect]) -> tuple[tuple[str, str], ...]:
    """The things that aspects set side by side, each with what is asked of it; empty unless there are several."""
    each = [(a.subject, a.aspect) for a in aspects if a.aspect_type != "comparison"]
    alike = len(each) > 1 and all(_is_side(aspect) for aspect in aspects)
    if alike and all(subject for subject, _ in each):
        return tuple(each)
    return ()


def _is_side(aspect: QueryAspect) -> bool:
    """Whether an aspect is one side of a comparison, or asks what others ask of the thing in front of its colon."""
    names_its_thing = bool(aspect.subject) and aspect.aspect.startswith(f"{aspect.subject}: ")
    return aspect.aspect_type in ("comparison", "facet") or names_its_thing


def _of_the_most(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """The one of all companies whose figure doubled, is the highest or grew most; None where a figure is missing."""
    asked_of_all = read_asked(question, profile)
    left = StatementFigure(asked_of_all, conditions, register, profile).unexplained()
    if register.companies.named_in(question) or set(left) - ASIDE - _OF_WHICH:
        return None
    item = next((each.name for each, _ in profile.named_in(question)), "revenue")
    periods = " ".join(question[slice(*date.span)] for date in dates(question))
    grows = bool(RISES.search(question) or DOUBLED.search(question))
    made: dict[str, Figure] = {}
    for company in conditions.companies:
        label = register.companies.labels[company]
        own = f"{label} {item}{' growth' if grows else ''} {periods}"
        asked = conditions_of(own, register)
        if asked is not None and (figure := of_one(own, asked, register, profile)):
            made[label] = figure
    values = {label: f.value if grows else f.operands[0].value for label, f in made.items()}
    if DOUBLED.search(question):
        chosen = [label for label, value in values.items() if value >= _TWICE]
    elif len(made) == len(conditions.companies) and (most := MOST.search(question)):
        pick = min if most["least"] else max
        chosen = [pick(values, key=lambda label: (values[label], label))]
    else:
        return None
    return _side_by_side([(label, made[label]) for label in chosen]) if len(chosen) == 1 else None


def _of_companies(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The same figure of each company that is named, the highest first where it is asked for; None unless each has one.

    A period behind a company is that company's, where each has one: "Intel's Q3 2023 against Nvidia's Q2 2023".
    """
    mentions = register.companies.named_in(question) or register.owners_of_names(question)
    named = [item for item, _ in profile.named_in(question)]
    items = list(dict.fromkeys(item.name for item in named)) or ["revenue"]
    figures = len(mentions) * len(items)
    if not _FEWEST_PERIODS <= len(mentions) <= _MOST_PERIODS or figures > _MOST_FIGURES:
        return None
    if not (named or GROWTH.search(question)) or _left_of_comparison(question, register, profile):
        return None
    grows = " growth" if RISES.search(question) else ""
    made: list[tuple[str, Figure]] = []
    for mention, periods in zip(mentions, _periods_of(mentions, question), strict=True):
        name = question[slice(*mention.span)] or question[mention.span[0] :].split()[0]
        name = _POSSESSIVE.sub("", name.strip(",:;?"))
        for item in items:
            figure = _of_text(f"{name} {item}{grows} {periods}", register, profile)
            if figure is None:
                return None
            made.append((name if len(items) == 1 else f"{name}, {item}", figure))
    if _WHO_MORE.search(question) and len(items) == 1:
        made.sort(key=lambda each: -_size(each[1]))
    return _side_by_side(made)


def _of_sign(question: str, register: Register, profile: LineItems) -> Figure | None:
    """Yes or no to whether a company or a part of one made a profit, with the net or the operating income."""
    profit = _PROFIT.search(question)
    if profit is None or not VERB.match(question):
        return None
    asks_for_loss = bool(profit["bad"]) or (profit["kind"] or "").lower() == "loss" or profit["sign"] == "negative"
    of = (profit["of"] or profit["of_income"] or "").strip().lower()
    for item in [f"{of} income"] if of else ["net income", "operating income"]:
        rest = VERB.sub("", f"{question[: profit.start()]} {item} {question[profit.end() :]}", count=1)
        text = f"What was {' '.join(rest.split())}"
        own = conditions_of(text, register)
        figure = of_one(text, own, register, profile) if own else None
        if figure is not None and figure.value:
            agrees = (figure.value < 0) == asks_for_loss
            return replace(figure, text=f"{'Yes' if agrees else 'No'}, {item}: {figure.text}")
    return None


def _of_sides(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of two things of one company that a phrase sets side by side: "notebook against desktop revenue"."""
    sides = _SIDES.split(question.strip(" ?."))
    if len(sides) != _FEWEST_PERIODS or VERB.search(question) or RISES.search(question):
        return None
    shared = register.companies.named_in(sides[0])
    company = sides[0][slice(*shared[0].span)] if shared else ""
    periods = [sides[0][slice(*date.span)] for date in dates(sides[0])]
    if not company or dates(sides[1]) or register.companies.named_in(sides[1]):
        return None
    made: list[tuple[str, Figure]] = []
    for side in (sides[0], f"{company} {' '.join(periods)} {sides[1]}"):
        own = conditions_of(side, register)
        figure = of_one(side, own, register, profile) if own else None
        if figure is None:
            return None
        made.append((_bare(side, company, periods), figure))
    return _side_by_side(made)


def _of_either(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """The figures of two things between which a question lets choose: "Did iPad or Mac sell more for Apple?".

    None unless both have one; the higher first.
    """
    between = _EITHER.search(question)
    if between is None or not _WHO_MORE.search(question):
        return None
    of_one_company = len(conditions.companies) == 1
    label = register.companies.labels[conditions.companies[0]] if of_one_company else ""
    frame = f"{_item_asked(question, profile)} {_quarters_in(question)}"
    made: list[tuple[str, Figure]] = []
    for called in _beside(question[: between.start()], question[between.end() :]):
        sides = ((name, f"{_owner_of(name, label, register)} {name} {frame}") for name in called)
        read = ((name, _of_text(text, register, profile)) for name, text in sides)
        made += [(name, figure) for name, figure in read if figure is not None][:1]
    asked = read_asked(question, profile)
    left = set(StatementFigure(asked, conditions, register, profile).unexplained()) - ASIDE - _OF_WHICH - _OF_SIDES
    if len(made) != _FEWEST_PERIODS or left - {word for name, _ in made for word in words(name)} - _BESIDE_NAMES:
        return None
    made.sort(key=lambda each: -_size(each[1]))
    return _side_by_side(made)


def _owner_of(name: str, label: str, register: Register) -> str:
    """The company that a side of a comparison is of: the one that it names or whose name it is, else `label`."""
    if register.companies.named_in(name):
        return ""
    owners = {mention.company for mention in register.owners_of_names(name)}
    return register.companies.labels[owners.pop()] if len(owners) == 1 else label


def _beside(left: str, right: str) -> tuple[list[str], list[str]]:
    """What the words that end one text and those that begin another may name."""
    before = _NAME_WORD.findall(left)[::-1]
    return [" ".join(name[::-1]) for name in _names_at(before)], [
        " ".join(name) for name in _names_at(_NAME_WORD.findall(right))
    ]


def _names_at(nearest: Sequence[str]) -> list[list[str]]:
    """The run of words with a capital that is nearest; where there is none, the nearest two words, then the nearest."""
    left = list(dropwhile(lambda word: word.lower() in _BESIDE_NAMES, nearest))
    capitals = list(takewhile(lambda word: word[:1].isupper() and word.lower() not in _BESIDE_NAMES, left))
    if capitals or not left:
        return [capitals] if capitals else []
    plain = list(takewhile(lambda word: word.isalpha() and word.lower() not in _BESIDE_NAMES, left))[:2]
    return [plain[:count] for count in range(len(plain), 0, -1)]


def _item_asked(question: str, profile: LineItems) -> str:
    """The line item that a comparison is of: the one that it names, what a part earns, else revenue."""
    named = [item.name for item, _ in profile.named_in(question)]
    item = named[0] if named else "operating income" if _EARNS.search(question) else "revenue"
    return f"{item} growth" if RISES.search(question) else item


def _quarters_in(question: str) -> str:
    """The periods of a question, a month as the end of its quarter."""
    named = dates(question)
    spans = (question[slice(*date.span)] for date in named)
    return " ".join(f"quarter ended {span}" if date.month else span for span, date in zip(spans, named, strict=True))


def _of_text(text: str, register: Register, profile: LineItems) -> Figure | None:
    own = conditions_of(text, register)
    return of_one(text, own, register, profile) if own else None


def _bare(side: str, company: str, periods: Sequence[str]) -> str:
    """What a side is about, without its company and period."""
    for part in (company, *periods):
        side = side.replace(part, "", 1)
    return " ".join(side.replace("'s", " ").split()).strip(" :,")


def _left_of_comparison(question: str, register: Register, profile: LineItems) -> set[str]:
    """The words of a comparison that no name, line item or period explains."""
    asked, own = read_asked(question, profile), conditions_of(question, register)
    left = StatementFigure(asked, own, register, profile).unexplained() if own else []
    owned = {word for mention in register.owners_of_names(question) for word in words(question[mention.span[0] :])[:1]}
    return set(left) - ASIDE - _OF_WHICH - _OF_SIDES - owned


def _periods_of(mentions: Sequence[Mention], question: str) -> list[str]:
    """For each mention the periods that count for it: the one behind it, or all of the question."""
    named = dates(question)
    spans = [question[slice(*date.span)] for date in named]
    behind = [sum(mention.span[0] < date.span[0] for mention in mentions) for date in named]
    if len(named) == len(mentions) > 1 and behind == list(range(1, len(mentions) + 1)):
        return [f"quarter ended {span}" if date.month else span for span, date in zip(spans, named, strict=True)]
    return [" ".join(spans)] * len(mentions)


def _of_periods(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of the quarters that a question sets side by side; None unless each has one.

    "From Q1 to Q3" and "between Q1 and Q3" ask for one change, which is not told by those of each quarter.
    """
    named = [date for date in dates(question) if date.quarter or (date.month and not date.day)]
    days = [date for date in dates(question) if date.is_day]
    named = named or days
    alone = len({date.key for date in named}) == len(named)
    if not (_FEWEST_PERIODS <= len(named) <= _MOST_PERIODS and alone) or _ONE_CHANGE.search(question):
        return None
    made: list[tuple[str, Figure]] = []
    for date in named:
        text = _with_only(question, date, named)
        own = conditions_of(text, register)
        figure = of_one(text, own, register, profile) if own else None
        if figure is None:
            return None
        made.append((question[slice(*date.span)], figure))
    if VERB.match(question) and _WHO_MORE.search(question):
        made.sort(key=lambda each: -_size(each[1]))
    return _side_by_side(made)


def _between_days(question: str, register: Register, profile: LineItems) -> Figure | None:
    """How much what stands in a balance sheet changed from one day to another, of which each report tells two."""
    days = [date for date in dates(question) if date.is_day]
    items = {item.name for item, _ in profile.named_in(question)}
    mentions = register.companies.named_in(question)
    if len(days) != _FEWEST_PERIODS or not len(items) == len(mentions) == 1:
        return None
    conditions = conditions_of(question, register)
    if conditions is None or not RISES.search(question):
        return None
    asked = read_asked(question, profile)
    statements = StatementFigure(asked, conditions, register, profile)
    if set(statements.unexplained()) - ASIDE:
        return None
    company = register.companies.labels[mentions[0].company]
    figures: list[Figure] = []
    for day in sorted(days, key=lambda day: day.number):
        said = question[slice(*day.span)]
        figure = _of_text(f"What was the {items.copy().pop()} of {company} as of {said}?", register, profile)
        figures += [figure] if figure else []
    return _changed(question, *figures) if len(figures) == _FEWEST_PERIODS else None


def _of_move(question: str, register: Register, profile: LineItems) -> Figure | None:
    """How a figure moved from one period to another, where each has one of its own."""
    move, named = _MOVES.match(question), dates(question)
    if move is None or len(named) != _FEWEST_PERIODS:
        return None
    figures: list[Figure] = []
    for date in sorted(named, key=lambda date: (date.number, date.quarter or 0)):
        figure = _of_text(f"What was {move['what']} in {question[slice(*date.span)]}?", register, profile)
        figures += [figure] if figure else []
    return _changed(question, *figures) if len(figures) == _FEWEST_PERIODS else None


def _changed(question: str, before: Figure, after: Figure) -> Figure | None:
    """How much a figure changed, in percent, or a percentage in points; yes or no where the way is asked."""
    old, new = _size(before), _size(after)
    if old <= 0:
        return None
    is_share = before.unit == after.unit == "percent"
    change = new - old if is_share else 100 * (new - old) / old
    way = "up" if change >= 0 else "down"
    text = f"{way} {abs(change):.1f}{' points' if is_share else '%'}, from {before.text} to {after.text}"
    asked = way_named(question)
    if asked and VERB.match(question):
        text = f"{'Yes' if asked == way else 'No'}, {text}"
    steps = f"{before.derivation}; {after.derivation}"
    operands = (*before.operands, *after.operands)
    return Figure(text, change, "percent", steps, operands)


def _of_items(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of items that a question lists, "revenue, operating income and EPS"; None unless each has one."""
    named = profile.named_in(question)
    between = [question[one[1] : other[0]] for (_, one), (_, other) in pairwise(named)]
    several = {item.name for item, _ in named}
    if not _FEWEST_PERIODS <= len(named) == len(several) <= _MOST_PERIODS or not all(map(_LISTED.search, between)):
        return None
    before, after = question[: named[0][1][0]], question[named[-1][1][1] :]
    made: list[tuple[str, Figure]] = []
    for _, span in named:
        name = question[slice(*span)]
        figure = _of_text(f"{before}{name}{after}", register, profile)
        if figure is None:
            return None
        made.append((name, figure))
    return _side_by_side(made)


_AND_WHY = re.compile(
    r"(?<=\w),? and (?:why\b|how come\b|what (?:drove|caused|explains|explained)\b).*$", re.IGNORECASE
)
_MOVES = re.compile(
    r"^how (?:much |far )?(?:did|has|have) (?P<what>.{3,80}?) (?:move|change|develop|evolve|shift|fare)d? "
    r"(?:from|between)\b",
    re.IGNORECASE,
)
_ASKS_AGAIN = re.compile(r"(?:,| and| plus) (?:what|how (?:much|many)) ", re.IGNORECASE)
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


def _of_list(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures of rows that a question lists, "iPhone revenue and Services revenue"; None unless each has one."""
    lead, listed, tail = _list_in(question, register)
    made: list[tuple[str, Figure]] = []
    of: list[str] = []
    for part in _COMMA.split(listed):
        own = _figures_in(part, lead, tail, of, register, profile)
        if not own:
            return None
        made += own
    if not _FEWEST_PERIODS <= len(made) <= _MOST_PERIODS:
        return None
    return _side_by_side(made)


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
            figure = _of_text(f"{lead.strip()} {whole}{tail}?", register, profile) if is_name else None
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


def _of_clauses(question: str, register: Register, profile: LineItems) -> Figure | None:
    """The figures that the clauses of a question ask for, "…, and how much did it pay"; None unless each has one."""
    if not _ASKS_AGAIN.search(question):
        return None
    first, *others = [clause.text for clause in parse(question).clauses]
    mentions = register.companies.named_in(first)
    if not 0 < len(others) < _MOST_PERIODS or len(mentions) != 1:
        return None
    company = _POSSESSIVE.sub("", first[slice(*mentions[0].span)])
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
        several = _of_items(whole, register, profile) or _of_list(whole, register, profile)
        figure = several or _of_text(f"{whole}?", register, profile)
        if figure is None:
            return None
        made.append(("" if several else _name_in(clause, profile), figure))
    return _side_by_side(made)


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


def _of_buybacks(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """How many shares were bought back, what they cost and what is left to spend, where several of these are asked."""
    asked = [(name, text) for pattern, name, text in _BUYBACK_PARTS if pattern.search(question)]
    items = {item.name for item, _ in profile.named_in(question)}
    left = StatementFigure(read_asked(question, profile), conditions, register, profile).unexplained()
    besides = terms_of(" ".join(left)) - OF_STOCK - OF_LEFT
    if items != {"share repurchases"} or len(asked) < _FEWEST_PERIODS or besides:
        return None
    label = register.companies.labels[conditions.companies[0]]
    spans = [(question[: date.span[0]], question[slice(*date.span)]) for date in dates(question)]
    periods = " ".join(f"{'fiscal ' * bool(_FISCAL_AHEAD.search(before))}{span}" for before, span in spans)
    read = [(name, _of_text(f"{text.format(label)} {periods}", register, profile)) for name, text in asked]
    made = [(name, figure) for name, figure in read if figure is not None]
    return _side_by_side(made) if len(made) == len(read) else None


def _with_only(question: str, kept: Date, named: Sequence[Date]) -> str:
    """The question with one of its periods."""
    for date in reversed(named):
        if date is not kept:
            start, end = date.span
            behind = _REST_OF_PERIOD.sub("", question[end:])
            question = f"{_LEADS_TO_DATE.sub('', question[:start])} {behind}"
    bare = _SET_AGAINST.sub(" in ", _AND_HOW_MUCH.sub("", " ".join(question.split())))
    bare = _WAS_MORE.sub(r"What \g<verb> \g<what>", _DID_MORE.sub(r"How much did \g<who> \g<verb>", bare))
    return _COMPARE.sub("What were ", _DANGLING.sub("", bare))


def _size(figure: Figure) -> float:
    """A figure as it compares with others of its kind: an amount in units, a percentage as it is shown."""
    return figure.operands[0].value if figure.unit in FACTORS else figure.value


def _side_by_side(made: Sequence[tuple[str, Figure]]) -> Figure:
    """Several figures as one, each with its name."""
    text = "; ".join(f"{name}: {figure.text}" if name else figure.text for name, figure in made)
    steps = "; ".join(figure.derivation for _, figure in made)
    operands = tuple(operand for _, figure in made for operand in figure.operands)
    return Figure(text, made[0][1].value, made[0][1].unit, steps, operands)


def _of_parts(
    question: str,
    parts: Sequence[tuple[str, str]],
    conditions: FilingConditions,
    register: Register,
    profile: LineItems,
) -> Figure | None:
    """The figures of the things that a question compares, side by side; None unless each has one."""
    made = _figures_of(question, parts, conditions, register, profile)
    if any(figure is None for _, figure in made):
        return None
    return _side_by_side([(name, figure) for name, figure in made if figure is not None])


def _figures_of(
    question: str,
    parts: Sequence[tuple[str, str]],
    conditions: FilingConditions,
    register: Register,
    profile: LineItems,
) -> list[tuple[str, Figure | None]]:
    """Each part with its figure, if it has one."""
    periods = " ".join(question[slice(*date.span)] for date in dates(question))
    made: list[tuple[str, Figure | None]] = []
    for name, part in parts:
        own = conditions_of(f"{part} {periods}", register)
        if own is None and len(conditions.companies) == 1:
            own = conditions
        figure = of_one(f"What was {part} {periods}", own, register, profile) if own is not None else None
        if figure is not None:
            figure = replace(figure, operands=tuple(replace(each, of=part) for each in figure.operands))
        made.append((name, figure))
    return made


def places_of_figures(
    question: str, index: Corpus, parts: Sequence[tuple[str, str]], profile: LineItems | None = None
) -> tuple[str, ...]:
    """The ids of the passages that hold a figure of the question, or of those of its parts that have one."""
    register, profile = register_of(index), profile or line_items()
    question = in_words_of_filings(question, profile)
    figure = figure_of(question, index, profile, parts=parts)
    operands = list(figure.operands) if figure else []
    conditions = conditions_of(question, register) if register is not None else None
    if not operands and register is not None and conditions is not None and len(parts) > 1:
        made = _figures_of(question, parts, conditions, register, profile)
        operands = [operand for _, each in made if each for operand in each.operands]
    return tuple(dict.fromkeys(operand.passage_id for operand in operands))
