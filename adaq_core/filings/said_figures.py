"""A figure as sentences of one filing say it; and what is asked of one filing: of which months, of what in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adaq_core.filings.conditions import (
    ANNUAL,
    BESIDE_YEAR_BEFORE,
    AskedFigure,
    FilingConditions,
    asks_for_forecast,
    read_asked,
)
from adaq_core.filings.formula import LineItem, LineItems, Ratio
from adaq_core.filings.pages import joined
from adaq_core.filings.register import Filing, Register
from adaq_core.filings.said import (
    SPENT,
    Cause,
    Quarter,
    amounts_beside,
    amounts_of_two,
    amounts_said,
    causes_said,
    changes_said,
    dividends_declared,
    effects_of_lives,
    forecasts_said,
    left_to_buy,
    lives_changed,
    none_bought,
    nothing_said,
    parts_of_sums,
    parts_said,
    shares_bought,
    shares_in_table,
    sums_said,
    totals_said,
)
from adaq_core.filings.statement_figures import (
    ASIDE,
    FACTORS,
    GROWTH,
    RISES,
    SURE,
    VERB,
    Figure,
    Operand,
    StatementFigure,
    asks_for_value,
    per_share,
    side_by_side,
    way_asked,
    way_named,
)
from adaq_core.filings.told import asks_for_contents
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import dates

AT_A_DAY = re.compile(r"\b(?:at|as of|by|on)(?: the)? (?:end of|[A-Z][a-z]+ \d|\d)|\boutstanding\b")
_AND_MORE = re.compile(r" and other .*$")
_COUNT = re.compile(r"^how many\b", re.IGNORECASE)
_LONG_NAME = re.compile(r"\b[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,4}\b")
CAPITALS = re.compile(r"\b[A-Z]{2,6}\b")
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
SHARE_ASKED = re.compile(r"\bpercent|%|\bshare of\b|\bmargin\b", re.IGNORECASE)
_RATE_ASKED = re.compile(r"\b(?:interest|tax|discount|growth|coupon) rates?\b|\byield\b", re.IGNORECASE)
_OF_PRODUCTS = ("product", "products")
_NO_AMOUNT = re.compile(r"\bhow many\b(?! percent)|\bwhy\b|^what (?:drove|caused|led)\b", re.IGNORECASE)
_OF_EACH = re.compile(
    r"\b(?:by|per|each|every|across) (?:of (?:the|its) )?(?:reportable |operating |reporting )?"
    r"(?:segments?|regions?|products?|categor(?:y|ies)|countr(?:y|ies)|geograph(?:y|ies)|units?|divisions?)\b",
    re.IGNORECASE,
)
MONTHS_OF_A_YEAR, _MONTHS_OF_A_QUARTER = 12, 3
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
_OF_CASH = terms_of("equivalents")
OF_DECLARED = terms_of("declare declared per share each")
_OF_TOTALS = terms_of("total book close sheet")
_OF_AMOUNTS = terms_of("paying range size amount sum value total bill cost costs money there")
_OF_ANY_AMOUNT = _OF_AMOUNTS | terms_of("the our its total expense expenses spending charge charges revenue sales")
_HEAD_OF_SENTENCE = re.compile(
    r"(?:• ?)?(?P<of>[A-Z][\w’' &-]{2,60}?)(?:,| (?:was|were|totaled|increased|decreased|reached)\b)"
)
_PARTS_OF_IT = re.compile(  # of "cloud revenue, which includes storage, was $5 billion" storage is but a part
    r", (?:which )?includ(?:es?|ing) [^.]{1,300}, (?=(?:was|were|increased|decreased|grew|rose|fell|declined)\b)"
)
_EXPECTS = re.compile(r"\b(?:we|the Company)(?: currently)? expects?\b", re.IGNORECASE)
_LIVES_ASKED = re.compile(
    r"\b(?:useful|service|asset|servers?|equipment|hardware|machinery|kit)\b[^?;]{0,30}\bli(?:fe|ves)\b"
    r"|\bli(?:fe|ves) of (?:its |the |their )?[a-z ]{0,30}\b(?:assets|servers?|equipment|hardware|machinery|kit)\b"
    r"|\bdepreciat(?:e|es|ed|ing|ion)\b",
    re.IGNORECASE,
)
_LIVES_CHANGED = re.compile(
    r"\b(?:longer|lengthen\w*|exten(?:d|ds|ded|ding|sion)|stretch\w*|slow(?:er|ly|ed|ing)|prolong\w*"
    r"|(?:chang\w+|increas\w+|revis\w+)\b[^?;]{0,40}\bli(?:fe|ves))\b",
    re.IGNORECASE,
)
_FROM_WHAT = re.compile(r"\bfrom what\b|\bold and (?:the )?new\b|\bhow (?:long|many years)\b", re.IGNORECASE)
_OF_LIVES = ("depreciation and amortization", "ppe")
_OF_CAUSES = terms_of(
    "why drove drive driven cause caused causes reason reasons behind come led explain explains explained pushed main"
    " dragged made held hurt boosted helped lifted fuelled factors so much weak weaker strong stronger absolute dollars"
    " percentage segment improvement slip slipped tumble tumbled sequentially sequential badly total net less more"
    " cost costs expense expenses spend spending spent"
)
_SEQUENTIAL = re.compile(r"\bsequential|\b(?:previous|prior|preceding) quarter\b", re.IGNORECASE)
_LESS = re.compile(r"\b(?:less|lower|weak(?:er)?|slip\w*|tumbl\w+|smaller|shr[aiu]nk\w*|dragged|hurt)\b", re.IGNORECASE)
_MORE = re.compile(r"\b(?:more|higher|strong(?:er)?|bigger|boosted|lifted|fuelled|explode[ds]?)\b", re.IGNORECASE)
_PROFITS = frozenset(("operating income", "net income"))  # of a part of an issuer profit is its operating income
_SPENT = re.compile(r"\b(?:costs?|expens(?:e|es)|spend(?:ing)?|spent)\b", re.IGNORECASE)
_AND_SERVICES = re.compile(
    r" (?:products )?and (?:other )?cloud services\b"
)  # of "Azure and other cloud services" Azure
_EARNED = re.compile(r"\bearn(?:s|ed|ings)?\b", re.IGNORECASE)
_ENDS_LIST = (".", " totaled", " was", " were", " an ", " a ")


_PART_ASKED = re.compile(
    r"\b(?:how much|what (?:part|share|portion|amount)) of (?P<whole>[^?;]{3,90}?) "
    r"(?:(?:fell|falls?|landed) (?:on|to|in)|went to|came from|belong(?:s|ed) to"
    r"|(?:was|were|is|are) (?:\w{4,12} )?(?:in|to|within|at|for|on|from)|relate[sd]? to|concern(?:s|ed))"
    r" (?P<part>[^?;]{2,60})",
    re.IGNORECASE,
)
_OF_PARTS = terms_of("segment unit business arm its the bill total sum costs charge charges first second third quarter")


@dataclass(frozen=True, slots=True)
class AskedOfFiling:
    """A question on its way to a figure of one filing: of which filing, of which months, of what in it."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register
    profile: LineItems

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
        if is_balance or (item is None and AT_A_DAY.search(self.asked.text)):
            return 0
        if filing.form in ANNUAL:
            return 12
        if _TWELVE.search(self.asked.text):
            return MONTHS_OF_A_YEAR
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

    def _text(self, filing: Filing) -> str:
        return joined(self.register.passages(filing.places))[0]


class SaidFigure(AskedOfFiling):
    """A figure that the sentences of one filing say, where all that say it agree."""

    __slots__ = ()

    def figure(self) -> Figure | None:
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

    def total(self) -> tuple[Figure | None, bool]:
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
        if asked_way := way_asked(self.asked.text):
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
            said |= {term for word in CAPITALS.findall(sentence) for term in short.get(word, ())}
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
        text = self._text(filing)
        parts = parts_said(text, filing.end)
        told = {amount: sentence for amount, thing, sentence in parts if subject <= terms_of(thing)}
        for amount, kind, other, sentence in amounts_of_two(text, filing.end):
            is_of_kind = terms_of(kind) <= subject and not terms_of(other) & subject
            if is_of_kind and subject <= terms_of(sentence):
                told[amount] = sentence
        return self._of_only(filing, told)

    def part(self) -> Figure | None:
        """What part of a sum fell on something, as a sentence tells it that names both."""
        asked, filing = _PART_ASKED.search(self.asked.text), self._filing()
        if filing is None or asked is None:
            return None
        wholes = self._bare_terms(asked["whole"])
        parts = self._bare_terms(asked["part"])
        if not (wholes and parts):
            return None
        told = {}
        for amount, part, whole, sentence in parts_of_sums(self._text(filing)):
            is_of_both = wholes <= terms_of(whole) and parts <= terms_of(part)
            if is_of_both and self._is_of_its_month(whole, filing):
                told[amount] = sentence
        return self._of_only(filing, told)

    def _bare_terms(self, text: str) -> frozenset[str]:
        """The terms of a text without its periods, the company and words such as "bill"."""
        for date in reversed(dates(text)):
            start, end = date.span
            text = f"{text[:start]} {text[end:]}"
        company = self.register.companies.labels[self.conditions.companies[0]]
        return terms_of(text) - terms_of(company) - _OF_PARTS

    def dividends_declared(self) -> Figure | None:
        """The dividends that were declared for one share, as a statement of equity tells them beside its label."""
        filing, items = self._filing(), [each.name for each in self.asked.named]
        if filing is None or items != ["dividends per share"] or self._subject() - OF_DECLARED:
            return None
        declared = dividends_declared(self._text(filing), filing.end, self._months(filing, None))
        return self._of_only(filing, {per_share(share, "$"): row for share, row in declared}, unit="")

    def of_lives(self) -> Figure | None:
        """From what to what the useful lives of assets were changed, and what that did to a result that is named."""
        filing, asked = self._filing(), self.asked.text
        if filing is None or not (_LIVES_ASKED.search(asked) and _LIVES_CHANGED.search(asked)):
            return None
        text, named = self._text(filing), dict.fromkeys(item.name for item in self.asked.named)
        results = [name for name in named if name not in _OF_LIVES]
        wants_lives = not results or _FROM_WHAT.search(asked) is not None
        told = [("", *next(lives_changed(text), ("", "")))] if wants_lives else []
        for name in results:
            told.append((name, *self._effect_on(name, text, self._months(filing, None))))
        made: list[tuple[str, Figure]] = []
        for name, amount, sentence in told:
            figure = self._of_sentence(filing, amount, 0.0, "money", sentence) if amount else None
            made += [(name if len(told) > 1 else "", figure)] if figure else []
        return side_by_side(made) if made and len(made) == len(told) else None

    def _effect_on(self, name: str, text: str, months: int) -> tuple[str, str]:
        """What longer lives did to a result, and the sentence; empty where none or several amounts are told."""
        effects = {amount: said for of, amount, said in effects_of_lives(text, months) if self._is_named(name, of)}
        return next(iter(effects.items())) if len(effects) == 1 else ("", "")

    def _is_named(self, name: str, of: str) -> bool:
        """Whether a text, "an increase in operating income", names an item or a ratio as its last."""
        named = self.profile.named_in(of)
        return bool(named) and named[-1][0].name == name

    def cause(self) -> Figure | None:
        """Why something rose or fell in the quarter, as a sentence says that is about the same thing."""
        filing, asked = self._filing(), self.asked.text
        if filing is None or filing.form in ANNUAL or self._months(filing, None) not in (0, _MONTHS_OF_A_QUARTER):
            return None
        subject, items = self._subject() - _OF_CAUSES, _results(self.asked.named, asked)
        if not (subject or self.asked.named):
            return None
        way, is_sequential = _way_of_cause(asked), _SEQUENTIAL.search(asked) is not None
        owner = terms_of(self.register.companies.labels[filing.company])
        causes = list(causes_said(self._text(filing), _quarter_of(filing)))
        for number, cause in enumerate(causes):
            of, named = self._parted(_AND_SERVICES.sub("", cause.of))
            if of - owner - _OF_CAUSES != subject - owner or not _results(named, cause.of) & items:
                continue
            if cause.is_sequential != is_sequential:
                continue
            if way not in ("", cause.way):
                if subject:
                    continue
                return None  # what is said first is of the whole company, then of its segments
            told = [cause, *(each for each in causes[number + 1 : number + 2] if self._goes_on(cause, each))]
            texts = [f"Due to {cause.cause}", *(each.cause for each in told[1:])]
            said = zip(texts, told, strict=True)
            figures = [self._of_sentence(filing, text, 0.0, "reason", each.sentence) for text, each in said]
            return side_by_side([("", figure) for figure in figures if figure]) if figures[0] else None
        return None

    def _parted(self, text: str) -> tuple[frozenset[str], list[LineItem | Ratio]]:
        """The terms of a text without the items that it names, and these."""
        named = self.profile.named_in(text)
        for _, (start, end) in reversed(named):
            text = f"{text[:start]} {text[end:]}"
        return terms_of(text), [item for item, _ in named]

    def _goes_on(self, cause: Cause, after: Cause) -> bool:
        """Whether the next sentence says why what is the cause itself went that way: hardware, of which fewer sold."""
        of, _ = self._parted(after.of)
        return bool(of) and after.way == cause.way and of <= terms_of(cause.cause)

    def sum_of_items(self) -> Figure | None:
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

    def _of_only(self, filing: Filing, told: dict[str, str], *, unit: str = "money") -> Figure | None:
        """The one thing that sentences tell, each with the sentence; None where they tell none or several."""
        if len(told) != 1:
            return None
        text, sentence = next(iter(told.items()))
        return self._of_sentence(filing, text, 0.0, unit, sentence)


def of_sum(question: str, conditions: FilingConditions, register: Register, profile: LineItems) -> Figure | None:
    """The sum of several items of the balance sheet, where a sentence tells it: cash and short-term investments."""
    asked = read_asked(question, profile)
    items = {each.name: each for each in asked.named if isinstance(each, LineItem)}
    if len(items) < _FEWEST_ITEMS or any(item.statement != "balance sheet" for item in items.values()):
        return None
    return SaidFigure(asked, conditions, register, profile).sum_of_items()


def _tells_sum(sentence: str, listed: str) -> bool:
    """Whether a sentence tells the amount of a list and not of a part: of "cash and bonds held abroad"."""
    before, found, behind = sentence.partition(listed)
    return bool(found) and not before.startswith("except") and behind.startswith(_ENDS_LIST)


def _way_of_cause(text: str) -> str:
    """The way that a question says something went whose cause it asks for: what was weaker went down."""
    way, is_less, is_more = way_named(text), _LESS.search(text), _MORE.search(text)
    return way or ("down" if is_less and not is_more else "up" if is_more and not is_less else "")


def _results(named: Sequence[LineItem | Ratio], text: str) -> frozenset[str]:
    """What is said to have risen or fallen; where nothing is named revenue, what is earned, or costs."""
    names = frozenset(item.name for item in named)
    if names & _PROFITS or (not names and _EARNED.search(text)):
        return names | _PROFITS
    return names or frozenset(("costs" if _SPENT.search(text) else "revenue",))


def _as_listed(text: str) -> str:
    """A list as it compares: without commas, in lower case."""
    return " ".join(text.lower().replace(",", " ").replace(" plus ", " and ").split())


def kind_of_sum(asked: str) -> str:
    """What is asked for: a count, a percentage or an amount of money."""
    if _COUNT.search(asked):
        return "count"
    return "percent" if SHARE_ASKED.search(asked) or _RATE_ASKED.search(asked) else "money"


def _head_terms(sentence: str) -> frozenset[str]:
    """The terms of what a sentence is about, without words such as "costs" that any amount bears."""
    head = _HEAD_OF_SENTENCE.match(sentence)
    return terms_of(head["of"]) - _OF_ANY_AMOUNT if head else frozenset()


def _short_forms(question: str, text: str) -> dict[str, frozenset[str]]:
    """The initials of the names of several words in a question that a text says too, each with the name's terms."""
    names = (match.group() for match in _LONG_NAME.finditer(question))
    return {"".join(word[0] for word in name.split()): terms_of(name) for name in names if name in text}


def _quarter_of(filing: Filing) -> Quarter:
    """The quarter of a filing as its sentences name it."""
    year, number = filing.own or (filing.year or 0, filing.quarter or 0)
    end = filing.end
    return Quarter(year, number, end.year if end else year, (end.month or 0) if end else 0)
