"""What a question asks together of filings: which things, of which companies, for which periods, and what else.

Its words alone are read here; whether a thing has a figure is asked of who looks it up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adaq_core.filings.conditions import (
    ANNUAL,
    AskedFigure,
    all_companies_in,
    conditions_of,
    in_own_names,
    in_words_of_filings,
)
from adaq_core.filings.partitions import KINDS_OF_PART, kind_named, parts_of_kind, segments_of
from adaq_core.filings.register import Filing, Mention, Register
from adaq_core.filings.sentences import ORDINALS
from adaq_core.filings.statement_figures import ASIDE, RISES, VERB, unexplained
from adaq_core.question.answer_kinds import begins_to_ask
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import terms_of, words
from adaq_core.text.values import FIRST_DAYS, MONTH_NAMES, MONTHS, Date, dates

# What makes an order a question: "Could you show".
POLITE = re.compile(r"(?i)^(?:can|could|would) (?:you|we|i) (?:please )?")
_FEW_LANES = 2  # so few that causes are told of each
_MOST_PARTS = 4  # of the name of one row: "sales, general and administrative" has three
_BETWEEN = re.compile(
    r"[,;:?]|\.(?= |$)|&|/(?= )"
    r"|\b(?:and(?! Other\b)|or|plus|as well as|versus|vs\.?|against|next to|with)\b"
)
_BESIDE = re.compile(
    r"(?i)\b(?:why|how come|reasons?|because|caus\w+|expla\w+|dr[oai]ve[ns]?|drivers?|dragged|behind|which|who"
    r"|whose|when"
    r"|where|whether|sequential\w*|on the quarter|quarter[- ]o[nv]\w*[- ]quarter|qoq"
    r"|of (?:that|this|these|those|it|which))\b"
)
_WHY = re.compile(
    r"(?i)\b(?:why|how come|(?:(?:the|its) )?(?:main )?(?:reasons?|causes?|drivers?)"
    r"|what (?:(?:has |had )?(?:caused|drove|drives|led to|explains?|explained|dragged|lay behind)"
    r"|(?:is|was) behind))\b"
)
_CHOOSES = re.compile(
    r"(?i)^(?:which|who|whose)\b|\b(?:higher|lower|more|less|bigger|faster|larger) (?:than|in|at)\b"
    r"|\bhow (?:much|many) (?:more|less|fewer|higher|lower|larger|bigger|smaller)\b.{2,160} than\b"
    r"|\b(?:difference|gap) between\b"
)
# One change is asked for, which is not told by the figure of each quarter.
ONE_CHANGE = re.compile(r"(?i)\bfrom\b.*\bto\b|\bbetween\b.*\band\b")
_RANGE = re.compile(r"(?i)\b(?:between|from) (?:the )?(?:(?:quarter|period|months) (?:ended|to) )?$")
_TO = re.compile(r"(?i),? (?:and|to|until|through) (?:the )?(?:(?:quarter|period|months) (?:ended|to) )?")
_MONTHS_AHEAD = re.compile(r"(?i)\b(?:six|nine) months ended (?:on )?$")
_OTHER_SPANS = re.compile(
    r"(?i)\byear[- ]to[- ]date\b|\bytd\b|\b(?:first|second) half\b|\bhalf[- ]year|\btrailing\b|\b[tl]tm\b|\baverage\b"
)
_GROWS = re.compile(
    rf"(?i){RISES.pattern}|\bgrowth\b|\b(?:prior|previous|last|preceding) year\b"
    r"|\byear[ -](?:earlier|before|ago)\b|\by/y\b|\byoy\b"
)
_OF = re.compile(r"(?i)\b(?:of|for|from|at|in|across)\s{1,40}(?:(?:the|its|their)\s{1,9})?$")
_SHARE = re.compile(r"(?i)\b(?:share|proportion|percentage|fraction|percent) of\b")
_BY_KIND = re.compile(
    r"(?i)\b(?:of |for |in )?(?:each (?:of )?|every |per |by |(?:all |its |the |their )?(?:two|three|four|five) )"
    r"(?:(?:the|its|their)\b )?(?:\W{0,3}\s{0,20})(?:operating |reportable |reporting )?"
    rf"{KINDS_OF_PART}\b"
)
_EACH = re.compile(r"(?i)\beach|\bevery")
_PERFORMS = re.compile(
    r"(?i)\bhow (?:did|has|have|is|are|was|were) .{1,80}? "
    r"(?:do|doing|done|far(?:e|ed|ing)|go|gone|sell(?:ing)?|perform(?:ed|ing)?)\b"
    r"|\bhow (?!much|many|far|fast|long|often|big|large)\w.{0,60}? did(?= (?:at|in|during|over|for)\b|[?.,;]|$)"
    r"|\bresults\b|\bperformance\b|\brecap\b"
)
_OF_PERFORMANCE = ("revenue", "revenue growth", "operating income", "net income", "diluted EPS")
_OF_PARTS = _OF_PERFORMANCE[:3]  # what is told of a segment or a product too
_SHARED = frozenset(("revenue", "operating income", "gross profit", "gross margin", "operating margin"))
_FILLING_WORDS = """
then now put next side give me show set list please compare compared quick recap summary overview figures figure get
want need each both it they that those them there after before our note table also how about tell result results
report reports filing filings quarterly selling developed develop evolve evolved
performance perform performed performing doing done do fare fared faring short version summarise summarize business
say said says name break breakdown broken split splits divided trend trends development course
"""
_FILLING = (ASIDE - {"products"}) | frozenset(_FILLING_WORDS.split())
_WORD = re.compile(r"\w(?:[\w&.-]{0,40}\w)?")
_EARNS = re.compile(r"(?i)\bearn(?:s|ed)?\b|\bprofitab")
_THEY = re.compile(r"(?i)\b(?:it|they|that|those|each|both|them)\b")
_SELLS = re.compile(r"(?i)\bs(?:ell|old)\b")
_EVERY = re.compile(
    r"(?i)\b(?:(?:in|for|of|over|by) )?(?:(?:each|every|all) (?:of )?(?:the |its )?(?:fiscal )?quarters?(?: of| in)?"
    r"|(?:the )?quarters of|(?:by|per) quarter(?: of| in| for)?)(?: the)?"
    r"(?P<fiscal> fiscal(?: year)?| FY)? ?(?P<year>20\d\d)\b"
)
_TREND = re.compile(r"(?i)^(?:what (?:is|was) )?(?:the )?trend (?:of|in) (?P<what>[^?]{3,100}?)\W*$")
_BY_QUARTER = re.compile(
    r"(?i)\b(?:by|per|(?:in|for) (?:each|every)) quarter\b(?! (?:of|in|for|to|ended)\b)"
    r"|\b(?:over|in|across|during) (?:the )?(?:last|past|recent) (?:few |several )?quarters\b"
)
_MOST_QUARTERS = 4
_LAST = re.compile(
    r"(?i)\b(?:(?:in|for|of|over|during) )?(?:(?:the|its) )?(?:last|past|latest|most recent) (?P<n>two|three|four"
    r"|[2-4])"
    r" quarters\b"
)
_FROM_TO = re.compile(
    r"(?i)\b(?:from|between) Q(?P<q1>[1-4]) (?P<y1>20\d\d) (?:to|through|until|and) Q(?P<q2>[1-4]) (?P<y2>20\d\d)\b"
)
_COUNTS = {"two": 2, "three": 3, "four": 4}
_AFTER_THAT = re.compile(
    r"(?i)\b(?:the )?(?:quarter (?:right )?after (?:that|it)|(?:following|next) quarter|quarter that followed)\b"
)

# Whether a name has a figure that speaks of a subject: "technology and infrastructure" is one thing where it has one.
Exists = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Lane:
    """One company in one period, as the question calls them, and whether there are others of either."""

    company: str
    label: str
    period: str
    is_of_companies: bool
    is_of_periods: bool

    @property
    def when(self) -> str:
        """The period as a part of a question."""
        if not self.period:
            return ""
        if " months " in self.period:
            return f" in the {self.period}"
        of = "the quarter ended " if dates(self.period)[0].month else ""
        return f" in {of}{self.period}"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a question between two commas or "and"s.

    `subject` are its words that no company, period or line item explains, `items` the items that it names, each with
    its words. `leads` says that a colon stands behind it, or that what follows begins to ask; `is_of` that the subject
    is of what stands in front: "growth of AWS", or behind a colon; `is_beside` that it asks for something else than a
    figure.
    """

    text: str
    subject: str
    items: tuple[tuple[str, str], ...]
    grows: bool
    asks: bool
    is_beside: bool
    is_of: bool = False
    leads: bool = False

    @property
    def asks_why(self) -> bool:
        """Whether it asks for a cause."""
        return self.is_beside and _WHY.search(self.text) is not None


@dataclass(frozen=True, slots=True)
class AskedTogether:
    """A question for figures as it is read: its companies and periods, its pieces, what is asked of a part by itself.

    `asks_how` says that it asks how something did, and names no figure.
    """

    lanes: tuple[Lane, ...]
    pieces: tuple[_Piece, ...]
    default: str
    asks_how: bool

    def names(self, exists: Exists) -> list[tuple[str, ...]]:
        """The names of what it asks for, of each thing those that it may have."""
        things = _Things(self.pieces, self.default, exists)
        return things.of_performance() if self.asks_how else things.named()

    @property
    def asks_why(self) -> bool:
        """Whether it asks for a cause."""
        return any(piece.asks_why for piece in self.pieces)

    @property
    def asks_why_of_each(self) -> bool:
        """Whether the cause is told of each company and period, and not only of the last."""
        each = any(piece.asks_why and _EACH.search(piece.text) for piece in self.pieces)
        return each or len(self.lanes) <= _FEW_LANES

    def beside(self, *, with_causes: bool) -> list[str]:
        """Its pieces that ask for something else than a figure."""
        own = [piece for piece in self.pieces if piece.is_beside]
        return [piece.text for piece in own if with_causes or not piece.asks_why]


def read_together(question: str, register: Register) -> AskedTogether | None:
    """What a question says of figures; None where it chooses, asks why or of a change, or names no company."""
    if VERB.match(question) or _WHY.match(question):
        return None
    if _CHOOSES.search(question) or _SHARE.search(question):
        return None
    text = in_own_names(in_words_of_filings(question, register.profile), register)
    text = _each_period(_TREND.sub(r"\g<what> over the last quarters", text), register)
    mentions = _companies_in(text, register)
    spans = [mention.span for mention in mentions]
    within = {at for span in spans for at in range(*span)}  # a year in the name of a company is no period
    named = [date for date in dates(text) if date.span[0] not in within]
    if not mentions or _OTHER_SPANS.search(text) or _is_range(text, named):
        return None
    lanes = _lanes(text, mentions, named, register)
    taken = [*spans, *(date.span for date in named)]
    by_kind = _BY_KIND.search(_covered(text, taken, " "))
    kind = kind_named(by_kind) if by_kind else ""
    parts = _parts_called(kind, text, mentions[0].company, register)
    if by_kind and not parts and ":" not in text:
        return None  # the whole company's figure is none by segment
    in_full = text
    if by_kind and parts and not any(name.lower() in text.lower() for name in parts):
        in_full, taken = f"{text} : {', '.join(parts)}", [*taken, by_kind.span()]
    pieces = tuple(_pieces(in_full, taken, parts, register))
    own = [piece for piece in pieces if not piece.is_beside]
    names_item = any(piece.items or (piece.grows and piece.subject) for piece in own)  # "vs the year before" is none
    asks_how = not names_item and _PERFORMS.search(text) is not None
    return AskedTogether(tuple(lanes), pieces, item_of_part(text), asks_how)


def _parts_called(kind: str, text: str, company: int, register: Register) -> tuple[str, ...]:
    """The names of a company's parts of one kind as its reports add them up; else its segments as they say them."""
    told = segments_of(company, register) if kind in ("", "segments") else ()
    if told and not kind:
        return told
    conditions = conditions_of(text, register)
    filing = conditions.weights[0][0] if conditions else register.of_company(company)[0]
    made = parts_of_kind(kind or "segments", "revenue", filing, register)
    return tuple(part.name for part in made if not part.is_rest) or told


def _covered(text: str, spans: Iterable[tuple[int, int]], by: str) -> str:
    """A text with these ranges covered by a character, so that all else stays where it is."""
    for start, end in spans:
        text = f"{text[:start]}{by * (end - start)}{text[end:]}"
    return text


def _companies_in(text: str, register: Register) -> list[Mention]:
    """The companies that a text names, else the one whose name for something it says: AWS."""
    if named := register.companies.named_in(text):
        return named
    if every := all_companies_in(text, register):
        return every
    owners = register.owners_of_names(text)
    return owners if len({mention.company for mention in owners}) == 1 else []


def _is_range(text: str, named: Sequence[Date]) -> bool:
    """Whether a text asks for what lies between two of its dates, or for one change from one to the other."""
    if len(named) > 1 and RISES.search(text) and ONE_CHANGE.search(text):
        return True
    for (start, end), (after, _) in pairwise(date.span for date in named):
        if _RANGE.search(text[:start]) and _TO.fullmatch(text, end, after):
            return True
    return False


def _lanes(text: str, mentions: Sequence[Mention], named: Sequence[Date], register: Register) -> list[Lane]:
    """Each company in each period; where each has one behind it, in its own."""
    labels = register.companies.labels
    named_alone = Counter(mention.span for mention in mentions)
    companies: dict[int, str] = {}
    for mention in mentions:  # "" for Amazon where it is called AWS
        is_alone = named_alone[mention.span] == 1
        said = text[slice(*mention.span)] if is_alone else labels[mention.company]
        companies[mention.company] = not_owning(said)
    called = {date.key: _period(text, date) for date in named}
    of_periods = list(called.values()) or [""]
    several = len(companies) > 1
    if several and have_their_own(mentions, named):
        own = zip(mentions, named, strict=True)
        pairs = [(mention.company, _period(text, date)) for mention, date in own]
        return [Lane(companies[c], labels[c], period, True, False) for c, period in pairs]
    is_of_periods = len(of_periods) > 1
    return [
        Lane(name, labels[company], period, several, is_of_periods)
        for company, name in companies.items()
        for period in of_periods
    ]


def have_their_own(mentions: Sequence[Mention], named: Sequence[Date]) -> bool:
    """Whether each company has one period behind it: "Intel's Q3 2023 against Nvidia's Q2 2023"."""
    ahead = [sum(mention.span[0] < date.span[0] for mention in mentions) for date in named]
    return len(mentions) > 1 and ahead == list(range(1, len(mentions) + 1))


def item_of_part(text: str) -> str:
    """The line item that is asked of a part of a company of which a text names none."""
    return "operating income" if _EARNS.search(text) else "revenue"


def _period(text: str, date: Date) -> str:
    """A period as the question says it: "nine months ended Q3 2023"."""
    start, end = date.span
    ahead = _MONTHS_AHEAD.search(text[:start])
    return text[ahead.start() : end] if ahead else text[start:end]


def _pieces(text: str, taken: Sequence[tuple[int, int]], names: Sequence[str], register: Register) -> list[_Piece]:
    """The parts of a question between commas and "and"s that are no part of a line item or one of `names`.

    `taken` is read already.
    """
    text = f"{_covered(text, taken, ' ')} "
    whole = [span for _, span in register.profile.named_in(text)]
    for name in names:
        whole += [match.span() for match in re.finditer(re.escape(name), text, re.IGNORECASE)]
    between = _BETWEEN.finditer(_covered(text, whole, "x"))
    ends = [*(match.span() for match in between), (len(text), len(text))]
    made: list[tuple[_Piece, int, int]] = []
    start = 0
    for end, behind in ends:
        piece = _piece(text[start:end], names, register)
        made += [(piece, start, end)] if piece else []
        start = behind
    pieces = [piece for piece, _, _ in made]
    is_question = begins_to_ask(text.strip())
    for n, ((_, _, end), (after, start, _)) in enumerate(pairwise(made)):
        is_colon = ":" in text[end:start]
        leads = is_colon or (after.asks and not is_question)
        pieces[n] = replace(pieces[n], leads=leads)
        pieces[n + 1] = replace(after, is_of=after.is_of or is_colon)
    return pieces


def _piece(text: str, names: Sequence[str], register: Register) -> _Piece | None:
    """One of them; None where nothing is left of it."""
    named = register.profile.named_in(text)
    bare = text
    for _, (start, end) in reversed(named):
        bare = f"{bare[:start]} {bare[end:]}"
    left = set(unexplained(AskedFigure(text), register)) - _FILLING
    left = left if any(map(terms_of, left)) else set[str]()
    said = [word for word in _WORD.findall(bare) if left.intersection(words(word))]
    low = bare.lower()
    called = (name for name in names if name.lower() in low)
    whole = next((name for name in called if left <= set(words(name))), "")
    subject = whole or " ".join(said)
    grows = _GROWS.search(bare) is not None
    ahead = text.partition(subject.split()[0])[0] if subject else ""
    is_of = _OF.search(ahead) is not None
    asks = begins_to_ask(text.strip())
    is_beside = _BESIDE.search(text) is not None or _WHY.search(text) is not None
    items = [(item.name, text[slice(*span)]) for item, span in named]
    if not items and _SELLS.search(text):
        items, subject = [("revenue", "sales")], _SELLS.sub("", subject).strip()
    if not (subject or items or grows or is_beside):
        if not (asks and _THEY.search(text)):
            return None
        is_beside = True  # "what did they cost"
    return _Piece(" ".join(text.split()), subject, tuple(items), grows, asks, is_beside, is_of)


class _Things:
    """What is asked for in each company and period, each under the names that it may have, the likeliest first.

    `default` is what is asked of a part of which nothing is said.
    """

    def __init__(self, pieces: Sequence[_Piece], default: str, exists: Exists) -> None:
        self.pieces = [piece for piece in pieces if not piece.is_beside]
        self.asks_beside = any(piece.is_beside and not piece.asks_why for piece in pieces)
        self.exists, self.default = exists, default
        self._made: list[tuple[str, ...]] = []
        self._waiting: list[_Piece] = []  # parts whose item is still to come: "AWS and Azure revenue"
        self._of = ""  # whose the items are that follow
        self._has_own = False  # whether an item has a subject of its own
        self._held = -1  # the place of an item whose subject may be that of the others too: "sales and income of AWS"

    def of_performance(self) -> list[tuple[str, ...]]:
        """What is told where a question asks how a company, or parts of one, did."""
        parts = [piece.subject for piece in self.pieces if piece.subject]
        if not parts and self.asks_beside:
            return []
        of_parts = [f"{part} {item}" for part in parts for item in _OF_PARTS]
        return [(name,) for name in of_parts or _OF_PERFORMANCE]

    def named(self) -> list[tuple[str, ...]]:
        """What a question names; empty where a part of it names two items at once."""
        if any(len(piece.items) > 1 for piece in self.pieces):
            return []
        for piece in self.pieces:
            if piece.items:
                self._add_item(piece)
            elif not piece.subject:
                self._add_growth()
            elif piece.leads and not piece.grows and not self._waiting:
                self._of = piece.subject
            else:
                self._waiting.append(piece)
        if self._waiting and self._made and not self._has_own and self._waiting[0].is_of:
            return self._items_of_each()
        waiting = self._waiting
        if self._held >= 0:  # its subject was its own
            alone = next(piece for piece in self.pieces if piece.is_of and piece.items and piece.subject)
            self._made[self._held] = (f"{alone.subject} {self._made[self._held][-1]}",)
            waiting = [piece for piece in waiting if not piece.items]
        return list(dict.fromkeys([*self._made, *self._parts(waiting, "")]))

    def _add_item(self, piece: _Piece) -> None:
        """A piece that names an item: it is that of the parts that wait, where it can be, and of its own subject."""
        (name, said), *_ = piece.items
        item = f"{said}{' growth' if piece.grows else ''}"
        self._made += self._parts(self._waiting, item if name in _SHARED else "")
        if piece.is_of and piece.subject:
            self._waiting, self._held, own = [piece], len(self._made), ""
        else:
            self._waiting, own = [], piece.subject
        self._has_own = self._has_own or bool(own or self._of)
        whole = f"{own or self._of} {item}".strip()
        self._made.append((whole,) if own or not self._of else (whole, item))
        self._of = self._of if piece.asks else self._of or own

    def _add_growth(self) -> None:
        """A piece that only says that something grew: all that was named before did, else revenue."""
        grown = [(f"{names[0]} growth",) for names in self._made if not names[0].endswith("growth")]
        self._made += grown or [("revenue growth",)]

    def _items_of_each(self) -> list[tuple[str, ...]]:
        """Every item of every part that waits: "Revenue and growth of AWS and Azure"."""
        items = [names[0] for names in self._made]
        if any(piece.grows and not piece.items for piece in self._waiting):
            items.append(f"{items[0]} growth")
        parts = [replace(piece, grows=False) for piece in self._waiting]
        return [names for item in dict.fromkeys(items) for names in self._parts(parts, item)]

    def _parts(self, pieces: Sequence[_Piece], item: str) -> list[tuple[str, ...]]:
        """Parts of a company that stand side by side, under an item that they share; the longest that exist as one."""
        made: list[tuple[str, ...]] = []
        if any(piece.grows for piece in pieces) and "growth" not in item:
            grows = " growth"
        else:
            grows = ""
        at = 0
        while at < len(pieces):
            for end in range(min(at + _MOST_PARTS, len(pieces)), at, -1):
                name = " and ".join(piece.subject for piece in pieces[at:end])
                alone = f"{name} {item}".strip()
                names = [f"{alone}{grows}"]
                if not item:
                    names.append(f"{name} {self.default}{grows}")
                if end == at + 1 or any(self.exists(each, name) for each in names):
                    made.append(tuple(names))
                    at = end
                    break
        return made


def _each_period(text: str, register: Register) -> str:
    """The text with quarters by name that it calls by the reports of its company: "each quarter of 2023"."""
    mentions = _companies_in(text, register)
    if not mentions:
        return text
    text = with_year(text, mentions[0].company, register)
    own = [filing for filing in register.of_company(mentions[0].company) if filing.quarter][::-1]
    named: list[str] = []
    if said := _EVERY.search(text):
        named = _of_year(int(said["year"]), own, fiscal=bool(said["fiscal"]))
    elif said := _LAST.search(text):
        number = said["n"].lower()
        count = _COUNTS.get(number) or int(number)
        named = _back_from(own[-1], count) if own else []
    elif (said := _FROM_TO.search(text)) and not RISES.search(text):
        first = _count(int(said["y1"]), int(said["q1"]))
        last = _count(int(said["y2"]), int(said["q2"]))
        within = [each for each in own if first <= _count_of(each) <= last]
        named = [f"Q{each.quarter} {each.year}" for each in within]
    elif said := _AFTER_THAT.search(text):
        named = _after(text[: said.start()], own, register)
    elif (said := _BY_QUARTER.search(text)) and not dates(text):
        named = quarters_of(own)[-_MOST_QUARTERS:]
    elif len(own) == len(register.of_company(mentions[0].company)) and (
        (how := _PERFORMS.search(text) or _BY_KIND.search(text)) or register.profile.named_in(text)
    ):
        return _told_by_quarters(text, own, newest=how is not None)
    if said is None or not named:
        return text
    return f"{text[: said.start()]} in {', '.join(named)} {text[said.end() :]}"


def _month_ended(end: Date) -> str:
    """The month that a period is of whose end is known: one that ends on the 1st is of the month before."""
    return MONTHS[((end.month or 0) - 1 - ((end.day or 28) <= FIRST_DAYS)) % len(MONTHS)] if end.month else ""


def with_year(text: str, company: int, register: Register) -> str:
    """A text with the year of the newest report of a quarter that it names without one: "revenue in Q3".

    As it stands where the number means one quarter to the issuer, and another to the name of the file.
    """
    said = _QUARTER_ALONE.search(text)
    own = [filing for filing in register.of_company(company) if filing.quarter]
    if said is None or not own or dates(text):
        return text
    if said["last"]:
        return f"{text[: said.start()]}{said['in'] or ''}{newest_period(company, register)}{text[said.end() :]}"
    if said["month"]:
        month = said["month"].capitalize()
        ended = next((filing.end for filing in own if filing.end and _month_ended(filing.end) == month), None)
        when = f"the quarter ended {said['month']} {ended.year}" if ended else ""
    else:
        number = int(said["q"]) if said["q"] else ORDINALS.index(said["nth"].lower()) + 1
        named = next((filing for filing in own if filing.quarter == number), None)
        counted = next((filing for filing in own if counted_as(filing, fiscal=True)[1] == number), None)
        when = f"Q{number} {named.year}" if named and named is counted else ""
    return f"{text[: said.start()]}{said['in'] or ''}{when}{text[said.end() :]}" if when else text


_QUARTER_ALONE = re.compile(
    r"(?i)\b(?P<in>(?:in|for|of|during) )?(?:the |its )?"
    r"(?:Q(?P<q>[1-4])|(?P<nth>first|second|third|fourth) (?:fiscal )?quarter"
    rf"|(?P<month>{MONTH_NAMES})[- ]quarter|(?P<last>(?:last|latest|most recent|newest) quarter))\b"
    r"(?!,? ?(?:(?:of|in) )?(?:the )?(?:fiscal |FY ?|calendar |last |this |next |prior |previous )?['’\d])"
    r"(?! (?:of|in) (?:last|this|next|the (?:prior|previous)))"
)


def _told_by_quarters(text: str, own: Sequence[Filing], *, newest: bool) -> str:
    """A text with the quarters of the year that it names, as other reports are missing; of no year with the newest."""
    said = dates(text)
    if not said:
        return f"{text.rstrip(' ?.!')} in {_back_from(own[-1], 1)[0]}" if newest and own else text
    quarters = quarters_of_year(said[0], own) if len(said) == 1 else []
    start, end = said[0].span
    return f"{text[:start]}{', '.join(quarters)}{text[end:]}" if quarters else text


def year_to_date(year: Date, own: Sequence[Filing]) -> str:
    """The months of a year up to the last report of it, as its issuer counts the year; empty for other periods."""
    counted = {counted_as(each, fiscal=year.is_fiscal): each for each in own}
    last = [each for (of, _), each in counted.items() if of == year.year][-1:]
    if not last or year.quarter or year.month:
        return ""
    return months_to_date(last[0])


def months_to_date(filing: Filing) -> str:
    """The months of its issuer's year that the cash flow statement of a quarterly report is of."""
    fiscal, quarter = counted_as(filing, fiscal=True)
    months = _MONTHS_TO_DATE.get(quarter or 1)
    return f"the first {months} months of fiscal {fiscal}" if months else f"Q1 fiscal {fiscal}"


_MONTHS_TO_DATE = {2: "six", 3: "nine"}


def counted_as(filing: Filing, *, fiscal: bool) -> tuple[int | None, int | None]:
    """Year and quarter of a report, as its file has them or as its issuer counts them."""
    return (filing.own if fiscal else None) or (filing.year, filing.quarter)


def newest_period(company: int, register: Register) -> str:
    """The period of a company's newest report, as its file calls it; empty where it is of none."""
    newest = register.of_company(company)[0]
    if newest.quarter:
        return f"Q{newest.quarter} {newest.year}"
    return f"FY {newest.year}" if newest.year and newest.form in ANNUAL else ""


def quarters_of(own: Sequence[Filing]) -> list[str]:
    """The quarters that reports are of, as their files call them."""
    return [f"Q{each.quarter} {each.year}" for each in own if each.quarter]


def quarters_of_year(year: Date, own: Sequence[Filing]) -> list[str]:
    """The quarters of a year that reports are of; empty for any other period."""
    return [] if year.quarter or year.month else _of_year(year.year, own, fiscal=year.is_fiscal)


def _of_year(year: int, own: Sequence[Filing], *, fiscal: bool) -> list[str]:
    """The quarters of a year that filings are of, as the issuer counts them where the year is fiscal."""
    counted = (counted_as(each, fiscal=fiscal) for each in own)
    mark = " fiscal" if fiscal else ""
    return [f"Q{quarter}{mark} {year}" for of, quarter in counted if of == year]


def _count(year: int, quarter: int) -> int:
    """The number of a quarter in the row of all."""
    return year * 4 + quarter


def _count_of(filing: Filing) -> int:
    return _count(filing.year or 0, filing.quarter or 0)


def _back_from(newest: Filing, count: int) -> list[str]:
    """The last quarters up to that of a filing, in order."""
    last = _count_of(newest)
    return [f"Q{number % 4 + 1} {number // 4}" for number in range(last - count, last)]


def _after(text: str, own: Sequence[Filing], register: Register) -> list[str]:
    """The quarter after the one that a text names, by its end; empty where no report is of it."""
    conditions = conditions_of(text, register) if dates(text) else None
    first = conditions.weights[0][0].number if conditions else None
    end = next((two.end for one, two in pairwise(own) if one.number == first), None)
    if end is None or not end.month:
        return []
    day = f" {end.day}," if end.day else ""
    return [f"the quarter ended {MONTHS[end.month - 1]}{day} {end.year}"]
