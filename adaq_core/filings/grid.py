"""Figures that a question asks for together: of several things, for several quarters, of several companies.

Each cell of the grid is a figure of one company that is looked up by itself, behind the same checks. What a cell lacks
is told as missing; a question of which less than half is found is read as any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from adaq_core.filings.calculate import of_cause, of_text, of_year_before
from adaq_core.filings.conditions import AskedFigure, all_companies_in, conditions_of, in_own_names, in_words_of_filings
from adaq_core.filings.disclosures import segment_names
from adaq_core.filings.register import Filing, Mention, Register, register_of
from adaq_core.filings.statement_figures import ASIDE, RISES, VERB, Figure, Operand, side_by_side, unexplained
from adaq_core.model import QueryAspect
from adaq_core.question.answer_kinds import begins_to_ask, kind_of_answer
from adaq_core.retrieval import Corpus
from adaq_core.text.entities import not_owning
from adaq_core.text.tokens import terms_of, upper_first, words
from adaq_core.text.values import MONTHS, Date, dates

_MOST_CELLS, _FEWEST_CELLS = 12, 2
_FEW_LANES = 2  # so few that causes are told of each
_POLITE = re.compile(r"^(?:can|could|would) (?:you|we|i) (?:please )?", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;:?]|\.(?= |$)|\b(?:and|or|plus|as well as|versus|vs\.?|against|next to|with)\b|&|/(?= )")
_OWNING = re.compile(r"(?<=  )['’]s?(?= )")
_BESIDE = re.compile(
    r"\b(?:why|how come|reasons?|because|caus\w+|expla\w+|dr[oai]ve[ns]?|drivers?|dragged|behind|which|who|whose|when"
    r"|where|whether|sequential\w*|on the quarter|quarter[- ]o[nv]\w*[- ]quarter|qoq"
    r"|of (?:that|this|these|those|it|which))\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:why|how come|(?:(?:the|its) )?(?:main )?(?:reasons?|causes?|drivers?)"
    r"|what (?:(?:has |had )?(?:caused|drove|drives|led to|explains?|explained|dragged|lay behind)"
    r"|(?:is|was) behind))\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"^(?:which|who|whose)\b|\b(?:higher|lower|more|less|bigger|faster|larger) (?:than|in|at)\b", re.IGNORECASE
)
_ONE_CHANGE = re.compile(r"\b(?:from|between)\b.*\b(?:to|and)\b", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:between|from) (?:the )?(?:(?:quarter|period|months) (?:ended|to) )?$", re.IGNORECASE)
_TO = re.compile(r",? (?:and|to|until|through) (?:the )?(?:(?:quarter|period|months) (?:ended|to) )?", re.IGNORECASE)
_MONTHS_AHEAD = re.compile(r"\b(?:six|nine) months ended (?:on )?$", re.IGNORECASE)
_OTHER_SPANS = re.compile(
    r"\byear[- ]to[- ]date\b|\bytd\b|\b(?:first|second) half\b|\bhalf[- ]year|\btrailing\b|\b[tl]tm\b|\baverage\b",
    re.IGNORECASE,
)
_GROWS = re.compile(
    rf"{RISES.pattern}|\bgrowth\b|\b(?:prior|previous|last|preceding) year\b"
    r"|\byear[ -](?:earlier|before|ago)\b|\by/y\b|\byoy\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\b(?:of|for|from|at|in|across)\s{1,40}(?:(?:the|its|their)\s{1,9})?$", re.IGNORECASE)
_SHARE = re.compile(r"\b(?:share|proportion|percentage|fraction|percent) of\b", re.IGNORECASE)
_BY_SEGMENT = re.compile(
    r"\b(?:of |for |in )?(?:each (?:of )?|every |per |by |(?:all |its |the |their )?(?:two|three|four|five) )"
    r"(?:(?:the|its|their)\b )?(?:\W{0,3}\s{0,20})(?:operating |reportable |reporting |business )?segments?\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\beach|\bevery", re.IGNORECASE)
_PERFORMS = re.compile(
    r"\bhow (?:did|has|have|is|was) .{1,80}? (?:do|doing|done|fare|fared|go|gone|perform(?:ed)?)\b"
    r"|\bhow (?!much|many|far|fast|long|often|big|large)\w.{0,60}? did(?= (?:at|in|during|over|for)\b|[?.,;]|$)"
    r"|\bresults\b|\bperformance\b|\brecap\b",
    re.IGNORECASE,
)
_OF_PERFORMANCE = ("revenue", "revenue growth", "operating income", "net income", "diluted EPS")
_OF_PARTS = _OF_PERFORMANCE[:3]  # what is told of a segment or a product too
_SHARED = frozenset(("revenue", "operating income", "gross profit", "gross margin", "operating margin"))
_FILLING_WORDS = """
then now put next side give me show set list please compare compared quick recap summary overview figures figure get
want need each both it they that those them there after before our note table also how about tell result results
performance perform performed doing done do fare fared short version summarise summarize business say said
says name trend trends development course
"""
_FILLING = (ASIDE - {"products"}) | frozenset(_FILLING_WORDS.split())
_WORD = re.compile(r"\w(?:[\w&.-]{0,40}\w)?")
_EARNS = re.compile(r"\bearn(?:s|ed)?\b|\bprofit", re.IGNORECASE)
_THEY = re.compile(r"\b(?:it|they|that|those|each|both|them)\b", re.IGNORECASE)
_SELLS = re.compile(r"\bs(?:ell|old)\b", re.IGNORECASE)
_EVERY = re.compile(
    r"\b(?:(?:in|for|of|over|by) )?(?:(?:each|every|all) (?:of )?(?:the |its )?(?:fiscal )?quarters?(?: of| in)?"
    r"|(?:the )?quarters of)(?: the)?(?P<fiscal> fiscal(?: year)?| FY)? ?(?P<year>20\d\d)\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\b(?:(?:in|for|of|over|during) )?(?:(?:the|its) )?(?:last|past|latest|most recent) (?P<n>two|three|four|[2-4])"
    r" quarters\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"\b(?:from|between) Q(?P<q1>[1-4]) (?P<y1>20\d\d) (?:to|through|until|and) Q(?P<q2>[1-4]) (?P<y2>20\d\d)\b",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4}
_AFTER_THAT = re.compile(
    r"\b(?:the )?(?:quarter (?:right )?after (?:that|it)|(?:following|next) quarter|quarter that followed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of the grid: what it is of, what stands at the head of its row and column, the aspect that asks."""

    name: str
    names_item: bool
    row: str
    column: str
    company: str
    asked: str
    figure: Figure | None


@dataclass(frozen=True, slots=True)
class FigureGrid:
    """The figures that a question asks for together; `beside` are its words that ask for something else."""

    cells: tuple[Cell, ...]
    beside: tuple[str, ...] = ()

    @property
    def aspects(self) -> tuple[QueryAspect, ...]:
        """An aspect for each cell."""
        return tuple(
            QueryAspect(cell.asked, "facet", subject=cell.company, answer_kind="amount") for cell in self.cells
        )

    def aspects_beside(self, planned: Sequence[QueryAspect]) -> tuple[QueryAspect, ...]:
        """The aspects of the cells, and those of the plan that ask for something else: "what dragged on it"."""
        own: list[QueryAspect] = []
        for asked in self.beside:
            terms = terms_of(asked)
            shared = [len(terms & terms_of(aspect.aspect)) for aspect in planned]
            if len(planned) == 1:
                own.append(QueryAspect(upper_first(asked), "facet", answer_kind=kind_of_answer(asked)))
            else:
                own.append(planned[shared.index(max(shared))])
        return (*self.aspects, *dict.fromkeys(own))

    @property
    def columns(self) -> tuple[str, ...]:
        """What stands at the heads of the columns, in the order of the question."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def note(self) -> str:
        """What the plan says of it."""
        return "Several figures are asked for: each is looked up by itself"

    @property
    def figure(self) -> Figure:
        """The figures that were found, side by side: each column with its rows."""
        told = [(cell, cell.figure) for cell in self.cells if cell.figure is not None]
        rows = {cell.row for cell in self.cells}
        made = []
        for column in self.columns:
            own = [(cell.row, figure) for cell, figure in told if cell.column == column]
            if own and len(rows) > 1:
                inner = replace(side_by_side(own), text="; ".join(f"{row} {figure.text}" for row, figure in own))
                made.append((column, inner))
            else:
                made += [(column, figure) for _, figure in own]
        return replace(side_by_side(made), operands=self._operands)

    @property
    def _operands(self) -> tuple[Operand, ...]:
        """The values of the cells, first those that need the fewest passages beside the ones before."""
        left = [cell.figure.operands for cell in self.cells if cell.figure is not None]
        held: set[str] = set()
        ordered: list[Operand] = []
        while left:
            new = [len({each.passage_id for each in operands} - held) for operands in left]
            operands = left.pop(new.index(min(new)))
            held |= {each.passage_id for each in operands}
            ordered += operands
        return tuple(ordered)


def figures_asked(question: str, index: Corpus) -> FigureGrid | None:
    """The grid of figures that a question asks for; None where it asks for one, or for something else."""
    register = register_of(index)
    asked = _POLITE.sub("", question)
    if register is None or any(refuses(asked) for refuses in (VERB.match, _CHOOSES.search, _WHY.match, _SHARE.search)):
        return None
    text = _each_period(in_own_names(in_words_of_filings(asked, register.profile), register), register)
    mentions = _companies_in(text, register)
    named = [date for date in dates(text) if not any(m.span[0] <= date.span[0] < m.span[1] for m in mentions)]
    if not mentions or _OTHER_SPANS.search(text) or _is_range(text, named):
        return None
    lanes = _lanes(text, mentions, named, register)
    segments = _segments_of(lanes, register)
    taken = [*(mention.span for mention in mentions), *(date.span for date in named)]
    pieces = _pieces(*_with_segments(text, taken, segments), segments, register)
    default = "operating income" if _EARNS.search(text) else "revenue"
    things = _Things(pieces, default, lambda name, subject: _says(_cell(lanes[0], name, register), subject))
    asks_how = _PERFORMS.search(text) is not None and not things.names_item
    names = things.of_performance() if asks_how else things.named()
    if not names or len(names) * len(lanes) > _MOST_CELLS:
        return None
    rows = [_row(each, lanes, register) for each in names]
    # Of how something did nobody named what is not found; what is no item and has no figure is asked beside figures.
    told = [row for row in rows if _found(row) or (row[0].names_item and not asks_how)]
    if not told or not _found(told[0]) or 2 * sum(map(_found, told)) < len(lanes) * len(told):
        return None
    left = [] if asks_how else [row[0].name for row in rows if row not in told]
    if len(left) > len(told):
        return None
    beside = [piece for piece in pieces if piece.is_beside]
    whys = [piece for piece in beside if _WHY.search(piece.text)]
    of_each = any(_EACH.search(piece.text) for piece in whys) or len(lanes) <= _FEW_LANES
    of = told[0] if asks_how else told[-1]
    causes = _causes(of, lanes, register, of_each=of_each) if whys or asks_how else []
    if causes:
        beside = [piece for piece in beside if piece not in whys]
    by_lane = [list(filter(None, lane)) for lane in zip(*told, *([causes] if causes else []), strict=True)]
    cells = _told_once(by_lane)
    if _found(cells) < _FEWEST_CELLS:
        return None
    return FigureGrid(tuple(cells), (*left, *(piece.text for piece in beside)))


def _segments_of(lanes: Sequence[_Lane], register: Register) -> tuple[str, ...]:
    """The segments of the first company, as its newest filing names them."""
    company = next(each.company for each in register.companies.named_in(lanes[0].label))
    return segment_names(register.of_company(company)[0], register)


def _with_segments(
    text: str, taken: list[tuple[int, int]], segments: Sequence[str]
) -> tuple[str, list[tuple[int, int]]]:
    """A question with the names of the segments behind it, in place of "by segment"."""
    blank = text
    for start, end in taken:
        blank = f"{blank[:start]}{' ' * (end - start)}{blank[end:]}"
    by = _BY_SEGMENT.search(blank)
    if by is None or not segments or any(name.lower() in text.lower() for name in segments):
        return text, taken
    return f"{text} : {', '.join(segments)}", [*taken, by.span()]


def _says(cell: Cell, subject: str) -> bool:
    """Whether the figure of a cell is of all that its name says."""
    told = " ".join(f"{each.label} {each.quote}" for each in cell.figure.operands) if cell.figure else ""
    return terms_of(subject) <= terms_of(told)


def _found(cells: Sequence[Cell]) -> int:
    return sum(cell.figure is not None for cell in cells)


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
    changes = len(named) > 1 and RISES.search(text) and _ONE_CHANGE.search(text)
    pairs = ((text[: one.span[0]], text[one.span[1] : other.span[0]]) for one, other in pairwise(named))
    return bool(changes) or any(_RANGE.search(ahead) and _TO.fullmatch(between) for ahead, between in pairs)


@dataclass(frozen=True, slots=True)
class _Lane:
    """One company in one period, as the question calls them, and whether there are others of either."""

    company: str
    label: str
    period: str
    is_of_companies: bool
    is_of_periods: bool

    @property
    def when(self) -> str:
        """The period as a part of a question."""
        if not self.period or " months " in self.period:
            return f" in the {self.period}" if self.period else ""
        return f" in the quarter ended {self.period}" if dates(self.period)[0].month else f" in {self.period}"


def _lanes(text: str, mentions: Sequence[Mention], named: Sequence[Date], register: Register) -> list[_Lane]:
    """Each company in each period; where each has one behind it, in its own."""
    labels = register.companies.labels
    named_alone = Counter(mention.span for mention in mentions)
    companies = {
        m.company: labels[m.company]
        if named_alone[m.span] > 1
        else text[slice(*m.span)]  # "" for Amazon where it is AWS
        for m in mentions
    }
    periods = list({date.key: _period(text, date) for date in named}.values()) or [""]
    several = len(companies) > 1
    behind = [sum(mention.span[0] < date.span[0] for mention in mentions) for date in named]
    if several and len(named) == len(mentions) and behind == list(range(1, len(mentions) + 1)):
        pairs = [(m.company, _period(text, date)) for m, date in zip(mentions, named, strict=True)]
        return [_Lane(not_owning(companies[c]), labels[c], period, True, False) for c, period in pairs]
    return [
        _Lane(not_owning(name), labels[company], period, several, len(periods) > 1)
        for company, name in companies.items()
        for period in periods
    ]


def _period(text: str, date: Date) -> str:
    """A period as the question says it: "nine months ended Q3 2023"."""
    ahead = _MONTHS_AHEAD.search(text[: date.span[0]])
    return text[ahead.start() if ahead else date.span[0] : date.span[1]]


def _row(names: Sequence[str], lanes: Sequence[_Lane], register: Register) -> list[Cell]:
    """A thing in every lane, under the name by which most of them have it: AWS's sales are not Amazon's."""
    made = [[_cell(lane, name, register) for lane in lanes] for name in names]
    return max(made, key=lambda row: sum(cell.figure is not None for cell in row))


def _cell(lane: _Lane, name: str, register: Register) -> Cell:
    asked = f"What was {lane.label} {name}{lane.when}"
    figure = of_text(asked, register) or of_year_before(asked, register)
    return _filled(lane, name, figure, names_item=bool(register.profile.named_in(name)) or name.endswith("growth"))


def _causes(cells: Sequence[Cell], lanes: Sequence[_Lane], register: Register, *, of_each: bool) -> list[Cell | None]:
    """Why the figures of a row rose or fell, as the reports say, in the last period or in each; empty where none do."""
    newest = {lane.company: lane for lane in lanes}
    made: list[Cell | None] = []
    for cell, lane in zip(cells, lanes, strict=True):
        thing = cell.name.removesuffix(" growth")
        change = f"{lane.label} {thing} change{lane.when}"
        conditions = conditions_of(change, register)
        if conditions and (of_each or lane is newest[lane.company]):
            cause = of_cause(change, conditions, register)
            cell = _filled(lane, f"why {thing} changed", cause, asked="{} ({})")
            made.append(cell if cause or lane is newest[lane.company] else None)
        else:
            made.append(None)
    return made if any(cell and cell.figure for cell in made) else []


def _filled(lane: _Lane, name: str, figure: Figure | None, *, names_item: bool = True, asked: str = "{} of {}") -> Cell:
    """A cell, whose aspect is the thing of its company and period, as `asked` words it."""
    aspect = asked.format(name, lane.company) if lane.company else asked.partition(" ")[0].format(name)
    aspect = f"{titled(aspect)}{f', {lane.period}' if lane.period else ''}"
    if figure is not None:
        figure = replace(figure, operands=tuple(replace(each, of=aspect) for each in figure.operands))
    row = f"{name} of {lane.company}" if lane.is_of_companies and lane.is_of_periods else name
    is_under_company = not (lane.is_of_periods or lane.period) or (lane.is_of_companies and not lane.is_of_periods)
    column = lane.company if is_under_company else lane.period
    return Cell(name, names_item, row, column or lane.label, lane.label, aspect, figure)


def titled(name: str) -> str:
    """A name with a capital in front; "iPhone sales" has one of its own."""
    return name if any(map(str.isupper, name.split()[0])) else upper_first(name)


def _told_once(lanes: Sequence[Sequence[Cell]]) -> list[Cell]:
    """The cells without those of a period that is another's under another name: "fiscal 1Q23 (Sept-22)"."""
    kept: list[Sequence[Cell]] = []
    for lane in lanes:
        told = [_places(cell) for cell in lane]
        if not any(told) or told not in [[_places(cell) for cell in other] for other in kept]:
            kept.append(lane)
    return [cell for lane in kept for cell in lane]


def _places(cell: Cell) -> tuple[tuple[str, ...], ...]:
    figure = cell.figure
    return tuple((figure.text, each.passage_id, each.quote) for each in figure.operands) if figure else ()


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


def _pieces(text: str, taken: Sequence[tuple[int, int]], names: Sequence[str], register: Register) -> list[_Piece]:
    """The parts of a question between commas and "and"s that are no part of a line item or one of `names`.

    `taken` is read already.
    """
    for start, end in taken:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    text = _OWNING.sub(lambda match: " " * len(match.group()), f"  {text} ")[2:]
    masked = text
    whole = [span for _, span in register.profile.named_in(text)]
    whole += [match.span() for name in names for match in re.finditer(re.escape(name), text, re.IGNORECASE)]
    for start, end in whole:
        masked = f"{masked[:start]}{'x' * (end - start)}{masked[end:]}"
    ends = [*(match.span() for match in _BETWEEN.finditer(masked)), (len(text), len(text))]
    made: list[tuple[_Piece, int, int]] = []
    start = 0
    for end, behind in ends:
        piece = _piece(text[start:end], names, register)
        made += [(piece, start, end)] if piece else []
        start = behind
    pieces = [piece for piece, _, _ in made]
    for n, ((_, _, end), (after, start, _)) in enumerate(pairwise(made)):
        is_colon = ":" in text[end:start]
        pieces[n] = replace(pieces[n], leads=is_colon or (after.asks and not begins_to_ask(text.strip())))
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
    whole = next((name for name in names if name.lower() in bare.lower() and left <= set(words(name))), "")
    subject = whole or " ".join(said)
    grows = _GROWS.search(bare) is not None
    is_of = bool(subject) and _OF.search(text[: text.find(subject.split()[0])]) is not None
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

    `default` is what is asked of a part of which nothing is said. `exists` tells whether a name has a figure that
    speaks of a subject: "technology and infrastructure" is one thing where it has one.
    """

    def __init__(self, pieces: Sequence[_Piece], default: str, exists: Callable[[str, str], bool]) -> None:
        self.pieces = [piece for piece in pieces if not piece.is_beside]
        self.asks_beside = any(piece.is_beside and not _WHY.search(piece.text) for piece in pieces)
        self.exists, self.default = exists, default

    @property
    def names_item(self) -> bool:
        """Whether any line item or change is named."""
        return any(piece.items or piece.grows for piece in self.pieces)

    def of_performance(self) -> list[tuple[str, ...]]:
        """What is told where a question asks how a company, or parts of one, did."""
        parts = [piece.subject for piece in self.pieces]
        if not parts and self.asks_beside:
            return []
        return [(f"{part} {item}",) for part in parts for item in _OF_PARTS] or [(item,) for item in _OF_PERFORMANCE]

    def named(self) -> list[tuple[str, ...]]:
        """What a question names; empty where a part of it names two items at once."""
        made: list[tuple[str, ...]] = []
        waiting: list[_Piece] = []
        of = ""
        has_own = False
        held = -1  # the place of an item whose subject may be that of the others too: "sales and income of AWS"
        for piece in self.pieces:
            if len(piece.items) > 1:
                return []
            if piece.items:
                (name, said), *_ = piece.items
                item = f"{said}{' growth' if piece.grows else ''}"
                made += self._parts(waiting, item if name in _SHARED else "")
                waiting = [piece] if piece.is_of and piece.subject else []
                held = len(made) if waiting else held
                own = "" if waiting else piece.subject
                has_own = has_own or bool(own or of)
                whole = f"{own or of} {item}".strip()
                made.append((whole,) if own or not of else (whole, item))
                of = of if piece.asks else of or own
            elif not piece.subject:
                grown = [(f"{names[0]} growth",) for names in made if not names[0].endswith("growth")]
                made += grown or [("revenue growth",)]
            elif piece.leads and not piece.grows and not waiting:
                of = piece.subject
            else:
                waiting.append(piece)
        if waiting and made and not has_own and waiting[0].is_of:  # "Revenue and growth of AWS and Azure"
            items = [names[0] for names in made]
            if any(piece.grows and not piece.items for piece in waiting):
                items.append(f"{items[0]} growth")
            waiting = [replace(piece, grows=False) for piece in waiting]
            return [names for item in dict.fromkeys(items) for names in self._parts(waiting, item)]
        if held >= 0:  # it was its own
            alone = next(piece for piece in self.pieces if piece.is_of and piece.items and piece.subject)
            made[held] = (f"{alone.subject} {made[held][-1]}",)
            waiting = [piece for piece in waiting if not piece.items]
        return list(dict.fromkeys([*made, *self._parts(waiting, "")]))

    def _parts(self, pieces: Sequence[_Piece], item: str) -> list[tuple[str, ...]]:
        """Parts of a company that stand side by side, under an item that they share; the longest that exist as one."""
        made: list[tuple[str, ...]] = []
        grows = " growth" if any(piece.grows for piece in pieces) and "growth" not in item else ""
        at = 0
        while at < len(pieces):
            for end in range(len(pieces), at, -1):
                name = " and ".join(piece.subject for piece in pieces[at:end])
                names = (f"{name} {item}{grows}",) if item else (f"{name}{grows}", f"{name} {self.default}{grows}")
                if end == at + 1 or any(self.exists(each, name) for each in names):
                    made.append(names)
                    at = end
                    break
        return made


def _each_period(text: str, register: Register) -> str:
    """The text with quarters by name that it calls by the reports of its company: "each quarter of 2023"."""
    mentions = _companies_in(text, register)
    if not mentions:
        return text
    own = [filing for filing in register.of_company(mentions[0].company) if filing.quarter][::-1]
    if every := _EVERY.search(text):
        of, mark = int(every["year"]), " fiscal" if every["fiscal"] else ""
        counted = [filing.own if mark and filing.own else (filing.year, filing.quarter) for filing in own]
        named = [f"Q{quarter}{mark} {year}" for year, quarter in counted if year == of]
        return f"{text[: every.start()]} in {', '.join(named)} {text[every.end() :]}" if named else text
    if last := _LAST.search(text):
        count = _COUNTS.get(last["n"].lower()) or int(last["n"])
        named = _back_from(own[-1], count) if own else []
        return f"{text[: last.start()]} in {', '.join(named)} {text[last.end() :]}" if named else text
    if (span := _FROM_TO.search(text)) and not RISES.search(text):
        lowest, highest = (int(span[f"y{n}"]) * 4 + int(span[f"q{n}"]) for n in (1, 2))
        within = [each for each in own if lowest <= (each.year or 0) * 4 + (each.quarter or 0) <= highest]
        named = [f"Q{filing.quarter} {filing.year}" for filing in within]
        return f"{text[: span.start()]} in {', '.join(named)} {text[span.end() :]}" if named else text
    if (after := _AFTER_THAT.search(text)) and (next_to := _after(text[: after.start()], own, register)):
        return f"{text[: after.start()]} quarter ended {next_to} {text[after.end() :]}"
    return text


def _back_from(newest: Filing, count: int) -> list[str]:
    """The last quarters up to that of a filing, in order."""
    year, quarter = newest.year or 0, newest.quarter or 0
    numbers = range(year * 4 + quarter - count, year * 4 + quarter)
    return [f"Q{number % 4 + 1} {number // 4}" for number in numbers]


def _after(text: str, own: Sequence[Filing], register: Register) -> str:
    """The end of the quarter after the one that a text names; empty where no report is of it."""
    conditions = conditions_of(text, register) if dates(text) else None
    first = conditions.weights[0][0] if conditions else None
    later = next((two for one, two in pairwise(own) if first is not None and one.number == first.number), None)
    end = later.end if later else None
    if end is None or not end.month:
        return ""
    return f"{MONTHS[end.month - 1]} {end.day}, {end.year}" if end.day else f"{MONTHS[end.month - 1]} {end.year}"
