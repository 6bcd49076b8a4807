"""A figure as sentences of one filing say it; and what is asked of one filing: of which months, of what in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adaq_core.filings.conditions import (
    ANNUAL,
    BESIDE_YEAR_BEFORE,
    AskedFigure,
    FilingConditions,
    asks_for_forecast,
)
from adaq_core.filings.disclosures.contents import asks_for_contents, segment_names
from adaq_core.filings.formula import LineItem, Ratio
from adaq_core.filings.register import Filing, Register, without
from adaq_core.filings.sentences import (
    MONTHS_OF_A_YEAR,
    SPENT,
    Cause,
    Quarter,
    amounts_beside,
    amounts_expected,
    amounts_of_two,
    amounts_said,
    causes_said,
    changes_said,
    effects_said,
    left_to_buy,
    none_bought,
    nothing_said,
    shares_bought,
    sums_said,
    tells_longer,
    totals_said,
)
from adaq_core.filings.statement_figures import (
    ASIDE,
    GROWTH,
    RISES,
    SURE,
    VERB,
    Figure,
    answered,
    asks_for_value,
    quoted,
    unexplained,
    way_named,
)
from adaq_core.matching.lexicon import forms_of
from adaq_core.text.tokens import terms_of
from adaq_core.text.values import dates

AT_A_DAY = re.compile(r"\b(?:at|as of|by|on)(?: the)? (?:end of|[A-Z][a-z]+ \d|\d)|\boutstanding\b")
_AND_MORE = re.compile(r" and other .*$")
_COUNT = re.compile(r"(?i)^(?:how many|(?:what|which) number of)\b")
_LONG_NAME = re.compile(r"\b[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,4}\b")
CAPITALS = re.compile(r"\b[A-Z]{2,6}\b")
_FEWEST_WORDS = 2  # of a sentence that tells an amount, besides its company and period
_SIX, _NINE = (
    re.compile(r"(?i)\bsix months|\bfirst half\b"),
    re.compile(r"(?i)\bnine months|\bfirst three quarters"),
)
_TWELVE = re.compile(
    r"(?i)\b(?:trailing|last|past|rolling)[- ](?:twelve|12)[- ]months?\b|\btwelve months ended\b|\b(?:ttm|ltm)\b"
)
SHARE_ASKED = re.compile(
    r"(?i)\bpercent|%|\bshare of\b|\b(?:revenue|sales) (?:share|mix)\b|\bmargin\b"
    r"|\bhow much of [^?]{2,60}?\b(?:revenues?|sales) (?:come|came|is|was|are|were)\b"
)
_RATE_ASKED = re.compile(
    r"(?i)\b(?:interest|tax|discount|growth|coupon) rates?\b|\byield\b"
    r"|^(?:what (?:is|was) )?(?:the )?(?:average )?rate (?:on|of)\b"
    r"|(?<!run )(?<!run-)\brate(?: (?:in|at|for|as of|on) .{2,30})?$"
)
_OF_PRODUCTS = ("product", "products")
_NO_AMOUNT = re.compile(  # nor "What will it do with the proceeds?"
    r"(?i)\bhow many\b(?! percent)|\bwhy\b|^what (?:drove|caused|led)\b"
    r"|^what (?:will|would|do|does|did|can|could|is|was) [^?]{1,80}? (?:do|doing) (?:with|about)\b"
)
_OF_EACH = re.compile(
    r"(?i)\b(?:by|per|each|every|across) (?:of (?:the|its) )?(?:reportable |operating |reporting |business )?"
    r"(?:segments?|regions?|products?|categor(?:y|ies)|countr(?:y|ies)|geograph(?:y|ies)|units?|divisions?)\b"
)
_MONTHS_OF_A_QUARTER = 3
OF_STOCK = terms_of("buy bought purchase purchased own stock share shares common money cash go went put dollars back")
LEFT_ASKED = re.compile(
    r"(?i)\b(?:authori[sz]ation|program(?:me)?|buybacks?)\b.{0,40}\b(?:left|remain\w{0,3}|unused|available)\b"
    r"|\b(?:left|remain\w{0,3}|unused|available)\b.{0,80}\b(?:authori[sz]ation|program(?:me)?|buybacks?)\b"
    r"|\bstill\b.{0,40}\bauthori[sz]ed\b"
    r"|\b(?:can|could|may)\b.{0,40}\bstill\b.{0,40}\b(?:buy(?:ing)? ?backs?|repurchas\w{1,4})\b"
    r"|\bstill\b.{0,40}\b(?:can|could|may)\b.{0,40}\b(?:buy(?:ing)? ?backs?|repurchas\w{1,4})\b"
)
_ANY_BOUGHT = re.compile(r"(?i)^(?!.*\b(?:more|less|most|least|over)\b).*\b(?:any|shares|stock)\b")
OF_LEFT = terms_of(
    "left remain remained remaining remains unused available authorization program board under still any capacity room"
    " headroom firepower spend on"
)
OF_DECLARED = terms_of("declare declared per share each")
_OF_TOTALS = terms_of("total book close sheet")
_OF_AMOUNTS = terms_of("paying range size amount sum value total bill cost costs money there impact effect hit")
_STAKE_ASKED = re.compile(
    r"(?i)^(?!.*\b(?:pay|paid|pric\w+|worth|value|costs?|bought|buy|sold|sell|proceeds)\b)"
    r".*\b(?:stake|(?:ownership|equity) interest)\b"
    r"|^(?:how much|what (?:share|part|portion|percentage)) of [^?]{2,60}?\b(?:own(?:ed|s)?|hold|held|holds|belongs?)\b"
)
_OF_STAKES = terms_of("stake ownership equity interest own owned owns hold held outstanding still belong belongs")
_HOLDS = re.compile(r"(?i)\b(?:h[eo]ld|own(?:ed|s|ership)?|stake|interest)\b")
_OF_ANY_AMOUNT = _OF_AMOUNTS | terms_of("the our its total expense expenses spending charge charges revenue sales")
_HEAD_OF_SENTENCE = re.compile(
    r"(?:• ?)?(?P<of>[A-Z][\w’' &-]{2,60}?)(?:,| (?:was|were|totaled|increased|decreased|reached)\b)"
)
_PARTS_OF_IT = re.compile(  # of "cloud revenue, which includes storage, was $5 billion" storage is but a part
    r", (?:which )?includ(?:es?|ing) [^.]{1,300}, (?=(?:was|were|increased|decreased|grew|rose|fell|declined)\b)"
)
_CHANGED_BY = re.compile(
    r"(?i)\b(?:increas\w{1,3}|decreas\w{1,3}|grew|rose|fell|declined|dropped|climbed|up|down|higher|lower)(?: by| of)?"
    r"(?: approximately| about)? $"
)
_EFFECT_ASKED = re.compile(
    r"(?i)\b(?:affect(?:ed)?|effects?|impact(?:ed)?|hit|hurt|help(?:ed)?|lower(?:ed)?|raised?|reduced?|add(?:ed)?|boost(?:ed)?"
    r"|cut|shaved?|t[ao]ken? off|took off|wiped? off|weigh(?:ed)? on|drag|cost|headwinds?|tailwinds?)\b"
)
_ASKS_WHICH = re.compile(r"(?i)^(?:which|who)\b")  # what moved it is asked, not by how much
_EFFECT_WORDS = """
affect affected effect impact impacted hit hurt help helped rate rates changes lower lowered raise raised reduce reduced
add added boost boosted cut shave shaved take took taken wipe wiped weigh weighed drag cost headwind tailwind off moves
"""
_OF_EFFECTS = terms_of(_EFFECT_WORDS)
_CURRENCY, _EXCHANGE = terms_of("currency"), terms_of("exchange")
_OF_ISSUER = terms_of("company")
_ONLY_ON = re.compile(r"\bno (?P<what>[^,.;]{3,80}?) (?:on|under) (?P<of>[^,.;]{3,80})")
_OF_WHAT = re.compile(r" (?:of|in) (?P<of>[^,;]{3,80}?)(?=,|;|\.?$| (?:in|for|during|as of|at|on) )")
_EXCEPT = re.compile(r"(?:[Ee]xcept|[Ee]xcluding|[Oo]ther than|[Aa]part from)\b")
_PAID, _TO_PAY = re.compile(r"(?i)\bpa(?:y|ys|id)\b"), re.compile(r"(?i)\b(?:payable|remaining)\b")
_EXPECTS = re.compile(r"(?i)\b(?:we|the Company)(?: currently)? expects?\b")
_OF_FORECASTS = terms_of("expect expects expected guide guided guidance forecast outlook projected range next coming")
_OF_CAUSES = terms_of(
    "why drove drive driven cause caused causes reason reasons behind come led explain explains explained pushed main"
    " dragged made held hurt boosted helped lifted fuelled factors so much weak weaker strong stronger absolute dollars"
    " percentage segment improvement slip slipped tumble tumbled sequentially sequential badly total net less more"
    " cost costs expense expenses spend spending spent income"
)
_OF_ASIDE = terms_of(" ".join(ASIDE))
_OF_A_SHARE = re.compile(r"(?i)\bpercentage\b")
_SEQUENTIAL = re.compile(r"(?i)\bsequential|\b(?:previous|prior|preceding) quarter\b")
_LESS = re.compile(r"(?i)\b(?:less|lower|weak(?:er)?|slip\w*|tumbl\w+|smaller|shr[aiu]nk\w*|dragged|hurt)\b")
_MORE = re.compile(r"(?i)\b(?:more|higher|strong(?:er)?|bigger|boosted|lifted|fuelled|explode[ds]?)\b")
_PROFITS = frozenset(("operating income", "net income"))  # of a part of an issuer profit is its operating income
_SPENT = re.compile(r"(?i)\b(?:costs?|expens(?:e|es)|spend(?:ing)?|spent)\b")
_AND_SERVICES = re.compile(
    r" (?:products )?and (?:other )?cloud services\b"
)  # of "Azure and other cloud services" Azure
_EARNED = re.compile(r"(?i)\bearn(?:s|ed|ings)?\b")


@dataclass(frozen=True, slots=True)
class AskedOfFiling:
    """A question on its way to a figure of one filing: of which filing, of which months, of what in it."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register

    def _of_sentence(self, filing: Filing, text: str, value: float, unit: str, sentence: str) -> Figure | None:
        """A figure with the sentence that says it; None where no passage holds the whole sentence."""
        return quoted(filing, self.register, text, [sentence], value=value, unit=unit)

    def _of_growth(self) -> LineItem | None:
        """Revenue, which is what grows where nothing else is said to: "AWS growth"."""
        return self.register.profile.items.get("revenue") if GROWTH.search(self.asked.text) else None

    def _asks(self) -> bool:
        """Whether an amount or its change is asked for; a reason, or how many there are of a thing, is no amount."""
        if _NO_AMOUNT.search(self.asked.text) or _OF_EACH.search(self.asked.text):
            return False
        if GROWTH.search(self.asked.text) and BESIDE_YEAR_BEFORE.search(self.asked.text):
            return False  # two rates of growth, of which the table tells but one
        return asks_for_value(self.asked.text) or RISES.search(self.asked.text) is not None

    def _filing(self) -> Filing | None:
        """The one filing that is asked for; of a month in which one quarter ends and another begins, for a balance."""
        best = self.conditions.weights
        if best[0][1] < SURE or self.conditions.spread:
            return None
        if self.conditions.is_of_one:
            return best[0][0]
        asked = {(date.year, date.month) for date in dates(self.asked.text) if date.month}
        most = best[0][1]
        likest = [(each, each.end) for each, weight in best if weight == most]
        ends = [each for each, end in likest if end and (end.year, end.month) in asked]
        is_one = len(ends) == 1 and self._is_of_a_day()
        return ends[0] if is_one else None

    def _is_of_a_day(self) -> bool:
        """Whether what stands on a day is asked for: rows of a balance sheet, or what is left of a program."""
        of_balance = [item.statement == "balance sheet" for item in self.asked.items]
        return (bool(of_balance) and all(of_balance)) or LEFT_ASKED.search(self.asked.text) is not None

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

    def _subject(self) -> frozenset[str]:
        left = unexplained(self.asked, self.register)
        named = [word for word in left if word not in ASIDE]
        named = named or [word for word in left if word in _OF_PRODUCTS]
        return terms_of(" ".join(named))  # of an issuer that sells products and services each has its row


class SaidFigure(AskedOfFiling):
    """A figure that the sentences of one filing say, where all that say it agree."""

    __slots__ = ()

    def _quarter(self, filing: Filing) -> Quarter:
        """The quarter of a filing, or the months of its year up to its end, as is asked."""
        if filing.form in ANNUAL:
            return replace(_quarter_of(filing), months=MONTHS_OF_A_YEAR)
        return replace(_quarter_of(filing), months=self._months(filing, None) or _MONTHS_OF_A_QUARTER)

    def _is_of_other_year(self, filing: Filing) -> bool:
        """Whether twelve months are asked for that are no year of a report."""
        return filing.form not in ANNUAL and self._months(filing, None) == MONTHS_OF_A_YEAR

    def figure(self) -> Figure | None:
        """The change or the sum that the sentences of the filing say, where all that say it agree."""
        filing, items = self._filing(), self.asked.items
        if filing is None or len(items) != len(set(self.asked.named)) or len(items) > 1:
            return None
        if made := self._buyback_said(filing) or self._effect(filing):
            return made
        if _COUNT.search(self.asked.text):
            return self._amount_said(filing)
        if not self._asks() or asks_for_contents(self.asked.text):
            return None
        if self._is_of_other_year(filing):
            return None
        item = items[0].name if items else "revenue"
        if asks_for_forecast(self.asked.text):
            return self._expected(filing, items)
        if item == "revenue" and RISES.search(self.asked.text):
            return self._change_said(filing)
        if items and items[0].said and RISES.search(self.asked.text):
            return self._amount_beside(filing, items[0])
        if item in SPENT or RISES.search(self.asked.text):
            return self._sum_said(filing, item)
        return self._amount_said(filing)

    def _expected(self, filing: Filing, items: Sequence[LineItem]) -> Figure | None:
        """What a report expects of an item in the quarter behind its own, where that is what is asked."""
        own = {(filing.year, filing.quarter), filing.own}
        asked = {(date.year, date.quarter) for date in dates(self.asked.text) if date.quarter}
        if not items or self._subject() - _OF_FORECASTS or asked & own:
            return None
        told = {
            amount: sentence
            for of, amount, sentence in amounts_expected(self.register.text_of(filing))
            if self._parted(of) == (frozenset(), list(items))
        }
        return self._of_only(filing, told)

    def total(self) -> tuple[Figure | None, bool]:
        """The total of an item of the balance sheet as a sentence tells it, and whether any tells such a total."""
        filing, items = self._filing(), [each for each in self.asked.named if isinstance(each, LineItem)]
        if filing is None or len(items) != 1 or items[0].statement != "balance sheet":
            return None, False
        low = self.asked.text.lower()
        named = (items[0].name, *items[0].words)
        phrase = next((word for word in named if f"total {word}" in low or f"{word} total" in low), "")
        if not phrase or items[0].name.startswith("total") or RISES.search(low):
            return None, False
        if self._subject() - _OF_TOTALS or not self._asks():
            return None, False
        text = self.register.text_of(filing)
        totals = dict(totals_said(text, phrase, self._quarter(filing), filing.end))
        return self._of_only(filing, totals), f"total {phrase}" in text.lower()

    def _amount_beside(self, filing: Filing, item: LineItem) -> Figure | None:
        """How an amount changed against the year before, where one sentence tells both."""
        phrases = [terms_of(word) for word in item.said]
        told = {}
        for old, new, sentence in amounts_beside(self.register.text_of(filing), self._quarter(filing)):
            head = _head_terms(sentence)
            if any(phrase <= head for phrase in phrases) and not self._subject():
                told[f"from {old} to {new}"] = sentence
        return self._of_only(filing, told)

    def _change_said(self, filing: Filing) -> Figure | None:
        owner = terms_of(self.register.companies.labels[filing.company])
        subject = self._subject()
        changes = changes_said(self.register.text_of(filing), self._quarter(filing)) if subject else ()
        named = {percent: (_named_terms(name) - owner, name, sentence) for name, percent, sentence in changes}
        sentences = {percent: sentence for percent, (terms, _, sentence) in named.items() if terms == subject - owner}
        if not sentences:  # "Azure" of "Azure and other cloud services"
            sentences = {
                percent: sentence
                for percent, (_, name, sentence) in named.items()
                if _named_terms(_AND_MORE.sub("", name)) - owner == subject - owner
            }
        if len(sentences) != 1:
            return None
        percent, sentence = next(iter(sentences.items()))
        way = "up" if percent >= 0 else "down"
        text = answered(f"{way} {abs(percent):g}%", way, self.asked.text)
        return self._of_sentence(filing, text, percent, "percent", sentence)

    def _amount_said(self, filing: Filing) -> Figure | None:
        """The amount that the sentences which say all of what is asked for tell, where all of them tell the same."""
        items = self.asked.items
        kind = kind_of_sum(self.asked.text)
        subject = self._subject() - _OF_AMOUNTS - (_OF_STAKES if _STAKE_ASKED.search(self.asked.text) else frozenset())
        phrases = [terms_of(each) for item in items for each in item.said or (item.name, *item.words)]
        told_alone = any(item.said for item in items)  # else the item's own row would have told it
        heads_only = len(subject) + _FEWEST_WORDS * told_alone + bool(items) < _FEWEST_WORDS
        is_of_stake = _STAKE_ASKED.search(self.asked.text) is not None
        if not (subject or told_alone) or (heads_only and kind != "money" and not is_of_stake):
            return None
        text = self.register.text_of(filing)
        none = [each for each in nothing_said(text, filing.end) if subject <= terms_of(each.partition("$")[0])]
        none = [each for each in none if not _is_none_of_some(each, subject, self.asked.text)]
        if none and subject and not items:
            return self._of_sentence(filing, "none", 0.0, kind, none[0])
        if part := self._one_of_two(filing, subject, kind):
            return part
        candidates = self._telling(filing, subject, kind, heads_only=heads_only)
        for phrase in phrases or [frozenset()]:
            fitting = [each for each in candidates if phrase <= each[2]]
            amounts = {amount: sentence for amount, sentence, _ in reversed(fitting)}
            converted = {
                amount for amount in amounts if any(f"({amount})" in sentence for sentence in amounts.values())
            }
            if amounts:
                break
        else:
            return None
        if len(amounts.keys() - converted) > 1:
            amounts = {a: s for a, s in amounts.items() if not tells_longer(s)} or amounts
        if len(amounts.keys() - converted) > 1:  # "Total kiln expense was …" tells it, "costs of kilns, ovens …" more
            amounts = {a: s for a, s in amounts.items() if _head_terms(s) == subject | phrase}
        if len(amounts.keys() - converted) != 1:
            return None
        amount, sentence = next((a, s) for a, s in amounts.items() if a not in converted)
        return self._of_sentence(filing, amount, 0.0, kind, sentence)

    def _one_of_two(self, filing: Filing, subject: frozenset[str], kind: str) -> Figure | None:
        """The amount of one of two kinds that a sentence tells together: "kilns and ovens of $7 and $5 million"."""
        if self.asked.items:
            return None
        told: dict[str, str] = {}
        for kinds, amounts, sentence in amounts_of_two(self.register.text_of(filing), kind, filing.end):
            own = [bool(terms_of(each) & subject) for each in kinds]
            own = own if any(own) else [each == "we" for each in kinds]
            if subject <= terms_of(sentence) and sum(own) == 1:
                told[amounts[own.index(True)]] = sentence
        if len(told) != 1:
            return None
        amount, sentence = next(iter(told.items()))
        return self._of_sentence(filing, amount, 0.0, kind, sentence)

    def _effect(self, filing: Filing) -> Figure | None:
        """How much something moved an item in the quarter, where one sentence tells that: "rates reduced sales by"."""
        items, asked = self.asked.items, self.asked.text
        subject = self._subject() - _OF_EFFECTS
        if subject >= _CURRENCY:
            subject = subject - _CURRENCY | _EXCHANGE
        if len(items) != 1 or not subject or not _EFFECT_ASKED.search(asked) or _ASKS_WHICH.match(asked):
            return None
        for cause, said, what, sentence in effects_said(self.register.text_of(filing), self._quarter(filing)):
            of, named = self._parted(what)
            by = terms_of(cause.replace("currenc", "exchange currenc"))
            whose = of - _OF_ANY_AMOUNT - _OF_ISSUER
            if subject & by and whose <= subject <= by | of and named == items:
                return self._of_sentence(filing, said, 0.0, "effect", sentence)  # of the whole company, then of parts
        return None

    def _telling(
        self, filing: Filing, subject: frozenset[str], kind: str, *, heads_only: bool
    ) -> list[tuple[str, str, frozenset[str]]]:
        """The sentences that tell an amount of all that is asked for: the amount, the sentence, what it is told of."""
        items = self.asked.items
        told_alone = any(item.said for item in items)
        text = self.register.text_of(filing)
        short = _short_forms(self.asked.text, text)
        candidates: list[tuple[str, str, frozenset[str]]] = []
        for amount, sentence in amounts_said(text, kind, self._quarter(filing), filing.end):
            if not _says(terms_of(sentence).union(*short.values()), subject):
                continue
            if _STAKE_ASKED.search(self.asked.text):
                if not _HOLDS.search(sentence):
                    continue
            elif heads_only and _head_terms(sentence) != subject:
                continue  # of "Shipping costs, …, were $20 billion" the shipping costs are what the sentence is about
            plain = _PARTS_OF_IT.sub(", ", sentence)
            said = terms_of(plain if not items or told_alone else _told_of(plain, amount))
            said |= {term for word in CAPITALS.findall(sentence) for term in short.get(word, ())}
            if _says(said, subject) and self._is_told(amount, sentence, subject, filing):
                candidates.append((amount, sentence, said))
        return candidates

    def _is_told(self, amount: str, sentence: str, subject: frozenset[str], filing: Filing) -> bool:
        """Whether a sentence tells an amount as what it was in the period, and of nothing else."""
        ahead = sentence[: sentence.find(amount)]
        if _EXPECTS.search(ahead) or _EXCEPT.match(ahead):
            return False  # what is expected was asked for by a word of its own
        if _PAID.search(self.asked.text) and _TO_PAY.search(sentence) and not _PAID.search(sentence):
            return False  # "The remaining tax of $10 billion is payable over the next three years"
        if "fair value" in ahead and "fair" not in self.asked.text:
            return False  # what debt is worth is not what was issued
        if _CHANGED_BY.search(ahead) and not RISES.search(self.asked.text):
            return False  # "Revenue increased $140 million" does not say how much it was
        of_other = {item.name for item, _ in self.register.profile.named_in(ahead)}
        of_other -= {item.name for item in self.asked.items}
        if of_other and not subject <= _head_terms(sentence):
            return False  # "Cash capital expenditures were $15 billion, to support technology"
        return self._is_of_its_month(sentence, filing)

    def cause(self, *, offsets: bool = False) -> Figure | None:
        """Why something rose or fell in the quarter, or what offset that, as a sentence says about the same thing."""
        filing = self._filing()
        if filing is None or self._is_of_other_year(filing):
            return None
        told = self._causes(filing)
        if offsets:
            offset = next((cause for cause in told if cause.offset), None)
            return self._of_sentence(filing, offset.offset, 0.0, "reason", offset.sentence) if offset else None
        first = next(told, None)
        if first is None or (filing.form in ANNUAL and any(cause.cause != first.cause for cause in told)):
            return None  # a report of a year tells of two, and of parts under headings of their own
        said = f"Due to {first.cause}"
        if first.cause.startswith("as "):
            said = f"As {first.cause.removeprefix('as ')}"
        return self._of_sentence(filing, said, 0.0, "reason", first.sentence)

    def _causes(self, filing: Filing) -> Iterator[Cause]:
        """The causes that a filing tells of what is asked, of its own before those of its segments."""
        asked = self.asked.text
        subject, items = self._subject() - _OF_CAUSES, _results(self.asked.named, asked)
        if not (subject or self.asked.named):
            return
        way, is_sequential = _way_of_cause(asked), _SEQUENTIAL.search(asked) is not None
        text = self.register.text_of(filing)
        told = causes_said(text, self._quarter(filing), segment_names(filing, self.register))
        is_share = _OF_A_SHARE.search(asked) is not None  # "Gross margin percentage", and "gross margin" in dollars
        for cause in sorted(told, key=lambda cause: (_OF_A_SHARE.search(cause.of) is not None) != is_share):
            if cause.is_sequential != is_sequential or not self._is_of(cause, subject, items, filing):
                continue
            if is_share and "$" in cause.sentence and not _OF_A_SHARE.search(cause.of):
                continue  # why it rose in dollars
            if way in ("", cause.way):
                yield cause
            elif not subject:
                return  # what is said first is of the whole company, then of its segments

    def _is_of(self, cause: Cause, subject: frozenset[str], items: frozenset[str], filing: Filing) -> bool:
        """Whether a cause is told of a subject and of one of some items."""
        aside = _OF_CAUSES | terms_of(self.register.companies.labels[filing.company])
        of, named = self._parted(cause.of)
        if not (of or named):
            return False
        if cause.under and not of - aside:
            of = terms_of(cause.under)  # "Gross margin decreased" under "More Personal Computing"
        without, _ = self._parted(_AND_SERVICES.sub("", cause.of))  # "Azure and other cloud services"
        called = [each - aside for each in (of, of - _OF_ASIDE, without)]
        return subject - aside in called and not items.isdisjoint(_results(named, cause.of))

    def _parted(self, text: str) -> tuple[frozenset[str], list[LineItem | Ratio]]:
        """The terms of a text without the items that it names, and these."""
        named = self.register.profile.named_in(text)
        return terms_of(without(text, (span for _, span in named))), [item for item, _ in named]

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
        text, quarter = self.register.text_of(filing), self._quarter(filing)
        sums = dict(sums_said(text, item, quarter))
        if not sums and item == "share repurchases":
            none = next(none_bought(text, quarter, self._months(filing, None), filing.end), None)
            return self._of_sentence(filing, "none", 0.0, "money", none) if none else None
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
        text, quarter, months = self.register.text_of(filing), _quarter_of(filing), self._months(filing, None)
        if LEFT_ASKED.search(asked):
            return self._of_only(filing, dict(left_to_buy(text, filing.end, asked)))
        if not (_COUNT.search(asked) or (VERB.match(asked) and _ANY_BOUGHT.search(asked))):
            return None
        if none := next(none_bought(text, quarter, months, filing.end), None):
            return self._of_sentence(filing, "No, none" if VERB.match(asked) else "none", 0.0, "count", none)
        bought = dict(shares_bought(text, quarter, months))
        if len(bought) != 1:
            return None
        count, sentence = next(iter(bought.items()))
        said = f"Yes, {count} shares" if VERB.match(asked) else f"{count} shares"
        return self._of_sentence(filing, said, 0.0, "count", sentence)

    def _of_only(self, filing: Filing, told: dict[str, str]) -> Figure | None:
        """The one amount that sentences tell, each with the sentence; None where they tell none or several."""
        if len(told) != 1:
            return None
        text, sentence = next(iter(told.items()))
        return self._of_sentence(filing, text, 0.0, "money", sentence)


def _says(said: frozenset[str], subject: frozenset[str]) -> bool:
    """Whether terms say all of a subject, each in some form of it: "withheld" says "withhold"."""
    return all(not forms_of(term).isdisjoint(said) for term in subject)


def _named_terms(name: str) -> frozenset[str]:
    """The terms of what a sentence names, without those that a question bears aside: "products", of "Ware products"."""
    terms = terms_of(name)
    return terms - _OF_ASIDE or terms


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


def kind_of_sum(asked: str) -> str:
    """What is asked for: a count, a percentage or an amount of money."""
    if _COUNT.search(asked):
        return "count"
    in_percent = (SHARE_ASKED, _RATE_ASKED, _STAKE_ASKED)
    return "percent" if any(pattern.search(asked) for pattern in in_percent) else "money"


def _head_terms(sentence: str) -> frozenset[str]:
    """The terms of what a sentence is about, without words such as "costs" that any amount bears."""
    head = _HEAD_OF_SENTENCE.match(sentence)
    return terms_of(head["of"]) - _OF_ANY_AMOUNT if head else frozenset()


def _is_none_of_some(sentence: str, subject: frozenset[str], asked: str) -> bool:
    """Whether a sentence tells only of some kind that there was none: no borrowings "on the revolving facilities"."""
    if "other" in asked and "other" not in sentence.partition("$")[0]:
        return True  # what there is none of are those that it names
    only = _ONLY_ON.search(sentence)
    if only is None or terms_of(only["of"]) & subject:
        return False
    return bool(terms_of(only["what"].split()[-1]) & subject)


def _told_of(sentence: str, amount: str) -> str:
    """What a sentence tells an amount of: what stands in front of it, or right behind: "$9 billion of unearned pay"."""
    ahead, _, behind = sentence.partition(amount)
    of = _OF_WHAT.match(behind)
    return f"{ahead} {of['of']}" if of else ahead


def _short_forms(question: str, text: str) -> dict[str, frozenset[str]]:
    """The initials of the names of several words in a question that a text says too, each with the name's terms."""
    names = (match.group() for match in _LONG_NAME.finditer(question))
    return {"".join(word[0] for word in name.split()): terms_of(name) for name in names if name in text}


def _quarter_of(filing: Filing) -> Quarter:
    """The quarter of a filing as its sentences name it."""
    year, number = filing.own or (filing.year or 0, filing.quarter or 0)
    end = filing.end
    return Quarter(year, number, end.year if end else year, (end.month or 0) if end else 0)
