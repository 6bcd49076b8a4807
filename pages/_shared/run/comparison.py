"""Runs of different methods on one question, side by side, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from adaq_core.methods import needs_vectors, uses_vectors
from adaq_core.model import Finding, QueryAspect, RankedPassage, Statement
from adaq_core.question.parse import is_english
from adaq_core.trace import RunView, covered_after
from pages._shared.common.words import count, listed, method_label
from pages._shared.run.data import covered_count
from pages._shared.run.model_calls import ModelUse
from pages._shared.run.verdict import Proof, proof_of
from pages._shared.settings.dialog import source_name

Axis = Literal["hops", "passages", "seconds"]
AXES: dict[Axis, str] = {"hops": "Hops", "passages": "Passages read", "seconds": "Seconds"}
NOT_READY = "not ready"
CellKind = Literal["covered", "missed", "waiting", "unknown", "unjudged"]


@dataclass(frozen=True, slots=True)
class Column:
    """One method's run; `state` and `reason` come from the store, `mark` tells several runs of one method apart.

    `use` is what it asked of a model, `now` what the model is doing while the run goes on.
    """

    run_id: str
    method: str
    view: RunView
    state: str
    mark: str = ""
    reason: str = ""
    use: ModelUse = field(default_factory=ModelUse)
    now: str = ""

    @property
    def name(self) -> str:
        """Return the column's name in the address and controls: its method, or its run where a method has several."""
        return self.run_id if self.mark else self.method

    @property
    def label(self) -> str:
        """Return the display name of the method."""
        return f"{method_label(self.method)} {self.mark}".strip()

    @property
    def running(self) -> bool:
        """Whether the run is not over yet."""
        return self.state in ("queued", "running")

    @property
    def failed(self) -> bool:
        """Whether the run ended in an error or was cut off."""
        return self.state in ("failed", "interrupted", "cancelled") and self.view.status != "finished"


@dataclass(frozen=True, slots=True)
class Card:
    """The figures of one column; None where they are not known."""

    column: Column
    covered: int | None
    of: int
    delta: int | None
    reference: bool
    passages_read: int
    hops: int
    seconds: float
    tokens: int | None


def cards(columns: Sequence[Column], reference: str | None) -> tuple[Card, ...]:
    """Return a card for each column, with the difference in covered aspects to the reference method."""
    base = next((column for column in columns if column.name == reference), None)
    return tuple(_card(column, base) for column in columns)


def _card(column: Column, base: Column | None) -> Card:
    cost = column.view.cost
    return Card(
        column,
        covered=_covered(column),
        of=len(column.view.aspects),
        delta=_difference(column, base),
        reference=column is base,
        passages_read=cost.passages_read,
        hops=cost.hops,
        seconds=cost.seconds,
        tokens=cost.prompt_tokens + cost.reply_tokens if column.view.calls else None,
    )


def _covered(column: Column) -> int | None:
    return covered_count(column.view) if column.view.last_assessed else None


def _difference(column: Column, base: Column | None) -> int | None:
    """Return how many aspects more than `base` it covers; None for `base` itself, or while one of them still runs."""
    if base is None or column is base or any(each.running or each.failed for each in (column, base)):
        return None
    covered, reference = _covered(column), _covered(base)
    return None if covered is None or reference is None else covered - reference


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """What one method made of one aspect; `hop` is where it was covered first, be it that it is missed in the end."""

    kind: CellKind
    hop: int | None = None


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One aspect with a cell per column."""

    aspect: QueryAspect
    cells: tuple[MatrixCell, ...]

    @property
    def split(self) -> int:
        """Return how much the methods disagree: the size of the smaller camp, unknown cells aside."""
        covered = sum(cell.kind == "covered" for cell in self.cells)
        missed = sum(cell.kind == "missed" for cell in self.cells)
        return min(covered, missed)


def matrix(columns: Sequence[Column], *, only_differences: bool = False) -> tuple[MatrixRow, ...]:
    """Return a row per aspect, those on which methods disagree first, then in planning order."""
    aspects = {a.aspect: a for column in columns for a in column.view.aspects}
    rows = []
    for name, aspect in aspects.items():
        row = MatrixRow(aspect, tuple(_cell(column, name) for column in columns))
        if row.split or not only_differences:
            rows.append(row)
    return tuple(sorted(rows, key=lambda row: -row.split))


def _cell(column: Column, aspect: str) -> MatrixCell:
    hop = column.view.covered_at.get(aspect)
    if hop is not None:
        return MatrixCell("covered", hop)
    if column.running:
        return MatrixCell("waiting")
    if column.failed:
        return MatrixCell("unknown")
    if not is_english(column.view.question):
        return MatrixCell("unjudged")
    planned = any(a.aspect == aspect for a in column.view.aspects)
    missed = planned and column.view.last_assessed
    return MatrixCell("missed", column.view.first_covered.get(aspect)) if missed else MatrixCell("unknown")


def answer_rows(columns: Sequence[Column]) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return what each answer says on each aspect: the aspect, and per column its sentences; what is on none, last."""
    planned = [aspect.aspect for column in columns for aspect in column.view.aspects]
    stated = [statement.aspect for column in columns for statement in _stated(column)]
    rows = []
    for name in dict.fromkeys([*planned, *stated]):
        cells = [_sentences_on(name, column) for column in columns]
        if any(cells):
            rows.append((name, cells))
    return rows


def _sentences_on(aspect: str, column: Column) -> tuple[str, ...]:
    return tuple(statement.text for statement in _stated(column) if statement.aspect == aspect)


def _stated(column: Column) -> tuple[Statement, ...]:
    answer = column.view.answer
    return answer.statements if answer and not answer.abstained else ()


def curve(column: Column, axis: Axis, *, end: float = 0.0) -> tuple[list[float], list[int]]:
    """Return aspects covered against budget used: a point per assessed hop, from (0, 0), then flat to `end`.

    It falls where a passage that covered an aspect made room for another.
    """
    xs, ys = [0.0], [0]
    read = 0
    for hop in column.view.hops:
        read += hop.passages_read
        if hop.percentage is None:
            continue
        xs.append({"hops": float(hop.hop), "passages": float(read), "seconds": round(hop.ended, 4)}[axis])
        ys.append(len(covered_after(column.view, hop)))
    if end > xs[-1]:
        xs.append(end)
        ys.append(ys[-1])
    return xs, ys


def alike(columns: Sequence[Column], axis: Axis) -> list[list[Column]]:
    """Group the columns that have the same curve, in their order."""
    groups: dict[str, list[Column]] = {}
    for column in columns:
        steps = _steps(*curve(column, axis))
        groups.setdefault(f"{steps} of {len(column.view.aspects)}", []).append(column)
    return list(groups.values())


def _steps(xs: Sequence[float], ys: Sequence[int]) -> list[tuple[float, int]]:
    """Return the points where a curve rises: hops that change nothing cannot be seen in it."""
    points = zip(xs, ys, strict=True)
    return [after for before, after in pairwise(points) if after[1] != before[1]]


@dataclass(frozen=True, slots=True)
class Term:
    """One condition of a fair comparison: the value of each column, and whether they agree."""

    name: str
    values: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether all columns have the same value."""
        return len(set(self.values)) <= 1

    def text(self) -> str:
        """Return the condition in words, when all have the same."""
        value = self.values[0]
        if value == "none":
            return f"no {self.name.lower()}"
        return f"{self.name.lower()} {value}"


def fairness(columns: Sequence[Column]) -> tuple[Term, ...]:
    """Return the conditions of the runs: corpus version, evidence size, passages per query, model, budget, sources.

    What a person changed on the way, or stopped, is a condition too, where anybody did, and so is search by meaning
    where some of the runs that may search so did not: before there were vectors.
    """
    started = [column.view.started for column in columns if column.view.started]
    live = tuple(", ".join(map(source_name, sorted(s.settings.sources))) or "none" for s in started)
    return (
        Term("Corpus", tuple(f"{s.corpus.name} ({s.corpus.version[:8]})" for s in started)),
        Term("Evidence size", tuple(f"k = {s.settings.k}" for s in started)),
        Term("Passages per query", tuple(str(s.settings.top_k) for s in started)),
        Term("Language model", tuple(_model(column) for column in columns if column.view.started)),
        Term("Budget", tuple(_budget(s.settings.max_hops, s.budget.max_seconds, s.budget.max_tokens) for s in started)),
        *([Term("Live sources", live)] if set(live) - {"none"} else []),
        *_by_meaning([column.view for column in columns if column.view.started]),
        *_turned([column.view for column in columns if column.view.started]),
        *_stopped([column.view for column in columns if column.view.started]),
    )


def differences(columns: Sequence[Column]) -> tuple[str, ...]:
    """Return, as sentences, the conditions that are not the same for all, and who has which."""
    labels = [column.label for column in columns if column.view.started]
    return tuple(_who_has_which(term, labels) for term in fairness(columns) if not term.same)


def _who_has_which(term: Term, labels: Sequence[str]) -> str:
    having: dict[str, list[str]] = {}
    for value, label in zip(term.values, labels, strict=True):
        having.setdefault(value, []).append(label)
    return f"{term.name}: {'; '.join(f'{value} for {listed(names)}' for value, names in having.items())}."


def _by_meaning(runs: Sequence[RunView]) -> tuple[Term, ...]:
    said = ([notice.message for notice in run.noticed if notice.stage == "retrieve"] for run in runs)
    methods = [run.started.method for run in runs if run.started]
    used = [_use_of_meaning(method, each) for method, each in zip(methods, said, strict=True)]
    may = {use for method, use in zip(methods, used, strict=True) if uses_vectors(method) or needs_vectors(method)}
    if len(may) < 2 and NOT_READY not in may:  # others never do, and are compared for that
        return ()
    return (Term("Search by meaning", tuple(used)),)


def _use_of_meaning(method: str, said: Iterable[str]) -> str:
    if any(words.startswith("The corpus has vectors") for words in said):
        return "yes"
    return NOT_READY if needs_vectors(method) else "no"


def _turned(runs: Sequence[RunView]) -> tuple[Term, ...]:
    if not any(run.turns for run in runs):
        return ()
    hops = tuple(", ".join(f"after hop {turn.hop}" for turn in run.turns) or "nowhere" for run in runs)
    return Term("Changed by a person", hops), Term("Aspect covered from", tuple(f"{run.threshold:g}" for run in runs))


def _stopped(runs: Sequence[RunView]) -> tuple[Term, ...]:
    by_person = [run.stop_reason == "user_stop" for run in runs]
    places = [f"after hop {len(run.hops)}" for run in runs]
    stops = tuple(place if stopped else "no" for place, stopped in zip(places, by_person, strict=True))
    return (Term("Stopped by a person", stops),) if set(stops) - {"no"} else ()


def _model(column: Column) -> str:
    """Return the model of a run, and whether none of its replies was used: then rules were compared."""
    name = column.view.started.model if column.view.started else None
    unused = name and column.use.unused and not column.running
    return f"{name} without a usable reply" if unused else name or "none"


def _budget(hops: int, limit: float | None, tokens: int | None) -> str:
    parts = [count(hops, "hop")]
    parts += [f"{limit:g} s"] if limit else []
    parts += [f"{tokens:,} tokens"] if tokens else []
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class AspectEvidence:
    """What a method has on an aspect: the proof, its quotes, the passages that cover it, the queries tried."""

    column: Column
    score: float | None
    proof: Proof | None
    finding: Finding | None
    evidence: tuple[RankedPassage, ...]
    queries: tuple[str, ...]


def proofs(columns: Sequence[Column], aspect: str) -> tuple[AspectEvidence, ...]:
    """Return, for each column, what it has on `aspect`."""
    return tuple(_proof(column, aspect) for column in columns)


def _proof(column: Column, aspect: str) -> AspectEvidence:
    covering = column.view.proof(aspect)
    return AspectEvidence(
        column,
        column.view.coverage_score(aspect),
        proof_of(column.view, aspect),
        covering.finding if covering else None,
        tuple(ranked for ranked in column.view.evidence if aspect in ranked.covers),
        tuple(query.text for query in column.view.queries_for(aspect)),
    )


@dataclass(frozen=True, slots=True)
class Overlap:
    """The evidence of all columns: held by every one, by some, or by one alone (method → passages)."""

    shared: tuple[RankedPassage, ...]
    some: tuple[RankedPassage, ...]
    alone: tuple[tuple[Column, tuple[RankedPassage, ...]], ...]


def overlap_words(found: Overlap) -> str:
    """Return how many passages are in the evidence of all runs, of some, of one; zeros are left out."""
    alone = sum(len(passages) for _, passages in found.alone)
    every = f"{count(len(found.shared), 'passage')} {'is' if len(found.shared) == 1 else 'are'}" if found.shared else ""
    parts = [f"{every or 'No passage is'} in the evidence of every run"]
    parts += [f"{len(found.some)} in that of several"] if found.some else []
    parts += [f"{alone} in that of only one"] if alone else []
    return f"{', '.join(parts)}."


def _abstained(column: Column) -> bool:
    return column.view.answer is not None and column.view.answer.abstained


def overlap(columns: Sequence[Column]) -> Overlap:
    """Sort the passages of all answers by which columns have them; those shown beside no answer do not count."""
    having = [column for column in columns if column.view.evidence and not _abstained(column)]
    if len(having) < 2:
        return Overlap(shared=(), some=(), alone=())
    ranked = {r.passage.passage_id: r for column in reversed(having) for r in column.view.evidence}
    holders: dict[str, list[Column]] = {passage_id: [] for passage_id in ranked}
    for column in having:
        for passage_id in {r.passage.passage_id for r in column.view.evidence}:
            holders[passage_id].append(column)
    return Overlap(
        shared=tuple(r for key, r in ranked.items() if len(holders[key]) == len(having)),
        some=tuple(r for key, r in ranked.items() if 1 < len(holders[key]) < len(having)),
        alone=tuple((one, tuple(r for key, r in ranked.items() if holders[key] == [one])) for one in having),
    )
