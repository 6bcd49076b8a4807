"""Figures side by side: of several companies, of two things of one, of several quarters; and how one changed.

None where one of them is missing: half a comparison tells nothing. So these are no grid (`grid.py`), in which each
figure of a list answers an aspect of its own, and may stay open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from adaq_core.filings.asked_together import (
    ONE_CHANGE,
    have_their_own,
    item_of_part,
    newest_period,
    quarters_of,
    quarters_of_year,
    year_to_date,
)
from adaq_core.filings.calculate import of_one, of_text, of_year_before
from adaq_core.filings.conditions import (
    DOUBLED,
    MOST,
    FilingConditions,
    conditions_of,
    in_own_names,
    in_words_of_filings,
    read_asked,
)
from adaq_core.filings.formula import LineItems, Ratio
from adaq_core.filings.register import Filing, Mention, Register, without
from adaq_core.filings.statement_figures import (
    ASIDE,
    FACTORS,
    GROWTH,
    RISES,
    VERB,
    Figure,
    answered,
    in_billions,
    side_by_side,
    unexplained,
    way_named,
)
from adaq_core.question.answer_kinds import AUXILIARIES, begins_to_ask
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import words
from adaq_core.text.values import MONTHS, Date, dates, days

# Not a year before, which the tables of a report set beside a quarter.
AGAINST_QUARTER_BEFORE = re.compile(
    r",? ?\b(?:sequential(?:ly)?|quarter[- ](?:over|on|to)[- ]quarter|qoq"
    r"|(?:(?:compared|relative) (?:with|to)|vs\.?|versus|from|over|than|against|on|since) (?:that of )?(?:the |its )?"
    r"(?:previous|prior|preceding|last) quarter(?: to(?= (?:the )?Q[1-4]\b))?)\b",
    re.IGNORECASE,
)
_RANKS = re.compile(r"^(?:please )?(?:rank|order|sort)\b", re.IGNORECASE)
_COMBINED = re.compile(r"\b(?:combined|together|sum)\b", re.IGNORECASE)
_HOW_MUCH_MORE = re.compile(r"\bhow much (?:more|less|higher|lower|larger|bigger|smaller)\b", re.IGNORECASE)
_EXPOSED = re.compile(
    r"^how (?:big|large|high|great|significant|much) (?:is|was) .{1,60}? exposure to (?:the )?", re.IGNORECASE
)
_WHICH_QUARTER = re.compile(
    r"^(?P<ahead>(?:in |during )?(?:which|what) (?:fiscal )?quarter(?:,? (?:of|in) (?:fiscal |FY ?)?20\d\d)?,?) "
    r"(?:did|was|were|is) (?P<what>.{3,120})$",
    re.IGNORECASE,
)
_OWNING = re.compile(r"(?:^|(?<= ))['’]s?(?= |$)")
_A_SHARE = r"(?:share|percent(?:age)?|proportion|fraction|portion|%)"
_SHARE_ASKED = rf"^(?:(?:what|which) {_A_SHARE}|how (?:much|large an? {_A_SHARE})) of (?P<whole>.{{2,80}}?) "
_SHARES = (  # "what share of sales came from X", "… did X make up", "X as a percentage of sales", "X's share of sales"
    re.compile(
        rf"{_SHARE_ASKED}(?:is|was|were|are|came|comes?|stem(?:s|med)|derives?|derived)(?: from)? (?P<part>.{{2,80}})$",
        re.I,
    ),
    re.compile(
        rf"{_SHARE_ASKED}(?:did|does|do) (?P<part>.{{2,80}}?) (?:make up|account for|represent|contribute|generate)\b",
        re.I,
    ),
    re.compile(
        rf"^(?:what (?:is|was|were) )?(?P<part>.{{2,80}}?)(?: as an?|['’]s?) {_A_SHARE} of (?P<whole>.{{2,80}})$", re.I
    ),
)
_EITHER = re.compile(r",? or | (?:bigger|larger|higher|greater|faster|more profitable) than ", re.IGNORECASE)
_NAME_WORD = re.compile(r"[\w&-]+(?:['’]s)?")
_BESIDE_NAME_WORDS = """
segment segments business division unit revenue revenues sales net income the in of its did do does was were is are
which who what more than from for by or and q1 q2 q3 q4
"""
_BESIDE_NAMES = frozenset(_BESIDE_NAME_WORDS.split())
_BETWEEN_SIDES = re.compile(
    r"^compare\b|['’]s\b|,? ?\b(?:against|versus|vs\b\.?|and(?=\W*$)|compared (?:with|to))", re.IGNORECASE
)
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
which whose rank order sort by
company companies issuer issuers filer filers firm firms one these more than double doubled had has highest
largest biggest most fastest lowest smallest least slowest
"""
_OF_WHICH = frozenset(_WHICH_WORDS.split())
_SIDE_WORDS = """
combined together sum
who or each put into sold sell sells bigger larger higher lower greater smaller less better worse other both difference
differ side across vs how and more most quarter against to faster slower sell profitable
"""
_OF_SIDES = frozenset(_SIDE_WORDS.split())
_ASKING = {*AUXILIARIES, "which", "what", "company", "compare", "much", "many", "the", "of"}
_WHO_MORE = re.compile(r"\b(?:more|higher|larger|bigger|greater|most|highest|largest|biggest|faster)\b", re.IGNORECASE)
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
_TWICE = 100  # percent
FEWEST_SIDES, MOST_SIDES = 2, 4
_MOST_FIGURES = 6  # that are shown side by side
_MOVES = re.compile(
    r"^how (?:much |far )?(?:did|has|have) (?P<what>.{3,80}?) (?:move|change|develop|evolve|shift|fare)d? "
    r"(?:from|between)\b",
    re.IGNORECASE,
)


def without_base(question: str) -> str:
    """A question for a change without the quarter that it is a change from, where that is the one a year before."""
    named = dates(question)
    if len(named) != FEWEST_SIDES or "growth" in question.lower():
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


def of_the_most(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The one of all companies whose figure doubled, is the highest or grew most; the others are named beside it.

    None where figures of most are missing; that of one company may be, which is said.
    """
    left = set(unexplained(read_asked(question, register.profile), register))
    chooses = any(pattern.search(question) for pattern in (MOST, DOUBLED, _RANKS))
    if not chooses or left - ASIDE - _OF_WHICH:
        return None
    item = next((each.name for each, _ in register.profile.named_in(question)), "revenue")
    periods = " ".join(question[slice(*date.span)] for date in dates(question))
    grows = bool(RISES.search(question) or DOUBLED.search(question))
    made: dict[str, Figure] = {}
    for company in conditions.companies:
        label = register.companies.labels[company]
        if figure := of_text(f"{label} {item}{' growth' if grows else ''} {periods}", register):
            made[label] = figure
    values = {label: figure.value if grows else _size(figure) for label, figure in made.items()}
    if DOUBLED.search(question):
        chosen = [label for label, value in values.items() if value >= _TWICE]
    elif _RANKS.match(question) and len(made) == len(conditions.companies):
        return side_by_side(sorted(made.items(), key=lambda each: -values[each[0]]))
    elif not (most := MOST.search(question)):
        return None
    elif len(made) == len(conditions.companies):
        pick = min if most["least"] else max
        chosen = [pick(values, key=lambda label: (values[label], label))]
    elif FEWEST_SIDES < len(conditions.companies) == len(made) + 1:
        labels = (register.companies.labels[company] for company in conditions.companies)
        missing = next(label for label in labels if label not in made)
        figure = side_by_side(sorted(made.items(), key=lambda each: values[each[0]], reverse=not most["least"]))
        return replace(figure, text=f"{figure.text}; {missing}: no such figure was found")
    else:
        return None
    return side_by_side([(label, made[label]) for label in chosen]) if len(chosen) == 1 else None


def of_companies(question: str, register: Register) -> Figure | None:
    """The same figure of each company that is named, the highest first where it is asked for; None unless each has one.

    A period behind a company is that company's, where each has one: "Intel's Q3 2023 against Nvidia's Q2 2023".
    """
    mentions = register.companies.named_in(question) or register.owners_of_names(question)
    named = [item for item, _ in register.profile.named_in(question)]
    items = list(dict.fromkeys(item.name for item in named)) or ["revenue"]
    figures = len(mentions) * len(items)
    if not FEWEST_SIDES <= len(mentions) <= MOST_SIDES or figures > _MOST_FIGURES:
        return None
    if not (named or GROWTH.search(question)):
        return _of_what_each_has(question, mentions, register)
    if _left_of_comparison(question, register):
        return None
    grows = " growth" if RISES.search(question) else ""
    asked: list[tuple[str, str]] = []
    for mention, periods in zip(mentions, _periods_of(mentions, question), strict=True):
        name = question[slice(*mention.span)] or question[mention.span[0] :].split()[0]
        name = not_owning(name.strip(",:;?"))
        newest = "" if dates(question) else newest_period(mention.company, register)
        for item in items:
            head = ", ".join(filter(None, (name, item if len(items) > 1 else "", newest)))
            asked.append((head, f"{name} {item}{grows} {periods or newest}"))
    by_size = len(items) == 1 and _WHO_MORE.search(question)
    made = _looked_up(asked, register)
    figure = _beside_each_other(made, by_size=bool(by_size))
    return _reckoned(question, figure, [each for _, each in made]) if figure and len(items) == 1 else figure


def _reckoned(question: str, figure: Figure, made: Sequence[Figure]) -> Figure:
    """Figures side by side behind their sum or their difference, where a question asks for it."""
    sizes = [_size(each) for each in made]
    if not all(each.unit in FACTORS and len(each.operands) == 1 for each in made):
        return figure
    if _COMBINED.search(question):
        return replace(figure, text=f"{_in_dollars(sum(sizes))}, of {figure.text}")
    if _HOW_MUCH_MORE.search(question) and len(sizes) == FEWEST_SIDES:
        return replace(figure, text=f"{_in_dollars(abs(sizes[0] - sizes[1]))}, {figure.text}")
    return figure


def _in_dollars(amount: float) -> str:
    return f"${in_billions(amount / FACTORS['billion'])}"


def _looked_up(asked: Iterable[tuple[str, str]], register: Register) -> list[tuple[str, Figure]]:
    """The figure of each text, by its name; empty where one has none."""
    made: list[tuple[str, Figure]] = []
    for name, text in asked:
        figure = of_text(text, register)
        if figure is None:
            return []
        made.append((name, figure))
    return made


def _beside_each_other(made: Sequence[tuple[str, Figure]], *, by_size: bool) -> Figure | None:
    """Figures as one, the highest first where `by_size`; None without any."""
    ordered = sorted(made, key=lambda each: -_size(each[1])) if by_size else made
    return side_by_side(ordered) if ordered else None


def _of_what_each_has(question: str, mentions: Sequence[Mention], register: Register) -> Figure | None:
    """What is asked of each company that has no row: "Commercial paper on June 30, A against B"."""
    rest = _BETWEEN_SIDES.sub(" ", without(question.strip(" ?."), (mention.span for mention in mentions)))
    if begins_to_ask(rest) or VERB.search(rest):
        rest = " ".join(word for word in rest.split() if word.strip(",:?").lower() not in _OF_SIDES | _ASKING)
    rest = " ".join(rest.split()).strip(" ,:")
    if begins_to_ask(rest) or VERB.search(rest):
        return None
    labels = register.companies.labels
    asked = ((question[slice(*mention.span)], f"{labels[mention.company]} {rest}") for mention in mentions)
    return _beside_each_other(_looked_up(asked, register), by_size=False)


def of_either(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The figures of two things between which a question lets choose: "Did iPad or Mac sell more for Apple?".

    None unless both have one; the higher first.
    """
    between = _EITHER.search(question)
    if between is None or not _WHO_MORE.search(question):
        return None
    of_one_company = len(conditions.companies) == 1
    label = register.companies.labels[conditions.companies[0]] if of_one_company else ""
    frame = f"{_item_asked(question, register.profile)} {' '.join(_quarters_in(question))}"
    made: list[tuple[str, Figure]] = []
    for called in _beside(question[: between.start()], question[between.end() :]):
        sides = ((name, f"{_owner_of(name, label, register)} {name} {frame}") for name in called)
        read = ((name, of_text(text, register)) for name, text in sides)
        made += [(name, figure) for name, figure in read if figure is not None][:1]
    left = set(unexplained(read_asked(question, register.profile), register)) - ASIDE - _OF_WHICH - _OF_SIDES
    if len(made) != FEWEST_SIDES or left - {word for name, _ in made for word in words(name)} - _BESIDE_NAMES:
        return None
    return _beside_each_other(made, by_size=True)


def _owner_of(name: str, label: str, register: Register) -> str:
    """The company that a side of a comparison is of: the one that it names or whose name it is, else `label`."""
    if register.companies.named_in(name):
        return ""
    owners = {mention.company for mention in register.owners_of_names(name)}
    return register.companies.labels[owners.pop()] if len(owners) == 1 else label


def _beside(left: str, right: str) -> tuple[list[str], list[str]]:
    """What the words that end one text and those that begin another may name."""
    before, behind = _NAME_WORD.findall(left)[::-1], _NAME_WORD.findall(right)
    return [" ".join(name[::-1]) for name in _names_at(before)], [" ".join(name) for name in _names_at(behind)]


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
    item = named[0] if named else item_of_part(question)
    return f"{item} growth" if RISES.search(question) else item


def _quarters_in(question: str) -> list[str]:
    """The periods of a question, a month as the end of its quarter."""
    named = ((date, question[slice(*date.span)]) for date in dates(question))
    return [f"quarter ended {span}" if date.month else span for date, span in named]


def _left_of_comparison(question: str, register: Register) -> set[str]:
    """The words of a comparison that no name, line item or period explains."""
    asked = read_asked(question, register.profile)
    left = unexplained(asked, register) if conditions_of(question, register) else []
    owned = {word for mention in register.owners_of_names(question) for word in words(question[mention.span[0] :])[:1]}
    return set(left) - ASIDE - _OF_WHICH - _OF_SIDES - owned


def _periods_of(mentions: Sequence[Mention], question: str) -> list[str]:
    """For each mention the periods that count for it: the one behind it, or all of the question."""
    named = dates(question)
    if have_their_own(mentions, named):
        return _quarters_in(question)
    return [" ".join(question[slice(*date.span)] for date in named)] * len(mentions)


def of_share(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How much of a company's amount is that of a part: "What share of revenue came from iPhone?", in percent."""
    bare = _EXPOSED.sub("what share of revenue came from ", question.strip(" ?."))
    asks = next(filter(None, (pattern.search(bare) for pattern in _SHARES)), None)
    if asks is None or len(conditions.companies) != 1:
        return None
    part, whole = _bare(asks["part"], register), _bare(asks["whole"], register)
    items = [item.name for item, _ in register.profile.named_in(whole)]
    if len(items) != 1 or not part or unexplained(read_asked(whole, register.profile), register):
        return None
    if register.profile.named_in(part) and not unexplained(read_asked(part, register.profile), register):
        return None  # of two line items it is a ratio
    item = "" if register.profile.named_in(part) else items[0]
    frame = f"{register.companies.labels[conditions.companies[0]]} {{}} {' '.join(_quarters_in(question))}"
    of_part, of_whole = (of_text(frame.format(each), register) for each in (f"{part} {item}", items[0]))
    if of_part is None or of_whole is None or not _may_be_part(of_part, of_whole):
        return None
    percent = 100 * _size(of_part) / _size(of_whole)
    text = f"{percent:.1f}%, {of_part.text} of {of_whole.text}"
    steps = f"{of_part.derivation}; {of_whole.derivation}"
    return Figure(text, percent, "percent", steps, (*of_part.operands, *of_whole.operands))


def _bare(text: str, register: Register) -> str:
    """A text without companies and periods, and what ties them to it."""
    return _LEADS_TO_DATE.sub("", f"{_OWNING.sub('', register.bare(text)).strip(' ,')} ").strip()


def _may_be_part(part: Figure, whole: Figure) -> bool:
    """Whether two figures are amounts of which the first may be a part of the second."""
    are_read = all(len(each.operands) == 1 and each.unit in FACTORS for each in (part, whole))
    return are_read and 0 < _size(part) <= _size(whole)


def of_periods(question: str, register: Register) -> Figure | None:
    """The figures of the quarters that a question sets side by side; None unless each has one.

    "From Q1 to Q3" and "between Q1 and Q3" ask for one change, which is not told by those of each quarter.
    """
    named = [date for date in dates(question) if date.quarter or (date.month and not date.day)]
    named = named or days(question)
    alone = len({date.key for date in named}) == len(named)
    if not (FEWEST_SIDES <= len(named) <= MOST_SIDES and alone) or ONE_CHANGE.search(question):
        return None
    asked = ((question[slice(*date.span)], with_only(question, date, named)) for date in named)
    made = _looked_up(asked, register)
    if len({figure.operands for _, figure in made}) == 1:
        return made[0][1]  # one quarter under two names: "fiscal 1Q23 (Sept-22)"
    by_size = VERB.match(question) and _WHO_MORE.search(question)
    return _beside_each_other(made, by_size=bool(by_size))


def of_ratio(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How a ratio changed in the year up to a quarter, where the quarter of a year before has one too."""
    named, period = register.profile.named_in(question), _only_period(question, conditions)
    if period is None or len(named) != 1 or not isinstance(named[0][0], Ratio) or not RISES.search(question):
        return None
    left = set(unexplained(read_asked(question, register.profile), register))
    if left - ASIDE:
        return None
    company = register.companies.labels[conditions.companies[0]]
    now = f"What was {company} {named[0][0].name} in {question[slice(*period.span)]}?"
    before = now.replace(str(period.year), str(period.year - 1))
    old, new = of_text(before, register) or of_year_before(before, register), of_text(now, register)
    return _changed(question, old, new) if old and new else None


def _only_period(question: str, conditions: FilingConditions | None) -> Date | None:
    """The one period that a question about one company names."""
    named = dates(question)
    is_of_one = conditions is not None and len(conditions.companies) == 1
    return named[0] if is_of_one and len(named) == 1 else None


def of_sequence(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How a figure changed from the quarter right before, where both have a report."""
    if len(conditions.companies) != 1:
        return None
    bare = AGAINST_QUARTER_BEFORE.sub("", question)
    reports = register.of_company(conditions.companies[0])
    own = reports[0] if not dates(bare) else conditions.weights[0][0]
    last = next((each for each in reports if _is_right_before(each, own)), None)
    if last is None or len(dates(bare)) > 1:
        return None
    left = unexplained(read_asked(bare, register.profile), register)
    part = " ".join(word for word in left if word not in ASIDE)
    frame = f"{register.companies.labels[conditions.companies[0]]} {part} {_item_asked(bare, register.profile)}"
    frame = frame.removesuffix(" growth")
    old, new = (of_text(f"{frame} {period}", register) for period in quarters_of((last, own)))
    return _changed(question, old, new) if old and new else None


def _is_right_before(one: Filing, other: Filing) -> bool:
    """Whether a quarterly report ends three months before another, or some days from it."""
    if not (one.quarter and other.quarter and one.end and other.end and one.end.month and other.end.month):
        return False
    return abs(_day_of(other.end) - _day_of(one.end) - _QUARTER_OF_DAYS) <= _SOME_DAYS


def _day_of(end: Date) -> int:
    return end.year * 365 + (end.month or 1) * 30 + (end.day or 28)


_QUARTER_OF_DAYS, _SOME_DAYS = 90, 20


def of_doubled(question: str, register: Register) -> Figure | None:
    """Whether something doubled, with how much it grew."""
    doubled = DOUBLED.search(question)
    if doubled is None or not VERB.match(question):
        return None
    figure = of_text(DOUBLED.sub("grow", question, count=1), register)
    if figure is None or figure.unit != "percent":
        return None
    yes = "Yes" if figure.value >= _TWICE else "No"
    return replace(figure, text=f"{yes}, {_without_verdict(figure)}")


def _without_verdict(figure: Figure) -> str:
    return figure.text.partition(", ")[2]


def of_quarter(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The quarter of a year, or of all that reports are of, in which a figure was highest or lowest."""
    asks, most = _WHICH_QUARTER.match(question), MOST.search(question)
    if asks is None or most is None or len(conditions.companies) != 1:
        return None
    own = register.of_company(conditions.companies[0])[::-1]
    named = dates(question)
    if named and asks.end("ahead") < named[0].span[1]:
        return None
    quarters = quarters_of_year(named[0], own) if named else quarters_of(own)
    what = question[asks.start("what") : most.start()] + question[most.end() :].rstrip(" ?")
    made = _looked_up([(each, f"What was {what} in {each}?") for each in quarters], register)
    made.sort(key=lambda each: _size(each[1]), reverse=not most["least"])
    return replace(side_by_side(made[:1]), derivation=side_by_side(made).text) if made[1:] else None


def of_year_to_date(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """What cash flow statements tell of a year of which there are but quarterly reports: the months up to the last."""
    year = _only_period(question, conditions)
    if year is None or not _is_of_cash_flows(question, register):
        return None
    months = year_to_date(year, register.of_company(conditions.companies[0])[::-1])
    asked = in_words_of_filings(_in_place(year, months, question), register.profile)
    figure = of_text(asked, register) if months else None
    return replace(figure, text=f"{figure.text} in {months}") if figure else None


def _is_of_cash_flows(text: str, register: Register) -> bool:
    """Whether all that a text names stands in cash flow statements, which quarterly reports tell of a year to date."""
    items = [getattr(item, "statement", "") for item, _ in register.profile.named_in(text)]
    return set(items) == {"cash flow statement"}


def _in_place(period: Date, other: str, question: str) -> str:
    start, end = period.span
    return f"{question[:start]}{other}{question[end:]}"


def of_year(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Whether something went one way in a year of which there are but quarterly reports: in each of its quarters."""
    year = _only_period(question, conditions)
    if year is None or not (VERB.match(question) and way_named(question)):
        return None
    quarters = quarters_of_year(year, register.of_company(conditions.companies[0])[::-1])
    made = _looked_up([(each, _in_place(year, each, question)) for each in quarters], register)
    if len(made) < FEWEST_SIDES:
        return None
    agree = sum(figure.text.startswith("Yes, ") for _, figure in made)
    figure = side_by_side([(name, replace(each, text=_without_verdict(each))) for name, each in made])
    if agree == len(made):
        said = "Yes, in each quarter"
    else:
        said = f"In {agree} of {len(made)} quarters" if agree else "No"
    return replace(figure, text=f"{said}: {figure.text}")


def of_move(question: str, register: Register) -> Figure | None:
    """How a figure moved from one period to another, where each has one of its own."""
    move, named = _MOVES.match(question), dates(question)
    if move is None or len(named) != FEWEST_SIDES:
        return None
    figures: list[Figure] = []
    for date in sorted(named, key=lambda date: (date.number, date.quarter or 0)):
        figure = of_text(f"What was {move['what']} in {question[slice(*date.span)]}?", register)
        figures += [figure] if figure else []
    return _changed(question, *figures) if len(figures) == FEWEST_SIDES else None


def _changed(question: str, before: Figure, after: Figure) -> Figure | None:
    """How much a figure changed, in percent, or a percentage in points; yes or no where the way is asked."""
    old, new = _size(before), _size(after)
    if old <= 0:
        return None
    is_share = before.unit == after.unit == "percent"
    change = new - old if is_share else 100 * (new - old) / old
    way = "up" if change >= 0 else "down"
    text = f"{way} {abs(change):.1f}{' points' if is_share else '%'}, from {before.text} to {after.text}"
    text = answered(text, way, question)
    steps = f"{before.derivation}; {after.derivation}"
    operands = (*before.operands, *after.operands)
    return Figure(text, change, "percent", steps, operands)


def with_only(question: str, kept: Date, named: Sequence[Date]) -> str:
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


def of_parts(
    question: str,
    parts: Sequence[tuple[str, str]],
    conditions: FilingConditions,
    register: Register,
) -> Figure | None:
    """The figures of the things that a question compares, side by side; None unless each has one."""
    made = figures_of(question, parts, conditions, register)
    if any(figure is None for _, figure in made):
        return None
    return side_by_side([(name, figure) for name, figure in made if figure is not None])


def figures_of(
    question: str,
    parts: Sequence[tuple[str, str]],
    conditions: FilingConditions,
    register: Register,
) -> list[tuple[str, Figure | None]]:
    """Each part with its figure, if it has one."""
    owned = {date.key for _, asked in parts for date in dates(asked)}
    left = [date for date in dates(question) if date.key not in owned] or dates(question)
    of_others = " ".join(question[slice(*date.span)] for date in left)
    made: list[tuple[str, Figure | None]] = []
    for name, asked in parts:
        part = in_own_names(asked, register)
        periods = "" if dates(asked) else of_others
        own = conditions_of(f"{part} {periods}", register)
        if own is None and len(conditions.companies) == 1:
            own = conditions
        figure = of_one(f"What was {part} {periods}", own, register) if own is not None else None
        if figure is not None:
            operands = [replace(each, of=asked) for each in figure.operands]
            figure = replace(figure, operands=tuple(operands))
            known = asked.split()
            own_name = " ".join(word for word in part.split() if word not in known)
            name = f"{name} ({own_name})" if own_name else name
        made.append((name, figure))
    return made
