"""What a filing tells that is no amount: who signed it, what its cover says, who plans to sell, what is bought.

Each stands in a form that filings keep to: signatures, the cover of the form, Item 408 of Regulation S-K.
What is asked for has to be the very thing that is told: else nothing is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from adaq_core.filings.conditions import AskedFigure, FilingConditions
from adaq_core.filings.disclosures.contents import of_contents
from adaq_core.filings.register import Filing, Register, joined
from adaq_core.filings.sentences import sentences_with, signatures, signatures_of, signed_part
from adaq_core.filings.statement_figures import Figure, operand_of_text, quoted, unexplained
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import words
from adaq_core.text.values import dates, days

_ROLE = re.compile(r"(?i)\bchief (?:executive|financial|operating|accounting) officer\b")
_WHO = re.compile(r"(?i)^who\b|\bname of\b")
_SIGNS = re.compile(
    r"(?i)\b(?:(?P<certified>certif(?:y|ies|ied))|signs?|signed|signator(?:y|ies))\b(?! (?:a|an|any|new|up|with)\b)"
)
_ONLY_WHEN = re.compile(r"(?i)^(?:when|(?:on )?(?:what|which) (?:date|day))\b")
_WHEN = re.compile(r"(?i)\bwhen\b|\b(?:what|which) (?:date|day)\b")
_OFFICER_WORDS = """
who name current currently certify certifies certified sign signs signed signatory signatories quarterly filing filings
reports 10-q 10-k these those this whom officer officers executive executives person persons people off behalf when
date day position title titles capacity names covering
"""
_OF_OFFICERS = frozenset(_OFFICER_WORDS.split())
# Example: "Who audits A?" Counter-example: "Who chairs the audit committee of A?", which says more words.
_AUDITS = re.compile(r"(?i)\b(?:audit(?:s|ed|ors?)?|accounting firm|accountants?)\b")
_AUDIT_WORDS = """
audit audits audited auditor auditors auditing external outside independent registered public accounting accountant
accountants firm reviews reviewed review interim financial statements statement books accounts information
"""
_OF_AUDITS = frozenset(_AUDIT_WORDS.split())
_AUDIT_REPORT = re.compile(r"(?im)^report of independent registered public accounting firm")
_SIGNING_FIRM = re.compile(r"(?im)^/s/ ?(?P<firm>[^\n]{4,60})$")
_LONGEST_REPORT = 8_000  # characters: of an auditor on a year, with its critical matters
_ASKS_FOR_A_FIRM = re.compile(r"(?i)^(?:who|whom|by whom)\b|\bname of\b|\b(?:which|what) (?:\w+ ){0,2}firm\b")
_Found = dict[str, tuple[str, int]]
_SHARES_ASKED = re.compile(
    r"(?i)\b(?:how many|number of) (?:[\w.&’'-]{1,30} ){0,3}?shares\b"
    r"(?!.{0,120}\b(?:repurchas|b[ou]y|bought|dilut|average|issue ))"
    r".{1,120}\b(?:outstanding|(?:is|are|was|were) (?:out|in issue|in circulation))\b"
    r"|\bshares outstanding\b"
)
_SHARE_WORDS = "shares share outstanding out issue circulation common stock number there currently now"
_OF_SHARES = frozenset(_SHARE_WORDS.split())
_COVER = 12_000  # characters
_A_COUNT = r"(?P<count>\d[\d,.]{2,20}\d(?: (?:million|billion))?)"
_A_DAY = r"(?P<day>[A-Z][a-z]{2,8} \d{1,2}, 20\d\d)"
_OUTSTANDING = (
    re.compile(rf"{_A_COUNT} shares of common stock[^;]{{0,60}}? outstanding as of {_A_DAY}"),
    re.compile(rf"Outstanding as of {_A_DAY}[^;]{{0,120}}?\s{_A_COUNT} shares"),
    re.compile(rf"As of {_A_DAY}, the [Rr]egistrant had outstanding {_A_COUNT} shares"),
    re.compile(rf"number of shares of common stock[^;]{{0,60}}? outstanding as of {_A_DAY}, was {_A_COUNT}(?=\.|\s)"),
)


@dataclass(frozen=True, slots=True)
class _OfCover:
    """What may be asked of a cover, how the form tells it (as "is"), and the unit of the answer."""

    asks: re.Pattern[str]
    tells: re.Pattern[str]
    unit: str


# The form of the cover of a 10-Q and a 10-K is the same for all: a value stands above or below its caption.
_NUMBER_OF_FIRM = r"\d{2}-\d{7}"
_OF_COVERS = (
    _OfCover(  # Example: "Where is A incorporated?" Counter-example: "When was A incorporated?", which no cover tells
        re.compile(
            r"(?i)^(?!.*\bwhen\b)(?:(?:where|(?:in )?(?:which|what) (?:us |american )?state)\b.*\bincorporated\b"
            r"|.*\b(?:state|jurisdiction|place) of (?:incorporation|organi[sz]ation)\b)"
        ),
        re.compile(
            rf"(?i)(?m)^(?P<is>[A-Z][A-Za-z .]{{3,30}})[\s|]{{1,6}}{_NUMBER_OF_FIRM}[\s|]{{1,6}}\(state\b[^\n]{{0,60}}"
        ),
        "place",
    ),
    _OfCover(  # Example: "Where is A's head office?" Counter-example: "Where are A's offices in Europe?"
        re.compile(
            r"(?i)\bhead ?quarter(?:s|ed)\b|\b(?:head|principal|executive|main) offices?\b|\baddress\b"
            r"|^where (?:is|are) [^?]{2,40} (?:based|located)\??$"
        ),
        re.compile(
            r"(?i:identification\s{1,3}no\.?\)|\(i\.r\.s\. id\))[\s|]{1,6}"
            r"(?P<is>[^()\n]{6,80}(?:\n[^()\n]{3,60}){0,3}?\n?\d{5}(?:-\d{4})?)\s"
        ),
        "place",
    ),
    _OfCover(  # Example: "What is A's ticker?" Counter-example: "Which of its notes are listed?"
        re.compile(r"(?i)\bticker\b|\btrading symbol\b|\bstock symbol\b"),
        re.compile(r"(?m)^Common [Ss]tock[^\n|]{0,60}[\s|]{1,6}(?P<is>[A-Z]{1,5})[\s|]"),
        "name",
    ),
    _OfCover(  # Example: "Where are A's shares listed?" Counter-example: "Where are its shares held?"
        re.compile(r"(?i)\b(?:where|(?:which|what) (?:stock )?(?:exchange|market))\b.*\b(?:listed|traded?|trading)\b"),
        re.compile(r"(?m)^Common [Ss]tock[^\n|]{0,60}[\s|]{1,6}[A-Z]{1,5}[\s|]{1,6}(?P<is>[^\n|]{4,60})$"),
        "name",
    ),
)
_WORDS_OF_COVERS = """
where incorporated state jurisdiction place incorporation organization organisation headquarters headquartered head
quarters office offices principal executive main address based located ticker symbol trading stock exchange market
listed traded trade shares share common company us american under which its their on
"""
_COVER_WORDS = frozenset(_WORDS_OF_COVERS.split())


def of_disclosures(asked: AskedFigure, conditions: FilingConditions, register: Register) -> Figure | None:
    """What the one company's filings tell of what is asked, other than an amount."""
    reader = _Disclosed(asked, conditions, register)
    figure = reader.plans() or of_contents(asked, conditions, register)
    return figure or reader.purchase() or reader.shares() or reader.cover()


def of_officers(asked: AskedFigure, conditions: FilingConditions, register: Register) -> tuple[bool, Figure | None]:
    """Whether nothing but an officer's name can be the answer, and who that is or who signed."""
    best, _ = conditions.weights[0]
    if conditions.widened or _is_of_another_quarter(asked.text, best):
        return False, None  # who signed another report is no answer
    officer = _Officer(asked, conditions, register)
    if role := _ROLE.search(asked.text):
        return True, officer.named(role.group().lower())
    if signed := _SIGNS.search(asked.text):
        return False, officer.signed(certified=bool(signed["certified"]))
    if _AUDITS.search(asked.text):
        return False, officer.auditor()
    return False, None


def _is_of_another_quarter(question: str, filing: Filing) -> bool:
    """Whether a question names a quarter, by the calendar or as its issuer counts, and a filing is of none such."""
    asked = [date for date in dates(question) if date.quarter]
    own = ((filing.year, filing.quarter), filing.own)
    return bool(asked) and all((date.year, date.quarter) not in own for date in asked)


@dataclass(frozen=True, slots=True)
class _Officer:
    """Who signed the newest report that fits in a role, where all signatures in that role are of one name."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register

    def named(self, role: str) -> Figure | None:
        """Who has a role, as the newest report that fits is signed."""
        if not _WHO.search(self.asked.text) or self._left() - set(role.split()):
            return None
        for wanted in (role, role.replace("chief", "principal")):
            if figure := self._in_role(wanted):
                return figure
        return None

    def _in_role(self, role: str) -> Figure | None:
        """Who signed in a role, where all signatures in it are of one name."""
        filing = self.conditions.weights[0][0]
        passages = self.register.passages(filing.places)
        signed = [(name, quote, each) for each in passages for name, quote in signatures_of(each.text, role)]
        if len({name for name, _, _ in signed}) != 1:
            return None
        name, quote, holder = signed[0]
        operand = operand_of_text(role, filing, quote, holder)
        source = f"the signature “{' '.join(quote.split())}”"
        return Figure(name, 0.0, "person", source, (operand,))

    def auditor(self) -> Figure | None:
        """The firm that signed its report in the newest filing that fits, where that is all that is asked."""
        if not _ASKS_FOR_A_FIRM.search(self.asked.text) or self._left() - _OF_AUDITS:
            return None
        filing = self.conditions.weights[0][0]
        passages = self.register.passages(filing.places)
        text, _ = joined(passages)
        for heading in _AUDIT_REPORT.finditer(text):
            signed = _SIGNING_FIRM.search(text, heading.end(), heading.end() + _LONGEST_REPORT)
            holder = next((each for each in passages if signed and signed.group() in each.text), None)
            if signed and holder:
                operand = operand_of_text("signature", filing, signed.group(), holder)
                source = f"the signature “{signed.group()}” below the report of the accounting firm"
                return Figure(signed["firm"].strip(), 0.0, "person", source, (operand,))
        return None

    def signed(self, *, certified: bool) -> Figure | None:
        """Who signed a report, or certified it in its exhibits, each with the title; or when it was signed."""
        if self._left():
            return None
        filing = self.conditions.weights[0][0]
        passages = self.register.passages(filing.places)
        text, starts = joined(passages)
        start, end = signed_part(text)
        if certified and end:
            start, end = end, len(text)
        signed = _days_in(text[start:end]) if _WHEN.search(self.asked.text) else {}
        signers = {} if _ONLY_WHEN.search(self.asked.text) else _signers_in(text[start:end])
        found = {**signers, **signed}
        if not found or len(signed) > 1:
            return None
        operands = []
        for quote, at in found.values():
            later = (each for each, begin in zip(passages, starts, strict=True) if begin <= start + at)
            holder = [each for each in later if quote in each.text][-1]
            operands.append(operand_of_text("signature", filing, quote, holder))
        what = "certifications" if certified else "signatures"
        source = f"the {what} of {passages[0].title}"
        unit = "person" if signers else "date"
        return Figure("; ".join(found), 0.0, unit, source, tuple(operands))

    def _left(self) -> set[str]:
        """The words that are not about officers and what they sign."""
        return set(unexplained(self.asked, self.register)) - _OF_OFFICERS


def _signers_in(text: str) -> _Found:
    """Who signed a text, with the title: the lines that say so and where they begin."""
    return {f"{each.name}, {each.title}": (each.quote, each.start) for each in signatures(text)}


def _days_in(text: str) -> _Found:
    named = (day.span for day in days(text))
    return {text[start:end]: (text[start:end], start) for start, end in named}


_PLAN_ASKED = re.compile(
    r"(?i)\b(?:10b5-1|trading (?:plan|arrangement)|(?:selling|sales?|stock(?:-sale)?|share sale) (?:plan|arrangement)"
    r"|(?:plan|arrangement)\b.{0,40}\bsell)|\bsell\b.{0,40}\b(?:plan|arrangement)\b"
)
_ADOPTED = re.compile(
    r"(?:^|On (?P<day>[A-Z][a-z]{2,8} \d{1,2}, \d{4}), )(?P<name>[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){1,3}), "
    r"(?P<role>[^.;]{3,120}?), (?:adopted|entered into) an? [^.;]{0,40}?(?:trading|selling) (?:plan|arrangement)\b"
)
_NONE_ADOPTED = re.compile(
    r"\bno such plans or arrangements were adopted\b"
    r"|\b(?:[Nn]one of (?:our|its|the Company’s) (?:directors|officers)|^[Nn]o (?:directors?|officers?))"
    r"[^.;]{0,60}\badopted\b"
)
_WHETHER = re.compile(r"(?i)^(?:did|has|have|were|was)\b")
_EARLIEST = re.compile(r"(?i)\b(?:earliest|first)\b")
_FIRST_TRADE = re.compile(r"\b(?:first trade|earliest|begin|commence)|\bbetween\b")
_UNTIL = re.compile(r"(?i)\buntil\b|\bexpir|\brun out\b|\bends?\b(?! of\b)|\bhow long\b")
_LASTS = re.compile(r"\b(?:until|through|expires?|duration)\b|\bbetween\b")
_BUY = r"(?:buy|acquire|purchase|take over|merge with)(?! (?:back|of|for|from)\b)"
_BUYING = r"(?:buying|acquiring|purchasing|taking over|merging with)"
_OF_BOUGHT = r"(?:(?:of|for|with|to (?:buy|acquire)) )"
_A_PURCHASE = r"(?:(?:planned|proposed|pending|agreed) )?(?:purchase|acquisition|takeover|take-over|deal|merger)"
_WHO_BUYS = r"[^?;,]{0,40}? ?\b"
_NAME = r"(?P<name>[^?;,]{2,40}?)"
# What is asked of a purchase as ahead, as done or of how it stands; of what is taken for done, when or how it was.
_PURCHASES_ASKED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?i)^{asks}$"), time)
    for asks, time in (
        (
            rf"(?:is|are|was|were|does|do|will) {_WHO_BUYS}(?:still )?(?:about to|going to|set to"
            rf"|due to|(?:plan|intend|try|seek|want|hop|wait)(?:s|n?ing)? to|trying to) {_BUY} {_NAME}",
            "ahead",
        ),
        (rf"will {_WHO_BUYS}{_BUY} {_NAME}", "ahead"),
        (rf"(?:is|are) {_WHO_BUYS}(?:still )?{_BUYING} {_NAME}", "ahead"),
        (
            rf"(?:is|was) {_WHO_BUYS}{_A_PURCHASE} {_OF_BOUGHT}{_NAME}"
            r" (?:still )?(?:pending|on(?: track)?|open|going ahead|in the works|to come|outstanding)",
            "ahead",
        ),
        (rf"did {_WHO_BUYS}(?:(?:ever|already|actually|really) )?{_BUY} {_NAME}", "done"),
        (
            rf"(?:did|has|have) {_WHO_BUYS}(?:(?:ever|already|actually|really) )?"
            r"(?:bought|acquired|taken over|merged with|(?:complete|close|finish|finali[sz]e)d? "
            rf"(?:buying|acquiring|(?:the|its|their) {_A_PURCHASE} {_OF_BOUGHT})) ?{_NAME}",
            "done",
        ),
        (
            rf"(?:did|has|have) {_WHO_BUYS}{_A_PURCHASE} {_OF_BOUGHT}{_NAME}"
            r" (?:closed?|completed?|go(?:ne)? through|come off|happen(?:ed)?|been (?:closed|completed|finali[sz]ed))",
            "done",
        ),
        (
            rf"(?:what (?:became|has become|happened|came) (?:of|to)|what is the (?:state|status) of|how did)"
            rf" {_WHO_BUYS}{_A_PURCHASE} {_OF_BOUGHT}{_NAME}(?: end| go| turn out)?",
            "state",
        ),
        (
            # When it was agreed on is not when it was bought.
            r"(?:when|on (?:what|which) (?:date|day)) did (?![^?]{2,60}\b(?:agree|sign|announce|propose)\w*\b)"
            rf"{_WHO_BUYS}(?:{_BUY}"
            r"|(?:complete|close|finish|finali[sz]e)(?: on)?(?: buying| acquiring"
            rf"| (?:the|its|their) {_A_PURCHASE} of)?) {_NAME}",
            "taken",
        ),
        (
            r"(?:why|how|what|which)\b[^?;]{0,60}\b(?:close|complete|finali[sz]e)d? "
            rf"(?:the|its|their) {_A_PURCHASE} of {_NAME}",
            "taken",
        ),
    )
)
_PURCHASE_IN_WORDS = {
    "ahead": {
        "agreed": "Yes: agreed and not yet completed",
        "completed": "No: it is completed",
        "terminated": "No: the agreement was terminated",
    },
    "done": {
        "agreed": "No, agreed and not yet completed",
        "completed": "Yes, it is completed",
        "terminated": "No, the agreement was terminated",
    },
    "state": {"agreed": "agreed, not yet completed", "completed": "completed", "terminated": "terminated"},
    "taken": {
        "agreed": "It did not yet: agreed and not yet completed",
        "terminated": "It did not: the agreement was terminated",
    },
}
_STATES: tuple[tuple[str, re.Pattern[str]], ...] = (  # what is said of one purchase; the last of them is its state
    (
        "terminated",
        re.compile(r"(?i)\bterminat(?:ed?|ion of)\b|\bcalled off\b|\babandon(?:ed|ing)?\b|\bwithdr(?:ew|awn)\b"),
    ),
    (
        "completed",
        re.compile(
            r"(?i)\b(?:completed|closed|consummated|finali[sz]ed) (?:our|the|its|this) (?:acquisition|purchase"
            r"|merger)\b"
            r"|\b(?:we|the company|[A-Z][a-z]+) acquired\b"
            r"|\b(?:acquisition|purchase|merger) (?:was completed|closed)\b"
        ),
    ),
    (
        "agreed",
        re.compile(
            r"(?i)\bagreement to (?:acquire|purchase|buy|merge)\b"
            r"|\b(?:agreed|intends?|plans?) to (?:acquire|buy|purchase)\b"
            r"|\b(?:pending|proposed|planned) (?:acquisition|purchase|merger)\b"
            r"|\b(?:acquisition|merger) (?:is|was) expected to close\b"
        ),
    ),
)
_NOT_YET = re.compile(r"\b(?:[Ii]f|[Uu]nless|may|might|could|would be (?:terminated|completed)|[Uu]pon)\b")
_IS_PURCHASE = re.compile(r"(?i)\b(?:acqui[rs]|purchas|merge)")
_BESIDE_BOUGHT = frozenset(
    ("the", "in", "by", "as", "of", "at", "on", "during", "now", "yet", "today", "still", "or", "not")
)


@dataclass(frozen=True, slots=True)
class _Disclosed:
    """One question on its way to what a filing tells."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register

    def shares(self) -> Figure | None:
        """How many shares there are, as the cover of the filing tells."""
        if not _SHARES_ASKED.search(self.asked.text):
            return None
        if not set(unexplained(self.asked, self.register)) <= _OF_SHARES:
            return None
        months = {(date.year, date.month) for date in dates(self.asked.text) if date.month}
        told = [each for each in map(self._outstanding, self.conditions.closest) if each is not None]
        for each in told:
            counted = {(day.year, day.month) for day in days(each.text)}
            if counted & months:
                return each
        return told[0] if told else None

    def _outstanding(self, filing: Filing) -> Figure | None:
        """How many shares the cover of one filing tells, and as of which day."""
        cover = self.register.text_of(filing)[:_COVER]
        told = next(filter(None, (pattern.search(cover) for pattern in _OUTSTANDING)), None)
        if told is None:
            return None
        text = f"{told['count']} shares on {told['day']}"
        return self._quoted(filing, text, "", told[0])

    def cover(self) -> Figure | None:
        """What the cover of the filing tells of the company: the land of its law, its seat, where it is listed."""
        asks = next((each for each in _OF_COVERS if each.asks.search(self.asked.text)), None)
        if asks is None or set(unexplained(self.asked, self.register)) - _COVER_WORDS:
            return None
        filing = self.conditions.weights[0][0]
        told = asks.tells.search(self.register.text_of(filing)[:_COVER])
        if told is None:
            return None
        lines = [line.strip(" ,\t") for line in told["is"].splitlines()]
        text = ", ".join(filter(None, lines))
        text = text.title() if text.isupper() and asks.unit == "place" else text
        return self._quoted(filing, text, asks.unit, told[0].strip())

    def plans(self) -> Figure | None:
        """Who adopted a plan to trade shares, or from or until when one lets them be sold."""
        if not _PLAN_ASKED.search(self.asked.text):
            return None
        if _WHETHER.match(self.asked.text) and (none := self._none_adopted()):
            return none
        for filing in self.conditions.closest:
            adopted = list(plans_told(self.register.text_of(filing)))
            named = [each for each in adopted if self._names(each)]
            if not named and self._is_of_all():
                named = adopted
            if not named:
                continue
            if _WHETHER.match(self.asked.text):
                text = f"Yes: {'; '.join(each.name for each in named)}"
                return self._quoted(filing, text, "", *(each.quote for each in named))
            if _UNTIL.search(self.asked.text):
                return self._day_of_plan(filing, named, _LASTS)
            if _EARLIEST.search(self.asked.text):
                return self._day_of_plan(filing, named, _FIRST_TRADE)
            if _WHO.search(self.asked.text) or not _WHEN.search(self.asked.text):
                text = "; ".join(f"{each.name}, {each.role}" for each in named)
                return self._quoted(filing, text, "person", *(each.quote for each in named))
        return None

    def purchase(self) -> Figure | None:
        """How the purchase of another company stands: agreed, completed or terminated, by the newest report that tells.

        Of the reports that fit the question as well only the newest one that speaks of it counts: what an earlier one
        tells as agreed may since have been completed or called off.
        """
        asked = self.asked.text.strip(" ?.")
        matches = ((pattern.match(asked), time) for pattern, time in _PURCHASES_ASKED)
        match, time = next(((match, time) for match, time in matches if match), (None, ""))
        told_of = self._state_of(match["name"]) if match else None
        if told_of is None:
            return None
        filing, state, sentence = told_of
        text, unit = _PURCHASE_IN_WORDS[time].get(state, ""), ""
        if not text and _ONLY_WHEN.match(asked):
            text, unit = next((sentence[slice(*day.span)] for day in days(sentence)), ""), "date"
        if (
            match
            and text.startswith("Yes")
            and (other := _other_time(asked, sentence, self.register.bare(match["name"])))
        ):
            text = f"No, it was completed {other}"
        figure = self._quoted(filing, text, unit, sentence) if text else None
        return replace(figure, denies=True) if figure else None  # nothing that was told before answers

    def _state_of(self, called: str) -> tuple[Filing, str, str] | None:
        """The newest filing that fits and tells how the purchase of a company stands, how, and the sentence."""
        name = [word for word in self.register.bare(called).split() if word not in _BESIDE_BOUGHT]
        texts = {filing.number: self.register.text_of(filing) for filing in self.conditions.closest} if name else {}
        if not any(" ".join(name).lower() in text.lower() for text in texts.values()):
            return None
        for filing in self.conditions.closest:
            if told_of := state_of_purchase(texts[filing.number], name):
                return filing, *told_of
        return None

    def _none_adopted(self) -> Figure | None:
        """That nobody adopted a plan in the quarter of the filing that fits best, where it says so."""
        filing = self.conditions.weights[0][0]
        text = self.register.text_of(filing)
        if any(plans_told(text)):
            return None
        none = [sentence for sentence in sentences_with(text, "adopted") if _NONE_ADOPTED.search(sentence)]
        return self._quoted(filing, "No, none", "", none[0]) if none else None

    def _day_of_plan(self, filing: Filing, plans: Sequence[Plan], sign: re.Pattern[str]) -> Figure | None:
        """The day from or until which the one plan that is asked for lets shares be sold."""
        if len(plans) != 1:
            return None
        for sentence in plans[0].sentences:
            cue = sign.search(sentence)
            after = sentence[cue.start() :] if cue else ""
            if named := days(after):
                is_span = after.startswith("between") and sign is _LASTS
                day = after[slice(*named[-1 if is_span else 0].span)]
                return self._quoted(filing, day, "date", plans[0].quote, sentence)
        return None

    def _names(self, plan: Plan) -> bool:
        """Whether a question names who adopted a plan, by a name or by the role."""
        said = self.asked.text.lower()
        names = {name for name in words(plan.name) if len(name) > _SHORT_FORM}
        role = _ROLE.search(said)
        if role is not None and role.group() in plan.role.lower():
            return True
        return not names.isdisjoint(words(said))

    def _is_of_all(self) -> bool:
        """Whether the plans of all are asked for: no person and no role is named."""
        bare = self.register.bare(self.asked.text)
        return not any(named.search(bare) for named in (_ROLE, _NAMED))

    def _quoted(self, filing: Filing, text: str, unit: str, *quotes: str) -> Figure | None:
        return quoted(filing, self.register, text, quotes, unit=unit)


def state_of_purchase(text: str, name: Sequence[str]) -> tuple[str, str] | None:
    """How a text says that the purchase of what is called by these words stands, and the sentence that says it.

    What may happen ("if it is terminated, we may be obligated to pay") is no state.
    """
    named = _names_bought(name)
    of_it = [each for each in sentences_with(text, name[0][1:]) if named.search(each) and _IS_PURCHASE.search(each)]
    of_it = [each for each in of_it if each[:1].isupper() and each.endswith(".")]  # no heading, no part of a list
    for state, sign in _STATES:
        told_so = [each for each in of_it if sign.search(each) and not _NOT_YET.search(each)]
        if told_so:
            return state, told_so[0]
    return None


_A_YEAR = 12  # months


def _other_time(asked: str, sentence: str, name: str) -> str:
    """When a sentence says that something was done, where the period that is asked for does not hold that time."""
    called = name.split()[:1]
    clause = next((part for part in sentence.split(", and ") if called and called[0].lower() in part.lower()), "")
    periods, told = dates(asked), dates(clause)
    if not len(periods) == len(told) == 1 or not told[0].month:
        return ""
    period, time = periods[0], told[0]
    if period.quarter:  # which may be a fiscal one
        apart = abs((period.year - time.year) * 12 + 3 * period.quarter - (time.month or 0))
        is_other = apart > _A_YEAR
    else:
        is_other = period.year != time.year or period.month not in (None, time.month)
        is_other = is_other and not period.is_fiscal
    said = clause[slice(*time.span)]
    return f"{'on' if time.day else 'in'} {said}" if is_other else ""


def _names_bought(name: Sequence[str]) -> re.Pattern[str]:
    """The name in full, or its first word in front of no other name: "to acquire Tower" of Tower Semiconductor."""
    is_written = name[0] != name[0].lower()  # "iRobot" is; what is typed in lower case is a name with a capital
    first = rf"[{name[0][0]}{name[0][0].upper()}]" if is_written else name[0][0].upper()
    first += re.escape(name[0][1:])
    full = " ".join((first, *(rf"(?i:{re.escape(word)})" for word in name[1:])))
    if len(name) == 1:
        return re.compile(rf"\b{full}\b")
    led = r"(?:[Aa]cquire[ds]?|[Mm]erge(?:r|d)? with|[Pp]urchase[ds]?|[Aa]cquisition of|[Pp]urchase of|[Aa]greed with)"
    return re.compile(rf"\b{full}\b|\b{led} {first}\b(?! [A-Z])")


_SHORT_FORM = 2
_NAMED = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")


@dataclass(frozen=True, slots=True)
class Plan:
    """Who adopted a plan to trade shares in which role, the sentence that says it, and it with those after it."""

    name: str
    role: str
    quote: str
    sentences: tuple[str, ...]


def plans_told(text: str) -> Iterator[Plan]:
    """The plans to trade shares that officers adopted, as a text tells them one a line."""
    for line in text.split("\n"):
        if "adopted" not in line and "entered into" not in line:
            continue
        said = sentence_texts(line)
        for number, sentence in enumerate(said):
            if adopted := _ADOPTED.search(sentence):
                role = re.sub(r"^(?:our|the|its) ", "", adopted["role"])
                yield Plan(adopted["name"], role, sentence, tuple(said[number:]))
