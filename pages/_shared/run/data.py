"""What Ask and Compare show of a run, as plain values: coverage rows, steps, headline."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from adaq_core.events import Noticed, Record, SourcesSearched
from adaq_core.export import BY_NAME, RunToExport
from adaq_core.export.verdict import CoverageRow as CoverageRow
from adaq_core.export.verdict import coverage_rows as coverage_rows
from adaq_core.export.verdict import covered_count as covered_count
from adaq_core.export.verdict import only_looked_at as only_looked_at
from adaq_core.export.verdict import open_aspects as open_aspects
from adaq_core.export.verdict import plain_reason
from adaq_core.export.verdict import sent_for as sent_for
from adaq_core.export.verdict import untried as untried
from adaq_core.model import Answer, Passage, QueryAspect, Statement
from adaq_core.question.parse import is_english
from adaq_core.store.history import Remarks
from adaq_core.text.tokens import spans, stem, words
from adaq_core.trace import HopView, RunView, covered_after
from pages._shared.common.backend import StoredRun, recalibration, store
from pages._shared.common.text import Span, full_stop
from pages._shared.common.words import count, seconds

_HYPHENATED = re.compile(r"\b\w+(?:-\w+)+")

StepState = Literal["running", "complete", "error", "interrupted"]


def covered_phrase(run: RunView) -> str:
    """Return `4 of 6 aspects covered`, as far as known."""
    return f"{covered_count(run)} of {count(len(run.aspects), 'aspect')} covered"


def files(stored: StoredRun, *, only: Collection[str] = ()) -> Iterator[tuple[str, bytes, str, str]]:
    """Yield the files that a run can become, or those that are named: label, content, name and media type."""
    run_id = stored.row.run_id
    remarks = Remarks(store()).of(run_id)
    going = RunToExport(stored.row, stored.records, remarks, judged=recalibration(stored.run))
    for kind in (BY_NAME[name] for name in only or BY_NAME):
        yield kind.label, kind.text(going).encode(), f"{run_id}{kind.suffix}", kind.mime


def seconds_of(run: RunView) -> float | None:
    """Return how long the run took; None where no millisecond is told: it was cut off just after it began to tell."""
    return run.cost.seconds if run.cost.seconds >= _MILLISECOND / 2 else None


_MILLISECOND = 0.001


def headline(run: RunView, *, model: str | None = None) -> tuple[str, ...]:
    """What a run cost, in a few words each: hops, time, passages read, tokens; what it covered is the verdict's.

    `model` is the one that it was to ask: a run that was cut off before its first event does not know it itself.
    """
    cost = run.cost
    time = [] if seconds_of(run) is None else [seconds(seconds_of(run))]
    parts = [count(cost.hops, "hop"), *time, f"{count(cost.passages_read, 'passage')} read"]
    tokens = cost.prompt_tokens + cost.reply_tokens
    with_model = model or run.calls or (run.started and run.started.model)
    parts.append(f"{tokens:,} tokens" if with_model else "no language model")
    if cost.usd:
        parts.append(f"${cost.usd:.4f}")
    return tuple(parts)


def aspect_places(question: str, aspects: Sequence[QueryAspect]) -> dict[str, tuple[Span, ...]]:
    """Return where the question speaks of each aspect, in the order of the text; empty where nothing tells two apart.

    That is the clause that an aspect comes from, or of a clause that several share the words that are its own: of
    "legal risks and leadership of Apple" the first has "legal risks", the second "leadership". Of a matrix it is where
    the question names its facets and its things, the facets alone where both are more than six.
    """
    grid = grid_of(aspects)
    places = _grid_places(question, grid) if grid else {}
    clauses: dict[Span, list[QueryAspect]] = {}
    for aspect in grid.rest if grid else aspects:
        if aspect.span:
            clauses.setdefault(aspect.span, []).append(aspect)
    taken = [span for each in places.values() for span in each]
    for clause, those in clauses.items():
        if any(start < clause[1] and clause[0] < end for start, end in taken):
            continue
        names = [each.aspect for each in those]
        places |= _own_words(question, clause, names) if len(those) > 1 else {names[0]: (clause,)}
    return dict(sorted(places.items(), key=lambda each: each[1])) if len(places) > 1 else {}


_MOST_OF_A_MATRIX = 6  # marks that can be told apart


def _grid_places(question: str, grid: Grid) -> dict[str, tuple[Span, ...]]:
    """Return where the question names the facets and the things of a matrix."""
    clauses = [cell.span for row in grid.cells for cell in row if cell and cell.span]
    if not clauses:
        return {}
    clause = min(start for start, _ in clauses), max(end for _, end in clauses)
    names = [*grid.facets, *grid.things]
    return _own_words(question, clause, names if len(names) <= _MOST_OF_A_MATRIX else grid.facets)


def _own_words(question: str, clause: Span, names: Sequence[str]) -> dict[str, tuple[Span, ...]]:
    """Return the spans of words that only one of several names in a clause has, with what stands between them."""
    named = [{stem(word) for word in words(name)} - {""} for name in names]
    places: dict[int, list[Span]] = {}
    last, end = None, clause[0]
    for word in spans(question):
        if not (term := stem(word.word)) or not clause[0] <= word.start < word.end <= clause[1]:
            continue
        if "," in question[end : word.start]:
            last = None
        owner = _owner([place for place, terms in enumerate(named) if term in terms], last, all_of=len(names))
        if owner is not None and owner == last:
            places[owner][-1] = (places[owner][-1][0], word.end)
        elif owner is not None:
            places.setdefault(owner, []).append((word.start, word.end))
        last, end = owner, word.end
    return {names[place]: tuple(_whole(question, span) for span in each) for place, each in places.items()}


def _whole(question: str, span: Span) -> Span:
    """Widen the span to the rest of a hyphenated word."""
    start, end = span
    for word in _HYPHENATED.finditer(question):
        if word.start() < end and start < word.end():
            start, end = min(start, word.start()), max(end, word.end())
    return start, end


def _owner(owners: Sequence[int], before: int | None, *, all_of: int) -> int | None:
    """Return which name a word belongs to: the one whose word stands before it, else the first; None if all have it."""
    if not owners or len(owners) == all_of:
        return None
    return before if before in owners else owners[0]


_RANKED = (
    ("by ", "Passages were ranked by "),
    ("learned: linked passages", "Passages were ranked by a model trained on documents that name one another"),
    ("learned: sourced passages", "Passages were ranked by a model trained on documents with sources and dates"),
    ("untrained: mention graph", "Passages were ranked by a formula that follows the names in them"),
    ("untrained: clauses and constraints", "Passages were ranked by a formula over the parts of the question"),
    ("filings of ", "Searched in the filings of "),
)


def taken(records: Sequence[Record], *, now: datetime | None = None) -> float | None:
    """Return the seconds since the run began; None while its corpus is made ready."""
    if not records:
        return None
    first = records[0]
    begun = datetime.fromisoformat(first.at).replace(tzinfo=UTC) - timedelta(seconds=first.elapsed)
    return max(0.0, ((now or datetime.now(UTC)) - begun).total_seconds())


def notice_words(notice: Noticed) -> str:
    """Return a stage's notice as a sentence."""
    known = _RANKED if notice.stage == "rank" else ()
    words = (said + notice.message.removeprefix(name) for name, said in known if notice.message.startswith(name))
    return full_stop(next(words, notice.message))


@dataclass(frozen=True, slots=True)
class Step:
    """One hop as a step of the live view."""

    hop: int
    state: StepState
    newly_covered: tuple[str, ...]
    targets: tuple[str, ...]
    queries: tuple[str, ...]
    why: str
    took: float
    covered: int | None
    of: int
    titles: tuple[str, ...]
    decision: str
    asked: tuple[str, ...] = ()
    searched: tuple[SourcesSearched, ...] = ()


def steps(run: RunView) -> tuple[Step, ...]:
    """Return the hops so far, oldest first; the last is running, failed or cut off if the run is."""
    return tuple(_step(run, hop, covered=len(covered_after(run, hop))) for hop in run.hops)


def _step(run: RunView, hop: HopView, *, covered: int) -> Step:
    return Step(
        hop=hop.hop,
        state=_step_state(run, hop),
        newly_covered=hop.newly_covered,
        targets=hop.targets,
        queries=tuple(query.text for query in hop.queries),
        why=hop.why,
        took=max(0.0, hop.ended - hop.started),
        covered=covered if hop.percentage is not None and is_english(run.question) else None,
        of=len(run.aspects),
        titles=tuple(passage.title or passage.document_id for passage in read_passages(run, hop)),
        decision=plain_reason(hop.decision.reason) if hop.decision else "",
        asked=run.started.settings.sources if run.started else (),
        searched=tuple(hop.searched),
    )


def _step_state(run: RunView, hop: HopView) -> StepState:
    if hop.done:
        return "complete"
    if run.status in ("running", "interrupted"):
        return run.status
    return "error"


def read_passages(run: RunView, hop: HopView) -> tuple[Passage, ...]:
    """Return the passages a hop read, in that order."""
    return tuple(run.passages[passage_id] for passage_id in hop.read if passage_id in run.passages)


@dataclass(frozen=True, slots=True)
class StoppedAt:
    """A run as it would have been had it stopped after a hop; the sentences are those of the answer it wrote.

    `kept` rest on passages that the evidence held by then, for aspects that were covered by then; `lost` do not.
    """

    hop: int
    covered: tuple[str, ...]
    later: tuple[str, ...]
    evidence: tuple[Passage, ...]
    kept: tuple[Statement, ...]
    lost: tuple[Statement, ...]
    hops_saved: int
    passages_saved: int


def stopped_at(run: RunView, number: int) -> StoppedAt | None:
    """Return what the run would have had at the end of hop `number`; None for a hop that it does not have."""
    hop = run.hop(number)
    if hop is None:
        return None
    answer = run.answer if run.answer and not run.answer.abstained else None
    statements = answer.statements if answer else ()
    kept = _could_be_said(answer, hop, run.covered_at) if answer else ()
    later = [after for after in run.hops if after.hop > number]
    return StoppedAt(
        hop=number,
        covered=covered_after(run, hop),
        later=tuple(a.aspect for a in run.aspects if run.covered_at.get(a.aspect, 0) > number),
        evidence=tuple(ranked.passage for ranked in hop.evidence),
        kept=kept,
        lost=tuple(each for each in statements if each not in kept),
        hops_saved=len(later),
        passages_saved=sum(after.passages_read for after in later),
    )


def _could_be_said(answer: Answer, hop: HopView, covered_at: Mapping[str, int]) -> tuple[Statement, ...]:
    """Return the answer's sentences that cite the evidence of `hop` and belong to no aspect covered later."""
    evidence = {ranked.passage.passage_id for ranked in hop.evidence}
    citable = {citation.n for citation in answer.citations if citation.passage_id in evidence}
    later = {aspect for aspect, covered in covered_at.items() if covered > hop.hop}
    return tuple(each for each in answer.statements if each.aspect not in later and citable & {*each.citations})


@dataclass(frozen=True, slots=True)
class Grid:
    """Aspects that ask the same of several things: `cells[i][j]` is the aspect of thing i and facet j, if there is one.

    `rest` are the aspects outside of it, such as a comparison of all things.
    """

    things: tuple[str, ...]
    facets: tuple[str, ...]
    cells: tuple[tuple[QueryAspect | None, ...], ...]
    rest: tuple[QueryAspect, ...]


def grid_of(aspects: Sequence[QueryAspect]) -> Grid | None:
    """Return the things and the facets that the aspects ask about; None unless there are two of each at least."""
    placed = {(each.subject, facet): each for each in aspects if (facet := _facet(each))}
    things = tuple(dict.fromkeys(thing for thing, _ in placed))
    facets = tuple(dict.fromkeys(facet for _, facet in placed))
    if len(things) < 2 or len(facets) < 2 or len(placed) <= max(len(things), len(facets)):
        return None
    cells = tuple(tuple(placed.get((thing, facet)) for facet in facets) for thing in things)
    return Grid(things, facets, cells, tuple(each for each in aspects if each not in placed.values()))


def _facet(aspect: QueryAspect) -> str:
    """Return what an aspect asks of its thing: `Legal risks` of `Legal risks of Boeing`; "" in another wording."""
    for preposition in (" of ", " on "):
        facet, result, rest = aspect.aspect.partition(f"{preposition}{aspect.subject}")
        if aspect.subject and result and not rest:
            return facet
    facet = aspect.aspect.removeprefix(f"{aspect.subject}: ")
    return facet if aspect.subject and facet != aspect.aspect else ""
