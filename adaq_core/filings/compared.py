"""Figures side by side: of several companies, of two things of one; and how much of a whole is a part.

None where one of them is missing: half a comparison tells nothing. So these are no grid (`grid.py`), in which each
figure of a list answers an aspect of its own, and may stay open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from adaq_core.filings.asked_together import (
    have_their_own,
    item_of_part,
    newest_period,
)
from adaq_core.filings.calculate import of_one, of_text
from adaq_core.filings.conditions import (
    CHOOSES,
    DOUBLED,
    MOST,
    FilingConditions,
    conditions_of,
    in_own_names,
    read_asked,
)
from adaq_core.filings.formula import LineItems
from adaq_core.filings.register import Mention, Register, without
from adaq_core.filings.statement_figures import (
    ASIDE,
    FACTORS,
    GROWTH,
    RISES,
    VERB,
    Figure,
    Limit,
    in_billions,
    limit_in,
    side_by_side,
    size,
    unexplained,
    way_named,
)
from adaq_core.question.answer_kinds import AUXILIARIES, begins_to_ask
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import words
from adaq_core.text.values import dates

_RANKS = re.compile(r"(?i)^(?:please )?(?:rank|order|sort)\b")
_COMBINED = re.compile(r"(?i)\b(?:combined|together|sum)\b")
HOW_MUCH_MORE = re.compile(
    r"(?i)\bhow much (?:more|less|higher|lower|larger|bigger|smaller)\b|\b(?:difference|gap) between\b"
    r"|\bby how much (?:did|does|do)\b(?=.{2,80}\b(?:exceed|top|surpass|beat|outsell)\b)"
)
# Example: "How many times bigger is A's revenue than B's?" Counter-example: "How many times did A raise its dividend?"
_HOW_MANY_TIMES = re.compile(
    r"(?i)\bhow many times (?:(?:as )?(?:large|big|high|much)|larger|bigger|higher|greater|more)\b"
)
# Example: "Is A's margin higher than B's?" Counter-example: "Did A or B sell more?", which has no yes.
_IS_MORE_THAN = re.compile(
    r"(?i)\b(?:(?P<less>less|lower|smaller|slower|fewer)|more|higher|larger|bigger|greater|faster)\b[^?;]{0,80}? than\b"
)
_WAY_IN_PERCENT = re.compile(r"^(?:up|down) \d+%")
_EXPOSED = re.compile(r"(?i)^how (?:big|large|high|great|significant|much) (?:is|was) .{1,60}? exposure to (?:the )?")
_OWNING = re.compile(r"(?:^|(?<= ))['’]s?(?= |$)")
_A_SHARE = r"(?:share|percent(?:age)?|proportion|fraction|portion|part|%)"
_SHARE_ASKED = rf"^(?:(?:what|which) {_A_SHARE}|how (?:much|large an? {_A_SHARE})) of (?P<whole>.{{2,80}}?) "
# "What share of sales came from X", "… did X make up", "X as a percentage of sales", "X's share of sales", "X's mix".
_SHARES = (
    re.compile(
        rf"(?i){_SHARE_ASKED}(?:is|was|were|are|came|comes?|stem(?:s|med)|derives?"
        rf"|derived)(?: from)? (?P<part>.{{2,80}})$"
    ),
    re.compile(
        rf"(?i){_SHARE_ASKED}(?:did|does|do) (?P<part>.{{2,80}}?) (?:make up|account for|represent|contribute"
        rf"|generate)\b"
    ),
    re.compile(
        rf"(?i)^(?:what (?:is|was|were) )?(?P<part>.{{2,80}}?)(?: as an?|['’]s?) {_A_SHARE} of (?P<whole>.{{2,80}})$"
    ),
    re.compile(
        r"(?i)^(?:what (?:is|was) )?(?P<part>.{2,60}?) (?P<whole>revenue|sales) (?:share|mix)(?: (?:in|for) .{2,30})?$"
    ),
)
# "How much bigger is A than B": A bigger than B, by how much.
_HOW_MUCH_BIGGER = re.compile(
    r"(?i)^(?:by )?(?P<how>how (?:much|many times)) (?P<more>bigger|larger|higher|greater|more profitable)"
    r" (?:is|was|are|were) (?P<one>[^?]{2,60}?) than"
)
_OF_REVENUE = re.compile(
    r"(?i)\b(?:share|percent(?:age)?|proportion|part) of (?:its |their )?(?:revenues?|(?:net )?sales)\b"
)
_OR = re.compile(r"(?i)\bor\b")
_EITHER = re.compile(r"(?i),? or | (?:bigger|larger|higher|greater|faster|more profitable) than ")
_NAME_WORD = re.compile(r"[\w&-]+(?:['’]s)?")
_BESIDE_NAME_WORDS = """
segment segments business division unit revenue revenues sales net income the in of its did do does was were is are
which who what more than from for by or and q1 q2 q3 q4
"""
_BESIDE_NAMES = frozenset(_BESIDE_NAME_WORDS.split())
_BETWEEN_SIDES = re.compile(r"(?i)^compare\b|['’]s\b|,? ?\b(?:against|versus|vs\b\.?|and(?=\W*$)|compared (?:with|to))")
LEADS_TO_DATE = re.compile(
    r"(?i),?(?: and)?(?: how (?:much|many))?(?: (?:by|in|at|on|for|to))?(?: (?:the end of|late|early|mid))? $"
)
_WHICH_WORDS = """
which whose rank list order sort by
company companies issuer issuers filer filers firm firms one these more than double doubled had has highest
triple tripled treble trebled quadruple quadrupled halve halved lost lose loses losing money made make makes profit
profits profitable unprofitable loss losses red posted reported five four three two six seven eight
largest biggest most fastest lowest smallest least slowest
"""
_OF_WHICH = frozenset(_WHICH_WORDS.split())
_SIDE_WORDS = """
combined together sum gap exceed exceeded top topped surpass surpassed beat
who or each put into sold sell sells bigger larger higher lower greater smaller less better worse other both difference
differ side across vs how and more most quarter against to faster slower sell profitable
"""
OF_SIDES = frozenset(_SIDE_WORDS.split())
_ASKING = {*AUXILIARIES, "which", "what", "company", "compare", "much", "many", "the", "of"}
WHO_MORE = re.compile(r"(?i)\b(?:more|higher|larger|bigger|greater|most|highest|largest|biggest|faster)\b")
FEWEST_SIDES, MOST_SIDES = 2, 4
_MOST_FIGURES = 6  # that are shown side by side


def of_the_most(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Those of all companies whose figure is the highest, doubled, or lies where a limit or its sign wants it.

    None where figures of most are missing; that of one company may be, which is said.
    """
    limit = limit_in(question)
    text = limit.rest if limit else question
    left = set(unexplained(read_asked(text, register.profile), register))
    chooses = any(pattern.search(question) for pattern in (MOST, DOUBLED, CHOOSES, _RANKS))
    if not chooses or left - ASIDE - _OF_WHICH:
        return None
    made = _of_each(text, conditions, register)
    if len(made) == len(conditions.companies) or DOUBLED.search(question):
        return _the_chosen(question, made, limit)
    most = MOST.search(question)
    if most is None or not FEWEST_SIDES < len(conditions.companies) == len(made) + 1:
        return None
    labels = (register.companies.labels[company] for company in conditions.companies)
    missing = next(label for label in labels if label not in made)
    figure = side_by_side(_by_size(made, question, falling=not most["least"]))
    return replace(figure, text=f"{figure.text}; {missing}: no such figure was found")


def _of_each(text: str, conditions: FilingConditions, register: Register) -> dict[str, Figure]:
    """The figure of each company that has it, by the company's name; of its newest report where no period is named."""
    sign = CHOOSES.search(text)
    otherwise = "net income" if sign and sign["sign"] else "revenue"
    items = list(dict.fromkeys(each.name for each, _ in register.profile.named_in(text)))
    share = " as a share of revenue" if _OF_REVENUE.search(text) else ""
    if share:
        items = [name for name in items if name != "revenue"]
    item = next(iter(items), otherwise)
    growth = " growth" if _grows(text) else ""
    periods = " ".join(text[slice(*date.span)] for date in dates(text))
    made: dict[str, Figure] = {}
    for company in conditions.companies:
        label = register.companies.labels[company]
        period = periods or newest_period(company, register)
        if figure := of_text(f"{label} {item}{share}{growth} {period}", register):
            newest = "" if periods else f" in {period}, the newest report here"
            made[label] = replace(figure, text=f"{figure.text}{newest}")
    return made


def _grows(text: str) -> bool:
    return bool(RISES.search(text) or DOUBLED.search(text))


def _by_size(made: Mapping[str, Figure], text: str, *, falling: bool) -> list[tuple[str, Figure]]:
    """Figures by name in the order of how much they grew, or of their size."""
    grows = _grows(text)
    return sorted(made.items(), key=lambda each: each[1].value if grows else size(each[1]), reverse=falling)


def _the_chosen(text: str, made: Mapping[str, Figure], limit: Limit | None) -> Figure | None:
    """The companies that a text asks for out of all; all in their order where it ranks them."""
    ordered = _by_size(made, text, falling=True)
    doubled, sign, most = DOUBLED.search(text), CHOOSES.search(text), MOST.search(text)
    if _RANKS.match(text):
        return side_by_side(ordered)
    if limit is not None:
        chosen = [each for each in ordered if limit.holds(each[1])]
    elif doubled:
        chosen = [each for each in ordered if multiplied(each[1].value, doubled["times"])]
    elif sign and sign["sign"]:
        chosen = [each for each in ordered if (each[1].value < 0) == bool(sign["bad"])]
    elif most is not None:
        chosen = ordered[-1:] if most["least"] else ordered[:1]
    else:
        return None
    return side_by_side(chosen) if chosen else None


_PERCENT_OF = {"doubl": 100, "tripl": 200, "trebl": 200, "quadrupl": 300, "halv": -50}


def multiplied(percent: float, times: str) -> bool:
    """Whether what changed by some percent did so at least as many times: "doubl", "tripl", "halv"."""
    least = _PERCENT_OF[times.lower()]
    return percent >= least if least > 0 else percent <= least


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
    by_size = len(items) == 1 and WHO_MORE.search(question)
    made = looked_up(asked, register)
    if len(items) > 1:
        return side_by_side(made) if made else None
    return beside_each_other(question, made, by_size=bool(by_size))


def _reckoned(text: str, figure: Figure, made: Sequence[Figure]) -> Figure:
    """Figures side by side behind their sum, their difference or how many times one is the other, as a text asks."""
    sizes = [size(each) for each in made]
    if not all(each.unit in FACTORS and len(each.operands) == 1 for each in made):
        return figure
    if _COMBINED.search(text):
        return replace(figure, text=f"{_in_dollars(sum(sizes))}, of {figure.text}")
    if len(sizes) != FEWEST_SIDES:
        return figure
    if HOW_MUCH_MORE.search(text):
        return replace(figure, text=f"{_in_dollars(abs(sizes[0] - sizes[1]))}, {figure.text}")
    if _HOW_MANY_TIMES.search(text) and min(sizes) > 0:
        return replace(figure, text=f"{max(sizes) / min(sizes):.1f} times, {figure.text}")
    return figure


def _with_verdict(text: str, figure: Figure, made: Sequence[Figure]) -> Figure:
    """Two figures behind yes or no, where a text asks whether the first that it names is more than the second."""
    asks = _IS_MORE_THAN.search(text)
    lets_choose = _OR.search(text) is not None
    if asks is None or lets_choose or not VERB.match(text) or len(made) != FEWEST_SIDES:
        return figure
    one, other = map(size, made)
    agrees = one < other if asks["less"] else one > other
    return replace(figure, text=f"{'Yes' if agrees else 'No'}, {figure.text}")


def _in_dollars(amount: float) -> str:
    if amount < FACTORS["billion"]:
        return f"${amount / FACTORS['million']:,.10g} million"
    return f"${in_billions(amount / FACTORS['billion'])}"


def looked_up(asked: Iterable[tuple[str, str]], register: Register) -> list[tuple[str, Figure]]:
    """The figure of each text, by its name; empty where one has none."""
    made: list[tuple[str, Figure]] = []
    for name, text in asked:
        figure = of_text(text, register)
        if figure is None:
            return []
        made.append((name, figure))
    return made


def beside_each_other(text: str, made: Sequence[tuple[str, Figure]], *, by_size: bool) -> Figure | None:
    """The same figure of several as one, with what a text asks of them together; None without any.

    `made` are in the order of the text; the highest comes first where `by_size`.
    """
    if not made:
        return None
    ordered, figures = made, [figure for _, figure in made]
    if by_size:
        falls = way_named(text) == "down"  # what fell most comes first
        ordered = sorted(made, key=lambda each: size(each[1]), reverse=not falls)
    beside = side_by_side(told_apart(ordered))
    return _with_verdict(text, _reckoned(text, beside, figures), figures)


def told_apart(made: Sequence[tuple[str, Figure]]) -> Sequence[tuple[str, Figure]]:
    """Figures that are one percentage when rounded with a decimal more: up 12.8% and up 12.6%, not up 13% twice."""
    ways = [match[0] for _, figure in made if (match := _WAY_IN_PERCENT.match(figure.text))]
    if len(ways) < len(made) or len(set(ways)) == len(made):
        return made
    return [(name, _with_decimal(figure)) for name, figure in made]


def _with_decimal(figure: Figure) -> Figure:
    """A change in percent with a decimal more."""
    way, _, rest = figure.text.partition(" ")
    _, _, behind = rest.partition("%")
    return replace(figure, text=f"{way} {abs(figure.value):.1f}%{behind}")


def _of_what_each_has(question: str, mentions: Sequence[Mention], register: Register) -> Figure | None:
    """What is asked of each company that has no row: "Commercial paper on June 30, A against B"."""
    rest = _BETWEEN_SIDES.sub(" ", without(question.strip(" ?."), (mention.span for mention in mentions)))
    if begins_to_ask(rest) or VERB.search(rest):
        rest = " ".join(word for word in rest.split() if word.strip(",:?").lower() not in OF_SIDES | _ASKING)
    rest = " ".join(rest.split()).strip(" ,:")
    if begins_to_ask(rest) or VERB.search(rest):
        return None
    labels = register.companies.labels
    asked = ((question[slice(*mention.span)], f"{labels[mention.company]} {rest}") for mention in mentions)
    made = looked_up(asked, register)
    return side_by_side(made) if made else None


def of_either(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The figures of two things between which a question lets choose: "Did iPad or Mac sell more for Apple?".

    None unless both have one; the higher first.
    """
    asked = question
    question = _HOW_MUCH_BIGGER.sub(r"\g<how> \g<one> \g<more> than", question)
    between = _EITHER.search(question)
    if between is None or not WHO_MORE.search(question):
        return None
    of_one_company = len(conditions.companies) == 1
    label = register.companies.labels[conditions.companies[0]] if of_one_company else ""
    frame = f"{item_asked(question, register.profile)} {' '.join(_quarters_in(question))}"
    made: list[tuple[str, Figure]] = []
    for called in _beside(question[: between.start()], question[between.end() :]):
        sides = ((name, f"{_owner_of(name, label, register)} {name} {frame}") for name in called)
        read = ((name, of_text(text, register)) for name, text in sides)
        made += [(name, figure) for name, figure in read if figure is not None][:1]
    left = set(unexplained(read_asked(question, register.profile), register)) - ASIDE - _OF_WHICH - OF_SIDES
    in_percent = [figure.text.endswith("%") for _, figure in made]
    if any(in_percent) and not all(in_percent):
        return None  # an amount is not higher than a share
    if len({operand for _, figure in made for operand in figure.operands}) < FEWEST_SIDES:
        return None  # "interest income or interest expense" are no two figures of "interest"
    if len(made) != FEWEST_SIDES or left - {word for name, _ in made for word in words(name)} - _BESIDE_NAMES:
        return None
    return beside_each_other(asked, made, by_size=True)


def _owner_of(name: str, label: str, register: Register) -> str:
    """The company that a side of a comparison is of: the one that it names or whose name it is, else `label`."""
    if register.companies.named_in(name):
        return ""
    owners = {mention.company for mention in register.owners_of_names(name)}
    return register.companies.labels[owners.pop()] if len(owners) == 1 else label


def _beside(left: str, right: str) -> tuple[list[str], list[str]]:
    """What the words that end one text and those that begin another may name."""
    from_the_end = list(reversed(_NAME_WORD.findall(left)))
    before = [" ".join(reversed(name)) for name in _names_at(from_the_end)]
    behind = [" ".join(name) for name in _names_at(_NAME_WORD.findall(right))]
    return before, behind


def _names_at(nearest: Sequence[str]) -> list[list[str]]:
    """The run of words with a capital that is nearest; where there is none, the nearest two words, then the nearest."""
    left = list(dropwhile(_is_beside_names, nearest))
    run = list(takewhile(lambda word: not _is_beside_names(word), left))
    capitals = list(takewhile(lambda word: word[:1].isupper(), run))
    if capitals:
        return [capitals]
    plain = list(takewhile(str.isalpha, run))[:2]
    return [plain[:count] for count in range(len(plain), 0, -1)]


def _is_beside_names(word: str) -> bool:
    return word.lower() in _BESIDE_NAMES


def item_asked(question: str, profile: LineItems) -> str:
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
    return set(left) - ASIDE - _OF_WHICH - OF_SIDES - owned


def _periods_of(mentions: Sequence[Mention], question: str) -> list[str]:
    """For each mention the periods that count for it: the one behind it, or all of the question."""
    named = dates(question)
    if have_their_own(mentions, named):
        return _quarters_in(question)
    return [" ".join(question[slice(*date.span)] for date in named)] * len(mentions)


def of_share(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How much of a company's amount is that of a part: "What share of revenue came from iPhone?", in percent."""
    plain = _EXPOSED.sub("what share of revenue came from ", question.strip(" ?."))
    asks = next(filter(None, (pattern.search(plain) for pattern in _SHARES)), None)
    if asks is None or len(conditions.companies) != 1:
        return None
    part, whole = bare(asks["part"], register), bare(asks["whole"], register)
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
    return _in_percent(of_part, of_whole)


def of_margin(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """The operating margin of a part of a company: its operating income as a share of its revenue."""
    named = [item.name for item, _ in register.profile.named_in(question)]
    left = unexplained(read_asked(question, register.profile), register)
    part = " ".join(word for word in left if word not in ASIDE)
    if named != ["operating margin"] or not part or len(conditions.companies) != 1:
        return None
    company = register.companies.labels[conditions.companies[0]]
    periods = " ".join(_quarters_in(question))
    income = of_text(f"{company} {part} operating income {periods}", register)
    revenue = of_text(f"{company} {part} revenue {periods}", register)
    if income is None or revenue is None or RISES.search(question):
        return None
    return _in_percent(income, revenue)


def _in_percent(part: Figure, whole: Figure) -> Figure | None:
    """One amount as a share of another; None unless both are amounts."""
    if not {part.unit, whole.unit} <= FACTORS.keys() or not size(whole):
        return None
    percent = 100 * size(part) / size(whole)
    text = f"{percent:.1f}%, {part.text} of {whole.text}"
    steps = f"{part.derivation}; {whole.derivation}"
    operands = (*part.operands, *whole.operands)
    return Figure(text, percent, "percent", steps, operands)


def bare(text: str, register: Register) -> str:
    """A text without companies and periods, and what ties them to it."""
    return LEADS_TO_DATE.sub("", f"{_OWNING.sub('', register.bare(text)).strip(' ,')} ").strip()


def _may_be_part(part: Figure, whole: Figure) -> bool:
    """Whether two figures are amounts of which the first may be a part of the second."""
    are_read = all(len(each.operands) == 1 and each.unit in FACTORS for each in (part, whole))
    return are_read and 0 < size(part) <= size(whole)


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
    by_size = _OR.search(question) and WHO_MORE.search(question)
    told = [(name, figure) for name, figure in made if figure is not None]
    return beside_each_other(question, told, by_size=bool(by_size))


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
