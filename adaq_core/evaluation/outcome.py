"""What one method came to on one question: a line of per_question.jsonl."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from adaq_core.model import AnswerStatus, AspectType


@dataclass(frozen=True, slots=True)
class HopOutcome:
    """How things stood after a hop; queries, passages and seconds count from the start of the run."""

    hop: int
    queries: int
    passages_read: int
    seconds: float
    coverage: float | None = None
    sufficiency: float | None = None
    recall: float | None = None
    complete: bool | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run against its judgments.

    `method` is the label of the variant, `configuration` the fingerprint of everything that shaped the run.
    `evidence` and `ranking` hold (passage id, document id), the ranking going on where the evidence ends. `complete`
    says whether its first k hold all that the judges ask for; None when they ask for nothing. `sufficiency`,
    `coverage`, `strength` and `answerable` (that the corpus holds an answer) are the system's own opinion at the end.
    A failed run has an `error` and no measures.
    `said` is what its answer states, `short` the short answer in front of it; both empty where it declines.
    `grades` holds what each judge said, rubric by rubric; `wordings` the fields of each `learning.Use`.
    """

    method: str
    question_id: str
    question: str
    configuration: str
    kind: str = ""
    unanswerable: bool = False
    run_id: str | None = None
    gold: int = 0
    subtopics: int = 0
    aspects: int = 0
    complete: bool | None = None
    sufficiency: float | None = None
    coverage: float | None = None
    strength: float | None = None
    answerable: float | None = None
    stop_reason: str | None = None
    error: str = ""
    evidence: tuple[tuple[str, str], ...] = ()
    ranking: tuple[tuple[str, str], ...] = ()
    hops: tuple[HopOutcome, ...] = ()
    measures: dict[str, float | None] = field(default_factory=dict)
    grades: dict[str, tuple[int | None, ...]] = field(default_factory=dict)
    wordings: tuple[tuple[AspectType, bool, str, float], ...] = ()
    status: AnswerStatus | None = None
    short: str = ""
    said: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What it is the outcome of."""
        return self.method, self.question_id

    @property
    def first_complete_hop(self) -> int | None:
        """The hop after which the evidence was complete and stayed so: where an oracle would have stopped."""
        good = None
        for hop in self.hops:
            good = (good or hop.hop) if hop.complete else None
        return good


def to_line(outcome: Outcome) -> str:
    """The outcome as one line of JSON."""
    return json.dumps(asdict(outcome), ensure_ascii=False)


def from_line(line: str) -> Outcome:
    """The outcome that `to_line` gave; ValueError when the line is none."""
    try:
        known: dict[str, Any] = json.loads(line)
        known["hops"] = tuple(HopOutcome(**hop) for hop in known["hops"])
        known["grades"] = {rubric: tuple(given) for rubric, given in known["grades"].items()}
        known |= {name: tuple((a, b) for a, b in known[name]) for name in ("evidence", "ranking")}
        known["wordings"] = tuple(tuple(use) for use in known.get("wordings", ()))
        return Outcome(**known)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"expected an outcome, got {line[:80]!r}") from error


def read_outcomes(path: Path) -> list[Outcome]:
    """The outcomes in a file; empty when there is none. A last line cut short by a killed process is passed over."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(_parsed(path, lines))


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Replace the file in one go, so that a reader never sees half of it."""
    draft = path.with_suffix(".tmp")
    draft.write_text("".join(f"{to_line(outcome)}\n" for outcome in outcomes), encoding="utf-8")
    draft.replace(path)


def _parsed(path: Path, lines: list[str]) -> Iterator[Outcome]:
    for number, line in enumerate(lines, start=1):
        try:
            yield from_line(line)
        except ValueError:
            if number < len(lines):
                raise ValueError(
                    f"{path} line {number} is damaged; delete the line to have it computed again"
                ) from None
