"""What a filing tells that is no amount: who signed it, what a line is made of, who plans to sell, what is bought.

Each stands in a form that filings keep to: signatures, notes of a table, "X includes …", Item 408 of Regulation S-K.
What is asked for has to be the very thing that is told: else nothing is given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from adaq_core.filings.conditions import AskedFigure, FilingConditions
from adaq_core.filings.register import Filing, Register, joined, once
from adaq_core.filings.sentences import signatures, signatures_of, signed_part
from adaq_core.filings.statement_figures import Figure, operand_of_text, quoted, unexplained
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import terms_of, words
from adaq_core.text.values import dates, days

_ROLE = re.compile(r"\bchief (?:executive|financial|operating|accounting) officer\b", re.IGNORECASE)
_WHO = re.compile(r"^who\b|\bname of\b", re.IGNORECASE)
_SIGNS = re.compile(
    r"\b(?:(?P<certified>certif(?:y|ies|ied))|signs?|signed|signator(?:y|ies))\b(?! (?:a|an|any|new|up|with)\b)",
    re.IGNORECASE,
)
_ONLY_WHEN = re.compile(r"^(?:when|(?:on )?(?:what|which) (?:date|day))\b", re.IGNORECASE)
_WHEN = re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day)\b", re.IGNORECASE)
_OFFICER_WORDS = """
who name current currently certify certifies certified sign signs signed signatory signatories quarterly filing filings
reports 10-q 10-k these those this whom officer officers executive executives person persons people off behalf when
date day position title titles capacity names covering
"""
_OF_OFFICERS = frozenset(_OFFICER_WORDS.split())
# Example: "Who audits A?" Counter-example: "Who chairs the audit committee of A?", which says more words.
_AUDITS = re.compile(r"\b(?:audit(?:s|ed|ors?)?|accounting firm|accountants?)\b", re.IGNORECASE)
_AUDIT_WORDS = """
audit audits audited auditor auditors auditing external outside independent registered public accounting accountant
accountants firm reviews reviewed review interim financial statements statement books accounts information
"""
_OF_AUDITS = frozenset(_AUDIT_WORDS.split())
_AUDIT_REPORT = re.compile(r"^report of independent registered public accounting firm", re.IGNORECASE | re.MULTILINE)
_SIGNING_FIRM = re.compile(r"^/s/ ?(?P<firm>[^\n]{4,60})$", re.IGNORECASE | re.MULTILINE)
_LONGEST_REPORT = 8_000  # characters: of an auditor on a year, with its critical matters
_ASKS_FOR_A_FIRM = re.compile(
    r"^(?:who|whom|by whom)\b|\bname of\b|\b(?:which|what) (?:\w+ ){0,2}firm\b", re.IGNORECASE
)
_Found = dict[str, tuple[str, int]]
_SHARES_ASKED = re.compile(
    r"\b(?:how many|number of) (?:[\w.&’'-]{1,30} ){0,3}?shares\b"
    r"(?!.{0,120}\b(?:repurchas|b[ou]y|bought|dilut|average|issue ))"
    r".{1,120}\b(?:outstanding|(?:is|are|was|were) (?:out|in issue|in circulation))\b"
    r"|\bshares outstanding\b",
    re.IGNORECASE,
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
            r"^(?!.*\bwhen\b)(?:(?:where|(?:in )?(?:which|what) (?:us |american )?state)\b.*\bincorporated\b"
            r"|.*\b(?:state|jurisdiction|place) of (?:incorporation|organi[sz]ation)\b)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?m)^(?P<is>[A-Z][A-Za-z .]{{3,30}})[\s|]{{1,6}}{_NUMBER_OF_FIRM}[\s|]{{1,6}}\(state\b[^\n]{{0,60}}",
            re.I,
        ),
        "place",
    ),
    _OfCover(  # Example: "Where is A's head office?" Counter-example: "Where are A's offices in Europe?"
        re.compile(
            r"\bhead ?quarter(?:s|ed)\b|\b(?:head|principal|executive|main) offices?\b|\baddress\b"
            r"|^where (?:is|are) [^?]{2,40} (?:based|located)\??$",
            re.IGNORECASE,
        ),
        re.compile(
            r"(?i:identification\s{1,3}no\.?\)|\(i\.r\.s\. id\))[\s|]{1,6}"
            r"(?P<is>[^()\n]{6,80}(?:\n[^()\n]{3,60}){0,3}?\n?\d{5}(?:-\d{4})?)\s"
        ),
        "place",
    ),
    _OfCover(  # Example: "What is A's ticker?" Counter-example: "Which of its notes are listed?"
        re.compile(r"\bticker\b|\btrading symbol\b|\bstock symbol\b", re.IGNORECASE),
        re.compile(r"(?m)^Common [Ss]tock[^\n|]{0,60}[\s|]{1,6}(?P<is>[A-Z]{1,5})[\s|]"),
        "name",
    ),
    _OfCover(  # Example: "Where are A's shares listed?" Counter-example: "Where are its shares held?"
        re.compile(
            r"\b(?:where|(?:which|what) (?:stock )?(?:exchange|market))\b.*\b(?:listed|traded?|trading)\b",
            re.IGNORECASE,
        ),
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


def asks_for_contents(text: str) -> bool:
    """Whether a question asks what something includes, which is no amount."""
    return any(pattern.match(text) for pattern in _HELD_BY)


def of_disclosures(asked: AskedFigure, conditions: FilingConditions, register: Register) -> Figure | None:
    """What the one company's filings tell of what is asked, other than an amount."""
    reader = _Disclosed(asked, conditions, register)
    for read in (reader.plans, reader.contents, reader.purchase, reader.shares, reader.cover):
        if figure := read():
            return figure
    return None


def of_officers(asked: AskedFigure, conditions: FilingConditions, register: Register) -> tuple[bool, Figure | None]:
    """Whether nothing but an officer's name can be the answer, and who that is or who signed."""
    officer = _Officer(asked, conditions, register)
    if role := _ROLE.search(asked.text):
        return True, officer.named(role.group().lower())
    if signed := _SIGNS.search(asked.text):
        return False, officer.signed(certified=bool(signed["certified"]))
    if _AUDITS.search(asked.text):
        return False, officer.auditor()
    return False, None


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
    """The days that a text names, as it writes them, and where."""
    named = (day.span for day in days(text))
    return {text[start:end]: (text[start:end], start) for start, end in named}


_IS_IN = r"(?:is|are|sits?|goes|go|falls?|belongs?|included|counted)"
_HOLDS = r"(?:includes?|counts?|covers?|comprises?|contains?|consists? of|encompass(?:es)?)"
_HELD_BY = (
    re.compile(
        r"^what (?:does|do) [^?;]{2,40}? (?:include|count|put|book|record|report|lump|file|show)"
        r" (?:in|into|under|within|as) (?P<of>[^?;]{2,80})",
        re.IGNORECASE,
    ),
    re.compile(rf"^what (?:exactly )?(?:does|do) (?P<of>[^?;]{{2,80}}?) {_HOLDS}\b", re.IGNORECASE),
    re.compile(rf"^(?P<of>[^?;]{{2,80}}?)[,:;–-]{{0,2}} what (?:does|do) (?:that|it|this|they) {_HOLDS}\b", re.I),
    re.compile(r"^what makes? up (?P<of>[^?;]{2,80})", re.IGNORECASE),
    re.compile(r"^what (?:is|are) (?P<of>[^?;]{2,80}) made (?:up )?of\b", re.IGNORECASE),
)
_OF_CONTENTS = (
    *_HELD_BY,
    re.compile(
        rf"^(?:what|which)\b(?!.*\b(?:changes?|changed|growth|increase|decrease)\b)[^?,;]{{0,60}}?\b{_IS_IN}"
        r"(?: all| exactly)? (?:in|into|under|within|inside) (?P<of>[^?;]{2,90})",
        re.IGNORECASE,
    ),
)
_SEGMENTS_ASKED = re.compile(
    r"^(?:what|which|name|list|how many)\b[^?;]{0,60}?\b(?:operating|reportable|reporting|business)? ?segments?\b"
    r"(?! (?:had|has|earn|grew|fell|made|lost|is|was|with|did|profit|result|revenue))",
    re.IGNORECASE,
)
_PARTS_ASKED = re.compile(  # "Into what parts of the world does it split its business?"
    r"^(?:into |in )?(?:what|which|how many)\b[^?;]{0,30}\b(?:parts|areas|regions|pieces|units|groups)\b[^?;]{0,50}"
    r"\b(?:split|splits|divided?|divides|organi[sz]ed?|organi[sz]es|breaks?|broken)\b"
    r"|^how (?:does|do|is|are) [^?;]{2,40}? (?:split|divide|organi[sz]e|break)d? (?:up |down )?"
    r"(?:itself|(?:its|the|their) (?:business(?:es)?|operations|reporting)|into)\b",
    re.IGNORECASE,
)
_SEGMENTS_TOLD = re.compile(
    r"\b(?:(?:organized|divided|managed?s?) (?:our|its) (?:operations|business(?:es)?) into (?:\w+ )?segments"
    r"|(?:the )?following (?:\w+ )?segments|(?:reportable|operating|business) segments (?:consist of|are|include)):? "
    r"(?P<are>(?:the )?[A-Z][^.]{1,80}(?:, | and )(?:the )?[A-Z].+"
    r"|[“\"][A-Z][^.“”\"]{1,40}[”\"](?:(?:,| and|, and) [“\"][A-Z][^.“”\"]{1,40}[”\"])+)"
)
_LINE_WORDS = """
line segment segments revenue revenues net sales figure figures metric metrics category categories business businesses
item group unit caption bucket its their the our exactly include includes reported reports report filing says according
quarter ended months stream streams product products row all of in and for per now today actually
"""
_OF_LINES = terms_of(_LINE_WORDS)
_SEGMENT_WORDS = """
which what name list many does do have has operating reportable reporting segment segments business after into operates
divide divides split splits organized report reports reported own current its the there under geographic geographical
geographically reorganization reorganisation parts areas regions pieces units groups world itself it when up operations
reports one two three four five six how organize organise break breaks
"""
_OF_SEGMENTS = frozenset(_SEGMENT_WORDS.split())
_MADE_OF = re.compile(
    r"^(?:[•▪] ?)?(?:(?:Our|The|This|Total) )?(?P<name>(?!(?:We|It|They|These|This)\b)[“\"A-Z][^.;:%$]{1,70}?)"
    r"[”\"]?,?(?: which| that)?"
    r"(?: primarily| mainly| principally| generally)? (?:includes?|consists? (?:primarily |mainly |principally )?of"
    r"|comprises?) (?P<parts>[^:]+)"
)
_WITH_PARTS = re.compile(
    r"\b(?:[Oo]ur|[Tt]he) (?P<name>[A-Z][\w&’'-]{1,20}(?: [\w&’'-]{1,20}){0,4}), which includes (?P<parts>[^.;:]+)"
)
_LISTED = re.compile(  # a point of a list: "Kilns and ovens, including gas kilns; muffle ovens; and hearths."
    r"^(?:[•▪●] ?)?(?P<name>[A-Z][\w&’'-]{1,20}(?: [\w&’'-]{2,20}){0,5}), including "
    r"(?P<parts>[^.:$%]{6,600})\.$"
)
_MARKS = ("•", "▪", "●")
_THEN_DID = re.compile(r",? (?:was|were|increased|decreased|grew|rose|fell|declined)\b.*$")
_NOTED = re.compile(r"(?m)^(?P<label>[A-Z][^\n()$|]{1,60}?) \((?P<n>\d{1,2})\)(?=$| )")
_NOTE = re.compile(
    r"(?m)^\((?P<n>\d{1,2})\) ?(?:Primarily )?(?:[Ii]ncludes?|[Cc]omprises?|[Cc]onsists? of) (?P<parts>[^\n]+)"
)
_FAR = 4_000  # characters from a row to its note
_FILINGS = 4
_PLAN_ASKED = re.compile(
    r"\b(?:10b5-1|trading (?:plan|arrangement)|(?:selling|sales?|stock(?:-sale)?|share sale) (?:plan|arrangement)"
    r"|(?:plan|arrangement)\b.{0,40}\bsell)|\bsell\b.{0,40}\b(?:plan|arrangement)\b",
    re.IGNORECASE,
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
_WHETHER = re.compile(r"^(?:did|has|have|were|was)\b", re.IGNORECASE)
_EARLIEST = re.compile(r"\b(?:earliest|first)\b", re.IGNORECASE)
_FIRST_TRADE = re.compile(r"\b(?:first trade|earliest|begin|commence)|\bbetween\b")
_UNTIL = re.compile(r"\buntil\b|\bexpir|\brun out\b|\bends?\b(?! of\b)|\bhow long\b", re.IGNORECASE)
_LASTS = re.compile(r"\b(?:until|through|expires?|duration)\b|\bbetween\b")
_BUY = r"(?:buy|acquire|purchase|take over|merge with)(?! (?:back|of|for|from)\b)"
_BUYING = r"(?:buying|acquiring|purchasing|taking over|merging with)"
_OF_BOUGHT = r"(?:(?:of|for|with|to (?:buy|acquire)) )"
_A_PURCHASE = r"(?:(?:planned|proposed|pending|agreed) )?(?:purchase|acquisition|takeover|take-over|deal|merger)"
_WHO_BUYS = r"[^?;,]{0,40}? ?\b"
_NAME = r"(?P<name>[^?;,]{2,40}?)"
# What is asked of a purchase as ahead, as done or of how it stands; of what is taken for done, when or how it was.
_PURCHASES_ASKED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"^{asks}$", re.IGNORECASE), time)
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
            rf"(?:when|on (?:what|which) (?:date|day)) did {_WHO_BUYS}(?:{_BUY}"
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
        re.compile(r"\bterminat(?:ed?|ion of)\b|\bcalled off\b|\babandon(?:ed|ing)?\b|\bwithdr(?:ew|awn)\b", re.I),
    ),
    (
        "completed",
        re.compile(
            r"\b(?:completed|closed|consummated|finali[sz]ed) (?:our|the|its|this) (?:acquisition|purchase|merger)\b"
            r"|\b(?:we|the company|[A-Z][a-z]+) acquired\b"
            r"|\b(?:acquisition|purchase|merger) (?:was completed|closed)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "agreed",
        re.compile(
            r"\bagreement to (?:acquire|purchase|buy|merge)\b"
            r"|\b(?:agreed|intends?|plans?) to (?:acquire|buy|purchase)\b"
            r"|\b(?:pending|proposed|planned) (?:acquisition|purchase|merger)\b"
            r"|\b(?:acquisition|merger) (?:is|was) expected to close\b",
            re.IGNORECASE,
        ),
    ),
)
_NOT_YET = re.compile(r"\b(?:[Ii]f|[Uu]nless|may|might|could|would be (?:terminated|completed)|[Uu]pon)\b")
_IS_PURCHASE = re.compile(r"\b(?:acqui[rs]|purchas|merge)", re.IGNORECASE)
_BESIDE_BOUGHT = frozenset(
    ("the", "in", "by", "as", "of", "at", "on", "during", "now", "yet", "today", "still", "or", "not")
)


@dataclass(frozen=True, slots=True)
class _Disclosed:
    """One question on its way to what a filing tells."""

    asked: AskedFigure
    conditions: FilingConditions
    register: Register

    def contents(self) -> Figure | None:
        """What a line, a segment or a measure is made of, as the note of its row or a sentence about it tells."""
        text = self.asked.text.strip()
        asks_for_segments = _SEGMENTS_ASKED.match(text) or (_PARTS_ASKED.match(text) and not self.asked.named)
        if asks_for_segments and set(unexplained(self.asked, self.register)) <= _OF_SEGMENTS:
            subject, called, read = frozenset[str](), "", segments_told
        else:
            matches = filter(None, (pattern.match(text) for pattern in _OF_CONTENTS))
            called = next((match["of"] for match in matches if self._terms(match["of"])), "")
            subject, read = self._terms(called), contents_told
            if not subject:
                return None
            called = _LINE_BEHIND.sub("", " ".join(words(self.register.bare(called))))
        for filing in self._filings():
            told = list(read(self.register.text_of(filing)))
            exact = [each for each in told if self._terms(each[0]) == subject]
            opened = {each[0]: each for each in told if _opens_with(each[0], called)}
            if not exact and len(opened) == 1:
                exact = list(opened.values())
            if exact:
                _, parts, quotes = exact[0]
                return self._quoted(filing, parts, "list", *quotes)
        return None

    def shares(self) -> Figure | None:
        """How many shares there are, as the cover of the filing tells."""
        if not _SHARES_ASKED.search(self.asked.text):
            return None
        if not set(unexplained(self.asked, self.register)) <= _OF_SHARES:
            return None
        months = {(date.year, date.month) for date in dates(self.asked.text) if date.month}
        told = [each for each in map(self._outstanding, self._filings()) if each is not None]
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
        for filing in self._filings():
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
            text, unit = _day_in(sentence), "date"
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
        texts = {filing.number: self.register.text_of(filing) for filing in self._filings()} if name else {}
        if not any(" ".join(name).lower() in text.lower() for text in texts.values()):
            return None
        for filing in self._filings():
            if told_of := state_of_purchase(texts[filing.number], name):
                return filing, *told_of
        return None

    def _none_adopted(self) -> Figure | None:
        """That nobody adopted a plan in the quarter of the filing that fits best, where it says so."""
        filing = self.conditions.weights[0][0]
        text = self.register.text_of(filing)
        if any(plans_told(text)):
            return None
        none = [sentence for sentence in _sentences_with(text, "adopted") if _NONE_ADOPTED.search(sentence)]
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

    def _terms(self, text: str) -> frozenset[str]:
        """The terms of the name of a line, without its company, period and words such as "segment"."""
        company = terms_of(self.register.companies.labels[self.conditions.companies[0]])
        bare = self.register.bare(text)
        only_other = frozenset(words(bare)) & _OTHER  # which is no term of an index
        return terms_of(bare) - _OF_LINES - company or only_other

    def _filings(self) -> list[Filing]:
        """The filings that fit best, the best first."""
        fit = (filing for filing, weight in self.conditions.weights if weight >= _FITS)
        return list(islice(fit, _FILINGS))

    def _quoted(self, filing: Filing, text: str, unit: str, *quotes: str) -> Figure | None:
        return quoted(filing, self.register, text, quotes, unit=unit)


def state_of_purchase(text: str, name: Sequence[str]) -> tuple[str, str] | None:
    """How a text says that the purchase of what is called by these words stands, and the sentence that says it.

    What may happen ("if it is terminated, we may be obligated to pay") is no state.
    """
    named = _names_bought(name)
    of_it = [each for each in _sentences_with(text, name[0][1:]) if named.search(each) and _IS_PURCHASE.search(each)]
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


def _day_in(sentence: str) -> str:
    """The first day that a sentence names, as it writes it; empty where it names none."""
    return next((sentence[slice(*day.span)] for day in days(sentence)), "")


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


_FITS = 0.5
_SHORT_FORM = 2
_OTHER = frozenset(("other",))
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


_Contents = Iterator[tuple[str, str, tuple[str, ...]]]  # a name, its parts, what says so


def contents_told(text: str) -> _Contents:
    """What a text says that lines, segments and measures are made of: in notes, in sentences, in lists below them."""
    rows = list(_NOTED.finditer(text))
    for note in _NOTE.finditer(text):
        above = [row for row in rows if 0 < note.start() - row.end() < _FAR]
        labels = [row["label"] for row in above if row["n"] == note["n"]]
        if labels:
            yield labels[-1], note["parts"].strip(" ."), (note.group(),)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not any(sign in line for sign in ("includ", "consist", "compris")):
            continue
        below = list(_points_below(lines, number)) if _LISTS_BELOW.search(line) else []
        for sentence in sentence_texts(line):
            made = _MADE_OF.match(sentence) or _WITH_PARTS.search(sentence)
            listed = _LISTED.match(sentence)
            is_point = number > 0 and lines[number - 1].strip() in _MARKS
            if listed and not made and ("," if is_point else ";") in listed["parts"]:
                yield listed["name"], listed["parts"].strip(" ,."), (sentence,)
            if made and below:
                yield made["name"], "; ".join(map(_first_words, below)), (sentence, *below)
            elif made:
                yield made["name"], _THEN_DID.sub("", made["parts"]).strip(" ,."), (sentence,)


_LINE_BEHIND = re.compile(r"(?: (?:line|lines|segment|category|business|products?|services?|unit)){1,3}$|^(?:the|its) ")


def _opens_with(name: str, called: str) -> bool:
    """Whether a name goes on behind what it is called: "Server products and cloud services" behind "server"."""
    ahead = f"{called} ".lower()
    return bool(called) and name.lower().startswith(ahead)


def _first_words(point: str) -> str:
    """What a point of a list is about: what it says in front of a comma or a bracket."""
    return re.split(r",| \(", point, maxsplit=1)[0].rstrip(".")


_LISTS_BELOW = re.compile(r"\b(?:comprises|includes|consists of)(?: the following)?:$")
_SEGMENTS_BELOW = re.compile(r"\bfollowing (?:\w+ )?segments:$")
_POINT = re.compile(r"[•▪●]\s*(?P<point>.*)")
_IS_TEXT = re.compile(r"[.:]$|^.{60}")  # and not the number or the heading of a page
_BETWEEN_POINTS = 3  # lines: the foot of a page and the head of the next


def _points_below(lines: Sequence[str], number: int) -> Iterator[str]:
    """The points of the list below a line, whose marks may stand on lines of their own; a page may end among them."""
    is_marked, since = False, 0
    for line in map(str.strip, lines[number + 1 :]):
        match = _POINT.fullmatch(line)
        point = line if is_marked else match["point"] if match else ""
        if point:
            yield point
        since = 0 if match or is_marked else since + 1
        is_marked = match is not None and not match["point"]
        if since and (since > _BETWEEN_POINTS or _IS_TEXT.search(line)):
            return


def segments_told(text: str) -> _Contents:
    """The segments that a text says a company has: "", their names and the sentence."""
    for sentence in _sentences_with(text, "segments"):
        if match := _SEGMENTS_TOLD.search(sentence):
            yield "", match["are"].strip(" .,"), (sentence,)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _SEGMENTS_BELOW.search(line) and (below := list(_points_below(lines, number))):
            yield "", "; ".join(below), (sentence_texts(line)[-1], *below)


@once
def segment_names(filing: Filing, register: Register) -> tuple[str, ...]:
    """The names of the segments that a filing says its company has; empty where it does not say them."""
    told = next((names for _, names, _ in segments_told(register.text_of(filing))), "")
    if quoted_names := _QUOTED.findall(told):
        return tuple(name.strip(" ,") for name in quoted_names)
    *before, last = told.rsplit(", and ", 1)  # names of several words may hold an "and" of their own
    if ";" in told:
        split = told.split("; ")
    elif before:
        split = [*_COMMA.split(before[0]), last]
    else:
        split = _COMMA_OR_AND.split(told)
    names = (_INITIALS_BEHIND.sub("", name).removeprefix("the ").strip() for name in split)
    return tuple(name for name in names if name)


_QUOTED = re.compile(r"[“\"]([^”\"]{2,60})[”\"]")
_INITIALS_BEHIND = re.compile(r" \([A-Z]{2,6}\)$")
_COMMA, _COMMA_OR_AND = re.compile(r", (?:and )?"), re.compile(r", | and ")


def _sentences_with(text: str, sign: str) -> Iterator[str]:
    """The sentences in the lines of a text that hold a sign."""
    for line in text.split("\n"):
        if sign in line:
            yield from sentence_texts(line)
