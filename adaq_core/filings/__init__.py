"""A figure that a question asks for: of one company, of several side by side, of several quarters or parts of one.

A wrong number is worse than none: where a check fails, or two rows that fit differ, no figure is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from adaq_core.filings.asked_together import newest_period, with_year
from adaq_core.filings.calculate import of_asked, of_cause, of_one, of_sign, of_year_before, of_year_end
from adaq_core.filings.compared import (
    FEWEST_SIDES,
    OF_SIDES,
    WHO_MORE,
    bare,
    beside_each_other,
    figures_of,
    of_companies,
    of_either,
    of_margin,
    of_parts,
    of_share,
    of_the_most,
)
from adaq_core.filings.conditions import (
    CHOOSES,
    FilingConditions,
    asks_for_forecast,
    conditions_of,
    in_own_names,
    in_words_of_filings,
    months_of,
    read_asked,
)
from adaq_core.filings.formula import LineItem
from adaq_core.filings.over_time import (
    AGAINST_QUARTER_BEFORE,
    as_a_move,
    asks_for_pace,
    of_doubled,
    of_flow,
    of_flow_left,
    of_move,
    of_pace,
    of_periods,
    of_quarter,
    of_ratio,
    of_sequence,
    of_year,
    of_year_to_date,
    only_flow,
    without_base,
)
from adaq_core.filings.partitions import (
    of_both_terms,
    of_cash_and_securities,
    of_debt,
    of_named_parts,
    of_the_most_part,
)
from adaq_core.filings.register import Filing, Register, register_of
from adaq_core.filings.sentence_figures import LEFT_ASKED
from adaq_core.filings.statement_figures import (
    ASIDE,
    RISES,
    VERB,
    Figure,
    asks_for_value,
    limit_in,
    side_by_side,
    size,
    unexplained,
    way_named,
)
from adaq_core.matching.answer_shapes import ASKS_OFFSET
from adaq_core.model import QueryAspect
from adaq_core.question.answer_kinds import kind_of_answer
from adaq_core.question.parse import ParsedQuestion, parse
from adaq_core.retrieval import Corpus
from adaq_core.text.values import MONTH_NAMES, MONTHS, Date, dates

_CAUSE_ASKED = re.compile(
    r"(?i)^(?:so,? )?(?:why(?:['’]s)?|how come"
    r"|what (?:has |had )?(?:caused?|causes|drove|drives|led to|explains?|explained|dragged(?: down)?"
    r"|pushed(?: up| down)?|sent|tipped|lifted|made(?! up\b))"
    r"|what (?:is|was) behind|(?:what (?:is|was|are|were) )?(?:the )?"
    r"(?:(?:main|key|primary|principal|biggest) )?(?:reasons?|causes?|drivers?|factors?) (?:for|of|behind))\b"
    r"(?: (?:did|does|has|have|had|was|were))?"
)
# Example: "What hurt gaming revenue in Q3 2023?" Counter-example: "What hurt did the fine do?"
_HELD_BACK = re.compile(
    r"(?i)^what (?:hurt|weighed on|dented|depressed|dragged on|(?:pulled|brought|weighed|knocked) down|squeezed|eroded"
    r"|ate into|cut into|lowered|shrank|slowed) (?P<what>[^?]{3,160})\??$"
)
# Example: "What helped data center revenue in Q3 2023?" Counter-example: "What helped customers do?"
_HELPED = re.compile(
    r"(?i)^what (?:helped|boosted|supported|fuelled|fueled|propelled|underpinned|raised|inflated) "
    r"(?P<what>[^?]{3,160})\??$"
)
# Example: "How dependent is Amazon on AWS for sales?" Counter-example: "How dependent is Amazon on few suppliers?"
_DEPENDS = re.compile(
    r"(?i)^how (?:dependent|reliant|heavily dependent|heavily reliant) (?:is|was|are"
    r"|were) (?P<who>[A-Z][\w.&-]{1,20}) on "
    r"(?:its |the )?(?P<on>[^?,]{2,60}?)(?: business| segment| unit)?(?: for (?:its )?(?:sales|revenues?))"
    r"(?P<when> (?:in|for|during) [^?]{4,40})?\??$"
)
# Example: "How much cash did Amazon generate from operations in Q3 2023?" Counter-example: "How much cash did it hold?"
_GENERATED = re.compile(
    r"(?i)^how much (?:cash|money) (?:did|does|has|have) (?P<who>[^?]{2,40}?)(?:['’]s? business)? "
    r"(?:generated?|produced?|made|make|throw off|thrown off|bring in|earn)"
    r"(?: (?:from|by|through|in) (?:its )?(?:own )?(?:operations|operating activities|its business))?"
    r"(?P<when> (?:in|during|for|over) [^?]{4,60})?\??$"
)
# Example: "How big was AWS's loss in Q3 2023?" Counter-example: "What was Acme's loss on investments?"
_LOSS_OF = re.compile(
    r"(?i)^(?:how (?:big|large|deep|heavy|bad)|what) (?:is|was|were) (?P<who>[A-Z][\w &.-]{1,30})['’]s loss(?:es)?\b"
    r"(?! (?:per|on|from|of|before)\b)"
)
# Example: "How much did Acme lose in Q1 2023?" Counter-example: "How much did Acme lose on kilns?"
_LOST = re.compile(
    r"(?i)^how much (?:money )?(?:did|has|have) (?P<who>[^?]{2,40}?) (?:lose|lost)"
    r"(?P<when> (?:in|during|for) [^?]{2,40})?\??$"
)
# Example: "What did Acme lose on kilns in Q1 2023?" Counter-example: "What did Acme lose in court?"
_LOST_ON = re.compile(
    r"(?i)^(?:what|how much) (?:money )?(?:did|does|has) (?P<who>[A-Z][\w.&-]{1,20}) (?:lose|lost) (?:on|with|in) "
    r"(?:its )?(?P<of>[^?,]{2,60}?)(?: business| segment| unit)?(?P<when> (?:in|during|for) [^?]{4,40})\??$"
)
# Example: "How much did Acme make in Q1 2023?" Counter-example: "How much did Acme make on kilns?"
_MADE = re.compile(
    r"(?i)^how much (?:money )?(?:did|has|have) (?P<who>[^?]{2,40}?) (?:make|made|earn|earned)"
    r"(?P<when> (?:in|during|for) [^?]{2,40})?\??$"
)
# Example: "What did Acme earn from kilns in Q1 2023?" Counter-example: "What did Acme earn from operations in Q1 2023?"
_MADE_FROM = re.compile(
    r"(?i)^(?:how much|what) (?:money )?(?:did|does|has|have) (?P<who>[^?]{2,40}?) (?:make|made|earn|earned|get"
    r"|take in) "
    r"(?:from|with) (?:its |the )?(?!operations\b|operating\b|interest\b|investments?\b|sales?\b|selling\b)"
    r"(?P<of>[^?]{2,40}?)(?: business| segment)?(?P<when> (?:in|during|for) [^?]{2,40})?\??$"
)
# Example: "Was Acme's net income positive in Q1 2023?" Counter-example: "Was Acme's net income in Q1 2023 a record?"
_WAS_POSITIVE = re.compile(
    r"(?i)^(?:is|was) (?P<who>[^?]{2,40}?)(?:['’]s?)? (?P<of>net |operating )(?:income|earnings|result)"
    r" (?P<sign>positive|negative)(?P<when> (?:in|for|during) [^?]{4,60})?\??$"
)
# Example: "Does Acme have any debt?" Counter-example: "Does Acme have debt covenants?", which asks for no amount.
_HAS_ANY = re.compile(
    r"(?i)^(?:does|do|did) (?P<who>[^?]{2,40}?) (?:still )?(?:have|carry|hold|own) (?:any |much |some )?"
    r"(?P<what>(?:(?:long|short)-term )?(?:debt|investments)|goodwill|inventor(?:y|ies)|marketable securities"
    r"|commercial paper|deferred revenue|treasury stock)(?P<when> (?:in|at|on|as of) [^?]{4,60})?\??$"
)
# Example: "How much did Acme borrow in Q1 2023?" Counter-example: "How much can Acme borrow?"
_BORROWED = re.compile(
    r"(?i)^how much (?:money |debt )?(?:did|has|have) (?P<who>[^?]{2,40}?) borrow(?:ed)?"
    r"(?P<when> (?:in|during) [^?]{2,40})?\??$"
)
# Example: "How much interest did Acme earn in Q3 2022?" Counter-example: "How much interest did Acme pay?"
_INTEREST_EARNED = re.compile(
    r"(?i)^(?:how much|what) interest (?:did|does|has|have) (?P<who>[^?]{2,40}?) "
    r"(?:earn(?:ed)?|ma[dk]e|get|got|receive[d]?|collect(?:ed)?|take in)(?! (?:on|from)\b)(?P<when> [^?]{4,40})?\??$"
)
# Example: "What was the amount of the tax that Acme paid in Q3 2022?" Counter-example: "What was the amount of tax?"
_AMOUNT_THAT = re.compile(
    r"(?i)^what (?:is|was|were) the (?:amount|value|sum|size) of (?:the )?(?P<what>[^?]{3,90}?) that "
    r"(?P<who>[A-Z][\w.&-]{1,20}) (?P<verb>[a-z]{3,12})(?P<when> [^?]{4,60})?\??$"
)
# What was done in a month in which no period ends no report tells by itself.
# Example: "How much did Acme spend in November 2023?" Counter-example: "… in the November 2023 quarter?"
_BARE_MONTH = re.compile(
    rf"\bdid\b[^?]{{3,80}}? (?:in|during) (?P<month>{MONTH_NAMES}) (?P<year>20\d\d)\b(?![- ]quarter)"
)
_GIVES_CAUSE = re.compile(
    r"(?i)^(?:is|are|was|were|do|does|did|has|have)\b.{3,160}\b(?:because|due to|thanks to|owing to)\b"
)
_OF_ONE_THING = re.compile(  # "Acme buybacks: how many shares, how much money, how much is left"
    r"(?i)^(?P<of>[^:?]{3,60}): (?P<asked>how (?:much|many)\b[^:?]{1,60}(?:,| and) how (?:much|many)\b[^:?]{1,90})\??$"
)
_NEXT_HOW = re.compile(r"(?i),? and (?=how (?:much|many)\b)|, (?=how (?:much|many)\b)")
_ENDS_OPEN = re.compile(r"(?i)\b(?:for|about|with|over)\W*$")  # "What was it fined for?"
_OFFSET_ASKED = re.compile(r"(?i)^what (?:partly |partially )?(?:offset|softened|cushioned)\b")
_ALTHOUGH = re.compile(r"(?i),? (?:despite|even though|although|while|when)\b.*$")
# Nor a loss, whose growth is a fall, nor units, which no row counts.
_NOT_A_YEAR_BEFORE = re.compile(
    r"(?i)\bsequential|\b(?:previous|prior|preceding|last) (?:quarter|three months)|\bquarter[- ](?:over|on)[- ]quarter"
    r"|\bloss(?:es)?\b|\bunit (?:sales|volumes?)\b"
)
_CALLED_BY = re.compile(
    r"\b(?:the )?(?P<name>\w{0,3}[A-Z][\w-]{0,40})(?:['’]s)? (?:people|makers?|company|firm|giant|group)\b"
    r"(?P<of>['’]s)?"
)
_INSTRUCTED = re.compile(
    r"(?i)\? (?:please )?(?:give|state|show|cite|quote|name) (?:me )?(?:both|all|the|each)\b[^?]{0,60}$"
)
_SEVERAL_COMPANIES = "Several companies file here: name the one whose figure is meant."
_OF_ANY = re.compile(r"(?i)\b(?:which|who|whose|each|every|all|any|companies|filers)\b")
_QUARTERLY = ("10-Q", "quarterly report")
# Example: "Is it true that Acme's revenue fell in Q1 2023?" Counter-example: "Is it true that Acme left Rome?"
_IS_TRUE = re.compile(r"(?i)^(?:is|was) it (?:true|correct|right|so|a fact) that (?P<what>[^?]{8,160})\??$")
_RATIO_OF = re.compile(
    r"(?i)\bratio (?:of|between) (?P<one>[^?;]{3,60}?) (?:to|and) (?P<other>[^?;]{3,60}?)(?: (?:in|at|on|for) |\W*$)"
)
_OR_THAN = re.compile(r"(?i)\b(?:or|than)\b")
_SAID_THEN_WHY = re.compile(  # "Auto revenue dropped in Q2. What was behind it?"
    r"(?i)^(?P<what>[^.?!;]{10,160})[.!;] ?(?:(?:so )?why(?: (?:was|is) (?:it|that))?"
    r"|what (?:was|is) behind (?:it|that|this)|what caused (?:it|that|this)|how come)(?=\??$)"
)
_AND_WHY = re.compile(r"(?i)(?<=\w),? and (?:why\b|how come\b|what (?:drove|caused|explains|explained)\b).*$")


def figure_of(
    question: ParsedQuestion | str,
    index: Corpus,
    *,
    parts: Sequence[tuple[str, str]] = (),
) -> Figure | None:
    """The figure that `question` asks for; None where it asks for none or a check fails.

    `parts` are the things that it compares and what it asks of each ("AWS", "Operating income of AWS"). Where it names
    no period, it is that of the company's newest report, and says so.
    """
    register = register_of(index)
    if register is None:
        return None
    whole = question if isinstance(question, str) else question.text
    if _GIVES_CAUSE.search(whole):
        return None  # that something rose does not say that it did so for this
    if each := _OF_ONE_THING.match(whole):
        return _of_one_thing(each["of"], _NEXT_HOW.split(each["asked"]), index)
    return _figure_of(question, parts, register) or _of_newest(whole, register)


def _of_one_thing(thing: str, asked: Sequence[str], index: Corpus) -> Figure | None:
    """What is asked of one thing in several ways, each with its figure; None unless each has one."""
    made = [(each.strip(), figure_of(f"{each.strip()} {thing}", index)) for each in asked]
    found = [(name, figure) for name, figure in made if figure is not None]
    return side_by_side(found) if len(found) == len(made) else None


def _of_newest(text: str, register: Register) -> Figure | None:
    """The figure of the newest report, where a question about one company names no period."""
    plain = in_words_of_filings(text, register.profile)
    conditions = conditions_of(plain, register)
    if dates(plain) or conditions is None or len(conditions.companies) != 1 or _ENDS_OPEN.search(text):
        return None
    newest = newest_period(conditions.companies[0], register)
    dated = with_year(text, conditions.companies[0], register)
    if dated == text:
        dated = f"{text.rstrip(' ?.!')} in {newest}?" if newest else text
    figure = _figure_of(dated, (), register) if dated != text else None
    if figure is None:
        return None
    period = dated[slice(*dates(dated)[0].span)]
    which, of_such = ("report", "") if period == newest else ("such quarter", "of such a quarter ")
    asks_whether = VERB.match(plain) and only_flow(plain, register)
    is_of_period = figure.unit == "reason" or LEFT_ASKED.search(plain) or asks_whether
    if figure.operands[0].statement == "text" and not is_of_period:
        if len(_NEXT_HOW.split(text)) > 1:
            return None  # it is but one part of what is asked
        return replace(figure, text=f"{figure.text}, by the report of {period}, the newest {of_such}here")
    return replace(figure, text=f"{figure.text} in {period}, the newest {which} here")


def _is_of_no_end(text: str, conditions: FilingConditions) -> bool:
    """Whether a question asks what was done in a month in which none of the reports' periods ends."""
    asked = {12 * int(match["year"]) + MONTHS.index(match["month"]) + 1 for match in _BARE_MONTH.finditer(text)}
    ends = [filing.end for filing, _ in conditions.weights if filing.end and filing.end.month]
    ended = {12 * end.year + (end.month or 0) for end in ends} | set(map(months_of, ends))
    return bool(asked) and ended.isdisjoint(asked)


def _figure_of(question: ParsedQuestion | str, parts: Sequence[tuple[str, str]], register: Register) -> Figure | None:
    whole = question if isinstance(question, str) else question.text
    asked = _INSTRUCTED.sub("?", whole)
    asked = _IS_TRUE.sub(r"Did \g<what>?", asked)
    asked = _SAID_THEN_WHY.sub(r"Why \g<what>", asked)
    asked = _WAS_POSITIVE.sub(r"Did \g<who> report \g<sign> \g<of>income\g<when>?", asked)
    if has := _HAS_ANY.match(asked):
        when = has["when"] or ""
        amount = _figure_of(f"What was {has['who']}'s {has['what']}{when}?", (), register)
        if amount is None or amount.value <= 0:
            return None
        return replace(amount, text=f"Yes, {has['what']}: {amount.text}")
    limit = limit_in(asked) if VERB.match(asked) else None
    if limit is not None:
        figure = _figure_of(limit.asked, (), register)
        return limit.told_of(figure) if figure else None
    asked = _LOST.sub(r"What was \g<who>'s loss\g<when>?", asked)
    asked = _LOST_ON.sub(r"What was \g<who>'s \g<of> operating loss\g<when>?", asked)
    asked = _MADE.sub(r"What was \g<who>'s net income\g<when>?", asked)
    asked = _MADE_FROM.sub(r"What was \g<who>'s \g<of> revenue\g<when>?", asked)
    asked = _BORROWED.sub(r"What were \g<who>'s debt issuances\g<when>?", asked)
    asked = _AMOUNT_THAT.sub(r"How much \g<what> did \g<who> \g<verb>\g<when>?", asked)
    asked = _INTEREST_EARNED.sub(r"What was \g<who>'s interest income\g<when>?", asked)
    asked = _GENERATED.sub(r"What was \g<who>'s cash from operations\g<when>?", asked)
    asked = _DEPENDS.sub(r"What share of \g<who>'s revenue came from \g<on>\g<when>?", asked)
    asked = _HELD_BACK.sub(r"Why did \g<what> fall?", _HELPED.sub(r"Why did \g<what> rise?", asked))
    if loss := _LOSS_OF.match(asked):
        of = "net" if register.companies.named_in(loss["who"]) else "operating"
        asked = f"What was {loss['who']}'s {of} loss{asked[loss.end() :]}"
    named = _with_owners(in_words_of_filings(_AND_WHY.sub("", asked), register.profile), register)
    named = in_own_names(named, register)
    text = without_base(as_a_move(named))
    parts = parts if text == named else ()
    conditions = conditions_of(text, register)
    if conditions is None or _is_of_no_end(whole, conditions):
        return None
    if _CAUSE_ASKED.match(text):  # of sentences and rows that differ in the way it went the sentence tells why
        return _of_cause(text, register) or _against_premise(text, conditions, register)
    if why := _of_cause(text, register):
        return why
    if AGAINST_QUARTER_BEFORE.search(text) and RISES.search(text):
        return of_sequence(text, conditions, register)
    chosen = CHOOSES.search(text) is not None and len(conditions.companies) > 1
    if chosen and (made := of_the_most(text, conditions, register)):
        return made
    if len(parts) > 1 and (made := of_parts(text, parts, conditions, register)):
        return made
    if len(conditions.companies) > 1:
        made = of_the_most(text, conditions, register) or of_companies(text, register)
        made = made or of_either(text, conditions, register)
    else:
        if asks_for_pace(named):
            return of_pace(named, conditions, register)
        made = of_the_most_part(text, conditions, register) or of_share(text, conditions, register)
        made = made or of_debt(text, conditions, register) or of_margin(text, conditions, register)
        made = made or of_quarter(text, conditions, register) or of_sign(text, register)
        made = made or _of_two_items(text, conditions, register) or of_either(text, conditions, register)
        made = made or _of_their_ratio(text, conditions, register)
        periods = {date.key for date in dates(text) if not date.is_day}
        is_of_several = len(periods) > FEWEST_SIDES  # a change is from one to another
        if made is None and (is_of_several or not RISES.search(text)):
            made = of_periods(text, register)
        read = read_asked(text if text != whole else question, register.profile)
        made = made or of_asked(read, conditions, register)
        made = made or of_named_parts(text, conditions, register)
        made = made or of_cash_and_securities(text, conditions, register)
        made = made or of_both_terms(text, conditions, register)
    made = made or of_move(named, register) or of_periods(text, register) or of_year(text, conditions, register)
    made = made or of_ratio(text, conditions, register) or of_doubled(text, register)
    made = made or of_flow(text, conditions, register)
    made = made or of_flow_left(text, conditions, register)
    made = made or of_year_to_date(text, conditions, register) or of_year_before(text, conditions, register)
    return made or of_year_end(text, conditions, register)


def _of_two_items(text: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """Two line items of a company, and whether or which is more: "Does Apple have more debt than cash?"."""
    spans = [span for _, span in register.profile.named_in(text)]
    if not (VERB.match(text) or WHO_MORE.search(text)) or len(spans) != FEWEST_SIDES or len(conditions.companies) != 1:
        return None
    named = [text[start:end] for start, end in spans]
    left = set(unexplained(read_asked(text, register.profile), register))
    if left - OF_SIDES - ASIDE or not _OR_THAN.search(text, spans[0][1], spans[1][0]):
        return None
    who = register.companies.labels[conditions.companies[0]]
    when = " ".join(text[slice(*date.span)] for date in dates(text))
    moves = RISES.search(text) is not None
    asked = f"How much did {who}'s {{}} change in {when}?" if moves else f"What was {who}'s {{}} in {when}?"
    told = ((name, _figure_of(asked.format(name), (), register)) for name in named)
    made = [(name, figure) for name, figure in told if figure is not None]
    lets_choose = not VERB.match(text)
    return beside_each_other(text, made, by_size=lets_choose) if len(made) == FEWEST_SIDES else None


def _of_their_ratio(text: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """One line item of a company as a multiple of another: "the ratio of current assets to current liabilities"."""
    ratio = _RATIO_OF.search(text)
    if ratio is None or len(conditions.companies) != 1:
        return None
    who = register.companies.labels[conditions.companies[0]]
    when = " ".join(text[slice(*date.span)] for date in dates(text))
    made: list[tuple[str, Figure]] = []
    for side in (ratio["one"], ratio["other"]):
        item = bare(side, register).removeprefix("its ")
        is_item = len(register.profile.named_in(item)) == 1
        is_alone = is_item and not unexplained(read_asked(item, register.profile), register)
        figure = _figure_of(f"What was {who}'s {item} in {when}?", (), register) if is_alone else None
        made += [(item, figure)] if figure else []
    if len(made) != FEWEST_SIDES or not size(made[1][1]):
        return None
    times = size(made[0][1]) / size(made[1][1])
    beside = side_by_side(made)
    return replace(beside, text=f"{times:.2f}, {beside.text}")


def why_no_figure(question: ParsedQuestion, index: Corpus) -> str:
    """Why a figure cannot be looked up: it is of no company, among filings of several, or of a quarter of none.

    Empty in other cases.
    """
    register = register_of(index)
    if register is None or not register.is_all_filings or len(set(register.companies.of)) == 1:
        return ""
    text = question.text
    if conditions_of(text, register) is not None:
        why = _why_of_no_report(text, register)
        return "" if why and figure_of(question, index) else why
    if _OF_ANY.search(text) or not register.profile.named_in(text) or kind_of_answer(text) == "definition":
        return ""
    return "" if any(not register.profile.named_in(name) for name, _ in question.names) else _SEVERAL_COMPANIES


def _why_of_no_report(question: str, register: Register) -> str:
    """That a figure is asked for of a quarter of which a company has no report here, where its reports are quarterly.

    What is expected of such a quarter may be told; what it brought is not.
    """
    text = in_words_of_filings(question, register.profile)
    companies = {mention.company for mention in register.companies.named_in(text)}
    periods = dates(text)
    if not len(companies) == len(periods) == 1 or not register.profile.named_in(text) or not asks_for_value(text):
        return ""
    own = register.of_company(companies.pop())
    newest, oldest = own[0].end, own[-1].end
    if newest is None or oldest is None or asks_for_forecast(text) or not all(_is_quarterly(filing) for filing in own):
        return ""
    items = [item.statement for item, _ in register.profile.named_in(text) if isinstance(item, LineItem)]
    of_time = "balance sheet" not in items and len(items) == len(register.profile.named_in(text))
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


def _with_owners(question: str, register: Register) -> str:
    """The question with companies by their names that it calls by something of theirs: "the GeForce people"."""
    owned = {mention.span[0]: mention.company for mention in register.owners_of_names(question)}
    for called in reversed(list(_CALLED_BY.finditer(question))):
        company = owned.get(called.start("name"))
        if company is not None and not register.companies.named_in(called["name"]):
            label = f"{register.companies.labels[company]}{called['of'] or ''}"
            question = f"{question[: called.start()]}{label}{question[called.end() :]}"
    return question


def _against_premise(question: str, conditions: FilingConditions, register: Register) -> Figure | None:
    """How something changed of which a question asks why it rose or fell, where it went the other way; else None."""
    change = _CAUSE_ASKED.sub("", question).strip()
    way = way_named(change)
    if not way or _NOT_A_YEAR_BEFORE.search(change) or len(conditions.companies) != 1:
        return None
    figure = of_one(change, conditions, register)
    if figure is None or figure.unit != "percent" or not figure.value or (figure.value > 0) == (way == "up"):
        return None
    verb = "rise" if way == "up" else "fall"
    return replace(figure, text=f"It did not {verb}: {figure.text}", denies=True)


def _of_cause(question: str, register: Register) -> Figure | None:
    """Why something rose or fell, or what partially offset that, where that is all that a question asks."""
    if offset := ASKS_OFFSET.match(question):
        conditions = conditions_of(offset["change"], register)
        return of_cause(offset["change"], conditions, register, offsets=True) if conditions else None
    clauses = [clause.text for clause in parse(question).clauses]
    if not clauses or not _CAUSE_ASKED.match(clauses[0]) or not all(map(_OFFSET_ASKED.search, clauses[1:])):
        return None
    change = _ALTHOUGH.sub("", _CAUSE_ASKED.sub("", clauses[0])).strip()
    change = _LOSS_MOVED.sub(_as_income, change)
    conditions = conditions_of(change, register)
    return of_cause(change, conditions, register) if conditions else None


# Example: "Why did its operating loss widen?" Counter-example: "Why did its loss of staff grow?"
_LOSS_MOVED = re.compile(
    r"(?i)\b(?P<of>operating |net )?loss(?:es)? "
    r"(?:(?P<less>narrow|shrink|improve|lessen)|widen|grow|increase|deepen|worsen)(?:ed|s|n)?\b"
    r"|\b(?:lose|losing|lost) money\b"
)


def _as_income(moved: re.Match[str]) -> str:
    """A loss that grew as an income that fell, which reports tell the cause of."""
    return f"{moved['of'] or 'operating '}income {'rise' if moved['less'] else 'fall'}"


def parts_of(aspects: Sequence[QueryAspect]) -> tuple[tuple[str, str], ...]:
    """The things that aspects set side by side, each with what is asked of it; empty unless there are several."""
    each = [(a.subject, a.aspect) for a in aspects if a.aspect_type != "comparison"]
    alike = len(each) > 1 and all(_is_side(aspect) for aspect in aspects)
    if not alike or not all(subject for subject, _ in each):
        return ()
    if len({subject for subject, _ in each}) < len(each):  # several things of one: "Net sales of A", "EPS of A"
        return tuple((name, name) for _, name in each)
    return tuple(each)


def _is_side(aspect: QueryAspect) -> bool:
    """Whether an aspect is one side of a comparison, or asks what others ask of the thing in front of its colon."""
    names_its_thing = bool(aspect.subject) and aspect.aspect.startswith(f"{aspect.subject}: ")
    return aspect.aspect_type in ("comparison", "facet") or names_its_thing


def places_of_figures(
    question: str, index: Corpus, parts: Sequence[tuple[str, str]], figure: Figure | None
) -> tuple[str, ...]:
    """The ids of the passages that hold the figure of a question, or those of its parts that have one."""
    register = register_of(index)
    if register is None:
        return ()
    operands = list(figure.operands) if figure else []
    conditions = conditions_of(question, register)
    if not operands and conditions is not None and len(parts) > 1:
        made = figures_of(question, parts, conditions, register)
        operands = [operand for _, each in made if each for operand in each.operands]
    return tuple(dict.fromkeys(operand.passage_id for operand in operands))
