"""Which pages of a filing are its balance sheet, income statement and cash flow statement.

Each page is scored for each statement by its heading, the lines that the statement is known by and its numbers; the
three are chosen together, because statements follow each other. In all of 62 whole filings the right pages were chosen,
also where tables of selected data and parent-only statements repeat their lines (docs/decisions/files.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from adaq_core.filings.line_items import LineItems, Statement
from adaq_core.filings.pages import Page, numbers_in


@dataclass(frozen=True, slots=True)
class StatementWeights:
    """What the signs of a statement page count for; set on 84 filings, see docs/decisions/files.md."""

    heading: float = 1.2
    heading_anywhere: float = 0.3
    lines: float = 2.0
    numbers: float = 1.5
    most_numbers: float = 0.8
    long_line: float = 0.1
    parent_only: float = 1.2
    note: float = 0.8
    index: float = 0.5
    comprehensive: float = 1.2
    apart: float = 0.25
    near: int = 5
    same_page: float = 0.3
    accepted: float = 1.5
    second_half: float = 2.2
    fewest_numbers: int = 15
    head_lines: int = 14


WEIGHTS = StatementWeights()
_CANDIDATES = 4
_NOT_HEADING = ("note", "see ", "index", "refer")


@dataclass(frozen=True, slots=True)
class StatementPage:
    """A page that holds a statement, or its second half."""

    statement: str
    page: Page
    score: float


def statement_pages(pages: Sequence[Page], profile: LineItems) -> list[StatementPage]:
    """The pages of the statements of one filing, chosen together; none where no page looks like one."""
    scored = {name: _candidates(pages, statement) for name, statement in profile.statements.items()}
    best: tuple[float, tuple[StatementPage, ...]] = (0.0, ())
    options = [[*scored[name][:_CANDIDATES], None] for name in profile.statements]
    for chosen in product(*options):
        there = tuple(each for each in chosen if each is not None)
        value = sum(each.score for each in there) - _distance(there) if there else 0.0
        if value > best[0]:
            best = (value, there)
    return [*best[1], *_second_halves(best[1], scored)]


def _distance(chosen: Sequence[StatementPage]) -> float:
    numbers = [each.page.number for each in chosen]
    span = max(numbers) - min(numbers)
    twice = len(numbers) - len(set(numbers))
    return WEIGHTS.apart * max(0, span - WEIGHTS.near) + WEIGHTS.same_page * twice


def _second_halves(chosen: Sequence[StatementPage], scored: dict[str, list[StatementPage]]) -> list[StatementPage]:
    """Pages beside a chosen one that look as much like the same statement."""
    return [
        other
        for each in chosen
        for other in scored[each.statement]
        if abs(other.page.number - each.page.number) == 1 and other.score > WEIGHTS.second_half
    ]


def _candidates(pages: Sequence[Page], statement: Statement) -> list[StatementPage]:
    scores = ((page, score_of(page, statement)) for page in pages)
    kept = [StatementPage(statement.name, page, score) for page, score in scores if score > WEIGHTS.accepted]
    return sorted(kept, key=lambda each: (-each.score, each.page.number))


def score_of(page: Page, statement: Statement) -> float:
    """How much a page looks like `statement`; 0 where it holds few numbers."""
    low = page.text.lower()
    words = page.text.split()
    share = _share_of_lines(low, statement)
    numbers = numbers_in(words)
    if numbers <= WEIGHTS.fewest_numbers or share < 0.25:
        return 0.0
    lines = [" ".join(line.lower().split()) for line in page.lines]
    head = lines[: WEIGHTS.head_lines]
    score = WEIGHTS.lines * share + WEIGHTS.numbers * min(WEIGHTS.most_numbers, numbers / len(words))
    if any(_is_heading(line, statement) for line in head):
        score += WEIGHTS.heading
    elif any(heading in line for line in head for heading in statement.headings):
        score += WEIGHTS.heading_anywhere
    score -= WEIGHTS.long_line * min(12, sum(len(line) > 140 for line in lines))
    return score - _penalties(head, statement, low)


def _is_heading(line: str, statement: Statement) -> bool:
    if len(line) >= 90 or any(word in line for word in _NOT_HEADING):
        return False
    return any(heading.replace(" ", "") in line.replace(" ", "") for heading in statement.headings)


def _penalties(head: Sequence[str], statement: Statement, low: str) -> float:
    top = " ".join(head)
    penalty = 0.0
    if "parent company only" in top or "parent-only" in top or "schedule i" in top or "parent company" in top:
        penalty += WEIGHTS.parent_only
    if any(line.startswith(("note ", "notes to")) for line in head):
        penalty += WEIGHTS.note
    if "index to" in top:
        penalty += WEIGHTS.index
    if (
        statement.name == "income statement"
        and "comprehensive" in top
        and "operating" not in low
        and "sales" not in low
    ):
        penalty += WEIGHTS.comprehensive
    return penalty


def _share_of_lines(low: str, statement: Statement) -> float:
    flat = " ".join(low.split())
    return sum(any(variant in flat for variant in line.split("|")) for line in statement.lines) / len(statement.lines)
