"""A figure of one company: from its statements, from the row of any table, or as a sentence of its filing says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from adaq_core.filings.conditions import (
    ANNUAL,
    BESIDE_YEAR_BEFORE,
    AskedFigure,
    FilingConditions,
    asks_for_forecast,
    read_asked,
)
from adaq_core.filings.formula import FormulaError, LineItem, LineItems, Ratio, computed, letters_of, read_formula
from adaq_core.filings.pages import joined
from adaq_core.filings.register import Filing, Register
from adaq_core.filings.rows import (
    SPENT,
    Quarter,
    amounts_beside,
    amounts_said,
    changes_said,
    dividends_declared,
    forecasts_said,
    left_to_buy,
    none_bought,
    nothing_said,
    parts_said,
    shares_bought,
    shares_in_table,
    sums_said,
    totals_said,
)
from adaq_core.filings.statement_figures import (
    FACTORS,
    OF_COSTS,
    SURE,
    VERB,
    Figure,
    Operand,
    StatementFigure,
    asks_for_value,
    in_billions,
    per_share,
)
from adaq_core.filings.tables import TableRow, rows_for, table_rows
from adaq_core.filings.told import asks_for_contents, of_officers, shares_of_cover, told
from adaq_core.question.parse import ParsedQuestion
from adaq_core.text.tokens import terms_of, words
from adaq_core.text.values import dates

RISES = re.compile(
    r"\b(?:chang|grow|grew|grown|increas|decreas|declin|fall|fell|fallen|rise|rose|risen|drop|mov(?:e|ed)\b|shrink|shrank"
    r"|shrunk|slump|plunge|slid\b|slide\b|jump|climb|surg(?:e|ed)\b|soar|how (?:much|far) (?:higher|lower)\b"
    r"|(?:was|were)\b.{2,80}\b(?:up|down)\b)",
    re.IGNORECASE,
)
GROWTH = re.compile(r"\bgrowth\b|\bgr[eo]w\b", re.IGNORECASE)
_AT_A_DAY = re.compile(r"\b(?:at|as of|by|on)(?: the)? (?:end of|[A-Z][a-z]+ \d|\d)|\boutstanding\b")
_CHANGES_IN = re.compile(r"changes? in\b", re.IGNORECASE)
_AND_MORE = re.compile(r" and other .*$")
_COUNT = re.compile(r"^how many\b", re.IGNORECASE)
_LONG_NAME = re.compile(r"\b[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,4}\b")
_CAPITALS = re.compile(r"\b[A-Z]{2,6}\b")
_NAME_BEFORE = re.compile(r"[A-Z][\w&-]{1,20}(?: (?:(?:and|of|the|for) )?[A-Z][\w&-]{0,20}){1,6}$")
_LONGEST_NAME = 80
_NOT_THE_ITEM = frozenset(("other", "without", "excluding", "except"))  # "other revenue" is not revenue
_SPENDS = re.compile(
    r"\b(?:costs?|spends?|spent|spending|expens(?:e|es)|bills?|charges?|pay|paid|payments?|los(?:e|s|t|es|ses))\b",
    re.IGNORECASE,
)
_COSTS = re.compile(
    r"cost|expens|charge|purchase|payment|paid|compensation|depreciation|amorti|severance|tax|interest|rent|marketing|research",
    re.IGNORECASE,
)
_FEWEST_ITEMS = 2
_FEWEST_WORDS = 2  # of a sentence that tells an amount, besides its company and period
_SIX, _NINE = (
    re.compile(r"\bsix months|\bfirst half\b", re.I),
    re.compile(r"\bnine months|\bfirst three quarters", re.I),
)
_TWELVE = re.compile(
    r"\b(?:trailing|last|past|rolling)[- ](?:twelve|12)[- ]months?\b|\btwelve months ended\b|\b(?:ttm|ltm)\b",
    re.IGNORECASE,
)
_SHARE_OF_ALL = re.compile(r"\b(?:share|percentage|percent|proportion|part|fraction) of\b", re.IGNORECASE)
_SHARE_ASKED = re.compile(r"\bpercent|%|\bshare of\b|\bmargin\b", re.IGNORECASE)
_RATE_ASKED = re.compile(r"\b(?:interest|tax|discount|growth|coupon) rates?\b|\byield\b", re.IGNORECASE)
_ASIDE_WORDS = """
segment segments business unit group line division closed up down accounted account contribute contributed represent
represented during product products category much grew grow grown increase decrease decline
declined fall fell rise rose drop dropped increased decreased changed per cent six nine twelve month months half
quarters far fast move moved shrink shrank shrunk slump slumped plunge plunged slide slid jump jumped climb climbed
trailing rolling ttm ltm trailing-twelve-month cool cooled slow slowed accelerate accelerated quicken quickened surge
surged higher lower than soar soared badly sharply steeply year-on-year against before earlier prior previous compared
versus late early
"""
ASIDE = frozenset(_ASIDE_WORDS.split())
_OF_PRODUCTS = ("product", "products")
_OF_A_LOSS = re.compile(r"\bnet loss|\boperating loss|\bin the red\b", re.IGNORECASE)
_MOST_SUBJECT = 5
_NO_AMOUNT = re.compile(r"\bhow many\b(?! percent)|\bwhy\b|^what (?:drove|caused|led)\b", re.IGNORECASE)
_OF_EACH = re.compile(
    r"\b(?:by|per|each|every|across) (?:of (?:the|its) )?(?:reportable |operating |reporting )?"
    r"(?:segments?|regions?|products?|categor(?:y|ies)|countr(?:y|ies)|geograph(?:y|ies)|units?|divisions?)\b",
    re.IGNORECASE,
)
_OF_A_COUNT = re.compile(r"\b(?:employees|headcount|number of|members|customers|stores|staff|people)\b", re.IGNORECASE)
_MONTHS_OF_A_YEAR, _MONTHS_OF_A_QUARTER = 12, 3
_OF_FORECASTS = terms_of(
    "range guide guides guiding guidance guided expect expected expects forecast forecasts outlook project projected"
)
OF_STOCK = terms_of("buy bought purchase purchased own stock share shares common money cash go went put dollars back")
LEFT_ASKED = re.compile(
    r"\b(?:authori[sz]ation|program(?:me)?|buybacks?)\b.{0,40}\b(?:left|remain\w{0,3}|unused|available)\b"
    r"|\b(?:left|remain\w{0,3}|unused|available)\b.{0,80}\b(?:authori[sz]ation|program(?:me)?|buybacks?)\b",
    re.IGNORECASE,
)
_ANY_BOUGHT = re.compile(r"^(?!.*\b(?:more|less|most|least|over)\b).*\b(?:any|shares|stock)\b", re.IGNORECASE)
OF_LEFT = terms_of(
    "left remain remained remaining remains unused available authorization program board under still any"
)
_PER_SHARE = re.compile(r"\b(?:per|a|each) share\b", re.IGNORECASE)
_OF_CASH = terms_of("equivalents")
_OF_DECLARED = terms_of("declare declared per share each")
_OF_TOTALS = terms_of("total book close sheet")
_OF_AMOUNTS = terms_of("paying range amount sum value total bill cost costs money there")
_OF_ANY_AMOUNT = _OF_AMOUNTS | terms_of("the our its total expense expenses spending charge charges revenue sales")
_HEAD_OF_SENTENCE = re.compile(
    r"(?:• ?)?(?P<of>[A-Z][\w’' &-]{2,60}?)(?:,| (?:was|were|totaled|increased|decreased|reached)\b)"
)
_PARTS_OF_IT = re.compile(  # of "cloud revenue, which includes storage, was $5 billion" storage is but a part
    r", (?:which )?includ(?:es?|ing) [^.]{1,300}, (?=(?:was|were|increased|decreased|grew|rose|fell|declined)\b)"
)
_EXPECTS = re.compile(r"\b(?:we|the Company)(?: currently)? expects?\b", re.IGNORECASE)
_OF_SHARES = re.compile(  # "Diluted" below it is a count of shares
    r"\bshares (?:used|issued|outstanding|of common stock outstanding)\b|\bweighted[- ]average\b.{0,40}\bshares\b"
    r"|\bnumber of shares\b",
    re.IGNORECASE,
)
_OF_GROWTH = re.compile(r"\bgrowth\b|\bchange\b|\bincrease\b", re.IGNORECASE)
_TOTAL = re.compile(r"\btotal\b", re.IGNORECASE)
_Read = tuple[TableRow, int, float]


def of_one(
    question: ParsedQuestion | str, conditions: FilingConditions, register: Register, profile: LineItems
) -> Figure | None:
    """The figure of one company: from its statements, else from the row of any table; no loss where it was none."""
    return of_asked(read_asked(question, profile), conditions, register, profile)


def of_asked(asked: AskedFigure, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """The figure of one company that a question which was read asks for."""
    if len(conditions.companies) != 1:
        return None
    asked = _of_dividends(asked, profile)
    if other := told(asked, conditions, register, profile):
        return other
    is_of_role, officers = of_officers(asked, conditions, register, profile)
    if is_of_role or officers:
        return officers
    figure = _of_statements(asked, conditions, register, profile)
    if shares := shares_of_cover(asked, conditions, register, profile):
        return shares
    row = _RowFigure(_spelled_out(asked, conditions, register), conditions, register, profile)
    total, is_told = row.total_said()
    if total or (is_told and not _is_of_total(figure)):
        figure = total  # what a balance sheet has a row of is but the part that is due within a year
    elif asks_for_forecast(asked.text):
        figure = row.said()  # no statement and no table tells what is expected
    elif any(isinstance(item, LineItem) and item.name in SPENT for item in asked.named):
        figure = row.said() or figure or row.figure()  # a row of equity counts taxes and shares withheld too
    else:
        readers = (row.figure, row.margin, row.share, row.said, row.dividends_declared)
        figure = figure or next(filter(None, (read() for read in readers)), None)
    return _no_loss(figure, asked.text)


def _is_of_total(figure: Figure | None) -> bool:
    """Whether a figure was read from a row that is called a total."""
    return figure is not None and figure.operands[0].label.lower().startswith("total")


def _of_dividends(asked: AskedFigure, profile: LineItems) -> AskedFigure:
    """The question with dividends per share as its item, where that is what it asks for of dividends."""
    is_of_one_share = _PER_SHARE.search(asked.text) is not None
    if not is_of_one_share or [item.name for item in asked.named] != ["dividends paid"]:
        return asked
    return replace(asked, named=(profile.items["dividends per share"],))


def _of_statements(
    asked: AskedFigure, conditions: FilingConditions, register: Register, profile: LineItems
) -> Figure | None:
    """The figure of the statements, or the change of a percentage that is computed from them."""
    statements = StatementFigure(asked, conditions, register, profile)
    if repeated := statements.repeated():
        return repeated
    with suppress(FormulaError):
        if figure := statements.figure():
            return figure
    with suppress(FormulaError):
        if RISES.search(asked.text) and not set(statements.unexplained()) - ASIDE:
            return statements.against_year_before()
    return None


def _spelled_out(asked: AskedFigure, conditions: FilingConditions, register: Register) -> AskedFigure:
    """The question with the long names of the initials that the filing gives for them: "Client Computing (CCG)"."""
    short = list(dict.fromkeys(_CAPITALS.findall(asked.text)))
    filing = conditions.weights[0][0]
    if not short or not conditions.is_of_one:
        return asked
    text, spelled = joined(register.passages(filing.places))[0], asked.text
    for initials in short:
        at = text.find(f" ({initials})")
        name = _NAME_BEFORE.search(text[max(0, at - _LONGEST_NAME) : at]) if at > 0 else None
        if name is not None:
            spelled = re.sub(rf"\b{initials}\b", name.group(), spelled)
    return replace(asked, text=spelled)


def _no_loss(figure: Figure | None, asked: str) -> Figure | None:
    """The figure; where a loss is asked for and an income was found, that it was none."""
    if figure is None or not _OF_A_LOSS.search(asked) or RISES.search(asked) or len(figure.operands) != 1:
        return figure
    is_income = "income" in figure.operands[0].label.lower() and figure.unit in FACTORS and figure.operands[0].value > 0
    return replace(figure, text=f"no loss, an income of {figure.text}", denies=True) if is_income else figure


@dataclass(frozen=True, slots=True)
class _RowFigure:
    """A figure that stands in one row of one filing's tables, in all of them the same."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register
    profile: LineItems

    def figure(self) -> Figure | None:
        """The value of the row, or how it changed against the year before."""
        filing = self._filing()
        items = [_as_item(each) for each in dict.fromkeys(self.asked.named)]
        if filing is None or len(items) > 1 or not self._asks():
            return None
        item = items[0] if items else self._of_growth()
        months = self._months(filing, item)
        year = filing.end.year if filing.end else filing.year or 0
        read = self._read(filing, item, months, year)
        if read is None:
            return None
        row, place, value = read
        if RISES.search(_besides(row.label, self.asked.text)):
            return self._changed(filing, row, place, value, months, year)
        if item is not None and item.is_per_share:
            text = per_share(value, row.mark)
        elif not row_is_percent(row, months, year):
            text = _money(value, row)
        else:
            text = f"{value:g}%"
        operand = self._operand(filing, row, place, value, year)
        return Figure(text, value, row.unit, f"the row {_told(row, value, year)}", (operand,))

    def margin(self) -> Figure | None:
        """A percentage of a part of the issuer, from its rows: the operating margin of a segment."""
        ratios = [each for each in dict.fromkeys(self.asked.named) if isinstance(each, Ratio)]
        if len(ratios) != 1 or ratios[0].unit != "percent" or not self._subject() or RISES.search(self.asked.text):
            return None
        spans = [span for each, span in self.profile.named_in(self.asked.text) if each == ratios[0]]
        read: dict[str, Figure] = {}
        for item in self.profile.items_of(ratios[0]):
            text = f"{self.asked.text[: spans[0][0]]}{item.name}{self.asked.text[spans[0][1] :]}"
            figure = replace(self, asked=replace(self.asked, text=text, named=(item,))).figure()
            if figure is None:
                return None
            read[item.name] = figure
        with suppress(FormulaError):
            formula = read_formula(ratios[0].formula, self.profile)
            value = computed(formula, lambda item, _: read[item.name].operands[0].value, year=0)
            return _of_rows(100 * value, ratios[0].formula, list(read.values()))
        return None

    def share(self) -> Figure | None:
        """What share of an item a part makes up, from its row and that of the whole."""
        items = list(dict.fromkeys(self.asked.named))
        share, periods = _SHARE_OF_ALL.search(self.asked.text), dates(self.asked.text)
        if share is None or len(items) != 1 or not isinstance(items[0], LineItem) or not self._subject():
            return None
        part = replace(self, asked=replace(self.asked, text=_SHARE_OF_ALL.sub("", self.asked.text))).figure()
        when = " ".join(self.asked.text[slice(*date.span)] for date in periods)
        asked = replace(self.asked, text=f"What was {items[0].name} {when}")
        whole = _of_statements(asked, self.conditions, self.register, self.profile)
        if part is None or whole is None or not 0 < part.operands[0].value < whole.operands[0].value:
            return None
        value = 100 * part.operands[0].value / whole.operands[0].value
        return _of_rows(value, f"the part / {items[0].name}", [part, whole])

    def said(self) -> Figure | None:
        """The change or the sum that the sentences of the filing say, where all that say it agree."""
        named = list(dict.fromkeys(self.asked.named))
        filing, items = self._filing(), [each for each in named if isinstance(each, LineItem)]
        if filing is None or len(items) != len(named) or len(items) > 1:
            return None
        if made := self._buyback_said(filing):
            return made
        if _COUNT.search(self.asked.text):
            return self._amount_said(filing)
        if not self._asks() or asks_for_contents(self.asked.text):
            return None
        if filing.form in ANNUAL or self._months(filing, None) not in (0, _MONTHS_OF_A_QUARTER):
            return None
        item = items[0].name if items else "revenue"
        if asks_for_forecast(self.asked.text):
            return self._expected(filing, item)
        if item == "revenue" and RISES.search(self.asked.text):
            return self._change_said(filing)
        if items and items[0].said and RISES.search(self.asked.text):
            return self._amount_beside(filing, items[0])
        if item in SPENT or RISES.search(self.asked.text):
            return self._sum_said(filing, item)
        return self._amount_said(filing)

    def total_said(self) -> tuple[Figure | None, bool]:
        """The total of an item of the balance sheet as a sentence tells it, and whether any tells such a total."""
        filing, items = self._filing(), [each for each in self.asked.named if isinstance(each, LineItem)]
        if filing is None or len(items) != 1 or items[0].statement != "balance sheet":
            return None, False
        low = self.asked.text.lower()
        named = (items[0].name, *items[0].words)
        phrase = next((word for word in named if f"total {word}" in low), "")
        if not phrase or items[0].name.startswith("total") or RISES.search(low):
            return None, False
        if self._subject() - _OF_TOTALS or not self._asks():
            return None, False
        text = self._text(filing)
        totals = dict(totals_said(text, phrase, _quarter_of(filing), filing.end))
        return self._of_only(filing, totals), f"total {phrase}" in text.lower()

    def _amount_beside(self, filing: Filing, item: LineItem) -> Figure | None:
        """How an amount changed against the year before, where one sentence tells both."""
        phrases = [terms_of(word) for word in item.said]
        told = {}
        for old, new, sentence in amounts_beside(self._text(filing), _quarter_of(filing)):
            head = _head_terms(sentence)
            if any(phrase <= head for phrase in phrases) and not self._subject():
                told[f"from {old} to {new}"] = sentence
        return self._of_only(filing, told)

    def _change_said(self, filing: Filing) -> Figure | None:
        owner = terms_of(self.register.companies.labels[filing.company])
        subject = self._subject()
        changes = changes_said(self._text(filing), _quarter_of(filing)) if subject else ()
        named = {percent: (terms_of(name) - owner, name, sentence) for name, percent, sentence in changes}
        sentences = {percent: sentence for percent, (terms, _, sentence) in named.items() if terms == subject - owner}
        if not sentences:  # "Azure" of "Azure and other cloud services"
            sentences = {
                percent: sentence
                for percent, (_, name, sentence) in named.items()
                if terms_of(_AND_MORE.sub("", name)) - owner == subject - owner
            }
        if len(sentences) != 1:
            return None
        percent, sentence = next(iter(sentences.items()))
        way = "up" if percent >= 0 else "down"
        text = f"{way} {abs(percent):g}%"
        if asked_way := _way_asked(self.asked.text):
            text = f"{'Yes' if asked_way == way else 'No'}, {text}"
        return self._of_sentence(filing, text, percent, "percent", sentence)

    def _amount_said(self, filing: Filing) -> Figure | None:
        """The amount that the sentences which say all of what is asked for tell, where all of them tell the same."""
        items = [each for each in self.asked.named if isinstance(each, LineItem)]
        subject = self._subject() - _OF_AMOUNTS
        phrases = [terms_of(each) for item in items for each in item.said or (item.name, *item.words)]
        told_alone = any(item.said for item in items)  # else the item's own row would have told it
        heads_only = len(subject) + _FEWEST_WORDS * told_alone + bool(items) < _FEWEST_WORDS
        if not (subject or told_alone) or (heads_only and kind_of_sum(self.asked.text) != "money"):
            return None
        kind = kind_of_sum(self.asked.text)
        text = self._text(filing)
        none = [each for each in nothing_said(text, filing.end) if subject <= terms_of(each.partition("$")[0])]
        part = self._part_said(filing, subject) if kind == "money" and subject and not items else None
        if none and subject and not items:
            return None if part else self._of_sentence(filing, "none", 0.0, kind, none[0])
        if part is not None:
            return part
        candidates: list[tuple[str, str, frozenset[str]]] = []
        short = _short_forms(self.asked.text, text)
        for amount, sentence in amounts_said(text, kind, _quarter_of(filing), filing.end):
            expects = _EXPECTS.search(sentence)
            if expects and expects.start() < sentence.find(amount):
                continue  # what is expected was asked for by a word of its own
            if heads_only and _head_terms(sentence) != subject:
                continue  # of "Shipping costs, …, were $20 billion" the shipping costs are what the sentence is about
            plain = _PARTS_OF_IT.sub(", ", sentence)
            said = terms_of(plain if not items or told_alone else plain[: plain.find(amount)])
            if not items and self.profile.named_in(sentence[: sentence.find(amount)]):
                continue  # "Cash capital expenditures were $15 billion, to support technology"
            said |= {term for word in _CAPITALS.findall(sentence) for term in short.get(word, ())}
            if subject <= said and self._is_of_its_month(sentence, filing):
                candidates.append((amount, sentence, said))
        for phrase in phrases or [frozenset()]:
            amounts = {amount: sentence for amount, sentence, said in reversed(candidates) if phrase <= said}
            converted = {
                amount for amount in amounts if any(f"({amount})" in sentence for sentence in amounts.values())
            }
            if amounts:
                break
        else:
            return None
        if len(amounts.keys() - converted) != 1:
            return None
        amount, sentence = next((a, s) for a, s in amounts.items() if a not in converted)
        return self._of_sentence(filing, amount, 0.0, kind, sentence)

    def _part_said(self, filing: Filing, subject: frozenset[str]) -> Figure | None:
        """The one amount that a sentence with several tells of a thing: "$5.0 billion under the Term Loan"."""
        parts = parts_said(self._text(filing), filing.end)
        told = {amount: sentence for amount, thing, sentence in parts if subject <= terms_of(thing)}
        return self._of_only(filing, told)

    def dividends_declared(self) -> Figure | None:
        """The dividends that were declared for one share, as a statement of equity tells them beside its label."""
        filing, items = self._filing(), [each.name for each in self.asked.named]
        if filing is None or items != ["dividends per share"] or self._subject() - _OF_DECLARED:
            return None
        declared = dividends_declared(self._text(filing), filing.end, self._months(filing, None))
        return self._of_only(filing, {per_share(share, "$"): row for share, row in declared}, unit="")

    def sum_said(self) -> Figure | None:
        """The sum of items of the balance sheet that a question lists and one sentence tells as it lists them."""
        filing, named = self._filing(), self.profile.named_in(self.asked.text)
        if filing is None or self._subject() - _OF_CASH or RISES.search(self.asked.text):
            return None
        listed = _as_listed(self.asked.text[named[0][1][0] : named[-1][1][1]])
        amounts = amounts_said(self._text(filing), "money", _quarter_of(filing), filing.end)
        told = {amount: sentence for amount, sentence in amounts if _tells_sum(_as_listed(sentence), listed)}
        return self._of_only(filing, told)

    def _is_of_its_month(self, sentence: str, filing: Filing) -> bool:
        """Whether a sentence that names months names the one that is asked for, or that the period ends in."""
        asked = {(date.year, date.month) for date in dates(self.asked.text) if date.month}
        months = {(date.year, date.month) for date in dates(sentence) if date.month}
        end = {(filing.end.year, filing.end.month)} if filing.end else set()
        years = {date.year for date in dates(sentence)}
        known = {year for year, _ in asked | end} | {filing.own[0] if filing.own else filing.year}
        if years and not years & known:
            return False  # "In 2009, the Commission imposed a fine"
        return not asked or not months or bool(months & (asked | end))

    def _sum_said(self, filing: Filing, item: str) -> Figure | None:
        if self._subject() - OF_STOCK:
            return None
        sums = dict(sums_said(self._text(filing), item, _quarter_of(filing)))
        if len(sums) != 1:
            return None
        shown, sentence = next(iter(sums.items()))
        number, unit = shown.lstrip("$").split()
        return self._of_sentence(filing, shown, float(number.replace(",", "")), unit, sentence)

    def _buyback_said(self, filing: Filing) -> Figure | None:
        """What is left to buy shares for, whether any were bought back in the period, and how many."""
        asked, items = self.asked.text, {each.name for each in self.asked.named}
        if items != {"share repurchases"} or self._subject() - OF_STOCK - OF_LEFT or filing.form in ANNUAL:
            return None
        text, quarter, months = self._text(filing), _quarter_of(filing), self._months(filing, None)
        if LEFT_ASKED.search(asked):
            return self._of_only(filing, dict(left_to_buy(text, filing.end, asked)))
        if not (_COUNT.search(asked) or (VERB.match(asked) and _ANY_BOUGHT.search(asked))):
            return None
        if none := next(none_bought(text, quarter, months, filing.end), None):
            return self._of_sentence(filing, "No, none" if VERB.match(asked) else "none", 0.0, "count", none)
        bought = dict(shares_bought(text, quarter, months))
        if not bought and months == _MONTHS_OF_A_QUARTER and (row := shares_in_table(text)):
            value, unit, quote = row
            said = f"{value:,.10g} {unit}".strip()
            if unit == "thousand":
                said = f"{said} ({value * FACTORS[unit] / FACTORS['million']:,.1f} million)"
            return self._of_sentence(filing, f"{said} shares", 0.0, "count", quote)
        if len(bought) != 1:
            return None
        count, sentence = next(iter(bought.items()))
        said = f"Yes, {count} shares" if VERB.match(asked) else f"{count} shares"
        return self._of_sentence(filing, said, 0.0, "count", sentence)

    def _expected(self, filing: Filing, item: str) -> Figure | None:
        """What the filing expects of the quarter asked for, which the lines above its sentence name."""
        asked = {(date.year, date.quarter) for date in dates(self.asked.text) if date.quarter}
        if self._subject() - _OF_FORECASTS:
            return None
        for name, shown, sentence, above in forecasts_said(self._text(filing)):
            named = [each.name for each, _ in self.profile.named_in(name)]
            if named == [item] and asked & {(date.year, date.quarter) for date in dates(above)}:
                return self._of_sentence(filing, shown, 0.0, "", sentence)
        return None

    def _text(self, filing: Filing) -> str:
        return joined(self.register.passages(filing.places))[0]

    def _of_only(self, filing: Filing, told: dict[str, str], *, unit: str = "money") -> Figure | None:
        """The one thing that sentences tell, each with the sentence; None where they tell none or several."""
        if len(told) != 1:
            return None
        text, sentence = next(iter(told.items()))
        return self._of_sentence(filing, text, 0.0, unit, sentence)

    def _of_sentence(self, filing: Filing, text: str, value: float, unit: str, sentence: str) -> Figure | None:
        """A figure with the sentence that says it; None where no passage holds the whole sentence."""
        passages = self.register.passages(filing.places)
        holder = next((passage for passage in passages if sentence in passage.text), None)
        if holder is None:
            return None
        year = filing.year or 0
        operand = Operand(sentence, year, sentence, value, "text", holder.title, holder.passage_id, sentence)
        return Figure(text, value, unit, f"the sentence “{sentence}”", (operand,))

    def _of_growth(self) -> LineItem | None:
        """Revenue, which is what grows where nothing else is said to: "AWS growth"."""
        return self.profile.items.get("revenue") if GROWTH.search(self.asked.text) else None

    def _asks(self) -> bool:
        """Whether an amount or its change is asked for; a reason, or how many there are of a thing, is no amount."""
        if _NO_AMOUNT.search(self.asked.text) or _OF_EACH.search(self.asked.text):
            return False
        if GROWTH.search(self.asked.text) and BESIDE_YEAR_BEFORE.search(self.asked.text):
            return False  # two rates of growth, of which the table tells but one
        return asks_for_value(self.asked.text) or RISES.search(self.asked.text) is not None

    def _filing(self) -> Filing | None:
        """The one filing that is asked for."""
        best = self.conditions.weights
        if self.conditions.is_of_one and best[0][1] >= SURE and not self.conditions.spread:
            return best[0][0]
        return None

    def _months(self, filing: Filing, item: LineItem | None) -> int:
        is_balance = item is not None and item.statement == "balance sheet"
        if is_balance or (item is None and _AT_A_DAY.search(self.asked.text)):
            return 0
        if filing.form in ANNUAL:
            return 12
        if _TWELVE.search(self.asked.text):
            return _MONTHS_OF_A_YEAR
        if _SIX.search(self.asked.text):
            return 6
        return 9 if _NINE.search(self.asked.text) else 3

    def _unexplained(self) -> list[str]:
        statements = StatementFigure(self.asked, self.conditions, self.register, self.profile)
        return statements.unexplained()

    def _subject(self) -> frozenset[str]:
        left = self._unexplained()
        named = [word for word in left if word not in ASIDE]
        named = named or [word for word in left if word in _OF_PRODUCTS]
        return terms_of(" ".join(named))  # of an issuer that sells products and services each has its row

    def _read(self, filing: Filing, item: LineItem | None, months: int, year: int) -> _Read | None:
        """The row, its place and its value; None unless all rows that fit state the same."""
        subject = self._subject()
        if item is not None and item.name == "dividends per share":
            subject -= _OF_DECLARED
        left = self._unexplained()
        if len(subject) > _MOST_SUBJECT or not (subject or item) or (item and _NOT_THE_ITEM & set(left)):
            return None
        every = [each for each in table_rows(filing, self.register) if not self._is_a_count(each[0])]
        every = [each for each in every if not _OF_SHARES.search(" ".join((*each[0].heads[-1:], each[0].label)))]
        if "other" not in left:  # other income is no income
            every = [each for each in every if not each[0].label.startswith("Other ")]
        if item is None and _SPENDS.search(self.asked.text):
            every = [each for each in every if _is_of_costs(each[0])]
        if not RISES.search(self.asked.text) and not (item and item.statement.startswith("cash flow")):
            every = [each for each in every if not _CHANGES_IN.match(" ".join(each[0].heads[-1:]))]
        is_report = filing.form.endswith("report")
        asked = terms_of(self.asked.text)
        rows = rows_for(every, subject=subject, item=item, profile=self.profile, asked=asked, anywhere=is_report)
        shares = self._is_of_percent()
        in_notes = item is not None and item.statement == "notes"
        of_a_day = in_notes and _AT_A_DAY.search(self.asked.text)
        kept: list[_Read] = []
        for row, place in rows:
            if shares and _OF_GROWTH.search(" ".join((*row.heads, row.label))):
                continue  # a share of the whole is asked for
            cell = _cell(row, months, year)
            if cell is None and of_a_day:
                cell = _cell(row, 0, year)
            value, percent = cell or (None, False)
            if value is not None and percent == shares:
                kept.append((row, place, value))
        per_share = item is not None and item.is_per_share
        whole = [each for each in kept if shares or each[0].is_per_share == per_share]
        if per_share and not whole:
            return None
        likest = self._of_statements(_likest(whole or kept, self.asked.text))
        spent = item is None and _SPENDS.search(self.asked.text) is not None
        costs = spent or (item is not None and item.name in OF_COSTS)
        values = {abs(amount) if costs else amount for _, _, amount in likest}
        if len(values) != 1:
            return None
        row, place, _ = likest[0]
        return (row, place, values.pop()) if shares or row.unit else None

    def _is_of_percent(self) -> bool:
        """Whether percentages are asked for; how much an amount changed in percent is worked out from amounts."""
        ratio = any(isinstance(each, Ratio) and each.unit == "percent" for each in self.asked.named)
        return _SHARE_ASKED.search(self.asked.text) is not None and (ratio or not RISES.search(self.asked.text))

    def _is_a_count(self, row: TableRow) -> bool:
        """Whether a row counts people or places, which the question does not name: "Physical stores" may be sales."""
        counted = _OF_A_COUNT.search(row.label)
        return counted is not None and counted.group().lower() not in self.asked.text.lower()

    def _of_statements(self, rows: Sequence[_Read]) -> Sequence[_Read]:
        """The rows of statements where rows of notes say something else: "Fulfillment" has a part of stock awards."""
        headings = [heading for statement in self.profile.statements.values() for heading in statement.headings]
        own = [each for each in rows if each[0].is_under(headings)]
        return own if own and len({value for _, _, value in rows}) > 1 else rows

    def _changed(
        self, filing: Filing, row: TableRow, place: int, value: float, months: int, year: int
    ) -> Figure | None:
        if not months and filing.form not in ANNUAL:
            return None  # beside a quarter's end stands that of the last fiscal year, which is no year before
        before = _cell(row, months, year - 1)
        if before is None or before[0] == 0:
            return None
        stated = row.change(months, year) or row.change(0, year)
        if stated is not None:
            percent = stated
        else:
            percent = 100 * (value - before[0]) / abs(before[0])
        way = "up" if percent >= 0 else "down"
        old, new = (_money(each, row, short=False) for each in (before[0], value))
        text = f"{way} {abs(percent):.0f}%, from {old} to {new}"
        if before[1]:
            text = f"{'up' if value >= before[0] else 'down'} from {before[0]:g}% to {value:g}%"
        if asked_way := _way_asked(self.asked.text):
            text = f"{'Yes' if asked_way == way else 'No'}, {text}"
        step = f"the row {_told(row, value, year)}; {year - 1}: {before[0]:,.10g} ({row.unit}s)"
        return Figure(text, percent, "percent", step, (self._operand(filing, row, place, value, year),))

    def _operand(self, filing: Filing, row: TableRow, place: int, value: float, year: int) -> Operand:
        near = (place, place - 1, place + 1)  # a table may go on in the passage before or after
        passages = self.register.passages([number for number in near if number in filing.places])
        holder = next((passage for passage in passages if row.quote in passage.text), passages[0])
        quote = row.quote if row.quote in holder.text else row.label
        amount = value * FACTORS[row.unit]
        return Operand(row.label, year, row.label, amount, "table", holder.title, holder.passage_id, quote)


def of_sum(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """The sum of several items of the balance sheet, where a sentence tells it: cash and short-term investments."""
    asked = read_asked(question, profile)
    items = {each.name: each for each in asked.named if isinstance(each, LineItem)}
    if len(items) < _FEWEST_ITEMS or any(item.statement != "balance sheet" for item in items.values()):
        return None
    return _RowFigure(asked, conditions, register, profile).sum_said()


def _tells_sum(sentence: str, listed: str) -> bool:
    """Whether a sentence tells the amount of a list and not of a part: of "cash and bonds held abroad"."""
    before, found, behind = sentence.partition(listed)
    return bool(found) and not before.startswith("except") and behind.startswith(_ENDS_LIST)


_ENDS_LIST = (".", " totaled", " was", " were", " an ", " a ")


def _as_listed(text: str) -> str:
    """A list as it compares: without commas, in lower case."""
    return " ".join(text.lower().replace(",", " ").replace(" plus ", " and ").split())


def kind_of_sum(asked: str) -> str:
    """What is asked for: a count, a percentage or an amount of money."""
    if _COUNT.search(asked):
        return "count"
    return "percent" if _SHARE_ASKED.search(asked) or _RATE_ASKED.search(asked) else "money"


def _head_terms(sentence: str) -> frozenset[str]:
    """The terms of what a sentence is about, without words such as "costs" that any amount bears."""
    head = _HEAD_OF_SENTENCE.match(sentence)
    return terms_of(head["of"]) - _OF_ANY_AMOUNT if head else frozenset()


def _as_item(named: LineItem | Ratio) -> LineItem:
    """An item, or what a filing computes itself as the item of a row that bears its name: "Free cash flow"."""
    if isinstance(named, LineItem):
        return named
    names = dict.fromkeys(letters_of(word) for word in (named.name, *named.words))
    labels = (*(f"={name}" for name in names), *(f"={name}percentage" for name in names))
    return LineItem(named.name, "notes", named.words, labels)


def _besides(label: str, asked: str) -> str:
    """What a question says besides the words of a label: "Change in fair value" is an amount."""
    own = set(words(label))
    return " ".join(word for word in asked.split() if not own.intersection(words(word)))


def _of_rows(percent: float, formula: str, read: Sequence[Figure]) -> Figure:
    """A percentage that is computed from the figures of several rows."""
    steps = "; ".join(figure.derivation for figure in read)
    operands = tuple(operand for figure in read for operand in figure.operands)
    return Figure(f"{percent:.1f}%", percent, "percent", f"{formula}, with {steps}", operands)


def _is_of_costs(row: TableRow) -> bool:
    """Whether a row, or the head above it, tells of costs: what the iPhone cost is not its net sales."""
    return _COSTS.search(" ".join((*row.heads[-1:], row.label))) is not None


def _short_forms(question: str, text: str) -> dict[str, frozenset[str]]:
    """The initials of the names of several words in a question that a text says too, each with the name's terms."""
    names = (match.group() for match in _LONG_NAME.finditer(question))
    return {"".join(word[0] for word in name.split()): terms_of(name) for name in names if name in text}


def _quarter_of(filing: Filing) -> Quarter:
    """The quarter of a filing as its sentences name it."""
    year, number = filing.own or (filing.year or 0, filing.quarter or 0)
    end = filing.end
    return Quarter(year, number, end.year if end else year, (end.month or 0) if end else 0)


def _likest(rows: Sequence[_Read], asked: str) -> Sequence[_Read]:
    """The rows of the total where a total is asked for and some row is one; else all."""
    totals = [each for each in rows if _TOTAL.search(each[0].label)]
    return totals if totals and _TOTAL.search(asked) else rows


_UP = re.compile(
    r"\b(?:gr[eo]wn?|growth|growing|increas(?:e|ed|ing)|rise|rose|risen|rising|improved?|gain|went up|go up|jump(?:ed)?"
    r"|climb(?:ed)?|surged?|soar(?:ed)?|(?:was|were)\b.{2,80}\bup)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:fall|fell|fallen|falling|decreas(?:e|ed|ing)|declin(?:e|ed|ing)|drop(?:ped|ping)?|shr[iau]nk|shrinking|slump(?:ed)?"
    r"|plunged?|slide|slid|down)\b",
    re.IGNORECASE,
)


def way_named(text: str) -> str:
    """The one way of a change that a text names: "down" in "the drop in net sales"; empty where it names no one way."""
    ways = [way for way, pattern in (("up", _UP), ("down", _DOWN)) if pattern.search(text)]
    return ways[0] if len(ways) == 1 else ""


def _way_asked(text: str) -> str:
    """The way of a change that a question for yes or no names: "down" in "Did net sales fall?"; empty in others."""
    return way_named(text) if VERB.match(text) else ""


def row_is_percent(row: TableRow, months: int, year: int) -> bool:
    """Whether the cell of a period is a percentage."""
    cell = _cell(row, months, year)
    return cell is not None and cell[1]


def _cell(row: TableRow, months: int, year: int) -> tuple[float, bool] | None:
    """The cell of a period; in a table whose head says only years, a year is all of its months."""
    cell = row.at(months, year)
    spans = any(column.months for column in row.columns)
    if cell is None and months == _MONTHS_OF_A_YEAR and not spans:
        return row.at(0, year)
    return cell


def _told(row: TableRow, value: float, year: int) -> str:
    if row.heads:
        head = f"{row.heads[-1].strip(' :')}: "
    else:
        head = ""
    if row.unit and not row.is_per_share:
        return f"{head}{row.label} {year}: {value:,.10g} ({row.unit}s)"
    return f"{head}{row.label} {year}: {value:g}"


def _money(value: float, row: TableRow, *, short: bool = True) -> str:
    """An amount as its row states it, and in billions where it has as many and `short` is wanted too."""
    sign, mark = "-" if value < 0 else "", row.mark
    front = f"{mark}{sign}" if mark.endswith(" ") else f"{sign}{mark}"
    exact = f"{front}{abs(value):,.10g} {row.unit}".strip()
    billions = abs(value) * FACTORS[row.unit] / FACTORS["billion"]
    return f"{exact} ({front}{in_billions(billions)})" if short and billions >= 1 and row.unit != "billion" else exact
