"""Methods × questions → results. What an experiment is: its questions, variants and conditions, and its outcomes."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from adaq_core.datasets.judged import JudgedQuestion, QuestionSet
from adaq_core.errors import InputError
from adaq_core.evaluation import variants
from adaq_core.evaluation.variants import SUBJECT, Variant, corpus_hash
from adaq_core.model import AnswerStatus, AspectType, Budget, of_fields

REFERENCES = ("static", "bm25")


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """An experiment before it is run. `limit` draws a sample with `seed`; others are compared to `reference`."""

    questions: QuestionSet
    variants: tuple[Variant, ...]
    k: int = 5
    k_of_subtopics: bool = False
    gold_removed: bool = False
    limit: int | None = None
    seed: int = 0
    model: str | None = None
    judges: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    reference: str | None = None

    def __post_init__(self) -> None:
        """Refuse a plan that cannot be run."""
        labels = [variant.label for variant in self.variants]
        if not labels:
            raise InputError("expected at least one method to evaluate, got none")
        if self.limit is not None and self.limit < 1:
            raise InputError(f"expected --limit of at least 1, got {self.limit}")
        if self.reference is not None and self.reference not in labels:
            raise InputError(f"expected a reference out of {', '.join(labels)}, got {self.reference!r}")

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of the variants, under which results stand."""
        return tuple(variant.label for variant in self.variants)

    @property
    def compared_to(self) -> str:
        """Return the label of the reference: the chosen one, else the default."""
        return default_reference(self.labels) if self.reference is None else self.reference

    @property
    def learning(self) -> frozenset[str]:
        """Return the labels of the variants that learn from other variants' runs."""
        return frozenset(variant.label for variant in self.variants if variant.settings.learn)

    @property
    def vectors(self) -> bool:
        """Whether any variant searches with passage vectors."""
        return any(variant.vectors for variant in self.variants)

    @property
    def chosen(self) -> tuple[JudgedQuestion, ...]:
        """Return the questions to ask, in the set's order."""
        every = self.questions.questions
        if self.limit is None or self.limit >= len(every):
            return every
        places = sorted(random.Random(self.seed).sample(range(len(every)), self.limit))
        return tuple(every[place] for place in places)

    @property
    def removed(self) -> frozenset[str]:
        """Return the documents to take out of the corpus: those that answer a chosen question, if so requested."""
        if not self.gold_removed:
            return frozenset()
        subtopics = {each.document_id for question in self.chosen for each in question.subtopics}
        return frozenset(subtopics.union(*(question.gold_documents for question in self.chosen)))

    def configuration(self, variant: Variant) -> str:
        """Return the fingerprint of all that shapes a run of `variant`: settings, model, corpus, code, teachers."""
        values: list[Any] = [self._shared(), asdict(variant)]
        if variant.settings.learn:
            values.append([question.question_id for question in self.chosen])
        return variants.of_values(values)

    def _shared(self) -> dict[str, Any]:
        corpus = self.questions.corpus
        return {
            "dataset": self.questions.name,
            "split": self.questions.split,
            "corpus": corpus_hash(corpus) if corpus else None,
            "model": self.model,
            "judges": self.judges,
            "k_of_subtopics": self.k_of_subtopics,
            "removed": sorted(self.removed),
            "budget": asdict(self.budget),
            "code": variants.of_code(),
        }

    def as_config(self) -> dict[str, Any]:
        """Return the plan as results.json stores it."""
        shared = self._shared()
        return {
            "version": self.questions.version,
            "corpus_hash": shared["corpus"],
            "code_hash": shared["code"],
            "limit": self.limit,
            "seed": self.seed,
            "model": self.model,
            "judges": list(self.judges),
            "budget": shared["budget"],
            "reference": self.compared_to,
            "remarks": list(self.questions.remarks),
            "variants": {variant.label: asdict(variant) for variant in self.variants},
        }


def default_reference(labels: Sequence[str]) -> str:
    """Return what the others are compared to by default: static, else BM25, else the first that is not ADAQ."""
    others = [label for label in labels if label.split("--")[0] != SUBJECT]
    return next((label for label in (*REFERENCES, *others, *labels) if label in labels), "")


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
    says whether its first k hold all documents that the judges ask for; None when they ask for nothing; `reached`
    whether they reach all that was marked in them, which the own estimates are held against. `sufficiency`,
    `coverage`, `strength` and `answerable` (that the corpus holds an answer) are the system's own estimates at the end.
    `unanswerable` is None where nobody judged whether there is an answer.
    A failed run has an `error` and no measures.
    `said` is what its answer states, `short` the short answer in front of it; both empty where it declines.
    `grades` holds what each judge said, rubric by rubric; `wordings` the fields of each `learning.Use`.
    """

    method: str
    question_id: str
    question: str
    configuration: str
    kind: str = ""
    unanswerable: bool | None = False
    run_id: str | None = None
    gold: int = 0
    subtopics: int = 0
    aspects: int = 0
    complete: bool | None = None
    reached: bool | None = None
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
        """Return the (variant, question) that this is the outcome of."""
        return self.method, self.question_id

    @property
    def has_all(self) -> bool | None:
        """Whether the set holds all the evidence: by what was marked in the documents, where that is known."""
        return self.complete if self.reached is None else self.reached

    @property
    def first_complete_hop(self) -> int | None:
        """Return the hop after which the evidence stayed complete, where an oracle would stop; None if never."""
        good = None
        for hop in self.hops:
            good = (good or hop.hop) if hop.complete else None
        return good


def to_line(outcome: Outcome) -> str:
    """Return the outcome as one line of JSON."""
    return json.dumps(asdict(outcome), ensure_ascii=False)


def from_line(line: str) -> Outcome:
    """Read an outcome from a line of `to_line`; ValueError for any other line."""
    try:
        known: dict[str, Any] = json.loads(line)
        known["hops"] = tuple(HopOutcome(**hop) for hop in known["hops"])
        known["grades"] = {rubric: tuple(given) for rubric, given in known["grades"].items()}
        return of_fields(Outcome, known)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"expected an outcome, got {line[:80]!r}") from error


def read_outcomes(path: Path) -> list[Outcome]:
    """Read the outcomes in a file; none if it is missing. A last line cut short by a killed process is skipped."""
    if not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(_parsed(path, lines))


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Replace the file atomically, so that a reader never sees half of it."""
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


Phase = Literal["indexing", "embedding", "running", "writing", "finished", "cancelled", "failed"]
STATE = "state.json"
PER_QUESTION = "per_question.jsonl"
EVERY_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` runs of `total`, `reused` of them from before, `failed` so far; `eta` in seconds, None when unknown."""

    phase: Phase
    done: int = 0
    total: int = 0
    reused: int = 0
    failed: int = 0
    seconds: float = 0.0
    eta: float | None = None
    message: str = ""


Watch = Callable[[Progress], None]


class Clock:
    """Counts runs, estimates the end, and reports progress at a rate that a reader can follow."""

    def __init__(self, folder: Path, *, total: int, reused: int, watch: Watch) -> None:
        self._folder = folder
        self._watch = watch
        self._begun = time.monotonic()
        self._ran_from = self._begun
        self._reported = 0.0
        self._phase: Phase | None = None
        self.total = total
        self.reused = reused
        self.done = reused
        self.failed = 0

    @property
    def seconds(self) -> float:
        """Since the experiment was started or taken up."""
        return time.monotonic() - self._begun

    def start(self) -> None:
        """Start the clock for the estimate: preparation before the first run does not count."""
        self._ran_from = time.monotonic()

    def count(self, *, failed: bool) -> None:
        """Count one finished run."""
        self.done += 1
        self.failed += failed

    def tell(self, phase: Phase, message: str = "") -> None:
        """Report progress: a new phase at once, otherwise every half second."""
        now = time.monotonic()
        if phase == self._phase and now - self._reported < EVERY_SECONDS and self.done < self.total:
            return
        self._reported, self._phase = now, phase
        progress = self._progress(phase, now, message)
        draft = self._folder / f"{STATE}.tmp"
        draft.write_text(json.dumps(asdict(progress)), encoding="utf-8")
        draft.replace(self._folder / STATE)
        self._watch(progress)

    def _progress(self, phase: Phase, now: float, message: str) -> Progress:
        fresh = self.done - self.reused
        left = self.total - self.done
        if fresh and phase == "running":
            eta = (now - self._ran_from) / fresh * left
        else:
            eta = None
        return Progress(
            phase,
            self.done,
            self.total,
            self.reused,
            self.failed,
            seconds=round(now - self._begun, 1),
            eta=None if eta is None else round(eta, 1),
            message=message,
        )


def read_progress(folder: Path) -> Progress | None:
    """Return the last progress of the experiment in `folder`; None if it has none.

    Of one that was killed more runs may be kept than it had time to say.
    """
    try:
        known: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        progress = Progress(**known)
    except (OSError, ValueError, TypeError):
        return None
    if progress.phase != "running":
        return progress
    kept = _lines_of(folder / PER_QUESTION)
    return replace(progress, done=max(progress.done, min(kept, progress.total)))


def _lines_of(file: Path) -> int:
    try:
        return file.read_bytes().count(b"\n")
    except OSError:
        return 0


def in_words(progress: Progress) -> str:
    """Return the progress as one line for a terminal."""
    if progress.phase != "running":
        return f"{progress.phase}{': ' if progress.message else ''}{progress.message}"
    eta = "" if progress.eta is None else f" · {duration(progress.eta)} left"
    failed = f" · {progress.failed} failed" if progress.failed else ""
    share = progress.done / progress.total if progress.total else 1.0
    return f"{progress.done}/{progress.total} runs · {share:.0%} · {duration(progress.seconds)}{eta}{failed}"


def duration(seconds: float) -> str:
    """Seconds in the two largest units: 45 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
